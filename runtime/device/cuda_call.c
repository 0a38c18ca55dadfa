/* Around each call of NVIDIA's driver: its errors, the context that is current, the times of what
 * it is given. */
#include "runtime/device/cuda_int.h"

/* Errors after which the context answers every call with an error. */
static bool is_fatal(cu_result r)
{
    switch (r) {
    case CU_DEINITIALIZED:
    case CU_ECC_UNCORRECTABLE:
    case CU_NVLINK_UNCORRECTABLE:
    case CU_ILLEGAL_ADDRESS:
    case CU_LAUNCH_TIMEOUT:
    case CU_CONTEXT_IS_DESTROYED:
    case CU_ASSERT:
    case CU_HARDWARE_STACK_ERROR:
    case CU_ILLEGAL_INSTRUCTION:
    case CU_MISALIGNED_ADDRESS:
    case CU_INVALID_ADDRESS_SPACE:
    case CU_INVALID_PC:
    case CU_LAUNCH_FAILED: return true;
    default: return false;
    }
}

void cuda_error_texts(const cu_api *cu, cu_result r, const char **name, const char **text)
{
    *name = *text = NULL;
    cu->GetErrorName(r, name);
    cu->GetErrorString(r, text);
    if (!*name) *name = "an unknown CUresult";
    if (!*text) *text = "no text";
}

cpl_status cuda_failed(cuda_device *d, const char *call, cu_result r)
{
    const char *name, *text;
    cuda_error_texts(d->cu, r, &name, &text);
    bool fatal = is_fatal(r);
    if (fatal) atomic_store(&d->base.lost, true);
    cpl_status status = fatal ? CPL_EDEVICELOST : r == CU_OUT_OF_MEMORY ? CPL_ENOMEM : CPL_EDEVICE;
    return context_report(d->base.cx, status, "%s: %s (%s, %d) on %s%s", call, text, name, r,
                          d->base.info.label, fatal ? "; the device cannot be used any more" : "");
}

cpl_status cuda_enter(cuda_device *d, bool *pushed)
{
    cu_context now = NULL;
    *pushed = false;
    if (d->cu->CtxGetCurrent(&now) == CU_SUCCESS && now == d->context) return CPL_OK;
    cpl_status status = CUDA(d, CtxPushCurrent, d->context);
    *pushed = !status;
    return status;
}

void cuda_leave(cuda_device *d, bool pushed)
{
    cu_context ours;
    if (pushed) d->cu->CtxPopCurrent(&ours);
}

static cpl_status record(cpl_queue *q, cu_event *event, bool timed)
{
    cuda_device *d = cuda_of(q->device);
    cpl_status status = CUDA(d, EventCreate, event, timed ? 0 : CU_EVENT_DISABLE_TIMING);
    if (status) {
        *event = NULL;
        return status;
    }
    return CUDA(d, EventRecord, *event, q->native);
}

cpl_status cuda_begin(cpl_queue *q, dev_ticks *t)
{
    return t && t->timed ? record(q, &t->begin, true) : CPL_OK;
}

cpl_status cuda_end(cpl_queue *q, dev_ticks *t)
{
    return t ? record(q, &t->end, t->timed) : CPL_OK;
}
