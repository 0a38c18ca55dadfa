/*
 * What fails inside LLVM ends a compilation, not the process: fatal errors, the end of memory,
 * hangs. Faults are planted by a probe that each section calls when it opens, and by malloc and
 * realloc, which the linker hands to this file (--wrap).
 */
#include "unit.h"
#include "launches.h"

#include "collect.h"
#include "figures.h"
#include "lib/target/guard.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <math.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Asked by LeakSanitizer: what LLVM loses here is lost on purpose; the host's own memory is counted
 * (close_world). */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

/* Allocations made inside LLVM on compile threads. */
static atomic_long counted;      /* so far */
static atomic_long failing_from; /* this one and the fail_run - 1 behind it get NULL; 0: none */
static atomic_long fail_run = 1;

void *__real_malloc(size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool fails(void)
{
    bool inside = guard_pause();
    guard_resume(inside);
    if (!inside) return false;
    long n = ++counted, from = failing_from;
    return from && n >= from && n < from + fail_run;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

/* C++ names: what an embedding program would call. */
typedef void (*new_handler)(void);
new_handler _ZSt15set_new_handlerPFvvE(new_handler handler);
new_handler _ZSt15get_new_handlerv(void);
_Noreturn void _ZN4llvm18report_fatal_errorEPKcb(const char *reason, bool dump);

/* Probes. */
static atomic_int fatal_kind = -1;
static atomic_bool slow, hang, hanging, released;
static atomic_bool hang_next; /* not this time, but the one after */

static void nap(void)
{
    nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void probe(guard_kind kind)
{
    if (kind == GUARD_WORK && slow)
        for (int i = 0; i < 200; i++) nap();
    if ((int)kind == fatal_kind) {
        fatal_kind = -1;
        _ZN4llvm18report_fatal_errorEPKcb("planted for a test", false);
    }
    if (kind == GUARD_WORK && atomic_exchange(&hang_next, false)) {
        hang = true;
        return;
    }
    if (kind == GUARD_WORK && hang) {
        hang = false;
        hanging = true;
        while (!released) nap();
        hanging = false;
    }
}

/* Code for an operation that this machine's back end does not have: LLVM reports a fatal error out
 * of the midst of its work. */
static void select_the_impossible(guard_kind kind)
{
    if (kind != GUARD_WORK || fatal_kind != GUARD_WORK) return;
    fatal_kind = -1;
    static const char name[] = "llvm.nvvm.read.ptx.sreg.tid.x";
    LLVMContextRef cx = LLVMContextCreate();
    LLVMModuleRef m = LLVMModuleCreateWithNameInContext("impossible", cx);
    LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(cx), NULL, 0, 0);
    LLVMValueRef f = LLVMAddFunction(m, "f", type);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(cx, f, ""));
    LLVMValueRef tid =
        LLVMGetIntrinsicDeclaration(m, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
    LLVMBuildRet(b, LLVMBuildCall2(b, LLVMGlobalGetValueType(tid), tid, NULL, 0, ""));
    char *triple = LLVMGetDefaultTargetTriple(), *error = NULL;
    LLVMTargetRef target = NULL;
    LLVMGetTargetFromTriple(triple, &target, &error);
    LLVMTargetMachineRef machine =
        LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelDefault, LLVMRelocPIC,
                                LLVMCodeModelDefault);
    LLVMMemoryBufferRef bytes = NULL;
    LLVMTargetMachineEmitToMemoryBuffer(machine, m, LLVMObjectFile, &error, &bytes);
}

/* One context, its messages and one module. */
typedef struct world {
    messages said;
    flaky memory;
    cpl_context *cx;
    cpl_module *m;
    int64_t serial;
} world;

static const char text[] = "def axpb(i, x, y, a, b):\n"
                           "    y[i] = a*sin(x[i]) + b\n"
                           "    if y[i] < 0.0:\n"
                           "        y[i] = sqrt(-y[i])\n";

static void open_world(world *w)
{
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    options.alloc = flaky_alloc;
    options.alloc_user = &w->memory;
    assert_int_equal(cpl_context_create(&options, &w->cx), CPL_OK);
    /* every compilation at once and on behalf of the caller */
    cpl_context_set_option(w->cx, "tiers", 0);
    assert_int_equal(cpl_module_from_source(w->cx, "kernel.py", text, strlen(text), &w->m), CPL_OK);
}

static void close_world(world *w)
{
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
    /* the host's allocator gets all back, whatever LLVM lost */
    assert_int_equal(w->memory.live_bytes, 0);
}

static int set_up(void **state)
{
    static const guard_settings generous = {0, 1000000, probe};
    guard_configure(&generous);
    *state = calloc(1, sizeof(world));
    open_world(*state);
    return 0;
}

static int tear_down(void **state)
{
    close_world(*state);
    free(*state);
    return 0;
}

static void fresh_key(world *w)
{
    /* in the key, with no effect on the code */
    assert_int_equal(cpl_context_set_option(w->cx, "chunk", ++w->serial), CPL_OK);
}

enum { N = 100 };

static cpl_status launch(world *w, cpl_kernel **kernel)
{
    double x[N], y[N];
    for (int i = 0; i < N; i++) x[i] = 0.1 * i;
    memset(y, 0, sizeof y);
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, N), cpl_arg_array(CPL_FLOAT64, y, N),
                      cpl_arg_float(2), cpl_arg_float(0.5)};
    cpl_kernel *k = kernel && *kernel ? *kernel : NULL;
    cpl_status status = k ? CPL_OK : rounds_kernel(w->m, "axpb", args, 4, &k);
    if (status) return status;
    status = run_rounds(k, NULL, args, 4, N, NULL);
    assert_int_equal(status, CPL_OK);
    for (int i = 0; i < N; i++) {
        double wanted = 2 * sin(x[i]) + 0.5;
        if (wanted < 0) wanted = sqrt(-wanted);
        assert_true(fabs(y[i] - wanted) < 1e-12);
    }
    if (kernel) *kernel = k;
    else cpl_kernel_release(k);
    return CPL_OK;
}

static void compiles(world *w)
{
    fresh_key(w);
    cpl_status status = launch(w, NULL);
    if (status) print_error("%s\n", w->said.text);
    assert_int_equal(status, CPL_OK);
}

static void fails_with(world *w, cpl_status wanted, const char *message)
{
    w->said.n = 0;
    w->said.text[0] = 0;
    fresh_key(w);
    assert_int_equal(launch(w, NULL), wanted);
    if (!strstr(w->said.text, message)) print_error("%s\n", w->said.text);
    assert_non_null(strstr(w->said.text, message));
}

static void fatal_error_in_each_section(void **state)
{
    world *w = *state;
    compiles(w);
    static const guard_kind kinds[] = {GUARD_CODEGEN, GUARD_WORK, GUARD_FREE, GUARD_LINK};
    long n = 4 * test_rounds(1, 50); /* each loses about a megabyte */
    for (long i = 0; i < n; i++) {
        fatal_kind = kinds[i % 4];
        fails_with(w, CPL_ECOMPILER, "error: the code generator failed: planted for a test");
        assert_int_equal(fatal_kind, -1);
        compiles(w);
    }
    assert_int_equal(guard_configure(NULL).failures, n);
    fault_figures("llvm-fatal", "\"errors\": %ld, \"contained\": %ld", n, n);
}

static void operation_that_llvm_cannot_select(void **state)
{
    world *w = *state;
    compiles(w);
    guard_configure(&(guard_settings){0, 100, select_the_impossible});
    fatal_kind = GUARD_WORK;
    fails_with(w, CPL_ECOMPILER, "Cannot select: intrinsic %llvm.nvvm.read.ptx.sreg.tid.x");
    compiles(w);
}

static void code_survives_a_failed_link(void **state)
{
    world *w = *state;
    cpl_kernel *before = NULL, *after = NULL;
    assert_int_equal(launch(w, &before), CPL_OK);
    fatal_kind = GUARD_LINK;
    fails_with(w, CPL_ECOMPILER, "planted");
    assert_int_equal(launch(w, &before), CPL_OK);
    fresh_key(w);
    assert_int_equal(launch(w, &after), CPL_OK);
    cpl_kernel_release(before);
    cpl_kernel_release(after);
}

static void unloading_fails(void **state)
{
    world *w = *state;
    compiles(w);
    world other = {0};
    open_world(&other);
    compiles(&other);
    fatal_kind = GUARD_LINK; /* what close_world opens */
    close_world(&other);
    assert_int_equal(fatal_kind, -1);
    compiles(w);
}

typedef struct asker {
    world *w;
    cpl_status status;
} asker;

static void *ask(void *arg)
{
    asker *a = arg;
    a->status = launch(a->w, NULL);
    return NULL;
}

static void who_waits_for_the_same_kernel_is_told(void **state)
{
    world *w = *state;
    compiles(w);
    fresh_key(w);
    slow = true; /* so that all come while the first compiles */
    fatal_kind = GUARD_WORK;
    enum { ASKERS = 6 };
    pthread_t threads[ASKERS];
    asker askers[ASKERS];
    for (int i = 0; i < ASKERS; i++) {
        askers[i] = (asker){w, CPL_OK};
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
    }
    int failed = 0;
    for (int i = 0; i < ASKERS; i++) {
        pthread_join(threads[i], NULL);
        if (askers[i].status) assert_int_equal(askers[i].status, CPL_ECOMPILER);
        failed += askers[i].status != CPL_OK;
    }
    slow = false;
    assert_in_range(failed, 1, ASKERS); /* who came too late compiled it again */
    assert_int_equal(guard_configure(NULL).failures, 1);
    assert_int_equal(launch(w, NULL), CPL_OK);
}

static void memory_ends_anywhere(void **state)
{
    world *w = *state;
    for (int i = 0; i < 3; i++) compiles(w);
    long before = counted;
    compiles(w);
    long all = counted - before, n = test_rounds(100, 500), contained = 0;
    assert_true(all > 1000);
    for (long i = 0; i < n; i++) {
        fresh_key(w);
        fail_run = i % 2 ? 1 : 1000000; /* once, or from then on */
        failing_from = counted + 1 + i * all / n;
        cpl_status status = launch(w, NULL);
        failing_from = 0;
        if (status) assert_int_equal(status, CPL_ENOMEM);
        contained += status != CPL_OK;
        compiles(w);
    }
    assert_true(contained > n * 9 / 10); /* where LLVM can do without, it does */
    fault_figures("llvm-memory",
                  "\"tries\": %ld, \"contained\": %ld, \"refused\": %ld, \"did_without\": %ld", n,
                  n, contained, n - contained);
    assert_non_null(strstr(w->said.text, "error: out of memory while compiling"));
}

static void hang_is_left_behind(void **state)
{
    world *w = *state;
    compiles(w);
    assert_int_equal(cpl_context_set_option(w->cx, "compile_timeout", 1), CPL_OK);
    released = false;
    hang = true;
    fails_with(
        w, CPL_ECOMPILER,
        "error: the code generator failed: LLVM took more than 1 s (option compile_timeout)");
    assert_true(hanging);
    compiles(w); /* meanwhile */
    assert_int_equal(guard_configure(NULL).failures, 1);
    /* What it used is gone when it comes back. */
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
    assert_int_equal(w->memory.live_bytes, 0);
    released = true;
    while (hanging) nap();
    for (int i = 0; i < 50; i++) nap();
    open_world(w);
    compiles(w);
}

static int threads_of_process(void)
{
    char line[128];
    int count = 0;
    FILE *f = fopen("/proc/self/status", "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) sscanf(line, "Threads: %d", &count);
    fclose(f);
    return count;
}

/* Releasing a module, and a context, leaves the optimising compilation behind that is under way;
 * its thread ends when LLVM is done. What is queued behind it never begins. */
static void release_does_not_wait_for_llvm(void **state)
{
    world *w = *state;
    close_world(w);
    int parked = threads_of_process(); /* by other tests */
    open_world(w);
    compiles(w);
    assert_int_equal(cpl_context_set_option(w->cx, "tiers", 1), CPL_OK);
    cpl_module *m;
    static const char two[] = "def f(i, x):\n    x[i] += 1\ndef g(i, x):\n    x[i] += 2\n";
    double x[4] = {0};
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, 4);
    for (int last = 0; last < 2; last++) { /* the context too, the second time */
        assert_int_equal(cpl_module_from_source(w->cx, "two.py", two, strlen(two), &m), CPL_OK);
        released = false;
        hang_next = true; /* the quick code of f comes first */
        assert_int_equal(launch_rounds(m, "f", NULL, &arg, 1, CPL_AUTO, NULL), CPL_OK);
        while (!hanging) nap();
        assert_int_equal(launch_rounds(m, "g", NULL, &arg, 1, CPL_AUTO, NULL), CPL_OK);
        cpl_module_release(m);
        if (!last) compiles(w);
        else close_world(w);
        assert_true(hanging);
        assert_int_equal(guard_configure(NULL).failures, 0);
        released = true;
        while (hanging) nap();
    }
    for (int i = 0; i < 10000 && threads_of_process() > parked; i++) nap();
    assert_int_equal(threads_of_process(), parked);
    open_world(w);
    compiles(w);
}

static long milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Over and over, with a limit of a second: the caller gets its answer then, and LLVM comes back
 * later to nobody. */
static void hangs_end_with_the_limit(void **state)
{
    world *w = *state;
    compiles(w);
    assert_int_equal(cpl_context_set_option(w->cx, "compile_timeout", 1), CPL_OK);
    long n = test_rounds(3, 100), longest = 0;
    for (long i = 0; i < n; i++) {
        released = false;
        hang = true;
        long begin = milliseconds();
        fails_with(w, CPL_ECOMPILER, "LLVM took more than 1 s");
        long took = milliseconds() - begin;
        if (took > longest) longest = took;
        assert_true(hanging);
        released = true;
        while (hanging) nap();
    }
    assert_true(longest < 20000); /* it ends, however busy the machine */
    assert_int_equal(guard_configure(NULL).failures, n);
    fault_figures("hangs", "\"hangs\": %ld, \"limit_ms\": 1000, \"longest_ms\": %ld", n, longest);
    compiles(w);
}

static void time_does_not_count_without_a_limit(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_context_set_option(w->cx, "compile_timeout", 0), CPL_OK);
    slow = true;
    compiles(w);
    slow = false;
    assert_int_equal(guard_configure(NULL).failures, 0);
    assert_int_equal(cpl_context_set_option(w->cx, "compile_timeout", -1), CPL_EARG);
    assert_int_equal(cpl_context_set_option(w->cx, "compile_timeout", 86401), CPL_EARG);
}

static void too_many_failures_end_compiling(void **state)
{
    world *w = *state;
    char directory[] = "/tmp/cpl-contain-XXXXXX";
    assert_non_null(mkdtemp(directory));
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", directory, 1);
    world cached = {0};
    open_world(&cached);
    cpl_kernel *loaded = NULL;
    assert_int_equal(launch(&cached, &loaded), CPL_OK);

    guard_configure(&(guard_settings){0, GUARD_MOST_FAILURES, probe});
    for (int i = 0; i < GUARD_MOST_FAILURES; i++) {
        fatal_kind = GUARD_WORK;
        fails_with(w, CPL_ECOMPILER, "planted");
    }
    fails_with(w, CPL_ECOMPILER,
               "error: 'kernel.py' is not compiled: compiling was given up in this process after "
               "LLVM failed");
    assert_int_equal(launch(&cached, &loaded), CPL_OK); /* what is loaded runs */
    world second = {0};
    open_world(&second);
    assert_int_equal(launch(&second, NULL), CPL_OK); /* what is on disk is found and loaded */
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(second.cx, &stats), CPL_OK);
    assert_int_equal(stats.disk_hits, 1);
    assert_int_equal(cpl_cache_clear(second.cx, NULL), CPL_OK);
    cpl_kernel_release(loaded);
    close_world(&cached);
    close_world(&second);
    setenv("CPL_CACHE", "0", 1);
    rmdir(directory);
    guard_configure(&(guard_settings){0, 100, probe});
    compiles(w);
}

static atomic_int asked;

static void host_handler(void)
{
    asked++;
}

static void hosts_handler_is_called_and_restored(void **state)
{
    world *w = *state;
    compiles(w);
    new_handler before = _ZSt15set_new_handlerPFvvE(host_handler);
    compiles(w);
    assert_ptr_equal(_ZSt15get_new_handlerv(), host_handler);
    fatal_kind = GUARD_WORK;
    fails_with(w, CPL_ECOMPILER, "planted");
    assert_ptr_equal(_ZSt15get_new_handlerv(), host_handler);

    /* While a thread is inside LLVM, another one's memory ends. */
    released = false;
    hang = true;
    fresh_key(w);
    pthread_t thread;
    asker a = {w, CPL_EINTERNAL};
    assert_int_equal(pthread_create(&thread, NULL, ask, &a), 0);
    while (!hanging) nap();
    new_handler ours = _ZSt15get_new_handlerv();
    assert_ptr_not_equal(ours, host_handler);
    ours();
    assert_int_equal(asked, 1);
    released = true;
    pthread_join(thread, NULL);
    assert_int_equal(a.status, CPL_OK);
    assert_ptr_equal(_ZSt15get_new_handlerv(), host_handler);
    _ZSt15set_new_handlerPFvvE(before);
}

/* In a process of its own: its first use of LLVM fails. */
static int fail_in_initialisation(void)
{
    guard_configure(&(guard_settings){0, GUARD_MOST_FAILURES, probe});
    world w = {0};
    open_world(&w);
    fatal_kind = GUARD_INIT;
    fails_with(&w, CPL_ECOMPILER, "planted for a test");
    fails_with(&w, CPL_ECOMPILER, "LLVM could not be initialised for this machine");
    close_world(&w);
    return 0;
}

/* In a process of its own, in which LLVM's work has not ended well yet. */
static int hang_at_first(int times)
{
    guard_configure(&(guard_settings){0, GUARD_MOST_FAILURES, probe});
    world w = {0};
    open_world(&w);
    assert_int_equal(cpl_context_set_option(w.cx, "compile_timeout", 1), CPL_OK);
    for (int i = 0; i < times; i++) {
        released = false;
        hang = true;
        fails_with(&w, CPL_ECOMPILER, "LLVM took more than 1 s");
        hang = false;
        released = true;
        while (hanging) nap();
    }
    assert_int_equal(cpl_context_set_option(w.cx, "compile_timeout", 0), CPL_OK);
    if (times == 1) compiles(&w);
    else fails_with(&w, CPL_ECOMPILER, "compiling was given up in this process");
    close_world(&w);
    return 0;
}

static void succeeds_alone(const char *what)
{
    pid_t child;
    char *const argv[] = {"unit_contain", (char *)what, NULL};
    assert_int_equal(posix_spawn(&child, "/proc/self/exe", NULL, NULL, argv, environ), 0);
    int ended = -1;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

static void initialisation_fails(void **state)
{
    (void)state;
    succeeds_alone("initialisation");
}

/* One may be an accident; two, and nothing else: nothing would ever end. */
static void first_ones_hang(void **state)
{
    (void)state;
    succeeds_alone("1");
    succeeds_alone("2");
}

int main(int argc, char **argv)
{
    setenv("CPL_CACHE", "0", 1);
    if (argc > 1 && strcmp(argv[1], "initialisation") == 0) return fail_in_initialisation();
    if (argc > 1) return hang_at_first(atoi(argv[1]));
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(fatal_error_in_each_section),
        TEST(operation_that_llvm_cannot_select),
        TEST(code_survives_a_failed_link),
        TEST(unloading_fails),
        TEST(who_waits_for_the_same_kernel_is_told),
        TEST(memory_ends_anywhere),
        TEST(hang_is_left_behind),
        TEST(release_does_not_wait_for_llvm),
        TEST(hangs_end_with_the_limit),
        TEST(time_does_not_count_without_a_limit),
        TEST(too_many_failures_end_compiling),
        TEST(hosts_handler_is_called_and_restored),
        cmocka_unit_test(initialisation_fails),
        cmocka_unit_test(first_ones_hang),
    };
    return cmocka_run_group_tests_name("contain", tests, NULL, NULL);
}
