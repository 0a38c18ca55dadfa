/*
 * Building typed IR (lib/ir/README.md is its manual) instead of reading it from a text: for other
 * front ends.
 *
 *     cpl_ir_builder *b;  cpl_ir_builder_create(cx, "square", &b);
 *     cpl_ir_func *f = cpl_ir_function(b, "square", CPL_IR_ENTRY, float64);
 *     cpl_ir_var *x = cpl_ir_param(b, f, "x", float64, 0);
 *     cpl_ir_begin(b, f);
 *     cpl_ir_return(b, cpl_ir_op2(b, "mul", cpl_ir_use(b, x), cpl_ir_use(b, x)));
 *     cpl_ir_end(b);
 *     cpl_status status = cpl_ir_finish(b, &module);
 *     cpl_ir_builder_free(b);
 *
 * Errors stick: after the first one every function does nothing and returns NULL, and cpl_ir_finish
 * reports it. So only that call needs checking, and NULL may be passed on. Handles belong to their
 * builder and go with it. The functions here are called by one thread at a time for each builder.
 */
#ifndef CPL_IR_H
#define CPL_IR_H

#include "cpl/base.h"
#include "cpl/context.h"
#include "cpl/module.h"
#include "cpl/type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cpl_ir_builder cpl_ir_builder;
typedef struct cpl_ir_func cpl_ir_func;
typedef struct cpl_ir_var cpl_ir_var;

/*
 * An expression that no statement holds yet. Used a second time it stands for a copy, which is
 * evaluated on its own; calls and atomics can be used once.
 */
typedef struct cpl_ir_value cpl_ir_value;

/* What a function is to its module. Numbers are frozen once released. */
typedef enum cpl_ir_kind {
    CPL_IR_INTERNAL = 0, /* called by other functions of the module */
    CPL_IR_ENTRY = 1,    /* can be compiled as a kernel of its own */
    /* an entry for elementwise launches: the first parameter is the number of indices */
    CPL_IR_ELEMENTWISE = 2,
    /* a C function known to the context by cpl_extern_register; it has no body */
    CPL_IR_EXTERN = 3,
    CPL_IR_EXTERN_PURE = 4, /* such a function without side effects */
    CPL_IR_KERNEL = 5,      /* an entry that each work-item of a grid runs; no result */
} cpl_ir_kind;

/* What is promised about a pointer parameter; flags. */
enum {
    /* memory reached through it is not both written and reached through anything else */
    CPL_IR_NOALIAS = 1,
    CPL_IR_READONLY = 2, /* nothing is written through it */
};

/* What a launch puts into a parameter of its own accord; callers do not give it. Numbers are frozen
 * once released. */
typedef enum cpl_ir_param_role {
    CPL_IR_LENGTH = 1, /* int64: the elements of a pointer parameter; bounds_check looks at it */
    CPL_IR_STRIDE = 2, /* int64: bytes from one element of a pointer parameter to the next */
    /* pointer to uint8: a fault record, in which bounds_check notes the first failed check */
    CPL_IR_FAULT = 3,
    /* int64: the elements of a pointer parameter along a dimension. It is an array of as many
     * dimensions as it has such parameters, and its length is that along dimension 0 */
    CPL_IR_SHAPE = 6,
    /* of kernels that are not elementwise: pointer to scalars in global memory, for the parts of a
     * reduction */
    CPL_IR_PARTS = 7,
    /* pointer to a scalar or complex number in global memory: takes what a kernel or a function of
     * a complex number comes to, which then returns nothing */
    CPL_IR_RESULT = 8,
    CPL_IR_IMAG =
        9, /* float: the imaginary part of a complex number; the other parameter's is real */
} cpl_ir_param_role;

typedef enum cpl_ir_order {
    CPL_IR_RELAXED = 0,
    CPL_IR_ACQUIRE = 1,
    CPL_IR_RELEASE = 2,
    CPL_IR_ACQ_REL = 3,
    CPL_IR_SEQ_CST = 4,
} cpl_ir_order;

typedef enum cpl_ir_scope { CPL_IR_GROUP = 0, CPL_IR_DEVICE = 1, CPL_IR_SYSTEM = 2 } cpl_ir_scope;

/* Questions about the place of a work-item. */
typedef enum cpl_ir_place {
    CPL_IR_LOCAL_ID = 0,    /* int32 */
    CPL_IR_LOCAL_SIZE = 1,  /* int32 */
    CPL_IR_GROUP_ID = 2,    /* int64 */
    CPL_IR_GROUP_COUNT = 3, /* int64 */
} cpl_ir_place;

typedef enum cpl_ir_space { CPL_IR_SPACE_LOCAL = 0, CPL_IR_SPACE_GLOBAL = 1 } cpl_ir_space;

typedef enum cpl_ir_schedule {
    CPL_IR_STATIC = 0,
    CPL_IR_DYNAMIC = 1,
    CPL_IR_GUIDED = 2
} cpl_ir_schedule;

/* Makes an empty builder of a module called name, which messages show. Returns CPL_OK, CPL_EARG or
 * CPL_ENOMEM. Any thread. */
CPL_API cpl_status cpl_ir_builder_create(cpl_context *context, const char *name,
                                         cpl_ir_builder **builder);
/* Frees it with all its handles; NULL is allowed. The modules it made stay. */
CPL_API void cpl_ir_builder_free(cpl_ir_builder *builder);
/* CPL_OK, or the status of the first error. */
CPL_API cpl_status cpl_ir_builder_status(const cpl_ir_builder *builder);

/*
 * Closes the module: checks it as the verifier does and makes a module of it, as cpl_module_from_ir
 * of cpl_ir_text would. What is wrong goes to the context's sink. May be called again after more
 * was added. Returns CPL_OK, CPL_EARG, CPL_EEXIST, CPL_EIR, CPL_ELIMIT or CPL_ENOMEM.
 */
CPL_API cpl_status cpl_ir_finish(cpl_ir_builder *builder, cpl_module **module);

/* The text form of what was built so far (release it with cpl_blob_free). Returns CPL_OK,
 * CPL_ENOMEM or the status of the first error. */
CPL_API cpl_status cpl_ir_text(cpl_ir_builder *builder, cpl_blob *text);

/*
 * Functions. cpl_ir_function declares one; name is an identifier, which may hold dots, and new to
 * the module (else CPL_EEXIST); result NULL is void. Parameters are added in order, before the
 * first call of the function. The name of a parameter or variable is changed a little where the
 * function has one of that name already. cpl_ir_begin starts its body, cpl_ir_end ends it; what
 * lies between is appended to it. Another function's body may be built only after that.
 */
CPL_API cpl_ir_func *cpl_ir_function(cpl_ir_builder *builder, const char *name, cpl_ir_kind kind,
                                     const cpl_type *result);
CPL_API cpl_ir_var *cpl_ir_param(cpl_ir_builder *builder, cpl_ir_func *function, const char *name,
                                 const cpl_type *type, unsigned flags);
CPL_API void cpl_ir_begin(cpl_ir_builder *builder, cpl_ir_func *function);
/* of the function, or of the if or loop that was begun last */
CPL_API void cpl_ir_end(cpl_ir_builder *builder);

/* A variable of the function whose body is being built. It is zero when the function starts. */
CPL_API cpl_ir_var *cpl_ir_local(cpl_ir_builder *builder, const char *name, const cpl_type *type);
/* A variable of the kernel whose body is being built that all work-items of a group share; it
 * starts undefined. */
CPL_API cpl_ir_var *cpl_ir_local_memory(cpl_ir_builder *builder, const char *name,
                                        const cpl_type *type);
/* The type of pointers to type in local memory: of a kernel's parameter whose size the launch
 * decides. */
CPL_API const cpl_type *cpl_ir_local_pointer(cpl_ir_builder *builder, const cpl_type *type);
/* Gives a parameter a role, of another parameter of the same function: a pointer for CPL_IR_LENGTH,
 * CPL_IR_STRIDE and CPL_IR_SHAPE, the real part for CPL_IR_IMAG; else of NULL. axis: the dimension
 * of a stride or a shape, 0 to 7; 0 for other roles. A parameter without one is the caller's. */
CPL_API void cpl_ir_role(cpl_ir_builder *builder, cpl_ir_var *parameter, cpl_ir_param_role role,
                         cpl_ir_var *of, unsigned axis);
/* Says that length, an int64 variable of the same function, holds how many elements pointer points
 * to; who sets it is another question. */
CPL_API void cpl_ir_extent(cpl_ir_builder *builder, cpl_ir_var *pointer, cpl_ir_var *length);

/* Values: constants wrapped or rounded to dtype (cpl_ir_int also makes bools), a variable's value,
 * a pointer to it (private space, or local), and a work-item's place in dimension 0, 1 or 2. */
CPL_API cpl_ir_value *cpl_ir_int(cpl_ir_builder *builder, cpl_dtype dtype, int64_t value);
CPL_API cpl_ir_value *cpl_ir_float(cpl_ir_builder *builder, cpl_dtype dtype, double value);
CPL_API cpl_ir_value *cpl_ir_use(cpl_ir_builder *builder, cpl_ir_var *variable);
CPL_API cpl_ir_value *cpl_ir_addr(cpl_ir_builder *builder, cpl_ir_var *variable);
CPL_API cpl_ir_value *cpl_ir_index(cpl_ir_builder *builder, cpl_ir_place place, unsigned dimension);

/*
 * Any op of the manual's table without an attribute: cpl_ir_op(b, "add", operands, 2). Statements
 * among them ("store", "clear", "assert", "assume") are handed to cpl_ir_do. An unknown name or a
 * wrong count is CPL_EARG; types are checked by cpl_ir_finish.
 */
CPL_API cpl_ir_value *cpl_ir_op(cpl_ir_builder *builder, const char *op,
                                cpl_ir_value *const *operands, size_t count);
/* Ops with a type: "convert", "rawconvert", "bits", "ptrcast". */
CPL_API cpl_ir_value *cpl_ir_typed_op(cpl_ir_builder *builder, const char *op, const cpl_type *type,
                                      cpl_ir_value *operand);
/* Pointer to a field of the struct that pointer points to; CPL_EARG when there is none of that
 * name. */
CPL_API cpl_ir_value *cpl_ir_field(cpl_ir_builder *builder, cpl_ir_value *pointer,
                                   const char *name);
/* A call, for cpl_ir_assign or cpl_ir_do. */
CPL_API cpl_ir_value *cpl_ir_call(cpl_ir_builder *builder, cpl_ir_func *function,
                                  cpl_ir_value *const *args, size_t count);
/* An op with memory order and scope: "atomic_add" and its kin, for cpl_ir_assign or cpl_ir_do;
 * "atomic_store", "fence" for cpl_ir_do. */
CPL_API cpl_ir_value *cpl_ir_atomic(cpl_ir_builder *builder, const char *op, cpl_ir_order order,
                                    cpl_ir_scope scope, cpl_ir_value *const *operands,
                                    size_t count);

/* Statements, appended to the innermost function, if or loop that was begun. */
CPL_API void cpl_ir_assign(cpl_ir_builder *builder, cpl_ir_var *variable, cpl_ir_value *value);
/* a statement op, a call or an atomic */
CPL_API void cpl_ir_do(cpl_ir_builder *builder, cpl_ir_value *statement);
CPL_API void cpl_ir_printf(cpl_ir_builder *builder, const char *format, cpl_ir_value *const *args,
                           size_t count);
CPL_API void cpl_ir_barrier(cpl_ir_builder *builder, cpl_ir_space space);
/* Copies 2, 3, 4, 8 or 16 elements in a row. */
CPL_API void cpl_ir_vcopy(cpl_ir_builder *builder, unsigned lanes, cpl_ir_value *to,
                          cpl_ir_value *from);
CPL_API void cpl_ir_break(cpl_ir_builder *builder);
CPL_API void cpl_ir_continue(cpl_ir_builder *builder);
/* NULL: without a value */
CPL_API void cpl_ir_return(cpl_ir_builder *builder, cpl_ir_value *value);

/* These begin a block that cpl_ir_end ends. cpl_ir_else ends the arm that an if began, and begins
 * the other. */
CPL_API void cpl_ir_if(cpl_ir_builder *builder, cpl_ir_value *condition);
CPL_API void cpl_ir_else(cpl_ir_builder *builder);
CPL_API void cpl_ir_while(cpl_ir_builder *builder, cpl_ir_value *condition);
CPL_API void cpl_ir_for(cpl_ir_builder *builder, cpl_ir_var *variable, cpl_ir_value *start,
                        cpl_ir_value *stop, cpl_ir_value *step);

typedef struct cpl_ir_reduction {
    const char *op; /* add mul min max and or xor */
    cpl_ir_var *variable;
} cpl_ir_reduction;

typedef struct cpl_ir_loop_options {
    size_t size; /* sizeof(cpl_ir_loop_options) */
    cpl_ir_schedule schedule;
    int64_t chunk;   /* rounds dealt out at a time; 0: the schedule decides */
    int32_t threads; /* 0: the default */
    const cpl_ir_reduction *reductions;
    size_t reduction_count;
    /* variables that each round has for itself, apart from the loop's own */
    cpl_ir_var *const *privates;
    size_t private_count;
} cpl_ir_loop_options;

/* Sets size and zeroes the rest. */
CPL_API void cpl_ir_loop_options_init(cpl_ir_loop_options *options);

/* A parallel loop; options NULL means all defaults. */
CPL_API void cpl_ir_parallel_for(cpl_ir_builder *builder, cpl_ir_var *variable, cpl_ir_value *start,
                                 cpl_ir_value *stop, cpl_ir_value *step,
                                 const cpl_ir_loop_options *options);

/* Ops of one, two and three operands. */
static inline cpl_ir_value *cpl_ir_op1(cpl_ir_builder *builder, const char *op, cpl_ir_value *a)
{
    return cpl_ir_op(builder, op, &a, 1);
}
static inline cpl_ir_value *cpl_ir_op2(cpl_ir_builder *builder, const char *op, cpl_ir_value *a,
                                       cpl_ir_value *b)
{
    cpl_ir_value *operands[2];
    operands[0] = a;
    operands[1] = b;
    return cpl_ir_op(builder, op, operands, 2);
}
static inline cpl_ir_value *cpl_ir_op3(cpl_ir_builder *builder, const char *op, cpl_ir_value *a,
                                       cpl_ir_value *b, cpl_ir_value *c)
{
    cpl_ir_value *operands[3];
    operands[0] = a;
    operands[1] = b;
    operands[2] = c;
    return cpl_ir_op(builder, op, operands, 3);
}

#ifdef __cplusplus
}
#endif
#endif
