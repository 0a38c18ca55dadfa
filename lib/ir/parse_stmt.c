/* Statements and function bodies of the text form. After an error reading goes on at the next line
 * of the block. */
#include "lib/ir/ir_int.h"

static ir_block *par_block(ir_parser *p);

/* if = "if" expr block [ "else" block ] */
static ir_node *par_if(ir_parser *p)
{
    uint32_t begin = par_next(p).begin;
    ir_node *cond = par_expr(p);
    if (!cond) return NULL;
    ir_block *then = par_block(p), *orelse = NULL;
    if (!then) return NULL;
    if (par_is_word(p, 0, "else") && par_is(p, 1, '{')) {
        p->at++;
        orelse = par_block(p);
        if (!orelse) return NULL;
    }
    return ir_if(p->m, cond, then, orelse, par_span_from(p, begin));
}

/* while = "while" expr block */
static ir_node *par_while(ir_parser *p)
{
    uint32_t begin = par_next(p).begin;
    ir_node *cond = par_expr(p);
    ir_block *body = cond ? par_block(p) : NULL;
    return body ? ir_while(p->m, cond, body, par_span_from(p, begin)) : NULL;
}

/* schedule = "schedule" "(" name "," number ")" */
static bool schedule_option(ir_parser *p, ir_loop *l)
{
    token t = par_peek(p, 0);
    if (!par_expect(p, TOK_NAME, "static, dynamic or guided")) return false;
    int kind =
        ir_word_find(ir_schedule_text, IR_SCHEDULE_COUNT, p->src->text + t.begin, t.end - t.begin);
    if (kind < 0) par_error(p, t, "'%s' is not static, dynamic or guided", par_text(p, t));
    l->schedule = kind < 0 ? IR_STATIC : (ir_schedule)kind;
    return par_expect(p, ',', "','") && par_int(p, 0, INT64_MAX, &l->chunk);
}

static bool threads_option(ir_parser *p, ir_loop *l)
{
    int64_t threads;
    if (!par_int(p, 0, INT32_MAX, &threads)) return false;
    l->threads = (int32_t)threads;
    return true;
}

/* reduce = "reduce" "(" op name { "," op name } ")" */
static bool reduce_option(ir_parser *p, ir_loop *l)
{
    do {
        token t = par_peek(p, 0);
        if (!par_expect(p, TOK_NAME, "an op to reduce with")) return false;
        ir_reduction r = {ir_op_find(p->src->text + t.begin, t.end - t.begin), NULL};
        if (r.op == IR_OP_COUNT || !ir_op_reduces(r.op)) {
            par_error(p, t, "'%s' does not reduce: add, mul, min, max, and, or, xor do",
                      par_text(p, t));
            r.op = IR_ADD;
        }
        r.var = par_var(p);
        if (!r.var) return false;
        vec_push(&p->c->arena, &l->reductions, r);
    } while (par_take(p, ','));
    return true;
}

/* private = "private" "(" name { "," name } ")" */
static bool private_option(ir_parser *p, ir_loop *l)
{
    do {
        ir_var *v = par_var(p);
        if (!v) return false;
        vec_push(&p->c->arena, &l->privates, v);
    } while (par_take(p, ','));
    return true;
}

/* options = { schedule | "threads" "(" number ")" | reduce | private }, each at most once */
static bool par_options(ir_parser *p, ir_loop *l)
{
    static const struct {
        const char *name;
        bool (*read)(ir_parser *, ir_loop *);
    } options[] = {
        {"schedule", schedule_option},
        {"threads", threads_option},
        {"reduce", reduce_option},
        {"private", private_option},
    };
    unsigned seen = 0;
    while (par_is(p, 0, TOK_NAME) && par_is(p, 1, '(')) {
        unsigned i = 0;
        while (i < COUNT_OF(options) && !par_is_word(p, 0, options[i].name)) i++;
        if (i == COUNT_OF(options)) break; /* the next statement */
        if (seen & 1u << i) par_error(p, par_peek(p, 0), "%s stands here twice", options[i].name);
        seen |= 1u << i;
        p->at += 2;
        if (!options[i].read(p, l) || !par_expect(p, ')', "')'")) return false;
    }
    return true;
}

/* [ "independent" [ reduce ] ] */
static bool independent_option(ir_parser *p, ir_loop *l)
{
    l->independent = par_take_word(p, "independent");
    if (!l->independent || !par_is_word(p, 0, "reduce") || !par_is(p, 1, '(')) return true;
    p->at += 2;
    return reduce_option(p, l) && par_expect(p, ')', "')'");
}

/* for = "for" name "in" "(" expr "," expr "," expr ")" [ "independent" [ reduce ] ] block |
 * "parallel" "for" ... options block */
static ir_node *par_for(ir_parser *p)
{
    token first = par_peek(p, 0);
    ir_op op = par_take_word(p, "parallel") ? IR_PARALLEL_FOR : IR_FOR;
    if (!par_take_word(p, "for")) {
        par_expected(p, "'for'");
        return NULL;
    }
    ir_var *v = par_var(p);
    if (!v) return NULL;
    if (!par_take_word(p, "in")) {
        par_expected(p, "'in'");
        return NULL;
    }
    uint32_t n;
    token open = par_peek(p, 0);
    ir_node **kids = par_operands(p, &n);
    if (!kids) return NULL;
    if (n != 3) {
        par_error(p, open, "a loop has (start, stop, step)");
        return NULL;
    }
    ir_node *loop = ir_for(p->m, op, v, kids[0], kids[1], kids[2], NULL, par_span(p, first));
    if (op == IR_PARALLEL_FOR ? !par_options(p, loop->loop) : !independent_option(p, loop->loop))
        return NULL;
    loop->body = par_block(p);
    loop->span = par_span_from(p, first.begin);
    return loop->body ? loop : NULL;
}

/* fork = "fork" name operands options */
static ir_node *par_fork(ir_parser *p)
{
    uint32_t begin = par_next(p).begin, n;
    token name = par_peek(p, 0);
    ir_func *f = par_func(p);
    ir_node **kids = par_operands(p, &n);
    if (!kids) return NULL;
    if (n != 2) {
        par_error(p, name, "fork has the operands (captures, n)");
        return NULL;
    }
    ir_node *fork = ir_op2(p->m, IR_FORK, kids[0], kids[1], par_span_from(p, begin));
    fork->func = f;
    fork->loop = arena_new(&p->c->arena, ir_loop);
    return par_options(p, fork->loop) ? fork : NULL;
}

/* return = "return" [ expr ], with an expression where the function has a result */
static ir_node *par_return(ir_parser *p)
{
    uint32_t begin = par_next(p).begin;
    ir_node *value = NULL;
    if (!type_is_void(p->func->result)) {
        value = par_expr(p);
        if (!value) return NULL;
    }
    return ir_return(p->m, value, par_span_from(p, begin));
}

static ir_node *par_assign(ir_parser *p)
{
    token name = par_peek(p, 0);
    ir_var *v = par_var(p);
    p->at++; /* = */
    ir_node *value = par_expr(p);
    return value ? ir_assign(p->m, v, value, par_span_from(p, name.begin)) : NULL;
}

static ir_node *op_statement(ir_parser *p)
{
    token name = par_peek(p, 0);
    if (!par_is(p, 1, '(') && !par_is(p, 1, '<')) {
        par_expected(p, "a statement");
        return NULL;
    }
    ir_node *n = par_op(p);
    if (!n || ir_ops[n->op].class_ == IR_CLASS_STMT) return n;
    if (ir_ops[n->op].class_ == IR_CLASS_EFFECT) return ir_eval(p->m, n, n->span);
    if (n->op != IR_CONST) /* a constant here stands for what was reported */
        par_error(p, name, "the value of %s is not used", ir_ops[n->op].text);
    return ir_eval(p->m, n, n->span);
}

/*
 * stmt = name "=" expr | if | while | for | fork | "break" | "continue" | return | call | op
 */
static ir_node *par_stmt(ir_parser *p)
{
    token t = par_peek(p, 0);
    if (t.kind != TOK_NAME) {
        par_expected(p, "a statement");
        return NULL;
    }
    if (par_is(p, 1, '=')) return par_assign(p);
    if (par_token_is(p, t, "if")) return par_if(p);
    if (par_token_is(p, t, "while")) return par_while(p);
    if (par_token_is(p, t, "for") || par_token_is(p, t, "parallel")) return par_for(p);
    if (par_token_is(p, t, "fork")) return par_fork(p);
    if (par_token_is(p, t, "return")) return par_return(p);
    if (par_token_is(p, t, "call")) {
        ir_node *call = par_call(p);
        return call ? ir_eval(p->m, call, call->span) : NULL;
    }
    if (par_token_is(p, t, "break") || par_token_is(p, t, "continue")) {
        p->at++;
        return ir_op_new(p->m, par_token_is(p, t, "break") ? IR_BREAK : IR_CONTINUE, NULL, 0,
                         par_span(p, t));
    }
    if (par_token_is(p, t, "var")) {
        par_error(p, t, "variables are declared at the start of a function");
        return NULL;
    }
    return op_statement(p);
}

/* Goes on at the next line of this block, behind any block that the broken statement holds. */
static void resume(ir_parser *p, uint32_t start)
{
    uint32_t depth = 0;
    if (p->at == start) par_next(p);
    for (;;) {
        token t = par_peek(p, 0);
        if (t.kind == TOK_END) return;
        if (depth == 0 && t.kind == '}') return;
        if (depth == 0 && t.starts_line) return;
        if (t.kind == '{') depth++;
        if (t.kind == '}' && --depth == 0 && par_is_word(p, 1, "else") && par_is(p, 2, '{'))
            p->at++;
        p->at++;
    }
}

static void statements(ir_parser *p, ir_block *b)
{
    while (!p->stopped && !par_is(p, 0, '}') && !par_is(p, 0, TOK_END)) {
        uint32_t start = p->at;
        ir_node *n = par_stmt(p);
        if (n) ir_append(p->m, b, n);
        else resume(p, start);
    }
}

/* block = "{" { stmt } "}" */
static ir_block *par_block(ir_parser *p)
{
    if (!par_expect(p, '{', "'{'") || !par_enter(p)) return NULL;
    ir_block *b = ir_block_new(p->m);
    statements(p, b);
    par_leave(p);
    return par_expect(p, '}', "a statement or '}'") ? b : NULL;
}

/* local, extent NAME; in front of what is no assignment to a variable of that name */
static void var_attributes(ir_parser *p, func_body *b, ir_var *v)
{
    for (;;) {
        if (par_is_word(p, 0, "extent") && par_is(p, 1, TOK_NAME)) {
            p->at++;
            pending_name e = {v, par_next(p), true};
            vec_push(&p->c->arena, &b->names, e);
        } else if (par_is_word(p, 0, "local") && !par_is(p, 1, '=')) {
            p->at++;
            v->local = true;
        } else {
            return;
        }
    }
}

/* var = "var" name ":" type [ "local" ] [ "extent" name ] */
static bool par_var_declaration(ir_parser *p, func_body *b)
{
    p->at++;
    token name = par_peek(p, 0);
    if (!par_expect(p, TOK_NAME, "the name of a variable")) return false;
    if (!par_expect(p, ':', "':' and the type of the variable")) return false;
    const cpl_type *type = par_type(p, false);
    if (!type) return false;
    const char *text = par_text(p, name);
    if (ir_name_reserved(text) || strchr(text, '.'))
        par_error(p, name, "'%s' cannot name a variable", text);
    if (map_get(&p->vars, text)) par_error(p, name, "variable '%s' is declared twice", text);
    ir_var *v = ir_var_make(p->m, p->func, text, type, false, par_span(p, name));
    map_put(&p->c->arena, &p->vars, text, v);
    var_attributes(p, b, v);
    return true;
}

static void settle_name(ir_parser *p, const pending_name *n)
{
    const char *name = par_text(p, n->name);
    ir_var *v = map_get(&p->vars, name);
    if (!v) {
        diag *error = par_error(p, n->name, "undeclared variable '%s'", name);
        par_suggest(p, error, n->name, &p->vars);
    } else if (n->extent) n->var->extent = v;
    else ir_set_role(n->var, n->var->role, v);
}

void par_body(ir_parser *p, func_body *b)
{
    p->func = b->func;
    p->at = b->begin;
    p->end = b->end;
    p->vars = (map){0};
    for (uint32_t i = 0; i < b->func->params.n; i++) {
        ir_var *v = b->func->params.at[i];
        map_put(&p->c->arena, &p->vars, v->name, v);
    }
    while (par_is_word(p, 0, "var") && !par_is(p, 1, '=')) {
        uint32_t start = p->at;
        if (!par_var_declaration(p, b)) resume(p, start);
    }
    for (uint32_t i = 0; i < b->names.n; i++) settle_name(p, &b->names.at[i]);
    while (!p->stopped && p->at < p->end) {
        statements(p, b->func->body);
        if (par_is(p, 0, '}')) p->at++; /* left over from a broken block */
    }
}
