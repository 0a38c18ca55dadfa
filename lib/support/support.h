/*
 * Containers, memory, text and diagnostics for all folders; knows nothing of kernels.
 *
 * Two lifetimes exist. Compilation: everything comes from the compilation's arena and is freed
 * whole; arena functions do not return NULL, they longjmp to the arena's on_oom. Runtime objects:
 * mem_realloc with every result checked.
 */
#ifndef CPL_SUPPORT_H
#define CPL_SUPPORT_H

#include "cpl/context.h"
#include "cpl/functions.h"
#include "cpl/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define COUNT_OF(array)        (sizeof(array) / sizeof((array)[0]))

/* mem.c: all bytes come from the context's one realloc-like function. */
typedef struct mem {
    cpl_alloc_fn fn;
    void *user;
} mem;

extern const mem mem_libc; /* realloc and free */
/* NULL on failure; new_size 0 frees */
void *mem_realloc(const mem *m, void *block, size_t old_size, size_t new_size);
void *mem_zalloc(const mem *m, size_t size);
void mem_free(const mem *m, void *block, size_t size);
char *mem_strdup(const mem *m, const char *text);
void mem_strfree(const mem *m, const char *text); /* of mem_strdup; NULL is allowed */

/* arena.c */
typedef struct arena_chunk arena_chunk;
typedef struct arena {
    const mem *mem;
    /* where a failed allocation jumps to, with value 1; must be set before the first allocation */
    jmp_buf *on_oom;
    arena_chunk *head; /* newest chunk */
    char *at, *end;    /* free part of head */
} arena;

void arena_init(arena *a, const mem *m, jmp_buf *on_oom);
void arena_free(arena *a);
void *arena_alloc(arena *a, size_t size); /* zeroed, aligned to 16 bytes, never NULL */
/* checks count * size; count 0 is allowed */
void *arena_array(arena *a, size_t count, size_t size);
char *arena_strndup(arena *a, const char *text, size_t length);
char *arena_strdup(arena *a, const char *text);
char *arena_printf(arena *a, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(arena *a, const char *format, va_list args);
#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))

/* vec.c: a growable array in an arena. VEC(int) v = {0}; vec_push(a, &v, 7); v.at[0]; v.n */
#define VEC(type)                                                                                  \
    struct {                                                                                       \
        type *at;                                                                                  \
        uint32_t n, capacity;                                                                      \
    }
#define vec_push(a, v, item)                                                                       \
    ((v)->n == (v)->capacity                                                                       \
         ? (void)((v)->at = vec_grow((a), (v)->at, (v)->n, &(v)->capacity, sizeof *(v)->at))       \
         : (void)0,                                                                                \
     (v)->at[(v)->n++] = (item))
void *vec_grow(arena *a, void *at, uint32_t n, uint32_t *capacity, size_t item_size);

/* map.c: string to pointer, in an arena; keys are not copied. A zeroed map is empty. Iteration in
 * order of insertion. */
typedef struct map_entry {
    const char *key;
    void *value;
} map_entry;
typedef struct map {
    map_entry *entries; /* [n], in order of insertion */
    uint32_t *slots;    /* [slot_count], index + 1 into entries, 0 = free */
    uint32_t n, capacity, slot_count;
} map;

void *map_get(const map *m, const char *key);                 /* NULL when absent */
void map_put(arena *a, map *m, const char *key, void *value); /* replaces */

/* half.c: float16 in software, for every host compiler. */
double half_round(double value);  /* the nearest float16, ties to even, as a double */
uint16_t half_bits(double value); /* its bits */
double half_value(uint16_t bits);

/* hash.c */
uint64_t hash_bytes(const void *bytes, size_t size, uint64_t seed);

/* strbuf.c: text under construction, in memory of `mem`; a failed allocation sets `failed` and
 * later writes do nothing. */
typedef struct strbuf {
    const mem *mem;
    char *at; /* NUL-terminated once anything was written */
    size_t n, capacity;
    bool failed;
} strbuf;

void sb_init(strbuf *sb, const mem *m);
void sb_free(strbuf *sb);
void sb_put(strbuf *sb, const char *text);
void sb_putn(strbuf *sb, const char *text, size_t length);
void sb_putc(strbuf *sb, char c);
void sb_printf(strbuf *sb, const char *format, ...) PRINTF_LIKE(2, 3);
void sb_vprintf(strbuf *sb, const char *format, va_list args);
/* a short decimal that reads back alike; nan, inf, -inf */
void sb_float(strbuf *sb, double value, cpl_dtype dtype);

/* cpu.c: bytes of the last caches of all CPUs together; 0: not known. Reads files. */
uint64_t cpu_cache_bytes(void);

/* file.c */
/* NUL appended; free size + 1 bytes. CPL_EIO, with errno; CPL_ELIMIT: more than limit bytes, of
 * which no more are read. */
cpl_status file_read(const mem *m, const char *path, size_t limit, char **text, size_t *size);

/* A file that appears under its path when it is complete, if that is a regular file or none. */
typedef struct file_out file_out;
file_out *file_create(const mem *m, const char *path); /* NULL with errno */
FILE *file_stream(const file_out *out);
/* Frees out. 0 or the errno of what went wrong; then, and if it is not wanted, the path is as it
 * was. */
int file_finish(const mem *m, file_out *out, bool wanted);

/* suggest.c: the known name nearest to a misspelt one, or NULL when none is near
 * (Damerau-Levenshtein distance). */
typedef struct suggester {
    const char *wanted;
    const char *best;
    uint32_t best_distance;
} suggester;
void suggest_init(suggester *s, const char *wanted);
void suggest_offer(suggester *s, const char *candidate);
const char *suggest_best(const suggester *s);

/* source.c: texts that spans point into. */
typedef struct cpl_span { /* a piece of a source, in bytes; a zeroed span is "no place" */
    uint32_t file;        /* source id, from 1 */
    uint32_t begin, end;
} cpl_span;

static inline cpl_span span_join(cpl_span a, cpl_span b)
{
    return (cpl_span){a.file, a.begin, b.end > a.end ? b.end : a.end};
}

typedef struct source {
    uint32_t id;
    const char *name; /* as shown in messages */
    const char *text; /* NUL-terminated; may hold NULs */
    size_t size;
    uint32_t lines_before; /* of the file that the text is a piece of */
} source;

typedef struct source_place {
    uint32_t line, column; /* from 1 */
    const char *text;      /* the line */
    uint32_t text_length;
} source_place;
source_place source_locate(const source *s, uint32_t offset);

/* diag.c: the diagnostics of one call, collected in an arena. */
typedef struct diag diag;
struct diag {
    cpl_severity severity;
    cpl_status status;
    cpl_span span;
    const char *message;
    const char *hint;
    diag *notes; /* singly linked */
    diag *next;
    bool once; /* what else is said once of its place repeats it, in whatever words */
};

typedef struct diag_list {
    arena *arena;
    diag *first, *last;
    uint32_t errors;   /* errors so far */
    cpl_status status; /* of the first error; CPL_OK when there is none */
} diag_list;

#define DIAG_MAX_ERRORS 100 /* errors past this many are counted but not kept */

/* Each returns the diagnostic, to which diag_hint and diag_note may add; format without full
 * stop. */
diag *diag_error(diag_list *l, cpl_status status, cpl_span span, const char *format, ...)
    PRINTF_LIKE(4, 5);
diag *diag_warning(diag_list *l, cpl_span span, const char *format, ...) PRINTF_LIKE(3, 4);
/* severity note */
diag *diag_remark(diag_list *l, cpl_span span, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_hint(diag_list *l, diag *d, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_note(diag_list *l, diag *d, cpl_span span, const char *format, ...) PRINTF_LIKE(4, 5);

/* Finds the source of an id; NULL when it is gone. */
typedef const source *(*source_finder)(void *user, uint32_t id);
/* Where diagnostics go; fn NULL: nowhere. */
typedef struct diag_sink {
    cpl_diag_sink fn;
    void *user;
} diag_sink;
/* Whether d says what e does, of the same place. */
bool diag_repeats(const diag *d, const diag *e);
/* Hands every diagnostic to the sink, in order, each one once. */
void diag_deliver(const diag_list *l, source_finder find, void *find_user, diag_sink to);

/* diag_log.c: diagnostics that somebody else is told again. */
typedef struct diag_log {
    const mem *mem;
    struct diag_copy **copies;
    size_t count, room;
    bool lost; /* there was no memory for some: the last one tells */
} diag_log;
void diag_log_init(diag_log *l, const mem *m);
void diag_log_free(diag_log *l); /* it is empty then */
void diag_log_add(diag_log *l, const cpl_diag *d);
size_t diag_log_count(const diag_log *l);
const cpl_diag *diag_log_at(const diag_log *l, size_t i); /* i below the count */

/* diag_thread.c: what the calling thread is told. */
/* Tells all that a log has, as one report. */
void diag_log_replay(const diag_log *l, diag_sink to);
void diag_list_replay(const cpl_diag_list *l, diag_sink to);
/* What comes from here on is one report, whose first error is the thread's last one. */
void thread_report_begins(void);
/* Tells it: goes to the thread's list if it has one, otherwise to the sink. */
void thread_tell(const cpl_diag *d, diag_sink otherwise);
/* An error that is no context's, or is found before there is one; returns status. */
cpl_status thread_report(cpl_status status, const char *format, ...) PRINTF_LIKE(2, 3);
/* What a public function says when it is given NULL where that may not be, of the first of its
 * pointers that is: CPL_EARG. names: theirs, "module spec out". CPL_OK: none is. */
cpl_status thread_missing(const char *names, const void *const *pointers, size_t count);
#define MISSING(names, ...)                                                                        \
    thread_missing(names, (const void *const[]){__VA_ARGS__},                                      \
                   sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))
/* Among those: args, which may be NULL where there are none. */
#define UNLESS_NONE(args, count) ((count) ? (const void *)(args) : "")
#define NOT_NULL(function)       ((function) ? "" : NULL)

/*
 * grow.c: structs that begin with their size. Members are added behind the others, never into
 * padding; an older caller's struct ends before them, a newer one's goes on behind ours.
 */
/* Reads a caller's struct to ours, of so many bytes, which holds the defaults and keeps its size.
 * CPL_EARG, reported, when its size is none, or what we do not know is not zero. */
cpl_status struct_read(void *to, size_t ours, const void *given, const char *name);
/* The same of item i of an array, whose items have the size of the first. */
cpl_status struct_read_item(void *to, size_t ours, const void *items, size_t i, const char *name);
/* Fills in the caller's struct, which keeps its size; what we do not know is zero. */
cpl_status struct_write(void *given, const void *from, size_t ours, const char *name);
#define READ_STRUCT(to, given, type)    struct_read(to, sizeof(type), given, #type)
#define READ_ITEM(to, items, i, type)   struct_read_item(to, sizeof(type), items, i, #type)
#define WRITE_STRUCT(given, from, type) struct_write(given, from, sizeof(type), #type)

/* types.c: the internals of cpl_type, and the interning table that a context owns. */
typedef enum type_kind { TYPE_SCALAR, TYPE_POINTER, TYPE_ARRAY, TYPE_STRUCT } type_kind;
typedef enum type_space {
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_LOCAL,
    SPACE_PRIVATE,
    SPACE_CONSTANT
} type_space;

typedef struct type_table type_table;

struct cpl_type {
    const type_table *table; /* whose it is */
    type_kind kind;
    cpl_dtype dtype;  /* TYPE_SCALAR; of a struct that is a complex number, that */
    type_space space; /* TYPE_POINTER */
    /* TYPE_POINTER, arguments only: elements lie a run-time stride apart; never in the IR */
    bool strided;
    /* TYPE_POINTER, arguments only: dimensions of an array of several; 0: of one. Never in the IR
     */
    uint8_t dims;
    const cpl_type *elem; /* TYPE_POINTER, TYPE_ARRAY */
    uint64_t count;       /* TYPE_ARRAY: elements */
    const char *name;     /* TYPE_STRUCT */
    cpl_field *fields;    /* TYPE_STRUCT; in order of their offsets */
    uint32_t field_count;
    bool placed;        /* TYPE_STRUCT: its offsets were given, and are not those of C */
    bool packed;        /* TYPE_STRUCT: it is placed, or one that it holds is */
    size_t size, align; /* bytes */
    const char *text;   /* canonical spelling; pointers without a space are generic */
};

type_table *type_table_create(const mem *m); /* NULL when out of memory */
void type_table_free(type_table *t);
/* These take the table's lock, and return NULL when out of memory (or, type_parse, when text is no
 * type). */
const cpl_type *type_scalar(type_table *t, cpl_dtype dtype);
const cpl_type *type_pointer(type_table *t, const cpl_type *elem, type_space space);
const cpl_type *type_strided(type_table *t, const cpl_type *elem);
/* An array of dims dimensions, TYPE_MOST_DIMS at most, of which 1 is a pointer or a strided one. */
enum { TYPE_MOST_DIMS = 8 };
const cpl_type *type_shaped(type_table *t, const cpl_type *elem, uint32_t dims, bool strided);
const cpl_type *type_array(type_table *t, const cpl_type *elem, uint64_t count);
const cpl_type *type_struct(type_table *t, const char *name); /* a declared one, or NULL */
cpl_status type_declare_struct(type_table *t, const char *name, const cpl_field *fields,
                               size_t count, const cpl_type **type);
/* The same with the fields where they say; size and align as cpl_type_struct_at wants them. *why,
 * when it is not OK: what is wrong, in the buffer of TYPE_REASON bytes. */
enum { TYPE_REASON = 200 };
typedef struct type_layout {
    size_t size, align;
    char why[TYPE_REASON];
} type_layout;
cpl_status type_declare_struct_at(type_table *t, const char *name, const cpl_field *fields,
                                  size_t count, type_layout *layout, const cpl_type **type);
/* Bytes without a field in front of a field; of index field_count: behind the last. */
size_t type_padding(const cpl_type *record, uint32_t field);
/* A name that no field has, for the padding in front of a field. */
const char *type_padding_name(arena *a, const cpl_type *record, uint32_t field);
const cpl_type *type_parse(type_table *t, const char *text, size_t length);
/* The same; CPL_EARG or CPL_ENOMEM tell why *type is NULL. */
cpl_status type_read(type_table *t, const char *text, size_t length, const cpl_type **type);

static inline bool type_is(const cpl_type *t, cpl_dtype d)
{
    return t->kind == TYPE_SCALAR && t->dtype == d;
}
static inline bool type_is_void(const cpl_type *t)
{
    return type_is(t, CPL_VOID);
}
static inline bool type_is_bool(const cpl_type *t)
{
    return type_is(t, CPL_BOOL);
}
bool type_is_int(const cpl_type *t);      /* int8 to uint64, not bool */
bool type_is_signed(const cpl_type *t);   /* int8 to int64 */
bool type_is_unsigned(const cpl_type *t); /* uint8 to uint64 */
bool type_is_float(const cpl_type *t);
bool type_is_scalar(const cpl_type *t); /* bool, integer or float, not void */
/* Short vectors, "float4": structs of 2, 3, 4, 8 or 16 numbers of one type, whose fields are called
 * x y z w, or s0 to sf where there are more than four. 0 of all other types. */
uint32_t type_lanes(const cpl_type *t);
/* The vector type that a name spells, or of so many lanes; NULL: none, or no memory. */
const cpl_type *type_vector(type_table *t, const char *name);
const cpl_type *type_vector_of(type_table *t, const cpl_type *lane, uint32_t lanes);
/* Of a pointer: strides or a shape stand beside it, so that it is no pointer of C's. */
static inline bool type_has_layout(const cpl_type *t)
{
    return t->strided || t->dims;
}
static inline bool type_is_pointer(const cpl_type *t)
{
    return t->kind == TYPE_POINTER;
}
static inline bool type_is_array(const cpl_type *t)
{
    return t->kind == TYPE_ARRAY;
}
/* Of arrays in arrays: the elements that are none, and how many; of others the type itself, and 1.
 */
const cpl_type *type_innermost(const cpl_type *t);
uint64_t type_scalars(const cpl_type *t);
bool type_is_numbers(const cpl_type *t); /* a number, or a struct of such */
static inline bool type_is_struct(const cpl_type *t)
{
    return t->kind == TYPE_STRUCT;
}
static inline bool type_is_complex(const cpl_type *t) /* complex64 and complex128 */
{
    return t->kind == TYPE_STRUCT && t->dtype != CPL_VOID;
}
uint32_t type_bits(const cpl_type *t); /* of a scalar; bool counts 1 */

/* compilation.c: what one compilation carries through all stages. */
typedef struct compilation {
    const mem *mem;
    arena arena;     /* freed whole at the end */
    jmp_buf *on_oom; /* = arena.on_oom */
    diag_list diags;
    type_table *types;         /* the context's */
    source_finder find_source; /* of the spans; may be NULL */
    void *find_source_user;
    uint32_t max_nesting; /* limits; 0 means the defaults below */
    uint32_t max_ops;
    uint32_t max_loops;
} compilation;

/* of a grid: work-items of a group, and groups that can share a multiprocessor */
#define MOST_GROUP  1024
#define MOST_GROUPS 32

#define LIMIT_NESTING 200   /* brackets, operators and blocks inside each other, in the source */
#define LIMIT_OPS     20000 /* IR nodes of a kernel */
#define LIMIT_LOOPS   64    /* loops inside each other, also after inlining */

/* Types for use inside a compilation: they jump to on_oom instead of returning NULL. */
const cpl_type *comp_scalar(compilation *c, cpl_dtype dtype);
const cpl_type *comp_pointer(compilation *c, const cpl_type *elem, type_space space);
const cpl_type *comp_shaped(compilation *c, const cpl_type *elem, uint32_t dims, bool strided);
const cpl_type *comp_array(compilation *c, const cpl_type *elem, uint64_t count);
const cpl_type *comp_parse_type(compilation *c, const char *text); /* NULL: text is no type */

#endif
