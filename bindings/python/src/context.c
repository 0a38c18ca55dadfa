/* The context of the process, its settings, and how waiting ends at Ctrl-C. */
#include "binding.h"

#include <dlfcn.h>
#include <pthread.h>

uint64_t binding_process = 1, binding_epoch = 1;

static cpl_context *context;
static PyObject *settings; /* name: value, as set; for contexts to come */

/* Held by the thread that has such settings in force, so that no other one puts them back in
 * between; a handler of signals may compile more within. */
static pthread_mutex_t settings_lock;

static void make_settings_lock(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&settings_lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

/* In a child what hangs on its parent's context answers CPL_EFORKED; all is made again there. */
static void forked(void)
{
    context = NULL;
    binding_process++;
    binding_epoch++;
    make_settings_lock(); /* a child has no other threads */
}

static unsigned long main_thread; /* in which Python runs handlers of signals; no other does */

/* Asked while a thread waits for a compilation, or is at a loop: whether a signal's handler raised.
 * Other threads ask for no GIL: at the end of the process that ends them, and what they wait for is
 * on their stack. */
static int interrupted(void *user)
{
    (void)user;
    if (PyThread_get_thread_ident() != main_thread) return 0;
    PyGILState_STATE state = PyGILState_Ensure();
    int raised = PyErr_Occurred() || PyErr_CheckSignals();
    PyGILState_Release(state);
    return raised;
}

static bool find_main_thread(void)
{
    PyObject *threading = PyImport_ImportModule("threading");
    PyObject *thread = threading ? PyObject_CallMethod(threading, "main_thread", NULL) : NULL;
    PyObject *ident = thread ? PyObject_GetAttrString(thread, "ident") : NULL;
    if (ident) main_thread = PyLong_AsUnsignedLong(ident);
    Py_XDECREF(ident);
    Py_XDECREF(thread);
    Py_XDECREF(threading);
    return ident && !PyErr_Occurred();
}

static bool apply_settings(cpl_context *made)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(settings, &at, &name, &value)) {
        const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
        if (!text ||
            !diag_check(cpl_context_set_option(made, text, PyLong_AsLongLong(value)), name))
            return false;
    }
    return true;
}

/* Where the package brings an OpenMP runtime along, that one; NULL: the system's. */
static const char *own_openmp(void)
{
    PyObject *package = PyImport_ImportModule("cpl");
    PyObject *path = package ? PyObject_GetAttrString(package, "_openmp") : NULL;
    Py_XDECREF(package);
    PyErr_Clear();
    const char *text = path && path != Py_None ? PyUnicode_AsUTF8AndSize(path, NULL) : NULL;
    Py_XDECREF(path); /* the package keeps it */
    return text;
}

cpl_context *binding_context(void)
{
    if (context) return context;
    if (!diag_listen() || !find_main_thread()) return NULL;
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.openmp = own_openmp();
    cpl_context *made;
    if (!diag_check(cpl_context_create(&options, &made), NULL)) return NULL;
    cpl_context_set_poll(made, interrupted, NULL);
    if (!apply_settings(made)) {
        cpl_context_release(made);
        return NULL;
    }
    return context = made;
}

PyObject *binding_set_option(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *name;
    long long value;
    if (!PyArg_ParseTuple(args, "UL", &name, &value) || !deferred_settle_all()) return NULL;
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    cpl_context *cx = text ? binding_context() : NULL;
    if (!cx || !diag_check(cpl_context_set_option(cx, text, value), name)) return NULL;
    PyObject *number = PyLong_FromLongLong(value);
    int failed = !number || PyDict_SetItem(settings, name, number);
    Py_XDECREF(number);
    binding_epoch++;
    if (failed) return NULL;
    Py_RETURN_NONE;
}

static bool set_one(own_settings *s, PyObject *pair)
{
    const char *name;
    long long value;
    if (!PyArg_ParseTuple(pair, "sL", &name, &value)) return false;
    cpl_context *cx = binding_context();
    cpl_status status = cx ? cpl_context_get_option(cx, name, &s->before[s->count]) : CPL_ENOMEM;
    if (!status) status = cpl_context_set_option(cx, name, value);
    if (PyErr_Occurred() || !diag_check(status, NULL)) return false;
    s->names[s->count++] = name;
    return true;
}

bool settings_enter(PyObject *pairs, own_settings *s)
{
    Py_ssize_t count = pairs ? PyTuple_Size(pairs) : 0;
    s->count = 0;
    s->is_held = count > 0;
    if (!s->is_held) return true;
    PyThreadState *state = PyEval_SaveThread();
    pthread_mutex_lock(&settings_lock);
    PyEval_RestoreThread(state);
    for (Py_ssize_t i = 0; i < count && i < MAX_SETTINGS; i++)
        if (!set_one(s, PyTuple_GetItem(pairs, i))) {
            settings_leave(s);
            return false;
        }
    return true;
}

void settings_leave(const own_settings *s)
{
    for (size_t i = s->count; i-- > 0;)
        cpl_context_set_option(binding_context(), s->names[i], s->before[i]);
    if (s->is_held) pthread_mutex_unlock(&settings_lock);
}

/* extern_register(name, signature, library or None, symbol): a function of C's, for the host. */
PyObject *binding_extern_register(PyObject *self, PyObject *args)
{
    (void)self;
    const char *name, *signature, *library, *symbol;
    if (!PyArg_ParseTuple(args, "sszs", &name, &signature, &library, &symbol)) return NULL;
    cpl_context *cx = binding_context();
    if (!cx) return NULL;
    void *address = library ? NULL : dlsym(RTLD_DEFAULT, symbol);
    if (!library && !address)
        return PyErr_Format(PyExc_LookupError, "no library that is loaded has '%s'", symbol);
    cpl_status status =
        library ? cpl_extern_register_library(cx, name, signature, library, symbol, false)
                : cpl_extern_register(cx, name, signature, address, false);
    if (!diag_check(status, PyTuple_GetItem(args, 0))) return NULL;
    Py_RETURN_NONE;
}

/* extern_source(name, signature, language, text): a function's text, for devices. */
PyObject *binding_extern_source(PyObject *self, PyObject *args)
{
    (void)self;
    cpl_extern_text e = {.size = sizeof e};
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "ssss#", &e.name, &e.signature, &e.language, &e.text, &size))
        return NULL;
    e.text_size = (size_t)size;
    cpl_context *cx = binding_context();
    if (!cx || !diag_check(cpl_extern_source(cx, &e), PyTuple_GetItem(args, 0))) return NULL;
    Py_RETURN_NONE;
}

/* {name: (value, what it is for)} of all options. */
PyObject *binding_options(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    cpl_context *cx = binding_context();
    PyObject *all = cx ? PyDict_New() : NULL;
    const char *name, *doc;
    for (size_t i = 0; all && (name = cpl_option_name(i, &doc)); i++) {
        int64_t value = 0;
        cpl_context_get_option(cx, name, &value);
        PyObject *pair = Py_BuildValue("(Ls)", (long long)value, doc);
        if (!pair || PyDict_SetItemString(all, name, pair)) Py_CLEAR(all);
        Py_XDECREF(pair);
    }
    return all;
}

bool binding_init_context(void)
{
    settings = PyDict_New();
    make_settings_lock();
    return settings && !pthread_atfork(NULL, NULL, forked);
}
