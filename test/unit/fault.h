/* Shared by the tests that make things fail: an allocator that fails on demand, folders of their
 * own, figures for ./dev trust. */
#ifndef UNIT_FAULT_H
#define UNIT_FAULT_H

#include "unit.h"

#include "collect.h"
#include "figures.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Counts requests and live bytes from any thread; with fail_at the request of that number gets
 * NULL, with persistent all behind it too. */
typedef struct fault_heap {
    atomic_long requests, live, failed;
    atomic_long fail_at; /* from 1; 0: none */
    atomic_bool persistent;
    void (*seen)(bool failed); /* told of each request; may be NULL */
} fault_heap;

static inline void *fault_alloc(void *user, void *block, size_t old_size, size_t new_size)
{
    fault_heap *h = user;
    if (new_size == 0) {
        atomic_fetch_sub(&h->live, (long)old_size);
        free(block);
        return NULL;
    }
    long n = atomic_fetch_add(&h->requests, 1) + 1, at = atomic_load(&h->fail_at);
    bool fail = at && (n == at || (n > at && atomic_load(&h->persistent)));
    if (h->seen) h->seen(fail);
    if (fail) {
        atomic_fetch_add(&h->failed, 1);
        return NULL;
    }
    void *p = realloc(block, new_size);
    if (p) atomic_fetch_add(&h->live, (long)new_size - (long)(block ? old_size : 0));
    return p;
}

/* The n-th request from now on fails. */
static inline void fault_arm(fault_heap *h, long n, bool persistent)
{
    atomic_store(&h->requests, 0);
    atomic_store(&h->failed, 0);
    atomic_store(&h->persistent, persistent);
    atomic_store(&h->fail_at, n);
}

static inline cpl_context *fault_context(fault_heap *h, messages *said)
{
    cpl_context_options o;
    cpl_context_options_init(&o);
    if (h) o.alloc = fault_alloc, o.alloc_user = h;
    if (said) o.sink = collect, o.sink_user = said;
    cpl_context *cx = NULL;
    assert_int_equal(cpl_context_create(&o, &cx), CPL_OK);
    return cx;
}

static inline cpl_module *fault_module(cpl_context *cx, const char *text)
{
    cpl_module *m = NULL;
    assert_int_equal(cpl_module_from_source(cx, "k.py", text, strlen(text), &m), CPL_OK);
    return m;
}

/* A folder of this test, empty and ours alone. */
static inline void fault_folder(char path[64])
{
    snprintf(path, 64, "/tmp/cpl-fault-XXXXXX");
    assert_non_null(mkdtemp(path));
}

/* Files in a folder whose names begin with prefix, links included; -1 if it cannot be read. */
static inline int fault_count(const char *path, const char *prefix)
{
    DIR *d = opendir(path);
    if (!d) return -1;
    int n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 &&
             strncmp(e->d_name, prefix, strlen(prefix)) == 0;
    closedir(d);
    return n;
}

static inline void fault_remove(const char *path)
{
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        char inner[1024];
        if (snprintf(inner, sizeof inner, "%s/%s", path, e->d_name) >= (int)sizeof inner) continue;
        struct stat st;
        if (lstat(inner, &st) == 0 && S_ISDIR(st.st_mode)) fault_remove(inner);
        else unlink(inner);
    }
    if (d) closedir(d);
    rmdir(path);
}

static inline int fault_descriptors(void)
{
    return fault_count("/proc/self/fd", "");
}

/* The number behind a field of /proc/self/status (VmRSS in kB, Threads), -1 if it is not there. */
static inline long fault_status(const char *field)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    long value = -1;
    size_t n = strlen(field);
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, field, n) == 0 && line[n] == ':') value = atol(line + n + 1);
    if (f) fclose(f);
    return value;
}

#endif
