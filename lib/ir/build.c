/*
 * Constructors of the typed IR. They compute result types and keep names unique, and check nothing:
 * on operands that do not fit they make a node that the verifier refuses.
 */
#include "lib/ir/ir_int.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>

ir_module *ir_module_new(compilation *c, const char *name)
{
    ir_module *m = arena_new(&c->arena, ir_module);
    m->comp = c;
    m->name = arena_strdup(&c->arena, name);
    return m;
}

/* Structs are listed behind those that their fields need. The nesting of types is bounded by the
 * parsers. */
void ir_use_type(ir_module *m, const cpl_type *type)
{
    while (type_is_pointer(type) || type_is_array(type)) type = type->elem;
    if (!type_is_struct(type)) return;
    for (uint32_t i = 0; i < m->structs.n; i++)
        if (m->structs.at[i] == type) return;
    for (uint32_t i = 0; i < type->field_count; i++) ir_use_type(m, type->fields[i].type);
    vec_push(&m->comp->arena, &m->structs, type);
}

/* Unique names: NAME, then NAME<mark>1, NAME<mark>2... */
typedef struct namer {
    char *name;    /* as wanted, with characters the text form allows */
    size_t length; /* of name without its number */
    char mark;     /* in front of the number */
    bool taken;
    unsigned long last; /* highest number in use */
} namer;

static size_t without_number(const char *name, char mark)
{
    size_t n = strlen(name), i = n;
    while (i > 0 && isdigit((unsigned char)name[i - 1])) i--;
    return i > 1 && i < n && n - i < 9 && name[i - 1] == mark ? i - 1 : n;
}

static bool name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static namer namer_start(ir_module *m, const char *wanted, char mark)
{
    namer n = {arena_strdup(&m->comp->arena, *wanted ? wanted : "_"), 0, mark, false, 0};
    for (char *p = n.name; *p; p++)
        if (!name_char(*p) && *p != mark) *p = '_';
    if (isdigit((unsigned char)n.name[0]) || n.name[0] == '.') n.name[0] = '_';
    n.length = without_number(n.name, mark);
    return n;
}

static void namer_see(namer *n, const char *used)
{
    if (strcmp(used, n->name) == 0) n->taken = true;
    if (strncmp(used, n->name, n->length) != 0 || used[n->length] != n->mark) return;
    const char *digits = used + n->length + 1;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 8 || digits[count]) return;
    unsigned long number = strtoul(digits, NULL, 10);
    if (number > n->last) n->last = number;
}

static const char *namer_finish(ir_module *m, const namer *n)
{
    if (!n->taken) return n->name;
    return arena_printf(&m->comp->arena, "%.*s%c%lu", (int)n->length, n->name, n->mark,
                        n->last + 1);
}

ir_func *ir_func_new(ir_module *m, const char *name, ir_linkage linkage, const cpl_type *result,
                     cpl_span span)
{
    namer n = namer_start(m, name, '.');
    for (uint32_t i = 0; i < m->funcs.n; i++) namer_see(&n, m->funcs.at[i]->name);
    return ir_func_make(m, namer_finish(m, &n), linkage, result, span);
}

ir_func *ir_func_make(ir_module *m, const char *name, ir_linkage linkage, const cpl_type *result,
                      cpl_span span)
{
    ir_func *f = arena_new(&m->comp->arena, ir_func);
    f->name = name;
    f->linkage = linkage;
    f->result = result;
    f->span = span;
    if (linkage != IR_EXTERN) f->body = ir_block_new(m);
    ir_use_type(m, result);
    vec_push(&m->comp->arena, &m->funcs, f);
    return f;
}

void ir_adopt(ir_module *m, ir_module *from)
{
    for (uint32_t i = 0; i < from->structs.n; i++) ir_use_type(m, from->structs.at[i]);
    for (uint32_t i = 0; i < from->funcs.n; i++) {
        ir_func *f = from->funcs.at[i];
        namer n = namer_start(m, f->name, '.');
        for (uint32_t j = 0; j < m->funcs.n; j++) namer_see(&n, m->funcs.at[j]->name);
        f->name = namer_finish(m, &n);
        if (f->linkage == IR_ENTRY) f->linkage = IR_INTERNAL;
        vec_push(&m->comp->arena, &m->funcs, f);
    }
    from->funcs.n = 0;
}

bool ir_name_reserved(const char *name)
{
    return strcmp(name, "true") == 0 || strcmp(name, "false") == 0 || strcmp(name, "call") == 0;
}

/* Names of a function's variables, so that a new one costs the same however many there are. */
typedef struct ir_names {
    map used;
    map last;              /* by name without number: the highest one in use, as a pointer */
    uint32_t params, vars; /* those seen so far */
} ir_names;

static void names_add(arena *a, ir_names *names, const char *used)
{
    map_put(a, &names->used, used, names);
    size_t length = without_number(used, '_');
    if (!used[length]) return;
    const char *stem = arena_strndup(a, used, length);
    uintptr_t number = strtoul(used + length + 1, NULL, 10);
    if (number > (uintptr_t)map_get(&names->last, stem))
        map_put(a, &names->last, stem, (void *)number);
}

static const char *var_name(ir_module *m, ir_func *f, const char *wanted)
{
    arena *a = &m->comp->arena;
    if (!f->names) f->names = arena_new(a, ir_names);
    ir_names *names = f->names;
    while (names->params < f->params.n) names_add(a, names, f->params.at[names->params++]->name);
    while (names->vars < f->vars.n) names_add(a, names, f->vars.at[names->vars++]->name);
    namer n = namer_start(m, wanted, '_');
    n.taken = ir_name_reserved(n.name) || map_get(&names->used, n.name);
    if (n.taken) n.last = (uintptr_t)map_get(&names->last, arena_strndup(a, n.name, n.length));
    return namer_finish(m, &n);
}

ir_var *ir_var_make(ir_module *m, ir_func *f, const char *name, const cpl_type *type, bool is_param,
                    cpl_span span)
{
    arena *a = &m->comp->arena;
    ir_var *v = arena_new(a, ir_var);
    v->name = name;
    v->type = type;
    v->span = span;
    v->is_param = is_param;
    v->index = f->params.n + f->vars.n;
    ir_use_type(m, type);
    if (is_param && f->elementwise && f->params.n == 0) v->role = PARAM_COUNT;
    if (is_param) vec_push(a, &f->params, v);
    else vec_push(a, &f->vars, v);
    return v;
}

ir_var *ir_param_new(ir_module *m, ir_func *f, const char *name, const cpl_type *type,
                     cpl_span span)
{
    return ir_var_make(m, f, var_name(m, f, name), type, true, span);
}

ir_var *ir_var_new(ir_module *m, ir_func *f, const char *name, const cpl_type *type, cpl_span span)
{
    return ir_var_make(m, f, var_name(m, f, name), type, false, span);
}

void ir_set_role(ir_var *parameter, param_role role, ir_var *of)
{
    parameter->role = role;
    parameter->of = of;
    if (role == PARAM_LENGTH && of && !of->extent) of->extent = parameter;
}

ir_block *ir_block_new(ir_module *m)
{
    return arena_new(&m->comp->arena, ir_block);
}

void ir_append(ir_module *m, ir_block *b, ir_node *stmt)
{
    vec_push(&m->comp->arena, b, stmt);
}

ir_node *ir_node_new(ir_module *m, ir_op op, const cpl_type *type, cpl_span span,
                     uint32_t kid_count)
{
    assert(kid_count <= UINT16_MAX);
    ir_node *n = arena_new(&m->comp->arena, ir_node);
    n->op = (uint16_t)op;
    n->kid_count = (uint16_t)kid_count;
    n->span = span;
    n->type = type;
    if (kid_count > 0) n->kids = arena_array(&m->comp->arena, kid_count, sizeof *n->kids);
    ir_use_type(m, type);
    return n;
}

static const cpl_type *void_type(ir_module *m)
{
    return comp_scalar(m->comp, CPL_VOID);
}

ir_node *ir_int(ir_module *m, const cpl_type *type, int64_t value, cpl_span span)
{
    ir_node *n = ir_node_new(m, IR_CONST, type, span, 0);
    n->bits = type_is_bool(type) ? value != 0 : ir_wrap_to(type, (uint64_t)value);
    return n;
}

ir_node *ir_float(ir_module *m, const cpl_type *type, double value, cpl_span span)
{
    ir_node *n = ir_node_new(m, IR_CONST, type, span, 0);
    n->number = isnan(value) ? NAN : ir_round_to(type, value); /* one NaN, as the text form has */
    return n;
}

ir_node *ir_zero(ir_module *m, const cpl_type *type, cpl_span span)
{
    return type_is_float(type) ? ir_float(m, type, 0, span) : ir_int(m, type, 0, span);
}

ir_node *ir_neutral(ir_module *m, ir_op op, const cpl_type *t, cpl_span span)
{
    bool real = type_is_float(t);
    /* sign bit, or the highest of an unsigned type */
    uint64_t top = UINT64_C(1) << (type_bits(t) - 1);
    switch (op) {
    case IR_MUL: return real ? ir_float(m, t, 1, span) : ir_int(m, t, 1, span);
    case IR_AND: return ir_int(m, t, -1, span);
    case IR_MIN:
        if (real) return ir_float(m, t, INFINITY, span);
        return ir_int(m, t, type_is_signed(t) ? (int64_t)(top - 1) : -1, span);
    case IR_MAX:
        if (real) return ir_float(m, t, -INFINITY, span);
        return ir_int(m, t, type_is_signed(t) ? (int64_t)top : 0, span);
    case IR_ADD: /* -0.0 + x is x for every x, 0.0 + x is not */
        if (real) return ir_float(m, t, -0.0, span);
        break;
    default: break;
    }
    return ir_int(m, t, 0, span);
}

ir_node *ir_use(ir_module *m, ir_var *v, cpl_span span)
{
    ir_node *n = ir_node_new(m, IR_VAR, v->type, span, 0);
    n->var = v;
    return n;
}

ir_node *ir_addr(ir_module *m, ir_var *v, cpl_span span)
{
    type_space space = v->local ? SPACE_LOCAL : SPACE_PRIVATE;
    ir_node *n = ir_node_new(m, IR_ADDR, comp_pointer(m->comp, v->type, space), span, 0);
    n->var = v;
    return n;
}

/* Of ops whose row says OWN. */
static const cpl_type *own_type(ir_module *m, ir_op op, ir_node **kids, uint32_t n)
{
    const cpl_type *first = n > 0 ? kids[0]->type : void_type(m);
    switch (op) {
    case IR_COND: return n > 1 ? kids[1]->type : first;
    case IR_ITEM:
        if (!type_is_pointer(first) || !type_is_array(first->elem)) return first;
        return comp_pointer(m->comp, first->elem->elem, first->space);
    case IR_LOCAL_ID:
    case IR_LOCAL_SIZE:
    case IR_SUBGROUP_SIZE:
    case IR_LANE: return comp_scalar(m->comp, CPL_INT32);
    case IR_GROUP_ID:
    case IR_GROUP_COUNT:
    case IR_WORKER: return comp_scalar(m->comp, CPL_INT64);
    case IR_BALLOT: return comp_scalar(m->comp, CPL_UINT64);
    default: return first;
    }
}

/* The type of a value by the RESULT column; the type of the first operand where the operands do not
 * fit the op. */
static const cpl_type *result_type(ir_module *m, ir_op op, ir_node **kids, uint32_t n)
{
    const cpl_type *first = n > 0 ? kids[0]->type : void_type(m);
    switch (ir_ops[op].result) {
    case IR_RESULT_BOOL: return comp_scalar(m->comp, CPL_BOOL);
    case IR_RESULT_ELEM: return type_is_pointer(first) ? first->elem : first;
    case IR_RESULT_VOID: return void_type(m);
    case IR_RESULT_OWN: return own_type(m, op, kids, n);
    case IR_RESULT_SAME:
    case IR_RESULT_TYPE: break;
    }
    return first;
}

ir_node *ir_op_new(ir_module *m, ir_op op, ir_node **kids, uint32_t n, cpl_span span)
{
    ir_node *node = ir_node_new(m, op, result_type(m, op, kids, n), span, n);
    for (uint32_t i = 0; i < n; i++) node->kids[i] = kids[i];
    return node;
}

ir_node *ir_index(ir_module *m, ir_op op, uint32_t dim, cpl_span span)
{
    ir_node *n = ir_op_new(m, op, NULL, 0, span);
    n->dim = dim;
    return n;
}

ir_node *ir_barrier(ir_module *m, type_space space, cpl_span span)
{
    ir_node *n = ir_op_new(m, IR_BARRIER, NULL, 0, span);
    n->space = space;
    return n;
}

ir_node *ir_lanes(ir_module *m, ir_op op, uint32_t lanes, ir_node *a, ir_node *b, cpl_span span)
{
    ir_node *n = ir_op2(m, op, a, b, span);
    n->lanes = lanes;
    return n;
}

ir_node *ir_op1(ir_module *m, ir_op op, ir_node *a, cpl_span span)
{
    return ir_op_new(m, op, (ir_node *[]){a}, 1, span);
}

ir_node *ir_op2(ir_module *m, ir_op op, ir_node *a, ir_node *b, cpl_span span)
{
    return ir_op_new(m, op, (ir_node *[]){a, b}, 2, span);
}

ir_node *ir_op3(ir_module *m, ir_op op, ir_node *a, ir_node *b, ir_node *c, cpl_span span)
{
    return ir_op_new(m, op, (ir_node *[]){a, b, c}, 3, span);
}

ir_node *ir_convert(ir_module *m, const cpl_type *to, ir_node *a, cpl_span span)
{
    return a->type == to ? a : ir_typed(m, IR_CONVERT, to, a, span);
}

ir_node *ir_typed(ir_module *m, ir_op op, const cpl_type *type, ir_node *a, cpl_span span)
{
    ir_node *n = ir_node_new(m, op, type, span, 1);
    n->kids[0] = a;
    return n;
}

ir_node *ir_field(ir_module *m, ir_node *pointer, uint32_t field, cpl_span span)
{
    const cpl_type *type = pointer->type;
    if (type_is_pointer(type) && type_is_struct(type->elem) && field < type->elem->field_count)
        type = comp_pointer(m->comp, type->elem->fields[field].type, type->space);
    ir_node *n = ir_typed(m, IR_FIELD, type, pointer, span);
    n->field = field;
    return n;
}

ir_node *ir_call(ir_module *m, ir_func *f, ir_node **args, uint32_t n, cpl_span span)
{
    ir_node *node = ir_node_new(m, IR_CALL, f->result, span, n);
    for (uint32_t i = 0; i < n; i++) node->kids[i] = args[i];
    node->func = f;
    return node;
}

ir_node *ir_assign(ir_module *m, ir_var *v, ir_node *value, cpl_span span)
{
    ir_node *n = ir_typed(m, IR_ASSIGN, void_type(m), value, span);
    n->var = v;
    return n;
}

ir_node *ir_eval(ir_module *m, ir_node *effect, cpl_span span)
{
    return ir_typed(m, IR_EVAL, void_type(m), effect, span);
}

ir_node *ir_if(ir_module *m, ir_node *cond, ir_block *then, ir_block *orelse, cpl_span span)
{
    ir_node *n = ir_typed(m, IR_IF, void_type(m), cond, span);
    n->body = then;
    n->orelse = orelse;
    return n;
}

ir_node *ir_while(ir_module *m, ir_node *cond, ir_block *body, cpl_span span)
{
    ir_node *n = ir_typed(m, IR_WHILE, void_type(m), cond, span);
    n->body = body;
    return n;
}

ir_node *ir_for(ir_module *m, ir_op op, ir_var *v, ir_node *start, ir_node *stop, ir_node *step,
                ir_block *body, cpl_span span)
{
    ir_node *n = ir_op3(m, op, start, stop, step, span);
    n->loop = arena_new(&m->comp->arena, ir_loop);
    n->loop->var = v;
    n->body = body;
    return n;
}

ir_node *ir_return(ir_module *m, ir_node *value, cpl_span span)
{
    return ir_op_new(m, IR_RETURN, &value, value ? 1 : 0, span);
}
