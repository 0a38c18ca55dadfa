def square(x):
    return x*x

def scale(i, x, factor):
    x[i] *= factor

def total(x, n):
    s = 0.0
    for j in range(n):
        s += x[j]
    return s
