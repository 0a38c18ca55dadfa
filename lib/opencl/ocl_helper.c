/* Functions that a program needs beside its own: each is defined once, in front of them. */
#include "lib/opencl/ocl_int.h"

const char *ocl_helper(ocl *o, const char *name, const char *text)
{
    if (!map_get(&o->helpers, name))
        map_put(&o->c->arena, &o->helpers, name, (void *)(uintptr_t)text);
    return name;
}

/* Keeps what a local is, and another (or NULL), from NVIDIA's compiler alone, which has inline PTX.
 */
static const char *hide(ocl *o, char kind, const char *local, const char *other)
{
    arena *a = &o->c->arena;
    const char *second = other ? arena_printf(a, ", \"+%c\"(%s)", kind, other) : "";
    return arena_printf(a, "#ifdef __NV_CL_C_VERSION\n    asm(\"\" : \"+%c\"(%s)%s);\n#endif\n",
                        kind, local, second);
}

static bool is_float32(const cpl_type *t) /* in C */
{
    return type_is(t, CPL_FLOAT32) || ocl_is_half(t);
}

static char float_kind(const cpl_type *t)
{
    return type_is(t, CPL_FLOAT64) ? 'd' : 'f';
}

/* NVIDIA's compiler (580.159) negates 16 bits in place where the negated number is narrowed to
 * them, and goes on as if -32768 became 32768; and it compares a sum that is narrowed before it is:
 * it is not to see that the int is narrowed. */
const char *ocl_narrowed(ocl *o, const cpl_type *t)
{
    arena *a = &o->c->arena;
    const char *type = ocl_scalar(o, t), *name = arena_printf(a, "cpl_%s", type);
    return ocl_helper(o, name,
                      arena_printf(a, "static %s %s(int x)\n{\n%s    return (%s)x;\n}\n", type,
                                   name, hide(o, 'r', "x", NULL), type));
}

/*
 * PoCL 3 and 5 take it that abs does not meet the least number, though OpenCL defines it there; so
 * does NVIDIA's compiler (580.159), of whatever it finds to be one.
 */
const char *ocl_abs(ocl *o, const cpl_type *t)
{
    arena *a = &o->c->arena;
    const char *type = ocl_scalar(o, t), *name = arena_printf(a, "cpl_abs_%s", type);
    bool wide = t->size == 8;
    const char *word = wide ? "ulong" : "uint";
    return ocl_helper(o, name,
                      arena_printf(a,
                                   "static %s %s(%s x)\n{\n    int sign = (int)(x >> %d);\n%s"
                                   "    return (%s)(((%s)x ^ (%s)sign) - (%s)sign);\n}\n",
                                   type, name, type, wide ? 63 : 31, hide(o, 'r', "sign", NULL),
                                   type, word, word, word));
}

/*
 * The machine code that NVIDIA's driver (580.159) makes has x > -1 for true even of a NaN where x
 * is a float that cannot be less: |x|, x*x, exp2(x). Its comparisons that are true of NaNs are
 * right, and |x| by its bits.
 */
const char *ocl_fabs(ocl *o, const cpl_type *t)
{
    if (type_is(t, CPL_FLOAT64)) return "fabs";
    return ocl_helper(o, "cpl_fabs",
                      "static float cpl_fabs(float x)\n{\n#ifdef __NV_CL_C_VERSION\n"
                      "    return as_float(as_uint(x) & 0x7fffffff);\n"
                      "#else\n    return fabs(x);\n#endif\n}\n");
}

/*
 * NVIDIA's compiler (580.159) makes one instruction on two halves of a minimum or maximum of 8 or
 * 16 bits and a comparison that follows, and the second half overwrites the answer (sm_90 on): what
 * is compared are ints, which it does not see to be what is chosen from.
 */
static const char *narrow_order(ocl *o, const char *name, const char *c)
{
    arena *a = &o->c->arena;
    name = arena_printf(a, "%s_int", name);
    return ocl_helper(o, name,
                      arena_printf(a, "static int %s(int a, int b)\n{\n%s    return a %s b;\n}\n",
                                   name, hide(o, 'r', "a", "b"), c));
}

const char *ocl_order(ocl *o, ir_op op, const cpl_type *t)
{
    static const struct {
        const char *name, *c, *opposite;
    } orders[] = {[IR_LT] = {"cpl_less", "<", "geu"},
                  [IR_LE] = {"cpl_less_equal", "<=", "gtu"},
                  [IR_GT] = {"cpl_greater", ">", "leu"},
                  [IR_GE] = {"cpl_greater_equal", ">=", "ltu"}};
    const char *name = orders[op].name;
    if (ocl_is_narrow(t)) return narrow_order(o, name, orders[op].c);
    return ocl_helper(
        o, name,
        arena_printf(&o->c->arena,
                     "static int %s(float a, float b)\n{\n#ifdef __NV_CL_C_VERSION\n"
                     "    int r;\n    asm(\"{ .reg .pred p; setp.%s.f32 p, %%1, %%2; "
                     "selp.b32 %%0, 0, 1, p; }\"\n        : \"=r\"(r) : \"f\"(a), \"f\"(b));\n"
                     "    return r;\n#else\n    return a %s b;\n#endif\n}\n",
                     name, orders[op].opposite, orders[op].c));
}

/* Whether the machine's compiler knows a range of n, a float32. */
static bool has_range(void *user, ir_node *n)
{
    bool square = n->op == IR_MUL && ir_equal(n->kids[0], n->kids[1]);
    if ((square || n->op == IR_EXP2) && is_float32(n->type)) *(bool *)user = true;
    return true;
}

bool ocl_has_ranges(const ir_module *m)
{
    bool found = false;
    ir_walk_module(m, has_range, &found);
    return found;
}

static bool is_number(const ir_node *n, double number)
{
    return n->op == IR_CONST && n->number == number;
}

static bool is_min_of_one(void *user, ir_node *n)
{
    if (n->op == IR_MIN && is_float32(n->type) && is_number(n->kids[0], 1)) *(bool *)user = true;
    return true;
}

bool ocl_has_min_of_one(const ir_module *m)
{
    bool found = false;
    ir_walk_module(m, is_min_of_one, &found);
    return found;
}

/*
 * Of the maximum of 0.0f and a minimum of 1.0f, which is 1.0f for a NaN, NVIDIA's machine code
 * (580.159) makes a saturation, which is 0.0f; it does not see one in a question asked twice.
 */
static const char *max_of_zero(ocl *o)
{
    return ocl_helper(o, "cpl_max_zero",
                      arena_printf(&o->c->arena,
                                   "static float cpl_max_zero(float a, float b)\n{\n%s"
                                   "    return !(a >= b) && b == b ? b : a;\n}\n",
                                   hide(o, 'f', "a", "b")));
}

/*
 * NVIDIA's compiler (580.159) loses the sign of zero where it sees that one of both floats is a
 * constant: what is compared comes from where it cannot see.
 */
const char *ocl_min_max(ocl *o, const ir_node *n)
{
    bool max = n->op == IR_MAX;
    if (max && o->min_of_one && is_float32(n->type) && is_number(n->kids[0], 0))
        return max_of_zero(o);
    return ocl_min_max_of(o, max, n->type);
}

const char *ocl_min_max_of(ocl *o, bool max, const cpl_type *t)
{
    arena *a = &o->c->arena;
    const char *type = ocl_scalar(o, t),
               *name = arena_printf(a, "cpl_%s_%s", max ? "max" : "min", type),
               *hidden = type_is_float(t) ? hide(o, float_kind(t), "a", "b") : "",
               *order = max ? "b > a" : "b < a";
    if (ocl_is_narrow(t) || (o->ranges && is_float32(t)))
        order = arena_printf(a, "%s(b, a)", ocl_order(o, max ? IR_GT : IR_LT, t));
    return ocl_helper(o, name,
                      arena_printf(a, "static %s %s(%s a, %s b)\n{\n%s    return %s ? b : a;\n}\n",
                                   type, name, type, type, hidden, order));
}

/* fdim of NVIDIA's compiler (580.159) is 0 where it sees that an operand is a NaN. */
const char *ocl_difference(ocl *o, const cpl_type *t)
{
    arena *a = &o->c->arena;
    const char *type = ocl_scalar(o, t), *name = arena_printf(a, "cpl_fdim_%s", type);
    return ocl_helper(
        o, name,
        arena_printf(a, "static %s %s(%s a, %s b)\n{\n%s    return a <= b ? 0 : a - b;\n}\n", type,
                     name, type, type, hide(o, float_kind(t), "a", "b")));
}

/* PoCL 3 and 5 round by way of an integer: a NaN that their compiler sees becomes undefined. */
const char *ocl_rounding(ocl *o, ir_op op, const cpl_type *t)
{
    arena *a = &o->c->arena;
    const char *type = ocl_scalar(o, t), *round = ir_ops[op].text,
               *name = arena_printf(a, "cpl_%s_%s", round, type);
    return ocl_helper(o, name,
                      arena_printf(a,
                                   "static %s %s(%s x)\n{\n    return isnan(x) ? x : %s(x);\n}\n",
                                   type, name, type, round));
}

/* The standard's saturating conversions turn NaN into 0, but Intel's OpenCL on CPUs with AVX-512
 * (2026.2) makes the largest uint32 of it. */
const char *ocl_to_int(ocl *o, const cpl_type *from, const cpl_type *to)
{
    arena *a = &o->c->arena;
    const char *real = ocl_scalar(o, from), *whole = ocl_scalar(o, to);
    const char *name = arena_printf(a, "cpl_%s_of_%s", whole, real);
    return ocl_helper(
        o, name,
        arena_printf(a,
                     "static %s %s(%s x)\n{\n    return isnan(x) ? 0 : convert_%s_sat_rtz(x);\n}\n",
                     whole, name, real, whole));
}

/* How often a loop from start towards stop runs: the last - first - 1 over the stride, plus 1, as
 * unsigned numbers. */
const char *ocl_rounds(ocl *o, const cpl_type *t)
{
    arena *a = &o->c->arena;
    const char *type = ocl_scalar(o, t), *count = t->size == 8 ? "ulong" : "uint",
               *name = arena_printf(a, "cpl_rounds_%s", type);
    const char *up = arena_printf(
        a, "    if (step > 0 && start < stop) return ((%s)stop - (%s)start - 1) / (%s)step + 1;\n",
        count, count, count);
    const char *down = !type_is_signed(t)
                           ? ""
                           : arena_printf(a,
                                          "    if (step < 0 && stop < start) return ((%s)start - "
                                          "(%s)stop - 1) / (0 - (%s)step) + 1;\n",
                                          count, count, count);
    return ocl_helper(
        o, name,
        arena_printf(a, "static %s %s(%s start, %s stop, %s step)\n{\n%s%s    return 0;\n}\n",
                     count, name, type, type, type, up, down));
}

const char *ocl_half_bits(ocl *o)
{
    return ocl_helper(
        o, "cpl_half_bits",
        "static ushort cpl_half_bits(float x)\n{\n    ushort bits;\n    vstore_half_rte(x, "
        "0, (private half *)&bits);\n"
        "    return bits;\n}\n");
}

const char *ocl_half_value(ocl *o)
{
    return ocl_helper(
        o, "cpl_half_value",
        "static float cpl_half_value(ushort bits)\n{\n    return vload_half(0, (private "
        "half *)&bits);\n}\n");
}

const char *ocl_half(ocl *o)
{
    return ocl_helper(
        o, "cpl_half",
        "static float cpl_half(float x)\n{\n    ushort bits;\n    vstore_half_rte(x, 0, "
        "(private half *)&bits);\n"
        "    return vload_half(0, (private half *)&bits);\n}\n");
}

/* One step: by way of float it would round twice. */
const char *ocl_half_of_double(ocl *o)
{
    o->fp64 = true;
    return ocl_helper(o, "cpl_half_of_double",
                      "static float cpl_half_of_double(double x)\n{\n    ushort bits;\n    "
                      "vstore_half_rte(x, 0, (private half *)&bits);\n"
                      "    return vload_half(0, (private half *)&bits);\n}\n");
}

/* Laid out as cpl_fault. */
const char *ocl_record_fault(ocl *o)
{
    const char *space = ocl_space(o, SPACE_GLOBAL);
    ocl_helper(
        o, "cpl_fault",
        "typedef struct cpl_fault {\n    int taken, site;\n    long index, extent, round;\n} "
        "cpl_fault;\n");
    return ocl_helper(
        o, "cpl_record_fault",
        arena_printf(
            &o->c->arena,
            "static void cpl_record_fault(%s cpl_fault *record, int site, long index, long "
            "extent, long round)\n{\n"
            "    if (atomic_cmpxchg((volatile global int *)&record->taken, 0, 1) != 0) return;\n"
            "    record->site = site;\n    record->index = index;\n    record->extent = "
            "extent;\n    record->round = round;\n}\n",
            space));
}
