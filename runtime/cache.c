/*
 * The kernel cache on disk. One file an entry, named by its key:
 *
 *     offset 0   8 bytes   "cplobj1\n"
 *            8   8 bytes   size of the payload, little-endian
 *           16  32 bytes   hash of name and payload
 *           48  ...        payload
 *
 * A file is written under a temporary name and renamed, so a reader sees all of it or none; two
 * writers of one key write the same bytes. Content errors remove the entry, errors of the system
 * never do. The directory must be ours alone: objects in it are run.
 */
#include "runtime/runtime.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC        "cplobj1\n"
#define HEADER_SIZE  48
#define HASH_SIZE    32
#define NAME_SIZE    (2 * HASH_SIZE + 1)
#define MOST_PAYLOAD ((uint64_t)1 << 28)
#define TEMP_PREFIX  ".tmp-"

struct disk_cache {
    pthread_mutex_t lock;
    bool opened;    /* an attempt to open was made */
    int dir;        /* -1: off */
    bool read_only; /* a write failed in a way that the next would too */
    uint64_t most;  /* bytes */
    char path[4096];
};

disk_cache *disk_cache_create(const mem *m)
{
    disk_cache *c = mem_zalloc(m, sizeof *c);
    if (!c) return NULL;
    c->dir = -1;
    if (pthread_mutex_init(&c->lock, NULL) == 0) return c;
    mem_free(m, c, sizeof *c);
    return NULL;
}

void disk_cache_free(const mem *m, disk_cache *c)
{
    if (!c) return;
    if (c->dir >= 0) close(c->dir);
    pthread_mutex_destroy(&c->lock);
    mem_free(m, c, sizeof *c);
}

/* Opening. */

static int open_file(int dir, const char *name, int flags)
{
    int fd;
    while ((fd = openat(dir, name, flags, 0600)) < 0 && errno == EINTR) continue;
    return fd;
}

static bool choose_path(char *path, size_t size)
{
    const char *own = secure_getenv("CPL_CACHE_DIR"), *xdg = secure_getenv("XDG_CACHE_HOME"),
               *home = secure_getenv("HOME");
    int n = -1;
    if (own && *own) n = snprintf(path, size, "%s", own);
    else if (xdg && *xdg == '/') n = snprintf(path, size, "%s/cpl", xdg);
    else if (home && *home == '/') n = snprintf(path, size, "%s/.cache/cpl", home);
    return n > 0 && (size_t)n < size;
}

static void make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = 0;
        mkdir(path, 0700);
        *p = '/';
    }
    mkdir(path, 0700);
}

static void open_directory(cpl_context *cx, disk_cache *c)
{
    const char *on = secure_getenv("CPL_CACHE"), *size = secure_getenv("CPL_CACHE_SIZE");
    if ((on && strcmp(on, "0") == 0) || !choose_path(c->path, sizeof c->path)) return;
    uint64_t megabytes = size ? strtoull(size, NULL, 10) : 512;
    c->most = (megabytes > 1 << 20 ? 1 << 20 : megabytes) << 20;
    make_folders(c->path);
    int dir = open_file(AT_FDCWD, c->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    if (dir < 0 || fstat(dir, &st)) {
        context_warn(cx, "the kernel cache %s cannot be opened: %s", c->path, strerror(errno));
    } else if (st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH))) {
        context_warn(cx, "the kernel cache %s is not used: others own it or may write to it",
                     c->path);
    } else {
        c->dir = dir;
        return;
    }
    if (dir >= 0) close(dir);
}

/* The directory's descriptor, -1 when there is no cache. */
static int directory(cpl_context *cx, disk_cache *c)
{
    pthread_mutex_lock(&c->lock);
    if (!c->opened) {
        c->opened = true;
        open_directory(cx, c);
    }
    int dir = c->dir;
    pthread_mutex_unlock(&c->lock);
    return dir;
}

/* Reading and writing, past interruptions. */

typedef enum outcome { HIT, MISS, DAMAGED } outcome;

/* HIT, DAMAGED when the file ends before, MISS when the system fails. */
static outcome read_all(int fd, void *to, size_t size)
{
    for (char *p = to; size;) {
        ssize_t got = read(fd, p, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? MISS : DAMAGED;
        p += got;
        size -= (size_t)got;
    }
    return HIT;
}

static bool write_all(int fd, const void *from, size_t size)
{
    for (const char *p = from; size;) {
        ssize_t put = write(fd, p, size);
        if (put < 0 && errno == EINTR) continue;
        if (put == 0) errno = EIO;
        if (put <= 0) return false;
        p += put;
        size -= (size_t)put;
    }
    return true;
}

static void name_of(const uint8_t *key, char name[NAME_SIZE])
{
    for (int i = 0; i < HASH_SIZE; i++) snprintf(name + 2 * i, 3, "%02x", key[i]);
}

static void checksum(const char *name, const void *payload, size_t size, uint8_t out[HASH_SIZE])
{
    artifact_hash((const void *[]){name, payload}, (size_t[]){NAME_SIZE - 1, size}, 2, out);
}

static void put_size(unsigned char *to, uint64_t size)
{
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(size >> 8 * i);
}

static uint64_t get_size(const unsigned char *from)
{
    uint64_t size = 0;
    for (int i = 0; i < 8; i++) size |= (uint64_t)from[i] << 8 * i;
    return size;
}

/* Reads an entry into out, which was empty. Everything in the file is doubted. */
static outcome load(int fd, const char *name, strbuf *out)
{
    struct stat st;
    unsigned char header[HEADER_SIZE];
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
        (st.st_mode & (S_IWGRP | S_IWOTH)))
        return MISS;
    if (st.st_size < HEADER_SIZE) return DAMAGED;
    outcome o = read_all(fd, header, sizeof header);
    if (o != HIT) return o;
    uint64_t size = get_size(header + 8);
    if (memcmp(header, MAGIC, 8) != 0 || size > MOST_PAYLOAD ||
        size != (uint64_t)st.st_size - HEADER_SIZE)
        return DAMAGED;
    char *payload = mem_realloc(out->mem, NULL, 0, size + 1);
    if (!payload) return MISS;
    payload[size] = 0;
    *out = (strbuf){.mem = out->mem, .at = payload, .n = size, .capacity = size + 1};
    uint8_t sum[HASH_SIZE];
    o = read_all(fd, payload, size);
    if (o != HIT) return o;
    checksum(name, payload, size, sum);
    if (memcmp(sum, header + 16, HASH_SIZE) != 0) return DAMAGED;
    /* the time of use decides who goes first */
    if (time(NULL) - st.st_mtime > 3600) futimens(fd, NULL);
    return HIT;
}

bool disk_cache_get(cpl_context *cx, disk_cache *c, const uint8_t *key, strbuf *out)
{
    int dir = directory(cx, c);
    if (dir < 0) return false;
    char name[NAME_SIZE];
    name_of(key, name);
    int fd = open_file(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return false;
    outcome o = load(fd, name, out);
    close(fd);
    if (o == HIT) return true;
    sb_free(out);
    if (o == DAMAGED) unlinkat(dir, name, 0);
    return false;
}

/* Sweeping. */

typedef struct old_entry {
    char name[NAME_SIZE];
    int64_t used;
    uint64_t bytes;
} old_entry;

static int by_age(const void *a, const void *b)
{
    int64_t x = ((const old_entry *)a)->used, y = ((const old_entry *)b)->used;
    return (x > y) - (x < y);
}

static bool is_entry_name(const char *name)
{
    return strlen(name) == NAME_SIZE - 1 && strspn(name, "0123456789abcdef") == NAME_SIZE - 1;
}

typedef void (*file_visitor)(void *user, int dir, const char *name, const struct stat *st);

static void each_file(int dir, file_visitor visit, void *user)
{
    int fd = open_file(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        if (fd >= 0) close(fd);
        return;
    }
    struct stat st;
    for (struct dirent *e; (e = readdir(d));)
        if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
            visit(user, dir, e->d_name, &st);
    closedir(d);
}

typedef struct sweep {
    const mem *mem;
    old_entry *entries;
    size_t n, capacity;
    uint64_t bytes;
} sweep;

static void note_entry(void *user, int dir, const char *name, const struct stat *st)
{
    sweep *s = user;
    if (strncmp(name, TEMP_PREFIX, strlen(TEMP_PREFIX)) == 0 && time(NULL) - st->st_mtime > 3600)
        unlinkat(dir, name, 0); /* of a writer that died */
    if (!is_entry_name(name)) return;
    if (s->n == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 256;
        old_entry *bigger = mem_realloc(s->mem, s->entries, s->capacity * sizeof *bigger,
                                        capacity * sizeof *bigger);
        if (!bigger) return;
        s->entries = bigger;
        s->capacity = capacity;
    }
    old_entry *e = &s->entries[s->n++];
    memcpy(e->name, name, NAME_SIZE);
    e->used = st->st_mtime;
    e->bytes = (uint64_t)st->st_size;
    s->bytes += e->bytes;
}

/* Removes what was not used for longest until a fifth of the room is free. */
static void sweep_old(cpl_context *cx, disk_cache *c)
{
    sweep s = {.mem = context_mem(cx)};
    each_file(c->dir, note_entry, &s);
    if (s.bytes > c->most) {
        qsort(s.entries, s.n, sizeof *s.entries, by_age);
        for (size_t i = 0; i < s.n && s.bytes > c->most / 5 * 4; i++)
            if (unlinkat(c->dir, s.entries[i].name, 0) == 0) s.bytes -= s.entries[i].bytes;
    }
    mem_free(s.mem, s.entries, s.capacity * sizeof *s.entries);
}

/* Storing. */

/* Writes the temporary file; 0 or errno. */
static int write_entry(int fd, const char *name, const void *payload, size_t size)
{
    unsigned char header[HEADER_SIZE] = MAGIC;
    put_size(header + 8, size);
    checksum(name, payload, size, header + 16);
    bool ok = write_all(fd, header, sizeof header) && write_all(fd, payload, size);
    int error = ok ? 0 : errno;
    if (close(fd) && !error) error = errno;
    return error;
}

static int store(int dir, const char *name, const void *payload, size_t size)
{
    char temp[sizeof TEMP_PREFIX + 40];
    uint64_t random[2];
    ssize_t got;
    while ((got = getrandom(random, sizeof random, 0)) < 0 && errno == EINTR) continue;
    if (got != sizeof random) return got < 0 ? errno : EIO;
    snprintf(temp, sizeof temp, TEMP_PREFIX "%016llx%016llx", (unsigned long long)random[0],
             (unsigned long long)random[1]);
    int fd = open_file(dir, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return errno;
    int error = write_entry(fd, name, payload, size);
    if (!error && renameat(dir, temp, dir, name)) error = errno;
    if (error) unlinkat(dir, temp, 0);
    return error;
}

void disk_cache_put(cpl_context *cx, disk_cache *c, const uint8_t *key, const void *payload,
                    size_t size)
{
    int dir = directory(cx, c);
    pthread_mutex_lock(&c->lock);
    bool skip = dir < 0 || c->read_only || size > MOST_PAYLOAD || size > c->most;
    pthread_mutex_unlock(&c->lock);
    if (skip) return;
    char name[NAME_SIZE];
    name_of(key, name);
    int error = store(dir, name, payload, size);
    if (error) {
        pthread_mutex_lock(&c->lock);
        bool first = !c->read_only;
        c->read_only = true;
        pthread_mutex_unlock(&c->lock);
        if (first)
            context_warn(cx, "kernels are not written to the cache %s: %s", c->path,
                         strerror(error));
    } else if (key[0] % 32 == 0) {
        sweep_old(cx, c);
    }
}

/* The public face. */

disk_cache *runtime_disk_cache(cpl_context *cx)
{
    runtime_state *s = runtime_of(cx);
    if (!s) return NULL;
    pthread_mutex_lock(context_lock(cx));
    s->cache_free = disk_cache_free;
    if (!s->cache) s->cache = disk_cache_create(context_mem(cx));
    disk_cache *c = s->cache;
    pthread_mutex_unlock(context_lock(cx));
    return c;
}

const char *cpl_cache_directory(cpl_context *context)
{
    disk_cache *c = context && !context_forked(context) ? runtime_disk_cache(context) : NULL;
    return c && directory(context, c) >= 0 ? c->path : NULL;
}

typedef struct visit_job {
    void (*visit)(void *user, const cpl_cache_entry *entry);
    void *user;
    uint64_t removed;
} visit_job;

static void show_entry(void *user, int dir, const char *name, const struct stat *st)
{
    (void)dir;
    visit_job *j = user;
    cpl_cache_entry e = {sizeof e, name, (uint64_t)st->st_size, st->st_mtime};
    if (is_entry_name(name)) j->visit(j->user, &e);
}

cpl_status cpl_cache_each(cpl_context *context,
                          void (*visit)(void *user, const cpl_cache_entry *entry), void *user)
{
    if (MISSING("context visit", context, NOT_NULL(visit))) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    disk_cache *c = runtime_disk_cache(context);
    if (!c) return context_no_memory(context);
    int dir = directory(context, c);
    if (dir < 0) return thread_report(CPL_ENOTFOUND, "there is no cache on disk");
    visit_job j = {visit, user, 0};
    each_file(dir, show_entry, &j);
    return CPL_OK;
}

static void remove_entry(void *user, int dir, const char *name, const struct stat *st)
{
    (void)st;
    visit_job *j = user;
    bool ours = is_entry_name(name) || strncmp(name, TEMP_PREFIX, strlen(TEMP_PREFIX)) == 0;
    if (ours && unlinkat(dir, name, 0) == 0) j->removed++;
}

cpl_status cpl_cache_clear(cpl_context *context, uint64_t *removed)
{
    if (removed) *removed = 0;
    if (MISSING("context", context)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    disk_cache *c = runtime_disk_cache(context);
    if (!c) return context_no_memory(context);
    int dir = directory(context, c);
    if (dir < 0) return thread_report(CPL_ENOTFOUND, "there is no cache on disk");
    visit_job j = {0};
    each_file(dir, remove_entry, &j);
    if (removed) *removed = j.removed;
    return CPL_OK;
}
