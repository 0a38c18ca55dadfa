/* Stands in for the context that runtime/args.c and binding.c report to, where a test links those
 * alone: the context, as the module, is a table of types. */
#include "runtime/runtime.h"

cpl_status context_report(cpl_context *cx, cpl_status status, const char *format, ...)
{
    (void)cx;
    (void)format;
    return status;
}

cpl_status context_report_at(cpl_context *cx, cpl_status status, cpl_span span, const char *format,
                             ...)
{
    (void)cx, (void)span, (void)format;
    return status;
}

cpl_status context_no_memory(cpl_context *cx)
{
    (void)cx;
    return CPL_ENOMEM;
}

cpl_context *module_context(cpl_module *m)
{
    return (cpl_context *)m;
}

cpl_status context_check_param_bind(cpl_context *cx, size_t i, const cpl_bind *b)
{
    (void)cx, (void)i, (void)b;
    return CPL_OK;
}

cpl_status arg_code_bound(cpl_module *m, const cpl_bind *b, arg_code *code)
{
    (void)m, (void)b, (void)code;
    return CPL_OK;
}

type_table *context_types(cpl_context *cx)
{
    return (type_table *)cx;
}
