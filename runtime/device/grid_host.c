/*
 * Kernels over a grid on the host. The compiled function runs a whole grid: it deals out the groups
 * to threads itself, and takes sizes and its workers' memory through a cpl_grid (cpl/rt.h).
 */
#include "runtime/device/device.h"
#include "cpl/rt.h"

enum { ALIGNMENT = 64 }; /* bytes: a cache line */
enum { PIECES = 16 };    /* of each worker's groups, if there are so many */

static size_t rounded(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Bytes of local memory of a group, the parameters' parts included. */
static size_t local_bytes(const dev_launch *l)
{
    const artifact *a = &l->kernel->artifact;
    size_t bytes = rounded(a->local_bytes);
    for (size_t i = 0; i < a->param_count; i++) bytes += rounded(l->local_sizes[i]);
    return bytes;
}

static cpl_grid describe(const dev_launch *l, uint64_t most)
{
    uint64_t groups = l->groups[0] * l->groups[1] * l->groups[2];
    uint64_t workers = groups < most ? groups : most;
    cpl_grid g = {.workers = (int64_t)workers, .piece = (int64_t)(groups / (workers * PIECES)) + 1};
    for (int i = 0; i < 3; i++) {
        g.groups[i] = (int64_t)l->groups[i];
        g.items[i] = l->group[i];
    }
    return g;
}

/* What stands for parameters in local memory, and for the grid. */
static void place(const dev_launch *l, cpl_grid *g)
{
    const artifact *a = &l->kernel->artifact;
    char *part = (char *)(g + 1) + rounded(a->local_bytes);
    for (size_t i = 0; i < a->param_count; i++) {
        if (a->params[i].role == PARAM_GRID) l->values->values[i].pointer = g;
        if (!l->local_sizes[i]) continue;
        l->values->values[i].pointer = part;
        part += rounded(l->local_sizes[i]);
    }
}

cpl_status grid_run_host(cpl_context *cx, const dev_launch *l, uint32_t most_workers)
{
    uint64_t ignored[2];
    cpl_grid g = describe(l, most_workers);
    size_t size = cplrt_grid_bytes(&g, local_bytes(l), l->kernel->artifact.item_bytes) + ALIGNMENT;
    char *memory = size > PTRDIFF_MAX ? NULL : mem_realloc(context_mem(cx), NULL, 0, size);
    if (!memory) return context_no_memory(cx);
    cpl_grid *at = (cpl_grid *)rounded((uintptr_t)memory);
    *at = g;
    place(l, at);
    cpl_status status = kernel_run(l->kernel, l->values, INT64_MAX, ignored);
    mem_free(context_mem(cx), memory, size);
    return status;
}
