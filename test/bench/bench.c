/*
 * bench CPLC KERNELS FIRST [NAME=PEER.so]...: times of libcpl's kernels and of the same loops in shared objects, taken in turns
 * in this one process, since clocks and memory speed drift from minute to minute. Prints lines "group<TAB>case<TAB>who<TAB>ms".
 *
 * Two OpenMP runtimes may be at work here, whose idle threads spin for a while: before the turn goes to another, all sleep.
 */
#include <cpl/algo.h>
#include <cpl/context.h>
#include <cpl/kernel.h>
#include <cpl/module.h>

#include <dlfcn.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { ROUNDS = 12, SAMPLES = 3, PEERS = 8, FIRST_CALLS = 15, STARTS = 40 };
static const double sample_ms = 0.2; /* short work is repeated until a sample takes this long */

extern char **environ;

typedef struct peer {
    const char *name;
    void *library;
} peer;

/* One case: arguments for libcpl, and the same as C's. */
typedef struct work {
    const char *name;       /* of the function, here and there */
    int64_t n;
    double *d[5];           /* arrays of doubles */
    float *f[2];
    cpl_arg args[8];
    size_t count;
    cpl_kernel *kernel;
    void (*function)(void); /* of the peer whose turn it is; NULL: libcpl's turn */
} work;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void rest(void)
{
    nanosleep(&(struct timespec){0, 12 * 1000 * 1000}, NULL);
}

static void check(cpl_status status, const char *what)
{
    if (status == CPL_OK)
        return;
    fprintf(stderr, "bench: %s: %s\n", what, cpl_status_message(status));
    exit(1);
}

static void *allocate(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p)
        check(CPL_ENOMEM, "arrays");
    return p;
}

static void print_diag(void *user, const cpl_diag *diag)
{
    (void)user;
    char text[4096];
    cpl_diag_render(diag, text, sizeof text);
    if (diag->severity == CPL_ERROR)
        fputs(text, stderr);
}

static void call_peer(const work *w)
{
    double *const *d = w->d;
    if (!strcmp(w->name, "axpb"))
        ((void (*)(int64_t, const double *, double *, double, double))w->function)(w->n, d[0], d[1], 2.5, 1.0);
    else if (!strcmp(w->name, "saxpy"))
        ((void (*)(int64_t, const float *, float *, float))w->function)(w->n, w->f[0], w->f[1], 1e-6f);
    else if (!strcmp(w->name, "triad"))
        ((void (*)(int64_t, double *, const double *, const double *, double))w->function)(w->n, d[0], d[1], d[2], 3.0);
    else
        ((void (*)(int64_t, const double *, const double *, const double *, double *, double *, double))w->function)(
            w->n, d[0], d[1], d[2], d[3], d[4], 1e-4);
}

static void run(const work *w)
{
    if (w->function)
        call_peer(w);
    else
        check(cpl_elementwise_run(w->kernel, NULL, w->args, w->count, w->n, NULL), w->name);
}

/* The fastest of some samples, per run. */
static double sample(const work *w)
{
    run(w);
    double start = now_ms();
    run(w);
    double once = now_ms() - start, best = once;
    int repeats = once < sample_ms ? (int)(sample_ms / (once + 1e-4)) + 1 : 1;
    for (int s = 0; s < SAMPLES; s++) {
        start = now_ms();
        for (int r = 0; r < repeats; r++)
            run(w);
        best = fmin(best, (now_ms() - start) / repeats);
    }
    return best;
}

/* ISO C has no cast from an object pointer, which dlsym returns, to a function pointer; POSIX says they are alike. */
static void (*symbol(void *library, const char *name))(void)
{
    void *object = dlsym(library, name);
    void (*function)(void);
    memcpy(&function, &object, sizeof function);
    return function;
}

static void compare(work *w, const peer *peers, int count, const char *size)
{
    double best[PEERS + 1];
    for (int p = 0; p <= count; p++)
        best[p] = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        for (int p = 0; p <= count; p++) {
            w->function = p ? symbol(peers[p - 1].library, w->name) : NULL;
            if (p && !w->function)
                continue;
            rest();
            best[p] = fmin(best[p], sample(w));
        }
    }
    for (int p = 0; p <= count; p++)
        printf("run\t%s %s\t%s\t%.6f\n", w->name, size, p ? peers[p - 1].name : "libcpl", best[p]);
    fflush(stdout);
}

static double *doubles(int64_t n, double scale)
{
    double *p = allocate((size_t)n * sizeof *p);
    for (int64_t i = 0; i < n; i++)
        p[i] = scale * (double)(i % 1009 + 1);
    return p;
}

static float *floats(int64_t n)
{
    float *p = allocate((size_t)n * sizeof *p);
    for (int64_t i = 0; i < n; i++)
        p[i] = (float)(i % 1009 + 1);
    return p;
}

static void add_arrays(work *w, int count)
{
    for (int k = 0; k < count; k++) {
        w->d[k] = doubles(w->n, 1e-3 * (k + 1));
        w->args[w->count++] = cpl_arg_array(CPL_FLOAT64, w->d[k], w->n);
    }
}

static void prepare(work *w, const char *name, int64_t n)
{
    *w = (work){.name = name, .n = n};
    if (!strcmp(name, "axpb")) {
        add_arrays(w, 2);
        w->args[w->count++] = cpl_arg_float(2.5);
        w->args[w->count++] = cpl_arg_float(1.0);
    } else if (!strcmp(name, "saxpy")) {
        for (int k = 0; k < 2; k++) {
            w->f[k] = floats(n);
            w->args[w->count++] = cpl_arg_array(CPL_FLOAT32, w->f[k], n);
        }
        w->args[w->count++] = cpl_arg_float(1e-6);
    } else if (!strcmp(name, "triad")) {
        add_arrays(w, 3);
        w->args[w->count++] = cpl_arg_float(3.0);
    } else {
        add_arrays(w, 5);
        w->args[w->count++] = cpl_arg_int(n);
        w->args[w->count++] = cpl_arg_float(1e-4);
    }
}

static void release(work *w)
{
    for (int k = 0; k < 5; k++)
        free(w->d[k]);
    free(w->f[0]);
    free(w->f[1]);
    cpl_kernel_release(w->kernel);
}

static void compare_all(cpl_module *module, const peer *peers, int count)
{
    static const struct {
        const char *name, *size;
        int64_t n;
    } cases[] = {
        {"axpb", "2^15", 1 << 15},  {"axpb", "2^24", 1 << 24},  {"saxpy", "2^16", 1 << 16},   {"saxpy", "2^24", 1 << 24},
        {"triad", "2^15", 1 << 15}, {"triad", "2^24", 1 << 24}, {"vortex", "1000", 1000}, {"vortex", "10000", 10000},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        work w;
        prepare(&w, cases[c].name, cases[c].n);
        check(cpl_elementwise_kernel(module, w.name, w.args, w.count, &w.kernel), w.name);
        compare(&w, peers, count, cases[c].size);
        release(&w);
    }
    work w;
    prepare(&w, "triad", 1);
    check(cpl_elementwise_kernel(module, w.name, w.args, w.count, &w.kernel), w.name);
    compare(&w, peers, count, "1");
    release(&w);
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (!file || !text || fread(text, 1, (1 << 16) - 1, file) == 0)
        check(CPL_EIO, path);
    fclose(file);
    return text;
}

static int by_value(const void *a, const void *b)
{
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

static void print_times(const char *name, double *ms, int count)
{
    qsort(ms, (size_t)count, sizeof *ms, by_value);
    printf("once\t%s\tbest\t%.6f\nonce\t%s\tmedian\t%.6f\n", name, ms[0], name, ms[count / 2]);
    fflush(stdout);
}

/* From a text that was never seen to the result, in a process that has compiled before. */
static void first_calls(cpl_context *context, const char *path)
{
    static const char *const names[] = {"straight", "loop", "diverge"};
    char *body = read_text(path), *text = allocate((1 << 16) + 64);
    double x[1000], y[1000], ms[FIRST_CALLS];
    for (int i = 0; i < 1000; i++)
        x[i] = 1e-3 * i;
    for (size_t f = 0; f < 3; f++) {
        for (int k = 0; k < FIRST_CALLS; k++) {
            int size = snprintf(text, (1 << 16) + 64, "UNIQUE = 1.%02zu%04d\n%s", f, k, body);
            cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 1000), cpl_arg_array(CPL_FLOAT64, y, 1000), cpl_arg_int(100)};
            cpl_module *module;
            double start = now_ms();
            check(cpl_module_from_source(context, "first.py", text, (size_t)size, &module), "first.py");
            check(cpl_elementwise(module, names[f], NULL, args, 3, CPL_AUTO, NULL), names[f]);
            ms[k] = now_ms() - start;
            cpl_module_release(module);
        }
        char label[64];
        snprintf(label, sizeof label, "first call, %s", names[f]);
        print_times(label, ms, FIRST_CALLS);
    }
    free(body);
    free(text);
}

static void starts(const char *cplc)
{
    double ms[STARTS];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1 /* O_WRONLY */, 0);
    for (int k = 0; k < STARTS; k++) {
        char *const argv[] = {(char *)cplc, "--version", NULL};
        pid_t pid;
        int status = 1;
        double start = now_ms();
        if (posix_spawn(&pid, cplc, &actions, NULL, argv, environ) == 0)
            waitpid(pid, &status, 0);
        ms[k] = status ? INFINITY : now_ms() - start;
    }
    posix_spawn_file_actions_destroy(&actions);
    print_times("cplc --version", ms, STARTS);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    peer peers[PEERS];
    int count = 0;
    starts(argv[1]);
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = print_diag;
    cpl_context *context;
    cpl_module *module;
    check(cpl_context_create(&options, &context), "context");
    check(cpl_module_from_file(context, argv[2], &module), argv[2]);
    first_calls(context, argv[3]);
    for (int i = 4; i < argc && count < PEERS; i++) {
        char *equals = strchr(argv[i], '=');
        void *library = equals ? dlopen(equals + 1, RTLD_NOW | RTLD_LOCAL) : NULL;
        if (!library) {
            fprintf(stderr, "bench: %s: %s\n", argv[i], dlerror());
            continue;
        }
        *equals = '\0';
        peers[count++] = (peer){argv[i], library};
    }
    compare_all(module, peers, count);
    cpl_module_release(module);
    cpl_context_release(context);
    return 0;
}
