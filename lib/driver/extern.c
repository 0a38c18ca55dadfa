/* Registered functions: "float64(float64, int32)" under a name, with an address on the host and
 * texts for devices. They stay as long as the context. */
#include "lib/driver/internal.h"

#define MOST_PARAMETERS 64

static void free_entry(cpl_context *cx, ext_entry *e)
{
    for (int i = 0; i < EXT_LANGUAGES; i++)
        mem_free(&cx->mem, e->texts[i].text, e->texts[i].size + 1);
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

static const char word_characters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";

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
        if (!type_is_scalar(t) && !(type_is_pointer(t) && !type_has_layout(t))) return CPL_EARG;
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

/* How a function is called: once registered that stays. */
static bool same_signature(const sema_extern *a, const sema_extern *b)
{
    if (a->result != b->result || a->pure != b->pure || a->param_count != b->param_count)
        return false;
    for (uint32_t i = 0; i < a->param_count; i++)
        if (a->params[i] != b->params[i]) return false;
    return true;
}

/* Whether nothing stands against what is new; what an entry has not got yet it takes over. */
static bool merge(ext_entry *e, ext_entry *new)
{
    if (!same_signature(&e->sig, &new->sig)) return false;
    if (e->address && new->address && e->address != new->address) return false;
    for (int i = 0; i < EXT_LANGUAGES; i++) {
        const ext_text *a = &e->texts[i], *b = &new->texts[i];
        if (a->text && b->text && (a->size != b->size || memcmp(a->text, b->text, a->size) != 0))
            return false;
    }
    if (!e->address) e->address = new->address;
    for (int i = 0; i < EXT_LANGUAGES; i++) {
        if (e->texts[i].text) continue;
        e->texts[i] = new->texts[i];
        new->texts[i] = (ext_text){NULL, 0};
    }
    return true;
}

static cpl_status check_name(cpl_context *cx, const char *name)
{
    if (!name || !is_name(name))
        return context_report(cx, CPL_EARG, "an external function needs a C name");
    if (lex_word(name, (uint32_t)strlen(name)) != TOK_NAME || sema_predefines(name))
        return context_report(cx, CPL_EARG, "'%s' is %s: an external function needs another name",
                              name, sema_predefines(name) ? "built in" : "a word of the language");
    return CPL_OK;
}

/* An entry that is not among the others yet. */
static cpl_status make_entry(cpl_context *cx, const char *name, const char *signature, bool pure,
                             ext_entry **made)
{
    ext_entry *e = *made = mem_zalloc(&cx->mem, sizeof *e);
    if (!e) return context_no_memory(cx);
    e->sig.name = mem_strdup(&cx->mem, name);
    e->sig.params = mem_zalloc(&cx->mem, MOST_PARAMETERS * sizeof *e->sig.params);
    e->sig.pure = pure;
    cpl_status status = CPL_ENOMEM;
    if (e->sig.name && e->sig.params)
        status = signature ? parse_signature(cx, signature, &e->sig) : CPL_EARG;
    if (!status) return CPL_OK;
    free_entry(cx, e);
    *made = NULL;
    if (status == CPL_ENOMEM) return context_no_memory(cx);
    return context_report(cx, CPL_EARG,
                          "'%s' is not a signature; one looks like \"float64(float64, "
                          "int32*)\", without float16 or structs",
                          signature ? signature : "");
}

/* Takes the entry; what it says is added to what there is. */
static cpl_status enter(cpl_context *cx, ext_entry *e)
{
    pthread_mutex_lock(&cx->lock);
    ext_entry *old = find(cx, e->sig.name);
    bool fits = !old || merge(old, e);
    if (!old) {
        e->next = cx->externs;
        cx->externs = e;
    }
    pthread_mutex_unlock(&cx->lock);
    if (!fits)
        context_report(cx, CPL_EEXIST, "'%s' is registered with another signature or %s",
                       e->sig.name, e->address ? "address" : "text");
    if (old) free_entry(cx, e);
    return fits ? CPL_OK : CPL_EEXIST;
}

cpl_status cpl_extern_register(cpl_context *context, const char *name, const char *signature,
                               void *address, bool pure)
{
    if (MISSING("context", context)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    cpl_status status = check_name(context, name);
    if (status) return status;
    if (!address)
        return context_report(context, CPL_EARG, "external function '%s' has no address", name);
    ext_entry *e;
    status = make_entry(context, name, signature, pure, &e);
    if (status) return status;
    e->address = address;
    return enter(context, e);
}

/* Whether a text, which has no NUL, has the name as a word. */
static bool holds_word(const char *text, size_t size, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i + n <= size; i++) {
        bool begins = i == 0 || !strchr(word_characters, text[i - 1]);
        bool ends = i + n == size || !strchr(word_characters, text[i + n]);
        if (begins && ends && memcmp(text + i, name, n) == 0) return true;
    }
    return false;
}

static cpl_status check_text(cpl_context *cx, const cpl_extern_text *t, int *language)
{
    static const char *const names[] = {[EXT_OPENCL_C] = "opencl-c", [EXT_PTX] = "ptx"};
    cpl_status status = check_name(cx, t->name);
    if (status) return status;
    for (*language = 0; *language < EXT_LANGUAGES; ++*language)
        if (t->language && strcmp(names[*language], t->language) == 0) break;
    if (*language == EXT_LANGUAGES)
        return context_report(cx, CPL_EARG, "'%s' is not a language; 'opencl-c' and 'ptx' are",
                              t->language ? t->language : "");
    if (!t->text || memchr(t->text, 0, t->text_size) || !holds_word(t->text, t->text_size, t->name))
        return context_report(cx, CPL_EARG, "the text of '%s' does not define it", t->name);
    return CPL_OK;
}

cpl_status cpl_extern_source(cpl_context *context, const cpl_extern_text *text)
{
    if (MISSING("context text", context, text)) return CPL_EARG;
    cpl_extern_text given = {.size = sizeof given};
    if (READ_STRUCT(&given, text, cpl_extern_text)) return CPL_EARG;
    text = &given;
    if (context_forked(context)) return context_refuse_fork(context);
    int language;
    ext_entry *e;
    cpl_status status = check_text(context, text, &language);
    if (!status) status = make_entry(context, text->name, text->signature, text->pure, &e);
    if (status) return status;
    char *copy = mem_realloc(&context->mem, NULL, 0, text->text_size + 1);
    if (!copy) {
        free_entry(context, e);
        return context_no_memory(context);
    }
    memcpy(copy, text->text, text->text_size);
    copy[text->text_size] = 0;
    e->texts[language] = (ext_text){copy, text->text_size};
    return enter(context, e);
}

const sema_extern *extern_find(void *user, const char *name)
{
    cpl_context *cx = ((cpl_module *)user)->cx;
    pthread_mutex_lock(&cx->lock);
    ext_entry *e = find(cx, name);
    pthread_mutex_unlock(&cx->lock);
    return e ? &e->sig : NULL;
}

void extern_each(void *user, suggester *s)
{
    cpl_context *cx = ((cpl_module *)user)->cx;
    pthread_mutex_lock(&cx->lock);
    for (ext_entry *e = cx->externs; e; e = e->next) suggest_offer(s, e->sig.name);
    pthread_mutex_unlock(&cx->lock);
}

void *extern_address(cpl_context *cx, const char *name)
{
    pthread_mutex_lock(&cx->lock);
    ext_entry *e = find(cx, name);
    pthread_mutex_unlock(&cx->lock);
    return e ? e->address : NULL;
}

bool extern_is_known(cpl_context *cx, const char *name)
{
    pthread_mutex_lock(&cx->lock);
    bool known = find(cx, name) != NULL;
    pthread_mutex_unlock(&cx->lock);
    return known;
}

ext_text extern_text(cpl_context *cx, const char *name, int language)
{
    pthread_mutex_lock(&cx->lock);
    ext_entry *e = find(cx, name);
    ext_text text = e ? e->texts[language] : (ext_text){NULL, 0};
    pthread_mutex_unlock(&cx->lock);
    return text;
}
