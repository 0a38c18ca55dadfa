/* libOpenCL.so.1: one platform, its devices, contexts, memory, programs. Declared by hand after the
 * OpenCL API specification 3.0. */
#include "opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

static char the_platform;
static char the_devices[64]; /* handles are addresses in here */

void *failed_new(int *error, int code)
{
    if (error) *error = code;
    driver_leave(code);
    return NULL;
}

void *leave_new(int *error, object *o)
{
    if (error) *error = CL_SUCCESS;
    driver_leave(CL_SUCCESS);
    return o;
}

int info(size_t room, void *value, size_t *needs, const void *bytes, size_t size)
{
    if (needs) *needs = size;
    if (!value) return CL_SUCCESS;
    if (room < size) return CL_INVALID_VALUE;
    memcpy(value, bytes, size);
    return CL_SUCCESS;
}

int info_text(size_t room, void *value, size_t *needs, const char *text)
{
    return info(room, value, needs, text, strlen(text) + 1);
}

int device_number(const void *device)
{
    const char *d = device;
    return d >= the_devices && d < the_devices + driver_config()->devices ? (int)(d - the_devices)
                                                                          : -1;
}

void *device_handle(int number)
{
    return the_devices + number;
}

/* --- platform and devices --- */

int clGetPlatformIDs(unsigned room, void **platforms, unsigned *count)
{
    ENTER;
    if (driver_config()->devices == 0) {
        if (count) *count = 0;
        return driver_leave(-1001); /* CL_PLATFORM_NOT_FOUND_KHR */
    }
    if (count) *count = 1;
    if (platforms && room) platforms[0] = &the_platform;
    return driver_leave(CL_SUCCESS);
}

int clGetPlatformInfo(void *platform, unsigned what, size_t room, void *value, size_t *needs)
{
    ENTER;
    if (platform != &the_platform) return driver_leave(CL_INVALID_PLATFORM);
    switch (what) {
    case 0x0900: return driver_leave(info_text(room, value, needs, "FULL_PROFILE"));
    case 0x0901: return driver_leave(info_text(room, value, needs, "OpenCL 3.0 stand-in"));
    case 0x0902: return driver_leave(info_text(room, value, needs, "Stand-in"));
    case 0x0903: return driver_leave(info_text(room, value, needs, "Nobody"));
    case 0x0904: return driver_leave(info_text(room, value, needs, ""));
    default: return driver_leave(CL_INVALID_VALUE);
    }
}

int clGetDeviceIDs(void *platform, uint64_t type, unsigned room, void **devices, unsigned *count)
{
    ENTER;
    if (platform != &the_platform) return driver_leave(CL_INVALID_PLATFORM);
    unsigned there = type & 4 ? (unsigned)driver_config()->devices : 0; /* CL_DEVICE_TYPE_GPU */
    if (count) *count = there;
    for (unsigned i = 0; devices && i < there && i < room; i++) devices[i] = device_handle((int)i);
    return driver_leave(there ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
}

static int device_text(unsigned what, int number, size_t room, void *value, size_t *needs)
{
    const config *c = driver_config();
    char text[256] = "";
    switch (what) {
    case 0x102B: snprintf(text, sizeof text, "Stand-in %d", number); break;
    case 0x102C: snprintf(text, sizeof text, "Nobody"); break;
    case 0x102D: snprintf(text, sizeof text, "1.%d", c->version); break;
    case 0x102E: snprintf(text, sizeof text, "FULL_PROFILE"); break;
    case 0x102F: snprintf(text, sizeof text, "OpenCL 3.0 stand-in"); break;
    case 0x103D: snprintf(text, sizeof text, "OpenCL C 1.2 stand-in"); break;
    case 0x1030:
        snprintf(text, sizeof text, "%scl_khr_int64_base_atomics cl_khr_int64_extended_atomics%s",
                 c->fp64 ? "cl_khr_fp64 " : "", c->il[0] ? " cl_khr_il_program" : "");
        break;
    case 0x105B: snprintf(text, sizeof text, "%s%s", c->il[0] ? "SPIR-V_" : "", c->il); break;
    default: return CL_INVALID_VALUE;
    }
    return info_text(room, value, needs, text);
}

int clGetDeviceInfo(void *device, unsigned what, size_t room, void *value, size_t *needs)
{
    ENTER;
    int number = device_number(device);
    if (number < 0) return driver_leave(CL_INVALID_DEVICE);
    const config *c = driver_config();
    uint32_t u32 = 0;
    uint64_t u64 = 0;
    switch (what) {
    case 0x1000: u64 = 4; goto is_u64; /* type: GPU */
    case 0x1001: u32 = 1; goto is_u32;
    case 0x1002: u32 = 4; goto is_u32; /* compute units */
    case 0x1003: u32 = 3; goto is_u32;
    case 0x1004: u64 = 1024; goto is_u64; /* work-group */
    case 0x1005:
        return driver_leave(
            info(room, value, needs, (size_t[]){1024, 1024, 64}, 3 * sizeof(size_t)));
    case 0x100B: u32 = c->fp64; goto is_u32;
    case 0x100D: u32 = 64; goto is_u32;
    case 0x1010:
    case 0x101F: u64 = memory_limit(); goto is_u64;
    case 0x1019: u32 = BASE_ALIGN * 8; goto is_u32;
    case 0x101B:
        u64 = (c->subnormals ? 63 : 62) | (c->divide ? 128 : 0);
        goto is_u64; /* float32: rounded division */
    case 0x1022: u32 = 1; goto is_u32;
    case 0x1023: u64 = 49152; goto is_u64; /* local memory */
    case 0x1027:
    case 0x1028: u32 = 1; goto is_u32;
    case 0x102A: u64 = 2; goto is_u64;
    case 0x1031:
        return driver_leave(info(room, value, needs, &(void *){&the_platform}, sizeof(void *)));
    case 0x1032: u64 = c->fp64 ? 63 : 0; goto is_u64;
    case 0x1033: u64 = 0; goto is_u64;
    case 0x1053: u64 = c->svm; goto is_u64; /* coarse-grained buffers */
    case 0x105C: u32 = 0; goto is_u32;
    default: return driver_leave(device_text(what, number, room, value, needs));
    }
is_u32:
    return driver_leave(info(room, value, needs, &u32, sizeof u32));
is_u64:
    return driver_leave(info(room, value, needs, &u64, sizeof u64));
}

/* --- contexts --- */

void *clCreateContext(const intptr_t *properties, unsigned count, void *const *devices,
                      void (*notify)(const char *, const void *, size_t, void *), void *user,
                      int *error)
{
    ENTER_NEW;
    (void)properties, (void)notify, (void)user;
    for (unsigned i = 0; i < count; i++)
        if (device_number(devices[i]) < 0) return failed_new(error, CL_INVALID_DEVICE);
    object *o = object_new(STANDIN_CONTEXT, false);
    o->device = device_number(devices[0]);
    return leave_new(error, o);
}

/* A release that fails has released all the same: it reports what the device had done before. */
static int release(void *handle, standin_kind kind, int invalid, const char *name)
{
    int e = driver_enter(name);
    object *o = object_check(handle, kind);
    if (!o || o->cuda) return driver_leave(driver_misuse(invalid, "%s: a dead object", name));
    bool goes = o->refs == 1;
    /* Work in queues holds what it uses: a driver may run it now as well. */
    if (goes && kind == STANDIN_MEMORY && !o->borrowed && streams_use(o)) streams_drain(false, -1);
    if (goes && kind == STANDIN_CONTEXT) streams_drain(false, o->device);
    if (goes && kind == STANDIN_STREAM) stream_flush(o);
    object_drop(o);
    return driver_leave(e);
}

static int retain(void *handle, standin_kind kind, int invalid, const char *name)
{
    int e = driver_enter(name);
    if (e) return driver_leave(e);
    object *o = object_check(handle, kind);
    if (!o || o->cuda) return driver_leave(driver_misuse(invalid, "%s: a dead object", name));
    o->refs++;
    return driver_leave(CL_SUCCESS);
}

int clRetainContext(void *context)
{
    return retain(context, STANDIN_CONTEXT, CL_INVALID_CONTEXT, __func__);
}
int clReleaseContext(void *context)
{
    return release(context, STANDIN_CONTEXT, CL_INVALID_CONTEXT, __func__);
}
int clRetainMemObject(void *buffer)
{
    return retain(buffer, STANDIN_MEMORY, CL_INVALID_MEM_OBJECT, __func__);
}
int clReleaseMemObject(void *buffer)
{
    return release(buffer, STANDIN_MEMORY, CL_INVALID_MEM_OBJECT, __func__);
}
int clRetainProgram(void *program)
{
    return retain(program, STANDIN_MODULE, CL_INVALID_PROGRAM, __func__);
}
int clReleaseProgram(void *program)
{
    return release(program, STANDIN_MODULE, CL_INVALID_PROGRAM, __func__);
}
int clRetainKernel(void *kernel)
{
    return retain(kernel, STANDIN_KERNEL, CL_INVALID_KERNEL, __func__);
}
int clReleaseKernel(void *kernel)
{
    return release(kernel, STANDIN_KERNEL, CL_INVALID_KERNEL, __func__);
}
int clRetainEvent(void *event)
{
    return retain(event, STANDIN_EVENT, CL_INVALID_EVENT, __func__);
}
int clReleaseEvent(void *event)
{
    return release(event, STANDIN_EVENT, CL_INVALID_EVENT, __func__);
}
int clRetainCommandQueue(void *queue)
{
    return retain(queue, STANDIN_STREAM, CL_INVALID_COMMAND_QUEUE, __func__);
}
int clReleaseCommandQueue(void *queue)
{
    return release(queue, STANDIN_STREAM, CL_INVALID_COMMAND_QUEUE, __func__);
}

/* --- memory --- */

void *clCreateBuffer(void *context, uint64_t flags, size_t size, void *host, int *error)
{
    ENTER_NEW;
    const object *c = object_check(context, STANDIN_CONTEXT);
    if (!c || c->cuda)
        return failed_new(error, driver_misuse(CL_INVALID_CONTEXT, "%s: a dead context", __func__));
    if (!size)
        return failed_new(error, driver_misuse(CL_INVALID_BUFFER_SIZE, "%s: no bytes", __func__));
    object *o = memory_new(STANDIN_MEMORY, false, size);
    if (!o) return failed_new(error, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    o->device = c->device;
    if (host && flags & 32) memcpy(o->data, host, size); /* CL_MEM_COPY_HOST_PTR */
    return leave_new(error, o);
}

void *clCreateSubBuffer(void *buffer, uint64_t flags, unsigned type, const size_t *region,
                        int *error)
{
    ENTER_NEW;
    (void)flags;
    object *parent = object_check(buffer, STANDIN_MEMORY);
    if (!parent || parent->parent || type != 0x1220)
        return failed_new(error, driver_misuse(CL_INVALID_MEM_OBJECT,
                                               "%s: a dead buffer, or itself a part", __func__));
    if (!region[1] || region[0] > parent->size || region[1] > parent->size - region[0])
        return failed_new(error, driver_misuse(CL_INVALID_VALUE, "%s: out of bounds", __func__));
    if (region[0] % BASE_ALIGN)
        return failed_new(error, driver_misuse(CL_MISALIGNED_SUB_BUFFER_OFFSET, "%s: misaligned",
                                               __func__));
    object *o = object_new(STANDIN_MEMORY, false);
    o->parent = parent;
    parent->children++;
    o->data = parent->data + region[0];
    o->size = region[1];
    o->borrowed = true;
    driver_note_part(region[0], region[1]);
    return leave_new(error, o);
}

int clGetMemObjectInfo(void *buffer, unsigned what, size_t room, void *value, size_t *needs)
{
    ENTER;
    const object *o = object_check(buffer, STANDIN_MEMORY);
    if (!o)
        return driver_leave(driver_misuse(CL_INVALID_MEM_OBJECT, "%s: a dead buffer", __func__));
    if (what == 0x1102) return driver_leave(info(room, value, needs, &o->size, sizeof o->size));
    if (what == 0x1107) return driver_leave(info(room, value, needs, &o->parent, sizeof o->parent));
    return driver_leave(CL_INVALID_VALUE);
}

/* NULL is its only way to say no; the code a test asks for does not show. */
void *clSVMAlloc(void *context, uint64_t flags, size_t size, unsigned alignment)
{
    (void)flags, (void)alignment;
    int e = driver_enter(__func__);
    object *c = object_check(context, STANDIN_CONTEXT), *o = NULL;
    if (!c) driver_misuse(CL_INVALID_CONTEXT, "%s: a dead context", __func__);
    else if (!e && (o = memory_new(STANDIN_MEMORY, false, size))) o->device = c->device;
    driver_leave(e);
    return o ? o->data : NULL;
}

void clSVMFree(void *context, void *pointer)
{
    (void)context;
    driver_enter(__func__);
    object *o = pointer ? memory_find(pointer, 1) : NULL;
    if (o && o->data == pointer && !o->borrowed) memory_release(o, __func__);
    else if (pointer)
        driver_misuse(CL_INVALID_VALUE, "%s: nothing begins at this address", __func__);
    driver_leave(0);
}

/* --- programs: text, accepted unread unless it says "refuse" --- */

static void *make_program(const void *text, size_t size, bool built, int *error)
{
    object *o = object_new(STANDIN_MODULE, false);
    o->data = malloc(size + 1);
    if (!o->data) abort();
    memcpy(o->data, text, size);
    o->data[size] = '\0';
    o->size = size;
    o->recorded = built; /* from a binary, but it is built all the same */
    return leave_new(error, o);
}

void *clCreateProgramWithSource(void *context, unsigned count, const char **texts,
                                const size_t *sizes, int *error)
{
    ENTER_NEW;
    if (!object_check(context, STANDIN_CONTEXT) || count != 1)
        return failed_new(error, driver_misuse(CL_INVALID_CONTEXT,
                                               "%s: a dead context, or several texts", __func__));
    return make_program(texts[0], sizes && sizes[0] ? sizes[0] : strlen(texts[0]), false, error);
}

void *clCreateProgramWithIL(void *context, const void *words, size_t size, int *error)
{
    ENTER_NEW;
    if (!object_check(context, STANDIN_CONTEXT))
        return failed_new(error, driver_misuse(CL_INVALID_CONTEXT, "%s: a dead context", __func__));
    static const unsigned char magic[] = {0x03, 0x02, 0x23, 0x07};
    if (size < 20 || memcmp(words, magic, 4) != 0 || !driver_config()->il[0])
        return failed_new(error,
                          driver_misuse(CL_INVALID_VALUE,
                                        "%s: not SPIR-V, or a device that takes none", __func__));
    return make_program(words, size, false, error);
}

void *clCreateProgramWithBinary(void *context, unsigned count, void *const *devices,
                                const size_t *sizes, const unsigned char **binaries, int *status,
                                int *error)
{
    ENTER_NEW;
    (void)devices;
    if (!object_check(context, STANDIN_CONTEXT) || count != 1)
        return failed_new(error, driver_misuse(CL_INVALID_CONTEXT,
                                               "%s: a dead context, or several devices", __func__));
    if (sizes[0] < 8 || memcmp(binaries[0], "STANDIN", 8) != 0)
        return failed_new(error, CL_INVALID_BINARY);
    if (status) *status = CL_SUCCESS;
    return make_program(binaries[0] + 8, sizes[0] - 8, true, error);
}

static bool holds(const object *program, const char *text)
{
    return memmem(program->data, program->size, text, strlen(text)) != NULL;
}

int clBuildProgram(void *program, unsigned count, void *const *devices, const char *options,
                   void (*notify)(void *, void *), void *user)
{
    driver_compile();
    ENTER;
    (void)count, (void)devices, (void)notify, (void)user;
    object *o = object_check(program, STANDIN_MODULE);
    if (!o) return driver_leave(driver_misuse(CL_INVALID_PROGRAM, "%s: a dead program", __func__));
    driver_note_options(options ? options : "");
    if (options && strstr(options, "divide-sqrt") && !driver_config()->divide)
        return driver_leave(CL_INVALID_BUILD_OPTIONS);
    if (holds(o, "// refuse")) return driver_leave(CL_BUILD_PROGRAM_FAILURE);
    o->on = true;
    return driver_leave(CL_SUCCESS);
}

int clGetProgramBuildInfo(void *program, void *device, unsigned what, size_t room, void *value,
                          size_t *needs)
{
    ENTER;
    (void)device;
    const object *o = object_check(program, STANDIN_MODULE);
    if (!o) return driver_leave(driver_misuse(CL_INVALID_PROGRAM, "%s: a dead program", __func__));
    if (what == 0x1181)
        return driver_leave(info(room, value, needs, &(int){o->on ? 0 : -2}, sizeof(int)));
    if (what == 0x1183)
        return driver_leave(info_text(room, value, needs, o->on ? "" : "stand-in: told to fail"));
    return driver_leave(CL_INVALID_VALUE);
}

int clGetProgramInfo(void *program, unsigned what, size_t room, void *value, size_t *needs)
{
    ENTER;
    const object *o = object_check(program, STANDIN_MODULE);
    if (!o) return driver_leave(driver_misuse(CL_INVALID_PROGRAM, "%s: a dead program", __func__));
    size_t size = o->size + 8;
    if (what == 0x1165) return driver_leave(info(room, value, needs, &size, sizeof size));
    if (what != 0x1166) return driver_leave(CL_INVALID_VALUE);
    if (needs) *needs = sizeof(void *);
    unsigned char *to = value ? *(unsigned char **)value : NULL;
    if (to) {
        memcpy(to, "STANDIN", 8);
        memcpy(to + 8, o->data, o->size);
    }
    return driver_leave(CL_SUCCESS);
}

/* --- kernels --- */

void *clCreateKernel(void *program, const char *name, int *error)
{
    ENTER_NEW;
    object *p = object_check(program, STANDIN_MODULE);
    if (!p)
        return failed_new(error, driver_misuse(CL_INVALID_PROGRAM, "%s: a dead program", __func__));
    if (!p->on)
        return failed_new(error, driver_misuse(CL_INVALID_PROGRAM_EXECUTABLE,
                                               "%s: a program that is not built", __func__));
    if (!holds(p, name)) return failed_new(error, CL_INVALID_KERNEL_NAME);
    object *o = object_new(STANDIN_KERNEL, false);
    o->name = strdup(name);
    o->args = calloc(1, sizeof *o->args);
    if (!o->name || !o->args) abort();
    return leave_new(error, o);
}

static int set_arg(void *kernel, unsigned index, size_t size, const void *value, const char *name)
{
    object *o = object_check(kernel, STANDIN_KERNEL);
    if (!o) return driver_misuse(CL_INVALID_KERNEL, "%s: a dead kernel", name);
    if (index >= MOST_PARAMS || size > (value ? PARAM_BYTES : 1u << 20) || !size)
        return driver_misuse(CL_INVALID_ARG_INDEX, "%s: argument %u of %zu bytes", name, index,
                             size);
    params *p = o->args;
    if (index >= p->count) p->count = (size_t)index + 1;
    p->size[index] = size;
    p->is_local[index] = value == NULL;
    p->set[index] = true;
    if (value) memcpy(p->value[index], value, size);
    return CL_SUCCESS;
}

int clSetKernelArg(void *kernel, unsigned index, size_t size, const void *value)
{
    ENTER;
    return driver_leave(set_arg(kernel, index, size, value, __func__));
}

int clSetKernelArgSVMPointer(void *kernel, unsigned index, const void *pointer)
{
    ENTER;
    if (pointer && !memory_find(pointer, 1))
        return driver_leave(driver_misuse(CL_INVALID_VALUE, "%s: dead memory", __func__));
    return driver_leave(set_arg(kernel, index, sizeof pointer, &pointer, __func__));
}

int clGetKernelWorkGroupInfo(void *kernel, void *device, unsigned what, size_t room, void *value,
                             size_t *needs)
{
    ENTER;
    (void)device;
    const object *k = object_check(kernel, STANDIN_KERNEL);
    if (!k) return driver_leave(driver_misuse(CL_INVALID_KERNEL, "%s: a dead kernel", __func__));
    size_t most = driver_most_group(k);
    switch (what) {
    case 0x11B0: return driver_leave(info(room, value, needs, &most, sizeof most));
    case 0x11B1:
        return driver_leave(info(room, value, needs, (size_t[]){0, 0, 0}, 3 * sizeof(size_t)));
    case 0x11B2:
    case 0x11B4: return driver_leave(info(room, value, needs, &(uint64_t){0}, sizeof(uint64_t)));
    case 0x11B3: return driver_leave(info(room, value, needs, &(size_t){32}, sizeof(size_t)));
    default: return driver_leave(CL_INVALID_VALUE);
    }
}

#pragma GCC visibility pop
