/*
 * Matrices that expressions make: t = np.zeros((2, 3)), np.full(4, v), np.array([a, b]), [0.0]*3,
 * [a, b]. The name on the left is declared a matrix of constant sizes, whose elements get their
 * values each time the statement runs. Elements whose type nothing gives have the join of their
 * values; those of lists, which hold anything in Python, of what is stored in them too.
 */
#include "lib/sema/sema_int.h"

static const ast_node *keyword(const ast_node *call, const char *name)
{
    for (uint32_t i = call->kid_count - call->keyword_count; i < call->kid_count; i++)
        if (strcmp(call->kids[i]->name, name) == 0) return call->kids[i]->kids[0];
    return NULL;
}

/* [a, b] * n or n * [a, b]: the list; *times: n. NULL: it is none. */
static const ast_node *repeated(const ast_node *n, const ast_node **times)
{
    if (n->kind != AST_BINARY || n->op != TOK_MUL) return NULL;
    uint32_t list = n->kids[0]->kind != AST_LIST;
    *times = n->kids[1 - list];
    return n->kids[list]->kind == AST_LIST ? n->kids[list] : NULL;
}

sema_builtin sema_maker(sema_names in, const ast_node *n)
{
    if (n->kind != AST_CALL) return BUILTIN_COUNT;
    sema_global g = sema_find_node(in, n->kids[0]);
    bool makes = g.kind == GLOBAL_BUILTIN && sema_builtins[g.builtin].group == BG_ARRAY;
    return makes ? g.builtin : BUILTIN_COUNT;
}

bool sema_makes(sema_names in, const ast_node *n)
{
    const ast_node *times;
    return n->kind == AST_LIST || repeated(n, &times) || sema_maker(in, n) != BUILTIN_COUNT;
}

const ast_node *sema_made_sizes(sema_names in, const ast_node *n)
{
    const ast_node *times;
    if (repeated(n, &times)) return times;
    sema_builtin b = sema_maker(in, n);
    bool sized = b != BUILTIN_COUNT && b != BI_ARRAY && n->kid_count > 1;
    return sized ? n->kids[1] : NULL;
}

/* ---- sizes and types ---- */

/* Numbers, complex ones, vectors and structs; of tuples there are no arrays. */
static bool is_item(const cpl_type *t)
{
    return sema_is_number(t) || (sema_is_known(t) && type_is_struct(t) && !sema_is_tuple(t));
}

static bool bad(instance *in, const ast_node *n, const char *message, const char *hint)
{
    if (n->kind == AST_ERROR) return false;
    diag *d = sema_report(in, CPL_ETYPE, n->span, "%s", message);
    if (hint) diag_hint(&in->diags, d, "%s", hint);
    return false;
}

static bool add_size(instance *in, sema_made *m, const ast_node *n)
{
    sema_const k;
    if (!sema_static(in, n, &k) || !type_is_int(k.type) || type_is_bool(k.type))
        return bad(in, n,
                   arena_printf(&in->s->comp->arena,
                                "the sizes of a %s array are integers that are known when the "
                                "function is compiled",
                                m->shared ? "shared" : "private"),
                   sema_may_be_bound(in, n) ? sema_bind_hint(in->s, in->f.fn->file, n->name)
                   : n->kind == AST_NAME && sema_local(in, n->name)
                       ? "give the most that it may be: t = np.zeros(16)"
                       : "what grows with the arguments is an argument itself, an array");
    if (sema_const_negative(k) || k.bits == 0)
        return bad(in, n, "a private array has at least one element", NULL);
    if (m->dims == SEMA_MADE_DIMS) return bad(in, n, "an array has at most 8 dimensions", NULL);
    m->counts[m->dims++] = k.bits;
    if (k.bits <= SEMA_MADE_ITEMS / m->total) {
        m->total *= k.bits;
        return true;
    }
    return bad(in, n, "the array is too large", NULL);
}

static bool add_sizes(instance *in, sema_made *m, const ast_node *n)
{
    if (n->kind != AST_TUPLE && n->kind != AST_LIST) return add_size(in, m, n);
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!add_size(in, m, n->kids[i])) return false;
    return true;
}

/* x.dtype of a parameter, a name of a type or of one that is bound, a text as NumPy has them. */
static const cpl_type *dtype(instance *in, const ast_node *n)
{
    const ast_node *of = n->kind == AST_ATTRIBUTE ? n->kids[0] : n;
    const sema_var *v = of->kind == AST_NAME ? sema_local(in, of->name) : NULL;
    if (v && n == of && sema_bound_of(v->type)) {
        sema_global g = sema_bound_of(v->type)->global;
        return g.kind == GLOBAL_TYPE ? g.type : NULL;
    }
    if (v) {
        bool array = v->is_param && sema_is_known(v->type) && type_is_pointer(v->type);
        return array && n != of && strcmp(n->name, "dtype") == 0 ? v->type->elem : NULL;
    }
    if (n->kind == AST_STRING && strcmp(n->text, "int") == 0) return in->s->t_i64;
    if (n->kind == AST_STRING && strcmp(n->text, "float") == 0) return in->s->t_f64;
    return sema_python_type(sema_names_of(in), n);
}

static bool set_type(instance *in, sema_made *m, const ast_node *n)
{
    m->elem = dtype(in, n);
    if (is_item(m->elem) && !type_is_void(m->elem)) return true;
    return bad(in, n, "this is no type of array elements",
               "dtype=np.float32, dtype='int64', dtype=complex, a vector or a struct");
}

/* ---- values ---- */

static void add_item(instance *in, sema_made *m, ast_node *n)
{
    vec_push(&in->s->comp->arena, &m->items, n);
}

/* Lists in lists are rows, each as long as the first. */
static bool add_rows(instance *in, sema_made *m, const ast_node *list, uint32_t depth)
{
    uint64_t n = list->kid_count;
    if (depth == m->dims) {
        if (depth == SEMA_MADE_DIMS)
            return bad(in, list, "an array has at most 8 dimensions", NULL);
        if (n > SEMA_MADE_ITEMS / m->total) return bad(in, list, "the array is too large", NULL);
        m->counts[m->dims++] = n;
        m->total *= n;
    } else if (m->counts[depth] != n) {
        return bad(in, list, "the rows of an array are all of one length", NULL);
    }
    bool rows = list->kids[0]->kind == AST_LIST || list->kids[0]->kind == AST_TUPLE;
    for (uint32_t i = 0; i < n; i++) {
        ast_node *kid = list->kids[i];
        if ((kid->kind == AST_LIST || kid->kind == AST_TUPLE) != rows)
            return bad(in, kid, "the rows of an array are all of one length", NULL);
        if (!rows) add_item(in, m, kid);
        else if (!add_rows(in, m, kid, depth + 1)) return false;
    }
    return true;
}

static bool read_list(instance *in, sema_made *m, const ast_node *n)
{
    const ast_node *times, *list = repeated(n, &times);
    if (!list) return add_rows(in, m, n, 0);
    for (uint32_t i = 0; i < list->kid_count; i++) {
        const ast_node *inner;
        if (list->kids[i]->kind == AST_LIST || repeated(list->kids[i], &inner))
            return bad(in, list, "the rows of this list are one and the same in Python",
                       "np.zeros((2, 3)) makes rows of their own");
        add_item(in, m, list->kids[i]);
    }
    if (!add_size(in, m, times)) return false;
    m->counts[0] *= list->kid_count;
    m->total *= list->kid_count;
    return m->total <= SEMA_MADE_ITEMS || bad(in, n, "the array is too large", NULL);
}

/* cuda.shared.array(shape, dtype), cuda.local.array(shape, dtype) */
static bool read_cuda(instance *in, sema_made *m, const ast_node *n, sema_builtin b)
{
    uint32_t given = n->kid_count - 1 - n->keyword_count;
    const ast_node *shape = given > 0 ? n->kids[1] : keyword(n, "shape");
    const ast_node *type = given > 1 ? n->kids[2] : keyword(n, "dtype");
    const char *name = sema_builtins[b].name;
    m->shared = b == BI_SHARED_ARRAY;
    if (!shape || !type || n->kid_count != 3)
        return bad(in, n,
                   arena_printf(&in->s->comp->arena,
                                "'%s' takes the shape and the type of the elements", name),
                   arena_printf(&in->s->comp->arena, "%s((16, 16), float32)", name));
    if (m->shared && shape->kind == AST_INT && shape->integer == 0)
        return bad(in, shape, "the size of this array is given at the launch",
                   "make it a parameter of the kernel: t: 'lfloatp', and t=local:64 of cplc run");
    return set_type(in, m, type) && add_sizes(in, m, shape);
}

static bool read_call(instance *in, sema_made *m, const ast_node *n, sema_builtin b)
{
    const sema_builtin_info *info = &sema_builtins[b];
    if (b == BI_SHARED_ARRAY || b == BI_PRIVATE_ARRAY) return read_cuda(in, m, n, b);
    uint32_t given = n->kid_count - 1 - n->keyword_count, values = b == BI_FULL ? 2 : 1;
    const ast_node *type = keyword(n, "dtype");
    uint32_t keywords = type != NULL;
    if (n->keyword_count > keywords || given < values || given > values + 1 - keywords)
        return bad(in, n,
                   arena_printf(&in->s->comp->arena, "'%s' takes %s and the type of the elements",
                                info->name,
                                b == BI_FULL    ? "the shape, a value"
                                : b == BI_ARRAY ? "a list"
                                                : "the shape"),
                   arena_printf(&in->s->comp->arena, "np.%s(%s, dtype=np.float32)", info->name,
                                b == BI_FULL    ? "(2, 3), 0.5"
                                : b == BI_ARRAY ? "[1.0, 2.0]"
                                                : "(2, 3)"));
    if (!type && given > values) type = n->kids[1 + values];
    if (type && !set_type(in, m, type)) return false;
    if (!type && b != BI_FULL && b != BI_ARRAY) m->elem = in->s->t_f64;
    m->ones = b == BI_ONES;
    if (b == BI_FULL) add_item(in, m, n->kids[2]);
    if (b != BI_ARRAY) return add_sizes(in, m, n->kids[1]);
    if (n->kids[1]->kind == AST_LIST || n->kids[1]->kind == AST_TUPLE)
        return add_rows(in, m, n->kids[1], 0);
    const ast_node *times;
    if (repeated(n->kids[1], &times)) return read_list(in, m, n->kids[1]);
    return bad(in, n->kids[1], "'array' makes an array of a list that stands in it",
               "np.array([1.0, 2.0])");
}

sema_made *sema_make(instance *in, const ast_node *value)
{
    const ast_node *times;
    bool list = value->kind == AST_LIST || repeated(value, &times);
    const ast_node *callee = value->kind == AST_CALL ? value->kids[0] : NULL;
    while (callee && callee->kind == AST_ATTRIBUTE) callee = callee->kids[0];
    bool hidden = callee && callee->kind == AST_NAME && sema_local(in, callee->name);
    sema_builtin b = hidden ? BUILTIN_COUNT : sema_maker(sema_names_of(in), value);
    if (!list && b == BUILTIN_COUNT) return NULL;
    sema_made *m = arena_new(&in->s->comp->arena, sema_made);
    m->total = 1;
    m->open = list && !value->stands;
    m->table = list && value->stands;
    m->exact = !list;
    if (!(list ? read_list(in, m, value) : read_call(in, m, value, b))) m->total = 0;
    return m;
}

/* ---- of the name that it declares ---- */

const cpl_type *sema_made_type(compilation *c, const sema_made *m, const cpl_type *elem)
{
    for (uint32_t i = m->dims; i > 0; i--) elem = comp_array(c, elem, m->counts[i - 1]);
    return elem;
}

/* The widest float type among the parameters, as literals among the arguments of a call take it. */
static const cpl_type *widest_float(const instance *in)
{
    const cpl_type *best = NULL;
    for (uint32_t i = 0; i < in->f.params.n; i++) {
        const cpl_type *t = in->f.params.at[i]->type;
        while (sema_is_known(t) && (type_is_pointer(t) || type_is_array(t))) t = t->elem;
        if (sema_is_known(t) && type_is_complex(t)) t = t->fields[0].type;
        bool is_float = sema_is_known(t) && type_is_scalar(t) && type_is_float(t);
        if (is_float && (!best || t->size > best->size)) best = t;
    }
    return best ? sema_decay(in->s->comp, best) : in->s->t_f64;
}

/* The type that values give elements; what the statement says last is weak where they are. */
static const cpl_type *item_type(instance *in, const sema_made *m, const cpl_type *t)
{
    bool whole = sema_is_weak(t) && sema_is_number(t) && !type_is_float(t);
    if (m->exact && whole) return in->s->t_i64; /* NumPy's */
    if (m->table && sema_is_weak_float(t)) return widest_float(in);
    if (m->table && sema_is_weak(t) && type_is_complex(t))
        return sema_complex_of(in->s->comp, widest_float(in));
    return m->exact ? sema_default(in->s->comp, t) : t;
}

void sema_raise_item(instance *in, sema_var *v, const cpl_type *t)
{
    sema_made *m = v->made;
    if (!m || m->elem || in->phase == 3 || !is_item(t)) return;
    const cpl_type *joined = sema_join(in->s->comp, m->item, t);
    if (sema_is_error(joined)) return; /* so is the store */
    if (!m->open || in->phase == 2) joined = sema_default(in->s->comp, joined);
    if (joined == m->item) return;
    m->item = joined;
    v->type = sema_made_type(in->s->comp, m, sema_default(in->s->comp, joined));
    in->changed = true;
}

void sema_store_item(instance *in, const ast_node *target, const cpl_type *t)
{
    while (target->kind == AST_INDEX) target = target->kids[0];
    sema_var *v = target->kind == AST_NAME ? sema_local(in, target->name) : NULL;
    if (v && v->made && v->made->open) sema_raise_item(in, v, t);
}

const cpl_type *sema_weak_item(const instance *in, const ast_node *n, const cpl_type *t)
{
    if (in->phase != 1 || !is_item(t)) return t;
    while (n->kind == AST_INDEX) n = n->kids[0];
    const sema_var *v = n->kind == AST_NAME ? sema_local(in, n->name) : NULL;
    const cpl_type *item = v && v->made ? v->made->item : NULL;
    return item && sema_is_vector(item) == sema_is_vector(t) ? item : t; /* or t is one of a lane */
}

void sema_made_value(instance *in, ast_node *value, const sema_made *m, sema_var *v)
{
    in->f.refs[value->id] = (sema_ref){.kind = REF_MADE, .made = m};
    for (uint32_t i = 0; i < m->items.n; i++) {
        const cpl_type *t = sema_value(in, m->items.at[i]);
        if (!is_item(t)) sema_as_number(in, m->items.at[i], t, "an element of an array");
        else sema_raise_item(in, v, item_type(in, m, t));
    }
    const cpl_type *elem = v->type;
    while (sema_is_known(elem) && type_is_array(elem)) elem = elem->elem;
    if (in->phase != 3) return;
    for (uint32_t i = 0; i < m->items.n; i++) {
        ast_node *n = m->items.at[i];
        if (!sema_is_known(elem) || !is_item(in->f.types[n->id])) continue;
        sema_settle_store(in, n, elem);
        sema_check_store(in, n->span, elem, in->f.types[n->id], "an element of the array");
    }
}

/* ---- made anew ---- */

/* An array has one place: what is made into it again would change under its other names. */
typedef struct remaking {
    instance *in;
    const sema_var *v;
    uint32_t made;        /* statements that make it */
    cpl_span again;       /* the second of them */
    const ast_node *name; /* that is given it, or a row of it; NULL: none is */
} remaking;

static const sema_var *array_of(const instance *in, const ast_node *n)
{
    if (type_is_scalar(in->f.types[n->id]) || type_is_struct(in->f.types[n->id])) return NULL;
    while (n->kind == AST_INDEX) n = n->kids[0];
    return n->kind == AST_NAME && in->f.refs[n->id].kind == REF_VAR ? in->f.refs[n->id].var : NULL;
}

static void look_at(remaking *r, const ast_node *n)
{
    const ast_node *target = n->kids[0], *value = n->kids[n->kid_count - 1];
    if (target->kind != AST_NAME || !sema_is_known(r->in->f.types[value->id])) return;
    if (r->in->f.refs[value->id].kind == REF_MADE) {
        if (sema_local(r->in, target->name) == r->v && r->made++ == 1) r->again = value->span;
    } else if (array_of(r->in, value) == r->v) {
        r->name = target;
    }
}

static void look_at_all(remaking *r, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        if (n->kind == AST_ASSIGN && n->kid_count == 2) look_at(r, n);
        look_at_all(r, n->body);
        look_at_all(r, n->orelse);
    }
}

void sema_check_remade(instance *in)
{
    for (uint32_t i = 0; i < in->all.n; i++) {
        remaking r = {.in = in, .v = in->all.at[i]};
        if (!r.v->made) continue;
        look_at_all(&r, sema_body(in));
        if (r.made < 2 || !r.name) continue;
        diag *d =
            sema_error(in, r.again, "'%s' is made anew here, and '%s' names what it was before",
                       r.v->name, r.name->name);
        sema_note(in, d, r.name->span, "'%s' is given it here", r.name->name);
        sema_hint(in, d, "fill it anew, %s[:] = ..., and copy what is to stay: b[:] = %s[:]",
                  r.v->name, r.v->name);
    }
}
