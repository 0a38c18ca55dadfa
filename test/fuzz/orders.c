/*
 * Random uses of what is made of sorts, compared with plain C, on any number of threads: sorts by
 * cells, gathers, compactions and partitions, searches, merges and sets of sorted arrays, and what
 * is unique.
 *
 *     orders --count 100 --seed 1                     orders --device opencl:0 --count 20
 */
#include "seeds.h"
#include "test/unit/sort_model.h"

#include <cpl/gather.h>
#include <cpl/sorted.h>

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
    if (rng_chance(r, 40)) /* several pieces, which are sorted */
        c.n = 8192 + rng_below(r, MOST), c.m = 4097 + rng_below(r, MOST);
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

static const char *try_cells(rng *r, cpl_module *m, const cpl_launch_options *o)
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
    cpl_status status = cpl_sort_cells(m, &spec, o, &cells, 1);
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

/* Indices of elements as they are, from the end, past it, or of all of these. Where arrays are
 * scattered each is there once: but one, of all that go to one place. */
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
    int64_t low = rng_chance(r, 60) ? -g.m : 0, end = rng_chance(r, 60) ? 2 * g.m : g.m;
    for (int64_t i = 0; i < g.n; i++) {
        int64_t k = low + (int64_t)rng_below(r, (uint32_t)(end - low));
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

static const char *try_gather(rng *r, cpl_module *m, const cpl_launch_options *o)
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
    cpl_status status = (g.scatters ? cpl_scatter : cpl_take)(m, &spec, o, args, g.count);
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
    c.room = c.parts || rng_chance(r, 20) ? c.n : rng_below(r, (uint32_t)c.n + 1);
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

static const char *try_choice(rng *r, cpl_module *m, const cpl_launch_options *given)
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
    cpl_launch_options o = *given;
    o.result = &c.number;
    cpl_status status = (c.parts ? cpl_partition : cpl_compact)(m, &choice, &o, args, c.count + 1);
    const char *what = status ? cpl_last_error() : wrong_choice(&c);
    free_choice(&c);
    return what;
}

/* --- sorted arrays --- */

typedef struct keyed { /* keys of two arrays, and what comes of them */
    cpl_dtype type;
    size_t size;
    int64_t m, n, number;
    bool descending, right;
    char *a, *b, *got;
    int64_t *where, *first, *inverse, *counts;
} keyed;

/* Of few values, or of many. */
static char *draw_keys(rng *r, const keyed *k, int64_t n, uint64_t mask, uint64_t set)
{
    char *keys = room_for(n, k->size);
    for (int64_t i = 0; i < n; i++) {
        uint64_t raw = (rng_next(r) & mask) ^ set;
        if (rng_chance(r, 5)) /* zeros of both signs, of floats */
            raw = rng_chance(r, 50) ? (uint64_t)1 << (8 * k->size - 1) : 0;
        if (k->type == CPL_BOOL) raw &= 1;
        memcpy(keys + (size_t)i * k->size, &raw, k->size);
    }
    return keys;
}

static keyed draw_keyed(rng *r)
{
    keyed k = {.type = types[rng_below(r, sizeof types / sizeof *types)], .number = -1};
    uint64_t mask = rng_next(r) & rng_next(r), set = rng_next(r) & rng_next(r) & rng_next(r);
    for (int turns = (int)rng_below(r, 4); turns > 0; turns--) mask &= rng_next(r);
    k.size = cpl_dtype_size(k.type);
    k.m = some_length(r, MOST);
    k.n = some_length(r, MOST);
    k.descending = rng_chance(r, 40);
    k.right = rng_chance(r, 50);
    k.a = draw_keys(r, &k, k.m, mask, set);
    k.b = draw_keys(r, &k, k.n, mask, rng_chance(r, 80) ? set : ~set);
    k.got = room_for(k.m + k.n, k.size);
    k.where = room_for(k.n, 8);
    k.first = room_for(k.m, 8);
    k.inverse = room_for(k.m, 8);
    k.counts = room_for(k.m, 8);
    return k;
}

static void free_keyed(keyed *k)
{
    free(k->a);
    free(k->b);
    free(k->got);
    free(k->where);
    free(k->first);
    free(k->inverse);
    free(k->counts);
}

static uint64_t rank_in(const keyed *k, const char *keys, int64_t i)
{
    uint64_t rank = rank_alike(k->type, keys, i);
    return k->descending ? ~rank : rank;
}

static bool is_key(const keyed *k, int64_t at, const char *from, int64_t i)
{
    return raw_key(k->type, k->got, at) == raw_key(k->type, from, i);
}

static cpl_sorted_spec spec_of(const keyed *k, const cpl_arg *out)
{
    cpl_sorted_spec s;
    cpl_sorted_spec_init(&s);
    s.flags = k->descending ? CPL_SORTED_DESCENDING : 0;
    s.out = out;
    return s;
}

static const char *search(keyed *k, cpl_module *m, const cpl_launch_options *o)
{
    cpl_arg a = cpl_arg_array(k->type, k->a, k->m), b = cpl_arg_array(k->type, k->b, k->n),
            out = cpl_arg_array(CPL_INT64, k->where, k->n);
    cpl_sorted_spec s = spec_of(k, &out);
    if (k->right) s.flags |= CPL_SORTED_RIGHT;
    if (cpl_search_sorted(m, &s, o, &a, &b)) return cpl_last_error();
    for (int64_t i = 0; i < k->n; i++) {
        int64_t at = k->where[i];
        uint64_t value = rank_in(k, k->b, i) + k->right;
        bool last = k->right && !value; /* all keys are below */
        if (at < 0 || at > k->m || (at > 0 && !last && rank_in(k, k->a, at - 1) >= value) ||
            (at < k->m && (last || rank_in(k, k->a, at) < value)))
            return "what is searched";
    }
    return NULL;
}

static const char *merge(keyed *k, cpl_module *m, const cpl_launch_options *o)
{
    cpl_arg a = cpl_arg_array(k->type, k->a, k->m), b = cpl_arg_array(k->type, k->b, k->n),
            out = cpl_arg_array(k->type, k->got, k->m + k->n);
    cpl_sorted_spec s = spec_of(k, &out);
    if (cpl_merge(m, &s, o, &a, &b, 1)) return cpl_last_error();
    for (int64_t i = 0, p = 0, q = 0; i < k->m + k->n; i++) {
        bool second = p == k->m || (q < k->n && rank_in(k, k->b, q) < rank_in(k, k->a, p));
        if (second ? !is_key(k, i, k->b, q++) : !is_key(k, i, k->a, p++)) return "what is merged";
    }
    return NULL;
}

static bool in_set(cpl_set set, bool in_a, bool in_b)
{
    return set == CPL_SET_UNION          ? true
           : set == CPL_SET_INTERSECTION ? in_a && in_b
           : set == CPL_SET_DIFFERENCE   ? in_a && !in_b
                                         : in_a != in_b;
}

static const char *wrong_set(const keyed *k, cpl_set set)
{
    int64_t p = 0, q = 0, at = 0;
    while (p < k->m || q < k->n) {
        uint64_t x = p < k->m ? rank_in(k, k->a, p) : 0, y = q < k->n ? rank_in(k, k->b, q) : 0;
        bool in_a = p < k->m && (q == k->n || x <= y), in_b = q < k->n && (p == k->m || y <= x);
        if (in_set(set, in_a, in_b) && !is_key(k, at++, in_a ? k->a : k->b, in_a ? p : q))
            return "a set";
        while (in_a && p < k->m && rank_in(k, k->a, p) == x) p++;
        while (in_b && q < k->n && rank_in(k, k->b, q) == y) q++;
    }
    return k->number == at ? NULL : "the number of a set";
}

static const char *make_set(keyed *k, cpl_module *m, const cpl_launch_options *o, cpl_set set)
{
    cpl_arg a = cpl_arg_array(k->type, k->a, k->m), b = cpl_arg_array(k->type, k->b, k->n),
            out = cpl_arg_array(k->type, k->got, k->m + k->n),
            number = cpl_arg_array(CPL_INT64, &k->number, 1);
    cpl_sorted_spec s = spec_of(k, &out);
    s.number = &number;
    return cpl_set_of(m, &s, o, set, &a, &b) ? cpl_last_error() : wrong_set(k, set);
}

static const char *wrong_unique(const keyed *k, const entry *e)
{
    int64_t v = -1, begin = 0;
    for (int64_t i = 0; i < k->m; i++) {
        if (!i || e[i].rank != e[i - 1].rank) {
            v++, begin = i;
            if (rank_in(k, k->got, v) != e[i].rank) return "a unique value";
            if (k->first[v] != e[i].at) return "where a value is first";
        }
        if (k->inverse[e[i].at] != v) return "the inverse";
        bool ends = i == k->m - 1 || e[i].rank != e[i + 1].rank;
        if (ends && k->counts[v] != i + 1 - begin) return "how often a value is there";
    }
    return k->number == v + 1 ? NULL : "the number of values";
}

static const char *find_unique(keyed *k, cpl_module *m, const cpl_launch_options *o)
{
    cpl_arg keys = cpl_arg_array(k->type, k->a, k->m), out = cpl_arg_array(k->type, k->got, k->m),
            first = cpl_arg_array(CPL_INT64, k->first, k->m),
            inverse = cpl_arg_array(CPL_INT64, k->inverse, k->m),
            counts = cpl_arg_array(CPL_INT64, k->counts, k->m),
            number = cpl_arg_array(CPL_INT64, &k->number, 1);
    cpl_unique_spec s;
    cpl_unique_spec_init(&s);
    s.flags = k->descending ? CPL_SORTED_DESCENDING : 0;
    s.out = &out, s.first = &first, s.inverse = &inverse, s.counts = &counts, s.number = &number;
    if (cpl_unique(m, &s, o, &keys)) return cpl_last_error();
    entry *e = malloc((size_t)(2 * k->m + 1) * sizeof *e);
    order_alike(k->type, k->a, k->m, k->descending, e);
    const char *what = wrong_unique(k, e);
    free(e);
    return what;
}

static const char *try_sorted(rng *r, cpl_module *m, const cpl_launch_options *o)
{
    keyed k = draw_keyed(r);
    uint32_t way = rng_below(r, 7);
    if (way < 6) {
        sort_alike(k.type, k.a, k.m, k.descending);
        sort_alike(k.type, k.b, k.n, k.descending);
    }
    const char *what = way == 0   ? search(&k, m, o)
                       : way == 1 ? merge(&k, m, o)
                       : way < 6  ? make_set(&k, m, o, (cpl_set)(way - 2))
                                  : find_unique(&k, m, o);
    free_keyed(&k);
    return what;
}

/* --- all --- */

typedef const char *try_fn(rng *r, cpl_module *m, const cpl_launch_options *o);
static try_fn *const tries[] = {try_cells, try_gather, try_choice, try_sorted, try_sorted};

static bool differs(uint64_t seed)
{
    rng r = rng_seeded(seed);
    cpl_context *cx;
    cpl_module *m;
    cpl_launch_options o;
    const char *what = NULL;
    cpl_status status = open_seed(&r, &cx, &o);
    if (!status) status = cpl_module_from_source(cx, "orders.py", "", 0, &m);
    if (!status) {
        what = tries[rng_below(&r, sizeof tries / sizeof *tries)](&r, m, &o);
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
