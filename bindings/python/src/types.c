/* NumPy's dtypes and the library's types, each of the other. */
#include "binding.h"

static const struct {
    int numpy;
    cpl_dtype dtype;
} numbers[] = {
    {NPY_BOOL, CPL_BOOL},           {NPY_INT8, CPL_INT8},
    {NPY_INT16, CPL_INT16},         {NPY_INT32, CPL_INT32},
    {NPY_INT64, CPL_INT64},         {NPY_UINT8, CPL_UINT8},
    {NPY_UINT16, CPL_UINT16},       {NPY_UINT32, CPL_UINT32},
    {NPY_UINT64, CPL_UINT64},       {NPY_FLOAT16, CPL_FLOAT16},
    {NPY_FLOAT32, CPL_FLOAT32},     {NPY_FLOAT64, CPL_FLOAT64},
    {NPY_COMPLEX64, CPL_COMPLEX64}, {NPY_COMPLEX128, CPL_COMPLEX128},
};

/* NPY_LONG and NPY_LONGLONG are two numbers of one type. */
static const signed char by_number[] = {
    [NPY_BOOL] = CPL_BOOL,          [NPY_BYTE] = CPL_INT8,     [NPY_UBYTE] = CPL_UINT8,
    [NPY_SHORT] = CPL_INT16,        [NPY_USHORT] = CPL_UINT16, [NPY_INT] = CPL_INT32,
    [NPY_UINT] = CPL_UINT32,        [NPY_LONG] = CPL_INT64,    [NPY_ULONG] = CPL_UINT64,
    [NPY_LONGLONG] = CPL_INT64,     [NPY_FLOAT] = CPL_FLOAT32, [NPY_DOUBLE] = CPL_FLOAT64,
    [NPY_ULONGLONG] = CPL_UINT64,   [NPY_HALF] = CPL_FLOAT16,  [NPY_CFLOAT] = CPL_COMPLEX64,
    [NPY_CDOUBLE] = CPL_COMPLEX128,
};

cpl_dtype types_number(int type_num)
{
    if (type_num < 0 || type_num >= (int)COUNT_OF(by_number)) return CPL_VOID;
    return (cpl_dtype)by_number[type_num];
}

PyArray_Descr *types_number_dtype(cpl_dtype dtype)
{
    int type_num = NPY_NOTYPE;
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (numbers[i].dtype == dtype) type_num = numbers[i].numpy;
    return PyArray_DescrFromType(type_num);
}

/* --- structs: described by cpl.structs, which gives and takes tuples --- */

static PyObject *structs_call(const char *name, PyObject *argument)
{
    PyObject *module = PyImport_ImportModule("cpl.structs");
    if (!module) return NULL;
    PyObject *result = PyObject_CallMethod(module, name, "(O)", argument);
    Py_DECREF(module);
    return result;
}

/* A scalar's, fixed array's or struct's type, as cpl.structs.fields says it: a dtype and lengths.
 */
static const cpl_type *field_type(PyObject *dtype, PyObject *shape)
{
    const cpl_type *type = types_of_dtype((PyArray_Descr *)dtype);
    if (!type || !PyTuple_Size(shape)) return type;
    PyObject *text = PyUnicode_FromString(cpl_type_text(type));
    for (Py_ssize_t d = 0; text && d < PyTuple_Size(shape); d++) {
        PyObject *longer = PyUnicode_FromFormat("%U[%S]", text, PyTuple_GetItem(shape, d));
        Py_DECREF(text);
        text = longer;
    }
    if (!text) return NULL;
    const char *spelling = PyUnicode_AsUTF8AndSize(text, NULL);
    if (!diag_check(cpl_type_parse(binding_context(), spelling, &type), NULL)) type = NULL;
    Py_DECREF(text);
    return type;
}

enum { MAX_FIELDS = 1024 };

/* fields: ((name, dtype, shape, offset), ...) in order of their offsets. */
static const cpl_type *struct_of(PyObject *name, PyObject *fields, size_t size, size_t align)
{
    cpl_field own[MAX_FIELDS];
    Py_ssize_t count = PyTuple_Size(fields);
    if (count > MAX_FIELDS) {
        PyErr_Format(PyExc_TypeError, "structs have at most %d fields", MAX_FIELDS);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *field_name, *dtype, *shape;
        Py_ssize_t offset;
        if (!PyArg_ParseTuple(PyTuple_GetItem(fields, i), "UOOn", &field_name, &dtype, &shape,
                              &offset))
            return NULL;
        own[i] = (cpl_field){PyUnicode_AsUTF8AndSize(field_name, NULL), field_type(dtype, shape),
                             (size_t)offset};
        if (!own[i].name || !own[i].type) return NULL;
    }
    const char *text = name == Py_None ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
    const cpl_type *type = NULL;
    cpl_status status =
        cpl_type_struct_at(binding_context(), text, own, (size_t)count, size, align, &type);
    return diag_check(status, NULL) ? type : NULL;
}

/* Of dtypes that are structs: {dtype: address of the type}, as long as the context lives. */
static PyObject *known;
static uint64_t known_process;

static const cpl_type *find_struct(PyArray_Descr *dtype)
{
    if (known_process != binding_process || !known) {
        Py_XDECREF(known);
        known = PyDict_New();
        known_process = binding_process;
        return NULL;
    }
    PyObject *address = PyDict_GetItemWithError(known, (PyObject *)dtype);
    return address ? PyLong_AsVoidPtr(address) : NULL;
}

static const cpl_type *make_struct(PyArray_Descr *dtype)
{
    PyObject *said = structs_call("fields", (PyObject *)dtype);
    PyObject *name, *fields;
    Py_ssize_t size, align;
    const cpl_type *type = NULL;
    if (said && PyArg_ParseTuple(said, "OOnn", &name, &fields, &size, &align))
        type = struct_of(name, fields, (size_t)size, (size_t)align);
    Py_XDECREF(said);
    PyObject *address = type ? PyLong_FromVoidPtr((void *)type) : NULL;
    if (address && PyDict_SetItem(known, (PyObject *)dtype, address)) type = NULL;
    Py_XDECREF(address);
    return type;
}

const cpl_type *types_of_dtype(PyArray_Descr *dtype)
{
    cpl_context *cx = binding_context();
    if (!cx) return NULL;
    const cpl_type *type = NULL;
    cpl_dtype number = types_number(dtype->type_num);
    if (number) {
        diag_check(cpl_type_parse(cx, cpl_dtype_name(number), &type), NULL);
    } else if (PyDataType_HASFIELDS(dtype)) {
        type = find_struct(dtype);
        if (!type && !PyErr_Occurred()) type = make_struct(dtype);
    } else {
        PyErr_Format(PyExc_TypeError, "kernels have no type for %S", dtype);
    }
    return type;
}

bool types_of_object(PyObject *object, const cpl_type **type)
{
    *type = NULL;
    if (object == Py_None) return true;
    PyArray_Descr *dtype = NULL;
    if (!PyArray_DescrConverter(object, &dtype)) return false;
    *type = types_of_dtype(dtype);
    Py_DECREF(dtype);
    return *type != NULL;
}

/* --- from types --- */

/* ((name, dtype, shape, offset), ...) and the size, for cpl.structs.dtype. */
static PyObject *described(const cpl_type *type)
{
    size_t count;
    const cpl_field *fields = cpl_type_fields(type, &count);
    PyObject *rows = PyList_New(0);
    for (size_t i = 0; rows && i < count; i++) {
        PyArray_Descr *dtype = types_to_dtype(fields[i].type);
        PyObject *row =
            dtype ? Py_BuildValue("(sNn)", fields[i].name, dtype, (Py_ssize_t)fields[i].offset)
                  : NULL;
        if (!row || PyList_Append(rows, row)) Py_CLEAR(rows);
        Py_XDECREF(row);
    }
    return rows ? Py_BuildValue("(Nnn)", rows, (Py_ssize_t)cpl_type_size(type),
                                (Py_ssize_t)cpl_type_align(type))
                : NULL;
}

/* "float64[3][2]": of an array the innermost's dtype, with its shape. */
static PyObject *array_dtype(const cpl_type *type)
{
    PyArray_Descr *of = types_number_dtype(cpl_type_dtype(type));
    PyObject *argument = Py_BuildValue("(Ns)", of, cpl_type_text(type));
    PyObject *dtype = argument ? structs_call("array_dtype", argument) : NULL;
    Py_XDECREF(argument);
    return dtype;
}

PyArray_Descr *types_to_dtype(const cpl_type *type)
{
    size_t count;
    bool is_struct = cpl_type_fields(type, &count) && cpl_type_dtype(type) == CPL_VOID;
    if (is_struct) {
        PyObject *said = described(type);
        PyObject *dtype = said ? structs_call("dtype", said) : NULL;
        Py_XDECREF(said);
        return (PyArray_Descr *)dtype;
    }
    cpl_dtype number = cpl_type_dtype(type);
    if (cpl_type_size(type) != cpl_dtype_size(number)) return (PyArray_Descr *)array_dtype(type);
    return types_number_dtype(number);
}

static PyObject *python_value(cpl_dtype dtype, const void *value)
{
    switch (dtype) {
    case CPL_BOOL: return PyBool_FromLong(*(const unsigned char *)value);
    case CPL_INT32: return PyLong_FromLong(*(const int32_t *)value);
    case CPL_INT64: return PyLong_FromLongLong(*(const int64_t *)value);
    case CPL_FLOAT64: return PyFloat_FromDouble(*(const double *)value);
    default: return NULL;
    }
}

PyObject *types_value(const cpl_type *type, const void *value, bool as_python)
{
    size_t count;
    if (as_python && !cpl_type_fields(type, &count)) {
        PyObject *number = python_value(cpl_type_dtype(type), value);
        if (number || PyErr_Occurred()) return number;
    }
    PyArray_Descr *dtype = types_to_dtype(type);
    if (!dtype) return NULL;
    PyObject *scalar = PyArray_Scalar((void *)value, dtype, NULL);
    Py_DECREF(dtype);
    return scalar;
}
