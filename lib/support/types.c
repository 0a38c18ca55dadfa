/*
 * Interned types. A table is shared by all compilations of a context; scalars are made with it, so
 * looking one up takes no lock. Types are never removed: their number is bounded by what the
 * sources of a context spell.
 */
#include "lib/support/support.h"

#include <pthread.h>
#include <stdio.h>

typedef struct entry {
    cpl_type type;      /* first: an entry is found from its type */
    struct entry *next; /* in its bucket */
    size_t text_size;   /* bytes of type.text, its NUL included */
} entry;

#define BUCKETS 256

struct type_table {
    mem mem;
    pthread_mutex_t lock;
    cpl_type scalars[CPL_DTYPE_COUNT]; /* and complex numbers, which are structs */
    cpl_field parts[2][2];             /* of complex64, complex128 */
    entry *buckets[BUCKETS];           /* by text */
};

bool type_is_int(const cpl_type *t)
{
    return t->kind == TYPE_SCALAR && t->dtype >= CPL_INT8 && t->dtype <= CPL_UINT64;
}

bool type_is_signed(const cpl_type *t)
{
    return t->kind == TYPE_SCALAR && t->dtype >= CPL_INT8 && t->dtype <= CPL_INT64;
}

bool type_is_unsigned(const cpl_type *t)
{
    return t->kind == TYPE_SCALAR && t->dtype >= CPL_UINT8 && t->dtype <= CPL_UINT64;
}

bool type_is_float(const cpl_type *t)
{
    return t->kind == TYPE_SCALAR && t->dtype >= CPL_FLOAT16 && t->dtype <= CPL_FLOAT64 &&
           t->dtype != CPL_BFLOAT16;
}

bool type_is_scalar(const cpl_type *t)
{
    return type_is_bool(t) || type_is_int(t) || type_is_float(t);
}

uint32_t type_bits(const cpl_type *t)
{
    return type_is_bool(t) ? 1 : (uint32_t)t->size * 8;
}

/* A complex number is a struct as C's and NumPy's are: the real part, then the imaginary one. */
static void make_complex(type_table *t, cpl_dtype dtype, cpl_dtype part, cpl_field *parts)
{
    cpl_type *s = &t->scalars[dtype];
    const cpl_type *p = &t->scalars[part];
    parts[0] = (cpl_field){"real", p, 0};
    parts[1] = (cpl_field){"imag", p, p->size};
    s->kind = TYPE_STRUCT;
    s->name = s->text;
    s->fields = parts;
    s->field_count = 2;
    s->align = p->align;
}

type_table *type_table_create(const mem *m)
{
    type_table *t = mem_zalloc(m, sizeof *t);
    if (!t) return NULL;
    t->mem = *m;
    if (pthread_mutex_init(&t->lock, NULL)) {
        mem_free(m, t, sizeof *t);
        return NULL;
    }
    for (int d = 0; d < CPL_DTYPE_COUNT; d++) {
        cpl_type *s = &t->scalars[d];
        *s = (cpl_type){.table = t,
                        .kind = TYPE_SCALAR,
                        .dtype = (cpl_dtype)d,
                        .text = cpl_dtype_name((cpl_dtype)d)};
        s->size = s->align = cpl_dtype_size((cpl_dtype)d);
    }
    make_complex(t, CPL_COMPLEX64, CPL_FLOAT32, t->parts[0]);
    make_complex(t, CPL_COMPLEX128, CPL_FLOAT64, t->parts[1]);
    return t;
}

static void free_fields(type_table *t, cpl_type *s)
{
    for (uint32_t i = 0; i < s->field_count; i++) mem_strfree(&t->mem, (char *)s->fields[i].name);
    mem_free(&t->mem, s->fields, s->field_count * sizeof *s->fields);
}

static void free_entry(type_table *t, entry *e)
{
    free_fields(t, &e->type);
    mem_free(&t->mem, (char *)e->type.text, e->text_size);
    mem_free(&t->mem, e, sizeof *e);
}

void type_table_free(type_table *t)
{
    if (!t) return;
    for (int i = 0; i < BUCKETS; i++)
        for (entry *e = t->buckets[i]; e;) {
            entry *next = e->next;
            free_entry(t, e);
            e = next;
        }
    pthread_mutex_destroy(&t->lock);
    mem m = t->mem;
    mem_free(&m, t, sizeof *t);
}

const cpl_type *type_scalar(type_table *t, cpl_dtype dtype)
{
    return &t->scalars[dtype];
}

static entry **bucket(type_table *t, const char *text)
{
    return &t->buckets[hash_bytes(text, strlen(text), 0) % BUCKETS];
}

static entry *find(type_table *t, const char *text)
{
    entry *e = *bucket(t, text);
    while (e && strcmp(e->type.text, text) != 0) e = e->next;
    return e;
}

/* Adds a type under its text, which is copied; the lock is held. */
static const cpl_type *insert(type_table *t, const cpl_type *type, const char *text)
{
    entry *e = mem_zalloc(&t->mem, sizeof *e);
    char *copy = mem_strdup(&t->mem, text);
    if (!e || !copy) {
        mem_free(&t->mem, e, sizeof *e);
        mem_strfree(&t->mem, copy);
        return NULL;
    }
    e->type = *type;
    e->type.table = t;
    e->type.text = copy;
    e->text_size = strlen(text) + 1;
    if (type->kind == TYPE_STRUCT) e->type.name = copy;
    entry **at = bucket(t, text);
    e->next = *at;
    *at = e;
    return &e->type;
}

static const cpl_type *intern(type_table *t, const cpl_type *type, const char *text)
{
    pthread_mutex_lock(&t->lock);
    entry *e = find(t, text);
    const cpl_type *result = e ? &e->type : insert(t, type, text);
    pthread_mutex_unlock(&t->lock);
    return result;
}

static const char *const space_names[] = {"", " global", " local", " private", " constant"};

/* Runs a derived type's text through intern; texts grow with nesting, so the buffer is measured
 * first. */
static const cpl_type *intern_printf(type_table *t, const cpl_type *type, const char *format, ...)
{
    char small[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    const cpl_type *result = NULL;
    if (n >= 0 && (size_t)n < sizeof small) {
        result = intern(t, type, small);
    } else if (n >= 0) {
        char *large = mem_realloc(&t->mem, NULL, 0, (size_t)n + 1);
        if (large) {
            vsnprintf(large, (size_t)n + 1, format, again);
            result = intern(t, type, large);
            mem_free(&t->mem, large, (size_t)n + 1);
        }
    }
    va_end(again);
    return result;
}

const cpl_type *type_pointer(type_table *t, const cpl_type *elem, type_space space)
{
    cpl_type type = {.kind = TYPE_POINTER, .space = space, .elem = elem, .size = 8, .align = 8};
    return intern_printf(t, &type, "%s%s*", elem->text, space_names[space]);
}

const cpl_type *type_strided(type_table *t, const cpl_type *elem)
{
    cpl_type type = {.kind = TYPE_POINTER,
                     .space = SPACE_GLOBAL,
                     .strided = true,
                     .elem = elem,
                     .size = 8,
                     .align = 8};
    return intern_printf(t, &type, "%s[:]", elem->text);
}

const cpl_type *type_shaped(type_table *t, const cpl_type *elem, uint32_t dims, bool strided)
{
    char marks[2 * TYPE_MOST_DIMS + 1] = "";
    if (dims < 2) return strided ? type_strided(t, elem) : type_pointer(t, elem, SPACE_GLOBAL);
    size_t n = 0;
    for (uint32_t i = 0; i < dims && dims <= TYPE_MOST_DIMS; i++) {
        if (strided) marks[n++] = ':';
        if (i + 1 < dims) marks[n++] = ',';
    }
    cpl_type type = {.kind = TYPE_POINTER,
                     .space = SPACE_GLOBAL,
                     .strided = strided,
                     .dims = (uint8_t)dims,
                     .elem = elem,
                     .size = 8,
                     .align = 8};
    return intern_printf(t, &type, "%s[%s]", elem->text, marks);
}

/* int32[2][3] is 2 arrays of 3: a new dimension goes in front of those the element has. */
const cpl_type *type_array(type_table *t, const cpl_type *elem, uint64_t count)
{
    if (elem->size && count > PTRDIFF_MAX / elem->size) return NULL;
    cpl_type type = {.kind = TYPE_ARRAY,
                     .elem = elem,
                     .count = count,
                     .size = elem->size * count,
                     .align = elem->align};
    const cpl_type *base = elem;
    while (base->kind == TYPE_ARRAY) base = base->elem;
    size_t prefix = strlen(base->text);
    return intern_printf(t, &type, "%.*s[%llu]%s", (int)prefix, elem->text,
                         (unsigned long long)count, elem->text + prefix);
}

/* complex64 or complex128, or NULL */
static const cpl_type *complex_named(const type_table *t, const char *name)
{
    for (int d = CPL_COMPLEX64; d <= CPL_COMPLEX128; d++)
        if (strcmp(t->scalars[d].text, name) == 0) return &t->scalars[d];
    return NULL;
}

const cpl_type *type_struct(type_table *t, const char *name)
{
    const cpl_type *number = complex_named(t, name);
    if (number) return number;
    pthread_mutex_lock(&t->lock);
    entry *e = find(t, name);
    pthread_mutex_unlock(&t->lock);
    return e && e->type.kind == TYPE_STRUCT ? &e->type : NULL;
}

static bool is_identifier(const char *name)
{
    if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_'))
        return false;
    for (; *name; name++)
        if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') || *name == '_' ||
              *name == '.' || (*name >= '0' && *name <= '9')))
            return false;
    return true;
}

/* layout NULL: where C puts them. */
static bool same_struct(const cpl_type *s, const cpl_field *fields, size_t count,
                        const type_layout *layout)
{
    if (s->kind != TYPE_STRUCT || s->field_count != count) return false;
    if (layout ? s->size != layout->size || s->align != layout->align : s->placed) return false;
    for (size_t i = 0; i < count; i++) {
        const cpl_field *f = &s->fields[i];
        if (strcmp(f->name, fields[i].name) != 0 || f->type != fields[i].type ||
            (layout && f->offset != fields[i].offset))
            return false;
    }
    return true;
}

/* What is wrong with the fields' names and types, or NULL. */
static const char *fields_problem(const type_table *t, const cpl_field *fields, size_t count,
                                  size_t *at)
{
    for (size_t i = 0; i < count; i++) {
        const cpl_type *f = fields[i].type;
        *at = i;
        if (!fields[i].name || !is_identifier(fields[i].name)) return "has no name";
        if (!f || f->table != t || f->size == 0 || type_has_layout(f))
            return "has no type of this context";
        for (size_t j = 0; j < i; j++)
            if (strcmp(fields[i].name, fields[j].name) == 0) return "is there twice";
    }
    return NULL;
}

/* Natural C layout; false when the sizes overflow. */
static bool lay_out(cpl_type *s)
{
    s->align = 1;
    for (uint32_t i = 0; i < s->field_count; i++) {
        cpl_field *f = &s->fields[i];
        size_t align = f->type->align, offset = (s->size + align - 1) / align * align;
        if (f->type->size > PTRDIFF_MAX - offset - 64) return false;
        f->offset = offset;
        s->size = offset + f->type->size;
        if (align > s->align) s->align = align;
    }
    s->size = (s->size + s->align - 1) / s->align * s->align;
    return true;
}

enum { MOST_ALIGN = 16 }; /* what memory of every kind has, on every target */

/* Whether fields can lie where the host wants them; else *why says why not. */
static bool can_lie(const cpl_field *fields, size_t count, type_layout *l)
{
    size_t end = 0;
    if (!l->align || l->align & (l->align - 1) || l->align > MOST_ALIGN) {
        snprintf(l->why, TYPE_REASON, "an alignment is 1, 2, 4, 8 or 16, not %zu", l->align);
        return false;
    }
    if (l->size > PTRDIFF_MAX || l->size % l->align) {
        snprintf(l->why, TYPE_REASON, "the size %zu is no multiple of the alignment %zu", l->size,
                 l->align);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        size_t offset = fields[i].offset, bytes = fields[i].type->size;
        if (offset < end)
            snprintf(l->why, TYPE_REASON, "field '%.60s' at byte %zu lies in or before '%.60s'",
                     fields[i].name, offset, fields[i - 1].name);
        else if (offset > l->size || bytes > l->size - offset)
            snprintf(l->why, TYPE_REASON,
                     "field '%.60s' of %zu bytes at byte %zu ends past the size %zu",
                     fields[i].name, bytes, offset, l->size);
        if (*l->why) return false;
        end = offset + bytes;
    }
    return true;
}

/* Moves the fields of a struct that was laid out as C does. */
static void place(cpl_type *s, const cpl_field *fields, const type_layout *l)
{
    s->placed = s->size != l->size || s->align != l->align;
    for (uint32_t i = 0; i < s->field_count; i++) {
        s->placed |= s->fields[i].offset != fields[i].offset;
        s->fields[i].offset = fields[i].offset;
    }
    s->size = l->size;
    s->align = l->align;
}

static bool holds_packed(const cpl_type *s)
{
    for (uint32_t i = 0; i < s->field_count; i++) {
        const cpl_type *t = s->fields[i].type;
        while (t->kind == TYPE_ARRAY) t = t->elem;
        if (t->kind == TYPE_STRUCT && t->packed) return true;
    }
    return false;
}

static cpl_status make_struct(type_table *t, const char *name, const cpl_field *fields,
                              size_t count, const type_layout *layout, const cpl_type **out)
{
    cpl_type s = {.kind = TYPE_STRUCT, .field_count = (uint32_t)count};
    s.fields = mem_zalloc(&t->mem, count * sizeof *fields);
    if (!s.fields) return CPL_ENOMEM;
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < count; i++) {
        s.fields[i] = (cpl_field){mem_strdup(&t->mem, fields[i].name), fields[i].type, 0};
        if (!s.fields[i].name) status = CPL_ENOMEM;
    }
    if (!status && !lay_out(&s)) status = CPL_EARG;
    if (!status && layout) place(&s, fields, layout);
    s.packed = s.placed || holds_packed(&s);
    if (!status && !(*out = insert(t, &s, name))) status = CPL_ENOMEM;
    if (status) free_fields(t, &s);
    return status;
}

/* Finds it under its name or makes it. */
static cpl_status enter_struct(type_table *t, const char *name, const cpl_field *fields,
                               size_t count, const type_layout *layout, const cpl_type **type)
{
    pthread_mutex_lock(&t->lock);
    entry *e = find(t, name);
    cpl_status status = CPL_OK;
    if (!e) status = make_struct(t, name, fields, count, layout, type);
    else if (same_struct(&e->type, fields, count, layout)) *type = &e->type;
    else status = CPL_EEXIST;
    pthread_mutex_unlock(&t->lock);
    return status;
}

static bool names_struct(const char *name)
{
    return is_identifier(name) && cpl_dtype_parse(name) == CPL_DTYPE_COUNT;
}

cpl_status type_declare_struct(type_table *t, const char *name, const cpl_field *fields,
                               size_t count, const cpl_type **type)
{
    size_t at;
    *type = NULL;
    if (!name || !names_struct(name) || !count || count > UINT16_MAX ||
        fields_problem(t, fields, count, &at))
        return CPL_EARG;
    return enter_struct(t, name, fields, count, NULL, type);
}

enum { MADE_NAME = 40 };

/* The name of a struct that was given none tells its layout, by a hash. */
static void make_name(char name[MADE_NAME], const cpl_field *fields, size_t count,
                      const type_layout *layout)
{
    uint64_t hash = layout->size * 31 + layout->align;
    for (size_t i = 0; i < count; i++) {
        const char *type = fields[i].type->text;
        hash = hash_bytes(fields[i].name, strlen(fields[i].name), hash);
        hash = hash_bytes(type, strlen(type), hash + fields[i].offset);
    }
    snprintf(name, MADE_NAME, "record_%016llx", (unsigned long long)hash);
}

cpl_status type_declare_struct_at(type_table *t, const char *name, const cpl_field *fields,
                                  size_t count, type_layout *layout, const cpl_type **type)
{
    size_t at;
    const char *problem;
    char made[MADE_NAME];
    *type = NULL;
    *layout->why = 0;
    if (name && !names_struct(name))
        snprintf(layout->why, TYPE_REASON, "'%.60s' cannot name a struct", name);
    else if (!count || count > UINT16_MAX)
        snprintf(layout->why, TYPE_REASON, "a struct has 1 to %d fields", UINT16_MAX);
    else if ((problem = fields_problem(t, fields, count, &at)))
        snprintf(layout->why, TYPE_REASON, "field %zu, '%.60s', %s", at + 1,
                 fields[at].name ? fields[at].name : "", problem);
    if (*layout->why || !can_lie(fields, count, layout)) return CPL_EARG;
    if (!name) make_name(made, fields, count, layout);
    cpl_status status = enter_struct(t, name ? name : made, fields, count, layout, type);
    if (status == CPL_EEXIST)
        snprintf(layout->why, TYPE_REASON, "'%.60s' stands for another layout already",
                 name ? name : made);
    else if (status == CPL_EARG) snprintf(layout->why, TYPE_REASON, "the fields are too large");
    return status;
}

size_t type_padding(const cpl_type *record, uint32_t field)
{
    const cpl_field *f = record->fields;
    size_t from = field ? f[field - 1].offset + f[field - 1].type->size : 0;
    return (field < record->field_count ? f[field].offset : record->size) - from;
}

const char *type_padding_name(arena *a, const cpl_type *record, uint32_t field)
{
    const char *name = arena_printf(a, "padding%u", field);
    for (uint32_t i = 0; i < record->field_count; i++)
        if (strcmp(record->fields[i].name, name) == 0) {
            name = arena_printf(a, "%s_", name);
            i = UINT32_MAX; /* from the first field again */
        }
    return name;
}

const char *cpl_type_text(const cpl_type *type)
{
    return type ? type->text : NULL;
}

size_t cpl_type_size(const cpl_type *type)
{
    return type ? type->size : 0;
}

size_t cpl_type_align(const cpl_type *type)
{
    return type ? type->align : 0;
}

cpl_dtype cpl_type_dtype(const cpl_type *type)
{
    while (type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY)) type = type->elem;
    return type && type->kind != TYPE_POINTER ? type->dtype : CPL_VOID;
}

const cpl_field *cpl_type_fields(const cpl_type *type, size_t *count)
{
    bool has_fields = type && type->kind == TYPE_STRUCT;
    if (count) *count = has_fields ? type->field_count : 0;
    return has_fields ? type->fields : NULL;
}

const cpl_type *type_innermost(const cpl_type *t)
{
    while (type_is_array(t)) t = t->elem;
    return t;
}

uint64_t type_scalars(const cpl_type *t)
{
    return type_is_array(t) ? t->count * type_scalars(t->elem) : 1;
}

bool type_is_numbers(const cpl_type *t)
{
    if (!type_is_struct(t)) return type_is_scalar(t);
    for (uint32_t i = 0; i < t->field_count; i++)
        if (!type_is_numbers(t->fields[i].type)) return false;
    return true;
}
