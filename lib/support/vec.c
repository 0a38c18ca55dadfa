/* Growth of arena vectors: doubling; the old storage stays in the arena until it is freed. */
#include "lib/support/support.h"

void *vec_grow(arena *a, void *at, uint32_t n, uint32_t *capacity, size_t item_size)
{
    uint32_t wanted = *capacity ? *capacity * 2 : 8;
    if (wanted <= *capacity) longjmp(*a->on_oom, 1);
    void *bigger = arena_array(a, wanted, item_size);
    if (n) memcpy(bigger, at, n * item_size);
    *capacity = wanted;
    return bigger;
}
