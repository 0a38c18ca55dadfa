/*
 * The command of the sequences: runs random ones, and makes those that fail smaller.
 *
 *     sequences --count 1000 --seed 1 --device standin --jobs 2       sequences --seed 42 --print
 *
 * Sequences run in child processes, several in one context, so that a crash or a hang is a finding
 * like any other. This process never enters the library: it forks.
 */
#include "seq.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_JOBS = 64,
    MOST_STEPS = 120,
    MOST_FINDINGS = 20,
    BLOCK = 200, /* sequences of a context: those with the same seed / BLOCK */
    SECONDS_A_SEQUENCE = 120,
    SAID = 9 /* exit status of a child that told what failed; sanitizers have others */
};

typedef struct slot { /* of a child */
    uint64_t seed;    /* at work */
    uint64_t done, launches;
} slot;

typedef struct found {
    uint64_t seed;
    char why[700];
} found;

typedef struct shared {
    slot slots[MOST_JOBS];
    found findings[MOST_FINDINGS];
    uint32_t finding_count;
} shared;

typedef struct options {
    uint64_t seed, count;
    double seconds;
    int jobs, stop_at;
    const char *device, *devices, *keep; /* as given, and what that means */
    bool print, trace;
} options;

static void die(const char *what)
{
    fprintf(stderr, "sequences: %s\n", what);
    exit(2);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- the stand-in driver --- */

typedef void (*kernel_fn)(void *const *, const size_t[3], const size_t[3]);

typedef struct standin { /* its functions, where it is used */
    int (*use)(void);
    void (*reset)(void);
    void (*add)(const char *name, kernel_fn fn);
    uint64_t (*misuses)(void);
    const char *(*misuse)(void);
    int64_t (*live)(void);
    const char *(*live_text)(char *text, size_t size);
} standin;

static standin driver;

static void find(void *library, const char *name, void *to)
{
    void *at = dlsym(library, name);
    if (!at) die(dlerror());
    memcpy(to, &at, sizeof at);
}

/* Beside this program, as the build folder has it. */
static void open_standin(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    if (n < 0) die("where is this program?");
    path[n] = 0;
    char *end = strrchr(path, '/');
    strcpy(end, "/../device/libstandin.so");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) die(dlerror());
    find(library, "standin_use", &driver.use);
    find(library, "standin_reset", &driver.reset);
    find(library, "standin_register", &driver.add);
    find(library, "standin_misuses", &driver.misuses);
    find(library, "standin_misuse", &driver.misuse);
    find(library, "standin_live_all", &driver.live);
    find(library, "standin_live_text", &driver.live_text);
    if (!driver.use()) die("the stand-in driver cannot be used");
}

/*
 * What --device means: "standin" is two made-up CUDA devices, "standin-opencl" and
 * "standin-buffers" made-up OpenCL ones, with and without shared virtual memory; anything else is a
 * list for cpl_device_find.
 */
static const char *devices_of(const char *device)
{
    bool cuda = strcmp(device, "standin") == 0, buffers = strcmp(device, "standin-buffers") == 0;
    if (!cuda && !buffers && strcmp(device, "standin-opencl") != 0) return device;
    setenv("CPL_STANDIN_DEVICES", cuda ? "2" : "1", 1);
    if (buffers) setenv("CPL_STANDIN_SVM", "0", 1);
    open_standin();
    return cuda ? "cuda:0,cuda:1" : "opencl:0";
}

/* --- one sequence --- */

static void open_world(world *w, const char *devices, uint64_t seed)
{
    w->standin = driver.use != NULL;
    if (driver.reset) {
        char text[30];
        snprintf(text, sizeof text, "%llu", (unsigned long long)(seed / BLOCK));
        setenv("CPL_STANDIN_LATE", text, 1); /* in which order its streams run; 0: at once */
        driver.reset();
        kernels_register(driver.add);
    }
    if (!world_open(w, devices, seed / BLOCK)) die("a context or its devices cannot be made");
}

static void close_world(world *w)
{
    char text[300];
    world_close(w);
    if (!driver.use || w->failed) return;
    if (driver.live()) fail(w, "the driver still has %s", driver.live_text(text, sizeof text));
}

static int draw_steps(uint64_t seed, uint64_t *steps)
{
    rng r = rng_seeded(seed);
    int n = 10 + (int)rng_below(&r, rng_chance(&r, 25) ? MOST_STEPS - 10 : 40);
    for (int i = 0; i < n; i++) steps[i] = rng_next(&r);
    return n;
}

static void run_steps(world *w, uint64_t seed, const uint64_t *steps, const bool *kept, int n)
{
    world_begin(w, seed);
    for (int i = 0; i < n && !w->failed; i++) {
        w->step = i;
        if (!kept || kept[i]) world_step(w, steps[i]);
    }
    world_clear(w);
    if (driver.misuses && driver.misuses() && !w->failed)
        fail(w, "misuse of the driver: %s", driver.misuse());
}

/* --- children --- */

static void record_finding(shared *sh, uint64_t seed, const char *why)
{
    uint32_t at = __atomic_fetch_add(&sh->finding_count, 1, __ATOMIC_RELAXED);
    if (at >= MOST_FINDINGS) return;
    sh->findings[at].seed = seed;
    snprintf(sh->findings[at].why, sizeof sh->findings[at].why, "%s", why);
}

/* The next seed of child j: each block of them is one child's. */
static uint64_t next_seed(const options *o, int j, uint64_t seed)
{
    seed++;
    while (seed / BLOCK % (uint64_t)o->jobs != (uint64_t)j) seed = (seed / BLOCK + 1) * BLOCK;
    return seed;
}

static void run_one(world *w, slot *sl, uint64_t seed, bool trace)
{
    uint64_t steps[MOST_STEPS];
    sl->seed = seed;
    alarm(SECONDS_A_SEQUENCE);
    if (trace) printf("seed %llu\n", (unsigned long long)seed);
    w->verbose = trace;
    int n = draw_steps(seed, steps);
    run_steps(w, seed, steps, NULL, n);
    sl->done++;
    sl->launches += w->launches;
    w->launches = 0;
}

/* A failed sequence ends its child: what it left is not fit for others. */
static void child(const options *o, shared *sh, int j, uint64_t first, double until)
{
    static world w;
    slot *sl = &sh->slots[j];
    bool open = false;
    for (uint64_t seed = first; seed - o->seed < o->count && !w.failed;) {
        if ((until > 0 && now() > until) ||
            __atomic_load_n(&sh->finding_count, __ATOMIC_RELAXED) >= (uint32_t)o->stop_at)
            break;
        sl->seed = seed;
        if (!open) open_world(&w, o->devices, seed);
        open = true;
        run_one(&w, sl, seed, o->trace);
        uint64_t next = next_seed(o, j, seed);
        if (next / BLOCK != seed / BLOCK && !w.failed) close_world(&w), open = false;
        seed = next;
    }
    if (open && !w.failed) close_world(&w);
    if (!w.failed) return;
    record_finding(sh, sl->seed, w.why);
    _exit(SAID);
}

/* Not by exit: the library's threads may be at work. But that is what writes the counters of a
 * build that counts branches. */
static _Noreturn void leave(int status)
{
#ifdef CPL_COVERAGE
    exit(status);
#else
    _exit(status);
#endif
}

static pid_t start(const options *o, shared *sh, int j, uint64_t first, double until)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) die("fork failed");
    if (pid) return pid;
    child(o, sh, j, first, until);
    leave(0);
}

static void note_end(shared *sh, const slot *sl, int status)
{
    char why[100];
    if (WIFEXITED(status) && WEXITSTATUS(status) == SAID) return;
    if (WIFEXITED(status)) snprintf(why, sizeof why, "exit status %d", WEXITSTATUS(status));
    else
        snprintf(why, sizeof why, WTERMSIG(status) == SIGALRM ? "hangs" : "crashes: %s",
                 strsignal(WTERMSIG(status)));
    record_finding(sh, sl->seed, why);
}

static void run_children(const options *o, shared *sh)
{
    pid_t pids[MOST_JOBS];
    double until = o->seconds > 0 ? now() + o->seconds : 0;
    int left = o->jobs;
    for (int j = 0; j < o->jobs; j++)
        pids[j] = start(o, sh, j, next_seed(o, j, o->seed - 1), until);
    while (left > 0) {
        int status, j = 0;
        pid_t pid = wait(&status);
        if (pid < 0) die("wait failed");
        while (j < o->jobs && pids[j] != pid) j++;
        if (j == o->jobs) continue;
        left--;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        note_end(sh, &sh->slots[j], status);
        pids[j] = start(o, sh, j, next_seed(o, j, sh->slots[j].seed), until);
        left++;
    }
}

/* --- smaller ones --- */

/* Runs the steps in a context of their own, in a child. True: they fail; why receives how. */
static bool fails(const options *o, const uint64_t *steps, const bool *kept, int n, bool verbose,
                  char why[700])
{
    char *text = mmap(NULL, 700, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED) die("no memory");
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        static world w;
        if (!verbose && !freopen("/dev/null", "w", stderr)) _exit(3);
        alarm(20);
        w.verbose = verbose;
        open_world(&w, o->devices, o->seed);
        run_steps(&w, o->seed, steps, kept, n);
        if (!w.failed) close_world(&w);
        snprintf(text, 700, "%s", w.why);
        fflush(NULL);
        _exit(w.failed ? SAID : 0);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status)) snprintf(text, 700, "%s", strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) && WEXITSTATUS(status) != SAID)
        snprintf(text, 700, "exit status %d", WEXITSTATUS(status));
    snprintf(why, 700, "%s", text);
    munmap(text, 700);
    return status != 0;
}

/* Leaves out what it fails without: many steps at a time at first, then one by one. */
static void reduce(const options *o, const uint64_t *steps, bool *kept, int n)
{
    char why[700];
    bool again = true;
    for (int size = n / 2; size >= 1; size = size > 1 || !again ? size / 2 : 1) {
        again = false;
        for (int from = 0; from < n; from += size) {
            bool tried[MOST_STEPS], any = false;
            memcpy(tried, kept, sizeof tried);
            for (int i = from; i < from + size && i < n; i++) any |= tried[i], tried[i] = false;
            if (!any || !fails(o, steps, tried, n, false, why)) continue;
            memcpy(kept, tried, sizeof tried);
            again = true;
        }
    }
}

static void print_kept(const options *o, const bool *kept, int n)
{
    printf("again: sequences --device %s --seed %llu --keep ", o->device,
           (unsigned long long)o->seed);
    const char *comma = "";
    for (int i = 0; i < n; i++)
        if (kept[i]) printf("%s%d", comma, i), comma = ",";
    putchar('\n');
}

/* The sequence of a seed: what it does, and if it fails what is left of it. */
static int show(const options *o, const char *before)
{
    uint64_t steps[MOST_STEPS];
    bool kept[MOST_STEPS] = {false};
    char why[700];
    int n = draw_steps(o->seed, steps);
    for (int i = 0; i < n; i++) kept[i] = !o->keep;
    for (const char *at = o->keep; at && *at; at += strcspn(at, ","), at += *at == ',')
        if (atoi(at) < n) kept[atoi(at)] = true;
    bool bad = fails(o, steps, kept, n, o->print || o->keep, why);
    uint64_t first = o->seed / BLOCK * BLOCK;
    if (before && !bad)
        printf("seed %llu: %s; not seen again when run by itself\n"
               "again: sequences --device %s --seed %llu --count %llu --jobs 1 --trace\n",
               (unsigned long long)o->seed, before, o->device, (unsigned long long)first,
               (unsigned long long)(o->seed - first + 1));
    if (!bad) return 0;
    printf("seed %llu: %s\n", (unsigned long long)o->seed, why);
    fflush(stdout);
    if (!o->keep) {
        reduce(o, steps, kept, n);
        fails(o, steps, kept, n, true, why);
    }
    print_kept(o, kept, n);
    return 1;
}

static int run_all(const options *o)
{
    shared *sh = mmap(NULL, sizeof *sh, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (sh == MAP_FAILED) die("no memory");
    run_children(o, sh);
    uint64_t done = 0, launches = 0;
    for (int j = 0; j < o->jobs; j++) {
        done += sh->slots[j].done;
        launches += sh->slots[j].launches;
    }
    for (uint32_t i = 0; i < sh->finding_count && i < MOST_FINDINGS; i++) {
        options one = *o;
        one.seed = sh->findings[i].seed;
        show(&one, sh->findings[i].why);
    }
    printf("%llu sequences on %s, %u mismatches (%llu launches, seeds from %llu)\n",
           (unsigned long long)done, o->device, sh->finding_count, (unsigned long long)launches,
           (unsigned long long)o->seed);
    return sh->finding_count != 0;
}

static void usage(void)
{
    fputs("sequences [--device D] [--seed N] [--count N] [--seconds S] [--jobs N] [--stop-at N]\n"
          "sequences [--device D] --seed N --print | --keep STEP,STEP...\n"
          "--trace: all steps of all sequences\n"
          "D: host, standin, standin-opencl, standin-buffers, or devices: cuda:0,cuda:1\n",
          stderr);
    exit(2);
}

static void parse(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *value = argv[i + 1];
        o->print |= !strcmp(a, "--print");
        o->trace |= !strcmp(a, "--trace");
        if (!strcmp(a, "--print") || !strcmp(a, "--trace")) continue;
        if (!value) usage();
        i++;
        if (!strcmp(a, "--seed")) o->seed = strtoull(value, NULL, 0);
        else if (!strcmp(a, "--count")) o->count = strtoull(value, NULL, 0);
        else if (!strcmp(a, "--seconds")) o->seconds = strtod(value, NULL);
        else if (!strcmp(a, "--jobs")) o->jobs = atoi(value);
        else if (!strcmp(a, "--stop-at")) o->stop_at = atoi(value);
        else if (!strcmp(a, "--device")) o->device = value;
        else if (!strcmp(a, "--keep")) o->keep = value;
        else usage();
    }
    if (o->jobs < 1) o->jobs = 1;
    if (o->jobs > MOST_JOBS) o->jobs = MOST_JOBS;
}

int main(int argc, char **argv)
{
    options o = {.seed = 1,
                 .stop_at = 5,
                 .device = "host",
                 .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    parse(&o, argc, argv);
    setenv("CPL_CACHE", "0", 1);
    setenv("OMP_NUM_THREADS", "3", 0);
    setenv("KMP_BLOCKTIME", "0", 0);
    o.devices = devices_of(o.device);
    if (o.print || o.keep) return show(&o, NULL);
    if (!o.count) o.count = o.seconds > 0 ? UINT64_MAX / 2 : 1000;
    return run_all(&o);
}
