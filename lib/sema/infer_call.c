/* Calls of functions of the file, of registered C functions and of types; finding out which of
 * them, or which builtin, it is. */
#include "lib/sema/sema_int.h"
#include "lib/support/plural.h"

#include <math.h>
#include <strings.h>

static ast_node *argument(const ast_node *n, uint32_t i)
{
    ast_node *a = n->kids[1 + i];
    return a->kind == AST_KEYWORD ? a->kids[0] : a;
}

void sema_arguments(instance *in, ast_node *n)
{
    for (uint32_t i = 0; i + 1 < n->kid_count; i++) {
        ast_node *a = argument(n, i);
        if (a->kind == AST_STRING) continue;
        if (!sema_is_bound(sema_argument(in, a))) sema_settle_default(in, a);
    }
}

bool sema_no_keywords(instance *in, const ast_node *n, const char *name)
{
    if (n->keyword_count == 0) return true;
    const ast_node *k = n->kids[n->kid_count - n->keyword_count];
    sema_error(in, k->span, "'%s' takes no keyword arguments, found '%s'", name, k->name);
    return false;
}

static diag *wrong_count(instance *in, const ast_node *n, const char *name, uint32_t least,
                         uint32_t most, uint32_t found)
{
    /* of the library's own code the user sees no call */
    const char *but = n->span.file == in->s->own_source ? "and is called with" : "found";
    if (least == most)
        return sema_error(in, n->span, "'%s' takes %u argument%s, %s %u", name, least,
                          plural(least), but, found);
    if (most < UINT32_MAX)
        return sema_error(in, n->span, "'%s' takes %u to %u arguments, %s %u", name, least, most,
                          but, found);
    return sema_error(in, n->span, "'%s' takes at least %u argument%s, %s %u", name, least,
                      plural(least), but, found);
}

bool sema_arity(instance *in, const ast_node *n, const char *name, uint32_t least, uint32_t most)
{
    uint32_t found = n->kid_count - 1 - n->keyword_count;
    if (found >= least && found <= most) return true;
    diag *d = wrong_count(in, n, name, least, most, found);
    if (strncmp(name, "atomic_", 7) == 0 && found > most)
        sema_hint(in, d, "the element is one argument: %s(x[i]%s)", name,
                  most == 1   ? ""
                  : most == 2 ? ", 1"
                              : ", 1, 2");
    if (strncmp(name, "cuda.grid", 9) == 0 && found < least)
        sema_hint(in, d, "%s(1) is that of one dimension; x, y = %s(2) of two", name, name);
    return false;
}

/* ---- functions of the file ---- */

/* Of its parameters those that are variables of the function around it, which no text gives. */
static uint32_t captured_count(const ast_func *fn)
{
    uint32_t n = 0;
    while (n < fn->param_count && fn->params[fn->param_count - 1 - n].captured) n++;
    return n;
}

/* Its parameters without those, and those that a star takes. */
static uint32_t named_count(const sema_signature *sig)
{
    return sig->base ? sig->star_at : sig->fn->param_count - captured_count(sig->fn);
}

static uint32_t given_captured(const sema_site *c, const ast_func *fn)
{
    uint32_t n = captured_count(fn);
    return c->keywords < n ? c->keywords : n;
}

static diag *wrong_arguments(instance *in, const sema_site *c, const sema_signature *sig)
{
    uint32_t most = named_count(sig), least = 0;
    for (uint32_t i = 0; i < most; i++) least += !sig->params[i].has_default;
    least -= c->method && least > 0;
    most = sig->base ? UINT32_MAX : most - c->method;
    return wrong_count(in, c->n, sig->fn->name, least, most,
                       c->count - c->method - given_captured(c, sig->fn));
}

static void note_definition(instance *in, diag *d, const ast_func *fn)
{
    sema_note(in, d, fn->span, "'%s' is defined here", fn->name);
    if (ast_is_operator(fn)) sema_hint(in, d, SEMA_OPERATOR_TAKES);
}

static void hint_parameters(instance *in, diag *d, const sema_signature *sig)
{
    const char *names = "";
    uint32_t named = named_count(sig);
    for (uint32_t i = 0; i < named; i++)
        names = arena_printf(&in->s->comp->arena, "%s%s%s", names, i ? ", " : "",
                             sig->fn->params[i].name);
    if (named) sema_hint(in, d, named > 1 ? "its parameters are %s" : "its parameter is %s", names);
}

/* Puts the arguments of a call in order of the parameters; false after an error. */
static bool match(instance *in, const sema_site *c, const sema_signature *sig, sema_arg *args)
{
    const ast_func *fn = sig->fn;
    uint32_t positional = c->count - c->keywords;
    bool good = true;
    if (positional > fn->param_count - captured_count(fn)) {
        note_definition(in, wrong_arguments(in, c, sig), fn);
        return false;
    }
    for (uint32_t i = 0; i < positional; i++) {
        args[i].node = c->args[i];
        if (!sig->params[i].by_name) continue;
        diag *d = sema_error(in, args[i].node->span, "'%s' of '%s' is given by its name",
                             fn->params[i].name, fn->name);
        sema_hint(in, d, "%s(..., %s=...)", fn->name, fn->params[i].name);
        good = false;
    }
    for (uint32_t i = positional; i < c->count; i++) {
        ast_node *k = c->args[i];
        uint32_t p = 0, named = named_count(sig) + captured_count(fn);
        while (p < named && strcmp(fn->params[p].name, k->name) != 0) p++;
        if (p < named && !args[p].node) {
            args[p].node = k->kids[0];
            continue;
        }
        bool star = sig->base && strcmp(sig->star, k->name) == 0;
        const char *what = p < named ? "'%s' is given twice"
                           : star    ? "'*%s' takes arguments without a name"
                                     : NULL;
        diag *d = what ? sema_error(in, k->span, what, k->name)
                       : sema_error(in, k->span, "'%s' has no parameter '%s'", fn->name, k->name);
        if (!what) hint_parameters(in, d, sig);
        sema_note(in, d, fn->span, "'%s' is defined here", fn->name);
        good = false;
    }
    return good;
}

static bool fill_defaults(instance *in, const sema_site *c, const sema_signature *sig,
                          sema_arg *args)
{
    const ast_func *fn = sig->fn;
    uint32_t missing = 0, first = 0;
    for (uint32_t i = 0; i < fn->param_count; i++) {
        if (args[i].node) continue;
        if (sig->params[i].has_default) args[i].value = sig->params[i].value;
        else if (missing++ == 0) first = i;
    }
    if (missing == 0) return true;
    diag *d = c->keywords > captured_count(fn)
                  ? sema_error(in, c->n->span, "'%s' is called without its argument '%s'", fn->name,
                               fn->params[first].name)
                  : wrong_arguments(in, c, sig);
    note_definition(in, d, fn);
    if (fn->params[first].unread)
        sema_hint(in, d, "the default of '%s' is not read here: give the argument",
                  fn->params[first].name);
    return false;
}

/* A literal float among the arguments takes the widest float type of the others, as an untyped
 * argument of a launch does. */
static const cpl_type *widest_float(instance *in, const sema_arg *args, uint32_t n)
{
    const cpl_type *best = NULL;
    for (uint32_t i = 0; i < n; i++) {
        const cpl_type *t = args[i].node ? in->f.types[args[i].node->id] : NULL;
        if (!sema_is_known(t) || sema_is_weak(t)) continue;
        while (type_is_pointer(t) || type_is_array(t)) t = t->elem;
        if (type_is_complex(t)) t = t->fields[0].type;
        if (type_is_float(t) && (!best || t->size > best->size)) best = t;
    }
    return best ? sema_decay(in->s->comp, best) : in->s->t_f64;
}

/* The type a parameter has in the instance for an argument of type t; the error type after an
 * error. */
static const cpl_type *param_type(instance *in, const sema_signature *sig, uint32_t i,
                                  const ast_node *n, const cpl_type *t)
{
    const sema_param *p = &sig->params[i];
    const char *name = sig->fn->params[i].name;
    if (p->bad || sema_is_error(t)) return &sema_error_type;
    if (!p->type) return t;
    bool pointers = type_is_pointer(p->type) && type_is_pointer(t);
    if (pointers && p->type->elem == t->elem) return t;
    if (type_is_scalar(p->type) && type_is_scalar(t)) {
        const char *what =
            arena_printf(&in->s->comp->arena, "parameter '%s' of '%s'", name, sig->fn->name);
        sema_check_store(in, n->span, p->type, t, what);
        return p->type;
    }
    if (p->type == t) return t;
    if (type_is_complex(p->type) && sema_is_complex_or_number(t)) return p->type;
    diag *d = sema_error(in, n->span, "parameter '%s' of '%s' is %s, found %s", name, sig->fn->name,
                         sema_name(in, p->type), sema_name(in, t));
    sema_note(in, d, p->span, "the parameter is here");
    return &sema_error_type;
}

/* Whether the argument is a parameter that stands for an integer, and goes on as such. */
static bool goes_on(instance *in, const sema_param *p, const ast_node *n)
{
    bool stands =
        n && (n->stands || (n->kind == AST_NAME && sema_bound_named(sema_names_of(in), n->name)));
    return stands && !p->is_assigned;
}

/* An integer that is known now, of a parameter that has to be, or can; else NULL. */
static const cpl_type *static_argument(instance *in, const sema_param *p, const sema_arg *arg)
{
    const sema_const *k = arg->node ? sema_const_of(in, arg->node) : &arg->value;
    if (!(p->is_static || goes_on(in, p, arg->node)) || !k || !type_is_int(k->type) ||
        (p->type && !type_is_int(p->type)))
        return NULL;
    const cpl_type *given = arg->node ? in->f.types[arg->node->id] : NULL;
    bool literal = !given || sema_is_weak(given);
    const cpl_type *t = sema_bind_integer(in->s, *k, p->type ? p->type : literal ? NULL : given);
    if (!p->type || sema_const_fits(*k, p->type)) return t;
    diag *d = sema_error(in, arg->node ? arg->node->span : p->span,
                         "%s, which a parameter is to stand for, does not fit %s", t->text,
                         sema_name(in, p->type));
    sema_note(in, d, p->span, "the parameter is here");
    return t;
}

/* types: [param_count]; false when an argument's type is not known yet. */
static bool argument_types(instance *in, const sema_signature *sig, const sema_arg *args,
                           const cpl_type **types)
{
    compilation *c = in->s->comp;
    uint32_t count = sig->fn->param_count;
    bool known = true;
    const cpl_type *widest = widest_float(in, args, count);
    for (uint32_t i = 0; i < count; i++) {
        ast_node *n = args[i].node;
        const cpl_type *annotated = sig->params[i].type;
        if ((types[i] = static_argument(in, &sig->params[i], &args[i]))) continue;
        if (!n) {
            types[i] = annotated ? annotated : sema_default(c, sema_weak_of(args[i].value));
            continue;
        }
        const cpl_type *t = in->f.types[n->id];
        if (!t || (in->phase == 1 && sema_is_weak(t) && !sema_is_constant(in, n))) {
            known = false;
            continue;
        }
        if (sema_is_weak(t)) {
            const cpl_type *as = sema_is_weak_float(t) ? widest
                                 : type_is_complex(t)  ? sema_complex_of(c, widest)
                                                       : sema_default(c, t);
            if (annotated && type_is_scalar(annotated)) sema_settle_store(in, n, annotated);
            else sema_settle(in, n, as);
            t = in->phase == 3 ? in->f.types[n->id]
                : annotated && type_is_scalar(annotated) && sema_const_of(in, n)
                    ? sema_default(c, t)
                    : as;
        }
        types[i] = param_type(in, sig, i, n, sema_decay_at(&in->f, c, n, t));
    }
    return known;
}

/* Whether it returns anything but what a call of itself gives. */
static bool gives_value(const ast_list *list, const char *name)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i], *e = n->kid_count ? n->kids[0] : NULL;
        bool own = e && e->kind == AST_CALL && e->kids[0]->kind == AST_NAME &&
                   strcmp(e->kids[0]->name, name) == 0;
        if (n->kind == AST_RETURN && e && e->kind != AST_NONE && !own) return true;
        if (gives_value(n->body, name) || gives_value(n->orelse, name)) return true;
    }
    return false;
}

static void hint_result(instance *in, const instance *callee, diag *d)
{
    if (!gives_value(sema_body(callee), callee->sig->fn->name)) {
        sema_hint(in, d, "it returns nothing: add -> None behind the parameters");
        return;
    }
    const cpl_type *seen = sema_is_known(callee->returned) ? callee->returned : callee->arm;
    const cpl_type *t = sema_default(in->s->comp, seen);
    const char *name = sema_is_known(t) && type_is_scalar(t) ? sema_name(in, t) : "float64";
    sema_hint(in, d, "add return_='%s' to @annotate, or -> %s behind the parameters", name, name);
}

static const cpl_type *recursive_result(instance *in, instance *callee, cpl_span span)
{
    /* callers are busy too, up to the entry */
    for (instance *i = in; i != callee; i = i->caller) i->f.recursive = true;
    callee->f.recursive = true;
    if (callee->entry && in->s->form == SEMA_KERNEL) {
        diag *d = sema_error_as(in, CPL_EUNSUPPORTED, span,
                                "'%s' is a kernel, which a launch runs and no call",
                                callee->sig->fn->name);
        sema_hint(in, d, "a function of the file that the kernel calls may call itself");
        return &sema_error_type;
    }
    if (callee->sig->result) return callee->sig->result;
    if (callee->sig->bad_result) return &sema_error_type;
    diag *d = sema_error(in, span, "'%s' calls itself and does not declare what it returns",
                         callee->sig->fn->name);
    sema_note(in, d, callee->sig->fn->span, "'%s' is defined here", callee->sig->fn->name);
    hint_result(in, callee, d);
    return &sema_error_type;
}

static void add_call(instance *in, sema_func *callee)
{
    for (uint32_t i = 0; i < in->f.calls.n; i++)
        if (in->f.calls.at[i] == callee) return;
    vec_push(&in->s->comp->arena, &in->f.calls, callee);
}

/* Leaves the arguments that are values. */
static void drop_bound(sema_arg *args, const cpl_type *const *types, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!sema_is_bound(types[i])) args[kept++] = args[i];
}

/* That of a function for as many arguments as a call gives; NULL after an error. */
static sema_signature *signature_for(instance *in, const sema_site *c, ast_func *fn)
{
    sema_signature *sig = sema_signature_of(in->s, fn);
    uint32_t positional = c->count - c->keywords;
    sema_signature *v = sema_spread(in->s, sig, positional);
    if (!v)
        sema_error_as(in, CPL_ELIMIT, c->n->span, "'*%s' takes %d arguments at most, found %u",
                      sig->star, LIMIT_STAR, positional - sig->star_at);
    return v;
}

/* NumPy's and Numba's functions are of single elements: an array is refused here, and not where the
 * library uses it. */
static bool gives_arrays(instance *in, const sema_site *c, const ast_func *fn)
{
    if (!sema_is_written(in->s, fn->file) || in->f.fn->file == fn->file) return false;
    bool any = false;
    const char *what =
        arena_printf(&in->s->comp->arena, "an argument of '%s'", fn->name + (*fn->name == '_'));
    for (uint32_t i = 0; i < c->count; i++) {
        ast_node *arg = c->args[i]->kind == AST_KEYWORD ? c->args[i]->kids[0] : c->args[i];
        const cpl_type *t = in->f.types[arg->id];
        if (!sema_is_known(t) || !(type_is_pointer(t) || type_is_array(t))) continue;
        sema_number(in, arg, what);
        any = true;
    }
    return any;
}

/* Weak arguments that no parameter takes, after an error. */
static const cpl_type *failed_call(instance *in, const sema_site *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        ast_node *arg = c->args[i]->kind == AST_KEYWORD ? c->args[i]->kids[0] : c->args[i];
        if (arg == c->n) continue;
        if (c->rows && !in->f.types[arg->id]) sema_argument(in, arg); /* a row */
        if (!sema_is_bound(in->f.types[arg->id])) sema_settle_default(in, arg);
    }
    return &sema_error_type;
}

const cpl_type *sema_call_function(instance *in, const sema_site *c, ast_func *fn)
{
    arena *a = &in->s->comp->arena;
    if (gives_arrays(in, c, fn)) return failed_call(in, c);
    sema_signature *sig = signature_for(in, c, fn);
    if (!sig) return failed_call(in, c);
    fn = sig->fn;
    sema_arg *args = arena_array(a, fn->param_count, sizeof *args);
    /* for its errors: which parameters there are is not known */
    if (fn->header_bad) sema_parse_body(in->s, fn);
    if (fn->header_bad || !match(in, c, sig, args) || !fill_defaults(in, c, sig, args))
        return failed_call(in, c);
    if (c->rows) sig = sema_with_rows(in, sig, &args);
    if (!sig) return failed_call(in, c);
    fn = sig->fn;
    const cpl_type **types = arena_array(a, fn->param_count, sizeof *types);
    sema_find_statics(in->s, sig);
    if (!argument_types(in, sig, args, types)) return NULL;
    sema_settle_rows(in, sig, types);
    instance *callee = sema_instance(in, sig, types, c->n->span);
    if (!callee) return &sema_error_type;
    for (uint32_t i = 0; i < fn->param_count; i++)
        if (args[i].node) sema_ask_parameter(in, args[i].node, callee->all.at[i]);
    sema_ask_rows(in, sig, args);
    if (in->phase == 3) {
        drop_bound(args, types, fn->param_count);
        in->f.refs[c->n->id] = (sema_ref){.kind = REF_FUNC, .func = &callee->f, .args = args};
        add_call(in, &callee->f);
        uint32_t own = in->s->own_source;
        if (own && c->n->span.file == own && fn->span.file != own)
            vec_push(a, &in->asked, (const ast_node *)c->n);
    }
    return callee->busy ? recursive_result(in, callee, c->n->span) : callee->f.result;
}

static sema_site untyped_site(ast_node *n)
{
    return (sema_site){.n = n,
                       .args = n->kids + 1,
                       .count = n->kid_count - 1,
                       .keywords = n->keyword_count};
}

sema_site sema_site_of(instance *in, ast_node *n, ast_node *receiver)
{
    uint32_t count = n->kid_count - 1;
    for (uint32_t i = 0; i < count; i++) sema_argument(in, argument(n, i));
    sema_site c = untyped_site(n);
    if (!receiver) return c;
    c.method = true;
    c.args = arena_array(&in->s->comp->arena, count + 1, sizeof(ast_node *));
    c.args[0] = receiver;
    memcpy(c.args + 1, n->kids + 1, count * sizeof(ast_node *));
    c.count++;
    return c;
}

static const cpl_type *call_function(instance *in, ast_node *n, ast_func *fn)
{
    sema_site c = untyped_site(n);
    c.rows = true;
    for (uint32_t i = 0; i < c.count; i++)
        if (!sema_gives_row(in, fn, sema_parameter_at(fn, n, i + 1), argument(n, i)))
            sema_argument(in, argument(n, i));
    return sema_call_function(in, &c, fn);
}

/* ---- registered C functions ---- */

static const cpl_type *call_extern(instance *in, ast_node *n, const sema_extern *ext)
{
    for (uint32_t i = 0; i + 1 < n->kid_count; i++) sema_value(in, argument(n, i));
    if (!sema_no_keywords(in, n, ext->name) ||
        !sema_arity(in, n, ext->name, ext->param_count, ext->param_count)) {
        sema_arguments(in, n);
        return &sema_error_type;
    }
    for (uint32_t i = 0; i < ext->param_count; i++) {
        ast_node *arg = n->kids[1 + i];
        sema_settle_store(in, arg, ext->params[i]);
        const char *what =
            arena_printf(&in->s->comp->arena, "parameter %u of '%s'", i + 1, ext->name);
        sema_check_store(in, arg->span, ext->params[i], in->f.types[arg->id], what);
    }
    in->f.refs[n->id] = (sema_ref){.kind = REF_EXTERN, .ext = ext};
    return ext->result;
}

/* ---- conversions ---- */

const cpl_type *sema_call_type(instance *in, ast_node *n, const cpl_type *to)
{
    ast_node *arg = n->kids[1];
    const cpl_type *t = sema_value(in, arg);
    sema_settle_default(in, arg);
    in->f.refs[n->id] = (sema_ref){.kind = REF_TYPE, .type = to};
    if (sema_is_error(t)) return t;
    if (!t) return type_is_pointer(to) ? NULL : to;
    t = sema_decay_at(&in->f, in->s->comp, arg, t);
    if (type_is_scalar(to) && type_is_scalar(t)) return to;
    if (type_is_complex(to) && sema_is_complex_or_number(t)) return to;
    if (type_is_pointer(to) && type_is_pointer(t) && !type_has_layout(t)) {
        if (to->space == SPACE_GENERIC) to = comp_pointer(in->s->comp, to->elem, t->space);
        in->f.refs[n->id].type = to;
        return to;
    }
    const ast_func *fn = sema_asked(in, n->span);
    if (fn) sema_error_returns(in, fn, t, sema_name(in, to));
    if (fn) return &sema_error_type;
    diag *d = sema_error(in, n->span, "%s cannot be converted to %s", sema_name(in, t),
                         sema_name(in, to));
    if (type_is_complex(t)) sema_hint(in, d, "take .real, .imag or abs(...) of it");
    if (type_is_scalar(to)) sema_hint_element(in, d, arg, false);
    return &sema_error_type;
}

/* float('inf'), a literal; of other texts the top of a file knows more. */
static const cpl_type *convert_text(instance *in, const ast_node *n, const cpl_type *to,
                                    const char *name)
{
    const char *text = n->kids[1]->text;
    sema_const k;
    if (strcmp(name, "float") == 0 && !sema_module_number(in->s, in->f.fn->file, n, &k) &&
        !isfinite(sema_const_float(k))) {
        in->f.refs[n->id] = (sema_ref){.kind = REF_CONST, .constant = k};
        return sema_weak_of(k);
    }
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->kids[1]->span,
                            "a text is converted at the top of a file alone, found '%s'", text);
    const char *letters = text + strspn(text, "+-");
    bool inf = strncasecmp(letters, "inf", 3) == 0, nan = strncasecmp(letters, "nan", 3) == 0;
    if (type_is_float(to) && (inf || nan)) sema_hint(in, d, "write %s", inf ? "INFINITY" : "NAN");
    else sema_hint(in, d, "write the number");
    return &sema_error_type;
}

static const cpl_type *convert(instance *in, ast_node *n, const cpl_type *to, const char *name)
{
    if (n->kid_count == 2 && n->kids[1]->kind == AST_STRING) return convert_text(in, n, to, name);
    if (sema_no_keywords(in, n, name) && sema_arity(in, n, name, 1, 1))
        return sema_call_type(in, n, to);
    sema_arguments(in, n);
    return &sema_error_type;
}

/* ---- which one ---- */

static const cpl_type *not_callable(instance *in, ast_node *n, const char *what, const char *name)
{
    diag *d = sema_error(in, n->kids[0]->span, "'%s' is %s, not a function", name, what);
    const sema_var *v = n->kids[0]->kind == AST_NAME ? sema_local(in, name) : NULL;
    if (v && sema_is_known(v->type) && type_is_pointer(v->type))
        sema_hint(in, d, "an element is %s[i]", name);
    else sema_hint(in, d, "it stands without a call: %s", name);
    sema_arguments(in, n);
    return &sema_error_type;
}

/* What there is instead of a module's function: of the language, or of the same name in it. */
static void hint_foreign(instance *in, diag *d, const char *module, const char *name)
{
    static const char *const instead[][2] = {{"random", "cpl.random"},
                                             {"time", "a clock of the host program"}};
    for (unsigned i = 0; i < COUNT_OF(instead); i++)
        if (strcmp(instead[i][0], module) == 0) {
            sema_hint(in, d, "use %s", instead[i][1]);
            return;
        }
    sema_builtin known;
    if (sema_find_builtin(name, MODULE_MATH, &known)) sema_hint(in, d, "math.%s is known", name);
    else sema_hint(in, d, "define '%s' in this file or register it as a C function", name);
}

static const cpl_type *call_foreign(instance *in, ast_node *n, sema_global g, const char *name)
{
    diag *d = sema_foreign(in, n->kids[0]->span, g, name);
    bool refused = sema_knows_module(g.import->module) && sema_find_refused(g.import->name);
    if (!g.from && !refused) hint_foreign(in, d, g.import->module, name);
    sema_arguments(in, n);
    return &sema_error_type;
}

/* round(x, digits), which is a function of the library. */
static const cpl_type *call_digits(instance *in, ast_node *n)
{
    const sema_names library = {.s = in->s, .file = sema_find_library(in->s, "cpl.numpy").file};
    ast_node *digits = argument(n, 1);
    const cpl_type *t = sema_value(in, digits);
    diag *d = NULL;
    bool named = n->keyword_count == 0 || strcmp(n->kids[2]->name, "ndigits") == 0;
    bool whole = !sema_is_known(t) || type_is_int(t);
    if (n->keyword_count > 1 || !named)
        d = sema_error(in, n->kids[n->keyword_count > 1 ? 1 : 2]->span,
                       "'round' has a number without a name and ndigits, found '%s'",
                       n->kids[n->keyword_count > 1 ? 1 : 2]->name);
    else if (!whole)
        d = sema_error(in, digits->span, "the digits of 'round' must be an integer, found %s",
                       sema_name(in, t));
    if (n->keyword_count > 1 || !named || !whole) {
        sema_hint(in, d, "round(x, 2)");
        sema_arguments(in, n);
        return &sema_error_type;
    }
    return call_function(in, n, sema_find_name(library, "_round").func);
}

static const cpl_type *call_global(instance *in, ast_node *n, sema_global g, const char *name)
{
    cpl_span span;
    const char *problem;
    diag *d;
    switch (g.kind) {
    case GLOBAL_FUNC: return call_function(in, n, g.func);
    case GLOBAL_EXTERN: return call_extern(in, n, g.ext);
    case GLOBAL_BUILTIN:
        if (g.builtin == BI_ROUND && n->kid_count == 3) return call_digits(in, n);
        return sema_call_builtin(in, n, g.builtin);
    case GLOBAL_TYPE:
        if (!type_is_struct(g.type)) return convert(in, n, g.type, name);
        return sema_construct(in, n, g.type);
    case GLOBAL_CONST: return not_callable(in, n, "a constant", name);
    case GLOBAL_MEMBER: return not_callable(in, n, "a member of an Enum", name);
    case GLOBAL_NUMBER:
    case GLOBAL_COMPLEX: return not_callable(in, n, "a number", name);
    case GLOBAL_MODULE:
    case GLOBAL_FILE:
        d = sema_error(in, n->kids[0]->span, "'%s' is a module, not a function", name);
        sema_hint(in, d, "its functions are called as %s.NAME()", name);
        break;
    case GLOBAL_FOREIGN: return call_foreign(in, n, g, name);
    case GLOBAL_BROKEN: break;
    case GLOBAL_OTHER: sema_other(in, n->kids[0]->span, g, name); break;
    case GLOBAL_CLASS:
        problem = sema_struct_problem(in->s, g.class_, &span);
        if (!problem) return sema_construct(in, n, sema_struct_type(in->s, g.class_));
        d = sema_error_as(in, CPL_EUNSUPPORTED, n->span, "'%s' cannot be called in a kernel", name);
        sema_note(in, d, span, "%s", problem);
        break;
    case GLOBAL_NONE: sema_undefined(in, n->kids[0]->span, name, true); break;
    }
    sema_arguments(in, n);
    return &sema_error_type;
}

static bool is_undefined(const instance *in, const ast_node *n)
{
    return n->kind == AST_NAME && !sema_local(in, n->name) &&
           sema_find_global(in, n).kind == GLOBAL_NONE;
}

/* Those of what is not known, where a tuple or a list may be of anything. */
static void arguments_of_unknown(instance *in, ast_node *n)
{
    bool sequences = false;
    for (uint32_t i = 0; i + 1 < n->kid_count; i++) {
        uint32_t kind = argument(n, i)->kind;
        sequences |= kind == AST_TUPLE || kind == AST_LIST;
    }
    if (!sequences) sema_arguments(in, n);
}

static const cpl_type *call_attribute(instance *in, ast_node *n)
{
    ast_node *f = n->kids[0];
    sema_global module = sema_find_module(in, f->kids[0]), g = sema_find_global(in, f);
    if (g.kind != GLOBAL_NONE) return call_global(in, n, g, f->name);
    bool within = f->kids[0]->kind == AST_ATTRIBUTE &&
                  sema_find_module(in, f->kids[0]->kids[0]).kind != GLOBAL_NONE &&
                  sema_find_global(in, f->kids[0]).kind == GLOBAL_NONE;
    if (module.kind != GLOBAL_NONE || within) {
        sema_expr(in, module.kind == GLOBAL_NONE ? f->kids[0] : f); /* reports it as unknown */
    } else if (is_undefined(in, f->kids[0])) {
        sema_undefined(in, f->kids[0]->span, f->kids[0]->name, false);
    } else {
        return sema_call_method(in, n);
    }
    arguments_of_unknown(in, n);
    return &sema_error_type;
}

static bool has_star(const ast_node *n)
{
    for (uint32_t i = 1; i < n->kid_count; i++)
        if (n->kids[i]->kind == AST_STAR) return true;
    return false;
}

const cpl_type *sema_call(instance *in, ast_node *n)
{
    const ast_node *f = n->kids[0];
    if (has_star(n)) { /* of nothing that could be passed on */
        sema_arguments(in, n);
        return &sema_error_type;
    }
    if (f->kind == AST_ATTRIBUTE) return call_attribute(in, n);
    if (f->kind == AST_LAMBDA) return call_function(in, n, f->lambda);
    if (f->kind != AST_NAME) {
        if (f->kind != AST_ERROR)
            sema_error_as(in, CPL_EUNSUPPORTED, f->span,
                          "only functions can be called, by their names");
        sema_arguments(in, n);
        return &sema_error_type;
    }
    const sema_var *v = sema_local(in, f->name);
    const sema_bound *b = v ? sema_bound_of(v->type) : NULL;
    if (b && b->global.kind != GLOBAL_NUMBER) return call_global(in, n, b->global, f->name);
    if (v && !sema_is_known(v->type)) {
        sema_arguments(in, n);
        return &sema_error_type;
    }
    if (v) return not_callable(in, n, "a variable here", f->name);
    return call_global(in, n, sema_find_global(in, f), f->name);
}
