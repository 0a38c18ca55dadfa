/* Compactions and partitions: counts of pieces, where those of each piece go, and moves of up to
 * four arrays at a time. */
#include "runtime/algo/algo.h"
#include "lib/support/plural.h"

void cpl_choice_init(cpl_choice *choice)
{
    if (choice) *choice = (cpl_choice){.size = sizeof *choice};
}

enum {
    SIDE = 4,
    MOST = 16
}; /* arrays that one kernel moves, and all; moves are steps of the plan */
_Static_assert(MOST / SIDE + 2 <= MOST_STEPS, "a plan has room for them");

typedef struct choosing {
    algo_call c;
    cpl_choice want;
    bool parts;
    /* among the arguments: arrays that are moved, their results, and the numbers of the elements;
     * NO_ARGUMENT: not asked for */
    size_t from, outs, order;
    int64_t room; /* elements that results take */
} choosing;

/* --- the plan --- */

/* algo_call.flags: the first argument that says how much room there is, and whether the last one is
 * the place of their number. */
enum { FIRST = 127, TOLD = 128 };
_Static_assert(MOST_ARGUMENTS <= FIRST, "an argument is a number of so many bits");

static int64_t room_in(const cpl_arg *args, size_t count, uint32_t flags, int64_t n)
{
    int64_t room = n;
    for (size_t i = flags & FIRST; i < count - !!(flags & TOLD); i++)
        if (args[i].length < room) room = args[i].length;
    return room;
}

static int64_t room_of(const plan_launch *l)
{
    return room_in(l->args, l->count, l->plan->flags, l->n);
}

static cpl_status rule(plan_launch *l)
{
    int64_t size = algo_piece_size(l->queue->device, l->n), count = divided(l->n, size);
    own_array(l, OWN_BEGUN, count + 1);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, count);
    own_number(l, OWN_RESULTS, room_of(l));
    for (size_t i = 0; i < l->plan->step_count; i++) l->steps[i].n = count;
    l->steps[1].n = 1;
    return CPL_OK;
}

/* --- the kernels --- */

static void add_condition(choosing *s, algo_step *to)
{
    STEP_BIND(&s->c, to, BIND_KEY);
    step_range(&s->c, to, 0, s->c.inputs);
}

static void add_counts(choosing *s)
{
    algo_step *to = step_new(&s->c, "cpl.choose.counts");
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_N, OWN_SIZE);
    add_condition(s, to);
}

void choose_add_starts(algo_call *c, size_t number)
{
    algo_step *to = step_new(c, "cpl.choose.starts");
    STEP_OWN(c, to, OWN_BEGUN);
    step_maybe(c, to, number);
    STEP_OWN(c, to, OWN_COUNT);
    step_flag(to, number != NO_ARGUMENT);
}

static void give_four(choosing *s, algo_step *to, size_t first, size_t count)
{
    for (size_t k = 0; k < SIDE; k++)
        if (k < count) step_given(&s->c, to, first + k);
        else step_flag(to, 0);
}

/* Of the arrays from the first on; and the numbers of elements. */
static void add_moves(choosing *s, size_t first, size_t count, bool order)
{
    algo_step *to = step_new(&s->c, s->parts ? "cpl.choose.parts" : "cpl.choose.keeps");
    give_four(s, to, s->outs + first, count);
    give_four(s, to, s->from + first, count);
    if (order) step_given(&s->c, to, s->order);
    else step_flag(to, 0);
    STEP_OWN(&s->c, to, OWN_BEGUN, OWN_N, OWN_SIZE, OWN_COUNT, OWN_RESULTS);
    step_flag(to, (int)count);
    step_flag(to, order);
    add_condition(s, to);
}

static void add_all_moves(choosing *s)
{
    size_t all = s->want.out_count;
    bool order = s->order != NO_ARGUMENT;
    for (size_t first = 0; first < all || order; first += SIDE, order = false)
        add_moves(s, first, all < first ? 0 : all - first < SIDE ? all - first : SIDE, order);
}

/* --- of few elements --- */

enum { FEW = 4096 }; /* one piece, whatever the device */

/* One round of one kernel, with no memory in between. */
static cpl_status keep_few(choosing *s, size_t number)
{
    cpl_kernel *k;
    algo_call *c = &s->c;
    algo_step *to = step_new(c, "cpl.choose.few");
    to->elements = 0;
    give_four(s, to, s->outs, s->want.out_count);
    give_four(s, to, s->from, s->want.out_count);
    step_maybe(c, to, s->order);
    step_maybe(c, to, number);
    STEP_OWN(c, to, OWN_N, OWN_RESULTS);
    step_flag(to, (int)s->want.out_count);
    step_flag(to, s->order != NO_ARGUMENT);
    step_flag(to, number != NO_ARGUMENT);
    add_condition(s, to);
    cpl_status status = step_kernel(c, to, &k);
    if (status) return status;
    return step_launch(c, to, k, (int64_t[]){c->n, room_in(c->p.args, c->p.count, c->flags, c->n)});
}

/* --- by tiles --- */

static int64_t state_words(int64_t tiles)
{
    return TILES_HEAD + tiles;
}

static cpl_status tiles_rule(plan_launch *l)
{
    int64_t tiles = divided(l->n, tiles_size(l->plan->flags));
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_COUNT, tiles);
    own_number(l, OWN_RESULTS, room_of(l));
    tiles_pass(l, tiles, state_words(tiles));
    return CPL_OK;
}

/* Behind that state there is of how many it holds. */
static cpl_status parts_rule(plan_launch *l)
{
    int64_t tiles = divided(l->n, tiles_size(l->plan->flags));
    cpl_status status = tiles_rule(l);
    own_array_of(l, OWN_BEGUN, NULL, state_words(tiles) + 1);
    l->steps[0].n = state_words(tiles) + 1;
    tiles_grid(l, 2, tiles);
    return status;
}

static void add_tally(choosing *s)
{
    algo_call *c = &s->c;
    algo_step *to = step_new(c, "cpl.choose.clear");
    STEP_OWN(c, to, OWN_BEGUN);
    to = tiles_step(c, "cpl.choose.tally");
    STEP_OWN(c, to, OWN_BEGUN, OWN_N, OWN_COUNT);
    STEP_BIND(c, to, BIND_GROUP, BIND_ITEMS, BIND_TILE);
    add_condition(s, to);
}

static cpl_status sift(choosing *s, size_t number)
{
    enum { CLEARED, KEPT, PARTS };
    algo_call *c = &s->c;
    int mode = PARTS;
    if (s->parts) add_tally(s);
    else {
        int64_t words = state_words(divided(c->n, tiles_size(c->flags)));
        mode = tiles_clear(c, "cpl.choose.clear", words) ? KEPT : CLEARED;
    }
    algo_step *to = tiles_step(c, "cpl.choose.sift");
    give_four(s, to, s->outs, s->want.out_count);
    give_four(s, to, s->from, s->want.out_count);
    step_maybe(c, to, s->order);
    step_maybe(c, to, number);
    STEP_OWN(c, to, OWN_BEGUN, OWN_N, OWN_COUNT, OWN_RESULTS);
    STEP_BIND(c, to, BIND_GROUP, BIND_ITEMS, BIND_TILE);
    step_flag(to, (int)s->want.out_count);
    step_flag(to, s->order != NO_ARGUMENT);
    step_flag(to, number != NO_ARGUMENT);
    step_flag(to, mode);
    add_condition(s, to);
    return steps_launch(c, NO_KEY, s->parts ? parts_rule : tiles_rule);
}

/* --- arguments --- */

static cpl_status bind_condition(choosing *s)
{
    const cpl_type *type;
    algo_call *c = &s->c;
    c->of_key = "cpl.chunks.of_condition";
    cpl_status status =
        op_elements(c, BIND_KEY, &s->want.condition, s->want.out_count, "conditions");
    if (!status) status = op_infer(c, BIND_KEY, &type);
    if (status || (type_is_scalar(type) && !type_is_void(type))) return status;
    return op_refuse(c, &s->want.condition, type, "conditions are bools or numbers");
}

static cpl_status check_moved(const choosing *s, size_t k)
{
    const algo_call *c = &s->c;
    cpl_context *cx = module_context(c->module);
    if (k >= c->inputs || c->p.args[k].kind != CPL_ARG_ARRAY)
        return context_report(cx, CPL_EARG, "result %zu is of argument %zu, which is no array", k,
                              k + 1);
    if (c->p.args[k].length >= c->n) return CPL_OK;
    return context_report(cx, CPL_EARG, "argument %zu has %lld element%s, and %lld are asked for",
                          k + 1, (long long)c->p.args[k].length, plural(c->p.args[k].length),
                          (long long)c->n);
}

/* Arrays once more, as what is moved: by their bits, as no condition sees them. */
static cpl_status place_moved(choosing *s, const cpl_arg *args)
{
    cpl_status status = CPL_OK;
    s->from = s->c.p.count;
    for (size_t k = 0; k < s->want.out_count && !status; k++) {
        status = check_moved(s, k);
        if (!status) status = place_more(&s->c.p, &args[k], NULL);
    }
    return status;
}

static cpl_status place_outs(choosing *s)
{
    char what[48];
    algo_call *c = &s->c;
    cpl_status status = CPL_OK;
    s->outs = c->p.count;
    for (size_t k = 0; k < s->want.out_count && !status; k++) {
        const cpl_type *type =
            arg_elements(context_types(module_context(c->module)), &c->p.args[k]);
        snprintf(what, sizeof what, "result %zu", k);
        status = algo_place(c, &s->want.out[k], type, s->parts ? c->n : 0, what);
    }
    s->order = status || !s->want.order ? NO_ARGUMENT : c->p.count;
    if (s->order == NO_ARGUMENT) return status;
    return algo_place_index(c, s->want.order, c->n - 1, s->parts ? c->n : 0, "the order");
}

static cpl_status place(choosing *s, const cpl_arg *args)
{
    algo_call *c = &s->c;
    cpl_status status = place_moved(s, args);
    if (!status) status = place_outs(s);
    if (status) return status;
    for (size_t i = s->from; i < c->p.count; i++) algo_move_bits(&c->p.args[i]);
    c->flags = (uint32_t)s->outs;
    return CPL_OK;
}

/* --- the calls --- */

/* number: takes of how many it holds; NULL: nobody asks. */
static cpl_status choose_to(algo_call *c, const cpl_arg *number)
{
    choosing *s = (choosing *)(void *)c; /* its first member */
    cpl_status status = CPL_OK;
    if (number) status = algo_place_number(c, number, "the place of the number of elements");
    if (!status) status = algo_check_results(c, s->outs);
    if (status) return status;
    if (number) c->flags |= TOLD;
    enum { SIFTED = 22 }; /* what sift has beside the inputs */
    bool one = s->want.out_count <= SIDE && c->n > 0 && c->inputs <= MOST_ARGUMENTS - SIFTED;
    size_t told = number ? c->p.count - 1 : NO_ARGUMENT;
    if (one && tiles_bind_choice(c)) return sift(s, told);
    if (one && !s->parts && !algo_target(c) && c->n <= FEW) return keep_few(s, told);
    add_counts(s);
    choose_add_starts(c, told);
    add_all_moves(s);
    return steps_launch(c, NO_KEY, rule);
}

static cpl_status choose(choosing *s, const cpl_arg *args)
{
    algo_call *c = &s->c;
    cpl_status status = algo_library(c, &algo_choose);
    if (!status) status = bind_condition(s);
    if (!status) status = place(s, args);
    return status ? status : reduce_number(c, s->want.number, choose_to);
}

static cpl_status run(choosing *s, cpl_module *module, const cpl_choice *choice,
                      const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    static const algo_load load = {"cpl_choose", 2, 1, false};
    cpl_launch_options room;
    cpl_choice_init(&s->want);
    if (MISSING("module choice args", module, choice, UNLESS_NONE(args, count))) return CPL_EARG;
    if (READ_STRUCT(&s->want, choice, cpl_choice)) return CPL_EARG;
    if (MISSING("choice->out", UNLESS_NONE(s->want.out, s->want.out_count))) return CPL_EARG;
    if (s->want.out_count > MOST)
        return context_report(module_context(module), CPL_ELIMIT,
                              "a condition chooses from %d arrays at most", MOST);
    cpl_status status =
        algo_begin(&s->c, &load, module, launch_options(options, &room), args, count);
    if (!status) status = choose(s, args);
    return algo_end(&s->c, status);
}

cpl_status cpl_compact(cpl_module *module, const cpl_choice *choice,
                       const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    choosing s;
    s.parts = false;
    return run(&s, module, choice, options, args, count);
}

cpl_status cpl_partition(cpl_module *module, const cpl_choice *choice,
                         const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    choosing s;
    s.parts = true;
    return run(&s, module, choice, options, args, count);
}
