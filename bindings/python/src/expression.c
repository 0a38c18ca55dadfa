/*
 * Expressions as objects: nodes that hold what is below them. Who writes a kernel for one asks for
 * its form, which is what trees alike have alike, and for its leaves.
 */
#include "expression.h"

static PyTypeObject *expression_type;

/* --- memory: nodes come and go with each statement --- */

enum { MOST_KEPT = 64 };

static expression *kept[MOST_KEPT];
static size_t kept_count;

static expression *node_alloc(void)
{
    void *at = kept_count ? kept[--kept_count] : PyObject_Malloc(sizeof(expression));
    if (!at) return (expression *)PyErr_NoMemory();
    return (expression *)PyObject_Init(at, expression_type);
}

static void node_free(PyObject *self)
{
    expression *e = (expression *)self;
    for (size_t i = 0; i < e->count; i++) Py_XDECREF(e->operands[i].object);
    if (kept_count < MOST_KEPT) kept[kept_count++] = e;
    else PyObject_Free(e);
    Py_DECREF(expression_type);
}

/* --- texts --- */

PyObject *expression_text(PyObject *text)
{
    static PyObject *texts;
    if (!texts && !(texts = PyDict_New())) return NULL;
    PyObject *found = PyDict_GetItemWithError(texts, text);
    if (found || PyErr_Occurred()) return found;
    return PyDict_SetItem(texts, text, text) ? NULL : text;
}

/* --- making them --- */

bool expression_check(PyObject *object)
{
    return object && Py_TYPE(object) == expression_type;
}

/* What is computed along with what uses it, of an operand that is an array: nothing that another
 * use has computed too, that would be computed again for each row, or that there is no room for.
 * Those are computed now: false with an exception. */
static bool take_in(expression *e, PyObject **object, size_t room, int dims, const int64_t *shape)
{
    array_object *a = (array_object *)*object;
    expression *under = deferred_expression(a);
    if (!under) return true;
    bool fits = !under->is_used && array_has_shape(array_info(a), dims, shape) &&
                e->leaves + under->leaves <= room &&
                e->operations + under->operations <= MOST_OPERATIONS;
    if (!fits) return deferred_settle(a);
    *object = (PyObject *)under;
    e->leaves += under->leaves;
    e->operations += under->operations;
    return true;
}

/* Where its arrays live, with those of one more operand. */
static void place_with(expression *e, PyObject *object)
{
    const bool is_under = expression_check(object);
    const expression *under = is_under ? (expression *)object : NULL;
    if (!object || (is_under ? !under->has_arrays : !array_check(object))) return;
    const uint32_t place = is_under ? under->place : ((array_object *)object)->place;
    e->is_in_places |= (is_under && under->is_in_places) || (e->has_arrays && e->place != place);
    e->has_arrays = true;
    e->place = place;
}

expression *expression_new(PyObject *text, const operand *operands, size_t count, int dims,
                           const int64_t *shape)
{
    expression *e = node_alloc();
    if (!e) return NULL;
    e->text = text;
    e->leaves = 0;
    e->operations = 1;
    e->count = 0;
    e->is_used = e->is_in_places = e->has_arrays = false;
    e->place = 0;
    for (size_t i = 0; i < count; i++) {
        operand o = operands[i];
        if (o.object && array_check(o.object) &&
            !take_in(e, &o.object, MOST_LEAVES - count, dims, shape)) {
            Py_DECREF((PyObject *)e);
            return NULL;
        }
        if (!expression_check(o.object)) e->leaves++;
        place_with(e, o.object);
        Py_XINCREF(o.object);
        e->operands[e->count++] = o;
    }
    for (size_t i = 0; i < count; i++) {
        PyObject *under = e->operands[i].object;
        if (expression_check(under)) ((expression *)under)->is_used = true;
    }
    return e;
}

bool expression_leaves(const expression *e, bool (*take)(PyObject *leaf, void *user), void *user)
{
    for (size_t i = 0; i < e->count; i++) {
        PyObject *o = e->operands[i].object;
        if (expression_check(o) ? !expression_leaves((expression *)o, take, user)
                                : o && !take(o, user))
            return false;
    }
    return true;
}

/* --- for cpl/expressions.py --- */

/* (text, form or None, ...): None stands for a leaf. */
static PyObject *form_of(PyObject *self, void *unused)
{
    const expression *e = (expression *)self;
    PyObject *form = PyTuple_New((Py_ssize_t)e->count + 1);
    if (form) PyTuple_SetItem(form, 0, Py_NewRef(e->text));
    for (size_t i = 0; form && i < e->count; i++) {
        PyObject *o = e->operands[i].object;
        PyObject *below = expression_check(o) ? form_of(o, unused) : Py_NewRef(Py_None);
        if (!below || PyTuple_SetItem(form, (Py_ssize_t)i + 1, below)) Py_CLEAR(form);
    }
    return form;
}

static bool add_leaves(const expression *e, PyObject *list)
{
    for (size_t i = 0; i < e->count; i++) {
        const operand *o = &e->operands[i];
        if (expression_check(o->object)) {
            if (!add_leaves((expression *)o->object, list)) return false;
            continue;
        }
        PyObject *leaf = o->object ? Py_NewRef(o->object) : number_object(o);
        bool fine = leaf && !PyList_Append(list, leaf);
        Py_XDECREF(leaf);
        if (!fine) return false;
    }
    return true;
}

static PyObject *leaves_of(PyObject *self, void *unused)
{
    (void)unused;
    PyObject *list = PyList_New(0);
    PyObject *all = list && add_leaves((expression *)self, list) ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return all;
}

/* Scalars of NumPy's are kept as numbers where they are such. */
static void fill_operand(operand *o, PyObject *value)
{
    cpl_dtype dtype = array_check(value) ? CPL_VOID : number_dtype(value);
    if (!dtype || !number_as(value, dtype, o)) *o = (operand){.object = value};
}

/* Of a text, a tuple of operands and a shape: borrowed operands. */
static expression *of_tuples(PyObject *text, PyObject *values, PyObject *shape)
{
    operand operands[MOST_OPERANDS];
    cpl_array_options o;
    cpl_array_options_init(&o);
    Py_ssize_t count = PyTuple_Size(values);
    if (count > MOST_OPERANDS) {
        PyErr_SetString(PyExc_TypeError, "too many operands");
        return NULL;
    }
    if (!(text = expression_text(text)) || !array_shape_of(shape, &o)) return NULL;
    for (Py_ssize_t i = 0; i < count; i++) fill_operand(&operands[i], PyTuple_GetItem(values, i));
    return expression_new(text, operands, (size_t)count, o.dims, o.shape);
}

/* operation(text, operands, shape): an expression */
static PyObject *operation(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *text, *values, *shape;
    if (!PyArg_ParseTuple(args, "UO!O!", &text, &PyTuple_Type, &values, &PyTuple_Type, &shape))
        return NULL;
    return (PyObject *)of_tuples(text, values, shape);
}

/* defer(text, operands, shape, dtype, beside): an array that is computed later, of numbers, where
 * another one lives. */
static PyObject *defer(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *text, *values, *shape, *dtype, *beside;
    cpl_array_options o;
    cpl_array_options_init(&o);
    if (!PyArg_ParseTuple(args, "UO!O!OO!", &text, &PyTuple_Type, &values, &PyTuple_Type, &shape,
                          &dtype, array_type, &beside) ||
        !array_elements_of(dtype, &o) || !array_shape_of(shape, &o))
        return NULL;
    expression *e = of_tuples(text, values, shape);
    return e ? deferred_array(e, o.dtype, o.dims, o.shape, (array_object *)beside) : NULL;
}

/* compute(expression, array): its elements */
static PyObject *compute(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *e, *to;
    if (!PyArg_ParseTuple(args, "O!O!", expression_type, &e, array_type, &to)) return NULL;
    bool fine = array_written(to) && expression_compute((expression *)e, (array_object *)to);
    return fine ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef functions[] = {
    {"operation", operation, METH_VARARGS, "operation(text, operands, shape): an expression"},
    {"defer", defer, METH_VARARGS, "defer(text, operands, shape, dtype, beside): an array"},
    {"compute", compute, METH_VARARGS, "compute(expression, array): its elements"},
    {0},
};

static PyGetSetDef attributes[] = {
    {"form", form_of, NULL, "(text, form or None for a leaf, ...)", NULL},
    {"leaves", leaves_of, NULL, "arrays and numbers, in order", NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, node_free},
    {Py_tp_getset, attributes},
    {Py_tp_doc, "A tree of operations with its leaves, in order."},
    {0, NULL},
};
static PyType_Spec spec = {"cpl._cpl.Expression", sizeof(expression), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE |
                               Py_TPFLAGS_DISALLOW_INSTANTIATION,
                           slots};

bool binding_init_expression(PyObject *m)
{
    expression_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return expression_type && !PyModule_AddType(m, expression_type) &&
           !PyModule_AddFunctions(m, functions);
}
