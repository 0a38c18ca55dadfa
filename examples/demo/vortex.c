/* One step of point vortices in the plane: every vortex moves with the sum of what all others do to
 * it. */
#include "demo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 2048 };
static const double core = 1e-4, dt = 1e-3;

typedef struct vortices {
    double x[N], y[N], strength[N], u[N], v[N];
} vortices;

/* The time that it takes, in ms. */
static double reference_step(vortices *s)
{
    double start = example_now_ms();
    for (int i = 0; i < N; i++) {
        double sum_u = 0, sum_v = 0;
        for (int j = 0; j < N; j++) {
            double dx = s->x[i] - s->x[j], dy = s->y[i] - s->y[j];
            double q = s->strength[j] / (dx * dx + dy * dy + core);
            sum_u -= dy * q;
            sum_v += dx * q;
        }
        s->u[i] = sum_u;
        s->v[i] = sum_v;
    }
    for (int i = 0; i < N; i++) {
        s->x[i] += dt * s->u[i];
        s->y[i] += dt * s->v[i];
    }
    return example_now_ms() - start;
}

/* A spiral of two arms, one turning against the other. */
static void place(vortices *s)
{
    for (int i = 0; i < N; i++) {
        double t = (double)i / N, angle = 20 * t + (i % 2) * acos(-1);
        s->x[i] = (0.1 + t) * cos(angle);
        s->y[i] = (0.1 + t) * sin(angle);
        s->strength[i] = (i % 2 ? -1.0 : 1.5) / N;
    }
}

/* Relative to the largest value. */
static double largest_difference(const double *a, const double *b)
{
    double worst = 0, scale = 0;
    for (int i = 0; i < N; i++) {
        scale = fmax(scale, fabs(b[i]));
        double difference = fabs(a[i] - b[i]);
        if (!(difference <= worst)) worst = difference;
    }
    return worst / scale;
}

static cpl_arg array(double *p)
{
    return cpl_arg_array(CPL_FLOAT64, p, N);
}

void demo_vortex(demo *d)
{
    vortices *s = example_allocate(1, sizeof *s), *r = example_allocate(1, sizeof *r);
    place(s);
    place(r);
    cpl_arg sum[] = {array(s->x), array(s->y),    array(s->strength), array(s->u),
                     array(s->v), cpl_arg_int(N), cpl_arg_float(core)};
    cpl_arg move[] = {array(s->x), array(s->y), array(s->u), array(s->v), cpl_arg_float(dt)};
    launch velocity = {
        .file = "vortex.py", .function = "velocity", .args = sum, .count = 7, .n = N, .repeats = 5};
    launch advance = {.file = "vortex.py", .function = "advance", .args = move, .count = 5, .n = N};
    printf("vortex: one step of %d vortices, velocity\n", N);
    if (demo_launch(d, &velocity)) {
        printf("  run         %.3f ms, %.0f million pairs/s\n", velocity.run_ms,
               1e-3 * N * (double)N / velocity.run_ms);
        printf("vortex: one step of %d vortices, advance\n", N);
    }
    if (!d->failed && demo_launch(d, &advance)) {
        demo_plain(velocity.run_ms + advance.run_ms, reference_step(r));
        double worst = fmax(largest_difference(s->u, r->u), largest_difference(s->v, r->v));
        worst = fmax(worst, fmax(largest_difference(s->x, r->x), largest_difference(s->y, r->y)));
        demo_compare(d, worst, 1e-11);
    }
    free(s);
    free(r);
}
