/*
 * Expressions, by precedence climbing. Chains of left-associative operators are loops; whatever
 * nests (brackets, signs, powers, choices) passes ast_enter, which bounds the recursion.
 */
#include "lib/front/front_int.h"

typedef VEC(ast_node *) node_vec;

static ast_node *refuse(parser *p, const char *message, const char *hint)
{
    diag *d = ast_error(p, ast_here(p), "%s", message);
    if (hint) ast_hint(p, d, hint);
    return ast_bad(p);
}

/* `a, *b = t`, `a =* 2`, and `a = *p` */
static const char *starred(const parser *p)
{
    const token *before = p->at - (p->at > p->file->tokens.at);
    if (before->kind == TOK_COMMA) return "name as many targets as there are items";
    if (before == p->at || before->kind != TOK_ASSIGN) return NULL;
    return p->at[-1].end == p->at->begin ? "to multiply, write: x *= 2"
                                         : "what a pointer points to is p[0]";
}

static ast_node *operation(parser *p, ast_kind kind, const token *op, uint32_t begin,
                           ast_node **kids, uint32_t n)
{
    ast_node *node = ast_new(p, kind, ast_until_here(p, begin), kids, n);
    node->op = op->kind;
    node->op_span = ast_span(p, op);
    return node;
}

/* Does the bracket at hand hold `kind` at its own level? */
static bool bracket_holds(const parser *p, token_kind kind)
{
    uint32_t depth = 0;
    for (const token *t = p->at; t->kind != TOK_NEWLINE && t->kind != TOK_END; t++) {
        if (t->kind == TOK_LPAREN || t->kind == TOK_LBRACKET || t->kind == TOK_LBRACE) depth++;
        else if (t->kind == TOK_RPAREN || t->kind == TOK_RBRACKET || t->kind == TOK_RBRACE) depth--;
        else if (depth == 1 && t->kind == kind) return true;
        if (depth == 0) return false;
    }
    return false;
}

static ast_node *refuse_display(parser *p)
{
    static const char loop[] = "write a loop";
    if (bracket_holds(p, TOK_FOR)) return refuse(p, "comprehensions are not supported", loop);
    if (ast_is(p, TOK_LBRACKET))
        return refuse(p, "empty lists are not supported",
                      "a private array has a fixed size: t = [0.0]*3");
    if (p->at[1].kind == TOK_RBRACE || bracket_holds(p, TOK_COLON))
        return refuse(p, "dictionaries are not supported",
                      "pass arrays, or a struct with the fields");
    return refuse(p, "sets are not supported", "pass an array");
}

/* list: '[' expression (',' expression)* [','] ']' */
static ast_node *list(parser *p)
{
    const token *open = p->at;
    if (open[1].kind == TOK_RBRACKET || bracket_holds(p, TOK_FOR)) return refuse_display(p);
    if (!ast_enter(p)) return ast_bad(p);
    node_vec kids = {0};
    ast_advance(p);
    p->brackets++;
    do {
        ast_node *kid = ast_expression(p);
        vec_push(&p->c->arena, &kids, kid);
    } while (!p->panic && ast_take(p, TOK_COMMA) && !ast_is(p, TOK_RBRACKET));
    p->brackets--;
    ast_close(p, TOK_RBRACKET, open);
    ast_leave(p);
    return ast_new(p, AST_LIST, ast_until_here(p, open->begin), kids.at, kids.n);
}

/* group: '(' ')' | '(' expression ')' | '(' expression (',' expression)* [','] ')' */
static ast_node *group(parser *p)
{
    const token *open = p->at;
    if (open[1].kind == TOK_RPAREN) return refuse(p, "empty tuples are not supported", NULL);
    if (!ast_enter(p)) return ast_bad(p);
    ast_advance(p);
    p->brackets++;
    ast_node *node = ast_expressions(p);
    if (!p->panic && ast_is(p, TOK_FOR))
        refuse(p, "generator expressions are not supported", "write a loop");
    p->brackets--;
    ast_close(p, TOK_RPAREN, open);
    ast_leave(p);
    return node;
}

/* atom: NAME | True | False | None | number | STRING+ | group | list */
static ast_node *atom(parser *p)
{
    ast_node *node;
    switch (p->at->kind) {
    case TOK_NAME:
        node = ast_new(p, AST_NAME, ast_here(p), NULL, 0);
        node->name = ast_token_name(p, p->at);
        ast_advance(p);
        return node;
    case TOK_TRUE:
    case TOK_FALSE:
        node = ast_new(p, AST_BOOL, ast_here(p), NULL, 0);
        node->integer = p->at->kind == TOK_TRUE;
        ast_advance(p);
        return node;
    case TOK_NONE:
        node = ast_new(p, AST_NONE, ast_here(p), NULL, 0);
        ast_advance(p);
        return node;
    case TOK_INT:
    case TOK_FLOAT:
    case TOK_IMAGINARY: return ast_number(p);
    case TOK_STRING:
    case TOK_FSTRING: return ast_strings(p);
    case TOK_LPAREN: return group(p);
    case TOK_LBRACKET: return list(p);
    case TOK_LBRACE: return refuse_display(p);
    case TOK_LAMBDA: return ast_lambda_expression(p);
    case TOK_YIELD:
        return refuse(p, "generators are not supported: 'yield'",
                      "return one value, or store values in an array");
    case TOK_AWAIT:
    case TOK_ASYNC:
        return refuse(p, "'async' and 'await' are not supported", "a kernel runs to its end");
    case TOK_ELLIPSIS:
        return refuse(p, "'...' is not supported in an expression",
                      p->brackets ? "all elements are x[:], of a row x[i, :]"
                                  : "an empty body is: pass");
    case TOK_MUL:
    case TOK_POW: return refuse(p, "starred expressions are not supported", starred(p));
    default: ast_unexpected(p, "an expression"); return ast_bad(p);
    }
}

/* argument: '*' expression | NAME '=' expression | expression */
static ast_node *argument(parser *p, ast_node *call, uint32_t *keywords)
{
    if (ast_is(p, TOK_POW))
        return refuse(p, "arguments behind '**' are not supported", "pass each argument by itself");
    const token *first = p->at;
    bool star = ast_take(p, TOK_MUL);
    if (first->kind == TOK_NAME && first[1].kind == TOK_ASSIGN) {
        ast_advance(p);
        ast_advance(p);
        ast_node *value = ast_expression(p);
        ast_node *node = ast_new(p, AST_KEYWORD, ast_until_here(p, first->begin), &value, 1);
        node->name = ast_token_name(p, first);
        node->op_span = ast_span(p, first);
        (*keywords)++;
        return node;
    }
    ast_node *value = ast_expression(p);
    if (!p->panic && ast_is(p, TOK_FOR))
        return refuse(p, "generator expressions are not supported", "write a loop");
    if (!p->panic && *keywords) {
        diag *d =
            ast_error(p, value->span, "an argument without a name stands behind one with a name");
        ast_note(p, d, call->span, "in this call");
    }
    return star ? ast_new(p, AST_STAR, ast_until_here(p, first->begin), &value, 1) : value;
}

/* call: primary '(' [argument (',' argument)* [',']] ')' */
static ast_node *call(parser *p, ast_node *callee)
{
    const token *open = p->at;
    node_vec kids = {0};
    uint32_t keywords = 0;
    if (!ast_enter(p)) return ast_bad(p);
    ast_advance(p);
    p->brackets++;
    vec_push(&p->c->arena, &kids, callee);
    while (!p->panic && !ast_is(p, TOK_RPAREN)) {
        ast_node *a = argument(p, callee, &keywords);
        vec_push(&p->c->arena, &kids, a);
        if (!ast_take(p, TOK_COMMA)) break;
    }
    p->brackets--;
    ast_close(p, TOK_RPAREN, open);
    ast_leave(p);
    ast_node *node = ast_new(p, AST_CALL, ast_until_here(p, callee->span.begin), kids.at, kids.n);
    node->keyword_count = keywords;
    return node;
}

/* Behind its first part, if it has one: slice: [expression] ':' [expression] [':' [expression]] */
static ast_node *slice(parser *p, ast_node *from)
{
    ast_node *kids[3] = {from, NULL, NULL};
    uint32_t begin = from ? from->span.begin : p->at->begin;
    for (int i = 1; i < 3 && ast_take(p, TOK_COLON); i++)
        if (!ast_is(p, TOK_COLON) && !ast_is(p, TOK_RBRACKET) && !ast_is(p, TOK_COMMA))
            kids[i] = ast_expression(p);
    cpl_span span = ast_until_here(p, begin);
    for (int i = 0; i < 3; i++)
        if (!kids[i]) kids[i] = ast_new(p, AST_NONE, span, NULL, 0);
    return ast_new(p, AST_SLICE, span, kids, 3);
}

/* part: expression | slice */
static ast_node *part(parser *p)
{
    ast_node *from = ast_is(p, TOK_COLON) ? NULL : ast_expression(p);
    return !p->panic && ast_is(p, TOK_COLON) ? slice(p, from) : from;
}

/* part (',' part)* [','] */
static ast_node *parts(parser *p)
{
    ast_node *first = part(p);
    if (p->panic || !ast_is(p, TOK_COMMA)) return first;
    node_vec kids = {0};
    vec_push(&p->c->arena, &kids, first);
    while (!p->panic && ast_take(p, TOK_COMMA) && !ast_is(p, TOK_RBRACKET)) {
        ast_node *next = part(p);
        vec_push(&p->c->arena, &kids, next);
    }
    return ast_new(p, AST_TUPLE, ast_until_here(p, first->span.begin), kids.at, kids.n);
}

/* index: primary '[' part (',' part)* [','] ']'; arrays of several dimensions take several */
static ast_node *index_(parser *p, ast_node *base)
{
    const token *open = p->at;
    ast_node *kids[2] = {base, NULL};
    if (!ast_enter(p)) return ast_bad(p);
    ast_advance(p);
    p->brackets++;
    if (ast_is(p, TOK_RBRACKET)) kids[1] = refuse(p, "expected an index", NULL);
    else kids[1] = parts(p);
    if (!kids[1]) kids[1] = ast_bad(p);
    p->brackets--;
    ast_close(p, TOK_RBRACKET, open);
    ast_leave(p);
    return ast_new(p, AST_INDEX, ast_until_here(p, base->span.begin), kids, 2);
}

/* Indices, calls and dots behind each other are read in a loop, but each is inside the next, and
 * what one stands for is asked from its beginning on. */
static bool is_too_long(parser *p, uint32_t links)
{
    uint32_t limit = p->c->max_nesting ? p->c->max_nesting : LIMIT_NESTING;
    if (links <= limit) return false;
    diag *d = ast_limit(p, ast_here(p), "a chain of more than %u indices, calls and dots", limit);
    ast_hint(p, d, "split it with variables, or raise the option max_nesting");
    return true;
}

/* primary: atom | call | index | primary '.' NAME */
static ast_node *primary(parser *p)
{
    ast_node *node = atom(p);
    for (uint32_t links = 0; !p->panic; links++) {
        if (is_too_long(p, links)) return ast_bad(p);
        if (ast_is(p, TOK_LPAREN)) {
            node = call(p, node);
        } else if (ast_is(p, TOK_LBRACKET)) {
            node = index_(p, node);
        } else if (ast_take(p, TOK_DOT)) {
            const token *name = p->at;
            if (!ast_expect(p, TOK_NAME)) return ast_bad(p);
            node = ast_new(p, AST_ATTRIBUTE, ast_until_here(p, node->span.begin), &node, 1);
            node->name = ast_token_name(p, name);
            node->op_span = ast_span(p, name);
        } else {
            break;
        }
    }
    return node;
}

/* factor: ('+' | '-' | '~') factor | power;  power: primary ['**' factor] */
static ast_node *factor(parser *p)
{
    const token *first = p->at;
    if (first->kind == TOK_ADD || first->kind == TOK_SUB || first->kind == TOK_BITNOT) {
        if (!ast_enter(p)) return ast_bad(p);
        ast_advance(p);
        ast_node *kid = factor(p);
        ast_leave(p);
        return operation(p, AST_UNARY, first, first->begin, &kid, 1);
    }
    ast_node *base = primary(p);
    const token *op = p->at;
    if (p->panic || op->kind != TOK_POW) return base;
    if (!ast_enter(p)) return ast_bad(p);
    ast_advance(p);
    ast_node *kids[2] = {base, factor(p)};
    ast_leave(p);
    return operation(p, AST_BINARY, op, base->span.begin, kids, 2);
}

static int binary_level(token_kind kind)
{
    switch (kind) {
    case TOK_BITOR: return 1;
    case TOK_BITXOR: return 2;
    case TOK_BITAND: return 3;
    case TOK_SHL:
    case TOK_SHR: return 4;
    case TOK_ADD:
    case TOK_SUB: return 5;
    case TOK_MUL:
    case TOK_DIV:
    case TOK_FLOORDIV:
    case TOK_MOD:
    case TOK_MATMUL: return 6;
    default: return 0;
    }
}

/*
 * bitor: bitxor ('|' bitxor)*;  bitxor: bitand ('^' bitand)*;  bitand: shift ('&' shift)*;  shift:
 * sum (('<<' | '>>') sum)*; sum: term (('+' | '-') term)*;  term: factor (('*' | '/' | '//' | '%' |
 * '@') factor)*
 */
static ast_node *binary(parser *p, int lowest)
{
    ast_node *left = factor(p);
    while (!p->panic) {
        const token *op = p->at;
        int level = binary_level(op->kind);
        if (level == 0 || level < lowest) break;
        ast_advance(p);
        ast_node *kids[2] = {left, binary(p, level + 1)};
        left = operation(p, AST_BINARY, op, left->span.begin, kids, 2);
    }
    return left;
}

/* Takes a comparison operator; 0 when there is none. `is not` is TOK_NOT. */
static uint8_t comparison_operator(parser *p)
{
    uint8_t kind = p->at->kind;
    switch (kind) {
    case TOK_LT:
    case TOK_LE:
    case TOK_GT:
    case TOK_GE:
    case TOK_EQ:
    case TOK_NE: ast_advance(p); return kind;
    case TOK_IS: ast_advance(p); return ast_take(p, TOK_NOT) ? TOK_NOT : TOK_IS;
    case TOK_IN:
        if (ast_begins_for(p)) {
            refuse(p, "a 'for' has no bracket around its variable",
                   "a loop is written: for i in range(n): ...");
            return 0;
        }
        ast_advance(p);
        return kind;
    default: return 0;
    }
}

/* bitor 'not' 'in' bitor, which is not bitor 'in' bitor */
static ast_node *not_in(parser *p, ast_node *value)
{
    const token *op = p->at;
    ast_advance(p);
    ast_advance(p);
    ast_node *kids[2] = {value, binary(p, 1)};
    uint8_t *ops = arena_array(&p->c->arena, 1, sizeof *ops);
    ops[0] = TOK_IN;
    ast_node *in = operation(p, AST_COMPARE, op, value->span.begin, kids, 2);
    in->op = 0;
    if (in->kind == AST_COMPARE) in->ops = ops;
    return operation(p, AST_UNARY, op, value->span.begin, &in, 1);
}

/* comparison: bitor (('<' | '<=' | '>' | '>=' | '==' | '!=' | 'is' ['not']) bitor)* */
static ast_node *comparison(parser *p)
{
    ast_node *first = binary(p, 1);
    node_vec kids = {0};
    VEC(uint8_t) ops = {0};
    const token *op = p->at;
    if (!p->panic && op->kind == TOK_NOT && op[1].kind == TOK_IN) return not_in(p, first);
    while (!p->panic) {
        uint8_t kind = comparison_operator(p);
        if (kind == 0) break;
        if (kids.n == 0) vec_push(&p->c->arena, &kids, first);
        vec_push(&p->c->arena, &ops, kind);
        ast_node *next = binary(p, 1);
        vec_push(&p->c->arena, &kids, next);
    }
    if (kids.n == 0) return p->panic ? ast_bad(p) : first;
    ast_node *node = operation(p, AST_COMPARE, op, first->span.begin, kids.at, kids.n);
    node->op = 0;
    if (node->kind == AST_COMPARE) node->ops = ops.at;
    return node;
}

/* inversion: 'not' inversion | comparison */
static ast_node *inversion(parser *p)
{
    const token *first = p->at;
    if (first->kind != TOK_NOT) return comparison(p);
    if (!ast_enter(p)) return ast_bad(p);
    ast_advance(p);
    ast_node *kid = inversion(p);
    ast_leave(p);
    return operation(p, AST_UNARY, first, first->begin, &kid, 1);
}

/* disjunction: conjunction ('or' conjunction)*;  conjunction: inversion ('and' inversion)* */
static ast_node *boolean(parser *p, token_kind kind)
{
    ast_node *first = kind == TOK_OR ? boolean(p, TOK_AND) : inversion(p);
    const token *op = p->at;
    if (p->panic || op->kind != kind) return first;
    node_vec kids = {0};
    vec_push(&p->c->arena, &kids, first);
    while (!p->panic && ast_take(p, kind)) {
        ast_node *next = kind == TOK_OR ? boolean(p, TOK_AND) : inversion(p);
        vec_push(&p->c->arena, &kids, next);
    }
    return operation(p, AST_BOOLOP, op, first->span.begin, kids.at, kids.n);
}

/* expression: disjunction ['if' disjunction 'else' expression] */
ast_node *ast_expression(parser *p)
{
    ast_node *then = boolean(p, TOK_OR);
    const token *op = p->at;
    if (!p->panic && op->kind == TOK_WALRUS && then->kind == AST_NAME && p->brackets) {
        ast_advance(p);
        ast_node *kids[2] = {then, ast_expression(p)};
        return operation(p, AST_NAMED, op, then->span.begin, kids, 2);
    }
    if (!p->panic && op->kind == TOK_WALRUS) {
        diag *d = ast_unexpected(p, "an operator");
        ast_hint(p, d,
                 then->kind == AST_NAME ? "write (v := e), in brackets, or v = e alone"
                                        : "':=' gives a value to a name");
        if (then->kind == AST_NAME) vec_push(&p->c->arena, &p->refused, then);
    }
    if (p->panic || op->kind != TOK_IF) return then;
    if (!ast_enter(p)) return ast_bad(p);
    ast_advance(p);
    ast_node *kids[3] = {boolean(p, TOK_OR), then, NULL};
    if (!p->panic && !ast_is(p, TOK_ELSE)) {
        diag *d = ast_unexpected(p, "'else'");
        ast_hint(p, d, "a choice is written: a if condition else b");
    }
    if (!p->panic) ast_advance(p);
    kids[2] = p->panic ? ast_bad(p) : ast_expression(p);
    ast_leave(p);
    return operation(p, AST_TERNARY, op, then->span.begin, kids, 3);
}

/* Can the token at hand not begin an expression, so that a comma before it was the last? */
static bool ends_list(const parser *p)
{
    switch (p->at->kind) {
    case TOK_NEWLINE:
    case TOK_END:
    case TOK_RPAREN:
    case TOK_RBRACKET:
    case TOK_RBRACE:
    case TOK_ASSIGN:
    case TOK_COLON:
    case TOK_SEMICOLON:
    case TOK_IN: return true;
    default: return p->at->kind >= TOK_POW_ASSIGN && p->at->kind <= TOK_SHR_ASSIGN;
    }
}

/* The rest of a list whose first item is there: first (',' item)* [','] */
static ast_node *list_rest(parser *p, ast_node *first, bool targets)
{
    if (p->panic || !ast_is(p, TOK_COMMA)) return first;
    const token *op = p->at;
    node_vec kids = {0};
    vec_push(&p->c->arena, &kids, first);
    while (!p->panic && ast_take(p, TOK_COMMA) && !ends_list(p)) {
        ast_node *next = targets ? binary(p, 1) : ast_expression(p);
        vec_push(&p->c->arena, &kids, next);
    }
    return operation(p, AST_TUPLE, op, first->span.begin, kids.at, kids.n);
}

/* expressions: expression (',' expression)* [','] */
ast_node *ast_expressions(parser *p)
{
    return list_rest(p, ast_expression(p), false);
}

/* targets: bitor (',' bitor)* [','], so that `in` ends them */
ast_node *ast_targets(parser *p)
{
    return list_rest(p, binary(p, 1), true);
}
