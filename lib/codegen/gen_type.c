/* Types, and values on their way from and to memory. */
#include "lib/codegen/gen_int.h"

#include <assert.h>

static LLVMTypeRef scalar_type(const gen *g, const cpl_type *t, bool memory)
{
    switch (t->dtype) {
    case CPL_VOID: return g->t_void;
    case CPL_BOOL: return memory ? g->t_i8 : g->t_i1;
    case CPL_INT8:
    case CPL_UINT8: return g->t_i8;
    case CPL_INT16:
    case CPL_UINT16: return g->t_i16;
    case CPL_INT32:
    case CPL_UINT32: return g->t_i32;
    case CPL_INT64:
    case CPL_UINT64: return g->t_i64;
    case CPL_FLOAT16: return g->t_f16;
    case CPL_FLOAT32: return g->t_f32;
    case CPL_FLOAT64: return g->t_f64;
    default: return NULL; /* reserved types are refused before they get here */
    }
}

/* Padding in as few numbers as it takes: LLVM passes values of structs part by part. */
static unsigned padding(gen *g, size_t bytes, LLVMTypeRef *parts)
{
    unsigned n = 0;
    if (bytes >= 8) parts[n++] = LLVMArrayType2(g->t_i64, bytes / 8);
    if (bytes % 8) parts[n++] = LLVMArrayType2(g->t_i8, bytes % 8);
    return n;
}

/*
 * cpl_type lays structs out as C does, which is what LLVM's unpacked structs do on every target
 * with 64-bit pointers. One whose fields were placed, or that holds such a one, is a packed struct
 * with its padding spelt out, and all that is made of it says how it is aligned.
 */
static LLVMTypeRef struct_type(gen *g, const cpl_type *t)
{
    LLVMTypeRef known = map_get(&g->structs, t->name);
    if (known) return known;
    LLVMTypeRef *parts = arena_array(&g->c->arena, 3 * (size_t)t->field_count + 2, sizeof *parts);
    unsigned n = 0;
    for (uint32_t i = 0; i <= t->field_count; i++) {
        if (t->packed) n += padding(g, type_padding(t, i), parts + n);
        if (i < t->field_count) parts[n++] = gen_mem_type(g, t->fields[i].type);
    }
    LLVMTypeRef type = LLVMStructCreateNamed(g->cx, t->name);
    LLVMStructSetBody(type, parts, n, t->packed);
    map_put(&g->c->arena, &g->structs, t->name, type);
    return type;
}

unsigned gen_space(const gen *g, type_space space)
{
    return g->traits->spaces[space];
}

LLVMTypeRef gen_pointer(const gen *g, type_space space)
{
    return gen_is_device(g) ? LLVMPointerTypeInContext(g->cx, gen_space(g, space)) : g->t_ptr;
}

LLVMTypeRef gen_mem_type(gen *g, const cpl_type *t)
{
    switch (t->kind) {
    case TYPE_SCALAR: return scalar_type(g, t, true);
    case TYPE_POINTER: return gen_pointer(g, t->space);
    case TYPE_ARRAY: return LLVMArrayType2(gen_mem_type(g, t->elem), t->count);
    case TYPE_STRUCT: return struct_type(g, t);
    }
    return NULL;
}

LLVMTypeRef gen_type(gen *g, const cpl_type *t)
{
    return t->kind == TYPE_SCALAR ? scalar_type(g, t, false) : gen_mem_type(g, t);
}

LLVMTypeRef gen_like(const gen *g, LLVMValueRef like, LLVMTypeRef scalar)
{
    (void)g;
    LLVMTypeRef type = LLVMTypeOf(like);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMVectorType(scalar, LLVMGetVectorSize(type))
               : scalar;
}

static LLVMValueRef int_of(LLVMTypeRef type, uint64_t bits)
{
    unsigned width = LLVMGetIntTypeWidth(type);
    return LLVMConstInt(type, width < 64 ? bits & ((UINT64_C(1) << width) - 1) : bits, 0);
}

LLVMValueRef gen_splat(LLVMTypeRef type, uint64_t bits)
{
    LLVMValueRef lanes[64], lane = int_of(LLVMGetElementType(type), bits);
    unsigned n = LLVMGetVectorSize(type);
    assert(n <= COUNT_OF(lanes));
    for (unsigned i = 0; i < n; i++) lanes[i] = lane;
    return LLVMConstVector(lanes, n);
}

LLVMValueRef gen_int(LLVMTypeRef type, uint64_t bits)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? gen_splat(type, bits) : int_of(type, bits);
}

LLVMValueRef gen_zero(gen *g, const cpl_type *t)
{
    return LLVMConstNull(gen_type(g, t));
}

LLVMValueRef gen_to_mem(gen *g, gen_val value)
{
    return type_is_bool(value.type)
               ? LLVMBuildZExt(g->b, value.v, gen_like(g, value.v, g->t_i8), "")
               : value.v;
}

/* Any byte but 0 is true: C code and arrays may hold others than 1. */
LLVMValueRef gen_from_mem(gen *g, LLVMValueRef v, const cpl_type *t)
{
    return type_is_bool(t) ? LLVMBuildICmp(g->b, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)), "")
                           : v;
}

LLVMValueRef gen_load(gen *g, LLVMValueRef pointer, const cpl_type *t)
{
    LLVMValueRef load = LLVMBuildLoad2(g->b, gen_mem_type(g, t), pointer, "");
    LLVMSetAlignment(load, (unsigned)t->align);
    return gen_from_mem(g, load, t);
}

LLVMValueRef gen_store(gen *g, LLVMValueRef pointer, gen_val value)
{
    LLVMValueRef store = LLVMBuildStore(g->b, gen_to_mem(g, value), pointer);
    LLVMSetAlignment(store, (unsigned)value.type->align);
    return store;
}

LLVMValueRef gen_field(gen *g, LLVMValueRef base, const cpl_type *record, uint32_t field)
{
    const cpl_field *f = &record->fields[field];
    if (!record->packed)
        return LLVMBuildStructGEP2(g->b, gen_mem_type(g, record), base, field, f->name);
    LLVMValueRef offset = gen_int(g->t_i64, f->offset);
    return LLVMBuildInBoundsGEP2(g->b, g->t_i8, base, &offset, 1, f->name);
}

LLVMValueRef gen_i64(gen *g, gen_val index)
{
    if (type_bits(index.type) == 64) return index.v;
    LLVMTypeRef type = gen_like(g, index.v, g->t_i64);
    return type_is_signed(index.type) ? LLVMBuildSExt(g->b, index.v, type, "")
                                      : LLVMBuildZExt(g->b, index.v, type, "");
}

LLVMValueRef gen_table(gen *g, const ir_var *v)
{
    uint64_t count;
    const ir_node **values = ir_table(g->func, v, &g->c->arena, &count);
    if (!values) return NULL;
    LLVMTypeRef item = gen_mem_type(g, values[0]->type);
    LLVMValueRef *items = arena_array(&g->c->arena, count, sizeof *items);
    for (uint64_t i = 0; i < count; i++) items[i] = gen_to_mem(g, gen_expr(g, values[i]));
    const char *name = arena_printf(&g->c->arena, "%s.table", v->name);
    LLVMValueRef table = LLVMAddGlobalInAddressSpace(g->mod, LLVMArrayType2(item, count), name,
                                                     gen_space(g, g->traits->tables));
    LLVMSetInitializer(table, LLVMConstArray2(item, items, count));
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(table, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(table, (unsigned)v->type->align);
    return table;
}

bool gen_is_table(const ir_var *v)
{
    return v->user && LLVMIsAGlobalVariable(v->user) && LLVMIsGlobalConstant(v->user);
}

bool gen_fills_table(const ir_node *n)
{
    const ir_var *v = ir_item_root(n->kids[0]);
    return v && gen_is_table(v);
}

void gen_clear(gen *g, LLVMValueRef pointer, const cpl_type *t, size_t align)
{
    if (gen_is_aggregate(t) && g->traits->clear) g->traits->clear(g, pointer, t, align);
    else if (gen_is_aggregate(t))
        LLVMBuildMemSet(g->b, pointer, gen_int(g->t_i8, 0), gen_int(g->t_i64, t->size),
                        (unsigned)align);
    else LLVMSetAlignment(gen_store(g, pointer, (gen_val){gen_zero(g, t), t}), (unsigned)align);
}

LLVMValueRef gen_variable(gen *g, const cpl_type *t, const char *name)
{
    LLVMValueRef slot = gen_alloca(g, gen_mem_type(g, t), name);
    LLVMSetAlignment(slot, (unsigned)t->align);
    return slot;
}

LLVMValueRef gen_alloca(gen *g, LLVMTypeRef type, const char *name)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), entry = LLVMGetEntryBasicBlock(g->fn);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    while (first && LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
    /* the builder takes over the location of what it stands before */
    gen_place place = gen_debug_save(g);
    if (first) LLVMPositionBuilderBefore(g->b, first);
    else gen_at(g, entry);
    LLVMValueRef slot = LLVMBuildAlloca(g->b, type, name);
    gen_at(g, here);
    gen_debug_restore(g, place);
    return slot;
}

LLVMBasicBlockRef gen_block_new(gen *g, const char *name)
{
    return LLVMAppendBasicBlockInContext(g->cx, g->fn, name);
}

void gen_at(gen *g, LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef last = LLVMGetLastBasicBlock(LLVMGetBasicBlockParent(block));
    /* reads in order */
    if (block != last && !LLVMGetFirstInstruction(block)) LLVMMoveBasicBlockAfter(block, last);
    LLVMPositionBuilderAtEnd(g->b, block);
}

bool gen_ended(const gen *g)
{
    return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(g->b)) != NULL;
}

void gen_br(gen *g, LLVMBasicBlockRef to)
{
    if (!gen_ended(g)) LLVMBuildBr(g->b, to);
}
