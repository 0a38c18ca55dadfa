/*
 * Recording what include/cpl/profile.h shows. Whoever launches, copies or compiles asks profile_on
 * first, one load; only then is there anything to do.
 *
 *     profile_event e = {CPL_PROFILE_KERNEL, "axpb", "cuda:0", queue_number, bytes,
 *                        profile_now(cx), 0};
 *     ... launch between two events of the device ...
 *     profile_later(cx, &e, elapsed, pair_of_events);
 *
 * profile.c  records, sums up      profile_write.c  CSV, JSON, Chrome's trace events
 */
#ifndef CPL_RUNTIME_PROFILE_H
#define CPL_RUNTIME_PROFILE_H

#include "lib/driver/border.h"

#include "cpl/profile.h"

typedef struct profile profile;

/* One launch, copy or compilation. Texts are copied. */
typedef struct profile_event {
    cpl_profile_what what;
    const char *name, *device; /* as in cpl_profile_span */
    uint32_t queue;
    uint64_t bytes;
    /* profile_now when it was given to the device, or began on the host */
    uint64_t begin_ns;
    uint64_t end_ns;           /* for profile_add */
    char why[CPL_PROFILE_WHY]; /* of a choice; else empty */
} profile_event;

/*
 * How long a launch took on its device, in ns, once it is over: waits for it. Returns false when
 * that cannot be told (it failed): it is then left out. Called once, for each event handed over;
 * frees token. ns NULL: nobody wants to know any more, do not wait.
 */
typedef bool (*profile_duration_fn)(void *token, uint64_t *ns);

/* One load. Any thread. */
bool profile_on(cpl_context *cx);
/* Nanoseconds since profiling was turned on first. Any thread. */
uint64_t profile_now(cpl_context *cx);
/* Records what is over: launches on the host, compilations (COMPILE, its name and device those of
 * the kernel). Any thread. */
void profile_add(cpl_context *cx, const profile_event *e);
/* Records what a device may still be at. It begins on the scale of profile_now when it was given to
   its queue, or behind what that queue did before. When memory is out, duration is called at once
   with NULL. Any thread. */
void profile_later(cpl_context *cx, const profile_event *e, profile_duration_fn duration,
                   void *token);

/* Forgets what devices have not answered for (their queues are about to go). Any thread. */
void profile_drop_pending(cpl_context *cx);

/* One a context, in its runtime_state. NULL when out of memory. */
profile *profile_create(const mem *m);
/* NULL is allowed. */
void profile_free(const mem *m, profile *p);

#endif
