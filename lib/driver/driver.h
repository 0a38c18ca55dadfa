/*
 * What a context and a module are made of, the stages in order, and the threads they run on.
 *
 * worker.c    compile threads; the one setjmp of a compilation
 * report.c    what is said, and the texts that it shows
 * fork.c      what a forked process may still do
 * stop.c      calls that end before they are done
 * settings.c  values of all options         options.c  their names, limits and meaning
 * spec.c      specialisations               frame.c    in which a compilation runs
 * context.c   how contexts come and go      extern.c   registered C functions
 * module.c    kernel files and IR files     files.c    what kernel files import
 * functions.c functions of a host program   hosts.c    what is kept of those
 * index.c     what functions a module has   env.c      what compilations find outside
 * emit.c      cpl_module_emit
 * binds.c     what parameters stand for
 * pipeline.c  the stages in order           signature.c C declarations
 * artifact.c  what the runtime gets: bytes, entry names, argument layout
 * used.c      what of its texts a kernel may use, for the key on disk
 * stored.c    artifacts on disk
 * header.c    headers for objects compiled ahead of time
 */
#ifndef CPL_DRIVER_H
#define CPL_DRIVER_H

#include "lib/driver/border.h"
#include "lib/sema/sema.h"
#include "lib/target/target.h"
#include "passes/pass.h"

#include <pthread.h>
#include <stdatomic.h>

/* worker.c */
typedef struct worker_pool worker_pool;
worker_pool *worker_pool_create(const mem *m);
void worker_pool_free(worker_pool *p); /* waits for threads at work */
typedef struct worker_failure {
    cpl_status status; /* CPL_ENOMEM, CPL_ECOMPILER */
    char message[512]; /* LLVM's own, or why no thread could be had */
    bool no_thread;
} worker_failure;
/* How long to wait while LLVM is at work. */
typedef struct worker_patience {
    int64_t limit;             /* seconds; 0: without end */
    const atomic_bool *cancel; /* no longer once it is true (see worker_pool_wake); or NULL */
    /* no longer once it says so: asked now and then, with no lock held; or NULL */
    bool (*stop)(void *user);
    void *user;
} worker_patience;
/*
 * Runs fn(arg) on a compile thread and waits for it, as far as patience goes. False when no thread
 * could be had, or when fn did not and never will end: whatever it used may then be freed.
 */
bool worker_run(worker_pool *p, void (*fn)(void *arg), void *arg, const worker_patience *patience,
                worker_failure *failure);
/* Makes those who wait look at whether they still should. */
void worker_pool_wake(worker_pool *p);
/* On a worker's thread: nobody waits for its job any more, which may end early. */
bool worker_unwanted(void);

/* fork.c. Forks before now, and from now on they are watched; false when that cannot be. */
bool fork_watch(uint32_t *forks);

/* A registered C function. */
enum { EXT_OPENCL_C, EXT_PTX, EXT_LANGUAGES };
typedef struct ext_text {
    char *text; /* NULL: none; once there it stays */
    size_t size;
} ext_text;

typedef struct ext_entry {
    sema_extern sig; /* name and types; parameters in memory of the context */
    void *address;   /* NULL: on devices only */
    ext_text texts[EXT_LANGUAGES];
    struct ext_entry *next;
} ext_entry;

typedef struct source_entry {
    source src;
    struct source_entry *next;
} source_entry;

struct settings {
    struct settings *next;
    int64_t values[OPTION_COUNT];
};

/* Lists by a hash of what they hold, so that looking through them stays short. */
enum { SETTINGS_LISTS = 64, EXPRESSION_LISTS = 64 };

struct cpl_context {
    atomic_uint references;
    uint32_t forks;                            /* of the process that made it: see fork.c */
    _Atomic(const struct settings *) settings; /* at present */
    atomic_uint_fast64_t hits;                 /* launches that found their kernel */
    atomic_uint_fast64_t cache_bytes;          /* 1 + cpu_cache_bytes(); 0: not asked */
    mem mem;
    cpl_diag_sink sink;
    void *sink_user;
    type_table *types;
    worker_pool *workers;
    char *openmp;         /* path from the options, or NULL */
    abi_place place;      /* of forks in its code; with the context's poll function */
    char *opencl_options; /* from the options, or NULL */
    pthread_mutex_t lock; /* of everything below */
    struct settings *known_settings[SETTINGS_LISTS];
    ext_entry *externs;
    source_entry *sources;
    source_entry libraries[SEMA_LIBRARIES]; /* some of them */
    struct library_tokens *library_tokens;  /* library.c */
    uint32_t next_source;
    code_loader *loader; /* made with the first kernel */
    cpl_stats stats;
    _Atomic(void *) runtime; /* what the runtime keeps in a context, freed by runtime_free */
    void (*runtime_free)(cpl_context *cx);
};

typedef struct module_function {
    char *name;
    char **params;   /* names */
    char **defaults; /* of each, or NULL */
    size_t param_count;
    bool variadic; /* the last one is *NAME */
} module_function;

/* A file of a module, or one that its imports name and that cannot be used. */
typedef struct module_file {
    char *name;        /* by which others import it */
    source_entry *src; /* registered with the context; NULL: it cannot be used */
    char *text;        /* src->src.size + 1 bytes */
    char *problem;     /* why it cannot be used */
} module_file;

/* Where a module's files come from. */
typedef enum module_origin {
    FROM_TEXT,
    FROM_TEXTS,
    FROM_FOLDER,
    FROM_PIPE,
    FROM_FUNCTIONS
} module_origin;

/* A function of a host program; its text is the file of the same index. */
typedef struct module_host {
    cpl_function_source given; /* what is kept of it: copies, without its text */
    sema_host host;            /* what a compilation sees */
} module_host;

/* binds.c: texts that parameters stand for. */
typedef struct module_expression module_expression;
void module_free_expressions(cpl_module *m);

typedef struct module_library module_library; /* library.c */
/* The file of such a function; NULL when it is none. */
const source *module_library_of(cpl_module *m, const char *function);
void module_free_libraries(cpl_module *m);
/* As front_file of such a file. */
ast_file *library_parse(cpl_context *cx, compilation *c, const source *src);
typedef struct library_tokens library_tokens;
void library_free_tokens(cpl_context *cx);

struct cpl_module {
    atomic_uint references;
    cpl_context *cx;
    bool is_ir;
    bool left_context; /* does not hold it */
    module_origin origin;
    module_file *files;
    size_t file_count;
    source_entry *src;  /* of the first one, which the functions are of */
    module_host *hosts; /* FROM_FUNCTIONS: [host_count], in order of `functions` */
    size_t host_count;
    module_function *functions; /* in order of the file */
    size_t function_count;
    /* of a module of IR: entries, and the index of the one there is */
    size_t entry_count, only_entry;
    /* lists that only grow, under the context's lock, and are read without it */
    _Atomic(struct module_expression *) expressions[EXPRESSION_LISTS]; /* binds.c */
    _Atomic(struct module_library *) libraries;                        /* library.c */
    _Atomic(void *) launches; /* the runtime's list of launched kernels */
    void *runtime;            /* the runtime's kernels of this module */
    void (*runtime_free)(cpl_module *m);
};

/*
 * Runs fn on a compile thread with a fresh compilation whose limits come from options (NULL: the
 * context's), hands its diagnostics to the sink (the context's, or another) on the calling thread,
 * and frees its arena. Returns
 * the status of the first error, CPL_ENOMEM if memory ran out, or what fn returned. Whatever fn
 * leaves behind for the caller must be reachable through arg.
 */
typedef cpl_status (*comp_fn)(compilation *c, void *arg);
cpl_status context_compile(cpl_context *cx, const int64_t *options, comp_fn fn, void *arg);
/* How to go about it. */
typedef struct compile_call {
    const int64_t *options;
    diag_sink sink;
    const atomic_bool *cancel; /* as in worker_patience */
    bool through;              /* not to be stopped (see context_stopped) */
} compile_call;
cpl_status context_compile_as(cpl_context *cx, comp_fn fn, void *arg, const compile_call *how);

/* options.c */
void options_default(int64_t values[OPTION_COUNT]);
/* CPL_EARG, reported, for a value that option i does not take. */
cpl_status option_check(cpl_context *cx, int i, int64_t value);

/* settings.c: makes these the context's settings, under its lock once others know it; false when
 * memory ends */
bool settings_set(cpl_context *cx, const int64_t values[OPTION_COUNT]);
void settings_free(cpl_context *cx);

/* with fast_math and precise resolved */
void context_options(cpl_context *cx, const cpl_spec *spec, int64_t out[OPTION_COUNT]);
/* code_unload on a compile thread; NULL is allowed */
void context_unload(cpl_context *cx, code *c);
/* report.c */
source_entry *context_add_source(cpl_context *cx, const char *name, const char *text, size_t size);
void context_remove_source(cpl_context *cx, source_entry *e);
/* As compilation.find_source; user: the context. */
const source *context_find_source(void *user, uint32_t id);
/* One message, to a sink; the status. */
cpl_status context_tell(cpl_context *cx, diag_sink to, cpl_severity severity, cpl_status status,
                        cpl_span span, const char *message);

/* env.c: how sema finds registered functions, and files that are imported */
sema_env module_env(cpl_module *m);

/* extern.c */
/* As sema_env.find_extern and each_extern; user: the module. */
const sema_extern *extern_find(void *user, const char *name);
void extern_each(void *user, suggester *s);
bool extern_is_known(cpl_context *cx, const char *name);
void *extern_address(cpl_context *cx, const char *name); /* NULL when there is none */
/* its text in a language; one without a text where there is none */
ext_text extern_text(cpl_context *cx, const char *name, int language);
void extern_free_all(cpl_context *cx);

/* Mathematics in the language: a file, once it was asked for, and those functions of it that the
 * pipeline's ir has, by name: ir_func. */
typedef struct elementary_library {
    ast_file *file;
    map found;
} elementary_library;

/* pipeline.c: the stages in order. */
typedef struct pipeline {
    compilation *comp;
    cpl_module *module;
    const char *function; /* NULL: the only one */
    cpl_form form;
    const cpl_type *const *types;
    size_t type_count;
    const cpl_bind *binds;
    size_t bind_count;
    const int64_t *options; /* [OPTION_COUNT], resolved */
    const char *passes;     /* NULL: the default ones */
    bool any_opencl;        /* SPIR-V may become OpenCL C, where what the kernel calls wants that */
    bool interpreted;       /* kernels stay what they are */
    bool over_grid;         /* the entry was lowered, or read, as a kernel of the caller's grid */
    bool loaded;            /* the object, into this process */
    pass_runner runner;
    cpl_stats *stats;
    /* results, as far as the stages ran */
    ast_file *file;    /* of the module */
    ast_file *library; /* that the function is in; NULL: file */
    sema_program *program;
    ir_module *ir;
    elementary_library elementary[2]; /* of float64, of float32 */
} pipeline;

void pipeline_init(pipeline *p, compilation *c, cpl_module *m, const char *function,
                   const cpl_spec *spec, const int64_t options[OPTION_COUNT], cpl_stats *stats);
/* Each is false after errors, which are in the diags. They must run in this order. */
bool pipeline_front(pipeline *p);  /* file */
bool pipeline_sema(pipeline *p);   /* program; of a module of IR: nothing */
bool pipeline_lower(pipeline *p);  /* ir, verified */
bool pipeline_passes(pipeline *p); /* p->passes or the default ones */
/* Whether the code is for this machine and for so few threads that what they compute, not memory,
 * may be what a launch waits for. Decides on code for CPL_FACT_LARGE alone. */
bool pipeline_has_few_threads(const pipeline *p);
bool pipeline_emit(pipeline *p, tgt_stage stage, strbuf *out);    /* for the target of the passes */
const char *pipeline_symbol(const pipeline *p, const ir_func *f); /* what it is called in there */
/* What code for a target depends on beside IR and options, as text. */
void pipeline_identity(strbuf *out, const tgt_target *t);
/* elementary.c: the function of mathematics of that name in the language, of float64 or float32, in
 * m; NULL: there is none. user: the pipeline. */
ir_func *pipeline_elementary(void *user, ir_module *m, const char *name, cpl_dtype dtype);

#endif
