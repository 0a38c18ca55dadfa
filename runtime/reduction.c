/*
 * The plan of a plain function that reduces on a device, of which the pass grid makes two kernels:
 * one leaves parts of the reductions in memory, the function's own takes them in. See
 * lib/README.md.
 */
#include "runtime/device/device.h"

/* As many groups as there can be parts. */
static cpl_status sizes(plan_launch *l)
{
    dev_code *code;
    cpl_status status = code_for(l->plan->steps[0].kernel, l->queue->device, &code);
    if (status) return status;
    int64_t group = code->most_group < PARTS_GROUP ? code->most_group : PARTS_GROUP;
    l->steps[0].local[0] = group;
    l->steps[0].global[0] = group * PARTS_MOST;
    const artifact *a = &l->plan->steps[1].kernel->artifact;
    for (size_t i = 0; i < a->param_count; i++)
        if (a->params[i].role == PARAM_PARTS)
            l->own[a->params[i].arg - a->arg_count] =
                cpl_arg_array(a->params[i].type->elem->dtype, NULL, PARTS_MOST);
    return CPL_OK;
}

static void take_all(plan_step *s, cpl_kernel *k)
{
    size_t args = k->artifact.arg_count;
    s->kernel = k;
    s->count = args + k->artifact.part_count;
    for (size_t i = 0; i < s->count; i++) s->args[i] = i < args ? (uint8_t)i : PLAN_OWN(i - args);
}

cpl_status reduction_plan(void *user, cpl_kernel *last, plan *p)
{
    (void)user;
    cpl_kernel *first;
    size_t parts = last->artifact.part_count;
    cpl_context *cx = module_context(last->module);
    if (parts > MOST_OWN)
        return context_report(cx, CPL_ELIMIT, "'%s' has more than %d parameters for parts",
                              last->function, MOST_OWN);
    if (last->artifact.arg_count > MOST_ARGUMENTS) return args_too_many(cx);
    cpl_status status = kernel_first(last, &first);
    if (status) return status;
    p->rule = sizes;
    p->arg_count = last->artifact.arg_count;
    p->own_count = parts;
    p->step_count = 2;
    take_all(&p->steps[0], first);
    take_all(&p->steps[1], last);
    return CPL_OK;
}
