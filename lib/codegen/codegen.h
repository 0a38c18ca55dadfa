/* From typed IR to LLVM IR, through LLVM-C. Requires guarded, outlined IR: no parallel for, no floordiv/floormod/div/rem/shl/shr on integers. */
#ifndef CPL_CODEGEN_H
#define CPL_CODEGEN_H

#include "lib/ir/ir.h"
#include <llvm-c/Types.h>

typedef struct gen_options {
    bool contract, reassoc, vector_math, finite_math;
    int opt_level;
    const char *cpu, *features; /* of the target machine */
    int vector_bits;            /* widest vector of the CPU: 128, 256, 512; 0: scalar math only */
} gen_options;

/*
 * Translates a verified module into `context`. triple and layout are set on it. NULL after errors, in the diags. The entry has
 * external linkage and its IR name (characters other than [A-Za-z0-9_] as _); everything else is internal.
 */
LLVMModuleRef gen_module(compilation *c, ir_module *m, const gen_options *options, LLVMContextRef context,
                         const char *triple, const char *layout);

#endif
