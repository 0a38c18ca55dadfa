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

/*
 * From a start that is known, around the middle of the type's range and at its ends: what LLVM can
 * conclude of the index, its sign and that it never comes back to what lies before the start, must
 * hold.
 */
enum { STARTS = 4, AROUND = 20, KNOWN_STEPS = 4 };

static wide start_of(const index_type *t, int number)
{
    wide middle = ((wide)t->least + (wide)t->most + 1) / 2;
    const wide starts[STARTS] = {t->least, middle - 5, middle + 5, (wide)t->most - 17};
    return starts[number];
}

static const int known_steps[KNOWN_STEPS] = {1, 3, -1, -3}; /* the last two of signed types alone */

/* What a round adds: whether the index is in the upper half, is not before the start, half of it,
 * and it in 64 bits. */
static void write_known(strbuf *sb, const index_type *t, int start, int step)
{
    bool is_signed = t->least < 0;
    char first[32], middle[32];
    wide from = start_of(t, start), half = ((wide)t->least + (wide)t->most + 1) / 2;
    snprintf(first, sizeof first, is_signed ? "%lld" : "%llu", (long long)from);
    snprintf(middle, sizeof middle, is_signed ? "%lld" : "%llu", (long long)half);
    sb_printf(sb,
              "\nentry func g%d_%d_%s(r: int64*, b: int64) {\n  var i: %s\n  var k: int32\n"
              "  for i in (%s:%s, convert<%s>(b), %d:%s) {\n",
              start, step, t->name, t->name, first, t->name, t->name, known_steps[step], t->name);
    const char *const ways[] = {"ge(i, %s:%s)",
                                known_steps[step] > 0 ? "ge(i, %s:%s)" : "le(i, %s:%s)"};
    for (int k = 0; k < 4; k++) {
        sb_printf(sb, "    store(elem(r, %d:int64), add(load(elem(r, %d:int64)), convert<int64>(",
                  k, k);
        if (k < 2) sb_printf(sb, ways[k], k ? first : middle, t->name);
        else sb_printf(sb, k == 2 ? "rawdiv(i, 2:%s)" : "i", t->name);
        sb_put(sb, ")))\n");
    }
    sb_printf(sb, "    k = add(k, 1:int32)\n    if gt(k, %d:int32) { break }\n  }\n}\n", AROUND);
}

static void expected_known(int64_t r[4], const index_type *t, wide a, wide b, int s)
{
    wide half = ((wide)t->least + (wide)t->most + 1) / 2;
    for (wide i = a; s > 0 ? i < b : i > b; i += s) {
        r[0] += i >= half;
        r[1] += s > 0 ? i >= a : i <= a;
        r[2] += (int64_t)(i / 2);
        r[3] = (int64_t)((uint64_t)r[3] + (uint64_t)i);
    }
}

static uint32_t check_known(code *c, const index_type *t, int start, int step)
{
    char name[32];
    snprintf(name, sizeof name, "g%d_%d_%s", start, step, t->name);
    void *address = host_symbol(c, name);
    void (*fn)(int64_t *, int64_t);
    memcpy(&fn, &address, sizeof fn);
    uint32_t wrong = 0;
    wide a = start_of(t, start);
    for (int n = -AROUND; n <= AROUND; n++) {
        wide b = a + n;
        if (b < t->least || b > (wide)t->most) continue;
        int64_t want[4] = {0}, got[4] = {0};
        expected_known(want, t, a, b, known_steps[step]);
        fn(got, (int64_t)b);
        if (memcmp(want, got, sizeof want) && !wrong++)
            print_error("%s(%lld): %lld %lld %lld %lld, not %lld %lld %lld %lld\n", name,
                        (long long)b, (long long)got[0], (long long)got[1], (long long)got[2],
                        (long long)got[3], (long long)want[0], (long long)want[1],
                        (long long)want[2], (long long)want[3]);
    }
    return wrong;
}

static void from_known_starts(void **unused)
{
    (void)unused;
    for (int opt_level = 0; opt_level <= 3; opt_level += 3) {
        strbuf text;
        sb_init(&text, &mem_libc);
        sb_put(&text, "cir 1\n");
        uint32_t wrong = 0;
        code_loader *l = host_loader();
        for (int turn = 0; turn < 2; turn++) {
            code *c = turn ? host_load(l, text.at, text.n, opt_level) : NULL;
            for (size_t k = 0; k < COUNT_OF(index_types); k++)
                for (int start = 0; start < STARTS; start++)
                    for (int step = 0;
                         step < (index_types[k].least ? KNOWN_STEPS : KNOWN_STEPS / 2); step++)
                        if (turn) wrong += check_known(c, &index_types[k], start, step);
                        else write_known(&text, &index_types[k], start, step);
            if (turn) code_unload(l, c);
        }
        code_loader_free(l);
        sb_free(&text);
        assert_int_equal(wrong, 0);
    }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(unoptimised), cmocka_unit_test(optimised),
                                       cmocka_unit_test(from_known_starts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
