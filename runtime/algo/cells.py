"""Sorts of the numbers 0 to n - 1 by cells, m of them: D. E. Knuth, The art of computer programming
3, 5.2, algorithm D. cell(i, *args) is the number of element i's cell; what is in none of them counts
as cell m, behind all others.

With few cells each piece counts its own, and then writes where its elements go: tallies, starts,
places. Of many, counts of pieces would take longer than the elements do: the cells are written down
(cells_of), sorted as sort.py does, and searched for their borders.
"""


def cell_of(i, m, cell, *args):
    k = declare('long')
    k = cell(i, *args)
    if k < 0 or k > m:
        k = m
    return k


def tallies(c, part, n, size, m, cell, *args):
    """Elementwise over pieces: how many elements of one are in each cell."""
    first = c*(m + 1)
    for k in range(first, first + m + 1):
        part[k] = 0
    for i in range(c*size, min((c + 1)*size, n)):
        part[first + cell_of(i, m, cell, *args)] += 1


def starts(c, part, offsets, count, m):
    """One round: where each cell begins, and in it those of each piece."""
    at = declare('long')
    for k in range(m + 1):
        offsets[k] = at
        for p in range(count):
            t = part[p*(m + 1) + k]
            part[p*(m + 1) + k] = at
            at += t


def places(c, part, order, n, size, m, cell, *args):
    """Elementwise over pieces: each element to the next place of its cell."""
    first = c*(m + 1)
    for i in range(c*size, min((c + 1)*size, n)):
        k = first + cell_of(i, m, cell, *args)
        order[part[k]] = i
        part[k] += 1


def cells_of(c, cells, n, size, m, cell, *args):
    """Elementwise over pieces."""
    for i in range(c*size, min((c + 1)*size, n)):
        cells[i] = cell_of(i, m, cell, *args)


def borders(c, offsets, cells, n, size, m):
    """Elementwise over pieces of the sorted cells: where those begin that come behind what is in
    front of the piece."""
    first = c*size
    end = min(first + size, n)
    here = declare('long')
    k = declare('long')
    if first > 0:
        k = cells[first - 1]
        k += 1
    for i in range(first, end):
        here = cells[i]
        while k <= here:
            offsets[k] = i
            k += 1
    if end == n:
        while k <= m:
            offsets[k] = n
            k += 1
