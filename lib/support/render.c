/* The text of a diagnostic, as cplc shows it. */
#include "lib/support/support.h"

#include <stdio.h>

typedef struct writer {
    char *buffer;
    size_t size, n;
} writer;

static void put(writer *w, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++, w->n++)
        if (w->n + 1 < w->size) w->buffer[w->n] = text[i];
}

static void puts_(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_number(writer *w, uint32_t n)
{
    char text[16];
    put(w, text, (size_t)snprintf(text, sizeof text, "%u", n));
}

/* The line and the caret under it. Tabs are kept in the padding so that the caret stands right
 * however wide they are. */
static void put_source_line(writer *w, const cpl_diag *d)
{
    puts_(w, "    ");
    put(w, d->text, d->text_length);
    puts_(w, "\n    ");
    for (uint32_t i = 0; i + 1 < d->column && i < d->text_length; i++) {
        unsigned char c = (unsigned char)d->text[i];
        /* one column for a UTF-8 sequence */
        if ((c & 0xc0) != 0x80) put(w, c == '\t' ? "\t" : " ", 1);
    }
    put(w, "^", 1);
    for (uint32_t i = d->column; i + 1 < d->column + d->length && i < d->text_length; i++)
        if (((unsigned char)d->text[i] & 0xc0) != 0x80) put(w, "~", 1);
    puts_(w, "\n");
}

static void put_diag(writer *w, const cpl_diag *d)
{
    static const char *const severities[] = {"note", "warning", "error"};
    if (d->file) {
        puts_(w, d->file);
        put(w, ":", 1);
        put_number(w, d->line);
        put(w, ":", 1);
        put_number(w, d->column);
        puts_(w, ": ");
    }
    puts_(w, severities[d->severity]);
    puts_(w, ": ");
    puts_(w, d->message);
    puts_(w, "\n");
    if (d->text) put_source_line(w, d);
    if (d->hint) {
        puts_(w, "hint: ");
        puts_(w, d->hint);
        puts_(w, "\n");
    }
    for (size_t i = 0; i < d->note_count; i++) put_diag(w, &d->notes[i]);
}

size_t cpl_diag_render(const cpl_diag *d, char *buffer, size_t size)
{
    writer w = {buffer, size, 0};
    if (d) put_diag(&w, d);
    if (size) buffer[w.n < size ? w.n : size - 1] = 0;
    return w.n;
}
