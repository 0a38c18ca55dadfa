/*
 * A reduction or a scan that the module has made before, of few elements in memory of the host: its
 * kernel is found by what was asked for, with none of the steps that lead from there to it. What is
 * not as it was, or not right, is left to those.
 */
#include "runtime/algo/algo.h"

/* Either of them. */
typedef struct call {
    const char *function;
    cpl_module *module;
    const cpl_launch_options *options;
    const cpl_type *type;
    uint64_t flags;
    const cpl_bind *binds[5];
    size_t bind_count;
    const cpl_arg *out, *args; /* out: NULL: what is written is among args, or options->result */
    size_t count;
    int64_t most; /* elements that the kernel is good for */
} call;

void reduce_only_one(cpl_arg *out)
{
    out->length = 1;
    out->stride = 0;
    out->dims = 0;
}

static call of_reduce(const reduce_call *r)
{
    const cpl_reduce_spec *s = r->spec;
    return (call){
        "cpl_reduce", r->module, r->options, s->type,   s->flags, {&s->op, &s->map, &s->neutral}, 3,
        r->out,       r->args,   r->count,   REDUCE_FEW};
}

/* n: elements, as far as is known. */
static call of_scan(const scan_call *r, int64_t n)
{
    const cpl_scan_spec *s = r->spec;
    return (call){"cpl_scan",
                  r->module,
                  r->options,
                  s->type,
                  s->flags,
                  {&s->op, &s->neutral, &s->input, &s->segment, &s->output},
                  5,
                  NULL,
                  r->args,
                  r->count,
                  n <= SCAN_PIECE ? SCAN_PIECE : REDUCE_FEW};
}

/* What it is remembered by: as arguments of a request. */
typedef struct asked {
    cpl_bind type, flags, most;
    cpl_arg args[MOST_ARGUMENTS];
    kernel_request request;
} asked;

static void spell(asked *a, const call *c)
{
    size_t n = 0;
    a->type = c->type ? cpl_bind_type(c->type) : (cpl_bind){0};
    a->flags = cpl_bind_integer((int64_t)c->flags);
    a->most = cpl_bind_integer(c->most);
    a->args[n++] = c->out ? *c->out : cpl_arg_int(0);
    a->args[n++] = cpl_arg_bound(&a->type);
    a->args[n++] = cpl_arg_bound(&a->flags);
    a->args[n++] = cpl_arg_bound(&a->most);
    for (size_t i = 0; i < c->bind_count; i++) a->args[n++] = cpl_arg_bound(c->binds[i]);
    for (size_t i = 0; i < c->count; i++) a->args[n++] = c->args[i];
    a->request = (kernel_request){
        .module = c->module, .function = c->function, .args = a->args, .count = n, .checked = true};
}

static bool has_text(const cpl_bind *b)
{
    return !binds_text(b) || b->text;
}

/* Whether its code can be told: what else may be wrong with an argument is found behind that. */
static bool has_code(const cpl_arg *a)
{
    if (a->kind == CPL_ARG_BOUND) return a->data && has_text(a->data);
    return a->kind != CPL_ARG_ARRAY || (!a->array && (arg_is_bare(a) || !arg_bad_shape(a)));
}

static bool is_plain(const call *c)
{
    const cpl_launch_options *o = c->options;
    bool plain =
        !o->queue && !o->event && !o->kernels && !o->interpret && !o->automatic && !o->choose;
    plain = plain && c->count <= MOST_INPUTS && !cpl_module_is_ir(c->module);
    for (size_t i = 0; i < c->bind_count; i++) plain = plain && has_text(c->binds[i]);
    for (size_t i = 0; plain && i < c->count; i++) plain = has_code(&c->args[i]);
    return plain;
}

/* The result of a reduction goes to memory of the caller's. */
static bool is_plain_reduction(const reduce_call *r, const call *c)
{
    const cpl_arg *out = r->out;
    bool plain = out ? out->kind == CPL_ARG_ARRAY && has_code(out) : !!r->options->result;
    return plain && !r->spec->next && is_plain(c);
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
    bool right =
        place->length >= 1 && (uintptr_t)place->data % type->align == 0 && !place->readonly;
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
static bool count_elements(const call *c, int64_t *n)
{
    cpl_context *cx = module_context(c->module);
    *n = c->options->n;
    if (c->out && arg_check_result(cx, REDUCE_PLACE, c->out)) return false;
    return !args_check(cx, c->args, c->count) && !launch_count(cx, NULL, c->args, c->count, n);
}

/* Few, and no array is shorter. */
static bool is_few(const call *c, int64_t n)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].kind == CPL_ARG_ARRAY && c->args[i].length < n) return false;
    return n <= c->most;
}

/* NULL: none was remembered, or it is not the time for it. */
static cpl_kernel *recall(const call *c)
{
    asked a;
    if (!is_at_hand(module_context(c->module))) return NULL;
    spell(&a, c);
    return kernel_recall(&a.request);
}

static void remember(const call *c, cpl_kernel *k)
{
    asked a;
    spell(&a, c);
    kernel_remember(&a.request, k);
}

bool reduce_again(const reduce_call *r, cpl_status *status)
{
    int64_t n;
    cpl_arg values[MOST_ARGUMENTS];
    const call c = of_reduce(r);
    cpl_kernel *k = is_plain_reduction(r, &c) ? recall(&c) : NULL;
    if (!k) return false;
    *status = CPL_EARG;
    if (!count_elements(&c, &n)) return true; /* it was reported */
    const cpl_type *type = k->artifact.params[1].type->elem;
    if (!is_few(&c, n) || !place_of(r, type, &values[0])) return false;
    size_t count = values_of(r, n, values);
    if (!kernel_is_best(k, args_facts(&k->artifact, values, count, 1, 0))) return false;
    if (r->options->result_type) *r->options->result_type = type;
    *status = kernel_run_values(k, values, count, 1, NULL);
    return true;
}

void reduce_remember(const reduce_call *r, cpl_kernel *parts)
{
    const call c = of_reduce(r);
    if (parts && is_plain_reduction(r, &c)) remember(&c, parts);
}

/* --- scans --- */

/* What the kernel of few pieces takes: where items go, unless the caller's output takes them. */
static size_t values_of_scan(const scan_call *s, int64_t n, cpl_arg *values)
{
    size_t count = 0;
    if (s->spec->output.kind == CPL_BIND_NONE) values[count++] = s->args[s->count - 1];
    values[count++] = cpl_arg_int(n);
    return count + args_values(s->args, s->count, values + count);
}

/* Whether items may go where they are to. */
static bool may_write(const scan_call *s)
{
    return s->spec->output.kind != CPL_BIND_NONE || !s->args[s->count - 1].readonly;
}

/* Before anything was checked. */
static int64_t asked_for(const scan_call *s)
{
    if (s->options->n >= 0) return s->options->n;
    for (size_t i = 0; i < s->count; i++)
        if (s->args[i].kind == CPL_ARG_ARRAY) return s->args[i].length;
    return 0;
}

bool scan_again(const scan_call *s, cpl_status *status)
{
    int64_t n;
    cpl_arg values[MOST_ARGUMENTS];
    const call c = of_scan(s, asked_for(s));
    cpl_kernel *k = is_plain(&c) ? recall(&c) : NULL;
    if (!k) return false;
    *status = CPL_EARG;
    if (!count_elements(&c, &n)) return true; /* it was reported */
    if (!is_few(&c, n) || !may_write(s)) return false;
    size_t count = values_of_scan(s, n, values);
    if (!kernel_is_best(k, args_facts(&k->artifact, values, count, 1, 0))) return false;
    *status = kernel_run_values(k, values, count, 1, NULL);
    return true;
}

void scan_remember(const scan_call *s, int64_t n, cpl_kernel *few)
{
    const call c = of_scan(s, n);
    if (few && is_plain(&c)) remember(&c, few);
}
