/*
 * Ranges of integer expressions inside a loop, as int64 expressions in front of it.
 *
 * Arithmetic of the IR wraps; the ranges are those of the numbers before wrapping, so the largest
 * and smallest must fit the type, which becomes a condition where the type does not settle it (a
 * sum of products wraps alike at each step: only the last must fit). The ranges themselves are
 * computed in int64: every variable is assumed, and tested, to lie within a limit small enough for
 * the whole expression to stay below 2^63. All conditions are evaluated before the loop and joined
 * by `and`; a condition that holds too rarely costs time, never correctness, for the loop is kept
 * with its checks as well.
 */
#include "passes/bounds_int.h"

#define LARGEST 9.0e18 /* below 2^63 with room for rounding */

#define MOST_NODES      100 /* of a condition */
#define MOST_CONDITIONS 200 /* in front of a loop */

static bool range_of(bounds_ranges *h, const ir_node *e, bounds_interval *out);

bounds_facts *bounds_facts_of(bounds *b, ir_var *v)
{
    if (!v->user) v->user = arena_new(&b->m->comp->arena, bounds_facts);
    bounds_facts *f = v->user;
    if (f->epoch != b->epoch) *f = (bounds_facts){.taken = f->taken, .epoch = b->epoch};
    return f;
}

bool bounds_holds_all(const cpl_type *to, const cpl_type *from)
{
    if (to == from) return true;
    if (type_is_signed(from)) return type_is_signed(to) && type_bits(to) > type_bits(from);
    return type_bits(to) > type_bits(from);
}

/* Construction. Operands are copied, so that a node may be used again. */

static ir_node *op(bounds_ranges *h, ir_op o, const ir_node *a, const ir_node *b)
{
    ir_module *m = h->b->m;
    return pass_fold_expr(m, ir_op2(m, o, ir_copy(m, a), ir_copy(m, b), h->outer->span),
                          &(bool){false});
}

static ir_node *number(bounds_ranges *h, int64_t value)
{
    return pass_i64(h->b->m, value, h->outer->span);
}

static bool require(bounds_ranges *h, ir_node *condition)
{
    if (ir_is_const(condition)) return condition->bits != 0;
    for (uint32_t i = 0; i < h->conditions.n; i++)
        if (ir_equal(h->conditions.at[i], condition)) return true;
    if (ir_size(condition) > MOST_NODES || h->conditions.n >= MOST_CONDITIONS) return false;
    vec_push(&h->b->m->comp->arena, &h->conditions, condition);
    return true;
}

static bool is_point(const bounds_interval *v)
{
    return ir_equal(v->lo, v->hi);
}

static bool done(bounds_interval *out, ir_node *lo, ir_node *hi, double size, const cpl_type *fits)
{
    *out = (bounds_interval){lo, hi, size, fits};
    return size < LARGEST;
}

/* Makes it a condition that the values fit a type. */
static bool settle(bounds_ranges *h, const cpl_type *t, bounds_interval *v)
{
    if (v->fits && bounds_holds_all(t, v->fits)) return true;
    uint32_t bits = type_bits(t) - (type_is_signed(t) ? 1 : 0);
    bool ok = true;
    if (bits < 63) {
        int64_t end = INT64_C(1) << bits;
        if (v->size >= (double)end) {
            ok = require(h, op(h, IR_LT, v->hi, number(h, end)));
            if (type_is_signed(t)) ok = ok && require(h, op(h, IR_GE, v->lo, number(h, -end)));
            v->size = (double)end;
        }
    }
    if (type_is_unsigned(t)) ok = ok && require(h, op(h, IR_GE, v->lo, number(h, 0)));
    v->fits = t;
    return ok;
}

/* A variable read in front of the loop. */
static bool range_atom(bounds_ranges *h, ir_var *v, bounds_interval *out)
{
    ir_module *m = h->b->m;
    cpl_span span = h->outer->span;
    uint32_t bits = type_bits(v->type) - (type_is_signed(v->type) ? 1 : 0);
    double size = bits >= 63 ? LARGEST * 2 : (double)(INT64_C(1) << bits);
    if (size > h->limit) {
        size = h->limit;
        ir_node *most = ir_int(m, v->type, (int64_t)h->limit, span);
        ir_node *least = ir_int(m, v->type, -(int64_t)h->limit, span);
        if (!require(h, ir_op2(m, IR_LE, ir_use(m, v, span), most, span))) return false;
        if (type_is_signed(v->type) &&
            !require(h, ir_op2(m, IR_GE, ir_use(m, v, span), least, span)))
            return false;
    }
    ir_node *value = ir_convert(m, comp_scalar(m->comp, CPL_INT64), ir_use(m, v, span), span);
    return done(out, value, value, size, v->type);
}

static bool settled(bounds_ranges *h, const ir_node *e, bounds_interval *out)
{
    return range_of(h, e, out) && settle(h, e->type, out);
}

/* Start and stop of a for; those of the outermost are evaluated in front of it. */
static bool range_bounds(bounds_ranges *h, const ir_node *loop, bounds_interval *start,
                         bounds_interval *stop)
{
    bool before = h->entry;
    h->entry = loop == h->outer;
    bool ok = settled(h, loop->kids[0], start) && settled(h, loop->kids[1], stop);
    h->entry = before;
    return ok;
}

/* from + (to - 1 - from) // step * step: the last value of a loop with points for bounds. */
static ir_node *last_value(bounds_ranges *h, const bounds_interval *from, const bounds_interval *to,
                           int64_t step)
{
    int64_t size = step < 0 ? -step : step;
    ir_node *distance =
        step > 0 ? op(h, IR_SUB, to->hi, from->lo) : op(h, IR_SUB, from->hi, to->lo);
    ir_node *rounds = op(h, IR_FLOORDIV, op(h, IR_SUB, distance, number(h, 1)), number(h, size));
    return op(h, step > 0 ? IR_ADD : IR_SUB, from->lo, op(h, IR_MUL, rounds, number(h, size)));
}

static void refine(bounds_ranges *h, const bounds_refinement *x, bounds_interval *v)
{
    bounds_interval bound, moved = *v;
    uint32_t conditions = h->conditions.n;
    double size = v->size + (double)(x->offset < 0 ? -x->offset : x->offset);
    if (x->offset != 0) {
        moved = (bounds_interval){op(h, IR_ADD, v->lo, number(h, x->offset)),
                                  op(h, IR_ADD, v->hi, number(h, x->offset)), size, NULL};
        if (size >= LARGEST || !settle(h, x->type, &moved)) goto unknown;
    }
    if (!settled(h, x->bound, &bound)) goto unknown;
    size += bound.size + 1;
    if (size >= LARGEST) goto unknown;
    v->size = size;
    if (x->op == IR_LT || x->op == IR_LE || x->op == IR_EQ) {
        ir_node *hi = op(h, IR_SUB, bound.hi, number(h, x->offset + (x->op == IR_LT)));
        v->hi = op(h, IR_MIN, v->hi, hi);
    }
    if (x->op == IR_GT || x->op == IR_GE || x->op == IR_EQ) {
        ir_node *lo = op(h, IR_SUB, bound.lo, number(h, x->offset - (x->op == IR_GT)));
        v->lo = op(h, IR_MAX, v->lo, lo);
    }
    return;
unknown: /* the refinement is left out, the range stays right */
    h->conditions.n = conditions;
}

static bool range_counter(bounds_ranges *h, const bounds_facts *f, bounds_interval *out)
{
    bounds_interval start, stop;
    int64_t step;
    ir_node *lo, *hi;
    if (!ir_is_int_const(f->loop->kids[2], &step) || step == 0 || step > INT32_MAX ||
        step < -INT32_MAX)
        return false;
    if (type_is_unsigned(f->loop->kids[2]->type) && step < 0) return false;
    if (!range_bounds(h, f->loop, &start, &stop)) return false;
    bool exact = step != 1 && step != -1 && is_point(&start) && is_point(&stop);
    double size = start.size + stop.size + (double)(step < 0 ? -step : step);
    if (size >= LARGEST) return false;
    if (step > 0) {
        lo = start.lo;
        hi = exact ? last_value(h, &start, &stop, step) : op(h, IR_SUB, stop.hi, number(h, 1));
    } else {
        lo = exact ? last_value(h, &start, &stop, step) : op(h, IR_ADD, stop.lo, number(h, 1));
        hi = start.hi;
    }
    /* all counters between two numbers of int32 or less stay there; for int64 the sum of both is
       the safe bound */
    if (!exact) size = (start.size > stop.size ? start.size : stop.size) + 1;
    done(out, lo, hi, size, f->loop->loop->var->type);
    if (h->plain) return out->size < LARGEST;
    h->plain = true;
    for (uint32_t i = 0; i < f->refinements.n; i++) refine(h, &f->refinements.at[i], out);
    h->plain = false;
    return out->size < LARGEST;
}

static bool range_var(bounds_ranges *h, ir_var *v, bounds_interval *out)
{
    const bounds_facts *f = bounds_facts_of(h->b, v);
    if (h->entry) return range_atom(h, v, out);
    if (f->taken) return false;
    if (f->loop) return range_counter(h, f, out);
    if (f->def) return settled(h, f->def, out);
    return f->assigns == 0 && !f->is_private && range_atom(h, v, out);
}

static bool range_sum(bounds_ranges *h, const ir_node *e, bounds_interval *out)
{
    bounds_interval a, b;
    if (!range_of(h, e->kids[0], &a) || !range_of(h, e->kids[1], &b)) return false;
    if (a.size + b.size >= LARGEST) return false;
    if (e->op == IR_ADD)
        return done(out, op(h, IR_ADD, a.lo, b.lo), op(h, IR_ADD, a.hi, b.hi), a.size + b.size,
                    NULL);
    return done(out, op(h, IR_SUB, a.lo, b.hi), op(h, IR_SUB, a.hi, b.lo), a.size + b.size, NULL);
}

/* One factor is the same all through the loop; its sign need not be known. */
static bool range_product(bounds_ranges *h, const ir_node *e, bounds_interval *out)
{
    bounds_interval a, b;
    int64_t c;
    if (!range_of(h, e->kids[0], &a) || !range_of(h, e->kids[1], &b)) return false;
    if (a.size * b.size >= LARGEST) return false;
    if (!is_point(&b)) {
        bounds_interval t = a;
        a = b;
        b = t;
    }
    if (!is_point(&b)) return false;
    ir_node *p = op(h, IR_MUL, a.lo, b.lo), *q = op(h, IR_MUL, a.hi, b.lo);
    if (ir_is_int_const(b.lo, &c))
        return done(out, c >= 0 ? p : q, c >= 0 ? q : p, a.size * b.size, NULL);
    if (is_point(&a)) return done(out, p, p, a.size * b.size, NULL);
    return done(out, op(h, IR_MIN, p, q), op(h, IR_MAX, p, q), a.size * b.size, NULL);
}

static bool range_minmax(bounds_ranges *h, const ir_node *e, bounds_interval *out)
{
    bounds_interval a, b;
    if (!settled(h, e->kids[0], &a) || !settled(h, e->kids[1], &b)) return false;
    double size = a.size > b.size ? a.size : b.size;
    return done(out, op(h, (ir_op)e->op, a.lo, b.lo), op(h, (ir_op)e->op, a.hi, b.hi), size,
                e->type);
}

/* x // c, x / c and x >> c grow with x. */
static bool range_quotient(bounds_ranges *h, const ir_node *e, bounds_interval *out)
{
    bounds_interval a;
    int64_t c;
    if (!ir_is_int_const(e->kids[1], &c) || c <= 0 || !settled(h, e->kids[0], &a)) return false;
    if (e->op == IR_SHR && c >= type_bits(e->type)) return false;
    return done(out, op(h, (ir_op)e->op, a.lo, number(h, c)),
                op(h, (ir_op)e->op, a.hi, number(h, c)), a.size, e->type);
}

/* x % n lies in [0, n) for positive n, x & c in [0, c], whatever x is. */
static bool range_modulo(bounds_ranges *h, const ir_node *e, bounds_interval *out)
{
    bounds_interval n;
    if (!settled(h, e->kids[1], &n)) return false;
    bool masks = e->op == IR_AND;
    if (!require(h, op(h, IR_GE, n.lo, number(h, masks ? 0 : 1)))) return false;
    return done(out, number(h, 0), masks ? n.hi : op(h, IR_SUB, n.hi, number(h, 1)), n.size,
                e->type);
}

static bool range_convert(bounds_ranges *h, const ir_node *e, bounds_interval *out)
{
    const cpl_type *from = e->kids[0]->type;
    if (type_is_bool(from)) return done(out, number(h, 0), number(h, 1), 1, e->type);
    if (!type_is_int(from) || !settled(h, e->kids[0], out)) return false;
    return settle(h, e->type, out);
}

static bool range_of(bounds_ranges *h, const ir_node *e, bounds_interval *out)
{
    if (!type_is_int(e->type) || h->steps == 0) return false;
    h->steps--;
    switch (e->op) {
    case IR_CONST: {
        int64_t c = (int64_t)e->bits;
        if (type_is_unsigned(e->type) && c < 0) return false;
        return done(out, number(h, c), number(h, c), c < 0 ? -(double)c : (double)c, e->type);
    }
    case IR_VAR: return range_var(h, e->var, out);
    case IR_ADD:
    case IR_SUB: return range_sum(h, e, out);
    case IR_MUL: return range_product(h, e, out);
    case IR_NEG:
        if (!range_of(h, e->kids[0], out)) return false;
        return done(out, op(h, IR_SUB, number(h, 0), out->hi), op(h, IR_SUB, number(h, 0), out->lo),
                    out->size, NULL);
    case IR_MIN:
    case IR_MAX: return range_minmax(h, e, out);
    case IR_DIV:
    case IR_FLOORDIV:
    case IR_SHR: return range_quotient(h, e, out);
    case IR_AND:
    case IR_FLOORMOD: return range_modulo(h, e, out);
    case IR_CONVERT: return range_convert(h, e, out);
    default: return false;
    }
}

/* The least value of an extent; compared, never computed with, so it needs no limit. */
static bool least_extent(bounds_ranges *h, const bounds_check *c, ir_node **least)
{
    bounds_interval v;
    if (!c->extent) {
        *least = number(h, (int64_t)c->count);
        return true;
    }
    if (c->extent->op != IR_VAR) return false;
    const bounds_facts *f = bounds_facts_of(h->b, c->extent->var);
    if (f->assigns == 0 && !f->is_private && !f->taken) {
        *least = ir_copy(h->b->m, c->extent);
        return true;
    }
    if (!range_var(h, c->extent->var, &v)) return false;
    *least = v.lo;
    return true;
}

static bool within_limit(bounds_ranges *h, const bounds_check *c)
{
    bounds_interval index = {number(h, 0), number(h, 0), 0, NULL}, term;
    ir_node *extent;
    if (!least_extent(h, c, &extent)) return false;
    for (uint32_t i = 0; i < c->terms.n; i++) {
        if (!settled(h, *c->terms.at[i].slot, &term) || index.size + term.size >= LARGEST)
            return false;
        index = (bounds_interval){op(h, IR_ADD, index.lo, term.lo),
                                  op(h, IR_ADD, index.hi, term.hi), index.size + term.size, NULL};
    }
    return require(h, op(h, IR_GE, index.lo, number(h, 0))) &&
           require(h, op(h, IR_LT, index.hi, extent));
}

bool bounds_hoistable(bounds_ranges *h, const bounds_check *c)
{
    /* sums, products of two, sums of such, of three */
    static const double limits[] = {0x1p46, 0x1p31, 0x1p30, 0x1p25, 0x1p20};
    uint32_t conditions = h->conditions.n;
    for (size_t i = 0; !c->bytes && i < COUNT_OF(limits); i++) {
        h->limit = limits[i];
        h->steps = 1000;
        h->entry = h->plain = false;
        if (within_limit(h, c)) return true;
        h->conditions.n = conditions;
    }
    return false;
}
