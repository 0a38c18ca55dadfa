/* OpenCL's devices: finding them, contexts, command queues, events. Each device has a context of
 * its own. */
#include "runtime/device/opencl_int.h"

#include <stdio.h>

/* --- devices --- */

static cpl_status opencl_open(cpl_device *device)
{
    opencl_device *d = opencl_of(device);
    const intptr_t properties[] = {CL_CONTEXT_PLATFORM, (intptr_t)d->platform, 0};
    cl_int r = CL_OK;
    d->context = d->cl->CreateContext(properties, 1, &d->id, NULL, NULL, &r);
    return opencl_check(d, "clCreateContext", d->context ? CL_OK : r ? r : CL_OUT_OF_HOST_MEMORY);
}

static void opencl_close(cpl_device *device)
{
    opencl_device *d = opencl_of(device);
    if (d->context) d->cl->ReleaseContext(d->context);
}

static void opencl_release(cpl_device *device)
{
    mem_free(context_mem(device->cx), device, sizeof(opencl_device));
}

static void *opencl_native(cpl_device *device, void **id)
{
    if (id) *id = opencl_of(device)->id;
    return opencl_of(device)->context;
}

/* --- queues --- */

static cpl_status adopt_queue(opencl_device *d, cpl_queue *q, void *native)
{
    void *context = NULL, *device = NULL;
    cl_ulong properties = 0;
    if (!native) return context_report(d->base.cx, CPL_EARG, "the command queue is NULL");
    cpl_status status =
        OPENCL(d, GetCommandQueueInfo, native, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
    if (!status)
        status =
            OPENCL(d, GetCommandQueueInfo, native, CL_QUEUE_DEVICE, sizeof device, &device, NULL);
    if (!status)
        status = OPENCL(d, GetCommandQueueInfo, native, CL_QUEUE_PROPERTIES, sizeof properties,
                        &properties, NULL);
    if (status) return status;
    if (context != d->context || device != d->id)
        return context_report(d->base.cx, CPL_EARG,
                              "the command queue is not of %s and the context of cpl_device_native",
                              d->base.info.label);
    if (properties & CL_QUEUE_OUT_OF_ORDER)
        return context_report(d->base.cx, CPL_EARG, "the command queue runs out of order");
    status = OPENCL(d, RetainCommandQueue, native);
    if (!status) q->native = native;
    return status;
}

static cpl_status opencl_queue_open(cpl_queue *q, const cpl_queue_options *options)
{
    opencl_device *d = opencl_of(q->device);
    if (options->use_native) {
        q->borrowed = true;
        return adopt_queue(d, q, options->native);
    }
    cl_int r = CL_OK;
    q->native = d->cl->CreateCommandQueue(d->context, d->id, CL_QUEUE_PROFILING, &r);
    if (!q->native) q->native = d->cl->CreateCommandQueue(d->context, d->id, 0, &r);
    return opencl_check(d, "clCreateCommandQueue",
                        q->native ? CL_OK
                        : r       ? r
                                  : CL_OUT_OF_HOST_MEMORY);
}

static void opencl_queue_close(cpl_queue *q)
{
    opencl_device *d = opencl_of(q->device);
    if (!atomic_load(&d->base.lost)) d->cl->Finish(q->native);
    d->cl->ReleaseCommandQueue(q->native);
}

static cpl_status opencl_drain(cpl_queue *q)
{
    opencl_device *d = opencl_of(q->device);
    return OPENCL(d, Finish, q->native);
}

static cpl_status opencl_behind(cpl_queue *q, cpl_queue *other)
{
    opencl_device *d = opencl_of(q->device);
    /* events do not leave their context */
    if (q->device != other->device) return opencl_drain(other);
    void *event = NULL;
    cpl_status status = OPENCL(d, EnqueueMarkerWithWaitList, other->native, 0, NULL, &event);
    if (!status) status = OPENCL(d, Flush, other->native);
    if (!status) status = OPENCL(d, EnqueueBarrierWithWaitList, q->native, 1, &event, NULL);
    if (event) d->cl->ReleaseEvent(event);
    return status;
}

/* --- events --- */

static cpl_status opencl_record(cpl_queue *q, dev_ticks *t)
{
    opencl_device *d = opencl_of(q->device);
    cpl_status status = OPENCL(d, EnqueueMarkerWithWaitList, q->native, 0, NULL, &t->end);
    return status ? status : OPENCL(d, Flush, q->native);
}

/* What became of the command: its own error says more than that waiting failed. */
static cl_int event_state(opencl_device *d, void *event)
{
    cl_int state = CL_COMPLETE;
    cl_int r =
        d->cl->GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    return r ? r : state;
}

static cpl_status opencl_ticks_sync(dev_ticks *t)
{
    opencl_device *d = opencl_of(t->device);
    if (!t->end) return CPL_OK;
    cl_int r = d->cl->WaitForEvents(1, &t->end);
    if (r == CL_OK) return CPL_OK;
    cl_int state = event_state(d, t->end);
    return opencl_failed(d, "clWaitForEvents", state < 0 ? state : r);
}

static cpl_status opencl_ticks_done(dev_ticks *t, bool *done)
{
    opencl_device *d = opencl_of(t->device);
    *done = true;
    if (!t->end) return CPL_OK;
    cl_int state = event_state(d, t->end);
    *done = state <= CL_COMPLETE;
    return state < 0 ? opencl_failed(d, "clGetEventInfo", state) : CPL_OK;
}

static bool opencl_ticks_duration(dev_ticks *t, uint64_t *ns)
{
    opencl_device *d = opencl_of(t->device);
    cl_ulong begin = 0, end = 0;
    if (!t->end ||
        d->cl->GetEventProfilingInfo(t->end, CL_PROFILING_COMMAND_START, sizeof begin, &begin,
                                     NULL) ||
        d->cl->GetEventProfilingInfo(t->end, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL))
        return false;
    *ns = end > begin ? end - begin : 0;
    return true;
}

static cpl_status opencl_ticks_behind(cpl_queue *q, dev_ticks *t)
{
    opencl_device *d = opencl_of(q->device);
    if (q->device != t->device) return opencl_ticks_sync(t);
    return t->end ? OPENCL(d, EnqueueBarrierWithWaitList, q->native, 1, &t->end, NULL) : CPL_OK;
}

static void opencl_ticks_close(dev_ticks *t)
{
    if (t->end) opencl_of(t->device)->cl->ReleaseEvent(t->end);
}

static const char *opencl_alloc_name(const cpl_device *d)
{
    return d->info.pointers ? "clSVMAlloc" : "clCreateBuffer";
}

const dev_ops opencl_ops = {
    .write_waits = true,
    .most_groups = INT32_MAX,
    .alloc_name = opencl_alloc_name,
    .open = opencl_open,
    .close = opencl_close,
    .release = opencl_release,
    .native = opencl_native,
    .queue_open = opencl_queue_open,
    .queue_close = opencl_queue_close,
    .drain = opencl_drain,
    .behind = opencl_behind,
    .record = opencl_record,
    .ticks_sync = opencl_ticks_sync,
    .ticks_done = opencl_ticks_done,
    .ticks_duration = opencl_ticks_duration,
    .ticks_behind = opencl_ticks_behind,
    .ticks_close = opencl_ticks_close,
    .alloc = opencl_alloc,
    .free = opencl_free,
    .adopt = opencl_adopt,
    .store = opencl_store,
    .zero = opencl_zero,
    .write = opencl_write,
    .read = opencl_read,
    .copy = opencl_copy,
    .load = opencl_load,
    .unload = opencl_unload,
    .launch = opencl_launch,
};

/* --- looking for devices --- */

/* A text of a device; NULL when out of memory, "" when the driver does not know. */
/* Keeps the first error that says more than that an old driver does not know the question. */
static cl_int ask(opencl_device *d, cl_uint what, size_t size, void *value, size_t *needs)
{
    cl_int r = d->cl->GetDeviceInfo(d->id, what, size, value, needs);
    bool old = what == CL_DEVICE_SVM_CAPABILITIES || what == CL_DEVICE_IL_VERSION ||
               what == CL_DEVICE_DOUBLE_FP_CONFIG;
    if (d->info_error == CL_OK && !(r == CL_INVALID_VALUE && old)) d->info_error = r;
    return r;
}

static char *text_info(opencl_device *d, cl_uint what)
{
    size_t size = 0;
    const mem *m = context_mem(d->base.cx);
    if (ask(d, what, 0, NULL, &size) || size == 0) return mem_strdup(m, "");
    char *buffer = mem_zalloc(m, size + 1);
    if (!buffer) return NULL;
    if (ask(d, what, size, buffer, NULL)) *buffer = 0;
    char *begin = buffer + strspn(buffer, " ");
    for (size_t n = strlen(begin); n && begin[n - 1] == ' ';) begin[--n] = 0;
    char *copy = mem_strdup(m, begin);
    mem_free(m, buffer, size + 1);
    return copy;
}

static cl_uint uint_info(opencl_device *d, cl_uint what)
{
    cl_uint value = 0;
    return ask(d, what, sizeof value, &value, NULL) ? 0 : value;
}

static cl_ulong ulong_info(opencl_device *d, cl_uint what)
{
    cl_ulong value = 0;
    return ask(d, what, sizeof value, &value, NULL) ? 0 : value;
}

static size_t size_info(opencl_device *d, cl_uint what)
{
    size_t value = 0;
    return ask(d, what, sizeof value, &value, NULL) ? 0 : value;
}

static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == 0 || at[n] == ' ')) return true;
    return false;
}

/*
 * SPIR-V 1.2 where the driver takes it, else the newest version that it takes; else OpenCL C of the
 * device's version. What the device cannot do is spelled out behind it.
 */
static const char *choose_target(opencl_device *d, const char *c_version)
{
    cpl_device_info *info = &d->base.info;
    static const char *const versions[] = {"1.2", "1.4", "1.3", "1.1", "1.0"};
    char code[16] = "", word[32], text[96];
    for (size_t i = 0; i < COUNT_OF(versions) && !*code && d->cl->CreateProgramWithIL; i++) {
        snprintf(word, sizeof word, "SPIR-V_%s", versions[i]);
        if (has_word(info->il, word)) snprintf(code, sizeof code, "spv%s", versions[i]);
    }
    int major = 1, minor = 2;
    if (!*code && sscanf(c_version, "OpenCL C %d.%d", &major, &minor) == 2 && major >= 2)
        snprintf(code, sizeof code, "c%d.0", major > 3 ? 3 : major);
    if (!*code) snprintf(code, sizeof code, "c1.2");
    snprintf(text, sizeof text, "opencl:%s", code);
    tgt_target t;
    if (!target_parse(text, &t)) return device_text(d->base.cx, "opencl:c1.2");
    t.ptx = t.kind == TGT_OPENCL_C && d->base.takes_ptx;
    t.subgroups |= t.ptx;
    device_features(&d->base, &t);
    strbuf sb;
    sb_init(&sb, context_mem(d->base.cx));
    target_print(&sb, &t);
    const char *chosen = sb.failed ? NULL : device_text(d->base.cx, "%s", sb.at);
    sb_free(&sb);
    return chosen;
}

static void fill_limits(opencl_device *d)
{
    cpl_device_info *info = &d->base.info;
    size_t sizes[8] = {0};
    ask(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL);
    for (int i = 0; i < 3; i++)
        info->max_group[i] = sizes[i] > UINT32_MAX ? UINT32_MAX : sizes[i] ? (uint32_t)sizes[i] : 1;
    info->memory = ulong_info(d, CL_DEVICE_GLOBAL_MEM_SIZE);
    info->local_memory = ulong_info(d, CL_DEVICE_LOCAL_MEM_SIZE);
    info->units = uint_info(d, CL_DEVICE_MAX_COMPUTE_UNITS);
    info->max_group_size = (uint32_t)size_info(d, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    info->is_cpu = ulong_info(d, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU;
    uint64_t single = ulong_info(d, CL_DEVICE_SINGLE_FP_CONFIG);
    info->rounds_division = single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    info->subnormals = single & CL_FP_DENORM;
    d->alignment = uint_info(d, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
    if (!d->alignment) d->alignment = 1;
    const cl_api *cl = d->cl;
    d->svm = (ulong_info(d, CL_DEVICE_SVM_CAPABILITIES) & CL_SVM_COARSE_GRAIN_BUFFER) &&
             cl->SVMAlloc && cl->SVMFree && cl->EnqueueSVMMemcpy && cl->EnqueueSVMMemFill &&
             cl->SetKernelArgSVMPointer;
    info->pointers = d->svm;
}

/* NVIDIA's, of sm_70 and later. */
static bool takes_ptx(opencl_device *d, const char *extensions)
{
    return has_word(extensions, "cl_nv_device_attribute_query") &&
           uint_info(d, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) >= 7;
}

static bool fill_info(opencl_device *d, const char *platform_name)
{
    cpl_device_info *info = &d->base.info;
    const mem *m = context_mem(d->base.cx);
    char *extensions = text_info(d, CL_DEVICE_EXTENSIONS),
         *c_version = text_info(d, CL_DEVICE_OPENCL_C_VERSION);
    char *version = text_info(d, CL_DEVICE_VERSION), *driver = text_info(d, CL_DRIVER_VERSION);
    bool complete = extensions && c_version && version && driver;
    *info = (cpl_device_info){.size = sizeof *info, .kind = CPL_DEVICE_OPENCL};
    info->name = text_info(d, CL_DEVICE_NAME);
    info->vendor = text_info(d, CL_DEVICE_VENDOR);
    info->il = text_info(d, CL_DEVICE_IL_VERSION);
    fill_limits(d);
    if (complete && info->il && info->vendor) {
        info->driver = device_text(d->base.cx, "%s %s, %s", platform_name, driver, version);
        info->fp64 =
            ulong_info(d, CL_DEVICE_DOUBLE_FP_CONFIG) != 0 || has_word(extensions, "cl_khr_fp64");
        info->fp16 = has_word(extensions, "cl_khr_fp16");
        info->int64_atomics = has_word(extensions, "cl_khr_int64_base_atomics") &&
                              has_word(extensions, "cl_khr_int64_extended_atomics");
        d->base.takes_ptx = takes_ptx(d, extensions);
        info->subgroups = d->base.takes_ptx || has_word(extensions, "cl_khr_subgroups") ||
                          has_word(extensions, "cl_intel_subgroups");
        if (d->base.takes_ptx) info->subgroup_size = 32;
        /* Intel's on CPUs, 2026.2: test/device/faults.py */
        d->base.mixes_arrays = d->base.reorders_sums =
            info->is_cpu && !strncmp(info->vendor, "Intel(R)", 8);
        info->target = choose_target(d, c_version);
    }
    char *const texts[] = {extensions, c_version, version, driver};
    for (size_t i = 0; i < COUNT_OF(texts); i++) mem_strfree(m, texts[i]);
    return complete && info->name && info->vendor && info->il && info->driver && info->target;
}

static bool add_device(cpl_context *cx, devices *all, const cl_api *cl, void *platform,
                       const char *platform_name, void *id)
{
    const mem *m = context_mem(cx);
    opencl_device *d = mem_zalloc(m, sizeof *d);
    if (!d) return false;
    d->base.ops = &opencl_ops;
    d->base.cx = cx;
    d->cl = cl;
    d->platform = platform;
    d->id = id;
    d->next_address = (uint64_t)1 << 32;
    bool usable = uint_info(d, CL_DEVICE_AVAILABLE) && uint_info(d, CL_DEVICE_COMPILER_AVAILABLE);
    if (!usable && d->info_error == CL_OK) {
        devices_absent(cx, all, CPL_DEVICE_OPENCL,
                       "a device of %s is not available or has no compiler", platform_name);
        mem_free(m, d, sizeof *d);
        return true;
    }
    bool complete = fill_info(d, platform_name), silent = d->info_error != CL_OK;
    if (complete && !silent && devices_add(all, &d->base)) return true;
    if (complete && silent) { /* a device that does not answer is left out, which is no error */
        const char *name = opencl_error_name(d->info_error);
        context_warn(cx, "clGetDeviceInfo: %s (%d): a device of %s is left out", name,
                     d->info_error, platform_name);
        devices_absent(cx, all, CPL_DEVICE_OPENCL, "clGetDeviceInfo: %s (%d) on %s", name,
                       d->info_error, platform_name);
    }
    const char *const texts[] = {d->base.info.name, d->base.info.vendor, d->base.info.driver,
                                 d->base.info.target, d->base.info.il};
    for (size_t i = 0; i < COUNT_OF(texts); i++) mem_strfree(m, texts[i]);
    mem_free(m, d, sizeof *d);
    return complete && silent;
}

enum { MOST_PLATFORMS = 32, MOST_DEVICES = 64 };

static bool look_at_platform(cpl_context *cx, devices *all, const cl_api *cl, void *platform)
{
    char name[256] = "";
    void *ids[MOST_DEVICES];
    cl_uint count = 0;
    if (cl->GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL))
        snprintf(name, sizeof name, "OpenCL");
    cl_ulong kinds = context_option(cx, OPT_opencl) == 1 ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_ALL;
    cl_int r = cl->GetDeviceIDs(platform, kinds, MOST_DEVICES, ids, &count);
    if (r == CL_DEVICE_NOT_FOUND) count = 0;
    else if (r != CL_OK) {
        devices_absent(cx, all, CPL_DEVICE_OPENCL, "clGetDeviceIDs: %s (%d) on %s",
                       opencl_error_name(r), r, name);
        return true;
    }
    if (count > MOST_DEVICES) count = MOST_DEVICES;
    if (count == 0)
        devices_absent(cx, all, CPL_DEVICE_OPENCL, "clGetDeviceIDs: %s has no devices", name);
    for (cl_uint i = 0; i < count; i++)
        if (!add_device(cx, all, cl, platform, name, ids[i])) return false;
    return true;
}

bool opencl_look(cpl_context *cx, devices *all)
{
    const char *why;
    if (!context_option(cx, OPT_opencl)) {
        devices_absent(cx, all, CPL_DEVICE_OPENCL, "the option opencl is 0");
        return true;
    }
    const cl_api *cl = dl_opencl(&why);
    if (!cl) {
        devices_absent(cx, all, CPL_DEVICE_OPENCL, "%s", why);
        return true;
    }
    void *platforms[MOST_PLATFORMS];
    cl_uint count = 0;
    cl_int r = cl->GetPlatformIDs(MOST_PLATFORMS, platforms, &count);
    if (r == CL_PLATFORM_NOT_FOUND || (r == CL_OK && count == 0)) {
        devices_absent(
            cx, all, CPL_DEVICE_OPENCL,
            "clGetPlatformIDs: no platform is installed (/etc/OpenCL/vendors, OCL_ICD_VENDORS)");
        return true;
    }
    if (r != CL_OK) {
        devices_absent(cx, all, CPL_DEVICE_OPENCL, "clGetPlatformIDs: %s (%d)",
                       opencl_error_name(r), r);
        return true;
    }
    if (count > MOST_PLATFORMS) count = MOST_PLATFORMS;
    for (cl_uint i = 0; i < count; i++)
        if (!look_at_platform(cx, all, cl, platforms[i])) return false;
    return true;
}
