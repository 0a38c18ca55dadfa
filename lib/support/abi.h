/*
 * What generated code and the runtime agree on: the list of what host code may call, abi.def, and
 * the layout of the record of faults.
 */
#ifndef CPL_ABI_H
#define CPL_ABI_H

#include <stdint.h>

typedef struct abi_fault { /* = cpl_fault */
    int32_t taken, site;
    int64_t index, extent;
} abi_fault;

#endif
