/* Steps of sequences: arrays, views and copies. */
#include "seq.h"

#include <stdlib.h>

static int64_t draw_length(world *w)
{
    static const int64_t edges[] = {0,  1,  2,   3,   31,  32,   33,   63,
                                    64, 65, 127, 255, 257, 4095, 4096, 4097};
    uint32_t turn = draw(w, 100);
    if (turn < 60) return edges[draw(w, COUNT_OF(edges))];
    if (turn < 97) return draw(w, 300);
    return 16000 + draw(w, 30000);
}

static elem draw_elem(world *w)
{
    return chance(w, 85) ? w->favour[draw(w, COUNT_OF(w->favour))] : (elem)draw(w, ELEMS);
}

static int free_storage(const world *w)
{
    for (int i = 0; i < STORAGES; i++)
        if (!w->storages[i].references) return i;
    return -1;
}

static storage *new_storage(world *w, int number, size_t size, int home)
{
    storage *s = &w->storages[number];
    *s = (storage){.references = 1, .size = size, .home = home};
    s->have = s->valid = 1u << home;
    s->order[s->orders++] = home;
    s->bytes[home] = calloc(1, size ? size : 1);
    if (!s->bytes[home]) abort();
    return s;
}

static void set_elements(world *w, cpl_array_options *o, elem e)
{
    if (e == PAIR) o->record = w->pair;
    else o->dtype = elem_dtype(e);
}

/* Values that count up from a drawn one; of a pair the padding too. */
static unsigned char *draw_values(world *w, elem e, int64_t length)
{
    size_t size = elem_size(e);
    unsigned char *values = malloc(size * (size_t)length + 1);
    if (!values) abort();
    int64_t first = (int64_t)draw(w, 2000) - 1000;
    for (int64_t i = 0; i < length; i++) elem_store(e, values + (size_t)i * size, first + i % 997);
    return values;
}

static void write_values(world *w, array *a)
{
    unsigned char *values = draw_values(w, a->elem, a->length);
    storage *s = &w->storages[a->storage];
    expect(w, cpl_array_write(a->a, NULL, values, NULL), CPL_OK, "writing what was created");
    memcpy(s->bytes[s->home] + a->offset, values, elem_size(a->elem) * (size_t)a->length);
    free(values);
}

static void create(world *w)
{
    array *a = free_array(w);
    int number = free_storage(w), place = (int)draw(w, (uint32_t)w->places);
    if (!a || number < 0) return;
    elem e = draw_elem(w);
    int64_t length = draw_length(w);
    bool pinned = place == 0 && w->places > 1 && chance(w, 25),
         two = length % 2 == 0 && chance(w, 20);
    cpl_array_options o;
    cpl_array_options_init(&o);
    set_elements(w, &o, e);
    o.dims = two ? 2 : 1;
    o.shape[0] = two ? length / 2 : length;
    o.shape[1] = 2;
    o.pinned = pinned;
    if (pinned) o.pinned_for = w->device[1];
    say(w, "array %d = %s[%lld] on %s%s", array_number(w, a), elem_name(e), (long long)length,
        place_name(place), pinned ? ", page-locked" : "");
    expect(w, cpl_array_create_with(w->cx, w->device[place], &o, &a->a), CPL_OK, "creating");
    if (w->failed) return;
    new_storage(w, number, elem_size(e) * (size_t)length, place);
    a->storage = number;
    a->elem = e;
    a->offset = 0;
    a->length = length;
    a->stride = (int64_t)elem_size(e);
    a->dims = o.dims;
    if (chance(w, 60) && !w->queues[place].recording) write_values(w, a);
}

static void count_deletion(void *user, void *memory)
{
    (void)memory;
    ++*(int *)user;
}

static void wrap(world *w)
{
    array *a = free_array(w);
    int number = free_storage(w);
    if (!a || number < 0) return;
    elem e = draw_elem(w);
    int64_t length = draw_length(w);
    size_t size = elem_size(e) * (size_t)length;
    storage *s = new_storage(w, number, size, 0);
    unsigned char *values = draw_values(w, e, length);
    s->wrapped = aligned_alloc(64, (size + 64) / 64 * 64);
    s->deleted = calloc(1, sizeof *s->deleted);
    if (!s->wrapped || !s->deleted) abort();
    memcpy(s->wrapped, values, size);
    memcpy(s->bytes[0], values, size);
    free(values);
    cpl_array_options o;
    cpl_array_options_init(&o);
    set_elements(w, &o, e);
    o.dims = 1;
    o.shape[0] = length;
    o.deleter = count_deletion;
    o.deleter_user = s->deleted;
    say(w, "array %d = %s[%lld] over memory of the host", array_number(w, a), elem_name(e),
        (long long)length);
    expect(w, cpl_array_wrap(w->cx, NULL, &o, s->wrapped, &a->a), CPL_OK, "wrapping");
    *a = (array){a->a, number, e, 0, length, (int64_t)elem_size(e), 1};
}

/* The view of length elements a step apart, the first at a byte of the storage. */
static void make_view(world *w, const array *of, array *v, bool spell)
{
    cpl_array_options o;
    cpl_array_options_init(&o);
    if (v->elem != of->elem) set_elements(w, &o, v->elem);
    o.dims = 1;
    o.shape[0] = v->length;
    o.offset = v->offset - of->offset;
    if (spell || v->stride != (int64_t)elem_size(v->elem)) o.strides[0] = v->stride;
    expect(w, cpl_array_view(of->a, &o, &v->a), CPL_OK, "a view");
    v->dims = 1;
    if (!w->failed) storage_hold(w, v->storage);
}

static void view(world *w)
{
    static const int64_t steps[] = {1, 1, 1, 1, 2, 3, -1, -1, -2, 5};
    array *of = some_array(w), *v = free_array(w), made = {0};
    if (!of || !v) return;
    made.storage = of->storage;
    made.elem = of->elem == I64 && chance(w, 20) ? I32 : of->elem;
    int64_t size = (int64_t)elem_size(made.elem), step = steps[draw(w, COUNT_OF(steps))];
    int64_t least = (int64_t)of->offset / size,
            most = (int64_t)w->storages[of->storage].size / size; /* elements of the storage */
    if (most == 0) return;
    int64_t first = least < most ? least + draw(w, (uint32_t)(most - least)) : least;
    if (chance(w, 25)) first = least < most && step > 0 ? least : most - 1;
    if (first < least || first >= most) return;
    int64_t room = step > 0 ? (most - 1 - first) / step + 1 : first / -step + 1;
    made.length = chance(w, 40) ? room : draw(w, (uint32_t)room + 1);
    made.offset = (size_t)(first * size);
    made.stride = step * size;
    say(w, "array %d = view of array %d: %s[%lld] from byte %zu, %lld apart", array_number(w, v),
        array_number(w, of), elem_name(made.elem), (long long)made.length, made.offset,
        (long long)made.stride);
    make_view(w, of, &made, chance(w, 50));
    if (!w->failed) *v = made;
}

static void release_array(world *w, array *a)
{
    say(w, "release array %d", array_number(w, a));
    cpl_array_release(a->a);
    storage_drop(w, a->storage);
    a->a = NULL;
}

static void release(world *w)
{
    array *a = some_array(w);
    if (a) release_array(w, a);
}

/* Another array takes the place of one that goes, and its memory if nobody else has that. */
static void replace(world *w)
{
    array *a = some_array(w);
    int number = free_storage(w);
    if (!a || number < 0) return;
    const storage *s = &w->storages[a->storage];
    elem e = a->elem == PAIR ? I64 : a->elem;
    int64_t length = (int64_t)(s->size / elem_size(e));
    int home = s->home;
    release_array(w, a);
    say(w, "array %d = %s[%lld] on %s", array_number(w, a), elem_name(e), (long long)length,
        place_name(home));
    expect(w, cpl_array_create(w->cx, w->device[home], elem_dtype(e), length, &a->a), CPL_OK,
           "creating");
    if (w->failed) return;
    new_storage(w, number, elem_size(e) * (size_t)length, home);
    *a = (array){a->a, number, e, 0, length, (int64_t)elem_size(e), 1};
}

static unsigned char *keep_text(world *w, unsigned char *text)
{
    w->texts[w->text_count++] = text;
    return text;
}

static void put_elements(world *w, const array *a, int place, const unsigned char *from)
{
    lane l = lane_of(w, a, place);
    size_t size = elem_size(a->elem);
    for (int64_t i = 0; i < a->length; i++)
        memcpy(l.first + i * l.stride, from + (size_t)i * size, size);
}

/* Statuses of calls that have an event: one that records has none. */
static cpl_status told(const queue *q, const event *e)
{
    return q->recording && e ? CPL_EARG : CPL_OK;
}

static void write(world *w)
{
    array *a = some_array(w);
    if (!a || w->text_count == (int)COUNT_OF(w->texts)) return;
    storage *s = &w->storages[a->storage];
    int place = storage_valid_at(s, s->home);
    queue *q = draw_queue(w, (int)draw(w, (uint32_t)w->places));
    place = storage_valid_at(s, q ? q->place : s->home);
    if (any_recording(w) && (!array_contiguous(a) || (q && q->place != place))) return;
    queue *runs = working(w, q && q->place == place ? q : NULL, place);
    event *e = runs->recording ? NULL : draw_event(w);
    if (runs->recording && runs->rec.count == MOST_ACTIONS) return;
    unsigned char *values = draw_values(w, a->elem, a->length);
    say(w, "write array %d (%s), queue %d", array_number(w, a), place_name(place),
        queue_number(w, q));
    expect(w, cpl_array_write(a->a, handle_of(q), values, e ? &e->e : NULL), told(runs, e),
           "cpl_array_write");
    if (w->failed) return;
    size_t size = elem_size(a->elem) * (size_t)a->length;
    if (runs->recording) {
        keep_text(w, values);
        action copy = {.what = ACT_WRITE, .written = 1, .size = size, .from = values};
        copy.spots[0] = (spot){a->storage, place, a->offset};
        copy.spots[1].storage = copy.spots[2].storage = -1;
        if (a->length) action_do(w, runs, &copy, NULL);
        return;
    }
    if (a->length == 0) {
        free(values);
        return;
    }
    bool strided = !array_contiguous(a);
    if (strided) storage_moved(s, 0);
    put_elements(w, a, strided ? 0 : place, values);
    storage_marked(s, strided ? 0 : place);
    if (strided) storage_moved(s, place);
    free(values);
}

static void check_read(world *w, const array *a, const unsigned char *got, int place)
{
    lane l = lane_of(w, a, place);
    size_t size = elem_size(a->elem);
    for (int64_t i = 0; i < a->length; i++)
        if (!elem_same(a->elem, got + (size_t)i * size, l.first + i * l.stride)) {
            fail(w, "cpl_array_read of array %d: element %lld of %lld differs", array_number(w, a),
                 (long long)i, (long long)a->length);
            return;
        }
}

static void read(world *w)
{
    array *a = some_array(w);
    if (!a) return;
    storage *s = &w->storages[a->storage];
    queue *q = draw_queue(w, (int)draw(w, (uint32_t)w->places));
    int place = storage_valid_at(s, q ? q->place : s->home);
    if (any_recording(w) && (!array_contiguous(a) || place == 0 || (q && q->place != place)))
        return;
    const queue *runs = working(w, q && q->place == place ? q : NULL, place);
    unsigned char *got = malloc(elem_size(a->elem) * (size_t)a->length + 1);
    if (!got) abort();
    say(w, "read array %d (%s), queue %d", array_number(w, a), place_name(place),
        queue_number(w, q));
    cpl_status wanted = runs->recording && a->length ? CPL_EARG : CPL_OK;
    expect(w, cpl_array_read(a->a, handle_of(q), got, NULL), wanted, "cpl_array_read");
    if (!w->failed && !wanted) {
        if (!array_contiguous(a)) storage_moved(s, 0);
        check_read(w, a, got, place);
    }
    free(got);
}

/* length elements from the first-th on, for one call. */
static array part_of(world *w, const array *a, int64_t first, int64_t length)
{
    array v = *a;
    v.a = NULL;
    v.offset = a->offset + (size_t)(first * a->stride);
    v.length = length;
    if (a->stride < 0) { /* offsets of views count from the first element up */
        cpl_array_retain(a->a);
        v.a = a->a;
        v.offset = a->offset;
        v.length = a->length;
        storage_hold(w, a->storage);
        return v;
    }
    make_view(w, a, &v, false);
    return v;
}

static void drop_part(world *w, array *v)
{
    cpl_array_release(v->a);
    storage_drop(w, v->storage);
}

static bool share_bytes(const world *w, const array *a, const array *b)
{
    lane x = lane_of(w, a, 0), y = lane_of(w, b, 0);
    if (a->storage != b->storage) return false;
    x.first = (unsigned char *)(uintptr_t)(1 << 30) + a->offset;
    y.first = (unsigned char *)(uintptr_t)(1 << 30) + b->offset;
    return lanes_meet(&x, (int64_t)elem_size(a->elem), &y, (int64_t)elem_size(b->elem));
}

static void copy_strided(world *w, const array *to, const array *from, int place)
{
    storage *t = &w->storages[to->storage], *f = &w->storages[from->storage];
    storage_moved(t, 0);
    storage_moved(f, 0);
    lane x = lane_of(w, to, 0), y = lane_of(w, from, 0);
    for (int64_t i = 0; i < to->length; i++)
        memcpy(x.first + i * x.stride, y.first + i * y.stride, elem_size(to->elem));
    storage_marked(t, 0);
    storage_moved(t, place);
}

/* What a copy comes to, and what becomes of the model. */
static void copy_parts(world *w, array *to, array *from, queue *q, event *e)
{
    storage *t = &w->storages[to->storage];
    const storage *f = &w->storages[from->storage];
    int there = storage_valid_at(t, q ? q->place : t->home), here = storage_valid_at(f, there);
    bool dense = array_contiguous(to) && array_contiguous(from);
    int about = there ? there : here;
    queue *runs = working(w, q && (q->place == there || q->place == here) ? q : NULL, about);
    if (any_recording(w) && (!dense || (q && q->place != about))) return;
    /* from one device to another: a copy that only some drivers can record */
    if (runs->recording && there && here && there != here) return;
    if (runs->recording && runs->rec.count == MOST_ACTIONS) return;
    cpl_status wanted = share_bytes(w, to, from)                                   ? CPL_EOVERLAP
                        : runs->recording && (e || (!there && here)) && to->length ? CPL_EARG
                                                                                   : CPL_OK;
    if (any_recording(w) && e && !to->length) return;
    say(w, "copy %lld elements of array in storage %d (%s) to storage %d (%s), queue %d",
        (long long)to->length, from->storage, place_name(here), to->storage, place_name(there),
        queue_number(w, q));
    expect(w, cpl_array_copy(to->a, from->a, handle_of(q), e ? &e->e : NULL), wanted,
           "cpl_array_copy");
    if (w->failed || wanted || to->length == 0) return;
    if (!dense) {
        copy_strided(w, to, from, there);
        return;
    }
    action copy = {.what = ACT_COPY,
                   .written = 1,
                   .size = elem_size(to->elem) * (size_t)to->length};
    copy.spots[0] = (spot){to->storage, there, to->offset};
    copy.spots[1] = (spot){from->storage, here, from->offset};
    copy.spots[2].storage = -1;
    action_do(w, runs, &copy, NULL);
}

static void copy(world *w)
{
    array *to = some_array(w), *from = some_array(w);
    if (!to || !from || to->dims != 1 || from->dims != 1 || to->elem != from->elem) return;
    int64_t most = to->length < from->length ? to->length : from->length;
    int64_t length = chance(w, 50) ? most : draw(w, (uint32_t)most + 1);
    int64_t first = draw(w, (uint32_t)(to->length - length) + 1),
            second = draw(w, (uint32_t)(from->length - length) + 1);
    if ((to->stride < 0 && length != to->length) || (from->stride < 0 && length != from->length))
        return;
    if (length == 0) first = second = 0;
    queue *q = draw_queue(w, (int)draw(w, (uint32_t)w->places));
    event *e = draw_event(w);
    array a = part_of(w, to, first, length), b = part_of(w, from, second, length);
    if (!w->failed) copy_parts(w, &a, &b, q, e);
    if (w->failed) return;
    drop_part(w, &a);
    drop_part(w, &b);
}

static void push(world *w)
{
    array *a = some_array(w);
    if (!a) return;
    storage *s = &w->storages[a->storage];
    queue *q = draw_queue(w, (int)draw(w, (uint32_t)w->places));
    int place = q ? q->place : s->home;
    if (any_recording(w)) return;
    event *e = draw_event(w);
    say(w, "push array %d to %s, queue %d", array_number(w, a), place_name(place),
        queue_number(w, q));
    expect(w, cpl_array_push(a->a, handle_of(q), e ? &e->e : NULL), CPL_OK, "cpl_array_push");
    if (!w->failed) storage_moved(s, place);
}

static void pull(world *w)
{
    array *a = some_array(w);
    queue *q = draw_queue(w, (int)draw(w, (uint32_t)w->places));
    if (!a || any_recording(w)) return;
    say(w, "pull array %d, queue %d", array_number(w, a), queue_number(w, q));
    expect(w, cpl_array_pull(a->a, handle_of(q)), CPL_OK, "cpl_array_pull");
    if (!w->failed) storage_moved(&w->storages[a->storage], 0);
}

/* The program's own code writes an array on the host. */
static void write_in_place(world *w)
{
    array *a = some_array(w);
    if (!a || any_recording(w) || !a->length) return;
    storage *s = &w->storages[a->storage];
    if (!(s->valid & 1)) return;
    for (int i = 0; i < QUEUES; i++)
        if (w->queues[i].q) expect(w, cpl_queue_finish(w->queues[i].q), CPL_OK, "finishing");
    unsigned char *at = cpl_array_address(a->a, NULL, NULL);
    int64_t k = draw(w, (uint32_t)a->length), value = draw(w, 5000);
    say(w, "element %lld of array %d on the host is %lld", (long long)k, array_number(w, a),
        (long long)value);
    if (!at) {
        fail(w, "array %d has no address on the host", array_number(w, a));
        return;
    }
    lane l = lane_of(w, a, 0);
    if (a->dims != 1) l.stride = (int64_t)elem_size(a->elem);
    elem_store(a->elem, at + k * l.stride, value);
    elem_store(a->elem, l.first + k * l.stride, value);
    expect(w, cpl_array_written(a->a, NULL, NULL), CPL_OK, "cpl_array_written");
    storage_marked(s, 0);
}

const step_fn array_steps[] = {create,  create, create, replace, wrap, view, view, view,
                               release, write,  read,   copy,    copy, push, pull, write_in_place};
const size_t array_step_count = COUNT_OF(array_steps);
