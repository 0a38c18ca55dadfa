/*
 * Many at once. Threads that ask for the same kernels get each compiled once, and right results.
 * Processes that share a cache directory, some of them killed at any moment, never load what is not
 * whole, never wait for the dead, and leave only entries and fresh temporary files.
 */
#include "fault.h"
#include "launches.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { MODULE_FUNCTIONS = 20 };

/* Kernel number k computes x*(k + 2) + k. */
static cpl_module *module_of(cpl_context *cx, long first)
{
    char text[MODULE_FUNCTIONS * 80];
    size_t n = 0;
    for (long k = first; k < first + MODULE_FUNCTIONS; k++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "def f%ld(x: int64):\n    return x*%ld + %ld\n", k, k + 2, k);
    return fault_module(cx, text);
}

static bool ask_for(cpl_module *m, long k)
{
    char name[32];
    snprintf(name, sizeof name, "f%ld", k);
    cpl_arg args[] = {cpl_arg_int(1000)};
    int64_t result = 0;
    return call_once(m, name, args, 1, &result, NULL) == CPL_OK && result == 1000 * (k + 2) + k;
}

/* 64 threads, each through all the kernels, from a place of its own. */

typedef struct crowd {
    cpl_module **modules;
    long kernels;
    pthread_barrier_t start;
    atomic_long next, wrong;
} crowd;

static void *join_crowd(void *arg)
{
    crowd *c = arg;
    /* eight threads at a time ask for the same one */
    long place = atomic_fetch_add(&c->next, 1) % 8;
    pthread_barrier_wait(&c->start);
    for (long i = 0; i < c->kernels; i++) {
        long k = (i + place * c->kernels / 8) % c->kernels;
        if (!ask_for(c->modules[k / MODULE_FUNCTIONS], k)) atomic_fetch_add(&c->wrong, 1);
    }
    return NULL;
}

static void threads_compile_each_kernel_once(void **state)
{
    (void)state;
    enum { THREADS = 64 };
    setenv("CPL_CACHE", "0", 1);
    cpl_context *cx = fault_context(NULL, NULL);
    assert_int_equal(cpl_context_set_option(cx, "opt_level", 0), CPL_OK);
    crowd c = {.kernels = 1000};
    long modules = c.kernels / MODULE_FUNCTIONS;
    c.modules = calloc((size_t)modules, sizeof *c.modules);
    for (long i = 0; i < modules; i++) c.modules[i] = module_of(cx, i * MODULE_FUNCTIONS);
    assert_int_equal(pthread_barrier_init(&c.start, NULL, THREADS), 0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, join_crowd, &c), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&c.start);
    assert_int_equal(c.wrong, 0);
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(cx, &stats);
    assert_int_equal(stats.compiles, c.kernels);
    fault_figures("threads", "\"threads\": %d, \"kernels\": %ld, \"compiles\": %ld, \"wrong\": 0",
                  THREADS, c.kernels, (long)stats.compiles);
    for (long i = 0; i < modules; i++) cpl_module_release(c.modules[i]);
    free(c.modules);
    cpl_context_release(cx);
}

/* What a thread was told since it last looked. */
static _Thread_local int errors_told, notes_told;

static void count_told(void *user, const cpl_diag *d)
{
    (void)user;
    bool right = strcmp(d->message, "int32 cannot be indexed") == 0 &&
                 strcmp(d->file, "k.py") == 0 && d->line == 2 && d->column == 12 &&
                 d->text_length == strlen("    return x[0]");
    errors_told += d->severity == CPL_ERROR && right;
    notes_told += d->severity == CPL_NOTE && d->line == 4;
}

/* All who wait for a kernel that cannot be compiled get the error, and hear why; who waits for one
 * about which there is a warning hears that. */
static void *ask_for_trouble(void *arg)
{
    crowd *c = arg;
    cpl_arg args[] = {cpl_arg_int(1)};
    pthread_barrier_wait(&c->start);
    for (int i = 0; i < 20; i++) {
        errors_told = 0;
        cpl_status status = call_once(*c->modules, "f", args, 1, NULL, NULL);
        if (status != CPL_ETYPE || errors_told != 1) atomic_fetch_add(&c->wrong, 1);
    }
    pthread_barrier_wait(&c->start);
    notes_told = 0;
    if (call_once(*c->modules, "g", args, 1, NULL, NULL)) atomic_fetch_add(&c->wrong, 1);
    atomic_fetch_add(&c->next, notes_told);
    return NULL;
}

static void threads_share_errors(void **state)
{
    (void)state;
    enum { THREADS = 16 };
    cpl_context *cx = fault_context(NULL, NULL);
    cpl_context_set_sink(cx, count_told, NULL);
    cpl_module *m = fault_module(cx, "def f(x):\n    return x[0]\ndef g(x):\n    return x/2\n");
    crowd c = {.modules = &m};
    assert_int_equal(pthread_barrier_init(&c.start, NULL, THREADS), 0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_for_trouble, &c), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&c.start);
    assert_int_equal(c.wrong, 0);
    assert_in_range(c.next, 1, THREADS); /* who came later found the kernel */
    cpl_module_release(m);
    cpl_context_release(cx);
}

/* Processes. A child goes through 16 kernels in an order of its own, with a fresh context, and
 * reports on a pipe. */

enum { PROCESSES = 16, KERNELS = 16 };

typedef struct report {
    int32_t wrong, compiles, hits, warnings;
} report;

static void count_warnings(void *user, const cpl_diag *d)
{
    if (d->severity == CPL_WARNING) ++*(int32_t *)user;
}

static void be_a_process(int to, unsigned seed)
{
    report r = {0};
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = count_warnings;
    o.sink_user = &r.warnings;
    cpl_context *cx;
    if (cpl_context_create(&o, &cx) || cpl_context_set_option(cx, "opt_level", 0)) _exit(1);
    cpl_module *m = module_of(cx, 0);
    for (unsigned i = 0; i < KERNELS; i++) r.wrong += !ask_for(m, (i * 5 + seed) % KERNELS);
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(cx, &stats);
    r.compiles = (int32_t)stats.compiles;
    r.hits = (int32_t)stats.disk_hits;
    cpl_module_release(m);
    cpl_context_release(cx);
    _exit(write(to, &r, sizeof r) != sizeof r);
}

static unsigned next_random(unsigned *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

typedef struct tally {
    long rounds, processes, killed, compiles, hits, wrong, warnings;
} tally;

/* One round: all processes at once, some killed after a while. */
static void race(tally *t, unsigned *random)
{
    int ends[2];
    pid_t children[PROCESSES];
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < PROCESSES; i++) {
        fflush(NULL);
        unsigned seed = next_random(random);
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) be_a_process(ends[1], seed);
    }
    close(ends[1]);
    for (int i = 0; i < 3; i++) {
        struct timespec wait = {0, (long)(next_random(random) % 20000000)};
        nanosleep(&wait, NULL);
        /* one that ended is a zombie still */
        kill(children[next_random(random) % PROCESSES], SIGKILL);
    }
    report r;
    while (read(ends[0], &r, sizeof r) == sizeof r) {
        t->compiles += r.compiles;
        t->hits += r.hits;
        t->wrong += r.wrong;
        t->warnings += r.warnings;
    }
    close(ends[0]);
    for (int i = 0; i < PROCESSES; i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) t->killed++;
        else assert_int_equal(status, 0);
        t->processes++;
    }
    t->rounds++;
}

static void remove_some(const char *folder, unsigned *random)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.' && next_random(random) % 2) unlinkat(dirfd(d), e->d_name, 0);
    if (d) closedir(d);
}

static void processes_share_a_cache(void **state)
{
    (void)state;
    char folder[64];
    fault_folder(folder);
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    tally t = {0};
    unsigned random = 12345;
    for (long i = 0; i < test_rounds(40, 100); i++) {
        race(&t, &random);
        int entries = fault_count(folder, "");
        int temporaries = fault_count(folder, ".tmp-");
        assert_true(entries - temporaries <= KERNELS);
        assert_true(temporaries <= t.killed);
        if (i % 3 == 2) remove_some(folder, &random);
    }
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.warnings, 0);
    assert_true(t.hits > 0);
    fault_figures("processes",
                  "\"rounds\": %ld, \"processes\": %ld, \"killed\": %ld, \"compiles\": %ld, "
                  "\"loads\": %ld, \"wrong\": 0",
                  t.rounds, t.processes, t.killed, t.compiles, t.hits);
    /* whoever comes last finds all of it, and nothing that is not whole */
    int ends[2];
    report r = {0};
    for (int again = 0; again < 2; again++) {
        assert_int_equal(pipe(ends), 0);
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) be_a_process(ends[1], 0);
        close(ends[1]);
        assert_int_equal(read(ends[0], &r, sizeof r), sizeof r);
        close(ends[0]);
        waitpid(child, NULL, 0);
    }
    assert_int_equal(r.hits, KERNELS);
    assert_int_equal(r.compiles + r.wrong, 0);
    fault_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            processes_share_a_cache), /* first: it forks, from a process without threads */
        cmocka_unit_test(threads_compile_each_kernel_once),
        cmocka_unit_test(threads_share_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
