/*
 * Functions of the module's own, for mathematics of float64 that asks libm where its arithmetic
 * does not reach. That is a branch, which LLVM's loop vectoriser does not take. So scalar code
 * calls a function whose vector variants stand beside it: the vectoriser calls those, and they are
 * inlined after it.
 */
#include "lib/codegen/gen_int.h"

typedef LLVMValueRef value;

unsigned gen_lanes(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

bool gen_inner_enter(gen *g, gen_inner *in, const char *name, LLVMTypeRef type, LLVMTypeRef *params,
                     unsigned count)
{
    const char *symbol = arena_printf(&g->c->arena, "cpl.%s.%u", name, gen_lanes(type));
    in->fn = LLVMGetNamedFunction(g->mod, symbol);
    if (in->fn) return false;
    value fn = in->fn = gen_runtime(g, symbol, LLVMFunctionType(type, params, count, 0));
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory"); /* none */
    gen_attr_text(g, fn, "prefer-vector-width", arena_printf(&g->c->arena, "%d", g->vector_bits));
    in->outer = g->fn;
    in->block = LLVMGetInsertBlock(g->b);
    in->place = gen_debug_save(g);
    LLVMSetCurrentDebugLocation2(g->b, NULL);
    g->fn = fn;
    gen_at(g, LLVMAppendBasicBlockInContext(g->cx, fn, "entry"));
    return true;
}

void gen_inner_leave(gen *g, const gen_inner *in, value result)
{
    LLVMBuildRet(g->b, result);
    g->fn = in->outer;
    LLVMPositionBuilderAtEnd(g->b, in->block);
    gen_debug_restore(g, in->place);
}

void gen_inner_variants(gen *g, value call, const char *list)
{
    static const char key[] = "vector-function-abi-variant";
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
                             LLVMCreateStringAttribute(g->cx, key, sizeof key - 1, list,
                                                       (unsigned)strlen(list)));
}

static value is_far(gen *g, value room)
{
    return LLVMBuildICmp(g->b, LLVMIntSLT, room, LLVMConstNull(LLVMTypeOf(room)), "");
}

static value lane(gen *g, value v, unsigned i)
{
    bool is_vector = gen_lanes(LLVMTypeOf(v)) > 1;
    return is_vector ? LLVMBuildExtractElement(g->b, v, gen_int(g->t_i32, i), "") : v;
}

static value libm_lanes(gen *g, const gen_libm *libm, LLVMTypeRef type, value fn, unsigned count)
{
    if (libm->vector)
        return gen_call_runtime(g, libm->vector,
                                (value[]){LLVMGetParam(fn, 0), LLVMGetParam(fn, count - 1)}, count);
    LLVMTypeRef params[] = {g->t_f64, g->t_f64};
    value callee = gen_runtime(g, libm->name, LLVMFunctionType(g->t_f64, params, count, 0)),
          result = LLVMGetPoison(type);
    gen_attr(g, callee, LLVMAttributeFunctionIndex, "willreturn");
    gen_attr(g, callee, LLVMAttributeFunctionIndex, "memory");
    for (unsigned i = 0; i < gen_lanes(type); i++) {
        value args[2];
        for (unsigned k = 0; k < count; k++) args[k] = lane(g, LLVMGetParam(fn, k), i);
        value one = gen_call_runtime(g, callee, args, count);
        gen_call_attr(g, one, "nobuiltin");
        if (gen_lanes(type) == 1) return one;
        result = LLVMBuildInsertElement(g->b, result, one, gen_int(g->t_i32, i), "");
    }
    return result;
}

/* (operands, near, room): libm's result for those lanes that have no room left. */
static value far_function(gen *g, const char *name, const gen_libm *libm, value near, value room,
                          unsigned count)
{
    LLVMTypeRef type = LLVMTypeOf(near), params[4];
    for (unsigned i = 0; i <= count; i++) params[i] = type;
    params[count + 1] = LLVMTypeOf(room);
    gen_inner in;
    if (!gen_inner_enter(g, &in, arena_printf(&g->c->arena, "%s.far", name), type, params,
                         count + 2))
        return in.fn;
    gen_attr(g, in.fn, LLVMAttributeFunctionIndex, "cold");
    gen_attr(g, in.fn, LLVMAttributeFunctionIndex, "noinline");
    value result = libm_lanes(g, libm, type, in.fn, count),
          far = is_far(g, LLVMGetParam(in.fn, count + 1));
    gen_inner_leave(g, &in, LLVMBuildSelect(g->b, far, result, LLVMGetParam(in.fn, count), ""));
    return in.fn;
}

value gen_inner_or_libm(gen *g, const char *name, const gen_libm *libm, const value *operands,
                        unsigned count, value near, value room)
{
    value far = is_far(g, room), args[4];
    if (gen_lanes(LLVMTypeOf(near)) > 1) far = gen_unary_intrinsic(g, "llvm.vector.reduce.or", far);
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(g->b), some = gen_block_new(g, "far"),
                      done = gen_block_new(g, "done");
    LLVMBuildCondBr(g->b, far, some, done);
    gen_at(g, some);
    for (unsigned i = 0; i < count; i++) args[i] = operands[i];
    args[count] = near;
    args[count + 1] = room;
    value other =
        gen_call_runtime(g, far_function(g, name, libm, near, room, count), args, count + 2);
    LLVMBuildBr(g->b, done);
    gen_at(g, done);
    value result = LLVMBuildPhi(g->b, LLVMTypeOf(near), "");
    LLVMAddIncoming(result, (value[]){near, other}, (LLVMBasicBlockRef[]){entry, some}, 2);
    return result;
}
