/*
 * From arguments to the code that they run: what is known of them (facts), the kernel for their
 * types, and its version that is right for both. A version is told facts, and relies on some of
 * them; where those do not hold it makes way for one that was told less.
 */
#include "runtime/runtime.h"

#include <stdatomic.h>

/* Caches keep little of what is twice their size, and all of what a few rounds write. */
static uint64_t large_bytes(cpl_context *cx, int64_t n)
{
    enum { FEW_ROUNDS = 1 << 10 };
    uint64_t asked = (uint64_t)context_option(cx, OPT_large_bytes);
    return asked ? asked : n < FEW_ROUNDS ? 0 : 2 * context_cache_bytes(cx);
}

uint32_t kernel_facts(cpl_context *cx, const char *target, const artifact *a, const cpl_arg *args,
                      size_t count, int64_t n)
{
    return args_facts(a, args, count, n, target ? 0 : large_bytes(cx, n));
}

bool kernel_bind_at_a_glance(const cpl_kernel *k, const cpl_arg *args, size_t count, int64_t n,
                             binding *b)
{
    uint64_t large = k->target ? 0 : large_bytes(module_context(k->module), n);
    return k->glances && kernel_suits(k, GLANCE_FACTS) &&
           glance_bind(&k->artifact, args, count, n, large ? large : UINT64_MAX, b);
}

/* Of a request. A plain function is called in the order that its caller chose, devices refuse what
 * would have to run in order, and what is kept for later launches runs in order where those ask. */
static uint32_t facts_of(const kernel_request *r, const artifact *a)
{
    cpl_context *cx = module_context(r->module);
    /* typed IR says itself what its entries are */
    bool rounds = a ? a->elementwise : r->form == CPL_FORM_ELEMENTWISE;
    uint32_t facts = kernel_facts(cx, r->target, a, r->args, r->count, r->n);
    if (r->opaque) facts &= ~(uint32_t)CPL_FACT_APART;
    if (r->target || r->lasting || !rounds) facts &= ~(uint32_t)CPL_FACT_IN_ORDER;
    return facts;
}

/* --- versions --- */

static uint32_t told(const cpl_kernel *k, uint32_t facts)
{
    return facts & (k->allowed | CPL_FACT_IN_ORDER);
}

cpl_status kernel_version(cpl_kernel *k, uint32_t facts, cpl_kernel **version)
{
    *version = k;
    if (kernel_suits(k, facts)) return CPL_OK;
    for (cpl_kernel *v = kernel_versions(k); v; v = v->next_version)
        if (kernel_suits(v, facts)) {
            *version = v;
            return CPL_OK;
        }
    return kernel_make_version(k, told(k, facts), version);
}

bool kernel_is_best(const cpl_kernel *k, uint32_t facts)
{
    return kernel_suits(k, facts) && !(told(k, facts) & ~k->artifact.facts) &&
           !(k->artifact.facts & ~facts & CPL_FACT_IN_ORDER);
}

static cpl_status best_version(cpl_kernel *k, uint32_t facts, cpl_kernel **version)
{
    *version = k;
    if (kernel_is_best(k, facts)) return CPL_OK;
    for (cpl_kernel *v = kernel_versions(k); v; v = v->next_version)
        if (kernel_is_best(v, facts)) {
            *version = v;
            return CPL_OK;
        }
    return kernel_make_version(k, told(k, facts), version);
}

cpl_status kernel_for_callers(const cpl_kernel *k, const cpl_kernel **version)
{
    cpl_kernel *found = (cpl_kernel *)k;
    cpl_status status = k->target ? CPL_OK : kernel_version(found, k->promised, &found);
    if (!status) status = kernel_settle(found); /* callers have no code in turn */
    *version = found;
    return status;
}

const artifact *kernel_face(const cpl_kernel *k)
{
    if (!(k->artifact.relies & CPL_FACT_APART)) return &k->artifact;
    return kernel_for_callers(k, &k) ? NULL : &k->artifact;
}

/* --- remembered launches --- */

/*
 * A launch finds its kernel by function name and argument codes in lists that only grow and need no
 * lock: nodes are made under the context's lock, published with release, and live as long as the
 * module. A node counts for the settings it was made under.
 */
typedef struct launch_node {
    struct launch_node *next;
    const char *function; /* the kernel's own copy, or static */
    cpl_kernel *kernel;   /* any version; NULL: only the type was asked for */
    inferred inferred;    /* of the function, where that was asked for */
    cpl_form form;
    const char *target;       /* the kernel's own copy; NULL: the host */
    const settings *settings; /* that it was made under */
    size_t count;
    arg_code codes[];
} launch_node;

enum { LAUNCH_LISTS = 256 };

/* A module's. */
typedef struct launch_table {
    launch_memory memory;                       /* first */
    _Atomic(launch_node *) lists[LAUNCH_LISTS]; /* by place_of */
} launch_table;

/* What a launch is found again by. */
typedef struct launch_key {
    const settings *settings;
    const char *function;
    const kernel_request *request;
    const arg_code *codes;
} launch_key;

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

/* The list that a launch is in. */
static size_t place_of(const launch_key *key)
{
    uint64_t h = (uintptr_t)key->settings >> 6;
    for (const char *c = key->function; *c; c++) h = h * 31 + (unsigned char)*c;
    for (size_t i = 0; i < key->request->count; i++)
        h = h * 31 + key->codes[i].kind * 16u + key->codes[i].dtype +
            (uint64_t)key->codes[i].integer;
    return (h ^ h >> 12 ^ h >> 24) % LAUNCH_LISTS;
}

static const launch_node *find_launched(const launch_key *key)
{
    const kernel_request *r = key->request;
    launch_table *t = atomic_load_explicit(module_launches(r->module), memory_order_acquire);
    if (!t) return NULL;
    const launch_node *n = atomic_load_explicit(&t->lists[place_of(key)], memory_order_acquire);
    for (; n; n = n->next)
        if (n->count == r->count && n->form == r->form && n->settings == key->settings &&
            strcmp(n->function, key->function) == 0 && same_codes(n->codes, key->codes, r->count) &&
            same_target(n->target, r->target))
            return n;
    return NULL;
}

static void free_node(const mem *m, launch_node *n)
{
    mem_free(m, n, sizeof *n + n->count * sizeof *n->codes);
}

static void launches_free(cpl_module *module, launch_memory *all)
{
    const mem *m = context_mem(module_context(module));
    launch_table *t = (launch_table *)all;
    for (size_t i = 0; i < LAUNCH_LISTS; i++)
        for (launch_node *n = atomic_load(&t->lists[i]), *next; n; n = next) {
            next = n->next;
            free_node(m, n);
        }
    mem_free(m, t, sizeof *t);
}

/* The module's table, made where there is none; NULL when out of memory. The lock is held. */
static launch_table *table_for(cpl_module *m)
{
    _Atomic(void *) *at = module_launches(m);
    launch_table *t = atomic_load_explicit(at, memory_order_relaxed);
    if (t || !(t = mem_zalloc(context_mem(module_context(m)), sizeof *t))) return t;
    t->memory.free = launches_free;
    atomic_store_explicit(at, t, memory_order_release);
    return t;
}

/* Failing to remember costs the next launch a look-up, no more. */
static void remember(const launch_key *key, const launch_node *what)
{
    cpl_module *m = key->request->module;
    cpl_context *cx = module_context(m);
    size_t count = key->request->count, code_size = count * sizeof *key->codes;
    launch_node *n = kernels_ready(m) ? mem_zalloc(context_mem(cx), sizeof *n + code_size) : NULL;
    if (!n) return;
    *n = *what;
    n->form = key->request->form;
    n->settings = key->settings;
    n->count = count;
    memcpy(n->codes, key->codes, code_size);
    pthread_mutex_lock(context_lock(cx));
    launch_table *t = table_for(m);
    if (t) {
        _Atomic(launch_node *) *head = &t->lists[place_of(key)];
        n->next = atomic_load_explicit(head, memory_order_relaxed);
        atomic_store_explicit(head, n, memory_order_release);
    }
    pthread_mutex_unlock(context_lock(cx));
    if (!t) free_node(context_mem(cx), n);
}

/* --- from arguments to a kernel --- */

typedef struct spec_storage {
    const cpl_type *types[MOST_ARGUMENTS];
    cpl_bind binds[MOST_ARGUMENTS];
    int64_t options[OPTION_COUNT];
    cpl_spec spec;
} spec_storage;

static void set_lanes(spec_storage *s, kernel_lanes lanes)
{
    int64_t simd = lanes == LANES_ALWAYS ? 2 : 0;
    if (lanes == LANES_AS_ASKED) return;
    memcpy(s->options, s->spec.options, s->spec.option_count * sizeof *s->options);
    if (s->options[OPT_simd]) s->options[OPT_simd] = simd;
    s->spec.options = s->options;
}

/* All options are given: the settings may change meanwhile. */
static cpl_status make_spec(const launch_key *key, spec_storage *s)
{
    const kernel_request *r = key->request;
    cpl_spec_init(&s->spec);
    s->spec.form = r->form;
    s->spec.target = r->target;
    s->spec.options = settings_values(key->settings, &s->spec.option_count);
    set_lanes(s, r->lanes);
    if (cpl_module_is_ir(r->module)) return CPL_OK; /* its functions carry their types */
    s->spec.types = s->types;
    s->spec.type_count = r->count;
    s->spec.binds = s->binds;
    s->spec.bind_count = args_binds(key->codes, r->count, s->binds);
    return args_types(module_context(r->module), key->codes, r->count, s->types);
}

/* The first version of a kernel. It is told that arrays are apart, whether or not they are: only it
 * will tell which of them are written, and most kernels do not rely on it. */
static cpl_status make_first(const launch_key *key, cpl_kernel **kernel)
{
    const kernel_request *r = key->request;
    spec_storage s;
    cpl_status status = make_spec(key, &s);
    if (status) return status;
    uint32_t allowed = (uint32_t)settings_option(key->settings, OPT_facts);
    s.spec.facts = (facts_of(r, NULL) | CPL_FACT_APART) & allowed;
    status =
        kernel_make(r->module, r->function, &s.spec, 0, r->lasting ? NO_QUICK_CODE : r->n, kernel);
    if (status) return status;
    cpl_kernel *k = *kernel;
    remember(key, &(launch_node){.function = k->function, .kernel = k, .target = k->target});
    cpl_kernel_release(*kernel);
    return CPL_OK;
}

/* Checks and codes the arguments, and says what is remembered of such a request, or NULL. codes:
 * room for them, which the key refers to. */
static cpl_status look_up(const kernel_request *r, arg_code *codes, launch_key *key,
                          const launch_node **found)
{
    cpl_context *cx = module_context(r->module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    cpl_status status = args_codes(r->module, r->args, r->count, r->checked, codes);
    if (status) return status;
    *key =
        (launch_key){.settings = context_settings(cx),
                     .function = r->function ? r->function : cpl_module_default_function(r->module),
                     .request = r,
                     .codes = codes};
    *found = key->function ? find_launched(key) : NULL;
    return CPL_OK;
}

/* Some version of the kernel. */
static cpl_status any_version(const kernel_request *r, cpl_kernel **known)
{
    arg_code codes[MOST_ARGUMENTS];
    launch_key key;
    const launch_node *found;
    cpl_status status = look_up(r, codes, &key, &found);
    if (status) return status;
    *known = found ? found->kernel : NULL;
    if (!*known) return make_first(&key, known);
    context_count_hit(module_context(r->module));
    return CPL_OK;
}

cpl_status kernel_for_args(const kernel_request *r, cpl_kernel **kernel)
{
    cpl_kernel *known;
    cpl_status status = any_version(r, &known);
    return status ? status : best_version(known, facts_of(r, &known->artifact), kernel);
}

cpl_status kernel_bind_args(const kernel_request *r, cpl_kernel **kernel, binding *b, bool *bound)
{
    *bound = false;
    cpl_status status = any_version(r, kernel);
    if (status) return status;
    cpl_kernel *known = *kernel;
    *bound = kernel_form(known) == r->form && kernel_is_best(known, GLANCE_FACTS) &&
             kernel_bind_at_a_glance(known, r->args, r->count, r->n, b);
    return *bound ? CPL_OK : best_version(known, facts_of(r, &known->artifact), kernel);
}

cpl_kernel *kernel_recall(const kernel_request *r)
{
    arg_code codes[MOST_ARGUMENTS];
    launch_key key;
    const launch_node *found = NULL;
    return look_up(r, codes, &key, &found) || !found ? NULL : found->kernel;
}

void kernel_remember(const kernel_request *r, cpl_kernel *kernel)
{
    arg_code codes[MOST_ARGUMENTS];
    launch_key key;
    const launch_node *found = NULL;
    if (look_up(r, codes, &key, &found) || found) return;
    remember(&key, &(launch_node){.function = r->function, .kernel = kernel});
}

static void see_function(void *user, const cpl_function_types *found)
{
    inferred *all = user;
    all->type = found->result; /* the function itself comes last */
    all->nodes += found->nodes;
}

cpl_status infer_for_args(const kernel_request *r, inferred *all)
{
    arg_code codes[MOST_ARGUMENTS];
    launch_key key;
    spec_storage s;
    const launch_node *found;
    cpl_status status = look_up(r, codes, &key, &found);
    *all = (inferred){0};
    if (!status && found) *all = found->inferred;
    if (status || found) return status;
    status = make_spec(&key, &s);
    if (!status) status = cpl_module_types_each(r->module, r->function, &s.spec, see_function, all);
    if (!status) remember(&key, &(launch_node){.function = r->function, .inferred = *all});
    return status;
}
