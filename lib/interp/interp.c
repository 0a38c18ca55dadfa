/* Calls, frames, memory and statements. */
#include "lib/interp/interp_int.h"

enum { BETWEEN_QUESTIONS = 1 << 18 }; /* steps: some milliseconds */

void interp_fail(interp *in, const ir_node *n, const char *what)
{
    if (in->failed) return;
    in->failed = true;
    const char *func = in->depth ? in->frames[in->depth - 1].func->name : "?";
    diag_error(&in->c->diags, CPL_EINTERNAL, n ? n->span : (cpl_span){0},
               "interpreting '%s': %s: %s", func, n ? ir_ops[n->op].text : "call", what);
}

/* Says so once, however many work-items are told. */
bool interp_wanted(interp *in)
{
    if (!in->options->unwanted || !in->options->unwanted()) return true;
    in->failed = true;
    if (!in->c->diags.errors)
        diag_error(&in->c->diags, CPL_ECANCELLED, (cpl_span){0},
                   "interpreting '%s' was cancelled: what it writes is written in part",
                   in->depth ? in->frames[0].func->name : "?");
    return false;
}

bool interp_step(interp *in, const ir_node *n)
{
    if (in->failed) return false;
    if (in->steps_left % BETWEEN_QUESTIONS == 0 && !interp_wanted(in)) return false;
    if (in->steps_left-- > 0) return true;
    interp_fail(in, n, "too many steps");
    return false;
}

bool interp_enter(interp *in, const ir_node *n)
{
    if (!interp_step(in, n)) return false;
    if (in->nesting++ < in->most_nesting) return true;
    interp_fail(in, n, "calls and blocks nest too deeply");
    return false;
}

/* Memory. */

ir_value interp_load(const cpl_type *t, const void *from)
{
    ir_value v = {0};
    if (type_is_struct(t) || type_is_array(t)) {
        v.pointer = (void *)from;
    } else if (type_is_float(t)) {
        uint16_t half;
        float single;
        switch (t->dtype) {
        case CPL_FLOAT16: memcpy(&half, from, sizeof half), v.number = half_value(half); break;
        case CPL_FLOAT32: memcpy(&single, from, sizeof single), v.number = single; break;
        default: memcpy(&v.number, from, sizeof v.number);
        }
    } else if (type_is_bool(t)) {
        v.bits = *(const unsigned char *)from != 0;
    } else {
        memcpy(&v.bits, from, t->size); /* little-endian: the low bytes */
        if (!type_is_pointer(t)) v.bits = ir_wrap_to(t, v.bits);
    }
    return v;
}

void interp_store(const cpl_type *t, void *to, ir_value v)
{
    if (type_is_struct(t) || type_is_array(t)) {
        memmove(to, v.pointer, t->size);
    } else if (type_is(t, CPL_FLOAT16)) {
        uint16_t half = half_bits(v.number);
        memcpy(to, &half, sizeof half);
    } else if (type_is(t, CPL_FLOAT32)) {
        float single = (float)v.number;
        memcpy(to, &single, sizeof single);
    } else {
        memcpy(to, &v.bits, t->size);
    }
}

size_t interp_reserve(size_t *at, const cpl_type *t)
{
    size_t align = t->align > 16 ? t->align : 16, offset = (*at + align - 1) / align * align;
    *at = offset + t->size;
    return offset;
}

static const layout *layout_of(interp *in, ir_func *f)
{
    if (f->user) return f->user;
    layout *l = arena_new(&in->c->arena, layout);
    ir_number(f);
    l->offsets = arena_array(&in->c->arena, f->params.n + f->vars.n, sizeof *l->offsets);
    for (uint32_t i = 0; i < f->params.n; i++)
        l->offsets[f->params.at[i]->index] = interp_reserve(&l->size, f->params.at[i]->type);
    for (uint32_t i = 0; i < f->vars.n; i++)
        l->offsets[f->vars.at[i]->index] = interp_reserve(&l->size, f->vars.at[i]->type);
    f->user = l;
    return l;
}

char *interp_address(interp *in, const ir_var *v)
{
    const frame *fr = &in->frames[in->depth - 1];
    const layout *l = fr->func->user;
    if (v->local && in->item) return interp_local(in, v);
    return fr->memory + l->offsets[v->index];
}

/* Calls. */

ir_value interp_function(interp *in, ir_func *f, const ir_value *args, const ir_node *site)
{
    if (f->linkage == IR_EXTERN) return interp_extern(in, f, args, site);
    if (in->depth == in->most_depth) {
        interp_fail(in, site, "calls nest too deeply");
        return (ir_value){0};
    }
    const layout *l = layout_of(in, f);
    frame *fr = &in->frames[in->depth];
    if (fr->capacity < l->size) {
        fr->memory = arena_alloc(&in->c->arena, l->size);
        fr->capacity = l->size;
    }
    if (l->size) memset(fr->memory, 0, l->size);
    fr->func = f;
    fr->result = (ir_value){0};
    in->depth++;
    for (uint32_t i = 0; i < f->params.n; i++)
        interp_store(f->params.at[i]->type, interp_address(in, f->params.at[i]), args[i]);
    interp_block(in, f->body);
    in->depth--;
    return fr->result;
}

/* Statements. */

static void fork_work(interp *in, const ir_node *n)
{
    ir_value args[4] = {interp_expr(in, n->kids[0]), {.bits = 0}, interp_expr(in, n->kids[1])};
    if ((int64_t)args[2].bits > 0 && !in->failed) interp_function(in, n->func, args, n);
}

static void fault(interp *in, const ir_node *n)
{
    cpl_fault *record = interp_expr(in, n->kids[0]).pointer;
    int64_t index = (int64_t)interp_expr(in, n->kids[1]).bits,
            extent = (int64_t)interp_expr(in, n->kids[2]).bits,
            round = n->kid_count > 3 ? (int64_t)interp_expr(in, n->kids[3]).bits : -1;
    if (in->failed || record->taken) return;
    *record = (cpl_fault){1, (int32_t)n->site, index, extent, round};
}

static void store(interp *in, const ir_node *n)
{
    char *to = interp_expr(in, n->kids[0]).pointer;
    ir_value v = interp_expr(in, n->kids[1]);
    if (!in->failed) interp_store(n->kids[1]->type, to, v);
}

static void vcopy(interp *in, const ir_node *n)
{
    char *to = interp_expr(in, n->kids[0]).pointer;
    const char *from = interp_expr(in, n->kids[1]).pointer;
    if (!in->failed) memmove(to, from, n->lanes * n->kids[0]->type->elem->size);
}

static void assign(interp *in, const ir_node *n)
{
    ir_value v = interp_expr(in, n->kids[0]);
    if (!in->failed) interp_store(n->var->type, interp_address(in, n->var), v);
}

static flow run_statement(interp *in, const ir_node *n)
{
    switch (n->op) {
    case IR_ASSIGN: assign(in, n); break;
    case IR_EVAL: interp_expr(in, n->kids[0]); break;
    case IR_STORE: store(in, n); break;
    case IR_VCOPY: vcopy(in, n); break;
    case IR_CLEAR: {
        char *to = interp_expr(in, n->kids[0]).pointer;
        if (!in->failed) memset(to, 0, n->kids[0]->type->elem->size);
        break;
    }
    case IR_IF: {
        bool taken = interp_expr(in, n->kids[0]).bits;
        const ir_block *b = taken ? n->body : n->orelse;
        return b && !in->failed ? interp_block(in, b) : FLOW_NEXT;
    }
    case IR_WHILE: return interp_while(in, n);
    case IR_FOR:
    case IR_PARALLEL_FOR: return interp_for(in, n);
    case IR_FORK: fork_work(in, n); break;
    case IR_BREAK: return FLOW_BREAK;
    case IR_CONTINUE: return FLOW_CONTINUE;
    case IR_RETURN:
        if (n->kid_count) in->frames[in->depth - 1].result = interp_expr(in, n->kids[0]);
        return FLOW_RETURN;
    case IR_PRINTF: interp_printf(in, n); break;
    case IR_FAULT: fault(in, n); break;
    case IR_ASSUME:
        if (!interp_expr(in, n->kids[0]).bits) interp_fail(in, n, "the condition does not hold");
        break;
    case IR_NANOSLEEP: interp_expr(in, n->kids[0]); break;
    case IR_ASSERT:       /* the bounds pass makes checks of them where they are wanted */
    case IR_FENCE: break; /* one thread */
    case IR_BARRIER: interp_barrier(in, n); break;
    default: interp_expr(in, n); /* an atomic without a use of its value */
    }
    return FLOW_NEXT;
}

static flow statement(interp *in, const ir_node *n)
{
    if (!interp_enter(in, n)) return FLOW_RETURN;
    flow f = run_statement(in, n);
    in->nesting--;
    return f;
}

flow interp_block(interp *in, const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        flow f = statement(in, b->at[i]);
        if (in->failed) return FLOW_RETURN;
        if (f != FLOW_NEXT) return f;
    }
    return FLOW_NEXT;
}

bool interp_call(ir_module *m, ir_func *f, const void *const *args, void *result,
                 const interp_options *options)
{
    arena *a = &m->comp->arena;
    interp in = {.c = m->comp,
                 .m = m,
                 .options = options,
                 .most_depth = INTERP_MAX_DEPTH,
                 .most_nesting = INTERP_MAX_NESTING};
    in.steps_left = options->max_steps ? options->max_steps : INTERP_MAX_STEPS;
    in.frames = arena_array(a, INTERP_MAX_DEPTH, sizeof *in.frames);
    for (uint32_t i = 0; i < m->funcs.n; i++) m->funcs.at[i]->user = NULL;
    ir_value *values = arena_array(a, f->params.n, sizeof *values);
    for (uint32_t i = 0; i < f->params.n; i++)
        values[i] = interp_load(f->params.at[i]->type, args[i]);
    ir_value v = interp_function(&in, f, values, NULL);
    if (!in.failed && result && !type_is_void(f->result)) interp_store(f->result, result, v);
    return !in.failed;
}
