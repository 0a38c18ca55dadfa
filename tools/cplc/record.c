/* Arrays of records as arguments of `cplc run`: those of a file, and zeros of a struct of the
 * kernel file or of vectors. */
#include "cplc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records in a file: fields in a row, each in front of its own. */
typedef struct records {
    const npy_field *fields;
    size_t count; /* of all of them */
    size_t size;  /* bytes */
} records;

static records records_of(const npy_array *array)
{
    return (records){array->fields, array->field_count, array->item_size};
}

static records inner_records(const npy_field *f)
{
    return (records){f + 1, f->parts, f->size};
}

/* "float64" of a field, or the name of a struct, with its lengths: "float64[3][2]". */
static cpl_status type_of(const input *in, const npy_field *f, const char *element,
                          const cpl_type **type)
{
    char text[2 * NPY_NAME + 128];
    int n = snprintf(text, sizeof text - 128, "%s", element);
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

static int compare_records(const input *in, records r, const cpl_type *type);

/* The struct that an array of them, "Pair[3][2]", or one has for its elements; NULL: it is none. */
static const cpl_type *element_struct(const input *in, const cpl_type *type)
{
    const char *text = cpl_type_text(type), *bracket = strchr(text, '[');
    char *name = copy_text(text, bracket ? (size_t)(bracket - text) : strlen(text));
    const cpl_type *element = record_named(in, name);
    return element;
}

/* As compare_records, of the type of a field. */
static int compare_field(const input *in, const npy_field *f, const cpl_type *type)
{
    const cpl_type *own;
    if (f->dtype != CPL_VOID) {
        cpl_status status = type_of(in, f, cpl_dtype_name(f->dtype), &own);
        return !status && own == type ? 1 : -1;
    }
    const cpl_type *element = element_struct(in, type);
    if (!element || type_of(in, f, cpl_type_text(element), &own) || own != type) return -1;
    return compare_records(in, inner_records(f), element);
}

/* Whether the records of a file are a struct that there is: 1, or 0 when it lays the same fields
 * out elsewhere, or -1 when its fields are others. */
static int compare_records(const input *in, records r, const cpl_type *type)
{
    size_t count, at = 0;
    const cpl_field *known = cpl_type_fields(type, &count);
    bool placed = cpl_type_size(type) == r.size;
    for (size_t i = 0; i < count; i++) {
        const npy_field *f = &r.fields[at];
        if (at >= r.count || strcmp(known[i].name, f->name) != 0) return -1;
        int same = compare_field(in, f, known[i].type);
        if (same < 0) return -1;
        placed = placed && same && known[i].offset == f->offset;
        at += 1 + f->parts;
    }
    return at == r.count ? placed : -1;
}

/* The largest that all records of an array have whose first is aligned to anything. */
static size_t record_align(records r, const cpl_field *fields, size_t count)
{
    size_t align = 1;
    for (size_t i = 0; i < count; i++)
        if (cpl_type_align(fields[i].type) > align) align = cpl_type_align(fields[i].type);
    while (r.size % align) align /= 2;
    return align;
}

/* A struct that lies as the records do; those in them are NAME_FIELD. */
static cpl_status make_struct(const input *in, records r, const char *name, const cpl_type **type)
{
    cpl_field fields[NPY_FIELDS];
    size_t count = 0;
    for (size_t at = 0; at < r.count; at += 1 + r.fields[at].parts) {
        const npy_field *f = &r.fields[at];
        char inner[2 * NPY_NAME + 8];
        const char *element = cpl_dtype_name(f->dtype);
        cpl_field *to = &fields[count++];
        *to = (cpl_field){f->name, NULL, f->offset};
        cpl_status status = CPL_OK;
        if (f->dtype == CPL_VOID) {
            snprintf(inner, sizeof inner, "%.*s_%s", NPY_NAME, name, f->name);
            element = inner;
            status = make_struct(in, inner_records(f), inner, &to->type);
        }
        if (!status) status = type_of(in, f, element, &to->type);
        if (status) return status;
    }
    return cpl_type_struct_at(in->context, name, fields, count, r.size,
                              record_align(r, fields, count), type);
}

int record_of_file(const input *in, const npy_array *array, const char *path, const char *record,
                   const cpl_type **type)
{
    records r = records_of(array);
    if (cpl_type_parse(in->context, record, type) == CPL_OK) {
        int same = compare_records(in, r, *type);
        if (same < 0) return refuse_records(in, path, record);
        if (same == 0) {
            message("%s: its records are not laid out as the struct '%s' is", path, record);
            print_hint("make the dtype with align=True, or name a struct that the kernel file does "
                       "not declare: NAME=FILE:STRUCT");
            return EXIT_INPUT;
        }
    } else {
        cpl_status status = make_struct(in, r, record, type);
        if (status) return input_failed(in, status, path);
    }
    return EXIT_OK;
}

/* ---- zeros ---- */

const cpl_type *record_named(const input *in, const char *text)
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

npy_status record_zeros(const input *in, npy_array *array, const cpl_type *type,
                        const int64_t *shape, int32_t ndim, char why[NPY_MESSAGE])
{
    char *descr = NULL;
    size_t length;
    FILE *out = open_memstream(&descr, &length);
    if (!out) return npy_fail(why, NPY_ENOMEM, "out of memory");
    put_type(out, in, type);
    fclose(out);
    npy_status status = npy_zero_records(array, descr, cpl_type_size(type), shape, ndim, why);
    free(descr);
    return status;
}
