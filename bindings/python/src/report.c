/* What a report of an error should say of where it happened: for python -m cpl. */
#include "binding.h"

/* Appends (key, text); text: a new reference, or NULL with an exception. */
static bool add(PyObject *rows, const char *key, PyObject *text)
{
    PyObject *row = Py_BuildValue("(sN)", key, text);
    bool fine = row && !PyList_Append(rows, row);
    Py_XDECREF(row);
    return fine;
}

typedef struct cached {
    unsigned long long count, bytes;
} cached;

static void see_entry(void *user, const cpl_cache_entry *e)
{
    cached *sum = user;
    sum->count++;
    sum->bytes += e->bytes;
}

static PyObject *cache_text(cpl_context *cx)
{
    const char *folder = cpl_cache_directory(cx);
    cached sum = {0, 0};
    if (!folder) return PyUnicode_FromString("none");
    if (!diag_check(cpl_cache_each(cx, see_entry, &sum), NULL)) return NULL;
    return PyUnicode_FromFormat("%s, %llu kernel%s, %llu bytes", folder, sum.count,
                                sum.count == 1 ? "" : "s", sum.bytes);
}

static bool add_devices(PyObject *rows, cpl_context *cx)
{
    for (size_t i = 0; i < cpl_device_count(cx); i++) {
        cpl_device_info d = {.size = sizeof d};
        if (!diag_check(cpl_device_info_get(cpl_device_get(cx, i), &d), NULL)) return false;
        PyObject *text = d.kind == CPL_DEVICE_HOST
                             ? PyUnicode_FromFormat("%u CPUs", (unsigned int)d.units)
                             : PyUnicode_FromFormat("%s, %s, %s", d.name, d.driver, d.target);
        if (!add(rows, d.label, text)) return false;
    }
    static const char *const names[] = {
#define DEVICE_KIND(name, number, text) #text,
#include <cpl/device.def>
#undef DEVICE_KIND
    };
    for (int kind = CPL_DEVICE_HOST + 1; kind < (int)(sizeof names / sizeof *names); kind++) {
        const char *why = cpl_device_absent(cx, (cpl_device_kind)kind);
        if (why && !add(rows, names[kind], PyUnicode_FromFormat("none: %s", why))) return false;
    }
    return true;
}

/* [(key, text), ...] */
PyObject *binding_report(PyObject *self, PyObject *none)
{
    (void)self, (void)none;
    cpl_context *cx = binding_context();
    PyObject *rows = cx && diag_listen() ? PyList_New(0) : NULL;
    if (!rows) return NULL;
    const char *openmp = cpl_openmp_path(cx);
    bool fine = add(rows, "openmp", PyUnicode_FromString(openmp ? openmp : "none")) &&
                add(rows, "cache", cache_text(cx)) && add_devices(rows, cx);
    if (!fine) Py_CLEAR(rows);
    return rows;
}
