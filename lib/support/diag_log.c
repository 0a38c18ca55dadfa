/* Copies of diagnostics, to be delivered a second time: to those who waited for somebody else's
 * compilation. */
#include "lib/support/support.h"

struct diag_copy {
    struct diag_copy *next;
    cpl_diag diag; /* texts and notes are owned */
    cpl_diag *notes;
};

void diag_log_init(diag_log *l, const mem *m)
{
    *l = (diag_log){.mem = m};
}

static void free_texts(const mem *m, const cpl_diag *d)
{
    mem_strfree(m, d->message);
    mem_strfree(m, d->hint);
    mem_strfree(m, d->file);
    mem_free(m, (char *)d->text, d->text_length);
}

static void free_copy(const mem *m, struct diag_copy *c)
{
    for (size_t i = 0; c->notes && i < c->diag.note_count; i++) free_texts(m, &c->notes[i]);
    mem_free(m, c->notes, c->diag.note_count * sizeof *c->notes);
    free_texts(m, &c->diag);
    mem_free(m, c, sizeof *c);
}

void diag_log_free(diag_log *l)
{
    while (l->first) {
        struct diag_copy *c = l->first;
        l->first = c->next;
        free_copy(l->mem, c);
    }
    l->last = NULL;
}

/* A copy of a text; true for NULL too. */
static bool keep(const mem *m, const char *text, const char **copy)
{
    *copy = text ? mem_strdup(m, text) : NULL;
    return !text || *copy;
}

/* Copies texts, but no notes. What was copied before memory ended is owned. */
static bool copy_texts(const mem *m, const cpl_diag *d, cpl_diag *to)
{
    *to = *d;
    to->message = to->hint = to->file = to->text = NULL;
    to->notes = NULL;
    to->note_count = 0;
    if (!keep(m, d->message, &to->message) || !keep(m, d->hint, &to->hint) ||
        !keep(m, d->file, &to->file))
        return false;
    if (!d->text || !d->text_length) return true;
    char *text = mem_realloc(m, NULL, 0, d->text_length);
    if (text) memcpy(text, d->text, d->text_length);
    to->text = text;
    return text != NULL;
}

static bool copy_notes(const mem *m, const cpl_diag *d, struct diag_copy *c)
{
    if (!d->note_count) return true;
    c->notes = mem_zalloc(m, d->note_count * sizeof *c->notes);
    if (!c->notes) return false;
    c->diag.notes = c->notes;
    c->diag.note_count = d->note_count;
    bool ok = true;
    for (size_t i = 0; i < d->note_count && ok; i++) ok = copy_texts(m, &d->notes[i], &c->notes[i]);
    return ok;
}

void diag_log_add(diag_log *l, const cpl_diag *d)
{
    struct diag_copy *c = mem_zalloc(l->mem, sizeof *c);
    if (!c || !copy_texts(l->mem, d, &c->diag) || !copy_notes(l->mem, d, c)) {
        l->lost = true;
        if (c) free_copy(l->mem, c);
        return;
    }
    if (l->last) l->last->next = c;
    else l->first = c;
    l->last = c;
}

void diag_log_replay(const diag_log *l, diag_sink to)
{
    if (!to.fn) return;
    for (const struct diag_copy *c = l->first; c; c = c->next) to.fn(to.user, &c->diag);
    if (!l->lost) return;
    cpl_diag d = {.size = sizeof d, .severity = CPL_ERROR, .status = CPL_ENOMEM};
    d.message = "out of memory for what else there is to say";
    to.fn(to.user, &d);
}
