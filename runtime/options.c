/*
 * What a launch is told: its options, as programs of other versions give them too, the number of
 * its rounds, the size of its grid.
 */
#include "runtime/runtime.h"

static const cpl_launch_options usual = {.size = sizeof usual,
                                         .form = CPL_FORM_ELEMENTWISE,
                                         .n = CPL_AUTO,
                                         .global = {CPL_AUTO, 1, 1}};

void cpl_launch_options_init(cpl_launch_options *options)
{
    if (options) *options = usual;
}

const cpl_launch_options *launch_options_or_spec(const cpl_launch_options *given,
                                                 cpl_launch_options *room)
{
    if (!given) return &usual;
    const cpl_launch_options *o = given;
    if (given->size != sizeof *given) {
        *room = usual;
        if (READ_STRUCT(room, given, cpl_launch_options)) return NULL;
        o = room;
    }
    if ((unsigned)o->form > CPL_FORM_KERNEL) {
        thread_report(CPL_EARG, "cpl_launch_options has no valid form");
        return NULL;
    }
    if (o->event) *o->event = NULL;
    if (o->result_type) *o->result_type = NULL;
    return o;
}

const cpl_launch_options *launch_options(const cpl_launch_options *given, cpl_launch_options *room)
{
    const cpl_launch_options *o = launch_options_or_spec(given, room);
    if (!o || !o->spec) return o;
    thread_report(CPL_EARG, "the launch option spec is for cpl_kernel_for");
    return NULL;
}

/* What the first array's len() is in the function; without that (a NULL) all its elements. */
static bool first_length(const artifact *a, const cpl_arg *args, size_t count, int64_t *n)
{
    size_t value = 0; /* of those that are no binds, which parameters count */
    for (size_t i = 0; i < count; i++) {
        if (args[i].kind == CPL_ARG_ARRAY) {
            uint32_t dims = arg_dims(&args[i]);
            bool shaped = dims > 1 && a && a->indices < 2 && args_dims(a, value) == dims;
            *n = shaped ? arg_extent(&args[i], 0) : args[i].length;
            return true;
        }
        value += args[i].kind != CPL_ARG_BOUND;
    }
    return false;
}

cpl_status launch_count(cpl_context *cx, const artifact *a, const cpl_arg *args, size_t count,
                        int64_t *n)
{
    if (*n < 0 && *n != CPL_AUTO)
        return context_report(cx, CPL_EARG, "the number of iterations is negative");
    if (*n >= 0 && a && a->indices > 1)
        return context_report(cx, CPL_EARG,
                              "the function runs over the shape of its first array: a number of "
                              "iterations cannot be given");
    if (*n >= 0) return CPL_OK;
    if (first_length(a, args, count, n)) return CPL_OK;
    return context_report(
        cx, CPL_EARG,
        "the number of iterations is not given and there is no array to take it from");
}

cpl_status launch_grid_size(cpl_context *cx, const char *function, const cpl_launch_options *o)
{
    if (o->global[0] != CPL_AUTO) return CPL_OK;
    return context_report(cx, CPL_EARG, "the size of the grid of '%s' is not given",
                          function ? function : "the kernel");
}

cpl_form kernel_form(const cpl_kernel *k)
{
    if (k->form == CPL_FORM_KERNEL) return k->form;
    return k->artifact.elementwise ? CPL_FORM_ELEMENTWISE : CPL_FORM_FUNCTION;
}
