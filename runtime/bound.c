/* Arguments that stand for something when a function is compiled, and are none of its kernel. */
#include "runtime/runtime.h"

bool args_have_bound(const cpl_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_BOUND) return true;
    return false;
}

size_t args_values(const cpl_arg *args, size_t count, cpl_arg *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (args[i].kind != CPL_ARG_BOUND) out[kept++] = args[i];
    return kept;
}

size_t args_binds(const arg_code *codes, size_t count, cpl_bind *binds)
{
    size_t last = 0;
    for (size_t i = 0; i < count; i++) {
        cpl_bind *b = &binds[i];
        *b = (cpl_bind){.kind = CPL_BIND_NONE};
        if (codes[i].kind != CPL_ARG_BOUND) continue;
        b->kind = (cpl_bind_kind)codes[i].dtype;
        if (b->kind == CPL_BIND_INTEGER) b->integer = codes[i].integer;
        if (b->kind == CPL_BIND_TYPE) b->type = codes[i].type;
        if (binds_text(b)) b->text = codes[i].text;
        last = i + 1;
    }
    return last;
}

cpl_status arg_code_bound(cpl_module *m, const cpl_bind *b, arg_code *code)
{
    cpl_status status = module_check_binds(m, b, 1);
    if (status) return status;
    code->dtype = (uint8_t)b->kind;
    if (b->kind == CPL_BIND_INTEGER) code->integer = b->integer;
    if (b->kind == CPL_BIND_TYPE) code->type = b->type;
    if (!binds_text(b)) return CPL_OK;
    code->text = module_text(m, b->text);
    return code->text ? CPL_OK : context_no_memory(module_context(m));
}
