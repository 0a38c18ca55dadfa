/* Structs that begin with their size, of callers whose header may be older or newer than ours. */
#include "lib/support/support.h"

enum { MOST_BYTES = 4096 }; /* of such a struct, in any version: a larger size was never set */

/* The caller's size; 0, reported, when it is none. */
static size_t size_of(const void *given, const char *name)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    if (size >= sizeof size && size % sizeof size == 0 && size <= MOST_BYTES) return size;
    thread_report(CPL_EARG, "the size of a %s is given as %zu: it is set by sizeof", name, size);
    return 0;
}

cpl_status struct_read(void *to, size_t ours, const void *given, const char *name)
{
    size_t size = size_of(given, name), n = size < ours ? size : ours;
    if (!size) return CPL_EARG;
    for (size_t i = ours; i < size; i++)
        if (((const char *)given)[i])
            return thread_report(CPL_EARG,
                                 "a %s has something that this version of the library does not "
                                 "know, behind its first %zu bytes",
                                 name, ours);
    memcpy((char *)to + sizeof size, (const char *)given + sizeof size, n - sizeof size);
    return CPL_OK;
}

cpl_status struct_write(void *given, const void *from, size_t ours, const char *name)
{
    size_t size = size_of(given, name), n = size < ours ? size : ours;
    if (!size) return CPL_EARG;
    memcpy((char *)given + sizeof size, (const char *)from + sizeof size, n - sizeof size);
    memset((char *)given + n, 0, size - n);
    return CPL_OK;
}

cpl_status struct_read_item(void *to, size_t ours, const void *items, size_t i, const char *name)
{
    size_t each, size;
    memcpy(&each, items, sizeof each);
    if (!size_of(items, name)) return CPL_EARG;
    const char *item = (const char *)items + i * each;
    memcpy(&size, item, sizeof size);
    if (size != each)
        return thread_report(CPL_EARG, "%s %zu has another size than the first", name, i + 1);
    return struct_read(to, ours, item, name);
}
