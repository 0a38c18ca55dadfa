/* Open addressing with linear probing over an index array; entries keep the order of insertion. */
#include "lib/support/support.h"

static uint32_t *find_slot(const map *m, const char *key)
{
    uint32_t mask = m->slot_count - 1;
    uint32_t i = (uint32_t)hash_bytes(key, strlen(key), 0) & mask;
    while (m->slots[i] && strcmp(m->entries[m->slots[i] - 1].key, key) != 0) i = (i + 1) & mask;
    return &m->slots[i];
}

void *map_get(const map *m, const char *key)
{
    if (m->slot_count == 0) return NULL;
    uint32_t slot = *find_slot(m, key);
    return slot ? m->entries[slot - 1].value : NULL;
}

static void rehash(arena *a, map *m)
{
    m->slot_count = m->slot_count ? m->slot_count * 2 : 16;
    m->slots = arena_array(a, m->slot_count, sizeof *m->slots);
    for (uint32_t i = 0; i < m->n; i++) *find_slot(m, m->entries[i].key) = i + 1;
}

void map_put(arena *a, map *m, const char *key, void *value)
{
    if (m->n + 1 > m->slot_count / 4 * 3) rehash(a, m);
    uint32_t *slot = find_slot(m, key);
    if (*slot) {
        m->entries[*slot - 1].value = value;
        return;
    }
    if (m->n == m->capacity)
        m->entries = vec_grow(a, m->entries, m->n, &m->capacity, sizeof *m->entries);
    m->entries[m->n++] = (map_entry){key, value};
    *slot = m->n;
}
