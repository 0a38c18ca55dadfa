/*
 * A process forks at every kind of moment after it used the library: idle, while threads compile,
 * launch, make contexts, or hold a queue of quick kernels. The child's old objects answer
 * CPL_EFORKED and may be released; a new context works, unless LLVM was at work at the fork, which
 * it says; no child takes 5 seconds. The parent goes on as if nothing had been.
 */
#include "fault.h"
#include "launches.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static const char scale[] = "def scale(i, x, a):\n    x[i] = a*x[i] + 1\n";

static cpl_status launch(cpl_module *m, long n)
{
    double *x = malloc((size_t)n * sizeof *x);
    for (long i = 0; i < n; i++) x[i] = (double)i;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_float(2)};
    cpl_status status = launch_rounds(m, "scale", NULL, args, 2, CPL_AUTO, NULL);
    for (long i = 0; !status && i < n; i++)
        if (x[i] != 2.0 * (double)i + 1) status = CPL_EINTERNAL;
    free(x);
    return status;
}

typedef struct world {
    messages said;
    cpl_context *cx;
    cpl_module *m;
    cpl_kernel *k;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    w->cx = fault_context(NULL, &w->said);
    w->m = fault_module(w->cx, scale);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, NULL, 0), cpl_arg_float(2)};
    *state = w;
    return rounds_kernel(w->m, "scale", args, 2, &w->k) || launch(w->m, 100000);
}

static int tear_down(void **state)
{
    world *w = *state;
    cpl_kernel_release(w->k);
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
    free(w);
    return 0;
}

#define EXPECT(call, value)                                                                        \
    do {                                                                                           \
        if ((call) != (value)) _exit(__LINE__ % 199 + 1);                                          \
    } while (0)

/* Everything that could take a lock or wait for a thread of the parent. */
static void use_old_objects(world *w)
{
    const cpl_type *t;
    int64_t value;
    cpl_module *m;
    cpl_kernel *k;
    cpl_blob blob;
    cpl_stats stats = {.size = sizeof stats};
    cpl_spec spec;
    cpl_spec_init(&spec);
    double x[2] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 2), cpl_arg_float(2)};
    EXPECT(launch(w->m, 10), CPL_EFORKED);
    EXPECT(run_rounds(w->k, NULL, args, 2, 2, NULL), CPL_EFORKED);
    EXPECT(rounds_kernel(w->m, "scale", args, 2, &k), CPL_EFORKED);
    EXPECT(call_once(w->m, "scale", args, 2, NULL, NULL), CPL_EFORKED);
    EXPECT(interpret_rounds(w->m, "scale", CPL_FORM_ELEMENTWISE, args, 2, 2, NULL, NULL),
           CPL_EFORKED);
    EXPECT(spec_kernel(w->m, "scale", &spec, &k), CPL_EFORKED);
    EXPECT(cpl_module_from_source(w->cx, "k.py", scale, sizeof scale - 1, &m), CPL_EFORKED);
    EXPECT(cpl_module_from_file(w->cx, "/etc/passwd", &m), CPL_EFORKED);
    cpl_source source = {sizeof source, "k.py", scale, sizeof scale - 1};
    EXPECT(cpl_module_from_sources(w->cx, &source, 1, &m), CPL_EFORKED);
    cpl_function_source function = {.size = sizeof function,
                                    .file = "k.py",
                                    .text = scale,
                                    .text_size = sizeof scale - 1};
    EXPECT(cpl_module_from_functions(w->cx, &function, 1, &m), CPL_EFORKED);
    EXPECT(cpl_module_emit(w->m, "scale", &spec, CPL_STAGE_AST, NULL, &blob), CPL_EFORKED);
    EXPECT(cpl_type_parse(w->cx, "int32", &t), CPL_EFORKED);
    EXPECT(cpl_context_set_option(w->cx, "opt_level", 1), CPL_EFORKED);
    EXPECT(cpl_context_get_option(w->cx, "opt_level", &value), CPL_EFORKED);
    EXPECT(cpl_context_stats(w->cx, &stats), CPL_EFORKED);
    EXPECT(cpl_extern_register(w->cx, "f", "float64()", (void *)(uintptr_t)use_old_objects, true),
           CPL_EFORKED);
    EXPECT(cpl_cache_directory(w->cx) == NULL, true);
    EXPECT(cpl_cache_clear(w->cx, NULL), CPL_EFORKED);
    EXPECT(strstr(w->said.text, "forked") != NULL, true);
    cpl_kernel_release(w->k);
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
}

/* A new context; 0 if it worked, 1 if LLVM was not to be had and said so. With tiers LLVM may still
 * be at work afterwards. */
static int use_new_objects(bool tiers)
{
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    (void)tiers;
    return 0; /* the sanitizers' own locks do not live through a fork beside threads */
#endif
    messages said = {0};
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = collect;
    o.sink_user = &said;
    cpl_context *cx;
    cpl_module *m;
    EXPECT(cpl_context_create(&o, &cx), CPL_OK);
    EXPECT(cpl_context_set_option(cx, "tiers", tiers), CPL_OK);
    EXPECT(cpl_module_from_source(cx, "k.py", scale, sizeof scale - 1, &m), CPL_OK);
    cpl_status status = launch(m, 30000);
    bool refused = status == CPL_ECOMPILER && strstr(said.text, "forked while LLVM was at work");
    if (status && !refused) {
        fprintf(stderr, "status %d in the child: %s\n", status, said.text);
        _exit(250);
    }
    cpl_module_release(m);
    cpl_context_release(cx);
    return refused;
}

typedef struct tally {
    int children, refused;
} tally;

static long all_children; /* of all tests */

/* Forks once; the child uses everything and must end soon and well. */
static void fork_once(world *w, tally *t)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        w->said.n = 0;
        use_old_objects(w);
        _exit(use_new_objects(true) ? 251 : 0);
    }
    int status = 0;
    for (int ms = 0; waitpid(child, &status, WNOHANG) == 0; ms++) {
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
        if (ms < 15000) continue; /* far more than 5 s on an idle machine */
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        fail_msg("a forked process hangs");
    }
    bool refused = WIFEXITED(status) && WEXITSTATUS(status) == 251;
    if (!refused && status) fail_msg("a forked process ended with status %#x", status);
    t->children++;
    all_children++;
    t->refused += refused;
}

static void while_idle(void **state)
{
    world *w = *state;
    tally t = {0};
    for (long i = 0; i < test_rounds(10, 100); i++) fork_once(w, &t);
    assert_int_equal(t.refused, 0);
    assert_int_equal(launch(w->m, 1000), CPL_OK);
}

/* Threads that keep the library busy around the forks. */
typedef struct busy {
    world *w;
    int kind;
    atomic_bool *stop;
    int failures;
    long turns;
} busy;

enum { COMPILING, LAUNCHING, MAKING_CONTEXTS, TIERS, KINDS };

static void turn(busy *b)
{
    char text[128];
    if (b->kind == LAUNCHING) {
        b->failures += launch(b->w->m, 20000) != CPL_OK;
        return;
    }
    cpl_context *cx = b->w->cx;
    cpl_module *m = NULL;
    if (b->kind == MAKING_CONTEXTS && cpl_context_create(NULL, &cx)) b->failures++;
    snprintf(text, sizeof text,
             "def scale(i, x, a):\n    x[i] = a*x[i] + %ld\n    x[i] -= %ld - 1\n", b->turns,
             b->turns);
    b->failures += cpl_module_from_source(cx, "k.py", text, strlen(text), &m) != CPL_OK;
    if (b->kind != MAKING_CONTEXTS && m)
        b->failures += launch(m, b->kind == TIERS ? 4 : 100000) != CPL_OK;
    cpl_module_release(m);
    if (b->kind == MAKING_CONTEXTS) cpl_context_release(cx);
}

static void *stay_busy(void *arg)
{
    busy *b = arg;
    for (; !atomic_load(b->stop); b->turns++) turn(b);
    return NULL;
}

static void while_busy(void **state, int kind)
{
    enum { THREADS = 3 };
    world *w = *state;
    atomic_bool stop = false;
    busy b[THREADS];
    pthread_t threads[THREADS];
    tally t = {0};
    for (int i = 0; i < THREADS; i++) {
        b[i] = (busy){w, kind, &stop, 0, 1000 * i};
        assert_int_equal(pthread_create(&threads[i], NULL, stay_busy, &b[i]), 0);
    }
    for (long i = 0; i < test_rounds(8, 100); i++) fork_once(w, &t);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(b[i].failures, 0);
    }
    print_message("%d children, %d could not compile\n", t.children, t.refused);
}

static void while_compiling(void **state)
{
    while_busy(state, COMPILING);
}

static void while_launching(void **state)
{
    while_busy(state, LAUNCHING);
}

static void while_making_contexts(void **state)
{
    while_busy(state, MAKING_CONTEXTS);
}

static void while_a_queue_is_full(void **state)
{
    while_busy(state, TIERS);
}

/* A child forks too, and its child; while nothing else compiles, so that they can. */
static void twice(void **state)
{
    world *w = *state;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        use_new_objects(false);
        pid_t grandchild = fork();
        if (grandchild == 0) {
            use_old_objects(w);
            _exit(use_new_objects(true));
        }
        int status = 0;
        waitpid(grandchild, &status, 0);
        _exit(status ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

/* exit, not _exit: what runs at the end waits for nobody. */
static void leaving_by_exit(void **state)
{
    world *w = *state;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        cpl_module_release(w->m);
        cpl_context_release(w->cx);
        close(1), close(2);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
}

static void figures(void **state)
{
    (void)state;
    assert_true(all_children > 40);
    fault_figures("forks", "\"forks\": %ld, \"hung\": 0", all_children);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(while_idle, set_up, tear_down),
        cmocka_unit_test_setup_teardown(twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(while_compiling, set_up, tear_down),
        cmocka_unit_test_setup_teardown(while_launching, set_up, tear_down),
        cmocka_unit_test_setup_teardown(while_making_contexts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(while_a_queue_is_full, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaving_by_exit, set_up, tear_down),
        cmocka_unit_test(figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
