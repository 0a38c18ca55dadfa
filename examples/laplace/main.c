/*
 * laplace PICTURE.png [DEVICE [SIZE]]: the potential around two electrodes in an earthed box, on a
 * grid of SIZE x SIZE points.
 *
 * Laplace's equation is solved by sweeps over the grid (laplace.py, relax). All of it stays on the
 * device; what comes back now and then is one number, the largest change that a sweep would still
 * make, by a reduction: when that is small enough the solution is there.
 */
#include "example.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SWEEPS = 50, MOST_SWEEPS = 100000 }; /* between two looks at the change; in all */
static const double enough = 1e-7;

typedef struct problem {
    int64_t size;
    double *u;     /* the potential: that of the electrodes at first, then the solution */
    uint8_t *held; /* whether a point keeps its potential */
} problem;

/* A ring of 1, open at the right, and a disc of -1 within; the border is held at 0. */
static void place_electrodes(problem *p)
{
    for (int64_t i = 0; i < p->size; i++)
        for (int64_t j = 0; j < p->size; j++) {
            double y = 2.0 * (double)i / (double)(p->size - 1) - 1,
                   x = 2.0 * (double)j / (double)(p->size - 1) - 1, r = hypot(x, y);
            bool ring = fabs(r - 0.6) < 0.03 && (x < 0 || fabs(y) > 0.2), disc = r < 0.15;
            bool border = i == 0 || j == 0 || i == p->size - 1 || j == p->size - 1;
            p->held[i * p->size + j] = ring || disc || border;
            p->u[i * p->size + j] = ring ? 1 : disc ? -1 : 0;
        }
}

/* The largest change of all points; it takes as many as u has. */
static bool measure(const example *e, cpl_array *u, cpl_array *held, double *most)
{
    cpl_arg args[] = {cpl_arg_of_array(u), cpl_arg_of_array(held)};
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("max(a, b)");
    spec.map = cpl_bind_function("change");
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = most;
    return example_ok(cpl_reduce(e->module, &spec, &o, NULL, args, 2));
}

/* Both colours, so many times. */
static bool sweep(const example *e, cpl_array *u, cpl_array *held, double omega)
{
    for (int k = 0; k < 2 * SWEEPS; k++) {
        cpl_arg args[] = {cpl_arg_of_array(u), cpl_arg_of_array(held), cpl_arg_int(k % 2),
                          cpl_arg_float(omega)};
        if (!example_launch(e, "relax", args, 4)) return false;
    }
    return true;
}

static bool solve(const example *e, problem *p, cpl_array *u, cpl_array *held)
{
    double omega = 2 / (1 + sin(acos(-1) / (double)p->size)), most = INFINITY; /* D. M. Young */
    double start = example_now_ms();
    int sweeps = 0;
    for (; most > enough && sweeps < MOST_SWEEPS; sweeps += SWEEPS)
        if (!sweep(e, u, held, omega) || !measure(e, u, held, &most)) return false;
    printf("%lld x %lld points, %d sweeps, largest change %.2g, %.0f ms\n", (long long)p->size,
           (long long)p->size, sweeps, most, example_now_ms() - start);
    return most <= enough && example_ok(cpl_array_read(u, NULL, p->u, NULL));
}

static bool solve_on_device(const example *e, problem *p)
{
    int64_t shape[] = {p->size, p->size};
    cpl_array *u = example_array(e, CPL_FLOAT64, 2, shape, p->u),
              *held = u ? example_array(e, CPL_UINT8, 2, shape, p->held) : NULL;
    bool ok = held && solve(e, p, u, held);
    cpl_array_release(held);
    cpl_array_release(u);
    return ok;
}

/* White at 0, red above, blue below, in steps of a tenth, so that equal potentials show. */
static bool draw(const problem *p, const char *path)
{
    size_t n = (size_t)(p->size * p->size);
    picture out = {(int)p->size, (int)p->size, 3, example_allocate(n, 3)};
    for (size_t k = 0; k < n; k++) {
        double v = round(10 * p->u[k]) / 10;
        uint8_t pale = (uint8_t)lround(255 * (1 - fabs(v)));
        uint8_t *rgb = out.points + 3 * k;
        rgb[0] = v < 0 ? pale : 255;
        rgb[1] = pale;
        rgb[2] = v > 0 ? pale : 255;
    }
    bool ok = picture_write(&out, path);
    free(out.points);
    return ok;
}

int main(int argc, char **argv)
{
    problem p = {example_number(argc, argv, 3, 256), NULL, NULL};
    if (argc < 2 || argc > 4 || *argv[1] == '-' || p.size < 3 || p.size > 16384) {
        fputs("usage: laplace PICTURE.png [DEVICE [SIZE]], SIZE from 3 to 16384\n", stderr);
        return 2;
    }
    size_t n = (size_t)(p.size * p.size);
    p.u = example_allocate(n, sizeof *p.u);
    p.held = example_allocate(n, sizeof *p.held);
    place_electrodes(&p);
    example e;
    bool ok = example_open(&e, KERNELS "/laplace.py", argc > 2 ? argv[2] : "host") &&
              solve_on_device(&e, &p) && draw(&p, argv[1]);
    example_close(&e);
    free(p.u);
    free(p.held);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
