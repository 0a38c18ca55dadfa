/*
 * Types of values: scalars, pointers, fixed arrays and structs.
 *
 * A cpl_type belongs to a context, is interned there (equal types are the same pointer) and lives
 * as long as the context. The text form is the one of the typed IR: "float64", "float64*", "float64
 * local*", "int32[2][3]", "Pair", "Pair*". As an argument type "float64[]" is a pointer to
 * contiguous elements, "float64[:]" one whose elements lie a run-time stride apart; "float64[,]"
 * and "float64[:,:]" are such arrays of two dimensions, and so on up to eight.
 */
#ifndef CPL_TYPE_H
#define CPL_TYPE_H

#include "cpl/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Element types. The reserved one, CPL_BFLOAT16, is refused by every function. The types of complex
 * numbers, "complex64" and "complex128", are structs of every context, with the fields real and
 * imag. */
typedef enum cpl_dtype {
#define DTYPE(name, number, text, c, bytes, kind, spellings) CPL_##name = number,
#include "cpl/type.def"
#undef DTYPE
    CPL_DTYPE_COUNT
} cpl_dtype;

/* Bytes of one element; 0 for CPL_VOID and unknown numbers. Any thread. */
CPL_API size_t cpl_dtype_size(cpl_dtype dtype);

/* The NumPy name, "float64"; "?" for unknown numbers. Static. Any thread. */
CPL_API const char *cpl_dtype_name(cpl_dtype dtype);

/* The dtype that a name spells: a NumPy name or one of the language ("double", "unsigned int").
 * CPL_DTYPE_COUNT when none. Any thread. */
CPL_API cpl_dtype cpl_dtype_parse(const char *name);

/* One field of a struct. */
typedef struct cpl_field {
    const char *name;
    const cpl_type *type;
    /* bytes from the start; not read by cpl_type_struct, which lays fields out as C does */
    size_t offset;
} cpl_field;

/*
 * The type that text spells (see above); structs must have been declared with cpl_type_struct.
 * Returns CPL_OK, CPL_EARG (text is not a type; *type is NULL) or CPL_ENOMEM. Any thread.
 */
CPL_API cpl_status cpl_type_parse(cpl_context *context, const char *text, const cpl_type **type);

/*
 * Declares a struct with natural C layout. name is an identifier, fields are copied; field types
 * are scalars, fixed arrays and declared structs. Declaring the same fields under the same name
 * again gives the same type. Returns CPL_OK, CPL_EARG, CPL_EEXIST (the name stands for other
 * fields) or CPL_ENOMEM. Any thread.
 */
CPL_API cpl_status cpl_type_struct(cpl_context *context, const char *name, const cpl_field *fields,
                                   size_t count, const cpl_type **type);

/*
 * Declares a struct whose fields lie where the caller says, such as a record of NumPy's or a packed
 * struct of C's; type.h's other rules are those of cpl_type_struct. fields stand in order of their
 * offsets, with bytes between them that no field has, or without; size is that of the whole in
 * bytes, a multiple of align, which is 1, 2, 4, 8 or 16 and what the first byte of each struct is
 * aligned to in memory. A field may lie where it is not aligned to its type: it is read and written
 * as any other, but has no address and takes no atomics. name NULL: a name made from the layout.
 * Where that is as C has it, this is cpl_type_struct.
 *
 *     cpl_field f[] = {{"tag", int8, 0}, {"value", float64, 1}};
 *     cpl_type_struct_at(cx, NULL, f, 2, 9, 1, &type); // np.dtype([("tag", "i1"), ("value",
 * "f8")])
 *
 * Returns CPL_OK, CPL_EARG (with a message: fields that overlap, are not in order, end past size,
 * have one name; an alignment or size that cannot be), CPL_EEXIST (the name stands for another
 * layout) or CPL_ENOMEM. Any thread.
 */
CPL_API cpl_status cpl_type_struct_at(cpl_context *context, const char *name,
                                      const cpl_field *fields, size_t count, size_t size,
                                      size_t align, const cpl_type **type);

/*
 * What a parameter stands for when a function is compiled, in place of an argument.
 *
 *     cpl_bind bind = cpl_bind_expression("a + b");
 *
 * An integer serves as size of matrices, in static_range, and for an `if` that is decided before
 * types are; a type in declare, cast and conversions; a function is called as any helper.
 */
typedef enum cpl_bind_kind {
    CPL_BIND_NONE = 0, /* nothing: it is an argument */
    CPL_BIND_INTEGER = 1,
    CPL_BIND_TYPE = 2,
    CPL_BIND_FUNCTION = 3,   /* text: what the module knows as this, "spring", "forces.spring" */
    CPL_BIND_EXPRESSION = 4, /* text: "a + b", of the arguments a and b; or "lambda x: x*x" */
} cpl_bind_kind;

typedef struct cpl_bind {
    cpl_bind_kind kind;
    int64_t integer;
    const cpl_type *type;
    const char *text;
    uint64_t reserved[2];
} cpl_bind;

static inline cpl_bind cpl_bind_integer(int64_t value)
{
    cpl_bind b = {CPL_BIND_INTEGER, value, NULL, NULL, {0}};
    return b;
}
static inline cpl_bind cpl_bind_type(const cpl_type *type)
{
    cpl_bind b = {CPL_BIND_TYPE, 0, type, NULL, {0}};
    return b;
}
static inline cpl_bind cpl_bind_function(const char *name)
{
    cpl_bind b = {CPL_BIND_FUNCTION, 0, NULL, name, {0}};
    return b;
}
static inline cpl_bind cpl_bind_expression(const char *text)
{
    cpl_bind b = {CPL_BIND_EXPRESSION, 0, NULL, text, {0}};
    return b;
}

/* The text form; lives as long as the type. Any thread. */
CPL_API const char *cpl_type_text(const cpl_type *type);

/* sizeof and the C alignment in bytes; 0 for void. Any thread. */
CPL_API size_t cpl_type_size(const cpl_type *type);
CPL_API size_t cpl_type_align(const cpl_type *type);

/* The dtype of a scalar or complex number; of a pointer or fixed array, that of its innermost
 * element; CPL_VOID for structs. Any thread. */
CPL_API cpl_dtype cpl_type_dtype(const cpl_type *type);

/* Fields of a struct; *count is 0 and the result NULL for any other type. Lives as long as the
 * type. Any thread. */
CPL_API const cpl_field *cpl_type_fields(const cpl_type *type, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
