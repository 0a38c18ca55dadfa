/*
 * Loading and launching what the compiler makes.
 *
 * kernel.c  compiled functions, one of each kind a module
 * specialise.c  from arguments to what is known of them, to the kernel that they run
 * layout.c  how the elements of arguments lie
 * args.c    a caller's arguments: whether they are right, and the types that they ask for
 * binding.c  their values as parameters
 * glance.c  the same, for arguments that are right at a glance
 * facts.c   what they tell of themselves: whether arrays are small, apart, large
 * anywhere.c  the calls that launch: where it is done first, or
 * launch.c  where arguments and options say
 * plan.c    kernels that belong together, with memory between them
 * reduction.c  the plan of a plain function that reduces on a device
 * extern.c  external functions of shared libraries
 * cache.c   compiled code on disk
 * perf.c    names of kernels for perf
 * tier.c    quick code first, optimised code later
 * compile.c compilations in the background
 * team.c    OpenMP's entries, for generated code (resolve.h)
 * aot/fork.c  loops on threads of the host's (aot/fork.h)
 * state.c   what the runtime keeps in a context
 */
#ifndef CPL_RUNTIME_H
#define CPL_RUNTIME_H

#include "lib/driver/border.h"

#include "cpl/cpl.h"

/* state.c: what the runtime keeps in a context; NULL when out of memory. Any thread. */
typedef struct disk_cache disk_cache;
typedef struct tiers tiers;
typedef struct compile_queue compile_queue;
/* They run on one thread; with another runtime than was named; that was said. */
enum { ALONE = 1, ALONE_OTHER = 2, ALONE_TOLD = 4 };
typedef struct runtime_state {
    tiers *tiers;
    compile_queue *compiles;
    /* NULL: not needed yet; else how it goes stands beside it */
    disk_cache *cache;                 /* under the context's lock */
    _Atomic(struct devices *) devices; /* device/device.h */
    _Atomic(struct profile *) profile; /* runtime/profile.h */
    void (*cache_free)(const mem *m, disk_cache *c);
    void (*devices_free)(cpl_context *cx, struct devices *all);
    _Atomic(void (*)(const mem *m, struct profile *p)) profile_free;
    _Atomic(cpl_module *) convert; /* device/convert.c; NULL: not needed yet */
    atomic_int alone;              /* of loops without an OpenMP runtime */
} runtime_state;
runtime_state *runtime_of(cpl_context *cx);
/* cache.c; NULL: out of memory. */
disk_cache *runtime_disk_cache(cpl_context *cx);

/*
 * tier.c: kernels whose first code was made quickly get their optimised code from a thread of the
 * context's, first come, first served, or by who needs it; kernel_optimise does it. Any thread.
 */
tiers *tiers_create(const mem *m);
/* nothing is queued any more; waits for the thread. NULL is allowed */
void tiers_free(tiers *t);
void tier_submit(cpl_kernel *k, int64_t option); /* tiers, which is not 0 */
/* returns when its optimised code is in use, or could not be had; or CPL_ECANCELLED, reported */
cpl_status tier_finish(cpl_kernel *k);
/* before a kernel goes: waits for code of ours alone, not for LLVM */
void tier_forget(cpl_kernel *k);

/* compile.c: threads that compile what nobody waits for yet; no compilation is left when they go.
 */
compile_queue *compiles_create(const mem *m);
void compiles_free(compile_queue *all);

struct binding;

/* kernel.c */
typedef void (*packed_fn)(const void *const *args, void *result);

/* The versions of a kernel, which differ in facts alone. */
typedef struct kernel_family kernel_family;

struct cpl_kernel {
    cpl_module *module; /* owns it */
    kernel_family *family;
    struct cpl_kernel *next_version; /* of the family's finished ones */
    uint32_t promised;               /* facts that callers of the compiled function see to */
    uint32_t allowed;                /* option facts: what versions may be told */
    artifact artifact;               /* its object is freed once it is loaded */
    loaded_code code;
    loaded_code quick_code; /* what ran before code was there */
    _Atomic(packed_fn) packed;
    int64_t plain_below; /* rounds: for fewer `packed` is called and no more */
    bool glances;        /* glance.c may bind its arguments */
    atomic_bool quick;   /* packed is quick code, good for artifact.quick_rounds rounds */
    enum { TIER_NONE, TIER_LATER, TIER_QUEUED, TIER_RUNNING } tier; /* under tier.c's lock */
    atomic_bool unwanted; /* its optimised code: the kernel is about to go */
    struct cpl_kernel *next_tier;
    double tier_begin;                            /* now_ms() before which it stays in the queue */
    cpl_status (*optimise)(struct cpl_kernel *k); /* kernel_optimise, where there are tiers */
    /* where it is loaded: device/code.c. Of a device target; its object stays */
    _Atomic(struct dev_code *) device_code;
    _Atomic(void (*)(struct cpl_kernel *)) codes_free; /* of device_code */
    _Atomic(struct plan *) plan; /* plan.c: the one that is found by it, once made */
    atomic_size_t plan_size;     /* bytes of it */
    /* of one that kernel_first found: the kernel behind it, whose record its faults go to; they
     * have the same sites */
    _Atomic(struct cpl_kernel *) whole;
    /* of a device target, for the profile: the first device that loads it accounts for its
     * compilation */
    uint64_t compile_begin_ns;
    _Atomic(uint64_t) compile_ns; /* 0: somebody did, or the profile was off */
    /* of the host: the same function for a device, where launches choose; the last one */
    _Atomic(struct cpl_kernel *) elsewhere;
    /* what it was made from, for other versions of it */
    char *function;
    cpl_form form;
    const cpl_type **types;
    size_t type_count;
    cpl_bind *binds; /* [bind_count], texts of the module's */
    size_t bind_count;
    int64_t *options; /* [option_count] as in cpl_spec, or NULL */
    size_t option_count;
    char *target; /* NULL: the host */
    char *passes; /* NULL: the default ones */
};

/* The kernel for a caller's spec, with its optimised code; the reference is the caller's. */
cpl_status kernel_of_spec(cpl_module *module, const char *function, const cpl_spec *spec,
                          cpl_kernel **kernel);
/*
 * The same, of a spec that has been read. rounds: of a launch, where quick code does for those the
 * kernel may hold that at first; whatever else uses a kernel's code calls kernel_settle. promised:
 * those of the spec's facts that callers of the compiled function see to.
 */
cpl_status kernel_make(cpl_module *module, const char *function, const cpl_spec *spec,
                       uint32_t promised, int64_t rounds, cpl_kernel **kernel);
cpl_spec kernel_spec(const cpl_kernel *k); /* what it was made from */
/* The same function told other facts; lives as long as the module. */
cpl_status kernel_make_version(const cpl_kernel *k, uint32_t facts, cpl_kernel **version);
/* The same function for another target, told such facts; lives as long as the module. */
cpl_status kernel_for_target(cpl_kernel *k, const char *target, uint32_t facts, cpl_kernel **other);
/* The kernel that is launched before it, of a name of its own: it has artifact.after. Made with it,
 * lives as long as the module. */
cpl_status kernel_first(cpl_kernel *k, cpl_kernel **first);
/* The finished versions, linked by next_version. */
cpl_kernel *kernel_versions(const cpl_kernel *k);
/* Compiles a kernel that has quick code with optimisation and puts that to use. All stays as it is
 * when it cannot be had; says nothing. */
cpl_status kernel_optimise(cpl_kernel *k);
/* Sees to it that a kernel's code is the optimised one where that can be had; or CPL_ECANCELLED. */
static inline cpl_status kernel_settle(cpl_kernel *k)
{
    return atomic_load_explicit(&k->quick, memory_order_acquire) ? tier_finish(k) : CPL_OK;
}

/* run.c: calls a kernel of the host, with its optimised code if that pays for so many rounds;
 * CPL_ECANCELLED when that was not waited for. */
cpl_status kernel_run(cpl_kernel *k, const struct binding *b, int64_t rounds, void *result);
/* The same for the profile, and with what the code's checks found. args: those bound. */
cpl_status kernel_run_bound(cpl_kernel *k, struct binding *b, const cpl_arg *args, size_t count,
                            int64_t rounds, void *result);
/* The same of arguments that are values, in memory of the host. */
cpl_status kernel_run_values(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t rounds,
                             void *result);
/* interpreted.c: what a launch of an elementwise kernel of the host would do, by the interpreter;
 * on arrays of the host, those that are values. */
cpl_status kernel_interpret(const cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n);
/* What a fault of the interpreter's means, as cpl_kernel_report. */
cpl_status interpret_report(cpl_module *module, const artifact *layout, const cpl_fault *fault);

/*
 * specialise.c: which code runs for which arguments. Kernels hold no references here: they live as
 * long as their module.
 */
/* Whether rounds go side by side in vectors, unless the user wants none of them. */
typedef enum kernel_lanes {
    LANES_AS_ASKED, /* where it is thought to pay */
    LANES_NONE,     /* they are far apart in memory */
    LANES_ALWAYS,   /* whatever it is thought to cost */
} kernel_lanes;
typedef struct kernel_request {
    cpl_module *module;
    const char *function; /* NULL: the only one */
    cpl_form form;
    const char *target; /* NULL: the host */
    const cpl_arg *args;
    size_t count;
    bool opaque;  /* arrays may be parts of one memory in a way that addresses do not tell */
    int64_t n;    /* rounds; 0: not known yet */
    bool lasting; /* the kernel is for other launches too: quick code is none for it */
    bool checked; /* args are the library's own, or have been checked */
    kernel_lanes lanes;
} kernel_request;
typedef cpl_status (*kernel_finder)(const kernel_request *r, cpl_kernel **kernel);
/* compile.c: as cpl_compile_begin; the request, whose arguments have been checked, and what it
 * points to are copied. soon: whatever code there is will do, as in cpl_launch_options. */
cpl_status compile_begin(const kernel_request *r, kernel_finder find, bool soon,
                         struct cpl_compile **compile);
/* The version for these arguments, remembered from an earlier launch if there was one. The
 * arguments are checked. */
cpl_status kernel_for_args(const kernel_request *r, cpl_kernel **kernel);
/* The kernel that was remembered for such a request, which stands for whatever its function, a
 * static text, says; NULL: none. Its arguments are checked, and have memory of the host. */
cpl_kernel *kernel_recall(const kernel_request *r);
void kernel_remember(const kernel_request *r, cpl_kernel *kernel);
/* Right where so much is known, and told all of it: no other version could do better. */
bool kernel_is_best(const cpl_kernel *k, uint32_t facts);
/* Of a plain function of the library's, which is not compiled; remembered likewise. The request's
 * function is static. */
typedef struct inferred {
    const cpl_type *type; /* of what it returns */
    uint64_t nodes;       /* of its syntax tree and of those of what it calls */
} inferred;
cpl_status infer_for_args(const kernel_request *r, inferred *all);
/* What is known of a launch's arguments (cpl_fact); target NULL: the host; a NULL: the kernel is
 * still to be made. */
uint32_t kernel_facts(cpl_context *cx, const char *target, const artifact *a, const cpl_arg *args,
                      size_t count, int64_t n);
/* Whether a kernel's code is right where so much is known, and past the caches where it should. */
static inline bool kernel_suits(const cpl_kernel *k, uint32_t facts)
{
    const artifact *a = &k->artifact;
    return !(a->relies & ~facts) &&
           !(facts & ~a->facts & (CPL_FACT_IN_ORDER | (k->allowed & CPL_FACT_LARGE)));
}
/* The kernel itself, or the version of it that is right where so much is known. */
cpl_status kernel_version(cpl_kernel *k, uint32_t facts, cpl_kernel **version);
/* The version for callers of the compiled function, who promised what they promised. */
cpl_status kernel_for_callers(const cpl_kernel *k, const cpl_kernel **version);
/*
 * The same as kernel_for_args for a launch on the host of arguments that may be right at a glance:
 * then *bound is set, and they are bound for the kernel's code.
 */
cpl_status kernel_bind_args(const kernel_request *r, cpl_kernel **kernel, struct binding *b,
                            bool *bound);
/* Binds arguments for a kernel where they are right at a glance and its code is right for them. */
bool kernel_bind_at_a_glance(const cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n,
                             struct binding *b);
/* Its parameters and signature, without making it where k has the same; NULL: it cannot be had. */
const artifact *kernel_face(const cpl_kernel *k);
/* What launches remember of a module begins with this. */
typedef struct launch_memory {
    void (*free)(cpl_module *module, struct launch_memory *all);
} launch_memory;
/* Whether the module has what its kernels lie in, which frees launches too; makes it. */
bool kernels_ready(cpl_module *module);

/* options.c */
/* The caller's options, at room if his struct is older; what they are to receive is nothing yet.
 * NULL: they are none, or have a spec, which only cpl_kernel_for takes. */
const cpl_launch_options *launch_options(const cpl_launch_options *given, cpl_launch_options *room);
/* The same, with a spec or not. */
const cpl_launch_options *launch_options_or_spec(const cpl_launch_options *given,
                                                 cpl_launch_options *room);
/* CPL_EARG, reported, when it is not given. */
cpl_status launch_grid_size(cpl_context *cx, const char *function, const cpl_launch_options *o);
/* Work-items of a group along a dimension; 0: how many along the first is left open. */
static inline int64_t launch_local(const cpl_launch_options *o, int dim)
{
    return dim > 0 && (!o->local[0] || !o->local[dim]) ? 1 : o->local[dim];
}
cpl_form kernel_form(const cpl_kernel *k); /* as it is launched */
/* n of a launch: as given, or the length of the first array. */
cpl_status launch_count(cpl_context *cx, const artifact *a, const cpl_arg *args, size_t count,
                        int64_t *n);
/* launch.c */
/* The rounds of a launch of a kernel: of what is no elementwise function one. */
cpl_status launch_rounds_of(const cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                            size_t count, int64_t *n);
/* The same as far as it is known before there is a kernel: about as many. */
cpl_status launch_rounds_expected(cpl_context *cx, const cpl_launch_options *o, const cpl_arg *args,
                                  size_t count, int64_t *n);
/* Launches where arguments and options say, which are checked as structs: by name, and a kernel
 * that the caller holds. */
cpl_status launch_by_name(cpl_module *module, const char *function, const cpl_launch_options *o,
                          const cpl_arg *args, size_t count);
cpl_status launch_held(cpl_kernel *k, const cpl_launch_options *o, const cpl_arg *args,
                       size_t count);
/* device/place.c */
/* Runs something on the host with arguments among which are cpl_arrays, given to it as plain ones.
   Where they are not valid there it is refused, or with `automatic`, the launch's or the context's,
   they are moved. */
cpl_status device_on_host(cpl_context *cx, bool automatic, const cpl_arg *args, size_t count,
                          cpl_status (*run)(void *user, const cpl_arg *args), void *user);
/* device/code.c: unloads a kernel from all devices. */

/* cache.c; see include/cpl/cache.h. A key is ARTIFACT_KEY_SIZE bytes. Any thread. */
disk_cache *disk_cache_create(const mem *m);
void disk_cache_free(const mem *m, disk_cache *c);
bool disk_cache_get(cpl_context *cx, disk_cache *c, const uint8_t *key, strbuf *out);
void disk_cache_put(cpl_context *cx, disk_cache *c, const uint8_t *key, const void *payload,
                    size_t size);

/* args.c */
#define MOST_ARGUMENTS 64
#define MOST_OWN       14                          /* of a plan's: see device/device.h */
#define MOST_GIVEN     (MOST_ARGUMENTS + MOST_OWN) /* to a kernel of a plan */
/* hidden ones included: a shape and strides of each, the fault record, a result */
#define MOST_PARAMETERS (MOST_ARGUMENTS * (1 + 2 * CPL_MAX_DIMS) + MOST_OWN + 2)

typedef union arg_value { /* of one parameter, in its own type */
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    uint16_t f16;
    float f32;
    double f64;
    bool b;
    void *pointer;
} arg_value;

typedef struct binding { /* the values of all parameters of an entry, hidden ones included */
    arg_value values[MOST_PARAMETERS];
    const void *pointers[MOST_PARAMETERS];
    cpl_fault fault;
    uint64_t returned[2]; /* on the host: what the parameter of the role result points to */
} binding;

/* What a function has stored there goes where the caller wants it; result: 16 bytes. */
static inline void binding_returned(const binding *b, const artifact *a, void *result)
{
    if (a->result && type_is_complex(a->result)) memcpy(result, b->returned, a->result->size);
}

typedef struct arg_code { /* what decides an argument's type; equal codes ask for the same kernel */
    uint8_t kind;         /* cpl_arg_kind */
    /* cpl_dtype, of an untyped integer the one it fits; cpl_bind_kind of what is bound */
    uint8_t dtype;
    bool strided;
    union { /* compared as a whole */
        const cpl_type *record;
        const cpl_type *type; /* of what is bound, as the others */
        const char *text;     /* the module's: module_text */
        int64_t integer;
    };
} arg_code;
_Static_assert(sizeof(int64_t) == sizeof(void *), "an arg_code is compared by its integer");

/* What is told of an argument: its number, from 0, or what the caller knows it as. */
typedef struct arg_name {
    size_t i;
    const char *as; /* "the place of the result"; NULL: its number */
} arg_name;
enum { ARG_NUMBERED = 32 }; /* characters of "argument 64" */
const char *arg_named(arg_name n, char *room);
/* Checks an argument by itself, which is no cpl_array any more: done for every launch, since what
   follows takes lengths, strides and addresses as they are. */
cpl_status arg_check(cpl_context *cx, arg_name n, const cpl_arg *arg);
/* The same of a place for results, which has no number: "the place of the result has..." */
cpl_status arg_check_result(cpl_context *cx, const char *what, const cpl_arg *arg);
cpl_status args_too_many(cpl_context *cx); /* CPL_ELIMIT, reported */
/* Checks their number, and each. */
cpl_status args_check(cpl_context *cx, const cpl_arg *args, size_t count);
/* Codes the arguments; checked: args_check, which it calls otherwise, has been called. */
cpl_status args_codes(cpl_module *m, const cpl_arg *args, size_t count, bool checked,
                      arg_code *codes);
/* bound.c: the rest of the code of an argument that stands for something */
cpl_status arg_code_bound(cpl_module *m, const cpl_bind *b, arg_code *code);
/* Whether some stand for something (CPL_ARG_BOUND); those that are values, at out, which may be
 * args, and how many. */
bool args_have_bound(const cpl_arg *args, size_t count);
size_t args_values(const cpl_arg *args, size_t count, cpl_arg *out);
/* What they stand for, [count]; how many up to the last that does. */
size_t args_binds(const arg_code *codes, size_t count, cpl_bind *binds);
/* The type each argument asks for. */
cpl_status args_types(cpl_context *cx, const arg_code *codes, size_t count, const cpl_type **types);

/* binding.c */
/* The value in a parameter's type, a scalar; false when it does not fit. *v is 0 before. */
bool arg_convert(const cpl_arg *arg, const cpl_type *t, arg_value *v);
/* CPL_EARG, reported, for another number than is taken. */
cpl_status args_check_count(cpl_context *cx, size_t takes, size_t count);
/* Checks the arguments, also against the parameters, and fills in a binding for an entry. n is the
   count of an elementwise launch. Behind the caller's arguments come a plan's, for PARAM_PARTS. */
cpl_status args_bind(cpl_context *cx, const artifact *a, const cpl_arg *args, size_t count,
                     int64_t n, binding *b);
/* The dimensions that a function takes its i-th argument with, without those that stand for
 * something; 0: flat. */
uint32_t args_dims(const artifact *a, size_t i);

/*
 * glance.c: most launches are given arrays that are an address and a length, aligned, small, with
 * less than `least` bytes and not in one memory where one is written, and numbers. Binds these, of
 * which is known GLANCE_FACTS; false: args_bind has to look closer, and may find something wrong.
 */
enum { GLANCE_FACTS = CPL_FACT_APART | CPL_FACT_SMALL };
bool glance_bind(const artifact *a, const cpl_arg *args, size_t count, int64_t n, uint64_t least,
                 binding *b);
/* Whether that can be for such parameters. */
bool glance_can(const artifact *a);

/* facts.c */
/* How arrays share memory where one of them is written (a NULL: as if all were). */
typedef enum args_sharing {
    ARGS_APART, /* not at all, or in each other's gaps */
    ARGS_SAME,  /* some are the same array */
    ARGS_CROSS, /* some overlap, but not as a whole, or may for all that is known of their steps */
} args_sharing;
args_sharing args_share(const artifact *a, const cpl_arg *args, size_t count);
/* What is known of arguments that are checked, and of n rounds: cpl_fact. a as in args_share.
 * large: bytes from which on an array is; 0: none is. */
uint32_t args_facts(const artifact *a, const cpl_arg *args, size_t count, int64_t n,
                    uint64_t large);

/* layout.c: how the elements of an argument lie that is an array, and no cpl_array any more */
static inline bool args_have_arrays(const cpl_arg *args, size_t count) /* cpl_arrays */
{
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY && args[i].array) return true;
    return false;
}
/* The type of the elements; and a contiguous array of elements of a type. */
const cpl_type *arg_elements(type_table *types, const cpl_arg *arg);
cpl_arg arg_of_elements(const cpl_type *type, void *data, int64_t length);
static inline size_t arg_element_size(const cpl_arg *arg) /* bytes */
{
    return arg->record ? arg->record->size : cpl_dtype_size(arg->dtype);
}
static inline size_t arg_bytes(const cpl_arg *arg) /* of all elements */
{
    return (size_t)arg->length * arg_element_size(arg);
}
/* An address and a length alone, as most are: what each launch asks of each argument has a short
 * way for those. */
static inline bool arg_is_bare(const cpl_arg *arg)
{
    return !arg->dims && !arg->stride;
}
/* Dimensions, 1 without a shape; elements along one, and bytes from one to the next. */
static inline uint32_t arg_dims(const cpl_arg *arg)
{
    return arg->dims ? (uint32_t)arg->dims : 1;
}
static inline bool arg_has_elements(const cpl_arg *arg, const cpl_type *elem)
{
    /* pointers, matrices and structs but complex numbers have no dtype */
    return arg->record ? type_is_struct(elem) && arg->record == elem
                       : arg->dtype != CPL_VOID && elem->dtype == arg->dtype;
}
static inline bool dtype_is_known(cpl_dtype d) /* of a number, which is not complex */
{
    return d > CPL_VOID && d <= CPL_FLOAT64;
}
static inline bool dtype_is_complex(cpl_dtype d)
{
    return d == CPL_COMPLEX64 || d == CPL_COMPLEX128;
}
/* Most arrays are right at a glance: bare, aligned, in the lower half of the address space, with
   fewer bytes than that has. */
static inline bool arg_right_at_a_glance(const cpl_arg *arg, size_t size, size_t align)
{
    uint64_t address = (uintptr_t)arg->data, half = UINT64_C(1) << 63;
    return arg_is_bare(arg) && !arg->reserved && (uint64_t)arg->length < half >> 24 &&
           size < 1 << 16 && address - 1 < half && !(address & (align - 1));
}
int64_t arg_extent(const cpl_arg *arg, uint32_t dim);
int64_t arg_stride(const cpl_arg *arg, uint32_t dim);
/* What is wrong with the shape, or NULL. */
const char *arg_bad_shape(const cpl_arg *arg);
/* Without gaps and in order: what has one element along a dimension need not lie so there. */
bool arg_lies_dense(const cpl_arg *arg);
static inline bool arg_is_contiguous(const cpl_arg *arg)
{
    return arg_is_bare(arg) || arg_lies_dense(arg);
}
/* Bytes in front of the first element, and from it to the end of the last one; false when that is
 * more than memory can be. */
bool arg_reach(const cpl_arg *arg, uint64_t *before, uint64_t *behind);
bool arg_fits_memory(const cpl_arg *arg); /* it ends before the address space does */
typedef struct byte_range {               /* of bytes */
    uintptr_t begin, end;
} byte_range;
static inline bool ranges_meet(byte_range a, byte_range b)
{
    return a.begin < b.end && b.begin < a.end;
}
byte_range arg_range(const cpl_arg *arg); /* what a checked array's elements cover */
/* Fewer than 2^31 elements, along each dimension too. */
static inline bool arg_is_small(const cpl_arg *arg)
{
    bool small = arg->length <= INT32_MAX;
    for (int i = 0; i < arg->dims; i++) small &= arg->shape[i] <= INT32_MAX;
    return small;
}
/* Whether two arrays are the same elements in the same order. */
bool arg_lies_alike(const cpl_arg *x, const cpl_arg *y);
/* Whether the elements of one lie in the gaps of the other, as x[0::2] and x[1::2] do. */
bool arg_interleaves(const cpl_arg *a, const cpl_arg *b);

/* perf.c: a function at an address, for perf; context is a cpl_context. Any thread. */
void perf_map_add(void *context, const char *symbol, const void *address, size_t size);

#endif
