/* The kernels of an algorithm: what each is specialised for, and what it is launched with. */
#include "runtime/algo/algo.h"

algo_step *step_new(algo_call *c, const char *function)
{
    algo_step *s = &c->steps[c->step_count++];
    s->function = function;
    s->count = 0;
    return s;
}

static void push(algo_step *s, cpl_arg arg, uint8_t from)
{
    s->args[s->count] = arg;
    s->from[s->count++] = from;
}

static bool is_array(algo_own own)
{
    return own <= OWN_FLAG;
}

/* Without memory: what it is decides on the kernel. */
static cpl_arg example(const cpl_type *type, algo_own own)
{
    if (!is_array(own)) return (cpl_arg){.kind = CPL_ARG_SCALAR, .dtype = CPL_INT64};
    return own == OWN_FLAG ? cpl_arg_array(CPL_BOOL, NULL, 0) : arg_of_elements(type, NULL, 0);
}

void step_own(algo_call *c, algo_step *s, const algo_own *own, size_t count)
{
    for (size_t i = 0; i < count; i++) push(s, example(c->type, own[i]), PLAN_OWN(own[i]));
}

void step_bind(algo_call *c, algo_step *s, const algo_bind *binds, size_t count)
{
    for (size_t i = 0; i < count; i++) push(s, cpl_arg_bound(&c->binds[binds[i]]), NO_VALUE);
}

void step_flag(algo_step *s, int value)
{
    static const cpl_bind numbers[] = {
        {CPL_BIND_INTEGER, 0, NULL, NULL, {0}},
        {CPL_BIND_INTEGER, 1, NULL, NULL, {0}},
        {CPL_BIND_INTEGER, 2, NULL, NULL, {0}},
    };
    push(s, cpl_arg_bound(&numbers[value]), NO_VALUE);
}

void step_given(algo_call *c, algo_step *s, size_t index)
{
    bool bound = c->p.args[index].kind == CPL_ARG_BOUND;
    push(s, c->p.args[index], bound ? NO_VALUE : (uint8_t)index);
}

void step_range(algo_call *c, algo_step *s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) step_given(c, s, i);
}

/* Whether quick code does for a launch is decided by its rounds, of which each is taken for as many
 * as this: lib/driver/work.c. */
enum { GUESSED = 64 };

cpl_status step_kernel(algo_call *c, const algo_step *s, cpl_kernel **kernel)
{
    kernel_request r = {.module = c->module,
                        .function = s->function,
                        .form = CPL_FORM_ELEMENTWISE,
                        .target = is_host(c->p.device) ? NULL : c->p.queue->target,
                        .args = s->args,
                        .count = s->count,
                        .n = c->n / GUESSED + 1,
                        .scattered = true,
                        .opaque = place_is_opaque(&c->p),
                        .lasting = c->p.queue->recording != NULL};
    return kernel_for_args(&r, kernel);
}

cpl_status step_launch(algo_call *c, const algo_step *s, cpl_kernel *kernel, const int64_t *own)
{
    placed p;
    p.device = c->p.device;
    p.queue = c->p.queue;
    p.count = 0;
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < s->count && !status; i++) {
        cpl_arg number = s->args[i];
        if (s->from[i] == NO_VALUE) continue;
        if (s->from[i] < MOST_ARGUMENTS) place_take(&p, p.count++, &c->p, s->from[i]);
        else {
            number.value.i = *own++;
            status = place_more(&p, &number);
        }
    }
    return status ? status : submit(kernel, &p, c->options, 1);
}

/* --- as a plan --- */

typedef struct making {
    algo_call *call;
    size_t key;
    cpl_status (*rule)(plan_launch *l);
} making;

static void take_values(const algo_step *s, plan_step *to)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->from[i] != NO_VALUE) to->args[to->count++] = s->from[i];
}

static cpl_status make_plan(void *user, cpl_kernel *key, plan *p)
{
    const making *m = user;
    algo_call *c = m->call;
    p->rule = m->rule;
    p->flags = c->flags;
    p->arg_count = c->p.count;
    p->own_count = OWN_COUNT_OF;
    p->step_count = c->step_count;
    for (size_t i = 0; i < c->step_count; i++) {
        plan_step *s = &p->steps[i];
        take_values(&c->steps[i], s);
        s->kernel = key;
        cpl_status status = i == m->key ? CPL_OK : step_kernel(c, &c->steps[i], &s->kernel);
        if (status) return status;
    }
    return CPL_OK;
}

cpl_status steps_launch(algo_call *c, size_t key, cpl_status (*rule)(plan_launch *l))
{
    cpl_kernel *found;
    plan *p;
    making m = {c, key, rule};
    cpl_status status = step_kernel(c, &c->steps[key], &found);
    if (!status) status = plan_find(found, make_plan, &m, &p);
    return status ? status : plan_submit(p, &c->p, c->options, c->n);
}

/* --- in rules --- */

/* The result's type: that of an array of the plan's which the first step writes. */
static const cpl_type *element_type(const plan *p)
{
    return p->steps[0].kernel->artifact.params[1].type->elem;
}

void own_array(plan_launch *l, algo_own own, int64_t length)
{
    l->own[own] = example(element_type(l->plan), own);
    l->own[own].length = length;
}

void own_number(plan_launch *l, algo_own own, int64_t value)
{
    l->own[own] = example(NULL, own);
    l->own[own].value.i = value;
}
