/*
 * Everything generated host code may call, a closed list: ABI(symbol, source). lib/codegen names only these and registered externs; the
 * loader gets their addresses from abi_resolve, never from a search of the process.
 *
 * source: MATH from libm, linked; RT from this library; OMP from the OpenMP runtime that runtime/dl found.
 */
#ifndef CPL_ABI_H
#define CPL_ABI_H

/* Layout that generated code and runtime share. */
typedef struct abi_fault { /* = cpl_fault */
    int taken, site;
    long long index, extent;
} abi_fault;

#endif
