/*
 * Algorithms of the library: kernels of the .py files here, specialised by what the caller binds,
 * one after the other as a plan.
 *
 *   call.c    arguments of a call
 *   op.c      what it binds: the operator, its neutral element, the type of results
 *   steps.c   which kernels there are, and where their arguments come from
 *   tiles.c   whether they go by tiles, and which
 *   reduce.c  include/cpl/algorithm.h
 *   several.c reductions in one pass
 *   parts.c   what both have in common
 *   scan.c histogram.c segments.c by_key.c  likewise
 *   random.c  include/cpl/random.h
 *   gather.c choose.c  include/cpl/gather.h
 *   sort_int.h  what is behind include/cpl/sort.h, but for cells.c, and include/cpl/sorted.h
 *   ../numeric  whole arrays, as include/cpl/numeric.h has them
 */
#ifndef CPL_ALGO_H
#define CPL_ALGO_H

#include "cpl/algorithm.h"
#include "cpl/compile.h"
#include "cpl/gather.h"
#include "cpl/sorted.h"
#include "runtime/device/device.h"

/* sources.c */
extern const library_file algo_chunks, algo_tiles, algo_bins, algo_runs, algo_keyed, algo_fills,
    algo_sort, algo_sweep, algo_merge, algo_select, algo_cells, algo_gather, algo_choose,
    algo_numeric, algo_lines, algo_sorted, algo_unique;

/* What a plan's kernels share beside the caller's arguments; arrays have an element a piece. */
typedef enum algo_own {
    OWN_TOTAL, /* arrays of the result's type */
    OWN_HEAD,
    OWN_CARRY,
    OWN_AFTER,
    OWN_FLAG,    /* of bool */
    OWN_BEGUN,   /* of int64: how many segments ended, or runs began */
    OWN_VARYING, /* of int64: what keys of a piece differ in */
    OWN_N,       /* int64: elements, those of a piece, pieces, and the range of a wave of them */
    OWN_SIZE,
    OWN_COUNT,
    OWN_BASE,
    OWN_END,
    OWN_EACH,    /* pieces of a round */
    OWN_RESULTS, /* how many bins or segments there are */
    OWN_COUNT_OF,
} algo_own;
_Static_assert(OWN_COUNT_OF <= MOST_OWN, "a plan has room for them");

/* What parameters of the kernels stand for. */
typedef enum algo_bind {
    BIND_TYPE,
    BIND_LANES,
    BIND_VECTORS,
    BIND_OP,
    BIND_NEUTRAL,
    BIND_SOURCE,
    BIND_KEY, /* the bin of an element, or its key */
    BIND_START,
    BIND_SINK,
    BIND_SIZE,  /* elements of a scan's piece */
    BIND_VALUE, /* the type of what goes along with keys */
    BIND_LINE,  /* keys of a digit that are written together */
    BIND_RANK,  /* what ranks of keys are made of: sort.py */
    BIND_BITS,
    BIND_FRACTION,
    BIND_DESCENDING,
    BIND_WIDTH,    /* columns of a block */
    BIND_FUNCTION, /* of elements, whatever array they are in */
    BIND_FIRST,
    BIND_END,
    BIND_SIGN,  /* the highest bit of a float; 0 of what is none */
    BIND_GROUP, /* tiles.py has these */
    BIND_ITEMS,
    BIND_GROUPS, /* of a multiprocessor, or 0 */
    BIND_WIDE,
    BIND_ELEMENT,
    BIND_COMMUTES,
    BIND_SHUFFLES,
    BIND_TILE,
    BIND_ROOM,
    BIND_MARKS,
    BIND_OUT_WIDE,
    BIND_PACKED,
    BIND_LOOKS,  /* back by lanes of a sub-group */
    BIND_PLACES, /* sweep.py has these: digits of a key */
    BIND_TABLE,
    BIND_COUNTS,
    BIND_MOVED,
    BIND_WORD,
    BIND_KIND,
    BIND_COUNT,
} algo_bind;

/* Whether quick code does for a launch is decided by its rounds, in which each loop is taken for as
 * many elements as this: lib/driver/work.c. */
enum { STEP_GUESSED = 64 };

/* One kernel, launched elementwise, or over a grid where it is one of tiles.py: its arguments, and
 * where a launch takes each from. */
typedef struct algo_step {
    const char *function;
    cpl_form form;      /* ELEMENTWISE at first */
    kernel_lanes lanes; /* LANES_NONE at first */
    int64_t elements;   /* that all rounds have together; the call's at first */
    int64_t each;       /* that a round is taken for; STEP_GUESSED at first */
    bool whole;         /* arguments that overlap partly, one of them written, are refused */
    size_t count;
    cpl_arg args[MOST_ARGUMENTS];
    uint8_t from[MOST_ARGUMENTS]; /* the caller's by number, or PLAN_OWN; NO_VALUE: it is bound */
} algo_step;
#define NO_VALUE UINT8_MAX

/* One call of an algorithm. */
typedef struct algo_call {
    cpl_module *module;
    const cpl_launch_options *options;
    device_choice choice; /* why it runs there; all zeros: it was told to */
    int64_t n;            /* elements */
    const cpl_type *type;
    cpl_bind binds[BIND_COUNT];
    const struct known_op *known; /* the operator, if it is */
    bool commutes;                /* known or said of it */
    bool plain;                   /* element i is that of the first argument */
    /* the library's functions that say what BIND_OP, BIND_SOURCE and BIND_KEY return */
    const char *of_op, *of_source, *of_key;
    /* of what computes an element, and its bin, key or condition, where that was asked for; or 0 */
    uint64_t nodes, key_nodes;
    cpl_status failed; /* what could not be told at once: nothing is launched */
    placed p;          /* the caller's arguments */
    size_t inputs;     /* those that functions are called with, the first ones */
    uint32_t flags;    /* the plan's */
    size_t step_count;
    algo_step steps[MOST_STEPS];
    cpl_kernel *once; /* of one round on the host, which did it all; or NULL */
    char text[256];   /* of a neutral element */
} algo_call;

/* Rounded up; of no negative number. */
static inline int64_t divided(int64_t n, int64_t size)
{
    return n / size + (n % size != 0);
}

/* --- call.c --- */

/* Arguments of an algorithm: the library's kernels have 20 parameters at most in front of them. */
enum { MOST_INPUTS = MOST_ARGUMENTS - 20 };

/* What an algorithm is to a device, roughly: passes over its arguments; bytes of results that go
 * elsewhere, by those of the arguments; whether it writes these. */
typedef struct algo_load {
    const char *name; /* of the call, for the profile */
    float passes, results;
    bool writes;
} algo_load;
/* Begins a call of an algorithm: chooses its device where that is asked for, places its arguments,
 * counts its elements. Behind it, whatever it returned, comes place_end of c->p. options: NULL:
 * they were refused. */
cpl_status algo_begin(algo_call *c, const algo_load *load, cpl_module *module,
                      const cpl_launch_options *options, const cpl_arg *args, size_t count);
/* Options of a part of it, which is a call of its own: it runs where this one does, without the
 * caller's event. */
cpl_launch_options algo_part(const algo_call *c);
/* Behind algo_begin, whatever came of it; returns what the whole came to. */
cpl_status algo_end(algo_call *c, cpl_status status);
/* Has the module know the functions of a file. */
cpl_status algo_library(algo_call *c, const library_file *file);
/* CPL_EUNSUPPORTED, reported, where it is the first of several. */
cpl_status algo_alone(const algo_call *c, const cpl_reduce_spec *spec);
/* Places one more array behind the others; what: as what is wrong with it is told. */
cpl_status algo_place_one(algo_call *c, const cpl_arg *array, const char *what);
/* One that is written, of so many elements at least of a type. */
cpl_status algo_place(algo_call *c, const cpl_arg *array, const cpl_type *type, int64_t n,
                      const char *what);
/* The same of an array that takes one int64. */
cpl_status algo_place_number(algo_call *c, const cpl_arg *number, const char *what);
/* The same of the array that results go to. given: their type; NULL: that of the array. */
cpl_status algo_place_results(algo_call *c, const cpl_arg *out, const cpl_type *given,
                              const char *what);
/* CPL_EARG, reported, unless the argument is an array of the call's type with an element for each
 * of n, and may be written. */
cpl_status algo_check_result(const algo_call *c, size_t index, int64_t n, const char *what);
/* Gives an argument that says of what one of n elements on the call's device. */
cpl_status algo_array(const algo_call *c, int64_t n, cpl_arg *array);
const cpl_type *algo_scalar(const algo_call *c, cpl_dtype d);
/* Floats move as the integers that their bits are: each keeps those it has, NaN too, whatever a
 * device makes of a float that it loads. Of an array, or what a type becomes. */
cpl_dtype algo_moved_as(cpl_dtype d);
void algo_move_bits(cpl_arg *array);
/* Whether it is an array of int32 or int64. */
bool algo_is_index(const cpl_arg *arg);
/* CPL_EARG, reported, with what it is in place of that; what: "the order is". */
cpl_status algo_no_index(const algo_call *c, const cpl_arg *arg, const char *what);
/* CPL_EARG, reported, where an argument that is written may only be read. */
cpl_status algo_check_written(const algo_call *c, size_t index, const char *what);
/* Places one more array, of int32 or int64, which takes n numbers at least, and `most` at most as
 * one. */
cpl_status algo_place_index(algo_call *c, const cpl_arg *array, int64_t most, int64_t n,
                            const char *what);
/* Elements of a piece: as many pieces as keep the device busy, whose counts have 32 bits. */
int64_t algo_piece_size(const cpl_device *d, int64_t n);
/* Whether two of the call's arguments share memory, where the caller has them. */
bool algo_share(const algo_call *c, size_t i, size_t k);
/* CPL_EOVERLAP, reported, where the arguments from `first` on, which are written, do with any. */
cpl_status algo_check_results(const algo_call *c, size_t first);

/* --- tiles.c --- */

enum { ALWAYS_TILES = 2 }; /* the option tiles */

/* Whether the call goes by tiles, which is then known to tiles_group and the like by its flags. */
bool tiles_bind(algo_call *c);
typedef enum tiles_lines { LINES_ELSEWHERE, LINES_BY_GROUPS, LINES_BY_LANES } tiles_lines;
enum { LINES_LANES = 8 }; /* sub-groups of a group */
/* The same of reductions of rows of so many elements: a group for each, or a sub-group. */
tiles_lines tiles_bind_lines(algo_call *c, int64_t elements);
bool tiles_bind_scanned_lines(algo_call *c, int64_t elements); /* of scans, by groups */
/* The same of a scan, whose items go to argument `out`, or NO_ARGUMENT. */
bool tiles_bind_scan(algo_call *c, size_t out, bool segments);
/* The same of a sort by digits of keys, with which go values (NULL: none do). */
bool tiles_bind_sort(algo_call *c, const cpl_type *key, const cpl_type *value);
/* The same of sums by so many bins, which are integers. */
bool tiles_bind_bins(algo_call *c, int64_t bins);
/* The same of a reduction by key. */
bool tiles_bind_keyed(algo_call *c);
/* The same of a compaction, and of what is unique. */
bool tiles_bind_choice(algo_call *c);
/* From the flags of a call or plan: work-items of a group, elements of a tile. */
enum { GROUP_AT = 8, ITEMS_AT = 20 }; /* bits of flags, below which there are an algorithm's */
static inline int64_t tiles_group(uint32_t flags) /* work-items */
{
    return flags >> GROUP_AT & ((1 << (ITEMS_AT - GROUP_AT)) - 1);
}
int64_t tiles_size(uint32_t flags);
enum { TILES_HEAD = 32 }; /* words of a state in front of those of tiles: HEAD of look.py */
/* Whether a state of so many words is the queue's, KEPT as look.py has it: cpl_kernels of a target
 * may say so too. */
bool tiles_kept(const algo_call *c, int64_t words);
/* Of the state of a pass that hands values of a type on from tile to tile. */
int64_t tiles_words(const cpl_type *t, int64_t tiles);
/* In a rule of such a pass: places the values of tiles that are not in the state. */
void tiles_hand_on(plan_launch *l, int64_t tiles);
/* Unless tiles_kept, adds the step that clears the state of a pass, OWN_BEGUN, of so many words;
 * what tiles_kept says. clear: one of the library's functions. */
bool tiles_clear(algo_call *c, const char *clear, int64_t words);
/* In a rule of a launch whose state that is: places it. */
void tiles_keep(plan_launch *l);
/* In a rule of a pass and maybe that step in front: places the state and says how many groups. */
void tiles_pass(plan_launch *l, int64_t tiles, int64_t words);
/* In a rule: a step of so many groups. */
void tiles_grid(plan_launch *l, size_t step, int64_t groups);
/* A step that is launched over a grid. */
algo_step *tiles_step(algo_call *c, const char *function);

/* --- parts.c --- */

enum { REDUCE_PIECES = 1024 }; /* at most */
/* algo_call.flags: some of the sums stand side by side; all those of several do, by blocks */
enum { REDUCE_LANES = 1, REDUCE_BLOCKS = 16 };
/* Binds what a specification says; next: that behind it. */
cpl_status reduce_bind(algo_call *c, const cpl_reduce_spec *given, const cpl_reduce_spec **next);
/* Loops inside each other in a kernel that takes totals, beside those of its elements: over pieces,
 * over elements, maybe by blocks, maybe over lanes; the kernels of whole reductions have one more.
 */
uint32_t reduce_loops(uint32_t flags);
uint32_t reduce_loops_of_parts(uint32_t flags);
/* The last step is such a kernel: how many elements the model of its cost takes a round for. */
void reduce_guess(const algo_call *c, algo_step *s);
/* Whether one round of such a kernel may do all elements; then it is the first step, and the call
 * is done, or is without a step. */
bool reduce_is_small(const algo_call *c);
cpl_status reduce_at_once(algo_call *c, bool *done);
/* Elements of a piece of n, for a kernel that has so many loops. */
int64_t reduce_size_of(const cpl_kernel *k, uint32_t loops, int64_t n);
int64_t reduce_pieces(int64_t n, int64_t size);
/* Whether its elements take loops of their own. */
bool reduce_has_loops(const cpl_kernel *k, uint32_t loops);
/* How many elements that take none one thread does in less time than it takes to wake others: at
 * least REDUCE_FEW. */
int64_t reduce_few(const algo_call *c);
/* Whether one thread does n elements in less time than it takes to wake others. */
bool reduce_alone(const cpl_kernel *k, uint32_t loops, int64_t n);
/* In a rule: deals n elements out to the rounds of the first step, whose kernel has so many loops,
 * and says how to the own arguments N, SIZE and COUNT; how many pieces there are. */
int64_t reduce_split(plan_launch *l, uint32_t loops, int64_t n);
#define REDUCE_PLACE "the place of the result"
/* The result's place behind the call's arguments, one element of its type. */
cpl_status reduce_place(algo_call *c, const cpl_arg *out);
/* Binds how many of the sums of a piece stand side by side, and lets the step have lanes for them.
 */
void reduce_lanes(algo_call *c, algo_step *s);
/* What the kernel of the sums of pieces has behind its own arguments: from TYPE to the source, then
 * the call's inputs. */
void reduce_step(algo_call *c, algo_step *s);
/* CPL_EARG, reported: neither out nor options->result says where it goes. */
cpl_status reduce_nowhere(const algo_call *c);
/* Elements of a piece, at the least, and those of as many pieces as one round takes of any. */
enum { REDUCE_LEAST = 4032, REDUCE_FEW = 9 * REDUCE_LEAST };

/* --- reduce.c --- */

/* Has `to` bring one value of a type to options->result, which is memory of the caller's: on a
 * device there is an array in between. */
typedef cpl_status reduce_fn(algo_call *c, const cpl_arg *out);
cpl_status reduce_back(algo_call *c, const cpl_type *type, reduce_fn *to);
/* Has `to` bring an int64 to an array, or with that NULL to options->result, or, where that is NULL
 * too, nowhere: out is NULL then. */
cpl_status reduce_number(algo_call *c, const cpl_arg *number, reduce_fn *to);

/* --- again.c --- */

/* An array of one element or more becomes one of one: so that nothing about it decides on a kernel.
 */
void reduce_only_one(cpl_arg *out);
typedef struct reduce_call { /* as cpl_reduce is called; spec and options have been read */
    cpl_module *module;
    const cpl_reduce_spec *spec;
    const cpl_launch_options *options;
    const cpl_arg *out, *args;
    size_t count;
} reduce_call;
/* Whether the module remembered such a call; then it is done, with that status. */
bool reduce_again(const reduce_call *r, cpl_status *status);
/* parts: what did it in one round; NULL: there is nothing to remember. */
void reduce_remember(const reduce_call *r, cpl_kernel *parts);

typedef struct scan_call { /* as cpl_scan is called; spec and options have been read */
    cpl_module *module;
    const cpl_scan_spec *spec;
    const cpl_launch_options *options;
    const cpl_arg *args;
    size_t count;
} scan_call;
/* Elements of a piece: what is read and written of them fits a core's own cache, and that of pieces
 * side by side lies in different sets of it. */
enum { SCAN_PIECE = 4032 };
/* The same of scans; n: the elements that few was for. */
bool scan_again(const scan_call *s, cpl_status *status);
void scan_remember(const scan_call *s, int64_t n, cpl_kernel *few);

/* --- several.c --- */

/* In one pass, the call's own reduction, which is bound, and the chain from next on. out: their
 * places, or NULL: options->result. */
cpl_status reduce_several(algo_call *c, const cpl_reduce_spec *next, const cpl_arg *out);

/* --- gather.c --- */

enum { GATHER_MOST = 30 }; /* arrays at once */
typedef enum gather_index {
    GATHER_KNOWN,   /* indices are known to be right */
    GATHER_CHECKED, /* those from the end have to be, and who checks bounds sees it */
    GATHER_NEAREST, /* those from the end too; of what is none the nearest */
    GATHER_WRAPPED,
    GATHER_CLIPPED,
} gather_index;
typedef struct gather_arrays { /* arguments of a call by their numbers */
    size_t indices, out, from; /* the first ones of `count` */
    size_t count;
    gather_index index;
} gather_arrays;
/* What a mode comes to: nothing outside is touched where bounds are not checked. CPL_EARG,
 * reported: it is none. */
cpl_status gather_mode(cpl_context *cx, cpl_index_mode mode, gather_index *index);
/* CPL_EARG, reported: there are n indices and nothing to take from. */
cpl_status gather_of_nothing(cpl_context *cx, int64_t n);
/* Binds BIND_FUNCTION: which of m elements an index k is. */
void gather_bind(algo_call *c, gather_index index);
/* A kernel of gather.py; its own argument RESULTS is how many elements those have that are indexed.
 */
void gather_step(algo_call *c, const gather_arrays *a, const char *function);

/* --- choose.c --- */

/* One round: OWN_BEGUN, with an element for each of OWN_COUNT pieces and one more, becomes how many
 * there are in front of each; argument `number`, if it is one, takes how many there are in all. */
void choose_add_starts(algo_call *c, size_t number);

/* --- op.c --- */

/* Whether it is an expression or a function. */
bool op_calls(const cpl_bind *given);
/* Binds the operator, CPL_EARG if it is none, then the source of the elements (kind NONE: the first
 * argument has them), the type of the result (NULL: that of the elements), and what is neutral, in
 * this order. */
cpl_status op_bind(algo_call *c, const cpl_bind *op);
/* The same of a reduction, whose specification says more of it. */
cpl_status op_bind_spec(algo_call *c, const cpl_reduce_spec *spec);
cpl_status op_source(algo_call *c, const cpl_bind *given);
/* As op_source: any function of i and the arguments; `array` is the argument that has what it
 * returns where none is given. what: "elements". */
cpl_status op_elements(algo_call *c, algo_bind to, const cpl_bind *given, size_t array,
                       const char *what);
/* CPL_EARG, reported, where what says which of two keys comes first gives no truth value, but, say,
 * the difference that C's qsort asks for. The module has merge.py. */
cpl_status op_before(algo_call *c, const cpl_bind *given, cpl_dtype of);
/* The same as the key, which is an integer or a bool; of the first argument. */
cpl_status op_integers(algo_call *c, const cpl_bind *given, const char *what);
/* Binds an expression of i and the arguments x0, x1... */
cpl_status op_lambda(algo_call *c, algo_bind to, const char *body);
/* What such a function returns. */
cpl_status op_infer(algo_call *c, algo_bind of, const cpl_type **type);
cpl_status op_type(algo_call *c, const cpl_type *given);
/* The same where the elements' type is known already, and what they come from. */
cpl_status op_type_of(algo_call *c, const cpl_type *given, const cpl_type *elements,
                      const cpl_bind *by);
/* CPL_EARG, reported where the caller's function is: what it returns is no such thing. wanted:
 * "keys are numbers". */
cpl_status op_refuse(const algo_call *c, const cpl_bind *given, const cpl_type *type,
                     const char *wanted);
cpl_status op_neutral(algo_call *c, const cpl_bind *given);
/* Whether the operator is known, and adds. */
bool op_adds(const algo_call *c);
/* Whether CPUs are done with it in a cycle, and any order of it has the same bits. */
bool op_takes_a_cycle(const algo_call *c);
/* How many sums of a piece's elements are kept side by side: none but of numbers and an operator
 * that commutes. Binds LANES and VECTORS of chunks.py. */
int op_lanes(algo_call *c);
/* Whether so many copies of what computes an element are too many for a kernel. */
bool op_is_large(const algo_call *c, int copies);

/* --- steps.c --- */

algo_step *step_new(algo_call *c, const char *function);
#define STEP_OWN(c, s, ...)                                                                        \
    step_own(c, s, (const algo_own[]){__VA_ARGS__},                                                \
             sizeof((algo_own[]){__VA_ARGS__}) / sizeof(algo_own))
void step_own(algo_call *c, algo_step *s, const algo_own *own, size_t count);
/* Of a call or an algo_values. */
#define STEP_BIND(c, s, ...)                                                                       \
    step_bind((c)->binds, s, (const algo_bind[]){__VA_ARGS__},                                     \
              sizeof((algo_bind[]){__VA_ARGS__}) / sizeof(algo_bind))
void step_bind(const cpl_bind *from, algo_step *s, const algo_bind *binds, size_t count);
void step_flag(algo_step *s, int value);
void step_given(algo_call *c, algo_step *s, size_t index); /* the caller's argument */
#define NO_ARGUMENT SIZE_MAX
void step_maybe(algo_call *c, algo_step *s, size_t index); /* the same, or 0 */
void step_range(algo_call *c, algo_step *s, size_t first, size_t end);
/* What the call's kernels are for: where its arguments are, or what was asked for. NULL: the host.
 */
const char *algo_target(const algo_call *c);
/* The kernel of a step, for that. */
cpl_status step_kernel(algo_call *c, const algo_step *s, cpl_kernel **kernel);
/* Launches one step's kernel for one round, or one group, or hands it out, as the call's options
 * say. own: its values, where they are not the caller's, in the order of the step. */
cpl_status step_launch(algo_call *c, const algo_step *s, cpl_kernel *kernel, const int64_t *own);
/* Likewise the steps as a plan, which is found by the kernel of the step `key`: what that is
 * specialised for has to decide on all the others. NO_KEY: none does, and all are looked up. */
#define NO_KEY SIZE_MAX
cpl_status steps_launch(algo_call *c, size_t key, cpl_status (*rule)(plan_launch *l));
/* An own argument of the plan in a rule: an array of so many elements, or a number. */
void own_array(plan_launch *l, algo_own own, int64_t length);
void own_array_of(plan_launch *l, algo_own own, const cpl_type *type, int64_t length);
void own_number(plan_launch *l, algo_own own, int64_t value);
/* The type of the elements of an array of the plan's, as a step's kernel has it. */
const cpl_type *own_type(const plan_launch *l, algo_own own);

#endif
