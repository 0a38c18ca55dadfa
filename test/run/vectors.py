# Short vectors: lanes by name and index, arithmetic, functions, loads and stores, on every target.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.api import annotate, declare


@annotate(v='float4[]', w='float4[]', y='float4[]')
def arithmetic(i, v, w, y):
    a = 2.0*v[i] + w[i]/4
    b = -a*w[i] - 1
    b += v[i]
    b *= float4(1, 2, 0.5, 4)
    y[i] = b


@annotate(v='int2[]', w='int2[]', y='int2[]')
def integers(i, v, w, y):
    y[i] = (v[i] & 12) + (w[i] << 2) - (v[i] ^ w[i])//3 + ~v[i] % 5 + v[i]**2


@annotate(v='float4[]', x='float[]')
def lanes(i, v, x):
    s = v[i].x + 2*v[i].w
    for k in range(4):
        s += v[i][k]*k
    v[i].y = s
    v[i][2] = v[i][1] + 1
    a = v[i]
    for k in range(2):
        a[k] += 0.5
    x[i] = s + a.x + a[3]


@annotate(v='double2[]', y='double4[]')
def made(i, v, y):
    a = double4(v[i], 1, i)
    b = double4(double2(3.0), v[i])
    c = double4()
    c.z = 2
    y[i] = a + b*c + make_double4(0.5) + sum_of(v[i])


def sum_of(v):
    return v[0] + v[1]


@annotate(v='double3[]', w='double3[]', y='double3[]')
def functions(i, v, w, y):
    y[i] = sqrt(abs(v[i])) + max(v[i], w[i])*min(v[i], 0.5) + fabs(w[i])



@annotate(v='double8[]', y='double8[]')
def wide(i, v, y):
    m = declare('matrix(2, "double8")')
    m[0] = v[i]
    m[1] = m[0]*2
    t = double8(1)
    for k in range(2):
        t = t + m[k]
    y[i] = t
    y[i].s7 = t.s0


@annotate(v='float32x16[]', y='float[]')
def widest(i, v, y):
    a = v[i]*float32x16(2)
    y[i] = a.s0 + a.sf + a[9]


@annotate(v='int4[]', y='float4[]')
def converted(i, v, y):
    y[i] = v[i]
    y[i] += v[i]*0.5


@annotate(v='float4[]', x='float[]')
def copied(i, v, x):
    a = v[i]
    a[0] = 7
    x[i] = a[0] + a[1] + v[i][0]


def narrow(i, k, y):
    p = uchar8()
    w = declare('matrix(2, "uint32x16")')
    for j in range(8):
        p[j] = k[8*i + j]
    q = p*p + 1
    q.s0 = 7
    w[1] = uint32x16(q[1]) - 2
    for j in range(8):
        y[8*i + j] = q[j] + w[1][j]
    a = int32x8(q)
    y[8*i] += a[7]


def lanes_of_a_list(i, k, y):
    us = [int4(1), int4(2, 3, 4, 5)]
    a = us[1][k[i] % 4]
    b = 1 + us[k[i] % 2][2]
    y[i] = 10*a + b


def counted(c):
    c[0] += 1
    return c[0]


# A number beside a vector, or in each of its lanes, is found once.
@annotate(c='int[]', v='double2[]', y='double2[]')
def once(c, v, y):
    y[0] = v[0]*counted(c)
    y[1] = counted(c) - v[0]
    y[2] = double2(counted(c))
    y[3] = double2(counted(c), counted(c))
    y[4] = max(v[0], counted(c))
    y[5] = min(counted(c), v[0])
    y[6] = v[0]
    y[6] += counted(c)
    y[7] = v[0]**counted(c)
    y[8] = v[0]/counted(c)
    y[9] = double2(2)*counted(c) + counted(c)
    y[10] = -double2(counted(c), 1)
    y[11] = counted(c)*v[counted(c) % 2]
    y[12] = sqrt(double2(counted(c)))
    y[13] = counted(c) + double2(v[0])*counted(c)
    y[14] = v[0]*atomic_inc(c[0])
    y[15] = atomic_inc(c[0]) + v[0]
    y[16] = max(v[0], atomic_inc(c[0]))
    y[17] = double2(atomic_inc(c[0]))


@annotate(c='int[]', v='int2[]', y='int2[]')
def once_of_integers(c, v, y):
    y[0] = v[0] & counted(c)
    y[1] = counted(c) | v[0]
    y[2] = v[0] ^ counted(c)
    y[3] = v[0] << counted(c)
    y[4] = v[0] >> counted(c)
    y[5] = v[0]//counted(c)
    y[6] = v[0] % counted(c)
    y[7] = ~int2(counted(c))
    y[8] = abs(int2(-counted(c)))


def vector(np, lane, lanes):
    names = ["x", "y", "z", "w"] if lanes <= 4 else [f"s{c}" for c in "0123456789abcdef"]
    word = {"float32": "float", "float64": "double", "int32": "int"}[lane] if lanes < 16 else "float32x"
    return np.dtype([(k, lane) for k in names[:lanes]], metadata={"struct": f"{word}{lanes}"})


def cases(case, np, rng):
    def filled(lane, lanes):
        a = rng.integers(-8, 9, (12, lanes)).astype(lane)
        return a, a.view(vector(np, lane, lanes)).reshape(12).astype(vector(np, lane, lanes))

    def of(a):
        return np.ascontiguousarray(a).view(vector(np, a.dtype.name, a.shape[1])).reshape(-1).astype(vector(np, a.dtype.name, a.shape[1]))

    a, v = filled("float32", 4)
    b, w = filled("float32", 4)
    case("arithmetic", {"v": v, "w": w, "y": v}, expected={"y": of(((-(2*a + b/4)*b - 1 + a)*np.float32([1, 2, 0.5, 4])).astype("float32"))})
    c, p = filled("int32", 2)
    d, q = filled("int32", 2)
    case("integers", {"v": p, "w": q, "y": p}, expected={"y": of((c & 12) + (d << 2) - (c ^ d)//3 + ~c % 5 + c**2)})
    s = a[:, 0] + 2*a[:, 3] + a[:, 1] + 2*a[:, 2] + 3*a[:, 3]
    after = np.stack([a[:, 0], s, s + 1, a[:, 3]], 1)
    case("lanes", {"v": v, "x": np.zeros(12, "float32")}, expected={"v": of(after), "x": s + a[:, 0] + np.float32(0.5) + a[:, 3]})
    e, g = filled("float64", 2)
    n = np.arange(12.0)
    left = np.stack([e[:, 0], e[:, 1], 1 + 0*n, n], 1)
    left[:, 2] += 2*e[:, 0]
    case("made", {"v": g, "y": filled("float64", 4)[1]}, expected={"y": of(left + 0.5 + (e[:, 0] + e[:, 1])[:, None])})
    h, r = filled("float64", 3)
    j, t = filled("float64", 3)
    case("functions", {"v": r, "w": t, "y": r}, expected={"y": of(np.sqrt(abs(h)) + np.maximum(h, j)*np.minimum(h, 0.5) + abs(j))})
    k, u = filled("float64", 8)
    total = 1 + 3*k
    total[:, 7] = total[:, 0]
    case("wide", {"v": u, "y": u}, expected={"y": of(total)})
    f, o = filled("float32", 16)
    case("widest", {"v": o, "y": np.zeros(12, "float32")}, expected={"y": 2*(f[:, 0] + f[:, 15] + f[:, 9])})
    m, z = filled("int32", 4)
    case("copied", {"v": v, "x": np.zeros(12, "float32")}, expected={"v": v, "x": 7 + a[:, 1] + a[:, 0]})
    k = np.arange(16).astype("uint8")*3
    sums = k.astype("int32")**2 + 1
    sums[::8] = 7
    result = sums + np.repeat(sums[1::8] - 2, 8)
    result[::8] += sums[7::8]
    case("narrow", {"k": k, "y": np.zeros(16, "int64")}, n=2, expected={"y": result.astype("int64")})
    k = np.arange(8)
    case("lanes_of_a_list", {"k": k, "y": 0*k}, expected={"y": 10*(2 + k % 4) + np.where(k % 2, 5, 2)})
    case("converted", {"v": z, "y": v}, expected={"y": of((1.5*m).astype("float32"))})
    n = iter(range(1, 99))
    v = np.array([1.5, 6.0])
    w = np.array([7.0, 2.0])
    c = lambda: next(n)
    y = [v*c(), c() - v, 0*v + c(), [c(), c()], np.maximum(v, c()), np.minimum(c(), v), v + c(), v**c(), v/c(), 2.0*c() + c() + 0*v,
         [-c(), -1], c()*(w if c() % 2 else v), 0*v + np.sqrt(c()), c() + v*c()]
    y += [v*(c() - 1), c() - 1 + v, np.maximum(v, c() - 1), 0*v + c() - 1]
    case("once", {"c": np.zeros(1, "int32"), "v": of(np.array([v, w])), "y": of(np.zeros((18, 2)))}, form="function",
         expected={"c": np.array([next(n) - 1], "int32"), "y": of(np.array(y))})
    n = iter(range(1, 99))
    v = np.array([13, 1000])
    y = [v & c(), c() | v, v ^ c(), v << c(), v >> c(), v // c(), v % c(), 0*v + ~c(), 0*v + c()]
    case("once_of_integers", {"c": np.zeros(1, "int32"), "v": of(np.array([v], "int32")), "y": of(np.zeros((9, 2), "int32"))}, form="function",
         expected={"c": np.array([next(n) - 1], "int32"), "y": of(np.array(y, "int32"))})
