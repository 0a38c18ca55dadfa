# Numba's and OpenCL's names of the place in a grid, of memory, barriers and atomics.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numba
from numba import cuda, float32, int32, njit

TPB = 4


@njit
def twice(v):
    return v*2


@cuda.jit(device=True)
def beside(k):
    return k + cuda.threadIdx.x


@cuda.jit
def scale(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = twice(x[i]) + cuda.gridsize(1)


@cuda.jit
def turned(x, y):
    i = cuda.blockIdx.x*cuda.blockDim.x + cuda.threadIdx.x
    tile = cuda.shared.array(TPB, dtype=float32)
    own = cuda.local.array((2, 2), numba.int32)
    t = cuda.threadIdx.x
    tile[t] = x[i]
    cuda.syncthreads()
    own[1, 0] += t
    y[i] = tile[TPB - 1 - t] + own[1, 0] + beside(0)*cuda.gridDim.x


@cuda.jit
def plane(m, y):
    i, j = cuda.grid(2)
    h, w = cuda.gridsize(2)
    if i < m.shape[0] and j < m.shape[1]:
        y[i, j] = m[i, j] + i*10 + j + h + w*100


@cuda.jit
def space(y):
    p = cuda.grid(3)
    tile = cuda.shared.array((2, 2), int32)
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = p[0] + 10*p[1] + 100*p[2]
    cuda.syncthreads()
    a, b, c = cuda.gridsize(3)
    y[p[0] + a*(p[1] + b*p[2])] = tile[cuda.threadIdx.x, cuda.threadIdx.y] + c*1000


@cuda.jit
def counted(k, h, g):
    i = cuda.grid(1)
    cuda.atomic.add(h, k[i] % 4, 1)
    cuda.atomic.max(g, (1, k[i] % 2), k[i])
    cuda.atomic.min(g, (0, 0), -k[i])
    cuda.atomic.sub(h, 4, 2)
    cuda.atomic.or_(h, 5, 1 << k[i])


@cuda.jit
def bits(x, out, turned):
    i = cuda.grid(1)
    out[i, 0] = cuda.popc(x[i])
    out[i, 1] = cuda.clz(x[i])
    out[i, 2] = cuda.ffs(x[i])
    out[i, 3] = cuda.selp(x[i] > 5, 7, cuda.popc(63) + cuda.clz(1))
    turned[i] = cuda.brev(x[i])


@cuda.jit
def fused(x, y):
    i = cuda.grid(1)
    y[i] = cuda.fma(x[i], 2.0, 1.0)
    y[i + 4] = cuda.cbrt(x[i]) - cbrt(x[i])


def opencl(x, y):
    i = get_global_id(0)
    y[i] = x[i] + get_local_id(0)*100 + get_group_id(0)*1000 + get_local_size(0)*10
    y[i] += get_num_groups(0) + get_global_size(0)*10000


def cases(case, np, rng):
    def grid(function, items, group, arrays, expected):
        case(function, form="kernel", arrays=arrays, expected=expected,
             options=["--global", ",".join(map(str, items)), "--local", ",".join(map(str, group))])

    x = rng.integers(0, 99, 16).astype("float32")
    i = np.arange(16)
    zero = np.zeros(16, "float32")
    grid("scale", (16,), (4,), {"x": x[:13], "y": zero[:13]}, {"y": 2*x[:13] + 16})
    reverse = x.reshape(4, 4)[:, ::-1].ravel()
    grid("turned", (16,), (4,), {"x": x, "y": zero}, {"y": (reverse + i % 4 + 4*(i % 4)).astype("float32")})
    m = rng.integers(0, 9, (5, 3)).astype("int32")
    r, c = np.indices((5, 3))
    grid("plane", (6, 4), (2, 2), {"m": m, "y": np.zeros((5, 3), "int32")}, {"y": (m + 10*r + c + 6 + 400).astype("int32")})
    c, b, a = (v.ravel() for v in np.indices((2, 4, 4)))
    turned = (a//2*2 + b % 2) + 10*(b//2*2 + a % 2) + 100*c + 2000
    grid("space", (4, 4, 2), (2, 2, 1), {"y": np.zeros(32, "int32")}, {"y": turned.astype("int32")})
    k = rng.integers(0, 9, 16).astype("int32")
    h = np.zeros(6, "int32")
    np.add.at(h, k % 4, 1)
    h[4], h[5] = -32, np.bitwise_or.reduce(1 << k)
    g = np.zeros((2, 2), "int32")
    np.maximum.at(g[1], k % 2, k)
    g[0, 0] = -k.max()
    grid("counted", (16,), (4,), {"k": k, "h": np.zeros(6, "int32"), "g": np.zeros((2, 2), "int32")}, {"h": h, "g": g})
    grid("opencl", (16,), (4,), {"x": x, "y": zero}, {"y": (x + i % 4*100 + i//4*1000 + 40 + 4 + 160000).astype("float32")})
    for t in ("int32", "uint64", "int16", "int64", "uint32"):
        info = np.iinfo(t)
        width = max(32, info.bits)
        x = np.array([0, 1, 2, 6, info.max, info.max - 1, info.min, info.max//3, 0x50f0 % info.max, 97 << 8 & info.max], t)
        words = [int(v) & (1 << width) - 1 for v in x]
        counts = [[bin(v).count("1"), width - v.bit_length(), (v & -v).bit_length(), 7 if x[k] > 5 else 37]
                  for k, v in enumerate(words)]
        turned = np.array([int(f"{v:0{width}b}"[::-1], 2) for v in words], "uint64")
        grid("bits", (10,), (5,), {"x": x, "out": np.zeros((10, 4), "int32"), "turned": np.zeros(10, "uint64")},
             {"out": np.array(counts, "int32"), "turned": turned})
    x = np.array([0.5, -2, 3, 0], "float64")
    grid("fused", (4,), (4,), {"x": x, "y": np.zeros(8)}, {"y": np.concatenate([2*x + 1, np.zeros(4)])})
