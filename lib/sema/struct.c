/* Classes under @struct: their fields become a struct type of the context. */
#include "lib/sema/sema_int.h"

/* A field's type: an annotation, or declare's matrices. */
static const cpl_type *field_type(sema_names in, const ast_node *n)
{
    const char *problem, *hint;
    if (n->kind == AST_STRING) return sema_declared_type(in, n->text, &problem, &hint).type;
    return sema_python_type(in, n);
}

static const char *fields_problem(sema *s, const ast_class *k, cpl_field *fields, cpl_span *span)
{
    arena *a = &s->comp->arena;
    for (uint32_t i = 0; i < k->fields.n; i++) {
        const ast_field *f = &k->fields.at[i];
        *span = f->span;
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(fields[j].name, f->name) == 0)
                return arena_printf(a, "two fields are called '%s'", f->name);
        fields[i] = (cpl_field){.name = f->name,
                                .type = field_type((sema_names){.s = s, .file = k->file}, f->type)};
        const cpl_type *t = fields[i].type;
        while (t && type_is_array(t)) t = t->elem;
        if (!t || type_is_void(t) || (!type_is_struct(t) && !type_is_scalar(t)))
            return arena_printf(
                a, "the type of field '%s' is not a number, a matrix or a struct defined before",
                f->name);
    }
    return NULL;
}

typedef struct struct_state { /* ast_class.user */
    bool busy;
    const char *problem, *hint;
    cpl_span span; /* of the problem */
} struct_state;

static const char *declare(sema *s, ast_class *k, cpl_span *span)
{
    arena *a = &s->comp->arena;
    *span = k->name_span;
    if (!k->is_struct)
        return "a class is not supported unless it is a @struct of 'name: type' lines and methods";
    if (k->bad.file) {
        *span = k->bad;
        return "the body of a struct holds only 'name: type' lines, constants and methods";
    }
    if (k->fields.n == 0) return "a struct has at least one field";
    cpl_field *fields = arena_array(a, k->fields.n, sizeof *fields);
    const char *problem = fields_problem(s, k, fields, span);
    if (problem) return problem;
    *span = k->name_span;
    const cpl_type *t;
    switch (type_declare_struct(s->comp->types, k->name, fields, k->fields.n, &t)) {
    case CPL_OK: vec_push(a, &s->structs, ((sema_struct){t, k})); return NULL;
    case CPL_ENOMEM: longjmp(*s->comp->on_oom, 1);
    case CPL_EEXIST:
        return "a struct of this name with other fields exists already in this context";
    default: return "this cannot be the name of a struct";
    }
}

const char *sema_struct_problem(sema *s, ast_class *k, cpl_span *span)
{
    struct_state *state = k->user;
    if (!state) {
        k->user = state = arena_new(&s->comp->arena, struct_state);
        state->busy = true;
        state->problem = declare(s, k, &state->span);
        state->busy = false;
    }
    *span = state->busy ? k->name_span : state->span;
    return state->busy ? "a struct cannot hold itself" : state->problem;
}

const cpl_type *sema_struct_type(sema *s, ast_class *k)
{
    cpl_span span;
    return sema_struct_problem(s, k, &span) ? NULL : type_struct(s->comp->types, k->name);
}

void sema_declare_all(sema *s)
{
    cpl_span span;
    for (uint32_t i = 0; i < s->file->items.n; i++) {
        const ast_item *item = &s->file->items.at[i];
        if (item->kind == ITEM_CLASS && item->class_->is_struct)
            (void)sema_struct_problem(s, item->class_, &span);
    }
}

void sema_declare_structs(compilation *c, ast_file *f, const sema_env *env)
{
    sema s = {.comp = c, .file = f, .env = env};
    s.t_f64 = comp_scalar(c, CPL_FLOAT64);
    diag_list said = c->diags;
    c->diags = (diag_list){.arena = &c->arena};
    sema_declare_all(&s);
    c->diags = said;
}
