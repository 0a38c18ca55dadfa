/*
 * Statements. An error inside a statement starts the panic, which ends with that statement: each
 * function here leaves the parser behind its statement with the panic over, so that every statement
 * has its own errors. Bodies of statements that are refused are skipped.
 */
#include "lib/front/front_int.h"

static void statement(parser *p, ast_list *out);

static void add(parser *p, ast_list *out, ast_node *n)
{
    vec_push(&p->c->arena, out, n);
}

/* Ends the panic at the end of the line, where the NEWLINE is the token at hand. */
static void recover(parser *p)
{
    p->at = ast_line_end(p->at);
    p->panic = false;
    p->brackets = 0;
}

/* For an error that leaves the rest of the statement readable. */
static void report_and_go_on(parser *p, cpl_span span, const char *message, const char *hint)
{
    bool before = p->panic;
    diag *d = ast_error(p, span, "%s", message);
    if (hint) ast_hint(p, d, hint);
    p->panic = before;
}

/* Skips the rest of a refused statement, its block included. */
static void skip_statement(parser *p)
{
    recover(p);
    ast_take(p, TOK_NEWLINE);
    if (ast_is(p, TOK_INDENT)) p->at = ast_behind_block(p->at);
}

static void refuse_statement(parser *p, const char *message, const char *hint)
{
    diag *d = ast_error(p, ast_here(p), "%s", message);
    if (hint) ast_hint(p, d, hint);
}

void ast_refuse_name(parser *p, const token *name)
{
    add(p, &p->refused, ast_named(p, ast_token_name(p, name), ast_span(p, name)));
}

/* The targets of a line that is refused: a, *b = e; int n = 0 */
static void bind_refused_targets(parser *p, const token *first)
{
    const token *assign = first;
    for (const token *t = first; t < ast_line_end(first); t++) {
        if (t->kind == TOK_ASSIGN) assign = t;
        else if (t->kind != TOK_NAME && t->kind != TOK_COMMA && t->kind != TOK_MUL &&
                 t->kind != TOK_LPAREN && t->kind != TOK_RPAREN)
            break;
    }
    for (const token *t = first; t < assign; t++)
        if (t->kind == TOK_NAME && t[1].kind != TOK_NAME && t[1].kind != TOK_LPAREN)
            ast_refuse_name(p, t);
}

/* import a.b, c as d; from m import a, b as c */
static void bind_imported(parser *p)
{
    const token *t = p->at, *end = ast_line_end(t);
    while (t < end && t->kind != TOK_IMPORT) t++;
    for (bool first = true; t < end; t++) {
        if (t->kind == TOK_NAME && t[1].kind != TOK_AS && (first || t[-1].kind == TOK_AS))
            ast_refuse_name(p, t);
        first = t->kind == TOK_COMMA || t->kind == TOK_IMPORT || t->kind == TOK_LPAREN;
    }
}

/* In front of the body, which is as good as where they stood: nothing of it will run. */
void ast_bind_refused(parser *p, ast_list *body)
{
    if (!p->refused.n) return;
    ast_node *value = ast_bad(p);
    add(p, &p->refused, value);
    ast_node *n = ast_new(p, AST_ASSIGN, value->span, p->refused.at, p->refused.n);
    add(p, body, n);
    memmove(body->at + 1, body->at, (body->n - 1) * sizeof *body->at);
    body->at[0] = n;
}

/* blocks */

static void statements(parser *p, ast_list *out)
{
    uint32_t extra = 0;  /* indents that do not belong there */
    bool failed = false; /* the statement before is unreadable, so it may have begun a block */
    while (!ast_is(p, TOK_END)) {
        if (ast_take(p, TOK_DEDENT)) {
            if (extra == 0) return;
            extra--;
        } else if (ast_is(p, TOK_INDENT)) {
            if (!failed) report_and_go_on(p, ast_span(p, p->at + 1), "unexpected indent", NULL);
            ast_advance(p);
            extra++;
        } else {
            uint32_t errors = p->c->diags.errors;
            statement(p, out);
            failed = p->c->diags.errors > errors;
            continue;
        }
        failed = false;
    }
}

static void simple_statements(parser *p, ast_list *out);

void ast_body(parser *p, ast_list *out, const char *what, const token *first)
{
    if (!ast_take(p, TOK_NEWLINE)) {
        simple_statements(p, out);
        return;
    }
    if (!ast_is(p, TOK_INDENT)) {
        ast_error(p, ast_span(p, first), "expected an indented block behind this '%s'", what);
        p->panic = false;
        return;
    }
    if (!ast_enter(p)) {
        p->panic = false;
        p->at = ast_behind_block(p->at);
        return;
    }
    ast_advance(p);
    statements(p, out);
    ast_leave(p);
}

void ast_suite(parser *p, ast_list *out, const char *what, const token *first)
{
    if (!p->panic && ast_is(p, TOK_ASSIGN)) {
        diag *d = ast_unexpected(p, "':'");
        bool angle = p->at[1].kind == TOK_LT || p->at[1].kind == TOK_GT;
        ast_hint(p, d, angle ? "the order of signs is '<=', '>='" : "'==' compares");
    } else if (!p->panic && ast_is(p, TOK_IF) && first->kind == TOK_ELSE) {
        diag *d = ast_unexpected(p, "':'");
        ast_hint(p, d, "write 'elif'");
    }
    if (!ast_expect(p, TOK_COLON)) {
        recover(p);
        if (p->at->kind == TOK_END || p->at[1].kind != TOK_INDENT) {
            ast_take(p, TOK_NEWLINE);
            return;
        }
    }
    ast_body(p, out, what, first);
}

/* assignments */

static const char *what_it_is(const ast_node *n)
{
    switch (n->kind) {
    case AST_CALL: return "a call";
    case AST_BOOL:
    case AST_NONE: return "a keyword";
    case AST_INT:
    case AST_FLOAT:
    case AST_IMAGINARY:
    case AST_STRING: return "a literal";
    case AST_COMPARE: return "a comparison";
    case AST_TERNARY: return "a choice";
    default: return "an expression";
    }
}

/* [a, b] = f(x) is a, b = f(x). */
static void take_lists_for_tuples(ast_node *target)
{
    if (target->kind == AST_LIST) target->kind = AST_TUPLE;
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        take_lists_for_tuples(target->kids[i]);
}

static bool check_target(parser *p, ast_node *t)
{
    take_lists_for_tuples(t);
    bool fine = t->kind == AST_NAME || t->kind == AST_INDEX || t->kind == AST_ATTRIBUTE ||
                t->kind == AST_ERROR;
    if (t->kind == AST_TUPLE) {
        fine = true;
        for (uint32_t i = 0; fine && i < t->kid_count; i++) fine = check_target(p, t->kids[i]);
        return fine;
    }
    if (!fine) {
        const char *message = arena_printf(&p->c->arena, "cannot assign to %s", what_it_is(t));
        report_and_go_on(p, t->span, message,
                         t->kind == AST_COMPARE ? "'==' compares, '=' assigns"
                         : t->kind == AST_BINARY && t->op == TOK_MUL
                             ? "a type is given by: x = declare('int'), or x: int = 0"
                         : t->kind == AST_CALL ? "an element is written x[i]"
                                               : NULL);
    }
    return fine;
}

static ast_node *finish(parser *p, ast_kind kind, const token *op, uint32_t begin, ast_node **kids,
                        uint32_t n)
{
    ast_node *node = ast_new(p, kind, ast_until_here(p, begin), kids, n);
    node->op_span = ast_span(p, op);
    return node;
}

/* annotated: NAME ':' expression ['=' expressions] */
static ast_node *annotated(parser *p, ast_node *target)
{
    const token *colon = p->at;
    ast_advance(p);
    ast_node *kids[3] = {target, ast_expression(p), NULL};
    uint32_t n = 2;
    if (!p->panic && ast_take(p, TOK_ASSIGN)) kids[n++] = ast_expressions(p);
    if (target->kind != AST_NAME && target->kind != AST_ERROR) {
        report_and_go_on(p, target->span, "only a name takes an annotation", NULL);
        return ast_bad(p);
    }
    return finish(p, AST_ANNASSIGN, colon, target->span.begin, kids, n);
}

/* augmented: expression ('+=' | '-=' | ...) expressions */
static ast_node *augmented(parser *p, ast_node *target, token_kind op)
{
    const token *at = p->at;
    ast_advance(p);
    ast_node *kids[2] = {target, ast_expressions(p)};
    if (target->kind == AST_TUPLE || target->kind == AST_LIST) {
        report_and_go_on(p, target->span, "an augmented assignment has one target", NULL);
        return ast_bad(p);
    }
    if (!check_target(p, target)) return ast_bad(p);
    ast_node *node = finish(p, AST_AUGASSIGN, at, target->span.begin, kids, 2);
    node->op = (uint8_t)op;
    return node;
}

static void bind_refused_names(parser *p, ast_node *target)
{
    if (target->kind == AST_NAME) add(p, &p->refused, target);
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        bind_refused_names(p, target->kids[i]);
}

/* assignment: (expressions '=')+ expressions */
static ast_node *assignment(parser *p, ast_node *first)
{
    const token *op = p->at;
    ast_list kids = {0};
    bool fine = check_target(p, first);
    add(p, &kids, first);
    while (!p->panic && ast_take(p, TOK_ASSIGN)) {
        ast_node *next = ast_expressions(p);
        add(p, &kids, next);
        if (!p->panic && ast_is(p, TOK_ASSIGN)) fine = check_target(p, next) && fine;
    }
    for (uint32_t i = 0; !fine && i + 1 < kids.n; i++) bind_refused_names(p, kids.at[i]);
    return fine ? finish(p, AST_ASSIGN, op, first->span.begin, kids.at, kids.n) : ast_bad(p);
}

/*
 * Targets inside of targets are statements of their own:
 *     (p, q), r = e    is    t, r = e; p, q = t
 * where all are names, else every target behind the first such tuple waits in a t. Literals go to
 * their targets at once: (p, q), r = (1, 2), 3 is p, q, r = 1, 2, 3.
 */
typedef struct pair {
    ast_node *target, *value;
} pair;

typedef VEC(pair) pair_vec;

static bool is_nested(const ast_node *target)
{
    for (uint32_t i = 0; target->kind == AST_TUPLE && i < target->kid_count; i++)
        if (target->kids[i]->kind == AST_TUPLE) return true;
    return false;
}

static bool all_names(const ast_node *target)
{
    if (target->kind != AST_TUPLE) return target->kind == AST_NAME;
    for (uint32_t i = 0; i < target->kid_count; i++)
        if (!all_names(target->kids[i])) return false;
    return true;
}

static void flatten(parser *p, ast_node *target, ast_node *value, pair_vec *pairs)
{
    bool fits = target->kind == AST_TUPLE && value->kind == AST_TUPLE &&
                target->kid_count == value->kid_count;
    if (!fits) vec_push(&p->c->arena, pairs, ((pair){target, value}));
    for (uint32_t i = 0; fits && i < target->kid_count; i++)
        flatten(p, target->kids[i], value->kids[i], pairs);
}

/* The target with names in place of what waits; these come to pairs. */
static ast_node *without_tuples(parser *p, const ast_node *target, pair_vec *pairs)
{
    bool wait = false, names = all_names(target);
    ast_node **kids = arena_array(&p->c->arena, target->kid_count, sizeof *kids);
    for (uint32_t i = 0; i < target->kid_count; i++) {
        ast_node *kid = kids[i] = target->kids[i];
        if (kid->kind == AST_TUPLE) wait = true;
        if (kid->kind != AST_TUPLE && (names || !wait)) continue;
        const char *name = arena_printf(&p->c->arena, "tuple.%u", kid->id);
        kids[i] = ast_named(p, name, kid->span);
        vec_push(&p->c->arena, pairs, ((pair){kid, ast_named(p, name, kid->span)}));
    }
    ast_node *n = ast_new(p, AST_TUPLE, target->span, kids, target->kid_count);
    n->op_span = target->op_span;
    return n;
}

static ast_node *assignment_of(parser *p, const ast_node *like, ast_node **kids, uint32_t n)
{
    ast_node *s = ast_new(p, AST_ASSIGN, like->span, kids, n);
    s->op_span = like->op_span;
    return s;
}

static ast_node *tuple_of(parser *p, const ast_node *like, const pair_vec *pairs, bool values)
{
    ast_node **kids = arena_array(&p->c->arena, pairs->n, sizeof *kids);
    for (uint32_t i = 0; i < pairs->n; i++)
        kids[i] = values ? pairs->at[i].value : pairs->at[i].target;
    ast_node *n = ast_new(p, AST_TUPLE, like->span, kids, pairs->n);
    n->op_span = like->op_span;
    return n;
}

static void add_assignment(parser *p, ast_list *out, ast_node *n)
{
    pair_vec pairs = {0};
    bool nested = false;
    for (uint32_t i = 0; n->kind == AST_ASSIGN && i + 1 < n->kid_count; i++)
        nested |= is_nested(n->kids[i]);
    if (nested && n->kid_count == 2 && n->kids[1]->kind == AST_TUPLE) {
        flatten(p, n->kids[0], n->kids[1], &pairs);
        ast_node *kids[2] = {n->kids[0], n->kids[1]};
        if (pairs.n > 1) {
            kids[0] = tuple_of(p, kids[0], &pairs, false);
            kids[1] = tuple_of(p, kids[1], &pairs, true);
        }
        n = assignment_of(p, n, kids, 2);
        pairs.n = 0;
    }
    for (uint32_t i = 0; nested && i + 1 < n->kid_count; i++)
        if (is_nested(n->kids[i])) n->kids[i] = without_tuples(p, n->kids[i], &pairs);
    add(p, out, n);
    for (uint32_t i = 0; i < pairs.n; i++) {
        ast_node *kids[2] = {pairs.at[i].target, pairs.at[i].value};
        add_assignment(p, out, assignment_of(p, n, kids, 2));
    }
}

/* The operator of an augmented assignment, or TOK_END. */
static token_kind augmented_operator(token_kind kind)
{
    switch (kind) {
    case TOK_POW_ASSIGN: return TOK_POW;
    case TOK_FLOORDIV_ASSIGN: return TOK_FLOORDIV;
    case TOK_SHL_ASSIGN: return TOK_SHL;
    case TOK_SHR_ASSIGN: return TOK_SHR;
    case TOK_ADD_ASSIGN: return TOK_ADD;
    case TOK_SUB_ASSIGN: return TOK_SUB;
    case TOK_MUL_ASSIGN: return TOK_MUL;
    case TOK_DIV_ASSIGN: return TOK_DIV;
    case TOK_MOD_ASSIGN: return TOK_MOD;
    case TOK_AND_ASSIGN: return TOK_BITAND;
    case TOK_OR_ASSIGN: return TOK_BITOR;
    case TOK_XOR_ASSIGN: return TOK_BITXOR;
    case TOK_MATMUL_ASSIGN: return TOK_MATMUL;
    default: return TOK_END;
    }
}

static ast_node *expression_statement(parser *p)
{
    const token *first = p->at;
    ast_node *e = ast_expressions(p);
    if (p->panic) {
        bind_refused_targets(p, first);
        return e;
    }
    token_kind op = augmented_operator(p->at->kind);
    if (op != TOK_END) return augmented(p, e, op);
    if (ast_is(p, TOK_ASSIGN)) return assignment(p, e);
    if (ast_is(p, TOK_COLON)) {
        /* `whlie x < 3:`, `els:`: no annotation stands behind the colon */
        if (p->at[1].kind != TOK_NEWLINE && p->at[1].kind != TOK_END) return annotated(p, e);
        return e;
    }
    return finish(p, AST_EXPR, first, first->begin, &e, 1);
}

/* `int k = 3`, `y = (int)x` and `if (int)x:` are one mistake: what was read in front of it says
 * nothing. */
static ast_node *read_whole(parser *p, ast_node *e, bool heads_block)
{
    switch (p->at->kind) {
    case TOK_NEWLINE:
    case TOK_END:
    case TOK_SEMICOLON: return e;
    case TOK_COLON: return heads_block ? e : ast_bad(p);
    default: return p->panic ? e : ast_bad(p);
    }
}

/* simple statements */

static ast_node *return_statement(parser *p)
{
    const token *first = p->at;
    ast_advance(p);
    ast_node *value = NULL;
    if (!ast_is(p, TOK_NEWLINE) && !ast_is(p, TOK_SEMICOLON) && !ast_is(p, TOK_END))
        value = ast_expressions(p);
    return finish(p, AST_RETURN, first, first->begin, &value, value ? 1 : 0);
}

/* assert: 'assert' expression [',' expression] */
static ast_node *assert_statement(parser *p)
{
    const token *first = p->at;
    ast_advance(p);
    ast_node *kids[2] = {ast_expression(p), NULL};
    uint32_t n = 1;
    if (kids[0]->kind == AST_TUPLE) {
        report_and_go_on(p, kids[0]->span, "an assertion of several values always holds",
                         "without brackets: assert x > 0, 'text'");
        kids[0] = ast_bad(p);
    }
    if (!p->panic && ast_take(p, TOK_COMMA)) kids[n++] = ast_expression(p);
    return finish(p, AST_ASSERT, first, first->begin, kids, n);
}

static ast_node *jump(parser *p, ast_kind kind)
{
    const token *first = p->at;
    if (kind != AST_PASS && p->loops == 0)
        report_and_go_on(p, ast_here(p),
                         kind == AST_BREAK ? "'break' outside a loop" : "'continue' outside a loop",
                         NULL);
    ast_advance(p);
    return finish(p, kind, first, first->begin, NULL, 0);
}

static ast_node *refused(parser *p, const char *message, const char *hint)
{
    refuse_statement(p, message, hint);
    return ast_bad(p);
}

/* simple_statement: expression_statement | return | assert | break | continue | pass */
static ast_node *simple_statement(parser *p)
{
    switch (p->at->kind) {
    case TOK_RETURN: return return_statement(p);
    case TOK_ASSERT: return assert_statement(p);
    case TOK_BREAK: return jump(p, AST_BREAK);
    case TOK_CONTINUE: return jump(p, AST_CONTINUE);
    case TOK_PASS: return jump(p, AST_PASS);
    case TOK_GLOBAL:
        return refused(p, "'global' is not supported",
                       "constants of the file can be read; pass what changes as an argument");
    case TOK_NONLOCAL:
        return refused(p, "'nonlocal' is not supported", "pass what changes as an argument");
    case TOK_DEL: return refused(p, "'del' is not supported", "locals end with the function");
    case TOK_RAISE:
        return refused(p, "'raise' is not supported",
                       "check with 'assert', or store an error code in an array");
    case TOK_IMPORT:
    case TOK_FROM:
        bind_imported(p);
        return refused(p, "imports inside functions are not supported",
                       "import at the top of the file");
    default: break;
    }
    if (ast_token_says(p, p->at, "type") && p->at[1].kind == TOK_NAME)
        return refused(p, "type aliases are not supported", NULL);
    return expression_statement(p);
}

/* A misspelt keyword: `whlie x:`, `retrun x`. */
static void suggest_keyword(parser *p, diag *d, const token *first)
{
    if (!d || d->hint || first->kind != TOK_NAME) return;
    suggester s;
    suggest_init(&s, ast_token_name(p, first));
    static const uint8_t words[] = {TOK_ASSERT, TOK_BREAK, TOK_CONTINUE, TOK_ELIF,
                                    TOK_ELSE,   TOK_FOR,   TOK_IF,       TOK_PASS,
                                    TOK_RETURN, TOK_WHILE, TOK_WITH};
    for (size_t i = 0; i < COUNT_OF(words); i++) suggest_offer(&s, token_text(words[i]));
    const char *best = suggest_best(&s);
    if (best) ast_hint(p, d, arena_printf(&p->c->arena, "did you mean '%s'?", best));
}

/* simple_statements: simple_statement (';' simple_statement)* [';'] NEWLINE */
static void simple_statements(parser *p, ast_list *out)
{
    while (!p->panic && !ast_is(p, TOK_NEWLINE) && !ast_is(p, TOK_END)) {
        const token *first = p->at;
        ast_node *s = simple_statement(p);
        if (s->kid_count > 0)
            s->kids[s->kid_count - 1] = read_whole(p, s->kids[s->kid_count - 1], false);
        add_assignment(p, out, s);
        if (p->panic || ast_is(p, TOK_NEWLINE) || ast_is(p, TOK_END)) break;
        if (ast_take(p, TOK_SEMICOLON)) continue;
        suggest_keyword(p, ast_unexpected(p, "an operator or the end of the line"), first);
        bind_refused_targets(p, first);
    }
    recover(p);
    ast_take(p, TOK_NEWLINE);
}

/* compound statements */

static ast_list *new_list(parser *p)
{
    return arena_new(&p->c->arena, ast_list);
}

/* 'else' ':' block, or NULL */
static ast_list *else_clause(parser *p)
{
    const token *first = p->at;
    if (!ast_take(p, TOK_ELSE)) return NULL;
    ast_list *orelse = new_list(p);
    ast_suite(p, orelse, "else", first);
    return orelse;
}

static ast_node *compound(parser *p, ast_kind kind, const token *first, ast_node **kids, uint32_t n,
                          ast_list *body, ast_list *orelse)
{
    ast_node *node = finish(p, kind, first, first->begin, kids, n);
    node->body = body;
    node->orelse = orelse;
    ast_adopt(p, node, body);
    if (node->orelse) ast_adopt(p, node, orelse);
    p->panic = false;
    return node;
}

/* if_statement: 'if' expression ':' block ('elif' expression ':' block)* ['else' ':' block] */
static ast_node *if_statement(parser *p)
{
    typedef struct arm {
        const token *first;
        ast_node *cond;
        ast_list *body;
    } arm;
    VEC(arm) arms = {0};
    do {
        arm a = {.first = p->at, .body = new_list(p)};
        ast_advance(p);
        a.cond = read_whole(p, ast_expression(p), true);
        ast_suite(p, a.body, token_text(a.first->kind), a.first);
        vec_push(&p->c->arena, &arms, a);
    } while (ast_is(p, TOK_ELIF));
    ast_list *orelse = else_clause(p);
    for (uint32_t i = arms.n; i-- > 1;) {
        ast_node *n =
            compound(p, AST_IF, arms.at[i].first, &arms.at[i].cond, 1, arms.at[i].body, orelse);
        orelse = new_list(p);
        add(p, orelse, n);
    }
    return compound(p, AST_IF, arms.at[0].first, &arms.at[0].cond, 1, arms.at[0].body, orelse);
}

/* while_statement: 'while' expression ':' block ['else' ':' block] */
static ast_node *while_statement(parser *p)
{
    const token *first = p->at;
    ast_advance(p);
    ast_node *cond = read_whole(p, ast_expression(p), true);
    ast_list *body = new_list(p);
    p->loops++;
    ast_suite(p, body, "while", first);
    p->loops--;
    ast_list *orelse = else_clause(p);
    return compound(p, AST_WHILE, first, &cond, 1, body, orelse);
}

/* Whether rounds of a loop over n may give several values. */
static bool gives_several(const ast_node *n)
{
    if (n->kind == AST_NAME || n->kind == AST_ATTRIBUTE || n->kind == AST_INDEX) return true;
    if (n->kind == AST_TUPLE || n->kind == AST_LIST) return true;
    if (n->kind == AST_CALL && n->kids[0]->kind == AST_ATTRIBUTE) return true;
    return n->kind == AST_CALL && n->kids[0]->kind == AST_NAME &&
           (strcmp(n->kids[0]->name, "enumerate") == 0 || strcmp(n->kids[0]->name, "zip") == 0);
}

/* for_statement: 'for' targets 'in' expressions ':' block ['else' ':' block] */
static ast_node *for_statement(parser *p)
{
    const token *first = p->at;
    ast_advance(p);
    ast_node *kids[2] = {ast_targets(p), NULL};
    take_lists_for_tuples(kids[0]);
    if (p->panic) bind_refused_targets(p, first + 1);
    bool several = !p->panic && kids[0]->kind != AST_NAME;
    kids[1] = ast_expect(p, TOK_IN) ? read_whole(p, ast_expressions(p), true) : ast_bad(p);
    bool fits = kids[0]->kind == AST_TUPLE && gives_several(kids[1]);
    if (several && !fits) /* kept: the names in it are known in the body */
        report_and_go_on(p, kids[0]->span, "the variable of a 'for' must be one name",
                         "for i, v in enumerate(x): ..., for a, b in zip(x, y): ...");
    ast_list *body = new_list(p);
    p->loops++;
    ast_suite(p, body, "for", first);
    p->loops--;
    ast_list *orelse = else_clause(p);
    return compound(p, AST_FOR, first, kids, 2, body, orelse);
}

static void refuse_as(parser *p)
{
    if (p->at[1].kind == TOK_NAME) ast_refuse_name(p, p->at + 1);
    refuse_statement(p, "'as' is not supported in 'with'", "accepted are: with nogil, parallel():");
}

/* with_statement: 'with' expressions ':' block */
static ast_node *with_statement(parser *p)
{
    const token *first = p->at;
    ast_advance(p);
    ast_node *items = ast_expressions(p);
    if (!p->panic && ast_is(p, TOK_AS)) refuse_as(p);
    ast_list *body = new_list(p);
    ast_suite(p, body, "with", first);
    bool many = items->kind == AST_TUPLE;
    return compound(p, AST_WITH, first, many ? items->kids : &items, many ? items->kid_count : 1,
                    body, NULL);
}

/* The body of a refused try is read for its own errors; its handlers are skipped. */
static void try_statement(parser *p, ast_list *out)
{
    const token *first = p->at;
    refuse_statement(p, "'try' is not supported",
                     "check values before they are used: nothing raises in a kernel");
    p->panic = false;
    ast_advance(p);
    ast_suite(p, out, "try", first);
    while (ast_is(p, TOK_EXCEPT) || ast_is(p, TOK_FINALLY) || ast_is(p, TOK_ELSE))
        skip_statement(p);
}

/* `match` is a keyword only where a block of cases follows. */
static bool is_match(const parser *p)
{
    if (!ast_token_says(p, p->at, "match")) return false;
    const token *end = ast_line_end(p->at);
    return end->kind == TOK_NEWLINE && end[-1].kind == TOK_COLON && end[1].kind == TOK_INDENT &&
           ast_token_says(p, end + 2, "case");
}

static const token *behind_decorators(const token *t)
{
    while (t->kind == TOK_MATMUL) {
        t = ast_line_end(t);
        if (t->kind == TOK_NEWLINE) t++;
    }
    return t;
}

/* A function inside of another one is a lambda with statements, that its name is given. */
static void nested_definition(parser *p, ast_list *out)
{
    const token *first = p->at, *t = behind_decorators(first);
    if (t->kind == TOK_DEF && t[1].kind == TOK_NAME) {
        ast_node *kids[2] = {NULL, NULL};
        kids[0] = ast_new(p, AST_NAME, ast_span(p, t + 1), NULL, 0);
        kids[0]->name = ast_token_name(p, t + 1);
        kids[1] = ast_nested_function(p);
        add(p, out, finish(p, AST_ASSIGN, t, t->begin, kids, 2));
        if (p->at == first) skip_statement(p); /* it is too deep */
        return;
    }
    if (t->kind != TOK_CLASS) {
        p->at = t->kind == TOK_DEF ? t + 1 : t;
        ast_unexpected(p, t->kind == TOK_DEF ? "the name of the function" : "'def'");
    } else {
        refuse_statement(p, "classes inside functions are not supported",
                         "define it at the top level of the file");
        if (t[1].kind == TOK_NAME) ast_refuse_name(p, t + 1);
    }
    p->at = t;
    skip_statement(p);
}

/* statement: simple_statements | if | while | for | with | match */
static void statement(parser *p, ast_list *out)
{
    switch (p->at->kind) {
    case TOK_IF: add(p, out, if_statement(p)); return;
    case TOK_WHILE: add(p, out, while_statement(p)); return;
    case TOK_FOR: add(p, out, for_statement(p)); return;
    case TOK_WITH: add(p, out, with_statement(p)); return;
    case TOK_TRY: try_statement(p, out); return;
    case TOK_DEF:
    case TOK_CLASS:
    case TOK_MATMUL: nested_definition(p, out); return;
    case TOK_ASYNC:
        refuse_statement(p, "'async' and 'await' are not supported", "a kernel runs to its end");
        skip_statement(p);
        return;
    case TOK_ELIF:
    case TOK_ELSE:
    case TOK_EXCEPT:
    case TOK_FINALLY:
        refuse_statement(p,
                         arena_printf(&p->c->arena, "'%s' does not belong to a statement before it",
                                      token_text(p->at->kind)),
                         "is it indented as the statement it belongs to?");
        recover(p);
        ast_take(p, TOK_NEWLINE);
        return;
    default: break;
    }
    if (is_match(p)) {
        ast_match(p, out);
        return;
    }
    simple_statements(p, out);
}
