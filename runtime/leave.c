/*
 * Leaving compiled code in the middle: by itself, where its calls nest too deeply for the stack,
 * and by a signal. A thread of this file's, awake while there are calls that may take long, sends a
 * signal to those who have been at one for a while. On them the handler lets the poll function be
 * asked, and where the launch is to end goes back to where the call was made.
 *
 * Nothing is lost by that, as compiled code owns nothing but its stack: it takes no memory and no
 * locks. The handler leaves it only where the signal came to the code itself, not to what it calls:
 * a function of libm is soon done, and what the program registered is waited for.
 */
#include "runtime/leave.h"
#include "runtime/resolve.h"
#include "lib/support/thread.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <ucontext.h>

/* Ignored by default, and sent by the kernel to those alone who ask for it (socket(7)): what Go's
 * runtime uses for the same purpose, with the same reasons. */
enum { SIGNAL = SIGURG };

enum {
    TICK = 50,   /* ms */
    SOON = 2,    /* ms from tick to tick while somebody is to leave, */
    HASTE = 200, /* so many times */
    IDLE = 20,   /* ticks without such calls until the thread sleeps */
};

typedef struct place { /* to come back to; on the stack of the thread */
    struct place *outer;
    leave_code code;
    jmp_buf back;
    volatile int why; /* left */
} place;

/* A thread that makes such calls. */
typedef struct member {
    _Atomic(place *) innermost;
    atomic_uint calls; /* that are in no other */
    unsigned seen;     /* of them, at the last tick */
    bool listed;
    bool stack_known;
    uintptr_t stack_low, stack_high; /* both 0: nobody knows */
    pthread_t thread;
    struct member *before, *after;
} member;

static _Thread_local member own __attribute__((tls_model("initial-exec")));

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool started, failed; /* the thread */
    member *first;
    pthread_key_t at_end; /* of a member */
    atomic_bool asleep;
    atomic_int haste; /* ticks */
    struct sigaction before;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

/* --- on the thread that makes the call --- */

_Noreturn void leave_now(int why)
{
    place *p = own.innermost;
    p->why = why;
    _longjmp(p->back, 1);
}

static _Noreturn void leave_asked(void)
{
    leave_now(LEAVE_ASKED);
}

/* A stack without a limit would take all memory. */
enum { MOST_STACK = 256 << 20 };

/* For good: a thread's stack stays where it is. */
static void find_stack(void)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    own.stack_known = true;
    if (pthread_getattr_np(pthread_self(), &attributes)) return;
    if (!pthread_attr_getstack(&attributes, &low, &size)) {
        own.stack_high = (uintptr_t)low + size;
        own.stack_low = own.stack_high - (size < MOST_STACK ? size : MOST_STACK);
    }
    pthread_attr_destroy(&attributes);
}

const char *leave_stack_end(int64_t bytes)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!own.stack_known) find_stack();
    if (!atomic_load_explicit(&own.innermost, memory_order_relaxed)) return NULL;
    if (here < own.stack_low || here >= own.stack_high) return NULL;
    return (const char *)own.stack_low + bytes;
}

#if defined(__x86_64__)
static const char *code_at(const ucontext_t *u)
{
    return (const char *)u->uc_mcontext.gregs[REG_RIP];
}

/* As if it had been called, below the 128 bytes under the stack pointer that are the code's. */
static void continue_at(ucontext_t *u, void (*function)(void))
{
    greg_t *r = u->uc_mcontext.gregs;
    r[REG_RSP] = ((r[REG_RSP] - 256) & ~(greg_t)15) - 8;
    r[REG_RIP] = (greg_t)function;
}
#elif defined(__aarch64__)
static const char *code_at(const ucontext_t *u)
{
    return (const char *)u->uc_mcontext.pc;
}

static void continue_at(ucontext_t *u, void (*function)(void))
{
    u->uc_mcontext.sp = (u->uc_mcontext.sp - 256) & ~(unsigned long long)15;
    u->uc_mcontext.pc = (unsigned long long)function;
}
#else
#error "how a signal's handler changes where its thread goes on is not known here"
#endif

static void pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *s = &all.before;
    if (s->sa_flags & SA_SIGINFO) s->sa_sigaction(number, info, context);
    else if (s->sa_handler != SIG_DFL && s->sa_handler != SIG_IGN) s->sa_handler(number);
}

/* The poll function may do here what it may do anywhere: the code that was interrupted is in the
 * middle of no function of anybody's. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    int error = errno;
    const place *p = atomic_load(&own.innermost);
    const char *at = code_at(context);
    if (p && at >= p->code.begin && at < p->code.end && p->code.leaves(p->code.place))
        continue_at(context, leave_asked);
    if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &all)
        pass_on(number, info, context);
    errno = error;
}

leave_code leave_innermost(void)
{
    const place *p = atomic_load_explicit(&own.innermost, memory_order_relaxed);
    return p ? p->code : (leave_code){0};
}

void leave_soon(void)
{
    atomic_store(&all.haste, HASTE);
}

/* --- the thread that sends signals --- */

static bool somebody_calls(void)
{
    const member *m = all.first;
    while (m && !atomic_load(&m->innermost)) m = m->after;
    return m != NULL;
}

/* Under the lock. Whoever makes a call looks whether this sleeps, behind saying that he does. */
static void sleep_until_called(void)
{
    atomic_store(&all.asleep, true);
    if (somebody_calls()) atomic_store(&all.asleep, false);
    while (atomic_load(&all.asleep)) pthread_cond_wait(&all.wake, &all.lock);
}

static bool handles(const struct sigaction *s)
{
    return (s->sa_flags & SA_SIGINFO) && s->sa_sigaction == on_signal;
}

/* Whoever has set another handler since is not to hear of signals that are not for him. */
static void signal_all(void)
{
    struct sigaction now;
    bool ours = !sigaction(SIGNAL, NULL, &now) && handles(&now);
    for (member *m = all.first; m; m = m->after) {
        unsigned calls = atomic_load(&m->calls);
        if (ours && atomic_load(&m->innermost) && calls == m->seen)
            pthread_sigqueue(m->thread, SIGNAL, (union sigval){.sival_ptr = &all});
        m->seen = calls;
    }
}

static void *watch(void *unused)
{
    for (int idle = 0;;) {
        bool hastes = atomic_load(&all.haste) > 0;
        if (hastes) atomic_fetch_sub(&all.haste, 1);
        nanosleep(&(struct timespec){0, (hastes ? SOON : TICK) * 1000000L}, NULL);
        pthread_mutex_lock(&all.lock);
        signal_all();
        idle = somebody_calls() ? 0 : idle + 1;
        if (idle == IDLE) {
            sleep_until_called();
            idle = 0;
        }
        pthread_mutex_unlock(&all.lock);
    }
    return unused;
}

/* --- who makes such calls --- */

/* Of a child of the process, which has this thread alone. */
static void forked(void)
{
    all.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    all.wake = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    all.started = all.failed = false;
    all.first = NULL;
    atomic_store(&all.asleep, false);
    own.listed = false;
}

/* Restarts what it interrupts, where that can be. */
static bool install_handler(void)
{
    struct sigaction now, s = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&s.sa_mask);
    if (sigaction(SIGNAL, NULL, &now)) return false;
    if (handles(&now)) return true;
    all.before = now;
    return !sigaction(SIGNAL, &s, NULL);
}

static void leave_list(void *member_of_thread)
{
    member *m = member_of_thread;
    pthread_mutex_lock(&all.lock);
    if (m->before) m->before->after = m->after;
    else all.first = m->after;
    if (m->after) m->after->before = m->before;
    m->listed = false;
    pthread_mutex_unlock(&all.lock);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool can_list;

static void prepare(void)
{
    can_list = !pthread_key_create(&all.at_end, leave_list) && !pthread_atfork(NULL, NULL, forked);
}

/* False: calls on this thread cannot be left. */
static bool enlist(void)
{
    pthread_once(&once, prepare);
    if (!can_list || pthread_setspecific(all.at_end, &own)) return false;
    pthread_mutex_lock(&all.lock);
    if (!all.started && !all.failed) {
        all.started = install_handler() && thread_start_apart(0, watch, NULL) == 0;
        all.failed = !all.started;
    }
    own.listed = all.started;
    if (own.listed) {
        own.thread = pthread_self();
        own.before = NULL;
        own.after = all.first;
        if (all.first) all.first->before = &own;
        all.first = &own;
    }
    pthread_mutex_unlock(&all.lock);
    if (!own.listed) pthread_setspecific(all.at_end, NULL);
    return own.listed;
}

static void wake(void)
{
    pthread_mutex_lock(&all.lock);
    atomic_store(&all.asleep, false);
    pthread_cond_signal(&all.wake);
    pthread_mutex_unlock(&all.lock);
}

int leave_call(const leave_code *code, void (*call)(void *data), void *data)
{
    if (code->begin == code->end || (!own.listed && !enlist())) {
        call(data);
        return 0;
    }
    place here; /* `back` is large, and setjmp's to fill */
    here.outer = atomic_load_explicit(&own.innermost, memory_order_relaxed);
    here.code = *code;
    if (_setjmp(here.back)) {
        atomic_store_explicit(&own.innermost, here.outer, memory_order_release);
        return here.why;
    }
    if (!here.outer)
        atomic_store_explicit(&own.calls,
                              atomic_load_explicit(&own.calls, memory_order_relaxed) + 1,
                              memory_order_relaxed);
    atomic_store(&own.innermost, &here); /* before the look: see sleep_until_called */
    if (atomic_load(&all.asleep)) wake();
    call(data);
    atomic_store_explicit(&own.innermost, here.outer, memory_order_release);
    return 0;
}
