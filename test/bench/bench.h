/* What the benchmark's programs share: clock, errors, contexts with options, algorithms. */
#ifndef BENCH_H
#define BENCH_H

#include <cpl/algorithm.h>
#include <cpl/context.h>
#include <cpl/kernel.h>
#include <cpl/module.h>
#include <cpl/random.h>
#include <cpl/gather.h>
#include <cpl/sort.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_REDUCTIONS = 4 };

/* algorithm.c: what a case's kernel says if it is no kernel. */
typedef struct algorithm {
    char text[512];    /* cut up in place */
    size_t count;      /* of reductions; 0: a scan, or */
    bool draws;        /* random numbers */
    const char *moves; /* sort, select, take, compact, cells; NULL: something else */
    cpl_bind condition;
    cpl_reduce_spec reduce[MOST_REDUCTIONS];
    cpl_scan_spec scan;
    cpl_random_spec random;
} algorithm;
bool algorithm_read(algorithm *a, const char *kernel);
/* Gives the results' places among the arguments their types. */
cpl_status algorithm_prepare(algorithm *a, cpl_module *module, cpl_arg *args, size_t count);
cpl_status algorithm_run(const algorithm *a, cpl_module *module, const cpl_launch_options *options,
                         const cpl_arg *args, size_t count);

static inline double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static inline void die(const char *what, const char *why)
{
    fprintf(stderr, "bench: %s: %s\n", what, why);
    exit(1);
}

static inline void check(cpl_status status, const char *what)
{
    if (status != CPL_OK) die(what, cpl_status_message(status));
}

static inline void print_diag(void *user, const cpl_diag *diag)
{
    (void)user;
    char text[4096];
    cpl_diag_render(diag, text, sizeof text);
    if (diag->severity == CPL_ERROR) fputs(text, stderr);
}

/* options: "name=value,name=value", cut up in place. */
static inline cpl_context *make_context(char *options)
{
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = print_diag;
    cpl_context *context;
    check(cpl_context_create(&o, &context), "context");
    for (char *word = strtok(options, ","); word; word = strtok(NULL, ",")) {
        char *equals = strchr(word, '=');
        if (!equals) die(word, "no value");
        *equals = '\0';
        check(cpl_context_set_option(context, word, strtoll(equals + 1, NULL, 10)), word);
    }
    return context;
}

/* ISO C has no cast from an object pointer, which dlsym returns, to a function pointer; POSIX says
 * they are alike. */
static inline void (*as_function(void *object))(void)
{
    void (*function)(void);
    memcpy(&function, &object, sizeof function);
    return function;
}

#endif
