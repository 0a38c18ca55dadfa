/* Forks of every small number of rounds, by every schedule, on 1 to 8 threads: each round is run
 * once, and none past the end. */
#include "host.h"
#include "libomp_leaks.h"
#include "pool.h"

enum { ROUNDS = 41, THREADS = 8, PAST = 24 };

static const struct {
    const char *name;
    int chunk;
} schedules[] = {{"static", 0},  {"static", 1},  {"static", 2}, {"static", 3}, {"static", 40},
                 {"dynamic", 0}, {"dynamic", 3}, {"guided", 0}, {"guided", 5}};

static void write_functions(strbuf *sb)
{
    sb_put(sb, "cir 1\nfunc work(runs: uint8*, first: int64, end: int64) {\n  var i: int64\n"
               "  for i in (first, end, 1:int64) {\n"
               "    store(elem(runs, i), add(load(elem(runs, i)), 1:uint8))\n  }\n}\n");
    for (size_t s = 0; s < COUNT_OF(schedules); s++)
        for (int k = 1; k <= THREADS; k++)
            sb_printf(sb,
                      "entry func f%zu_%d(n: int64, runs: uint8*) {\n"
                      "  fork work(runs, n) schedule(%s, %d) threads(%d)\n}\n",
                      s, k, schedules[s].name, schedules[s].chunk, k);
}

static void check(code *c, size_t s, int threads)
{
    char name[32];
    snprintf(name, sizeof name, "f%zu_%d", s, threads);
    void *address = host_symbol(c, name);
    void (*fn)(int64_t, uint8_t *);
    memcpy(&fn, &address, sizeof fn);
    for (int64_t n = -1; n < ROUNDS; n++) {
        uint8_t runs[PAST + ROUNDS + PAST] = {0};
        fn(n, runs + PAST);
        for (int i = 0; i < (int)COUNT_OF(runs); i++)
            if (runs[i] != (i >= PAST && i < PAST + n))
                fail_msg("schedule(%s, %d), %d threads, %d rounds: round %d was run %d times",
                         schedules[s].name, schedules[s].chunk, threads, (int)n, i - PAST, runs[i]);
    }
}

static void check_all(abi_place *place)
{
    strbuf text;
    sb_init(&text, &mem_libc);
    write_functions(&text);
    code_loader *l = host_loader();
    code *c = host_load_at(l, text.at, text.n, 1, place);
    for (size_t s = 0; s < COUNT_OF(schedules); s++)
        for (int k = 1; k <= THREADS; k++) check(c, s, k);
    code_unload(l, c);
    code_loader_free(l);
    sb_free(&text);
}

static void every_round_once(void **unused)
{
    (void)unused;
    check_all(NULL);
}

/* The same on threads of the host's, at once, in turn, and by a pool that has fewer of them. */
static void on_threads_of_the_host(void **unused)
{
    (void)unused;
    pool p;
    pool_begin(&p);
    const cpl_threads ways[] = {{sizeof *ways, pool_run, &p, THREADS},
                                {sizeof *ways, pool_run_in_turn, &p, THREADS},
                                {sizeof *ways, pool_run_in_turn, &p, 3}};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        abi_place place = ABI_PLACE_OF(ways[i]);
        check_all(&place);
    }
    pool_end(&p);
    assert_true(p.runs > 0 && p.most == THREADS && p.inside == 0);
}

int main(void)
{
    setenv("KMP_BLOCKTIME", "0", 1); /* more threads than cores: none spins */
    setenv("OMP_DYNAMIC", "false", 1);
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_round_once),
                                       cmocka_unit_test(on_threads_of_the_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
