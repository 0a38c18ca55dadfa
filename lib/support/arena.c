/* Bump allocation in chunks; freed whole. A failed allocation jumps to on_oom, so callers have
 * nothing to check. */
#include "lib/support/support.h"

#include <stdio.h>

/* Of the first chunk; each next one is twice as large, up to CHUNK_LIMIT. */
#define CHUNK_SIZE  ((size_t)64 << 10)
#define CHUNK_LIMIT ((size_t)4 << 20)
#define ALIGNMENT   16

struct arena_chunk {
    arena_chunk *next; /* older */
    size_t size;       /* of the whole block */
};

#define HEADER ((sizeof(arena_chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT)

void arena_init(arena *a, const mem *m, jmp_buf *on_oom)
{
    *a = (arena){.mem = m, .on_oom = on_oom};
}

void arena_free(arena *a)
{
    for (arena_chunk *c = a->head; c;) {
        arena_chunk *next = c->next;
        mem_free(a->mem, c, c->size);
        c = next;
    }
    a->head = NULL;
    a->at = a->end = NULL;
}

_Noreturn static void out_of_memory(arena *a)
{
    longjmp(*a->on_oom, 1);
}

/* Large requests get a chunk of their own, behind which the current one stays in use. */
static void *alloc_slow(arena *a, size_t size)
{
    if (size > PTRDIFF_MAX - HEADER) out_of_memory(a);
    size_t want = a->head ? a->head->size * 2 : CHUNK_SIZE;
    if (want > CHUNK_LIMIT) want = CHUNK_LIMIT;
    bool own = size + HEADER > want / 2;
    size_t total = own ? size + HEADER : want;
    arena_chunk *c = mem_realloc(a->mem, NULL, 0, total);
    if (!c) out_of_memory(a);
    c->size = total;
    char *data = (char *)c + HEADER;
    if (own && a->head) {
        c->next = a->head->next;
        a->head->next = c;
    } else {
        c->next = a->head;
        a->head = c;
        a->at = data + size;
        a->end = (char *)c + total;
    }
    return memset(data, 0, size);
}

void *arena_alloc(arena *a, size_t size)
{
    if (size > PTRDIFF_MAX) out_of_memory(a);
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size <= (size_t)(a->end - a->at)) {
        void *p = a->at;
        a->at += size;
        return size ? memset(p, 0, size) : p;
    }
    return alloc_slow(a, size);
}

void *arena_array(arena *a, size_t count, size_t size)
{
    if (size && count > PTRDIFF_MAX / size) out_of_memory(a);
    size_t total = count * size;
    return arena_alloc(a, total ? total : 1);
}

char *arena_strndup(arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    if (length) memcpy(copy, text, length);
    return copy;
}

char *arena_strdup(arena *a, const char *text)
{
    return arena_strndup(a, text, strlen(text));
}

char *arena_vprintf(arena *a, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *text = arena_alloc(a, (n < 0 ? 0 : (size_t)n) + 1);
    if (n > 0) vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(a, format, args);
    va_end(args);
    return text;
}
