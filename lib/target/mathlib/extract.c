/*
 * Build tool: `extract LIBCLC.bc OUT.bc` writes what the library carries of libclc, the functions
 * of op.def's kind MATH for NVPTX and what they need. All are linkonce_odr, so that linking a
 * kernel takes the ones it calls and no more.
 */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    const char *operands; /* f: a float, or as the one before; x: an int */
    const char *kind;
} functions[] = {
#define OP(id, text, class, operands, result, attr, flags, kind, effects, cost, doc, example)      \
    {text, operands, #kind},
#include "lib/ir/op.def"
#undef OP
    {"fmod", "f=", "MATH"},
};

static int failed(const char *what, const char *why)
{
    fprintf(stderr, "extract: %s: %s\n", what, why ? why : "failed");
    return 1;
}

/* Marks the wanted ones; false when one is missing. */
static bool keep(LLVMModuleRef m)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].kind, "MATH")) continue;
        for (const char *letter = "fd"; *letter; letter++) {
            const char *operands = functions[i].operands;
            char symbol[64], second[2] = {operands[1] == 'x' ? 'i' : *letter, 0};
            snprintf(symbol, sizeof symbol, "_Z%zu%s%c%s", strlen(functions[i].name),
                     functions[i].name, *letter, operands[1] ? second : "");
            LLVMValueRef f = LLVMGetNamedFunction(m, symbol);
            if (!f || LLVMIsDeclaration(f)) return !failed(symbol, "is not in the library");
            LLVMSetLinkage(f, LLVMExternalLinkage);
        }
    }
    return true;
}

static void each_linkage(LLVMModuleRef m, LLVMLinkage from, LLVMLinkage to)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && (from == LLVMAppendingLinkage || LLVMGetLinkage(f) == from))
            LLVMSetLinkage(f, to);
    for (LLVMValueRef v = LLVMGetFirstGlobal(m); v; v = LLVMGetNextGlobal(v))
        if (!LLVMIsDeclaration(v) && (from == LLVMAppendingLinkage || LLVMGetLinkage(v) == from))
            LLVMSetLinkage(v, to);
}

/* Other code would have to bring what is left open here. */
static bool is_closed(LLVMModuleRef m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) && LLVMGetFirstUse(f))
            return !failed(LLVMGetValueName(f), "is not defined");
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 3) return failed("usage", "extract LIBCLC.bc OUT.bc");
    LLVMContextRef cx = LLVMContextCreate();
    LLVMMemoryBufferRef bytes;
    LLVMModuleRef m;
    char *error = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &bytes, &error))
        return failed(argv[1], error);
    if (LLVMParseBitcodeInContext2(cx, bytes, &m)) return failed(argv[1], "is not bitcode");
    each_linkage(m, LLVMAppendingLinkage, LLVMInternalLinkage); /* that is: all */
    if (!keep(m)) return 1;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef e = LLVMRunPasses(m, "globaldce,strip,globaldce", NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (e) return failed(argv[1], LLVMGetErrorMessage(e));
    each_linkage(m, LLVMExternalLinkage, LLVMLinkOnceODRLinkage);
    LLVMSetTarget(m, "nvptx64-nvidia-cuda");
    if (!is_closed(m)) return 1;
    if (LLVMWriteBitcodeToFile(m, argv[2])) return failed(argv[2], "could not be written");
    LLVMDisposeModule(m);
    LLVMDisposeMemoryBuffer(bytes);
    LLVMContextDispose(cx);
    return 0;
}
