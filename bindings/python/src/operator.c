/*
 * What arrays do by themselves: operators, and indices that are slices and numbers. What an
 * operator does with operands of two types is asked once, of cpl/elements.py; what is not so plain,
 * as of several shapes, goes there as it comes.
 */
#include "expression.h"

/* In the order of cpl.elements.OPERATORS, which has others of NumPy's behind these. */
typedef enum operation {
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_FLOOR_DIVIDE,
    OP_REMAINDER,
    OP_AND,
    OP_OR,
    OP_XOR,
    OP_LEFT_SHIFT,
    OP_RIGHT_SHIFT,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_NEGATIVE,
    OP_POSITIVE,
    OP_ABSOLUTE,
    OP_INVERT,
    OP_POWER,
    OP_SQUARE,
    OP_SQUARE_ROOT,
    OP_RECIPROCAL,
    MOST_OPERATORS = 128,
} operation;

/* Functions of Python's: resolve(operation, types), apply(operation, operands, in place),
 * get(array, key), put(array, key, value), assign(array, value) */
static PyObject *resolve, *apply, *get, *put, *assign;

/* --- what operators do --- */

/* Kinds of operands: 0 is of what Python looks at; then dtypes of arrays, dtypes of scalars. */
enum {
    KIND_SCALAR = CPL_DTYPE_COUNT,
    KIND_INT = 2 * CPL_DTYPE_COUNT,
    KIND_FLOAT,
    KIND_COUNT,
};

enum { MOST_TAKEN = 3 }; /* operands */

/* What an operator does with operands of two kinds: of three, whatever kind the first one is. */
typedef struct rule {
    enum { NOT_ASKED, BY_RULE, BY_PYTHON } state;
    cpl_dtype result, as[MOST_TAKEN]; /* as: of those that are numbers */
    PyObject *text;
} rule;

static rule *rules[MOST_OPERATORS]; /* [KIND_COUNT*KIND_COUNT] */

static unsigned kind_of(PyObject *x)
{
    if (Py_TYPE(x) == array_class) {
        const array_object *a = (array_object *)x;
        return a->process == binding_process ? a->dtype : 0;
    }
    if (PyFloat_CheckExact(x)) return KIND_FLOAT;
    if (PyLong_CheckExact(x)) return KIND_INT;
    if (PyBool_Check(x)) return KIND_SCALAR + CPL_BOOL;
    cpl_dtype dtype = number_dtype(x);
    return dtype ? KIND_SCALAR + (unsigned)dtype : 0;
}

/* What stands for a kind in Python: a dtype of arrays, a class of numbers. */
static PyObject *type_of(unsigned kind)
{
    if (kind == KIND_INT) return Py_NewRef((PyObject *)&PyLong_Type);
    if (kind == KIND_FLOAT) return Py_NewRef((PyObject *)&PyFloat_Type);
    PyArray_Descr *dtype = types_number_dtype((cpl_dtype)(kind % KIND_SCALAR));
    if (!dtype || kind < KIND_SCALAR) return (PyObject *)dtype;
    PyObject *class = Py_NewRef((PyObject *)dtype->typeobj);
    Py_DECREF((PyObject *)dtype);
    return class;
}

static cpl_dtype dtype_of(PyObject *dtype)
{
    return types_number(((PyArray_Descr *)dtype)->type_num);
}

/* From (text, result, (dtype, ...)); of None, and of what is refused, nothing is known. */
static void fill_rule(rule *r, PyObject *said)
{
    PyObject *text, *result, *as;
    r->state = BY_PYTHON;
    if (!said || said == Py_None) return;
    if (!PyArg_ParseTuple(said, "UOO!", &text, &result, &PyTuple_Type, &as)) return;
    if (!(r->text = expression_text(text))) return;
    r->result = dtype_of(result);
    for (Py_ssize_t i = 0; i < PyTuple_Size(as); i++) r->as[i] = dtype_of(PyTuple_GetItem(as, i));
    if (r->result) r->state = BY_RULE;
}

/* NULL: Python looks at it. b: 0 of one operand. */
static const rule *rule_of(operation op, unsigned a, unsigned b)
{
    if (!rules[op]) rules[op] = PyMem_Calloc(KIND_COUNT * KIND_COUNT, sizeof **rules);
    if (!a || !rules[op]) return NULL;
    rule *r = &rules[op][a * KIND_COUNT + b];
    if (r->state == NOT_ASKED) {
        PyObject *types =
            b ? Py_BuildValue("(NN)", type_of(a), type_of(b)) : Py_BuildValue("(N)", type_of(a));
        PyObject *said = types ? PyObject_CallFunction(resolve, "iN", (int)op, types) : NULL;
        fill_rule(r, said);
        Py_XDECREF(said);
        PyErr_Clear();
    }
    return r->state == BY_RULE ? r : NULL;
}

/* --- operators --- */

/* What an operation makes: beside the first of its arrays, of the shape that fits all of them. */
typedef struct outcome {
    array_object *beside;
    int dims;
    int64_t shape[CPL_MAX_DIMS];
} outcome;

/* Lays an array's shape over that of those before it. False: they do not fit. */
static bool fit(outcome *o, const cpl_array_info *info)
{
    int more = info->dims - o->dims;
    if (more > 0) {
        memmove(o->shape + more, o->shape, (size_t)o->dims * sizeof *o->shape);
        memcpy(o->shape, info->shape, (size_t)more * sizeof *o->shape);
        o->dims = info->dims;
    }
    int64_t *shape = o->shape + o->dims - info->dims;
    for (int d = more > 0 ? more : 0; d < info->dims; d++) {
        if (shape[d] == info->shape[d] || info->shape[d] == 1) continue;
        if (shape[d] != 1) return false;
        shape[d] = info->shape[d];
    }
    return true;
}

/* The operation by a rule. NULL without an exception: Python looks at it. */
static expression *build(const rule *r, PyObject *const *objects, size_t count, outcome *o)
{
    operand operands[MOST_TAKEN];
    o->beside = NULL;
    o->dims = 0;
    for (size_t i = 0; i < count; i++) {
        if (Py_TYPE(objects[i]) != array_class) {
            if (!number_as(objects[i], r->as[i], &operands[i])) return NULL;
            continue;
        }
        operands[i] = (operand){.object = objects[i]};
        const cpl_array_info *info = array_info((array_object *)objects[i]);
        if (!info || !fit(o, info)) return NULL;
        if (!o->beside) o->beside = (array_object *)objects[i];
    }
    if (!o->beside) return NULL;
    return expression_new(r->text, operands, count, o->dims, o->shape);
}

static PyObject *by_python(operation op, PyObject *const *objects, size_t count, bool in_place)
{
    PyObject *operands =
        count == 2 ? PyTuple_Pack(2, objects[0], objects[1]) : PyTuple_Pack(1, objects[0]);
    return operands ? PyObject_CallFunction(apply, "iNi", (int)op, operands, in_place) : NULL;
}

/* The rule for up to three operands; NULL: Python looks at them. */
static const rule *rule_for(operation op, PyObject *const *objects, size_t count)
{
    PyObject *const *last = &objects[count == MOST_TAKEN ? 1 : 0];
    unsigned a = kind_of(last[0]), b = count > 1 ? kind_of(last[1]) : 0;
    return count > 1 && !b ? NULL : rule_of(op, a, b);
}

/* NULL without an exception: Python looks at it. */
static PyObject *operate_by_rule(operation op, PyObject *const *objects, size_t count)
{
    const rule *r = rule_for(op, objects, count);
    outcome o;
    expression *e = r ? build(r, objects, count, &o) : NULL;
    return e ? deferred_array(e, r->result, o.dims, o.shape, o.beside) : NULL;
}

static PyObject *operate(operation op, PyObject *const *objects, size_t count)
{
    PyObject *made = operate_by_rule(op, objects, count);
    return made || PyErr_Occurred() ? made : by_python(op, objects, count, false);
}

/* The first one becomes the result. */
static PyObject *operate_in_place(operation op, PyObject *const *objects, size_t count)
{
    const rule *r = rule_for(op, objects, count);
    array_object *to = (array_object *)objects[0];
    outcome o;
    if (!r || (unsigned)r->result != to->dtype) return by_python(op, objects, count, true);
    if (!array_written(objects[0])) return NULL;
    expression *e = build(r, objects, count, &o);
    if (!e) return PyErr_Occurred() ? NULL : by_python(op, objects, count, true);
    const cpl_array_info *info = array_info(to);
    if (!info || !array_has_shape(info, o.dims, o.shape)) { /* it says why not */
        Py_DECREF((PyObject *)e);
        return by_python(op, objects, count, true);
    }
    bool fine = expression_compute(e, to);
    Py_DECREF((PyObject *)e);
    return fine ? Py_NewRef(objects[0]) : NULL;
}

#define BINARY(name, op)                                                                           \
    static PyObject *name(PyObject *a, PyObject *b)                                                \
    {                                                                                              \
        return operate(op, (PyObject *const[]){a, b}, 2);                                          \
    }                                                                                              \
    static PyObject *name##_in_place(PyObject *a, PyObject *b)                                     \
    {                                                                                              \
        return operate_in_place(op, (PyObject *const[]){a, b}, 2);                                 \
    }

BINARY(add, OP_ADD)
BINARY(subtract, OP_SUBTRACT)
BINARY(multiply, OP_MULTIPLY)
BINARY(divide, OP_DIVIDE)
BINARY(floor_divide, OP_FLOOR_DIVIDE)
BINARY(remainder_of, OP_REMAINDER)
BINARY(and_of, OP_AND)
BINARY(or_of, OP_OR)
BINARY(xor_of, OP_XOR)
BINARY(left_shift, OP_LEFT_SHIFT)
BINARY(right_shift, OP_RIGHT_SHIFT)

#define UNARY(name, op)                                                                            \
    static PyObject *name(PyObject *a)                                                             \
    {                                                                                              \
        return operate(op, &a, 1);                                                                 \
    }

UNARY(negative, OP_NEGATIVE)
UNARY(positive, OP_POSITIVE)
UNARY(absolute, OP_ABSOLUTE)
UNARY(invert, OP_INVERT)

/* Powers that NumPy has other functions for, of floats and complex numbers; of integers the first
 * two, of bools the first. */
static operation power_for(PyObject *base, PyObject *exponent)
{
    static const struct {
        double exponent;
        operation op;
    } known[] = {{2, OP_SQUARE}, {1, OP_POSITIVE}, {0.5, OP_SQUARE_ROOT}, {-1, OP_RECIPROCAL}};
    bool is_whole = PyLong_CheckExact(exponent);
    if (!array_check(base) || (!is_whole && !PyFloat_CheckExact(exponent))) return OP_POWER;
    double value = PyFloat_AsDouble(exponent);
    if (PyErr_Occurred()) PyErr_Clear(); /* it is too large */
    const unsigned dtype = ((array_object *)base)->dtype;
    bool is_complex = dtype == CPL_COMPLEX64 || dtype == CPL_COMPLEX128;
    bool is_float = (dtype >= CPL_FLOAT16 && dtype <= CPL_FLOAT64) || is_complex;
    bool is_integer = dtype >= CPL_INT8 && dtype <= CPL_UINT64;
    if (!is_float && (!is_whole || (!is_integer && dtype != CPL_BOOL))) return OP_POWER;
    size_t count = is_float ? COUNT_OF(known) : is_integer ? 2 : 1;
    for (size_t i = 0; i < count; i++)
        if (known[i].exponent == value) return known[i].op;
    return OP_POWER;
}

static PyObject *power_by(PyObject *a, PyObject *b, PyObject *modulus,
                          PyObject *(*how)(operation op, PyObject *const *objects, size_t count))
{
    if (modulus != Py_None) return Py_NewRef(Py_NotImplemented);
    operation op = power_for(a, b);
    return how(op, (PyObject *const[]){a, b}, op == OP_POWER ? 2 : 1);
}

static PyObject *power(PyObject *a, PyObject *b, PyObject *modulus)
{
    return power_by(a, b, modulus, operate);
}

static PyObject *power_in_place(PyObject *a, PyObject *b, PyObject *modulus)
{
    return power_by(a, b, modulus, operate_in_place);
}

static PyObject *compare(PyObject *a, PyObject *b, int how)
{
    static const operation operations[] = {
        [Py_LT] = OP_LESS,      [Py_LE] = OP_LESS_EQUAL, [Py_EQ] = OP_EQUAL,
        [Py_NE] = OP_NOT_EQUAL, [Py_GT] = OP_GREATER,    [Py_GE] = OP_GREATER_EQUAL,
    };
    return operate(operations[how], (PyObject *const[]){a, b}, 2);
}

/* --- indices --- */

enum { MOST_SLICES = 2 * CPL_MAX_DIMS };

static bool slice_of(PyObject *index, cpl_slice *s)
{
    *s = cpl_slice_all();
    if (PySlice_Check(index)) {
        Py_ssize_t start, stop, step;
        if (PySlice_Unpack(index, &start, &stop, &step)) return false;
        *s = cpl_slice_range(start, stop, step);
        return true;
    }
    if (index == Py_None) s->kind = CPL_SLICE_NEW;
    else if (index == Py_Ellipsis) s->kind = CPL_SLICE_REST;
    else if (PyLong_CheckExact(index)) *s = cpl_slice_at(PyLong_AsLongLong(index));
    else return false;
    return !PyErr_Occurred();
}

/* How many slices a key is; -1: Python looks at it. */
static int slices_of(PyObject *key, cpl_slice *slices)
{
    Py_ssize_t count = PyTuple_Check(key) ? PyTuple_Size(key) : 1;
    if (count > MOST_SLICES) return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *index = PyTuple_Check(key) ? PyTuple_GetItem(key, i) : key;
        if (slice_of(index, &slices[i])) continue;
        PyErr_Clear(); /* it is said there */
        return -1;
    }
    return (int)count;
}

/* Whether slices pick all. */
static bool is_whole(const cpl_slice *s, int count, int dims)
{
    if (count != 1 || !dims) return false;
    if (s->kind == CPL_SLICE_REST) return true;
    return s->kind == CPL_SLICE_RANGE && s->step == 1 && s->stop == INT64_MAX &&
           (!s->start || s->start == CPL_SLICE_NONE);
}

/* The text of an expression that is its operand. */
static PyObject *same_text(void)
{
    static PyObject *text;
    PyObject *same = text ? NULL : PyUnicode_InternFromString("a");
    if (same) text = expression_text(same);
    return text;
}

/* Of the host, where reading one is cheap. */
static PyObject *element_read(const array_object *view, const cpl_array_info *info)
{
    uint64_t value[2]; /* of a complex number too */
    cpl_array *made;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = info->dtype;
    o.uninitialized = true;
    if (!diag_check(cpl_array_read(view->array, NULL, value, NULL), NULL) ||
        !diag_check(cpl_array_create_with(binding_context(), info->home, &o, &made), NULL))
        return NULL;
    PyObject *element = array_object_of(made, NULL);
    if (element && diag_check(cpl_array_write(made, NULL, value, NULL), NULL)) return element;
    Py_XDECREF(element);
    return NULL;
}

/* An element by its indices alone is a number in NumPy: it stays what it is when the array is
 * written. Takes over the view. */
static PyObject *element_of(PyObject *view)
{
    array_object *a = (array_object *)view;
    PyObject *element = NULL, *text = same_text();
    operand o = {.object = view};
    const cpl_array_info *info = array_info(a);
    if (info && text && !a->place) element = element_read(a, info);
    else if (info && text) {
        expression *e = expression_new(text, &o, 1, 0, info->shape);
        if (e) element = deferred_array(e, info->dtype, 0, info->shape, a);
    }
    Py_DECREF(view);
    return element;
}

/* Whether they pick one element, by indices alone. */
static bool is_element(const cpl_slice *s, int count, int dims)
{
    for (int i = 0; i < count; i++)
        if (s[i].kind != CPL_SLICE_INDEX) return false;
    return dims && count == dims;
}

/* NULL without an exception: Python looks at it. to_write: what is put there goes to the array. */
static PyObject *part_of(PyObject *self, PyObject *key, bool to_write)
{
    cpl_slice slices[MOST_SLICES];
    cpl_array *view;
    array_object *a = (array_object *)self;
    int count = a->dtype ? slices_of(key, slices) : -1;
    if (count < 0) return NULL;
    const cpl_array_info *info = array_of_object(self) ? array_info(a) : NULL;
    if (!info) return NULL;
    if (to_write && is_whole(slices, count, info->dims)) return Py_NewRef(self);
    if (cpl_array_slice(a->array, slices, (size_t)count, &view)) {
        diag_forget(); /* it is said there */
        return NULL;
    }
    PyObject *part = array_part_of(a, view);
    return part && !to_write && is_element(slices, count, info->dims) ? element_of(part) : part;
}

static PyObject *get_part(PyObject *self, PyObject *key)
{
    PyObject *part = part_of(self, key, false);
    return part || PyErr_Occurred() ? part : PyObject_CallFunction(get, "OO", self, key);
}

/* For who takes arrays as sequences. */
static PyObject *item(PyObject *self, Py_ssize_t index)
{
    PyObject *key = PyLong_FromSsize_t(index);
    PyObject *part = key ? get_part(self, key) : NULL;
    Py_XDECREF(key);
    return part;
}

/* The value as an expression; NULL without an exception: Python looks at it. */
static expression *value_of(array_object *to, PyObject *value)
{
    operand o = {.object = value};
    PyObject *text = same_text();
    const cpl_array_info *info = array_info(to), *own;
    if (!text || !info) return NULL;
    if (Py_TYPE(value) == array_class) {
        array_object *a = (array_object *)value;
        outcome filled = {.dims = info->dims};
        memcpy(filled.shape, info->shape, (size_t)info->dims * sizeof *info->shape);
        if (a->dtype != to->dtype || a->process != binding_process || !(own = array_info(a)) ||
            !fit(&filled, own) || !array_has_shape(info, filled.dims, filled.shape))
            return NULL;
        expression *computed = deferred_expression(a);
        if (computed && !computed->is_used && array_has_shape(own, info->dims, info->shape)) {
            computed->is_used = true;
            return (expression *)Py_NewRef((PyObject *)computed);
        }
    } else if (!number_as(value, (cpl_dtype)to->dtype, &o)) {
        return NULL;
    }
    return expression_new(text, &o, 1, info->dims, info->shape);
}

/* a[:] = (a + b)*c: the elements that are read are those that are written, so what waits goes
 * there at once, and whoever has the value reads it from there. NULL: it is something else. */
static expression *copy_of_put(array_object *to, PyObject *value)
{
    if (Py_TYPE(value) != array_class || to->is_readonly) return NULL;
    array_object *a = (array_object *)value;
    const expression *e = a->process == binding_process ? deferred_expression(a) : NULL;
    if (!e || e->is_used || a->dtype != to->dtype || a->place != to->place) return NULL;
    const cpl_array_info *info = array_info(to), *own = array_info(a);
    if (!info || !own || !array_has_shape(own, info->dims, info->shape) || !deferred_reads(a, to))
        return NULL;
    operand o = {.object = (PyObject *)to};
    PyObject *text = same_text();
    return text ? expression_new(text, &o, 1, info->dims, info->shape) : NULL;
}

static bool put_value(PyObject *to, PyObject *value)
{
    expression *e = copy_of_put((array_object *)to, value);
    if (e) {
        bool fine = deferred_put((array_object *)value, (array_object *)to, e);
        Py_DECREF((PyObject *)e);
        return fine;
    }
    if (PyErr_Occurred()) return false;
    if (array_written(to)) e = value_of((array_object *)to, value);
    if (PyErr_Occurred()) return false;
    if (e) {
        bool fine = expression_compute(e, (array_object *)to);
        Py_DECREF((PyObject *)e);
        return fine;
    }
    PyObject *done = PyObject_CallFunction(assign, "OO", to, value);
    Py_XDECREF(done);
    return done != NULL;
}

static int put_part(PyObject *self, PyObject *key, PyObject *value)
{
    if (!value) {
        PyErr_SetString(PyExc_ValueError, "cannot delete array elements");
        return -1;
    }
    PyObject *to = part_of(self, key, true);
    if (to) {
        bool fine = put_value(to, value);
        Py_DECREF(to);
        return fine ? 0 : -1;
    }
    PyObject *done = PyErr_Occurred() ? NULL : PyObject_CallFunction(put, "OOO", self, key, value);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

/* --- the type's --- */

PyType_Slot operator_slots[] = {
    {Py_nb_add, add},
    {Py_nb_subtract, subtract},
    {Py_nb_multiply, multiply},
    {Py_nb_true_divide, divide},
    {Py_nb_floor_divide, floor_divide},
    {Py_nb_remainder, remainder_of},
    {Py_nb_power, power},
    {Py_nb_and, and_of},
    {Py_nb_or, or_of},
    {Py_nb_xor, xor_of},
    {Py_nb_lshift, left_shift},
    {Py_nb_rshift, right_shift},
    {Py_nb_inplace_add, add_in_place},
    {Py_nb_inplace_subtract, subtract_in_place},
    {Py_nb_inplace_multiply, multiply_in_place},
    {Py_nb_inplace_true_divide, divide_in_place},
    {Py_nb_inplace_floor_divide, floor_divide_in_place},
    {Py_nb_inplace_remainder, remainder_of_in_place},
    {Py_nb_inplace_power, power_in_place},
    {Py_nb_inplace_and, and_of_in_place},
    {Py_nb_inplace_or, or_of_in_place},
    {Py_nb_inplace_xor, xor_of_in_place},
    {Py_nb_inplace_lshift, left_shift_in_place},
    {Py_nb_inplace_rshift, right_shift_in_place},
    {Py_nb_negative, negative},
    {Py_nb_positive, positive},
    {Py_nb_absolute, absolute},
    {Py_nb_invert, invert},
    {Py_tp_richcompare, compare},
    {Py_tp_hash, PyObject_HashNotImplemented},
    {Py_sq_item, item},
    {Py_mp_subscript, get_part},
    {Py_mp_ass_subscript, put_part},
    {0, NULL},
};

/* operators(resolve, apply, get, put, assign): whom to ask */
static PyObject *operators(PyObject *self, PyObject *args)
{
    (void)self;
    if (!PyArg_ParseTuple(args, "OOOOO", &resolve, &apply, &get, &put, &assign)) return NULL;
    Py_INCREF(args); /* they stay */
    Py_RETURN_NONE;
}

/* operate(which, operands): what an operator or another of those functions makes of them, or None,
 * where it takes a look at more than their types. */
static PyObject *operate_known(PyObject *self, PyObject *args)
{
    (void)self;
    int which;
    PyObject *operands, *objects[MOST_TAKEN];
    if (!PyArg_ParseTuple(args, "iO!", &which, &PyTuple_Type, &operands)) return NULL;
    Py_ssize_t count = PyTuple_Size(operands);
    if (which < 0 || which >= MOST_OPERATORS || !count || count > MOST_TAKEN)
        return Py_NewRef(Py_None);
    for (Py_ssize_t i = 0; i < count; i++) objects[i] = PyTuple_GetItem(operands, i);
    PyObject *made = operate_by_rule((operation)which, objects, (size_t)count);
    return made || PyErr_Occurred() ? made : Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
    {"operate", operate_known, METH_VARARGS, "operate(which, operands): an array, or None"},
    {"operators", operators, METH_VARARGS, "operators(resolve, apply, get, put, assign)"},
    {0},
};

bool binding_init_operators(PyObject *m)
{
    return !PyModule_AddFunctions(m, functions);
}
