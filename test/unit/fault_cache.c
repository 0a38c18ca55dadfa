/*
 * The cache on disk in hostile company: entries cut at every length and with every bit flipped are
 * never loaded and are replaced; directories and entries that others could have made or could write
 * to are not used, and nothing is written outside; each part of the key makes a miss of its own,
 * and the same again a hit.
 */
#include "fault.h"
#include "launches.h"

#include "runtime/runtime.h"

#include <errno.h>
#include <sys/wait.h>
#include <time.h>

static char top[64], cache[128];

static int warnings;

static void count_diag(void *user, const cpl_diag *d)
{
    (void)user;
    warnings += d->severity == CPL_WARNING;
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

static int set_up(void **state)
{
    (void)state;
    fault_folder(top);
    snprintf(cache, sizeof cache, "%s/cache", top);
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", cache, 1);
    warnings = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fault_remove(top);
    return 0;
}

static const char square[] = "def f(a: float64):\n    return a*a + 3\n";

typedef struct outcome {
    uint64_t compiles, hits;
} outcome;

/* Runs the kernel in a context of its own; the result must be right. */
static outcome run(void)
{
    cpl_context *cx = context();
    cpl_module *m = fault_module(cx, square);
    cpl_arg args[] = {cpl_arg_float(2)};
    double result = 0;
    assert_int_equal(call_once(m, "f", args, 1, &result, NULL), CPL_OK);
    assert_true(result == 7);
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(cx, &stats);
    cpl_module_release(m);
    cpl_context_release(cx);
    return (outcome){stats.compiles, stats.disk_hits};
}

static void expect(uint64_t compiles, uint64_t hits, const char *what)
{
    outcome o = run();
    if (o.compiles != compiles || o.hits != hits)
        fail_msg("%s: %d compiled, %d loaded", what, (int)o.compiles, (int)o.hits);
}

/* The path of the cache's only entry. */
static void entry_path(char path[512])
{
    DIR *d = opendir(cache);
    assert_non_null(d);
    int n = 0;
    for (struct dirent *e; (e = readdir(d));)
        if (strlen(e->d_name) == 64 && ++n) snprintf(path, 512, "%s/%.64s", cache, e->d_name);
    closedir(d);
    assert_int_equal(n, 1);
}

static size_t slurp(const char *path, char **bytes)
{
    size_t size;
    assert_int_equal(file_read(&mem_libc, path, SIZE_MAX, bytes, &size), CPL_OK);
    return size;
}

static void spill(const char *path, const char *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), (ssize_t)size);
    close(fd);
}

/* A key of hexadecimal digits. */
static void key_of(const char *path, uint8_t key[ARTIFACT_KEY_SIZE])
{
    const char *name = strrchr(path, '/') + 1;
    for (int i = 0; i < ARTIFACT_KEY_SIZE; i++) {
        char digits[3] = {name[2 * i], name[2 * i + 1], 0};
        key[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

/* What the cache makes of a damaged entry: no load, and a good one in its place is loaded again. */
typedef struct victim {
    cpl_context *cx;
    disk_cache *c;
    uint8_t key[ARTIFACT_KEY_SIZE];
    char path[512], *bytes;
    size_t size;
    long tried, loads;
} victim;

static void try_damaged(victim *v, const char *bytes, size_t size)
{
    strbuf out;
    sb_init(&out, context_mem(v->cx));
    spill(v->path, bytes, size);
    v->tried++;
    v->loads += disk_cache_get(v->cx, v->c, v->key, &out);
    sb_free(&out);
    assert_int_equal(access(v->path, F_OK), -1); /* it is gone, so that a good one can come */
}

static void damage(victim *v, size_t step)
{
    char *copy = malloc(v->size + 1);
    memcpy(copy, v->bytes, v->size);
    for (size_t n = 0; n < v->size; n += n < 200 ? 1 : step) try_damaged(v, v->bytes, n);
    copy[v->size] = 0;
    try_damaged(v, copy, v->size + 1);
    for (size_t bit = 0; bit < 8 * v->size; bit += bit < 8 * 200 ? 1 : step) {
        copy[bit / 8] ^= (char)(1 << bit % 8);
        try_damaged(v, copy, v->size);
        copy[bit / 8] ^= (char)(1 << bit % 8);
    }
    free(copy);
}

static victim open_victim(void)
{
    victim v = {.cx = context()};
    v.c = runtime_disk_cache(v.cx);
    entry_path(v.path);
    key_of(v.path, v.key);
    v.size = slurp(v.path, &v.bytes);
    return v;
}

static void close_victim(victim *v)
{
    mem_free(&mem_libc, v->bytes, v->size + 1);
    cpl_context_release(v->cx);
}

/* All of a small entry, every length and bit; of a real one the head whole and the rest in steps,
 * or whole in the full run. */
static void cut_and_flipped(void **state)
{
    (void)state;
    victim v = {.cx = context(), .key = {1, 2, 3}};
    v.c = runtime_disk_cache(v.cx);
    disk_cache_put(v.cx, v.c, v.key,
                   "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", 64);
    entry_path(v.path);
    v.size = slurp(v.path, &v.bytes);
    damage(&v, 1);
    assert_true(v.tried > 112 * 8);
    long tried = v.tried;
    assert_int_equal(v.loads, 0);
    close_victim(&v);
    expect(1, 0, "first");
    v = open_victim();
    damage(&v, (size_t)test_rounds(13, 1));
    assert_int_equal(v.loads, 0);
    fault_figures("damage", "\"entries\": 2, \"damaged\": %ld, \"loaded\": 0", tried + v.tried);
    close_victim(&v);
    expect(1, 0, "after damage");
    expect(0, 1, "replaced");
}

/* The same through the front door, in a few places. */
static void damaged_entries_are_replaced(void **state)
{
    (void)state;
    expect(1, 0, "first");
    expect(0, 1, "again");
    char path[512], *bytes;
    entry_path(path);
    size_t size = slurp(path, &bytes);
    const size_t places[] = {0, 8, 15, 16, 47, 48, 100, size / 2, size - 1};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        bytes[places[i]] ^= 16;
        spill(path, bytes, size);
        bytes[places[i]] ^= 16;
        expect(1, 0, "damaged");
        expect(0, 1, "replaced");
    }
    mem_free(&mem_libc, bytes, size + 1);
    assert_int_equal(warnings, 0);
}

/* An entry of one key under the name of another is not loaded: its hash covers the name. */
static void swapped_entries(void **state)
{
    (void)state;
    expect(1, 0, "first");
    char path[512], other[512], *bytes;
    entry_path(path);
    size_t size = slurp(path, &bytes);
    snprintf(other, sizeof other, "%s", path);
    other[strlen(other) - 1] ^= 1; /* a hexadecimal digit still, but for 9 and a */
    if (other[strlen(other) - 1] == '`' || other[strlen(other) - 1] == ':')
        other[strlen(other) - 1] = '0';
    spill(other, bytes, size);
    uint8_t key[ARTIFACT_KEY_SIZE];
    key_of(other, key);
    cpl_context *cx = context();
    strbuf out;
    sb_init(&out, context_mem(cx));
    assert_false(disk_cache_get(cx, runtime_disk_cache(cx), key, &out));
    sb_free(&out);
    cpl_context_release(cx);
    mem_free(&mem_libc, bytes, size + 1);
}

/* Temporary files of writers that died are swept with the rest, fresh ones stay. */
static void temporaries_are_swept(void **state)
{
    (void)state;
    expect(1, 0, "first");
    char path[256];
    struct timespec old[2] = {{time(NULL) - 7200, 0}, {time(NULL) - 7200, 0}};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/.tmp-000000000000000000000000000000%02d", cache, i);
        spill(path, "half", 4);
        if (i < 3) utimensat(AT_FDCWD, path, old, 0);
    }
    cpl_context *cx = context();
    uint8_t key[ARTIFACT_KEY_SIZE] = {0};
    disk_cache_put(cx, runtime_disk_cache(cx), key, "x", 1);
    cpl_context_release(cx);
    assert_int_equal(fault_count(cache, ".tmp-"), 1);
    expect(0, 1, "entries stay");
}

/* Attacks. Each plants something before the library comes; afterwards the files outside are as they
 * were. */

static char outside[128], bait[160], good[512];

/* A folder with a file that looks like a good entry, and the cache's usual entry, elsewhere. */
static void lay_bait(void)
{
    expect(1, 0, "first");
    entry_path(good);
    snprintf(outside, sizeof outside, "%s/outside", top);
    assert_int_equal(mkdir(outside, 0700), 0);
    snprintf(bait, sizeof bait, "%s/bait", outside);
    spill(bait, "bait", 4);
}

static void bait_is_untouched(const char *what)
{
    char *bytes;
    size_t size = slurp(bait, &bytes);
    if (size != 4 || memcmp(bytes, "bait", 4) != 0)
        fail_msg("%s: the file outside was written", what);
    mem_free(&mem_libc, bytes, size + 1);
    if (fault_count(outside, "") != 1) fail_msg("%s: something was made outside", what);
}

/* In the directory's place; the library must neither load from it nor write to it. */
static int attacks;

static void refuses_directory(const char *what)
{
    outcome o = run();
    attacks++;
    if (o.hits) fail_msg("%s: the cache was used", what);
    expect(1, 0, what); /* nothing was stored */
    if (warnings != 2) fail_msg("%s: %d warnings in two contexts", what, warnings);
    warnings = 0;
    bait_is_untouched(what);
}

static void modes_of_the_directory(void **state)
{
    (void)state;
    lay_bait();
    for (int mode = 1; mode < 64; mode++) {
        if (!(mode & 022)) continue;
        assert_int_equal(chmod(cache, (mode_t)(0700 | mode)), 0);
        char what[40];
        snprintf(what, sizeof what, "directory of mode %o", 0700 | mode);
        refuses_directory(what);
    }
    assert_int_equal(chmod(cache, 01777), 0);
    refuses_directory("directory of mode 1777");
    assert_int_equal(chmod(cache, 0755), 0); /* others may look */
    expect(0, 1, "directory of mode 755");
}

static void things_in_place_of_the_directory(void **state)
{
    (void)state;
    lay_bait();
    char moved[160];
    snprintf(moved, sizeof moved, "%s/moved", top);
    assert_int_equal(rename(cache, moved), 0);
    assert_int_equal(symlink(moved, cache), 0);
    refuses_directory("link to a good cache");
    unlink(cache);
    assert_int_equal(symlink(outside, cache), 0);
    refuses_directory("link to a folder");
    unlink(cache);
    assert_int_equal(symlink("nowhere", cache), 0);
    refuses_directory("link to nowhere");
    unlink(cache);
    assert_int_equal(symlink(cache, cache), 0);
    refuses_directory("link to itself");
    unlink(cache);
    assert_int_equal(symlink(bait, cache), 0);
    refuses_directory("link to a file");
    unlink(cache);
    spill(cache, "file", 4);
    refuses_directory("file");
    unlink(cache);
    assert_int_equal(mkfifo(cache, 0700), 0);
    refuses_directory("pipe");
    unlink(cache);
    setenv("CPL_CACHE_DIR", "/proc/self/fd", 1);
    refuses_directory("folder that takes no files");
    setenv("CPL_CACHE_DIR", "/dev/null/cache", 1);
    refuses_directory("folder below a device");
}

static void folders_of_others(void **state)
{
    (void)state;
    if (geteuid() != 0) skip(); /* only root can give files away */
    lay_bait();
    assert_int_equal(chown(cache, 65534, 65534), 0);
    refuses_directory("directory of somebody else");
    assert_int_equal(chmod(cache, 0755), 0);
    refuses_directory("directory of somebody else, mode 755");
    assert_int_equal(chown(cache, 0, 0), 0);
    assert_int_equal(chmod(cache, 0700), 0);
    assert_int_equal(chown(good, 65534, 65534), 0);
    attacks++;
    expect(1, 0, "entry of somebody else");
    expect(0, 1, "entry of somebody else, replaced");
}

/* In an entry's place: not loaded, and no file but the entry changes. */
static void refuses_entry(const char *what, bool replaced)
{
    attacks++;
    expect(1, 0, what);
    bait_is_untouched(what);
    if (replaced) expect(0, 1, what);
    else warnings = 0;
    if (warnings) fail_msg("%s: a warning", what);
}

static void things_in_place_of_an_entry(void **state)
{
    (void)state;
    lay_bait();
    char *bytes, twin[200];
    size_t size = slurp(good, &bytes);
    snprintf(twin, sizeof twin, "%s/twin", top);
    spill(twin, bytes, size); /* a good entry outside the cache */
    const mode_t modes[] = {0620, 0602, 0622, 0666, 0660, 0777, 02620, 04602};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(chmod(good, modes[i]), 0);
        refuses_entry("entry that others may write to", true);
    }
    const char *targets[] = {twin, bait, "nowhere", good, "/dev/zero", "/etc/passwd"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        unlink(good);
        assert_int_equal(symlink(targets[i], good), 0);
        refuses_entry("link", true);
    }
    unlink(good);
    assert_int_equal(mkfifo(good, 0600), 0);
    refuses_entry("pipe", true);
    unlink(good);
    assert_int_equal(link(bait, good), 0);
    refuses_entry("hard link to a file outside", true);
    unlink(good);
    spill(good, "", 0);
    refuses_entry("empty file", true);
    spill(good, bytes, size);
    assert_int_equal(truncate(good, 1 << 30), 0);
    refuses_entry("file of a gigabyte", true);
    unlink(good);
    assert_int_equal(mkdir(good, 0700), 0);
    refuses_entry("directory", false);
    mem_free(&mem_libc, bytes, size + 1);
    fault_figures("attacks", "\"attacks\": %d, \"loads\": 0, \"writes_outside\": 0", attacks);
    assert_true(attacks >= 40 || geteuid() != 0);
}

/* A program with more rights than its user does not listen to the environment. */
static void setuid_programs(void **state)
{
    const char *self = *state;
    if (geteuid() != 0) skip();
    char copy[160], command[512];
    snprintf(copy, sizeof copy, "%s/setuid", top);
    snprintf(command, sizeof command, "cp '%s' '%s' && chmod 4755 '%s' && chmod 755 '%s'", self,
             copy, copy, top);
    assert_int_equal(system(command), 0);
    pid_t child = fork();
    if (child == 0) {
        if (setgid(65534) || setuid(65534)) _exit(77);
        execl(copy, copy, "--where", (char *)NULL);
        _exit(77);
    }
    int status = 0;
    waitpid(child, &status, 0);
    /* where such programs are not allowed */
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) skip();
    assert_int_equal(status, 0);
    assert_int_equal(access(cache, F_OK), -1);
}

/* What that program does: 0 if there is no cache for it, 77 if it is not more than its user. */
static int where(void)
{
    if (geteuid() == getuid()) return 77;
    cpl_context *cx;
    if (cpl_context_create(NULL, &cx)) return 2;
    int found = cpl_cache_directory(cx) != NULL;
    cpl_context_release(cx);
    return found;
}

/* Where the cache lies, by what the environment says. */
static void expect_place(const char *expected)
{
    cpl_context *cx = context();
    const char *place = cpl_cache_directory(cx);
    if (expected) assert_string_equal(place, expected);
    else assert_null(place);
    assert_int_equal(cpl_cache_each(cx, NULL, NULL), CPL_EARG);
    assert_int_equal(cpl_cache_clear(cx, NULL), expected ? CPL_OK : CPL_ENOTFOUND);
    cpl_context_release(cx);
}

static void places(void **state)
{
    (void)state;
    char home[128], xdg[128], long_path[5000];
    char *old_home = getenv("HOME") ? strdup(getenv("HOME")) : NULL,
         *old_xdg = getenv("XDG_CACHE_HOME") ? strdup(getenv("XDG_CACHE_HOME")) : NULL;
    expect_place(cache);
    setenv("CPL_CACHE", "0", 1);
    expect_place(NULL);
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", "", 1); /* as if it were not there */
    setenv("XDG_CACHE_HOME", top, 1);
    snprintf(xdg, sizeof xdg, "%s/cpl", top);
    expect_place(xdg);
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", top, 1);
    snprintf(home, sizeof home, "%s/.cache/cpl", top);
    expect_place(home);
    setenv("HOME", "relative", 1);
    expect_place(NULL);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    unsetenv("CPL_CACHE_DIR");
    expect_place(NULL);
    memset(long_path, 'a', sizeof long_path - 1);
    long_path[0] = '/';
    long_path[sizeof long_path - 1] = 0;
    setenv("CPL_CACHE_DIR", long_path, 1);
    expect_place(NULL);
    if (old_home) setenv("HOME", old_home, 1);
    if (old_xdg) setenv("XDG_CACHE_HOME", old_xdg, 1);
    free(old_home), free(old_xdg);
}

enum { BIG = 300 << 10 }; /* bytes; two are below four fifths of a megabyte */

static bool is_there(cpl_context *cx, int i)
{
    uint8_t key[ARTIFACT_KEY_SIZE] = {0};
    strbuf out;
    key[1] = (uint8_t)i;
    sb_init(&out, context_mem(cx));
    bool there = disk_cache_get(cx, runtime_disk_cache(cx), key, &out);
    sb_free(&out);
    return there;
}

/* Sizes: nothing is kept that is larger than the cache, and the oldest entries go first. */
static void sizes(void **state)
{
    (void)state;
    setenv("CPL_CACHE_SIZE", "0", 1);
    expect(1, 0, "no room");
    expect(1, 0, "no room still");
    setenv("CPL_CACHE_SIZE", "99999999999", 1);
    expect(1, 0, "room");
    expect(0, 1, "room still");
    setenv("CPL_CACHE_SIZE", "1", 1);
    cpl_context *cx = context();
    disk_cache *c = runtime_disk_cache(cx);
    static char payload[BIG];
    uint8_t key[ARTIFACT_KEY_SIZE] = {0};
    for (int i = 1; i <= 4; i++) {
        char path[256];
        key[1] = (uint8_t)i;
        disk_cache_put(cx, c, key, payload, sizeof payload);
        snprintf(path, sizeof path, "%s/00%02x%060d", cache, i, 0);
        struct timespec used[2] = {{1000000000 + (5 - i) * 1000, 0},
                                   {1000000000 + (5 - i) * 1000, 0}};
        /* the later, the longer not used */
        if (i < 4) assert_int_equal(utimensat(AT_FDCWD, path, used, 0), 0);
    }
    for (int i = 1; i <= 4; i++) assert_int_equal(is_there(cx, i), i == 1 || i == 4);
    cpl_context_release(cx);
    unsetenv("CPL_CACHE_SIZE");
}

/* An entry that is used is no longer the oldest, whichever it was and however old. */
static void what_is_used_stays(void **state)
{
    static char payload[BIG];
    static const time_t ages[] = {4000, 100000, 100000000}; /* seconds */
    (void)state;
    setenv("CPL_CACHE_SIZE", "1", 1);
    cpl_context *cx = context();
    for (int age = 0; age < 3; age++)
        for (int used = 1; used <= 3; used++) {
            uint8_t key[ARTIFACT_KEY_SIZE] = {0};
            assert_int_equal(cpl_cache_clear(cx, NULL), CPL_OK);
            for (int i = 1; i <= 4; i++) {
                char path[256];
                time_t when = time(NULL) - ages[age] - (4 - i) * 100;
                struct timespec times[2] = {{when, 0}, {when, 0}};
                if (i == 4) assert_true(is_there(cx, used));
                key[1] = (uint8_t)i;
                disk_cache_put(cx, runtime_disk_cache(cx), key, payload, sizeof payload);
                snprintf(path, sizeof path, "%s/00%02x%060d", cache, i, 0);
                if (i < 4) assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
            }
            for (int i = 1; i <= 4; i++) assert_int_equal(is_there(cx, i), i == used || i == 4);
        }
    cpl_context_release(cx);
    unsetenv("CPL_CACHE_SIZE");
}

/* Names beside those of entries. */

enum { LONGEST = 80 };

/* The i-th name: digits of every number, then 64 with another character in each place or behind. */
static bool name_of_file(int i, char name[LONGEST + 1])
{
    static const char others[] = "gAF.-_ ~";
    int lengths = LONGEST, changed = i - lengths;
    memset(name, 0, LONGEST + 1);
    for (int k = 0; k < (changed < 0 ? i + 1 : 64); k++) name[k] = "0123456789abcdef"[(k + i) % 16];
    if (changed >= 0) name[changed / 8] = others[changed % 8];
    return changed < 65 * 8;
}

static bool is_entry(const char *name)
{
    size_t digits = 0;
    while ((name[digits] >= '0' && name[digits] <= '9') ||
           (name[digits] >= 'a' && name[digits] <= 'f'))
        digits++;
    return digits == 64 && !name[digits];
}

static int visited;

static void visit_entry(void *user, const cpl_cache_entry *entry)
{
    (void)user;
    visited++;
    if (!is_entry(entry->name) || entry->bytes != 5)
        fail_msg("%s of %d bytes is taken for an entry", entry->name, (int)entry->bytes);
}

/* Of what lies in the directory only entries are shown and cleared. */
static void other_files_stay(void **state)
{
    (void)state;
    char path[512], name[LONGEST + 1];
    int files = 0;
    cpl_context *cx = context();
    assert_string_equal(cpl_cache_directory(cx), cache);
    for (; name_of_file(files, name); files++) {
        snprintf(path, sizeof path, "%s/%s", cache, name);
        spill(path, "bytes", 5);
    }
    visited = 0;
    assert_int_equal(cpl_cache_each(cx, visit_entry, NULL), CPL_OK);
    assert_int_equal(visited, 1);
    uint64_t removed;
    assert_int_equal(cpl_cache_clear(cx, &removed), CPL_OK);
    assert_int_equal(removed, 1);
    assert_int_equal(fault_count(cache, ""), files - 1);
    cpl_context_release(cx);
}

/* Keys. */

typedef struct variant {
    const char *what, *text, *name, *type;
    const char *option;
    int64_t value;
    cpl_form form;
} variant;

static const char loop[] =
    "def f(i, x, n):\n    s = x[i]\n    for k in range(n):\n        s += x[i]*2.5\n    x[i] = s\n";

static outcome make(const variant *v)
{
    cpl_context *cx = context();
    if (v->option) assert_int_equal(cpl_context_set_option(cx, v->option, v->value), CPL_OK);
    const char *text = v->text ? v->text : loop;
    cpl_module *m;
    assert_int_equal(cpl_module_from_source(cx, v->name ? v->name : "k.py", text, strlen(text), &m),
                     CPL_OK);
    const cpl_type *types[2];
    assert_int_equal(cpl_type_parse(cx, v->type ? v->type : "float64[]", &types[0]), CPL_OK);
    assert_int_equal(cpl_type_parse(cx, "int32", &types[1]), CPL_OK);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 2;
    cpl_kernel *k;
    assert_int_equal(spec_kernel(m, "f", &spec, &k), CPL_OK);
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(cx, &stats);
    cpl_kernel_release(k);
    cpl_module_release(m);
    cpl_context_release(cx);
    return (outcome){stats.compiles, stats.disk_hits};
}

static void each_part_of_the_key_counts(void **state)
{
    (void)state;
    static const variant variants[] = {
        {.what = "nothing"},
        {.what = "a constant",
         .text = "def f(i, x, n):\n    s = x[i]\n    for k in range(n):\n        s += x[i]*2.25\n  "
                 "  x[i] = s\n"},
        {.what = "an operator",
         .text = "def f(i, x, n):\n    s = x[i]\n    for k in range(n):\n        s -= x[i]*2.5\n   "
                 " x[i] = s\n"},
        {.what = "a type", .type = "float32[]"},
        {.what = "a stride", .type = "float64[:]"},
        {.what = "opt_level", .option = "opt_level", .value = 3},
        {.what = "contract", .option = "contract", .value = 0},
        {.what = "reassoc", .option = "reassoc", .value = 1},
        {.what = "vector_math", .option = "vector_math", .value = 0},
        {.what = "finite_math", .option = "finite_math", .value = 1},
        {.what = "simd", .option = "simd", .value = 0},
        {.what = "cpu_level", .option = "cpu_level", .value = 1},
        {.what = "cpu_level 2", .option = "cpu_level", .value = 2},
        {.what = "bounds_check", .option = "bounds_check", .value = 1},
        {.what = "in_order", .option = "in_order", .value = 1},
        {.what = "num_threads", .option = "num_threads", .value = 3},
        {.what = "schedule", .option = "schedule", .value = 1},
        {.what = "chunk", .option = "chunk", .value = 5},
        {.what = "debug_info", .option = "debug_info", .value = 1},
        {.what = "debug_info of another file",
         .name = "other.py",
         .option = "debug_info",
         .value = 1},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        outcome o = make(&variants[i]);
        if (o.compiles != 1 || o.hits) fail_msg("another %s was a hit", variants[i].what);
    }
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        outcome o = make(&variants[i]);
        if (o.compiles || o.hits != 1) fail_msg("the same %s was a miss", variants[i].what);
    }
    /* without line info it does not matter where the text came from */
    variant name = {.name = "other.py"};
    assert_int_equal(make(&name).hits, 1);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--where") == 0) return where();
    static char self[1024];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cut_and_flipped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_entries_are_replaced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(swapped_entries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(temporaries_are_swept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modes_of_the_directory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(things_in_place_of_the_directory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(folders_of_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(things_in_place_of_an_entry, set_up, tear_down),
        {"setuid_programs", setuid_programs, set_up, tear_down, self},
        cmocka_unit_test_setup_teardown(places, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_used_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_files_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_part_of_the_key_counts, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
