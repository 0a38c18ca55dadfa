/* Functions that are one expression: a text alone, or a lambda in an expression. */
#include "lib/front/front_int.h"

/* 'lambda' [parameters] ':' expression | expression */
static ast_node *lambda(parser *p, ast_func *fn)
{
    if (!ast_take(p, TOK_LAMBDA)) {
        ast_params params = {0};
        ast_add_param(p, &params, (ast_param){.name = "a", .span = fn->span});
        ast_add_param(p, &params, (ast_param){.name = "b", .span = fn->span});
        fn->params = params.at;
        fn->param_count = params.n;
        return ast_expression(p);
    }
    ast_parameters(p, fn, TOK_COLON);
    if (!p->panic) ast_expect(p, TOK_COLON);
    return p->panic ? ast_bad(p) : ast_expression(p);
}

/* A parser of a function inside of the one at hand, whose nodes are counted by themselves. */
static parser inner(parser *p, ast_func *fn)
{
    parser own = *p;
    own.ids = &fn->node_count;
    own.first_id = 0;
    memset(&own.heights, 0, sizeof own.heights);
    memset(&own.refused, 0, sizeof own.refused);
    own.loops = 0;
    own.inner = true;
    return own;
}

static ast_func *begin_inner(parser *p, const char *name, cpl_span span)
{
    ast_func *fn = arena_new(&p->c->arena, ast_func);
    *fn = (ast_func){.file = p->file, .name = name, .span = span, .parsed = true, .inner = true};
    fn->name_span = fn->span;
    return fn;
}

static ast_node *end_inner(parser *p, const parser *own, ast_func *fn)
{
    p->at = own->at;
    p->panic = own->panic;
    p->failed = own->failed;
    ast_leave(p);
    if (p->panic) return ast_bad(p);
    ast_node *n = ast_new(p, AST_LAMBDA, fn->span, NULL, 0);
    n->lambda = fn;
    return n;
}

ast_node *ast_lambda_expression(parser *p)
{
    const token *first = p->at;
    if (!ast_enter(p)) return ast_bad(p);
    ast_func *fn = begin_inner(p, "lambda", ast_here(p));
    parser own = inner(p, fn);
    ast_node *value = lambda(&own, fn);
    ast_node *result = ast_new(&own, AST_RETURN, value->span, &value, 1);
    vec_push(&p->c->arena, &fn->body, result);
    fn->span = ast_until_here(&own, first->begin);
    return end_inner(p, &own, fn);
}

/* decorators 'def' signature ':' block, inside of a function */
ast_node *ast_nested_function(parser *p)
{
    if (!ast_enter(p)) return ast_bad(p);
    ast_func *fn = begin_inner(p, "", ast_here(p));
    parser own = inner(p, fn);
    const token *def = p->at;
    while (def->kind != TOK_DEF) def++;
    fn->name = ast_token_name(p, def + 1);
    fn->name_span = ast_span(p, def + 1);
    fn->span = (cpl_span){p->file->src->id, def->begin, ast_line_end(def)->begin};
    ast_header(&own, fn);
    own.panic = false;
    while (own.at[-1].kind != TOK_COLON && own.at->kind != TOK_NEWLINE && own.at->kind != TOK_END)
        ast_advance(&own);
    ast_body(&own, &fn->body, "def", def);
    ast_bind_refused(&own, &fn->body);
    return end_inner(p, &own, fn);
}

bool ast_is_operator(const ast_func *fn)
{
    return fn->file->outer && fn->param_count && fn->params[0].span.end == fn->span.end;
}

/* A lambda in brackets, or not. */
static ast_node *bracketed(parser *p, ast_func *fn)
{
    const token *open = p->at, *first = open;
    while (first->kind == TOK_LPAREN) first++;
    if (first == open || first->kind != TOK_LAMBDA) return lambda(p, fn);
    ast_advance(p);
    if (!ast_enter(p)) return ast_bad(p);
    p->brackets++;
    ast_node *value = bracketed(p, fn);
    p->brackets--;
    ast_leave(p);
    ast_close(p, TOK_RPAREN, open);
    return value;
}

ast_func *ast_lambda(compilation *c, const source *src, const char *name, ast_file *outer)
{
    ast_file *f = arena_new(&c->arena, ast_file);
    uint32_t errors = c->diags.errors;
    *f = (ast_file){.comp = c, .src = src, .outer = outer};
    lex_file(c, src, &f->tokens);
    if (c->diags.errors != errors) return NULL;
    ast_func *fn = arena_new(&c->arena, ast_func);
    cpl_span all = {src->id, 0, (uint32_t)src->size};
    *fn = (ast_func){.file = f, .name = name, .name_span = all, .span = all, .parsed = true};
    parser p;
    ast_start(&p, f, 0, &fn->node_count, false);
    bool indented = ast_take(&p, TOK_INDENT);
    ast_node *value = bracketed(&p, fn);
    if (!p.panic) ast_take(&p, TOK_NEWLINE);
    if (indented && !p.panic) ast_take(&p, TOK_DEDENT);
    if (!p.panic && !ast_is(&p, TOK_END)) ast_unexpected(&p, "the end of the expression");
    ast_node *result = ast_new(&p, AST_RETURN, value->span, &value, 1);
    vec_push(&c->arena, &fn->body, result);
    return p.failed ? NULL : fn;
}
