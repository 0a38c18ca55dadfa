/* Faults of kernels that were compiled ahead of time, as text. */
#include "cpl/rt.h"
#include "lib/support/plural.h"

#include <inttypes.h>
#include <stdio.h>

size_t cplrt_fault_text(const cplrt_site *sites, size_t count, const cpl_fault *fault, char *text,
                        size_t size)
{
    if (!text) size = 0;
    if (size) *text = 0;
    if (!fault || !fault->taken) return 0;
    if (!sites || fault->site < 0 || (size_t)fault->site >= count)
        return (size_t)snprintf(text, size, "a check failed");
    const cplrt_site *s = &sites[fault->site];
    char along[32] = "";
    int n;
    if (s->dimension >= 0) snprintf(along, sizeof along, " along dimension %" PRId32, s->dimension);
    if (s->array)
        n = snprintf(text, size,
                     "%s:%" PRIu32 ":%" PRIu32 ": in '%s': index %" PRId64
                     " is out of bounds of '%s', which has %" PRId64 " element%s%s",
                     s->file, s->line, s->column, s->function, fault->index, s->array,
                     fault->extent, plural(fault->extent), along);
    else
        n = snprintf(text, size, "%s:%" PRIu32 ":%" PRIu32 ": in '%s': assertion failed", s->file,
                     s->line, s->column, s->function);
    return n > 0 ? (size_t)n : 0;
}
