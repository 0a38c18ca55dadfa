/*
 * Random uses of what is made of sorts, compared with plain C, on any number of threads: sorts by
 * cells, gathers, compactions and partitions.
 *
 *     orders --count 100 --seed 1
 */
#include "seeds.h"
#include "test/unit/sort_model.h"

#include <cpl/gather.h>
#include <cpl/sort.h>

enum { MOST = 70000, ARRAYS = 9 };

static const cpl_dtype types[] = {CPL_BOOL,   CPL_INT8,    CPL_INT16,   CPL_INT32,
                                  CPL_INT64,  CPL_UINT8,   CPL_UINT16,  CPL_UINT32,
                                  CPL_UINT64, CPL_FLOAT16, CPL_FLOAT32, CPL_FLOAT64};

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

/* --- arrays that are moved --- */

typedef struct moved { /* of one type, from one to the other */
    cpl_dtype type;
    size_t size;
    char *from, *got;
} moved;

/* Any bits; room for one element more, in either. */
static moved draw_moved(rng *r, int64_t from, int64_t to)
{
    moved a = {.type = types[rng_below(r, sizeof types / sizeof *types)]};
    a.size = cpl_dtype_size(a.type);
    a.from = room_for(from, a.size);
    a.got = room_for(to, a.size);
    for (size_t i = 0; i < (size_t)from * a.size; i++) {
        uint64_t bits = rng_next(r);
        a.from[i] = (char)(a.type == CPL_BOOL ? bits & 1 : bits);
    }
    memset(a.got, 1, (size_t)(to + 2) * a.size);
    return a;
}

static void free_moved(moved *a, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        free(a[k].from);
        free(a[k].got);
    }
}

static bool is_moved(const moved *a, int64_t to, int64_t from)
{
    return !memcmp(a->got + (size_t)to * a->size, a->from + (size_t)from * a->size, a->size);
}

/* Nothing was written there. */
static bool is_left(const moved *a, int64_t at)
{
    bool left = true;
    for (size_t b = 0; b < a->size; b++) left &= a->got[(size_t)at * a->size + b] == 1;
    return left;
}

/* --- gathers --- */

typedef struct gathered {
    int64_t n, m;
    size_t count;
    moved arrays[ARRAYS];
    int64_t *indices, *last; /* the last index for each of the m */
    cpl_index_mode mode;
    bool scatters;
} gathered;

static int64_t index_in(const gathered *g, int64_t k)
{
    if (g->mode == CPL_INDEX_WRAP) return (k % g->m + g->m) % g->m;
    if (g->mode == CPL_INDEX_RAISE && k < 0) k += g->m;
    return k < 0 ? 0 : k >= g->m ? g->m - 1 : k;
}

/* Where arrays are scattered each index is there once: but one, of all that go to one place. */
static gathered draw_gather(rng *r)
{
    gathered g = {.n = some_length(r, MOST), .m = 1 + some_length(r, MOST)};
    g.scatters = rng_chance(r, 50);
    g.mode = (cpl_index_mode)rng_below(r, 3);
    g.count = 1 + rng_below(r, ARRAYS);
    for (size_t k = 0; k < g.count; k++)
        g.arrays[k] = draw_moved(r, g.scatters ? g.n : g.m, g.scatters ? g.m : g.n);
    g.indices = room_for(g.n, 8);
    g.last = room_for(g.m, 8);
    for (int64_t i = 0; i < g.m; i++) g.last[i] = -1;
    for (int64_t i = 0; i < g.n; i++) {
        int64_t k = (int64_t)rng_below(r, (uint32_t)(3 * g.m)) - g.m;
        if (g.scatters && g.last[index_in(&g, k)] >= 0) k = g.m - 1;
        g.last[index_in(&g, g.indices[i] = k)] = i;
    }
    return g;
}

static void free_gather(gathered *g)
{
    free_moved(g->arrays, g->count);
    free(g->indices);
    free(g->last);
}

static const char *wrong_take(const gathered *g, const moved *a)
{
    for (int64_t i = 0; i < g->n; i++)
        if (!is_moved(a, i, index_in(g, g->indices[i]))) return "what is taken";
    return is_left(a, g->n) ? NULL : "what is behind what is taken";
}

static const char *wrong_scatter(const gathered *g, const moved *a)
{
    int64_t shared = index_in(g, g->m - 1);
    for (int64_t i = 0; i < g->m; i++)
        if (i != shared && (g->last[i] < 0 ? !is_left(a, i) : !is_moved(a, i, g->last[i])))
            return "what is scattered";
    return is_left(a, g->m) ? NULL : "what is behind what is scattered";
}

static const char *try_gather(rng *r, cpl_module *m)
{
    gathered g = draw_gather(r);
    cpl_arg indices = cpl_arg_array(CPL_INT64, g.indices, g.n), args[ARRAYS], out[ARRAYS];
    for (size_t k = 0; k < g.count; k++) {
        const moved *a = &g.arrays[k];
        args[k] = cpl_arg_array(a->type, a->from, g.scatters ? g.n : g.m);
        out[k] = cpl_arg_array(a->type, a->got, g.scatters ? g.m : g.n);
    }
    cpl_gather_spec spec;
    cpl_gather_spec_init(&spec);
    spec.indices = &indices;
    spec.out = out;
    spec.mode = g.mode;
    cpl_status status = (g.scatters ? cpl_scatter : cpl_take)(m, &spec, NULL, args, g.count);
    const char *what = status ? cpl_last_error() : NULL;
    for (size_t k = 0; k < g.count && !what; k++)
        what = g.scatters ? wrong_scatter(&g, &g.arrays[k]) : wrong_take(&g, &g.arrays[k]);
    free_gather(&g);
    return what;
}

/* --- choices --- */

typedef struct chosen {
    int64_t n, room, hold, all, number; /* all: those that are moved, as far as there is room */
    size_t count;
    moved arrays[ARRAYS];
    bool *mask, parts;
    int64_t *order, *expected;
} chosen;

static void find_chosen(chosen *c)
{
    int64_t k = 0;
    for (int turn = 1; turn >= !c->parts; turn--) {
        for (int64_t i = 0; i < c->n; i++)
            if (c->mask[i] == turn) c->expected[k++] = i;
        if (turn) c->hold = k;
    }
    c->all = k < c->room ? k : c->room;
}

static chosen draw_choice(rng *r)
{
    chosen c = {.n = some_length(r, MOST), .parts = rng_chance(r, 50)};
    uint32_t share = rng_below(r, 101), run = 1 + rng_below(r, rng_chance(r, 50) ? 2 : 9000);
    c.room = c.parts || rng_chance(r, 60) ? c.n : rng_below(r, (uint32_t)c.n + 1);
    c.count = rng_below(r, ARRAYS + 1);
    for (size_t k = 0; k < c.count; k++) c.arrays[k] = draw_moved(r, c.n, c.n);
    c.mask = room_for(c.n, sizeof *c.mask);
    c.order = room_for(c.n, 8);
    c.expected = room_for(c.n, 8);
    for (int64_t i = 0; i < c.n; i++) c.mask[i] = i % run ? c.mask[i - 1] : rng_chance(r, share);
    for (int64_t i = 0; i < c.n + 2; i++) c.order[i] = -1;
    find_chosen(&c);
    return c;
}

static void free_choice(chosen *c)
{
    free_moved(c->arrays, c->count);
    free(c->mask);
    free(c->order);
    free(c->expected);
}

static const char *wrong_choice(const chosen *c)
{
    if (c->number != c->hold) return "the number of those that are chosen";
    for (int64_t i = 0; i < c->n + 1; i++) {
        if (c->order[i] != (i < c->all ? c->expected[i] : -1)) return "the order of a choice";
        for (size_t k = 0; k < c->count; k++)
            if (i < c->all ? !is_moved(&c->arrays[k], i, c->expected[i])
                           : !is_left(&c->arrays[k], i))
                return "what is chosen";
    }
    return NULL;
}

static const char *try_choice(rng *r, cpl_module *m)
{
    chosen c = draw_choice(r);
    cpl_arg args[ARRAYS + 1], out[ARRAYS], order = cpl_arg_array(CPL_INT64, c.order, c.room);
    for (size_t k = 0; k < c.count; k++) {
        args[k] = cpl_arg_array(c.arrays[k].type, c.arrays[k].from, c.n);
        out[k] = cpl_arg_array(c.arrays[k].type, c.arrays[k].got, c.n);
    }
    args[c.count] = cpl_arg_array(CPL_BOOL, c.mask, c.n);
    cpl_choice choice;
    cpl_choice_init(&choice);
    choice.out = out;
    choice.out_count = c.count;
    choice.order = &order;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &c.number;
    cpl_status status = (c.parts ? cpl_partition : cpl_compact)(m, &choice, &o, args, c.count + 1);
    const char *what = status ? cpl_last_error() : wrong_choice(&c);
    free_choice(&c);
    return what;
}

/* --- all --- */

static const char *(*const tries[])(rng *r, cpl_module *m) = {try_cells, try_gather, try_choice};

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
