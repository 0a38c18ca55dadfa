/* Messages of the tool itself, spelling hints, and small helpers that end the process when memory
 * runs out. */
#include "cplc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the command line or a file says must not steer a terminal: the library shows texts as it
 * shows those of diagnostics, here a note, whose "note: " becomes something else. */
static void print_line(const char *what, const char *format, va_list list)
{
    char *text;
    if (vasprintf(&text, format, list) < 0) return;
    cpl_diag note = {.size = sizeof note, .severity = CPL_NOTE, .message = text};
    size_t size = cpl_diag_render(&note, NULL, 0) + 1;
    char *line = malloc(size);
    if (line) {
        cpl_diag_render(&note, line, size);
        fprintf(stderr, "%s%s", what, line + strlen("note: "));
    }
    free(line);
    free(text);
}

/* A function that prints one line, which begins with what. */
#define PRINTER(type, name, what, result)                                                          \
    type name(const char *format, ...)                                                             \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        print_line(what, format, list);                                                            \
        va_end(list);                                                                              \
        result;                                                                                    \
    }
PRINTER(void, message, "cplc: error: ", )
PRINTER(int, usage_error, "cplc: error: ", return EXIT_USAGE)
PRINTER(void, print_hint, "hint: ", )
PRINTER(void, print_note, "note: ", )
#undef PRINTER

void *allocate(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block) {
        message("out of memory");
        exit(EXIT_SYSTEM);
    }
    return block;
}

void *keep(size_t size)
{
    static struct kept {
        struct kept *next;
        _Alignas(16) unsigned char bytes[];
        /* static, so that what is kept stays reachable and leak checkers see only real leaks */
    } *all;
    struct kept *k = allocate(sizeof *k + size);
    k->next = all;
    all = k;
    return k->bytes;
}

char *copy_text(const char *text, size_t length)
{
    char *copy = keep(length + 1);
    memcpy(copy, text, length);
    return copy;
}

void word_push(word_list *list, const char *word)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 8;
        const char **items = keep(capacity * sizeof *items);
        if (list->count) memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = word;
}

int word_find(const word_list *list, const char *word)
{
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], word)) return (int)i;
    return -1;
}

const word_list *element_types(void)
{
    static word_list names;
    for (int d = CPL_BOOL; names.count == 0 || d < CPL_DTYPE_COUNT; d++)
        if (d != CPL_BFLOAT16 && d < CPL_DTYPE_COUNT)
            word_push(&names, cpl_dtype_name((cpl_dtype)d));
    return &names;
}

const char *word_join(const char *const *words, size_t count)
{
    if (count == 0) return "none";
    size_t size = 1;
    for (size_t i = 0; i < count; i++) size += strlen(words[i]) + 2;
    char *text = keep(size);
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", words[i]);
    return text;
}

double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Edit distance with swaps of neighbours (optimal string alignment), for words of fewer than 64
 * bytes; 64 for longer ones. */
static size_t distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    if (m >= 64 || n >= 64) return 64;
    size_t row[3][65]; /* the row before the last, the last, the new one */
    for (size_t j = 0; j <= n; j++) row[1][j] = j;
    memcpy(row[0], row[1], sizeof row[0]);
    for (size_t i = 1; i <= m; i++) {
        row[2][0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = row[1][j - 1] + (a[i - 1] != b[j - 1]);
            if (row[1][j] + 1 < best) best = row[1][j] + 1;
            if (row[2][j - 1] + 1 < best) best = row[2][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                row[0][j - 2] + 1 < best)
                best = row[0][j - 2] + 1;
            row[2][j] = best;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], row[2], sizeof row[1]);
    }
    return row[1][n];
}

void suggest(const char *word, const char *const *names, size_t count)
{
    const char *best = NULL;
    /* about one mistake in three letters still looks like a slip */
    size_t least = strlen(word) / 3 + 1;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, names[i]);
        if (d <= least && d < strlen(names[i])) {
            least = d;
            best = names[i];
            if (d == 0) break;
            least = d - 1;
        }
    }
    if (best) print_hint("did you mean '%s'?", best);
}
