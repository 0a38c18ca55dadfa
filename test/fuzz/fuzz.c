/*
 * The command of the differential test: generates programs, runs each in several ways, reduces
 * those that differ.
 *
 *     fuzz --count 10000 --seed 1 --jobs 2 --out DIR      fuzz --print 42
 *     fuzz --coverage 100 --count 10000                   fuzz FILE.cir...
 *
 * Programs run in child processes, so that a crash or a hang is a finding like any other. This
 * process never enters the library for it: it forks.
 */
#include "fuzz.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_JOBS = 256,
    MOST_FINDINGS = 100,
    REFRESH = 60,
    REFRESH_DEVICE = 500,
    SECONDS_A_PROGRAM = 60,
    SECONDS_A_TRY = 30, /* of a smaller one */
    SECONDS_A_HANG = 10,
    MOST_HANGS = 12, /* as long as so many of them smaller programs are tried of those that hang */
    MOST_REASONS = 20,
    STATUS_LOST = 3
};

typedef struct slot { /* of a child */
    uint64_t seed;    /* at work */
    int32_t way;
    uint64_t done, runs;
} slot;

typedef enum fault { FAULT_NONE, FAULT_DIFFERS, FAULT_REFUSED, FAULT_CRASH, FAULT_HANG } fault;

typedef struct found {
    uint64_t seed;
    fault fault;
    int32_t way;
    const char *device; /* NULL: the host */
    bool reproducible;
    double patience;
    double until; /* when trying smaller programs ends; 0: never */
    char why[2000];
} found;

typedef struct reason { /* for a device not to run a program */
    char text[160];
    uint32_t count;
} reason;

typedef struct shared {
    pthread_mutex_t lock; /* of reasons */
    reason reasons[MOST_REASONS];
    uint32_t skipped;
    slot slots[MOST_JOBS];
    found findings[MOST_FINDINGS];
    uint32_t finding_count;
} shared;

typedef struct options {
    uint64_t seed, count, only;
    double seconds, reduce_seconds;
    double patience; /* until a program is said to hang */
    int jobs, stop_at;
    choice choice;
    uint32_t least;
    bool coverage, table, keep_large, small, reproducible;
    const char *out, *device;
    const char *print;
    bool python;
} options;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* This process ends unless it is told another time before; 0: it goes on. */
static void end_in(double seconds)
{
    const time_t whole = (time_t)seconds;
    const struct timeval in = {whole, (suseconds_t)((seconds - (double)whole) * 1e6)};
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = in}, NULL);
}

static void die(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    exit(2);
}

static void note_way(void *user, int way)
{
    ((slot *)user)->way = way;
}

static const char *fault_name(fault f)
{
    static const char *const names[] = {"is well", "differs", "is refused", "crashes", "hangs"};
    return names[f];
}

static void record_finding(shared *sh, uint64_t seed, fault what, int way, const char *why)
{
    uint32_t at = __atomic_fetch_add(&sh->finding_count, 1, __ATOMIC_RELAXED);
    if (at >= MOST_FINDINGS) return;
    found *f = &sh->findings[at];
    f->seed = seed;
    f->fault = what;
    f->way = way;
    snprintf(f->why, sizeof f->why, "%s", why);
}

/* Texts of the pass legal without the places they are about. */
static void record_reason(shared *sh, const char *why)
{
    const char *from = strstr(why, "error: ");
    char line[sizeof sh->reasons->text];
    from = from ? from + 7 : why;
    size_t n = strcspn(from, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1), from);
    pthread_mutex_lock(&sh->lock);
    sh->skipped++;
    int i = 0;
    while (i < MOST_REASONS - 1 && sh->reasons[i].count && strcmp(sh->reasons[i].text, line) != 0)
        i++;
    if (!sh->reasons[i].count) memcpy(sh->reasons[i].text, line, sizeof line);
    sh->reasons[i].count++;
    pthread_mutex_unlock(&sh->lock);
}

static prog *program_of(const options *o, uint64_t seed)
{
    prog *p = generate(seed, o->small);
    if (o->device) device_program(p, o->device, o->reproducible);
    if (o->reproducible) reproducible_program(p);
    return p;
}

/* Ends a child, and the program's own cleaning up is left to the parent; but exit is what writes
 * the counters of a build that counts branches. */
static void leave(int status)
{
#ifdef CPL_COVERAGE
    exit(status);
#else
    _exit(status);
#endif
}

/* Child number j: seeds first, first + jobs, ... */
static void child(const options *o, shared *sh, int j, uint64_t first, double until)
{
    slot *sl = &sh->slots[j];
    session *s = session_open(o->device, o->reproducible);
    int used = 0;
    for (uint64_t seed = first; seed - o->seed < o->count; seed += (uint64_t)o->jobs) {
        if ((until > 0 && now() > until) ||
            __atomic_load_n(&sh->finding_count, __ATOMIC_RELAXED) >= (uint32_t)o->stop_at)
            break;
        finding f;
        sl->seed = seed;
        end_in(o->patience);
        prog *p = program_of(o, seed);
        sl->runs += (uint64_t)ways_run(s, p, o->only, o->choice, note_way, sl, &f);
        prog_free(p);
        sl->done++;
        if (f.verdict == SKIPPED) record_reason(sh, f.why);
        else if (f.verdict != SAME)
            record_finding(sh, seed, f.verdict == DIFFERS ? FAULT_DIFFERS : FAULT_REFUSED, f.way,
                           f.why);
        /* the device may be lost to this process */
        if (o->device && f.verdict == REFUSED) leave(STATUS_LOST);
        if (++used < (o->device ? REFRESH_DEVICE : REFRESH)) continue;
        session_close(s);
        s = session_open(o->device, o->reproducible);
        used = 0;
    }
    end_in(0);
    session_close(s);
}

static pid_t start(const options *o, shared *sh, int j, uint64_t first, double until)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) die("fork failed");
    if (pid == 0) {
        child(o, sh, j, first, until);
        leave(0);
    }
    return pid;
}

static void run_children(const options *o, shared *sh)
{
    pid_t pids[MOST_JOBS];
    double until = o->seconds > 0 ? now() + o->seconds : 0;
    int left = 0;
    for (int j = 0; j < o->jobs; j++, left++)
        pids[j] = start(o, sh, j, o->seed + (uint64_t)j, until);
    while (left > 0) {
        int status, j = 0;
        pid_t pid = wait(&status);
        if (pid < 0) die("wait failed");
        while (j < o->jobs && pids[j] != pid) j++;
        if (j == o->jobs) continue;
        left--;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
        slot *sl = &sh->slots[j];
        char why[100];
        bool hang = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
        if (WIFSIGNALED(status))
            snprintf(why, sizeof why, "signal %d, %s", WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
        else snprintf(why, sizeof why, "exit status %d", WEXITSTATUS(status));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS_LOST) {
            sl->done++;
            record_finding(sh, sl->seed, hang ? FAULT_HANG : FAULT_CRASH, sl->way, why);
        }
        pids[j] = start(o, sh, j, sl->seed + (uint64_t)o->jobs, until);
        left++;
    }
}

/* What a program comes to in one way, tried in a child; false: nothing is wrong. Way, device and
 * the option reproducible of *result are given; the other fields are brought up to date. */
static bool try_apart(prog *p, double seconds, found *result)
{
    const found given = *result;
    found *told =
        mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (told == MAP_FAILED) die("no memory");
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        end_in(seconds);
        session *s = session_open(given.device, given.reproducible);
        finding got;
        uint64_t only = given.way < 0 ? 0 : UINT64_C(1) << given.way;
        ways_run(s, p, only, WAYS_ALL, NULL, NULL, &got);
        told->fault = got.verdict == DIFFERS   ? FAULT_DIFFERS
                      : got.verdict == REFUSED ? FAULT_REFUSED
                                               : FAULT_NONE;
        told->way = got.way;
        memcpy(told->why, got.why, sizeof told->why);
        leave(0);
    }
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) told->fault = WTERMSIG(status) == SIGALRM ? FAULT_HANG : FAULT_CRASH;
    else if (WEXITSTATUS(status)) told->fault = FAULT_CRASH;
    else result->way = told->way;
    result->fault = told->fault;
    memcpy(result->why, told->why, sizeof result->why);
    munmap(told, sizeof *told);
    return result->fault != FAULT_NONE;
}

/* For how long a smaller program is tried: one that hangs takes all of it. */
static double patience_of(const found *f)
{
    const double most = f->fault == FAULT_HANG ? SECONDS_A_HANG : SECONDS_A_TRY;
    return f->patience < most ? f->patience : most;
}

/* Whether a program shows the fault of a finding. why of f is brought up to date. */
static bool shows(void *user, prog *p)
{
    found *f = user, result = *f;
    if (f->until > 0 && now() > f->until) return false;
    try_apart(p, patience_of(f), &result);
    bool same = result.fault == f->fault && result.way == f->way;
    /* of a refusal, for the same reason */
    if (same && f->fault == FAULT_REFUSED) {
        const char *a = strstr(f->why, "error: "), *b = strstr(result.why, "error: ");
        same = a && b && strncmp(a, b, 20) == 0;
    }
    if (same && f->fault == FAULT_DIFFERS) memcpy(f->why, result.why, sizeof f->why);
    return same;
}

/* Tries of smaller programs are counted, and take too long where each of them hangs. */
static double end_of_tries(const found *f)
{
    const double end = now() + MOST_HANGS * patience_of(f);
    if (f->fault != FAULT_HANG) return f->until;
    return f->until > 0 && f->until < end ? f->until : end;
}

static void reduce_finding(const options *o, found *f)
{
    char name[80], comment[3000];
    prog *p = program_of(o, f->seed);
    int before = prog_size(p);
    printf("seed %llu%s: %s %s: %s\n", (unsigned long long)f->seed, o->small ? " of --quick" : "",
           way_name(f->way), fault_name(f->fault), f->why);
    fflush(stdout);
    found again = *f;
    again.until = 0;
    bool repeats = shows(&again, p);
    again.until = end_of_tries(f);
    if (!repeats)
        printf("seed %llu: not seen again when run by itself\n", (unsigned long long)f->seed);
    else if (!o->keep_large) p = reduce(p, shows, &again);
    snprintf(name, sizeof name, "seed-%llu-%s", (unsigned long long)f->seed, way_name(f->way));
    snprintf(comment, sizeof comment, "Seed %llu: %s %s; %s", (unsigned long long)f->seed,
             way_name(f->way), fault_name(f->fault), again.why);
    text t = {0};
    if (p->wild || (f->way >= 0 && strncmp(way_name(f->way), "py-", 3) == 0)) print_py(p, &t);
    else print_ir(p, &t);
    printf("%d of %d nodes are left: %s\n%s\n", prog_size(p), before, again.why, t.at);
    text_free(&t);
    if (!o->out) printf("(--out DIR keeps it)\n");
    else if (file_write(p, o->out, name, comment)) printf("kept as %s/%s.cir\n", o->out, name);
    else printf("%s/%s.cir: %s\n", o->out, name, strerror(errno));
    prog_free(p);
}

static int differential(const options *o)
{
    shared *sh = mmap(NULL, sizeof *sh, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (sh == MAP_FAILED) die("no memory");
    pthread_mutexattr_t across;
    pthread_mutexattr_init(&across);
    pthread_mutexattr_setpshared(&across, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(&sh->lock, &across);
    run_children(o, sh);
    uint64_t done = 0, runs = 0;
    for (int j = 0; j < o->jobs; j++) {
        done += sh->slots[j].done;
        runs += sh->slots[j].runs;
    }
    uint32_t findings = sh->finding_count;
    double until = o->reduce_seconds > 0 ? now() + o->reduce_seconds : 0;
    for (uint32_t i = 0; i < findings && i < MOST_FINDINGS && i < (uint32_t)o->stop_at; i++) {
        sh->findings[i].until = until;
        sh->findings[i].device = o->device;
        sh->findings[i].reproducible = o->reproducible;
        sh->findings[i].patience = o->patience;
        reduce_finding(o, &sh->findings[i]);
    }
    for (int i = 0; i < MOST_REASONS && sh->reasons[i].count; i++)
        printf("%u times: %s\n", sh->reasons[i].count, sh->reasons[i].text);
    if (o->device)
        printf("%s runs %llu of %llu kernels\n", o->device,
               (unsigned long long)(done - sh->skipped), (unsigned long long)done);
    done -= sh->skipped;
    printf("%llu kernels compared, %u mismatches (%llu runs against the interpreter, seeds from "
           "%llu)\n",
           (unsigned long long)done, findings, (unsigned long long)runs,
           (unsigned long long)o->seed);
    return findings != 0;
}

static int coverage_of(const options *o)
{
    coverage *c = calloc(1, sizeof *c);
    if (!c) die("no memory");
    for (uint64_t i = 0; i < o->count; i++) {
        prog *p = generate(o->seed + i, o->small);
        cover_add(c, p);
        prog_free(p);
    }
    bool ok = cover_print(c, o->least, o->table, stdout);
    free(c);
    return ok ? 0 : 1;
}

static int print_program(const options *o)
{
    prog *p = program_of(o, strtoull(o->print, NULL, 0));
    text t = {0};
    if (o->python && p->python) print_py(p, &t);
    else print_ir(p, &t);
    fputs(t.at, stdout);
    text_free(&t);
    prog_free(p);
    return 0;
}

/* Programs from files, in all ways. */
static int files(const options *o, char **paths, int count)
{
    int bad = 0;
    for (int i = 0; i < count; i++) {
        prog *p = file_read(paths[i]);
        if (!p) {
            fprintf(stderr, "fuzz: %s: %s\n", paths[i], strerror(errno));
            return 2;
        }
        for (int w = 0; w < way_count(); w++) {
            if (way_on_device(w) != (o->device != NULL)) continue;
            found f = {.way = w,
                       .device = o->device,
                       .reproducible = o->reproducible,
                       .patience = o->patience};
            if (!try_apart(p, patience_of(&f), &f)) continue;
            printf("%s: %s %s %s\n", paths[i], way_name(w), fault_name(f.fault), f.why);
            bad++;
        }
        prog_free(p);
    }
    printf("%d files, %d mismatches\n", count, bad);
    return bad != 0;
}

static uint64_t ways_named(const char *list)
{
    uint64_t only = 0;
    while (*list) {
        size_t n = strcspn(list, ",");
        int w = 0;
        while (w < way_count() && (strlen(way_name(w)) != n || strncmp(way_name(w), list, n) != 0))
            w++;
        if (w == way_count()) {
            fprintf(stderr, "fuzz: there is no way '%.*s'; there are", (int)n, list);
            for (w = 0; w < way_count(); w++) fprintf(stderr, " %s", way_name(w));
            fputc('\n', stderr);
            exit(2);
        }
        only |= UINT64_C(1) << w;
        list += n + (list[n] == ',');
    }
    return only;
}

static void usage(void)
{
    fputs("usage: fuzz [--seed N] [--count N] [--seconds S] [--jobs N] [--threads N] [--ways "
          "NAME,...] [--all-ways] [--quick]\n"
          "            [--reproducible] [--out DIR] [--stop-at N] [--as-is] [--reduce SECONDS]\n"
          "            [--patience SECONDS] [--device "
          "cuda|opencl:0|opencl:0:c1.2|opencl:0:spv1.2|ptx:sm_90]\n"
          "       fuzz --coverage LEAST [--table] [--seed N] [--count N]     ops at types, of "
          "programs that are not run\n"
          "       fuzz --print SEED [--python] [--quick]                    the program of a seed\n"
          "       fuzz FILE.cir...                                          programs kept by "
          "--out, in all ways\n",
          stderr);
    exit(2);
}

static const char *value_of(char **argv, int *i)
{
    if (!argv[*i + 1]) usage();
    return argv[++*i];
}

static int parse(options *o, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; i++) {
        const char *a = argv[i];
        if (!strcmp(a, "--seed")) o->seed = strtoull(value_of(argv, &i), NULL, 0);
        else if (!strcmp(a, "--count")) o->count = strtoull(value_of(argv, &i), NULL, 0);
        else if (!strcmp(a, "--seconds")) o->seconds = strtod(value_of(argv, &i), NULL);
        else if (!strcmp(a, "--jobs")) o->jobs = atoi(value_of(argv, &i));
        else if (!strcmp(a, "--device")) o->device = value_of(argv, &i), o->choice = WAYS_ALL;
        else if (!strcmp(a, "--threads")) setenv("OMP_NUM_THREADS", value_of(argv, &i), 1);
        else if (!strcmp(a, "--ways"))
            o->only = ways_named(value_of(argv, &i)), o->choice = WAYS_ALL;
        else if (!strcmp(a, "--all-ways")) o->choice = WAYS_ALL;
        else if (!strcmp(a, "--quick"))
            o->choice = o->device ? WAYS_ALL : WAYS_QUICK, o->small = true;
        else if (!strcmp(a, "--reduce")) o->reduce_seconds = strtod(value_of(argv, &i), NULL);
        else if (!strcmp(a, "--patience")) o->patience = strtod(value_of(argv, &i), NULL);
        else if (!strcmp(a, "--out")) o->out = value_of(argv, &i);
        else if (!strcmp(a, "--stop-at")) o->stop_at = atoi(value_of(argv, &i));
        else if (!strcmp(a, "--as-is")) o->keep_large = true;
        else if (!strcmp(a, "--reproducible")) o->reproducible = true;
        else if (!strcmp(a, "--coverage"))
            o->coverage = true, o->least = (uint32_t)atoi(value_of(argv, &i));
        else if (!strcmp(a, "--table")) o->table = true;
        else if (!strcmp(a, "--print")) o->print = value_of(argv, &i);
        else if (!strcmp(a, "--python")) o->python = true;
        else usage();
    }
    if (o->jobs < 1) o->jobs = 1;
    if (o->jobs > MOST_JOBS) o->jobs = MOST_JOBS;
    return i;
}

int main(int argc, char **argv)
{
    options o = {.seed = 1,
                 .count = 0,
                 .only = UINT64_MAX,
                 .patience = SECONDS_A_PROGRAM,
                 .stop_at = 20,
                 .choice = WAYS_SAMPLE,
                 .jobs = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    int first = parse(&o, argc, argv);
    setenv("CPL_CACHE", "0", 1);       /* code of another build must not answer */
    setenv("OMP_NUM_THREADS", "3", 0); /* parts of loops, not speed */
    setenv("KMP_BLOCKTIME", "0", 0);
    if (o.print) return print_program(&o);
    if (first < argc) return files(&o, argv + first, argc - first);
    if (!o.count) o.count = o.seconds > 0 ? UINT64_MAX / 2 : 10000;
    return o.coverage ? coverage_of(&o) : differential(&o);
}
