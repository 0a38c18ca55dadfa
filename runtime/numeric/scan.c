/* Scans along an axis: the elements come to where their results go, and are taken in there: a row,
 * or a block of columns, by one thread, a row by a group on devices that have many work-items side
 * by side; of few and long ones each by all threads. */
#include "runtime/numeric/numeric.h"

enum {
    FEW = 4,      /* lines */
    LONG = 16384, /* elements of a line that are worth threads */
    DEVICE_FEW = 64,
    DEVICE_LONG = 1 << 19 /* worth the launches of a line, one after the other */
};

typedef struct lines {
    int64_t before, m, columns; /* of the array: in front of the axis, along it, behind it */
    int64_t width;
} lines;

static lines lines_of(const numeric *x, const cpl_array *a, int axis)
{
    lines l = {1, a->shape[axis], 1, 1};
    for (int d = 0; d < axis; d++) l.before *= a->shape[d];
    for (int d = axis + 1; d < a->dims; d++) l.columns *= a->shape[d];
    l.width = numeric_width(x, l.columns);
    return l;
}

/* --- each by one group or thread --- */

static cpl_status scan_by_groups(numeric *x, size_t first, bool exclusive)
{
    algo_call *c = &x->c;
    algo_step *s = tiles_step(c, "cpl.lines.scan_rows");
    step_range(c, s, first, c->p.count);
    step_flag(s, exclusive);
    STEP_BIND(c, s, BIND_TYPE, BIND_GROUP, BIND_ITEMS, BIND_TILE, BIND_SHUFFLES, BIND_OP,
              BIND_NEUTRAL);
    return numeric_launch_groups(x, NO_KEY);
}

/* Behind the inputs stand the array and two numbers. */
static cpl_status scan_lines(numeric *x, const lines *l, cpl_array *a, bool exclusive)
{
    algo_call *c = &x->c;
    bool down = l->columns > 1;
    size_t first = c->p.count;
    const int64_t numbers[] = {l->m, l->columns};
    cpl_status status = numeric_dense(x, a);
    if (!status) status = numeric_numbers(x, numbers, down ? 2 : 1);
    if (status) return status;
    c->n = l->before * divided(l->columns, l->width);
    if (!down && c->n <= INT32_MAX && tiles_bind_scanned_lines(c, l->m))
        return scan_by_groups(x, first, exclusive);
    algo_step *s = step_new(c, down ? "cpl.numeric.scan_columns" : "cpl.numeric.scan_rows");
    step_range(c, s, first, c->p.count);
    step_flag(s, exclusive);
    c->binds[BIND_WIDTH] = cpl_bind_integer(l->width);
    if (down) STEP_BIND(c, s, BIND_WIDTH);
    STEP_BIND(c, s, BIND_TYPE, BIND_OP, BIND_NEUTRAL);
    return numeric_launch_apart(x);
}

/* --- columns by pieces --- */

/* Of devices that have many work-items: as many pieces as keep them busy. */
static int64_t piece_of(const numeric *x, const lines *l)
{
    enum { TASKS = 1 << 16, LEAST = 32 };
    int64_t tasks = l->before * l->columns, pieces = tasks < TASKS ? TASKS / tasks : 1;
    if (l->columns == 1 || numeric_is_like_host(x) || pieces < 2) return l->m;
    int64_t size = divided(l->m, pieces);
    return size < LEAST ? LEAST : size;
}

/* Two dense arrays, and four numbers. */
static cpl_status place_pieces(numeric *x, cpl_array *first, cpl_array *second, const lines *l,
                               int64_t size)
{
    const int64_t numbers[] = {l->m, size, divided(l->m, size), l->columns};
    x->c.p.count = x->c.inputs;
    x->c.step_count = 0;
    cpl_status status = numeric_dense(x, first);
    if (!status) status = numeric_dense(x, second);
    return status ? status : numeric_numbers(x, numbers, COUNT_OF(numbers));
}

static cpl_status total_pieces(numeric *x, cpl_array *totals, cpl_array *a, const lines *l,
                               int64_t size)
{
    algo_call *c = &x->c;
    cpl_status status = place_pieces(x, totals, a, l, size);
    if (status) return status;
    c->n = totals->length;
    algo_step *s = step_new(c, "cpl.numeric.column_totals");
    step_range(c, s, c->inputs, c->p.count);
    STEP_BIND(c, s, BIND_TYPE, BIND_OP, BIND_NEUTRAL);
    return numeric_launch_apart(x);
}

/* What is in front of each piece, in place of what it comes to. */
static cpl_status carry_pieces(const numeric *x, const cpl_scan_spec *spec, cpl_array *totals)
{
    cpl_scan_spec own = *spec;
    own.input = (cpl_bind){0};
    own.type = x->c.type;
    own.flags = CPL_SCAN_EXCLUSIVE;
    const cpl_arg arg = cpl_arg_of_array(totals);
    return cpl_array_scan(x->c.module, &own, &x->o, 1, &totals, &arg, 1);
}

static cpl_status scan_pieces(numeric *x, const cpl_scan_spec *spec, cpl_array *a, const lines *l,
                              int64_t size)
{
    algo_call *c = &x->c;
    cpl_array *totals;
    const int64_t shape[] = {l->before, divided(l->m, size), l->columns};
    cpl_status status = numeric_array(x, c->type, 3, shape, &totals);
    if (status) return status;
    status = total_pieces(x, totals, a, l, size);
    if (!status) status = carry_pieces(x, spec, totals);
    if (!status) status = place_pieces(x, a, totals, l, size);
    if (!status) {
        c->n = totals->length;
        algo_step *s = step_new(c, "cpl.numeric.scan_pieces");
        step_range(c, s, c->inputs, c->p.count);
        step_flag(s, (spec->flags & CPL_SCAN_EXCLUSIVE) != 0);
        STEP_BIND(c, s, BIND_TYPE, BIND_OP);
        status = numeric_launch_apart(x);
    }
    cpl_array_release(totals);
    return status;
}

/* --- each by all threads --- */

static cpl_status scan_line(const numeric *x, const cpl_scan_spec *spec, cpl_array *a,
                            const lines *l, int64_t line)
{
    cpl_array *view;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = l->m;
    o.strides[0] = l->columns * (int64_t)a->element_size;
    o.offset =
        (size_t)(line / l->columns * l->m * l->columns + line % l->columns) * a->element_size;
    cpl_status status = cpl_array_view(a, &o, &view);
    if (status) return status;
    cpl_scan_spec own = *spec;
    own.input = (cpl_bind){0};
    own.type = x->c.type;
    cpl_launch_options options = x->o;
    options.n = l->m;
    const cpl_arg arg = cpl_arg_of_array(view);
    status = cpl_scan(x->c.module, &own, &options, &arg, 1);
    cpl_array_release(view);
    return status;
}

/* Each is worth a scan of its own. */
static bool is_few(const numeric *x, const lines *l)
{
    int64_t count = l->before * l->columns;
    return (count <= FEW && l->m >= LONG) ||
           (count <= DEVICE_FEW && l->m >= DEVICE_LONG && !numeric_is_like_host(x));
}

static cpl_status scan_array(numeric *x, const cpl_scan_spec *spec, cpl_array *a, int axis)
{
    cpl_status status = CPL_OK;
    const lines l = lines_of(x, a, axis);
    int64_t count = l.before * l.columns, size = a->length ? piece_of(x, &l) : 1;
    if (!a->length) return CPL_OK;
    if (size < l.m) return scan_pieces(x, spec, a, &l, size);
    if (!is_few(x, &l)) return scan_lines(x, &l, a, spec->flags & CPL_SCAN_EXCLUSIVE);
    for (int64_t i = 0; i < count && !status; i++) status = scan_line(x, spec, a, &l, i);
    return status;
}

/* --- the call --- */

static cpl_status bind(numeric *x, const cpl_scan_spec *spec)
{
    const cpl_type *elements = NULL;
    cpl_context *cx = module_context(x->c.module);
    if (spec->segment.kind != CPL_BIND_NONE || spec->output.kind != CPL_BIND_NONE)
        return context_report(cx, CPL_EARG,
                              "a scan along an axis has no segments and no output of its own");
    if (spec->flags & ~(uint64_t)CPL_SCAN_EXCLUSIVE)
        return context_report(cx, CPL_EARG, "the flags of the scan are none that there are here");
    cpl_status status = op_bind(&x->c, &spec->op);
    if (!status) status = numeric_function(x, &spec->input);
    if (!status) status = numeric_type(x, "cpl.numeric.value_of_input", &elements);
    if (!status) status = op_type_of(&x->c, spec->type, elements, &x->c.binds[BIND_FUNCTION]);
    return status ? status : op_neutral(&x->c, &spec->neutral);
}

/* Their elements as the type that is taken in. */
static cpl_status bring(const numeric *x, const cpl_arg *args, cpl_array *made)
{
    return cpl_array_map(x->c.module, &x->c.binds[BIND_FUNCTION], &x->o, &made, args, x->c.inputs);
}

/* Along the only dimension, of the first argument's own elements: read where they are. */
static bool is_plain(const numeric *x, const cpl_scan_spec *spec)
{
    return spec->input.kind == CPL_BIND_NONE && x->c.inputs == 1 && x->s.dims == 1;
}

static cpl_status scan_plainly(const numeric *x, const cpl_scan_spec *spec, const cpl_arg *from,
                               cpl_array *to)
{
    cpl_scan_spec own = *spec;
    own.type = x->c.type;
    cpl_launch_options o = x->o;
    o.n = x->s.shape[0];
    const cpl_arg args[] = {*from, cpl_arg_of_array(to)};
    return cpl_scan(x->c.module, &own, &o, args, COUNT_OF(args));
}

static cpl_status scan_into(numeric *x, const cpl_scan_spec *spec, int axis, cpl_array *to,
                            const cpl_arg *args)
{
    if (is_plain(x, spec)) return scan_plainly(x, spec, args, to);
    cpl_status status = bring(x, args, to);
    return status ? status : scan_array(x, spec, to, axis);
}

static cpl_status scan(numeric *x, const cpl_scan_spec *spec, int axis, cpl_array **out,
                       const cpl_arg *args)
{
    bool there = false;
    cpl_array *made = NULL;
    const space *s = &x->s;
    cpl_status status = numeric_axis(module_context(x->c.module), s->dims, &axis);
    if (!status && *out) status = numeric_check_out(x, *out, x->c.type, s->dims, s->shape);
    if (!status && *out) status = numeric_may_fill(x, *out, ARGS_SAME, &there);
    if (!status && !there) status = numeric_array(x, x->c.type, s->dims, s->shape, &made);
    if (!status) status = scan_into(x, spec, axis, there ? *out : made, args);
    if (there) return status;
    if (!status) return numeric_give(x, made, out);
    cpl_array_release(made);
    return status;
}

cpl_status cpl_array_scan(cpl_module *module, const cpl_scan_spec *given,
                          const cpl_launch_options *options, int axis, cpl_array **out,
                          const cpl_arg *args, size_t count)
{
    numeric x;
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    if (MISSING("spec out args", given, out, UNLESS_NONE(args, count))) return CPL_EARG;
    if (READ_STRUCT(&spec, given, cpl_scan_spec)) return CPL_EARG;
    cpl_status status = numeric_begin(&x, module, options, *out, args, count);
    if (!status) status = bind(&x, &spec);
    if (!status) status = scan(&x, &spec, axis, out, args);
    return numeric_end(&x, status);
}
