/*
 * What several passes share: new variables that belong to the right rounds, and a rewriter of
 * expressions that need statements.
 */
#ifndef CPL_PASS_INT_H
#define CPL_PASS_INT_H

#include "passes/pass.h"

typedef VEC(ir_loop *) pass_loops; /* parallel loops around a place, outermost first */

/* util.c */
/* A new variable of f; it belongs to a round of each of the parallel loops. name and the characters
 * it may have as for ir_var_new. */
ir_var *pass_var(ir_module *m, ir_func *f, const pass_loops *parallel, const char *name,
                 const cpl_type *type, cpl_span span);
/* has a body and does not call itself: what exits and inline work on */
bool pass_is_callable(const ir_func *f);
/* removes functions that no entry reaches; true when there were any */
bool pass_drop_unreferenced(ir_module *m);
/* func->user: non-NULL for those that an entry reaches, extern ones too */
void pass_mark_reached(ir_module *m);
void pass_make_serial(ir_node *loop); /* a parallel for becomes a for */
bool pass_asks_worker(
    ir_block *b); /* worker() stands in it, so that its rounds are not independent */
bool pass_is_private(const ir_node *pointer); /* to a variable of the work-item's own */
bool pass_leaves(const ir_block *b);          /* control never comes out of its end */
uint32_t pass_max_ops(const compilation *c);
ir_node *pass_i64(ir_module *m, int64_t value, cpl_span span);
/* local_id<0>() and the like, as int64. */
ir_node *pass_wide_index(ir_module *m, ir_op op, cpl_span span);
ir_node *pass_not(ir_module *m, ir_node *cond, cpl_span span);
/* Sets a variable to zero: an assignment, or clear for what is not a scalar. */
ir_node *pass_zero_var(ir_module *m, ir_var *v, cpl_span span);
/* Replaces variables in a tree by others, in reads, writes, addresses and loops: v becomes to(user,
 * v). */
typedef ir_var *(*pass_var_map)(void *user, ir_var *v);
void pass_rename(ir_node *n, pass_var_map to, void *user);
/* Rounds of a loop as an int64 expression; the operands are evaluated several times (constants or
 * variables, best). */
ir_node *pass_rounds(ir_module *m, const ir_node *start, const ir_node *stop, const ir_node *step,
                     cpl_span span);

/* A bound of a loop that may be read again: itself if constant or a variable that the body does not
 * touch, else a variable set in out. */
ir_node *pass_stable_bound(ir_module *m, ir_func *f, const pass_loops *parallel, ir_block *out,
                           ir_node *bound, const ir_block *body, const char *name);
/* Rounds are counted in int64; whether the loop variable itself can do that: it is int64, from 0 in
 * steps of 1. */
bool pass_counts_rounds(const ir_var *v, const ir_node *start, const ir_node *step);
/* The value of the loop variable in a round: start + round * step, in its type. */
ir_node *pass_round_value(ir_module *m, ir_var *round, const ir_node *start, const ir_node *step,
                          cpl_span span);

/* Array parameters that a loop adds to and subtracts from atomically, and in how many places. */
enum { PASS_MOST_SUMS = 4 };
typedef struct pass_sums {
    ir_var *arrays[PASS_MOST_SUMS];
    uint32_t n, sums;
} pass_sums;

/*
 * sums.c: whether a parallel loop of f has no effect but such sums, of integers or also of floats,
 * and f does nothing else with their arrays. The parameter that is an array's length, a new one
 * where it has none. And array[index] += sum, when what was summed elsewhere comes together.
 */
bool pass_only_sums(const ir_func *f, const ir_node *loop, bool floats, pass_sums *to);
ir_var *pass_length_of(ir_module *m, ir_func *f, ir_var *array);
ir_node *pass_hand_in(ir_module *m, ir_var *array, ir_node *index, ir_node *sum);

/* A parallel loop that becomes the work-items'. */
typedef struct pass_spread {
    ir_module *m;
    ir_func *f;
    const ir_node *loop;
    ir_node *rounds, *start, *step; /* constants or variables */
} pass_spread;

/*
 * grid_tile.c: rounds of a loop side by side in one work-item, PASS_TILE_ROUNDS of them, from round
 * `first` on and a group's size apart. can_tile: whether that pays. tile appends it to out and
 * takes the body.
 */
enum { PASS_TILE_ROUNDS = 2 }; /* pass_tile counts on two */
bool pass_can_tile(const ir_node *loop);
void pass_tile(const pass_spread *s, ir_block *out, ir_node *first);

/*
 * grid_ahead.c: what the rounds that a work-item takes one after the other load first, loaded a
 * round ahead where that pays. Appended are the first round's loads to `before`, where next, the
 * number of the round to come, is set; the others' to `round`, where the loop's variable is set and
 * next has moved on. has_many_numbers: whether a straight body has more of float64 than a loop
 * keeps in registers, so that a work-item is better off with one round.
 */
void pass_load_ahead(const pass_spread *s, ir_var *next, ir_block *before, ir_block *round);
bool pass_has_many_numbers(const ir_node *loop);

/*
 * grid_tally.c: appends rounds twice, each by spread: those whose sums go into local memory first,
 * for short arrays and many rounds, and those that are as they were.
 */
typedef void pass_spreader(void *user, ir_block *out, pass_spread *s);
void pass_tally_by_groups(const pass_spread *s, const pass_sums *sums, ir_block *out,
                          pass_spreader *spread, void *user);

/*
 * grid_call.c: moves what the entry does into a function in front of it, which the entry, and
 * whoever called that, calls.
 */
void pass_call_apart(ir_module *m, ir_func *entry);

/*
 * grid_reduce.c: makes the entry's statement `at`, a parallel loop that reduces, what all
 * work-items do in a kernel of its own, which it returns, and what stands behind it what the first
 * one does after that. What stands in front runs in both, in all.
 */
bool pass_can_split(const ir_node *loop);
ir_func *pass_split(ir_module *m, ir_func *f, uint32_t at);

/* fold_expr.c: folds a tree, without changing what it loads. The result may be the tree itself or a
 * part of it. */
ir_node *pass_fold_expr(ir_module *m, ir_node *n, bool *changed);
/* Expressions that have no effect when left out: nothing that a bounds check would report. */
bool pass_can_drop(const ir_node *n);

/*
 * rewrite.c: goes through a function's expressions, operands first, and lets a pass put statements
 * in front of the one at hand. They run when and as often as the expression does: an arm of cond
 * that needs some becomes an if, a loop condition moves into the loop.
 */
typedef struct pass_rewriter pass_rewriter;
struct pass_rewriter {
    ir_module *m;
    ir_func *f;
    pass_loops parallel; /* around the statement at hand */
    ir_block *out;       /* where statements go */
    /* What becomes of an expression whose operands are done; NULL: nothing changes. */
    ir_node *(*expr)(pass_rewriter *r, ir_node *n);
    /* What becomes of a statement other than if and loops, its operands done; NULL: it is
     * appended. */
    void (*stmt)(pass_rewriter *r, ir_node *n);
    /* A for or parallel for with its bounds done and its body not; true when it was taken care of.
     * NULL: never. */
    bool (*loop)(pass_rewriter *r, ir_node *n);
    void *user;
};

void pass_rewrite_func(pass_rewriter *r, ir_func *f);
void pass_rewrite_block(pass_rewriter *r, ir_block *b);
/* for hook loop: does the body and appends the loop */
void pass_rewrite_loop(pass_rewriter *r, ir_node *n);
void pass_emit(pass_rewriter *r, ir_node *stmt);
/* Whether an expression may be evaluated several times at no cost. */
bool pass_is_cheap(const ir_node *n);
/* The expression, saved in a variable in front unless it is cheap; the result may be copied. */
ir_node *pass_save(pass_rewriter *r, ir_node *n, const char *name);

#endif
