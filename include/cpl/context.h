/*
 * A context: allocator, diagnostic sink, options, types, external functions and compile threads.
 * Everything else hangs on one.
 *
 *     cpl_context *cx;
 *     if (cpl_context_create(NULL, &cx)) ...
 *     cpl_context_set_sink(cx, print_diag, stderr);
 *     ...
 *     cpl_context_release(cx);
 *
 * A context may be used from many threads at once. Objects are reference-counted; each holds its
 * context.
 *
 * In a process forked from the one that made it, a context and what hangs on it answer CPL_EFORKED,
 * and releasing them does nothing; a new context works there, without the devices of a driver that
 * the parent had opened (cpl_device_absent says so).
 */
#ifndef CPL_CONTEXT_H
#define CPL_CONTEXT_H

#include "cpl/base.h"
#include "cpl/diag.h"
#include "cpl/threads.h"
#include "cpl/type.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The one allocation function: as realloc, with the old size given. new_size 0 frees and returns
 * NULL; block NULL allocates. Returns memory aligned to 16 bytes, or NULL when there is none,
 * leaving block as it was. Must be thread-safe.
 */
typedef void *(*cpl_alloc_fn)(void *user, void *block, size_t old_size, size_t new_size);

typedef struct cpl_context_options {
    size_t size;        /* sizeof(cpl_context_options) */
    cpl_alloc_fn alloc; /* NULL: realloc and free */
    void *alloc_user;
    cpl_diag_sink sink; /* NULL: diagnostics are dropped */
    void *sink_user;
    /* path of an OpenMP runtime (libomp.so); NULL: the system's. One that the process holds is used
       before either. Where there is none loops run on one thread; that, or that the path could not
       be opened and the system's is used, is a note for the sink */
    const char *openmp;
    /* added to the compiler options that OpenCL's drivers are given ("-cl-fast-relaxed-math");
       NULL: none. At most 500 bytes, or the context is refused (CPL_EARG) */
    const char *opencl_options;
    /* whose threads run parallel loops of the context's kernels, for as long as it lives; copied,
       without the pool. No OpenMP runtime is opened then. NULL: OpenMP's */
    const cpl_threads *threads;
} cpl_context_options;

/* Sets size and zeroes the rest. Any thread. */
CPL_API void cpl_context_options_init(cpl_context_options *options);

/* Makes a context; options NULL means all defaults. CPL_DEBUG=1 in the environment sets its option
   debugger, CPL_PERF=1 its option perf_map, CPL_VERIFY=1 its option verify, CPL_CHOOSE=1 its
   option choose, CPL_FUSE=0 turns its option fuse off, CPL_NO_OPENCL_GPU=1 and CPL_NO_OPENCL=1 set
   its option opencl to 1 and 0 (config.def), for programs that nobody wants to change; yes, on and
   true are 1 too, no, off and false 0, and other values change nothing, with a warning. Returns
   CPL_OK, CPL_EARG or CPL_ENOMEM (*context is NULL then). Any thread. */
CPL_API cpl_status cpl_context_create(const cpl_context_options *options, cpl_context **context);
CPL_API void cpl_context_retain(cpl_context *context);
/* Frees the context with the last reference, which modules, kernels, arrays, queues and events hold
   too; NULL is allowed. Waits for its idle compile threads to end, not for LLVM: see
   cpl_module_release. Queues that still run are waited for as drivers do when devices are closed.
   Any thread. */
CPL_API void cpl_context_release(cpl_context *context);

/* Replaces the sink. Must not run while another thread uses the context. */
CPL_API void cpl_context_set_sink(cpl_context *context, cpl_diag_sink sink, void *user);

/*
 * Asked every few hundredths of a second while a call waits for a compilation, by LLVM or by a
 * device's driver, or for a device, on the thread of the call, with no lock of the library held:
 * anything but 0 ends the wait, and the call returns CPL_ECANCELLED (or succeeds, if it was done by
 * then). What LLVM was at is left to itself, and so is what the device was given: its arrays may be
 * released, and stay until it is done. Answers so until the call returns, which may wait for more
 * than one. It must not call into the same context.
 *
 * On the host it is also asked while a launch runs, every tenth of a second, on the thread of the
 * launch: this ends between rounds of a parallel loop or in the middle of one, as soon as its
 * threads have left it, and returns CPL_ECANCELLED, with what it writes written in part. A function
 * that the program registered (cpl_extern_register) and that the launch is at is waited for. Of a
 * function that is called by its address (cpl_kernel_address) the next launch of the thread says
 * so.
 *
 * Long rounds are interrupted by a signal, SIGURG, which a thread of the library's sends to threads
 * that are at launches that take long; the function is called from its handler then, and may do all
 * that it may do elsewhere: the compiled code that is interrupted holds no lock. A handler of the
 * program's that was there before gets the signals that are not the library's; after one that is
 * set later, and with ThreadSanitizer, which keeps signals back, rounds are waited for. So is what
 * was compiled before there was a poll function.
 */
typedef int (*cpl_poll_fn)(void *user);

/* Sets the context's poll function; NULL: none. Must not run while another thread uses the
 * context. */
CPL_API void cpl_context_set_poll(cpl_context *context, cpl_poll_fn poll, void *user);

/*
 * An option of config.def by name, for what begins later, on any thread; kernels that exist keep
 * theirs. May be called from any thread, and before each launch: it costs less than a launch, and
 * what comes back to earlier settings finds the kernels made under them. Returns CPL_OK,
 * CPL_ENOTFOUND (no such option), CPL_EARG (out of its range) or CPL_ENOMEM.
 */
CPL_API cpl_status cpl_context_set_option(cpl_context *context, const char *name, int64_t value);
CPL_API cpl_status cpl_context_get_option(cpl_context *context, const char *name, int64_t *value);

/* The options there are, for help texts: index from 0. Returns the name, or NULL past the end; doc
 * may be NULL. Static. Any thread. */
CPL_API const char *cpl_option_name(size_t index, const char **doc);

/*
 * Registers a C function that kernels may call by name. signature is "float64(float64, int32)":
 * result, then parameters, types as in type.h (pointers as "float64*"). The function must be
 * callable from several threads at once. pure says that it has no side effects and its result
 * depends on its arguments alone. Returns CPL_OK, CPL_EARG (bad name, one of the
 * language's own, signature, NULL address),
 * CPL_EEXIST (the name is registered with another signature or address) or CPL_ENOMEM. Any thread.
 */
CPL_API cpl_status cpl_extern_register(cpl_context *context, const char *name,
                                       const char *signature, void *address, bool pure);
/* The same for a symbol of a shared library, which is opened and stays open with the context. Also
 * returns CPL_ENODEVICE. Any thread. */
CPL_API cpl_status cpl_extern_register_library(cpl_context *context, const char *name,
                                               const char *signature, const char *library,
                                               const char *symbol, bool pure);

/* The text that defines an external function on devices. */
typedef struct cpl_extern_text {
    size_t size;           /* sizeof(cpl_extern_text) */
    const char *name;      /* as kernels call it, and as the text defines it */
    const char *signature; /* as above; arrays are "float64[]" */
    const char *language;  /* "opencl-c", or "ptx": a .func, for CUDA */
    const char *text;      /* need not end in NUL; copied */
    size_t text_size;      /* bytes */
    bool pure;
} cpl_extern_text;

/*
 * Gives an external function a text, so that kernels on devices of that kind may call it; it may
 * have an address too, for the host, and then has the same signature and purity there. The text
 * goes into each kernel that calls the function, so what else it defines needs names that kernels
 * do not have; one text may define several functions, and is given for each. PTX's .version,
 * .target and .address_size are those of the kernel (of the version the newer one). OpenCL C cannot
 * be linked to SPIR-V: kernels that call such a function go to every OpenCL device as OpenCL C 1.2,
 * unless their queue says otherwise.
 *
 * Returns CPL_OK, CPL_EARG (bad name, signature or language, a text that does not hold the name),
 * CPL_EEXIST (the name has another signature, or another text in that language) or CPL_ENOMEM. Any
 * thread.
 */
CPL_API cpl_status cpl_extern_source(cpl_context *context, const cpl_extern_text *text);

#ifdef __cplusplus
}
#endif
#endif
