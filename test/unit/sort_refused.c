/* What sorts and selections refuse, with the messages. */
#include "sort_world.h"

static void refused(void **state)
{
    world *w = *state;
    int32_t k[8] = {3, 1, 2}, o[8];
    item s[4];
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    cpl_arg keys = cpl_arg_array(CPL_INT32, k, 8), order = cpl_arg_array(CPL_INT32, o, 8),
            one = cpl_arg_int(1), records = item_arg(w, s, 4);
    FAILS(w, cpl_sort(w->module, NULL, NULL, NULL, 0), CPL_EARG, "no array");
    FAILS(w, cpl_sort(w->module, NULL, NULL, &one, 1), CPL_EARG, "no array");
    FAILS(w, cpl_sort(w->module, NULL, NULL, &records, 1), CPL_EARG, "keys are numbers, not Item");
    FAILS(w, cpl_sort(NULL, NULL, NULL, &keys, 1), CPL_EARG, "");
    cpl_arg pair[] = {keys, one};
    FAILS(w, cpl_sort(w->module, NULL, NULL, pair, 2), CPL_EARG,
          "array 1 of the values is no array");
    pair[1] = cpl_arg_array(CPL_INT32, o, 7);
    FAILS(w, cpl_sort(w->module, NULL, NULL, pair, 2), CPL_EARG,
          "array 1 of the values: there are 7 elements, and 8 are asked for");
    cpl_launch_options most = rounds_on(NULL, 9, NULL);
    FAILS(w, cpl_sort(w->module, NULL, &most, &keys, 1), CPL_EARG,
          "the keys: there are 8 elements, and 9");
    spec.first_bit = 4;
    spec.end_bit = 4;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "bits 4 to 4 are none");
    spec.end_bit = 33;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "which has 32");
    spec.end_bit = 32;
    OK(w, cpl_sort(w->module, &spec, NULL, &keys, 1));
    spec.flags = 2;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "flags");
    cpl_sort_spec_init(&spec);
    cpl_arg floats = cpl_arg_array(CPL_FLOAT32, o, 8);
    spec.order = &floats;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG,
          "the order is no array of int32 or int64, but of float32");
    spec.order = NULL;
    spec.out = &floats;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "has elements of float32");
    FAILS(w, cpl_argsort(w->module, &spec, NULL, &order, &keys), CPL_EARG, "");
    FAILS(w, cpl_argsort(w->module, NULL, NULL, &order, NULL), CPL_EARG, "");
    cpl_arg constant = cpl_arg_const_array(CPL_INT32, k, 8);
    FAILS(w, cpl_sort(w->module, NULL, NULL, &constant, 1), CPL_EARG,
          "read-only memory is given for the keys, and results go there");
    spec.out = &constant;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG, "is given for result 0");
    spec.out = NULL;
    spec.order = &constant;
    FAILS(w, cpl_sort(w->module, &spec, NULL, &order, 1), CPL_EARG, "is given for the order");
    cpl_arg alongside[] = {order, constant};
    FAILS(w, cpl_sort(w->module, NULL, NULL, alongside, 2), CPL_EARG,
          "is given for array 1 of the values");
    spec.order = NULL;
    spec.before = cpl_bind_expression("0.5*(a - b)");
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_EARG,
          "what comes before what is told by True or False, and this gives float64");
    spec.before = cpl_bind_expression("1 if a < b else 0");
    OK(w, cpl_sort(w->module, &spec, NULL, &keys, 1));
    spec.before = cpl_bind_function("no_such");
    FAILS(w, cpl_sort(w->module, &spec, NULL, &keys, 1), CPL_ENOTFOUND,
          "error: 'no_such', which 'before' is to stand for, is no function");
    assert_null(strstr(w->said.text, ".py"));
}

/* Memory that is shared with what is written; what is only read may be. */
static void overlaps(void **state)
{
    world *w = *state;
    static int32_t k[40], o[40];
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    for (int i = 0; i < 40; i++) k[i] = 40 - i;
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, k, 20), cpl_arg_array(CPL_INT32, k + 10, 20)};
    FAILS(w, cpl_sort(w->module, NULL, NULL, args, 2), CPL_EOVERLAP,
          "the keys and array 1 of the values share memory");
    args[1] = args[0];
    FAILS(w, cpl_sort(w->module, NULL, NULL, args, 2), CPL_EOVERLAP, "share memory");
    cpl_arg out[] = {cpl_arg_array(CPL_INT32, o, 20), cpl_arg_array(CPL_INT32, o + 19, 20)};
    spec.out = out;
    FAILS(w, cpl_sort(w->module, &spec, NULL, args, 2), CPL_EOVERLAP,
          "result 0 and result 1 share memory");
    out[1].data = k + 19;
    FAILS(w, cpl_sort(w->module, &spec, NULL, args, 2), CPL_EOVERLAP,
          "the keys and result 1 share memory");
    for (int i = 0; i < 40; i++) assert_int_equal(k[i], 40 - i);
    out[1].data = o + 20;
    OK(w, cpl_sort(w->module, &spec, NULL, args, 2)); /* keys that are values too */
    for (int i = 0; i < 40; i++) assert_int_equal(o[i], 21 + i % 20);
    cpl_arg order = cpl_arg_array(CPL_INT32, k, 20);
    FAILS(w, cpl_argsort(w->module, NULL, NULL, &order, args), CPL_EOVERLAP,
          "the keys and the order share memory");
    args[0].stride = args[1].stride = 8; /* between each other's elements */
    args[1].data = k + 1;
    args[0].length = args[1].length = 20;
    OK(w, cpl_sort(w->module, NULL, NULL, args, 2));
    for (int i = 0; i < 20; i++) assert_int_equal(k[2 * i], 2 * i + 2);
    for (int i = 0; i < 20; i++) assert_int_equal(k[2 * i + 1], 2 * i + 1);
}

static void bad_selections(void **state)
{
    world *w = *state;
    int32_t x[8] = {0}, o[8];
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    cpl_arg keys = cpl_arg_array(CPL_INT32, x, 8), out = cpl_arg_array(CPL_INT32, o, 8);
    FAILS(w, cpl_select(w->module, &s, NULL, 3, &keys), CPL_EARG, "nothing takes what is selected");
    s.out = &out;
    FAILS(w, cpl_select(w->module, &s, NULL, 9, &keys), CPL_EARG, "9 of 8 keys");
    FAILS(w, cpl_select(w->module, &s, NULL, -1, &keys), CPL_EARG, "-1 of 8 keys");
    FAILS(w, cpl_select(w->module, &s, NULL, 3, NULL), CPL_EARG, "");
    out.length = 2;
    FAILS(w, cpl_select(w->module, &s, NULL, 3, &keys), CPL_EARG, "has 2 elements and takes 3");
    out = cpl_arg_array(CPL_INT32, x + 7, 1);
    FAILS(w, cpl_select(w->module, &s, NULL, 1, &keys), CPL_EOVERLAP, "share memory");
    out = cpl_arg_array(CPL_INT32, o, 8);
    s.before = cpl_bind_expression("a < b");
    FAILS(w, cpl_select(w->module, &s, NULL, 1, &keys), CPL_EUNSUPPORTED, "compares none");
    s.first_bit = 1;
    FAILS(w, cpl_sort(w->module, &s, NULL, &keys, 1), CPL_EARG, "not sorted by bits");
    s.first_bit = 0;
    s.before = cpl_bind_integer(1);
    FAILS(w, cpl_sort(w->module, &s, NULL, &keys, 1), CPL_EARG, "no expression of a and b");
    s.before = cpl_bind_function("nobody");
    FAILS(w, cpl_sort(w->module, &s, NULL, &keys, 1), CPL_ENOTFOUND, "nobody");
}

/* What goes by digits. */
static void bad_complex_keys(void **state)
{
    world *w = *state;
    float x[8] = {0}, y[8];
    cpl_sort_spec s;
    cpl_sort_spec_init(&s);
    cpl_arg keys = cpl_arg_array(CPL_COMPLEX64, x, 4), out = cpl_arg_array(CPL_COMPLEX64, y, 4);
    s.out = &out;
    FAILS(w, cpl_select(w->module, &s, NULL, 1, &keys), CPL_EUNSUPPORTED, "compares none");
    s.end_bit = 8;
    FAILS(w, cpl_sort(w->module, &s, NULL, &keys, 1), CPL_EARG, "not sorted by bits");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {TEST(refused), TEST(overlaps), TEST(bad_selections),
                                       TEST(bad_complex_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
