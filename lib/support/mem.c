/* The allocation funnel: everything the library allocates by itself goes through mem_realloc. */
#include "lib/support/support.h"

#include <stdlib.h>

static void *libc_alloc(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

const mem mem_libc = {libc_alloc, NULL};

void *mem_realloc(const mem *m, void *block, size_t old_size, size_t new_size)
{
    if (new_size > PTRDIFF_MAX) return NULL;
    if (block == NULL && new_size == 0) return NULL;
    return m->fn(m->user, block, old_size, new_size);
}

void *mem_zalloc(const mem *m, size_t size)
{
    void *block = mem_realloc(m, NULL, 0, size);
    if (block) memset(block, 0, size);
    return block;
}

void mem_free(const mem *m, void *block, size_t size)
{
    if (block) m->fn(m->user, block, size, 0);
}

char *mem_strdup(const mem *m, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = mem_realloc(m, NULL, 0, size);
    if (copy) memcpy(copy, text, size);
    return copy;
}

void mem_strfree(const mem *m, const char *text)
{
    if (text) mem_free(m, (char *)text, strlen(text) + 1);
}
