/* xoshiro256** (D. Blackman, S. Vigna, Scrambled linear pseudorandom number generators, 2021),
 * seeded by splitmix64. */
#ifndef FUZZ_RNG_H
#define FUZZ_RNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rng {
    uint64_t s[4];
} rng;

static inline rng rng_seeded(uint64_t seed)
{
    rng r;
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        r.s[i] = z ^ (z >> 31);
    }
    return r;
}

static inline uint64_t rng_next(rng *r)
{
    uint64_t *s = r->s, x = s[1] * 5, result = ((x << 7) | (x >> 57)) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* In [0, n), for n small against 2^32. */
static inline uint32_t rng_below(rng *r, uint32_t n)
{
    return (uint32_t)((rng_next(r) >> 32) * n >> 32);
}

static inline bool rng_chance(rng *r, uint32_t percent)
{
    return rng_below(r, 100) < percent;
}

#endif
