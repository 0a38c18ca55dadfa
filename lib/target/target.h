/*
 * Targets: what turns typed IR into an artifact, and the loader of host objects. All of LLVM beyond
 * IR construction is here.
 */
#ifndef CPL_TARGET_H
#define CPL_TARGET_H

#include "lib/ir/ir.h"
#include "lib/support/target.h"

typedef struct tgt_options {
    tgt_target target;
    bool debug_info; /* line info */
    bool loaded;     /* the host: into this process, by code_load */
    int cpu_level;   /* x86-64 level 1 to 4; 0: this machine's CPU */
    bool contract, reassoc, vector_math, finite_math;
    bool streams; /* the host: what is written alone goes past the caches, where the CPU can */
    bool far;     /* the host: what rounds read at places that data says is no more in the caches */
    int opt_level;
    int simd; /* vectorise across iterations: 0 never, 1 where it should pay, 2 wherever possible */
} tgt_options;

/* devices: ASM is PTX or SPIR-V in words, OBJ PTX or SPIR-V in bytes */
typedef enum tgt_stage { TGT_LLVM, TGT_ASM, TGT_OBJ } tgt_stage;

typedef struct tgt_times {
    double codegen_ms, llvm_ms, emit_ms;
} tgt_times;

/* host.c: LLVM text, assembly or an object for this machine's CPU. False after errors, in the
 * diags. Runs on a compile thread. nvptx.h and spirv.h have the like for devices. */
bool host_emit(compilation *c, ir_module *m, const tgt_options *options, tgt_stage stage,
               strbuf *out, tgt_times *times);

/* identity.c: what code for a device depends on beside IR and options, as text. */
void device_identity(strbuf *out, const tgt_target *t);

/*
 * ptxas.c: a cubin for compute capability sm of PTX, through the program ptxas ($CPL_PTXAS, else as
 * PATH has it). False with a reason in error, which says so when there is no ptxas. Any thread.
 */
bool ptxas_run(const char *ptx, size_t size, int sm, bool line_info, strbuf *cubin, char *error,
               size_t error_size);

/* Finds the host's CPU and its features, once per process: all that code from the disk takes. */
bool host_know(void);
/* That, and warms LLVM up for it, once per process, before the first compilation: milliseconds. */
bool host_init(void);

/* True if this CPU can run code made for a level. After host_know. */
bool host_has_level(int cpu_level);
/* How wide the vectors are that code made for a level has, in bits; cpu_level 0: on this CPU. 128
 * where the CPU cannot be told. */
int host_vector_bits(int cpu_level);
/* What code made for a level needs, in words ("a CPU ...") or as a list of features. After
 * host_know. */
void host_cpu(strbuf *out, int cpu_level, bool features);
/* The CPU and its features, as LLVM names them, for keys. After host_know. */
void host_describe(strbuf *out);
/* identity.c: everything a host object depends on beside IR and options, as text. After
 * host_know. */
void host_identity(strbuf *out);

/* hash.c: a hash that nobody can collide on purpose, of parts one after the other. */
#define TGT_HASH_SIZE 32
void tgt_hash(const void *const *parts, const size_t *sizes, size_t count,
              uint8_t out[TGT_HASH_SIZE]);

/*
 * load.c: objects in memory, through ORC and JITLink. A loader is one per context; each object has
 * a JITDylib of its own, whose undefined symbols are looked up by `resolve` alone (addresses from
 * abi.def's and registered externs), never in the process.
 */
typedef struct code_loader code_loader;
typedef struct code code;
typedef void *(*code_resolver)(void *user, const char *symbol); /* NULL: no such symbol */
code_loader *code_loader_create(const mem *m, char *error, size_t error_size);
/* Ends all that LLVM keeps for it; nothing can be loaded any more. Called by code_loader_free;
 * alone where LLVM must run elsewhere. */
void code_loader_close(code_loader *l);
void code_loader_free(code_loader *l);
/* Those who want to see the code: a debugger (gdb's JIT interface), or a callback for each
 * function, internal ones too. */
typedef struct code_watch {
    bool debugger;
    /* may be NULL */
    void (*function)(void *user, const char *name, const void *address, size_t size);
    void *user;
} code_watch;
typedef struct code_object {
    const char *bytes;
    size_t size;
    code_resolver resolve;
    void *user; /* of resolve */
    code_watch watch;
} code_object;
/* Loads a copy of an object; error receives a message on failure, an empty one when out of memory,
 * and NULL is returned. Any thread. */
code *code_load(code_loader *l, const code_object *o, char *error, size_t error_size);
void *code_symbol(code *c, const char *symbol, char *error, size_t error_size);
void code_unload(code_loader *l, code *c);

#endif
