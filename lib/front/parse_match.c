/*
 * match statements on numbers, which become `if`s: what is compared has a name of its own, .match7,
 * but for a name, which stands for itself.
 *
 *     match n % 4:                   .match7 = n % 4
 *         case 0 | 2: a              if .match7 == 0 or .match7 == 2: a
 *         case -1 if x > 0: b        elif .match7 == -1 and x > 0: b
 *         case _: c                  else: c
 *
 * Other patterns are refused: True, False and None compare by `is`, names take any value, and
 * there are no strings, sequences, mappings or classes to be taken apart.
 */
#include "lib/front/front_int.h"

typedef struct clause {
    const token *first;
    ast_node *cond; /* NULL: any value */
    ast_list *body;
} clause;

static ast_node *assigned(parser *p, const char *name, ast_node *value)
{
    ast_node *kids[2] = {ast_named(p, name, value->span), value};
    ast_node *n = ast_new(p, AST_ASSIGN, value->span, kids, 2);
    n->op_span = value->span;
    return n;
}

static ast_node *equal(parser *p, const ast_node *subject, ast_node *value)
{
    ast_node *kids[2] = {ast_named(p, subject->name, subject->span), value};
    ast_node *n = ast_new(p, AST_COMPARE, value->span, kids, 2);
    uint8_t *ops = arena_array(&p->c->arena, 1, sizeof *ops);
    ops[0] = TOK_EQ;
    n->op_span = value->span;
    if (n->kind == AST_COMPARE) n->ops = ops;
    return n;
}

static ast_node *joined(parser *p, token_kind op, ast_node *a, ast_node *b)
{
    ast_node *kids[2] = {a, b};
    cpl_span span = a->span;
    span.end = b->span.end;
    ast_node *n = ast_new(p, AST_BOOLOP, span, kids, 2);
    n->op = (uint8_t)op;
    n->op_span = b->span;
    return n;
}

static ast_node *refuse_pattern(parser *p)
{
    const token *t = p->at;
    bool bare = t->kind == TOK_NAME && t[1].kind != TOK_LPAREN;
    if (bare && ast_token_says(p, t, "_"))
        ast_hint(p, ast_error(p, ast_here(p), "'_' stands alone in a case"), "case _: ...");
    else if (bare) {
        ast_refuse_name(p, t);
        ast_hint(p,
                 ast_error(p, ast_here(p), "'%s' in a case is a new name, for any value",
                           ast_token_name(p, t)),
                 "case _: takes the others; for a constant under a name use if and elif");
    } else if (t->kind == TOK_NEWLINE || t->kind == TOK_COLON || t->kind == TOK_IF)
        ast_unexpected(p, "a number");
    else
        ast_hint(p, ast_error(p, ast_here(p), "a case is of numbers here"),
                 "case 1, case -1 | 2, case module.NAME, case _; for all else use if and elif");
    return ast_bad(p);
}

/* dotted: NAME ('.' NAME)+ */
static ast_node *dotted(parser *p)
{
    ast_node *n = ast_named(p, ast_token_name(p, p->at), ast_here(p));
    ast_advance(p);
    while (!p->panic && ast_take(p, TOK_DOT)) {
        const token *name = p->at;
        if (!ast_expect(p, TOK_NAME)) return ast_bad(p);
        n = ast_new(p, AST_ATTRIBUTE, ast_until_here(p, n->span.begin), &n, 1);
        n->op_span = ast_span(p, name);
        if (n->kind == AST_ATTRIBUTE) n->name = ast_token_name(p, name);
    }
    return n;
}

/* value: ['-'] number | dotted */
static ast_node *value(parser *p)
{
    const token *t = p->at, *number = t->kind == TOK_SUB ? t + 1 : t;
    if (t->kind == TOK_NAME && t[1].kind == TOK_DOT) return dotted(p);
    if (number->kind != TOK_INT && number->kind != TOK_FLOAT) return refuse_pattern(p);
    if (number > t) ast_advance(p);
    ast_node *n = ast_number(p);
    if (number == t) return n;
    n = ast_new(p, AST_UNARY, ast_until_here(p, t->begin), &n, 1);
    n->op = TOK_SUB;
    n->op_span = ast_span(p, t);
    return n;
}

static ast_node *pattern(parser *p, const ast_node *subject);

/* closed: '(' pattern ')' | value */
static ast_node *closed(parser *p, const ast_node *subject)
{
    const token *open = p->at;
    if (open->kind != TOK_LPAREN) return equal(p, subject, value(p));
    if (!ast_enter(p)) return ast_bad(p);
    ast_advance(p);
    p->brackets++;
    ast_node *n = pattern(p, subject);
    if (!p->panic && ast_is(p, TOK_COMMA)) {
        p->at = open;
        n = refuse_pattern(p);
    }
    ast_close(p, TOK_RPAREN, open);
    if (p->brackets) p->brackets--;
    ast_leave(p);
    return n;
}

/* pattern: closed ('|' closed)* */
static ast_node *pattern(parser *p, const ast_node *subject)
{
    ast_node *n = closed(p, subject);
    while (!p->panic && ast_take(p, TOK_BITOR)) n = joined(p, TOK_OR, n, closed(p, subject));
    return n;
}

/* '_' in front of ':' or a guard takes any value. */
static bool is_any(const parser *p)
{
    token_kind next = (token_kind)p->at[1].kind;
    return ast_token_says(p, p->at, "_") && (next == TOK_COLON || next == TOK_IF);
}

/* case: 'case' ('_' | pattern) ['if' expression] ':' block */
static clause read_case(parser *p, const ast_node *subject)
{
    clause c = {.first = p->at, .body = arena_new(&p->c->arena, ast_list)};
    ast_advance(p);
    if (is_any(p)) ast_advance(p);
    else c.cond = pattern(p, subject);
    if (!p->panic && ast_take(p, TOK_IF)) {
        ast_node *guard = ast_expression(p);
        c.cond = c.cond ? joined(p, TOK_AND, c.cond, guard) : guard;
    }
    if (!p->panic && ast_is(p, TOK_AS)) {
        if (p->at[1].kind == TOK_NAME) ast_refuse_name(p, p->at + 1);
        ast_hint(p, ast_error(p, ast_here(p), "'as' is not supported in a case"),
                 "what is compared has its name in front of the match: v = ...");
    }
    ast_suite(p, c.body, "case", c.first);
    p->panic = false;
    return c;
}

static ast_node *made_if(parser *p, const clause *c, ast_list *orelse)
{
    ast_node *cond = c->cond;
    if (!cond) { /* the only case */
        cond = ast_new(p, AST_BOOL, ast_span(p, c->first), NULL, 0);
        cond->integer = 1;
    }
    ast_node *n = ast_new(p, AST_IF, ast_span(p, c->first), &cond, 1);
    n->op_span = ast_span(p, c->first);
    n->body = c->body;
    n->orelse = orelse;
    ast_adopt(p, n, n->body);
    if (orelse) ast_adopt(p, n, orelse);
    return n;
}

static bool assigns_within(const token *first, const token *end)
{
    for (const token *t = first; t < end; t++)
        if (t->kind == TOK_WALRUS) return true;
    return false;
}

/* What is compared: a name, assigned in front where it is anything else or may change. */
static const ast_node *read_subject(parser *p, ast_list *out, const token *end)
{
    const token *first = p->at;
    ast_advance(p);
    ast_node *subject = ast_expressions(p);
    if (!p->panic && !ast_is(p, TOK_COLON)) ast_unexpected(p, "':'");
    if (!p->panic && subject->kind == AST_TUPLE)
        ast_hint(p, ast_error(p, subject->span, "'match' takes one number here"),
                 "use if and elif: if a == 1 and b == 2: ...");
    if (p->panic) subject = ast_bad(p);
    p->panic = false;
    p->brackets = 0;
    if (subject->kind == AST_NAME && !assigns_within(first, end)) return subject;
    const char *name = arena_printf(&p->c->arena, ".match%u", *p->ids);
    ast_node *n = assigned(p, name, subject);
    vec_push(&p->c->arena, out, n);
    return ast_named(p, name, subject->span);
}

typedef VEC(clause) clause_list;

static void read_cases(parser *p, const ast_node *subject, clause_list *to)
{
    while (ast_token_says(p, p->at, "case")) {
        if (to->n && !to->at[to->n - 1].cond) {
            ast_hint(p, ast_error(p, ast_here(p), "the case before takes any value"),
                     "'case _' is the last one");
            p->panic = false;
        }
        clause c = read_case(p, subject);
        vec_push(&p->c->arena, to, c);
    }
    if (!ast_is(p, TOK_DEDENT) && !ast_is(p, TOK_END)) ast_unexpected(p, "'case'");
    p->panic = false;
}

/* match: 'match' expression ':' NEWLINE INDENT case+ DEDENT */
void ast_match(parser *p, ast_list *out)
{
    const token *indent = ast_line_end(p->at) + 1, *behind = ast_behind_block(indent);
    const ast_node *subject = read_subject(p, out, behind);
    clause_list clauses = {0};
    p->at = indent;
    if (ast_enter(p)) {
        ast_advance(p);
        read_cases(p, subject, &clauses);
        ast_leave(p);
    }
    p->panic = false;
    p->at = behind;
    ast_list *rest = NULL; /* the cases behind one */
    for (uint32_t i = clauses.n; i-- > 0;) {
        ast_list *orelse = rest;
        rest = clauses.at[i].body;
        if (!clauses.at[i].cond && i > 0) continue;
        ast_node *n = made_if(p, &clauses.at[i], orelse);
        rest = arena_new(&p->c->arena, ast_list);
        vec_push(&p->c->arena, rest, n);
    }
    if (rest) vec_push(&p->c->arena, out, rest->at[0]);
}
