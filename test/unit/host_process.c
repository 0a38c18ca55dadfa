/* What a program that embeds the library can rely on: its floating-point state, its signals, its
 * memory, and that no kernel ends it. */
#include "unit.h"
#include "launches.h"

#include "collect.h"
#include "figures.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static messages said;

static cpl_context *context(const cpl_context_options *given)
{
    cpl_context_options options;
    cpl_context_options_init(&options);
    if (given) options = *given;
    options.sink = collect;
    options.sink_user = &said;
    said.n = 0;
    cpl_context *cx = NULL;
    assert_int_equal(cpl_context_create(&options, &cx), CPL_OK);
    return cx;
}

static cpl_module *module(cpl_context *cx, const char *text)
{
    cpl_module *m = NULL;
    cpl_status status = cpl_module_from_source(cx, "kernel.py", text, strlen(text), &m);
    if (status) print_error("%s", said.text);
    assert_int_equal(status, CPL_OK);
    return m;
}

static const char axpb[] = "def axpb(i, x, y, a):\n"
                           "    y[i] = a*sin(x[i]) + 1.0\n";

static cpl_status launch(cpl_module *m, double *x, double *y, int n)
{
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, n), cpl_arg_array(CPL_FLOAT64, y, n),
                      cpl_arg_float(2)};
    return launch_rounds(m, "axpb", NULL, args, 3, CPL_AUTO, NULL);
}

/* Division of every pair of eight bits and of every pair of corners of wider types, optimised and
 * not. */

static const int64_t corners[] = {INT64_MIN, INT32_MIN, INT16_MIN, INT8_MIN, -7, -2, -1, 0, 1, 2, 7,
                                  INT8_MAX,  INT16_MAX, INT32_MAX, INT64_MAX};
enum { CORNERS = sizeof corners / sizeof *corners, PAIRS = CORNERS * CORNERS, BYTES = 65536 };

static const struct {
    cpl_dtype dtype;
    int bits;
    bool is_signed;
} int_types[] = {
    {CPL_INT8, 8, true},     {CPL_INT16, 16, true},   {CPL_INT32, 32, true},
    {CPL_INT64, 64, true},   {CPL_UINT8, 8, false},   {CPL_UINT16, 16, false},
    {CPL_UINT32, 32, false}, {CPL_UINT64, 64, false},
};

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* The value of `bits` bits that wraps to v. */
static wide wrap(wide v, int bits, bool is_signed)
{
    uwide u = (uwide)v & (((uwide)1 << bits) - 1);
    if (is_signed && u >> (bits - 1)) return (wide)u - ((wide)1 << bits);
    return (wide)u;
}

static wide load(const void *at, int bits, bool is_signed)
{
    uint64_t u = 0;
    memcpy(&u, at, (size_t)bits / 8); /* little end first */
    return wrap((wide)u, bits, is_signed);
}

static void check_division(cpl_module *m, size_t t)
{
    int bits = int_types[t].bits;
    bool is_signed = int_types[t].is_signed;
    size_t bytes = (size_t)bits / 8;
    static char a[BYTES], b[BYTES], out[4][BYTES];
    int n = bytes == 1 ? 65536 : PAIRS;
    for (int i = 0; i < n; i++) {
        if (bytes == 1) a[i] = (char)(i >> 8), b[i] = (char)i;
        else
            memcpy(a + i * bytes, &corners[i / CORNERS], bytes),
                memcpy(b + i * bytes, &corners[i % CORNERS], bytes);
    }
    cpl_arg args[6] = {cpl_arg_array(int_types[t].dtype, a, n),
                       cpl_arg_array(int_types[t].dtype, b, n)};
    for (int k = 0; k < 4; k++) args[2 + k] = cpl_arg_array(int_types[t].dtype, out[k], n);
    cpl_status status = launch_rounds(m, "divide", NULL, args, 6, CPL_AUTO, NULL);
    if (status) print_error("%s", said.text);
    assert_int_equal(status, CPL_OK);
    for (size_t i = 0; i < (size_t)n; i++) {
        wide x = load(a + i * bytes, bits, is_signed), y = load(b + i * bytes, bits, is_signed),
             q = 0, f = 0, r = 0;
        if (y) {
            q = x / y;
            f = q - (x % y != 0 && (x < 0) != (y < 0));
            r = x - f * y;
        }
        assert_true(load(out[0] + i * bytes, bits, is_signed) == wrap(f, bits, is_signed));
        assert_true(load(out[1] + i * bytes, bits, is_signed) == wrap(r, bits, is_signed));
        assert_true(load(out[2] + i * bytes, bits, is_signed) == wrap(q, bits, is_signed));
        assert_true(load(out[3] + i * bytes, bits, is_signed) == 0);
    }
}

static void no_division_ends_the_process(void **state)
{
    (void)state;
    cpl_context *cx = context(NULL);
    static const char text[] = "def divide(i, a, b, f, r, q, z):\n"
                               "    f[i] = a[i] // b[i]\n"
                               "    r[i] = a[i] % b[i]\n"
                               "    q[i] = a[i] / b[i]\n"
                               "    z[i] = a[i] // (b[i] - b[i])\n";
    for (int level = 0; level <= 3; level += 3)
        for (int simd = 0; simd <= 2; simd += 2) {
            cpl_context_set_option(cx, "opt_level", level);
            cpl_context_set_option(cx, "simd", simd);
            cpl_module *m = module(cx, text);
            for (size_t t = 0; t < sizeof int_types / sizeof *int_types; t++) check_division(m, t);
            cpl_module_release(m);
        }
    cpl_context_release(cx);
}

#if defined(__x86_64__)
static unsigned mxcsr(void)
{
    unsigned value;
    __asm__ volatile("stmxcsr %0" : "=m"(value));
    return value;
}

static void set_mxcsr(unsigned value)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(value));
}

/* Rounding, flush-to-zero, denormals-are-zero, masks; not the flags below them, which arithmetic
 * sets. */
#define CONTROL 0xffc0u

static void floating_point_state_is_the_hosts(void **state)
{
    (void)state;
    static const unsigned modes[] = {0x1f80, 0x9fc0 /* flush to zero */, 0x3f80 /* round down */,
                                     0x7f80 /* towards zero */};
    unsigned before = mxcsr();
    unsigned short x87, x87_after;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        set_mxcsr(modes[i]);
        __asm__ volatile("fnstcw %0" : "=m"(x87));
        cpl_context *cx = context(NULL);
        cpl_module *m = module(cx, axpb);
        double x[1000] = {1e-310, 1, 2}, y[1000];
        bool ok = launch(m, x, y, 1000) == CPL_OK && launch(m, x, y, 1000) == CPL_OK;
        cpl_module_release(m);
        cpl_context_release(cx);
        unsigned after = mxcsr();
        __asm__ volatile("fnstcw %0" : "=m"(x87_after));
        set_mxcsr(before);
        assert_true(ok);
        assert_int_equal(after & CONTROL, modes[i] & CONTROL);
        assert_int_equal(x87, x87_after);
    }
}
#endif

static int writable_code(void)
{
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    char line[1000], flags[8];
    while (fgets(line, sizeof line, maps))
        if (sscanf(line, "%*s %7s", flags) == 1 && flags[1] == 'w' && flags[2] == 'x') found++;
    fclose(maps);
    return found;
}

typedef struct watcher {
    atomic_bool stop;
    int found;
} watcher;

static void *watch(void *arg)
{
    watcher *w = arg;
    while (!w->stop) w->found += writable_code();
    return NULL;
}

static void code_is_never_writable(void **state)
{
    (void)state;
    watcher w = {0};
    pthread_t thread;
    /* also while code is being made */
    assert_int_equal(pthread_create(&thread, NULL, watch, &w), 0);
    cpl_context *cx = context(NULL);
    double x[10] = {1}, y[10];
    for (int i = 0; i < 20; i++) {
        cpl_module *m = module(cx, axpb);
        assert_int_equal(launch(m, x, y, 10), CPL_OK);
        assert_int_equal(writable_code(), 0);
        cpl_module_release(m);
    }
    w.stop = true;
    pthread_join(thread, NULL);
    cpl_context_release(cx);
    assert_int_equal(w.found, 0);
}

static atomic_int alarms;
static pthread_t host_thread;
static atomic_int strays;

static void on_alarm(int number)
{
    (void)number;
    int before = errno; /* a sanitizer's part in what follows may change it */
    alarms++;
    if (!pthread_equal(pthread_self(), host_thread)) strays++;
    errno = before;
}

static void signals_interrupt_nothing(void **state)
{
    (void)state;
    char directory[] = "/tmp/cpl-process-XXXXXX", path[64];
    assert_non_null(mkdtemp(directory));
    setenv("CPL_CACHE_DIR", directory, 1);
    setenv("CPL_CACHE", "1", 1);
    snprintf(path, sizeof path, "%s/kernel.py", directory);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(axpb, f);
    fclose(f);
    alarms = 0;
    struct sigaction act = {.sa_handler = on_alarm}, old; /* without SA_RESTART */
    struct itimerval timer = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &act, &old);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int i = 0; i < 60 || (alarms < 100 && i < 100000); i++) {
        cpl_context *cx = context(NULL);
        /* hits and misses in the cache */
        if (i % 2) cpl_context_set_option(cx, "opt_level", i % 3);
        cpl_module *m = NULL;
        double x[100] = {1}, y[100];
        cpl_status read = cpl_module_from_file(cx, path, &m),
                   ran = read ? read : launch(m, x, y, 100);
        if (i % 10 == 0) ran = ran ? ran : cpl_cache_clear(cx, NULL);
        cpl_module_release(m);
        cpl_context_release(cx);
        if (ran || said.n) {
            setitimer(ITIMER_REAL, &off, NULL);
            print_error("%s", said.text);
        }
        assert_int_equal(ran, CPL_OK);
        assert_int_equal(said.n, 0); /* no warning either */
    }
    setitimer(ITIMER_REAL, &off, NULL);
    sigaction(SIGALRM, &old, NULL);
    assert_true(alarms >= 100);
    cpl_context *cx = context(NULL);
    cpl_cache_clear(cx, NULL);
    cpl_context_release(cx);
    unlink(path);
    rmdir(directory);
    setenv("CPL_CACHE", "0", 1);
}

static void compile_threads_take_no_signals(void **state)
{
    (void)state;
    cpl_context *cx = context(NULL);
    cpl_context_set_option(cx, "num_threads", 1);
    cpl_context_set_option(cx, "tiers", 0);
    cpl_module *m = module(cx, axpb);
    double x[4] = {1}, y[4];
    assert_int_equal(launch(m, x, y, 4), CPL_OK); /* the threads are there now */
    host_thread = pthread_self();
    alarms = strays = 0;
    struct sigaction act = {.sa_handler = on_alarm}, old;
    sigset_t alarm, before;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigaction(SIGALRM, &act, &old);
    pthread_sigmask(SIG_BLOCK, &alarm, &before);
    kill(getpid(), SIGALRM); /* to whichever thread takes it */
    for (int i = 1; i < 20; i++) {
        cpl_context_set_option(cx, "chunk", i);
        assert_int_equal(launch(m, x, y, 4), CPL_OK);
    }
    assert_int_equal(alarms, 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_int_equal(alarms, 1);
    assert_int_equal(strays, 0);
    sigaction(SIGALRM, &old, NULL);
    cpl_module_release(m);
    cpl_context_release(cx);
}

static int open_files(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++) n += fcntl(fd, F_GETFD) != -1;
    return n;
}

static int threads(void)
{
    int n = -1;
    FILE *f = fopen("/proc/self/status", "r");
    char line[200];
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Threads: %d", &n) == 1) break;
    if (f) fclose(f);
    return n;
}

static void use_a_context(bool compile)
{
    flaky memory = {0};
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.alloc = flaky_alloc;
    options.alloc_user = &memory;
    cpl_context *cx = context(&options);
    cpl_context_set_option(cx, "tiers", 0);
    cpl_module *m = module(cx, axpb);
    double x[4] = {1}, y[4];
    if (compile) assert_int_equal(launch(m, x, y, 4), CPL_OK);
    cpl_module_release(m);
    cpl_context_release(cx);
    assert_int_equal(memory.live_bytes, 0);
}

static void contexts_leave_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) use_a_context(true);
    for (int i = 0; i < 100; i++) use_a_context(false);
    int files = open_files(), tasks = threads();
    size_t before = mallinfo2().uordblks;
    long n = test_rounds(2000, 10000);
    for (long i = 0; i < n; i++) use_a_context(false);
    size_t idle = mallinfo2().uordblks;
    assert_true(idle < before + (size_t)n * 8); /* less than the smallest block each */
    for (long i = 0; i < n / 20; i++) use_a_context(true);
    assert_true(mallinfo2().uordblks < idle + (size_t)(n / 20) * 1024);
    assert_int_equal(open_files(), files);
    assert_int_equal(threads(), tasks);
    fault_figures("contexts", "\"contexts\": %ld, \"bytes_left\": %ld, \"compiled_in\": %ld", n,
                  idle > before ? (long)(idle - before) : 0, n / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compile_threads_take_no_signals), /* before libomp's threads are there */
        cmocka_unit_test(no_division_ends_the_process),
#if defined(__x86_64__)
        cmocka_unit_test(floating_point_state_is_the_hosts),
#endif
        cmocka_unit_test(code_is_never_writable),
        cmocka_unit_test(signals_interrupt_nothing),
        cmocka_unit_test(contexts_leave_nothing),
    };
    setenv("CPL_CACHE", "0", 1);
    return cmocka_run_group_tests_name("host_process", tests, NULL, NULL);
}
