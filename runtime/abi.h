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

/* Gives the address of an OpenMP entry (__kmpc_...), or NULL. */
typedef void *(*abi_openmp_fn)(void *user, const char *symbol);

/*
 * abi.c. The address of a symbol of abi.def or of a vector entry of libmvec (_ZGV...), NULL for any
 * other. openmp may be NULL: then there are no OpenMP entries. Any thread.
 */
void *abi_resolve(abi_openmp_fn openmp, void *openmp_user, const char *symbol);

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
