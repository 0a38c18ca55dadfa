/* What is kept of a host program's functions, of which a module may be made. */
#include "lib/driver/internal.h"

#include <string.h>

static void free_names(const mem *a, cpl_name *names, size_t count)
{
    for (size_t i = 0; names && i < count; i++) {
        mem_strfree(a, names[i].name);
        mem_strfree(a, names[i].target);
    }
    mem_free(a, names, count * sizeof *names);
}

void module_free_hosts(cpl_module *m)
{
    const mem *a = &m->cx->mem;
    for (size_t i = 0; i < m->host_count; i++) {
        const cpl_function_source *g = &m->hosts[i].given;
        mem_strfree(a, g->name);
        mem_free(a, (void *)g->types, g->type_count * sizeof(cpl_type *));
        free_names(a, (cpl_name *)g->names, g->name_count);
    }
    mem_free(a, m->hosts, m->host_count * sizeof *m->hosts);
}

const sema_host *module_host_at(void *user, size_t index)
{
    return &((const cpl_module *)user)->hosts[index].host;
}

static size_t index_of(const cpl_module *m, const char *name)
{
    for (size_t i = 0; i < m->function_count; i++)
        if (strcmp(m->functions[i].name, name) == 0) return i;
    return SIZE_MAX;
}

size_t module_function_index(const cpl_module *m, const char *name)
{
    size_t index = index_of(m, name);
    bool plain = true;
    for (const char *c = name; *c; c++) plain = plain && (unsigned char)*c < 0x80;
    char *normal = index == SIZE_MAX && !plain ? name_copy(&m->cx->mem, name, strlen(name)) : NULL;
    if (normal) index = index_of(m, normal);
    mem_strfree(&m->cx->mem, normal);
    return index;
}

size_t module_find_host(void *user, const char *name)
{
    return module_function_index(user, name);
}

ast_file *module_parse(cpl_module *m, compilation *c, const char *function)
{
    if (!m->hosts) return front_file(c, &m->src->src);
    size_t index = module_find_host(m, function);
    const sema_host *h = module_host_at(m, index == SIZE_MAX ? 0 : index);
    return front_function(c, h->src, h);
}
