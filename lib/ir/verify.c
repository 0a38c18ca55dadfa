/*
 * The rules of the typed IR, checked before any stage trusts a module: operands by the letters of
 * op.def, and what belongs to single ops. It takes any module the parser or a pass can make,
 * however wrong.
 */
#include "lib/ir/ir_int.h"
#include "lib/support/plural.h"

#include <inttypes.h>

/* Variables of one function live on the stack of whatever thread runs it; values of structs are
 * copied whole. */
enum { MOST_FRAME_BYTES = 1 << 20, MOST_VALUE_BYTES = 4096 };

static const char *text(const ir_node *n)
{
    return ir_ops[n->op].text;
}

/* Variables */

static void check_var(verifier *v, const ir_node *n, const ir_var *var, const char *what)
{
    if (!var) verify_error(v, n->span, "%s: %s is missing", text(n), what);
    else if (!verify_has_var(v->f, var))
        verify_error(v, n->span, "%s: %s '%s' is not of this function", text(n), what, var->name);
}

/* Arrays are reached through addr and item; as values they would be copied whole. */
static bool is_value(const cpl_type *t)
{
    return !type_is_void(t) && !type_is_array(t);
}

/* Operands */

static bool letter_fits(char letter, const cpl_type *t, const ir_node *n)
{
    const cpl_type *first = n->kids[0]->type;
    switch (letter) {
    case 'n': return type_is_int(t) || type_is_float(t);
    case 'i':
    case 'x': return type_is_int(t);
    case 'f': return type_is_float(t);
    case 'b': return type_is_bool(t);
    case 'k': return type_is_int(t) || type_is_bool(t);
    case 's': return type_is_scalar(t);
    case 'p': return type_is_pointer(t);
    case '=': return t == (n->op == IR_COND ? n->kids[1]->type : first);
    /* the first may be none: reported too */
    case 'e': return type_is_pointer(first) && t == first->elem;
    default: return is_value(t);
    }
}

static const char *letter_text(char letter, const ir_node *n)
{
    const cpl_type *first = n->kids[0]->type;
    switch (letter) {
    case 'n': return "an integer or a float";
    case 'i':
    case 'x': return "an integer";
    case 'f': return "a float";
    case 'b': return "bool";
    case 'k': return "an integer or bool";
    case 's': return "a scalar";
    case 'p': return "a pointer";
    case '=': return n->op == IR_COND ? n->kids[1]->type->text : first->text;
    case 'e':
        return type_is_pointer(first) ? first->elem->text : "what the first operand points to";
    default: return "a value";
    }
}

static bool is_whole(const ir_node *n)
{
    return n && n->type && n->op < IR_OP_COUNT;
}

/* False when the count is wrong or an operand is missing; then nothing else about the node can be
 * checked. */
static bool check_count(verifier *v, const ir_node *n)
{
    const char *letters = ir_ops[n->op].operands;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!is_whole(n->kids[i])) {
            verify_error(v, n->span, "%s: operand %" PRIu32 " is missing", text(n), i + 1);
            return false;
        }
    size_t wanted = strcspn(letters, "*");
    if (letters[wanted] ? n->kid_count >= wanted : n->kid_count == wanted) return true;
    verify_error(v, n->span, "%s: %u operands, expected %zu", text(n), n->kid_count, wanted);
    return false;
}

static bool check_operands(verifier *v, const ir_node *n)
{
    if (!check_count(v, n)) return false;
    const char *letters = ir_ops[n->op].operands;
    bool good = true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        char letter = i < strcspn(letters, "*") ? letters[i] : 'v';
        const ir_node *kid = n->kids[i];
        if (letter_fits(letter, kid->type, n)) continue;
        verify_error(v, kid->span, "%s: operand %" PRIu32 " is %s, expected %s", text(n), i + 1,
                     kid->type->text, letter_text(letter, n));
        good = false;
    }
    return good;
}

/* Result types */

static void expect_type(verifier *v, const ir_node *n, const cpl_type *wanted)
{
    if (n->type != wanted)
        verify_error(v, n->span, "%s: has the type %s, expected %s", text(n), n->type->text,
                     wanted->text);
}

/* Compared before it is made, as types are found by their text. */
static void expect_pointer(verifier *v, const ir_node *n, const cpl_type *elem, type_space space)
{
    const cpl_type *t = n->type;
    bool plain = t->kind == TYPE_POINTER && !type_has_layout(t);
    if (plain && t->elem == elem && t->space == space) return;
    expect_type(v, n, comp_pointer(v->m->comp, elem, space));
}

static const cpl_type *pointee(const ir_node *n)
{
    const cpl_type *t = n->kids[0]->type;
    return type_is_pointer(t) ? t->elem : NULL;
}

static void check_addr(verifier *v, const ir_node *n)
{
    check_var(v, n, n->var, "variable");
    type_space space = n->var && n->var->local ? SPACE_LOCAL : SPACE_PRIVATE;
    if (n->var) expect_pointer(v, n, n->var->type, space);
}

static void check_item(verifier *v, const ir_node *n)
{
    const cpl_type *p = n->kids[0]->type;
    if (!type_is_array(p->elem))
        verify_error(v, n->span, "item: operand 1 is %s, expected a pointer to a fixed array",
                     p->text);
    else expect_pointer(v, n, p->elem->elem, p->space);
}

static void check_field(verifier *v, const ir_node *n)
{
    const cpl_type *p = n->kids[0]->type;
    if (!type_is_struct(p->elem))
        verify_error(v, n->span, "field: operand 1 is %s, expected a pointer to a struct", p->text);
    else if (n->field >= p->elem->field_count)
        verify_error(v, n->span, "field: %s has no field %" PRIu32, p->elem->text, n->field);
    else expect_pointer(v, n, p->elem->fields[n->field].type, p->space);
}

static void check_type_attribute(verifier *v, const ir_node *n)
{
    const cpl_type *from = n->kids[0]->type;
    switch (n->op) {
    case IR_PTRCAST:
        if (!type_is_pointer(n->type))
            verify_error(v, n->span, "ptrcast: %s is no pointer type", n->type->text);
        break;
    case IR_CONVERT:
        if (!type_is_scalar(n->type))
            verify_error(v, n->span, "convert: %s is no scalar type", n->type->text);
        break;
    case IR_RAWCONVERT:
        if (!type_is_int(n->type))
            verify_error(v, n->span, "rawconvert: %s is no integer type", n->type->text);
        break;
    default: /* bits */
        if (!type_is_scalar(n->type) || type_is_bool(n->type) || type_is_bool(from) ||
            n->type->size != from->size)
            verify_error(v, n->span, "bits: %s and %s are not scalars of one size", from->text,
                         n->type->text);
    }
}

/* A value that load, store or an assignment moves. */
static void check_moved(verifier *v, const ir_node *n, const cpl_type *t)
{
    if (type_is_array(t))
        verify_error(v, n->span, "%s: %s is not moved whole; use item", text(n), t->text);
    else if (t->size > MOST_VALUE_BYTES)
        verify_error(v, n->span, "%s: a %s of %zu bytes is too large to be moved whole: %d at most",
                     text(n), t->text, t->size, MOST_VALUE_BYTES);
}

static bool known_order(const ir_node *n)
{
    return (unsigned)n->order < IR_ORDER_COUNT && (unsigned)n->scope < IR_SCOPE_COUNT;
}

static void check_order(verifier *v, const ir_node *n)
{
    if (!known_order(n)) {
        verify_error(v, n->span, "%s: unknown memory order or scope", text(n));
        return;
    }
    bool bad = (n->op == IR_ATOMIC_LOAD && (n->order == IR_RELEASE || n->order == IR_ACQ_REL)) ||
               (n->op == IR_ATOMIC_STORE && (n->order == IR_ACQUIRE || n->order == IR_ACQ_REL)) ||
               (n->op == IR_FENCE && n->order == IR_RELAXED);
    if (bad) verify_error(v, n->span, "%s: cannot be %s", text(n), ir_order_text[n->order]);
}

static void check_atomic(verifier *v, const ir_node *n)
{
    const cpl_type *t = pointee(n);
    ir_op plain = ir_plain_op(n->op);
    bool bits_only = plain != IR_OP_COUNT && ir_op_kind(plain) == IR_KIND_BITWISE;
    bool fits =
        (type_is_int(t) && t->size >= 4) || (!bits_only && type_is_float(t) && t->size >= 4);
    if (!fits)
        verify_error(v, n->span, "%s: %s has no such atomic, expected %s of 32 or 64 bits", text(n),
                     t->text, bits_only ? "an integer" : "an integer or a float");
    check_order(v, n);
}

static void check_call(verifier *v, const ir_node *n)
{
    const ir_func *f = n->func;
    if (!f || f->user != v->m) {
        verify_error(v, n->span, "call: the function is not of this module");
        return;
    }
    if (f->kernel) {
        verify_error(v, n->span, "call: '%s' is a kernel, which only a launch runs", f->name);
        return;
    }
    if (f->params.n != n->kid_count) {
        verify_error(v, n->span, "call: '%s' has %" PRIu32 " parameter%s, not %u", f->name,
                     f->params.n, plural(f->params.n), n->kid_count);
        return;
    }
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (n->kids[i]->type != f->params.at[i]->type)
            verify_error(v, n->kids[i]->span,
                         "call: argument %" PRIu32 " of '%s' is %s, expected %s", i + 1, f->name,
                         n->kids[i]->type->text, f->params.at[i]->type->text);
    expect_type(v, n, f->result);
}

/* A variable in local memory is reached through its address: what the group shares is memory. */
static void check_value_of(verifier *v, const ir_node *n)
{
    check_var(v, n, n->var, "variable");
    if (!n->var) return;
    expect_type(v, n, n->var->type);
    check_moved(v, n, n->var->type);
    if (n->var->local)
        verify_error(v, n->span, "var: '%s' is in local memory; use addr", n->var->name);
}

static void check_index(verifier *v, const ir_node *n)
{
    bool wide = n->op == IR_GROUP_ID || n->op == IR_GROUP_COUNT;
    if (ir_ops[n->op].attr == IR_ATTR_DIM && n->dim >= IR_DIMS)
        verify_error(v, n->span, "%s: unknown dimension %" PRIu32, text(n), n->dim);
    expect_type(v, n, comp_scalar(v->m->comp, wide ? CPL_INT64 : CPL_INT32));
}

static void check_vcopy(verifier *v, const ir_node *n)
{
    const cpl_type *to = pointee(n), *from = n->kids[1]->type->elem;
    if (to != from || !type_is_scalar(to))
        verify_error(v, n->span, "vcopy: %s and %s do not point to the same scalar type",
                     n->kids[0]->type->text, n->kids[1]->type->text);
    if (!ir_lanes_fit(n->lanes))
        verify_error(v, n->span, "vcopy: %" PRIu32 " elements are no vector", n->lanes);
}

/* What a misaligned place is good for: to be read, written, and stepped into. */
static bool takes_misaligned(const ir_node *n, uint32_t kid)
{
    switch (n->op) {
    case IR_LOAD:
    case IR_STORE:
    case IR_CLEAR:
    case IR_FIELD:
    case IR_ITEM: return kid == 0;
    default: return false;
    }
}

static void check_aligned(verifier *v, const ir_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!takes_misaligned(n, i) && is_whole(n->kids[i]) && ir_is_misaligned(n->kids[i]))
            verify_error(v, n->kids[i]->span,
                         "%s: operand %" PRIu32
                         " points to a %s that is aligned to %zu byte%s; it can only "
                         "be read and written",
                         text(n), i + 1, n->kids[i]->type->elem->text, ir_alignment(n->kids[i]),
                         plural((int64_t)ir_alignment(n->kids[i])));
}

/* The RESULT column, and what single ops demand on top. The operands are known to fit their
 * letters. */
static void check_result(verifier *v, const ir_node *n)
{
    switch (ir_ops[n->op].result) {
    case IR_RESULT_SAME: expect_type(v, n, n->kids[0]->type); break;
    case IR_RESULT_BOOL: expect_type(v, n, comp_scalar(v->m->comp, CPL_BOOL)); break;
    case IR_RESULT_ELEM: expect_type(v, n, pointee(n)); break;
    case IR_RESULT_VOID: expect_type(v, n, comp_scalar(v->m->comp, CPL_VOID)); break;
    case IR_RESULT_TYPE: check_type_attribute(v, n); break;
    case IR_RESULT_OWN: break;
    }
}

static void check_const(verifier *v, const ir_node *n)
{
    if (!type_is_scalar(n->type))
        verify_error(v, n->span, "const: %s is no scalar type", n->type->text);
    else if (!type_is_float(n->type) && ir_wrap_to(n->type, n->bits) != n->bits)
        verify_error(v, n->span, "const: the value does not fit %s", n->type->text);
    else if (type_is_float(n->type) && n->number == n->number &&
             ir_round_to(n->type, n->number) != n->number)
        verify_error(v, n->span, "const: the value does not fit %s", n->type->text);
}

static void check_own_rules(verifier *v, const ir_node *n)
{
    switch (ir_op_kind(n->op)) {
    case IR_KIND_ATOMIC: check_atomic(v, n); return;
    case IR_KIND_PLACE:
    case IR_KIND_LANE: check_index(v, n); return;
    case IR_KIND_WORKER: expect_type(v, n, comp_scalar(v->m->comp, CPL_INT64)); return;
    default: break;
    }
    switch (n->op) {
    case IR_CONST: check_const(v, n); break;
    case IR_VAR: check_value_of(v, n); break;
    case IR_BALLOT: expect_type(v, n, comp_scalar(v->m->comp, CPL_UINT64)); break;
    case IR_VCOPY: check_vcopy(v, n); break;
    case IR_COND: expect_type(v, n, n->kids[1]->type); break;
    case IR_ADDR: check_addr(v, n); break;
    case IR_ITEM: check_item(v, n); break;
    case IR_FIELD: check_field(v, n); break;
    case IR_LOAD:
    case IR_STORE: check_moved(v, n, pointee(n)); break;
    case IR_CALL: check_call(v, n); break;
    case IR_FENCE: check_order(v, n); break;
    default: break;
    }
}

static void check_expr(verifier *v, const ir_node *n, bool effect_allowed);

static void check_node(verifier *v, const ir_node *n)
{
    if (!check_operands(v, n)) return;
    check_result(v, n);
    check_own_rules(v, n);
    check_aligned(v, n);
}

/* Below a node; what is missing there the check of the node itself reports. */
static void check_kids(verifier *v, const ir_node *n, bool effect_allowed)
{
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (is_whole(n->kids[i])) check_expr(v, n->kids[i], effect_allowed);
}

static void check_expr(verifier *v, const ir_node *n, bool effect_allowed)
{
    ir_class class_ = ir_ops[n->op].class_;
    if (class_ == IR_CLASS_STMT) verify_error(v, n->span, "%s: a statement, and no value", text(n));
    else if (class_ == IR_CLASS_EFFECT && !effect_allowed)
        verify_error(v, n->span, "%s: stands alone or is the whole right side of an assignment",
                     text(n));
    if (class_ == IR_CLASS_STMT) return;
    check_kids(v, n, false);
    check_node(v, n);
}

/* Statements */

static void check_block(verifier *v, const ir_block *b);

static void check_assign(verifier *v, const ir_node *n)
{
    check_var(v, n, n->var, "variable");
    if (!n->var) return;
    check_moved(v, n, n->var->type);
    if (n->var->local)
        verify_error(v, n->span, "assign: '%s' is in local memory; use store", n->var->name);
    if (n->kids[0]->type != n->var->type)
        verify_error(v, n->kids[0]->span, "assign: the value is %s, expected %s as '%s'",
                     n->kids[0]->type->text, n->var->type->text, n->var->name);
}

static void check_return(verifier *v, const ir_node *n)
{
    if (v->in_parallel) verify_error(v, n->span, "return: not inside a parallel for");
    const cpl_type *wanted = v->f->result;
    if (type_is_void(wanted) ? n->kid_count != 0 : n->kid_count != 1)
        verify_error(v, n->span, "return: %u value%s, but the result is %s", n->kid_count,
                     plural(n->kid_count), wanted->text);
    else if (n->kid_count == 1 && n->kids[0]->type != wanted)
        verify_error(v, n->kids[0]->span, "return: the value is %s, expected %s",
                     n->kids[0]->type->text, wanted->text);
}

static void check_loop_options(verifier *v, const ir_node *n)
{
    const ir_loop *l = n->loop;
    if ((unsigned)l->schedule >= IR_SCHEDULE_COUNT)
        verify_error(v, n->span, "%s: unknown schedule", text(n));
    if (l->chunk < 0 || l->threads < 0) verify_error(v, n->span, "%s: a negative option", text(n));
    if (n->op != IR_PARALLEL_FOR && ((l->reductions.n && !l->independent) || l->privates.n))
        verify_error(v, n->span, "%s: has no reduce and no private", text(n));
    for (uint32_t i = 0; i < l->reductions.n; i++) {
        const ir_reduction *r = &l->reductions.at[i];
        check_var(v, n, r->var, "reduced variable");
        if (!r->var) continue;
        bool bits_only = r->op == IR_AND || r->op == IR_OR || r->op == IR_XOR;
        const cpl_type *t = r->var->type;
        if (!ir_op_reduces(r->op) || (bits_only ? !type_is_int(t) && !type_is_bool(t)
                                                : !type_is_int(t) && !type_is_float(t)))
            verify_error(v, n->span, "%s: '%s' of type %s cannot be reduced so", text(n),
                         r->var->name, t->text);
        if (r->var == l->var) verify_error(v, n->span, "%s: reduces its own variable", text(n));
    }
    for (uint32_t i = 0; i < l->privates.n; i++)
        check_var(v, n, l->privates.at[i], "private variable");
}

/* The body of a loop, whose operands were checked. */
static void check_loop_body(verifier *v, const ir_node *n)
{
    verifier outer = *v;
    uint32_t limit = v->m->comp->max_loops ? v->m->comp->max_loops : LIMIT_LOOPS;
    if (++v->loops > limit && !v->too_deep) {
        diag_error(v->diags, CPL_ELIMIT, n->span,
                   "function '%s': more than %" PRIu32 " loops inside each other", v->f->name,
                   limit);
        v->too_deep = true;
    }
    bool parallel = n->op == IR_PARALLEL_FOR || (n->loop && n->loop->independent);
    v->in_parallel |= parallel;
    v->innermost_is_serial = !parallel;
    if (n->body) check_block(v, n->body);
    else verify_error(v, n->span, "%s: has no body", text(n));
    v->loops = outer.loops;
    v->in_parallel = outer.in_parallel;
    v->innermost_is_serial = outer.innermost_is_serial;
}

static void check_for(verifier *v, const ir_node *n)
{
    if (!n->loop) {
        verify_error(v, n->span, "%s: has no variable", text(n));
        return;
    }
    check_var(v, n, n->loop->var, "variable");
    if (n->loop->var && n->loop->var->local)
        verify_error(v, n->span, "%s: '%s' is in local memory", text(n), n->loop->var->name);
    if (n->loop->var && n->loop->var->type != n->kids[0]->type)
        verify_error(v, n->span, "%s: '%s' is %s, but the bounds are %s", text(n),
                     n->loop->var->name, n->loop->var->type->text, n->kids[0]->type->text);
    check_loop_options(v, n);
    check_loop_body(v, n);
}

/* f(captures: T*, first: int64, end: int64), and maybe worker: int64 */
static void check_fork(verifier *v, const ir_node *n)
{
    const ir_func *f = n->func;
    if (!n->loop || !f || f->user != v->m) {
        verify_error(v, n->span, "fork: the function is not of this module");
        return;
    }
    check_loop_options(v, n);
    bool fits = (f->params.n == 3 || f->params.n == 4) && type_is_void(f->result) && f->body &&
                f->params.at[0]->type == n->kids[0]->type;
    for (uint32_t i = 1; fits && i < f->params.n; i++)
        fits = type_is(f->params.at[i]->type, CPL_INT64);
    if (!fits)
        verify_error(v, n->span,
                     "fork: '%s' does not have the parameters (%s, int64, int64) and no result",
                     f->name, n->kids[0]->type->text);
    if (!type_is(n->kids[1]->type, CPL_INT64))
        verify_error(v, n->kids[1]->span, "fork: operand 2 is %s, expected int64",
                     n->kids[1]->type->text);
}

static void check_printf(verifier *v, const ir_node *n)
{
    if (!n->text) verify_error(v, n->span, "printf: has no format");
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!type_is_scalar(n->kids[i]->type) && !type_is_pointer(n->kids[i]->type))
            verify_error(v, n->kids[i]->span,
                         "printf: argument %" PRIu32 " is %s, expected a scalar", i + 1,
                         n->kids[i]->type->text);
}

static void check_jump(verifier *v, const ir_node *n)
{
    if (v->loops == 0) verify_error(v, n->span, "%s: not inside a loop", text(n));
    else if (n->op == IR_BREAK && !v->innermost_is_serial)
        verify_error(v, n->span, "break: does not leave a parallel for or independent loop");
}

static void check_stmt_rules(verifier *v, const ir_node *n)
{
    switch (n->op) {
    case IR_ASSIGN: check_assign(v, n); break;
    case IR_EVAL:
        if (ir_ops[n->kids[0]->op].class_ != IR_CLASS_EFFECT)
            verify_error(v, n->span, "eval: the value of %s is not used", text(n->kids[0]));
        break;
    case IR_IF:
        if (!n->body) verify_error(v, n->span, "if: has no body");
        if (n->body) check_block(v, n->body);
        if (n->orelse) check_block(v, n->orelse);
        break;
    case IR_WHILE: check_loop_body(v, n); break;
    case IR_FOR:
    case IR_PARALLEL_FOR: check_for(v, n); break;
    case IR_FORK: check_fork(v, n); break;
    case IR_BREAK:
    case IR_CONTINUE: check_jump(v, n); break;
    case IR_RETURN: check_return(v, n); break;
    case IR_PRINTF: check_printf(v, n); break;
    case IR_BARRIER:
        if (n->space != SPACE_LOCAL && n->space != SPACE_GLOBAL)
            verify_error(v, n->span, "barrier: orders local or global memory, no other");
        if (v->in_parallel) verify_error(v, n->span, "barrier: not inside a parallel for");
        break;
    case IR_FAULT:
        if (n->kid_count > 4 || (n->kid_count == 4 && !type_is_int(n->kids[3]->type)))
            verify_error(v, n->span, "fault: behind the extent is one round, an integer");
        if (n->site >= v->m->sites.n)
            verify_error(v, n->span, "fault: unknown site %" PRIu32, n->site);
        break;
    default: check_own_rules(v, n);
    }
}

/* eval takes calls without a result, whose "value" no letter fits. */
static bool operands_fit(verifier *v, const ir_node *n)
{
    return n->op == IR_EVAL ? check_count(v, n) : check_operands(v, n);
}

static void check_stmt(verifier *v, const ir_node *n)
{
    if (!is_whole(n) || ir_ops[n->op].class_ != IR_CLASS_STMT) {
        verify_error(v, n ? n->span : v->f->span, "%s: stands alone but is no statement",
                     is_whole(n) ? text(n) : "a missing node");
        return;
    }
    bool takes_effect = n->op == IR_ASSIGN || n->op == IR_EVAL;
    check_kids(v, n, takes_effect);
    if (!operands_fit(v, n)) return;
    check_result(v, n);
    check_stmt_rules(v, n);
    check_aligned(v, n);
}

static void check_block(verifier *v, const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) check_stmt(v, b->at[i]);
}

/* Functions */

static void check_declared(verifier *v, ir_var *var, bool is_param)
{
    const cpl_type *t = var->type;
    if (!t || type_is_void(t) || (type_is_pointer(t) && type_has_layout(t)))
        verify_error(v, var->span, "variable '%s' cannot be %s", var->name,
                     t ? t->text : "without a type");
    else if (is_param && type_is_array(t))
        verify_error(v, var->span, "parameter '%s' cannot be an array; pass a pointer", var->name);
    else if (is_param && t->size > MOST_VALUE_BYTES)
        verify_error(v, var->span, "parameter '%s' of type %s is too large; pass a pointer",
                     var->name, t->text);
    if (var->local && (is_param || !v->f->kernel))
        verify_error(v, var->span, "'%s' cannot be local: only variables of a kernel are",
                     var->name);
    if (var->is_param != is_param)
        verify_error(v, var->span, "variable '%s' is in the wrong list", var->name);
    var->user = (void *)v->f;
}

static void check_extent(verifier *v, const ir_var *var)
{
    const ir_var *e = var->extent;
    if (!e || e == ir_param_of(v->f, PARAM_LENGTH, var)) return; /* see check_role */
    if (!type_is_pointer(var->type))
        verify_error(v, var->span, "variable '%s' has an extent but is no pointer", var->name);
    if (!verify_has_var(v->f, e) || !type_is(e->type, CPL_INT64))
        verify_error(v, var->span, "the extent '%s' of '%s' is no int64 variable of this function",
                     e->name, var->name);
}

/* In the words of who wrote the source: what lowering made of a function has its name up to a dot,
 * and one report says enough of what several copies of it have. */
static void refuse_frame(verifier *v, const ir_func *f, const ir_var *largest)
{
    if (v->frame_reported) return;
    v->frame_reported = true;
    diag *d = diag_error(v->diags, CPL_ELIMIT, largest->span.file ? largest->span : f->span,
                         "'%.*s' has more than %d bytes of matrices and structs of its own, '%s' "
                         "the most of them",
                         (int)strcspn(f->name, "."), f->name, MOST_FRAME_BYTES,
                         largest->spelling ? largest->spelling : largest->name);
    diag_hint(v->diags, d, "pass an array for it");
}

static void check_vars(verifier *v, ir_func *f)
{
    map names = {0};
    uint64_t bytes = 0;
    const ir_var *largest = NULL;
    for (uint32_t i = 0; i < f->params.n + f->vars.n; i++) {
        bool is_param = i < f->params.n;
        ir_var *var = is_param ? f->params.at[i] : f->vars.at[i - f->params.n];
        check_declared(v, var, is_param);
        if (map_get(&names, var->name))
            verify_error(v, var->span, "two variables are called '%s'", var->name);
        map_put(&v->m->comp->arena, &names, var->name, var);
        if (!var->type) continue;
        if (bytes <= MOST_FRAME_BYTES) bytes += var->type->size;
        if (!largest || var->type->size > largest->type->size) largest = var;
    }
    if (bytes > MOST_FRAME_BYTES) refuse_frame(v, f, largest);
    for (uint32_t i = 0; i < f->params.n; i++) check_extent(v, f->params.at[i]);
    for (uint32_t i = 0; i < f->vars.n; i++) check_extent(v, f->vars.at[i]);
    verify_roles(v, f);
}

static void check_header(verifier *v, const ir_func *f)
{
    if (!f->result || type_is_array(f->result) || f->result->size > MOST_VALUE_BYTES)
        verify_error(v, f->span, "cannot have the result %s",
                     f->result ? f->result->text : "of no type");
    if (f->linkage == IR_EXTERN && f->body) verify_error(v, f->span, "is extern but has a body");
    if (f->linkage != IR_EXTERN && !f->body) verify_error(v, f->span, "has no body");
    if (f->pure && f->linkage != IR_EXTERN) verify_error(v, f->span, "is pure but not extern");
    if (f->elementwise &&
        (f->linkage != IR_ENTRY || f->params.n == 0 || f->params.at[0]->role != PARAM_COUNT ||
         !type_is_int(f->params.at[0]->type) || !type_is_void(f->result)))
        verify_error(
            v, f->span,
            "is elementwise, so it is an entry with an integer first parameter and no result");
}

static void check_kernel(verifier *v, const ir_func *f)
{
    if (!f->kernel) return;
    if (f->linkage == IR_EXTERN || !type_is_void(f->result))
        verify_error(v, f->span, "is a kernel, so it has a body and no result");
}

/* The next parameter from *i on that is the caller's (PARAM_ARG) or has the role; NULL: none. */
static const ir_var *next_given(const ir_func *f, param_role role, uint32_t *i)
{
    while (*i < f->params.n && f->params.at[*i]->role != role) ++*i;
    return *i < f->params.n ? f->params.at[(*i)++] : NULL;
}

/* Whether two kernels have parameters of the same types with a role. */
static bool same_given(const ir_func *f, const ir_func *g, param_role role)
{
    const ir_var *a, *b;
    uint32_t i = 0, k = 0;
    do {
        a = next_given(f, role, &i);
        b = next_given(g, role, &k);
        if (!a != !b || (a && a->type != b->type)) return false;
    } while (a);
    return true;
}

static bool stands_before(const ir_module *m, const ir_func *f, const ir_func *other)
{
    uint32_t i = 0;
    while (i < m->funcs.n && m->funcs.at[i] != f && m->funcs.at[i] != other) i++;
    return i < m->funcs.n && m->funcs.at[i] == f;
}

/* Two kernels of one plan. */
static void check_after(verifier *v, const ir_func *f)
{
    const ir_func *g = f->after;
    if (!g) return;
    if (!f->kernel || f->elementwise || !g->kernel || g->elementwise || g->after ||
        f->linkage != IR_ENTRY || g->linkage != IR_ENTRY || !stands_before(v->m, g, f))
        verify_error(
            v, f->span,
            "comes after '%s'; both are to be entries and kernels that are not elementwise, the "
            "second behind the first, which comes after none",
            g->name);
    else if (!same_given(f, g, PARAM_ARG) || !same_given(f, g, PARAM_PARTS))
        verify_error(v, f->span, "comes after '%s', whose arguments or parts are of other types",
                     g->name);
}

static void check_func(verifier *v, ir_func *f)
{
    v->f = f;
    check_header(v, f);
    if (!f->result) return;
    check_kernel(v, f);
    check_after(v, f);
    check_vars(v, f);
    if (f->body) check_block(v, f->body);
    v->f = NULL;
}

static void check_names(verifier *v)
{
    map names = {0};
    for (uint32_t i = 0; i < v->m->funcs.n; i++) {
        ir_func *f = v->m->funcs.at[i];
        if (map_get(&names, f->name))
            verify_error(v, f->span, "two functions are called '%s'", f->name);
        map_put(&v->m->comp->arena, &names, f->name, f);
    }
}

/* Limits: of each entry with what it calls, or of the whole module where there is no entry. */

typedef struct counter {
    VEC(ir_func *) todo;
    arena *arena;
    uint32_t *stamps; /* by position in the module: the last entry that reached it */
    uint32_t stamp;
    uint64_t size;
} counter;

typedef struct func_facts {
    uint32_t size, position;
} func_facts;

static void count_func(counter *c, ir_func *f)
{
    func_facts *facts = f->user;
    if (c->stamps[facts->position] == c->stamp) return;
    c->stamps[facts->position] = c->stamp;
    c->size += facts->size;
    vec_push(c->arena, &c->todo, f);
}

static bool count_callee(void *user, ir_node *n)
{
    if ((n->op == IR_CALL || n->op == IR_FORK) && n->func) count_func(user, n->func);
    return true;
}

static bool too_large(counter *c, ir_func *entry, uint32_t limit)
{
    c->size = 0;
    c->stamp++;
    c->todo.n = 0;
    count_func(c, entry);
    while (c->todo.n > 0 && c->size <= limit) {
        ir_func *f = c->todo.at[--c->todo.n];
        if (f->body) ir_walk_block(f->body, count_callee, c);
    }
    return c->size > limit;
}

static void check_size(ir_module *m, diag_list *diags)
{
    arena *a = &m->comp->arena;
    uint32_t limit = m->comp->max_ops ? m->comp->max_ops : LIMIT_OPS;
    uint64_t all = 0;
    func_facts *facts = arena_array(a, m->funcs.n, sizeof *facts);
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        facts[i] = (func_facts){ir_func_size(m->funcs.at[i]), i};
        m->funcs.at[i]->user = &facts[i];
        all += facts[i].size;
    }
    ir_func *culprit = all > limit && !ir_entry(m) ? m->funcs.at[0] : NULL;
    if (all > limit && !culprit) { /* else no entry can be too large */
        counter c = {.arena = a, .stamps = arena_array(a, m->funcs.n, sizeof(uint32_t))};
        for (uint32_t i = 0; i < m->funcs.n && !culprit; i++)
            if (m->funcs.at[i]->linkage == IR_ENTRY && too_large(&c, m->funcs.at[i], limit))
                culprit = m->funcs.at[i];
    }
    if (culprit)
        diag_error(diags, CPL_ELIMIT, culprit->span,
                   "function '%s' and what it calls have more than %" PRIu32 " ops", culprit->name,
                   limit);
}

/* The scratch of variables and functions says where they belong while the verifier runs, and is
 * clear afterwards. */
static void clear_scratch(ir_module *m)
{
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        f->user = NULL;
        for (uint32_t j = 0; j < f->params.n; j++) f->params.at[j]->user = NULL;
        for (uint32_t j = 0; j < f->vars.n; j++) f->vars.at[j]->user = NULL;
    }
}

bool ir_verify(ir_module *m, const char *where)
{
    diag_list *diags = &m->comp->diags;
    uint32_t errors = diags->errors;
    verifier v = {.m = m, .diags = diags, .where = where};
    clear_scratch(m);
    check_names(&v);
    for (uint32_t i = 0; i < m->funcs.n; i++) m->funcs.at[i]->user = m;
    for (uint32_t i = 0; i < m->funcs.n; i++) check_func(&v, m->funcs.at[i]);
    if (diags->errors == errors) check_size(m, diags);
    clear_scratch(m);
    return diags->errors == errors;
}
