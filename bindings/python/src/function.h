/* Functions of a Python program that run compiled, and what is known of their calls. */
#ifndef CPL_BINDING_FUNCTION_H
#define CPL_BINDING_FUNCTION_H

#include "binding.h"

/* Of vectorcall the limited API has these from 3.12 on, with the meaning that they have in 3.11. */
#ifndef Py_TPFLAGS_HAVE_VECTORCALL
#define Py_TPFLAGS_HAVE_VECTORCALL (1UL << 11)
#endif
#if Py_LIMITED_API + 0 < 0x030c0000
typedef PyObject *(*vectorcallfunc)(PyObject *, PyObject *const *, size_t, PyObject *);
#endif

typedef enum form { ELEMENTWISE, PLAIN, KERNEL, REDUCE, SCAN } form;

/* What a text or function is for. A function's own call has the first alone. */
typedef enum role {
    ROLE_OP = 0,
    ROLE_MAP,
    ROLE_NEUTRAL,
    ROLE_SEGMENT,
    ROLE_OUTPUT,
    ROLE_COUNT
} role;

/* What has to stay as it was when the function was read. */
typedef enum guard_kind { GUARD_DICT, GUARD_ATTRIBUTE, GUARD_SLOT, GUARD_NUMBERS } guard_kind;

typedef struct guard {
    guard_kind kind;
    PyObject *holder;      /* a dict, a cell or a function of Python */
    PyObject *key;         /* in the dict, or the attribute's name */
    PyObject *value;       /* NULL: nothing lies in the slot */
    PyObject *const *slot; /* where that lies */
} guard;

typedef struct guards {
    guard *rows;
    size_t count;
} guards;

/* What calls with arguments of certain kinds run. Does not change once it is in a list, but for
 * what was not said of it. */
typedef struct entry {
    struct entry *next;
    uint64_t epoch;
    module_object *module;
    PyObject *target; /* as in call_args, held */
    PyObject *names;  /* by which the module knows the functions: of the roles, then of arguments */
    guards guards;
    cpl_kernel *kernel; /* NULL: of an algorithm */
    int64_t short_below;
    uint64_t calls;
    PyObject
        *unsaid; /* NULL, or warnings that became exceptions: it is not run before they are said */
    const cpl_type *result; /* what the call returns; NULL: nothing */
    size_t count;
    arg_kind kinds[];
} entry;

typedef struct function_object {
    PyObject_HEAD vectorcallfunc call;
    form form;
    PyObject *load;       /* load(functions among the arguments) -> (Module, names, guards) */
    PyObject *sign;       /* NULL, or sign() -> (parameters, defaults, guards, indices) */
    PyObject *indices;    /* NULL, or the names of those parameters that no call gives: a tuple */
    guards signed_by;     /* what the parameters and the defaults were taken from */
    PyObject *name;       /* for messages */
    PyObject *parameters; /* a tuple of names, without indices; the last may be "*NAME" */
    PyObject *defaults;   /* of the last of them: a tuple */
    PyObject *roles;      /* [ROLE_COUNT] None, a text or a function */
    PyObject *options; /* (dtype or None, flags) of algorithms; then ((name, value), ...), settings
                          that it is compiled with in place of those of all */
    PyObject *dict, *weak; /* attributes, and references to it that do not hold it */
    entry *entries;        /* the latest first */
    entry *retired;        /* not to be freed while calls run */
    size_t entry_count, running;
    Py_ssize_t parameter_count;
    bool is_variadic;
} function_object;

/* How one call is launched; zero: as the arguments say. */
typedef struct launch {
    bool is_given;
    int64_t n;
    int64_t global[3], local[3];
} launch;

/* guard.c: rows: a tuple of (holder, key or None of a cell, value), without those of `known`, which
 * are looked at before. What was taken is freed, also where it failed. */
bool guards_take(guards *g, PyObject *rows, const guards *known);
bool guards_hold(const guards *g);
int guards_visit(const guards *g, visitproc visit, void *arg);
void guards_free(guards *g);

/* function.c: args_add of the argument there. */
PyObject *function_take(const function_object *f, call_args *c, size_t i, PyObject *x);
/* NULL, with what is wrong with that argument, which it takes, unless there is an exception. */
PyObject *function_fault(const function_object *f, size_t index, PyObject *what);

/* entry.c: finds what a call runs, made if need be; NULL with an exception. Valid until `running`
 * is 0 and another is made. */
entry *function_entry(function_object *f, call_args *c, const launch *how);
void function_forget(function_object *f);
cpl_bind function_bind(const function_object *f, const entry *e, role which);
void function_options(const function_object *f, const call_args *c, const launch *how,
                      cpl_launch_options *o);

/* The function's own settings, while it is compiled: see settings_enter. */
bool function_settings_enter(const function_object *f, own_settings *s);

/* algorithm.c: runs a reduction or a scan; kernels: not NULL: shows what it would run instead. */
PyObject *algorithm_run(function_object *f, entry *e, call_args *c, const launch *how);
bool algorithm_prepare(function_object *f, entry *e, call_args *c, const launch *how);
bool algorithm_kernels(function_object *f, entry *e, call_args *c, const launch *how,
                       cpl_kernels *kernels);

/* inspect.c: the methods that show what was made of a function. */
extern const char inspect_doc[], source_doc[];
PyObject *function_inspect(PyObject *self, PyObject *args);
PyObject *function_source(PyObject *self, PyObject *args);
PyObject *function_types(PyObject *self, void *unused);
PyObject *function_signatures(PyObject *self, void *unused);

#endif
