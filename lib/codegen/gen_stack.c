/*
 * Functions that call themselves, in code that is loaded into the process: they look how much of
 * the thread's stack is left before they use it, and leave the launch when that is too little
 * (runtime/leave.c). Where the stack ends the outermost one asks, and hands it on behind its
 * parameters; an entry, which C calls, asks each time.
 */
#include "lib/codegen/gen_int.h"

bool gen_takes_stack(const ir_func *f)
{
    return f->deep && f->linkage == IR_INTERNAL;
}

/* What lies on the stack of functions that are called in between, and do not look. */
static uint64_t bytes_of_variables(const ir_module *m)
{
    enum { OTHERS = 64 << 10 }; /* of what is called in libraries, too */
    uint64_t sum = OTHERS;
    for (uint32_t i = 0; i < m->funcs.n; i++)
        for (uint32_t k = 0; k < m->funcs.at[i]->vars.n; k++)
            sum += m->funcs.at[i]->vars.at[k]->type->size;
    return sum;
}

/* It is the same for all calls that a thread makes in a launch. */
LLVMValueRef gen_stack_end(gen *g)
{
    if (g->stack_end) return g->stack_end;
    LLVMTypeRef type = LLVMFunctionType(g->t_ptr, &g->t_i64, 1, 0);
    LLVMValueRef fn = gen_runtime(g, "__cpl_stack_end", type);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "memory"); /* value 0: memory(none) */
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "willreturn");
    LLVMValueRef bytes = gen_int(g->t_i64, bytes_of_variables(g->m));
    return gen_call_runtime(g, fn, &bytes, 1);
}

static LLVMValueRef stack_pointer(gen *g)
{
#if defined(__aarch64__)
    static const char name[] = "sp";
#else
    static const char name[] = "rsp";
#endif
    LLVMMetadataRef text = LLVMMDStringInContext2(g->cx, name, sizeof name - 1);
    LLVMMetadataRef node = LLVMMDNodeInContext2(g->cx, &text, 1);
    LLVMValueRef place = LLVMMetadataAsValue(g->cx, node);
    return gen_intrinsic(g, "llvm.read_register", &g->t_i64, 1, &place, 1);
}

/* No tail call becomes a jump: how deep calls may nest does not depend on what LLVM can do. */
void gen_look_at_stack(gen *g)
{
    const ir_func *f = g->func;
    g->stack_end = gen_takes_stack(f) ? LLVMGetParam(g->fn, f->params.n) : NULL;
    if (!f->deep) return;
    gen_attr_text(g, g->fn, "disable-tail-calls", "true");
    LLVMBasicBlockRef deep = gen_block_new(g, "deep"), on = gen_block_new(g, "on");
    LLVMValueRef end = LLVMBuildPtrToInt(g->b, gen_stack_end(g), g->t_i64, "");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntULT, stack_pointer(g), end, ""), deep, on);
    gen_at(g, deep);
    LLVMTypeRef type = LLVMFunctionType(g->t_void, &g->t_i32, 1, 0);
    LLVMValueRef fn = gen_runtime(g, "__cpl_too_deep", type);
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "noreturn");
    gen_attr(g, fn, LLVMAttributeFunctionIndex, "cold");
    LLVMValueRef site = gen_int(g->t_i32, f->deep - 1);
    gen_call_runtime(g, fn, &site, 1);
    LLVMBuildUnreachable(g->b);
    gen_at(g, on);
}
