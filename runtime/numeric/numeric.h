/*
 * Arithmetic on whole arrays: the space of indices that arguments are laid over, and calls of the
 * kernels of numeric.py for it.
 *
 *   call.c    a call: where it runs, its results' type, where they go
 *   space.c   shapes that are laid over each other, as few dimensions as they come to
 *   map.c     element by element
 *   reduce.c  along axes
 *   scan.c    along an axis
 *   take.c    elements at indices along an axis
 *   named.c   what has a name in NumPy
 */
#ifndef CPL_NUMERIC_INT_H
#define CPL_NUMERIC_INT_H

#include "cpl/numeric.h"
#include "runtime/algo/algo.h"

enum {
    MOST_OPERANDS = 41, /* inputs, and where results go */
    KERNEL_DIMS = 3,    /* indices of a kernel; what has more is several launches */
    ARRAY_DIMS          /* of an array in a kernel, along one of which indices go */
};
#define NUMERIC_PLACE "the array for the results"

/* --- space.c --- */

/* Indices, and how far apart in memory each operand's elements are along each, in bytes: 0 where
 * one element stands for all. Operands are a call's arguments, by number; numbers have none. */
typedef struct space {
    int dims;
    int64_t shape[CPL_MAX_DIMS + 1]; /* room for one along which nothing changes */
    size_t count;                    /* operands */
    bool is_array[MOST_OPERANDS];
    int64_t strides[MOST_OPERANDS][CPL_MAX_DIMS + 1];
} space;

/* Lays one more argument over the space, which has so many dimensions: 0 is no less than one
 * element, which arguments cannot tell. CPL_EARG, reported, where it does not fit. */
cpl_status space_add(space *s, cpl_context *cx, const cpl_arg *arg, int dims);
/* Leaves out dimensions of one element, and has neighbours be one where for every operand they are.
 * apart: dimensions whose bits are set are no neighbours of others; stays true of those left. */
void space_simplify(space *s, uint32_t *apart);
/* Moves the dimension to another place, those in between by one. */
void space_move(space *s, int from, int to);
/* Whether dimension `a` is the closer one in memory, by the last operand that tells. */
bool space_is_closer(const space *s, int a, int b);

/* --- call.c --- */

typedef struct numeric {
    algo_call c;
    cpl_launch_options o; /* the call's, for all that it calls: without an event */
    cpl_event **event;    /* comes behind all */
    cpl_bind f;
    space s;
    bool takes;                  /* elements of the first argument lie along one dimension more: */
    int64_t along, along_stride; /* how many they are, and how far apart; the second one says where
                                  */
    /* how the arguments lie in the part of the space that a kernel has */
    int64_t shapes[MOST_OPERANDS][ARRAY_DIMS], strides[MOST_OPERANDS][ARRAY_DIMS];
} numeric;

/* Begins a call: finds out where it runs, places its arguments and lays them over each other. out:
 * where results go, if that is known. Behind it, whatever it returned, comes numeric_end. */
cpl_status numeric_begin(numeric *x, cpl_module *module, const cpl_launch_options *options,
                         const cpl_array *out, const cpl_arg *args, size_t count);
cpl_status numeric_end(numeric *x, cpl_status status);
/* Binds the function of elements; kind NONE: the first argument's themselves. */
cpl_status numeric_function(numeric *x, const cpl_bind *f);
/* The type of what it returns, as a function of numeric.py says that calls it. */
cpl_status numeric_type(numeric *x, const char *function, const cpl_type **type);
/* Binds BIND_SOURCE: picks elements at the names of the space's dimensions, from `from` on, as a
 * function of those parameters. */
cpl_status numeric_source(numeric *x, const char *parameters, const char *const *names, int from);
/* The same where the first argument has a dimension more: the function is one of the index there
 * and of the third argument, how many elements there are. */
cpl_status numeric_source_along(numeric *x, const char *parameters, const char *const *names,
                                int from);
/* Has the arguments lie as the space says, from dimension `from` on. */
void numeric_lay(numeric *x, int from);
/* For all indices of the dimensions in front of `from`: moves the arguments there and calls. */
typedef cpl_status numeric_part(void *user, numeric *x, int64_t index);
cpl_status numeric_each(numeric *x, int from, numeric_part *part, void *user);
/* One more argument: a dense array, as if it had one dimension; then numbers, as int64. */
cpl_status numeric_dense(numeric *x, cpl_array *array);
cpl_status numeric_numbers(numeric *x, const int64_t *numbers, size_t count);
/* Launches the call's only step, as many rounds of it as the call has elements. */
cpl_status numeric_launch(numeric *x);
/* The same of a step that is not given the inputs: how many stand in front of what it is given is
 * no part of its kernel. */
cpl_status numeric_launch_apart(numeric *x);
/* The same of a step that takes groups, one for each of the call's elements; key: 0, or NO_KEY of
 * one that is not given the inputs. */
cpl_status numeric_launch_groups(numeric *x, size_t key);
/* Pieces are the host's: it is one, or what is reproducible. */
bool numeric_is_like_host(const numeric *x);
/* How elements lie in memory makes no difference to what they come to. */
bool numeric_is_by_shape(const numeric *x);
/* How many of so many columns go side by side: a power of two, so that there are few kernels; of
 * block on the host alone. */
int64_t numeric_width(const numeric *x, int64_t columns);
int64_t numeric_block(const numeric *x, int64_t columns);
/* An array of that shape where the call runs. */
cpl_status numeric_array(const numeric *x, const cpl_type *type, int dims, const int64_t *shape,
                         cpl_array **array);
/* Elements of an array, or one for all, become those of another; numbers are converted. */
cpl_status numeric_copy(const numeric *x, const cpl_arg *from, cpl_array *to);
/* Puts `made` where results go: it becomes *out if there is none, else is copied there. */
cpl_status numeric_give(const numeric *x, cpl_array *made, cpl_array **out);
/* CPL_EARG, reported, unless out has the shape, and numbers of the type become its elements. */
cpl_status numeric_check_out(const numeric *x, const cpl_array *out, const cpl_type *type, int dims,
                             const int64_t *shape);
/* How any of the inputs shares memory with an array. */
cpl_status numeric_share(numeric *x, cpl_array *out, args_sharing *found);
/* Whether results of the call's type can be computed in the array itself: it is dense and of that
 * type, and shares memory in no worse a way than `most`. */
cpl_status numeric_may_fill(numeric *x, cpl_array *out, args_sharing most, bool *may);
cpl_status numeric_axis(cpl_context *cx, int dims, int *axis);

/* --- map.c --- */

/* Results of a type, of elements as the space has them, go to *out, or to a new array. */
cpl_status numeric_map(numeric *x, const cpl_type *type, cpl_array **out);

#endif
