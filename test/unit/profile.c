/* The profile's record: rows, spans in order, what devices answer late or never, memory that runs
 * out, and its files. */
#include "unit.h"

#include "runtime/profile.h"
#include "runtime/runtime.h"

#include <stdio.h>
#include <unistd.h>

/* A context of the test's own: the record asks for no more. */
typedef struct world {
    runtime_state state;
    flaky memory;
    mem mem;
    char said[512];
} world;

static world *of(cpl_context *cx)
{
    return (world *)(void *)cx;
}
void *context_runtime(cpl_context *cx)
{
    return &of(cx)->state;
}
runtime_state *runtime_of(cpl_context *cx)
{
    return &of(cx)->state;
}

const mem *context_mem(cpl_context *cx)
{
    return &of(cx)->mem;
}

cpl_status context_report(cpl_context *cx, cpl_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(of(cx)->said, sizeof of(cx)->said, format, args);
    va_end(args);
    return status;
}

static cpl_context *open_world(world *w)
{
    *w = (world){0};
    w->mem = (mem){flaky_alloc, &w->memory};
    w->state.profile = profile_create(&w->mem);
    assert_non_null(w->state.profile);
    return (cpl_context *)(void *)w;
}

static void close_world(world *w)
{
    profile_free(&w->mem, w->state.profile);
    assert_int_equal(w->memory.live_bytes, 0);
}

static profile_event event(const char *name, uint32_t queue, uint64_t begin, uint64_t end,
                           uint64_t bytes)
{
    return (profile_event){.what = CPL_PROFILE_KERNEL,
                           .name = name,
                           .device = queue ? "cuda:0" : "host",
                           .queue = queue,
                           .bytes = bytes,
                           .begin_ns = begin,
                           .end_ns = end};
}

typedef struct seen {
    cpl_profile_row rows[16];
    cpl_profile_span spans[16];
    size_t row_count, span_count;
} seen;

static void see_row(void *user, const cpl_profile_row *row)
{
    seen *s = user;
    if (s->row_count < 16) s->rows[s->row_count] = *row;
    s->row_count++;
}

static void see_span(void *user, const cpl_profile_span *span)
{
    seen *s = user;
    if (s->span_count < 16) s->spans[s->span_count] = *span;
    s->span_count++;
}

static void rows_and_spans(void **state)
{
    (void)state;
    world w;
    cpl_context *cx = open_world(&w);
    assert_false(profile_on(cx));
    assert_int_equal(profile_now(cx), 0);
    assert_int_equal(cpl_profile_enable(cx, true), CPL_OK);
    assert_true(profile_on(cx) && cpl_profile_enabled(cx));
    const profile_event events[] = {event("a", 0, 0, 10, 100), event("b", 0, 10, 40, 1),
                                    event("a", 0, 40, 44, 100)};
    for (int i = 0; i < 3; i++) profile_add(cx, &events[i]);
    profile_event compile = event("a", 0, 0, 7, 0);
    compile.what = CPL_PROFILE_COMPILE;
    profile_add(cx, &compile);
    assert_int_equal(cpl_profile_enable(cx, false), CPL_OK);
    assert_false(profile_on(cx));
    seen s = {0};
    assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
    assert_int_equal(s.row_count, 2); /* compiling is no row of its own */
    assert_string_equal(s.rows[0].name, "b");
    assert_int_equal(s.rows[1].count, 2);
    assert_int_equal(s.rows[1].device_ns, 14);
    assert_int_equal(s.rows[1].fastest_ns, 4);
    assert_int_equal(s.rows[1].slowest_ns, 10);
    assert_int_equal(s.rows[1].bytes, 200);
    assert_int_equal(s.rows[1].compile_ns, 7);
    assert_int_equal(cpl_profile_each_span(cx, see_span, &s), CPL_OK);
    assert_int_equal(s.span_count, 4);
    assert_string_equal(s.spans[1].name, "b");
    assert_int_equal(s.spans[3].what, CPL_PROFILE_COMPILE);
    cpl_profile_clear(cx);
    s = (seen){0};
    assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
    assert_int_equal(cpl_profile_each_span(cx, see_span, &s), CPL_OK);
    assert_int_equal(s.row_count + s.span_count, 0);
    close_world(&w);
}

/* What a device answers: ns, or 0 for a launch that failed. Counts how often it was asked, and how
 * often it was let go. */
typedef struct answer {
    uint64_t ns;
    int asked, dropped;
} answer;

static bool answer_duration(void *token, uint64_t *ns)
{
    answer *a = token;
    if (!ns) {
        a->dropped++;
        return false;
    }
    a->asked++;
    *ns = a->ns;
    return a->ns > 0;
}

static void late_answers(void **state)
{
    (void)state;
    world w;
    cpl_context *cx = open_world(&w);
    cpl_profile_enable(cx, true);
    /* Two in a row on queue 1, one on queue 2 that starts at once, one that failed. */
    answer answers[] = {{50, 0, 0}, {20, 0, 0}, {5, 0, 0}, {0, 0, 0}};
    const profile_event events[] = {event("first", 1, 100, 0, 8), event("second", 1, 110, 0, 8),
                                    event("other", 2, 110, 0, 8), event("failed", 1, 120, 0, 8)};
    for (int i = 0; i < 4; i++) profile_later(cx, &events[i], answer_duration, &answers[i]);
    seen s = {0};
    assert_int_equal(cpl_profile_each_span(cx, see_span, &s), CPL_OK);
    assert_int_equal(s.span_count, 3);
    assert_int_equal(s.spans[0].begin_ns, 100);
    assert_int_equal(s.spans[1].begin_ns, 150); /* behind the first */
    assert_int_equal(s.spans[1].end_ns, 170);
    assert_int_equal(s.spans[2].begin_ns, 110);
    assert_int_equal(s.spans[2].queue, 2);
    assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
    assert_int_equal(s.row_count, 3);
    for (int i = 0; i < 4; i++) assert_true(answers[i].asked == 1 && answers[i].dropped == 0);
    /* Whoever is not asked is let go: by clear, and with the context. */
    answer cleared = {1, 0, 0}, freed = {1, 0, 0}, dropped = {1, 0, 0};
    profile_later(cx, &events[0], answer_duration, &cleared);
    cpl_profile_clear(cx);
    assert_true(cleared.asked == 0 && cleared.dropped == 1);
    profile_later(cx, &events[0], answer_duration, &dropped);
    profile_drop_pending(cx);
    assert_true(dropped.asked == 0 && dropped.dropped == 1);
    profile_later(cx, &events[0], answer_duration, &freed);
    close_world(&w);
    assert_true(freed.asked == 0 && freed.dropped == 1);
}

/* More answers outstanding than are kept: the oldest are asked for on the way. */
static void many_answers(void **state)
{
    (void)state;
    enum { MANY = 10000 };
    world w;
    cpl_context *cx = open_world(&w);
    cpl_profile_enable(cx, true);
    answer a = {3, 0, 0};
    profile_event e = event("k", 1, 0, 0, 1);
    for (int i = 0; i < MANY; i++) profile_later(cx, &e, answer_duration, &a);
    assert_true(a.asked > 0 && a.asked < MANY);
    seen s = {0};
    assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
    assert_int_equal(a.asked, MANY);
    assert_int_equal(s.rows[0].count, MANY);
    assert_int_equal(s.rows[0].device_ns, 3 * MANY);
    close_world(&w);
}

/* Names that share a bucket, times that are the same, a span that ended before it began: rows stay
 * apart and in one order. */
static void rows_in_order(void **state)
{
    (void)state;
    enum { NAMES = 1000 };
    world w;
    cpl_context *cx = open_world(&w);
    cpl_profile_enable(cx, true);
    cpl_profile_enable(cx, true); /* time goes on from the first */
    for (uint32_t i = 0; i < 2 * NAMES; i++) {
        char name[16];
        snprintf(name, sizeof name, "k%03u", i % NAMES);
        profile_event e = event(name, 0, 10, 11, 1);
        profile_add(cx, &e);
    }
    profile_event backwards = event("backwards", 0, 10, 5, 1),
                  elsewhere = event("k000", 1, 20, 22, 1), copy = event("k001", 0, 20, 22, 1);
    copy.what = CPL_PROFILE_TO_HOST;
    profile_add(cx, &backwards);
    profile_add(cx, &elsewhere);
    profile_add(cx, &copy);
    seen s = {0};
    assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
    assert_int_equal(s.row_count, NAMES + 3);
    assert_string_equal(s.rows[0].name, "k000");
    assert_string_equal(s.rows[0].device, "cuda:0");
    assert_string_equal(s.rows[1].name, "k000");
    assert_string_equal(s.rows[1].device, "host");
    assert_int_equal(s.rows[1].count, 2);
    assert_string_equal(s.rows[2].name, "k001");
    assert_string_equal(s.rows[3].name, "k001");
    assert_int_equal(s.rows[2].count + s.rows[3].count, 3);
    close_world(&w);
}

/* Nothing is recorded, and nothing to show, where there is no profile yet; who asks for nothing is
 * told so. */
static void no_profile(void **state)
{
    (void)state;
    world w;
    cpl_context *cx = open_world(&w);
    profile *p = w.state.profile;
    seen s = {0};
    answer a = {3, 0, 0};
    profile_event e = event("k", 0, 1, 2, 1);
    w.state.profile = NULL;
    assert_false(profile_on(cx) || cpl_profile_enabled(cx));
    profile_add(cx, &e);
    profile_later(cx, &e, answer_duration, &a);
    assert_true(a.asked == 0 && a.dropped == 1);
    profile_drop_pending(cx);
    cpl_profile_clear(cx);
    assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
    assert_int_equal(cpl_profile_each_span(cx, see_span, &s), CPL_OK);
    assert_int_equal(s.row_count + s.span_count, 0);
    w.state.profile = p;
    assert_int_equal(cpl_profile_enable(NULL, true), CPL_EARG);
    assert_false(cpl_profile_enabled(NULL));
    cpl_profile_clear(NULL);
    assert_int_equal(cpl_profile_each_row(NULL, see_row, &s), CPL_EARG);
    assert_int_equal(cpl_profile_each_row(cx, NULL, &s), CPL_EARG);
    assert_int_equal(cpl_profile_each_span(NULL, see_span, &s), CPL_EARG);
    assert_int_equal(cpl_profile_each_span(cx, NULL, &s), CPL_EARG);
    assert_int_equal(cpl_profile_write(NULL, CPL_PROFILE_CSV, "/dev/null"), CPL_EARG);
    assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_CSV, NULL), CPL_EARG);
    /* Rows are copied for the visit; without memory for that there is none. */
    cpl_profile_enable(cx, true);
    profile_add(cx, &e);
    w.memory.fail_at = w.memory.requests + 1;
    assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_ENOMEM);
    assert_int_equal(s.row_count, 0);
    close_world(&w);
}

/* Past a million spans the oldest go, rows keep counting. */
static void many_spans(void **state)
{
    (void)state;
    enum { MANY = 1000005 };
    world w;
    cpl_context *cx = open_world(&w);
    cpl_profile_enable(cx, true);
    for (uint64_t i = 0; i < MANY; i++) {
        profile_event e = event("k", 0, i, i + 1, 0);
        profile_add(cx, &e);
    }
    seen s = {0};
    assert_int_equal(cpl_profile_each_span(cx, see_span, &s), CPL_OK);
    assert_int_equal(s.span_count, 1000000);
    assert_int_equal(s.spans[0].begin_ns, 5);
    assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
    assert_int_equal(s.rows[0].count, MANY);
    close_world(&w);
}

/* What is compiled and never launched is a row, as is what took no time; what a device did not
 * answer for is none. The same once more when all was forgotten. */
static void what_makes_a_row(void **state)
{
    (void)state;
    world w;
    cpl_context *cx = open_world(&w);
    cpl_profile_enable(cx, true);
    for (int again = 0; again < 2; again++) {
        answer failed = {0, 0, 0};
        seen s = {0};
        profile_event compile = event("compiled", 0, 0, 9, 0), late = event("failed", 1, 0, 0, 8),
                      quick = event("quick", 0, 3, 3, 0);
        compile.what = CPL_PROFILE_COMPILE;
        profile_add(cx, &compile);
        profile_add(cx, &quick);
        profile_later(cx, &late, answer_duration, &failed);
        assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
        assert_int_equal(s.row_count, 2);
        assert_string_equal(s.rows[0].name, "compiled");
        assert_int_equal(s.rows[0].what, CPL_PROFILE_KERNEL);
        assert_int_equal(s.rows[0].count, 0);
        assert_int_equal(s.rows[0].compile_ns, 9);
        assert_string_equal(s.rows[1].name, "quick");
        assert_int_equal(s.rows[1].count, 1);
        assert_int_equal(s.rows[1].device_ns + s.rows[1].slowest_ns + s.rows[1].compile_ns, 0);
        cpl_profile_clear(cx);
    }
    close_world(&w);
}

/* The n-th request for memory fails: what is recorded may be short, and then the visit says so. */
static void memory_runs_out(void **state)
{
    (void)state;
    for (long n = 1; n < 30; n++) {
        world w;
        cpl_context *cx = open_world(&w);
        cpl_profile_enable(cx, true);
        w.memory.fail_at = w.memory.requests + n;
        answer a = {3, 0, 0};
        for (uint32_t i = 0; i < 100; i++) {
            char name[16];
            snprintf(name, sizeof name, "k%u", i % 3);
            profile_event e = event(name, i % 20, i, i + 1, 0);
            if (i % 2) profile_add(cx, &e);
            else profile_later(cx, &e, answer_duration, &a);
        }
        w.memory.fail_at = 0;
        seen s = {0};
        cpl_status status = cpl_profile_each_row(cx, see_row, &s);
        uint64_t count = 0;
        for (size_t i = 0; i < s.row_count; i++) count += s.rows[i].count;
        assert_int_equal(status, count == 100 ? CPL_OK : CPL_ENOMEM);
        assert_int_equal(a.asked + a.dropped, 50);
        cpl_profile_clear(cx); /* what was lost is forgotten with the rest */
        profile_event e = event("k0", 0, 0, 5, 7);
        profile_add(cx, &e);
        s = (seen){0};
        assert_int_equal(cpl_profile_each_row(cx, see_row, &s), CPL_OK);
        assert_int_equal(cpl_profile_each_span(cx, see_span, &s), CPL_OK);
        assert_int_equal(s.row_count, 1);
        assert_int_equal(s.span_count, 1);
        assert_int_equal(s.rows[0].count, 1);
        assert_int_equal(s.rows[0].bytes, 7);
        close_world(&w);
    }
}

static void read_back(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void files(void **state)
{
    (void)state;
    world w;
    char text[4096], path[] = "/tmp/cpl-profile-XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    cpl_context *cx = open_world(&w);
    cpl_profile_enable(cx, true);
    profile_event e = event("odd \"name\", \\here", 0, 1500, 2001500, 4000000);
    profile_add(cx, &e);
    assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_CSV, path), CPL_OK);
    read_back(path, text, sizeof text);
    assert_non_null(strstr(text,
                           "\nkernel,\"odd \"\"name\"\", "
                           "\\here\",host,1,2.000000,2.000000,2.000000,4000000,2.000,0.000000,\n"));
    assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_JSON, path), CPL_OK);
    read_back(path, text, sizeof text);
    assert_non_null(
        strstr(text,
               "\"name\": \"odd \\\"name\\\", \\\\here\", \"device\": \"host\", \"count\": 1"));
    assert_non_null(strstr(text, "\"begin_ns\": 1500, \"end_ns\": 2001500"));
    assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_TRACE, path), CPL_OK);
    read_back(path, text, sizeof text);
    assert_non_null(strstr(text, "\"ts\": 1.500, \"dur\": 2000.000"));
    assert_non_null(
        strstr(text, "\"process_name\", \"pid\": 1, \"tid\": 0, \"args\": {\"name\": \"host\"}"));
    assert_int_equal(cpl_profile_write(cx, (cpl_profile_format)9, path), CPL_EARG);
    assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_CSV, "/nowhere/p.csv"), CPL_EIO);
    assert_string_equal(w.said, "/nowhere/p.csv cannot be written: No such file or directory");
    assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_CSV, "/dev/full"), CPL_EIO);
    unlink(path);
    close_world(&w);
}

/* A record that was visited and forgotten is written as it was before. */
static void kept_files(void **state)
{
    (void)state;
    world w;
    char before[4096], after[4096], path[] = "/tmp/cpl-profile-XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    cpl_context *cx = open_world(&w);
    cpl_profile_enable(cx, true);
    for (uint64_t i = 0; i < 5; i++) {
        profile_event e = event(i % 2 ? "a" : "b", (uint32_t)i % 3, i, 2 * i + 1, 100);
        profile_add(cx, &e);
    }
    seen s = {0};
    cpl_profile_each_row(cx, see_row, &s);
    cpl_profile_each_span(cx, see_span, &s);
    cpl_profile_records kept = {sizeof kept, s.rows, s.row_count, s.spans, s.span_count};
    for (int format = CPL_PROFILE_CSV; format <= CPL_PROFILE_TRACE; format++) {
        assert_int_equal(cpl_profile_write(cx, (cpl_profile_format)format, path), CPL_OK);
        read_back(path, before, sizeof before);
        assert_int_equal(cpl_profile_write_records(cx, &kept, (cpl_profile_format)format, path),
                         CPL_OK);
        read_back(path, after, sizeof after);
        assert_string_equal(before, after);
    }
    assert_int_equal(cpl_profile_write_records(cx, NULL, CPL_PROFILE_CSV, path), CPL_EARG);
    s.rows[1].what = (cpl_profile_what)77;
    s.spans[1].name = NULL;
    assert_int_equal(cpl_profile_write_records(cx, &kept, CPL_PROFILE_CSV, path), CPL_EARG);
    assert_int_equal(cpl_profile_write_records(cx, &kept, CPL_PROFILE_TRACE, path), CPL_EARG);
    s.rows[1].size = 3;
    assert_int_equal(cpl_profile_write_records(cx, &kept, CPL_PROFILE_CSV, path), CPL_EARG);
    read_back(path, after, sizeof after);
    assert_string_equal(before, after); /* what was there stays */
    unlink(path);
    close_world(&w);
}

/* Each queue of each device is named once, in whatever order they come. */
static void tracks_of_devices(void **state)
{
    (void)state;
    enum { DEVICES = 3, QUEUES = 3, ORDERS = 6, ALL = DEVICES * QUEUES };
    static const char *const devices[] = {"host", "cuda:0", "opencl:0"},
                             *const queues[] = {"calling thread", "queue 1", "queue 2"};
    static const int steps[ORDERS] = {1, 2, 4, 5, 7, 8}; /* each has all of them */
    static char text[1 << 16];
    for (int order = 0; order < ORDERS; order++) {
        world w;
        char path[] = "/tmp/cpl-profile-XXXXXX", name[128];
        int handle = mkstemp(path), processes[DEVICES] = {0}, named = 0;
        assert_true(handle >= 0);
        close(handle);
        cpl_context *cx = open_world(&w);
        cpl_profile_enable(cx, true);
        for (int i = 0; i < 2 * ALL; i++) {
            int k = i * steps[order] % ALL, d = k % DEVICES;
            profile_event e = event("k", (uint32_t)(k / DEVICES), (uint64_t)i, (uint64_t)i + 1, 1);
            e.device = devices[d];
            profile_add(cx, &e);
            if (!processes[d]) processes[d] = ++named;
        }
        assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_TRACE, path), CPL_OK);
        read_back(path, text, sizeof text);
        for (int d = 0; d < DEVICES; d++)
            for (int q = 0; q < QUEUES; q++) {
                snprintf(name, sizeof name,
                         "\"thread_name\", \"pid\": %d, \"tid\": %d, \"args\": {\"name\": \"%s\"}}",
                         processes[d], q, queues[q]);
                const char *at = strstr(text, name);
                if (!at || strstr(at + 1, name)) fail_msg("order %d: %s\n%s", order, name, text);
            }
        unlink(path);
        close_world(&w);
    }
}

/* More devices and queues than a trace names: the last stand for the others. Texts of all sorts; a
 * disk that is full. */
static void large_files(void **state)
{
    (void)state;
    world w;
    static char text[1 << 20];
    char path[] = "/tmp/cpl-profile-XXXXXX";
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    cpl_context *cx = open_world(&w);
    cpl_profile_enable(cx, true);
    for (uint32_t i = 0; i < 600; i++) {
        char device[16];
        snprintf(device, sizeof device, "cuda:%u", i % 100);
        profile_event e = event("tab\tand \x01", i % 300, 10, 10, 1);
        e.device = device;
        profile_add(cx, &e);
    }
    assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_TRACE, path), CPL_OK);
    read_back(path, text, sizeof text);
    int processes = 0, threads = 0;
    for (const char *at = text; (at = strstr(at, "\"process_name\"")); at++) processes++;
    for (const char *at = text; (at = strstr(at, "\"thread_name\"")); at++) threads++;
    assert_int_equal(processes, 64);
    assert_int_equal(threads, 256);
    assert_non_null(
        strstr(text, "\"name\": \"tab\\u0009and \\u0001\", \"cat\": \"kernel\", \"pid\": 64"));
    assert_int_equal(cpl_profile_write(cx, CPL_PROFILE_CSV, path), CPL_OK);
    read_back(path, text, sizeof text);
    /* no time, no rate */
    assert_non_null(strstr(text, ",6,0.000000,0.000000,0.000000,6,0.000,0.000000,\n"));
    for (int format = CPL_PROFILE_CSV; format <= CPL_PROFILE_TRACE; format++)
        assert_int_equal(cpl_profile_write(cx, (cpl_profile_format)format, "/dev/full"), CPL_EIO);
    assert_string_equal(w.said, "/dev/full cannot be written: No space left on device");
    unlink(path);
    close_world(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_spans),   cmocka_unit_test(late_answers),
        cmocka_unit_test(many_answers),     cmocka_unit_test(many_spans),
        cmocka_unit_test(memory_runs_out),  cmocka_unit_test(files),
        cmocka_unit_test(what_makes_a_row), cmocka_unit_test(kept_files),
        cmocka_unit_test(rows_in_order),    cmocka_unit_test(no_profile),
        cmocka_unit_test(large_files),      cmocka_unit_test(tracks_of_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
