/*
 * Kernels on OpenCL's devices: SPIR-V or OpenCL C, whichever the artifact holds, built by the
 * driver; its binary goes into the cache on disk. A cl_kernel holds its arguments, so a launch sets
 * them and enqueues under the code's lock.
 */
#include "runtime/device/opencl_int.h"

#include <stdio.h>

enum { ROUNDS = 32, GROUPS_OF_UNIT = 8 };

/* --- loading --- */

static void report_log(opencl_device *d, void *program, const char *name, cpl_status status)
{
    size_t size = 0;
    const mem *m = context_mem(d->base.cx);
    if (d->cl->GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) ||
        size < 2)
        return;
    char *log = mem_zalloc(m, size + 1);
    if (log && !d->cl->GetProgramBuildInfo(program, d->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) &&
        *log)
        context_report(d->base.cx, status, "the driver on the code of '%s': %s", name, log);
    mem_free(m, log, size + 1);
}

static cpl_status create_program(opencl_device *d, const artifact *a, void **program)
{
    cl_int r = CL_OK;
    if (a->target.kind == TGT_SPIRV) {
        if (!d->cl->CreateProgramWithIL || !strstr(d->base.info.il, "SPIR-V"))
            return context_report(d->base.cx, CPL_EUNSUPPORTED,
                                  "%s (%s) takes no SPIR-V; use the target opencl:c1.2",
                                  d->base.info.label, d->base.info.driver);
        *program = d->cl->CreateProgramWithIL(d->context, a->object.at, a->object.n, &r);
        return opencl_check(d, "clCreateProgramWithIL",
                            *program ? CL_OK
                            : r      ? r
                                     : CL_OUT_OF_HOST_MEMORY);
    }
    const char *text = a->object.at;
    *program = d->cl->CreateProgramWithSource(d->context, 1, &text, &a->object.n, &r);
    return opencl_check(d, "clCreateProgramWithSource",
                        *program ? CL_OK
                        : r      ? r
                                 : CL_OUT_OF_HOST_MEMORY);
}

typedef struct build_options {
    char text[96 + MOST_OPENCL_OPTIONS];
} build_options;

/* Without being asked a driver may leave float32 division 2.5 ULP off. */
static build_options options_for(const opencl_device *d, const artifact *a)
{
    build_options o = {""};
    const char *language = "";
    if (a->target.kind == TGT_OPENCL_C)
        language = a->target.version >= 30   ? "-cl-std=CL3.0 "
                   : a->target.version >= 20 ? "-cl-std=CL2.0 "
                                             : "-cl-std=CL1.2 ";
    bool exact = d->base.info.rounds_division && !a->inexact;
    const char *asked = context_opencl_options(d->base.cx);
    snprintf(o.text, sizeof o.text, "%s%s%s%s", language,
             exact ? "-cl-fp32-correctly-rounded-divide-sqrt" : "", exact && *asked ? " " : "",
             asked);
    return o;
}

static cpl_status build_program(opencl_device *d, const artifact *a, const build_options *options,
                                void **program)
{
    cpl_status status = create_program(d, a, program);
    if (status) return status;
    cl_int r = d->cl->BuildProgram(*program, 1, &d->id, options->text, NULL, NULL);
    if (r == CL_OK) return CPL_OK;
    status = opencl_failed(d, "clBuildProgram", r);
    report_log(d, *program, a->entry, status);
    d->cl->ReleaseProgram(*program);
    *program = NULL;
    return status;
}

static void keep_binary(opencl_device *d, void *program, const uint8_t *key)
{
    const mem *m = context_mem(d->base.cx);
    size_t size = 0;
    if (d->cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) ||
        size == 0)
        return;
    unsigned char *bytes = mem_zalloc(m, size);
    if (bytes && !d->cl->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL))
        binary_put(&d->base, key, bytes, size);
    mem_free(m, bytes, size);
}

/* From the cache; NULL if it has none that the driver takes. */
static void *cached_program(opencl_device *d, const build_options *options, const uint8_t *key)
{
    strbuf binary;
    void *program = NULL;
    sb_init(&binary, context_mem(d->base.cx));
    if (binary_get(&d->base, key, &binary)) {
        const unsigned char *bytes = (const unsigned char *)binary.at;
        cl_int one = CL_OK, r = CL_OK;
        program =
            d->cl->CreateProgramWithBinary(d->context, 1, &d->id, &binary.n, &bytes, &one, &r);
        if (program &&
            (r || one || d->cl->BuildProgram(program, 1, &d->id, options->text, NULL, NULL))) {
            d->cl->ReleaseProgram(program);
            program = NULL;
        }
    }
    sb_free(&binary);
    return program;
}

static cpl_status measure(opencl_device *d, dev_code *code)
{
    size_t most = 0;
    cpl_status status = OPENCL(d, GetKernelWorkGroupInfo, code->function, d->id,
                               CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if (status) return status;
    code->most_group = most ? (uint32_t)most : 1;
    code->group = code->most_group < USUAL_GROUP ? code->most_group : USUAL_GROUP;
    uint32_t units = d->base.info.units ? d->base.info.units : 1;
    code->most_groups = units * ROUNDS * (d->base.info.is_cpu ? 1 : GROUPS_OF_UNIT);
    return CPL_OK;
}

cpl_status opencl_load(cpl_device *device, cpl_kernel *k, dev_code *code)
{
    opencl_device *d = opencl_of(device);
    const artifact *a = &k->artifact;
    if (a->target.kind != TGT_SPIRV && a->target.kind != TGT_OPENCL_C)
        return context_report(device->cx, CPL_EARG, "%s runs no code for %s", device->info.label,
                              k->target);
    uint8_t key[ARTIFACT_KEY_SIZE];
    build_options options = options_for(d, a);
    char driver[1024];
    snprintf(driver, sizeof driver, "%s|%s", options.text, device->info.driver);
    binary_key(device, a, driver, key);
    code->module = cached_program(d, &options, key);
    if (!code->module) {
        cpl_status status = build_program(d, a, &options, &code->module);
        if (status) return status;
        keep_binary(d, code->module, key);
    }
    cl_int r = CL_OK;
    code->function = d->cl->CreateKernel(code->module, a->entry, &r);
    cpl_status status = opencl_check(d, "clCreateKernel",
                                     code->function ? CL_OK
                                     : r            ? r
                                                    : CL_OUT_OF_HOST_MEMORY);
    if (!status) status = measure(d, code);
    if (status) {
        if (code->function) d->cl->ReleaseKernel(code->function);
        d->cl->ReleaseProgram(code->module);
    }
    return status;
}

/* Commands that run hold their kernel. */
void opencl_unload(dev_code *code)
{
    opencl_device *d = opencl_of(code->device);
    d->cl->ReleaseKernel(code->function);
    d->cl->ReleaseProgram(code->module);
}

/* --- launching --- */

/* Where the value of a parameter points to in its block. */
static size_t offset_of(const dev_launch *l, size_t i)
{
    return (size_t)(l->values->values[i].u64 - l->blocks[i]->address);
}

/* A buffer and its sub-buffers must not be used side by side: only one that all arguments use from
 * its start is passed whole. */
static bool is_used_whole(const dev_launch *l, size_t i)
{
    for (size_t k = 0; k < l->kernel->artifact.param_count; k++)
        if (l->blocks[k] == l->blocks[i] && offset_of(l, k) != 0) return false;
    return true;
}

/* Sub-buffers made for one launch. */
typedef struct parts {
    void *of[MOST_PARAMETERS]; /* by parameter; NULL: none */
} parts;

static cpl_status view_of(opencl_device *d, const dev_launch *l, size_t i, parts *made,
                          void **memory)
{
    const dev_block *b = l->blocks[i];
    const char *name = l->kernel->artifact.params[i].name;
    size_t at = offset_of(l, i);
    *memory = b->memory;
    if (l->extents[i] == 0 && at == 0) return CPL_OK;
    if (is_used_whole(l, i)) return CPL_OK;
    if (l->extents[i] == 0)
        return context_report(
            d->base.cx, CPL_EARG,
            "argument '%s' runs backwards or is empty, which %s takes of whole arrays alone", name,
            d->base.info.label);
    if (at % d->alignment)
        return context_report(d->base.cx, CPL_EARG,
                              "argument '%s' begins at byte %zu of its memory; %s takes views at "
                              "multiples of %zu bytes",
                              name, at, d->base.info.label, d->alignment);
    for (size_t k = 0; k < i; k++)
        if (made->of[k] && l->blocks[k] == b && offset_of(l, k) == at &&
            l->extents[k] == l->extents[i]) {
            *memory = made->of[k];
            return CPL_OK;
        }
    cl_region region = {at, l->extents[i]};
    cl_int r = CL_OK;
    *memory = made->of[i] =
        d->cl->CreateSubBuffer(b->memory, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &r);
    return opencl_check(d, "clCreateSubBuffer", *memory ? CL_OK : r ? r : CL_OUT_OF_HOST_MEMORY);
}

static cpl_status set_argument(opencl_device *d, const dev_launch *l, cl_uint i, parts *made)
{
    void *kernel = l->code->function, *memory = NULL;
    const artifact_param *p = &l->kernel->artifact.params[i];
    if (l->local_sizes[i]) return OPENCL(d, SetKernelArg, kernel, i, l->local_sizes[i], NULL);
    if (!type_is_pointer(p->type))
        return OPENCL(d, SetKernelArg, kernel, i, p->type->size, &l->values->values[i]);
    if (l->blocks[i] && !l->blocks[i]->memory)
        return OPENCL(d, SetKernelArgSVMPointer, kernel, i, l->values->values[i].pointer);
    cpl_status status = l->blocks[i] ? view_of(d, l, i, made, &memory) : CPL_OK;
    return status ? status : OPENCL(d, SetKernelArg, kernel, i, sizeof memory, &memory);
}

static cpl_status enqueue(opencl_device *d, cpl_queue *q, const dev_launch *l, dev_ticks *t)
{
    size_t global[3], local[3];
    cl_uint dims = 1;
    for (cl_uint i = 0; i < 3; i++) {
        local[i] = l->group[i];
        global[i] = l->groups[i] * local[i];
        if (global[i] > 1) dims = i + 1;
    }
    void **event = opencl_event(t);
    cl_int r = d->cl->EnqueueNDRangeKernel(q->native, l->code->function, dims, NULL, global, local,
                                           0, NULL, event);
    uint64_t pooled;
    cpl_device_memory(q->device, NULL, &pooled);
    /* Many drivers give a buffer its memory when it is first used. */
    if (r == CL_MEM_ALLOCATION_FAILURE && pooled && pool_trim(q->device) == CPL_OK)
        r = d->cl->EnqueueNDRangeKernel(q->native, l->code->function, dims, NULL, global, local, 0,
                                        NULL, event);
    cpl_status status = opencl_check(d, "clEnqueueNDRangeKernel", r);
    return status ? status : OPENCL(d, Flush, q->native);
}

cpl_status opencl_launch(cpl_queue *q, const dev_launch *l, dev_ticks *t)
{
    opencl_device *d = opencl_of(q->device);
    parts made;
    size_t count = l->kernel->artifact.param_count;
    memset(made.of, 0, count * sizeof *made.of);
    cpl_status status = CPL_OK;
    pthread_mutex_lock(&l->code->lock);
    for (cl_uint i = 0; i < count && !status; i++) status = set_argument(d, l, i, &made);
    if (!status) status = enqueue(d, q, l, t);
    pthread_mutex_unlock(&l->code->lock);
    /* the command holds it while it runs */
    for (size_t i = 0; i < count; i++)
        if (made.of[i]) d->cl->ReleaseMemObject(made.of[i]);
    return status;
}
