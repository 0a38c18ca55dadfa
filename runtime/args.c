/* Arguments of launches and calls: which types they ask for, and their values in the types of the
 * parameters. */
#include "runtime/runtime.h"

#include <math.h>
#include <stdio.h>

static bool is_complex(cpl_dtype d)
{
    return d == CPL_COMPLEX64 || d == CPL_COMPLEX128;
}

/* What elements may be: a scalar, or a struct of the context. NULL, or what is wrong. */
static const char *bad_elements(cpl_context *cx, const cpl_arg *arg)
{
    bool known = dtype_is_known(arg->dtype) || is_complex(arg->dtype);
    if (!arg->record) return known ? NULL : "has no element type of this library";
    if (arg->record->table != context_types(cx)) return "has elements of another context's type";
    return type_is_struct(arg->record) ? NULL : "has elements of a record that is no struct";
}

/* What most arguments are, numbers that are not told their type and arrays right at a glance: these
 * need no other check. */
static inline bool is_usual(const cpl_arg *arg)
{
    bool untyped =
        arg->kind == CPL_ARG_INT || arg->kind == CPL_ARG_FLOAT || arg->kind == CPL_ARG_COMPLEX;
    if (arg->kind != CPL_ARG_ARRAY) return untyped && !arg->reserved;
    size_t size = dtype_is_known(arg->dtype) ? cpl_dtype_size(arg->dtype) : 0;
    return size && !arg->record && arg_right_at_a_glance(arg, size, size);
}

const char *arg_named(arg_name n, char *room)
{
    if (n.as) return n.as;
    snprintf(room, ARG_NUMBERED, "argument %zu", n.i + 1);
    return room;
}

static cpl_status refuse(cpl_context *cx, arg_name n, const char *wrong)
{
    char room[ARG_NUMBERED];
    return context_report(cx, CPL_EARG, "%s %s", arg_named(n, room), wrong);
}

static cpl_status check_array(cpl_context *cx, arg_name n, const cpl_arg *arg)
{
    const char *wrong = bad_elements(cx, arg);
    if (!wrong) wrong = arg_bad_shape(arg);
    if (!wrong && arg->length < 0) wrong = "has a negative length";
    if (!wrong && !arg->data && arg->length > 0) wrong = "is NULL but has a length";
    if (wrong) return refuse(cx, n, wrong);
    size_t align = arg->record              ? arg->record->align
                   : is_complex(arg->dtype) ? cpl_dtype_size(arg->dtype) / 2
                                            : cpl_dtype_size(arg->dtype);
    uint64_t places = (uintptr_t)arg->data;
    for (uint32_t k = 0; k < arg_dims(arg); k++) places |= (uint64_t)arg_stride(arg, k);
    if (places & (align - 1)) {
        char text[64];
        snprintf(text, sizeof text, "is not aligned to its elements of %zu bytes", align);
        return refuse(cx, n, text);
    }
    return arg_fits_memory(arg) ? CPL_OK : refuse(cx, n, "is larger than memory can be");
}

static cpl_status check_unusual(cpl_context *cx, arg_name n, const cpl_arg *arg)
{
    const char *wrong = NULL;
    char room[ARG_NUMBERED];
    if (arg->reserved) return refuse(cx, n, "has a reserved member that is not zero");
    switch (arg->kind) {
    case CPL_ARG_ARRAY: return check_array(cx, n, arg);
    case CPL_ARG_SCALAR:
        if (!dtype_is_known(arg->dtype) && !is_complex(arg->dtype))
            wrong = "has no type of this library";
        break;
    case CPL_ARG_LOCAL:
        if (arg->length > INT32_MAX)
            return context_report(cx, CPL_ELIMIT,
                                  "%s asks for more than %d elements of local memory",
                                  arg_named(n, room), INT32_MAX);
        if (!dtype_is_known(arg->dtype)) wrong = "has no element type of this library";
        else if (arg->length < 0) wrong = "has a negative length";
        break;
    case CPL_ARG_BOUND:
        if (arg->data) return context_check_param_bind(cx, n.i, arg->data);
        wrong = "stands for nothing";
        break;
    case CPL_ARG_INT:
    case CPL_ARG_FLOAT:
    case CPL_ARG_COMPLEX: break;
    default: wrong = "has no valid kind"; break;
    }
    return wrong ? refuse(cx, n, wrong) : CPL_OK;
}

cpl_status arg_check(cpl_context *cx, arg_name n, const cpl_arg *arg)
{
    return is_usual(arg) ? CPL_OK : check_unusual(cx, n, arg);
}

static inline cpl_status check(cpl_context *cx, size_t i, const cpl_arg *arg)
{
    return arg_check(cx, (arg_name){.i = i}, arg);
}

cpl_status arg_check_result(cpl_context *cx, const char *what, const cpl_arg *arg)
{
    if (arg->kind == CPL_ARG_ARRAY && arg->array) return CPL_OK;
    if (arg->kind == CPL_ARG_LOCAL || arg->kind == CPL_ARG_BOUND)
        return refuse(cx, (arg_name){.as = what}, "is no array");
    return arg_check(cx, (arg_name){.as = what}, arg);
}

cpl_status args_too_many(cpl_context *cx)
{
    return context_report(cx, CPL_ELIMIT, "more than %d arguments", MOST_ARGUMENTS);
}

cpl_status args_check(cpl_context *cx, const cpl_arg *args, size_t count)
{
    cpl_status status = count > MOST_ARGUMENTS ? args_too_many(cx) : CPL_OK;
    for (size_t i = 0; i < count && !status; i++) status = check(cx, i, &args[i]);
    return status;
}

/* The type of an untyped integer. */
static cpl_dtype int_dtype(const cpl_arg *arg)
{
    if (arg->is_unsigned) return CPL_UINT64;
    return arg->value.i >= INT32_MIN && arg->value.i <= INT32_MAX ? CPL_INT32 : CPL_INT64;
}

cpl_status args_codes(cpl_module *m, const cpl_arg *args, size_t count, bool checked,
                      arg_code *codes)
{
    cpl_status status = checked ? CPL_OK : args_check(module_context(m), args, count);
    for (size_t i = 0; i < count && !status; i++) {
        const cpl_arg *arg = &args[i];
        codes[i] = (arg_code){.kind = (uint8_t)arg->kind, .dtype = (uint8_t)arg->dtype};
        if (arg->kind == CPL_ARG_INT) codes[i].dtype = int_dtype(arg);
        if (arg->kind == CPL_ARG_FLOAT || arg->kind == CPL_ARG_COMPLEX) codes[i].dtype = CPL_VOID;
        if (arg->kind == CPL_ARG_BOUND) status = arg_code_bound(m, arg->data, &codes[i]);
        if (arg->kind != CPL_ARG_ARRAY) continue;
        codes[i].record = arg->record;
        codes[i].strided = !arg_is_contiguous(arg);
    }
    return status;
}

/* The float type of a complex one's parts; others stay. */
static uint8_t part_of(uint8_t dtype)
{
    return is_complex((cpl_dtype)dtype) ? dtype - (CPL_COMPLEX64 - CPL_FLOAT32) : dtype;
}

static cpl_dtype widest_float(const arg_code *codes, size_t count)
{
    uint8_t widest = CPL_VOID;
    for (size_t i = 0; i < count; i++)
        if (codes[i].kind == CPL_ARG_ARRAY && !codes[i].record && codes[i].dtype >= CPL_FLOAT16 &&
            part_of(codes[i].dtype) > widest)
            widest = part_of(codes[i].dtype);
    return widest == CPL_VOID ? CPL_FLOAT64 : (cpl_dtype)widest;
}

cpl_status args_types(cpl_context *cx, const arg_code *codes, size_t count, const cpl_type **out)
{
    type_table *types = context_types(cx);
    for (size_t i = 0; i < count; i++) {
        out[i] = NULL;
        if (codes[i].kind == CPL_ARG_BOUND) continue;
        cpl_dtype dtype = (cpl_dtype)codes[i].dtype;
        if (codes[i].kind == CPL_ARG_FLOAT) dtype = widest_float(codes, count);
        if (codes[i].kind == CPL_ARG_COMPLEX)
            dtype = widest_float(codes, count) == CPL_FLOAT64 ? CPL_COMPLEX128 : CPL_COMPLEX64;
        const cpl_type *t = codes[i].record ? codes[i].record : type_scalar(types, dtype);
        if (codes[i].kind == CPL_ARG_LOCAL) t = type_pointer(types, t, SPACE_LOCAL);
        if (codes[i].kind == CPL_ARG_ARRAY)
            t = codes[i].strided ? type_strided(types, t) : type_pointer(types, t, SPACE_GLOBAL);
        if (!t) return context_no_memory(cx);
        out[i] = t;
    }
    return CPL_OK;
}

/* A scalar argument as both of its faces; the one that its kind has is exact. */
static bool is_integral(const cpl_arg *arg)
{
    return arg->kind == CPL_ARG_INT || (arg->kind == CPL_ARG_SCALAR && arg->dtype <= CPL_UINT64);
}

static bool is_unsigned(const cpl_arg *arg)
{
    return arg->kind == CPL_ARG_INT ? arg->is_unsigned
                                    : arg->dtype >= CPL_UINT8 && arg->dtype <= CPL_UINT64;
}

static double as_float(const cpl_arg *arg)
{
    if (!is_integral(arg)) return arg->value.f;
    return is_unsigned(arg) ? (double)arg->value.u : (double)arg->value.i;
}

/* The value as an integer of t; false when it does not fit. */
static bool to_integer(const cpl_arg *arg, const cpl_type *t, uint64_t *out)
{
    uint32_t bits = type_bits(t);
    if (!is_integral(arg)) {
        double v = arg->value.f;
        double low = type_is_signed(t) ? -ldexp(1, (int)bits - 1) : 0,
               high = ldexp(1, (int)bits - type_is_signed(t));
        if (!(v == trunc(v)) || v < low || v >= high) return false;
        *out = type_is_signed(t) ? (uint64_t)(int64_t)v : (uint64_t)v;
        return true;
    }
    bool negative = !is_unsigned(arg) && arg->value.i < 0;
    *out = arg->value.u;
    if (type_is_bool(t)) return *out <= 1;
    if (type_is_signed(t)) {
        if (negative) return bits == 64 || arg->value.i >= -((int64_t)1 << (bits - 1));
        return *out <= (UINT64_MAX >> (65 - bits));
    }
    return !negative && *out <= (UINT64_MAX >> (64 - bits));
}

bool arg_convert(const cpl_arg *arg, const cpl_type *t, arg_value *v)
{
    if (t->kind != TYPE_SCALAR) return false;
    switch (t->dtype) {
    case CPL_FLOAT16: v->f16 = half_bits(as_float(arg)); return true;
    case CPL_FLOAT32: v->f32 = (float)as_float(arg); return true;
    case CPL_FLOAT64: v->f64 = as_float(arg); return true;
    /* little-endian: the low bytes are the narrow value */
    default: return to_integer(arg, t, &v->u64);
    }
}

/* Local memory has no address outside its kernel: back ends fill in what stands for it. */
static cpl_status bind_local(cpl_context *cx, const artifact_param *p, const cpl_arg *arg)
{
    if (arg->kind != CPL_ARG_LOCAL)
        return context_report(cx, CPL_EARG, "argument '%s' must be local memory", p->name);
    if (type_is(p->type->elem, arg->dtype)) return CPL_OK;
    return context_report(cx, CPL_EARG, "argument '%s' has elements of %s, not %s", p->name,
                          cpl_dtype_name(arg->dtype), p->type->elem->text);
}

static cpl_status refuse_elements(cpl_context *cx, const artifact_param *p, const cpl_arg *arg)
{
    return context_report(cx, CPL_EARG, "argument '%s' has elements of %s, not %s", p->name,
                          arg->record ? arg->record->text : cpl_dtype_name(arg->dtype),
                          p->type->elem->text);
}

/* A parameter that is flat takes what has its elements side by side, or in one dimension. */
static cpl_status check_dims(cpl_context *cx, const artifact_param *p, const cpl_arg *arg)
{
    uint32_t dims = arg_dims(arg);
    bool contiguous = arg_is_contiguous(arg);
    if (p->dims && p->dims != dims)
        return context_report_at(
            cx, CPL_EARG, p->span,
            "argument '%s' has %u dimension%s, and the function takes it with %u", p->name, dims,
            dims == 1 ? "" : "s", p->dims);
    if (contiguous || (p->strided && dims == 1) || (p->strided && p->dims)) return CPL_OK;
    if (!p->dims && dims > 1)
        return context_report(cx, CPL_EARG,
                              "argument '%s' has %u dimensions and elements that are not side by "
                              "side row by row, and the function takes it as flat",
                              p->name, dims);
    if (dims > 1)
        return context_report(cx, CPL_EARG,
                              "argument '%s' has gaps between its elements, and the kernel was "
                              "compiled for elements side by side",
                              p->name);
    return context_report(cx, CPL_EARG,
                          "argument '%s' has a stride of %lld bytes, and the kernel was compiled "
                          "for elements side by side",
                          p->name, (long long)arg_stride(arg, 0));
}

static cpl_status bind_array(cpl_context *cx, size_t i, const artifact_param *p, const cpl_arg *arg,
                             arg_value *v)
{
    const cpl_type *elem = p->type->elem;
    bool same = arg_has_elements(arg, elem);
    v->pointer = arg->data;
    bool allowed = !arg->readonly || p->readonly;
    if (same && allowed && p->dims < 2 && arg_right_at_a_glance(arg, elem->size, elem->align))
        return CPL_OK;
    cpl_status status = check(cx, i, arg);
    if (status) return status;
    if (!allowed)
        return context_report(cx, CPL_EARG,
                              "argument '%s' is read-only, and the kernel may write it", p->name);
    return same ? check_dims(cx, p, arg) : refuse_elements(cx, p, arg);
}

static bool is_complex_number(const cpl_arg *arg)
{
    return arg->kind == CPL_ARG_COMPLEX || (arg->kind == CPL_ARG_SCALAR && is_complex(arg->dtype));
}

/* Other numbers have no imaginary part: *v stays 0. */
static void set_imag(const cpl_arg *arg, const cpl_type *t, arg_value *v)
{
    if (!is_complex_number(arg)) return;
    if (type_is(t, CPL_FLOAT32)) v->f32 = (float)arg->imag;
    else v->f64 = arg->imag;
}

/* Whether a parameter is the real part of a complex number. */
static bool takes_complex(const artifact *a, size_t param)
{
    for (size_t i = param + 1; i < a->param_count; i++)
        if (a->params[i].role == PARAM_IMAG && a->params[i].of == param) return true;
    return false;
}

static cpl_status bind_number(cpl_context *cx, const artifact *a, const artifact_param *p,
                              const cpl_arg *arg, arg_value *v)
{
    if (is_complex_number(arg) && !takes_complex(a, (size_t)(p - a->params)))
        return context_report(cx, CPL_EARG, "argument '%s' is complex, not %s", p->name,
                              p->type->text);
    if (arg_convert(arg, p->type, v)) return CPL_OK;
    return context_report(cx, CPL_EARG, "argument '%s' does not fit its type %s", p->name,
                          p->type->text);
}

static cpl_status bind_arg(cpl_context *cx, const artifact *a, const artifact_param *p,
                           const cpl_arg *arg, arg_value *v)
{
    size_t i = p->arg;
    bool wants_array = type_is_pointer(p->type), is_array = arg->kind == CPL_ARG_ARRAY;
    bool wants_local = wants_array && p->type->space == SPACE_LOCAL;
    if (wants_array && is_array && !wants_local) return bind_array(cx, i, p, arg, v);
    if (arg->kind == CPL_ARG_BOUND)
        return context_report(
            cx, CPL_EARG,
            "argument %zu stands for something: the kernel was made with that and "
            "takes the others alone",
            i + 1);
    cpl_status status = check(cx, i, arg);
    if (status) return status;
    if (wants_local) return bind_local(cx, p, arg);
    if (!wants_array && !is_array && arg->kind != CPL_ARG_LOCAL)
        return bind_number(cx, a, p, arg, v);
    return context_report(cx, CPL_EARG, "argument '%s' must be %s", p->name,
                          wants_array ? "an array" : "a scalar");
}

cpl_status args_check_count(cpl_context *cx, size_t takes, size_t count)
{
    if (count == takes) return CPL_OK;
    return context_report(cx, CPL_EARG, "the kernel takes %zu argument%s, not %zu", takes,
                          takes == 1 ? "" : "s", count);
}

static cpl_status check_count(cpl_context *cx, const artifact *a, size_t count)
{
    if (count > MOST_ARGUMENTS + a->part_count) return args_too_many(cx);
    cpl_status status = args_check_count(cx, a->arg_count + a->part_count, count);
    if (status) return status;
    if (a->param_count <= MOST_PARAMETERS) return CPL_OK;
    return context_report(cx, CPL_ELIMIT, "the kernel has too many parameters");
}

/* What is contiguous may stand flat, whatever its shape. */
static int64_t stride_along(const artifact *a, const artifact_param *p, const cpl_arg *arg)
{
    bool flat = !a->params[p->of].dims && arg_dims(arg) > 1;
    return flat ? (int64_t)arg_element_size(arg) : arg_stride(arg, p->axis);
}

/* What the caller does not give. */
static void bind_hidden(const artifact *a, const artifact_param *p, const cpl_arg *args, binding *b,
                        arg_value *v)
{
    switch (p->role) {
    case PARAM_IMAG: set_imag(&args[p->arg], p->type, v); break;
    case PARAM_LENGTH: v->i64 = args[p->arg].length; break;
    case PARAM_SHAPE: v->i64 = arg_extent(&args[p->arg], p->axis); break;
    case PARAM_STRIDE: v->i64 = stride_along(a, p, &args[p->arg]); break;
    case PARAM_RESULT:
        memset(b->returned, 0, sizeof b->returned);
        v->pointer = b->returned;
        break;
    case PARAM_FAULT: v->pointer = &b->fault; break;
    default: break;
    }
}

static cpl_status bind_rounds(cpl_context *cx, const artifact_param *p, int64_t n, arg_value *v)
{
    const cpl_arg arg = cpl_arg_int(n);
    bool fits = type_is(p->type, CPL_INT64) || (type_is(p->type, CPL_INT32) && n == (int32_t)n);
    v->i64 = n;
    if (fits || to_integer(&arg, p->type, &v->u64)) return CPL_OK;
    return context_report(cx, CPL_EARG, "%lld iterations do not fit the count '%s', which is %s",
                          (long long)n, p->name, p->type->text);
}

cpl_status args_bind(cpl_context *cx, const artifact *a, const cpl_arg *args, size_t count,
                     int64_t n, binding *b)
{
    cpl_status status = check_count(cx, a, count);
    if (status) return status;
    b->fault = (cpl_fault){0};
    for (size_t i = 0; i < a->param_count && !status; i++) {
        const artifact_param *p = &a->params[i];
        arg_value *v = &b->values[i];
        b->pointers[i] = v;
        *v = (arg_value){0};
        if (p->role == PARAM_ARG || p->role == PARAM_PARTS)
            status = bind_arg(cx, a, p, &args[p->arg], v);
        else if (p->role == PARAM_COUNT) status = bind_rounds(cx, p, n, v);
        else bind_hidden(a, p, args, b, v);
    }
    return status;
}

uint32_t args_dims(const artifact *a, size_t i)
{
    for (size_t k = 0; k < a->param_count; k++)
        if (a->params[k].role == PARAM_ARG && a->params[k].arg == i) return a->params[k].dims;
    return 0;
}

/* The arrays of a launch, as far as sharing asks. */
typedef struct extents {
    size_t count;
    struct {
        byte_range bytes;
        const cpl_arg *arg;
        bool written, alone; /* alone: and not read */
    } at[MOST_GIVEN];
} extents;

static void add_extent(extents *x, const cpl_arg *arg, bool written, bool read)
{
    if (arg->kind != CPL_ARG_ARRAY || arg->length == 0 || !(written || read)) return;
    x->at[x->count].bytes = arg_range(arg);
    x->at[x->count].arg = arg;
    x->at[x->count].alone = written && !read;
    x->at[x->count++].written = written;
}

/* Those that are values are the parameters' in order. */
static void find_extents(extents *x, const artifact *a, const cpl_arg *args, size_t count)
{
    const cpl_arg *next = args, *end = args + count;
    x->count = 0;
    if (!a)
        while (next < end) add_extent(x, next++, true, false);
    for (size_t i = 0; next < end && i < a->param_count; i++) {
        if (a->params[i].role != PARAM_ARG) continue;
        while (next < end && next->kind == CPL_ARG_BOUND) next++;
        if (next < end) add_extent(x, next++, !a->params[i].readonly, !a->params[i].unread);
    }
}

static args_sharing sharing_of(const extents *x)
{
    args_sharing found = ARGS_APART;
    for (size_t i = 1; i < x->count; i++)
        for (size_t k = 0; k < i; k++) {
            if (!(x->at[i].written || x->at[k].written)) continue;
            if (!ranges_meet(x->at[i].bytes, x->at[k].bytes)) continue;
            if (arg_interleaves(x->at[i].arg, x->at[k].arg)) continue;
            if (!arg_lies_alike(x->at[i].arg, x->at[k].arg)) return ARGS_CROSS;
            found = ARGS_SAME;
        }
    return found;
}

args_sharing args_share(const artifact *a, const cpl_arg *args, size_t count)
{
    extents x;
    find_extents(&x, a, args, count);
    return sharing_of(&x);
}

static bool are_small(const cpl_arg *args, size_t count, int64_t n)
{
    bool small = n <= INT32_MAX;
    for (size_t i = 0; i < count; i++)
        small &= args[i].kind != CPL_ARG_ARRAY || arg_is_small(&args[i]);
    return small;
}

/* Whether one of so many bytes or more is written and not read, or may be. */
static bool has_large(const extents *x, uint64_t least)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->at[i].alone && arg_is_bare(x->at[i].arg) && arg_bytes(x->at[i].arg) >= least)
            return true;
    return false;
}

uint32_t args_facts(const artifact *a, const cpl_arg *args, size_t count, int64_t n, uint64_t large)
{
    static const uint32_t facts[] = {[ARGS_APART] = CPL_FACT_APART,
                                     [ARGS_SAME] = 0,
                                     [ARGS_CROSS] = CPL_FACT_IN_ORDER};
    extents x;
    find_extents(&x, a, args, count);
    return facts[sharing_of(&x)] | (are_small(args, count, n) ? CPL_FACT_SMALL : 0) |
           (large && has_large(&x, large) ? CPL_FACT_LARGE : 0);
}
