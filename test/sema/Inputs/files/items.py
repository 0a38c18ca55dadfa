import items_of
import items_of as t
from items_of import NEXT, PAIRS as pairs, TURN, OF_ITEMS, Box

STEP, ROWS = 100.0, 1
HERE = t.NEXT[1]
THERE = pairs[items_of.ROWS - ROWS][0]
LAST = items_of.PAIRS[-1][-1]
TWICE = (2*NEXT[2], STEP*items_of.NEXT[0])
MIXED = items_of.PAIRS[ROWS][0]
LENGTH = len(items_of.PAIRS[ROWS]) + len(NEXT)


def items(i, x):
    x[0] = HERE
    x[1] = THERE
    x[2] = LAST
    x[3] = TWICE[0]
    x[4] = TWICE[1]
    x[5] = MIXED
    x[6] = LENGTH
    x[7] = NEXT[1]
    x[8] = t.NEXT[-1]
    x[9] = pairs[0][1]
    x[10] = items_of.PAIRS[ROWS][0]
    x[11] = OF_ITEMS
    x[12] = TURN[0].imag
    x[13] = Box.EDGE
    x[14] = items_of.Box.EDGES[0]
    x[15] = Box.EDGES[1]
    x[16] = pairs[i % 2][0] + NEXT[1 + i]
    for v in items_of.NEXT:
        x[17] = x[17]*2 + v
    for a, b in pairs:
        x[18] += a*b
