/* Values of the arguments, and how two runs on them compare. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

size_t record_size(const record *r, size_t *offsets)
{
    size_t at = 0, align = 1;
    for (int i = 0; i < r->field_count; i++) {
        size_t size = ty_size((ty)r->type[i]);
        at = (at + size - 1) / size * size;
        offsets[i] = at;
        at += size * (r->length[i] ? r->length[i] : 1);
        if (size > align) align = size;
    }
    return (at + align - 1) / align * align;
}

size_t element_size(const prog *p, const array *a)
{
    size_t offsets[MOST_FIELDS];
    return a->record >= 0 ? record_size(&p->records[a->record], offsets) : ty_size((ty)a->type);
}

/* float16 from an exact double. */
static uint16_t half_of(double v)
{
    float f = (float)v;
    uint32_t bits, sign;
    memcpy(&bits, &f, sizeof bits);
    sign = bits >> 16 & 0x8000;
    if (isnan(v)) return 0x7e00;
    if (isinf(v)) return (uint16_t)(sign | 0x7c00);
    double size = fabs(v);
    if (size < ldexp(1, -14)) return (uint16_t)(sign | (uint32_t)ldexp(size, 24));
    return (uint16_t)(sign | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff));
}

static double of_half(uint16_t h)
{
    int e = h >> 10 & 31, m = h & 0x3ff;
    double size = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h & 0x8000 ? -size : size;
}

/* Between two neighbours of a narrower float, or just beside the middle: what rounding twice gets
 * wrong. */
static double near_tie(rng *r)
{
    int digits = rng_below(r, 3) ? 10 : 23, e = (int)rng_below(r, 20) - 10;
    double one = ldexp(1, digits), middle = one + rng_below(r, 1u << (digits - 1)) + 0.5;
    static const double beside[] = {0, 1e-9, -1e-9};
    return ldexp((rng_below(r, 2) ? middle : -middle) + beside[rng_below(r, 3)] * middle,
                 e - digits);
}

/* Beside the ends of integer types. */
static double near_end(rng *r)
{
    static const int ends[] = {7, 8, 15, 16, 31, 32, 63, 64};
    double end = ldexp(1, ends[rng_below(r, COUNT_OF(ends))]);
    double away[] = {0, 0.5, 1, ldexp(end, -23), ldexp(end, -52)};
    end += (rng_below(r, 2) ? 1 : -1) * away[rng_below(r, COUNT_OF(away))];
    return rng_below(r, 2) ? end : -end;
}

static double some_float(rng *r)
{
    static const double special[] = {0.0,   -0.0,  1.0,   -1.0, 0.5,   2.5,    -1.5, 65504,
                                     1e-40, 1e300, -3e38, 6e-8, 255.5, 1e-310, 0.1};
    switch (rng_below(r, 9)) {
    case 5: return near_end(r);
    case 3:
    case 4: return near_tie(r);
    case 0: return special[rng_below(r, COUNT_OF(special))];
    case 1: return rng_below(r, 3) ? (rng_below(r, 2) ? INFINITY : -INFINITY) : NAN;
    case 2: return ldexp((double)(int64_t)rng_next(r), -(int)rng_below(r, 100));
    default: return (double)((int64_t)rng_next(r) >> (40 + rng_below(r, 20))) / 256;
    }
}

static uint64_t some_integer(rng *r, ty t)
{
    uint64_t top = UINT64_C(1) << (ty_bits(t) - 1);
    switch (rng_below(r, 8)) {
    case 0: return top - rng_below(r, 3);
    case 1: return top + rng_below(r, 3);
    case 2: return UINT64_C(0) - rng_below(r, 4);
    case 3: return UINT64_C(1) << rng_below(r, ty_bits(t));
    case 4: return rng_next(r) >> rng_below(r, 60) | 1;
    case 5: return rng_next(r);
    default: return rng_below(r, 20);
    }
}

static void put(ty t, void *to, uint64_t bits, double number)
{
    float f = (float)number;
    uint16_t h;
    switch (t) {
    case T_BOOL: *(unsigned char *)to = bits & 1; break;
    case T_F16: h = half_of(round_float(T_F16, number)), memcpy(to, &h, 2); break;
    case T_F32: memcpy(to, &f, 4); break;
    case T_F64: memcpy(to, &number, 8); break;
    default: memcpy(to, &bits, ty_size(t));
    }
}

static double get_float(ty t, const void *from)
{
    float f;
    double d;
    uint16_t h;
    switch (t) {
    case T_F16: memcpy(&h, from, 2); return of_half(h);
    case T_F32: memcpy(&f, from, 4); return (double)f;
    default: memcpy(&d, from, 8); return d;
    }
}

/* exact: whole numbers that float atomics can add in any order. */
static void fill_one(rng *r, ty t, bool exact, void *to)
{
    if (ty_is_float(t)) put(t, to, 0, exact ? (double)rng_below(r, 200) - 100 : some_float(r));
    else put(t, to, some_integer(r, t), 0);
}

static void fill(const prog *p, int at, unsigned char *to)
{
    const array *a = &p->arrays[at];
    rng r = rng_seeded(p->seed * 31 + a->id);
    size_t size = element_size(p, a), offsets[MOST_FIELDS];
    for (int32_t i = 0; i < a->length; i++, to += size) {
        if (a->record < 0) {
            fill_one(&r, (ty)a->type, a->role == ROLE_ATOMIC, to);
            continue;
        }
        const record *rec = &p->records[a->record];
        record_size(rec, offsets);
        for (int f = 0; f < rec->field_count; f++)
            for (int k = 0; k < (rec->length[f] ? rec->length[f] : 1); k++)
                fill_one(&r, (ty)rec->type[f], false,
                         to + offsets[f] + (size_t)k * ty_size((ty)rec->type[f]));
    }
}

uint64_t scalar_argument(const prog *p, int v)
{
    rng r = rng_seeded(p->seed * 37 + (uint64_t)v);
    ty t = (ty)p->kernel.vars[v].type;
    uint64_t bits;
    if (!ty_is_float(t)) return wrap_bits(t, t == T_BOOL ? rng_below(&r, 2) : some_integer(&r, t));
    double value = round_float(t, some_float(&r));
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

void image_make(const prog *p, image *m)
{
    *m = (image){0};
    for (int i = 0; i < p->array_count; i++) {
        size_t size = element_size(p, &p->arrays[i]) * (size_t)p->arrays[i].length;
        unsigned char *base = malloc(size + 2 * GUARD);
        if (!base) abort();
        memset(base, GUARD_BYTE, GUARD);
        memset(base + GUARD, 0, size);
        memset(base + GUARD + size, GUARD_BYTE, GUARD);
        m->bytes[i] = base + GUARD;
        fill(p, i, m->bytes[i]);
    }
}

void image_free(const prog *p, image *m)
{
    for (int i = 0; i < p->array_count; i++) free(m->bytes[i] ? m->bytes[i] - GUARD : NULL);
    *m = (image){0};
}

/* Comparison. */

static int64_t ordered(ty t, double v)
{
    int64_t bits = 0;
    float f = (float)v;
    int32_t bits32;
    if (t == T_F64) memcpy(&bits, &v, 8);
    else if (t == T_F32) memcpy(&bits32, &f, 4), bits = bits32;
    else bits = (int16_t)half_of(v);
    int64_t least = t == T_F64 ? INT64_MIN : t == T_F32 ? INT32_MIN : INT16_MIN;
    return bits >= 0 ? bits : least - bits;
}

/* Whether two values are the same: any NaN equals any; floats within ulps, 0 bit for bit. */
static bool same_value(ty t, const void *a, const void *b, int ulps)
{
    if (!ty_is_float(t)) return memcmp(a, b, ty_size(t)) == 0;
    double x = get_float(t, a), y = get_float(t, b);
    if (isnan(x) || isnan(y)) return isnan(x) && isnan(y);
    if (!ulps) return memcmp(a, b, ty_size(t)) == 0;
    uint64_t apart = (uint64_t)ordered(t, x) - (uint64_t)ordered(t, y);
    if ((int64_t)apart < 0) apart = 0 - apart;
    return apart <= (uint64_t)ulps;
}

static void show(ty t, const void *at, char *out, size_t size)
{
    uint64_t bits = 0;
    if (t == T_VOID) snprintf(out, size, "nothing");
    else if (ty_is_float(t)) snprintf(out, size, "%.17g", get_float(t, at));
    else {
        memcpy(&bits, at, ty_size(t));
        bits = wrap_bits(t, bits);
        snprintf(out, size, ty_is_signed(t) ? "%lld" : "%llu", (long long)bits);
    }
}

static bool report(ty t, const void *expected, const void *got, const char *where, char *why,
                   size_t size)
{
    char a[64], b[64];
    show(t, expected, a, sizeof a);
    show(t, got, b, sizeof b);
    snprintf(why, size, "%s: expected %s, got %s (%s)", where, a, b, ty_name(t));
    return true;
}

/* ULPs that OpenCL's table (full profile) or this language's limit of 4 allows, and one for the
 * reference's own error. */
static int allowed_ulps(op o)
{
    switch (o) {
    case OP_TGAMMA: return 99; /* PoCL's: 66 where the result is subnormal */
    case OP_LGAMMA:
    case OP_ERF:
    case OP_ERFC:
    case OP_POW: return 17;
    case OP_ATAN2: return 7;
    case OP_TAN:
    case OP_ATAN:
    case OP_TANH:
    case OP_ATANH: return 6;
    default: return 5;
    }
}

typedef struct math_search {
    int array, ulps;
} math_search;

static void find_math(void *user, node *n)
{
    math_search *s = user;
    if (n->kind == S_STORE && n->kid[0]->kind == P_ELEM && n->kid[0]->a == s->array &&
        n->kid[1]->kind == E_OP)
        s->ulps = op_is_math((op)n->kid[1]->op) ? allowed_ulps((op)n->kid[1]->op) : 0;
}

static bool guards_differ(const prog *p, const image *m, char *why, size_t size)
{
    for (int i = 0; i < p->array_count; i++) {
        size_t bytes = element_size(p, &p->arrays[i]) * (size_t)p->arrays[i].length;
        for (size_t k = 0; k < GUARD; k++)
            if (m->bytes[i][bytes + k] != GUARD_BYTE || *(m->bytes[i] - 1 - k) != GUARD_BYTE) {
                snprintf(why, size, "a%d: written outside", i);
                return true;
            }
    }
    return false;
}

bool image_differs(const prog *p, const image *expected, const image *got, bool math, char *why,
                   size_t size)
{
    char where[80];
    size_t offsets[MOST_FIELDS];
    if (guards_differ(p, got, why, size)) return true;
    for (int i = 0; i < p->array_count; i++) {
        const array *a = &p->arrays[i];
        size_t step = element_size(p, a);
        math_search search = {i, 0};
        if (math) node_walk(p->kernel.body, find_math, &search);
        for (int32_t k = 0; k < a->length; k++) {
            const unsigned char *x = expected->bytes[i] + step * (size_t)k,
                                *y = got->bytes[i] + step * (size_t)k;
            snprintf(where, sizeof where, "a%d[%d]", i, k);
            if (a->record < 0) {
                if (!same_value((ty)a->type, x, y, search.ulps))
                    return report((ty)a->type, x, y, where, why, size);
                continue;
            }
            const record *r = &p->records[a->record];
            record_size(r, offsets);
            for (int f = 0; f < r->field_count; f++)
                for (int e = 0; e < (r->length[f] ? r->length[f] : 1); e++) {
                    size_t at = offsets[f] + (size_t)e * ty_size((ty)r->type[f]);
                    snprintf(where, sizeof where, "a%d[%d].f%d[%d]", i, k, f, e);
                    if (!same_value((ty)r->type[f], x + at, y + at, 0))
                        return report((ty)r->type[f], x + at, y + at, where, why, size);
                }
        }
    }
    ty result = p->kernel.result;
    if (result != T_VOID && !same_value(result, &expected->result, &got->result, 0))
        return report(result, &expected->result, &got->result, "result", why, size);
    if (expected->status != got->status) {
        snprintf(why, size, "status: expected %s, got %s",
                 cpl_status_message((cpl_status)expected->status),
                 cpl_status_message((cpl_status)got->status));
        return true;
    }
    return false;
}
