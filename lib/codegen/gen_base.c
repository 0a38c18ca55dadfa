/* What the other files build with: attributes, functions from outside, intrinsics, comparisons.
 * Calls none of them but gen_type.c. */
#include "lib/codegen/gen_int.h"

#include <assert.h>
#include <math.h>

void gen_internal_error(gen *g, const ir_node *n, const char *what)
{
    diag_error(&g->c->diags, CPL_EINTERNAL, n->span, "codegen: '%s' in function '%s': %s",
               ir_ops[n->op].text, g->func->name, what);
}

static LLVMAttributeRef attribute(gen *g, const char *name)
{
    return LLVMCreateEnumAttribute(g->cx, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0);
}

void gen_attr(gen *g, LLVMValueRef fn, LLVMAttributeIndex at, const char *name)
{
    LLVMAddAttributeAtIndex(fn, at, attribute(g, name));
}

void gen_attr_text(gen *g, LLVMValueRef fn, const char *name, const char *value)
{
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(g->cx, name, (unsigned)strlen(name), value,
                                                      (unsigned)strlen(value)));
}

void gen_call_attr(gen *g, LLVMValueRef call, const char *name)
{
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, attribute(g, name));
}

LLVMValueRef gen_runtime(gen *g, const char *symbol, LLVMTypeRef type)
{
    LLVMValueRef fn = LLVMGetNamedFunction(g->mod, symbol);
    if (fn) return fn;
    fn = LLVMAddFunction(g->mod, symbol, type);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "nounwind");
    return fn;
}

LLVMValueRef gen_call_runtime(gen *g, LLVMValueRef fn, LLVMValueRef *args, unsigned n)
{
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(fn), fn, args, n, "");
}

LLVMValueRef gen_builtin(gen *g, const char *symbol, LLVMTypeRef result, LLVMValueRef *args,
                         unsigned n, bool convergent)
{
    LLVMValueRef fn = LLVMGetNamedFunction(g->mod, symbol);
    if (!fn) {
        LLVMTypeRef params[8];
        assert(n <= COUNT_OF(params));
        for (unsigned i = 0; i < n; i++) params[i] = LLVMTypeOf(args[i]);
        fn = gen_runtime(g, symbol, LLVMFunctionType(result, params, n, 0));
        if (convergent) gen_attr(g, fn, LLVMAttributeFunctionIndex, "convergent");
        LLVMSetFunctionCallConv(fn, g->traits->convention);
    }
    LLVMValueRef call = gen_call_runtime(g, fn, args, n);
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(fn));
    if (convergent) gen_call_attr(g, call, "convergent");
    return call;
}

LLVMValueRef gen_pure_builtin(gen *g, const char *symbol, LLVMTypeRef result, LLVMValueRef *args,
                              unsigned n)
{
    LLVMValueRef call = gen_builtin(g, symbol, result, args, n, false);
    LLVMValueRef fn = LLVMGetCalledValue(call);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory"); /* none */
    return call;
}

unsigned gen_sync_scope(const gen *g, ir_scope scope)
{
    const char *name = "";
    if (gen_is_device(g) && scope == IR_SCOPE_DEVICE) name = "device";
    if (gen_is_device(g) && scope == IR_SCOPE_GROUP) name = g->traits->group_scope;
    return LLVMGetSyncScopeID(g->cx, name, strlen(name));
}

LLVMValueRef gen_quick(gen *g, ir_op op, LLVMValueRef a, LLVMValueRef b)
{
    bool may = g->traits->quick && gen_is_fast(g->options);
    return may ? g->traits->quick(g, op, a, b) : NULL;
}

LLVMValueRef gen_fast(const gen *g, LLVMValueRef v)
{
    if (g->fast && LLVMIsAInstruction(v) && LLVMCanValueUseFastMathFlags(v))
        LLVMSetFastMathFlags(v, g->fast);
    return v;
}

/*
 * What is past 65504 is infinite. LLVM 22 takes the conversion of an integer with few significant
 * bits to float16 for exact (InstCombine's isKnownExactCastIntToFP), however large it is, and drops
 * the overflow where that is widened; products and sums of converted integers become such
 * conversions, too.
 */
static LLVMValueRef past_half(gen *g, LLVMValueRef v)
{
    LLVMTypeRef type = LLVMTypeOf(v);
    LLVMValueRef most = LLVMConstReal(type, 65504), ends[] = {LLVMConstReal(type, INFINITY), v},
                 size = gen_intrinsic(g, "llvm.fabs", &type, 1, &v, 1),
                 infinite = gen_intrinsic(g, "llvm.copysign", &type, 1, ends, 2);
    return LLVMBuildSelect(g->b, LLVMBuildFCmp(g->b, LLVMRealOGT, size, most, ""), infinite, v, "");
}

LLVMValueRef gen_widen(gen *g, LLVMValueRef v, const cpl_type *t)
{
    if (!type_is(t, CPL_FLOAT16)) return v;
    v = LLVMBuildFPExt(g->b, v, gen_like(g, v, g->t_f32), "");
    return g->counts ? past_half(g, v) : v;
}

LLVMValueRef gen_narrow(gen *g, LLVMValueRef v, const cpl_type *t)
{
    return type_is(t, CPL_FLOAT16) ? LLVMBuildFPTrunc(g->b, v, gen_like(g, v, g->t_f16), "") : v;
}

LLVMValueRef gen_intrinsic(gen *g, const char *name, LLVMTypeRef *types, unsigned type_count,
                           LLVMValueRef *args, unsigned n)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef fn = LLVMGetIntrinsicDeclaration(g->mod, id, types, type_count);
    return LLVMBuildCall2(g->b, LLVMIntrinsicGetType(g->cx, id, types, type_count), fn, args, n,
                          "");
}

LLVMValueRef gen_unary_intrinsic(gen *g, const char *name, LLVMValueRef a)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    return gen_fast(g, gen_intrinsic(g, name, &type, 1, &a, 1));
}

LLVMValueRef gen_compare(gen *g, ir_op op, LLVMValueRef a, LLVMValueRef b, const cpl_type *t)
{
    static const struct {
        LLVMIntPredicate s, u;
        LLVMRealPredicate f;
    } predicates[] = {
        [IR_EQ] = {LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
        [IR_NE] = {LLVMIntNE, LLVMIntNE, LLVMRealUNE},
        [IR_LT] = {LLVMIntSLT, LLVMIntULT, LLVMRealOLT},
        [IR_LE] = {LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
        [IR_GT] = {LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
        [IR_GE] = {LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
    };
    if (type_is_float(t))
        return gen_fast(g, LLVMBuildFCmp(g->b, predicates[op].f, gen_widen(g, a, t),
                                         gen_widen(g, b, t), ""));
    return LLVMBuildICmp(g->b, type_is_signed(t) ? predicates[op].s : predicates[op].u, a, b, "");
}

/* Compare and select: exactly what IR_MIN says of NaN and -0, and one instruction on x86. */
LLVMValueRef gen_min_max(gen *g, bool max, LLVMValueRef a, LLVMValueRef b, const cpl_type *t)
{
    LLVMValueRef take_b = gen_compare(g, max ? IR_GT : IR_LT, b, a, t);
    return gen_fast(g, LLVMBuildSelect(g->b, take_b, b, a, ""));
}
