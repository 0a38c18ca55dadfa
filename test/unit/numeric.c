/*
 * Arithmetic on whole arrays, compared with loops of plain C over the indices: shapes that are laid
 * over each other, gaps and steps backwards between elements, dimensions up to eight, every type,
 * axes in every combination, on the host and on whatever devices there are.
 */
#include "nd.h"

#include <limits.h>

/* What lies over that: fewer dimensions, some of one element. */
static int draw_part(int dims, const int64_t *shape, int64_t *part)
{
    int less = drawn(3) ? 0 : drawn(dims + 1);
    for (int d = less; d < dims; d++) part[d - less] = drawn(4) ? shape[d] : 1;
    return dims - less;
}

static cpl_arg arg_of(const nd *x)
{
    return cpl_arg_of_array(x->array);
}

/* --- element by element --- */

static void check_map(const nd *a, const nd *b, const nd *c, int dims, const int64_t *shape)
{
    int64_t at[MOST] = {0}, i = 0;
    check_shape(c, dims, shape, "map");
    if (!size_of(dims, shape)) return;
    do {
        double expected = 2 * value_at(a, dims, at) + value_at(b, dims, at) * 3;
        same(c->values[i], expected, "map", i);
        i++;
    } while (next(dims, shape, at));
}

static void largest(const nd *a, const nd *b, int *dims, int64_t *shape)
{
    *dims = a->info.dims > b->info.dims ? a->info.dims : b->info.dims;
    for (int d = 0; d < *dims; d++) {
        int i = a->info.dims - *dims + d, k = b->info.dims - *dims + d;
        int64_t one = i < 0 ? 1 : a->info.shape[i], other = k < 0 ? 1 : b->info.shape[k];
        shape[d] = one == 1 ? other : one;
    }
}

static void map_once(world *w, cpl_device *d, cpl_dtype one, cpl_dtype other)
{
    int64_t shape[MOST], part[MOST];
    int dims = draw_shape(shape), less = draw_part(dims, shape, part);
    nd a = make(w, d, one, dims, shape, drawn(2)), c = {0};
    less = draw_part(dims, shape, part);
    nd b = make(w, d, other, less, part, drawn(2));
    const cpl_bind f = cpl_bind_expression("lambda a, k, b: 2*a + b*k");
    const cpl_arg args[] = {arg_of(&a), cpl_arg_int(3), arg_of(&b)};
    OK(w, cpl_array_map(NULL, &f, NULL, &c.array, args, 3));
    read_values(w, &c);
    largest(&a, &b, &dims, shape);
    check_map(&a, &b, &c, dims, shape);
    /* into an array that is there, with gaps, of another type */
    nd out = make(w, d, CPL_FLOAT64, dims, shape, true);
    OK(w, cpl_array_map(NULL, &f, NULL, &out.array, args, 3));
    free(out.values);
    read_values(w, &out);
    check_map(&a, &b, &out, dims, shape);
    release(&a);
    release(&b);
    release(&c);
    release(&out);
}

static void maps(void **state)
{
    for (size_t i = 0; i < COUNT_OF(all_types); i++) {
        map_once(*state, NULL, all_types[i], CPL_INT32);
        map_once(*state, NULL, CPL_FLOAT32, all_types[i]);
    }
    for (int i = 0; i < 150; i++) map_once(*state, NULL, CPL_INT32, CPL_FLOAT64);
}

/* --- along axes --- */

/* The last one that is not 0: associative, and does not commute. */
static double last_of(double a, double b)
{
    return b != 0 ? b : a;
}

static int kept_shape(const nd *x, uint32_t axes, int64_t *shape)
{
    int dims = 0;
    for (int d = 0; d < x->info.dims; d++)
        if (!(axes >> d & 1)) shape[dims++] = x->info.shape[d];
    return dims;
}

enum { LAST = 0, ONCE = 1, TWICE = 2 }; /* or sums, each element so often */
static void check_reduced(const nd *x, uint32_t axes, const nd *got, int sums)
{
    int64_t shape[MOST], at[MOST] = {0}, i = 0;
    int dims = kept_shape(x, axes, shape);
    int64_t n = size_of(dims, shape);
    double *expected = calloc((size_t)n + 1, sizeof *expected);
    check_shape(got, dims, shape, "reduced");
    do {
        int64_t to = 0;
        if (!x->info.length) break;
        for (int d = 0; d < x->info.dims; d++)
            if (!(axes >> d & 1)) to = to * x->info.shape[d] + at[d];
        double v = x->values[i++];
        expected[to] = sums ? expected[to] + v * sums : last_of(expected[to], v);
    } while (next(x->info.dims, x->info.shape, at));
    for (i = 0; i < n; i++) same(got->values[i], expected[i], sums ? "sum" : "last", i);
    free(expected);
}

static void reduce_once(world *w, const nd *x, uint32_t axes, bool sums)
{
    nd got = {0};
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression(sums ? "a + b" : "b if b != 0 else a");
    if (sums) spec.map = cpl_bind_expression("lambda v: 2*v");
    else spec.neutral = cpl_bind_expression("0");
    cpl_arg arg = arg_of(x);
    OK(w, cpl_array_reduce(NULL, &spec, NULL, axes, &got.array, &arg, 1));
    read_values(w, &got);
    check_reduced(x, axes, &got, sums ? TWICE : LAST);
    release(&got);
}

static void reductions(void **state)
{
    world *w = *state;
    for (int turn = 0; turn < 40; turn++) {
        int64_t shape[MOST];
        int dims = draw_shape(shape);
        nd x = make(w, NULL, CPL_INT32, dims, shape, turn & 1);
        for (uint32_t axes = 0; axes < 1u << dims; axes++) reduce_once(w, &x, axes, axes & 1);
        reduce_once(w, &x, CPL_ALL_AXES & ((1u << dims) - 1), turn & 2);
        release(&x);
    }
}

/* Pieces of rows, blocks of columns and pieces of those, and what is left of each. */
static void large_reductions(void **state)
{
    static const int64_t shapes[][3] = {{1, 3, 100003}, {2, 50001, 3},  {1, 9000, 700},
                                        {3, 2, 20000},  {40000, 3, 5},  {1, 1, 70000},
                                        {300, 1, 301},  {2, 12289, 257}};
    world *w = *state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (int gaps = 0; gaps < 2; gaps++) {
            nd x = make(w, NULL, gaps ? CPL_FLOAT32 : CPL_INT64, 3, shapes[i], gaps);
            for (uint32_t axes = 1; axes < 8; axes++) {
                if ((axes + i) % 2 == (size_t)gaps && !test_rounds(0, 1)) continue;
                reduce_once(w, &x, axes, false);
                if (!gaps) reduce_once(w, &x, axes, true);
            }
            release(&x);
        }
}

static void scan_once(world *w, const nd *x, int axis, bool exclusive)
{
    nd got = {0};
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_expression("b if b != 0 else a");
    spec.neutral = cpl_bind_expression("0");
    spec.input = cpl_bind_expression("lambda v: v if v > 4 else 0");
    spec.flags = exclusive ? CPL_SCAN_EXCLUSIVE : 0;
    cpl_arg arg = arg_of(x);
    OK(w, cpl_array_scan(NULL, &spec, NULL, axis - (exclusive ? x->info.dims : 0), &got.array, &arg,
                         1));
    read_values(w, &got);
    check_shape(&got, x->info.dims, x->info.shape, "scan");
    int64_t step = 1, m = x->info.shape[axis];
    for (int d = axis + 1; d < x->info.dims; d++) step *= x->info.shape[d];
    for (int64_t i = 0; i < x->info.length; i++) {
        int64_t first = i - i / step % m * step;
        double acc = 0;
        for (int64_t k = i; k >= first && !acc; k -= step)
            if ((!exclusive || k < i) && x->values[k] > 4) acc = x->values[k];
        same(got.values[i], acc, "scan", i);
    }
    release(&got);
}

static void scans(void **state)
{
    static const int64_t large[][3] = {{1, 1, 40000}, {2, 33333, 2}, {1, 3000, 600}, {20, 5, 700}};
    world *w = *state;
    for (int turn = 0; turn < 30; turn++) {
        int64_t shape[MOST];
        int dims = draw_shape(shape);
        nd x = make(w, NULL, CPL_INT16, dims, shape, turn & 1);
        for (int axis = 0; axis < dims; axis++) scan_once(w, &x, axis, turn & 2);
        release(&x);
    }
    for (size_t i = 0; i < COUNT_OF(large); i++) {
        nd x = make(w, NULL, CPL_FLOAT64, 3, large[i], i & 1);
        for (int axis = 0; axis < 3; axis++) scan_once(w, &x, axis, axis & 1);
        release(&x);
    }
}

/* --- results of types --- */

static cpl_dtype type_of(world *w, cpl_array *a)
{
    cpl_array_info info = {.size = sizeof info};
    OK(w, cpl_array_info_get(a, &info));
    cpl_array_release(a);
    return info.dtype;
}

static void types(void **state)
{
    world *w = *state;
    const int64_t shape[] = {2, 5};
    for (size_t i = 0; i < COUNT_OF(all_types); i++) {
        cpl_dtype t = all_types[i];
        nd x = make(w, NULL, t, 2, shape, true);
        cpl_array *out = NULL;
        OK(w, cpl_array_sum(x.array, 2, NULL, &out));
        cpl_dtype wide = t == CPL_FLOAT16  ? CPL_FLOAT32
                         : t > CPL_FLOAT16 ? t
                         : t >= CPL_UINT8  ? CPL_UINT64
                                           : CPL_INT64;
        assert_int_equal(type_of(w, out), wide);
        out = NULL;
        OK(w, cpl_array_cumsum(x.array, -1, NULL, &out));
        assert_int_equal(type_of(w, out), wide);
        out = NULL;
        OK(w, cpl_array_max(x.array, 1, NULL, &out));
        assert_int_equal(type_of(w, out), t);
        out = NULL;
        const cpl_bind f = cpl_bind_expression("a > b");
        const cpl_arg args[] = {arg_of(&x), arg_of(&x)};
        OK(w, cpl_array_map(NULL, &f, NULL, &out, args, 2));
        assert_int_equal(type_of(w, out), CPL_BOOL);
        release(&x);
    }
}

/* --- what is read before it is written --- */

static void overlaps(void **state)
{
    world *w = *state;
    enum { LENGTH = 5000 };
    double v[LENGTH];
    for (int i = 0; i < LENGTH; i++) v[i] = i;
    const int64_t shape[] = {LENGTH};
    nd x = {0};
    cpl_array *low, *high;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_FLOAT64;
    o.dims = 1;
    o.shape[0] = shape[0];
    OK(w, cpl_array_create_with(w->cx, NULL, &o, &x.array));
    OK(w, cpl_array_write(x.array, NULL, v, NULL));
    o.shape[0] = LENGTH - 1;
    OK(w, cpl_array_view(x.array, &o, &low));
    o.offset = sizeof(double);
    OK(w, cpl_array_view(x.array, &o, &high));
    const cpl_bind f = cpl_bind_expression("a + b");
    const cpl_arg args[] = {cpl_arg_of_array(low), cpl_arg_of_array(high)};
    OK(w, cpl_array_map(NULL, &f, NULL, &high, args, 2)); /* x[1:] = x[:-1] + x[1:] */
    read_values(w, &x);
    for (int i = 1; i < LENGTH; i++) same(x.values[i], v[i] + v[i - 1], "x[1:]", i);
    free(x.values);
    OK(w, cpl_array_write(x.array, NULL, v, NULL));
    const cpl_bind g = cpl_bind_expression("lambda a, b: a - b");
    o.offset = (LENGTH - 2) * sizeof(double);
    o.strides[0] = -(int64_t)sizeof(double);
    cpl_array *back;
    OK(w, cpl_array_view(x.array, &o, &back));
    const cpl_arg turned[] = {cpl_arg_of_array(back), cpl_arg_of_array(low)};
    OK(w, cpl_array_map(NULL, &g, NULL, &low, turned, 2)); /* x[:-1] = x[-2::-1] - x[:-1] */
    read_values(w, &x);
    for (int i = 0; i < LENGTH - 1; i++)
        same(x.values[i], v[LENGTH - 2 - i] - v[i], "backwards", i);
    free(x.values);
    OK(w, cpl_array_write(x.array, NULL, v, NULL));
    OK(w, cpl_array_cumsum(x.array, 0, NULL, &x.array)); /* in place */
    read_values(w, &x);
    double sum = 0;
    for (int i = 0; i < LENGTH; i++) same(x.values[i], sum += v[i], "cumsum", i);
    cpl_array_release(low);
    cpl_array_release(high);
    cpl_array_release(back);
    release(&x);
}

/* Row-major, of a number of elements of x from `first` on. */
static cpl_array *part_from(world *w, const nd *x, int dims, const int64_t *shape, int64_t first)
{
    cpl_array *part;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = dims;
    memcpy(o.shape, shape, (size_t)dims * sizeof *shape);
    o.offset = (size_t)first * sizeof(double);
    OK(w, cpl_array_view(x->array, &o, &part));
    return part;
}

/* What reads a part of an array into another part of it, wherever that begins, is what reads a
 * copy.
 */
static const char *const into_parts[] = {"sum of columns", "sum of rows", "sum of all",
                                         "cumsum",         "cumsum down", "map"};
static void into_part(world *w, size_t what, cpl_array *from, cpl_array **to)
{
    const cpl_bind f = cpl_bind_expression("lambda a: 2*a");
    const cpl_arg arg = cpl_arg_of_array(from);
    cpl_status status = CPL_OK;
    switch (what) {
    case 0: status = cpl_array_sum(from, 1 << 0, NULL, to); break;
    case 1: status = cpl_array_sum(from, 1 << 1, NULL, to); break;
    case 2: status = cpl_array_sum(from, CPL_ALL_AXES, NULL, to); break;
    case 3: status = cpl_array_cumsum(from, 1, NULL, to); break;
    case 4: status = cpl_array_cumsum(from, 0, NULL, to); break;
    default: status = cpl_array_map(NULL, &f, NULL, to, &arg, 1);
    }
    OK(w, status);
}

static void parts_into_parts(void **state)
{
    world *w = *state;
    enum { ROWS = 3, COLUMNS = 4, ALL = 20 };
    static const int64_t all[] = {ALL}, rows[] = {ROWS}, matrix[] = {ROWS, COLUMNS};
    double v[ALL];
    for (int i = 0; i < ALL; i++) v[i] = i * i + 1;
    nd x = make(w, NULL, CPL_FLOAT64, 1, all, false),
       copy = make(w, NULL, CPL_FLOAT64, 1, all, false);
    OK(w, cpl_array_write(copy.array, NULL, v, NULL));
    for (size_t what = 0; what < COUNT_OF(into_parts); what++) {
        int dims = what < 2 ? 1 : what < 3 ? 0 : 2;
        const int64_t *shape = what == 0 ? matrix + 1 : what == 1 ? rows : matrix;
        int64_t n = size_of(dims, shape);
        for (int64_t first = 0; first + n <= ALL; first++) {
            enum { BEGIN = 4 }; /* of what is read: something lies around it */
            nd expected = {0};
            OK(w, cpl_array_write(x.array, NULL, v, NULL));
            cpl_array *from = part_from(w, &x, 2, matrix, BEGIN),
                      *apart = part_from(w, &copy, 2, matrix, BEGIN),
                      *to = part_from(w, &x, dims, shape, first);
            into_part(w, what, apart, &expected.array);
            into_part(w, what, from, &to);
            read_values(w, &expected);
            free(x.values);
            read_values(w, &x);
            for (int64_t i = 0; i < ALL; i++) {
                bool inside = i >= first && i < first + n;
                same(x.values[i], inside ? expected.values[i - first] : v[i], into_parts[what], i);
            }
            cpl_array_release(from);
            cpl_array_release(apart);
            cpl_array_release(to);
            release(&expected);
        }
    }
    release(&x);
    release(&copy);
}

/* --- NumPy's names --- */

static nd vector(world *w, cpl_device *d, cpl_dtype type, int64_t n)
{
    return make(w, d, type, 1, &n, false);
}

static void again(world *w, nd *x)
{
    free(x->values);
    read_values(w, x);
}

static void numbered(void **state)
{
    world *w = *state;
    for (int64_t n = 0; n < 4; n++) {
        nd x = vector(w, NULL, CPL_FLOAT64, n);
        OK(w, cpl_array_linspace(x.array, -1, 2, true, NULL));
        again(w, &x);
        for (int64_t i = 0; i < n; i++)
            same(x.values[i], n == 1 ? -1 : -1 + 3.0 / (double)(n - 1) * (double)i, "linspace", i);
        OK(w, cpl_array_linspace(x.array, 5, 5 + 2 * (double)n, false, NULL));
        again(w, &x);
        for (int64_t i = 0; i < n; i++) same(x.values[i], 5 + 2 * (double)i, "no endpoint", i);
        release(&x);
    }
    nd x = vector(w, NULL, CPL_FLOAT64, 1001), k = vector(w, NULL, CPL_INT32, 7),
       u = vector(w, NULL, CPL_UINT64, 3);
    OK(w, cpl_array_linspace(x.array, 0, 0.1, true, NULL));
    again(w, &x);
    assert_true(x.values[1000] == 0.1);
    OK(w, cpl_array_linspace(k.array, -1, 1, true, NULL)); /* NumPy: -1 -1 -1 0 0 0 1 */
    again(w, &k);
    static const double whole[] = {-1, -1, -1, 0, 0, 0, 1};
    for (int i = 0; i < 7; i++) same(k.values[i], whole[i], "whole", i);
    OK(w, cpl_array_arange(k.array, cpl_arg_int(5), cpl_arg_int(-2), NULL));
    again(w, &k);
    for (int i = 0; i < 7; i++) same(k.values[i], 5 - 2 * i, "arange", i);
    OK(w, cpl_array_arange(x.array, cpl_arg_float(0.5), cpl_arg_float(0.25), NULL));
    again(w, &x);
    for (int i = 0; i < 1001; i++) same(x.values[i], 0.5 + 0.25 * i, "arange", i);
    uint64_t got[3];
    cpl_arg top = cpl_arg_int(-3);
    top.is_unsigned = true;
    top.value.u = UINT64_MAX - 2;
    OK(w, cpl_array_arange(u.array, top, cpl_arg_int(1), NULL));
    OK(w, cpl_array_read(u.array, NULL, got, NULL));
    assert_true(got[0] == UINT64_MAX - 2 && got[2] == UINT64_MAX);
    OK(w, cpl_array_fill(x.array, cpl_arg_float(-2.5), NULL));
    again(w, &x);
    for (int i = 0; i < 1001; i++) same(x.values[i], -2.5, "fill", i);
    release(&x);
    release(&k);
    release(&u);
}

static void joined(void **state)
{
    world *w = *state;
    const int64_t one[] = {2, 3}, other[] = {2, 4};
    nd a = make(w, NULL, CPL_INT32, 2, one, true), b = make(w, NULL, CPL_FLOAT32, 2, other, true),
       c = {0};
    cpl_array *both[] = {a.array, b.array, a.array};
    OK(w, cpl_array_concatenate(both, 3, -1, NULL, &c.array));
    read_values(w, &c);
    const int64_t shape[] = {2, 10};
    check_shape(&c, 2, shape, "concatenate");
    assert_int_equal(c.info.dtype, CPL_FLOAT32);
    for (int64_t i = 0; i < 20; i++) {
        int64_t row = i / 10, k = i % 10;
        double expected = k < 3   ? a.values[row * 3 + k]
                          : k < 7 ? b.values[row * 4 + k - 3]
                                  : a.values[row * 3 + k - 7];
        same(c.values[i], expected, "concatenate", i);
    }
    FAILS(w, cpl_array_concatenate(both, 2, 0, NULL, &c.array), CPL_EARG, "alone");
    FAILS(w, cpl_array_concatenate(both, 2, 2, NULL, &c.array), CPL_EARG, "no dimension 2");
    FAILS(w, cpl_array_concatenate(both, 0, 0, NULL, &c.array), CPL_EARG, "");
    release(&a);
    release(&b);
    release(&c);
}

/* Complex numbers among them, records that are not, and arrays of another context. */
static void joined_with_others(void **state)
{
    world *w = *state;
    static float halves[2] = {0.5F, -1.5F}, pair[4] = {1, 2, 3, 4};
    double got[8];
    const int64_t two = 2;
    cpl_array *both[2], *strange[2], *out = NULL;
    cpl_context *other;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = two;
    o.dtype = CPL_FLOAT32;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, halves, &both[0]));
    OK(w, cpl_context_create(NULL, &other));
    OK(w, cpl_array_wrap(other, NULL, &o, halves, &strange[1]));
    o.dtype = CPL_COMPLEX64;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, pair, &both[1]));
    OK(w, cpl_array_concatenate(both, 2, 0, NULL, &out));
    cpl_array_info info = {.size = sizeof info};
    OK(w, cpl_array_info_get(out, &info));
    assert_int_equal(info.dtype, CPL_COMPLEX64);
    assert_int_equal(info.length, 4);
    OK(w, cpl_array_read(out, NULL, got, NULL));
    static const float expected[8] = {0.5F, 0, -1.5F, 0, 1, 2, 3, 4};
    assert_memory_equal(got, expected, sizeof expected);
    cpl_array_release(out);
    out = NULL;
    strange[0] = both[0];
    FAILS(w, cpl_array_concatenate(strange, 2, 0, NULL, &out), CPL_EARG, "another context");
    const cpl_type *number, *record;
    OK(w, cpl_type_parse(w->cx, "float32", &number));
    const cpl_field field = {"x", number, 0};
    OK(w, cpl_type_struct(w->cx, "Single", &field, 1, &record));
    o.dtype = CPL_VOID;
    o.record = record;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, pair, &strange[0]));
    cpl_array *mixed[] = {both[0], strange[0]};
    FAILS(w, cpl_array_concatenate(mixed, 2, 0, NULL, &out), CPL_EARG, "no type in common");
    for (int i = 0; i < 2; i++) {
        cpl_array_release(both[i]);
        cpl_array_release(strange[i]);
    }
    cpl_context_release(other);
}

/* Of -0.0 they are what NumPy's are. */
static void running_zeros(void **state)
{
    world *w = *state;
    static const double zeros[3] = {-0.0, -0.0, 0.0};
    double got[3];
    cpl_array *x, *out = NULL;
    OK(w, cpl_array_create(w->cx, NULL, CPL_FLOAT64, 3, &x));
    OK(w, cpl_array_write(x, NULL, zeros, NULL));
    OK(w, cpl_array_cumsum(x, 0, NULL, &out));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    assert_memory_equal(got, zeros, sizeof got);
    cpl_array_release(x);
    cpl_array_release(out);
}

static void neighbours(void **state)
{
    world *w = *state;
    const int64_t shape[] = {3, 6, 2}, axis = 1;
    nd y = make(w, NULL, CPL_FLOAT64, 3, shape, true), d = {0}, t = {0};
    for (int times = 0; times < 4; times++) {
        OK(w, cpl_array_diff(y.array, times, (int)axis, NULL, &d.array));
        read_values(w, &d);
        const int64_t less[] = {3, 6 - times, 2};
        check_shape(&d, 3, less, "diff");
        for (int64_t i = 0; i < d.info.length; i++) {
            int64_t k = i % 2, j = i / 2 % less[1], r = i / 2 / less[1];
            double v[6];
            for (int q = 0; q < 6; q++) v[q] = y.values[(r * 6 + q) * 2 + k];
            for (int q = 0; q < times; q++)
                for (int z = 0; z < 5; z++) v[z] = v[z + 1] - v[z];
            same(d.values[i], v[j], "diff", i);
        }
        release(&d);
        d = (nd){0};
    }
    nd x = make(w, NULL, CPL_FLOAT64, 2, shape + 1, false);
    for (int with = 0; with < 2; with++) {
        OK(w, cpl_array_trapz(y.array, with ? x.array : NULL, 0.5, -2, NULL, &t.array));
        read_values(w, &t);
        for (int64_t i = 0; i < 6; i++) {
            double sum = 0;
            for (int64_t j = 0; j < 5; j++) {
                const double *at = &y.values[(i / 2 * 6 + j) * 2 + i % 2],
                             *of = &x.values[j * 2 + i % 2];
                sum += (with ? of[2] - of[0] : 0.5) * (at[2] + at[0]) / 2;
            }
            same(t.values[i], sum, "trapz", i);
        }
        release(&t);
        t = (nd){0};
    }
    FAILS(w, cpl_array_diff(y.array, -1, 0, NULL, &d.array), CPL_EARG, "-1 times");
    release(&x);
    release(&y);
}

/* More often than there are elements. */
static void no_neighbours(void **state)
{
    world *w = *state;
    const int64_t shape[] = {3, 6, 2}, none[] = {3, 0, 2};
    const int times[] = {6, 7, INT_MAX};
    nd y = make(w, NULL, CPL_FLOAT64, 3, shape, true), d = {0};
    for (int i = 0; i < 3; i++) {
        OK(w, cpl_array_diff(y.array, times[i], 1, NULL, &d.array));
        read_values(w, &d);
        check_shape(&d, 3, none, "diff");
        release(&d);
        d = (nd){0};
    }
    release(&y);
}

/* The least and the greatest of each type, wherever they lie; a NaN is both, wherever it lies. */
static void extremes_of_types(void **state)
{
    world *w = *state;
    enum { LENGTH = 5 };
    for (size_t t = 0; t < COUNT_OF(all_types); t++)
        for (int at = 0; at < 2 * LENGTH; at++) {
            nd x = vector(w, NULL, all_types[t], LENGTH);
            bool floats = all_types[t] >= CPL_FLOAT16;
            double raw[LENGTH], least = INFINITY, greatest = -INFINITY;
            for (int i = 0; i < LENGTH; i++) {
                double v = all_types[t] == CPL_BOOL ? i == at % LENGTH : (i - at % LENGTH) % 5 + 40;
                if (at >= LENGTH && all_types[t] == CPL_BOOL) v = !v;
                if (at >= LENGTH && floats && i == at % LENGTH) v = NAN;
                put(all_types[t], raw, i, v);
                if (!(v >= least)) least = isnan(least) ? NAN : v;
                if (!(v <= greatest)) greatest = isnan(greatest) ? NAN : v;
            }
            OK(w, cpl_array_write(x.array, NULL, raw, NULL));
            for (int most = 0; most < 2; most++) {
                nd got = {0};
                OK(w, (most ? cpl_array_max : cpl_array_min)(x.array, 1, NULL, &got.array));
                read_values(w, &got);
                same(got.values[0], most ? greatest : least, cpl_dtype_name(all_types[t]), at);
                release(&got);
            }
            release(&x);
        }
}

static void extremes(void **state)
{
    world *w = *state;
    double v[] = {3, NAN, 1, INFINITY, -INFINITY, 2}, got[3];
    nd x = vector(w, NULL, CPL_FLOAT64, 6);
    cpl_array *out = NULL, *rows;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 2;
    o.shape[0] = 3;
    o.shape[1] = 2;
    OK(w, cpl_array_write(x.array, NULL, v, NULL));
    OK(w, cpl_array_view(x.array, &o, &rows));
    OK(w, cpl_array_max(rows, 2, NULL, &out));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    assert_true(isnan(got[0]) && got[1] == INFINITY && got[2] == 2);
    OK(w, cpl_array_min(rows, 2, NULL, &out));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    assert_true(isnan(got[0]) && got[1] == 1 && got[2] == -INFINITY);
    cpl_array_release(out);
    out = NULL;
    o.shape[0] = 0;
    cpl_array *none;
    OK(w, cpl_array_view(x.array, &o, &none));
    FAILS(w, cpl_array_min(none, 1, NULL, &out), CPL_EARG, "no minimum of no elements");
    FAILS(w, cpl_array_max(none, CPL_ALL_AXES, NULL, &out), CPL_EARG, "no maximum");
    OK(w, cpl_array_max(none, 2, NULL, &out)); /* there are no results either */
    cpl_array_release(out);
    cpl_array_release(none);
    cpl_array_release(rows);
    release(&x);
}

/* Refused is what has results, and no elements that they could be of. */
static void extremes_of_nothing(void **state)
{
    world *w = *state;
    nd x = vector(w, NULL, CPL_FLOAT64, 4);
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 2;
    for (int i = 0; i < 4 * 3; i++) {
        uint32_t axes = 1 + (uint32_t)i % 3;
        cpl_array *part, *least = NULL, *greatest = NULL;
        int64_t elements = 1, results = 1;
        for (int d = 0; d < 2; d++) {
            o.shape[d] = i / 3 >> d & 1 ? 2 : 0;
            *(axes >> d & 1 ? &elements : &results) *= o.shape[d];
        }
        cpl_status wanted = results && !elements ? CPL_EARG : CPL_OK;
        OK(w, cpl_array_view(x.array, &o, &part));
        assert_int_equal(cpl_array_min(part, axes, NULL, &least), wanted);
        assert_int_equal(cpl_array_max(part, axes, NULL, &greatest), wanted);
        cpl_array_release(least);
        cpl_array_release(greatest);
        cpl_array_release(part);
    }
    release(&x);
}

static void chosen(void **state)
{
    world *w = *state;
    const int64_t shape[] = {4, 5};
    nd c = make(w, NULL, CPL_INT32, 2, shape, true),
       x = make(w, NULL, CPL_FLOAT64, 1, shape + 1, true), out = {0}, dot = {0};
    OK(w, cpl_array_where(arg_of(&c), arg_of(&x), cpl_arg_float(-1), NULL, &out.array));
    read_values(w, &out);
    check_shape(&out, 2, shape, "where");
    for (int i = 0; i < 20; i++)
        same(out.values[i], c.values[i] != 0 ? x.values[i % 5] : -1, "where", i);
    OK(w, cpl_array_dot(c.array, x.array, NULL, &dot.array));
    read_values(w, &dot);
    double sum = 0;
    for (int i = 0; i < 20; i++) sum += c.values[i] * x.values[i % 5];
    check_shape(&dot, 0, NULL, "dot");
    same(dot.values[0], sum, "dot", 0);
    release(&c);
    release(&x);
    release(&out);
    release(&dot);
}

/* --- memory of the caller's, functions of a module, structs --- */

static void from_a_module(void **state)
{
    world *w = *state;
    float x[10], y[10];
    cpl_array *out = NULL;
    for (int i = 0; i < 10; i++) x[i] = (float)i, y[i] = 2;
    const cpl_bind f = cpl_bind_function("hyp");
    const cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, x, 10), cpl_arg_array(CPL_FLOAT32, y, 10)};
    OK(w, cpl_array_map(w->module, &f, NULL, &out, args, 2));
    OK(w, cpl_array_read(out, NULL, y, NULL));
    for (int i = 0; i < 10; i++) same(y[i], i * i + 4, "hyp", i);
    cpl_array_release(out);
}

static void structs(void **state)
{
    world *w = *state;
    const cpl_type *value, *number;
    OK(w, cpl_type_parse(w->cx, "float64", &value));
    OK(w, cpl_type_parse(w->cx, "int64", &number));
    const cpl_field fields[] = {{"value", value, 0}, {"at", number, 0}};
    typedef struct best {
        double value;
        int64_t at;
    } best;
    const cpl_type *type;
    OK(w, cpl_type_struct(w->cx, "Best", fields, 2, &type));
    enum { ROWS = 3, COLUMNS = 9000 };
    best *v = malloc(sizeof(best) * ROWS * COLUMNS), got[ROWS];
    for (int i = 0; i < ROWS * COLUMNS; i++) v[i] = (best){(i * 7919) % 10007, i % COLUMNS};
    const int64_t shape[] = {ROWS, COLUMNS};
    cpl_arg arg = cpl_arg_array_nd(CPL_VOID, v, 2, shape, NULL);
    arg.record = type;
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("b if b.value < a.value else a");
    spec.neutral = cpl_bind_function("nobody");
    cpl_module *m;
    static const char text[] = "from cpl import struct\n"
                               "def nobody():\n"
                               "    r = declare('Best')\n"
                               "    r.value = INFINITY\n"
                               "    r.at = -1\n"
                               "    return r\n";
    OK(w, cpl_module_from_source(w->cx, "best.py", text, sizeof text - 1, &m));
    cpl_array *out = NULL;
    OK(w, cpl_array_reduce(m, &spec, NULL, 2, &out, &arg, 1));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    for (int r = 0; r < ROWS; r++) {
        best expected = {INFINITY, -1};
        for (int i = 0; i < COLUMNS; i++)
            if (v[r * COLUMNS + i].value < expected.value) expected = v[r * COLUMNS + i];
        assert_true(got[r].value == expected.value && got[r].at == expected.at);
    }
    cpl_array_release(out);
    cpl_module_release(m);
    free(v);
}

/* Into an array that is there, by way of a copy, and one behind the other. */
static void structs_move(void **state)
{
    world *w = *state;
    enum { COUNT = 3 };
    typedef struct pair {
        int32_t a;
        double b;
    } pair;
    const cpl_type *whole, *real, *type;
    OK(w, cpl_type_parse(w->cx, "int32", &whole));
    OK(w, cpl_type_parse(w->cx, "float64", &real));
    const cpl_field fields[] = {{"a", whole, 0}, {"b", real, 0}};
    OK(w, cpl_type_struct(w->cx, "Pair", fields, 2, &type));
    pair v[COUNT] = {{1, 0.5}, {2, 1.5}, {3, 2.5}}, got[2 * COUNT];
    cpl_array *x, *both[2], *out = NULL;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.record = type;
    o.dims = 1;
    o.shape[0] = COUNT;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, v, &x));
    const cpl_slice turned = cpl_slice_range(CPL_SLICE_NONE, CPL_SLICE_NONE, -1);
    OK(w, cpl_array_slice(x, &turned, 1, &both[0]));
    both[1] = x;
    OK(w, cpl_array_concatenate(both, 2, 0, NULL, &out));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    for (int i = 0; i < 2 * COUNT; i++) {
        const pair *from = &v[i < COUNT ? COUNT - 1 - i : i - COUNT];
        assert_true(got[i].a == from->a && got[i].b == from->b);
    }
    const cpl_bind same = cpl_bind_expression("lambda p: p");
    const cpl_arg arg = cpl_arg_of_array(both[0]);
    OK(w, cpl_array_map(NULL, &same, NULL, &x, &arg, 1)); /* x = x[::-1] */
    assert_true(v[0].a == 3 && v[1].a == 2 && v[2].a == 1 && v[2].b == 0.5);
    cpl_array_release(out);
    cpl_array_release(both[0]);
    cpl_array_release(x);
}

/* The interpreter of the IR comes to the same. */
static void interpreted(void **state)
{
    world *w = *state;
    const int64_t shape[] = {3, 40};
    nd x = make(w, NULL, CPL_FLOAT32, 2, shape, true), sums[2] = {{0}};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    for (int i = 0; i < 2; i++) {
        o.interpret = i;
        for (uint32_t axes = 1; axes < 4; axes++) {
            OK(w, cpl_array_sum(x.array, axes, &o, &sums[i].array));
            read_values(w, &sums[i]);
            check_reduced(&x, axes, &sums[i], ONCE);
            release(&sums[i]);
            sums[i] = (nd){0};
        }
    }
    release(&x);
}

/* --- refused --- */

/* The one whose shape does not fit is told by its number among all arguments, numbers included. */
static void shapes_that_do_not_fit(void **state)
{
    world *w = *state;
    enum { MOST_GIVEN = 5 };
    static const int64_t shape[] = {2, 3}, other[] = {2, 4}, lines[] = {5, 2, 1};
    static const struct {
        const int64_t *shape;
        int dims;
        const char *text;
    } bad[] = {{other, 2, "(2, 4)"}, {other + 1, 1, "(4)"}};
    nd a = make(w, NULL, CPL_FLOAT64, 2, shape, false),
       line = make(w, NULL, CPL_FLOAT64, 3, lines, false);
    for (size_t b = 0; b < COUNT_OF(bad); b++) {
        nd no = make(w, NULL, CPL_FLOAT64, bad[b].dims, bad[b].shape, false);
        for (int count = 2; count <= MOST_GIVEN; count++)
            for (int at = 1; at < count; at++)
                for (int kinds = 0; kinds < 3; kinds++) { /* of those that stand around the two */
                    cpl_arg args[MOST_GIVEN];
                    char said[200];
                    cpl_array *out = NULL;
                    const cpl_bind f = cpl_bind_expression("lambda a, b, *more: a + b");
                    for (int i = 0; i < count; i++)
                        args[i] = i == at                ? arg_of(&no)
                                  : !i || kinds == 0     ? arg_of(&a)
                                  : kinds == 1 || i > at ? cpl_arg_int(i)
                                                         : arg_of(&line);
                    bool wide = kinds == 2 && at > 1;
                    snprintf(said, sizeof said,
                             "argument %d has the shape %s, which does not fit %s, that of those "
                             "in front of it",
                             at + 1, bad[b].text, wide ? "(5, 2, 3)" : "(2, 3)");
                    FAILS(w, cpl_array_map(NULL, &f, NULL, &out, args, (size_t)count), CPL_EARG,
                          said);
                    assert_null(out);
                }
        release(&no);
    }
    release(&a);
    release(&line);
}

static void refused(void **state)
{
    world *w = *state;
    const int64_t shape[] = {2, 3}, other[] = {2, 4};
    nd a = make(w, NULL, CPL_FLOAT64, 2, shape, false),
       b = make(w, NULL, CPL_INT32, 2, other, false);
    cpl_array *out = NULL, *there = b.array;
    const cpl_bind f = cpl_bind_expression("a + b"), none = {0}, number = cpl_bind_integer(1),
                   same = cpl_bind_expression("lambda a: a");
    const cpl_arg args[] = {arg_of(&a), arg_of(&b)};
    FAILS(w, cpl_array_map(NULL, &f, NULL, &out, args, 2), CPL_EARG, "(2, 4), which does not fit");
    assert_null(out);
    FAILS(w, cpl_array_map(NULL, &same, NULL, &there, args, 1), CPL_EARG, "does not fit");
    FAILS(w, cpl_array_map(NULL, &number, NULL, &out, args, 1), CPL_EARG, "no expression");
    FAILS(w, cpl_array_map(NULL, &none, NULL, &out, NULL, 0), CPL_EARG, "");
    FAILS(w, cpl_array_map(w->module, &none, NULL, &out, NULL, 0), CPL_EARG, "no array");
    FAILS(w, cpl_array_map(NULL, NULL, NULL, &out, args, 1), CPL_EARG, "");
    FAILS(w, cpl_array_map(NULL, &f, NULL, NULL, args, 2), CPL_EARG, "");
    FAILS(w, cpl_array_map(NULL, &f, NULL, &out, NULL, 2), CPL_EARG, "");
    nd small = make(w, NULL, CPL_INT32, 2, shape, false);
    there = small.array;
    FAILS(w, cpl_array_map(NULL, &same, NULL, &there, args, 1), CPL_EARG,
          "results are float64, and the array for them has elements of int32");
    cpl_arg many[41];
    for (size_t i = 0; i < COUNT_OF(many); i++) many[i] = arg_of(&a);
    FAILS(w, cpl_array_map(NULL, &same, NULL, &out, many, 41), CPL_ELIMIT, "40 arguments");
    FAILS(w, cpl_array_sum(a.array, 4, NULL, &out), CPL_EARG, "0x4, and there are 2");
    nd rows = vector(w, NULL, CPL_FLOAT64, 3);
    there = rows.array;
    FAILS(w, cpl_array_sum(a.array, 2, NULL, &there), CPL_EARG, "another shape");
    FAILS(w, cpl_array_cumsum(a.array, 2, NULL, &out), CPL_EARG, "no dimension 2: there are 2");
    FAILS(w, cpl_array_cumsum(a.array, -3, NULL, &out), CPL_EARG, "no dimension -3");
    FAILS(w, cpl_array_arange(a.array, arg_of(&b), cpl_arg_int(1), NULL), CPL_EARG, "");
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    FAILS(w, cpl_array_reduce(NULL, &spec, NULL, 1, &out, args, 1), CPL_EARG, "operator");
    spec.op = cpl_bind_expression("a - b");
    FAILS(w, cpl_array_reduce(NULL, &spec, NULL, 1, &out, args, 1), CPL_EARG, "neutral");
    cpl_scan_spec scan;
    cpl_scan_spec_init(&scan);
    scan.op = f;
    scan.flags = CPL_SCAN_LAST;
    FAILS(w, cpl_array_scan(NULL, &scan, NULL, 0, &out, args, 1), CPL_EARG, "flags");
    scan.flags = 0;
    scan.segment = cpl_bind_expression("lambda i: i == 3");
    FAILS(w, cpl_array_scan(NULL, &scan, NULL, 0, &out, args, 1), CPL_EARG, "no segments");
    assert_null(out);
    release(&a);
    release(&b);
    release(&small);
    release(&rows);
}

/* --- devices --- */

/* Memory of the host's that was no array's is dense on a device too, to which it is moved. */
static void moved_to_devices(void **state)
{
    world *w = *state;
    static float values[1000];
    needs_code();
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    for (int i = 0; i < 1000; i++) values[i] = (float)(3 + 2 * i);
    EACH_DEVICE(w, d)
    {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT32, values, 1000)};
        cpl_launch_options o;
        cpl_launch_options_init(&o);
        o.queue = cpl_device_queue(d);
        cpl_reduce_spec sum;
        cpl_reduce_spec_init(&sum);
        sum.op = cpl_bind_expression("a + b");
        cpl_array *all = NULL;
        float total = 0;
        OK(w, cpl_array_reduce(w->module, &sum, &o, 1, &all, args, 1));
        OK(w, cpl_array_read(all, NULL, &total, NULL));
        assert_true(total == 1002000);
        cpl_array_release(all);
    }
}

static void on_devices(void **state)
{
    static const int64_t shapes[][3] = {{1, 3, 20003}, {2, 9001, 3}, {4, 5, 6}};
    world *w = *state;
    needs_code();
    EACH_DEVICE(w, d)
    {
        for (int i = 0; i < 15; i++) map_once(w, d, CPL_INT32, CPL_FLOAT32);
        for (size_t i = 0; i < COUNT_OF(shapes); i++) {
            nd x = make(w, d, CPL_INT32, 3, shapes[i], i & 1);
            for (uint32_t axes = 1; axes < 8; axes++) reduce_once(w, &x, axes, axes & 1);
            for (int axis = 0; axis < 3; axis++) scan_once(w, &x, axis, axis & 1);
            release(&x);
        }
        nd x = vector(w, d, CPL_FLOAT32, 1000);
        OK(w, cpl_array_arange(x.array, cpl_arg_int(3), cpl_arg_int(2), NULL));
        again(w, &x);
        for (int i = 0; i < 1000; i++) same(x.values[i], 3 + 2 * i, "arange", i);
        cpl_event *event;
        cpl_launch_options o;
        cpl_launch_options_init(&o);
        o.event = &event;
        OK(w, cpl_array_fill(x.array, cpl_arg_float(7), &o));
        OK(w, cpl_event_wait(event));
        cpl_event_release(event);
        again(w, &x);
        for (int i = 0; i < 1000; i++) same(x.values[i], 7, "fill", i);
        release(&x);
    }
}

static void lines(world *w, cpl_device *d)
{
    static const int64_t shapes[][3] = {{1, 1, 20000}, {40, 1, 301}, {5, 7, 33},
                                        {2, 3, 31},    {3, 1, 1024}, {2, 2, 4097}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        nd x = make(w, d, i & 1 ? CPL_FLOAT32 : CPL_INT64, 3, shapes[i], i & 1);
        reduce_once(w, &x, 4, true);
        reduce_once(w, &x, i & 1 ? 6 : 4, false);
        scan_once(w, &x, 2, i & 1);
        scan_once(w, &x, (int)(i % 3), true);
        release(&x);
    }
}

/* A group for each row or piece of one, wherever there are groups. */
static void rows_by_groups(void **state)
{
    world *w = *state;
    OK(w, cpl_context_set_option(w->cx, "tiles", 2));
    lines(w, NULL);
    EACH_DEVICE(w, d) lines(w, d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(maps, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(reductions, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(large_reductions, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(scans, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(types, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(overlaps, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(parts_into_parts, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(numbered, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(joined, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(joined_with_others, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(running_zeros, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(neighbours, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(no_neighbours, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(extremes, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(extremes_of_types, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(extremes_of_nothing, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(chosen, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(from_a_module, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(structs, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(structs_move, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(interpreted, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(shapes_that_do_not_fit, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(moved_to_devices, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(on_devices, set_up_module, tear_down),
        cmocka_unit_test_setup_teardown(rows_by_groups, set_up_module, tear_down),
    };
    return cmocka_run_group_tests_name("numeric", tests, NULL, NULL);
}
