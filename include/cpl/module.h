/*
 * A module: one kernel file (restricted Python) or one file of typed IR, ready to be specialised.
 *
 *     cpl_module *m;
 *     cpl_module_from_file(cx, "axpb.py", &m); // whole file is tokenised, nothing is typed yet
 *     cpl_spec spec; cpl_spec_init(&spec); ...
 *     cpl_module_emit(m, "axpb", &spec, CPL_STAGE_IR, NULL, &text);
 */
#ifndef CPL_MODULE_H
#define CPL_MODULE_H

#include "cpl/base.h"
#include "cpl/context.h"
#include "cpl/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Makes a module from a text of size bytes (need not end in NUL); name is shown in messages, both
 * are copied. from_ir takes typed IR, from_file decides by the suffix (.cir is IR, anything else a
 * kernel file). No more than 64 MiB (CPL_ELIMIT), and from_file reads no further. from_file also
 * reads what the file imports by plain names, `import NAME`, from NAME.py in the file's folder, and
 * what that imports; what is wrong with those is said when a kernel uses a name of them. The others
 * read nothing. Return CPL_OK, CPL_ENOMEM, CPL_EARG, CPL_EIO, CPL_ESYNTAX, CPL_ELIMIT or CPL_EIR.
 * Any thread.
 */
CPL_API cpl_status cpl_module_from_source(cpl_context *context, const char *name, const char *text,
                                          size_t size, cpl_module **module);
CPL_API cpl_status cpl_module_from_ir(cpl_context *context, const char *name, const char *text,
                                      size_t size, cpl_module **module);
CPL_API cpl_status cpl_module_from_file(cpl_context *context, const char *path,
                                        cpl_module **module);

/* One text of a module made of several. */
typedef struct cpl_source {
    size_t size;      /* sizeof(cpl_source) */
    const char *name; /* "forces.py": shown in messages; imports leave folder and .py out */
    const char *text; /* need not end in NUL */
    size_t text_size; /* bytes */
} cpl_source;

/*
 * Makes a module of kernel files from texts, with no file system: its functions are those of the
 * first; the others are what imports find, `from forces import spring` the one called "forces.py".
 * All is copied. 256 texts at most, each as above. What is wrong with another text than the first
 * is said when a kernel uses a name of it. Returns what cpl_module_from_source does; CPL_EARG also
 * when count is 0 or sizes differ, and CPL_EEXIST when two names are the same to imports. Any
 * thread.
 */
CPL_API cpl_status cpl_module_from_sources(cpl_context *context, const cpl_source *sources,
                                           size_t count, cpl_module **module);
CPL_API void cpl_module_retain(cpl_module *module);
/* Frees the module and its kernels with the last reference, which kernels hold too; NULL is
   allowed. Never waits for LLVM: optimised code that is being made in the background is thrown
   away, what is queued is dropped. On CUDA waits until the devices that hold its kernels are idle.
   Any thread. */
CPL_API void cpl_module_release(cpl_module *module);

/* True for a module of typed IR, whose functions carry their types: a cpl_spec's types are then
 * ignored. Any thread. */
CPL_API bool cpl_module_is_ir(const cpl_module *module);

/* Names of the functions, in order of the file; NULL past the end. Lives as long as the module. Any
 * thread. */
CPL_API const char *cpl_module_function(const cpl_module *module, size_t index);
/* The function that a NULL name stands for: the only one, or the only entry of typed IR; NULL when
 * there is none such. Any thread. */
CPL_API const char *cpl_module_default_function(const cpl_module *module);
/* Names of a function's parameters, in order; of typed IR those that callers give, and the count of
 * an elementwise entry. NULL past the end or when there is no such function. Any thread. */
CPL_API const char *cpl_module_parameter(const cpl_module *module, const char *function,
                                         size_t index);
/* The default of such a parameter where it is a number, True or False, as text: "3", "-2.5",
 * "True". NULL where it is anything else, which is not read, or there is none. A launch gives all
 * arguments: this is what it may give for one that its user leaves out. Any thread. */
CPL_API const char *cpl_module_parameter_default(const cpl_module *module, const char *function,
                                                 size_t index);
/*
 * Whether a function's last parameter is *NAME, which takes any number of further arguments, none
 * too. Types, binds and arguments for those stand behind those of the other parameters; compiled
 * for them it has parameters NAME0, NAME1 and so on. False when there is no such function. Any
 * thread.
 */
CPL_API bool cpl_module_variadic(const cpl_module *module, const char *function);

/* How a function is used. */
typedef enum cpl_form {
    CPL_FORM_FUNCTION = 0, /* R f(T *x, ...): called as it is written */
    /* void f(int64_t n, T *x, ...): run for each index in [0, n), in parallel; one whose parameters
     * begin with i, j (and k), for which no arguments are given, for each element of the first
     * array's shape instead, which n is the number of */
    CPL_FORM_ELEMENTWISE = 1,
    /* a low-level kernel: run by each work-item of a grid; see cpl_launch */
    CPL_FORM_KERNEL = 2,
} cpl_form;

/*
 * What is known of the arguments of each launch of a kernel, as bits. Code may rely on it: a launch
 * looks at its arguments, and runs another version of the kernel where they are not such; who calls
 * the compiled function himself has to see to it. That an array's elements lie side by side is part
 * of its type; every array is aligned to its elements, and code gains nothing from more.
 */
typedef enum cpl_fact {
    CPL_FACT_SMALL = 1, /* the rounds, and the elements of each array, are fewer than 2^31 */
    CPL_FACT_APART = 2, /* arrays share no memory where one of them is written */
    /* an array that is written and not read has more bytes than the host's caches: what is written
     * need not come to them */
    CPL_FACT_LARGE = 4,
    /* arrays overlap, but not as a whole, and one is written: rounds run in order, on one thread */
    CPL_FACT_IN_ORDER = 8,
} cpl_fact;

/* Everything that picks one compiled form of a function: the whole key of the kernel cache. Zero
 * means default. */
typedef struct cpl_spec {
    size_t size; /* sizeof(cpl_spec) */
    cpl_form form;
    /* types of the parameters, in order; for elementwise without the index. NULL entry: from
     * annotations. At the end as many as *NAME is to take */
    const cpl_type *const *types;
    size_t type_count;
    /* [bind_count] what parameters stand for, in the same order; see cpl_bind. Those are no
     * parameters of the kernel, which is called without them: one that stands for something has no
     * type. Copied. None of typed IR (CPL_EARG). */
    const cpl_bind *binds;
    size_t bind_count;
    /* [option_count] overrides, in the order of config.def; INT64_MIN leaves the context's value */
    const int64_t *options;
    size_t option_count;
    const char *target; /* NULL or "host", "cuda:sm_90", "opencl:spv1.2", "opencl:c1.2" */
    /* comma-separated IR passes in place of the default pipeline, or NULL */
    const char *passes;
    uint32_t facts; /* cpl_fact */
} cpl_spec;

/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_spec_init(cpl_spec *spec);

/* The stages whose text or bytes can be asked for: CPL_STAGE_TOKENS, CPL_STAGE_AST and so on;
 * cpl/stage.def says what each is, and which targets have it. */
typedef enum cpl_stage {
#define STAGE(name, number, text, where, target, ending, form) CPL_STAGE_##name = number,
#include "cpl/stage.def"
#undef STAGE
} cpl_stage;

/* Bytes that a call returns; NUL-terminated behind size. Release with cpl_blob_free. */
typedef struct cpl_blob {
    char *data;
    size_t size;
    cpl_context *context; /* whose allocator made it */
} cpl_blob;

/* Frees its bytes; NULL is allowed, and one that is empty. Any thread. */
CPL_API void cpl_blob_free(cpl_blob *blob);

typedef struct cpl_emit_options {
    size_t size; /* sizeof(cpl_emit_options) */
    /* IR passes to show the IR after, comma-separated, or "all"; NULL: none */
    const char *print_after;
    bool time_passes; /* append a table of the time each IR pass took to `log` */
    cpl_blob *log;    /* receives what print_after and time_passes write; may be NULL */
} cpl_emit_options;

/* Sets the defaults; NULL is allowed. Any thread. */
CPL_API void cpl_emit_options_init(cpl_emit_options *options);

/*
 * Runs the pipeline up to a stage and returns its text. function may be NULL when the module has
 * one function, and for CPL_STAGE_TOKENS and CPL_STAGE_AST, which then show the whole file. spec
 * may be NULL before CPL_STAGE_TYPES. Without passes in spec, CPL_STAGE_IR shows the IR as lowered
 * and the stages behind it run the default passes. Returns what cpl_kernel_for does; CPL_EARG
 * also for a stage that needs a spec without one, CPL_EUNSUPPORTED for one that the target does not
 * have, CPL_ENODEVICE where nothing makes a cubin. Any thread.
 */
CPL_API cpl_status cpl_module_emit(cpl_module *module, const char *function, const cpl_spec *spec,
                                   cpl_stage stage, const cpl_emit_options *options, cpl_blob *out);

/* What a variable is to its function. Numbers are frozen once released. */
typedef enum cpl_variable_kind {
    CPL_VARIABLE_PARAMETER = 0, /* an elementwise function's index too */
    CPL_VARIABLE_LOCAL = 1,
    CPL_VARIABLE_SHARED = 2, /* in local memory, of all work-items of a group */
    CPL_VARIABLE_BOUND = 3,  /* a parameter that stands for a function, type or number */
} cpl_variable_kind;

typedef struct cpl_variable {
    const char *name;
    cpl_variable_kind kind;
    uint32_t line;        /* of its first assignment or its declaration, from 1 */
    const cpl_type *type; /* NULL where it is bound */
    const char *text;     /* as CPL_STAGE_TYPES has it: "float64[]", or what it stands for */
    uint64_t reserved[2]; /* 0 */
} cpl_variable;

/* One specialisation of a function. */
typedef struct cpl_function_types {
    size_t size;        /* sizeof(cpl_function_types) of the library that made it */
    const char *name;   /* as the file has it */
    const char *symbol; /* "helper", and "helper.1" of another specialisation */
    const char *file;
    uint32_t line;          /* of its `def`, from 1 */
    const cpl_type *result; /* void: it returns nothing */
    /* [variable_count] parameters in order, then what is bound, then locals */
    const cpl_variable *variables;
    size_t variable_count;
    const char *const *calls; /* [call_count] symbols of those it calls, each once */
    size_t call_count;
    uint64_t nodes; /* of its syntax tree, with each round of a static_range: how large it is */
} cpl_function_types;

/*
 * Visits the types that inference finds for a function and for all that it calls, for the types
 * and what is bound in spec; nothing is compiled. Each specialisation is visited once, after those
 * that it calls (but for recursion), the function itself last. All but types lives as long as the
 * call of visit, which may use the module. Types that an argument leaves open are shown as they
 * are taken: a literal's default. Returns CPL_OK or why it could not, with diagnostics, and then
 * visits nothing: as cpl_kernel_for; CPL_EARG for typed IR, which carries its types. Any thread.
 */
CPL_API cpl_status cpl_module_types_each(cpl_module *module, const char *function,
                                         const cpl_spec *spec,
                                         void (*visit)(void *user, const cpl_function_types *found),
                                         void *user);

/* The IR passes there are, in the order of pass.def: NULL past the end. doc may be NULL. Static.
 * Any thread. */
CPL_API const char *cpl_pass_name(size_t index, const char **doc, bool *default_on);

#ifdef __cplusplus
}
#endif
#endif
