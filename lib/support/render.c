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

static bool is_between(const char *text, const char *first, const char *last, size_t n)
{
    return memcmp(text, first, n) >= 0 && memcmp(text, last, n) <= 0;
}

/* What a terminal takes for more than a character, though it is well-formed: U+0080 to U+009F, and
 * what turns the direction of writing. */
static bool is_control(const char *text, size_t length)
{
    if (length == 1) return (unsigned char)*text < 0x20 || *text == 0x7f;
    if (length == 2) return is_between(text, "\xc2\x80", "\xc2\x9f", 2);
    return length == 3 && (is_between(text, "\xe2\x80\xaa", "\xe2\x80\xae", 3) ||
                           is_between(text, "\xe2\x81\xa6", "\xe2\x81\xa9", 3));
}

/* Bytes of the UTF-8 sequence at text (RFC 3629), of which `left` are there; 0: it is none. */
static size_t sequence(const char *text, size_t left)
{
    static const struct {
        const char *first, *last; /* of the first two bytes */
        size_t length;
    } forms[] = {{"\xc2\x80", "\xdf\xbf", 2}, {"\xe0\xa0", "\xec\xbf", 3},
                 {"\xed\x80", "\xed\x9f", 3}, {"\xee\x80", "\xef\xbf", 3},
                 {"\xf0\x90", "\xf3\xbf", 4}, {"\xf4\x80", "\xf4\x8f", 4}};
    if ((unsigned char)*text < 0x80) return 1;
    for (size_t f = 0; f < COUNT_OF(forms); f++) {
        size_t length = forms[f].length, n = 1;
        if (left < length || !is_between(text, forms[f].first, forms[f].last, 2)) continue;
        while (n < length && ((unsigned char)text[n] & 0xc0) == 0x80) n++;
        if (n == length) return length;
    }
    return 0;
}

/* The next character of a text: its bytes, and the columns it takes. What is none, or would steer a
 * terminal, is a byte shown as \x1b. */
typedef struct character {
    size_t bytes, columns;
} character;

static character next(const char *text, size_t left)
{
    size_t n = sequence(text, left);
    if (n && (*text == '\t' || !is_control(text, n))) return (character){n, 1};
    return (character){1, 4};
}

static void put_character(writer *w, const char *text, character c)
{
    char escaped[8];
    if (c.columns == 1) put(w, text, c.bytes);
    else put(w, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\x%02x", *text & 0xff));
}

enum {
    MOST_TEXT = 8192, /* bytes of a message, a hint or a name that are shown */
    MOST_LINE = 160,  /* columns of a line of the source */
    BEFORE = 100,     /* of them before the span */
};

/* Lines stay lines: messages of drivers have several. */
static void put_text(writer *w, const char *text)
{
    size_t length = strlen(text), i = 0;
    while (i < length && i < MOST_TEXT) {
        character c = text[i] == '\n' ? (character){1, 1} : next(text + i, length - i);
        put_character(w, text + i, c);
        i += c.bytes;
    }
    if (i < length) puts_(w, "...");
}

/* Columns of the text from begin on, or limit + 1 when there are more. */
static size_t columns(const char *text, size_t begin, size_t end, size_t limit)
{
    size_t n = 0;
    for (size_t i = begin; i < end && n <= limit;) {
        character c = next(text + i, end - i);
        n += c.columns;
        i += c.bytes;
    }
    return n <= limit ? n : limit + 1;
}

/* Where the part of a long line begins that shows the caret. */
static size_t window(const cpl_diag *d, size_t caret)
{
    size_t begin = caret > BEFORE ? caret - BEFORE : 0;
    if (columns(d->text, 0, d->text_length, MOST_LINE) <= MOST_LINE) return 0;
    while (begin && begin < caret && ((unsigned char)d->text[begin] & 0xc0) == 0x80) begin++;
    while (columns(d->text, begin, caret, BEFORE) > BEFORE)
        begin += next(d->text + begin, caret - begin).bytes;
    return begin;
}

/* The line from begin on, as much as is shown; returns where that ends. */
static size_t put_part(writer *w, const cpl_diag *d, size_t begin)
{
    size_t end = begin, shown = 0;
    if (begin) puts_(w, "...");
    while (end < d->text_length) {
        character c = next(d->text + end, d->text_length - end);
        if ((shown += c.columns) > MOST_LINE) break;
        put_character(w, d->text + end, c);
        end += c.bytes;
    }
    puts_(w, end < d->text_length ? "...\n" : "\n");
    return end;
}

/* What stands before the caret, as blanks. Tabs are kept, so that the caret stands right however
 * wide they are. */
static void put_padding(writer *w, const cpl_diag *d, size_t begin, size_t caret)
{
    character c;
    if (begin) puts_(w, "   ");
    for (size_t i = begin; i < caret; i += c.bytes) {
        c = next(d->text + i, d->text_length - i);
        if (d->text[i] == '\t') put(w, "\t", 1);
        else puts_(w, c.columns == 1 ? " " : "    ");
    }
}

static void put_source_line(writer *w, const cpl_diag *d)
{
    size_t caret = d->column ? d->column - 1 : 0;
    if (caret > d->text_length) caret = d->text_length;
    size_t begin = window(d, caret);
    puts_(w, "    ");
    size_t end = put_part(w, d, begin), last = caret + d->length;
    puts_(w, "    ");
    put_padding(w, d, begin, caret);
    puts_(w, "^");
    for (size_t n = columns(d->text, caret, last < end ? last : end, MOST_LINE); n > 1; n--)
        puts_(w, "~");
    puts_(w, "\n");
}

static void put_diag(writer *w, const cpl_diag *d)
{
    static const char *const severities[] = {"note", "warning", "error"};
    if (d->file) {
        put_text(w, d->file);
        put(w, ":", 1);
        put_number(w, d->line);
        put(w, ":", 1);
        put_number(w, d->column);
        puts_(w, ": ");
    }
    puts_(w, severities[d->severity]);
    puts_(w, ": ");
    put_text(w, d->message);
    puts_(w, "\n");
    if (d->text) put_source_line(w, d);
    if (d->hint) {
        puts_(w, "hint: ");
        put_text(w, d->hint);
        puts_(w, "\n");
    }
    for (size_t i = 0; i < d->note_count; i++) put_diag(w, cpl_diag_note(d, i));
}

size_t cpl_diag_render(const cpl_diag *d, char *buffer, size_t size)
{
    writer w = {buffer, size, 0};
    if (size && !buffer) return 0;
    if (d) put_diag(&w, d);
    if (size) buffer[w.n < size ? w.n : size - 1] = 0;
    return w.n;
}
