/* Status messages, dtypes and the version: tables that need no context. */
#include "lib/support/support.h"

const char *cpl_status_message(cpl_status status)
{
    switch (status) {
#define STATUS(name, number, message)                                                              \
    case CPL_##name: return message;
#include "cpl/status.def"
#undef STATUS
    }
    return "unknown status";
}

uint32_t cpl_version(void)
{
    return CPL_VERSION;
}

const char *cpl_version_text(void)
{
    return CPL_VERSION_TEXT;
}

static const struct {
    const char *name;
    size_t size;
    const char *spellings;
} dtypes[] = {
#define DTYPE(name, number, text, c, bytes, kind, spellings) [number] = {text, bytes, spellings},
#include "cpl/type.def"
#undef DTYPE
};
_Static_assert(COUNT_OF(dtypes) == CPL_DTYPE_COUNT, "dtype numbers are dense");

size_t cpl_dtype_size(cpl_dtype dtype)
{
    return (unsigned)dtype < CPL_DTYPE_COUNT ? dtypes[dtype].size : 0;
}

const char *cpl_dtype_name(cpl_dtype dtype)
{
    return (unsigned)dtype < CPL_DTYPE_COUNT ? dtypes[dtype].name : "?";
}

static bool is_spelling(const char *list, const char *name)
{
    size_t n = strlen(name);
    while (*list) {
        size_t length = strcspn(list, ",");
        if (length == n && memcmp(list, name, n) == 0) return true;
        list += length + (list[length] == ',');
    }
    return false;
}

cpl_dtype cpl_dtype_parse(const char *name)
{
    if (!name || *name == 0) return CPL_DTYPE_COUNT;
    for (unsigned d = 0; d < CPL_DTYPE_COUNT; d++)
        if (strcmp(dtypes[d].name, name) == 0 || is_spelling(dtypes[d].spellings, name))
            return (cpl_dtype)d;
    return CPL_DTYPE_COUNT;
}
