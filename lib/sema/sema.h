/*
 * From syntax trees to typed functions: names, types, specialisation. spec: what a kernel means is in README.md of this folder.
 *
 * A function is analysed once for each tuple of argument types (a sema_func). Types live in side tables indexed by ast_node.id,
 * since the same tree has other types in another instance.
 */
#ifndef CPL_SEMA_H
#define CPL_SEMA_H

#include "lib/front/front.h"

/* builtin.c: the names that need no definition; rows of builtin.def. */
typedef enum sema_builtin {
#define BUILTIN(id, name, group, args, doc) BI_##id,
#include "lib/sema/builtin.def"
#undef BUILTIN
    BUILTIN_COUNT
} sema_builtin;

typedef struct sema_func sema_func;

typedef struct sema_var {
    const char *name;
    const cpl_type *type;    /* final; pointers of strided arrays have type->strided */
    cpl_span span;           /* first assignment, declaration or parameter */
    bool is_param, declared; /* declared: by declare() or an annotation */
    bool address_taken;
    bool is_index;           /* the index parameter of an elementwise function */
    const char *local_space; /* "local" for declare('LOCAL_MEM ...'), else NULL */
    void *user;              /* lower's ir_var */
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
    REF_NONE, REF_VAR, REF_CONST, /* a module constant or math constant: value */
    REF_BUILTIN, REF_FUNC, REF_EXTERN, REF_TYPE /* a type used as a conversion: int(x), float32(x) */
} sema_ref_kind;

typedef struct sema_const { /* a compile-time number */
    const cpl_type *type;   /* bool, int32, int64, uint64 or float64 */
    union { uint64_t bits; double number; };
} sema_const;

typedef struct sema_ref { /* what a node stands for: AST_NAME, AST_ATTRIBUTE, AST_CALL */
    sema_ref_kind kind;
    union {
        sema_var *var;
        sema_const constant;
        sema_builtin builtin;
        sema_func *func;         /* of a call: the instance called */
        const sema_extern *ext;
        const cpl_type *type;
    };
} sema_ref;

struct sema_func {
    const ast_func *fn;
    const char *symbol;           /* unique in the program: "f", then "f.1" for another specialisation */
    VEC(sema_var *) params;       /* the language's parameters, the index included */
    VEC(sema_var *) vars;         /* locals, in order of first appearance */
    const cpl_type *result;       /* void when nothing is returned */
    const cpl_type **types;       /* [fn->node_count]: type of each expression; literals: the type they take there */
    sema_ref *refs;               /* [fn->node_count] */
    bool uses_len;                /* it or what it calls uses len() of a parameter */
    bool recursive;
    void *user;                   /* lower's ir_func */
};

typedef struct sema_program {
    compilation *comp;
    ast_file *file;
    VEC(sema_func *) funcs;       /* callees before callers, but for recursion; the last is the entry */
    sema_func *entry;
    bool elementwise;             /* entry's first parameter is the index */
    bool bounds_check;
    const cpl_type *const *arg_types; /* types asked for, [arg_count] */
    uint32_t arg_count;
} sema_program;

/* What surrounds the file: externs and structs of the context. */
typedef struct sema_env {
    const sema_extern *(*find_extern)(void *user, const char *name); /* NULL when there is none */
    void (*each_extern)(void *user, suggester *s);                   /* offers all names, for hints; may be NULL */
    void *user;
} sema_env;

/*
 * Types a function for argument types; elementwise: without the index. A NULL entry (or arg_count 0 with parameters present) is taken from
 * annotations. NULL after errors, which are in the diags: all of them, not just the first.
 */
sema_program *sema_analyse(compilation *c, ast_file *f, const char *function, const cpl_type *const *args, uint32_t arg_count,
                           bool elementwise, bool bounds_check, const sema_env *env);

/* print.c: for --emit types: signature and variables of each instance, then each expression with its type where asked. */
void sema_print(strbuf *sb, const sema_program *p);

#endif
