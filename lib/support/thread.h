/* Threads of the library's own, in a process whose signals are the host program's business. */
#ifndef CPL_THREAD_H
#define CPL_THREAD_H

#include <pthread.h>
#include <stddef.h>

/* For LLVM, ours or a driver's, which recurses: reserved, touched only as far as used. */
#define THREAD_STACK ((size_t)64 << 20)

/* Starts one; 0 or errno. The host's signals are none of its business, but for those about the
 * thread itself and its profiler. stack in bytes; 0: the system's. */
int thread_start(pthread_t *thread, size_t stack, void *(*run)(void *arg), void *arg);
/* The same of one that nobody waits for. */
int thread_start_apart(size_t stack, void *(*run)(void *arg), void *arg);

#endif
