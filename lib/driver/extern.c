/* Registered C functions: "float64(float64, int32)" under a name. They stay as long as the
 * context. */
#include "lib/driver/internal.h"

#define MOST_PARAMETERS 64

static void free_entry(cpl_context *cx, ext_entry *e)
{
    mem_strfree(&cx->mem, e->sig.name);
    mem_free(&cx->mem, e->sig.params, MOST_PARAMETERS * sizeof *e->sig.params);
    mem_free(&cx->mem, e, sizeof *e);
}

void extern_free_all(cpl_context *cx)
{
    for (ext_entry *e = cx->externs; e;) {
        ext_entry *next = e->next;
        free_entry(cx, e);
        e = next;
    }
    cx->externs = NULL;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') p++;
    return p;
}

/* result "(" [ type { "," type } ] ")". Types hold no parentheses or commas. */
static cpl_status parse_signature(cpl_context *cx, const char *text, sema_extern *sig)
{
    cpl_status status;
    size_t n = strcspn(text, "(");
    if (text[n] != '(') return CPL_EARG;
    if ((status = type_read(cx->types, text, n, &sig->result))) return status;
    if (sig->result->kind == TYPE_ARRAY || sig->result->kind == TYPE_STRUCT) return CPL_EARG;
    const char *p = skip_blanks(text + n + 1);
    if (*p == ')') return *skip_blanks(p + 1) == 0 ? CPL_OK : CPL_EARG;
    for (;;) {
        n = strcspn(p, ",)");
        if (!p[n]) return CPL_EARG;
        const cpl_type *t;
        if ((status = type_read(cx->types, p, n, &t))) return status;
        if (!type_is_scalar(t) && !(type_is_pointer(t) && !t->strided)) return CPL_EARG;
        /* gcc and clang disagree on its convention */
        if (type_is_scalar(t) && t->dtype == CPL_FLOAT16) return CPL_EARG;
        if (sig->param_count == MOST_PARAMETERS) return CPL_EARG;
        sig->params[sig->param_count++] = t;
        if (p[n] == ')') return *skip_blanks(p + n + 1) == 0 ? CPL_OK : CPL_EARG;
        p += n + 1;
    }
}

static bool is_name(const char *name)
{
    for (const char *p = name; *p; p++) {
        bool letter = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_';
        if (!letter && !(p > name && *p >= '0' && *p <= '9')) return false;
    }
    return *name != 0;
}

static ext_entry *find(cpl_context *cx, const char *name)
{
    ext_entry *e = cx->externs;
    while (e && strcmp(e->sig.name, name) != 0) e = e->next;
    return e;
}

static bool same(const ext_entry *a, const ext_entry *b)
{
    if (a->address != b->address || a->sig.result != b->sig.result || a->sig.pure != b->sig.pure ||
        a->sig.param_count != b->sig.param_count)
        return false;
    for (uint32_t i = 0; i < a->sig.param_count; i++)
        if (a->sig.params[i] != b->sig.params[i]) return false;
    return true;
}

cpl_status cpl_extern_register(cpl_context *context, const char *name, const char *signature,
                               void *address, bool pure)
{
    if (!context) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    if (!name || !is_name(name))
        return context_report(context, CPL_EARG, "an external function needs a C name");
    if (lex_word(name, (uint32_t)strlen(name)) != TOK_NAME || sema_predefines(name))
        return context_report(context, CPL_EARG,
                              "'%s' is %s: an external function needs another name", name,
                              sema_predefines(name) ? "built in" : "a word of the language");
    if (!address)
        return context_report(context, CPL_EARG, "external function '%s' has no address", name);
    ext_entry *e = mem_zalloc(&context->mem, sizeof *e);
    if (!e) return context_no_memory(context);
    e->sig.name = mem_strdup(&context->mem, name);
    e->sig.params = mem_zalloc(&context->mem, MOST_PARAMETERS * sizeof *e->sig.params);
    e->sig.pure = pure;
    e->address = address;
    if (!e->sig.name || !e->sig.params) {
        free_entry(context, e);
        return context_no_memory(context);
    }
    cpl_status status = signature ? parse_signature(context, signature, &e->sig) : CPL_EARG;
    if (status) {
        free_entry(context, e);
        if (status == CPL_ENOMEM) return context_no_memory(context);
        return context_report(context, CPL_EARG,
                              "'%s' is not a signature; one looks like \"float64(float64, "
                              "int32*)\", without float16 or structs",
                              signature ? signature : "");
    }
    pthread_mutex_lock(&context->lock);
    ext_entry *old = find(context, name);
    status = !old ? CPL_OK : same(old, e) ? CPL_OK : CPL_EEXIST;
    if (!old) {
        e->next = context->externs;
        context->externs = e;
    }
    pthread_mutex_unlock(&context->lock);
    if (old) free_entry(context, e);
    if (status)
        context_report(context, status, "'%s' is registered with another signature or address",
                       name);
    return status;
}

static const sema_extern *find_extern(void *user, const char *name)
{
    cpl_context *cx = ((cpl_module *)user)->cx;
    pthread_mutex_lock(&cx->lock);
    ext_entry *e = find(cx, name);
    pthread_mutex_unlock(&cx->lock);
    return e ? &e->sig : NULL;
}

static void each_extern(void *user, suggester *s)
{
    cpl_context *cx = ((cpl_module *)user)->cx;
    pthread_mutex_lock(&cx->lock);
    for (ext_entry *e = cx->externs; e; e = e->next) suggest_offer(s, e->sig.name);
    pthread_mutex_unlock(&cx->lock);
}

sema_env module_env(cpl_module *m)
{
    return (sema_env){.find_extern = find_extern,
                      .each_extern = each_extern,
                      .find_file = module_find_file,
                      .host = module_host_at,
                      .find_host = module_find_host,
                      .user = m};
}

void *extern_address(cpl_context *cx, const char *name)
{
    pthread_mutex_lock(&cx->lock);
    ext_entry *e = find(cx, name);
    pthread_mutex_unlock(&cx->lock);
    return e ? e->address : NULL;
}
