# What the language's page says of numbers and loops, sentence by sentence, with values at the edges: on every target the interpreter's.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import declare

LEAST = -2147483647 - 1
H = 1/2


def integers(x, y):
    i = declare('int')
    i = LEAST
    z = x[0]
    k = x[1]
    y[0] = i//k
    y[1] = i % k
    y[2] = 7//z
    y[3] = 7 % z
    y[4] = -i
    y[5] = abs(i)
    y[6] = -7//(k*-2)
    y[7] = -7 % (k*-2)
    y[8] = (7 - z)/(k*-2)
    y[9] = 1 << (33 + z)
    y[10] = i >> (32 + z)
    y[11] = (7 + z)**2
    y[12] = i - 1
    y[13] = z and k
    y[14] = z or k
    y[15] = 3 > k < z
    y[16] = min(z, k)
    y[17] = ~(z == 0)


def mixed(u, s, w, y):
    y[0] = s[0] < w[0]
    y[1] = s[0] < u[0]
    y[2] = u[0] + s[0] < 0
    y[3] = (w[0] + s[0]) > 0
    y[4] = u[0] - 10 > 0
    y[5] = H*2


def stored(f, b, n, m):
    for i in range(len(f)):
        b[i] = f[i]
        n[i] = f[i]
    m[0] = 300 + n[0]*0
    m[1] = -1 + n[0]*0


def loops(x, y):
    n = 3 + x[0]
    for i in range(n):
        n = 100
        i += 10
        y[0] += 1
    y[1] = i
    for j in range(5, 5, 0 + x[0]):
        y[2] += 1
    b = declare('signed char')
    for b in range(100, 128 - x[0]):
        y[3] += 1
    y[4] = b
    top = declare('int')
    for top in range(2147483640, 2147483647 - x[0], 5):
        y[5] += 1
    y[6] = top
    for k in range(4):
        if k == 2 + x[0]:
            break
    else:
        y[7] = 1
    y[8] = k
    m = declare('matrix(3)')
    y[9] = m[2]
    if x[0]:
        late = 5
    y[10] = late


def floats(x, y):
    z = x[0]
    y[0] = (z + 1)/z
    y[1] = (-7.5)//(z + 2)
    y[2] = (-7.5) % (z + 2)
    y[3] = round(z + 0.5) + 10*round(z + 1.5) + 100*round(z + 2.5)
    y[4] = round(z + 2.675, 1)
    y[5] = min(z, -z)
    y[6] = (z + 2)**-1
    y[7] = (z + 2)**0.5
    y[8] = z and 1.0
    y[9] = z or 2.5
    y[10] = max(x[1], z)
    y[11] = max(z, x[1])


def cases(case, np, rng):
    zero = np.array([0, -1], "int32")
    case("integers", {"x": zero, "y": np.full(18, 77, "int32")}, form="function", expected={"y": np.array(
        [-2**31, 0, 0, 0, -2**31, -2**31, -4, 1, 3, 2, -2**31, 49, 2**31 - 1, 0, -1, 1, -1, 0], "int32")})
    case("mixed", {"u": np.array([5], "uint32"), "s": np.array([-6], "int32"), "w": np.array([3], "uint64"), "y": np.zeros(6, "int32")},
         form="function", expected={"y": np.array([1, 1, 1, 1, 1, 1], "int32")})
    f = np.array([1.9, -1.9, 1e30, -1e30, np.nan, np.inf, -np.inf, 200])
    case("stored", {"f": f, "b": np.zeros(8, "int8"), "n": np.zeros(8, "int32"), "m": np.zeros(2, "uint8")}, form="function",
         expected={"b": np.array([1, -1, 127, -128, 0, 127, -128, 127], "int8"),
                   "n": np.array([1, -1, 2**31 - 1, -2**31, 0, 2**31 - 1, -2**31, 200], "int32"), "m": np.array([44, 255], "uint8")})
    case("loops", {"x": zero, "y": np.zeros(11, "int64")}, form="function",
         expected={"y": np.array([3, 12, 0, 28, 127, 2, 2147483645, 0, 2, 0, 0], "int64")})
    x = np.array([0, np.nan])
    case("floats", {"x": x, "y": np.zeros(12)}, form="function", ulps=2, expected={"y": np.array(
        [np.inf, -4, 0.5, 0 + 20 + 200, 2.7, 0, 0.5, 2**0.5, 0, 2.5, np.nan, 0])})
