/* What a function says about its types: @annotate in all its forms, Python 3 annotations,
 * defaults. */
#include "lib/sema/sema_int.h"

/* ---- type names ---- */

/* doublep, gdoublep, ldoublep: the pointers of language names. */
static const cpl_type *pointer_name(sema *s, const char *text)
{
    size_t n = strlen(text);
    char base[32];
    if (n < 3 || n >= sizeof base || text[n - 1] != 'p') return NULL;
    memcpy(base, text, n - 1);
    base[n - 1] = 0;
    static const struct {
        const char *prefix;
        type_space space;
    } spaces[] = {{"", SPACE_GENERIC}, {"g", SPACE_GLOBAL}, {"l", SPACE_LOCAL}};
    for (unsigned i = 0; i < COUNT_OF(spaces); i++) {
        size_t skip = strlen(spaces[i].prefix);
        if (strncmp(base, spaces[i].prefix, skip) != 0) continue;
        const char *name = strcmp(base + skip, "longlong") == 0    ? "long long"
                           : strcmp(base + skip, "ulonglong") == 0 ? "unsigned long long"
                                                                   : base + skip;
        cpl_dtype d = cpl_dtype_parse(name);
        if (d != CPL_VOID && d < CPL_DTYPE_COUNT && d != CPL_BFLOAT16)
            return comp_pointer(s->comp, comp_scalar(s->comp, d), spaces[i].space);
    }
    return NULL;
}

static const char *trim(arena *a, const char *text)
{
    while (*text == ' ' || *text == '\t') text++;
    size_t n = strlen(text);
    while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t')) n--;
    return arena_strndup(a, text, n);
}

/* The same of a type that the host of the function gives. Texts keep to C's names of numbers, which
 * are other types in Python: 'int'. */
static const char *with_host_name(sema_names in, const char *word, const char *rest)
{
    sema_global none = {.kind = GLOBAL_NONE};
    sema_global g = cpl_dtype_parse(word) == CPL_DTYPE_COUNT ? sema_host_name(in, word) : none;
    return arena_printf(&in.s->comp->arena, "%s%s", g.kind == GLOBAL_TYPE ? g.type->text : word,
                        rest);
}

/* A text whose first word, Particle or steps.Particle, is a struct of another file, or stands for a
 * type, by another name of the file's too (REAL = np.float32): with the type's own name there. NULL
 * when that is none. */
static const char *with_own_name(sema_names in, const char *text)
{
    arena *a = &in.s->comp->arena;
    size_t n = strcspn(text, " \t*[(");
    const char *word = front_name(a, text, n), *dot = strchr(word, '.'), *rest = text + n;
    text = arena_printf(a, "%s%s", word, rest);
    const sema_bound *b = sema_bound_named(in, word);
    if (b && b->global.kind != GLOBAL_TYPE) return NULL;
    if (b) return arena_printf(a, "%s%s", b->global.type->text, rest);
    if (in.file->host) return with_host_name(in, word, rest);
    const char *first = dot ? arena_strndup(a, word, (size_t)(dot - word)) : word;
    const ast_item *item = map_get(&in.file->names, first);
    if (!item || (item->kind != ITEM_IMPORT && item->kind != ITEM_CONST)) return text;
    sema_global of, g = sema_find_dotted(in, word, &of);
    if (g.kind == GLOBAL_TYPE && cpl_dtype_parse(word) == CPL_DTYPE_COUNT)
        return arena_printf(a, "%s%s", g.type->text, rest);
    if (g.kind != GLOBAL_CLASS) return text;
    const cpl_type *t = sema_struct_type(in.s, g.class_);
    return t ? arena_printf(a, "%s%s", t->name, rest) : NULL;
}

const cpl_type *sema_language_type(sema_names in, const char *text)
{
    sema *s = in.s;
    const char *name = trim(&s->comp->arena, text);
    type_space space = SPACE_GENERIC;
    if (strncmp(name, "GLOBAL_MEM ", 11) == 0) space = SPACE_GLOBAL;
    else if (strncmp(name, "LOCAL_MEM ", 10) == 0) space = SPACE_LOCAL;
    if (space != SPACE_GENERIC) name = trim(&s->comp->arena, strchr(name, ' '));
    name = with_own_name(in, name);
    if (!name) return NULL;
    const cpl_type *t = comp_parse_type(s->comp, name);
    if (!t) t = pointer_name(s, name);
    if (!t && strcmp(name, "int_") == 0) t = s->t_i32;
    if (!t && strcmp(name, "long_") == 0) t = s->t_i64;
    if (!t && strcmp(name, "float_") == 0) t = s->t_f32;
    if (t && space != SPACE_GENERIC && type_is_pointer(t) && !type_has_layout(t))
        t = comp_pointer(s->comp, t->elem, space);
    return t;
}

/* cpl.doublep: a name of ours behind a module of ours. */
static bool is_own(sema_names in, const ast_node *n)
{
    sema_global of = sema_find_node(in, n->kids[0]);
    return of.kind == GLOBAL_MODULE && of.module == MODULE_OWN;
}

const cpl_type *sema_python_type(sema_names in, const ast_node *n)
{
    sema_global g = sema_find_node(in, n);
    switch (n->kind) {
    case AST_STRING: return sema_language_type(in, n->text);
    case AST_NONE: return comp_scalar(in.s->comp, CPL_VOID);
    case AST_NAME:
        if (g.kind == GLOBAL_FUNC) return NULL;
        /* Python's, not C's */
        if (strcmp(n->name, "int") == 0) return comp_scalar(in.s->comp, CPL_INT64);
        if (strcmp(n->name, "float") == 0) return comp_scalar(in.s->comp, CPL_FLOAT64);
        if (strcmp(n->name, "complex") == 0) return comp_scalar(in.s->comp, CPL_COMPLEX128);
        if (in.file->host && g.kind == GLOBAL_TYPE) return g.type;
        return sema_language_type(in, n->name);
    case AST_ATTRIBUTE:
        if (g.kind == GLOBAL_TYPE) return g.type;
        if (g.kind == GLOBAL_CLASS) return sema_struct_type(in.s, g.class_);
        return is_own(in, n) ? sema_language_type(in, n->name) : NULL;
    case AST_TUPLE:
    case AST_INDEX: return sema_tuple_annotation(in, n);
    default: return NULL;
    }
}

static const char *const type_names[] = {
    "double", "float",        "int",           "long",    "uint",     "ulong",    "doublep",
    "floatp", "intp",         "longp",         "uintp",   "ulongp",   "gdoublep", "gfloatp",
    "gintp",  "glongp",       "guintp",        "gulongp", "ldoublep", "lfloatp",  "lintp",
    "llongp", "unsigned int", "unsigned long", "matrix",
};

static void offer_types(suggester *s)
{
    for (int d = CPL_VOID; d < CPL_DTYPE_COUNT; d++)
        if (d != CPL_BFLOAT16) suggest_offer(s, cpl_dtype_name((cpl_dtype)d));
    for (unsigned i = 0; i < COUNT_OF(type_names); i++) suggest_offer(s, type_names[i]);
}

/* What a slip may mean, or NULL. */
static const char *likely_type(sema_names in, const char *name)
{
    suggester best;
    suggest_init(&best, name);
    offer_types(&best);
    for (uint32_t i = 0; i < in.file->items.n; i++)
        if (in.file->items.at[i].kind == ITEM_CLASS)
            suggest_offer(&best, in.file->items.at[i].name);
    return suggest_best(&best);
}

/* ---- signatures ---- */

static sema_names names_of(sema *s, const sema_signature *sig)
{
    return (sema_names){.s = s, .file = sig->fn->file};
}

static sema_param *param_named(sema_signature *sig, const char *name)
{
    for (uint32_t i = 0; i < sig->fn->param_count; i++)
        if (strcmp(sig->fn->params[i].name, name) == 0) return &sig->params[i];
    return NULL;
}

/* The name that n is as the source spells it: a, a.b; NULL when it is none. */
static const char *spelling(arena *a, const ast_node *n)
{
    if (n->kind == AST_STRING) return n->text;
    if (n->kind == AST_NAME) return n->name;
    const char *of = n->kind == AST_ATTRIBUTE ? spelling(a, n->kids[0]) : NULL;
    return of ? arena_printf(a, "%s.%s", of, n->name) : NULL;
}

static const char *type_problem(sema *s, sema_global g, cpl_span *span)
{
    if (g.kind == GLOBAL_CLASS) return sema_struct_problem(s, g.class_, span);
    if (g.kind != GLOBAL_FOREIGN) return NULL;
    *span = g.import->span;
    return g.problem;
}

/* What a text of a type begins with: "steps.Particle" of "steps.Particle[]". */
static const char *first_word(sema_names in, const char *text)
{
    return arena_strndup(&in.s->comp->arena, text, strcspn(text, " \t*[("));
}

bool sema_is_broken(sema_names in, const char *text)
{
    sema_global of;
    return sema_find_dotted(in, first_word(in, text), &of).kind == GLOBAL_BROKEN;
}

void sema_explain_type(sema_names in, diag_list *l, diag *d, const char *text, const char *others)
{
    sema_global of = {.kind = GLOBAL_NONE};
    sema_global g = sema_find_dotted(in, first_word(in, text), &of);
    cpl_span span;
    const char *problem = type_problem(in.s, g, &span), *dot = strrchr(text, '.');
    if (problem) {
        diag_note(l, d, span, "%s", problem);
        return;
    }
    if (of.kind == GLOBAL_FILE) in.file = of.file; /* whose types are offered */
    const char *name = dot ? dot + 1 : text;
    const char *hint = dot && sema_language_type(in, name) ? name : likely_type(in, name);
    if (hint) diag_hint(l, d, "did you mean '%s'?", hint);
    else if (others) diag_hint(l, d, "%s", others);
}

void sema_bad_type(sema_names in, diag_list *l, const ast_node *n)
{
    if (n->kind == AST_ERROR) return;
    if (n->kind == AST_CALL) {
        diag *d = diag_error(l, CPL_EUNSUPPORTED, n->span, "only names of types can be used here");
        diag_hint(l, d, "write the type's name: 'double', 'doublep', 'float64[]'");
        return;
    }
    const char *name = spelling(&in.s->comp->arena, n);
    if (!name) {
        diag_error(l, CPL_ETYPE, n->span, "this is not a type");
        return;
    }
    if (sema_is_broken(in, name)) return;
    sema_explain_type(in, l, diag_error(l, CPL_ETYPE, n->span, "'%s' is not a type", name), name,
                      "types are 'double', 'float', 'int', 'long', 'uint', 'doublep', 'float64[]', "
                      "'int32', ...");
}

static void set_result(sema *s, sema_signature *sig, const ast_node *n, const cpl_type *t)
{
    if (t && (type_is_scalar(t) || type_is_void(t) || type_is_struct(t) ||
              (type_is_pointer(t) && !type_has_layout(t)))) {
        sig->result = t;
        return;
    }
    sig->bad_result = true;
    if (t)
        diag_error(&sig->diags, CPL_ETYPE, n->span, "a function cannot return %s",
                   sema_type_name(&s->comp->arena, t));
    else sema_bad_type(names_of(s, sig), &sig->diags, n);
}

static void no_star_type(sema_signature *sig, const ast_node *n)
{
    diag *d =
        diag_error(&sig->diags, CPL_EUNSUPPORTED, n->span, "'*%s' takes no annotation", sig->star);
    diag_hint(&sig->diags, d, "each argument that it takes has a type of its own");
    sig->params[sig->star_at].bad = true;
}

static void set_param(sema *s, sema_signature *sig, sema_param *p, const ast_node *n,
                      const cpl_type *t)
{
    if (sig->star && p == &sig->params[sig->star_at]) {
        no_star_type(sig, n);
        return;
    }
    if (t && !type_is_void(t) && !type_is_array(t)) {
        p->type = t;
        return;
    }
    p->bad = true;
    if (t)
        diag_error(&sig->diags, CPL_ETYPE, n->span, "a parameter cannot be %s",
                   sema_type_name(&s->comp->arena, t));
    else sema_bad_type(names_of(s, sig), &sig->diags, n);
}

/* Gives a parameter or the result its type; false when there is no such name. */
static bool set_named(sema *s, sema_signature *sig, const char *name, const ast_node *n,
                      const cpl_type *t)
{
    sema_param *p = param_named(sig, name);
    if (p) set_param(s, sig, p, n, t);
    else if (strcmp(name, "return_") == 0) set_result(s, sig, n, t);
    else return false;
    return true;
}

static void no_such_param(sema_signature *sig, cpl_span span, const char *name)
{
    diag *d = diag_error(&sig->diags, CPL_ENOTFOUND, span, "'%s' is no parameter of '%s'", name,
                         sig->fn->name);
    suggester best;
    suggest_init(&best, name);
    for (uint32_t i = 0; i < sig->fn->param_count; i++)
        suggest_offer(&best, sig->fn->params[i].name);
    suggest_offer(&best, "return_");
    if (suggest_best(&best)) diag_hint(&sig->diags, d, "did you mean '%s'?", suggest_best(&best));
}

/* int='i, j': the type first. */
static void type_first(sema *s, sema_signature *sig, const cpl_type *t, const ast_node *value)
{
    arena *a = &s->comp->arena;
    for (const char *at = value->text; at;) {
        const char *comma = strchr(at, ',');
        const char *name = trim(a, comma ? arena_strndup(a, at, (size_t)(comma - at)) : at);
        if (*name && !set_named(s, sig, name, value, t)) no_such_param(sig, value->span, name);
        at = comma ? comma + 1 : NULL;
    }
}

/* One keyword of annotate: x='double' or double='x, y'; which, the names tell. */
static void annotate_item(sema *s, sema_signature *sig, const ast_node *k)
{
    const ast_node *value = k->kids[0];
    sema_names names = names_of(s, sig);
    const cpl_type *t = sema_python_type(names, value), *key = sema_language_type(names, k->name);
    bool known = param_named(sig, k->name) || strcmp(k->name, "return_") == 0;
    if (value->kind == AST_ERROR) return;
    if (value->kind == AST_STRING && key && (!known || (!t && strchr(value->text, ',')))) {
        type_first(s, sig, key, value);
        return;
    }
    if (known) set_named(s, sig, k->name, value, t);
    else if (t || value->kind != AST_STRING) no_such_param(sig, k->span, k->name);
    else {
        diag *d =
            diag_error(&sig->diags, CPL_ETYPE, k->span,
                       "'%s' is neither a parameter of '%s' nor a type", k->name, sig->fn->name);
        diag_hint(&sig->diags, d, "write annotate(x='double') or annotate(double='x, y')");
    }
}

static void decorator(sema *s, sema_signature *sig, const ast_decorator *d)
{
    static const char *const silent[] = {"annotate",    "jit",    "njit",
                                         "elementwise", "kernel", "serial"};
    const ast_node *e = d->expr, *name = e->kind == AST_CALL ? e->kids[0] : e;
    if (e->kind == AST_ERROR) return;
    const char *text = name->kind == AST_NAME || name->kind == AST_ATTRIBUTE ? name->name : NULL;
    bool known = false;
    for (unsigned i = 0; text && i < COUNT_OF(silent); i++) known |= strcmp(text, silent[i]) == 0;
    if (!known) {
        diag_remark(&sig->diags, d->span,
                    text ? "the decorator '%s' is ignored" : "this decorator is ignored%s",
                    text ? text : "");
        return;
    }
    if (strcmp(text, "serial") == 0 && !sema_host_of(sig->fn->file)) {
        sig->serial = true;
        sig->serial_span = d->span;
    }
    if (e->kind != AST_CALL || strcmp(text, "annotate") != 0) return;
    for (uint32_t i = 1; i < e->kid_count; i++) {
        if (e->kids[i]->kind == AST_KEYWORD) annotate_item(s, sig, e->kids[i]);
        else
            diag_error(&sig->diags, CPL_ETYPE, e->kids[i]->span,
                       "annotate takes keywords: annotate(x='double') or annotate(double='x, y')");
    }
}

/* Behind a star alone: a parameter like others, but for calls. */
static bool is_keyword_only(const sema_signature *sig, uint32_t i)
{
    while (sig->fn->params[i].star == 'k' && i > 0) i--;
    return sig->fn->params[i].star == 'k' || !sig->fn->params[i].star;
}

/* *NAME at the end takes any number of arguments. Nothing else with a star is accepted, which is
 * said once. */
static void star_parameter(sema_signature *sig, uint32_t i)
{
    const ast_param *all = sig->fn->params, *p = &all[i];
    bool last = i + 1 == sig->fn->param_count, again = false;
    for (uint32_t k = 0; k < i; k++) again |= all[k].star == '*';
    diag *d = NULL;
    sig->params[i].bad = p->star != '*' || again || !last;
    if (p->star == 'K')
        diag_error(&sig->diags, CPL_EUNSUPPORTED, p->span,
                   "'**' parameters are not supported: '%s'", p->name);
    else if (p->star == '*' && again)
        d = diag_error(&sig->diags, CPL_EUNSUPPORTED, p->span,
                       "'*%s' is another star parameter of '%s'", p->name, sig->fn->name);
    else if (p->star == '*' && !last && all[i + 1].star == 'k')
        d = diag_error(&sig->diags, CPL_EUNSUPPORTED, p->span,
                       "'*%s' is not the last parameter of '%s'", p->name, sig->fn->name);
    if (d) diag_hint(&sig->diags, d, "one stands behind all others: def f(x, y, *args)");
    if (sig->params[i].bad) return;
    sig->star = p->name;
    sig->star_at = i;
    if (!p->value) return;
    diag_error(&sig->diags, CPL_EUNSUPPORTED, p->value->span, "'*%s' takes no default", p->name);
    sig->params[i].bad = true;
}

/* The number that a host program gives as the parameter's default, under the name "NAME=". */
static bool host_default(sema *s, const sema_signature *sig, const char *name, sema_const *value)
{
    sema_global g = sema_host_name(names_of(s, sig), arena_printf(&s->comp->arena, "%s=", name));
    if (g.kind == GLOBAL_NUMBER) *value = g.number;
    if (g.kind == GLOBAL_COMPLEX) *value = sema_complex_const(s, g.parts);
    return g.kind == GLOBAL_NUMBER || g.kind == GLOBAL_COMPLEX;
}

static bool default_of(sema *s, const ast_node *n, sema_const *value)
{
    double parts[2];
    if (sema_literal(s, n, value)) return true;
    if (!sema_complex_literal(n, parts)) return false;
    *value = sema_complex_const(s, parts);
    return true;
}

/* Whether a variable of the type can be given the number. */
static bool takes_number(const cpl_type *t, sema_const k)
{
    return type_is_complex(t) || (type_is_scalar(t) && !type_is_complex(k.type));
}

static void read_default(sema *s, sema_signature *sig, uint32_t i)
{
    const ast_param *p = &sig->fn->params[i];
    sema_param *to = &sig->params[i];
    to->has_default = default_of(s, p->value, &to->value);
    if (!to->has_default) {
        diag *d = diag_error(&sig->diags, CPL_EUNSUPPORTED, p->value->span,
                             "the default of '%s' is not a number literal", p->name);
        diag_hint(&sig->diags, d, "defaults may be numbers, True and False");
    } else if (to->type && !takes_number(to->type, to->value)) {
        diag_error(&sig->diags, CPL_ETYPE, p->value->span,
                   "the default of '%s' is a %snumber, but its type is %s", p->name,
                   type_is_complex(to->value.type) ? "complex " : "",
                   sema_type_name(&s->comp->arena, to->type));
        to->bad = true;
    }
}

/* What the host program says of a function: nothing of those inside of it. */
static const sema_host *said_of(const ast_func *fn)
{
    return fn->inner ? NULL : sema_host_of(fn->file);
}

static void parameter(sema *s, sema_signature *sig, uint32_t i)
{
    const ast_param *p = &sig->fn->params[i];
    const sema_host *host = said_of(sig->fn);
    const cpl_type *given = host ? sema_host_param(host, i) : NULL;
    sig->params[i].span = p->span;
    sig->params[i].by_name = p->star && is_keyword_only(sig, i);
    if (p->star && !sig->params[i].by_name) star_parameter(sig, i);
    bool star = sig->star != NULL;
    if (!star) sig->params[i].type = given;
    if (p->annotation && !given)
        set_param(s, sig, &sig->params[i], p->annotation,
                  sema_python_type(names_of(s, sig), p->annotation));
    if (p->value && p->value->kind != AST_ERROR && !star) read_default(s, sig, i);
    else if (host && p->unread && !star)
        sig->params[i].has_default = host_default(s, sig, p->name, &sig->params[i].value);
}

sema_signature *sema_signature_of(sema *s, ast_func *fn)
{
    arena *a = &s->comp->arena;
    sema_signature *sig = fn->user;
    if (sig) return sig;
    fn->user = sig = arena_new(a, sema_signature);
    sig->fn = fn;
    sig->diags.arena = a;
    sig->params = arena_array(a, fn->param_count, sizeof *sig->params);
    if (fn->is_async) /* of a generator the parser has refused each yield */
        diag_error(&sig->diags, CPL_EUNSUPPORTED, fn->name_span,
                   "'%s' is a coroutine, which kernels do not support", fn->name);
    for (uint32_t i = 0; i < fn->param_count; i++) parameter(s, sig, i);
    const sema_host *host = said_of(fn);
    sig->result = host ? host->given->result : NULL;
    if (fn->returns && !sig->result)
        set_result(s, sig, fn->returns, sema_python_type(names_of(s, sig), fn->returns));
    for (uint32_t i = 0; i < fn->decorator_count; i++) decorator(s, sig, &fn->decorators[i]);
    return sig;
}
