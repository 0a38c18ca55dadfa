/* Steps of sequences: queues, events, graphs, options, and what is released while it is in use. */
#include "seq.h"

static void create_queue(world *w)
{
    int place = (int)draw(w, (uint32_t)w->places);
    for (int i = w->places; i < QUEUES; i++) {
        queue *q = &w->queues[i];
        if (q->q) continue;
        cpl_queue_options o;
        cpl_queue_options_init(&o);
        bool as_text = strncmp(cpl_queue_target(w->queues[place].q), "opencl", 6) == 0;
        if (as_text && chance(w, 30)) o.target = "opencl:c1.2";
        say(w, "queue %d on %s%s", i, place_name(place), o.target ? ", OpenCL C" : "");
        expect(w, cpl_queue_create(w->device[place], &o, &q->q), CPL_OK, "cpl_queue_create");
        q->place = place;
        return;
    }
}

static void release_queue(world *w)
{
    queue *q = some_queue(w);
    if (queue_number(w, q) < w->places || q->recording) return;
    say(w, "release queue %d", queue_number(w, q));
    cpl_queue_release(q->q);
    for (int i = 0; i < GRAPHS; i++)
        if (w->graphs[i].queue == queue_number(w, q)) w->graphs[i].queue = -1;
    *q = (queue){0};
}

static void finish(world *w)
{
    queue *q = some_queue(w);
    say(w, "finish queue %d", queue_number(w, q));
    expect(w, cpl_queue_finish(q->q), q->recording ? CPL_EARG : CPL_OK, "cpl_queue_finish");
}

static void record(world *w)
{
    queue *q = some_queue(w);
    event *e = &w->events[draw(w, EVENTS)];
    if (e->e) return;
    say(w, "event %d behind queue %d", (int)(e - w->events), queue_number(w, q));
    expect(w, cpl_queue_record(q->q, &e->e), q->recording ? CPL_EARG : CPL_OK, "cpl_queue_record");
}

static event *some_event(world *w)
{
    uint32_t from = draw(w, EVENTS);
    for (uint32_t i = 0; i < EVENTS; i++)
        if (w->events[(from + i) % EVENTS].e) return &w->events[(from + i) % EVENTS];
    return NULL;
}

static void wait_in_queue(world *w)
{
    queue *q = some_queue(w);
    const event *e = some_event(w);
    if (!e) return;
    say(w, "queue %d waits for event %d", queue_number(w, q), (int)(e - w->events));
    expect(w, cpl_queue_wait(q->q, e->e), q->recording ? CPL_EARG : CPL_OK, "cpl_queue_wait");
}

static void wait_for_event(world *w)
{
    event *e = some_event(w);
    bool done, waits = chance(w, 50);
    if (!e) return;
    say(w, "%s event %d", waits ? "wait for" : "ask", (int)(e - w->events));
    if (!waits) {
        expect(w, cpl_event_done(e->e, &done), CPL_OK, "cpl_event_done");
        return;
    }
    expect(w, cpl_event_wait(e->e), CPL_OK, "cpl_event_wait");
    expect(w, cpl_event_done(e->e, &done), CPL_OK, "cpl_event_done");
    if (!done) fail(w, "an event that was waited for is not done");
}

static void release_event(world *w)
{
    event *e = some_event(w);
    if (!e) return;
    say(w, "release event %d", (int)(e - w->events));
    cpl_event_release(e->e);
    e->e = NULL;
}

static void begin_graph(world *w)
{
    queue *q = some_queue(w);
    say(w, "queue %d begins a graph", queue_number(w, q));
    expect(w, cpl_graph_begin(q->q), q->recording ? CPL_EARG : CPL_OK, "cpl_graph_begin");
    q->recording = true;
}

static queue *recording_queue(world *w)
{
    for (int i = 0; i < QUEUES; i++)
        if (w->queues[i].recording) return &w->queues[i];
    return NULL;
}

static void end_graph(world *w)
{
    queue *q = recording_queue(w);
    cpl_graph *g;
    if (!q) {
        q = some_queue(w);
        say(w, "queue %d ends a graph that it did not begin", queue_number(w, q));
        expect(w, cpl_graph_end(q->q, &g), CPL_EARG, "cpl_graph_end");
        return;
    }
    graph *to = &w->graphs[draw(w, GRAPHS)];
    if (to->g) {
        say(w, "release graph %d", (int)(to - w->graphs));
        cpl_graph_release(to->g);
        recorded_free(w, &to->rec);
    }
    say(w, "graph %d = queue %d ends a graph", (int)(to - w->graphs), queue_number(w, q));
    expect(w, cpl_graph_end(q->q, &to->g), CPL_OK, "cpl_graph_end");
    to->rec = q->rec;
    to->queue = queue_number(w, q);
    to->place = q->place;
    q->rec = (recorded){0};
    q->recording = false;
}

static graph *some_graph(world *w)
{
    uint32_t from = draw(w, GRAPHS);
    for (uint32_t i = 0; i < GRAPHS; i++)
        if (w->graphs[(from + i) % GRAPHS].g) return &w->graphs[(from + i) % GRAPHS];
    return NULL;
}

/* A host place has no fault records that tie a graph to its queue. */
static cpl_status graph_outcome(const world *w, const graph *g, const queue *q)
{
    if (q->place != g->place || q->recording) return CPL_EARG;
    bool tied = g->rec.checked && g->place;
    return tied && queue_number(w, q) != g->queue ? CPL_EARG : CPL_OK;
}

/* A launch uses its arrays, a copy what it reads, and what it writes where something is left. */
static bool uses(const world *w, const action *a, int k)
{
    int s = a->spots[k].storage;
    if (s < 0) return false;
    return a->what == ACT_LAUNCH || !(a->written >> k & 1) || a->size < w->storages[s].size;
}

/* What is used that nothing recorded before has written is there, or is moved. */
static cpl_status bring(world *w, const graph *g)
{
    recorded before = g->rec;
    for (int i = 0; i < g->rec.count; i++) {
        const action *a = &g->rec.actions[i];
        before.count = i;
        for (int k = 0; k < MOST_LANES; k++) {
            const spot *at = &a->spots[k];
            if (!uses(w, a, k) || recorded_written(&before, at->storage, at->place)) continue;
            storage *s = &w->storages[at->storage];
            if (!(s->valid >> at->place & 1) && !w->automatic) return CPL_EARG;
            storage_moved(s, at->place);
        }
    }
    return CPL_OK;
}

/* Whose queue a move would take while one records is left open, as for launches. */
static bool moves_while_recording(const world *w, const graph *g)
{
    bool moves = false;
    for (int i = 0; i < g->rec.count && w->automatic && any_recording(w); i++) {
        const action *a = &g->rec.actions[i];
        for (int k = 0; k < MOST_LANES; k++) {
            const spot *at = &a->spots[k];
            moves |= uses(w, a, k) && !(w->storages[at->storage].valid >> at->place & 1);
        }
    }
    return moves;
}

static void launch_graph(world *w)
{
    graph *g = some_graph(w);
    queue *q = some_queue(w);
    if (!g || moves_while_recording(w, g)) return;
    if (chance(w, 60) && g->queue >= 0) q = &w->queues[g->queue];
    event *e = draw_event(w);
    say(w, "launch graph %d of %d parts on queue %d", (int)(g - w->graphs), g->rec.count,
        queue_number(w, q));
    cpl_status wanted = graph_outcome(w, g, q);
    if (!wanted) wanted = bring(w, g);
    expect(w, cpl_graph_launch(g->g, q->q, e ? &e->e : NULL), wanted, "cpl_graph_launch");
    w->launches++;
    for (int i = 0; i < g->rec.count && !wanted && !w->failed; i++)
        action_do(w, NULL, &g->rec.actions[i], NULL);
}

static void release_graph(world *w)
{
    graph *g = some_graph(w);
    if (!g) return;
    say(w, "release graph %d", (int)(g - w->graphs));
    cpl_graph_release(g->g);
    recorded_free(w, &g->rec);
    *g = (graph){0};
}

static void set_option(world *w, const char *name, int64_t value)
{
    say(w, "option %s=%lld", name, (long long)value);
    expect(w, cpl_context_set_option(w->cx, name, value), CPL_OK, "cpl_context_set_option");
}

static void toggle(world *w)
{
    uint32_t turn = draw(w, 10);
    if (turn < 7) {
        w->automatic = !w->automatic;
        set_option(w, "automatic", w->automatic);
    } else if (turn < 9) {
        w->checked = !w->checked;
        set_option(w, "bounds_check", w->checked);
    } else {
        bool on = !cpl_profile_enabled(w->cx);
        say(w, "profiling %s", on ? "on" : "off");
        expect(w, cpl_profile_enable(w->cx, on), CPL_OK, "cpl_profile_enable");
    }
}

static void trim(world *w)
{
    int place = (int)draw(w, (uint32_t)w->places);
    if (any_recording(w)) return;
    say(w, "trim %s", place_name(place));
    expect(w, cpl_device_trim(w->device[place]), CPL_OK, "cpl_device_trim");
}

static void release_handle(world *w)
{
    handle *h = &w->handles[draw(w, HANDLES)];
    if (!h->k) return;
    say(w, "release the kept kernel %d", (int)(h - w->handles));
    cpl_kernel_release(h->k);
    *h = (handle){0};
}

/* Modules besides the first: their kernels are compiled again. */
static void change_module(world *w)
{
    cpl_module **m = &w->modules[1 + draw(w, MODULES - 1)];
    if (*m) {
        say(w, "release module %d", (int)(m - w->modules));
        cpl_module_release(*m);
        *m = NULL;
    } else if (chance(w, 30) && !any_recording(w)) {
        say(w, "module %d", (int)(m - w->modules));
        expect(w,
               cpl_module_from_source(w->cx, "again.py", kernel_source, strlen(kernel_source), m),
               CPL_OK, "cpl_module_from_source");
    }
}

const step_fn queue_steps[] = {create_queue, create_queue,  release_queue,  finish,
                               record,       wait_in_queue, wait_for_event, release_event,
                               begin_graph,  begin_graph,   end_graph,      end_graph,
                               launch_graph, launch_graph,  launch_graph,   release_graph,
                               toggle,       toggle,        trim,           release_handle,
                               change_module};
const size_t queue_step_count = COUNT_OF(queue_steps);
