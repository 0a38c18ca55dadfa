/*
 * Host objects in memory: each is linked into a JITDylib of its own and goes with it.
 *
 * A session serves one thread at a time, so that one whose thread was parked inside LLVM, maybe
 * with a lock of the session's taken, hangs nobody: it is marked broken, and it and its code stay
 * for ever.
 */
#include "lib/target/guard.h"
#include "lib/target/hooks.h"
#include "lib/target/target.h"

#include <pthread.h>
#include <stdio.h>

typedef struct session {
    code_loader *loader;
    hook_session *hook; /* made when it is first used */
    /* objects linked with this hook so far, and those of them that are loaded */
    uint32_t links, live;
    bool busy, broken;
    struct session *next;
} session;

/*
 * ORC keeps something of every JITDylib it removed (what was ready in it, by its address: about a
 * kilobyte each), so a session takes no more objects after this many, and starts anew when the last
 * of them is unloaded.
 */
#define MOST_LINKS 128

struct code_loader {
    const mem *mem;
    pthread_mutex_t lock;
    pthread_cond_t given;
    session *sessions;
};

struct code {
    session *session;
    hook_code *linked;
};

code_loader *code_loader_create(const mem *m, char *error, size_t error_size)
{
    code_loader *l = mem_zalloc(m, sizeof *l);
    if (!l) {
        if (error_size) *error = 0;
        return NULL;
    }
    l->mem = m;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->given, NULL);
    return l;
}

/* Waits for a session; false when it is broken. */
static bool take_session(session *s)
{
    code_loader *l = s->loader;
    pthread_mutex_lock(&l->lock);
    while (s->busy) pthread_cond_wait(&l->given, &l->lock);
    bool ok = !s->broken;
    s->busy = ok;
    pthread_mutex_unlock(&l->lock);
    return ok;
}

/* Any session that nobody uses, a new one when there is none; NULL when out of memory. */
static session *take_any_session(code_loader *l)
{
    pthread_mutex_lock(&l->lock);
    session *s = l->sessions;
    while (s && (s->busy || s->broken || s->links == MOST_LINKS)) s = s->next;
    if (!s && (s = mem_zalloc(l->mem, sizeof *s))) {
        s->loader = l;
        s->next = l->sessions;
        l->sessions = s;
    }
    if (s) s->busy = true;
    pthread_mutex_unlock(&l->lock);
    return s;
}

static void give(session *s, bool broken)
{
    pthread_mutex_lock(&s->loader->lock);
    s->busy = false;
    s->broken = broken;
    pthread_cond_broadcast(&s->loader->given);
    pthread_mutex_unlock(&s->loader->lock);
}

/* Inside a section: a session that has had its time and holds nothing any more lets go of what ORC
 * kept. */
static void renew(session *s)
{
    if (s->links < MOST_LINKS || s->live) return;
    hook_session_free(s->hook);
    s->hook = NULL;
    s->links = 0;
}

static void break_session(void *user)
{
    give(user, true);
}

void code_loader_close(code_loader *l)
{
    for (session *s = l ? l->sessions : NULL; s; s = s->next) {
        if (!s->hook || !take_session(s)) continue;
        if (!guard_enter(GUARD_LINK, break_session, s)) {
            hook_session_free(s->hook);
            guard_leave();
            s->hook = NULL;
        }
        give(s, s->hook != NULL);
    }
}

void code_loader_free(code_loader *l)
{
    if (!l) return;
    code_loader_close(l);
    for (session *s = l->sessions; s;) {
        session *next = s->next;
        mem_free(l->mem, s, sizeof *s);
        s = next;
    }
    pthread_cond_destroy(&l->given);
    pthread_mutex_destroy(&l->lock);
    mem_free(l->mem, l, sizeof *l);
}

/* The code while it is being linked was parked with its thread: nobody else knows it. */
static void drop_code(void *user)
{
    code *c = user;
    const mem *m = c->session->loader->mem;
    give(c->session, true);
    mem_free(m, c, sizeof *c);
}

static void link_code(code *c, const code_object *o, char *error, size_t error_size)
{
    hook_watch w = {o->watch.debugger, o->watch.function, o->watch.user};
    session *s = c->session;
    const char *refused = guard_enter(GUARD_LINK, drop_code, c);
    if (refused) {
        snprintf(error, error_size, "%s", refused);
        return;
    }
    if (!s->hook) s->hook = hook_session_create(error, error_size);
    if (s->hook) {
        c->linked =
            hook_link(s->hook, o->bytes, o->size, o->resolve, o->user, &w, error, error_size);
        s->links++;
        s->live += c->linked != NULL;
        renew(s);
    }
    guard_leave();
}

code *code_load(code_loader *l, const code_object *o, char *error, size_t error_size)
{
    code *c = mem_zalloc(l->mem, sizeof *c);
    session *s = c ? take_any_session(l) : NULL;
    if (!s) {
        mem_free(l->mem, c, sizeof *c);
        if (error_size) *error = 0;
        return NULL;
    }
    c->session = s;
    link_code(c, o, error, error_size);
    give(s, false);
    if (c->linked) return c;
    mem_free(l->mem, c, sizeof *c);
    return NULL;
}

void *code_symbol(code *c, const char *symbol, char *error, size_t error_size)
{
    session *s = c->session;
    if (!take_session(s)) {
        snprintf(error, error_size, "its loader failed before");
        return NULL;
    }
    void *address = NULL;
    const char *refused = guard_enter(GUARD_LINK, break_session, s);
    if (refused) {
        snprintf(error, error_size, "%s", refused);
    } else {
        address = hook_symbol(s->hook, c->linked, symbol, error, error_size);
        guard_leave();
    }
    give(s, false);
    return address;
}

/* Code of a broken session stays. */
void code_unload(code_loader *l, code *c)
{
    if (!c) return;
    session *s = c->session;
    hook_code *linked = c->linked;
    mem_free(l->mem, c, sizeof *c);
    if (!take_session(s)) return;
    if (!guard_enter(GUARD_LINK, break_session, s)) {
        hook_unlink(s->hook, linked);
        s->live--;
        renew(s);
        guard_leave();
    }
    give(s, false);
}
