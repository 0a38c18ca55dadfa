/* Opening a driver's library once a process, and finding its entries. */
#include "lib/dl/dl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A driver's threads do not follow a fork, and calls into it then wait for them: it stays out of
 * the child. */
static void refuse_fork(dl_driver *d)
{
    if (!d->usable || d->process == getpid()) return;
    d->usable = false;
    snprintf(d->error, sizeof d->error,
             "%s was in use in the process that this one was forked from, and cannot be used after "
             "the fork; use devices in the child alone, or start it afresh (Python's "
             "multiprocessing: \"spawn\")",
             d->path);
}

bool dl_driver_begin(dl_driver *d)
{
    pthread_mutex_lock(&d->lock);
    if (d->tried) {
        refuse_fork(d);
        return false;
    }
    d->tried = true;
    d->process = getpid();
    const char *named = secure_getenv(d->variable);
    d->path = named && *named ? named : d->library;
    d->handle = dlopen(d->path, RTLD_NOW | RTLD_LOCAL);
    const char *why = d->handle ? NULL : dlerror();
    if (!d->handle)
        snprintf(d->error, sizeof d->error, "%s", why ? why : "the library cannot be opened");
    d->usable = d->handle != NULL;
    return d->usable;
}

void dl_driver_symbol(dl_driver *d, const char *symbol, void *pointer, bool needed)
{
    void *address = dlsym(d->handle, symbol);
    memcpy(pointer, &address, sizeof address);
    if (address || !needed || !d->usable) return;
    snprintf(d->error, sizeof d->error, "%s has no %s: the driver is too old", d->path, symbol);
    d->usable = false;
}

bool dl_driver_end(dl_driver *d)
{
    bool usable = d->usable;
    pthread_mutex_unlock(&d->lock);
    return usable;
}
