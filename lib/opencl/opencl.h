/*
 * From typed IR to OpenCL C, for drivers that take no SPIR-V and for people: kernels keep their
 * names, loops and ifs. Requires what the passes of a device target ensure (grid, atomics, legal):
 * a kernel as entry, guarded integer operations, no parallel loops, no atomics on floats.
 */
#ifndef CPL_OPENCL_H
#define CPL_OPENCL_H

#include "lib/ir/ir.h"
#include "lib/support/target.h"

typedef struct opencl_options {
    tgt_target target; /* of kind TGT_OPENCL_C */
    bool contract;     /* a * b + c may become one operation */
    bool reassoc;      /* sums and products may be taken in another order */
    /* comments that show the source, from the sources that the compilation finds */
    bool lines;
} opencl_options;

/* Appends the program to out. False after errors, in the diags. Changes var->user and
 * func->user. */
bool opencl_print(compilation *c, ir_module *m, const opencl_options *options, strbuf *out);

/* The name that a kernel has in the program: its own, with characters other than [A-Za-z0-9_] as _,
 * unless OpenCL C has it. */
const char *opencl_symbol(arena *a, const char *name);

#endif
