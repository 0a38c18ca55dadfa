/* What nvptx.c does to a module and to its PTX, in files of its own. */
#ifndef CPL_NVPTX_JOB_H
#define CPL_NVPTX_JOB_H

#include "lib/target/job.h"

/* nvptx_extern.c: a module's PTX with the texts of what it calls. */
bool nvptx_has_texts(const ir_module *m);
void nvptx_add_texts(strbuf *out, const char *ptx, const ir_module *m);
/* nvptx_mend.c, nvptx_text.c: an after_passes for CUDA, which never fails, and a put_text. */
bool nvptx_mend(tgt_job *j);
void nvptx_mend_text(strbuf *out, const char *text, size_t size);
/* nvptx_const.c: the last thing that nvptx_mend does. */
void nvptx_place_numbers(tgt_job *j);

#endif
