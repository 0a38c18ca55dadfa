# How often each value of an array of bytes occurs; iterations meet in counts, so they add atomically.
# cplc run examples/histogram.py values=bytes.npy counts=int32[256] --out counts=counts.npy
def histogram(i, values, counts):
    atomic_inc(counts[values[i]])
