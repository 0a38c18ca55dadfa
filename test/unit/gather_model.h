/* What takes, scatters, compactions and partitions are tested with: elements of every type,
 * structs, and a kernel file of conditions. */
#ifndef GATHER_MODEL_H
#define GATHER_MODEL_H

#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/gather.h>

static const char kernels[] = "from cpl import struct\n"
                              "@struct\n"
                              "class Item:\n"
                              "    weight: 'double'\n"
                              "    number: 'int'\n"
                              "    tag: 'char'\n"
                              "def is_odd(i, x, y):\n"
                              "    return x[i] % 2 == 1\n"
                              "def is_heavy(i, s, least):\n"
                              "    return s[i].weight >= least\n";

typedef struct item {
    double weight;
    int32_t number;
    int8_t tag;
} item;

/* Around the borders of pieces. */
static const int64_t lengths[] = {0, 1, 2, 17, 4095, 4096, 4097, 20480, 100003};
enum { MOST = 100003, BIG = 20001 };
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

static const cpl_dtype types[] = {CPL_BOOL,   CPL_INT8,    CPL_INT16,   CPL_INT32,
                                  CPL_INT64,  CPL_UINT8,   CPL_UINT16,  CPL_UINT32,
                                  CPL_UINT64, CPL_FLOAT16, CPL_FLOAT32, CPL_FLOAT64};

static inline int set_up_kernels(void **state)
{
    return set_up_source(state, "gather.py", kernels);
}

/* Any bits, NaN with signs and payloads among them. */
static inline void *some_bits(cpl_dtype d, int64_t n)
{
    size_t size = cpl_dtype_size(d);
    char *x = malloc((size_t)(n + 1) * size);
    for (int64_t i = 0; i < n; i++) {
        uint64_t raw = scrambled((uint64_t)i + 1);
        if (d == CPL_BOOL) raw &= 1;
        if (i % 5 == 0 && d == CPL_FLOAT64) raw |= 0xFFF0000000000001u;
        if (i % 5 == 0 && d == CPL_FLOAT32) raw |= 0xFF800001u;
        if (i % 5 == 0 && d == CPL_FLOAT16) raw |= 0xFC01u;
        memcpy(x + (size_t)i * size, &raw, size);
    }
    return x;
}

static inline item *some_items(int64_t n)
{
    item *s = calloc((size_t)n + 1, sizeof *s);
    for (int64_t i = 0; i < n; i++)
        s[i].weight = (double)(scrambled((uint64_t)i) % 1000), s[i].number = (int32_t)i,
        s[i].tag = (int8_t)(i % 100);
    return s;
}

static inline cpl_arg item_arg(world *w, item *s, int64_t n)
{
    cpl_arg arg = cpl_arg_array(CPL_VOID, s, n);
    OK(w, cpl_type_parse(w->cx, "Item", &arg.record));
    return arg;
}

static inline cpl_gather_spec spec_of(const cpl_arg *indices, const cpl_arg *out)
{
    cpl_gather_spec s;
    cpl_gather_spec_init(&s);
    s.indices = indices;
    s.out = out;
    return s;
}

static inline void same_element(const void *got, const void *from, size_t size, int64_t i,
                                int64_t k)
{
    if (memcmp((const char *)got + (size_t)i * size, (const char *)from + (size_t)k * size, size))
        fail_msg("element %lld of %zu bytes is not number %lld", (long long)i, size, (long long)k);
}

typedef cpl_status chooses(cpl_module *module, const cpl_choice *choice,
                           const cpl_launch_options *options, const cpl_arg *args, size_t count);
static chooses *const both[] = {cpl_compact, cpl_partition};

#endif
