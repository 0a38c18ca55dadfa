/* What gpu_bench.c and its algorithms (gpu_algorithms.c) share. */
#ifndef GPU_BENCH_H
#define GPU_BENCH_H

#include <cpl/cpl.h>

typedef struct bench {
    const char *target, *root;
    const char *only; /* of algorithms and sorts: what names begin with */
    char who[32];     /* in figures: the target without the number of a device */
    cpl_context *cx;
    cpl_device *device;
    cpl_queue *queue;
    int failed;
} bench;

/* One line of stdout. */
void figure(const bench *b, const char *name, double value, const char *unit);
/* Says so on stderr, and counts it, where what was tried failed. */
bool bad(bench *b, const char *what, cpl_status status);
/* A module of a text; NULL after errors. */
cpl_module *open_text(bench *b, const char *text);
/* An array that holds the value of an expression of i everywhere; NULL after errors. */
cpl_array *filled(bench *b, cpl_dtype dtype, int64_t n, const char *expression);
cpl_launch_options on_queue(const bench *b);

/* gpu_algorithms.c: those whose names begin with b->only. */
void algorithms(bench *b);
void sorts(bench *b);

#endif
