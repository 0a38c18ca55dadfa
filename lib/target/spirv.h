/* Targets of OpenCL that take SPIR-V. */
#ifndef CPL_SPIRV_H
#define CPL_SPIRV_H

#include "lib/target/target.h"

/* spirv.c: LLVM text or SPIR-V, in words or bytes, for options->target, as nvptx_emit. */
bool spirv_emit(compilation *c, ir_module *m, const tgt_options *options, tgt_stage stage,
                strbuf *out, tgt_times *times);

#endif
