# Module constants, math constants and weak literals.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import math
import numpy as np

G = 9.81
N = 3
BIG = 5000000000
FLAG = True
DERIVED = 2*N + 1

# What Python evaluates here is a number of the kernel's too.
Q0, Q1, Q2, Q3 = 5.0//2, 7.5 % 2, -7.5//2, -7.5 % 2
Q4, Q5, Q6 = -0.9 % 0.7, 1e300//3, 3 % -0.5
HOLDS, CHAIN = N > 3, 1 < N <= 3 != 4
CHOSEN = 1 if N else 0
DECIDES, OTHER = N and 5, 0 or 2.5
ROOT, LEAST = math.sqrt(2), min(4, N, 2.5)
ROUNDED, FLOORED, HALVES = round(2.5), math.floor(-2.5), np.floor(2.5)/2
CENTS, MICRO, HUNDREDS, WHOLES = round(2.675, 2), round(0.12345651, 6), round(1250, -2), round(7, 2)
NEAR, TENTH, KILO = np.round(2.5), np.around(1.25, 1), np.round(1234.567, -2)
SINGLE, HALF = np.float32(.1), np.float16(1/3)
LARGE = float('inf')
WHOLE, SIZE, POWER = int(-3.9), abs(-4), pow(2, 10)
ANGLE, LENGTH = math.atan2(1, 2), math.hypot(3, 4)
DEGREES = math.degrees(math.pi)
MASK, TOP, SIGN, BASED = 2**64 - 1, (1 << 64) - (1 << 63), -1 >> 70, math.log(8, 2)


# Targets in brackets, and one that takes what others leave.
(NA, (NB, NC)), [ND] = (1, (2, 3)), (4,)
FIRST, *REST, LAST = 1, 2.5, 3, 4
*MOST, (PAIR, _) = [5, 6, (7, 8)]
LONE, = (9,)
((ALONE)) = 2.5
(ROW, COLUMN), SOLE = [(1, 2), (3, 4)], 5
holder = [0, 0]
holder[0], BESIDE = 1, 6

UNIT = (3 + 4j)/abs(3 + 4j)

# NumPy's scalars stay in their types.
T = [
    np.float32(16777216) + 1, np.float32(.1) > 0.1, np.uint32(5) - 6, np.float32(.1)*3,
    np.uint8(200) + 100, np.sqrt(np.float32(2)), np.float32(.1) + np.float64(.1),
    np.int8(100)*np.int16(100), np.uint32(1) - np.int32(2), np.int64(1) + np.uint64(1),
    np.int8(-128) // -1, np.sqrt(2)*np.float32(.1), 1/np.int32(3), np.float16(.1)*2, ~np.uint8(5),
    -np.int8(-128), abs(np.float32(-.1)) - .1, np.uint32(3)**40, np.float32(.1) == np.float64(.1),
    np.int32(7) % -4, np.float32(7.5) // 2, float(np.float32(.1)) + 1e-9, np.int32(1) + .1,
    np.int16(3)*np.float32(.1), np.int64(1) << 62 << 1, round(np.float32(2.675), 2),
    min(np.float32(.1), 5)*3, (np.float32(1) > 0) + 1, np.uint8(7) & 12, np.bool_(True) | False,
    np.mod(-7, 3), np.remainder(-7.5, 2), np.floor_divide(7, 2)/2, np.sign(-2.5), np.square(3),
    np.clip(5, 0, 3), np.where(1 > 0, 2.0, 3.0), math.isnan(math.nan),
    math.isfinite(1.0) + np.isinf(1), math.factorial(10), math.factorial(0), math.gcd(12, -18),
    math.lcm(4, 6), abs(3 + 4j), (1 + 2j).imag, UNIT.real, np.square(np.uint8(17)),
    np.clip(np.uint8(5), 0, 3) - 4, np.where(True, 2, np.float32(3))/3,
    np.bool_(True)*np.bool_(True) + True, np.sign(np.int8(-3))*100*2, np.maximum(1, 2) + 2**62,
    math.sqrt(np.float32(2)), np.float32(1)/3 if np.float32(2) else 0,
    np.round(7)//2, 1 << np.round(3), np.around(1250, -2) | 1, np.round(5, 1)*2**61*4, 1/np.round(3),
    np.round(np.uint8(250)) + 10, np.round(np.int16(1250), -2) | 1, round(np.int16(1250), -2)*100,
    np.round(True)/2, np.round(np.float32(2.675), 2), np.round(-2.5), np.around(2.5, 0)*np.float32(.1)
]


def scalars(r):
    for k in range(len(T)):
        r[k] = T[k]


def beside(i, k, r):
    """Literals that no int64 is."""
    r[i, 0] = k[i] > 9223372036854775808
    r[i, 1] = (k[i] & 0xFFFFFFFFFFFFFFFF) >> 60
    r[i, 2] = k[i] == MASK
    r[i, 3] = k[i] < MASK and 2**63 > k[i]
    r[i, 4] = max(k[i], 1 << 63) // 2**62
    r[i, 5] = (k[i] if k[i] > 5 else 2**63) >> 62


def masks(i, u):
    u[0] = MASK; u[1] = TOP; u[2] = SIGN; u[3] = BASED
    u[4] = 2**64 - 1; u[5] = -(2**64) + 2**64 + 5; u[6] = 1 << 70 >> 60; u[7] = 3**50 % 1000007


def evaluated(r):
    r[0] = Q0; r[1] = Q1; r[2] = Q2; r[3] = Q3; r[4] = Q4; r[5] = Q5; r[6] = Q6
    r[7] = HOLDS; r[8] = CHAIN; r[9] = CHOSEN; r[10] = DECIDES; r[11] = OTHER
    r[12] = ROOT; r[13] = LEAST; r[14] = ROUNDED; r[15] = FLOORED; r[16] = HALVES
    r[17] = SINGLE; r[18] = HALF; r[19] = LARGE; r[20] = WHOLE; r[21] = SIZE; r[22] = POWER
    r[23] = ANGLE; r[24] = LENGTH; r[25] = DEGREES
    r[26] = ROUNDED/4  # integers: the fraction is dropped in a kernel
    r[27] = CENTS; r[28] = MICRO; r[29] = HUNDREDS; r[30] = WHOLES; r[31] = NEAR; r[32] = TENTH; r[33] = KILO
    r[34] = WHOLES/2 + HUNDREDS/1000


def double(v):
    return 2*v


def thrice(v):
    return 3*v


def times(function, factor=1):
    return function


double = times(double)
thrice = times(thrice, factor=2)


def rebound(i, x):
    x[i] = double(x[i]) + thrice(1.0)


rebound = times(rebound)


def use(i, x, y):
    y[i] = x[i]*G + N + math.pi - np.pi + M_PI - pi


def kinds(r):
    r[0] = N/2
    r[1] = DERIVED
    r[2] = BIG
    r[3] = FLAG + 1
    r[4] = -7//2
    r[5] = -7 % 3
    r[6] = 7/2.0
    r[7] = 0x7fffffff + 1
    r[8] = 2**10
    r[9] = 1e300 > 1


def weak(i, x, y):
    s = 0.0
    s += x[i]
    y[i] = 2.0*s + 1 + 0.1


def least(i, x, y):
    best = float('inf')
    for v in (x[i], 3.0, float("-Infinity") if x[i] > 4 else best):
        if v < best:
            best = v
    y[i] = best


def unpacked(i, y):
    y[0] = NA + 10*NB + 100*NC + 1000*ND
    y[1] = FIRST + LAST + len(REST) + REST[1]
    for m in MOST:
        y[2] += m
    y[3] = PAIR + LONE + ALONE
    y[4] = ROW[1] + COLUMN[0]*10 + SOLE*100 + BESIDE*1000


TABLE = np.array([0.1, 0.2, 0.3])
GRID = np.array([[1, 2], (3, 4)], dtype=np.int16)
PLAIN = np.array((7, 8))


def tables(i, x, y):
    y[i] = TABLE[i % 3] + TABLE.size + GRID[i % 2, 1]*100 + GRID.shape[1] + PLAIN[i % 2] + len(GRID)
    for v in TABLE:
        y[i] += v*x[i]
    y[i] += np.sum(TABLE) + np.max(GRID) + (8 in PLAIN)


def cases(case, np, rng):
    case("tables", {"x": np.arange(6, dtype="float32"), "y": np.zeros(6)})
    case("unpacked", {"y": np.zeros(5)}, n=1, expected={"y": np.array([4321, 10, 11, 18.5, 6532.0])})
    for kind in "float32", "float64":
        x = np.array([1, 3.5, 5], kind)
        case("least", {"x": x, "y": x}, expected={"y": np.array([1, 3, -np.inf], kind)})
    for t in ("float32", "float64"):
        x = rng.uniform(0, 5, 20).astype(t)
        c = lambda v: np.array(v, t)
        exact = ["--option", "precise=1"]
        case("use", {"x": x, "y": np.zeros(20, t)}, expected={"y": x*c(9.81) + c(3) + c(np.pi) - c(np.pi) + c(np.pi) - c(np.pi)}, options=exact)
        case("weak", {"x": x, "y": np.zeros(20, t)}, expected={"y": c(2)*x + c(1) + c(0.1)}, options=exact)
    case("kinds", {"r": np.zeros(10)}, form="function", expected={"r": np.array([1, 7, 5e9, 2, -4, 2, 3.5, 2**31, 1024, 1])})
    names = ("Q0 Q1 Q2 Q3 Q4 Q5 Q6 HOLDS CHAIN CHOSEN DECIDES OTHER ROOT LEAST ROUNDED FLOORED HALVES SINGLE HALF LARGE WHOLE SIZE POWER ANGLE "
             "LENGTH DEGREES").split()
    rounded = [CENTS, MICRO, HUNDREDS, WHOLES, NEAR, TENTH, KILO, WHOLES//2 + HUNDREDS//1000]
    case("evaluated", {"r": np.zeros(35)}, form="function", expected={"r": np.array([globals()[k] for k in names] + [0] + rounded, "float64")})
    k = np.array([5, -1, 2**62])
    held = k.astype("uint64")
    case("beside", {"k": k, "r": np.zeros((3, 6), "uint64")}, n=3, expected={"r": np.column_stack([
        [0, 0, 0], held >> np.uint64(60), [0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 1]]).astype("uint64")})
    masks = [2**64 - 1, 2**63, 2**64 - 1, 3, 2**64 - 1, 5, 1024, 3**50 % 1000007]
    case("scalars", {"r": np.zeros(len(T))}, form="function", expected={"r": np.array([float(v) for v in T])})
    case("masks", {"u": np.zeros(8, "uint64")}, n=1, expected={"u": np.array(masks, "uint64")})
    case("rebound", {"x": np.arange(4.0)})
