/*
 * Reductions along axes, one axis after the other, from the last: a row by pieces where its
 * elements lie closest, by a group each on devices that have many work-items side by side; else
 * blocks of columns that lie side by side, down their rows by pieces. Where there are few rows the
 * pieces are several, and then reduced themselves.
 *
 * With `precise` and `reproducible` the shape alone decides on all that, as if the elements were
 * dense: what an expression comes to does not depend on how its arrays lie, nor on whether its
 * elements are computed as they are taken in, or before.
 */
#include "runtime/numeric/numeric.h"
#include "lib/support/plural.h"

enum {
    TASKS = 256,  /* as many as keep any host's threads busy: not more for what is in one piece */
    PIECE = 4096, /* elements at least */
    DEVICE_TASKS = 1 << 16,
    DEVICE_PIECE = 256,
    GROUPS = 1 << 12, /* of devices that have them for rows */
    GROUP_PIECE = 1 << 13,
};

typedef struct folding {
    const cpl_reduce_spec *spec;
    const cpl_arg *args; /* as they were given; NULL: not all of them are taken in at once */
    cpl_array *out;      /* dense */
    size_t at;           /* its argument */
    bool by_shape;       /* how elements lie decides nothing */
    bool down;           /* columns, not rows */
    tiles_lines lines;   /* rows by groups */
    int from;            /* the first dimension of a kernel */
    int64_t before;      /* rows, or what is in front of the dimension that goes */
    int64_t m, columns, width, pieces, size;
    int64_t block; /* the width on the host, by which all devices have the same pieces */
    int64_t tasks; /* where each row, or block of columns, is one piece */
} folding;

/* --- kernels --- */

static int64_t blocks_of(const folding *f)
{
    return divided(f->columns, f->width);
}

/* The argument for the results and the kernel's numbers stand behind the inputs. */
static cpl_status place_results(numeric *x, const folding *f, const cpl_arg *out)
{
    const int64_t numbers[] = {f->m, f->size, f->pieces, f->columns},
                  few[] = {f->before, f->m, f->columns};
    x->c.p.count = x->c.inputs;
    cpl_status status = place_more(&x->c.p, out, NUMERIC_PLACE);
    if (status) return status;
    return f->lines == LINES_BY_LANES ? numeric_numbers(x, few, COUNT_OF(few))
                                      : numeric_numbers(x, numbers, COUNT_OF(numbers));
}

/* Rows by groups, or by sub-groups. */
static cpl_status launch_lines(numeric *x, const folding *f)
{
    algo_call *c = &x->c;
    bool lanes = f->lines == LINES_BY_LANES;
    c->step_count = 0;
    c->n = lanes ? divided(f->before, LINES_LANES) : f->before * f->pieces;
    algo_step *s = tiles_step(c, lanes ? "cpl.lines.short_rows" : "cpl.lines.rows");
    step_range(c, s, c->inputs, c->p.count);
    STEP_BIND(c, s, BIND_TYPE, BIND_GROUP);
    if (!lanes) STEP_BIND(c, s, BIND_SHUFFLES);
    STEP_BIND(c, s, BIND_OP, BIND_NEUTRAL, BIND_SOURCE, BIND_FUNCTION);
    step_range(c, s, 0, c->inputs);
    return numeric_launch_groups(x, 0);
}

static void add_step(algo_call *c, const folding *f)
{
    c->step_count = 0;
    algo_step *s = step_new(c, f->down ? "cpl.numeric.down" : "cpl.numeric.rows");
    step_range(c, s, c->inputs, c->p.count);
    if (f->down) {
        c->binds[BIND_WIDTH] = cpl_bind_integer(f->width);
        STEP_BIND(c, s, BIND_WIDTH, BIND_TYPE);
    } else {
        if (op_lanes(c)) s->lanes = LANES_AS_ASKED; /* those of its own */
        STEP_BIND(c, s, BIND_TYPE, BIND_LANES, BIND_VECTORS);
    }
    STEP_BIND(c, s, BIND_OP, BIND_NEUTRAL, BIND_SOURCE, BIND_FUNCTION);
    step_range(c, s, 0, c->inputs);
}

static cpl_status launch(numeric *x, const folding *f, const cpl_arg *out)
{
    cpl_status status = place_results(x, f, out);
    if (status) return status;
    if (f->lines) return launch_lines(x, f);
    x->c.n = f->before * f->pieces * (f->down ? blocks_of(f) : 1);
    add_step(&x->c, f);
    return numeric_launch(x);
}

/* --- one dimension --- */

/* The part of the results that a launch makes, as an array. */
static cpl_status part_of(const folding *f, int64_t index, cpl_array **part)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = f->down ? f->before * f->columns : f->before;
    o.offset = (size_t)(index * o.shape[0]) * f->out->element_size;
    if (f->down) o.dims = 2, o.shape[0] = f->before, o.shape[1] = f->columns;
    return cpl_array_view(f->out, &o, part);
}

/* Takes in what was taken in before, along further axes. */
static cpl_status take_in(const numeric *x, const folding *f, uint32_t axes, cpl_array *from,
                          cpl_array *to)
{
    cpl_reduce_spec spec = *f->spec;
    spec.map = (cpl_bind){0};
    spec.type = x->c.type;
    const cpl_arg arg = cpl_arg_of_array(from);
    return cpl_array_reduce(x->c.module, &spec, &x->o, axes, &to, &arg, 1);
}

static cpl_status in_pieces(numeric *x, const folding *f, cpl_array *part)
{
    cpl_array *pieces;
    const int64_t shape[] = {f->before, f->pieces, f->columns};
    cpl_status status = numeric_array(x, x->c.type, f->down ? 3 : 2, shape, &pieces);
    if (status) return status;
    const cpl_arg arg = cpl_arg_of_array(pieces);
    status = launch(x, f, &arg);
    if (!status) status = take_in(x, f, 1u << 1, pieces, part);
    cpl_array_release(pieces);
    return status;
}

static cpl_status fold_part(void *user, numeric *x, int64_t index)
{
    const folding *f = user;
    cpl_array *part;
    cpl_status status = part_of(f, index, &part);
    if (status) return status;
    const cpl_arg arg = cpl_arg_of_array(part);
    status = f->pieces > 1 ? in_pieces(x, f, part) : launch(x, f, &arg);
    cpl_array_release(part);
    return status;
}

/* How many tasks there should be, and how large they are at least. */
static int64_t wanted_of(const numeric *x, const folding *f, int64_t *piece)
{
    bool many = !f->down && !numeric_is_like_host(x);
    *piece = f->lines ? GROUP_PIECE : many ? DEVICE_PIECE : PIECE;
    return f->lines ? GROUPS : many ? DEVICE_TASKS : TASKS;
}

/* As many pieces as there have to be. */
static void cut(const numeric *x, folding *f)
{
    int64_t piece, wanted = wanted_of(x, f, &piece),
                   most = f->m / (piece / (f->down && f->block < piece ? f->block : 1));
    f->pieces = f->tasks < wanted ? wanted / f->tasks : 1;
    if (f->pieces > most) f->pieces = most > 1 ? most : 1;
    f->size = divided(f->m, f->pieces);
    if (f->size) f->pieces = divided(f->m, f->size);
}

/* How many elements the dimensions have from `first` on, in front of `end`. */
static int64_t product(const space *s, int first, int end)
{
    int64_t n = 1;
    for (int d = first; d < end; d++) n *= s->shape[d];
    return n;
}

/* The dimension `axis` goes: it is brought where the kernels have it. */
static void turn(numeric *x, folding *f, int axis)
{
    space *s = &x->s;
    int last = s->dims - 1, kept = axis == last ? last - 1 : last;
    f->m = s->shape[axis];
    f->down = kept >= 0 && (f->by_shape ? kept > axis : space_is_closer(s, kept, axis));
    /* by the shape, whether or not layouts have made one of several dimensions that stay */
    int64_t before = product(s, 0, axis), columns = product(s, axis + 1, s->dims);
    space_move(s, axis, f->down ? last - 1 : last);
    f->from = s->dims > KERNEL_DIMS ? s->dims - KERNEL_DIMS : 0;
    f->columns = f->down ? s->shape[last] : last > 0 ? s->shape[last - 1] : 1;
    f->before = last > 1 ? s->shape[f->from] : 1;
    if (!f->down) f->before *= f->columns;
    if (!f->by_shape) before = f->before, columns = f->columns;
    f->width = f->down ? numeric_width(x, f->columns) : 1;
    f->block = f->down ? numeric_block(x, columns) : 1;
    f->tasks = before * (f->down ? divided(columns, f->block) : 1);
}

static cpl_status fold_axis(numeric *x, folding *f, int axis)
{
    static const char *const of_rows[] = {"i", "j", "t"}, *const of_columns[] = {"i", "t", "j"};
    const space *s = &x->s;
    turn(x, f, axis);
    bool few = !f->down && f->before < INT32_MAX - GROUPS;
    f->lines = few ? tiles_bind_lines(&x->c, f->m) : LINES_ELSEWHERE;
    cut(x, f);
    cpl_status status =
        numeric_source(x, "t, i, j",
                       (f->down ? of_columns : of_rows) + KERNEL_DIMS - (s->dims - f->from),
                       f->from);
    if (status) return status;
    numeric_lay(x, f->from);
    return numeric_each(x, f->from, fold_part, f);
}

/* --- several --- */

/* One along which nothing changes. */
static void append_dim(space *s)
{
    for (size_t i = 0; i < s->count; i++) s->strides[i][s->dims] = 0;
    s->shape[s->dims++] = 1;
}

/* The last axis goes first, so that elements stay in order; `axes` are the others. */
static cpl_status fold_several(numeric *x, const folding *f, uint32_t axes, int axis)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    int64_t shape[CPL_MAX_DIMS];
    int dims = 0;
    for (int d = 0; d < x->s.dims; d++) {
        if (d == axis) continue;
        shape[dims++] = x->s.shape[d];
        if (!(axes >> d & 1)) o.shape[o.dims++] = x->s.shape[d];
    }
    cpl_array *made, *to = NULL;
    cpl_status status = numeric_array(x, x->c.type, dims, shape, &made);
    if (status) return status;
    folding first = {.spec = f->spec, .out = made, .by_shape = f->by_shape};
    if (made->length) status = fold_axis(x, &first, axis);
    if (!status) status = cpl_array_view(f->out, &o, &to);
    if (!status) status = take_in(x, f, axes, made, to);
    cpl_array_release(made);
    cpl_array_release(to);
    return status;
}

/* --- all elements, on devices --- */

/* Or it has one element, for all. */
static bool is_dense(const numeric *x, const cpl_arg *arg, size_t i)
{
    if (!x->s.is_array[i] || !x->s.strides[i][0]) return true;
    const bool flat = arg->array ? arg->array->contiguous : arg->dims < 2 && !arg->strides;
    return flat && x->s.strides[i][0] == (int64_t)arg_element_size(&x->c.p.args[i]);
}

static bool are_dense(const numeric *x, const folding *f)
{
    for (size_t i = 0; i < x->s.count; i++)
        if (!is_dense(x, &f->args[i], i)) return false;
    return true;
}

/* Whether cpl_reduce takes them in as well if they are dense, by tiles where the device has them.
 */
static bool is_whole(const numeric *x, const folding *f, uint32_t axes)
{
    return f->args && !numeric_is_like_host(x) && x->s.dims == 1 && axes == 1 && x->s.shape[0] > 0;
}

static cpl_status fold_whole(numeric *x, const folding *f)
{
    static const char *const names[] = {"i"};
    cpl_arg args[MOST_ARGUMENTS];
    cpl_reduce_spec spec = *f->spec;
    cpl_launch_options o = x->o;
    cpl_status status = numeric_source(x, "i", names, 0);
    if (status) return status;
    args[0] = cpl_arg_bound(&x->c.binds[BIND_FUNCTION]);
    memcpy(args + 1, f->args, x->c.inputs * sizeof *args);
    spec.map = x->c.binds[BIND_SOURCE];
    spec.type = x->c.type;
    o.n = x->s.shape[0];
    const cpl_arg out = cpl_arg_of_array(f->out);
    return cpl_reduce(x->c.module, &spec, &o, &out, args, x->c.inputs + 1);
}

/* --- what is not like dense elements --- */

/* Neighbours that go would be one dimension, which is taken in as such. */
static bool is_like_dense(const numeric *x, const folding *f, uint32_t axes)
{
    if (!product(&x->s, 0, x->s.dims)) return true;
    return !(axes & axes >> 1) && (!is_whole(x, f, axes) || are_dense(x, f));
}

/* They are computed first. */
static cpl_status fold_computed(const numeric *x, const folding *f, const space *s, uint32_t axes)
{
    cpl_array *made;
    cpl_status status = numeric_array(x, x->c.type, s->dims, s->shape, &made);
    if (status) return status;
    status =
        cpl_array_map(x->c.module, &x->c.binds[BIND_FUNCTION], &x->o, &made, f->args, x->c.inputs);
    if (!status) status = take_in(x, f, axes, made, f->out);
    cpl_array_release(made);
    return status;
}

static cpl_status fold(numeric *x, folding *f, uint32_t axes)
{
    const space given = x->s;
    const uint32_t all = axes;
    space_simplify(&x->s, &axes);
    axes &= (1u << x->s.dims) - 1;
    if (f->by_shape && !is_like_dense(x, f, axes)) return fold_computed(x, f, &given, all);
    if (is_whole(x, f, axes) && are_dense(x, f)) return fold_whole(x, f);
    if (!axes) {
        axes = 1u << x->s.dims;
        append_dim(&x->s);
    }
    int axis = 31 - __builtin_clz(axes);
    axes &= ~(1u << axis);
    return axes ? fold_several(x, f, axes, axis) : fold_axis(x, f, axis);
}

/* --- the call --- */

static cpl_status bind(numeric *x, const cpl_reduce_spec *spec)
{
    const cpl_type *elements = NULL;
    cpl_status status = algo_alone(&x->c, spec);
    if (!status) status = op_bind_spec(&x->c, spec);
    if (!status) status = numeric_function(x, &spec->map);
    if (!status) status = numeric_type(x, "cpl.numeric.value_of_map", &elements);
    if (!status) status = op_type_of(&x->c, spec->type, elements, &x->c.binds[BIND_FUNCTION]);
    return status ? status : op_neutral(&x->c, &spec->neutral);
}

static cpl_status check_axes(const numeric *x, uint32_t *axes)
{
    uint32_t all = (1u << x->s.dims) - 1;
    if (*axes == CPL_ALL_AXES) *axes = all;
    if (!(*axes & ~all)) return CPL_OK;
    return context_report(module_context(x->c.module), CPL_EARG,
                          "the mask of axes is %#x, and there %s %d dimension%s", *axes,
                          counted(x->s.dims, "is", "are"), x->s.dims, plural(x->s.dims));
}

static cpl_status reduce(numeric *x, const cpl_reduce_spec *spec, uint32_t axes, cpl_array **out,
                         const cpl_arg *args)
{
    int dims = 0;
    bool there = false;
    int64_t shape[CPL_MAX_DIMS];
    cpl_status status = check_axes(x, &axes);
    for (int d = 0; d < x->s.dims; d++)
        if (!(axes >> d & 1)) shape[dims++] = x->s.shape[d];
    if (!status && *out) status = numeric_check_out(x, *out, x->c.type, dims, shape);
    if (!status && *out) status = numeric_may_fill(x, *out, ARGS_APART, &there);
    folding f = {.spec = spec,
                 .args = args,
                 .out = there ? *out : NULL,
                 .by_shape = numeric_is_by_shape(x)};
    if (!status && !there) status = numeric_array(x, x->c.type, dims, shape, &f.out);
    if (!status && f.out->length) status = fold(x, &f, axes);
    if (there) return status;
    if (!status) return numeric_give(x, f.out, out);
    cpl_array_release(f.out);
    return status;
}

cpl_status cpl_array_reduce(cpl_module *module, const cpl_reduce_spec *given,
                            const cpl_launch_options *options, uint32_t axes, cpl_array **out,
                            const cpl_arg *args, size_t count)
{
    numeric x;
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    if (MISSING("spec out args", given, out, UNLESS_NONE(args, count))) return CPL_EARG;
    if (READ_STRUCT(&spec, given, cpl_reduce_spec)) return CPL_EARG;
    cpl_status status = numeric_begin(&x, module, options, *out, args, count);
    if (!status) status = bind(&x, &spec);
    if (!status) status = reduce(&x, &spec, axes, out, args);
    return numeric_end(&x, status);
}
