/* Contexts: life, options, sources, and the frame in which every compilation runs. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"
#include "lib/target/guard.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *name;
    int64_t value, low, high;
    const char *doc;
} option_table[] = {
#define OPTION(name, value, low, high, doc) {#name, value, low, high, doc},
#include "cpl/config.def"
#undef OPTION
};

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
    extern_free_all(cx);
    settings_free(cx);
    type_table_free(cx->types);
    mem_strfree(&cx->mem, cx->openmp);
    mem_strfree(&cx->mem, cx->opencl_options);
    pthread_mutex_destroy(&cx->lock);
    mem m = cx->mem;
    mem_free(&m, cx, sizeof *cx);
}

/* What the environment says about options, for programs that nobody wants to change. */
static void read_environment(int64_t values[OPTION_COUNT])
{
    static const struct {
        const char *name;
        option_id option;
    } variables[] = {{"CPL_DEBUG", OPT_debugger},
                     {"CPL_PERF", OPT_perf_map},
                     {"CPL_VERIFY", OPT_verify}};
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = secure_getenv(variables[i].name);
        if (value && strcmp(value, "1") == 0) values[variables[i].option] = 1;
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
    if (!context) return BAD_CALL;
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
    for (int i = 0; i < OPTION_COUNT; i++) values[i] = option_table[i].value;
    read_environment(values);
    if (!settings_set(cx, values) || !cx->types || !cx->workers || (o.openmp && !cx->openmp) ||
        (o.opencl_options && !cx->opencl_options)) {
        context_free(cx);
        return no_context();
    }
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

static int find_option(const char *name)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        if (strcmp(option_table[i].name, name) == 0) return i;
    return -1;
}

static cpl_status check_value(cpl_context *cx, int i, int64_t value)
{
    if (value >= option_table[i].low && value <= option_table[i].high) return CPL_OK;
    return context_report(cx, CPL_EARG, "option %s takes %lld to %lld, not %lld",
                          option_table[i].name, (long long)option_table[i].low,
                          (long long)option_table[i].high, (long long)value);
}

static const char *bad_bind(const cpl_context *cx, const cpl_bind *b)
{
    if (b->reserved[0] | b->reserved[1]) return "has reserved members that are not zero";
    switch (b->kind) {
    case CPL_BIND_NONE:
    case CPL_BIND_INTEGER: return NULL;
    case CPL_BIND_TYPE:
        if (!b->type) return "is no type";
        return b->type->table == cx->types ? NULL : "is a type of another context";
    case CPL_BIND_FUNCTION: return b->text ? NULL : "names no function";
    case CPL_BIND_EXPRESSION: return b->text ? NULL : "has no text";
    }
    return "has no valid kind";
}

cpl_status context_check_bind(cpl_context *cx, size_t i, const cpl_bind *b)
{
    const char *wrong = bad_bind(cx, b);
    if (!wrong && binds_text(b) && strnlen(b->text, SOURCE_LIMIT + 1) > SOURCE_LIMIT)
        return context_report(cx, CPL_ELIMIT,
                              "the text that parameter %zu stands for is larger than %d MiB", i + 1,
                              (int)(SOURCE_LIMIT >> 20));
    if (!wrong) return CPL_OK;
    return context_report(cx, CPL_EARG, "what parameter %zu stands for %s", i + 1, wrong);
}

static cpl_status check_spec(cpl_context *cx, const cpl_spec *spec)
{
    if ((spec->type_count && !spec->types) || (spec->option_count && !spec->options) ||
        (spec->bind_count && !spec->binds))
        return thread_report(CPL_EARG, "a specialisation's list is NULL, but not empty");
    if ((unsigned)spec->form > CPL_FORM_KERNEL)
        return context_report(cx, CPL_EARG, "a specialisation has no valid form");
    if (spec->facts & ~(uint32_t)ALL_FACTS)
        return context_report(cx, CPL_EARG, "a specialisation has facts that are none");
    for (size_t i = 0; i < spec->type_count; i++)
        if (spec->types[i] && spec->types[i]->table != cx->types)
            return context_report(cx, CPL_EARG, "type %zu is another context's", i + 1);
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < spec->bind_count && !status; i++)
        status = context_check_bind(cx, i, &spec->binds[i]);
    for (size_t i = 0; i < spec->option_count && i < OPTION_COUNT && !status; i++)
        if (spec->options[i] != INT64_MIN) status = check_value(cx, (int)i, spec->options[i]);
    return status;
}

static cpl_status no_option(cpl_context *cx, const char *name)
{
    suggester s;
    suggest_init(&s, name);
    for (int k = 0; k < OPTION_COUNT; k++) suggest_offer(&s, option_table[k].name);
    const char *best = suggest_best(&s);
    return context_report(cx, CPL_ENOTFOUND,
                          best ? "there is no option '%s'; did you mean '%s'?"
                               : "there is no option '%s'",
                          name, best);
}

cpl_status context_read_spec(cpl_context *cx, const cpl_spec *given, cpl_spec *spec)
{
    cpl_spec_init(spec);
    cpl_status status = READ_STRUCT(spec, given, cpl_spec);
    return status ? status : check_spec(cx, spec);
}

cpl_status cpl_context_set_option(cpl_context *context, const char *name, int64_t value)
{
    if (!context || !name) return BAD_CALL;
    if (context_forked(context)) return context_refuse_fork(context);
    int i = find_option(name);
    if (i < 0) return no_option(context, name);
    cpl_status status = check_value(context, i, value);
    if (status) return status;
    pthread_mutex_lock(&context->lock);
    int64_t values[OPTION_COUNT];
    memcpy(values, context_settings(context)->values, sizeof values);
    values[i] = value;
    bool done = settings_set(context, values);
    pthread_mutex_unlock(&context->lock);
    return done ? CPL_OK : context_no_memory(context);
}

cpl_status cpl_context_get_option(cpl_context *context, const char *name, int64_t *value)
{
    if (!context || !name || !value) return BAD_CALL;
    int i = find_option(name);
    if (context_forked(context)) return context_refuse_fork(context);
    if (i < 0) return no_option(context, name);
    *value = context_settings(context)->values[i];
    return CPL_OK;
}

const char *cpl_option_name(size_t index, const char **doc)
{
    if (index >= OPTION_COUNT) return NULL;
    if (doc) *doc = option_table[index].doc;
    return option_table[index].name;
}

size_t context_settle(cpl_context *cx, const cpl_spec *spec, int64_t *out)
{
    memcpy(out, context_settings(cx)->values, OPTION_COUNT * sizeof *out);
    for (size_t i = 0; spec && i < spec->option_count && i < OPTION_COUNT; i++)
        if (spec->options[i] != INT64_MIN) out[i] = spec->options[i];
    return OPTION_COUNT;
}

void context_options(cpl_context *cx, const cpl_spec *spec, int64_t out[OPTION_COUNT])
{
    context_settle(cx, spec, out);
    if (out[OPT_fast_math])
        out[OPT_contract] = out[OPT_reassoc] = out[OPT_vector_math] = out[OPT_finite_math] = 1;
    if (out[OPT_reproducible]) out[OPT_precise] = 1;
    if (out[OPT_debugger]) out[OPT_debug_info] = 1;
    if (out[OPT_precise])
        out[OPT_contract] = out[OPT_reassoc] = out[OPT_vector_math] = out[OPT_finite_math] = 0;
}

int64_t context_option(cpl_context *cx, const char *name)
{
    return settings_option(context_settings(cx), name);
}

/* Sources. */

source_entry *context_add_source(cpl_context *cx, const char *name, const char *text, size_t size)
{
    source_entry *e = mem_zalloc(&cx->mem, sizeof *e);
    char *copy = mem_strdup(&cx->mem, name);
    if (!e || !copy) {
        mem_free(&cx->mem, e, sizeof *e);
        mem_strfree(&cx->mem, copy);
        return NULL;
    }
    pthread_mutex_lock(&cx->lock);
    e->src = (source){.id = ++cx->next_source, .name = copy, .text = text, .size = size};
    e->next = cx->sources;
    cx->sources = e;
    pthread_mutex_unlock(&cx->lock);
    return e;
}

void context_remove_source(cpl_context *cx, source_entry *e)
{
    pthread_mutex_lock(&cx->lock);
    source_entry **at = &cx->sources;
    while (*at != e) at = &(*at)->next;
    *at = e->next;
    pthread_mutex_unlock(&cx->lock);
    mem_strfree(&cx->mem, e->src.name);
    mem_free(&cx->mem, e, sizeof *e);
}

static const source *find_source(void *user, uint32_t id)
{
    cpl_context *cx = user;
    pthread_mutex_lock(&cx->lock);
    source_entry *e = cx->sources;
    while (e && e->src.id != id) e = e->next;
    pthread_mutex_unlock(&cx->lock);
    return e ? &e->src : NULL;
}

/* Compilations. */

typedef struct frame {
    compilation *comp;
    comp_fn fn;
    void *arg;
    cpl_status status;
} frame;

/* The host's allocator, which is none of LLVM's even where code generation asks it. */
static void *host_alloc(void *user, void *block, size_t old_size, size_t new_size)
{
    const mem *m = user;
    bool inside = guard_pause();
    void *p = m->fn(m->user, block, old_size, new_size);
    guard_resume(inside);
    return p;
}

static void frame_run(void *arg)
{
    frame *f = arg;
    if (setjmp(*f->comp->on_oom) == 0) f->status = f->fn(f->comp, f->arg);
    else f->status = CPL_ENOMEM;
}

static cpl_status report(cpl_context *cx, diag_sink to, cpl_severity severity, cpl_status status,
                         cpl_span span, const char *message)
{
    diag d = {.severity = severity, .status = status, .span = span, .message = message};
    diag_list l = {.first = &d, .last = &d};
    diag_deliver(&l, find_source, cx, to);
    return status;
}

/* --- calls that end before they are done --- */

static _Thread_local const atomic_bool *own_flag __attribute__((tls_model("initial-exec")));

void cpl_context_set_poll(cpl_context *context, cpl_poll_fn poll, void *user)
{
    if (!context) return;
    context->poll = poll;
    context->poll_user = user;
}

void context_stop_by(const atomic_bool *flag)
{
    own_flag = flag;
}

bool context_may_stop(const cpl_context *cx)
{
    return own_flag || cx->poll;
}

bool context_stopped(cpl_context *cx)
{
    if (own_flag) return atomic_load(own_flag);
    return cx->poll && cx->poll(cx->poll_user);
}

cpl_status context_cancelled(cpl_context *cx)
{
    return context_report(cx, CPL_ECANCELLED, "the compilation was cancelled");
}

bool context_condition(pthread_cond_t *condition)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic)) return false;
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    bool ok = !pthread_cond_init(condition, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return ok;
}

struct timespec context_until(int64_t ms)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += ms % 1000 * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

static bool stop_waiting(void *user)
{
    return context_stopped(user);
}

cpl_status context_compile_as(cpl_context *cx, comp_fn fn, void *arg, const compile_call *how)
{
    diag_sink to = how->sink;
    if (context_forked(cx)) return to.fn ? context_refuse_fork(cx) : CPL_EFORKED;
    int64_t defaults[OPTION_COUNT];
    const int64_t *options = how->options;
    if (!options) {
        context_options(cx, NULL, defaults);
        options = defaults;
    }
    jmp_buf oom;
    compilation c = {.mem = &cx->mem,
                     .on_oom = &oom,
                     .types = cx->types,
                     .find_source = find_source,
                     .find_source_user = cx};
    c.max_nesting = (uint32_t)options[OPT_max_nesting];
    c.max_ops = (uint32_t)options[OPT_max_ops];
    c.max_loops = (uint32_t)options[OPT_max_loops];
    mem host = {host_alloc, &cx->mem};
    arena_init(&c.arena, &host, &oom);
    c.diags.arena = &c.arena;
    frame f = {&c, fn, arg, CPL_OK};
    worker_failure failure;
    worker_patience patience = {options[OPT_compile_timeout], how->cancel, NULL, cx};
    if (!how->through && context_may_stop(cx)) patience.stop = stop_waiting;
    bool ran = worker_run(cx->workers, frame_run, &f, &patience, &failure);
    if (!ran) f.status = failure.status;
    cpl_status status = !ran || f.status == CPL_ENOMEM ? f.status
                        : c.diags.errors               ? c.diags.status
                                                       : f.status;
    diag_deliver(&c.diags, find_source, cx, to);
    arena_free(&c.arena);
    char message[sizeof failure.message + 64] = "out of memory while compiling";
    if (failure.no_thread || status == CPL_ECANCELLED)
        snprintf(message, sizeof message, "%s", failure.message);
    else if (!ran && status != CPL_ENOMEM)
        snprintf(message, sizeof message, "the code generator failed: %s", failure.message);
    if (!ran || status == CPL_ENOMEM) report(cx, to, CPL_ERROR, status, (cpl_span){0}, message);
    return status;
}

static void tell(void *user, const cpl_diag *d)
{
    const cpl_context *cx = user;
    thread_tell(d, (diag_sink){cx->sink, cx->sink_user});
}

diag_sink context_sink(cpl_context *cx)
{
    return (diag_sink){tell, cx};
}

cpl_status context_compile(cpl_context *cx, const int64_t *options, comp_fn fn, void *arg)
{
    compile_call how = {.options = options, .sink = context_sink(cx)};
    return context_compile_as(cx, fn, arg, &how);
}

static cpl_status deliver(cpl_context *cx, cpl_severity severity, cpl_status status, cpl_span span,
                          const char *format, va_list args)
{
    char message[1024];
    vsnprintf(message, sizeof message, format, args);
    return report(cx, context_sink(cx), severity, status, span, message);
}

cpl_status context_report(cpl_context *cx, cpl_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    deliver(cx, CPL_ERROR, status, (cpl_span){0}, format, args);
    va_end(args);
    return status;
}

cpl_status context_no_memory(cpl_context *cx)
{
    return context_report(cx, CPL_ENOMEM, "out of memory");
}

cpl_status context_report_at(cpl_context *cx, cpl_status status, cpl_span span, const char *format,
                             ...)
{
    va_list args;
    va_start(args, format);
    deliver(cx, CPL_ERROR, status, span, format, args);
    va_end(args);
    return status;
}

void context_note(cpl_context *cx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    deliver(cx, CPL_NOTE, CPL_OK, (cpl_span){0}, format, args);
    va_end(args);
}

void context_warn(cpl_context *cx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    deliver(cx, CPL_WARNING, CPL_OK, (cpl_span){0}, format, args);
    va_end(args);
}
