/* OpenCL as far as it is used, declared here so that no headers are needed to build. Numbers are
 * those of CL/cl.h. */
#ifndef CPL_DL_OPENCL_H
#define CPL_DL_OPENCL_H

#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;

enum { /* errors that are told apart; opencl_error.def names all */
       CL_OK = 0,
       CL_DEVICE_NOT_FOUND = -1,
       CL_DEVICE_NOT_AVAILABLE = -2,
       CL_MEM_ALLOCATION_FAILURE = -4,
       CL_OUT_OF_RESOURCES = -5,
       CL_OUT_OF_HOST_MEMORY = -6,
       CL_PROFILING_INFO_NOT_AVAILABLE = -7,
       CL_INVALID_VALUE = -30,
       CL_INVALID_BUFFER_SIZE = -61,
       CL_PLATFORM_NOT_FOUND = -1001,
       /* NVIDIA's, after a kernel read or wrote what is not its own */
       CL_NVIDIA_ILLEGAL_ACCESS = -9999,
};

#define CL_DEVICE_TYPE_CPU ((cl_ulong)2)
#define CL_DEVICE_TYPE_CPU ((cl_ulong)2)
#define CL_DEVICE_TYPE_ALL ((cl_ulong)0xFFFFFFFF)

enum {
    CL_PLATFORM_VERSION = 0x0901,
    CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_WORK_ITEM_SIZES = 0x1005,
    CL_DEVICE_MEM_BASE_ADDR_ALIGN = 0x1019, /* in bits */
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_FP_DENORM = 1 << 0,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,
    CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_VENDOR = 0x102C,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
    CL_DEVICE_OPENCL_C_VERSION = 0x103D,
    CL_DEVICE_SVM_CAPABILITIES = 0x1053,
    CL_DEVICE_IL_VERSION = 0x105B,
    CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000, /* cl_nv_device_attribute_query */
    CL_CONTEXT_PLATFORM = 0x1084,
    CL_QUEUE_CONTEXT = 0x1090,
    CL_QUEUE_DEVICE = 0x1091,
    CL_QUEUE_PROPERTIES = 0x1093,
    CL_QUEUE_OUT_OF_ORDER = 1,
    CL_QUEUE_PROFILING = 2,
    CL_MEM_READ_WRITE = 1,
    CL_MEM_SIZE = 0x1102,
    CL_BUFFER_CREATE_TYPE_REGION = 0x1220,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_KERNEL_WORK_GROUP_SIZE = 0x11B0,
    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11B3,
    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
    CL_COMPLETE = 0,
    CL_PROFILING_COMMAND_START = 0x1282,
    CL_PROFILING_COMMAND_END = 0x1283,
    CL_SVM_COARSE_GRAIN_BUFFER = 1,
};

typedef struct cl_region {
    size_t origin, size;
} cl_region;

typedef struct cl_api {
#define CL_FN(result, name, need, args) result(*name) args;
#include "lib/dl/opencl.def"
#undef CL_FN
} cl_api;

/*
 * opencl.c. The entries of the ICD loader, from $CPL_OPENCL_LIBRARY, else libOpenCL.so.1, opened
 * once a process. NULL when there is no such library or it lacks a needed entry; *why then says so
 * (static). Any thread.
 */
const cl_api *dl_opencl(const char **why);

#endif
