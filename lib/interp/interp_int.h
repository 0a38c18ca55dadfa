/* What the files of the interpreter share. */
#ifndef CPL_INTERP_INT_H
#define CPL_INTERP_INT_H

#include "lib/interp/interp.h"

#define INTERP_MAX_STEPS 1000000000u
#define INTERP_MAX_DEPTH 1000 /* calls inside each other */
/* Expressions and blocks inside each other; each takes a few hundred bytes of the compile thread's
 * 64 MB of stack. */
#define INTERP_MAX_NESTING 50000
#define INTERP_MAX_GROUP   1024 /* work-items of a group */
#define INTERP_SUBGROUP    32 /* lanes of a sub-group; smaller groups have one of their own size */

/* how a statement ended */
typedef enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN } flow;

typedef struct frame { /* of a call; reused by later calls at the same depth */
    const ir_func *func;
    char *memory; /* the variables, at the offsets of the function's layout */
    size_t capacity;
    ir_value result;
} frame;

typedef struct layout { /* where a function's variables lie in a frame; ir_func.user */
    size_t size;
    size_t *offsets; /* [params + vars], by ir_var.index */
} layout;

typedef struct work_item work_item; /* of a launch; interp_group.c */

typedef struct interp {
    compilation *c;
    ir_module *m;
    const interp_options *options;
    uint64_t steps_left;
    frame *frames;    /* [most_depth] */
    uint32_t depth;   /* of the call at work, from 1 */
    uint32_t nesting; /* expressions and blocks inside each other, over all calls */
    VEC(char) saved;  /* variables of parallel loops as they were before, a stack */
    uint32_t most_depth, most_nesting;
    work_item *item; /* that it runs; NULL outside of launches */
    bool failed;     /* an error was reported: unwind */
} interp;

/* interp.c. Scalars and pointers are ir_values; a struct or array is a pointer to its bytes, good
 * until the next call. */
void interp_fail(interp *in, const ir_node *n, const char *what);
bool interp_step(interp *in, const ir_node *n); /* counts; false when it is time to stop */
bool interp_wanted(interp *in);                 /* else it has failed */
/* the same, and one level deeper; if true, leave with in->nesting-- */
bool interp_enter(interp *in, const ir_node *n);
char *interp_address(interp *in, const ir_var *v);
ir_value interp_load(const cpl_type *t, const void *from);
void interp_store(const cpl_type *t, void *to, ir_value v);
ir_value interp_function(interp *in, ir_func *f, const ir_value *args, const ir_node *site);
flow interp_block(interp *in, const ir_block *b);

/* a place for a variable behind *at, which moves on */
size_t interp_reserve(size_t *at, const cpl_type *t);

/* interp_group.c: what work-items of one launch do together. */
void interp_yield(interp *in); /* lets the others of the group run */
void interp_barrier(interp *in, const ir_node *n);
ir_value interp_place(interp *in, const ir_node *n);    /* LOCAL_ID to LANE; in->item is set */
ir_value interp_subgroup(interp *in, const ir_node *n); /* SHUFFLE to SUBGROUP_SCAN_MAX; likewise */
/* of a variable in local memory; likewise */
char *interp_local(const interp *in, const ir_var *v);

/* interp_expr.c */
ir_value interp_expr(interp *in, const ir_node *n);

/* interp_loop.c */
flow interp_for(interp *in, const ir_node *n);
flow interp_while(interp *in, const ir_node *n);

/* interp_extern.c */
ir_value interp_extern(interp *in, const ir_func *f, const ir_value *args, const ir_node *site);

/* interp_printf.c */
void interp_printf(interp *in, const ir_node *n);

#endif
