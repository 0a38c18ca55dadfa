/*
 * Kernels. A module keeps every kernel made from it, in families keyed by function and spec, whose
 * members differ in the facts that they were told; a reference to a kernel is a reference to its
 * module. Who asks for a kernel that somebody is compiling waits for it; different kernels compile
 * at the same time.
 */
#include "runtime/runtime.h"
#include "runtime/profile.h"
#include "runtime/resolve.h"
#include "lib/dl/dl.h"
#include "lib/support/plural.h"

typedef struct kernel_entry {
    cpl_kernel kernel; /* first: an entry is found from its kernel */
    uint32_t facts;    /* that it is told */
    enum { BUILDING, READY, FAILED } state;
    cpl_status status; /* of FAILED */
    diag_log said;     /* by the build, for those who wait for it */
    /* threads that will look at state; with FAILED the last one frees it */
    uint32_t waiters;
    struct kernel_entry *next; /* of the family */
} kernel_entry;

struct kernel_family {
    char *key;
    kernel_entry *entries;       /* under the table's lock */
    _Atomic(cpl_kernel *) ready; /* linked by next_version; only grows */
    kernel_family *next;
};

#define BUCKETS 64

typedef struct kernel_table {
    pthread_mutex_t lock;
    pthread_cond_t built;
    kernel_family *buckets[BUCKETS];
} kernel_table;

static void free_entry(cpl_context *cx, kernel_entry *e)
{
    const mem *m = context_mem(cx);
    if (atomic_load(&e->kernel.device_code)) atomic_load (&e->kernel.codes_free)(&e->kernel);
    mem_free(m, atomic_load(&e->kernel.plan), atomic_load(&e->kernel.plan_size));
    tier_forget(&e->kernel);
    artifact_unload(cx, &e->kernel.quick_code);
    artifact_unload(cx, &e->kernel.code);
    artifact_free(&e->kernel.artifact);
    diag_log_free(&e->said);
    mem_strfree(m, e->kernel.function);
    mem_strfree(m, e->kernel.target);
    mem_strfree(m, e->kernel.passes);
    mem_free(m, e->kernel.types, e->kernel.type_count * sizeof *e->kernel.types);
    mem_free(m, e->kernel.binds, e->kernel.bind_count * sizeof *e->kernel.binds);
    mem_free(m, e->kernel.options, e->kernel.option_count * sizeof *e->kernel.options);
    mem_free(m, e, sizeof *e);
}

static void free_family(cpl_context *cx, kernel_family *f)
{
    for (kernel_entry *e = f->entries, *next; e; e = next) {
        next = e->next;
        free_entry(cx, e);
    }
    mem_strfree(context_mem(cx), f->key);
    mem_free(context_mem(cx), f, sizeof *f);
}

static void table_free(cpl_module *module)
{
    cpl_context *cx = module_context(module);
    kernel_table *t = module_runtime(module);
    launch_memory *launches = atomic_load(module_launches(module));
    if (launches) launches->free(module, launches);
    for (int i = 0; i < BUCKETS; i++)
        for (kernel_family *f = t->buckets[i], *next; f; f = next) {
            next = f->next;
            free_family(cx, f);
        }
    pthread_cond_destroy(&t->built);
    pthread_mutex_destroy(&t->lock);
    mem_free(context_mem(cx), t, sizeof *t);
}

/* The module's table, made by whoever comes first; NULL when out of memory. */
static kernel_table *table_of(cpl_module *module)
{
    cpl_context *cx = module_context(module);
    if (!runtime_of(cx)) return NULL;
    pthread_mutex_lock(context_lock(cx));
    kernel_table *t = module_runtime(module);
    if (!t && (t = mem_zalloc(context_mem(cx), sizeof *t))) {
        pthread_mutex_init(&t->lock, NULL);
        context_condition(&t->built);
        module_set_runtime(module, t, table_free);
    }
    pthread_mutex_unlock(context_lock(cx));
    return t;
}

bool kernels_ready(cpl_module *module)
{
    return table_of(module) != NULL;
}

/* What is to be made. */
typedef struct kernel_order {
    const char *function;
    const cpl_spec *spec; /* with a value for each option */
    uint32_t promised;
    int64_t rounds;
    const char *first; /* the name of the kernel before the function's own, which it is; or NULL */
    const char *key;
} kernel_order;

static void write_bind(strbuf *sb, const cpl_bind *b)
{
    sb_printf(sb, "|%d:", b->kind);
    if (b->kind == CPL_BIND_INTEGER) sb_printf(sb, "%lld", (long long)b->integer);
    else if (b->kind == CPL_BIND_TYPE) sb_put(sb, b->type->text);
    else if (b->kind) sb_printf(sb, "%zu:%s", strlen(b->text), b->text);
}

/* Of the family. */
static void write_key(strbuf *sb, const kernel_order *o)
{
    const cpl_spec *spec = o->spec;
    sb_printf(sb, "%s|%s|%d|%s|%s|", o->function, o->first ? o->first : "", spec->form,
              spec->target ? spec->target : "", spec->passes ? spec->passes : "-");
    for (size_t i = 0; i < spec->type_count; i++)
        sb_printf(sb, "%s,", spec->types[i] ? spec->types[i]->text : "");
    for (size_t i = 0; i < spec->bind_count; i++) write_bind(sb, &spec->binds[i]);
    sb_putc(sb, '|');
    for (size_t i = 0; i < spec->option_count; i++)
        sb_printf(sb, "%lld,", (long long)spec->options[i]);
}

static int found_openmp(cpl_context *cx)
{
    char why[256];
    if (!team_open(context_openmp(cx))) return ALONE;
    dl_openmp_error(why, sizeof why);
    return why[0] ? ALONE_OTHER : 0;
}

/* Code that forks finds the OpenMP runtime, unless the host has given threads; that there is none,
 * or not the one that was named, is said once, by the caller. */
static void *resolve(void *user, const char *symbol)
{
    cpl_context *cx = user;
    if (!strcmp(symbol, ABI_PLACE)) return context_place(cx);
    if (strncmp(symbol, "__kmpc_", 7) == 0 && !context_threads(cx)) {
        int found = found_openmp(cx);
        runtime_state *s = found ? runtime_of(cx) : NULL;
        if (s) atomic_fetch_or(&s->alone, found);
    }
    return abi_resolve(symbol);
}

static void tell_alone(cpl_context *cx)
{
    runtime_state *s = context_runtime(cx);
    int found = s ? atomic_load(&s->alone) : 0;
    if (!found || found & ALONE_TOLD || atomic_fetch_or(&s->alone, ALONE_TOLD) & ALONE_TOLD) return;
    char why[256];
    dl_openmp_error(why, sizeof why);
    if (!(found & ALONE))
        context_note(cx, "the OpenMP runtime that was named could not be opened (%s); %s is used",
                     why, dl_openmp_path(NULL));
    else if (why[0])
        context_note(cx, "no OpenMP runtime could be opened: loops run on one thread (%s)", why);
    else context_note(cx, "no OpenMP runtime (libomp.so) was found: loops run on one thread");
}

static bool store_get(void *user, const uint8_t *key, strbuf *object)
{
    disk_cache *c = runtime_disk_cache(user);
    return c && disk_cache_get(user, c, key, object);
}

static void store_put(void *user, const uint8_t *key, const void *object, size_t size)
{
    disk_cache *c = runtime_disk_cache(user);
    if (c) disk_cache_put(user, c, key, object, size);
}

static bool is_for_device(const char *target)
{
    return target && strcmp(target, "host") != 0;
}

/* Copies what another version of the kernel would be made from. */
static bool remember_spec(kernel_entry *e, const mem *m, const kernel_order *o)
{
    cpl_kernel *k = &e->kernel;
    const cpl_spec *spec = o->spec;
    k->form = o->first ? CPL_FORM_KERNEL : spec->form;
    k->function = mem_strdup(m, o->first ? o->first : o->function);
    if (!k->function) return false;
    if (is_for_device(spec->target) && !(k->target = mem_strdup(m, spec->target))) return false;
    if (spec->passes && !(k->passes = mem_strdup(m, spec->passes))) return false;
    if (spec->type_count) {
        k->types = mem_zalloc(m, spec->type_count * sizeof *k->types);
        if (!k->types) return false;
        k->type_count = spec->type_count;
        memcpy(k->types, spec->types, spec->type_count * sizeof *k->types);
    }
    if (spec->bind_count) {
        k->binds = mem_zalloc(m, spec->bind_count * sizeof *k->binds);
        if (!k->binds) return false;
        k->bind_count = spec->bind_count;
        for (size_t i = 0; i < spec->bind_count; i++) {
            k->binds[i] = spec->binds[i];
            if (!binds_text(&k->binds[i])) continue;
            if (!(k->binds[i].text = module_text(k->module, k->binds[i].text))) return false;
        }
    }
    if (spec->option_count) {
        k->options = mem_zalloc(m, spec->option_count * sizeof *k->options);
        if (!k->options) return false;
        k->option_count = spec->option_count;
        memcpy(k->options, spec->options, spec->option_count * sizeof *k->options);
    }
    return true;
}

/* Compiles for a device; each device loads it when it first runs it. */
static cpl_status make_device_code(cpl_kernel *k, const kernel_order *o, const artifact_mode *mode)
{
    cpl_context *cx = module_context(k->module);
    artifact_store store = {store_get, store_put, cx};
    k->compile_begin_ns = profile_now(cx);
    cpl_status status =
        artifact_create(k->module, o->function, o->spec, cpl_cache_directory(cx) ? &store : NULL,
                        mode, &k->artifact);
    if (!status && profile_on(cx))
        atomic_store(&k->compile_ns, profile_now(cx) - k->compile_begin_ns);
    return status;
}

static const artifact_host *host_for(cpl_context *cx, artifact_host *host)
{
    *host = (artifact_host){resolve, perf_map_add, cx};
    return host;
}

/* Compiles for a kernel and loads the code. */
static cpl_status make_code(cpl_kernel *k, const cpl_spec *spec, const artifact_mode *mode,
                            artifact *a, loaded_code *code)
{
    cpl_context *cx = module_context(k->module);
    artifact_store store = {store_get, store_put, cx};
    artifact_host host;
    profile_event e = {.what = CPL_PROFILE_COMPILE,
                       .name = k->function,
                       .device = "host",
                       .begin_ns = profile_now(cx)};
    cpl_status status = artifact_create(k->module, k->function, spec,
                                        cpl_cache_directory(cx) ? &store : NULL, mode, a);
    if (status) return status;
    status = artifact_load(cx, a, mode, host_for(cx, &host), code);
    if (mode->sink.fn) tell_alone(cx);
    sb_free(&a->object);
    e.end_ns = profile_now(cx);
    if (!status && profile_on(cx)) profile_add(cx, &e);
    return status;
}

static packed_fn packed_of(const loaded_code *code)
{
    packed_fn packed; /* ISO C has no cast from object to function pointer */
    memcpy(&packed, &code->packed, sizeof packed);
    return packed;
}

static cpl_status build_host(cpl_kernel *k, const cpl_spec *spec, const artifact_mode *mode)
{
    loaded_code code;
    cpl_status status = make_code(k, spec, mode, &k->artifact, &code);
    if (status) return status;
    atomic_store_explicit(&k->packed, packed_of(&code), memory_order_relaxed);
    *(k->artifact.quick ? &k->quick_code : &k->code) = code;
    k->plain_below = code.begin ? k->artifact.short_rounds : INT64_MAX; /* it cannot be left */
    if (k->artifact.quick && k->artifact.quick_rounds < k->plain_below)
        k->plain_below = k->artifact.quick_rounds;
    if (!k->artifact.quick) return CPL_OK;
    atomic_store_explicit(&k->quick, true, memory_order_release);
    k->optimise = kernel_optimise;
    tier_submit(k, spec->options[OPT_tiers]);
    return CPL_OK;
}

/* What a build has to say goes to the sink of whoever builds, at once. */
static void say(void *user, const cpl_diag *d)
{
    kernel_entry *e = user;
    diag_sink to = context_sink(module_context(e->kernel.module));
    diag_log_add(&e->said, d);
    if (to.fn) to.fn(to.user, d);
}

static cpl_status build(kernel_entry *e, const kernel_order *o)
{
    cpl_kernel *k = &e->kernel;
    const mem *m = context_mem(module_context(k->module));
    if (!remember_spec(e, m, o)) return context_no_memory(module_context(k->module));
    artifact_mode mode = {.quick_rounds = k->target ? NO_QUICK_CODE : o->rounds,
                          .first = o->first != NULL,
                          .sink = {say, e}};
    cpl_kernel *first;
    cpl_status status = k->target ? make_device_code(k, o, &mode) : build_host(k, o->spec, &mode);
    k->glances = !status && glance_can(&k->artifact);
    return status || !k->target || !k->artifact.after ? status : kernel_first(k, &first);
}

cpl_spec kernel_spec(const cpl_kernel *k)
{
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = k->form;
    spec.target = k->target;
    spec.passes = k->passes;
    spec.facts = k->artifact.facts;
    spec.types = k->types;
    spec.type_count = k->type_count;
    spec.binds = k->binds;
    spec.bind_count = k->bind_count;
    spec.options = k->options;
    spec.option_count = k->option_count;
    return spec;
}

cpl_status kernel_optimise(cpl_kernel *k)
{
    cpl_spec spec = kernel_spec(k);
    artifact_mode mode = {.quick_rounds = NO_QUICK_CODE, .again = true, .cancel = &k->unwanted};
    artifact a;
    loaded_code code;
    cpl_status status = make_code(k, &spec, &mode, &a, &code);
    artifact_free(&a);
    if (status) return status;
    k->code = code; /* nobody has seen it: who asks for its address waits for this */
    atomic_store_explicit(&k->packed, packed_of(&code), memory_order_release);
    return CPL_OK;
}

/* The family of a key, made where there is none; NULL when out of memory. */
static kernel_family *find_family(kernel_table *t, const mem *m, const char *key)
{
    kernel_family **at = &t->buckets[hash_bytes(key, strlen(key), 0) % BUCKETS], *f;
    while ((f = *at) && strcmp(f->key, key) != 0) at = &f->next;
    if (f || !(f = mem_zalloc(m, sizeof *f))) return f;
    if ((f->key = mem_strdup(m, key))) return *at = f;
    mem_free(m, f, sizeof *f);
    return NULL;
}

/* Where the entry with such facts is, or would be. */
static kernel_entry **find(kernel_family *f, uint32_t facts, uint32_t promised)
{
    kernel_entry **at = &f->entries, *e;
    while ((e = *at) && (e->facts != facts || e->kernel.promised != promised)) at = &e->next;
    return at;
}

/* Nobody waits for a build any more. */
static void forget_build(cpl_context *cx, kernel_entry *e)
{
    if (e->state == FAILED) free_entry(cx, e);
    else diag_log_free(&e->said);
}

/* No status: whoever was at a build was cancelled, and those who waited may do it. */
#define BUILD_AGAIN ((cpl_status) - 1)

/* Waits until somebody else's build is over, and says what that said; the lock is held, but not
 * meanwhile. */
static cpl_status wait_for(kernel_table *t, cpl_context *cx, kernel_entry *e, cpl_kernel **kernel)
{
    e->waiters++;
    cpl_status waited = CPL_OK;
    while (e->state == BUILDING && !waited) waited = context_doze(cx, &t->built, &t->lock, NULL);
    bool stopped = e->state == BUILDING;
    bool again = e->state == FAILED && e->status == CPL_ECANCELLED;
    pthread_mutex_unlock(&t->lock);
    if (stopped) context_cancelled(cx);
    else if (!again) diag_log_replay(&e->said, context_sink(cx));
    pthread_mutex_lock(&t->lock);
    e->waiters--;
    cpl_status status = stopped ? CPL_ECANCELLED : again ? BUILD_AGAIN : CPL_OK;
    if (!status && e->state == READY) *kernel = &e->kernel;
    else if (!status) status = e->status;
    if (e->waiters == 0 && e->state != BUILDING) forget_build(cx, e);
    return status;
}

/* Others may find it; the lock is held. */
static void publish(kernel_family *f, cpl_kernel *k)
{
    k->next_version = atomic_load_explicit(&f->ready, memory_order_relaxed);
    atomic_store_explicit(&f->ready, k, memory_order_release);
}

/* Builds with the lock released, then tells those who wait. A failed entry leaves its family, so
 * that a later call tries again. */
static cpl_status build_for_all(kernel_table *t, cpl_context *cx, kernel_entry *e,
                                const kernel_order *o, cpl_kernel **kernel)
{
    kernel_family *f = e->kernel.family;
    pthread_mutex_unlock(&t->lock);
    cpl_status status = build(e, o);
    pthread_mutex_lock(&t->lock);
    e->state = status ? FAILED : READY;
    e->status = status;
    if (status) {
        *find(f, e->facts, e->kernel.promised) = e->next;
    } else {
        publish(f, &e->kernel);
        *kernel = &e->kernel;
    }
    if (e->waiters == 0) forget_build(cx, e);
    pthread_cond_broadcast(&t->built);
    return status;
}

/* An entry that nobody has asked for before, in its family; NULL when out of memory. */
static kernel_entry *add_entry(kernel_family *f, cpl_module *module, const kernel_order *o)
{
    const mem *m = context_mem(module_context(module));
    kernel_entry *e = mem_zalloc(m, sizeof *e);
    if (!e) return NULL;
    e->facts = o->spec->facts;
    e->kernel.module = module;
    e->kernel.family = f;
    e->kernel.promised = o->promised;
    e->kernel.allowed = (uint32_t)o->spec->options[OPT_facts];
    diag_log_init(&e->said, m);
    e->next = f->entries;
    return f->entries = e;
}

static cpl_status look_or_build(kernel_table *t, cpl_module *module, const kernel_order *o,
                                cpl_kernel **kernel)
{
    cpl_context *cx = module_context(module);
    pthread_mutex_lock(&t->lock);
    kernel_family *f = find_family(t, context_mem(cx), o->key);
    kernel_entry *e = f ? *find(f, o->spec->facts, o->promised) : NULL;
    cpl_status status = CPL_OK;
    if (e && e->state == READY) {
        *kernel = &e->kernel;
        context_count_hit(cx);
    } else if (e) {
        status = wait_for(t, cx, e, kernel);
    } else if (f && (e = add_entry(f, module, o))) {
        status = build_for_all(t, cx, e, o, kernel);
    } else {
        status = CPL_ENOMEM;
    }
    pthread_mutex_unlock(&t->lock);
    return e ? status : context_no_memory(cx);
}

static cpl_status find_or_build(cpl_module *module, const kernel_order *o, cpl_kernel **kernel)
{
    cpl_status status = BUILD_AGAIN;
    kernel_table *t = table_of(module);
    if (!t) return context_no_memory(module_context(module));
    while (status == BUILD_AGAIN) status = look_or_build(t, module, o, kernel);
    return status;
}

/* The kernel in the module's table, made where there is none. */
static cpl_status find_by_key(cpl_module *module, kernel_order *o, cpl_kernel **kernel)
{
    cpl_context *cx = module_context(module);
    strbuf key;
    sb_init(&key, context_mem(cx));
    write_key(&key, o);
    o->key = key.at;
    cpl_status status = key.failed ? context_no_memory(cx) : find_or_build(module, o, kernel);
    sb_free(&key);
    return status;
}

cpl_status kernel_of_spec(cpl_module *module, const char *function, const cpl_spec *spec,
                          cpl_kernel **kernel)
{
    cpl_spec given;
    cpl_spec_init(&given);
    if (READ_STRUCT(&given, spec, cpl_spec)) return CPL_EARG;
    cpl_status status = kernel_make(module, function, &given, given.facts, NO_QUICK_CODE, kernel);
    if (status) return status;
    status = kernel_settle(*kernel);
    if (!status) return CPL_OK;
    cpl_kernel_release(*kernel);
    *kernel = NULL;
    return status;
}

cpl_status kernel_make(cpl_module *module, const char *function, const cpl_spec *spec,
                       uint32_t promised, int64_t rounds, cpl_kernel **kernel)
{
    *kernel = NULL;
    cpl_spec settled;
    cpl_context *cx = module_context(module);
    if (context_forked(cx)) return context_refuse_fork(cx);
    cpl_status status = context_read_spec(cx, spec, &settled);
    if (!status) status = module_check_binds(module, spec->binds, spec->bind_count);
    if (status) return status;
    if (!function) function = cpl_module_default_function(module);
    if (!function)
        return context_report(cx, CPL_ENOTFOUND, "the file has no function or several; name one");
    tgt_target target;
    if (spec->target && !target_parse(spec->target, &target))
        return context_report(cx, CPL_EUNSUPPORTED, "there is no target '%s'", spec->target);
    /* Options may change: what is compiled later for this kernel must fit what it is by now. */
    int64_t options[OPTION_COUNT];
    settled.options = options;
    settled.option_count = context_settle(cx, spec, options);
    kernel_order order = {.function = function,
                          .spec = &settled,
                          .promised = promised,
                          .rounds = rounds};
    status = find_by_key(module, &order, kernel);
    if (status == CPL_OK) cpl_module_retain(module);
    return status;
}

cpl_status kernel_first(cpl_kernel *k, cpl_kernel **first)
{
    cpl_spec spec = kernel_spec(k);
    cpl_kernel *none = NULL;
    kernel_order order = {.function = k->function,
                          .spec = &spec,
                          .rounds = NO_QUICK_CODE,
                          .first = k->artifact.after};
    cpl_status status = find_by_key(k->module, &order, first);
    if (!status) atomic_compare_exchange_strong(&(*first)->whole, &none, k);
    return status;
}

cpl_kernel *kernel_versions(const cpl_kernel *k)
{
    return atomic_load_explicit(&k->family->ready, memory_order_acquire);
}

cpl_status kernel_make_version(const cpl_kernel *k, uint32_t facts, cpl_kernel **version)
{
    cpl_spec spec = kernel_spec(k);
    spec.facts = facts;
    cpl_status status = kernel_make(k->module, k->function, &spec, 0, NO_QUICK_CODE, version);
    if (status) return status;
    status = kernel_settle(*version);
    cpl_kernel_release(*version);
    return status;
}

cpl_status kernel_for_target(cpl_kernel *k, const char *target, uint32_t facts, cpl_kernel **other)
{
    *other = atomic_load_explicit(&k->elsewhere, memory_order_acquire);
    if (*other && strcmp((*other)->target, target) == 0) return CPL_OK;
    cpl_spec spec = kernel_spec(k);
    spec.target = target;
    spec.facts = (facts | CPL_FACT_APART) & k->allowed;
    cpl_status status = kernel_make(k->module, k->function, &spec, 0, NO_QUICK_CODE, other);
    if (status) return status;
    atomic_store_explicit(&k->elsewhere, *other, memory_order_release);
    cpl_kernel_release(*other);
    return CPL_OK;
}

cpl_status cpl_kernel_emit(const cpl_kernel *kernel, cpl_stage stage,
                           const cpl_emit_options *options, cpl_blob *out)
{
    if (out) *out = (cpl_blob){0};
    if (MISSING("kernel", kernel)) return CPL_EARG;
    cpl_context *cx = module_context(kernel->module);
    cpl_spec spec = kernel_spec(kernel);
    strbuf target; /* what it calls may have made OpenCL C of what was to be SPIR-V */
    sb_init(&target, context_mem(cx));
    target_print(&target, &kernel->artifact.target);
    if (spec.target) spec.target = target.at;
    cpl_status status = target.failed ? context_no_memory(cx)
                                      : cpl_module_emit(kernel->module, kernel->function, &spec,
                                                        stage, options, out);
    sb_free(&target);
    return status;
}

void cpl_kernel_retain(cpl_kernel *kernel)
{
    if (kernel) cpl_module_retain(kernel->module);
}

void cpl_kernel_release(cpl_kernel *kernel)
{
    if (kernel) cpl_module_release(kernel->module);
}

const char *cpl_kernel_function(const cpl_kernel *kernel)
{
    return kernel ? kernel->function : NULL;
}

int64_t cpl_kernel_short_below(const cpl_kernel *kernel)
{
    return kernel && !kernel->target ? kernel->artifact.short_rounds : 0;
}

const cpl_type *cpl_kernel_result(const cpl_kernel *kernel)
{
    return kernel ? kernel->artifact.result : NULL;
}

const char *cpl_kernel_types(const cpl_kernel *kernel)
{
    return kernel ? kernel->artifact.types : NULL;
}

cpl_status cpl_kernel_report(const cpl_kernel *kernel, const cpl_fault *fault)
{
    if (MISSING("kernel fault", kernel, fault)) return CPL_EARG;
    if (!fault->taken) return CPL_OK;
    cpl_context *cx = module_context(kernel->module);
    const artifact *a = &kernel->artifact;
    if (fault->site < 0 || (size_t)fault->site >= a->site_count)
        return context_report(cx, CPL_EBOUNDS, "a check failed");
    const artifact_site *s = &a->sites[fault->site];
    bool library = module_is_library(kernel->module, s->span);
    if (library && s->said) return context_report(cx, CPL_EASSERT, "%s", s->said);
    if (!s->arg)
        return context_report_at(cx, CPL_EASSERT, s->span, "in '%s': assertion failed%s%s", s->func,
                                 s->said ? ": " : "", s->said ? s->said : "");
    char position[40] = ""; /* a round is one index of the caller's; there may be no rounds */
    if (fault->round >= 0)
        snprintf(position, sizeof position, " at position %lld", (long long)fault->round);
    if (library)
        return context_report(
            cx, CPL_EBOUNDS, "in '%s': index %lld%s is out of range for an array of %lld element%s",
            s->func, (long long)fault->index, position, (long long)fault->extent,
            plural(fault->extent));
    char axis[32] = "";
    if (s->axis >= 0) snprintf(axis, sizeof axis, " along dimension %d", s->axis);
    return context_report_at(
        cx, CPL_EBOUNDS, s->span,
        "in '%s': index %lld is out of bounds of '%s', which has %lld element%s%s", s->func,
        (long long)fault->index, s->arg, (long long)fault->extent, plural(fault->extent), axis);
}
