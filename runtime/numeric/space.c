/* Shapes that are laid over each other: C. R. Harris et al., Array programming with NumPy, Nature
 * 585 (2020). */
#include "runtime/numeric/numeric.h"

static void text_of_shape(char *text, size_t size, int dims, const int64_t *shape)
{
    size_t n = 0;
    for (int d = 0; d < dims && n < size; d++)
        n += (size_t)snprintf(text + n, size - n, d ? ", %lld" : "%lld", (long long)shape[d]);
}

static cpl_status refuse(const space *s, cpl_context *cx, int dims, const int64_t *shape)
{
    char given[200] = "", there[200] = "";
    text_of_shape(given, sizeof given, dims, shape);
    text_of_shape(there, sizeof there, s->dims, s->shape);
    return context_report(cx, CPL_EARG,
                          "argument %zu has the shape (%s), which does not fit (%s), that of those "
                          "in front of it",
                          s->count + 1, given, there);
}

/* A new outermost dimension, along which nothing changes yet. */
static void widen(space *s, int dims)
{
    int more = dims - s->dims;
    if (more <= 0) return;
    for (int d = s->dims; d-- > 0;) s->shape[d + more] = s->shape[d];
    for (int d = 0; d < more; d++) s->shape[d] = 1;
    for (size_t i = 0; i < s->count; i++) {
        memmove(s->strides[i] + more, s->strides[i], (size_t)s->dims * sizeof(int64_t));
        memset(s->strides[i], 0, (size_t)more * sizeof(int64_t));
    }
    s->dims = dims;
}

cpl_status space_add(space *s, cpl_context *cx, const cpl_arg *arg, int dims)
{
    int64_t shape[CPL_MAX_DIMS];
    int64_t *strides = s->strides[s->count];
    for (int d = 0; d < dims; d++) shape[d] = arg_extent(arg, (uint32_t)d);
    widen(s, dims);
    memset(strides, 0, sizeof s->strides[0]);
    for (int d = 0; d < dims; d++) {
        int at = s->dims - dims + d;
        if (shape[d] != s->shape[at] && shape[d] != 1 && s->shape[at] != 1)
            return refuse(s, cx, dims, shape);
        if (shape[d] != 1) s->shape[at] = shape[d];
        if (shape[d] != 1) strides[at] = arg_stride(arg, (uint32_t)d);
    }
    s->is_array[s->count++] = arg->kind == CPL_ARG_ARRAY;
    return CPL_OK;
}

/* --- fewer dimensions --- */

static void drop(space *s, int dim)
{
    size_t behind = (size_t)(s->dims - dim - 1) * sizeof(int64_t);
    memmove(s->shape + dim, s->shape + dim + 1, behind);
    for (size_t i = 0; i < s->count; i++)
        memmove(s->strides[i] + dim, s->strides[i] + dim + 1, behind);
    s->dims--;
}

/* Whether a dimension and the next are like one. */
static bool is_one(const space *s, int d)
{
    int64_t way;
    for (size_t i = 0; i < s->count; i++)
        if (__builtin_mul_overflow(s->strides[i][d + 1], s->shape[d + 1], &way) ||
            s->strides[i][d] != way)
            return false;
    return true;
}

static uint32_t without_bit(uint32_t mask, int bit)
{
    uint32_t below = (1u << bit) - 1;
    return (mask & below) | (mask >> 1 & ~below);
}

void space_simplify(space *s, uint32_t *apart)
{
    for (int d = s->dims; d-- > 0;) {
        if (s->shape[d] != 1) continue;
        drop(s, d);
        *apart = without_bit(*apart, d);
    }
    for (int d = s->dims - 1; d-- > 0;) {
        if ((*apart >> d & 1) != (*apart >> (d + 1) & 1) || !is_one(s, d)) continue;
        s->shape[d + 1] *= s->shape[d];
        drop(s, d);
        *apart = without_bit(*apart, d);
    }
}

static void move(int64_t *list, int from, int to)
{
    int64_t moved = list[from];
    for (; from < to; from++) list[from] = list[from + 1];
    for (; from > to; from--) list[from] = list[from - 1];
    list[to] = moved;
}

void space_move(space *s, int from, int to)
{
    move(s->shape, from, to);
    for (size_t i = 0; i < s->count; i++) move(s->strides[i], from, to);
}

static uint64_t distance(int64_t stride)
{
    return stride < 0 ? -(uint64_t)stride : (uint64_t)stride;
}

bool space_is_closer(const space *s, int a, int b)
{
    for (size_t i = s->count; i-- > 0;) {
        uint64_t of_a = distance(s->strides[i][a]), of_b = distance(s->strides[i][b]);
        if (of_a && of_b && of_a != of_b) return of_a < of_b;
    }
    return a > b;
}
