/* The lattice of types during inference: weak types and the joins of language and literals. */
#include "lib/sema/sema_int.h"

#include <limits.h>

const cpl_type sema_error_type = {.kind = TYPE_SCALAR, .dtype = CPL_VOID, .text = "?"};

/*
 * Weak integers remember the range of the literals behind them: index = negative * 4 + size, where
 * size says which magnitudes occur: below 2^31, 2^32, 2^63, 2^64. The dtype is that of the default,
 * so that type_is_int and its kin hold.
 */
enum {
    WEAK_31,
    WEAK_32,
    WEAK_63,
    WEAK_64,
    WEAK_NEGATIVE,
    WEAK_FLOAT = 8,
    WEAK_COMPLEX,
    WEAK_COUNT
};

#define WEAK(d, bytes)                                                                             \
    {.kind = TYPE_SCALAR, .dtype = d, .size = bytes, .align = bytes, .text = "number"}
static const cpl_type weak[WEAK_COUNT] = {
    WEAK(CPL_INT32, 4),
    WEAK(CPL_INT64, 8),
    WEAK(CPL_INT64, 8),
    WEAK(CPL_UINT64, 8),
    WEAK(CPL_INT32, 4),
    WEAK(CPL_INT64, 8),
    WEAK(CPL_INT64, 8),
    WEAK(CPL_INT64, 8),
    WEAK(CPL_FLOAT64, 8),
    {.kind = TYPE_STRUCT, .dtype = CPL_COMPLEX128, .size = 16, .align = 8, .text = "number"},
};

bool sema_is_weak(const cpl_type *t)
{
    bool is_number =
        (uintptr_t)t >= (uintptr_t)weak && (uintptr_t)t < (uintptr_t)(weak + WEAK_COUNT);
    return is_number || sema_is_weak_tuple(t);
}

bool sema_is_weak_float(const cpl_type *t)
{
    return t == &weak[WEAK_FLOAT];
}

static unsigned weak_index(const cpl_type *t)
{
    return (unsigned)(t - weak);
}

const cpl_type *sema_weak_of(sema_const k)
{
    if (type_is_bool(k.type)) return k.type;
    if (type_is_complex(k.type)) return sema_weak_as_complex();
    if (type_is_float(k.type)) return &weak[WEAK_FLOAT];
    if (sema_const_negative(k))
        return &weak[WEAK_NEGATIVE + ((int64_t)k.bits >= INT32_MIN ? WEAK_31 : WEAK_63)];
    return &weak[k.bits <= INT32_MAX    ? WEAK_31
                 : k.bits <= UINT32_MAX ? WEAK_32
                 : k.bits <= INT64_MAX  ? WEAK_63
                                        : WEAK_64];
}

const cpl_type *sema_weak_negated(const cpl_type *t)
{
    return sema_is_weak_float(t) ? t : &weak[weak_index(t) | WEAK_NEGATIVE];
}

const cpl_type *sema_weak_as_float(void)
{
    return &weak[WEAK_FLOAT];
}

const cpl_type *sema_weak_as_complex(void)
{
    return &weak[WEAK_COMPLEX];
}

const cpl_type *sema_default(compilation *c, const cpl_type *t)
{
    if (sema_is_weak_tuple(t)) return sema_tuple_default(c, t);
    return sema_is_weak(t) ? comp_scalar(c, t->dtype) : t;
}

bool sema_is_number(const cpl_type *t)
{
    return sema_is_known(t) && type_is_scalar(t);
}

bool sema_is_complex_or_number(const cpl_type *t)
{
    return sema_is_known(t) && (type_is_scalar(t) || type_is_complex(t));
}

static bool is_narrow(const cpl_type *t)
{
    return type_is_bool(t) || (type_is_int(t) && t->size < 4);
}

static const cpl_type *integer(compilation *c, bool is_unsigned, size_t size)
{
    return comp_scalar(c, size > 4      ? (is_unsigned ? CPL_UINT64 : CPL_INT64)
                          : is_unsigned ? CPL_UINT32
                                        : CPL_INT32);
}

/* Signed and unsigned ones as in NumPy: the signed type that holds both, but for uint64, beside
 * which all are that, as in C. */
static const cpl_type *join_integers(compilation *c, const cpl_type *a, const cpl_type *b)
{
    if (is_narrow(a) && is_narrow(b)) return comp_scalar(c, CPL_INT32);
    size_t size = a->size > b->size ? a->size : b->size;
    const cpl_type *u = type_is_unsigned(a) ? a : type_is_unsigned(b) ? b : NULL;
    bool differ = type_is_signed(a) || type_is_signed(b);
    if (!u || (u->size < 4 && differ)) return integer(c, false, size);
    if (u->size == 8 || !differ) return integer(c, true, size);
    return integer(c, false, 8);
}

/* A weak integer beside a concrete one takes its type where the literals fit; else it is an integer
 * of its default type. */
static const cpl_type *adapt(compilation *c, const cpl_type *w, const cpl_type *t)
{
    unsigned size = weak_index(w) & 3;
    bool negative = weak_index(w) & WEAK_NEGATIVE;
    if (is_narrow(t)) return sema_default(c, w);
    if (type_is_signed(t))
        return size > (t->size == 4 ? WEAK_31 : WEAK_63) ? sema_default(c, w) : t;
    if (negative) return join_integers(c, t, sema_default(c, w));
    if (t->size == 8 || size <= WEAK_32) return t;
    return comp_scalar(c, size == WEAK_64 ? CPL_UINT64 : CPL_INT64);
}

static const cpl_type *join_floats(compilation *c, const cpl_type *a, const cpl_type *b)
{
    size_t size = type_is_float(a) ? a->size : 0;
    if (type_is_float(b) && b->size > size) size = b->size;
    return comp_scalar(c, size == 8 ? CPL_FLOAT64 : CPL_FLOAT32);
}

const cpl_type *sema_complex_of(compilation *c, const cpl_type *t)
{
    if (sema_is_weak(t) || type_is_int(t) || type_is_bool(t)) return &weak[WEAK_COMPLEX];
    bool large = type_is(t, CPL_FLOAT64) || (type_is_complex(t) && t->dtype == CPL_COMPLEX128);
    return comp_scalar(c, large ? CPL_COMPLEX128 : CPL_COMPLEX64);
}

/* One of them complex, the other a number. */
static const cpl_type *join_complex(compilation *c, const cpl_type *a, const cpl_type *b)
{
    const cpl_type *x = sema_complex_of(c, a), *y = sema_complex_of(c, b);
    if (sema_is_weak(x)) return y;
    return sema_is_weak(y) || y->dtype == CPL_COMPLEX64 ? x : y;
}

static const cpl_type *join_weak(compilation *c, const cpl_type *w, const cpl_type *t)
{
    if (sema_is_weak(t)) {
        if (sema_is_weak_float(w) || sema_is_weak_float(t)) return &weak[WEAK_FLOAT];
        unsigned a = weak_index(w), b = weak_index(t), size = (a & 3) > (b & 3) ? (a & 3) : (b & 3);
        return &weak[size | ((a | b) & WEAK_NEGATIVE)];
    }
    if (type_is_float(t)) return join_floats(c, t, t);
    return sema_is_weak_float(w) ? w : adapt(c, w, t);
}

static const cpl_type *join_numbers(compilation *c, const cpl_type *a, const cpl_type *b)
{
    if (sema_is_weak(a)) return join_weak(c, a, b);
    if (sema_is_weak(b)) return join_weak(c, b, a);
    if (type_is_float(a) || type_is_float(b)) return join_floats(c, a, b);
    return a == b ? a : join_integers(c, a, b);
}

const cpl_type *sema_join(compilation *c, const cpl_type *a, const cpl_type *b)
{
    if (!a || !b) return a ? a : b;
    if (sema_is_error(a) || sema_is_error(b)) return &sema_error_type;
    if (type_is_scalar(a) && type_is_scalar(b)) return join_numbers(c, a, b);
    if (a == b) return a;
    if (sema_is_tuple(a) && sema_is_tuple(b)) return sema_tuple_join(c, a, b);
    if (sema_is_complex_or_number(a) && sema_is_complex_or_number(b)) return join_complex(c, a, b);
    if (type_is_pointer(a) && type_is_pointer(b) && a->elem == b->elem && !type_has_layout(a) &&
        !type_has_layout(b))
        return comp_pointer(c, a->elem, SPACE_GENERIC);
    return &sema_error_type;
}

const cpl_type *sema_arith(compilation *c, const cpl_type *a, const cpl_type *b)
{
    const cpl_type *t = sema_join(c, a, b);
    return sema_is_known(t) && !sema_is_weak(t) && type_is_scalar(t) && is_narrow(t)
               ? comp_scalar(c, CPL_INT32)
               : t;
}

const cpl_type *sema_common(compilation *c, const cpl_type *a, const cpl_type *b)
{
    if (type_is_bool(a) && type_is_bool(b)) return a;
    return sema_arith(c, a, b);
}

const cpl_type *sema_decay(compilation *c, const cpl_type *t)
{
    if (!sema_is_known(t)) return t;
    if (type_is_array(t)) return comp_pointer(c, t->elem, SPACE_PRIVATE);
    return type_is(t, CPL_FLOAT16) ? comp_scalar(c, CPL_FLOAT32) : t;
}

type_space sema_space_of(const sema_func *f, const ast_node *n)
{
    while (n->kind == AST_INDEX || n->kind == AST_ATTRIBUTE) {
        const cpl_type *t = f->types[n->kids[0]->id];
        if (sema_is_known(t) && type_is_pointer(t)) return t->space;
        n = n->kids[0];
    }
    const sema_ref *r = &f->refs[n->id];
    if (n->kind != AST_NAME) return SPACE_PRIVATE;
    if (r->var->is_param && sema_is_known(r->var->type) && type_is_struct(r->var->type))
        return SPACE_GENERIC;
    return r->var->local_memory ? SPACE_LOCAL : SPACE_PRIVATE;
}

const cpl_type *sema_decay_at(const sema_func *f, compilation *c, const ast_node *n,
                              const cpl_type *t)
{
    if (!sema_is_known(t) || !type_is_array(t)) return sema_decay(c, t);
    return comp_pointer(c, t->elem, sema_space_of(f, n));
}

const char *sema_type_name(arena *a, const cpl_type *t)
{
    if (!t) return "?";
    if (sema_is_tuple(t)) return sema_tuple_name(a, t);
    if (sema_is_weak(t)) return cpl_dtype_name(t->dtype);
    if (type_is_pointer(t) && t->space == SPACE_GLOBAL && !type_has_layout(t))
        return arena_printf(a, "%s[]", sema_type_name(a, t->elem));
    if (type_is_pointer(t) && t->space == SPACE_LOCAL)
        return arena_printf(a, "local %s[]", sema_type_name(a, t->elem));
    return t->text;
}
