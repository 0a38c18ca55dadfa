/* glibc's vector math library, opened at run time: systems without it get scalar math. */
#include "lib/dl/dl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* Per process, and never closed: loaded code may point into it. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *library;

static void open_library(void)
{
    library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
}

void *dl_mvec_symbol(const char *symbol)
{
    /* Only vector entries: dlsym would also search the libraries that libmvec needs. */
    if (strncmp(symbol, "_ZGV", 4)) return NULL;
    pthread_once(&once, open_library);
    return library ? dlsym(library, symbol) : NULL;
}
