/*
 * Rounds of an independent loop side by side: one round a lane of LLVM vectors, as ISPC does. The
 * plan (gen_simd_plan.c, gen_simd_vary.c) says which variables differ between lanes and where lanes
 * part, gen_simd_cost.c whether it pays; the other files emit by it.
 *
 * W rounds begin together at consecutive values of the loop variable. Control flow that differs
 * between lanes is run for all that take it, under a mask: a region is entered only when some lane
 * is on, so that what is the same in all lanes may be computed there once, loads included. No lane
 * reads what another writes: such loops are not independent.
 */
#ifndef CPL_GEN_SIMD_H
#define CPL_GEN_SIMD_H

#include "lib/codegen/gen_int.h"

enum { SIMD_MOST_LANES = 64 };

typedef enum simd_shape {
    SIMD_UNIFORM, /* one scalar for all lanes */
    /* v in lane 0, and step more in each further one; integers wrap, pointers count bytes */
    SIMD_LINEAR,
    SIMD_VARYING, /* a vector */
    SIMD_PRIVATE, /* a pointer into an array of which every lane has one */
} simd_shape;

typedef struct simd_val {
    simd_shape shape;
    LLVMValueRef v;    /* PRIVATE: which scalar of the array, an i64 or a vector of them */
    int64_t step;      /* LINEAR */
    LLVMValueRef base; /* PRIVATE: the arrays, scalar by scalar, the lanes of each side by side */
    const cpl_type *type;
} simd_val;

/*
 * A variable of which a loop has a version of its own. For a for loop that is its counter, if
 * nobody asks for it afterwards. For a while loop it is what counts rounds: it begins with a
 * constant and changes by itself and constants alone, in all lanes that are still in the loop.
 * Inside it is a scalar; `last` collects what lanes leave with.
 */
typedef struct simd_own {
    ir_var *var;
    /* outside: NULL where nobody uses it; for a for loop, while it is entered */
    struct simd_var *inside, *outside;
    const ir_node *start; /* while loops */
    /* slot of a vector; NULL: nobody asks, or lanes leave together */
    LLVMValueRef last;
} simd_own;

typedef struct simd_region simd_region;
/* an if, while or for of the body; the outermost is the independent loop itself */
typedef struct simd_construct {
    const ir_node *n;
    simd_region *in; /* the block it stands in; NULL for the outermost */
    simd_region *body, *orelse;
    uint32_t begin, end; /* position in the text of the body */
    /* if: lanes take different sides; loop: they leave it, or a round of it, at different times */
    bool varying;
    bool breaks, continues;   /* loop: jumps of its own */
    bool jumps;               /* if: holds a break or continue of the loop around */
    struct simd_var *counter; /* for: its variable, seen from the body */
    VEC(simd_own) own;        /* loop: variables that its condition and body see another way */
} simd_construct;

struct simd_region {
    const ir_block *block;
    simd_construct *owner;
    uint32_t depth;
    VEC(simd_construct *) constructs; /* in it, in order */
};

typedef struct simd_access {
    uint32_t order; /* position in the text of the body */
    simd_region *in;
    bool write;
    const ir_node *value; /* what is assigned; NULL: a loop's doing, or a read */
} simd_access;

typedef enum simd_place {
    SIMD_NOWHERE, /* never read */
    SIMD_SCALAR,  /* in the variable's ordinary slot: the same in all lanes */
    SIMD_VALUE,   /* assigned in one place that all its uses follow: no slot at all */
    SIMD_SLOT,    /* in a vector */
} simd_place;

/* a variable, or what it is inside a loop that has a version of its own */
typedef struct simd_var {
    ir_var *var;
    VEC(simd_access) accesses;
    uint32_t reads, writes;
    /* the smallest region of all accesses, if the first of them is a write that is always made
     * there */
    simd_region *scope;
    bool varying, addressed;
    ir_op reduces;        /* how the loop's rounds combine it; IR_OP_COUNT: not at all */
    bool private_pointer; /* holds a SIMD_PRIVATE */
    simd_place place;
    /* for the estimate of costs: growth from lane to lane, and from round to round */
    int64_t step, round_step;
    /* likewise: cycles from the values a round began with to this one, or -1; of one round, of
     * lanes */
    int latency[2];
    bool carried;      /* a round of the loop at hand begins with its value */
    simd_val val;      /* SIMD_VALUE, once assigned */
    LLVMValueRef slot; /* SIMD_SLOT */
    /* the innermost loop around that keeps the values of lanes that left it; see simd_kept */
    const simd_construct *kept_by;
} simd_var;

typedef struct simd_plan {
    gen *g;
    const ir_node *loop;
    simd_construct root;
    simd_var **vars; /* by ir_var.index; those of for loops change on the way in and out */
    uint32_t var_count;
    VEC(simd_var *) all;              /* that the body uses */
    VEC(simd_construct *) constructs; /* all in the body */
    uint32_t order, ops;
    bool refused;
    bool poison;        /* lanes that are off may hold poison */
    uint32_t data_bits; /* of the widest type that matters, 32 at least */
    unsigned lanes;
    const ir_node *streamed; /* a store that goes past the caches; NULL: none */
} simd_plan;

/*
 * Inside a loop that lanes leave one by one, a variable may go on changing in lanes that left: what
 * they left with is kept aside, and brought back behind the loop. That takes the blend out of the
 * chain from round to round.
 */
typedef struct simd_kept {
    simd_var *var;
    const simd_construct *outer; /* what kept it before */
    LLVMValueRef slot;
} simd_kept;

typedef struct simd_loop { /* around the statement at hand */
    struct simd_loop *outer;
    simd_construct *c;
    /* slot of a mask: lanes that will see another round; NULL when all leave together */
    LLVMValueRef alive;
    LLVMValueRef live; /* slot: lanes that are still in this round; may be the same */
    LLVMBasicBlockRef next, exit;
    VEC(simd_kept) kept;
} simd_loop;

typedef struct simd_quotient {
    const ir_node *n; /* a division of the same operands */
    LLVMValueRef quotient, rest;
} simd_quotient;

typedef struct simd {
    gen *g;
    simd_plan *plan;
    unsigned w;         /* lanes */
    LLVMTypeRef t_bits; /* <w x i1> */
    /* a mask on its way: -1 and 0 as wide as the data, or t_bits where the CPU has mask
     * registers */
    LLVMTypeRef t_mask;
    LLVMValueRef mask; /* lanes that are on; NULL: all */
    simd_region *region;
    simd_loop *loop;
    VEC(simd_quotient) quotients; /* of this statement, in blocks that lead here */
    LLVMValueRef scratch;         /* memory that lanes that are off may touch */
    bool aligned;                 /* rows of plan->streamed are */
    bool streams;                 /* the statement at hand is that one */
} simd;

static inline bool simd_is_loop(const simd_construct *c)
{
    return c->n->op != IR_IF;
}

/* gen_simd_var.c */
/* The one that is seen at present, made where there is none. */
simd_var *simd_version(simd_plan *p, ir_var *v);
void simd_enter_loop(simd_plan *p, simd_construct *c); /* vars as seen from its body */
void simd_leave_loop(simd_plan *p, simd_construct *c);
/* a new one */
simd_var *simd_own_version(simd_plan *p, simd_construct *c, ir_var *v, const ir_node *start);

/* gen_simd_plan.c: structure and variables; NULL when the loop cannot be run so. */
simd_plan *simd_plan_new(gen *g, const ir_node *n);
bool simd_is_private(const simd_plan *p, const ir_node *pointer);

/* gen_simd_count.c: variables that count the rounds of while loops. */
void simd_find_counts(simd_plan *p, simd_construct *c); /* its versions of them */
void simd_begin_counts(simd *s, simd_construct *c);
/* lanes in the mask leave with this, unless they see another round */
void simd_update_counts(simd *s, const simd_construct *c, LLVMValueRef mask);
void simd_end_counts(simd *s, const simd_construct *c); /* mask: as before the loop */

/* gen_simd_vary.c: what differs between lanes. */
void simd_vary(simd_plan *p);
bool simd_varies(const simd_plan *p, const ir_node *n);
/* a write must keep the values of lanes that are off */
bool simd_must_blend(const simd_var *v, const simd_region *at);
/* a varying loop: as simd_kept says */
bool simd_should_keep(simd_var *v, const simd_construct *c);

/* gen_simd_stream.c: stores past the caches. */
void simd_choose_streamed(simd_plan *p); /* after simd_vary */
/* does the first rounds, up to where rows of the streamed store are aligned; where others begin */
LLVMValueRef simd_align(simd *s, LLVMValueRef first, LLVMValueRef end);
void simd_stream(simd *s, LLVMValueRef store); /* a row of it */
void simd_end_stream(simd *s);                 /* behind the last row */

/* gen_simd_cost.c: how many lanes, and whether it pays. */
/* by how much an integer grows from lane to lane; anything past a few thousand: not known */
int64_t simd_step(const simd_plan *p, const ir_node *n);
void simd_choose_lanes(simd_plan *p);
bool simd_pays(simd_plan *p);

/* gen_simd_val.c: shapes and masks. */
LLVMTypeRef simd_vector(const simd *s, LLVMTypeRef scalar);
simd_val simd_uniform(LLVMValueRef v, const cpl_type *t);
simd_val simd_varying(LLVMValueRef v, const cpl_type *t);
LLVMValueRef simd_splat(simd *s, LLVMValueRef scalar);
LLVMValueRef simd_spread(simd *s, simd_val v);      /* as a vector */
LLVMValueRef simd_bits(simd *s, LLVMValueRef mask); /* a mask as <w x i1>; NULL: all ones */
LLVMValueRef simd_mask(simd *s, LLVMValueRef bits); /* and back */
LLVMValueRef simd_all(simd *s);
LLVMValueRef simd_and(simd *s, LLVMValueRef mask, LLVMValueRef other);     /* either may be NULL */
LLVMValueRef simd_and_not(simd *s, LLVMValueRef mask, LLVMValueRef other); /* mask may be NULL */
/* i1; mask may not be NULL */
LLVMValueRef simd_any(simd *s, LLVMValueRef mask);
LLVMValueRef simd_lanes_on(simd *s); /* as the bits of an i64, lane 0 the lowest */
LLVMValueRef simd_load_mask(simd *s, LLVMValueRef slot);
LLVMValueRef simd_slot(simd *s, LLVMTypeRef type, const char *name);

/* gen_simd_expr.c */
simd_val simd_expr(simd *s, const ir_node *n);
/* of a varying if or while, as a mask; of the lanes that are on */
LLVMValueRef simd_condition(simd *s, const ir_node *n);

/* gen_simd_div.c */
/* rawdiv or rawrem of what is not uniform */
simd_val simd_divide(simd *s, const ir_node *n, simd_val a, simd_val b);

/* gen_simd_mem.c */
simd_val simd_load(simd *s, simd_val pointer, const cpl_type *t);
void simd_store(simd *s, simd_val pointer, simd_val value);
void simd_clear(simd *s, simd_val pointer);
LLVMValueRef simd_read_slot(simd *s, const simd_var *v);
/* assigns; `at`: where */
void simd_write(simd *s, simd_var *v, simd_val value, const simd_region *at);
LLVMTypeRef simd_slot_type(simd *s, const simd_var *v);
/* slots of v, where the mask is on */
void simd_move(simd *s, const simd_var *v, LLVMValueRef to, LLVMValueRef from, LLVMValueRef mask);
/* a call, atomic, printf or fault: lane by lane, in order */
simd_val simd_effect(simd *s, const ir_node *n);

/* gen_simd_flow.c */
void simd_block(simd *s, simd_region *r);

#endif
