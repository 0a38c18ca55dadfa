/* What all rules of the verifier share. */
#include "lib/ir/ir_int.h"

void verify_error(verifier *v, cpl_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *what = arena_vprintf(&v->m->comp->arena, format, args);
    va_end(args);
    const char *where = v->where ? v->where : "", *colon = v->where ? ": " : "";
    if (v->f)
        diag_error(v->diags, CPL_EIR, span, "%s%sfunction '%s': %s", where, colon, v->f->name,
                   what);
    else diag_error(v->diags, CPL_EIR, span, "%s%s%s", where, colon, what);
}

bool verify_has_var(const ir_func *f, const ir_var *v)
{
    return v && v->user == f;
}
