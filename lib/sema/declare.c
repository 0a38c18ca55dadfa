/*
 * The texts of declare():
 *
 *     text   = { "LOCAL_MEM" | "GLOBAL_MEM" } ( matrix | type )
 *     matrix = "matrix" "(" ( size | "(" size { "," size } [ "," ] ")" )
 *              [ "," quote type quote ] ")"
 *
 * A matrix is of float64 unless it says otherwise. Types are those of language and C, pointers
 * ('double*', 'doublep') and structs.
 */
#include "lib/sema/sema_int.h"

#define MOST_DIMS  8
#define MOST_ITEMS (UINT64_C(1) << 24) /* of one matrix: it lives on the stack */

typedef struct reader {
    sema_names names;
    const char *at;
    const char *problem, *hint;
} reader;

static void blanks(reader *r)
{
    while (*r->at == ' ' || *r->at == '\t') r->at++;
}

static bool take(reader *r, const char *text)
{
    blanks(r);
    size_t n = strlen(text);
    if (strncmp(r->at, text, n) != 0) return false;
    r->at += n;
    return true;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (uint8_t)c >= 0x80;
}

/* NAME { "." NAME } */
static const char *take_name(reader *r)
{
    const char *begin = r->at;
    while (is_letter(*r->at) || (*r->at >= '0' && *r->at <= '9') ||
           (*r->at == '.' && is_letter(r->at[1])))
        r->at++;
    return front_name(&r->names.s->comp->arena, begin, (size_t)(r->at - begin));
}

/* What a name stands for that is no variable: a parameter's integer, a constant of a file. */
static bool value_of(const reader *r, const char *name, sema_const *k)
{
    arena *a = &r->names.s->comp->arena;
    const char *first = arena_strndup(a, name, strcspn(name, "."));
    const sema_bound *b = sema_bound_named(r->names, name);
    if (b) *k = b->value;
    if (b) return b->global.kind == GLOBAL_NUMBER;
    if (r->names.locals && map_get(r->names.locals, first)) return false;
    sema_global of, g = sema_find_dotted(r->names, name, &of);
    if (g.kind == GLOBAL_NUMBER) *k = g.number;
    return g.kind == GLOBAL_NUMBER ||
           (g.kind == GLOBAL_CONST && !sema_module_const(r->names.s, g.constant, k));
}

/* "k + 1": np.zeros() takes those. */
static void computed(reader *r)
{
    blanks(r);
    if (!*r->at || !strchr("+-*/%<>&|^", *r->at)) return;
    r->problem = "a size of the matrix is a number or a name, and nothing is computed in the text";
    r->hint = "name the size, M = N + 1 at the top of the file, or write np.zeros(N + 1)";
}

static bool named_size(reader *r, uint64_t *out)
{
    arena *a = &r->names.s->comp->arena;
    const char *name = take_name(r);
    sema_const k;
    bool known = value_of(r, name, &k);
    if (!known && sema_is_broken(r->names, name)) r->problem = sema_reported;
    if (r->problem) return false;
    if (!known && !strchr(name, '.')) r->hint = sema_bind_hint(r->names.s, r->names.file, name);
    if (!known || !type_is_int(k.type))
        r->problem = arena_printf(
            a, "'%s', a size of the matrix, is no integer that is known when this is compiled",
            name);
    else if (sema_const_negative(k) || k.bits == 0)
        r->problem = "a matrix has at least one element";
    else if (k.bits > MOST_ITEMS) r->problem = "the matrix is too large";
    *out = r->problem ? 0 : k.bits;
    if (!r->problem) computed(r);
    return !r->problem;
}

static bool size(reader *r, uint64_t *out)
{
    blanks(r);
    if (is_letter(*r->at)) return named_size(r, out);
    if (*r->at < '0' || *r->at > '9') {
        r->problem =
            "the sizes of a matrix are positive integer literals: matrix(3), matrix((2, 3))";
        return false;
    }
    *out = 0;
    for (; *r->at >= '0' && *r->at <= '9'; r->at++)
        if (*out <= MOST_ITEMS) *out = *out * 10 + (uint64_t)(*r->at - '0');
    if (*out == 0 || *out > MOST_ITEMS)
        r->problem = *out ? "the matrix is too large" : "a matrix has at least one element";
    else computed(r);
    return !r->problem;
}

/* The dims behind "matrix("; their number, 0 after an error. */
static uint32_t dims(reader *r, uint64_t *out)
{
    uint64_t items = 1;
    uint32_t n = 0;
    bool list = take(r, "(");
    do {
        if (list && n > 0 && take(r, ")")) return n;
        if (n == MOST_DIMS) {
            r->problem = "a matrix has at most 8 dimensions";
            return 0;
        }
        if (!size(r, &out[n])) return 0;
        items *= out[n++];
        if (items > MOST_ITEMS) {
            r->problem = "the matrix is too large";
            return 0;
        }
    } while (list && take(r, ","));
    if (list && !take(r, ")")) {
        r->problem = "expected ')' behind the sizes of the matrix";
        return 0;
    }
    return n;
}

/* "type" in quotes behind the comma. */
static const cpl_type *element(reader *r)
{
    arena *a = &r->names.s->comp->arena;
    blanks(r);
    char quote = *r->at;
    const char *end = quote == '"' || quote == '\'' ? strchr(r->at + 1, quote) : NULL;
    if (!end) {
        r->problem = "the element type of a matrix stands in quotes: matrix((2, 3), \"int\")";
        return NULL;
    }
    const char *name = arena_strndup(a, r->at + 1, (size_t)(end - r->at - 1));
    const cpl_type *t = sema_language_type(r->names, name);
    if (!t || !(type_is_scalar(t) || type_is_struct(t)))
        r->problem = sema_is_broken(r->names, name)
                         ? sema_reported
                         : arena_printf(a, "'%s' is not a type of matrix elements", name);
    r->at = end + 1;
    return t;
}

static const cpl_type *matrix(reader *r)
{
    uint64_t counts[MOST_DIMS];
    uint32_t n = dims(r, counts);
    if (n == 0) return NULL;
    const cpl_type *t = r->names.s->t_f64;
    if (take(r, ",")) t = element(r);
    if (!r->problem && (!take(r, ")") || (blanks(r), *r->at)))
        r->problem = "expected ')' at the end of the matrix";
    if (r->problem) return NULL;
    while (n > 0) t = comp_array(r->names.s->comp, t, counts[--n]);
    return t;
}

sema_declared sema_declared_type(sema_names in, const char *text, const char **problem,
                                 const char **hint)
{
    sema *s = in.s;
    reader r = {.names = in, .at = text};
    sema_declared d = {0};
    for (;;) {
        if (take(&r, "LOCAL_MEM ")) d.local_space = true;
        else if (!take(&r, "GLOBAL_MEM ")) break;
    }
    if (take(&r, "matrix") && take(&r, "(")) {
        d.type = matrix(&r);
    } else {
        blanks(&r);
        d.type = sema_language_type(in, r.at);
        if (d.type &&
            (type_is_void(d.type) || (type_is_pointer(d.type) && type_has_layout(d.type)))) {
            r.problem = arena_printf(&s->comp->arena, "a local variable cannot be %s",
                                     sema_type_name(&s->comp->arena, d.type));
            d.type = NULL;
        }
    }
    if (!d.type && !r.problem)
        r.problem = sema_is_broken(in, r.at)
                        ? sema_reported
                        : arena_printf(&s->comp->arena, "'%s' is not a type", text);
    /* a pointer to local memory, itself a variable like others */
    if (d.type && d.local_space && type_is_pointer(d.type)) {
        d.type = comp_pointer(s->comp, d.type->elem, SPACE_LOCAL);
        d.local_space = false;
    }
    *problem = r.problem;
    *hint = r.hint;
    return d;
}
