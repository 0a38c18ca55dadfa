/* Arguments of launches and calls: which types they ask for, and their values in the types of the
 * parameters. */
#include "runtime/runtime.h"

#include <math.h>

static bool known_dtype(cpl_dtype d)
{
    return d > CPL_VOID && d <= CPL_FLOAT64;
}

static size_t element_size(const cpl_arg *arg)
{
    return arg->record ? arg->record->size : cpl_dtype_size(arg->dtype);
}

/* False when its bytes would be more than there are addresses. */
static bool fits_memory(const cpl_arg *arg)
{
    int64_t last, stride = arg->stride ? arg->stride : (int64_t)element_size(arg);
    return arg->length <= 1 || !__builtin_mul_overflow(arg->length - 1, stride, &last);
}

static cpl_status check_array(cpl_context *cx, size_t i, const cpl_arg *arg)
{
    size_t align = arg->record ? arg->record->align : cpl_dtype_size(arg->dtype);
    if (!arg->record && !known_dtype(arg->dtype))
        return context_report(cx, CPL_EARG, "argument %zu has no element type of this library",
                              i + 1);
    if (arg->length < 0)
        return context_report(cx, CPL_EARG, "argument %zu has a negative length", i + 1);
    if (!arg->data && arg->length > 0)
        return context_report(cx, CPL_EARG, "argument %zu is NULL but has a length", i + 1);
    if (((uintptr_t)arg->data | (uint64_t)arg->stride) & (align - 1))
        return context_report(cx, CPL_EARG,
                              "argument %zu is not aligned to its elements of %zu bytes", i + 1,
                              align);
    if (!fits_memory(arg))
        return context_report(cx, CPL_EARG, "argument %zu is larger than memory can be", i + 1);
    return CPL_OK;
}

static bool is_strided(const cpl_arg *arg)
{
    return arg->stride != 0 && arg->stride != (int64_t)element_size(arg) && arg->length > 1;
}

/* The type of an untyped integer. */
static cpl_dtype int_dtype(const cpl_arg *arg)
{
    if (arg->is_unsigned) return CPL_UINT64;
    return arg->value.i >= INT32_MIN && arg->value.i <= INT32_MAX ? CPL_INT32 : CPL_INT64;
}

cpl_status args_codes(cpl_context *cx, const cpl_arg *args, size_t count, arg_code *codes)
{
    if (count > MOST_ARGUMENTS)
        return context_report(cx, CPL_ELIMIT, "more than %d arguments", MOST_ARGUMENTS);
    for (size_t i = 0; i < count; i++) {
        const cpl_arg *arg = &args[i];
        codes[i] = (arg_code){.kind = (uint8_t)arg->kind, .dtype = (uint8_t)arg->dtype};
        switch (arg->kind) {
        case CPL_ARG_ARRAY: {
            cpl_status status = check_array(cx, i, arg);
            if (status) return status;
            codes[i].record = arg->record;
            codes[i].strided = is_strided(arg);
            break;
        }
        case CPL_ARG_SCALAR:
            if (!known_dtype(arg->dtype))
                return context_report(cx, CPL_EARG, "argument %zu has no type of this library",
                                      i + 1);
            break;
        case CPL_ARG_LOCAL:
            if (!known_dtype(arg->dtype) || arg->length < 0 || arg->length > INT32_MAX)
                return context_report(
                    cx, CPL_EARG,
                    "argument %zu has no element type of this library, or no valid length", i + 1);
            break;
        case CPL_ARG_INT: codes[i].dtype = int_dtype(arg); break;
        case CPL_ARG_FLOAT: codes[i].dtype = CPL_VOID; break;
        default: return context_report(cx, CPL_EARG, "argument %zu has no valid kind", i + 1);
        }
    }
    return CPL_OK;
}

static cpl_dtype widest_float(const arg_code *codes, size_t count)
{
    uint8_t widest = CPL_VOID;
    for (size_t i = 0; i < count; i++)
        if (codes[i].kind == CPL_ARG_ARRAY && !codes[i].record && codes[i].dtype >= CPL_FLOAT16 &&
            codes[i].dtype > widest)
            widest = codes[i].dtype;
    return widest == CPL_VOID ? CPL_FLOAT64 : (cpl_dtype)widest;
}

cpl_status args_types(cpl_context *cx, const arg_code *codes, size_t count, const cpl_type **out)
{
    type_table *types = context_types(cx);
    for (size_t i = 0; i < count; i++) {
        cpl_dtype dtype =
            codes[i].kind == CPL_ARG_FLOAT ? widest_float(codes, count) : (cpl_dtype)codes[i].dtype;
        const cpl_type *t = codes[i].record ? codes[i].record : type_scalar(types, dtype);
        if (codes[i].kind == CPL_ARG_LOCAL) t = type_pointer(types, t, SPACE_LOCAL);
        if (codes[i].kind == CPL_ARG_ARRAY)
            t = codes[i].strided ? type_strided(types, t) : type_pointer(types, t, SPACE_GLOBAL);
        if (!t) return CPL_ENOMEM;
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

static bool convert(const cpl_arg *arg, const cpl_type *t, arg_value *v)
{
    if (t->kind != TYPE_SCALAR) return false;
    switch (t->dtype) {
    case CPL_FLOAT16: v->f16 = half_bits(as_float(arg)); return true;
    case CPL_FLOAT32: v->f32 = (float)as_float(arg); return true;
    case CPL_FLOAT64: v->f64 = as_float(arg); return true;
    default:
        return to_integer(arg, t, &v->u64); /* little-endian: the low bytes are the narrow value */
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

static cpl_status bind_arg(cpl_context *cx, const artifact_param *p, const cpl_arg *arg,
                           arg_value *v)
{
    if (type_is_pointer(p->type) && p->type->space == SPACE_LOCAL) return bind_local(cx, p, arg);
    bool wants_array = type_is_pointer(p->type), is_array = arg->kind == CPL_ARG_ARRAY;
    if (wants_array != is_array || arg->kind == CPL_ARG_LOCAL)
        return context_report(cx, CPL_EARG, "argument '%s' must be %s", p->name,
                              wants_array ? "an array" : "a scalar");
    if (is_array) {
        const cpl_type *elem = p->type->elem;
        bool same = arg->record ? arg->record == elem
                                : elem->kind == TYPE_SCALAR && elem->dtype == arg->dtype;
        if (!same)
            return context_report(cx, CPL_EARG, "argument '%s' has elements of %s, not %s", p->name,
                                  arg->record ? arg->record->text : cpl_dtype_name(arg->dtype),
                                  elem->text);
        v->pointer = arg->data;
        return CPL_OK;
    }
    if (convert(arg, p->type, v)) return CPL_OK;
    return context_report(cx, CPL_EARG, "argument '%s' does not fit its type %s", p->name,
                          p->type->text);
}

static size_t declared_count(const artifact *a)
{
    size_t n = 0;
    for (size_t i = 0; i < a->param_count; i++) n += a->params[i].role == PARAM_ARG;
    return n;
}

cpl_status args_bind(cpl_context *cx, const artifact *a, const cpl_arg *args, size_t count,
                     int64_t n, binding *b)
{
    if (count != declared_count(a))
        return context_report(cx, CPL_EARG, "the kernel takes %zu arguments, not %zu",
                              declared_count(a), count);
    if (a->param_count > COUNT_OF(b->values))
        return context_report(cx, CPL_ELIMIT, "the kernel has too many parameters");
    size_t arg_of[MOST_ARGUMENTS * 3 + 2];
    size_t next = 0;
    b->fault = (cpl_fault){0};
    for (size_t i = 0; i < a->param_count; i++) {
        const artifact_param *p = &a->params[i];
        b->pointers[i] = &b->values[i];
        b->values[i] = (arg_value){0};
        arg_of[i] = next;
        cpl_status status = CPL_OK;
        if (p->role == PARAM_COUNT) b->values[i].i64 = n;
        else if (p->role == PARAM_ARG) status = bind_arg(cx, p, &args[next++], &b->values[i]);
        if (status) return status;
    }
    for (size_t i = 0; i < a->param_count; i++) {
        const artifact_param *p = &a->params[i];
        const cpl_arg *arg =
            p->role == PARAM_LENGTH || p->role == PARAM_STRIDE ? &args[arg_of[p->of]] : NULL;
        if (p->role == PARAM_LENGTH) b->values[i].i64 = arg->length;
        if (p->role == PARAM_STRIDE) b->values[i].i64 = arg->stride;
        if (p->role == PARAM_FAULT) b->values[i].pointer = &b->fault;
    }
    return CPL_OK;
}

typedef struct range {
    uintptr_t begin, end;
} range;

static range range_of(const cpl_arg *arg)
{
    size_t size = element_size(arg);
    int64_t stride = arg->stride ? arg->stride : (int64_t)size;
    if (arg->length == 0) return (range){0, 0};
    uintptr_t first = (uintptr_t)arg->data,
              last = first + (uintptr_t)stride * (uintptr_t)(arg->length - 1);
    return last < first ? (range){last, first + size} : (range){first, last + size};
}

bool args_small(const cpl_arg *args, size_t count, int64_t n)
{
    bool small = n <= INT32_MAX;
    for (size_t i = 0; i < count; i++)
        small &= args[i].kind != CPL_ARG_ARRAY || args[i].length <= INT32_MAX;
    return small;
}

args_sharing args_share(const artifact *a, const cpl_arg *args, size_t count)
{
    bool written[MOST_ARGUMENTS];
    size_t next = 0;
    for (size_t i = 0; i < count; i++) written[i] = !a;
    for (size_t i = 0; a && i < a->param_count && next < count; i++)
        if (a->params[i].role == PARAM_ARG) written[next++] = !a->params[i].readonly;
    args_sharing found = ARGS_APART;
    for (size_t i = 0; i < count; i++) {
        if (args[i].kind != CPL_ARG_ARRAY) continue;
        range x = range_of(&args[i]);
        for (size_t k = 0; k < i; k++) {
            if (args[k].kind != CPL_ARG_ARRAY || !(written[i] || written[k])) continue;
            range y = range_of(&args[k]);
            if (x.begin >= y.end || y.begin >= x.end) continue;
            if (args[i].data != args[k].data || args[i].length != args[k].length ||
                args[i].stride != args[k].stride)
                return ARGS_CROSS;
            found = ARGS_SAME;
        }
    }
    return found;
}
