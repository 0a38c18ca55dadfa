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

static bool is_earlier(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

cpl_status context_doze(cpl_context *cx, pthread_cond_t *condition, pthread_mutex_t *lock,
                        const struct timespec *end)
{
    struct timespec now = context_until(0), next = context_until(CANCEL_MS);
    bool asks = context_may_stop(cx);
    if (end && !is_earlier(&now, end)) return CPL_ETIMEDOUT;
    if (end && (!asks || is_earlier(end, &next))) next = *end;
    if (end || asks) pthread_cond_timedwait(condition, lock, &next);
    else pthread_cond_wait(condition, lock);
    if (!asks) return CPL_OK;
    pthread_mutex_unlock(lock);
    bool stopped = context_stopped(cx);
    pthread_mutex_lock(lock);
    return stopped ? CPL_ECANCELLED : CPL_OK;
}
