/*
 * Diagnostics: what the library has to say about a source, an IR text or a launch.
 *
 * The library never prints. It collects diagnostics during a call and hands them, in order, to the
 * context's sink on the calling thread before that call returns. cpl_diag_render makes the text
 * that cplc shows:
 *
 *     wave.py:3:12: error: undefined name 'amplitud'
 *         y[i] = amplitud*sin(x[i])
 *                ^~~~~~~~
 *     hint: did you mean 'amplitude'?
 */
#ifndef CPL_DIAG_H
#define CPL_DIAG_H

#include "cpl/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cpl_severity { CPL_NOTE = 0, CPL_WARNING = 1, CPL_ERROR = 2 } cpl_severity;

typedef struct cpl_diag {
    size_t size; /* sizeof(cpl_diag) of the library that made it */
    cpl_severity severity;
    /* of an error, what the call returns for it; CPL_OK for notes and warnings */
    cpl_status status;
    const char *message; /* one sentence without a full stop or newline; never NULL */
    const char *hint;    /* how to mend it, or NULL */
    const char *file;    /* name of the source as it was given, or NULL when no place is known */
    uint32_t line;       /* 1-based; 0 when no place is known */
    uint32_t column;     /* 1-based, in bytes */
    /* bytes that the place spans on that line, at least 1 when a place is known */
    uint32_t length;
    const char *text;     /* the source line without its newline, not NUL-terminated, or NULL */
    uint32_t text_length; /* bytes in text */
    const struct cpl_diag *notes; /* further places that explain this one */
    size_t note_count;
} cpl_diag;

/*
 * Receives one diagnostic. The diagnostic and all it points at live until the sink returns. Runs on
 * the thread that made the call, with no lock of the library held; it must not call into the same
 * context.
 */
typedef void (*cpl_diag_sink)(void *user, const cpl_diag *diag);

/*
 * Writes a diagnostic as text (lines as above, notes indented alike) into buffer. Texts of a
 * cpl_diag are as they came; here bytes that would steer a terminal, or are no UTF-8, are shown as
 * \x1b, of a long line 160 columns around the place, of other texts 8 KiB. Writes at most size
 * bytes with the terminating NUL. Returns the length of the whole text without the NUL, as snprintf
 * does; buffer may be NULL when size is 0. Any thread.
 */
CPL_API size_t cpl_diag_render(const cpl_diag *diag, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
