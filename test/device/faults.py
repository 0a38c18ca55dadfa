# What drivers get wrong, as lib/README.md lists it: each fault is still there in raw text, which
# nothing of ours has touched, and not in the form that ours takes. A failure that says "gone" is
# good news. What is another driver's fault is right, so that it is no fault of the text.
# RUN: %if pocl %{ %pocl %python %s pocl \
# RUN:   | FileCheck %s --implicit-check-not=gone: --implicit-check-not=bad: %}
# RUN: %if intel %{ %intel %python %s intel \
# RUN:   | FileCheck %s --implicit-check-not=gone: --implicit-check-not=bad: %}
# RUN: %if pocl %{ not %pocl %python %s pocl mended | FileCheck %s --check-prefix=GONE %}
# RUN: %if ptxas %{ %python %root/test/gpu/faults.py assemble %ptxas \
# RUN:   | FileCheck %s --check-prefix=PTX --implicit-check-not=bad: %}
# CHECK: still there:
# CHECK: {{[1-9][0-9]*}} faults, as listed
# GONE: gone: abs is never negative{{.*}}: ocl_abs in opencl/ocl_helper.c
# GONE: gone: rounding of a NaN
# GONE: 0 faults
# PTX: {{[1-9][0-9]*}} faults in PTX
"""faults.py DRIVER [mended]: mended: ours in place of the raw text, so that all is gone."""

import collections
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import clrun

LEAST16, LEAST32 = -32768, -2**31
SHORTS = [[LEAST16], [LEAST16 + 1], [-278], [-1], [0], [1], [279], [32767]]
FLOATS = [[np.nan], [1.0], [0.0], [-2.0], [5.0]]
OPENCL = "opencl/ocl_helper.c"
UNTOUCHED = 77
RIGHT, WRONG, REFUSED = range(3)

# whose fault it is, what is wrong, what may go with it; x: type and values, a row for each
# work-item; r: type and, of x, what is right; the kernel's text between its braces, where x and r
# point to what one work-item reads and writes, and as ours writes it (None: no way is right). A
# text that begins with "define:" is LLVM IR, of which LLVM makes SPIR-V as it stands; there x and r
# are one value each.
Fault = collections.namedtuple("Fault", "whose what goes x_type x r_type right wrong mended")


class Refused(Exception):
    """The driver does not build the text."""


def columns(*values):
    return np.concatenate(values, axis=1)


def clipped(x):
    n = -x  # of 16 bits, which wraps
    return columns((n > 0) + 2*(n >= 0) + 4*(n < 1), np.clip(n.astype("i8"), -278, 278), n >> 3)


def divided(x):
    m = np.maximum(x, -1).astype("i8")
    return np.where(m == 0, 0, 1 // np.where(m == 0, 1, m))


def not_positive(x):
    return columns(-32768 >= abs(x), abs(x) < 0)


def in_order(x):
    return np.add.accumulate(x[:, 1:], axis=1, dtype=x.dtype)[:, -1:]


def least_with_zero(x):
    return np.where(x*-3 < 0, x*-3, np.float32(0))


CLIPPED = ("r[0] = (n > 0) + 2*(n >= 0) + 4*(n < 1); r[1] = min(max((long)n, -278L), 278L); "
           "r[2] = (int)n >> 3;")
DIVIDED = ("int d = m, s = d == 0 || d == -1 ? 1 : d; "
           "int q = (int)((uint)(1 / s) - (uint)(1 % s != 0 && ((1 % s) ^ s) < 0)); "
           "r[0] = (short)(d == 0 ? 0 : d == -1 ? (int)-((uint)q) : q);")
PRIVATE = ("define: %v = alloca [4 x i32]\n %p1 = getelementptr i32, ptr %v, i64 1\n"
           "%p2 = getelementptr i32, ptr %v, i64 2\n %p3 = getelementptr i32, ptr %v, i64 3\n"
           "store i32 0, ptr %v\n store i32 0, ptr %p1\n store i32 0, ptr %p2\n"
           "store i32 0, ptr %p3\n"
           "%k = and i64 %i, 3\n %q = getelementptr i32, ptr %v, i64 %k\n %l = load i32, ptr %q\n"
           "store i32 %l, P %r")
# one row, and so one work-item, of which no vectors are made: of its loop's rounds they are
TERMS = [[16.0] + [1e8, 1.0, -1e8, 3.0]*4]
SUM = ("int n = x[0]; float s = 0;\n for (int t = 1; t <= n; t++) s += x[t];\n r[0] = s;")
SUM_IN_SPIRV = (
    "define: %many = load float, P %x\n %n = fptosi float %many to i64\n br label %loop\n"
    "loop:\n %t = phi i64 [0, %0], [%u, %loop]\n %s = phi float [0.0, %0], [%sum, %loop]\n"
    "%u = add i64 %t, 1\n %a = getelementptr float, P %x, i64 %u\n %v = load float, P %a\n"
    "%sum = fadd float %s, %v\n %more = icmp ult i64 %u, %n\n"
    "br i1 %more, label %loop, label %end\nend:\n store float %sum, P %r")

FAULTS = [
    Fault("pocl", "abs is never negative, even of the least number (PoCL 3 and 5)",
          f"ocl_abs in {OPENCL}, where NVIDIA's is gone too,", "i4", [[LEAST32], [-5], [7]], "i4",
          lambda x: abs(x) < 0, "int m = abs(x[0]); r[0] = m < 0;",
          "int s = x[0] >> 31, m = (int)(((uint)x[0] ^ (uint)s) - (uint)s); r[0] = m < 0;"),
    Fault("pocl", "rounding of a NaN that the compiler sees is undefined (PoCL 3 and 5)",
          f"ocl_rounding in {OPENCL}", "f4", [[1.0]], "f4", lambda x: x*np.nan,
          "r[0] = floor(NAN);", "r[0] = isnan(NAN) ? NAN : floor(NAN);"),
    Fault("intel-avx512", "a NaN becomes the largest uint32 (2026.2, on CPUs with AVX-512)",
          f"ocl_to_int in {OPENCL}", "f4", FLOATS, "u4", lambda x: np.where(x >= 0, x, 0),
          "r[0] = convert_uint_sat_rtz(x[0]);",
          "r[0] = isnan(x[0]) ? 0 : convert_uint_sat_rtz(x[0]);"),
    Fault("intel-avx512", "a NaN becomes the largest uint32 in SPIR-V (2026.2, with AVX-512)",
          "zero_if_nan in codegen/gen_convert.c", "f4", FLOATS, "u4",
          lambda x: np.where(x >= 0, x, 0),
          "define: %v = load float, P %x\n %m = call i32 @llvm.fptoui.sat.i32.f32(float %v)\n"
          "store i32 %m, P %r",
          "define: %v = load float, P %x\n %m = call i32 @llvm.fptoui.sat.i32.f32(float %v)\n"
          "%n = fcmp uno float %v, %v\n %s = select i1 %n, i32 0, i32 %m\n store i32 %s, P %r"),
    Fault("intel", "-x >> 31 of the least int32 is 0 (2026.2)", "its line in lib/README.md",
          "i4", [[LEAST32], [5]], "i4", lambda x: columns(-x >> 31, -x >> 30),
          "int m = (int)-(uint)x[0]; r[0] = m >> 31; r[1] = m >> 30;", None),
    Fault("intel", "-x >> 15 of the least int16 is 0 in SPIR-V (2026.2)",
          "its line in lib/README.md", "i2", SHORTS, "i2", lambda x: -x >> 15,
          "define: %v = load i16, P %x\n %m = sub i16 0, %v\n %s = ashr i16 %m, 15\n"
          "store i16 %s, P %r", None),
    Fault("intel", "-x >> 31 of the least int32 is 0 in SPIR-V (2026.2)",
          "its line in lib/README.md", "i4", [[LEAST32], [5]], "i4", lambda x: -x >> 31,
          "define: %v = load i32, P %x\n %m = sub i32 0, %v\n %s = ashr i32 %m, 31\n"
          "store i32 %s, P %r", None),
    Fault("intel", "a maximum of a maximum with the same constant is the inner one in SPIR-V (2026.2)",
          "its line in lib/README.md", "f4", FLOATS, "f4", lambda x: np.where(x > 0, x, 0),
          "define: %v = load float, P %x\n %a = fcmp ogt float 0.0, %v\n"
          "%t = select i1 %a, float 0.0, float %v\n %b = fcmp ogt float %t, 0.0\n"
          "%m = select i1 %b, float %t, float 0.0\n store float %m, P %r", None),
    Fault("intel", "the vectorizer mixes up work-items' private arrays in SPIR-V (2026.2)",
          "keep_private in target/spirv.c, mixes_arrays in runtime/device", "i4", [[0]]*64, "i4",
          lambda x: x, PRIVATE, PRIVATE.replace("load i32, ptr %q", "load volatile i32, ptr %q")),
    Fault("intel", "the vectorizer takes a loop's sum in an order of its own (2026.2)",
          "ocl_keep_order in opencl/ocl_loop.c, reorders_sums in runtime/device", "f4", TERMS, "f4",
          in_order, SUM, SUM.replace("for", "#pragma clang loop vectorize(disable)\nfor")),
    Fault("intel", "the vectorizer takes a loop's sum in an order of its own in SPIR-V (2026.2)",
          "keep_order in target/spirv.c, reorders_sums in runtime/device", "f4", TERMS, "f4",
          in_order, SUM_IN_SPIRV, SUM_IN_SPIRV.replace(
              "fadd float %s, %v", "call float @llvm.fma.f32(float %s, float 1.0, float %v)")),
    Fault("nvidia", "-32768 negated and narrowed to 16 bits is 32768 in what follows (580.159)",
          f"ocl_narrowed in {OPENCL}, for int16", "i2", SHORTS, "i8", clipped,
          "short n = (short)((int)-((uint)x[0])); " + CLIPPED,
          'int w = (int)-((uint)x[0]); asm("" : "+r"(w)); short n = (short)w; ' + CLIPPED),
    Fault("nvidia", "fdim of a NaN that the compiler sees is 0 (580.159)",
          f"ocl_difference in {OPENCL}", "f4", [[1.0], [-3.0]], "f4", lambda x: x*np.nan,
          "float v = 0.0f - NAN; r[0] = fdim(v, v);",
          'float v = 0.0f - NAN, a = v, b = v; asm("" : "+f"(a), "+f"(b)); '
          "r[0] = a <= b ? 0 : a - b;"),
    Fault("nvidia", "abs is never negative, even of the least number (580.159)",
          f"what ocl_abs in {OPENCL} hides", "i2", SHORTS, "i8", not_positive,
          "short m = (short)abs(x[0]); r[0] = -32768 >= m; r[1] = m < 0;",
          'int s = (int)(x[0] >> 31); asm("" : "+r"(s)); '
          "short m = (short)(((uint)x[0] ^ (uint)s) - (uint)s); r[0] = -32768 >= m; r[1] = m < 0;"),
    Fault("nvidia", "|x| > -1 is true even of a NaN (580.159)", f"ocl_fabs in {OPENCL}",
          "f4", FLOATS, "i8", lambda x: columns(abs(x) > -1, abs(x) >= -22),
          "r[0] = fabs(x[0]) > -1.0f; r[1] = fabs(x[0]) >= -22.0f;",
          "float m = as_float(as_uint(x[0]) & 0x7fffffff); r[0] = m > -1.0f; r[1] = m >= -22.0f;"),
    Fault("nvidia", "x*x > -1 is true even of a NaN (580.159)",
          f"ocl_order of floats and ocl_has_ranges in {OPENCL}", "f4", FLOATS, "i4",
          lambda x: x*x > -1, "r[0] = x[0]*x[0] > -1.0f;",
          "float m = x[0]*x[0], l = -1.0f; int b; "
          'asm("{ .reg .pred p; setp.leu.f32 p, %1, %2; selp.b32 %0, 0, 1, p; }" '
          ': "=r"(b) : "f"(m), "f"(l)); r[0] = b;'),
    Fault("nvidia", "a maximum and a comparison of 16 bits become one of two halves (580.159)",
          f"narrow_order in {OPENCL}", "i2", SHORTS, "i8", divided,
          "short m = max((short)-1, x[0]); " + DIVIDED,
          'int a = -1, b = x[0]; asm("" : "+r"(a), "+r"(b)); short m = b > a ? x[0] : -1; '
          + DIVIDED),
    Fault("nvidia", "a minimum of 1.0f and a NaN becomes 0.0f where its maximum with 0.0f is taken",
          f"max_of_zero in {OPENCL}", "f4", FLOATS, "f4",
          lambda x: np.where(np.isnan(x), 1, np.clip(x, 0, 1)),
          "float m = x[0] < 1.0f ? x[0] : 1.0f; r[0] = m > 0.0f ? m : 0.0f;",
          'float a = 1.0f, b = x[0]; asm("" : "+f"(a), "+f"(b)); float m = b < a ? b : a, z = 0.0f; '
          'asm("" : "+f"(z), "+f"(m)); r[0] = !(z >= m) && m == m ? m : z;'),
    Fault("nvidia", "a minimum with a constant zero loses its sign (580.159)",
          f"what ocl_min_max in {OPENCL} hides", "f4", [[0.0], [-0.0], [1.0], [-1.0]], "f4",
          least_with_zero, "float a = 0.0f, b = x[0]*-3.0f; r[0] = b < a ? b : a;",
          'float a = 0.0f, b = x[0]*-3.0f; asm("" : "+f"(a), "+f"(b)); r[0] = b < a ? b : a;'),
]
NAMES = {"i2": "short", "u2": "ushort", "i4": "int", "u4": "uint", "i8": "long", "f4": "float"}


def opencl_c(fault, body, x, r):
    return (f"kernel void k(global const {NAMES[fault.x_type]} *x, "
            f"global {NAMES[fault.r_type]} *r)\n{{\n"
            f"    x += get_global_id(0)*{x.shape[1]};\n    r += get_global_id(0)*{r.shape[1]};\n"
            f"    {body}\n}}\n")


def spirv(body):
    text = """declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.fptoui.sat.i32.f32(float)
declare float @llvm.fma.f32(float, float, float)
define spir_kernel void @k(P %xs, P %rs) {
%i = call spir_func i64 @_Z13get_global_idj(i32 0)
%x = getelementptr i32, P %xs, i64 %i
%r = getelementptr i32, P %rs, i64 %i
""" + body.removeprefix("define:") + "\nret void\n}\n"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.spv")
        llc = [shutil.which("llc") or "llc-22", "-O0", "-mtriple=spirv64v1.2-unknown-unknown"]
        subprocess.run([*llc, "-filetype=obj", "-o", path, "-"], check=True,
                       input=text.replace("P ", "ptr addrspace(1) ").encode())
        with open(path, "rb") as file:
            return file.read()


def arrays(fault):
    """What a kernel reads, what it writes over, and what that should become."""
    x = np.array(fault.x, fault.x_type)
    with np.errstate(all="ignore"):
        right = np.ascontiguousarray(fault.right(x)).astype(fault.r_type)
    return x, np.full_like(right, UNTOUCHED), right


def is_right(fault, run):
    x, r, right = arrays(fault)
    run(x, r)
    if r.dtype.kind != "f":
        return bool(np.all(r == right))
    both_nan = np.isnan(r) & np.isnan(right)
    return bool(np.all((r == right) & (np.signbit(r) == np.signbit(right)) | both_nan))


def opencl(vendor):
    def run(fault, body):
        def launch(x, r):
            text = spirv(body) if body.startswith("define:") else opencl_c(fault, body, x, r)
            device = clrun.Device(vendor)
            try:
                program = device.build(text)
            except RuntimeError as problem:
                raise Refused from problem
            program.run("k", [x, r], (len(x),))
        return is_right(fault, launch)
    return run


def in_child(run, fault, body):
    """run in a process of its own, which the driver may end: that is not right either."""
    child = os.fork()
    if not child:
        code = WRONG
        try:
            code = RIGHT if run(fault, body) else WRONG
        except Refused as problem:
            print(problem.__cause__, file=sys.stderr, flush=True)
            code = REFUSED
        except Exception as problem:
            print(repr(problem), file=sys.stderr, flush=True)
        os._exit(code)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == REFUSED:
        sys.exit(f"bad: the driver refuses the text: {fault.what}")
    return status == RIGHT


def go_through(rows, drivers, run, how):
    """Prints how each fault of these drivers stands; true if not as listed."""
    there = failures = 0
    for fault in rows:
        if fault.whose not in drivers:
            continue
        if fault.mended and not in_child(run, fault, fault.mended):
            failures += 1
            print(f"bad: it does not help any more, or the text is bad: {fault.what}", flush=True)
        elif in_child(run, fault, fault.mended if how and fault.mended else fault.wrong):
            failures += 1
            print(f"gone: {fault.what}: {fault.goes} may go", flush=True)
        else:
            there += 1
            print(f"still there: {fault.what}", flush=True)
    print(f"{there} faults{', as listed' if not failures else ''}", flush=True)
    return failures != 0


def check_others(rows, drivers, run):
    """Other drivers' faults are not these drivers' too; true if one is."""
    bad = [f.what for f in rows if f.whose not in drivers and not f.wrong.startswith("define:")
           and not in_child(run, f, f.wrong)]
    for what in bad:
        print(f"bad: another driver has it too, or the text is bad: {what}", flush=True)
    return bool(bad)


def has_avx512():
    with open("/proc/cpuinfo", encoding="ascii") as file:
        return "avx512f" in file.read().split()


def main(driver, how=""):
    drivers = {driver} | ({"intel-avx512"} if driver == "intel" and has_avx512() else set())
    run = opencl({"pocl": "portable"}.get(driver, driver))
    failed = go_through(FAULTS, drivers, run, how)
    return failed if how else failed | check_others(FAULTS, drivers, run)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
