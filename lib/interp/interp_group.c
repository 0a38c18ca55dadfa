/*
 * Launches of kernels: one group after the other, each work-item of a group on a stack of its own.
 * The work-items take turns in order of their index; one hands over at a barrier, at an operation
 * of its sub-group and at atomics that others may be waiting for, so that what they do is the same
 * in every run. What a device leaves undefined is an error here: a barrier that some work-items do
 * not reach, lanes of a sub-group that run different operations.
 */
#include "lib/interp/interp_int.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_BYTES = 1 << 20, ITEM_NESTING = 500, ITEM_DEPTH = 100 };
enum { UNSET = 0xff }; /* local memory starts undefined: floats of this are NaN */

typedef enum item_state { ITEM_READY, ITEM_AT_BARRIER, ITEM_AT_SUBGROUP, ITEM_DONE } item_state;

struct work_item {
    interp in;
    struct launch *launch;
    ucontext_t place;
    item_state state;
    uint32_t index; /* in the group, linear */
    int32_t id[IR_DIMS];
    const ir_node *at;  /* where it waits */
    ir_value posted[2]; /* ITEM_AT_SUBGROUP: its operands; then [0] is its result */
    ir_value *args;     /* [params] */
    jmp_buf oom;        /* on its stack, while it runs */
};

typedef struct launch {
    compilation *c;
    ir_func *f;
    work_item *items; /* [count] */
    uint32_t count;   /* of a group */
    const int64_t *groups;
    const int32_t *size;
    int64_t group[IR_DIMS];
    /* the kernel's variables in local memory, then what parameters point to */
    char *local;
    size_t *offsets; /* of the variables, by ir_var.index */
    size_t local_bytes;
    ucontext_t scheduler;
    bool out_of_memory;
    const char *problem; /* of the group as a whole */
    const ir_node *problem_at;
} launch;

/* Work-items. */

static void hand_over(work_item *w)
{
    swapcontext(&w->place, &w->launch->scheduler);
}

static void item_body(launch *l, work_item *w)
{
    w->in.c->arena.on_oom = w->in.c->on_oom = &w->oom;
    if (setjmp(w->oom) == 0) interp_function(&w->in, l->f, w->args, NULL);
    else l->out_of_memory = true;
    w->state = ITEM_DONE;
}

/* makecontext passes ints only. */
static void item_start(unsigned low, unsigned high)
{
    work_item *w = (work_item *)((uintptr_t)low | (uintptr_t)high << 32);
    item_body(w->launch, w);
    hand_over(w);
}

/* Runs a work-item until it hands over. Memory that runs out unwinds its stack and no other. */
static void resume(launch *l, work_item *w)
{
    jmp_buf *outer = l->c->on_oom;
    l->c->arena.on_oom = l->c->on_oom = &w->oom;
    swapcontext(&l->scheduler, &w->place);
    l->c->arena.on_oom = l->c->on_oom = outer;
}

void interp_yield(interp *in)
{
    if (in->item && in->item->launch->count > 1) hand_over(in->item);
}

void interp_barrier(interp *in, const ir_node *n)
{
    if (!in->item) return; /* a function that is no kernel is a group of one */
    in->item->state = ITEM_AT_BARRIER;
    in->item->at = n;
    hand_over(in->item);
}

static uint32_t subgroup_size(const launch *l)
{
    return l->count < INTERP_SUBGROUP ? l->count : INTERP_SUBGROUP;
}

ir_value interp_place(interp *in, const ir_node *n)
{
    const work_item *w = in->item;
    const launch *l = w->launch;
    int64_t v;
    switch (n->op) {
    case IR_LOCAL_ID: v = w->id[n->dim]; break;
    case IR_LOCAL_SIZE: v = l->size[n->dim]; break;
    case IR_GROUP_ID: v = l->group[n->dim]; break;
    case IR_GROUP_COUNT: v = l->groups[n->dim]; break;
    case IR_SUBGROUP_SIZE: v = subgroup_size(l); break;
    default: v = w->index % subgroup_size(l);
    }
    return (ir_value){.bits = (uint64_t)v};
}

ir_value interp_subgroup(interp *in, const ir_node *n)
{
    work_item *w = in->item;
    for (uint32_t i = 0; i < n->kid_count; i++) w->posted[i] = interp_expr(in, n->kids[i]);
    if (in->failed) return (ir_value){0};
    w->state = ITEM_AT_SUBGROUP;
    w->at = n;
    hand_over(w);
    return w->posted[0];
}

char *interp_local(const interp *in, const ir_var *v)
{
    return in->item->launch->local + in->item->launch->offsets[v->index];
}

/* Operations of sub-groups, when all lanes that are left have come. */

typedef struct subgroup {
    work_item *lanes;
    uint32_t size, present; /* lanes of a full one; of this one */
    const ir_node *n;
} subgroup;

static uint64_t lane_asked(const subgroup *s, uint32_t own, ir_value operand)
{
    uint64_t distance = operand.bits;
    switch (s->n->op) {
    case IR_SHUFFLE: return distance % s->size;
    case IR_SHUFFLE_XOR: return (own ^ distance) % s->size;
    case IR_SHUFFLE_UP: return distance <= own ? own - distance : own;
    default: return distance < s->present - own ? own + distance : own;
    }
}

static bool takes_part(const subgroup *s, uint64_t lane)
{
    return lane < s->present && s->lanes[lane].state == ITEM_AT_SUBGROUP;
}

static void join_lanes(subgroup *s, ir_value *results)
{
    const cpl_type *t = s->n->type;
    bool scan = ir_op_kind(s->n->op) == IR_KIND_SCAN, any = false;
    ir_value all = {0};
    for (uint32_t i = 0; i < s->present; i++) {
        if (!takes_part(s, i)) continue;
        ir_value mine = s->lanes[i].posted[0];
        if (any) ir_eval_op(ir_plain_op(s->n->op), t, t, (ir_value[]){all, mine}, &all);
        else all = mine;
        any = true;
        results[i] = all;
    }
    for (uint32_t i = 0; !scan && i < s->present; i++) results[i] = all;
}

static void run_subgroup(subgroup *s)
{
    ir_value results[INTERP_SUBGROUP] = {{0}};
    bool moves = ir_op_kind(s->n->op) == IR_KIND_SHUFFLE;
    uint64_t votes = 0;
    for (uint32_t i = 0; i < s->present; i++)
        if (takes_part(s, i) && s->lanes[i].posted[0].bits) votes |= UINT64_C(1) << i;
    if (!moves) join_lanes(s, results);
    for (uint32_t i = 0; moves && i < s->present; i++) {
        uint64_t from = s->n->op == IR_BALLOT ? i : lane_asked(s, i, s->lanes[i].posted[1]);
        if (s->n->op == IR_BALLOT) results[i].bits = votes;
        else if (takes_part(s, from)) results[i] = s->lanes[from].posted[0];
    }
    for (uint32_t i = 0; i < s->present; i++) {
        if (!takes_part(s, i)) continue;
        s->lanes[i].posted[0] = results[i];
        s->lanes[i].state = ITEM_READY;
    }
}

/* False, and nothing done, while a lane has not come; an error where lanes came to different
 * places. */
static bool try_subgroup(launch *l, uint32_t first)
{
    subgroup s = {&l->items[first], subgroup_size(l), 0, NULL};
    s.present = l->count - first < s.size ? l->count - first : s.size;
    for (uint32_t i = 0; i < s.present; i++) {
        const work_item *w = &s.lanes[i];
        if (w->state == ITEM_DONE) continue;
        if (w->state != ITEM_AT_SUBGROUP) return false;
        if (s.n && s.n != w->at) {
            l->problem = "the lanes of a sub-group run different operations";
            l->problem_at = w->at;
            return false;
        }
        s.n = w->at;
    }
    if (!s.n) return false;
    run_subgroup(&s);
    return true;
}

static bool try_subgroups(launch *l)
{
    bool moved = false;
    for (uint32_t i = 0; i < l->count && !l->problem; i += subgroup_size(l))
        moved |= try_subgroup(l, i);
    return moved;
}

/* Groups. */

static bool try_barrier(launch *l)
{
    const ir_node *at = NULL, *other = NULL;
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        const work_item *w = &l->items[i];
        if (w->state != ITEM_AT_BARRIER) continue;
        waiting++;
        if (at && at != w->at) other = w->at;
        at = w->at;
    }
    if (waiting == l->count && !other) {
        for (uint32_t i = 0; i < l->count; i++) l->items[i].state = ITEM_READY;
        return true;
    }
    if (waiting == 0) return false;
    l->problem = other ? "the work-items of a group wait at different barriers"
                       : "not all work-items of the group reach the barrier";
    l->problem_at = at;
    return false;
}

/* Each that can go on does; false when the group is done or stuck. */
static bool take_turns(launch *l)
{
    bool moved = false;
    for (uint32_t i = 0; i < l->count; i++) {
        work_item *w = &l->items[i];
        if (w->state != ITEM_READY) continue;
        resume(l, w);
        if (w->in.failed || l->out_of_memory) return false;
        moved = true;
    }
    return moved || try_subgroups(l) || (!l->problem && try_barrier(l));
}

static void prepare_item(launch *l, work_item *w, char *stacks)
{
    uintptr_t self = (uintptr_t)w;
    w->state = ITEM_READY;
    w->in.depth = w->in.nesting = 0;
    getcontext(&w->place);
    w->place.uc_stack.ss_sp = stacks + (size_t)w->index * STACK_BYTES;
    w->place.uc_stack.ss_size = STACK_BYTES;
    w->place.uc_link = &l->scheduler;
    makecontext(&w->place, (void (*)(void))item_start, 2, (unsigned)self,
                (unsigned)((uint64_t)self >> 32));
}

static bool run_group(launch *l, char *stacks)
{
    if (!interp_wanted(&l->items[0].in)) return false;
    memset(l->local, UNSET, l->local_bytes);
    for (uint32_t i = 0; i < l->count; i++) prepare_item(l, &l->items[i], stacks);
    while (take_turns(l)) {
    }
    if (l->problem || l->out_of_memory) return false;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->items[i].in.failed) return false;
    return true;
}

static bool run_groups(launch *l, char *stacks)
{
    for (l->group[2] = 0; l->group[2] < l->groups[2]; l->group[2]++)
        for (l->group[1] = 0; l->group[1] < l->groups[1]; l->group[1]++)
            for (l->group[0] = 0; l->group[0] < l->groups[0]; l->group[0]++)
                if (!run_group(l, stacks)) return false;
    return true;
}

/* Local memory: the kernel's variables, and the parameters' parts, whose sizes are their
 * arguments. */
static ir_value *place_local(launch *l, const void *const *args)
{
    arena *a = &l->c->arena;
    ir_func *f = l->f;
    ir_value *values = arena_array(a, f->params.n, sizeof *values);
    size_t *parts = arena_array(a, f->params.n, sizeof *parts);
    ir_number(f);
    l->offsets = arena_array(a, f->params.n + f->vars.n, sizeof *l->offsets);
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (f->vars.at[i]->local)
            l->offsets[f->vars.at[i]->index] = interp_reserve(&l->local_bytes, f->vars.at[i]->type);
    for (uint32_t i = 0; i < f->params.n; i++) {
        const cpl_type *t = f->params.at[i]->type;
        int64_t bytes = 0;
        if (!type_is_pointer(t) || t->space != SPACE_LOCAL) continue;
        memcpy(&bytes, args[i], sizeof bytes);
        parts[i] = (l->local_bytes + 63) / 64 * 64;
        l->local_bytes = parts[i] + (size_t)bytes;
    }
    l->local = arena_alloc(a, l->local_bytes ? l->local_bytes : 1);
    for (uint32_t i = 0; i < f->params.n; i++) {
        const cpl_type *t = f->params.at[i]->type;
        bool is_part = type_is_pointer(t) && t->space == SPACE_LOCAL;
        values[i] = is_part ? (ir_value){.pointer = l->local + parts[i]} : interp_load(t, args[i]);
    }
    return values;
}

static void make_items(launch *l, ir_module *m, ir_value *values, const interp_options *options)
{
    l->items = arena_array(&l->c->arena, l->count, sizeof *l->items);
    for (uint32_t i = 0; i < l->count; i++) {
        work_item *w = &l->items[i];
        w->launch = l;
        w->index = i;
        w->id[0] = (int32_t)i % l->size[0];
        w->id[1] = (int32_t)i / l->size[0] % l->size[1];
        w->id[2] = (int32_t)i / l->size[0] / l->size[1];
        w->args = values;
        w->in = (interp){.c = l->c,
                         .m = m,
                         .options = options,
                         .item = w,
                         .most_depth = ITEM_DEPTH,
                         .most_nesting = ITEM_NESTING};
        w->in.steps_left = options->max_steps ? options->max_steps : INTERP_MAX_STEPS;
        w->in.frames = arena_array(&l->c->arena, ITEM_DEPTH, sizeof *w->in.frames);
    }
}

static bool refuse(compilation *c, const ir_func *f, cpl_status status, const char *what)
{
    diag_error(&c->diags, status, f->span, "launching '%s': %s", f->name, what);
    return false;
}

/* Work-items of a group, or 0 when that is no group. */
static uint32_t group_size(const int32_t size[IR_DIMS])
{
    int64_t count = 1;
    for (int i = 0; i < IR_DIMS; i++) {
        if (size[i] < 1 || size[i] > INTERP_MAX_GROUP) return 0;
        count *= size[i];
    }
    return count <= INTERP_MAX_GROUP ? (uint32_t)count : 0;
}

bool interp_launch(ir_module *m, ir_func *f, const int64_t groups[IR_DIMS],
                   const int32_t size[IR_DIMS], const void *const *args,
                   const interp_options *options)
{
    launch *l = arena_new(&m->comp->arena, launch);
    *l = (launch){.c = m->comp, .f = f, .groups = groups, .size = size, .count = group_size(size)};
    if (!f->kernel || f->linkage == IR_EXTERN) return refuse(l->c, f, CPL_EARG, "it is no kernel");
    if (l->count == 0) return refuse(l->c, f, CPL_ELIMIT, "a group has 1 to 1024 work-items");
    for (uint32_t i = 0; i < m->funcs.n; i++) m->funcs.at[i]->user = NULL;
    make_items(l, m, place_local(l, args), options);
    size_t bytes = (size_t)l->count * STACK_BYTES;
    char *stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED) longjmp(*l->c->on_oom, 1);
    bool ok = run_groups(l, stacks); /* nothing is allocated here until the stacks are gone */
    munmap(stacks, bytes);
    if (l->out_of_memory) longjmp(*l->c->on_oom, 1);
    if (l->problem)
        diag_error(&l->c->diags, CPL_EINTERNAL, l->problem_at->span, "interpreting '%s': %s: %s",
                   f->name, ir_ops[l->problem_at->op].text, l->problem);
    return ok;
}
