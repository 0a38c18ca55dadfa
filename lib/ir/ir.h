/*
 * The typed IR: structured functions of typed variables, pure expression trees and statements.
 * README.md is its manual.
 *
 * Nodes live in the compilation's arena and form trees: a node has one parent. Variables are
 * function-wide and start at zero. Passes rewrite nodes in place or replace them in their block.
 */
#ifndef CPL_IR_H_INTERNAL
#define CPL_IR_H_INTERNAL

#include "lib/support/role.h"
#include "lib/support/support.h"

typedef enum ir_op {
#define OP(id, text, class, operands, result, attr, flags, kind, effects, cost, doc, example)      \
    IR_##id,
#include "lib/ir/op.def"
#undef OP
    IR_OP_COUNT
} ir_op;

typedef enum ir_class { IR_CLASS_EXPR, IR_CLASS_EFFECT, IR_CLASS_STMT } ir_class;
typedef enum ir_result {
    IR_RESULT_SAME,
    IR_RESULT_BOOL,
    IR_RESULT_ELEM,
    IR_RESULT_TYPE,
    IR_RESULT_VOID,
    IR_RESULT_OWN
} ir_result;
typedef enum ir_attr {
    IR_ATTR_NONE,
    IR_ATTR_TYPE,
    IR_ATTR_FIELD,
    IR_ATTR_SPACE,
    IR_ATTR_ORDER,
    IR_ATTR_DIM,
    IR_ATTR_AXIS,
    IR_ATTR_LANES,
    IR_ATTR_FUNC,
    IR_ATTR_VAR,
    IR_ATTR_OWN
} ir_attr;
enum { IR_FLAG_COMM = 1, IR_FLAG_FOLD = 2, IR_FLAG_RAW = 4 };

typedef enum ir_kind {
    IR_KIND_VALUE,      /* constants, variables, choice */
    IR_KIND_ADDRESS,    /* pointers to variables, elements, fields */
    IR_KIND_MEMORY,     /* plain accesses, each through a pointer */
    IR_KIND_CONVERT,    /* between scalar types */
    IR_KIND_ARITHMETIC, /* on numbers */
    IR_KIND_BITWISE,
    IR_KIND_COMPARE,  /* of two values */
    IR_KIND_CLASSIFY, /* of a float */
    IR_KIND_EXACT,    /* functions of floats that are rounded correctly */
    IR_KIND_MATH,     /* functions of floats that are not */
    IR_KIND_CALL,
    IR_KIND_ATOMIC,
    IR_KIND_PLACE,   /* a work-item's in the grid; DIM says along which dimension */
    IR_KIND_LANE,    /* a work-item's place in its sub-group */
    IR_KIND_SHUFFLE, /* lanes read what others have */
    IR_KIND_JOIN,    /* one value of all lanes */
    IR_KIND_SCAN,    /* one value of all lanes up to its own */
    IR_KIND_ASSIGN,
    IR_KIND_CONTROL, /* blocks, and ways out of them */
    IR_KIND_PARALLEL,
    IR_KIND_WORKER, /* who runs a round: another value in each */
    IR_KIND_OUTPUT,
    IR_KIND_SYNC,
    IR_KIND_CHECK, /* conditions that must hold, and what is told where they do not */
} ir_kind;

typedef enum ir_cost_class { /* cost.def has their numbers */
                             IR_COST_FREE,
                             IR_COST_STEP,
                             IR_COST_MULTIPLY,
                             IR_COST_CHOOSE,
                             IR_COST_SHIFT,
                             IR_COST_CONVERT,
                             IR_COST_CONVERT64,
                             IR_COST_DIVIDE,
                             IR_COST_ROOT,
                             IR_COST_MODULO,
                             IR_COST_QUOTIENT,
                             IR_COST_SCALE,
                             IR_COST_FUNCTION,
                             IR_COST_POWER,
                             IR_COST_ACCESS,
                             IR_COST_GATHER,
                             IR_COST_GATHER512,
                             IR_COST_EXCHANGE,
                             IR_COST_PRINT,
                             IR_COST_BRANCH,
                             IR_COST_ROUND,
                             IR_COST_COUNT
} ir_cost_class;

enum {
    IR_EFFECT_READ = 1,  /* memory */
    IR_EFFECT_WRITE = 2, /* memory */
    /* waits for other threads, orders their accesses, or passes something on to them */
    IR_EFFECT_ORDER = 4,
    IR_EFFECT_OUTPUT = 8, /* where users see it */
    IR_EFFECT_ANY = 15,   /* those of what it calls */
};

typedef struct ir_op_info {
    const char *text;
    ir_class class_;
    const char *operands;
    ir_result result;
    ir_attr attr;
    uint32_t flags;
    ir_kind kind;
    uint32_t effects; /* IR_EFFECT_... */
    ir_cost_class cost;
    const char *doc, *example;
} ir_op_info;

typedef enum ir_order {
    IR_RELAXED,
    IR_ACQUIRE,
    IR_RELEASE,
    IR_ACQ_REL,
    IR_SEQ_CST,
    IR_ORDER_COUNT
} ir_order;
typedef enum ir_scope { IR_SCOPE_GROUP, IR_SCOPE_DEVICE, IR_SCOPE_SYSTEM, IR_SCOPE_COUNT } ir_scope;
typedef enum ir_schedule { IR_STATIC, IR_DYNAMIC, IR_GUIDED, IR_SCHEDULE_COUNT } ir_schedule;
enum { IR_SPACE_COUNT = SPACE_CONSTANT + 1, IR_DIMS = 3 };

/* op.c: the tables of op.def and the words of the text form. */
extern const ir_op_info ir_ops[IR_OP_COUNT];
extern const char *const ir_order_text[IR_ORDER_COUNT];
extern const char *const ir_scope_text[IR_SCOPE_COUNT];
extern const char *const ir_schedule_text[IR_SCHEDULE_COUNT];
extern const char *const ir_space_text[IR_SPACE_COUNT];
ir_op ir_op_find(const char *text, size_t length); /* IR_OP_COUNT when there is none */
/* index, or -1 */
int ir_word_find(const char *const *words, int count, const char *text, size_t length);
typedef struct ir_role_info { /* a row of role.def, which explains them */
    const char *word;
    enum { IR_ROLE_ALONE, IR_ROLE_OF, IR_ROLE_ALONG } of;
    bool once, kernel;
    const char *type;
} ir_role_info;
extern const ir_role_info ir_roles[PARAM_ROLE_COUNT];
param_role ir_role_find(const char *text, size_t length); /* PARAM_ARG when there is none */
bool ir_op_reduces(ir_op op); /* may stand in reduce(...) of a parallel for */
/* What an atomic does to the old value and its operand, a joining op of sub-groups to two lanes'
 * values; IR_OP_COUNT: nothing that is an op. */
ir_op ir_plain_op(uint32_t op);
bool ir_op_subgroup(uint32_t op); /* needs sub-groups */
/* has a meaning in kernels alone: asks for a place in the grid, or needs other work-items */
bool ir_op_device(uint32_t op);
static inline ir_kind ir_op_kind(uint32_t op)
{
    return ir_ops[op].kind;
}
static inline uint32_t ir_op_effects(uint32_t op)
{
    return ir_ops[op].effects;
}
bool ir_lanes_fit(uint64_t lanes); /* VCOPY can copy so many elements */

typedef struct ir_node ir_node;
typedef struct ir_var ir_var;
typedef struct ir_func ir_func;
typedef struct ir_module ir_module;

typedef struct ir_block { /* statements in order */
    ir_node **at;
    uint32_t n, capacity;
} ir_block;

struct ir_var {
    const char *name; /* unique in its function */
    /* in the source, where name had to differ; NULL: as name. Not in the text form */
    const char *spelling;
    const cpl_type *type; /* never void, never strided */
    cpl_span span;
    bool is_param;
    /* parameter: what it points to is not both written and reached through anything else */
    bool noalias;
    bool readonly; /* parameter: nothing is written through it */
    bool unread;   /* parameter: nothing is read through it; not printed */
    /* variable of a kernel in local memory: one for all work-items of a group; starts undefined */
    bool local;
    /* parameter: what a launch puts there; not the caller's but for PARAM_ARG */
    param_role role;
    /* PARAM_LENGTH, PARAM_STRIDE and PARAM_SHAPE: the pointer parameter whose it is; else NULL */
    ir_var *of;
    /* of a function made by outline: the parameter of the caller whose value it always holds, or
     * NULL. Not in the text form */
    const ir_var *holds;
    /* parameter of a function of another file, as the library's are: it has no name but the number
     * behind a star. Not in the text form */
    bool numbered;
    uint8_t axis; /* PARAM_STRIDE and PARAM_SHAPE: along which of its dimensions */
    /* of a pointer: the int64 variable that holds how many elements it points to, or NULL; a
     * parameter's is the one with its PARAM_LENGTH where there is one */
    ir_var *extent;
    /* position in params or vars; passes may use it as a dense number, kept by ir_number */
    uint32_t index;
    void *user; /* scratch of the pass or back end at work */
};

/* of a parallel for or an independent loop: v = v op value, over the rounds */
typedef struct ir_reduction {
    ir_op op; /* ADD MUL MIN MAX AND OR XOR */
    ir_var *var;
} ir_reduction;

typedef struct ir_loop { /* attributes of FOR, PARALLEL_FOR and FORK */
    ir_var *var;         /* NULL for FORK */
    /* FOR: rounds may run in any order and at once, as those of PARALLEL_FOR */
    bool independent; /* but for what `reductions` combine, in any order */
    ir_schedule schedule;
    int64_t chunk;   /* rounds dealt out at a time; 0: the schedule decides */
    int32_t threads; /* 0: the default */
    VEC(ir_reduction) reductions;
    VEC(ir_var *) privates;
} ir_loop;

struct ir_node {
    uint16_t op; /* ir_op */
    uint16_t kid_count;
    cpl_span span;
    const cpl_type *type; /* of the value; void for statements */
    ir_node **kids;       /* operands, as op.def lists them */
    union {
        uint64_t bits;    /* CONST of an integer or bool, sign- or zero-extended from its type */
        double number;    /* CONST of a float, representable in its type */
        ir_var *var;      /* VAR ADDR ASSIGN */
        ir_func *func;    /* CALL; FORK too, beside loop */
        uint32_t field;   /* FIELD: index into the struct's fields */
        type_space space; /* BARRIER: local or global */
        uint32_t dim;     /* LOCAL_ID LOCAL_SIZE GROUP_ID GROUP_COUNT: 0, 1 or 2; WITHIN: 0 to 7 */
        uint32_t lanes;   /* VCOPY: 2, 3, 4, 8 or 16 */
        struct {
            ir_order order;
            ir_scope scope;
        }; /* atomics, FENCE */
        const char *text; /* PRINTF: format; ASSERT: may be NULL */
        uint32_t site;    /* FAULT: index into the module's sites */
    };
    ir_loop *loop;    /* FOR PARALLEL_FOR FORK */
    ir_block *body;   /* IF WHILE FOR PARALLEL_FOR */
    ir_block *orelse; /* IF: may be NULL */
};

typedef enum ir_linkage {
    IR_INTERNAL, /* called from this module only */
    IR_ENTRY,    /* has a C symbol: what the compilation is for */
    IR_EXTERN,   /* a C function outside: no body */
} ir_linkage;

/* An entry that was a kernel: what memory its parameter of the role grid needs, in bytes. */
typedef struct ir_groups {
    uint64_t group_bytes; /* of local memory for each group, without that of parameters */
    uint64_t item_bytes;  /* for each work-item */
} ir_groups;

struct ir_func {
    const char *name; /* unique in its module: letters, digits, _ and . */
    ir_linkage linkage;
    const cpl_type *result;
    VEC(ir_var *) params;
    VEC(ir_var *) vars; /* the others */
    /* build.c's index of their names; NULL where one went: it is made again */
    struct ir_names *names;
    ir_block *body;   /* NULL for IR_EXTERN */
    bool pure;        /* IR_EXTERN: no side effects, result depends on the arguments alone */
    const char *text; /* IR_EXTERN on a device: what defines it, in the target's language */
    bool elementwise; /* entry of an elementwise launch: the first parameter is n */
    bool kernel;      /* run by each work-item of a grid; no result, and nothing calls it */
    /* elementwise kernel: rounds that each work-item takes, and no more; 0: any, as the grid's size
     * makes it */
    uint32_t items;
    /* kernel: work-items of a group at most, 1 to MOST_GROUP, and groups that are to share a
     * multiprocessor, 1 to MOST_GROUPS; 0: nothing is known or asked for */
    uint32_t most_items, least_groups;
    /* made of a kernel by the pass group: one call runs a grid; NULL: none. Not in the text form */
    ir_groups *groups;
    /* kernel: launched behind that one, which stands in front of it in the module and leaves what
     * it found in the memory of their PARAM_PARTS; NULL: by itself */
    ir_func *after;
    bool recursive; /* calls itself, directly or not; kept by ir_mark_recursive */
    /* host code that is loaded: the site, plus 1, that is reported where its calls nest too deeply
     * for the stack; 0: nobody looks */
    uint32_t deep;
    cpl_span span;
    void *user; /* scratch of the pass or back end at work */
};

typedef struct ir_site { /* a place that can fault: what a report names */
    const char *func;    /* as the source spells it */
    const char *arg;     /* array argument or variable; NULL for an assertion */
    int32_t axis;        /* the dimension of it that the index counts along; -1: all of it */
    cpl_span span;
    const char *said; /* the text of an assertion, or NULL */
} ir_site;

struct ir_module {
    compilation *comp;
    const char *name;
    VEC(const cpl_type *) structs; /* that the text form declares, in order of use */
    VEC(ir_func *) funcs;
    VEC(ir_site) sites; /* numbered by FAULT; duplicated code shares its site */
};

/* build.c: constructors. Types must already agree (the verifier checks). All come from
   m->comp->arena. Names are copied; characters that the text form does not allow become _. Struct
   types that are used are added to m->structs. */
ir_module *ir_module_new(compilation *c, const char *name);
void ir_use_type(ir_module *m, const cpl_type *type); /* adds the structs of a type to m->structs */
/* appended; name made unique with .1, .2 */
ir_func *ir_func_new(ir_module *m, const char *name, ir_linkage linkage, const cpl_type *result,
                     cpl_span span);
/* Moves all functions of another module of the same compilation to the end of m: entries become
 * internal, names are made unique. */
void ir_adopt(ir_module *m, ir_module *from);
/* name made unique; the first of an elementwise function is its count */
ir_var *ir_param_new(ir_module *m, ir_func *f, const char *name, const cpl_type *type,
                     cpl_span span);
/* name made unique */
ir_var *ir_var_new(ir_module *m, ir_func *f, const char *name, const cpl_type *type, cpl_span span);
/* Gives a parameter its role, and a length to the pointer as its extent. of: see ir_var. */
void ir_set_role(ir_var *parameter, param_role role, ir_var *of);
ir_block *ir_block_new(ir_module *m);
void ir_append(ir_module *m, ir_block *b, ir_node *stmt);

/* kids to be filled in */
ir_node *ir_node_new(ir_module *m, ir_op op, const cpl_type *type, cpl_span span,
                     uint32_t kid_count);
/* integer or bool type; wraps to it */
ir_node *ir_int(ir_module *m, const cpl_type *type, int64_t value, cpl_span span);
/* rounds to it */
ir_node *ir_float(ir_module *m, const cpl_type *type, double value, cpl_span span);
/* of a scalar type */
ir_node *ir_zero(ir_module *m, const cpl_type *type, cpl_span span);
/* what a reduction starts with: joined with any other value it gives that one */
ir_node *ir_neutral(ir_module *m, ir_op op, const cpl_type *t, cpl_span span);
/* LOCAL_ID LOCAL_SIZE GROUP_ID GROUP_COUNT */
ir_node *ir_index(ir_module *m, ir_op op, uint32_t dim, cpl_span span);
ir_node *ir_barrier(ir_module *m, type_space space, cpl_span span); /* space: local or global */
/* VCOPY */
ir_node *ir_lanes(ir_module *m, ir_op op, uint32_t lanes, ir_node *a, ir_node *b, cpl_span span);
ir_node *ir_use(ir_module *m, ir_var *v, cpl_span span);
ir_node *ir_addr(ir_module *m, ir_var *v, cpl_span span);
/* An op whose result type follows from its operands (result SAME, BOOL, ELEM, VOID, or COND,
 * ITEM). */
ir_node *ir_op1(ir_module *m, ir_op op, ir_node *a, cpl_span span);
ir_node *ir_op2(ir_module *m, ir_op op, ir_node *a, ir_node *b, cpl_span span);
ir_node *ir_op3(ir_module *m, ir_op op, ir_node *a, ir_node *b, ir_node *c, cpl_span span);
/* a itself when it has the type */
ir_node *ir_convert(ir_module *m, const cpl_type *to, ir_node *a, cpl_span span);
/* PTRCAST BITS RAWCONVERT CONVERT */
ir_node *ir_typed(ir_module *m, ir_op op, const cpl_type *type, ir_node *a, cpl_span span);
ir_node *ir_field(ir_module *m, ir_node *pointer, uint32_t field, cpl_span span);
/* as ir_op1, of any count */
ir_node *ir_op_new(ir_module *m, ir_op op, ir_node **kids, uint32_t n, cpl_span span);
ir_node *ir_call(ir_module *m, ir_func *f, ir_node **args, uint32_t n, cpl_span span);
ir_node *ir_assign(ir_module *m, ir_var *v, ir_node *value, cpl_span span);
ir_node *ir_eval(ir_module *m, ir_node *effect, cpl_span span);
ir_node *ir_if(ir_module *m, ir_node *cond, ir_block *then, ir_block *orelse, cpl_span span);
ir_node *ir_while(ir_module *m, ir_node *cond, ir_block *body, cpl_span span);
ir_node *ir_for(ir_module *m, ir_op op, ir_var *v, ir_node *start, ir_node *stop, ir_node *step,
                ir_block *body, cpl_span span);
ir_node *ir_return(ir_module *m, ir_node *value, cpl_span span); /* value may be NULL */

/* query.c: what several passes ask. */
ir_func *ir_find(const ir_module *m, const char *name);
ir_func *ir_entry(const ir_module *m); /* the first IR_ENTRY function, or
                                            the one that comes after it; NULL: there is none */
/* The first parameter of a role (that belongs to `of`, along any dimension), or NULL. */
ir_var *ir_param_of(const ir_func *f, param_role role, const ir_var *of);
bool ir_is_const(const ir_node *n);
bool ir_is_int_const(const ir_node *n, int64_t *value); /* value may be NULL */
bool ir_has_load(const ir_node *n);                     /* reads memory, or has effects */
/* STRIDED's distance in bytes: index * stride, as int64. Shares both with n. */
ir_node *ir_strided_bytes(ir_module *m, const ir_node *n);
/* The pointer through which an op reads or writes memory; NULL where it does not, or calls what
 * does. */
const ir_node *ir_read_from(const ir_node *n);
const ir_node *ir_written_to(const ir_node *n);
/* What the address is a multiple of: less than its type's alignment for a field of a struct whose
 * fields were placed, and for what lies in it; such a pointer is no value of its own. */
size_t ir_alignment(const ir_node *pointer);
bool ir_is_misaligned(const ir_node *n); /* a pointer of that kind */
/* the same expression, read at the same moment */
bool ir_equal(const ir_node *a, const ir_node *b);
uint32_t ir_size(const ir_node *n); /* nodes in the tree, blocks included */
uint32_t ir_block_size(const ir_block *b);
uint32_t ir_func_size(const ir_func *f);
ir_node *ir_copy(ir_module *m, const ir_node *n); /* deep; variables stay the same */
/* Calls fn on every node below and including n, parents first; fn returns false to skip a node's
 * children. */
typedef bool (*ir_visitor)(void *user, ir_node *n);
void ir_walk(ir_node *n, ir_visitor fn, void *user);
void ir_walk_block(ir_block *b, ir_visitor fn, void *user);
void ir_walk_module(const ir_module *m, ir_visitor fn, void *user); /* all functions with a body */
/* Replaces each node, children first, by what fn returns for it (fn may return its argument).
   Statements too, after their operands and blocks; NULL removes a statement. */
typedef ir_node *(*ir_rewriter)(void *user, ir_node *n);
void ir_rewrite_block(ir_block *b, ir_rewriter fn, void *user);
/* read, assigned, its address taken, or a loop's own variable */
bool ir_mentions(const ir_node *n, const ir_var *v);
bool ir_block_mentions(const ir_block *b, const ir_var *v);
/* assigned in it, by a loop or an address taken too */
bool ir_assigns(const ir_block *b, const ir_var *v);
/* The variable whose item, or item's item, a pointer points to; NULL: it comes from elsewhere. */
const ir_var *ir_item_root(const ir_node *pointer);
/*
 * The constants that a variable of f holds wherever it is read, arrays in arrays flat, `count` of
 * them; NULL where it is no such table.
 */
const ir_node **ir_table(const ir_func *f, const ir_var *v, arena *a, uint64_t *count);
/* The independent loop that a block holds, perhaps within loops over pieces of it, or NULL. */
const ir_node *ir_rounds(const ir_block *b);
void ir_number(ir_func *f);           /* sets var->index: params first, then vars, dense */
void ir_mark_recursive(ir_module *m); /* uses func->user */

/* eval.c: the meaning of each op on constants; shared by the folder and the interpreter. */
typedef union ir_value {
    uint64_t bits; /* integers and bool, extended from their type */
    double number; /* floats, rounded to their type */
    void *pointer;
} ir_value;
/* Evaluates a scalar EXPR op (everything but CONST VAR COND LOAD and those of kind ADDRESS) on
   operand values of operand_type (the type of the first operand). False when the op is undefined
   there (RAW). */
bool ir_eval_op(ir_op op, const cpl_type *type, const cpl_type *operand_type,
                const ir_value *operands, ir_value *result);
double ir_round_to(const cpl_type *type, double value); /* to float16, float32 or float64 */
/* to the width of an integer type, extended to 64 bits */
uint64_t ir_wrap_to(const cpl_type *type, uint64_t bits);

/* cost.c: the one model of what code costs. */
typedef struct ir_cost { /* a row of cost.def, which has the units */
    float one, side, lane, chain, chain_side, device;
} ir_cost;

/* What a body's text does not tell, by how the code is made and what is decided. */
typedef struct ir_guess {
    double rounds;  /* of a loop that does not say how many */
    double call;    /* micro-operations of a function that has no body here */
    double node;    /* of each node in addition: what code takes that is not optimised */
    uint32_t calls; /* so deep are calls followed; what goes deeper costs more than `most` */
    double most;    /* a cost past it is only known to be that */
} ir_guess;

const ir_cost *ir_class_cost(ir_cost_class class_, const cpl_type *operand);
const ir_cost *ir_op_cost(const ir_node *n); /* of the op, not of its operands */
/* Rounds of a FOR over constants, not negative; false where they are not known. */
bool ir_constant_rounds(const ir_node *n, double *rounds);
/* Micro-operations of the block, one evaluation after the other: both arms of an if, one round of
 * an independent loop. */
double ir_block_cost(const ir_block *b, const ir_guess *guess);

/* print.c */
void ir_print(strbuf *sb, const ir_module *m);
void ir_print_func(strbuf *sb, const ir_func *f);
void ir_print_node(strbuf *sb, const ir_node *n); /* one expression or statement, for messages */

/* parse.c: reads the text form; NULL when there were errors, which are in c->diags. The result is
 * not verified yet. */
ir_module *ir_parse(compilation *c, const source *src);

/* verify.c: false when something is wrong, with an error each (status CPL_EIR) naming function, op
   and reason. `where` names the pass the IR comes from, NULL for what a user wrote. Also checks the
   limits on ops and loops (CPL_ELIMIT). Clears var->user and func->user. */
bool ir_verify(ir_module *m, const char *where);

#endif
