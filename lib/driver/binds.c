/* What a spec binds, as the analysis wants it. Expressions are sources of the module, so that what
 * is said of them has a place. */
#include "lib/driver/driver.h"
#include "lib/driver/internal.h"

struct module_expression {
    source_entry *src;
    char *text;
    struct module_expression *next;
};

static _Atomic(module_expression *) *list_of(cpl_module *m, const char *text)
{
    return &m->expressions[hash_bytes(text, strlen(text), 0) % EXPRESSION_LISTS];
}

static const source *find(cpl_module *m, const char *text)
{
    const module_expression *e = atomic_load_explicit(list_of(m, text), memory_order_acquire);
    while (e && strcmp(e->text, text) != 0) e = e->next;
    return e ? &e->src->src : NULL;
}

static const source *add(cpl_module *m, const char *text)
{
    const mem *a = &m->cx->mem;
    _Atomic(module_expression *) *list = list_of(m, text);
    module_expression *e = mem_zalloc(a, sizeof *e);
    if (!e) return NULL;
    e->text = mem_strdup(a, text);
    if (e->text) e->src = context_add_source(m->cx, "<expression>", e->text, strlen(text));
    if (!e->src) {
        mem_strfree(a, e->text);
        mem_free(a, e, sizeof *e);
        return NULL;
    }
    pthread_mutex_lock(&m->cx->lock);
    e->next = atomic_load_explicit(list, memory_order_relaxed);
    atomic_store_explicit(list, e, memory_order_release);
    pthread_mutex_unlock(&m->cx->lock);
    return &e->src->src;
}

const source *bind_source(cpl_module *m, const char *text)
{
    const source *src = find(m, text);
    return src ? src : add(m, text);
}

const char *module_text(cpl_module *m, const char *text)
{
    const source *src = bind_source(m, text);
    return src ? src->text : NULL;
}

cpl_span module_text_span(cpl_module *m, const char *text)
{
    const source *src = bind_source(m, text);
    return src ? (cpl_span){src->id, 0, (uint32_t)src->size} : (cpl_span){0};
}

cpl_status module_check_binds(cpl_module *m, const cpl_bind *binds, size_t count)
{
    for (size_t i = 0; i < count && m->is_ir; i++)
        if (binds[i].kind != CPL_BIND_NONE)
            return context_report(m->cx, CPL_EARG,
                                  "'%s' holds typed IR, whose parameters are values: none stands "
                                  "for a function, a type or an integer",
                                  m->src->src.name);
    return CPL_OK;
}

static void free_list(cpl_module *m, module_expression *e)
{
    const mem *a = &m->cx->mem;
    while (e) {
        module_expression *next = e->next;
        context_remove_source(m->cx, e->src);
        mem_strfree(a, e->text);
        mem_free(a, e, sizeof *e);
        e = next;
    }
}

void module_free_expressions(cpl_module *m)
{
    for (int i = 0; i < EXPRESSION_LISTS; i++) free_list(m, atomic_load(&m->expressions[i]));
}

bool read_binds(pipeline *p, sema_request *r)
{
    arena *a = &p->comp->arena;
    sema_bind *binds = arena_array(a, (uint32_t)p->bind_count, sizeof *binds);
    for (size_t i = 0; i < p->bind_count; i++) {
        const cpl_bind *b = &p->binds[i];
        binds[i] =
            (sema_bind){.kind = b->kind, .integer = b->integer, .type = b->type, .name = b->text};
        if (b->kind != CPL_BIND_EXPRESSION) continue;
        binds[i].text = bind_source(p->module, b->text);
        if (!binds[i].text) return false;
    }
    r->binds = binds;
    r->bind_count = (uint32_t)p->bind_count;
    return true;
}
