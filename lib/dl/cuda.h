/*
 * CUDA's driver API as far as it is used, declared here so that no toolkit is needed to build.
 * Numbers are those of cuda.h, beside which this header cannot be included.
 */
#ifndef CPL_DL_CUDA_H
#define CPL_DL_CUDA_H

#include <stddef.h>

typedef int cu_result;
typedef int cu_device;
typedef unsigned long long cu_pointer;
typedef void *cu_context, *cu_stream, *cu_event, *cu_module, *cu_function, *cu_link, *cu_graph,
    *cu_graph_exec;

enum { /* cu_result */
       CU_SUCCESS = 0,
       CU_INVALID_VALUE = 1,
       CU_OUT_OF_MEMORY = 2,
       CU_DEINITIALIZED = 4,
       CU_NO_DEVICE = 100,
       CU_ECC_UNCORRECTABLE = 214,
       CU_NVLINK_UNCORRECTABLE = 220,
       CU_NOT_FOUND = 500,
       CU_NOT_READY = 600,
       CU_ILLEGAL_ADDRESS = 700,
       CU_LAUNCH_OUT_OF_RESOURCES = 701,
       CU_LAUNCH_TIMEOUT = 702,
       CU_PEER_ACCESS_ALREADY_ENABLED = 704,
       CU_CONTEXT_IS_DESTROYED = 709,
       CU_ASSERT = 710,
       CU_HARDWARE_STACK_ERROR = 714,
       CU_ILLEGAL_INSTRUCTION = 715,
       CU_MISALIGNED_ADDRESS = 716,
       CU_INVALID_ADDRESS_SPACE = 717,
       CU_INVALID_PC = 718,
       CU_LAUNCH_FAILED = 719,
};

enum { /* attributes of a device */
       CU_DEVICE_MAX_THREADS_PER_BLOCK = 1,
       CU_DEVICE_MAX_BLOCK_DIM_X = 2, /* y and z follow */
       CU_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
       CU_DEVICE_WARP_SIZE = 10,
       CU_DEVICE_MULTIPROCESSOR_COUNT = 16,
       CU_DEVICE_COMPUTE_CAPABILITY_MAJOR = 75,
       CU_DEVICE_COMPUTE_CAPABILITY_MINOR = 76,
       CU_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

enum { /* attributes of a function */
       CU_FUNC_MAX_THREADS_PER_BLOCK = 0,
       CU_FUNC_SHARED_SIZE_BYTES = 1,
       CU_FUNC_NUM_REGS = 4,
       CU_FUNC_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

enum {
    CU_POINTER_MEMORY_TYPE = 2, /* attribute of a pointer */
    CU_MEMORY_TYPE_HOST = 1,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_STREAM_CAPTURE_RELAXED = 2,
    CU_LINK_INPUT_PTX = 1,
    CU_JIT_MAX_REGISTERS = 0,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE = 6,
    CU_JIT_TARGET = 9,
    CU_JIT_GENERATE_LINE_INFO = 13,
};

typedef struct cu_api {
#define CU_FN(name, symbol, need, args) cu_result(*name) args;
#include "lib/dl/cuda.def"
#undef CU_FN
} cu_api;

/*
 * cuda.c. The driver's entries from $CPL_CUDA_DRIVER, else libcuda.so.1, opened once a process; not
 * initialised. NULL when there is no such library or it lacks a needed entry; *why then says so
 * (static). Any thread.
 */
const cu_api *dl_cuda(const char **why);

#endif
