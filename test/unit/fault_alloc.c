/*
 * Every request for memory that the library makes fails in turn, alone and with all behind it, in
 * each of the scenarios of fault_alloc_*.c: the call answers CPL_ENOMEM (or succeeds, where nothing
 * is lost), the same call with memory then succeeds on the same objects, and in the end no byte is
 * left. Call sites are counted by the linker's --wrap around the allocation funnel. Requests that
 * come by the same calls fail in the same way: of those of a scenario the first fails and the last,
 * and each in full runs.
 */
#include "fault_alloc.h"
#include "trail.h"

#include "runtime/runtime.h"

/* Call sites: return addresses of the outermost function of the funnel. */

enum { MOST_SITES = 1024, MOST_SCENARIOS = 100 };
static struct {
    atomic_uintptr_t address;
    atomic_bool failed;
} sites[MOST_SITES];
static _Thread_local uintptr_t site;
extern const char __executable_start; /* the linker's */

static void note_site(bool failed)
{
    if (!site) return;
    size_t i = site % MOST_SITES;
    for (;; i = (i + 1) % MOST_SITES) {
        uintptr_t there = 0;
        if (atomic_compare_exchange_strong(&sites[i].address, &there, site) || there == site) break;
    }
    if (failed) atomic_store(&sites[i].failed, true);
}

static void note_request(bool failed)
{
    note_site(failed);
    trail_note();
}

void *__real_mem_realloc(const mem *m, void *block, size_t old_size, size_t new_size);
void *__real_mem_zalloc(const mem *m, size_t size);
char *__real_mem_strdup(const mem *m, const char *text);
void *__wrap_mem_realloc(const mem *m, void *block, size_t old_size, size_t new_size);
void *__wrap_mem_zalloc(const mem *m, size_t size);
char *__wrap_mem_strdup(const mem *m, const char *text);

void *__wrap_mem_realloc(const mem *m, void *block, size_t old_size, size_t new_size)
{
    bool outermost = !site; /* they call each other */
    if (outermost) site = (uintptr_t)__builtin_return_address(0);
    void *p = __real_mem_realloc(m, block, old_size, new_size);
    if (outermost) site = 0;
    return p;
}

void *__wrap_mem_zalloc(const mem *m, size_t size)
{
    bool outermost = !site; /* they call each other */
    if (outermost) site = (uintptr_t)__builtin_return_address(0);
    void *p = __real_mem_zalloc(m, size);
    if (outermost) site = 0;
    return p;
}

char *__wrap_mem_strdup(const mem *m, const char *text)
{
    bool outermost = !site; /* they call each other */
    if (outermost) site = (uintptr_t)__builtin_return_address(0);
    char *p = __real_mem_strdup(m, text);
    if (outermost) site = 0;
    return p;
}

static void open_world(world *w, const scenario *s)
{
    w->said.n = 0;
    setenv("CPL_CACHE", s->cache ? "1" : "0", 1);
    if (s->bare) return;
    w->cx = fault_context(&w->heap, &w->said);
    assert_int_equal(cpl_context_set_option(w->cx, "opt_level", s->opt_level), CPL_OK);
    assert_int_equal(cpl_context_set_option(w->cx, "tiers", s->tiers), CPL_OK);
    assert_int_equal(cpl_context_set_option(w->cx, "num_threads", 1), CPL_OK);
    if (s->checked) assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    if (s->text) w->m = fault_module(w->cx, s->text);
}

static void close_world(world *w)
{
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
    w->m = NULL;
    w->cx = NULL;
    if (atomic_load(&w->heap.live)) fail_msg("%ld bytes are left", atomic_load(&w->heap.live));
}

/* Fails the n-th request of the scenario; false when it makes fewer. */
static bool fail_one(const scenario *s, world *w, long n, bool persistent)
{
    if (!w->cx) open_world(w, s);
    fault_arm(&w->heap, n, persistent);
    cpl_status status = s->act(w);
    long failed = atomic_load(&w->heap.failed);
    fault_arm(&w->heap, 0, false);
    if (status != s->expected && status != CPL_ENOMEM)
        fail_msg("%s, request %ld: status %d: %s", s->name, n, status, w->said.text);
    if (!failed && status != s->expected)
        fail_msg("%s: status %d without a failure: %s", s->name, status, w->said.text);
    status = s->act(w);
    if (status != s->expected)
        fail_msg("%s, after request %ld failed: status %d: %s", s->name, n, status, w->said.text);
    if (s->fresh || !failed) close_world(w);
    return failed > 0;
}

static long requests;
static size_t scenarios;

/* Lists the requests of a scenario on a world of its own. */
static void list_requests(const scenario *s, world *w)
{
    open_world(w, s);
    fault_arm(&w->heap, 0, false);
    trail_begin();
    assert_int_equal(s->act(w), s->expected);
    trail_end();
    close_world(w);
    assert_true(trail_count() <= TRAIL_MOST);
}

/* Alone each request that trail_is_new fails, and a fifth of those with all behind it: that is the
 * same for most. With tiers a second thread asks too, and a cache is by turns filled and read:
 * there a list is of one run alone. */
static bool is_tried(const scenario *s, long n, bool persistent)
{
    if (test_rounds(0, 1)) return true;
    return (!persistent || n % 5 == 1) && (s->tiers || s->cache || trail_is_new(n));
}

/* A second thread asks too where there are tiers, so that a run without a failure may be chance. */
static void fail_each(void **state)
{
    const scenario *s = *state;
    world *w = calloc(1, sizeof *w);
    w->heap.seen = note_request;
    fault_folder(w->folder);
    setenv("CPL_CACHE_DIR", w->folder, 1);
    list_requests(s, w);
    bool by_turns = s->cache && s->fresh;
    for (int round = 0; round < 2 + by_turns; round++) {
        int persistent = round == 1;
        long n = 1, tried = 0;
        for (int quiet = 0; quiet < (s->tiers ? 20 : 1); n++) {
            if (!is_tried(s, n, persistent)) continue;
            /* by turns filled and read, by each of them once */
            if (by_turns && tried % 2 == (round == 2))
                fault_remove(w->folder), mkdir(w->folder, 0700);
            quiet += !fail_one(s, w, n, persistent);
            tried++;
            assert_true(n < TRAIL_MOST);
        }
        requests += tried;
        if (n < 3) fail_msg("%s: no request was made", s->name);
    }
    fault_remove(w->folder);
    free(w);
}

static void write_figures(void)
{
    int seen = 0, failed = 0;
    for (int i = 0; i < MOST_SITES; i++) {
        seen += atomic_load(&sites[i].address) != 0;
        failed += atomic_load(&sites[i].failed);
        if (atomic_load(&sites[i].address) && !atomic_load(&sites[i].failed))
            print_message("never failed: %p\n", (void *)atomic_load(&sites[i].address));
    }
    fault_figures("alloc",
                  "\"sites_seen\": %d, \"sites_failed\": %d, \"percent\": %d, \"requests_failed\": "
                  "%ld, \"scenarios\": %zu",
                  seen, failed, seen ? 100 * failed / seen : 0, requests, scenarios);
    const char *folder = getenv("CPL_TRUST_DIR");
    char path[1024];
    snprintf(path, sizeof path, "%s/alloc-sites.txt", folder ? folder : "");
    FILE *f = folder ? fopen(path, "w") : NULL;
    for (int i = 0; f && i < MOST_SITES; i++)
        if (atomic_load(&sites[i].address))
            fprintf(f, "%lx %d\n",
                    (unsigned long)(atomic_load(&sites[i].address) -
                                    (uintptr_t)&__executable_start),
                    atomic_load(&sites[i].failed));
    if (f) fclose(f);
    assert_int_equal(failed, seen);
    assert_true(seen > 40);
}

static void every_site_failed(void **state)
{
    (void)state;
    write_figures();
}

int main(void)
{
    static const scenario *const tables[] = {fault_alloc_modules, fault_alloc_launches,
                                             fault_alloc_algorithms};
    static struct CMUnitTest tests[MOST_SCENARIOS + 1];
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const scenario *s = tables[i]; s->name; s++) {
            if (scenarios == MOST_SCENARIOS) return EXIT_FAILURE;
            tests[scenarios++] =
                (struct CMUnitTest){s->name, fail_each, NULL, NULL, (void *)(uintptr_t)s};
        }
    tests[scenarios] = (struct CMUnitTest)cmocka_unit_test(every_site_failed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
