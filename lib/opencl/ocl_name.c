/* Names: the user's own, unless OpenCL C has them. */
#include "lib/opencl/ocl_int.h"

#include <ctype.h>

/* Keywords, types, macros and built-in functions; all of OpenCL C 1.0 to 3.0, whatever the version
 * at hand. */
static const char *const words[] = {
#define WORD(name) #name,
#include "lib/opencl/word.def"
#undef WORD
};

/* Families of names. */
static const char *const prefixes[] = {
    "__",          "cpl_",      "cl_",        "CL_",           "CLK_",
    "convert_",    "as_",       "vload",      "vstore",        "atomic_",
    "atom_",       "ATOMIC_",   "sub_group_", "work_group_",   "intel_",
    "async_work_", "native_",   "half_",      "memory_order_", "memory_scope_",
    "ndrange_",    "bitfield_", "pocl_",      "_cl_",          "_pocl",
    "M_",          "DBL_",      "FLT_",       "HALF_",         "CHAR_",
    "SCHAR_",      "UCHAR_",    "SHRT_",      "USHRT_",        "INT_",
    "UINT_",       "LONG_",     "ULONG_",     "FP_",
};

/* char4, double16 and the like. */
static bool is_vector(const char *name)
{
    static const char *const elements[] = {"char",   "uchar", "short", "ushort", "int",
                                           "uint",   "long",  "ulong", "half",   "float",
                                           "double", "bool",  "quad"};
    static const char *const counts[] = {"2", "3", "4", "8", "16"};
    for (size_t i = 0; i < COUNT_OF(elements); i++) {
        size_t n = strlen(elements[i]);
        if (strncmp(name, elements[i], n)) continue;
        for (size_t k = 0; k < COUNT_OF(counts); k++)
            if (!strcmp(name + n, counts[k])) return true;
    }
    return false;
}

/* A function that is an op too. */
static bool is_function(const char *name)
{
    ir_op op = ir_op_find(name, strlen(name));
    if (op == IR_OP_COUNT) return false;
    ir_kind kind = ir_op_kind(op);
    return kind == IR_KIND_EXACT || kind == IR_KIND_MATH || kind == IR_KIND_CLASSIFY;
}

bool ocl_is_reserved(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (!strcmp(name, words[i])) return true;
    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
    return is_function(name) || is_vector(name);
}

static char *cleaned(arena *a, const char *name)
{
    char *text = isdigit((unsigned char)*name) || !*name ? arena_printf(a, "_%s", name)
                                                         : arena_strdup(a, name);
    for (char *p = text; *p; p++)
        if ((unsigned char)*p > 127 || !isalnum((unsigned char)*p)) *p = '_';
    return text;
}

const char *opencl_symbol(arena *a, const char *name)
{
    const char *text = cleaned(a, name);
    return ocl_is_reserved(text) ? arena_printf(a, "u_%s", text) : text;
}

static const char *unique(ocl *o, const char *name, bool local)
{
    arena *a = &o->c->arena;
    const char *base = cleaned(a, name),
               *text = ocl_is_reserved(base) ? arena_printf(a, "u_%s", base) : base;
    base = text;
    for (unsigned i = 1; map_get(&o->globals, text) || (local && map_get(&o->locals, text)); i++)
        text = arena_printf(a, "%s_%u", base, i);
    map_put(a, local ? &o->locals : &o->globals, text, (void *)(uintptr_t)text);
    return text;
}

const char *ocl_global_name(ocl *o, const char *name)
{
    return unique(o, name, false);
}
const char *ocl_local_name(ocl *o, const char *name)
{
    return unique(o, name, true);
}
