/* Preloaded: a system that refuses threads. */
#include <errno.h>
#include <pthread.h>

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    (void)thread, (void)attr, (void)run, (void)arg;
    return EAGAIN;
}
