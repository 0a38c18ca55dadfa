/*
 * Compactions and partitions, compared with plain loops: every type, several arrays at once,
 * conditions of all kinds, results with less room than there is to put, on the host with any number
 * of threads, by the interpreter, by tiles, and on whatever devices there are.
 */
#include "gather_model.h"

/* The numbers of those for which it holds; for a partition the others behind; how many hold. */
static int64_t expect(bool (*holds)(int64_t i), int64_t n, bool parts, int64_t *order)
{
    int64_t k = 0, hold;
    for (int64_t i = 0; i < n; i++)
        if (holds(i)) order[k++] = i;
    hold = k;
    for (int64_t i = 0; i < n && parts; i++)
        if (!holds(i)) order[k++] = i;
    return hold;
}

static bool never(int64_t i)
{
    return i < 0;
}
static bool always(int64_t i)
{
    return i >= 0;
}
static bool at_random(int64_t i)
{
    return scrambled((uint64_t)i) % 2;
}
static bool seldom(int64_t i)
{
    return i % 4096 == 4095;
}
static bool in_front(int64_t i)
{
    return i < 5000;
}
static bool (*const conditions[])(int64_t i) = {never, always, at_random, seldom, in_front};

/* By an array of bools: all sizes, all patterns, with the numbers of elements, and how many there
 * are as an array, as a result, or for nobody. */
static void by_masks(void **state)
{
    world *w = *state;
    bool *mask = malloc(MOST);
    double *x = some_bits(CPL_FLOAT64, MOST), *y = malloc(MOST * 8);
    int32_t *order = malloc(MOST * 4);
    int64_t *expected = malloc(MOST * 8), number, result;
    for (size_t l = 0; l < COUNT_OF(lengths); l++)
        for (size_t p = 0; p < COUNT_OF(conditions); p++)
            for (int way = 0; way < 2; way++) {
                int64_t n = lengths[l], hold = expect(conditions[p], n, way, expected),
                        all = way ? n : hold;
                for (int64_t i = 0; i < n; i++) mask[i] = conditions[p](i);
                cpl_arg args[] = {cpl_arg_const_array(CPL_FLOAT64, x, n),
                                  cpl_arg_const_array(CPL_BOOL, mask, n)},
                        out = cpl_arg_array(CPL_FLOAT64, y, n),
                        to = cpl_arg_array(CPL_INT32, order, n),
                        told = cpl_arg_array(CPL_INT64, &number, 1);
                cpl_choice c;
                cpl_choice_init(&c);
                c.out = &out;
                c.out_count = 1;
                c.order = p % 2 ? &to : NULL;
                c.number = p == 3 ? NULL : &told;
                cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
                number = result = -1;
                if (p == 3) o.result = &result;
                memset(y, 0xAB, MOST * 8);
                OK(w, both[way](w->module, &c, &o, args, 2));
                assert_int_equal(p == 3 ? result : number, hold);
                for (int64_t i = 0; i < all; i++) same_element(y, x, 8, i, expected[i]);
                for (int64_t i = 0; i < all && c.order; i++)
                    assert_int_equal(order[i], expected[i]);
                for (int64_t i = all * 8; i < n * 8; i++) assert_int_equal(((uint8_t *)y)[i], 0xAB);
            }
    free(mask);
    free(x);
    free(y);
    free(order);
    free(expected);
}

/* Masks of numbers; elements of every type keep their bits. */
static void types_of_choices(void **state)
{
    world *w = *state;
    int64_t *expected = malloc(BIG * 8);
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (int way = 0; way < 2; way++) {
            int64_t number, hold = expect(at_random, BIG, way, expected);
            size_t size = cpl_dtype_size(types[t]);
            void *x = some_bits(types[t], BIG), *y = malloc(BIG * size);
            char *mask = calloc(BIG, size);
            for (int64_t i = 0; i < BIG; i++)
                if (at_random(i)) memset(mask + (size_t)i * size, 1, size);
            cpl_arg args[] = {cpl_arg_array(types[t], x, BIG), cpl_arg_array(types[t], mask, BIG)},
                    out = cpl_arg_array(types[t], y, BIG),
                    told = cpl_arg_array(CPL_INT64, &number, 1);
            cpl_choice c;
            cpl_choice_init(&c);
            c.out = &out;
            c.out_count = 1;
            c.number = &told;
            OK(w, both[way](w->module, &c, NULL, args, 2));
            assert_int_equal(number, hold);
            for (int64_t i = 0; i < (way ? BIG : hold); i++)
                same_element(y, x, size, i, expected[i]);
            free(x);
            free(y);
            free(mask);
        }
    free(expected);
}

/* From 0 to 16 arrays, by a function of one of them; less room for some than for others. */
static void several_choices(void **state)
{
    world *w = *state;
    enum { ARRAYS = 16 };
    int32_t *x = some_bits(CPL_INT32, ARRAYS * BIG), *y = malloc(ARRAYS * BIG * 4);
    int64_t *order = malloc(BIG * 8);
    for (int i = 0; i < BIG; i++) x[i] = (int32_t)(scrambled((uint64_t)i) % 1000);
    for (int count = 0; count <= ARRAYS; count++)
        for (int way = 0; way < 4; way++) {
            cpl_arg args[ARRAYS], out[ARRAYS], to = cpl_arg_array(CPL_INT64, order, BIG);
            bool parts = way & 1;
            int64_t hold = 0, k = 0, number, room = parts ? BIG : 7777;
            for (int a = 0; a < ARRAYS; a++) {
                args[a] = cpl_arg_array(CPL_INT32, x + a * BIG, BIG);
                out[a] = cpl_arg_array(CPL_INT32, y + a * BIG, a == count / 2 ? room : BIG);
            }
            cpl_choice c;
            cpl_choice_init(&c);
            size_t given = count > 2 ? (size_t)count : 2;
            char text[256] = "lambda i, x, y";
            for (size_t a = 2; a < given; a++) sprintf(text + strlen(text), ", z%zu", a);
            strcat(text, ": 1.5*(x[i] % 2)");
            c.condition = count < 2 ? cpl_bind_function("is_odd") : cpl_bind_expression(text);
            c.out = out;
            c.out_count = (size_t)count;
            c.order = way & 2 ? &to : NULL;
            cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
            o.result = &number;
            memset(y, 0xAB, ARRAYS * BIG * 4);
            OK(w, both[parts](w->module, &c, &o, args, given));
            for (int i = 0; i < BIG; i++) hold += x[i] % 2;
            assert_int_equal(number, hold);
            for (int turn = 1; turn >= !parts; turn--)
                for (int i = 0; i < BIG; i++)
                    if (x[i] % 2 == turn) {
                        if (!(count && k >= room)) {
                            for (int a = 0; a < count; a++)
                                assert_int_equal(y[a * BIG + k], x[a * BIG + i]);
                            if (way & 2) assert_int_equal(order[k], i);
                        } else
                            for (int a = 0; a < count; a++)
                                assert_int_equal(y[a * BIG + k], (int32_t)0xABABABAB);
                        k++;
                    }
        }
    free(x);
    free(y);
    free(order);
}

/* Structs by a function and a number that is no array; every third element. */
static void structs_and_strides(void **state)
{
    world *w = *state;
    item *s = some_items(BIG), *got = malloc(BIG * sizeof *got);
    int16_t *b = some_bits(CPL_INT16, 3 * BIG), *b_out = calloc(2 * BIG, 2);
    for (int way = 0; way < 2; way++) {
        int64_t k = 0;
        cpl_arg args[] = {item_arg(w, s, BIG), cpl_arg_float(500)},
                more[] = {cpl_arg_array(CPL_INT16, b, BIG), item_arg(w, s, BIG)},
                out = item_arg(w, got, BIG), more_out = cpl_arg_array(CPL_INT16, b_out, BIG);
        more[0].stride = 6;
        more_out.stride = 4;
        cpl_choice c;
        cpl_choice_init(&c);
        c.condition = cpl_bind_function("is_heavy");
        c.out = &out;
        c.out_count = 1;
        OK(w, both[way](w->module, &c, NULL, args, 2));
        c.condition = cpl_bind_expression("lambda i, b, s: s[i].weight >= 500");
        c.out = &more_out;
        OK(w, both[way](w->module, &c, NULL, more, 2));
        for (int turn = 0; turn <= way; turn++)
            for (int64_t i = 0; i < BIG; i++)
                if ((s[i].weight < 500) == turn) {
                    same_element(got, s, sizeof *s, k, i);
                    same_element(b_out, b, 2, 2 * k, 3 * i);
                    k++;
                }
    }
    free(s);
    free(got);
    free(b);
    free(b_out);
}

static void any_threads(void **state)
{
    world *w = *state;
    static const int64_t threads[] = {1, 2, 3, 8};
    int64_t *expected = malloc(MOST * 8), *order = malloc(MOST * 8), number;
    for (size_t t = 0; t < COUNT_OF(threads); t++)
        for (int way = 0; way < 4; way++) {
            int64_t hold = expect(at_random, MOST, way & 1, expected);
            uint8_t *mask = malloc(MOST);
            for (int64_t i = 0; i < MOST; i++) mask[i] = at_random(i);
            cpl_arg in = cpl_arg_array(CPL_UINT8, mask, MOST),
                    to = cpl_arg_array(CPL_INT64, order, MOST);
            cpl_choice c;
            cpl_choice_init(&c);
            c.order = &to;
            cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
            o.result = &number;
            o.interpret = way & 2 && threads[t] == 1;
            OK(w, cpl_context_set_option(w->cx, "num_threads", threads[t]));
            OK(w, both[way & 1](w->module, &c, &o, &in, 1));
            assert_int_equal(number, hold);
            for (int64_t i = 0; i < (way & 1 ? MOST : hold); i++)
                assert_int_equal(order[i], expected[i]);
            free(mask);
        }
    free(expected);
    free(order);
}

/* --- on devices --- */

static void chooses_there(world *w, cpl_device *d, int64_t n)
{
    float *x = some_bits(CPL_FLOAT32, n), *y = calloc((size_t)n + 1, 4);
    bool *mask = calloc((size_t)n + 1, 1);
    int64_t *expected = malloc((size_t)(n + 1) * 8), number = -1;
    for (int64_t i = 0; i < n; i++) mask[i] = at_random(i);
    cpl_array *from = on_device(w, d, CPL_FLOAT32, x, n), *to = on_device(w, d, CPL_FLOAT32, y, n),
              *at = on_device(w, d, CPL_BOOL, mask, n),
              *told = on_device(w, d, CPL_INT64, &number, 1);
    cpl_arg args[] = {cpl_arg_of_array(from), cpl_arg_of_array(at)}, out = cpl_arg_of_array(to),
            place = cpl_arg_of_array(told);
    for (int way = 0; way < 4; way++) {
        int64_t hold = expect(at_random, n, way & 1, expected);
        cpl_choice c;
        cpl_choice_init(&c);
        c.out = &out;
        c.out_count = 1;
        c.number = way & 2 ? &place : NULL;
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.result = way & 2 ? NULL : &number;
        number = -1;
        OK(w, both[way & 1](w->module, &c, &o, args, 2));
        if (way & 2) OK(w, cpl_array_read(told, NULL, &number, NULL));
        OK(w, cpl_array_read(to, NULL, y, NULL));
        assert_int_equal(number, hold);
        for (int64_t i = 0; i < (way & 1 ? n : hold); i++) same_element(y, x, 4, i, expected[i]);
    }
    cpl_array_release(from);
    cpl_array_release(to);
    cpl_array_release(at);
    cpl_array_release(told);
    free(x);
    free(y);
    free(mask);
    free(expected);
}

static void on_devices(void **state)
{
    world *w = *state;
    static const int64_t some[] = {0, 1, BIG};
    EACH_DEVICE(w, d)
    for (size_t l = 0; l < COUNT_OF(some); l++) chooses_there(w, d, some[l]);
}

/* Memory of the host's own, which goes to a device and back; a condition sees floats there. */
static void automatically(void **state)
{
    world *w = *state;
    double *x = malloc(BIG * 8), *y = malloc(BIG * 8);
    int64_t number;
    for (int i = 0; i < BIG; i++) x[i] = i % 10 - 4.5;
    OK(w, cpl_context_set_option(w->cx, "automatic", 1));
    EACH_DEVICE(w, d)
    {
        int64_t k = 0;
        cpl_arg in = cpl_arg_array(CPL_FLOAT64, x, BIG), out = cpl_arg_array(CPL_FLOAT64, y, BIG);
        cpl_choice c;
        cpl_choice_init(&c);
        c.condition = cpl_bind_expression("lambda i, x: x[i] > 0");
        c.out = &out;
        c.out_count = 1;
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, cpl_device_queue(d));
        o.result = &number;
        memset(y, 0, BIG * 8);
        OK(w, cpl_compact(w->module, &c, &o, &in, 1));
        for (int i = 0; i < BIG; i++)
            if (x[i] > 0) assert_true(y[k++] == x[i]);
        assert_int_equal(number, k);
    }
    free(x);
    free(y);
}

/* A graph takes and chooses what is there when it is launched. */
static void recorded(void **state)
{
    world *w = *state;
    EACH_DEVICE(w, d)
    {
        cpl_graph *graph;
        int64_t *expected = malloc(BIG * 8), number = 0;
        float *x = some_bits(CPL_FLOAT32, BIG), *y = malloc(BIG * 4);
        bool *mask = calloc(BIG, 1);
        cpl_queue *q = cpl_device_queue(d);
        cpl_array *from = on_device(w, d, CPL_FLOAT32, x, BIG),
                  *to = on_device(w, d, CPL_FLOAT32, x, BIG),
                  *at = on_device(w, d, CPL_BOOL, mask, BIG),
                  *told = on_device(w, d, CPL_INT64, &number, 1);
        cpl_arg args[] = {cpl_arg_of_array(from), cpl_arg_of_array(at)}, out = cpl_arg_of_array(to),
                place = cpl_arg_of_array(told);
        cpl_choice c;
        cpl_choice_init(&c);
        c.out = &out;
        c.out_count = 1;
        c.number = &place;
        OK(w, cpl_graph_begin(q));
        OK(w, cpl_partition(w->module, &c, NULL, args, 2));
        OK(w, cpl_graph_end(q, &graph));
        for (size_t p = 1; p < 4; p++) {
            int64_t hold = expect(conditions[p], BIG, true, expected);
            for (int64_t i = 0; i < BIG; i++) mask[i] = conditions[p](i);
            OK(w, cpl_array_write(at, NULL, mask, NULL));
            OK(w, cpl_graph_launch(graph, NULL, NULL));
            OK(w, cpl_array_read(to, NULL, y, NULL));
            OK(w, cpl_array_read(told, NULL, &number, NULL));
            assert_int_equal(number, hold);
            for (int64_t i = 0; i < BIG; i++) same_element(y, x, 4, i, expected[i]);
        }
        cpl_graph_release(graph);
        cpl_array_release(from);
        cpl_array_release(to);
        cpl_array_release(at);
        cpl_array_release(told);
        free(x);
        free(y);
        free(mask);
        free(expected);
    }
}

/* --- partitions by tiles: counted first, then moved --- */

enum { TILE = 6144 }; /* elements */

static void part_by_tiles(world *w, int64_t n, const char *condition)
{
    int32_t *x = malloc((size_t)n * 4), *y = malloc((size_t)n * 4);
    int64_t *order = malloc((size_t)n * 8), number = -1, at = 0;
    for (int64_t i = 0; i < n; i++) x[i] = (int32_t)(scrambled((uint64_t)i) % 1000);
    cpl_arg in = cpl_arg_array(CPL_INT32, x, n), out = cpl_arg_array(CPL_INT32, y, n),
            to = cpl_arg_array(CPL_INT64, order, n), told = cpl_arg_array(CPL_INT64, &number, 1);
    cpl_choice c;
    cpl_choice_init(&c);
    c.condition = cpl_bind_expression(condition);
    c.out = &out;
    c.out_count = 1;
    c.order = &to;
    c.number = &told;
    OK(w, cpl_partition(w->module, &c, NULL, &in, 1));
    for (int part = 0; part < 2; part++) {
        for (int64_t i = 0; i < n; i++)
            if ((x[i] < 300 && i) != part) {
                assert_int_equal(order[at], i);
                assert_int_equal(y[at++], x[i]);
            }
        if (!part) assert_int_equal(number, at);
    }
    free(x);
    free(y);
    free(order);
}

static void partitions_by_tiles(void **state)
{
    world *w = *state;
    static const int64_t some[] = {1, 33, TILE - 1, TILE, TILE + 1, 5 * TILE + 17};
    OK(w, cpl_context_set_option(w->cx, "tiles", 2));
    for (size_t l = 0; l < COUNT_OF(some); l++)
        part_by_tiles(w, some[l], "lambda i, x: x[i] < 300 and i != 0");
}

/* Written out for each element of a work-item it would be more than a kernel may be. */
static void large_conditions_by_tiles(void **state)
{
    world *w = *state;
    enum { TERMS = 300, LENGTH = 24 };
    char text[TERMS * LENGTH + 64], *at = stpcpy(text, "lambda i, x: x[i] < 300 and i != 0");
    for (int k = 0; k < TERMS; k++) at += snprintf(at, LENGTH, " and x[i]*3 < %d", 4000 + k);
    OK(w, cpl_context_set_option(w->cx, "tiles", 2));
    part_by_tiles(w, TILE + 7, text);
}

/* For CUDA: clear, count, move; with more arguments than that move has room for, by pieces. */
static void partitions_for_gpus(void **state)
{
    world *w = *state;
    enum { MANY = 44 };
    int32_t x[9] = {0}, y[9];
    cpl_arg in[MANY], out = cpl_arg_array(CPL_INT32, y, 9);
    for (int i = 0; i < MANY; i++) in[i] = cpl_arg_array(CPL_INT32, x, 9);
    for (int few = 0; few < 2; few++) {
        cpl_kernels found = {.target = "cuda:sm_80"};
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.kernels = &found;
        cpl_choice c;
        cpl_choice_init(&c);
        c.condition =
            cpl_bind_expression(few ? "lambda i, x: x[i] == 0" : "lambda i, x, *more: x[i] == 0");
        c.out = &out;
        c.out_count = 1;
        OK(w, cpl_partition(w->module, &c, &o, in, few ? 1 : MANY));
        assert_int_equal(found.count, 3);
        cpl_blob text;
        OK(w, cpl_kernel_emit(found.kernels[1], CPL_STAGE_PTX, NULL, &text));
        assert_int_equal(few, strstr(text.data, "tally") != NULL);
        cpl_blob_free(&text);
        for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
    }
}

/* --- what is refused --- */

static void refused_choices(void **state)
{
    world *w = *state;
    int32_t x[8] = {3, 1, 2}, y[8];
    double f[8];
    item t[8] = {{0}};
    cpl_arg in = cpl_arg_array(CPL_INT32, x, 8), out = cpl_arg_array(CPL_INT32, y, 8),
            floats = cpl_arg_array(CPL_FLOAT64, f, 8), one = cpl_arg_int(1),
            args[] = {in, item_arg(w, t, 8)};
    cpl_choice c;
    cpl_choice_init(&c);
    FAILS(w, cpl_compact(w->module, NULL, NULL, &in, 1), CPL_EARG, "");
    FAILS(w, cpl_compact(NULL, &c, NULL, &in, 1), CPL_EARG, "");
    c.out_count = 1;
    FAILS(w, cpl_compact(w->module, &c, NULL, &in, 1), CPL_EARG, "");
    c.out = &out;
    FAILS(w, cpl_compact(w->module, &c, NULL, &in, 1), CPL_EARG,
          "no array to take conditions from");
    FAILS(w, cpl_partition(w->module, &c, NULL, args, 2), CPL_EARG,
          "conditions are bools or numbers, not Item");
    c.condition = cpl_bind_expression("lambda i, x: x[i] > 0");
    FAILS(w, cpl_compact(w->module, &c, NULL, &one, 1), CPL_EARG, "");
    cpl_launch_options o = rounds_on(NULL, 8, NULL);
    cpl_choice d = c;
    d.condition = cpl_bind_expression("lambda i, x: i > x");
    FAILS(w, cpl_compact(w->module, &d, &o, &one, 1), CPL_EARG,
          "result 0 is of argument 1, which is no array");
    o.n = 9;
    FAILS(w, cpl_compact(w->module, &c, &o, &in, 1), CPL_EARG,
          "argument 1 has 8 elements, and 9 are asked for");
    c.out = &floats;
    FAILS(w, cpl_compact(w->module, &c, NULL, &in, 1), CPL_EARG,
          "result 0 has elements of float64, and the values are int32");
    c.out = &out;
    out.length = 5;
    OK(w, cpl_compact(w->module, &c, NULL, &in, 1));
    FAILS(w, cpl_partition(w->module, &c, NULL, &in, 1), CPL_EARG,
          "result 0 has 5 elements and takes 8");
    out.length = 8;
    static const int64_t fewer[] = {0, 5, 7}; /* an order takes all that a partition does */
    for (size_t k = 0; k < 2 * COUNT_OF(fewer); k++) {
        char why[64];
        int64_t places[8], length = fewer[k / 2];
        cpl_arg order = cpl_arg_array(k % 2 ? CPL_INT64 : CPL_INT32, places, length);
        snprintf(why, sizeof why, "the order has %d elements and takes 8", (int)length);
        c.order = &order;
        OK(w, cpl_compact(w->module, &c, NULL, &in, 1));
        for (c.out_count = 0; c.out_count < 2; c.out_count++)
            FAILS(w, cpl_partition(w->module, &c, NULL, &in, 1), CPL_EARG, why);
        c.out_count = 1;
    }
    c.order = &floats;
    FAILS(w, cpl_compact(w->module, &c, NULL, &in, 1), CPL_EARG,
          "the order is no array of int32 or int64");
    c.order = NULL;
    c.number = &floats;
    FAILS(w, cpl_compact(w->module, &c, NULL, &in, 1), CPL_EARG,
          "the place of the number of elements has elements of float64");
    c.number = NULL;
    c.out_count = 17;
    FAILS(w, cpl_compact(w->module, &c, NULL, &in, 1), CPL_ELIMIT, "16 arrays at most");
    c.out_count = 1;
    c.condition = cpl_bind_integer(1);
    FAILS(w, cpl_compact(w->module, &c, NULL, &in, 1), CPL_EARG, "no expression");
    c.condition = cpl_bind_function("nobody");
    FAILS(w, cpl_compact(w->module, &c, NULL, &in, 1), CPL_ENOTFOUND, "nobody");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(by_masks, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(types_of_choices, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(several_choices, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(structs_and_strides, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(any_threads, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(on_devices, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(automatically, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(recorded, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(partitions_by_tiles, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(large_conditions_by_tiles, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(partitions_for_gpus, set_up_kernels, tear_down),
        cmocka_unit_test_setup_teardown(refused_choices, set_up_kernels, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
