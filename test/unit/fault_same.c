/*
 * The same every time: a kernel's object is byte for byte the same in every run of the compiler, on
 * every thread and in every context; with option precise a kernel computes the same bits for any
 * number of threads, schedule and chunk.
 */
#include "fault.h"
#include "launches.h"

#include <pthread.h>

#include "libomp_leaks.h"

static const char kernels[] = "from math import sin\n"
                              "from compyle.low_level import prange\n"
                              "def plain(i, x, y):\n"
                              "    y[i] = 2.5*sin(x[i]) + 1\n\n"
                              "def branchy(i, x, y):\n"
                              "    s = 0.0\n"
                              "    for k in range(20):\n"
                              "        if x[i] > k:\n"
                              "            s += x[i]/(k + 1)\n"
                              "        else:\n"
                              "            s -= 1\n"
                              "    y[i] = s\n\n"
                              "def sums(n, x, r):\n"
                              "    s = 0.0\n"
                              "    p = 1.0\n"
                              "    low = 1000.0\n"
                              "    for i in prange(n):\n"
                              "        s += x[i]*x[i]\n"
                              "        p *= 1 + x[i]*1e-5\n"
                              "        low = min(low, x[i])\n"
                              "    r[0] = s\n"
                              "    r[1] = p\n"
                              "    r[2] = low\n";

static cpl_blob object(cpl_context *cx, const char *function)
{
    cpl_module *m = fault_module(cx, kernels);
    bool loop = strcmp(function, "sums") == 0;
    const char *const names[2][3] = {{"float64[]", "float64[]"},
                                     {"int32", "float64[]", "float64[]"}};
    const cpl_type *types[3];
    for (int i = 0; i < 2 + loop; i++)
        assert_int_equal(cpl_type_parse(cx, names[loop][i], &types[i]), CPL_OK);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = loop ? CPL_FORM_FUNCTION : CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 2 + loop;
    cpl_blob out;
    assert_int_equal(cpl_module_emit(m, function, &spec, CPL_STAGE_OBJ, NULL, &out), CPL_OK);
    cpl_module_release(m);
    return out;
}

static const char *const functions[] = {"plain", "branchy", "sums"};

static void objects_are_equal(void **state)
{
    (void)state;
    long runs = 100;
    for (size_t f = 0; f < 3; f++) {
        cpl_context *cx = fault_context(NULL, NULL);
        cpl_blob first = object(cx, functions[f]);
        assert_true(first.size > 500);
        for (long i = 0; i < runs; i++) {
            cpl_context *other = i % 4 ? NULL : fault_context(NULL, NULL);
            /* the heap is another one each time */
            void *hole = malloc((size_t)(1 + i * 37 % 5000));
            cpl_blob again = object(other ? other : cx, functions[f]);
            assert_int_equal(again.size, first.size);
            assert_memory_equal(again.data, first.data, first.size);
            free(hole);
            cpl_blob_free(&again);
            cpl_context_release(other);
        }
        cpl_blob_free(&first);
        cpl_context_release(cx);
    }
    fault_figures("same-objects", "\"runs\": %ld, \"kernels\": 3, \"differences\": 0", runs);
}

typedef struct maker {
    cpl_context *cx;
    const cpl_blob *expected;
    int differences;
} maker;

static void *make_objects(void *arg)
{
    maker *k = arg;
    for (int i = 0; i < 6; i++) {
        cpl_blob again = object(k->cx, functions[i % 3]);
        const cpl_blob *expected = &k->expected[i % 3];
        k->differences +=
            again.size != expected->size || memcmp(again.data, expected->data, again.size) != 0;
        cpl_blob_free(&again);
    }
    return NULL;
}

static void objects_of_threads_are_equal(void **state)
{
    (void)state;
    cpl_context *cx = fault_context(NULL, NULL);
    cpl_blob expected[3];
    for (int i = 0; i < 3; i++) expected[i] = object(cx, functions[i]);
    maker makers[6];
    pthread_t threads[6];
    for (int i = 0; i < 6; i++) {
        makers[i] = (maker){cx, expected, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, make_objects, &makers[i]), 0);
    }
    for (int i = 0; i < 6; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(makers[i].differences, 0);
    }
    for (int i = 0; i < 3; i++) cpl_blob_free(&expected[i]);
    cpl_context_release(cx);
}

enum { N = 100003 };

/* The bits of all results under one setting of the launch. */
static void compute(double *x, int threads, int schedule, int chunk, double *y, double sums[3])
{
    cpl_context *cx = fault_context(NULL, NULL);
    assert_int_equal(cpl_context_set_option(cx, "precise", 1), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "num_threads", threads), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "schedule", schedule), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "chunk", chunk), CPL_OK);
    cpl_module *m = fault_module(cx, kernels);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N)};
    assert_int_equal(launch_rounds(m, "plain", NULL, args, 2, CPL_AUTO, NULL), CPL_OK);
    cpl_arg call[] = {cpl_arg_int(N), cpl_arg_array(CPL_FLOAT64, x, N),
                      cpl_arg_array(CPL_FLOAT64, sums, 3)};
    assert_int_equal(call_once(m, "sums", call, 3, NULL, NULL), CPL_OK);
    cpl_module_release(m);
    cpl_context_release(cx);
}

static void precise_on_any_number_of_threads(void **state)
{
    (void)state;
    double *x = malloc(N * sizeof *x), *first = calloc(N, sizeof *first), *y = calloc(N, sizeof *y),
           sums[3] = {0}, again[3] = {0};
    for (int i = 0; i < N; i++) x[i] = (double)((i * 7919) % 1000) / 7 - 60;
    compute(x, 1, 0, 0, first, sums);
    assert_true(sums[2] == -60 && sums[0] > 1e6);
    int settings = 0;
    for (int threads = 1; threads <= 16; threads++)
        for (int schedule = 0; schedule < 3; schedule++) {
            if (threads % 4 && schedule && test_rounds(0, 1) == 0) continue;
            memset(y, 0, N * sizeof *y);
            compute(x, threads, schedule, schedule ? 1 + threads : 0, y, again);
            assert_memory_equal(y, first, N * sizeof *y);
            assert_memory_equal(again, sums, sizeof sums);
            settings++;
        }
    fault_figures("same-bits", "\"settings\": %d, \"threads\": 16, \"differences\": 0", settings);
    free(x), free(y), free(first);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_equal),
        cmocka_unit_test(objects_of_threads_are_equal),
        cmocka_unit_test(precise_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
