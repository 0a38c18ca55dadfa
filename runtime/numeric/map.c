/* Element by element: one kernel over at most three indices, launched for each of those in front.
 */
#include "runtime/numeric/numeric.h"

static cpl_status launch(void *user, numeric *x, int64_t index)
{
    (void)user;
    (void)index;
    return numeric_launch(x);
}

/* Dimensions in the order in which results lie, so that they are written one behind the other. */
static void sort_dims(space *s)
{
    for (int d = 1; d < s->dims; d++) {
        int to = d;
        while (to > 0 && space_is_closer(s, to - 1, d)) to--;
        if (to < d) space_move(s, d, to);
    }
}

static void at_least_one(space *s)
{
    if (s->dims) return;
    s->dims = 1;
    s->shape[0] = 1;
    for (size_t i = 0; i < s->count; i++) s->strides[i][0] = 0;
}

static void add_step(numeric *x, int dims, size_t out)
{
    static const char *const functions[] = {"cpl.numeric.map1", "cpl.numeric.map2",
                                            "cpl.numeric.map3"};
    algo_step *s = step_new(&x->c, functions[dims - 1]);
    s->lanes = LANES_AS_ASKED;
    step_given(&x->c, s, out);
    STEP_BIND(&x->c, s, BIND_TYPE, BIND_SOURCE, BIND_FUNCTION);
    step_range(&x->c, s, 0, x->c.inputs);
}

/* The argument behind the inputs takes the results. */
static cpl_status run(numeric *x)
{
    static const char *const names[] = {"i", "j", "k"};
    uint32_t apart = 0;
    space_simplify(&x->s, &apart);
    sort_dims(&x->s);
    space_simplify(&x->s, &apart);
    at_least_one(&x->s);
    int dims = x->s.dims < KERNEL_DIMS ? x->s.dims : KERNEL_DIMS, from = x->s.dims - dims;
    cpl_status status =
        (x->takes ? numeric_source_along : numeric_source)(x, "i, j, k", names, from);
    if (status) return status;
    numeric_lay(x, from);
    x->c.n = x->c.p.args[x->c.inputs].length;
    add_step(x, dims, x->c.inputs);
    return numeric_each(x, from, launch, NULL);
}

/* Nothing is computed where there is nothing. */
static cpl_status into(numeric *x, cpl_array *out)
{
    const cpl_arg arg = cpl_arg_of_array(out);
    cpl_status status = place_more(&x->c.p, &arg, NUMERIC_PLACE);
    if (status) return status;
    cpl_arg *placed_out = &x->c.p.args[x->c.inputs];
    if (x->takes && x->c.p.args[0].dtype == placed_out->dtype) {
        algo_move_bits(&x->c.p.args[0]);
        algo_move_bits(placed_out);
    }
    x->c.binds[BIND_TYPE] =
        cpl_bind_type(arg_elements(context_types(module_context(x->c.module)), placed_out));
    status = space_add(&x->s, module_context(x->c.module), placed_out, out->dims);
    return status || !out->length ? status : run(x);
}

static cpl_status map_anew(numeric *x, const cpl_type *type, cpl_array **out)
{
    cpl_array *made;
    cpl_status status = numeric_array(x, type, x->s.dims, x->s.shape, &made);
    if (!status) status = into(x, made);
    if (!status) return numeric_give(x, made, out);
    cpl_array_release(made);
    return status;
}

/* Arguments may be repeated to fill the array that there is. */
static cpl_status fit(numeric *x, const cpl_array *out, const cpl_type *type)
{
    space whole = x->s;
    const cpl_arg shape = cpl_arg_array_nd(CPL_INT8, NULL, out->dims, out->shape, NULL);
    cpl_status status = space_add(&whole, module_context(x->c.module), &shape, out->dims);
    return status ? status : numeric_check_out(x, out, type, whole.dims, whole.shape);
}

/* What the results would overwrite while it is still to be read is read first. */
cpl_status numeric_map(numeric *x, const cpl_type *type, cpl_array **out)
{
    args_sharing share = ARGS_APART;
    if (!*out) return map_anew(x, type, out);
    cpl_status status = fit(x, *out, type);
    if (!status) status = numeric_share(x, *out, &share);
    if (status) return status;
    bool late = x->takes ? share != ARGS_APART : share == ARGS_CROSS;
    return late ? map_anew(x, type, out) : into(x, *out);
}

cpl_status cpl_array_map(cpl_module *module, const cpl_bind *f, const cpl_launch_options *options,
                         cpl_array **out, const cpl_arg *args, size_t count)
{
    numeric x;
    const cpl_type *type;
    if (MISSING("f out args", f, out, UNLESS_NONE(args, count))) return CPL_EARG;
    cpl_status status = numeric_begin(&x, module, options, *out, args, count);
    if (!status) status = numeric_function(&x, f);
    if (!status) status = numeric_type(&x, "cpl.numeric.value", &type);
    if (!status) status = numeric_map(&x, type, out);
    return numeric_end(&x, status);
}

cpl_status numeric_copy(const numeric *x, const cpl_arg *from, cpl_array *to)
{
    const cpl_bind same = cpl_bind_expression("lambda a: a");
    return cpl_array_map(NULL, &same, &x->o, &to, from, 1);
}

cpl_status numeric_give(const numeric *x, cpl_array *made, cpl_array **out)
{
    if (!*out) {
        *out = made;
        return CPL_OK;
    }
    const cpl_arg arg = cpl_arg_of_array(made);
    cpl_status status = numeric_copy(x, &arg, *out);
    cpl_array_release(made);
    return status;
}
