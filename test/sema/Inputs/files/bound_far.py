import bound_held
import broken


def total(i, x, T):
    p = declare(T)
    p.a = x[i]
    x[i] = p.total()


def sized(i, x, N: 'int64'):
    m = declare('matrix((bound_held.SIDE, N), "bound_held.Held*")')
    x[i] = 0


def held(i, x, N):
    m = declare('matrix((bound_held.SIDE, N), "bound_held.Held")')
    h = declare('bound_held.Held')
    m[1][N - 1] = h
    x[i] = m[0, 0].total()


def slips(i, x):
    a = declare('bound_held.Hold')
    b = declare('matrix(bound_held.SIZE)')
    c = declare('matrix(bound_held.SIDE + 1)')
    d = declare('matrix((2*3, 4))')
    e = declare('matrix(bound_held.HALF)')


def unparsed(i, x):
    a = declare('broken.Held')
    b = declare('matrix(broken.SIDE)')
    c = declare('matrix(2, "broken.Held")')
    x[i] = cast(x[i], 'broken.T')
