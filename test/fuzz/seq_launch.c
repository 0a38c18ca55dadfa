/* Steps of sequences: launches. */
#include "seq.h"
#include "../unit/launches.h"

#include <stdlib.h>

enum { MOST_ARGS = 8 };

typedef struct plan { /* a launch, drawn */
    kind kind;
    elem elem;
    const array *arrays[MOST_LANES];
    array plain[MOST_LANES]; /* in place of an array: memory of the program's */
    unsigned char *memory[MOST_LANES];
    int64_t n, count, value, group;
    bool whole; /* n is the first array's length, by CPL_AUTO */
    queue *q, *runs;
    int place;
    event *event;
    unsigned strided;
} plan;

static const array *with_elem(world *w, elem e, const array *other)
{
    if (other && other->elem == e && chance(w, 15)) return other;
    uint32_t from = draw(w, ARRAYS);
    for (uint32_t i = 0; i < ARRAYS; i++) {
        const array *a = &w->arrays[(from + i) % ARRAYS];
        if (a->a && a->elem == e) return a;
    }
    return NULL;
}

static bool draw_arrays(world *w, plan *p)
{
    const kernel_row *row = &kernel_rows[p->kind];
    const array *first = some_array(w);
    if (first && !(row->elems >> first->elem & 1)) first = some_array(w);
    if (!first) return false;
    p->elem = first->elem;
    if (p->kind == K_PAIRS) p->elem = F64;
    if (!(row->elems >> p->elem & 1)) return false;
    for (int i = 0; i < row->arrays; i++) {
        elem e = row->fixed[i] == ELEMS ? p->elem : row->fixed[i];
        p->arrays[i] =
            i == 0 && first->elem == e ? first : with_elem(w, e, i ? p->arrays[i - 1] : NULL);
        if (!p->arrays[i]) return false;
    }
    return true;
}

static void draw_numbers(world *w, plan *p)
{
    const kernel_row *row = &kernel_rows[p->kind];
    int64_t least = INT64_MAX;
    for (int i = 0; i < row->arrays; i++)
        if (p->arrays[i]->length < least) least = p->arrays[i]->length;
    p->whole = p->arrays[0]->length == least && chance(w, 70);
    p->n = p->whole || chance(w, 60) ? least : draw(w, (uint32_t)least + 1);
    p->count = p->n;
    if (row->crosses && p->arrays[0]->length > p->n && chance(w, 30))
        p->count += draw(w, (uint32_t)(p->arrays[0]->length - p->n) + 1);
    p->value = (int64_t)draw(w, 100) - (p->elem == U16 ? 0 : 50);
}

/* Some arguments are pointers: copies of what the arrays have, beside each other in one piece of
 * memory, or overlapping there. */
static void draw_pointers(world *w, plan *p)
{
    const kernel_row *row = &kernel_rows[p->kind];
    if (row->form != CPL_FORM_ELEMENTWISE || !chance(w, 12)) return;
    for (int i = 0; i < row->arrays; i++) {
        if (!chance(w, 60)) continue;
        const array *a = p->arrays[i];
        array *b = &p->plain[i];
        size_t size = elem_size(a->elem), room = size * (size_t)(a->length * 3 + 4);
        int64_t step = (int64_t)size * (chance(w, 60) ? 1 : chance(w, 50) ? 2 : -1);
        *b = (array){NULL, -1, a->elem, 0, a->length, step, 1};
        b->offset = step < 0 && a->length ? size * (size_t)(a->length - 1) : 0;
        bool shares = i && p->memory[i - 1] && p->plain[i - 1].elem == a->elem &&
                      p->plain[i - 1].length >= a->length && chance(w, 40);
        if (shares) {
            p->memory[i] = p->memory[i - 1];
            b->offset += size * draw(w, 3);
            if (chance(w, 30)) *b = p->plain[i - 1], b->length = a->length;
        } else {
            p->memory[i] = calloc(1, room);
            if (!p->memory[i]) abort();
            for (size_t k = 0; k < room / size; k++)
                elem_store(a->elem, p->memory[i] + k * size, (int64_t)(k % 89));
        }
        p->arrays[i] = b;
    }
}

static int home_of(const world *w, const plan *p)
{
    for (int i = 0; i < kernel_rows[p->kind].arrays; i++)
        if (!p->memory[i]) return w->storages[p->arrays[i]->storage].home;
    return 0;
}

static void draw_where(world *w, plan *p)
{
    int home = home_of(w, p);
    p->q = draw_queue(w, chance(w, 75) ? home : (int)draw(w, (uint32_t)w->places));
    p->place = p->q ? p->q->place : home;
    p->runs = working(w, p->q, p->place);
    p->event = draw_event(w);
    for (int i = 0; i < kernel_rows[p->kind].arrays; i++)
        p->strided |= (unsigned)array_strided(p->arrays[i]) << i;
}

/* What the documents leave open is left out. */
static bool is_open(const world *w, const plan *p)
{
    bool records = p->runs->recording;
    for (int i = 0; i < kernel_rows[p->kind].arrays; i++) {
        const array *a = p->arrays[i];
        if (p->memory[i]) {
            if (records || (!w->svm[p->place] && p->place && a->stride < 0)) return true;
            continue;
        }
        const storage *s = &w->storages[a->storage];
        if (any_recording(w) && !(s->valid >> p->place & 1) && w->automatic) return true;
        /* a buffer of OpenCL begins where its driver likes, and its elements lie upwards */
        if (!w->svm[p->place] && p->place && (a->offset || (p->strided >> i & 1))) return true;
    }
    return records && p->runs->rec.count == MOST_ACTIONS;
}

/* --- what it comes to --- */

static cpl_status place_arguments(world *w, const plan *p)
{
    for (int i = 0; i < kernel_rows[p->kind].arrays; i++) {
        if (p->memory[i]) {
            if (p->place && !w->automatic) return CPL_EARG;
            continue;
        }
        storage *s = &w->storages[p->arrays[i]->storage];
        bool there = s->valid >> p->place & 1;
        if (!there && p->runs->recording && (s->have >> p->place & 1))
            there = recorded_written(&p->runs->rec, p->arrays[i]->storage, p->place);
        if (there) continue;
        if (!w->automatic) return CPL_EARG;
        storage_moved(s, p->place);
    }
    return CPL_OK;
}

static lane lane_in(const world *w, const plan *p, int i)
{
    const array *a = p->arrays[i];
    if (!p->memory[i]) return lane_of(w, a, p->place);
    return (lane){p->memory[i] + a->offset, a->stride, a->length};
}

/* Whether an element of one has bytes of an element of the other. */
bool lanes_meet(const lane *a, int64_t a_size, const lane *b, int64_t b_size)
{
    int64_t step = llabs(b->stride) ? llabs(b->stride) : 1, near = 16 / step + 2;
    for (int64_t i = 0; i < a->length; i++) {
        int64_t apart = b->first - (a->first + i * a->stride);
        int64_t at = b->stride ? -apart / b->stride : 0;
        for (int64_t k = at - near; k <= at + near; k++) {
            int64_t between = apart + k * b->stride;
            if (k >= 0 && k < b->length && between < a_size && -between < b_size) return true;
        }
    }
    return false;
}

typedef enum sharing { APART, SAME, CROSS } sharing;

static sharing how_shared(const world *w, const plan *p)
{
    const kernel_row *row = &kernel_rows[p->kind];
    sharing found = APART;
    for (int i = 0; i < row->arrays; i++)
        for (int k = 0; k < i; k++) {
            if (!((row->written >> i | row->written >> k) & 1)) continue;
            lane a = lane_in(w, p, i), b = lane_in(w, p, k);
            extent x = lane_extent(&a, elem_size(p->arrays[i]->elem)),
                   y = lane_extent(&b, elem_size(p->arrays[k]->elem));
            if (x.begin >= y.end || y.begin >= x.end) continue;
            if (!lanes_meet(&a, (int64_t)elem_size(p->arrays[i]->elem), &b,
                            (int64_t)elem_size(p->arrays[k]->elem)))
                continue;
            if (a.first != b.first || a.length != b.length ||
                (a.length > 1 && a.stride != b.stride) || p->arrays[i]->elem != p->arrays[k]->elem)
                return CROSS;
            found = SAME;
        }
    return found;
}

/* Same arrays whose rounds read what others write: nobody says what comes of it. Before anything is
 * placed, where a place has no memory yet, addresses in another place do. */
static bool is_race(const world *w, const plan *p)
{
    if (!kernel_rows[p->kind].crosses) return false;
    plan there = *p;
    for (int i = 0; i < kernel_rows[p->kind].arrays; i++)
        if (!p->memory[i]) {
            const storage *s = &w->storages[p->arrays[i]->storage];
            if (!(s->have >> p->place & 1)) there.place = s->home;
        }
    for (int i = 0; i < kernel_rows[p->kind].arrays; i++)
        if (!p->memory[i] && !w->storages[p->arrays[i]->storage].bytes[there.place]) return true;
    return how_shared(w, &there) == SAME;
}

static cpl_status outcome(world *w, const plan *p)
{
    cpl_status status = place_arguments(w, p);
    if (status) return status;
    bool empty = p->n == 0;
    if (p->runs->recording && p->event) return CPL_EARG;
    bool ordered = !p->place && !p->runs->recording && p->kind != K_SWAP;
    if (how_shared(w, p) == CROSS && !empty && !ordered) return CPL_EOVERLAP;
    return CPL_OK;
}

static action action_of(const plan *p)
{
    const kernel_row *row = &kernel_rows[p->kind];
    action a = {.what = ACT_LAUNCH, .written = row->written};
    a.launch = (launch){.kind = p->kind,
                        .elem = p->elem,
                        .n = p->n,
                        .count = p->count,
                        .value = p->value,
                        .group = p->group};
    for (int i = 0; i < MOST_LANES; i++) {
        a.spots[i].storage = -1;
        if (i >= row->arrays) continue;
        const array *of = p->arrays[i];
        a.launch.lane[i] = (lane){NULL, of->stride, of->length};
        if (!p->memory[i]) a.spots[i] = (spot){of->storage, p->place, of->offset};
    }
    return a;
}

/* The model runs on copies of the program's memory, and then they are compared. */
typedef struct twin {
    unsigned char *memory, *copy;
    size_t size;
} twin;

static void run_model(world *w, const plan *p, const twin *twins, void *result)
{
    action a = action_of(p);
    for (int i = 0; i < kernel_rows[p->kind].arrays; i++)
        for (int k = 0; p->memory[i] && k < MOST_LANES; k++)
            if (twins[k].memory == p->memory[i])
                a.launch.lane[i].first = twins[k].copy + p->arrays[i]->offset;
    action_do(w, p->runs, &a, result);
}

/* --- running --- */

static size_t fill_args(const world *w, const plan *p, cpl_arg *args, unsigned strided,
                        bool checked)
{
    const kernel_row *row = &kernel_rows[p->kind];
    size_t n = 0;
    args[n] = cpl_arg_int(launch_tag(p->elem, strided, checked));
    n++;
    for (int i = 0; i < row->arrays; i++, n++) {
        const array *a = p->arrays[i];
        if (!p->memory[i]) {
            args[n] = cpl_arg_of_array(a->a);
            continue;
        }
        args[n] = cpl_arg_array(elem_dtype(a->elem), p->memory[i] + a->offset, a->length);
        args[n].stride = a->stride;
        if (a->elem == PAIR) args[n].record = w->pair;
    }
    if (p->kind == K_SWAP) args[n++] = cpl_arg_local(elem_dtype(p->elem), p->group);
    if (row->value) args[n++] = elem_arg(p->elem, p->value);
    if (row->count) args[n++] = cpl_arg_int(p->count);
    return n;
}

static void describe(world *w, const plan *p, const char *by)
{
    const kernel_row *row = &kernel_rows[p->kind];
    char text[300];
    int n = 0;
    if (!w->verbose) return;
    for (int i = 0; i < row->arrays; i++) {
        const array *a = p->arrays[i];
        if (p->memory[i])
            n += snprintf(text + n, sizeof text - (size_t)n, " pointer %d+%zu[%lld, %lld apart]", i,
                          a->offset, (long long)a->length, (long long)a->stride);
        else n += snprintf(text + n, sizeof text - (size_t)n, " array %d", array_number(w, a));
    }
    say(w, "%s %s<%s>%s, n %lld%s, count %lld, value %lld on %s, queue %d%s%s", by, row->name,
        elem_name(p->elem), text, (long long)p->n, p->whole ? " (CPL_AUTO)" : "",
        (long long)p->count, (long long)p->value, place_name(p->place), queue_number(w, p->q),
        p->event ? ", event" : "", p->runs->recording ? ", recorded" : "");
}

static void copy_memory(const plan *p, twin *twins)
{
    for (int i = 0; i < MOST_LANES; i++) {
        twins[i] = (twin){0};
        if (!p->memory[i] || (i && p->memory[i] == p->memory[i - 1])) continue;
        twin *t = &twins[i];
        t->memory = p->memory[i];
        t->size = elem_size(p->plain[i].elem) * (size_t)(p->plain[i].length * 3 + 4);
        t->copy = malloc(t->size);
        if (!t->copy) abort();
        memcpy(t->copy, t->memory, t->size);
    }
}

static void compare_memory(world *w, const plan *p, twin *twins)
{
    for (int i = 0; i < MOST_LANES; i++) {
        const twin *t = &twins[i];
        if (!t->memory) continue;
        size_t size = elem_size(p->plain[i].elem);
        for (size_t k = 0; k < t->size / size && !w->failed; k++)
            if (!elem_same(p->plain[i].elem, t->memory + k * size, t->copy + k * size))
                fail(w, "element %zu of the program's memory %d differs", k, i);
        free(t->copy);
        free(t->memory);
    }
}

/* A kept kernel that does for these arguments, or NULL. */
static handle *handle_for(world *w, const plan *p)
{
    for (int i = 0; i < HANDLES; i++) {
        handle *h = &w->handles[i];
        if (h->k && h->kind == p->kind && h->elem == p->elem && h->place == p->place &&
            (h->strided & p->strided) == p->strided &&
            strcmp(h->target, cpl_queue_target(p->runs->q)) == 0)
            return h;
    }
    return NULL;
}

static void keep_handle(world *w, const plan *p, cpl_module *m, const cpl_arg *args, size_t count)
{
    handle *h = &w->handles[draw(w, HANDLES)];
    if (h->k) return;
    expect(w, rounds_kernel_for(m, kernel_rows[p->kind].name, p->runs->q, args, count, &h->k),
           CPL_OK, "rounds_kernel_for");
    h->kind = p->kind;
    h->elem = p->elem;
    h->strided = p->strided;
    h->checked = w->checked;
    h->place = p->place;
    snprintf(h->target, sizeof h->target, "%s", cpl_queue_target(p->runs->q));
}

static cpl_module *some_module(world *w)
{
    int i = (int)draw(w, MODULES);
    return w->modules[i] ? w->modules[i] : w->modules[0];
}

static void launch_elementwise(world *w, plan *p, const handle *h)
{
    cpl_arg args[MOST_ARGS];
    twin twins[MOST_LANES];
    bool checked = h ? h->checked : w->checked;
    size_t count = fill_args(w, p, args, h ? h->strided : p->strided, checked);
    cpl_module *m = some_module(w);
    cpl_event **told = p->event ? &p->event->e : NULL;
    int64_t n = p->whole ? CPL_AUTO : p->n;
    copy_memory(p, twins);
    describe(w, p, h ? "run" : "launch");
    cpl_status wanted = outcome(w, p);
    cpl_status got =
        h ? run_rounds(h->k, handle_of(p->q), args, count, n, told)
          : launch_rounds(m, kernel_rows[p->kind].name, handle_of(p->q), args, count, n, told);
    expect(w, got, wanted, kernel_rows[p->kind].name);
    w->launches++;
    if (!w->failed && !wanted && p->n) {
        run_model(w, p, twins, NULL);
        p->runs->rec.checked |= p->runs->recording && checked;
    }
    if (!w->failed && !wanted && !h && !p->runs->recording && chance(w, 10))
        keep_handle(w, p, m, args, count);
    compare_memory(w, p, twins);
}

static void drop_memory(plan *p)
{
    for (int i = 0; i < MOST_LANES; i++)
        if (p->memory[i] && !(i && p->memory[i] == p->memory[i - 1])) free(p->memory[i]);
}

static void elementwise(world *w)
{
    plan p = {.kind = (kind)draw(w, K_SWAP)};
    if (!draw_arrays(w, &p)) return;
    draw_numbers(w, &p);
    draw_pointers(w, &p);
    draw_where(w, &p);
    bool by_handle = chance(w, 40);
    if (is_open(w, &p) || is_race(w, &p)) drop_memory(&p);
    else launch_elementwise(w, &p, by_handle ? handle_for(w, &p) : NULL);
}

/* --- low-level kernels --- */

static void launch_swap(world *w, plan *p)
{
    cpl_arg args[MOST_ARGS];
    size_t count = fill_args(w, p, args, p->strided, w->checked);
    cpl_kernel *k = NULL;
    describe(w, p, "grid");
    cpl_status wanted = outcome(w, p);
    cpl_status got = grid_kernel(some_module(w), "swap", p->runs->q, args, count, &k);
    const int64_t global[] = {p->count, 1, 1}, local[] = {p->group, 1, 1};
    if (!got)
        got = run_grid(k, handle_of(p->q), global, local, args, count,
                       p->event ? &p->event->e : NULL);
    cpl_kernel_release(k);
    expect(w, got, wanted, "swap");
    w->launches++;
    if (w->failed || wanted || !p->count) return;
    twin none[MOST_LANES] = {{0}};
    run_model(w, p, none, NULL);
    p->runs->rec.checked |= p->runs->recording && w->checked;
}

static void grid(world *w)
{
    static const int64_t groups[] = {1, 7, 32, 64};
    plan p = {.kind = K_SWAP};
    if (!draw_arrays(w, &p)) return;
    draw_numbers(w, &p);
    p.whole = false;
    p.count = p.n;
    p.group = groups[draw(w, COUNT_OF(groups))];
    draw_where(w, &p);
    if (is_open(w, &p)) return;
    launch_swap(w, &p);
}

/* --- plain functions --- */

static void call_function(world *w, plan *p)
{
    cpl_arg args[MOST_ARGS];
    twin none[MOST_LANES] = {{0}};
    size_t count = fill_args(w, p, args, p->strided, w->checked);
    uint64_t got = 0, wanted = 0;
    const cpl_type *type;
    describe(w, p, "call");
    cpl_status status = outcome(w, p);
    if (!status && p->runs->recording) status = CPL_EARG;
    expect(w,
           call_once_on(some_module(w), kernel_rows[p->kind].name, handle_of(p->q), args, count,
                        &got, &type),
           status, kernel_rows[p->kind].name);
    w->launches++;
    if (w->failed || status) return;
    run_model(w, p, none, &wanted);
    if (!elem_same(p->elem, &got, &wanted))
        fail(w, "%s returns %llx, not %llx", kernel_rows[p->kind].name, (unsigned long long)got,
             (unsigned long long)wanted);
}

static void function(world *w)
{
    plan p = {.kind = chance(w, 50) ? K_ONCE : K_TOTAL};
    if (!draw_arrays(w, &p)) return;
    draw_numbers(w, &p);
    if (p.kind == K_ONCE && !p.arrays[0]->length) return;
    draw_where(w, &p);
    p.event = NULL;
    p.n = 1;
    if (!is_open(w, &p)) call_function(w, &p);
}

const step_fn launch_steps[] = {elementwise, elementwise, elementwise, elementwise,
                                elementwise, elementwise, grid,        function};
const size_t launch_step_count = COUNT_OF(launch_steps);
