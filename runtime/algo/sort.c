/* Sorts: their arguments, and how more than one array goes along with the keys. */
#include "runtime/algo/sort_int.h"
#include "lib/support/plural.h"

void cpl_sort_spec_init(cpl_sort_spec *spec)
{
    if (spec) *spec = (cpl_sort_spec){.size = sizeof *spec};
}

void sort_move_bits(sorting *s)
{
    for (size_t i = 0; i < s->c.p.count; i++) {
        bool compared = s->compares && (i == 0 || i == s->outs);
        if (!compared) algo_move_bits(&s->c.p.args[i]);
    }
    if (!s->compares) s->key = algo_scalar(&s->c, algo_moved_as(s->key->dtype));
    if (s->value) s->value = algo_scalar(&s->c, algo_moved_as(s->value->dtype));
}

/* --- keys --- */

/* By the real part, then by the imaginary one; behind these numbers whose imaginary part alone is
 * NaN, then those whose real part is: NumPy's npy_sort.h. */
static const char lexical[] =
    "(a.imag == a.imag or b.imag != b.imag) if a.real < b.real else "
    "(a.imag == a.imag and b.imag != b.imag) if a.real > b.real else "
    "(a.imag < b.imag or (a.imag == a.imag and b.imag != b.imag)) "
    "if a.real == b.real or (a.real != a.real and b.real != b.real) else b.real != b.real";

bool sort_is_lexical(const sorting *s, const cpl_bind *before)
{
    return before->kind == CPL_BIND_NONE && type_is_complex(s->key);
}

cpl_status sort_bind(sorting *s, const cpl_sort_spec *spec)
{
    cpl_context *cx = module_context(s->c.module);
    const cpl_arg *keys = &s->c.p.args[0];
    if (!s->c.p.count || keys->kind != CPL_ARG_ARRAY)
        return context_report(cx, CPL_EARG, "there is no array of keys");
    s->key = arg_elements(context_types(cx), keys);
    if (spec->flags & ~(uint64_t)CPL_SORT_DESCENDING)
        return context_report(cx, CPL_EARG, "the flags of the sort are none that there are");
    s->c.binds[BIND_DESCENDING] = cpl_bind_integer((spec->flags & CPL_SORT_DESCENDING) != 0);
    cpl_sort_spec how = *spec;
    if (sort_is_lexical(s, &spec->before)) how.before = cpl_bind_expression(lexical);
    s->compares = how.before.kind != CPL_BIND_NONE;
    return s->compares ? merge_bind(s, &how) : radix_bind(s, &how);
}

/* Of what goes along, keys are the first. */
static void bind_types(sorting *s)
{
    sort_move_bits(s);
    s->c.binds[BIND_TYPE] = cpl_bind_type(s->key);
    s->c.binds[BIND_VALUE] = cpl_bind_type(s->value ? s->value : s->key);
}

static cpl_status launch(sorting *s)
{
    bind_types(s);
    if (s->compares) return merge_launch(s);
    return s->c.n > 0 && sweep_bind(s) ? sweep_launch(s) : radix_launch(s);
}

/* --- arguments --- */

static void name_argument(const sorting *s, size_t i, char *text, size_t size)
{
    size_t inputs = s->c.inputs;
    if (i == s->order) snprintf(text, size, "the order");
    else if (i == 0) snprintf(text, size, "the keys");
    else if (i < inputs) snprintf(text, size, "array %zu of the values", i);
    else snprintf(text, size, "result %zu", i - s->outs);
}

static bool is_written(const sorting *s, size_t i)
{
    return i >= s->c.inputs || !(s->c.flags & APART);
}

static cpl_status check_pair(const sorting *s, size_t i, size_t k)
{
    char one[48], other[48];
    if (!(is_written(s, i) || is_written(s, k)) || !algo_share(&s->c, i, k)) return CPL_OK;
    name_argument(s, k, one, sizeof one);
    name_argument(s, i, other, sizeof other);
    return context_report(module_context(s->c.module), CPL_EOVERLAP,
                          "%s and %s share memory, and a sort writes it", one, other);
}

cpl_status sort_check_apart(const sorting *s)
{
    cpl_status status = CPL_OK;
    for (size_t i = 1; i < s->c.p.count; i++)
        for (size_t k = 0; k < i && !status; k++) status = check_pair(s, i, k);
    return status;
}

cpl_status sort_check_length(const sorting *s, size_t i, int64_t n)
{
    char what[48];
    const cpl_arg *arg = &s->c.p.args[i];
    cpl_context *cx = module_context(s->c.module);
    name_argument(s, i, what, sizeof what);
    if (arg->kind != CPL_ARG_ARRAY) return context_report(cx, CPL_EARG, "%s is no array", what);
    if (arg->length >= n) return CPL_OK;
    return context_report(cx, CPL_EARG, "%s: there %s %lld element%s, and %lld are asked for", what,
                          counted(arg->length, "is", "are"), (long long)arg->length,
                          plural(arg->length), (long long)n);
}

static cpl_status place_outs(sorting *s, const cpl_arg *out)
{
    cpl_status status = CPL_OK;
    char what[48];
    s->outs = s->c.p.count;
    s->c.flags |= APART;
    for (size_t i = 0; i < s->c.inputs && !status; i++) {
        const cpl_type *t =
            arg_elements(context_types(module_context(s->c.module)), &s->c.p.args[i]);
        name_argument(s, s->outs + i, what, sizeof what);
        status = algo_place(&s->c, &out[i], t, s->c.n, what);
    }
    return status;
}

cpl_status sort_place_order(sorting *s, const cpl_arg *order, int64_t n)
{
    cpl_context *cx = module_context(s->c.module);
    size_t at = s->c.p.count;
    cpl_status status = algo_place_index(&s->c, order, s->c.n - 1, n, "the order");
    if (status) return status;
    s->order = at;
    s->value = arg_elements(context_types(cx), &s->c.p.args[at]);
    s->c.flags |= MODE_PLACES;
    return CPL_OK;
}

/* All arguments but the order. */
static cpl_status place(sorting *s, const cpl_sort_spec *spec)
{
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < s->c.inputs && !status; i++) status = sort_check_length(s, i, s->c.n);
    return status || !spec->out ? status : place_outs(s, spec->out);
}

/* What is sorted where it is. */
static cpl_status check_written(const sorting *s)
{
    cpl_status status = CPL_OK;
    char what[48];
    for (size_t i = 0; i < s->c.inputs && !status && !(s->c.flags & APART); i++) {
        name_argument(s, i, what, sizeof what);
        status = algo_check_written(&s->c, i, what);
    }
    return status;
}

/* --- more than goes along --- */

static cpl_status rule_gather(plan_launch *l)
{
    own_number(l, OWN_RESULTS, l->n);
    for (size_t i = 0; i < l->plan->step_count; i++) l->steps[i].n = l->n;
    return CPL_OK;
}

/* Arrays from the first on in the order that was found, to their results. */
static cpl_status gather_apart(sorting *s, size_t first, size_t count)
{
    const gather_arrays a = {s->order, s->outs + first, first, count, GATHER_KNOWN};
    s->c.step_count = 0;
    gather_step(&s->c, &a, "cpl.gather.take");
    return steps_launch(&s->c, NO_KEY, rule_gather);
}

static cpl_status rule_copied(plan_launch *l)
{
    const artifact_param *copied = &l->plan->steps[1].kernel->artifact.params[1];
    own_array_of(l, OWN_HEAD, copied->type->elem, l->n);
    return rule_gather(l);
}

/* One array in its place, by way of a copy. */
static cpl_status gather_in_place(sorting *s, size_t i)
{
    const cpl_type *type =
        arg_elements(context_types(module_context(s->c.module)), &s->c.p.args[i]);
    s->c.step_count = 0;
    algo_step *to = step_new(&s->c, "cpl.gather.take");
    step_given(&s->c, to, s->order);
    STEP_OWN(&s->c, to, OWN_RESULTS);
    gather_bind(&s->c, GATHER_KNOWN);
    STEP_BIND(&s->c, to, BIND_FUNCTION);
    sort_own(s, to, OWN_HEAD, type);
    step_given(&s->c, to, i);
    to = step_new(&s->c, "cpl.gather.copy");
    step_given(&s->c, to, i);
    sort_own(s, to, OWN_HEAD, type);
    return steps_launch(&s->c, NO_KEY, rule_copied);
}

/* The order, which somebody wants or of which an array is made. The caller's event comes behind the
 * last move. */
static cpl_status sort_places(sorting *s, const cpl_arg *order)
{
    const cpl_launch_options *given = s->c.options;
    s->quiet = *given;
    s->quiet.event = NULL;
    if (s->c.inputs > 1) s->c.options = &s->quiet;
    cpl_status status = sort_place_order(s, order, s->c.n);
    if (!status) status = sort_check_apart(s);
    if (!status) status = launch(s);
    size_t side = s->c.flags & APART ? GATHER_MOST : 1, left;
    for (size_t i = 1; i < s->c.inputs && !status; i += side) {
        left = s->c.inputs - i;
        if (left <= side) s->c.options = given;
        status = s->c.flags & APART ? gather_apart(s, i, left < side ? left : side)
                                    : gather_in_place(s, i);
    }
    s->c.options = given;
    return status;
}

static cpl_status sort_by_places(sorting *s)
{
    cpl_arg order = {.kind = CPL_ARG_ARRAY, .dtype = s->c.n > INT32_MAX ? CPL_INT64 : CPL_INT32};
    cpl_status status = algo_array(&s->c, s->c.n, &order);
    if (!status) status = sort_places(s, &order);
    cpl_array_release(order.array);
    return status;
}

/* Alone, or with one array of numbers. */
static cpl_status sort_directly(sorting *s)
{
    cpl_status status = sort_check_apart(s);
    if (!status && s->c.inputs == 2) s->c.flags |= MODE_VALUES;
    return status ? status : launch(s);
}

static bool goes_along(sorting *s)
{
    if (s->c.inputs == 1) return true;
    if (s->c.inputs > 2) return false;
    s->value = arg_elements(context_types(module_context(s->c.module)), &s->c.p.args[1]);
    return type_is_scalar(s->value);
}

/* --- the calls --- */

cpl_status sort_begin(sorting *s, const algo_load *load, cpl_module *module,
                      const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    s->outs = s->order = SIZE_MAX;
    s->value = NULL;
    cpl_status status = algo_begin(&s->c, load, module, options, args, count);
    if (!status) status = algo_library(&s->c, &algo_sort);
    return status ? status : algo_library(&s->c, &algo_gather);
}

static cpl_status sort(sorting *s, const cpl_sort_spec *spec)
{
    cpl_status status = sort_bind(s, spec);
    if (!status) status = place(s, spec);
    if (!status) status = check_written(s);
    if (status) return status;
    if (spec->order) return sort_places(s, spec->order);
    return goes_along(s) ? sort_directly(s) : sort_by_places(s);
}

static cpl_status argsort(sorting *s, const cpl_sort_spec *spec, const cpl_arg *order)
{
    cpl_status status = sort_bind(s, spec);
    if (!status) status = place(s, spec);
    s->c.flags |= APART | UNSEEN;
    return status ? status : sort_places(s, order);
}

cpl_status cpl_sort(cpl_module *module, const cpl_sort_spec *given,
                    const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    static const algo_load load = {"cpl_sort", 12, 0, true};
    sorting s;
    cpl_sort_spec spec;
    cpl_launch_options room;
    cpl_sort_spec_init(&spec);
    if (MISSING("module args", module, UNLESS_NONE(args, count))) return CPL_EARG;
    if (given && READ_STRUCT(&spec, given, cpl_sort_spec)) return CPL_EARG;
    cpl_status status = sort_begin(&s, &load, module, launch_options(options, &room), args, count);
    if (!status) status = sort(&s, &spec);
    return algo_end(&s.c, status);
}

cpl_status cpl_argsort(cpl_module *module, const cpl_sort_spec *given,
                       const cpl_launch_options *options, const cpl_arg *order, const cpl_arg *keys)
{
    static const algo_load load = {"cpl_argsort", 12, 1, false};
    sorting s;
    cpl_sort_spec spec;
    cpl_launch_options room;
    cpl_sort_spec_init(&spec);
    if (MISSING("module order keys", module, order, keys)) return CPL_EARG;
    if (given && READ_STRUCT(&spec, given, cpl_sort_spec)) return CPL_EARG;
    if (spec.out || spec.order)
        return thread_report(CPL_EARG, "spec->out and spec->order are NULL here: the argument "
                                       "'order' takes where keys were");
    cpl_status status = sort_begin(&s, &load, module, launch_options(options, &room), keys, 1);
    if (!status) status = argsort(&s, &spec, order);
    return algo_end(&s.c, status);
}
