/*
 * The differential test: random kernels that are well defined by construction, each run in several
 * ways that must agree.
 *
 * rng.h      random numbers, the same everywhere    type.c    element types and the table of ops
 * prog.c     the tree of a program                  gen*.c    random programs
 * print_ir.c, print_py.c  a program as typed IR and as restricted Python
 * data.c     argument values and their comparison   ways.c    ways to run a program
 * cover.c    which ops were generated               reduce.c  small programs from large ones
 * file.c     programs kept in files                 device.c  programs on devices
 * fuzz.c     the command
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "cpl/cpl.h"
#include "rng.h"

#include <stdio.h>

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

/* Element types, in the order of cpl_dtype. */
typedef enum ty {
    T_VOID,
    T_BOOL,
    T_I8,
    T_I16,
    T_I32,
    T_I64,
    T_U8,
    T_U16,
    T_U32,
    T_U64,
    T_F16,
    T_F32,
    T_F64,
    T_COUNT
} ty;

typedef enum op {
#define OP(id, text, class, operands, result, attr, flags, kind, effects, cost, doc, example)      \
    OP_##id,
#include "lib/ir/op.def"
#undef OP
    OP_COUNT
} op;

typedef struct op_row {
    const char *id, *text, *class_, *operands, *example;
} op_row;

/* type.c */
extern const op_row op_rows[OP_COUNT];
const char *ty_name(ty t);
unsigned ty_size(ty t);
unsigned ty_bits(ty t);
bool ty_is_int(ty t);
bool ty_is_signed(ty t); /* signed integer */
bool ty_is_float(ty t);
bool op_admits(op o, ty operand);        /* a value op, by the letter of its first value operand */
bool op_is_math(op o);                   /* a function of libm, not exactly rounded */
bool op_is_reduction(op o);              /* may stand in reduce(...) */
uint64_t wrap_bits(ty t, uint64_t bits); /* extended from the width of an integer type */
double round_float(ty t, double value);

typedef enum kind {
    /* expressions: type is that of the value */
    E_CONST, /* bits, or number for floats */
    E_VAR,   /* a: variable */
    E_OP,    /* op */
    E_CONVERT,
    E_BITS,
    E_RAWCONVERT, /* kid: int8 or uint8; number: what it is multiplied by; a: the float type */
    E_COND,
    E_LOAD, /* kid: a place */
    /* places: type is that of what lies there */
    P_ELEM, /* a: array; mode; kid: index, for INDEX_MASK; b: slot, for INDEX_OWN */
    /* the same of an array of structs; c: field; kids: index of the array, then of the field */
    P_SELEM,
    P_ITEM,  /* a: matrix variable; a kid a dimension */
    P_FIELD, /* a: struct variable; c: field; kid: index, for an array */
    P_VAR,   /* a: variable, through its address */
    P_PTR,   /* a: pointer variable; kid: index */
    /* statements */
    S_BLOCK,
    S_ASSIGN, /* a: variable; kid */
    /* kids: place, value; c >= 0: an own slot, by round c alone, at an index that is the same for
       all */
    S_STORE,
    S_IF,    /* kids: condition, block, perhaps another block */
    S_FOR,   /* a: variable; bits: step; kids: start, stop, block */
    S_WHILE, /* a: counter; bits: most rounds; kids: condition, block */
    /* a: variable; bits: step as own_step; mode, b: schedule and chunk; c: threads; kids: block */
    S_PAR,
    S_BREAK,
    S_CONTINUE,
    S_RETURN, /* perhaps a kid */
    S_CALL,   /* c: helper; a: variable for the result, -1: none; kids: arguments */
    /* an argument of S_CALL: a: array of the kernel (mode 0), matrix or pointer variable (mode 1,
       2) */
    S_POINTER,
    /* op; a: variable for the value before, -1: none; mode: order and scope; kids: place,
     * operands */
    S_ATOMIC,
    S_CLEAR, /* a: matrix or struct variable */
    S_COPY,  /* structs: a = b */
    /* a struct array's own element; kid: the place, c unused; a: struct variable; mode: 0 store, 1
       load */
    S_COPYOUT,
    S_FENCE,  /* mode */
    S_ASSUME, /* kid: an integer */
    S_SETPTR, /* a: pointer variable; kid: index */
    S_REDUCE, /* a: variable; op; kid */
} kind;

enum { INDEX_MASK, INDEX_OWN };

typedef struct node {
    uint8_t kind, type, mode, style; /* style: random bits for choices of the printers */
    uint16_t op;
    int16_t a, b, c;
    uint16_t kids;
    struct node **kid;
    union {
        int64_t bits;
        double number;
    };
} node;

typedef enum var_kind { V_SCALAR, V_MATRIX, V_STRUCT, V_POINTER } var_kind;

typedef struct var {
    uint8_t kind, type;
    bool param;   /* its function's; they come first */
    bool round;   /* of the kernel: belongs to a round of the parallel loop in `loop` */
    bool fixed;   /* statements do not assign it: parameters that count, loop counters */
    bool closed;  /* of one loop, which is over: nothing reads it behind */
    bool reduced; /* touched by the reduction of loop alone */
    uint8_t loop;
    op reduce;
    int16_t dims[2]; /* matrix, powers of two; dims[1] 0: one dimension */
    int16_t record;  /* struct */
    /* pointer into this array's first half; -1: a parameter, of dims[0] elements */
    int16_t array;
} var;

enum { MOST_VARS = 96, MOST_HELPERS = 3, MOST_ARRAYS = 10, MOST_FIELDS = 5, MOST_RECORDS = 2 };

typedef struct func {
    var vars[MOST_VARS];
    int var_count, param_count;
    ty result;
    node *body;
} func;

typedef struct record {
    int field_count;
    uint8_t type[MOST_FIELDS], length[MOST_FIELDS]; /* length 0: a scalar */
} record;

typedef enum role { ROLE_IN, ROLE_OUT, ROLE_ATOMIC } role;

typedef struct array {
    uint8_t type, role, map; /* map: which slots belong to a round, see own_index */
    int8_t record;           /* -1: elements of type */
    int32_t length;          /* a power of two */
    uint8_t family;          /* ROLE_ATOMIC: index into the families of atomics */
    uint8_t attribute;       /* 1 noalias, 2 readonly; in the IR */
    uint32_t twist;          /* of map 2; of map 3 the slots of a round */
    uint8_t id;              /* what its values depend on: its index at first */
} array;

typedef enum form { FORM_FUNCTION, FORM_ELEMENTWISE } form;

typedef struct prog {
    uint64_t seed;
    form form;
    bool python;       /* has a form in restricted Python too */
    bool has_floats;   /* results depend on how floats are rounded: precise mode only */
    bool has_math;     /* calls libm */
    bool math_only;    /* isolated calls of libm, to be compared within ULPs in fast mode */
    bool reproducible; /* is compared under that option */
    bool wild;         /* Python with bounds_check only: indices of arrays may be out of range */
    int64_t n;
    record records[MOST_RECORDS];
    int record_count;
    array arrays[MOST_ARRAYS];
    int array_count;
    func helpers[MOST_HELPERS];
    int helper_count;
    func kernel;             /* variable 0: the index (elementwise) or n (function) */
    char *ir_text, *py_text; /* of a program read from a file; NULL: printed from the tree */
    struct chunk *memory;
} prog;

/* prog.c */
node *node_new(prog *p, kind k, ty t, int kids);
void node_push(prog *p, node *parent, node *kid);
void *prog_alloc(prog *p, size_t size);
prog *prog_new(void);
prog *prog_copy(const prog *p); /* deep */
void prog_free(prog *p);
int prog_size(const prog *p); /* nodes */
typedef void (*node_visitor)(void *user, node *n);
void node_walk(node *n, node_visitor fn, void *user); /* parents first */
void prog_walk(prog *p, node_visitor fn, void *user);
/* Whether the typed IR has `within` around this index, once in four where the type holds the
 * length. */
bool index_is_checked(const node *index, int64_t length);
/* of an INDEX_OWN place, in one round */
int64_t own_slot(const prog *p, const array *a, const node *place, int64_t round);
bool var_used(const func *f, int v);             /* by any statement or expression */
bool node_names_var(const node *n, int *second); /* n->a is a variable; *second: another, or -1 */

/* gen.c: the program of a seed. */
prog *generate(uint64_t seed, bool small);

/* Text that grows. */
typedef struct text {
    char *at;
    size_t n, capacity;
    int indent;
} text;
void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(text *t);

void print_ir(const prog *p, text *t);
void print_py(const prog *p, text *t);
const char *kernel_name(void);

/* data.c */
typedef struct image { /* the arguments of one run */
    unsigned char *bytes[MOST_ARRAYS];
    uint64_t result; /* of a function with a result: its bytes */
    int status;      /* what the call returned */
} image;
size_t record_size(const record *r, size_t *offsets); /* as C lays it out */
size_t element_size(const prog *p, const array *a);
/* value of a scalar parameter of the kernel: bits, or those of a double */
uint64_t scalar_argument(const prog *p, int v);
void image_make(const prog *p, image *m);
void image_free(const prog *p, image *m);
/* The first difference as text in why, or false. ulps: distance allowed between floats; -1 means
 * that of the op that made them. */
bool image_differs(const prog *p, const image *expected, const image *got, bool math, char *why,
                   size_t size);

/* ways.c */
typedef struct session session; /* a context, and the modules of the program at work */
/* device NULL: the host's ways; else those of device_open's name. reproducible: all ways have that
 * option, the reference too */
session *session_open(const char *device, bool reproducible);
void session_close(session *s);

typedef enum verdict { SAME, DIFFERS, REFUSED, SKIPPED } verdict;

typedef struct finding {
    verdict verdict;
    int way;        /* index of the way at fault */
    char why[2000]; /* the values, or the diagnostics */
} finding;

int way_count(void);
bool way_on_device(int at);
const char *way_name(int way);
/* by the program's seed: each way for its share; -O0 and one other in turn */
typedef enum choice { WAYS_ALL, WAYS_SAMPLE, WAYS_QUICK } choice;
/*
 * Runs the program by the reference interpreter and by the ways of `only`'s bits (those that fit
 * this program and the choice), and stops at the first that differs. before (may be NULL) is told
 * of each run. Returns the number of runs.
 */
int ways_run(session *s, const prog *p, uint64_t only, choice c,
             void (*before)(void *user, int way), void *user, finding *f);

/* device.c */
bool device_open(cpl_context *cx, const char *name, cpl_queue **queue, char *target, size_t size);
/* makes it one that the device can run, with results that do not depend on its mathematics */
void device_program(prog *p, const char *name, bool reproducible);
/* makes it one whose results are the same bits everywhere under the option reproducible */
void reproducible_program(prog *p);

/* cover.c */
typedef struct coverage {
    uint32_t count[OP_COUNT][T_COUNT];
    uint32_t converts[T_COUNT][T_COUNT]; /* from, to */
} coverage;
void cover_add(coverage *c, prog *p);
/* Prints the table; false if a row that the host supports was generated fewer than least times at
 * one of its types, or a conversion of floats to integers. */
bool cover_print(const coverage *c, uint32_t least, bool all, FILE *out);

/* file.c: a program with all that running it again needs: DIR/NAME.cir, and NAME.py where it has
 * that form. False: errno says why. */
bool file_write(const prog *p, const char *dir, const char *name, const char *comment);
prog *file_read(const char *path); /* of the .cir; NULL when it cannot be read */

/* reduce.c: still(user, p) says whether a program still shows the fault. Takes p, gives the
 * smallest found. */
prog *reduce(prog *p, bool (*still)(void *user, prog *p), void *user);

#endif
