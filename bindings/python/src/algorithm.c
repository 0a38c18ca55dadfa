/* Reductions and scans: each call names the operator and what else it was made of. */
#include "function.h"

/* The type that was asked for, NULL for that of the elements, and flags. */
static bool asked(const function_object *f, const cpl_type **type, unsigned *flags)
{
    PyObject *dtype, *settings;
    return PyArg_ParseTuple(f->options, "OI|O", &dtype, flags, &settings) &&
           types_of_object(dtype, type);
}

static bool reduce_spec(const function_object *f, const entry *e, cpl_reduce_spec *spec)
{
    unsigned flags;
    cpl_reduce_spec_init(spec);
    spec->op = function_bind(f, e, ROLE_OP);
    spec->map = function_bind(f, e, ROLE_MAP);
    spec->neutral = function_bind(f, e, ROLE_NEUTRAL);
    return asked(f, &spec->type, &flags);
}

static bool scan_spec(const function_object *f, const entry *e, cpl_scan_spec *spec)
{
    unsigned flags;
    cpl_scan_spec_init(spec);
    spec->op = function_bind(f, e, ROLE_OP);
    spec->input = function_bind(f, e, ROLE_MAP);
    spec->neutral = function_bind(f, e, ROLE_NEUTRAL);
    spec->segment = function_bind(f, e, ROLE_SEGMENT);
    spec->output = function_bind(f, e, ROLE_OUTPUT);
    if (!asked(f, &spec->type, &flags)) return false;
    spec->flags = flags;
    return true;
}

static PyObject *given_array(const function_object *f, const call_args *c)
{
    if (PyTuple_GetItem(f->roles, ROLE_OUTPUT) != Py_None || !c->count) return Py_None;
    return c->objects[c->count - 1];
}

/* Whether items go to an array and none was given for them: out is the last parameter. */
static bool makes_array(const function_object *f, const call_args *c)
{
    return f->form == SCAN && PyTuple_GetItem(f->roles, ROLE_OUTPUT) == Py_None &&
           (Py_ssize_t)c->count < PyTuple_Size(f->parameters);
}

static cpl_status reduce(const entry *e, const cpl_reduce_spec *spec, const cpl_launch_options *o,
                         const call_args *c)
{
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_reduce(e->module->module, spec, o, NULL, c->args, c->count);
    Py_END_ALLOW_THREADS return status;
}

/* Any array that is where the launch runs. */
static cpl_arg stand_in(const call_args *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].array) return cpl_arg_of_array(c->args[i].array);
    return cpl_arg_array(CPL_INT8, NULL, 0);
}

/* The type of a reduction's result; of a scan that makes an array that of the items, whose parts
 * are given an array in place of the one that is still to be made. */
bool algorithm_prepare(function_object *f, entry *e, call_args *c, const launch *how)
{
    if (f->form == SCAN && !makes_array(f, c)) return true;
    cpl_reduce_spec spec;
    cpl_launch_options o;
    function_options(f, c, how, &o);
    o.result_type = &e->result;
    size_t count = c->count;
    if (f->form == SCAN && PyTuple_GetItem(f->roles, ROLE_MAP) != Py_None) {
        c->args[count] = stand_in(c);
        c->count++;
    }
    bool fine =
        reduce_spec(f, e, &spec) && diag_check_keep(reduce(e, &spec, &o, c), f->name, &e->unsaid);
    c->count = count;
    return fine;
}

static PyObject *run_reduce(function_object *f, entry *e, call_args *c, const launch *how,
                            cpl_kernels *kernels)
{
    uint64_t few[32];
    size_t size = cpl_type_size(e->result);
    void *place = size <= sizeof few ? few : PyMem_Malloc(size);
    if (!place) return PyErr_NoMemory();
    cpl_reduce_spec spec;
    cpl_launch_options o;
    function_options(f, c, how, &o);
    o.result = place;
    o.kernels = kernels;
    const cpl_type *type = e->result;
    bool fine =
        reduce_spec(f, e, &spec) && diag_check_keep(reduce(e, &spec, &o, c), f->name, &e->unsaid);
    PyObject *value = !fine ? NULL : kernels ? Py_NewRef(Py_None) : types_value(type, place, false);
    if (place != few) PyMem_Free(place);
    return value;
}

/* Where an array of the library's is among the arguments, one beside it; else NumPy's. */
static PyObject *new_output(const entry *e, const call_args *c, npy_intp length)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].array) return array_beside(c->args[i].array, e->result, length);
    PyArray_Descr *dtype = types_to_dtype(e->result);
    return dtype ? PyArray_Empty(1, &length, dtype, 0) : NULL;
}

/* An array for the items, behind the arguments: the caller's reference. */
static PyObject *add_output(const entry *e, call_args *c, const launch *how)
{
    npy_intp length = how->is_given ? how->n : 0;
    for (size_t i = 0; !how->is_given && i < c->count; i++)
        if (c->args[i].kind == CPL_ARG_ARRAY) {
            length = c->args[i].length;
            break;
        }
    PyObject *out = new_output(e, c, length);
    if (!out) return NULL;
    PyObject *fault = args_add(c, out);
    if (!fault) return out;
    Py_DECREF(fault);
    Py_DECREF(out);
    return NULL;
}

static cpl_status scan(const entry *e, const cpl_scan_spec *spec, const cpl_launch_options *o,
                       const call_args *c)
{
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_scan(e->module->module, spec, o, c->args, c->count);
    Py_END_ALLOW_THREADS return status;
}

/* The array that was given or made for the items, None where an output function takes them. */
static PyObject *run_scan(function_object *f, entry *e, call_args *c, const launch *how,
                          cpl_kernels *kernels)
{
    cpl_scan_spec spec;
    cpl_launch_options o;
    PyObject *out = makes_array(f, c) ? add_output(e, c, how) : Py_NewRef(given_array(f, c));
    function_options(f, c, how, &o);
    o.kernels = kernels;
    if (out &&
        !(scan_spec(f, e, &spec) && diag_check_keep(scan(e, &spec, &o, c), f->name, &e->unsaid)))
        Py_CLEAR(out);
    return out;
}

static PyObject *run_with_settings(function_object *f, entry *e, call_args *c, const launch *how,
                                   cpl_kernels *kernels)
{
    own_settings settings;
    if (!function_settings_enter(f, &settings)) return NULL;
    PyObject *value =
        f->form == REDUCE ? run_reduce(f, e, c, how, kernels) : run_scan(f, e, c, how, kernels);
    settings_leave(&settings);
    return value;
}

bool algorithm_kernels(function_object *f, entry *e, call_args *c, const launch *how,
                       cpl_kernels *kernels)
{
    PyObject *value = run_with_settings(f, e, c, how, kernels);
    Py_XDECREF(value);
    return value != NULL;
}

PyObject *algorithm_run(function_object *f, entry *e, call_args *c, const launch *how)
{
    return run_with_settings(f, e, c, how, NULL);
}
