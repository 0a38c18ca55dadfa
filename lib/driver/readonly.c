/*
 * Facts about pointer parameters: which are never written through, or read, and which reach memory
 * that nothing else does. An access marks the parameter at the root of its pointer; a pointer that
 * comes from anywhere else (a local variable, memory) could be any of them. Calls are followed to a
 * fixed point.
 */
#include "lib/driver/internal.h"

#include <stddef.h>

typedef struct marker {
    ir_func *func;
    size_t fact; /* of ir_var: offset of readonly or unread */
    bool changed;
} marker;

static bool *fact_of(const marker *mk, ir_var *v)
{
    return (bool *)((char *)v + mk->fact);
}

static void mark(marker *mk, ir_var *v)
{
    if (!*fact_of(mk, v)) return;
    *fact_of(mk, v) = false;
    mk->changed = true;
}

static void mark_all(marker *mk)
{
    for (uint32_t i = 0; i < mk->func->params.n; i++) mark(mk, mk->func->params.at[i]);
}

static void mark_root(marker *mk, const ir_node *pointer)
{
    for (;;) {
        switch (pointer->op) {
        case IR_ELEM:
        case IR_ITEM:
        case IR_FIELD:
        case IR_STRIDED:
        case IR_PTRCAST: pointer = pointer->kids[0]; continue;
        case IR_ADDR: return;
        case IR_COND:
            mark_root(mk, pointer->kids[1]);
            pointer = pointer->kids[2];
            continue;
        case IR_VAR:
            if (pointer->var->is_param) mark(mk, pointer->var);
            else mark_all(mk);
            return;
        default: mark_all(mk); return;
        }
    }
}

static void mark_call(marker *mk, const ir_node *call)
{
    const ir_func *callee = call->func;
    for (uint32_t i = 0; i < call->kid_count && i < callee->params.n; i++) {
        if (!type_is_pointer(call->kids[i]->type)) continue;
        bool outside = callee->linkage == IR_EXTERN,
             writes = mk->fact == offsetof(ir_var, readonly);
        if (outside ? !writes || !callee->pure : !*fact_of(mk, callee->params.at[i]))
            mark_root(mk, call->kids[i]);
    }
}

static bool visit(void *user, ir_node *n)
{
    marker *mk = user;
    bool writes = mk->fact == offsetof(ir_var, readonly);
    const ir_node *to = writes ? ir_written_to(n) : ir_read_from(n);
    if (to) mark_root(mk, to);
    if (n->op == IR_STORE && type_is_pointer(n->kids[1]->type)) mark_root(mk, n->kids[1]);
    if (n->op == IR_CALL) mark_call(mk, n);
    return true;
}

static void mark_fact(ir_module *m, size_t fact)
{
    marker mk = {.fact = fact, .changed = true};
    for (uint32_t i = 0; i < m->funcs.n; i++)
        for (uint32_t k = 0; k < m->funcs.at[i]->params.n; k++) {
            ir_var *v = m->funcs.at[i]->params.at[k];
            *fact_of(&mk, v) = type_is_pointer(v->type);
        }
    while (mk.changed) {
        mk.changed = false;
        for (uint32_t i = 0; i < m->funcs.n; i++) {
            mk.func = m->funcs.at[i];
            if (mk.func->body) ir_walk_block(mk.func->body, visit, &mk);
        }
    }
}

void mark_readonly(ir_module *m)
{
    mark_fact(m, offsetof(ir_var, readonly));
}

/* What makes one work-item see what another wrote. */
static bool communicates(void *user, ir_node *n)
{
    bool *found = user;
    *found |= ir_op_effects(n->op) & IR_EFFECT_ORDER && n->op != IR_CALL;
    return !*found;
}

bool mark_distinct(ir_module *m)
{
    bool shared = false, written = false;
    uint32_t marked = 0;
    ir_walk_module(m, communicates, &shared);
    const ir_func *entry = ir_entry(m);
    for (uint32_t i = 0; i < entry->params.n; i++) {
        ir_var *v = entry->params.at[i];
        if (!type_is_pointer(v->type) || v->type->space == SPACE_LOCAL) continue;
        v->noalias |= v->readonly || !shared;
        marked += v->noalias;
        written |= !v->readonly;
    }
    return marked && written;
}

static bool writes_alone(const ir_module *m)
{
    const ir_func *entry = ir_entry(m);
    for (uint32_t i = 0; i < entry->params.n; i++) {
        const ir_var *v = entry->params.at[i];
        if (type_is_pointer(v->type) && v->unread && !v->readonly) return true;
    }
    return false;
}

void mark_parameters(pipeline *p)
{
    pass_context *cx = &p->runner.cx;
    mark_readonly(p->ir);
    mark_fact(p->ir, offsetof(ir_var, unread));
    if (cx->facts & CPL_FACT_APART && target_is_device(cx->target) && mark_distinct(p->ir))
        cx->relies |= CPL_FACT_APART;
    if (cx->facts & CPL_FACT_LARGE && writes_alone(p->ir)) cx->relies |= CPL_FACT_LARGE;
}
