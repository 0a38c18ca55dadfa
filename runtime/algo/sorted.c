/* Searches and merges of sorted arrays, and sets of two. */
#include "runtime/algo/sort_int.h"
#include "lib/support/plural.h"

void cpl_sorted_spec_init(cpl_sorted_spec *spec)
{
    if (spec) *spec = (cpl_sorted_spec){.size = sizeof *spec};
}

enum { MOST = 16 }; /* arrays that are merged, keys among them */

/* A call's arguments are keys, the others' keys, then what else there is; results come last. */
typedef struct sorted_call {
    sorting s;
    cpl_sorted_spec spec;
    bool right;
    size_t count; /* arrays that are merged */
    cpl_set set;
} sorted_call;

/* --- what all have in common --- */

cpl_status sorted_begin(sorting *s, const sorted_order *order, cpl_module *module,
                        const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    cpl_sort_spec how;
    cpl_sort_spec_init(&how);
    how.before = order->before;
    how.flags = order->flags;
    static const algo_load load = {"cpl_sorted", 8, 1, false};
    cpl_status status = sort_begin(s, &load, module, options, args, count);
    if (!status) status = algo_library(&s->c, &algo_choose);
    if (!status) status = algo_library(&s->c, &algo_sorted);
    return status ? status : sort_bind(s, &how);
}

void sorted_move_bits(sorting *s, size_t arg)
{
    if (!s->compares) algo_move_bits(&s->c.p.args[arg]);
}

/* As the keys are. */
static cpl_status check_keys(const sorting *s, size_t i, const char *what)
{
    cpl_context *cx = module_context(s->c.module);
    const cpl_arg *arg = &s->c.p.args[i];
    if (arg->kind != CPL_ARG_ARRAY) return context_report(cx, CPL_EARG, "%s is no array", what);
    const cpl_type *type = arg_elements(context_types(cx), arg);
    if (type == s->key) return CPL_OK;
    return context_report(cx, CPL_EARG, "%s has elements of %s, and the keys are %s", what,
                          type->text, s->key->text);
}

static cpl_status begin(sorted_call *c, cpl_module *module, const cpl_launch_options *options,
                        const cpl_arg *args, size_t count)
{
    const sorted_order order = {c->spec.before, c->spec.flags};
    cpl_status status = sorted_begin(&c->s, &order, module, options, args, count);
    return status ? status : check_keys(&c->s, 1, "the other array");
}

static cpl_status read_spec(sorted_call *c, const cpl_sorted_spec *spec)
{
    cpl_sorted_spec_init(&c->spec);
    if (READ_STRUCT(&c->spec, spec, cpl_sorted_spec)) return CPL_EARG;
    return MISSING("spec->out", c->spec.out);
}

/* --- searches --- */

static cpl_status rule_search(plan_launch *l)
{
    own_number(l, OWN_RESULTS, l->args[0].length);
    l->steps[0].n = l->n;
    return CPL_OK;
}

static cpl_status launch_search(sorted_call *c)
{
    algo_call *call = &c->s.c;
    sorted_move_bits(&c->s, 0);
    sorted_move_bits(&c->s, 1);
    type_table *types = context_types(module_context(call->module));
    call->binds[BIND_TYPE] = cpl_bind_type(arg_elements(types, &call->p.args[0]));
    algo_step *to = step_new(call, "cpl.sorted.search");
    step_given(call, to, 2);
    step_range(call, to, 0, 2);
    STEP_OWN(call, to, OWN_RESULTS);
    STEP_BIND(call, to, BIND_TYPE);
    step_flag(to, c->right);
    merge_bind_how(&c->s, to);
    return steps_launch(call, NO_KEY, rule_search);
}

static cpl_status search(sorted_call *c, const cpl_launch_options *options)
{
    algo_call *call = &c->s.c;
    call->n = options->n == CPL_AUTO ? call->p.args[1].length : options->n;
    cpl_context *cx = module_context(call->module);
    if (call->p.args[1].length < call->n)
        return context_report(cx, CPL_EARG, "there %s %lld value%s, and %lld are asked for",
                              counted(call->p.args[1].length, "is", "are"),
                              (long long)call->p.args[1].length, plural(call->p.args[1].length),
                              (long long)call->n);
    cpl_status status = algo_place_index(call, c->spec.out, call->p.args[0].length, call->n,
                                         "the array of the results");
    if (!status) status = algo_check_results(call, 2);
    return status ? status : launch_search(c);
}

cpl_status cpl_search_sorted(cpl_module *module, const cpl_sorted_spec *spec,
                             const cpl_launch_options *given, const cpl_arg *keys,
                             const cpl_arg *values)
{
    sorted_call c;
    cpl_launch_options room;
    if (MISSING("module spec keys values", module, spec, keys, values)) return CPL_EARG;
    cpl_status status = read_spec(&c, spec);
    if (status) return status;
    const cpl_arg args[] = {*keys, *values};
    const cpl_launch_options *options = launch_options(given, &room);
    c.right = c.spec.flags & CPL_SORTED_RIGHT;
    c.spec.flags &= ~(uint64_t)CPL_SORTED_RIGHT;
    status = begin(&c, module, options, args, 2);
    if (!status) status = search(&c, options);
    return algo_end(&c.s.c, status);
}

/* --- merges --- */

static int64_t own_pieces(plan_launch *l)
{
    int64_t size = algo_piece_size(l->queue->device, l->n);
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_RESULTS, l->args[0].length);
    return divided(l->n, size);
}

static cpl_status rule_merge(plan_launch *l)
{
    l->steps[0].n = own_pieces(l);
    return CPL_OK;
}

/* Argument i of a merge: those of a and of b take turns, keys first. */
static void name_merged(size_t i, char *text, size_t size)
{
    snprintf(text, size, "array %zu of %s", i / 2, i % 2 ? "b" : "a");
}

/* As long as the keys that it goes along with, and of one type in a and b. */
static cpl_status check_merged(const sorted_call *c, size_t i)
{
    char what[48];
    const cpl_arg *args = c->s.c.p.args;
    cpl_context *cx = module_context(c->s.c.module);
    name_merged(i, what, sizeof what);
    if (args[i].kind != CPL_ARG_ARRAY) return context_report(cx, CPL_EARG, "%s is no array", what);
    const cpl_type *one = arg_elements(context_types(cx), &args[i - i % 2]),
                   *type = arg_elements(context_types(cx), &args[i]);
    if (type != one)
        return context_report(cx, CPL_EARG, "%s has elements of %s, and that of a %s", what,
                              type->text, one->text);
    if (args[i].length == args[i % 2].length) return CPL_OK;
    return context_report(cx, CPL_EARG, "%s has %lld element%s, and there %s %lld key%s", what,
                          (long long)args[i].length, plural(args[i].length),
                          counted(args[i % 2].length, "is", "are"), (long long)args[i % 2].length,
                          plural(args[i % 2].length));
}

static cpl_status place_merged(sorted_call *c)
{
    char what[48];
    algo_call *call = &c->s.c;
    cpl_status status = CPL_OK;
    type_table *types = context_types(module_context(call->module));
    for (size_t i = 0; i < 2 * c->count && !status; i++) status = check_merged(c, i);
    for (size_t k = 0; k < c->count && !status; k++) {
        snprintf(what, sizeof what, "result %zu", k);
        status = algo_place(call, &c->spec.out[k], arg_elements(types, &call->p.args[2 * k]),
                            call->n, what);
    }
    return status ? status : algo_check_results(call, 2 * c->count);
}

/* Of several arrays with the keys one kernel makes all results. */
static cpl_status launch_merge(sorted_call *c)
{
    algo_call *call = &c->s.c;
    size_t count = c->count;
    for (size_t i = 0; i < call->p.count; i++) {
        bool key = i < 2 || i == 2 * count;
        if (!key || !c->s.compares) algo_move_bits(&call->p.args[i]);
    }
    algo_step *to = step_new(call, "cpl.sorted.merge_arrays");
    step_range(call, to, 0, 2);
    STEP_OWN(call, to, OWN_RESULTS, OWN_N, OWN_SIZE);
    merge_bind_how(&c->s, to);
    step_range(call, to, 2 * count, 3 * count);
    for (size_t k = 0; k < count; k++) step_given(call, to, 2 * k);
    for (size_t k = 0; k < count; k++) step_given(call, to, 2 * k + 1);
    return steps_launch(call, NO_KEY, rule_merge);
}

/* n: all elements of both. */
static cpl_status count_both(algo_call *c)
{
    int64_t a = c->p.args[0].length, b = c->p.args[1].length;
    if (b > INT64_MAX - a)
        return context_report(module_context(c->module), CPL_ELIMIT,
                              "two arrays have more elements than there are");
    c->n = a + b;
    return CPL_OK;
}

static cpl_status merge(sorted_call *c)
{
    cpl_status status = count_both(&c->s.c);
    if (!status) status = place_merged(c);
    return status ? status : launch_merge(c);
}

cpl_status cpl_merge(cpl_module *module, const cpl_sorted_spec *spec,
                     const cpl_launch_options *options, const cpl_arg *a, const cpl_arg *b,
                     size_t count)
{
    sorted_call c;
    cpl_arg args[2 * MOST];
    cpl_launch_options room;
    if (MISSING("module spec a b", module, spec, a, b)) return CPL_EARG;
    cpl_status status = read_spec(&c, spec);
    if (status) return status;
    if (!count || count > MOST)
        return context_report(module_context(module), count ? CPL_ELIMIT : CPL_EARG,
                              "a merge is of 1 to %d arrays", MOST);
    for (size_t k = 0; k < count; k++) args[2 * k] = a[k], args[2 * k + 1] = b[k];
    c.count = count;
    status = begin(&c, module, launch_options(options, &room), args, 2 * count);
    if (!status) status = merge(&c);
    return algo_end(&c.s.c, status);
}

/* --- sets --- */

static cpl_status rule_set(plan_launch *l)
{
    int64_t count = own_pieces(l);
    own_number(l, OWN_COUNT, count);
    own_array(l, OWN_BEGUN, count + 1);
    l->steps[0].n = l->steps[2].n = count;
    l->steps[1].n = 1;
    return CPL_OK;
}

static void add_set(sorted_call *c, bool writes)
{
    algo_call *call = &c->s.c;
    algo_step *to = step_new(call, "cpl.sorted.set_items");
    step_maybe(call, to, writes ? 2 : NO_ARGUMENT);
    STEP_OWN(call, to, OWN_BEGUN);
    step_range(call, to, 0, 2);
    STEP_OWN(call, to, OWN_RESULTS, OWN_N, OWN_SIZE);
    step_flag(to, (int)c->set);
    step_flag(to, writes);
    merge_bind_how(&c->s, to);
}

/* number: takes how many results there are; NULL: nobody asks. */
static cpl_status set_to(algo_call *call, const cpl_arg *number)
{
    sorted_call *c = (sorted_call *)(void *)call; /* its first member's first */
    cpl_status status = CPL_OK;
    if (number) status = algo_place_number(call, number, "the place of the number of results");
    if (!status) status = algo_check_results(call, 2);
    if (status) return status;
    for (size_t i = 0; i < 3; i++) sorted_move_bits(&c->s, i);
    add_set(c, false);
    choose_add_starts(call, number ? 3 : NO_ARGUMENT);
    add_set(c, true);
    return steps_launch(call, NO_KEY, rule_set);
}

static cpl_status make_set(sorted_call *c)
{
    algo_call *call = &c->s.c;
    if ((unsigned)c->set > CPL_SET_SYMMETRIC_DIFFERENCE)
        return context_report(module_context(call->module), CPL_EARG, "there is no such set: %d",
                              (int)c->set);
    cpl_status status = count_both(call);
    if (!status) status = algo_place(call, c->spec.out, c->s.key, 0, "the array of the results");
    return status ? status : reduce_number(call, c->spec.number, set_to);
}

cpl_status cpl_set_of(cpl_module *module, const cpl_sorted_spec *spec,
                      const cpl_launch_options *options, cpl_set set, const cpl_arg *a,
                      const cpl_arg *b)
{
    sorted_call c;
    cpl_launch_options room;
    if (MISSING("module spec a b", module, spec, a, b)) return CPL_EARG;
    cpl_status status = read_spec(&c, spec);
    if (status) return status;
    const cpl_arg args[] = {*a, *b};
    c.set = set;
    status = begin(&c, module, launch_options(options, &room), args, 2);
    if (!status) status = make_set(&c);
    return algo_end(&c.s.c, status);
}
