#include "lib/support/thread.h"

#include "lib/support/support.h"

#include <errno.h>
#include <signal.h>

int thread_start(pthread_t *thread, size_t stack, void *(*run)(void *arg), void *arg)
{
    static const int kept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < COUNT_OF(kept); i++) sigdelset(&blocked, kept[i]);
    pthread_attr_t attr;
    if (pthread_attr_init(&attr)) return ENOMEM;
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    int error = stack ? pthread_attr_setstacksize(&attr, stack) : 0;
    if (!error) error = pthread_create(thread, &attr, run, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return error;
}

int thread_start_apart(size_t stack, void *(*run)(void *arg), void *arg)
{
    pthread_t thread;
    int error = thread_start(&thread, stack, run, arg);
    if (!error) pthread_detach(thread);
    return error;
}
