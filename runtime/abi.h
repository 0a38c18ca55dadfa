/*
 * Everything generated host code may call: the closed list of abi.def. The loader gets addresses
 * from abi_resolve, never from a search of the process: what a host program happens to export must
 * not change what a kernel computes.
 */
#ifndef CPL_ABI_H
#define CPL_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Layout that generated code and runtime share. */
typedef struct abi_fault { /* = cpl_fault */
    int32_t taken, site;
    int64_t index, extent;
} abi_fault;

/*
 * abi.c. The address of a symbol of abi.def or of a vector entry of libmvec (_ZGV...), NULL for any
 * other. Any thread.
 */
void *abi_resolve(const char *symbol);

/*
 * team.c. Finds the OpenMP runtime (see dl/openmp.c) for the entries below; false when there is
 * none: loops then run on the thread that comes to them. Any thread.
 */
bool team_open(const char *path);
void team__kmpc_fork_call(void *place, int32_t count, void *task, ...);
int32_t team__kmpc_global_thread_num(void *place);
void team__kmpc_push_num_threads(void *place, int32_t thread, int32_t count);
int32_t team__kmpc_bound_num_threads(void *place);
void team__kmpc_dispatch_init_8(void *place, int32_t thread, int32_t schedule, int64_t low,
                                int64_t high, int64_t step, int64_t chunk);
int32_t team__kmpc_dispatch_next_8(void *place, int32_t thread, int32_t *last, int64_t *low,
                                   int64_t *high, int64_t *step);

/* dl/mvec.c. The address of an entry of glibc's libmvec, NULL when there is none. The library is
 * opened once a process. Any thread. */
void *dl_mvec_symbol(const char *symbol);

/*
 * dl/cuda_link.c. Machine code for compute capability sm of PTX (a NUL stands behind its size
 * bytes), through NVIDIA's driver, which needs a device of that capability; given to put. False
 * with a reason in error. Any thread.
 */
bool dl_cuda_assemble(const char *ptx, size_t size, int sm, bool line_info,
                      void (*put)(void *user, const void *bytes, size_t size), void *user,
                      char *error, size_t error_size);

#endif
