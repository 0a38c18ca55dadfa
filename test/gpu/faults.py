"""What NVIDIA's compilers get wrong, as lib/README.md lists it, on a machine with their GPU.

    faults.py [opencl|cuda]         each fault is still there in raw text, and not as ours writes it
    faults.py mended [opencl|cuda]  the same with ours in place of the raw text: all is "gone"
    faults.py assemble PTXAS        no GPU: whether ptxas takes the PTX of both

A failure that says "gone" is good news. The texts in OpenCL C are those of test/device/faults.py;
what is here is PTX, for the driver's compiler. The rows are as there."""

import ctypes
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "device"))
import faults
from faults import LEAST16, LEAST32, Fault

TEXT = "target/nvptx_text.c"
NUMBERS = [[np.nan], [1.0], [0.0], [-2.0], [5.0]]


def widened(op, first, second, out):
    """A minimum, maximum or negation of 16 bits as ours computes it, on 32."""
    sign, put = op[4], f"cvt.{op[4]}32.{op[4]}16 %r1, {first};"
    if second is None:
        return f"{put} neg.s32 %r1, %r1; cvt.u16.u32 {out}, %r1;"
    return f"{put} mov.b32 %r2, {second}; {op[:3]}.{sign}32 %r1, %r1, %r2; cvt.u16.u32 {out}, %r1;"


# A loop that counts down, past its type's least number, to one close to the largest.
FAR_END = ("ld.global.b64 %d1, [%x]; add.s64 %d2, %d1, 9223372036854775806;\n"
           "FAR: st.global.b64 [%y], %d1; add.s64 %d2, %d2, -1; add.s64 %y, %y, 8;\n"
           "setp.ne.b64 %p1, %d2, 9223372036854775806;\n@%p1 bra FAR;")


def rounds(x):
    return np.where(np.arange(64) < x, x, faults.UNTOUCHED)


NARROW = ("ld.global.s16 %h1, [%x]; cvt.u32.u16 %r3, %h1; and.b32 %r3, %r3, 7; mov.b16 %h2, 127; "
          "shl.b16 %h2, %h2, %r3; cvt.s16.s8 %h2, %h2;\n")
NARROW_END = ("setp.eq.b16 %p1, %h3, 0; setp.eq.b16 %p2, %h4, 1; setp.eq.b16 %p3, %h5, -1;\n"
              "selp.b64 %d1, 1, 0, %p1; selp.b64 %d2, 1, 0, %p2; selp.b64 %d3, 1, 0, %p3;\n"
              "st.global.b64 [%y], %d1; st.global.b64 [%y+8], %d2; st.global.b64 [%y+16], %d3;")


def narrow(x):
    shifted = (127 << (x.astype("u2") & 7).astype("i4")).astype("i1")
    unsigned = x.astype("u2")
    return np.concatenate([shifted <= 0, unsigned <= 1, x <= -1], axis=1)


RANGES = ("ld.global.b32 %r1, [%x]; abs.f32 %r2, %r1; mul.rn.f32 %r3, %r1, %r1; "
          "ex2.approx.f32 %r4, %r1; sin.approx.f32 %r5, %r1;\n")
RANGES_END = "\n".join(f"selp.b64 %d{k}, 1, 0, %p{k}; st.global.b64 [%y+{8*k - 8}], %d{k};"
                       for k in range(1, 5))
MAGNITUDE = "shr.s32 %r3, %r1, 31; xor.b32 %r2, %r1, %r3; sub.s32 %r2, %r2, %r3;"
SIGN_END = ("cvt.s64.s32 %d1, %r2; setp.lt.s32 %p1, %r2, 0; selp.b64 %d2, 1, 0, %p1; "
            "st.global.b64 [%y], %d1; st.global.b64 [%y+8], %d2;")
FROM_ZERO = "ld.global.s16 %h1, [%x]; xor.b16 %h2, %h1, %h1; "
FROM_ZERO_END = ("cvt.s32.s16 %r3, %h3; max.s32 %r3, %r3, 0; cvt.u64.u32 %d1, %r3; "
                 "st.global.b64 [%y], %d1;")
NEGATED = "ld.global.s16 %h1, [%x]; shl.b16 %h2, %h1, 8; "
NEGATED_END = ("shr.s16 %h4, %h3, 8; not.b16 %h5, %h4; cvt.rn.f64.u16 %d1, %h5; "
               "st.global.b64 [%y], %d1;")
# It takes two branches for the compiler to make one selection of it.
TRUTH = ("ld.global.b32 %r1, [%x]; mov.b32 %r3, 0; setp.eq.s32 %p2, %r1, 0; @%p2 bra ONE;\n"
         "ld.global.b32 %r3, [%x+4];\nONE: setp.ne.b32 %p3, %r3, 0; @%p3 bra TWO;\n"
         "ld.global.b32 %r3, [%x+8];\nTWO: st.global.b32 [%x], %r3;\n"
         "setp.gt.s32 %p1, %r1, 1; selp.b32 %r2, 1, 0, %p1; cvt.rn.f64.u32 %d1, %r2;\n")

# Here it takes two ways to what one half of the truth value is about.
BOTH = ("ld.global.b64 %d1, [%x]; ld.global.b64 %d2, [%x+8]; setp.ne.b64 %p1, %d2, 0;\n"
        "@%p1 bra SEVEN;\nadd.s64 %d3, %d1, 5; bra.uni ON;\nSEVEN: add.s64 %d3, %d2, 7;\n"
        "ON: setp.ne.b64 %p2, %d1, 0; setp.lt.s64 %p3, %d3, 0; and.pred %p4, %p2, %p3;\n")
BOTH_END = "cvt.u64.u32 %d4, %r2; st.global.b64 [%y], %d4;"


def both(x):
    a, b = x[:, :1], x[:, 1:]
    return np.where((a != 0) & (np.where(b != 0, b + 7, a + 5) < 0), 0x3f800000, 0)


# Here it takes a truth value that the rounds of a loop hand on.
HANDED_ON = ("ld.global.b32 %r1, [%x]; ld.global.b32 %r2, [%x+4]; ld.global.b32 %r3, [%x+8];\n"
             "setp.ne.b32 %p1, %r1, 0; selp.b16 %h1, 1, 0, %p1; mov.b16 %h2, %h1;\n"
             "ROUND: and.b16 %h3, %h2, 255; setp.eq.b16 %p2, %h3, 0; setp.eq.b32 %p3, %r2, 0; "
             "and.pred %p4, %p2, %p3;\n")
HANDED_ON_END = ("cvt.f64.f16 %d1, %h4; st.global.b64 [%y], %d1; add.s32 %r3, %r3, -1;\n"
                 "setp.gt.s32 %p5, %r3, 0; mov.b16 %h2, %h1; @%p5 bra ROUND;")
TRUE_TWICE = ("ld.global.b32 %r1, [%x]; setp.gt.s32 %p1, %r1, 0; mov.b32 %r2, 0f3F800000; "
              "@%p1 bra ON;\n")
TRUE_TWICE_END = "\nON: st.global.b32 [%y], %r2;"

HIGH_HALF = "ld.global.b32 %r1, [%x]; ld.global.b32 %r2, [%x+4]; and.b32 %r1, %r1, 255; "
HIGH_HALF_END = ("cvt.u64.u32 %d1, %r3; cvt.u64.u32 %d2, %r2; sub.s64 %d3, %d1, %d2; "
                 "st.global.b64 [%y], %d3;")
LEAST_OF_ONE = "ld.global.b32 %r1, [%x]; min.f32 %r2, %r1, 0f3F800000; "
LEAST_END = "selp.f32 %r3, %r2, 0f00000000, %p1; st.global.b32 [%y], %r3;"

# The quotient of two float16 as libdevice has it, in a branch that does nothing else.
PAST = ("ld.global.b64 %d1, [%x]; setp.ne.b64 %p2, %d1, 0; ld.global.b16 %h1, [%x+8]; "
        "setp.lt.s16 %p3, %h1, 0; and.pred %p4, %p2, %p3; @%p4 bra SET;\n")
PAST_NEXT = ("max.s64 %d3, %d1, -65535; min.s64 %d4, %d3, 65535; cvt.rn.f32.s64 %r3, %d4; "
             "cvt.rn.f16.f32 %h2, %r3; cvt.f32.f16 %r1, %h2; abs.f32 %r4, %r1; "
             "setp.num.f32 %p5, %r4, %r4; @%p5 bra NUMBER; bra.uni NAN; "
             "NUMBER: setp.gt.s64 %p6, %d1, 28584; "
             "selp.b32 %r5, 1189036033, 1189036032, %p6; setp.lt.s64 %p7, %d1, 28568; "
             "selp.b32 %r6, -1, 0, %p7; add.s32 %r20, %r5, %r6; "
             "NEAR: cvt.rn.f16.f32 %h3, %r20; cvt.f32.f16 %r7, %h3; abs.f32 %r2, %r7; "
             "setp.gtu.f32 %p8, %r2, 0f00000000; not.pred %p8, %p8; @%p8 bra DONE;\n")
PAST_LOOP = ("and.b32 %r10, %r2, -8388608; mov.b32 %r9, 1065353216; "
             "rcp.approx.ftz.f32 %r8, %r9; add.s32 %r22, %r10, 192937984; "
             "setp.eq.b32 %p9, %r22, 0; @%p9 bra DONE; and.b32 %r11, %r2, 8388607; "
             "or.b32 %r21, %r11, 1065353216; STEP: min.u32 %r12, %r22, 192937984; "
             "add.s32 %r13, %r21, %r12; mul.rn.f32 %r14, %r8, %r13; "
             "sub.rn.f32 %r15, %r13, %r14; fma.rn.f32 %r16, %r15, %r8, %r14; "
             "sub.rn.f32 %r17, %r13, %r16; fma.rz.f32 %r18, %r17, %r8, %r16; "
             "cvt.rzi.f32.f32 %r19, %r18; sub.rn.f32 %r21, %r13, %r19; "
             "sub.s32 %r22, %r22, %r12; setp.ne.b32 %p10, %r22, 0; "
             "setp.ne.b32 %p11, %r21, 0; and.pred %p12, %p10, %p11; @%p12 bra STEP;\n")
PAST_END = ("bra.uni DONE;\nSET: mov.b64 %d2, 1; st.global.b64 [%y], %d2;\nDONE: ret;\n"
            "NAN: add.rn.f32 %r20, %r1, 0f46DF4000; bra.uni NEAR;")


def past(x):
    return np.where((x[:, :1] != 0) & (x[:, 1:] < 0), 1, faults.UNTOUCHED)


FAULTS = [
    Fault("cuda", "abs.s32 of the least number is positive in what follows (580.159; not ptxas)",
          "absolute in target/nvptx_mend.c", "i4", [[LEAST32], [-5], [7]], "i8",
          lambda x: np.concatenate([abs(x), abs(x) < 0], axis=1),
          "ld.global.b32 %r1, [%x]; abs.s32 %r2, %r1; " + SIGN_END,
          "ld.global.b32 %r1, [%x]; " + MAGNITUDE + SIGN_END),
    Fault("cuda", "abs.s16 of the least number is positive in what follows (580.159; not ptxas)",
          "absolute_of_narrow in target/nvptx_mend.c", "i2", [[LEAST16], [-5], [7]], "i8",
          lambda x: np.concatenate([abs(x), abs(x) < 0], axis=1),
          "ld.global.s16 %h1, [%x]; abs.s16 %h2, %h1; cvt.s32.s16 %r2, %h2; " + SIGN_END,
          "ld.global.s16 %h1, [%x]; cvt.s32.s16 %r1, %h1; " + MAGNITUDE
          + "cvt.u16.u32 %h2, %r2; cvt.s32.s16 %r2, %h2; " + SIGN_END),
    Fault("cuda", "min and max of 16 bits and a comparison become one of two halves (sm_90 on)",
          f"put_narrow in {TEXT}, for min and max", "i2", faults.SHORTS, "i8", narrow,
          NARROW + "max.s16 %h3, %h2, 0; max.u16 %h4, %h1, 1; max.s16 %h5, %h1, -1;\n" + NARROW_END,
          NARROW + widened("max.s16", "%h2", 0, "%h3") + widened("max.u16", "%h1", 1, "%h4")
          + widened("max.s16", "%h1", -1, "%h5") + "\n" + NARROW_END),
    Fault("cuda", "neg.s16 of -32768 is 32768 in what follows",
          f"put_narrow in {TEXT}, for neg", "i2", [[128], [1], [-1], [127]], "f8",
          lambda x: (~(-(x << 8).astype("i2") >> 8)).astype("u2"),
          NEGATED + "neg.s16 %h3, %h2; " + NEGATED_END,
          NEGATED + widened("neg.s16", "%h2", None, "%h3") + NEGATED_END),
    Fault("cuda", "sub.s16 of -32768 from what is found to be 0 is 32768 in what follows",
          f"put_narrow in {TEXT}, for sub", "i2", [[LEAST16], [-5], [7]], "i8",
          lambda x: np.maximum(-x, 0),
          FROM_ZERO + "sub.s16 %h3, %h2, %h1; " + FROM_ZERO_END,
          FROM_ZERO + "cvt.s32.s16 %r1, %h2; cvt.s32.s16 %r2, %h1; sub.s32 %r1, %r1, %r2; "
          "cvt.u16.u32 %h3, %r1; " + FROM_ZERO_END),
    Fault("cuda", "max(max(x, -y), z) of int32 forgets the sign of y (sm_90 on)",
          f"put_negation in {TEXT}", "i4", [[1, 5, -9], [1, -5, -9], [-7, 6, -8]], "i4",
          lambda x: np.maximum(np.maximum(x[:, :1], -x[:, 1:2]), x[:, 2:]),
          "ld.global.b32 %r1, [%x]; ld.global.b32 %r2, [%x+4]; ld.global.b32 %r3, [%x+8]; "
          "neg.s32 %r4, %r2; "
          "max.s32 %r5, %r1, %r4; max.s32 %r6, %r5, %r3; st.global.b32 [%y], %r6;",
          "ld.global.b32 %r1, [%x]; ld.global.b32 %r2, [%x+4]; ld.global.b32 %r3, [%x+8]; "
          "add.s32 %r4, %r2, -1; not.b32 %r4, %r4; "
          "max.s32 %r5, %r1, %r4; max.s32 %r6, %r5, %r3; st.global.b32 [%y], %r6;"),
    Fault("cuda", "a choice of -1.0f and -0.0f becomes a conversion of an int",
          f"put_selection in {TEXT}", "i4", [[-3], [0], [4]], "f4",
          lambda x: np.where(x < 0, -1.0, -0.0),
          "ld.global.b32 %r1, [%x]; setp.lt.s32 %p1, %r1, 0; "
          "selp.f32 %r2, 0fBF800000, 0f80000000, %p1; st.global.b32 [%y], %r2;",
          "ld.global.b32 %r1, [%x]; setp.lt.s32 %p1, %r1, 0; "
          "selp.b32 %r2, 0xBF800000, 0x80000000, %p1; st.global.b32 [%y], %r2;"),
    Fault("cuda", "|x| of what is -0.0f or positive is x",
          f"put_selection in {TEXT}", "i4", [[2], [0], [4]], "f4",
          lambda x: np.where(x == 2, 0.0, 1.0),
          "ld.global.b32 %r1, [%x]; setp.eq.b32 %p1, %r1, 2; "
          "selp.f32 %r2, 0f80000000, 0f3F800000, %p1; abs.f32 %r3, %r2; st.global.b32 [%y], %r3;",
          "ld.global.b32 %r1, [%x]; setp.eq.b32 %p1, %r1, 2; "
          "selp.b32 %r2, 0x80000000, 0x3F800000, %p1; abs.f32 %r3, %r2; st.global.b32 [%y], %r3;"),
    Fault("cuda", "a comparison with what lies beyond a float's range is true even of a NaN",
          f"put_comparison in {TEXT}", "f4", NUMBERS, "i8",
          lambda x: np.repeat(~np.isnan(x), 4, axis=1),
          RANGES + "setp.gt.f32 %p1, %r2, 0fBF800000; setp.gt.f32 %p2, %r3, 0fBF800000; "
          "setp.gt.f32 %p3, %r4, 0fBF800000; setp.lt.f32 %p4, %r5, 0f40000000;\n" + RANGES_END,
          RANGES + "setp.leu.f32 %p1, %r2, 0fBF800000; setp.leu.f32 %p2, %r3, 0fBF800000; "
          "setp.leu.f32 %p3, %r4, 0fBF800000; setp.geu.f32 %p4, %r5, 0f40000000;\n"
          + "".join(f"not.pred %p{k}, %p{k}; " for k in range(1, 5)) + RANGES_END),
    Fault("cuda", "-x of a truth value made a number is 0.0 where it should be -0.0",
          f"put_opposite in {TEXT}", "i4", [[0, 0, 0], [1, 5, 6], [2, 0, 7]], "f8",
          lambda x: np.where(x[:, :1] > 1, -1.0, -0.0),
          TRUTH + "neg.f64 %d2, %d1; st.global.b64 [%y], %d2;",
          TRUTH + "xor.b64 %d2, %d1, 0x8000000000000000; st.global.b64 [%y], %d2;"),
    Fault("cuda", "a float's low bits, stored as a byte, become those of the float made an integer",
          f"put_store in {TEXT}", "i4", [[0x3f800003], [0x40490fdb], [0x42280000]], "u1",
          lambda x: x & 255,
          "ld.global.b32 %r1, [%x]; max.f32 %r2, %r1, 0fFF800000; st.global.b8 [%y], %r2;",
          "ld.global.b32 %r1, [%x]; max.f32 %r2, %r1, 0fFF800000; mov.b32 %r3, %r2; "
          "st.global.b8 [%y], %r3;"),
    Fault("cuda", "a double's low bits, stored as a word, become those of the double made an integer",
          f"put_store in {TEXT}", "i8", [[0x3ff0000000000003], [0x400921fb54442d18], [3 << 60]],
          "u4", lambda x: x & 0xffffffff,
          "ld.global.b64 %d1, [%x]; max.f64 %d2, %d1, 0dFFF0000000000000; "
          "st.global.b32 [%y], %d2;",
          "ld.global.b64 %d1, [%x]; max.f64 %d2, %d1, 0dFFF0000000000000; cvt.u32.u64 %r1, %d2; "
          "st.global.b32 [%y], %r1;"),
    Fault("cuda", "1.0f and all bits set, which are both taken for true, become 1.0f",
          f"ones in {TEXT}", "i4", [[-3], [0], [4]], "i4",
          lambda x: np.where(x > 0, 0x3f800000, -1),
          TRUE_TWICE + "mov.b32 %r2, -1;" + TRUE_TWICE_END,
          TRUE_TWICE + "prmt.b32 %r2, 0x7FFF, 0, 0;" + TRUE_TWICE_END),
    Fault("cuda", "a truth value's bits, as those of a float16 made a double, become the truth value",
          "shifted_truth in target/nvptx_mend.c", "i4", [[0, 0, 2], [0, 1, 2], [1, 0, 2]], "f8",
          lambda x: np.where((x[:, :1] == 0) & (x[:, 1:2] == 0), 2.0**-24, 0),
          HANDED_ON + "selp.b16 %h4, 1, 0, %p4; " + HANDED_ON_END,
          HANDED_ON + "selp.b16 %h4, 2, 0, %p4; cvt.u32.u16 %r4, %h4; shr.u32 %r4, %r4, 1; "
          "cvt.u16.u32 %h4, %r4; " + HANDED_ON_END),
    Fault("cuda", "a truth value made a float, its bits then widened, stays the truth value (sm_75 on)",
          "chosen in target/nvptx_mend.c", "i8", [[-9, 0], [3, -9], [0, -9], [3, 2]], "i8", both,
          BOTH + "selp.b32 %r1, 1, 0, %p4; cvt.rn.f32.u32 %r2, %r1; " + BOTH_END,
          BOTH + "selp.b32 %r2, 0x3F800000, 0x00000000, %p4; " + BOTH_END),
    Fault("cuda", "a minimum with 1.0f, of a NaN, becomes 0.0f where its maximum with 0.0f is taken",
          "unsaturated in target/nvptx_mend.c", "f4", NUMBERS, "f4",
          lambda x: np.where(np.isnan(x), 1, np.clip(x, 0, 1)),
          LEAST_OF_ONE + "setp.gt.f32 %p1, %r2, 0f00000000; " + LEAST_END,
          LEAST_OF_ONE + "setp.gtu.f32 %p1, %r2, 0f00000000; " + LEAST_END),
    Fault("cuda", "the high half of a product less an uint32, as 64 bits, is -2^32 for 0 - 0",
          f"put_high_half in {TEXT}", "i4", [[0, 0], [9, 0], [9, 5], [255, 85]], "i8",
          lambda x: x[:, :1].astype("i8")//3 - x[:, 1:],
          HIGH_HALF + "mul.hi.u32 %r3, %r1, 1431655766; " + HIGH_HALF_END,
          HIGH_HALF + "mad.hi.u32 %r3, %r1, 1431655766, 0; " + HIGH_HALF_END),
    Fault("cuda", "the limit of an unrolled loop that ends close to its type's limits wraps around",
          f"FAR_END in {TEXT}", "i8", [[61], [62], [63], [64]], "i8", rounds,
          FAR_END, '.pragma "nounroll";\n' + FAR_END),
    Fault("cuda", "the way that a conjunction leads past a loop without results is everybody's",
          "gen_device_declare in codegen/gen_device.c", "i8", [[0, -5], [3, -5], [3, 5], [0, 5]],
          "i8", past, PAST + PAST_NEXT + PAST_LOOP + PAST_END, PAST + PAST_NEXT + PAST_END),
]


def ptx(body, x, r):
    """The kernel whose body is that of a row; a pragma at its beginning is the whole file's."""
    pragma, body = (body.split("\n", 1) if body.startswith(".pragma") else ("", body))
    return f""".version 7.8
.target sm_90
.address_size 64
{pragma}
.visible .entry k(.param .u64 px, .param .u64 py)
{{
.reg .pred %p<13>; .reg .b16 %h<9>; .reg .b32 %r<23>; .reg .b64 %d<9>; .reg .b64 %x, %y;
ld.param.b64 %x, [px]; cvta.to.global.u64 %x, %x;
ld.param.b64 %y, [py]; cvta.to.global.u64 %y, %y;
mov.u32 %r0, %tid.x;
mad.wide.u32 %x, %r0, {x.itemsize*x.shape[1]}, %x;
mad.wide.u32 %y, %r0, {r.itemsize*r.shape[1]}, %y;
{body}
ret;
}}
"""


class Cuda:
    """The driver, and kernels of its first device."""

    def __init__(self):
        self.cu = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self("cuInit", 0)
        self("cuDeviceGet", ctypes.byref(device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxSetCurrent", context)

    def __call__(self, name, *arguments):
        status = getattr(self.cu, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: error {status}")

    def put(self, array):
        at = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(array.nbytes))
        self("cuMemcpyHtoD_v2", at, array.ctypes.data_as(ctypes.c_void_p),
             ctypes.c_size_t(array.nbytes))
        return at

    def run(self, body, x, r):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        try:
            self("cuModuleLoadData", ctypes.byref(module), ptx(body, x, r).encode())
        except RuntimeError as problem:
            raise faults.Refused from problem
        self("cuModuleGetFunction", ctypes.byref(function), module, b"k")
        buffers = [self.put(x), self.put(r)]
        pointers = (ctypes.c_void_p*2)(*(ctypes.addressof(b) for b in buffers))
        self("cuLaunchKernel", function, 1, 1, 1, len(x), 1, 1, 0, None, pointers, None)
        self("cuCtxSynchronize")
        self("cuMemcpyDtoH_v2", r.ctypes.data_as(ctypes.c_void_p), buffers[1],
             ctypes.c_size_t(r.nbytes))


def run_ptx(fault, body):
    return faults.is_right(fault, lambda x, r: Cuda().run(body, x, r))


def assemble(ptxas):
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.ptx")
        for fault in FAULTS:
            x, r, _ = faults.arrays(fault)
            for body in fault.wrong, fault.mended:
                with open(path, "w", encoding="ascii") as file:
                    file.write(ptx(body, x, r))
                result = subprocess.run([ptxas, "-arch", "sm_90", path, "-o", path + ".cubin"],
                                        capture_output=True, text=True)
                if result.returncode:
                    failures += 1
                    print(f"bad: {fault.what}: {result.stdout}{result.stderr}")
    print(f"{len(FAULTS)} faults in PTX")
    return failures != 0


def main(words):
    if words[:1] == ["assemble"]:
        return assemble(words[1])
    how = "mended" if "mended" in words else ""
    failed = False
    if "cuda" in words or "opencl" not in words:
        failed |= faults.go_through(FAULTS, {"cuda"}, run_ptx, how)
    if "opencl" in words or "cuda" not in words:
        failed |= faults.go_through(faults.FAULTS, {"nvidia"}, faults.opencl("nvidia"), how)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
