/* What a function was made of and became, as text. */
#include "function.h"

enum { TEXT, TEXTS, BYTES };
/* Names are those of cplc --emit. */
static const struct {
    const char *name, *target;
    int form;
} stages[] = {
#define STAGE(name, number, text, where, target, ending, form) [number] = {text, target, form},
#include <cpl/stage.def>
#undef STAGE
};
static const char stage_names[] = /* each behind a comma */
#define STAGE(name, number, text, where, target, ending, form) ", " text
#include <cpl/stage.def>
#undef STAGE
    ;
static const char kind_names[] =
#define DEVICE_KIND(name, number, text) ", " #text
#include <cpl/device.def>
#undef DEVICE_KIND
    ;

/* The entry for these arguments, or, of none, the latest. */
static entry *entry_for(function_object *f, call_args *c, PyObject *args)
{
    static const launch as_given;
    args_begin(c);
    if (!PyTuple_Size(args)) {
        if (!f->entries)
            PyErr_Format(PyExc_ValueError,
                         "%U has not been called yet: give the arguments, or call it first",
                         f->name);
        return f->entries;
    }
    for (Py_ssize_t i = 0; i < PyTuple_Size(args) && i < MAX_ARGS - 1; i++) {
        PyObject *wrong = function_take(f, c, (size_t)i, PyTuple_GetItem(args, i));
        if (!wrong) continue;
        function_fault(f, (size_t)i, wrong);
        return NULL;
    }
    return args_place(c) ? function_entry(f, c, &as_given) : NULL;
}

/* A kernel's stage, behind what is there: text, or bytes of those that are no text. */
static PyObject *add_stage(PyObject *before, const function_object *f, cpl_kernel *kernel,
                           cpl_stage stage)
{
    cpl_blob blob = {0};
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status = cpl_kernel_emit(kernel, stage, NULL, &blob);
    Py_END_ALLOW_THREADS PyObject *text = NULL;
    if (diag_check(status, f->name)) {
        text = stages[stage].form == BYTES
                   ? PyBytes_FromStringAndSize(blob.data, (Py_ssize_t)blob.size)
                   : PyUnicode_DecodeUTF8(blob.data, (Py_ssize_t)blob.size, "replace");
    }
    cpl_blob_free(&blob);
    if (!text || !before) return text;
    PyObject *both = PyNumber_Add(before, text);
    Py_DECREF(before);
    Py_DECREF(text);
    return both;
}

static PyObject *algorithm_stages(function_object *f, entry *e, call_args *c, cpl_stage stage)
{
    static const launch as_given;
    cpl_kernels kernels = {0};
    PyObject *text = NULL;
    if (algorithm_kernels(f, e, c, &as_given, &kernels))
        for (size_t i = 0; i < kernels.count; i++) {
            text = add_stage(text, f, kernels.kernels[i], stage);
            if (!text) break;
        }
    for (size_t i = 0; i < kernels.count; i++) cpl_kernel_release(kernels.kernels[i]);
    return text;
}

static PyObject *emit(function_object *f, cpl_stage stage, PyObject *args)
{
    call_args c;
    if (!diag_listen()) return NULL;
    entry *e = entry_for(f, &c, args);
    PyObject *text = NULL;
    if (e) {
        f->running++;
        if (e->kernel) text = add_stage(NULL, f, e->kernel, stage);
        else if (!PyTuple_Size(args))
            PyErr_Format(PyExc_ValueError, "%U: give the arguments to inspect an algorithm for",
                         f->name);
        else text = algorithm_stages(f, e, &c, stage);
        f->running--;
    }
    args_end(&c);
    return text;
}

/* The first argument is the name, the others are those of a call. */
static const char *name_and_rest(PyObject *said, PyObject **rest)
{
    Py_ssize_t count = PyTuple_Size(said);
    PyObject *name = count ? PyTuple_GetItem(said, 0) : NULL;
    if (!name || !PyUnicode_Check(name)) {
        PyErr_SetString(PyExc_TypeError, "the first argument is a name");
        return NULL;
    }
    *rest = PyTuple_GetSlice(said, 1, count);
    return *rest ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
}

/* NONE: there is no such stage. */
enum { NONE = COUNT_OF(stages) };
static size_t stage_called(const char *name)
{
    size_t i = 0;
    while (i < NONE && strcmp(stages[i].name, name)) i++;
    return i;
}

/* What people read of a kind of devices: LLVM's IR of the host, of others the last text of theirs
 * alone. */
static size_t source_of(const char *kind)
{
    if (!strcmp(kind, "host")) return CPL_STAGE_LLVM;
    size_t found = NONE, length = strlen(kind);
    for (size_t i = 0; i < NONE; i++)
        if (stages[i].form == TEXTS && strcspn(stages[i].target, ":") == length &&
            !strncmp(stages[i].target, kind, length))
            found = i;
    return found;
}

/* The stage that `find` has for what is said first. */
static PyObject *emit_named(PyObject *self, PyObject *said, size_t find(const char *name),
                            const char *names)
{
    PyObject *rest = NULL, *text = NULL;
    const char *name = name_and_rest(said, &rest);
    size_t stage = name ? find(name) : NONE;
    if (stage != NONE) text = emit((function_object *)self, (cpl_stage)stage, rest);
    else if (name)
        PyErr_Format(PyExc_ValueError, "there is no '%s'; there are %s", name, names + 2);
    Py_XDECREF(rest);
    return text;
}

const char inspect_doc[] =
    "inspect(stage, *arguments)\n--\n\n"
    "A stage of the function as text, compiled for these arguments, or, of none, for those of the\n"
    "latest call. Stages are"
#define STAGE(name, number, text, where, target, ending, form) " " text
#include <cpl/stage.def>
#undef STAGE
    ".";

PyObject *function_inspect(PyObject *self, PyObject *said)
{
    return emit_named(self, said, stage_called, stage_names);
}

const char source_doc[] =
    "source(target, *arguments)\n--\n\n"
    "What the function becomes: OpenCL C for \"opencl\", PTX for \"cuda\", LLVM's IR for \"host\".";

PyObject *function_source(PyObject *self, PyObject *said)
{
    return emit_named(self, said, source_of, kind_names);
}

PyObject *function_types(PyObject *self, void *unused)
{
    (void)unused;
    function_object *f = (function_object *)self;
    if (!f->entries || !f->entries->kernel) Py_RETURN_NONE;
    return PyUnicode_FromString(cpl_kernel_types(f->entries->kernel));
}

/* --- all that is compiled --- */

/* "float64[,]", "int": what an argument was. */
static PyObject *kind_text(const arg_kind *k)
{
    cpl_arg_kind kind = (cpl_arg_kind)(k->word & 0xff);
    cpl_dtype dtype = (cpl_dtype)(k->word >> 8 & 0xff);
    int dims = (int)(k->word >> 16 & 0xff);
    if (kind == CPL_ARG_INT) return PyUnicode_FromString("int");
    if (kind == CPL_ARG_FLOAT) return PyUnicode_FromString("float");
    if (kind == CPL_ARG_COMPLEX) return PyUnicode_FromString("complex");
    if (kind == CPL_ARG_BOUND) return PyUnicode_FromString("function");
    const char *name = k->what ? cpl_type_text(k->what) : cpl_dtype_name(dtype);
    if (kind == CPL_ARG_SCALAR) return PyUnicode_FromString(name);
    static const char commas[CPL_MAX_DIMS] = ",,,,,,,";
    return PyUnicode_FromFormat("%s[%s]", name, commas + CPL_MAX_DIMS - (dims ? dims : 1));
}

static PyObject *kinds_text(const entry *e)
{
    PyObject *texts = PyTuple_New((Py_ssize_t)e->count);
    for (size_t i = 0; texts && i < e->count; i++) {
        PyObject *text = kind_text(&e->kinds[i]);
        if (!text || PyTuple_SetItem(texts, (Py_ssize_t)i, text)) Py_CLEAR(texts);
    }
    return texts;
}

PyObject *function_signatures(PyObject *self, void *unused)
{
    (void)unused;
    function_object *f = (function_object *)self;
    PyObject *all = PyList_New(0);
    f->running++; /* what others retire meanwhile stays */
    for (const entry *e = f->entries; all && e; e = e->next) {
        const char *types = e->kernel ? cpl_kernel_types(e->kernel) : "";
        PyObject *row =
            Py_BuildValue("(OsNK)", e->names, types, kinds_text(e), (unsigned long long)e->calls);
        if (!row || PyList_Append(all, row)) Py_CLEAR(all);
        Py_XDECREF(row);
    }
    f->running--;
    return all;
}
