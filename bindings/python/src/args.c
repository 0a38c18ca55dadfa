/*
 * What a function is called with becomes cpl_args, without a copy of any array. Python's own
 * numbers have no type of theirs, NumPy's scalars have one, as in NumPy 2.
 */
#include "binding.h"

/* kind, dtype, dims and flags in one word: what the type of a parameter depends on. */
static uint64_t word_of(const cpl_arg *a, unsigned flags)
{
    return (uint64_t)a->kind | (uint64_t)a->dtype << 8 | (uint64_t)a->dims << 16 |
           (uint64_t)flags << 24;
}

enum { WIDE = 1, STRIDED = 2, READONLY = 4 };

/* A new cpl_arg behind the others. Copied from memory that is zero: GCC clears so many bytes with
 * an instruction that takes longer than all else here. */
static cpl_arg *next(call_args *c, PyObject *object, cpl_arg_kind kind, cpl_dtype dtype)
{
    static const cpl_arg blank;
    cpl_arg *a = &c->args[c->count];
    *a = blank;
    a->kind = kind;
    a->dtype = dtype;
    c->objects[c->count] = object;
    return a;
}

static void added(call_args *c, unsigned flags, const void *what)
{
    c->kinds[c->count] = (arg_kind){word_of(&c->args[c->count], flags), what};
    c->count++;
}

static PyObject *said(const char *what)
{
    return PyUnicode_FromString(what);
}

/* An exception is set: nothing to add. */
static PyObject *raised(void)
{
    return PyUnicode_FromString("");
}

static void take_float(call_args *c, PyObject *x)
{
    next(c, x, CPL_ARG_FLOAT, CPL_VOID)->value.f = PyFloat_AsDouble(x);
    added(c, 0, NULL);
}

static void take_complex(call_args *c, PyObject *x)
{
    cpl_arg *a = next(c, x, CPL_ARG_COMPLEX, CPL_VOID);
    a->value.f = PyComplex_RealAsDouble(x);
    a->imag = PyComplex_ImagAsDouble(x);
    added(c, 0, NULL);
}

/* Of an int its size is part of the kind, as its type is int32 if it fits. */
static PyObject *take_int(call_args *c, PyObject *x)
{
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(x, &overflow);
    cpl_arg *a = next(c, x, CPL_ARG_INT, CPL_VOID);
    a->value.i = value;
    if (overflow) {
        a->value.u = PyLong_AsUnsignedLongLong(x);
        a->is_unsigned = true;
        if (PyErr_Occurred()) {
            PyErr_Clear();
            return said("an integer that no 64 bits hold");
        }
    }
    added(c, overflow ? 2 * WIDE : value != (int32_t)value ? WIDE : 0, NULL);
    return NULL;
}

static void take_bool(call_args *c, PyObject *x)
{
    next(c, x, CPL_ARG_SCALAR, CPL_BOOL)->value.i = x == Py_True;
    added(c, 0, NULL);
}

/* "a list", and what to do with it. */
static PyObject *refused(PyObject *x)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(x), "__name__");
    if (!name) return raised();
    const char *mend = PyList_Check(x) || PyTuple_Check(x)
                           ? "; numpy.array() makes an array of it"
                           : "; kernels take numbers, arrays and functions";
    PyObject *text = PyUnicode_FromFormat("an object of type %U%s", name, mend);
    Py_DECREF(name);
    return text;
}

static PyObject *take_array(call_args *c, PyObject *object);

/* Its type is asked: numpy.ma.masked refuses to say what its fill_value is. */
static bool is_masked(PyObject *x)
{
    PyObject *type = (PyObject *)Py_TYPE(x);
    return PyObject_HasAttrString(type, "mask") && PyObject_HasAttrString(type, "fill_value");
}

/* A new reference to what stands for an argument; NULL with an exception. */
static PyObject *take_made(call_args *c, PyObject *array)
{
    if (!array) return raised();
    c->held[c->held_count++] = array;
    if (!PyArray_Check(array)) return said("an object whose __array__ gives no array");
    if (is_masked(array)) return said("a masked array, whose mask kernels would not see");
    return take_array(c, array);
}

/* A scalar with fields: NumPy's array without dimensions over the memory that it has. */
static PyObject *take_record(call_args *c, PyObject *x)
{
    return take_made(c, PyArray_FROM_O(x));
}

/* An object of a class of @cpl.struct: a record of its fields, which is only read, as what was
 * written to it would not be in the object. */
static PyObject *take_fields(call_args *c, PyObject *x)
{
    return take_made(c, PyObject_CallMethod(x, "__cpl_record__", NULL));
}

/* A scalar of NumPy's, whose type is kept. */
static PyObject *take_scalar(call_args *c, PyObject *x)
{
    PyArray_Descr *dtype = PyArray_DescrFromScalar(x);
    cpl_dtype number = dtype ? types_number(dtype->type_num) : CPL_VOID;
    bool has_fields = dtype && PyDataType_HASFIELDS(dtype);
    Py_XDECREF((PyObject *)dtype);
    if (!number) return has_fields ? take_record(c, x) : refused(x);
    cpl_arg *a = next(c, x, CPL_ARG_SCALAR, number);
    PyObject *value = PyObject_CallMethod(x, "item", NULL);
    if (!value) return raised();
    if (PyComplex_Check(value)) {
        a->value.f = PyComplex_RealAsDouble(value);
        a->imag = PyComplex_ImagAsDouble(value);
    } else if (PyFloat_Check(value)) a->value.f = PyFloat_AsDouble(value);
    else if (number >= CPL_UINT8 && number <= CPL_UINT64)
        a->value.u = PyLong_AsUnsignedLongLong(value);
    else a->value.i = PyLong_AsLongLong(value);
    Py_DECREF(value);
    added(c, 0, NULL);
    return NULL;
}

/* The number that a new array of NumPy's without dimensions holds, whose reference it takes. */
static PyObject *take_lone(call_args *c, PyObject *array)
{
    PyArrayObject *a = (PyArrayObject *)array;
    PyObject *value = a ? PyArray_ToScalar(PyArray_DATA(a), a) : NULL;
    Py_XDECREF(array);
    if (!value) return raised();
    c->held[c->held_count++] = value;
    c->lone_count++;
    return take_scalar(c, value);
}

/* What NumPy allows in an array and kernels do not. */
static const char *array_fault(PyArrayObject *x)
{
    if (!PyArray_ISNOTSWAPPED(x))
        return "an array of the other byte order; x.astype(x.dtype.newbyteorder('=')) turns it";
    if (!PyArray_ISALIGNED(x)) return "an array that is not aligned to its elements; copy it";
    if (PyArray_NDIM(x) > CPL_MAX_DIMS) return "an array of more than 8 dimensions";
    return NULL;
}

/* Where its elements lie. */
static void lay(cpl_arg *a, PyArrayObject *x)
{
    int dims = PyArray_NDIM(x);
    bool dense = PyArray_IS_C_CONTIGUOUS(x);
    a->data = PyArray_DATA(x);
    a->length = dims == 1 ? PyArray_DIM(x, 0) : PyArray_SIZE(x);
    a->readonly = !PyArray_ISWRITEABLE(x);
    if (dims == 1 && !dense) a->stride = PyArray_STRIDE(x, 0);
    /* of one dimension those that lie in one place, which no stride says */
    if (dims < 1 || (dims == 1 && (dense || a->stride))) return;
    a->dims = dims;
    a->shape = (const int64_t *)PyArray_DIMS(x);
    if (!dense) a->strides = (const int64_t *)PyArray_STRIDES(x);
}

/* Of elements that are no numbers; what is wrong with a structure is said already. */
static PyObject *no_type(PyArray_Descr *descr)
{
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return raised();
    if (PyDataType_HASFIELDS(descr)) {
        PyObject *type, *why, *trace;
        PyErr_Fetch(&type, &why, &trace);
        PyObject *text = PyUnicode_FromFormat("an array of records; %S", why);
        Py_XDECREF(type);
        Py_XDECREF(why);
        Py_XDECREF(trace);
        return text;
    }
    PyErr_Clear();
    bool is_time = descr->type_num == NPY_DATETIME || descr->type_num == NPY_TIMEDELTA;
    return PyUnicode_FromFormat("an array of %S, which kernels have no type for%s", descr,
                                is_time ? "; x.view('i8') has the numbers" : "");
}

static bool is_same_view(PyArrayObject *x, PyArrayObject *y)
{
    int dims = PyArray_NDIM(x);
    size_t size = (size_t)dims * sizeof(npy_intp);
    return x == y ||
           (PyArray_DATA(x) == PyArray_DATA(y) && PyArray_NDIM(y) == dims &&
            PyArray_TYPE(x) == PyArray_TYPE(y) && !memcmp(PyArray_DIMS(x), PyArray_DIMS(y), size) &&
            !memcmp(PyArray_STRIDES(x), PyArray_STRIDES(y), size));
}

/* A new reference. */
static PyArrayObject *copy_of(const call_args *c, PyArrayObject *x)
{
    for (size_t i = 0; i < c->copy_count; i++) {
        PyArrayObject *copy = c->copies[i].copy;
        if (!is_same_view(c->copies[i].original, x) ||
            PyArray_ISWRITEABLE(copy) != PyArray_ISWRITEABLE(x))
            continue;
        Py_INCREF((PyObject *)copy);
        return copy;
    }
    PyArrayObject *copy = (PyArrayObject *)PyArray_NewCopy(x, NPY_CORDER);
    if (copy && !PyArray_ISWRITEABLE(x)) PyArray_CLEARFLAGS(copy, NPY_ARRAY_WRITEABLE);
    return copy;
}

static PyObject *take_misaligned(call_args *c, PyArrayObject *x)
{
    size_t at = c->copy_count;
    PyArrayObject *copy = copy_of(c, x);
    if (!copy) return raised();
    c->held[c->held_count++] = (PyObject *)copy;
    c->copies[at].arg = c->count;
    c->copies[at].original = x;
    c->copies[at].copy = copy;
    c->copy_count++;
    PyObject *wrong = take_array(c, (PyObject *)copy);
    if (!wrong) c->objects[c->count - 1] = (PyObject *)x;
    return wrong;
}

/* Whether other is the same view as x, or has no memory of it; -1 with an exception. */
static int is_apart_from(PyArrayObject *x, PyObject *other)
{
    if (!PyArray_Check(other) || is_same_view(x, (PyArrayObject *)other)) return 1;
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *shares = numpy ? PyObject_CallMethod(numpy, "shares_memory", "OO", x, other) : NULL;
    int answer = shares ? !PyObject_IsTrue(shares) : -1;
    Py_XDECREF(shares);
    Py_XDECREF(numpy);
    return answer;
}

int args_mixed_copy(const call_args *c)
{
    for (size_t k = 0; k < c->copy_count; k++)
        for (size_t i = 0; i < c->count; i++) {
            int apart = is_apart_from(c->copies[k].original, c->objects[i]);
            if (apart <= 0) return apart < 0 ? -2 : (int)c->copies[k].arg;
        }
    return -1;
}

/* By its kind: a launch has moved the values among c->args together. */
static bool is_function(const arg_kind *kind)
{
    return (kind->word & 0xff) == CPL_ARG_BOUND;
}

bool args_put_back(const call_args *c, const cpl_kernel *kernel, size_t first)
{
    for (size_t k = 0; k < c->copy_count; k++) {
        size_t parameter = first;
        for (size_t i = 0; i < c->copies[k].arg; i++) parameter += !is_function(&c->kinds[i]);
        if (!(cpl_kernel_access(kernel, parameter) & CPL_ACCESS_WRITE)) continue;
        if (PyArray_CopyInto(c->copies[k].original, c->copies[k].copy)) return false;
    }
    return true;
}

static PyObject *take_array(call_args *c, PyObject *object)
{
    PyArrayObject *x = (PyArrayObject *)object;
    PyArray_Descr *descr = PyArray_DESCR(x);
    cpl_dtype dtype = types_number(descr->type_num);
    bool is_lone = c->takes_numbers && dtype && !PyArray_NDIM(x);
    bool is_written = !c->is_reading && !is_lone && PyArray_ISWRITEABLE(x);
    if (!array_settle_numpy(x, is_written)) return raised();
    if (is_lone) return take_lone(c, Py_NewRef(object));
    if (c->copies_misaligned && !PyArray_ISALIGNED(x) && PyArray_ISNOTSWAPPED(x) &&
        PyArray_NDIM(x) <= CPL_MAX_DIMS)
        return take_misaligned(c, x);
    if (!PyArray_ISBEHAVED_RO(x) || PyArray_NDIM(x) > CPL_MAX_DIMS) return said(array_fault(x));
    cpl_arg *a = next(c, object, CPL_ARG_ARRAY, dtype);
    if (!dtype && !(a->record = types_of_dtype(descr))) return no_type(descr);
    lay(a, x);
    unsigned flags = (a->stride || a->strides ? STRIDED : 0) | (a->readonly ? READONLY : 0);
    added(c, flags, a->record);
    c->array_count++;
    return NULL;
}

/* An array of the library's: of the kind that one of NumPy's has with elements that lie so, but for
 * where it lives. */
static PyObject *take_own(call_args *c, PyObject *object)
{
    cpl_array_info info;
    if (!array_info_of(object, &info)) return raised();
    array_object *own = (array_object *)object;
    if (c->takes_numbers && !info.dims && !info.record) return take_lone(c, array_copy_out(object));
    if (!c->is_reading && !own->is_readonly && !deferred_before_write(own)) return raised();
    cpl_arg *a = next(c, object, CPL_ARG_ARRAY, info.dtype);
    a->array = own->array;
    a->record = info.record;
    a->length = info.length;
    a->readonly = own->is_readonly;
    if (info.dims > 1) a->dims = info.dims;
    added(c, (info.contiguous ? 0 : STRIDED) | (a->readonly ? READONLY : 0), a->record);
    c->kinds[c->count - 1].word |= (uint64_t)own->place << 32;
    c->array_count++;
    return NULL;
}

/* Local memory of a kernel: what __cpl_local__ says, a dtype and how many elements of it. */
static PyObject *take_local(call_args *c, PyObject *x)
{
    PyObject *said = PyObject_GetAttrString(x, "__cpl_local__"), *of;
    const cpl_type *type = NULL;
    Py_ssize_t length;
    bool fine = said && PyArg_ParseTuple(said, "On", &of, &length) && types_of_object(of, &type);
    Py_XDECREF(said);
    if (!fine) return raised();
    if (!type || !cpl_type_dtype(type) || length < 0)
        return PyUnicode_FromString("local memory of no number of elements");
    next(c, x, CPL_ARG_LOCAL, cpl_type_dtype(type))->length = length;
    added(c, 0, NULL);
    return NULL;
}

/* Its place; the module's name for it is found when a kernel is made for it. */
static void take_function(call_args *c, PyObject *x)
{
    next(c, x, CPL_ARG_BOUND, CPL_VOID);
    added(c, 0, x);
    c->function_count++;
}

/* An object with a buffer, as array.array and memoryview: NumPy's view of the same memory. */
static PyObject *take_buffer(call_args *c, PyObject *x)
{
    PyObject *view = PyMemoryView_FromObject(x);
    PyObject *array = view ? PyArray_FROM_O(view) : NULL;
    Py_XDECREF(view);
    return take_made(c, array);
}

/* A function of cpl.foreign's, of one object. */
static PyObject *call_foreign(const char *name, PyObject *x)
{
    PyObject *module = PyImport_ImportModule("cpl.foreign");
    PyObject *result = module ? PyObject_CallMethod(module, name, "(O)", x) : NULL;
    Py_XDECREF(module);
    return result;
}

static void add_stream(call_args *c, PyObject *queue)
{
    for (size_t i = 0; i < c->stream_count; i++)
        if ((PyObject *)c->streams[i] == queue) return;
    c->streams[c->stream_count++] = (queue_object *)queue;
}

/* Memory of a GPU that another library owns. */
static PyObject *take_cuda(call_args *c, PyObject *x)
{
    PyObject *pair = call_foreign("for_call", x);
    if (!pair) return raised();
    c->held[c->held_count++] = pair;
    c->held[c->held_count++] = Py_NewRef(x);
    add_stream(c, PyTuple_GetItem(pair, 1));
    PyObject *wrong = take_own(c, PyTuple_GetItem(pair, 0));
    if (!wrong) c->objects[c->count - 1] = x; /* what a scan into it returns */
    return wrong;
}

/* An array of another library's on the host, or what can be made one, as NumPy sees it. */
static PyObject *take_shared(call_args *c, PyObject *x)
{
    return take_made(c, call_foreign("as_numpy", x));
}

/* Whether NumPy makes an array of it, and not of a list. */
static bool is_array_like(PyObject *x)
{
    static const char *const names[] = {"__dlpack__", "__array_interface__", "__array__"};
    for (size_t i = 0; i < COUNT_OF(names) && !PyType_Check(x); i++)
        if (PyObject_HasAttrString(x, names[i])) return true;
    return false;
}

/* What is not one of the few usual types. */
static PyObject *take_other(call_args *c, PyObject *x)
{
    if (array_check(x)) return take_own(c, x);
    if (PyBool_Check(x)) {
        take_bool(c, x);
        return NULL;
    }
    if (PyArray_Check(x)) {
        if (is_masked(x)) return said("a masked array, whose mask kernels would not see");
        return take_array(c, x);
    }
    if (PyArray_IsScalar(x, Generic)) return take_scalar(c, x);
    if (PyLong_Check(x)) return take_int(c, x);
    if (PyFloat_Check(x)) {
        take_float(c, x);
        return NULL;
    }
    if (PyComplex_Check(x)) {
        take_complex(c, x);
        return NULL;
    }
    if (PyBytes_Check(x)) return refused(x);
    /* in front of the buffers: CuPy's arrays seem to have one, which fails when it is asked for */
    if (PyObject_HasAttrString(x, "__cuda_array_interface__")) return take_cuda(c, x);
    if (PyObject_CheckBuffer(x)) return take_buffer(c, x);
    if (is_array_like(x)) return take_shared(c, x);
    if (PyObject_HasAttrString(x, "__cpl_local__")) return take_local(c, x);
    if (!PyType_Check(x) && PyObject_HasAttrString(x, "__cpl_record__")) return take_fields(c, x);
    if (PyCallable_Check(x) && !PyType_Check(x)) {
        take_function(c, x);
        return NULL;
    }
    return refused(x);
}

PyObject *args_add(call_args *c, PyObject *x)
{
    if (PyArray_CheckExact(x)) return take_array(c, x);
    if (PyLong_CheckExact(x)) return take_int(c, x);
    if (!PyFloat_CheckExact(x)) return take_other(c, x);
    take_float(c, x);
    return NULL;
}

/* A copy of an array that lies densely, which nobody writes to. */
static PyObject *dense_copy(PyObject *x)
{
    if (!array_check(x)) {
        PyObject *copy = PyArray_NewCopy((PyArrayObject *)x, NPY_CORDER);
        if (copy) PyArray_CLEARFLAGS((PyArrayObject *)copy, NPY_ARRAY_WRITEABLE);
        return copy;
    }
    PyObject *copy = PyObject_CallMethod(x, "copy", NULL);
    if (copy && array_check(copy)) ((array_object *)copy)->is_readonly = true;
    return copy;
}

PyObject *args_add_flat(call_args *c, PyObject *x)
{
    PyObject *wrong = args_add(c, x);
    if (wrong) return wrong;
    const cpl_arg *a = &c->args[c->count - 1];
    bool has_gaps = c->kinds[c->count - 1].word >> 24 & STRIDED;
    if (a->kind != CPL_ARG_ARRAY || a->dims < 2 || !has_gaps) return NULL;
    PyObject *copy = dense_copy(c->objects[c->count - 1]);
    if (!copy) return raised();
    c->held[c->held_count++] = copy;
    c->count--;
    c->array_count--;
    return args_add(c, copy);
}

void args_begin(call_args *c)
{
    c->count = c->array_count = c->function_count = c->held_count = c->stream_count = 0;
    c->copy_count = 0;
    c->copies_misaligned = c->takes_numbers = false;
    c->lone_count = 0;
    c->where = NULL;
    c->on = NULL;
    c->queue = NULL;
    c->target = NULL;
    c->is_reading = false;
}

/* What a queue is given from now on runs behind what another one was given so far. A graph that is
 * recorded waits for nobody: who launches it puts it behind others. */
static bool put_behind(const call_args *c, const queue_object *q, const queue_object *first)
{
    cpl_event *event = NULL;
    if (q == first || (c->where && c->where->kept)) return true;
    cpl_status status = cpl_queue_record(first->queue, &event);
    if (!status && event) status = cpl_queue_wait(q->queue, event);
    cpl_event_release(event);
    return diag_check(status, NULL);
}

/* Memory of another library's is used on its own device: nobody would bring results back. */
static bool wait_for_streams(const call_args *c)
{
    for (size_t i = 0; i < c->stream_count; i++) {
        if (c->streams[i]->device != c->on->device) {
            PyErr_Format(PyExc_ValueError, "an argument is memory of %R, and the call runs on %R",
                         c->streams[i]->device, c->on->device);
            return false;
        }
        if (!put_behind(c, c->on, c->streams[i])) return false;
    }
    return true;
}

bool args_place(call_args *c)
{
    if (place_count) c->where = place_now();
    if (place_count && !c->where && PyErr_Occurred()) return false;
    if (!c->where && !c->stream_count) return true;
    const queue_object *q = c->on = c->where ? c->where->queue : c->streams[0];
    c->queue = q->queue;
    if (((device_object *)q->device)->info.kind != CPL_DEVICE_HOST) c->target = q->target;
    return wait_for_streams(c);
}

bool args_leave(const call_args *c)
{
    for (size_t i = 0; i < c->stream_count; i++)
        if (!put_behind(c, c->streams[i], c->on)) return false;
    if (!c->where || !c->where->kept) return true;
    for (size_t i = 0; i < c->count; i++)
        if (!place_keep(c->objects[i])) return false;
    for (size_t i = 0; i < c->held_count; i++)
        if (!place_keep(c->held[i])) return false;
    return true;
}

void args_end(call_args *c)
{
    for (size_t i = 0; i < c->held_count; i++) Py_DECREF(c->held[i]);
}
