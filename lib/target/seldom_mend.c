/*
 * Loops that seldom change what they carry: the least element so far and where it is, the nearest
 * neighbour. Each round waits for the one before, since LLVM has vectors for the commonest sums and
 * extremes alone. Here a loop looks at a run of rounds first, all from the values that are carried
 * into it: where each keeps these there is nothing to compute, and looking is what has vectors.
 * Else the rounds are made one after the other, as written; where that comes often in a row it is
 * more and more of them, so that little time goes into looks where much changes. Bits are what they
 * were: a round that keeps what it is given gives the next one the same.
 *
 *     before -> seldom -> look ... -> looked -> seldom       all were kept
 *                 |                     |
 *                 +-------> enter <-----+                    the last ones; some were not
 *                             |
 *                           block ... -> leave -> exit or seldom
 *
 * For loops of one block that write nothing, counted in steps of 1. Comes in front of LLVM's
 * vectorisers.
 */
#include "lib/target/job.h"

enum {
    LOADS = 32, /* of numbers, in a run */
    LEAST_RUN = 8,
    MOST_RUNS = 64,
    MOST_PHIS = 24,
    MOST_INSTRUCTIONS = 128,
    MOST_CHOICES = 4, /* of one value in a round */
    MOST_VISITS = 2000
};

typedef struct carried { /* a phi of the loop */
    LLVMValueRef phi, first, next;
    int64_t step;               /* of a counter; 0: the value is kept or changed */
    LLVMValueRef outer, looked; /* in its place: in `seldom`; of a counter in `look` */
} carried;

typedef struct seldom {
    LLVMBuilderRef b;
    LLVMBasicBlockRef block, before, exit;
    LLVMValueRef bound;
    carried *counter; /* that ends the loop: the next one is the bound */
    int run;          /* rounds that are looked at together */
    unsigned n, made;
    int visits; /* of instructions, that are left for it */
    carried of[MOST_PHIS];
    struct {
        LLVMValueRef v, copy;
    } copies[MOST_INSTRUCTIONS];
} seldom;

static bool is_inside(const seldom *s, LLVMValueRef v)
{
    return LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == s->block;
}

static carried *find_phi(seldom *s, LLVMValueRef v)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->of[i].phi == v) return &s->of[i];
    return NULL;
}

/* ---- which loops ---- */

/* By how much phi grows with each round, by a constant; or 0. */
static int64_t step_of(LLVMValueRef phi, LLVMValueRef next)
{
    bool adds = LLVMIsAInstruction(next) && LLVMGetInstructionOpcode(next) == LLVMAdd;
    if (!adds || LLVMGetOperand(next, 0) != phi || !LLVMIsAConstantInt(LLVMGetOperand(next, 1)))
        return 0;
    return LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
}

static bool add_phi(seldom *s, LLVMValueRef phi)
{
    if (s->n == MOST_PHIS || LLVMCountIncoming(phi) != 2) return false;
    bool second = LLVMGetIncomingBlock(phi, 0) == s->block;
    LLVMBasicBlockRef before = LLVMGetIncomingBlock(phi, second);
    carried *c = &s->of[s->n++];
    *c = (carried){.phi = phi,
                   .first = LLVMGetIncomingValue(phi, second),
                   .next = LLVMGetIncomingValue(phi, !second)};
    c->step = step_of(phi, c->next);
    if (s->before && s->before != before) return false;
    s->before = before;
    return LLVMGetIncomingBlock(phi, !second) == s->block;
}

/* What may be left out, or made again: no store, no call but of mathematics. */
static bool is_plain(LLVMValueRef v)
{
    if (LLVMIsALoadInst(v))
        return !LLVMGetVolatile(v) && LLVMGetOrdering(v) == LLVMAtomicOrderingNotAtomic;
    if (LLVMIsACallInst(v)) {
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
        bool number =
            kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMIntegerTypeKind;
        return number && LLVMGetIntrinsicID(LLVMGetCalledValue(v));
    }
    return LLVMIsABinaryOperator(v) || LLVMIsAUnaryOperator(v) || LLVMIsACastInst(v) ||
           LLVMIsACmpInst(v) || LLVMIsASelectInst(v) || LLVMIsAGetElementPtrInst(v) ||
           LLVMIsAFreezeInst(v) || LLVMIsAExtractValueInst(v) || LLVMIsAInsertValueInst(v);
}

/* Whether the latch says that there are few rounds: codegen's gen_hint_short. */
static bool is_short(LLVMValueRef end)
{
    static const char name[] = "llvm.loop.vectorize.enable";
    LLVMContextRef cx = LLVMGetTypeContext(LLVMTypeOf(LLVMGetCondition(end)));
    LLVMValueRef loop = LLVMGetMetadata(end, LLVMGetMDKindIDInContext(cx, "llvm.loop", 9)), of[8];
    unsigned n = loop ? LLVMGetMDNodeNumOperands(loop) : 0;
    if (!n || n > COUNT_OF(of)) return n;
    LLVMGetMDNodeOperands(loop, of);
    for (unsigned i = 1; i < n; i++) {
        LLVMValueRef first[2];
        unsigned length = 0;
        if (!LLVMIsAMDNode(of[i]) || LLVMGetMDNodeNumOperands(of[i]) != COUNT_OF(first)) continue;
        LLVMGetMDNodeOperands(of[i], first);
        const char *text = LLVMGetMDString(first[0], &length);
        if (text && length == sizeof name - 1 && !memcmp(text, name, length)) return true;
    }
    return false;
}

/* Whether the block is such a loop, as far as its form goes. */
static bool find_loop(seldom *s, LLVMBasicBlockRef block)
{
    int loads = 0, n = 0;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), v;
    if (!job_is_loop(block) || is_short(end)) return false;
    bool stays = LLVMGetSuccessor(end, 0) == block;
    s->block = block;
    s->exit = LLVMGetSuccessor(end, stays);
    for (v = LLVMGetFirstInstruction(block); LLVMIsAPHINode(v); v = LLVMGetNextInstruction(v))
        if (!add_phi(s, v)) return false;
    for (; v != end; v = LLVMGetNextInstruction(v)) {
        if (!is_plain(v) || ++n > MOST_INSTRUCTIONS) return false;
        loads += LLVMIsALoadInst(v) != NULL;
    }
    s->run = loads ? LOADS / loads : LOADS;
    if (s->run < LEAST_RUN) s->run = LEAST_RUN;
    LLVMValueRef compare = LLVMGetCondition(end);
    if (!LLVMIsAICmpInst(compare) || !is_inside(s, compare) ||
        LLVMGetICmpPredicate(compare) != (stays ? LLVMIntNE : LLVMIntEQ))
        return false;
    s->bound = LLVMGetOperand(compare, 1);
    for (unsigned i = 0; i < s->n; i++)
        if (s->of[i].step == 1 && s->of[i].next == LLVMGetOperand(compare, 0))
            s->counter = &s->of[i];
    return s->counter && LLVMGetIntTypeWidth(LLVMTypeOf(s->bound)) >= 32 && !is_inside(s, s->bound);
}

/* Whether v follows from a counter, or else from a value that is kept or changed. */
static bool follows(seldom *s, LLVMValueRef v, bool counter)
{
    if (!is_inside(s, v)) return false;
    if (LLVMIsAPHINode(v)) return (find_phi(s, v)->step != 0) == counter;
    if (--s->visits < 0) return true;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        if (follows(s, LLVMGetOperand(v, i), counter)) return true;
    return false;
}

/* Whether a look may compute v from values that rounds before it would have changed. A read, or a
 * division, that follows from these alone is that of the run's first round; where the round counts
 * too it might be one that no round makes. */
static bool can_look(seldom *s, LLVMValueRef v)
{
    if (!is_inside(s, v) || LLVMIsAPHINode(v)) return true;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool divides = op == LLVMSDiv || op == LLVMUDiv || op == LLVMSRem || op == LLVMURem;
    if (--s->visits < 0) return false;
    if ((divides || op == LLVMLoad) && follows(s, v, false) && follows(s, v, true)) return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        if (!can_look(s, LLVMGetOperand(v, i))) return false;
    return true;
}

/* Functions of two numbers that give the one for which the comparison with the other holds. That of
 * floats leaves out 0 and -0, and NaN, of which it need not be the first. */
typedef struct extreme {
    const char *name;
    int predicate;
    bool floats;
} extreme;

static const extreme extremes[] = {
    {"llvm.smin", LLVMIntSLE, false},       {"llvm.smax", LLVMIntSGE, false},
    {"llvm.umin", LLVMIntULE, false},       {"llvm.umax", LLVMIntUGE, false},
    {"llvm.minnum", LLVMRealOLT, true},     {"llvm.maxnum", LLVMRealOGT, true},
    {"llvm.minimum", LLVMRealOLT, true},    {"llvm.maximum", LLVMRealOGT, true},
    {"llvm.minimumnum", LLVMRealOLT, true}, {"llvm.maximumnum", LLVMRealOGT, true},
};

/* Which of them v is, of phi and another value; NULL: none. */
static const extreme *extreme_of(LLVMValueRef v, LLVMValueRef phi, LLVMValueRef *other)
{
    unsigned id = LLVMIsACallInst(v) ? LLVMGetIntrinsicID(LLVMGetCalledValue(v)) : 0;
    if (!id || LLVMGetNumArgOperands(v) != 2) return NULL;
    bool second = LLVMGetOperand(v, 1) == phi;
    *other = LLVMGetOperand(v, !second);
    if (LLVMGetOperand(v, second) != phi || *other == phi) return NULL;
    for (size_t i = 0; i < COUNT_OF(extremes); i++)
        if (LLVMLookupIntrinsicID(extremes[i].name, strlen(extremes[i].name)) == id)
            return &extremes[i];
    return NULL;
}

/* Of phi plus one where a condition holds, the condition; else NULL. */
static LLVMValueRef counted_by(LLVMValueRef v, LLVMValueRef phi)
{
    if (!LLVMIsABinaryOperator(v) || LLVMGetInstructionOpcode(v) != LLVMAdd) return NULL;
    LLVMValueRef one = LLVMGetOperand(v, LLVMGetOperand(v, 0) == phi);
    if (one == phi || (LLVMGetOperand(v, 0) != phi && LLVMGetOperand(v, 1) != phi)) return NULL;
    if (!LLVMIsAZExtInst(one) && !LLVMIsASExtInst(one)) return NULL;
    LLVMValueRef condition = LLVMGetOperand(one, 0);
    return LLVMTypeOf(condition) == LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(phi)))
               ? condition
               : NULL;
}

/* What v makes of what phi is: the same; something else; one of two values by a condition; more
 * where that holds; the extreme of it and another value. */
typedef struct choice {
    enum { KEPT, CHANGED, CHOSEN, COUNTED, EXTREME } kind;
    LLVMValueRef condition, other;
    const extreme *extreme;
} choice;

static choice choice_of(const seldom *s, LLVMValueRef v, LLVMValueRef phi, int depth)
{
    choice c = {.kind = v == phi ? KEPT : CHANGED};
    if (v == phi || !is_inside(s, v)) return c;
    if ((c.extreme = extreme_of(v, phi, &c.other))) {
        c.kind = EXTREME;
    } else if ((c.condition = counted_by(v, phi))) {
        c.kind = COUNTED;
    } else if (LLVMIsASelectInst(v) && depth) {
        c.kind = CHOSEN;
        c.condition = LLVMGetOperand(v, 0);
    }
    return c;
}

typedef struct ways {  /* that a value is chosen in */
    bool keeps, looks; /* some keep it; all conditions can be looked at */
    bool waits;        /* some condition follows from what is carried */
} ways;

static void find_ways(seldom *s, LLVMValueRef v, LLVMValueRef phi, int depth, ways *w)
{
    const choice c = choice_of(s, v, phi, depth);
    w->keeps |= c.kind != CHANGED && c.kind != CHOSEN;
    if (c.kind == EXTREME) {
        w->waits = true;
        w->looks &= can_look(s, c.other);
    }
    if (!c.condition) return;
    bool one = LLVMGetTypeKind(LLVMTypeOf(c.condition)) == LLVMIntegerTypeKind;
    w->looks &= one && can_look(s, c.condition);
    w->waits |= follows(s, c.condition, false);
    if (c.kind != CHOSEN) return;
    find_ways(s, LLVMGetOperand(v, 1), phi, depth - 1, w);
    find_ways(s, LLVMGetOperand(v, 2), phi, depth - 1, w);
}

/* Of the least or greatest number, of floats without NaN, LLVM has vectors itself; as of what waits
 * for no round before, which is_seldom asks. */
static bool has_vectors(const carried *c)
{
    LLVMValueRef other;
    if (!LLVMIsASelectInst(c->next)) return extreme_of(c->next, c->phi, &other);
    LLVMValueRef condition = LLVMGetOperand(c->next, 0);
    if (!LLVMIsACmpInst(condition)) return false;
    LLVMValueRef l = LLVMGetOperand(condition, 0), r = LLVMGetOperand(condition, 1);
    bool one = LLVMGetOperand(c->next, 1) == l && LLVMGetOperand(c->next, 2) == r,
         other_way = LLVMGetOperand(c->next, 1) == r && LLVMGetOperand(c->next, 2) == l;
    bool total =
        LLVMIsAICmpInst(condition) || (LLVMGetFastMathFlags(condition) & LLVMFastMathNoNaNs);
    return (one || other_way) && total;
}

static bool is_seldom(seldom *s)
{
    bool gains = false;
    for (unsigned i = 0; i < s->n; i++) {
        const carried *c = &s->of[i];
        ways w = {.looks = true};
        if (c->step) continue;
        find_ways(s, c->next, c->phi, MOST_CHOICES, &w);
        if (!w.keeps || !w.looks) return false;
        gains |= w.waits && !has_vectors(c);
    }
    return gains;
}

/* ---- looks ---- */

/* What a look may make of values that a round before it would have changed is none of what the
 * flags forbid. */
static void drop_promises(LLVMValueRef copy)
{
    switch (LLVMGetInstructionOpcode(copy)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: LLVMSetNSW(copy, false), LLVMSetNUW(copy, false); break;
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMAShr:
    case LLVMLShr: LLVMSetExact(copy, false); break;
    case LLVMOr: LLVMSetIsDisjoint(copy, false); break;
    case LLVMZExt: LLVMSetNNeg(copy, false); break;
    default: break;
    }
    if (LLVMCanValueUseFastMathFlags(copy))
        LLVMSetFastMathFlags(copy, LLVMGetFastMathFlags(copy) &
                                       ~(LLVMFastMathNoNaNs | LLVMFastMathNoInfs));
}

/* v in a round that is looked at. */
static LLVMValueRef look_at(seldom *s, LLVMValueRef v)
{
    if (!is_inside(s, v)) return v;
    const carried *c = find_phi(s, v);
    if (c) return c->step ? c->looked : c->outer;
    for (unsigned i = 0; i < s->made; i++)
        if (s->copies[i].v == v) return s->copies[i].copy;
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); i++)
        LLVMSetOperand(copy, i, look_at(s, LLVMGetOperand(v, i)));
    LLVMInsertIntoBuilder(s->b, copy);
    drop_promises(copy);
    s->copies[s->made].v = v;
    s->copies[s->made++].copy = copy;
    return copy;
}

static LLVMTypeRef bit_of(const seldom *s)
{
    return LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(s->bound)));
}

static LLVMValueRef keeps_extreme(seldom *s, const choice *c, LLVMValueRef phi)
{
    LLVMValueRef l = look_at(s, phi), r = look_at(s, c->other);
    int by = c->extreme->predicate;
    return c->extreme->floats ? LLVMBuildFCmp(s->b, (LLVMRealPredicate)by, l, r, "")
                              : LLVMBuildICmp(s->b, (LLVMIntPredicate)by, l, r, "");
}

/* Whether v keeps what phi is. */
static LLVMValueRef keeps(seldom *s, LLVMValueRef v, LLVMValueRef phi, int depth)
{
    const choice c = choice_of(s, v, phi, depth);
    if (c.kind == EXTREME) return keeps_extreme(s, &c, phi);
    if (!c.condition) return LLVMConstInt(bit_of(s), c.kind == KEPT, false);
    LLVMValueRef condition = look_at(s, c.condition);
    if (c.kind == COUNTED) return LLVMBuildNot(s->b, condition, "");
    LLVMValueRef one = keeps(s, LLVMGetOperand(v, 1), phi, depth - 1),
                 other = keeps(s, LLVMGetOperand(v, 2), phi, depth - 1);
    if (!LLVMIsAConstantInt(one) || !LLVMIsAConstantInt(other))
        return LLVMBuildSelect(s->b, condition, one, other, "");
    if (one == other) return one;
    return LLVMConstIntGetZExtValue(one) ? condition : LLVMBuildNot(s->b, condition, "");
}

/* ---- the blocks ---- */

typedef struct blocks {
    LLVMBasicBlockRef seldom, look, looked, enter, leave;
    LLVMValueRef rounds; /* that are made together where one is needed: more than a run if so */
    LLVMValueRef left;   /* of them */
    LLVMValueRef kept;   /* whether all rounds that were looked at keep everything */
    LLVMValueRef limit;  /* what the counter is when the loop is left */
} blocks;

static LLVMValueRef number(const seldom *s, uint64_t n)
{
    return LLVMConstInt(LLVMTypeOf(s->bound), n, false);
}

static LLVMBasicBlockRef new_block(const seldom *s, const char *name)
{
    LLVMValueRef f = LLVMGetBasicBlockParent(s->block);
    LLVMTypeRef of = LLVMTypeOf(s->bound);
    return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(of), f, name);
}

static void come_from(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMValueRef v)
{
    LLVMAddIncoming(phi, &v, &from, 1);
}

static LLVMValueRef new_phi(seldom *s, LLVMTypeRef type, LLVMBasicBlockRef from, LLVMValueRef v)
{
    LLVMValueRef phi = LLVMBuildPhi(s->b, type, "");
    come_from(phi, from, v);
    return phi;
}

/* CPUs fetch few streams ahead by themselves, and what a look waits for keeps them from going on
 * where it was not foreseen: the least of 2^24 numbers in four parts takes 1.06 times as long
 * without. */
static void fetch_ahead(seldom *s)
{
    enum { AHEAD = 1024 }; /* bytes */
    LLVMContextRef cx = LLVMGetTypeContext(LLVMTypeOf(s->bound));
    LLVMTypeRef byte = LLVMInt8TypeInContext(cx), whole = LLVMInt32TypeInContext(cx),
                pointer = LLVMPointerTypeInContext(cx, 0);
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(s->block));
    unsigned id = LLVMLookupIntrinsicID("llvm.prefetch", 13);
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(m, id, &pointer, 1),
                 ahead = LLVMConstInt(LLVMInt64TypeInContext(cx), AHEAD, false),
                 zero = LLVMConstInt(whole, 0, false), end = LLVMGetBasicBlockTerminator(s->block);
    for (unsigned i = 0; i < s->n; i++) s->of[i].looked = s->of[i].outer;
    for (LLVMValueRef v = LLVMGetFirstInstruction(s->block); v != end;
         v = LLVMGetNextInstruction(v)) {
        if (!LLVMIsALoadInst(v) || follows(s, v, false) || !follows(s, v, true)) continue;
        LLVMValueRef at = look_at(s, LLVMGetOperand(v, 0));
        LLVMValueRef call[] = {LLVMBuildGEP2(s->b, byte, at, &ahead, 1, ""), zero,
                               LLVMConstInt(whole, 3, false), LLVMConstInt(whole, 1, false)};
        LLVMBuildCall2(s->b, LLVMGlobalGetValueType(fn), fn, call, 4, "");
    }
    s->made = 0;
}

/* Where the loop begins again after each run. */
static void build_seldom(seldom *s, blocks *to)
{
    LLVMPositionBuilderAtEnd(s->b, to->seldom);
    for (unsigned i = 0; i < s->n; i++)
        s->of[i].outer = new_phi(s, LLVMTypeOf(s->of[i].phi), s->before, s->of[i].first);
    to->rounds = new_phi(s, LLVMTypeOf(s->bound), s->before, number(s, 1));
    to->left = LLVMBuildSub(s->b, s->bound, s->counter->outer, "");
    if (s->run == LEAST_RUN) fetch_ahead(s);
    LLVMValueRef more = LLVMBuildICmp(s->b, LLVMIntUGT, to->left, number(s, s->run), "");
    LLVMBuildCondBr(s->b, more, to->look, to->enter);
}

/* A run of rounds, as far as what they keep needs it: the last one of all is none of them. */
static void build_look(seldom *s, blocks *to)
{
    LLVMPositionBuilderAtEnd(s->b, to->look);
    LLVMValueRef round = new_phi(s, LLVMTypeOf(s->bound), to->seldom, number(s, 0)),
                 all = new_phi(s, bit_of(s), to->seldom, LLVMConstInt(bit_of(s), 1, false));
    for (unsigned i = 0; i < s->n; i++)
        if (s->of[i].step)
            s->of[i].looked = new_phi(s, LLVMTypeOf(s->of[i].phi), to->seldom, s->of[i].outer);
    to->kept = all;
    for (unsigned i = 0; i < s->n; i++) {
        const carried *c = &s->of[i];
        if (!c->step)
            to->kept = LLVMBuildAnd(s->b, to->kept, keeps(s, c->next, c->phi, MOST_CHOICES), "");
    }
    for (unsigned i = 0; i < s->n; i++) {
        const carried *c = &s->of[i];
        if (!c->step) continue;
        LLVMValueRef step = LLVMConstInt(LLVMTypeOf(c->phi), (uint64_t)c->step, true);
        come_from(c->looked, to->look, LLVMBuildAdd(s->b, c->looked, step, ""));
    }
    LLVMValueRef next = LLVMBuildAdd(s->b, round, number(s, 1), "");
    come_from(round, to->look, next);
    come_from(all, to->look, to->kept);
    LLVMValueRef end = LLVMBuildICmp(s->b, LLVMIntEQ, next, number(s, s->run), "");
    LLVMBuildCondBr(s->b, end, to->looked, to->look);
}

/* Goes on behind the run, or says how many rounds are to be made. */
static void build_looked(seldom *s, blocks *to)
{
    LLVMPositionBuilderAtEnd(s->b, to->looked);
    for (unsigned i = 0; i < s->n; i++) {
        const carried *c = &s->of[i];
        LLVMValueRef by = LLVMConstInt(LLVMTypeOf(c->phi), (uint64_t)(c->step * s->run), true);
        come_from(c->outer, to->looked, c->step ? LLVMBuildAdd(s->b, c->outer, by, "") : c->outer);
    }
    come_from(to->rounds, to->looked, number(s, 1));
    LLVMValueRef more = LLVMBuildICmp(s->b, LLVMIntUGT, to->rounds, number(s, s->run), ""),
                 rounds = LLVMBuildSelect(s->b, more, to->rounds, number(s, s->run), ""),
                 ends = LLVMBuildICmp(s->b, LLVMIntUGE, rounds, to->left, ""),
                 far = LLVMBuildAdd(s->b, s->counter->outer, rounds, "");
    to->limit = LLVMBuildSelect(s->b, ends, s->bound, far, "");
    LLVMBuildCondBr(s->b, to->kept, to->seldom, to->enter);
}

static void build_enter(seldom *s, blocks *to)
{
    LLVMPositionBuilderAtEnd(s->b, to->enter);
    LLVMValueRef limit = to->limit;
    to->limit = new_phi(s, LLVMTypeOf(s->bound), to->seldom, s->bound);
    come_from(to->limit, to->looked, limit);
    LLVMBuildBr(s->b, s->block);
}

static void build_leave(seldom *s, blocks *to)
{
    LLVMPositionBuilderAtEnd(s->b, to->leave);
    LLVMValueRef twice = LLVMBuildShl(s->b, to->rounds, number(s, 1), ""),
                 most = LLVMBuildICmp(s->b, LLVMIntUGT, twice, number(s, MOST_RUNS * s->run), ""),
                 end = LLVMBuildICmp(s->b, LLVMIntEQ, to->limit, s->bound, "");
    come_from(to->rounds, to->leave, LLVMBuildSelect(s->b, most, to->rounds, twice, ""));
    for (unsigned i = 0; i < s->n; i++) come_from(s->of[i].outer, to->leave, s->of[i].next);
    LLVMBuildCondBr(s->b, end, s->exit, to->seldom);
}

/* A phi whose values come from `now` where phi's come from `old`; first NULL: the same value. */
static LLVMValueRef moved(seldom *s, LLVMValueRef phi, LLVMBasicBlockRef old, LLVMBasicBlockRef now,
                          LLVMValueRef first)
{
    LLVMPositionBuilderBefore(s->b, phi);
    LLVMValueRef made = LLVMBuildPhi(s->b, LLVMTypeOf(phi), "");
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        if (from == old) come_from(made, now, first ? first : v);
        else come_from(made, from, v);
    }
    return made;
}

static void replace(LLVMValueRef phi, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(phi, by);
    LLVMInstructionEraseFromParent(phi);
}

/* Rounds that wait for each other are no faster where vectors hold what they carry, as
 * slp-vectorizer has it, but half as fast. It makes none of what it cannot look through. */
static LLVMValueRef scalar(seldom *s, LLVMValueRef phi)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(phi));
    if (kind != LLVMFloatTypeKind && kind != LLVMDoubleTypeKind) return phi;
    LLVMValueRef first = LLVMGetFirstInstruction(s->block);
    while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(s->b, first);
    return job_hidden(s->b, phi);
}

/* The loop begins where it is entered, and is left at the limit. */
static void bend_loop(seldom *s, const blocks *to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->block), compare = LLVMGetCondition(end),
                 entry = LLVMGetBasicBlockTerminator(s->before), next;
    LLVMPositionBuilderBefore(s->b, end);
    LLVMSetCondition(end, LLVMBuildICmp(s->b, LLVMGetICmpPredicate(compare),
                                        LLVMGetOperand(compare, 0), to->limit, ""));
    LLVMSetSuccessor(end, LLVMGetSuccessor(end, 0) == s->block, to->leave);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(entry); i++)
        if (LLVMGetSuccessor(entry, i) == s->block) LLVMSetSuccessor(entry, i, to->seldom);
    for (unsigned i = 0; i < s->n; i++) {
        const carried *c = &s->of[i];
        LLVMValueRef phi = moved(s, c->phi, s->before, to->enter, c->outer);
        replace(c->phi, c->step ? phi : scalar(s, phi));
    }
    for (LLVMValueRef v = LLVMGetFirstInstruction(s->exit); LLVMIsAPHINode(v); v = next) {
        next = LLVMGetNextInstruction(v);
        replace(v, moved(s, v, s->block, to->leave, NULL));
    }
}

static void look_ahead(seldom *s)
{
    blocks to = {.seldom = new_block(s, "seldom"),
                 .look = new_block(s, "look"),
                 .looked = new_block(s, "looked"),
                 .enter = new_block(s, "enter"),
                 .leave = new_block(s, "leave")};
    build_seldom(s, &to);
    build_look(s, &to);
    build_looked(s, &to);
    build_enter(s, &to);
    build_leave(s, &to);
    bend_loop(s, &to);
}

void seldom_mend(LLVMContextRef cx, LLVMModuleRef m)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(cx);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f), next; block; block = next) {
            seldom s = {.b = b, .visits = MOST_VISITS};
            next = LLVMGetNextBasicBlock(block);
            if (find_loop(&s, block) && is_seldom(&s)) look_ahead(&s);
        }
    LLVMDisposeBuilder(b);
}
