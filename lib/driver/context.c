/* Contexts: how they come and go. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"

#include <stdlib.h>
#include <strings.h>

void cpl_context_options_init(cpl_context_options *options)
{
    if (!options) return;
    *options = (cpl_context_options){.size = sizeof *options};
}

/* LLVM runs on compile threads alone, where its failures are contained; on this one only if there
 * are none to be had. */
typedef struct unloading {
    cpl_context *cx;
    code *code; /* NULL: the loader itself */
} unloading;

static void unload(void *arg)
{
    unloading *u = arg;
    if (u->code) code_unload(u->cx->loader, u->code);
    else code_loader_close(u->cx->loader);
}

void context_wake(cpl_context *cx)
{
    worker_pool_wake(cx->workers);
}

void context_unload(cpl_context *cx, code *c)
{
    if (!c) return;
    unloading u = {cx, c};
    worker_failure failure;
    if (!worker_run(cx->workers, unload, &u, &(worker_patience){0}, &failure) && !*failure.message)
        unload(&u);
}

static void close_loader(cpl_context *cx)
{
    if (!cx->loader) return;
    unloading u = {cx, NULL};
    worker_failure failure;
    if (!worker_run(cx->workers, unload, &u, &(worker_patience){0}, &failure) && !*failure.message)
        unload(&u);
    code_loader_free(cx->loader);
}

static void context_free(cpl_context *cx)
{
    if (cx->runtime_free) cx->runtime_free(cx);
    close_loader(cx);
    worker_pool_free(cx->workers);
    library_free_tokens(cx);
    extern_free_all(cx);
    settings_free(cx);
    type_table_free(cx->types);
    mem_strfree(&cx->mem, cx->openmp);
    mem_strfree(&cx->mem, cx->opencl_options);
    pthread_mutex_destroy(&cx->lock);
    mem m = cx->mem;
    mem_free(&m, cx, sizeof *cx);
}

/* 1, 0, or -1 of what is neither. */
static int truth(const char *value)
{
    static const char *const words[2][4] = {{"0", "no", "off", "false"},
                                            {"1", "yes", "on", "true"}};
    for (int is = 0; is < 2; is++)
        for (size_t i = 0; i < COUNT_OF(words[is]); i++)
            if (strcasecmp(value, words[is][i]) == 0) return is;
    return -1;
}

/* What the environment says about options, for programs that nobody wants to change. */
static const struct {
    const char *name;
    option_id option;
    int value; /* that of the variable */
    int64_t means;
} variables[] = {{"CPL_DEBUG", OPT_debugger, 1, 1},  {"CPL_PERF", OPT_perf_map, 1, 1},
                 {"CPL_VERIFY", OPT_verify, 1, 1},   {"CPL_FUSE", OPT_fuse, 0, 0},
                 {"CPL_CHOOSE", OPT_choose, 1, 1},   {"CPL_NO_OPENCL_GPU", OPT_opencl, 1, 1},
                 {"CPL_NO_OPENCL", OPT_opencl, 1, 0}};

static void read_environment(int64_t values[OPTION_COUNT])
{
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = secure_getenv(variables[i].name);
        if (value && truth(value) == variables[i].value)
            values[variables[i].option] = variables[i].means;
    }
}

/* A misspelt switch must not look like one that was heard; an empty one is none. */
static void check_environment(cpl_context *cx)
{
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = secure_getenv(variables[i].name);
        if (value && *value && truth(value) < 0)
            context_warn(cx, "%s=%.40s in the environment is neither 1 nor 0, and changes nothing",
                         variables[i].name, value);
    }
}

static cpl_status no_context(void)
{
    return thread_report(CPL_ENOMEM, "out of memory for a context");
}

/* The caller's options, those of an older or newer program too, and the threads that they give. */
static cpl_status read_options(const cpl_context_options *given, cpl_context_options *o,
                               cpl_threads *threads)
{
    cpl_context_options_init(o);
    *threads = (cpl_threads){.size = sizeof *threads};
    if (given && READ_STRUCT(o, given, cpl_context_options)) return CPL_EARG;
    if (o->opencl_options && strlen(o->opencl_options) > MOST_OPENCL_OPTIONS)
        return thread_report(CPL_EARG, "opencl_options has more than %d bytes",
                             MOST_OPENCL_OPTIONS);
    if (!o->threads) return CPL_OK;
    if (READ_STRUCT(threads, o->threads, cpl_threads)) return CPL_EARG;
    if (!threads->run) return thread_report(CPL_EARG, "a cpl_threads has no function run");
    if (threads->workers < 1)
        return thread_report(CPL_EARG, "a cpl_threads has %d workers: at least 1 is needed",
                             threads->workers);
    return CPL_OK;
}

/* They need no memory, so that nobody who imports one runs out of that. */
static void add_libraries(cpl_context *cx)
{
    for (size_t i = 0; i < SEMA_LIBRARIES; i++) {
        const library_file *file = &sema_libraries[i];
        source_entry *e = &cx->libraries[i];
        e->src = (source){.id = ++cx->next_source,
                          .name = file->path,
                          .text = file->text,
                          .size = (size_t)*file->size};
        e->next = cx->sources;
        cx->sources = e;
    }
}

cpl_status cpl_context_create(const cpl_context_options *options, cpl_context **context)
{
    if (MISSING("context", context)) return CPL_EARG;
    *context = NULL;
    cpl_context_options o;
    cpl_threads threads;
    if (read_options(options, &o, &threads)) return CPL_EARG;
    mem m = mem_libc;
    if (o.alloc) m = (mem){o.alloc, o.alloc_user};
    cpl_context *cx = mem_zalloc(&m, sizeof *cx);
    if (!cx) return no_context();
    cx->mem = m;
    if (!fork_watch(&cx->forks) || pthread_mutex_init(&cx->lock, NULL)) {
        mem_free(&m, cx, sizeof *cx);
        return no_context();
    }
    cx->references = 1;
    cx->sink = o.sink;
    cx->sink_user = o.sink_user;
    cx->place = (abi_place)ABI_PLACE_OF(threads);
    add_libraries(cx);
    cx->types = type_table_create(&cx->mem);
    cx->workers = worker_pool_create(&cx->mem);
    if (o.openmp) cx->openmp = mem_strdup(&cx->mem, o.openmp);
    if (o.opencl_options) cx->opencl_options = mem_strdup(&cx->mem, o.opencl_options);
    int64_t values[OPTION_COUNT];
    options_default(values);
    read_environment(values);
    if (!settings_set(cx, values) || !cx->types || !cx->workers || (o.openmp && !cx->openmp) ||
        (o.opencl_options && !cx->opencl_options)) {
        context_free(cx);
        return no_context();
    }
    check_environment(cx);
    *context = cx;
    return CPL_OK;
}

void cpl_context_retain(cpl_context *context)
{
    if (context) atomic_fetch_add_explicit(&context->references, 1, memory_order_relaxed);
}

void cpl_context_release(cpl_context *context)
{
    if (!context || context_forked(context)) return;
    if (atomic_fetch_sub_explicit(&context->references, 1, memory_order_acq_rel) == 1)
        context_free(context);
}

void cpl_context_set_sink(cpl_context *context, cpl_diag_sink sink, void *user)
{
    if (!context) return;
    context->sink = sink;
    context->sink_user = user;
}
