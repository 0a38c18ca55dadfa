/*
 * cpl/ir.h: typed IR built through the C API. A builder is a compilation of its own that lives
 * until it is freed; every entry point sets where its arena jumps to, so running out of memory
 * never leaves the call. The finished module is made from the printed text, so that compilations of
 * it share nothing with the builder.
 */
#include "lib/driver/driver.h"

#include "lib/ir/ir.h"

#include "cpl/ir.h"

_Static_assert((int)CPL_IR_SEQ_CST == IR_SEQ_CST && (int)CPL_IR_ACQ_REL == IR_ACQ_REL,
               "memory orders agree");
_Static_assert((int)CPL_IR_SYSTEM == IR_SCOPE_SYSTEM, "scopes agree");
_Static_assert((int)CPL_IR_GUIDED == IR_GUIDED, "schedules agree");
_Static_assert((int)CPL_IR_LENGTH == PARAM_LENGTH && (int)CPL_IR_STRIDE == PARAM_STRIDE &&
                   (int)CPL_IR_FAULT == PARAM_FAULT && (int)CPL_IR_SHAPE == PARAM_SHAPE &&
                   (int)CPL_IR_PARTS == PARAM_PARTS && (int)CPL_IR_RESULT == PARAM_RESULT &&
                   (int)CPL_IR_IMAG == PARAM_IMAG,
               "roles agree");

/* Trees deeper than this would not be read back; the builder walks them on the caller's stack. */
enum { MOST_DEPTH = LIMIT_NESTING * 8, MOST_OPERANDS = 4096 };

struct cpl_ir_value {
    ir_node *node;
    uint64_t size; /* nodes */
    uint32_t depth;
    bool used; /* a tree holds the node: the next use is a copy */
};

typedef struct frame { /* a block that was begun */
    ir_block *block;
    ir_node *stmt; /* the if or loop; NULL: the body of the function */
} frame;

struct cpl_ir_builder {
    cpl_context *cx;
    compilation comp;
    jmp_buf oom;
    ir_module *m;
    ir_func *func; /* whose body is built, or NULL */
    VEC(frame) frames;
    uint64_t nodes; /* made so far, copies included */
    cpl_status status;
    const char *message; /* of the first error, or NULL */
};

/*
 * Each entry point begins with this: nothing happens after an error, and running out of memory
 * becomes one. What is changed between the setjmp and the jump lives in the builder, so no local
 * has to survive it.
 */
#define ENTER(b, failure)                                                                          \
    do {                                                                                           \
        if (!(b) || (b)->status) return failure;                                                   \
        if (setjmp((b)->oom)) {                                                                    \
            (b)->status = CPL_ENOMEM;                                                              \
            return failure;                                                                        \
        }                                                                                          \
    } while (0)
#define NOTHING

static void *fail(cpl_ir_builder *b, cpl_status status, const char *format, ...) PRINTF_LIKE(3, 4);

static void *fail(cpl_ir_builder *b, cpl_status status, const char *format, ...)
{
    if (b->status) return NULL;
    va_list args;
    va_start(args, format);
    b->message = arena_vprintf(&b->comp.arena, format, args);
    va_end(args);
    b->status = status;
    return NULL;
}

/* Life */

static uint32_t limit(const int64_t *options, option_id id)
{
    return (uint32_t)options[id];
}

static cpl_status start(cpl_ir_builder *b, const char *name)
{
    if (setjmp(b->oom)) return CPL_ENOMEM;
    b->m = ir_module_new(&b->comp, name);
    return CPL_OK;
}

cpl_status cpl_ir_builder_create(cpl_context *context, const char *name, cpl_ir_builder **builder)
{
    if (builder) *builder = NULL;
    if (MISSING("context name builder", context, name, builder)) return CPL_EARG;
    cpl_ir_builder *b = mem_zalloc(&context->mem, sizeof *b);
    if (!b) return context_no_memory(context);
    int64_t options[OPTION_COUNT];
    context_options(context, NULL, options);
    cpl_context_retain(context);
    b->cx = context;
    compilation *c = &b->comp;
    c->mem = &context->mem;
    c->types = context->types;
    c->max_nesting = limit(options, OPT_max_nesting);
    c->max_ops = limit(options, OPT_max_ops);
    c->max_loops = limit(options, OPT_max_loops);
    arena_init(&c->arena, c->mem, &b->oom);
    c->on_oom = &b->oom;
    c->diags.arena = &c->arena;
    cpl_status status = start(b, name);
    if (status) cpl_ir_builder_free(b);
    else *builder = b;
    return status;
}

void cpl_ir_builder_free(cpl_ir_builder *b)
{
    if (!b) return;
    cpl_context *cx = b->cx;
    arena_free(&b->comp.arena);
    mem_free(&cx->mem, b, sizeof *b);
    cpl_context_release(cx);
}

cpl_status cpl_ir_builder_status(const cpl_ir_builder *b)
{
    return b ? b->status : MISSING("builder", b);
}

/* Functions and variables */

static bool is_name(const char *name, bool dots)
{
    size_t letters = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    size_t all =
        strspn(name, dots ? "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789."
                          : "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return letters > 0 && name[all] == 0;
}

/* False after an error, when a type belongs to another context. */
static bool own_type(cpl_ir_builder *b, const cpl_type *type)
{
    if (type && type->table != b->comp.types)
        fail(b, CPL_EARG, "'%s' is another context's type", type->text);
    return !b->status;
}

cpl_ir_func *cpl_ir_function(cpl_ir_builder *b, const char *name, cpl_ir_kind kind,
                             const cpl_type *result)
{
    ENTER(b, NULL);
    if (!name || !is_name(name, true))
        return fail(b, CPL_EARG, "'%s' cannot name a function", name ? name : "");
    if ((unsigned)kind > CPL_IR_KERNEL)
        return fail(b, CPL_EARG, "function '%s': unknown kind", name);
    if (!own_type(b, result)) return NULL;
    if (ir_find(b->m, name)) return fail(b, CPL_EEXIST, "function '%s' is declared twice", name);
    static const ir_linkage linkages[] = {
        [CPL_IR_INTERNAL] = IR_INTERNAL,  [CPL_IR_ENTRY] = IR_ENTRY,
        [CPL_IR_ELEMENTWISE] = IR_ENTRY,  [CPL_IR_EXTERN] = IR_EXTERN,
        [CPL_IR_EXTERN_PURE] = IR_EXTERN, [CPL_IR_KERNEL] = IR_ENTRY,
    };
    ir_linkage linkage = linkages[kind];
    ir_func *f = ir_func_new(b->m, name, linkage, result ? result : comp_scalar(&b->comp, CPL_VOID),
                             (cpl_span){0});
    f->elementwise = kind == CPL_IR_ELEMENTWISE;
    f->pure = kind == CPL_IR_EXTERN_PURE;
    f->kernel = kind == CPL_IR_KERNEL;
    return (cpl_ir_func *)f;
}

/* Types that no variable can have; the others are left to the verifier. */
static bool usable(cpl_ir_builder *b, const char *name, const cpl_type *type)
{
    if (!name || !is_name(name, false))
        fail(b, CPL_EARG, "'%s' cannot name a variable", name ? name : "");
    else if (!own_type(b, type)) return false;
    else if (!type || type_is_void(type) || (type_is_pointer(type) && type_has_layout(type)))
        fail(b, CPL_EARG, "variable '%s' cannot be %s", name, type ? type->text : "without a type");
    return !b->status;
}

cpl_ir_var *cpl_ir_param(cpl_ir_builder *b, cpl_ir_func *function, const char *name,
                         const cpl_type *type, unsigned flags)
{
    ENTER(b, NULL);
    if (!function) return fail(b, CPL_EARG, "a parameter of no function");
    if (!usable(b, name, type)) return NULL;
    ir_func *f = (ir_func *)function;
    if (f->params.n == MOST_OPERANDS)
        return fail(b, CPL_ELIMIT, "function '%s': too many parameters", f->name);
    ir_var *v = ir_param_new(b->m, f, name, type, (cpl_span){0});
    v->noalias = (flags & CPL_IR_NOALIAS) != 0;
    v->readonly = (flags & CPL_IR_READONLY) != 0;
    return (cpl_ir_var *)v;
}

cpl_ir_var *cpl_ir_local(cpl_ir_builder *b, const char *name, const cpl_type *type)
{
    ENTER(b, NULL);
    if (!b->func) return fail(b, CPL_EARG, "a variable outside of a function");
    if (!usable(b, name, type)) return NULL;
    return (cpl_ir_var *)ir_var_new(b->m, b->func, name, type, (cpl_span){0});
}

cpl_ir_var *cpl_ir_local_memory(cpl_ir_builder *b, const char *name, const cpl_type *type)
{
    cpl_ir_var *v = cpl_ir_local(b, name, type);
    if (v) ((ir_var *)v)->local = true;
    return v;
}

const cpl_type *cpl_ir_local_pointer(cpl_ir_builder *b, const cpl_type *type)
{
    ENTER(b, NULL);
    if (!own_type(b, type)) return NULL;
    if (!type || type_is_void(type)) return fail(b, CPL_EARG, "a pointer to no type");
    return comp_pointer(&b->comp, type, SPACE_LOCAL);
}

void cpl_ir_extent(cpl_ir_builder *b, cpl_ir_var *pointer, cpl_ir_var *length)
{
    ENTER(b, NOTHING);
    if (!pointer || !length) fail(b, CPL_EARG, "an extent without its variables");
    else ((ir_var *)pointer)->extent = (ir_var *)length;
}

/* Roles that launches fill in and a builder can give: the others come about by how it is compiled.
 */
static bool can_give(uint32_t role)
{
    return role > 0 && role < PARAM_ROLE_COUNT && role != PARAM_COUNT && role != PARAM_GRID;
}

void cpl_ir_role(cpl_ir_builder *b, cpl_ir_var *parameter, cpl_ir_param_role role, cpl_ir_var *of,
                 unsigned axis)
{
    ENTER(b, NOTHING);
    ir_var *v = (ir_var *)parameter;
    if (!can_give(role)) fail(b, CPL_EARG, "an unknown role");
    else if (!v || !v->is_param) fail(b, CPL_EARG, "a role of no parameter");
    else if (v->role != PARAM_ARG) fail(b, CPL_EARG, "parameter '%s' has a role already", v->name);
    else if (!of != !ir_roles[role].of)
        fail(b, CPL_EARG, "parameter '%s': the role %s is of %s", v->name, ir_roles[role].word,
             of ? "no other" : "another parameter");
    else if (axis >= (ir_roles[role].of == IR_ROLE_ALONG ? TYPE_MOST_DIMS : 1))
        fail(b, CPL_EARG, "parameter '%s': the role %s has no dimension %u", v->name,
             ir_roles[role].word, axis);
    else {
        ir_set_role(v, (param_role)role, (ir_var *)of);
        v->axis = (uint8_t)axis;
    }
}

/* Blocks */

static void push_frame(cpl_ir_builder *b, ir_block *block, ir_node *stmt)
{
    if (b->frames.n == MOST_DEPTH)
        fail(b, CPL_ELIMIT, "function '%s': blocks nested too deep", b->func->name);
    else vec_push(&b->comp.arena, &b->frames, ((frame){block, stmt}));
}

void cpl_ir_begin(cpl_ir_builder *b, cpl_ir_func *function)
{
    ENTER(b, NOTHING);
    ir_func *f = (ir_func *)function;
    if (!f || b->func)
        fail(b, CPL_EARG, "a body is begun %s", f ? "inside another" : "of no function");
    else if (f->linkage == IR_EXTERN || f->body->n > 0)
        fail(b, CPL_EARG, "function '%s' %s", f->name,
             f->body ? "has a body already" : "is extern and has no body");
    else {
        b->func = f;
        push_frame(b, f->body, NULL);
    }
}

void cpl_ir_end(cpl_ir_builder *b)
{
    ENTER(b, NOTHING);
    if (b->frames.n == 0) {
        fail(b, CPL_EARG, "an end without a beginning");
        return;
    }
    if (--b->frames.n == 0) b->func = NULL;
}

/* True where a statement may be appended. */
static bool in_body(cpl_ir_builder *b)
{
    if (b->frames.n == 0) fail(b, CPL_EARG, "a statement outside of a function");
    return !b->status;
}

static void append(cpl_ir_builder *b, ir_node *stmt)
{
    b->nodes++;
    ir_append(b->m, b->frames.at[b->frames.n - 1].block, stmt);
}

/* Values */

static cpl_ir_value *value(cpl_ir_builder *b, ir_node *n, uint64_t size, uint32_t depth)
{
    if (depth > MOST_DEPTH)
        return fail(b, CPL_ELIMIT, "ops nested deeper than %d levels", MOST_DEPTH);
    /* generous: the verifier counts what is there in the end; this bounds the copies of values used
     * again and again */
    uint64_t most = 16 * (uint64_t)(b->comp.max_ops ? b->comp.max_ops : LIMIT_OPS);
    b->nodes++;
    if (b->nodes > most || size > most)
        return fail(b, CPL_ELIMIT, "more than %llu ops", (unsigned long long)most);
    cpl_ir_value *v = arena_new(&b->comp.arena, cpl_ir_value);
    *v = (cpl_ir_value){n, size, depth, false};
    return v;
}

/* The node of a value about to become part of a tree; NULL after an error. */
static ir_node *take(cpl_ir_builder *b, cpl_ir_value *v)
{
    if (!v) return fail(b, CPL_EARG, "an operand is NULL");
    if (!v->used) {
        v->used = true;
        return v->node;
    }
    if (ir_ops[v->node->op].class_ != IR_CLASS_EXPR)
        return fail(b, CPL_EARG, "%s is used twice", ir_ops[v->node->op].text);
    b->nodes += v->size;
    return ir_copy(b->m, v->node);
}

/* Operands of an op about to be made. */
typedef struct operands {
    ir_node **nodes;
    uint64_t size;
    uint32_t depth;
} operands;

static bool take_all(cpl_ir_builder *b, cpl_ir_value *const *values, size_t count, operands *o)
{
    *o = (operands){NULL, 1, 1};
    if (count > MOST_OPERANDS || (count && !values)) {
        fail(b, CPL_EARG, count > MOST_OPERANDS ? "too many operands" : "operands are NULL");
        return false;
    }
    o->nodes = arena_array(&b->comp.arena, count, sizeof *o->nodes);
    for (size_t i = 0; i < count; i++) {
        o->nodes[i] = take(b, values[i]);
        if (!o->nodes[i]) return false;
        o->size += values[i]->size;
        if (values[i]->depth >= o->depth) o->depth = values[i]->depth + 1;
    }
    return true;
}

cpl_ir_value *cpl_ir_int(cpl_ir_builder *b, cpl_dtype dtype, int64_t number)
{
    ENTER(b, NULL);
    const cpl_type *t = (unsigned)dtype < CPL_DTYPE_COUNT ? comp_scalar(&b->comp, dtype) : NULL;
    if (!t || (!type_is_int(t) && !type_is_bool(t)))
        return fail(b, CPL_EARG, "an integer constant of another type");
    return value(b, ir_int(b->m, t, number, (cpl_span){0}), 1, 1);
}

cpl_ir_value *cpl_ir_float(cpl_ir_builder *b, cpl_dtype dtype, double number)
{
    ENTER(b, NULL);
    const cpl_type *t = (unsigned)dtype < CPL_DTYPE_COUNT ? comp_scalar(&b->comp, dtype) : NULL;
    if (!t || !type_is_float(t)) return fail(b, CPL_EARG, "a float constant of another type");
    return value(b, ir_float(b->m, t, number, (cpl_span){0}), 1, 1);
}

cpl_ir_value *cpl_ir_use(cpl_ir_builder *b, cpl_ir_var *variable)
{
    ENTER(b, NULL);
    if (!variable) return fail(b, CPL_EARG, "use of no variable");
    return value(b, ir_use(b->m, (ir_var *)variable, (cpl_span){0}), 1, 1);
}

cpl_ir_value *cpl_ir_addr(cpl_ir_builder *b, cpl_ir_var *variable)
{
    ENTER(b, NULL);
    if (!variable) return fail(b, CPL_EARG, "address of no variable");
    return value(b, ir_addr(b->m, (ir_var *)variable, (cpl_span){0}), 1, 1);
}

cpl_ir_value *cpl_ir_index(cpl_ir_builder *b, cpl_ir_place place, unsigned dimension)
{
    static const ir_op ops[] = {[CPL_IR_LOCAL_ID] = IR_LOCAL_ID,
                                [CPL_IR_LOCAL_SIZE] = IR_LOCAL_SIZE,
                                [CPL_IR_GROUP_ID] = IR_GROUP_ID,
                                [CPL_IR_GROUP_COUNT] = IR_GROUP_COUNT};
    ENTER(b, NULL);
    if ((unsigned)place >= COUNT_OF(ops) || dimension >= IR_DIMS)
        return fail(b, CPL_EARG, "an index of an unknown kind or dimension");
    return value(b, ir_index(b->m, ops[place], dimension, (cpl_span){0}), 1, 1);
}

/* Finds an op that is written with its operands and an attribute of that kind. */
static ir_op find_op(cpl_ir_builder *b, const char *name, ir_attr attr, size_t count)
{
    ir_op op = name ? ir_op_find(name, strlen(name)) : IR_OP_COUNT;
    bool own = op == IR_ASSERT; /* its text may be left out */
    bool special = op == IR_EVAL || op == IR_BREAK || op == IR_CONTINUE || op == IR_RETURN;
    if (op == IR_OP_COUNT || special || (ir_ops[op].attr != attr && !own)) {
        fail(b, CPL_EARG,
             op == IR_OP_COUNT ? "unknown op '%s'" : "op '%s' is built by another function",
             name ? name : "");
        return IR_OP_COUNT;
    }
    if (strlen(ir_ops[op].operands) != count) {
        fail(b, CPL_EARG, "%s has %zu operands, not %zu", name, strlen(ir_ops[op].operands), count);
        return IR_OP_COUNT;
    }
    return op;
}

cpl_ir_value *cpl_ir_op(cpl_ir_builder *b, const char *name, cpl_ir_value *const *values,
                        size_t count)
{
    ENTER(b, NULL);
    ir_op op = find_op(b, name, IR_ATTR_NONE, count);
    operands o;
    if (op == IR_OP_COUNT || !take_all(b, values, count, &o)) return NULL;
    return value(b, ir_op_new(b->m, op, o.nodes, (uint32_t)count, (cpl_span){0}), o.size, o.depth);
}

cpl_ir_value *cpl_ir_typed_op(cpl_ir_builder *b, const char *name, const cpl_type *type,
                              cpl_ir_value *operand)
{
    ENTER(b, NULL);
    if (!own_type(b, type)) return NULL;
    if (!type) return fail(b, CPL_EARG, "%s without a type", name ? name : "an op");
    ir_op op = find_op(b, name, IR_ATTR_TYPE, 1);
    operands o;
    if (op == IR_OP_COUNT || !take_all(b, &operand, 1, &o)) return NULL;
    return value(b, ir_typed(b->m, op, type, o.nodes[0], (cpl_span){0}), o.size, o.depth);
}

cpl_ir_value *cpl_ir_field(cpl_ir_builder *b, cpl_ir_value *pointer, const char *name)
{
    ENTER(b, NULL);
    const cpl_type *t = pointer ? pointer->node->type : NULL;
    if (!t || !name || !type_is_pointer(t) || !type_is_struct(t->elem))
        return fail(b, CPL_EARG, "field needs a pointer to a struct and the name of a field");
    operands o;
    for (uint32_t i = 0; i < t->elem->field_count; i++) {
        if (strcmp(t->elem->fields[i].name, name) != 0) continue;
        if (!take_all(b, &pointer, 1, &o)) return NULL;
        return value(b, ir_field(b->m, o.nodes[0], i, (cpl_span){0}), o.size, o.depth);
    }
    return fail(b, CPL_EARG, "struct %s has no field '%s'", t->elem->name, name);
}

cpl_ir_value *cpl_ir_call(cpl_ir_builder *b, cpl_ir_func *function, cpl_ir_value *const *args,
                          size_t count)
{
    ENTER(b, NULL);
    ir_func *f = (ir_func *)function;
    if (!f) return fail(b, CPL_EARG, "a call of no function");
    operands o;
    if (!take_all(b, args, count, &o)) return NULL;
    return value(b, ir_call(b->m, f, o.nodes, (uint32_t)count, (cpl_span){0}), o.size, o.depth);
}

cpl_ir_value *cpl_ir_atomic(cpl_ir_builder *b, const char *name, cpl_ir_order order,
                            cpl_ir_scope scope, cpl_ir_value *const *values, size_t count)
{
    ENTER(b, NULL);
    if ((unsigned)order >= IR_ORDER_COUNT || (unsigned)scope >= IR_SCOPE_COUNT)
        return fail(b, CPL_EARG, "%s: unknown memory order or scope", name ? name : "");
    ir_op op = find_op(b, name, IR_ATTR_ORDER, count);
    operands o;
    if (op == IR_OP_COUNT || !take_all(b, values, count, &o)) return NULL;
    ir_node *n = ir_op_new(b->m, op, o.nodes, (uint32_t)count, (cpl_span){0});
    n->order = (ir_order)order;
    n->scope = (ir_scope)scope;
    return value(b, n, o.size, o.depth);
}

/* Statements */

void cpl_ir_assign(cpl_ir_builder *b, cpl_ir_var *variable, cpl_ir_value *v)
{
    ENTER(b, NOTHING);
    if (!variable) fail(b, CPL_EARG, "an assignment to no variable");
    ir_node *n = in_body(b) ? take(b, v) : NULL;
    if (n) append(b, ir_assign(b->m, (ir_var *)variable, n, (cpl_span){0}));
}

void cpl_ir_do(cpl_ir_builder *b, cpl_ir_value *statement)
{
    ENTER(b, NOTHING);
    if (!in_body(b)) return;
    ir_node *n = take(b, statement);
    if (!n) return;
    switch (ir_ops[n->op].class_) {
    case IR_CLASS_STMT: append(b, n); break;
    case IR_CLASS_EFFECT: append(b, ir_eval(b->m, n, (cpl_span){0})); break;
    case IR_CLASS_EXPR: fail(b, CPL_EARG, "the value of %s is not used", ir_ops[n->op].text);
    }
}

void cpl_ir_printf(cpl_ir_builder *b, const char *format, cpl_ir_value *const *args, size_t count)
{
    ENTER(b, NOTHING);
    operands o;
    if (!format) fail(b, CPL_EARG, "printf without a format");
    if (!in_body(b) || !take_all(b, args, count, &o)) return;
    ir_node *n = ir_op_new(b->m, IR_PRINTF, o.nodes, (uint32_t)count, (cpl_span){0});
    n->text = arena_strdup(&b->comp.arena, format);
    append(b, n);
}

void cpl_ir_barrier(cpl_ir_builder *b, cpl_ir_space space)
{
    ENTER(b, NOTHING);
    if ((unsigned)space > CPL_IR_SPACE_GLOBAL) fail(b, CPL_EARG, "a barrier of an unknown space");
    type_space of = space == CPL_IR_SPACE_LOCAL ? SPACE_LOCAL : SPACE_GLOBAL;
    if (in_body(b)) append(b, ir_barrier(b->m, of, (cpl_span){0}));
}

void cpl_ir_vcopy(cpl_ir_builder *b, unsigned lanes, cpl_ir_value *to, cpl_ir_value *from)
{
    ENTER(b, NOTHING);
    operands o;
    if (!ir_lanes_fit(lanes)) fail(b, CPL_EARG, "a vcopy of %u elements", lanes);
    if (!in_body(b) || !take_all(b, (cpl_ir_value *[]){to, from}, 2, &o)) return;
    append(b, ir_lanes(b->m, IR_VCOPY, lanes, o.nodes[0], o.nodes[1], (cpl_span){0}));
}

static void jump(cpl_ir_builder *b, ir_op op)
{
    if (in_body(b)) append(b, ir_op_new(b->m, op, NULL, 0, (cpl_span){0}));
}

void cpl_ir_break(cpl_ir_builder *b)
{
    ENTER(b, NOTHING);
    jump(b, IR_BREAK);
}

void cpl_ir_continue(cpl_ir_builder *b)
{
    ENTER(b, NOTHING);
    jump(b, IR_CONTINUE);
}

void cpl_ir_return(cpl_ir_builder *b, cpl_ir_value *v)
{
    ENTER(b, NOTHING);
    if (!in_body(b)) return;
    ir_node *n = v ? take(b, v) : NULL;
    if (!b->status) append(b, ir_return(b->m, n, (cpl_span){0}));
}

void cpl_ir_if(cpl_ir_builder *b, cpl_ir_value *condition)
{
    ENTER(b, NOTHING);
    ir_node *n = in_body(b) ? take(b, condition) : NULL;
    if (!n) return;
    ir_node *stmt = ir_if(b->m, n, ir_block_new(b->m), NULL, (cpl_span){0});
    append(b, stmt);
    push_frame(b, stmt->body, stmt);
}

void cpl_ir_else(cpl_ir_builder *b)
{
    ENTER(b, NOTHING);
    frame *f = b->frames.n ? &b->frames.at[b->frames.n - 1] : NULL;
    if (!f || !f->stmt || f->stmt->op != IR_IF || f->stmt->orelse) {
        fail(b, CPL_EARG, "an else without its if");
        return;
    }
    f->stmt->orelse = ir_block_new(b->m);
    f->block = f->stmt->orelse;
}

void cpl_ir_while(cpl_ir_builder *b, cpl_ir_value *condition)
{
    ENTER(b, NOTHING);
    ir_node *n = in_body(b) ? take(b, condition) : NULL;
    if (!n) return;
    ir_node *stmt = ir_while(b->m, n, ir_block_new(b->m), (cpl_span){0});
    append(b, stmt);
    push_frame(b, stmt->body, stmt);
}

/* Both loops; options are complete, or NULL for a serial one. */
static void begin_loop(cpl_ir_builder *b, ir_var *v, cpl_ir_value *const bounds[3],
                       const cpl_ir_loop_options *options)
{
    operands o;
    if (!v) fail(b, CPL_EARG, "a loop without a variable");
    if (!in_body(b) || !take_all(b, bounds, 3, &o)) return;
    ir_node *stmt = ir_for(b->m, options ? IR_PARALLEL_FOR : IR_FOR, v, o.nodes[0], o.nodes[1],
                           o.nodes[2], ir_block_new(b->m), (cpl_span){0});
    ir_loop *l = stmt->loop;
    if (options) {
        l->schedule = (ir_schedule)options->schedule;
        l->chunk = options->chunk;
        l->threads = options->threads;
    }
    for (size_t i = 0; options && i < options->reduction_count; i++) {
        const cpl_ir_reduction *r = &options->reductions[i];
        ir_op op = r->op ? ir_op_find(r->op, strlen(r->op)) : IR_OP_COUNT;
        if (op == IR_OP_COUNT || !ir_op_reduces(op) || !r->variable) {
            fail(b, CPL_EARG, "'%s' does not reduce", r->op ? r->op : "");
            return;
        }
        vec_push(&b->comp.arena, &l->reductions, ((ir_reduction){op, (ir_var *)r->variable}));
    }
    for (size_t i = 0; options && i < options->private_count; i++) {
        if (!options->privates[i]) fail(b, CPL_EARG, "a private variable is NULL");
        vec_push(&b->comp.arena, &l->privates, (ir_var *)options->privates[i]);
    }
    if (b->status) return;
    append(b, stmt);
    push_frame(b, stmt->body, stmt);
}

void cpl_ir_for(cpl_ir_builder *b, cpl_ir_var *variable, cpl_ir_value *first, cpl_ir_value *stop,
                cpl_ir_value *step)
{
    ENTER(b, NOTHING);
    begin_loop(b, (ir_var *)variable, (cpl_ir_value *[]){first, stop, step}, NULL);
}

void cpl_ir_loop_options_init(cpl_ir_loop_options *options)
{
    if (!options) return;
    *options = (cpl_ir_loop_options){.size = sizeof *options};
}

void cpl_ir_parallel_for(cpl_ir_builder *b, cpl_ir_var *variable, cpl_ir_value *first,
                         cpl_ir_value *stop, cpl_ir_value *step, const cpl_ir_loop_options *options)
{
    ENTER(b, NOTHING);
    cpl_ir_loop_options o;
    cpl_ir_loop_options_init(&o);
    if (options && READ_STRUCT(&o, options, cpl_ir_loop_options)) {
        fail(b, CPL_EARG, "options of an unknown size");
        return;
    }
    if ((unsigned)o.schedule >= IR_SCHEDULE_COUNT) {
        fail(b, CPL_EARG, "an unknown schedule");
        return;
    }
    if ((o.reduction_count && !o.reductions) || (o.private_count && !o.privates)) {
        fail(b, CPL_EARG, "a list of variables is NULL");
        return;
    }
    begin_loop(b, (ir_var *)variable, (cpl_ir_value *[]){first, stop, step}, &o);
}

/* The end */

/* Prints into `text`, whose memory the caller frees. */
static cpl_status print(cpl_ir_builder *b, strbuf *text)
{
    sb_init(text, &b->cx->mem);
    ir_print(text, b->m);
    return text->failed ? CPL_ENOMEM : CPL_OK;
}

cpl_status cpl_ir_text(cpl_ir_builder *b, cpl_blob *text)
{
    if (text) *text = (cpl_blob){0};
    if (MISSING("builder text", b, text)) return CPL_EARG;
    if (b->status) return b->status;
    strbuf sb;
    if (print(b, &sb)) {
        sb_free(&sb);
        return context_no_memory(b->cx);
    }
    /* a blob is freed by its size */
    char *data = mem_realloc(sb.mem, sb.at, sb.capacity, sb.n + 1);
    if (!data) {
        sb_free(&sb);
        return context_no_memory(b->cx);
    }
    *text = (cpl_blob){data, sb.n, b->cx};
    return CPL_OK;
}

static cpl_status report(cpl_ir_builder *b)
{
    if (b->message) context_report(b->cx, b->status, "%s: %s", b->m->name, b->message);
    return b->status;
}

/* What the tree shows and the text could not, as a return of the wrong kind; such errors have no
 * place and do not stick. */
static cpl_status verify(cpl_ir_builder *b)
{
    diag_list *l = &b->comp.diags;
    *l = (diag_list){.arena = &b->comp.arena};
    ENTER(b, CPL_ENOMEM);
    if (b->func) fail(b, CPL_EARG, "function '%s' is not ended", b->func->name);
    if (b->status) return report(b);
    if (ir_verify(b->m, b->m->name)) return CPL_OK;
    diag_deliver(l, NULL, NULL, context_sink(b->cx));
    return l->status;
}

cpl_status cpl_ir_finish(cpl_ir_builder *b, cpl_module **module)
{
    if (module) *module = NULL;
    if (MISSING("builder module", b, module)) return CPL_EARG;
    if (b->status) return report(b);
    cpl_status status = verify(b);
    if (status) return status;
    strbuf text;
    status = print(b, &text);
    if (!status) status = cpl_module_from_ir(b->cx, b->m->name, text.at, text.n, module);
    sb_free(&text);
    return status;
}
