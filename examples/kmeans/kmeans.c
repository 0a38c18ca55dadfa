#include "kmeans.h"

#include <string.h>

typedef struct sums { /* as Sums in kmeans.py */
    int64_t red, green, blue, count;
} sums;

typedef struct farthest { /* as Farthest */
    int64_t error, index;
} farthest;

/* What lives on the device. */
typedef struct arrays {
    cpl_array *points, *centres, *cluster, *sums;
} arrays;

static bool assign(const example *e, const arrays *a, const clusters *c)
{
    cpl_arg args[] = {cpl_arg_of_array(a->cluster), cpl_arg_of_array(a->points),
                      cpl_arg_of_array(a->centres)};
    return example_ok(cpl_array_write(a->centres, NULL, c->centres, NULL)) &&
           example_launch(e, "assign", args, 3);
}

/* --- reductions --- */

/* Of each cluster, as many as the array on the device has room for: a histogram whose bins hold not
 * only how many points there are, but all that add, a function of kmeans.py, makes of what member
 * returns for them. */
static bool sums_of(const example *e, const arrays *a, sums *result)
{
    cpl_arg out = cpl_arg_of_array(a->sums);
    cpl_arg args[] = {cpl_arg_of_array(a->cluster), cpl_arg_of_array(a->points)};
    cpl_histogram_spec spec;
    cpl_histogram_spec_init(&spec);
    spec.op = cpl_bind_function("add");
    spec.map = cpl_bind_function("member");
    spec.neutral = cpl_bind_function("nothing");
    return example_ok(cpl_histogram(e->module, &spec, NULL, &out, args, 2)) &&
           example_ok(cpl_array_read(a->sums, NULL, result, NULL));
}

/* Over all points. The call waits for the result. */
static bool reduce(const example *e, const arrays *a, const cpl_reduce_spec *spec, void *result)
{
    cpl_arg args[] = {cpl_arg_of_array(a->cluster), cpl_arg_of_array(a->points),
                      cpl_arg_of_array(a->centres)};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = result;
    return example_ok(cpl_reduce(e->module, spec, &o, NULL, args, 3));
}

/* The point that is farthest from the centre of its cluster. */
static bool farthest_of(const example *e, const arrays *a, farthest *result)
{
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_function("farther");
    spec.map = cpl_bind_function("far");
    spec.neutral = cpl_bind_function("nowhere");
    return reduce(e, a, &spec, result);
}

/* The sum of what the function error says of each point: sums know what leaves them as they are. */
static bool error_of(const example *e, const arrays *a, int64_t *result)
{
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    spec.map = cpl_bind_function("error");
    return reduce(e, a, &spec, result);
}

/* --- rounds --- */

static void place(clusters *c, int from, const uint8_t *colour)
{
    for (int k = from; k < c->count; k++)
        for (int j = 0; j < 3; j++) c->centres[k][j] = colour[j];
}

/* Each is the point that is farthest from those before it: T. F. Gonzalez, Clustering to minimize
 * the maximum intercluster distance, Theoretical Computer Science 38 (1985). */
static bool first_centres(const example *e, const arrays *a, const picture *p, clusters *c)
{
    place(c, 0, p->points);
    for (int k = 1; k < c->count; k++) {
        farthest f;
        if (!assign(e, a, c) || !farthest_of(e, a, &f)) return false;
        place(c, k, p->points + 3 * f.index);
    }
    return true;
}

/* Each centre to the mean of its cluster, rounded; *moved: whether one was elsewhere. */
static bool move_centres(const example *e, const arrays *a, clusters *c, bool *moved)
{
    int32_t before[MOST_COLOURS][3];
    sums all[MOST_COLOURS];
    memcpy(before, c->centres, sizeof before);
    if (!sums_of(e, a, all)) return false;
    for (int k = 0; k < c->count; k++) {
        sums s = all[k];
        if (!s.count) continue; /* nobody is near: it stays */
        c->centres[k][0] = (int32_t)((s.red + s.count / 2) / s.count);
        c->centres[k][1] = (int32_t)((s.green + s.count / 2) / s.count);
        c->centres[k][2] = (int32_t)((s.blue + s.count / 2) / s.count);
    }
    *moved = memcmp(before, c->centres, (size_t)c->count * sizeof *before) != 0;
    return true;
}

static bool paint(const example *e, const arrays *a, picture *p)
{
    cpl_arg args[] = {cpl_arg_of_array(a->points), cpl_arg_of_array(a->cluster),
                      cpl_arg_of_array(a->centres)};
    return example_launch(e, "paint", args, 3) &&
           example_ok(cpl_array_read(a->points, NULL, p->points, NULL));
}

static bool find(const example *e, const arrays *a, picture *p, clusters *c)
{
    bool moved = true;
    if (!first_centres(e, a, p, c)) return false;
    for (c->rounds = 0; moved && c->rounds < MOST_ROUNDS; c->rounds++)
        if (!assign(e, a, c) || !move_centres(e, a, c, &moved)) return false;
    return assign(e, a, c) && error_of(e, a, &c->error) && paint(e, a, p);
}

/* Elements are structs of the kernel file. */
static cpl_array *array_of_sums(const example *e, int count)
{
    cpl_array *array = NULL;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = count;
    if (!example_ok(cpl_type_parse(e->context, "Sums", &o.record))) return NULL;
    return example_ok(cpl_array_create_with(e->context, e->device, &o, &array)) ? array : NULL;
}

bool kmeans(const example *e, picture *p, clusters *c)
{
    int64_t points[] = {(int64_t)p->width * p->height, 3}, centres[] = {c->count, 3};
    arrays a = {example_array(e, CPL_UINT8, 2, points, p->points),
                example_array(e, CPL_INT32, 2, centres, NULL),
                example_array(e, CPL_UINT8, 1, points, NULL), array_of_sums(e, c->count)};
    bool ok = a.points && a.centres && a.cluster && a.sums && find(e, &a, p, c);
    cpl_array_release(a.points);
    cpl_array_release(a.centres);
    cpl_array_release(a.cluster);
    cpl_array_release(a.sums);
    return ok;
}
