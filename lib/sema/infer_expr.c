/* Types of expressions. Every function answers NULL while a part's type is not known, and the error
 * type after an error. */
#include "lib/sema/sema_int.h"
#include "lib/support/plural.h"

static const cpl_type *set_const(instance *in, const ast_node *n, sema_const k)
{
    in->f.refs[n->id] = (sema_ref){.kind = REF_CONST, .constant = k};
    return sema_weak_of(k);
}

/* What a and b have in common when at least one is not usable: error wins, then not known. */
static const cpl_type *unusable(const cpl_type *a, const cpl_type *b)
{
    return sema_is_error(a) || sema_is_error(b) ? &sema_error_type : NULL;
}

void sema_hint_element(instance *in, diag *d, const ast_node *n, bool step)
{
    const cpl_type *t = in->f.types[n->id];
    if (!d || n->kind != AST_NAME || !(type_is_pointer(t) || type_is_array(t))) return;
    if (step)
        sema_hint(in, d, "did you mean '%s[i]'? A pointer to an element is address(%s[k])", n->name,
                  n->name);
    else sema_hint(in, d, "did you mean '%s[i]'?", n->name);
}

const cpl_type *sema_as_number(instance *in, const ast_node *n, const cpl_type *t, const char *what)
{
    if (!sema_is_known(t) || type_is_scalar(t)) return t;
    const ast_func *fn = sema_asked(in, n->span);
    if (fn) sema_error_returns(in, fn, t, "a number");
    if (fn) return &sema_error_type;
    diag *d = sema_error(in, n->span, "%s must be a number, found %s", what, sema_name(in, t));
    sema_hint_element(in, d, n, false);
    if (type_is_complex(t)) sema_hint(in, d, "take .real, .imag or abs(...) of it");
    return &sema_error_type;
}

const cpl_type *sema_number(instance *in, ast_node *n, const char *what)
{
    return sema_as_number(in, n, sema_value(in, n), what);
}

/* What is true or false: a number, complex ones too. */
static const cpl_type *as_truth(instance *in, ast_node *n, const cpl_type *t, const char *what)
{
    return sema_is_known(t) && type_is_complex(t) ? t : sema_as_number(in, n, t, what);
}

static const cpl_type *truth(instance *in, ast_node *n, const char *what)
{
    return as_truth(in, n, sema_value(in, n), what);
}

void sema_condition(instance *in, ast_node *n)
{
    truth(in, n, "a condition");
    sema_settle_default(in, n);
}

/* ---- names ---- */

static const cpl_type *constant(instance *in, const ast_node *n, ast_const *k)
{
    sema_const value;
    const char *problem = sema_module_const(in->s, k, &value);
    double parts[2];
    if (!problem) return set_const(in, n, value);
    if (problem == sema_reported) return &sema_error_type;
    if (sema_module_complex(in->s, k, parts)) return sema_complex(in, n, parts[0], parts[1]);
    diag *d = sema_error(in, n->span, "'%s' cannot be used in a kernel: %s", k->name, problem);
    sema_note(in, d, k->span, "'%s' is defined here", k->name);
    sema_hint(in, d,
              "constants of the module are numbers, and lists and np.array([...]) of them; pass "
              "anything else as an argument");
    return &sema_error_type;
}

static const cpl_type *number(instance *in, const ast_node *n, sema_global g)
{
    if (!g.exact) return set_const(in, n, g.number);
    in->f.refs[n->id] = (sema_ref){.kind = REF_NUMBER, .constant = g.number};
    return sema_decay(in->s->comp, g.exact);
}

static void not_called(instance *in, const ast_node *n, const char *name)
{
    diag *d = sema_error(in, n->span, "'%s' is a function and stands without a call", name);
    sema_hint(in, d, "call it: %s(...)", name);
}

/* A.B, of names alone. */
static const char *spelled(instance *in, const ast_node *n)
{
    if (n->kind != AST_ATTRIBUTE) return n->name;
    return arena_printf(&in->s->comp->arena, "%s.%s", spelled(in, n->kids[0]), n->name);
}

static const cpl_type *global_name(instance *in, const ast_node *n, sema_global g, const char *name)
{
    switch (g.kind) {
    case GLOBAL_CONST: return constant(in, n, g.constant);
    case GLOBAL_MEMBER:
        sema_hint(in, sema_error(in, n->span, "'%s' is a member of an Enum, and no number", name),
                  "its number is %s.value; members of an IntEnum are numbers", spelled(in, n));
        break;
    case GLOBAL_NUMBER: return number(in, n, g);
    case GLOBAL_COMPLEX: return sema_complex(in, n, g.parts[0], g.parts[1]);
    case GLOBAL_FUNC:
    case GLOBAL_EXTERN: not_called(in, n, name); break;
    case GLOBAL_BUILTIN:
        if (sema_builtins[g.builtin].group == BG_INDEX) return sema_index_name(in, n, g.builtin);
        not_called(in, n, name);
        break;
    case GLOBAL_CLASS:
        sema_hint(
            in, sema_error(in, n->span, "'%s' is a class, not a value", name),
            g.class_->is_struct
                ? "%s() is a new one"
                : "kernels know its constants, as %s.NAME; functions stand outside of classes",
            name);
        break;
    case GLOBAL_TYPE:
        sema_hint(in, sema_error(in, n->span, "'%s' is a type, not a value", name),
                  "%s(x) converts a number", name);
        break;
    case GLOBAL_MODULE:
    case GLOBAL_FILE: sema_error(in, n->span, "'%s' is a module, not a value", name); break;
    case GLOBAL_FOREIGN: sema_foreign(in, n->span, g, name); break;
    case GLOBAL_BROKEN: break;
    case GLOBAL_OTHER: sema_other(in, n->span, g, name); break;
    case GLOBAL_NONE: sema_undefined(in, n->span, name, false); break;
    }
    return &sema_error_type;
}

static const cpl_type *name_expr(instance *in, const ast_node *n)
{
    sema_var *v = sema_local(in, n->name);
    if (!v) return global_name(in, n, sema_find_global(in, n), n->name);
    const sema_bound *b = sema_bound_of(v->type);
    if (b) return sema_bound_name(in, n, b);
    in->f.refs[n->id] = (sema_ref){.kind = REF_VAR, .var = v};
    return v->type;
}

static const cpl_type *member(instance *in, const ast_node *n, sema_global module)
{
    sema_global g = sema_find_member(sema_names_of(in), module, n->name);
    if (g.kind != GLOBAL_NONE) return global_name(in, n, g, n->name);
    if (in->phase == 3) {
        const char *instead = sema_find_refused(n->name);
        if (instead && sema_is_fold(n->name)) {
            diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span, SEMA_FOLD_TAKES, n->name);
            sema_hint(in, d, "use %s", instead);
            return &sema_error_type;
        }
        diag *d = sema_error_as(in, CPL_ENOTFOUND, n->op_span, "'%s.%s' is not known in kernels",
                                n->kids[0]->name, n->name);
        if (instead) {
            sema_hint(in, d, "use %s", instead);
            return &sema_error_type;
        }
        suggester best;
        suggest_init(&best, n->name);
        sema_offer_members(in->s, &best, module);
        if (suggest_best(&best)) sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
    }
    return &sema_error_type;
}

/* A.name, which the class A has not: what it has are constants and classes. */
static const cpl_type *no_member(instance *in, const ast_node *n, const ast_class *k)
{
    if (in->phase != 3) return &sema_error_type;
    diag *d = sema_error_as(in, CPL_ENOTFOUND, n->op_span, "the class '%s' has no constant '%s'",
                            k->name, n->name);
    suggester best;
    suggest_init(&best, n->name);
    sema_offer_class(in->s, &best, k);
    if (suggest_best(&best)) sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
    else sema_note(in, d, k->name_span, "'%s' is defined here", k->name);
    return &sema_error_type;
}

static const cpl_type *no_field(instance *in, const ast_node *n, const cpl_type *t)
{
    if (in->phase != 3) return &sema_error_type;
    diag *d = sema_error_as(in, CPL_ENOTFOUND, n->op_span, "%s has no field '%s'", sema_name(in, t),
                            n->name);
    if (sema_has_method(in, t, n->name)) {
        sema_hint(in, d, "'%s' is a method: .%s()", n->name, n->name);
        return &sema_error_type;
    }
    suggester best;
    suggest_init(&best, n->name);
    for (uint32_t i = 0; i < t->field_count; i++) suggest_offer(&best, t->fields[i].name);
    sema_offer_of_struct(in, t, &best);
    if (suggest_best(&best)) {
        sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
        return &sema_error_type;
    }
    const char *fields = t->fields[0].name;
    for (uint32_t i = 1; i < t->field_count; i++)
        fields = arena_printf(&in->s->comp->arena, "%s, %s", fields, t->fields[i].name);
    sema_hint(in, d, "its fields are %s", fields);
    return &sema_error_type;
}

/* What arrays and numbers of NumPy have. */
static const char *array_field(const char *field)
{
    static const char *const hints[][2] = {
        {"shape", "a shape stands with an index: %s.shape[0]"},
        {"ndim", "%s has as many dimensions as it is written with indices: x[i, j] has 2"},
        {"T", "write the indices the other way round: x[j, i] for x.T[i, j]"},
        {"dtype", "the type of elements stands in np.zeros(3, dtype=x.dtype) alone"},
        {"real", "of an element: %s[i].real"},
        {"imag", "of an element: %s[i].imag"},
        {"flat", "an array that is written with one index counts as flat: %s[i]"},
        {"length", "the number of elements is len(%s)"},
        {"nbytes", "len(%s) and the size of an element say it"},
        {"itemsize", "the types of parameters are those of the call"},
        {"strides", "indices count elements, wherever they lie: %s[i]"}};
    for (unsigned i = 0; i < COUNT_OF(hints); i++)
        if (strcmp(hints[i][0], field) == 0) return hints[i][1];
    return NULL;
}

/* The parts of a number of type t that is not complex: itself, and 0. */
static bool is_part(instance *in, const ast_node *n, const cpl_type *t)
{
    bool imag = strcmp(n->name, "imag") == 0;
    if (!type_is_scalar(t) || (!imag && strcmp(n->name, "real") != 0)) return false;
    sema_settle_default(in, n->kids[0]);
    in->f.refs[n->id] = (sema_ref){.kind = REF_PART, .dim = imag};
    return true;
}

/* Of a complex number that is weak: a literal's are literals. */
static const cpl_type *part_of_complex(instance *in, const ast_node *n)
{
    bool imag = strcmp(n->name, "imag") == 0;
    const sema_ref *r = &in->f.refs[n->kids[0]->id];
    if (!imag && strcmp(n->name, "real") != 0) {
        sema_error_as(in, CPL_ENOTFOUND, n->op_span, "a complex number has no field '%s'", n->name);
        return &sema_error_type;
    }
    if (r->kind != REF_COMPLEX) {
        sema_settle_default(in, n->kids[0]);
        return in->s->t_f64;
    }
    return set_const(in, n, sema_float_const(in->s, r->parts[imag]));
}

/* Of a number, an array, a tuple. */
static const cpl_type *no_fields(instance *in, const ast_node *n, const cpl_type *t)
{
    diag *d = sema_error(in, n->op_span, "%s has no field '%s'", sema_name(in, t), n->name);
    const char *name = n->kids[0]->kind == AST_NAME ? n->kids[0]->name : "x";
    const char *hint = array_field(n->name);
    if (strcmp(n->name, "ndim") == 0 && type_is_pointer(t))
        sema_hint(in, d, "a number stands in its place, that of the indices of %s: %u", name,
                  type_has_layout(t) ? t->dims : 1);
    else if (hint) sema_hint(in, d, hint, name);
    else if (sema_is_fold(n->name)) sema_hint(in, d, "it is called: %s.%s()", name, n->name);
    return &sema_error_type;
}

/* y.ndim, y.T where y has several dimensions, of which sema_value would ask for indices. */
static bool asks_layout(const instance *in, const ast_node *n)
{
    const sema_var *v = n->kids[0]->kind == AST_NAME ? sema_local(in, n->kids[0]->name) : NULL;
    return v && sema_is_known(v->type) && type_is_pointer(v->type) && type_has_layout(v->type) &&
           array_field(n->name);
}

static const cpl_type *attribute(instance *in, const ast_node *n)
{
    sema_global module = sema_find_module(in, n->kids[0]);
    if (sema_names_file(in->f.fn->file)->host) {
        sema_global g = sema_find_global(in, n);
        if (g.kind != GLOBAL_NONE) return global_name(in, n, g, n->name);
    }
    if (module.kind != GLOBAL_NONE) return member(in, n, module);
    sema_global of = sema_find_global(in, n->kids[0]);
    if (of.kind == GLOBAL_CLASS || of.kind == GLOBAL_CONST || of.kind == GLOBAL_MEMBER) {
        sema_global g = sema_find_global(in, n);
        if (g.kind != GLOBAL_NONE) return global_name(in, n, g, n->name);
        if (of.kind == GLOBAL_CLASS) return no_member(in, n, of.class_);
    }
    if (sema_is_size(in, n)) return sema_size(in, n);
    if (sema_is_shape(in, n)) {
        const char *name = n->kids[0]->name;
        diag *d = sema_error(in, n->span, "a shape stands with an index, or is taken apart");
        sema_hint(in, d, "%s.shape[0]; h, w = %s.shape where there are two dimensions", name, name);
        return &sema_error_type;
    }
    if (asks_layout(in, n)) return no_fields(in, n, sema_local(in, n->kids[0]->name)->type);
    const cpl_type *t = sema_value(in, n->kids[0]);
    if (!sema_is_known(t)) return t;
    t = sema_struct_behind(t);
    if (is_part(in, n, t)) return sema_default(in->s->comp, t);
    if (sema_is_weak(t) && type_is_complex(t)) return part_of_complex(in, n);
    if (!type_is_struct(t) || sema_is_tuple(t)) {
        return no_fields(in, n, t);
    }
    for (uint32_t i = 0; i < t->field_count; i++)
        if (strcmp(t->fields[i].name, n->name) == 0) return t->fields[i].type;
    sema_global g = sema_find_of_struct(in, t, n->name);
    return g.kind == GLOBAL_NONE ? no_field(in, n, t) : global_name(in, n, g, n->name);
}

/* ---- elements ---- */

/* x > 0 of an array. */
static const ast_node *compared_array(const instance *in, const ast_node *n)
{
    for (uint32_t i = 0; n->kind == AST_COMPARE && i < n->kid_count; i++) {
        const ast_node *kid = n->kids[i];
        const sema_var *v = kid->kind == AST_NAME ? sema_local(in, kid->name) : NULL;
        if (v && sema_is_known(v->type) && (type_is_pointer(v->type) || type_is_array(v->type)))
            return kid;
    }
    return NULL;
}

/* There is no x[-1]. */
static void negative_index(instance *in, const ast_node *n, int64_t k, sema_axis axis)
{
    static const char wraps[] = "indices count from 0 and do not wrap";
    diag *d = sema_error(in, n->span, "the index %lld is negative", (long long)k);
    if (axis.count)
        sema_hint(in, d, "%s; the last one is %llu", wraps, (unsigned long long)axis.count - 1);
    else if (axis.v)
        sema_hint(in, d, "%s; the last one is %s.shape[%u] - 1", wraps, axis.v->name, axis.at);
    else sema_hint(in, d, "%s; the last element is x[len(x) - 1]", wraps);
}

bool sema_index(instance *in, ast_node *n, sema_axis axis)
{
    const ast_node *array = compared_array(in, n);
    if (array) {
        diag *d =
            sema_error_as(in, CPL_EUNSUPPORTED, n->span,
                          "an index must be an integer, found a comparison of '%s'", array->name);
        sema_hint(in, d, "elements are chosen by an 'if' in a loop over j, of %s[j]", array->name);
        return false;
    }
    const cpl_type *t = sema_value(in, n);
    if (!sema_is_known(t)) return !sema_is_error(t);
    sema_settle_default(in, n);
    if (!type_is_int(sema_whole(in, n, t))) {
        diag *d =
            sema_error(in, n->span, "an index must be an integer, found %s", sema_name(in, t));
        if (type_is_scalar(t)) sema_hint(in, d, "convert it with int(...)");
        else if (type_is_pointer(t) && n->kind == AST_NAME)
            sema_hint(in, d, "in a loop: for j in %s: ... x[j]", n->name);
        return false;
    }
    const sema_const *k = sema_const_of(in, n);
    if (k && sema_const_negative(*k)) {
        negative_index(in, n, (int64_t)k->bits, axis);
    } else if (k && axis.count && k->bits >= axis.count) {
        sema_error(in, n->span, "the index %llu is out of the range of %llu element%s",
                   (unsigned long long)k->bits, (unsigned long long)axis.count,
                   plural((int64_t)axis.count));
    }
    return true;
}

/* n, one of the indices behind it, is one too many for t. array: the type of what is indexed. */
static const cpl_type *not_indexable(instance *in, const ast_node *n, const cpl_type *array)
{
    const ast_node *list = n->kids[1];
    bool matrix = type_is_array(array) && list->kind == AST_TUPLE;
    if (!matrix && (sema_is_looped(n) || n->name)) return &sema_error_type; /* so is its length */
    if (list->kind != AST_TUPLE || (!type_is_pointer(array) && !type_is_array(array)) ||
        type_is_void(array->elem)) {
        diag *d = sema_error(in, n->kids[0]->span, "%s cannot be indexed", sema_name(in, array));
        const sema_var *v = n->kids[0]->kind == AST_NAME ? sema_local(in, n->kids[0]->name) : NULL;
        if (type_is_scalar(array) && v && v->is_param)
            sema_hint(in, d,
                      "a number stands without an index; of a parameter m that is an array "
                      "f(m[i]) passes a row");
        else if (type_is_scalar(array)) sema_hint_number(in, d, n->kids[0]);
        if (type_is_struct(array) && !sema_is_tuple(array))
            sema_hint(in, d, "its parts are fields: .%s",
                      type_is_complex(array) ? "real" : array->fields[0].name);
    } else if (type_is_array(array)) {
        uint32_t own = list->kid_count - (sema_is_looped(n) || n->name ? 1 : 0);
        sema_error(in, list->span, "%u %s too many for this matrix", own,
                   counted(own, "index is", "indices are"));
    } else {
        const char *name = sema_name(in, array);
        if (array->dims) {
            sema_error(in, list->span, "%s takes %u %s, found %u", name, array->dims,
                       counted(array->dims, "index", "indices"), list->kid_count);
            return &sema_error_type;
        }
        diag *d = sema_error(in, list->span, "%s takes one index, found %u", name, list->kid_count);
        sema_hint(in, d, "parameters alone have more dimensions; of others count x[i*columns + j]");
    }
    return &sema_error_type;
}

/* What an index leaves of an array. */
static const cpl_type *indexed(const instance *in, const cpl_type *t)
{
    if (t->dims) return comp_shaped(in->s->comp, t->elem, t->dims - 1u, t->strided);
    return t->elem;
}

/* A private array of several dimensions where elements of one of one are taken together. */
static const cpl_type *whole_matrix(instance *in, const ast_node *n, const cpl_type *row)
{
    const char *name = n->kids[0]->name, *more = type_is_array(row->elem) ? ", :" : "";
    diag *d = sema_error(in, n->span, "%s takes an array of one dimension, and '%s' is a matrix",
                         n->name, name);
    sema_hint(in, d, "all its elements are %s[:, :%s], those of a row %s[i, :%s]", name, more, name,
              more);
    return &sema_error_type;
}

/* What an index of n is along, those in front of which leave t. */
static sema_axis axis_of(const instance *in, const ast_node *n, const cpl_type *t)
{
    if (!sema_is_known(t)) return (sema_axis){0};
    if (type_is_array(t)) return (sema_axis){.count = t->count};
    if (sema_is_vector(t)) return (sema_axis){.count = type_lanes(t)};
    return type_is_pointer(t) ? sema_axis_of(in, n, t->dims ? t->dims : 1) : (sema_axis){0};
}

/* x[i], and with several indices x[i, j] */
static const cpl_type *element(instance *in, ast_node *n)
{
    if (sema_has_shape(in, n->kids[0])) return sema_shape_item(in, n);
    sema_ask_indices(in, n);
    ast_node *list = n->kids[1];
    bool several = list->kind == AST_TUPLE, good = true;
    const cpl_type *array = sema_array(in, n->kids[0]), *t = array;
    if (sema_is_tuple(t)) return sema_tuple_item(in, n, t);
    for (uint32_t i = 0; i < (several ? list->kid_count : 1); i++) {
        bool known = sema_is_known(t);
        ast_node *at = several ? list->kids[i] : list;
        if (!known && at->kind == AST_STRING) continue; /* the key of what was refused */
        good &= sema_index(in, at, axis_of(in, n, t));
        if (!known) continue;
        bool items = (type_is_pointer(t) || type_is_array(t)) && !type_is_void(t->elem);
        if (sema_is_vector(t)) t = t->fields[0].type;
        else t = items ? indexed(in, t) : not_indexable(in, n, array);
    }
    if (sema_is_known(t) && type_is_array(t) && sema_is_looped(n) && n->name)
        return whole_matrix(in, n, t);
    return good || !t ? sema_weak_item(in, n, t) : &sema_error_type;
}

/* ---- operators ---- */

static const cpl_type *too_large(instance *in, const ast_node *n)
{
    diag *d =
        sema_error(in, n->span, "the value of this expression of literals needs more than 64 bits");
    sema_hint(in, d, "write a float: 1e20");
    return &sema_error_type;
}

static const cpl_type *unary(instance *in, ast_node *n)
{
    static const char what[] = "the operand";
    ast_node *kid = n->kids[0];
    const cpl_type *t = sema_value(in, kid);
    if (n->op != TOK_NOT && sema_is_known(t) && type_is_struct(t)) {
        const cpl_type *number = sema_fold_complex(in, n);
        return number ? number : sema_unary_operator(in, n);
    }
    if (n->op == TOK_NOT) {
        t = as_truth(in, kid, t, what);
        sema_settle_default(in, kid);
        return sema_is_error(t) ? t : in->s->t_bool;
    }
    t = sema_as_number(in, kid, t, what);
    if (!sema_is_known(t)) return t;
    if (n->op == TOK_BITNOT) t = sema_whole(in, kid, t);
    if (n->op == TOK_BITNOT && type_is_float(t)) {
        diag *d = sema_error(in, n->span, "~ needs an integer, found %s", sema_name(in, t));
        sema_hint(in, d, "convert with int(...)");
        return &sema_error_type;
    }
    const sema_const *k = sema_const_of(in, kid);
    sema_const folded;
    if (n->op == TOK_BITNOT && type_is_bool(t) && !k) return t;
    if (k && sema_is_weak(t) && sema_fold_unary(in->s, (token_kind)n->op, *k, &folded))
        return set_const(in, n, folded);
    if (k && sema_is_weak(t)) return too_large(in, n);
    if (sema_is_weak(t)) return n->op == TOK_ADD ? t : sema_weak_negated(t);
    return sema_arith(in->s->comp, t, t);
}

const cpl_type *sema_float_of(instance *in, const cpl_type *t)
{
    if (sema_is_weak(t)) return sema_weak_as_float();
    if (type_is_float(t)) return t->size == 8 ? t : in->s->t_f32;
    /* phase 1: the local behind it may still become a float32 */
    return in->phase == 1 ? sema_weak_as_float() : in->s->t_f64;
}

const cpl_type *sema_power(instance *in, ast_node *base, ast_node *exponent, const cpl_type *a,
                           const cpl_type *b)
{
    const cpl_type *t = sema_arith(in->s->comp, a, b);
    const sema_const *k = sema_const_of(in, exponent);
    if (type_is_float(t)) return t;
    if (k && sema_is_weak(b) && !sema_const_negative(*k)) {
        const cpl_type *result = sema_arith(in->s->comp, a, a);
        sema_settle_default(in, exponent);
        if (!sema_is_weak(result)) sema_settle(in, base, result);
        return result;
    }
    return sema_float_of(in, sema_default(in->s->comp, t));
}

/* An operator on what is no number: on an array, which has elements that are. */
static const cpl_type *not_numbers(instance *in, const ast_node *n, const cpl_type *a,
                                   const cpl_type *b)
{
    token_kind op = (token_kind)n->op;
    const ast_node *kid_a = n->kids[0], *kid_b = n->kids[1];
    diag *d = sema_error(in, n->span, "'%s' does not work on %s and %s", token_text(op),
                         sema_name(in, a), sema_name(in, b));
    bool left = !type_is_scalar(a), step = op == TOK_ADD || (op == TOK_SUB && left);
    if (n->kind == AST_AUGASSIGN && left && !step && kid_a->kind == AST_NAME) {
        sema_hint(in, d, "did you mean '%s[i]'? All elements are %s[:]", kid_a->name, kid_a->name);
        return &sema_error_type;
    }
    const ast_node *own = left ? kid_a : kid_b;
    if (own->kind == AST_NAME && type_is_array(left ? a : b) && n->kind == AST_BINARY) {
        sema_hint(in, d, "did you mean '%s[i]'? Of all elements: %s[:] = %s", own->name, own->name,
                  sema_text_of(in, n));
        return &sema_error_type;
    }
    sema_hint_element(in, d, left ? kid_a : kid_b, step && type_is_int(left ? b : a));
    if (step && sema_is_call_of(in, left ? kid_a : kid_b, BI_ADDRESS))
        sema_hint(in, d, "a pointer further on is address(x[i + 1])");
    return &sema_error_type;
}

static bool is_bitwise(token_kind op)
{
    return op == TOK_BITAND || op == TOK_BITOR || op == TOK_BITXOR;
}

/* 2**n in sums and differences */
static bool has_power_of_two(const ast_node *n)
{
    if (n->kind != AST_BINARY) return false;
    const ast_node *base = n->kids[0];
    if (n->op == TOK_POW) return base->kind == AST_INT && base->integer == 2;
    bool sum = n->op == TOK_ADD || n->op == TOK_SUB;
    return sum && (has_power_of_two(n->kids[0]) || has_power_of_two(n->kids[1]));
}

static void note_division(instance *in, const ast_node *n)
{
    if (in->phase != 3 || in->noted_division) return;
    in->noted_division = true;
    bool has_top = !sema_host_of(in->f.fn->file);
    sema_remark(in, n->op_span, "'/' on two integers drops the fraction in functions: 1/2 is 0%s",
                has_top ? ", but 0.5 at the top of a file" : "; write '//', or make one a float");
}

const cpl_type *sema_binary(instance *in, ast_node *n, const cpl_type *a, const cpl_type *b)
{
    token_kind op = (token_kind)n->op;
    ast_node *kid_a = n->kids[0], *kid_b = n->kids[1];
    if (!sema_is_known(a) || !sema_is_known(b)) return unusable(a, b);
    if (type_is_struct(a) || type_is_struct(b)) return sema_operator(in, n, op, kid_a, kid_b);
    if (op == TOK_MATMUL) {
        sema_refuse_product(in, n, a, b);
        return &sema_error_type;
    }
    if (!type_is_scalar(a) || !type_is_scalar(b)) return not_numbers(in, n, a, b);
    bool whole = is_bitwise(op) || op == TOK_SHL || op == TOK_SHR;
    if (whole) a = sema_whole(in, kid_a, a);
    if (whole) b = sema_whole(in, kid_b, b);
    if (whole && (type_is_float(a) || type_is_float(b))) {
        diag *d = sema_error(in, n->span, "'%s' needs integers, found %s and %s", token_text(op),
                             sema_name(in, a), sema_name(in, b));
        if (op == TOK_BITXOR && sema_const_of(in, kid_b))
            sema_hint(in, d, "a power is written a**b");
        else if (has_power_of_two(kid_a) || has_power_of_two(kid_b))
            sema_hint(in, d, "2**n is a float where n is a variable: write 1 << n");
        else if (op == TOK_BITAND || op == TOK_BITOR)
            sema_hint(in, d, "convert with int(...); conditions are joined by 'and' and 'or'");
        else sema_hint(in, d, "convert with int(...)");
        return &sema_error_type;
    }
    const cpl_type *t;
    if (op == TOK_POW) t = sema_power(in, kid_a, kid_b, a, b);
    else if (is_bitwise(op) && type_is_bool(a) && type_is_bool(b)) t = a;
    else t = sema_arith(in->s->comp, a, b);
    if (op == TOK_DIV && type_is_int(t)) note_division(in, n);
    if (sema_is_weak(t)) return t;
    sema_settle(in, kid_a, t);
    sema_settle(in, kid_b, t);
    return t;
}

/* Why two integers were not folded: the value is too large, or it is left to run time (division by
 * zero, wide shifts). */
static bool is_too_large(token_kind op, sema_const a, sema_const b)
{
    if (sema_const_is_float(a) || sema_const_is_float(b) ||
        (type_is_bool(a.type) && type_is_bool(b.type)))
        return false;
    bool divides = (op == TOK_DIV || op == TOK_FLOORDIV) && b.bits != 0;
    return op == TOK_ADD || op == TOK_SUB || op == TOK_MUL || op == TOK_BITXOR || divides ||
           (op == TOK_POW && !sema_const_negative(b));
}

static void warn_of_zero(instance *in, const ast_node *n, const cpl_type *a, const sema_const *k)
{
    bool divides = n->op == TOK_DIV || n->op == TOK_FLOORDIV || n->op == TOK_MOD;
    if (!divides || !k || !type_is_int(k->type) || k->bits || !sema_is_number(a) || !type_is_int(a))
        return;
    diag *d = sema_warning(in, n->op_span, "a division by zero, which gives 0 where Python raises");
    sema_hint(in, d, "divide by a float, 0.0, for an infinity");
}

static void warn_of_shift(instance *in, const ast_node *n, const cpl_type *a, const cpl_type *b,
                          const sema_const *k)
{
    bool shifts = n->op == TOK_SHL || n->op == TOK_SHR;
    if (!shifts || !k || !type_is_int(k->type)) return;
    bool narrow = sema_is_number(a) && type_is_int(a) && !sema_is_weak(a) && a->size <= 4;
    bool small = narrow && (sema_is_weak(b) || b->size <= 4); /* the result is of 32 bits */
    if (!sema_const_negative(*k) && k->bits < (small ? 32 : 64)) return;
    diag *d = sema_warning(in, n->op_span,
                           "a shift by %lld: a count is taken modulo 64, or 32, where Python %s",
                           (long long)k->bits, sema_const_negative(*k) ? "raises" : "shifts on");
    if (small && !sema_const_negative(*k))
        sema_hint(in, d, "the value is %s; cast it to int64 for more bits", sema_name(in, a));
}

/* Of a number that is known now: whether it is no more than that. */
static bool is_literal(const cpl_type *t)
{
    return sema_is_weak(t) || type_is_bool(t);
}

static const cpl_type *binary(instance *in, ast_node *n)
{
    ast_node *x = n->kids[0], *y = n->kids[1];
    sema_const folded;
    if (sema_fold_literals(in->s, n, &folded)) return set_const(in, n, folded);
    bool product = n->op == TOK_MATMUL; /* of what is refused there, rows too */
    const cpl_type *a = product ? sema_array(in, x) : sema_value(in, x);
    const cpl_type *b = product ? sema_array(in, y) : sema_value(in, y);
    const sema_const *j = sema_const_of(in, x), *k = sema_const_of(in, y);
    warn_of_zero(in, n, a, k);
    warn_of_shift(in, n, a, b, k);
    bool weak = sema_is_weak(a) || sema_is_weak(b);
    if (j && k && weak && is_literal(a) && is_literal(b) &&
        sema_fold_binary(in->s, (token_kind)n->op, *j, *k, false, &folded)) {
        if (n->op == TOK_DIV && !sema_const_is_float(folded)) note_division(in, n);
        return set_const(in, n, folded);
    }
    if (j && k && is_literal(a) && is_literal(b) && is_too_large((token_kind)n->op, *j, *k))
        return too_large(in, n);
    bool number = sema_is_weak(sema_join(in->s->comp, a, b)) && (!j || !k);
    const cpl_type *complex = number ? sema_fold_complex(in, n) : NULL;
    if (complex) return complex;
    return sema_binary(in, n, a, b);
}

/* An operand more is an IR node more, inside those before it: what cannot be compiled is refused
 * before it is lowered by recursion. */
static bool is_too_long(instance *in, const ast_node *n)
{
    uint32_t limit = (in->s->comp->max_ops ? in->s->comp->max_ops : LIMIT_OPS) / 2;
    if (limit == 0) limit = 1;
    if (n->kid_count <= limit + 1) return false;
    diag *d = sema_error_as(in, CPL_ELIMIT, n->span, "a chain of more than %u operators", limit);
    sema_hint(in, d, "split it with variables or functions, or raise the option max_ops");
    return true;
}

static const cpl_type *boolop(instance *in, ast_node *n)
{
    if (is_too_long(in, n)) return &sema_error_type;
    const cpl_type *t = NULL;
    bool unknown = false;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const cpl_type *kid =
            truth(in, n->kids[i], n->op == TOK_AND ? "an operand of 'and'" : "an operand of 'or'");
        unknown |= !kid;
        t = sema_decay(in->s->comp, sema_join(in->s->comp, t, kid));
    }
    if (unknown && !sema_is_error(t)) return t;
    if (sema_is_known(t) && !sema_is_weak(t))
        for (uint32_t i = 0; i < n->kid_count; i++) sema_settle(in, n->kids[i], t);
    return t;
}

/* x and y: neighbours in n. */
static bool comparable(instance *in, const ast_node *n, const ast_node *x, const ast_node *y)
{
    const cpl_type *a = in->f.types[x->id], *b = in->f.types[y->id];
    if (!sema_is_known(a) || !sema_is_known(b)) return false;
    if (type_is_scalar(a) && type_is_scalar(b)) return true;
    diag *d =
        sema_error(in, n->span, "%s and %s cannot be compared", sema_name(in, a), sema_name(in, b));
    sema_hint_element(in, d, type_is_scalar(a) ? y : x, false);
    return false;
}

static bool compares_text(instance *in, const ast_node *n)
{
    bool text = false;
    for (uint32_t i = 0; i < n->kid_count; i++) text |= n->kids[i]->kind == AST_STRING;
    if (!text) return false;
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span, "strings cannot be compared in kernels");
    sema_hint(in, d, "pass a number that stands for the text, or bind a function or an integer");
    return true;
}

static bool has_struct(const instance *in, const ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const cpl_type *t = in->f.types[n->kids[i]->id];
        if (sema_is_known(t) && type_is_struct(t)) return true;
    }
    return false;
}

static const cpl_type *compare_structs(instance *in, ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!sema_is_known(in->f.types[n->kids[i]->id])) return in->s->t_bool;
    if (n->kid_count == 2)
        return sema_operator(in, n, (token_kind)n->ops[0], n->kids[0], n->kids[1]);
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span, "structs are compared two by two");
    sema_hint(in, d, "write a < b and b < c");
    return &sema_error_type;
}

static const cpl_type *compare(instance *in, ast_node *n)
{
    if (is_too_long(in, n) || compares_text(in, n)) return &sema_error_type;
    compilation *c = in->s->comp;
    bool error = false;
    for (uint32_t i = 0; i < n->kid_count; i++) error |= sema_is_error(sema_value(in, n->kids[i]));
    const cpl_type **types = in->f.types;
    if (has_struct(in, n)) return compare_structs(in, n);
    for (uint32_t i = 0; i + 1 < n->kid_count; i++)
        if (!comparable(in, n, n->kids[i], n->kids[i + 1])) error = true;
    if (in->phase != 3) return in->s->t_bool;
    if (error) return &sema_error_type;
    const cpl_type *left = NULL; /* of the operand before, as it was */
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const cpl_type *mine = types[n->kids[i]->id];
        const cpl_type *t = sema_arith(c, left, mine);
        if (i + 1 < n->kid_count) t = sema_arith(c, t, types[n->kids[i + 1]->id]);
        left = mine;
        sema_settle_sign(in, n->kids[i], t);
    }
    return in->s->t_bool;
}

static const cpl_type *ternary(instance *in, ast_node *n)
{
    compilation *c = in->s->comp;
    sema_condition(in, n->kids[0]);
    const cpl_type *a = sema_decay_at(&in->f, c, n->kids[1], sema_value(in, n->kids[1]));
    const cpl_type *b = sema_decay_at(&in->f, c, n->kids[2], sema_value(in, n->kids[2]));
    if (!a || !b) return sema_join(c, a, b);
    const cpl_type *t = sema_join(c, a, b);
    if (sema_is_error(t)) {
        if (!sema_is_error(a) && !sema_is_error(b))
            sema_error(in, n->span, "the two arms are %s and %s, which have no common type",
                       sema_name(in, a), sema_name(in, b));
        return t;
    }
    if (!sema_is_weak(t)) {
        sema_settle(in, n->kids[1], t);
        sema_settle(in, n->kids[2], t);
    }
    return t;
}

/* ---- all ---- */

static const cpl_type *literal(instance *in, const ast_node *n)
{
    sema_const k;
    if (sema_literal(in->s, n, &k)) {
        const cpl_type *weak = set_const(in, n, k);
        return n->kind == AST_INT && n->op ? comp_scalar(in->s->comp, n->op) : weak;
    }
    diag *d = sema_error(in, n->span, "the integer needs more than 64 bits");
    sema_hint(in, d, "write a float: 1e20");
    return &sema_error_type;
}

/* One that is no star parameter's: star.c has replaced the others. */
static void refuse_slice(instance *in, const ast_node *n)
{
    if (n->name) { /* slices.c */
        if (!*n->name) return;
        diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span, "%s", n->name);
        sema_hint(in, d, "keep what is read in another array, b[:] = a, or loop over the elements");
        return;
    }
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span, "this slice is not supported here");
    bool all = n->kids[0]->kind == AST_NONE && n->kids[1]->kind == AST_NONE;
    if (all && in->phase == 3 && n->kids[2]->kind == AST_NONE)
        sema_hint(in, d,
                  "a[i, :] = b and sum(b[:, j]), of arrays that have a name; of a parameter m "
                  "f(m[:, j]), where f takes an array, and c = m[:, j]; c[k]; or loop over the "
                  "elements");
    else
        sema_hint(in, d,
                  "a[1:] = 2*b[:-1], a[i, :] = b and sum(b[::2]), of arrays that have a name; or "
                  "loop over the elements");
}

/* What rewrite.c has found to be wrong, a message and a hint; without a name it has been said. */
static const cpl_type *refuse_error(instance *in, const ast_node *n)
{
    if (!n->name) return &sema_error_type;
    size_t length = strcspn(n->name, "\n");
    sema_hint(in, sema_error(in, n->span, "%.*s", (int)length, n->name), "%s",
              n->name + length + 1);
    return &sema_error_type;
}

static void refuse_star(instance *in, const ast_node *n)
{
    const ast_node *what = n->kids[0];
    const sema_var *v = what->kind == AST_NAME ? sema_local(in, what->name) : NULL;
    if (v && sema_is_error(v->type)) return;
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span,
                            "'*' in a call passes on a star parameter alone");
    if (in->sig->base) sema_hint(in, d, "*%s", in->sig->star);
    else sema_hint(in, d, "'%s' has none: def %s(..., *args)", in->f.fn->name, in->f.fn->name);
}

static const cpl_type *refuse(instance *in, const ast_node *n)
{
    switch (n->kind) {
    case AST_STRING:
        sema_hint(in,
                  sema_error_as(in, CPL_EUNSUPPORTED, n->span,
                                "a string stands only as the format of printf"),
                  "a number that means it stands in its place; a text is printed by print(...)");
        break;
    case AST_NONE:
        sema_hint(in,
                  sema_error_as(in, CPL_EUNSUPPORTED, n->span, "None is not a value in kernels"),
                  "a number that means it, NAN for one, stands in its place");
        break;
    case AST_LIST: {
        diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span,
                                "a list stands alone on the right of an assignment to a name");
        sema_hint(in, d, "t = [1.0, 2.0]");
        break;
    }
    case AST_LAMBDA: {
        diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span,
                                "a function is no value: it is called, is an argument of a "
                                "function of the file, or is given one name of its own");
        sema_hint(in, d, "square = lambda v: v*v; apply(square, x[i]) + square(2)");
        break;
    }
    case AST_STAR: refuse_star(in, n); break;
    case AST_SLICE: refuse_slice(in, n); break;
    default:
        sema_error_as(in, CPL_EUNSUPPORTED, n->span, "this expression is not supported");
        break;
    }
    return &sema_error_type;
}

static const cpl_type *expr(instance *in, ast_node *n)
{
    switch (n->kind) {
    case AST_ERROR: return refuse_error(in, n);
    case AST_INT:
    case AST_FLOAT:
    case AST_BOOL: return literal(in, n);
    case AST_IMAGINARY: return sema_complex(in, n, 0, n->number);
    case AST_NAME: return name_expr(in, n);
    case AST_ATTRIBUTE: return attribute(in, n);
    case AST_CALL: return sema_call(in, n);
    case AST_INDEX: return element(in, n);
    case AST_UNARY: return unary(in, n);
    case AST_BINARY: return binary(in, n);
    case AST_BOOLOP: return boolop(in, n);
    case AST_COMPARE: return compare(in, n);
    case AST_TERNARY: return ternary(in, n);
    case AST_TUPLE: return sema_tuple(in, n);
    default: return refuse(in, n);
    }
}

const cpl_type *sema_expr(instance *in, ast_node *n)
{
    const cpl_type *t = expr(in, n);
    if (!t && in->phase == 3) t = &sema_error_type;
    if (sema_is_error(t) && in->phase == 3 && !in->untyped) in->untyped = n;
    in->f.types[n->id] = t;
    return t;
}
