/* The allocation funnel and the arena: alignment, growth, and what happens when memory runs out at
 * any request. */
#include "unit.h"

#include "lib/support/support.h"

static void mem_passes_sizes_and_zeroes(void **state)
{
    (void)state;
    flaky f = {0};
    mem m = {flaky_alloc, &f};
    char *block = mem_zalloc(&m, 100);
    for (int i = 0; i < 100; i++) assert_int_equal(block[i], 0);
    assert_int_equal(f.live_bytes, 100);
    block = mem_realloc(&m, block, 100, 300);
    assert_int_equal(f.live_bytes, 300);
    mem_free(&m, block, 300);
    mem_free(&m, NULL, 0);
    char *text = mem_strdup(&m, "axpb");
    assert_string_equal(text, "axpb");
    mem_free(&m, text, 5);
    assert_int_equal(f.live_bytes, 0);
    assert_null(mem_realloc(&m, NULL, 0, SIZE_MAX));
}

static void arena_returns_zeroed_aligned_distinct(void **state)
{
    (void)state;
    flaky f = {0};
    mem m = {flaky_alloc, &f};
    jmp_buf oom;
    arena a;
    arena_init(&a, &m, &oom);
    if (setjmp(oom)) fail_msg("no memory");
    unsigned char *blocks[400];
    size_t sizes[400];
    for (int i = 0; i < 400; i++) {
        /* some past a chunk's half */
        sizes[i] = (size_t)(i * 37 % 1000 + (i % 50 == 0 ? 300000 : 0));
        blocks[i] = arena_alloc(&a, sizes[i]);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        for (size_t j = 0; j < sizes[i]; j++) assert_int_equal(blocks[i][j], 0);
        memset(blocks[i], i & 255, sizes[i]);
    }
    for (int i = 0; i < 400; i++)
        for (size_t j = 0; j < sizes[i]; j++) assert_int_equal(blocks[i][j], i & 255);
    arena_free(&a);
    assert_int_equal(f.live_bytes, 0);
}

static void arena_copies_and_formats(void **state)
{
    (void)state;
    jmp_buf oom;
    arena a;
    arena_init(&a, &mem_libc, &oom);
    if (setjmp(oom)) fail_msg("no memory");
    assert_string_equal(arena_strdup(&a, "kernel"), "kernel");
    assert_string_equal(arena_strndup(&a, "kernel", 3), "ker");
    assert_string_equal(arena_strndup(&a, "", 0), "");
    assert_string_equal(arena_printf(&a, "%s:%d", "f.py", 12), "f.py:12");
    assert_non_null(arena_array(&a, 0, 8));
    arena_free(&a);
}

static void arena_array_overflow_jumps(void **state)
{
    (void)state;
    jmp_buf oom;
    arena a;
    arena_init(&a, &mem_libc, &oom);
    volatile int jumps = 0;
    if (setjmp(oom) == 0) arena_array(&a, SIZE_MAX / 4, 8);
    else jumps++;
    if (setjmp(oom) == 0) arena_alloc(&a, SIZE_MAX - 3);
    else jumps++;
    assert_int_equal(jumps, 2);
    arena_free(&a);
}

/* Fills containers of every kind; returns false when it ran out of memory. */
static bool fill(arena *a, jmp_buf *oom)
{
    if (setjmp(*oom)) return false;
    VEC(int) v = {0};
    map m = {0};
    for (int i = 0; i < 20000; i++) {
        vec_push(a, &v, i);
        if (i % 10 == 0) map_put(a, &m, arena_printf(a, "name%d", i), &v);
    }
    return true;
}

static void every_failing_request_jumps_and_leaks_nothing(void **state)
{
    (void)state;
    long failures = 0;
    for (long n = 1;; n++) {
        flaky f = {.fail_at = n};
        mem m = {flaky_alloc, &f};
        jmp_buf oom;
        arena a;
        arena_init(&a, &m, &oom);
        bool done = fill(&a, &oom);
        arena_free(&a);
        assert_int_equal(f.live_bytes, 0);
        if (done) break;
        failures++;
    }
    assert_true(failures > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mem_passes_sizes_and_zeroes),
        cmocka_unit_test(arena_returns_zeroed_aligned_distinct),
        cmocka_unit_test(arena_copies_and_formats),
        cmocka_unit_test(arena_array_overflow_jumps),
        cmocka_unit_test(every_failing_request_jumps_and_leaks_nothing),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
