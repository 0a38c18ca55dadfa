/* How the elements of an array argument lie: its shape and strides, and what they cover. */
#include "runtime/runtime.h"

const cpl_type *arg_elements(type_table *types, const cpl_arg *arg)
{
    return arg->record ? arg->record : type_scalar(types, arg->dtype);
}

cpl_arg arg_of_elements(const cpl_type *type, void *data, int64_t length)
{
    cpl_arg arg = cpl_arg_array(type->dtype, data, length);
    if (type_is_struct(type) && !type_is_complex(type)) arg.record = type;
    return arg;
}

int64_t arg_extent(const cpl_arg *arg, uint32_t dim)
{
    return arg->dims ? arg->shape[dim] : arg->length;
}

int64_t arg_stride(const cpl_arg *arg, uint32_t dim)
{
    int64_t stride = (int64_t)arg_element_size(arg);
    if (arg->dims && arg->strides) return arg->strides[dim];
    if (!arg->dims && arg->stride) return arg->stride;
    for (uint32_t i = dim + 1; i < arg_dims(arg); i++)
        stride = (int64_t)((uint64_t)stride * (uint64_t)arg->shape[i]);
    return stride;
}

bool arg_lies_dense(const cpl_arg *arg)
{
    int64_t dense = (int64_t)arg_element_size(arg);
    for (uint32_t i = arg_dims(arg); i-- > 0 && arg->length > 0;) {
        if (arg_extent(arg, i) > 1 && arg_stride(arg, i) != dense) return false;
        dense *= arg_extent(arg, i);
    }
    return true;
}

bool arg_reach(const cpl_arg *arg, uint64_t *before, uint64_t *behind)
{
    int64_t low = 0, high = (int64_t)arg_element_size(arg), way;
    for (uint32_t i = 0; i < arg_dims(arg) && arg->length > 0; i++) {
        if (__builtin_mul_overflow(arg_extent(arg, i) - 1, arg_stride(arg, i), &way)) return false;
        int64_t *end = way < 0 ? &low : &high;
        if (__builtin_add_overflow(*end, way, end)) return false;
    }
    *before = -(uint64_t)low;
    *behind = arg->length ? (uint64_t)high : 0;
    return *before + *behind <= PTRDIFF_MAX;
}

byte_range arg_range(const cpl_arg *arg)
{
    uint64_t before = 0, behind = 0; /* the argument is checked */
    if (arg_is_bare(arg)) behind = arg_bytes(arg);
    else arg_reach(arg, &before, &behind);
    return (byte_range){(uintptr_t)arg->data - before, (uintptr_t)arg->data + behind};
}

bool arg_fits_memory(const cpl_arg *arg)
{
    uint64_t first = (uintptr_t)arg->data, before, behind;
    return arg->length == 0 ||
           (arg_reach(arg, &before, &behind) && first >= before && first <= UINTPTR_MAX - behind);
}

const char *arg_bad_shape(const cpl_arg *arg)
{
    int64_t count = 1;
    bool empty = false, large = false;
    if (arg->dims < 0 || arg->dims > CPL_MAX_DIMS) return "has no valid number of dimensions";
    if (!arg->dims) return NULL;
    if (!arg->shape) return "has dimensions without a shape";
    if (arg->stride) return "has a stride beside a shape";
    for (int i = 0; i < arg->dims; i++) {
        if (arg->shape[i] < 0) return "has a negative length";
        empty = empty || arg->shape[i] == 0;
        large = large || __builtin_mul_overflow(count, arg->shape[i], &count);
    }
    if (large && !empty) return "is larger than memory can be";
    return arg->length == (empty ? 0 : count) ? NULL : "has another length than its shape";
}

bool arg_lies_alike(const cpl_arg *x, const cpl_arg *y)
{
    if (x->data != y->data || x->length != y->length || arg_element_size(x) != arg_element_size(y))
        return false;
    if (arg_is_contiguous(x) && arg_is_contiguous(y)) return true;
    if (arg_dims(x) != arg_dims(y)) return false;
    for (uint32_t i = 0; i < arg_dims(x); i++)
        if (arg_extent(x, i) != arg_extent(y, i) || arg_stride(x, i) != arg_stride(y, i))
            return false;
    return true;
}

static uint64_t gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Bytes that all distances between elements are multiples of; 0: there is one element. */
static uint64_t step_of(const cpl_arg *arg)
{
    uint64_t step = 0;
    for (uint32_t i = 0; i < arg_dims(arg); i++) {
        int64_t stride = arg_extent(arg, i) > 1 ? arg_stride(arg, i) : 0;
        step = gcd(step, stride < 0 ? -(uint64_t)stride : (uint64_t)stride);
    }
    return step;
}

/* All distances between elements of both are `apart` more than a multiple of what both steps are
 * multiples of. */
static bool steps_interleave(const cpl_arg *a, const cpl_arg *b)
{
    uint64_t step = gcd(step_of(a), step_of(b));
    if (step < arg_element_size(a) + arg_element_size(b)) return false;
    uint64_t apart = ((uintptr_t)b->data % step + step - (uintptr_t)a->data % step) % step;
    return apart >= arg_element_size(a) && step - apart >= arg_element_size(b);
}

/* Bytes that elements are apart along a dimension, and how many more there are. */
typedef struct way {
    int64_t stride, count;
} way;

enum { MOST_WAYS = 2 * CPL_MAX_DIMS, MOST_LOOKS = 1000 };

typedef struct ways {
    way at[MOST_WAYS]; /* longest strides first; behind it what all those from there on reach */
    int64_t reach[MOST_WAYS + 1];
    int n, looks;
} ways;

static void add_way(ways *w, int64_t stride, int64_t count)
{
    int i = 0;
    while (i < w->n && w->at[i].stride > stride) i++;
    if (i < w->n && w->at[i].stride == stride) {
        w->at[i].count += count;
        return;
    }
    memmove(&w->at[i + 1], &w->at[i], (size_t)(w->n++ - i) * sizeof *w->at);
    w->at[i] = (way){stride, count};
}

/* Adds the ways of an array, each upwards; returns its first byte. */
static int64_t add_ways(ways *w, const cpl_arg *arg, int64_t *reach)
{
    int64_t first = (int64_t)(uintptr_t)arg->data;
    *reach = 0;
    for (uint32_t i = 0; i < arg_dims(arg); i++) {
        int64_t stride = arg_stride(arg, i), count = arg_extent(arg, i) - 1;
        if (count < 1 || !stride) continue;
        if (stride < 0) first += stride * count;
        if (stride < 0) stride = -stride;
        *reach += stride * count;
        add_way(w, stride, count);
    }
    return first;
}

/* Whether steps along the ways from k on can come to more than low and less than high bytes. True
 * too where that takes too long to find out. */
static bool comes_between(ways *w, int k, int64_t low, int64_t high)
{
    if (high <= 0 || low >= w->reach[k]) return false;
    if (k == w->n || ++w->looks > MOST_LOOKS) return true;
    const way *at = &w->at[k];
    int64_t least = low - w->reach[k + 1], first = least < 0 ? 0 : least / at->stride;
    int64_t last = (high - 1) / at->stride;
    if (last > at->count) last = at->count;
    for (int64_t x = first; x <= last; x++)
        if (comes_between(w, k + 1, low - x * at->stride, high - x * at->stride)) return true;
    return false;
}

/* Whether an element of one has bytes of an element of the other: the difference of two elements'
 * places is a sum of steps, bounded each (as in NumPy's solve_may_share_memory). */
static bool elements_meet(const cpl_arg *a, const cpl_arg *b)
{
    ways w = {.n = 0};
    int64_t reach_a, reach_b, first_a = add_ways(&w, a, &reach_a),
                              first_b = add_ways(&w, b, &reach_b);
    for (int k = w.n; k-- > 0;) w.reach[k] = w.reach[k + 1] + w.at[k].stride * w.at[k].count;
    int64_t apart = first_b - first_a + reach_b; /* the steps of b are taken backwards */
    return comes_between(&w, 0, apart - (int64_t)arg_element_size(a),
                         apart + (int64_t)arg_element_size(b));
}

bool arg_interleaves(const cpl_arg *a, const cpl_arg *b)
{
    return steps_interleave(a, b) || !elements_meet(a, b);
}
