@struct
class Q:
    a: 'int'
    b: 'float'


@struct
class P:
    at: Q
    c: 'double'


def up(i, p, z):
    p[i].at.b += 1
    z[i] = z[i]*2


def down(i, p, z):
    p[i].at.b -= 1
    z[i] = z[i]/2


def twice(i, p, EOF, errno, I):
    p[i].at.b *= EOF + errno + I
