# A kernel whose lines a debugger shows.
def triple(i, x, a):
    t = a + x[i]
    x[i] = t*3.0
