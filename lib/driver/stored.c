/*
 * Artifacts as they are kept on disk: all that a launch needs beside the object, and what compiling
 * had to say. One walk over an artifact writes it and reads it. The key holds the build of the
 * library, so that structs are as they lie in memory; what points somewhere goes as what it points
 * to.
 */
#include "lib/driver/internal.h"

typedef struct walk {
    const mem *mem;
    type_table *types;
    const used *used;
    strbuf *out; /* NULL: reads */
    const char *at, *end;
    bool failed; /* the bytes end early, no memory, or a place that is in no piece */
} walk;

static void bytes(walk *w, void *item, size_t size)
{
    if (w->out) {
        sb_putn(w->out, item, size);
    } else if (w->failed || (size_t)(w->end - w->at) < size) {
        w->failed = true;
        memset(item, 0, size);
    } else {
        memcpy(item, w->at, size);
        w->at += size;
    }
}

#define ITEM(w, item) bytes(w, &(item), sizeof(item))

/* A string or NULL; what is read stays where it is. */
static const char *text(walk *w, const char *s)
{
    size_t n = s ? strlen(s) + 1 : 0;
    ITEM(w, n);
    if (w->out && n) sb_putn(w->out, s, n);
    if (w->out) return s;
    w->failed |= (size_t)(w->end - w->at) < n;
    if (w->failed || !n) return NULL;
    s = w->at;
    w->at += n;
    return s;
}

static void own_text(walk *w, char **s)
{
    const char *found = text(w, *s);
    if (w->out) return;
    *s = found ? mem_strdup(w->mem, found) : NULL;
    w->failed |= found && !*s;
}

static void type(walk *w, const cpl_type **t)
{
    const char *found = text(w, *t ? (*t)->text : NULL);
    if (w->out) return;
    *t = NULL;
    w->failed |= found && type_read(w->types, found, strlen(found), t);
}

static void place(walk *w, cpl_span *span)
{
    cpl_span s = *span;
    if (w->out && !used_leave(w->used, &s)) w->failed = true;
    ITEM(w, s);
    if (w->out) return;
    used_return(w->used, &s);
    *span = s;
}

/* Room for as many items as are read. */
static void *list(walk *w, size_t *count, void *items, size_t size)
{
    ITEM(w, *count);
    if (w->out || !*count) return items;
    bool fits = *count <= (size_t)(w->end - w->at);
    void *room = fits ? mem_zalloc(w->mem, *count * size) : NULL;
    w->failed |= !room;
    if (!room) *count = 0;
    return room;
}

static void param(walk *w, artifact_param *p)
{
    artifact_param flat = *p;
    flat.name = NULL;
    flat.type = NULL;
    flat.span = (cpl_span){0};
    ITEM(w, flat);
    cpl_span span = p->span;
    if (!w->out) *p = flat;
    own_text(w, &p->name);
    type(w, &p->type);
    if (p->dims) place(w, &span);
    p->span = span;
}

static void site(walk *w, artifact_site *s)
{
    own_text(w, &s->func);
    own_text(w, &s->arg);
    own_text(w, &s->said);
    ITEM(w, s->axis);
    place(w, &s->span);
}

static void head(walk *w, artifact *a)
{
    artifact flat = *a;
    flat.mem = NULL;
    flat.object = (strbuf){0};
    flat.entry = flat.packed = flat.signature = flat.types = flat.after = NULL;
    flat.result = NULL;
    flat.params = NULL;
    flat.sites = NULL;
    flat.debugger = flat.perf_map = false;
    flat.param_count = flat.site_count = 0;
    ITEM(w, flat);
    if (w->out) return;
    flat.mem = a->mem;
    flat.object = a->object;
    flat.debugger = a->debugger;
    flat.perf_map = a->perf_map;
    *a = flat;
}

static void object(walk *w, strbuf *o)
{
    size_t n = o->n;
    ITEM(w, n);
    if (w->out) sb_putn(w->out, o->at, n);
    else if (w->failed || (size_t)(w->end - w->at) < n) w->failed = true;
    else {
        sb_putn(o, w->at, n);
        w->at += n;
        w->failed |= o->failed;
    }
}

static void whole(walk *w, artifact *a)
{
    head(w, a);
    own_text(w, &a->entry);
    own_text(w, &a->packed);
    own_text(w, &a->signature);
    own_text(w, &a->types);
    own_text(w, &a->after);
    type(w, &a->result);
    a->params = list(w, &a->param_count, a->params, sizeof *a->params);
    for (size_t i = 0; i < a->param_count; i++) param(w, &a->params[i]);
    a->sites = list(w, &a->site_count, a->sites, sizeof *a->sites);
    for (size_t i = 0; i < a->site_count; i++) site(w, &a->sites[i]);
    object(w, &a->object);
}

/* --- diagnostics: warnings and notes, with notes of their own; the list ends in no message --- */

static void write_diags(walk *w, const diag *d)
{
    for (; d; d = d->next) {
        cpl_severity severity = d->severity;
        cpl_span span = d->span;
        text(w, d->message);
        ITEM(w, severity);
        text(w, d->hint);
        place(w, &span);
        write_diags(w, d->notes);
    }
    text(w, NULL);
}

/* of: whose notes they are, or NULL. */
static void read_diags(walk *w, diag_list *l, diag *of)
{
    const char *message;
    while ((message = text(w, NULL))) {
        cpl_severity severity;
        cpl_span span;
        ITEM(w, severity);
        const char *hint = text(w, NULL);
        place(w, &span);
        diag *d = NULL;
        if (of) diag_note(l, of, span, "%s", message);
        else if (severity == CPL_WARNING) d = diag_warning(l, span, "%s", message);
        else d = diag_remark(l, span, "%s", message);
        if (d && hint) diag_hint(l, d, "%s", hint);
        read_diags(w, l, d);
    }
}

/* --- both --- */

bool stored_write(strbuf *out, const used *u, artifact *a, const diag *said, cpl_stats *stats)
{
    walk w = {.mem = a->mem, .used = u, .out = out};
    whole(&w, a);
    ITEM(&w, stats->ir_ops);
    write_diags(&w, said);
    return !w.failed && !out->failed;
}

bool stored_read(const strbuf *in, const used *u, artifact *a, compilation *c, cpl_stats *stats)
{
    walk w = {.mem = a->mem, .types = c->types, .used = u, .at = in->at, .end = in->at + in->n};
    whole(&w, a);
    ITEM(&w, stats->ir_ops);
    if (!w.failed) read_diags(&w, &c->diags, NULL);
    return !w.failed;
}
