/*
 * Functions that the library brings with it: kernel sources of its own algorithms, which a module
 * knows as "FILE.FUNCTION" beside its own. What they bind is the module's.
 */
#include "lib/driver/internal.h"

struct module_library {
    source_entry *src;
    const library_file *file;
    struct module_library *next;
};

static const module_library *find(const cpl_module *m, const library_file *file)
{
    const module_library *l = atomic_load_explicit(&m->libraries, memory_order_acquire);
    while (l && l->file != file) l = l->next;
    return l;
}

bool module_add_library(cpl_module *m, const library_file *file)
{
    const mem *a = &m->cx->mem;
    if (find(m, file)) return true;
    module_library *l = mem_zalloc(a, sizeof *l);
    if (l) l->src = context_add_source(m->cx, file->path, file->text, (size_t)*file->size);
    if (!l || !l->src) {
        mem_free(a, l, sizeof *l);
        return false;
    }
    l->file = file;
    pthread_mutex_lock(&m->cx->lock);
    /* twice, when two threads came at once, does no harm */
    l->next = atomic_load_explicit(&m->libraries, memory_order_relaxed);
    atomic_store_explicit(&m->libraries, l, memory_order_release);
    pthread_mutex_unlock(&m->cx->lock);
    return true;
}

const source *module_library_of(cpl_module *m, const char *function)
{
    const char *dot = strrchr(function, '.');
    size_t n = dot ? (size_t)(dot - function) : 0;
    const module_library *l = atomic_load_explicit(&m->libraries, memory_order_acquire);
    while (l && (strncmp(l->file->name, function, n) != 0 || l->file->name[n])) l = l->next;
    return l ? &l->src->src : NULL;
}

bool module_is_library(cpl_module *m, cpl_span place)
{
    const module_library *l = atomic_load_explicit(&m->libraries, memory_order_acquire);
    while (l && l->src->src.id != place.file) l = l->next;
    return l != NULL;
}

/* --- their tokens: the texts never change, and each kernel of an algorithm needs them --- */

struct library_tokens {
    const char *text; /* a library_file's */
    token *at;
    uint32_t n;
    struct library_tokens *next;
};

static const library_tokens *find_tokens(cpl_context *cx, const char *text)
{
    pthread_mutex_lock(&cx->lock);
    const library_tokens *t = cx->library_tokens;
    while (t && t->text != text) t = t->next;
    pthread_mutex_unlock(&cx->lock);
    return t;
}

/* Failing to keep them costs the next compilation some time, no more. */
static void keep_tokens(cpl_context *cx, const token_list *tokens)
{
    size_t size = tokens->n * sizeof *tokens->at;
    library_tokens *t = mem_zalloc(&cx->mem, sizeof *t);
    if (t) t->at = mem_realloc(&cx->mem, NULL, 0, size);
    if (!t || !t->at) {
        mem_free(&cx->mem, t, sizeof *t);
        return;
    }
    memcpy(t->at, tokens->at, size);
    t->text = tokens->src->text;
    t->n = tokens->n;
    pthread_mutex_lock(&cx->lock);
    t->next = cx->library_tokens; /* twice, when two threads came at once, does no harm */
    cx->library_tokens = t;
    pthread_mutex_unlock(&cx->lock);
}

ast_file *library_parse(cpl_context *cx, compilation *c, const source *src)
{
    const library_tokens *t = find_tokens(cx, src->text);
    if (t) return front_tokens(c, &(token_list){.src = src, .at = t->at, .n = t->n});
    ast_file *f = front_file(c, src);
    if (f) keep_tokens(cx, &f->tokens);
    return f;
}

void library_free_tokens(cpl_context *cx)
{
    for (library_tokens *t = cx->library_tokens; t;) {
        library_tokens *next = t->next;
        mem_free(&cx->mem, t->at, t->n * sizeof *t->at);
        mem_free(&cx->mem, t, sizeof *t);
        t = next;
    }
}

void module_free_libraries(cpl_module *m)
{
    for (module_library *l = atomic_load(&m->libraries); l;) {
        module_library *next = l->next;
        context_remove_source(m->cx, l->src);
        mem_free(&m->cx->mem, l, sizeof *l);
        l = next;
    }
}
