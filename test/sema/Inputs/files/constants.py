GRAVITY = 9.8125


def square(v):
    return v*v
