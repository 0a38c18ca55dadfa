/* Expressions of whole arrays: trees of operations, which cpl/expressions.py writes as kernels. */
#ifndef CPL_BINDING_EXPRESSION_H
#define CPL_BINDING_EXPRESSION_H

#include "binding.h"

enum {
    MOST_OPERANDS = 4,    /* of an operation: a to d */
    MOST_LEAVES = 24,     /* of a kernel's parameters */
    MOST_OPERATIONS = 64, /* of what is compiled at once */
};

/* What an operation is of: an expression below it, or a leaf. */
typedef struct operand {
    PyObject *object; /* an expression, an array, or what kernels take besides; NULL: a number */
    cpl_dtype dtype;  /* the number's */
    union {
        int64_t i;
        uint64_t u;
        double f;
    } value; /* as in cpl_arg */
} operand;

typedef struct expression {
    PyObject_HEAD PyObject *text; /* a text of kernels, of operands a to d; one object a text */
    unsigned leaves, operations;  /* below it too */
    unsigned count;
    bool is_used;      /* a second use takes what the first one computed */
    bool is_in_places; /* its arrays live in several */
    bool has_arrays;
    uint32_t place; /* of its arrays */
    operand operands[MOST_OPERANDS];
} expression;

/* expression.c */
bool expression_check(PyObject *object);
/* The one object of a text: borrowed, it stays. NULL with an exception. */
PyObject *expression_text(PyObject *text);
/* An operation of up to MOST_OPERANDS operands, in a shape: arrays that are computed later are
 * taken in, or computed now where a kernel has no room for them, or they are of another shape.
 * text: of expression_text. Takes no reference of the operands'. */
expression *expression_new(PyObject *text, const operand *operands, size_t count, int dims,
                           const int64_t *shape);
/* For each leaf that is an object until one is refused. */
bool expression_leaves(const expression *e, bool (*take)(PyObject *leaf, void *user), void *user);
bool binding_init_expression(PyObject *m);

/* number.c */
/* A number of Python's or NumPy's as one of a type; false, without an exception, where it takes
 * more than a plain conversion. */
bool number_as(PyObject *x, cpl_dtype to, operand *o);
/* As a scalar of NumPy's. */
PyObject *number_object(const operand *o);
/* The type of a scalar of NumPy's, CPL_VOID of others. */
cpl_dtype number_dtype(PyObject *x);

/* launch.c: to = the elements, where `to` is an array that may be written; 0: of what is not as
 * plain as that cpl/expressions.py computes it; -1 with an exception. */
int expression_launch(const expression *e, array_object *to);
/* Either way; false with an exception. */
bool expression_compute(expression *e, array_object *to);

/* operator.c: slots of cpl.ndarray's base: operators, indices. */
extern PyType_Slot operator_slots[]; /* ends with a 0 */
bool binding_init_operators(PyObject *m);

#endif
