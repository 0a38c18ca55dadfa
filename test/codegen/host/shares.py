"""A thread that is long at a round keeps nobody waiting: the others do the rest of its share. Round 0
waits for all but those that its thread has taken with it, the first half of its share of eight.

RUN: cplc run %s:wait n=const:16 done=int32[1] seen=int32[1] --n 16 --option num_threads=2 \
RUN:   --out seen=- | %python %s
RUN: cplc run %s:wait n=const:24 done=int32[1] seen=int32[1] --n 24 --option num_threads=3 \
RUN:   --out seen=- | %python %s
"""


def wait(i, n, done, seen):
    if i > 0:
        atomic_add(done[0], 1)
    else:
        k = 0
        while k < 300000000 and atomic_add(done[0], 0) < n - 4:
            k += 1
        seen[0] = atomic_add(done[0], 0)


if __name__ == "__main__":
    import io
    import sys

    import numpy as np

    seen = np.load(io.BytesIO(sys.stdin.buffer.read()))
    assert seen[0] in (12, 20), seen
