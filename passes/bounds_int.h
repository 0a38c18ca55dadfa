/*
 * The parts of pass bounds: what an address must satisfy (bounds_address.c), which checks leave a
 * loop (bounds_hoist.c) by the ranges of their indices (bounds_range.c), and the checks that stay
 * (bounds.c).
 */
#ifndef CPL_BOUNDS_INT_H
#define CPL_BOUNDS_INT_H

#include "passes/pass_int.h"

/* One comparison, 0 <= index < extent. The index is the sum of the terms, in elements, or all is
 * counted in bytes. */
typedef struct bounds_term {
    ir_node **slot; /* where the expression hangs in the address */
    uint64_t unit;  /* bytes it counts in */
} bounds_term;

typedef struct bounds_check {
    VEC(bounds_term) terms;
    ir_node *extent; /* int64, without loads: a variable, or cond of two; NULL: count */
    uint64_t count;
    uint64_t unit;   /* bytes of an element that extent or count counts */
    uint64_t access; /* bytes read or written */
    int32_t axis;    /* the dimension that the index counts along; -1: all of the array */
    bool bytes;      /* terms count in something else: compare bytes */
} bounds_check;

typedef VEC(bounds_check) bounds_checks;

/* What is known of a variable during the analysis of one loop (ir_var.user). */
typedef struct bounds_refinement { /* variable + offset op bound holds here */
    ir_op op;
    const ir_node *bound;
    int64_t offset;
    const cpl_type *type; /* in which variable + offset was computed */
} bounds_refinement;

typedef struct bounds_facts {
    bool taken;       /* its address is taken somewhere in the function */
    uint32_t epoch;   /* of the analysis that what follows belongs to */
    uint32_t assigns; /* in the loop */
    bool is_private;  /* to rounds of it */
    /* the only value it is assigned in the loop, where that has happened by now */
    const ir_node *def;
    const ir_node *loop; /* the loop it counts, inside its body */
    VEC(bounds_refinement) refinements;
} bounds_facts;

typedef struct bounds {
    ir_module *m;
    ir_var *record; /* the parameter of the role fault, or NULL */
    pass_rewriter r;
    uint32_t size;     /* estimated ops of the function */
    uint32_t no_hoist; /* inside the slow copy of a loop */
    uint32_t epoch;
    bool device;          /* the code is for one */
    const ir_node **safe; /* accesses whose checks have left the loop: a hash set */
    uint32_t safe_count, safe_slots;
    bool changed;
} bounds;

/* bounds_address.c */
bool bounds_is_access(const ir_node *n); /* reads or writes through its first operand */
void bounds_find(ir_module *m, ir_node *pointer, bounds_checks *out);
const char *bounds_name(const ir_node *pointer); /* of the array, as the source spells it */

/* bounds_range.c: ranges of integer expressions, as int64 expressions valid in front of the loop,
 * and what must hold for them. */
typedef struct bounds_interval {
    ir_node *lo, *hi;     /* both ends belong to it */
    double size;          /* no end is larger than this in absolute value, given the conditions */
    const cpl_type *fits; /* values lie in this type: none wrapped; NULL when that is not known */
} bounds_interval;

typedef struct bounds_ranges {
    bounds *b;
    const ir_node *outer; /* the loop under analysis */
    bool entry;           /* variables are read in front of the loop */
    /* a bound of a refinement is evaluated: without refinements, which could go round in circles */
    bool plain;
    double limit;   /* assumed, and made a condition, for variables */
    uint32_t steps; /* left before giving up */
    VEC(ir_node *) conditions;
} bounds_ranges;

bounds_facts *bounds_facts_of(bounds *b, ir_var *v);
/* Adds the conditions under which 0 <= the check's index < its extent whenever it is evaluated;
 * false when there are none. */
bool bounds_hoistable(bounds_ranges *h, const bounds_check *c);
bool bounds_holds_all(const cpl_type *to, const cpl_type *from); /* among integers */

/* bounds_hoist.c */
bool bounds_loop(pass_rewriter *r, ir_node *n); /* the rewriter's hook */
void bounds_mark_safe(bounds *b, const ir_node *access);
bool bounds_is_safe(const bounds *b, const ir_node *access);

#endif
