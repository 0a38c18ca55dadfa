/* External functions that live in shared libraries, and what the host offers. */
#include "lib/dl/dl.h"
#include "runtime/runtime.h"

cpl_status cpl_extern_register_library(cpl_context *context, const char *name,
                                       const char *signature, const char *library,
                                       const char *symbol, bool pure)
{
    if (MISSING("context library symbol", context, library, symbol)) return CPL_EARG;
    char error[512];
    void *address = dl_library_symbol(library, symbol, error, sizeof error);
    if (!address) return context_report(context, CPL_ENODEVICE, "%s", error);
    return cpl_extern_register(context, name, signature, address, pure);
}

const char *cpl_openmp_path(cpl_context *context)
{
    if (context && context_threads(context)) return NULL;
    return dl_openmp_path(context ? context_openmp(context) : NULL);
}
