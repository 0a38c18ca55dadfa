/* The parser's state: tokens, errors and recovery, nodes and their limits. */
#include "lib/front/front_int.h"

#include <stdio.h>

void ast_start(parser *p, ast_file *f, uint32_t at, uint32_t *ids, bool quiet)
{
    *p = (parser){.file = f,
                  .c = f->comp,
                  .at = f->tokens.at + at,
                  .ids = ids,
                  .first_id = *ids,
                  .quiet = quiet};
}

/* tokens */

cpl_span ast_span(const parser *p, const token *t)
{
    return (cpl_span){p->file->src->id, t->begin, t->end};
}

cpl_span ast_here(const parser *p)
{
    return ast_span(p, p->at);
}

cpl_span ast_until_here(const parser *p, uint32_t begin)
{
    const token *t = p->at;
    while (t > p->file->tokens.at &&
           (t[-1].kind == TOK_NEWLINE || t[-1].kind == TOK_INDENT || t[-1].kind == TOK_DEDENT))
        t--;
    uint32_t end = t > p->file->tokens.at ? t[-1].end : begin;
    return (cpl_span){p->file->src->id, begin, end > begin ? end : begin};
}

bool ast_is(const parser *p, token_kind kind)
{
    return p->at->kind == kind;
}

void ast_advance(parser *p)
{
    if (p->at->kind != TOK_END) p->at++;
}

bool ast_take(parser *p, token_kind kind)
{
    if (p->at->kind != kind) return false;
    ast_advance(p);
    return true;
}

const char *ast_token_name(parser *p, const token *t)
{
    return front_name(&p->c->arena, p->file->src->text + t->begin, t->end - t->begin);
}

bool ast_token_says(const parser *p, const token *t, const char *word)
{
    size_t n = strlen(word);
    return t->kind == TOK_NAME && t->end - t->begin == n &&
           memcmp(p->file->src->text + t->begin, word, n) == 0;
}

/* errors */

static diag *report(parser *p, cpl_status status, cpl_span span, const char *format, va_list args)
{
    bool silent = p->panic || p->quiet;
    p->panic = p->failed = true;
    if (silent) return NULL;
    return diag_error(&p->c->diags, status, span, "%s", arena_vprintf(&p->c->arena, format, args));
}

diag *ast_error(parser *p, cpl_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag *d = report(p, CPL_ESYNTAX, span, format, args);
    va_end(args);
    return d;
}

diag *ast_limit(parser *p, cpl_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag *d = report(p, CPL_ELIMIT, span, format, args);
    va_end(args);
    return d;
}

void ast_hint(parser *p, diag *d, const char *text)
{
    if (d) diag_hint(&p->c->diags, d, "%s", text);
}

void ast_note(parser *p, diag *d, cpl_span span, const char *format, ...)
{
    if (!d) return;
    va_list args;
    va_start(args, format);
    diag_note(&p->c->diags, d, span, "%s", arena_vprintf(&p->c->arena, format, args));
    va_end(args);
}

static bool names_type(const parser *p, const token *t)
{
    static const char *const types[] = {"int",  "float", "double", "long",  "unsigned", "char",
                                        "bool", "short", "auto",   "const", "var",      "size_t"};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (ast_token_says(p, t, types[i])) return true;
    return false;
}

/* for (k = 0; ...), for (int k = 0; ...) */
static const char *c_loop(parser *p, const token *before)
{
    const token *open = before;
    while (open > p->file->tokens.at && open->kind == TOK_NAME) open--;
    if (open->kind != TOK_LPAREN || open == p->file->tokens.at || open[-1].kind != TOK_FOR ||
        open == before)
        return NULL;
    const token *name = p->at->kind == TOK_NAME ? p->at : before;
    return arena_printf(&p->c->arena, "a loop is written: for %s in range(n): ...",
                        ast_token_name(p, name));
}

/* Words of other languages, at or in front of the mistake. */
static const char *foreign_word(parser *p, const token *before)
{
    static const struct {
        const char *word, *hint;
        bool here;
    } rows[] = {
        {"then", "what is done stands behind ':'", true},
        {"do", "what is done stands behind ':'", true},
        {"print", "call it: print(a, b)", false},
        {"match", "'match' has a block of cases: case 1: ..., case 2: ...", false},
        {"switch", "'switch' is written: if n == 1: ... elif n == 2: ...", false},
        {"foreach", "a loop is written: for v in x: ...", false},
        {"until", "'until' is written: while not ...", false},
        {"unless", "'unless' is written: if not ...", false},
        {"new", "without it, a call of the class: Point(1, 2)", false},
        {"__shared__", "s = declare('LOCAL_MEM matrix(16, \"float\")')", false},
        {"__local", "s = declare('LOCAL_MEM matrix(16, \"float\")')", false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (ast_token_says(p, rows[i].here ? p->at : before, rows[i].word)) return rows[i].hint;
    return NULL;
}

/* for (i in range(n)): */
bool ast_begins_for(const parser *p)
{
    const token *t = p->at;
    while (t > p->file->tokens.at && t[-1].kind != TOK_NEWLINE && t->kind != TOK_FOR) t--;
    return t->kind == TOK_FOR;
}

/* What C and other languages write there. */
static const char *habit(parser *p)
{
    const token *before = p->at > p->file->tokens.at ? p->at - 1 : p->at;
    const char *loop = c_loop(p, before);
    if (loop) return loop;
    bool twice = before > p->file->tokens.at && before[-1].kind == before->kind &&
                 before[-1].end == before->begin;
    if (p->at->kind == TOK_BITAND && before->kind == TOK_BITAND) return "write 'and'";
    if (p->at->kind == TOK_BITOR && before->kind == TOK_BITOR) return "write 'or'";
    if (p->at->kind == TOK_ELSE && before->kind == TOK_COLON) return NULL;
    if (twice && before->kind == TOK_ADD) return "to add one, write: x += 1";
    if (twice && before->kind == TOK_SUB) return "to subtract one, write: x -= 1";
    if (p->at->kind == TOK_GT && before->kind == TOK_LT) return "write '!='";
    if (p->at->kind == TOK_BITAND) return "a pointer to an element is address(x[i])";
    if (p->at->kind == TOK_LBRACE) return "a block stands indented behind ':'";
    if (p->at->kind == TOK_ELSE)
        return "'else' begins a line, or is written: a if condition else b";
    const char *word = foreign_word(p, before);
    if (word) return word;
    if (p->at->kind == TOK_COLON && p->at[1].kind == TOK_COLON)
        return "names of modules are followed by a dot: math.sqrt(x)";
    if (p->at->kind == TOK_ARROW) return "a field, through a pointer too, is written p.x";
    if (p->at->kind == TOK_NAME && before->kind == TOK_NAME && names_type(p, before) &&
        before - 2 >= p->file->tokens.at && before[-2].kind == TOK_FOR)
        return "a loop is written: for i in range(n): ...";
    if (p->at->kind == TOK_NAME && before->kind == TOK_NAME && names_type(p, before) &&
        p->at[1].kind == TOK_RPAREN)
        return arena_printf(&p->c->arena, "a conversion is written: cast(x, '%s %s')",
                            ast_token_name(p, before), ast_token_name(p, p->at));
    if (p->at->kind == TOK_NAME && before->kind == TOK_NAME && names_type(p, before))
        return "a type is given by: x = declare('int'), or x: int = 0";
    if (p->at->kind == TOK_RPAREN && before->kind == TOK_MUL && names_type(p, before - 1))
        return arena_printf(&p->c->arena, "a conversion is written: cast(x, '%s*')",
                            ast_token_name(p, before - 1));
    if (p->at->kind == TOK_NAME && before->kind == TOK_RPAREN && names_type(p, before - 1))
        return arena_printf(&p->c->arena, "a conversion is written: %s(x)",
                            ast_token_name(p, before - 1));
    return NULL;
}

/* "'name'" or "end of line": how messages quote a token. */
static const char *quoted(parser *p, const token *t)
{
    switch (t->kind) {
    case TOK_END:
    case TOK_NEWLINE:
    case TOK_INDENT:
    case TOK_DEDENT: return token_text(t->kind);
    default: {
        int n = (int)(t->end - t->begin);
        return arena_printf(&p->c->arena, n > 40 ? "'%.*s...'" : "'%.*s'", n > 40 ? 40 : n,
                            p->file->src->text + t->begin);
    }
    }
}

diag *ast_unexpected(parser *p, const char *wanted)
{
    const token *t = p->at;
    if (t->kind == TOK_ERROR) {
        if (!p->quiet && !p->panic) lex_report(p->c, p->file->src, t);
        p->panic = p->failed = true;
        return NULL;
    }
    bool closer = t->kind == TOK_RPAREN || t->kind == TOK_RBRACKET || t->kind == TOK_RBRACE;
    if (closer && p->brackets == 0)
        return ast_error(p, ast_here(p), "unmatched '%s'", token_text(t->kind));
    if (t->kind == TOK_WALRUS) {
        diag *d = ast_error(p, ast_here(p), "assignment expressions (':=') are not supported");
        ast_hint(p, d, "assign in a statement of its own");
        return d;
    }
    if (t->kind == TOK_YIELD || t->kind == TOK_AWAIT || t->kind == TOK_LAMBDA) {
        diag *d = ast_error(p, ast_here(p), "'%s' is not supported in an expression",
                            token_text(t->kind));
        return d;
    }
    diag *d = ast_error(p, ast_here(p), "expected %s, found %s", wanted, quoted(p, t));
    const char *hint = habit(p);
    if (hint) ast_hint(p, d, hint);
    return d;
}

bool ast_expect(parser *p, token_kind kind)
{
    if (p->panic) return false;
    if (ast_take(p, kind)) return true;
    ast_unexpected(p, kind == TOK_NAME      ? "a name"
                      : kind == TOK_NEWLINE ? token_text(kind)
                                            : arena_printf(&p->c->arena, "'%s'", token_text(kind)));
    return false;
}

bool ast_close(parser *p, token_kind kind, const token *open)
{
    if (p->panic) return false;
    const char *open_text = token_text((token_kind)open->kind);
    if (ast_is(p, kind)) {
        ast_advance(p);
        return true;
    }
    if (p->at->kind == TOK_NEWLINE || p->at->kind == TOK_END) {
        ast_error(p, ast_span(p, open), "'%s' was never closed", open_text);
        return false;
    }
    diag *d;
    if (p->at->kind == TOK_RPAREN || p->at->kind == TOK_RBRACKET || p->at->kind == TOK_RBRACE) {
        d = ast_error(p, ast_here(p), "'%s' does not match '%s'", token_text(p->at->kind),
                      open_text);
    } else {
        d = ast_unexpected(p, arena_printf(&p->c->arena,
                                           open->kind == TOK_LPAREN ? "',' or '%s'" : "'%s'",
                                           token_text(kind)));
    }
    ast_note(p, d, ast_span(p, open), "'%s' was opened here", open_text);
    return false;
}

/* limits */

bool ast_enter(parser *p)
{
    uint32_t limit = p->c->max_nesting ? p->c->max_nesting : LIMIT_NESTING;
    if (p->depth > limit) { /* the block of the function itself is not counted */
        diag *d = ast_limit(p, ast_here(p),
                            "brackets, operators and blocks are nested more than %u deep", limit);
        ast_hint(p, d, "split it with variables or functions, or raise the option max_nesting");
        return false;
    }
    p->depth++;
    return true;
}

void ast_leave(parser *p)
{
    p->depth--;
}

/*
 * Chains (a + b + c, if elif elif) are read in loops, but make trees as high as they are long,
 * which the later stages walk by recursion. Each operator makes an IR node, so a tree of more than
 * max_ops levels cannot be compiled; half of that is refused here.
 */
static bool too_high(parser *p, uint32_t height, cpl_span span)
{
    uint32_t limit = (p->c->max_ops ? p->c->max_ops : LIMIT_OPS) / 2;
    if (limit == 0) limit = 1;
    if (height <= limit) return false;
    diag *d = ast_limit(p, (cpl_span){span.file, span.begin, span.begin + 1},
                        "a chain of more than %u operators or branches", limit);
    ast_hint(p, d, "split it with variables or functions, or raise the option max_ops");
    return true;
}

/* nodes */

static uint32_t height_of(const parser *p, const ast_node *n)
{
    /* nodes of an earlier parser (a signature's) are no kids of this one's */
    return p->heights.at[n->id - p->first_id];
}

ast_node *ast_bad(parser *p)
{
    ast_node *n = arena_new(&p->c->arena, ast_node);
    n->kind = AST_ERROR;
    n->span = ast_here(p);
    n->id = (*p->ids)++;
    uint32_t height = 1;
    vec_push(&p->c->arena, &p->heights, height);
    p->failed = true;
    return n;
}

ast_node *ast_new(parser *p, ast_kind kind, cpl_span span, ast_node **kids, uint32_t kid_count)
{
    uint32_t height = 0;
    for (uint32_t i = 0; i < kid_count; i++) {
        uint32_t h = height_of(p, kids[i]);
        if (h > height) height = h;
    }
    height++;
    if (too_high(p, height, span)) return ast_bad(p);
    ast_node *n = arena_new(&p->c->arena, ast_node);
    n->kind = (uint8_t)kind;
    n->span = n->op_span = span;
    n->id = (*p->ids)++;
    n->kid_count = kid_count;
    n->kids = arena_array(&p->c->arena, kid_count, sizeof *n->kids);
    if (kid_count) memcpy(n->kids, kids, kid_count * sizeof *kids);
    vec_push(&p->c->arena, &p->heights, height);
    return n;
}

ast_node *ast_named(parser *p, const char *name, cpl_span span)
{
    ast_node *n = ast_new(p, AST_NAME, span, NULL, 0);
    n->name = name;
    return n;
}

void ast_adopt(parser *p, ast_node *n, const ast_list *list)
{
    uint32_t *height = &p->heights.at[n->id - p->first_id];
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t h = height_of(p, list->at[i]) + 1;
        if (h > *height) *height = h;
    }
    if (!too_high(p, *height, n->span)) return;
    n->kind = AST_ERROR; /* cut off, so that no tree is higher than the limit */
    n->kid_count = 0;
    n->body = n->orelse = NULL;
    *height = 1;
}
