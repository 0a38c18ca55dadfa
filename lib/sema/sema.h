/*
 * From syntax trees to typed functions: names, types, specialisation. What a kernel means is in
 * docs/language.md.
 *
 * A function is analysed once for each tuple of argument types (a sema_func). Types live in side
 * tables indexed by ast_node.id, since the same tree has other types in another instance. After a
 * successful analysis all types are concrete; conversions are implicit and left to lowering: an
 * operand whose type differs from the type of the operation is converted to it.
 *
 * What lowering finds where (n is a node, T = types[n->id], R = refs[n->id]):
 *   any expression   R is REF_CONST: a compile-time number (literals, constants, folded
 *                    arithmetic): a constant of type T whatever the node; see sema_const. Children
 *                    have no types then.
 *   AST_NAME         REF_NUMBER: a number of exactly type T, as an AST_ATTRIBUTE too. REF_VAR;
 * REF_BUILTIN: the place of a work-item (LID_0), as an AST_ATTRIBUTE too AST_BINARY       operands
 * are converted to T; shifts too. ** with an integer T: kids[1] is REF_CONST and not negative. A
 * pointer T: pointer and integer added, or an integer subtracted from a pointer. AST_UNARY operand
 * converted to T (not: any scalar operand, T is bool) AST_BOOLOP       the deciding operand,
 * converted to T; operands are any scalars AST_COMPARE      each pair is compared in
 * sema_common(types of both); ops IS and NOT (is not) mean == and != AST_TERNARY      kids[0] any
 * scalar; both arms converted to T AST_INDEX        kids[0] a pointer, array or (matrices only)
 * kids[1] may be an AST_TUPLE of as many indices: m[i, j] AST_ATTRIBUTE    of a struct or a pointer
 * to one: T is the field's type; the field is found by name AST_CALL         REF_BUILTIN,
 * REF_EXTERN: arguments kids[1..]; REF_FUNC: R.args, in order of the callee's parameters; REF_TYPE:
 * conversion of kids[1] to T (int(x), float32(x), cast(x, "type"); pointers too) MATH builtins:
 * arguments converted to T (ldexp's second: int32); TEST: to their own float type, integers to
 *                    float64; min max: to T; atomics: values to the type of the element, and
 *                    keywords order and scope whose texts are among sema_orders and sema_scopes;
 *                    printf as C promotes; WORK builtins: the value to T (ballot's to bool), lanes
 *                    and indices to int32
 *   AST_AUGASSIGN    types[n->id] is the type the operation is computed in; the result is converted
 *                    to the target's type. A pointer target: += and -= of an integer.
 *   AST_FOR          kids[1] is a call of range or prange with types[kids[1]->id] the type of the
 *                    count and of its arguments; the loop variable may have another type (also a
 *                    float); parallel[n->id] is set for prange, but in serial functions
 *   AST_ASSIGN       value declare(..): R of the value is REF_BUILTIN BI_DECLARE and nothing is
 *                    computed; the variables are in vars
 *   arrays           as arguments and right sides of assignments decay to a pointer to their first
 *                    item where a pointer is wanted
 *   docstrings       AST_EXPR of an AST_STRING: ignored
 */
#ifndef CPL_SEMA_H
#define CPL_SEMA_H

#include "lib/front/front.h"
#include "lib/support/embed.h"

/* builtin.c: the names that need no definition; rows of builtin.def. */
typedef enum sema_builtin {
#define BUILTIN(id, name, group, args, doc) BI_##id,
#include "lib/sema/builtin.def"
#undef BUILTIN
    BUILTIN_COUNT
} sema_builtin;

typedef enum sema_group {
    BG_MATH,
    BG_TEST,
    BG_NUM,
    BG_ARRAY,
    BG_CORE,
    BG_ATOMIC,
    BG_BLOCK,
    BG_INDEX,
    BG_WORK
} sema_group;

typedef struct sema_builtin_info {
    const char *name;
    sema_group group;
    const char *args; /* see builtin.def */
    const char *doc;
} sema_builtin_info;
extern const sema_builtin_info sema_builtins[BUILTIN_COUNT];

typedef struct sema_func sema_func;

#define SEMA_MADE_DIMS  8
#define SEMA_MADE_ITEMS (UINT64_C(1) << 24) /* of one matrix: it lives on the stack */

typedef struct sema_made { /* a matrix that an expression makes: made.c */
    uint64_t counts[SEMA_MADE_DIMS], total;
    uint32_t dims;
    VEC(ast_node *) items; /* what it is filled with, again and again; none: zeros, or */
    bool ones;
    bool shared;          /* local memory, which starts with anything */
    bool table;           /* a constant of the module: floats are as wide as the parameters' */
    bool open;            /* a list: what is stored raises the type of the elements */
    bool exact;           /* NumPy's: literals have the types that it gives them */
    const cpl_type *elem; /* given, or NULL; then the join so far: */
    const cpl_type *item;
} sema_made;

typedef struct sema_var {
    const char *name;
    const cpl_type *type;    /* final; pointers of strided arrays have type->strided */
    cpl_span span;           /* first assignment, declaration or parameter */
    uint32_t index;          /* dense in its function: parameters first, then locals */
    bool is_param, declared; /* declared: by declare() or an annotation */
    bool address_taken;
    bool is_index; /* the index parameter of an elementwise function */
    /* parameter: dimensions that its uses ask for, 0 where they count it as flat; those of its type
     * where that has several */
    uint8_t dims;
    bool shape_given;    /* its type came with its dimensions */
    cpl_span dims_asked; /* where its uses ask for them */
    /* declare('LOCAL_MEM matrix(...)'): shared by the work-items of a group */
    bool local_memory;
    sema_made *made; /* by the first of the expressions that give it its sizes; or NULL */
    void *user;      /* lower's ir_var */
} sema_var;

/* A user-registered C function. */
typedef struct sema_extern {
    const char *name;
    const cpl_type *result;
    const cpl_type **params;
    uint32_t param_count;
    bool pure;
} sema_extern;

typedef enum sema_ref_kind {
    REF_NONE,
    REF_VAR,
    REF_CONST,  /* a compile-time number */
    REF_NUMBER, /* one that is no literal: it has its type, and is not folded */
    REF_BUILTIN,
    REF_FUNC,
    REF_EXTERN,
    REF_TYPE, /* a type used as a conversion: int(x), float32(x) */
    /* x.shape[d], an AST_INDEX: kids[0]->kids[0] is the array; or, on the right of as many names,
     * x.shape, an AST_ATTRIBUTE: kids[0] is; or len(x[i]), an AST_CALL: kids[1] has it */
    REF_SHAPE,
    REF_SIZE,    /* x.size */
    REF_PART,    /* a.real, a.imag of a number that is not complex: dim is 0, 1 */
    REF_COMPLEX, /* a complex number, of type T */
    REF_VECTOR,  /* of a call: a vector of the lanes and numbers that its arguments are */
    REF_MADE,    /* a matrix on the right of an assignment to a name */
    REF_ITEM,    /* p[k] of a tuple, an AST_INDEX: dim is k */
    REF_STRUCT,  /* of a call: a struct whose fields are args, those without a node 0 */
} sema_ref_kind;

typedef struct sema_const { /* a compile-time number */
    const cpl_type *type;   /* bool, int32, int64, uint64 or float64; of a default complex128 too */
    union {
        uint64_t bits;
        double number;
    };
    double imag;            /* complex128: `number` is the real part */
    const cpl_type *scalar; /* at the top of a file: of a scalar of NumPy's; else NULL */
} sema_const;

typedef struct sema_arg { /* of a call of a function of the file */
    ast_node *node;       /* of the caller; NULL: left out, `value` is the default */
    sema_const value;
} sema_arg;

typedef struct sema_ref { /* what a node stands for */
    sema_ref_kind kind;
    union {
        sema_var *var;
        sema_const constant;
        double parts[2]; /* REF_COMPLEX */
        sema_builtin builtin;
        sema_func *func; /* of a call: the instance called */
        const sema_extern *ext;
        const cpl_type *type;
        const sema_made *made;
        uint32_t dim; /* REF_SHAPE, REF_SIZE: dimensions; REF_ITEM, REF_PART: which */
    };
    /* REF_FUNC of a call or an operator: [func->params.n], where the call itself as the first one
     * is the new struct that __init__ fills; REF_STRUCT: [field_count] */
    sema_arg *args;
    bool negated; /* REF_FUNC of a != b: not what the __eq__ returns */
} sema_ref;

/* A loop over prange. */
typedef enum sema_schedule { SEMA_STATIC, SEMA_DYNAMIC, SEMA_GUIDED } sema_schedule;
typedef enum sema_reduce {
    SEMA_ADD,
    SEMA_MUL,
    SEMA_MIN,
    SEMA_MAX,
    SEMA_AND,
    SEMA_OR,
    SEMA_XOR
} sema_reduce;

typedef struct sema_reduction { /* s -= e is a sum too */
    sema_reduce op;
    sema_var *var;
} sema_reduction;

typedef struct sema_parallel {
    sema_schedule schedule;
    bool has_schedule; /* the source names one */
    int64_t chunk;     /* 0: not given */
    int32_t threads;   /* 0: not given */
    VEC(sema_reduction) reductions;
    /* other locals assigned in the body, without the loop's variable */
    VEC(sema_var *) privates;
    bool in_order; /* a loop of folds.c whose sum is no number: no parallel one */
} sema_parallel;

struct sema_func {
    const ast_func *fn;
    /* unique in the program: "f", then "f.1" for another specialisation */
    const char *symbol;
    /* the language's parameters, the index included, without those that stand for something */
    VEC(sema_var *) params;
    VEC(sema_var *) bound;  /* parameters that stand for a function, type or integer */
    VEC(sema_var *) vars;   /* locals, in order of first appearance */
    const cpl_type *result; /* void when nothing is returned */
    /* [fn->node_count]: type of each expression; literals: the type they take there */
    const cpl_type **types;
    sema_ref *refs;           /* [fn->node_count] */
    sema_parallel **parallel; /* [fn->node_count]: of an AST_FOR over prange, else NULL */
    VEC(sema_func *) calls;   /* instances it calls, each once */
    bool uses_len;            /* it or what it calls uses len() of a pointer, or a shape */
    bool recursive;
    bool serial; /* its index runs in order, on one thread; it has no parallel loops */
    void *user;  /* lower's ir_func */
};

/* What the entry is; as cpl_form. */
typedef enum sema_form { SEMA_FUNCTION, SEMA_ELEMENTWISE, SEMA_KERNEL } sema_form;

typedef struct sema_program {
    compilation *comp;
    ast_file *file;
    /* callees before callers, but for recursion; the last is the entry */
    VEC(sema_func *) funcs;
    sema_func *entry;
    sema_form form;   /* elementwise: entry's first parameters are indices */
    uint32_t indices; /* elementwise: how many */
    bool bounds_check;
} sema_program;

/* Whether a plain name means something without a definition: a built-in function, number or
 * type. */
bool sema_predefines(const char *name);

/* builtin.c: whether names of a module are known without its file: math, numpy and ours. */
bool sema_knows_module(const char *name);

/* library.c: what `import cpl.random` means, and where names of NumPy's and of Numba's cuda are
 * that builtin.def lacks: files that are part of the library; names that begin with _ are for the
 * library's own kernels. */
#define SEMA_LIBRARIES    6
#define SEMA_ELEMENTARY   "cpl.elementary"   /* mathematics that is the same bits everywhere */
#define SEMA_ELEMENTARY32 "cpl.elementary32" /* of float32 by float32 */
extern const library_file sema_libraries[SEMA_LIBRARIES];
/* Which of them an import of module means; SEMA_LIBRARIES: none. */
size_t sema_library_index(const char *module);
static inline bool sema_is_library(const char *module)
{
    return sema_library_index(module) < SEMA_LIBRARIES;
}

#define SEMA_MOST_DOTS 16 /* in a name of modules, of classes, or that a host program gives */

/* A function of a host program: ast_file.host of its file. */
typedef struct sema_host {
    const source *src;
    const cpl_function_source *given; /* its names in order of their texts */
} sema_host;

/* What surrounds the file: externs of the context, and files that it may import. */
typedef struct sema_env {
    const sema_extern *(*find_extern)(void *user, const char *name); /* NULL when there is none */
    /* offers all names, for hints */
    void (*each_extern)(void *user, suggester *s);
    /* The file that imports call so, a plain name, or a library's. NULL when there is none or it
       cannot be used; then problem, if it is not NULL, gets why, in a's memory or the module's */
    const source *(*find_file)(void *user, arena *a, const char *name, const char **problem);
    /* The functions of a host program, of a module that is made of those */
    const sema_host *(*host)(void *user, size_t index);
    /* The one that the module calls so; SIZE_MAX when there is none */
    size_t (*find_host)(void *user, const char *name);
    void *user;
} sema_env;

/* consts.c: the parts of a number that may be imaginary, with signs, or the sum of two. */
bool sema_complex_literal(const ast_node *n, double parts[2]);

/* host.c: whether the language, or the module in front of the last dot, knows a name. */
bool sema_knows_target(compilation *c, const sema_env *env, const char *target);

/* What a parameter of the entry stands for, as cpl_bind. */
typedef struct sema_bind {
    cpl_bind_kind kind;
    int64_t integer;
    const cpl_type *type;
    const char *name;   /* of a function */
    const source *text; /* of an expression */
} sema_bind;

/* What to analyse; elementwise: types and binds without the index, and perhaps without further
 * ones: see docs/language.md. */
typedef struct sema_request {
    const char *function; /* which the file has, or the library */
    ast_file *library;    /* that has the function in place of the file, or NULL */
    const cpl_type *const *types;
    uint32_t type_count;
    const sema_bind *binds; /* of kind CPL_BIND_NONE, or past the end: an argument of its type */
    uint32_t bind_count;
    sema_form form;
    bool bounds_check;
    bool in_order; /* rounds run one after the other */
} sema_request;

/*
 * Types a function, which the file has, for argument types and what is bound. Other files
 * are parsed when a name of them is used. A type that is NULL (or past the end) is taken from
 * annotations, and an annotated scalar keeps its annotation whatever the argument: entry->params
 * tell what the caller must pass. Pointer parameters of the entry are in global space. env may be
 * NULL. NULL after errors, which are in the diags: all of them, not just the first. Statuses of the
 * errors: CPL_ETYPE, CPL_ENOTFOUND, CPL_EUNSUPPORTED, CPL_EARG, CPL_ELIMIT, CPL_EEXIST.
 */
sema_program *sema_analyse(compilation *c, ast_file *f, const sema_request *request,
                           const sema_env *env);

/*
 * struct.c: declares the file's structs that are well formed in the type table, so that argument
 * types may name them; says nothing about the others (a kernel that uses one gets the error). The
 * file is spoilt for other use.
 */
void sema_declare_structs(compilation *c, ast_file *f, const sema_env *env);

/* types.c: the type two numbers are computed or compared in. Narrow integers give int32. */
const cpl_type *sema_common(compilation *c, const cpl_type *a, const cpl_type *b);

/* shape.c: of the dimensions of a parameter that has several, those that the indices in n leave, n
 * a name or x[i]; 0 where n is something else. */
uint32_t sema_dims_left(const sema_func *f, const ast_node *n);

const char *sema_type_name(arena *a, const cpl_type *t); /* for messages and --emit types */

/* tuple.c: a struct that stands for several values; false for NULL */
bool sema_is_tuple(const cpl_type *t);

/* infer_work.c: the words of the keywords of atomics and fence; end in NULL. */
extern const char *const sema_orders[], *const sema_scopes[];

/* types.c: where the array that n names lies, by the types and refs of its parts: what a pointer to
 * its items has as space. */
type_space sema_space_of(const sema_func *f, const ast_node *n);

double sema_const_float(sema_const k); /* consts.c: a compile-time number, rounded */

/* print.c: for --emit types: the signature and the locals of each instance. */
void sema_print(strbuf *sb, const sema_program *p);

/* rewrite.c. Whether statements assign the name; with parts, or an element or field of what it
 * names. */
bool sema_assigns(const ast_list *list, const char *name, bool parts);

#endif
