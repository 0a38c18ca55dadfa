/* Memory for all lanes: loads and stores by the shape of their address, variables, and what is done
 * one lane after the other. */
#include "lib/codegen/gen_simd.h"

/* Scalars as they lie in memory: bool is a byte there. */
static LLVMTypeRef memory_vector(simd *s, const cpl_type *t)
{
    return simd_vector(s, gen_mem_type(s->g, t));
}

static LLVMValueRef masked(simd *s, const char *name, LLVMTypeRef *types, LLVMValueRef *args,
                           unsigned n, unsigned pointer, const cpl_type *t)
{
    gen *g = s->g;
    LLVMValueRef call = gen_intrinsic(g, name, types, 2, args, n);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, pointer + 1, LLVMCreateEnumAttribute(g->cx, align, t->align));
    return call;
}

static LLVMValueRef plain_load(simd *s, LLVMValueRef pointer, const cpl_type *t)
{
    LLVMValueRef v = LLVMBuildLoad2(s->g->b, memory_vector(s, t), pointer, "");
    LLVMSetAlignment(v, (unsigned)t->align);
    return v;
}

static LLVMValueRef load_row(simd *s, LLVMValueRef pointer, const cpl_type *t)
{
    if (!s->mask) return plain_load(s, pointer, t);
    LLVMTypeRef type = memory_vector(s, t), types[] = {type, s->g->t_ptr};
    LLVMValueRef args[] = {pointer, simd_bits(s, s->mask), LLVMConstNull(type)};
    return masked(s, "llvm.masked.load", types, args, 3, 0, t);
}

static void store_row(simd *s, LLVMValueRef pointer, LLVMValueRef v, const cpl_type *t)
{
    if (!s->mask) {
        LLVMValueRef store = LLVMBuildStore(s->g->b, v, pointer);
        LLVMSetAlignment(store, (unsigned)t->align);
        if (s->streams) simd_stream(s, store);
        return;
    }
    LLVMTypeRef types[] = {LLVMTypeOf(v), s->g->t_ptr};
    LLVMValueRef args[] = {v, pointer, simd_bits(s, s->mask)};
    masked(s, "llvm.masked.store", types, args, 3, 1, t);
}

/*
 * Without mask registers a gather or scatter under a mask becomes a branch a lane, so lanes that
 * are off go to memory of ours instead. So does a gather where none of the CPU's own is wanted.
 */
static LLVMValueRef safe(simd *s, LLVMValueRef pointers, bool loads, LLVMValueRef *bits)
{
    gen *g = s->g;
    *bits = LLVMConstAllOnes(s->t_bits);
    if (!s->mask) return pointers;
    if (s->t_mask == s->t_bits && !(loads && g->options->no_gathers)) {
        *bits = s->mask;
        return pointers;
    }
    if (!s->scratch) s->scratch = simd_slot(s, LLVMArrayType2(g->t_i64, 2), "scratch");
    return LLVMBuildSelect(g->b, simd_bits(s, s->mask), pointers, simd_splat(s, s->scratch), "");
}

static LLVMValueRef gather(simd *s, LLVMValueRef pointers, const cpl_type *t)
{
    LLVMValueRef bits;
    pointers = safe(s, pointers, true, &bits);
    LLVMTypeRef type = memory_vector(s, t), types[] = {type, LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {pointers, bits, LLVMConstNull(type)};
    return masked(s, "llvm.masked.gather", types, args, 3, 0, t);
}

static void scatter(simd *s, LLVMValueRef pointers, LLVMValueRef v, const cpl_type *t)
{
    LLVMValueRef bits;
    pointers = safe(s, pointers, false, &bits);
    LLVMTypeRef types[] = {LLVMTypeOf(v), LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {v, pointers, bits};
    masked(s, "llvm.masked.scatter", types, args, 3, 1, t);
}

static bool is_row(simd_val pointer, const cpl_type *t)
{
    return pointer.shape == SIMD_LINEAR && pointer.step == (int64_t)t->size;
}

/* Private arrays hold rows of lanes. */

static LLVMValueRef private_row(simd *s, simd_val p, const cpl_type *t)
{
    return LLVMBuildGEP2(s->g->b, memory_vector(s, t), p.base, &p.v, 1, "");
}

static LLVMValueRef private_lanes(simd *s, simd_val p, const cpl_type *t)
{
    gen *g = s->g;
    LLVMValueRef lanes[SIMD_MOST_LANES];
    for (unsigned i = 0; i < s->w; i++) lanes[i] = gen_int(g->t_i64, i);
    LLVMValueRef at = LLVMBuildMul(g->b, p.v, gen_int(LLVMTypeOf(p.v), s->w), "");
    at = LLVMBuildAdd(g->b, at, LLVMConstVector(lanes, s->w), "");
    return LLVMBuildGEP2(g->b, gen_mem_type(g, t), p.base, &at, 1, "");
}

static bool same_index(simd *s, simd_val p)
{
    return LLVMTypeOf(p.v) == s->g->t_i64;
}

simd_val simd_load(simd *s, simd_val p, const cpl_type *t)
{
    gen *g = s->g;
    LLVMValueRef v;
    if (p.shape == SIMD_UNIFORM) return simd_uniform(gen_load(g, p.v, t), t);
    if (p.shape == SIMD_PRIVATE) {
        if (same_index(s, p)) {
            v = LLVMBuildLoad2(g->b, memory_vector(s, t), private_row(s, p, t), "");
            LLVMSetAlignment(v, (unsigned)t->align);
        } else {
            v = gather(s, private_lanes(s, p, t), t);
        }
    } else if (is_row(p, t)) {
        v = load_row(s, p.v, t);
    } else {
        v = gather(s, simd_spread(s, p), t);
    }
    return simd_varying(gen_from_mem(g, v, t), t);
}

/* Every lane stores to one place: the last that is on prevails. */
static void store_last(simd *s, LLVMValueRef pointer, simd_val value)
{
    gen *g = s->g;
    if (value.shape != SIMD_UNIFORM) {
        LLVMTypeRef i64 = g->t_i64;
        LLVMValueRef args[] = {simd_lanes_on(s), gen_int(g->t_i1, 1)};
        LLVMValueRef zeros = gen_intrinsic(g, "llvm.ctlz", &i64, 1, args, 2);
        LLVMValueRef lane = LLVMBuildSub(g->b, gen_int(i64, 63), zeros, "");
        value.v = LLVMBuildExtractElement(g->b, simd_spread(s, value), lane, "");
    }
    gen_store(g, pointer, (gen_val){value.v, value.type});
}

static void store_private(simd *s, simd_val p, LLVMValueRef v, const cpl_type *t)
{
    gen *g = s->g;
    if (!same_index(s, p)) {
        scatter(s, private_lanes(s, p, t), v, t);
        return;
    }
    LLVMValueRef row = private_row(s, p, t);
    if (s->mask) v = LLVMBuildSelect(g->b, simd_bits(s, s->mask), v, plain_load(s, row, t), "");
    LLVMSetAlignment(LLVMBuildStore(g->b, v, row), (unsigned)t->align);
}

void simd_store(simd *s, simd_val p, simd_val value)
{
    const cpl_type *t = value.type;
    if (p.shape == SIMD_UNIFORM) {
        store_last(s, p.v, value);
        return;
    }
    LLVMValueRef v = gen_to_mem(s->g, (gen_val){simd_spread(s, value), t});
    if (p.shape == SIMD_PRIVATE) store_private(s, p, v, t);
    else if (is_row(p, t)) store_row(s, p.v, v, t);
    else scatter(s, simd_spread(s, p), v, t);
}

/* A whole private array in one piece, when no lane keeps its own and all clear the same. */
void simd_clear(simd *s, simd_val p)
{
    gen *g = s->g;
    const cpl_type *t = type_innermost(p.type->elem);
    uint64_t n = type_scalars(p.type->elem);
    if (p.shape != SIMD_PRIVATE) {
        simd_store(s, p, simd_uniform(gen_zero(g, t), t));
        return;
    }
    if (!s->mask && same_index(s, p)) {
        LLVMBuildMemSet(g->b, private_row(s, p, t), gen_int(g->t_i8, 0),
                        gen_int(g->t_i64, n * t->size * s->w), (unsigned)t->align);
        return;
    }
    simd_val one = p;
    for (uint64_t i = 0; i < n; i++) {
        one.v = LLVMBuildAdd(g->b, p.v, gen_int(LLVMTypeOf(p.v), i), "");
        simd_store(s, one, simd_uniform(gen_zero(g, t), t));
    }
}

/* Variables. Address-taken ones lie as memory does; bools otherwise as masks, which need no packing
 * on their way around loops. */

static bool as_mask(const simd_var *v)
{
    return type_is_bool(v->var->type) && !v->addressed;
}

LLVMTypeRef simd_slot_type(simd *s, const simd_var *v)
{
    if (as_mask(v)) return s->t_mask;
    LLVMTypeRef row = memory_vector(s, type_innermost(v->var->type));
    return type_is_array(v->var->type) ? LLVMArrayType2(row, type_scalars(v->var->type)) : row;
}

void simd_move(simd *s, const simd_var *v, LLVMValueRef to, LLVMValueRef from, LLVMValueRef mask)
{
    gen *g = s->g;
    LLVMTypeRef type = simd_slot_type(s, v);
    LLVMValueRef x = LLVMBuildLoad2(g->b, type, from, "");
    if (mask)
        x = LLVMBuildSelect(g->b, simd_bits(s, mask), x, LLVMBuildLoad2(g->b, type, to, ""), "");
    LLVMBuildStore(g->b, x, to);
}

LLVMValueRef simd_read_slot(simd *s, const simd_var *v)
{
    if (as_mask(v)) return simd_bits(s, simd_load_mask(s, v->slot));
    return gen_from_mem(s->g, plain_load(s, v->slot, v->var->type), v->var->type);
}

void simd_write(simd *s, simd_var *v, simd_val value, const simd_region *at)
{
    gen *g = s->g;
    const cpl_type *t = v->var->type;
    if (v->place == SIMD_NOWHERE) return;
    if (v->place == SIMD_VALUE) {
        v->val = value;
        return;
    }
    if (v->place == SIMD_SCALAR) {
        gen_store(g, v->var->user, (gen_val){value.v, t});
        return;
    }
    LLVMValueRef x = simd_spread(s, value);
    if (s->mask && simd_must_blend(v, at))
        x = LLVMBuildSelect(g->b, simd_bits(s, s->mask), x, simd_read_slot(s, v), "");
    if (as_mask(v)) LLVMBuildStore(g->b, simd_mask(s, x), v->slot);
    else
        LLVMSetAlignment(LLVMBuildStore(g->b, gen_to_mem(g, (gen_val){x, t}), v->slot),
                         (unsigned)t->align);
}

/* One lane after the other. */

/* A variable that holds the lane's value of an operand; `slot`: of one, or of a row. */
static ir_node *lane_operand(simd *s, simd_val v, LLVMValueRef *row, ir_var **var)
{
    gen *g = s->g;
    ir_var *x = arena_new(&g->c->arena, ir_var);
    ir_node *use = arena_new(&g->c->arena, ir_node);
    x->name = "lane";
    x->type = v.type;
    use->op = IR_VAR;
    use->type = v.type;
    use->var = x;
    *var = x;
    *row = NULL;
    if (v.shape == SIMD_UNIFORM) {
        x->user = simd_slot(s, gen_mem_type(g, v.type), "same");
        gen_store(g, x->user, (gen_val){v.v, v.type});
        return use;
    }
    *row = simd_slot(s, LLVMArrayType2(gen_mem_type(g, v.type), s->w), "lanes");
    LLVMValueRef rows = gen_to_mem(g, (gen_val){simd_spread(s, v), v.type});
    LLVMSetAlignment(LLVMBuildStore(g->b, rows, *row), (unsigned)v.type->align);
    return use;
}

static LLVMValueRef lane_of(simd *s, LLVMValueRef row, const cpl_type *t, LLVMValueRef lane)
{
    return LLVMBuildGEP2(s->g->b, gen_mem_type(s->g, t), row, &lane, 1, "");
}

static void lane_effect(simd *s, const ir_node *n, LLVMValueRef results, LLVMValueRef lane)
{
    gen *g = s->g;
    switch (n->op) {
    case IR_PRINTF: gen_printf(g, n); return;
    case IR_FAULT: gen_fault(g, n); return;
    default: break;
    }
    gen_val v = gen_expr(g, n);
    if (results) gen_store(g, lane_of(s, results, n->type, lane), v);
}

/* The lanes' values; without results, what is returned means nothing. */
static LLVMValueRef each_lane(simd *s, const ir_node *n, LLVMValueRef *rows, ir_var **vars,
                              LLVMValueRef results)
{
    gen *g = s->g;
    LLVMTypeRef i64 = g->t_i64;
    LLVMValueRef on = simd_lanes_on(s);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), head = gen_block_new(g, "lane"),
                      done = gen_block_new(g, "lanes.end");
    LLVMBuildBr(g->b, head);
    gen_at(g, head);
    LLVMValueRef left = LLVMBuildPhi(g->b, i64, "left");
    LLVMValueRef args[] = {left, gen_int(g->t_i1, 1)};
    LLVMValueRef lane = gen_intrinsic(g, "llvm.cttz", &i64, 1, args, 2);
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (rows[i]) vars[i]->user = lane_of(s, rows[i], vars[i]->type, lane);
    lane_effect(s, n, results, lane);
    LLVMValueRef fewer =
        LLVMBuildAnd(g->b, left, LLVMBuildSub(g->b, left, gen_int(i64, 1), ""), "");
    LLVMAddIncoming(left, (LLVMValueRef[]){on, fewer},
                    (LLVMBasicBlockRef[]){before, LLVMGetInsertBlock(g->b)}, 2);
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntNE, fewer, gen_int(i64, 0), ""), head, done);
    gen_at(g, done);
    return results ? gen_from_mem(g, plain_load(s, results, n->type), n->type) : NULL;
}

simd_val simd_effect(simd *s, const ir_node *n)
{
    gen *g = s->g;
    arena *a = &g->c->arena;
    ir_node *copy = arena_new(a, ir_node);
    LLVMValueRef *rows = arena_array(a, n->kid_count + 1, sizeof *rows), results = NULL;
    ir_var **vars = arena_array(a, n->kid_count + 1, sizeof *vars);
    *copy = *n;
    copy->kids = arena_array(a, n->kid_count + 1, sizeof *copy->kids);
    for (uint32_t i = 0; i < n->kid_count; i++)
        copy->kids[i] = lane_operand(s, simd_expr(s, n->kids[i]), &rows[i], &vars[i]);
    if (!type_is_void(n->type)) {
        results = simd_slot(s, LLVMArrayType2(gen_mem_type(g, n->type), s->w), "results");
        LLVMTypeRef row = memory_vector(s, n->type);
        LLVMSetAlignment(LLVMBuildStore(g->b, LLVMConstNull(row), results),
                         (unsigned)n->type->align);
    }
    return simd_varying(each_lane(s, copy, rows, vars, results), n->type);
}
