/*
 * Floor division and modulo of floats in operations that targets have, as CPython's and NumPy's
 * divmod (npy_divmod) compute them, step by step: the remainder is fmod's, moved into the
 * divisor's sign; the quotient is made exact from it.
 */
#include "passes/guards_int.h"

static ir_node *copy(guards *g, const ir_node *n)
{
    return ir_copy(g->r.m, n);
}

static ir_node *op2(guards *g, ir_op op, const ir_node *a, const ir_node *b)
{
    return ir_op2(g->r.m, op, copy(g, a), copy(g, b), g->span);
}

static ir_node *number(guards *g, const cpl_type *t, double value)
{
    return ir_float(g->r.m, t, value, g->span);
}

static ir_node *choose(guards *g, ir_node *c, ir_node *a, ir_node *b)
{
    return ir_op3(g->r.m, IR_COND, c, a, b, g->span);
}

/* In a variable whatever its size: it is read several times, and has to stay one value. */
static ir_node *keep(guards *g, ir_node *n, const char *name)
{
    if (n->op == IR_CONST || n->op == IR_VAR) return n;
    ir_var *t = pass_var(g->r.m, g->r.f, &g->r.parallel, name, n->type, g->span);
    pass_emit(&g->r, ir_assign(g->r.m, t, n, g->span));
    return ir_use(g->r.m, t, g->span);
}

/* Whether the remainder is not 0 and has the other sign than the divisor. */
static ir_node *sign_differs(guards *g, const ir_node *rem, const ir_node *b)
{
    ir_node *zero = number(g, b->type, 0);
    ir_node *differ =
        ir_op2(g->r.m, IR_XOR, op2(g, IR_LT, b, zero), op2(g, IR_LT, rem, zero), g->span);
    return ir_op2(g->r.m, IR_AND, op2(g, IR_NE, rem, zero), differ, g->span);
}

static ir_node *floor_mod(guards *g, const ir_node *rem, const ir_node *b)
{
    ir_node *zero = number(g, b->type, 0);
    ir_node *signed_zero = op2(g, IR_COPYSIGN, zero, b);
    ir_node *whole = choose(g, op2(g, IR_EQ, rem, zero), signed_zero, copy(g, rem));
    /* NaN for b = 0 comes from fmod */
    return choose(g, sign_differs(g, rem, b), op2(g, IR_ADD, rem, b), whole);
}

static ir_node *floor_div(guards *g, const ir_node *a, const ir_node *rem, const ir_node *b)
{
    const cpl_type *t = b->type;
    ir_node *zero = number(g, t, 0), *one = number(g, t, 1), *half = number(g, t, 0.5);
    ir_node *plain = keep(g, op2(g, IR_DIV, a, b), "ratio");
    ir_node *near = op2(g, IR_DIV, op2(g, IR_SUB, a, rem), b); /* a whole number, up to rounding */
    near = keep(g, near, "quotient");
    near = keep(g, choose(g, sign_differs(g, rem, b), op2(g, IR_SUB, near, one), copy(g, near)),
                "quotient");
    ir_node *whole = keep(g, ir_op1(g->r.m, IR_FLOOR, copy(g, near), g->span), "whole");
    ir_node *below = ir_op2(g->r.m, IR_GT, op2(g, IR_SUB, near, whole), half, g->span);
    ir_node *rounded = choose(g, below, op2(g, IR_ADD, whole, one), copy(g, whole));
    ir_node *tiny = op2(g, IR_COPYSIGN, zero, plain);
    ir_node *finite = choose(g, op2(g, IR_EQ, near, zero), tiny, rounded);
    return choose(g, op2(g, IR_EQ, b, zero), copy(g, plain), finite);
}

ir_node *guards_floor_float(guards *g, ir_node *n)
{
    ir_module *m = g->r.m;
    const cpl_type *t = n->type;
    /* float16 is computed as float32 */
    const cpl_type *wide = t->dtype == CPL_FLOAT16 ? comp_scalar(m->comp, CPL_FLOAT32) : t;
    ir_node *a = keep(g, ir_convert(m, wide, n->kids[0], g->span), "dividend");
    ir_node *b = keep(g, ir_convert(m, wide, n->kids[1], g->span), "divisor");
    ir_node *rem = keep(g, op2(g, IR_REM, a, b), "remainder");
    ir_node *result = n->op == IR_FLOORMOD ? floor_mod(g, rem, b) : floor_div(g, a, rem, b);
    return ir_convert(m, t, result, g->span);
}
