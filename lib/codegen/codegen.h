/*
 * From typed IR to LLVM IR, through LLVM-C. Requires guarded, outlined IR: no parallel for, no
 * floordiv/floormod/div/rem/shl/shr on integers. For a device: no fork either, entries are kernels,
 * and nothing that passes/legal.def keeps from the target.
 */
#ifndef CPL_CODEGEN_H
#define CPL_CODEGEN_H

#include "lib/codegen/symbol.h"
#include "lib/support/target.h"
#include "lib/ir/ir.h"
#include <llvm-c/Types.h>

/* The attribute of a declared function that a text defines, which is put behind LLVM's work. */
#define GEN_TEXT_MARK "cpl-text"

typedef struct gen_options {
    const tgt_target *target; /* NULL: the host */
    /* CUDA: math functions have libdevice's names, else OpenCL's as libclc has them */
    bool libdevice;
    bool contract, reassoc, vector_math, finite_math;
    /* vectorise independent loops across rounds: 0 never, 1 where it should pay, 2 wherever
     * possible */
    int simd;
    bool fused;      /* the CPU has a fused multiply-add */
    int vector_bits; /* widest vector of the CPU: 128, 256, 512 */
    /* A quotient of float32 takes the CPU longer than an estimate and a step of Newton's, and one
     * of 512 bits as long as two of 256. */
    bool divides_slowly;
    /* Rows of results go to memory past the caches, where loops can; the intrinsic of LLVM that
     * ends that. NULL: they do not. */
    const char *stream_fence;
    /* The CPU's features, as a list, with the one that nothing is loaded by its own instructions
     * for lanes at places of their own. NULL: those of the target machine. */
    const char *no_gathers;
    /* The address of a vector math entry (_ZGVdN4v_sin), NULL when the library at hand lacks it.
     * May be NULL: scalar math only. */
    void *(*vector_symbol)(const char *symbol);
    /*
     * A new metadata node, equal to no other; a NULL operand stands for the node itself. LLVM-C has
     * nothing for it. May be NULL: LLVM is told less about loops then.
     */
    LLVMMetadataRef (*distinct_node)(LLVMContextRef context, LLVMMetadataRef *operands,
                                     unsigned count);
    bool debug_info; /* line info, from the sources that the compilation finds */
    bool loaded;     /* into this process: forks hand on the context's place (support/abi.h) */
} gen_options;

/* all of fast_math */
static inline bool gen_is_fast(const gen_options *o)
{
    return o->contract && o->reassoc && o->vector_math && o->finite_math;
}

/*
 * Translates a verified module into a new LLVM module of `context`, with triple and layout set on
 * it. NULL after errors, in the diags. An entry has external linkage and the symbol that gen_symbol
 * gives it; every other function with a body is internal.
 */
LLVMModuleRef gen_module(compilation *c, ir_module *m, const gen_options *options,
                         LLVMContextRef context, const char *triple, const char *layout);

/* A store that goes past the caches, and whether one does. */
void gen_set_streamed(LLVMValueRef store);
bool gen_is_streamed(LLVMValueRef access);

/* gen_options.vector_bits of CPUs with mask registers, gathers of their own and 32 vector
 * registers: AVX-512. */
enum { GEN_HAS_MASKS = 512 };

/* Vectors of int64 to float64 in place of sitofp, rounded alike, for CPUs that have vectors of 256
 * bits and no instruction for it: LLVM does that lane by lane. */
enum { GEN_CONVERTS_SLOWLY = 256 }; /* gen_options.vector_bits */
LLVMValueRef gen_long_to_double(LLVMBuilderRef b, LLVMValueRef v);

#endif
