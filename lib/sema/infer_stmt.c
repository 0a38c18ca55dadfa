/* Types through statements: what each contributes to the locals, and what it may do. */
#include "lib/sema/sema_int.h"
#include "lib/support/plural.h"

static const char *place_name(instance *in, const ast_node *n)
{
    arena *a = &in->s->comp->arena;
    if (n->kind == AST_NAME) return arena_printf(a, "'%s'", n->name);
    if (n->kind == AST_ATTRIBUTE) return arena_printf(a, "field '%s'", n->name);
    while (n->kind == AST_INDEX) n = n->kids[0];
    return n->kind == AST_NAME ? arena_printf(a, "an element of '%s'", n->name) : "the element";
}

/* ---- assignment ---- */

/* An array stands for one of its elements, on the left or on the right. */
static void check_store(instance *in, const ast_node *target, const ast_node *value,
                        const cpl_type *place, const cpl_type *t, cpl_span span)
{
    if (value && sema_is_known(place) && type_is_int(place) && sema_is_whole(in, value)) return;
    diag *d = sema_check_store(in, span, place, t, place_name(in, target));
    if (!d || !value) return;
    if (type_is_pointer(place) && type_is_scalar(t)) sema_hint_element(in, d, target, false);
    else if (type_is_scalar(place)) sema_hint_element(in, d, value, false);
}

/* What target stands for is a number, not a place. */
static void refuse_target(instance *in, const ast_node *target)
{
    sema_ref_kind kind = in->f.refs[target->id].kind;
    if (kind == REF_ITEM)
        sema_hint(in, sema_error(in, target->span, "an item of a tuple cannot be assigned"),
                  "a private array can be changed: t = [0.0, 0.0]");
    else if (kind == REF_PART)
        sema_error(in, target->span, "a number that is not complex has no parts to be assigned");
    else if (target->kind == AST_INDEX) sema_error(in, target->span, "a shape cannot be assigned");
    else sema_error(in, target->span, "'%s' is a constant", target->name);
}

/* A struct goes to functions by reference: in Python `p = P()` would leave the caller's alone. */
static void refuse_rebinding(instance *in, const ast_node *target, const cpl_type *place)
{
    if (target->kind != AST_NAME || !sema_local(in, target->name)->is_param ||
        !sema_is_known(place) || !type_is_struct(place) || type_is_complex(place) ||
        sema_is_vector(place) || sema_is_tuple(place))
        return;
    diag *d = sema_error(in, target->span,
                         "'%s' is the caller's struct, which Python would leave as it is here",
                         target->name);
    sema_hint(in, d, "take a new name, or assign its fields to change the caller's: %s.%s = ...",
              target->name, place->field_count ? place->fields[0].name : "x");
}

/* value: the expression assigned, to be settled; NULL when there is none (an augmented
 * assignment). */
static void assign(instance *in, ast_node *target, ast_node *value, const cpl_type *t,
                   cpl_span span)
{
    const cpl_type *place;
    if (target->kind == AST_NAME) {
        sema_var *v = sema_local(in, target->name);
        sema_contribute(in, v, value ? sema_decay_at(&in->f, in->s->comp, value, t) : t, span);
        in->f.refs[target->id] = (sema_ref){.kind = REF_VAR, .var = v};
        place = in->f.types[target->id] = v->type;
    } else {
        sema_store_item(in, target, t);
        place = sema_value(in, target);
        if (sema_is_number_name(in, target)) {
            refuse_target(in, target);
            place = &sema_error_type;
        }
    }
    if (value) {
        sema_settle_store(in, value, place);
        t = in->f.types[value->id];
    }
    if (in->phase != 3) return;
    check_store(in, target, value, place, t, span);
    refuse_rebinding(in, target, place);
}

/* a, b = p, where p is a tuple of type t */
static void unpack_tuple(instance *in, ast_node *target, ast_node *value, const cpl_type *t)
{
    const cpl_type **places = arena_array(&in->s->comp->arena, t->field_count, sizeof *places);
    for (uint32_t i = 0; i < t->field_count; i++) {
        ast_node *kid = target->kids[i];
        assign(in, kid, NULL, t->fields[i].type, value->span);
        places[i] = in->f.types[kid->id];
        if (!sema_is_number(places[i])) places[i] = t->fields[i].type;
    }
    if (sema_is_weak(t)) sema_settle(in, value, sema_tuple_of(in->s->comp, places, t->field_count));
}

static void one_value(instance *in, const ast_node *target, const ast_node *value,
                      const cpl_type *t)
{
    diag *d = sema_error(in, value->span, "%u name%s on the left, one value on the right",
                         target->kid_count, plural(target->kid_count));
    bool hidden = value->kind == AST_NAME && strchr(value->name, '.');
    if (value->kind == AST_NAME && !hidden && (type_is_pointer(t) || type_is_array(t)))
        sema_hint(in, d, "of elements: a, b = %s[0], %s[1]", value->name, value->name);
    if (sema_is_call_of(in, value, BI_GRID) || sema_is_call_of(in, value, BI_GRIDSIZE))
        sema_hint(in, d, "the number in brackets says how many there are: %s(%u)",
                  sema_is_call_of(in, value, BI_GRID) ? "cuda.grid" : "cuda.gridsize",
                  target->kid_count);
}

static void assign_tuple(instance *in, ast_node *target, ast_node *value)
{
    if (value->kind != AST_TUPLE || value->kid_count != target->kid_count) {
        const cpl_type *t = value->kind == AST_TUPLE ? NULL : sema_value(in, value);
        if (sema_is_tuple(t) && t->field_count == target->kid_count) {
            unpack_tuple(in, target, value, t);
            return;
        }
        if (sema_is_tuple(t))
            sema_error(in, value->span, "%u name%s on the left, a tuple of %u on the right",
                       target->kid_count, plural(target->kid_count), t->field_count);
        else if (value->kind == AST_TUPLE)
            sema_error(in, value->span, "%u name%s on the left, %u value%s on the right",
                       target->kid_count, plural(target->kid_count), value->kid_count,
                       plural(value->kid_count));
        else if (sema_is_known(t) && value->kind != AST_ERROR) one_value(in, target, value, t);
        for (uint32_t i = 0; i < target->kid_count; i++)
            if (target->kids[i]->kind == AST_NAME)
                assign(in, target->kids[i], NULL, &sema_error_type, target->span);
        return;
    }
    for (uint32_t i = 0; i < target->kid_count; i++) sema_value(in, value->kids[i]);
    for (uint32_t i = 0; i < target->kid_count; i++)
        assign(in, target->kids[i], value->kids[i], in->f.types[value->kids[i]->id],
               value->kids[i]->span);
}

/* h, w = x.shape */
static void unpack_shape(instance *in, ast_node *names, ast_node *shape)
{
    const cpl_type *t = sema_shape(in, shape, names->kid_count);
    for (uint32_t i = 0; i < names->kid_count; i++)
        assign(in, names->kids[i], NULL, t, shape->span);
}

/* t = np.zeros(3) */
static void made_array(instance *in, ast_node *n, sema_var *v)
{
    ast_node *target = n->kids[0], *value = n->kids[1];
    const sema_made *m = in->made[value->id];
    sema_made_value(in, value, m, v);
    in->f.refs[target->id] = (sema_ref){.kind = REF_VAR, .var = v};
    in->f.types[target->id] = in->f.types[value->id] = v->type;
}

static void assignment(instance *in, ast_node *n)
{
    uint32_t targets = n->kid_count - 1;
    ast_node *value = n->kids[targets];
    if (targets == 1 && n->kids[0]->kind == AST_TUPLE && sema_is_shape(in, value)) {
        unpack_shape(in, n->kids[0], value);
        return;
    }
    if (sema_is_call_of(in, value, BI_DECLARE)) {
        in->f.refs[value->id] = (sema_ref){.kind = REF_BUILTIN, .builtin = BI_DECLARE};
        return;
    }
    if (in->made[value->id]) {
        sema_var *v = n->kids[0]->kind == AST_NAME ? sema_local(in, n->kids[0]->name) : NULL;
        if (v && in->made[value->id]->total) made_array(in, n, v);
        return;
    }
    if (value->kind != AST_TUPLE) sema_value(in, value);
    for (uint32_t i = 0; i < targets; i++) {
        ast_node *target = n->kids[i];
        if (target->kind == AST_TUPLE) assign_tuple(in, target, value);
        else {
            if (value->kind == AST_TUPLE) sema_value(in, value);
            assign(in, target, value, in->f.types[value->id], value->span);
        }
    }
}

static void augmented(instance *in, ast_node *n)
{
    ast_node *target = n->kids[0], *value = n->kids[1];
    const cpl_type *a = sema_value(in, target), *b = sema_value(in, value);
    const cpl_type *t = NULL;
    /* so that s += x[i] alone makes s a number; flow reports it */
    if (target->kind == AST_NAME && !a) t = b;
    if (a && sema_is_number_name(in, target)) {
        refuse_target(in, target);
        t = &sema_error_type;
    } else if (a) {
        t = sema_binary(in, n, a, b);
    }
    if (sema_is_weak(t)) sema_settle_default(in, value);
    sema_store_item(in, target, t);
    in->f.types[n->id] = in->phase == 3 && sema_is_weak(t) ? sema_default(in->s->comp, t) : t;
    if (target->kind == AST_NAME) sema_contribute(in, sema_local(in, target->name), t, n->span);
    if (in->phase == 3 && sema_is_known(a))
        sema_check_store(in, n->span, a, in->f.types[n->id], place_name(in, target));
}

static void annotated(instance *in, ast_node *n)
{
    if (n->kid_count < 3) return;
    if (sema_is_call_of(in, n->kids[2], BI_DECLARE)) {
        sema_error(in, n->kids[2]->span, "'%s' has its type from the annotation", n->kids[0]->name);
        return;
    }
    const cpl_type *t = sema_value(in, n->kids[2]);
    assign(in, n->kids[0], n->kids[2], t, n->kids[2]->span);
}

/* ---- others ---- */

static void expression(instance *in, ast_node *n)
{
    ast_node *e = n->kids[0];
    if (e->kind == AST_STRING) return; /* a docstring */
    if (e->kind == AST_ERROR) {
        sema_expr(in, e); /* which says what it is */
        return;
    }
    const cpl_type *t = e->kind == AST_CALL ? sema_expr(in, e) : sema_value(in, e);
    sema_settle_default(in, e);
    if (e->kind != AST_CALL && !sema_is_error(t)) {
        if (e->kind == AST_COMPARE && e->kid_count == 2 && e->ops[0] == TOK_EQ)
            sema_warning(in, n->span,
                         "this comparison has no effect; an assignment is written with one '='");
        else sema_warning(in, n->span, "this expression has no effect");
    }
}

static void return_nothing(instance *in, const ast_node *n)
{
    in->returns_nothing = true;
    in->nothing_span = n->span;
    if (in->sig->result && !type_is_void(in->sig->result))
        sema_error(in, n->span, "'%s' is declared to return %s", in->sig->fn->name,
                   sema_name(in, in->sig->result));
}

/* `return f(x)` of an f that returns nothing does not either, as in Python. */
static void return_value(instance *in, ast_node *n)
{
    ast_node *e = n->kids[0];
    bool alone = e->kind == AST_NAME || e->kind == AST_CALL;
    const cpl_type *t = alone ? sema_expr(in, e) : sema_value(in, e);
    if (sema_is_known(t) && type_is_void(t)) {
        return_nothing(in, n);
        return;
    }
    if (alone && sema_is_known(t) && sema_dims_left(&in->f, e)) {
        sema_hint(in, sema_error(in, e->span, "an array of several dimensions cannot be returned"),
                  "who passed '%s' has it: leave out the return", e->name);
        in->f.types[e->id] = t = &sema_error_type;
    }
    for (uint32_t i = 1; e->kind == AST_TERNARY && i < 3; i++)
        if (sema_is_known(in->f.types[e->kids[i]->id])) in->arm = in->f.types[e->kids[i]->id];
    in->returns_value = true;
    in->value_span = n->span;
    if (in->sig->result) {
        if (type_is_void(in->sig->result)) {
            sema_error(in, e->span, "'%s' is declared to return nothing", in->sig->fn->name);
            return;
        }
        sema_settle_store(in, e, in->sig->result);
        if (in->phase == 3)
            sema_check_store(in, e->span, in->sig->result, in->f.types[e->id], "the result");
        return;
    }
    if (sema_is_known(t) && type_is_array(t)) {
        sema_error(in, e->span, "a matrix cannot be returned");
        t = &sema_error_type;
    }
    const cpl_type *joined = sema_decay(in->s->comp, sema_join(in->s->comp, in->returned, t));
    if (sema_is_error(joined) && sema_is_known(in->returned) && sema_is_known(t))
        sema_error(in, e->span, "'%s' returns %s here and %s elsewhere", in->sig->fn->name,
                   sema_name(in, t), sema_name(in, in->returned));
    in->returned = joined;
}

static void refuse_jump(instance *in, const ast_node *n, const char *word)
{
    diag *d =
        sema_error_as(in, CPL_EUNSUPPORTED, n->span,
                      "'%s' cannot leave a parallel loop: its rounds run at once, in any order",
                      word);
    sema_hint(in, d,
              "a loop over range(...) has them in order; to find the first, combine them: "
              "first = min(first, i)");
}

static void return_stmt(instance *in, ast_node *n)
{
    if (in->parallel_depth) refuse_jump(in, n, "return");
    if (n->kid_count && n->kids[0]->kind != AST_NONE) return_value(in, n);
    else return_nothing(in, n);
}

static void assertion(instance *in, ast_node *n)
{
    sema_condition(in, n->kids[0]);
    if (n->kid_count > 1 && n->kids[1]->kind != AST_STRING && n->kids[1]->kind != AST_ERROR)
        sema_error(in, n->kids[1]->span, "the message of an assertion is a literal text");
}

/* The condition of an if or while; what depends on it may run in some work-items of a group
 * only. */
static uint32_t branch(instance *in, ast_node *condition)
{
    sema_condition(in, condition);
    uint32_t before = in->divergent;
    if (in->phase == 3 && sema_asks_work_item(in, condition)) in->divergent++;
    return before;
}

static void if_stmt(instance *in, ast_node *n)
{
    uint32_t divergent = branch(in, n->kids[0]);
    sema_stmts(in, n->body);
    sema_stmts(in, n->orelse);
    in->divergent = divergent;
}

static void while_stmt(instance *in, ast_node *n)
{
    uint32_t divergent = branch(in, n->kids[0]);
    in->loops_in_parallel++;
    sema_stmts(in, n->body);
    in->loops_in_parallel--;
    in->divergent = divergent;
    sema_stmts(in, n->orelse);
}

static void stmt(instance *in, ast_node *n)
{
    switch (n->kind) {
    case AST_ASSIGN: assignment(in, n); break;
    case AST_AUGASSIGN: augmented(in, n); break;
    case AST_ANNASSIGN: annotated(in, n); break;
    case AST_EXPR: expression(in, n); break;
    case AST_RETURN: return_stmt(in, n); break;
    case AST_IF: if_stmt(in, n); break;
    case AST_WHILE: while_stmt(in, n); break;
    case AST_FOR: sema_for(in, n); break;
    case AST_WITH: sema_with(in, n); break;
    case AST_ASSERT: assertion(in, n); break;
    case AST_BREAK:
        if (in->parallel_depth && !in->loops_in_parallel) refuse_jump(in, n, "break");
        break;
    default: break;
    }
}

void sema_stmts(instance *in, ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) stmt(in, list->at[i]);
}
