from missing import gone

WRONG = gone + 1


def asks(x):
    return x +* 2


def adds(x):
    y = x + 1
    return y/nowhere
