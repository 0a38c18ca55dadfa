/*
 * Random uses of what is made of sorts, compared with plain C, on any number of threads: sorts by
 * cells.
 *
 *     orders --count 100 --seed 1
 */
#include "seeds.h"
#include "test/unit/sort_model.h"

#include <cpl/sort.h>

enum { MOST = 70000 };

static void *room_for(int64_t n, size_t size)
{
    return malloc((size_t)(n + 2) * size);
}

/* --- cells --- */

typedef struct celled {
    int64_t n, m;
    int32_t *cells, *offsets;
    int64_t *order, *expected, *borders;
} celled;

static celled draw_cells(rng *r)
{
    celled c = {.n = some_length(r, MOST), .m = some_length(r, MOST)};
    if (rng_chance(r, 30)) c.m = rng_below(r, 300);
    c.cells = room_for(c.n, 4);
    c.offsets = room_for(c.m, 4);
    c.order = room_for(c.n, 8);
    c.expected = room_for(c.n, 8);
    c.borders = room_for(c.m, 8);
    int64_t low = rng_below(r, (uint32_t)c.m + 2), count = 1 + rng_below(r, (uint32_t)c.m + 2);
    if (rng_chance(r, 60)) low = 0, count = c.m + 2;
    for (int64_t i = 0; i < c.n; i++)
        c.cells[i] = (int32_t)(low + rng_below(r, (uint32_t)count)) - 1;
    return c;
}

static void free_cells(celled *c)
{
    free(c->cells);
    free(c->offsets);
    free(c->order);
    free(c->expected);
    free(c->borders);
}

static const char *wrong_cells(const celled *c)
{
    for (int64_t k = 0; k <= c->m; k++)
        if (c->offsets[k] != c->borders[k]) return "where a cell begins";
    for (int64_t i = 0; i < c->n; i++)
        if (c->order[i] != c->expected[i]) return "the order by cells";
    return NULL;
}

static const char *try_cells(rng *r, cpl_module *m)
{
    celled c = draw_cells(r);
    cpl_cells spec;
    cpl_cells_init(&spec);
    cpl_arg cells = cpl_arg_array(CPL_INT32, c.cells, c.n),
            order = cpl_arg_array(CPL_INT64, c.order, c.n),
            offsets = cpl_arg_array(CPL_INT32, c.offsets, c.m + 1);
    spec.order = &order;
    spec.offsets = &offsets;
    if (rng_chance(r, 30)) spec.cell = cpl_bind_expression("lambda i, x: x[i]");
    expect_cells(c.cells, c.n, c.m, c.expected, c.borders);
    cpl_status status = cpl_sort_cells(m, &spec, NULL, &cells, 1);
    const char *what = status ? cpl_last_error() : wrong_cells(&c);
    free_cells(&c);
    return what;
}

/* --- all --- */

static const char *(*const tries[])(rng *r, cpl_module *m) = {try_cells};

static bool differs(uint64_t seed)
{
    rng r = rng_seeded(seed);
    cpl_context *cx;
    cpl_module *m;
    if (cpl_context_create(NULL, &cx)) return true;
    const char *what = NULL;
    cpl_status status = cpl_context_set_option(cx, "num_threads", 1 + rng_below(&r, 4));
    if (!status) status = cpl_module_from_source(cx, "orders.py", "", 0, &m);
    if (!status) {
        what = tries[rng_below(&r, sizeof tries / sizeof *tries)](&r, m);
        cpl_module_release(m);
    } else what = cpl_last_error();
    if (what) printf("seed %llu: %s is wrong\n", (unsigned long long)seed, what);
    cpl_context_release(cx);
    return what;
}

int main(int argc, char **argv)
{
    return run_seeds(argc, argv, "uses", differs);
}
