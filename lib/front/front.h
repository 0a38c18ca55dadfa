/*
 * From source text to syntax trees.
 *
 * A file is tokenised whole and cut into top-level items by indentation (front_file). A function's
 * body is parsed when somebody asks for it (ast_parse_body), so that code which no kernel reaches
 * may be any valid Python.
 */
#ifndef CPL_FRONT_H
#define CPL_FRONT_H

#include "lib/support/support.h"

/* lex.c */
typedef enum token_kind {
#define TOKEN(id, text)   TOK_##id,
#define KEYWORD(id, text) TOK_##id,
#define PUNCT(id, text)   TOK_##id,
#include "lib/front/token.def"
#undef TOKEN
#undef KEYWORD
#undef PUNCT
    TOKEN_COUNT
} token_kind;

typedef struct token {
    uint8_t kind; /* token_kind */
    uint32_t begin, end;
} token;

typedef struct token_list {
    const source *src;
    token *at; /* ends in TOK_END */
    uint32_t n, capacity;
} token_list;

const char *token_text(token_kind kind);
/* The keyword that n bytes are, or TOK_NAME. */
token_kind lex_word(const char *s, uint32_t n);
/* Tokenises a whole file; errors go to c->diags and leave TOK_ERROR tokens. */
void lex_file(compilation *c, const source *src, token_list *out);
/* The same of a piece of a file, which may be indented: as its first line is. */
void lex_piece(compilation *c, const source *src, token_list *out);
void token_print(strbuf *sb, const token_list *tokens);

/* ast.h part: syntax trees */
typedef enum ast_kind {
    /* expressions */
    AST_ERROR,     /* in place of what could not be parsed; silences followers */
    AST_INT,       /* 42: integer (value in `integer`, `overflow` if it needs more than 64 bits) */
    AST_FLOAT,     /* 1.5: number */
    AST_IMAGINARY, /* 1.5j: number */
    AST_STRING,    /* 'text': text, unescaped */
    AST_BOOL,      /* True False: integer 0 or 1 */
    AST_NONE,      /* None */
    AST_NAME,      /* x: name */
    AST_ATTRIBUTE, /* a.name: kids[0], name */
    /* f(a, b, k=v): kids[0] is f, then arguments; the last keyword_count of them are AST_KEYWORD */
    AST_CALL,
    AST_KEYWORD, /* k=v in a call: name, kids[0] */
    AST_STAR,    /* *args in a call, in front of those: kids[0] */
    AST_INDEX,   /* a[i]: kids[0], kids[1] */
    AST_SLICE,   /* b:e:s in a[b:e:s]: kids[0..3), AST_NONE where one is left out */
    AST_UNARY,   /* - + ~ not: op (token_kind), kids[0] */
    AST_BINARY,  /* + - * / // % ** @ << >> & | ^: op, kids[0..1] */
    AST_BOOLOP,  /* and or: op, kids[0..n) */
    /* a < b < c: kids[0..n), ops[0..n-1): TOK_LT.. TOK_EQ, TOK_IS, TOK_NOT (is not), TOK_IN */
    AST_COMPARE,
    AST_TERNARY, /* kids[1] if kids[0] else kids[2]: cond, then, else */
    AST_NAMED,   /* (a := e): kids[0] an AST_NAME, kids[1] */
    AST_TUPLE,   /* a, b: kids */
    /* lambda x: e, and a def inside of a function, f = the function: lambda */
    AST_LAMBDA,
    AST_LIST, /* [a, b]: kids, at least one */
    /* statements; a target is an AST_NAME, AST_INDEX or AST_ATTRIBUTE */
    AST_ASSIGN,    /* t1 = t2 = e: kids[0..n-1) targets or AST_TUPLEs of targets, kids[n-1] value */
    AST_AUGASSIGN, /* t += e: op is TOK_ADD.. (not _ASSIGN), kids[0] target, kids[1] */
    /* t: T = e: kids[0] an AST_NAME, kids[1] annotation, kids[2] value (absent when kid_count is
     * 2) */
    AST_ANNASSIGN,
    AST_EXPR,   /* e: kids[0]; docstrings too */
    AST_RETURN, /* return e: kids[0] if kid_count */
    AST_IF,     /* kids[0], body, orelse (elif is an AST_IF alone in orelse) */
    AST_WHILE,  /* kids[0], body, orelse (while/else) */
    /* for kids[0] in kids[1]: body, orelse (for/else); kids[0] an AST_NAME, or an error was
       reported */
    AST_FOR,
    AST_WITH,   /* with kids...: body (items' "as" names are refused by the parser) */
    AST_ASSERT, /* assert kids[0], kids[1] (message, optional) */
    AST_BREAK,
    AST_CONTINUE,
    AST_PASS,
    AST_KIND_COUNT
} ast_kind;

typedef struct ast_node ast_node;
typedef struct ast_func ast_func;
typedef struct ast_list {
    ast_node **at;
    uint32_t n, capacity;
} ast_list;

struct ast_node {
    uint8_t kind; /* ast_kind */
    /* token_kind of an operator; of an AST_INT in place of a parameter, set by sema, the cpl_dtype
     * that this is annotated, CPL_VOID elsewhere: a literal */
    uint8_t op;
    bool overflow; /* AST_INT */
    /* set by sema: in place of a parameter that stands for an integer; of an AST_LIST, of a
     * constant of the module; of an AST_LAMBDA, what it uses is given along; of an AST_INDEX, it
     * is no row, whatever array is given */
    bool stands;
    uint32_t id;   /* dense within its function, from 0: index of side tables */
    cpl_span span; /* whole construct; for AST_ATTRIBUTE and AST_KEYWORD too */
    /* of the operator or keyword, for messages; AST_ATTRIBUTE: of the name behind the dot */
    cpl_span op_span;
    uint32_t kid_count, keyword_count;
    ast_node **kids;
    union {
        uint64_t integer;
        double number;
        const char *name; /* AST_LIST, set by sema: of NumPy's array, its type, or "" */
        const char *text;
        const uint8_t *ops; /* AST_COMPARE: [kid_count - 1] */
        ast_func *lambda;
    };
    uint32_t text_length;    /* AST_STRING */
    ast_list *body, *orelse; /* orelse may be NULL */
};

typedef struct ast_param {
    const char *name;
    cpl_span span;
    ast_node *annotation; /* Python 3 annotation, or NULL */
    ast_node *value;      /* default, or NULL */
    bool unread;          /* it has one that was skipped */
    /* '*' for *args, 'K' for **kwargs, 'k' behind a star, 0 otherwise; sema refuses all but 0 and
     * a '*' at the end */
    char star;
    bool captured; /* sema's: a variable of the function around it */
    bool numbered; /* sema's: it is one of those that a *NAME is, called NAME0 and so on */
    /* sema's: it stands for a function that uses such; else NULL */
    struct ast_carried *carried;
    uint8_t array; /* sema's, of the body: whether it stands for an array there, a sema_stands */
    bool asked;    /* while that is found out */
} ast_param;

typedef struct ast_decorator {
    ast_node *expr; /* a name, attribute or call */
    cpl_span span;
} ast_decorator;

typedef struct ast_file ast_file;
typedef struct sema_rows sema_rows;

struct ast_func {
    ast_file *file;
    const char *name;
    cpl_span name_span, span; /* span: the def line */
    ast_param *params;
    uint32_t param_count;
    ast_decorator *decorators;
    uint32_t decorator_count;
    ast_node *returns; /* annotation behind ->, or NULL */
    bool is_generator, is_async;
    uint32_t header_token; /* where decorators and signature start in the token list */
    uint32_t body_token;   /* where the body starts */
    bool header_bad;       /* the signature holds errors, which ast_parse_body reports */
    bool parsed;           /* body is there */
    bool rewritten;        /* by sema */
    bool inner;            /* it stands in another function */
    bool failed;           /* parsed with errors */
    ast_list body;
    uint32_t node_count; /* ids given out so far, signature included */
    void *user;          /* sema's signature */
    sema_rows *rows;     /* sema's, of its body */
};

typedef struct ast_field {
    const char *name;
    cpl_span span;
    ast_node *type;
} ast_field;

/* What the constants of a class are to those who ask the class for them: numbers; in an IntEnum
 * numbers whose .value is the same; in an Enum none, but of those the .value is one. */
typedef enum ast_members { MEMBERS_PLAIN, MEMBERS_NUMBERS, MEMBERS_VALUES } ast_members;

typedef struct ast_class {
    ast_file *file; /* of the body of a class: one of its classes */
    const char *name;
    cpl_span name_span;
    bool is_struct;          /* decorated with @struct */
    ast_members members;     /* of a class that is no struct */
    VEC(ast_node *) bases;   /* likewise: names */
    ast_file *body;          /* the constants and classes in it */
    VEC(ast_field) fields;   /* of a struct; errors are reported when somebody uses it */
    VEC(ast_func *) methods; /* likewise; the last of a name wins */
    /* first line of a struct's body that is no `name: type`, constant or method; zero when there is
     * none */
    cpl_span bad;
    void *user; /* what sema made of it */
} ast_class;

/* Which of the targets side by side one is. */
typedef struct ast_place {
    uint32_t at, of;
    uint32_t star; /* the target with a star, which takes what the others leave; or `of` */
} ast_place;

typedef struct ast_const { /* NAME = expression at top level, or one of NAME, NAME = expressions */
    ast_file *file;
    const char *name;
    cpl_span span;
    uint32_t token;        /* of the expression; parsed by ast_const_value */
    const ast_place *path; /* to it among targets, from the outermost ones in; [depth] */
    uint32_t depth;
    ast_node *value;
    bool reassigned; /* the file assigns it again: not a constant */
    void *user;      /* sema's value */
} ast_const;

typedef enum ast_item_kind { ITEM_FUNC, ITEM_CLASS, ITEM_CONST, ITEM_IMPORT } ast_item_kind;

typedef struct ast_import {
    const char *module; /* "math", "compyle.api" */
    const char *name;   /* of `from module import name`; "*" for all; NULL for `import module` */
    const char *as;     /* local name */
    cpl_span span;
} ast_import;

typedef struct ast_item {
    ast_item_kind kind;
    const char *name; /* the local name it defines; "*" for star imports */
    union {
        ast_func *func;
        ast_class *class_;
        ast_const *constant;
        ast_import *import;
    };
} ast_item;

struct ast_file {
    compilation *comp;
    const source *src;
    token_list tokens;
    VEC(ast_item) items; /* in order of the file; the last of a name wins */
    map names;           /* name -> ast_item */
    /* from module import *, in order of the file */
    VEC(const ast_import *) stars;
    ast_file *outer; /* of an expression: where names are looked up next; else NULL */
    /* of the body of a class: that class, in whose file names are looked up next; else NULL */
    struct ast_class *class_;
    /* of a function of a host program: sema's table of its names; else NULL */
    const void *host;
};

/* nfkc.c: the name that a text stands for: its normal form NFKC, as Python's names have it. */
const char *front_name(arena *a, const char *text, size_t size);

/* parse.c, parse_expr.c, parse_stmt.c */
/* tokenise and index; NULL after an error that hides the structure */
ast_file *front_file(compilation *c, const source *src);
/* Of tokens that lex_file has made, which stay as they are, and as long as c. */
ast_file *front_tokens(compilation *c, const token_list *tokens);
/* The same of a text that is one function, as it stands in a class or another function. Its
 * decorators and defaults are skipped, and annotations that are no expressions of ours. */
ast_file *front_function(compilation *c, const source *src, const void *host);
/* The function of such a file. */
ast_func *front_only(const ast_file *f);
/* Parses the body of a function; errors go to the diags. False when there were any; the body is
 * usable then too, with AST_ERROR. */
bool ast_parse_body(ast_func *fn);
ast_node *ast_const_value(ast_const *k); /* AST_ERROR after an error */
/*
 * parse_lambda.c: the function that a text alone is: "lambda x, y: x*y", or an expression of a and
 * b. Its names are outer's, its own name is for messages and symbols. NULL after errors.
 */
ast_func *ast_lambda(compilation *c, const source *src, const char *name, ast_file *outer);
/* Whether it is such an expression of a and b. */
bool ast_is_operator(const ast_func *fn);
ast_func *ast_find_func(const ast_file *f, const char *name);

/* print.c: indented text form, one node a line; fn NULL: the whole file (bodies are parsed as
 * needed). */
void ast_print(strbuf *sb, ast_file *f, ast_func *fn);
const char *ast_kind_name(ast_kind kind);

#endif
