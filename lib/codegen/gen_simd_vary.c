/*
 * What differs between lanes: a fixed point over the variables and constructs of a plan. A variable varies that is given a varying value,
 * or any value where lanes parted since the region its life is confined to. What is left is the same in all lanes that are on.
 */
#include "lib/codegen/gen_simd.h"

static void vary_block(simd_plan *p, const simd_region *r, bool *changed);

static bool varies(const simd_plan *p, const ir_node *n)
{
    if (n->op == IR_VAR) return p->vars[n->var->index] && p->vars[n->var->index]->varying;
    if (n->op == IR_ADDR || ir_ops[n->op].class_ == IR_CLASS_EFFECT) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (varies(p, n->kids[i])) return true;
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

static void vary_loop(simd_plan *p, simd_construct *c, bool *changed)
{
    const ir_node *n = c->n;
    bool bounds = false;
    for (uint32_t i = 0; i < n->kid_count; i++) bounds |= varies(p, n->kids[i]);
    set(&c->varying, bounds, changed);
    bool value = n->op == IR_FOR && (varies(p, n->kids[0]) || varies(p, n->kids[2]));
    simd_var *outer = simd_enter_loop(p, c);
    if (n->op == IR_FOR) vary_var(p->vars[n->loop->var->index], value, c->body, changed);
    vary_block(p, c->body, changed);
    simd_leave_loop(p, c, outer);
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
        case IR_ASSIGN: vary_var(p->vars[n->var->index], varies(p, n->kids[0]), r, changed); break;
        case IR_IF: {
            simd_construct *c = r->constructs.at[k++];
            set(&c->varying, varies(p, n->kids[0]), changed);
            vary_block(p, c->body, changed);
            if (c->orelse) vary_block(p, c->orelse, changed);
            break;
        }
        case IR_WHILE: case IR_FOR: vary_loop(p, r->constructs.at[k++], changed); break;
        case IR_BREAK: case IR_CONTINUE: vary_jump(r, changed); break;
        default: break;
        }
    }
}

static bool is_value(const simd_var *v)
{
    return v->writes == 1 && !v->addressed && v->accesses.at[0].write && v->accesses.at[0].in == v->scope;
}

static void choose_places(simd_plan *p)
{
    for (uint32_t i = 0; i < p->all.n; i++) {
        simd_var *v = p->all.at[i];
        if (v->addressed) v->varying = true;
        if (!v->reads && !v->addressed) v->place = SIMD_NOWHERE;
        else if (!v->varying) v->place = SIMD_SCALAR;
        else v->place = is_value(v) || v->var == p->loop->loop->var ? SIMD_VALUE : SIMD_SLOT;
        if (v->private_pointer && (v->place != SIMD_VALUE || v->varying == false)) p->refused |= v->place != SIMD_NOWHERE;
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

/* A lane that c leaves out, or that left c, may read v before it is written again; loops around bring it back to all in them. */
static bool read_after(const simd_var *v, const simd_construct *c)
{
    if (read_between(v, c->end, UINT32_MAX)) return true;
    for (const simd_region *r = c->in; r != v->scope; r = r->owner->in)
        if (simd_is_loop(r->owner) && read_between(v, r->owner->begin, r->owner->end)) return true;
    return false;
}

bool simd_must_blend(const simd_var *v, const simd_region *at)
{
    if (v->addressed) return true;
    for (const simd_region *r = at; r != v->scope; r = r->owner->in) {
        const simd_construct *c = r->owner;
        if (!c->varying) continue;
        if (simd_is_loop(c) && c->continues && read_between(v, c->begin, c->end)) return true;
        if (c == v->kept_by) return false;
        if (read_after(v, c)) return true;
    }
    return false;
}

static bool is_inside(const simd_region *r, const simd_region *outer)
{
    while (r->depth > outer->depth) r = r->owner->in;
    return r == outer;
}

/* Where some write in it would blend now and need not then. Lanes that continue come back with the value they had: no help there. */
bool simd_should_keep(simd_var *v, const simd_construct *c)
{
    const simd_construct *outer = v->kept_by;
    bool should = false;
    if (v->place != SIMD_SLOT || v->addressed || c->continues || !is_inside(c->body, v->scope) || c->body == v->scope) return false;
    for (uint32_t i = 0; i < v->accesses.n && !should; i++) {
        const simd_access *a = &v->accesses.at[i];
        if (!a->write || !is_inside(a->in, c->body) || !simd_must_blend(v, a->in)) continue;
        v->kept_by = c;
        should = !simd_must_blend(v, a->in);
        v->kept_by = outer;
    }
    return should;
}

/* Costs. */

enum { UNKNOWN = 1 << 20 }; /* a step that is no small constant */

static int64_t known(int64_t step)
{
    return step > -UNKNOWN && step < UNKNOWN ? step : UNKNOWN;
}

/*
 * By how much an integer expression grows from lane to lane (of == NULL) or from round to round of the loop that counts with `of`.
 */
static int64_t step_of(const simd_plan *p, const ir_node *n, const ir_var *of)
{
    int64_t a, b, k;
    switch (n->op) {
    case IR_CONST: return 0;
    case IR_VAR: {
        const simd_var *v = p->vars[n->var->index];
        if (of) return n->var == of ? 1 : v && v->writes && v->varying ? UNKNOWN : 0;
        if (n->var == p->loop->loop->var) return 1;
        return !v || !v->varying ? 0 : v->place == SIMD_VALUE ? v->step : UNKNOWN;
    }
    case IR_CONVERT: return step_of(p, n->kids[0], of);
    case IR_ADD: case IR_SUB:
        a = step_of(p, n->kids[0], of);
        b = step_of(p, n->kids[1], of);
        return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : known(n->op == IR_ADD ? a + b : a - b);
    case IR_MUL:
        a = step_of(p, n->kids[0], of);
        b = step_of(p, n->kids[1], of);
        if (a == 0 && b == 0) return 0;
        if (a != UNKNOWN && b == 0 && ir_is_int_const(n->kids[1], &k)) return known(a * known(k));
        if (b != UNKNOWN && a == 0 && ir_is_int_const(n->kids[0], &k)) return known(b * known(k));
        return UNKNOWN;
    default:
        for (uint32_t i = 0; i < n->kid_count; i++)
            if (step_of(p, n->kids[i], of)) return UNKNOWN;
        return of ? 0 : varies(p, n) ? UNKNOWN : 0;
    }
}

static const ir_var *innermost_counter(const simd_region *r)
{
    for (; r->owner->in; r = r->owner->in)
        if (simd_is_loop(r->owner)) return r->owner->n->op == IR_FOR ? r->owner->n->loop->var : NULL;
    return NULL;
}

static void weigh_address(simd_plan *p, const ir_node *pointer, const simd_region *r)
{
    if (pointer->op != IR_ELEM || simd_is_private(p, pointer)) return;
    const ir_var *counter = innermost_counter(r);
    int64_t lanes = step_of(p, pointer->kids[1], NULL);
    if (lanes == 0 || lanes == 1 || !p->loops || !counter) return;
    int64_t rounds = step_of(p, pointer->kids[1], counter);
    if (rounds == 1 || rounds == -1) p->scattered++;
}

static void widen_to(uint32_t *most, const cpl_type *t)
{
    if (type_is_scalar(t) && type_bits(t) > *most) *most = type_bits(t);
}

/* Weights: about what an operation costs next to an addition. */
static uint32_t weight(const ir_node *n)
{
    if (gen_is_math(n->op)) return n->op == IR_POW || !type_is_float(n->type) ? 40 : 20;
    switch (n->op) {
    case IR_DIV: case IR_SQRT: return 8;
    case IR_CONST: case IR_VAR: case IR_LOAD: case IR_ELEM: case IR_ITEM: case IR_OFFSET: case IR_FIELD: case IR_PTRCAST:
    case IR_ADDR: case IR_RAWDIV: case IR_RAWREM: case IR_REM: case IR_FLOORDIV: case IR_FLOORMOD: return 0;
    default: return 1;
    }
}

static void weigh_expr(simd_plan *p, const ir_node *n, const simd_region *r, bool address)
{
    if (ir_ops[n->op].class_ == IR_CLASS_EFFECT && p->loops) p->effects++;
    if (!varies(p, n)) return;
    if (type_is_float(n->type)) widen_to(&p->float_bits, n->type);
    else if (!address && step_of(p, n, NULL) == UNKNOWN) widen_to(&p->int_bits, n->type);
    if (p->loops && !address) p->arithmetic += weight(n);
    if (n->op == IR_LOAD) weigh_address(p, n->kids[0], r);
    for (uint32_t i = 0; i < n->kid_count; i++)
        weigh_expr(p, n->kids[i], r, address || (type_is_pointer(n->type) && i > 0));
}

static void weigh_block(simd_plan *p, simd_region *r)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < r->block->n; i++) {
        const ir_node *n = r->block->at[i];
        bool loop = n->op == IR_WHILE || n->op == IR_FOR;
        p->loops += n->op == IR_WHILE;
        for (uint32_t j = 0; j < n->kid_count; j++) weigh_expr(p, n->kids[j], r, n->op == IR_FOR);
        p->loops -= n->op == IR_WHILE;
        if (n->op == IR_STORE) weigh_address(p, n->kids[0], r);
        if (n->op == IR_ASSIGN) {
            simd_var *v = p->vars[n->var->index];
            v->step = type_is_int(n->var->type) ? step_of(p, n->kids[0], NULL) : UNKNOWN;
        }
        if (n->op != IR_IF && !loop) continue;
        simd_construct *c = r->constructs.at[k++];
        simd_var *outer = simd_enter_loop(p, c);
        if (c->counter) c->counter->step = step_of(p, n->kids[0], NULL) == 0 && step_of(p, n->kids[2], NULL) == 0 ? 0 : UNKNOWN;
        p->loops += loop;
        p->inner_loops += loop;
        if (loop && c->varying && (n->op == IR_WHILE || c->breaks)) p->diverges = true;
        weigh_block(p, c->body);
        if (c->orelse) weigh_block(p, c->orelse);
        p->loops -= loop;
        simd_leave_loop(p, c, outer);
    }
}

/*
 * Two registers of the widest type hide latencies; a mask of bytes would be dear, so integers count as 32 bits at least.
 */
static void choose_lanes(simd_plan *p)
{
    uint32_t bits = p->float_bits ? p->float_bits : p->int_bits;
    if (bits < 32) bits = 32;
    p->float_bits = bits;
    p->lanes = 2 * (unsigned)p->g->options->vector_bits / bits;
    if (p->lanes > SIMD_MOST_LANES) p->lanes = SIMD_MOST_LANES;
}

/*
 * Straight bodies are left to LLVM's vectoriser. Where each lane walks through its own part of an array, one lane after the other would
 * read it in order: then there must be much else to do.
 */
bool simd_pays(simd_plan *p)
{
    weigh_block(p, p->root.body);
    choose_lanes(p);
    if (p->g->options->simd > 1) return true;
    if (!p->inner_loops) return false;
    return p->arithmetic > 4 * p->scattered + 8 * p->effects;
}
