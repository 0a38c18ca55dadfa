/*
 * cpl._cpl: the part of the Python package that is in C. It uses include/cpl and NumPy's C API
 * alone, in CPython's limited API of 3.11, so that one file serves all later versions.
 *
 * Everything here runs with the GIL held, but for what is said to let go of it.
 */
#ifndef CPL_BINDING_H
#define CPL_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API  NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL cpl_numpy
#ifndef BINDING_OWNS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include "cpl/cpl.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* --- context.c: one context for the process --- */

/* Count what makes handles stale, for who holds them to compare: a fork, whose child has a context
 * of its own, and, for kernels, settings that changed too. */
extern uint64_t binding_process, binding_epoch;

/* The context, made at first use; NULL with an exception. */
cpl_context *binding_context(void);
PyObject *binding_set_option(PyObject *self, PyObject *args);
PyObject *binding_options(PyObject *self, PyObject *none);
PyObject *binding_extern_register(PyObject *self, PyObject *args);
PyObject *binding_extern_source(PyObject *self, PyObject *args);
bool binding_init_context(void);

enum { MAX_SETTINGS = 8 };

/* Settings of what is compiled now: what was there before, to be put back. */
typedef struct own_settings {
    bool is_held; /* the lock of all such settings */
    size_t count;
    const char *names[MAX_SETTINGS];
    int64_t before[MAX_SETTINGS];
} own_settings;

/* pairs: a tuple of (name, value), or NULL; false with an exception, and nothing to leave. */
bool settings_enter(PyObject *pairs, own_settings *s);
void settings_leave(const own_settings *s);

/* --- diag.c: what the library has to say, as exceptions and warnings --- */

/* Gives the thread a list for diagnostics, unless it has one; false with MemoryError. */
bool diag_listen(void);
/*
 * True when a call of the library went well, and what it had to say besides became warnings. Else
 * false with an exception, of the class that cpl.errors has for the status. what: "f()", for calls
 * that gave no message; may be NULL.
 */
bool diag_check(cpl_status status, PyObject *what);
/* The same; warnings that a filter made an exception are kept in *unsaid, for diag_say. */
bool diag_check_keep(cpl_status status, PyObject *what, PyObject **unsaid);
bool diag_say(PyObject *unsaid, PyObject *what);
/* What the package itself does not take: false with that status's exception. */
bool diag_refuse(cpl_status status, const char *message, PyObject *what);
/* Of a call whose failure is nobody's matter: what it had to say. */
void diag_forget(void);

/* --- types.c: NumPy's dtypes and the library's types --- */

/* The library's type of a dtype's elements; NULL with TypeError for what kernels do not know. */
const cpl_type *types_of_dtype(PyArray_Descr *dtype);
/* The same for what numpy.dtype() takes, and for None: NULL without an exception. */
bool types_of_object(PyObject *object, const cpl_type **type);
/* The dtype of a number's or struct's type: a new reference. */
PyArray_Descr *types_to_dtype(const cpl_type *type);
PyArray_Descr *types_number_dtype(cpl_dtype dtype);
/* CPL_VOID for what is no number that kernels know. type_num: NumPy's. */
cpl_dtype types_number(int type_num);
/* A value in memory as a Python number, or as a NumPy scalar where there is no such. */
PyObject *types_value(const cpl_type *type, const void *value, bool as_python);

/* --- array.c: arrays of the library --- */

typedef struct deferred deferred;

typedef struct array_object {
    PyObject_HEAD cpl_array *array; /* NULL while it is deferred */
    deferred *deferred;             /* NULL: it is there */
    uint64_t process;               /* of which it is */
    PyObject *base;                 /* what is kept alive with it, or NULL */
    PyObject *weak;                 /* Python's list of weak references */
    uint32_t place;                 /* its home, 0: the host */
    uint8_t dtype;                  /* cpl_dtype; CPL_VOID: structs */
    bool is_readonly;               /* memory that is only read */
    bool is_known;                  /* what is below: of array_info and array_extent alone */
    cpl_array_info info;
    uintptr_t begin, end; /* of the host's: all the memory that it is in; end 0: not asked yet */
} array_object;

extern PyTypeObject *array_type; /* cpl._cpl.Array, the base class of cpl.ndarray */
/* cpl.ndarray; NULL before the first array */
extern PyTypeObject *array_class;

/* An object of class cpl.ndarray; takes over the caller's reference to the array, behind an error
 * too. base, which may be NULL, is kept alive with it. */
PyObject *array_object_of(cpl_array *array, PyObject *base);
/* The same of a view of parent's; of its elements, as they are. */
PyObject *array_view_of(PyObject *parent, cpl_array *view);
PyObject *array_part_of(array_object *parent, cpl_array *part);
bool array_check(PyObject *object);
/* Whether it is one of this process; a child takes over those of the host that its parent had, with
 * a copy of their memory as of all. False with an exception. */
bool array_is_here(array_object *a);
/* Borrowed, and computed by now. NULL with TypeError, or of an array of the process that this one
 * was forked from. */
cpl_array *array_of_object(PyObject *object);
/* The same of one that is about to be written: what reads it is computed, and it may be written. */
cpl_array *array_written(PyObject *object);
bool array_info_of(PyObject *object, cpl_array_info *info);
/* The same without a copy, of a deferred one what it will be; NULL without an exception. */
const cpl_array_info *array_info(array_object *a);
bool array_has_shape(const cpl_array_info *info, int dims, const int64_t *shape);
/* The memory that it is in, all of it, of one that is there. */
void array_extent(array_object *a, uintptr_t *begin, uintptr_t *end);
/* That of elements, one at least, of an array of NumPy's. */
void array_extent_numpy(PyArrayObject *x, uintptr_t *begin, uintptr_t *end);
/* Before memory of NumPy's is read or written: what waits and reads it, and devices that have it.
 */
bool array_settle_numpy(PyArrayObject *x, bool written);
/* It has other memory, or more elements, from now on. */
void array_forget(array_object *a);
/* A new one of one dimension, where another one lives. */
PyObject *array_beside(const cpl_array *other, const cpl_type *type, int64_t length);
/* create(shape, dtype, device, zeroed), and wrap(array of NumPy's) */
PyObject *array_create(PyObject *self, PyObject *args);
PyObject *array_wrap(PyObject *self, PyObject *object);
/* Over memory of a device (NULL: the host), which owner keeps; NULL: nobody need. */
PyObject *array_wrap_memory(cpl_device *device, cpl_array_options *o, void *memory,
                            PyObject *owner);
/* What options say of elements that lie so many bytes from each other (NULL: dense), of which the
 * first is given, in as many dimensions as they have; the memory that begins there, or NULL with an
 * exception. */
void *array_lay(cpl_array_options *o, void *first, size_t itemsize, const int64_t *strides);
PyArray_Descr *array_dtype_of(const cpl_array_info *info);
/* A copy of the elements, an array of NumPy's. */
PyObject *array_copy_out(PyObject *self);
/* Without the GIL. */
cpl_status array_pull(cpl_array *array);
/* A tuple. */
PyObject *array_numbers(const int64_t *numbers, int count);
/* What options say of elements and of their number: of what numpy.dtype() takes, of a tuple. */
bool array_elements_of(PyObject *dtype, cpl_array_options *o);
bool array_shape_of(PyObject *shape, cpl_array_options *o);
bool binding_init_array(PyObject *m);

/* --- deferred.c: arrays that are not computed yet --- */

typedef struct expression expression;

/* Takes over the caller's reference to the expression. Of numbers, where another one lives. */
PyObject *deferred_array(expression *e, cpl_dtype dtype, int dims, const int64_t *shape,
                         array_object *beside);
/* What such an array is computed from; NULL: it is there. */
expression *deferred_expression(const array_object *a);
/* It is computed, if it was not; false with an exception. */
bool deferred_settle(array_object *a);
/* Whether a waits, for what reads memory of `to`. */
bool deferred_reads(const array_object *a, array_object *to);
/* What such an a waits for is computed into `to`, and a waits from then on for a copy of that. */
bool deferred_put(array_object *a, array_object *to, expression *copy);
/* All that are deferred are computed. */
bool deferred_settle_all(void);
/* Those are that read memory which is about to be written. */
bool deferred_before_write(array_object *a);
bool deferred_before_numpy(PyArrayObject *x);
/* It goes, and nobody asked for it. */
void deferred_drop(array_object *a);
bool binding_init_deferred(PyObject *m);

/* --- device.c: devices --- */

typedef struct device_object {
    PyObject_HEAD cpl_device *device;
    cpl_device_info info;
    PyObject *queue;  /* the default one's object, once it was asked for */
    uint64_t process; /* of which it is */
} device_object;

/* The object of a device, of which there is one: a new reference. */
PyObject *device_object_of(cpl_device *device);
/* The device of a Device, a Queue or a text, and, for None, the one that the thread's `with` names,
 * else the host. NULL with an exception. */
device_object *device_of_object(PyObject *object);
PyObject *binding_device(PyObject *self, PyObject *args);
/* What cpl.show has of an object for notebooks, by a function of cpl.show: how(object, what). */
PyObject *binding_show(const char *how, PyObject *object, const char *what);
PyObject *binding_devices(PyObject *self, PyObject *none);
PyObject *binding_copies(PyObject *self, PyObject *none);
bool binding_init_device(PyObject *m);

/* --- queue.c: queues and events --- */

typedef struct queue_object {
    PyObject_HEAD cpl_queue *queue;
    PyObject *device, *target;
    PyObject *stream;       /* what a native queue belongs to: it must outlive this one */
    unsigned long recorder; /* the thread that records a graph, or 0 */
    bool is_default;
    uint64_t process;
} queue_object;

extern PyTypeObject *queue_type;
PyObject *queue_default(device_object *device);
PyObject *queue_event(cpl_event *event, PyObject *queue);
bool binding_init_queue(PyObject *m);

/* False with an exception for what belongs to the process that this one was forked from. */
bool binding_check_process(uint64_t process);

/* --- place.c: where the calls of a thread run, as `with` says --- */

typedef struct run_place {
    struct run_place *before;
    PyObject *owner; /* whose `with` it is */
    queue_object *queue;
    PyObject *kept; /* of a graph that is recorded: a list of what it uses; else NULL */
} run_place;

/* How many blocks of `with` there are in all threads: calls look at the thread's own if any. */
extern size_t place_count;
bool place_enter(PyObject *owner, PyObject *queue, PyObject *kept);
bool place_exit(PyObject *owner);
/* The thread's innermost; NULL: none, or one that cannot be used, with an exception. */
const run_place *place_now(void);
/* Of a graph that the thread records: what it is to hold from now on. */
bool place_keep(PyObject *object);
bool place_is_recording(void); /* a graph, on this thread */

/* --- graph.c: recorded launches --- */

PyObject *graph_of_queue(PyObject *queue, PyObject *none);
bool binding_init_graph(PyObject *m);

/* --- dlpack.c, foreign.c: memory that is shared with other libraries, for cpl/foreign.py --- */

PyObject *dlpack_take(PyObject *self, PyObject *args);
PyObject *dlpack_give(PyObject *self, PyObject *args);
PyObject *foreign_wrap(PyObject *self, PyObject *args);
PyObject *foreign_share(PyObject *self, PyObject *args);

/* --- args.c: what a function is called with --- */

enum { MAX_ARGS = 64 };

/* What picks a kernel, of one argument: all that its type depends on, and what it stands for. */
typedef struct arg_kind {
    uint64_t word;
    const void *what; /* a struct's type, or the function that it is */
} arg_kind;

typedef struct call_args {
    size_t count, array_count, function_count, held_count, stream_count;
    arg_kind kinds[MAX_ARGS];
    cpl_arg args[MAX_ARGS];
    PyObject *objects[MAX_ARGS];  /* borrowed, from the caller */
    PyObject *held[2 * MAX_ARGS]; /* made for the call, which ends them */
    /* in place of arrays that are not aligned to their elements; more of one memory share one */
    struct {
        size_t arg;
        PyArrayObject *original, *copy; /* borrowed; held */
    } copies[MAX_ARGS];
    size_t copy_count;
    /* of other libraries, on which arguments are written: the queues that stand for them, held */
    queue_object *streams[MAX_ARGS];
    const run_place *where; /* what `with` says; NULL: nothing */
    const queue_object *on; /* on which it runs; NULL: as the arguments say */
    cpl_queue *queue;       /* the same */
    PyObject *target;       /* that it is compiled for, interned and borrowed; NULL: the host's */
    bool is_reading;        /* none of its arrays is written */
    bool copies_misaligned; /* else they are refused */
    bool takes_numbers;     /* of arrays without dimensions, what they hold */
    size_t lone_count;      /* of which that was taken */
} call_args;

/* Adds an argument. NULL, or what is wrong with it, "a list; numpy.array() makes ...", a new
 * reference; an empty text where an exception is set already. */
PyObject *args_add(call_args *c, PyObject *object);
/* The same, but of an array of several dimensions with gaps a copy without them, which is only
 * read. */
PyObject *args_add_flat(call_args *c, PyObject *object);
/* Of no arguments yet. */
void args_begin(call_args *c);
/* When all are there: where the call runs, behind what writes them. False with an exception. */
bool args_place(call_args *c);
/* Behind a call that went well: streams of other libraries go on behind it, and a graph that
 * records holds what it was called with. */
bool args_leave(const call_args *c);
/* The argument that is copied and overlaps another, whose elements would not meet; -1: none, -2:
 * there is an exception. */
int args_mixed_copy(const call_args *c);
/* Before that: what a kernel wrote to copies goes where they are from. first: its parameter for
 * the first argument. False with an exception. */
bool args_put_back(const call_args *c, const cpl_kernel *kernel, size_t first);
void args_end(call_args *c);

/* --- numeric.c: what is computed with arrays --- */

bool binding_init_numeric(PyObject *m);

/* --- module.c: a module of the library's --- */

typedef struct module_object {
    PyObject_HEAD cpl_module *module;
    uint64_t process; /* of which it is */
} module_object;

extern PyTypeObject *module_type;
bool binding_init_module(PyObject *m);

/* --- profile.c: what the library records of launches --- */

PyObject *binding_profile_enable(PyObject *self, PyObject *on);
PyObject *binding_profile_take(PyObject *self, PyObject *none);
PyObject *binding_profile_write(PyObject *self, PyObject *args);

/* --- report.c: of python -m cpl --- */

PyObject *binding_report(PyObject *self, PyObject *none);

/* --- function.c: what decorators make --- */

bool binding_init_function(PyObject *m);

#endif
