# Names that another file has, too, for other numbers.
STEP, ALONE = 0.25, 7.0
NEXT = [1, STEP*2, -STEP]
PAIRS = ((STEP, ALONE), (STEP + 1, 2*ALONE))
TURN = (1j*STEP, ALONE)
OF_ITEMS = PAIRS[1][0] + NEXT[-1]
ROWS = 2


class Box:
    EDGE = STEP*4
    EDGES = (STEP, EDGE)
