/* Time that never runs backwards. */
#ifndef CPL_CLOCK_H
#define CPL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline double now_ms(void)
{
    return (double)now_ns() * 1e-6;
}

#endif
