/* vec, map, strbuf, hash, file, suggest and thread. */
#include "unit.h"

#include "lib/support/support.h"
#include "lib/support/thread.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static jmp_buf oom;
static arena memory;

static int set_up(void **state)
{
    (void)state;
    arena_init(&memory, &mem_libc, &oom);
    return setjmp(oom);
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&memory);
    return 0;
}

static void vec_keeps_items_while_growing(void **state)
{
    (void)state;
    typedef struct {
        int a;
        double b;
    } pair;
    VEC(pair) v = {0};
    for (int i = 0; i < 5000; i++) vec_push(&memory, &v, ((pair){i, i * 0.5}));
    assert_int_equal(v.n, 5000);
    assert_true(v.capacity >= v.n);
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(v.at[i].a, i);
        assert_true(v.at[i].b == i * 0.5);
    }
}

static void map_finds_replaces_and_keeps_order(void **state)
{
    (void)state;
    map m = {0};
    static int values[3000];
    assert_null(map_get(&m, "n0"));
    for (int i = 0; i < 3000; i++)
        map_put(&memory, &m, arena_printf(&memory, "n%d", i), &values[i]);
    for (int i = 0; i < 3000; i++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        assert_ptr_equal(map_get(&m, name), &values[i]);
        assert_string_equal(m.entries[i].key, name);
    }
    assert_null(map_get(&m, "n3000"));
    assert_null(map_get(&m, ""));
    map_put(&memory, &m, "n7", &values[8]);
    assert_int_equal(m.n, 3000);
    assert_ptr_equal(map_get(&m, "n7"), &values[8]);
    assert_string_equal(m.entries[7].key, "n7");
}

static void hash_depends_on_bytes_and_seed(void **state)
{
    (void)state;
    assert_true(hash_bytes("abc", 3, 0) == hash_bytes("abc", 3, 0));
    assert_true(hash_bytes("abc", 3, 0) != hash_bytes("abd", 3, 0));
    assert_true(hash_bytes("abc", 3, 0) != hash_bytes("abc", 3, 1));
    assert_true(hash_bytes("a\0b", 3, 0) != hash_bytes("a\0c", 3, 0));
    assert_true(hash_bytes("abc", 3, 0) != hash_bytes("abc", 2, 0));
}

static void strbuf_grows_and_formats(void **state)
{
    (void)state;
    strbuf sb;
    sb_init(&sb, &mem_libc);
    for (int i = 0; i < 1000; i++) sb_printf(&sb, "%d,", i);
    sb_put(&sb, "end");
    sb_putc(&sb, '!');
    sb_putn(&sb, "xyz", 2);
    assert_false(sb.failed);
    assert_int_equal(sb.n, strlen(sb.at));
    assert_string_equal(sb.at + sb.n - 10, "999,end!xy");
    sb_free(&sb);
}

static void strbuf_marks_failure_and_stops(void **state)
{
    (void)state;
    flaky f = {.fail_at = 2};
    mem m = {flaky_alloc, &f};
    strbuf sb;
    sb_init(&sb, &m);
    for (int i = 0; i < 1000; i++) sb_printf(&sb, "line %d\n", i);
    assert_true(sb.failed);
    size_t n = sb.n;
    sb_put(&sb, "more");
    assert_int_equal(sb.n, n);
    sb_free(&sb);
    assert_int_equal(f.live_bytes, 0);
}

static void expect_float(double value, cpl_dtype dtype, const char *text)
{
    strbuf sb;
    sb_init(&sb, &mem_libc);
    sb_float(&sb, value, dtype);
    assert_string_equal(sb.at, text);
    sb_free(&sb);
}

static void floats_print_shortest(void **state)
{
    (void)state;
    expect_float(0.1, CPL_FLOAT64, "0.1");
    expect_float(0.1f, CPL_FLOAT32, "0.1");
    expect_float(1.0 / 3, CPL_FLOAT64, "0.3333333333333333");
    expect_float(1.0f / 3, CPL_FLOAT32, "0.33333334");
    expect_float(9.95, CPL_FLOAT64, "9.95"); /* 9.949999999999999 in 16 digits */
    expect_float(2, CPL_FLOAT64, "2.0");
    expect_float(-0.0, CPL_FLOAT64, "-0.0");
    expect_float(1e300, CPL_FLOAT64, "1e+300");
    expect_float(NAN, CPL_FLOAT64, "nan");
    expect_float(INFINITY, CPL_FLOAT32, "inf");
    expect_float(-INFINITY, CPL_FLOAT64, "-inf");
}

static void floats_read_back_alike(void **state)
{
    (void)state;
    uint64_t seed = 0x243f6a8885a308d3;
    for (int i = 0; i < 20000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double d;
        memcpy(&d, &seed, sizeof d);
        if (!isfinite(d)) continue;
        strbuf sb;
        sb_init(&sb, &mem_libc);
        sb_float(&sb, d, CPL_FLOAT64);
        assert_true(strtod(sb.at, NULL) == d);
        sb.n = 0;
        uint32_t bits = (uint32_t)(seed >> 32);
        float f;
        memcpy(&f, &bits, sizeof f);
        if (isfinite(f)) {
            sb_float(&sb, f, CPL_FLOAT32);
            assert_true(strtof(sb.at, NULL) == f);
        }
        sb_free(&sb);
    }
}

static void file_is_read_whole(void **state)
{
    (void)state;
    char path[] = "/tmp/cpl-unit-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a\0b\n", 4), 4);
    close(fd);
    char *text;
    size_t size;
    assert_int_equal(file_read(&mem_libc, path, 4, &text, &size), CPL_OK);
    assert_int_equal(size, 4);
    assert_memory_equal(text, "a\0b\n", 5);
    mem_free(&mem_libc, text, size + 1);
    assert_int_equal(file_read(&mem_libc, path, 3, &text, &size), CPL_ELIMIT);
    unlink(path);
    assert_int_equal(file_read(&mem_libc, path, 4, &text, &size), CPL_EIO);
    assert_int_equal(file_read(&mem_libc, "/tmp", 4, &text, &size), CPL_EIO);
}

/* Neither the end of memory nor the limit is waited out where a file has no end. */
static void endless_files_are_not_read_to_the_end(void **state)
{
    (void)state;
    char *text = (char *)1;
    size_t size = 1;
    assert_int_equal(file_read(&mem_libc, "/dev/zero", 1 << 20, &text, &size), CPL_ELIMIT);
    assert_null(text);
    assert_int_equal(size, 0);
    flaky few = {.fail_at = 5};
    mem m = {flaky_alloc, &few};
    assert_int_equal(file_read(&m, "/dev/zero", SIZE_MAX, &text, &size), CPL_ENOMEM);
    assert_null(text);
    assert_int_equal(few.live_bytes, 0);
    assert_int_equal(file_read(&mem_libc, "/dev/null", 0, &text, &size), CPL_OK);
    assert_int_equal(size, 0);
    assert_string_equal(text, "");
    mem_free(&mem_libc, text, 1);
}

static void read_back(const char *path, const char *expected)
{
    char *text;
    size_t size;
    assert_int_equal(file_read(&mem_libc, path, 100, &text, &size), CPL_OK);
    assert_string_equal(text, expected);
    mem_free(&mem_libc, text, size + 1);
}

/* What stands in the file after `text` was written, and wanted or not. */
static void write_file(const char *path, const char *text, bool wanted)
{
    file_out *out = file_create(&mem_libc, path);
    assert_non_null(out);
    assert_true(fputs(text, file_stream(out)) >= 0);
    assert_int_equal(file_finish(&mem_libc, out, wanted), 0);
}

static void files_are_written_whole_or_not_at_all(void **state)
{
    (void)state;
    char folder[] = "/tmp/cpl-unit-XXXXXX", path[64], link[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    write_file(path, "dropped", false);
    assert_int_equal(access(path, F_OK), -1);
    write_file(path, "first", true);
    read_back(path, "first");
    write_file(path, "dropped", false);
    read_back(path, "first");
    assert_int_equal(symlink("file", link), 0);
    write_file(link, "second", true);
    read_back(path, "second");
    struct stat st;
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(unlink(link) | unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else is there */
    errno = 0;
    assert_null(file_create(&mem_libc, path));
    assert_int_equal(errno, ENOENT);
    assert_null(file_create(&mem_libc, "/tmp"));
    assert_int_equal(errno, EISDIR);
    file_out *full = file_create(&mem_libc, "/dev/full");
    assert_non_null(full);
    fputs("x", file_stream(full));
    assert_int_equal(file_finish(&mem_libc, full, true), ENOSPC);
}

static const char *nearest(const char *wanted)
{
    static const char *const known[] = {"amplitude", "sin", "sinh", "range", "atomic_add", "x"};
    suggester s;
    suggest_init(&s, wanted);
    for (size_t i = 0; i < COUNT_OF(known); i++) suggest_offer(&s, known[i]);
    return suggest_best(&s);
}

static void misspelt_names_are_found(void **state)
{
    (void)state;
    assert_string_equal(nearest("amplitud"), "amplitude");
    assert_string_equal(nearest("amlpitude"), "amplitude");
    assert_string_equal(nearest("rnage"), "range");
    assert_string_equal(nearest("atomic_ad"), "atomic_add");
    assert_string_equal(nearest("sim"), "sin");
}

static void distant_names_are_not(void **state)
{
    (void)state;
    assert_null(nearest("y"));
    assert_null(nearest("cosine"));
    assert_null(nearest(""));
    char longest[500];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_null(nearest(longest));
}

/* One mistake in names of 3 to 5 letters, two up to 8, three beyond, none in shorter ones. */
static void mistakes_allowed_by_length(void **state)
{
    (void)state;
    static const char letters[] = "abcdefghijklmnop";
    for (int n = 1; n < 14; n++)
        for (int wrong = 1; wrong <= n && wrong < 6; wrong++) {
            char known[20], wanted[20];
            snprintf(known, sizeof known, "%.*s", n, letters);
            strcpy(wanted, known);
            for (int i = 0; i < wrong; i++) wanted[i * (n - 1) / wrong] = (char)('0' + i);
            suggester s;
            suggest_init(&s, wanted);
            suggest_offer(&s, known);
            int allowed = n < 3 ? 0 : n < 6 ? 1 : n < 9 ? 2 : 3, made = 0;
            for (int i = 0; i < n; i++) made += wanted[i] != known[i];
            if ((suggest_best(&s) != NULL) != (made <= allowed))
                fail_msg("%s, %d of %d letters wrong", wanted, made, n);
        }
}

static void *ask_mask(void *mask)
{
    pthread_sigmask(SIG_BLOCK, NULL, mask);
    return NULL;
}

/* Signals of the host's are the host's threads', but for those that a thread raises itself. */
static void threads_leave_signals_alone(void **state)
{
    (void)state;
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF},
                     others[] = {SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGUSR1, SIGHUP, SIGPIPE};
    sigset_t before, inside, after;
    pthread_t thread;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    assert_int_equal(thread_start(&thread, 0, ask_mask, &inside), 0);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    for (size_t i = 0; i < COUNT_OF(own); i++) assert_false(sigismember(&inside, own[i]));
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        assert_true(sigismember(&inside, others[i]));
        assert_int_equal(sigismember(&after, others[i]), sigismember(&before, others[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vec_keeps_items_while_growing),
        cmocka_unit_test(map_finds_replaces_and_keeps_order),
        cmocka_unit_test(hash_depends_on_bytes_and_seed),
        cmocka_unit_test(strbuf_grows_and_formats),
        cmocka_unit_test(strbuf_marks_failure_and_stops),
        cmocka_unit_test(floats_print_shortest),
        cmocka_unit_test(floats_read_back_alike),
        cmocka_unit_test(file_is_read_whole),
        cmocka_unit_test(endless_files_are_not_read_to_the_end),
        cmocka_unit_test(files_are_written_whole_or_not_at_all),
        cmocka_unit_test(misspelt_names_are_found),
        cmocka_unit_test(distant_names_are_not),
        cmocka_unit_test(mistakes_allowed_by_length),
        cmocka_unit_test(threads_leave_signals_alone),
    };
    return cmocka_run_group_tests_name("containers", tests, set_up, tear_down);
}
