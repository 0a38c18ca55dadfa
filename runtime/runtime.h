/*
 * Loading and launching what the compiler makes.
 *
 * kernel.c  compiled functions, one of each kind a module
 * args.c    from a caller's arguments to parameter values
 * launch.c  elementwise launches and plain calls
 * extern.c  external functions of shared libraries
 * cache.c   compiled code on disk
 * perf.c    names of kernels for perf
 * tier.c    quick code first, optimised code later
 * team.c    OpenMP's entries, for generated code (resolve.h)
 * state.c   what the runtime keeps in a context
 */
#ifndef CPL_RUNTIME_H
#define CPL_RUNTIME_H

#include "lib/driver/artifact.h"

/* state.c: what the runtime keeps in a context; NULL when out of memory. Any thread. */
typedef struct disk_cache disk_cache;
typedef struct tiers tiers;
enum { ALONE = 1, ALONE_TOLD = 2 }; /* they run on one thread; that was said */
typedef struct runtime_state {
    disk_cache *cache;
    tiers *tiers;
    struct devices *devices; /* device/device.h */
    struct profile *profile; /* runtime/profile.h */
    atomic_int alone;        /* of loops without an OpenMP runtime */
} runtime_state;
runtime_state *runtime_of(cpl_context *cx);
disk_cache *runtime_disk_cache(cpl_context *cx);

/*
 * tier.c: kernels whose first code was made quickly get their optimised code from a thread of the
 * context's, first come, first served; kernel_optimise does it. Any thread.
 */
tiers *tiers_create(const mem *m);
/* nothing is queued any more; waits for the thread. NULL is allowed */
void tiers_free(tiers *t);
void tier_submit(cpl_kernel *k);
/* returns when its optimised code is in use, or could not be had */
void tier_finish(cpl_kernel *k);
/* before a kernel goes: waits for code of ours alone, not for LLVM */
void tier_forget(cpl_kernel *k);

struct binding;

/* kernel.c */
typedef void (*packed_fn)(const void *const *args, void *result);

struct cpl_kernel {
    cpl_module *module; /* owns it */
    artifact artifact;  /* its object is freed once it is loaded */
    loaded_code code;
    loaded_code quick_code; /* what ran before code was there */
    _Atomic(packed_fn) packed;
    atomic_bool quick; /* packed is quick code, good for artifact.quick_rounds rounds */
    enum { TIER_NONE, TIER_QUEUED, TIER_RUNNING } tier; /* under the lock of tier.c */
    atomic_bool unwanted; /* its optimised code: the kernel is about to go */
    struct cpl_kernel *next_tier;
    /* where it is loaded: device/code.c. Of a device target; its object stays */
    _Atomic(struct dev_code *) device_code;
    /* of a device target, for the profile: the first device that loads it accounts for its
     * compilation */
    uint64_t compile_begin_ns;
    _Atomic(uint64_t) compile_ns; /* 0: somebody did, or the profile was off */
    /* what it was made from, for variants of it */
    char *function;
    cpl_form form;
    const cpl_type **types;
    size_t type_count;
    cpl_bind *binds; /* [bind_count], texts of the module's */
    size_t bind_count;
    int64_t *options; /* [option_count] as in cpl_spec, or NULL */
    size_t option_count;
    char *target; /* NULL: the host */
};

/*
 * As cpl_kernel_create, for a launch of so many rounds: where quick code does for those, the kernel
 * may hold that at first. Whatever else uses a kernel's code calls kernel_settle.
 */
cpl_status kernel_for_launch(cpl_module *module, const char *function, const cpl_spec *spec,
                             int64_t rounds, cpl_kernel **kernel);
/* Compiles a kernel that has quick code with optimisation and puts that to use. False, and all
 * stays as it is, when it cannot be had. */
bool kernel_optimise(cpl_kernel *k);
/* Sees to it that a kernel's code is the optimised one where that can be had. */
static inline void kernel_settle(cpl_kernel *k)
{
    if (atomic_load_explicit(&k->quick, memory_order_acquire)) tier_finish(k);
}

/* launch.c: calls a kernel of the host, with its optimised code if that pays for so many rounds. */
void kernel_run(cpl_kernel *k, const struct binding *b, int64_t rounds, void *result);
/* launch.c: the kernel for a function and arguments on a target (NULL: the host), remembered from
   an earlier launch if there was one. Holds no reference. distinct: it may take arrays to share no
   memory where one is written (devices). */
cpl_status launch_kernel_for(cpl_module *module, const char *function, cpl_form form,
                             const char *target, bool distinct, const cpl_arg *args, size_t count,
                             int64_t rounds, cpl_kernel **kernel);
/* launch.c: calls a function with arguments of the host alone. *ran receives its kernel, without a
   reference; NULL when there is none. */
cpl_status call_host(cpl_module *module, const char *function, const cpl_arg *args, size_t count,
                     void *result, cpl_kernel **ran);
/* n of a launch: as given, or the length of the first array. */
cpl_status launch_count(cpl_context *cx, const cpl_arg *args, size_t count, int64_t *n);
/*
 * device/launch.c: launches whose queue is not NULL or that have cpl_arrays among their arguments.
 */
static inline bool args_have_arrays(const cpl_arg *args, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY && args[i].array) return true;
    return false;
}
cpl_status device_elementwise(cpl_module *module, const char *function, cpl_queue *queue,
                              const cpl_arg *args, size_t count, int64_t n, cpl_event **event);
cpl_status device_elementwise_run(cpl_kernel *kernel, cpl_queue *queue, const cpl_arg *args,
                                  size_t count, int64_t n, cpl_event **event);
/* Runs something on the host with arguments among which are cpl_arrays, given to it as plain ones.
   Where they are not valid there it is refused, or they are moved, as always. */
cpl_status device_on_host(cpl_context *cx, const cpl_arg *args, size_t count,
                          cpl_status (*run)(void *user, const cpl_arg *args), void *user);
/* device/code.c: unloads a kernel from all devices. */
void codes_free(cpl_kernel *k);

#define MOST_OPTIONS 64 /* there are fewer */
typedef struct kernel_option {
    const char *name;
    int64_t value;
} kernel_option;
/* Options as in a cpl_spec: those given (may be NULL) with some changed. Returns how many there are
 * then. */
size_t kernel_options(int64_t out[MOST_OPTIONS], const int64_t *given, size_t given_count,
                      const kernel_option *changes, size_t change_count);
/* The same kernel with some options changed; release it. */
cpl_status kernel_variant(cpl_kernel *k, const kernel_option *changes, size_t count,
                          cpl_kernel **out);

/* cache.c; see include/cpl/cache.h. A key is ARTIFACT_KEY_SIZE bytes. Any thread. */
disk_cache *disk_cache_create(const mem *m);
void disk_cache_free(const mem *m, disk_cache *c);
bool disk_cache_get(cpl_context *cx, disk_cache *c, const uint8_t *key, strbuf *out);
void disk_cache_put(cpl_context *cx, disk_cache *c, const uint8_t *key, const void *payload,
                    size_t size);

/* args.c */
#define MOST_ARGUMENTS  64
#define MOST_PARAMETERS (MOST_ARGUMENTS * 3 + 2) /* hidden ones included */

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
} binding;

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

/* Checks the i-th argument by itself, which is no cpl_array any more: done for every launch, since
   what follows takes lengths, strides and addresses as they are. */
cpl_status arg_check(cpl_context *cx, size_t i, const cpl_arg *arg);
/* Checks their number, and each. */
cpl_status args_check(cpl_context *cx, const cpl_arg *args, size_t count);
/* Checks the arguments and codes them. */
cpl_status args_codes(cpl_module *m, const cpl_arg *args, size_t count, arg_code *codes);
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
/* Checks the arguments, also against the parameters, and fills in a binding for an entry. n is the
   count of an elementwise launch. */
cpl_status args_bind(cpl_context *cx, const artifact *a, const cpl_arg *args, size_t count,
                     int64_t n, binding *b);
/* How arrays share memory where one of them is written (a NULL: as if all were). */
typedef enum args_sharing {
    ARGS_APART, /* not at all */
    ARGS_SAME,  /* some are the same array */
    ARGS_CROSS, /* some overlap, but not as a whole */
} args_sharing;
args_sharing args_share(const artifact *a, const cpl_arg *args, size_t count);

/* launch.c: the kernel itself, or the version of it that is right for these arguments; release it.
 * Versions differ in hidden parameters. */
cpl_status launch_version(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n,
                          args_sharing sharing, cpl_kernel **out);

/* True if n and the elements of each array are fewer than 2^31: what artifact.narrowed asks for. */
bool args_small(const cpl_arg *args, size_t count, int64_t n);

/* perf.c: a function at an address, for perf; context is a cpl_context. Any thread. */
void perf_map_add(void *context, const char *symbol, const void *address, size_t size);

/* launch.c: frees what launches remember of a module. */
void launches_free(cpl_module *module);

#endif
