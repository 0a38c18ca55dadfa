/* Arrays of several dimensions with numbers in them, and the same numbers in order of the indices.
 */
#ifndef CPL_TEST_ND_H
#define CPL_TEST_ND_H

#include "device_world.h"
#include "libomp_leaks.h"

#include <cpl/numeric.h>

#include <math.h>

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))
enum { MOST = CPL_MAX_DIMS };
__extension__ typedef _Float16 half;

/* --- arrays and what is in them --- */

typedef struct nd {
    cpl_array *array, *memory; /* memory: what it is a view of, or NULL */
    cpl_array_info info;
    double *values; /* in order of the indices */
} nd;

static uint32_t lottery = 1;
static inline int drawn(int below)
{
    lottery = lottery * 1664525u + 1013904223u;
    return (int)((lottery >> 8) % (uint32_t)below);
}

static inline double get(cpl_dtype d, const void *at, int64_t i)
{
    switch (d) {
    case CPL_BOOL: return ((const bool *)at)[i];
    case CPL_INT8: return ((const int8_t *)at)[i];
    case CPL_INT16: return ((const int16_t *)at)[i];
    case CPL_INT32: return ((const int32_t *)at)[i];
    case CPL_INT64: return (double)((const int64_t *)at)[i];
    case CPL_UINT8: return ((const uint8_t *)at)[i];
    case CPL_UINT16: return ((const uint16_t *)at)[i];
    case CPL_UINT32: return ((const uint32_t *)at)[i];
    case CPL_UINT64: return (double)((const uint64_t *)at)[i];
    case CPL_FLOAT16: return (double)((const half *)at)[i];
    case CPL_FLOAT32: return ((const float *)at)[i];
    default: return ((const double *)at)[i];
    }
}

static inline void put(cpl_dtype d, void *at, int64_t i, double v)
{
    switch (d) {
    case CPL_BOOL: ((bool *)at)[i] = v != 0; break;
    case CPL_INT8: ((int8_t *)at)[i] = (int8_t)v; break;
    case CPL_INT16: ((int16_t *)at)[i] = (int16_t)v; break;
    case CPL_INT32: ((int32_t *)at)[i] = (int32_t)v; break;
    case CPL_INT64: ((int64_t *)at)[i] = (int64_t)v; break;
    case CPL_UINT8: ((uint8_t *)at)[i] = (uint8_t)v; break;
    case CPL_UINT16: ((uint16_t *)at)[i] = (uint16_t)v; break;
    case CPL_UINT32: ((uint32_t *)at)[i] = (uint32_t)v; break;
    case CPL_UINT64: ((uint64_t *)at)[i] = (uint64_t)v; break;
    case CPL_FLOAT16: ((half *)at)[i] = (half)v; break;
    case CPL_FLOAT32: ((float *)at)[i] = (float)v; break;
    default: ((double *)at)[i] = v;
    }
}

static inline void look(world *w, nd *x)
{
    x->info.size = sizeof x->info;
    OK(w, cpl_array_info_get(x->array, &x->info));
}

static inline void read_values(world *w, nd *x)
{
    look(w, x);
    void *raw = malloc((size_t)x->info.length * x->info.element_size + 1);
    x->values = malloc((size_t)x->info.length * sizeof(double) + 1);
    OK(w, cpl_array_read(x->array, NULL, raw, NULL));
    for (int64_t i = 0; i < x->info.length; i++) x->values[i] = get(x->info.dtype, raw, i);
    free(raw);
}

static inline void release(nd *x)
{
    cpl_array_release(x->array);
    cpl_array_release(x->memory);
    free(x->values);
}

/* Elements of a larger array, at every second place or backwards, unless dense. */
static inline void choose(cpl_array_options *o, const cpl_array_info *whole, bool gaps)
{
    int64_t offset = 0;
    for (int i = 0; i < o->dims; i++) {
        bool back = gaps && drawn(3) == 0, wide = gaps && drawn(2);
        o->strides[i] = whole->strides[i] * (wide ? 2 : 1);
        if (back && o->shape[i]) {
            offset += (o->shape[i] - 1) * o->strides[i];
            o->strides[i] = -o->strides[i];
        }
    }
    for (int i = 0; i < o->dims; i++)
        if (!o->shape[i]) offset = 0;
    o->offset = (size_t)offset;
}

/* Small whole numbers, which every type has. */
static inline nd make(world *w, cpl_device *d, cpl_dtype type, int dims, const int64_t *shape,
                      bool gaps)
{
    nd x = {0};
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = type;
    o.dims = dims;
    for (int i = 0; i < dims; i++) o.shape[i] = gaps ? 2 * shape[i] : shape[i];
    OK(w, cpl_array_create_with(w->cx, d, &o, &x.memory));
    cpl_array_info whole = {.size = sizeof whole};
    OK(w, cpl_array_info_get(x.memory, &whole));
    void *raw = malloc((size_t)whole.length * whole.element_size + 1);
    for (int64_t i = 0; i < whole.length; i++) put(type, raw, i, drawn(type == CPL_BOOL ? 2 : 7));
    OK(w, cpl_array_write(x.memory, NULL, raw, NULL));
    free(raw);
    memcpy(o.shape, shape, (size_t)dims * sizeof *shape);
    choose(&o, &whole, gaps);
    OK(w, cpl_array_view(x.memory, &o, &x.array));
    read_values(w, &x);
    return x;
}

/* The value that lies at the index of a larger space. */
static inline double value_at(const nd *x, int dims, const int64_t *at)
{
    int64_t i = 0;
    for (int d = 0; d < x->info.dims; d++) {
        int64_t k = at[dims - x->info.dims + d];
        i = i * x->info.shape[d] + (x->info.shape[d] == 1 ? 0 : k);
    }
    return x->values[i];
}

static inline bool next(int dims, const int64_t *shape, int64_t *at)
{
    for (int d = dims; d-- > 0;) {
        if (++at[d] < shape[d]) return true;
        at[d] = 0;
    }
    return false;
}

static inline int64_t size_of(int dims, const int64_t *shape)
{
    int64_t n = 1;
    for (int d = 0; d < dims; d++) n *= shape[d];
    return n;
}

static inline void check_shape(const nd *x, int dims, const int64_t *shape, const char *what)
{
    if (x->info.dims != dims) fail_msg("%s: %d dimensions, not %d", what, x->info.dims, dims);
    for (int d = 0; d < dims; d++)
        if (x->info.shape[d] != shape[d])
            fail_msg("%s: dimension %d has %lld elements, not %lld", what, d,
                     (long long)x->info.shape[d], (long long)shape[d]);
}

static inline void same(double got, double expected, const char *what, int64_t i)
{
    if (got == expected || (isnan(got) && isnan(expected))) return;
    fail_msg("%s: element %lld is %g, not %g", what, (long long)i, got, expected);
}

/* --- shapes --- */

static inline int draw_shape(int64_t *shape)
{
    static const int64_t extents[] = {1, 1, 2, 3, 4, 5};
    int dims = drawn(6);
    for (int d = 0; d < dims; d++) shape[d] = extents[drawn(COUNT_OF(extents))];
    if (dims && drawn(12) == 0) shape[drawn(dims)] = 0;
    if (dims && dims < 3 && drawn(4) == 0) shape[drawn(dims)] = 700;
    return dims;
}

static const cpl_dtype all_types[] = {CPL_BOOL,   CPL_INT8,    CPL_INT16,   CPL_INT32,
                                      CPL_INT64,  CPL_UINT8,   CPL_UINT16,  CPL_UINT32,
                                      CPL_UINT64, CPL_FLOAT16, CPL_FLOAT32, CPL_FLOAT64};

#endif
