/*
 * Loops with bounds_check against the same loops in C: every type of count, steps up and down,
 * starts and stops beside the bounds, indices and conditions of many forms, over arrays of 0 to 5
 * elements. Most checks are decided in front of the loop (passes/bounds_range.c), by ranges that
 * are right only if each of these agrees: the elements, what is reported first, the memory around.
 */
#include "fault.h"
#include "launches.h"

/* INDEX(name, in the kernel, in C); T is the type of i, a and b. */
#define INDEXES(INDEX)                                                                             \
    INDEX(same, "i", i)                                                                            \
    INDEX(before, "i - 1", i - 1)                                                                  \
    INDEX(behind, "i + 2", i + 2)                                                                  \
    INDEX(backwards, "b - 1 - i", b - 1 - i)                                                       \
    INDEX(twice, "2*i - a", 2 * i - a)                                                             \
    INDEX(downwards, "3 - 2*i", 3 - 2 * i)                                                         \
    INDEX(halves, "(i - 1)//2", (i - 1 - ((i - 1) % 2 + 2) % 2) / 2)                               \
    INDEX(quotient, "(i - 1)/2", (i - 1) / 2)                                                      \
    INDEX(largest, "max(i - 1, 0)", i - 1 > 0 ? i - 1 : 0)                                         \
    INDEX(smallest, "min(i - 1, b)", i - 1 < b ? i - 1 : b)                                        \
    INDEX(masked, "(i - 1) & 3", (i - 1) & 3)                                                      \
    INDEX(modulo, "(i - 1) % 4", ((i - 1) % 4 + 4) % 4)                                            \
    INDEX(wide, "int(i - 1) + 1", (int64_t)(i - 1) + 1)

/* CONDITION(name, in the kernel, in C) */
#define CONDITIONS(CONDITION)                                                                      \
    CONDITION(none, "True", true)                                                                  \
    CONDITION(above, "i > 1", i > 1)                                                               \
    CONDITION(at_least, "2 <= i", i >= 2)                                                          \
    CONDITION(not_above, "not i > 2", i <= 2)                                                      \
    CONDITION(not_below, "not i < 1", i >= 1)                                                      \
    CONDITION(not_at_most, "not i <= a", i > a)                                                    \
    CONDITION(not_at_least, "not 3 <= i", i < 3)                                                   \
    CONDITION(moved, "i + 1 < b", i + 1 < b)                                                       \
    CONDITION(is, "i == 2", i == 2)                                                                \
    CONDITION(between, "i > 0 and i - 1 < b", i > 0 && i - 1 < b)

#define TEXT(name, text, value) text,
static const char *const indices[] = {INDEXES(TEXT)};
static const char *const conditions[] = {CONDITIONS(TEXT)};
#undef TEXT
static const char *const starts[] = {"a", "a - 1", "a + 1"};
static const char *const stops[] = {"b", "b - 1", "b + 1", "len(x)"};
static const int steps[] = {1, 2, 3, -1, -2, -3};
#define COUNT(list) (sizeof(list) / sizeof *(list))

#define NAME(name, text, value) name,
enum { INDEXES(NAME) };
enum { CONDITIONS(NAME) };
#undef NAME

enum { MOST = 5, GUARD = 16, MOST_ROUNDS = 20 };

/* What a kernel is made of, and what it is given. */
typedef struct kernel {
    size_t index, condition, start, stop, step, type;
    int place;
} kernel;

/* Where the access stands: within an if, in its else, in both and behind, in one and behind. */
enum { WITHIN, OTHERWISE, BEHIND_BOTH, BEHIND, PLACES };

typedef struct run {
    int64_t a, b, n;
    int32_t x[GUARD + MOST + GUARD];
    bool faulted;
    int64_t fault; /* the first index out of bounds */
} run;

static void touch(run *r, int64_t index)
{
    if (index >= 0 && index < r->n) r->x[GUARD + index]++;
    else if (!r->faulted) r->faulted = true, r->fault = index;
}

/* Whether an access that stands in an if is made. */
static bool is_met(int place, bool condition)
{
    return place == BEHIND_BOTH || condition == (place != OTHERWISE);
}

#define CASE(name, text, value)                                                                    \
    case name: return value;
/* False for loops of too many rounds: the count wrapped. */
#define REFERENCE(T)                                                                               \
    static int64_t index_##T(size_t form, T i, T a, T b)                                           \
    {                                                                                              \
        switch (form) {                                                                            \
            INDEXES(CASE_INDEX)                                                                    \
        default: return (int64_t)a;                                                                \
        }                                                                                          \
    }                                                                                              \
    static bool condition_##T(size_t form, T i, T a, T b)                                          \
    {                                                                                              \
        switch (form) {                                                                            \
            CONDITIONS(CASE)                                                                       \
        default: return a < b;                                                                     \
        }                                                                                          \
    }                                                                                              \
    static bool loop_##T(const kernel *k, run *r)                                                  \
    {                                                                                              \
        T a = (T)r->a, b = (T)r->b, i = k->start == 0 ? a : k->start == 1 ? a - 1 : a + 1;         \
        T stop = k->stop == 0 ? b : k->stop == 1 ? b - 1 : k->stop == 2 ? b + 1 : (T)r->n;         \
        bool up = steps[k->step] > 0;                                                              \
        T by = (T)(up ? steps[k->step] : -steps[k->step]);                                         \
        for (int rounds = 0; up ? i < stop : i > stop; rounds++) {                                 \
            if (rounds == MOST_ROUNDS) return false;                                               \
            if (is_met(k->place, condition_##T(k->condition, i, a, b)))                            \
                touch(r, index_##T(k->index, i, a, b));                                            \
            if (k->place >= BEHIND_BOTH) touch(r, index_##T(k->index, i, a, b));                   \
            T left = up ? stop - i : i - stop;                                                     \
            if (left <= by) break;                                                                 \
            i = up ? i + by : i - by;                                                              \
        }                                                                                          \
        return true;                                                                               \
    }
#define CASE_INDEX(name, text, value)                                                              \
    case name: return (int64_t)(value);

REFERENCE(int32_t)
REFERENCE(int64_t)
REFERENCE(uint32_t)
REFERENCE(uint64_t)

static const struct {
    const char *name;
    cpl_dtype dtype;
    bool is_signed;
    bool (*loop)(const kernel *k, run *r);
} types[] = {{"int32", CPL_INT32, true, loop_int32_t},
             {"int64", CPL_INT64, true, loop_int64_t},
             {"uint32", CPL_UINT32, false, loop_uint32_t},
             {"uint64", CPL_UINT64, false, loop_uint64_t}};

static void write_kernel(const kernel *k, char *text, size_t size)
{
    const char *index = indices[k->index];
    int n =
        snprintf(text, size, "def f(x, a, b):\n    for i in range(%s, %s, %d):\n        if %s:\n",
                 starts[k->start], stops[k->stop], steps[k->step], conditions[k->condition]);
    if (k->place == OTHERWISE) n += snprintf(text + n, size - (size_t)n, "            t = i\n");
    else n += snprintf(text + n, size - (size_t)n, "            x[%s] += 1\n", index);
    if (k->place == OTHERWISE || k->place == BEHIND_BOTH)
        n += snprintf(text + n, size - (size_t)n, "        else:\n            x[%s] += 1\n", index);
    if (k->place >= BEHIND_BOTH)
        snprintf(text + n, size - (size_t)n, "        x[%s] += 1\n", index);
}

static void fill(run *r)
{
    r->faulted = false;
    for (int i = 0; i < GUARD + MOST + GUARD; i++) r->x[i] = 1000 * i;
}

static bool agrees(cpl_module *m, const kernel *k, messages *said, run *r)
{
    static run expected;
    expected = *r;
    fill(&expected);
    if (!types[k->type].loop(k, &expected)) return true;
    fill(r);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, r->x + GUARD, r->n),
                      {.kind = CPL_ARG_SCALAR, .dtype = types[k->type].dtype, .value.i = r->a},
                      {.kind = CPL_ARG_SCALAR, .dtype = types[k->type].dtype, .value.i = r->b}};
    said->n = 0;
    said->text[0] = 0;
    cpl_status status = call_once(m, "f", args, 3, NULL, NULL);
    char told[48];
    snprintf(told, sizeof told, "index %lld is out of bounds of 'x'", (long long)expected.fault);
    bool right = expected.faulted ? status == CPL_EBOUNDS && strstr(said->text, told) : !status;
    return right && memcmp(r->x, expected.x, sizeof r->x) == 0;
}

static void compare(cpl_context *cx, messages *said, const kernel *k)
{
    char text[256];
    run r;
    write_kernel(k, text, sizeof text);
    cpl_module *m = fault_module(cx, text);
    int64_t least = types[k->type].is_signed ? -2 : 0;
    for (r.n = 0; r.n <= MOST; r.n++)
        for (r.a = least; r.a <= MOST + 1; r.a++)
            for (r.b = least; r.b <= MOST + 1; r.b++)
                if (!agrees(m, k, said, &r))
                    fail_msg("%s a = %lld, b = %lld of %s, %lld elements: %s", text, (long long)r.a,
                             (long long)r.b, types[k->type].name, (long long)r.n, said->text);
    cpl_module_release(m);
}

/* The i-th of all kernels. */
static kernel kernel_of(size_t i)
{
    kernel k;
    k.place = i % PLACES, i /= PLACES;
    k.type = i % COUNT(types), i /= COUNT(types);
    k.step = i % COUNT(steps), i /= COUNT(steps);
    k.start = i % COUNT(starts), i /= COUNT(starts);
    k.stop = i % COUNT(stops), i /= COUNT(stops);
    k.condition = i % COUNT(conditions), i /= COUNT(conditions);
    k.index = i % COUNT(indices);
    return k;
}

/* A part of all of them, in which each pair of forms stands; CPL_TEST_FULL=1 takes all. */
static void loops_agree(void **state)
{
    (void)state;
    messages said;
    cpl_context *cx = fault_context(NULL, &said);
    cpl_context_set_option(cx, "bounds_check", 1);
    cpl_context_set_option(cx, "opt_level", 0);
    size_t all = PLACES * COUNT(types) * COUNT(steps) * COUNT(starts) * COUNT(stops) *
                 COUNT(conditions) * COUNT(indices);
    size_t apart = getenv("CPL_TEST_FULL") ? 1 : 37;
    for (size_t i = 0; i < all; i += apart) {
        kernel k = kernel_of(i);
        /* a negative step and a length make the count signed */
        bool makes_signed = steps[k.step] < 0 || k.stop == COUNT(stops) - 1;
        if (!types[k.type].is_signed && makes_signed) continue;
        compare(cx, &said, &k);
    }
    cpl_context_release(cx);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
