/*
 * What has to stay as it was when a function was read, compared at each call: what names stand for
 * in a dict or a cell, and the code and the defaults of functions, which may be replaced.
 */
#include "function.h"

/* --- what functions of Python hold --- */

/* The limited API has no names for these, and attributes cost more than all the rest of a guard:
 * where they lie is looked for once, in a function of which each is an object of its own. 0: not
 * found. */
static struct {
    const char *name;
    size_t at;
} slots[] = {{"__code__", 0}, {"__defaults__", 0}, {"__kwdefaults__", 0}};

static PyObject *word_at(const PyObject *function, size_t at)
{
    PyObject *word;
    memcpy(&word, (const char *)function + at, sizeof word);
    return word;
}

/* Where alone in an object of that size a value lies. */
static size_t place_in(const PyObject *function, size_t size, const PyObject *value)
{
    size_t found = 0;
    for (size_t at = sizeof(PyObject); at + sizeof value <= size; at += sizeof value) {
        if (word_at(function, at) != value) continue;
        if (found) return 0;
        found = at;
    }
    return found;
}

static PyObject *sample(void)
{
    PyObject *code = Py_CompileString("lambda a=0.5, *, b=0.5: a", "<cpl>", Py_eval_input);
    PyObject *names = PyDict_New();
    PyObject *function = code && names ? PyEval_EvalCode(code, names, names) : NULL;
    Py_XDECREF(code);
    Py_XDECREF(names);
    return function;
}

static size_t size_of(PyObject *function)
{
    PyObject *size = PyObject_GetAttrString((PyObject *)Py_TYPE(function), "__basicsize__");
    size_t bytes = size ? PyLong_AsSize_t(size) : 0;
    Py_XDECREF(size);
    return PyErr_Occurred() ? 0 : bytes;
}

static PyTypeObject *python_function; /* NULL: not asked for yet */

static bool find_slots(void)
{
    PyObject *function = python_function ? NULL : sample();
    if (!function) return python_function != NULL;
    size_t size = size_of(function);
    for (size_t i = 0; size && i < COUNT_OF(slots); i++) {
        PyObject *value = PyObject_GetAttrString(function, slots[i].name);
        slots[i].at = value ? place_in(function, size, value) : 0;
        Py_XDECREF(value);
    }
    python_function = Py_TYPE(function);
    Py_DECREF(function);
    return !PyErr_Occurred();
}

/* Of no defaults a function has no object. */
static void use_slot(guard *g)
{
    for (size_t i = 0; i < COUNT_OF(slots); i++)
        if (slots[i].at && PyUnicode_CompareWithASCIIString(g->key, slots[i].name) == 0) {
            g->kind = GUARD_SLOT;
            g->slot = (PyObject *const *)((const char *)g->holder + slots[i].at);
            if (g->value == Py_None) g->value = NULL;
        }
}

/* --- guards --- */

static bool holds_attribute(const guard *g)
{
    PyObject *now = PyObject_GetAttr(g->holder, g->key);
    Py_XDECREF(now); /* the holder keeps it */
    if (!now) PyErr_Clear();
    return now == g->value;
}

/* Of a list or array, which the method that the key names tells as a text or as bytes. */
static bool holds_numbers(const guard *g)
{
    PyObject *now = PyObject_CallMethodObjArgs(g->holder, g->key, NULL);
    int same = now ? PyObject_RichCompareBool(now, g->value, Py_EQ) : -1;
    Py_XDECREF(now);
    if (same < 0) PyErr_Clear();
    return same > 0;
}

static bool holds(const guard *g)
{
    if (g->kind == GUARD_SLOT) return *g->slot == g->value;
    switch (g->kind) {
    case GUARD_DICT: return PyDict_GetItemWithError(g->holder, g->key) == g->value;
    case GUARD_NUMBERS: return holds_numbers(g);
    default: return holds_attribute(g);
    }
}

bool guards_hold(const guards *g)
{
    for (size_t i = 0; i < g->count; i++)
        if (!holds(&g->rows[i])) return false;
    return true;
}

/* Interned, as it is asked for in each call. */
static PyObject *content_name(void)
{
    static PyObject *name;
    if (!name) name = PyUnicode_InternFromString("cell_contents");
    return name;
}

static void take(guard *g)
{
    bool numbers = PyList_Check(g->holder) || (g->value && PyBytes_Check(g->value));
    g->kind = PyDict_Check(g->holder)        ? GUARD_DICT
              : numbers && g->key != Py_None ? GUARD_NUMBERS
                                             : GUARD_ATTRIBUTE;
    if (g->key == Py_None) g->key = content_name();
    else if (Py_TYPE(g->holder) == python_function) use_slot(g);
    Py_INCREF(g->holder);
    Py_XINCREF(g->key);
    Py_XINCREF(g->value);
}

static bool has(const guards *g, const guard *row)
{
    for (size_t i = 0; i < g->count; i++) {
        const guard *other = &g->rows[i];
        PyObject *value = other->kind == GUARD_SLOT && !other->value ? Py_None : other->value;
        if (other->holder == row->holder && other->key == row->key && value == row->value)
            return true;
    }
    return false;
}

bool guards_take(guards *g, PyObject *rows, const guards *known)
{
    size_t count = (size_t)PyTuple_Size(rows);
    *g = (guards){.rows = PyMem_Calloc(count + 1, sizeof *g->rows)};
    if (!g->rows) PyErr_NoMemory();
    if (!g->rows || !find_slots()) return false;
    for (size_t i = 0; i < count; i++) {
        guard *row = &g->rows[g->count];
        row->value = NULL;
        if (!PyArg_ParseTuple(PyTuple_GetItem(rows, (Py_ssize_t)i), "OO|O", &row->holder, &row->key,
                              &row->value))
            return false;
        if (has(known, row)) continue;
        take(row);
        g->count++;
    }
    return true;
}

int guards_visit(const guards *g, visitproc visit, void *arg)
{
    for (size_t i = 0; i < g->count; i++) {
        Py_VISIT(g->rows[i].holder);
        Py_VISIT(g->rows[i].value);
    }
    return 0;
}

void guards_free(guards *g)
{
    guards old = *g; /* what is let go of may call functions */
    *g = (guards){0};
    for (size_t i = 0; i < old.count; i++) {
        Py_DECREF(old.rows[i].holder);
        Py_XDECREF(old.rows[i].key);
        Py_XDECREF(old.rows[i].value);
    }
    PyMem_Free(old.rows);
}
