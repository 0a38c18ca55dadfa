/*
 * What a process lives through. A kernel that never ends holds its thread alone: others compile and
 * launch, the process may exit, or be killed. OpenMP is started by the work that is worth it. Where
 * no memory may become executable, kernels are refused, and interpreted.
 */
#include "fault.h"
#include "launches.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

static void nap(long microseconds)
{
    struct timespec pause = {microseconds / 1000000, microseconds % 1000000 * 1000};
    nanosleep(&pause, NULL);
}

/* --- a kernel that never ends --- */

static const char endless[] = "def endless(n):\n"
                              "    k = n\n"
                              "    while True:\n"
                              "        k = k*3 + 1\n"
                              "    return k\n\n"
                              "def twice(n):\n"
                              "    return 2*n\n";

static atomic_bool running;

/* Asked by LeakSanitizer: a process that ends with a thread inside a kernel frees nothing. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return atomic_load(&running); /* in the child alone */
}

static void *run_endless(void *arg)
{
    cpl_arg one = cpl_arg_int(1);
    int64_t result;
    atomic_store(&running, true);
    call_once(arg, "endless", &one, 1, &result, NULL);
    return NULL;
}

/* 7: the process ended as it wanted to. */
static void live_beside_an_endless_kernel(bool wait_to_be_killed)
{
    cpl_context *cx = fault_context(NULL, NULL);
    cpl_module *m = fault_module(cx, endless);
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_endless, m) || pthread_detach(thread)) _exit(1);
    while (!atomic_load(&running)) nap(1000);
    nap(200000); /* it is compiled and loops now */
    for (int i = 0; i < 20; i++) {
        cpl_arg n = cpl_arg_int(i);
        int64_t result = 0;
        if (cpl_context_set_option(cx, "chunk", i) || call_once(m, "twice", &n, 1, &result, NULL) ||
            result != 2 * i)
            _exit(2);
    }
    for (; wait_to_be_killed; nap(1000)) continue;
    exit(7); /* nothing is released: a thread is inside */
}

static int end_of(pid_t child)
{
    int status = 0;
    for (int ms = 0; waitpid(child, &status, WNOHANG) == 0; ms++) {
        nap(1000);
        if (ms < 60000) continue;
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        fail_msg("the process does not end");
    }
    return status;
}

static void endless_kernels(void **state)
{
    (void)state;
    setenv("CPL_CACHE", "0", 1);
    for (int way = 0; way < 2; way++) {
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) live_beside_an_endless_kernel(way == 1);
        if (way == 1) nap(1000000), kill(child, SIGKILL);
        int status = end_of(child);
        bool as_wanted = way == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 7
                                  : WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (!as_wanted) fail_msg("way %d: the process ends with %#x", way, (unsigned)status);
    }
}

/* --- OpenMP's start --- */

enum { FEW = 8, LITTLE = 1 << 15, MUCH = 1 << 20, SPARED = 16, WAYS = 4 };
static double numbers[MUCH];

static const char doubled[] = "def doubled(i, x):\n"
                              "    x[i] = 2*x[i] + 1\n\n"
                              "def total(x):\n"
                              "    s = 0.0\n"
                              "    for i in prange(len(x)):\n"
                              "        s += x[i]\n"
                              "    return s\n\n"
                              "def halved(i, x):\n"
                              "    while x[i] > 1:\n"
                              "        x[i] = x[i]/2\n";

static long launch_numbers(cpl_module *m, const char *function, int64_t n)
{
    cpl_arg x = cpl_arg_array(CPL_FLOAT64, numbers, n);
    if (launch_rounds(m, function, NULL, &x, 1, n, NULL)) _exit(1);
    return fault_status("Threads");
}

/* 77: it cannot be seen here, as there is no team. */
static void start_by(int way)
{
    cpl_context *cx = fault_context(NULL, NULL);
    cpl_module *m = fault_module(cx, doubled);
    cpl_arg x = cpl_arg_array(CPL_FLOAT64, numbers, LITTLE);
    double sum;
    if (cpl_context_set_option(cx, "tiers", 0)) _exit(1);
    long before = launch_numbers(m, "doubled", 1), after;
    if (way == 0) { /* many forks, each of little work */
        for (int i = 0; i < SPARED; i++)
            if (launch_numbers(m, "doubled", LITTLE) != before) _exit(2);
        after = launch_numbers(m, "doubled", LITTLE);
    } else if (way == 1) after = launch_numbers(m, "doubled", MUCH);
    else if (way == 2) after = launch_numbers(m, "halved", FEW); /* for how long is not known */
    else { /* what comes out depends on how many threads there are */
        if (call_once(m, "total", &x, 1, &sum, NULL)) _exit(1);
        after = fault_status("Threads");
    }
    _exit(after > before ? 0 : 77);
}

static void start_of_openmp(void **state)
{
    (void)state;
    int ends[WAYS];
    setenv("CPL_CACHE", "0", 1);
    setenv("OMP_NUM_THREADS", "2", 1);
    for (int way = 0; way < WAYS; way++) {
        fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) start_by(way);
        int status = end_of(child);
        assert_true(WIFEXITED(status));
        ends[way] = WEXITSTATUS(status);
        assert_true(ends[way] == 0 || ends[way] == 77);
        assert_int_equal(ends[way], ends[0]);
    }
    if (ends[0] == 77) skip();
}

/* --- no memory may become executable --- */

#if defined(__x86_64__)
/* From here on mmap and mprotect refuse to make memory executable, as hardened systems do. */
static bool deny_executable_memory(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void compile_in_vain(void)
{
    if (!deny_executable_memory()) _exit(77); /* of this thread and those it makes */
    messages said = {0};
    cpl_context *cx = fault_context(NULL, &said);
    cpl_module *m = fault_module(cx, endless);
    cpl_arg n = cpl_arg_int(21);
    int64_t result = 0;
    for (int i = 0; i < 3; i++) {
        cpl_status status = call_once(m, "twice", &n, 1, &result, NULL);
        if (status != CPL_ECOMPILER || !strstr(said.text, "error: "))
            fprintf(stderr, "status %d: %s", status, said.text), _exit(1);
    }
    /* needs none */
    if (interpret_rounds(m, "twice", CPL_FORM_FUNCTION, &n, 1, 0, &result, NULL) || result != 42)
        _exit(2);
    cpl_module_release(m);
    cpl_context_release(cx);
    _exit(0);
}

static void no_executable_memory(void **state)
{
    (void)state;
    setenv("CPL_CACHE", "0", 1);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) compile_in_vain();
    int status = end_of(child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip(); /* where filters are not allowed */
    assert_int_equal(status, 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* all fork, from a process without threads */
        cmocka_unit_test(endless_kernels),
        cmocka_unit_test(start_of_openmp),
#if defined(__x86_64__)
        cmocka_unit_test(no_executable_memory),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
