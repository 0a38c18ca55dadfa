/* The interpreter alone: C functions of every signature that it can call, limits, and those it
 * refuses. */
#include "compiling.h"

#include "lib/interp/interp.h"

typedef struct world {
    compilation c;
    jmp_buf on_oom;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    compiling_begin(&w->c, &mem_libc, &w->on_oom);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    compiling_end(&w->c);
    free(w);
    return 0;
}

static double weigh(double a, double b, double c, double d)
{
    return a + 10 * b + 100 * c + 1000 * d;
}

static float mixed(int8_t a, float b, uint16_t c, double d, float e, int64_t f)
{
    return (float)a + b + (float)c + (float)d + e + (float)f;
}

static int16_t narrow(int32_t a)
{
    return (int16_t)a;
}

static uint32_t words(uint64_t a, int32_t b, uint8_t c, const double *d, bool e, int64_t f)
{
    return (uint32_t)(a + (uint64_t)b + c + (uint64_t)*d + e + (uint64_t)f);
}

static bool less(double a, float b)
{
    return a < b;
}

static void store(int32_t *to, int32_t value)
{
    *to = value;
}

static void *resolve(void *user, const char *symbol)
{
    static const struct {
        const char *name;
        void (*address)(void);
    } functions[] = {
        {"weigh", (void (*)(void))weigh},   {"mixed", (void (*)(void))mixed},
        {"narrow", (void (*)(void))narrow}, {"words", (void (*)(void))words},
        {"less", (void (*)(void))less},     {"store", (void (*)(void))store},
    };
    (void)user;
    for (size_t i = 0; i < COUNT_OF(functions); i++)
        if (strcmp(functions[i].name, symbol) == 0) return (void *)(uintptr_t)functions[i].address;
    return symbol[0] == 'm' ? (void *)(uintptr_t)less : NULL; /* "many...": never reached */
}

/* Runs function f of a text without arguments; false when the interpreter reports an error. */
static bool run(world *w, const char *text, uint64_t max_steps, void *result)
{
    source src = {.id = 1, .name = "test.cir", .text = text, .size = strlen(text)};
    ir_module *m = ir_parse(&w->c, &src);
    assert_non_null(m);
    assert_true(ir_verify(m, "test"));
    interp_options options = {.max_steps = max_steps, .resolve = resolve};
    return interp_call(m, ir_entry(m), NULL, result, &options);
}

static void floats(void **state)
{
    double d = 0;
    assert_true(run(*state,
                    "cir 1 extern func weigh(float64, float64, float64, float64) -> float64\n"
                    "entry func f() -> float64 { var r: float64\n"
                    "r = call weigh(1:float64, 2:float64, 3:float64, -0.5:float64) return r }",
                    0, &d));
    assert_true(d == 1 + 20 + 300 - 500);
    float s = 0;
    assert_true(
        run(*state,
            "cir 1 extern func mixed(int8, float32, uint16, float64, float32, int64) -> float32\n"
            "entry func f() -> float32 { var r: float32\n"
            "r = call mixed(-3:int8, 0.5:float32, 65535:uint16, 0.25:float64, 2:float32, "
            "-100:int64) return r }",
            0, &s));
    assert_true(s == 65434.75f);
}

static void integers(void **state)
{
    int16_t n = 0;
    assert_true(
        run(*state,
            "cir 1 extern func narrow(int32) -> int16\n"
            "entry func f() -> int16 { var r: int16 r = call narrow(98304:int32) return r }",
            0, &n));
    assert_int_equal(n, -32768);
    uint32_t u = 0;
    assert_true(
        run(*state,
            "cir 1 extern func words(uint64, int32, uint8, float64*, bool, int64) -> uint32\n"
            "entry func f() -> uint32 { var r: uint32 var x: float64 x = 7:float64\n"
            "r = call words(4294967296:uint64, -1:int32, 255:uint8, ptrcast<float64*>(addr(x)), "
            "true, -300:int64) return r }",
            0, &u));
    assert_int_equal(u, (uint32_t)(-1 + 255 + 7 + 1 - 300));
    bool b = false;
    assert_true(
        run(*state,
            "cir 1 extern func less(float64, float32) -> bool\n"
            "entry func f() -> bool { var r: bool r = call less(1:float64, 1.5:float32) return r }",
            0, &b));
    assert_true(b);
    int32_t i = 0;
    assert_true(run(*state,
                    "cir 1 extern func store(int32*, int32)\n"
                    "entry func f() -> int32 { var r: int32 call store(ptrcast<int32*>(addr(r)), "
                    "-9:int32) return r }",
                    0, &i));
    assert_int_equal(i, -9);
}

static void refused_externs(void **state)
{
    world *w = *state;
    double d = 0;
    assert_false(run(w,
                     "cir 1 extern func absent(float64) -> float64\n"
                     "entry func f() -> float64 { var r: float64 r = call absent(r) return r }",
                     0, &d));
    assert_string_equal(w->c.diags.last->message,
                        "interpreting 'f': call: the external function is not registered");
    assert_false(
        run(w,
            "cir 1 extern func many(int32, int32, int32, int32, int32, int32, int32) -> int32\n"
            "entry func f() -> int32 { var r: int32 r = call many(r, r, r, r, r, r, r) return r }",
            0, &d));
    assert_non_null(strstr(w->c.diags.last->message, "too many parameters"));
    assert_int_equal(w->c.diags.errors, 2);
}

static void steps(void **state)
{
    world *w = *state;
    const char *text = "cir 1 entry func f() { var i: int32 while true { i = add(i, 1:int32) } }";
    assert_false(run(w, text, 1000, NULL));
    assert_non_null(strstr(w->c.diags.last->message, "too many steps"));
    const char *finite =
        "cir 1 entry func f() { var i: int32 for i in (0:int32, 10:int32, 1:int32) { } }";
    assert_true(run(w, finite, 1000, NULL));
}

/* A run may end at any step: in an operand, a call, a bound, a condition. It says so once, and what
 * would have followed does not happen. */
static void any_step(void **state)
{
    static const char text[] =
        "cir 1 extern func store(int32*, int32)\n"
        "struct Pair { a: float64, b: float64 }\n"
        "func twice(x: float64) -> float64 { return add(x, x) }\n"
        "func part(p: uint8*, first: int64, end: int64) { store(ptrcast<int64*>(p), end) }\n"
        "entry func f() -> float64 {\n"
        "  var x: float64 var m: float64[4] var i: int32 var c: bool var s: Pair var t: Pair var "
        "n: int64 var y: float64[4]\n"
        "  x = call twice(mul(2:float64, 1.5:float64))\n"
        "  store(item(addr(m), add(i, 1:int32)), neg(x))\n"
        "  vcopy<2>(item(addr(y), 0:int32), item(addr(m), 1:int32))\n"
        "  s = load(addr(t))\n"
        "  if lt(i, 1:int32) { c = not(c) } else { c = c }\n"
        "  while and(c, lt(i, 3:int32)) { i = add(i, 1:int32) if eq(i, 2:int32) { continue } }\n"
        "  for i in (neg(1:int32), add(i, 1:int32), 2:int32) { x = add(x, load(item(addr(y), "
        "0:int32))) if gt(i, 2:int32) { break } }\n"
        "  call store(ptrcast<int32*>(addr(i)), 5:int32)\n"
        "  fork part(ptrcast<uint8*>(addr(n)), 7:int64)\n"
        "  n = atomic_add<relaxed, device>(ptrcast<int64*>(addr(n)), add(n, 1:int64))\n"
        "  fault<0, \"\">(ptrcast<uint8*>(addr(m)), add(n, n), 1:int64)\n"
        "  assume(ne(n, 1:int64))\n"
        "  clear(addr(y))\n"
        "  x = cond(c, add(x, convert<float64>(i)), ldexp(x, 3:int32))\n"
        "  return add(x, convert<float64>(n))\n"
        "}\n";
    world *w = *state;
    double result = -1;
    uint64_t steps = 1;
    while (!run(w, text, steps, &result)) {
        assert_int_equal(w->c.diags.errors, 1);
        assert_non_null(strstr(w->c.diags.first->message, "too many steps"));
        assert_true(result == -1);
        w->c.diags = (diag_list){.arena = &w->c.arena};
        assert_true(++steps < 500);
    }
    assert_true(steps > 100);
    assert_int_equal(w->c.diags.errors, 0);
    assert_true(result == 6 - 3 * 6 + 5 + 7); /* twice, three rounds, the store, the fork */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(floats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refused_externs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_step, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
