/*
 * spaces: finds out which memory pointers of no known space point to.
 *
 * Does: a local pointer variable of generic type whose every assignment is a cast from one space
 * becomes a pointer into that space; casts to generic move outwards over elem, item, field, strided
 * and cond, and go where memory is accessed. Repeated until nothing changes, since one variable may
 * be assigned from another. Requires: the target is a device, else nothing happens. Runs behind
 * inline, which makes parameters variables. Ensures: what is left generic is a parameter, or comes
 * from a call, from memory or from several spaces. Keeps: addresses and values. Source: J.
 * Holewinski and others, LLVM's InferAddressSpaces pass.
 */
#include "passes/pass_int.h"

typedef struct facts { /* of a generic pointer variable: ir_var.user */
    type_space space;  /* that all assignments so far come from; SPACE_GENERIC: none yet */
    bool mixed;        /* they differ, or one is unknown */
} facts;

typedef struct spaces {
    ir_module *m;
    bool changed;
} spaces;

static bool is_generic(const cpl_type *t)
{
    return type_is_pointer(t) && t->space == SPACE_GENERIC;
}

/* A cast that only forgets the space, or changes what is pointed to as well. */
static bool forgets_space(const ir_node *n)
{
    return n->op == IR_PTRCAST && is_generic(n->type) && !is_generic(n->kids[0]->type);
}

static bool only_forgets(const ir_node *n)
{
    return forgets_space(n) && n->type->elem == n->kids[0]->type->elem;
}

static bool note(void *user, ir_node *n)
{
    (void)user;
    facts *f = n->op == IR_ASSIGN || n->op == IR_ADDR ? n->var->user : NULL;
    if (!f) return true;
    if (n->op == IR_ADDR || !forgets_space(n->kids[0])) {
        f->mixed = true;
        return true;
    }
    type_space from = n->kids[0]->kids[0]->type->space;
    f->mixed |= f->space != SPACE_GENERIC && f->space != from;
    f->space = from;
    return true;
}

/* Gives variables their spaces; true when one got one. */
static bool settle(ir_module *m, ir_func *func)
{
    bool any = false;
    for (uint32_t i = 0; i < func->params.n; i++) func->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < func->vars.n; i++) {
        ir_var *v = func->vars.at[i];
        v->user = is_generic(v->type) ? arena_new(&m->comp->arena, facts) : NULL;
    }
    ir_walk_block(func->body, note, NULL);
    for (uint32_t i = 0; i < func->vars.n; i++) {
        ir_var *v = func->vars.at[i];
        const facts *f = v->user;
        v->user = NULL;
        if (!f || f->mixed || f->space == SPACE_GENERIC) continue;
        v->type = comp_pointer(m->comp, v->type->elem, f->space);
        any = true;
    }
    return any;
}

static ir_node *cast(const spaces *s, const cpl_type *to, ir_node *n)
{
    return n->type == to ? n : ir_typed(s->m, IR_PTRCAST, to, n, n->span);
}

/* The pointer that an access or a step really starts from. */
static bool uncover(spaces *s, ir_node *n, uint32_t kid)
{
    if (!only_forgets(n->kids[kid])) return false;
    n->kids[kid] = n->kids[kid]->kids[0];
    s->changed = true;
    return true;
}

static ir_node *step(spaces *s, ir_node *n)
{
    const cpl_type *before = n->type;
    if (!uncover(s, n, 0)) return n;
    n->type = comp_pointer(s->m->comp, before->elem, n->kids[0]->type->space);
    return cast(s, before, n);
}

static ir_node *choice(spaces *s, ir_node *n)
{
    const cpl_type *before = n->type;
    if (!only_forgets(n->kids[1]) || !only_forgets(n->kids[2]) ||
        n->kids[1]->kids[0]->type != n->kids[2]->kids[0]->type)
        return n;
    uncover(s, n, 1);
    uncover(s, n, 2);
    n->type = n->kids[1]->type;
    return cast(s, before, n);
}

/* A cast that forgets the space comes behind one that changes what is pointed to. */
static ir_node *forget_last(const spaces *s, const cpl_type *to, ir_node *n)
{
    const cpl_type *within = comp_pointer(s->m->comp, to->elem, n->type->space);
    return cast(s, to, is_generic(to) ? cast(s, within, n) : n);
}

static ir_node *recast(spaces *s, ir_node *n)
{
    ir_node *inner = n->kids[0], *of = forgets_space(inner) ? inner->kids[0] : inner;
    const cpl_type *to = n->type;
    if (of == inner && (!forgets_space(n) || only_forgets(n))) return n;
    if (!is_generic(to) && to->space != of->type->space)
        return n; /* legal refuses it with its place */
    s->changed = true;
    return forget_last(s, to, of);
}

static ir_node *rewrite(void *user, ir_node *n)
{
    spaces *s = user;
    switch (n->op) {
    case IR_VAR: {
        const cpl_type *before = n->type;
        n->type = n->var->type;
        return cast(s, before, n);
    }
    case IR_ASSIGN:
        if (n->kids[0]->type != n->var->type)
            n->kids[0] = cast(s, n->var->type, n->kids[0]->kids[0]);
        return n;
    case IR_ELEM:
    case IR_ITEM:
    case IR_FIELD:
    case IR_STRIDED: return step(s, n);
    case IR_COND: return choice(s, n);
    case IR_PTRCAST: return recast(s, n);
    default: break;
    }
    if (n->op == IR_CALL || n->op == IR_FORK) return n; /* take pointers as they are */
    for (uint32_t k = 0; k < n->kid_count; k++)
        if (n->kids[k] == ir_read_from(n) || n->kids[k] == ir_written_to(n)) uncover(s, n, k);
    return n;
}

bool pass_spaces(pass_context *cx, ir_module *m)
{
    spaces s = {.m = m};
    bool any = false;
    if (!target_is_device(cx->target)) return false;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (!f->body) continue;
        do { /* each round settles a variable or moves a cast outwards */
            s.changed = false;
            ir_rewrite_block(f->body, rewrite, &s);
            if (settle(m, f)) s.changed = true;
            any |= s.changed;
        } while (s.changed);
    }
    return any;
}
