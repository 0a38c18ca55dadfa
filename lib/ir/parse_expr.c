/* Expressions of the text form. Everything regular follows op.def; literals, variables and calls
 * have rules of their own. */
#include "lib/ir/ir_int.h"
#include "lib/support/plural.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_OPERANDS = 4096, MOST_SITES = 1 << 16 };

/* Stands for what was reported; the parse fails anyway. */
static ir_node *placeholder(ir_parser *p, token t)
{
    return ir_int(p->m, comp_scalar(p->c, CPL_INT32), 0, par_span(p, t));
}

/* Reads a float whatever the process's locale; false when text is no number or out of the type's
 * range. */
static bool read_float(const char *text, const cpl_type *type, double *value)
{
    /* the C library's own object: no memory */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0) return false;
    char *end;
    /* float32 at once: by way of double it would be rounded twice */
    *value = type->dtype == CPL_FLOAT32 ? strtof_l(text, &end, c) : strtod_l(text, &end, c);
    freelocale(c);
    *value = ir_round_to(type, *value);
    return end != text && *end == 0;
}

static bool names_infinity(const char *text)
{
    return strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
}

static ir_node *float_literal(ir_parser *p, token t, const char *text, const cpl_type *type)
{
    double value = 0;
    bool digits = text[strcspn(text, "0123456789")] != 0;
    if (!digits && !names_infinity(text) && strcmp(text, "nan") != 0) {
        par_error(p, t, "'%s' is not a number", text);
        return placeholder(p, t);
    }
    if (!read_float(text, type, &value) || (isinf(value) && !names_infinity(text)))
        par_error(p, t, "'%s' does not fit %s", text, type->text);
    return ir_float(p->m, type, value, par_span_from(p, t.begin));
}

static bool read_int(const char *text, const cpl_type *type, uint64_t *bits)
{
    char *end;
    errno = 0;
    bool negative = *text == '-';
    int base = strncmp(text + negative, "0x", 2) == 0 ? 16 : 10;
    *bits = strtoull(text + negative, &end, base);
    if (*end || errno || end == text + negative) return false;
    if (negative) {
        if (*bits > (uint64_t)INT64_MAX + 1 || (type_is_unsigned(type) && *bits)) return false;
        *bits = 0 - *bits;
        return ir_wrap_to(type, *bits) == *bits;
    }
    if (type_is_signed(type) && *bits > INT64_MAX) return false;
    return ir_wrap_to(type, *bits) == *bits;
}

/* literal = ( number | "nan" | "inf" ) ":" type */
static ir_node *par_literal(ir_parser *p)
{
    token t = par_next(p);
    const char *text = par_text(p, t);
    if (!par_expect(p, ':', "':' and the type of the literal")) return NULL;
    token type_token = par_peek(p, 0);
    const cpl_type *type = par_type(p, false);
    if (!type) return NULL;
    if (type_is_float(type)) return float_literal(p, t, text, type);
    uint64_t bits = 0;
    if (!type_is_int(type))
        par_error(p, type_token, "a literal has a number type, not %s", type->text);
    else if (!read_int(text, type, &bits))
        par_error(p, t, "'%s' does not fit %s", text, type->text);
    else return ir_int(p->m, type, (int64_t)bits, par_span_from(p, t.begin));
    return placeholder(p, t);
}

ir_var *par_var(ir_parser *p)
{
    token t = par_peek(p, 0);
    if (!par_expect(p, TOK_NAME, "a variable")) return NULL;
    const char *name = par_text(p, t);
    ir_var *v = map_get(&p->vars, name);
    if (v) return v;
    diag *error = par_error(p, t, "undeclared variable '%s'", name);
    par_suggest(p, error, t, &p->vars);
    v = arena_new(&p->c->arena, ir_var); /* so that it is reported once */
    v->name = name;
    v->type = comp_scalar(p->c, CPL_INT32);
    map_put(&p->c->arena, &p->vars, name, v);
    return v;
}

ir_func *par_func(ir_parser *p)
{
    token t = par_peek(p, 0);
    if (!par_expect(p, TOK_NAME, "the name of a function")) return NULL;
    ir_func *f = map_get(&p->funcs, par_text(p, t));
    if (!f) {
        diag *error = par_error(p, t, "unknown function '%s'", par_text(p, t));
        par_suggest(p, error, t, &p->funcs);
    }
    return f;
}

typedef VEC(ir_node *) node_vec;

/* operands = "(" [ expr { "," expr } ] ")", behind the "(" */
static bool rest_of_operands(ir_parser *p, node_vec *kids)
{
    if (par_take(p, ')')) return true;
    do {
        ir_node *kid = par_expr(p);
        if (!kid) return false;
        vec_push(&p->c->arena, kids, kid);
        if (kids->n > MOST_OPERANDS) {
            par_error(p, par_peek(p, 0), "more than %d operands", MOST_OPERANDS);
            return false;
        }
    } while (par_take(p, ','));
    return par_expect(p, ')', "',' or ')'");
}

ir_node **par_operands(ir_parser *p, uint32_t *n)
{
    node_vec kids = {0};
    *n = 0;
    if (!par_expect(p, '(', "'('") || !rest_of_operands(p, &kids)) return NULL;
    *n = kids.n;
    return kids.at ? kids.at : arena_alloc(&p->c->arena, 1);
}

/* call = "call" name operands */
ir_node *par_call(ir_parser *p)
{
    uint32_t begin = par_next(p).begin, n;
    token name = par_peek(p, 0);
    ir_func *f = par_func(p);
    ir_node **args = par_operands(p, &n);
    if (!args) return NULL;
    return f ? ir_call(p->m, f, args, n, par_span_from(p, begin)) : placeholder(p, name);
}

/* The attribute of an op, as read. */
typedef struct attribute {
    const cpl_type *type;
    token field;
    type_space space;
    ir_order order;
    ir_scope scope;
    int64_t number; /* site, dimension or lanes */
    int64_t axis;   /* of a site; -1: none */
    token text_token;
    const char *text;
} attribute;

static bool word(ir_parser *p, const char *const *words, int count, const char *what, int *out)
{
    token t = par_peek(p, 0);
    *out = 0;
    if (!par_expect(p, TOK_NAME, what)) return false;
    *out = ir_word_find(words, count, p->src->text + t.begin, t.end - t.begin);
    if (*out < 0) {
        par_error(p, t, "'%s' is not %s", par_text(p, t), what);
        *out = 0;
    }
    return true;
}

static bool text_attribute(ir_parser *p, attribute *a)
{
    a->text_token = par_peek(p, 0);
    if (!par_expect(p, TOK_STRING, "a string")) return false;
    cpl_span bad;
    a->text = ir_unquote(&p->c->arena, p->src, a->text_token, &bad);
    if (a->text) return true;
    diag_error(&p->c->diags, CPL_ESYNTAX, bad, "not a character of a string");
    a->text = "";
    return true;
}

static bool order_attribute(ir_parser *p, attribute *a)
{
    int order, scope;
    if (!word(p, ir_order_text, IR_ORDER_COUNT, "a memory order", &order)) return false;
    if (!par_expect(p, ',', "','")) return false;
    if (!word(p, ir_scope_text, IR_SCOPE_COUNT, "a scope", &scope)) return false;
    a->order = (ir_order)order;
    a->scope = (ir_scope)scope;
    return true;
}

static bool site_attribute(ir_parser *p, attribute *a)
{
    a->axis = -1;
    if (!par_int(p, 0, MOST_SITES - 1, &a->number) || !par_expect(p, ',', "','") ||
        !text_attribute(p, a))
        return false;
    if (!par_is(p, 0, ',')) return true;
    return par_expect(p, ',', "','") && par_int(p, 0, TYPE_MOST_DIMS - 1, &a->axis);
}

static bool own_attribute(ir_parser *p, ir_op op, attribute *a)
{
    if (op == IR_ASSERT) return text_attribute(p, a);
    if (op == IR_FAULT) return site_attribute(p, a);
    par_expected(p, "'('");
    return false;
}

static bool lanes_attribute(ir_parser *p, attribute *a)
{
    token t = par_peek(p, 0);
    if (!par_int(p, 0, INT32_MAX, &a->number)) return false;
    if (!ir_lanes_fit((uint64_t)a->number))
        par_error(p, t, "%" PRId64 " elements are no vector: 2, 3, 4, 8 and 16 are", a->number);
    return true;
}

/* attribute = "<" ... ">", what op.def says for the op */
static bool par_attribute(ir_parser *p, ir_op op, attribute *a)
{
    ir_attr kind = ir_ops[op].attr;
    bool optional = kind == IR_ATTR_OWN && op != IR_FAULT;
    if (kind == IR_ATTR_NONE || kind == IR_ATTR_VAR || (optional && !par_is(p, 0, '<')))
        return true;
    if (!par_expect(p, '<', "'<'")) return false;
    int space;
    switch (kind) {
    case IR_ATTR_TYPE:
        a->type = par_type(p, false);
        if (!a->type) return false;
        break;
    case IR_ATTR_FIELD:
        a->field = par_peek(p, 0);
        if (!par_expect(p, TOK_NAME, "the name of a field")) return false;
        break;
    case IR_ATTR_SPACE:
        if (!word(p, ir_space_text, IR_SPACE_COUNT, "a memory space", &space)) return false;
        a->space = (type_space)space;
        break;
    case IR_ATTR_ORDER:
        if (!order_attribute(p, a)) return false;
        break;
    case IR_ATTR_DIM:
        if (!par_int(p, 0, IR_DIMS - 1, &a->number)) return false;
        break;
    case IR_ATTR_AXIS:
        if (!par_int(p, 0, TYPE_MOST_DIMS - 1, &a->number)) return false;
        break;
    case IR_ATTR_LANES:
        if (!lanes_attribute(p, a)) return false;
        break;
    default:
        if (!own_attribute(p, op, a)) return false;
    }
    return par_expect(p, '>', "'>'");
}

/* A number may be used by several faults, which then are copies of one. */
static void use_site(ir_parser *p, const attribute *a, cpl_span span)
{
    ir_module *m = p->m;
    while (m->sites.n <= (uint64_t)a->number)
        vec_push(&p->c->arena, &m->sites, ((ir_site){.axis = -1}));
    ir_site *s = &m->sites.at[a->number];
    if (!s->func)
        *s = (ir_site){p->func->name, *a->text ? a->text : NULL, (int32_t)a->axis, span, NULL};
    else if (s->axis != a->axis || strcmp(s->arg ? s->arg : "", a->text) != 0)
        par_error(p, a->text_token, "site %" PRId64 " is '%s' elsewhere", a->number,
                  s->arg ? s->arg : "");
}

static ir_node *field_node(ir_parser *p, const attribute *a, ir_node *pointer, cpl_span span)
{
    const cpl_type *t = pointer->type;
    if (!type_is_pointer(t) || !type_is_struct(t->elem)) {
        par_error(p, a->field, "field needs a pointer to a struct, not %s", t->text);
        return placeholder(p, a->field);
    }
    for (uint32_t i = 0; i < t->elem->field_count; i++)
        if (par_token_is(p, a->field, t->elem->fields[i].name))
            return ir_field(p->m, pointer, i, span);
    par_error(p, a->field, "struct %s has no field '%s'", t->elem->name, par_text(p, a->field));
    return placeholder(p, a->field);
}

static ir_node *make_op(ir_parser *p, ir_op op, const attribute *a, node_vec *kids, cpl_span span)
{
    if (op == IR_FIELD) return field_node(p, a, kids->at[0], span);
    if (ir_ops[op].attr == IR_ATTR_TYPE) return ir_typed(p->m, op, a->type, kids->at[0], span);
    ir_node *n = ir_op_new(p->m, op, kids->at, kids->n, span);
    if (ir_ops[op].attr == IR_ATTR_SPACE) n->space = a->space;
    if (ir_ops[op].attr == IR_ATTR_DIM || ir_ops[op].attr == IR_ATTR_AXIS)
        n->dim = (uint32_t)a->number;
    if (ir_ops[op].attr == IR_ATTR_LANES) n->lanes = (uint32_t)a->number;
    if (ir_ops[op].attr == IR_ATTR_ORDER) {
        n->order = a->order;
        n->scope = a->scope;
    }
    if (op == IR_PRINTF || op == IR_ASSERT) n->text = a->text;
    if (op == IR_FAULT) {
        n->site = (uint32_t)a->number;
        use_site(p, a, span);
    }
    return n;
}

/* Ops that are written name, attribute, operands; the others have a syntax of their own. */
static bool is_regular(ir_op op)
{
    switch (op) {
    case IR_CONST:
    case IR_VAR:
    case IR_CALL:
    case IR_ASSIGN:
    case IR_EVAL:
    case IR_IF:
    case IR_WHILE:
    case IR_FOR:
    case IR_PARALLEL_FOR:
    case IR_FORK:
    case IR_BREAK:
    case IR_CONTINUE:
    case IR_RETURN:
    case IR_OP_COUNT: return false;
    default: return true;
    }
}

static ir_node *unknown_op(ir_parser *p, token name)
{
    diag *error = par_error(p, name, "unknown op '%s'", par_text(p, name));
    map names = {0};
    for (int i = 0; i < IR_OP_COUNT; i++)
        if (is_regular((ir_op)i)) map_put(&p->c->arena, &names, ir_ops[i].text, &names);
    par_suggest(p, error, name, &names);
    return NULL;
}

static bool count_fits(ir_parser *p, token name, ir_op op, uint32_t n)
{
    const char *letters = ir_ops[op].operands;
    size_t wanted = strcspn(letters, "*");
    if (letters[wanted] ? n >= wanted : n == wanted) return true;
    par_error(p, name, "%s has %zu operand%s, not %" PRIu32, ir_ops[op].text, wanted,
              plural((int64_t)wanted), n);
    return false;
}

/* op = name [ attribute ] "(" [ string "," ] [ expr { "," expr } ] ")" */
ir_node *par_op(ir_parser *p)
{
    token name = par_next(p);
    ir_op op = ir_op_find(p->src->text + name.begin, name.end - name.begin);
    if (!is_regular(op)) return unknown_op(p, name);
    attribute a = {0};
    node_vec kids = {0};
    if (!par_attribute(p, op, &a) || !par_expect(p, '(', "'('")) return NULL;
    if (op == IR_ADDR) {
        ir_var *v = par_var(p);
        if (!v || !par_expect(p, ')', "')'")) return NULL;
        return ir_addr(p->m, v, par_span_from(p, name.begin));
    }
    if (op == IR_PRINTF) {
        if (!text_attribute(p, &a)) return NULL;
        if (!par_is(p, 0, ')') && !par_expect(p, ',', "',' or ')'")) return NULL;
    }
    if (!rest_of_operands(p, &kids)) return NULL;
    if (!count_fits(p, name, op, kids.n)) return placeholder(p, name);
    return make_op(p, op, &a, &kids, par_span_from(p, name.begin));
}

/*
 * expr = literal | "true" | "false" | call | op | name
 */
ir_node *par_expr(ir_parser *p)
{
    if (!par_enter(p)) return NULL;
    token t = par_peek(p, 0);
    ir_node *n = NULL;
    bool is_true = par_token_is(p, t, "true");
    if (t.kind == TOK_NUMBER ||
        (par_is(p, 1, ':') && (par_token_is(p, t, "nan") || par_token_is(p, t, "inf")))) {
        n = par_literal(p);
    } else if (t.kind != TOK_NAME) {
        par_expected(p, "an expression");
    } else if (is_true || par_token_is(p, t, "false")) {
        p->at++;
        n = ir_int(p->m, comp_scalar(p->c, CPL_BOOL), is_true, par_span(p, t));
    } else if (par_token_is(p, t, "call")) {
        n = par_call(p);
    } else if (par_is(p, 1, '(') || par_is(p, 1, '<')) {
        n = par_op(p);
    } else {
        ir_var *v = par_var(p);
        if (v) n = ir_use(p->m, v, par_span(p, t));
    }
    par_leave(p);
    return n;
}
