/*
 * What a kernel is compiled for, as passes, printers, driver and runtime see it: a kind, a version
 * and what the devices can do. Spelled "host", "cuda" or "cuda:sm_90", "opencl" or "opencl:spv1.2",
 * "opencl:c1.2"; features follow as ",+name" or ",-name"
 * ("opencl:spv1.2,-fp64"), in any order.
 */
#ifndef CPL_TARGET_TEXT_H
#define CPL_TARGET_TEXT_H

#include "lib/support/support.h"

typedef struct tgt_target {
    enum { TGT_HOST, TGT_CUDA, TGT_SPIRV, TGT_OPENCL_C } kind;
    /* CUDA: of the compute capability, 90 is sm_90; SPIR-V: 12 is 1.2; OpenCL C: 12 is 1.2 */
    int version;
    bool fp64, fp16;    /* arithmetic on these types */
    bool int64_atomics; /* atomics on 64-bit integers and floats */
    bool subgroups;     /* sub-group operations */
    /* OpenCL C: the driver's compiler takes PTX inside, of sm_70 or later; so there are sub-groups,
     * of 32 lanes, and fences beyond a group */
    bool ptx;
    /* SPIR-V: the driver keeps work-items' private arrays apart; without, accesses at an index that
     * may vary are volatile */
    bool private_arrays;
    /* OpenCL: the driver takes sums and products in the order in which a loop does; without, they
     * are written so that it does */
    bool ordered_sums;
    /* float32: quotients and roots are rounded correctly, numbers below 2**-126 are kept */
    bool rounds_division, subnormals;
} tgt_target;

/*
 * target_parse: NULL text is "host". "cuda" alone is sm_75, "opencl" alone SPIR-V 1.2. A target has
 * every feature that its version allows, unless text says otherwise. False, and *out untouched, for
 * anything else.
 */
bool target_parse(const char *text, tgt_target *out);
/* as target_parse reads it; features where they are not the version's own */
void target_print(strbuf *sb, const tgt_target *t);
bool target_equal(const tgt_target *a, const tgt_target *b);
/* What runs it, with which its text begins: "host", "cuda" or "opencl". */
const char *target_platform(const tgt_target *t);
/* What stands for its kind in stage.def and legal.def, and what such a one is called. */
char target_letter(const tgt_target *t);
const char *target_of_letter(char letter);

/* from the IR, as a text, without LLVM */
static inline bool target_is_printed(const tgt_target *t)
{
    return t->kind == TGT_OPENCL_C;
}

static inline bool target_is_spirv(const tgt_target *t)
{
    return t->kind == TGT_SPIRV;
}

static inline bool target_adds_floats(const tgt_target *t) /* atomically */
{
    return t->kind == TGT_CUDA;
}

/* For sure: OpenCL's devices may be CPUs, whose compilers make vectors of work-items and so want
 * the indices of neighbours plain. Sub-groups have 32 lanes, and groups that wait for one that came
 * before them do not keep it from going on. */
static inline bool target_is_gpu(const tgt_target *t)
{
    return t->kind == TGT_CUDA || t->ptx;
}

static inline bool target_is_device(const tgt_target *t)
{
    return t->kind != TGT_HOST;
}

/* Whether a full sub-group has 32 lanes, whatever the device. */
static inline bool target_has_lanes(const tgt_target *t)
{
    return !target_is_device(t) || target_is_gpu(t);
}

#endif
