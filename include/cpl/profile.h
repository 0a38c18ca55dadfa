/*
 * Profiling: how often each kernel ran, how long on its device, how many bytes its arrays have,
 * what compiling it cost.
 *
 *     cpl_profile_enable(cx, true);
 *     ... launches ...
 *     cpl_profile_write(cx, CPL_PROFILE_TRACE, "trace.json"); // for chrome://tracing and Perfetto
 *
 * Times are the device's own (CUDA events, OpenCL's profiling, the monotonic clock on the host).
 * While profiling is off it costs one test a launch.
 */
#ifndef CPL_PROFILE_H
#define CPL_PROFILE_H

#include "cpl/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts or stops recording; what was recorded stays. Returns CPL_OK or CPL_ENOMEM. Any thread;
 * launches that run meanwhile may be missed. */
CPL_API cpl_status cpl_profile_enable(cpl_context *context, bool on);
CPL_API bool cpl_profile_enabled(cpl_context *context);
/* Forgets what was recorded. Any thread. */
CPL_API void cpl_profile_clear(cpl_context *context);

/* What a row or span is about. Numbers are frozen. */
typedef enum cpl_profile_what {
    CPL_PROFILE_KERNEL = 0,
    CPL_PROFILE_TO_DEVICE = 1, /* a copy; name is "copy host to cuda:0" */
    CPL_PROFILE_TO_HOST = 2,
    CPL_PROFILE_ON_DEVICE = 3, /* inside a device or between two */
    CPL_PROFILE_COMPILE = 4,   /* spans only: compiling and loading a kernel, on the host's clock */
    /* that a device was chosen for a function or algorithm (option `choose`): device is that one,
     * why what was expected of each; times are those of choosing */
    CPL_PROFILE_CHOICE = 5,
} cpl_profile_what;

/* Characters of a reason, with its NUL. */
#define CPL_PROFILE_WHY 128

/* All launches of one kernel (specialised for types and device), or all copies of one direction. */
typedef struct cpl_profile_row {
    size_t size; /* sizeof(cpl_profile_row) of the library that made it */
    cpl_profile_what what;
    const char *name;   /* function; lives until the visitor returns, like device */
    const char *device; /* label: "host", "cuda:0" */
    uint64_t count;
    uint64_t device_ns; /* sum over launches */
    uint64_t fastest_ns, slowest_ns;
    /* sum over launches of the bytes of all array arguments; bytes copied */
    uint64_t bytes;
    /* of the kernel, loading included; 0: it was compiled before profiling was on, or for a copy */
    uint64_t compile_ns;
    /* of choices, the last one: "host 410 us, cuda:0 58 us (50 of them copies)"; else empty */
    char why[CPL_PROFILE_WHY];
} cpl_profile_row;

/* One launch, copy or compilation. Times count from cpl_profile_enable; device clocks are put on
 * that scale by the launch's own time. */
typedef struct cpl_profile_span {
    size_t size; /* sizeof(cpl_profile_span) of the library that made it */
    cpl_profile_what what;
    const char *name, *device; /* as in a row */
    uint32_t queue; /* number of the queue in its context, from 1; 0: the calling thread */
    uint64_t begin_ns, end_ns;
    uint64_t bytes;
} cpl_profile_span;

/*
 * Visits what was recorded, after waiting for what still runs: rows by falling device_ns, spans in
 * the order of their launches (the last 1,000,000). Launches that failed are not among them. The
 * visitor must not launch. Returns CPL_OK or CPL_ENOMEM. Any thread.
 */
CPL_API cpl_status cpl_profile_each_row(cpl_context *context,
                                        void (*visit)(void *user, const cpl_profile_row *row),
                                        void *user);
CPL_API cpl_status cpl_profile_each_span(cpl_context *context,
                                         void (*visit)(void *user, const cpl_profile_span *span),
                                         void *user);

/*
 * How often bytes were copied in a direction (CPL_PROFILE_TO_DEVICE, TO_HOST or ON_DEVICE) since
 * the context was made, and how many; counted whether profiling is on or not. A graph that the
 * driver keeps copies uncounted. Returns CPL_OK, CPL_EARG for what is no copy, or CPL_ENOMEM; count
 * and bytes may be NULL. Any thread.
 */
CPL_API cpl_status cpl_profile_copies(cpl_context *context, cpl_profile_what direction,
                                      uint64_t *count, uint64_t *bytes);

typedef enum cpl_profile_format {
    CPL_PROFILE_CSV = 0,  /* one line a row, after a line of names */
    CPL_PROFILE_JSON = 1, /* {"rows": [...], "spans": [...]} */
    /* Chrome's trace event format: complete ("X") events, a process a device, a thread a queue */
    CPL_PROFILE_TRACE = 2,
} cpl_profile_format;

/* Writes what was recorded to a file: all of it, else what was there stays. Returns CPL_OK,
 * CPL_EARG, CPL_EIO or CPL_ENOMEM. Any thread. */
CPL_API cpl_status cpl_profile_write(cpl_context *context, cpl_profile_format format,
                                     const char *path);

/* What a program keeps of a record, from visits, beyond cpl_profile_clear. */
typedef struct cpl_profile_records {
    size_t size; /* sizeof(cpl_profile_records) */
    const cpl_profile_row *rows;
    size_t row_count;
    const cpl_profile_span *spans;
    size_t span_count;
} cpl_profile_records;

/* Writes them as cpl_profile_write does. Returns CPL_OK, CPL_EARG, CPL_EIO or CPL_ENOMEM. Any
 * thread. */
CPL_API cpl_status cpl_profile_write_records(cpl_context *context,
                                             const cpl_profile_records *records,
                                             cpl_profile_format format, const char *path);

#ifdef __cplusplus
}
#endif
#endif
