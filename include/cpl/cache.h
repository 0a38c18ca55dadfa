/*
 * The kernel cache on disk: compiled code by a hash of everything it depends on (the definitions,
 * structs and external functions that it may use, argument types, options, CPU features, the
 * versions of this library, LLVM and libmvec), so that a second process finds what a first one
 * compiled, before it types anything.
 *
 * It lies in $CPL_CACHE_DIR, else $XDG_CACHE_HOME/cpl, else ~/.cache/cpl; CPL_CACHE=0 turns it off.
 * A directory that somebody else owns or may write to is not used. An entry that is damaged is a
 * miss. Processes may share it. When it holds more than $CPL_CACHE_SIZE megabytes (512 by default),
 * entries that were not used for longest go.
 */
#ifndef CPL_CACHE_H
#define CPL_CACHE_H

#include "cpl/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One entry. */
typedef struct cpl_cache_entry {
    size_t size;      /* sizeof(cpl_cache_entry) of the library that made it */
    const char *name; /* hexadecimal hash; lives until the visitor returns */
    uint64_t bytes;   /* on disk */
    int64_t used;     /* when it was last used, to the hour: seconds since 1970 */
} cpl_cache_entry;

/* The directory, created if need be; NULL when the cache is off or cannot be used. Lives as long as
 * the context. Any thread. */
CPL_API const char *cpl_cache_directory(cpl_context *context);

/* Calls visit for each entry, in no order. Returns CPL_OK, CPL_ENOTFOUND when there is no cache, or
 * CPL_ENOMEM. Any thread. */
CPL_API cpl_status cpl_cache_each(cpl_context *context,
                                  void (*visit)(void *user, const cpl_cache_entry *entry),
                                  void *user);

/* Removes all entries; *removed (may be NULL) receives how many. Code that is loaded stays. Returns
 * as cpl_cache_each. Any thread. */
CPL_API cpl_status cpl_cache_clear(cpl_context *context, uint64_t *removed);

#ifdef __cplusplus
}
#endif
#endif
