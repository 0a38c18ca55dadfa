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

void module_free_libraries(cpl_module *m)
{
    for (module_library *l = atomic_load(&m->libraries); l;) {
        module_library *next = l->next;
        context_remove_source(m->cx, l->src);
        mem_free(&m->cx->mem, l, sizeof *l);
        l = next;
    }
}
