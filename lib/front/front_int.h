/* What the files of this folder share: the lexer's character classes and the parser's state. */
#ifndef CPL_FRONT_INT_H
#define CPL_FRONT_INT_H

#include "lib/front/front.h"

/* lex_ident.c */
bool lex_is_start(uint32_t code);    /* may begin an identifier */
bool lex_is_continue(uint32_t code); /* may stand in an identifier */

/* lex_check.c */
/* False after errors for what hides the structure of a text: invalid UTF-8, NULs, characters that
   reorder the display. */
bool lex_check(compilation *c, const source *src);
uint32_t lex_decode(const char *text, uint32_t *at); /* one code point of valid UTF-8 */
/* Reports what is wrong with a TOK_ERROR token. */
void lex_report(compilation *c, const source *src, const token *t);

/* lex_string.c */
typedef struct lex_string {
    uint32_t open; /* where the quotes begin, behind the prefix */
    bool triple, format, closed;
    uint32_t end; /* behind the closing quotes, else the end of the line or (triple) text */
} lex_string;
/* Length of a string prefix (0 to 2) when quotes follow it, otherwise UINT32_MAX. */
uint32_t lex_string_prefix(const char *text);
/*
 * Finds the end of the string at `begin`, prefix included. *lines: may a replacement field of a
 * one-line f-string span lines? It is cleared by the first one that ends nowhere, which keeps the
 * lexer linear.
 */
lex_string lex_string_scan(arena *a, const source *src, uint32_t begin, bool *lines);

/* parse_core.c: the parser's state, errors and nodes */
typedef struct parser {
    ast_file *file;
    compilation *c;
    const token *at;       /* the token at hand; TOK_END is never passed */
    uint32_t *ids;         /* the next node id */
    uint32_t first_id;     /* of the nodes this parser makes */
    VEC(uint32_t) heights; /* of the trees under each of them */
    uint32_t depth;        /* brackets, operators and blocks around the token at hand */
    uint32_t brackets;     /* of those, brackets */
    uint32_t loops;        /* loops around the statement at hand */
    bool quiet;            /* no errors are reported, `failed` alone tells */
    bool panic;            /* the statement at hand is beyond repair: no errors until the next */
    bool failed;           /* some error so far */
    bool inner;            /* of a function inside of another one */
    ast_list refused;      /* names that statements which are refused would bind */
} parser;

void ast_start(parser *p, ast_file *f, uint32_t token, uint32_t *ids, bool quiet);
cpl_span ast_span(const parser *p, const token *t);
cpl_span ast_here(const parser *p); /* of the token at hand */
/* From begin to the last token taken. */
cpl_span ast_until_here(const parser *p, uint32_t begin);
bool ast_is(const parser *p, token_kind kind);
/* Takes the token at hand if it has this kind. */
bool ast_take(parser *p, token_kind kind);
void ast_advance(parser *p);
/* Its text in memory of the compilation. */
const char *ast_token_name(parser *p, const token *t);
/* A name with this spelling. */
bool ast_token_says(const parser *p, const token *t, const char *word);
/* The line up to here begins with 'for'. */
bool ast_begins_for(const parser *p);

/* All start the panic. NULL when the error is not to be reported, which ast_hint and ast_note
 * take. */
diag *ast_error(parser *p, cpl_span span, const char *format, ...) PRINTF_LIKE(3, 4);
diag *ast_limit(parser *p, cpl_span span, const char *format, ...) PRINTF_LIKE(3, 4);
/* "expected X, found Y" at the token at hand. */
diag *ast_unexpected(parser *p, const char *wanted);
void ast_hint(parser *p, diag *d, const char *text);
void ast_note(parser *p, diag *d, cpl_span span, const char *format, ...) PRINTF_LIKE(4, 5);
bool ast_expect(parser *p, token_kind kind);                   /* takes it or reports */
bool ast_close(parser *p, token_kind kind, const token *open); /* a closing bracket */
/* False, with an error, when nested too deep. */
bool ast_enter(parser *p);
void ast_leave(parser *p);

/* Copies kids. */
ast_node *ast_new(parser *p, ast_kind kind, cpl_span span, ast_node **kids, uint32_t kid_count);
ast_node *ast_named(parser *p, const char *name, cpl_span span); /* AST_NAME */
ast_node *ast_bad(parser *p);                                    /* an AST_ERROR */
/* Accounts for a block of a statement; makes it an AST_ERROR when that is too high. */
void ast_adopt(parser *p, ast_node *n, const ast_list *list);

/* parse_literal.c */
ast_node *ast_number(parser *p);  /* INT FLOAT IMAGINARY */
ast_node *ast_strings(parser *p); /* STRING+ */

/* parse_expr.c */
ast_node *ast_expression(parser *p);  /* one expression */
ast_node *ast_expressions(parser *p); /* e, or a tuple e, e */
/* The targets of a for loop, up to `in`. */
ast_node *ast_targets(parser *p);

/* parse_lambda.c */
ast_node *ast_lambda_expression(parser *p); /* from 'lambda' on */
/* From the decorators or 'def' on, of a function inside of another one: an AST_LAMBDA. */
ast_node *ast_nested_function(parser *p);

/* parse_stmt.c */
/* ':' block, with block: NEWLINE INDENT statement+ DEDENT | simple_statements. `what` names the
   construct that begins at `first`. */
void ast_suite(parser *p, ast_list *out, const char *what, const token *first);
/* The same without the colon. */
void ast_body(parser *p, ast_list *out, const char *what, const token *first);
/* What a refused statement or pattern would bind is known, and erroneous: what follows from it is
 * silent. */
void ast_refuse_name(parser *p, const token *name);
/* Assigns an error to the names of `refused`, if any, in front of a function's body. */
void ast_bind_refused(parser *p, ast_list *body);

/* parse_match.c */
void ast_match(parser *p, ast_list *out); /* from 'match' on, up to the end of its block */

/* parse_func.c */
typedef VEC(ast_param) ast_params;
/* Reports a name that is there already, and too many. */
void ast_add_param(parser *p, ast_params *params, ast_param q);
/* end: the token behind them, ')' of a def, ':' of a lambda, which has no annotations. */
void ast_parameters(parser *p, ast_func *fn, token_kind end);
/* Decorators and signature, from fn->header_token to the colon; false when they hold errors. */
bool ast_header(parser *p, ast_func *fn);

/* parse.c */
bool ast_opens(token_kind kind); /* a bracket */
bool ast_shuts(token_kind kind);
const token *ast_line_end(const token *t);          /* the NEWLINE or END that ends the line of t */
const token *ast_behind_block(const token *indent); /* behind the DEDENT that matches an INDENT */

#endif
