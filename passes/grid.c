/*
 * grid: makes the entry a kernel that work-items run.
 *
 * Does: an entry whose last statement is a parallel loop without reductions (or an if with such
 * loops in its arms), with nothing in front that others could notice, is run by all work-items:
 * each takes the rounds r, r + s, r + 2*s..., where r is its index in the grid and s their number.
 * On CUDA and with SPIR-V, work-items of an elementwise entry with a short straight body take two
 * rounds each, side by side, and there are enough of them (grid_tile.c); on CUDA, others load what
 * a round reads while the round before it computes, or take one round where a loop costs registers
 * (grid_ahead.c), sum into few elements in local memory first (grid_tally.c) with APART, and count
 * rounds in 32 bits with SMALL; pass_context.relies tells of both.
 * One whose first parallel loop reduces becomes two kernels, run by all and by one (grid_reduce.c).
 * Any other entry is run by the first work-item alone, its parallel loops in order; a result goes
 * through a last parameter cpl_result; one that calls itself becomes a function behind it
 * (grid_call.c). A kernel stays what it is. Parallel loops anywhere else become serial. Requires:
 * the target is a device, else nothing happens. Guards ran (the count of rounds uses raw division).
 * With in_order the first work-item does it all. Ensures: entries are kernels; no parallel for, no
 * worker(). Any size of the grid in its first dimension gives the same result, unless ir_func.items
 * says that each work-item takes that many rounds and no more; the other dimensions are of size
 * one. Keeps: `elementwise`, so that a launch knows n. Source: M. Harris, CUDA pro tip: write
 * flexible kernels with grid-stride loops (2013).
 */
#include "passes/pass_int.h"

typedef struct grid {
    ir_module *m;
    ir_func *f;
    pass_sums sums; /* what the last loop only adds to, where local memory may help; n = 0: none */
    bool tiles; /* the target gains from several rounds at a time, and a launch will know of them */
    bool gpu;   /* adds and scales 64-bit numbers in pieces, waits long for memory */
    bool small; /* an elementwise entry's n is below 2^31 */
    bool apart; /* arrays share no memory where one of them is written */
    bool floats;     /* sums of them may be in any order */
    uint32_t relied; /* on which of these facts: cpl_fact */
    bool changed;
    bool noted; /* that a loop is left to one work-item */
} grid;

/* Whether the entry may be run by all work-items at once. */

static bool reads_memory(const ir_node *n)
{
    const ir_node *from = ir_read_from(n);
    if (from && !pass_is_private(from)) return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (reads_memory(n->kids[i])) return true;
    return false;
}

typedef struct effects {
    bool reads, writes, others; /* memory that others see; others: calls, output, parallel loops */
} effects;

static bool note_effects(void *user, ir_node *n)
{
    effects *e = user;
    e->others |= ir_op_effects(n->op) & (IR_EFFECT_ORDER | IR_EFFECT_OUTPUT) ||
                 n->op == IR_PARALLEL_FOR || n->op == IR_RETURN;
    if (ir_op_kind(n->op) != IR_KIND_MEMORY) return true; /* a fault record is nobody's input */
    const ir_node *from = ir_read_from(n), *to = ir_written_to(n);
    e->reads |= from && !pass_is_private(from);
    e->writes |= to && !pass_is_private(to);
    return true;
}

static bool has_parallel(const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const ir_node *n = b->at[i];
        if (n->op == IR_PARALLEL_FOR || (n->body && has_parallel(n->body)) ||
            (n->orelse && has_parallel(n->orelse)))
            return true;
    }
    return false;
}

static bool spreads(const ir_block *b, bool *reads);

/* The last statement: what it and those in front read must not be what its rounds write. */
static bool last_spreads(const ir_node *n, bool *reads)
{
    for (uint32_t i = 0; i < n->kid_count; i++) *reads |= reads_memory(n->kids[i]);
    if (n->op == IR_PARALLEL_FOR) {
        effects e = {0};
        ir_walk_block(n->body, note_effects, &e);
        return n->loop->reductions.n == 0 && (!*reads || !(e.writes || e.others));
    }
    if (n->op != IR_IF) return false;
    bool then_reads = *reads, else_reads = *reads;
    return spreads(n->body, &then_reads) && (!n->orelse || spreads(n->orelse, &else_reads));
}

static bool spreads(const ir_block *b, bool *reads)
{
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->op == IR_RETURN && n->kid_count == 0) continue;
        ir_block one = {&n, 1, 1};
        if (has_parallel(&one)) {
            bool last = i + 1 == b->n || (i + 2 == b->n && b->at[i + 1]->op == IR_RETURN &&
                                          b->at[i + 1]->kid_count == 0);
            return last && last_spreads(n, reads);
        }
        effects e = {0};
        ir_walk(n, note_effects, &e);
        if (e.writes || e.others) return false;
        *reads |= e.reads;
    }
    return true;
}

/* Loops. */

static const cpl_type *int64_type(const grid *g)
{
    return comp_scalar(g->m->comp, CPL_INT64);
}

/* The index of the work-item in the grid, or the first of its rounds: group_id * local_size * items
 * + local_id. */
static ir_node *index_in_grid(const grid *g, uint32_t items, cpl_span span)
{
    ir_module *m = g->m;
    ir_node *before = ir_op2(m, IR_MUL, ir_index(m, IR_GROUP_ID, 0, span),
                             pass_wide_index(m, IR_LOCAL_SIZE, span), span);
    if (items > 1) before = ir_op2(m, IR_MUL, before, pass_i64(m, items, span), span);
    return ir_op2(m, IR_ADD, before, pass_wide_index(m, IR_LOCAL_ID, span), span);
}

static ir_node *global_index(const grid *g, cpl_span span)
{
    return index_in_grid(g, g->f->items, span);
}

/* Whether 32 bits count the rounds: they save half a dozen instructions a round, a twentieth of
 * what pow of float32 takes. */
static bool counts_short(const grid *g, const ir_node *rounds)
{
    return g->gpu && g->small && g->f->elementwise && rounds->op == IR_VAR &&
           rounds->var->role == PARAM_COUNT && type_is(rounds->type, CPL_INT64);
}

/* A count of rounds in the counter's type. In 32 bits it and the sum of two stay what they are, for
 * those that there are: fewer than 2^31. */
static ir_node *counted(const grid *g, const cpl_type *type, ir_node *n)
{
    ir_module *m = g->m;
    if (type_is(type, CPL_INT64)) return n;
    ir_node *few = ir_op2(m, IR_MIN, n, pass_i64(m, INT64_C(1) << 31, n->span), n->span);
    return ir_convert(m, type, few, n->span);
}

/* Constants and variables from here on. */
static pass_spread rounds_of(grid *g, ir_block *out, const ir_node *n)
{
    ir_module *m = g->m;
    const pass_loops none = {0};
    ir_node *start = pass_stable_bound(m, g->f, &none, out, n->kids[0], n->body, "start");
    ir_node *stop = pass_stable_bound(m, g->f, &none, out, n->kids[1], n->body, "stop");
    ir_node *step = pass_stable_bound(m, g->f, &none, out, n->kids[2], n->body, "step");
    ir_node *rounds = pass_rounds(m, start, stop, step, n->span);
    if (pass_counts_rounds(n->loop->var, start, step)) rounds = stop;
    if (!ir_is_const(rounds) && rounds->op != IR_VAR) {
        ir_var *count = ir_var_new(m, g->f, "rounds", int64_type(g), n->span);
        ir_append(m, out, ir_assign(m, count, rounds, n->span));
        rounds = ir_use(m, count, n->span);
    }
    return (pass_spread){m, g->f, n, rounds, start, step};
}

/*
 * next = global index; stride = size of the grid
 * while next < rounds { v = the value of round next; next = next + stride; body }
 *
 * next moves on at the start of the round, so that continue may stay. A for loop would have to
 * divide by stride to count its rounds.
 */
static void stride_over(void *user, ir_block *out, pass_spread *s)
{
    grid *g = user;
    ir_module *m = g->m;
    const ir_node *n = s->loop;
    cpl_span span = n->span;
    bool is_short = counts_short(g, s->rounds);
    const cpl_type *type = is_short ? comp_scalar(m->comp, CPL_UINT32) : int64_type(g);
    ir_var *next = ir_var_new(m, g->f, "next", type, span);
    ir_var *stride = ir_var_new(m, g->f, "stride", type, span);
    ir_node *size = ir_op2(m, IR_MUL, ir_index(m, IR_GROUP_COUNT, 0, span),
                           pass_wide_index(m, IR_LOCAL_SIZE, span), span);
    if (is_short) g->relied |= CPL_FACT_SMALL;
    ir_append(m, out, ir_assign(m, next, counted(g, type, global_index(g, span)), span));
    ir_append(m, out, ir_assign(m, stride, counted(g, type, size), span));
    s->rounds = ir_convert(m, type, s->rounds, span);
    ir_block *body = ir_block_new(m);
    ir_node *further = ir_op2(m, IR_ADD, ir_use(m, next, span), ir_use(m, stride, span), span);
    ir_append(m, body,
              ir_assign(m, n->loop->var, pass_round_value(m, next, s->start, s->step, span), span));
    ir_append(m, body, ir_assign(m, next, further, span));
    if (g->gpu) pass_load_ahead(s, next, out, body);
    for (uint32_t i = 0; i < n->body->n; i++) ir_append(m, body, n->body->at[i]);
    ir_append(m, out,
              ir_while(m, ir_op2(m, IR_LT, ir_use(m, next, span), s->rounds, span), body, span));
}

/* next = global index; if next < rounds { v = the value of round next; body } */
static void take_one(grid *g, ir_block *out, const pass_spread *s)
{
    ir_module *m = g->m;
    cpl_span span = s->loop->span;
    ir_var *next = ir_var_new(m, g->f, "next", int64_type(g), span);
    ir_block *body = ir_block_new(m);
    ir_append(m, out, ir_assign(m, next, global_index(g, span), span));
    ir_append(m, body,
              ir_assign(m, s->loop->loop->var, pass_round_value(m, next, s->start, s->step, span),
                        span));
    for (uint32_t i = 0; i < s->loop->body->n; i++) ir_append(m, body, s->loop->body->at[i]);
    ir_append(m, out,
              ir_if(m, ir_op2(m, IR_LT, ir_use(m, next, span), s->rounds, span), body, NULL, span));
}

static void spread_loop(grid *g, ir_block *out, ir_node *n)
{
    pass_spread s = rounds_of(g, out, n);
    if (g->f->items == 1) take_one(g, out, &s);
    else if (g->f->items > 1) pass_tile(&s, out, global_index(g, n->span));
    else if (g->sums.n) pass_tally_by_groups(&s, &g->sums, out, stride_over, g);
    else stride_over(g, out, &s);
}

static void serialise(grid *g, ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->op == IR_PARALLEL_FOR) {
            pass_make_serial(n);
            g->changed = true;
        }
        if (n->body) serialise(g, n->body);
        if (n->orelse) serialise(g, n->orelse);
    }
}

/* Loops inside the outermost ones become serial first. */
static void spread_block(grid *g, ir_block *b)
{
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->op == IR_PARALLEL_FOR) {
            serialise(g, n->body);
            spread_loop(g, &out, n);
            continue;
        }
        if (n->body) spread_block(g, n->body);
        if (n->orelse) spread_block(g, n->orelse);
        ir_append(g->m, &out, n);
    }
    *b = out;
}

/* Results. */

typedef struct returns {
    grid *g;
    ir_var *result;
} returns;

static void return_through(const returns *r, ir_block *b)
{
    ir_module *m = r->g->m;
    ir_block out = {0};
    for (uint32_t i = 0; i < b->n; i++) {
        ir_node *n = b->at[i];
        if (n->body) return_through(r, n->body);
        if (n->orelse) return_through(r, n->orelse);
        if (n->op == IR_RETURN && n->kid_count) {
            ir_append(m, &out,
                      ir_op2(m, IR_STORE, ir_use(m, r->result, n->span), n->kids[0], n->span));
            n = ir_return(m, NULL, n->span);
        }
        ir_append(m, &out, n);
    }
    *b = out;
}

static void store_result(grid *g, ir_func *f)
{
    ir_module *m = g->m;
    if (type_is_void(f->result)) return;
    returns r = {g, ir_param_new(m, f, "cpl_result", comp_pointer(m->comp, f->result, SPACE_GLOBAL),
                                 f->span)};
    ir_set_role(r.result, PARAM_RESULT, NULL);
    return_through(&r, f->body);
    f->result = comp_scalar(m->comp, CPL_VOID);
}

/* Nothing falls back in silence: the first parallel loop that is left to one work-item. */
static bool note_alone(void *user, ir_node *n)
{
    grid *g = user;
    diag_list *l = &g->m->comp->diags;
    if (n->op != IR_PARALLEL_FOR || g->noted) return !g->noted;
    diag *d = diag_remark(l, n->span, "one work-item runs this loop alone");
    diag_hint(l, d,
              "all run one at the end of a function that returns nothing, or one that reduces and "
              "stands first");
    g->noted = true;
    return false;
}

/* The first work-item does it all. */
static void run_once(grid *g, ir_func *f)
{
    ir_module *m = g->m;
    serialise(g, f->body);
    store_result(g, f);
    ir_block *whole = ir_block_new(m);
    ir_node *is_first =
        ir_op2(m, IR_EQ, global_index(g, f->span), pass_i64(m, 0, f->span), f->span);
    ir_append(m, whole, ir_if(m, is_first, f->body, NULL, f->span));
    f->body = whole;
}

static bool note_loop(void *user, ir_node *n)
{
    bool *found = user;
    *found |= n->op == IR_FOR || n->op == IR_WHILE;
    return !*found;
}

/*
 * Whether the first parallel loop reduces, with nothing in front that others could notice, that
 * takes long or that the loop would change.
 */
static bool splits(const ir_func *f, uint32_t *at)
{
    bool reads = false, loops = false;
    for (*at = 0; *at < f->body->n; ++*at) {
        ir_node *n = f->body->at[*at];
        effects e = {0};
        if (n->op == IR_PARALLEL_FOR) {
            for (uint32_t i = 0; i < n->kid_count; i++) reads |= reads_memory(n->kids[i]);
            ir_walk_block(n->body, note_effects, &e);
            return n->loop->reductions.n && pass_can_split(n) &&
                   (!reads || !(e.writes || e.others));
        }
        ir_walk(n, note_effects, &e);
        ir_walk(n, note_loop, &loops);
        if (e.writes || e.others || loops) return false;
        reads |= e.reads;
    }
    return false;
}

static bool only_sums(grid *g, const ir_node *last)
{
    bool asked = g->gpu && g->apart && g->f->elementwise;
    if (!asked || !pass_only_sums(g->f, last, g->floats, &g->sums)) g->sums.n = 0;
    return g->sums.n;
}

static void make_kernel(grid *g, ir_func *f, bool in_order)
{
    bool reads = false;
    uint32_t at;
    if (type_is_struct(f->result)) {
        diag_error(&g->m->comp->diags, CPL_EUNSUPPORTED, f->span,
                   "function '%s' is called from outside and returns a struct; store it in an "
                   "element of an array instead: y[0] = p",
                   f->name);
        return;
    }
    g->f = f;
    g->changed = true;
    if (!in_order && type_is_void(f->result) && has_parallel(f->body) && spreads(f->body, &reads)) {
        const ir_node *last = f->body->at[f->body->n - 1];
        if (only_sums(g, last)) g->relied |= CPL_FACT_APART;
        else if (g->tiles && f->elementwise && last->op == IR_PARALLEL_FOR)
            f->items =
                pass_can_tile(last) ? PASS_TILE_ROUNDS : g->gpu && pass_has_many_numbers(last);
        spread_block(g, f->body);
    } else if (!in_order && !f->elementwise && splits(f, &at)) {
        serialise(g, pass_split(g->m, f, at)->body);
        ir_walk_block(f->body, note_alone, g);
        serialise(g, f->body);
        store_result(g, f);
    } else {
        if (!in_order) ir_walk_block(f->body, note_alone, g);
        run_once(g, f);
    }
    f->kernel = true;
}

/* Who runs a round is a work-item, with its index in the grid. */
static bool answer(void *user, ir_node *n)
{
    grid *g = user;
    if (n->op == IR_ASSIGN && n->kids[0]->op == IR_WORKER) {
        n->kids[0] = index_in_grid(g, 1, n->span);
        g->changed = true;
    }
    return true;
}

bool pass_grid(pass_context *cx, ir_module *m)
{
    if (!target_is_device(cx->target)) return false;
    ir_mark_recursive(m);
    grid g = {.m = m,
              .tiles = !target_is_printed(cx->target),
              .gpu = target_is_gpu(cx->target),
              .small = cx->facts & CPL_FACT_SMALL,
              .apart = cx->facts & CPL_FACT_APART,
              .floats = !cx->precise && !cx->reproducible};
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (!f->body) continue;
        if (f->linkage == IR_ENTRY && !f->kernel && f->recursive) {
            pass_call_apart(m, f); /* what was f comes first, f next */
            f = m->funcs.at[i];
        }
        if (f->linkage == IR_ENTRY && !f->kernel) make_kernel(&g, f, cx->in_order);
        else serialise(&g, f->body);
    }
    ir_walk_module(m, answer, &g);
    cx->relies |= g.relied;
    return g.changed;
}
