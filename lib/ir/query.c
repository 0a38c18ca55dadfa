/* Questions about the IR that several passes ask, and the walks over it. */
#include "lib/ir/ir.h"

ir_func *ir_find(const ir_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (strcmp(m->funcs.at[i]->name, name) == 0) return m->funcs.at[i];
    return NULL;
}

ir_func *ir_entry(const ir_module *m)
{
    ir_func *entry = NULL;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (f->linkage == IR_ENTRY && (!entry || f->after == entry)) entry = f;
    }
    return entry;
}

ir_var *ir_param_of(const ir_func *f, param_role role, const ir_var *of)
{
    for (uint32_t i = 0; i < f->params.n; i++)
        if (f->params.at[i]->role == role && f->params.at[i]->of == of) return f->params.at[i];
    return NULL;
}

bool ir_is_const(const ir_node *n)
{
    return n->op == IR_CONST;
}

bool ir_is_int_const(const ir_node *n, int64_t *value)
{
    if (n->op != IR_CONST || !type_is_int(n->type)) return false;
    if (value) *value = (int64_t)n->bits;
    return true;
}

void ir_walk(ir_node *n, ir_visitor fn, void *user)
{
    if (!fn(user, n)) return;
    for (uint32_t i = 0; i < n->kid_count; i++) ir_walk(n->kids[i], fn, user);
    if (n->body) ir_walk_block(n->body, fn, user);
    if (n->orelse) ir_walk_block(n->orelse, fn, user);
}

void ir_walk_block(ir_block *b, ir_visitor fn, void *user)
{
    for (uint32_t i = 0; i < b->n; i++) ir_walk(b->at[i], fn, user);
}

void ir_walk_module(const ir_module *m, ir_visitor fn, void *user)
{
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->body) ir_walk_block(m->funcs.at[i]->body, fn, user);
}

bool ir_has_load(const ir_node *n)
{
    if (ir_op_effects(n->op)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (ir_has_load(n->kids[i])) return true;
    return false;
}

ir_node *ir_strided_bytes(ir_module *m, const ir_node *n)
{
    const cpl_type *i64 = comp_scalar(m->comp, CPL_INT64);
    int64_t index, stride;
    if (ir_is_int_const(n->kids[1], &index) && ir_is_int_const(n->kids[2], &stride))
        return ir_int(m, i64, (int64_t)((uint64_t)index * (uint64_t)stride), n->span);
    return ir_op2(m, IR_MUL, ir_convert(m, i64, n->kids[1], n->span),
                  ir_convert(m, i64, n->kids[2], n->span), n->span);
}

const ir_node *ir_read_from(const ir_node *n)
{
    const char *operands = ir_ops[n->op].operands, *last = strrchr(operands, 'p');
    return ir_op_effects(n->op) & IR_EFFECT_READ && last ? n->kids[last - operands] : NULL;
}

const ir_node *ir_written_to(const ir_node *n)
{
    return ir_op_effects(n->op) & IR_EFFECT_WRITE && n->op != IR_CALL ? n->kids[0] : NULL;
}

static bool same_attributes(const ir_node *a, const ir_node *b)
{
    switch (a->op) {
    case IR_CONST: /* floats by their bits: -0.0 is not 0.0, NaN is NaN */
        if (!type_is_float(a->type)) return a->bits == b->bits;
        return memcmp(&a->number, &b->number, sizeof a->number) == 0;
    case IR_VAR:
    case IR_ADDR: return a->var == b->var;
    case IR_FIELD: return a->field == b->field;
    default: /* expressions have no other attribute than their type */
        return ir_op_kind(a->op) != IR_KIND_PLACE || a->dim == b->dim;
    }
}

static size_t common(size_t a, size_t b)
{
    size_t both = a | b;
    return both & (~both + 1);
}

size_t ir_alignment(const ir_node *pointer)
{
    const cpl_type *t = pointer->type->elem, *from;
    size_t align = t->align ? t->align : 1, base;
    if (pointer->op != IR_FIELD && pointer->op != IR_ITEM) return align;
    from = pointer->kids[0]->type->elem;
    base = ir_alignment(pointer->kids[0]);
    if (pointer->op == IR_ITEM) base = common(base, t->size);
    else if (type_is_struct(from) && pointer->field < from->field_count)
        base = common(base, from->fields[pointer->field].offset);
    return base < align ? base : align;
}

bool ir_is_misaligned(const ir_node *n)
{
    bool is_part = n->op == IR_FIELD || n->op == IR_ITEM;
    return is_part && type_is_pointer(n->type) && ir_alignment(n) < n->type->elem->align;
}

bool ir_equal(const ir_node *a, const ir_node *b)
{
    if (a == b) return ir_ops[a->op].class_ == IR_CLASS_EXPR;
    if (a->op != b->op || a->type != b->type || a->kid_count != b->kid_count) return false;
    if (ir_ops[a->op].class_ != IR_CLASS_EXPR || !same_attributes(a, b)) return false;
    for (uint32_t i = 0; i < a->kid_count; i++)
        if (!ir_equal(a->kids[i], b->kids[i])) return false;
    return true;
}

uint32_t ir_block_size(const ir_block *b)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < b->n; i++) size += ir_size(b->at[i]);
    return size;
}

uint32_t ir_size(const ir_node *n)
{
    uint32_t size = 1;
    for (uint32_t i = 0; i < n->kid_count; i++) size += ir_size(n->kids[i]);
    if (n->body) size += ir_block_size(n->body);
    if (n->orelse) size += ir_block_size(n->orelse);
    return size;
}

uint32_t ir_func_size(const ir_func *f)
{
    return f->body ? ir_block_size(f->body) : 0;
}

static ir_block *copy_block(ir_module *m, const ir_block *b)
{
    ir_block *copy = ir_block_new(m);
    for (uint32_t i = 0; i < b->n; i++) ir_append(m, copy, ir_copy(m, b->at[i]));
    return copy;
}

static ir_loop *copy_loop(ir_module *m, const ir_loop *l)
{
    arena *a = &m->comp->arena;
    ir_loop *copy = arena_new(a, ir_loop);
    *copy = *l;
    copy->reductions.at = NULL;
    copy->reductions.n = copy->reductions.capacity = 0;
    copy->privates.at = NULL;
    copy->privates.n = copy->privates.capacity = 0;
    for (uint32_t i = 0; i < l->reductions.n; i++)
        vec_push(a, &copy->reductions, l->reductions.at[i]);
    for (uint32_t i = 0; i < l->privates.n; i++) vec_push(a, &copy->privates, l->privates.at[i]);
    return copy;
}

ir_node *ir_copy(ir_module *m, const ir_node *n)
{
    ir_node *copy = ir_node_new(m, (ir_op)n->op, n->type, n->span, n->kid_count);
    ir_node **kids = copy->kids;
    *copy = *n;
    copy->kids = kids;
    for (uint32_t i = 0; i < n->kid_count; i++) copy->kids[i] = ir_copy(m, n->kids[i]);
    if (n->loop) copy->loop = copy_loop(m, n->loop);
    if (n->body) copy->body = copy_block(m, n->body);
    if (n->orelse) copy->orelse = copy_block(m, n->orelse);
    return copy;
}

static ir_node *rewrite(ir_node *n, ir_rewriter fn, void *user)
{
    for (uint32_t i = 0; i < n->kid_count; i++) n->kids[i] = rewrite(n->kids[i], fn, user);
    if (n->body) ir_rewrite_block(n->body, fn, user);
    if (n->orelse) ir_rewrite_block(n->orelse, fn, user);
    return fn(user, n);
}

void ir_rewrite_block(ir_block *b, ir_rewriter fn, void *user)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = rewrite(b->at[i], fn, user);
        if (n) b->at[kept++] = n;
    }
    b->n = kept;
}

bool ir_block_mentions(const ir_block *b, const ir_var *v)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (ir_mentions(b->at[i], v)) return true;
    return false;
}

bool ir_mentions(const ir_node *n, const ir_var *v)
{
    if ((n->op == IR_VAR || n->op == IR_ADDR || n->op == IR_ASSIGN) && n->var == v) return true;
    if (n->loop) {
        if (n->loop->var == v) return true;
        for (uint32_t i = 0; i < n->loop->reductions.n; i++)
            if (n->loop->reductions.at[i].var == v) return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (ir_mentions(n->kids[i], v)) return true;
    return (n->body && ir_block_mentions(n->body, v)) ||
           (n->orelse && ir_block_mentions(n->orelse, v));
}

static bool node_assigns(const ir_node *n, const ir_var *v)
{
    if ((n->op == IR_ASSIGN || n->op == IR_ADDR) && n->var == v) return true;
    if (n->loop) {
        if (n->loop->var == v) return true;
        for (uint32_t i = 0; i < n->loop->reductions.n; i++)
            if (n->loop->reductions.at[i].var == v) return true;
        for (uint32_t i = 0; i < n->loop->privates.n; i++)
            if (n->loop->privates.at[i] == v) return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (node_assigns(n->kids[i], v)) return true;
    return (n->body && ir_assigns(n->body, v)) || (n->orelse && ir_assigns(n->orelse, v));
}

bool ir_assigns(const ir_block *b, const ir_var *v)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (node_assigns(b->at[i], v)) return true;
    return false;
}

const ir_node *ir_rounds(const ir_block *b)
{
    const ir_node *found = NULL;
    for (uint32_t i = 0; i < b->n && !found; i++) {
        const ir_node *n = b->at[i];
        if (n->op == IR_FOR) found = n->loop->independent ? n : ir_rounds(n->body);
    }
    return found;
}

void ir_number(ir_func *f)
{
    uint32_t index = 0;
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->index = index++;
    for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->index = index++;
}

/*
 * Recursion: Tarjan's strongly connected components over the calls (Depth-first search and linear
 * graph algorithms, SIAM J. Comput. 1, 1972). A function is recursive when its component has
 * several members or it calls itself.
 */
typedef struct component_state {
    uint32_t number, low; /* number 0: not yet seen */
    bool on_stack;
} component_state;

typedef struct component_search {
    arena *arena;
    VEC(ir_func *) stack;
    uint32_t next;
} component_search;

typedef struct component_visit {
    component_search *search;
    ir_func *func;
} component_visit;

static void find_component(component_search *s, ir_func *f);

static bool visit_call(void *user, ir_node *n)
{
    component_visit *v = user;
    if ((n->op != IR_CALL && n->op != IR_FORK) || !n->func || !n->func->user) return true;
    component_state *caller = v->func->user, *callee = n->func->user;
    if (n->func == v->func) v->func->recursive = true;
    if (callee->number == 0) {
        find_component(v->search, n->func);
        if (callee->low < caller->low) caller->low = callee->low;
    } else if (callee->on_stack && callee->number < caller->low) {
        caller->low = callee->number;
    }
    return true;
}

static void find_component(component_search *s, ir_func *f)
{
    component_state *state = f->user;
    state->number = state->low = ++s->next;
    state->on_stack = true;
    vec_push(s->arena, &s->stack, f);
    component_visit visit = {s, f};
    if (f->body) ir_walk_block(f->body, visit_call, &visit);
    if (state->low != state->number) return;
    bool several = s->stack.at[s->stack.n - 1] != f;
    for (ir_func *member = NULL; member != f;) {
        member = s->stack.at[--s->stack.n];
        ((component_state *)member->user)->on_stack = false;
        if (several) member->recursive = true;
    }
}

void ir_mark_recursive(ir_module *m)
{
    component_search s = {.arena = &m->comp->arena};
    component_state *states = arena_array(&m->comp->arena, m->funcs.n, sizeof(component_state));
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        m->funcs.at[i]->recursive = false;
        m->funcs.at[i]->user = &states[i];
    }
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (states[i].number == 0) find_component(&s, m->funcs.at[i]);
    for (uint32_t i = 0; i < m->funcs.n; i++) m->funcs.at[i]->user = NULL;
}
