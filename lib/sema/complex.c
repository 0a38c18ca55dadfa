/*
 * Complex numbers: structs of two floats whose class, with its operators and functions, is a file
 * of the library (complex.py). Here is what no class can do: literals, which are weak as those of
 * other numbers are, and conversions.
 */
#include "lib/sema/sema_int.h"

const cpl_type *sema_complex(instance *in, const ast_node *n, double real, double imag)
{
    in->f.refs[n->id] = (sema_ref){.kind = REF_COMPLEX, .parts = {real, imag}};
    return sema_weak_as_complex();
}

static bool parts_of(const instance *in, const ast_node *n, double *parts)
{
    const sema_ref *r = &in->f.refs[n->id];
    if (!sema_is_constant(in, n)) return false;
    parts[0] = r->kind == REF_COMPLEX ? r->parts[0] : sema_const_float(r->constant);
    parts[1] = r->kind == REF_COMPLEX ? r->parts[1] : 0;
    return true;
}

bool sema_is_constant(const instance *in, const ast_node *n)
{
    const sema_ref *r = &in->f.refs[n->id];
    return r->kind == REF_CONST || (r->kind == REF_COMPLEX && sema_is_weak(in->f.types[n->id]));
}

/* 1 + 2j, -2j, 2*1j */
const cpl_type *sema_fold_complex(instance *in, const ast_node *n)
{
    double a[2] = {0, 0}, b[2];
    const ast_node *last = n->kids[n->kid_count - 1];
    bool one = n->kind == AST_UNARY;
    if (!parts_of(in, last, b) || (!one && !parts_of(in, n->kids[0], a))) return NULL;
    switch (n->op) {
    case TOK_ADD:
        return one ? sema_complex(in, n, b[0], b[1])
                   : sema_complex(in, n, a[0] + b[0], a[1] + b[1]);
    case TOK_SUB:
        return one ? sema_complex(in, n, -b[0], -b[1])
                   : sema_complex(in, n, a[0] - b[0], a[1] - b[1]);
    case TOK_MUL: return sema_complex(in, n, a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]);
    default: return NULL;
    }
}

/* Of complex(a, b): float32 where both are. NULL while that is not known. */
static const cpl_type *type_of_parts(instance *in, const ast_node *n)
{
    const cpl_type *t = NULL;
    for (uint32_t i = 1; i < n->kid_count; i++) {
        const cpl_type *part = in->f.types[n->kids[i]->id];
        if (!part || (in->phase == 1 && sema_is_weak(part) && !sema_is_constant(in, n->kids[i])))
            return NULL;
        t = sema_join(in->s->comp, t, part);
    }
    return sema_default(in->s->comp, sema_complex_of(in->s->comp, t));
}

/* complex(1.0, 2.0) is a literal too. */
static const cpl_type *fold_call(instance *in, const ast_node *n)
{
    double a[2], b[2] = {0, 0};
    parts_of(in, n->kids[1], a);
    if (n->kid_count > 2) parts_of(in, n->kids[2], b);
    return sema_complex(in, n, a[0], n->kid_count > 2 ? b[0] : a[1]);
}

static const cpl_type *no_parts(instance *in, const ast_node *n)
{
    diag *d = sema_error(in, n->span, "'complex' takes one or two numbers, found %u argument%s",
                         n->kid_count - 1, n->kid_count == 2 ? "" : "s");
    sema_hint(in, d, "complex(real, imag)");
    return &sema_error_type;
}

const cpl_type *sema_call_complex(instance *in, ast_node *n, const cpl_type *t)
{
    sema_site c = sema_site_of(in, n, NULL);
    bool any = strcmp(n->kids[0]->name, "complex") == 0; /* of the width of its parts */
    if (c.keywords || c.count < 1 || c.count > 2) {
        sema_arguments(in, n);
        return no_parts(in, n);
    }
    bool error = false;
    for (uint32_t i = 0; i < c.count; i++) {
        const cpl_type *part = in->f.types[c.args[i]->id];
        bool good = c.count == 1 ? sema_is_complex_or_number(part) : sema_is_number(part);
        if (good || !part) continue;
        if (!sema_is_error(part))
            sema_error(in, c.args[i]->span, "a part of a complex number must be a number, found %s",
                       sema_name(in, part));
        error = true;
    }
    if (error) {
        sema_arguments(in, n);
        return &sema_error_type;
    }
    bool constant = sema_is_constant(in, c.args[0]) && sema_is_constant(in, c.args[c.count - 1]);
    if (any && constant) return fold_call(in, n);
    if (any) t = type_of_parts(in, n);
    if (!t) return NULL;
    if (c.count == 1) {
        in->f.refs[n->id] = (sema_ref){.kind = REF_TYPE, .type = t};
        sema_settle_store(in, c.args[0], t);
        return t;
    }
    sema_arg *args = arena_array(&in->s->comp->arena, 2, sizeof *args);
    for (uint32_t i = 0; i < 2; i++) {
        args[i].node = c.args[i];
        sema_settle_store(in, c.args[i], t->fields[i].type);
    }
    in->f.refs[n->id] = (sema_ref){.kind = REF_STRUCT, .args = args};
    return t;
}
