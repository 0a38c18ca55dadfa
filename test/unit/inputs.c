/* Any bytes may come as a source: every text of one and of two bytes, and kernels with bytes
 * changed. An error with a place, or a module. */
#include "unit.h"

#include "cpl/cpl.h"
#include "figures.h"

#include <stdio.h>

typedef struct world {
    cpl_context *cx;
    flaky memory;
    long errors, placed;
    cpl_status status; /* of the first error */
} world;

static void count(void *user, const cpl_diag *d)
{
    world *w = user;
    if (d->severity != CPL_ERROR) return;
    if (!w->errors++) w->status = d->status;
    w->placed += d->line > 0;
    assert_true(strlen(d->message) > 0);
    char text[4000];
    cpl_diag_render(d, text, sizeof text); /* must cope with what it quotes */
}

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.alloc = flaky_alloc;
    options.alloc_user = &w->memory;
    options.sink = count;
    options.sink_user = w;
    *state = w;
    return cpl_context_create(&options, &w->cx);
}

static int tear_down(void **state)
{
    world *w = *state;
    cpl_context_release(w->cx);
    assert_int_equal(w->memory.live_bytes, 0);
    free(w);
    return 0;
}

/* Makes a module of the bytes, and the IR of each of its functions; true if one has any. */
static bool takes(world *w, const char *name, const char *bytes, size_t size)
{
    cpl_module *m = NULL;
    w->errors = w->placed = 0;
    bool ir = strstr(name, ".cir") != NULL;
    cpl_status status =
        (ir ? cpl_module_from_ir : cpl_module_from_source)(w->cx, name, bytes, size, &m);
    if (status) {
        assert_null(m);
        assert_true(w->errors > 0 && w->placed == w->errors);
        assert_int_equal(status, w->status);
        return false;
    }
    const cpl_type *types[2] = {NULL, NULL};
    assert_int_equal(cpl_type_parse(w->cx, "float64[]", &types[0]), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "int32", &types[1]), CPL_OK);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = ir ? CPL_FORM_FUNCTION : CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 2;
    bool any = false;
    for (size_t i = 0; cpl_module_function(m, i); i++) {
        cpl_blob blob;
        w->errors = 0;
        status = cpl_module_emit(m, cpl_module_function(m, i), &spec, CPL_STAGE_IR, NULL, &blob);
        assert_true((status == CPL_OK) == (w->errors == 0));
        any |= status == CPL_OK;
        cpl_blob_free(&blob);
    }
    cpl_module_release(m);
    return any;
}

static void one_and_two_bytes(void **state)
{
    world *w = *state;
    char bytes[2];
    for (int a = 0; a < 256; a++) {
        bytes[0] = (char)a;
        assert_false(takes(w, "a.py", bytes, 1));
        assert_false(takes(w, "a.cir", bytes, 1));
        for (int b = 0; b < 256; b++) {
            bytes[1] = (char)b;
            assert_false(takes(w, "a.py", bytes, 2)); /* some are a module, none a function */
        }
    }
}

static const char kernel[] = "from math import sin\n"
                             "N = 3\n"
                             "def helper(a, k):\n"
                             "    return a*2.0 if k > 0 else -a\n"
                             "def f(i, x, k):\n"
                             "    \"text \\n\"\n"
                             "    s = 0.0  # comment\n"
                             "    for j in range(N):\n"
                             "        if x[i] < 1e-3 and not k == j:\n"
                             "            s += helper(x[i], k)**2\n"
                             "        elif k:\n"
                             "            continue\n"
                             "    while s > 0x10:\n"
                             "        s //= 2\n"
                             "    x[i] = sin(s)\n";

static const char ir[] = "cir 1\n\n"
                         "func f.body(i: int64, x: float64 global*) {\n"
                         "  store(elem(x, i), add(load(elem(x, i)), 1.0:float64))\n"
                         "}\n\n"
                         "entry elementwise func f(n: int64, x: float64 global*) {\n"
                         "  var i: int64\n"
                         "  parallel for i in (0:int64, n, 1:int64) schedule(static, 0) {\n"
                         "    call f.body(i, x)\n"
                         "  }\n"
                         "}\n";

static uint64_t next(uint64_t *seed) /* xorshift64* (Vigna 2016) */
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    return *seed * 0x2545F4914F6CDD1Du;
}

static void mutate(world *w, const char *name, const char *text, size_t size, long n)
{
    static const char spice[] =
        "\0\xff\xc0\x80\xf5\xed\xa0\xe2\x80\xae\t\r\n\f\\()[]{}'\"#:;.,0e_-+*/%<=>@!~`$?";
    uint64_t seed = 42;
    long taken = 0;
    char copy[1024];
    for (long i = 0; i < n; i++) {
        memcpy(copy, text, size);
        size_t length = size;
        for (uint64_t k = next(&seed) % 4 + 1; k; k--) {
            size_t at = next(&seed) % length, span = next(&seed) % 9;
            switch (next(&seed) % 4) {
            case 0: copy[at] = (char)next(&seed); break;
            case 1: copy[at] = spice[next(&seed) % (sizeof spice - 1)]; break;
            case 2: /* a piece goes */
                if (at + span >= length) break;
                memmove(copy + at, copy + at + span, length - at - span);
                length -= span;
                break;
            default: /* a piece comes twice */
                if (at + span >= length || length + span > sizeof copy) break;
                memmove(copy + at + span, copy + at, length - at);
                length += span;
            }
        }
        taken += takes(w, name, copy, length);
    }
    assert_true(taken < n); /* not every mutant is a kernel */
    fault_figures(name[2] == 'p' ? "changed-sources" : "changed-ir",
                  "\"texts\": %ld, \"accepted\": %ld, \"refused\": %ld", n, taken, n - taken);
}

static void changed_kernels(void **state)
{
    assert_true(takes(*state, "k.py", kernel, sizeof kernel - 1));
    mutate(*state, "k.py", kernel, sizeof kernel - 1, test_rounds(10000, 100000));
}

static void changed_ir(void **state)
{
    assert_true(takes(*state, "k.cir", ir, sizeof ir - 1));
    mutate(*state, "k.cir", ir, sizeof ir - 1, test_rounds(10000, 100000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_and_two_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(changed_kernels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(changed_ir, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("inputs", tests, NULL, NULL);
}
