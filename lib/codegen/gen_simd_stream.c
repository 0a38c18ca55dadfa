/*
 * Stores that go to memory past the caches. An ordinary store first reads the line that it changes;
 * where a whole line is written, and would have left the caches before anybody reads it, that is a
 * third of the traffic of y[i] = f(x[i]). The CPU wants such rows aligned, so that the first rounds
 * are done one by one, up to where they are, and a fence behind the last ones, since other stores
 * do not wait for them (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1,
 * 10.4.6.2).
 */
#include "lib/codegen/gen_simd.h"

enum { LEAST_ROW = 16 }; /* bytes: of narrower rows there are no such stores */

typedef struct readers {
    const ir_var *array;
    bool found;
} readers;

static const ir_var *root_of(const ir_node *pointer)
{
    while (pointer->op == IR_ELEM || pointer->op == IR_ITEM || pointer->op == IR_FIELD ||
           pointer->op == IR_PTRCAST)
        pointer = pointer->kids[0];
    return pointer->op == IR_VAR ? pointer->var : NULL;
}

static bool note_read(void *user, ir_node *n)
{
    readers *r = user;
    const ir_node *from = ir_read_from(n);
    r->found |= from && root_of(from) == r->array;
    return !r->found;
}

/* Lines that are read come to the caches anyway. */
static bool is_read(const simd_plan *p, const ir_var *array)
{
    readers r = {.array = array};
    ir_walk_block(p->loop->body, note_read, &r);
    return r.found;
}

/* Whether it has its value before the round: it follows from the counter and what stays. */
static bool is_known(const simd_plan *p, const ir_node *n)
{
    if (n->op == IR_VAR && n->var != p->loop->loop->var) {
        const simd_var *v = p->vars[n->var->index];
        return !v || (!v->writes && !v->addressed);
    }
    if (ir_op_effects(n->op)) return false;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!is_known(p, n->kids[i])) return false;
    return true;
}

static bool can_stream(const simd_plan *p, const ir_node *n)
{
    const ir_node *to = n->op == IR_STORE ? n->kids[0] : NULL;
    if (!to || to->op != IR_ELEM || to->type->space != SPACE_GLOBAL || to->kids[0]->op != IR_VAR ||
        !type_is_scalar(to->type->elem))
        return false;
    return is_known(p, to) && simd_step(p, to->kids[1]) == 1 && !is_read(p, to->kids[0]->var);
}

/* One of them: the rounds that align its rows leave those of others where they are. */
void simd_choose_streamed(simd_plan *p)
{
    if (!p->g->options->stream_fence) return;
    for (uint32_t i = 0; i < p->loop->body->n && !p->streamed; i++) {
        const ir_node *n = p->loop->body->at[i];
        if (can_stream(p, n)) p->streamed = n;
    }
}

static uint64_t row_bytes(const simd *s)
{
    return s->w * s->plan->streamed->kids[0]->type->elem->size;
}

/* Rounds before an address that rows may begin at. */
static LLVMValueRef rounds_before(simd *s, LLVMValueRef first)
{
    gen *g = s->g;
    const ir_node *loop = s->plan->loop, *to = s->plan->streamed->kids[0];
    gen_store(g, loop->loop->var->user, (gen_val){first, loop->kids[0]->type});
    LLVMValueRef at = LLVMBuildPtrToInt(g->b, gen_expr(g, to).v, g->t_i64, "");
    LLVMValueRef bytes =
        LLVMBuildAnd(g->b, LLVMBuildNeg(g->b, at, ""), gen_int(g->t_i64, row_bytes(s) - 1), "");
    return LLVMBuildUDiv(g->b, bytes, gen_int(g->t_i64, to->type->elem->size), "");
}

LLVMValueRef simd_align(simd *s, LLVMValueRef first, LLVMValueRef end)
{
    gen *g = s->g;
    if (!s->plan->streamed || row_bytes(s) < LEAST_ROW) return first;
    LLVMValueRef before = rounds_before(s, first), left = LLVMBuildSub(g->b, end, first, ""),
                 all = LLVMBuildICmp(g->b, LLVMIntSLT, left, before, "");
    LLVMValueRef rounds = LLVMBuildSelect(g->b, all, left, before, "");
    gen_counted head = {.type = s->plan->loop->kids[0]->type,
                        .start = first,
                        .stop = LLVMBuildAdd(g->b, first, rounds, "aligned"),
                        .step = gen_int(g->t_i64, 1),
                        .step_known = true,
                        .step_value = 1};
    gen_short_loop(g, s->plan->loop, &head);
    s->aligned = true;
    return head.stop;
}

void simd_stream(simd *s, LLVMValueRef store)
{
    LLVMSetAlignment(store, (unsigned)row_bytes(s));
    gen_set_streamed(store);
}

void simd_end_stream(simd *s)
{
    if (s->aligned) gen_intrinsic(s->g, s->g->options->stream_fence, NULL, 0, NULL, 0);
}

static unsigned streamed_kind(LLVMContextRef cx)
{
    static const char kind[] = "nontemporal";
    return LLVMGetMDKindIDInContext(cx, kind, sizeof kind - 1);
}

void gen_set_streamed(LLVMValueRef store)
{
    LLVMContextRef cx = LLVMGetTypeContext(LLVMTypeOf(store));
    LLVMMetadataRef one = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(cx), 1, 0));
    LLVMMetadataRef node = LLVMMDNodeInContext2(cx, &one, 1);
    LLVMSetMetadata(store, streamed_kind(cx), LLVMMetadataAsValue(cx, node));
}

bool gen_is_streamed(LLVMValueRef access)
{
    LLVMContextRef cx = LLVMGetTypeContext(LLVMTypeOf(access));
    return LLVMGetMetadata(access, streamed_kind(cx));
}
