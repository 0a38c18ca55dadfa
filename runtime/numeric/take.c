/* Elements at indices along an axis: a map over the results, whose source picks them. */
#include "runtime/numeric/numeric.h"

/* Dimensions `first` to end - 1 of an array, an operand, become the space's next ones. */
static void add_dims(space *s, size_t operand, const cpl_array *a, int first, int end)
{
    for (int d = first; d < end; d++, s->dims++) {
        s->shape[s->dims] = a->shape[d];
        for (size_t i = 0; i < s->count; i++) s->strides[i][s->dims] = 0;
        s->strides[operand][s->dims] = a->strides[d];
    }
}

/* Those of the indices in the place of the axis. */
static cpl_status lay_indices(numeric *x, const cpl_array *from, const cpl_array *indices, int axis)
{
    space *s = &x->s;
    cpl_context *cx = module_context(x->c.module);
    int dims = from->dims - 1 + indices->dims;
    if (dims > CPL_MAX_DIMS)
        return context_report(cx, CPL_EARG,
                              "an array has up to %d dimensions, and what is taken has %d",
                              CPL_MAX_DIMS, dims);
    x->takes = true;
    x->along = from->shape[axis];
    x->along_stride = from->strides[axis];
    s->dims = 0;
    s->count = x->c.inputs;
    for (size_t i = 0; i < s->count; i++) s->is_array[i] = x->c.p.args[i].kind == CPL_ARG_ARRAY;
    add_dims(s, 0, from, 0, axis);
    add_dims(s, 1, indices, 0, indices->dims);
    add_dims(s, 0, from, axis + 1, from->dims);
    return CPL_OK;
}

/* Behind the array: the indices, and how many elements they are of. */
static cpl_status place(numeric *x, cpl_array *indices, int64_t m)
{
    const cpl_arg more[] = {cpl_arg_of_array(indices),
                            {.kind = CPL_ARG_SCALAR, .dtype = CPL_INT64, .value.i = m}};
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < COUNT_OF(more) && !status; i++)
        status = place_more(&x->c.p, &more[i], i ? NULL : "the array of the indices");
    x->c.inputs = x->c.p.count;
    if (status || algo_is_index(&x->c.p.args[1])) return status;
    return algo_no_index(&x->c, &x->c.p.args[1], "the indices are");
}

/* Something is taken. */
static bool has_results(const numeric *x)
{
    for (int d = 0; d < x->s.dims; d++)
        if (!x->s.shape[d]) return false;
    return true;
}

/* --- with bounds_check --- */

/* Where indices point to: what is in front of all else, of two dimensions, however it lies. */
static void lay_pointed(numeric *x, size_t i, const numeric *of)
{
    cpl_arg *arg = &x->c.p.args[i];
    x->shapes[i][0] = of->along;
    x->strides[i][0] = of->along_stride;
    x->shapes[i][1] = 1;
    x->strides[i][1] = (int64_t)arg_element_size(arg);
    arg->dims = 2;
    arg->shape = x->shapes[i];
    arg->strides = x->strides[i];
    arg->stride = 0;
    arg->length = of->along;
}

/* Each index of a dense array by its number there. */
static cpl_status look_at(numeric *x, const numeric *of, cpl_array *from)
{
    const cpl_arg more[] = {{.kind = CPL_ARG_SCALAR, .dtype = CPL_INT64, .value.i = of->along},
                            cpl_arg_of_array(from)};
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < COUNT_OF(more) && !status; i++)
        status = place_more(&x->c.p, &more[i], NULL);
    if (status) return status;
    x->c.p.args[0].dims = 0;
    x->c.n = x->c.p.args[0].length;
    algo_move_bits(&x->c.p.args[2]);
    lay_pointed(x, 2, of);
    algo_step *s = step_new(&x->c, "cpl.numeric.take");
    step_range(&x->c, s, 0, 3);
    gather_bind(&x->c, GATHER_CHECKED);
    STEP_BIND(&x->c, s, BIND_FUNCTION);
    return numeric_launch(x);
}

static cpl_status look_at_dense(const numeric *of, cpl_array *from, cpl_array *indices)
{
    numeric x;
    const cpl_arg arg = cpl_arg_of_array(indices);
    cpl_status status = numeric_begin(&x, NULL, &of->o, NULL, &arg, 1);
    if (!status) status = look_at(&x, of, from);
    return numeric_end(&x, status);
}

/* Indices in their order, of which each points to an element. */
static cpl_status check_indices(const numeric *x, cpl_array *from, cpl_array *indices)
{
    const cpl_arg arg = cpl_arg_of_array(indices);
    cpl_array *dense;
    if (indices->contiguous) return look_at_dense(x, from, indices);
    cpl_status status =
        numeric_array(x, arg_elements(context_types(module_context(x->c.module)), &x->c.p.args[1]),
                      indices->dims, indices->shape, &dense);
    if (status) return status;
    status = numeric_copy(x, &arg, dense);
    if (!status) status = look_at_dense(x, from, dense);
    cpl_array_release(dense);
    return status;
}

/* --- the call --- */

static cpl_status take(numeric *x, cpl_array *from, cpl_array *indices, int axis,
                       gather_index index, cpl_array **out)
{
    cpl_context *cx = module_context(x->c.module);
    const cpl_type *type = arg_elements(context_types(cx), &x->c.p.args[0]);
    cpl_status status = numeric_axis(cx, from->dims, &axis);
    if (!status) status = place(x, indices, from->shape[axis]);
    if (!status) status = lay_indices(x, from, indices, axis);
    if (!status && *out) status = numeric_check_out(x, *out, type, x->s.dims, x->s.shape);
    bool some = !status && has_results(x);
    if (some && !x->along) status = gather_of_nothing(cx, indices->length);
    else if (some && index == GATHER_CHECKED) status = check_indices(x, from, indices);
    gather_bind(&x->c, index == GATHER_CHECKED ? GATHER_NEAREST : index);
    return status ? status : numeric_map(x, type, out);
}

cpl_status cpl_array_take(cpl_array *x, cpl_array *indices, int axis, cpl_index_mode mode,
                          const cpl_launch_options *options, cpl_array **out)
{
    numeric n;
    gather_index index;
    if (MISSING("x indices out", x, indices, out)) return CPL_EARG;
    const cpl_arg arg = cpl_arg_of_array(x);
    cpl_status status = numeric_begin(&n, NULL, options, *out, &arg, 1);
    if (!status) status = gather_mode(module_context(n.c.module), mode, &index);
    if (!status) status = take(&n, x, indices, axis, index, out);
    return numeric_end(&n, status);
}
