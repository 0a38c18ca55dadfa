/* Runs a kernel's code on the host, on the thread of the call. */
#include "runtime/runtime.h"
#include "runtime/leave.h"
#include "runtime/profile.h"
#include "runtime/resolve.h"

#include <stdatomic.h>

/* A launch that was not done. */
static cpl_status ended(const cpl_kernel *k, int why)
{
    cpl_context *cx = module_context(k->module);
    size_t site = (size_t)why - TEAM_TOO_DEEP;
    if (why >= TEAM_TOO_DEEP && site < k->artifact.site_count)
        return context_report_at(cx, CPL_ERECURSION, k->artifact.sites[site].span,
                                 "'%s' calls itself without end, or too deeply for the stack of a "
                                 "thread: what the launch writes is written in part",
                                 k->artifact.sites[site].func);
    return context_report(cx, CPL_ECANCELLED,
                          "'%s' was cancelled: what it writes is written in part", k->function);
}

typedef struct code_call {
    packed_fn packed;
    const void *const *pointers;
    void *result;
} code_call;

static void call_packed(void *data)
{
    const code_call *c = data;
    c->packed(c->pointers, c->result);
}

/* 0, or why it was left. */
static int call_leaving(const cpl_kernel *k, const code_call *c)
{
    packed_fn quick = NULL;
    if (k->quick_code.packed) memcpy(&quick, &k->quick_code.packed, sizeof quick);
    const loaded_code *code = c->packed == quick ? &k->quick_code : &k->code;
    leave_code leaves = {.begin = code->begin,
                         .end = code->end,
                         .place = context_place(module_context(k->module)),
                         .leaves = team_leaves};
    return leave_call(&leaves, call_packed, (void *)c);
}

/* For so many rounds. */
static cpl_status call_long(cpl_kernel *k, const binding *b, int64_t rounds, void *result)
{
    cpl_status status = CPL_OK;
    if (atomic_load_explicit(&k->quick, memory_order_acquire) && rounds > k->artifact.quick_rounds)
        status = tier_finish(k);
    if (status) return status;
    code_call c = {atomic_load_explicit(&k->packed, memory_order_acquire), b->pointers, result};
    int left = call_leaving(k, &c), why = team_take_stop();
    if (left) why = left;
    return why ? ended(k, why) : CPL_OK;
}

static inline cpl_status call_code(cpl_kernel *k, const binding *b, int64_t rounds, void *result)
{
    if (rounds >= k->plain_below) return call_long(k, b, rounds, result);
    atomic_load_explicit(&k->packed, memory_order_acquire)(b->pointers, result);
    int why = team_take_stop();
    return why ? ended(k, why) : CPL_OK;
}

cpl_status kernel_run(cpl_kernel *k, const binding *b, int64_t rounds, void *result)
{
    cpl_status status = call_code(k, b, rounds, result);
    if (!status) binding_returned(b, &k->artifact, result);
    return status;
}

/* Runs a kernel and records it. */
static cpl_status run_profiled(cpl_kernel *k, const binding *b, const cpl_arg *args, size_t count,
                               int64_t rounds, void *result)
{
    cpl_context *cx = module_context(k->module);
    profile_event e = {.what = CPL_PROFILE_KERNEL,
                       .name = k->function,
                       .device = "host",
                       .begin_ns = profile_now(cx)};
    cpl_status status = call_code(k, b, rounds, result);
    e.end_ns = profile_now(cx);
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY) e.bytes += arg_bytes(&args[i]);
    profile_add(cx, &e);
    return status;
}

cpl_status kernel_run_bound(cpl_kernel *k, binding *b, const cpl_arg *args, size_t count,
                            int64_t rounds, void *result)
{
    uint64_t ignored[2];
    if (k->artifact.elementwise && rounds == 0) return CPL_OK; /* other dimensions may be endless */
    if (!result) result = ignored;
    cpl_status status = profile_on(module_context(k->module))
                            ? run_profiled(k, b, args, count, rounds, result)
                            : call_code(k, b, rounds, result);
    if (status) return status;
    binding_returned(b, &k->artifact, result);
    return b->fault.taken ? cpl_kernel_report(k, &b->fault) : CPL_OK;
}

cpl_status kernel_run_values(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t rounds,
                             void *result)
{
    binding b;
    cpl_status status = args_bind(module_context(k->module), &k->artifact, args, count, rounds, &b);
    return status ? status : kernel_run_bound(k, &b, args, count, rounds, result);
}
