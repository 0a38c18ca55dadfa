/* The kernels of sequences: their source for the library, and the same in C for the model and for
 * the stand-in driver, which runs no code of its own. */
#include "seq.h"

#include <math.h>
#include <stdlib.h>

const char kernel_source[] = "from compyle.low_level import GID_0, LDIM_0, LID_0, local_barrier\n"
                             "@struct\n"
                             "class Pair:\n"
                             "    first: 'int'\n"
                             "    second: 'double'\n"
                             "def fill(i, tag, y, a):\n"
                             "    y[i] = a\n"
                             "def bump(i, tag, y):\n"
                             "    y[i] = y[i] + 1\n"
                             "def add(i, tag, x, y, a):\n"
                             "    y[i] = x[i] + a\n"
                             "def sub(i, tag, x, y, z):\n"
                             "    z[i] = x[i] - y[i]\n"
                             "def mirror(i, tag, x, y, n):\n"
                             "    y[i] = x[n - 1 - i]\n"
                             "def stencil(i, tag, x, y, n):\n"
                             "    y[i] = x[max(i - 1, 0)] + x[min(i + 1, n - 1)]\n"
                             "def pairs(i, tag, p, y):\n"
                             "    p[i].first = p[i].first + 1\n"
                             "    y[i] = p[i].second + 1\n"
                             "def swap(tag, x, y, t, n):\n"
                             "    i = GID_0*LDIM_0 + LID_0\n"
                             "    t[LID_0] = x[i] if i < n else 0\n"
                             "    local_barrier()\n"
                             "    if i < n:\n"
                             "        y[i] = t[LDIM_0 - 1 - LID_0]\n"
                             "def once(tag, x, a):\n"
                             "    x[0] = x[0] + a\n"
                             "    return x[0]\n"
                             "def total(tag, x, n):\n"
                             "    s = 0\n"
                             "    for i in prange(n):\n"
                             "        s += x[i]\n"
                             "    return s\n";

#define NUMBERS (1u << I32 | 1u << I64 | 1u << U16 | 1u << F32 | 1u << F64)
#define ANY     {ELEMS, ELEMS, ELEMS}

const kernel_row kernel_rows[KINDS] = {
    [K_FILL] = {"fill", CPL_FORM_ELEMENTWISE, 1, 1, true, false, false, NUMBERS, ANY},
    [K_STEP] = {"bump", CPL_FORM_ELEMENTWISE, 1, 1, false, false, false, NUMBERS, ANY},
    [K_ADD] = {"add", CPL_FORM_ELEMENTWISE, 2, 2, true, false, false, NUMBERS, ANY},
    [K_SUB] = {"sub", CPL_FORM_ELEMENTWISE, 3, 4, false, false, false, NUMBERS, ANY},
    [K_MIRROR] = {"mirror", CPL_FORM_ELEMENTWISE, 2, 2, false, true, true, NUMBERS, ANY},
    [K_STENCIL] = {"stencil", CPL_FORM_ELEMENTWISE, 2, 2, false, true, true, NUMBERS, ANY},
    [K_PAIRS] =
        {"pairs", CPL_FORM_ELEMENTWISE, 2, 3, false, false, false, 1u << F64, {PAIR, F64, ELEMS}},
    [K_SWAP] = {"swap", CPL_FORM_KERNEL, 2, 2, false, true, false, NUMBERS, ANY},
    [K_ONCE] = {"once", CPL_FORM_FUNCTION, 1, 1, true, false, false, NUMBERS, ANY},
    [K_TOTAL] = {"total", CPL_FORM_FUNCTION, 1, 0, false, true, false, 1u << I32 | 1u << I64, ANY},
};

static const struct {
    const char *name;
    cpl_dtype dtype;
    size_t size, align;
} elems[ELEMS] = {
    {"int32", CPL_INT32, 4, 4},     {"int64", CPL_INT64, 8, 8},     {"uint16", CPL_UINT16, 2, 2},
    {"float32", CPL_FLOAT32, 4, 4}, {"float64", CPL_FLOAT64, 8, 8}, {"Pair", CPL_VOID, 16, 8},
};

size_t elem_size(elem e)
{
    return elems[e].size;
}

size_t elem_align(elem e)
{
    return elems[e].align;
}

cpl_dtype elem_dtype(elem e)
{
    return elems[e].dtype;
}

const char *elem_name(elem e)
{
    return elems[e].name;
}

void elem_store(elem e, void *at, int64_t value)
{
    pair p;
    memset(&p, 0, sizeof p);
    p.first = (int32_t)value;
    p.second = (double)(value / 2);
    switch (e) {
    case I32: memcpy(at, &(int32_t){(int32_t)value}, 4); break;
    case I64: memcpy(at, &value, 8); break;
    case U16: memcpy(at, &(uint16_t){(uint16_t)value}, 2); break;
    case F32: memcpy(at, &(float){(float)value}, 4); break;
    case F64: memcpy(at, &(double){(double)value}, 8); break;
    default: memcpy(at, &p, sizeof p); break;
    }
}

cpl_arg elem_arg(elem e, int64_t value)
{
    cpl_arg a = cpl_arg_int(value);
    a.kind = CPL_ARG_SCALAR;
    a.dtype = elems[e].dtype;
    if (e == F32 || e == F64) a.value.f = (double)value;
    return a;
}

bool elem_same(elem e, const void *a, const void *b)
{
    if (e == F32) {
        float x, y;
        memcpy(&x, a, 4);
        memcpy(&y, b, 4);
        return memcmp(a, b, 4) == 0 || (isnan(x) && isnan(y));
    }
    if (e == PAIR) {
        const pair *p = a, *q = b;
        return p->first == q->first && elem_same(F64, &p->second, &q->second);
    }
    if (e != F64) return memcmp(a, b, elems[e].size) == 0;
    double x, y;
    memcpy(&x, a, 8);
    memcpy(&y, b, 8);
    return memcmp(a, b, 8) == 0 || (isnan(x) && isnan(y));
}

int32_t launch_tag(elem e, unsigned strided, bool checked)
{
    return (int32_t)((unsigned)e | strided << 3 | (unsigned)checked << 6);
}

/* --- what they do --- */

#define AT(T, k, i) (*(T *)(void *)(l->lane[k].first + (i) * l->lane[k].stride))

/* T: elements, U: what they are added in, so that nothing overflows. */
#define DEFINE_RUN(NAME, T, U)                                                                     \
    static void run_##NAME(const launch *l, T *result)                                             \
    {                                                                                              \
        T value = (T)l->value, sum = 0;                                                            \
        int64_t n = l->n, last = l->count - 1;                                                     \
        switch (l->kind) {                                                                         \
        case K_FILL:                                                                               \
            for (int64_t i = 0; i < n; i++) AT(T, 0, i) = value;                                   \
            break;                                                                                 \
        case K_STEP:                                                                               \
            for (int64_t i = 0; i < n; i++) AT(T, 0, i) = (T)((U)AT(T, 0, i) + (U)1);              \
            break;                                                                                 \
        case K_ADD:                                                                                \
            for (int64_t i = 0; i < n; i++) AT(T, 1, i) = (T)((U)AT(T, 0, i) + (U)value);          \
            break;                                                                                 \
        case K_SUB:                                                                                \
            for (int64_t i = 0; i < n; i++) AT(T, 2, i) = (T)((U)AT(T, 0, i) - (U)AT(T, 1, i));    \
            break;                                                                                 \
        case K_MIRROR:                                                                             \
            for (int64_t i = 0; i < n; i++) AT(T, 1, i) = AT(T, 0, last - i);                      \
            break;                                                                                 \
        case K_STENCIL:                                                                            \
            for (int64_t i = 0; i < n; i++)                                                        \
                AT(T, 1, i) =                                                                      \
                    (T)((U)AT(T, 0, i ? i - 1 : 0) + (U)AT(T, 0, i < last ? i + 1 : last));        \
            break;                                                                                 \
        case K_ONCE: AT(T, 0, 0) = *result = (T)((U)AT(T, 0, 0) + (U)value); break;                \
        case K_TOTAL:                                                                              \
            for (int64_t i = 0; i < l->count; i++) sum = (T)((U)sum + (U)AT(T, 0, i));             \
            *result = sum;                                                                         \
            break;                                                                                 \
        case K_SWAP: {                                                                             \
            T *t = malloc((size_t)l->group * sizeof *t);                                           \
            if (!t) abort();                                                                       \
            for (int64_t from = 0; from < l->count; from += l->group) {                            \
                for (int64_t i = 0; i < l->group; i++)                                             \
                    t[i] = from + i < l->count ? AT(T, 0, from + i) : 0;                           \
                for (int64_t i = 0; i < l->group && from + i < l->count; i++)                      \
                    AT(T, 1, from + i) = t[l->group - 1 - i];                                      \
            }                                                                                      \
            free(t);                                                                               \
            break;                                                                                 \
        }                                                                                          \
        default: break;                                                                            \
        }                                                                                          \
    }

DEFINE_RUN(i32, int32_t, uint32_t)
DEFINE_RUN(i64, int64_t, uint64_t)
DEFINE_RUN(u16, uint16_t, uint32_t)
DEFINE_RUN(f32, float, float)
DEFINE_RUN(f64, double, double)

static void run_pairs(const launch *l)
{
    for (int64_t i = 0; i < l->n; i++) {
        pair *p = &AT(pair, 0, i);
        p->first = (int32_t)((uint32_t)p->first + 1);
        AT(double, 1, i) = p->second + 1;
    }
}

void launch_run(const launch *l, void *result)
{
    uint64_t nothing;
    if (!result) result = &nothing;
    if (l->kind == K_PAIRS) {
        run_pairs(l);
        return;
    }
    switch (l->elem) {
    case I32: run_i32(l, result); break;
    case I64: run_i64(l, result); break;
    case U16: run_u16(l, result); break;
    case F32: run_f32(l, result); break;
    case F64: run_f64(l, result); break;
    default: break;
    }
}

/* --- the stand-in driver --- */

static int64_t value_of(elem e, const void *at)
{
    switch (e) {
    case I32: return *(const int32_t *)at;
    case I64: return *(const int64_t *)at;
    case U16: return *(const uint16_t *)at;
    case F32: return (int64_t)*(const float *)at;
    default: return (int64_t)*(const double *)at;
    }
}

/* Results: behind what all kernels have, and behind the parts where two kernels make one reduction,
 * which the first one leaves there. */
static void stand_for_function(launch *l, void *const *hidden, bool first)
{
    uint64_t result = 0;
    if (l->kind == K_ONCE || first) {
        launch_run(l, &result);
        memcpy(*(void *const *)hidden[0], &result, elem_size(l->elem));
    } else memcpy(*(void *const *)hidden[1], *(void *const *)hidden[0], elem_size(l->elem));
}

/* Parameters in the order that lib/README.md gives them. */
static void stand_for(kind k, void *const *at, const size_t local[3], bool first)
{
    const kernel_row *row = &kernel_rows[k];
    launch l = {.kind = k, .group = (int64_t)local[0]};
    if (row->form == CPL_FORM_ELEMENTWISE) l.n = *(const int64_t *)*at++;
    int32_t tag = *(const int32_t *)*at++;
    bool checked = tag >> 6 & 1;
    l.elem = (elem)(tag & 7);
    for (int i = 0; i < row->arrays; i++) l.lane[i].first = *(unsigned char *const *)*at++;
    if (k == K_SWAP) at++;
    if (row->value) l.value = value_of(l.elem, *at++);
    if (row->count) l.count = *(const int32_t *)*at++;
    for (int i = 0; i < row->arrays; i++) {
        elem e = row->fixed[i] == ELEMS ? l.elem : row->fixed[i];
        at += checked;
        l.lane[i].stride = tag >> (3 + i) & 1 ? *(const int64_t *)*at++ : (int64_t)elem_size(e);
    }
    if (k == K_SWAP && checked) at++; /* of the local memory */
    at += checked;
    if (row->form == CPL_FORM_FUNCTION) stand_for_function(&l, at, first);
    else launch_run(&l, NULL);
}

#define STANDS(NAME, K)                                                                            \
    static void stands_##NAME(void *const *args, const size_t global[3], const size_t local[3])    \
    {                                                                                              \
        (void)global;                                                                              \
        stand_for(K, args, local, false);                                                          \
    }
STANDS(fill, K_FILL)
STANDS(step, K_STEP)
STANDS(add, K_ADD)
STANDS(sub, K_SUB)
STANDS(mirror, K_MIRROR)
STANDS(stencil, K_STENCIL)
STANDS(pairs, K_PAIRS)
STANDS(swap, K_SWAP)
STANDS(once, K_ONCE)
STANDS(total, K_TOTAL)
static void stands_total_parts(void *const *args, const size_t global[3], const size_t local[3])
{
    (void)global;
    stand_for(K_TOTAL, args, local, true);
}

void kernels_register(void (*add)(const char *name,
                                  void (*fn)(void *const *, const size_t[3], const size_t[3])))
{
    static void (*const fns[KINDS])(void *const *, const size_t[3],
                                    const size_t[3]) = {stands_fill,  stands_step,   stands_add,
                                                        stands_sub,   stands_mirror, stands_stencil,
                                                        stands_pairs, stands_swap,   stands_once,
                                                        stands_total};
    for (int k = 0; k < KINDS; k++) add(kernel_rows[k].name, fns[k]);
    add("total_parts", stands_total_parts);
}
