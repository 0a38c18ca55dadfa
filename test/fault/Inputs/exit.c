/* exit.c LIBRARY ROUNDS: children that open the library, compile on four threads, or launch loops
 * on all cores from four threads, and end meanwhile, each in one of several ways. */
#include <cpl/cpl.h>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4 };

/* Asked by LeakSanitizer: whoever ends in the midst of a compilation frees nothing of it. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return 1;
}

static struct {
    cpl_status (*context_create)(const cpl_context_options *options, cpl_context **context);
    void (*context_release)(cpl_context *context);
    cpl_status (*context_set_option)(cpl_context *context, const char *name, int64_t value);
    cpl_status (*from_source)(cpl_context *context, const char *name, const char *text, size_t size,
                              cpl_module **module);
    cpl_status (*kernel_for)(cpl_module *module, const char *function,
                             const cpl_launch_options *options, const cpl_arg *args, size_t count,
                             cpl_kernel **kernel);
    cpl_status (*launch)(cpl_module *module, const char *function,
                         const cpl_launch_options *options, const cpl_arg *args, size_t count);
    cpl_context *cx;
    cpl_module *m;
} lib;

static const char text[] = "def f(i, x, a):\n"
                           "    s = 0.0\n"
                           "    for j in range(10):\n"
                           "        s += sin(x[i]*j) if x[i] > a else exp(x[i])\n"
                           "    x[i] = s\n"
                           "def g(i, x, a):\n"
                           "    x[i] = a + i\n";

static int open_library(void *handle)
{
    *(void **)&lib.context_create = dlsym(handle, "cpl_context_create");
    *(void **)&lib.context_release = dlsym(handle, "cpl_context_release");
    *(void **)&lib.context_set_option = dlsym(handle, "cpl_context_set_option");
    *(void **)&lib.from_source = dlsym(handle, "cpl_module_from_source");
    *(void **)&lib.kernel_for = dlsym(handle, "cpl_kernel_for");
    *(void **)&lib.launch = dlsym(handle, "cpl_launch");
    return lib.context_create(NULL, &lib.cx) ||
           lib.from_source(lib.cx, "f.py", text, sizeof text - 1, &lib.m);
}

/* Compiles for ever. */
static void *compile(void *arg)
{
    (void)arg;
    double x[4] = {0};
    for (int64_t chunk = 1;; chunk++) {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 4), cpl_arg_float(1)};
        cpl_kernel *k = NULL;
        lib.context_set_option(lib.cx, "chunk", 1 + chunk % 1000000);
        lib.kernel_for(lib.m, "f", NULL, args, 2, &k);
    }
    return NULL;
}

/* Launches for ever: short loops that are dealt out to all cores, now and then a long one. */
static void *launch(void *arg)
{
    enum { N = 200000 };
    int64_t round = *(int *)arg;
    double *x = calloc(N, sizeof *x);
    for (int64_t i = round; x; i++) {
        cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, i % 64 ? N / 10 : N), cpl_arg_float(1)};
        if (lib.launch(lib.m, i % 64 ? "g" : "f", NULL, args, 2)) break;
    }
    return NULL;
}

static void release_at_exit(void)
{
    lib.context_release(lib.cx); /* the module still holds it */
}

static int child(const char *path, int round)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle || open_library(handle)) return 1;
    if (round / 2 % 4 == 3) atexit(release_at_exit);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, round % 2 ? launch : compile, &round)) return 1;
    usleep((useconds_t)(round % 2 ? 50000 + 500 * round : 1000 + 900 * round));
    if (round / 2 % 4 == 1) dlclose(handle); /* and they go on */
    if (round / 2 % 4 == 1) usleep(20000);
    if (round / 2 % 4 == 2) _exit(7);
    exit(7);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    setenv("CPL_CACHE", "0", 1);
    for (int round = 0; round < atoi(argv[2]); round++) {
        pid_t pid = fork();
        if (pid == 0) {
            alarm(60); /* a child that hangs is a failure */
            _exit(child(argv[1], round));
        }
        int status = 0;
        if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
            WEXITSTATUS(status) != 7) {
            fprintf(stderr, "round %d ended with %#x\n", round, (unsigned)status);
            return 1;
        }
    }
    return 0;
}
