/*
 * A loop's rounds in a share for each thread of a team. A thread takes piece after piece of its
 * own, then of those of others, until nothing is left: so nobody waits for one that is still asleep
 * or has the longer rounds, and mostly each has what it had the last time, in its own cache. R. D.
 * Blumofe and C. E. Leiserson, Scheduling multithreaded computations by work stealing, JACM 46(5),
 * 1999, with a counter in place of a deque, as no piece makes others.
 */
#include "runtime/share.h"

enum {
    PIECES = 8, /* the least is such a part of a share */
    LANES =
        16,    /* rounds of a piece are a multiple of it, where a share has as many, for vectors: */
    STEP = 64, /* what they leave is done one by one; of this, where there are many */
    LONG = 16 * STEP
};

/* Half of what is left of a share: few pieces, and small ones when it matters who does them. */
static int64_t piece_of(int64_t size, int64_t left)
{
    int64_t least = (size - 1) / PIECES + 1, half = left - left / 2;
    int64_t piece = half > least ? half : least;
    int64_t step = size >= LONG ? STEP : size >= LANES ? LANES : 1;
    piece = (piece + step - 1) / step * step;
    return piece < left ? piece : left;
}

/* The next piece of share k. */
static bool take(shares *all, int64_t k, int64_t rounds, int64_t size, int64_t *first, int64_t *end)
{
    _Atomic(int64_t) *taken = &all->of[k].taken;
    int64_t begin = k * size;
    int64_t most = rounds - begin < size ? rounds - begin : size;
    int64_t at = atomic_load_explicit(taken, memory_order_relaxed), n;
    do {
        if (at >= most) return false;
        n = piece_of(size, most - at);
    } while (!atomic_compare_exchange_weak_explicit(taken, &at, at + n, memory_order_relaxed,
                                                    memory_order_relaxed));
    *first = begin + at;
    *end = begin + at + n;
    return true;
}

bool share_next(shares *all, int64_t member, int64_t team, int64_t rounds, int64_t *first,
                int64_t *end)
{
    int64_t count = team < MOST_SHARES ? team : MOST_SHARES;
    int64_t size = (rounds - 1) / count + 1;
    for (int64_t k = 0; k < count; k++)
        if (take(all, (member + k) % count, rounds, size, first, end)) return true;
    return false;
}
