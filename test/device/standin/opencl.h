/* What the two files of the stand-in's libOpenCL share. Numbers are those of CL/cl.h, written again
 * on purpose: the runtime has its own. */
#ifndef STANDIN_OPENCL_H
#define STANDIN_OPENCL_H

#include "driver.h"

enum {
    CL_SUCCESS = 0,
    CL_DEVICE_NOT_FOUND = -1,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_PROFILING_INFO_NOT_AVAILABLE = -7,
    CL_BUILD_PROGRAM_FAILURE = -11,
    CL_MISALIGNED_SUB_BUFFER_OFFSET = -13,
    CL_INVALID_VALUE = -30,
    CL_INVALID_PLATFORM = -32,
    CL_INVALID_DEVICE = -33,
    CL_INVALID_CONTEXT = -34,
    CL_INVALID_COMMAND_QUEUE = -36,
    CL_INVALID_MEM_OBJECT = -38,
    CL_INVALID_BINARY = -42,
    CL_INVALID_BUILD_OPTIONS = -43,
    CL_INVALID_PROGRAM = -44,
    CL_INVALID_PROGRAM_EXECUTABLE = -45,
    CL_INVALID_KERNEL_NAME = -46,
    CL_INVALID_KERNEL = -48,
    CL_INVALID_ARG_INDEX = -49,
    CL_INVALID_KERNEL_ARGS = -52,
    CL_INVALID_WORK_DIMENSION = -53,
    CL_INVALID_WORK_GROUP_SIZE = -54,
    CL_INVALID_EVENT = -58,
    CL_INVALID_BUFFER_SIZE = -61,
};

enum { BASE_ALIGN = 128 /* bytes, of sub-buffers */ };

#define ENTER                                                                                      \
    int e = driver_enter(__func__);                                                                \
    if (e) return driver_leave(e)

/* Of calls that give an object and store their code. */
#define ENTER_NEW                                                                                  \
    int e = driver_enter(__func__);                                                                \
    if (e) return failed_new(error, e)

#define HIDDEN __attribute__((visibility("hidden")))

/* opencl.c */
HIDDEN void *failed_new(int *error, int code); /* leaves */
HIDDEN void *leave_new(int *error, object *o); /* leaves */
/* Answers a clGet...Info with these bytes. */
HIDDEN int info(size_t room, void *value, size_t *needs, const void *bytes, size_t size);
HIDDEN int info_text(size_t room, void *value, size_t *needs, const char *text);
HIDDEN int device_number(const void *device); /* -1: none of ours */
HIDDEN void *device_handle(int number);

#endif
