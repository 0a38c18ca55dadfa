/* Host objects in memory: each is linked into a JITDylib of its own and goes with it. */
#include "lib/target/hooks.h"
#include "lib/target/target.h"

#include <stdio.h>

struct code_loader {
    const mem *mem;
    hook_session *session;
};

struct code {
    code_loader *loader;
    hook_code *linked;
};

code_loader *code_loader_create(const mem *m, char *error, size_t error_size)
{
    code_loader *l = mem_zalloc(m, sizeof *l);
    if (!l) {
        snprintf(error, error_size, "%s", cpl_status_message(CPL_ENOMEM));
        return NULL;
    }
    l->mem = m;
    l->session = hook_session_create(error, error_size);
    if (l->session) return l;
    mem_free(m, l, sizeof *l);
    return NULL;
}

void code_loader_free(code_loader *l)
{
    if (!l) return;
    hook_session_free(l->session);
    mem_free(l->mem, l, sizeof *l);
}

code *code_load(code_loader *l, const char *object, size_t size, code_resolver resolve, void *user, char *error,
                size_t error_size)
{
    return code_load_watched(l, object, size, resolve, user, NULL, error, error_size);
}

code *code_load_watched(code_loader *l, const char *object, size_t size, code_resolver resolve, void *user,
                        const code_watch *watch, char *error, size_t error_size)
{
    code *c = mem_zalloc(l->mem, sizeof *c);
    if (!c) {
        snprintf(error, error_size, "%s", cpl_status_message(CPL_ENOMEM));
        return NULL;
    }
    c->loader = l;
    hook_watch w = {0};
    if (watch) w = (hook_watch){watch->debugger, watch->function, watch->user};
    c->linked = hook_link(l->session, object, size, resolve, user, &w, error, error_size);
    if (c->linked) return c;
    mem_free(l->mem, c, sizeof *c);
    return NULL;
}

void *code_symbol(code *c, const char *symbol, char *error, size_t error_size)
{
    return hook_symbol(c->loader->session, c->linked, symbol, error, error_size);
}

void code_unload(code_loader *l, code *c)
{
    if (!c) return;
    hook_unlink(l->session, c->linked);
    mem_free(l->mem, c, sizeof *c);
}
