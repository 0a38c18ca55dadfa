/*
 * bench KERNELS.py NAME=PEER.so... NAME:OPTIONS...: runs cases by command, so that who is timed can
 * change from sample to sample: libcpl with some options, or a shared object made from peer.c. All
 * work on the same arrays. Commands are lines on standard input; each is answered by one line,
 * "ok", "ms TIME" or "error WHY".
 *
 *     open KERNEL ENTRY N     KERNEL of kernels.py, "grid:KERNEL" by work-items, of a square of N
 *                             in groups of TILE x TILE, or an algorithm (algorithm.c), ENTRY of the
 *                             peers; then one line for each argument:
 *         in TYPE COUNT FILE      an array and the file that holds its elements; "out" is written
 *                                 and shown by "check",
 *         int VALUE               "inout" is read too
 *         float VALUE
 *     end
 *     check NAME FOLDER       fills the arrays again, runs once, writes the outputs to FOLDER/0,
 *                             FOLDER/1, ...
 *     sample NAME             the fastest of a few runs, in milliseconds. "NAME by name" looks the
 *                             kernel up in each launch
 *     close
 */
#define _GNU_SOURCE
#include "bench.h"

#include <dlfcn.h>
#include <sys/mman.h>

enum { SAMPLES = 3, RUNNERS = 16, ARGUMENTS = 12, LINE = 4096, TILE = 16 };
static const char by_grid[] = "grid:";
static const double sample_ms = 0.2; /* short work is repeated until a sample takes this long */
static const double long_ms = 100;   /* longer work is not repeated */
static const char by_name[] = " by name";

typedef void entry_fn(int64_t n, void *const *arrays, const double *numbers);

/* Who can be timed. */
typedef struct runner {
    const char *name;
    cpl_module *module;      /* libcpl; NULL for a peer */
    cpl_kernel *kernel;      /* of the open case, once it was asked for */
    bool prepared;           /* for the algorithm of the open case */
    cpl_arg args[ARGUMENTS]; /* of an algorithm: structs are of its own context */
    void *library;
    entry_fn *entry;
} runner;

typedef struct array {
    size_t bytes;
    char file[LINE];
    bool is_output;
} array;

typedef struct bench {
    runner runners[RUNNERS];
    int runner_count;
    char kernel[LINE], entry[64];
    bool is_algorithm;
    algorithm algorithm;
    int64_t n;
    cpl_launch_options options; /* with that n */
    cpl_arg args[ARGUMENTS];    /* as libcpl takes them */
    size_t arg_count;
    array arrays[ARGUMENTS];
    void *pointers[ARGUMENTS]; /* as peers take them */
    int array_count;
    double numbers[ARGUMENTS];
    int number_count;
} bench;

/* Big arrays lie on big pages, as NumPy's do. */
static void *allocate(size_t bytes)
{
    size_t page = bytes >= 4u << 20 ? 2u << 20 : 64;
    void *p = aligned_alloc(page, (bytes + page) / page * page);
    if (!p) die("arrays", "out of memory");
    if (page > 64) madvise(p, bytes, MADV_HUGEPAGE);
    return p;
}

static bool fill_arrays(bench *b)
{
    for (int k = 0; k < b->array_count; k++) {
        FILE *file = fopen(b->arrays[k].file, "rb");
        size_t got = file ? fread(b->pointers[k], 1, b->arrays[k].bytes, file) : 0;
        if (file) fclose(file);
        if (got != b->arrays[k].bytes) return false;
    }
    return true;
}

static const char *add_argument(bench *b, char *line)
{
    char kind[16], type[16];
    int used;
    if (b->arg_count == ARGUMENTS || sscanf(line, "%15s %n", kind, &used) != 1)
        return "bad argument";
    cpl_arg *arg = &b->args[b->arg_count++];
    if (!strcmp(kind, "int")) {
        *arg = cpl_arg_int(strtoll(line + used, NULL, 10));
        b->numbers[b->number_count++] = strtod(line + used, NULL);
        return NULL;
    }
    if (!strcmp(kind, "float")) {
        *arg = cpl_arg_float(b->numbers[b->number_count++] = strtod(line + used, NULL));
        return NULL;
    }
    array *a = &b->arrays[b->array_count];
    long long count;
    if (sscanf(line + used, "%15s %lld %[^\n]", type, &count, a->file) != 3) return "bad argument";
    cpl_dtype dtype = cpl_dtype_parse(type);
    a->bytes = (size_t)count * cpl_dtype_size(dtype);
    a->is_output = strcmp(kind, "in") != 0;
    b->pointers[b->array_count] = allocate(a->bytes);
    *arg = cpl_arg_array(dtype, b->pointers[b->array_count++], count);
    return NULL;
}

static void set_options(bench *b)
{
    cpl_launch_options *o = &b->options;
    size_t length = sizeof by_grid - 1;
    cpl_launch_options_init(o);
    o->n = b->n;
    if (strncmp(b->kernel, by_grid, length) != 0) return;
    memmove(b->kernel, b->kernel + length, strlen(b->kernel) - length + 1);
    o->form = CPL_FORM_KERNEL;
    o->n = CPL_AUTO;
    o->global[0] = o->global[1] = (int64_t)sqrt((double)b->n);
    o->local[0] = o->local[1] = TILE;
}

static const char *open_case(bench *b, const char *line)
{
    long long n;
    const char *problem =
        sscanf(line, "%*s %4095s %63s %lld", b->kernel, b->entry, &n) == 3 ? NULL : "bad case";
    b->n = n;
    set_options(b);
    b->is_algorithm = algorithm_read(&b->algorithm, b->kernel);
    char word[LINE];
    while (fgets(word, sizeof word, stdin) && strcmp(word, "end\n") != 0) {
        if (!problem) problem = add_argument(b, word);
    }
    return problem ? problem : fill_arrays(b) ? NULL : "an array could not be read";
}

static void close_case(bench *b)
{
    for (int r = 0; r < b->runner_count; r++) {
        cpl_kernel_release(b->runners[r].kernel);
        b->runners[r].kernel = NULL;
        b->runners[r].prepared = false;
        b->runners[r].entry = NULL;
    }
    for (int k = 0; k < b->array_count; k++) free(b->pointers[k]);
    b->array_count = b->number_count = 0;
    b->arg_count = 0;
}

static cpl_arg *take_arguments(const bench *b, runner *r)
{
    memcpy(r->args, b->args, b->arg_count * sizeof *r->args);
    return r->args;
}

/* Makes the runner ready for the open case. */
static const char *get_ready(bench *b, runner *r)
{
    if (!r->module && !r->entry) {
        void *symbol = dlsym(r->library, b->entry);
        if (!symbol) return "not possible";
        r->entry = (entry_fn *)as_function(symbol);
    }
    if (r->module && b->is_algorithm && !r->prepared) {
        cpl_status status =
            algorithm_prepare(&b->algorithm, r->module, take_arguments(b, r), b->arg_count);
        if (status != CPL_OK) return cpl_status_message(status);
        r->prepared = true;
    } else if (r->module && !b->is_algorithm && !r->kernel) {
        cpl_status status =
            cpl_kernel_for(r->module, b->kernel, &b->options, b->args, b->arg_count, &r->kernel);
        if (status != CPL_OK) return cpl_status_message(status);
    }
    return NULL;
}

static cpl_status run(const bench *b, const runner *r, bool look_up)
{
    if (r->entry) {
        r->entry(b->n, b->pointers, b->numbers);
        return CPL_OK;
    }
    if (b->is_algorithm)
        return algorithm_run(&b->algorithm, r->module, &b->options, r->args, b->arg_count);
    if (look_up) return cpl_launch(r->module, b->kernel, &b->options, b->args, b->arg_count);
    return cpl_kernel_launch(r->kernel, &b->options, b->args, b->arg_count);
}

/*
 * The OpenMP runtimes of all who are timed have idle threads that spin for a while: before the turn
 * goes to another, all sleep.
 */
static double sample(const bench *b, const runner *r, bool look_up)
{
    nanosleep(&(struct timespec){0, 12 * 1000 * 1000}, NULL);
    if (run(b, r, look_up) != CPL_OK) return INFINITY;
    double start = now_ms();
    run(b, r, look_up);
    double once = now_ms() - start, best = once;
    int repeats = once < sample_ms ? (int)(sample_ms / (once + 1e-4)) + 1 : 1;
    for (int s = 0; s < SAMPLES && once < long_ms; s++) {
        start = now_ms();
        for (int k = 0; k < repeats; k++) run(b, r, look_up);
        best = fmin(best, (now_ms() - start) / repeats);
    }
    return best;
}

static const char *check_case(bench *b, const runner *r, const char *folder)
{
    if (!fill_arrays(b)) return "an array could not be read";
    cpl_status status = run(b, r, false);
    if (status != CPL_OK) return cpl_status_message(status);
    int outputs = 0;
    for (int k = 0; k < b->array_count; k++) {
        if (!b->arrays[k].is_output) continue;
        char path[LINE];
        snprintf(path, sizeof path, "%s/%d", folder, outputs++);
        FILE *file = fopen(path, "wb");
        bool good =
            file && fwrite(b->pointers[k], 1, b->arrays[k].bytes, file) == b->arrays[k].bytes;
        if (!file || fclose(file) || !good) return "the results could not be written";
    }
    return NULL;
}

static runner *find_runner(bench *b, const char *name, bool *look_up)
{
    size_t length = strlen(name), tail = sizeof by_name - 1;
    *look_up = length > tail && !strcmp(name + length - tail, by_name);
    if (*look_up) length -= tail;
    for (int r = 0; r < b->runner_count; r++) {
        if (strlen(b->runners[r].name) == length && !strncmp(b->runners[r].name, name, length))
            return &b->runners[r];
    }
    return NULL;
}

/* "check NAME<TAB>FOLDER" and "sample NAME" */
static void answer(bench *b, char *line)
{
    bool look_up, is_check = !strncmp(line, "check ", 6);
    char *name = strchr(line, ' ') + 1, *folder = strchr(name, '\t');
    if (folder) *folder++ = '\0';
    runner *r = find_runner(b, name, &look_up);
    const char *problem = r ? get_ready(b, r) : "there is no such runner";
    if (!problem && is_check) problem = folder ? check_case(b, r, folder) : "no folder";
    if (problem) printf("error %s\n", problem);
    else if (is_check) puts("ok");
    else printf("ms %.9f\n", sample(b, r, look_up));
}

static void serve(bench *b)
{
    char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "open ", 5)) {
            const char *problem = open_case(b, line);
            printf(problem ? "error %s\n" : "ok\n", problem);
        } else if (!strncmp(line, "check ", 6) || !strncmp(line, "sample ", 7)) {
            answer(b, line);
        } else {
            close_case(b);
            puts("ok");
        }
        fflush(stdout);
    }
}

/* A word of the command line: a shared object, or options for libcpl. */
static void add_runner(bench *b, char *word, const char *kernels)
{
    runner *r = &b->runners[b->runner_count];
    *r = (runner){.name = word};
    char *mark = strpbrk(word, "=:");
    if (b->runner_count == RUNNERS || !mark) die(word, "not understood");
    bool is_library = *mark == '=';
    *mark++ = '\0';
    if (is_library) {
        r->library = dlopen(mark, RTLD_NOW | RTLD_LOCAL);
        if (!r->library) {
            fprintf(stderr, "bench: %s: %s\n", word, dlerror());
            return;
        }
    } else {
        cpl_context *context = make_context(mark);
        check(cpl_module_from_file(context, kernels, &r->module), kernels);
        cpl_context_release(context); /* the module holds it */
    }
    b->runner_count++;
}

int main(int argc, char **argv)
{
    static bench b;
    for (int i = 2; i < argc; i++) add_runner(&b, argv[i], argv[1]);
    serve(&b);
    close_case(&b);
    for (int r = 0; r < b.runner_count; r++) cpl_module_release(b.runners[r].module);
    return 0;
}
