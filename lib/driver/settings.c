/*
 * The values of all options of a context. There is one record for each combination that was ever
 * set, kept until the context goes: launches compare addresses, and one that comes back to earlier
 * values finds the kernels that it had.
 */
#include "lib/driver/driver.h"

#include <string.h>

/* The latest come first: what is set to and fro is found at once. */
bool settings_set(cpl_context *cx, const int64_t values[OPTION_COUNT])
{
    settings **at = &cx->known_settings, *s;
    while ((s = *at) && memcmp(s->values, values, sizeof s->values) != 0) at = &s->next;
    if (s) {
        *at = s->next;
    } else {
        if (!(s = mem_zalloc(&cx->mem, sizeof *s))) return false;
        memcpy(s->values, values, sizeof s->values);
    }
    s->next = cx->known_settings;
    cx->known_settings = s;
    atomic_store_explicit(&cx->settings, s, memory_order_release);
    return true;
}

const settings *context_settings(cpl_context *cx)
{
    return atomic_load_explicit(&cx->settings, memory_order_acquire);
}

const int64_t *settings_values(const settings *s, size_t *count)
{
    *count = OPTION_COUNT;
    return s->values;
}

void settings_free(cpl_context *cx)
{
    for (settings *s = cx->known_settings, *next; s; s = next) {
        next = s->next;
        mem_free(&cx->mem, s, sizeof *s);
    }
}
