/* Shared libraries that a host program names. */
#include "lib/dl/dl.h"

#include <dlfcn.h>
#include <stdio.h>

void *dl_library_symbol(const char *library, const char *symbol, char *error, size_t error_size)
{
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *address = handle ? dlsym(handle, symbol) : NULL;
    if (address) return address;
    const char *why = dlerror();
    snprintf(error, error_size, "%s", why ? why : "the symbol is NULL");
    if (handle) dlclose(handle);
    return NULL;
}
