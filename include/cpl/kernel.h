/*
 * A kernel: one function compiled for one tuple of argument types, ready to be called.
 *
 *     const cpl_type *f64; cpl_type_parse(cx, "float64", &f64);
 *     cpl_spec spec; cpl_spec_init(&spec); spec.types = &f64; spec.type_count = 1;
 *     cpl_launch_options o; cpl_launch_options_init(&o); o.spec = &spec;
 *     cpl_kernel *k; cpl_kernel_for(m, "square", &o, NULL, 0, &k);
 *     double (*square)(double) = (double (*)(double))cpl_kernel_address(k);
 */
#ifndef CPL_KERNEL_H
#define CPL_KERNEL_H

#include "cpl/base.h"
#include "cpl/module.h"
#include "cpl/rt.h" /* cpl_fault */

#ifdef __cplusplus
extern "C" {
#endif

/* A further reference; cpl_kernel_for (cpl/launch.h) gives the first one. NULL is allowed. Any
 * thread. */
CPL_API void cpl_kernel_retain(cpl_kernel *kernel);
/* The code goes with the last reference to the module or any of its kernels, and waits for what
   cpl_module_release waits for; NULL is allowed. Any thread. */
CPL_API void cpl_kernel_release(cpl_kernel *kernel);

/*
 * The compiled function, with the C calling convention of cpl_kernel_signature. Valid as long as
 * the kernel. Of a kernel for arguments, whose launches run other code where all arrays are small,
 * this is the function for any size, and of one for a spec the one for the spec's facts; NULL, with
 * diagnostics, when that had to be compiled and could not be. Any thread.
 */
CPL_API void *cpl_kernel_address(const cpl_kernel *kernel);

/*
 * Its C prototype, "void axpb(int64_t n, double *x, ...)". Hidden parameters follow the declared
 * ones: for each array, an int64_t NAME_len where the function uses len() or bounds_check is on,
 * and an int64_t NAME_stride (bytes) where the array is strided; of one of several dimensions
 * NAME_shape0, NAME_shape1 and so on instead, and NAME_stride0 and so on; last, with bounds_check,
 * a cpl_fault *. Arrays that are only read are const. It is that of the function at
 * cpl_kernel_address, and NULL where that is. Lives as long as the kernel. Any thread.
 */
CPL_API const char *cpl_kernel_signature(const cpl_kernel *kernel);

/* Parameters of that prototype, hidden ones included: the type, or NULL past the end. name may be
 * NULL. Any thread. */
CPL_API const cpl_type *cpl_kernel_parameter(const cpl_kernel *kernel, size_t index,
                                             const char **name);
/* What a kernel does through a pointer, as bits. */
typedef enum cpl_access {
    CPL_ACCESS_NONE = 0, /* nothing, or it is no pointer */
    CPL_ACCESS_READ = 1,
    CPL_ACCESS_WRITE = 2, /* perhaps not all of it */
    CPL_ACCESS_READ_WRITE = 3,
} cpl_access;

/* What the kernel may do with the memory of a parameter of that prototype; what it cannot tell it
 * may. CPL_ACCESS_NONE past the end. Any thread. */
CPL_API cpl_access cpl_kernel_access(const cpl_kernel *kernel, size_t index);

/* The function that it was made from; an algorithm's are the library's, "cpl.chunks.parts". NULL
 * for NULL. Lives as long as the kernel. Any thread. */
CPL_API const char *cpl_kernel_function(const cpl_kernel *kernel);

/*
 * The number of rounds (of a plain function: calls) below which a launch is short: a few
 * microseconds by an estimate that an error costs time alone, so that a caller may decide whether
 * to hold a lock meanwhile. 0 when one round may take longer, as loops of unknown length may, and
 * for kernels of devices. Any thread.
 */
CPL_API int64_t cpl_kernel_short_below(const cpl_kernel *kernel);

/* What the function returns: NULL for void, and for NULL. Any thread. */
CPL_API const cpl_type *cpl_kernel_result(const cpl_kernel *kernel);

/*
 * The text of a stage of this kernel, compiled again as cpl_module_emit does for what it was made
 * from: CPL_STAGE_PTX of one for CUDA, CPL_STAGE_ASM of the host's; CPL_STAGE_OPENCL_C of any.
 * Returns CPL_OK or why it could not, with diagnostics. Any thread.
 */
CPL_API cpl_status cpl_kernel_emit(const cpl_kernel *kernel, cpl_stage stage,
                                   const cpl_emit_options *options, cpl_blob *out);

/* Turns a fault into a diagnostic (function, line, argument, index, extent); CPL_OK if none was
 * taken, else CPL_EBOUNDS or CPL_EASSERT. Any thread. */
CPL_API cpl_status cpl_kernel_report(const cpl_kernel *kernel, const cpl_fault *fault);

/* What the last compilation in this context on this thread's behalf cost. */
typedef struct cpl_stats {
    size_t size; /* sizeof(cpl_stats), set by the caller */
    double front_ms, sema_ms, lower_ms, passes_ms, codegen_ms, llvm_ms, emit_ms, link_ms, total_ms;
    uint64_t ir_ops; /* IR nodes after the passes */
    uint64_t code_bytes;
    uint64_t compiles;  /* kernels that LLVM generated code for in this context so far */
    uint64_t hits;      /* kernels found among those already compiled */
    uint64_t disk_hits; /* kernels whose code was found in the cache on disk */
    /* kernels whose quick code was replaced by optimised code (option tiers) */
    uint64_t upgrades;
} cpl_stats;

/* Statistics of the context's last compilation. Returns CPL_OK or CPL_EARG. Any thread. */
CPL_API cpl_status cpl_context_stats(cpl_context *context, cpl_stats *stats);

/* Types the kernel's variables were given, one "name: type" a line, as --emit types shows them.
 * Lives as long as the kernel. Any thread. */
CPL_API const char *cpl_kernel_types(const cpl_kernel *kernel);

#ifdef __cplusplus
}
#endif
#endif
