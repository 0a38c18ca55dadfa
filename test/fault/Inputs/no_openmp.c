/* Preloaded: a system without an OpenMP runtime. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

void *dlopen(const char *path, int flags)
{
    static void *(*next)(const char *, int);
    if (path && (strstr(path, "libomp") || strstr(path, "libiomp"))) return NULL;
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next(path, flags);
}
