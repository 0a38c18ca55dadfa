/* Artifacts: compiling one, describing its entry, loading a host object. */
#include "lib/codegen/symbol.h"
#include "lib/driver/internal.h"
#include "lib/opencl/opencl.h"
#include "lib/support/clock.h"

#include <stdio.h>

void artifact_free(artifact *a)
{
    if (!a->mem) return;
    sb_free(&a->object);
    mem_strfree(a->mem, a->entry);
    mem_strfree(a->mem, a->packed);
    mem_strfree(a->mem, a->signature);
    mem_strfree(a->mem, a->types);
    mem_strfree(a->mem, a->after);
    for (size_t i = 0; a->params && i < a->param_count; i++) mem_strfree(a->mem, a->params[i].name);
    mem_free(a->mem, a->params, a->param_count * sizeof *a->params);
    for (size_t i = 0; a->sites && i < a->site_count; i++) {
        mem_strfree(a->mem, a->sites[i].func);
        mem_strfree(a->mem, a->sites[i].arg);
        mem_strfree(a->mem, a->sites[i].said);
    }
    mem_free(a->mem, a->sites, a->site_count * sizeof *a->sites);
    *a = (artifact){0};
}

/* The position of what a role is of; 0 for roles that are of nothing. */
static uint32_t position(const ir_func *f, const ir_var *v)
{
    uint32_t i = 0;
    while (v && f->params.at[i] != v) i++;
    return i;
}

static uint32_t given_before(const ir_func *f, uint32_t param, param_role role)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < param; i++) n += f->params.at[i]->role == role;
    return n;
}

static uint8_t dims_of(const ir_func *f, const ir_var *array)
{
    uint8_t n = 0;
    for (uint32_t i = 0; i < f->params.n; i++)
        n += f->params.at[i]->role == PARAM_SHAPE && f->params.at[i]->of == array;
    return n;
}

/* Parts are given behind what the caller gives. */
static uint32_t given_as(const ir_func *f, uint32_t param)
{
    if (f->params.at[param]->role != PARAM_PARTS) return given_before(f, param, PARAM_ARG);
    return given_before(f, f->params.n, PARAM_ARG) + given_before(f, param, PARAM_PARTS);
}

static bool copy_params(artifact *a, const ir_func *entry)
{
    a->param_count = entry->params.n;
    a->params = entry->params.n ? mem_zalloc(a->mem, entry->params.n * sizeof *a->params) : NULL;
    if (entry->params.n && !a->params) return false;
    for (uint32_t i = 0; i < entry->params.n; i++) {
        const ir_var *v = entry->params.at[i];
        artifact_param *q = &a->params[i];
        q->name = mem_strdup(a->mem, v->name);
        if (!q->name) return false;
        q->type = v->type;
        q->readonly = v->readonly;
        q->unread = v->unread;
        q->role = v->role;
        q->of = position(entry, v->of);
        q->arg = given_as(entry, v->of ? q->of : i);
        q->axis = v->axis;
        q->strided = ir_param_of(entry, PARAM_STRIDE, v) != NULL;
        q->dims = dims_of(entry, v);
        if (q->dims) q->span = ir_param_of(entry, PARAM_SHAPE, v)->span;
        a->arg_count += v->role == PARAM_ARG;
        a->part_count += v->role == PARAM_PARTS;
        if (v->role == PARAM_RESULT) a->result = v->type->elem; /* the kernel returns nothing */
    }
    return true;
}

static bool copy_sites(artifact *a, const ir_module *m)
{
    a->site_count = m->sites.n;
    a->sites = m->sites.n ? mem_zalloc(a->mem, m->sites.n * sizeof *a->sites) : NULL;
    if (m->sites.n && !a->sites) return false;
    for (uint32_t i = 0; i < m->sites.n; i++) {
        const ir_site *s = &m->sites.at[i];
        a->sites[i].span = s->span;
        a->sites[i].axis = s->axis;
        a->sites[i].func = mem_strdup(a->mem, s->func ? s->func : "?");
        if (s->arg) a->sites[i].arg = mem_strdup(a->mem, s->arg);
        if (s->said) a->sites[i].said = mem_strdup(a->mem, s->said);
        if (!a->sites[i].func || (s->arg && !a->sites[i].arg)) return false;
        if (s->said && !a->sites[i].said) return false;
    }
    return true;
}

/* What the variables of a work-group take when each begins at a multiple of 16 bytes. */
static uint64_t local_bytes(const ir_func *entry)
{
    if (entry->groups) return entry->groups->group_bytes;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < entry->vars.n; i++)
        if (entry->vars.at[i]->local)
            bytes = ((bytes + 15) & ~UINT64_C(15)) + entry->vars.at[i]->type->size;
    return bytes;
}

bool describe_entry(artifact *a, const pipeline *p, const ir_func *entry)
{
    a->target = *p->runner.cx.target;
    a->local_bytes = local_bytes(entry);
    a->item_bytes = entry->groups ? entry->groups->item_bytes : 0;
    a->elementwise = entry->elementwise;
    a->indices = p->program ? p->program->indices : entry->elementwise;
    a->items = entry->items;
    a->inexact = p->options[OPT_contract] && p->options[OPT_reassoc] &&
                 p->options[OPT_vector_math] && p->options[OPT_finite_math];
    a->facts = p->runner.cx.facts;
    a->relies = p->runner.cx.relies;
    a->result = entry->result;
    a->signature = mem_strdup(a->mem, entry_signature(p->comp, entry));
    if (entry->after && !(a->after = mem_strdup(a->mem, entry->after->name))) return false;
    return a->signature && copy_params(a, entry) && copy_sites(a, p->ir);
}

static const char *why_unfilled(bool call, bool grid)
{
    return call   ? "a kernel before it fills, and it comes after none"
           : grid ? "launches of kernels on the host fill in, and nothing else does"
                  : "calls of plain functions on devices fill in, and nothing else does";
}

bool check_roles(const pipeline *p, bool call)
{
    const ir_func *entry = ir_entry(p->ir);
    for (uint32_t i = 0; i < entry->params.n; i++) {
        const ir_var *v = entry->params.at[i];
        /* none that the pass group made, or none that a launch over a grid is given */
        bool grid = v->role == PARAM_GRID && (!entry->groups || p->form != CPL_FORM_KERNEL);
        bool result = v->role == PARAM_RESULT && p->over_grid && !call;
        bool filled = call && (v->role != PARAM_PARTS || entry->after);
        if (filled || (!ir_roles[v->role].kernel && !grid && !result)) continue;
        diag_error(&p->comp->diags, CPL_EUNSUPPORTED, v->span,
                   "'%s' has the parameter '%s' (%s), which %s", entry->name, v->name,
                   ir_roles[v->role].word, why_unfilled(call, grid));
        return false;
    }
    /* on the host what runs a grid is what the pass group made */
    bool host = !target_is_device(p->runner.cx.target) && !p->interpreted;
    if (p->form == CPL_FORM_KERNEL && !(p->over_grid && (!host || entry->groups))) {
        diag_error(&p->comp->diags, CPL_EARG, entry->span,
                   "'%s' is no kernel that runs over a grid", entry->name);
        return false;
    }
    return true;
}

void print_types(strbuf *sb, const pipeline *p)
{
    if (p->program) {
        sema_print(sb, p->program);
        return;
    }
    const ir_func *entry = ir_entry(p->ir);
    for (uint32_t i = 0; i < entry->params.n; i++)
        sb_printf(sb, "%s: %s\n", entry->params.at[i]->name, entry->params.at[i]->type->text);
}

typedef struct job {
    cpl_module *m;
    const char *function;
    const cpl_spec *spec;
    int64_t options[OPTION_COUNT];
    artifact *a;
    cpl_stats stats;
    strbuf types, key_text, kept; /* kept: for the store, or what it had */
    const artifact_store *store;
    const artifact_mode *mode;
    uint8_t key[ARTIFACT_KEY_SIZE];
    bool found; /* in the store */
} job;

_Static_assert(ARTIFACT_KEY_SIZE == TGT_HASH_SIZE, "keys are hashes");

void artifact_hash(const void *const *parts, const size_t *sizes, size_t count,
                   uint8_t out[ARTIFACT_KEY_SIZE])
{
    tgt_hash(parts, sizes, count, out);
}

/* All but those that say what else becomes of a kernel. */
static void put_options(strbuf *text, const int64_t options[OPTION_COUNT])
{
    static const bool others[OPTION_COUNT] = {[OPT_fuse] = true,      [OPT_tiles] = true,
                                              [OPT_tiers] = true,     [OPT_verify] = true,
                                              [OPT_opencl] = true,    [OPT_automatic] = true,
                                              [OPT_debugger] = true,  [OPT_facts] = true,
                                              [OPT_perf_map] = true,  [OPT_compile_timeout] = true,
                                              [OPT_tile_bytes] = true};
    for (int i = 0; i < OPTION_COUNT; i++)
        if (!others[i]) sb_printf(text, "%lld,", (long long)options[i]);
}

/* Everything that the artifact depends on, as text and hashed. */
static used *make_key(job *j, pipeline *p)
{
    strbuf *text = &j->key_text;
    pipeline_identity(text, p->runner.cx.target);
    put_options(text, j->options);
    bool few = p->runner.cx.facts & CPL_FACT_LARGE && pipeline_has_few_threads(p);
    sb_printf(text, "\n%d %u %d %d %s\n", p->form, p->runner.cx.facts, few, j->mode->first,
              p->passes ? p->passes : "-");
    used *u = used_find(p, text);
    artifact_hash((const void *[]){text->at}, &text->n, 1, j->key);
    return u;
}

/* Whether the store has it; then the artifact is as it was compiled. */
static bool take_stored(job *j, pipeline *p, const used *u)
{
    artifact *a = j->a, none = *a;
    if (!j->store->get(j->store->user, j->key, &j->kept)) return false;
    j->found = stored_read(&j->kept, u, a, p->comp, &j->stats);
    sb_free(&j->kept);
    if (j->found) return true;
    artifact_free(a);
    *a = none;
    return false;
}

/* The object of the IR at hand. */
static cpl_status make_object(job *j, pipeline *p)
{
    strbuf *object = &j->a->object;
    bool device = target_is_device(&j->a->target);
    if (!device) j->a->short_rounds = j->a->recursive ? 0 : work_short_rounds(p->ir);
    if (!device) j->a->work = work_of_round(p->ir, 64);
    if (!device && j->options[OPT_tiers] && j->options[OPT_opt_level] > 0 &&
        j->mode->quick_rounds != NO_QUICK_CODE) {
        j->a->quick_rounds = work_quick_rounds(p->ir);
        j->a->quick = j->mode->quick_rounds <= j->a->quick_rounds;
        if (j->a->quick) j->options[OPT_opt_level] = 0; /* the key was for optimised code */
        else j->a->quick_rounds = 0;
    }
    return pipeline_emit(p, TGT_OBJ, object) ? CPL_OK : object->failed ? CPL_ENOMEM : CPL_ECOMPILER;
}

static bool can_run_here(const job *j, compilation *c)
{
    int level = (int)j->options[OPT_cpu_level];
    if (!host_know())
        diag_error(&c->diags, CPL_ECOMPILER, (cpl_span){0},
                   "LLVM could not be initialised for this machine");
    else if (!host_has_level(level))
        diag_error(&c->diags, CPL_EUNSUPPORTED, (cpl_span){0},
                   "this CPU does not run code of cpu_level %d", level);
    else return true;
    return false;
}

/* What is said where functions of the host that call themselves do so too deeply. */
static bool add_deep_sites(ir_module *m)
{
    bool any = false;
    ir_mark_recursive(m);
    for (uint32_t i = 0; i < m->funcs.n; i++) {
        ir_func *f = m->funcs.at[i];
        if (!f->recursive || !f->body) continue;
        ir_site site = {.func = f->name, .axis = -1, .span = f->span};
        vec_push(&m->comp->arena, &m->sites, site);
        f->deep = m->sites.n;
        any = true;
    }
    return any;
}

/* Describes the kernel that is asked for, and leaves it alone in the IR. */
static cpl_status describe(job *j, pipeline *p)
{
    artifact *a = j->a;
    const tgt_target *target = p->runner.cx.target;
    compilation *c = p->comp;
    ir_func *entry = ir_entry(p->ir);
    if (j->mode->first) entry = entry->after;
    a->recursive = !target_is_device(target) && add_deep_sites(p->ir);
    if (!describe_entry(a, p, entry)) return CPL_ENOMEM;
    entry->after = NULL; /* that has an object of its own */
    keep_kernel(p->ir, entry);
    a->entry = mem_strdup(a->mem, pipeline_symbol(p, entry));
    if (!a->entry) return CPL_ENOMEM;
    if (!target_is_device(target)) {
        a->packed = mem_strdup(a->mem, gen_symbol(&c->arena, packed_entry(p->ir, entry)->name));
        if (!a->packed) return CPL_ENOMEM;
    }
    print_types(&j->types, p);
    a->types = mem_strdup(a->mem, j->types.at ? j->types.at : "");
    return j->types.failed || !a->types ? CPL_ENOMEM : CPL_OK;
}

static cpl_status compile(job *j, pipeline *p)
{
    if (!pipeline_sema(p) || !pipeline_lower(p)) return CPL_EINTERNAL;
    j->a->nesting = work_nesting(p->ir);
    mark_parameters(p);
    if (!pipeline_passes(p)) return CPL_EINTERNAL;
    if (!check_roles(p, target_is_device(p->runner.cx.target) && p->form != CPL_FORM_KERNEL))
        return CPL_EUNSUPPORTED;
    cpl_status status = describe(j, p);
    return status ? status : make_object(j, p);
}

static cpl_status build(compilation *c, void *arg)
{
    job *j = arg;
    pipeline p;
    pipeline_init(&p, c, j->m, j->function, j->spec, j->options, &j->stats);
    const tgt_target *target = p.runner.cx.target;
    if (!target) return CPL_EARG;
    if (!target_is_device(target) && !can_run_here(j, c)) return CPL_EUNSUPPORTED;
    p.any_opencl = p.loaded = true;
    if (!pipeline_front(&p)) return CPL_EINTERNAL;
    const diag *last = c->diags.last;
    used *u = j->store ? make_key(j, &p) : NULL;
    if (j->key_text.failed) return CPL_ENOMEM;
    if (u && take_stored(j, &p, u)) return CPL_OK;
    cpl_status status = compile(j, &p);
    if (status || c->diags.errors || !u || j->a->quick) return status;
    const diag *said = last ? last->next : c->diags.first;
    if (!stored_write(&j->kept, u, j->a, said, &j->stats)) sb_free(&j->kept);
    return CPL_OK;
}

cpl_status artifact_create(cpl_module *m, const char *function, const cpl_spec *spec,
                           const artifact_store *store, const artifact_mode *mode, artifact *a)
{
    cpl_context *cx = m->cx;
    *a = (artifact){.mem = &cx->mem};
    sb_init(&a->object, a->mem);
    job j = {.m = m, .function = function, .spec = spec, .a = a, .store = store, .mode = mode};
    sb_init(&j.types, a->mem);
    sb_init(&j.key_text, a->mem);
    sb_init(&j.kept, a->mem);
    context_options(cx, spec, j.options);
    a->debugger = j.options[OPT_debugger] != 0;
    a->perf_map = j.options[OPT_perf_map] != 0;
    double start = now_ms();
    compile_call how = {j.options, mode->sink, mode->cancel, false};
    cpl_status status = context_compile_as(cx, build, &j, &how);
    sb_free(&j.types);
    sb_free(&j.key_text);
    j.stats.total_ms = now_ms() - start;
    if (!status && j.kept.n) store->put(store->user, j.key, j.kept.at, j.kept.n);
    sb_free(&j.kept);
    if (status) {
        artifact_free(a);
        return status;
    }
    j.stats.code_bytes = a->object.n;
    pthread_mutex_lock(&cx->lock);
    if (mode->again) {
        cx->stats.upgrades++;
    } else {
        j.stats.compiles = cx->stats.compiles + !j.found;
        j.stats.disk_hits = cx->stats.disk_hits + j.found;
        j.stats.upgrades = cx->stats.upgrades;
        cx->stats = j.stats;
    }
    pthread_mutex_unlock(&cx->lock);
    return CPL_OK;
}

/* Loading. */

/* The context's loader, made by whoever comes first. */
static code_loader *loader_of(cpl_context *cx, char *error, size_t size)
{
    pthread_mutex_lock(&cx->lock);
    if (!cx->loader) cx->loader = code_loader_create(&cx->mem, error, size);
    code_loader *l = cx->loader;
    pthread_mutex_unlock(&cx->lock);
    return l;
}

typedef struct load_job {
    cpl_context *cx;
    const artifact *a;
    const artifact_mode *mode;
    const artifact_host *host;
    loaded_code *out;
} load_job;

static void *resolve_symbol(void *user, const char *symbol)
{
    const load_job *j = user;
    void *address = extern_address(j->cx, symbol);
    return address ? address : j->host->resolve(j->host->user, symbol);
}

/* A function of the code: where all of them lie, and who else wants to hear of it. */
static void placed(void *user, const char *symbol, const void *address, size_t size)
{
    const load_job *j = user;
    const char *begin = address, *end = begin + size;
    loaded_code *out = j->out;
    if (!out->begin || begin < out->begin) out->begin = begin;
    if (!out->end || end > out->end) out->end = end;
    if (j->a->perf_map) j->host->placed(j->host->user, symbol, address, size);
}

/* Links the object and finds its entries; false with the reason in error, empty when there was no
 * memory. */
static bool link_object(load_job *j, char *error, size_t size)
{
    code_loader *l = loader_of(j->cx, error, size);
    const strbuf *object = &j->a->object;
    bool listed = j->a->perf_map || j->a->recursive || j->cx->place.poll;
    code_object o = {.bytes = object->at,
                     .size = object->n,
                     .resolve = resolve_symbol,
                     .user = j,
                     .watch = {j->a->debugger, listed ? placed : NULL, j}};
    loaded_code *out = j->out;
    if (l) out->code = code_load(l, &o, error, size);
    if (out->code) out->entry = code_symbol(out->code, j->a->entry, error, size);
    if (out->entry) out->packed = code_symbol(out->code, j->a->packed, error, size);
    return out->packed != NULL;
}

static cpl_status load(compilation *c, void *arg)
{
    load_job *j = arg;
    char error[512] = "";
    double start = now_ms();
    if (!link_object(j, error, sizeof error)) {
        if (!*error) return CPL_ENOMEM;
        diag_error(&c->diags, CPL_ECOMPILER, (cpl_span){0},
                   "the compiled code could not be loaded: %s", error);
        return CPL_ECOMPILER;
    }
    pthread_mutex_lock(&j->cx->lock);
    if (!j->mode->again) {
        j->cx->stats.link_ms = now_ms() - start;
        j->cx->stats.total_ms += j->cx->stats.link_ms;
    }
    pthread_mutex_unlock(&j->cx->lock);
    return CPL_OK;
}

cpl_status artifact_load(cpl_context *cx, const artifact *a, const artifact_mode *mode,
                         const artifact_host *host, loaded_code *out)
{
    *out = (loaded_code){0};
    load_job j = {cx, a, mode, host, out};
    compile_call how = {NULL, mode->sink, NULL, true}; /* what is loaded cannot be left behind */
    cpl_status status = context_compile_as(cx, load, &j, &how);
    if (status) artifact_unload(cx, out);
    return status;
}

void artifact_unload(cpl_context *cx, loaded_code *l)
{
    context_unload(cx, l->code);
    *l = (loaded_code){0};
}
