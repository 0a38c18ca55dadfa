/* Arrays of records as arguments of `cplc run`: those of a file, and zeros of a struct of the
 * kernel file or of vectors. */
#include "cplc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int argument_use_records(argument *a, const input *in, const char *path, const char *record)
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
    argument_use_array(a);
    a->value.record = type;
    return EXIT_OK;
}

/* ---- zeros ---- */

const cpl_type *argument_record(const input *in, const char *text)
{
    const cpl_type *type;
    size_t count;
    if (cpl_type_parse(in->context, text, &type) || !cpl_type_fields(type, &count)) return NULL;
    return type;
}

/* As a dtype in a .npy file has it: "[('x', '<f4'), ('', '|V4'), ('m', '<f8', (3, 2))]". */
static void put_type(FILE *out, const input *in, const cpl_type *type);

static void put_padding(FILE *out, size_t bytes)
{
    if (bytes) fprintf(out, "('', '|V%zu'), ", bytes);
}

/* "float64[3][2]" */
static void put_array(FILE *out, const input *in, const char *text)
{
    const char *bracket = strchr(text, '[');
    const cpl_type *element;
    char *base = copy_text(text, (size_t)(bracket - text));
    if (!cpl_type_parse(in->context, base, &element)) put_type(out, in, element);
    fputs(", (", out);
    for (; bracket; bracket = strchr(bracket + 1, '['))
        fprintf(out, "%ld, ", strtol(bracket + 1, NULL, 10));
    fputc(')', out);
}

static void put_type(FILE *out, const input *in, const cpl_type *type)
{
    size_t count, end = 0;
    const cpl_field *fields = cpl_type_fields(type, &count);
    if (!fields || cpl_type_dtype(type) != CPL_VOID) {
        fputs(npy_code(cpl_type_dtype(type)), out);
        return;
    }
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        const char *text = cpl_type_text(fields[i].type);
        put_padding(out, fields[i].offset - end);
        fprintf(out, "('%s', ", fields[i].name);
        if (strchr(text, '[')) put_array(out, in, text);
        else put_type(out, in, fields[i].type);
        fputs("), ", out);
        end = fields[i].offset + cpl_type_size(fields[i].type);
    }
    put_padding(out, cpl_type_size(type) - end);
    fputc(']', out);
}

npy_status argument_zero_records(argument *a, const input *in, const cpl_type *type,
                                 const int64_t *shape, int32_t ndim, char why[NPY_MESSAGE])
{
    char *descr = NULL;
    size_t length;
    FILE *out = open_memstream(&descr, &length);
    if (!out) return npy_fail(why, NPY_ENOMEM, "out of memory");
    put_type(out, in, type);
    fclose(out);
    npy_status status = npy_zero_records(&a->array, descr, cpl_type_size(type), shape, ndim, why);
    free(descr);
    return status;
}
