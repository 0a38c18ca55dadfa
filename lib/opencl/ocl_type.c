/* Types and declarations. */
#include "lib/opencl/ocl_int.h"

const char *ocl_scalar(ocl *o, const cpl_type *t)
{
    switch (t->dtype) {
    case CPL_BOOL: return "bool";
    case CPL_INT8: return "char";
    case CPL_INT16: return "short";
    case CPL_INT32: return "int";
    case CPL_INT64: return "long";
    case CPL_UINT8: return "uchar";
    case CPL_UINT16: return "ushort";
    case CPL_UINT32: return "uint";
    case CPL_UINT64: return "ulong";
    case CPL_FLOAT16:
    case CPL_FLOAT32: return "float";
    case CPL_FLOAT64: o->fp64 = true; return "double";
    default: return "void";
    }
}

const char *ocl_unsigned(const cpl_type *t)
{
    static const char *const names[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};
    return names[t->size];
}

const char *ocl_space(const ocl *o, type_space s)
{
    switch (s) {
    case SPACE_GLOBAL: return "global";
    case SPACE_LOCAL: return "local";
    case SPACE_CONSTANT: return "constant";
    case SPACE_PRIVATE: return "private";
    /* legal refuses such pointers before 2.0 */
    default: return ocl_is_v2(o) ? "generic" : "private";
    }
}

static const char *base_name(ocl *o, const cpl_type *t, ocl_form form)
{
    if (type_is_struct(t)) return map_get(&o->structs, t->name);
    if (form != OCL_VALUE && type_is_bool(t)) return "uchar";
    if (form != OCL_VALUE && ocl_is_half(t)) return form == OCL_POINTEE ? "half" : "ushort";
    return ocl_scalar(o, t);
}

/* C's declarators grow around the name, from the outside in. */
static const char *declare(ocl *o, const cpl_type *t, const char *inner, ocl_form form,
                           const char *qualifier)
{
    arena *a = &o->c->arena;
    switch (t->kind) {
    case TYPE_ARRAY: {
        const char *format = *inner == '*' ? "(%s)[%llu]" : "%s[%llu]";
        return declare(o, t->elem, arena_printf(a, format, inner, (unsigned long long)t->count),
                       OCL_STORED, qualifier);
    }
    case TYPE_POINTER:
        inner = arena_printf(a, "*%s%s%s", qualifier, *qualifier && *inner ? " " : "", inner);
        return declare(o, t->elem, inner, OCL_POINTEE, ocl_space(o, t->space));
    default:
        return arena_printf(a, "%s%s%s%s%s", qualifier, *qualifier ? " " : "",
                            base_name(o, t, form), *inner ? " " : "", inner);
    }
}

const char *ocl_declare(ocl *o, const cpl_type *t, const char *name, ocl_form form,
                        const char *qualifier)
{
    return declare(o, t, name, form, qualifier);
}

const char *ocl_cast(ocl *o, const cpl_type *t)
{
    return declare(o, t, "", OCL_VALUE, "");
}

const char *ocl_field_name(ocl *o, const char *name)
{
    return opencl_symbol(&o->c->arena, name);
}

/* With its padding spelt out where fields were placed. */
static void put_struct(ocl *o, const cpl_type *t, const char *name)
{
    arena *a = &o->c->arena;
    strbuf *out = o->out;
    sb_printf(out, "typedef struct %s {\n", name);
    for (uint32_t k = 0; k <= t->field_count; k++) {
        size_t bytes = t->placed ? type_padding(t, k) : 0;
        if (bytes)
            sb_printf(out, "    uchar %s[%zu];\n", ocl_field_name(o, type_padding_name(a, t, k)),
                      bytes);
        if (k == t->field_count) break;
        sb_printf(out, "    %s;\n",
                  ocl_declare(o, t->fields[k].type, ocl_field_name(o, t->fields[k].name),
                              OCL_STORED, ""));
    }
    if (t->placed)
        sb_printf(out, "} __attribute__((packed, aligned(%zu))) %s;\n\n", t->align, name);
    else sb_printf(out, "} %s;\n\n", name);
}

void ocl_structs(ocl *o)
{
    for (uint32_t i = 0; i < o->m->structs.n; i++) {
        const cpl_type *t = o->m->structs.at[i];
        const char *name = ocl_global_name(o, t->name);
        map_put(&o->c->arena, &o->structs, t->name, (void *)(uintptr_t)name);
        put_struct(o, t, name);
    }
}
