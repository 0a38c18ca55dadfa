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
    for (size_t i = 0; i < COUNT_OF(more) && !status; i++) status = place_more(&x->c.p, &more[i]);
    x->c.inputs = x->c.p.count;
    if (status || algo_is_index(&x->c.p.args[1])) return status;
    return context_report(module_context(x->c.module), CPL_EARG,
                          "the indices are no array of int32 or int64");
}

/* Something is to be taken, and there is nothing. */
static bool lacks(const numeric *x)
{
    bool results = true;
    for (int d = 0; d < x->s.dims; d++) results &= x->s.shape[d] != 0;
    return results && !x->along;
}

static cpl_status take(numeric *x, const cpl_array *from, cpl_array *indices, int axis,
                       cpl_array **out)
{
    cpl_context *cx = module_context(x->c.module);
    const cpl_type *type = arg_elements(context_types(cx), &x->c.p.args[0]);
    cpl_status status = numeric_axis(cx, from->dims, &axis);
    if (!status) status = place(x, indices, from->shape[axis]);
    if (!status) status = lay_indices(x, from, indices, axis);
    if (!status && *out) status = numeric_check_out(x, *out, type, x->s.dims, x->s.shape);
    if (!status && lacks(x)) status = gather_of_nothing(cx, indices->length);
    return status ? status : numeric_map(x, type, out);
}

cpl_status cpl_array_take(cpl_array *x, cpl_array *indices, int axis, cpl_index_mode mode,
                          const cpl_launch_options *options, cpl_array **out)
{
    numeric n;
    gather_index index;
    if (!x || !indices || !out) return BAD_CALL;
    const cpl_arg arg = cpl_arg_of_array(x);
    cpl_status status = numeric_begin(&n, NULL, options, *out, &arg, 1);
    if (!status) status = gather_mode(module_context(n.c.module), mode, &index);
    if (!status) {
        gather_bind(&n.c, index);
        status = take(&n, x, indices, axis, out);
    }
    return numeric_end(&n, status);
}
