/* What a thread is told without a sink: its last error, and the list that takes the sinks' place.
 */
#include "unit.h"

#include "collect.h"
#include "launches.h"

#include <pthread.h>

static const char good[] = "def f(i, x):\n    x[i] = 1.0\n";
static const char bad[] = "def f(i, x):\n    x[i] = first + 1\n    x[i] = second\n";

/* As realloc, but what is given back holds nothing any more that somebody could go on with. */
static void *spoiling_alloc(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    void *moved = new_size ? malloc(new_size) : NULL;
    if (new_size && !moved) return NULL;
    if (block && moved) memcpy(moved, block, old_size < new_size ? old_size : new_size);
    if (block) memset(block, 0xa5, old_size);
    free(block);
    return moved;
}

static cpl_context *make_context(messages *m)
{
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.alloc = spoiling_alloc;
    o.sink = m ? collect : NULL;
    o.sink_user = m;
    cpl_context *cx;
    assert_int_equal(cpl_context_create(&o, &cx), CPL_OK);
    return cx;
}

static cpl_status launch_text(cpl_context *cx, const char *text)
{
    double x[2] = {0};
    cpl_module *m;
    cpl_status status = cpl_module_from_source(cx, "k.py", text, strlen(text), &m);
    if (status) return status;
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, 2);
    status = cpl_launch(m, "f", NULL, &arg, 1);
    cpl_module_release(m);
    return status;
}

static void without_a_sink_the_last_error_has_the_reason(void **state)
{
    (void)state;
    cpl_last_error_clear();
    assert_string_equal(cpl_last_error(), "");
    cpl_context *cx = make_context(NULL);
    assert_int_equal(launch_text(cx, bad), CPL_ENOTFOUND);
    assert_string_equal(cpl_last_error(), "k.py:2:12: error: undefined name 'first'\n"
                                          "        x[i] = first + 1\n"
                                          "               ^~~~~");
    assert_int_equal(launch_text(cx, good), CPL_OK);
    assert_non_null(strstr(cpl_last_error(), "first")); /* success leaves it */
    assert_int_equal(cpl_context_set_option(cx, "no_such", 1), CPL_ENOTFOUND);
    assert_string_equal(cpl_last_error(), "error: there is no option 'no_such'");
    int64_t value;
    assert_int_equal(cpl_context_get_option(cx, "nor_this", &value), CPL_ENOTFOUND);
    assert_string_equal(cpl_last_error(), "error: there is no option 'nor_this'");
    cpl_last_error_clear();
    assert_string_equal(cpl_last_error(), "");
    cpl_context_release(cx);
}

/* The first of its pointers that is NULL, by its name in the header. */
#define MISSES(name, call)                                                                         \
    do {                                                                                           \
        cpl_last_error_clear();                                                                    \
        assert_int_equal(call, CPL_EARG);                                                          \
        assert_string_equal(cpl_last_error(), "error: the argument '" name "' is NULL");           \
    } while (0)

static void calls_without_what_they_need_say_what_that_is(void **state)
{
    (void)state;
    cpl_module *m;
    cpl_compile *c;
    cpl_kernel *k;
    cpl_blob blob;
    cpl_device_info info = {.size = sizeof info};
    cpl_context *cx = make_context(NULL);
    MISSES("context", cpl_context_create(NULL, NULL));
    MISSES("context", cpl_module_from_file(NULL, "f.py", &m));
    MISSES("path", cpl_module_from_file(cx, NULL, &m));
    MISSES("text", cpl_module_from_source(cx, "k.py", NULL, 1, &m));
    MISSES("module", cpl_module_from_ir(cx, "k.cir", "", 0, NULL));
    MISSES("sources", cpl_module_from_sources(cx, NULL, 1, &m));
    MISSES("functions", cpl_module_from_functions(cx, NULL, 1, &m));
    assert_int_equal(cpl_module_from_source(cx, "k.py", good, sizeof good - 1, &m), CPL_OK);
    MISSES("module", cpl_launch(NULL, "f", NULL, NULL, 0));
    MISSES("args", cpl_launch(m, "f", NULL, NULL, 1));
    MISSES("kernel", cpl_kernel_launch(NULL, NULL, NULL, 1));
    MISSES("module", cpl_kernel_for(NULL, "f", NULL, NULL, 0, NULL));
    MISSES("kernel", cpl_kernel_for(m, "f", NULL, NULL, 0, NULL));
    MISSES("args", cpl_kernel_for(m, "f", NULL, NULL, 1, &k));
    MISSES("args", cpl_interpret(m, "f", NULL, NULL, 1));
    MISSES("args", cpl_compile_begin(m, "f", NULL, NULL, 1, &c));
    MISSES("compile", cpl_compile_wait(NULL, 0, NULL));
    MISSES("spec", cpl_module_emit(m, "f", NULL, CPL_STAGE_IR, NULL, &blob));
    MISSES("out", cpl_module_emit(m, "f", NULL, CPL_STAGE_AST, NULL, NULL));
    MISSES("visit", cpl_profile_each_row(cx, NULL, NULL));
    MISSES("path", cpl_profile_write(cx, CPL_PROFILE_CSV, NULL));
    MISSES("name", cpl_context_set_option(cx, NULL, 1));
    MISSES("value", cpl_context_get_option(cx, "simd", NULL));
    MISSES("device", cpl_device_info_get(NULL, &info));
    MISSES("text", cpl_device_find(cx, NULL, &(cpl_device *){NULL}));
    MISSES("queue", cpl_queue_wait_array(NULL, NULL));
    MISSES("queue", cpl_graph_begin(NULL));
    MISSES("graph", cpl_graph_launch(NULL, NULL, NULL));
    MISSES("builder", cpl_ir_builder_status(NULL));
    MISSES("list", cpl_diag_list_create(NULL));
    cpl_module_release(m);
    cpl_context_release(cx);
}

static void names_that_are_nowhere(void **state)
{
    (void)state;
    char name[4] = "x";
    assert_int_equal(cpl_name_normal(NULL, 1, name, 4), 0);
    assert_int_equal(cpl_name_normal("a", 1, NULL, 4), 0);
    assert_string_equal(name, "x");
    assert_int_equal(cpl_name_normal("a", 1, NULL, 0), 1);
    assert_int_equal(cpl_name_normal(NULL, 0, name, 4), 0);
    assert_string_equal(name, "");
    assert_int_equal(cpl_name_normal("\xef\xbd\x81", 3, name, 4), 1);
    assert_string_equal(name, "a");
}

static void what_is_given_wrong_is_said(void **state)
{
    (void)state;
    cpl_context *cx = make_context(NULL);
    const cpl_type *f64, *type;
    assert_int_equal(cpl_type_parse(cx, "float64", &f64), CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "wave", &type), CPL_EARG);
    assert_string_equal(cpl_last_error(), "error: 'wave' is not a type");
    const cpl_field x = {"x", f64, 0}, y = {"y", f64, 0}, odd = {"1", f64, 0};
    assert_int_equal(cpl_type_struct(cx, "P", &odd, 1, &type), CPL_EARG);
    assert_string_equal(cpl_last_error(), "error: the struct 'P': its name, a field's name or "
                                          "type, or their number cannot be");
    assert_int_equal(cpl_type_struct(cx, "P", &x, 1, &type), CPL_OK);
    assert_int_equal(cpl_type_struct(cx, "P", &y, 1, &type), CPL_EEXIST);
    assert_string_equal(cpl_last_error(),
                        "error: the struct 'P': the name stands for other fields");
    uint64_t count;
    assert_int_equal(cpl_profile_copies(cx, CPL_PROFILE_TO_DEVICE, &count, NULL), CPL_OK);
    assert_int_equal(cpl_profile_copies(cx, CPL_PROFILE_KERNEL, &count, NULL), CPL_EARG);
    assert_string_equal(cpl_last_error(), "error: 0 is no direction of copies");
    assert_int_equal(cpl_profile_write(cx, (cpl_profile_format)3, "x"), CPL_EARG);
    assert_string_equal(cpl_last_error(), "error: there is no format 3 of profiles");
    cpl_module *m;
    assert_int_equal(cpl_module_from_source(cx, "k.py", good, sizeof good - 1, &m), CPL_OK);
    assert_int_equal(cpl_module_emit(m, "f", NULL, (cpl_stage)-1, NULL, &(cpl_blob){0}), CPL_EARG);
    assert_string_equal(cpl_last_error(), "error: there is no stage -1");
    cpl_module_release(m);
    cpl_context_release(cx);
}

static void *fails_elsewhere(void *arg)
{
    assert_string_equal(cpl_last_error(), "");
    assert_int_equal(cpl_context_set_option(arg, "elsewhere", 1), CPL_ENOTFOUND);
    assert_non_null(strstr(cpl_last_error(), "elsewhere"));
    return NULL;
}

static void each_thread_has_its_own(void **state)
{
    (void)state;
    cpl_context *cx = make_context(NULL);
    assert_int_equal(cpl_context_set_option(cx, "here", 1), CPL_ENOTFOUND);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, fails_elsewhere, cx), 0);
        pthread_join(thread, NULL);
    }
    assert_non_null(strstr(cpl_last_error(), "'here'"));
    cpl_context_release(cx);
}

typedef struct last_words {
    cpl_context *context;
    const char *steps; /* e: an error, c: it is cleared, m: an error whose text is a long one */
} last_words;

static void *ends_behind(void *arg)
{
    const last_words *w = arg;
    for (const char *step = w->steps; *step; step++) {
        if (*step == 'c') {
            cpl_last_error_clear();
            assert_string_equal(cpl_last_error(), "");
            continue;
        }
        const char *name =
            *step == 'e' ? "short" : "of_many_more_letters_than_the_other_option_has";
        assert_int_equal(cpl_context_set_option(w->context, name, 1), CPL_ENOTFOUND);
        assert_non_null(strstr(cpl_last_error(), name));
    }
    return NULL;
}

/* What it was told is given back once, whatever came last. */
static void threads_end_behind_errors_and_cleared_ones(void **state)
{
    (void)state;
    static const char letters[] = "ecm";
    cpl_context *cx = make_context(NULL);
    for (int n = 1; n < 4 * 4 * 4 * 4; n++) {
        char steps[5];
        int length = 0;
        for (int left = n; left; left /= 4)
            if (left % 4) steps[length++] = letters[left % 4 - 1];
        steps[length] = 0;
        last_words w = {cx, steps};
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, ends_behind, &w), 0);
        pthread_join(thread, NULL);
    }
    cpl_context_release(cx);
}

static void a_list_takes_the_place_of_sinks(void **state)
{
    (void)state;
    messages told = {.n = 0};
    cpl_context *cx = make_context(&told);
    cpl_diag_list *list, *inner;
    assert_int_equal(cpl_diag_list_create(&list), CPL_OK);
    assert_int_equal(cpl_diag_list_create(&inner), CPL_OK);
    assert_null(cpl_diag_list_use(list));
    assert_int_equal(launch_text(cx, bad), CPL_ENOTFOUND);
    assert_int_equal(told.n, 0);
    assert_int_equal(cpl_diag_list_count(list), 2);
    assert_string_equal(cpl_diag_list_get(list, 0)->message, "undefined name 'first'");
    assert_string_equal(cpl_diag_list_get(list, 1)->message, "undefined name 'second'");
    assert_int_equal(cpl_diag_list_get(list, 1)->line, 3);
    assert_null(cpl_diag_list_get(list, 2));
    assert_non_null(strstr(cpl_last_error(), "first"));

    assert_ptr_equal(cpl_diag_list_use(inner), list);
    assert_int_equal(cpl_context_set_option(cx, "no_such", 1), CPL_ENOTFOUND);
    assert_ptr_equal(cpl_diag_list_use(list), inner);
    assert_int_equal(cpl_diag_list_count(inner), 1);
    assert_int_equal(cpl_diag_list_count(list), 2);
    cpl_diag_list_clear(list);
    assert_int_equal(cpl_diag_list_count(list), 0);
    cpl_diag_list_free(list); /* while it is in use */
    assert_null(cpl_diag_list_use(NULL));
    assert_int_equal(cpl_context_set_option(cx, "for_the_sink", 1), CPL_ENOTFOUND);
    assert_non_null(strstr(told.text, "for_the_sink"));
    assert_int_equal(cpl_diag_list_count(inner), 1);
    cpl_diag_list_free(inner);
    cpl_context_release(cx);
}

static void a_list_hears_of_calls_without_a_context(void **state)
{
    (void)state;
    cpl_diag_list *list;
    assert_int_equal(cpl_diag_list_create(&list), CPL_OK);
    cpl_diag_list_use(list);
    char long_text[1000];
    memset(long_text, ' ', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = 0;
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.opencl_options = long_text;
    cpl_context *cx;
    assert_int_equal(cpl_context_create(&o, &cx), CPL_EARG);
    assert_int_equal(cpl_context_create(NULL, NULL), CPL_EARG);
    assert_int_equal(cpl_diag_list_count(list), 2);
    assert_non_null(strstr(cpl_diag_list_get(list, 0)->message, "opencl_options"));
    assert_int_equal(cpl_diag_list_get(list, 1)->status, CPL_EARG);
    cpl_diag_list_free(list);
}

static void what_is_missing_is_no_list(void **state)
{
    (void)state;
    assert_int_equal(cpl_diag_list_create(NULL), CPL_EARG);
    assert_int_equal(cpl_diag_list_count(NULL), 0);
    assert_null(cpl_diag_list_get(NULL, 0));
    cpl_diag_list_clear(NULL);
    cpl_diag_list_free(NULL);
}

typedef struct racer {
    cpl_module *module;
    pthread_barrier_t *start;
    size_t told;
} racer;

static void *race(void *arg)
{
    racer *r = arg;
    double x[2] = {0};
    cpl_arg a = cpl_arg_array(CPL_FLOAT64, x, 2);
    cpl_diag_list *list;
    assert_int_equal(cpl_diag_list_create(&list), CPL_OK);
    cpl_diag_list_use(list);
    pthread_barrier_wait(r->start);
    assert_int_equal(cpl_launch(r->module, "f", NULL, &a, 1), CPL_ENOTFOUND);
    r->told = cpl_diag_list_count(list);
    assert_non_null(strstr(cpl_last_error(), "first"));
    cpl_diag_list_free(list);
    return NULL;
}

/* One of them compiles, the others wait for it. */
static void each_that_waits_for_a_compilation_hears_all_of_it(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    cpl_context *cx = make_context(NULL);
    for (long round = 0; round < test_rounds(20, 500); round++) {
        cpl_module *m;
        assert_int_equal(cpl_module_from_source(cx, "k.py", bad, strlen(bad), &m), CPL_OK);
        pthread_barrier_t start;
        pthread_barrier_init(&start, NULL, THREADS);
        pthread_t threads[THREADS];
        racer racers[THREADS];
        for (int i = 0; i < THREADS; i++) {
            racers[i] = (racer){m, &start, 0};
            assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(threads[i], NULL);
            assert_int_equal(racers[i].told, 2);
        }
        pthread_barrier_destroy(&start);
        cpl_module_release(m);
    }
    cpl_context_release(cx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_sink_the_last_error_has_the_reason),
        cmocka_unit_test(calls_without_what_they_need_say_what_that_is),
        cmocka_unit_test(names_that_are_nowhere),
        cmocka_unit_test(what_is_given_wrong_is_said),
        cmocka_unit_test(each_thread_has_its_own),
        cmocka_unit_test(threads_end_behind_errors_and_cleared_ones),
        cmocka_unit_test(a_list_takes_the_place_of_sinks),
        cmocka_unit_test(a_list_hears_of_calls_without_a_context),
        cmocka_unit_test(what_is_missing_is_no_list),
        cmocka_unit_test(each_that_waits_for_a_compilation_hears_all_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
