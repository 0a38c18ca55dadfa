/*
 * Atomic sums into few elements, on GPUs: a group of work-items sums into local memory first and
 * adds what came together there to the arrays at the end. Where an array turns out to be long, or
 * groups have fewer rounds than it has elements, rounds go to the arrays themselves as they did.
 *
 * As the pass tally on the host, and under the same conditions, but for several arrays, as a sum
 * and a count for each cell, and for floats, which work-items add in no order of their own. Source:
 * V. Podlozhnyuk, Histogram calculation in CUDA (NVIDIA, 2007). On an H200 2^26 numbers into 256
 * counters from 10.3 to 0.11 ms, float64 into as many sums from 12.4 to 0.23.
 */
#include "passes/pass_int.h"

/* of local memory: groups of 256 fill a multiprocessor with it too */
enum { MOST_BYTES = 1 << 14 };

typedef struct cells {
    ir_var *array, *length, *mine;
} cells;

typedef struct counts {
    const pass_spread *s;
    cpl_span span;
    uint32_t n;
    cells all[PASS_MOST_SUMS];
} counts;

static ir_node *op2(const counts *c, ir_op op, ir_node *a, ir_node *b)
{
    return ir_op2(c->s->m, op, a, b, c->span);
}

static ir_node *use(const counts *c, ir_var *v)
{
    return ir_use(c->s->m, v, c->span);
}

static void set(const counts *c, ir_block *out, ir_var *v, ir_node *value)
{
    ir_append(c->s->m, out, ir_assign(c->s->m, v, value, c->span));
}

static const cpl_type *element_of(const cells *a)
{
    return a->array->type->elem;
}

static int64_t most_of(const counts *c, const cells *a)
{
    return MOST_BYTES / c->n / (type_bits(element_of(a)) / 8);
}

static ir_node *counter(const counts *c, const cells *a, ir_node *index)
{
    return op2(c, IR_ITEM, ir_addr(c->s->m, a->mine, c->span), index);
}

static void wait(const counts *c, ir_block *out)
{
    ir_append(c->s->m, out, ir_barrier(c->s->m, SPACE_LOCAL, c->span));
}

/* k = index in the group; while k < length { what `body` appends; k = k + size of the group } */
static void for_each(const counts *c, ir_block *out, const cells *a,
                     void (*body)(const counts *c, ir_block *out, const cells *a, ir_var *k))
{
    ir_module *m = c->s->m;
    ir_block *round = ir_block_new(m);
    ir_var *k = ir_var_new(m, c->s->f, "counter", comp_scalar(m->comp, CPL_INT64), c->span);
    set(c, out, k, pass_wide_index(m, IR_LOCAL_ID, c->span));
    body(c, round, a, k);
    set(c, round, k, op2(c, IR_ADD, use(c, k), pass_wide_index(m, IR_LOCAL_SIZE, c->span)));
    ir_append(m, out, ir_while(m, op2(c, IR_LT, use(c, k), use(c, a->length)), round, c->span));
}

/* A float that nothing was added to is -0.0, which changes no sum. */
static void clear(const counts *c, ir_block *out, const cells *a, ir_var *k)
{
    ir_node *nothing = ir_neutral(c->s->m, IR_ADD, element_of(a), c->span);
    ir_append(c->s->m, out, op2(c, IR_STORE, counter(c, a, use(c, k)), nothing));
}

static void hand_in(const counts *c, ir_block *out, const cells *a, ir_var *k)
{
    ir_module *m = c->s->m;
    ir_var *sum = ir_var_new(m, c->s->f, "sum", element_of(a), c->span);
    set(c, out, sum, ir_op1(m, IR_LOAD, counter(c, a, use(c, k)), c->span));
    ir_append(m, out, pass_hand_in(m, a->array, use(c, k), use(c, sum)));
}

static const cells *cells_of(const counts *c, const ir_var *array)
{
    const cells *a = c->all;
    while (a->array != array) a++;
    return a;
}

static bool count_locally(void *user, ir_node *n)
{
    const counts *c = user;
    if (n->op != IR_EVAL) return true;
    ir_node *sum = n->kids[0], *at = sum->kids[0];
    const cpl_type *type = comp_scalar(c->s->m->comp, CPL_INT64);
    sum->kids[0] =
        counter(c, cells_of(c, at->kids[0]->var), ir_convert(c->s->m, type, at->kids[1], n->span));
    sum->order = IR_RELAXED;
    sum->scope = IR_SCOPE_GROUP;
    return true;
}

/* length <= most and rounds >= length * groups, of each */
static ir_node *pays(const counts *c)
{
    ir_module *m = c->s->m;
    ir_node *both = NULL;
    for (uint32_t i = 0; i < c->n; i++) {
        const cells *a = &c->all[i];
        ir_node *most = pass_i64(m, most_of(c, a), c->span);
        ir_node *all = op2(c, IR_MUL, use(c, a->length), ir_index(m, IR_GROUP_COUNT, 0, c->span));
        ir_node *one = op2(c, IR_AND, op2(c, IR_LE, use(c, a->length), most),
                           op2(c, IR_GE, ir_copy(m, c->s->rounds), all));
        both = both ? op2(c, IR_AND, both, one) : one;
    }
    return both;
}

static void add_cells(counts *c, ir_var *array)
{
    ir_module *m = c->s->m;
    cells *a = &c->all[c->n++];
    a->array = array;
    a->length = pass_length_of(m, c->s->f, array);
}

static void make_local(const counts *c, cells *a)
{
    ir_module *m = c->s->m;
    const cpl_type *type = comp_array(m->comp, element_of(a), (uint32_t)most_of(c, a));
    a->mine = ir_var_new(m, c->s->f, "mine", type, c->span);
    a->mine->local = true;
}

void pass_tally_by_groups(const pass_spread *s, const pass_sums *sums, ir_block *out,
                          pass_spreader *spread, void *user)
{
    ir_module *m = s->m;
    counts c = {.s = s, .span = s->loop->span};
    ir_block *then = ir_block_new(m), *orelse = ir_block_new(m);
    ir_node *copy = ir_copy(m, s->loop);
    pass_spread few = *s, many = *s;
    few.loop = copy;
    few.rounds = ir_copy(m, s->rounds);
    for (uint32_t i = 0; i < sums->n; i++) add_cells(&c, sums->arrays[i]);
    for (uint32_t i = 0; i < c.n; i++) make_local(&c, &c.all[i]);
    ir_walk_block(copy->body, count_locally, &c);
    ir_append(m, out, ir_if(m, pays(&c), then, orelse, c.span));
    for (uint32_t i = 0; i < c.n; i++) for_each(&c, then, &c.all[i], clear);
    wait(&c, then);
    spread(user, then, &few);
    wait(&c, then);
    for (uint32_t i = 0; i < c.n; i++) for_each(&c, then, &c.all[i], hand_in);
    spread(user, orelse, &many);
}
