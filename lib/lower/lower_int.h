/*
 * What the files of this folder share: the state of one lowering and its building blocks.
 *
 * Order of evaluation. lower_expr returns a tree without side effects and may append statements to
 * lower.block first. A statement that can change what a tree already built would read (a call, an
 * atomic) raises lower.effects. Whoever lowers several operands compares effects before and after
 * each, and saves the earlier operands in temporaries, in front of those statements, when it rose
 * (lower_save). Statements that only compute temporaries do not raise it.
 */
#ifndef CPL_LOWER_INT_H
#define CPL_LOWER_INT_H

#include "lib/lower/lower.h"

/* A complex number or a vector that a parallel loop reduces, within the loop: its fields are
 * reduced, each by itself. */
typedef struct lower_sums {
    ir_op op;
    ir_var **fields;
} lower_sums;

/* What hangs on ir_var.user and sema_var.user while lowering. */
typedef struct lower_var {
    ir_var *var;
    ir_var *stride; /* of a pointer into a strided array: int64, bytes between elements */
    uint32_t dims;  /* of an array of several dimensions, a parameter: how many; else 0 */
    /* of such: elements along each, and where it is strided bytes from one to the next; int64 */
    ir_var *shape[TYPE_MOST_DIMS], *strides[TYPE_MOST_DIMS];
    bool may_change;        /* a call or an atomic can change it: its address is taken */
    bool temporary;         /* written once for each time it is read */
    bool by_pointer;        /* a struct parameter: var points to the struct */
    const lower_sums *sums; /* what takes in each value that it gets; NULL: none */
} lower_var;

typedef struct lower_loop {
    struct lower_loop *outer;
    ir_var *broke; /* bool that break sets, for an else part; NULL where nothing asks */
} lower_loop;

typedef struct lower {
    compilation *comp;
    ir_module *m;
    sema_program *p;
    const lower_options *options;
    map externs;   /* name -> ir_func */
    sema_func *sf; /* the function being lowered */
    ir_func *f;
    ir_block *block; /* where statements go */
    uint32_t effects;
    bool extents;     /* pointers carry their extent in this function */
    ir_var *record;   /* the parameter of the role fault, or NULL */
    ir_var *result;   /* the parameter of the role result, or NULL */
    lower_loop *loop; /* innermost */
    const cpl_type *type_void, *type_bool, *type_i32, *type_i64, *type_u8, *type_f32, *type_f64;
} lower;

/* lower.c */
ir_func *lower_extern(lower *l, const sema_extern *ext, cpl_span span);
/* Its pointer parameters have hidden lengths. */
bool lower_has_extents(const lower *l, const sema_func *sf);

/* lower_value.c: types, variables, temporaries, conversions */
const cpl_type *lower_type(lower *l, const cpl_type *t);    /* sema type -> IR type */
const cpl_type *lower_type_of(lower *l, const ast_node *e); /* IR type of an expression */
ir_node *lower_number(lower *l, const cpl_type *type, sema_const k, cpl_span span);
/* Between scalars and between pointers, and to complex numbers. */
ir_node *lower_convert(lower *l, ir_node *n, const cpl_type *to, cpl_span span);
ir_node *lower_complex(lower *l, const cpl_type *type, ir_node *real, ir_node *imag, cpl_span span);
ir_node *lower_truth(lower *l, ir_node *n, cpl_span span); /* bool: n != 0 */
ir_node *lower_not(lower *l, ir_node *cond, cpl_span span);
lower_var *lower_var_new(lower *l, const char *name, const cpl_type *type, bool strided,
                         cpl_span span);
lower_var *lower_var_of(const ir_var *v);
void lower_emit(lower *l, ir_node *stmt);
/* Assigns a variable, its extent and its stride. */
void lower_assign_var(lower *l, lower_var *v, ir_node *value, cpl_span span);
ir_node *lower_temp(lower *l, ir_node *value); /* saves it in a temporary unless it is constant */
ir_node *lower_pin(lower *l, ir_node *value);  /* may be used twice, with effects between */
bool lower_is_stable(const ir_node *n);        /* no call or atomic can change its value */
void lower_save(lower *l, ir_block *at, uint32_t position, ir_node **values, uint32_t n);
/* int64: elements from the pointer on, and bytes from one to the next. */
ir_node *lower_extent(lower *l, const ir_node *pointer, cpl_span span);
ir_node *lower_stride(lower *l, const ir_node *pointer, cpl_span span);
/* int64: elements along a dimension of an array; of one of a single dimension its extent. */
ir_node *lower_shape(lower *l, const ir_node *array, uint32_t dim, cpl_span span);
/* int64: bytes from one to the next; of one of a single dimension its stride. */
ir_node *lower_pitch(lower *l, const ir_node *array, uint32_t dim, cpl_span span);
ir_block *lower_enter(lower *l); /* a new block to append to; returns the one before */
ir_block *lower_leave(lower *l, ir_block *before); /* back; returns the block that was filled */

/* lower_expr.c */
ir_node *lower_expr(lower *l, const ast_node *e);
ir_node *lower_expr_as(lower *l, const ast_node *e, const cpl_type *type); /* converted */
ir_node *lower_cond(lower *l, const ast_node *e);                          /* its truth, as bool */
/* Lowers expressions from left to right. */
void lower_operands(lower *l, ast_node *const *kids, uint32_t n, ir_node **out);
/* a op b computed in type; exponent: the syntax tree of b, which ** looks at. */
ir_node *lower_binary(lower *l, token_kind op, const cpl_type *type, ir_node *a, ir_node *b,
                      const ast_node *exponent, cpl_span span);

/* lower_tuple.c */
ir_node *lower_tuple(lower *l, const ast_node *e); /* the struct that an AST_TUPLE is */
ir_node *lower_struct_of(lower *l, const cpl_type *type, ir_node **items, cpl_span span);
/* A tuple, a struct, as one of other items. */
ir_node *lower_tuple_as(lower *l, ir_node *n, const cpl_type *to, cpl_span span);
/* a, b = e, and such */
void lower_unpack(lower *l, const ast_node *targets, ir_node *tuple, cpl_span span);

/* lower_made.c */
void lower_made(lower *l, const ast_node *s); /* t = np.zeros(3) and such */

/* lower_call.c */
ir_node *lower_call(lower *l, const ast_node *e); /* and an operator's method */
/* What the method gives that an augmented assignment calls. old: the target's value. */
ir_node *lower_updated(lower *l, const ast_node *s, ir_node *old);
/* The call or atomic that e is as a whole, not yet emitted; NULL if it is none. */
ir_node *lower_effect(lower *l, const ast_node *e);
/* The builtin that e calls; BUILTIN_COUNT if it calls none. */
sema_builtin lower_builtin(const lower *l, const ast_node *e);

/* A function of numbers of arguments that are lowered, in type. */
ir_node *lower_number_call(lower *l, const ast_node *e, sema_builtin b, const cpl_type *type,
                           ir_node **args);

/* lower_vector.c: short vectors */
/* Another vector of as many lanes, or a number for all of them, as type. */
ir_node *lower_lanes(lower *l, const cpl_type *type, ir_node *n, cpl_span span);
ir_node *lower_vector_binary(lower *l, token_kind op, const cpl_type *type, ir_node *a, ir_node *b,
                             const ast_node *exponent, cpl_span span);
ir_node *lower_vector_unary(lower *l, ir_op op, const cpl_type *type, ir_node *a, cpl_span span);
ir_node *lower_vector_call(lower *l, const ast_node *e, sema_builtin b);
ir_node *lower_make_vector(lower *l, const ast_node *e);
ir_node *lower_lane_address(lower *l, ir_node *vector, ir_node *index, cpl_span span);

/* lower_work.c */
/* The atomic or operation of a sub-group that a call of b is, not yet emitted; NULL if it is
 * none. */
ir_node *lower_work_effect(lower *l, const ast_node *e, sema_builtin b);
/* Emits fences, barriers and vector copies; the value of the others. NULL for any other builtin. */
ir_node *lower_work(lower *l, const ast_node *e, sema_builtin b);
ir_node *lower_index(lower *l, sema_builtin b, cpl_span span); /* LID_0 and its kin; NULL: none */

/* lower_printf.c */
void lower_printf(lower *l, const ast_node *e);

/* lower_print.c */
void lower_print(lower *l, const ast_node *e);

/* lower_lvalue.c */
typedef struct lower_place { /* an assignable place */
    lower_var *var;          /* a variable, or NULL */
    ir_node *pointer;        /* where var is NULL */
    const cpl_type *type;    /* IR type of the value */
} lower_place;

lower_place lower_lvalue(lower *l, const ast_node *e);
void lower_pin_place(lower *l, lower_place *p); /* its address may be used twice */
ir_node *lower_pin_pointer(lower *l, ir_node *n);
/* A pointer that becomes a value: an error where what it points to may be misaligned. */
ir_node *lower_aligned(lower *l, ir_node *pointer, cpl_span span);
ir_node *lower_read(lower *l, const lower_place *p, cpl_span span);
void lower_write(lower *l, const lower_place *p, ir_node *value, cpl_span span); /* converts */
/* Pointer to an lvalue, or to a place that a value gets. */
ir_node *lower_address(lower *l, const ast_node *e);
ir_node *lower_spill(lower *l, ir_node *value, cpl_span span);
/* Pointer to an array -> to its first item. */
ir_node *lower_decay(lower *l, ir_node *to_array, cpl_span span);

/* lower_assign.c, lower_stmt.c, lower_loop.c, lower_prange.c: statements */
void lower_assignment(lower *l, const ast_node *s);
/* Assigns a value to a target that is no tuple. */
void lower_assign_value(lower *l, const ast_node *target, ir_node *value, cpl_span span);
void lower_augmented(lower *l, const ast_node *s);
void lower_annotated(lower *l, const ast_node *s);
void lower_stmts(lower *l, const ast_list *list);
void lower_while(lower *l, const ast_node *s);
void lower_for(lower *l, const ast_node *s);
void lower_prange(lower *l, const ast_node *s);
/* Adds what v has got to its sums. */
void lower_combine(lower *l, lower_var *v, cpl_span span);

/* lower_endless.c: refuses functions whose calls never return. */
void lower_check_endless(lower *l);

/* lower_loop.c: what both kinds of for share. */
typedef struct lower_rounds {
    ir_var *var;        /* counts: the variable itself, or another where its type cannot */
    ir_node *bounds[3]; /* start, stop, step, in its type */
    lower_var *target;  /* the language's variable */
} lower_rounds;

lower_rounds lower_rounds_of(lower *l, const ast_node *s);
/* Appends the body to the block start and returns it. */
ir_block *lower_loop_body(lower *l, const ast_node *s, lower_loop *loop, ir_block *start);
ir_block *lower_rounds_body(lower *l, const ast_node *s, lower_loop *loop, const lower_rounds *r);

#endif
