/*
 * Compilations that nobody waits for yet: a queue, and threads that are started as it grows. A
 * compilation holds its module, and is held by who began it; the threads hold nothing, so that none
 * of them ever lets the last reference go.
 */
#include "runtime/device/device.h"

#include "lib/support/thread.h"

#include "cpl/compile.h"

#include <unistd.h>

enum { MOST_THREADS = 16 };

typedef enum compile_state { COMPILE_QUEUED, COMPILE_RUNNING, COMPILE_DONE } compile_state;

/* What an argument points to. */
typedef struct pointee {
    cpl_bind bind;
    int64_t shape[CPL_MAX_DIMS], strides[CPL_MAX_DIMS];
} pointee;

struct cpl_compile {
    cpl_module *module; /* held */
    kernel_request request;
    kernel_finder find;
    bool soon;
    char *function, *target; /* owned, or NULL */
    cpl_arg args[MOST_ARGUMENTS];
    pointee pointees[MOST_ARGUMENTS];
    compile_state state; /* this and the next five under the lock */
    cpl_status status;
    cpl_kernel *kernel;     /* the module's */
    cpl_compile_fn on_done; /* or NULL */
    void *on_done_user;
    bool telling; /* on_done runs */
    atomic_bool cancelled;
    cpl_diag_list *said;
    struct cpl_compile *next; /* of the queue */
};

struct compile_queue {
    mem mem;
    pthread_mutex_t lock;
    pthread_cond_t more, done;
    pthread_t threads[MOST_THREADS];
    long count, most, idle;
    bool quit;
    cpl_compile *first;
};

compile_queue *compiles_create(const mem *m)
{
    compile_queue *all = mem_zalloc(m, sizeof *all);
    if (!all) return NULL;
    all->mem = *m;
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    all->most = cpus < 1 ? 1 : cpus > MOST_THREADS ? MOST_THREADS : cpus;
    pthread_mutex_init(&all->lock, NULL);
    context_condition(&all->more);
    context_condition(&all->done);
    return all;
}

void compiles_free(compile_queue *all)
{
    if (!all) return;
    pthread_mutex_lock(&all->lock);
    all->quit = true;
    pthread_cond_broadcast(&all->more);
    pthread_mutex_unlock(&all->lock);
    for (long i = 0; i < all->count; i++) pthread_join(all->threads[i], NULL);
    pthread_cond_destroy(&all->more);
    pthread_cond_destroy(&all->done);
    pthread_mutex_destroy(&all->lock);
    mem m = all->mem;
    mem_free(&m, all, sizeof *all);
}

/* --- the threads --- */

static void compile(cpl_compile *c)
{
    cpl_diag_list *before = cpl_diag_list_use(c->said);
    context_stop_by(&c->cancelled);
    cpl_kernel *k = NULL;
    cpl_status status = atomic_load(&c->cancelled) ? context_cancelled(module_context(c->module))
                                                   : c->find(&c->request, &k);
    if (!status && !c->soon) status = kernel_settle(k);
    context_stop_by(NULL);
    cpl_diag_list_use(before);
    c->status = status;
    c->kernel = status ? NULL : k;
}

/* Who asked for it hears that it is done; the lock is held, but not meanwhile. The compilation may
 * be gone afterwards, if nobody asked. */
static void tell_done(compile_queue *all, cpl_compile *c)
{
    if (!c->on_done) return;
    c->telling = true;
    pthread_mutex_unlock(&all->lock);
    c->on_done(c->on_done_user, c);
    pthread_mutex_lock(&all->lock);
    c->telling = false;
    pthread_cond_broadcast(&all->done);
}

static void *work(void *arg)
{
    compile_queue *all = arg;
    pthread_mutex_lock(&all->lock);
    while (!all->quit) {
        cpl_compile *c = all->first;
        if (!c) {
            all->idle++;
            pthread_cond_wait(&all->more, &all->lock);
            all->idle--;
            continue;
        }
        all->first = c->next;
        c->state = COMPILE_RUNNING;
        pthread_mutex_unlock(&all->lock);
        compile(c);
        pthread_mutex_lock(&all->lock);
        c->state = COMPILE_DONE;
        pthread_cond_broadcast(&all->done);
        tell_done(all, c);
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* The lock is held. */
static void start_thread(compile_queue *all)
{
    if (thread_start(&all->threads[all->count], 0, work, all) == 0) all->count++;
}

static compile_queue *compiles_of(const cpl_compile *c)
{
    const runtime_state *s = context_runtime(module_context(c->module)); /* made by now */
    return s->compiles;
}

/* False when there is no thread that will ever come to it. */
static bool enqueue(cpl_compile *c)
{
    compile_queue *all = compiles_of(c);
    pthread_mutex_lock(&all->lock);
    cpl_compile **at = &all->first;
    long waiting = 1;
    for (; *at; at = &(*at)->next) waiting++;
    if (waiting > all->idle && all->count < all->most) start_thread(all);
    bool ok = all->count > 0;
    if (ok) *at = c;
    pthread_cond_signal(&all->more);
    pthread_mutex_unlock(&all->lock);
    return ok;
}

/* --- what is asked for --- */

static void free_compile(cpl_compile *c)
{
    cpl_module *module = c->module;
    const mem *m = context_mem(module_context(module));
    cpl_diag_list_free(c->said);
    mem_strfree(m, c->function);
    mem_strfree(m, c->target);
    mem_free(m, c, sizeof *c);
    cpl_module_release(module);
}

static bool copy_text(const mem *m, const char *text, char **copy)
{
    *copy = text ? mem_strdup(m, text) : NULL;
    return *copy || !text;
}

/* An argument with what it points to, but for arrays' elements. */
static bool copy_argument(cpl_compile *c, size_t i, const cpl_arg *from)
{
    cpl_arg *to = &c->args[i];
    pointee *p = &c->pointees[i];
    *to = *from;
    if (from->kind == CPL_ARG_BOUND && from->data) {
        p->bind = *(const cpl_bind *)from->data;
        to->data = &p->bind;
        if (!binds_text(&p->bind) || !p->bind.text) return true;
        return (p->bind.text = module_text(c->module, p->bind.text)) != NULL;
    }
    if (from->kind != CPL_ARG_ARRAY || from->dims < 1 || from->dims > CPL_MAX_DIMS) return true;
    size_t size = (size_t)from->dims * sizeof *p->shape;
    if (from->shape) to->shape = memcpy(p->shape, from->shape, size);
    if (from->strides) to->strides = memcpy(p->strides, from->strides, size);
    return true;
}

static bool copy_request(cpl_compile *c, const kernel_request *r)
{
    const mem *m = context_mem(module_context(c->module));
    c->request = *r;
    bool ok = copy_text(m, r->function, &c->function) && copy_text(m, r->target, &c->target) &&
              !cpl_diag_list_create(&c->said);
    for (size_t i = 0; i < r->count && ok; i++) ok = copy_argument(c, i, &r->args[i]);
    c->request.function = c->function;
    c->request.target = c->target;
    c->request.args = c->args;
    return ok;
}

cpl_status compile_begin(const kernel_request *r, kernel_finder find, bool soon,
                         cpl_compile **compile)
{
    cpl_context *cx = module_context(r->module);
    cpl_status status = CPL_OK;
    cpl_compile *c = mem_zalloc(context_mem(cx), sizeof *c);
    if (!c) return context_no_memory(cx);
    c->module = r->module;
    c->find = find;
    c->soon = soon;
    cpl_module_retain(c->module);
    if (!copy_request(c, r)) status = context_no_memory(cx);
    else if (!enqueue(c))
        status = context_report(cx, CPL_ENOMEM, "no thread could be started that would compile");
    if (status) free_compile(c);
    else *compile = c;
    return status;
}

cpl_status cpl_compile_done(cpl_compile *compile, bool *done)
{
    if (done) *done = false;
    if (MISSING("compile done", compile, done)) return CPL_EARG;
    cpl_context *cx = module_context(compile->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    compile_queue *all = compiles_of(compile);
    pthread_mutex_lock(&all->lock);
    *done = compile->state == COMPILE_DONE;
    pthread_mutex_unlock(&all->lock);
    return CPL_OK;
}

cpl_status cpl_compile_notify(cpl_compile *compile, cpl_compile_fn fn, void *user)
{
    if (MISSING("compile fn", compile, NOT_NULL(fn))) return CPL_EARG;
    cpl_context *cx = module_context(compile->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    compile_queue *all = compiles_of(compile);
    pthread_mutex_lock(&all->lock);
    bool first = !compile->on_done;
    if (first) {
        compile->on_done = fn;
        compile->on_done_user = user;
        if (compile->state == COMPILE_DONE) tell_done(all, compile);
    }
    pthread_mutex_unlock(&all->lock);
    if (first) return CPL_OK;
    return thread_report(CPL_EARG, "a compilation has a function that is called when it is done");
}

/* The lock is held, but not meanwhile. end NULL: there is none. */
static cpl_status wait_until(compile_queue *all, const cpl_compile *c, const struct timespec *end)
{
    cpl_context *cx = module_context(c->module);
    cpl_status status = CPL_OK;
    while (c->state != COMPILE_DONE && !status)
        status = context_doze(cx, &all->done, &all->lock, end);
    return c->state == COMPILE_DONE ? CPL_OK : status;
}

cpl_status cpl_compile_wait(cpl_compile *compile, int64_t ms, cpl_kernel **kernel)
{
    if (kernel) *kernel = NULL;
    if (MISSING("compile", compile)) return CPL_EARG;
    cpl_context *cx = module_context(compile->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    compile_queue *all = compiles_of(compile);
    struct timespec end = context_until(ms < 0 ? 0 : ms);
    pthread_mutex_lock(&all->lock);
    cpl_status status = wait_until(all, compile, ms < 0 ? NULL : &end);
    pthread_mutex_unlock(&all->lock);
    if (status == CPL_ETIMEDOUT) return status;
    if (status) return context_cancelled(cx);
    diag_list_replay(compile->said, context_sink(cx)); /* it is done: nobody writes it any more */
    if (!compile->status && kernel) {
        cpl_module_retain(compile->kernel->module); /* as cpl_kernel_retain */
        *kernel = compile->kernel;
    }
    return compile->status;
}

/* True when a thread is at it; the lock is held, but not while somebody is told. */
static bool give_up(compile_queue *all, cpl_compile *c)
{
    atomic_store(&c->cancelled, true);
    if (c->state != COMPILE_QUEUED) return c->state == COMPILE_RUNNING;
    cpl_compile **at = &all->first;
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    cpl_diag_list *before = cpl_diag_list_use(c->said);
    c->status = thread_report(CPL_ECANCELLED, "the compilation was cancelled");
    cpl_diag_list_use(before);
    c->state = COMPILE_DONE;
    pthread_cond_broadcast(&all->done);
    tell_done(all, c);
    return false;
}

void cpl_compile_cancel(cpl_compile *compile)
{
    if (!compile || context_forked(module_context(compile->module))) return;
    compile_queue *all = compiles_of(compile);
    pthread_mutex_lock(&all->lock);
    bool runs = give_up(all, compile);
    pthread_mutex_unlock(&all->lock);
    if (runs) context_wake(module_context(compile->module));
}

void cpl_compile_release(cpl_compile *compile)
{
    if (!compile || context_forked(module_context(compile->module))) return;
    cpl_compile_cancel(compile);
    compile_queue *all = compiles_of(compile);
    pthread_mutex_lock(&all->lock);
    while (compile->state != COMPILE_DONE || compile->telling)
        pthread_cond_wait(&all->done, &all->lock);
    pthread_mutex_unlock(&all->lock);
    free_compile(compile);
}
