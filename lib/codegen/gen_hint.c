/*
 * What LLVM is told of loops: that the rounds of an independent one do not meet in memory, so that
 * its vectoriser needs no checks at run time; whether to hold vectors of rounds side by side; how
 * far to unroll; and that what is left of a loop run by lanes is short. The node kinds are those of
 * LLVM's language reference (llvm.access.group, llvm.loop).
 */
#include "lib/codegen/gen_int.h"

static unsigned kind(const gen *g, const char *name)
{
    return LLVMGetMDKindIDInContext(g->cx, name, (unsigned)strlen(name));
}

static LLVMMetadataRef text(const gen *g, const char *name)
{
    return LLVMMDStringInContext2(g->cx, name, strlen(name));
}

static LLVMMetadataRef pair(const gen *g, const char *name, LLVMMetadataRef value)
{
    LLVMMetadataRef operands[] = {text(g, name), value};
    return LLVMMDNodeInContext2(g->cx, operands, value ? 2 : 1);
}

LLVMMetadataRef gen_access_group(const gen *g)
{
    return g->options->distinct_node ? g->options->distinct_node(g->cx, NULL, 0) : NULL;
}

/* Global memory only: what lies in private memory belongs to the thread, not to the round. */
void gen_in_group(const gen *g, LLVMValueRef access, const cpl_type *pointer)
{
    if (!g->accesses || pointer->space != SPACE_GLOBAL || !access) return;
    LLVMSetMetadata(access, kind(g, "llvm.access.group"), LLVMMetadataAsValue(g->cx, g->accesses));
}

static void hint(const gen *g, LLVMValueRef latch, LLVMMetadataRef *hints, unsigned n)
{
    LLVMMetadataRef loop = g->options->distinct_node(g->cx, hints, n);
    LLVMSetMetadata(latch, kind(g, "llvm.loop"), LLVMMetadataAsValue(g->cx, loop));
}

static LLVMMetadataRef vectors_of(const gen *g, gen_vectors v)
{
    if (v == VECTORS_NONE)
        return pair(g, "llvm.loop.vectorize.enable",
                    LLVMValueAsMetadata(LLVMConstInt(g->t_i1, 0, 0)));
    return pair(g, "llvm.loop.interleave.count", LLVMValueAsMetadata(LLVMConstInt(g->t_i32, 2, 0)));
}

void gen_hint_rounds(const gen *g, LLVMValueRef latch, LLVMMetadataRef group, gen_vectors vectors)
{
    if (!g->options->distinct_node) return;
    LLVMMetadataRef hints[3] = {NULL}; /* stands for the node itself */
    unsigned n = 1;
    if (group) hints[n++] = pair(g, "llvm.loop.parallel_accesses", group);
    if (vectors != VECTORS_ANY) hints[n++] = vectors_of(g, vectors);
    if (n > 1) hint(g, latch, hints, n);
}

void gen_hint_unroll(const gen *g, LLVMValueRef latch, unsigned count)
{
    if (!g->options->distinct_node) return;
    LLVMMetadataRef hints[] = {NULL, pair(g, "llvm.loop.unroll.count",
                                          LLVMValueAsMetadata(LLVMConstInt(g->t_i32, count, 0)))};
    hint(g, latch, hints, 2);
}

void gen_hint_short(const gen *g, LLVMValueRef latch)
{
    if (!g->options->distinct_node) return;
    LLVMMetadataRef hints[] = {NULL, vectors_of(g, VECTORS_NONE),
                               pair(g, "llvm.loop.unroll.disable", NULL)};
    hint(g, latch, hints, 3);
}
