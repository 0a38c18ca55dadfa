/* What memory holds in each place, and where it is valid: the rules of cpl/array.h in plain C. */
#include "seq.h"

#include <stdlib.h>

int storage_valid_at(const storage *s, int wanted)
{
    int found = -1;
    if (s->valid >> wanted & 1) return wanted;
    for (int i = 0; i < s->orders; i++) {
        int p = s->order[i];
        if ((s->valid >> p & 1) && (found < 0 || p == s->home)) found = p;
    }
    return found;
}

void storage_hold(world *w, int s)
{
    w->storages[s].references++;
}

void storage_drop(world *w, int number)
{
    storage *s = &w->storages[number];
    if (--s->references) return;
    for (int p = 0; p < MAX_PLACES; p++) free(s->bytes[p]);
    if (s->deleted && *s->deleted != 1)
        fail(w, "the deleter of wrapped memory was called %d times", *s->deleted);
    if (s->deleted) {
        free(s->wrapped);
        free(s->deleted);
    }
    *s = (storage){0};
}

static void storage_reserve(storage *s, int place)
{
    if (s->have >> place & 1) return;
    s->have |= 1u << place;
    s->order[s->orders++] = place;
    s->bytes[place] = calloc(1, s->size ? s->size : 1);
    if (!s->bytes[place]) abort();
}

void storage_moved(storage *s, int place)
{
    int from = storage_valid_at(s, s->home);
    if (s->valid >> place & 1) return;
    storage_reserve(s, place);
    if (from >= 0) memcpy(s->bytes[place], s->bytes[from], s->size);
    s->valid |= 1u << place;
}

void storage_marked(storage *s, int place)
{
    s->valid = 1u << place;
}

bool array_contiguous(const array *a)
{
    return a->length < 2 || a->stride == (int64_t)elem_size(a->elem);
}

bool array_strided(const array *a)
{
    return !array_contiguous(a);
}

lane lane_of(const world *w, const array *a, int place)
{
    const storage *s = &w->storages[a->storage];
    return (lane){s->bytes[place] + a->offset, a->stride, a->length};
}

extent lane_extent(const lane *l, size_t element)
{
    if (l->length == 0) return (extent){0, 0};
    uintptr_t first = (uintptr_t)l->first,
              last = first + (uintptr_t)l->stride * (uintptr_t)(l->length - 1);
    return last < first ? (extent){last, first + element} : (extent){first, last + element};
}

void action_run(world *w, action *a, void *result)
{
    unsigned char *at[MOST_LANES];
    for (int i = 0; i < MOST_LANES; i++) {
        const spot *p = &a->spots[i];
        at[i] = p->storage < 0 ? NULL : w->storages[p->storage].bytes[p->place] + p->offset;
    }
    switch (a->what) {
    case ACT_LAUNCH:
        for (int i = 0; i < MOST_LANES; i++)
            if (at[i]) a->launch.lane[i].first = at[i];
        launch_run(&a->launch, result);
        break;
    case ACT_COPY: memmove(at[0], at[1], a->size); break;
    case ACT_WRITE: memcpy(at[0], a->from, a->size); break;
    }
}

static void record(world *w, recorded *r, const action *a)
{
    r->actions[r->count++] = *a;
    for (int i = 0; i < MOST_LANES; i++)
        if (a->spots[i].storage >= 0) storage_hold(w, a->spots[i].storage);
}

void action_do(world *w, queue *q, action *a, void *result)
{
    if (q && q->recording) {
        record(w, &q->rec, a);
        return;
    }
    action_run(w, a, result);
    for (int i = 0; i < MOST_LANES; i++)
        if (a->written >> i & 1 && a->spots[i].storage >= 0)
            storage_marked(&w->storages[a->spots[i].storage], a->spots[i].place);
}

bool recorded_written(const recorded *r, int s, int place)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < MOST_LANES; k++)
            if (r->actions[i].written >> k & 1 && r->actions[i].spots[k].storage == s &&
                r->actions[i].spots[k].place == place)
                return true;
    return false;
}

void recorded_free(world *w, recorded *r)
{
    for (int i = 0; i < r->count; i++)
        for (int k = 0; k < MOST_LANES; k++)
            if (r->actions[i].spots[k].storage >= 0)
                storage_drop(w, r->actions[i].spots[k].storage);
    *r = (recorded){0};
}
