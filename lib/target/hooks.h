/* What LLVM's C API lacks: an ORC session that links objects and nothing else, handlers for the end
   of memory, distinct metadata nodes, a look at loops. hooks.cpp is the only C++ in the library. */
#ifndef CPL_TARGET_HOOKS_H
#define CPL_TARGET_HOOKS_H

#include <llvm-c/Types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hook_session hook_session;
typedef struct hook_code hook_code; /* one linked object */

/* Each returns NULL on failure and writes why to error, cut to error_size. Any thread. */
hook_session *hook_session_create(char *error, size_t error_size);
void hook_session_free(hook_session *s); /* unlinks what is still linked */
/* Who is told about a linked object. */
typedef struct hook_watch {
    int debugger; /* gdb and lldb, through gdb's JIT interface */
    /* Called for each function in it, internal ones too; may be NULL. */
    void (*function)(void *user, const char *name, const void *address, size_t size);
    void *user;
} hook_watch;

/* Links a copy of the object and resolves all of it; what it does not define comes from resolve
   alone, on this thread. watch may be NULL. */
hook_code *hook_link(hook_session *s, const char *object, size_t size,
                     void *(*resolve)(void *user, const char *symbol), void *user,
                     const hook_watch *watch, char *error, size_t error_size);
void *hook_symbol(hook_session *s, hook_code *code, const char *symbol, char *error,
                  size_t error_size);
void hook_unlink(hook_session *s, hook_code *code);

/*
 * What LLVM and operator new call instead of ending the process: guard_fail. Where that returns,
 * the thread is not ours: then the handler of operator new that was there before is called. LLVM's
 * own handlers cannot be asked for, so that the host's are lost if it shares libLLVM.so with us
 * (CPL_LLVM_SHARED) and has any; linked statically, as by default, both are ours alone.
 */
void hook_handlers_install(void);
void hook_handlers_remove(void);

/*
 * LLVM 22's SPIR-V back end keeps what it knows of the module at hand in a static object and does
 * not clear all of it: basic blocks of an earlier module whose addresses come up again get their
 * old ids, which clash. keep saves the object's bytes before its first use, fresh makes it what it
 * was then; whole: it is not left over from work that failed, so what it holds can be freed.
 * Nothing happens with a shared LLVM, which hides it. One thread at a time.
 */
void hook_spirv_keep(void);
void hook_spirv_fresh(int whole);

/* A metadata node equal to no other; a NULL operand stands for the node itself. */
LLVMMetadataRef hook_distinct_node(LLVMContextRef context, LLVMMetadataRef *operands,
                                   unsigned count);

/*
 * LLVM 22's loop-vectorize asks of each value of a round whether all rounds share it, along every
 * way to what they begin with and without keeping answers (vputils::isUniformAcrossVFsAndUFs).
 * Loops with more such ways than most, all values together, are told to stay as they are. What all
 * rounds share is in front of a loop by then, but for what only some of its branches compute.
 */
void hook_limit_vectors(LLVMModuleRef module, double most);

#ifdef __cplusplus
}
#endif
#endif
