/*
 * What sorts have in common: a call, which of its arguments are what, and what kernels are given.
 *
 *   sort.c    include/cpl/sort.h, but for selections: arguments, what more goes along
 *   radix.c   by digits
 *   sweep.c   by digits, by tiles of GPUs
 *   merge.c   by a function that compares
 *   select.c  the least of all
 *   sort_give.c  what their kernels are given
 *   sorted.c unique.c  include/cpl/sorted.h
 */
#ifndef CPL_ALGO_SORT_H
#define CPL_ALGO_SORT_H

#include "runtime/algo/algo.h"

/* algo_call.flags */
enum {
    MODE_NONE, /* keys alone */
    MODE_VALUES,
    MODE_PLACES, /* where keys were goes along with them */
    MODES = 3,
    APART = 4, /* keys end up elsewhere */
    UNSEEN = 8 /* nobody wants them sorted: they end up in memory of the plan's */
};

typedef struct sorting {
    algo_call c;
    const cpl_type *key, *value; /* of what goes along, if anything does */
    size_t outs, order;          /* the first result among the arguments; their number: none */
    bool compares;               /* keys, by a function */
    cpl_launch_options quiet;    /* the caller's, without an event: more is to come */
} sorting;

static inline uint32_t sort_mode(const sorting *s)
{
    return s->c.flags & MODES;
}

/* --- sort_give.c --- */

/* The lengths of y, vy and maybe x: the kernel's first parameters are x, y, vx and vy; before them
 * comes how many rounds there are. */
void sort_own_copies(plan_launch *l, const cpl_kernel *moves);
/* What the kernels of sort.py and merge.py are given: x and y; vx and vy too, keys and values. */
void sort_give_keys(sorting *s, algo_step *to);
void sort_give_values(sorting *s, algo_step *to);
void sort_give_all(sorting *s, algo_step *to);
/* One of them: x, or y. */
void sort_give_key(sorting *s, algo_step *to, bool x);
void sort_give_value(sorting *s, algo_step *to, bool x);
/* An array of the plan's, of a type. */
void sort_own(sorting *s, algo_step *to, algo_own own, const cpl_type *type);
/* Argument i, where results go elsewhere and `there`; else 0. */
void sort_give_input(sorting *s, algo_step *to, size_t i, bool there);

/* --- sort.c --- */

cpl_status sort_begin(sorting *s, const algo_load *load, cpl_module *module,
                      const cpl_launch_options *options, const cpl_arg *args, size_t count);
/* Keys are arguments 0: what they are, and how they are ordered. */
cpl_status sort_bind(sorting *s, const cpl_sort_spec *spec);
/* Whether keys are complex and nothing says what comes before what: they are compared. */
bool sort_is_lexical(const sorting *s, const cpl_bind *before);
cpl_status sort_place_order(sorting *s, const cpl_arg *order, int64_t n);
/* CPL_EARG, reported, unless argument i has n elements. */
cpl_status sort_check_length(const sorting *s, size_t i, int64_t n);
/* CPL_EOVERLAP, reported, where something that is written shares memory. */
cpl_status sort_check_apart(const sorting *s);
/* Floats become the integers that their bits are; not keys that are compared. */
void sort_move_bits(sorting *s);

/* --- radix.c --- */

enum { RADIX_FEW = 16384 }; /* elements that one thread sorts sooner than several begin */
cpl_status radix_bind(sorting *s, const cpl_sort_spec *spec);
/* What rank of sort.py takes behind the key. */
void radix_bind_how(sorting *s, algo_step *to);
cpl_status radix_launch(sorting *s);

/* --- sweep.c --- */

/* Whether it is for sweep_launch; what goes along and how is known. */
bool sweep_bind(sorting *s);
cpl_status sweep_launch(sorting *s);

/* --- merge.c --- */

cpl_status merge_bind(sorting *s, const cpl_sort_spec *spec);
/* What precedes of merge.py takes behind two keys, by digits or by a function. */
void merge_bind_how(sorting *s, algo_step *to);
cpl_status merge_launch(sorting *s);

/* --- sorted.c --- */

typedef struct sorted_order { /* what spec says of keys */
    cpl_bind before;
    uint64_t flags;
} sorted_order;
/* Begins a call whose first argument is keys. */
cpl_status sorted_begin(sorting *s, const sorted_order *order, cpl_module *module,
                        const cpl_launch_options *options, const cpl_arg *args, size_t count);
/* Keys, which are an argument, move by their bits, unless a function compares them. */
void sorted_move_bits(sorting *s, size_t arg);

#endif
