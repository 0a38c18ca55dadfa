/*
 * Diagnostics: what the library has to say about a source, an IR text or a launch.
 *
 * The library never prints. It collects diagnostics during a call and hands them, in order, to the
 * list that the calling thread has (cpl_diag_list_use), or else to the context's sink, before that
 * call returns; the last error is kept as text for each thread (cpl_last_error). cpl_diag_render
 * makes the text that cplc shows:
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
    size_t size; /* sizeof(cpl_diag) of the library that made it; also between two notes */
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
    const struct cpl_diag *notes; /* further places that explain this one: see cpl_diag_note */
    size_t note_count;
} cpl_diag;

/* A note of a diagnostic from 0, whatever the size of the library's cpl_diag; NULL past the end. */
static inline const cpl_diag *cpl_diag_note(const cpl_diag *diag, size_t index)
{
    if (!diag || index >= diag->note_count) return NULL;
    return (const cpl_diag *)((const char *)diag->notes + index * diag->size);
}

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

/*
 * The last error that a call on this thread reported, as cpl_diag_render shows it, without the last
 * newline; of several in one call the first, whose status the call returned. Ask behind a call that
 * failed: calls that succeed leave it as it is. "" when there was none. Lives until the thread's
 * next error, cpl_last_error_clear or the thread's end. Any thread.
 */
CPL_API const char *cpl_last_error(void);
/* There was none. Any thread. */
CPL_API void cpl_last_error_clear(void);

/*
 * A list of diagnostics. While a thread has one, it takes in what calls on that thread have to say,
 * of whatever context, in place of the contexts' sinks; errors of calls that got no context too.
 * What another thread compiles for a call is said on the thread of the call.
 *
 *     cpl_diag_list *before = cpl_diag_list_use(list);
 *     cpl_status status = cpl_launch(...);
 *     cpl_diag_list_use(before);
 *     for (size_t i = 0; i < cpl_diag_list_count(list); i++) show(cpl_diag_list_get(list, i));
 *     cpl_diag_list_clear(list);
 *
 * A list is used by one thread at a time. Its memory is malloc's; where there is none for a
 * diagnostic, the last one of the list says so (CPL_ENOMEM).
 */
typedef struct cpl_diag_list cpl_diag_list;

/* Makes an empty list. Returns CPL_OK, CPL_EARG or CPL_ENOMEM. Any thread. */
CPL_API cpl_status cpl_diag_list_create(cpl_diag_list **list);
/* Frees it with its diagnostics; NULL is allowed. No other thread may have it. */
CPL_API void cpl_diag_list_free(cpl_diag_list *list);
/* Gives the calling thread a list, or NULL: none. Returns the one that it had. Any thread. */
CPL_API cpl_diag_list *cpl_diag_list_use(cpl_diag_list *list);
/* How many there are; 0 for NULL. The list's thread. */
CPL_API size_t cpl_diag_list_count(const cpl_diag_list *list);
/* A diagnostic, from 0 in the order they came; NULL past the end. It lives until the list is
 * cleared or freed. The list's thread. */
CPL_API const cpl_diag *cpl_diag_list_get(const cpl_diag_list *list, size_t index);
/* Empties it. The list's thread. */
CPL_API void cpl_diag_list_clear(cpl_diag_list *list);

#ifdef __cplusplus
}
#endif
#endif
