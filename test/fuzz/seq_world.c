/* What a sequence works with: contexts and devices, which many sequences share, and what each
 * makes. */
#include "seq.h"

#include <stdarg.h>
#include <stdlib.h>

uint32_t draw(world *w, uint32_t n)
{
    return rng_below(&w->r, n);
}

bool chance(world *w, uint32_t percent)
{
    return rng_chance(&w->r, percent);
}

void say(world *w, const char *format, ...)
{
    if (!w->verbose) return;
    va_list args;
    va_start(args, format);
    printf("  %3d  ", w->step);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    fflush(stdout);
}

void fail(world *w, const char *format, ...)
{
    if (w->failed) return;
    va_list args;
    va_start(args, format);
    int n = snprintf(w->why, sizeof w->why, "step %d: ", w->step);
    vsnprintf(w->why + n, sizeof w->why - (size_t)n, format, args);
    va_end(args);
    w->failed = true;
    if (w->verbose) printf("       %s\n", w->why);
}

void expect(world *w, cpl_status got, cpl_status wanted, const char *what)
{
    if (got == wanted) return;
    char wish[100];
    snprintf(wish, sizeof wish, "%s", cpl_status_message(wanted));
    fail(w, "%s: %s, not %s (%s)", what, cpl_status_message(got), wish, w->said);
}

const char *place_name(int place)
{
    static const char *const names[] = {"host", "device", "device 2"};
    return names[place];
}

int array_number(const world *w, const array *a)
{
    return a >= w->arrays && a < w->arrays + ARRAYS ? (int)(a - w->arrays) : -1;
}

int queue_number(const world *w, const queue *q)
{
    return q ? (int)(q - w->queues) : -1;
}

cpl_queue *handle_of(queue *q)
{
    return q ? q->q : NULL;
}

array *some_array(world *w)
{
    uint32_t from = draw(w, ARRAYS);
    for (uint32_t i = 0; i < ARRAYS; i++)
        if (w->arrays[(from + i) % ARRAYS].a) return &w->arrays[(from + i) % ARRAYS];
    return NULL;
}

array *free_array(world *w)
{
    uint32_t from = draw(w, ARRAYS);
    for (uint32_t i = 0; i < ARRAYS; i++)
        if (!w->arrays[(from + i) % ARRAYS].a) return &w->arrays[(from + i) % ARRAYS];
    return NULL;
}

queue *some_queue(world *w)
{
    uint32_t from = draw(w, QUEUES);
    for (uint32_t i = 0; i < QUEUES; i++)
        if (w->queues[(from + i) % QUEUES].q) return &w->queues[(from + i) % QUEUES];
    return NULL;
}

queue *draw_queue(world *w, int place)
{
    if (chance(w, 30)) return NULL;
    bool record = chance(w, 60);
    for (int i = 0; i < QUEUES && record; i++)
        if (w->queues[i].recording && w->queues[i].place == place) return &w->queues[i];
    uint32_t from = draw(w, QUEUES);
    for (uint32_t i = 0; i < QUEUES; i++) {
        queue *q = &w->queues[(from + i) % QUEUES];
        if (q->q && q->place == place) return q;
    }
    return NULL;
}

queue *working(world *w, queue *q, int place)
{
    return q ? q : &w->queues[place];
}

bool any_recording(const world *w)
{
    for (int i = 0; i < QUEUES; i++)
        if (w->queues[i].recording) return true;
    return false;
}

event *draw_event(world *w)
{
    event *e = &w->events[draw(w, EVENTS)];
    return chance(w, 25) && !e->e ? e : NULL;
}

/* --- contexts --- */

static void hear(void *user, const cpl_diag *d)
{
    world *w = user;
    snprintf(w->said, sizeof w->said, "%s", d->message);
}

static bool declare_pair(cpl_context *cx, const cpl_type **type)
{
    const cpl_type *i32, *f64;
    if (cpl_type_parse(cx, "int32", &i32) || cpl_type_parse(cx, "float64", &f64)) return false;
    cpl_field fields[] = {{"first", i32, 0}, {"second", f64, 0}};
    return cpl_type_struct(cx, "Pair", fields, 2, type) == CPL_OK;
}

static bool open_place(world *w, const char *name)
{
    cpl_device *d;
    cpl_device_info info = {.size = sizeof info};
    if (w->places == MAX_PLACES || cpl_device_find(w->cx, name, &d)) return false;
    cpl_device_info_get(d, &info);
    w->svm[w->places] = info.pointers || info.kind == CPL_DEVICE_CUDA;
    w->device[w->places++] = d;
    return true;
}

/* Most contexts compile as fast as they can, the others as they do anyway. */
static void set_options(world *w, uint64_t number)
{
    cpl_context_set_option(w->cx, "precise", 1);
    if (number % 4) {
        cpl_context_set_option(w->cx, "opt_level", 0);
        cpl_context_set_option(w->cx, "tiers", 0);
    }
    if (number % 8 == 4) cpl_context_set_option(w->cx, "simd", 2);
    if (number % 8 == 5) cpl_context_set_option(w->cx, "facts", 0);
}

/* devices: "host", "cuda:0", "cuda:0,cuda:1": the host is always among them. */
bool world_open(world *w, const char *devices, uint64_t number)
{
    bool verbose = w->verbose, standin = w->standin;
    *w = (world){.verbose = verbose, .standin = standin};
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = hear;
    options.sink_user = w;
    if (cpl_context_create(&options, &w->cx) || cpl_context_create(NULL, &w->other)) return false;
    if (cpl_module_from_source(w->cx, "seq.py", kernel_source, strlen(kernel_source),
                               &w->modules[0]) ||
        !declare_pair(w->cx, &w->pair) || !declare_pair(w->other, &w->other_pair) ||
        cpl_array_create(w->other, NULL, CPL_INT32, 5, &w->other_array))
        return false;
    set_options(w, number);
    char list[200], *at = list, *name;
    snprintf(list, sizeof list, "host,%s", strcmp(devices, "host") == 0 ? "" : devices);
    while ((name = strsep(&at, ",")))
        if (name[0] && !open_place(w, name)) return false;
    for (int p = 0; p < w->places; p++) {
        w->queues[p] = (queue){.q = cpl_device_queue(w->device[p]), .place = p};
        if (!w->queues[p].q) return false;
    }
    return true;
}

void world_close(world *w)
{
    cpl_array_release(w->other_array);
    cpl_module_release(w->modules[0]);
    cpl_context_release(w->cx);
    cpl_context_release(w->other);
}

/* --- comparing --- */

static void check_validity(world *w)
{
    for (int i = 0; i < ARRAYS && !w->failed; i++) {
        const array *a = &w->arrays[i];
        for (int p = 0; a->a && p < w->places; p++) {
            bool wanted = w->storages[a->storage].valid >> p & 1;
            if (cpl_array_valid(a->a, w->device[p]) != wanted)
                fail(w, "array %d is %s on %s", i, wanted ? "not valid" : "valid", place_name(p));
        }
    }
}

static void check_elements(world *w, int number, const array *a, const unsigned char *got,
                           int place)
{
    lane l = lane_of(w, a, place);
    size_t size = elem_size(a->elem);
    for (int64_t i = 0; i < a->length && !w->failed; i++) {
        const unsigned char *wanted = l.first + i * l.stride, *have = got + (size_t)i * size;
        if (elem_same(a->elem, have, wanted)) continue;
        fail(w,
             "array %d (%s): element %lld of %lld differs: %02x%02x%02x%02x, not %02x%02x%02x%02x",
             number, elem_name(a->elem), (long long)i, (long long)a->length, have[0], have[1],
             have[size > 2 ? 2 : 0], have[size > 2 ? 3 : 1], wanted[0], wanted[1],
             wanted[size > 2 ? 2 : 0], wanted[size > 2 ? 3 : 1]);
    }
}

static void check_array(world *w, int number)
{
    array *a = &w->arrays[number];
    storage *s = &w->storages[a->storage];
    int place = storage_valid_at(s, s->home);
    size_t size = elem_size(a->elem) * (size_t)a->length;
    unsigned char *got = malloc(size ? size : 1);
    if (!got) abort();
    if (place < 0) fail(w, "array %d is valid nowhere", number);
    else expect(w, cpl_array_read(a->a, NULL, got, NULL), CPL_OK, "reading at the end");
    if (!w->failed && !array_contiguous(a)) storage_moved(s, 0);
    if (!w->failed) check_elements(w, number, a, got, place);
    free(got);
}

void world_check(world *w)
{
    for (int i = 0; i < ARRAYS && !w->failed; i++)
        if (w->arrays[i].a) check_array(w, i);
}

/* --- sequences --- */

static void end_recordings(world *w)
{
    for (int i = 0; i < QUEUES; i++) {
        queue *q = &w->queues[i];
        cpl_graph *g;
        if (!q->recording) continue;
        expect(w, cpl_graph_end(q->q, &g), CPL_OK, "cpl_graph_end");
        cpl_graph_release(g);
        recorded_free(w, &q->rec);
        q->recording = false;
    }
}

static void release_made(world *w)
{
    for (int i = 0; i < EVENTS; i++) cpl_event_release(w->events[i].e);
    for (int i = 0; i < HANDLES; i++) cpl_kernel_release(w->handles[i].k);
    for (int i = 1; i < MODULES; i++) cpl_module_release(w->modules[i]);
    for (int i = 0; i < ARRAYS; i++) {
        if (!w->arrays[i].a) continue;
        cpl_array_release(w->arrays[i].a);
        storage_drop(w, w->arrays[i].storage);
    }
    for (int i = 0; i < GRAPHS; i++) {
        cpl_graph_release(w->graphs[i].g);
        recorded_free(w, &w->graphs[i].rec);
    }
    for (int i = w->places; i < QUEUES; i++) cpl_queue_release(w->queues[i].q);
    for (int i = 0; i < w->text_count; i++) free(w->texts[i]);
}

void world_begin(world *w, uint64_t seed)
{
    rng r = rng_seeded(~seed);
    for (size_t i = 0; i < COUNT_OF(w->favour); i++) w->favour[i] = (elem)rng_below(&r, ELEMS);
}

/* What a failed sequence left is not tidied up: the process ends. */
void world_clear(world *w)
{
    if (w->failed) return;
    w->step = -1;
    end_recordings(w);
    world_check(w);
    for (int i = 0; i < QUEUES && !w->failed; i++)
        if (w->queues[i].q) expect(w, cpl_queue_finish(w->queues[i].q), CPL_OK, "cpl_queue_finish");
    if (w->failed) return;
    release_made(w);
    for (int i = 0; i < STORAGES; i++)
        if (w->storages[i].references) fail(w, "the model kept a storage");
    memset(w->arrays, 0, sizeof w->arrays);
    memset(w->events, 0, sizeof w->events);
    memset(w->graphs, 0, sizeof w->graphs);
    memset(w->handles, 0, sizeof w->handles);
    memset(&w->modules[1], 0, (MODULES - 1) * sizeof *w->modules);
    memset(&w->queues[w->places], 0, (size_t)(QUEUES - w->places) * sizeof *w->queues);
    w->text_count = 0;
    static const char *const plain[] = {"automatic", "bounds_check"};
    for (size_t i = 0; i < COUNT_OF(plain); i++) cpl_context_set_option(w->cx, plain[i], 0);
    cpl_profile_enable(w->cx, false);
    cpl_profile_clear(w->cx);
    w->automatic = w->checked = false;
}

static void pick(world *w, const step_fn *steps, size_t count)
{
    steps[draw(w, (uint32_t)count)](w);
}

void world_step(world *w, uint64_t seed)
{
    w->r = rng_seeded(seed);
    w->said[0] = 0;
    uint32_t turn = draw(w, 100), arrays = 0;
    for (int i = 0; i < ARRAYS; i++) arrays += w->arrays[i].a != NULL;
    if (arrays < 4 && chance(w, 70)) array_steps[0](w); /* creates one */
    else if (turn < 32) pick(w, array_steps, array_step_count);
    else if (turn < 72) pick(w, launch_steps, launch_step_count);
    else if (turn < 93) pick(w, queue_steps, queue_step_count);
    else pick(w, wrong_steps, wrong_step_count);
    if (!w->failed) check_validity(w);
}
