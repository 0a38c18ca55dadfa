/* What the files of the generator share. */
#ifndef FUZZ_GEN_H
#define FUZZ_GEN_H

#include "fuzz.h"

typedef struct gen {
    rng r;
    prog *p;
    func *f;
    bool is_kernel;
    bool in_round;    /* of a parallel loop: of an elementwise kernel always */
    uint8_t round_of; /* which parallel loop of the kernel, from 1; 0 for the elementwise one */
    int16_t own;      /* variable that is the index of the round */
    int16_t counter;  /* of the innermost loop around, -1: none */
    int depth;        /* loops around this place, parallel ones apart */
    long rounds;      /* how often this place is run, at most */
    int budget;       /* expressions still to be made */
    int slots_int, slots_float; /* dumped so far */
    bool no_math;
    bool small;
} gen;

typedef struct family { /* atomics whose order does not matter among each other */
    op ops[2];
} family;
extern const family families[6];

bool chance(gen *g, uint32_t percent);
uint32_t below(gen *g, uint32_t n);

/* gen_expr.c */
ty any_type(gen *g);
node *gen_const(gen *g, ty t);
node *gen_int(gen *g, ty t, int64_t value);
node *gen_var(gen *g, int v);
node *gen_leaf(gen *g, ty t);
node *gen_expr(gen *g, ty t, int depth);
/* a value op at an operand type; NULL where Python has none such */
node *gen_op(gen *g, op o, ty operand, int depth);
node *gen_place(gen *g, ty t, bool write); /* NULL when there is none */
node *gen_index(gen *g);
node *gen_convert(gen *g, ty t, node *value);
bool op_in_python(op o, ty operand);

/* gen_stmt.c */
node *gen_body(gen *g, int statements); /* of a function or a round: a block */
void gen_statement(gen *g, node *block);
void gen_sink(gen *g, node *block, node *value); /* a statement that makes the value count */
int new_var(gen *g, var_kind k, ty t);
/* number: which op at which type, modulo their count */
void gen_sweep(gen *g, node *block, uint64_t number);

#endif
