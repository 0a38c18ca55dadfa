/*
 * Ranges of integers for pass narrow: one interval a variable, true everywhere in its function.
 * What may wrap gets the range of its type. Assignments are gone through until nothing grows; what
 * still does after a few rounds gets the range of its type, too.
 */
#include "passes/narrow_int.h"

enum { ROUNDS = 4, MOST_ROUNDS = 8 };

static const narrow_range anything = {INT64_MIN, INT64_MAX};

static bool is_anything(narrow_range r)
{
    return r.lo == INT64_MIN && r.hi == INT64_MAX;
}

static narrow_range type_range(const cpl_type *t)
{
    if (type_is_bool(t)) return (narrow_range){0, 1};
    uint32_t bits = type_is_int(t) ? type_bits(t) : 64;
    if (bits == 64) return anything;
    if (!type_is_signed(t)) return (narrow_range){0, (int64_t)((UINT64_C(1) << bits) - 1)};
    return (narrow_range){-(INT64_C(1) << (bits - 1)), (INT64_C(1) << (bits - 1)) - 1};
}

static bool within(narrow_range r, narrow_range outer)
{
    return r.lo >= outer.lo && r.hi <= outer.hi;
}

/* What a value in a type can be if it is r before it wraps. */
static narrow_range wrapped(const cpl_type *t, narrow_range r)
{
    if (type_bits(t) == 64 && !type_is_signed(t) && r.lo < 0) return anything;
    narrow_range all = type_range(t);
    return within(r, all) ? r : all;
}

static narrow_range joined(narrow_range a, narrow_range b)
{
    return (narrow_range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The largest absolute value; r is not anything. */
static int64_t size_of(narrow_range r)
{
    return r.lo == INT64_MIN ? INT64_MAX : most(r.hi, -r.lo);
}

static narrow_range product(narrow_range a, narrow_range b)
{
    const int64_t x[] = {a.lo, a.hi}, y[] = {b.lo, b.hi};
    narrow_range r = {INT64_MAX, INT64_MIN};
    for (int i = 0; i < 4; i++) {
        int64_t p;
        if (__builtin_mul_overflow(x[i / 2], y[i % 2], &p)) return anything;
        r = joined(r, (narrow_range){p, p});
    }
    return r;
}

static narrow_range sum(narrow_range a, narrow_range b)
{
    narrow_range r;
    return __builtin_add_overflow(a.lo, b.lo, &r.lo) || __builtin_add_overflow(a.hi, b.hi, &r.hi)
               ? anything
               : r;
}

static narrow_range negated(narrow_range a)
{
    return a.lo == INT64_MIN ? anything : (narrow_range){-a.hi, -a.lo};
}

/* By zero all of them give 0. A quotient by 1 or -1 keeps the size; flooring makes 1 // -2 as large
 * as -1. */
static narrow_range quotient(ir_op op, narrow_range a, narrow_range b)
{
    if (a.lo >= 0 && b.lo >= 0) return (narrow_range){0, a.hi};
    int64_t s = op == IR_FLOORDIV ? most(size_of(a), 1) : size_of(a);
    return (narrow_range){-s, s};
}

static narrow_range remainder_of(ir_op op, narrow_range a, narrow_range b)
{
    int64_t below = b.lo == INT64_MIN ? INT64_MAX : most(size_of(b) - 1, 0);
    if (op == IR_REM) {
        int64_t s = least(size_of(a), below);
        return (narrow_range){a.lo >= 0 ? 0 : -s, a.hi <= 0 ? 0 : s};
    }
    if (a.lo >= 0 && b.lo >= 0) return (narrow_range){0, least(a.hi, below)};
    return (narrow_range){b.lo >= 0 ? 0 : -below, b.hi <= 0 ? 0 : below};
}

/* All ones up to the highest bit that a number of 0 to top can have. */
static int64_t filled(int64_t top)
{
    return top == 0 ? 0 : (int64_t)(UINT64_MAX >> __builtin_clzll((unsigned long long)top));
}

static narrow_range bitwise(ir_op op, narrow_range a, narrow_range b)
{
    if (op == IR_AND) {
        if (a.lo >= 0 && b.lo >= 0) return (narrow_range){0, least(a.hi, b.hi)};
        if (a.lo >= 0) return (narrow_range){0, a.hi};
        if (b.lo >= 0) return (narrow_range){0, b.hi};
        return anything;
    }
    if (a.lo < 0 || b.lo < 0) return anything;
    return (narrow_range){0, filled(most(a.hi, b.hi))};
}

static narrow_range shifted(const ir_node *n, narrow_range a)
{
    int64_t by;
    if (!ir_is_int_const(n->kids[1], &by)) return anything;
    by &= type_bits(n->type) - 1;
    if (n->op == IR_SHL)
        return by < 63 ? product(a, (narrow_range){INT64_C(1) << by, INT64_C(1) << by}) : anything;
    return (narrow_range){a.lo >> by, a.hi >> by};
}

static narrow_range of_two(const ir_node *n)
{
    narrow_range a = narrow_range_of(n->kids[0]), b = narrow_range_of(n->kids[1]);
    bool masks = n->op == IR_AND && type_is_signed(n->type) && (a.lo >= 0 || b.lo >= 0);
    bool rest = n->op == IR_FLOORMOD || n->op == IR_REM,
         divides = rest || n->op == IR_DIV || n->op == IR_FLOORDIV;
    bool one_does = masks || (type_is_signed(n->type) &&
                              ((divides && !is_anything(a)) || (rest && !is_anything(b))));
    if (!one_does && (is_anything(a) || is_anything(b))) return anything;
    switch (n->op) {
    case IR_ADD: return sum(a, b);
    case IR_SUB: return is_anything(negated(b)) ? anything : sum(a, negated(b));
    case IR_MUL: return product(a, b);
    case IR_DIV:
    case IR_FLOORDIV: return quotient((ir_op)n->op, a, b);
    case IR_REM:
    case IR_FLOORMOD: return remainder_of((ir_op)n->op, a, b);
    case IR_MIN: return (narrow_range){least(a.lo, b.lo), least(a.hi, b.hi)};
    case IR_MAX: return (narrow_range){most(a.lo, b.lo), most(a.hi, b.hi)};
    case IR_AND:
    case IR_OR:
    case IR_XOR: return bitwise((ir_op)n->op, a, b);
    default: return shifted(n, a);
    }
}

static narrow_range of_op(const ir_node *n)
{
    narrow_range a;
    switch (n->op) {
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_DIV:
    case IR_FLOORDIV:
    case IR_REM:
    case IR_FLOORMOD:
    case IR_MIN:
    case IR_MAX:
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_SHL:
    case IR_SHR: return of_two(n);
    case IR_NEG: return negated(narrow_range_of(n->kids[0]));
    case IR_ABS:
        a = narrow_range_of(n->kids[0]);
        return is_anything(a) ? anything : a.lo >= 0 ? a : (narrow_range){0, size_of(a)};
    case IR_COND: return joined(narrow_range_of(n->kids[1]), narrow_range_of(n->kids[2]));
    case IR_CONVERT:
        return type_is_int(n->kids[0]->type) || type_is_bool(n->kids[0]->type)
                   ? narrow_range_of(n->kids[0])
                   : anything;
    default: return anything;
    }
}

narrow_range narrow_range_of(const ir_node *n)
{
    if (n->op == IR_CONST) {
        bool past = type_bits(n->type) == 64 && !type_is_signed(n->type) && (int64_t)n->bits < 0;
        return past ? anything : (narrow_range){(int64_t)n->bits, (int64_t)n->bits};
    }
    if (type_is_bool(n->type)) return (narrow_range){0, 1};
    if (n->op == IR_VAR) {
        const narrow_fact *f = n->var->user;
        return f ? f->range : type_range(n->type);
    }
    return wrapped(n->type, of_op(n));
}

bool narrow_fits(const ir_node *n)
{
    return within(narrow_range_of(n), (narrow_range){INT32_MIN, INT32_MAX});
}

bool narrow_depends(const ir_node *n)
{
    const narrow_fact *f = n->op == IR_VAR ? n->var->user : NULL;
    if (f && f->depends) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (narrow_depends(n->kids[i])) return true;
    return false;
}

/* Facts. */

typedef struct finder {
    bool widen, grown;
} finder;

static void grow(finder *s, const cpl_type *t, narrow_fact *f, narrow_range r)
{
    if (within(r, f->range)) return;
    f->range = s->widen ? type_range(t) : joined(f->range, r);
    s->grown = true;
}

static void set(finder *s, bool *flag, bool value)
{
    if (!value || *flag) return;
    *flag = true;
    s->grown = true;
}

/* The values of a loop's variable in its body. */
static narrow_range counted(const ir_node *n)
{
    narrow_range start = narrow_range_of(n->kids[0]), stop = narrow_range_of(n->kids[1]);
    int64_t step;
    if (!ir_is_int_const(n->kids[2], &step) || step == 0 || is_anything(start) || is_anything(stop))
        return anything;
    if (step > 0) return (narrow_range){start.lo, stop.hi > start.hi ? stop.hi - 1 : start.hi};
    return (narrow_range){stop.lo < start.lo ? stop.lo + 1 : start.lo, start.hi};
}

static void note_loop(finder *s, const ir_node *n)
{
    narrow_fact *f = n->loop->var ? n->loop->var->user : NULL;
    for (uint32_t i = 0; i < n->loop->reductions.n; i++) {
        narrow_fact *r = n->loop->reductions.at[i].var->user;
        if (!r) continue;
        r->pinned = true;
        grow(s, n->loop->reductions.at[i].var->type, r, anything);
    }
    if (!f) return;
    f->counter = f->pinned = true;
    set(s, &f->depends, true);
    grow(s, n->loop->var->type, f, wrapped(n->loop->var->type, counted(n)));
}

static bool note(void *user, ir_node *n)
{
    finder *s = user;
    if (n->loop && n->op != IR_FORK) note_loop(s, n);
    narrow_fact *f = n->op == IR_ASSIGN || n->op == IR_ADDR ? n->var->user : NULL;
    if (!f) return true;
    if (n->op == IR_ADDR) {
        f->pinned = true;
        grow(s, n->var->type, f, type_range(n->var->type));
        return true;
    }
    grow(s, n->var->type, f, narrow_range_of(n->kids[0]));
    set(s, &f->depends, narrow_depends(n->kids[0]));
    return true;
}

static void begin(narrow *w, ir_func *f)
{
    for (uint32_t i = 0; i < f->params.n + f->vars.n; i++) {
        bool param = i < f->params.n;
        ir_var *v = param ? f->params.at[i] : f->vars.at[i - f->params.n];
        v->user = NULL;
        if (!type_is_int(v->type)) continue;
        narrow_fact *x = v->user = arena_new(&w->m->comp->arena, narrow_fact);
        x->pinned = param;
        if (param) x->range = type_range(v->type); /* other variables start at zero */
    }
    for (uint32_t i = 0; i < f->vars.n; i++) { /* extents are int64, whatever they come to */
        narrow_fact *x = f->vars.at[i]->extent ? f->vars.at[i]->extent->user : NULL;
        if (x) x->pinned = true;
    }
    if (!w->entry) return;
    const narrow_range size = {0, INT32_MAX}; /* what the fact SMALL says */
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *p = f->params.at[i];
        if (p->role == PARAM_COUNT || p->role == PARAM_SHAPE)
            ((narrow_fact *)p->user)->range = size;
        if (p->extent && p->extent->is_param) ((narrow_fact *)p->extent->user)->range = size;
    }
}

void narrow_facts_find(narrow *w, ir_func *f)
{
    finder s = {.grown = true};
    begin(w, f);
    for (int i = 0; s.grown && i < MOST_ROUNDS; i++) {
        s = (finder){.widen = i >= ROUNDS};
        ir_walk_block(f->body, note, &s);
    }
    if (!s.grown) return;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        narrow_fact *x = f->vars.at[i]->user;
        if (x) x->range = type_range(f->vars.at[i]->type);
    }
}
