/*
 * Kernels on devices, as far as CUDA and OpenCL's SPIR-V agree: parameters, address spaces,
 * mathematics, what work-items ask and do together. gen_cuda.c and gen_spirv.c hold what each of
 * them has of its own.
 */
#include "lib/codegen/gen_cuda.h"
#include "lib/codegen/gen_spirv.h"

static bool is_cuda(const gen *g)
{
    return g->kind == TGT_CUDA;
}

static bool is_spirv(const gen *g)
{
    return g->kind == TGT_SPIRV;
}

const gen_traits *gen_traits_of(int kind)
{
    static const gen_traits host = {.assumes = true, .moves = true};
    return kind == TGT_CUDA ? &gen_cuda_traits : kind == TGT_SPIRV ? &gen_spirv_traits : &host;
}

enum { LOCAL_ALIGN = 16 }; /* of variables in local memory: the widest access there is */

/*
 * bool has no layout of its own in a parameter list, so a byte is passed. A pointer into no known
 * space points to global memory, as every buffer does. On CUDA dynamic local memory is one block,
 * and the launch says where in it each parameter's part begins.
 */
LLVMTypeRef gen_kernel_param(gen *g, const cpl_type *t)
{
    if (type_is_bool(t)) return g->t_i8;
    if (!type_is_pointer(t)) return gen_type(g, t);
    if (t->space == SPACE_LOCAL && is_cuda(g)) return g->t_i32;
    return gen_pointer(g, t->space == SPACE_GENERIC ? SPACE_GLOBAL : t->space);
}

/* LLVM 22's NVPTX reads what a kernel never writes through caches that atomic loads must not use,
 * and cannot select an atomic load there. */
static bool find_atomic_load(void *user, ir_node *n)
{
    bool *found = user;
    *found |= n->op == IR_ATOMIC_LOAD;
    return !*found;
}

static void add_kernel_facts(gen *g, LLVMValueRef fn, const ir_func *f)
{
    bool atomic_load = false;
    ir_walk_block(f->body, find_atomic_load, &atomic_load);
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *p = f->params.at[i];
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(fn, i))) != LLVMPointerTypeKind) continue;
        if (p->noalias) gen_attr(g, fn, i + 1, "noalias");
        if (p->readonly && !atomic_load) gen_attr(g, fn, i + 1, "readonly");
    }
}

/* ptxas gives each work-item no more registers than such groups leave. */
static void add_bounds(gen *g, LLVMValueRef fn, const ir_func *f)
{
    arena *a = &g->c->arena;
    if (!is_cuda(g) || !f->most_items) return;
    gen_attr_text(g, fn, "nvvm.maxntid", arena_printf(a, "%u", f->most_items));
    if (f->least_groups)
        gen_attr_text(g, fn, "nvvm.minctasm", arena_printf(a, "%u", f->least_groups));
}

/* As in CUDA C++ loops end that have no effects, so that those go whose results nobody takes: where
 * a conjunction leads past such a loop, ptxas 13.0 removes it and takes the wrong way. */
void gen_device_declare(gen *g, LLVMValueRef fn, const ir_func *f)
{
    if (is_cuda(g) && f->body) gen_attr(g, fn, LLVMAttributeFunctionIndex, "mustprogress");
    if (g->convergent) gen_attr(g, fn, LLVMAttributeFunctionIndex, "convergent");
    if (f->kernel) {
        LLVMSetFunctionCallConv(fn, is_cuda(g) ? LLVMPTXKernelCallConv : LLVMSPIRKERNELCallConv);
        add_kernel_facts(g, fn, f);
        add_bounds(g, fn, f);
    } else if (is_spirv(g)) {
        LLVMSetFunctionCallConv(fn, LLVMSPIRFUNCCallConv);
    }
}

/* The block of dynamic local memory. */
static LLVMValueRef dynamic_local(gen *g)
{
    static const char name[] = "cpl_local";
    LLVMValueRef block = LLVMGetNamedGlobal(g->mod, name);
    if (block) return block;
    block = LLVMAddGlobalInAddressSpace(g->mod, LLVMArrayType2(g->t_i8, 0), name,
                                        gen_space(g, SPACE_LOCAL));
    LLVMSetLinkage(block, LLVMExternalLinkage);
    LLVMSetAlignment(block, LOCAL_ALIGN);
    return block;
}

LLVMValueRef gen_kernel_value(gen *g, LLVMValueRef param, const cpl_type *t)
{
    if (type_is_bool(t)) return gen_from_mem(g, param, t);
    if (!type_is_pointer(t)) return param;
    if (t->space != SPACE_LOCAL || !is_cuda(g)) return gen_space_cast(g, param, t->space);
    LLVMValueRef offset = LLVMBuildZExt(g->b, param, g->t_i64, "");
    return LLVMBuildInBoundsGEP2(g->b, g->t_i8, dynamic_local(g), &offset, 1, "");
}

LLVMValueRef gen_local_var(gen *g, const ir_var *v)
{
    LLVMTypeRef type = gen_mem_type(g, v->type);
    const char *name = arena_printf(&g->c->arena, "%s.%s", g->func->name, v->name);
    LLVMValueRef global =
        LLVMAddGlobalInAddressSpace(g->mod, type, name, gen_space(g, SPACE_LOCAL));
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetInitializer(global, LLVMGetUndef(type));
    LLVMSetAlignment(global, v->type->align > LOCAL_ALIGN ? (unsigned)v->type->align : LOCAL_ALIGN);
    return global;
}

/* Between two named spaces by way of the generic one: there is no direct cast. */
LLVMValueRef gen_space_cast(gen *g, LLVMValueRef pointer, type_space to)
{
    if (!gen_is_device(g)) return pointer;
    unsigned from = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)), wanted = gen_space(g, to);
    unsigned generic = gen_space(g, SPACE_GENERIC);
    if (from == wanted) return pointer;
    if (from != generic && wanted != generic)
        pointer = LLVMBuildAddrSpaceCast(g->b, pointer, gen_pointer(g, SPACE_GENERIC), "");
    return LLVMBuildAddrSpaceCast(g->b, pointer, gen_pointer(g, to), "");
}

/* libclc of LLVM 22 takes NaN for a large number in ldexp: it gives infinity for exponents above 0.
 */
static LLVMValueRef mend_ldexp(gen *g, LLVMValueRef x, LLVMValueRef result)
{
    LLVMValueRef is_nan = LLVMBuildFCmp(g->b, LLVMRealUNO, x, x, "");
    return LLVMBuildSelect(g->b, is_nan, x, result, "");
}

/* Functions of float32 whose results are exact, so that those of float64 can stand in for them:
 * libclc of LLVM 22 takes subnormal numbers for zeros there, and makes zeros of such results. */
static bool flushes(const char *name)
{
    return strcmp(name, "ldexp") == 0 || strcmp(name, "remainder") == 0 ||
           strcmp(name, "fmod") == 0;
}

static LLVMValueRef by_double(gen *g, const char *name, LLVMValueRef *args, unsigned n)
{
    LLVMValueRef wide[2];
    for (unsigned i = 0; i < n; i++)
        wide[i] =
            LLVMTypeOf(args[i]) == g->t_f32 ? LLVMBuildFPExt(g->b, args[i], g->t_f64, "") : args[i];
    return LLVMBuildFPTrunc(g->b, gen_device_math(g, name, wide, n), g->t_f32, "");
}

/* OpenCL's names, mangled as C++'s (_Z3sind), for SPIR-V's back end and for libclc; libdevice's
 * (__nv_sinf) where that is at hand. */
LLVMValueRef gen_device_math(gen *g, const char *name, LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef elem = LLVMTypeOf(args[0]);
    const char *letter = elem == g->t_f32 ? "f" : "d", *symbol;
    bool libclc = is_cuda(g) && !g->options->libdevice;
    if (libclc && elem == g->t_f32 && flushes(name)) return by_double(g, name, args, n);
    if (is_cuda(g) && !libclc)
        symbol = arena_printf(&g->c->arena, "__nv_%s%s", name, elem == g->t_f32 ? "f" : "");
    else
        symbol = arena_printf(&g->c->arena, "_Z%zu%s%s%s", strlen(name), name, letter,
                              n < 2                             ? ""
                              : LLVMTypeOf(args[1]) == g->t_i32 ? "i"
                                                                : letter);
    LLVMValueRef call = gen_pure_builtin(g, symbol, elem, args, n);
    return libclc && strcmp(name, "ldexp") == 0 ? mend_ldexp(g, args[0], call) : call;
}

/* LLVM 22's NVPTX would make a - trunc(a / b) * b of frem, which is not exact; SPIR-V's OpFRem
 * promises no more. */
LLVMValueRef gen_fmod(gen *g, LLVMValueRef a, LLVMValueRef b)
{
    if (!gen_is_device(g)) return LLVMBuildFRem(g->b, a, b, "");
    return gen_device_math(g, "fmod", (LLVMValueRef[]){a, b}, 2);
}

LLVMValueRef gen_work_item(gen *g, const ir_node *n)
{
    if (is_cuda(g)) return gen_cuda_work_item(g, n);
    if (is_spirv(g)) return gen_spirv_work_item(g, n);
    gen_internal_error(g, n, "the host has no work-items");
    return gen_zero(g, n->type);
}

void gen_nanosleep(gen *g, const ir_node *n)
{
    LLVMValueRef time = gen_i64(g, gen_expr(g, n->kids[0]));
    if (is_cuda(g)) gen_cuda_nanosleep(g, time);
}

LLVMValueRef gen_subgroup(gen *g, const ir_node *n)
{
    gen_val value = gen_expr(g, n->kids[0]);
    LLVMValueRef lane = n->kid_count > 1 ? gen_i64(g, gen_expr(g, n->kids[1])) : NULL;
    if (is_cuda(g)) return gen_cuda_subgroup(g, n, value, lane);
    if (is_spirv(g)) return gen_spirv_subgroup(g, n, value, lane);
    gen_internal_error(g, n, "the host has no sub-groups");
    return gen_zero(g, n->type);
}

/* A host thread is a group of one. A group's barrier orders both kinds of memory on CUDA. */
void gen_barrier(gen *g, const ir_node *n)
{
    LLVMValueRef zero = gen_int(g->t_i32, 0);
    if (is_cuda(g)) gen_intrinsic(g, "llvm.nvvm.barrier.cta.sync.aligned.all", NULL, 0, &zero, 1);
    else if (is_spirv(g)) gen_spirv_barrier(g, n->space);
}

static LLVMValueRef load_lanes(gen *g, LLVMTypeRef type, LLVMValueRef from, uint64_t align)
{
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, from, "");
    LLVMSetAlignment(v, (unsigned)align);
    return v;
}

static void copy_lanes(gen *g, LLVMTypeRef type, LLVMValueRef to, uint64_t to_align,
                       LLVMValueRef from, uint64_t from_align)
{
    LLVMValueRef v = load_lanes(g, type, from, from_align);
    LLVMSetAlignment(LLVMBuildStore(g->b, v, to), (unsigned)to_align);
}

static void copy_three(gen *g, LLVMTypeRef elem, LLVMValueRef to, LLVMValueRef from, uint64_t align)
{
    LLVMValueRef v[3], index[3];
    for (unsigned i = 0; i < 3; i++) {
        index[i] = gen_int(g->t_i64, i);
        v[i] =
            load_lanes(g, elem, LLVMBuildInBoundsGEP2(g->b, elem, from, &index[i], 1, ""), align);
    }
    for (unsigned i = 0; i < 3; i++)
        LLVMSetAlignment(LLVMBuildStore(g->b, v[i],
                                        LLVMBuildInBoundsGEP2(g->b, elem, to, &index[i], 1, "")),
                         (unsigned)align);
}

/* Bits of the address that an access of `align` bytes needs clear; NULL for private memory, whose
 * variables should stay in registers. */
static LLVMValueRef misaligned_bits(gen *g, LLVMValueRef pointer, const cpl_type *t, uint64_t align)
{
    if (t->space == SPACE_PRIVATE) return NULL;
    return LLVMBuildAnd(g->b, LLVMBuildPtrToInt(g->b, pointer, g->t_i64, ""),
                        gen_int(g->t_i64, align - 1), "");
}

/* One lane at a time: of two equal accesses that differ in alignment, in the arms of a branch, LLVM
 * makes one with the lesser alignment. */
static void copy_each(gen *g, LLVMTypeRef type, LLVMValueRef to, LLVMValueRef from)
{
    LLVMTypeRef elem = LLVMGetElementType(type);
    for (unsigned i = 0; i < LLVMGetVectorSize(type); i++) {
        LLVMValueRef at = gen_int(g->t_i32, i);
        LLVMBuildStore(g->b,
                       LLVMBuildLoad2(g->b, elem,
                                      LLVMBuildInBoundsGEP2(g->b, elem, from, &at, 1, ""), ""),
                       LLVMBuildInBoundsGEP2(g->b, elem, to, &at, 1, ""));
    }
}

/* One access where addresses allow it, which costs a test of two or three instructions; a
 * misaligned one would be a fault. */
static void cuda_vcopy(gen *g, const ir_node *n, LLVMTypeRef type, LLVMValueRef to,
                       LLVMValueRef from)
{
    enum { WIDEST = 16 };
    const cpl_type *to_type = n->kids[0]->type, *from_type = n->kids[1]->type;
    uint64_t elem = to_type->elem->size, wide = elem * n->lanes < WIDEST ? elem * n->lanes : WIDEST;
    LLVMValueRef a = misaligned_bits(g, to, to_type, wide),
                 b = misaligned_bits(g, from, from_type, wide);
    if (n->lanes == 3 || (!a && !b)) {
        copy_lanes(g, type, to, elem, from, elem);
        return;
    }
    LLVMValueRef bits = a && b ? LLVMBuildOr(g->b, a, b, "") : a ? a : b;
    LLVMBasicBlockRef whole = gen_block_new(g, "whole"), single = gen_block_new(g, "single"),
                      join = gen_block_new(g, "endcopy");
    LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntEQ, bits, gen_int(g->t_i64, 0), ""), whole,
                    single);
    gen_at(g, whole);
    copy_lanes(g, type, to, a ? wide : elem, from, b ? wide : elem);
    LLVMBuildBr(g->b, join);
    gen_at(g, single);
    if (a && b) copy_lanes(g, type, to, elem, from, elem);
    else copy_each(g, type, to, from);
    LLVMBuildBr(g->b, join);
    gen_at(g, join);
}

void gen_vcopy(gen *g, const ir_node *n)
{
    LLVMValueRef to = gen_expr(g, n->kids[0]).v, from = gen_expr(g, n->kids[1]).v;
    const cpl_type *to_type = n->kids[0]->type;
    /* as bits it needs nothing of the device */
    LLVMTypeRef elem =
        type_is(to_type->elem, CPL_FLOAT16) ? g->t_i16 : gen_mem_type(g, to_type->elem);
    LLVMTypeRef type = LLVMVectorType(elem, n->lanes);
    uint64_t align = to_type->elem->align;
    if (is_cuda(g)) cuda_vcopy(g, n, type, to, from);
    /* a vector of 3 takes the room of 4 */
    else if (is_spirv(g) && n->lanes == 3) copy_three(g, elem, to, from, align);
    else copy_lanes(g, type, to, align, from, align);
}

void gen_device_printf(gen *g, const ir_node *n, LLVMValueRef *args)
{
    if (is_cuda(g)) gen_cuda_printf(g, n->text, args, n->kid_count);
    else gen_spirv_printf(g, n->text, args, n->kid_count);
}
