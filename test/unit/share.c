/* Rounds that are dealt out in shares: each once, whoever asks and when. */
#include "unit.h"

#include "runtime/share.h"

#include <pthread.h>

enum { MOST_ROUNDS = 3000, THREADS = 6 };

static unsigned char done[MOST_ROUNDS];

static void do_rounds(int64_t first, int64_t end, int64_t rounds)
{
    assert_true(0 <= first && first < end && end <= rounds);
    for (int64_t i = first; i < end; i++) done[i]++;
}

static void each_is_done_once(int64_t rounds)
{
    for (int64_t i = 0; i < rounds; i++) assert_int_equal(done[i], 1);
    memset(done, 0, sizeof done);
}

/* All members ask in an order that looks random, until each was told that nothing is left; nobody
 * is told so before. */
static void in_any_order(void **unused)
{
    (void)unused;
    static const int64_t sizes[] = {1,  2,   3,    7,    8,    9,    63,  64,
                                    65, 100, 1023, 1024, 1025, 2048, 2999};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int64_t team = 1; team <= MOST_SHARES + 3; team++) {
            shares all = {0};
            int64_t rounds = sizes[s], first, end, seen = 0;
            for (uint64_t turn = 0; seen < rounds; turn++) {
                int64_t member = (int64_t)(scrambled(turn + (uint64_t)team) % (uint64_t)team);
                assert_true(share_next(&all, member, team, rounds, &first, &end));
                do_rounds(first, end, rounds);
                seen += end - first;
            }
            for (int64_t member = 0; member < team; member++)
                assert_false(share_next(&all, member, team, rounds, &first, &end));
            each_is_done_once(rounds);
        }
}

/* In order, in few pieces, which vectors divide evenly but for the last one. */
static void own_ones_first(void **unused)
{
    (void)unused;
    for (int64_t size = 1; size < 3000; size += 1 + size / 7) {
        shares all = {0};
        int64_t first, end, at = size, team = 4, rounds = team * size;
        int64_t step = size >= 1024 ? 64 : size >= 16 ? 16 : 1, pieces = 0;
        for (; at < 2 * size; at = end, pieces++) {
            assert_true(share_next(&all, 1, team, rounds, &first, &end));
            assert_int_equal(first, at);
            assert_true(end == 2 * size || (end - first) % step == 0);
        }
        assert_true(at == 2 * size && pieces <= 5);
        assert_true(share_next(&all, 1, team, rounds, &first, &end));
        assert_int_equal(first, 2 * size); /* of the next member's */
    }
}

static void numbers_of_any_size(void **unused)
{
    (void)unused;
    static const int64_t sizes[] = {INT64_MAX, INT64_MAX - 1, INT64_C(1) << 62,
                                    (INT64_C(1) << 62) + 1};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int64_t team = 1; team <= MOST_SHARES; team += 21) {
            shares all = {0};
            int64_t first, end, seen = 0;
            while (share_next(&all, team - 1, team, sizes[s], &first, &end)) {
                assert_true(0 <= first && first < end && end <= sizes[s]);
                seen += end - first;
            }
            assert_int_equal(seen, sizes[s]);
        }
}

typedef struct member {
    shares *all;
    int64_t number;
} member;

static void *work(void *data)
{
    member *m = data;
    int64_t first, end;
    while (share_next(m->all, m->number, THREADS, MOST_ROUNDS, &first, &end))
        for (int64_t i = first; i < end; i++) done[i]++;
    return NULL;
}

static void side_by_side(void **unused)
{
    (void)unused;
    for (long round = 0; round < test_rounds(300, 20000); round++) {
        shares all = {0};
        member members[THREADS];
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++) {
            members[i] = (member){&all, i};
            assert_int_equal(pthread_create(&threads[i], NULL, work, &members[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        each_is_done_once(MOST_ROUNDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_any_order),
        cmocka_unit_test(own_ones_first),
        cmocka_unit_test(numbers_of_any_size),
        cmocka_unit_test(side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
