/* The kernels of an algorithm: what each is specialised for, and what it is launched with. */
#include "runtime/algo/algo.h"

algo_step *step_new(algo_call *c, const char *function)
{
    algo_step *s = &c->steps[c->step_count++];
    s->function = function;
    s->form = CPL_FORM_ELEMENTWISE;
    s->lanes = LANES_NONE;
    s->elements = c->n;
    s->each = STEP_GUESSED;
    s->whole = false;
    s->count = 0;
    return s;
}

/* Room for an argument, which is large: it is written in its place. */
static cpl_arg *push(algo_step *s, uint8_t from)
{
    s->from[s->count] = from;
    return &s->args[s->count++];
}

static bool is_array(algo_own own)
{
    return own <= OWN_VARYING;
}

/* Without memory: what it is decides on the kernel. */
static void write_example(cpl_arg *arg, const cpl_type *type, algo_own own)
{
    *arg = (cpl_arg){.kind = CPL_ARG_SCALAR, .dtype = CPL_INT64};
    if (!is_array(own)) return;
    arg->kind = CPL_ARG_ARRAY;
    arg->dtype = own == OWN_FLAG ? CPL_BOOL : own > OWN_FLAG ? CPL_INT64 : type->dtype;
    if (own < OWN_FLAG && type_is_struct(type)) arg->record = type;
}

void step_own(algo_call *c, algo_step *s, const algo_own *own, size_t count)
{
    for (size_t i = 0; i < count; i++) write_example(push(s, PLAN_OWN(own[i])), c->type, own[i]);
}

static void bind(algo_step *s, const cpl_bind *what)
{
    *push(s, NO_VALUE) = (cpl_arg){.kind = CPL_ARG_BOUND, .data = (void *)what};
}

void step_bind(const cpl_bind *from, algo_step *s, const algo_bind *binds, size_t count)
{
    for (size_t i = 0; i < count; i++) bind(s, &from[binds[i]]);
}

void step_flag(algo_step *s, int value)
{
    static const cpl_bind numbers[] = {
        {CPL_BIND_INTEGER, 0, NULL, NULL, {0}}, {CPL_BIND_INTEGER, 1, NULL, NULL, {0}},
        {CPL_BIND_INTEGER, 2, NULL, NULL, {0}}, {CPL_BIND_INTEGER, 3, NULL, NULL, {0}},
        {CPL_BIND_INTEGER, 4, NULL, NULL, {0}},
    };
    bind(s, &numbers[value]);
}

void step_given(algo_call *c, algo_step *s, size_t index)
{
    bool bound = c->p.args[index].kind == CPL_ARG_BOUND;
    *push(s, bound ? NO_VALUE : (uint8_t)index) = c->p.args[index];
}

void step_maybe(algo_call *c, algo_step *s, size_t index)
{
    if (index == NO_ARGUMENT) step_flag(s, 0);
    else step_given(c, s, index);
}

void step_range(algo_call *c, algo_step *s, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) step_given(c, s, i);
}

const char *algo_target(const algo_call *c)
{
    const cpl_kernels *asked = c->options->kernels;
    if (asked && asked->target) return asked->target;
    return c->p.queue->compiles;
}

static kernel_request request_of(algo_call *c, const algo_step *s)
{
    return (kernel_request){.module = c->module,
                            .function = s->function,
                            .form = s->form,
                            .target = algo_target(c),
                            .args = s->args,
                            .count = s->count,
                            .n = s->elements / s->each + 1,
                            .checked = true,
                            .lanes = s->lanes,
                            .opaque = place_is_opaque(&c->p),
                            .lasting = c->p.queue->recording != NULL};
}

cpl_status step_kernel(algo_call *c, const algo_step *s, cpl_kernel **kernel)
{
    if (c->failed) return c->failed;
    const kernel_request r = request_of(c, s);
    return kernel_for_args(&r, kernel);
}

/* For who asked for the kernels alone; each once. */
static cpl_status hand_out(cpl_kernels *to, cpl_kernel *kernel)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->kernels[i] == kernel) return CPL_OK;
    if (to->count == CPL_MAX_KERNELS)
        return context_report(module_context(kernel->module), CPL_ELIMIT,
                              "the call has more than %d kernels", CPL_MAX_KERNELS);
    cpl_status status = kernel_settle(kernel);
    if (status) return status;
    cpl_kernel_retain(kernel);
    to->kernels[to->count++] = kernel;
    return CPL_OK;
}

cpl_status step_launch(algo_call *c, const algo_step *s, cpl_kernel *kernel, const int64_t *own)
{
    if (c->options->kernels) return hand_out(c->options->kernels, kernel);
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
            status = place_more(&p, &number, NULL);
        }
    }
    if (!status && s->whole) status = place_check_whole(&p, kernel);
    if (status || s->form == CPL_FORM_ELEMENTWISE)
        return status ? status : submit(kernel, &p, c->options, 1, NULL);
    cpl_launch_options one = *c->options;
    one.global[0] = one.local[0] = tiles_group(c->flags);
    one.global[1] = one.global[2] = one.local[1] = one.local[2] = 1;
    return submit(kernel, &p, &one, 1, NULL);
}

/* --- as a plan --- */

_Static_assert(MOST_STEPS <= CPL_MAX_KERNELS, "whoever asks for kernels has room for them");

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

static cpl_status hand_out_all(algo_call *c)
{
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < c->step_count && !status; i++) {
        cpl_kernel *k;
        status = step_kernel(c, &c->steps[i], &k);
        if (!status) status = hand_out(c->options->kernels, k);
    }
    return status;
}

/*
 * Where the first step of several is still to be compiled, begins to compile all, side by side:
 * whoever asks for one of their kernels then waits for it, and is told what is wrong with it. What
 * cannot be begun is compiled when its turn comes.
 */
static void begin_all(algo_call *c, cpl_compile *jobs[MOST_STEPS])
{
    cpl_diag_list *said;
    kernel_request r = request_of(c, &c->steps[0]);
    memset(jobs, 0, MOST_STEPS * sizeof *jobs);
    if (c->step_count < 2 || kernel_recall(&r) || cpl_diag_list_create(&said)) return;
    cpl_diag_list *before = cpl_diag_list_use(said);
    for (size_t i = 0; i < c->step_count; i++) {
        r = request_of(c, &c->steps[i]);
        compile_begin(&r, kernel_for_args, true, &jobs[i]);
    }
    cpl_diag_list_use(before);
    cpl_diag_list_free(said);
}

/* All are looked up. */
static cpl_status launch_all(algo_call *c, making *m)
{
    cpl_compile *jobs[MOST_STEPS];
    plan once = {0};
    if (c->failed) return c->failed;
    begin_all(c, jobs);
    cpl_status status = make_plan(m, NULL, &once);
    if (!status) status = plan_submit(&once, &c->p, c->options, c->n);
    for (size_t i = 0; i < MOST_STEPS; i++) cpl_compile_release(jobs[i]);
    return status;
}

cpl_status steps_launch(algo_call *c, size_t key, cpl_status (*rule)(plan_launch *l))
{
    cpl_kernel *found;
    plan *p;
    making m = {c, key, rule};
    if (c->options->kernels) return hand_out_all(c);
    if (key == NO_KEY) return launch_all(c, &m);
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

void own_array_of(plan_launch *l, algo_own own, const cpl_type *type, int64_t length)
{
    write_example(&l->own[own], type, own);
    l->own[own].length = length;
}

void own_array(plan_launch *l, algo_own own, int64_t length)
{
    own_array_of(l, own, element_type(l->plan), length);
}

void own_number(plan_launch *l, algo_own own, int64_t value)
{
    write_example(&l->own[own], NULL, own);
    l->own[own].value.i = value;
}

static const artifact_param *param_of(const artifact *a, size_t i)
{
    for (size_t k = 0; k < a->param_count; k++)
        if (a->params[k].role == PARAM_ARG && a->params[k].arg == i) return &a->params[k];
    return NULL;
}

const cpl_type *own_type(const plan_launch *l, algo_own own)
{
    for (size_t k = 0; k < l->plan->step_count; k++) {
        const plan_step *s = &l->plan->steps[k];
        for (size_t i = 0; i < s->count; i++)
            if (s->args[i] == PLAN_OWN(own)) return param_of(&s->kernel->artifact, i)->type->elem;
    }
    return NULL;
}
