/*
 * Recorded launches. Where the driver has graphs of its own (CUDA) the stream captures what it is
 * given; elsewhere a list is kept of what the back end would have been given. Both keep the kernels
 * and the arrays' memory, and know which of it a launch of the graph writes.
 */
#ifndef CPL_RUNTIME_RECORDING_H
#define CPL_RUNTIME_RECORDING_H

#include "runtime/device/device.h"

typedef struct record {
    struct record *next;
    enum { RECORD_LAUNCH, RECORD_COPY } what;
    binding values;     /* of a launch; its kernel is kept by the list of kernels */
    dev_launch launch;  /* its arrays follow the record */
    dev_block to, from; /* of a copy: addresses alone */
    size_t to_at, from_at, room;
    uint64_t bytes; /* copied; of a launch those of all arrays */
} record;

typedef struct kept {
    struct kept *next;
    dev_storage *storage; /* held */
    dev_slot *slot;
    bool written;
    bool needed; /* a launch uses what was there before */
} kept;

typedef struct kept_kernel {
    struct kept_kernel *next;
    cpl_kernel *kernel; /* held */
    dev_fault *fault;   /* NULL: without checks */
} kept_kernel;

struct recording {
    cpl_context *cx;
    bool lists;
    record *records, **last;
    kept *kept;
    kept_kernel *kernels;
};

#endif
