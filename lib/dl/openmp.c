/*
 * Finding the OpenMP runtime. Two copies of LLVM's (libomp) or Intel's (libiomp5) in one process
 * end it with "OMP Error #15", so a copy that somebody else loaded is looked for first, in the list
 * of loaded objects, and opened again without loading.
 */
#include "lib/dl/dl.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WHY = 256 };

static struct {
    pthread_mutex_t lock;
    bool chosen;
    void *handle;
    char path[1024];
    char why[WHY];   /* a library that is there could not be opened; empty: there was none */
    char named[WHY]; /* what kept one that somebody names from being opened */
} runtime = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int is_openmp(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *base = slash ? slash + 1 : info->dlpi_name;
    if (strncmp(base, "libiomp5", 8) != 0 && strncmp(base, "libomp.", 7) != 0 &&
        strncmp(base, "libomp5", 7) != 0)
        return 0;
    snprintf(found, sizeof runtime.path, "%s", info->dlpi_name);
    return 1;
}

/* Else why not; empty: there is no path. */
static bool try_open(const char *path, int flags, char why[WHY])
{
    *why = 0;
    if (!path || !*path) return false;
    dlerror(); /* forgets what others met */
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | flags);
    if (handle && dlsym(handle, "__kmpc_fork_call")) {
        runtime.handle = handle;
        struct link_map *map;
        const char *name = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : path;
        snprintf(runtime.path, sizeof runtime.path, "%s", name);
        return true;
    }
    const char *text = handle ? NULL : dlerror();
    if (handle) snprintf(why, WHY, "%.200s has no functions of OpenMP", path);
    else if (text) snprintf(why, WHY, "%s", text);
    if (handle) dlclose(handle);
    return false;
}

/* Unless nothing was found. */
static void note_failure(const char *why)
{
    if (*why && !strstr(why, "No such file")) memcpy(runtime.why, why, WHY);
}

/* The host's own path, or the user's. */
static bool try_named(const char *path)
{
    char why[WHY];
    if (try_open(path, 0, why)) return true;
    if (*why) memcpy(runtime.named, why, WHY);
    note_failure(why);
    return false;
}

/* Numbers with commas between. */
static bool are_numbers(const char *text)
{
    bool digit = false;
    for (; *text; text++) {
        if (*text == ',' && !digit) return false;
        if (*text != ' ' && *text != ',' && (*text < '0' || *text > '9')) return false;
        digit = *text == ' ' ? digit : *text != ',';
    }
    return digit;
}

/* LLVM's runtime ends the process where its variable is no number. */
static bool may_start(void)
{
    const char *asked = getenv("OMP_NUM_THREADS");
    if (!asked || are_numbers(asked)) return true;
    snprintf(runtime.why, sizeof runtime.why,
             "OMP_NUM_THREADS is \"%.40s\", and numbers of threads are expected", asked);
    return false;
}

static void choose(const char *path)
{
    if (!may_start()) return;
    char found[sizeof runtime.path] = "", why[WHY];
    dl_iterate_phdr(is_openmp, found);
    if (try_open(found, RTLD_NOLOAD, why) || try_named(path) ||
        try_named(secure_getenv("CPL_OPENMP")))
        return;
    static const char *const names[] = {"libomp.so.5", "libomp.so", "libiomp5.so",
                                        "/usr/lib/llvm-22/lib/libomp.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (try_open(names[i], 0, why)) return;
        note_failure(why);
    }
}

static void *handle(const char *path)
{
    pthread_mutex_lock(&runtime.lock);
    if (!runtime.chosen) {
        runtime.why[0] = runtime.named[0] = 0;
        choose(path);
    }
    runtime.chosen = runtime.handle != NULL;
    void *h = runtime.handle;
    pthread_mutex_unlock(&runtime.lock);
    return h;
}

void *dl_openmp_symbol(const char *path, const char *symbol)
{
    void *h = handle(path);
    return h ? dlsym(h, symbol) : NULL;
}

const char *dl_openmp_path(const char *path)
{
    return handle(path) ? runtime.path : NULL;
}

void dl_openmp_error(char *text, size_t size)
{
    pthread_mutex_lock(&runtime.lock);
    snprintf(text, size, "%s", runtime.handle || !runtime.why[0] ? runtime.named : runtime.why);
    pthread_mutex_unlock(&runtime.lock);
}
