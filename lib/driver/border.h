/*
 * The border between compiler and runtime: artifacts (bytes, entry names, argument layout) and what
 * the runtime may ask of contexts and modules.
 */
#ifndef CPL_BORDER_H
#define CPL_BORDER_H

#include "lib/support/abi.h"
#include "lib/support/embed.h"
#include "lib/support/role.h"
#include "lib/support/support.h"
#include "lib/support/target.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum option_id {
#define OPTION(name, value, low, high, doc) OPT_##name,
#include "cpl/config.def"
#undef OPTION
    OPTION_COUNT
} option_id;

#define ALL_FACTS (CPL_FACT_SMALL | CPL_FACT_APART | CPL_FACT_LARGE | CPL_FACT_IN_ORDER)

typedef struct artifact_param {
    char *name;
    const cpl_type *type;
    param_role role; /* role.def says what each gets */
    uint32_t of;     /* index among the parameters: of the one that a length or stride belongs to */
    /* index among what the caller gives, its own or of that one; of parts, which a plan gives
     * behind that, among all */
    uint32_t arg;
    bool readonly; /* nothing is written through it */
    bool unread;   /* nothing is read through it */
    bool strided;  /* of an array: its strides are parameters too */
    uint8_t axis;  /* of a shape or stride: along this dimension */
    uint8_t dims;  /* of an array: those that the function takes it with; 0: flat */
    cpl_span span; /* of such an array: where the source asks for the dimensions */
} artifact_param;

typedef struct artifact_site { /* a place that can fault */
    char *func, *arg;          /* arg NULL: an assertion */
    char *said;                /* its text, or NULL */
    int32_t axis;              /* as ir_site.axis */
    cpl_span span;
} artifact_site;

typedef struct artifact {
    const mem *mem;
    tgt_target target;    /* what object is for */
    strbuf object;        /* relocatable; for devices PTX text, SPIR-V words or OpenCL C text */
    uint64_t local_bytes; /* of a work-group's static local memory */
    uint64_t item_bytes;  /* the host's kernels: of memory for each work-item */
    /* symbols: with the C signature; void packed(const void *const *args, void *result) */
    char *entry, *packed;
    char *signature; /* C prototype */
    char *types;     /* as --emit types shows them */
    bool elementwise;
    uint32_t
        indices;    /* elementwise: that run over the first array's shape where there are several */
    uint32_t items; /* devices: as ir_func.items */
    char *after;    /* devices: the kernel that is launched before it (ir_func.after), or NULL */
    /* float32 division and square roots need not be rounded correctly: all of fast_math */
    bool inexact;
    /* cpl_fact: what it was told, and on which of it the code relies. Where that is APART a kernel
     * of the host may have hidden parameters that the source does not ask for */
    uint32_t facts, relies;
    bool recursive;       /* the host: some function of it calls itself */
    uint32_t nesting;     /* loops inside each other, through calls, before the passes */
    int64_t short_rounds; /* the host: launches of fewer take a few microseconds */
    double work; /* the host: micro-operations of a round, by a model; loops of unknown length are
                    taken for some rounds */
    bool quick;  /* made without optimisation, in a tenth of the time */
    int64_t quick_rounds;    /* quick: launches of up to so many rounds need no better */
    bool debugger, perf_map; /* who is told of the code when it is loaded */
    const cpl_type *result;
    artifact_param *params;
    size_t param_count;
    size_t arg_count;  /* of them, those of the source */
    size_t part_count; /* and PARAM_PARTS */
    artifact_site *sites;
    size_t site_count;
} artifact;

void artifact_free(artifact *a);

/* Where objects are kept between processes. get fills in an empty strbuf, on a compile thread; put
   runs on the caller's. Both may fail in silence. */
#define ARTIFACT_KEY_SIZE 32
typedef struct artifact_store {
    bool (*get)(void *user, const uint8_t *key, strbuf *object);
    void (*put)(void *user, const uint8_t *key, const void *object, size_t size);
    void *user;
} artifact_store;

/* A hash that nobody can collide on purpose, of parts one after the other. */
void artifact_hash(const void *const *parts, const size_t *sizes, size_t count,
                   uint8_t out[ARTIFACT_KEY_SIZE]);

/* How to compile. */
#define NO_QUICK_CODE INT64_MAX
typedef struct artifact_mode {
    /* rounds at hand: quick code will do where it does for those (option tiers); NO_QUICK_CODE: it
       will not */
    int64_t quick_rounds;
    bool again;     /* of a kernel that has quick code */
    bool first;     /* the kernel that is launched before the function's own (artifact.after) */
    diag_sink sink; /* where diagnostics go */
    /* once true (and context_wake was called) LLVM's work is left to itself, and the status is
       CPL_ECANCELLED; or NULL */
    const atomic_bool *cancel;
} artifact_mode;

/*
 * Compiles for the host, or finds the object in the store (may be NULL). spec's options are
 * resolved against the context's. A scalar parameter with an annotation keeps its type whatever
 * spec says: params tell what to pass.
 */
cpl_status artifact_create(cpl_module *m, const char *function, const cpl_spec *spec,
                           const artifact_store *store, const artifact_mode *mode, artifact *a);

/* What loading asks of the runtime. */
typedef struct artifact_host {
    /* the address of what is neither an extern of the context nor in the object */
    void *(*resolve)(void *user, const char *symbol);
    /* with perf_map: told of each function in the object */
    void (*placed)(void *user, const char *symbol, const void *address, size_t size);
    void *user;
} artifact_host;

/* Loaded code. */
typedef struct loaded_code {
    struct code *code; /* NULL: none */
    void *entry, *packed;
    const char *begin, *end; /* its functions; the same where nobody could leave them */
} loaded_code;
cpl_status artifact_load(cpl_context *cx, const artifact *a, const artifact_mode *mode,
                         const artifact_host *host, loaded_code *out);
void artifact_unload(cpl_context *cx, loaded_code *l); /* leaves none */

/* Runs the lowered IR in the reference interpreter; args as for the packed entry, hidden parameters
 * included, in the order of params. */
cpl_status interp_prepare(cpl_module *m, const char *function, const cpl_spec *spec,
                          artifact *layout);
cpl_status interp_run(cpl_module *m, const char *function, const cpl_spec *spec,
                      const void *const *args, void *result);
/* A kernel over a grid: see interp_launch. Of a pointer to local memory args has the bytes it gets,
 * an int64. */
cpl_status interp_run_grid(cpl_module *m, const char *function, const cpl_spec *spec,
                           const int64_t groups[3], const int32_t size[3], const void *const *args);

/* What the runtime keeps with a context or module; the callback runs when that goes. */
void *context_runtime(cpl_context *cx);
void context_set_runtime(cpl_context *cx, void *state, void (*free_fn)(cpl_context *cx));
/* binds.c: a text that lives as long as the module, the same for equal ones; NULL when memory
 * ends. */
const char *module_text(cpl_module *m, const char *text);
cpl_span module_text_span(cpl_module *m, const char *text); /* all of it, for messages */

/* library.c: from then on the module has the file's functions, which cpl_module_function does not
 * list. What they bind is found in the module's own files. False when there is no memory. */
bool module_add_library(cpl_module *m, const library_file *file);
/* Whether a place is in one of those, whose names mean nothing to the caller. */
bool module_is_library(cpl_module *m, cpl_span place);
static inline bool binds_text(const cpl_bind *b)
{
    return b->kind == CPL_BIND_FUNCTION || b->kind == CPL_BIND_EXPRESSION;
}
void *module_runtime(cpl_module *m);
void module_set_runtime(cpl_module *m, void *state, void (*free_fn)(cpl_module *m));
pthread_mutex_t *context_lock(cpl_context *cx);
const mem *context_mem(cpl_context *cx);
const char *context_openmp(cpl_context *cx); /* path asked for, or NULL */
/* What ABI_PLACE is in its code; and the host's threads there, or NULL. */
abi_place *context_place(cpl_context *cx);
const cpl_threads *context_threads(cpl_context *cx);
#define MOST_OPENCL_OPTIONS 500
const char *context_opencl_options(cpl_context *cx); /* or "" */
uint64_t context_cache_bytes(cpl_context *cx);       /* as cpu_cache_bytes */
type_table *context_types(cpl_context *cx);
_Atomic(void *) *module_launches(cpl_module *m); /* a table of the runtime's, NULL at first */
cpl_context *module_context(cpl_module *m);
/* From now on it does not keep its context, which has to free it. */
void module_leave_context(cpl_module *m);
/* The values of all options at present: never changed, equal ones are the same, and live as long as
 * the context. */
typedef struct settings settings;
const settings *context_settings(cpl_context *cx);
const int64_t *settings_values(const settings *s, size_t *count);
int64_t settings_option(const settings *s, option_id option);
void context_count_hit(cpl_context *cx);
int64_t context_option(cpl_context *cx, option_id option);
/* How wide the vectors of host code are, in bits, by the option cpu_level. */
int context_vector_bits(cpl_context *cx);
/* The value of each option for a spec, its own or the context's by now, as many as there are. */
size_t context_settle(cpl_context *cx, const cpl_spec *spec, int64_t *out);
/* A caller's spec, checked. CPL_EARG, reported: its size, NULLs, an option out of its range */
cpl_status context_read_spec(cpl_context *cx, const cpl_spec *given, cpl_spec *spec);
/* CPL_EARG, or CPL_ELIMIT for a text that is too large; reported */
cpl_status context_check_bind(cpl_context *cx, const char *what, const cpl_bind *b);
cpl_status context_check_param_bind(cpl_context *cx, size_t i, const cpl_bind *b);
/* binds.c: CPL_EARG, reported, when a parameter of typed IR is to stand for something. */
cpl_status module_check_binds(cpl_module *m, const cpl_bind *binds, size_t count);
/* True in a process forked from the one that made the context: its locks and threads must not be
 * touched. Costs nothing. */
bool context_forked(const cpl_context *cx);
cpl_status context_refuse_fork(cpl_context *cx); /* reports that, CPL_EFORKED */
diag_sink context_sink(cpl_context *cx);
/*
 * Whether the call on this thread is to end before it is done, and returns CPL_ECANCELLED: the
 * context's poll function says so or, on a thread of ours, the flag that was set for it. Who waits
 * asks with no lock held, every CANCEL_MS, unless nothing could ever say so.
 */
enum { CANCEL_MS = 20 };
bool context_may_stop(const cpl_context *cx);
bool context_stopped(cpl_context *cx);
void context_stop_by(const atomic_bool *flag); /* for this thread; NULL: the poll function */
cpl_status context_cancelled(cpl_context *cx); /* reports that, CPL_ECANCELLED */
/* A condition variable whose waits end as context_until says; false when it cannot be had. */
bool context_condition(pthread_cond_t *condition);
struct timespec context_until(int64_t ms); /* that much later than now */
/*
 * Waits until such a condition is signalled, or a while: who calls looks, and waits again. The lock
 * is held, but not meanwhile. CPL_ECANCELLED: the call is to end; CPL_ETIMEDOUT: it is past end
 * (NULL: there is none). Not reported.
 */
cpl_status context_doze(cpl_context *cx, pthread_cond_t *condition, pthread_mutex_t *lock,
                        const struct timespec *end);
void context_wake(cpl_context *cx); /* who waits for a compilation looks at artifact_mode.cancel */
/* Hands one error to the sink and returns status. */
cpl_status context_report(cpl_context *cx, cpl_status status, const char *format, ...)
    PRINTF_LIKE(3, 4);
void context_note(cpl_context *cx, const char *format, ...) PRINTF_LIKE(2, 3);
/* Hands one warning to the sink. */
void context_warn(cpl_context *cx, const char *format, ...) PRINTF_LIKE(2, 3);
cpl_status context_no_memory(cpl_context *cx); /* reports CPL_ENOMEM and returns it */
/* A diagnostic at a place in a source of the context. */
cpl_status context_report_at(cpl_context *cx, cpl_status status, cpl_span span, const char *format,
                             ...) PRINTF_LIKE(4, 5);

#endif
