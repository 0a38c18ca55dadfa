/* Random statements. Loops are bounded by their form, what several rounds share is only read or
 * changed by atomics of one family. */
#include "gen.h"

#include <string.h>

enum { MOST_DEPTH = 3 };

const family families[6] = {{{OP_ATOMIC_ADD, OP_ATOMIC_SUB}}, {{OP_ATOMIC_MIN, OP_ATOMIC_MIN}},
                            {{OP_ATOMIC_MAX, OP_ATOMIC_MAX}}, {{OP_ATOMIC_AND, OP_ATOMIC_AND}},
                            {{OP_ATOMIC_OR, OP_ATOMIC_OR}},   {{OP_ATOMIC_XOR, OP_ATOMIC_XOR}}};

static node *stmt(gen *g, kind k, int kids)
{
    node *n = node_new(g->p, k, T_VOID, kids);
    n->style = (uint8_t)rng_next(&g->r);
    return n;
}

int new_var(gen *g, var_kind k, ty t)
{
    func *f = g->f;
    if (f->var_count == MOST_VARS) return -1;
    var *v = &f->vars[f->var_count];
    memset(v, 0, sizeof *v);
    v->kind = (uint8_t)k;
    v->type = (uint8_t)t;
    v->array = -1;
    v->round = g->is_kernel && g->in_round && g->p->form == FORM_FUNCTION;
    v->loop = g->round_of;
    return f->var_count++;
}

static bool writable(const gen *g, const var *v)
{
    if (v->fixed || v->reduced || v->closed) return false;
    bool own_scope = !g->is_kernel || g->p->form == FORM_ELEMENTWISE;
    return own_scope || (v->round == g->in_round && (!v->round || v->loop == g->round_of));
}

static int pick_writable(gen *g, var_kind k, int t)
{
    int found = -1, seen = 0;
    for (int i = 0; i < g->f->var_count; i++) {
        const var *v = &g->f->vars[i];
        if (v->kind == k && (t < 0 || v->type == t) && writable(g, v) &&
            below(g, (uint32_t)++seen) == 0)
            found = i;
    }
    return found;
}

static node *assign(gen *g, int v, node *value)
{
    node *n = stmt(g, S_ASSIGN, 1);
    n->a = (int16_t)v;
    n->kid[0] = value;
    return n;
}

static node *store(gen *g, node *place, node *value)
{
    node *n = stmt(g, S_STORE, 2);
    n->kid[0] = place;
    n->kid[1] = value;
    return n;
}

void gen_sink(gen *g, node *block, node *value)
{
    ty t = (ty)value->type;
    uint32_t pick = below(g, 100);
    bool one_round = g->in_round && chance(g, 6);
    int v = pick_writable(g, V_SCALAR, (int)t);
    if (pick < 45) {
        node *place = gen_place(g, t, true);
        if (place) {
            node *s = store(g, place, value);
            if (one_round && place->kind == P_ELEM && place->mode == INDEX_OWN && g->p->n)
                s->c = (int16_t)below(g, (uint32_t)g->p->n);
            node_push(g->p, block, s);
            return;
        }
    }
    if (v < 0 || (pick < 60 && g->f->var_count < 24)) v = new_var(g, V_SCALAR, t);
    if (v >= 0) node_push(g->p, block, assign(g, v, value));
}

/* Atomics. */

static int pick_atomic_place(gen *g)
{
    int found = -1, seen = 0;
    for (int i = 0; g->is_kernel && i < g->p->array_count; i++) {
        const array *a = &g->p->arrays[i];
        bool wide = a->type == T_I32 || a->type == T_I64 || a->type == T_U32 || a->type == T_U64 ||
                    a->type == T_F32 || a->type == T_F64;
        if (a->record >= 0 || !wide || (g->in_round && a->role == ROLE_IN)) continue;
        if (below(g, (uint32_t)++seen) == 0) found = i;
    }
    return found;
}

static int memory_order(gen *g, op o)
{
    static const int loads[] = {0, 1, 4}, stores[] = {0, 2, 4};
    int order = o == OP_ATOMIC_LOAD    ? loads[below(g, 3)]
                : o == OP_ATOMIC_STORE ? stores[below(g, 3)]
                                       : (int)below(g, 5);
    return order + 8 * (int)(1 + below(g, 2)); /* scope: device or system */
}

/* A float that an atomic may meet: whole and small, so that sums are exact and NaN has no part in
 * it. */
static node *atomic_operand(gen *g, ty t, bool exact)
{
    if (!ty_is_float(t) || !exact) return gen_expr(g, t, 2);
    return gen_convert(g, t, gen_expr(g, T_I8, 2));
}

/* On an element of an array, or (at < 0) on a variable of the type. */
static node *atomic_place(gen *g, int at, ty t)
{
    if (at < 0) {
        int v = pick_writable(g, V_SCALAR, (int)t);
        node *place = node_new(g->p, P_VAR, t, 0);
        place->a = (int16_t)(v < 0 ? new_var(g, V_SCALAR, t) : v);
        return place;
    }
    const array *a = &g->p->arrays[at];
    bool own = g->in_round && a->role == ROLE_OUT;
    node *place = node_new(g->p, P_ELEM, t, own ? 0 : 1);
    place->style = (uint8_t)rng_next(&g->r);
    place->a = (int16_t)at;
    place->mode = own ? INDEX_OWN : INDEX_MASK;
    place->b = own && a->map == 3 ? (int16_t)below(g, a->twist) : 0;
    if (!own) place->kid[0] = gen_index(g);
    return place;
}

static node *atomic_on(gen *g, op o, int at, ty t)
{
    bool is_atomic_array = at >= 0 && g->p->arrays[at].role == ROLE_ATOMIC,
         shared = g->in_round && is_atomic_array;
    int kids = o == OP_ATOMIC_LOAD ? 1 : o == OP_ATOMIC_CAS ? 3 : 2;
    node *n = stmt(g, S_ATOMIC, kids);
    n->op = (uint16_t)o;
    n->mode = (uint8_t)memory_order(g, o);
    n->kid[0] = atomic_place(g, at, t);
    for (int i = 1; i < kids; i++)
        n->kid[i] = atomic_operand(g, t, is_atomic_array || o == OP_ATOMIC_CAS);
    if (shared || o == OP_ATOMIC_STORE) return n;
    n->a = (int16_t)(chance(g, 80) ? pick_writable(g, V_SCALAR, (int)t) : -1);
    if (n->a < 0) n->a = (int16_t)new_var(g, V_SCALAR, t);
    return n;
}

static bool any_atomic(gen *g, node *block)
{
    int at = pick_atomic_place(g);
    if (at < 0) return false;
    const array *a = &g->p->arrays[at];
    op o;
    do
        o = a->role == ROLE_ATOMIC && g->in_round ? families[a->family].ops[below(g, 2)]
                                                  : (op)(OP_ATOMIC_LOAD + below(g, 11));
    while (ty_is_float((ty)a->type) && o >= OP_ATOMIC_AND);
    node_push(g->p, block, atomic_on(g, o, at, (ty)a->type));
    return true;
}

/* Control flow. */

static node *block_of(gen *g, int statements)
{
    node *b = stmt(g, S_BLOCK, 0);
    for (int i = 0; i < statements; i++) gen_statement(g, b);
    return b;
}

static node *binary(gen *g, op o, node *a, node *b)
{
    node *n = node_new(g->p, E_OP, (ty)a->type, 2);
    n->op = (uint16_t)o;
    n->kid[0] = a;
    n->kid[1] = b;
    return n;
}

/* Random conditions hold always or never more often than not; those on a counter hold in some
 * rounds. */
static node *condition(gen *g)
{
    static const op tests[] = {OP_EQ, OP_NE, OP_GT, OP_LT};
    bool apart = g->in_round && g->own >= 0 && chance(g, 30); /* neighbouring rounds part */
    if (!apart && (g->counter < 0 || chance(g, 50))) return gen_expr(g, T_BOOL, 2);
    node *n = node_new(g->p, E_OP, T_BOOL, 2);
    n->op = (uint16_t)tests[below(g, COUNT_OF(tests))];
    n->kid[0] = gen_var(g, apart ? g->own : g->counter);
    if (apart && g->counter >= 0 && chance(g, 60))
        n->kid[0] = binary(g, OP_ADD, n->kid[0],
                           gen_convert(g, (ty)n->kid[0]->type, gen_var(g, g->counter)));
    if (apart)
        n->kid[0] =
            binary(g, OP_AND, n->kid[0], gen_int(g, (ty)n->kid[0]->type, chance(g, 50) ? 3 : 7));
    n->kid[1] = gen_int(g, (ty)n->kid[0]->type, below(g, 5));
    return n;
}

static node *fixed_item(gen *g, int v, int row, int column)
{
    const var *m = &g->f->vars[v];
    node *place = node_new(g->p, P_ITEM, (ty)m->type, m->dims[1] ? 2 : 1);
    place->a = (int16_t)v;
    place->kid[0] = gen_int(g, T_I32, row);
    if (m->dims[1]) place->kid[1] = gen_int(g, T_I32, column);
    return place;
}

/* An item of a matrix that some rounds change, and all read behind. */
static void branch_on_item(gen *g, node *block)
{
    int v = pick_writable(g, V_MATRIX, -1), row = (int)below(g, 16), column = (int)below(g, 8);
    if (v < 0) return;
    ty t = (ty)g->f->vars[v].type;
    node *n = stmt(g, S_IF, 2), *load = node_new(g->p, E_LOAD, t, 1);
    n->kid[0] = gen_expr(g, T_BOOL, 2);
    n->kid[1] = block_of(g, (int)below(g, 2));
    node_push(g->p, n->kid[1], store(g, fixed_item(g, v, row, column), gen_expr(g, t, 2)));
    load->kid[0] = fixed_item(g, v, row, column);
    node_push(g->p, block, n);
    gen_sink(g, block, load);
}

static void branch(gen *g, node *block)
{
    if (chance(g, 20)) branch_on_item(g, block);
    bool other = chance(g, 50);
    /* changed on one side, used on the other or behind */
    int v = chance(g, 40) ? pick_writable(g, V_SCALAR, -1) : -1;
    node *n = stmt(g, S_IF, other ? 3 : 2);
    n->kid[0] = condition(g);
    n->kid[1] = block_of(g, (v < 0) + (int)below(g, 3));
    if (v >= 0) node_push(g->p, n->kid[1], assign(g, v, gen_expr(g, (ty)g->f->vars[v].type, 2)));
    if (other) n->kid[2] = block_of(g, (v < 0) + (int)below(g, 2));
    if (other && v >= 0) gen_sink(g, n->kid[2], gen_var(g, v));
    node_push(g->p, block, n);
}

/* On the counter of the loop around: holds in the first rounds, or from one of the first on. */
static node *counted(gen *g, op o, int64_t least)
{
    ty t = (ty)g->f->vars[g->counter].type;
    node *n = binary(g, o, gen_var(g, g->counter), gen_int(g, t, least + below(g, 3)));
    n->type = T_BOOL;
    return n;
}

static bool returns_here(const gen *g)
{
    return !g->is_kernel || !g->in_round || g->p->form == FORM_ELEMENTWISE;
}

static node *return_now(gen *g)
{
    node *n = stmt(g, S_RETURN, g->f->result != T_VOID);
    if (n->kids) n->kid[0] = gen_expr(g, g->f->result, 1);
    return n;
}

/* A return out of several loops, with something in the outer ones that it must skip. */
static void return_from_loops(gen *g, node *block)
{
    node *n = stmt(g, S_IF, 2);
    n->kid[0] = chance(g, 50) ? counted(g, OP_GE, 1) : condition(g);
    n->kid[1] = stmt(g, S_BLOCK, 0);
    node_push(g->p, n->kid[1], return_now(g));
    node_push(g->p, block, n);
}

/* A jump that is only taken sometimes. */
static void jump(gen *g, node *block)
{
    node *n = stmt(g, S_IF, 2);
    n->kid[0] = condition(g);
    n->kid[1] = block_of(g, (int)below(g, 2));
    node *j;
    bool may_return = returns_here(g);
    if (g->depth && chance(g, !may_return ? 75 : g->depth > 1 ? 35 : 60)) {
        j = stmt(g, chance(g, 50) ? S_BREAK : S_CONTINUE, 0);
    } else if (may_return && chance(g, g->depth ? 90 : 50)) {
        j = return_now(g);
    } else {
        return;
    }
    node_push(g->p, n->kid[1], j);
    node_push(g->p, block, n);
}

/* With jumps at the start or in the middle, and a variable that goes from round to round past
 * them. */
static node *loop_body(gen *g)
{
    node *b = block_of(g, (int)below(g, 2));
    bool own = chance(g, 35) && g->f->var_count < 40;
    if (own && chance(g, 60)) {
        node *n = stmt(g, S_IF, 2);
        n->kid[0] = condition(g);
        n->kid[1] = stmt(g, S_BLOCK, 0);
        node_push(g->p, n->kid[1], stmt(g, S_CONTINUE, 0));
        node_push(g->p, b, n);
    } else if (chance(g, 45)) {
        jump(g, b);
    }
    int v = own             ? new_var(g, V_SCALAR, any_type(g))
            : chance(g, 60) ? pick_writable(g, V_SCALAR, -1)
                            : -1;
    if (v >= 0) {
        ty t = (ty)g->f->vars[v].type;
        if (own || chance(g, 40)) { /* seen inside, and perhaps nowhere else */
            node *place = gen_place(g, t, true);
            if (place) node_push(g->p, b, store(g, place, gen_var(g, v)));
        }
        node_push(g->p, b,
                  assign(g, v,
                         binary(g, t == T_BOOL ? OP_XOR : OP_ADD, gen_var(g, v),
                                gen_expr(g, t, 2))));
    }
    gen_statement(g, b);
    if (chance(g, 30)) jump(g, b);
    if (chance(g, 30)) gen_statement(g, b);
    if (own && v >= 0) g->f->vars[v].closed = true;
    return b;
}

static int loop_var(gen *g, ty t)
{
    int v = new_var(g, V_SCALAR, t);
    return v;
}

/* The bounds of a counted loop: start and stop are brought into [0, 8) or near an end of the type
 * by the printers. */
static void counted_loop(gen *g, node *block)
{
    static const int8_t steps[] = {1, 1, 1, 2, 3, -1, -2, 0};
    static const ty whole[] = {T_I32, T_I64, T_I8, T_U8, T_I16, T_U16, T_U32, T_U64};
    ty t = whole[below(g, g->p->python ? 2 : 8)];
    int v = loop_var(g, t);
    if (v < 0) return;
    node *n = stmt(g, S_FOR, 3);
    n->type = (uint8_t)t;
    n->a = (int16_t)v;
    n->bits = steps[below(g, chance(g, 90) ? 7 : 8)];
    if (!ty_is_signed(t) && n->bits < 0) n->bits = -n->bits;
    n->mode = (uint8_t)(chance(g, 8) && t <= T_I64 ? 1 : 0); /* 1: at the end of the type's range */
    n->kid[0] = chance(g, 75) ? gen_int(g, t, 0) : gen_expr(g, t, 1);
    n->kid[1] = chance(g, 65) ? gen_int(g, t, 2 + below(g, 6)) : gen_expr(g, t, 1);
    int16_t outer = g->counter;
    g->counter = n->mode ? -1 : (int16_t)v;
    g->depth++;
    g->rounds *= 8;
    n->kid[2] = loop_body(g);
    g->counter = outer;
    g->depth--;
    g->rounds /= 8;
    node_push(g->p, block, n);
}

/* A variable that begins with a constant before a loop, or -1; count_round makes it something of
 * itself in each round that comes so far. */
static int begin_count(gen *g, node *block)
{
    int v = chance(g, 50) && g->f->var_count < 40 ? new_var(g, V_SCALAR, any_type(g)) : -1;
    if (v < 0) return -1;
    g->f->vars[v].fixed = true;
    node_push(g->p, block, assign(g, v, gen_const(g, (ty)g->f->vars[v].type)));
    return v;
}

static void count_round(gen *g, node *body, int v)
{
    ty t = (ty)g->f->vars[v].type, at = t == T_BOOL ? T_I32 : t;
    node *step = gen_convert(g, at, gen_int(g, T_I8, 1 + below(g, 3)));
    node *next =
        binary(g, chance(g, 60) ? OP_ADD : OP_MUL, gen_convert(g, at, gen_var(g, v)), step);
    node_push(g->p, body, assign(g, v, gen_convert(g, t, next)));
}

static void condition_loop(gen *g, node *block)
{
    int v = loop_var(g, T_I32);
    if (v < 0) return;
    g->f->vars[v].fixed = true;
    node *n = stmt(g, S_WHILE, 2);
    n->a = (int16_t)v;
    n->bits = 1 + below(g, 7);
    int count = begin_count(g, block);
    int16_t outer = g->counter;
    g->counter = (int16_t)v;
    n->kid[0] = chance(g, 60) ? counted(g, chance(g, 50) ? OP_NE : OP_LE, 2) : condition(g);
    g->depth++;
    g->rounds *= 8;
    n->kid[1] = loop_body(g);
    if (count >= 0) count_round(g, n->kid[1], count);
    bool leaves = g->depth > 1 && returns_here(g) && chance(g, 40);
    if (leaves) return_from_loops(g, n->kid[1]);
    g->counter = outer;
    g->depth--;
    g->rounds /= 8;
    node_push(g->p, block, n);
    if (leaves) gen_sink(g, block, gen_expr(g, any_type(g), 1));
    if (count < 0) return;
    gen_sink(g, block, gen_var(g, count));
    g->f->vars[count].fixed = false;
}

/* Calls. */

static node *pointer_argument(gen *g, const var *param)
{
    int found = -1, seen = 0, mode = 0;
    for (int i = 0; i < g->f->var_count; i++) {
        const var *v = &g->f->vars[i];
        bool fits = v->kind == V_MATRIX && v->type == param->type && !v->dims[1] &&
                    v->dims[0] == param->dims[0];
        if (fits && writable(g, v) && below(g, (uint32_t)++seen) == 0) found = i, mode = 1;
    }
    if (found < 0) {
        int v = new_var(g, V_MATRIX, (ty)param->type);
        if (v < 0) return NULL;
        g->f->vars[v].dims[0] = param->dims[0];
        found = v, mode = 1;
    }
    node *n = node_new(g->p, S_POINTER, (ty)param->type, 0);
    n->a = (int16_t)found;
    n->mode = (uint8_t)mode;
    return n;
}

static bool call(gen *g, node *block)
{
    int most = g->is_kernel ? g->p->helper_count : (int)(g->f - g->p->helpers);
    if (most <= 0 || g->rounds > 4000) return false;
    int h = (int)below(g, (uint32_t)most);
    const func *callee = &g->p->helpers[h];
    node *n = stmt(g, S_CALL, callee->param_count);
    n->c = (int16_t)h;
    for (int i = 0; i < callee->param_count; i++) {
        const var *param = &callee->vars[i];
        n->kid[i] =
            param->kind == V_POINTER ? pointer_argument(g, param) : gen_expr(g, (ty)param->type, 2);
        if (!n->kid[i]) return false;
    }
    if (callee->result != T_VOID) {
        int v = pick_writable(g, V_SCALAR, (int)callee->result);
        if (v < 0) v = new_var(g, V_SCALAR, callee->result);
        n->a = (int16_t)v;
    }
    node_push(g->p, block, n);
    return true;
}

/* Structs, matrices and pointers. */

static bool aggregate(gen *g, node *block)
{
    int v = pick_writable(g, chance(g, 50) ? V_MATRIX : V_STRUCT, -1);
    if (v < 0) return false;
    const var *what = &g->f->vars[v];
    if (what->kind == V_MATRIX || chance(g, 25)) {
        /* declare clears, which is printed at the start of a scope only */
        if (g->p->python) return false;
        node *n = stmt(g, S_CLEAR, 0);
        n->a = (int16_t)v;
        node_push(g->p, block, n);
        return true;
    }
    /* the round's own element of an array of structs */
    for (int i = 0; i < g->p->array_count; i++) {
        const array *a = &g->p->arrays[i];
        if (!g->is_kernel || a->record != what->record || chance(g, 50)) continue;
        bool own = g->in_round && a->role == ROLE_OUT;
        node *n = stmt(g, S_COPYOUT, 1), *place = node_new(g->p, P_SELEM, T_VOID, own ? 0 : 1);
        place->a = (int16_t)i;
        place->mode = own ? INDEX_OWN : INDEX_MASK;
        place->b = own && a->map == 3 ? (int16_t)below(g, a->twist) : 0;
        if (!own) place->kid[0] = gen_index(g);
        n->kid[0] = place;
        n->a = (int16_t)v;
        n->mode = (uint8_t)(g->in_round && a->role == ROLE_IN ? 1 : below(g, 2));
        node_push(g->p, block, n);
        return true;
    }
    int from = pick_writable(g, V_STRUCT, -1);
    if (from < 0 || from == v || g->f->vars[from].record != what->record) return false;
    node *n = stmt(g, S_COPY, 0);
    n->a = (int16_t)v;
    n->b = (int16_t)from;
    node_push(g->p, block, n);
    return true;
}

static bool move_pointer(gen *g, node *block)
{
    bool shared = g->in_round && g->p->form == FORM_FUNCTION;
    int v = g->is_kernel && !shared ? pick_writable(g, V_POINTER, -1) : -1;
    if (v < 0 || g->f->vars[v].array < 0) return false;
    node *n = stmt(g, S_SETPTR, 1);
    n->a = (int16_t)v;
    n->kid[0] = gen_index(g);
    node_push(g->p, block, n);
    return true;
}

static bool reduction(gen *g, node *block)
{
    if (!g->in_round) return false;
    int found = -1, seen = 0;
    for (int i = 0; i < g->f->var_count; i++) {
        const var *v = &g->f->vars[i];
        if (v->reduced && v->loop == g->round_of && below(g, (uint32_t)++seen) == 0) found = i;
    }
    if (found < 0) return false;
    const var *v = &g->f->vars[found];
    node *n = stmt(g, S_REDUCE, 1);
    n->a = (int16_t)found;
    n->op = (uint16_t)v->reduce;
    n->kid[0] = atomic_operand(g, (ty)v->type, true);
    node_push(g->p, block, n);
    return true;
}

void gen_statement(gen *g, node *block)
{
    if (g->budget <= 0) return;
    uint32_t pick = below(g, 100);
    bool may_loop = g->depth < MOST_DEPTH && g->rounds < 3000;
    if (pick < 13) {
        branch(g, block);
    } else if (pick < 19 && may_loop) {
        counted_loop(g, block);
    } else if (pick < 23 && may_loop) {
        condition_loop(g, block);
    } else if (pick < 27) {
        jump(g, block);
    } else if (!(pick < 33 && call(g, block)) &&
               !(pick >= 33 && pick < 42 && any_atomic(g, block)) &&
               !(pick >= 42 && pick < 48 && aggregate(g, block)) &&
               !(pick >= 48 && pick < 51 && move_pointer(g, block)) &&
               !(pick >= 51 && pick < 57 && reduction(g, block))) {
        if (pick == 57 && !g->p->python) {
            node *n = stmt(g, S_FENCE, 0);
            n->mode = (uint8_t)(1 + below(g, 4) + 8);
            node_push(g->p, block, n);
        } else if (pick < 60 && !g->p->python) {
            node *n = stmt(g, S_ASSUME, 1);
            n->kid[0] = gen_expr(g, (ty)(T_I8 + below(g, 8)), 1);
            node_push(g->p, block, n);
        } else {
            gen_sink(g, block, gen_expr(g, any_type(g), 2 + (int)below(g, 3)));
        }
    }
}

node *gen_body(gen *g, int statements)
{
    return block_of(g, statements);
}

/* Every op at every type in turn, so that none is left to chance. */
typedef struct sweep_item {
    op op;
    ty type;
} sweep_item;

static size_t sweep_items(sweep_item *items)
{
    static const ty atomic[] = {T_I32, T_I64, T_U32, T_U64, T_F32, T_F64};
    size_t n = 0;
    for (op o = OP_COND; o <= OP_LDEXP; o = o == OP_COND ? OP_CONVERT : (op)(o + 1))
        for (ty t = T_BOOL; t < T_COUNT; t++)
            for (int k = 0; k < (op_in_python(o, t) ? 1 : 2) && op_admits(o, t); k++)
                items[n++] = (sweep_item){o, t};
    for (op o = OP_ATOMIC_LOAD; o <= OP_ATOMIC_XOR; o++)
        for (size_t i = 0; i < (o >= OP_ATOMIC_AND ? 4 : COUNT_OF(atomic)); i++)
            items[n++] = (sweep_item){o, atomic[i]};
    for (ty t = T_BOOL; t < T_COUNT; t++) items[n++] = (sweep_item){OP_CLEAR, t};
    return n;
}

void gen_sweep(gen *g, node *block, uint64_t number)
{
    sweep_item items[2 * OP_COUNT * T_COUNT];
    size_t n = sweep_items(items);
    sweep_item item = items[number % n];
    if (item.op == OP_CLEAR) {
        int v = g->p->python ? -1 : new_var(g, V_MATRIX, item.type);
        if (v < 0) return;
        g->f->vars[v].dims[0] = 2;
        node *place = node_new(g->p, P_ITEM, item.type, 1), *clear = stmt(g, S_CLEAR, 0),
             *load = node_new(g->p, E_LOAD, item.type, 1);
        place->a = clear->a = (int16_t)v;
        place->kid[0] = gen_int(g, T_I32, 1);
        node_push(g->p, block, store(g, place, gen_leaf(g, item.type)));
        if (chance(g, 50)) node_push(g->p, block, clear);
        load->kid[0] = node_new(g->p, P_ITEM, item.type, 1);
        load->kid[0]->a = (int16_t)v;
        load->kid[0]->kid[0] = gen_index(g);
        gen_sink(g, block, load);
        node_push(g->p, block, clear);
    } else if (item.op >= OP_ATOMIC_LOAD) {
        int at = -1;
        for (int i = 0; g->is_kernel && i < g->p->array_count; i++) {
            const array *a = &g->p->arrays[i];
            if (a->record < 0 && a->type == item.type && !(g->in_round && a->role != ROLE_OUT))
                at = i;
        }
        node_push(g->p, block, atomic_on(g, item.op, at, item.type));
    } else {
        node *value = gen_op(g, item.op, item.type, 1 + (int)below(g, 2));
        if (value) gen_sink(g, block, value);
    }
}
