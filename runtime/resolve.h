/*
 * Where what generated host code calls is found: the closed list of abi.def. The loader gets
 * addresses from abi_resolve, never from a search of the process: what a host program happens to
 * export must not change what a kernel computes.
 */
#ifndef CPL_RESOLVE_H
#define CPL_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

struct abi_cut;
struct abi_place;

/*
 * resolve.c. The address of a symbol of abi.def or of a vector entry of libmvec (_ZGV...), NULL for
 * any other. Any thread.
 */
void *abi_resolve(const char *symbol);

/*
 * team.c. Finds the OpenMP runtime (see lib/dl/openmp.c) for the entries below; false when there is
 * none: loops then run on the thread that comes to them. place is an abi_place: one that has
 * threads of the host's needs no runtime. Any thread.
 */
bool team_open(const char *path);
/* Whether loops that this thread comes to run on it alone from now on; returns what held before. */
bool team_alone(bool on);
/* Why a launch on this thread ends before it is done: loops that its function comes to are left out
 * until somebody has taken note. 0: it does not. */
enum {
    TEAM_CANCELLED = 1, /* the context's poll function says so (abi_cut); = LEAVE_ASKED */
    TEAM_TOO_DEEP = 2, /* plus a site of the artifact: the function there calls itself too deeply */
};
extern _Thread_local int team_stop __attribute__((tls_model("initial-exec"), visibility("hidden")));
/* Why, and no longer: what the caller of the function asks. */
static inline int team_take_stop(void)
{
    if (__builtin_expect(!team_stop, 1)) return 0;
    int why = team_stop;
    team_stop = 0;
    return why;
}
/* leave.c has interrupted compiled code on this thread: whether it is to be left. Asks the
 * context's poll function, on the thread that is to be asked, and when it is time. */
bool team_leaves(const struct abi_place *place);
/* A loop on this thread; the next cut of its rounds, if there is to be one; whether it was cut. */
void team__cpl_alone(void *place, void *task, void *captures, int64_t rounds);
void team__cpl_look(void *place, struct abi_cut *cut);
int32_t team__cpl_share(void *place, int64_t member, int64_t rounds, int64_t *low, int64_t *high);
int32_t team__cpl_stopped(void);
/* For functions that call themselves: where the stack ends that they may use, and what they call
 * once they are there. */
void *team__cpl_stack_end(int64_t bytes);
void team__cpl_too_deep(int32_t site);
void team__kmpc_fork_call(void *place, int32_t count, void *task, ...);
int32_t team__kmpc_global_thread_num(void *place);
void team__kmpc_push_num_threads(void *place, int32_t thread, int32_t count);
int32_t team__kmpc_bound_num_threads(void *place);
void team__kmpc_dispatch_init_8(void *place, int32_t thread, int32_t schedule, int64_t low,
                                int64_t high, int64_t step, int64_t chunk);
int32_t team__kmpc_dispatch_next_8(void *place, int32_t thread, int32_t *last, int64_t *low,
                                   int64_t *high, int64_t *step);

#endif
