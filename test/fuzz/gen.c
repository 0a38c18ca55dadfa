/* Random programs: records, arrays, helpers and the kernel. The same seed gives the same program
 * everywhere. */
#include "gen.h"

#include <string.h>

enum { SLOTS = 16, SWEEP = 9, SWEEP_SMALL = 3 };

/* Of what a program has up to n of, a small one has a third. */
static uint32_t few(const gen *g, uint32_t n)
{
    return g->small ? (n + 2) / 3 : n;
}

static uint64_t sweeps(const gen *g)
{
    return g->small ? SWEEP_SMALL : SWEEP;
}

static int32_t power_of_two(int64_t least)
{
    int32_t p = 2;
    while (p < least) p *= 2;
    return p;
}

static void make_records(gen *g)
{
    g->p->record_count = chance(g, 35) ? 1 + (int)below(g, MOST_RECORDS) : 0;
    for (int i = 0; i < g->p->record_count; i++) {
        record *r = &g->p->records[i];
        r->field_count = 1 + (int)below(g, MOST_FIELDS);
        for (int k = 0; k < r->field_count; k++) {
            r->type[k] = (uint8_t)any_type(g);
            r->length[k] = chance(g, 30) ? (uint8_t)(2 << below(g, 2)) : 0;
        }
    }
}

static array *new_array(gen *g, ty t, role r)
{
    prog *p = g->p;
    if (p->array_count == MOST_ARRAYS) return NULL;
    array *a = &p->arrays[p->array_count++];
    int64_t n = p->n ? p->n : 1;
    *a = (array){.type = (uint8_t)t,
                 .role = (uint8_t)r,
                 .record = -1,
                 .length = power_of_two(n),
                 .id = (uint8_t)(p->array_count - 1)};
    if (chance(g, 30) && a->length < 256) a->length *= 2;
    a->map = (uint8_t)below(g, 4);
    a->twist = a->map == 2 ? below(g, (uint32_t)a->length) : 2;
    if (a->map == 3) a->length = 2 * power_of_two(n);
    a->family = (uint8_t)below(g, ty_is_float(t) ? 3 : 6);
    a->attribute =
        (uint8_t)(chance(g, 40) ? (r == ROLE_IN && p->form == FORM_ELEMENTWISE ? 2 : 1) : 0);
    return a;
}

static void make_arrays(gen *g)
{
    static const ty atomic[] = {T_I32, T_I64, T_U32, T_U64, T_F32, T_F64};
    prog *p = g->p;
    ty dumps[] = {chance(g, 50) ? T_I64 : T_U64, T_F64};
    for (int i = 0; i < 2; i++) { /* arrays 0 and 1: what a scope leaves in its variables */
        array *a = new_array(g, dumps[i], ROLE_OUT);
        a->map = 3;
        a->twist = SLOTS;
        a->length = SLOTS * power_of_two(p->n);
        a->attribute = 0;
    }
    int more = 2 + (int)below(g, few(g, MOST_ARRAYS - 4));
    for (int i = 0; i < more; i++) {
        if (p->record_count && chance(g, 25)) {
            array *a = new_array(g, T_VOID, chance(g, 50) ? ROLE_IN : ROLE_OUT);
            a->record = (int8_t)below(g, (uint32_t)p->record_count);
        } else if (chance(g, 25)) {
            new_array(g, atomic[below(g, 6)], ROLE_ATOMIC);
        } else {
            new_array(g, any_type(g), chance(g, 50) ? ROLE_IN : ROLE_OUT);
        }
    }
}

static void some_variables(gen *g, bool pointers)
{
    int count = 1 + (int)below(g, 4);
    for (int i = 0; i < count; i++) new_var(g, V_SCALAR, any_type(g));
    if (chance(g, 40)) {
        int v = new_var(g, V_MATRIX, any_type(g));
        g->f->vars[v].dims[0] = (int16_t)(2 << below(g, 3));
        if (chance(g, 35)) g->f->vars[v].dims[1] = (int16_t)(2 << below(g, 2));
    }
    if (g->p->record_count && chance(g, 60)) {
        int v = new_var(g, V_STRUCT, T_VOID);
        g->f->vars[v].record = (int16_t)below(g, (uint32_t)g->p->record_count);
    }
    if (pointers && chance(g, 25)) {
        int at = (int)below(g, (uint32_t)g->p->array_count);
        const array *a = &g->p->arrays[at];
        if (a->record >= 0 || a->role != ROLE_IN) return;
        int v = new_var(g, V_POINTER, (ty)a->type);
        g->f->vars[v].array = (int16_t)at;
    }
}

/* Stores what a scope has in its variables, each to a place of its own; not all of them, for a read
 * at the end hides what is only read before. */
static void dump(gen *g, node *block, int first)
{
    for (int i = first; i < g->f->var_count; i++) {
        const var *v = &g->f->vars[i];
        if ((v->kind != V_SCALAR && v->kind != V_MATRIX) || v->reduced || v->closed) continue;
        if (v->round && !(g->in_round && v->loop == g->round_of)) continue;
        if (!v->round && g->in_round && g->p->form == FORM_FUNCTION) continue;
        bool real = ty_is_float((ty)v->type);
        int *slot = real ? &g->slots_float : &g->slots_int;
        if (*slot == SLOTS || chance(g, 35)) continue;
        node *value;
        if (v->kind == V_SCALAR) {
            value = gen_var(g, i);
        } else {
            node *place = node_new(g->p, P_ITEM, (ty)v->type, v->dims[1] ? 2 : 1);
            place->a = (int16_t)i;
            for (int k = 0; k < place->kids; k++) place->kid[k] = gen_index(g);
            value = node_new(g->p, E_LOAD, (ty)v->type, 1);
            value->kid[0] = place;
        }
        node *place = node_new(g->p, P_ELEM, (ty)g->p->arrays[real].type, g->in_round ? 0 : 1);
        place->a = real;
        place->mode = g->in_round ? INDEX_OWN : INDEX_MASK;
        place->b = (int16_t)*slot;
        if (!g->in_round) place->kid[0] = gen_int(g, T_I64, *slot);
        node *s = node_new(g->p, S_STORE, T_VOID, 2);
        s->kid[0] = place;
        s->kid[1] = gen_convert(g, (ty)place->type, value);
        node_push(g->p, block, s);
        ++*slot;
    }
}

static void make_helper(gen *g, int h)
{
    static const int16_t lengths[] = {2, 4, 8};
    func *f = &g->p->helpers[h];
    gen hg = *g;
    hg.f = f;
    hg.is_kernel = hg.in_round = false;
    hg.own = hg.counter = -1;
    hg.rounds = 64;
    hg.depth = 1; /* loops of a helper lie in loops of its callers */
    hg.budget = (g->small ? 5 : 10) + (int)below(g, few(g, 25));
    f->result = chance(g, 85) ? any_type(g) : T_VOID;
    int params = 1 + (int)below(g, 3);
    for (int i = 0; i < params; i++) new_var(&hg, V_SCALAR, any_type(g));
    if (f->result == T_VOID || chance(g, 25)) {
        int v = new_var(&hg, V_POINTER, any_type(g));
        f->vars[v].dims[0] = lengths[below(g, 3)];
        f->vars[v].fixed = true;
    }
    f->param_count = f->var_count;
    for (int i = 0; i < f->param_count; i++) f->vars[i].param = true;
    some_variables(&hg, false);
    hg.depth = 0;
    f->body = gen_body(&hg, 1 + (int)below(g, few(g, 4)));
    if (f->result != T_VOID) {
        node *r = node_new(g->p, S_RETURN, T_VOID, 1);
        r->kid[0] = gen_expr(&hg, f->result, 2);
        node_push(g->p, f->body, r);
    }
    g->r = hg.r;
}

static void parallel_loop(gen *g, node *block, uint8_t number, uint64_t seed)
{
    static const int8_t steps[] = {1, 1, 1, 2, -1};
    func *f = g->f;
    g->in_round = true;
    g->round_of = number;
    int first = f->var_count;
    int own = new_var(g, V_SCALAR, chance(g, 75) ? T_I64 : T_I32);
    f->vars[own].fixed = true;
    g->own = (int16_t)own;
    int reductions = chance(g, 60) ? 1 + (int)below(g, 2) : 0;
    static const op ops[] = {OP_ADD, OP_MUL, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR};
    static const ty usual[] = {T_I32, T_I64, T_U32, T_U64};
    for (int i = 0; i < reductions; i++) {
        ty t = g->p->python    ? usual[below(g, 4)]
               : chance(g, 20) ? (ty)(T_F32 + below(g, 2))
                               : (ty)(T_I8 + below(g, 8));
        int v = new_var(g, V_SCALAR, t);
        f->vars[v].round = false;
        f->vars[v].reduced = true;
        f->vars[v].reduce = ty_is_float(t) ? (chance(g, 50) ? OP_ADD : (op)(OP_MIN + below(g, 2)))
                                           : ops[below(g, COUNT_OF(ops))];
    }
    some_variables(g, false);
    for (int i = 0; i < reductions; i++) { /* a neutral element would hide what is lost */
        ty t = (ty)f->vars[own + 1 + i].type;
        node *s = node_new(g->p, S_ASSIGN, T_VOID, 1);
        s->a = (int16_t)(own + 1 + i);
        s->kid[0] = gen_convert(g, t, gen_int(g, T_I8, 1 + below(g, 100)));
        node_push(g->p, block, s);
    }
    node *n = node_new(g->p, S_PAR, T_VOID, 1);
    n->a = (int16_t)own;
    n->bits = steps[below(g, COUNT_OF(steps))];
    n->mode = (uint8_t)below(g, 3);
    n->b = (int16_t)(chance(g, 60) ? 0 : 1 + below(g, 16));
    n->c = (int16_t)(chance(g, 80) ? 0 : 1 + below(g, 3));
    g->rounds = g->p->n + 1;
    node *body = gen_body(g, 1 + (int)below(g, few(g, 5)));
    for (uint64_t i = 0; i < sweeps(g) / 2; i++) gen_sweep(g, body, seed * sweeps(g) + i);
    for (int i = 0; i < reductions; i++) {
        node *r = node_new(g->p, S_REDUCE, T_VOID, 1);
        r->a = (int16_t)(own + 1 + i);
        r->op = (uint16_t)f->vars[r->a].reduce;
        r->kid[0] = ty_is_float((ty)f->vars[r->a].type)
                        ? gen_convert(g, (ty)f->vars[r->a].type, gen_expr(g, T_I8, 2))
                        : gen_expr(g, (ty)f->vars[r->a].type, 2);
        node_push(g->p, body, r);
    }
    dump(g, body, first);
    n->kid[0] = body;
    node_push(g->p, block, n);
    g->in_round = false;
    g->round_of = 0;
    g->own = -1;
    g->rounds = 1;
    for (int i = 0; i < reductions; i++) gen_sink(g, block, gen_var(g, own + 1 + i));
}

static void kernel_function(gen *g, uint64_t seed)
{
    node *body = gen_body(g, 1 + (int)below(g, few(g, 4)));
    int loops = (int)below(g, g->small ? 2 : 3), first = g->f->param_count;
    for (uint64_t i = 0; i < sweeps(g) / 2; i++)
        gen_sweep(g, body, seed * sweeps(g) + sweeps(g) / 2 + i);
    for (int i = 0; i < loops; i++) {
        g->budget += g->small ? 15 : 50;
        g->slots_int = g->slots_float = 0;
        parallel_loop(g, body, (uint8_t)(i + 1), seed + (uint64_t)i * 977);
        if (chance(g, 60)) gen_statement(g, body);
    }
    g->slots_int = g->slots_float = 0;
    if (!loops) dump(g, body, first);
    if (g->f->result != T_VOID) {
        node *r = node_new(g->p, S_RETURN, T_VOID, 1);
        r->kid[0] = gen_expr(g, g->f->result, 2);
        node_push(g->p, body, r);
    }
    g->f->body = body;
}

static void kernel_elementwise(gen *g, uint64_t seed)
{
    g->in_round = true;
    g->own = 0;
    g->rounds = g->p->n + 1;
    node *body = gen_body(g, (g->small ? 1 : 2) + (int)below(g, few(g, 5)));
    for (uint64_t i = 0; i < sweeps(g); i++) gen_sweep(g, body, seed * sweeps(g) + i);
    dump(g, body, g->f->param_count);
    g->f->body = body;
}

static void make_kernel(gen *g)
{
    prog *p = g->p;
    g->f = &p->kernel;
    g->is_kernel = true;
    g->own = -1;
    g->rounds = 1;
    g->budget = g->small ? 10 + (int)below(g, 30) : 30 + (int)below(g, 90);
    if (p->form == FORM_FUNCTION && chance(g, 50)) p->kernel.result = any_type(g);
    /* results join, which float16 does not stay in */
    if (p->python && p->kernel.result == T_F16) p->kernel.result = T_F32;
    new_var(g, V_SCALAR, T_I64);
    int scalars = (int)below(g, 3);
    for (int i = 0; i < scalars; i++) new_var(g, V_SCALAR, any_type(g));
    p->kernel.param_count = p->kernel.var_count;
    for (int i = 0; i < p->kernel.param_count; i++) p->kernel.vars[i].param = true;
    p->kernel.vars[0].fixed = true;
    some_variables(g, true);
    if (p->form == FORM_ELEMENTWISE) kernel_elementwise(g, p->seed);
    else kernel_function(g, p->seed);
}

/* Functions of libm alone on plain values: what fast mode may compute otherwise, within ULPs. */
static void make_math(gen *g)
{
    prog *p = g->p;
    g->f = &p->kernel;
    g->is_kernel = g->in_round = true;
    new_var(g, V_SCALAR, T_I64);
    p->kernel.vars[0].param = p->kernel.vars[0].fixed = true;
    p->kernel.param_count = 1;
    p->kernel.body = node_new(p, S_BLOCK, T_VOID, 0);
    for (int i = 0; i < 4; i++) {
        op o;
        do o = (op)(OP_SIN + below(g, OP_HYPOT + 1 - OP_SIN));
        while (!op_is_math(o));
        ty t = chance(g, 45) ? T_F32 : chance(g, 80) ? T_F64 : T_F16;
        int kids = op_rows[o].operands[1] ? 2 : 1, first = p->array_count;
        if (first + kids + 1 > MOST_ARRAYS) break;
        node *value = node_new(p, E_OP, t, kids), *s = node_new(p, S_STORE, T_VOID, 2);
        value->op = (uint16_t)o;
        for (int k = 0; k <= kids; k++) {
            array *a = new_array(g, t, k < kids ? ROLE_IN : ROLE_OUT);
            a->map = 0;
            node *place = node_new(p, P_ELEM, t, k < kids ? 1 : 0),
                 *load = node_new(p, E_LOAD, t, 1);
            place->a = (int16_t)(first + k);
            place->mode = k < kids ? INDEX_MASK : INDEX_OWN;
            if (k < kids) place->kid[0] = gen_var(g, 0);
            load->kid[0] = place;
            if (k < kids) value->kid[k] = load;
            else s->kid[0] = place;
        }
        s->kid[1] = value;
        node_push(p, p->kernel.body, s);
    }
}

static void note(void *user, node *n)
{
    prog *p = user;
    bool real = n->kind <= P_PTR && n->type >= T_F16 && n->type < T_COUNT;
    /* fast-math flags stand on a select too */
    p->has_floats |= real && (n->kind == E_OP || n->kind == E_COND);
    p->has_floats |= n->kind == S_ATOMIC && ty_is_float((ty)n->kid[0]->type);
    p->has_floats |= n->kind == S_REDUCE && ty_is_float((ty)n->kid[0]->type);
    if (n->kind == E_OP && n->kids && ty_is_float((ty)n->kid[0]->type)) p->has_floats = true;
    if (n->kind == E_CONVERT && n->kids) p->has_floats |= real || ty_is_float((ty)n->kid[0]->type);
    p->has_floats |= n->kind == E_RAWCONVERT;
    p->has_math |= n->kind == E_OP && op_is_math((op)n->op);
}

/* Expressions and statements run at most, roughly. */
static double cost(const prog *p, const node *n)
{
    double sum = 1;
    for (int i = 0; i < n->kids; i++) sum += cost(p, n->kid[i]);
    if (n->kind == S_FOR || n->kind == S_WHILE) sum *= 8;
    if (n->kind == S_PAR) sum *= (double)p->n;
    if (n->kind == S_CALL) sum += cost(p, p->helpers[n->c].body);
    return sum;
}

static prog *make(uint64_t seed, uint64_t attempt, bool small)
{
    prog *p = prog_new();
    gen g = {.r = rng_seeded(seed + attempt * UINT64_C(0x9e3779b97f4a7c15)),
             .p = p,
             .counter = -1,
             .small = small};
    p->seed = seed;
    p->form = chance(&g, 60) ? FORM_ELEMENTWISE : FORM_FUNCTION;
    p->n = chance(&g, 4)   ? (int64_t)below(&g, 3)
           : chance(&g, 3) ? 500 + (int64_t)below(&g, 600)
                           : 3 + (int64_t)below(&g, 60);
    g.no_math = chance(&g, 50);
    if (chance(&g, 4)) {
        p->math_only = p->has_math = p->has_floats = true;
        p->form = FORM_ELEMENTWISE;
        p->n += 100;
        make_math(&g);
        return p;
    }
    p->python = chance(&g, 35);
    p->wild = p->python && chance(&g, 15);
    make_records(&g);
    make_arrays(&g);
    int helpers = (int)below(&g, few(&g, MOST_HELPERS + 1));
    for (int i = 0; i < helpers; i++) {
        make_helper(&g, i);
        p->helper_count = i + 1;
    }
    make_kernel(&g);
    prog_walk(p, note, p);
    return p;
}

prog *generate(uint64_t seed, bool small)
{
    for (uint64_t attempt = 0;; attempt++) {
        prog *p = make(seed, attempt, small);
        double total = cost(p, p->kernel.body) * (p->form == FORM_ELEMENTWISE ? (double)p->n : 1);
        if (total < 1e6) return p;
        prog_free(p);
    }
}
