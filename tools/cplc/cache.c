/* cplc cache: lists or removes the compiled code that is kept on disk. */
#include "cplc.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

typedef struct totals {
    uint64_t entries;
    uint64_t bytes;
} totals;

static void show_entry(void *user, const cpl_cache_entry *entry)
{
    totals *t = user;
    char when[32] = "?";
    time_t used = (time_t)entry->used;
    struct tm tm;
    if (localtime_r(&used, &tm)) strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
    printf("%s  %10" PRIu64 "  %s\n", when, entry->bytes, entry->name);
    t->entries++;
    t->bytes += entry->bytes;
}

static cpl_status list(cpl_context *context)
{
    totals t = {0, 0};
    cpl_status status = cpl_cache_each(context, show_entry, &t);
    if (!status)
        printf("%" PRIu64 " %s, %.1f MB in %s\n", t.entries, t.entries == 1 ? "kernel" : "kernels",
               1e-6 * (double)t.bytes, cpl_cache_directory(context));
    return status;
}

static cpl_status clear(cpl_context *context)
{
    uint64_t removed = 0;
    cpl_status status = cpl_cache_clear(context, &removed);
    if (!status) printf("%" PRIu64 " %s removed\n", removed, removed == 1 ? "kernel" : "kernels");
    return status;
}

int command_cache(const options *o)
{
    cpl_context *context;
    cpl_status status = cpl_context_create(NULL, &context);
    if (!status && !cpl_cache_directory(context)) {
        message("there is no cache: CPL_CACHE=0 turns it off, or its directory cannot be used");
        cpl_context_release(context);
        return EXIT_SYSTEM;
    }
    if (!status) status = o->clear ? clear(context) : list(context);
    if (status) message("the cache cannot be used: %s", cpl_status_message(status));
    cpl_context_release(context);
    return status ? EXIT_SYSTEM : EXIT_OK;
}
