/*
 * Numbers of a module: what its top level assigns once, evaluated when a kernel uses it, with the
 * values that Python gives, for as much of Python as has numbers alone.
 */
#include "lib/sema/sema_int.h"

#include <math.h>
#include <stdlib.h>

const char sema_reported[] = "";

static const char too_large[] = "its value needs more than 64 bits or is undefined";
static const char not_known[] = "its value is not known when the kernel is compiled";

typedef struct complex_value {
    double re, im;
    bool is_complex; /* else a real number */
} complex_value;

static bool evaluate_complex(sema_names in, const ast_node *n, complex_value *out);
static const char *evaluate(sema_names in, const ast_node *n, sema_const *out);
static const char *evaluate_length(sema_names in, const ast_node *n, sema_const *out);

/* z.real, z.imag */
static bool is_part(sema_names in, const ast_node *n, sema_const *out)
{
    complex_value z;
    bool real = strcmp(n->name, "real") == 0;
    if (!real && strcmp(n->name, "imag") != 0) return false;
    if (!evaluate_complex(in, n->kids[0], &z) || !z.is_complex) return false;
    *out = sema_float_const(in.s, real ? z.re : z.im);
    return true;
}

/* What n names, a constant or a number. */
static const char *evaluate_name(sema_names in, const ast_node *n, sema_const *out)
{
    sema_global g = sema_find_node(in, n);
    if (g.kind == GLOBAL_CONST) return sema_module_const(in.s, g.constant, out);
    if (g.kind == GLOBAL_NUMBER) {
        *out = g.number;
        return NULL;
    }
    if (g.kind == GLOBAL_BROKEN) return sema_reported;
    if (g.kind == GLOBAL_FOREIGN)
        return arena_printf(&in.s->comp->arena, "'%s' comes from module '%s'%s%s", n->name,
                            g.import->module, g.problem ? ": " : ", of which kernels know nothing",
                            g.problem ? g.problem : "");
    if (n->kind == AST_ATTRIBUTE && is_part(in, n, out)) return NULL;
    if (n->kind == AST_NAME)
        return arena_printf(&in.s->comp->arena, "'%s' is not a number", n->name);
    return not_known;
}

/* ---- operators ---- */

/* CPython's float_divmod: the remainder has the sign of b, and a is b times the quotient and it. */
static void divide_floats(double a, double b, double *quotient, double *rest)
{
    double r = fmod(a, b), q = (a - r) / b;
    if (r != 0 && (b < 0) != (r < 0)) {
        r += b;
        q -= 1;
    }
    *rest = r != 0 ? r : copysign(0, b);
    *quotient = q == 0 ? copysign(0, a / b) : floor(q) + (q - floor(q) > 0.5);
}

double sema_float_floordiv(double a, double b)
{
    double quotient, rest;
    divide_floats(a, b, &quotient, &rest);
    return quotient;
}

double sema_float_mod(double a, double b)
{
    double quotient, rest;
    divide_floats(a, b, &quotient, &rest);
    return rest;
}

static bool fold(sema *s, token_kind op, sema_const a, sema_const b, sema_const *out)
{
    bool floats = sema_const_is_float(a) || sema_const_is_float(b);
    if (a.scalar || b.scalar) return sema_numpy_binary(s, op, a, b, out);
    if (!floats || (op != TOK_FLOORDIV && op != TOK_MOD))
        return sema_fold_binary(s, op, a, b, true, out);
    double x = sema_const_float(a), y = sema_const_float(b);
    if (y == 0) return false;
    *out = sema_float_const(s, op == TOK_MOD ? sema_float_mod(x, y) : sema_float_floordiv(x, y));
    return true;
}

static bool fold_unary(sema *s, token_kind op, sema_const a, sema_const *out)
{
    return a.scalar ? sema_numpy_unary(s, op, a, out) : sema_fold_unary(s, op, a, out);
}

static const char *evaluate_binary(sema_names in, const ast_node *n, sema_const *out)
{
    sema_const a, b;
    if (sema_fold_literals(in.s, n, out)) return NULL;
    const char *problem = evaluate(in, n->kids[0], &a);
    if (!problem) problem = evaluate(in, n->kids[1], &b);
    if (problem) return problem;
    return fold(in.s, (token_kind)n->op, a, b, out) ? NULL : too_large;
}

static const char *evaluate_compare(sema_names in, const ast_node *n, sema_const *out)
{
    sema_const left, right;
    const char *problem = evaluate(in, n->kids[0], &left);
    bool all = true, typed = false;
    for (uint32_t i = 1; !problem && all && i < n->kid_count; i++) {
        token_kind op = n->ops[i - 1];
        if (op == TOK_IN || op == TOK_IS || op == TOK_NOT) return not_known;
        problem = evaluate(in, n->kids[i], &right);
        all = !problem && sema_const_holds(in.s, op, left, right);
        typed = left.scalar || right.scalar;
        left = right;
    }
    if (!problem) *out = sema_bool_const(in.s, all);
    if (!problem && typed) *out = sema_numpy_default(in.s, *out);
    return problem;
}

/* The operand that decides. */
static const char *evaluate_boolop(sema_names in, const ast_node *n, sema_const *out)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const char *problem = evaluate(in, n->kids[i], out);
        if (problem) return problem;
        if ((sema_const_float(*out) != 0) == (n->op == TOK_OR)) break;
    }
    return NULL;
}

static const char *evaluate_ternary(sema_names in, const ast_node *n, sema_const *out)
{
    sema_const c;
    const char *problem = evaluate(in, n->kids[0], &c);
    return problem ? problem : evaluate(in, n->kids[sema_const_float(c) != 0 ? 1 : 2], out);
}

/* ---- calls ---- */

/* What libm has, by the name that it has here too; how many numbers it takes, builtin.def says. */
static const struct {
    const char *name;
    void (*code)(void);
} libm[] = {
#define FROM_MATH(symbol) {#symbol, (void (*)(void))symbol},
#define FROM_LIBC(symbol)
#define FROM_GCC(symbol)
#define FROM_OMP(symbol)
#define ABI(symbol, source) FROM_##source(symbol)
#include "lib/support/abi.def"
#undef ABI
};

static bool call_libm(const char *name, uint32_t count, const double *a, double *result)
{
    for (size_t i = 0; i < COUNT_OF(libm); i++) {
        if (strcmp(libm[i].name, name) != 0) continue;
        *result = count == 1 ? ((double (*)(double))libm[i].code)(a[0])
                             : ((double (*)(double, double))libm[i].code)(a[0], a[1]);
        return true;
    }
    return false;
}

/* The integer that a float stands for, rounded towards zero. */
static const char *to_integer(sema *s, sema_const a, sema_const *out)
{
    *out = a;
    out->scalar = NULL;
    if (!sema_const_is_float(a)) {
        if (type_is_bool(a.type)) *out = sema_int_const(s, a.bits, false);
        return NULL;
    }
    double size = fabs(trunc(a.number));
    if (!(size <= (a.number < 0 ? 0x1p63 : 0x1.fffffffffffffp63))) return too_large;
    *out = sema_int_const(s, (uint64_t)size, a.number < 0);
    return NULL;
}

/* np.x, or a type whose name says how wide it is. */
static bool is_numpy(sema_names in, const ast_node *callee, const cpl_type *type)
{
    if (callee->kind != AST_ATTRIBUTE) return type && strpbrk(callee->name, "0123456789");
    sema_global g = sema_find_node(in, callee->kids[0]);
    return g.kind == GLOBAL_MODULE && g.module == MODULE_NUMPY;
}

/* What rounds gives integers in Python, but floats in NumPy. */
static bool gives_integer(sema_names in, sema_builtin b, const ast_node *callee)
{
    if (b != BI_FLOOR && b != BI_CEIL && b != BI_TRUNC && b != BI_ROUND) return false;
    return !is_numpy(in, callee, NULL);
}

static const char *call_math(sema_names in, sema_builtin b, const ast_node *n, const sema_const *a,
                             sema_const *out)
{
    uint32_t count = n->kid_count - 1;
    const sema_builtin_info *info = &sema_builtins[b];
    bool one = count == 1 && (strcmp(info->args, "f") == 0 || strcmp(info->args, "f?f") == 0);
    bool two = count == 2 && strcmp(info->args, "ff") == 0;
    if (b == BI_LOG && count == 2) { /* as Python has it */
        *out = sema_float_const(in.s, log(sema_const_float(a[0])) / log(sema_const_float(a[1])));
        return NULL;
    }
    if (info->group != BG_MATH || (!one && !two)) return not_known;
    double x[2] = {sema_const_float(a[0]), two ? sema_const_float(a[1]) : 0}, result;
    if (!call_libm(b == BI_ROUND ? "rint" : info->name, count, x, &result)) return not_known;
    *out = sema_float_const(in.s, result);
    if (is_numpy(in, n->kids[0], NULL))
        *out = sema_numpy_float(in.s, sema_numpy_float_of(in.s, a[0], a[two]), result);
    return gives_integer(in, b, n->kids[0]) ? to_integer(in.s, *out, out) : NULL;
}

static const char *call_builtin(sema_names in, sema_builtin b, const ast_node *n,
                                const sema_const *a, sema_const *out)
{
    uint32_t count = n->kid_count - 1;
    *out = a[0];
    switch (b) {
    case BI_MIN:
    case BI_MAX:
        for (uint32_t i = 1; i < count; i++)
            if (sema_const_holds(in.s, b == BI_MIN ? TOK_LT : TOK_GT, a[i], *out)) *out = a[i];
        return count > 1 ? NULL : not_known;
    case BI_ABS:
        if (count != 1) return not_known;
        if (sema_const_is_float(a[0])) out->number = fabs(a[0].number);
        else if (sema_const_negative(a[0]) && !fold_unary(in.s, TOK_SUB, a[0], out))
            return too_large;
        return NULL;
    case BI_POW:
        if (count != 2) return not_known;
        return fold(in.s, TOK_POW, a[0], a[1], out) ? NULL : too_large;
    case BI_DEGREES:
    case BI_RADIANS:
        if (count != 1) return not_known;
        *out = sema_float_const(in.s, b == BI_DEGREES ? sema_const_float(a[0]) * (180 / M_PI)
                                                      : sema_const_float(a[0]) * (M_PI / 180));
        return NULL;
    case BI_ISNAN:
    case BI_ISINF:
    case BI_ISFINITE: {
        double x = sema_const_float(a[0]);
        *out = sema_bool_const(in.s, b == BI_ISNAN   ? isnan(x) != 0
                                     : b == BI_ISINF ? isinf(x) != 0
                                                     : isfinite(x) != 0);
        return count == 1 ? NULL : not_known;
    }
    default: return call_math(in, b, n, a, out);
    }
}

/* float(x), int(x), np.float32(x): the value, rounded to the type. */
static const char *convert(sema *s, const cpl_type *to, sema_const a, sema_const *out)
{
    if (type_is_bool(to)) {
        *out = sema_bool_const(s, sema_const_float(a) != 0);
    } else if (type_is_float(to)) {
        double x = sema_const_float(a);
        *out = sema_float_const(s, to->size == 8   ? x
                                   : to->size == 4 ? (double)(float)x
                                                   : half_round(x));
    } else {
        const char *problem = to_integer(s, a, out);
        if (problem) return problem;
        if (!sema_const_fits(*out, to)) return too_large;
    }
    return NULL;
}

/* float('inf') */
static const char *from_text(sema_names in, const cpl_type *to, const char *text, sema_const *out)
{
    char *end;
    double value = strtod(text, &end);
    bool hex = strpbrk(text, "xX") != NULL; /* C's, but not Python's */
    if (!type_is_float(to) || end == text || *end || hex) return "it is a string";
    return convert(in.s, to, sema_float_const(in.s, value), out);
}

/* round(x, digits): Python's rounds the number that is meant, NumPy's a product in its type. */
static const char *round_digits(sema *s, sema_const x, const sema_const *digits, bool numpy,
                                sema_const *out)
{
    double value = sema_const_float(x), most = digits ? sema_const_float(*digits) : 0;
    double scale = pow(10, fabs(most));
    const cpl_type *t = x.scalar && type_is_float(x.scalar) ? x.scalar : s->t_f64;
    char text[400]; /* holds any double with 20 digits */
    if (digits && sema_const_is_float(*digits)) return not_known;
    int places = (int)fmin(most, 400);
    if (places < 0) {
        value = rint(value / scale) * scale;
    } else if (numpy) {
        double product = sema_numpy_float(s, t, value * scale).number;
        if (isfinite(product)) value = rint(product) / scale;
    } else if (sema_const_is_float(x) && places <= 20) {
        snprintf(text, sizeof text, "%.*f", places, value);
        value = strtod(text, NULL);
    }
    *out = x.scalar ? sema_numpy_float(s, t, value) : sema_float_const(s, value);
    if (type_is_float(x.type) || (numpy && type_is_bool(x.type))) return NULL;
    const char *problem = to_integer(s, places < 0 ? *out : x, out);
    if (!problem && x.scalar) out->scalar = x.scalar;
    return problem;
}

/* Functions of NumPy's that the library has. */
static const char *call_numpy(sema *s, const char *name, uint32_t count, sema_const *a,
                              sema_const *out)
{
    if (strcmp(name, "round") == 0 || strcmp(name, "around") == 0)
        return count > 2 ? not_known
                         : round_digits(s, sema_numpy_default(s, a[0]), count == 2 ? &a[1] : NULL,
                                        true, out);
    return sema_numpy_call(s, name, count, a, out) ? NULL : not_known;
}

/* math.factorial, gcd, lcm: of integers, which kernels do not have. */
static bool is_whole_function(sema_names in, const ast_node *callee)
{
    static const char *const names[] = {"factorial", "gcd", "lcm"};
    if (callee->kind != AST_ATTRIBUTE) return false;
    sema_global g = sema_find_node(in, callee->kids[0]);
    if (g.kind != GLOBAL_MODULE || g.module != MODULE_MATH) return false;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strcmp(callee->name, names[i]) == 0) return true;
    return false;
}

static uint64_t magnitude(sema_const k)
{
    return sema_const_negative(k) ? 0 - k.bits : k.bits;
}

static const char *call_whole(sema *s, const char *name, uint32_t count, const sema_const *a,
                              sema_const *out)
{
    uint64_t result = count ? magnitude(a[0]) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (sema_const_is_float(a[i])) return not_known;
    if (*name == 'f') {
        if (count != 1 || sema_const_negative(a[0]) || result > 20) return too_large;
        for (uint64_t i = result ? result - 1 : 0; i > 1; i--) result *= i;
        result = result ? result : 1;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint64_t x = result, y = magnitude(a[i]);
        while (y) {
            uint64_t rest = x % y;
            x = y;
            y = rest;
        }
        if (*name == 'g') result = x;
        else if (!x) result = 0;
        else if (__builtin_mul_overflow(result, magnitude(a[i]) / x, &result)) return too_large;
    }
    *out = sema_int_const(s, result, false);
    return NULL;
}

/* Of arguments that are numbers. */
static const char *call(sema_names in, const ast_node *n, sema_global g, sema_const *a,
                        sema_const *out)
{
    uint32_t count = n->kid_count - 1;
    if (is_whole_function(in, n->kids[0])) return call_whole(in.s, n->kids[0]->name, count, a, out);
    if (g.kind == GLOBAL_FUNC) return call_numpy(in.s, g.func->name, count, a, out);
    if (g.kind == GLOBAL_TYPE) {
        if (!type_is_scalar(g.type) || count != 1) return not_known;
        const char *problem = convert(in.s, g.type, a[0], out);
        if (is_numpy(in, n->kids[0], g.type)) out->scalar = g.type;
        return problem;
    }
    if (g.builtin == BI_ROUND && count == 2)
        return round_digits(in.s, a[0], &a[1], a[0].scalar != NULL, out);
    const char *problem = call_builtin(in, g.builtin, n, a, out);
    if (!problem && is_numpy(in, n->kids[0], NULL)) *out = sema_numpy_default(in.s, *out);
    return problem;
}

/* abs(3 + 4j) */
static bool complex_size(sema_names in, const ast_node *n, sema_global g, sema_const *out)
{
    complex_value z;
    if (g.kind != GLOBAL_BUILTIN || g.builtin != BI_ABS || n->kid_count != 2) return false;
    if (!evaluate_complex(in, n->kids[1], &z) || !z.is_complex) return false;
    *out = sema_float_const(in.s, hypot(z.re, z.im));
    return true;
}

enum { MOST_ARGUMENTS = 16, MOST_STEPS = 50 };

static const char *evaluate_call(sema_names in, const ast_node *n, sema_const *out)
{
    sema_global g = sema_find_node(in, n->kids[0]);
    uint32_t count = n->kid_count - 1;
    sema_const a[MOST_ARGUMENTS];
    const char *problem = NULL;
    bool known = g.kind == GLOBAL_BUILTIN || g.kind == GLOBAL_TYPE ||
                 (g.kind == GLOBAL_FUNC && sema_is_numpy(in.s, g.func->file)) ||
                 is_whole_function(in, n->kids[0]);
    if (!known || n->keyword_count || !count || count > MOST_ARGUMENTS) return not_known;
    if (g.kind == GLOBAL_BUILTIN && g.builtin == BI_LEN) return evaluate_length(in, n, out);
    if (g.kind == GLOBAL_TYPE && n->kids[1]->kind == AST_STRING)
        return count == 1 ? from_text(in, g.type, n->kids[1]->text, out) : not_known;
    for (uint32_t i = 0; !problem && i < count; i++)
        problem =
            n->kids[i + 1]->kind == AST_STRING ? not_known : evaluate(in, n->kids[i + 1], &a[i]);
    if (!problem) return call(in, n, g, a, out);
    return complex_size(in, n, g, out) ? NULL : problem;
}

/* ---- several numbers: W = (0.5, 0.25) ---- */

/* The tuple or list that n stands for, and the file that its items stand in; NULL: none. */
static const ast_node *list_of(sema_names *in, const ast_node *n)
{
    sema_names own = *in;
    if (n->kind == AST_INDEX) {
        const ast_node *list = list_of(in, n->kids[0]);
        sema_const k;
        if (!list || evaluate(own, n->kids[1], &k) || !type_is_int(k.type)) return NULL;
        uint64_t at = sema_const_negative(k) ? k.bits + list->kid_count : k.bits;
        n = at < list->kid_count ? list->kids[at] : n;
    } else if (n->kind == AST_NAME || n->kind == AST_ATTRIBUTE) {
        sema_global g = sema_find_node(*in, n);
        if (g.kind != GLOBAL_CONST || g.constant->reassigned) return NULL;
        in->file = g.constant->file;
        n = ast_const_value(g.constant);
    }
    return n->kind == AST_TUPLE || n->kind == AST_LIST ? n : NULL;
}

/* The item that n names, and the file that it stands in. */
static const char *find_item(sema_names *in, const ast_node *n, const ast_node **item)
{
    sema_names inner = *in;
    sema_const k;
    const ast_node *list = list_of(&inner, n->kids[0]);
    const char *problem = list ? evaluate(*in, n->kids[1], &k) : not_known;
    if (problem) return problem;
    if (!type_is_int(k.type)) return "an index of it is no integer";
    uint64_t at = sema_const_negative(k) ? k.bits + list->kid_count : k.bits;
    if (at >= list->kid_count) return "an index of it is out of range";
    if (in->s->steps == MOST_STEPS) return "it is defined in terms of itself";
    *in = inner;
    *item = list->kids[at];
    return NULL;
}

static const char *evaluate_item(sema_names in, const ast_node *n, sema_const *out)
{
    const ast_node *item;
    const char *problem = find_item(&in, n, &item);
    if (problem) return problem;
    in.s->steps++;
    problem = evaluate(in, item, out);
    in.s->steps--;
    return problem;
}

/* len(W) */
static const char *evaluate_length(sema_names in, const ast_node *n, sema_const *out)
{
    sema_names inner = in;
    const ast_node *list = n->kid_count == 2 ? list_of(&inner, n->kids[1]) : NULL;
    if (list) *out = sema_int_const(in.s, list->kid_count, false);
    return list ? NULL : not_known;
}

/* ---- all ---- */

/*
 * Constants are evaluated once, but items of tuples each time, and what is no real number is looked
 * at again as a complex one, at each level: of those that build on each other it would take for
 * ever. Of those whose values are names again, the stack would not do. False, and why:
 * that is enough.
 */
static bool begin(sema *s, const char **problem)
{
    enum { MOST_NODES = 10000000, MOST_LEVELS = 12000 };
    if (s->evaluated >= MOST_NODES) *problem = "its value takes too long to compute";
    else if (s->levels >= MOST_LEVELS) *problem = "its value is made of too many others";
    else s->evaluated++, s->levels++;
    return !*problem;
}

static const char *evaluate_node(sema_names in, const ast_node *n, sema_const *out)
{
    sema_const a;
    const char *problem;
    switch (n->kind) {
    case AST_INT: return sema_literal(in.s, n, out) ? NULL : too_large;
    case AST_FLOAT:
    case AST_BOOL: sema_literal(in.s, n, out); return NULL;
    case AST_ERROR: return sema_reported;
    case AST_STRING: return "it is a string";
    case AST_NAME:
    case AST_ATTRIBUTE: return evaluate_name(in, n, out);
    case AST_UNARY:
        problem = evaluate(in, n->kids[0], &a);
        if (problem) return problem;
        return fold_unary(in.s, (token_kind)n->op, a, out) ? NULL : too_large;
    case AST_BINARY: return evaluate_binary(in, n, out);
    case AST_COMPARE: return evaluate_compare(in, n, out);
    case AST_BOOLOP: return evaluate_boolop(in, n, out);
    case AST_TERNARY: return evaluate_ternary(in, n, out);
    case AST_CALL: return evaluate_call(in, n, out);
    case AST_INDEX: return evaluate_item(in, n, out);
    default: return not_known;
    }
}

static const char *evaluate(sema_names in, const ast_node *n, sema_const *out)
{
    const char *problem = NULL;
    if (!begin(in.s, &problem)) return problem;
    problem = evaluate_node(in, n, out);
    in.s->levels--;
    return problem;
}

const char *sema_module_number(sema *s, ast_file *file, const ast_node *n, sema_const *out)
{
    return evaluate((sema_names){.s = s, .file = file}, n, out);
}

/* Each is evaluated once. */
typedef struct const_entry {
    enum { ENTRY_BUSY, ENTRY_GOOD, ENTRY_BAD } state;
    sema_const value;
    const char *problem;
    bool tried, is_number; /* as a complex number, where it is no real one */
    complex_value number;
} const_entry;

const char *sema_module_const(sema *s, ast_const *k, sema_const *out)
{
    const_entry *e = k->user;
    if (e) {
        *out = e->value;
        return e->state == ENTRY_GOOD   ? NULL
               : e->state == ENTRY_BUSY ? "it is defined in terms of itself"
                                        : e->problem;
    }
    k->user = e = arena_new(&s->comp->arena, const_entry);
    e->problem = k->reassigned ? "the file assigns it more than once"
                               : evaluate((sema_names){.s = s, .file = k->file}, ast_const_value(k),
                                          &e->value);
    e->state = e->problem ? ENTRY_BAD : ENTRY_GOOD;
    *out = e->value;
    return e->problem;
}

/* ---- complex numbers ---- */

static bool complex_call(sema_names in, const ast_node *n, complex_value *out)
{
    complex_value a, b = {0, 0, false};
    sema_global g = sema_find_node(in, n->kids[0]);
    uint32_t count = n->kid_count - 1;
    if (g.kind != GLOBAL_TYPE || !type_is_complex(g.type) || n->keyword_count || !count ||
        count > 2 || !evaluate_complex(in, n->kids[1], &a) ||
        (count == 2 && !evaluate_complex(in, n->kids[2], &b)))
        return false;
    *out = (complex_value){a.re - b.im, a.im + b.re, true};
    return true;
}

static bool complex_binary(sema_names in, const ast_node *n, complex_value *out)
{
    complex_value a, b;
    if (!evaluate_complex(in, n->kids[0], &a) || !evaluate_complex(in, n->kids[1], &b) ||
        !(a.is_complex || b.is_complex))
        return false;
    double size = b.re * b.re + b.im * b.im;
    out->is_complex = true;
    switch (n->op) {
    case TOK_ADD: *out = (complex_value){a.re + b.re, a.im + b.im, true}; return true;
    case TOK_SUB: *out = (complex_value){a.re - b.re, a.im - b.im, true}; return true;
    case TOK_MUL:
        *out = (complex_value){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re, true};
        return true;
    case TOK_DIV:
        *out = (complex_value){(a.re * b.re + a.im * b.im) / size,
                               (a.im * b.re - a.re * b.im) / size, true};
        return size != 0;
    default: return false;
    }
}

static bool complex_constant(sema *s, ast_const *k, complex_value *out)
{
    sema_const real;
    const char *problem = sema_module_const(s, k, &real);
    const_entry *e = k->user;
    if (!problem) {
        *out = (complex_value){sema_const_float(real), 0, false};
        return true;
    }
    if (e->state == ENTRY_BUSY || k->reassigned) return false;
    if (!e->tried) {
        e->tried = true;
        e->state = ENTRY_BUSY;
        e->is_number =
            evaluate_complex((sema_names){.s = s, .file = k->file}, ast_const_value(k), &e->number);
        e->state = ENTRY_BAD;
    }
    *out = e->number;
    return e->is_number;
}

static bool complex_item(sema_names in, const ast_node *n, complex_value *out)
{
    const ast_node *item;
    if (find_item(&in, n, &item)) return false;
    in.s->steps++;
    bool known = evaluate_complex(in, item, out);
    in.s->steps--;
    return known;
}

static bool complex_node(sema_names in, const ast_node *n, complex_value *out)
{
    sema_const real;
    sema_global g;
    switch (n->kind) {
    case AST_IMAGINARY: *out = (complex_value){0, n->number, true}; return true;
    case AST_NAME:
    case AST_ATTRIBUTE:
        g = sema_find_node(in, n);
        if (g.kind == GLOBAL_CONST) return complex_constant(in.s, g.constant, out);
        break;
    case AST_UNARY:
        if (!evaluate_complex(in, n->kids[0], out) || !out->is_complex) break;
        if (n->op == TOK_SUB) *out = (complex_value){-out->re, -out->im, true};
        return n->op == TOK_SUB || n->op == TOK_ADD;
    case AST_BINARY:
        if (complex_binary(in, n, out)) return true;
        break;
    case AST_CALL:
        if (complex_call(in, n, out)) return true;
        break;
    case AST_INDEX: return complex_item(in, n, out);
    default: break;
    }
    if (evaluate(in, n, &real)) return false;
    *out = (complex_value){sema_const_float(real), 0, false};
    return true;
}

static bool evaluate_complex(sema_names in, const ast_node *n, complex_value *out)
{
    const char *problem = NULL;
    if (!begin(in.s, &problem)) return false;
    bool known = complex_node(in, n, out);
    in.s->levels--;
    return known;
}

static bool put_parts(complex_value z, double *parts)
{
    parts[0] = z.re;
    parts[1] = z.im;
    return z.is_complex;
}

bool sema_module_complex(sema *s, ast_const *k, double *parts)
{
    complex_value z;
    return complex_constant(s, k, &z) && put_parts(z, parts);
}

bool sema_module_complex_number(sema *s, ast_file *file, const ast_node *n, double *parts)
{
    complex_value z;
    return evaluate_complex((sema_names){.s = s, .file = file}, n, &z) && put_parts(z, parts);
}
