/*
 * Floats that are integers: floor(x), ceil(x), round(x) and what sums, differences and products
 * make of them. They stay floats, so that x - floor(x) needs no conversion and floor(1e300) is
 * right, and are int64 where Python's integers alone stand: as index, bound of a loop, operand of
 * bits and shifts.
 */
#include "lib/sema/sema_int.h"

enum { MOST_STEPS = 64 }; /* values of locals that are looked through for one answer */

typedef struct look {
    instance *in;
    uint32_t steps;
    const sema_var *v; /* whose values are looked for */
} look;

static bool is_whole(look *l, const ast_node *n);

static bool kids_are_whole(look *l, const ast_node *n, uint32_t first)
{
    for (uint32_t i = first; i < n->kid_count; i++)
        if (!is_whole(l, n->kids[i])) return false;
    return true;
}

static bool is_call_whole(look *l, const ast_node *n)
{
    static const sema_builtin rounds[] = {BI_FLOOR, BI_CEIL, BI_TRUNC, BI_ROUND, BI_RINT},
                              keeps[] = {BI_MIN, BI_MAX, BI_ABS, BI_FABS};
    for (unsigned i = 0; i < COUNT_OF(rounds); i++)
        if (sema_is_call_of(l->in, n, rounds[i])) return n->kid_count == 2;
    for (unsigned i = 0; i < COUNT_OF(keeps); i++)
        if (sema_is_call_of(l->in, n, keeps[i])) return kids_are_whole(l, n, 1);
    return false;
}

static bool keeps_whole(token_kind op)
{
    return op == TOK_ADD || op == TOK_SUB || op == TOK_MUL || op == TOK_FLOORDIV || op == TOK_MOD;
}

static bool names(const look *l, const ast_node *target)
{
    return target->kind == AST_NAME && sema_local(l->in, target->name) == l->v;
}

/* Whether a statement gives l->v nothing but integers. */
static bool assigns_whole(look *l, const ast_node *n)
{
    const ast_node *value = n->kid_count ? n->kids[n->kid_count - 1] : NULL;
    bool binds = n->kind == AST_ASSIGN || n->kind == AST_ANNASSIGN || n->kind == AST_AUGASSIGN;
    for (uint32_t i = 0; binds && i + 1 < n->kid_count; i++) {
        const ast_node *t = n->kids[i];
        bool pairs =
            t->kind == AST_TUPLE && value->kind == AST_TUPLE && t->kid_count == value->kid_count;
        for (uint32_t k = 0; t->kind == AST_TUPLE && k < t->kid_count; k++)
            if (names(l, t->kids[k]) && !(pairs && is_whole(l, value->kids[k]))) return false;
        bool keeps = n->kind != AST_AUGASSIGN || keeps_whole((token_kind)n->op);
        if (names(l, t) && !(keeps && is_whole(l, value))) return false;
    }
    return true;
}

static bool all_assign_whole(look *l, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        if (!assigns_whole(l, n) || !all_assign_whole(l, n->body) ||
            !all_assign_whole(l, n->orelse))
            return false;
    }
    return true;
}

/* A value of a local that is asked for while it is looked at adds nothing to the others. */
static bool is_local_whole(look *l, const sema_var *v)
{
    if (v->is_param || v->address_taken || l->steps++ == MOST_STEPS) return false;
    if (v == l->v) return true;
    const sema_var *outer = l->v;
    l->v = v;
    bool whole = all_assign_whole(l, sema_body(l->in));
    l->v = outer;
    return whole;
}

static bool is_whole(look *l, const ast_node *n)
{
    const cpl_type *t = l->in->f.types[n->id];
    const sema_var *v = n->kind == AST_NAME ? sema_local(l->in, n->name) : NULL;
    if (n->kind == AST_INT || sema_is_call_of(l->in, n, BI_DECLARE)) return true;
    if (v && (!sema_is_known(v->type) || type_is_float(v->type))) return is_local_whole(l, v);
    if (n->kind == AST_CALL && is_call_whole(l, n)) return true;
    if (sema_is_known(t) && type_is_int(t)) return true;
    switch (n->kind) {
    case AST_UNARY: return n->op != TOK_NOT && is_whole(l, n->kids[0]);
    case AST_TERNARY: return kids_are_whole(l, n, 1);
    case AST_BINARY: return keeps_whole((token_kind)n->op) && kids_are_whole(l, n, 0);
    default: return !t && l->in->phase != 3; /* an operand that has no type yet */
    }
}

bool sema_is_whole(instance *in, const ast_node *n)
{
    const cpl_type *t = in->f.types[n->id];
    look l = {.in = in};
    return sema_is_known(t) && type_is_float(t) && is_whole(&l, n);
}

const cpl_type *sema_whole(instance *in, const ast_node *n, const cpl_type *t)
{
    return sema_is_whole(in, n) ? in->s->t_i64 : t;
}
