/*
 * Times of what happens once: the first call of a kernel, from its text to the result, and the
 * start of a program. Prints the times in milliseconds, one a line; run.py makes statistics of
 * them.
 *
 *     once first FIRST.py FUNCTION COUNT SEED OPTIONS
 *         libcpl in a process that has compiled before; then "compiles N" by LLVM. The same SEED
 * gives the same texts again once compiler FIRST.c FUNCTION COUNT FOLDER COMMAND a compiler reads
 * the text from a pipe; its shared object is opened and called once start COUNT PROGRAM
 * ARGUMENTS... a process, from spawning it to its end once leak FIRST.py COUNT prints "COMPILES
 * KIBIBYTES" now and then: resident memory over many compiles once options the names of libcpl's
 * options
 */
#define _GNU_SOURCE
#include "bench.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ELEMENTS = 256, INNER = 16, TEXT = 1 << 16 };
enum { PIECES = 1 << 14 }; /* elements of an algorithm: more than one worker takes at a time */

extern char **environ;

static double x[PIECES], y[PIECES];

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, TEXT);
    if (!file || !text || fread(text, 1, TEXT - 1, file) == 0) die(path, "cannot be read");
    fclose(file);
    return text;
}

static void check_result(const char *name)
{
    double sum = 0;
    for (int i = 0; i < ELEMENTS; i++) sum += y[i] * y[i];
    if (!(sum > 0 && sum < INFINITY)) die(name, "wrong result");
    memset(y, 0, sizeof y);
}

/* A kernel, or what algorithm.c reads as an algorithm, from x to y. to: if not NULL, takes the
 * kernels instead, optimised. */
static cpl_status call(cpl_module *module, const char *function, cpl_kernels *to)
{
    algorithm a;
    cpl_launch_options options;
    cpl_launch_options_init(&options);
    options.kernels = to;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, ELEMENTS),
                      cpl_arg_array(CPL_FLOAT64, y, ELEMENTS), cpl_arg_int(INNER)};
    if (algorithm_read(&a, function)) {
        args[0].length = args[1].length = PIECES;
        return algorithm_run(&a, module, &options, args, 2);
    }
    if (!to) return cpl_launch(module, function, NULL, args, 3);
    to->count = 1;
    cpl_status status = cpl_kernel_for(module, function, NULL, args, 3, to->kernels);
    if (!status && !cpl_kernel_address(*to->kernels)) status = CPL_EINTERNAL;
    return status;
}

/* What runs quick code gets its optimised code, and that is kept on disk, as in a program that
 * lives on. */
static void settle(cpl_module *module, const char *function)
{
    cpl_kernels kernels = {0};
    check(call(module, function, &kernels), function);
    for (size_t k = 0; k < kernels.count; k++) cpl_kernel_release(kernels.kernels[k]);
}

/* One first call of libcpl, text in and result out, in milliseconds. Number goes into the kernel's
 * text. */
static double call_first(cpl_context *context, const char *body, const char *function,
                         const char *number)
{
    char text[TEXT + 64];
    int size = snprintf(text, sizeof text, "UNIQUE = %s\n%s", number, body);
    cpl_module *module;
    double start = now_ms();
    check(cpl_module_from_source(context, "first.py", text, (size_t)size, &module), "first.py");
    check(call(module, function, NULL), function);
    double taken = now_ms() - start;
    settle(module, function);
    cpl_module_release(module);
    return taken;
}

static void first(const char *path, const char *function, int count, const char *seed,
                  char *options)
{
    cpl_context *context = make_context(options);
    char *body = read_text(path), number[64];
    cpl_stats before = {.size = sizeof before}, after = {.size = sizeof after};
    for (int k = -1; k < count; k++) {
        /* The first round warms up, with a text of its own: pages of the library, compile
         * threads. */
        snprintf(number, sizeof number, k < 0 ? "1.%s99999" : "1.%s%05d", seed, k);
        if (k == 0) check(cpl_context_stats(context, &before), "stats");
        double taken = call_first(context, body, function, number);
        if (k >= 0) printf("%.6f\n", taken);
        check_result(function);
    }
    check(cpl_context_stats(context, &after), "stats");
    printf("compiles %llu\n", (unsigned long long)(after.compiles - before.compiles));
    free(body);
    cpl_context_release(context);
}

static void compiler(const char *path, const char *function, int count, const char *folder,
                     const char *command)
{
    char *body = read_text(path), line[TEXT], library[4096];
    for (int k = 0; k < count; k++) {
        snprintf(library, sizeof library, "%s/first%d.so", folder, k);
        snprintf(line, sizeof line, "%s -shared -fPIC -x c -DKERNEL_%s -DUNIQUE=1.%04d -o %s - -lm",
                 command, function, k + 1, library);
        double start = now_ms();
        FILE *pipe = popen(line, "w");
        if (!pipe || fputs(body, pipe) < 0 || pclose(pipe) != 0) die(command, "failed");
        void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL),
             *symbol = handle ? dlsym(handle, "kernel") : NULL;
        if (!symbol) die(library, "cannot be opened");
        ((void (*)(int64_t, const double *, double *, int32_t))as_function(symbol))(ELEMENTS, x, y,
                                                                                    INNER);
        printf("%.6f\n", now_ms() - start);
        check_result(function);
        unlink(library);
    }
    free(body);
}

static void start_program(int count, char **argv)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    for (int k = 0; k < count; k++) {
        pid_t pid;
        int status = 1;
        double start = now_ms();
        if (posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ) == 0)
            waitpid(pid, &status, 0);
        double ms = now_ms() - start;
        if (status) die(argv[0], "failed");
        printf("%.6f\n", ms);
    }
    posix_spawn_file_actions_destroy(&actions);
}

static long resident_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*s %ld", &pages) != 1) die("/proc/self/statm", "cannot be read");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void leak(const char *path, int count)
{
    static const char *const functions[] = {"straight", "loop", "diverge"};
    char none[] = "", number[64], *body = read_text(path);
    cpl_context *context = make_context(none);
    for (int k = 1; k <= count; k++) {
        snprintf(number, sizeof number, "1.%06d", k);
        call_first(context, body, functions[k % 3], number);
        if (k % (count / 20 + 1) == 0 || k == count) {
            printf("%d %ld\n", k, resident_kib());
            fflush(stdout);
        }
    }
    free(body);
    cpl_context_release(context);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < PIECES; i++) x[i] = 1.0 / (1 + i);
    const char *name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "first") && argc == 7)
        first(argv[2], argv[3], atoi(argv[4]), argv[5], argv[6]);
    else if (!strcmp(name, "compiler") && argc == 7)
        compiler(argv[2], argv[3], atoi(argv[4]), argv[5], argv[6]);
    else if (!strcmp(name, "start") && argc >= 4) start_program(atoi(argv[2]), argv + 3);
    else if (!strcmp(name, "leak") && argc == 4) leak(argv[2], atoi(argv[3]));
    else if (!strcmp(name, "options"))
        for (size_t k = 0; cpl_option_name(k, NULL); k++) puts(cpl_option_name(k, NULL));
    else return 2;
    return 0;
}
