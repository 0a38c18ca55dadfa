/* What has a name in NumPy: fills, and calls of the others with an expression. */
#include "runtime/numeric/numeric.h"

static cpl_context *context_of(const cpl_array *a)
{
    return a->storage->cx;
}

static const cpl_type *element_type(const cpl_array *a)
{
    const cpl_arg arg = {.dtype = a->dtype, .record = a->record};
    return arg_elements(context_types(context_of(a)), &arg);
}

/* --- arrays of numbers --- */

cpl_status cpl_array_fill(cpl_array *array, cpl_arg value, const cpl_launch_options *options)
{
    const cpl_bind same = cpl_bind_expression("lambda a: a");
    if (MISSING("array", array)) return CPL_EARG;
    cpl_launch_options room;
    options = launch_options(options, &room);
    if (!options) return CPL_EARG;
    cpl_launch_options o = *options;
    if (!o.queue && !(o.queue = cpl_device_queue(array->storage->home)))
        return device_no_queue(array->storage->home);
    return cpl_array_map(NULL, &same, &o, &array, &value, 1);
}

/* Of an array as one dimension, where its elements lie side by side. */
static cpl_status numbered(numeric *x, cpl_array *array, const cpl_launch_options *options,
                           const cpl_arg *numbers)
{
    enum { COUNT = 3 };
    cpl_arg args[COUNT] = {cpl_arg_of_array(array), numbers[0], numbers[1]};
    cpl_status status = numeric_begin(x, NULL, options, array, args, COUNT);
    if (status) return status;
    cpl_context *cx = module_context(x->c.module);
    const cpl_arg *out = &x->c.p.args[0];
    x->c.n = out->length;
    x->c.binds[BIND_TYPE] = cpl_bind_type(arg_elements(context_types(cx), out));
    if (out->record || out->dtype == CPL_BOOL)
        return context_report(cx, CPL_EARG, "elements are no numbers");
    for (size_t i = 1; i < COUNT; i++)
        if (numbers[i - 1].kind == CPL_ARG_ARRAY)
            return context_report(cx, CPL_EARG, "argument %zu is no number", i + 1);
    if (out->dims < 2 || array->contiguous) return CPL_OK;
    return context_report(cx, CPL_EARG,
                          "an array of %d dimensions with gaps between its elements is not filled "
                          "one element after the other",
                          out->dims);
}

cpl_status cpl_array_arange(cpl_array *array, cpl_arg start, cpl_arg step,
                            const cpl_launch_options *options)
{
    numeric x;
    const cpl_arg numbers[] = {start, step};
    if (MISSING("array", array)) return CPL_EARG;
    cpl_status status = numbered(&x, array, options, numbers);
    if (!status) {
        algo_step *s = step_new(&x.c, "cpl.numeric.line");
        s->lanes = LANES_AS_ASKED;
        step_range(&x.c, s, 0, x.c.p.count);
        STEP_BIND(&x.c, s, BIND_TYPE);
        status = numeric_launch(&x);
    }
    return numeric_end(&x, status);
}

static cpl_status space_evenly(numeric *x, const cpl_array *array, bool endpoint)
{
    const cpl_arg count = {.kind = CPL_ARG_SCALAR,
                           .dtype = CPL_INT64,
                           .value.i = array->length - endpoint};
    cpl_status status = place_more(&x->c.p, &count, NULL);
    if (status) return status;
    algo_step *s = step_new(&x->c, "cpl.numeric.evenly");
    s->lanes = LANES_AS_ASKED;
    step_range(&x->c, s, 0, x->c.p.count);
    step_flag(s, endpoint);
    step_flag(s, array->dtype < CPL_FLOAT16);
    STEP_BIND(&x->c, s, BIND_TYPE);
    return numeric_launch(x);
}

cpl_status cpl_array_linspace(cpl_array *array, double start, double stop, bool endpoint,
                              const cpl_launch_options *options)
{
    numeric x;
    const cpl_arg numbers[] = {{.kind = CPL_ARG_SCALAR, .dtype = CPL_FLOAT64, .value.f = start},
                               {.kind = CPL_ARG_SCALAR, .dtype = CPL_FLOAT64, .value.f = stop}};
    if (MISSING("array", array)) return CPL_EARG;
    cpl_status status = numbered(&x, array, options, numbers);
    if (!status) status = space_evenly(&x, array, endpoint);
    return numeric_end(&x, status);
}

/* --- slices --- */

/* Elements first to end - 1 along an axis. */
static cpl_status slice(cpl_array *a, int axis, int64_t first, int64_t end, cpl_array **view)
{
    cpl_slice slices[CPL_MAX_DIMS];
    for (int d = 0; d < axis; d++) slices[d] = cpl_slice_all();
    slices[axis] = cpl_slice_range(first, end, 1);
    return cpl_array_slice(a, slices, (size_t)axis + 1, view);
}

/* --- one behind the other --- */

static cpl_status check_alike(const cpl_array *a, const cpl_array *b, int axis)
{
    bool alike = a->dims == b->dims;
    if (context_of(a) != context_of(b))
        return context_report(context_of(a), CPL_EARG, "an array belongs to another context");
    for (int d = 0; alike && d < a->dims; d++) alike = d == axis || a->shape[d] == b->shape[d];
    if (alike) return CPL_OK;
    return context_report(context_of(a), CPL_EARG,
                          "arrays that come one behind the other differ along that dimension "
                          "alone");
}

static bool is_number(const cpl_type *t)
{
    return type_is_scalar(t) || type_is_complex(t);
}

/* What all of them come to, as elements of sums do. */
static cpl_status common_type(numeric *x, cpl_array *const *arrays, size_t count,
                              const cpl_type **type)
{
    const cpl_bind sum = cpl_bind_expression("lambda a, b: a + b");
    cpl_status status = CPL_OK;
    *type = element_type(arrays[0]);
    for (size_t i = 1; i < count && !status; i++) {
        const cpl_type *other = element_type(arrays[i]);
        if (other == *type) continue;
        if (!is_number(*type) || !is_number(other))
            return context_report(context_of(arrays[0]), CPL_EARG,
                                  "arrays of %s and %s have no type in common", (*type)->text,
                                  other->text);
        x->c.p.args[0] = cpl_arg_array((*type)->dtype, NULL, 0);
        x->c.p.args[1] = cpl_arg_array(other->dtype, NULL, 0);
        status = numeric_function(x, &sum);
        if (!status) status = numeric_type(x, "cpl.numeric.value", type);
    }
    return status;
}

static cpl_status copy_in(const numeric *x, cpl_array *from, cpl_array *to, int axis, int64_t at)
{
    cpl_array *part;
    cpl_status status = slice(to, axis, at, at + from->shape[axis], &part);
    if (status) return status;
    const cpl_arg arg = cpl_arg_of_array(from);
    status = numeric_copy(x, &arg, part);
    cpl_array_release(part);
    return status;
}

static cpl_status concatenate(numeric *x, cpl_array *const *arrays, size_t count, int axis,
                              cpl_array **out)
{
    const cpl_type *type;
    cpl_array *made = NULL;
    int64_t shape[CPL_MAX_DIMS], at = 0;
    int dims = arrays[0]->dims;
    cpl_status status = numeric_axis(context_of(arrays[0]), dims, &axis);
    for (size_t i = 1; i < count && !status; i++) status = check_alike(arrays[0], arrays[i], axis);
    if (!status) status = common_type(x, arrays, count, &type);
    if (status) return status;
    memcpy(shape, arrays[0]->shape, sizeof shape);
    for (size_t i = 1; i < count; i++) shape[axis] += arrays[i]->shape[axis];
    if (*out) status = numeric_check_out(x, *out, type, dims, shape);
    if (!status) status = numeric_array(x, type, dims, shape, &made);
    for (size_t i = 0; i < count && !status; at += arrays[i++]->shape[axis])
        status = copy_in(x, arrays[i], made, axis, at);
    if (!status) return numeric_give(x, made, out);
    cpl_array_release(made);
    return status;
}

cpl_status cpl_array_concatenate(cpl_array *const *arrays, size_t count, int axis,
                                 const cpl_launch_options *options, cpl_array **out)
{
    numeric x;
    if (MISSING("arrays out", arrays, out)) return CPL_EARG;
    if (!count) return thread_report(CPL_EARG, "there are no arrays to put behind each other");
    for (size_t i = 0; i < count; i++)
        if (!arrays[i]) return thread_report(CPL_EARG, "array %zu of 'arrays' is NULL", i);
    const cpl_arg two[] = {cpl_arg_of_array(arrays[0]), cpl_arg_of_array(arrays[0])};
    cpl_status status = numeric_begin(&x, NULL, options, *out, two, COUNT_OF(two));
    if (!status) status = concatenate(&x, arrays, count, axis, out);
    return numeric_end(&x, status);
}

/* --- expressions --- */

static cpl_status call(const char *text, const cpl_launch_options *options, cpl_array **out,
                       const cpl_arg *args, size_t count)
{
    const cpl_bind f = cpl_bind_expression(text);
    return cpl_array_map(NULL, &f, options, out, args, count);
}

cpl_status cpl_array_where(cpl_arg condition, cpl_arg x, cpl_arg y,
                           const cpl_launch_options *options, cpl_array **out)
{
    const cpl_arg args[] = {condition, x, y};
    return call("lambda c, a, b: a if c else b", options, out, args, COUNT_OF(args));
}

static cpl_status reduce(const cpl_reduce_spec *spec, const cpl_launch_options *options,
                         uint32_t axes, cpl_array **out, cpl_array *x)
{
    const cpl_arg arg = cpl_arg_of_array(x);
    return cpl_array_reduce(NULL, spec, options, axes, out, &arg, 1);
}

cpl_status cpl_array_sum(cpl_array *x, uint32_t axes, const cpl_launch_options *options,
                         cpl_array **out)
{
    cpl_reduce_spec spec;
    if (MISSING("x", x)) return CPL_EARG;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    return reduce(&spec, options, axes, out, x);
}

/* What has no least or greatest. */
static cpl_status check_there(const cpl_array *x, uint32_t axes, const char *what)
{
    bool empty = false, results = true;
    for (int d = 0; d < x->dims; d++) {
        if (axes >> d & 1) empty |= !x->shape[d];
        else results &= x->shape[d] != 0;
    }
    if (!empty || !results) return CPL_OK;
    return context_report(context_of(x), CPL_EARG, "there is no %s of no elements", what);
}

/* What of two elements stays; in floats NaN, which is neither less nor greater. */
typedef struct extreme {
    const char *name, *of_whole, *of_floats, *neutral;
} extreme;

static cpl_status find_extreme(const extreme *e, const cpl_launch_options *options, uint32_t axes,
                               cpl_array **out, cpl_array *x)
{
    cpl_reduce_spec spec;
    if (MISSING("x", x)) return CPL_EARG;
    cpl_status status = check_there(x, axes, e->name);
    if (status) return status;
    bool floats = !x->record && x->dtype >= CPL_FLOAT16;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression(floats ? e->of_floats : e->of_whole);
    if (floats) spec.neutral = cpl_bind_expression(e->neutral);
    spec.flags = CPL_REDUCE_COMMUTES;
    spec.type = element_type(x);
    return reduce(&spec, options, axes, out, x);
}

cpl_status cpl_array_min(cpl_array *x, uint32_t axes, const cpl_launch_options *options,
                         cpl_array **out)
{
    static const extreme least = {"minimum", "min(a, b)", "b if b < a or b != b else a",
                                  "INFINITY"};
    return find_extreme(&least, options, axes, out, x);
}

cpl_status cpl_array_max(cpl_array *x, uint32_t axes, const cpl_launch_options *options,
                         cpl_array **out)
{
    static const extreme greatest = {"maximum", "max(a, b)", "b if b > a or b != b else a",
                                     "-INFINITY"};
    return find_extreme(&greatest, options, axes, out, x);
}

cpl_status cpl_array_dot(cpl_array *x, cpl_array *y, const cpl_launch_options *options,
                         cpl_array **out)
{
    cpl_reduce_spec spec;
    if (MISSING("x y", x, y)) return CPL_EARG;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    spec.map = cpl_bind_expression("lambda x, y: x*y");
    const cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_of_array(y)};
    return cpl_array_reduce(NULL, &spec, options, CPL_ALL_AXES, out, args, COUNT_OF(args));
}

cpl_status cpl_array_cumsum(cpl_array *x, int axis, const cpl_launch_options *options,
                            cpl_array **out)
{
    cpl_scan_spec spec;
    if (MISSING("x", x)) return CPL_EARG;
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    if (type_is_float(element_type(x))) /* which leaves -0.0 as it is */
        spec.neutral = cpl_bind_expression("-0.0");
    const cpl_arg arg = cpl_arg_of_array(x);
    return cpl_array_scan(NULL, &spec, options, axis, out, &arg, 1);
}

/* --- neighbours --- */

/* The elements along a dimension but for the last one, and but for the first one. */
typedef struct neighbours {
    cpl_array *low, *high;
} neighbours;

static cpl_status neighbours_of(cpl_array *a, int axis, neighbours *n)
{
    *n = (neighbours){NULL, NULL};
    int64_t count = a->shape[axis], first = count > 0;
    cpl_status status = slice(a, axis, 0, count - first, &n->low);
    return status ? status : slice(a, axis, first, count, &n->high);
}

static void neighbours_free(const neighbours *n)
{
    cpl_array_release(n->low);
    cpl_array_release(n->high);
}

static cpl_status diff_once(cpl_array *x, int axis, const cpl_launch_options *options,
                            cpl_array **out)
{
    neighbours n;
    cpl_status status = neighbours_of(x, axis, &n);
    if (!status) {
        const cpl_arg args[] = {cpl_arg_of_array(n.low), cpl_arg_of_array(n.high)};
        const char *text =
            !x->record && x->dtype == CPL_BOOL ? "lambda a, b: b != a" : "lambda a, b: b - a";
        status = call(text, options, out, args, COUNT_OF(args));
    }
    neighbours_free(&n);
    return status;
}

/* As often as elements are there, and at least twice, is as often as one likes. */
static int fewest(const cpl_array *x, int times, int axis)
{
    int64_t most = x->shape[axis] < 2 ? 2 : x->shape[axis];
    return times < most ? times : (int)most;
}

static cpl_status diff(cpl_array *x, int times, int axis, const cpl_launch_options *options,
                       cpl_array **out)
{
    cpl_array *from = x;
    cpl_status status = CPL_OK;
    cpl_launch_options quiet = *options;
    quiet.event = NULL;
    for (int left = fewest(x, times, axis); left > 1 && !status; left--) {
        cpl_array *step = NULL;
        status = diff_once(from, axis, &quiet, &step);
        if (from != x) cpl_array_release(from);
        from = step;
    }
    if (!status) status = diff_once(from, axis, options, out);
    if (from != x) cpl_array_release(from);
    return status;
}

cpl_status cpl_array_diff(cpl_array *x, int times, int axis, const cpl_launch_options *options,
                          cpl_array **out)
{
    cpl_launch_options room;
    if (MISSING("x out", x, out)) return CPL_EARG;
    options = launch_options(options, &room);
    if (!options) return CPL_EARG;
    if (times < 0)
        return context_report(context_of(x), CPL_EARG, "differences are taken %d times", times);
    cpl_status status = numeric_axis(context_of(x), x->dims, &axis);
    if (status) return status;
    const cpl_arg arg = cpl_arg_of_array(x);
    if (!times) return call("lambda a: a", options, out, &arg, 1);
    return diff(x, times, axis, options, out);
}

static cpl_status trapezia(const char *text, int axis, const cpl_launch_options *options,
                           cpl_array **out, const cpl_arg *args, size_t count)
{
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    spec.map = cpl_bind_expression(text);
    return cpl_array_reduce(NULL, &spec, options, 1u << axis, out, args, count);
}

/* The dimension of x that lies over that of y. */
static cpl_status trapz_at(const neighbours *of_y, cpl_array *x, int dims, int axis,
                           const cpl_launch_options *options, cpl_array **out)
{
    neighbours n = {NULL, NULL};
    int own = axis - dims;
    cpl_status status = numeric_axis(context_of(x), x->dims, &own);
    if (!status) status = neighbours_of(x, own, &n);
    if (!status) {
        const cpl_arg args[] = {cpl_arg_of_array(of_y->low), cpl_arg_of_array(of_y->high),
                                cpl_arg_of_array(n.low), cpl_arg_of_array(n.high)};
        status = trapezia("lambda a, b, u, v: (v - u)*(b + a)/2.0", axis, options, out, args,
                          COUNT_OF(args));
    }
    neighbours_free(&n);
    return status;
}

cpl_status cpl_array_trapz(cpl_array *y, cpl_array *x, double dx, int axis,
                           const cpl_launch_options *options, cpl_array **out)
{
    neighbours n;
    if (MISSING("y out", y, out)) return CPL_EARG;
    cpl_status status = numeric_axis(context_of(y), y->dims, &axis);
    if (status) return status;
    status = neighbours_of(y, axis, &n);
    if (!status && x) status = trapz_at(&n, x, y->dims, axis, options, out);
    else if (!status) {
        const cpl_arg args[] = {cpl_arg_of_array(n.low), cpl_arg_of_array(n.high),
                                cpl_arg_float(dx)};
        status =
            trapezia("lambda a, b, d: d*(b + a)/2.0", axis, options, out, args, COUNT_OF(args));
    }
    neighbours_free(&n);
    return status;
}
