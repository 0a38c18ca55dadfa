/*
 * A parallel loop on the threads of the host program (cpl/threads.h), and on one thread: what
 * stands behind the entries of OpenMP where OpenMP does not, in libcpl.so and in
 * libcplrt_threads.a.
 */
#ifndef CPLRT_FORK_H
#define CPLRT_FORK_H

#include "cpl/threads.h"

#include <stdbool.h>
#include <stdint.h>

/* As generated code has it: lib/codegen/gen_fork.c. */
typedef void (*fork_task)(int32_t *thread, int32_t *member, void *captures, int64_t rounds);

enum { FORK_GUIDED = 36 }; /* of LLVM's OpenMP runtime, enum sched_type */

/* Runs a task on up to `most` of the threads, 0: all of them; threads NULL, or inside of another
 * such loop: on this thread alone. Any thread. */
void cplrt_fork(const cpl_threads *threads, int32_t most, fork_task task, void *captures,
                int64_t rounds);

/* For a task that is run by it, on its thread. */
bool cplrt_fork_inside(void); /* there is such a task */
int32_t cplrt_fork_workers(void);
/* It takes rounds of [low, high] on demand: chunk of them at a time, or guided: more at first. All
 * workers say the same. */
void cplrt_fork_deal(int64_t low, int64_t high, int64_t chunk, bool guided);
/* The next ones, the last included; false when there are none left. */
bool cplrt_fork_next(int64_t *low, int64_t *high);

#endif
