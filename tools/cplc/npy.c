/*
 * Reader and writer of .npy files and of what .npz files have as their members. A file is a magic
 * string, a version, the length of the header, the header and the data. The header is a Python
 * literal, {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }, of which the part that
 * NumPy writes is parsed: strings, True and False, integers, tuples and lists.
 */
#include "npy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ALIGNMENT = 64, HEADER_LIMIT = 1 << 20 };

typedef struct reader {
    const char *p; /* next byte of the header */
    const char *end;
    char *text; /* receives the message */
    bool failed;
} reader;

npy_status npy_fail(char text[NPY_MESSAGE], npy_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(text, NPY_MESSAGE, format, list);
    va_end(list);
    return status;
}

/* Notes the first thing that is wrong with the header; later ones follow from it. */
static bool bad(reader *r, const char *format, ...)
{
    if (!r->failed) {
        va_list list;
        va_start(list, format);
        vsnprintf(r->text, NPY_MESSAGE, format, list);
        va_end(list);
    }
    r->failed = true;
    return false;
}

static void skip_space(reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

static bool accept(reader *r, char c)
{
    skip_space(r);
    if (r->p == r->end || *r->p != c) return false;
    r->p++;
    return true;
}

static bool expect(reader *r, char c)
{
    return accept(r, c) || bad(r, "its header is damaged: '%c' was expected", c);
}

/* A string without escapes into buffer. */
static bool read_string(reader *r, char *buffer, size_t size)
{
    skip_space(r);
    if (r->p == r->end || (*r->p != '\'' && *r->p != '"'))
        return bad(r, "its header is damaged: a string was expected");
    char quote = *r->p++;
    size_t n = 0;
    while (r->p < r->end && *r->p != quote) {
        if (*r->p == '\\' || *r->p == '\0' || n + 1 >= size)
            return bad(r, "its header holds a name that is too long or has escapes");
        buffer[n++] = *r->p++;
    }
    buffer[n] = '\0';
    return r->p < r->end ? (r->p++, true) : bad(r, "its header is damaged: a string does not end");
}

static bool read_int(reader *r, int64_t *value)
{
    skip_space(r);
    if (r->p == r->end || *r->p < '0' || *r->p > '9')
        return bad(r, "its shape is not a tuple of non-negative integers");
    int64_t v = 0;
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9') {
        if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *r->p - '0', &v))
            return bad(r, "its shape is too large");
        r->p++;
    }
    if (r->p < r->end && *r->p == 'L') /* Python 2 */
        r->p++;
    *value = v;
    return true;
}

static bool read_bool(reader *r, bool *value)
{
    skip_space(r);
    size_t left = (size_t)(r->end - r->p);
    if (left >= 4 && !memcmp(r->p, "True", 4)) {
        r->p += 4;
        *value = true;
        return true;
    }
    if (left >= 5 && !memcmp(r->p, "False", 5)) {
        r->p += 5;
        *value = false;
        return true;
    }
    return bad(r, "its header is damaged: True or False was expected");
}

/* tuple = '(' [int {',' int}] [','] ')' */
static bool read_shape(reader *r, int64_t *shape, int32_t limit, int32_t *ndim)
{
    if (!expect(r, '(')) return false;
    *ndim = 0;
    while (!accept(r, ')')) {
        if (*ndim == limit) return bad(r, "it has more than %d dimensions", (int)limit);
        if (!read_int(r, &shape[*ndim])) return false;
        ++*ndim;
        if (!accept(r, ',')) return expect(r, ')');
    }
    return true;
}

/* The element type of a code such as "<f8"; false with a message that names what it is. */
static bool parse_code(reader *r, const char *code, cpl_dtype *dtype)
{
    static const struct {
        const char *code;
        cpl_dtype dtype;
    } known[] = {
        {"b1", CPL_BOOL},      {"i1", CPL_INT8},        {"i2", CPL_INT16},   {"i4", CPL_INT32},
        {"i8", CPL_INT64},     {"u1", CPL_UINT8},       {"u2", CPL_UINT16},  {"u4", CPL_UINT32},
        {"u8", CPL_UINT64},    {"f2", CPL_FLOAT16},     {"f4", CPL_FLOAT32}, {"f8", CPL_FLOAT64},
        {"c8", CPL_COMPLEX64}, {"c16", CPL_COMPLEX128},
    };
    char order = code[0];
    if (!order || !strchr("<>=|", order))
        return bad(r, "its element type '%s' is not one of NumPy's", code);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(code + 1, known[i].code)) continue;
        if (order == '>' && cpl_dtype_size(known[i].dtype) > 1)
            return bad(r,
                       "its elements are big-endian ('%s'); convert it with "
                       "a.astype(a.dtype.newbyteorder('<'))",
                       code);
        *dtype = known[i].dtype;
        return true;
    }
    switch (code[1]) {
    case 'O': return bad(r, "it holds Python objects ('%s'), which have no element type", code);
    case 'c':
        return bad(r, "it holds extended complex numbers ('%s'); convert it to complex128", code);
    case 'f': return bad(r, "it holds extended floats ('%s'); convert it to float64", code);
    case 'S':
    case 'U': return bad(r, "it holds strings ('%s'), which are not supported", code);
    case 'M':
    case 'm': return bad(r, "it holds dates or times ('%s'); convert it to int64", code);
    default: return bad(r, "its element type '%s' is not supported", code);
    }
}

/* Bytes of padding that a code such as "|V4" stands for, or -1. */
static int64_t padding_of(const char *code)
{
    if (code[0] != '|' || code[1] != 'V' || code[2] < '0' || code[2] > '9') return -1;
    char *end;
    errno = 0;
    long v = strtol(code + 2, &end, 10);
    return *end || errno || v < 0 || v > INT_MAX ? -1 : v;
}

static bool read_fields(reader *r, npy_array *a, int depth, size_t *size);

/* A place in the list for a field, in front of those of its records. */
static bool add_field(reader *r, npy_array *a, npy_field **field)
{
    if (a->field_count == NPY_FIELDS)
        return bad(r, "its records have more than %d fields", NPY_FIELDS);
    *field = &a->fields[a->field_count++];
    return true;
}

/* code | fields: what a field holds. Padding has no place in the list, and *field is NULL. */
static bool read_kind(reader *r, npy_array *a, int depth, npy_field **field, size_t *size)
{
    char code[NPY_NAME];
    skip_space(r);
    *field = NULL;
    if (accept(r, '[')) {
        if (!add_field(r, a, field)) return false;
        (*field)->dtype = CPL_VOID;
        if (!read_fields(r, a, depth + 1, size)) return false;
        (*field)->parts = (size_t)(&a->fields[a->field_count - 1] - *field);
        return true;
    }
    if (!read_string(r, code, sizeof code)) return false;
    int64_t padding = padding_of(code);
    if (padding >= 0) {
        *size = (size_t)padding;
        return true;
    }
    cpl_dtype dtype;
    if (!parse_code(r, code, &dtype) || !add_field(r, a, field)) return false;
    (*field)->dtype = dtype;
    *size = cpl_dtype_size(dtype);
    return true;
}

/* field = '(' name ',' (code | fields) [',' shape] ')'; *end: where the one before it ends. */
static bool read_field(reader *r, npy_array *a, int depth, size_t *end)
{
    npy_field *f, read = {.ndim = 0};
    size_t bytes = 0;
    if (!expect(r, '(')) return false;
    skip_space(r);
    if (r->p < r->end && *r->p == '(')
        return bad(r, "its records have titled fields, which are not supported");
    if (!read_string(r, read.name, sizeof read.name) || !expect(r, ',')) return false;
    if (!read_kind(r, a, depth, &f, &bytes)) return false;
    read.size = bytes;
    if (accept(r, ',')) {
        skip_space(r);
        if (r->p < r->end && *r->p == '(' && !read_shape(r, read.shape, 4, &read.ndim))
            return false;
        accept(r, ',');
    }
    if (!expect(r, ')')) return false;

    for (int32_t d = 0; d < read.ndim; d++) {
        if (__builtin_mul_overflow(bytes, (size_t)read.shape[d], &bytes) || bytes > INT_MAX)
            return bad(r, "its records are too large");
    }
    read.offset = *end;
    if (*end + bytes > INT_MAX) return bad(r, "its records are too large");
    *end += bytes;
    if (!f) return true;
    read.dtype = f->dtype;
    read.parts = f->parts;
    *f = read;
    return true;
}

/* fields = '[' field {',' field} [','] ']', behind the bracket */
static bool read_fields(reader *r, npy_array *a, int depth, size_t *size)
{
    size_t before = a->field_count;
    *size = 0;
    if (depth > NPY_NESTING)
        return bad(r, "its records hold records more than %d deep", NPY_NESTING);
    while (!accept(r, ']')) {
        if (!read_field(r, a, depth, size)) return false;
        if (!accept(r, ',')) {
            if (!expect(r, ']')) return false;
            break;
        }
    }
    return a->field_count > before || bad(r, "its records have no fields");
}

static bool read_descr(reader *r, npy_array *a)
{
    skip_space(r);
    const char *start = r->p;
    if (accept(r, '[')) {
        a->fields = calloc(NPY_FIELDS, sizeof *a->fields);
        if (!a->fields) return bad(r, "out of memory");
        if (!read_fields(r, a, 0, &a->item_size)) return false;
    } else {
        char code[NPY_NAME];
        if (!read_string(r, code, sizeof code) || !parse_code(r, code, &a->dtype)) return false;
        a->item_size = cpl_dtype_size(a->dtype);
    }
    a->descr = strndup(start, (size_t)(r->p - start));
    return a->descr || bad(r, "out of memory");
}

/* True when elements lie in the same order in C and in Fortran: at most one dimension is longer
 * than 1, or it is empty. */
static bool both_orders(const npy_array *a)
{
    int wide = 0;
    for (int32_t d = 0; d < a->ndim; d++) {
        if (a->shape[d] == 0) return true;
        wide += a->shape[d] > 1;
    }
    return wide <= 1;
}

/* columns: its first index runs fastest, which C's order is not. */
static bool read_header(reader *r, npy_array *a, bool *columns)
{
    bool fortran = false, has_order = false, has_shape = false;
    if (!expect(r, '{')) return false;
    while (!accept(r, '}')) {
        char key[32];
        if (!read_string(r, key, sizeof key) || !expect(r, ':')) return false;
        bool ok;
        if (!strcmp(key, "descr") && !a->descr) ok = read_descr(r, a);
        else if (!strcmp(key, "fortran_order") && !has_order)
            ok = has_order = read_bool(r, &fortran);
        else if (!strcmp(key, "shape") && !has_shape)
            ok = has_shape = read_shape(r, a->shape, NPY_DIMS, &a->ndim);
        else return bad(r, "its header has an unexpected entry '%s'", key);
        if (!ok) return false;
        if (!accept(r, ',')) {
            if (!expect(r, '}')) return false;
            break;
        }
    }
    if (!a->descr || !has_order || !has_shape)
        return bad(r, "its header lacks descr, fortran_order or shape");
    *columns = fortran && !both_orders(a);
    return true;
}

/* The length of the array and of its data in bytes; false when they do not fit. */
static bool measure(npy_array *a, size_t *bytes)
{
    int64_t length = 1, total;
    bool empty = false;
    for (int32_t d = 0; d < a->ndim; d++) {
        if (a->shape[d] == 0) empty = true;
        else if (__builtin_mul_overflow(length, a->shape[d], &length)) return false;
    }
    a->length = empty ? 0 : length;
    if (__builtin_mul_overflow(a->length, (int64_t)a->item_size, &total) ||
        total > PTRDIFF_MAX - ALIGNMENT)
        return false;
    *bytes = (size_t)total;
    return true;
}

static npy_status allocate_data(npy_array *a, size_t bytes, char *text)
{
    /* at least one byte, so that data is never NULL */
    size_t rounded = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    a->data = aligned_alloc(ALIGNMENT, rounded);
    return a->data ? NPY_OK
                   : npy_fail(text, NPY_ENOMEM, "out of memory: the array has %zu bytes", bytes);
}

/* Exactly `size` bytes, of which *came came. */
static npy_status take(npy_source *s, void *to, size_t size, size_t *came, char *text)
{
    *came = s->read(s, to, size);
    if (s->left != NPY_ENDLESS) s->left -= *came;
    if (*came == size) return NPY_OK;
    if (s->status) return npy_fail(text, s->status, "%s", s->why);
    return npy_fail(text, NPY_EFORMAT, "it is cut short");
}

static npy_status read_data(npy_source *s, npy_array *a, char *text)
{
    size_t bytes, came;
    if (!measure(a, &bytes) || bytes > s->left)
        return s->left == NPY_ENDLESS
                   ? npy_fail(text, NPY_EFORMAT,
                              "its header promises more data than any memory holds")
                   : npy_fail(text, NPY_EFORMAT,
                              "it is cut short: the header promises more data than the %" PRIu64
                              " bytes there are",
                              s->left);
    npy_status status = allocate_data(a, bytes, text);
    if (!status) status = take(s, a->data, bytes, &came, text);
    if (status != NPY_EFORMAT || s->status) return status;
    return npy_fail(text, NPY_EFORMAT,
                    "it is cut short: the header promises %zu bytes of data, and %zu came", bytes,
                    came);
}

/* From Fortran's order into C's. */
static npy_status to_rows(npy_array *a, char *text)
{
    int64_t at[NPY_DIMS] = {0}, strides[NPY_DIMS] = {1}, from = 0;
    char *read = a->data;
    npy_status status = allocate_data(a, npy_bytes(a), text);
    if (status) {
        a->data = read;
        return status;
    }
    for (int32_t d = 1; d < a->ndim; d++) strides[d] = strides[d - 1] * a->shape[d - 1];
    for (int64_t i = 0; i < a->length; i++) {
        memcpy((char *)a->data + (size_t)i * a->item_size, read + (size_t)from * a->item_size,
               a->item_size);
        for (int32_t d = a->ndim - 1; d >= 0; d--) {
            from += strides[d];
            if (++at[d] < a->shape[d]) break;
            from -= strides[d] * a->shape[d];
            at[d] = 0;
        }
    }
    free(read);
    return NPY_OK;
}

/* Magic, version and the length of the header. */
static npy_status read_start(npy_source *s, size_t *length, char *text)
{
    unsigned char head[12];
    size_t came;
    npy_status status = take(s, head, 10, &came, text);
    if (status && s->status) return status;
    if (status || memcmp(head, "\x93NUMPY", 6))
        return npy_fail(text, NPY_EFORMAT, "it is not a .npy file");
    if (head[6] < 1 || head[6] > 3)
        return npy_fail(text, NPY_EFORMAT, "its format %d.%d is not known; 1.0 to 3.0 are", head[6],
                        head[7]);
    *length = head[8] | (size_t)head[9] << 8;
    if (head[6] > 1) {
        status = take(s, head + 10, 2, &came, text);
        if (status) return status;
        *length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    }
    if (*length > HEADER_LIMIT || *length > s->left)
        return npy_fail(text, NPY_EFORMAT, "its header is too long for the file");
    return NPY_OK;
}

static npy_status load(npy_source *s, npy_array *a, char **header, char *text)
{
    size_t length = 0, came;
    npy_status status = read_start(s, &length, text);
    if (status) return status;
    *header = malloc(length + 1);
    if (!*header) return npy_fail(text, NPY_ENOMEM, "out of memory");
    status = take(s, *header, length, &came, text);
    if (status) return status;
    reader r = {*header, *header + length, text, false};
    bool columns;
    if (!read_header(&r, a, &columns)) return NPY_EFORMAT;
    status = read_data(s, a, text);
    return status || !columns ? status : to_rows(a, text);
}

npy_status npy_load(npy_source *source, npy_array *array, char text[NPY_MESSAGE])
{
    memset(array, 0, sizeof *array);
    text[0] = '\0';
    char *header = NULL;
    npy_status status = load(source, array, &header, text);
    free(header);
    if (status) npy_free(array);
    return status;
}

typedef struct file_source {
    npy_source source;
    FILE *file;
} file_source;

static size_t read_file(npy_source *source, void *to, size_t size)
{
    FILE *file = ((file_source *)source)->file;
    size_t n = fread(to, 1, size, file);
    if (n < size && ferror(file)) {
        source->status = NPY_EIO;
        source->why = strerror(errno);
    }
    return n;
}

npy_status npy_read(const char *path, npy_array *array, char text[NPY_MESSAGE])
{
    struct stat st;
    /* without waiting for a pipe's other end: it is refused anyway */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    file_source s = {.source.read = read_file, .file = fd < 0 ? NULL : fdopen(fd, "rb")};
    memset(array, 0, sizeof *array);
    if (!s.file) return npy_fail(text, NPY_EIO, "%s", strerror(errno));
    npy_status status = NPY_OK;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
        status = npy_fail(text, NPY_EIO, "it is not a regular file");
    s.source.left = (uint64_t)st.st_size;
    if (!status) status = npy_load(&s.source, array, text);
    fclose(s.file);
    return status;
}

npy_status npy_read_next(FILE *stream, npy_array *array, char text[NPY_MESSAGE])
{
    file_source s = {{.read = read_file, .left = NPY_ENDLESS}, stream};
    memset(array, 0, sizeof *array);
    int first = getc(stream);
    if (first == EOF)
        return ferror(stream) ? npy_fail(text, NPY_EIO, "%s", strerror(errno))
                              : npy_fail(text, NPY_EFORMAT, "it ends where an array should begin");
    ungetc(first, stream);
    return npy_load(&s.source, array, text);
}

char *npy_header(const npy_array *a, size_t *size)
{
    size_t room = strlen(a->descr) + 24 * (size_t)a->ndim + 160;
    char *h = calloc(1, room);
    if (!h) return NULL;
    size_t n = 10; /* magic, version and length come first */
    n += (size_t)snprintf(h + n, room - n, "{'descr': %s, 'fortran_order': False, 'shape': (",
                          a->descr);
    for (int32_t d = 0; d < a->ndim; d++)
        n += (size_t)snprintf(h + n, room - n, "%s%" PRId64, d ? ", " : "", a->shape[d]);
    n += (size_t)snprintf(h + n, room - n, "%s), }", a->ndim == 1 ? "," : "");
    while ((n + 1) % ALIGNMENT) h[n++] = ' ';
    h[n++] = '\n';
    memcpy(h, "\x93NUMPY\x01\x00", 8);
    h[8] = (char)((n - 10) & 0xff);
    h[9] = (char)((n - 10) >> 8);
    *size = n;
    if (n - 10 <= 0xffff) return h;
    free(h);
    errno = EOVERFLOW;
    return NULL;
}

size_t npy_bytes(const npy_array *array)
{
    return (size_t)array->length * array->item_size;
}

bool npy_write(FILE *file, const npy_array *array)
{
    size_t size, bytes = npy_bytes(array);
    char *header = npy_header(array, &size);
    if (!header) return false;
    bool ok = fwrite(header, 1, size, file) == size && fwrite(array->data, 1, bytes, file) == bytes;
    int error = errno;
    free(header);
    errno = error;
    return ok;
}

const char *npy_code(cpl_dtype dtype)
{
    static const char codes[CPL_DTYPE_COUNT][8] = {
        [CPL_BOOL] = "'|b1'",      [CPL_INT8] = "'|i1'",        [CPL_INT16] = "'<i2'",
        [CPL_INT32] = "'<i4'",     [CPL_INT64] = "'<i8'",       [CPL_UINT8] = "'|u1'",
        [CPL_UINT16] = "'<u2'",    [CPL_UINT32] = "'<u4'",      [CPL_UINT64] = "'<u8'",
        [CPL_FLOAT16] = "'<f2'",   [CPL_FLOAT32] = "'<f4'",     [CPL_FLOAT64] = "'<f8'",
        [CPL_COMPLEX64] = "'<c8'", [CPL_COMPLEX128] = "'<c16'",
    };
    return dtype < CPL_DTYPE_COUNT && codes[dtype][0] ? codes[dtype] : NULL;
}

static npy_status zeros(npy_array *array, const char *descr, const int64_t *shape, int32_t ndim,
                        char text[NPY_MESSAGE])
{
    array->ndim = ndim;
    for (int32_t d = 0; d < ndim; d++) array->shape[d] = shape[d];
    size_t bytes;
    if (!measure(array, &bytes))
        return npy_fail(text, NPY_ENOMEM, "out of memory: the array has more elements than memory");
    npy_status status = allocate_data(array, bytes, text);
    array->descr = strdup(descr);
    if (!status && !array->descr) status = npy_fail(text, NPY_ENOMEM, "out of memory");
    if (status) npy_free(array);
    else memset(array->data, 0, bytes);
    return status;
}

npy_status npy_zeros(npy_array *array, cpl_dtype dtype, const int64_t *shape, int32_t ndim,
                     char text[NPY_MESSAGE])
{
    *array = (npy_array){.dtype = dtype, .item_size = cpl_dtype_size(dtype)};
    if (npy_code(dtype)) return zeros(array, npy_code(dtype), shape, ndim, text);
    return npy_fail(text, NPY_EFORMAT, "an array of %s cannot be made", cpl_dtype_name(dtype));
}

npy_status npy_zero_records(npy_array *array, const char *descr, size_t item_size,
                            const int64_t *shape, int32_t ndim, char text[NPY_MESSAGE])
{
    *array = (npy_array){.dtype = CPL_VOID, .item_size = item_size};
    return zeros(array, descr, shape, ndim, text);
}

void npy_free(npy_array *array)
{
    free(array->data);
    free(array->fields);
    free(array->descr);
    memset(array, 0, sizeof *array);
}
