# Words of C and of OpenCL C as names of parameters, locals and functions, where Python has no such word.
# RUN: rm -rf %t && mkdir -p %t && %python %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} words, 0 kept, 0 missing
# RUN: %if pocl %{ %pocl %clrun build %t/locals.cl && %pocl %clrun build %t/parameters0.cl %}
import keyword
import re
import subprocess
import sys

MOST = 40  # parameters

# C99, 6.4.1; OpenCL C 3.0: 6.1.9 keywords, 6.3 types, 6.7 qualifiers; what headers and pragmas define
WORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool _Complex _Imaginary
kernel global local constant private generic uniform pipe read_only write_only read_write complex imaginary vec_step
__kernel __global __local __constant __private __generic __read_only __write_only __read_write __attribute__ __func__
bool true false NULL uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t half quad
char2 uchar3 short4 ushort8 int16 uint2 long3 ulong4 half8 float16 double2 bool3 quad4
image2d_t image3d_t image2d_array_t image1d_t image1d_buffer_t image1d_array_t sampler_t event_t queue_t ndrange_t clk_event_t
reserve_id_t cl_mem_fence_flags INFINITY NAN HUGE_VAL HUGE_VALF MAXFLOAT CHAR_BIT INT_MAX LONG_MIN FLT_EPSILON DBL_MAX M_PI
M_PI_F CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE __OPENCL_VERSION__ __FILE__ __LINE__
get_global_id get_local_size get_group_id get_work_dim barrier mem_fence as_float convert_int vload4 vstore4 atomic_add
atom_inc native_sin half_cos mad24 mul24 mad_hi clz popcount rotate upsample select shuffle dot cross normalize
length distance sin exp2 pown rootn fmod ldexp ilogb nextafter smoothstep step mix sign degrees radians printf prefetch
async_work_group_copy wait_group_events work_group_reduce_add sub_group_barrier isfinite signbit bitselect""".split()


def compiled(path, source, types):
    """What cplc makes of f in OpenCL C: its names, where floats are declared, and those of its pointers."""
    with open(path + ".py", "w") as f:
        f.write(source)
    subprocess.run(["cplc", path + ".py:f", "--types", types, "--target", "opencl:c1.2", "--emit",
                    "opencl-c", "-o", path + ".cl"],
                   check=True)
    with open(path + ".cl") as f:
        return re.findall(r"float \*?(\w+)", f.read())


def main(folder):
    words = [w for w in WORDS if not keyword.iskeyword(w)]
    locals_ = "".join(f"    {w} = s + {k}.0\n    s = {w}*{w}\n" for k, w in enumerate(words))
    names = compiled(f"{folder}/locals", f"def f(i, x):\n    s = x[i]\n{locals_}    x[i] = s\n",
                     "x=float32[]")
    for n in range(0, len(words), MOST):
        some = words[n:n + MOST]
        sums = " + ".join(f"{w}[i]" for w in some)
        names += compiled(f"{folder}/parameters{n}",
                          f"def f(i, x, {', '.join(some)}):\n    x[i] = {sums}\n",
                          " ".join(f"{w}=float32[]" for w in ["x", *some]))
    kept = [w for w in words if w in names]
    missing = [w for w in words if names.count("u_" + w) + names.count(w + "_1") != 2]
    print(*kept, *missing)
    print(len(words), "words,", len(kept), "kept,", len(missing), "missing")


main(sys.argv[1])
