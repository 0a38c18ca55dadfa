/* Diagnostics collected during one call, and their delivery to a sink. */
#include "lib/support/support.h"

static diag *add(diag_list *l, cpl_severity severity, cpl_status status, cpl_span span,
                 const char *format, va_list args)
{
    diag *d = arena_new(l->arena, diag);
    *d = (diag){.severity = severity, .status = status, .span = span};
    d->message = arena_vprintf(l->arena, format, args);
    return d;
}

static void append(diag_list *l, diag *d)
{
    if (l->last) l->last->next = d;
    else l->first = d;
    l->last = d;
}

diag *diag_error(diag_list *l, cpl_status status, cpl_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag *d = add(l, CPL_ERROR, status, span, format, args);
    va_end(args);
    if (l->errors == 0) l->status = status;
    if (l->errors++ < DIAG_MAX_ERRORS) append(l, d);
    return d;
}

diag *diag_warning(diag_list *l, cpl_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag *d = add(l, CPL_WARNING, CPL_OK, span, format, args);
    va_end(args);
    append(l, d);
    return d;
}

diag *diag_remark(diag_list *l, cpl_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag *d = add(l, CPL_NOTE, CPL_OK, span, format, args);
    va_end(args);
    append(l, d);
    return d;
}

void diag_hint(diag_list *l, diag *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    d->hint = arena_vprintf(l->arena, format, args);
    va_end(args);
}

void diag_note(diag_list *l, diag *d, cpl_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag *note = add(l, CPL_NOTE, CPL_OK, span, format, args);
    va_end(args);
    diag **at = &d->notes;
    while (*at) at = &(*at)->next;
    *at = note;
}

static cpl_diag to_public(const diag *d, source_finder find, void *find_user)
{
    cpl_diag out = {.size = sizeof out,
                    .severity = d->severity,
                    .status = d->status,
                    .message = d->message,
                    .hint = d->hint};
    const source *src = d->span.file ? find(find_user, d->span.file) : NULL;
    if (src) {
        source_place p = source_locate(src, d->span.begin);
        uint32_t rest =
            p.text_length - (p.column - 1 < p.text_length ? p.column - 1 : p.text_length);
        uint32_t length = d->span.end > d->span.begin ? d->span.end - d->span.begin : 1;
        out.file = src->name;
        out.line = p.line;
        out.column = p.column;
        out.length = length > rest && rest > 0 ? rest : rest == 0 ? 1 : length;
        out.text = p.text;
        out.text_length = p.text_length;
    }
    return out;
}

#define MOST_NOTES 8 /* of one diagnostic that a sink sees */

bool diag_repeats(const diag *d, const diag *e)
{
    return e->span.file == d->span.file && e->span.begin == d->span.begin &&
           e->severity == d->severity &&
           ((e->once && d->once) || strcmp(e->message, d->message) == 0);
}

static bool seen_before(const diag_list *l, const diag *d)
{
    for (const diag *e = l->first; e != d; e = e->next)
        if (diag_repeats(d, e)) return true;
    return false;
}

void diag_deliver(const diag_list *l, source_finder find, void *find_user, diag_sink to)
{
    if (!to.fn) return;
    thread_report_begins();
    for (const diag *d = l->first; d; d = d->next) {
        if (seen_before(l, d)) continue;
        cpl_diag notes[MOST_NOTES];
        cpl_diag out = to_public(d, find, find_user);
        for (const diag *n = d->notes; n && out.note_count < MOST_NOTES; n = n->next)
            notes[out.note_count++] = to_public(n, find, find_user);
        out.notes = notes;
        to.fn(to.user, &out);
    }
    if (l->errors > DIAG_MAX_ERRORS) {
        char message[64] = "more errors than are shown";
        cpl_diag out = {.size = sizeof out,
                        .severity = CPL_ERROR,
                        .status = l->status,
                        .message = message};
        to.fn(to.user, &out);
    }
}
