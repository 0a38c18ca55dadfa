/* What the parts of the demo share: a context, a launch that measures itself, and
 * pictures. */
#ifndef DEMO_H
#define DEMO_H

#include "example.h"

typedef struct demo {
    cpl_context *context;
    const char *kernels; /* folder of the .py files */
    const char *data;    /* folder of the elevation grid */
    const char *out;     /* folder for the pictures */
    bool failed;         /* a kernel did not run, or a difference was too large */
} demo;

typedef struct launch {
    const char *file; /* in the folder of the kernels */
    const char *function;
    const cpl_arg *args;
    size_t count;
    int64_t n;
    int repeats;       /* runs to take the fastest of; 0: only the first */
    double compile_ms; /* results */
    double first_ms;   /* from the text of the kernel to its result */
    double run_ms;
} launch;

/* The functions of a file, to be released; NULL after a message. */
cpl_module *demo_module(demo *d, const char *file);

/* Compiles and runs a kernel and prints its types and times; false, after a message, if it
 * failed. */
bool demo_launch(demo *d, launch *l);

/* Prints what plain C took for the same, compiled as this program is, on one thread. */
void demo_plain(double run_ms, double plain_ms);

/* Prints the largest difference from the reference and whether it is within what is allowed. */
void demo_compare(demo *d, double difference, double allowed);

/* Writes a PNG file into the folder for pictures. */
void demo_picture(demo *d, const char *name, const picture *p);

/* The parts. Each has a plain C version of its kernel in its file. */
void demo_hillshade(demo *d);
void demo_julia(demo *d);
void demo_vortex(demo *d);
/* p, in red, green and blue, becomes one of eight colours. */
void demo_kmeans(demo *d, picture *p);

#endif
