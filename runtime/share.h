/* The rounds of a parallel loop, dealt out in shares. */
#ifndef CPL_SHARE_H
#define CPL_SHARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MOST_SHARES = 64, SHARE_BYTES = 64 };

/* Of one loop; zero at first. In a cache line each. */
typedef struct shares {
    struct {
        _Atomic(int64_t) taken; /* rounds */
        char rest[SHARE_BYTES - sizeof(int64_t)];
    } of[MOST_SHARES];
} shares;

/* The next rounds for a member of a team; false when none are left. All members say the same team
 * and rounds, of which there are some. Any thread. */
bool share_next(shares *all, int64_t member, int64_t team, int64_t rounds, int64_t *first,
                int64_t *end);

#endif
