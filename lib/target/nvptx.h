/* Targets of CUDA. */
#ifndef CPL_NVPTX_H
#define CPL_NVPTX_H

#include "lib/target/target.h"

/*
 * nvptx.c: LLVM text or PTX for options->target, as host_emit. LLVM's target is initialised with
 * the first call. The kernel's symbol is gen_symbol of its name.
 */
bool nvptx_emit(compilation *c, ir_module *m, const tgt_options *options, tgt_stage stage,
                strbuf *out, tgt_times *times);
/* What PTX depends on beside device_identity's, as text: the mathematics that is linked to it. */
void nvptx_identity(strbuf *out);
bool nvptx_has_libdevice(void);

#endif
