/*
 * Indices out of bounds, planted by the thousand: with bounds_check each is reported with the
 * array, the index and the line, the memory around the arrays stays as it was, and a launch without
 * one reports nothing.
 */
#include "fault.h"
#include "launches.h"

enum { MOST = 200, GUARD = 64 };

/* Where the bad index strikes: in each kernel the k-th index is used once, on line 2 or further
 * down. */
typedef struct shape {
    const char *text;
    int line; /* of the access that may go wrong */
    bool reads;
} shape;

static const shape shapes[] = {
    {"def f(i, x, y, k):\n    y[i] = x[k[i]]\n", 2, true},
    {"def f(i, x, y, k):\n    x[k[i]] = 7\n", 2, false},
    {"def f(i, x, y, k):\n    if k[i] != 0:\n        y[i] = x[k[i]] + 1\n", 3, true},
    {"def at(a, j):\n    return a[j]\ndef f(i, x, y, k):\n    y[i] = at(x, k[i])\n", 2, true},
    {"def f(i, x, y, k):\n    s = 0\n    for j in range(1):\n        s += x[k[i] + j]\n    y[i] = "
     "s\n",
     4, true},
    {"def f(i, x, y, k):\n    x[k[i]] += 3\n", 2, false},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static unsigned random_state = 88172645u;

static unsigned next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    return random_state ^= random_state << 5;
}

/* An index that is not one of n elements: near the ends, or far away. */
static int32_t bad_index(int32_t n)
{
    switch (next_random() % 6) {
    case 0: return n;
    case 1: return -1;
    case 2: return n + 1 + (int32_t)(next_random() % 50);
    case 3: return -1 - (int32_t)(next_random() % 50);
    case 4: return INT32_MAX - 1; /* one shape adds to it */
    default: return INT32_MIN;
    }
}

typedef struct world {
    messages said;
    cpl_context *cx;
    int32_t x[GUARD + MOST + GUARD], y[MOST], k[MOST];
} world;

static bool guards_are_whole(const world *w, int32_t n)
{
    for (int i = 0; i < GUARD; i++)
        if (w->x[i] != 12345 || w->x[GUARD + n + i] != 12345) return false;
    return true;
}

/* One launch of `rounds` over n elements, with bad indices at some rounds; true if what came back
 * is right. */
static bool launch(world *w, cpl_module *m, const shape *s, int32_t n, int rounds, int bad)
{
    for (int i = 0; i < GUARD + n + GUARD; i++) w->x[i] = i < GUARD || i >= GUARD + n ? 12345 : i;
    for (int i = 0; i < rounds; i++) w->k[i] = (int32_t)(next_random() % (unsigned)n);
    int32_t planted[4];
    for (int i = 0; i < bad; i++)
        w->k[next_random() % (unsigned)rounds] = planted[i] = bad_index(n);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, w->x + GUARD, n),
                      cpl_arg_array(CPL_INT32, w->y, rounds),
                      cpl_arg_array(CPL_INT32, w->k, rounds)};
    w->said.n = 0;
    w->said.text[0] = 0;
    cpl_status status = launch_rounds(m, "f", NULL, args, 3, rounds, NULL);
    if (!guards_are_whole(w, n)) return false;
    if (!bad) return status == CPL_OK && w->said.n == 0;
    char place[32], told[64];
    snprintf(place, sizeof place, "k.py:%d", s->line);
    bool named = false;
    for (int i = 0; i < bad; i++) {
        snprintf(told, sizeof told, "index %d is out of bounds of 'x', which has %d element%s",
                 planted[i], n, n == 1 ? "" : "s");
        named |= strstr(w->said.text, told) != NULL;
    }
    return status == CPL_EBOUNDS && named && strstr(w->said.text, place);
}

static void planted_indices(void **state)
{
    (void)state;
    world *w = calloc(1, sizeof *w);
    w->cx = fault_context(NULL, &w->said);
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    long each = 10000 / SHAPES / 2 + 1, planted = 0, clean = 0;
    for (int level = 0; level <= 3; level += 3)
        for (int i = 0; i < SHAPES; i++) {
            assert_int_equal(cpl_context_set_option(w->cx, "opt_level", level), CPL_OK);
            cpl_module *m = fault_module(w->cx, shapes[i].text);
            for (long k = 0; k < each; k++) {
                int32_t n = 1 + (int32_t)(next_random() % MOST);
                int rounds = 1 + (int)(next_random() % MOST), bad = 1 + (int)(next_random() % 4);
                if (!launch(w, m, &shapes[i], n, rounds, bad))
                    fail_msg("kernel %d, level %d, launch %ld: %s", i, level, k, w->said.text);
                if (!launch(w, m, &shapes[i], n, rounds, 0))
                    fail_msg("kernel %d, level %d, launch %ld without: %s", i, level, k,
                             w->said.text);
                planted++;
                clean++;
            }
            cpl_module_release(m);
        }
    assert_true(planted >= 10000);
    fault_figures("bounds",
                  "\"planted\": %ld, \"found\": %ld, \"without\": %ld, \"false_reports\": 0",
                  planted, planted, clean);
    cpl_context_release(w->cx);
    free(w);
}

/* Rounds come in pieces (passes/outline.c), of which none is done behind one with a fault. */
enum { PIECE = 1 << 20, PIECES = 2 };

typedef struct pieces {
    messages said;
    cpl_context *cx;
    int32_t x[64], y[PIECES * PIECE + 1], k[PIECES * PIECE + 1];
} pieces;

static void fill_pieces(pieces *p, int64_t n)
{
    for (int i = 0; i < 64; i++) p->x[i] = 1000 + i;
    for (int64_t i = 0; i < n; i++) p->y[i] = -1, p->k[i] = (int32_t)(i * 7 % 64);
    p->said.n = 0;
    p->said.text[0] = 0;
}

static cpl_status launch_pieces(pieces *p, cpl_module *m, int64_t n)
{
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, p->x, 64), cpl_arg_array(CPL_INT32, p->y, n),
                      cpl_arg_array(CPL_INT32, p->k, n)};
    return launch_rounds(m, "f", NULL, args, 3, n, NULL);
}

/* A launch of n rounds, at most one of which has a fault. */
static void launch_with(pieces *p, cpl_module *m, int64_t n, int64_t bad)
{
    fill_pieces(p, n);
    if (bad >= 0) p->k[bad] = 64;
    assert_int_equal(launch_pieces(p, m, n), bad < 0 ? CPL_OK : CPL_EBOUNDS);
    for (int64_t i = 0; i < n; i++) {
        bool done = p->y[i] == (i == bad ? 0 : 1000 + i * 7 % 64);
        bool left = bad >= 0 && p->y[i] == -1 && i >= PIECE;
        if (!done && !left)
            fail_msg("%lld rounds, fault in %lld: y[%lld] = %d", (long long)n, (long long)bad,
                     (long long)i, p->y[i]);
    }
}

/* Without a fault each round is done once; with one, those of the first piece are. */
static void pieces_are_whole(void **state)
{
    (void)state;
    static const int64_t rounds[] = {PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 1};
    pieces *p = calloc(1, sizeof *p);
    p->cx = fault_context(NULL, &p->said);
    assert_int_equal(cpl_context_set_option(p->cx, "bounds_check", 1), CPL_OK);
    cpl_module *m = fault_module(p->cx, "def f(i, x, y, k):\n    y[i] += x[k[i]] + 1\n");
    for (int threads = 1; threads <= 2; threads++) {
        assert_int_equal(cpl_context_set_option(p->cx, "num_threads", threads), CPL_OK);
        for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
            int64_t n = rounds[i];
            launch_with(p, m, n, -1);
            launch_with(p, m, n, 0);
            launch_with(p, m, n, n / 2);
            launch_with(p, m, n, n - 1);
        }
    }
    cpl_module_release(m);
    cpl_context_release(p->cx);
    free(p);
}

/* As many rounds as there can be: they end soon after they left the arrays. */
static void ends_after_a_fault(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "def f(i, x):\n    x[i] += 1\n",
        "from compyle.api import prange\n"
        "def f(x, n):\n    for i in prange(n):\n        x[i] = i\n",
        "from compyle.api import prange\n"
        "def f(x, n):\n    for i in prange(n, schedule='dynamic'):\n        x[i] = i\n",
        "def f(i, x):\n    assert i < 100\n"};
    messages said = {.n = 0};
    cpl_context *cx = fault_context(NULL, &said);
    assert_int_equal(cpl_context_set_option(cx, "bounds_check", 1), CPL_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t x[10] = {0};
        cpl_module *m = fault_module(cx, texts[i]);
        cpl_arg args[] = {cpl_arg_array(CPL_INT64, x, 10), cpl_arg_int(INT64_MAX)};
        bool function = strstr(texts[i], "prange") != NULL, asserts = strstr(texts[i], "assert");
        cpl_status status = function ? call_once(m, "f", args, 2, NULL, NULL)
                                     : launch_rounds(m, "f", NULL, args, 1, INT64_MAX, NULL);
        assert_int_equal(status, asserts ? CPL_EASSERT : CPL_EBOUNDS);
        cpl_module_release(m);
    }
    assert_non_null(strstr(said.text, "is out of bounds of 'x', which has 10 elements"));
    cpl_context_release(cx);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(planted_indices),
                                       cmocka_unit_test(pieces_are_whole),
                                       cmocka_unit_test(ends_after_a_fault)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
