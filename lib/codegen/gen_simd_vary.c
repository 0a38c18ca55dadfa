/*
 * What differs between lanes: a fixed point over the variables and constructs of a plan. A variable
 * varies that is given a varying value, or any value where lanes parted since the region its life
 * is confined to. What is left is the same in all lanes that are on.
 */
#include "lib/codegen/gen_simd.h"

static void vary_block(simd_plan *p, const simd_region *r, bool *changed);

bool simd_varies(const simd_plan *p, const ir_node *n)
{
    if (n->op == IR_VAR) return p->vars[n->var->index] && p->vars[n->var->index]->varying;
    if (n->op == IR_ADDR) return !gen_is_table(n->var);
    if (ir_op_effects(n->op) & ~IR_EFFECT_READ) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (simd_varies(p, n->kids[i])) return true;
    return false;
}

static void set(bool *flag, bool value, bool *changed)
{
    if (*flag || !value) return;
    *flag = true;
    *changed = true;
}

/* Lanes have parted between the scope of v and r. */
static bool parted(const simd_var *v, const simd_region *r)
{
    for (; r != v->scope; r = r->owner->in)
        if (r->owner->varying) return true;
    return false;
}

static void vary_var(simd_var *v, bool value_varies, const simd_region *r, bool *changed)
{
    set(&v->varying, value_varies || v->addressed || parted(v, r), changed);
}

/* The bounds of a for loop belong to what stands around it, the condition of a while loop to its
 * rounds. */
static void vary_loop(simd_plan *p, simd_construct *c, bool *changed)
{
    const ir_node *n = c->n;
    bool counts = n->op == IR_FOR, parts = false;
    bool counter = counts && (simd_varies(p, n->kids[0]) || simd_varies(p, n->kids[2]));
    if (!counts) simd_enter_loop(p, c);
    for (uint32_t i = 0; i < n->kid_count; i++) parts |= simd_varies(p, n->kids[i]);
    set(&c->varying, parts, changed);
    if (counts) {
        simd_enter_loop(p, c);
        vary_var(p->vars[n->loop->var->index], counter, c->body, changed);
    }
    vary_block(p, c->body, changed);
    simd_leave_loop(p, c);
    for (uint32_t i = 0; !counts && i < c->own.n; i++)
        vary_var(c->own.at[i].outside, false, c->body, changed);
}

static void vary_jump(const simd_region *r, bool *changed)
{
    bool apart = false;
    simd_construct *c = r->owner;
    for (; !simd_is_loop(c); c = c->in->owner) apart |= c->varying;
    set(&c->varying, apart, changed);
}

static void vary_block(simd_plan *p, const simd_region *r, bool *changed)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < r->block->n; i++) {
        const ir_node *n = r->block->at[i];
        switch (n->op) {
        case IR_ASSIGN:
            vary_var(p->vars[n->var->index], simd_varies(p, n->kids[0]), r, changed);
            break;
        case IR_IF: {
            simd_construct *c = r->constructs.at[k++];
            set(&c->varying, simd_varies(p, n->kids[0]), changed);
            vary_block(p, c->body, changed);
            if (c->orelse) vary_block(p, c->orelse, changed);
            break;
        }
        case IR_WHILE:
        case IR_FOR: vary_loop(p, r->constructs.at[k++], changed); break;
        case IR_BREAK:
        case IR_CONTINUE: vary_jump(r, changed); break;
        default: break;
        }
    }
}

static bool is_value(const simd_var *v)
{
    return v->writes == 1 && !v->addressed && v->accesses.at[0].write &&
           v->accesses.at[0].in == v->scope;
}

static void choose_places(simd_plan *p)
{
    for (uint32_t i = 0; i < p->all.n; i++) {
        simd_var *v = p->all.at[i];
        if (v->addressed) v->varying = true;
        if (v->reduces != IR_OP_COUNT) v->place = SIMD_SLOT;
        else if (!v->reads && !v->addressed) v->place = SIMD_NOWHERE;
        else if (!v->varying) v->place = SIMD_SCALAR;
        else v->place = is_value(v) || v->var == p->loop->loop->var ? SIMD_VALUE : SIMD_SLOT;
        if (v->private_pointer && (v->place != SIMD_VALUE || v->varying == false))
            p->refused |= v->place != SIMD_NOWHERE;
    }
}

void simd_vary(simd_plan *p)
{
    bool changed = true;
    while (changed) {
        changed = false;
        vary_block(p, p->root.body, &changed);
    }
    choose_places(p);
}

/* Blending. */

static bool read_between(const simd_var *v, uint32_t begin, uint32_t end)
{
    for (uint32_t i = 0; i < v->accesses.n; i++) {
        const simd_access *a = &v->accesses.at[i];
        if (!a->write && a->order > begin && a->order < end) return true;
    }
    return false;
}

/* A lane that c leaves out, or that left c, may read v before it is written again; loops around
 * bring it back to all in them. */
static bool read_after(const simd_var *v, const simd_construct *c)
{
    if (read_between(v, c->end, UINT32_MAX)) return true;
    for (const simd_region *r = c->in; r != v->scope; r = r->owner->in)
        if (simd_is_loop(r->owner) && read_between(v, r->owner->begin, r->owner->end)) return true;
    return false;
}

static bool is_inside(const simd_region *r, const simd_region *outer)
{
    while (r->depth > outer->depth) r = r->owner->in;
    return r == outer;
}

/* The other side of an if runs behind this one, for the lanes that this one leaves out. */
static bool read_on_other_side(const simd_var *v, const simd_region *r)
{
    const simd_region *other = r == r->owner->body ? r->owner->orelse : NULL;
    for (uint32_t i = 0; other && i < v->accesses.n; i++)
        if (!v->accesses.at[i].write && is_inside(v->accesses.at[i].in, other)) return true;
    return false;
}

bool simd_must_blend(const simd_var *v, const simd_region *at)
{
    if (v->addressed || v->reduces != IR_OP_COUNT) return true;
    for (const simd_region *r = at; r != v->scope; r = r->owner->in) {
        const simd_construct *c = r->owner;
        if (!c->varying) continue;
        if (read_on_other_side(v, r)) return true;
        if (simd_is_loop(c) && c->continues && read_between(v, c->begin, c->end)) return true;
        if (c == v->kept_by) return false;
        if (read_after(v, c)) return true;
    }
    return false;
}

/* Where some write in it would blend now and need not then. Lanes that continue come back with the
 * value they had: no help there. */
bool simd_should_keep(simd_var *v, const simd_construct *c)
{
    const simd_construct *outer = v->kept_by;
    bool should = false;
    if (v->place != SIMD_SLOT || v->addressed || c->continues || !is_inside(c->body, v->scope) ||
        c->body == v->scope)
        return false;
    for (uint32_t i = 0; i < v->accesses.n && !should; i++) {
        const simd_access *a = &v->accesses.at[i];
        if (!a->write || !is_inside(a->in, c->body) || !simd_must_blend(v, a->in)) continue;
        v->kept_by = c;
        should = !simd_must_blend(v, a->in);
        v->kept_by = outer;
    }
    return should;
}
