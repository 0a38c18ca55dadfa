/*
 * The values of all options of a context. There is one record for each combination that was ever
 * set, kept until the context goes: launches compare addresses, and one that comes back to earlier
 * values finds the kernels that it had.
 */
#include "lib/driver/driver.h"

#include <string.h>

/* By a sum whose terms do not wait for each other: it takes some nanoseconds. */
static size_t list_of(const int64_t values[OPTION_COUNT])
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < OPTION_COUNT; i++) sum += (uint64_t)values[i] * (2 * i + 3);
    return (sum * 0x9E3779B97F4A7C15u >> 32) % SETTINGS_LISTS; /* 2^64 by the golden ratio */
}

/* The latest come first: what is set to and fro is found at once. */
bool settings_set(cpl_context *cx, const int64_t values[OPTION_COUNT])
{
    settings **list = &cx->known_settings[list_of(values)], **at = list, *s;
    while ((s = *at) && memcmp(s->values, values, sizeof s->values) != 0) at = &s->next;
    if (s) {
        *at = s->next;
    } else {
        if (!(s = mem_zalloc(&cx->mem, sizeof *s))) return false;
        memcpy(s->values, values, sizeof s->values);
    }
    s->next = *list;
    *list = s;
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
    for (int i = 0; i < SETTINGS_LISTS; i++)
        for (settings *s = cx->known_settings[i], *next; s; s = next) {
            next = s->next;
            mem_free(&cx->mem, s, sizeof *s);
        }
}
