/* Independent loops: W rounds at a time as long as there are so many, then one by one. */
#include "lib/codegen/gen_simd.h"

static void start_reduction(simd *s, simd_var *v)
{
    const ir_node *neutral = ir_neutral(s->g->m, v->reduces, v->var->type, s->plan->loop->span);
    LLVMValueRef lanes = simd_splat(s, gen_expr(s->g, neutral).v);
    simd_write(s, v, simd_varying(lanes, v->var->type), s->plan->root.body);
}

/* The second half of the lanes into the first, until one is left; that into the variable. */
static void end_reduction(simd *s, const simd_var *v)
{
    gen *g = s->g;
    cpl_span span = s->plan->loop->span;
    ir_node *part = ir_use(g->m, v->var, span);
    const ir_node *join = ir_op2(g->m, v->reduces, part, part, span);
    LLVMValueRef lanes = simd_read_slot(s, v), at[SIMD_MOST_LANES];
    for (unsigned i = 0; i < s->w; i++) at[i] = gen_int(g->t_i32, i);
    for (unsigned half = s->w / 2; half; half /= 2) {
        LLVMValueRef none = LLVMGetPoison(LLVMTypeOf(lanes)),
                     low = LLVMBuildShuffleVector(g->b, lanes, none, LLVMConstVector(at, half), ""),
                     high = LLVMBuildShuffleVector(g->b, lanes, none,
                                                   LLVMConstVector(at + half, half), "");
        lanes = gen_op(g, join, (LLVMValueRef[]){low, high});
    }
    LLVMValueRef one = LLVMBuildExtractElement(g->b, lanes, gen_int(g->t_i64, 0), "");
    LLVMValueRef before = gen_expr(g, part).v;
    gen_store(g, v->var->user,
              (gen_val){gen_op(g, join, (LLVMValueRef[]){before, one}), v->var->type});
}

static void make_slots(simd *s)
{
    gen *g = s->g;
    for (uint32_t i = 0; i < s->plan->all.n; i++) {
        simd_var *v = s->plan->all.at[i];
        if (v->place != SIMD_SLOT) continue;
        LLVMTypeRef type = simd_slot_type(s, v);
        v->slot = simd_slot(s, type, v->var->name);
        if (v->reduces != IR_OP_COUNT) {
            start_reduction(s, v);
        } else if (type_is_array(v->var->type)) {
            const cpl_type *t = v->var->type;
            LLVMBuildMemSet(g->b, v->slot, gen_int(g->t_i8, 0), gen_int(g->t_i64, t->size * s->w),
                            (unsigned)type_innermost(t)->align);
        } else {
            LLVMBuildStore(g->b, LLVMConstNull(type), v->slot);
        }
    }
}

/* W rounds from iv. */
static void body(simd *s, LLVMValueRef iv, LLVMBasicBlockRef next)
{
    gen *g = s->g;
    simd_plan *p = s->plan;
    simd_var *counter = p->vars[p->loop->loop->var->index];
    counter->val =
        (simd_val){.shape = SIMD_LINEAR, .v = iv, .step = 1, .type = p->loop->kids[0]->type};
    simd_loop l = {.c = &p->root, .next = next};
    if (p->root.varying) {
        l.live = simd_slot(s, s->t_mask, "live");
        LLVMBuildStore(g->b, simd_all(s), l.live);
    }
    s->loop = &l;
    s->region = p->root.body;
    simd_block(s, p->root.body);
    gen_br(g, next);
    gen_at(g, next);
}

/* Returns where the remaining rounds begin. */
static LLVMValueRef vector_loop(simd *s, LLVMValueRef first, LLVMValueRef end)
{
    gen *g = s->g;
    LLVMTypeRef i64 = g->t_i64;
    LLVMValueRef some = LLVMBuildICmp(g->b, LLVMIntSLT, first, end, "");
    LLVMValueRef rounds =
        LLVMBuildSelect(g->b, some, LLVMBuildSub(g->b, end, first, ""), gen_int(i64, 0), "");
    rounds = LLVMBuildAnd(g->b, rounds, gen_int(i64, 0 - (uint64_t)s->w), "");
    LLVMValueRef last = LLVMBuildAdd(g->b, first, rounds, "rest");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), head = gen_block_new(g, "lanes");
    LLVMBasicBlockRef next = gen_block_new(g, "lanes.next"), done = gen_block_new(g, "lanes.done");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, rounds, gen_int(i64, 0), ""), head, done);
    gen_at(g, head);
    LLVMValueRef iv = LLVMBuildPhi(g->b, i64, "lane0");
    body(s, iv, next);
    LLVMValueRef following = LLVMBuildAdd(g->b, iv, gen_int(i64, s->w), "");
    LLVMAddIncoming(iv, (LLVMValueRef[]){first, following}, (LLVMBasicBlockRef[]){before, next}, 2);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, following, last, ""), head, done);
    gen_at(g, done);
    return last;
}

static void init(simd *s, gen *g, simd_plan *p)
{
    *s = (simd){.g = g, .plan = p, .w = p->lanes};
    s->t_bits = simd_vector(s, g->t_i1);
    bool mask_registers = g->options->vector_bits >= GEN_HAS_MASKS;
    s->t_mask =
        mask_registers ? s->t_bits : simd_vector(s, p->data_bits == 64 ? g->t_i64 : g->t_i32);
}

static bool vectorise(gen *g, const ir_node *n)
{
    if (!g->options->simd) return false;
    simd_plan *p = simd_plan_new(g, n);
    if (!p) return false;
    simd_vary(p);
    if (p->refused) return false;
    simd_choose_lanes(p);
    simd_choose_streamed(p);
    if (!simd_pays(p)) return false;
    simd s;
    init(&s, g, p);
    LLVMValueRef first = gen_expr(g, n->kids[0]).v, end = gen_expr(g, n->kids[1]).v;
    make_slots(&s);
    gen_counted rest = {.type = n->kids[0]->type, .stop = end, .step_known = true, .step_value = 1};
    rest.start = vector_loop(&s, simd_align(&s, first, end), end);
    simd_end_stream(&s);
    for (uint32_t i = 0; i < p->all.n; i++)
        if (p->all.at[i]->reduces != IR_OP_COUNT) end_reduction(&s, p->all.at[i]);
    rest.step = gen_int(g->t_i64, 1);
    gen_short_loop(g, n, &rest);
    return true;
}

/*
 * No poison from lanes: a promise that no NaN occurs makes LLVM freeze masks, which then are packed
 * and unpacked at every use. The Julia set ran 1.6 times longer with the promise than without.
 */
bool gen_simd_for(gen *g, const ir_node *n)
{
    LLVMFastMathFlags whole = g->fast;
    g->fast &= (LLVMFastMathFlags) ~(LLVMFastMathNoNaNs | LLVMFastMathNoInfs);
    bool done = vectorise(g, n);
    g->fast = whole;
    return done;
}
