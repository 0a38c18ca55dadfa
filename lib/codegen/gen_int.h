/*
 * What the files of codegen share. Values travel as gen_val; bool is i1 as a value and i8 in
 * memory, structs are first-class aggregates unless they can be copied from memory to memory.
 * Variables are allocas at the top of their function.
 */
#ifndef CPL_GEN_INT_H
#define CPL_GEN_INT_H

#include "lib/codegen/codegen.h"

#include <llvm-c/Core.h>

typedef struct gen_val {
    LLVMValueRef v;
    const cpl_type *type;
} gen_val;

typedef struct gen_loop { /* around the statement at hand */
    struct gen_loop *outer;
    LLVMBasicBlockRef next, exit; /* where continue and break go */
} gen_loop;

typedef struct gen_place { /* where the code at hand comes from */
    /* scope: the function, or a block in it for places in another file */
    LLVMMetadataRef function, scope, location;
    const struct gen_debug_file *function_file, *scope_file;
    uint32_t line; /* of the function */
} gen_place;

typedef struct gen gen;

/* Memory and how it is aligned. */
typedef struct gen_spot {
    LLVMValueRef pointer;
    size_t align;
} gen_spot;

/* What a target of LLVM's wants done its own way in code that all share. Functions may be NULL. */
typedef struct gen_traits {
    unsigned spaces[IR_SPACE_COUNT]; /* LLVM's number of each address space */
    unsigned convention;             /* LLVM's number of how functions of the device are called */
    type_space tables;               /* where constant arrays lie */
    const char *group_scope;         /* LLVM's name of what a work-group sees */
    bool zero_for_nan;               /* saturating conversions do not make 0 of NaN */
    bool assumes;                    /* llvm.assume is of use */
    bool moves;                      /* has memmove */
    bool double_optional;            /* printf takes a float where there is no double */
    bool adds_negative;              /* no atomic difference of floats, but a sum */
    bool unrolls;                    /* short loops of unknown length, four rounds at a time */
    bool lines_alone;                /* debuggers get lines, no tables */
    LLVMValueRef (*load)(gen *g, LLVMValueRef pointer, const cpl_type *t, ir_order order,
                         ir_scope scope);
    void (*store)(gen *g, LLVMValueRef pointer, gen_val value, ir_order order, ir_scope scope);
    /* an atomic that computes or exchanges; gives NULL where LLVM's own will do */
    LLVMValueRef (*modify)(gen *g, const ir_node *n, LLVMValueRef pointer, gen_val value);
    /* the bits seen, in place of cmpxchg */
    LLVMValueRef (*exchange)(gen *g, const ir_node *n, LLVMValueRef pointer, LLVMValueRef wanted,
                             LLVMValueRef expected);
    void (*fence)(gen *g, ir_order order, ir_scope scope);
    /* what an aggregate holds becomes zero, without memset */
    void (*clear)(gen *g, LLVMValueRef pointer, const cpl_type *t, size_t align);
    /* with all of fast_math, an op on floats in fewer steps; NULL: as it is; b NULL: of one operand
     */
    LLVMValueRef (*quick)(gen *g, ir_op op, LLVMValueRef a, LLVMValueRef b);
    /* copies an aggregate without memmove; false: its value serves */
    bool (*copy)(gen *g, gen_spot to, gen_spot from, const cpl_type *t);
} gen_traits;

struct gen {
    compilation *c;
    ir_module *m;
    const gen_options *options;
    int kind; /* of the target */
    const gen_traits *traits;
    bool convergent; /* some op of the module is: work-items meet in it */
    bool counts;     /* some op of the module makes a float of an integer */
    LLVMContextRef cx;
    LLVMModuleRef mod;
    LLVMBuilderRef b;
    LLVMTypeRef t_void, t_i1, t_i8, t_i16, t_i32, t_i64, t_f16, t_f32, t_f64, t_ptr;
    LLVMFastMathFlags fast; /* of every floating-point operation */
    int vector_bits;        /* of the function's vectors, at most the CPU's */
    ir_func *func;          /* at hand */
    LLVMValueRef fn;
    gen_loop *loop;
    /* group of the accesses to global memory in the independent loop around; NULL: none */
    LLVMMetadataRef accesses;
    /* in a loop whose rounds are: how many are done in a time counts, not how long one takes */
    bool independent;
    const ir_loop *reducing; /* around: rounds combine variables in any order; NULL: none */
    uint32_t elementary;     /* functions computed in place so far */
    bool rest;               /* in what is left of a loop that lanes ran */
    map structs;             /* name to LLVMTypeRef */
    LLVMValueRef ident;      /* what forks hand to OpenMP, made on demand: gen_fork.c */
    struct gen_debug *debug; /* NULL: no line info */
    LLVMValueRef stack_end;  /* the function's parameter: gen_stack.c; NULL: it has none */
    VEC(LLVMValueRef) used; /* vector variants, which nothing calls before LLVM's vectoriser does */
};

static inline bool gen_is_device(const gen *g)
{
    return g->kind != TGT_HOST;
}
/* gen_device.c */
const gen_traits *gen_traits_of(int kind);
/* gen_base.c: as gen_traits.quick */
LLVMValueRef gen_quick(gen *g, ir_op op, LLVMValueRef a, LLVMValueRef b);
/* IR that codegen does not accept */
void gen_internal_error(gen *g, const ir_node *n, const char *what);
void gen_attr(gen *g, LLVMValueRef fn, LLVMAttributeIndex at, const char *name);
void gen_attr_text(gen *g, LLVMValueRef fn, const char *name, const char *value);
void gen_call_attr(gen *g, LLVMValueRef call, const char *name);
/* A C function outside the module, declared on first use and nounwind. */
LLVMValueRef gen_runtime(gen *g, const char *symbol, LLVMTypeRef type);
LLVMValueRef gen_call_runtime(gen *g, LLVMValueRef fn, LLVMValueRef *args, unsigned n);
/* Of a device: a function that its back end or library knows, 8 arguments at most. */
LLVMValueRef gen_builtin(gen *g, const char *symbol, LLVMTypeRef result, LLVMValueRef *args,
                         unsigned n, bool convergent);
/* ... one that depends on its arguments, and on which work-item asks, alone: called once for all */
LLVMValueRef gen_pure_builtin(gen *g, const char *symbol, LLVMTypeRef result, LLVMValueRef *args,
                              unsigned n);
unsigned gen_sync_scope(const gen *g, ir_scope scope);
/* gen_width.c: sets vector_bits for a function, and the flag of fast for estimated quotients */
void gen_choose_width(gen *g, const ir_func *f);
/* v, with the fast-math flags if it can have them */
LLVMValueRef gen_fast(const gen *g, LLVMValueRef v);
/* float16 as float32; anything else as it is */
LLVMValueRef gen_widen(gen *g, LLVMValueRef v, const cpl_type *t);
LLVMValueRef gen_narrow(gen *g, LLVMValueRef v, const cpl_type *t); /* back to t */
LLVMValueRef gen_compare(gen *g, ir_op op, LLVMValueRef a, LLVMValueRef b, const cpl_type *t);
LLVMValueRef gen_min_max(gen *g, bool max, LLVMValueRef a, LLVMValueRef b, const cpl_type *t);
LLVMValueRef gen_intrinsic(gen *g, const char *name, LLVMTypeRef *types, unsigned type_count,
                           LLVMValueRef *args, unsigned n);
/* overloaded on a's type */
LLVMValueRef gen_unary_intrinsic(gen *g, const char *name, LLVMValueRef a);

/* gen_type.c */
unsigned gen_space(const gen *g, type_space space);      /* LLVM's number of an address space */
LLVMTypeRef gen_pointer(const gen *g, type_space space); /* a pointer into it */
LLVMTypeRef gen_type(gen *g, const cpl_type *t);         /* as a value */
LLVMTypeRef gen_mem_type(gen *g, const cpl_type *t);     /* in memory */
static inline bool gen_is_aggregate(const cpl_type *t)
{
    return type_is_struct(t) || type_is_array(t);
}
/* as many of them as `like` has lanes, if it is a vector */
LLVMTypeRef gen_like(const gen *g, LLVMValueRef like, LLVMTypeRef scalar);
/* of a vector type: in every lane */
LLVMValueRef gen_splat(LLVMTypeRef type, uint64_t bits); /* in all lanes of integers */
LLVMValueRef gen_int(LLVMTypeRef type, uint64_t bits);
LLVMValueRef gen_zero(gen *g, const cpl_type *t);
LLVMValueRef gen_load(gen *g, LLVMValueRef pointer, const cpl_type *t);
LLVMValueRef gen_store(gen *g, LLVMValueRef pointer, gen_val value); /* the instruction */
LLVMValueRef gen_to_mem(gen *g, gen_val value); /* a scalar as it lies in memory */
LLVMValueRef gen_from_mem(gen *g, LLVMValueRef v, const cpl_type *t);
/* an integer of any width, extended by its sign */
LLVMValueRef gen_i64(gen *g, gen_val index);
/* address of a field of the struct at base */
LLVMValueRef gen_field(gen *g, LLVMValueRef base, const cpl_type *record, uint32_t field);
/* A constant for a variable that is a table (lib/ir/table.c); NULL: it is none. */
LLVMValueRef gen_table(gen *g, const ir_var *v);
bool gen_is_table(const ir_var *v);
/* Whether a statement only stores what such a constant holds anyway. */
bool gen_fills_table(const ir_node *n);
void gen_clear(gen *g, LLVMValueRef pointer, const cpl_type *t, size_t align);
/* at the top of the function */
LLVMValueRef gen_alloca(gen *g, LLVMTypeRef type, const char *name);
LLVMValueRef gen_variable(gen *g, const cpl_type *t, const char *name); /* the same, aligned */
/* gen_slots.c: gives variables that may share one a place; user of the others is NULL. */
void gen_share_slots(gen *g, const ir_func *f);
/* gen_stmt.c: writes a value to memory, where possible without taking it through registers. Returns
 * the store, or what copies. */
LLVMValueRef gen_write(gen *g, LLVMValueRef pointer, size_t align, const ir_node *value);
/* Where one of two structs is by a condition, of a target that copies structs by scalars. */
LLVMValueRef gen_chosen(gen *g, const ir_node *cond);
LLVMBasicBlockRef gen_block_new(gen *g, const char *name);
/* goes on building at its end; an empty block moves behind the others */
void gen_at(gen *g, LLVMBasicBlockRef block);
bool gen_ended(const gen *g);              /* the block at hand has jumped away */
void gen_br(gen *g, LLVMBasicBlockRef to); /* unless it has */

/* gen_debug.c: line info; each does nothing without the option */
void gen_debug_begin(gen *g);
void gen_debug_end(gen *g);
/* the code that follows is fn's */
void gen_debug_enter(gen *g, LLVMValueRef fn, const char *name, cpl_span span);
/* and comes from there */
void gen_debug_at(gen *g, cpl_span span);
gen_place gen_debug_save(const gen *g);
void gen_debug_restore(gen *g, gen_place place);

/* gen_stmt.c */
void gen_block(gen *g, const ir_block *b);

/* gen_expr.c */
gen_val gen_expr(gen *g, const ir_node *n);
/* An op on values alone (conversion, arithmetic, comparison, mathematics), its operands being
 * scalars or vectors of one length. */
LLVMValueRef gen_op(gen *g, const ir_node *n, LLVMValueRef *operands);
/* True for an expression that may be evaluated although its value is not wanted: short, without
 * loads, division and calls. */
bool gen_is_cheap(const ir_node *n, int *budget);

/* gen_convert.c */
LLVMValueRef gen_convert(gen *g, gen_val from, const cpl_type *to);
LLVMValueRef gen_rawconvert(gen *g, gen_val from, const cpl_type *to);
LLVMValueRef gen_bits(gen *g, gen_val from, const cpl_type *to);

/* gen_loop.c */
/* a counted loop under construction; start, stop, step and type come from the caller */
typedef struct gen_counted {
    const cpl_type *type;
    LLVMTypeRef ty;
    LLVMValueRef start, stop, step;
    bool step_known;
    int64_t step_value;    /* if known; of an unsigned type its bits */
    LLVMValueRef enter;    /* i1: there is a first round */
    LLVMValueRef rounds;   /* how many, unsigned; NULL with a step of 1 or -1 */
    LLVMValueRef iv, done; /* phis of the loop: the hidden variable, rounds done or NULL */
    LLVMBasicBlockRef pre, head, next, exit;
    LLVMValueRef latch; /* the branch back */
} gen_counted;
/* sets enter and rounds; on vectors, for each lane */
void gen_count_rounds(gen *g, gen_counted *l);
void gen_counted_head(gen *g, gen_counted *l); /* begins the loop; goes on at the top of a round */
/* Ends it, in what follows next; go_on (i1 or NULL) must hold too for another round. Goes on at
 * exit. */
void gen_counted_next(gen *g, gen_counted *l, LLVMValueRef go_on);
void gen_counted_loop(gen *g, const ir_node *n, gen_counted *l); /* the whole of it */
/* the same for the few rounds around those of lanes */
void gen_short_loop(gen *g, const ir_node *n, gen_counted *l);
void gen_for(gen *g, const ir_node *n);
void gen_while(gen *g, const ir_node *n);

/* gen_hint.c: what LLVM is told of loops */
LLVMMetadataRef gen_access_group(const gen *g); /* a new one; NULL when none can be made */
/* a load or store of the group around */
void gen_in_group(const gen *g, LLVMValueRef access, const cpl_type *pointer);
/* how many vectors of rounds LLVM's vectoriser holds side by side: as it likes, none, two */
typedef enum gen_vectors { VECTORS_ANY, VECTORS_NONE, VECTORS_TWO } gen_vectors;
/* group: the rounds' accesses, which do not meet, or NULL */
void gen_hint_rounds(const gen *g, LLVMValueRef latch, LLVMMetadataRef group, gen_vectors vectors);
void gen_hint_unroll(const gen *g, LLVMValueRef latch, unsigned count);
/* vectorising and unrolling are not worth their code */
void gen_hint_short(const gen *g, LLVMValueRef latch);

/* gen_reread.c: an independent loop must not be called parallel to LLVM */
bool gen_rereads(const gen *g, const ir_node *loop);

/* gen_simd.c */
/* a loop with rounds side by side; false, and nothing done, where that cannot be or does not pay */
__attribute__((weak)) bool gen_simd_for(gen *g, const ir_node *n);

/* gen_fork.c */
void gen_fork(gen *g, const ir_node *n);

/* gen_stack.c */
bool gen_takes_stack(const ir_func *f); /* a parameter more: where the thread's stack ends */
LLVMValueRef gen_stack_end(gen *g);     /* for calls of such functions */
void gen_look_at_stack(gen *g);         /* at the begin of the function at hand */

/* gen_elementary.c: functions computed in place, on scalars or vectors of float32 or float64, as
 * exactly as fast_math asks for */
bool gen_has_elementary(const gen *g, const ir_node *n);
LLVMValueRef gen_elementary(gen *g, ir_op op, LLVMValueRef *args);

/* gen_inner.c: functions of the module's own */
typedef struct gen_inner {
    LLVMValueRef fn, outer; /* what is built, and what that interrupts */
    LLVMBasicBlockRef block;
    gen_place place;
} gen_inner;
unsigned gen_lanes(LLVMTypeRef type); /* 1 of a scalar */
/* in->fn becomes the function cpl.NAME.LANES, whose result is of this type; true: it is new, its
 * body is built from here on, and gen_inner_leave comes after it */
bool gen_inner_enter(gen *g, gen_inner *in, const char *name, LLVMTypeRef type, LLVMTypeRef *params,
                     unsigned count);
void gen_inner_leave(gen *g, const gen_inner *in, LLVMValueRef result);
/* "NAME(FUNCTION),...": what the vectoriser may call in place of a scalar call */
void gen_inner_variants(gen *g, LLVMValueRef call, const char *list);
typedef struct gen_libm {
    const char *name;
    LLVMValueRef vector; /* for as many lanes; NULL: one by one */
} gen_libm;
/* near, but of lanes whose room, int64, is negative libm's result of the one or two operands */
LLVMValueRef gen_inner_or_libm(gen *g, const char *name, const gen_libm *libm,
                               const LLVMValueRef *operands, unsigned count, LLVMValueRef near,
                               LLVMValueRef room);

/* gen_sine.c: those of them that need a branch, IR_SIN and IR_COS, of float64 */
LLVMValueRef gen_sine(gen *g, ir_op op, LLVMValueRef x);

/* gen_wide.c: IR_POW, IR_LOG and IR_EXP of float64 by AVX-512, eight lanes at once: the function of
 * vectors, and a call of it for a scalar or vectors of any length */
bool gen_has_wide(const gen *g, ir_op op, LLVMTypeRef elem);
LLVMValueRef gen_wide_function(gen *g, ir_op op);
LLVMValueRef gen_wide(gen *g, ir_op op, LLVMValueRef *args);

/* gen_math.c */
/* such a function, and there is one for vectors */
bool gen_has_variant(gen *g, const ir_node *n);
LLVMValueRef gen_math(gen *g, const ir_node *n, LLVMValueRef *operands);
/* the library's for this many bits of float64; NULL: there is none */
LLVMValueRef gen_library_variant(gen *g, ir_op op, int bits);
/* Python's a // b and a % b */
LLVMValueRef gen_fmod_floor(gen *g, bool quotient, LLVMValueRef a, LLVMValueRef b);

/* gen_mem.c */
gen_val gen_atomic(gen *g, const ir_node *n);
void gen_fence(gen *g, const ir_node *n);
void gen_fault(gen *g, const ir_node *n);
void gen_printf(gen *g, const ir_node *n);
void gen_vcopy(gen *g, const ir_node *n);

/* gen_device.c: what kernels have and host functions have not, as far as targets agree */
/* the type under which a kernel is given a value */
LLVMTypeRef gen_kernel_param(gen *g, const cpl_type *t);
void gen_device_declare(gen *g, LLVMValueRef fn, const ir_func *f);
LLVMValueRef gen_kernel_value(gen *g, LLVMValueRef param, const cpl_type *t); /* as code uses it */
LLVMValueRef gen_local_var(gen *g, const ir_var *v);
LLVMValueRef gen_space_cast(gen *g, LLVMValueRef pointer, type_space to);
LLVMValueRef gen_device_math(gen *g, const char *name, LLVMValueRef *args, unsigned n);
LLVMValueRef gen_fmod(gen *g, LLVMValueRef a, LLVMValueRef b); /* C's fmod, exact */
LLVMValueRef gen_work_item(gen *g, const ir_node *n);          /* LOCAL_ID to LANE */
void gen_nanosleep(gen *g, const ir_node *n);
LLVMValueRef gen_subgroup(gen *g, const ir_node *n); /* SHUFFLE to SUBGROUP_SCAN_MAX */
void gen_barrier(gen *g, const ir_node *n);
/* args[1] ...: the promoted values */
void gen_device_printf(gen *g, const ir_node *n, LLVMValueRef *args);

#endif
