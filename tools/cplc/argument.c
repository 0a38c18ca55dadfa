/* The right side of NAME=... on the command line of `cplc run`: a number, a typed number, an array
 * file, a zeroed array, or local memory. */
#include "cplc.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a text is as a number: a sign and digits (or 0x digits) are an integer, anything else that
 * strtod takes is a float. */
typedef struct number {
    bool is_int;
    bool negative;
    uint64_t magnitude; /* of an integer */
    double f;           /* its value as a float, in either case */
} number;

static bool is_integer_text(const char *text)
{
    const char *p = text + (*text == '-' || *text == '+');
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    p += hex ? 2 : 0;
    if (!*p) return false;
    for (; *p; p++)
        if (hex ? !isxdigit((unsigned char)*p) : !isdigit((unsigned char)*p)) return false;
    return true;
}

/* Returns an exit status. */
static int parse_number(number *v, const char *name, const char *text)
{
    *v = (number){0};
    char *end;
    errno = 0;
    if (!strcmp(text, "True") || !strcmp(text, "False")) {
        v->is_int = true;
        v->magnitude = text[0] == 'T';
        v->f = (double)v->magnitude;
        return EXIT_OK;
    }
    if (is_integer_text(text)) {
        v->is_int = true;
        v->negative = text[0] == '-';
        const char *digits = text + (*text == '-' || *text == '+');
        v->magnitude =
            strtoull(digits, &end, digits[0] == '0' && (digits[1] | 32) == 'x' ? 16 : 10);
        if (errno || *end)
            return usage_error("%s=%s: the integer does not fit 64 bits", name, text);
        v->f = strtod(text, &end);
        return EXIT_OK;
    }
    bool blank = isspace((unsigned char)text[0]);
    v->f = strtod(text, &end);
    if (blank || end == text || *end) {
        usage_error("%s=%s: not a number, a .npy or .npz file or TYPE[N]", name, text);
        return EXIT_USAGE;
    }
    if (errno == ERANGE && isinf(v->f))
        return usage_error("%s=%s: the number does not fit float64", name, text);
    return EXIT_OK;
}

/* "2j", "1+2j", "-1.5e3-0.25j", as Python writes them, in parentheses or not; dtype: CPL_VOID for
 * untyped ones. False where the text is none. */
static bool complex_number(argument *a, const char *text, cpl_dtype dtype)
{
    size_t n = strlen(text);
    bool enclosed = n > 2 && text[0] == '(' && text[n - 1] == ')';
    const char *at = text + enclosed, *last = text + n - 1 - enclosed;
    char *end;
    if (n < 2 || (*last | 32) != 'j' || isspace((unsigned char)*at)) return false;
    double real = 0, imag = strtod(at, &end);
    if (end == at) return false;
    if (end != last) {
        if (*end != '+' && *end != '-') return false;
        at = end;
        real = imag;
        imag = strtod(at, &end);
        if (end == at || end != last) return false;
    }
    a->value = cpl_arg_complex(real, imag);
    a->value.dtype = dtype;
    if (dtype != CPL_VOID) a->value.kind = CPL_ARG_SCALAR;
    return true;
}

static int untyped(argument *a, const char *name, const char *text)
{
    number v;
    if (complex_number(a, text, CPL_VOID)) return EXIT_OK;
    int failed = parse_number(&v, name, text);
    if (failed) return failed;
    if (!strcmp(text, "True") || !strcmp(text, "False")) {
        a->value.kind = CPL_ARG_SCALAR;
        a->value.dtype = CPL_BOOL;
        a->value.value.i = (int64_t)v.magnitude;
    } else if (!v.is_int) {
        a->value = cpl_arg_float(v.f);
    } else if (v.negative) {
        if (v.magnitude > (uint64_t)INT64_MAX + 1)
            return usage_error("%s=%s: the integer does not fit int64", name, text);
        a->value = cpl_arg_int((int64_t)(0 - v.magnitude));
    } else {
        a->value = cpl_arg_int((int64_t)v.magnitude);
        a->value.is_unsigned = v.magnitude > INT64_MAX;
        a->value.value.u = v.magnitude;
    }
    return EXIT_OK;
}

/* True if an integer fits a type of `bits` bits. */
static bool fits(const number *v, unsigned bits, bool is_signed)
{
    /* least magnitude that is too large, 0: 2^bits */
    uint64_t top = is_signed ? (uint64_t)1 << (bits - 1) : 0;
    if (v->negative) return v->magnitude <= top;
    if (is_signed) return v->magnitude < top;
    return bits == 64 || v->magnitude >> bits == 0;
}

static int typed(argument *a, const char *name, const char *text, const char *type_name)
{
    number v;
    cpl_dtype dtype = cpl_dtype_parse(type_name);
    bool is_complex = dtype == CPL_COMPLEX64 || dtype == CPL_COMPLEX128;
    if (is_complex && complex_number(a, text, dtype)) return EXIT_OK;
    if (dtype == CPL_VOID || (dtype >= CPL_BFLOAT16 && !is_complex)) {
        usage_error("%s=%s:%s: '%s' is not an element type", name, text, type_name, type_name);
        suggest(type_name, element_types()->items, element_types()->count);
        return EXIT_USAGE;
    }
    int failed = parse_number(&v, name, text);
    if (failed) return failed;
    a->value.kind = CPL_ARG_SCALAR;
    a->value.dtype = dtype;
    if (dtype >= CPL_FLOAT16) {
        a->value.value.f = v.f;
        return EXIT_OK;
    }
    bool is_signed = dtype >= CPL_INT8 && dtype <= CPL_INT64;
    unsigned bits = dtype == CPL_BOOL ? 1 : 8 * (unsigned)cpl_dtype_size(dtype);
    if (!v.is_int || !fits(&v, bits, is_signed))
        return usage_error("%s=%s:%s: %s does not hold %s", name, text, type_name,
                           cpl_dtype_name(dtype), text);
    a->value.value.u = v.negative ? 0 - v.magnitude : v.magnitude;
    return EXIT_OK;
}

/* What has more dimensions than the library's arrays is flat, as a single value is. */
static void use_array(argument *a, const cpl_type *record)
{
    const npy_array *array = &a->array;
    if (array->ndim < 2 || array->ndim > CPL_MAX_DIMS)
        a->value = cpl_arg_array(array->dtype, array->data, array->length);
    else a->value = cpl_arg_array_nd(array->dtype, array->data, array->ndim, array->shape, NULL);
    a->value.record = record;
}

/* "N]", or "R,C]" and so on; how many, 0 when it is none. */
static int32_t lengths(const char *text, int64_t shape[CPL_MAX_DIMS])
{
    for (int32_t n = 0; n < CPL_MAX_DIMS; text++) {
        char *end;
        errno = 0;
        shape[n++] = strtoll(text, &end, 10);
        if (!isdigit((unsigned char)*text) || errno) return 0;
        if (!strcmp(end, "]")) return n;
        if (*end != ',') return 0;
        text = end;
    }
    return 0;
}

static int zeros(argument *a, const input *in, const char *name, const char *text)
{
    const char *bracket = strchr(text, '[');
    char *type_name = copy_text(text, (size_t)(bracket - text));
    cpl_dtype dtype = cpl_dtype_parse(type_name);
    int64_t shape[CPL_MAX_DIMS];
    int32_t ndim = lengths(bracket + 1, shape);
    if (!ndim)
        return usage_error("%s=%s: an array of zeros is TYPE[N], TYPE[R,C] or of up to %d lengths",
                           name, text, CPL_MAX_DIMS);
    const cpl_type *record = npy_code(dtype) ? NULL : record_named(in, type_name);
    if (!npy_code(dtype) && !record) {
        usage_error("%s=%s: '%s' is not an element type", name, text, type_name);
        suggest(type_name, element_types()->items, element_types()->count);
        return EXIT_USAGE;
    }
    char why[NPY_MESSAGE];
    if (record ? record_zeros(in, &a->array, record, shape, ndim, why)
               : npy_zeros(&a->array, dtype, shape, ndim, why)) {
        message("%s=%s: %s", name, text, why);
        return EXIT_SYSTEM;
    }
    use_array(a, record);
    return EXIT_OK;
}

static int from_file(argument *a, const input *in, const char *name, array_file *file)
{
    int failed = array_file_read(file, &a->array);
    if (failed) return failed;
    const char *text = array_file_text(file), *record = file->record;
    if (a->array.dtype == CPL_VOID && !record) {
        usage_error("%s=%s: the file holds records", name, text);
        print_hint("name the struct of the kernel that they are: %s=%s:STRUCT", name, text);
        return EXIT_USAGE;
    }
    const cpl_type *type = NULL;
    if (a->array.dtype == CPL_VOID) failed = record_of_file(in, &a->array, text, record, &type);
    else if (record)
        return usage_error("%s=%s:%s: the file holds %s, not records", name, text, record,
                           cpl_dtype_name(a->array.dtype));
    if (!failed) use_array(a, type);
    return failed;
}

/* "local:N" and "local:TYPE[N]". */
static int local_memory(argument *a, const char *name, const char *text)
{
    const char *bracket = strchr(text, '[');
    char *type_name = copy_text(text, bracket ? (size_t)(bracket - text) : 0);
    const char *digits = bracket ? bracket + 1 : text;
    char *end;
    errno = 0;
    long long length = strtoll(digits, &end, 10);
    if (!isdigit((unsigned char)digits[0]) || errno || strcmp(end, bracket ? "]" : "") != 0 ||
        length == 0)
        return usage_error(
            "%s=local:%s: local memory is local:N or local:TYPE[N], N elements for each group",
            name, text);
    cpl_dtype dtype = bracket ? cpl_dtype_parse(type_name) : CPL_VOID;
    if (bracket && (dtype == CPL_VOID || dtype >= CPL_BFLOAT16))
        return usage_error("%s=local:%s: '%s' is not an element type", name, text, type_name);
    a->value = cpl_arg_local(dtype, length);
    return EXIT_OK;
}

int argument_parse(argument *a, const input *in, const char *name, const char *text)
{
    size_t length = strlen(text);
    int failed = EXIT_OK;
    if (bind_parse(&a->bind, in, name, text, &failed)) {
        a->value = cpl_arg_bound(&a->bind);
        return failed;
    }
    array_file file;
    if (!strncmp(text, "local:", 6)) return local_memory(a, name, text + 6);
    if (array_file_parse(&file, name, text)) return from_file(a, in, name, &file);
    if (length && text[length - 1] == ']' && strchr(text, '[')) return zeros(a, in, name, text);
    const char *colon = strrchr(text, ':');
    if (colon) return typed(a, name, copy_text(text, (size_t)(colon - text)), colon + 1);
    return untyped(a, name, text);
}
