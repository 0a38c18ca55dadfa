/*
 * Every system call of the cache on disk fails with every errno it might give, reads and writes
 * come up short or are interrupted: results stay right, there is one warning at most, no descriptor
 * stays open, no temporary file behind, and the next run finds a cache in order. The linker's
 * --wrap puts the functions below between the library and the C library; they meddle with calls on
 * the cache alone.
 */
#include "fault.h"
#include "launches.h"

#include "runtime/runtime.h"

#include <errno.h>
#include <sys/random.h>
#include <time.h>

typedef enum call {
#define CALL(name) CALL_##name,
#include "fault_io.def"
#undef CALL
    CALL_COUNT
} call;
static const char *const call_names[] = {
#define CALL(name) #name,
#include "fault_io.def"
#undef CALL
};

static struct {
    bool on;
    char folder[64];
    int n;           /* calls on the cache so far */
    int fail_at;     /* the call to fail, from 1 */
    int kind;        /* or: every call of this kind, -1: none */
    int error;       /* errno, or SHORT */
    bool unlinked;   /* an unlinkat was made to fail: what it left is its due */
    call failed;     /* the kind of the call that failed last */
    bool ours[1024]; /* descriptors of the cache */
    long counts[CALL_COUNT], failures;
} io = {.kind = -1};

enum { SHORT = -1 };

/* True if this call is to fail; errno is set. */
static bool fails(call c)
{
    if (!io.on) return false;
    io.n++;
    io.counts[c]++;
    if (io.n != io.fail_at && (int)c != io.kind) return false;
    io.failed = c;
    io.failures++;
    io.unlinked |= c == CALL_unlinkat;
    if (io.error == SHORT) return false;
    errno = io.error;
    return true;
}

static bool is_short(call c)
{
    return io.on && io.error == SHORT && io.failed == c &&
           (io.n == io.fail_at || (int)c == io.kind);
}

static bool below(const char *path)
{
    return io.folder[0] && strncmp(path, io.folder, strlen(io.folder)) == 0;
}

static bool ours(int fd)
{
    return fd >= 0 && fd < 1024 && io.ours[fd];
}

int __real_openat(int dir, const char *name, int flags, ...);
int __wrap_openat(int dir, const char *name, int flags, ...);
int __wrap_openat(int dir, const char *name, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    unsigned mode = flags & O_CREAT ? va_arg(args, unsigned) : 0;
    va_end(args);
    bool cache = ours(dir) || below(name);
    if (cache && fails(CALL_openat)) return -1;
    int fd = __real_openat(dir, name, flags, mode);
    if (cache && fd >= 0 && fd < 1024) io.ours[fd] = true;
    return fd;
}

ssize_t __real_read(int fd, void *to, size_t size);
ssize_t __wrap_read(int fd, void *to, size_t size);
ssize_t __wrap_read(int fd, void *to, size_t size)
{
    if (ours(fd) && fails(CALL_read)) return -1;
    return __real_read(fd, to, ours(fd) && is_short(CALL_read) && size > 1 ? size / 2 : size);
}

ssize_t __real_write(int fd, const void *from, size_t size);
ssize_t __wrap_write(int fd, const void *from, size_t size);
ssize_t __wrap_write(int fd, const void *from, size_t size)
{
    if (ours(fd) && fails(CALL_write)) return -1;
    return __real_write(fd, from, ours(fd) && is_short(CALL_write) && size > 1 ? size / 2 : size);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
    bool cache = ours(fd);
    if (cache) io.ours[fd] = false;
    int result = __real_close(fd); /* Linux closes whatever it answers */
    return cache && fails(CALL_close) ? -1 : result;
}

int __real_fstat(int fd, struct stat *st);
int __wrap_fstat(int fd, struct stat *st);
int __wrap_fstat(int fd, struct stat *st)
{
    return ours(fd) && fails(CALL_fstat) ? -1 : __real_fstat(fd, st);
}

int __real_fstatat(int dir, const char *name, struct stat *st, int flags);
int __wrap_fstatat(int dir, const char *name, struct stat *st, int flags);
int __wrap_fstatat(int dir, const char *name, struct stat *st, int flags)
{
    return ours(dir) && fails(CALL_fstatat) ? -1 : __real_fstatat(dir, name, st, flags);
}

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode)
{
    return below(path) && fails(CALL_mkdir) ? -1 : __real_mkdir(path, mode);
}

int __real_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    return ours(from_dir) && fails(CALL_renameat) ? -1
                                                  : __real_renameat(from_dir, from, to_dir, to);
}

int __real_unlinkat(int dir, const char *name, int flags);
int __wrap_unlinkat(int dir, const char *name, int flags);
int __wrap_unlinkat(int dir, const char *name, int flags)
{
    return ours(dir) && fails(CALL_unlinkat) ? -1 : __real_unlinkat(dir, name, flags);
}

int __real_futimens(int fd, const struct timespec times[2]);
int __wrap_futimens(int fd, const struct timespec times[2]);
int __wrap_futimens(int fd, const struct timespec times[2])
{
    return ours(fd) && fails(CALL_futimens) ? -1 : __real_futimens(fd, times);
}

ssize_t __real_getrandom(void *to, size_t size, unsigned flags);
ssize_t __wrap_getrandom(void *to, size_t size, unsigned flags);
ssize_t __wrap_getrandom(void *to, size_t size, unsigned flags)
{
    if (fails(CALL_getrandom)) return -1;
    return __real_getrandom(to, is_short(CALL_getrandom) ? size / 2 : size, flags);
}

DIR *__real_fdopendir(int fd);
DIR *__wrap_fdopendir(int fd);
DIR *__wrap_fdopendir(int fd)
{
    return ours(fd) && fails(CALL_fdopendir) ? NULL : __real_fdopendir(fd);
}

struct dirent *__real_readdir(DIR *d);
struct dirent *__wrap_readdir(DIR *d);
struct dirent *__wrap_readdir(DIR *d)
{
    return ours(dirfd(d)) && fails(CALL_readdir) ? NULL : __real_readdir(d);
}

int __real_closedir(DIR *d);
int __wrap_closedir(DIR *d);
int __wrap_closedir(DIR *d)
{
    bool cache = ours(dirfd(d));
    if (cache) io.ours[dirfd(d)] = false;
    int result = __real_closedir(d);
    return cache && fails(CALL_closedir) ? -1 : result;
}

/* Scenarios. Each starts from a folder that prepare made, and is run with and without faults. */

static int warnings, errors;

static void count_diag(void *user, const cpl_diag *d)
{
    (void)user;
    warnings += d->severity == CPL_WARNING;
    errors += d->severity == CPL_ERROR;
}

static cpl_context *context(void)
{
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.sink = count_diag;
    cpl_context *cx;
    assert_int_equal(cpl_context_create(&o, &cx), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "opt_level", 0), CPL_OK);
    return cx;
}

static void compile(void)
{
    cpl_context *cx = context();
    cpl_module *m = fault_module(cx, "def f(a: float64):\n    return a*a + 3\n");
    cpl_arg args[] = {cpl_arg_float(2)};
    double result = 0;
    assert_int_equal(call_once(m, "f", args, 1, &result, NULL), CPL_OK);
    assert_true(result == 7);
    cpl_module_release(m);
    cpl_context_release(cx);
}

/* An entry with a key that makes the cache sweep, in a cache that is full. */
static void sweep(void)
{
    setenv("CPL_CACHE_SIZE", "1", 1);
    cpl_context *cx = context();
    disk_cache *c = runtime_disk_cache(cx);
    uint8_t key[ARTIFACT_KEY_SIZE] = {0};
    static char payload[400 << 10];
    strbuf found;
    for (key[1] = 1; key[1] < 4; key[1]++) {
        payload[0] = (char)key[1];
        disk_cache_put(cx, c, key, payload, sizeof payload);
        sb_init(&found, context_mem(cx));
        if (disk_cache_get(cx, c, key, &found)) {
            assert_int_equal(found.n, sizeof payload);
            assert_memory_equal(found.at, payload, sizeof payload);
        }
        sb_free(&found);
    }
    cpl_context_release(cx);
    unsetenv("CPL_CACHE_SIZE");
}

static void look(void *user, const cpl_cache_entry *e)
{
    ++*(int *)user;
    assert_int_equal(strlen(e->name), 64);
}

static void list_and_clear(void)
{
    cpl_context *cx = context();
    int n = 0;
    uint64_t removed;
    cpl_status status = cpl_cache_each(cx, look, &n);
    assert_true(status == CPL_OK || status == CPL_ENOTFOUND);
    status = cpl_cache_clear(cx, &removed);
    assert_true(status == CPL_OK || status == CPL_ENOTFOUND);
    assert_true(n <= 1 && removed <= 1);
    cpl_context_release(cx);
}

static void age_entries(char *cache, bool cut)
{
    DIR *d = opendir(cache);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.') continue;
        struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
        int fd = __real_openat(dirfd(d), e->d_name, O_RDWR);
        assert_true(fd >= 0);
        if (cut) assert_int_equal(ftruncate(fd, 100), 0);
        futimens(fd, old);
        close(fd);
    }
    closedir(d);
}

typedef struct scenario {
    const char *name;
    void (*act)(void);
    bool warm, cut; /* there is an entry, long not used; it is cut short */
} scenario;

static const scenario scenarios[] = {
    {"cold", compile, false, false},
    {"warm", compile, true, false},
    {"damaged", compile, true, true},
    {"sweeping", sweep, false, false},
    {"list and clear", list_and_clear, true, false},
};

static char top[64];

static void prepare(const scenario *s)
{
    char cache[256];
    snprintf(cache, sizeof cache, "%s/a/b/cache", top);
    fault_remove(top);
    assert_int_equal(mkdir(top, 0700), 0);
    setenv("CPL_CACHE_DIR", cache, 1);
    warnings = errors = 0;
    if (!s->warm) return;
    compile();
    assert_int_equal(fault_count(cache, ""), 1);
    age_entries(cache, s->cut);
}

static void act(const scenario *s, int at, int kind, int error)
{
    prepare(s);
    memset(io.ours, 0, sizeof io.ours);
    snprintf(io.folder, sizeof io.folder, "%s", top);
    io.n = 0;
    io.fail_at = at;
    io.kind = kind;
    io.error = error;
    io.unlinked = false;
    int open_before = fault_descriptors();
    io.on = true;
    s->act();
    io.on = false;
    io.folder[0] = 0;
    const char *what = at || kind >= 0 ? call_names[io.failed] : "nothing";
    if (warnings > 1 || errors)
        fail_msg("%s, %s fails with %d: %d warnings, %d errors", s->name, what, error, warnings,
                 errors);
    if (fault_descriptors() != open_before)
        fail_msg("%s, %s fails with %d: a descriptor stays open", s->name, what, error);
    if (!io.unlinked && fault_count(getenv("CPL_CACHE_DIR"), ".tmp-") > 0)
        fail_msg("%s, %s fails with %d: a temporary file stays", s->name, what, error);
    warnings = 0;
    s->act(); /* without faults */
    if (warnings) fail_msg("%s, after %s failed with %d: a warning", s->name, what, error);
}

/* The first ones are for every run, the rest for the full one. */
static const int codes[] = {EIO,    ENOSPC, EMFILE, EINTR,        ESTALE, EACCES, EROFS, ENOENT,
                            EEXIST, SHORT,  EPERM,  EAGAIN,       ENOMEM, EBUSY,  EFBIG, EDQUOT,
                            ENFILE, EISDIR, ELOOP,  ENAMETOOLONG, EINVAL, ENOTDIR};

static size_t code_count(void)
{
    return (size_t)test_rounds(10, sizeof codes / sizeof *codes);
}

static bool can_be_short(int kind)
{
    return kind == CALL_read || kind == CALL_write || kind == CALL_getrandom;
}

static void each_call_each_error(void **state)
{
    const scenario *s = *state;
    act(s, 0, -1, 0);
    int calls = io.n;
    assert_true(calls > 5);
    for (int at = 1; at <= calls; at++)
        for (size_t e = 0; e < code_count(); e++) act(s, at, -1, codes[e]);
}

/* From now on every call of one kind fails: a disk that is full, or gone. */
static void each_kind_for_good(void **state)
{
    const scenario *s = *state;
    long before[CALL_COUNT];
    memcpy(before, io.counts, sizeof before);
    act(s, 0, -1, 0);
    for (int kind = 0; kind < CALL_COUNT; kind++)
        for (size_t e = 0; io.counts[kind] > before[kind] && e < code_count(); e++)
            if (codes[e] == SHORT ? can_be_short(kind) : codes[e] != EINTR)
                act(s, 0, kind, codes[e]);
}

/* A compilation into an empty cache, with every call of a kind failing. */
static void compile_failing(call kind, int error)
{
    prepare(&scenarios[0]);
    memset(io.ours, 0, sizeof io.ours);
    snprintf(io.folder, sizeof io.folder, "%s", top);
    io.n = io.fail_at = 0;
    io.kind = kind;
    io.error = error;
    io.on = true;
    compile();
    io.on = false;
    io.folder[0] = 0;
}

/* Where each write takes a part of what it is given, all of it is there in the end. */
static void short_writes_go_on(void **state)
{
    (void)state;
    long files = 0;
    compile_failing(CALL_write, SHORT);
    DIR *d = opendir(getenv("CPL_CACHE_DIR"));
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        unsigned char head[16];
        struct stat st;
        if (e->d_name[0] == '.') continue;
        int fd = __real_openat(dirfd(d), e->d_name, O_RDONLY);
        assert_true(fd >= 0 && fstat(fd, &st) == 0);
        assert_int_equal(read(fd, head, sizeof head), sizeof head);
        close(fd);
        uint64_t size = 0; /* of what stands behind the 48 bytes of the head */
        for (int i = 0; i < 8; i++) size |= (uint64_t)head[8 + i] << 8 * i;
        assert_int_equal(st.st_size, 48 + size);
        files++;
    }
    closedir(d);
    assert_int_equal(files, 1);
}

/* A file system may tell as late as with close that there was no room: then there is no entry, and
 * one warning. */
static void what_is_not_written_is_no_entry(void **state)
{
    (void)state;
    static const call kinds[] = {CALL_write, CALL_close, CALL_renameat};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        compile_failing(kinds[i], ENOSPC);
        if (fault_count(getenv("CPL_CACHE_DIR"), "") != 0 || warnings != 1)
            fail_msg("%s fails: %d files, %d warnings", call_names[kinds[i]],
                     (int)fault_count(getenv("CPL_CACHE_DIR"), ""), warnings);
    }
}

static void every_call_was_met(void **state)
{
    (void)state;
    int met = 0;
    for (int i = 0; i < CALL_COUNT; i++) {
        if (!io.counts[i]) print_error("%s is never called\n", call_names[i]);
        met += io.counts[i] > 0;
    }
    fault_figures("io", "\"calls\": %d, \"errors\": %zu, \"failures\": %ld", met, code_count(),
                  io.failures);
    assert_int_equal(met, CALL_COUNT);
}

int main(void)
{
    enum { N = sizeof scenarios / sizeof *scenarios };
    static struct CMUnitTest tests[2 * N + 3];
    static char names[N][64];
    setenv("CPL_CACHE", "1", 1);
    fault_folder(top);
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "%s, for good", scenarios[i].name);
        tests[2 * i] = (struct CMUnitTest){scenarios[i].name, each_call_each_error, NULL, NULL,
                                           (void *)&scenarios[i]};
        tests[2 * i + 1] =
            (struct CMUnitTest){names[i], each_kind_for_good, NULL, NULL, (void *)&scenarios[i]};
    }
    tests[2 * N] = (struct CMUnitTest)cmocka_unit_test(what_is_not_written_is_no_entry);
    tests[2 * N + 1] = (struct CMUnitTest)cmocka_unit_test(short_writes_go_on);
    tests[2 * N + 2] = (struct CMUnitTest)cmocka_unit_test(every_call_was_met);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fault_remove(top);
    return failed;
}
