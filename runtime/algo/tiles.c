/*
 * Whether a call goes by tiles, and how large they are. A work-item's elements are in registers, so
 * there are fewer of a larger type; and as many bytes as keep memory busy, loaded 16 at a time
 * where they are plain numbers in a row.
 */
#include "runtime/algo/algo.h"

enum {
    ALWAYS = 2,  /* the option tiles */
    GROUP = 256, /* work-items */
    LANES = 32,  /* of a sub-group, where there are shuffles */
    BYTES = 64,  /* of a work-item's elements */
    VECTOR = 16, /* bytes of the widest access */
    MOST_ITEMS = 16,
    LARGEST = 128, /* bytes of a type, so that a group's values fit local memory */
    GROUP_AT = 8,  /* bits of flags, below which there are those of an algorithm */
    ITEMS_AT = 20,
};

int64_t tiles_group(uint32_t flags)
{
    return flags >> GROUP_AT & ((1 << (ITEMS_AT - GROUP_AT)) - 1);
}

int64_t tiles_size(uint32_t flags)
{
    return tiles_group(flags) * (flags >> ITEMS_AT);
}

/* Of what kernels are asked for, which need not be here. */
static bool is_gpu(const algo_call *c, const tgt_target *t)
{
    const cpl_device_info *info = &c->p.device->info;
    return t->kind == TGT_CUDA || (info->kind == CPL_DEVICE_OPENCL && !info->is_cpu);
}

static bool pays(const algo_call *c, const tgt_target *t)
{
    cpl_context *cx = module_context(c->module);
    int64_t asked = context_option(cx, "tiles");
    if (c->options->interpret || c->type->size > LARGEST) return false;
    if (context_option(cx, "reproducible")) return false; /* pieces follow the order it promises */
    return asked == ALWAYS || (asked && is_gpu(c, t));
}

/* How many elements of the first argument are loaded as one; 0: it is not they that are taken in,
 * or they lie apart, or are no numbers that vectors are made of. */
static int wide(const algo_call *c)
{
    const cpl_arg *x = &c->p.args[0];
    if (!c->plain || x->dims > 1 || x->record || x->dtype == CPL_BOOL || !arg_is_contiguous(x))
        return 0;
    const cpl_type *t = arg_elements(context_types(module_context(c->module)), x);
    return type_is_scalar(t) && t->size < VECTOR ? VECTOR / (int)t->size : 0;
}

static int power_below(int64_t n)
{
    int p = 1;
    while (2 * p <= n) p *= 2;
    return p;
}

bool tiles_bind(algo_call *c)
{
    tgt_target t;
    target_parse(algo_target(c), &t);
    if (!pays(c, &t) || algo_library(c, &algo_tiles)) return false;
    int lanes = wide(c);
    int items = lanes ? lanes * (BYTES / VECTOR) : power_below(BYTES / (int64_t)c->type->size);
    if (items > MOST_ITEMS) items = MOST_ITEMS;
    const cpl_type *element =
        lanes ? arg_elements(context_types(module_context(c->module)), &c->p.args[0]) : c->type;
    c->binds[BIND_GROUP] = cpl_bind_integer(GROUP);
    c->binds[BIND_ITEMS] = cpl_bind_integer(items);
    c->binds[BIND_WIDE] = cpl_bind_integer(lanes);
    c->binds[BIND_ELEMENT] = cpl_bind_type(element);
    c->binds[BIND_COMMUTES] = cpl_bind_integer(c->commutes);
    c->binds[BIND_SHUFFLES] =
        cpl_bind_integer(type_is_scalar(c->type) && (t.kind == TGT_CUDA || t.kind == TGT_HOST));
    c->flags = (uint32_t)GROUP << GROUP_AT | (uint32_t)items << ITEMS_AT;
    return true;
}

void tiles_grid(plan_launch *l, size_t step, int64_t groups)
{
    cpl_launch_options *o = &l->steps[step];
    o->local[0] = tiles_group(l->plan->flags);
    o->global[0] = groups * o->local[0];
    o->local[1] = o->local[2] = o->global[1] = o->global[2] = 1;
}

algo_step *tiles_step(algo_call *c, const char *function)
{
    algo_step *s = step_new(c, function);
    s->form = CPL_FORM_KERNEL;
    return s;
}
