# Names of Numba's and OpenCL's kernels: in kernels alone, with dimensions that are known.
# RUN: not cplc %s:kernel --as kernel --types 'x=float32[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=KERNEL %s
# RUN: not cplc %s:plain --as function --types 'x=float32[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=PLAIN %s
# RUN: not cplc %s:bits --as kernel --types 'x=float32[] n=int32[]' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=BITS %s
# RUN: not cplc %s:function --types 'x=float32[] n=int32' --emit types 2>&1 \
# RUN:   | FileCheck --check-prefix=INDEX %s
from numba import cuda, float32

def kernel(x, n):
    i = cuda.grid(n)
    j = cuda.grid(4)
    k = get_global_id(3)
    l = get_local_id(n)
    t = cuda.shared.array(n, float32)
    u = cuda.shared.array(0, float32)
    v = cuda.shared.array(4)
    a, b = cuda.grid(3)
    c = cuda.threadIdx.w
    d = cuda.threadIdx
    e = cuda.atom.add(x, 0, 1)
    f = cuda.atomic.nand(x, 0, 1)
    cuda.atomic.add(x, 0.5, 1)
# KERNEL: bad-grid-names.py:[[@LINE-13]]:19: error: 'cuda.grid' takes the number of dimensions, 1, 2 or 3, as a literal or constant
# KERNEL: bad-grid-names.py:[[@LINE-13]]:19: error: 'cuda.grid' takes the number of dimensions, 1, 2 or 3, as a literal or constant
# KERNEL: bad-grid-names.py:[[@LINE-13]]:23: error: 'get_global_id' takes a dimension, 0, 1 or 2, as a literal or constant
# KERNEL: bad-grid-names.py:[[@LINE-13]]:22: error: 'get_local_id' takes a dimension, 0, 1 or 2, as a literal or constant
# KERNEL: bad-grid-names.py:[[@LINE-13]]:27: error: the sizes of a shared array are integers that are known when the function is compiled
# KERNEL: bad-grid-names.py:[[@LINE-13]]:27: error: the size of this array is given at the launch
# KERNEL: hint: make it a parameter of the kernel: t: 'lfloatp', and t=local:64 of cplc run
# KERNEL: bad-grid-names.py:[[@LINE-14]]:9: error: 'cuda.shared.array' takes the shape and the type of the elements
# KERNEL: hint: cuda.shared.array((16, 16), float32)
# KERNEL: bad-grid-names.py:[[@LINE-15]]:12: error: 2 names on the left, a tuple of 3 on the right
# KERNEL: bad-grid-names.py:[[@LINE-15]]:24: error: 'threadIdx.w' is not known in kernels
# KERNEL: bad-grid-names.py:[[@LINE-15]]:9: error: 'threadIdx' is a module, not a value
# KERNEL: bad-grid-names.py:[[@LINE-15]]:14: error: 'cuda.atom' is not known in kernels
# KERNEL: bad-grid-names.py:[[@LINE-15]]:21: error: 'atomic.nand' is not known in kernels
# KERNEL: bad-grid-names.py:[[@LINE-15]]:24: error: an index must be an integer, found float64

def plain(x, n):
    x[cuda.grid(1)] = cuda.threadIdx.x
    x[0] = get_global_id(0)
# PLAIN: bad-grid-names.py:[[@LINE-2]]:7: error: 'cuda.grid' has a meaning in kernels alone, and this is compiled as none
# PLAIN: hint: compile it as a kernel: --as kernel, CPL_FORM_KERNEL
# PLAIN: bad-grid-names.py:[[@LINE-4]]:23: error: 'LID_0' has a meaning in kernels alone, and this is compiled as none
# PLAIN: bad-grid-names.py:[[@LINE-4]]:12: error: 'get_global_id' has a meaning in kernels alone, and this is compiled as none

def function(x, n):
    x[0] = n
# INDEX: error: 'x' is the index of 'function' and is not given; its parameters are n
# INDEX: hint: a plain function, which is called once with all its parameters: --as function; one that asks for its work-item: --as kernel

def bits(x, n):
    n[0] = cuda.popc(x[0])
    n[1] = cuda.ffs(1.5)
    n[2] = cuda.brev(n)
    n[3] = cuda.clz(1, 2)
    n[4] = cuda.pop(1)
    n[5] = cuda._ones32(1)
    n[6] = cuda.grid()
    n[7], n[8] = cuda.grid(1)
    n[7], n[8] = cuda.gridsize(1)
# BITS: bad-grid-names.py:[[@LINE-9]]:12: error: 'popc' of these arguments: '|' needs integers, found float32 and int32
# BITS: bad-grid-names.py:[[@LINE-9]]:12: error: 'ffs' of these arguments: '^' needs integers, found float64 and float64
# BITS: bad-grid-names.py:[[@LINE-9]]:22: error: an argument of 'brev' must be a number, found int32[]
# BITS: hint: did you mean 'n[i]'?
# BITS: bad-grid-names.py:[[@LINE-10]]:12: error: 'clz' takes 1 argument, found 2
# BITS: bad-grid-names.py:[[@LINE-10]]:17: error: 'cuda.pop' is not known in kernels
# BITS: hint: did you mean 'popc'?
# BITS: bad-grid-names.py:[[@LINE-11]]:17: error: 'cuda._ones32' is not known in kernels
# BITS: bad-grid-names.py:[[@LINE-11]]:12: error: 'cuda.grid' takes 1 argument, found 0
# BITS: hint: cuda.grid(1) is that of one dimension; x, y = cuda.grid(2) of two
# BITS: bad-grid-names.py:[[@LINE-12]]:18: error: 2 names on the left, one value on the right
# BITS: hint: the number in brackets says how many there are: cuda.grid(2)
# BITS: hint: the number in brackets says how many there are: cuda.gridsize(2)
