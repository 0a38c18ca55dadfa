/*
 * What generated code and the runtime agree on: the list of what host code may call, abi.def, the
 * layout of the record of faults, whose threads run parallel loops and how those end early.
 */
#ifndef CPL_ABI_H
#define CPL_ABI_H

#include "cpl/threads.h"

#include <stdint.h>

typedef struct abi_fault { /* = cpl_fault */
    int32_t taken, site;
    int64_t index, extent, round;
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
    int (*poll)(void *); /* the context's, or NULL */
    void *poll_user;
} abi_place;
#define ABI_IDENT_FLAGS  2 /* KMP_IDENT_KMPC */
#define ABI_IDENT_SOURCE ";unknown;unknown;0;0;;"
#define ABI_PLACE_OF(threads)                                                                      \
    {0, ABI_IDENT_FLAGS, 0, sizeof ABI_IDENT_SOURCE - 1, ABI_IDENT_SOURCE, threads, 0, 0}

/* What the rounds that one thread does of a loop are cut by, so that it may end before they are
 * all done: loaded code fills in `left` and `size` before the first of them. */
typedef struct abi_cut {
    int64_t left;  /* rounds until the next __cpl_look; 0 after it: no more of them */
    int64_t size;  /* rounds from look to look */
    int64_t since; /* ns: when the last look was; 0: there was none */
} abi_cut;
#define ABI_CUT_WORDS ((int)(sizeof(abi_cut) / sizeof(int64_t)))

#endif
