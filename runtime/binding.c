/* Arguments of launches and calls as values of the types of an artifact's parameters. */
#include "runtime/runtime.h"
#include "lib/support/plural.h"

#include <math.h>

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
            plural(dims), p->dims);
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
    cpl_status status = arg_check(cx, (arg_name){.i = i}, arg);
    if (status) return status;
    if (!allowed)
        return context_report(cx, CPL_EARG,
                              "argument '%s' is read-only, and the kernel may write it", p->name);
    return same ? check_dims(cx, p, arg) : refuse_elements(cx, p, arg);
}

static bool is_complex_number(const cpl_arg *arg)
{
    return arg->kind == CPL_ARG_COMPLEX ||
           (arg->kind == CPL_ARG_SCALAR && dtype_is_complex(arg->dtype));
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
    cpl_status status = arg_check(cx, (arg_name){.i = i}, arg);
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
                          plural((int64_t)takes), count);
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
