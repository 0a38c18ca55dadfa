/*
 * Work in streams and command queues. At once it runs as it is given; late it waits there, and runs
 * when somebody waits for it, or before, in an order that the streams and the events between them
 * allow and a seed chooses. CUDA's default streams are always done at once, which is as good.
 */
#include "driver.h"

#include <stdlib.h>
#include <string.h>

/* What a driver may do; the seed says which. */
enum {
    DICE, /* any of it, at any call */
    LAST, /* nothing runs before it is waited for */
    FIRST /* before what is waited for runs, all other streams have run as far as they can */
};

static object *busy; /* streams with work, through busy_next, dead ones included */
static uint64_t dice;

static int manner(void)
{
    return (int)(driver_config()->late % 3);
}

static bool throw_dice(unsigned sides)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice % sides == 0;
}

void streams_forget(void)
{
    for (; busy; busy = busy->busy_next) {
        works_free(busy->pending);
        busy->pending = NULL;
        busy->ran = busy->given;
    }
    dice = driver_config()->late * 0x9e3779b97f4a7c15u + 1;
}

bool streams_busy(void)
{
    return busy != NULL;
}

/* --- running --- */

/* The stream in which the recording of an event still waits, or NULL; *place counts what stands
 * before it. */
static object *recorder(const object *event, uint64_t serial, uint64_t *place)
{
    for (object *s = busy; s; s = s->busy_next) {
        *place = s->ran;
        for (const work *w = s->pending; w; w = w->next, ++*place)
            if (w->what == WORK_RECORD && w->event == event && w->serial == serial) return s;
    }
    return NULL;
}

static bool blocked(const work *w)
{
    uint64_t place;
    return w->what == WORK_WAIT && recorder(w->event, w->serial, &place);
}

static void run(object *stream, const work *w)
{
    uint64_t before = clock_now();
    uint64_t *now = stream ? &stream->clock : &before;
    if (w->what == WORK_BEGIN) w->event->begin = *now;
    else if (w->what == WORK_RECORD) w->event->end = *now;
    else if (w->what == WORK_WAIT) {
        if (stream && stream->clock < w->event->end) stream->clock = w->event->end;
    } else {
        work_run(w);
        if (stream) stream->clock += clock_now() - before;
    }
}

static void run_next(object *s)
{
    work *w = s->pending;
    s->pending = w->next;
    s->ran++;
    w->next = NULL;
    run(s, w);
    works_free(w);
    object **at = &busy;
    if (s->pending) return;
    while (*at != s) at = &(*at)->busy_next;
    *at = s->busy_next;
}

/* A stream but this one whose next work can run now, or NULL. */
static object *able(const object *but)
{
    object *chosen = NULL;
    unsigned count = 0;
    for (object *s = busy; s; s = s->busy_next)
        if (s != but && s->ran < s->flushed && !blocked(s->pending) && throw_dice(++count))
            chosen = s;
    return chosen;
}

/* Runs one piece of work that a stream's next one stands behind, or that one. */
static void advance(object *s)
{
    bool others = manner() == FIRST || (manner() == DICE && throw_dice(2));
    object *other = others ? able(s) : NULL;
    while (!other) {
        uint64_t place;
        object *before = s->pending->what == WORK_WAIT
                             ? recorder(s->pending->event, s->pending->serial, &place)
                             : NULL;
        if (!before) {
            other = s;
        } else if (place >= before->flushed) {
            driver_misuse(0, "a queue waits for a command of one that was never flushed");
            before->flushed = before->given;
        } else {
            s = before;
        }
    }
    run_next(other);
}

/* --- what the entry points use --- */

void stream_give(object *stream, const work *w)
{
    if (!stream || (!driver_config()->late && !stream->pending)) {
        if (w->what == WORK_WAIT) event_drain(w->event, w->serial);
        run(stream, w);
        return;
    }
    work **end = &stream->pending;
    if (!*end) {
        stream->busy_next = busy;
        busy = stream;
    }
    while (*end) end = &(*end)->next;
    *end = work_copy(w);
    stream->given++;
    if (stream->cuda) stream->flushed = stream->given;
}

void stream_flush(object *stream)
{
    stream->flushed = stream->given;
}

void stream_drain(object *stream)
{
    stream_flush(stream);
    while (stream->pending) advance(stream);
}

bool event_waits(const object *event, uint64_t serial)
{
    uint64_t place;
    return recorder(event, serial, &place) != NULL;
}

void event_drain(const object *event, uint64_t serial)
{
    uint64_t place;
    for (object *s; (s = recorder(event, serial, &place));) {
        stream_flush(s);
        advance(s);
    }
}

bool event_poll(const object *event)
{
    uint64_t place;
    object *s = recorder(event, event->serial, &place);
    if (!s) return true;
    if (place >= s->flushed) {
        driver_misuse(0, "asks for a command that was never flushed");
        stream_flush(s);
    }
    advance(s);
    return false;
}

bool stream_poll(object *stream)
{
    if (!stream->pending) return true;
    advance(stream);
    return false;
}

void streams_drain(bool cuda, int device)
{
    for (object *s = busy; s;) {
        if (s->cuda != cuda || (device >= 0 && s->device != device)) {
            s = s->busy_next;
            continue;
        }
        stream_drain(s);
        s = busy; /* others ran, too */
    }
}

void streams_idle(void)
{
    if (!busy || manner() != DICE || !throw_dice(4)) return;
    object *s = able(NULL);
    if (s) run_next(s);
}

static bool within(const void *at, const object *memory)
{
    const unsigned char *p = at;
    return p >= memory->data && p < memory->data + memory->size;
}

static bool reaches(const unsigned char *at, size_t size, const object *memory)
{
    return at < memory->data + memory->size && memory->data < at + size;
}

static bool uses(const work *w, const object *o)
{
    if (o->kind == STANDIN_MODULE)
        return w->what == WORK_LAUNCH && w->kernel->cuda && w->kernel->parent == o;
    if (w->what == WORK_COPY && reaches(w->from, w->size, o)) return true;
    if (w->what == WORK_COPY || w->what == WORK_FILL) return reaches(w->to, w->size, o);
    for (size_t i = 0; w->what == WORK_LAUNCH && i < w->args->count; i++) {
        void *at;
        memcpy(&at, w->args->value[i], sizeof at);
        if (w->args->size[i] == sizeof at && !w->args->is_local[i] && within(at, o)) return true;
    }
    return false;
}

const char *streams_use(const object *o)
{
    for (const object *s = busy; s; s = s->busy_next)
        for (const work *w = s->pending; w; w = w->next)
            if (uses(w, o))
                return w->what == WORK_LAUNCH ? w->kernel->name
                       : w->what == WORK_COPY ? "a copy"
                                              : "a fill";
    return NULL;
}
