/* Arguments of launches and calls as they come: whether they are right, and which types they ask
 * for. Their values are binding.c's, what is known of them facts.c's. */
#include "runtime/runtime.h"

#include <stdio.h>

/* What elements may be: a scalar, or a struct of the context. NULL, or what is wrong. */
static const char *bad_elements(cpl_context *cx, const cpl_arg *arg)
{
    bool known = dtype_is_known(arg->dtype) || dtype_is_complex(arg->dtype);
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
    size_t align = arg->record                    ? arg->record->align
                   : dtype_is_complex(arg->dtype) ? cpl_dtype_size(arg->dtype) / 2
                                                  : cpl_dtype_size(arg->dtype);
    uint64_t places = (uintptr_t)arg->data;
    for (uint32_t k = 0; k < arg_dims(arg); k++)
        if (arg_extent(arg, k) > 1) places |= (uint64_t)arg_stride(arg, k);
    if (arg->length && places & (align - 1)) {
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
        if (!dtype_is_known(arg->dtype) && !dtype_is_complex(arg->dtype))
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
    return is_usual(arg) ? CPL_OK : check_unusual(cx, (arg_name){.i = i}, arg);
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
    cpl_context *cx = module_context(m);
    cpl_status status = !checked && count > MOST_ARGUMENTS ? args_too_many(cx) : CPL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        const cpl_arg *arg = &args[i];
        if (!checked && (status = check(cx, i, arg))) break;
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
    return dtype_is_complex((cpl_dtype)dtype) ? dtype - (CPL_COMPLEX64 - CPL_FLOAT32) : dtype;
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
