/*
 * Classes of structs: methods, which stand behind a dot; those that Python calls for an operator
 * (__add__, __radd__, __neg__, __lt__, ...) or for a new value (__init__); and those that a
 * function of numbers stands for where its first argument is a struct: abs(x) is x.__abs__(),
 * sqrt(x) is x.sqrt(), as with NumPy's arrays of objects.
 */
#include "lib/sema/sema_int.h"
#include "lib/support/plural.h"

/* The class that declared the struct t in the file or one that it imports, wherever that is. */
static const ast_class *imported_class(sema *s, ast_file *f, const cpl_type *t)
{
    VEC(ast_file *) files = {0};
    arena *a = &s->comp->arena;
    vec_push(a, &files, f);
    for (uint32_t i = 0; i < files.n; i++) {
        f = files.at[i];
        const ast_item *item = map_get(&f->names, t->name);
        if (item && item->kind == ITEM_CLASS && sema_struct_type(s, item->class_) == t)
            return item->class_;
        for (uint32_t k = 0; k < f->items.n; k++) {
            item = &f->items.at[k];
            ast_file *other = item->kind == ITEM_IMPORT ? sema_peek(s, item->import) : NULL;
            uint32_t seen = 0;
            while (other && seen < files.n && files.at[seen] != other) seen++;
            if (other && seen == files.n) vec_push(a, &files, other);
        }
    }
    return NULL;
}

/* The class that declared the struct t: as the file of in knows it, or any other that did. */
static const ast_class *class_of(const instance *in, const cpl_type *t)
{
    sema *s = in->s;
    sema_names here = {.s = s, .file = in->f.fn->file};
    if (type_is_complex(t)) here.file = sema_find_library(s, "cmath").file;
    if (!here.file) return NULL;
    sema_global g = sema_find_name(here, type_is_complex(t) ? "_complex" : t->name);
    if (g.kind == GLOBAL_CLASS && type_is_complex(t)) return g.class_;
    if (g.kind == GLOBAL_CLASS && sema_struct_type(s, g.class_) == t) return g.class_;
    for (uint32_t i = 0; i < s->structs.n; i++)
        if (s->structs.at[i].type == t) return s->structs.at[i].class_;
    return s->file->host ? NULL : imported_class(s, s->file, t);
}

static ast_func *find_method(const instance *in, const cpl_type *t, const char *name)
{
    const ast_class *k = class_of(in, t);
    if (!k) return sema_host_method((sema_names){.s = in->s, .file = in->f.fn->file}, t, name);
    for (uint32_t i = k ? k->methods.n : 0; i > 0; i--)
        if (strcmp(k->methods.at[i - 1]->name, name) == 0) return k->methods.at[i - 1];
    return NULL;
}

sema_global sema_find_of_struct(const instance *in, const cpl_type *t, const char *name)
{
    const ast_class *k = class_of(in, t);
    if (!k) return sema_host_constant((sema_names){.s = in->s, .file = in->f.fn->file}, t, name);
    const ast_item *item = map_get(&k->body->names, name);
    if (!item || item->kind != ITEM_CONST) return (sema_global){.kind = GLOBAL_NONE};
    return (sema_global){.kind = GLOBAL_CONST, .constant = item->constant};
}

void sema_offer_of_struct(const instance *in, const cpl_type *t, suggester *names)
{
    const ast_class *k = class_of(in, t);
    if (k) sema_offer_class(in->s, names, k);
}

bool sema_has_method(const instance *in, const cpl_type *t, const char *name)
{
    return find_method(in, t, name) != NULL;
}

static void offer_methods(const instance *in, const cpl_type *t, suggester *best)
{
    const ast_class *k = class_of(in, t);
    for (uint32_t i = 0; k && i < k->methods.n; i++) suggest_offer(best, k->methods.at[i]->name);
}

/* ---- x.name(...) ---- */

/* What NumPy's arrays and Python's lists have. */
static const char *array_method(const char *name)
{
    static const char *const hints[][2] = {
        {"astype", "an element is converted: float32(%s[i])"},
        {"append",
         "arrays keep their size: count in an element, k = atomic_inc(n[0]), and set %s[k]"},
        {"sum", "of an array: sum(%s)"},
        {"prod", "of an array: np.prod(%s)"},
        {"mean", "of an array: np.mean(%s)"},
        {"any", "of an array: np.any(%s)"},
        {"all", "of an array: np.all(%s)"},
        {"dot", "of arrays of one dimension: np.dot(%s, y)"},
        {"shape", "a shape stands with an index: %s.shape[0]"},
        {"min", "of an array: np.min(%s)"},
        {"max", "of an array: np.max(%s)"},
        {"item", "an element is %s[i]"},
        {"at", "an element is %s[i]"},
        {"length", "the number of elements is len(%s)"},
        {"push_back",
         "arrays keep their size: count in an element, k = atomic_inc(n[0]), and set %s[k]"},
        {"copy", "of elements: y[:] = %s, where y is another array or t = np.zeros(4)"},
        {"fill", "of all elements: %s[:] = 0"},
        {"argmin", "of an array: np.argmin(%s)"},
        {"argmax", "of an array: np.argmax(%s)"},
        {"std", "of an array: np.sqrt(np.mean((%s[:] - m)**2)), m the mean"},
        {"var", "of an array: np.mean((%s[:] - m)**2), m the mean"},
        {"cumsum", "in a loop: s += %s[i]; y[i] = s"},
        {"sort", "the host program sorts %s"},
        {"size", "without a call: %s.size"},
        {"reshape", "an array keeps its shape: count the index, %s[r*columns + c]"},
        {"flatten", "an array that is written with one index counts as flat: %s[i]"},
        {"ravel", "an array that is written with one index counts as flat: %s[i]"},
        {"tolist", "an element is %s[i]"},
        {"clip", "element by element: np.clip(%s[i], 0, 1)"},
        {"round", "element by element: round(%s[i])"}};
    for (unsigned i = 0; i < COUNT_OF(hints); i++)
        if (strcmp(hints[i][0], name) == 0) return hints[i][1];
    return NULL;
}

static const cpl_type *no_method(instance *in, ast_node *n, const cpl_type *t)
{
    const ast_node *f = n->kids[0];
    diag *d;
    if (type_is_struct(t)) {
        d = sema_error_as(in, CPL_ENOTFOUND, f->op_span, "%s has no method '%s'", sema_name(in, t),
                          f->name);
        suggester best;
        suggest_init(&best, f->name);
        offer_methods(in, t, &best);
        if (suggest_best(&best)) sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
    } else {
        d = sema_error_as(in, CPL_EUNSUPPORTED, f->span, "%s has no method '%s'", sema_name(in, t),
                          f->name);
        sema_global g = sema_find_name(sema_names_of(in), f->name);
        bool function =
            (g.kind == GLOBAL_FUNC || g.kind == GLOBAL_BUILTIN) && !sema_find_refused(f->name);
        const char *x = f->kids[0]->kind == AST_NAME ? f->kids[0]->name : "x";
        const char *own = type_is_pointer(t) || type_is_array(t) ? array_method(f->name) : NULL;
        if (own && n->kid_count > 1 && sema_is_fold(f->name) && strcmp(f->name, "dot") != 0)
            sema_hint(in, d,
                      "along an axis what it gives is stored: r[:] = %s.%s(axis=0); of all "
                      "elements it is %s.%s()",
                      x, f->name, x, f->name);
        else if (own) sema_hint(in, d, own, x);
        else if (strcmp(f->name, "astype") == 0)
            sema_hint(in, d, "a number is converted: float32(%s)", x);
        else if (type_is_scalar(t) && strcmp(f->name, "item") == 0)
            sema_hint(in, d, "a number stands as it is");
        else if (type_is_int(t) && strcmp(f->name, "bit_count") == 0)
            sema_hint(in, d, "with 'from numba import cuda' it is cuda.popc(%s)", x);
        else if (function) sema_hint(in, d, "'%s' is a function: %s(%s)", f->name, f->name, x);
        else sema_hint(in, d, "structs alone have methods; write a loop, or a function of '%s'", x);
    }
    sema_arguments(in, n);
    return &sema_error_type;
}

/* Decorators that change what the first parameter is. */
static const char *refused_decorator(const ast_func *fn)
{
    static const char *const names[] = {"staticmethod", "classmethod", "property"};
    for (uint32_t i = 0; i < fn->decorator_count; i++) {
        const ast_node *e = fn->decorators[i].expr;
        for (size_t k = 0; e->kind == AST_NAME && k < COUNT_OF(names); k++)
            if (strcmp(e->name, names[k]) == 0) return names[k];
    }
    return NULL;
}

/* np.maximum.reduce(x): functions have no methods here. */
static const cpl_type *method_of_function(instance *in, ast_node *n)
{
    static const char *const reductions[][2] = {{"add", "np.sum(x)"},
                                                {"multiply", "np.prod(x)"},
                                                {"maximum", "np.max(x)"},
                                                {"minimum", "np.min(x)"},
                                                {"logical_and", "np.all(x)"},
                                                {"logical_or", "np.any(x)"}};
    const ast_node *f = n->kids[0];
    const char *of = f->kids[0]->name;
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, f->span,
                            "'%s' is a function, and in kernels functions have no method '%s'", of,
                            f->name);
    const char *hint = NULL;
    for (unsigned i = 0; i < COUNT_OF(reductions); i++)
        if (strcmp(f->name, "reduce") == 0 && strcmp(of, reductions[i][0]) == 0)
            hint = reductions[i][1];
    if (hint) sema_hint(in, d, "of all elements: %s", hint);
    else sema_hint(in, d, "write a loop; of two numbers it is %s(a, b)", of);
    sema_arguments(in, n);
    return &sema_error_type;
}

bool sema_names_function(instance *in, const ast_node *n)
{
    if (n->kind != AST_ATTRIBUTE && n->kind != AST_NAME) return false;
    const ast_node *first = n;
    while (first->kind == AST_ATTRIBUTE) first = first->kids[0];
    if (first->kind != AST_NAME || sema_local(in, first->name)) return false;
    sema_global g = sema_find_global(in, n);
    return g.kind == GLOBAL_FUNC || (g.kind == GLOBAL_BUILTIN && sema_is_function(g.builtin));
}

const cpl_type *sema_struct_behind(const cpl_type *t)
{
    bool pointer = type_is_pointer(t) && type_is_struct(t->elem) && !type_has_layout(t);
    return pointer && !type_is_complex(t->elem) ? t->elem : t;
}

const cpl_type *sema_call_method(instance *in, ast_node *n)
{
    ast_node *f = n->kids[0], *receiver = f->kids[0];
    if (sema_names_function(in, receiver)) return method_of_function(in, n);
    const cpl_type *t = sema_value(in, receiver);
    if (!sema_is_known(t)) {
        sema_arguments(in, n);
        return t;
    }
    t = sema_struct_behind(t);
    if (sema_is_weak(t) && type_is_complex(t)) {
        sema_settle_default(in, receiver);
        t = sema_default(in->s->comp, t);
    }
    ast_func *fn = type_is_struct(t) ? find_method(in, t, f->name) : NULL;
    if (!fn) return no_method(in, n, t);
    const char *refused = refused_decorator(fn);
    if (refused) {
        diag *d =
            sema_error_as(in, CPL_EUNSUPPORTED, f->op_span,
                          "'%s' is a %s, and methods take their struct first", f->name, refused);
        sema_note(in, d, fn->span, "'%s' is defined here", f->name);
        sema_arguments(in, n);
        return &sema_error_type;
    }
    sema_site c = sema_site_of(in, n, receiver);
    return sema_call_function(in, &c, fn);
}

/* ---- operators ---- */

typedef struct operator_name {
    token_kind op;
    const char *name; /* between underscores */
    /* with the operands exchanged; NULL: the name behind an r */
    const char *turned;
} operator_name;

static const operator_name operators[] = {
    {TOK_ADD, "add", NULL},       {TOK_SUB, "sub", NULL},    {TOK_MUL, "mul", NULL},
    {TOK_DIV, "truediv", NULL},   {TOK_MOD, "mod", NULL},    {TOK_FLOORDIV, "floordiv", NULL},
    {TOK_POW, "pow", NULL},       {TOK_BITAND, "and", NULL}, {TOK_BITOR, "or", NULL},
    {TOK_BITXOR, "xor", NULL},    {TOK_SHL, "lshift", NULL}, {TOK_SHR, "rshift", NULL},
    {TOK_MATMUL, "matmul", NULL}, {TOK_LT, "lt", "gt"},      {TOK_LE, "le", "ge"},
    {TOK_GT, "gt", "lt"},         {TOK_GE, "ge", "le"},      {TOK_EQ, "eq", "eq"},
    {TOK_NE, "ne", "ne"},
};

/* NULL of `is` and `is not`. */
static const operator_name *operator_of(token_kind op)
{
    for (size_t i = 0; i < COUNT_OF(operators); i++)
        if (operators[i].op == op) return &operators[i];
    return NULL;
}

static ast_func *operator_method(const instance *in, const cpl_type *t, const operator_name *o,
                                 bool turned)
{
    if (!type_is_struct(t)) return NULL;
    const char *prefix = turned && !o->turned ? "r" : "";
    const char *name = turned && o->turned ? o->turned : o->name;
    return find_method(in, t, arena_printf(&in->s->comp->arena, "__%s%s__", prefix, name));
}

/* Of the left operand, else of the right one, which is turned then. */
static ast_func *either_method(const instance *in, const cpl_type *a, const cpl_type *b,
                               const operator_name *o, bool *turned)
{
    ast_func *fn = operator_method(in, a, o, false);
    *turned = !fn;
    return fn ? fn : operator_method(in, b, o, true);
}

/* a != b without __ne__ is not a == b, as in Python. */
static const cpl_type *not_equal(instance *in, const ast_node *n, const ast_func *eq,
                                 const cpl_type *result)
{
    if (!sema_is_known(result)) return result;
    if (type_is_scalar(result)) {
        in->f.refs[n->id].negated = true;
        return in->s->t_bool;
    }
    diag *d = sema_error(in, n->span, "'!=' is what '==' does not say, and __eq__ returns %s",
                         type_is_void(result) ? "nothing" : sema_name(in, result));
    sema_note(in, d, eq->span, "it is defined here");
    return &sema_error_type;
}

static bool holds_structs(const cpl_type *t)
{
    return sema_is_known(t) && (type_is_pointer(t) || type_is_array(t)) && type_is_struct(t->elem);
}

const cpl_type *sema_operator(instance *in, ast_node *n, token_kind op, ast_node *a, ast_node *b)
{
    const cpl_type *ta = in->f.types[a->id], *tb = in->f.types[b->id];
    const operator_name *o = operator_of(op);
    bool arithmetic = op != TOK_MATMUL && o && !o->turned;
    if (in->phase == 1 && arithmetic && sema_is_complex_or_number(ta) &&
        sema_is_complex_or_number(tb))
        return sema_join(in->s->comp, ta, tb);            /* one of them may be weak still */
    bool arrays = holds_structs(ta) || holds_structs(tb); /* not their first elements */
    bool turned;
    ast_func *fn = o && !arrays ? either_method(in, ta, tb, o, &turned) : NULL;
    bool negated = !fn && o && !arrays && op == TOK_NE;
    if (negated) fn = either_method(in, ta, tb, operator_of(TOK_EQ), &turned);
    if (fn) {
        ast_node **args = arena_array(&in->s->comp->arena, 2, sizeof(ast_node *));
        args[0] = turned ? b : a;
        args[1] = turned ? a : b;
        sema_site c = {.n = n, .args = args, .count = 2};
        const cpl_type *result = sema_call_function(in, &c, fn);
        return negated ? not_equal(in, n, fn, result) : result;
    }
    bool vectors = sema_is_vector(ta) || sema_is_vector(tb);
    if (vectors && arithmetic) return sema_vector_binary(in, n, op, a, b);
    diag *d = sema_error(in, n->span, "'%s' does not work on %s and %s", token_text(op),
                         sema_name(in, ta), sema_name(in, tb));
    bool left = type_is_struct(ta);
    if (vectors && o && o->turned) sema_hint(in, d, "compare lanes: v.x < w.x, v[0] < w[0]");
    else if (sema_is_tuple(ta) || sema_is_tuple(tb))
        sema_hint(in, d, "take the items of a tuple: t[0], or p, q = t");
    else if (vectors) return &sema_error_type;
    else if (type_is_complex(left ? ta : tb))
        sema_hint(in, d, "complex numbers have + - * / ** == and !=; compare abs(z) or z.real");
    else if (o)
        sema_hint(in, d, "'%s' may have a method __%s%s__(self, other)", left ? ta->name : tb->name,
                  left || o->turned ? "" : "r", left || !o->turned ? o->name : o->turned);
    return &sema_error_type;
}

const cpl_type *sema_unary_operator(instance *in, ast_node *n)
{
    const cpl_type *t = in->f.types[n->kids[0]->id];
    const char *name = n->op == TOK_SUB ? "__neg__" : n->op == TOK_ADD ? "__pos__" : "__invert__";
    ast_func *fn = find_method(in, t, name);
    if (fn) {
        sema_site c = {.n = n, .args = n->kids, .count = 1};
        return sema_call_function(in, &c, fn);
    }
    if (sema_is_vector(t)) return sema_vector_unary(in, n);
    diag *d =
        sema_error(in, n->span, "'%s' does not work on %s", token_text(n->op), sema_name(in, t));
    if (!type_is_complex(t)) sema_hint(in, d, "'%s' may have a method %s(self)", t->name, name);
    return &sema_error_type;
}

const cpl_type *sema_number_method(instance *in, ast_node *n, const char *name)
{
    if (n->kid_count < 2 || n->keyword_count) return NULL;
    const cpl_type *t = in->f.types[n->kids[1]->id];
    if (!sema_is_known(t) || !type_is_struct(t)) return NULL;
    if (strcmp(name, "abs") == 0) name = "__abs__";
    ast_func *fn = find_method(in, t, name);
    if (!fn) return NULL;
    sema_site c = {.n = n, .args = n->kids + 1, .count = n->kid_count - 1};
    return sema_call_function(in, &c, fn);
}

/* ---- T(...) ---- */

static const cpl_type *call_init(instance *in, ast_node *n, const cpl_type *t, ast_func *fn)
{
    sema_site c = sema_site_of(in, n, n);
    in->f.types[n->id] = t;
    const cpl_type *result = sema_call_function(in, &c, fn);
    if (!sema_is_known(result) || type_is_void(result)) return sema_is_error(result) ? result : t;
    diag *d = sema_error(in, n->span, "__init__ of '%s' returns a value", t->name);
    sema_note(in, d, fn->span, "it is defined here");
    return &sema_error_type;
}

/* The field that argument i of n is for, by its place among those that are no matrices or by its
 * name; field_count after an error. */
static uint32_t field_for(instance *in, const ast_node *arg, uint32_t i, const cpl_type *t)
{
    uint32_t f = 0;
    if (arg->kind != AST_KEYWORD) {
        while (type_is_array(t->fields[f].type) || i--) f++;
        return f;
    }
    while (f < t->field_count && strcmp(t->fields[f].name, arg->name) != 0) f++;
    if (f == t->field_count) sema_error(in, arg->span, "%s has no field '%s'", t->name, arg->name);
    return f;
}

static bool set_field(instance *in, ast_node *value, const cpl_field *field, const cpl_type *t,
                      sema_arg *arg)
{
    if (arg->node) {
        sema_error(in, value->span, "field '%s' of '%s' is given twice", field->name, t->name);
        return false;
    }
    arg->node = value;
    const char *what =
        arena_printf(&in->s->comp->arena, "field '%s' of '%s'", field->name, t->name);
    sema_settle_store(in, value, field->type);
    const cpl_type *given = in->f.types[value->id];
    if (in->phase != 3) return !sema_is_error(given);
    return !sema_check_store(in, value->span, field->type, given, what) && sema_is_known(given);
}

/* A struct of all its fields that are no matrices, or of none: what is not given is 0. */
const cpl_type *sema_construct(instance *in, ast_node *n, const cpl_type *t)
{
    if (type_is_complex(t)) return sema_call_complex(in, n, t);
    ast_func *init = find_method(in, t, "__init__");
    if (init) return call_init(in, n, t, init);
    if (sema_is_vector(t)) return sema_call_vector(in, n, t);
    sema_arg *args = arena_array(&in->s->comp->arena, t->field_count, sizeof *args);
    sema_site c = sema_site_of(in, n, NULL);
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < t->field_count; i++) wanted += !type_is_array(t->fields[i].type);
    bool good = c.count == 0 || c.count == wanted;
    if (!good) {
        diag *d = sema_error(in, n->span, "'%s' takes %u field%s or none, found %u", t->name,
                             wanted, plural(wanted), c.count);
        sema_hint(in, d, "give all fields that are no matrices, or assign them later");
        for (uint32_t i = 0; i < c.count; i++)
            if (c.args[i]->kind == AST_KEYWORD) field_for(in, c.args[i], i, t);
    }
    for (uint32_t i = 0; good && i < c.count; i++) {
        uint32_t f = field_for(in, c.args[i], i, t);
        ast_node *arg = c.args[i]->kind == AST_KEYWORD ? c.args[i]->kids[0] : c.args[i];
        good = f < t->field_count && set_field(in, arg, &t->fields[f], t, &args[f]);
    }
    if (!good) {
        sema_arguments(in, n);
        return &sema_error_type;
    }
    in->f.refs[n->id] = (sema_ref){.kind = REF_STRUCT, .args = args};
    return t;
}
