/* Operators that are known by their text, and the types of results. */
#include "runtime/algo/algo.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Those that are recognised, however blank. */
typedef struct known_op {
    const char *text;    /* without blanks */
    bool widens;         /* results of integers are 64 bits wide unless a type is given */
    const char *neutral; /* NULL: the least or the greatest of a type */
    bool least;
} known_op;

static const known_op known[] = {
    {"a+b", true, "lambda: 0", false},  {"b+a", true, "lambda: 0", false},
    {"a*b", true, "lambda: 1", false},  {"b*a", true, "lambda: 1", false},
    {"a|b", false, "lambda: 0", false}, {"a^b", false, "lambda: 0", false},
    {"a&b", false, NULL, false},        {"min(a,b)", false, NULL, false},
    {"max(a,b)", false, NULL, true},
};

bool op_adds(const algo_call *c)
{
    return c->known && c->known->text[1] == '+';
}

bool op_takes_a_cycle(const algo_call *c)
{
    return c->known && c->known->text[1] != '*' && type_is_int(c->type);
}

/* Whether text without its blanks is this. */
static bool says(const char *text, const char *word)
{
    for (; *text; text++) {
        if (*text == ' ') continue;
        if (*text != *word++) return false;
    }
    return !*word;
}

bool op_calls(const cpl_bind *given)
{
    return given->kind == CPL_BIND_FUNCTION || given->kind == CPL_BIND_EXPRESSION;
}

cpl_status op_bind(algo_call *c, const cpl_bind *op)
{
    c->binds[BIND_OP] = *op;
    c->known = NULL;
    c->commutes = false;
    if (!op_calls(op) || !op->text)
        return context_report(module_context(c->module), CPL_EARG,
                              "the operator is no expression of a and b and no function");
    for (size_t i = 0; op->kind == CPL_BIND_EXPRESSION && i < COUNT_OF(known) && !c->known; i++)
        if (says(op->text, known[i].text)) c->known = &known[i];
    c->commutes = c->known != NULL;
    return context_check_bind(module_context(c->module), "the operator", op);
}

cpl_status op_bind_spec(algo_call *c, const cpl_reduce_spec *spec)
{
    if (spec->flags & ~(uint64_t)CPL_REDUCE_COMMUTES)
        return context_report(module_context(c->module), CPL_EARG,
                              "the flags of the reduction are none that there are");
    cpl_status status = op_bind(c, &spec->op);
    c->commutes |= (spec->flags & CPL_REDUCE_COMMUTES) != 0;
    return status;
}

bool op_is_large(const algo_call *c, int copies)
{
    int64_t most = context_option(module_context(c->module), OPT_max_ops);
    return c->nodes + c->key_nodes >
           (uint64_t)most / (2 * (uint64_t)copies); /* half is for what is around */
}

/* Whether elements may be computed by functions of the library's own, each as large as a kernel: by
 * what the user wrote, or what he calls. */
static bool may_be_large(const algo_call *c)
{
    const cpl_bind *from = &c->binds[BIND_SOURCE];
    if (!context_option(module_context(c->module), OPT_reproducible)) return false;
    return from->kind == CPL_BIND_FUNCTION || strchr(from->text, '(') || strstr(from->text, "**");
}

/* On devices the lanes are written out sixteen times, but where that would be no kernel any more;
 * nor are four parts there. */
int op_lanes(algo_call *c)
{
    enum { BYTES = 256, MOST = 64, COPIES = 16 }; /* as many vectors as hide each other's latency */
    int lanes = 0;
    if (c->commutes && type_is_scalar(c->type)) lanes = BYTES / (int)c->type->size;
    if (lanes > MOST) lanes = MOST;
    c->binds[BIND_LANES] = cpl_bind_integer(lanes);
    bool device = algo_target(c), large = device && op_is_large(c, COPIES);
    c->binds[BIND_VECTORS] = cpl_bind_integer(large ? 2 : !device || may_be_large(c));
    return lanes;
}

static const char the_array[] = "lambda i, x: x[i]";

/* Every call of many arguments does this: no printf. */
static char *put_name(char *at, size_t argument)
{
    *at++ = 'x';
    if (argument > 9) *at++ = (char)('0' + argument / 10 % 10);
    *at++ = (char)('0' + argument % 10);
    *at = 0;
    return at;
}

cpl_status op_lambda(algo_call *c, algo_bind to, const char *body)
{
    char text[MOST_ARGUMENTS * 5 + 48], *at = stpcpy(text, "lambda i");
    assert(strlen(body) < 16);
    for (size_t i = 0; i < c->inputs; i++) at = put_name(stpcpy(at, ", "), i);
    stpcpy(stpcpy(at, ": "), body);
    const char *kept = module_text(c->module, text);
    c->binds[to] = cpl_bind_expression(kept);
    return kept ? CPL_OK : context_no_memory(module_context(c->module));
}

cpl_status op_elements(algo_call *c, algo_bind to, const cpl_bind *given, size_t array,
                       const char *what)
{
    char body[16], of[40];
    cpl_context *cx = module_context(c->module);
    c->binds[to] = *given;
    snprintf(of, sizeof of, "the function of %s", what);
    if (op_calls(given)) return context_check_bind(cx, of, given);
    if (given->kind != CPL_BIND_NONE)
        return context_report(cx, CPL_EARG, "the %s are no expression and no function", what);
    if (c->inputs <= array || c->p.args[array].kind != CPL_ARG_ARRAY)
        return context_report(cx, CPL_EARG, "there is no array to take %s from", what);
    if (c->p.args[array].length < c->n)
        return context_report(cx, CPL_EARG, "the %s are to be %lld, and the array has %lld", what,
                              (long long)c->n, (long long)c->p.args[array].length);
    c->binds[to] = cpl_bind_expression(the_array);
    if (c->inputs == 1) return CPL_OK;
    stpcpy(put_name(body, array), "[i]");
    return op_lambda(c, to, body);
}

/* "lambda i, x, y: x[i]", however blank, whatever the names. */
static bool takes_first(const char *text)
{
    char name[64], body[80];
    int n = 0, end = 0;
    if (sscanf(text, " lambda i , %63[A-Za-z0-9_]%n", name, &n) != 1 || !strchr(text, ':'))
        return false;
    snprintf(body, sizeof body, " %s [ i ] %%n", name);
    text = strchr(text + n, ':') + 1;
    sscanf(text, body, &end);
    return end && !text[end];
}

cpl_status op_source(algo_call *c, const cpl_bind *given)
{
    c->plain = given->kind == CPL_BIND_NONE ||
               (given->kind == CPL_BIND_EXPRESSION && given->text && takes_first(given->text));
    const cpl_type *type;
    cpl_status status = op_elements(c, BIND_SOURCE, given, 0, "elements");
    /* devices' kernels have copies of it: how large it is decides how many */
    return status || !algo_target(c) ? status : op_infer(c, BIND_SOURCE, &type);
}

/* The least or greatest number of a type: what any maximum or minimum leaves behind; for a&b all
 * bits. */
static void write_extreme(char *text, size_t size, const cpl_type *t, bool least, bool bits)
{
    unsigned width = type_bits(t);
    if (type_is_float(t)) snprintf(text, size, "lambda: %sINFINITY", least ? "-" : "");
    else if (type_is_bool(t)) snprintf(text, size, "lambda: %s", least ? "False" : "True");
    else if (bits && type_is_signed(t)) snprintf(text, size, "lambda: -1");
    else if (!type_is_signed(t))
        snprintf(text, size, "lambda: %llu", least ? 0ull : UINT64_MAX >> (64 - width));
    else
        snprintf(text, size, least ? "lambda: -%lld - 1" : "lambda: %lld",
                 (long long)(UINT64_MAX >> (65 - width)));
}

/* The number that text is, if it is one; else NAN. */
static double number_of(const char *text)
{
    char *end;
    double value = strtod(text, &end);
    return end == text || *end ? NAN : value;
}

static bool is_fraction(const char *text)
{
    double value = number_of(text);
    return value != floor(value) && !isnan(value);
}

/* 0.0 as 0, where it is an integer that floats have. */
static const char *without_point(const char *text, char *whole, size_t size)
{
    double value = number_of(text);
    if (!(fabs(value) < 0x1p53) || value != floor(value) || !strpbrk(text, ".eExX")) return text;
    snprintf(whole, size, "%.0f", value);
    return whole;
}

/* What an integer can be of it is the greatest or the least of its type. */
static bool is_infinite(const char *text)
{
    text += strspn(text, " ");
    return says(text + (*text == '-'), "INFINITY");
}

/* Whether what may be an integer is one of the type. All bits of any type, as a & b begins with,
 * can be written -1. */
static bool fits(const algo_call *c, const char *text)
{
    char *end;
    const cpl_type *t = c->type;
    bool negative = text[strspn(text, " ")] == '-';
    errno = 0;
    uint64_t value = strtoull(text, &end, 10); /* of "-1" all bits */
    if (end == text || *end || !type_is_int(t)) return !(type_is_int(t) && is_fraction(text));
    uint64_t most = UINT64_MAX >> (64 - type_bits(t) + (type_is_signed(t) ? 1 : 0));
    if (!negative || !value) return !errno && value <= most;
    if (!type_is_signed(t)) return value == UINT64_MAX && c->known && c->known->text[1] == '&';
    return !errno && (int64_t)value < 0 && ~value <= most;
}

/* "lambda: TEXT" */
static cpl_status bind_constant(algo_call *c, const char *text)
{
    char whole[32];
    bool extreme = type_is_int(c->type) && is_infinite(text);
    if (type_is_int(c->type)) text = without_point(text, whole, sizeof whole);
    c->binds[BIND_NEUTRAL] = cpl_bind_expression(c->text);
    if (extreme) write_extreme(c->text, sizeof c->text, c->type, strchr(text, '-') != NULL, false);
    if (extreme) return CPL_OK;
    if (!fits(c, text))
        return context_report(module_context(c->module), CPL_EARG,
                              "the neutral element, %s, is none of %s", text, c->type->text);
    int n = snprintf(c->text, sizeof c->text, "lambda: %s", text);
    if (n >= (int)sizeof c->text)
        return context_report(module_context(c->module), CPL_ELIMIT,
                              "the neutral element is longer than 240 characters");
    return CPL_OK;
}

/* --- types --- */

/* What a function that is bound makes of a first argument and these, which are not more than a
 * call's: inference of what calls it says it. */
static cpl_status result_of(algo_call *c, algo_bind of, cpl_dtype first, const cpl_arg *args,
                            size_t count, inferred *found)
{
    const char *function = of == BIND_OP ? c->of_op : of == BIND_KEY ? c->of_key : c->of_source;
    cpl_arg all[MOST_ARGUMENTS];
    all[0] = (cpl_arg){.kind = CPL_ARG_SCALAR, .dtype = first};
    all[1] = cpl_arg_bound(&c->binds[of]);
    memcpy(all + 2, args, count * sizeof *all);
    kernel_request r = {.module = c->module,
                        .function = function,
                        .form = CPL_FORM_FUNCTION,
                        .args = all,
                        .count = 2 + count};
    return infer_for_args(&r, found);
}

static cpl_status op_result(algo_call *c, cpl_dtype of, inferred *found)
{
    const cpl_arg other = {.kind = CPL_ARG_SCALAR, .dtype = of};
    return result_of(c, BIND_OP, of, &other, 1, found);
}

/* Whether the operator is known to have one: complex numbers have no least and no greatest. */
static bool has_neutral(const algo_call *c)
{
    if (!c->known) return false;
    return type_is_scalar(c->type) || (c->known->neutral && type_is_complex(c->type));
}

/* That it is missing, unless the operator is wrong in itself. */
static cpl_status no_neutral(algo_call *c)
{
    inferred all;
    cpl_status status = CPL_OK;
    if (type_is_scalar(c->type)) status = op_result(c, c->type->dtype, &all);
    if (status) return status;
    return context_report(module_context(c->module), CPL_EARG,
                          "there is no neutral element for '%s' of %s: give one",
                          c->binds[BIND_OP].text, c->type->text);
}

cpl_status op_neutral(algo_call *c, const cpl_bind *given)
{
    char text[24];
    cpl_context *cx = module_context(c->module);
    bool lambda = binds_text(given) && given->text && strncmp(given->text, "lambda", 6) == 0;
    c->binds[BIND_NEUTRAL] = *given;
    if (given->kind == CPL_BIND_FUNCTION || lambda)
        return context_check_bind(cx, "the neutral element", given);
    if (given->kind == CPL_BIND_EXPRESSION && given->text) return bind_constant(c, given->text);
    if (given->kind == CPL_BIND_INTEGER) {
        snprintf(text, sizeof text, "%lld", (long long)given->integer);
        return bind_constant(c, text);
    }
    if (given->kind != CPL_BIND_NONE)
        return context_report(cx, CPL_EARG, "the neutral element is no number or function");
    if (!has_neutral(c)) return no_neutral(c);
    if (!c->known->neutral)
        write_extreme(c->text, sizeof c->text, c->type, c->known->least, c->known->text[1] == '&');
    c->binds[BIND_NEUTRAL] = cpl_bind_expression(c->known->neutral ? c->known->neutral : c->text);
    return CPL_OK;
}

cpl_status op_infer(algo_call *c, algo_bind of, const cpl_type **type)
{
    const cpl_bind *bind = &c->binds[of];
    inferred all = {arg_elements(context_types(module_context(c->module)), &c->p.args[0]), 0};
    cpl_status status = CPL_OK;
    if (bind->text != the_array) status = result_of(c, of, CPL_INT64, c->p.args, c->inputs, &all);
    if (of == BIND_SOURCE) c->nodes = all.nodes;
    if (of == BIND_KEY) c->key_nodes = all.nodes;
    *type = all.type;
    return status;
}

cpl_status op_refuse(const algo_call *c, const cpl_bind *given, const cpl_type *type,
                     const char *wanted)
{
    cpl_context *cx = module_context(c->module);
    const char *of = type_is_pointer(type) ? "an array of " : "";
    const char *found = type_is_pointer(type) ? type->elem->text
                        : type_is_void(type)  ? "nothing"
                                              : type->text;
    if (given->kind == CPL_BIND_EXPRESSION)
        return context_report_at(cx, CPL_EARG, module_text_span(c->module, given->text),
                                 "%s, and this gives %s%s", wanted, of, found);
    if (given->kind == CPL_BIND_FUNCTION)
        return context_report(cx, CPL_EARG, "%s, and '%s' returns %s%s", wanted, given->text, of,
                              found);
    return context_report(cx, CPL_EARG, "%s, not %s%s", wanted, of, found);
}

cpl_status op_before(algo_call *c, const cpl_bind *given, cpl_dtype of)
{
    inferred all;
    c->of_op = "cpl.merge.of_before";
    cpl_status status = op_result(c, of, &all);
    if (status || !type_is_scalar(all.type) || type_is_int(all.type) || type_is_bool(all.type))
        return status;
    return op_refuse(c, given, all.type, "what comes before what is told by True or False");
}

cpl_status op_integers(algo_call *c, const cpl_bind *given, const char *what)
{
    char wanted[32];
    const cpl_type *type;
    cpl_status status = op_elements(c, BIND_KEY, given, 0, what);
    if (!status) status = op_infer(c, BIND_KEY, &type);
    if (status || (type_is_scalar(type) && (type_is_int(type) || type_is_bool(type))))
        return status;
    snprintf(wanted, sizeof wanted, "%s are integers", what);
    return op_refuse(c, given, type, wanted);
}

/* Whether bools stay bools: those that are taken for numbers do not. */
static cpl_status bools_stay(algo_call *c, bool *stay)
{
    inferred all;
    *stay = c->known && !c->known->widens;
    if (c->known) return CPL_OK;
    cpl_status status = op_result(c, CPL_BOOL, &all);
    *stay = !status && type_is_bool(all.type);
    return status;
}

/* As NumPy has it: sums and products of integers, and of what is true, have 64 bits. */
static cpl_status widen(algo_call *c, const cpl_type **t)
{
    type_table *types = context_types(module_context(c->module));
    bool stay = !c->known || !c->known->widens || !type_is_int(*t);
    cpl_status status = type_is_bool(*t) ? bools_stay(c, &stay) : CPL_OK;
    if (!stay) *t = type_scalar(types, type_is_unsigned(*t) ? CPL_UINT64 : CPL_INT64);
    return status;
}

cpl_status op_type_of(algo_call *c, const cpl_type *given, const cpl_type *elements,
                      const cpl_bind *by)
{
    static const cpl_bind none = {CPL_BIND_NONE, 0, NULL, NULL, {0}};
    cpl_context *cx = module_context(c->module);
    const cpl_type *t = given ? given : elements;
    if (given && given->table != context_types(cx))
        return context_report(cx, CPL_EARG, "the result's type is of another context");
    if (!(type_is_scalar(t) || type_is_struct(t)) || type_is_void(t))
        return op_refuse(c, given ? &none : by, t, "elements are numbers or structs");
    cpl_status status = given ? CPL_OK : widen(c, &t);
    if (status) return status;
    c->type = t;
    c->binds[BIND_TYPE] = cpl_bind_type(c->type);
    return CPL_OK;
}

cpl_status op_type(algo_call *c, const cpl_type *given)
{
    const cpl_type *elements = NULL;
    cpl_status status = given ? CPL_OK : op_infer(c, BIND_SOURCE, &elements);
    return status ? status : op_type_of(c, given, elements, &c->binds[BIND_SOURCE]);
}
