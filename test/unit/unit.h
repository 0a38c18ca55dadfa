/* What every unit test includes: cmocka with the headers it asks for, and an allocator whose n-th
 * request fails. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Counts requests and live bytes, from any thread; the request number fail_at (from 1; 0: none) and
 * all behind it get NULL. */
typedef struct flaky {
    atomic_long requests;
    long fail_at;
    atomic_long live_bytes;
} flaky;

static inline void *flaky_alloc(void *user, void *block, size_t old_size, size_t new_size)
{
    flaky *f = user;
    if (new_size == 0) {
        f->live_bytes -= (long)old_size;
        free(block);
        return NULL;
    }
    long n = ++f->requests;
    if (f->fail_at && n >= f->fail_at) return NULL;
    void *p = realloc(block, new_size);
    if (p) f->live_bytes += (long)new_size - (long)(block ? old_size : 0);
    return p;
}

/* Of the cases only those that CPL_TEST_CASES names, with * and ? as cmocka has them. */
__attribute__((constructor)) static void choose_cases(void)
{
    const char *names = getenv("CPL_TEST_CASES");
    if (names) cmocka_set_test_filter(names);
}

/* How often a test repeats: what keeps it to seconds; with CPL_TEST_FULL=1, as ./dev trust sets it,
 * what backs a promise. */
static inline long test_rounds(long usual, long full)
{
    const char *text = getenv("CPL_TEST_FULL");
    return text && *text && *text != '0' ? full : usual;
}

/* Bits that look random, the same ones for a number: the finaliser of SplitMix64. */
static inline uint64_t scrambled(uint64_t i)
{
    i = (i ^ i >> 30) * 0xBF58476D1CE4E5B9u;
    i = (i ^ i >> 27) * 0x94D049BB133111EBu;
    return i ^ i >> 31;
}

#endif
