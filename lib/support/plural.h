/* Counts in messages: "1 element", "2 elements". */
#ifndef CPL_PLURAL_H
#define CPL_PLURAL_H

#include <stdint.h>

static inline const char *counted(int64_t n, const char *one, const char *more)
{
    return n == 1 ? one : more;
}

/* What stands behind a noun: "%lld element%s", n, plural(n). */
static inline const char *plural(int64_t n)
{
    return counted(n, "", "s");
}

#endif
