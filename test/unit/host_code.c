/* Compiled code at work: forks, atomics, structs, recursion, symbols; and the loader's memory,
 * threads and refusals. */
#include "host.h"

#include <math.h>
#include <pthread.h>

static const char text[] =
    "cir 1\n"
    "struct Pair { first: int32, flag: bool, second: float64, m: float32[3] }\n"
    "struct caps { counts: int32* }\n"
    "extern func outside(int8, bool) -> int16\n"
    "func count(c: uint8*, first: int64, end: int64) {\n"
    "  var i: int64\n  var counts: int32*\n"
    "  counts = load(field<counts>(ptrcast<caps*>(c)))\n"
    "  for i in (first, end, 1:int64) { atomic_add<relaxed, device>(elem(counts, i), 1:int32) }\n"
    "}\n"
#define FORK(name, options)                                                                        \
    "entry func " name                                                                             \
    "(n: int64, counts: int32*) {\n  var c: caps\n  store(field<counts>(addr(c)), counts)\n"       \
    "  fork count(ptrcast<uint8*>(addr(c)), n) " options "\n}\n"
    FORK("fork0",
         "schedule(static, 0)") FORK("fork1",
                                     "schedule(static, 7) threads(3)") FORK("fork2",
                                                                            "schedule(dynamic, 0)")
        FORK("fork3", "schedule(dynamic, 5) threads(4)") FORK("fork4", "schedule(guided, 0)") FORK(
            "fork5",
            "schedule(guided, 3) threads(1)") "func made(a: int32) -> Pair {\n  var s: Pair\n  "
                                              "store(field<first>(addr(s)), a)\n"
                                              "  store(field<flag>(addr(s)), gt(a, 3:int32))\n  "
                                              "store(item(field<m>(addr(s)), 1:int32), "
                                              "2.5:float32)\n"
                                              "  return s\n}\n"
                                              "entry func structs(p: Pair*, q: Pair*) -> bool {\n  "
                                              "var s: Pair\n  s = call made(7:int32)\n  store(p, "
                                              "s)\n"
                                              "  store(elem(p, 1:int32), "
                                              "cond(load(field<flag>(q)), load(q), s))\n  return "
                                              "load(field<flag>(p))\n}\n"
                                              "entry func factorial(n: int64) -> int64 {\n  var r: "
                                              "int64\n"
                                              "  if le(n, 1:int64) { return 1:int64 } else { r = "
                                              "call factorial(sub(n, 1:int64)) }\n"
                                              "  return mul(n, r)\n}\n"
                                              "entry func cosh(x: float64) -> float64 {\n  return "
                                              "add(cosh(x), 100.0:float64)\n}\n"
                                              "entry func calls.out(x: int8, c: bool) -> int16 {\n "
                                              " var r: int16\n  r = call outside(x, c)\n  return "
                                              "r\n}\n"
                                              "entry func faults(p: uint8*, i: int64) {\n  "
                                              "fault<0, \"\">(p, i, 10:int64)\n}\n"
                                              "entry func lowest(p: float64*) -> float64 {\n  var "
                                              "r: float64\n"
                                              "  r = atomic_min<seq_cst, system>(p, -3.5:float64)\n"
                                              "  atomic_min<relaxed, device>(elem(p, 1:int32), "
                                              "-3.5:float64)\n"
                                              "  atomic_max<relaxed, device>(elem(p, 2:int32), "
                                              "0.0:float64)\n"
                                              "  atomic_cas<relaxed, device>(elem(p, 3:int32), "
                                              "0.0:float64, 1.0:float64)\n  return r\n}\n";

typedef struct world {
    code_loader *loader;
    strbuf object;
    code *code;
} world;

static int16_t outside(int8_t a, bool b)
{
    return (int16_t)(a * 3 - (b ? 1000 : 0));
}

static void *resolve(void *user, const char *symbol)
{
    if (strcmp(symbol, "outside")) return host_resolve(user, symbol);
    int16_t (*fn)(int8_t, bool) = outside;
    void *p;
    memcpy(&p, &fn, sizeof p);
    return p;
}

static int set_up(void **at)
{
    static world w;
    char error[500] = "";
    *at = &w;
    w.loader = host_loader();
    assert_true(host_object(text, sizeof text - 1, 2, &w.object));
    w.code = code_load(w.loader, &(code_object){w.object.at, w.object.n, resolve, NULL, {0}}, error,
                       sizeof error);
    if (!w.code) print_error("%s\n", error);
    return w.code ? 0 : -1;
}

static int tear_down(void **at)
{
    world *w = *at;
    code_unload(w->loader, w->code);
    code_loader_free(w->loader);
    sb_free(&w->object);
    return 0;
}

/* CALL(w, "name", result type, (parameter types), (arguments)) */
#define CALL(w, name, result, parameters, arguments)                                               \
    (__extension__({                                                                               \
        void *address_ = host_symbol((w)->code, name);                                             \
        result(*fn_) parameters;                                                                   \
        memcpy(&fn_, &address_, sizeof fn_);                                                       \
        fn_ arguments;                                                                             \
    }))

static void every_round_once(void **at)
{
    enum { MOST = 20000 };
    static int32_t counts[MOST];
    if (!dl_openmp_symbol(NULL, "__kmpc_fork_call")) skip();
    for (int schedule = 0; schedule < 6; schedule++) {
        char name[16];
        snprintf(name, sizeof name, "fork%d", schedule);
        for (int64_t n = -2; n < MOST; n = n < 10 ? n + 1 : n * 3 + 1) {
            memset(counts, 0, sizeof counts);
            CALL((world *)*at, name, void, (int64_t, int32_t *), (n, counts));
            for (int64_t i = 0; i < MOST; i++) assert_int_equal(counts[i], i < n);
        }
    }
}

typedef struct pair {
    int32_t first;
    bool flag;
    double second;
    float m[3];
} pair;

static void structs_have_the_layout_of_c(void **at)
{
    pair p[2] = {{0}}, q = {9, true, 4.5, {1, 2, 3}};
    assert_true(CALL((world *)*at, "structs", bool, (pair *, pair *), (p, &q)));
    assert_true(p[0].first == 7 && p[0].flag && p[0].second == 0 && p[0].m[1] == 2.5F &&
                p[0].m[0] == 0);
    assert_true(p[1].first == 9 && p[1].flag && p[1].second == 4.5 && p[1].m[2] == 3);
}

static void functions_call_each_other_and_c(void **at)
{
    assert_int_equal(CALL((world *)*at, "factorial", int64_t, (int64_t), (10)), 3628800);
    assert_true(CALL((world *)*at, "cpl_fn_cosh", double, (double), (1.0)) == cosh(1.0) + 100);
    assert_int_equal(CALL((world *)*at, "calls_out", int16_t, (int8_t, bool), (-128, true)), -1384);
}

static void the_first_fault_stays(void **at)
{
    cpl_fault fault = {0};
    for (int64_t i = 42; i < 45; i++)
        CALL((world *)*at, "faults", void, (cpl_fault *, int64_t), (&fault, i));
    assert_true(fault.taken == 1 && fault.site == 0 && fault.index == 42 && fault.extent == 10);
}

static void atomic_min_is_min(void **at)
{
    double p[4] = {NAN, 1, -0.0, -0.0};
    assert_true(isnan(CALL((world *)*at, "lowest", double, (double *), (p))));
    assert_true(isnan(p[0])); /* b if b < a else a */
    assert_true(p[1] == -3.5);
    assert_true(signbit(p[2])); /* 0 is not greater than -0 */
    assert_true(signbit(p[3])); /* compared by bits */
}

static long resident_kib(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*s %ld", &pages), 1);
    fclose(f);
    return pages * 4;
}

static void memory_stays_flat(void **at)
{
    world *w = *at;
    char error[500];
    long before = 0;
    for (int i = 0; i < 10000; i++) {
        code *c =
            code_load(w->loader, &(code_object){w->object.at, w->object.n, resolve, NULL, {0}},
                      error, sizeof error);
        assert_non_null(c);
        code_unload(w->loader, c);
        if (i == 500) before = resident_kib();
    }
#ifndef __SANITIZE_ADDRESS__ /* which keeps freed memory for a while */
    assert_true(resident_kib() < before + 1024);
#endif
}

static void refused(world *w, const char *bytes, size_t size, code_resolver fn, const char *reason)
{
    char error[500] = "";
    code *c = code_load(w->loader, &(code_object){bytes, size, fn, NULL, {0}}, error, sizeof error);
    assert_null(c);
    assert_non_null(strstr(error, reason));
}

static void broken_objects_are_refused(void **at)
{
    world *w = *at;
    refused(w, w->object.at, w->object.n, host_resolve, "symbol 'outside' is not known");
    for (size_t n = 0; n < w->object.n; n += w->object.n / 61 + 1)
        refused(w, w->object.at, n, resolve, "");
    refused(w, "nonsense", 8, resolve, "");
    char error[500] = "";
    assert_null(code_symbol(w->code, "absent", error, sizeof error));
    assert_non_null(strstr(error, "absent"));
}

static void *load_often(void *user)
{
    world *w = user;
    char error[500];
    for (int i = 0; i < 50; i++) {
        code *c =
            code_load(w->loader, &(code_object){w->object.at, w->object.n, resolve, NULL, {0}},
                      error, sizeof error);
        if (!c || !code_symbol(c, "factorial", error, sizeof error)) return w;
        code_unload(w->loader, c);
    }
    return NULL;
}

static void threads_load_at_once(void **at)
{
    pthread_t threads[4];
    for (size_t i = 0; i < COUNT_OF(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_often, *at), 0);
    for (size_t i = 0; i < COUNT_OF(threads); i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_round_once),
        cmocka_unit_test(structs_have_the_layout_of_c),
        cmocka_unit_test(functions_call_each_other_and_c),
        cmocka_unit_test(the_first_fault_stays),
        cmocka_unit_test(atomic_min_is_min),
        cmocka_unit_test(memory_stays_flat),
        cmocka_unit_test(broken_objects_are_refused),
        cmocka_unit_test(threads_load_at_once),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
