/* The frame in which every compilation runs. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"
#include "lib/target/guard.h"

#include <stdio.h>

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
                     .find_source = context_find_source,
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
    diag_deliver(&c.diags, context_find_source, cx, to);
    arena_free(&c.arena);
    char message[sizeof failure.message + 64] = "out of memory while compiling";
    if (failure.no_thread || status == CPL_ECANCELLED)
        snprintf(message, sizeof message, "%s", failure.message);
    else if (!ran && status != CPL_ENOMEM)
        snprintf(message, sizeof message, "the code generator failed: %s", failure.message);
    if (!ran || status == CPL_ENOMEM)
        context_tell(cx, to, CPL_ERROR, status, (cpl_span){0}, message);
    return status;
}

cpl_status context_compile(cpl_context *cx, const int64_t *options, comp_fn fn, void *arg)
{
    compile_call how = {.options = options, .sink = context_sink(cx)};
    return context_compile_as(cx, fn, arg, &how);
}
