/*
 * Elements at indices along an axis, compared with loops of plain C: any axis, indices of any
 * shape, every type, gaps and steps backwards, what is empty, on the host and on whatever devices
 * there are.
 */
#include "nd.h"

/* --- one of them --- */

typedef struct taken {
    nd from, indices;
    int axis;
    cpl_index_mode mode;
} taken;

static void write_values(world *w, const nd *x)
{
    void *raw = malloc((size_t)x->info.length * x->info.element_size + 1);
    for (int64_t i = 0; i < x->info.length; i++) put(x->info.dtype, raw, i, x->values[i]);
    OK(w, cpl_array_write(x->array, NULL, raw, NULL));
    free(raw);
}

/* Indices from low to high - 1. */
static nd make_indices(world *w, cpl_device *d, int dims, const int64_t *shape, int64_t low,
                       int64_t high)
{
    cpl_dtype type = drawn(2) ? CPL_INT32 : CPL_INT64;
    nd x = make(w, d, type, dims, shape, drawn(2));
    for (int64_t i = 0; i < x.info.length; i++)
        x.values[i] = (double)(low + drawn((int)(high - low)));
    write_values(w, &x);
    return x;
}

static int64_t index_in(const taken *t, int64_t k)
{
    int64_t m = t->from.info.shape[t->axis];
    if (t->mode == CPL_INDEX_WRAP) return (k % m + m) % m;
    if (t->mode == CPL_INDEX_RAISE && k < 0) k += m;
    return k < 0 ? 0 : k >= m ? m - 1 : k;
}

static int shape_of(const taken *t, int64_t *shape)
{
    int dims = 0;
    const cpl_array_info *from = &t->from.info, *indices = &t->indices.info;
    for (int d = 0; d < t->axis; d++) shape[dims++] = from->shape[d];
    for (int d = 0; d < indices->dims; d++) shape[dims++] = indices->shape[d];
    for (int d = t->axis + 1; d < from->dims; d++) shape[dims++] = from->shape[d];
    return dims;
}

static void check_taken(const taken *t, const nd *got)
{
    int64_t shape[MOST], n = t->indices.info.length, m = t->from.info.shape[t->axis], behind = 1;
    check_shape(got, shape_of(t, shape), shape, "take");
    for (int d = t->axis + 1; d < t->from.info.dims; d++) behind *= t->from.info.shape[d];
    for (int64_t i = 0; i < got->info.length; i++) {
        int64_t k = index_in(t, (int64_t)t->indices.values[i / behind % n]);
        same(got->values[i], t->from.values[(i / behind / n * m + k) * behind + i % behind], "take",
             i);
    }
}

static void take(world *w, const taken *t, const cpl_launch_options *o, nd *out)
{
    int axis = drawn(2) ? t->axis : t->axis - t->from.info.dims;
    OK(w, cpl_array_take(t->from.array, t->indices.array, axis, t->mode, o, &out->array));
    free(out->values);
    read_values(w, out);
    check_taken(t, out);
}

static taken draw(world *w, cpl_device *d, cpl_dtype type, int most)
{
    int64_t shape[MOST], of[MOST];
    int dims = 1 + drawn(4), of_dims = drawn(4);
    taken t = {.axis = drawn(dims), .mode = (cpl_index_mode)drawn(3)};
    for (int i = 0; i < dims; i++) shape[i] = 1 + drawn(most);
    for (int i = 0; i < of_dims; i++) of[i] = 1 + drawn(most);
    int64_t m = shape[t.axis], over = t.mode == CPL_INDEX_RAISE ? 0 : 2 * m;
    t.from = make(w, d, type, dims, shape, drawn(2));
    t.indices = make_indices(w, d, of_dims, of, -m - over, m + over);
    return t;
}

static void release_taken(taken *t)
{
    release(&t->from);
    release(&t->indices);
}

/* To a new array, and to one that is there, with gaps, of another type. */
static void take_once(world *w, cpl_device *d, cpl_dtype type, int most, bool interpreted)
{
    int64_t shape[MOST];
    nd out = {0};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.interpret = interpreted;
    taken t = draw(w, d, type, most);
    take(w, &t, &o, &out);
    assert_int_equal(out.info.dtype, type);
    release(&out);
    nd there = make(w, d, drawn(2) ? type : CPL_FLOAT64, shape_of(&t, shape), shape, true);
    take(w, &t, &o, &there);
    release(&there);
    release_taken(&t);
}

static void takes(void **state)
{
    for (size_t i = 0; i < COUNT_OF(all_types); i++)
        for (int k = 0; k < 8; k++) take_once(*state, NULL, all_types[i], 5, false);
    for (int i = 0; i < 150; i++) take_once(*state, NULL, CPL_INT32, 6, false);
}

static void interpreted(void **state)
{
    for (int i = 0; i < 20; i++) take_once(*state, NULL, CPL_FLOAT32, 4, true);
}

/* By several threads; four dimensions that stay apart. */
static void large(void **state)
{
    static const int64_t shapes[][4] = {{1, 70000, 1, 1},
                                        {3, 5, 20000, 1},
                                        {20000, 7, 2, 1},
                                        {9, 8, 7, 60}};
    world *w = *state;
    for (size_t i = 0; i < 2 * COUNT_OF(shapes); i++)
        for (int axis = 0; axis < 4; axis++) {
            const int64_t *shape = shapes[i / 2], of[] = {3, 1 + axis * 2};
            nd out = {0};
            taken t = {.axis = axis, .mode = CPL_INDEX_RAISE};
            t.from = make(w, NULL, CPL_INT16, 4, shape, i & 1);
            t.indices = make_indices(w, NULL, 2, of, -shape[axis], shape[axis]);
            take(w, &t, NULL, &out);
            release(&out);
            release_taken(&t);
        }
}

/* --- what is empty, and what lies in one place --- */

static void empty(void **state)
{
    static const int64_t shapes[][3] = {{0, 3, 2}, {2, 3, 0}, {2, 0, 2}, {0, 0, 2}, {2, 3, 2}},
                         lengths[] = {4, 4, 0, 4, 0}; /* of the indices, along the second one */
    world *w = *state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        taken t = {.axis = 1};
        nd out = {0};
        t.from = make(w, NULL, CPL_INT32, 3, shapes[i], false);
        t.indices = make_indices(w, NULL, 1, &lengths[i], 0, 2);
        take(w, &t, NULL, &out);
        assert_int_equal(out.info.length, 0);
        release(&out);
        release_taken(&t);
    }
    const int64_t none[] = {2, 0, 2}, one = 1;
    nd from = make(w, NULL, CPL_INT32, 3, none, false), at = make_indices(w, NULL, 1, &one, 0, 1);
    cpl_array *out = NULL;
    for (int mode = 0; mode < 3; mode++)
        FAILS(w, cpl_array_take(from.array, at.array, 1, (cpl_index_mode)mode, NULL, &out),
              CPL_EARG, "without elements has none for 1 index");
    assert_null(out);
    release(&from);
    release(&at);
}

/* The same elements along the axis, and nothing along the others. */
static void repeated(void **state)
{
    world *w = *state;
    double v[] = {5, 6, 7};
    const int64_t count = 4;
    OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
    for (int64_t columns = 1; columns < 4; columns += 2) {
        nd out = {0}, at = make_indices(w, NULL, 1, &count, -9, 9);
        int64_t shape[] = {9, columns}, strides[] = {0, sizeof(double)};
        cpl_array *x, *rows;
        cpl_array_options o;
        cpl_array_options_init(&o);
        o.dtype = CPL_FLOAT64;
        o.dims = 1;
        o.shape[0] = 3;
        OK(w, cpl_array_wrap(w->cx, NULL, &o, v, &x));
        o.dims = 2;
        memcpy(o.shape, shape, sizeof shape);
        memcpy(o.strides, strides, sizeof strides);
        OK(w, cpl_array_view(x, &o, &rows));
        OK(w, cpl_array_take(rows, at.array, 0, CPL_INDEX_RAISE, NULL, &out.array));
        read_values(w, &out);
        for (int64_t i = 0; i < out.info.length; i++) same(out.values[i], v[i % columns], "row", i);
        assert_int_equal(out.info.length, 4 * columns);
        release(&out);
        release(&at);
        cpl_array_release(rows);
        cpl_array_release(x);
    }
}

/* --- elements --- */

/* Of numbers that are not equal to themselves too, and quiet ones stay what they are. */
static void keep_bits(void **state)
{
    static const uint64_t bits[] = {0x7ff0000000000001, 0xfff8000000000123, 0x8000000000000000,
                                    0x7ff4dead0000beef};
    static const int32_t order[] = {3, 0, -2, 1, 3};
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        uint64_t got[COUNT_OF(order)];
        cpl_array *x = on_device(w, d, CPL_FLOAT64, bits, COUNT_OF(bits)),
                  *at = on_device(w, d, CPL_INT32, order, COUNT_OF(order)), *out = NULL;
        for (int turn = 0; turn < 2; turn++) { /* a new array, and one that is there */
            OK(w, cpl_array_take(x, at, 0, CPL_INDEX_RAISE, NULL, &out));
            OK(w, cpl_array_read(out, NULL, got, NULL));
            for (size_t i = 0; i < COUNT_OF(order); i++)
                assert_true(got[i] == bits[order[i] < 0 ? order[i] + 4 : order[i]]);
        }
        cpl_array_release(out);
        cpl_array_release(at);
        cpl_array_release(x);
    }
}

static void structs(void **state)
{
    enum { COUNT = 3 };
    typedef struct pair {
        int32_t a;
        double b;
    } pair;
    world *w = *state;
    pair v[COUNT] = {{1, 0.5}, {2, 1.5}, {3, 2.5}}, got[2 * COUNT];
    static const int64_t order[] = {2, 0, -2, 2, 1, 0}, expected[] = {3, 1, 2, 3, 2, 1};
    const cpl_type *whole, *real, *type;
    OK(w, cpl_type_parse(w->cx, "int32", &whole));
    OK(w, cpl_type_parse(w->cx, "float64", &real));
    const cpl_field fields[] = {{"a", whole, 0}, {"b", real, 0}};
    OK(w, cpl_type_struct(w->cx, "Pair", fields, 2, &type));
    cpl_array *x, *out = NULL, *at = on_device(w, NULL, CPL_INT64, order, COUNT_OF(order));
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.record = type;
    o.dims = 1;
    o.shape[0] = COUNT;
    OK(w, cpl_array_wrap(w->cx, NULL, &o, v, &x));
    OK(w, cpl_array_take(x, at, 0, CPL_INDEX_RAISE, NULL, &out));
    OK(w, cpl_array_read(out, NULL, got, NULL));
    for (int i = 0; i < 2 * COUNT; i++)
        assert_true(got[i].a == expected[i] && got[i].b == (double)expected[i] - 0.5);
    cpl_array_release(out);
    cpl_array_release(at);
    cpl_array_release(x);
}

/* What is taken from, and the indices themselves, as if they had been read before. */
static void overlaps(void **state)
{
    world *w = *state;
    enum { LENGTH = 5000 };
    static int64_t v[LENGTH], k[LENGTH], got[LENGTH];
    for (int i = 0; i < LENGTH; i++) v[i] = 3 * i, k[i] = (i * 7919LL + 13) % LENGTH;
    cpl_array *x = on_device(w, NULL, CPL_INT64, v, LENGTH),
              *at = on_device(w, NULL, CPL_INT64, k, LENGTH);
    OK(w, cpl_array_take(x, at, 0, CPL_INDEX_RAISE, NULL, &x)); /* x = x[at] */
    OK(w, cpl_array_read(x, NULL, got, NULL));
    for (int i = 0; i < LENGTH; i++) assert_true(got[i] == v[k[i]]);
    OK(w, cpl_array_write(x, NULL, v, NULL));
    OK(w, cpl_array_take(x, at, 0, CPL_INDEX_RAISE, NULL, &at)); /* at = x[at] */
    OK(w, cpl_array_read(at, NULL, got, NULL));
    for (int i = 0; i < LENGTH; i++) assert_true(got[i] == v[k[i]]);
    cpl_array_release(at);
    cpl_array_release(x);
}

/* --- refused --- */

static cpl_status take_and_wait(cpl_device *d, const nd *x, const nd *at, int axis, cpl_array **out)
{
    cpl_status status = cpl_array_take(x->array, at->array, axis, CPL_INDEX_RAISE, NULL, out);
    return status || !d ? status : cpl_queue_finish(cpl_device_queue(d));
}

/* An index that is none, along each dimension, where bounds are checked: it, and where it is in the
 * order of the indices, whatever their shape and however they lie; else it is the nearest. */
static void out_of_range(void **state)
{
    static const int64_t shape[] = {3, 4, 5}, of[] = {2, 3, 4};
    world *w = *state;
    EACH_DEVICE(w, d)
    for (int axis = 0; axis < 3; axis++)
        for (int low = 0; low < 2; low++) {
            char text[100];
            int32_t position = drawn(24), k = (int32_t)(low ? -shape[axis] - 1 : shape[axis]);
            nd x = make(w, d, CPL_INT32, 3, shape, drawn(2)),
               at = make_indices(w, d, 3, of, -shape[axis], shape[axis]), got = {0};
            cpl_array *out = NULL;
            at.values[position] = k;
            write_values(w, &at);
            OK(w, cpl_context_set_option(w->cx, "bounds_check", 1));
            snprintf(text, sizeof text,
                     "in 'take': index %d at position %d is out of range for an array of %d elem",
                     (int)k, (int)position, (int)shape[axis]);
            FAILS(w, take_and_wait(d, &x, &at, axis, &out), CPL_EBOUNDS, text);
            cpl_array_release(out); /* of a device: there was no error yet */
            OK(w, cpl_context_set_option(w->cx, "bounds_check", 0));
            taken t = {x, at, axis, CPL_INDEX_RAISE};
            take(w, &t, NULL, &got);
            release(&got);
            release_taken(&t);
        }
}

static void refused(void **state)
{
    static const int64_t shape[] = {2, 3, 2, 1, 1}, other[] = {2, 4};
    const int32_t one = 1;
    world *w = *state, *v;
    nd x = make(w, NULL, CPL_FLOAT64, 2, shape, false),
       wide = make(w, NULL, CPL_INT32, 5, shape, false), at = make_indices(w, NULL, 1, shape, 0, 2),
       wrong = make(w, NULL, CPL_FLOAT64, 2, other, false),
       whole = make(w, NULL, CPL_INT32, 2, (const int64_t[]){2, 2}, false);
    cpl_array *out = NULL;
#define TAKE(x, at, axis, mode, out) cpl_array_take(x, at, axis, (cpl_index_mode)(mode), NULL, out)
    FAILS(w, TAKE(x.array, at.array, 2, 0, &out), CPL_EARG, "no dimension 2: there are 2");
    FAILS(w, TAKE(x.array, at.array, -3, 0, &out), CPL_EARG, "no dimension -3");
    FAILS(w, TAKE(x.array, at.array, 0, 3, &out), CPL_EARG, "no such mode of indices: 3");
    FAILS(w, TAKE(x.array, at.array, 0, -1, &out), CPL_EARG, "no such mode of indices: -1");
    FAILS(w, TAKE(x.array, x.array, 0, 0, &out), CPL_EARG, "no array of int32 or int64");
    FAILS(w, TAKE(wide.array, wide.array, 0, 0, &out), CPL_EARG, "and what is taken has 9");
    FAILS(w, TAKE(NULL, at.array, 0, 0, &out), CPL_EARG, "");
    FAILS(w, TAKE(x.array, NULL, 0, 0, &out), CPL_EARG, "");
    FAILS(w, TAKE(x.array, at.array, 0, 0, NULL), CPL_EARG, "");
    out = wrong.array;
    FAILS(w, TAKE(x.array, at.array, 0, 0, &out), CPL_EARG, "another shape");
    out = whole.array;
    FAILS(w, TAKE(x.array, at.array, 1, 0, &out), CPL_EARG,
          "results are float64, and the array for them has elements of int32");
    void *second = NULL; /* indices of another context */
    set_up_module(&second);
    v = second;
    cpl_array *theirs = on_device(v, NULL, CPL_INT32, &one, 1);
    out = NULL;
    FAILS(w, TAKE(x.array, theirs, 0, 0, &out), CPL_EARG, "context");
    cpl_array_release(theirs);
    tear_down(&second);
    release(&x);
    release(&wide);
    release(&at);
    release(&wrong);
    release(&whole);
}

static void on_devices(void **state)
{
    world *w = *state;
    needs_code();
    EACH_DEVICE(w, d)
    {
        for (int i = 0; i < 12; i++) take_once(w, d, CPL_FLOAT32, 5, false);
        for (int i = 0; i < 4; i++) take_once(w, d, CPL_INT8, 12, false);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_module, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(takes),        TEST(interpreted), TEST(large),      TEST(empty),
        TEST(repeated),     TEST(keep_bits),   TEST(structs),    TEST(overlaps),
        TEST(out_of_range), TEST(refused),     TEST(on_devices),
    };
    return cmocka_run_group_tests_name("take", tests, NULL, NULL);
}
