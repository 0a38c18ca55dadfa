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
