/*
 * A reduction that the module has made before, of few elements in memory of the host: its kernel is
 * found by what was asked for, with none of the steps that lead from there to it. What is not as it
 * was, or not right, is left to those.
 */
#include "runtime/algo/algo.h"

/* What a reduction is remembered by: as arguments of a request. */
typedef struct asked {
    cpl_bind type, flags;
    cpl_arg args[MOST_ARGUMENTS];
    kernel_request request;
} asked;

static void spell(asked *a, const reduce_call *r)
{
    const cpl_reduce_spec *s = r->spec;
    size_t n = 0;
    a->type = s->type ? cpl_bind_type(s->type) : (cpl_bind){0};
    a->flags = cpl_bind_integer((int64_t)s->flags);
    a->args[n++] = r->out ? *r->out : cpl_arg_int(0);
    a->args[n++] = cpl_arg_bound(&a->type);
    a->args[n++] = cpl_arg_bound(&a->flags);
    a->args[n++] = cpl_arg_bound(&s->op);
    a->args[n++] = cpl_arg_bound(&s->map);
    a->args[n++] = cpl_arg_bound(&s->neutral);
    for (size_t i = 0; i < r->count; i++) a->args[n++] = r->args[i];
    a->request = (kernel_request){.module = r->module,
                                  .function = "cpl_reduce",
                                  .args = a->args,
                                  .count = n,
                                  .checked = true};
}

static bool has_text(const cpl_bind *b)
{
    return !binds_text(b) || b->text;
}

static bool is_plain(const reduce_call *r)
{
    const cpl_reduce_spec *s = r->spec;
    const cpl_launch_options *o = r->options;
    bool plain = !o->queue && !o->event && !o->kernels && !o->interpret && !o->automatic;
    plain = plain && !s->next && r->count <= MOST_INPUTS && !cpl_module_is_ir(r->module);
    plain = plain && has_text(&s->op) && has_text(&s->map) && has_text(&s->neutral);
    plain = plain && (r->out ? r->out->kind == CPL_ARG_ARRAY && !r->out->array : !!o->result);
    for (size_t i = 0; plain && i < r->count; i++)
        plain = r->args[i].kind != CPL_ARG_ARRAY || !r->args[i].array;
    return plain;
}

/* Where the host's own queue takes it at once. */
static bool is_at_hand(cpl_context *cx)
{
    cpl_device *host = device_host(cx);
    cpl_queue *q = host ? cpl_device_queue(host) : NULL;
    return q && !q->recording && !queue_ready(q);
}

/* The result's place, if it can be one. */
static bool place_of(const reduce_call *r, const cpl_type *type, cpl_arg *place)
{
    *place = r->out ? *r->out : arg_of_elements(type, r->options->result, 1);
    bool right = place->length >= 1 && (uintptr_t)place->data % type->align == 0;
    reduce_only_one(place);
    return right;
}

/* What the kernel of the parts takes. */
static size_t values_of(const reduce_call *r, int64_t n, cpl_arg *values)
{
    size_t count = 1;
    const int64_t own[] = {n, REDUCE_LEAST, n ? divided(n, REDUCE_LEAST) : 1};
    for (size_t i = 0; i < COUNT_OF(own); i++) values[count++] = cpl_arg_int(own[i]);
    return count + args_values(r->args, r->count, values + count);
}

/* The caller's arguments, checked by themselves, and how many elements they have. */
static bool count_elements(const reduce_call *r, int64_t *n)
{
    cpl_context *cx = module_context(r->module);
    *n = r->options->n;
    if (r->out && arg_check(cx, r->count, r->out)) return false;
    return !args_check(cx, r->args, r->count) && !launch_count(cx, NULL, r->args, r->count, n);
}

static cpl_kernel *recall(const reduce_call *r)
{
    asked a;
    spell(&a, r);
    return kernel_recall(&a.request);
}

bool reduce_again(const reduce_call *r, cpl_status *status)
{
    int64_t n;
    cpl_arg values[MOST_ARGUMENTS];
    if (!is_plain(r) || !is_at_hand(module_context(r->module))) return false;
    cpl_kernel *k = recall(r);
    if (!k) return false;
    *status = CPL_EARG;
    if (!count_elements(r, &n)) return true; /* it was reported */
    const cpl_type *type = k->artifact.params[1].type->elem;
    if (n > REDUCE_FEW || !place_of(r, type, &values[0])) return false;
    size_t count = values_of(r, n, values);
    if (!kernel_is_best(k, args_facts(&k->artifact, values, count, 1))) return false;
    if (r->options->result_type) *r->options->result_type = type;
    *status = kernel_run_values(k, values, count, 1, NULL);
    return true;
}

void reduce_remember(const reduce_call *r, cpl_kernel *parts)
{
    asked a;
    if (!parts || !is_plain(r)) return;
    spell(&a, r);
    kernel_remember(&a.request, parts);
}
