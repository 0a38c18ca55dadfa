/*
 * Counted loops. Where the step is 1 or -1 the end of the type's range cannot be overstepped:
 *
 *     for (int i = start; i < stop; i++) { ... }
 *
 * Any other step counts the rounds, and so does none of what the body assigns:
 *
 *     int i_next = start;
 *     for (uint i_left = cpl_rounds_int(i_next, stop, step); i_left > 0; i_left--) {
 *         i = i_next;
 *         i_next = (int)((uint)i_next + (uint)step);
 *         ...
 *     }
 */
#include "lib/opencl/ocl_int.h"

/* A bound that may be evaluated in each round. */
static bool is_stable(const ir_node *n, const ir_node *loop)
{
    if (n->op == IR_CONST) return true;
    if (n->op != IR_VAR || ocl_of(n->var)->addressed || n->var == loop->loop->var) return false;
    return !ocl_of(n->var)->assigned || !ir_assigns(loop->body, n->var);
}

/* The bound's text: in a variable of its own where it is not stable. */
static const char *bound(ocl *o, const ir_node *loop, const ir_node *n, const char *name)
{
    if (is_stable(n, loop)) return NULL;
    const char *v =
        ocl_local_name(o, arena_printf(&o->c->arena, "%s_%s", ocl_of(loop->loop->var)->name, name));
    ocl_indent(o);
    sb_printf(o->out, "const %s %s = ", ocl_scalar(o, n->type), v);
    ocl_expr(o, n, PREC_NONE);
    sb_put(o->out, ";\n");
    return v;
}

static void put_bound(ocl *o, const char *saved, const ir_node *n, int prec)
{
    if (saved) sb_put(o->out, saved);
    else ocl_expr(o, n, prec);
}

static void set_variable(ocl *o, const ir_var *v, const char *from)
{
    ocl_line(o, "%s%s%s = %s;", ocl_of(v)->counter ? ocl_scalar(o, v->type) : "",
             ocl_of(v)->counter ? " " : "", ocl_of(v)->name, from);
}

static void end_body(ocl *o, const ir_node *n)
{
    ocl_block(o, n->body);
    o->depth--;
    ocl_line(o, "}");
}

static bool see_float_sum(void *user, ir_node *n)
{
    bool *found = user;
    *found = *found ||
             (type_is_float(n->type) && (n->op == IR_ADD || n->op == IR_SUB || n->op == IR_MUL));
    return !*found;
}

/* In front of a loop: a driver that takes sums in an order of its own where it makes vectors of a
 * loop's rounds is told to make none. It may still make them of work-items. */
void ocl_keep_order(ocl *o, const ir_node *loop)
{
    bool found = false;
    if (o->options->target.ordered_sums || o->options->reassoc) return;
    ir_walk_block(loop->body, see_float_sum, &found);
    if (found) sb_put(o->out, "#pragma clang loop vectorize(disable)\n");
}

static void by_one(ocl *o, const ir_node *n, bool up)
{
    const ir_var *v = n->loop->var;
    const char *stop = bound(o, n, n->kids[1], "stop");
    const char *name =
        ocl_of(v)->counter
            ? ocl_of(v)->name
            : ocl_local_name(o, arena_printf(&o->c->arena, "%s_next", ocl_of(v)->name));
    ocl_keep_order(o, n);
    ocl_indent(o);
    sb_printf(o->out, "for (%s %s = ", ocl_scalar(o, v->type), name);
    ocl_expr(o, n->kids[0], PREC_NONE);
    sb_printf(o->out, "; %s %c ", name, up ? '<' : '>');
    put_bound(o, stop, n->kids[1], PREC_SHIFT);
    sb_printf(o->out, "; %s%s) {\n", name, up ? "++" : "--");
    o->depth++;
    if (!ocl_of(v)->counter) set_variable(o, v, name);
    end_body(o, n);
}

/* next += step, modulo the width */
static void advance(ocl *o, const ir_node *n, const char *next, const char *step)
{
    const cpl_type *t = n->loop->var->type;
    const char *type = ocl_scalar(o, t), *whole = t->size == 8 ? "ulong" : "uint";
    ocl_indent(o);
    sb_printf(o->out, "%s = (%s)((%s)%s + ", next, type, whole, next);
    if (ir_is_const(n->kids[2])) {
        sb_printf(o->out, "%llu%s);\n",
                  (unsigned long long)(t->size == 8 ? n->kids[2]->bits
                                                    : (uint32_t)n->kids[2]->bits),
                  t->size == 8 ? "UL" : "u");
        return;
    }
    sb_printf(o->out, "(%s)", whole);
    put_bound(o, step, n->kids[2], PREC_UNARY);
    sb_put(o->out, ");\n");
}

static void by_rounds(ocl *o, const ir_node *n)
{
    const ir_var *v = n->loop->var;
    arena *a = &o->c->arena;
    const char *type = ocl_scalar(o, v->type);
    const char *step = bound(o, n, n->kids[2], "step");
    const char *next = ocl_local_name(o, arena_printf(a, "%s_next", ocl_of(v)->name));
    const char *left = ocl_local_name(o, arena_printf(a, "%s_left", ocl_of(v)->name));
    ocl_indent(o);
    sb_printf(o->out, "%s %s = ", type, next);
    ocl_expr(o, n->kids[0], PREC_NONE);
    sb_put(o->out, ";\n");
    ocl_keep_order(o, n);
    ocl_indent(o);
    sb_printf(o->out, "for (%s %s = %s(%s, ", v->type->size == 8 ? "ulong" : "uint", left,
              ocl_rounds(o, v->type), next);
    ocl_expr(o, n->kids[1], PREC_COND);
    sb_put(o->out, ", ");
    put_bound(o, step, n->kids[2], PREC_COND);
    sb_printf(o->out, "); %s > 0; %s--) {\n", left, left);
    o->depth++;
    set_variable(o, v, next);
    advance(o, n, next, step);
    end_body(o, n);
}

void ocl_for(ocl *o, const ir_node *n)
{
    int64_t step;
    if (ir_is_int_const(n->kids[2], &step) &&
        (step == 1 || (step == -1 && type_is_signed(n->loop->var->type))))
        by_one(o, n, step == 1);
    else by_rounds(o, n);
}
