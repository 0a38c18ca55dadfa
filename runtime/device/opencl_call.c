/* Errors of OpenCL's calls. */
#include "runtime/device/opencl_int.h"

const char *opencl_error_name(cl_int r)
{
    switch (r) {
#define CL_ERROR(name, number)                                                                     \
    case number: return #name;
#include "runtime/device/opencl_error.def"
#undef CL_ERROR
    default: return "an unknown error";
    }
}

cpl_status opencl_failed(opencl_device *d, const char *call, cl_int r)
{
    /* what NVIDIA's answers once a kernel has destroyed its context */
    enum { INVALID_COMMAND_QUEUE = -36 };
    bool fatal =
        r == CL_DEVICE_NOT_AVAILABLE || r == CL_NVIDIA_ILLEGAL_ACCESS || r == INVALID_COMMAND_QUEUE;
    if (fatal) atomic_store(&d->base.lost, true);
    bool memory = r == CL_MEM_ALLOCATION_FAILURE || r == CL_OUT_OF_HOST_MEMORY;
    return context_report(d->base.cx,
                          fatal    ? CPL_EDEVICELOST
                          : memory ? CPL_ENOMEM
                                   : CPL_EDEVICE,
                          "%s: %s (%d) on %s%s", call, opencl_error_name(r), r, d->base.info.label,
                          fatal ? "; the device cannot be used any more" : "");
}
