/* C declarations of entries, as a user would write them. */
#include "lib/codegen/symbol.h"
#include "lib/driver/internal.h"

#include <ctype.h>

static const char *const c_names[] = {
#define DTYPE(name, number, text, c, bytes, kind, spellings) [number] = c,
#include "cpl/type.def"
#undef DTYPE
};

/* Words that C or C++ keep to themselves, as far as Python lets them be names, and macros and types
 * of headers that a program has often read before. */
static const char *const keywords[] = {
    "alignas",
    "alignof",
    "asm",
    "auto",
    "bool",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "co_await",
    "co_return",
    "co_yield",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "friend",
    "goto",
    "inline",
    "int",
    "linux",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "xor",
    "bitand",
    "bitor",
    "compl",
    "and_eq",
    "not_eq",
    "or_eq",
    "xor_eq",
    "NULL",
    "catch",
    "try",
    "BUFSIZ",
    "EDOM",
    "EOF",
    "ERANGE",
    "HUGE_VAL",
    "I",
    "INFINITY",
    "NAN",
    "RAND_MAX",
    "assert",
    "complex",
    "errno",
    "imaginary",
    "size_t",
    "stderr",
    "stdin",
    "stdout",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
};

const char *c_declaration(arena *a, const cpl_type *t, const char *inner)
{
    switch (t->kind) {
    case TYPE_SCALAR: return arena_printf(a, "%s%s%s", c_names[t->dtype], *inner ? " " : "", inner);
    case TYPE_STRUCT:
        return arena_printf(a, "struct %s%s%s", c_identifier(a, t->name), *inner ? " " : "", inner);
    case TYPE_POINTER:
        return c_declaration(a, t->elem,
                             arena_printf(a, t->elem->kind == TYPE_ARRAY ? "(*%s)" : "*%s", inner));
    case TYPE_ARRAY:
        return c_declaration(a, t->elem,
                             arena_printf(a, "%s[%llu]", inner, (unsigned long long)t->count));
    }
    return "void";
}

const char *c_identifier(arena *a, const char *name)
{
    char *copy = arena_strdup(a, name);
    for (char *p = copy; *p; p++)
        if (!isalnum((unsigned char)*p)) *p = '_';
    for (size_t i = 0; i < COUNT_OF(keywords); i++)
        if (strcmp(copy, keywords[i]) == 0) return arena_printf(a, "%s_", copy);
    return copy;
}

/* For pointers to pointers or arrays C takes none that is not const itself. */
static bool is_const(const ir_var *v)
{
    const cpl_type *elem = type_is_pointer(v->type) ? v->type->elem : NULL;
    if (v->role == PARAM_FAULT || v->role == PARAM_GRID) return false;
    return v->readonly && elem && !type_is_array(elem) && !type_is_pointer(elem);
}

const char *entry_signature(compilation *c, const ir_func *f)
{
    arena *a = &c->arena;
    const char *params = "void";
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *v = f->params.at[i];
        const char *name = c_identifier(a, v->name);
        const char *one = v->role == PARAM_FAULT  ? arena_printf(a, "cpl_fault *%s", name)
                          : v->role == PARAM_GRID ? arena_printf(a, "cpl_grid *%s", name)
                                                  : c_declaration(a, v->type, name);
        if (is_const(v)) one = arena_printf(a, "const %s", one);
        params = i ? arena_printf(a, "%s, %s", params, one) : one;
    }
    return c_declaration(a, f->result,
                         arena_printf(a, "%s(%s)", c_identifier(a, gen_symbol(a, f->name)),
                                      params));
}
