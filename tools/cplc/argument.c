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
static void use_array(argument *a)
{
    const npy_array *array = &a->array;
    if (array->ndim < 2 || array->ndim > CPL_MAX_DIMS)
        a->value = cpl_arg_array(array->dtype, array->data, array->length);
    else a->value = cpl_arg_array_nd(array->dtype, array->data, array->ndim, array->shape, NULL);
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

static int zeros(argument *a, const char *name, const char *text)
{
    const char *bracket = strchr(text, '[');
    char *type_name = copy_text(text, (size_t)(bracket - text));
    cpl_dtype dtype = cpl_dtype_parse(type_name);
    int64_t shape[CPL_MAX_DIMS];
    int32_t ndim = lengths(bracket + 1, shape);
    if (!ndim)
        return usage_error("%s=%s: an array of zeros is TYPE[N], TYPE[R,C] or of up to %d lengths",
                           name, text, CPL_MAX_DIMS);
    if (dtype == CPL_VOID || dtype == CPL_BFLOAT16 || dtype == CPL_DTYPE_COUNT) {
        usage_error("%s=%s: '%s' is not an element type", name, text, type_name);
        suggest(type_name, element_types()->items, element_types()->count);
        return EXIT_USAGE;
    }
    char why[NPY_MESSAGE];
    if (npy_zeros(&a->array, dtype, shape, ndim, why)) {
        message("%s=%s: %s", name, text, why);
        return EXIT_SYSTEM;
    }
    use_array(a);
    return EXIT_OK;
}

/* The type of a field: "float64" or "float64[3][2]". */
static cpl_status field_type(const input *in, const npy_field *f, const cpl_type **type)
{
    char text[128];
    int n = snprintf(text, sizeof text, "%s", cpl_dtype_name(f->dtype));
    for (int32_t d = 0; d < f->ndim; d++)
        n += snprintf(text + n, sizeof text - (size_t)n, "[%lld]", (long long)f->shape[d]);
    return cpl_type_parse(in->context, text, type);
}

/* The struct of the kernel file that the records do not fit, as a hint. */
static int refuse_records(const input *in, const char *path, const char *record)
{
    message("%s: its records are not the struct '%s'", path, record);
    const cpl_type *type;
    size_t count = 0;
    const cpl_field *fields =
        cpl_type_parse(in->context, record, &type) ? NULL : cpl_type_fields(type, &count);
    word_list words = {0};
    for (size_t i = 0; i < count; i++) {
        char text[256];
        int n =
            snprintf(text, sizeof text, "%s: %s", fields[i].name, cpl_type_text(fields[i].type));
        word_push(&words, copy_text(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1));
    }
    if (count) print_hint("its fields are %s", word_join(words.items, words.count));
    return EXIT_INPUT;
}

/* Whether the records of a file are a struct that there is: 1, or 0 when it lays the same fields
 * out elsewhere, or -1 when its fields are others. */
static int compare_records(const npy_array *array, const cpl_field *fields, const cpl_type *type)
{
    size_t count;
    const cpl_field *known = cpl_type_fields(type, &count);
    bool placed = cpl_type_size(type) == array->item_size;
    if (count != array->field_count) return -1;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(known[i].name, fields[i].name) != 0 || known[i].type != fields[i].type)
            return -1;
        placed = placed && known[i].offset == fields[i].offset;
    }
    return placed;
}

/* The largest that all records of an array have whose first is aligned to anything. */
static size_t record_align(const npy_array *array, const cpl_field *fields)
{
    size_t align = 1;
    for (size_t i = 0; i < array->field_count; i++)
        if (cpl_type_align(fields[i].type) > align) align = cpl_type_align(fields[i].type);
    while (array->item_size % align) align /= 2;
    return align;
}

/* The struct that the records of a file are: the kernel file's of that name, which must lie as they
 * do, or a new one. */
static int use_records(argument *a, const input *in, const char *path, const char *record)
{
    const npy_array *array = &a->array;
    cpl_field fields[NPY_FIELDS];
    for (size_t i = 0; i < array->field_count; i++) {
        fields[i] = (cpl_field){array->fields[i].name, NULL, array->fields[i].offset};
        cpl_status status = field_type(in, &array->fields[i], &fields[i].type);
        if (status) return input_failed(in, status, path);
    }
    const cpl_type *type;
    if (cpl_type_parse(in->context, record, &type) == CPL_OK) {
        int same = compare_records(array, fields, type);
        if (same < 0) return refuse_records(in, path, record);
        if (same == 0) {
            message("%s: its records are not laid out as the struct '%s' is", path, record);
            print_hint("make the dtype with align=True, or name a struct that the kernel file does "
                       "not declare: NAME=FILE:STRUCT");
            return EXIT_INPUT;
        }
    } else {
        cpl_status status =
            cpl_type_struct_at(in->context, record, fields, array->field_count, array->item_size,
                               record_align(array, fields), &type);
        if (status) return input_failed(in, status, path);
    }
    use_array(a);
    a->value.record = type;
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
    if (a->array.dtype == CPL_VOID) return use_records(a, in, text, record);
    if (record)
        return usage_error("%s=%s:%s: the file holds %s, not records", name, text, record,
                           cpl_dtype_name(a->array.dtype));
    use_array(a);
    return EXIT_OK;
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
    if (length && text[length - 1] == ']' && strchr(text, '[')) return zeros(a, name, text);
    const char *colon = strrchr(text, ':');
    if (colon) return typed(a, name, copy_text(text, (size_t)(colon - text)), colon + 1);
    return untyped(a, name, text);
}
