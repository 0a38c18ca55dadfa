/* Calls that end before they are done: who says so, and how long to wait until asking. */
#include "lib/driver/driver.h"

static _Thread_local const atomic_bool *own_flag __attribute__((tls_model("initial-exec")));

void cpl_context_set_poll(cpl_context *context, cpl_poll_fn poll, void *user)
{
    if (!context) return;
    context->place.poll = poll;
    context->place.poll_user = user;
}

void context_stop_by(const atomic_bool *flag)
{
    own_flag = flag;
}

bool context_may_stop(const cpl_context *cx)
{
    return own_flag || cx->place.poll;
}

bool context_stopped(cpl_context *cx)
{
    if (own_flag) return atomic_load(own_flag);
    return cx->place.poll && cx->place.poll(cx->place.poll_user);
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
