/*
 * What the files of the printer share.
 *
 * Values in C: a bool is an int that is 0 or 1 (uchar in memory); float16 is a float whose value
 * float16 has (half or ushort in memory, which needs no extension); integers of 8 and 16 bits may
 * be ints whose value their type has; all others have C's type of the same size. Signed arithmetic
 * that may overflow is done on the unsigned type.
 */
#ifndef CPL_OCL_INT_H
#define CPL_OCL_INT_H

#include "lib/opencl/opencl.h"

/* How strongly operators bind, as in C. */
enum {
    PREC_NONE,
    PREC_COND,
    PREC_OR,
    PREC_AND,
    PREC_BITS,
    PREC_EQUAL,
    PREC_LESS,
    PREC_SHIFT,
    PREC_ADD,
    PREC_MUL,
    PREC_UNARY,
    PREC_POSTFIX
};

/* of the blocks around a statement: which block, and which of its statements */
typedef struct ocl_level {
    const ir_block *block;
    uint32_t at;
} ocl_level;

typedef struct ocl_var { /* ir_var.user */
    const char *name;
    bool addressed;          /* ADDR takes its address: it is declared as it lies in memory */
    bool counter;            /* used in the loops that count with it alone, which declare it */
    bool reads_only;         /* parameter: only elements are loaded through it */
    bool assigned;           /* by a statement or as the variable of a loop */
    const ir_node *declared; /* the assignment that declares it; NULL: the top of the function */
    /* [levels] where it is first used, cut to the innermost block that holds all uses */
    ocl_level *first;
    uint32_t levels, active; /* active: loops around, at hand, that count with it */
} ocl_var;

typedef struct ocl {
    compilation *c;
    ir_module *m;
    const opencl_options *options;
    strbuf *out;
    uint32_t depth; /* of indentation */
    const ir_func *func;
    map globals; /* names of functions and structs: to themselves */
    map locals;  /* names of variables of func */
    map structs; /* name in the IR to name in the program */
    map helpers; /* name to text, in the order in which they are defined */
    /* float32s whose range NVIDIA's compiler knows are compared in a way of their own */
    bool ranges;
    bool min_of_one;                                        /* there is a minimum of 1.0f */
    bool fp64, int64_atomics, subgroups, shuffles, ballots; /* used by the program */
    uint32_t file, line;                                    /* of the last comment */
} ocl;

/* print.c */
bool ocl_is_v2(const ocl *o); /* OpenCL C 2.0 or newer */
/* IR that the printer does not accept */
void ocl_error(ocl *o, const ir_node *n, const char *what);
const char *ocl_func_name(const ir_func *f);

/* ocl_name.c */
bool ocl_is_reserved(const char *name);
/* unique among functions, structs, helpers */
const char *ocl_global_name(ocl *o, const char *name);
const char *ocl_local_name(ocl *o, const char *name); /* unique in the function too */

/* ocl_type.c */
/* A value; in a variable, field or array; what a pointer points to. */
typedef enum ocl_form { OCL_VALUE, OCL_STORED, OCL_POINTEE } ocl_form;
const char *ocl_scalar(ocl *o, const cpl_type *t); /* as a value */
/* the unsigned type of an integer type's size */
const char *ocl_unsigned(const cpl_type *t);
const char *ocl_space(const ocl *o, type_space s);
/* "global double *x", "double m[2][3]"; qualifier: of the thing declared, "" for none. name may be
 * "": the type for a cast. */
const char *ocl_declare(ocl *o, const cpl_type *t, const char *name, ocl_form form,
                        const char *qualifier);
const char *ocl_cast(ocl *o, const cpl_type *t);
void ocl_structs(ocl *o); /* their declarations */
const char *ocl_field_name(ocl *o, const char *name);
static inline bool ocl_is_half(const cpl_type *t)
{
    return type_is(t, CPL_FLOAT16);
}
static inline bool ocl_is_narrow(const cpl_type *t)
{
    return type_is_int(t) && t->size < 4;
}

/* ocl_plan.c: names of the function's variables, and where each is declared. */
void ocl_plan(ocl *o, const ir_func *f);
static inline ocl_var *ocl_of(const ir_var *v)
{
    return v->user;
}

/* ocl_helper.c: each returns the name of a function that the program then has. */
const char *ocl_helper(ocl *o, const char *name, const char *text); /* behind those that it calls */
const char *ocl_min_max(ocl *o, const ir_node *n);
const char *ocl_min_max_of(ocl *o, bool max, const cpl_type *t);
const char *ocl_narrowed(ocl *o, const cpl_type *t); /* an int to 8 or 16 bits */
const char *ocl_abs(ocl *o, const cpl_type *t);
const char *ocl_fabs(ocl *o, const cpl_type *t);
/* IR_LT to IR_GE, of float32 or an integer of 8 or 16 bits */
const char *ocl_order(ocl *o, ir_op op, const cpl_type *t);
bool ocl_has_ranges(const ir_module *m);
bool ocl_has_min_of_one(const ir_module *m);
const char *ocl_rounding(ocl *o, ir_op op, const cpl_type *t);
const char *ocl_difference(ocl *o, const cpl_type *t);                    /* positive */
const char *ocl_to_int(ocl *o, const cpl_type *from, const cpl_type *to); /* saturating */
const char *ocl_rounds(ocl *o, const cpl_type *t);                        /* of a counted loop */
const char *ocl_half(ocl *o); /* float to the nearest float16 */
const char *ocl_half_of_double(ocl *o);
const char *ocl_half_bits(ocl *o);  /* float16 to ushort */
const char *ocl_half_value(ocl *o); /* and back */
const char *ocl_record_fault(ocl *o);

/* ocl_expr.c; each writes at o->out */
/* the value, in parentheses where it binds less than prec */
void ocl_expr(ocl *o, const ir_node *n, int prec);
void ocl_query(ocl *o, const ir_node *n); /* LOCAL_ID to LANE, of OpenCL's own type */
/* of exactly the C type: for functions that are overloaded */
void ocl_exact(ocl *o, const ir_node *n);
bool ocl_open(ocl *o, bool parenthesis); /* its argument */
void ocl_close(ocl *o, bool parenthesis);
/* a call, with exact arguments */
void ocl_args(ocl *o, const char *function, ir_node *const *args, uint32_t n);

/* ocl_arith.c: integer and float arithmetic, bits, comparison, mathematics */
void ocl_arith(ocl *o, const ir_node *n, int prec);
void ocl_convert(ocl *o, const ir_node *n, int prec);
void ocl_bits(ocl *o, const ir_node *n, int prec);

/* ocl_place.c */
void ocl_pointer(ocl *o, const ir_node *n, int prec); /* an address */
void ocl_load(ocl *o, const ir_node *n, int prec);
/* without indentation and semicolon */
void ocl_store(ocl *o, const ir_node *n);
void ocl_clear(ocl *o, const ir_node *n); /* a whole statement */

/* ocl_stmt.c */
void ocl_block(ocl *o, const ir_block *b); /* the statements, without braces */
void ocl_body(ocl *o, const ir_block *b);  /* " {", the statements, "}" without line end */
void ocl_indent(ocl *o);
void ocl_line(ocl *o, const char *format, ...) PRINTF_LIKE(2, 3); /* indented, with line end */

/* ocl_loop.c */
void ocl_for(ocl *o, const ir_node *n);
void ocl_keep_order(ocl *o, const ir_node *loop);

/* ocl_atomic.c */
void ocl_atomic(ocl *o, const ir_node *n); /* the expression */
/* what stands in front of the statement, and behind it */
void ocl_atomic_before(ocl *o, const ir_node *n);
void ocl_atomic_after(ocl *o, const ir_node *n);
/* version 2, compare-exchange: statements; the variable with the old value */
const char *ocl_exchange(ocl *o, const ir_node *n);
void ocl_fence(ocl *o, const ir_node *n);
void ocl_barrier(ocl *o, const ir_node *n);

/* ocl_lanes.c */
const char *ocl_lane(ocl *o);             /* "get_sub_group_local_id()" */
const char *ocl_most_lanes(const ocl *o); /* "get_max_sub_group_size()" */
void ocl_subgroup(ocl *o, const ir_node *n, int prec);

#endif
