/* Classes under @struct: their fields become a struct type of the context. */
#include "lib/sema/sema_int.h"

static sema make_sema(compilation *c, ast_file *f)
{
    sema s = {.comp = c, .file = f};
    s.t_f64 = comp_scalar(c, CPL_FLOAT64);
    return s;
}

/* A field's type: an annotation, or declare's matrices. */
static const cpl_type *field_type(sema_names in, const ast_node *n)
{
    const char *problem;
    if (n->kind == AST_STRING) return sema_declared_type(in, n->text, &problem).type;
    return sema_python_type(in, n);
}

static const char *fields_problem(sema *s, const ast_class *k, cpl_field *fields, cpl_span *span)
{
    arena *a = &s->comp->arena;
    for (uint32_t i = 0; i < k->field_count; i++) {
        const ast_field *f = &k->fields[i];
        *span = f->span;
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(fields[j].name, f->name) == 0)
                return arena_printf(a, "two fields are called '%s'", f->name);
        fields[i] =
            (cpl_field){.name = f->name, .type = field_type((sema_names){s, k->file}, f->type)};
        const cpl_type *t = fields[i].type;
        while (t && type_is_array(t)) t = t->elem;
        if (!t || type_is_void(t) || (!type_is_struct(t) && !type_is_scalar(t)))
            return arena_printf(
                a, "the type of field '%s' is not a number, a matrix or a struct defined before",
                f->name);
    }
    return NULL;
}

const char *sema_struct_problem(sema *s, const ast_class *k, cpl_span *span)
{
    arena *a = &s->comp->arena;
    *span = k->name_span;
    if (!k->is_struct)
        return "a class is not supported unless it is a @struct of 'name: type' lines";
    if (k->bad.file) {
        *span = k->bad;
        return "the body of a struct holds only 'name: type' lines";
    }
    if (k->field_count == 0) return "a struct has at least one field";
    cpl_field *fields = arena_array(a, k->field_count, sizeof *fields);
    const char *problem = fields_problem(s, k, fields, span);
    if (problem) return problem;
    *span = k->name_span;
    const cpl_type *t;
    switch (type_declare_struct(s->comp->types, k->name, fields, k->field_count, &t)) {
    case CPL_OK: return NULL;
    case CPL_ENOMEM: longjmp(*s->comp->on_oom, 1);
    case CPL_EEXIST:
        return "a struct of this name with other fields exists already in this context";
    default: return "this cannot be the name of a struct";
    }
}

void sema_declare_structs(compilation *c, ast_file *f)
{
    sema s = make_sema(c, f);
    cpl_span span;
    for (uint32_t i = 0; i < f->items.n; i++)
        if (f->items.at[i].kind == ITEM_CLASS && f->items.at[i].class_->is_struct)
            (void)sema_struct_problem(&s, f->items.at[i].class_, &span);
}
