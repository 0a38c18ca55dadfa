/* Copies between arrays: of different types by a kernel of the library's own, where the target is.
 */
#include "runtime/device/device.h"

static const char text[] = "def convert(i, to, values, T):\n"
                           "    to[i] = cast(values[i], T)\n";

/* The module, which does not keep its context; made by whoever needs it first. */
cpl_status runtime_module(cpl_context *cx, cpl_module **module)
{
    runtime_state *s = runtime_of(cx);
    if (!s) return context_no_memory(cx);
    *module = atomic_load(&s->convert);
    if (*module) return CPL_OK;
    cpl_module *made, *none = NULL;
    cpl_status status = cpl_module_from_source(cx, "cpl_array_copy", text, sizeof text - 1, &made);
    if (status) return status;
    if (atomic_compare_exchange_strong(&s->convert, &none, made)) {
        module_leave_context(made);
        *module = made;
    } else {
        cpl_module_release(made);
        *module = none;
    }
    return CPL_OK;
}

static cpl_status convert(cpl_array *to, cpl_array *from, cpl_device *place, cpl_queue *queue,
                          cpl_event **event)
{
    cpl_queue *q = queue && queue->device == place ? queue : cpl_device_queue(place);
    if (!q) return device_no_queue(place);
    cpl_module *module = NULL;
    cpl_status status = runtime_module(place->cx, &module);
    if (!status) status = storage_move(from->storage, place, q, NULL);
    if (status) return status;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.queue = q;
    o.event = event;
    const cpl_bind type = cpl_bind_type(type_scalar(context_types(place->cx), to->dtype));
    const cpl_arg args[] = {cpl_arg_of_array(to), cpl_arg_of_array(from), cpl_arg_bound(&type)};
    return cpl_launch(module, "convert", &o, args, COUNT_OF(args));
}

cpl_status cpl_array_copy(cpl_array *to, cpl_array *from, cpl_queue *queue, cpl_event **event)
{
    if (event) *event = NULL;
    if (MISSING("to from", to, from)) return CPL_EARG;
    if (to->dtype == from->dtype || !to->length) return array_copy(to, from, queue, event);
    cpl_status status = array_check_copy(to, from, queue);
    if (status) return status;
    const dev_slot *at = storage_valid(to->storage, queue ? queue->device : to->storage->home);
    return convert(to, from, at->block.device, queue, event);
}
