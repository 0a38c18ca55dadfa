/* Functions: decorators and signature, and the body once somebody asks for it. */
#include "lib/front/front_int.h"

#define MOST_PARAMETERS 1000

void ast_add_param(parser *p, ast_params *params, ast_param q)
{
    for (uint32_t i = 0; !p->panic && i < params->n; i++) {
        if (strcmp(params->at[i].name, q.name) != 0) continue;
        diag *d = ast_error(p, q.span, "two parameters are called '%s'", q.name);
        ast_note(p, d, params->at[i].span, "the first one");
    }
    vec_push(&p->c->arena, params, q);
    if (params->n == MOST_PARAMETERS + 1)
        ast_limit(p, q.span, "a function has more than %d parameters", MOST_PARAMETERS);
}

/* To the comma, bracket, '=' or colon, outside brackets and lambdas, that ends an expression. */
static void skip_expression(parser *p)
{
    uint32_t depth = 0, lambdas = 0;
    for (; !ast_is(p, TOK_NEWLINE) && !ast_is(p, TOK_END); ast_advance(p)) {
        token_kind kind = (token_kind)p->at->kind;
        bool ends = kind == TOK_COMMA || kind == TOK_ASSIGN || kind == TOK_COLON || ast_shuts(kind);
        if (depth == 0 && lambdas == 0 && ends) return;
        if (depth == 0 && kind == TOK_LAMBDA) lambdas++;
        if (depth == 0 && kind == TOK_COLON) lambdas--;
        if (ast_opens(kind)) depth++;
        if (depth && ast_shuts(kind)) depth--;
    }
}

/*
 * Those of a host program may be any Python, since it may give other types in their place: what is
 * no expression of ours becomes an empty tuple, which is no type.
 */
static ast_node *annotation(parser *p)
{
    if (!p->file->host) return ast_expression(p);
    const token *first = p->at;
    parser before = *p;
    p->quiet = true;
    ast_node *e = ast_expression(p);
    bool ends = ast_is(p, TOK_COMMA) || ast_is(p, TOK_RPAREN) || ast_is(p, TOK_ASSIGN) ||
                ast_is(p, TOK_COLON);
    bool good = !p->panic && ends;
    p->quiet = before.quiet;
    p->panic = before.panic;
    p->failed = before.failed;
    if (good) return e;
    p->depth = before.depth;
    p->brackets = before.brackets;
    p->at = first;
    skip_expression(p);
    return ast_new(p, AST_TUPLE, ast_until_here(p, first->begin), NULL, 0);
}

/* Whether the default that follows is a number, True or False, with signs and in brackets, or the
 * sum of two numbers of which one is imaginary. */
static bool is_literal(const parser *p)
{
    uint32_t brackets = 0, numbers = 0, imaginary = 0;
    for (const token *t = p->at;; t++) {
        switch (t->kind) {
        case TOK_SUB:
        case TOK_ADD: continue;
        case TOK_LPAREN: brackets++; continue;
        case TOK_IMAGINARY: imaginary++; /* fallthrough */
        case TOK_INT:
        case TOK_FLOAT:
        case TOK_TRUE:
        case TOK_FALSE: numbers++; continue;
        case TOK_RPAREN:
            if (brackets-- > 0) continue;
            break;
        case TOK_COMMA:
        case TOK_COLON:
            if (brackets > 0) return false;
            break;
        default: return false;
        }
        return numbers == 1 || (numbers == 2 && imaginary);
    }
}

/* Others are not read: lists, None and what is computed. A host program's are not either, which
 * says itself what they came to. */
static void default_value(parser *p, ast_param *q)
{
    q->unread = (p->file->host && !p->inner) || !is_literal(p);
    const token *first = p->at;
    if (q->unread) skip_expression(p);
    if (!q->unread || p->at == first) q->value = ast_expression(p);
}

static bool has_default(const ast_param *q)
{
    return q->value || q->unread;
}

/* parameter: NAME [':' expression] ['=' expression], of a lambda NAME ['=' expression] */
static bool parameter(parser *p, ast_params *params, char star, token_kind end)
{
    const token *name = p->at;
    if (!ast_expect(p, TOK_NAME)) return false;
    ast_param q = {.name = ast_token_name(p, name), .span = ast_span(p, name), .star = star};
    if (end != TOK_COLON && ast_take(p, TOK_COLON)) q.annotation = annotation(p);
    if (!p->panic && ast_take(p, TOK_ASSIGN)) default_value(p, &q);
    const ast_param *before = params->n ? &params->at[params->n - 1] : NULL;
    if (!p->panic && !star && !has_default(&q) && before && has_default(before) && !before->star)
        ast_error(p, q.span,
                  "a parameter without a default value stands behind one with a default value");
    ast_add_param(p, params, q);
    return !p->panic;
}

/* parameters: (parameter | '*' [parameter] | '**' parameter | '/') separated by ',' */
void ast_parameters(parser *p, ast_func *fn, token_kind end)
{
    ast_params params = {0};
    char star = 0; /* 'k' behind a star: by keyword only */
    while (!p->panic && !ast_is(p, end)) {
        if (ast_take(p, TOK_POW)) {
            parameter(p, &params, 'K', end);
        } else if (ast_take(p, TOK_MUL)) {
            star = 'k';
            if (!ast_is(p, TOK_COMMA)) parameter(p, &params, '*', end);
        } else if (!(params.n && ast_take(p, TOK_DIV))) {
            parameter(p, &params, star, end);
        }
        if (!ast_take(p, TOK_COMMA)) break;
    }
    fn->params = params.at;
    fn->param_count = params.n;
}

/* signature: NAME '(' [parameters] ')' ['->' expression] ':' */
static void signature(parser *p, ast_func *fn)
{
    ast_advance(p); /* the name, checked when the file was indexed */
    if (ast_is(p, TOK_LBRACKET)) {
        ast_error(p, ast_here(p), "type parameters are not supported");
        return;
    }
    const token *open = p->at;
    if (!ast_expect(p, TOK_LPAREN)) return;
    p->brackets++;
    ast_parameters(p, fn, TOK_RPAREN);
    p->brackets--;
    ast_close(p, TOK_RPAREN, open);
    if (!p->panic && ast_take(p, TOK_ARROW)) fn->returns = annotation(p);
    ast_expect(p, TOK_COLON);
}

/*
 * One that means nothing to kernels may hold any Python, so its errors are no errors: of an
 * unreadable one the name is kept. annotate alone is read in full.
 */
static ast_node *decorator(parser *p)
{
    const token *name = p->at;
    while (name->kind == TOK_NAME && name[1].kind == TOK_DOT) name += 2;
    bool ours = ast_token_says(p, name, "annotate"), quiet = p->quiet, failed = p->failed;
    p->quiet = quiet || !ours;
    ast_node *e = ast_expression(p);
    ast_expect(p, TOK_NEWLINE);
    p->quiet = quiet;
    if (!p->panic || ours) return e;
    p->panic = false;
    p->failed = failed;
    e = ast_new(p, name->kind == TOK_NAME ? AST_NAME : AST_NONE, ast_span(p, name), NULL, 0);
    if (name->kind == TOK_NAME) e->name = ast_token_name(p, name);
    return e;
}

/* decorators: ('@' expression NEWLINE)* */
static void decorators(parser *p, ast_func *fn)
{
    VEC(ast_decorator) list = {0};
    while (!p->panic && ast_is(p, TOK_MATMUL)) {
        const token *first = p->at, *end = ast_line_end(first);
        ast_advance(p);
        ast_decorator d = {.expr = decorator(p),
                           .span = {p->file->src->id, first->begin, end->begin}};
        vec_push(&p->c->arena, &list, d);
        if (p->panic) break;
        p->at = end + 1;
    }
    fn->decorators = list.at;
    fn->decorator_count = list.n;
}

bool ast_header(parser *p, ast_func *fn)
{
    decorators(p, fn);
    if (p->panic) { /* on to the def: a bad decorator does not hide the parameters */
        p->panic = false;
        while (!ast_is(p, TOK_DEF) && !ast_is(p, TOK_END)) ast_advance(p);
    }
    ast_take(p, TOK_ASYNC);
    ast_advance(p); /* def */
    signature(p, fn);
    return !p->failed;
}

bool ast_parse_body(ast_func *fn)
{
    ast_file *f = fn->file;
    if (fn->parsed) return !fn->failed;
    bool bad = fn->header_bad;
    if (bad) {
        parser header;
        fn->node_count = 0;
        ast_start(&header, f, fn->header_token, &fn->node_count, false);
        ast_header(&header, fn);
    }
    parser p;
    ast_start(&p, f, fn->body_token, &fn->node_count, false);
    const token *def = f->tokens.at + fn->header_token;
    while (def->begin < fn->name_span.begin) def++;
    ast_body(&p, &fn->body, "def", def - 1);
    ast_bind_refused(&p, &fn->body);
    fn->parsed = true;
    fn->failed = bad || p.failed;
    return !fn->failed;
}

/* What a target gets of a tuple or list that stands there; of anything else AST_NONE. */
static ast_node *item_at(parser *p, ast_node *value, const ast_place *place)
{
    bool several = value->kind == AST_TUPLE || value->kind == AST_LIST;
    uint32_t n = several ? value->kid_count : 0, at = place->at;
    bool star = place->star < place->of;
    if (!several || (star ? n < place->of - 1 : n != place->of))
        return ast_new(p, AST_NONE, value->span, NULL, 0);
    if (at < place->star) return value->kids[at];
    if (at > place->star) return value->kids[n - place->of + at];
    if (n == place->of - 1) return ast_new(p, AST_NONE, value->span, NULL, 0); /* an empty list */
    return ast_new(p, AST_LIST, value->span, value->kids + at, n - place->of + 1);
}

ast_node *ast_const_value(ast_const *k)
{
    if (k->value) return k->value;
    uint32_t ids = 0;
    parser p;
    ast_start(&p, k->file, k->token, &ids, false);
    k->value = ast_expressions(&p);
    if (!p.panic && !ast_is(&p, TOK_NEWLINE) && !ast_is(&p, TOK_SEMICOLON) && !ast_is(&p, TOK_END))
        ast_unexpected(&p, "an operator or the end of the line");
    if (p.failed) k->value = ast_bad(&p);
    for (uint32_t i = 0; i < k->depth && k->value->kind != AST_ERROR; i++)
        k->value = item_at(&p, k->value, &k->path[i]);
    return k->value;
}

ast_func *ast_find_func(const ast_file *f, const char *name)
{
    const ast_item *item = map_get(&f->names, front_name(&f->comp->arena, name, strlen(name)));
    return item && item->kind == ITEM_FUNC ? item->func : NULL;
}
