# Steps of the 3n+1 iteration down to 1: as a plain call, and for each index in parallel.
# cplc run examples/collatz.py:steps --as function n=27
# cplc run examples/collatz.py:table count=int32[1000000] --out count=count.npy
def steps(n):
    k = 0
    while n > 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3*n + 1
        k += 1
    return k


def table(i, count):
    count[i] = steps(i + 1)
