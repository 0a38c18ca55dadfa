/*
 * Compiling ahead of the first launch, in the background.
 *
 *     cpl_compile *c;
 *     cpl_compile_begin(m, "axpb", NULL, args, 3, &c);      // returns at once
 *     ...
 *     cpl_status status = cpl_compile_wait(c, 100, &kernel); // CPL_ETIMEDOUT: not yet
 *     cpl_compile_release(c);
 *
 * An event loop asks to be woken instead:
 *
 *     cpl_compile_notify(c, wake, &async); // wake: uv_async_send, a write to an eventfd...
 *
 * What was compiled is there for cpl_launch and cpl_kernel_for too, whoever waited for it.
 */
#ifndef CPL_COMPILE_H
#define CPL_COMPILE_H

#include "cpl/base.h"
#include "cpl/launch.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cpl_compile cpl_compile;

/*
 * Begins to make the kernel that cpl_kernel_for would give for the same arguments, of which all is
 * copied that is needed; only where arrays lie is looked at. Threads of the context's, as many as
 * there are CPUs and 16 at most, take what was begun first. Returns CPL_OK; what is wrong with the
 * arguments themselves, as cpl_kernel_for; CPL_ENOMEM also when there is no thread to be had. Any
 * thread.
 */
CPL_API cpl_status cpl_compile_begin(cpl_module *module, const char *function,
                                     const cpl_launch_options *options, const cpl_arg *args,
                                     size_t count, cpl_compile **compile);

/* *done tells whether cpl_compile_wait would return at once. Returns CPL_OK, CPL_EARG or
 * CPL_EFORKED. Any thread. */
CPL_API cpl_status cpl_compile_done(cpl_compile *compile, bool *done);

/* What cpl_compile_notify calls. */
typedef void (*cpl_compile_fn)(void *user, cpl_compile *compile);

/*
 * Has fn called when it is done, or cancelled: once, before cpl_compile_release returns at the
 * latest, with no lock of the library's held. On the thread that compiled it, one of the context's,
 * which takes no signals and begins nothing else until fn returns; on that of the call which
 * cancelled or released it, where it had not begun; on this one, before this returns, where it is
 * done already. fn may call functions of the library: cpl_compile_wait returns at once there and
 * gives the kernel. It must not release the compilation, nor what may be the last reference to
 * anything of the context. Returns CPL_OK; CPL_EARG where it has such a function already. Any
 * thread.
 */
CPL_API cpl_status cpl_compile_notify(cpl_compile *compile, cpl_compile_fn fn, void *user);

/*
 * Waits until it is done, for ms milliseconds (0: not at all; negative: without end), and gives the
 * kernel (release it; kernel may be NULL). Who waits is told what compiling had to say, each time.
 * Returns what cpl_kernel_for would; CPL_ETIMEDOUT when it is not done yet, which no diagnostic
 * tells; CPL_ECANCELLED when it was cancelled, or when the context's poll function ended the wait:
 * then it goes on. Any thread.
 */
CPL_API cpl_status cpl_compile_wait(cpl_compile *compile, int64_t ms, cpl_kernel **kernel);

/* Drops it where it has not begun, and leaves what runs to itself. It may still succeed, when it
 * was all but done. NULL is allowed. Does not wait. Any thread. */
CPL_API void cpl_compile_cancel(cpl_compile *compile);

/* Cancels it if it is not done, waits until its thread has let go of it, not for LLVM, and until a
 * function that is told has returned, and frees it. NULL is allowed. One thread, while no other
 * uses it. */
CPL_API void cpl_compile_release(cpl_compile *compile);

#ifdef __cplusplus
}
#endif
#endif
