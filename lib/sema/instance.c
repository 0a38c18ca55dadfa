/* Specialisation: one instance for each function and tuple of argument types; the program made of
 * those the entry reaches. */
#include "lib/sema/sema_int.h"
#include "lib/support/plural.h"

#include <assert.h>

static instance *find(sema *s, const sema_signature *sig, const cpl_type *const *types)
{
    for (uint32_t i = 0; i < s->instances.n; i++) {
        instance *in = s->instances.at[i];
        if (in->sig != sig || in->elementwise) continue;
        uint32_t p = 0;
        while (p < sig->fn->param_count &&
               (in->given[p] == types[p] || in->all.at[p]->type == types[p]))
            p++;
        if (p == sig->fn->param_count) return in;
    }
    return NULL;
}

/* indices: of an elementwise entry, its first parameters; else 0 */
static instance *create(sema *s, sema_signature *sig, const cpl_type *const *types,
                        uint32_t indices)
{
    arena *a = &s->comp->arena;
    ast_func *fn = sig->fn;
    instance *in = arena_new(a, instance);
    in->s = s;
    in->sig = sig;
    in->diags.arena = a;
    in->elementwise = indices > 0;
    in->f.fn = fn;
    in->f.serial = in->sig->serial;
    in->f.symbol = fn->name;
    in->f.result = &sema_error_type;
    in->given = arena_array(a, fn->param_count, sizeof *in->given);
    vec_push(a, &s->instances, in);
    for (uint32_t i = 0; i < fn->param_count; i++) {
        sema_var *v = sema_var_new(in, fn->params[i].name, fn->params[i].span, true);
        v->type = in->given[i] = types[i];
        v->dims = type_is_pointer(types[i]) ? types[i]->dims : 0;
        v->shape_given = v->dims > 0;
        v->is_index = i < indices;
        if (!sema_is_bound(types[i])) continue;
        in->f.params.n--;
        vec_push(a, &in->f.bound, v);
    }
    return in;
}

static void analyse(instance *in)
{
    sema *s = in->s;
    sema_parse_body(s, in->sig->fn);
    sema_expand(in);
    const ast_func *fn = in->f.fn;
    in->f.types = arena_array(&s->comp->arena, fn->node_count, sizeof *in->f.types);
    in->f.refs = arena_array(&s->comp->arena, fn->node_count, sizeof *in->f.refs);
    in->f.parallel = arena_array(&s->comp->arena, fn->node_count, sizeof *in->f.parallel);
    in->made = arena_array(&s->comp->arena, fn->node_count, sizeof *in->made);
    in->busy = true;
    sema_scope(in);
    sema_infer(in);
    in->busy = false;
}

static instance *limit(instance *caller, const sema_signature *sig, cpl_span span, const char *what,
                       uint32_t most)
{
    sema *s = caller->s;
    if (!s->limit_reported) {
        s->limit_reported = true;
        diag_error(&s->comp->diags, CPL_ELIMIT, span, "'%s': more than %u %s", sig->fn->name, most,
                   what);
    }
    return NULL;
}

instance *sema_instance(instance *caller, sema_signature *sig, const cpl_type *const *types,
                        cpl_span span)
{
    sema *s = caller->s;
    instance *in = find(s, sig, types);
    if (in) return in;
    if (s->instances.n >= LIMIT_INSTANCES)
        return limit(caller, sig, span, "specialisations", LIMIT_INSTANCES);
    if (caller->depth >= LIMIT_CALLS)
        return limit(caller, sig, span, "calls inside each other", LIMIT_CALLS);
    in = create(s, sig, types, 0);
    in->caller = caller;
    in->called = span;
    in->depth = caller->depth + 1;
    analyse(in);
    return in;
}

/* ---- the entry ---- */

static const cpl_type *in_global_space(sema *s, const cpl_type *t)
{
    return type_is_pointer(t) && t->space == SPACE_GENERIC
               ? comp_pointer(s->comp, t->elem, SPACE_GLOBAL)
               : t;
}

static void no_type(sema_signature *sig, uint32_t i)
{
    diag *d =
        diag_error(&sig->diags, CPL_EARG, sig->fn->params[i].span,
                   "no type for parameter '%s' of '%s'", sig->fn->params[i].name, sig->fn->name);
    bool star = sig->base && i >= sig->star_at;
    if (!star)
        diag_hint(&sig->diags, d,
                  "give it with the call's types or annotate it: @annotate(%s='double')",
                  sig->fn->params[i].name);
}

static const cpl_type *entry_type(sema *s, sema_signature *sig, uint32_t i, const cpl_type *given)
{
    const sema_param *p = &sig->params[i];
    if (p->bad) return &sema_error_type;
    if (!given) {
        if (p->type) return in_global_space(s, p->type);
        if (p->has_default) return sema_default(s->comp, sema_weak_of(p->value));
        if (!sig->fn->header_bad) no_type(sig, i);
        return &sema_error_type;
    }
    const char *name = sig->fn->params[i].name;
    if (type_is_void(given) || type_is_array(given)) {
        diag_error(&sig->diags, CPL_EARG, p->span, "parameter '%s' of '%s' cannot be %s", name,
                   sig->fn->name, given->text);
        return &sema_error_type;
    }
    given = in_global_space(s, given);
    if (!p->type || p->type == given) return given;
    if (type_is_pointer(p->type) && type_is_pointer(given) && p->type->elem == given->elem)
        return p->type->space == SPACE_LOCAL && !type_has_layout(given) ? p->type : given;
    if (type_is_scalar(p->type) && type_is_scalar(given)) return p->type;
    if (type_is_complex(p->type) && sema_is_complex_or_number(given)) return p->type;
    diag_error(&sig->diags, CPL_ETYPE, p->span,
               "parameter '%s' of '%s' is annotated %s, but %s is given", name, sig->fn->name,
               sema_type_name(&s->comp->arena, in_global_space(s, p->type)),
               sema_type_name(&s->comp->arena, given));
    return &sema_error_type;
}

/* Work-groups, and with them local memory, are there in kernels alone. */
static const cpl_type *entry_param(sema *s, sema_signature *sig, uint32_t i, const cpl_type *given)
{
    const cpl_type *t = entry_type(s, sig, i, given);
    if (s->form == SEMA_KERNEL || sema_is_error(t) || !type_is_pointer(t) ||
        t->space != SPACE_LOCAL)
        return t;
    diag *d = diag_error(&sig->diags, CPL_EUNSUPPORTED, sig->params[i].span,
                         "parameter '%s' of '%s' is local memory, which kernels alone have",
                         sig->fn->params[i].name, sig->fn->name);
    diag_hint(&sig->diags, d, "compile '%s' as a kernel: --as kernel, CPL_FORM_KERNEL",
              sig->fn->name);
    return &sema_error_type;
}

/* at: which of the request's. */
static const cpl_type *asked_param(sema *s, sema_signature *sig, uint32_t i, uint32_t at,
                                   const sema_request *r)
{
    const sema_param *p = &sig->params[i];
    const cpl_type *given = at < r->type_count ? r->types[at] : NULL;
    if (at < r->bind_count && r->binds[at].kind != CPL_BIND_NONE)
        return sema_bind_param(s, sig, i, &r->binds[at]);
    bool stands = p->is_static && !given && p->has_default && type_is_int(p->value.type);
    return stands ? sema_bind_integer(s, p->value, p->type) : entry_param(s, sig, i, given);
}

/* An index of an elementwise function. */
static const cpl_type *index_type(sema *s, sema_signature *sig, uint32_t i)
{
    const cpl_type *t = sig->params[i].type;
    if (sig->params[i].bad) return &sema_error_type;
    if (!t || type_is_int(t)) return t ? t : s->t_i64;
    diag_error(&sig->diags, CPL_ETYPE, sig->params[i].span,
               "'%s' is the index of an elementwise function and must be an integer, found %s",
               sig->fn->params[i].name, sema_type_name(&s->comp->arena, t));
    return &sema_error_type;
}

static const char *const index_names[] = {"i", "j", "k"};

/* Whether a parameter of that name, which nothing is given for, is a further index. */
static bool is_open(const sema_signature *sig, uint32_t i, const char *name)
{
    const sema_param *p = &sig->params[i];
    return strcmp(sig->fn->params[i].name, name) == 0 && !p->type && !p->bad && !p->has_default;
}

/*
 * How many of the first parameters are indices: one; with i, j and k more of them as long as
 * nothing is given for those. given: types and binds for the parameters behind the first, as many
 * as there are or without those that are indices; *left: how many of them they are without.
 */
static uint32_t count_indices(const sema_signature *sig, const sema_request *r, uint32_t given,
                              uint32_t *left)
{
    const ast_func *fn = sig->fn;
    uint32_t n = 1, missing = fn->param_count - 1 - given;
    *left = 0;
    if (strcmp(fn->params[0].name, index_names[0]) != 0) return n;
    uint32_t most =
        COUNT_OF(index_names) < fn->param_count ? COUNT_OF(index_names) : fn->param_count;
    for (; n < most && is_open(sig, n, index_names[n]); n++) {
        bool type = n - 1 < r->type_count && r->types[n - 1];
        bool bound = n - 1 < r->bind_count && r->binds[n - 1].kind != CPL_BIND_NONE;
        if (missing ? *left == missing : type || bound) break;
        *left += missing > 0;
    }
    return n;
}

/* Each of several indices runs over a dimension of the first array. */
static void check_indices(sema *s, const instance *in, uint32_t indices)
{
    const sema_func *f = &in->f;
    const sema_var *array = NULL;
    for (uint32_t i = indices; i < f->params.n && !array; i++)
        if (type_is_pointer(f->params.at[i]->type)) array = f->params.at[i];
    if (indices < 2 || s->comp->diags.errors || (array && array->type->dims == indices)) return;
    diag_list *diags = &s->comp->diags;
    diag *d = array
                  ? diag_error(diags, CPL_ETYPE, array->span,
                               "'%s' has %u indices, and '%s', its first array, is %s", f->fn->name,
                               indices, array->name, sema_type_name(&s->comp->arena, array->type))
                  : diag_error(diags, CPL_ETYPE, f->fn->span, "'%s' has %u indices and no array",
                               f->fn->name, indices);
    diag_hint(diags, d, "%s%s run over the shape of the first array, which is written %s[%s%s]",
              indices == 2 ? "i and j" : "i, j and k", "", array ? array->name : "x", "i, j",
              indices == 2 ? "" : ", k");
}

/*
 * A function with a star takes what is given past its other parameters. Where it begins in i and j
 * these are indices if an array is given first.
 */
static uint32_t missing_indices(sema *s, const sema_signature *sig, const sema_request *r)
{
    uint32_t n = 0;
    bool array = r->type_count && r->types[0] && type_is_pointer(r->types[0]);
    bool bound = r->bind_count && r->binds[0].kind != CPL_BIND_NONE;
    if (s->form != SEMA_ELEMENTWISE || !array || bound ||
        strcmp(sig->fn->params[0].name, index_names[0]) != 0)
        return 0;
    while (n + 1 < COUNT_OF(index_names) && n + 1 < sig->star_at &&
           is_open(sig, n + 1, index_names[n + 1]))
        n++;
    return n;
}

/* The signature for what is given; NULL after an error. */
static sema_signature *entry_signature(sema *s, sema_signature *sig, const sema_request *r,
                                       uint32_t arg_count)
{
    bool elementwise = s->form == SEMA_ELEMENTWISE;
    if (elementwise && (sig->fn->param_count == 0 || (sig->star && sig->star_at == 0))) {
        const char *name = sig->fn->name;
        diag *d = diag_error(&s->comp->diags, CPL_ETYPE, sig->fn->span,
                             "'%s' has no parameter for the index", name);
        diag_hint(&s->comp->diags, d,
                  "the first parameter of an elementwise function is the index: def %s(i, %s)",
                  name, sig->star ? arena_printf(&s->comp->arena, "*%s", sig->star) : "...");
        return NULL;
    }
    if (!sig->star) return sig;
    uint32_t given = arg_count + elementwise + missing_indices(s, sig, r);
    sema_signature *v = sema_spread(s, sig, given);
    if (!v)
        diag_error(&s->comp->diags, CPL_ELIMIT, sig->params[sig->star_at].span,
                   "'*%s' takes %d arguments at most, and types for %u are given", sig->star,
                   LIMIT_STAR, given - sig->star_at);
    return v;
}

static instance *entry(sema *s, sema_signature *sig, const sema_request *r)
{
    bool elementwise = s->form == SEMA_ELEMENTWISE;
    uint32_t first = elementwise;
    uint32_t arg_count = r->type_count > r->bind_count ? r->type_count : r->bind_count;
    sig = entry_signature(s, sig, r, arg_count);
    if (!sig) return NULL;
    const ast_func *fn = sig->fn;
    sema_find_statics(s, sig);
    if (arg_count > fn->param_count - first && !fn->header_bad) {
        diag_error(&s->comp->diags, CPL_EARG, fn->span,
                   "'%s' takes %u argument%s%s, but types for %u are given", fn->name,
                   fn->param_count - first, plural(fn->param_count - first),
                   first ? " behind the index" : "", arg_count);
        return NULL;
    }
    const cpl_type **types = arena_array(&s->comp->arena, fn->param_count, sizeof *types);
    uint32_t left = 0, indices = elementwise ? count_indices(sig, r, arg_count, &left) : 0;
    for (uint32_t i = 0; i < indices; i++) types[i] = index_type(s, sig, i);
    for (uint32_t i = indices; i < fn->param_count; i++)
        types[i] = asked_param(s, sig, i, i - first - left, r);
    instance *in = create(s, sig, types, indices);
    in->indices = indices;
    in->entry = true;
    analyse(in);
    return in;
}

/* ---- the program ---- */

/* Depth first: callees before callers. An instance starts with its sema_func. */
static void reach(sema_program *p, instance *in)
{
    in->visited = true;
    for (uint32_t i = 0; i < in->f.calls.n; i++) {
        instance *callee = (instance *)in->f.calls.at[i];
        if (!callee->visited) reach(p, callee);
    }
    vec_push(&p->comp->arena, &p->funcs, &in->f);
}

/* The entry keeps its name, since it is what is asked for. */
static void name_symbols(sema_program *p)
{
    arena *a = &p->comp->arena;
    map counts = {0}, taken = {0};
    map_put(a, &counts, p->entry->fn->name, (void *)(uintptr_t)1);
    for (uint32_t i = 0; i + 1 < p->funcs.n; i++) {
        sema_func *f = p->funcs.at[i];
        uintptr_t n = (uintptr_t)map_get(&counts, f->fn->name);
        f->symbol = n ? arena_printf(a, "%s.%u", f->fn->name, (unsigned)n) : f->fn->name;
        map_put(a, &counts, f->fn->name, (void *)(n + 1));
        map_put(a, &taken, f->symbol, f);
    }
}

/* len() in a callee needs the length in its callers; recursion needs several passes. */
static void spread_len(sema_program *p)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < p->funcs.n; i++)
            for (uint32_t k = 0; k < p->funcs.at[i]->calls.n; k++)
                if (p->funcs.at[i]->calls.at[k]->uses_len && !p->funcs.at[i]->uses_len)
                    p->funcs.at[i]->uses_len = changed = true;
    }
}

/* What is said of a function of the library's stands where the user calls it; of errors the first,
 * since others would be of the same arguments. */
static void tell_caller(instance *in)
{
    const instance *at = in;
    diag *d = in->diags.first;
    if (!sema_is_written(in->s, in->f.fn->file)) return;
    while (at->caller && sema_is_written(in->s, at->caller->f.fn->file)) at = at->caller;
    while (d && d->severity != CPL_ERROR) d = d->next;
    if (d) {
        d->next = NULL;
        in->diags.first = in->diags.last = d;
    }
    for (d = in->diags.first; d; d = d->next) {
        d->message = arena_printf(in->diags.arena, "'%s' of these arguments: %s", at->f.fn->name,
                                  d->message);
        d->span = at->called;
        d->notes = NULL;
    }
}

static void deliver(sema *s, const sema_program *p, diag_list *guesses)
{
    arena *a = &s->comp->arena;
    VEC(diag_list *) lists = {0};
    vec_push(a, &lists, guesses);
    for (uint32_t i = 0; i < p->funcs.n; i++) {
        instance *in = (instance *)p->funcs.at[i];
        tell_caller(in);
        vec_push(a, &lists, &in->diags);
        for (sema_signature *sig = in->sig; sig; sig = sig->whole ? sig->whole : sig->base) {
            if (!sig->delivered) vec_push(a, &lists, &sig->diags);
            sig->delivered = true;
        }
    }
    sema_deliver(&s->comp->diags, lists.at, lists.n, s->own_source);
}

/* Names in use that an unknown module is said to have, and the language has too. */
static void note_guesses(const sema *s, diag_list *l)
{
    for (uint32_t i = 0; i < s->guessed.n; i++) {
        const ast_import *import = s->guessed.entries[i].value;
        diag_remark(l, import->span, "module '%s' is not known; '%s' is taken for that of kernels",
                    import->module, import->name);
    }
}

/* What is wrong has been said; lowering relies on it. */
static void check_untyped(sema *s, const sema_program *p)
{
    for (uint32_t i = 0; i < p->funcs.n && !s->comp->diags.errors; i++) {
        const ast_node *n = ((instance *)p->funcs.at[i])->untyped;
        if (n) diag_error(&s->comp->diags, CPL_EUNSUPPORTED, n->span, "this cannot stand here");
    }
}

sema_program *sema_analyse(compilation *c, ast_file *f, const sema_request *request,
                           const sema_env *env)
{
    sema s = {
        .comp = c, .file = f, .env = env, .form = request->form, .in_order = request->in_order};
    s.t_void = comp_scalar(c, CPL_VOID);
    s.t_bool = comp_scalar(c, CPL_BOOL);
    s.t_i32 = comp_scalar(c, CPL_INT32);
    s.t_i64 = comp_scalar(c, CPL_INT64);
    s.t_u64 = comp_scalar(c, CPL_UINT64);
    s.t_f32 = comp_scalar(c, CPL_FLOAT32);
    s.t_f64 = comp_scalar(c, CPL_FLOAT64);
    sema_declare_all(&s);
    ast_func *fn = ast_find_func(request->library ? request->library : f, request->function);
    assert(fn);
    if (request->library) s.own_source = fn->span.file;
    sema_signature *sig = sema_signature_of(&s, fn);
    instance *in = entry(&s, sig, request);
    if (!in) return NULL;
    sema_program *p = arena_new(&c->arena, sema_program);
    *p = (sema_program){.comp = c,
                        .file = f,
                        .entry = &in->f,
                        .form = request->form,
                        .indices = in->indices,
                        .bounds_check = request->bounds_check};
    reach(p, in);
    name_symbols(p);
    spread_len(p);
    diag_list guesses = {.arena = &c->arena};
    note_guesses(&s, &guesses);
    deliver(&s, p, &guesses);
    check_indices(&s, in, in->indices);
    check_untyped(&s, p);
    return c->diags.errors ? NULL : p;
}
