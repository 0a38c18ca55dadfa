/* Reductions and scans of numbers around the borders of the pieces that they are done in. */
#ifndef UNIT_ALGORITHMS_H
#define UNIT_ALGORITHMS_H

#include "device_world.h"

#include <cpl/algorithm.h>

/* Around the borders of pieces, of fours of them, and of a thread's part of a wave. */
static const int64_t lengths[] = {0,     1,     2,      63,     4031,   4032,
                                  4033,  8064,  16127,  16128,  16129,  36288,
                                  36289, 72577, 129024, 129025, 200003, 1000000};
enum { MOST = 1000000 };

static inline int64_t value_at(int64_t i)
{
    return (i * 2654435761 >> 7) % 1000;
}

/* With a sum. */
static inline cpl_scan_spec sums(void)
{
    cpl_scan_spec s;
    cpl_scan_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    return s;
}

#endif
