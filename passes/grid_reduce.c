/*
 * Reductions of an entry on devices: two kernels, launched one after the other. In the first, which
 * is new and called NAME_parts, the rounds are dealt out in at most PARTS_MOST blocks, one a group
 * at a time: its work-items take rounds a group's size apart, join what they have in local memory
 * as a tree, and the first puts the block's part into cpl_parts. In the second the first work-item
 * takes in the parts from front to back and runs what stands behind the loop. All of them run what
 * stands in front of it, in both.
 *
 * Blocks depend on the number of rounds alone, and the order of the tree on the size of groups: the
 * same launch gives the same bits. Source: M. Harris, Optimizing parallel reduction in CUDA (2007):
 * sequential addressing.
 *
 * The runtime's reductions are sources of the kernel language, bound to an operator and to a
 * function that gives element i (runtime/algo/chunks.py). These cannot be. A round is statements of
 * the entry, not a value: it sees and sets the entry's variables, as what stands in front left them
 * in each work-item, skips by continue, reduces several variables of different types at once, and
 * may write arrays and report faults at places of its own. A function value of the language has no
 * variables of another function; and typed IR, which has such loops too, has no source at all. What
 * is left, the tree and the join, is a part of each kernel between the statements of the entry, for
 * as many variables as there are behind one barrier a level. So the plan takes two kernels of one
 * function (runtime/reduction.c), and no text is embedded here.
 */
#include "passes/pass_int.h"

enum {
    LEAST_ROUNDS = 1024, /* of a block, but for the last */
    MOST_REDUCTIONS = 8  /* 2 KiB of local memory each */
};

/* One of the two kernels. */
typedef struct split {
    ir_module *m;
    ir_func *f;
    cpl_span span;
    ir_node *loop; /* in this kernel's variables */
    ir_node *start, *stop, *step;
    /* int64: of the loop, of a block, of blocks; the index in the group */
    ir_var *rounds, *size, *count, *lane;
    ir_var *acc[MOST_REDUCTIONS], *shared[MOST_REDUCTIONS], *parts[MOST_REDUCTIONS];
} split;

bool pass_can_split(const ir_node *loop)
{
    return loop->loop->reductions.n <= MOST_REDUCTIONS;
}

static const cpl_type *int64_type(const split *s)
{
    return comp_scalar(s->m->comp, CPL_INT64);
}

static ir_node *use(const split *s, ir_var *v)
{
    return ir_use(s->m, v, s->span);
}

static ir_node *i64(const split *s, int64_t value)
{
    return pass_i64(s->m, value, s->span);
}

static ir_node *op2(const split *s, ir_op op, ir_node *a, ir_node *b)
{
    return pass_fold_expr(s->m, ir_op2(s->m, op, a, b, s->span), &(bool){false});
}

static void set(const split *s, ir_block *out, ir_var *v, ir_node *value)
{
    ir_append(s->m, out, ir_assign(s->m, v, value, s->span));
}

static ir_var *new_i64(const split *s, ir_block *out, const char *name, ir_node *value)
{
    ir_var *v = ir_var_new(s->m, s->f, name, int64_type(s), s->span);
    set(s, out, v, value);
    return v;
}

static ir_node *element(const split *s, ir_var *array, ir_node *index)
{
    ir_node *base = array->is_param ? use(s, array) : ir_addr(s->m, array, s->span);
    return ir_op2(s->m, array->is_param ? IR_ELEM : IR_ITEM, base, index, s->span);
}

static void put(const split *s, ir_block *out, ir_var *array, ir_node *index, ir_node *value)
{
    ir_append(s->m, out, ir_op2(s->m, IR_STORE, element(s, array, index), value, s->span));
}

static ir_node *get(const split *s, ir_var *array, ir_node *index)
{
    return ir_op1(s->m, IR_LOAD, element(s, array, index), s->span);
}

static void wait(const split *s, ir_block *out)
{
    ir_append(s->m, out, ir_barrier(s->m, SPACE_LOCAL, s->span));
}

/* size = max(LEAST_ROUNDS, ceil(rounds / PARTS_MOST)), count = ceil(rounds / size) */
static void divide(split *s, ir_block *out)
{
    const pass_loops none = {0};
    ir_node *n = s->loop;
    s->start = pass_stable_bound(s->m, s->f, &none, out, n->kids[0], n->body, "start");
    s->stop = pass_stable_bound(s->m, s->f, &none, out, n->kids[1], n->body, "stop");
    s->step = pass_stable_bound(s->m, s->f, &none, out, n->kids[2], n->body, "step");
    s->rounds = new_i64(s, out, "rounds", pass_rounds(s->m, s->start, s->stop, s->step, s->span));
    ir_node *up = op2(s, IR_ADD, use(s, s->rounds), i64(s, PARTS_MOST - 1));
    s->size =
        new_i64(s, out, "block_size",
                op2(s, IR_MAX, op2(s, IR_RAWDIV, up, i64(s, PARTS_MOST)), i64(s, LEAST_ROUNDS)));
    up = op2(s, IR_ADD, use(s, s->rounds), op2(s, IR_SUB, use(s, s->size), i64(s, 1)));
    s->count = new_i64(s, out, "blocks", op2(s, IR_RAWDIV, up, use(s, s->size)));
}

static ir_var *to_acc(void *user, ir_var *v)
{
    const split *s = user;
    for (uint32_t i = 0; i < s->loop->loop->reductions.n; i++)
        if (s->loop->loop->reductions.at[i].var == v) return s->acc[i];
    return v;
}

/* while round < end { v = the value of round; round = round + size of the group; the body, with
 * variables of its own }; continue may stay. */
static void add_rounds(split *s, ir_block *out, ir_node *first, ir_var *end)
{
    ir_module *m = s->m;
    ir_node *n = s->loop;
    for (uint32_t i = 0; i < n->loop->reductions.n; i++) {
        const ir_reduction *r = &n->loop->reductions.at[i];
        set(s, out, s->acc[i], ir_neutral(m, r->op, r->var->type, s->span));
    }
    ir_var *round = new_i64(s, out, "round", op2(s, IR_ADD, first, use(s, s->lane)));
    ir_block *body = ir_block_new(m);
    set(s, body, n->loop->var, pass_round_value(m, round, s->start, s->step, s->span));
    set(s, body, round,
        op2(s, IR_ADD, use(s, round), pass_wide_index(s->m, IR_LOCAL_SIZE, s->span)));
    for (uint32_t i = 0; i < n->body->n; i++) {
        pass_rename(n->body->at[i], to_acc, s);
        ir_append(m, body, n->body->at[i]);
    }
    ir_append(m, out, ir_while(m, op2(s, IR_LT, use(s, round), use(s, end)), body, s->span));
}

/* What the work-items of a group have, into the first element: half of them take in what the other
 * half has, and so on. */
static void add_tree(split *s, ir_block *out)
{
    ir_module *m = s->m;
    for (uint32_t i = 0; i < s->loop->loop->reductions.n; i++)
        put(s, out, s->shared[i], use(s, s->lane), use(s, s->acc[i]));
    wait(s, out);
    ir_var *half = new_i64(s, out, "half", i64(s, PARTS_GROUP / 2));
    ir_block *body = ir_block_new(m), *joins = ir_block_new(m);
    ir_node *other = op2(s, IR_ADD, use(s, s->lane), use(s, half));
    ir_node *both = op2(s, IR_AND, op2(s, IR_LT, use(s, s->lane), use(s, half)),
                        op2(s, IR_LT, other, pass_wide_index(s->m, IR_LOCAL_SIZE, s->span)));
    for (uint32_t i = 0; i < s->loop->loop->reductions.n; i++) {
        ir_node *theirs = get(s, s->shared[i], ir_copy(m, other)),
                *own = get(s, s->shared[i], use(s, s->lane));
        put(s, joins, s->shared[i], use(s, s->lane),
            ir_op2(m, s->loop->loop->reductions.at[i].op, own, theirs, s->span));
    }
    ir_append(m, body, ir_if(m, both, joins, NULL, s->span));
    wait(s, body);
    set(s, body, half, op2(s, IR_RAWDIV, use(s, half), i64(s, 2)));
    ir_append(m, out, ir_while(m, op2(s, IR_GT, use(s, half), i64(s, 0)), body, s->span));
}

/* What a group does with a block of rounds. */
static ir_block *one_block(split *s, ir_var *block)
{
    ir_module *m = s->m;
    ir_block *body = ir_block_new(m), *store = ir_block_new(m);
    ir_var *first = new_i64(s, body, "first", op2(s, IR_MUL, use(s, block), use(s, s->size)));
    ir_var *end =
        new_i64(s, body, "end",
                op2(s, IR_MIN, op2(s, IR_ADD, use(s, first), use(s, s->size)), use(s, s->rounds)));
    add_rounds(s, body, use(s, first), end);
    add_tree(s, body);
    for (uint32_t i = 0; i < s->loop->loop->reductions.n; i++)
        put(s, store, s->parts[i], use(s, block), get(s, s->shared[i], i64(s, 0)));
    ir_append(m, body, ir_if(m, op2(s, IR_EQ, use(s, s->lane), i64(s, 0)), store, NULL, s->span));
    wait(s, body); /* the next block's values go where this one's part is read */
    set(s, body, block, op2(s, IR_ADD, use(s, block), ir_index(m, IR_GROUP_COUNT, 0, s->span)));
    return body;
}

/* The first kernel, behind what stands in front of the loop. */
static void find_parts(split *s)
{
    ir_module *m = s->m;
    const ir_loop *l = s->loop->loop;
    for (uint32_t i = 0; i < l->reductions.n; i++) {
        const ir_var *v = l->reductions.at[i].var;
        s->acc[i] = ir_var_new(m, s->f, v->name, v->type, s->span);
        s->shared[i] =
            ir_var_new(m, s->f, v->name, comp_array(m->comp, v->type, PARTS_GROUP), s->span);
        s->shared[i]->local = true;
    }
    divide(s, s->f->body);
    s->lane = new_i64(s, s->f->body, "lane", pass_wide_index(s->m, IR_LOCAL_ID, s->span));
    ir_var *block = new_i64(s, s->f->body, "block", ir_index(m, IR_GROUP_ID, 0, s->span));
    ir_append(m, s->f->body,
              ir_while(m, op2(s, IR_LT, use(s, block), use(s, s->count)), one_block(s, block),
                       s->span));
}

/* The second one, likewise. */
static void join_parts(split *s, ir_node *const *behind, uint32_t count)
{
    ir_module *m = s->m;
    ir_block *once = ir_block_new(m), *joins = ir_block_new(m);
    divide(s, s->f->body);
    ir_var *block = ir_var_new(m, s->f, "block", int64_type(s), s->span);
    for (uint32_t i = 0; i < s->loop->loop->reductions.n; i++) {
        const ir_reduction *r = &s->loop->loop->reductions.at[i];
        set(s, joins, r->var,
            ir_op2(m, r->op, use(s, r->var), get(s, s->parts[i], use(s, block)), s->span));
    }
    ir_append(m, once,
              ir_for(m, IR_FOR, block, i64(s, 0), use(s, s->count), i64(s, 1), joins, s->span));
    for (uint32_t i = 0; i < count; i++) ir_append(m, once, behind[i]);
    ir_node *at = op2(s, IR_ADD, pass_wide_index(m, IR_LOCAL_ID, s->span),
                      ir_index(m, IR_GROUP_ID, 0, s->span));
    ir_append(m, s->f->body, ir_if(m, op2(s, IR_EQ, at, i64(s, 0)), once, NULL, s->span));
}

/* A variable of the entry in the new kernel: ir_var.user, while that is made. */
static ir_var *image(void *user, ir_var *v)
{
    (void)user;
    return v->user;
}

static void copy_var(ir_module *m, ir_func *to, ir_var *v)
{
    ir_var *copy = v->is_param ? ir_param_new(m, to, v->name, v->type, v->span)
                               : ir_var_new(m, to, v->name, v->type, v->span);
    copy->spelling = v->spelling;
    copy->noalias = v->noalias;
    copy->readonly = v->readonly;
    copy->unread = v->unread;
    copy->role = v->role;
    copy->axis = v->axis;
    v->user = copy;
}

static void link_var(const ir_var *v)
{
    ir_var *copy = v->user;
    copy->of = v->of ? v->of->user : NULL;
    copy->extent = v->extent ? v->extent->user : NULL;
}

/* A kernel in front of the entry, with the same parameters and variables. */
static ir_func *new_kernel(ir_module *m, ir_func *f)
{
    const char *name = arena_printf(&m->comp->arena, "%s_parts", f->name);
    ir_func *to = ir_func_new(m, name, IR_ENTRY, comp_scalar(m->comp, CPL_VOID), f->span);
    to->kernel = true;
    uint32_t at = m->funcs.n - 1;
    for (; m->funcs.at[at] != f; at--) m->funcs.at[at] = m->funcs.at[at - 1];
    m->funcs.at[at] = to;
    for (uint32_t i = 0; i < f->params.n; i++) copy_var(m, to, f->params.at[i]);
    for (uint32_t i = 0; i < f->vars.n; i++) copy_var(m, to, f->vars.at[i]);
    for (uint32_t i = 0; i < f->params.n; i++) link_var(f->params.at[i]);
    for (uint32_t i = 0; i < f->vars.n; i++) link_var(f->vars.at[i]);
    return to;
}

/* A statement of the entry in the new kernel. */
static ir_node *copy_of(ir_module *m, const ir_node *n)
{
    ir_node *copy = ir_copy(m, n);
    pass_rename(copy, image, NULL);
    return copy;
}

static split side(ir_module *m, ir_func *f, ir_node *loop)
{
    split s = {.m = m, .f = f, .loop = loop, .span = loop->span};
    for (uint32_t i = 0; i < loop->loop->reductions.n; i++) {
        const cpl_type *t = loop->loop->reductions.at[i].var->type;
        s.parts[i] =
            ir_param_new(m, f, "cpl_parts", comp_pointer(m->comp, t, SPACE_GLOBAL), s.span);
        ir_set_role(s.parts[i], PARAM_PARTS, NULL);
    }
    return s;
}

ir_func *pass_split(ir_module *m, ir_func *f, uint32_t at)
{
    const ir_block *old = f->body;
    ir_func *first = f->after = new_kernel(m, f);
    f->body = ir_block_new(m);
    for (uint32_t i = 0; i < at; i++) {
        ir_append(m, first->body, copy_of(m, old->at[i]));
        ir_append(m, f->body, old->at[i]);
    }
    split parts = side(m, first, copy_of(m, old->at[at])), whole = side(m, f, old->at[at]);
    find_parts(&parts);
    join_parts(&whole, old->at + at + 1, old->n - at - 1);
    return first;
}
