/* What the files of this folder share. */
#ifndef CPL_IR_INT_H
#define CPL_IR_INT_H

#include "lib/ir/ir.h"

/* build.c: as ir_func_new and ir_var_new, for names that are known to be unique and stay where they
 * are. */
ir_func *ir_func_make(ir_module *m, const char *name, ir_linkage linkage, const cpl_type *result,
                      cpl_span span);
ir_var *ir_var_make(ir_module *m, ir_func *f, const char *name, const cpl_type *type, bool is_param,
                    cpl_span span);
/* Variables cannot have these names: in an expression they would stand for something else. */
bool ir_name_reserved(const char *name);

/* lex.c: the tokens of the text form. */
/* other kinds are the character itself */
enum { TOK_END = 0, TOK_NAME = 128, TOK_NUMBER, TOK_STRING, TOK_ARROW };

typedef struct token {
    uint8_t kind;
    /* nothing but blanks in front of it on its line: where the parser resumes after an error */
    bool starts_line;
    uint32_t begin, end; /* bytes of the source */
} token;

typedef struct token_list {
    VEC(token) list; /* ends in TOK_END */
} token_list;

/* Reports characters that are no token, and leaves them out. */
void ir_lex(compilation *c, const source *src, token_list *out);
/* The text between the quotes of a TOK_STRING, escapes replaced; NULL and *bad set to the offender
 * when it is not valid. */
const char *ir_unquote(arena *a, const source *src, token t, cpl_span *bad);

/* parse.c: the state of one parse, and what its files call of each other. */
typedef struct pending_name { /* of another variable, looked up when all are known */
    ir_var *var;
    token name;
    bool extent; /* the extent of var; else what var's role is of */
} pending_name;

typedef struct func_body { /* a function whose header was read */
    ir_func *func;
    uint32_t begin, end; /* tokens between its braces */
    VEC(pending_name) names;
} func_body;

typedef struct ir_parser {
    compilation *c;
    const source *src;
    ir_module *m;
    const token *tokens;
    uint32_t at, end; /* the next token; where the text being read ends */
    uint32_t nesting, nesting_limit;
    bool stopped;      /* too deep: nothing more is read */
    map funcs;         /* name to ir_func */
    map structs;       /* name to cpl_type */
    map struct_depths; /* name to how deep structs lie in it, as uintptr_t */
    map vars;          /* name to ir_var, of func */
    ir_func *func;     /* whose body is read */
    VEC(func_body *) bodies;
} ir_parser;

/* parse_base.c */
token par_peek(const ir_parser *p, uint32_t ahead); /* TOK_END past the end of what is being read */
token par_next(ir_parser *p);
bool par_is(const ir_parser *p, uint32_t ahead, int kind);
bool par_is_word(const ir_parser *p, uint32_t ahead, const char *word);
bool par_take(ir_parser *p, int kind); /* consumes the token if it is of that kind */
bool par_take_word(ir_parser *p, const char *word);
bool par_expect(ir_parser *p, int kind, const char *what); /* or reports "expected WHAT" */
bool par_token_is(const ir_parser *p, token t, const char *word);
const char *par_text(ir_parser *p, token t); /* copied */
cpl_span par_span(const ir_parser *p, token t);
/* from a byte to the end of the last token read */
cpl_span par_span_from(const ir_parser *p, uint32_t begin);
void par_expected(ir_parser *p, const char *what); /* error at the next token */
/* CPL_EIR: well-formed, but wrong */
diag *par_error(ir_parser *p, token t, const char *format, ...) PRINTF_LIKE(3, 4);
/* Adds "did you mean" to an error, from the keys of a map. */
void par_suggest(ir_parser *p, diag *d, token t, const map *names);
bool par_enter(ir_parser *p); /* one level deeper; false, and an error, past the limit */
void par_leave(ir_parser *p);
/* a plain number in range */
bool par_int(ir_parser *p, int64_t least, int64_t most, int64_t *value);
const cpl_type *par_type(ir_parser *p, bool allow_void); /* NULL after an error */

/* parse_expr.c; each gives NULL after an error that leaves the place in the text unclear */
ir_node *par_expr(ir_parser *p);
ir_node *par_call(ir_parser *p);                   /* from "call" on */
ir_node *par_op(ir_parser *p);                     /* an op with its attribute and operands */
ir_node **par_operands(ir_parser *p, uint32_t *n); /* "(" [ expr { "," expr } ] ")" */
/* a name; an unknown one is reported and stands for a made-up variable */
ir_var *par_var(ir_parser *p);
ir_func *par_func(ir_parser *p); /* NULL when unknown or no name */

/* parse_stmt.c */
void par_body(ir_parser *p, func_body *b);

/* verify_base.c: what is being verified. */
typedef struct verifier {
    ir_module *m;
    diag_list *diags;
    const char *where;
    const ir_func *f;
    uint32_t loops;           /* around the statement */
    bool in_parallel;         /* in the body of a parallel for, however deep */
    bool innermost_is_serial; /* the innermost loop is a while or for */
    bool too_deep;            /* reported */
    bool frame_reported;
} verifier;
/* Reports an error in the function at hand. */
void verify_error(verifier *v, cpl_span span, const char *format, ...) PRINTF_LIKE(3, 4);
bool verify_has_var(const ir_func *f, const ir_var *v); /* v, which may be NULL, is of f */
/* verify_roles.c */
void verify_roles(verifier *v, const ir_func *f);

#endif
