/* Calls: where they run, what is computed of the elements, and where results go. */
#include "runtime/numeric/numeric.h"

/* --- where --- */

/* Of a call without a module. */
static cpl_context *context_for(const cpl_launch_options *options, const cpl_array *out,
                                const cpl_arg *args, size_t count)
{
    if (out) return out->storage->cx;
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY && args[i].array) return args[i].array->storage->cx;
    return options->queue ? options->queue->device->cx : NULL;
}

/* Of no arrays but the one for the results that one's home; of none that the call knows the host.
 */
static cpl_queue *queue_for(const cpl_launch_options *o, const cpl_array *out, const cpl_arg *args,
                            size_t count)
{
    if (o->queue || !out || args_have_arrays(args, count)) return o->queue;
    return cpl_device_queue(out->storage->home);
}

static int dims_of(const cpl_arg *arg)
{
    if (arg->kind != CPL_ARG_ARRAY) return 0;
    return arg->array ? arg->array->dims : (int)arg_dims(arg);
}

static cpl_status lay_all(numeric *x, const cpl_arg *args)
{
    cpl_status status = CPL_OK;
    x->takes = false;
    x->s.dims = 0;
    x->s.count = 0;
    for (size_t i = 0; i < x->c.inputs && !status; i++)
        status = space_add(&x->s, module_context(x->c.module), &x->c.p.args[i], dims_of(&args[i]));
    return status;
}

cpl_status numeric_begin(numeric *x, cpl_module *module, const cpl_launch_options *options,
                         const cpl_array *out, const cpl_arg *args, size_t count)
{
    static const algo_load load = {"cpl_array", 1, 1, false};
    cpl_launch_options room;
    x->c.p.count = 0;
    options = launch_options(options, &room);
    if (!options) return CPL_EARG;
    cpl_context *cx = module ? module_context(module) : context_for(options, out, args, count);
    if (!cx) return thread_report(CPL_EARG, "neither a module nor an array says where to compute");
    if (!module && options->queue && options->queue->device->cx != cx)
        return context_report(cx, CPL_EARG, "the queue belongs to another context than the array");
    cpl_status status = module ? CPL_OK : runtime_module(cx, &module);
    if (status) return status;
    if (count >= MOST_OPERANDS)
        return context_report(cx, CPL_ELIMIT, "an expression takes %d arguments at most",
                              MOST_OPERANDS - 1);
    x->event = options->event;
    cpl_launch_options_init(&x->o);
    x->o.n = 0; /* the space has what there is */
    x->o.interpret = options->interpret;
    x->o.choose = options->choose;
    x->o.queue = queue_for(options, out, args, count);
    status = algo_begin(&x->c, &load, module, &x->o, args, count);
    if (!status) status = algo_library(&x->c, &algo_numeric);
    if (status) return status;
    x->o.queue = x->c.p.queue;
    x->o.automatic = x->c.p.moves;
    return lay_all(x, args);
}

cpl_status numeric_end(numeric *x, cpl_status status)
{
    status = algo_end(&x->c, status);
    return status || !x->event ? status : cpl_queue_record(x->c.p.queue, x->event);
}

/* --- the function of elements --- */

enum { PER_ARGUMENT = 64 }; /* characters for each in a text */

/* "lambda PARAMETERS, x0, x1" */
static int begin_lambda(char *text, const char *parameters, size_t inputs)
{
    int n = sprintf(text, "lambda %s", parameters);
    for (size_t i = 0; i < inputs; i++) n += sprintf(text + n, i || n > 7 ? ", x%zu" : "x%zu", i);
    return n;
}

static cpl_status bind_text(numeric *x, algo_bind to, const char *text)
{
    const char *kept = module_text(x->c.module, text);
    x->c.binds[to] = cpl_bind_expression(kept);
    return kept ? CPL_OK : context_no_memory(module_context(x->c.module));
}

cpl_status numeric_function(numeric *x, const cpl_bind *f)
{
    char text[MOST_OPERANDS * PER_ARGUMENT];
    cpl_context *cx = module_context(x->c.module);
    x->c.binds[BIND_FUNCTION] = *f;
    if (op_calls(f)) return context_check_bind(cx, "the function of elements", f);
    if (f->kind != CPL_BIND_NONE)
        return context_report(cx, CPL_EARG,
                              "the function of elements is no expression and no "
                              "function");
    if (!x->c.inputs)
        return context_report(cx, CPL_EARG, "there is no array to take elements from");
    strcpy(text + begin_lambda(text, "", x->c.inputs), ": x0");
    return bind_text(x, BIND_FUNCTION, text);
}

/* The names of dimensions along which there are other elements, with `between` in front. */
static int places_text(char *text, const numeric *x, size_t i, const char *const *names, int from,
                       const char *between)
{
    int n = 0;
    for (int d = from; d < x->s.dims; d++) {
        if (!x->s.strides[i][d]) continue;
        n += sprintf(text + n, "%s%s", between, names[d - from]);
        between = ", ";
    }
    return n;
}

/* "x3[i, k]": the element there. */
static int element_text(char *text, const numeric *x, size_t i, const char *const *names, int from)
{
    int n = sprintf(text, "x%zu", i), first = n;
    if (!x->s.is_array[i]) return n;
    n += places_text(text + n, x, i, names, from, "[");
    return n + sprintf(text + n, n == first ? "[0]" : "]");
}

cpl_status numeric_source(numeric *x, const char *parameters, const char *const *names, int from)
{
    char text[MOST_OPERANDS * PER_ARGUMENT], of[PER_ARGUMENT];
    snprintf(of, sizeof of, "%s, f", parameters);
    int n = begin_lambda(text, of, x->c.inputs);
    n += sprintf(text + n, ": f(");
    for (size_t i = 0; i < x->c.inputs; i++) {
        if (i) n += sprintf(text + n, ", ");
        n += element_text(text + n, x, i, names, from);
    }
    sprintf(text + n, ")");
    return bind_text(x, BIND_SOURCE, text);
}

/* "x0[f(x1[j], x2), i]". Where all lie in one place, lay has a last dimension that says so. */
cpl_status numeric_source_along(numeric *x, const char *parameters, const char *const *names,
                                int from)
{
    char text[MOST_OPERANDS * PER_ARGUMENT], of[PER_ARGUMENT];
    snprintf(of, sizeof of, "%s, f", parameters);
    int n = begin_lambda(text, of, x->c.inputs);
    n += sprintf(text + n, ": x0[f(");
    n += element_text(text + n, x, 1, names, from);
    n += sprintf(text + n, ", x2)");
    int places = places_text(text + n, x, 0, names, from, ", ");
    n += places;
    sprintf(text + n, places || x->along_stride ? "]" : ", 0]");
    return bind_text(x, BIND_SOURCE, text);
}

cpl_status numeric_type(numeric *x, const char *function, const cpl_type **type)
{
    cpl_arg all[MOST_ARGUMENTS];
    size_t count = 0;
    cpl_status status = numeric_source(x, "i, j, k", NULL, x->s.dims);
    while (count < KERNEL_DIMS)
        all[count++] = (cpl_arg){.kind = CPL_ARG_SCALAR, .dtype = CPL_INT64};
    all[count++] = cpl_arg_bound(&x->c.binds[BIND_SOURCE]);
    all[count++] = cpl_arg_bound(&x->c.binds[BIND_FUNCTION]);
    memcpy(all + count, x->c.p.args, x->c.inputs * sizeof *all);
    kernel_request r = {.module = x->c.module,
                        .function = function,
                        .form = CPL_FORM_FUNCTION,
                        .args = all,
                        .count = count + x->c.inputs};
    inferred found = {0};
    if (!status) status = infer_for_args(&r, &found);
    *type = found.type;
    x->c.nodes = found.nodes;
    if (status || ((type_is_scalar(*type) || type_is_struct(*type)) && !type_is_void(*type)))
        return status;
    return op_refuse(&x->c, &x->c.binds[BIND_FUNCTION], *type, "elements are numbers or structs");
}

/* --- parts of the space --- */

static void lay_dim(numeric *x, size_t i, int *dims, int64_t count, int64_t stride)
{
    x->shapes[i][*dims] = count;
    x->strides[i][(*dims)++] = stride;
    x->c.p.args[i].length *= count;
}

/* Contiguous ones in the form in which all are alike. */
static void lay(numeric *x, size_t i, int from)
{
    int dims = 0;
    cpl_arg *arg = &x->c.p.args[i];
    int64_t size = (int64_t)arg_element_size(arg);
    bool along = x->takes && !i;
    arg->length = 1;
    if (along) lay_dim(x, i, &dims, x->along, x->along_stride);
    for (int d = from; d < x->s.dims; d++)
        if (x->s.strides[i][d]) lay_dim(x, i, &dims, x->s.shape[d], x->s.strides[i][d]);
    if (along && dims == 1 && !x->along_stride) lay_dim(x, i, &dims, 1, size);
    bool dense = dims == 1 && x->strides[i][0] == size;
    arg->dims = dims > 1 ? dims : 0;
    arg->shape = x->shapes[i];
    arg->strides = x->strides[i];
    arg->stride = dims == 1 && !dense ? x->strides[i][0] : 0;
}

void numeric_lay(numeric *x, int from)
{
    for (size_t i = 0; i < x->s.count; i++)
        if (x->s.is_array[i]) lay(x, i, from);
}

static void move(numeric *x, int dim, int64_t by)
{
    for (size_t i = 0; i < x->s.count; i++)
        if (x->s.is_array[i])
            x->c.p.args[i].data = (char *)x->c.p.args[i].data + by * x->s.strides[i][dim];
}

/* The next index of the dimensions in front of `from`, as one counts; false: there is none, and all
 * is where it was. */
static bool step(numeric *x, int from, int64_t *at)
{
    for (int d = from; d-- > 0;) {
        move(x, d, 1);
        if (++at[d] < x->s.shape[d]) return true;
        move(x, d, -x->s.shape[d]);
        at[d] = 0;
    }
    return false;
}

cpl_status numeric_each(numeric *x, int from, numeric_part *part, void *user)
{
    int64_t at[CPL_MAX_DIMS + 1] = {0}, index = 0;
    cpl_status status;
    do status = part(user, x, index++);
    while (!status && step(x, from, at));
    return status;
}

/* --- behind the inputs --- */

cpl_status numeric_dense(numeric *x, cpl_array *array)
{
    const cpl_arg arg = cpl_arg_of_array(array);
    cpl_status status = place_more(&x->c.p, &arg, NULL);
    if (!status) x->c.p.args[x->c.p.count - 1].dims = 0;
    return status;
}

cpl_status numeric_numbers(numeric *x, const int64_t *numbers, size_t count)
{
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const cpl_arg number = {.kind = CPL_ARG_SCALAR, .dtype = CPL_INT64, .value.i = numbers[i]};
        status = place_more(&x->c.p, &number, NULL);
    }
    return status;
}

/* --- launches --- */

static cpl_status rule(plan_launch *l)
{
    l->steps[0].n = l->n;
    return CPL_OK;
}

cpl_status numeric_launch(numeric *x)
{
    return steps_launch(&x->c, 0, rule);
}

cpl_status numeric_launch_apart(numeric *x)
{
    return steps_launch(&x->c, NO_KEY, rule);
}

static cpl_status rule_of_groups(plan_launch *l)
{
    tiles_grid(l, 0, l->n);
    return CPL_OK;
}

cpl_status numeric_launch_groups(numeric *x, size_t key)
{
    return steps_launch(&x->c, key, rule_of_groups);
}

int64_t numeric_block(const numeric *x, int64_t columns)
{
    enum { BLOCK = 2048 }; /* bytes: in a core's first cache with their rows */
    int64_t width = 1, most = BLOCK / (int64_t)x->c.type->size;
    while (width < columns && 2 * width <= most) width *= 2;
    return width;
}

bool numeric_is_like_host(const numeric *x)
{
    cpl_context *cx = module_context(x->c.module);
    bool cpu = device_threads(x->c.p.device) && context_option(cx, OPT_tiles) < ALWAYS_TILES;
    return cpu || context_option(cx, OPT_reproducible);
}

bool numeric_is_by_shape(const numeric *x)
{
    cpl_context *cx = module_context(x->c.module);
    return context_option(cx, OPT_precise) || context_option(cx, OPT_reproducible);
}

int64_t numeric_width(const numeric *x, int64_t columns)
{
    return device_threads(x->c.p.device) ? numeric_block(x, columns) : 1;
}

/* --- results --- */

cpl_status numeric_array(const numeric *x, const cpl_type *type, int dims, const int64_t *shape,
                         cpl_array **array)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    if (type_is_struct(type)) o.record = type;
    else o.dtype = type->dtype;
    o.dims = dims;
    o.uninitialized = true;
    memcpy(o.shape, shape, (size_t)dims * sizeof *shape);
    return cpl_array_create_with(module_context(x->c.module), x->c.p.device, &o, array);
}

/* Numbers become others of a kind that has them, but for the size; structs stay what they are. */
static bool becomes(const cpl_type *from, const cpl_type *to)
{
    if (from == to) return true;
    if (type_is_complex(to)) return type_is_scalar(from) || type_is_complex(from);
    if (!type_is_scalar(from) || !type_is_scalar(to)) return false;
    if (type_is_bool(to)) return false;
    return type_is_float(to) || !type_is_float(from);
}

cpl_status numeric_check_out(const numeric *x, const cpl_array *out, const cpl_type *type, int dims,
                             const int64_t *shape)
{
    cpl_context *cx = module_context(x->c.module);
    const cpl_arg arg = {.dtype = out->dtype, .record = out->record};
    const cpl_type *to = arg_elements(context_types(cx), &arg);
    if (out->storage->cx != cx)
        return context_report(cx, CPL_EARG, NUMERIC_PLACE " belongs to another context");
    bool fits = out->dims == dims;
    for (int d = 0; fits && d < dims; d++) fits = out->shape[d] == shape[d];
    for (int d = 0; fits && d < dims; d++)
        if (out->shape[d] > 1 && !out->strides[d])
            return context_report(cx, CPL_EARG,
                                  "elements of the array for the results lie in one place");
    if (!fits)
        return context_report(cx, CPL_EARG,
                              "the array for the results has another shape than they have");
    if (becomes(type, to)) return CPL_OK;
    return context_report(cx, CPL_EARG, "results are %s, and the array for them has elements of %s",
                          type->text, to->text);
}

cpl_status numeric_share(numeric *x, cpl_array *out, args_sharing *found)
{
    size_t at = x->c.p.count;
    const cpl_arg arg = cpl_arg_of_array(out);
    cpl_status status = place_more(&x->c.p, &arg, NUMERIC_PLACE);
    *found = ARGS_APART;
    for (size_t i = 0; i < x->c.inputs && !status; i++) {
        const cpl_arg pair[] = {x->c.p.args[i], x->c.p.args[at]};
        args_sharing share = x->s.is_array[i] ? args_share(NULL, pair, 2) : ARGS_APART;
        if (share > *found) *found = share;
    }
    x->c.p.count = at;
    return status;
}

cpl_status numeric_may_fill(numeric *x, cpl_array *out, args_sharing most, bool *may)
{
    args_sharing share;
    const cpl_type *to = x->c.type;
    bool same = type_is_struct(to) ? out->record == to : !out->record && out->dtype == to->dtype;
    cpl_status status = numeric_share(x, out, &share);
    *may = same && out->contiguous && share <= most;
    return status;
}

cpl_status numeric_axis(cpl_context *cx, int dims, int *axis)
{
    int given = *axis;
    if (given < 0) *axis += dims;
    if (*axis >= 0 && *axis < dims) return CPL_OK;
    return context_report(cx, CPL_EARG, "there is no dimension %d: there are %d", given, dims);
}
