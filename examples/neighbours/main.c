/*
 * neighbours PICTURE.png [DEVICE [SIDE]]: all pairs that are near each other among SIDE x SIDE
 * points in a periodic box, and a picture of how dense they are.
 *
 * Points are sorted by the cells of a grid as wide as what is near, so that a point need look at
 * nine cells alone. Each counts its neighbours, a scan makes of the numbers where each one's list
 * begins, and then each writes its list. Some points are compared with what looking at all of them
 * finds.
 */
#include "example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAVES = 16, SAMPLE = 256, DOTS = 640, SEED = 5, MOST_SIDE = 8192 };
static const double NEAR = 2;   /* in distances of the points of an even grid */
static const double FAR = 0.13; /* what waves move points by */

/* What lives on the device. */
typedef struct arrays {
    cpl_array *x, *y;           /* [n] uint32 coordinates, by cells */
    cpl_array *offsets;         /* [cells + 1] */
    cpl_array *number, *begins; /* [n], [n + 1]: of each point's neighbours, and their list */
    cpl_array *lists;
} arrays;

typedef struct search {
    int64_t n;
    int32_t side, across; /* points of the even grid, and cells, along an edge */
    uint64_t radius2;     /* square of how far apart points are that are near */
    int64_t pairs;        /* each counts twice */
    int32_t most;         /* neighbours of one point */
} search;

static cpl_array *numbers(const example *e, cpl_dtype dtype, int64_t n)
{
    return example_array(e, dtype, 1, &n, NULL);
}

/* --- points --- */

static bool make_points(const example *e, const search *s, cpl_array *x, cpl_array *y)
{
    int64_t shape[] = {(2 * WAVES + 1) * (WAVES + 1), 4};
    cpl_array *modes = example_array(e, CPL_FLOAT64, 2, shape, NULL);
    if (!modes) return false;
    cpl_arg waves[] = {cpl_arg_of_array(modes), cpl_arg_int(WAVES), cpl_arg_int(SEED)};
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_of_array(modes),
                      cpl_arg_int(s->side), cpl_arg_float(FAR)};
    bool ok = example_launch(e, "spectrum", waves, 3) && example_launch(e, "move", args, 5);
    cpl_array_release(modes);
    return ok;
}

/* The numbers of points by cells; then the points themselves lie as they are numbered. */
static bool sort_points(const example *e, const search *s, const arrays *a, cpl_array *x,
                        cpl_array *y, cpl_array *order)
{
    cpl_arg numbered = cpl_arg_of_array(order), offsets = cpl_arg_of_array(a->offsets);
    cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y), cpl_arg_int(s->across)};
    cpl_arg to[] = {cpl_arg_of_array(a->x), cpl_arg_of_array(a->y)};
    cpl_cells cells;
    cpl_cells_init(&cells);
    cells.cell = cpl_bind_function("cell");
    cells.order = &numbered;
    cells.offsets = &offsets;
    cpl_gather_spec spec;
    cpl_gather_spec_init(&spec);
    spec.indices = &numbered;
    spec.out = to;
    return example_ok(cpl_sort_cells(e->module, &cells, NULL, args, 3)) &&
           example_ok(cpl_take(e->module, &spec, NULL, args, 2));
}

static bool points(const example *e, const search *s, const arrays *a)
{
    cpl_array *x = numbers(e, CPL_UINT32, s->n), *y = numbers(e, CPL_UINT32, s->n),
              *order = numbers(e, CPL_INT32, s->n);
    bool ok = x && y && order && make_points(e, s, x, y) && sort_points(e, s, a, x, y, order);
    cpl_array_release(x);
    cpl_array_release(y);
    cpl_array_release(order);
    return ok;
}

/* --- neighbours --- */

static bool count(const example *e, const search *s, const arrays *a)
{
    cpl_arg args[] = {cpl_arg_of_array(a->number), cpl_arg_of_array(a->x),
                      cpl_arg_of_array(a->y),      cpl_arg_of_array(a->offsets),
                      cpl_arg_int(s->across),      cpl_arg_int((int64_t)s->radius2)};
    return example_launch(e, "count", args, 6);
}

/* begins[i + 1] = number[0] + ... + number[i]; begins[0] is 0 already. */
static bool add_up(const example *e, const search *s, const arrays *a)
{
    cpl_arg args[] = {cpl_arg_of_array(a->number), cpl_arg_of_array(a->begins)};
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    spec.output = cpl_bind_expression("lambda i, item, prev_item, last_item, N, number, begins: "
                                      "border(i, item, begins)");
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.n = s->n;
    return example_ok(cpl_scan(e->module, &spec, &o, args, 2));
}

/* Sum and maximum in one pass. */
static bool measure(const example *e, search *s, const arrays *a)
{
    struct {
        int64_t pairs;
        int32_t most;
    } result;
    cpl_arg number = cpl_arg_of_array(a->number);
    cpl_reduce_spec sum, most;
    cpl_reduce_spec_init(&sum);
    cpl_reduce_spec_init(&most);
    sum.op = cpl_bind_expression("a + b");
    sum.next = &most;
    most.op = cpl_bind_expression("max(a, b)");
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &result;
    if (!example_ok(cpl_reduce(e->module, &sum, &o, NULL, &number, 1))) return false;
    s->pairs = result.pairs;
    s->most = result.most;
    return true;
}

static bool fill(const example *e, const search *s, const arrays *a)
{
    cpl_arg args[] = {cpl_arg_of_array(a->number), cpl_arg_of_array(a->begins),
                      cpl_arg_of_array(a->lists),  cpl_arg_of_array(a->x),
                      cpl_arg_of_array(a->y),      cpl_arg_of_array(a->offsets),
                      cpl_arg_int(s->across),      cpl_arg_int((int64_t)s->radius2)};
    return example_launch(e, "fill", args, 8);
}

static bool find(const example *e, search *s, arrays *a)
{
    double start = example_now_ms();
    if (!count(e, s, a) || !add_up(e, s, a) || !measure(e, s, a)) return false;
    a->lists = numbers(e, CPL_INT32, s->pairs);
    if (!a->lists || !fill(e, s, a) || !example_ok(cpl_queue_finish(NULL))) return false;
    printf("%lld points in %d x %d cells, %lld neighbours, %d at most, %.0f ms\n", (long long)s->n,
           s->across, s->across, (long long)s->pairs, s->most, example_now_ms() - start);
    return true;
}

/* --- a sample --- */

/* found[k] = how many neighbours the k-th point of the sample has, and the sum of their numbers. */
static bool look_at_lists(const example *e, const arrays *a, cpl_array *found, int64_t step)
{
    cpl_arg args[] = {cpl_arg_of_array(found), cpl_arg_of_array(a->begins),
                      cpl_arg_of_array(a->lists), cpl_arg_int(step)};
    return example_launch(e, "listed", args, 4);
}

static bool look_at_all(const example *e, const search *s, const arrays *a, cpl_array *found,
                        int64_t step)
{
    cpl_arg args[] = {cpl_arg_of_array(found), cpl_arg_of_array(a->x), cpl_arg_of_array(a->y),
                      cpl_arg_int((int64_t)s->radius2), cpl_arg_int(step)};
    return example_launch(e, "searched", args, 5);
}

static bool compare(const example *e, const search *s, const arrays *a, cpl_array *found)
{
    int64_t lists[SAMPLE][2], all[SAMPLE][2], samples = s->n < SAMPLE ? s->n : SAMPLE,
                                              step = s->n / samples, same = 0;
    if (!look_at_lists(e, a, found, step) || !example_ok(cpl_array_read(found, NULL, lists, NULL)))
        return false;
    double start = example_now_ms();
    if (!look_at_all(e, s, a, found, step) || !example_ok(cpl_array_read(found, NULL, all, NULL)))
        return false;
    for (int64_t k = 0; k < samples; k++) same += !memcmp(lists[k], all[k], sizeof *all);
    printf("%lld of %lld are the same by looking at all points, %.0f ms\n", (long long)same,
           (long long)samples, example_now_ms() - start);
    return same == samples;
}

static bool check(const example *e, const search *s, const arrays *a)
{
    int64_t shape[] = {s->n < SAMPLE ? s->n : SAMPLE, 2};
    cpl_array *found = example_array(e, CPL_INT64, 2, shape, NULL);
    bool ok = found && compare(e, s, a, found);
    cpl_array_release(found);
    return ok;
}

/* --- the picture --- */

static bool find_density(const example *e, const search *s, const arrays *a, cpl_array *rho)
{
    cpl_arg args[] = {cpl_arg_of_array(rho),      cpl_arg_of_array(a->begins),
                      cpl_arg_of_array(a->lists), cpl_arg_of_array(a->x),
                      cpl_arg_of_array(a->y),     cpl_arg_int((int64_t)s->radius2)};
    return example_launch(e, "density", args, 6);
}

/* Of each dot the density of its densest point: a histogram whose bins take the maximum. */
static bool find_dots(const example *e, const arrays *a, cpl_array *rho, cpl_array *dots)
{
    cpl_arg out = cpl_arg_of_array(dots);
    cpl_arg args[] = {cpl_arg_of_array(a->x), cpl_arg_of_array(a->y), cpl_arg_of_array(rho),
                      cpl_arg_int(DOTS)};
    cpl_histogram_spec spec;
    cpl_histogram_spec_init(&spec);
    spec.bin = cpl_bind_function("dot");
    spec.map = cpl_bind_function("bright");
    spec.op = cpl_bind_expression("max(a, b)");
    return example_ok(cpl_histogram(e->module, &spec, NULL, &out, args, 4));
}

static bool paint(const example *e, const search *s, cpl_array *dots, picture *p)
{
    int64_t shape[] = {DOTS, 3 * DOTS};
    cpl_array *out = example_array(e, CPL_UINT8, 2, shape, NULL);
    cpl_arg args[] = {cpl_arg_of_array(out), cpl_arg_of_array(dots), cpl_arg_float(s->most)};
    bool ok = out && example_launch(e, "paint", args, 3) &&
              example_ok(cpl_array_read(out, NULL, p->points, NULL));
    cpl_array_release(out);
    return ok;
}

static bool draw(const example *e, const search *s, const arrays *a, picture *p)
{
    cpl_array *rho = numbers(e, CPL_FLOAT32, s->n), *dots = numbers(e, CPL_FLOAT32, DOTS * DOTS);
    bool ok = rho && dots && find_density(e, s, a, rho) && find_dots(e, a, rho, dots) &&
              paint(e, s, dots, p);
    cpl_array_release(rho);
    cpl_array_release(dots);
    return ok;
}

/* --- all --- */

static void set_up(search *s, int side)
{
    double radius = 4294967296.0 * NEAR / side;
    *s = (search){.n = (int64_t)side * side, .side = side, .across = (int32_t)(side / NEAR)};
    s->radius2 = (uint64_t)radius * (uint64_t)radius;
}

static bool run(const example *e, search *s, picture *p)
{
    arrays a = {numbers(e, CPL_UINT32, s->n),
                numbers(e, CPL_UINT32, s->n),
                numbers(e, CPL_INT32, (int64_t)s->across * s->across + 1),
                numbers(e, CPL_INT32, s->n),
                numbers(e, CPL_INT64, s->n + 1),
                NULL};
    bool ok = a.x && a.y && a.offsets && a.number && a.begins && points(e, s, &a) &&
              find(e, s, &a) && check(e, s, &a) && draw(e, s, &a, p);
    cpl_array *const all[] = {a.x, a.y, a.offsets, a.number, a.begins, a.lists};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) cpl_array_release(all[i]);
    return ok;
}

int main(int argc, char **argv)
{
    int side = example_number(argc, argv, 3, 1000);
    if (argc < 2 || argc > 4 || *argv[1] == '-' || side < 8 || side > MOST_SIDE) {
        fputs("usage: neighbours PICTURE.png [DEVICE [SIDE]], SIDE from 8 to 8192\n", stderr);
        return 2;
    }
    search s;
    example e;
    picture p = {DOTS, DOTS, 3, example_allocate((size_t)DOTS * DOTS, 3)};
    set_up(&s, side);
    bool ok = example_open(&e, KERNELS "/neighbours.py", argc > 2 ? argv[2] : "host") &&
              run(&e, &s, &p) && picture_write(&p, argv[1]);
    example_close(&e);
    free(p.points);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
