/* A 64-bit hash for tables: 8 bytes a step, multiply and fold (the mixing step of wyhash). Not for
 * hostile collisions. */
#include "lib/support/support.h"

static uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed)
{
    const unsigned char *p = bytes;
    uint64_t h = seed ^ 0x9e3779b97f4a7c15u ^ size;
    for (; size >= 8; size -= 8, p += 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = mix(h ^ word, 0xa0761d6478bd642fu);
    }
    uint64_t tail = 0;
    if (size) memcpy(&tail, p, size);
    return mix(h ^ tail, 0xe7037ed1a0b428dbu);
}
