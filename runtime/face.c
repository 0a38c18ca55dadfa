/* What callers see of a kernel's compiled function: that of the version which is right for them. */
#include "runtime/runtime.h"

void *cpl_kernel_address(const cpl_kernel *kernel)
{
    return !kernel || kernel_for_callers(kernel, &kernel) ? NULL : kernel->code.entry;
}

const char *cpl_kernel_signature(const cpl_kernel *kernel)
{
    const artifact *a = kernel ? kernel_face(kernel) : NULL;
    return a ? a->signature : NULL;
}

const cpl_type *cpl_kernel_parameter(const cpl_kernel *kernel, size_t index, const char **name)
{
    const artifact *a = kernel ? kernel_face(kernel) : NULL;
    if (!a || index >= a->param_count) return NULL;
    if (name) *name = a->params[index].name;
    return a->params[index].type;
}

cpl_access cpl_kernel_access(const cpl_kernel *kernel, size_t index)
{
    const artifact *a = kernel ? kernel_face(kernel) : NULL;
    if (!a || index >= a->param_count || !type_is_pointer(a->params[index].type))
        return CPL_ACCESS_NONE;
    const artifact_param *p = &a->params[index];
    return (cpl_access)((p->unread ? 0 : CPL_ACCESS_READ) | (p->readonly ? 0 : CPL_ACCESS_WRITE));
}
