/*
 * Reads the text form of a type:
 *
 *     type   = [ "local" ] name { suffix }
 *     suffix = [ space ] "*" | dims | "[" { "," } "]" | "[" ":" { "," ":" } "]"
 *     dims   = "[" number "]" { "[" number "]" }          outermost first, as in C
 *     space  = "global" | "local" | "private" | "constant"
 *
 * name may consist of several words ("unsigned int"). "[]" is a global pointer, "[:]" a strided
 * one; "[,]" and "[:,:]" are arrays of two dimensions, and so on; "local T[]" is a pointer to local
 * memory.
 */
#include "lib/support/support.h"

#define MOST_SUFFIXES 32

typedef struct reader {
    type_table *types;
    const char *at, *end;
    bool no_memory;
} reader;

/* A type that the table made, unless memory ran out. */
static const cpl_type *made(reader *r, const cpl_type *t)
{
    if (!t) r->no_memory = true;
    return t;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static bool take(reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

/* The next word, copied; false when there is none or it is too long. */
static bool word(reader *r, char *out, size_t size)
{
    skip_blanks(r);
    size_t n = 0;
    while (r->at + n < r->end && is_word(r->at[n])) n++;
    if (n == 0 || n >= size) return false;
    memcpy(out, r->at, n);
    out[n] = 0;
    r->at += n;
    return true;
}

static bool space_of(const char *name, type_space *space)
{
    static const char *const names[] = {"generic", "global", "local", "private", "constant"};
    for (unsigned i = 0; i < COUNT_OF(names); i++)
        if (strcmp(names[i], name) == 0) {
            *space = (type_space)i;
            return true;
        }
    return false;
}

/* name: as many words as make one; a space word ends it. */
static const cpl_type *name(reader *r)
{
    char text[128] = "";
    size_t n = 0;
    for (;;) {
        const char *before = r->at;
        char next[64];
        type_space space;
        if (!word(r, next, sizeof next)) break;
        if (n && space_of(next, &space)) {
            r->at = before;
            break;
        }
        if (n + strlen(next) + 2 > sizeof text) return NULL;
        if (n) text[n++] = ' ';
        memcpy(text + n, next, strlen(next) + 1);
        n += strlen(next);
    }
    if (n == 0) return NULL;
    cpl_dtype d = cpl_dtype_parse(text);
    if (d == CPL_BFLOAT16) return NULL;
    if (d != CPL_DTYPE_COUNT) return type_scalar(r->types, d);
    const cpl_type *t = type_struct(r->types, text);
    return t ? t : type_vector(r->types, text);
}

static bool number(reader *r, uint64_t *out)
{
    char text[24];
    if (!word(r, text, sizeof text)) return false;
    *out = 0;
    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9' || *out > (UINT64_MAX >> 8) / 10) return false;
        *out = *out * 10 + (uint64_t)(*p - '0');
    }
    return *out > 0;
}

/* Behind the first "[" of an array that an argument is. */
static const cpl_type *shape(reader *r, const cpl_type *t)
{
    uint32_t dims = 1;
    bool strided = take(r, ':');
    for (; take(r, ','); dims++)
        if (dims == TYPE_MOST_DIMS || (strided && !take(r, ':'))) return NULL;
    return take(r, ']') ? made(r, type_shaped(r->types, t, dims, strided)) : NULL;
}

/* Behind the first "[": a shape or dims. */
static const cpl_type *brackets(reader *r, const cpl_type *t)
{
    if (t->size == 0) return NULL;
    skip_blanks(r);
    if (r->at < r->end && strchr("]:,", *r->at)) return shape(r, t);
    uint64_t dims[MOST_SUFFIXES];
    int n = 0;
    for (;;) {
        if (n == MOST_SUFFIXES || !number(r, &dims[n++]) || !take(r, ']')) return NULL;
        const char *before = r->at;
        if (!take(r, '[')) break;
        skip_blanks(r);
        if (r->at < r->end && strchr("]:,", *r->at)) { /* an array of such matrices */
            r->at = before;
            break;
        }
    }
    while (n > 0 && t) {
        if (dims[--n] > PTRDIFF_MAX / t->size) return NULL;
        t = made(r, type_array(r->types, t, dims[n]));
    }
    return t;
}

static const cpl_type *plain_type(reader *r)
{
    const cpl_type *t = name(r);
    for (int suffixes = 0; t; suffixes++) {
        skip_blanks(r);
        if (r->at == r->end) return t;
        if (t->kind == TYPE_POINTER && type_has_layout(t)) return NULL;
        if (suffixes == MOST_SUFFIXES) return NULL;
        type_space space = SPACE_GENERIC;
        char next[64];
        if (take(r, '[')) t = brackets(r, t);
        else if (take(r, '*')) t = made(r, type_pointer(r->types, t, space));
        else if (word(r, next, sizeof next) && space_of(next, &space) && take(r, '*'))
            t = made(r, type_pointer(r->types, t, space));
        else return NULL;
    }
    return NULL;
}

cpl_status type_read(type_table *types, const char *text, size_t length, const cpl_type **type)
{
    reader r = {types, text, text + length, false};
    char first[64];
    bool local = word(&r, first, sizeof first) && strcmp(first, "local") == 0;
    if (!local) r.at = text;
    const cpl_type *t = plain_type(&r);
    if (t && local)
        t = t->kind == TYPE_POINTER && t->space == SPACE_GLOBAL && !type_has_layout(t)
                ? made(&r, type_pointer(types, t->elem, SPACE_LOCAL))
                : NULL;
    *type = t;
    return t ? CPL_OK : r.no_memory ? CPL_ENOMEM : CPL_EARG;
}

const cpl_type *type_parse(type_table *types, const char *text, size_t length)
{
    const cpl_type *t;
    type_read(types, text, length, &t);
    return t;
}
