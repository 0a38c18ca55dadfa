/*
 * What generated code and the runtime agree on: the list of what host code may call, abi.def, the
 * layout of the record of faults, and whose threads run parallel loops.
 */
#ifndef CPL_ABI_H
#define CPL_ABI_H

#include "cpl/threads.h"

#include <stdint.h>

typedef struct abi_fault { /* = cpl_fault */
    int32_t taken, site;
    int64_t index, extent;
} abi_fault;

/*
 * What a fork hands to the entries of OpenMP. An object compiled ahead of time has an ident_t of
 * its own there; one that is loaded into the process refers to this symbol, which is its context's
 * and like no name in the IR.
 */
#define ABI_PLACE ".cpl.place"
typedef struct abi_place {
    int32_t reserved_1, flags, reserved_2, source_size; /* ident_t of LLVM's OpenMP runtime */
    const char *source;
    cpl_threads threads; /* run NULL: none of the host's */
} abi_place;
#define ABI_IDENT_FLAGS  2 /* KMP_IDENT_KMPC */
#define ABI_IDENT_SOURCE ";unknown;unknown;0;0;;"
#define ABI_PLACE_OF(threads)                                                                      \
    {0, ABI_IDENT_FLAGS, 0, sizeof ABI_IDENT_SOURCE - 1, ABI_IDENT_SOURCE, threads}

#endif
