/*
 * print: Python's, by printf. Integers are printed as they are; bools as True and False and floats
 * that are whole with ".0" by a branch each, others with as many digits as their type has for
 * certain, 16 or 8. So that branches stay few, a call of many such values becomes several.
 */
#include "lib/lower/lower_int.h"

enum { MOST_BRANCHES = 3 };

typedef struct piece {
    const char *text; /* or */
    ir_node *value;
} piece;

typedef struct printing {
    lower *l;
    piece *pieces;
    uint32_t n;
    ir_node **args; /* of the printf so far */
    cpl_span span;
} printing;

static void print_from(printing *p, uint32_t at, const char *text, uint32_t args);

static const char *escaped(arena *a, const char *text)
{
    const char *done = "";
    for (const char *sign; (sign = strchr(text, '%')); text = sign + 1)
        done = arena_printf(a, "%s%.*s%%%%", done, (int)(sign - text), text);
    return arena_printf(a, "%s%s", done, text);
}

static bool is_branched(const piece *q)
{
    return q->value && (type_is_bool(q->value->type) || type_is_float(q->value->type));
}

static ir_block *arm(printing *p, uint32_t at, const char *text, uint32_t args)
{
    ir_block *before = lower_enter(p->l);
    print_from(p, at, text, args);
    return lower_leave(p->l, before);
}

/* |x| < 1e16 and x == trunc(x); false for NaN. */
static ir_node *is_whole(lower *l, const ir_node *x, cpl_span span)
{
    ir_node *limit = ir_float(l->m, x->type, 1e16, span);
    ir_node *small = ir_op2(l->m, IR_LT, ir_op1(l->m, IR_ABS, ir_copy(l->m, x), span), limit, span);
    ir_node *whole =
        ir_op2(l->m, IR_EQ, ir_op1(l->m, IR_TRUNC, ir_copy(l->m, x), span), ir_copy(l->m, x), span);
    return ir_op2(l->m, IR_AND, small, whole, span);
}

static void print_branched(printing *p, uint32_t at, const char *text, uint32_t args)
{
    lower *l = p->l;
    arena *a = &l->comp->arena;
    const ir_node *x = p->pieces[at].value;
    ir_node *condition = ir_copy(l->m, x);
    const char *yes = "True", *no = "False";
    if (type_is_float(x->type)) {
        condition = is_whole(l, x, p->span);
        yes = "%.1f";
        no = type_is(x->type, CPL_FLOAT64) ? "%.16g" : "%.8g";
        p->args[args++] = lower_convert(l, ir_copy(l->m, x), l->type_f64, p->span);
    }
    ir_block *then = arm(p, at + 1, arena_printf(a, "%s%s", text, yes), args);
    ir_block *orelse = arm(p, at + 1, arena_printf(a, "%s%s", text, no), args);
    lower_emit(l, ir_if(l->m, condition, then, orelse, p->span));
}

static const char *conversion(lower *l, ir_node **value)
{
    const cpl_type *t = (*value)->type;
    if (type_bits(t) == 64) return type_is_unsigned(t) ? "%llu" : "%lld";
    if (type_is_unsigned(t) && type_bits(t) == 32) return "%u";
    *value = lower_convert(l, *value, l->type_i32, (*value)->span);
    return "%d";
}

static void print_from(printing *p, uint32_t at, const char *text, uint32_t args)
{
    lower *l = p->l;
    arena *a = &l->comp->arena;
    for (; at < p->n; at++) {
        piece q = p->pieces[at];
        if (is_branched(&q)) {
            print_branched(p, at, text, args);
            return;
        }
        if (!q.value) {
            text = arena_printf(a, "%s%s", text, escaped(a, q.text));
            continue;
        }
        ir_node *value = ir_copy(l->m, q.value);
        text = arena_printf(a, "%s%s", text, conversion(l, &value));
        p->args[args++] = value;
    }
    if (!*text) return;
    ir_node **own = arena_array(a, args, sizeof *own);
    for (uint32_t i = 0; i < args; i++) own[i] = ir_copy(l->m, p->args[i]);
    ir_node *n = ir_op_new(l->m, IR_PRINTF, own, args, p->span);
    n->text = text;
    lower_emit(l, n);
}

static const char *keyword(const ast_node *e, const char *name, const char *otherwise)
{
    for (uint32_t i = e->kid_count - e->keyword_count; i < e->kid_count; i++)
        if (strcmp(e->kids[i]->name, name) == 0) return e->kids[i]->kids[0]->text;
    return otherwise;
}

/* What is printed, in order, values in temporaries. */
static piece *pieces_of(lower *l, const ast_node *e, uint32_t given, uint32_t *n)
{
    ast_node **kids = arena_array(&l->comp->arena, given, sizeof *kids);
    ir_node **values = arena_array(&l->comp->arena, given, sizeof *values);
    piece *all = arena_array(&l->comp->arena, 2 * given + 1, sizeof *all);
    uint32_t count = 0;
    for (uint32_t i = 1; i <= given; i++)
        if (e->kids[i]->kind != AST_STRING) kids[count++] = e->kids[i];
    lower_operands(l, kids, count, values);
    for (uint32_t i = 0; i < count; i++) values[i] = lower_temp(l, values[i]);
    count = *n = 0;
    for (uint32_t i = 1; i <= given; i++) {
        if (i > 1) all[(*n)++].text = keyword(e, "sep", " ");
        if (e->kids[i]->kind == AST_STRING) all[(*n)++].text = e->kids[i]->text;
        else all[(*n)++].value = values[count++];
    }
    all[(*n)++].text = keyword(e, "end", "\n");
    return all;
}

void lower_print(lower *l, const ast_node *e)
{
    uint32_t n, given = e->kid_count - 1 - e->keyword_count;
    piece *all = pieces_of(l, e, given, &n);
    printing p = {.l = l, .span = e->span};
    p.args = arena_array(&l->comp->arena, n, sizeof *p.args);
    for (uint32_t at = 0; at < n; at += p.n) {
        uint32_t branches = 0;
        p.pieces = all + at;
        for (p.n = 0; at + p.n < n; p.n++) {
            branches += is_branched(&all[at + p.n]);
            if (branches > MOST_BRANCHES) break;
        }
        print_from(&p, 0, "", 0);
    }
    l->effects++;
}
