/* Counted loops of every index type, up to the ends of its range: rounds, values, last value;
 * against a loop in 128 bits. */
#include "host.h"

enum { CASES = 2000, MOST = 300 }; /* rounds after which the compiled loop breaks */

typedef struct index_type {
    const char *name;
    int64_t least;
    uint64_t most;
} index_type;

static const index_type index_types[] = {
    {"int8", INT8_MIN, INT8_MAX},    {"uint8", 0, UINT8_MAX},
    {"int16", INT16_MIN, INT16_MAX}, {"uint16", 0, UINT16_MAX},
    {"int32", INT32_MIN, INT32_MAX}, {"uint32", 0, UINT32_MAX},
    {"int64", INT64_MIN, INT64_MAX}, {"uint64", 0, UINT64_MAX},
};
/* as constants; then one that is not known */
static const int steps[] = {1, -1, 2, -2, 3, 7, -5, 127, -128};

__extension__ typedef __int128 wide;

/* What both loops leave behind: rounds, then the index of each; the loop variable's last value
 * comes back. */
typedef struct trace {
    int64_t rounds, at[MOST];
} trace;

/* Of an unsigned type, -1 is the largest number. */
static wide step_of(const index_type *t, int step)
{
    return step < 0 && t->least == 0 ? (wide)t->most + 1 + step : step;
}

static void write_function(strbuf *sb, const index_type *t, int number, const char *step)
{
    sb_printf(sb,
              "\nentry func f%d_%s(r: int64*, a: int64, b: int64, s: int64) -> int64 {\n  var i: "
              "%s\n  var k: int64\n",
              number, t->name, t->name);
    sb_printf(sb, "  for i in (convert<%s>(a), convert<%s>(b), %s) {\n", t->name, t->name, step);
    sb_printf(
        sb, "    k = add(k, 1:int64)\n    store(r, k)\n    store(elem(r, k), convert<int64>(i))\n");
    /* The body's own assignment must change neither the rounds nor the next index. */
    sb_printf(sb,
              "    if eq(k, %d:int64) { break }\n    if lt(k, 5:int64) { continue }\n    i = "
              "add(i, i)\n  }\n",
              MOST);
    sb_put(sb, "  return convert<int64>(i)\n}\n");
}

static void write_functions(strbuf *sb)
{
    sb_put(sb, "cir 1\n");
    for (size_t t = 0; t < COUNT_OF(index_types); t++) {
        char step[64];
        for (size_t i = 0; i < COUNT_OF(steps); i++) {
            wide value = step_of(&index_types[t], steps[i]);
            snprintf(step, sizeof step, value > INT64_MAX ? "%llu:%s" : "%lld:%s", (long long)value,
                     index_types[t].name);
            write_function(sb, &index_types[t], (int)i, step);
        }
        snprintf(step, sizeof step, "convert<%s>(s)", index_types[t].name);
        write_function(sb, &index_types[t], (int)COUNT_OF(steps), step);
    }
}

static void expected(trace *r, wide a, wide b, wide s)
{
    r->rounds = 0;
    for (wide i = a; s != 0 && (s > 0 ? i < b : i > b) && r->rounds < MOST; i += s)
        r->at[r->rounds++] = (int64_t)i;
}

static wide random_bound(const index_type *t)
{
    switch (rand() % 4) {
    case 0: return (wide)t->least + rand() % 5;
    case 1: return (wide)t->most - rand() % 5;
    default: return rand() % 100 - (t->least ? 50 : 0);
    }
}

static wide random_step(const index_type *t)
{
    switch (rand() % 8) {
    case 0: return t->most;
    case 1: return t->least;
    default: return t->least ? rand() % 9 - 4 : rand() % 5;
    }
}

static uint32_t check(code *c, const index_type *t, int number)
{
    char name[32];
    snprintf(name, sizeof name, "f%d_%s", number, t->name);
    void *address = host_symbol(c, name);
    int64_t (*fn)(trace *, int64_t, int64_t, int64_t);
    memcpy(&fn, &address, sizeof fn);
    uint32_t wrong = 0;
    for (int n = 0; n < CASES; n++) {
        wide a = random_bound(t), b = random_bound(t);
        wide s = number < (int)COUNT_OF(steps) ? step_of(t, steps[number]) : random_step(t);
        trace want, got = {0};
        expected(&want, a, b, s);
        int64_t last = fn(&got, (int64_t)a, (int64_t)b, (int64_t)s);
        bool same = want.rounds == got.rounds &&
                    !memcmp(want.at, got.at, (size_t)want.rounds * sizeof *want.at);
        if (want.rounds > 0 && (want.rounds < 5 || want.rounds == MOST))
            same &= last == want.at[want.rounds - 1];
        if (!same && !wrong++)
            print_error("%s(%lld, %lld, %lld): %lld rounds, %lld wanted\n", name, (long long)a,
                        (long long)b, (long long)s, (long long)got.rounds, (long long)want.rounds);
    }
    return wrong;
}

static void check_all(int opt_level)
{
    strbuf text;
    sb_init(&text, &mem_libc);
    write_functions(&text);
    code_loader *l = host_loader();
    code *c = host_load(l, text.at, text.n, opt_level);
    uint32_t wrong = 0;
    srand(1);
    for (size_t t = 0; t < COUNT_OF(index_types); t++)
        for (int i = 0; i <= (int)COUNT_OF(steps); i++) wrong += check(c, &index_types[t], i);
    code_unload(l, c);
    code_loader_free(l);
    sb_free(&text);
    assert_int_equal(wrong, 0);
}

static void unoptimised(void **unused)
{
    (void)unused;
    check_all(0);
}

static void optimised(void **unused)
{
    (void)unused;
    check_all(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(unoptimised), cmocka_unit_test(optimised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
