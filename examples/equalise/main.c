/*
 * equalise PICTURE.png OUT.png [DEVICE]: the picture in greys that occur about equally often, so
 * that all of it can be made out: histogram equalisation.
 *
 * A histogram counts the greys, a scan makes of the counts how many points are up to each grey, a
 * reduction finds the first of those that is not 0, and a kernel looks up the new greys.
 */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>

enum { GREYS = 256 };

/* What lives on the device. */
typedef struct arrays {
    int64_t n; /* points */
    cpl_array *points, *counts, *up_to;
} arrays;

static bool count_greys(const example *e, const arrays *a)
{
    cpl_arg points = cpl_arg_of_array(a->points), counts = cpl_arg_of_array(a->counts);
    cpl_histogram_spec spec;
    cpl_histogram_spec_init(&spec); /* bins are the points themselves, and counted */
    return example_ok(cpl_histogram(e->module, &spec, NULL, &counts, &points, 1));
}

/* up_to[g] = counts[0] + ... + counts[g]: the last argument of a scan takes its items. */
static bool add_up(const example *e, const arrays *a)
{
    cpl_arg args[] = {cpl_arg_of_array(a->counts), cpl_arg_of_array(a->up_to)};
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    return example_ok(cpl_scan(e->module, &spec, NULL, args, 2));
}

/* How many points have the darkest grey that occurs; it becomes black. */
static bool find_least(const example *e, const arrays *a, int64_t *least)
{
    cpl_arg args[] = {cpl_arg_of_array(a->up_to), cpl_arg_int(a->n)};
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("min(a, b)");
    spec.map = cpl_bind_function("present");
    if (!example_ok(cpl_type_parse(e->context, "int64", &spec.type))) return false;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = least;
    return example_ok(cpl_reduce(e->module, &spec, &o, NULL, args, 2));
}

static bool spread(const example *e, const arrays *a, int64_t least)
{
    cpl_arg args[] = {cpl_arg_of_array(a->points), cpl_arg_of_array(a->up_to), cpl_arg_int(least),
                      cpl_arg_int(a->n)};
    return example_launch(e, "spread", args, 4);
}

static bool equalise_on_device(const example *e, const arrays *a, uint8_t *points)
{
    int64_t least;
    return count_greys(e, a) && add_up(e, a) && find_least(e, a, &least) && spread(e, a, least) &&
           example_ok(cpl_array_read(a->points, NULL, points, NULL));
}

static bool equalise(const example *e, picture *p)
{
    int64_t n = (int64_t)p->width * p->height, greys = GREYS;
    arrays a = {n, example_array(e, CPL_UINT8, 1, &n, p->points),
                example_array(e, CPL_INT32, 1, &greys, NULL),
                example_array(e, CPL_INT32, 1, &greys, NULL)};
    double start = example_now_ms();
    bool ok = a.points && a.counts && a.up_to && equalise_on_device(e, &a, p->points);
    if (ok) printf("%d x %d points, %.0f ms\n", p->width, p->height, example_now_ms() - start);
    cpl_array_release(a.points);
    cpl_array_release(a.counts);
    cpl_array_release(a.up_to);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        fputs("usage: equalise PICTURE.png OUT.png [DEVICE]\n", stderr);
        return 2;
    }
    example e;
    picture p = {0};
    bool ok = example_open(&e, KERNELS "/equalise.py", argc > 3 ? argv[3] : "host") &&
              picture_read(&p, argv[1], 1) && equalise(&e, &p) && picture_write(&p, argv[2]);
    example_close(&e);
    free(p.points);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
