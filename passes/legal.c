/*
 * legal: refuses, with a place in the source, what the target does not have.
 *
 * Does: reports each kind of violation once in each function that an entry reaches. Ops and types
 * are looked up in legal.def; calls, memory spaces, atomics' order and scope, and the sizes of
 * local memory have rules here. Changes nothing. Requires: on devices, grid and atomics ran.
 * Ensures: without errors, a back end for the target can generate code for every function.
 * Keeps: everything.
 * Source: OpenCL C 1.2 and 3.0, the OpenCL SPIR-V environment, the PTX ISA.
 */
#include "passes/pass_int.h"

typedef enum need { ALWAYS, FP64, FP16, INT64_ATOMICS, SUBGROUPS, SHUFFLES, FENCES } need;

typedef struct dtype_row {
    cpl_dtype dtype;
    const char *where;
    need needs;
    const char *why;
} dtype_row;

typedef struct allow_row {
    ir_op op; /* IR_OP_COUNT: all of the kind */
    ir_kind kind;
    const char *types, *where;
    need needs;
    const char *why;
} allow_row;

typedef struct target_row {
    const char *texts;
    uint64_t most_local, most_private; /* bytes, 0: any */
} target_row;

static const target_row target_rows[] = {
#define TARGET_ROW(kind, texts, local, private) [kind] = {texts, local, private},
#define DTYPE_ROW(dtype, where, needs, why)
#define ALLOW(kind, types, where, needs, why)
#define ALLOW_OP(op, types, where, needs, why)
#include "passes/legal.def"
};

static const dtype_row dtype_rows[] = {
#define TARGET_ROW(kind, texts, local, private)
#define DTYPE_ROW(dtype, where, needs, why) {dtype, where, needs, why},
#define ALLOW(kind, types, where, needs, why)
#define ALLOW_OP(op, types, where, needs, why)
#include "passes/legal.def"
};

static const allow_row allow_rows[] = {
#define TARGET_ROW(kind, texts, local, private)
#define DTYPE_ROW(dtype, where, needs, why)
#define ALLOW(kind, types, where, needs, why)                                                      \
    {IR_OP_COUNT, IR_KIND_##kind, types, where, needs, why},
#define ALLOW_OP(op, types, where, needs, why) {IR_##op, IR_KIND_VALUE, types, where, needs, why},
#include "passes/legal.def"
};

/* Rules that are no rows; numbered behind the rows, to report each once. */
enum {
    RULE_EXTERN,
    RULE_RECURSION,
    RULE_GENERIC,
    RULE_CAST,
    RULE_ATOMIC_SPACE,
    RULE_ORDER,
    RULE_SCOPE,
    RULE_UNKNOWN,
    RULE_POINTERS,
    RULE_LOCAL_SIZE,
    RULE_PRIVATE_SIZE,
    RULE_KERNEL,
    RULE_LOCAL,
    RULE_COUNT
};

typedef struct legal {
    compilation *c;
    tgt_target target;
    const char *name; /* of the target */
    const ir_func *f;
    bool reported[COUNT_OF(dtype_rows) + COUNT_OF(allow_rows) + RULE_COUNT]; /* in f */
} legal;

static bool is_opencl(const legal *l)
{
    return l->target.kind == TGT_SPIRV || l->target.kind == TGT_OPENCL_C;
}

static bool is_old_c(const legal *l)
{
    return l->target.kind == TGT_OPENCL_C && l->target.version < 20;
}

/* beyond a group */
static bool orders_memory(const legal *l)
{
    return !is_old_c(l) || l->target.ptx;
}

static bool first_time(legal *l, size_t number)
{
    bool first = !l->reported[number];
    l->reported[number] = true;
    return first;
}

static diag *refuse(legal *l, unsigned rule, cpl_span span, const char *format, ...)
    PRINTF_LIKE(4, 5);

/* NULL where it is said already */
static diag *refuse(legal *l, unsigned rule, cpl_span span, const char *format, ...)
{
    if (!first_time(l, COUNT_OF(dtype_rows) + COUNT_OF(allow_rows) + rule)) return NULL;
    va_list args;
    va_start(args, format);
    const char *what = arena_vprintf(&l->c->arena, format, args);
    va_end(args);
    return diag_error(&l->c->diags, CPL_EUNSUPPORTED, span, "%s: %s", l->name, what);
}

/* Rows. */

static bool meets(const legal *l, need n, const ir_node *at)
{
    const tgt_target *t = &l->target;
    switch (n) {
    case ALWAYS: return true;
    case FP64: return t->fp64;
    case FP16: return t->fp16;
    case INT64_ATOMICS: return t->int64_atomics;
    case SUBGROUPS: return t->subgroups;
    case SHUFFLES: return t->subgroups && (t->kind != TGT_SPIRV || t->version >= 13);
    case FENCES: return orders_memory(l) || at->scope == IR_SCOPE_GROUP;
    }
    return false;
}

static bool is_allowed(const legal *l, const char *where, need n, const ir_node *at)
{
    char letter = target_letter(&l->target);
    return strchr(where, letter) || (strchr(where, letter - 'A' + 'a') && meets(l, n, at));
}

/* Whether values of the dtype are in a type; not in what pointers point to, which is looked at
 * where they are used. */
static bool holds(const cpl_type *t, cpl_dtype d)
{
    while (type_is_array(t)) t = t->elem;
    for (uint32_t i = 0; type_is_struct(t) && i < t->field_count; i++)
        if (holds(t->fields[i].type, d)) return true;
    return type_is(t, d);
}

static void check_type(legal *l, const cpl_type *t, cpl_span span, const char *variable)
{
    for (size_t i = 0; i < COUNT_OF(dtype_rows); i++) {
        const dtype_row *r = &dtype_rows[i];
        if (is_allowed(l, r->where, r->needs, NULL) || !holds(t, r->dtype) || !first_time(l, i))
            continue;
        const char *name = cpl_dtype_name(r->dtype);
        diag_error(&l->c->diags, CPL_EUNSUPPORTED, span,
                   variable ? "%s does not have %s, which '%s' is of: %s"
                            : "%s does not have %s%.0s: %s",
                   l->name, name, variable ? variable : "", r->why);
    }
}

static char letter_of(const cpl_type *t)
{
    if (type_is_pointer(t)) return 'p';
    if (type_is_struct(t)) return 's';
    if (type_is_bool(t)) return 'b';
    if (type_is_int(t)) return t->size == 8 ? 'l' : t->size == 4 ? 'i' : 'n';
    if (type_is_float(t)) return t->size == 8 ? 'd' : t->size == 4 ? 'f' : 'h';
    return '-';
}

static bool is_atomic(const ir_node *n)
{
    return ir_op_kind(n->op) == IR_KIND_ATOMIC;
}

static void check_op(legal *l, const ir_node *n)
{
    bool accesses = is_atomic(n) || ir_op_kind(n->op) == IR_KIND_MEMORY;
    const cpl_type *t = accesses ? n->kids[0]->type->elem : n->type;
    for (size_t i = 0; i < COUNT_OF(allow_rows); i++) {
        const allow_row *r = &allow_rows[i];
        if (r->op != IR_OP_COUNT ? n->op != r->op : ir_op_kind(n->op) != r->kind) continue;
        if (r->types[0] != '*' && !strchr(r->types, letter_of(t))) continue;
        if (is_allowed(l, r->where, r->needs, n) || !first_time(l, COUNT_OF(dtype_rows) + i))
            return;
        diag_error(&l->c->diags, CPL_EUNSUPPORTED, n->span, "%s does not have %s: %s", l->name,
                   ir_ops[n->op].text, r->why);
        return;
    }
    refuse(l, RULE_UNKNOWN, n->span, "there is no %s of %s", ir_ops[n->op].text, t->text);
}

/* Other rules. */

static void check_call(legal *l, const ir_node *n)
{
    const ir_func *f = n->func;
    if (f->linkage == IR_EXTERN && !f->text) {
        diag *d =
            refuse(l, RULE_EXTERN, n->span, "the C function '%s' is on the host only", f->name);
        if (d)
            diag_hint(&l->c->diags, d, "cpl_extern_source gives it a text in %s",
                      target_rows[l->target.kind].texts);
    } else if (f->recursive && l->f->recursive && is_opencl(l)) /* where it does, not who asks */
        refuse(l, RULE_RECURSION, n->span, "'%.*s' calls itself, for which OpenCL has no stack",
               (int)strcspn(f->name, "."), f->name);
}

static void check_cast(legal *l, const ir_node *n)
{
    type_space from = n->kids[0]->type->space, to = n->type->space;
    if (from == to || from == SPACE_GENERIC || to == SPACE_GENERIC) return;
    refuse(l, RULE_CAST, n->span, "a pointer to %s memory does not become one to %s memory",
           ir_space_text[from], ir_space_text[to]);
}

/* OpenCL C got pointers to any memory with version 2.0. */
static void check_pointer(legal *l, const cpl_type *t, cpl_span span, const char *variable)
{
    if (!is_old_c(l) || !type_is_pointer(t) || t->space != SPACE_GENERIC) return;
    if (variable)
        refuse(l, RULE_GENERIC, span,
               "'%s' points to memory of no known space, for which OpenCL C 2.0 is needed",
               variable);
    else
        refuse(l, RULE_GENERIC, span,
               "this points to memory of no known space, for which OpenCL C 2.0 is needed");
}

static void check_atomic(legal *l, const ir_node *n)
{
    if (is_atomic(n) && n->kids[0]->type->space == SPACE_CONSTANT)
        refuse(l, RULE_ATOMIC_SPACE, n->span, "%s: constant memory does not change",
               ir_ops[n->op].text);
    if (is_opencl(l) && n->scope == IR_SCOPE_SYSTEM)
        refuse(l, RULE_SCOPE, n->span, "%s: OpenCL devices share no memory of scope system",
               ir_ops[n->op].text);
    if (!orders_memory(l) && is_atomic(n) && n->order != IR_RELAXED && n->scope != IR_SCOPE_GROUP)
        refuse(l, RULE_ORDER, n->span, "%s: OpenCL C before 2.0 has no order %s beyond the group",
               ir_ops[n->op].text, ir_order_text[n->order]);
}

static bool check_node(void *user, ir_node *n)
{
    legal *l = user;
    check_op(l, n);
    check_type(l, n->type, n->span, NULL);
    if (!target_is_device(&l->target)) return true;
    check_pointer(l, n->type, n->span, NULL);
    if (n->op == IR_CALL) check_call(l, n);
    if (n->op == IR_PTRCAST) check_cast(l, n);
    if (is_atomic(n) || n->op == IR_FENCE) check_atomic(l, n);
    return true;
}

static bool holds_pointer(const cpl_type *t)
{
    while (type_is_array(t)) t = t->elem;
    for (uint32_t i = 0; type_is_struct(t) && i < t->field_count; i++)
        if (holds_pointer(t->fields[i].type)) return true;
    return type_is_pointer(t);
}

static void check_vars(legal *l, const ir_func *f)
{
    uint64_t local = 0;
    for (uint32_t i = 0; i < f->params.n + f->vars.n; i++) {
        const ir_var *v = i < f->params.n ? f->params.at[i] : f->vars.at[i - f->params.n];
        check_type(l, v->type, v->span, v->name);
        if (type_is_pointer(v->type)) check_type(l, v->type->elem, v->span, v->name);
        check_pointer(l, v->type, v->span, v->name);
        if (v->local) local += v->type->size;
        if (f->kernel && is_opencl(l) && v->is_param && type_is_pointer(v->type) &&
            holds_pointer(v->type->elem))
            refuse(l, RULE_POINTERS, v->span,
                   "the parameter '%s' points to pointers, which OpenCL does not pass to kernels",
                   v->name);
    }
    const uint64_t most = target_rows[l->target.kind].most_local;
    if (most && local > most)
        refuse(l, RULE_LOCAL_SIZE, f->span,
               "'%s' declares %llu bytes of local memory; at most %llu can be declared, more be "
               "passed",
               f->name, (unsigned long long)local, (unsigned long long)most);
}

/* What lies in memory: compilers take structs of numbers apart, as those that complex arithmetic
 * makes by the dozen. */
static bool holds_matrix(const cpl_type *t)
{
    if (type_is_array(t)) return true;
    for (uint32_t i = 0; type_is_struct(t) && i < t->field_count; i++)
        if (holds_matrix(t->fields[i].type)) return true;
    return false;
}

/* Matrices of the function, those in structs too, and the largest of them. */
static uint64_t private_size(const ir_func *f, const ir_var **largest)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        const ir_var *v = f->vars.at[i];
        if (v->local || !holds_matrix(v->type)) continue;
        sum += v->type->size;
        if (!*largest || v->type->size > (*largest)->type->size) *largest = v;
    }
    return sum;
}

/* Of an entry with all that it may call. */
static void check_private(legal *l, const ir_module *m, const ir_func *entry)
{
    const ir_var *largest = NULL;
    uint64_t sum = private_size(entry, &largest);
    const uint64_t most = target_rows[l->target.kind].most_private;
    if (!most) return;
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        const ir_func *f = m->funcs.at[i];
        if (f->user && f->body && f->linkage != IR_ENTRY) sum += private_size(f, &largest);
    }
    if (sum <= most) return;
    diag *d = refuse(l, RULE_PRIVATE_SIZE, largest->span,
                     "'%s' has %llu bytes of matrices and structs of its own, '%s' the most of "
                     "them; a work-item may have %llu",
                     entry->name, (unsigned long long)sum, largest->name, (unsigned long long)most);
    if (d) diag_hint(&l->c->diags, d, "pass an array, of which each work-item uses a part");
}

/* False when nothing else about the function matters. */
static bool check_entry(legal *l, const ir_func *f)
{
    bool device = target_is_device(&l->target);
    if (f->kernel && !device) {
        refuse(l, RULE_KERNEL, f->span,
               f->elementwise ? "'%s' is an elementwise kernel, which devices run"
                              : "'%s' is a kernel; the pass group makes loops of it",
               f->name);
        return false;
    }
    if (!f->kernel && device)
        refuse(l, RULE_KERNEL, f->span, "'%s' is no kernel; the pass grid makes it one", f->name);
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *v = f->params.at[i];
        if (!f->kernel && !ir_param_of(f, PARAM_GRID, NULL) && type_is_pointer(v->type) &&
            v->type->space == SPACE_LOCAL)
            refuse(l, RULE_LOCAL, v->span,
                   "the parameter '%s' is local memory, which kernels alone have", v->name);
    }
    return true;
}

bool pass_legal(pass_context *cx, ir_module *m)
{
    legal l = {.c = cx->comp, .target = *cx->target};
    strbuf name;
    sb_init(&name, cx->comp->mem);
    target_print(&name, &l.target);
    l.name = arena_strndup(&cx->comp->arena, name.at ? name.at : "", name.n);
    sb_free(&name);
    ir_mark_recursive(m);
    pass_mark_reached(m);
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (!f->user || !f->body) continue;
        memset(l.reported, 0, sizeof l.reported);
        l.f = f;
        if (f->linkage == IR_ENTRY && !check_entry(&l, f)) continue;
        if (f->linkage == IR_ENTRY) check_private(&l, m, f);
        check_vars(&l, f);
        ir_walk_block(f->body, check_node, &l);
    }
    return false;
}
