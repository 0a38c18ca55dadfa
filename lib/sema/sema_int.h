/*
 * What the files of this folder share: weak types, the state of one analysis, and the pieces of
 * inference.
 *
 * A type during inference is NULL (not known yet), sema_error_type (an error was reported: silences
 * followers), weak (fed by literals alone) or a type of the table. They form a lattice that
 * sema_join climbs:
 *
 *     NULL < weak integers < bool, integers < weak float < float32 < float64 < error
 *     pointers, structs < error
 *
 * so that a weak float joined with integers is still weak: 0.5*i is float32 beside a float32, and
 * float64 alone.
 *
 * An instance is inferred in rounds over its body, in which nothing is reported: phase 1 until no
 * local's type rises; then locals that are still weak take their defaults, and phase 2 until
 * nothing rises; then one last round writes the side tables and reports.
 */
#ifndef CPL_SEMA_INT_H
#define CPL_SEMA_INT_H

#include "lib/sema/sema.h"

#define LIMIT_INSTANCES 500  /* specialisations of one program */
#define LIMIT_CALLS     64   /* calls inside each other, without recursion */
#define LIMIT_STAR      256  /* arguments that a *NAME takes */
#define LIMIT_TUPLE     64   /* items of a tuple */
#define LIMIT_VALUES    1024 /* of a tuple and of those in it */

/* types.c */
extern const cpl_type sema_error_type;
bool sema_is_weak(const cpl_type *t); /* false for NULL */
bool sema_is_weak_float(const cpl_type *t);
static inline bool sema_is_error(const cpl_type *t)
{
    return t == &sema_error_type;
}
static inline bool sema_is_known(const cpl_type *t)
{
    return t && t != &sema_error_type;
}
const cpl_type *sema_weak_of(sema_const k); /* the weak type of a number; of a bool, bool */
const cpl_type *sema_weak_negated(const cpl_type *weak);
const cpl_type *sema_weak_as_float(void);
const cpl_type *sema_weak_as_complex(void);
const cpl_type *sema_complex_of(compilation *c, const cpl_type *t); /* t + 0j, of a number */
/* what a weak type becomes when nothing decides; others stay */
const cpl_type *sema_default(compilation *c, const cpl_type *t);
/* of assigned values, arms, arguments of min */
const cpl_type *sema_join(compilation *c, const cpl_type *a, const cpl_type *b);
/* of operands: narrow integers give int32 */
const cpl_type *sema_arith(compilation *c, const cpl_type *a, const cpl_type *b);
/* arrays to private pointers, float16 to float32; others stay */
const cpl_type *sema_decay(compilation *c, const cpl_type *t);
/* n's type: of an array, with its space */
const cpl_type *sema_decay_at(const sema_func *f, compilation *c, const ast_node *n,
                              const cpl_type *t);
bool sema_is_number(const cpl_type *t); /* a scalar, weak ones too */
bool sema_is_complex_or_number(const cpl_type *t);

/* builtin.c */
typedef enum sema_module {
    MODULE_NONE,
    MODULE_OTHER,
    MODULE_MATH,
    MODULE_NUMPY,
    MODULE_OWN,
    MODULE_NUMBA, /* and what numba.cuda has: cuda.threadIdx.x is the x of a module */
    MODULE_CUDA,
    MODULE_THREAD,
    MODULE_BLOCK,
    MODULE_THREADS,
    MODULE_BLOCKS,
    MODULE_ATOMIC,
    MODULE_SHARED,
    MODULE_PRIVATE,
    MODULE_COUNT
} sema_module;
sema_module sema_module_of(const char *name);
/* The module that another one calls so; MODULE_NONE: none. */
sema_module sema_find_module_in(const char *name, sema_module module);
/* MODULE_NONE: a plain name */
bool sema_find_builtin(const char *name, sema_module module, sema_builtin *out);
bool sema_find_number(const char *name, sema_module module, double *out);
bool sema_is_function(sema_builtin b);           /* of numbers alone, called as any function */
const char *sema_find_refused(const char *name); /* what to write instead, or NULL */
void sema_offer_builtins(suggester *s, sema_module module);

typedef struct sema_slot { /* of a variable, beside its sema_var */
    bool fixed;            /* phase 2: a weak type took its default */
    bool ruled;            /* the function's cpl_locals has given it its type */
    cpl_span first;        /* the only value that counts, if there is such a rule; else zero */
    bool clash;            /* values of types that do not join were assigned */
    const cpl_type *clash_a, *clash_b;
    cpl_span clash_span;
} sema_slot;

typedef struct sema_param {
    const cpl_type *type; /* annotated, or NULL */
    bool bad;             /* the annotation is wrong: reported */
    bool by_name;         /* it stands behind a star alone */
    bool has_default;
    bool is_static;   /* sizes or rounds of the body depend on it: sema_find_statics */
    bool is_assigned; /* in the body: likewise */
    sema_const value; /* the default */
    cpl_span span;
} sema_param;

/* Which indices of an array are those of a row: of m[i] the first, of the column m[:, j] the second
 * one. */
typedef struct sema_view {
    uint32_t parts; /* how many up to the last that is given, 8 at most; 0: no row */
    uint32_t open;  /* bit k: the k-th of them is not given */
} sema_view;

/* Whether a parameter stands for an array: as far as the body of its function tells. */
typedef enum sema_stands { STANDS_NO, STANDS_MAYBE, STANDS_YES } sema_stands;

/* What a function says of its types, whatever it is called with. */
typedef struct sema_signature {
    ast_func *fn;
    sema_param *params;     /* [fn->param_count] */
    const cpl_type *result; /* declared, or NULL */
    bool bad_result;
    bool serial; /* @serial */
    cpl_span serial_span;
    diag_list diags; /* reported when an instance is reached */
    bool delivered;
    bool statics_found;
    /* the last parameter, *NAME, or NULL; where it stands, and how many arguments it takes */
    const char *star;
    uint32_t star_at, star_count;
    /* of a function with a star: what it was made from (sema_spread), or NULL; the next one that
     * was, of the function itself the first */
    struct sema_signature *base, *variants;
    /* of a function that is called with rows: what it was made from (sema_with_rows), or NULL;
     * which parameters are rows, [whole's param_count], parts 0: none; the next one that was made,
     * of the function itself the first */
    struct sema_signature *whole, *with_rows;
    const sema_view *views;
} sema_signature;

typedef struct sema sema;
typedef struct instance instance;

typedef struct sema_update { /* race.c: of an element, by a function that others call */
    cpl_span span;
    const char *array; /* as the function that is called has it */
    const char *told;  /* as the warning names it */
    const char *hint;
    uint32_t from;
} sema_update;

struct instance {
    sema_func f; /* first: what the others see */
    sema *s;
    sema_signature *sig;
    const cpl_type **given; /* [param_count] types that it was made for */
    /* of the library's own code, where it calls a function of the caller's: report.c */
    VEC(const ast_node *) asked;
    diag_list diags;      /* delivered when the entry reaches the instance */
    map scope;            /* name -> sema_var */
    VEC(sema_slot) slots; /* by sema_var.index */
    VEC(sema_var *) all;  /* by sema_var.index */
    int phase;            /* 1, 2, then 3: the round that reports */
    bool changed;         /* a local's type rose in this round */
    bool busy;            /* on the stack of analyses */
    bool elementwise;
    struct sema_uses *uses; /* infer_loop.c: of locals, while a parallel loop is looked at */
    sema_made **made;       /* [fn->node_count]: of the right side of an assignment, or NULL */
    uint32_t indices;       /* of an elementwise entry */
    bool entry;
    bool noted_division;
    const ast_node *untyped;  /* the first expression of phase 3 that is wrong */
    const cpl_type *returned; /* join of the returned values */
    const cpl_type *arm;      /* of a returned choice whose other arm is not known; for a hint */
    bool returns_value, returns_nothing;
    cpl_span value_span, nothing_span;
    uint32_t parallel_depth;    /* prange loops around the statement at hand, in phase 3 */
    uint32_t loops_in_parallel; /* loops around it inside the innermost prange */
    int32_t threads;            /* num_threads of the innermost with parallel(), or 0 */
    /* ifs and loops around the statement at hand whose condition asks for the work-item */
    uint32_t divergent;
    uint32_t depth; /* calls from the entry */
    instance *caller;
    cpl_span called; /* where, by its caller */
    bool visited;    /* by the walk that orders the program */
    VEC(sema_update) updates;
};

/* What a name at top level stands for. */
typedef enum sema_global_kind {
    GLOBAL_NONE,
    GLOBAL_CONST,
    GLOBAL_MEMBER, /* of an Enum: what it is assigned is its .value */
    GLOBAL_NUMBER,
    GLOBAL_COMPLEX,
    GLOBAL_FUNC,
    GLOBAL_CLASS,
    GLOBAL_BUILTIN,
    GLOBAL_EXTERN,
    GLOBAL_TYPE,
    GLOBAL_MODULE,  /* of the language */
    GLOBAL_FILE,    /* import name */
    GLOBAL_FOREIGN, /* imported from an unknown module, or not there in a file */
    GLOBAL_BROKEN,  /* of a file that does not parse: reported */
    GLOBAL_OTHER,   /* something of a host program's that kernels cannot use */
} sema_global_kind;

typedef struct sema_global {
    sema_global_kind kind;
    union {
        ast_const *constant; /* GLOBAL_MEMBER too */
        struct {
            sema_const number;
            const cpl_type *exact; /* its type, NULL: a literal */
        };
        double parts[2]; /* GLOBAL_COMPLEX */
        ast_func *func;
        ast_class *class_;
        sema_builtin builtin;
        const sema_extern *ext;
        const cpl_type *type;
        sema_module module;
        ast_file *file;
        const char *what; /* it is: "a list" */
        struct {
            const ast_import *import;
            const char *problem; /* why, or NULL */
            ast_file *from;      /* the file that does not have it, or NULL */
        };
    };
} sema_global;

typedef struct sema_file { /* what became of an import's file */
    ast_file *file;        /* NULL: it cannot be used */
    const char *problem;   /* why, or NULL; sema_reported: it does not parse */
    uint64_t search;       /* the last one through `from file import *` that saw it */
} sema_file;

/* bound.c: a function, type or integer as the type of a parameter that stands for it. */
typedef struct sema_bound {
    cpl_type type;      /* first: a type equal to itself alone; its text is for messages */
    sema_global global; /* GLOBAL_FUNC, _BUILTIN, _EXTERN, _TYPE; of an integer GLOBAL_NUMBER */
    sema_const value;   /* of an integer */
} sema_bound;

typedef struct sema_struct {
    const cpl_type *type;
    ast_class *class_;
} sema_struct;

struct sema {
    compilation *comp;
    ast_file *file; /* that the entry is in */
    /* of spans of the library's own entry, which the user has not written; 0: the entry is his */
    uint32_t own_source;
    const sema_env *env;
    map files;             /* name of a module -> sema_file */
    map known;             /* name -> sema_global of the language's own, GLOBAL_NONE too */
    map guessed;           /* name -> ast_import of an unknown module, taken for the language's */
    VEC(ast_file *) hosts; /* by index of a host program's functions; NULL: not parsed yet */
    map copies;            /* of functions, for what arguments use: closures.c */
    uint64_t searches;     /* through `from file import *` */
    uint32_t row_depth;    /* functions that are asked for what they take, inside each other */
    uint32_t steps;        /* items of constants that are being evaluated */
    uint32_t evaluated;    /* nodes of constants, each time that one was looked at */
    uint32_t levels;       /* of those, inside each other, that are being looked at */
    VEC(instance *) instances;
    VEC(sema_bound *) bounds;
    VEC(sema_struct) structs; /* whose classes have been looked at */
    sema_form form;
    bool in_order; /* as sema_request's */
    bool limit_reported;
    const cpl_type *t_void, *t_bool, *t_i32, *t_i64, *t_u64, *t_f32, *t_f64;
};

#define FORMS_DECIDED ".decided" /* begins names of what `and` and `or` have come to: forms.c */

/* report.c: nothing is reported before phase 3; the results may be NULL, which hint and note
 * take. */
diag *sema_error(instance *in, cpl_span span, const char *format, ...) PRINTF_LIKE(3, 4);
diag *sema_error_as(instance *in, cpl_status status, cpl_span span, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* At once, whatever the phase: of what comes before the rounds. */
diag *sema_report(instance *in, cpl_status status, cpl_span span, const char *format, ...)
    PRINTF_LIKE(4, 5);
diag *sema_warning(instance *in, cpl_span span, const char *format, ...) PRINTF_LIKE(3, 4);
void sema_remark(instance *in, cpl_span span, const char *format, ...) PRINTF_LIKE(3, 4);
void sema_hint(instance *in, diag *d, const char *format, ...) PRINTF_LIKE(3, 4);
void sema_note(instance *in, diag *d, cpl_span span, const char *format, ...) PRINTF_LIKE(4, 5);
#define SEMA_OPERATOR_TAKES                                                                        \
    "an expression alone is of a and b; others are lambdas: 'lambda i, x: x[i]'"
const char *sema_name(instance *in, const cpl_type *t); /* of a type, for messages */
/* In the library's own code: the caller's function whose value stands there; NULL anywhere else. */
const ast_func *sema_asked(const instance *in, cpl_span span);
/* What such a function returns is not what is wanted of it, "a number": said once of each, since
 * what is made of it is wrong too. */
diag *sema_error_returns(instance *in, const ast_func *fn, const cpl_type *t, const char *wanted);
/* All of them, in order of place. Of what is wrong in the source `own` the place is that of the
 * first note elsewhere, or none: the user knows what he has bound, not where it is called. */
void sema_deliver(diag_list *to, diag_list *const *lists, uint32_t n, uint32_t own);

/* hint.c */
const char *sema_text_of(const instance *in, const ast_node *n); /* as it is written; of one line */
/* Of n, a number that is indexed. */
void sema_hint_number(instance *in, diag *d, const ast_node *n);
void sema_refuse_product(instance *in, const ast_node *n, const cpl_type *a, const cpl_type *b);

/* names.c: what names that are no locals stand for, in the file where they stand: in the file
 * itself, in files and modules that it imports, in the language. */
typedef struct sema_names {
    sema *s;
    ast_file *file;
    const map *locals; /* of an instance, some of which may stand for types and integers; or NULL */
} sema_names;
static inline sema_names sema_names_of(const instance *in)
{
    return (sema_names){in->s, in->f.fn->file, &in->scope};
}
sema_global sema_find_name(sema_names in, const char *name);
/* "forces.spring" in a text: of a module that the file imports, or of the host's own names. of: the
 * module last asked, which stops the search where it has none of that name; else as it was. */
sema_global sema_find_dotted(sema_names in, const char *name, sema_global *of);
/* What the language, or one of its modules, calls so. */
sema_global sema_find_known(sema *s, const char *name, sema_module module);
/* The same, and functions of the library that stand for NumPy's. */
sema_global sema_find_in_module(sema *s, const char *name, sema_module module);
/* What a name, module.name or module.module.name stands for; of anything else GLOBAL_NONE. */
/* n has no more dots than names that mean something; a longer one would be asked for at each. */
bool sema_has_few_dots(const ast_node *n);
sema_global sema_find_node(sema_names in, const ast_node *n);
sema_global sema_find_global(const instance *in, const ast_node *n); /* unless a local hides it */
/* The module that n names (np in np.sin), if no local hides it; else GLOBAL_NONE. */
sema_global sema_find_module(const instance *in, const ast_node *n);
/* GLOBAL_FILE where module is a library, else GLOBAL_NONE. */
sema_global sema_find_library(sema *s, const char *module);
bool sema_is_numpy(const sema *s, const ast_file *file); /* the library's file of NumPy's names */
/* Likewise, or that of Numba's: whose functions a user knows by their names alone. */
bool sema_is_written(const sema *s, const ast_file *file);
/* The file that an import means; NULL, without a word, where there is none that parses. */
ast_file *sema_peek(sema *s, const ast_import *import);
sema_global sema_find_member(sema_names in, sema_global of, const char *name); /* of a module */
void sema_offer_members(sema *s, suggester *names, sema_global of);            /* of a module */
/* Of a class, and of what it is made from. */
void sema_offer_class(sema *s, suggester *names, const ast_class *k);
void sema_undefined(instance *in, cpl_span span, const char *name, bool called);
/* Reports the use of name, which g, a GLOBAL_FOREIGN, is; NULL before phase 3. */
diag *sema_foreign(instance *in, cpl_span span, sema_global g, const char *name);
void sema_note_import(diag_list *l, diag *d, sema_global g); /* where, and why it is none */
/* Reports the use of name, which g, a GLOBAL_OTHER, is. */
void sema_other(instance *in, cpl_span span, sema_global g, const char *name);
bool sema_is_call_of(const instance *in, const ast_node *n, sema_builtin b);

/* host.c: functions of a host program, and what their names stand for. */
static inline const sema_host *sema_host_of(const ast_file *f)
{
    return f->host;
}
/* The function that a host program calls NAME.name, where NAME is the struct t, NULL: any type; or
 * NULL. */
ast_func *sema_host_method(sema_names in, const cpl_type *t, const char *name);
sema_global sema_host_constant(sema_names in, const cpl_type *t, const char *name); /* a number */
/* Whose names stand in a file: an expression's are those of the function around it. */
static inline const ast_file *sema_names_file(const ast_file *f)
{
    return f->outer ? f->outer : f;
}
/* How an integer that a name stands for becomes known when a function of the file is compiled. */
const char *sema_bind_hint(sema *s, const ast_file *file, const char *name);
/* What the host says of a name, or of n, a name with dots; GLOBAL_NONE: nothing. */
sema_global sema_host_name(sema_names in, const char *name);
sema_global sema_host_path(sema_names in, const ast_node *n);
/* What the module calls so, in a module of such functions. */
sema_global sema_host_function(sema *s, const char *name);
void sema_offer_host(suggester *s, const sema_host *h);
/* Types in place of annotations. */
const cpl_type *sema_host_param(const sema_host *h, uint32_t i); /* NULL: none */
/* Types locals, all known, by the function's rule. */
void sema_host_locals(instance *in);

/* scope.c */
void sema_scope(instance *in); /* makes the locals */
sema_var *sema_local(const instance *in, const char *name);
/* Whether n names a parameter that a bound integer may take the place of. */
bool sema_may_be_bound(const instance *in, const ast_node *n);
sema_var *sema_var_new(instance *in, const char *name, cpl_span span, bool is_param);

/* bound.c */
bool sema_is_bound(const cpl_type *t);
const sema_bound *sema_bound_of(const cpl_type *t); /* NULL of other types */
/* exact: an integer's type, that its parameter is annotated; NULL: k is a literal. */
const cpl_type *sema_bind_integer(sema *s, sema_const k, const cpl_type *exact);
/* name: for messages. NULL when g is no function and no type. */
const cpl_type *sema_bind_global(sema *s, sema_global g, const char *name);
/* The type of a parameter of the entry; the error type after an error. */
const cpl_type *sema_bind_param(sema *s, sema_signature *sig, uint32_t i, const sema_bind *b);
/* An argument of a call of a function of the file: functions and types may be passed too. */
const cpl_type *sema_argument(instance *in, ast_node *n);
/* Reports that a bound name is no value. */
const cpl_type *sema_bound_name(instance *in, const ast_node *n, const sema_bound *b);

/* static.c */
/* Parses the body and sets is_static and is_assigned of the parameters. */
void sema_find_statics(sema *s, sema_signature *sig);
/* A number that n is known to be before anything is typed; false when it is not known. */
bool sema_static(instance *in, const ast_node *n, sema_const *out);
/* `T is float32`: whether two types are the same; false where n does not ask that. */
bool sema_static_types(instance *in, const ast_node *n, sema_const *out);
/* The same of a condition, before the function's own variables are known. */
bool sema_static_condition(instance *in, const ast_node *n, sema_const *out);
/* `isinstance(x, T)`; false after an error. */
/* Of the parameter that n names, unless it is assigned; else NULL. */
const cpl_type *sema_fixed_type(const instance *in, const ast_node *n);
bool sema_static_instance(instance *in, const ast_node *n, bool *out);

/* star.c */
/* The signature of a function with a star for so many positional arguments, of others sig; NULL
 * when they are too many for it: LIMIT_STAR. */
sema_signature *sema_spread(sema *s, sema_signature *sig, uint32_t given);
/* Whether n is the NAME of *NAME, which stands for no parameter. */
bool sema_is_star(const sema_signature *sig, const ast_node *n);

/* What a parameter called so stands for, or NULL. */
const sema_bound *sema_bound_named(sema_names in, const char *name);

/* expand.c: gives the instance a body of its own if what is known now changes it. */
void sema_expand(instance *in);
/* rows_put.c: its function, with what stands for names of rows. */
ast_func *sema_put_rows(const instance *in);
const char *sema_row_part(sema *s, const char *row, uint32_t k); /* the name of an index of it */
/* row_call.c: whether n, the argument for parameter i of fn, is a row of a parameter. */
bool sema_gives_row(instance *in, ast_func *fn, uint32_t i, ast_node *n);
/* Which parameter of fn the argument that is a kid of the call is for; its param_count: none. */
uint32_t sema_parameter_at(const ast_func *fn, const ast_node *call, uint32_t kid);
/* Puts the array and the indices of each argument that is a row in its place, and returns the
 * signature that takes them; NULL after an error. */
sema_signature *sema_with_rows(instance *in, sema_signature *sig, sema_arg **args);
/* Indices are integers, as floor(x) is where it stands. types: of all arguments. */
void sema_settle_rows(instance *in, const sema_signature *sig, const cpl_type **types);
/* How many indices of the array that it is the parameter, a row, has already; 0: it is no row. */
uint32_t sema_row_indices(const sema_signature *sig, const char *parameter);
/* The array of each such has as many dimensions as the row needs. */
void sema_ask_rows(instance *in, const sema_signature *sig, const sema_arg *args);
static inline ast_list *sema_body(const instance *in)
{
    return (ast_list *)&in->f.fn->body;
}

/* consts.c */
int sema_const_order(sema_const a, sema_const b);      /* < 0, 0, > 0; NaNs are equal to all */
bool sema_const_fits(sema_const k, const cpl_type *t); /* both of integers */
sema_const sema_int_const(sema *s, uint64_t magnitude, bool negative);
sema_const sema_signed_const(sema *s, int64_t value);
sema_const sema_float_const(sema *s, double value);
sema_const sema_bool_const(sema *s, bool value);
sema_const sema_complex_const(sema *s, const double parts[2]);
bool sema_const_is_float(sema_const k);
bool sema_const_negative(sema_const k);
bool sema_fold_unary(sema *s, token_kind op, sema_const a, sema_const *out);
/* module: Python's meaning of / on integers, as at the top of a file; else the kernel's. False: not
 * foldable. */
bool sema_fold_binary(sema *s, token_kind op, sema_const a, sema_const b, bool module,
                      sema_const *out);
/* Integers of NumPy's type t, beyond which they wrap. False: not foldable. */
bool sema_fold_wrapped(sema *s, token_kind op, sema_const a, sema_const b, const cpl_type *t,
                       sema_const *out);
/* numpy_const.c: numbers one of which has a scalar type. False: not foldable. */
bool sema_numpy_binary(sema *s, token_kind op, sema_const a, sema_const b, sema_const *out);
bool sema_numpy_unary(sema *s, token_kind op, sema_const a, sema_const *out);
/* A function of NumPy's of numbers, which it may give types; false: not foldable. */
bool sema_numpy_call(sema *s, const char *name, uint32_t count, sema_const *a, sema_const *out);
bool sema_const_holds(sema *s, token_kind op, sema_const a, sema_const b); /* a < b */
sema_const sema_numpy_float(sema *s, const cpl_type *t, double value);
/* What NumPy's functions give for Python's numbers, and the float of theirs for a and b. */
sema_const sema_numpy_default(sema *s, sema_const k);
const cpl_type *sema_numpy_float_of(sema *s, sema_const a, sema_const b);
/* a // b and a % b of floats in Python; b is not 0. */
double sema_float_floordiv(double a, double b);
double sema_float_mod(double a, double b);
/* n, a few operators on literals, is an integer of 64 bits, on the way of 128: 2**64 - 1. */
bool sema_fold_literals(sema *s, const ast_node *n, sema_const *out);
/* The value of a module constant; NULL, or why it has none (sema_reported: the parser has said
 * so). */
extern const char sema_reported[];
/* The number that n, an expression at the top level of a file, is; else why it is none. */
const char *sema_module_number(sema *s, ast_file *file, const ast_node *n, sema_const *out);
const char *sema_module_const(sema *s, ast_const *k, sema_const *out);
/* The parts of one that is complex; false: it is not. */
bool sema_module_complex(sema *s, ast_const *k, double *parts);
/* The same of any expression at the top of a file. */
bool sema_module_complex_number(sema *s, ast_file *file, const ast_node *n, double *parts);
/* A literal with an optional sign: what defaults may be. */
bool sema_literal(sema *s, const ast_node *n, sema_const *out);

/* annotations.c */
sema_signature *sema_signature_of(sema *s, ast_func *fn);
/* 'double', 'uintp', 'float64[]', 'Pair'; NULL: none */
const cpl_type *sema_language_type(sema_names in, const char *text);
/* an annotation expression; NULL: no type */
const cpl_type *sema_python_type(sema_names in, const ast_node *n);
/* Whether the name that a text begins with is one of a file that does not parse: reported. */
bool sema_is_broken(sema_names in, const char *text);
/* Why a text is no type, of which d says so, or what it may mean, or else what may stand there. */
void sema_explain_type(sema_names in, diag_list *l, diag *d, const char *text, const char *others);
/* reports that n, an annotation, is none, and why or what it may mean */
void sema_bad_type(sema_names in, diag_list *l, const ast_node *n);

/* declare.c */
typedef struct sema_declared {
    const cpl_type *type; /* NULL after an error */
    bool local_space;
} sema_declared;
/* Reads declare's text; problem: what is wrong, when type is NULL. */
sema_declared sema_declared_type(sema_names in, const char *text, const char **problem,
                                 const char **hint);

/* struct.c */
/* Why a class is no struct, or NULL; span: where. */
const char *sema_struct_problem(sema *s, ast_class *k, cpl_span *span);
const cpl_type *sema_struct_type(sema *s, ast_class *k); /* NULL: it is none */
void sema_declare_all(sema *s);                          /* the structs of its file */

/* complex.c: numbers that are structs, whose class the library has */
/* n is the number real + imag*1j, a literal */
const cpl_type *sema_complex(instance *in, const ast_node *n, double real, double imag);
/* n, an operator: a number known now where its operands are and one is complex; else NULL */
const cpl_type *sema_fold_complex(instance *in, const ast_node *n);
const cpl_type *sema_call_complex(instance *in, ast_node *n, const cpl_type *t); /* T(...) */
/* A literal, or what is made of literals: takes the type of what stands beside it. */
bool sema_is_constant(const instance *in, const ast_node *n);

/* vector.c: short vectors, lane by lane */
bool sema_is_vector(const cpl_type *t); /* false for NULL */
const cpl_type *sema_vector_binary(instance *in, ast_node *n, token_kind op, ast_node *a,
                                   ast_node *b);
const cpl_type *sema_vector_unary(instance *in, const ast_node *n);
const cpl_type *sema_vector_call(instance *in, ast_node *n, sema_builtin b); /* arguments typed */
const cpl_type *sema_call_vector(instance *in, ast_node *n, const cpl_type *t); /* T(...) */

/* methods.c: of the classes of structs */
/* What p.x and p.f() are of: of a pointer to a struct, as C has p->x, the struct; else t. An array
 * of complex numbers is no such pointer. */
const cpl_type *sema_struct_behind(const cpl_type *t);
const cpl_type *sema_call_method(instance *in, ast_node *n); /* x.name(...), x a value */
bool sema_names_function(instance *in, const ast_node *n);   /* one of numbers, or of a file */
const cpl_type *sema_construct(instance *in, ast_node *n, const cpl_type *t); /* T(...) */
/* The constant of t's class that is called so, or GLOBAL_NONE. */
sema_global sema_find_of_struct(const instance *in, const cpl_type *t, const char *name);
void sema_offer_of_struct(const instance *in, const cpl_type *t, suggester *names);
bool sema_has_method(const instance *in, const cpl_type *t, const char *name);
/* n, an operator with an operand that is a struct; op: a binary one, or a comparison's */
const cpl_type *sema_operator(instance *in, ast_node *n, token_kind op, ast_node *a, ast_node *b);
const cpl_type *sema_unary_operator(instance *in, ast_node *n);
/* A call of a function of numbers, its arguments typed; NULL unless the first is a struct whose
 * class has the method, or while its result is not known. */
const cpl_type *sema_number_method(instance *in, ast_node *n, const char *name);

/* infer.c */
/* t is assigned to v */
void sema_contribute(instance *in, sema_var *v, const cpl_type *t, cpl_span span);
/* gives a weak expression its type */
void sema_settle(instance *in, ast_node *n, const cpl_type *t);
void sema_settle_default(instance *in, ast_node *n);
/* As sema_settle, but a number below 0 beside uint64 stays what it is, to be compared. */
void sema_settle_sign(instance *in, ast_node *n, const cpl_type *t);
/* a weak expression stored in a place of type t */
void sema_settle_store(instance *in, ast_node *n, const cpl_type *t);
/* Checks that a value may be stored in a place, and gives the error if not; warns of floats in
 * integers. what: "x", for messages. */
diag *sema_check_store(instance *in, cpl_span span, const cpl_type *place, const cpl_type *value,
                       const char *what);
void sema_infer(instance *in);
const sema_const *sema_const_of(const instance *in, const ast_node *n);
/* Whether n is a number and no place: REF_CONST, REF_NUMBER, REF_SHAPE, REF_SIZE,
 * REF_ITEM. */
bool sema_is_number_name(const instance *in, const ast_node *n);

/* infer_expr.c */
const cpl_type *sema_expr(instance *in, ast_node *n); /* void for calls without a value */
/* refuses void, and arrays of several dimensions without their indices */
const cpl_type *sema_value(instance *in, ast_node *n);
/* t, the type of n, where it is a number's; else reports and is the error type */
const cpl_type *sema_as_number(instance *in, const ast_node *n, const cpl_type *t,
                               const char *what);
/* refuses all but numbers; not settled */
const cpl_type *sema_number(instance *in, ast_node *n, const char *what);
/* What an index is along. */
typedef struct sema_axis {
    uint64_t count;    /* items of a matrix, or 0 */
    const sema_var *v; /* a parameter of several dimensions, or NULL */
    uint32_t at;       /* which of them */
} sema_axis;

/* Types n, an index, and reports what is wrong with it. */
bool sema_index(instance *in, ast_node *n, sema_axis axis);
void sema_condition(instance *in, ast_node *n);
/* To an error about n, where that is an array: x[i]. step: address(x[k]) may be meant too. */
void sema_hint_element(instance *in, diag *d, const ast_node *n, bool step);
const cpl_type *sema_binary(instance *in, ast_node *n, const cpl_type *a, const cpl_type *b);
const cpl_type *sema_power(instance *in, ast_node *base, ast_node *exponent, const cpl_type *a,
                           const cpl_type *b);
/* what mathematics on t, a number, computes in */
const cpl_type *sema_float_of(instance *in, const cpl_type *t);

/* tuple.c: several values as one, whose type is a struct */
bool sema_is_weak_tuple(const cpl_type *t); /* some of its items are */
const cpl_type *sema_tuple_of(compilation *c, const cpl_type *const *items, uint32_t n);
const cpl_type *sema_tuple_default(compilation *c, const cpl_type *t);
const cpl_type *sema_tuple_join(compilation *c, const cpl_type *a, const cpl_type *b);
const char *sema_tuple_name(arena *a, const cpl_type *t); /* "(float64, int32)" */
const cpl_type *sema_tuple(instance *in, ast_node *n);    /* of an AST_TUPLE */
/* of p[k], where p is a tuple of type t */
const cpl_type *sema_tuple_item(instance *in, ast_node *n, const cpl_type *t);
/* gives n, a weak tuple, the type t */
void sema_settle_tuple(instance *in, ast_node *n, const cpl_type *t);
const cpl_type *sema_tuple_annotation(sema_names in, const ast_node *n);

/* rewrite.c. Whether two expressions are written alike; calls and attributes only with `calls`. */
bool sema_same(const ast_node *a, const ast_node *b, bool calls);
/* rewrite.c: parses a function's body, and writes its forms as the language has them */
bool sema_parse_body(sema *s, ast_func *fn);
/* Whether n is an element of what a loop runs over: nothing is written behind the array's name. */
bool sema_is_looped(const ast_node *n);
#define SEMA_NUMPY   ".numpy."       /* and behind it what NumPy calls so: rewrite.c */
#define SEMA_ARRAY   ".array"        /* isinstance(x, it): slices.c */
#define SEMA_NUMBERS ".numbers"      /* and behind it 2: of numbers, in so many dimensions */
bool sema_is_fold(const char *name); /* whether it is one of those that folds.c knows */
#define SEMA_FOLD_TAKES "'%s' takes arrays by their names, and expressions of slices"

/* made.c: matrices that expressions make */
/* Which of them a call is, by its name alone; BUILTIN_COUNT: none. */
sema_builtin sema_maker(sema_names in, const ast_node *n);
bool sema_makes(sema_names in, const ast_node *n); /* whether n makes one */
/* Of what makes one, the expression of its sizes; or NULL. */
const ast_node *sema_made_sizes(sema_names in, const ast_node *n);
/* Reads value; NULL when it is no such expression, total 0 after an error. */
sema_made *sema_make(instance *in, const ast_node *value);
const cpl_type *sema_made_type(compilation *c, const sema_made *m, const cpl_type *elem);
/* v's elements take values of type t; of a list, those of what is stored in target. */
void sema_raise_item(instance *in, sema_var *v, const cpl_type *t);
void sema_store_item(instance *in, const ast_node *target, const cpl_type *t);
/* t, the type of the element n, or the weak one that it still is */
const cpl_type *sema_weak_item(const instance *in, const ast_node *n, const cpl_type *t);
/* the statement that gives v what value makes */
void sema_made_value(instance *in, ast_node *value, const sema_made *m, sema_var *v);
/* Reports arrays that are made anew while another name has them. In the last round. */
void sema_check_remade(instance *in);

/* shape.c: arrays of several dimensions */
/* That of the name n has at least so many, because of what is at the span. */
void sema_ask_dims(instance *in, const ast_node *n, uint32_t dims, cpl_span span);
/* as sema_value, of a parameter that has several, or a part of it, where it may stand so */
const cpl_type *sema_array(instance *in, ast_node *n);
/* The indices that n ends in are as many as the parameter in front of them has dimensions. */
void sema_ask_indices(instance *in, const ast_node *n);
/* An argument has as many as the callee's parameter; an error where it has not. */
void sema_ask_parameter(instance *in, const ast_node *n, const sema_var *parameter);
/* Whether v is a parameter, an array of numbers, so that what has fewer indices is a row. */
bool sema_has_rows(const sema_var *v);
/* Whether n is x[i] of an array of numbers, so that len(x[i]) is of a row. */
bool sema_is_row(const instance *in, const ast_node *n);
const cpl_type *sema_row_length(instance *in, ast_node *n);
/* What the next index of n is along; left: dimensions of it, which is indexed or not yet. */
sema_axis sema_axis_of(const instance *in, const ast_node *n, uint32_t left);
bool sema_is_shape(const instance *in, const ast_node *n); /* x.shape of a parameter */
/* Or of a private array, too: x.shape[d] is known then. */
bool sema_has_shape(const instance *in, const ast_node *n);
bool sema_is_size(const instance *in, const ast_node *n); /* x.size */
const cpl_type *sema_size(instance *in, const ast_node *n);
const cpl_type *sema_shape_item(instance *in, ast_node *n); /* x.shape[d] */
/* x.shape, where so many names take it apart: the type of each */
const cpl_type *sema_shape(instance *in, ast_node *n, uint32_t names);

/* whole.c: floats that are integers, as floor(x) + 1 */
bool sema_is_whole(instance *in, const ast_node *n);
/* The type of n, t, where an integer stands: int64 for such a float. */
const cpl_type *sema_whole(instance *in, const ast_node *n, const cpl_type *t);

/* infer_work.c: builtins that need a kernel around them, and the keywords of atomics */
/* or reports that this is none */
bool sema_in_kernel(instance *in, cpl_span span, const char *name);
const cpl_type *sema_index_name(instance *in, const ast_node *n, sema_builtin b);
const cpl_type *sema_call_work(instance *in, ast_node *n, sema_builtin b);
/* Checks order= and scope= behind the arguments of an atomic or fence. */
void sema_memory_order(instance *in, const ast_node *n, sema_builtin b);
bool sema_asks_work_item(const instance *in, const ast_node *n); /* LID_0 or lane_id() is in it */

/* infer_call.c, infer_builtin.c, printf.c */
typedef struct sema_site { /* where a function is called */
    ast_node *n;           /* a call, or an operator: what gets the type and the REF_FUNC */
    ast_node **args;       /* as they are given; AST_KEYWORDs last; typed */
    uint32_t count, keywords;
    bool method; /* the first one stands in front of the dot, or nowhere */
    bool rows;   /* arguments that are rows are not typed yet */
} sema_site;
/* Of n, a call; types its arguments. receiver: of a method, typed; or NULL. */
sema_site sema_site_of(instance *in, ast_node *n, ast_node *receiver);
const cpl_type *sema_call_function(instance *in, const sema_site *c, ast_func *fn);
const cpl_type *sema_call(instance *in, ast_node *n);
const cpl_type *sema_call_builtin(instance *in, ast_node *n, sema_builtin b);
const cpl_type *sema_call_type(instance *in, ast_node *n, const cpl_type *to);
void sema_arguments(instance *in, ast_node *n); /* types all of them, for their errors */
bool sema_no_keywords(instance *in, const ast_node *n, const char *name);
bool sema_arity(instance *in, const ast_node *n, const char *name, uint32_t least, uint32_t most);
void sema_printf(instance *in, ast_node *n);
void sema_print_call(instance *in, ast_node *n);

/* infer_stmt.c, infer_loop.c */
void sema_stmts(instance *in, ast_list *list);
void sema_for(instance *in, ast_node *n);
void sema_with(instance *in, ast_node *n);
/* [all.n]: locals the statements assign */
void sema_assigned(const instance *in, const ast_list *list, bool *set);

/* flow.c: reads before assignment */
void sema_flow(instance *in);

/* race.c: warns of elements that several rounds of a parallel loop update */
void sema_races(instance *in);

/* instance.c */
/* The instance for argument types; analysed, or busy if it is being analysed. NULL past the limits,
 * which are reported. */
instance *sema_instance(instance *caller, sema_signature *sig, const cpl_type *const *types,
                        cpl_span span);

#endif
