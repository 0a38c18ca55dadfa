/* C prototypes of entries, as a user would declare them. */
#include "lib/driver/internal.h"

static const char *const c_names[] = {
#define DTYPE(name, number, text, c, bytes, kind, spellings) [number] = c,
#include "cpl/type.def"
#undef DTYPE
};

/* "double *x", "struct Pair *p", "double (*m)[2][3]". */
static const char *declare(arena *a, const cpl_type *t, const char *inner)
{
    switch (t->kind) {
    case TYPE_SCALAR: return arena_printf(a, "%s%s%s", c_names[t->dtype], *inner && *inner != '*' ? " " : *inner ? " " : "", inner);
    case TYPE_STRUCT: return arena_printf(a, "struct %s%s%s", t->name, *inner ? " " : "", inner);
    case TYPE_POINTER:
        return declare(a, t->elem, arena_printf(a, t->elem->kind == TYPE_ARRAY ? "(*%s)" : "*%s", inner));
    case TYPE_ARRAY: return declare(a, t->elem, arena_printf(a, "%s[%llu]", inner, (unsigned long long)t->count));
    }
    return "void";
}

static const char *c_identifier(arena *a, const char *name)
{
    char *copy = arena_strdup(a, name);
    for (char *p = copy; *p; p++)
        if (*p == '.') *p = '_';
    return copy;
}

const char *entry_signature(compilation *c, const ir_func *f)
{
    arena *a = &c->arena;
    const char *params = "void";
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *v = f->params.at[i];
        const char *one = strcmp(v->name, "cpl_fault_record") == 0 ? "cpl_fault *cpl_fault_record"
                                                                    : declare(a, v->type, c_identifier(a, v->name));
        params = i ? arena_printf(a, "%s, %s", params, one) : one;
    }
    return declare(a, f->result, arena_printf(a, "%s(%s)", c_identifier(a, f->name), params));
}
