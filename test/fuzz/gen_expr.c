/* Random expressions. Whatever could be undefined is made harmless by the printers, so that
 * reducing a program keeps it well defined. */
#include "gen.h"

#include <math.h>

bool chance(gen *g, uint32_t percent)
{
    return rng_chance(&g->r, percent);
}

uint32_t below(gen *g, uint32_t n)
{
    return rng_below(&g->r, n);
}

ty any_type(gen *g)
{
    return (ty)(T_BOOL + below(g, T_COUNT - 1));
}

static node *expr(gen *g, kind k, ty t, int kids)
{
    node *n = node_new(g->p, k, t, kids);
    n->style = (uint8_t)rng_next(&g->r);
    g->budget--;
    return n;
}

node *gen_int(gen *g, ty t, int64_t value)
{
    node *n = expr(g, E_CONST, t, 0);
    n->bits = (int64_t)wrap_bits(t, (uint64_t)value);
    return n;
}

static int64_t some_integer(gen *g, ty t)
{
    uint64_t top = UINT64_C(1) << (ty_bits(t) - 1);
    switch (below(g, 10)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return -1;
    case 3: return (int64_t)top;
    case 4: return (int64_t)(top - 1);
    case 5: return (int64_t)(UINT64_C(1) << below(g, ty_bits(t)));
    case 6: return (int64_t)rng_next(&g->r);
    default: return (int64_t)below(g, 24) - 8;
    }
}

/* Beside the ends of integer types. */
static double near_end(gen *g)
{
    static const int ends[] = {7, 8, 15, 16, 31, 32, 63, 64};
    double end = ldexp(1, ends[below(g, COUNT_OF(ends))]);
    double away[] = {0, 0.5, 1, ldexp(end, -23), ldexp(end, -52)};
    end += (chance(g, 50) ? 1 : -1) * away[below(g, COUNT_OF(away))];
    return chance(g, 50) ? end : -end;
}

static double some_float(gen *g, ty t)
{
    static const double special[] = {0.0, -0.0, 1.0,   -1.0,   0.5,     2.0,  3.0,   1.5,  -2.5,
                                     0.1, 10.0, 255.5, -128.9, 65504.0, 6e-8, 1e-40, 1e300};
    switch (below(g, 10)) {
    case 5: return near_end(g);
    /* near a tie of float16 */
    case 4:
        return (chance(g, 50) ? 1 : -1) *
               (1 + ldexp(1 + 2 * (double)below(g, 1000), -11) + (chance(g, 50) ? 1e-9 : -1e-9));
    case 0: return chance(g, 50) ? INFINITY : -INFINITY;
    case 1: return NAN;
    case 2:
    case 3: return (double)((int64_t)rng_next(&g->r) >> (40 + below(g, 24))) / 64;
    default:
        return special[below(g, COUNT_OF(special))] * (t == T_F16 && chance(g, 20) ? 0.001 : 1);
    }
}

node *gen_const(gen *g, ty t)
{
    node *n = expr(g, E_CONST, t, 0);
    if (ty_is_float(t)) n->number = round_float(t, some_float(g, t));
    else
        n->bits = t == T_BOOL ? chance(g, 50) : (int64_t)wrap_bits(t, (uint64_t)some_integer(g, t));
    return n;
}

node *gen_var(gen *g, int v)
{
    node *n = expr(g, E_VAR, (ty)g->f->vars[v].type, 0);
    n->a = (int16_t)v;
    return n;
}

node *gen_convert(gen *g, ty t, node *value)
{
    if (value->type == t) return value;
    node *n = expr(g, E_CONVERT, t, 1);
    n->kid[0] = value;
    return n;
}

/* Whether an expression at this place may read the variable. */
static bool readable(const gen *g, const var *v)
{
    if (v->closed) return false;
    if (v->reduced) return !g->in_round && g->is_kernel;
    if (!v->round) return true;
    return g->in_round && v->loop == g->round_of;
}

static int pick_var(gen *g, var_kind k, int t)
{
    int found = -1, seen = 0;
    for (int i = 0; i < g->f->var_count; i++) {
        const var *v = &g->f->vars[i];
        if (v->kind != k || (t >= 0 && v->type != t) || !readable(g, v)) continue;
        if (below(g, (uint32_t)++seen) == 0) found = i;
    }
    return found;
}

/* An integer expression of any value, which the printer brings into range. */
node *gen_index(gen *g)
{
    static const ty plain[] = {T_I64, T_I32, T_I64, T_U32, T_I16, T_U8, T_U64, T_I8, T_U16};
    ty t = plain[below(g, g->p->python ? 3 : COUNT_OF(plain))];
    if (g->own >= 0 && g->in_round && chance(g, 40)) {
        node *i = gen_convert(g, t == T_I8 || t == T_U8 ? T_I64 : t, gen_var(g, g->own));
        return i;
    }
    return g->budget > 0 && chance(g, 40) ? gen_expr(g, t, 1) : gen_leaf(g, t);
}

static bool array_allows(const gen *g, const array *a, bool write)
{
    if (!g->is_kernel) return false;
    if (a->role == ROLE_ATOMIC) return !write && !g->in_round;
    return !(write && a->role == ROLE_IN && g->in_round);
}

static node *array_place(gen *g, int at, ty t)
{
    const array *a = &g->p->arrays[at];
    const record *rec = a->record >= 0 ? &g->p->records[a->record] : NULL;
    bool own = g->in_round && a->role == ROLE_OUT;
    int field = -1, seen = 0;
    for (int i = 0; rec && i < rec->field_count; i++)
        if (rec->type[i] == t && below(g, (uint32_t)++seen) == 0) field = i;
    if (rec && field < 0) return NULL;
    bool part = rec && rec->length[field];
    node *n = expr(g, rec ? P_SELEM : P_ELEM, t, !own + part);
    n->a = (int16_t)at;
    n->c = (int16_t)field;
    n->mode = own ? INDEX_OWN : INDEX_MASK;
    n->b = own && a->map == 3 ? (int16_t)below(g, a->twist) : 0;
    if (!own) n->kid[0] = gen_index(g);
    if (part) n->kid[!own] = gen_index(g);
    return n;
}

static node *local_place(gen *g, ty t, bool write)
{
    int v = pick_var(g, V_MATRIX, (int)t);
    if (v >= 0 &&
        (!write || g->f->vars[v].round == g->in_round || !g->is_kernel ||
         g->p->form == FORM_ELEMENTWISE) &&
        chance(g, 60)) {
        node *n = expr(g, P_ITEM, t, g->f->vars[v].dims[1] ? 2 : 1);
        n->a = (int16_t)v;
        for (int i = 0; i < n->kids; i++) n->kid[i] = gen_index(g);
        return n;
    }
    v = pick_var(g, V_STRUCT, -1);
    if (v >= 0 && (!write || g->f->vars[v].round == g->in_round || !g->is_kernel ||
                   g->p->form == FORM_ELEMENTWISE)) {
        const record *rec = &g->p->records[g->f->vars[v].record];
        int field = -1, seen = 0;
        for (int i = 0; i < rec->field_count; i++)
            if (rec->type[i] == t && below(g, (uint32_t)++seen) == 0) field = i;
        if (field < 0) return NULL;
        node *n = expr(g, P_FIELD, t, rec->length[field] ? 1 : 0);
        n->a = (int16_t)v;
        n->c = (int16_t)field;
        if (n->kids) n->kid[0] = gen_index(g);
        return n;
    }
    return NULL;
}

static bool pointer_allows(const gen *g, const var *v, bool write)
{
    if (v->type == T_VOID) return false;
    if (v->array < 0) return true; /* a helper's parameter, to a matrix of the caller */
    return array_allows(g, &g->p->arrays[v->array], write) &&
           !(g->in_round && g->p->arrays[v->array].role != ROLE_IN);
}

node *gen_place(gen *g, ty t, bool write)
{
    node *n = NULL;
    if (chance(g, 35)) n = local_place(g, t, write);
    if (n) return n;
    int v = pick_var(g, V_POINTER, (int)t);
    if (v >= 0 && pointer_allows(g, &g->f->vars[v], write) && (!g->is_kernel || chance(g, 30))) {
        n = expr(g, P_PTR, t, 1);
        n->a = (int16_t)v;
        n->kid[0] = gen_index(g);
        return n;
    }
    int found = -1, seen = 0;
    for (int i = 0; i < g->p->array_count; i++) {
        const array *a = &g->p->arrays[i];
        if (!array_allows(g, a, write) || (a->record < 0 && a->type != t)) continue;
        if (below(g, (uint32_t)++seen) == 0) found = i;
    }
    if (found >= 0) n = array_place(g, found, t);
    return n ? n : local_place(g, t, write);
}

node *gen_leaf(gen *g, ty t)
{
    int v = chance(g, 50) ? pick_var(g, V_SCALAR, (int)t) : -1;
    if (v >= 0) return gen_var(g, v);
    if (g->budget > 0 && chance(g, 60)) {
        node *place = gen_place(g, t, false);
        if (place) {
            node *n = expr(g, E_LOAD, t, 1);
            n->kid[0] = place;
            return n;
        }
    }
    if (g->budget > 0 && chance(g, 40)) {
        v = pick_var(g, V_SCALAR, -1);
        if (v >= 0) return gen_convert(g, t, gen_var(g, v));
    }
    return gen_const(g, t);
}

bool op_in_python(op o, ty t)
{
    switch (o) {
    case OP_RAWDIV:
    case OP_RAWREM:
    case OP_RAWSHL:
    case OP_RAWSHR:
    case OP_RAWCONVERT:
    case OP_BITS: return false;
    case OP_ROUND: return false; /* its round is OP_RINT */
    case OP_REM: return ty_is_float(t);
    default: return true;
    }
}

/* One operand is unsigned, and the join makes a signed number of it. */
static void mix_signs(gen *g, node *n, ty t, int depth)
{
    if (!g->p->python || n->kids != 2 || (t != T_I32 && t != T_I64) || !chance(g, 20)) return;
    bool second = chance(g, 50);
    ty wanted = t == T_I32 ? T_U32 : T_U64;
    node *kid = gen_expr(g, wanted, depth - 1), *other = n->kid[!second];
    if (kid->kind == E_CONST) kid = gen_convert(g, wanted, gen_var(g, 0));
    n->kid[second] = gen_convert(g, t, kid);
    if (other->kind == E_CONVERT) other->style &= (uint8_t)~1u;
    n->kid[second]->style |= 1;
}

node *gen_op(gen *g, op o, ty t, int depth)
{
    if (g->p->python && !op_in_python(o, t)) return NULL;
    if (o == OP_CONVERT || o == OP_BITS || o == OP_RAWCONVERT) {
        ty to = o == OP_CONVERT && ty_is_float(t) && chance(g, 40) ? (ty)(T_F16 + below(g, 3))
                                                                   : any_type(g);
        if (o == OP_RAWCONVERT)
            while (!ty_is_int(to)) to = any_type(g);
        if (o == OP_BITS) /* another of the same size */
            do to = any_type(g);
            while (ty_size(to) != ty_size(t) || to == T_BOOL);
        kind k = o == OP_CONVERT ? E_CONVERT : o == OP_BITS ? E_BITS : E_RAWCONVERT;
        node *n = expr(g, k, to, 1);
        if (o == OP_RAWCONVERT) {
            double most = ldexp(1, (int)ty_bits(to) - 8);
            if (t == T_F16 && most > 256) most = 256;
            n->a = (int16_t)t;
            n->number = round_float(t, most * (1 + below(g, 64)) / 65);
            t = ty_is_signed(to) ? T_I8 : T_U8;
        }
        n->kid[0] = gen_expr(g, t, chance(g, 50) ? 0 : depth - 1);
        return n;
    }
    if (o == OP_COND) {
        node *n = expr(g, E_COND, t, 3);
        n->kid[0] = gen_expr(g, T_BOOL, depth - 1);
        n->kid[1] = gen_expr(g, t, depth - 1);
        n->kid[2] = gen_expr(g, t, depth - 1);
        return n;
    }
    const char *operands = op_rows[o].operands;
    int kids = operands[1] == 0 ? 1 : operands[2] == 0 ? 2 : 3;
    bool test = o >= OP_EQ && o <= OP_ISFINITE;
    node *n = expr(g, E_OP, test ? T_BOOL : t, kids);
    n->op = (uint16_t)o;
    for (int i = 0; i < kids; i++) {
        ty kid = t;
        if (operands[i] == 'x') {
            static const ty whole[] = {T_I32, T_I64, T_I8, T_U8, T_I16, T_U32, T_U64, T_U16};
            kid = whole[below(g, g->p->python ? 2 : 8)];
        }
        n->kid[i] = gen_expr(g, kid, depth - 1);
        /* x**2 with a literal may become a product, which pow is not */
        if (o == OP_POW && i == 1 && g->p->python)
            n->kid[i] = pick_var(g, V_SCALAR, (int)kid) >= 0
                            ? gen_var(g, pick_var(g, V_SCALAR, (int)kid))
                            : gen_convert(g, kid, gen_var(g, 0));
    }
    bool plain = operands[0] != 'x' && operands[1] != 'x';
    if (plain && o != OP_SHL && o != OP_SHR) mix_signs(g, n, t, depth);
    return n;
}

static op arithmetic(gen *g, ty t)
{
    static const op whole[] = {OP_ADD,      OP_SUB,      OP_MUL,    OP_NEG,    OP_DIV, OP_REM,
                               OP_FLOORDIV, OP_FLOORMOD, OP_RAWDIV, OP_RAWREM, OP_MIN, OP_MAX,
                               OP_ABS,      OP_AND,      OP_OR,     OP_XOR,    OP_NOT, OP_SHL,
                               OP_SHR,      OP_RAWSHL,   OP_RAWSHR};
    static const op real[] = {OP_ADD,      OP_SUB,      OP_MUL,  OP_DIV,   OP_ADD,
                              OP_SUB,      OP_MUL,      OP_NEG,  OP_REM,   OP_FLOORDIV,
                              OP_FLOORMOD, OP_MIN,      OP_MAX,  OP_ABS,   OP_FMA,
                              OP_SQRT,     OP_FLOOR,    OP_CEIL, OP_TRUNC, OP_ROUND,
                              OP_RINT,     OP_COPYSIGN, OP_FDIM, OP_LDEXP, OP_REMAINDER,
                              OP_NEXTAFTER};
    static const op logic[] = {OP_AND, OP_OR, OP_XOR, OP_NOT};
    if (t == T_BOOL) return logic[below(g, COUNT_OF(logic))];
    if (!ty_is_float(t)) return whole[below(g, COUNT_OF(whole))];
    op o = real[below(g, COUNT_OF(real))];
    return o == OP_ROUND && g->p->python ? OP_RINT : o; /* Python's round is that */
}

node *gen_expr(gen *g, ty t, int depth)
{
    if (depth <= 0 || g->budget <= 0) return gen_leaf(g, t);
    node *n = NULL;
    uint32_t pick = below(g, 100);
    if (pick < 12) return gen_leaf(g, t);
    if (t == T_BOOL && pick < 62) {
        op o = (op)(OP_EQ + below(g, 6));
        return gen_op(g, o, any_type(g), depth);
    }
    if (t == T_BOOL && pick < 70)
        return gen_op(g, (op)(OP_ISNAN + below(g, 3)), (ty)(T_F16 + below(g, 3)), depth);
    if (pick < 24) {
        n = expr(g, E_CONVERT, t, 1);
        n->kid[0] = gen_expr(g, any_type(g), depth - 1);
        return n;
    }
    if (pick < 32) return gen_op(g, OP_COND, t, depth);
    if (ty_is_float(t) && pick < 38 && !g->no_math)
        n = gen_op(g, (op)(OP_SIN + below(g, OP_HYPOT + 1 - OP_SIN)), t, depth);
    return n ? n
           : (n = gen_op(g, arithmetic(g, t), t, depth))
               ? n
               : gen_op(g, OP_ADD, t == T_BOOL ? T_I32 : t, depth);
}
