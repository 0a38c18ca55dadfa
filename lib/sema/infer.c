/*
 * Inference of one instance: rounds over its body until the locals' types no longer rise, and what
 * all parts of a round share: contributions to locals, the settling of weak expressions, checks of
 * stores.
 */
#include "lib/sema/sema_int.h"

const sema_const *sema_const_of(const instance *in, const ast_node *n)
{
    const sema_ref *r = &in->f.refs[n->id];
    return r->kind == REF_CONST ? &r->constant : NULL;
}

bool sema_is_number_name(const instance *in, const ast_node *n)
{
    sema_ref_kind kind = in->f.refs[n->id].kind;
    return kind == REF_CONST || kind == REF_NUMBER || kind == REF_SHAPE || kind == REF_SIZE ||
           kind == REF_ITEM || kind == REF_PART;
}

static bool is_same(cpl_span a, cpl_span b)
{
    return a.begin == b.begin && a.end == b.end;
}

void sema_contribute(instance *in, sema_var *v, const cpl_type *t, cpl_span span)
{
    /* an error would hide itself in the last round */
    if (v->is_param || v->declared || in->phase == 3 || !sema_is_known(t)) return;
    sema_slot *slot = &in->slots.at[v->index];
    if (slot->ruled || (slot->first.file && !is_same(slot->first, span))) return;
    if (slot->first.file) t = type_is_bool(t) ? in->s->t_i32 : sema_default(in->s->comp, t);
    const cpl_type *joined = sema_join(in->s->comp, v->type, sema_decay(in->s->comp, t));
    if (slot->fixed) joined = sema_default(in->s->comp, joined);
    if (joined == v->type) return;
    if (sema_is_error(joined)) {
        slot->clash = true;
        slot->clash_a = v->type;
        slot->clash_b = sema_decay(in->s->comp, t);
        slot->clash_span = span;
    }
    v->type = joined;
    in->changed = true;
}

/* ---- weak expressions ---- */

static void settle_kids(instance *in, ast_node *n, const cpl_type *t, uint32_t from)
{
    for (uint32_t i = from; i < n->kid_count; i++) sema_settle(in, n->kids[i], t);
}

/* The parts of n that were weak with it. */
static void settle_parts(instance *in, ast_node *n, const cpl_type *t)
{
    switch (n->kind) {
    case AST_UNARY:
    case AST_BOOLOP: settle_kids(in, n, t, 0); break;
    case AST_BINARY:
        sema_settle(in, n->kids[0], t);
        if (n->op == TOK_POW && type_is_int(t)) sema_settle_default(in, n->kids[1]);
        else sema_settle(in, n->kids[1], t);
        break;
    case AST_TERNARY: settle_kids(in, n, t, 1); break;
    case AST_CALL: settle_kids(in, n, t, 1); break;
    default: break;
    }
}

void sema_settle(instance *in, ast_node *n, const cpl_type *t)
{
    const cpl_type **mine = &in->f.types[n->id];
    if (in->phase != 3 || !sema_is_weak(*mine)) return;
    if (sema_is_tuple(*mine)) {
        sema_settle_tuple(in, n, t);
        return;
    }
    t = sema_default(in->s->comp, t);
    if (type_is_complex(*mine)) {
        *mine = type_is_complex(t) ? t : sema_default(in->s->comp, *mine);
        if (in->f.refs[n->id].kind != REF_COMPLEX) settle_parts(in, n, *mine);
        return;
    }
    const sema_const *k = sema_const_of(in, n);
    if (!sema_is_number(t) || type_is_bool(t)) t = sema_default(in->s->comp, *mine);
    if (sema_is_weak_float(*mine) ? !type_is_float(t) : type_is_float(t) && !k)
        t = sema_default(in->s->comp, *mine);
    if (type_is(t, CPL_FLOAT16) && !k) t = in->s->t_f32; /* a constant is rounded once */
    *mine = t;
    if (!k) settle_parts(in, n, t);
}

void sema_settle_default(instance *in, ast_node *n)
{
    const cpl_type *t = in->f.types[n->id];
    if (sema_is_weak(t)) sema_settle(in, n, sema_default(in->s->comp, t));
}

void sema_settle_sign(instance *in, ast_node *n, const cpl_type *t)
{
    const sema_const *k = sema_const_of(in, n);
    if (k && sema_const_negative(*k) && type_is(t, CPL_UINT64)) sema_settle_default(in, n);
    else sema_settle(in, n, t);
}

/*
 * Numbers take the type of the place. Sums and products of weak floats and integers are computed in
 * float64 and converted, those of weak integers in the place's integer type.
 */
void sema_settle_store(instance *in, ast_node *n, const cpl_type *t)
{
    const cpl_type *w = in->f.types[n->id];
    if (!sema_is_weak(w)) return;
    if (sema_is_tuple(w)) {
        sema_settle(in, n, t);
        return;
    }
    bool fits = sema_is_known(t) && type_is_complex(w) && type_is_complex(t);
    if (sema_is_number(t) && type_is_float(t)) fits = sema_const_of(in, n) != NULL;
    else if (sema_is_number(t) && type_is_int(t))
        fits = type_is_int(w) && t->size >= 4 && sema_join(in->s->comp, w, t) == t;
    if (fits) sema_settle(in, n, t);
    else sema_settle_default(in, n);
}

/* ---- stores ---- */

static diag *store_error(instance *in, cpl_span span, const cpl_type *place, const cpl_type *value,
                         const char *what)
{
    const ast_func *fn = sema_asked(in, span);
    if (fn) return sema_error_returns(in, fn, value, sema_name(in, place));
    diag *d = sema_error(in, span, "%s is %s and cannot take %s", what, sema_name(in, place),
                         sema_name(in, value));
    if (type_is_scalar(place) && type_is_complex(value))
        sema_hint(in, d, "take .real, .imag or abs(...) of it");
    if (type_is_scalar(place) && sema_is_tuple(value) && value->field_count == 1)
        sema_hint(in, d, "a comma at the end makes a tuple of it");
    if (sema_is_vector(place) && type_is_scalar(value))
        sema_hint(in, d, "%s(x) has x in all lanes", place->name);
    return d;
}

static void warn_fraction(instance *in, cpl_span span, const cpl_type *place, const cpl_type *value,
                          const char *what)
{
    const char *from = sema_name(in, value), *to = sema_name(in, place);
    if (span.file == in->s->own_source) /* whose variables say nothing to the user */
        sema_warning(in, span, "a %s becomes %s: its fraction is dropped", from, to);
    else sema_warning(in, span, "%s is %s: the fraction of a %s is dropped", what, to, from);
}

diag *sema_check_store(instance *in, cpl_span span, const cpl_type *place, const cpl_type *value,
                       const char *what)
{
    if (!sema_is_known(place) || !sema_is_known(value)) return NULL;
    const cpl_type *whole = value;
    value = sema_decay(in->s->comp, value);
    if (type_is_array(place)) {
        diag *d = sema_error(in, span, "%s is a matrix, which cannot be assigned as a whole", what);
        sema_hint(in, d, "assign its elements");
        return d;
    }
    if (type_is_scalar(place) && type_is_scalar(value)) {
        if (type_is_int(place) && type_is_float(value)) warn_fraction(in, span, place, value, what);
        return NULL;
    }
    if (type_is_complex(place) && sema_is_complex_or_number(value)) return NULL;
    if (sema_is_vector(place) && sema_is_vector(value) && type_lanes(place) == type_lanes(value))
        return sema_check_store(in, span, place->fields[0].type, value->fields[0].type, what);
    if (type_is_pointer(place) && type_is_pointer(value)) {
        bool fits = place->elem == value->elem && place->dims == value->dims;
        if (fits && (place->strided || !value->strided)) return NULL;
        return store_error(in, span, place, whole, what);
    }
    if (sema_is_tuple(place) && sema_is_tuple(value) && place->field_count == value->field_count) {
        diag *wrong = NULL;
        for (uint32_t i = 0; i < place->field_count && !wrong; i++)
            wrong = sema_check_store(in, span, place->fields[i].type, value->fields[i].type, what);
        return wrong;
    }
    return place == value ? NULL : store_error(in, span, place, whole, what);
}

/* ---- rounds ---- */

static void report_clashes(instance *in)
{
    for (uint32_t i = 0; i < in->all.n; i++) {
        const sema_slot *slot = &in->slots.at[i];
        if (!slot->clash) continue;
        diag *d = sema_error(in, slot->clash_span, "'%s' is %s here and %s elsewhere",
                             in->all.at[i]->name, sema_name(in, slot->clash_b),
                             sema_name(in, slot->clash_a));
        sema_note(in, d, in->all.at[i]->span, "'%s' is first assigned here", in->all.at[i]->name);
    }
}

static void round_over_body(instance *in)
{
    in->changed = false;
    in->returned = NULL;
    in->returns_value = in->returns_nothing = false;
    in->parallel_depth = in->loops_in_parallel = in->divergent = 0;
    memset(in->f.refs, 0, in->f.fn->node_count * sizeof *in->f.refs);
    sema_stmts(in, sema_body(in));
}

/* The lattice is finite and types only rise, so this ends: a local rises at most a dozen times. */
static void rounds(instance *in)
{
    do {
        round_over_body(in);
    } while (in->changed);
}

static void fix_weak_locals(instance *in)
{
    for (uint32_t i = 0; i < in->all.n; i++) {
        sema_var *v = in->all.at[i];
        in->slots.at[i].fixed = true;
        if (v->type) v->type = sema_default(in->s->comp, v->type);
        if (v->made) v->made->item = sema_default(in->s->comp, v->made->item);
    }
}

static void finish_result(instance *in)
{
    sema_func *f = &in->f;
    const char *name = f->fn->name;
    if (in->returns_value && in->returns_nothing) {
        diag *d = sema_error(in, in->nothing_span,
                             "'%s' returns nothing here and a value elsewhere", name);
        sema_note(in, d, in->value_span, "a value is returned here");
    }
    if (in->sig->result) {
        f->result = in->sig->result;
        if (!in->returns_value && !type_is_void(f->result))
            sema_error(in, in->sig->fn->name_span,
                       "'%s' is declared to return %s but returns nothing", name,
                       sema_name(in, f->result));
        return;
    }
    const cpl_type *t = in->returns_value ? in->returned : in->s->t_void;
    f->result = t ? sema_default(in->s->comp, t) : &sema_error_type;
    if (in->sig->bad_result || f->fn->is_generator || f->fn->is_async) f->result = &sema_error_type;
}

/* What a function that programs call may return, however its type is known. */
static void check_entry(instance *in)
{
    const sema_func *f = &in->f;
    const char *name = f->fn->name;
    bool kernel = in->s->form == SEMA_KERNEL, returns = in->returns_value;
    const ast_func *asked = sema_asked(in, in->value_span);
    if (kernel && returns && !sema_is_error(f->result)) {
        diag *d =
            sema_error(in, in->value_span, "'%s' is a kernel and cannot return a value", name);
        sema_hint(in, d, "store it in an array");
    } else if (sema_is_tuple(f->result) && returns && asked) {
        sema_error_returns(in, asked, f->result, "one value");
    } else if (sema_is_tuple(f->result) && returns) {
        diag *d = sema_error(in, in->value_span,
                             "'%s' is called by programs and cannot return a tuple to them", name);
        sema_hint(in, d, "store the values in an array that is passed: out[0], out[1] = ...");
    }
    if (kernel && f->serial)
        sema_error_as(in, CPL_EUNSUPPORTED, in->sig->serial_span,
                      "'%s' is serial, and the work-items of a kernel run in parallel", name);
    if (in->elementwise && returns)
        sema_warning(in, in->value_span,
                     "the value that '%s' returns is dropped: it runs for each index", name);
}

/* Weak values returned beside concrete ones take the function's type; the last round knows it. */
static void settle_returns(instance *in, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        ast_node *n = list->at[i];
        bool value = n->kind == AST_RETURN && n->kid_count && !type_is_void(in->f.result);
        if (value) sema_settle_store(in, n->kids[0], in->f.result);
        settle_returns(in, n->body);
        settle_returns(in, n->orelse);
    }
}

static void finish_locals(instance *in)
{
    /* read before assignment: flow reports it */
    for (uint32_t i = 0; i < in->all.n; i++)
        if (!in->all.at[i]->type) in->all.at[i]->type = &sema_error_type;
}

void sema_infer(instance *in)
{
    in->phase = 1;
    rounds(in);
    fix_weak_locals(in);
    in->phase = 2;
    rounds(in);
    in->phase = 3;
    report_clashes(in);
    round_over_body(in);
    finish_result(in);
    if (in->entry) check_entry(in);
    settle_returns(in, sema_body(in));
    sema_flow(in);
    sema_check_remade(in);
    if (!in->s->in_order) sema_races(in);
    finish_locals(in);
}
