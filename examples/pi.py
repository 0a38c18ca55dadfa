# Pi, from random points of a square: how many of them fall into a quarter of a circle. The count is
# the same on every machine, on every device and for any number of threads.
# cplc run examples/pi.py --as reduce --op 'a + b' --map inside --n 100000000 seed=1
from cpl.random import uniform


def inside(i, seed):
    x = uniform(seed, i)
    y = uniform(seed, i, 1)
    return 1 if x*x + y*y < 1 else 0
