/* Statements. */
#include "lib/codegen/gen_int.h"

/* Where a struct value lies, so that it can be copied without passing through registers; NULL when
 * it lies nowhere. */
static LLVMValueRef address_of_value(gen *g, const ir_node *n)
{
    if (!gen_is_aggregate(n->type)) return NULL;
    if (n->op == IR_VAR) return n->var->user;
    if (n->op == IR_LOAD) return gen_expr(g, n->kids[0]).v;
    if (n->op == IR_COND && g->traits->copy) return gen_chosen(g, n);
    return NULL;
}

/* memmove, not memcpy: the two may be the same memory, or overlap through cast pointers. */
LLVMValueRef gen_write(gen *g, LLVMValueRef pointer, size_t align, const ir_node *value)
{
    LLVMValueRef from = address_of_value(g, value), store;
    size_t own = value->op == IR_LOAD ? ir_alignment(value->kids[0]) : value->type->align;
    if (from && g->traits->moves)
        return LLVMBuildMemMove(g->b, pointer, (unsigned)align, from, (unsigned)own,
                                gen_int(g->t_i64, value->type->size));
    if (from && g->traits->copy &&
        g->traits->copy(g, (gen_spot){pointer, align}, (gen_spot){from, own}, value->type))
        return NULL;
    store = gen_store(g, pointer, gen_expr(g, value));
    LLVMSetAlignment(store, (unsigned)align);
    return store;
}

/* Sums and products that a loop around collects in any order. */
static bool is_collected(const gen *g, const ir_var *v)
{
    if (!g->reducing || !type_is_float(v->type)) return false;
    for (uint32_t i = 0; i < g->reducing->reductions.n; i++) {
        const ir_reduction *r = &g->reducing->reductions.at[i];
        if (r->var == v) return r->op == IR_ADD || r->op == IR_MUL;
    }
    return false;
}

static bool leads_to(const ir_node *n, const ir_var *v)
{
    if (n->op == IR_VAR) return n->var == v;
    bool combines = n->op == IR_ADD || n->op == IR_SUB || n->op == IR_MUL;
    return combines && (leads_to(n->kids[0], v) || leads_to(n->kids[1], v));
}

/* v + a + b: the operations from v on may be reordered, so that LLVM vectorises loops of the body
 * that do them; those of a and b may not. */
static gen_val collect(gen *g, const ir_node *n, const ir_var *v)
{
    if (n->op == IR_VAR || !leads_to(n, v)) return gen_expr(g, n);
    LLVMValueRef operands[2];
    for (uint32_t i = 0; i < 2; i++) operands[i] = collect(g, n->kids[i], v).v;
    LLVMFastMathFlags own = g->fast;
    g->fast |= LLVMFastMathAllowReassoc;
    gen_val result = {gen_op(g, n, operands), n->type};
    g->fast = own;
    return result;
}

static void assign(gen *g, const ir_node *n)
{
    if (is_collected(g, n->var)) gen_store(g, n->var->user, collect(g, n->kids[0], n->var));
    else gen_write(g, n->var->user, n->var->type->align, n->kids[0]);
}

static void jump(gen *g, const ir_node *n)
{
    if (!g->loop) {
        gen_internal_error(g, n, "outside a loop");
        return;
    }
    LLVMBuildBr(g->b, n->op == IR_BREAK ? g->loop->exit : g->loop->next);
}

static void do_return(gen *g, const ir_node *n)
{
    if (n->kid_count) LLVMBuildRet(g->b, gen_expr(g, n->kids[0]).v);
    else LLVMBuildRetVoid(g->b);
}

static void do_if(gen *g, const ir_node *n)
{
    LLVMValueRef cond = gen_expr(g, n->kids[0]).v;
    LLVMBasicBlockRef then = gen_block_new(g, "then"), join = gen_block_new(g, "endif");
    LLVMBasicBlockRef orelse = n->orelse ? gen_block_new(g, "else") : join;
    LLVMBuildCondBr(g->b, cond, then, orelse);
    gen_at(g, then);
    gen_block(g, n->body);
    gen_br(g, join);
    if (n->orelse) {
        gen_at(g, orelse);
        gen_block(g, n->orelse);
        gen_br(g, join);
    }
    gen_at(g, join);
}

static void do_assume(gen *g, const ir_node *n)
{
    LLVMValueRef cond = gen_expr(g, n->kids[0]).v;
    if (!g->traits->assumes) return;
    gen_intrinsic(g, "llvm.assume", NULL, 0, &cond, 1);
}

static void statement(gen *g, const ir_node *n)
{
    switch (n->op) {
    case IR_ASSIGN: assign(g, n); break;
    case IR_EVAL: gen_expr(g, n->kids[0]); break;
    case IR_STORE: {
        if (gen_fills_table(n)) break;
        LLVMValueRef pointer = gen_expr(g, n->kids[0]).v;
        size_t align = ir_alignment(n->kids[0]);
        gen_in_group(g, gen_write(g, pointer, align, n->kids[1]), n->kids[0]->type);
        break;
    }
    case IR_CLEAR:
        if (gen_fills_table(n)) break;
        gen_clear(g, gen_expr(g, n->kids[0]).v, n->kids[0]->type->elem, ir_alignment(n->kids[0]));
        break;
    case IR_IF: do_if(g, n); break;
    case IR_WHILE: gen_while(g, n); break;
    case IR_FOR: gen_for(g, n); break;
    case IR_FORK: gen_fork(g, n); break;
    case IR_BREAK:
    case IR_CONTINUE: jump(g, n); break;
    case IR_RETURN: do_return(g, n); break;
    case IR_PRINTF: gen_printf(g, n); break;
    case IR_FENCE: gen_fence(g, n); break;
    case IR_NANOSLEEP: gen_nanosleep(g, n); break;
    case IR_VCOPY: gen_vcopy(g, n); break;
    case IR_BARRIER: gen_barrier(g, n); break;
    case IR_ASSERT: break; /* the bounds pass makes checks of them where they are wanted */
    case IR_ASSUME: do_assume(g, n); break;
    case IR_FAULT: gen_fault(g, n); break;
    default:
        if (ir_ops[n->op].class_ == IR_CLASS_EFFECT) gen_expr(g, n);
        else gen_internal_error(g, n, "not accepted here");
    }
}

/* What follows a jump is never reached. */
void gen_block(gen *g, const ir_block *b)
{
    /* what a loop does after its body is on the loop's line */
    gen_place around = gen_debug_save(g);
    for (uint32_t i = 0; i < b->n && !gen_ended(g); i++) {
        gen_debug_at(g, b->at[i]->span);
        statement(g, b->at[i]);
    }
    gen_debug_restore(g, around);
}
