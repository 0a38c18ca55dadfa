/* Statements, but for assignments and loops. */
#include "lib/lower/lower_int.h"

static ir_block *list_block(lower *l, const ast_list *list)
{
    ir_block *before = lower_enter(l);
    lower_stmts(l, list);
    return lower_leave(l, before);
}

static void if_statement(lower *l, const ast_node *s)
{
    ir_node *c = lower_cond(l, s->kids[0]);
    ir_block *then = list_block(l, s->body);
    ir_block *orelse = s->orelse && s->orelse->n ? list_block(l, s->orelse) : NULL;
    lower_emit(l, ir_if(l->m, c, then, orelse, s->span));
}

static void expression_statement(lower *l, const ast_node *s)
{
    const ast_node *e = s->kids[0];
    if (e->kind == AST_STRING) return; /* documentation */
    ir_node *effect = lower_effect(l, e);
    if (effect) {
        l->effects++;
        lower_emit(l, ir_eval(l->m, effect, s->span));
    } else {
        lower_expr(l, e);
    }
}

static void return_statement(lower *l, const ast_node *s)
{
    ir_node *value = NULL;
    bool given = s->kid_count && s->kids[0]->kind != AST_NONE;
    if (given && type_is_void(l->sf->types[s->kids[0]->id])) expression_statement(l, s);
    else if (given) value = lower_expr(l, s->kids[0]);
    if (l->result && value) {
        value = lower_convert(l, value, l->result->type->elem, s->span);
        lower_emit(l, ir_op2(l->m, IR_STORE, ir_use(l->m, l->result, s->span), value, s->span));
    }
    if (type_is_void(l->f->result)) value = NULL; /* what had to run has become statements */
    else if (!value) value = ir_zero(l->m, l->f->result, s->span);
    else value = lower_convert(l, value, l->f->result, s->span);
    lower_emit(l, ir_return(l->m, value, s->span));
}

/* Without bounds_check nothing of an assertion may run, also not the calls it makes. */
static void assertion(lower *l, const ast_node *s)
{
    ir_block *before = lower_enter(l);
    ir_node *n = ir_op1(l->m, IR_ASSERT, lower_cond(l, s->kids[0]), s->span);
    if (s->kid_count > 1 && s->kids[1]->kind == AST_STRING) n->text = s->kids[1]->text;
    ir_block *block = lower_leave(l, before);
    if (block->n && !l->p->bounds_check) return;
    for (uint32_t i = 0; i < block->n; i++) lower_emit(l, block->at[i]);
    lower_emit(l, n);
}

static void break_statement(lower *l, const ast_node *s)
{
    if (l->loop->broke)
        lower_emit(l, ir_assign(l->m, l->loop->broke, ir_int(l->m, l->type_bool, 1, s->span),
                                s->span));
    lower_emit(l, ir_op_new(l->m, IR_BREAK, NULL, 0, s->span));
}

static void statement(lower *l, const ast_node *s)
{
    switch (s->kind) {
    case AST_ASSIGN: lower_assignment(l, s); break;
    case AST_AUGASSIGN: lower_augmented(l, s); break;
    case AST_ANNASSIGN: lower_annotated(l, s); break;
    case AST_EXPR: expression_statement(l, s); break;
    case AST_RETURN: return_statement(l, s); break;
    case AST_IF: if_statement(l, s); break;
    case AST_WHILE: lower_while(l, s); break;
    case AST_FOR:
        if (l->sf->parallel[s->id]) lower_prange(l, s);
        else lower_for(l, s);
        break;
    case AST_WITH: lower_stmts(l, s->body); break; /* nogil, parallel */
    case AST_ASSERT: assertion(l, s); break;
    case AST_BREAK: break_statement(l, s); break;
    case AST_CONTINUE: lower_emit(l, ir_op_new(l->m, IR_CONTINUE, NULL, 0, s->span)); break;
    default: break; /* pass */
    }
}

void lower_stmts(lower *l, const ast_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) statement(l, list->at[i]);
}
