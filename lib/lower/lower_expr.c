/* Expressions: each becomes a tree without side effects, behind the statements it needs. */
#include "lib/lower/lower_int.h"

void lower_operands(lower *l, ast_node *const *kids, uint32_t n, ir_node **out)
{
    for (uint32_t i = 0; i < n; i++) {
        ir_block *at = l->block;
        uint32_t position = at->n, effects = l->effects;
        out[i] = lower_expr(l, kids[i]);
        if (l->effects != effects) lower_save(l, at, position, out, i);
    }
}

ir_node *lower_expr_as(lower *l, const ast_node *e, const cpl_type *type)
{
    return lower_convert(l, lower_expr(l, e), type, e->span);
}

/* An arm that is evaluated only sometimes, in a block of its own. */
typedef struct arm {
    ir_block *block; /* statements that the value needs */
    ir_node *value;
} arm;

static arm value_arm(lower *l, const ast_node *e, const cpl_type *type)
{
    ir_block *before = lower_enter(l);
    ir_node *value = lower_expr_as(l, e, type);
    return (arm){lower_leave(l, before), value};
}

static void assign_in(lower *l, const arm *a, lower_var *v, cpl_span span)
{
    ir_block *before = l->block;
    l->block = a->block;
    lower_assign_var(l, v, a->value, span);
    l->block = before;
}

/* cond(c, a, b), or an if statement where an arm needs statements. */
static ir_node *choose(lower *l, ir_node *c, arm a, arm b, cpl_span span)
{
    if (a.block->n == 0 && b.block->n == 0) return ir_op3(l->m, IR_COND, c, a.value, b.value, span);
    lower_var *t = lower_var_new(l, "t", a.value->type, false, span);
    assign_in(l, &a, t, span);
    assign_in(l, &b, t, span);
    lower_emit(l, ir_if(l->m, c, a.block, b.block, span));
    return ir_use(l->m, t->var, span);
}

static ir_node *ternary(lower *l, const ast_node *e)
{
    const cpl_type *type = lower_type_of(l, e);
    ir_node *c = lower_cond(l, e->kids[0]);
    arm a = value_arm(l, e->kids[1], type), b = value_arm(l, e->kids[2], type);
    return choose(l, c, a, b, e->span);
}

/* and, or */

static ir_node *bool_rest(lower *l, const ast_node *e, uint32_t first)
{
    ir_node *c = lower_cond(l, e->kids[first]);
    if (first + 1 == e->kid_count) return c;
    ir_block *before = lower_enter(l);
    ir_node *value = bool_rest(l, e, first + 1);
    arm rest = {lower_leave(l, before), value};
    arm decided = {ir_block_new(l->m), ir_int(l->m, l->type_bool, e->op == TOK_OR, e->span)};
    return e->op == TOK_AND ? choose(l, c, rest, decided, e->span)
                            : choose(l, c, decided, rest, e->span);
}

/* The operand that decides, in the type of all: a and b is `b if a else a`. */
static ir_node *deciding_rest(lower *l, const ast_node *e, uint32_t first, const cpl_type *type)
{
    ir_node *own = lower_expr(l, e->kids[first]);
    if (type_is_struct(type)) own = lower_convert(l, own, type, e->span);
    if (first + 1 == e->kid_count) return lower_convert(l, own, type, e->span);
    own = lower_pin(l, own);
    ir_node *c = lower_truth(l, own, e->kids[first]->span);
    ir_block *before = lower_enter(l);
    ir_node *value = deciding_rest(l, e, first + 1, type);
    arm rest = {lower_leave(l, before), value};
    arm decided = {ir_block_new(l->m), lower_convert(l, ir_copy(l->m, own), type, e->span)};
    return e->op == TOK_AND ? choose(l, c, rest, decided, e->span)
                            : choose(l, c, decided, rest, e->span);
}

static ir_node *boolop(lower *l, const ast_node *e)
{
    const cpl_type *type = lower_type_of(l, e);
    return type_is_bool(type) ? bool_rest(l, e, 0) : deciding_rest(l, e, 0, type);
}

/* comparisons */

static ir_op compare_op(token_kind op)
{
    switch (op) {
    case TOK_LT: return IR_LT;
    case TOK_LE: return IR_LE;
    case TOK_GT: return IR_GT;
    case TOK_GE: return IR_GE;
    case TOK_NE:
    case TOK_NOT: return IR_NE; /* is not */
    default: return IR_EQ;      /* == and is */
    }
}

/* a is signed, b uint64: what is negative is less than b, whatever b is. */
static ir_node *compare_signs(lower *l, ir_op op, ir_node *a, ir_node *b, cpl_span span)
{
    a = lower_pin(l, a);
    bool holds_below = op == IR_LT || op == IR_LE || op == IR_NE;
    ir_node *zero = ir_int(l->m, a->type, 0, span);
    ir_node *sign = ir_op2(l->m, holds_below ? IR_LT : IR_GE, ir_copy(l->m, a), zero, span);
    ir_node *rest = ir_op2(l->m, op, lower_convert(l, ir_copy(l->m, a), b->type, span), b, span);
    return ir_op2(l->m, holds_below ? IR_OR : IR_AND, sign, rest, span);
}

/* The one that holds for b and a where op holds for a and b. */
static ir_op turned(ir_op op)
{
    switch (op) {
    case IR_LT: return IR_GT;
    case IR_LE: return IR_GE;
    case IR_GT: return IR_LT;
    case IR_GE: return IR_LE;
    default: return op;
    }
}

static ir_node *compare_pair(lower *l, token_kind op, ir_node *a, ir_node *b, cpl_span span)
{
    ir_op how = compare_op(op);
    if (type_is_signed(a->type) && type_is(b->type, CPL_UINT64))
        return compare_signs(l, how, a, b, span);
    if (type_is(a->type, CPL_UINT64) && type_is_signed(b->type))
        return compare_signs(l, turned(how), b, a, span);
    if (a->type != b->type) {
        const cpl_type *type = sema_common(l->comp, a->type, b->type);
        a = lower_convert(l, a, type, span);
        b = lower_convert(l, b, type, span);
    }
    return ir_op2(l->m, how, a, b, span);
}

/* a < b < c is `a < b and b < c` with b evaluated once, c only if the first holds. left is what
 * stands before operand `second`. */
static ir_node *compare_rest(lower *l, const ast_node *e, ir_node *left, uint32_t second)
{
    ir_block *at = l->block;
    uint32_t position = at->n, effects = l->effects;
    ir_node *right = lower_expr(l, e->kids[second]);
    if (l->effects != effects) lower_save(l, at, position, &left, 1);
    token_kind op = e->ops[second - 1];
    if (second + 1 == e->kid_count) return compare_pair(l, op, left, right, e->span);
    if (right->op != IR_CONST) right = lower_pin(l, right);
    ir_node *c = compare_pair(l, op, left, right, e->span);
    ir_block *before = lower_enter(l);
    ir_node *value = compare_rest(l, e, ir_copy(l->m, right), second + 1);
    arm rest = {lower_leave(l, before), value};
    arm decided = {ir_block_new(l->m), ir_int(l->m, l->type_bool, 0, e->span)};
    return choose(l, c, rest, decided, e->span);
}

/* operators */

static bool exponent_value(const lower *l, const ast_node *e, int64_t *value)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    if (ref->kind != REF_CONST || type_is_float(ref->constant.type)) return false;
    *value = (int64_t)ref->constant.bits;
    return true;
}

static ir_node *product(lower *l, const ir_node *a, const ir_node *b, cpl_span span)
{
    return ir_op2(l->m, IR_MUL, ir_copy(l->m, a), ir_copy(l->m, b), span);
}

/* base ** exponent by repeated squaring; each square is a temporary. */
static ir_node *power_by_squaring(lower *l, ir_node *base, int64_t exponent, cpl_span span)
{
    if (exponent == 0)
        return lower_convert(l, ir_int(l->m, l->type_i32, 1, span), base->type, span);
    ir_node *square = base, *result = NULL;
    for (uint64_t rest = (uint64_t)exponent;; rest >>= 1) {
        if (square->op != IR_CONST && rest != 1) square = lower_pin(l, square);
        if (rest & 1) result = result ? product(l, result, square, span) : square;
        if (rest <= 1) return ir_copy(l->m, result);
        square = product(l, square, square, span);
    }
}

static ir_node *power(lower *l, const cpl_type *type, ir_node *a, ir_node *b,
                      const ast_node *exponent, cpl_span span)
{
    int64_t k;
    bool literal = exponent_value(l, exponent, &k);
    if (literal && k >= 0 && (type_is_int(type) || (k >= 2 && k <= 4)))
        return power_by_squaring(l, a, k, span);
    return ir_op2(l->m, IR_POW, a, b, span);
}

static ir_op binary_op(token_kind op)
{
    switch (op) {
    case TOK_ADD: return IR_ADD;
    case TOK_SUB: return IR_SUB;
    case TOK_MUL: return IR_MUL;
    case TOK_DIV: return IR_DIV;
    case TOK_FLOORDIV: return IR_FLOORDIV;
    case TOK_MOD: return IR_FLOORMOD;
    case TOK_SHL: return IR_SHL;
    case TOK_SHR: return IR_SHR;
    case TOK_BITAND: return IR_AND;
    case TOK_BITOR: return IR_OR;
    default: return IR_XOR; /* ^; sema refuses @ */
    }
}

ir_node *lower_binary(lower *l, token_kind op, const cpl_type *type, ir_node *a, ir_node *b,
                      const ast_node *exponent, cpl_span span)
{
    if (type_is_struct(type)) return lower_vector_binary(l, op, type, a, b, exponent, span);
    a = lower_convert(l, a, type, span);
    b = lower_convert(l, b, type, span);
    if (op == TOK_POW) return power(l, type, a, b, exponent, span);
    return ir_op2(l->m, binary_op(op), a, b, span);
}

static ir_node *binary(lower *l, const ast_node *e)
{
    ir_node *v[2];
    lower_operands(l, e->kids, 2, v);
    return lower_binary(l, e->op, lower_type_of(l, e), v[0], v[1], e->kids[1], e->span);
}

static ir_node *unary(lower *l, const ast_node *e)
{
    bool inverts = e->op == TOK_BITNOT && type_is_bool(lower_type_of(l, e));
    if (e->op == TOK_NOT || inverts) return lower_not(l, lower_cond(l, e->kids[0]), e->span);
    const cpl_type *type = lower_type_of(l, e);
    ir_op op = e->op == TOK_BITNOT ? IR_NOT : IR_NEG;
    if (type_is_struct(type) && e->op != TOK_ADD)
        return lower_vector_unary(l, op, type, lower_expr(l, e->kids[0]), e->span);
    ir_node *a = lower_expr_as(l, e->kids[0], type);
    if (e->op == TOK_ADD) return a;
    return ir_op1(l->m, op, a, e->span);
}

/* leaves */

static ir_node *name(lower *l, const ast_node *e)
{
    lower_var *v = l->sf->refs[e->id].var->user;
    if (v->by_pointer) return ir_op1(l->m, IR_LOAD, ir_use(l->m, v->var, e->span), e->span);
    if (type_is_array(v->var->type)) return lower_decay(l, ir_addr(l->m, v->var, e->span), e->span);
    return ir_use(l->m, v->var, e->span);
}

static ir_node *element(lower *l, const ast_node *e)
{
    ir_node *pointer = lower_address(l, e);
    if (type_is_array(pointer->type->elem)) return lower_decay(l, pointer, e->span);
    return ir_op1(l->m, IR_LOAD, pointer, e->span);
}

static ir_node *complex_number(lower *l, const ast_node *e)
{
    const double *parts = l->sf->refs[e->id].parts;
    const cpl_type *type = lower_type_of(l, e), *part = type->fields[0].type;
    return lower_complex(l, type, ir_float(l->m, part, parts[0], e->span),
                         ir_float(l->m, part, parts[1], e->span), e->span);
}

/* The array in x.shape[d] and len(x[i]). */
static const ast_node *shape_of(const ast_node *e)
{
    if (e->kind != AST_CALL) return e->kids[0]->kids[0];
    for (e = e->kids[1]; e->kind == AST_INDEX;) e = e->kids[0];
    return e;
}

/* x.size: the elements of all dimensions. */
static ir_node *size(lower *l, const ast_node *e, uint32_t dims)
{
    ir_node *n = lower_shape(l, lower_expr(l, e->kids[0]), 0, e->span);
    for (uint32_t d = 1; d < dims; d++)
        n = ir_op2(l->m, IR_MUL, n, lower_shape(l, lower_expr(l, e->kids[0]), d, e->span), e->span);
    return n;
}

/* a.real, a.imag of a number that is not complex */
static ir_node *part(lower *l, const ast_node *e, uint32_t imag)
{
    ir_node *n = lower_expr_as(l, e->kids[0], lower_type_of(l, e));
    if (!imag) return n;
    lower_spill(l, n, e->span); /* for what it does */
    return lower_convert(l, ir_int(l->m, l->type_i64, 0, e->span), lower_type_of(l, e), e->span);
}

ir_node *lower_expr(lower *l, const ast_node *e)
{
    const sema_ref *ref = &l->sf->refs[e->id];
    if (ref->kind == REF_CONST || ref->kind == REF_NUMBER)
        return lower_number(l, lower_type_of(l, e), ref->constant, e->span);
    if (ref->kind == REF_SHAPE)
        return lower_shape(l, lower_expr(l, shape_of(e)), ref->dim, e->span);
    if (ref->kind == REF_SIZE) return size(l, e, ref->dim);
    if (ref->kind == REF_PART) return part(l, e, ref->dim);
    if (ref->kind == REF_FUNC && ref->negated)
        return lower_not(l, lower_truth(l, lower_call(l, e), e->span), e->span);
    if (ref->kind == REF_FUNC) return lower_call(l, e);
    if (ref->kind == REF_COMPLEX) return complex_number(l, e);
    if (ref->kind == REF_BUILTIN && (e->kind == AST_NAME || e->kind == AST_ATTRIBUTE))
        return lower_index(l, ref->builtin, e->span);
    switch (e->kind) {
    case AST_NAME: return name(l, e);
    case AST_ATTRIBUTE:
    case AST_INDEX: return element(l, e);
    case AST_CALL: return lower_call(l, e);
    case AST_UNARY: return unary(l, e);
    case AST_BINARY: return binary(l, e);
    case AST_BOOLOP: return boolop(l, e);
    case AST_TUPLE: return lower_tuple(l, e);
    case AST_COMPARE: return compare_rest(l, e, lower_expr(l, e->kids[0]), 1);
    default: return ternary(l, e); /* sema lets no other kind through */
    }
}

ir_node *lower_cond(lower *l, const ast_node *e)
{
    if (l->sf->refs[e->id].kind == REF_CONST)
        return lower_number(l, l->type_bool, l->sf->refs[e->id].constant, e->span);
    if (e->kind == AST_BOOLOP) return bool_rest(l, e, 0);
    if (e->kind == AST_UNARY && e->op == TOK_NOT)
        return lower_not(l, lower_cond(l, e->kids[0]), e->span);
    return lower_truth(l, lower_expr(l, e), e->span);
}
