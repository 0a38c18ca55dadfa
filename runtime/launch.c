/* Elementwise launches and plain calls. The host is synchronous. */
#include "runtime/runtime.h"
#include "runtime/profile.h"

#include <stdatomic.h>

/*
 * A launch finds its kernel by function name and argument codes in a list that only grows and needs
 * no lock: nodes are made under the context's lock, published with release, and live as long as the
 * module. A node counts for the settings it was made under. What a launch with small arrays
 * finds may be right for those alone: launch_version has the last word.
 */
typedef struct launch_node {
    struct launch_node *next;
    const char *function; /* the kernel's own copy */
    cpl_kernel *kernel;
    cpl_form form;
    bool wide;                /* made for large arrays: small ones get a kernel of their own */
    const char *target;       /* the kernel's own copy; NULL: the host */
    const settings *settings; /* that it was made under */
    bool distinct;
    size_t count;
    arg_code codes[];
} launch_node;

static bool same_codes(const arg_code *a, const arg_code *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].kind != b[i].kind || a[i].dtype != b[i].dtype || a[i].strided != b[i].strided ||
            a[i].integer != b[i].integer)
            return false;
    return true;
}

static bool same_target(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* What a launch is found again by. */
typedef struct launch_key {
    const settings *settings;
    const char *function, *target; /* NULL: the host */
    cpl_form form;
    bool distinct, small;
    const arg_code *codes;
    size_t count;
} launch_key;

static cpl_kernel *find_launched(cpl_module *module, const launch_key *key)
{
    const launch_node *n = atomic_load_explicit(module_launches(module), memory_order_acquire);
    for (; n; n = n->next)
        if (n->count == key->count && n->form == key->form && n->distinct == key->distinct &&
            n->settings == key->settings && !(n->wide && key->small) &&
            strcmp(n->function, key->function) == 0 &&
            same_codes(n->codes, key->codes, key->count) && same_target(n->target, key->target))
            return n->kernel;
    return NULL;
}

/* Failing to remember costs the next launch a look-up, no more. */
static void remember_launch(cpl_kernel *k, const launch_key *key)
{
    cpl_context *cx = module_context(k->module);
    size_t code_size = key->count * sizeof *key->codes;
    launch_node *n = mem_zalloc(context_mem(cx), sizeof *n + code_size);
    if (!n) return;
    *n = (launch_node){.function = k->function,
                       .kernel = k,
                       .form = key->form,
                       .wide = !key->small,
                       .target = k->target,
                       .settings = key->settings,
                       .distinct = key->distinct,
                       .count = key->count};
    memcpy(n->codes, key->codes, code_size);
    _Atomic(void *) *head = module_launches(k->module);
    pthread_mutex_lock(context_lock(cx));
    n->next = atomic_load_explicit(head, memory_order_relaxed);
    atomic_store_explicit(head, n, memory_order_release);
    pthread_mutex_unlock(context_lock(cx));
}

void launches_free(cpl_module *module)
{
    const mem *m = context_mem(module_context(module));
    for (launch_node *n = atomic_load(module_launches(module)); n;) {
        launch_node *next = n->next;
        mem_free(m, n, sizeof *n + n->count * sizeof *n->codes);
        n = next;
    }
}

typedef struct spec_storage {
    const cpl_type *types[MOST_ARGUMENTS];
    cpl_bind binds[MOST_ARGUMENTS];
    int64_t options[MOST_OPTIONS];
    cpl_spec spec;
} spec_storage;

/*
 * What is up to the launch: on devices, whatever the settings say, whether arrays are distinct; and
 * whether the compiler may rely on small arrays, unless the settings say. Which kernels do,
 * artifact.narrowed tells. All options are given: the settings may change meanwhile.
 */
static void tell_launch(const launch_key *key, spec_storage *s)
{
    kernel_option known[3];
    size_t count = 0, value_count;
    if (!key->target && settings_option(key->settings, "tallies") == IN_LAUNCHES)
        known[count++] = (kernel_option){"tallies", PROMISED};
    if (key->target) known[count++] = (kernel_option){"distinct", key->distinct};
    if (settings_option(key->settings, "index32") == IN_LAUNCHES)
        known[count++] = (kernel_option){"index32", key->small ? PROMISED : NEVER};
    const int64_t *values = settings_values(key->settings, &value_count);
    s->spec.option_count = kernel_options(s->options, values, value_count, known, count);
    s->spec.options = s->options;
}

static cpl_status make_spec(cpl_module *module, const launch_key *key, spec_storage *s)
{
    cpl_spec_init(&s->spec);
    s->spec.form = key->form;
    s->spec.target = key->target;
    tell_launch(key, s);
    if (cpl_module_is_ir(module)) return CPL_OK; /* its functions carry their types */
    s->spec.types = s->types;
    s->spec.type_count = key->count;
    s->spec.binds = s->binds;
    s->spec.bind_count = args_binds(key->codes, key->count, s->binds);
    return args_types(module_context(module), key->codes, key->count, s->types);
}

cpl_status launch_kernel_for(cpl_module *module, const char *function, cpl_form form,
                             const char *target, bool distinct, const cpl_arg *args, size_t count,
                             int64_t rounds, cpl_kernel **kernel)
{
    arg_code codes[MOST_ARGUMENTS];
    cpl_context *cx = module_context(module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    cpl_status status = args_codes(module, args, count, codes);
    if (status) return status;
    if (!function) function = cpl_module_default_function(module);
    launch_key key = {.settings = context_settings(cx),
                      .function = function,
                      .target = target,
                      .form = form,
                      .distinct = distinct,
                      .small = args_small(args, count, rounds == NO_QUICK_CODE ? 0 : rounds),
                      .codes = codes,
                      .count = count};
    if (function && (*kernel = find_launched(module, &key))) {
        context_count_hit(cx);
        return CPL_OK;
    }
    spec_storage s;
    status = make_spec(module, &key, &s);
    if (!status) status = kernel_for_launch(module, function, &s.spec, rounds, kernel);
    if (status) return status;
    remember_launch(*kernel, &key);
    cpl_kernel_release(*kernel);
    return CPL_OK;
}

cpl_status launch_count(cpl_context *cx, const cpl_arg *args, size_t count, int64_t *n)
{
    if (*n >= 0) return CPL_OK;
    if (*n != CPL_AUTO) return context_report(cx, CPL_EARG, "the number of iterations is negative");
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY) {
            *n = args[i].length;
            return CPL_OK;
        }
    return context_report(
        cx, CPL_EARG,
        "the number of iterations is not given and there is no array to take it from");
}

cpl_status cpl_elementwise_kernel(cpl_module *module, const char *function, const cpl_arg *args,
                                  size_t count, cpl_kernel **kernel)
{
    if (kernel) *kernel = NULL;
    if (!module || !kernel || (count && !args)) return CPL_EARG;
    if (args_have_arrays(args, count))
        return cpl_elementwise_kernel_for(module, function, NULL, args, count, kernel);
    cpl_status status = launch_kernel_for(module, function, CPL_FORM_ELEMENTWISE, NULL, false, args,
                                          count, NO_QUICK_CODE, kernel);
    if (status) return status;
    kernel_settle(*kernel);
    cpl_kernel_retain(*kernel);
    return status;
}

/* The code to run for so many rounds. */
static packed_fn code_of(cpl_kernel *k, int64_t rounds)
{
    if (atomic_load_explicit(&k->quick, memory_order_acquire) && rounds > k->artifact.quick_rounds)
        tier_finish(k);
    return atomic_load_explicit(&k->packed, memory_order_acquire);
}

void kernel_run(cpl_kernel *k, const binding *b, int64_t rounds, void *result)
{
    code_of(k, rounds)(b->pointers, result);
}

/* Runs a kernel and records it. */
static void run_profiled(cpl_kernel *k, packed_fn packed, const binding *b, const cpl_arg *args,
                         size_t count, void *result)
{
    cpl_context *cx = module_context(k->module);
    profile_event e = {.what = CPL_PROFILE_KERNEL,
                       .name = k->function,
                       .device = "host",
                       .begin_ns = profile_now(cx)};
    packed(b->pointers, result);
    e.end_ns = profile_now(cx);
    for (size_t i = 0; i < count; i++)
        if (args[i].kind == CPL_ARG_ARRAY)
            e.bytes += (uint64_t)args[i].length * (args[i].record ? cpl_type_size(args[i].record)
                                                                  : cpl_dtype_size(args[i].dtype));
    profile_add(cx, &e);
}

static cpl_status run_bound(cpl_kernel *k, binding *b, const cpl_arg *args, size_t count,
                            int64_t rounds, void *result)
{
    packed_fn packed = code_of(k, rounds);
    if (profile_on(module_context(k->module))) run_profiled(k, packed, b, args, count, result);
    else packed(b->pointers, result);
    return b->fault.taken ? cpl_kernel_report(k, &b->fault) : CPL_OK;
}

cpl_status launch_version(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n,
                          args_sharing sharing, cpl_kernel **out)
{
    kernel_option changes[3];
    size_t change_count = 0;
    if (k->artifact.narrowed && !args_small(args, count, n))
        changes[change_count++] = (kernel_option){"index32", NEVER};
    if (k->artifact.tallied && sharing != ARGS_APART)
        changes[change_count++] = (kernel_option){"tallies", NEVER};
    if (sharing == ARGS_CROSS) changes[change_count++] = (kernel_option){"in_order", 1};
    if (change_count) return kernel_variant(k, changes, change_count, out);
    cpl_kernel_retain(*out = k);
    return CPL_OK;
}

/* Runs another version of the kernel. */
static cpl_status run_version(cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n,
                              args_sharing sharing, int64_t rounds, void *result)
{
    cpl_kernel *version;
    binding b;
    cpl_status status = launch_version(k, args, count, n, sharing, &version);
    if (status) return status;
    status = args_bind(module_context(k->module), &version->artifact, args, count, n, &b);
    if (!status) status = run_bound(version, &b, args, count, rounds, result);
    cpl_kernel_release(version);
    return status;
}

cpl_status cpl_elementwise_run(cpl_kernel *kernel, cpl_queue *queue, const cpl_arg *args,
                               size_t count, int64_t n, cpl_event **event)
{
    if (event) *event = NULL;
    if (!kernel || (count && !args)) return CPL_EARG;
    if (queue || kernel->target || args_have_arrays(args, count))
        return device_elementwise_run(kernel, queue, args, count, n, event);
    cpl_context *cx = module_context(kernel->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (!kernel->artifact.elementwise)
        return context_report(cx, CPL_EARG, "'%s' is not an elementwise function",
                              kernel->function);
    if (count > MOST_ARGUMENTS)
        return context_report(cx, CPL_ELIMIT, "more than %d arguments", MOST_ARGUMENTS);
    cpl_status status = launch_count(cx, args, count, &n);
    if (status) return status;
    binding b;
    const artifact *a = &kernel->artifact;
    status = args_bind(cx, a, args, count, n, &b);
    if (status) return status;
    uint64_t nothing[2];
    args_sharing sharing = args_share(a, args, count);
    bool fits =
        (!a->narrowed || args_small(args, count, n)) && (!a->tallied || sharing == ARGS_APART);
    if (fits && sharing != ARGS_CROSS) return run_bound(kernel, &b, args, count, n, nothing);
    return run_version(kernel, args, count, n, sharing, n, nothing);
}

cpl_status cpl_elementwise(cpl_module *module, const char *function, cpl_queue *queue,
                           const cpl_arg *args, size_t count, int64_t n, cpl_event **event)
{
    if (event) *event = NULL;
    if (!module || (count && !args)) return CPL_EARG;
    if (queue || args_have_arrays(args, count))
        return device_elementwise(module, function, queue, args, count, n, event);
    cpl_kernel *k;
    cpl_status status = launch_count(module_context(module), args, count, &n);
    if (!status)
        status = launch_kernel_for(module, function, CPL_FORM_ELEMENTWISE, NULL, false, args, count,
                                   n, &k);
    if (status) return status;
    if (!args_have_bound(args, count)) return cpl_elementwise_run(k, queue, args, count, n, event);
    cpl_arg values[MOST_ARGUMENTS];
    return cpl_elementwise_run(k, queue, values, args_values(args, count, values), n, event);
}

cpl_status call_host(cpl_module *module, const char *function, const cpl_arg *args, size_t count,
                     void *result, cpl_kernel **ran)
{
    cpl_context *cx = module_context(module);
    cpl_kernel *k;
    *ran = NULL;
    cpl_status status =
        launch_kernel_for(module, function, CPL_FORM_FUNCTION, NULL, false, args, count, 1, &k);
    if (status) return status;
    *ran = k;
    binding b;
    uint64_t ignored[2];
    cpl_arg values[MOST_ARGUMENTS];
    if (args_have_bound(args, count)) {
        count = args_values(args, count, values);
        args = values;
    }
    status = args_bind(cx, &k->artifact, args, count, 0, &b);
    if (status) return status;
    if (!result) result = ignored;
    bool fits = !k->artifact.narrowed || args_small(args, count, 0);
    if (fits) return run_bound(k, &b, args, count, 1, result);
    /* as the caller orders the arrays */
    return run_version(k, args, count, 0, ARGS_APART, 1, result);
}

cpl_status cpl_call(cpl_module *module, const char *function, const cpl_arg *args, size_t count,
                    void *result, const cpl_type **result_type)
{
    if (!module || (count && !args)) return CPL_EARG;
    if (args_have_arrays(args, count))
        return cpl_call_on(module, function, NULL, args, count, result, result_type);
    cpl_kernel *k;
    cpl_status status = call_host(module, function, args, count, result, &k);
    if (k && result_type) *result_type = k->artifact.result;
    return status;
}
