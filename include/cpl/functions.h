/*
 * Functions of a host program: a module made of single functions, whose texts the host takes from
 * where they stand, with all that their names mean there.
 *
 *     cpl_name names[] = {cpl_name_float("K", 0.5), cpl_name_function("clamp", 1),
 *                         cpl_name_builtin("root", "sqrt"), cpl_name_module("np", "numpy")};
 *     cpl_function_source functions[] = {
 *         {.size = sizeof *functions, .file = "solver.py", .text = step, .text_size = ...,
 *          .first_line = 120, .names = names, .name_count = 4},
 *         {.size = sizeof *functions, .file = "limits.py", .text = clamp, .text_size = ...}};
 *     cpl_module_from_functions(context, functions, 2, &module);
 */
#ifndef CPL_FUNCTIONS_H
#define CPL_FUNCTIONS_H

#include "cpl/base.h"
#include "cpl/module.h"
#include "cpl/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a name stands for. The inline functions below fill a cpl_name in. */
typedef enum cpl_name_kind {
    CPL_NAME_SCALAR = 0, /* a number of exactly dtype: np.float32(3) */
    CPL_NAME_INT = 1,    /* an untyped integer: a literal wherever the name stands */
    CPL_NAME_FLOAT = 2,  /* the same, of a float; inf and nan too */
    CPL_NAME_FUNCTION = 3,
    CPL_NAME_TYPE = 4,
    CPL_NAME_BUILTIN = 5,
    CPL_NAME_EXTERN = 6,
    CPL_NAME_MODULE = 7,
    CPL_NAME_OTHER = 8,   /* what kernels cannot use; without it a built-in name would be meant */
    CPL_NAME_COMPLEX = 9, /* an untyped complex number: a literal wherever the name stands */
} cpl_name_kind;

typedef struct cpl_name {
    /* in the function's text, in any spelling; may have dots, 16 at most: "limits.clamp" */
    const char *name;
    cpl_name_kind kind;
    cpl_dtype dtype; /* CPL_NAME_SCALAR: bool, or a number's */
    union {
        int64_t i;  /* signed integers, bool and CPL_NAME_INT */
        uint64_t u; /* unsigned integers */
        double f;   /* floats, and the real part of a complex number */
    } value;
    bool is_unsigned; /* CPL_NAME_INT: value.u holds a number past INT64_MAX */
    union {
        size_t function; /* CPL_NAME_FUNCTION: its index among the functions of the module */
        double imag;     /* CPL_NAME_COMPLEX */
    };
    const cpl_type *type; /* CPL_NAME_TYPE: of the same context, structs too */
    /* CPL_NAME_BUILTIN: a function, number or type of the language, "sqrt", or of one of its
     * modules, "numpy.arctan2"; CPL_NAME_EXTERN: as cpl_extern_register knows it, before this
     * module is made; CPL_NAME_MODULE: "numpy", "math"; CPL_NAME_OTHER: what it is, "a list", for
     * messages */
    const char *target;
    uint64_t reserved[2];
} cpl_name;

static inline cpl_name cpl_name_int(const char *name, int64_t value)
{
    cpl_name n = {name, CPL_NAME_INT, CPL_VOID, {0}, false, {0}, NULL, NULL, {0}};
    n.value.i = value;
    return n;
}
static inline cpl_name cpl_name_float(const char *name, double value)
{
    cpl_name n = {name, CPL_NAME_FLOAT, CPL_VOID, {0}, false, {0}, NULL, NULL, {0}};
    n.value.f = value;
    return n;
}
static inline cpl_name cpl_name_complex(const char *name, double real, double imag)
{
    cpl_name n = cpl_name_float(name, real);
    n.kind = CPL_NAME_COMPLEX;
    n.imag = imag;
    return n;
}
static inline cpl_name cpl_name_function(const char *name, size_t index)
{
    cpl_name n = {name, CPL_NAME_FUNCTION, CPL_VOID, {0}, false, {index}, NULL, NULL, {0}};
    return n;
}
static inline cpl_name cpl_name_type(const char *name, const cpl_type *type)
{
    cpl_name n = {name, CPL_NAME_TYPE, CPL_VOID, {0}, false, {0}, type, NULL, {0}};
    return n;
}
static inline cpl_name cpl_name_builtin(const char *name, const char *target)
{
    cpl_name n = {name, CPL_NAME_BUILTIN, CPL_VOID, {0}, false, {0}, NULL, target, {0}};
    return n;
}
static inline cpl_name cpl_name_extern(const char *name, const char *target)
{
    cpl_name n = {name, CPL_NAME_EXTERN, CPL_VOID, {0}, false, {0}, NULL, target, {0}};
    return n;
}
static inline cpl_name cpl_name_module(const char *name, const char *target)
{
    cpl_name n = {name, CPL_NAME_MODULE, CPL_VOID, {0}, false, {0}, NULL, target, {0}};
    return n;
}
static inline cpl_name cpl_name_other(const char *name, const char *what)
{
    cpl_name n = {name, CPL_NAME_OTHER, CPL_VOID, {0}, false, {0}, NULL, what, {0}};
    return n;
}

/* How locals that a function does not declare get their types. */
typedef enum cpl_locals {
    CPL_LOCALS_JOIN = 0, /* from all that is assigned to them: as in kernel files */
    /* Compyle's, of functions without types: the first assignment in the text decides. A comparison
     * gives int32, as do loops; float64 where that assignment is augmented or to several names, and
     * of min, max, abs, floor, ceil and integers of the module */
    CPL_LOCALS_FIRST = 1,
    CPL_LOCALS_FLOAT64 = 2, /* Compyle's, of functions with types; loop variables are int64 */
    /* pytocl's: by the name. i, j, k and i_... are int32, b_... bool, all others float32; loop
     * variables int32 */
    CPL_LOCALS_PYTOCL = 3,
} cpl_locals;

/* One function, and what its host knows of it. Zero means default. */
typedef struct cpl_function_source {
    size_t size;      /* sizeof(cpl_function_source) */
    const char *name; /* by which the module knows it, "limits.clamp"; NULL: as its text says */
    const char *file; /* shown in messages */
    /*
     * The function as it stands there, in a class or in another function too: decorators, which are
     * skipped, then `def`, to the end of its body. Need not end in NUL. Defaults are not read: what
     * calls may leave out is among the names, "scale=" for the parameter scale, and a number.
     */
    const char *text;
    size_t text_size;    /* bytes */
    uint32_t first_line; /* of the text in the file, from 1; 0 is 1 */
    uint32_t indent;     /* blanks that the host has taken off the front of each line */
    cpl_locals locals;
    /* [type_count] types of the parameters, in order, in place of annotations, which are not read
     * then; NULL: as annotated. An elementwise function's index is the first. Of *NAME as many as
     * it takes; past the end it takes what calls give, as that is typed. */
    const cpl_type *const *types;
    size_t type_count;
    const cpl_type *result; /* the same of what it returns; void: nothing */
    /* [name_count] what its names stand for; others mean something only if they are built in, or
     * registered C functions */
    const cpl_name *names;
    size_t name_count;
} cpl_function_source;

/*
 * Makes a module of functions of a host program. Nothing is read but their texts: no imports, and
 * no names of the files around. All is copied. Its functions are called by their names, of which
 * each is there once; 4096 at most, and 64 MiB of text (CPL_ELIMIT). Returns CPL_OK, CPL_ENOMEM;
 * CPL_EARG when count is 0, sizes differ, something is missing or a value is out of range;
 * CPL_ESYNTAX (a text is not one function), CPL_ENOTFOUND (a target), CPL_EEXIST (a name twice) or
 * CPL_ELIMIT, with diagnostics. Any thread.
 */
CPL_API cpl_status cpl_module_from_functions(cpl_context *context,
                                             const cpl_function_source *functions, size_t count,
                                             cpl_module **module);

/* Names that mean something without a definition, functions, numbers and types: NULL past the end.
 * Static. Any thread. */
CPL_API const char *cpl_builtin_name(size_t index);

/* Writes the name that a kernel has for an identifier: Unicode's normal form NFKC, as in Python, so
 * that different spellings of one name are equal. name: UTF-8, size bytes; bytes that are none stay
 * as they are. Writes room bytes at most, a NUL behind the last; out may be NULL if room is 0.
 * Returns how many bytes the whole name has, without the NUL. Any thread. */
CPL_API size_t cpl_name_normal(const char *name, size_t size, char *out, size_t room);

#ifdef __cplusplus
}
#endif
#endif
