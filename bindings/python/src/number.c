/* Numbers as operands of expressions, in the type that an operation takes them as. */
#include "expression.h"

#include <float.h>
#include <math.h>

/* A number of any type. */
typedef struct number {
    enum { IS_INT, IS_UNSIGNED, IS_FLOAT, IS_BOOL } kind;
    bool is_weak; /* Python's own */
    union {
        int64_t i;
        uint64_t u;
        double f;
    } value;
} number;

cpl_dtype number_dtype(PyObject *x)
{
    if (!PyArray_IsScalar(x, Generic)) return CPL_VOID;
    PyArray_Descr *dtype = PyArray_DescrFromScalar(x);
    if (!dtype) {
        PyErr_Clear();
        return CPL_VOID;
    }
    cpl_dtype found = types_number(dtype->type_num);
    Py_DECREF((PyObject *)dtype);
    return found;
}

static bool read_scalar(PyObject *x, number *n)
{
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
        char room[64];
    } raw;
    cpl_dtype dtype = number_dtype(x);
    if (!dtype || cpl_dtype_size(dtype) > 8) return false;
    PyArray_ScalarAsCtype(x, &raw);
    n->is_weak = false;
    switch (dtype) {
    case CPL_BOOL: n->kind = IS_BOOL, n->value.i = raw.u8; return true;
    case CPL_INT8: n->kind = IS_INT, n->value.i = raw.i8; return true;
    case CPL_INT16: n->kind = IS_INT, n->value.i = raw.i16; return true;
    case CPL_INT32: n->kind = IS_INT, n->value.i = raw.i32; return true;
    case CPL_INT64: n->kind = IS_INT, n->value.i = raw.i64; return true;
    case CPL_UINT8: n->kind = IS_UNSIGNED, n->value.u = raw.u8; return true;
    case CPL_UINT16: n->kind = IS_UNSIGNED, n->value.u = raw.u16; return true;
    case CPL_UINT32: n->kind = IS_UNSIGNED, n->value.u = raw.u32; return true;
    case CPL_UINT64: n->kind = IS_UNSIGNED, n->value.u = raw.u64; return true;
    case CPL_FLOAT32: n->kind = IS_FLOAT, n->value.f = raw.f32; return true;
    case CPL_FLOAT64: n->kind = IS_FLOAT, n->value.f = raw.f64; return true;
    default: return false;
    }
}

static bool read_number(PyObject *x, number *n)
{
    int overflow = 0;
    n->is_weak = true;
    if (PyFloat_CheckExact(x)) {
        n->kind = IS_FLOAT;
        n->value.f = PyFloat_AsDouble(x);
        return true;
    }
    if (PyLong_CheckExact(x)) {
        n->kind = IS_INT;
        n->value.i = PyLong_AsLongLongAndOverflow(x, &overflow);
        return !overflow;
    }
    if (PyBool_Check(x)) {
        n->kind = IS_BOOL;
        n->value.i = x == Py_True;
        return true;
    }
    return read_scalar(x, n);
}

/* What a float holds exactly, of whatever integer. */
static bool is_exact(const number *n)
{
    enum { WIDEST = 1 << 24 };
    if (n->kind == IS_UNSIGNED) return n->value.u <= WIDEST;
    return n->value.i >= -WIDEST && n->value.i <= WIDEST;
}

static bool to_float(const number *n, bool narrow, operand *o)
{
    double v = n->kind == IS_FLOAT      ? n->value.f
               : n->kind == IS_UNSIGNED ? (double)n->value.u
                                        : (double)n->value.i;
    if (narrow && n->kind != IS_FLOAT && !n->is_weak && !is_exact(n)) return false;
    if (narrow && isfinite(v) && fabs(v) > FLT_MAX) return false; /* NumPy warns */
    o->value.f = narrow ? (float)v : v;
    return true;
}

static bool to_signed(const number *n, int bits, operand *o)
{
    if (n->kind == IS_UNSIGNED && n->value.u > INT64_MAX) return false;
    int64_t most = INT64_MAX >> (64 - bits);
    o->value.i = n->value.i;
    return o->value.i >= -most - 1 && o->value.i <= most;
}

static bool to_unsigned(const number *n, int bits, operand *o)
{
    if (n->kind != IS_UNSIGNED && n->value.i < 0) return false;
    o->value.u = n->value.u;
    return o->value.u <= UINT64_MAX >> (64 - bits);
}

bool number_as(PyObject *x, cpl_dtype to, operand *o)
{
    number n;
    *o = (operand){.dtype = to};
    if (!read_number(x, &n)) return false;
    int bits = 8 * (int)cpl_dtype_size(to);
    if (to == CPL_BOOL) {
        o->value.i = n.value.i;
        return n.kind == IS_BOOL;
    }
    if (to == CPL_FLOAT32 || to == CPL_FLOAT64) return to_float(&n, to == CPL_FLOAT32, o);
    if (n.kind == IS_FLOAT) return false;
    if (to >= CPL_INT8 && to <= CPL_INT64) return to_signed(&n, bits, o);
    return to >= CPL_UINT8 && to <= CPL_UINT64 && to_unsigned(&n, bits, o);
}

PyObject *number_object(const operand *o)
{
    float narrow = (float)o->value.f;
    /* little-endian: the low bytes are the narrow integer */
    const void *raw = o->dtype == CPL_FLOAT32 ? (const void *)&narrow : &o->value;
    PyArray_Descr *dtype = types_number_dtype(o->dtype);
    PyObject *made = dtype ? PyArray_Scalar((void *)raw, dtype, NULL) : NULL;
    Py_XDECREF((PyObject *)dtype);
    return made;
}
