/* Copies of diagnostics, to be delivered a second time: to those who waited for somebody else's
 * compilation, and to who reads them from a list (diag_thread.c). */
#include "lib/support/support.h"

struct diag_copy {
    cpl_diag diag; /* texts and notes are owned */
    cpl_diag *notes;
};

/* In place of those that are lost. */
static const cpl_diag lost = {.size = sizeof lost,
                              .severity = CPL_ERROR,
                              .status = CPL_ENOMEM,
                              .message = "out of memory for what else there is to say"};

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
    for (size_t i = 0; i < l->count; i++) free_copy(l->mem, l->copies[i]);
    mem_free(l->mem, l->copies, l->room * sizeof *l->copies);
    diag_log_init(l, l->mem);
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

static bool make_room(diag_log *l)
{
    if (l->count < l->room) return true;
    size_t room = l->room ? 2 * l->room : 8, each = sizeof *l->copies;
    struct diag_copy **copies = mem_realloc(l->mem, l->copies, l->room * each, room * each);
    if (!copies) return false;
    l->copies = copies;
    l->room = room;
    return true;
}

void diag_log_add(diag_log *l, const cpl_diag *d)
{
    struct diag_copy *c = make_room(l) ? mem_zalloc(l->mem, sizeof *c) : NULL;
    if (c && copy_texts(l->mem, d, &c->diag) && copy_notes(l->mem, d, c)) {
        l->copies[l->count++] = c;
        return;
    }
    l->lost = true;
    if (c) free_copy(l->mem, c);
}

size_t diag_log_count(const diag_log *l)
{
    return l->count + l->lost;
}

const cpl_diag *diag_log_at(const diag_log *l, size_t i)
{
    return i < l->count ? &l->copies[i]->diag : &lost;
}
