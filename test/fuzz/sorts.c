/*
 * Random sorts and selections, compared with a merge sort of plain C: any type of key and bits of
 * it, arrays that go along, in place or elsewhere, by a function, on any number of threads.
 *
 *     sorts --count 100 --seed 1                      sorts --device opencl:0 --count 20
 */
#include "seeds.h"
#include "test/unit/sort_model.h"

#include <cpl/sort.h>

enum { MOST_VALUES = 3, MOST = 70000 };

static const cpl_dtype key_types[] = {CPL_BOOL,   CPL_INT8,    CPL_INT16,   CPL_INT32,
                                      CPL_INT64,  CPL_UINT8,   CPL_UINT16,  CPL_UINT32,
                                      CPL_UINT64, CPL_FLOAT16, CPL_FLOAT32, CPL_FLOAT64};
enum { TYPES = sizeof key_types / sizeof *key_types };

typedef struct sorted { /* one sort */
    asked asked;
    int64_t n, k;    /* k: how many are selected; -1: all are sorted */
    int64_t modulus; /* of the function that compares; 0: none */
    size_t values;   /* arrays that go along */
    cpl_dtype types[1 + MOST_VALUES];
    bool apart, ordered;
    char *from[1 + MOST_VALUES], *got[1 + MOST_VALUES];
    int32_t *order;
    entry *expected;
} sorted;

/* Some keys again and again, and perhaps another one. */
static void fill_kinds(sorted *s, rng *r)
{
    size_t size = cpl_dtype_size(s->asked.type);
    uint64_t some[400], mask = s->asked.type == CPL_BOOL ? 1 : UINT64_MAX;
    uint32_t kinds = 1 + rng_below(r, rng_chance(r, 80) ? 100 : 400);
    for (uint32_t k = 0; k < kinds; k++) some[k] = rng_next(r) & mask;
    for (int64_t i = 0; i < s->n; i++)
        memcpy(s->from[0] + (size_t)i * size, &some[rng_below(r, kinds)], size);
    some[0] = rng_next(r) & mask;
    if (s->n && rng_chance(r, 30))
        memcpy(s->from[0] + rng_below(r, (uint32_t)s->n) * size, &some[0], size);
}

/* Bits that keys may have, so that digits are the same everywhere now and then; sorted ones too,
 * and such that fall once. */
static void fill_bits(sorted *s, rng *r)
{
    uint64_t mask = rng_next(r), set = rng_next(r) & rng_next(r);
    size_t size = cpl_dtype_size(s->asked.type);
    bool rises = rng_chance(r, 15);
    int64_t turned = 4096 * (int64_t)rng_below(r, (uint32_t)(s->n / 4096) + 1); /* at a border */
    for (int k = (int)rng_below(r, 3); k > 0; k--) mask &= rng_next(r);
    if (rng_chance(r, 30)) mask = UINT64_MAX;
    for (int64_t i = 0; i < s->n; i++) {
        uint64_t key = rises ? (uint64_t)((i + s->n - turned) % s->n) : (rng_next(r) & mask) ^ set;
        if (s->asked.type == CPL_BOOL) key &= 1;
        memcpy(s->from[0] + (size_t)i * size, &key, size);
    }
}

static void fill_keys(sorted *s, rng *r)
{
    (rng_chance(r, 20) ? fill_kinds : fill_bits)(s, r);
}

static void draw_bits(asked *a, rng *r)
{
    int width = (int)cpl_dtype_size(a->type) * 8;
    if (!rng_chance(r, 25)) return;
    a->first = (int)rng_below(r, (uint32_t)width);
    a->end = a->first + 1 + (int)rng_below(r, (uint32_t)(width - a->first));
}

static void draw(sorted *s, rng *r)
{
    *s = (sorted){.n = some_length(r, MOST), .k = -1};
    s->types[0] = s->asked.type = key_types[rng_below(r, TYPES)];
    s->asked.descending = rng_chance(r, 40);
    draw_bits(&s->asked, r);
    s->values = rng_below(r, 1 + MOST_VALUES);
    s->apart = rng_chance(r, 40);
    s->ordered = rng_chance(r, 30);
    if (s->asked.type == CPL_INT32 && !s->asked.end && rng_chance(r, 60))
        s->modulus = 1 + rng_below(r, 100);
    if (!s->modulus && rng_chance(r, 25)) s->k = rng_below(r, (uint32_t)s->n + 1);
    if (s->k >= 0) s->values = 0;
    for (size_t v = 0; v <= s->values; v++) {
        if (v) s->types[v] = key_types[1 + rng_below(r, TYPES - 1)];
        size_t bytes = (size_t)(s->n + 1) * cpl_dtype_size(s->types[v]);
        s->from[v] = malloc(bytes);
        s->got[v] = malloc(bytes);
        for (size_t b = 0; v && b < bytes; b++) s->from[v][b] = (char)rng_next(r);
    }
    fill_keys(s, r);
    s->order = malloc((size_t)(s->n + 1) * sizeof *s->order);
    s->expected = malloc((size_t)(s->n + 1) * sizeof *s->expected);
}

static void free_sorted(sorted *s)
{
    for (size_t v = 0; v <= s->values; v++) {
        free(s->from[v]);
        free(s->got[v]);
    }
    free(s->order);
    free(s->expected);
}

/* Of a sort by a function: by what it compares. */
static void find_expected(const sorted *s)
{
    asked a = s->asked;
    if (!s->modulus) {
        expect(&a, s->from[0], s->n, s->expected);
        return;
    }
    int32_t *rests = malloc((size_t)(s->n + 1) * sizeof *rests);
    for (int64_t i = 0; i < s->n; i++) {
        int64_t rest = ((const int32_t *)(const void *)s->from[0])[i] % s->modulus;
        rests[i] = (int32_t)(rest < 0 ? rest + s->modulus : rest);
    }
    expect(&a, rests, s->n, s->expected);
    free(rests);
}

static cpl_status run(const sorted *s, cpl_module *m, const cpl_launch_options *o)
{
    char before[64];
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    cpl_arg args[1 + MOST_VALUES], out[1 + MOST_VALUES],
        order = cpl_arg_array(CPL_INT32, s->order, s->n);
    for (size_t v = 0; v <= s->values; v++) {
        args[v] = cpl_arg_array(s->types[v], s->apart ? s->from[v] : s->got[v], s->n);
        out[v] = cpl_arg_array(s->types[v], s->got[v], s->n);
        if (!s->apart) memcpy(s->got[v], s->from[v], (size_t)s->n * cpl_dtype_size(s->types[v]));
    }
    spec.flags = s->asked.descending ? CPL_SORT_DESCENDING : 0;
    spec.first_bit = s->asked.first;
    spec.end_bit = s->asked.end;
    snprintf(before, sizeof before, "a %% %d < b %% %d", (int)s->modulus, (int)s->modulus);
    if (s->modulus) spec.before = cpl_bind_expression(before);
    if (s->ordered) spec.order = &order;
    if (s->k < 0) {
        if (s->apart) spec.out = out;
        return cpl_sort(m, &spec, o, args, 1 + s->values);
    }
    args[0].data = s->from[0];
    spec.out = out;
    return cpl_select(m, &spec, o, s->k, args);
}

/* What is wrong, or NULL. */
static const char *wrong_with(const sorted *s)
{
    int64_t n = s->k < 0 ? s->n : s->k;
    for (size_t v = 0; v <= s->values; v++) {
        size_t size = cpl_dtype_size(s->types[v]);
        for (int64_t i = 0; i < n; i++)
            if (memcmp(s->got[v] + (size_t)i * size, s->from[v] + (size_t)s->expected[i].at * size,
                       size) != 0)
                return v ? "a value" : "a key";
    }
    for (int64_t i = 0; i < n && s->ordered; i++)
        if (s->order[i] != s->expected[i].at) return "the order";
    return NULL;
}

static bool differs(uint64_t seed)
{
    sorted s;
    rng r = rng_seeded(seed);
    cpl_context *cx;
    cpl_module *m;
    cpl_launch_options o;
    draw(&s, &r);
    find_expected(&s);
    cpl_status status = open_seed(&r, &cx, &o);
    if (!status) status = cpl_module_from_source(cx, "sorts.py", "", 0, &m);
    if (!status) {
        status = run(&s, m, &o);
        cpl_module_release(m);
    }
    const char *what = status ? cpl_last_error() : wrong_with(&s);
    if (what)
        printf("seed %llu: %s of %lld %s is wrong\n", (unsigned long long)seed, what,
               (long long)s.n, cpl_dtype_name(s.asked.type));
    cpl_context_release(cx);
    free_sorted(&s);
    return what;
}

int main(int argc, char **argv)
{
    return run_seeds(argc, argv, "sorts", differs);
}
