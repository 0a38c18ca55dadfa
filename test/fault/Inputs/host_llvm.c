/*
 * host_llvm LIBLLVM before|after ROUNDS: another LLVM in the process, loaded for all to see, before
 * this library does its first work or after it. Both generate code, by turns and at once on two
 * threads.
 */
#include "host.h"

#include <dlfcn.h>
#include <pthread.h>

typedef struct LLVMOpaque *ref;

static void *library;

/* ISO C has no cast from object to function pointer. */
static void find(const char *name, void *pointer)
{
    void *address = dlsym(library, name);
    host_check(address != NULL, name);
    memcpy(pointer, &address, sizeof address);
}

#define FIND(result, name, ...)                                                                    \
    result (*name)(__VA_ARGS__);                                                                   \
    find(#name, &name)

/* int twice(int x) { return x + x; } as an object for x86-64, through the other library's C
 * interface. */
static int other_compiles(void)
{
    FIND(void, LLVMInitializeX86TargetInfo, void);
    FIND(void, LLVMInitializeX86Target, void);
    FIND(void, LLVMInitializeX86TargetMC, void);
    FIND(void, LLVMInitializeX86AsmPrinter, void);
    FIND(ref, LLVMContextCreate, void);
    FIND(void, LLVMContextDispose, ref);
    FIND(ref, LLVMModuleCreateWithNameInContext, const char *, ref);
    FIND(void, LLVMDisposeModule, ref);
    FIND(ref, LLVMInt32TypeInContext, ref);
    FIND(ref, LLVMFunctionType, ref, ref *, unsigned, int);
    FIND(ref, LLVMAddFunction, ref, const char *, ref);
    FIND(ref, LLVMAppendBasicBlockInContext, ref, ref, const char *);
    FIND(ref, LLVMCreateBuilderInContext, ref);
    FIND(void, LLVMPositionBuilderAtEnd, ref, ref);
    FIND(ref, LLVMGetParam, ref, unsigned);
    FIND(ref, LLVMBuildAdd, ref, ref, ref, const char *);
    FIND(ref, LLVMBuildRet, ref, ref);
    FIND(void, LLVMDisposeBuilder, ref);
    FIND(int, LLVMGetTargetFromTriple, const char *, ref *, char **);
    FIND(ref, LLVMCreateTargetMachine, ref, const char *, const char *, const char *, int, int,
         int);
    FIND(int, LLVMTargetMachineEmitToMemoryBuffer, ref, ref, int, char **, ref *);
    FIND(size_t, LLVMGetBufferSize, ref);
    FIND(const char *, LLVMGetBufferStart, ref);
    FIND(void, LLVMDisposeMemoryBuffer, ref);
    FIND(void, LLVMDisposeTargetMachine, ref);
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    ref context = LLVMContextCreate(), module = LLVMModuleCreateWithNameInContext("m", context),
        i32 = LLVMInt32TypeInContext(context);
    ref f = LLVMAddFunction(module, "twice", LLVMFunctionType(i32, &i32, 1, 0)),
        b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, f, "entry"));
    LLVMBuildRet(b, LLVMBuildAdd(b, LLVMGetParam(f, 0), LLVMGetParam(f, 0), ""));
    LLVMDisposeBuilder(b);
    ref target = NULL, buffer = NULL;
    char *error = NULL;
    int ok = !LLVMGetTargetFromTriple("x86_64-unknown-linux-gnu", &target, &error);
    ref machine =
        ok ? LLVMCreateTargetMachine(target, "x86_64-unknown-linux-gnu", "x86-64", "", 2, 2, 0)
           : NULL;
    ok = machine && !LLVMTargetMachineEmitToMemoryBuffer(machine, module, 1, &error, &buffer);
    ok = ok && LLVMGetBufferSize(buffer) > 100 &&
         memcmp(LLVMGetBufferStart(buffer), "\177ELF", 4) == 0;
    if (buffer) LLVMDisposeMemoryBuffer(buffer);
    if (machine) LLVMDisposeTargetMachine(machine);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return ok;
}

static int rounds;

static void *other_thread(void *arg)
{
    for (int i = 0; i < rounds; i++) *(int *)arg += !other_compiles();
    return NULL;
}

int main(int argc, char **argv)
{
    int wrong = 0, wrong_there = 0, before = strcmp(argv[argc - 2], "before") == 0;
    host h;
    rounds = atoi(argv[argc - 1]);
    if (before)
        host_check((library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) != NULL,
                   "the other LLVM cannot be loaded");
    h = host_open();
    wrong += host_work(&h, 0);
    if (!before)
        host_check((library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL)) != NULL,
                   "the other LLVM cannot be loaded");
    for (int i = 0; i < rounds; i++) {
        host again = host_open();
        wrong += host_work(&again, i) + !other_compiles() + host_work(&h, i);
        host_close(&again);
    }
    pthread_t thread;
    host_check(pthread_create(&thread, NULL, other_thread, &wrong_there) == 0, "no thread");
    for (int i = 0; i < rounds; i++) {
        host again = host_open();
        wrong += host_work(&again, i);
        host_close(&again);
    }
    pthread_join(thread, NULL);
    printf("%d rounds, %d wrong\n", rounds, wrong + wrong_there);
    host_close(&h);
    return wrong + wrong_there != 0;
}
