/*
 * bounds: checks indices and assertions, and records the first fault.
 *
 * Does: an access through a pointer with an extent, or an item of a fixed array, happens only if
 * its index is in range, and so does one where `within` in its address says so of each dimension;
 * else a load gives zero and a store or atomic is dropped, and `fault` notes the place, index and
 * extent, in the library's own kernels the innermost parallel loop's round too, in the fault record
 * (without a parameter of that role nothing is noted).
 * A failed assertion is noted and execution goes on. Checks that can leave a loop do
 * (bounds_hoist.c), but on devices those of reductions, which would be in two arms of an if.
 * Requires: pass_context.bounds_check, else nothing happens. Runs behind inline, where pointers
 * and extents of callees are known, and before guards, which copies index expressions.
 * Ensures: no assert. Every access whose extent is known is in range.
 * Keeps: what accesses in range compute; checks in an arm of cond count only if the arm is
 * evaluated.
 * Source: W. Harrison, Compiler analysis of the value ranges for variables (1977).
 */
#include "passes/bounds_int.h"

/*
 * The function in the source that a place belongs to: the last that begins before it. Inlining has
 * moved its code, not its spans; functions do not nest.
 */
static const char *source_func(const bounds *b, cpl_span span)
{
    const ir_func *best = NULL;
    for (uint32_t i = 0; i < b->m->funcs.n; i++) {
        const ir_func *f = b->m->funcs.at[i];
        if (!f->body || f->span.file != span.file || f->span.begin > span.begin) continue;
        if (!best || f->span.begin > best->span.begin) best = f;
    }
    if (!best) best = b->r.f;
    /* without the number of a specialisation */
    return arena_strndup(&b->m->comp->arena, best->name, strcspn(best->name, "."));
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* place: all but its function. */
static uint32_t site_of(bounds *b, ir_site place)
{
    place.func = source_func(b, place.span);
    ir_module *m = b->m;
    for (uint32_t i = 0; i < m->sites.n; i++) {
        const ir_site *s = &m->sites.at[i];
        if (s->span.file == place.span.file && s->span.begin == place.span.begin &&
            s->span.end == place.span.end && s->axis == place.axis &&
            same_text(s->arg, place.arg) && same_text(s->func, place.func) &&
            same_text(s->said, place.said))
            return i;
    }
    vec_push(&m->comp->arena, &m->sites, place);
    return m->sites.n - 1;
}

/* Whether it is the library's own code, where a round is one element of the caller's, who has no
 * other name for it. */
static bool is_library(const bounds *b, cpl_span span)
{
    const compilation *c = b->m->comp;
    const source *src = c->find_source ? c->find_source(c->find_source_user, span.file) : NULL;
    return src && src->name && strncmp(src->name, "cpl/", 4) == 0;
}

static void add_fault(bounds *b, ir_block *out, ir_site place, ir_node *index, ir_node *extent)
{
    const pass_loops *around = &b->r.parallel;
    if (!b->record) return;
    ir_node *kids[4] = {ir_use(b->m, b->record, place.span), index, extent};
    uint16_t count = 3;
    if (around->n && is_library(b, place.span)) {
        ir_var *round = around->at[around->n - 1]->var;
        kids[count++] = ir_convert(b->m, comp_scalar(b->m->comp, CPL_INT64),
                                   ir_use(b->m, round, place.span), place.span);
    }
    ir_node *fault = ir_op_new(b->m, IR_FAULT, kids, count, place.span);
    fault->site = site_of(b, place);
    ir_append(b->m, out, fault);
}

/* The parts of a check as int64 expressions that may be copied. */

static ir_node *scaled(bounds *b, ir_node *n, uint64_t unit, cpl_span span)
{
    return ir_op2(b->m, IR_MUL, n, pass_i64(b->m, (int64_t)unit, span), span);
}

static ir_node *index_of(bounds *b, bounds_check *c, cpl_span span)
{
    const cpl_type *i64 = comp_scalar(b->m->comp, CPL_INT64);
    ir_node *sum = NULL;
    for (uint32_t i = 0; i < c->terms.n; i++) {
        ir_node **slot = c->terms.at[i].slot;
        *slot = pass_save(&b->r, *slot, "index");
        ir_node *term = ir_convert(b->m, i64, ir_copy(b->m, *slot), span);
        if (c->bytes) term = scaled(b, term, c->terms.at[i].unit, span);
        sum = sum ? ir_op2(b->m, IR_ADD, sum, term, span) : term;
    }
    return pass_fold_expr(b->m, sum ? sum : pass_i64(b->m, 0, span), &(bool){false});
}

static ir_node *extent_of(bounds *b, const bounds_check *c, cpl_span span)
{
    return c->extent ? ir_copy(b->m, c->extent) : pass_i64(b->m, (int64_t)c->count, span);
}

static bool never_negative(const ir_node *n)
{
    if (ir_is_const(n)) return (int64_t)n->bits >= 0;
    return n->op == IR_CONVERT && type_is_unsigned(n->kids[0]->type) &&
           type_bits(n->kids[0]->type) < 64;
}

static ir_node *in_range(bounds *b, const bounds_check *c, ir_node *index, cpl_span span)
{
    ir_module *m = b->m;
    ir_node *end = extent_of(b, c, span);
    if (c->bytes) /* the last byte of the access is inside: index + access <= extent * unit */
        end = ir_op2(m, IR_SUB, scaled(b, end, c->unit, span),
                     pass_i64(m, (int64_t)c->access - 1, span), span);
    ir_node *below = ir_op2(m, IR_LT, ir_copy(m, index), end, span);
    if (!never_negative(index)) {
        ir_node *from_zero = ir_op2(m, IR_GE, ir_copy(m, index), pass_i64(m, 0, span), span);
        below = ir_op2(m, IR_AND, from_zero, below, span);
    }
    return pass_fold_expr(m, below, &(bool){false});
}

/*
 * The condition under which an access may happen, NULL when there is none, and what happens
 * otherwise. Index expressions are saved in front, so that the access and the check see one value.
 */
static ir_node *guard(bounds *b, ir_node *access, ir_block *faults)
{
    ir_module *m = b->m;
    bounds_checks checks = {0};
    ir_node *all = NULL;
    if (bounds_is_safe(b, access)) return NULL;
    bounds_find(m, access->kids[0], &checks);
    const char *name = bounds_name(access->kids[0]);
    for (uint32_t i = checks.n; i-- > 0;) { /* outer dimensions first */
        bounds_check *c = &checks.at[i];
        ir_node *index = index_of(b, c, access->span);
        ir_node *ok = in_range(b, c, index, access->span);
        if (ir_is_const(ok) && ok->bits) continue;
        ir_block *out = faults;
        if (checks.n > 1) out = ir_block_new(m);
        ir_node *reported = c->bytes
                                ? ir_op2(m, IR_FLOORDIV, index,
                                         pass_i64(m, (int64_t)c->unit, access->span), access->span)
                                : index;
        ir_site place = {.arg = name, .axis = c->axis, .span = access->span};
        add_fault(b, out, place, reported, extent_of(b, c, access->span));
        if (out != faults && out->n > 0)
            ir_append(m, faults,
                      ir_if(m, pass_not(m, ir_copy(m, ok), access->span), out, NULL, access->span));
        all = all ? ir_op2(m, IR_AND, all, ok, access->span) : ok;
    }
    if (all) b->changed = true;
    return all;
}

static ir_node *check_load(pass_rewriter *r, ir_node *n)
{
    bounds *b = r->user;
    if (n->op != IR_LOAD) return n;
    ir_block *faults = ir_block_new(b->m), *then = ir_block_new(b->m);
    ir_node *ok = guard(b, n, faults);
    if (!ok) return n;
    ir_var *t = pass_var(b->m, r->f, &r->parallel, "loaded", n->type, n->span);
    ir_append(b->m, then, ir_assign(b->m, t, n, n->span));
    ir_append(b->m, faults, pass_zero_var(b->m, t, n->span));
    pass_emit(r, ir_if(b->m, ok, then, faults, n->span));
    return ir_use(b->m, t, n->span);
}

static void check_assert(bounds *b, const ir_node *n)
{
    ir_block *faults = ir_block_new(b->m);
    ir_site place = {.axis = -1, .span = n->span, .said = n->text};
    add_fault(b, faults, place, pass_i64(b->m, 0, n->span), pass_i64(b->m, 0, n->span));
    b->changed = true;
    if (faults->n > 0)
        pass_emit(&b->r, ir_if(b->m, pass_not(b->m, n->kids[0], n->span), faults, NULL, n->span));
}

static void check_stmt(pass_rewriter *r, ir_node *n)
{
    bounds *b = r->user;
    if (n->op == IR_ASSERT) {
        check_assert(b, n);
        return;
    }
    bool holds_effect = n->op == IR_EVAL || n->op == IR_ASSIGN;
    ir_node *access = holds_effect ? n->kids[0] : n;
    if (!bounds_is_access(access) || access->op == IR_LOAD) {
        pass_emit(r, n);
        return;
    }
    ir_block *faults = ir_block_new(b->m), *then = ir_block_new(b->m);
    ir_node *ok = guard(b, access, faults);
    if (!ok) {
        pass_emit(r, n);
        return;
    }
    ir_append(b->m, then, n);
    if (n->op == IR_ASSIGN) ir_append(b->m, faults, pass_zero_var(b->m, n->var, n->span));
    pass_emit(r, ir_if(b->m, ok, then, faults->n ? faults : NULL, n->span));
}

typedef struct survey {
    bounds *b;
    uint32_t accesses;
} survey;

static bool note_address(void *user, ir_node *n)
{
    survey *s = user;
    if (n->op == IR_ADDR) bounds_facts_of(s->b, n->var)->taken = true;
    if (bounds_is_access(n)) s->accesses++;
    return true;
}

/* A vcopy becomes accesses to single elements, each with its check. */
static void split_vcopy(ir_module *m, ir_block *out, const ir_node *n)
{
    for (uint32_t i = 0; i < n->lanes; i++) {
        ir_node *at[2];
        for (uint32_t k = 0; k < 2; k++)
            at[k] = ir_op2(m, IR_ELEM, ir_copy(m, n->kids[k]), pass_i64(m, i, n->span), n->span);
        ir_append(m, out, ir_op2(m, IR_STORE, at[0], ir_op1(m, IR_LOAD, at[1], n->span), n->span));
    }
}

static void split_block(ir_module *m, ir_block *b)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->body) split_block(m, n->body);
        if (n->orelse) split_block(m, n->orelse);
        if (n->op == IR_VCOPY) split_vcopy(m, &out, n);
        else ir_append(m, &out, n);
    }
    *b = out;
}

static bool check_func(ir_module *m, ir_func *f, bool device)
{
    split_block(m, f->body);
    bounds b = {.m = m, .record = ir_param_of(f, PARAM_FAULT, NULL), .device = device};
    /* from here on it is written, by many at once */
    if (b.record) b.record->readonly = b.record->noalias = false;
    b.r = (pass_rewriter){
        .m = m, .f = f, .expr = check_load, .stmt = check_stmt, .loop = bounds_loop, .user = &b};
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->user = NULL;
    survey s = {&b, 0};
    ir_walk_block(f->body, note_address, &s);
    b.size = ir_func_size(f) + s.accesses * 30;
    pass_rewrite_func(&b.r, f);
    for (uint32_t i = 0; i < f->params.n; i++) f->params.at[i]->user = NULL;
    for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->user = NULL;
    return b.changed;
}

bool pass_bounds(pass_context *cx, ir_module *m)
{
    bool changed = false;
    if (!cx->bounds_check) return false;
    pass_mark_reached(m);
    bool device = cx->target && target_is_device(cx->target);
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (f->body && (f->user || !ir_entry(m)) && check_func(m, f, device)) changed = true;
    }
    return changed;
}
