/* Where a function runs: the device and queue that --target names, and what the arguments' arrays
 * are there. */
#include "cplc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* True for "cuda" and "cuda:1", which name a device and leave the target to it; false for
 * "cuda:sm_90". */
static bool names_device(const char *text)
{
    const char *colon = strchr(text, ':');
    return !colon || isdigit((unsigned char)colon[1]);
}

int place_open(place *p, const input *in, const options *o)
{
    *p = (place){.context = in->context, .count = in->parameters.count};
    if (!strcmp(o->target, "host") || !strcmp(o->target, "interp") || o->has_stage) return EXIT_OK;
    cpl_device *device;
    cpl_status status = cpl_device_find(in->context, o->target, &device);
    if (!status) {
        cpl_queue_options settings;
        cpl_queue_options_init(&settings);
        settings.target = names_device(o->target) ? NULL : o->target;
        status = cpl_queue_create(device, &settings, &p->queue);
    }
    p->device = device;
    p->arrays = allocate((p->count + 1) * sizeof *p->arrays);
    return input_failed(in, status, o->target);
}

cpl_status place_arguments(place *p, cpl_arg *values)
{
    cpl_status status = CPL_OK;
    for (size_t i = 0; p->queue && !status && i < p->count; i++) {
        if (values[i].kind != CPL_ARG_ARRAY) continue;
        cpl_array_options how;
        cpl_array_options_init(&how);
        how.dtype = values[i].dtype;
        how.record = values[i].record;
        how.dims = values[i].dims ? values[i].dims : 1;
        how.shape[0] = values[i].length;
        for (int d = 0; d < values[i].dims; d++) how.shape[d] = values[i].shape[d];
        how.uninitialized = true;
        status = cpl_array_create_with(p->context, p->device, &how, &p->arrays[i]);
        if (!status) values[i] = cpl_arg_of_array(p->arrays[i]);
    }
    return status;
}

cpl_status place_write(place *p, const argument *arguments)
{
    cpl_status status = CPL_OK;
    for (size_t i = 0; p->queue && !status && i < p->count; i++)
        if (p->arrays[i])
            status = cpl_array_write(p->arrays[i], p->queue, arguments[i].array.data, NULL);
    return status || !p->queue ? status : cpl_queue_finish(p->queue);
}

cpl_status place_read(place *p, argument *arguments)
{
    cpl_status status = CPL_OK;
    for (size_t i = 0; p->queue && !status && i < p->count; i++)
        if (p->arrays[i])
            status = cpl_array_read(p->arrays[i], p->queue, arguments[i].array.data, NULL);
    return status;
}

void place_close(place *p)
{
    for (size_t i = 0; p->arrays && i < p->count; i++) cpl_array_release(p->arrays[i]);
    free(p->arrays);
    cpl_queue_release(p->queue);
}
