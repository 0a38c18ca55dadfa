/*
 * A driver that is not there: one shared library with the entry points of libcuda.so.1 and of
 * libOpenCL.so.1 that the runtime uses. Devices are made up, their memory is the host's, streams
 * and queues are done at once or late, programs are accepted unread, and a launch runs a C function
 * that the test registered under the kernel's name. Any call can be told to fail, and what is alive
 * is counted.
 *
 *     CPL_CUDA_DRIVER=.../libstandin.so CPL_OPENCL_LIBRARY=.../libstandin.so program
 *
 * The environment describes the devices, read at the first call and at standin_reset:
 *     CPL_STANDIN_DEVICES=2     how many devices (1); 0: none
 *     CPL_STANDIN_CC=90         compute capability of CUDA devices (90)
 *     CPL_STANDIN_DRIVER=1      version of the driver (0), CUDA 13.1 or OpenCL's 1.1
 *     CPL_STANDIN_IL=1.2        the SPIR-V version OpenCL devices take (1.2); empty: none, so
 *                               OpenCL C it is
 *     CPL_STANDIN_FP64=0        OpenCL devices without double (1)
 *     CPL_STANDIN_SVM=0         OpenCL devices without shared virtual memory (1)
 *     CPL_STANDIN_DIVIDE=0      OpenCL devices that do not round float32 division correctly (1)
 *     CPL_STANDIN_SUBNORMALS=0  OpenCL devices whose float32 has no subnormal numbers (1)
 *     CPL_STANDIN_LATE=SEED     streams and queues run late (0: at once): what they are given
 * waits, arguments and host memory of copies included, and runs in any order that streams and
 * events allow; a misuse is noted where memory or code is released that what waits will use. Seeds
 * 1, 4, 7 ... run nothing before it is waited for, 2, 5, 8 ... all that can run before that, 3, 6,
 * 9 ... throw dice CPL_STANDIN_FAIL=NAME:K:CODE   the K-th call of NAME returns CODE (K 0: each
 * one); NAME "*": the K-th call at all A test that opens the library too (dlopen gives the same
 * copy) has the functions below. All are safe to call from any thread.
 */
#ifndef STANDIN_H
#define STANDIN_H

#include <stddef.h>
#include <stdint.h>

#define STANDIN_API __attribute__((visibility("default")))

typedef enum standin_kind {
    STANDIN_CONTEXT,
    STANDIN_MEMORY, /* of the device */
    STANDIN_PINNED,
    STANDIN_POOL,
    STANDIN_STREAM, /* command queues too */
    STANDIN_EVENT,
    STANDIN_MODULE, /* programs too */
    STANDIN_KERNEL, /* of OpenCL; CUDA's belong to their module */
    STANDIN_LINKER,
    STANDIN_GRAPH,
    STANDIN_EXEC, /* instantiated graphs */
    STANDIN_KINDS
} standin_kind;

/* One argument's address each, as cuLaunchKernel takes them; buffers of OpenCL appear as addresses
   of their memory, local ones as addresses of zeroed memory. global counts work-items, local is the
   size of a group. */
typedef void (*standin_fn)(void *const *args, const size_t global[3], const size_t local[3]);

/* Makes this copy of the library, wherever it was found, the driver of contexts made from now on;
 * 0: it was not found. */
STANDIN_API int standin_use(void);
/* Frees all there is, forgets faults, counts and registered functions, and reads the environment
 * again. */
STANDIN_API void standin_reset(void);
/* Forgets counts and faults, keeps objects and functions. */
STANDIN_API void standin_rearm(void);
STANDIN_API void standin_register(const char *kernel, standin_fn fn);
/* Work-items that a group of a registered kernel can have, 1024 at first. */
STANDIN_API void standin_most_group(const char *kernel, unsigned items);

/* The n-th call from now on (1: the next) returns code; 0: none does any more. */
STANDIN_API void standin_fail_at(uint64_t n, int code);
/* The k-th call of a function returns code; k 0: each one. */
STANDIN_API void standin_fail_name(const char *name, uint64_t k, int code);
/* Once a call was told to fail, all behind it that need the device return its code too, as after an
   error that ends a CUDA context; releases still release. */
STANDIN_API void standin_sticky(int on);
/* While it is on, code that is loaded or built is not done: such calls wait, and count as begun. */
STANDIN_API void standin_hold(int on);
STANDIN_API int standin_held(void); /* how many wait so */
/* Device memory there is in all, in bytes; asking for more fails as the driver does. */
STANDIN_API void standin_limit(uint64_t bytes);

STANDIN_API uint64_t standin_calls(void); /* so far */
/* the name of the n-th, from 1; NULL past the last */
STANDIN_API const char *standin_call(uint64_t n);
/* the first call that was told to fail, or NULL */
STANDIN_API const char *standin_failed(void);
STANDIN_API uint64_t standin_count(const char *name); /* calls of one function */
/* what OpenCL's last program was built with */
STANDIN_API const char *standin_options(void);
/* bytes of the last part that OpenCL made of a buffer, and where in it that begins */
STANDIN_API uint64_t standin_part(uint64_t *at);
STANDIN_API uint64_t standin_launches(void);
STANDIN_API int64_t standin_live(standin_kind kind);
STANDIN_API int64_t standin_live_all(void);
STANDIN_API const char *standin_live_text(char *text, size_t size); /* "2 memory, 1 event", or "" */
/* Calls that no driver need survive: dead handles, memory out of bounds, no current context. */
/* CUDA contexts that are current to the calling thread */
STANDIN_API int standin_depth(void);
STANDIN_API uint64_t standin_misuses(void);
STANDIN_API const char *standin_misuse(void); /* the first one, or "" */

#endif
