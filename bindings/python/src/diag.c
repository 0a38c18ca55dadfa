/*
 * What calls of the library have to say goes to a list that each thread has, and from there into
 * Python: an error is raised by cpl.errors.raised(status, message, diagnostics), warnings are
 * Python's. A thread keeps its list until it ends.
 */
#include "binding.h"

#include <pthread.h>

/* Looked at in each call: without a function that finds it, as a library opened late may have few
 * of. */
static _Thread_local cpl_diag_list *list __attribute__((tls_model("initial-exec")));
static pthread_key_t at_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void thread_ends(void *mine)
{
    cpl_diag_list_use(NULL);
    cpl_diag_list_free(mine);
}

static void make_key(void)
{
    pthread_key_create(&at_end, thread_ends);
}

bool diag_listen(void)
{
    if (list) return true;
    pthread_once(&once, make_key);
    if (cpl_diag_list_create(&list)) {
        PyErr_NoMemory();
        return false;
    }
    pthread_setspecific(at_end, list);
    cpl_diag_list_use(list);
    return true;
}

void diag_forget(void)
{
    cpl_diag_list_clear(list);
}

static PyObject *text_or_none(const char *text, size_t size)
{
    if (!text) Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "replace");
}

/* (severity, status, message, hint, file, line, column, length, text, notes); columns in bytes. */
static PyObject *tuple_of(const cpl_diag *d)
{
    PyObject *notes = PyList_New(0);
    for (size_t i = 0; notes && i < d->note_count; i++) {
        PyObject *note = tuple_of(cpl_diag_note(d, i));
        if (!note || PyList_Append(notes, note)) Py_CLEAR(notes);
        Py_XDECREF(note);
    }
    if (!notes) return NULL;
    return Py_BuildValue("(iiNNNIIINN)", (int)d->severity, (int)d->status,
                         text_or_none(d->message, strlen(d->message)),
                         text_or_none(d->hint, d->hint ? strlen(d->hint) : 0),
                         text_or_none(d->file, d->file ? strlen(d->file) : 0), d->line, d->column,
                         d->length, text_or_none(d->text, d->text_length), notes);
}

/* All that is on the thread's list, which is empty then. */
static PyObject *take_all(void)
{
    PyObject *all = PyList_New(0);
    for (size_t i = 0; all && i < cpl_diag_list_count(list); i++) {
        PyObject *one = tuple_of(cpl_diag_list_get(list, i));
        if (!one || PyList_Append(all, one)) Py_CLEAR(all);
        Py_XDECREF(one);
    }
    cpl_diag_list_clear(list);
    return all;
}

/* Calls cpl.errors.raised, which raises, or warns and returns. */
static bool hand_over(cpl_status status, const char *message, PyObject *what, PyObject *all)
{
    PyObject *errors = PyImport_ImportModule("cpl.errors");
    if (!errors) return false;
    PyObject *done = PyObject_CallMethod(errors, "raised", "isOO", (int)status, message,
                                         what ? what : Py_None, all);
    Py_DECREF(errors);
    Py_XDECREF(done);
    return done != NULL;
}

bool diag_check_keep(cpl_status status, PyObject *what, PyObject **unsaid)
{
    if (!status && !cpl_diag_list_count(list)) return true;
    if (PyErr_Occurred()) { /* a signal's handler raised while the call waited */
        cpl_diag_list_clear(list);
        return false;
    }
    PyObject *all = take_all();
    if (!all) return false;
    bool fine = hand_over(status, cpl_status_message(status), what, all);
    if (!fine && !status && unsaid) {
        PyObject *old = *unsaid;
        *unsaid = Py_NewRef(all);
        Py_XDECREF(old);
    }
    Py_DECREF(all);
    return fine;
}

bool diag_check(cpl_status status, PyObject *what)
{
    return diag_check_keep(status, what, NULL);
}

bool diag_say(PyObject *unsaid, PyObject *what)
{
    return hand_over(CPL_OK, "", what, unsaid);
}

bool diag_refuse(cpl_status status, const char *message, PyObject *what)
{
    PyObject *none = PyList_New(0);
    if (none) hand_over(status, message, what, none);
    Py_XDECREF(none);
    return false;
}
