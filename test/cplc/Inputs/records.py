@struct
class Item:
    k: int32
    v: double
    m: "matrix(2, 'short')"


def sums(i, p, x):
    x[i] = p[i].v + p[i].k + p[i].m[1]
    p[i].k += 1
