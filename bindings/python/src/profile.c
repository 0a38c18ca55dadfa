/*
 * What the library records of launches, as rows and spans of Python: tuples, which cpl.profiling
 * gives names. Each is in the order of the public struct's members behind its size.
 */
#include "binding.h"

#include <stdio.h>

#define ROW_FORMAT  "issKKKKKKs"
#define SPAN_FORMAT "issIKKK"

/* What a visit fills; NULL once something failed. */
typedef PyObject *visited;

static void append(visited *list, PyObject *tuple)
{
    if (!tuple || PyList_Append(*list, tuple)) Py_CLEAR(*list);
    Py_XDECREF(tuple);
}

static void see_row(void *user, const cpl_profile_row *r)
{
    visited *rows = user;
    if (*rows)
        append(rows, Py_BuildValue(ROW_FORMAT, (int)r->what, r->name, r->device,
                                   (unsigned long long)r->count, (unsigned long long)r->device_ns,
                                   (unsigned long long)r->fastest_ns,
                                   (unsigned long long)r->slowest_ns, (unsigned long long)r->bytes,
                                   (unsigned long long)r->compile_ns, r->why));
}

static void see_span(void *user, const cpl_profile_span *s)
{
    visited *spans = user;
    if (*spans)
        append(spans, Py_BuildValue(SPAN_FORMAT, (int)s->what, s->name, s->device,
                                    (unsigned int)s->queue, (unsigned long long)s->begin_ns,
                                    (unsigned long long)s->end_ns, (unsigned long long)s->bytes));
}

static void see_nothing(void *user, const cpl_profile_row *row)
{
    (void)user, (void)row;
}

PyObject *binding_profile_enable(PyObject *self, PyObject *on)
{
    (void)self;
    int is_on = PyObject_IsTrue(on);
    cpl_context *cx = is_on < 0 ? NULL : binding_context();
    if (!cx || !deferred_settle_all() || !diag_listen()) return NULL;
    if (!diag_check(cpl_profile_enable(cx, is_on), NULL)) return NULL;
    Py_RETURN_NONE;
}

/* ([row, ...], [span, ...]) since the last one that was taken. */
PyObject *binding_profile_take(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    cpl_context *cx = binding_context();
    if (!cx || !deferred_settle_all() || !diag_listen()) return NULL;
    cpl_status status; /* waits for devices first, without the GIL */
    Py_BEGIN_ALLOW_THREADS status = cpl_profile_each_row(cx, see_nothing, NULL);
    Py_END_ALLOW_THREADS visited rows = PyList_New(0), spans = PyList_New(0);
    if (rows && spans && !status) {
        status = cpl_profile_each_row(cx, see_row, &rows);
        if (!status) status = cpl_profile_each_span(cx, see_span, &spans);
    }
    cpl_profile_clear(cx);
    PyObject *both =
        diag_check(status, NULL) && rows && spans ? PyTuple_Pack(2, rows, spans) : NULL;
    Py_XDECREF(rows);
    Py_XDECREF(spans);
    return both;
}

/* --- a file --- */

static bool read_row(cpl_profile_row *r, PyObject *tuple)
{
    int what;
    unsigned long long n[6];
    const char *why;
    if (!PyArg_ParseTuple(tuple, ROW_FORMAT, &what, &r->name, &r->device, &n[0], &n[1], &n[2],
                          &n[3], &n[4], &n[5], &why))
        return false;
    *r = (cpl_profile_row){.size = sizeof *r,
                           .what = (cpl_profile_what)what,
                           .name = r->name,
                           .device = r->device,
                           .count = n[0],
                           .device_ns = n[1],
                           .fastest_ns = n[2],
                           .slowest_ns = n[3],
                           .bytes = n[4],
                           .compile_ns = n[5]};
    snprintf(r->why, sizeof r->why, "%s", why);
    return true;
}

static bool read_span(cpl_profile_span *s, PyObject *tuple)
{
    int what;
    unsigned int queue;
    unsigned long long n[3];
    if (!PyArg_ParseTuple(tuple, SPAN_FORMAT, &what, &s->name, &s->device, &queue, &n[0], &n[1],
                          &n[2]))
        return false;
    *s =
        (cpl_profile_span){sizeof *s, (cpl_profile_what)what, s->name, s->device, queue, n[0], n[1],
                           n[2]};
    return true;
}

/* Texts live as long as the tuples that they come from. */
static bool read_records(cpl_profile_row *rows, cpl_profile_span *spans, PyObject *given,
                         PyObject *given_spans)
{
    bool fine = rows && spans;
    if (!fine) PyErr_NoMemory();
    for (Py_ssize_t i = 0; fine && i < PyList_Size(given); i++)
        fine = read_row(&rows[i], PyList_GetItem(given, i));
    for (Py_ssize_t i = 0; fine && i < PyList_Size(given_spans); i++)
        fine = read_span(&spans[i], PyList_GetItem(given_spans, i));
    return fine;
}

/* profile_write(format, path, rows, spans) */
PyObject *binding_profile_write(PyObject *self, PyObject *args)
{
    (void)self;
    int format;
    PyObject *path = NULL, *rows, *spans;
    cpl_context *cx = binding_context();
    if (!cx || !diag_listen() ||
        !PyArg_ParseTuple(args, "iO&O!O!", &format, PyUnicode_FSConverter, &path, &PyList_Type,
                          &rows, &PyList_Type, &spans))
        return NULL;
    cpl_profile_records r = {.size = sizeof r};
    r.row_count = (size_t)PyList_Size(rows);
    r.span_count = (size_t)PyList_Size(spans);
    cpl_profile_row *own_rows = PyMem_Calloc(r.row_count + 1, sizeof *own_rows);
    cpl_profile_span *own_spans = PyMem_Calloc(r.span_count + 1, sizeof *own_spans);
    bool fine = read_records(own_rows, own_spans, rows, spans);
    r.rows = own_rows;
    r.spans = own_spans;
    if (fine)
        fine = diag_check(cpl_profile_write_records(cx, &r, (cpl_profile_format)format,
                                                    PyBytes_AsString(path)),
                          NULL);
    PyMem_Free(own_rows);
    PyMem_Free(own_spans);
    Py_DECREF(path);
    if (!fine) return NULL;
    Py_RETURN_NONE;
}
