/* The interpreter's launches: places in the grid, barriers, local memory, sub-groups, and what is
 * undefined on devices. */
#include "compiling.h"

#include "lib/interp/interp.h"

#include <stdio.h>

typedef struct world {
    compilation c;
    jmp_buf on_oom;
    flaky flaky;
    mem mem;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    w->mem = (mem){flaky_alloc, &w->flaky};
    compiling_begin(&w->c, &w->mem, &w->on_oom);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    world *w = *state;
    compiling_end(&w->c);
    assert_int_equal(w->flaky.live_bytes, 0);
    free(w);
    return 0;
}

/* Launches the entry of a text; false when there was an error. */
static bool launch(world *w, const char *text, const int64_t groups[3], const int32_t size[3],
                   const void *const *args)
{
    source src = {.id = 1, .name = "k.cir", .text = text, .size = strlen(text)};
    interp_options options = {.max_steps = 100000};
    if (setjmp(w->on_oom)) return false;
    ir_module *m = ir_parse(&w->c, &src);
    assert_non_null(m);
    assert_true(ir_verify(m, NULL));
    return interp_launch(m, ir_entry(m), groups, size, args, &options);
}

static const char *first_error(const world *w)
{
    return w->c.diags.first ? w->c.diags.first->message : "";
}

static const int64_t one_group[3] = {1, 1, 1};

static void places(void **state)
{
    static const char text[] = "cir 1\n"
                               "entry kernel func k(x: int64 global*) {\n"
                               "  var i: int64\n"
                               "  i = add(convert<int64>(local_id<0>()), "
                               "mul(convert<int64>(local_size<0>()), group_id<0>()))\n"
                               "  i = add(i, mul(6:int64, add(convert<int64>(local_id<1>()), "
                               "mul(convert<int64>(local_size<1>()), group_id<1>()))))\n"
                               "  i = add(i, mul(24:int64, add(convert<int64>(local_id<2>()), "
                               "mul(convert<int64>(local_size<2>()), group_id<2>()))))\n"
                               "  store(elem(x, i), add(mul(group_count<0>(), 100:int64), "
                               "add(mul(group_count<1>(), 10:int64), group_count<2>())))\n"
                               "}\n";
    int64_t x[72] = {0};
    int64_t *px = x;
    assert_true(
        launch(*state, text, (int64_t[]){2, 4, 1}, (int32_t[]){3, 1, 3}, (const void *[]){&px}));
    for (int i = 0; i < 72; i++) assert_int_equal(x[i], 241);
    assert_true(
        launch(*state, text, (int64_t[]){2, 0, 1}, (int32_t[]){3, 1, 3}, (const void *[]){&px}));
}

/* A tree in local memory, static and passed; the last group is not full. */
static void tree(void **state)
{
    static const char text[] =
        "cir 1\n"
        "entry kernel func k(x: int32 global*, out: int32 global*, n: int32, t: int32 local*) {\n"
        "  var s: int32[64] local\n"
        "  var i: int32\n"
        "  var w: int32\n"
        "  i = add(local_id<0>(), mul(convert<int32>(group_id<0>()), 64:int32))\n"
        "  store(elem(t, local_id<0>()), 0:int32)\n"
        "  if lt(i, n) { store(elem(t, local_id<0>()), load(elem(x, i))) }\n"
        "  store(item(addr(s), local_id<0>()), load(elem(t, local_id<0>())))\n"
        "  barrier<local>()\n"
        "  w = 32:int32\n"
        "  while gt(w, 0:int32) {\n"
        "    if lt(local_id<0>(), w) { call join(item(addr(s), 0:int32), w) }\n"
        "    w = rawdiv(w, 2:int32)\n"
        "    barrier<local>()\n"
        "  }\n"
        "  if eq(local_id<0>(), 0:int32) { store(elem(out, group_id<0>()), load(item(addr(s), "
        "0:int32))) }\n"
        "}\n"
        "func join(s: int32 local*, w: int32) {\n"
        "  store(elem(s, local_id<0>()), add(load(elem(s, local_id<0>())), load(elem(s, "
        "add(local_id<0>(), w)))))\n"
        "}\n";
    int32_t x[150], out[3] = {0}, n = 150, *px = x, *pout = out;
    int64_t bytes = sizeof(int32_t) * 64;
    for (int i = 0; i < n; i++) x[i] = i;
    assert_true(launch(*state, text, (int64_t[]){3, 1, 1}, (int32_t[]){64, 1, 1},
                       (const void *[]){&px, &pout, &n, &bytes}));
    assert_int_equal(out[0], 64 * 63 / 2);
    assert_int_equal(out[1], 64 * 64 + 64 * 63 / 2);
    assert_int_equal(out[2], 22 * 128 + 22 * 21 / 2);
}

/* 40 work-items: a full sub-group and one of 8 lanes. */
static void subgroups(void **state)
{
    static const char text[] =
        "cir 1\n"
        "entry kernel func k(x: int64 global*) {\n"
        "  var v: int64\n"
        "  var at: int32\n"
        "  var u: uint64\n"
        "  at = mul(local_id<0>(), 12:int32)\n"
        "  v = shuffle(convert<int64>(local_id<0>()), 35:int32) store(elem(x, at), v)\n"
        "  v = shuffle_xor(convert<int64>(local_id<0>()), 1:int32) store(elem(x, add(at, "
        "1:int32)), v)\n"
        "  v = shuffle_up(convert<int64>(local_id<0>()), 2:int32) store(elem(x, add(at, 2:int32)), "
        "v)\n"
        "  v = shuffle_down(convert<int64>(local_id<0>()), 2:int32) store(elem(x, add(at, "
        "3:int32)), v)\n"
        "  u = ballot(lt(local_id<0>(), 3:int32)) store(elem(x, add(at, 4:int32)), "
        "convert<int64>(u))\n"
        "  v = subgroup_add(1:int64) store(elem(x, add(at, 5:int32)), v)\n"
        "  v = subgroup_min(convert<int64>(local_id<0>())) store(elem(x, add(at, 6:int32)), v)\n"
        "  v = subgroup_max(convert<int64>(local_id<0>())) store(elem(x, add(at, 7:int32)), v)\n"
        "  v = subgroup_scan_add(2:int64) store(elem(x, add(at, 8:int32)), v)\n"
        "  v = subgroup_scan_min(neg(convert<int64>(local_id<0>()))) store(elem(x, add(at, "
        "9:int32)), v)\n"
        "  v = subgroup_scan_max(convert<int64>(local_id<0>())) store(elem(x, add(at, 10:int32)), "
        "v)\n"
        "  store(elem(x, add(at, 11:int32)), convert<int64>(add(mul(lane(), 100:int32), "
        "subgroup_size())))\n"
        "}\n";
    int64_t x[40][12] = {{0}}, *px = x[0];
    assert_true(launch(*state, text, one_group, (int32_t[]){40, 1, 1}, (const void *[]){&px}));
    for (int i = 0; i < 40; i++) {
        int first = i < 32 ? 0 : 32, lanes = i < 32 ? 32 : 8, lane = i - first;
        assert_int_equal(x[i][0], first + 3);
        assert_int_equal(x[i][1], i ^ 1);
        assert_int_equal(x[i][2], lane < 2 ? i : i - 2);
        assert_int_equal(x[i][3], lane + 2 < lanes ? i + 2 : i);
        assert_int_equal(x[i][4], first ? 0 : 7);
        assert_int_equal(x[i][5], lanes);
        assert_int_equal(x[i][6], first);
        assert_int_equal(x[i][7], first + lanes - 1);
        assert_int_equal(x[i][8], 2 * (lane + 1));
        assert_int_equal(x[i][9], -i);
        assert_int_equal(x[i][10], i);
        assert_int_equal(x[i][11], 100 * lane + 32);
    }
}

/* The first work-item waits for the last: atomics let the others run. */
static void waiting(void **state)
{
    static const char text[] =
        "cir 1\n"
        "entry kernel func k(x: int32 global*) {\n"
        "  var seen: int32\n"
        "  if eq(local_id<0>(), 0:int32) {\n"
        "    while eq(seen, 0:int32) { seen = atomic_load<acquire, group>(x) }\n"
        "    store(elem(x, 1:int32), seen)\n"
        "  } else { if eq(local_id<0>(), sub(local_size<0>(), 1:int32)) { atomic_store<release, "
        "group>(x, 7:int32) } }\n"
        "}\n";
    int32_t x[2] = {0}, *px = x;
    assert_true(launch(*state, text, one_group, (int32_t[]){5, 1, 1}, (const void *[]){&px}));
    assert_int_equal(x[1], 7);
    x[0] = 0;
    assert_false(launch(*state, text, one_group, (int32_t[]){0, 1, 1}, (const void *[]){&px}));
    assert_string_equal(first_error(*state), "launching 'k': a group has 1 to 1024 work-items");
}

static void fails(world *w, const char *body, const char *message)
{
    char text[1024];
    snprintf(text, sizeof text,
             "cir 1\nentry kernel func k(x: int32 global*) {\n  var i: int32\n%s\n}\nfunc deep(i: "
             "int32) { call deep(i) }\n",
             body);
    int32_t x[2] = {0}, *px = x;
    w->c.diags = (diag_list){.arena = &w->c.arena};
    assert_false(launch(w, text, one_group, (int32_t[]){4, 1, 1}, (const void *[]){&px}));
    assert_non_null(strstr(first_error(w), message));
}

static void undefined(void **state)
{
    fails(*state, "if lt(local_id<0>(), 2:int32) { barrier<local>() }",
          "interpreting 'k': barrier: not all work-items of the group reach the barrier");
    fails(*state, "if lt(local_id<0>(), 2:int32) { barrier<local>() } else { barrier<local>() }",
          "interpreting 'k': barrier: the work-items of a group wait at different barriers");
    fails(*state,
          "if lt(local_id<0>(), 2:int32) { i = shuffle(i, 0:int32) } else { i = shuffle_up(i, "
          "1:int32) }",
          "interpreting 'k': shuffle_up: the lanes of a sub-group run different operations");
    fails(*state,
          "if lt(local_id<0>(), 2:int32) { i = shuffle(i, 0:int32) } else { barrier<local>() }",
          "interpreting 'k': barrier: not all work-items of the group reach the barrier");
    fails(*state, "while true { i = atomic_load<relaxed, group>(x) }", "too many steps");
    fails(*state, "call deep(i)", "interpreting 'deep': call: calls nest too deeply");
}

static void only_kernels(void **state)
{
    assert_false(
        launch(*state, "cir 1\nentry func f() { }\n", one_group, (int32_t[]){1, 1, 1}, NULL));
    assert_string_equal(first_error(*state), "launching 'f': it is no kernel");
}

/* Memory that runs out in a work-item unwinds the launch, stacks included. */
static void out_of_memory(void **state)
{
    static const char text[] = "cir 1\n"
                               "entry kernel func k(x: int32 global*) { call big(x) }\n"
                               "func big(x: int32 global*) { var m: int32[200000] store(x, "
                               "load(item(addr(m), 5:int32))) }\n";
    world *w = *state;
    int32_t x[2] = {9, 9}, *px = x, failures = 0;
    bool done = false;
    for (long n = 1; !done && n < 1000; n++) {
        w->flaky.fail_at = w->flaky.requests + n;
        done = launch(w, text, one_group, (int32_t[]){8, 1, 1}, (const void *[]){&px});
        assert_null(w->c.diags.first);
        failures += !done;
    }
    assert_true(done);
    assert_int_equal(x[0], 0);
    assert_true(failures > 8); /* each work-item's variables at least */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(subgroups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(waiting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(undefined, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_kernels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(out_of_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("interp_group", tests, NULL, NULL);
}
