/*
 * What must hold for an access through an address: the chain of elem, item, field and casts down to
 * a variable.
 */
#include "passes/bounds_int.h"

bool bounds_is_access(const ir_node *n)
{
    return ir_op_kind(n->op) == IR_KIND_MEMORY || ir_op_kind(n->op) == IR_KIND_ATOMIC;
}

typedef struct finder {
    ir_module *m;
    bounds_checks *out;
    bounds_check c; /* under construction: terms seen since the last complete check */
} finder;

static void add_term(finder *f, ir_node **slot, uint64_t unit)
{
    vec_push(&f->m->comp->arena, &f->c.terms, ((bounds_term){slot, unit}));
}

/* A fixed number of elements of one size is counted in the terms' unit where they have one. */
static void count_in_terms(bounds_check *c)
{
    uint64_t unit = c->access;
    for (uint32_t i = 0; i < c->terms.n; i++)
        if (c->terms.at[i].unit != unit) return;
    if (c->unit * c->count % unit != 0) return;
    c->count = c->unit * c->count / unit;
    c->unit = unit;
}

static void finish(finder *f, ir_node *extent, uint64_t count, uint64_t unit, uint64_t next_access)
{
    bounds_check *c = &f->c;
    c->extent = extent;
    c->count = count;
    c->unit = unit;
    if (!extent) count_in_terms(c);
    c->bytes = c->access != c->unit;
    for (uint32_t i = 0; i < c->terms.n; i++)
        if (c->terms.at[i].unit != c->unit) c->bytes = true;
    vec_push(&f->m->comp->arena, f->out, *c);
    *c = (bounds_check){.access = next_access, .axis = -1};
}

/* Along which dimension of a matrix of several an item is; -1: of one, or an element of an array,
 * which has dimensions of its own. */
static int32_t axis_of_item(const ir_node *item)
{
    int32_t axis = 0;
    const ir_node *p = item->kids[0];
    for (; p->op == IR_ITEM; p = p->kids[0]) axis++;
    bool of_array = p->op == IR_ELEM || p->op == IR_STRIDED;
    return !of_array && (axis || type_is_array(item->type->elem)) ? axis : -1;
}

static uint64_t elem_size(const ir_node *pointer)
{
    return pointer->type->elem->size;
}

/* What lies behind an address of one object: nothing but the object. */
static void finish_single(finder *f, uint64_t size, uint64_t next_access)
{
    if (f->c.terms.n > 0) finish(f, NULL, 1, size, next_access);
    else f->c = (bounds_check){.access = next_access, .axis = -1};
}

/* Through casts, the variable that a pointer is and its extent. */
static ir_var *plain_base(const ir_node *p)
{
    while (p->op == IR_PTRCAST) p = p->kids[0];
    return p->op == IR_VAR && p->var->extent ? p->var : NULL;
}

static void find_cond(finder *f, ir_node *p)
{
    ir_var *a = plain_base(p->kids[1]), *b = plain_base(p->kids[2]);
    if (!a || !b || ir_has_load(p->kids[0]) || a->type->elem->size != b->type->elem->size) return;
    ir_node *extent =
        ir_op3(f->m, IR_COND, ir_copy(f->m, p->kids[0]), ir_use(f->m, a->extent, p->span),
               ir_use(f->m, b->extent, p->span), p->span);
    finish(f, extent, 0, a->type->elem->size, 0);
}

/* An index along a dimension, which `within` in the address says; the last dimension first. */
static void find_within(finder *f, ir_node *n)
{
    if (n->op == IR_LOAD) return; /* an access of its own */
    for (uint32_t i = n->kid_count; i-- > 0;) find_within(f, n->kids[i]);
    if (n->op != IR_WITHIN) return;
    bounds_check c = {.unit = 1, .access = 1, .axis = (int32_t)n->dim};
    vec_push(&f->m->comp->arena, &c.terms, ((bounds_term){&n->kids[0], 1}));
    if (ir_is_const(n->kids[1])) c.count = n->kids[1]->bits;
    else c.extent = ir_copy(f->m, n->kids[1]);
    vec_push(&f->m->comp->arena, f->out, c);
}

void bounds_find(ir_module *m, ir_node *p, bounds_checks *out)
{
    finder f = {m, out, {.access = elem_size(p), .axis = -1}};
    find_within(&f, p);
    for (;;) {
        switch (p->op) {
        case IR_ELEM: add_term(&f, &p->kids[1], elem_size(p)); break;
        case IR_ITEM:
            add_term(&f, &p->kids[1], elem_size(p));
            f.c.axis = axis_of_item(p);
            finish(&f, NULL, p->kids[0]->type->elem->count, elem_size(p), elem_size(p->kids[0]));
            break;
        case IR_FIELD: finish_single(&f, elem_size(p), elem_size(p->kids[0])); break;
        case IR_PTRCAST: break;
        case IR_STRIDED: /* counts as elem does, from a whole array alone */
            finish_single(&f, elem_size(p), elem_size(p));
            if (!plain_base(p->kids[0])) return;
            add_term(&f, &p->kids[1], elem_size(p));
            break;
        case IR_VAR:
            if (p->var->extent) finish(&f, ir_use(m, p->var->extent, p->span), 0, elem_size(p), 0);
            return;
        case IR_ADDR: finish_single(&f, elem_size(p), 0); return;
        case IR_COND: find_cond(&f, p); return;
        default: return;
        }
        p = p->kids[0];
    }
}

const char *bounds_name(const ir_node *p)
{
    while (p->op != IR_VAR && p->op != IR_ADDR) p = p->op == IR_COND ? p->kids[1] : p->kids[0];
    return p->var->spelling ? p->var->spelling : p->var->name;
}
