/* Calls of builtins: arguments and results by the rows of builtin.def. */
#include "lib/sema/sema_int.h"

static void limits(const char *letters, uint32_t *least, uint32_t *most)
{
    *least = *most = 0;
    bool optional = false;
    for (const char *p = letters; *p; p++) {
        if (*p == '?') optional = true;
        else if (*p == '*') {
            (*least)--;
            *most = UINT32_MAX;
        } else {
            if (!optional) (*least)++;
            (*most)++;
            optional = false;
        }
    }
}

/* np.max(x, 0, 1): of arrays there is one, and an axis. */
static bool is_misfolded(instance *in, const ast_node *n, const char *name)
{
    const ast_node *callee = n->kids[0];
    const cpl_type *t = in->f.types[n->kids[1]->id];
    if (callee->kind != AST_ATTRIBUTE || !sema_is_fold(callee->name) || n->kid_count < 3 ||
        !sema_is_known(t) || !type_is_pointer(t))
        return false;
    diag *d = sema_error(in, n->span,
                         "'np.%s' takes an array, and an axis where its results are "
                         "stored, found %u arguments",
                         name, n->kid_count - 1);
    sema_hint(in, d, "np.%s(x) of all elements, r[:] = np.%s(m, axis=0); %s(a, b) of numbers", name,
              name, name);
    return true;
}

/* Whether the arguments, which are typed, are all numbers; false too while one is not known. */
static bool numbers(instance *in, const ast_node *n, const char *name, bool *error)
{
    bool known = true;
    if (is_misfolded(in, n, name)) {
        *error = true;
        return false;
    }
    const char *what = arena_printf(&in->s->comp->arena, "an argument of '%s'", name);
    for (uint32_t i = 1; i < n->kid_count; i++) {
        const cpl_type *t = sema_as_number(in, n->kids[i], in->f.types[n->kids[i]->id], what);
        if (sema_is_error(t)) *error = true;
        if (!sema_is_known(t)) known = false;
    }
    return known;
}

static void settle_arguments(instance *in, ast_node *n, const cpl_type *t, uint32_t from,
                             uint32_t to)
{
    for (uint32_t i = from; i < to; i++) sema_settle(in, n->kids[i], t);
}

static const cpl_type *join_arguments(instance *in, const ast_node *n, uint32_t to)
{
    const cpl_type *t = NULL;
    for (uint32_t i = 1; i < to; i++) t = sema_join(in->s->comp, t, in->f.types[n->kids[i]->id]);
    return sema_decay(in->s->comp, t);
}

static const cpl_type *call_ldexp(instance *in, ast_node *n)
{
    const cpl_type *exponent = in->f.types[n->kids[2]->id];
    const cpl_type *t = sema_float_of(in, in->f.types[n->kids[1]->id]);
    sema_settle_default(in, n->kids[2]);
    if (!type_is_int(exponent)) {
        sema_error(in, n->kids[2]->span, "the exponent of 'ldexp' must be an integer, found %s",
                   sema_name(in, exponent));
        return &sema_error_type;
    }
    if (!sema_is_weak(t)) sema_settle(in, n->kids[1], t);
    return t;
}

static const cpl_type *call_math(instance *in, ast_node *n, sema_builtin b)
{
    bool error = false;
    if (!numbers(in, n, sema_builtins[b].name, &error)) return error ? &sema_error_type : NULL;
    if (b == BI_LDEXP) return call_ldexp(in, n);
    const cpl_type *t = sema_float_of(in, join_arguments(in, n, n->kid_count));
    if (!sema_is_weak(t)) settle_arguments(in, n, t, 1, n->kid_count);
    return t;
}

static const cpl_type *call_test(instance *in, ast_node *n, sema_builtin b)
{
    bool error = false;
    numbers(in, n, sema_builtins[b].name, &error);
    sema_settle_default(in, n->kids[1]);
    return error ? &sema_error_type : in->s->t_bool;
}

static const cpl_type *call_num(instance *in, ast_node *n, sema_builtin b)
{
    bool error = false;
    if (!numbers(in, n, sema_builtins[b].name, &error)) return error ? &sema_error_type : NULL;
    const cpl_type **types = in->f.types;
    if (b == BI_POW) {
        ast_node *base = n->kids[1], *exponent = n->kids[2];
        const cpl_type *t = sema_power(in, base, exponent, types[base->id], types[exponent->id]);
        if (!sema_is_weak(t)) settle_arguments(in, n, t, 1, 3);
        return t;
    }
    const cpl_type *t = join_arguments(in, n, n->kid_count);
    if (b == BI_ABS && type_is_bool(t)) t = in->s->t_i32;
    for (uint32_t i = 1; !sema_is_weak(t) && i < n->kid_count; i++)
        sema_settle_sign(in, n->kids[i], t);
    return t;
}

/* A function of numbers: of a struct, a method of its class. */
static const cpl_type *call_number(instance *in, ast_node *n, sema_builtin b)
{
    for (uint32_t i = 1; i < n->kid_count; i++)
        in->f.types[n->kids[i]->id] = sema_value(in, n->kids[i]);
    const cpl_type *t = sema_number_method(in, n, sema_builtins[b].name);
    if (t) return t;
    for (uint32_t i = 1; i < n->kid_count; i++)
        if (sema_is_vector(in->f.types[n->kids[i]->id])) return sema_vector_call(in, n, b);
    switch (sema_builtins[b].group) {
    case BG_MATH: return call_math(in, n, b);
    case BG_TEST: return call_test(in, n, b);
    default: return call_num(in, n, b);
    }
}

/* ---- core ---- */

/* Of what is no array, which a program asks for, or loops.c, slices.c and folds.c do. */
static void no_length(instance *in, const ast_node *n, const cpl_type *t)
{
    const char *name = sema_name(in, t);
    cpl_span span = n->kids[1]->span;
    bool made = n->kids[0]->kind == AST_NAME && *n->kids[0]->name == '.';
    if (made && n->name)
        sema_hint(in, sema_error(in, span, "%s takes an array, found %s", n->name, name),
                  "x, x[1:] or an expression of slices, x[:]*y[:], where x and y are arrays");
    else if (made) {
        diag *d = sema_error(in, span,
                             "a for loop runs over range(...), prange(...), an array or a list, "
                             "found %s",
                             name);
        const ast_node *of = n->kids[1];
        if (of->kind == AST_NAME && type_is_scalar(t) && type_is_int(t))
            sema_hint(in, d, "range(%s) has so many rounds", of->name);
    } else sema_error(in, span, "'len' takes an array, found %s", name);
}

static const cpl_type *call_len(instance *in, ast_node *n)
{
    ast_node *array = n->kids[1];
    if (array->kind == AST_INDEX && sema_is_row(in, array)) return sema_row_length(in, n);
    const cpl_type *t = array->kind == AST_NAME ? sema_array(in, array) : sema_value(in, array);
    if (!sema_is_known(t)) return t;
    if (type_is_array(t) || sema_is_tuple(t)) {
        uint64_t count = type_is_array(t) ? t->count : t->field_count;
        sema_const k = sema_int_const(in->s, count, false);
        in->f.refs[n->id] = (sema_ref){.kind = REF_CONST, .constant = k};
        return sema_weak_of(k);
    }
    if (!type_is_pointer(t)) {
        no_length(in, n, t);
        return &sema_error_type;
    }
    in->f.uses_len = true;
    return in->s->t_i64;
}

/* What the second argument names is none of the types that a builtin converts to. */
static const cpl_type *bad_type(instance *in, ast_node *n, const char *name, const char *done)
{
    const ast_node *text = n->kids[2];
    if (n->kids[1]->kind == AST_STRING && text->kind != AST_STRING) {
        diag *d = sema_error(in, n->span, "'%s' takes the value first, then the type", name);
        sema_hint(in, d, "%s(x, '%s')", name, n->kids[1]->text);
        return &sema_error_type;
    }
    sema_value(in, n->kids[1]);
    sema_settle_default(in, n->kids[1]);
    if (text->kind == AST_ERROR) return &sema_error_type;
    if (text->kind != AST_STRING) {
        sema_error(in, text->span, "the type for '%s' is a type's name: %s(x, \"double\")", name,
                   name);
        return &sema_error_type;
    }
    if (sema_is_broken(sema_names_of(in), text->text)) return &sema_error_type;
    diag *d = sema_error(in, text->span, "'%s' is not a type that can be %s", text->text, done);
    if (d) sema_explain_type(sema_names_of(in), &in->diags, d, text->text, NULL);
    return &sema_error_type;
}

static const cpl_type *call_cast(instance *in, ast_node *n)
{
    const cpl_type *to = sema_python_type(sema_names_of(in), n->kids[2]);
    if (to && !type_is_void(to) &&
        (type_is_scalar(to) || type_is_complex(to) ||
         (type_is_pointer(to) && !type_has_layout(to))))
        return sema_call_type(in, n, to);
    return bad_type(in, n, "cast", "cast to");
}

static bool has_bits(const cpl_type *t)
{
    return type_is_scalar(t) && !type_is_bool(t) && !type_is_void(t);
}

static const cpl_type *call_bits(instance *in, ast_node *n)
{
    const cpl_type *to = sema_python_type(sema_names_of(in), n->kids[2]);
    if (!to || !has_bits(to)) return bad_type(in, n, "bits", "given the bits of another");
    const cpl_type *t = sema_number(in, n->kids[1], "the operand of 'bits'");
    sema_settle_default(in, n->kids[1]);
    if (sema_is_error(t)) return t;
    if (t) t = sema_default(in->s->comp, t);
    if (!t || (has_bits(t) && t->size == to->size)) return to;
    sema_error(in, n->span,
               "'bits' takes a number of as many bits as its type has: %s is not like %s",
               sema_name(in, t), sema_name(in, to));
    return &sema_error_type;
}

/* An element, field or variable: what address() and atomics take. Marks the variable it lies in. */
static bool lvalue(instance *in, ast_node *n, const char *name)
{
    const ast_node *at = n;
    bool number = sema_is_number_name(in, n);
    while (!number && (at->kind == AST_INDEX || at->kind == AST_ATTRIBUTE)) {
        const cpl_type *t = in->f.types[at->kids[0]->id];
        if (sema_is_known(t) && type_is_pointer(t)) return true;
        at = at->kids[0];
    }
    sema_var *v = at->kind == AST_NAME ? sema_local(in, at->name) : NULL;
    if (!v) {
        sema_error(in, n->span, "'%s' takes an element, field or variable: %s(x[i])", name, name);
        return false;
    }
    v->address_taken = true;
    return true;
}

static const cpl_type *call_address(instance *in, ast_node *n)
{
    const cpl_type *t = sema_value(in, n->kids[1]);
    if (sema_is_error(t) || !lvalue(in, n->kids[1], "address")) return &sema_error_type;
    if (!t) return NULL;
    if (sema_const_of(in, n->kids[1])) return &sema_error_type;
    if (type_is_array(t)) t = t->elem;
    if (type_is_pointer(t)) {
        diag *d = sema_error(in, n->span, "'address' of a pointer is not supported");
        sema_hint(in, d, "a pointer to an element is address(x[i]); an array is one as it stands");
        return &sema_error_type;
    }
    return comp_pointer(in->s->comp, sema_default(in->s->comp, t),
                        sema_space_of(&in->f, n->kids[1]));
}

/* ---- atomics ---- */

static bool atomic_place(instance *in, ast_node *n, sema_builtin b, const cpl_type *t)
{
    const char *name = sema_builtins[b].name;
    bool whole = b == BI_ATOMIC_AND || b == BI_ATOMIC_OR || b == BI_ATOMIC_XOR;
    if (!type_is_scalar(t) || type_is_bool(t) || t->size < 4) {
        diag *d = sema_error(in, n->kids[1]->span,
                             "'%s' needs an integer or float of 32 or 64 bits, found %s", name,
                             sema_name(in, t));
        const ast_node *callee = n->kids[0];
        bool numba = callee->kind == AST_ATTRIBUTE &&
                     sema_find_module(in, callee->kids[0]).module == MODULE_ATOMIC;
        if (type_is_pointer(t) && numba)
            sema_hint(in, d, "the index follows the array: cuda.atomic.%s(x, i, 1)", callee->name);
        else if (type_is_pointer(t)) sema_hint(in, d, "name an element: %s(x[i])", name);
        return false;
    }
    if (whole && type_is_float(t)) {
        sema_error(in, n->kids[1]->span, "'%s' needs an integer, found %s", name, sema_name(in, t));
        return false;
    }
    return true;
}

static const cpl_type *call_atomic(instance *in, ast_node *n, sema_builtin b)
{
    const char *name = sema_builtins[b].name;
    sema_memory_order(in, n, b);
    if (b == BI_FENCE) return in->s->t_void;
    const cpl_type *t = sema_value(in, n->kids[1]);
    bool good = !sema_is_error(t) && lvalue(in, n->kids[1], name);
    good = good && (!t || atomic_place(in, n, b, sema_default(in->s->comp, t)));
    const char *what = arena_printf(&in->s->comp->arena, "the operand of '%s'", name);
    for (uint32_t i = 2; i < n->kid_count - n->keyword_count; i++) {
        const cpl_type *v = sema_number(in, n->kids[i], what);
        if (good && t) sema_settle_store(in, n->kids[i], t);
        else sema_settle_default(in, n->kids[i]);
        if (good && t && sema_is_known(v))
            sema_check_store(in, n->kids[i]->span, t, in->f.types[n->kids[i]->id], "the element");
    }
    if (!good) return &sema_error_type;
    return b == BI_ATOMIC_STORE ? in->s->t_void : t;
}

/* ---- all ---- */

static const cpl_type *misplaced(instance *in, ast_node *n, sema_builtin b)
{
    const char *name = sema_builtins[b].name;
    diag *d = NULL;
    if (b == BI_DECLARE) {
        d = sema_error(in, n->span, "'declare' stands alone on the right of an assignment");
        sema_hint(in, d, "x = declare('double')");
    } else if (sema_builtins[b].group == BG_ARRAY) {
        d = sema_error(in, n->span, "'%s' stands alone on the right of an assignment to a name",
                       name);
        sema_hint(in, d, "t = np.%s(%s)", name, b == BI_ARRAY ? "[1.0, 2.0]" : "3");
    } else if (sema_builtins[b].group == BG_INDEX) {
        sema_error(in, n->span, "'%s' is a number and stands without a call", name);
    } else {
        sema_error(in, n->span,
                   b == BI_RANGE || b == BI_PRANGE || b == BI_STATIC_RANGE
                       ? "'%s' stands only in 'for v in %s(...)'"
                       : "'%s' stands only in 'with nogil, parallel():'%.0s",
                   name, name);
    }
    sema_arguments(in, n);
    return &sema_error_type;
}

/* To the error about max((a, b)) and np.max(x, axis=0). */
static void hint_of_values(instance *in, const ast_node *n, sema_builtin b)
{
    if ((b != BI_MIN && b != BI_MAX) || in->phase != 3 || !in->diags.last) return;
    const char *name = sema_builtins[b].name;
    bool list =
        n->kid_count == 2 && (n->kids[1]->kind == AST_TUPLE || n->kids[1]->kind == AST_LIST);
    if (list) sema_hint(in, in->diags.last, "of single values: %s(a, b)", name);
    else
        sema_hint(in, in->diags.last, "%s(a, b) of numbers, np.%s(x) of an array, np.%s(x[1:])",
                  name, name, name);
}

/* Other functions do not know who calls them: they take the number as an argument. */
static const cpl_type *call_threadid(instance *in, const ast_node *n)
{
    bool rounds = in->elementwise || in->parallel_depth || in->sig->serial;
    if (in->phase != 3 || rounds) return in->s->t_i64;
    diag *d = sema_error(in, n->span, "'threadid' stands in the rounds of a parallel loop");
    if (in->s->form == SEMA_KERNEL) sema_hint(in, d, "a work-item of a kernel is get_global_id(0)");
    else
        sema_hint(
            in, d,
            "for i in prange(n): ...; a function that it calls takes threadid() as an argument");
    return &sema_error_type;
}

const cpl_type *sema_call_builtin(instance *in, ast_node *n, sema_builtin b)
{
    const sema_builtin_info *info = &sema_builtins[b];
    if ((info->group == BG_BLOCK && b != BI_THREADID) || info->group == BG_INDEX ||
        info->group == BG_ARRAY || b == BI_DECLARE)
        return misplaced(in, n, b);
    uint32_t least, most;
    limits(info->args, &least, &most);
    bool takes_keywords = info->group == BG_ATOMIC || b == BI_PRINT;
    if ((!takes_keywords && !sema_no_keywords(in, n, info->name)) ||
        !sema_arity(in, n, info->name, least, most)) {
        hint_of_values(in, n, b);
        sema_arguments(in, n);
        return &sema_error_type;
    }
    in->f.refs[n->id] = (sema_ref){.kind = REF_BUILTIN, .builtin = b};
    switch (info->group) {
    case BG_MATH:
    case BG_TEST:
    case BG_NUM: return call_number(in, n, b);
    case BG_ATOMIC: return call_atomic(in, n, b);
    case BG_WORK: return sema_call_work(in, n, b);
    default: break;
    }
    if (b == BI_THREADID) return call_threadid(in, n);
    if (b == BI_LEN) return call_len(in, n);
    if (b == BI_CAST) return call_cast(in, n);
    if (b == BI_BITS) return call_bits(in, n);
    if (b == BI_ADDRESS) return call_address(in, n);
    if (b == BI_PRINT) sema_print_call(in, n);
    else sema_printf(in, n);
    return in->s->t_void;
}
