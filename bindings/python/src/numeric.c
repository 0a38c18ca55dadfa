/*
 * What is computed with arrays: each function here is a call of the library's, with arrays, numbers
 * and texts as cpl/arrays.py and its neighbours make them up.
 */
#include "binding.h"

/* --- what calls have in common --- */

/* A module for algorithms that call no function of the user's. */
static cpl_module *plain_module(void)
{
    static cpl_module *module;
    static uint64_t process;
    if (module && process == binding_process) return module;
    cpl_context *cx = binding_context();
    cpl_module *made;
    if (!cx || !diag_check(cpl_module_from_source(cx, "expression", "", 0, &made), NULL))
        return NULL;
    process = binding_process;
    return module = made;
}

static cpl_module *module_of(PyObject *object)
{
    if (object == Py_None) return plain_module();
    if (Py_TYPE(object) == module_type) return ((module_object *)object)->module;
    PyErr_SetString(PyExc_TypeError, "a module was expected");
    return NULL;
}

static bool take_one(call_args *c, PyObject *object)
{
    PyObject *wrong = args_add(c, object);
    if (!wrong) return true;
    if (!PyErr_Occurred()) PyErr_Format(PyExc_TypeError, "an operand is %U", wrong);
    Py_DECREF(wrong);
    return false;
}

/* Of a tuple, behind what is there; what was taken before an error is let go of by args_end too. */
static bool take_all(call_args *c, PyObject *tuple)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0 || c->count + (size_t)count > MAX_ARGS) {
        PyErr_SetString(PyExc_TypeError, "too many arguments");
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (!take_one(c, PyTuple_GetItem(tuple, i))) return false;
    return true;
}

static bool begin(call_args *c, PyObject *tuple)
{
    args_begin(c);
    c->is_reading = true;
    return diag_listen() && take_all(c, tuple);
}

/* None ends the call, which went as status says. */
static PyObject *end(call_args *c, cpl_status status)
{
    bool fine = diag_check(status, NULL);
    args_end(c);
    return fine ? Py_NewRef(Py_None) : NULL;
}

static PyObject *failed(call_args *c)
{
    args_end(c);
    return NULL;
}

/* None: no text. */
static bool bind_of(PyObject *text, cpl_bind *bind)
{
    *bind = (cpl_bind){0};
    if (text == Py_None) return true;
    const char *said = PyUnicode_AsUTF8AndSize(text, NULL);
    if (said) *bind = cpl_bind_expression(said);
    return said != NULL;
}

/* An argument that is an array, or None. */
static const cpl_arg *arg_or_null(PyObject *object, cpl_arg *room)
{
    if (object == Py_None) return NULL;
    *room = cpl_arg_of_array(((array_object *)object)->array);
    return room;
}

static bool is_array_or_none(PyObject *object)
{
    return object == Py_None || array_written(object);
}

static bool are_arrays_or_none(PyObject *const *objects, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_array_or_none(objects[i])) return false;
    return true;
}

#define WITHOUT_GIL(status, call)                                                                  \
    do {                                                                                           \
        PyThreadState *state = PyEval_SaveThread();                                                \
        status = call;                                                                             \
        PyEval_RestoreThread(state);                                                               \
    } while (0)

/* --- element by element --- */

/* map(module, text, out, arguments) */
static PyObject *numeric_map(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *module, *text, *out, *values;
    cpl_bind f;
    call_args c;
    cpl_status status;
    if (!PyArg_ParseTuple(args, "OOOO!", &module, &text, &out, &PyTuple_Type, &values)) return NULL;
    cpl_module *of = module_of(module);
    cpl_array *to = of ? array_written(out) : NULL;
    if (!to || !bind_of(text, &f)) return NULL;
    if (!begin(&c, values)) return failed(&c);
    WITHOUT_GIL(status, cpl_array_map(of, &f, NULL, &to, c.args, c.count));
    return end(&c, status);
}

typedef struct taking_in {
    PyObject *module, *op, *map, *neutral, *dtype, *out, *values;
    unsigned flags;
    int axis;
    unsigned axes;
} taking_in;

static bool parse_taking_in(PyObject *args, taking_in *t, const char *format, void *axis)
{
    return PyArg_ParseTuple(args, format, &t->module, &t->op, &t->map, &t->neutral, &t->dtype,
                            &t->flags, axis, &t->out, &PyTuple_Type, &t->values) != 0;
}

/* Where results go, with what both specs have; NULL with an exception. */
static cpl_array *bind_taking_in(const taking_in *t, cpl_module **module, cpl_bind *op,
                                 cpl_bind *map, cpl_bind *neutral, const cpl_type **type)
{
    *module = module_of(t->module);
    cpl_array *to = *module ? array_written(t->out) : NULL;
    bool fine = to && bind_of(t->op, op) && bind_of(t->map, map) && bind_of(t->neutral, neutral) &&
                types_of_object(t->dtype, type);
    return fine ? to : NULL;
}

/* reduce(module, op, map, neutral, dtype, flags, axes, out, arguments) */
static PyObject *numeric_reduce(PyObject *self, PyObject *args)
{
    (void)self;
    taking_in t;
    cpl_reduce_spec spec;
    call_args c;
    cpl_status status;
    cpl_reduce_spec_init(&spec);
    if (!parse_taking_in(args, &t, "OOOOOIIOO!", &t.axes)) return NULL;
    cpl_module *of;
    cpl_array *to = bind_taking_in(&t, &of, &spec.op, &spec.map, &spec.neutral, &spec.type);
    if (!to) return NULL;
    spec.flags = t.flags;
    if (!begin(&c, t.values)) return failed(&c);
    WITHOUT_GIL(status, cpl_array_reduce(of, &spec, NULL, t.axes, &to, c.args, c.count));
    return end(&c, status);
}

/* scan(module, op, map, neutral, dtype, flags, axis, out, arguments) */
static PyObject *numeric_scan(PyObject *self, PyObject *args)
{
    (void)self;
    taking_in t;
    cpl_scan_spec spec;
    call_args c;
    cpl_status status;
    cpl_scan_spec_init(&spec);
    if (!parse_taking_in(args, &t, "OOOOOIiOO!", &t.axis)) return NULL;
    cpl_module *of;
    cpl_array *to = bind_taking_in(&t, &of, &spec.op, &spec.input, &spec.neutral, &spec.type);
    if (!to) return NULL;
    spec.flags = t.flags;
    if (!begin(&c, t.values)) return failed(&c);
    WITHOUT_GIL(status, cpl_array_scan(of, &spec, NULL, t.axis, &to, c.args, c.count));
    return end(&c, status);
}

/* histogram(module, bin, map or None, op, neutral or None, out, arguments): functions of the number
 * of an element and the arguments, texts */
static PyObject *numeric_histogram(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *module, *texts[4], *out, *values;
    cpl_histogram_spec spec;
    call_args c;
    cpl_arg room;
    cpl_status status;
    cpl_histogram_spec_init(&spec);
    cpl_bind *binds[4] = {&spec.bin, &spec.map, &spec.op, &spec.neutral};
    if (!PyArg_ParseTuple(args, "OOOOOOO!", &module, &texts[0], &texts[1], &texts[2], &texts[3],
                          &out, &PyTuple_Type, &values))
        return NULL;
    cpl_module *of = module_of(module);
    if (!of || !array_written(out)) return NULL;
    for (int i = 0; i < 4; i++)
        if (!bind_of(texts[i], binds[i])) return NULL;
    const cpl_arg *to = arg_or_null(out, &room);
    if (!begin(&c, values)) return failed(&c);
    WITHOUT_GIL(status, cpl_histogram(of, &spec, NULL, to, c.args, c.count));
    return end(&c, status);
}

/* segments(module, op, neutral or None, offsets, out, array) */
static PyObject *numeric_segments(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object, *op, *neutral, *objects[3];
    cpl_reduce_spec spec;
    cpl_segments segments;
    cpl_arg room[3];
    cpl_status status;
    cpl_reduce_spec_init(&spec);
    cpl_segments_init(&segments);
    if (!PyArg_ParseTuple(args, "OOOOOO", &object, &op, &neutral, &objects[0], &objects[1],
                          &objects[2]))
        return NULL;
    if (!array_of_object(objects[0]) || !array_written(objects[1]) || !array_of_object(objects[2]))
        return NULL;
    for (int i = 0; i < 3; i++) arg_or_null(objects[i], &room[i]);
    segments.offsets = &room[0];
    segments.out = &room[1];
    cpl_module *module = module_of(object);
    if (!module || !bind_of(op, &spec.op) || !bind_of(neutral, &spec.neutral)) return NULL;
    WITHOUT_GIL(status, cpl_reduce_segments(module, &spec, NULL, &segments, &room[2], 1));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* arange(out, (start, step)) */
static PyObject *numeric_arange(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *out, *values;
    call_args c;
    cpl_status status;
    if (!PyArg_ParseTuple(args, "OO!", &out, &PyTuple_Type, &values)) return NULL;
    cpl_array *to = array_written(out);
    if (!to) return NULL;
    if (!begin(&c, values) || c.count != 2) return failed(&c);
    WITHOUT_GIL(status, cpl_array_arange(to, c.args[0], c.args[1], NULL));
    return end(&c, status);
}

/* linspace(out, start, stop, endpoint) */
static PyObject *numeric_linspace(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *out;
    double start, stop;
    int endpoint;
    cpl_status status;
    if (!PyArg_ParseTuple(args, "Oddp", &out, &start, &stop, &endpoint)) return NULL;
    cpl_array *to = array_written(out);
    if (!to) return NULL;
    WITHOUT_GIL(status, cpl_array_linspace(to, start, stop, endpoint, NULL));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* --- views --- */

static bool bound_of(PyObject *object, const char *name, int64_t *bound)
{
    PyObject *value = PyObject_GetAttrString(object, name);
    if (!value) return false;
    *bound = value == Py_None ? CPL_SLICE_NONE : PyNumber_AsSsize_t(value, NULL);
    Py_DECREF(value);
    return !PyErr_Occurred();
}

static bool slice_of(PyObject *index, cpl_slice *s)
{
    *s = cpl_slice_all();
    if (index == Py_None) {
        s->kind = CPL_SLICE_NEW;
    } else if (index == Py_Ellipsis) {
        s->kind = CPL_SLICE_REST;
    } else if (PySlice_Check(index)) {
        if (!bound_of(index, "start", &s->start) || !bound_of(index, "stop", &s->stop) ||
            !bound_of(index, "step", &s->step))
            return false;
        if (s->step == CPL_SLICE_NONE) s->step = 1;
        if (s->step) return true;
        PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
        return false;
    } else {
        *s = cpl_slice_at(PyNumber_AsSsize_t(index, PyExc_IndexError));
    }
    return !PyErr_Occurred();
}

/* slices(array, indices): a view */
static PyObject *numeric_slices(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object, *indices;
    cpl_slice slices[2 * CPL_MAX_DIMS];
    cpl_array *view;
    if (!PyArg_ParseTuple(args, "OO!", &object, &PyTuple_Type, &indices)) return NULL;
    cpl_array *array = array_of_object(object);
    size_t count = (size_t)PyTuple_Size(indices);
    if (!array) return NULL;
    if (count > COUNT_OF(slices)) return PyErr_Format(PyExc_IndexError, "too many indices");
    for (size_t i = 0; i < count; i++)
        if (!slice_of(PyTuple_GetItem(indices, (Py_ssize_t)i), &slices[i])) return NULL;
    if (!diag_check(cpl_array_slice(array, slices, count, &view), NULL)) return NULL;
    return array_view_of(object, view);
}

static bool numbers_of(PyObject *tuple, int64_t *numbers)
{
    for (Py_ssize_t d = 0; d < PyTuple_Size(tuple); d++)
        numbers[d] = PyNumber_AsSsize_t(PyTuple_GetItem(tuple, d), PyExc_OverflowError);
    return !PyErr_Occurred();
}

/* view(array, shape, strides or (), dtype or None, offset) */
static PyObject *numeric_view(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object, *shape, *strides, *dtype;
    Py_ssize_t offset;
    cpl_array_options o;
    cpl_array *view;
    cpl_array_options_init(&o);
    if (!PyArg_ParseTuple(args, "OO!O!On", &object, &PyTuple_Type, &shape, &PyTuple_Type, &strides,
                          &dtype, &offset))
        return NULL;
    o.offset = (size_t)offset;
    cpl_array *array = array_of_object(object);
    if (!array || !array_shape_of(shape, &o) || PyTuple_Size(strides) > CPL_MAX_DIMS ||
        !numbers_of(strides, o.strides) || (dtype != Py_None && !array_elements_of(dtype, &o)))
        return NULL;
    if (!diag_check(cpl_array_view(array, &o, &view), NULL)) return NULL;
    return array_view_of(object, view);
}

/* --- arrays that grow --- */

static PyObject *grow(PyObject *args, cpl_status (*how)(cpl_array *, int64_t))
{
    PyObject *object;
    long long count;
    cpl_status status;
    if (!PyArg_ParseTuple(args, "OL", &object, &count)) return NULL;
    cpl_array *array = array_written(object);
    if (!array) return NULL;
    WITHOUT_GIL(status, how(array, count));
    array_forget((array_object *)object);
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *numeric_resize(PyObject *self, PyObject *args)
{
    (void)self;
    return grow(args, cpl_array_resize);
}
static PyObject *numeric_reserve(PyObject *self, PyObject *args)
{
    (void)self;
    return grow(args, cpl_array_reserve);
}
static PyObject *numeric_squeeze(PyObject *self, PyObject *object)
{
    (void)self;
    cpl_status status;
    cpl_array *array = array_written(object);
    if (!array) return NULL;
    WITHOUT_GIL(status, cpl_array_squeeze(array));
    array_forget((array_object *)object);
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* --- by indices --- */

/* copy(to, from): in any two places */
static PyObject *numeric_copy(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *out, *from;
    cpl_status status;
    if (!PyArg_ParseTuple(args, "OO", &out, &from)) return NULL;
    cpl_array *to = array_written(out), *of = to ? array_of_object(from) : NULL;
    if (!of) return NULL;
    WITHOUT_GIL(status, cpl_array_copy(to, of, NULL, NULL));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* take(array, indices, axis, mode): a new array */
static PyObject *numeric_take(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object, *indices;
    int axis, mode;
    cpl_array *made = NULL;
    cpl_status status;
    if (!PyArg_ParseTuple(args, "OOii", &object, &indices, &axis, &mode)) return NULL;
    cpl_array *x = array_of_object(object), *i = x ? array_of_object(indices) : NULL;
    if (!i) return NULL;
    WITHOUT_GIL(status, cpl_array_take(x, i, axis, (cpl_index_mode)mode, NULL, &made));
    return diag_check(status, NULL) ? array_object_of(made, NULL) : NULL;
}

/* scatter(out, indices, values) */
static PyObject *numeric_scatter(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *objects[3];
    cpl_arg room[3];
    cpl_status status;
    if (!PyArg_ParseTuple(args, "OOO", &objects[0], &objects[1], &objects[2])) return NULL;
    if (!array_written(objects[0]) || !array_of_object(objects[1]) || !array_of_object(objects[2]))
        return NULL;
    for (int i = 0; i < 3; i++) arg_or_null(objects[i], &room[i]);
    cpl_gather_spec spec;
    cpl_gather_spec_init(&spec);
    spec.out = &room[0];
    spec.indices = &room[1];
    cpl_module *module = plain_module();
    if (!module) return NULL;
    WITHOUT_GIL(status, cpl_scatter(module, &spec, NULL, &room[2], 1));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* What calls that find out a number return. */
static PyObject *number_of(cpl_status status, int64_t number)
{
    return diag_check(status, NULL) ? PyLong_FromLongLong(number) : NULL;
}

/* compact(array or None, condition, out or None, order or None): how many it holds for */
static PyObject *numeric_compact(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *array, *condition, *outs[2];
    cpl_arg values[2], room[2];
    int64_t number = 0;
    cpl_status status;
    if (!PyArg_ParseTuple(args, "OOOO", &array, &condition, &outs[0], &outs[1])) return NULL;
    if (!array_of_object(condition) || (array != Py_None && !array_of_object(array)) ||
        !are_arrays_or_none(outs, 2))
        return NULL;
    size_t count = arg_or_null(array, &values[0]) != NULL;
    arg_or_null(condition, &values[count]);
    cpl_choice choice;
    cpl_choice_init(&choice);
    choice.out = arg_or_null(outs[0], &room[0]);
    choice.out_count = count;
    choice.order = arg_or_null(outs[1], &room[1]);
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &number;
    cpl_module *module = plain_module();
    if (!module) return NULL;
    WITHOUT_GIL(status, cpl_compact(module, &choice, &o, values, count + 1));
    return number_of(status, number);
}

/* --- sorting --- */

static bool are_written(const call_args *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (array_check(c->objects[i]) && !deferred_before_write((array_object *)c->objects[i]))
            return false;
    return true;
}

/*
 * Whether a key comes before another, as the spec takes it, and the module for the call: of None or
 * NULL numbers go up; else a pair of None and an expression, or of a module and its function's
 * name.
 */
static cpl_module *module_comparing(PyObject *before, cpl_bind *bind)
{
    PyObject *module, *text;
    if (!before || before == Py_None) return plain_module();
    if (!PyArg_ParseTuple(before, "OO", &module, &text) || !bind_of(text, bind)) return NULL;
    if (module != Py_None) *bind = cpl_bind_function(bind->text);
    return module_of(module);
}

/* sort(arrays, order or None, flags[, bits, before]): in place, the others along with the first */
static PyObject *numeric_sort(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *arrays, *order, *before = NULL;
    unsigned flags;
    call_args c;
    cpl_arg room;
    cpl_sort_spec spec;
    cpl_status status;
    cpl_sort_spec_init(&spec);
    if (!PyArg_ParseTuple(args, "O!OI|(ii)O", &PyTuple_Type, &arrays, &order, &flags,
                          &spec.first_bit, &spec.end_bit, &before))
        return NULL;
    cpl_module *module = is_array_or_none(order) ? module_comparing(before, &spec.before) : NULL;
    if (!module) return NULL;
    spec.order = arg_or_null(order, &room);
    spec.flags = flags;
    if (!begin(&c, arrays) || !are_written(&c)) return failed(&c);
    WITHOUT_GIL(status, cpl_sort(module, &spec, NULL, c.args, c.count));
    return end(&c, status);
}

/* argsort(keys, order, flags[, bits, before]) */
static PyObject *numeric_argsort(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *keys, *order, *before = NULL;
    cpl_arg room[2];
    cpl_sort_spec spec;
    unsigned flags;
    cpl_status status;
    cpl_sort_spec_init(&spec);
    if (!PyArg_ParseTuple(args, "OOI|(ii)O", &keys, &order, &flags, &spec.first_bit, &spec.end_bit,
                          &before))
        return NULL;
    bool fine = array_of_object(keys) && array_written(order);
    cpl_module *module = fine ? module_comparing(before, &spec.before) : NULL;
    if (!module) return NULL;
    spec.flags = flags;
    const cpl_arg *to = arg_or_null(order, &room[0]), *from = arg_or_null(keys, &room[1]);
    WITHOUT_GIL(status, cpl_argsort(module, &spec, NULL, to, from));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* select(keys, k, out or None, order or None, flags) */
static PyObject *numeric_select(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *keys, *outs[2];
    cpl_arg room[3];
    cpl_sort_spec spec;
    unsigned flags;
    long long k;
    cpl_status status;
    cpl_sort_spec_init(&spec);
    if (!PyArg_ParseTuple(args, "OLOOI", &keys, &k, &outs[0], &outs[1], &flags)) return NULL;
    cpl_module *module =
        array_of_object(keys) && are_arrays_or_none(outs, 2) ? plain_module() : NULL;
    if (!module) return NULL;
    spec.out = arg_or_null(outs[0], &room[0]);
    spec.order = arg_or_null(outs[1], &room[1]);
    spec.flags = flags;
    const cpl_arg *from = arg_or_null(keys, &room[2]);
    WITHOUT_GIL(status, cpl_select(module, &spec, NULL, k, from));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* --- sorted arrays --- */

/* Two arrays that are read, one that is written, and a number. */
typedef struct pair {
    cpl_module *module;
    cpl_arg a, b, out;
    cpl_bind before;
    unsigned number;
} pair;

static bool parse_pair(PyObject *args, pair *p)
{
    PyObject *a, *b, *out, *before = NULL;
    p->before = (cpl_bind){0};
    if (!PyArg_ParseTuple(args, "OOOI|O", &a, &b, &out, &p->number, &before)) return false;
    if (!array_of_object(a) || !array_of_object(b) || !array_written(out)) return false;
    arg_or_null(a, &p->a);
    arg_or_null(b, &p->b);
    arg_or_null(out, &p->out);
    p->module = module_comparing(before, &p->before);
    return p->module != NULL;
}

/* search(keys, values, out, flags[, before]) */
static PyObject *numeric_search(PyObject *self, PyObject *args)
{
    (void)self;
    pair p;
    cpl_sorted_spec spec;
    cpl_status status;
    if (!parse_pair(args, &p)) return NULL;
    cpl_sorted_spec_init(&spec);
    spec.out = &p.out;
    spec.flags = p.number;
    spec.before = p.before;
    WITHOUT_GIL(status, cpl_search_sorted(p.module, &spec, NULL, &p.a, &p.b));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* merge(a, b, out, flags[, before]) */
static PyObject *numeric_merge(PyObject *self, PyObject *args)
{
    (void)self;
    pair p;
    cpl_sorted_spec spec;
    cpl_status status;
    if (!parse_pair(args, &p)) return NULL;
    cpl_sorted_spec_init(&spec);
    spec.out = &p.out;
    spec.flags = p.number;
    spec.before = p.before;
    WITHOUT_GIL(status, cpl_merge(p.module, &spec, NULL, &p.a, &p.b, 1));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* set_of(a, b, out, which[, before]): how many there are */
static PyObject *numeric_set_of(PyObject *self, PyObject *args)
{
    (void)self;
    pair p;
    int64_t number = 0;
    cpl_sorted_spec spec;
    cpl_launch_options o;
    cpl_status status;
    if (!parse_pair(args, &p)) return NULL;
    cpl_sorted_spec_init(&spec);
    cpl_launch_options_init(&o);
    spec.out = &p.out;
    spec.before = p.before;
    o.result = &number;
    WITHOUT_GIL(status, cpl_set_of(p.module, &spec, &o, (cpl_set)p.number, &p.a, &p.b));
    return number_of(status, number);
}

/* unique(keys, out, first, inverse, counts[, before]), each but the keys may be None: how many
 * there are */
static PyObject *numeric_unique(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *keys, *outs[4], *before = NULL;
    cpl_arg room[5];
    int64_t number = 0;
    cpl_unique_spec spec;
    cpl_launch_options o;
    cpl_status status;
    if (!PyArg_ParseTuple(args, "OOOOO|O", &keys, &outs[0], &outs[1], &outs[2], &outs[3], &before))
        return NULL;
    cpl_unique_spec_init(&spec);
    bool fine = array_of_object(keys) && are_arrays_or_none(outs, 4);
    cpl_module *module = fine ? module_comparing(before, &spec.before) : NULL;
    if (!module) return NULL;
    cpl_launch_options_init(&o);
    spec.out = arg_or_null(outs[0], &room[0]);
    spec.first = arg_or_null(outs[1], &room[1]);
    spec.inverse = arg_or_null(outs[2], &room[2]);
    spec.counts = arg_or_null(outs[3], &room[3]);
    o.result = &number;
    const cpl_arg *from = arg_or_null(keys, &room[4]);
    WITHOUT_GIL(status, cpl_unique(module, &spec, &o, from));
    return number_of(status, number);
}

/* --- random numbers --- */

/* random(out, kind, seed, offset, draw, p, q): p and q are the limits, or mean and scale */
static PyObject *numeric_random(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object;
    int kind;
    unsigned long long seed, offset;
    double p, q;
    cpl_random_spec spec;
    cpl_status status;
    cpl_random_spec_init(&spec);
    if (!PyArg_ParseTuple(args, "OiKKIdd", &object, &kind, &seed, &offset, &spec.draw, &p, &q))
        return NULL;
    cpl_module *module = array_written(object) ? plain_module() : NULL;
    if (!module) return NULL;
    spec.kind = (cpl_random_kind)kind;
    spec.seed = seed;
    spec.offset = offset;
    if (kind == CPL_RANDOM_UNIFORM) spec.low = p, spec.high = q;
    else spec.mean = p, spec.scale = q;
    const cpl_arg out = cpl_arg_of_array(((array_object *)object)->array);
    WITHOUT_GIL(status, cpl_random_fill(module, &spec, NULL, &out));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

/* random_integers(out, seed, offset, draw, from, to, permutation) */
static PyObject *numeric_random_integers(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *object;
    int permutes;
    unsigned long long seed, offset;
    long long from, to;
    cpl_random_spec spec;
    cpl_status status;
    cpl_random_spec_init(&spec);
    if (!PyArg_ParseTuple(args, "OKKILLp", &object, &seed, &offset, &spec.draw, &from, &to,
                          &permutes))
        return NULL;
    cpl_module *module = array_written(object) ? plain_module() : NULL;
    if (!module) return NULL;
    spec.kind = CPL_RANDOM_INTEGERS;
    spec.seed = seed;
    spec.offset = offset;
    spec.from = from;
    spec.to = to;
    const cpl_arg out = cpl_arg_of_array(((array_object *)object)->array);
    WITHOUT_GIL(status,
                (permutes ? cpl_random_permutation : cpl_random_fill)(module, &spec, NULL, &out));
    return diag_check(status, NULL) ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef functions[] = {
    {"map", numeric_map, METH_VARARGS, "map(module, text, out, arguments)"},
    {"reduce", numeric_reduce, METH_VARARGS,
     "reduce(module, op, map, neutral, dtype, flags, axes, out, arguments)"},
    {"scan", numeric_scan, METH_VARARGS,
     "scan(module, op, map, neutral, dtype, flags, axis, out, arguments)"},
    {"histogram", numeric_histogram, METH_VARARGS,
     "histogram(module, bin, map, op, neutral, out, arguments)"},
    {"segments", numeric_segments, METH_VARARGS,
     "segments(module, op, neutral, offsets, out, array)"},
    {"arange", numeric_arange, METH_VARARGS, "arange(out, (start, step))"},
    {"linspace", numeric_linspace, METH_VARARGS, "linspace(out, start, stop, endpoint)"},
    {"slices", numeric_slices, METH_VARARGS, "slices(array, indices): a view"},
    {"view", numeric_view, METH_VARARGS, "view(array, shape, strides, dtype, offset)"},
    {"resize", numeric_resize, METH_VARARGS, "resize(array, length)"},
    {"reserve", numeric_reserve, METH_VARARGS, "reserve(array, capacity)"},
    {"squeeze", numeric_squeeze, METH_O, "squeeze(array)"},
    {"copy", numeric_copy, METH_VARARGS, "copy(to, from)"},
    {"take", numeric_take, METH_VARARGS, "take(array, indices, axis, mode)"},
    {"scatter", numeric_scatter, METH_VARARGS, "scatter(out, indices, values)"},
    {"compact", numeric_compact, METH_VARARGS, "compact(array, condition, out, order)"},
    {"sort", numeric_sort, METH_VARARGS, "sort(arrays, order, flags[, bits, before])"},
    {"argsort", numeric_argsort, METH_VARARGS, "argsort(keys, order, flags[, bits, before])"},
    {"select", numeric_select, METH_VARARGS, "select(keys, k, out, order, flags)"},
    {"search", numeric_search, METH_VARARGS, "search(keys, values, out, flags[, before])"},
    {"merge", numeric_merge, METH_VARARGS, "merge(a, b, out, flags[, before])"},
    {"set_of", numeric_set_of, METH_VARARGS, "set_of(a, b, out, which[, before])"},
    {"unique", numeric_unique, METH_VARARGS, "unique(keys, out, first, inverse, counts[, before])"},
    {"random", numeric_random, METH_VARARGS, "random(out, kind, seed, offset, draw, p, q)"},
    {"random_integers", numeric_random_integers, METH_VARARGS,
     "random_integers(out, seed, offset, draw, from, to, permutes)"},
    {0},
};

bool binding_init_numeric(PyObject *m)
{
    return !PyModule_AddFunctions(m, functions);
}
