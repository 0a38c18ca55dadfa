/* Queues, events, and the records that kernels with checks write their faults to. */
#include "runtime/device/device.h"

/* --- queues --- */

void cpl_queue_options_init(cpl_queue_options *options)
{
    if (!options) return;
    *options = (cpl_queue_options){.size = sizeof *options};
}

/* The text of a target that the device can run, or NULL with *status set. */
static char *queue_target(cpl_device *d, const char *text, cpl_status *status)
{
    tgt_target t;
    const char *own = d->info.target;
    if (text && !target_parse(text, &t))
        *status = context_report(d->cx, CPL_EARG, "there is no target '%s'", text);
    else if (text && device_kind_for(&t) != d->info.kind)
        *status = context_report(d->cx, CPL_EARG, "%s runs no code for the target '%s'",
                                 d->info.label, text);
    else {
        strbuf sb;
        sb_init(&sb, context_mem(d->cx));
        /* a kind alone means what suits the device */
        if (!text || !strchr(text, ':')) sb_put(&sb, own);
        else {
            device_features(d, &t);
            target_print(&sb, &t);
        }
        char *copy = sb.failed ? NULL : mem_strdup(context_mem(d->cx), sb.at);
        sb_free(&sb);
        *status = copy ? CPL_OK : context_report(d->cx, CPL_ENOMEM, "out of memory for a queue");
        return copy;
    }
    return NULL;
}

/* --- memory of launches that follow each other --- */

cpl_status queue_take(cpl_queue *q, size_t size, dev_block *block)
{
    pthread_mutex_lock(&q->lock);
    *block = q->scratch;
    q->scratch = (dev_block){0};
    pthread_mutex_unlock(&q->lock);
    pool_keep(block, false);
    if (block->size >= size) return CPL_OK;
    queue_put(q, block);
    return pool_alloc(q->device, q, size, block);
}

/* To the pool, behind what the queue was given. */
static void let_go(cpl_queue *q, dev_block *block)
{
    if (!block->size) return;
    queue_remember(&block->last, q);
    pool_free(block);
}

void queue_put(cpl_queue *q, dev_block *block)
{
    dev_block other = *block;
    *block = (dev_block){0};
    pool_keep(&other, true);
    pthread_mutex_lock(&q->lock);
    if (other.size > q->scratch.size) {
        dev_block before = q->scratch;
        q->scratch = other;
        other = before;
    }
    pthread_mutex_unlock(&q->lock);
    pool_keep(&other, false);
    let_go(q, &other);
}

/* Keeps a block if there is none yet. */
static uint64_t keep_zeros(cpl_queue *q, dev_block *block)
{
    pthread_mutex_lock(&q->lock);
    if (!q->zeros.size && block->size) {
        pool_keep(block, true);
        q->zeros = *block;
        *block = (dev_block){0};
    }
    uint64_t address = q->zeros.size ? q->zeros.address : 0;
    pthread_mutex_unlock(&q->lock);
    let_go(q, block);
    return address;
}

cpl_status queue_zeros(cpl_queue *q, uint64_t *address)
{
    dev_block block = {0};
    *address = keep_zeros(q, &block);
    if (*address) return CPL_OK;
    cpl_status status = pool_alloc(q->device, q, QUEUE_ZEROS, &block);
    if (!status) status = q->device->ops->zero(q, &block, 0, QUEUE_ZEROS);
    queue_gave(q);
    if (status) let_go(q, &block);
    else *address = keep_zeros(q, &block);
    return status;
}

/* Of a queue that is about to go: nothing remembers it any more. */
static void free_blocks(cpl_queue *q)
{
    cpl_queue *home = atomic_load(&q->device->queue);
    if (!q->scratch.size && !q->zeros.size) return;
    if (!home || queue_behind(home, q)) queue_drain(q);
    dev_block *const blocks[] = {&q->scratch, &q->zeros};
    for (size_t i = 0; i < COUNT_OF(blocks); i++) {
        pool_keep(blocks[i], false);
        if (blocks[i]->size) pool_free(blocks[i]);
    }
}

static void queue_free(cpl_queue *q)
{
    cpl_context *cx = q->device->cx;
    bool holds = !q->is_default;
    free_blocks(q);
    if (q->recording) q->forget(q);
    q->device->ops->queue_close(q);
    pthread_mutex_destroy(&q->lock);
    mem_strfree(context_mem(cx), q->target);
    mem_free(context_mem(cx), q, sizeof *q);
    if (holds) cpl_context_release(cx);
}

static cpl_status queue_make(cpl_device *d, const cpl_queue_options *options, bool is_default,
                             cpl_queue **queue)
{
    const mem *m = context_mem(d->cx);
    cpl_status status = device_open(d);
    if (status) return status;
    char *target = queue_target(d, options->target, &status);
    if (!target) return status;
    cpl_queue *q = mem_zalloc(m, sizeof *q);
    if (!q || pthread_mutex_init(&q->lock, NULL)) {
        mem_free(m, q, sizeof *q);
        mem_strfree(m, target);
        return context_report(d->cx, CPL_ENOMEM, "out of memory for a queue");
    }
    q->device = d;
    q->references = 1;
    q->target = target;
    q->compiles = target_is_device(&d->target) ? target : NULL;
    q->is_default = is_default;
    q->number = atomic_fetch_add(&d->all->queues, 1) + 1;
    if (!is_default) cpl_context_retain(d->cx);
    status = d->ops->queue_open(q, options);
    if (status) {
        pthread_mutex_destroy(&q->lock);
        mem_strfree(m, target);
        mem_free(m, q, sizeof *q);
        if (!is_default) cpl_context_release(d->cx);
        return status;
    }
    *queue = q;
    return CPL_OK;
}

cpl_status cpl_queue_create(cpl_device *device, const cpl_queue_options *options, cpl_queue **queue)
{
    if (queue) *queue = NULL;
    if (MISSING("device queue", device, queue)) return CPL_EARG;
    cpl_queue_options o;
    cpl_queue_options_init(&o);
    if (options && READ_STRUCT(&o, options, cpl_queue_options)) return CPL_EARG;
    return queue_make(device, &o, false, queue);
}

cpl_queue *cpl_device_queue(cpl_device *device)
{
    if (!device || context_forked(device->cx)) return NULL;
    cpl_queue *have = atomic_load_explicit(&device->queue, memory_order_acquire);
    if (have) return have;
    cpl_queue_options o;
    cpl_queue_options_init(&o);
    cpl_queue *made;
    cpl_status status = queue_make(device, &o, true, &made);
    if (status) {
        atomic_store(&device->queue_status, status);
        return NULL;
    }
    if (atomic_compare_exchange_strong(&device->queue, &have, made)) return made;
    queue_free(made); /* somebody was quicker */
    return have;
}

cpl_status device_no_queue(cpl_device *d)
{
    if (context_forked(d->cx)) return context_refuse_fork(d->cx);
    if (atomic_load(&d->lost)) return thread_report(CPL_EDEVICELOST, "%s was lost", d->info.label);
    cpl_status status = d->open_status ? d->open_status : (cpl_status)atomic_load(&d->queue_status);
    return status ? status : CPL_EDEVICE;
}

void cpl_queue_retain(cpl_queue *queue)
{
    if (queue) atomic_fetch_add_explicit(&queue->references, 1, memory_order_relaxed);
}

void cpl_queue_release(cpl_queue *queue)
{
    if (!queue || context_forked(queue->device->cx)) return;
    unsigned left = atomic_fetch_sub_explicit(&queue->references, 1, memory_order_acq_rel) - 1;
    if (left == 0) {
        queue_free(queue);
    } else if (queue->recording && left == atomic_load(&queue->remembered)) {
        /* Arrays alone know it, which the recording holds, and nobody is left to end that. */
        cpl_queue_retain(queue);
        queue->forget(queue);
        cpl_queue_release(queue);
    }
}

cpl_device *cpl_queue_device(const cpl_queue *queue)
{
    return queue ? queue->device : NULL;
}

const char *cpl_queue_target(const cpl_queue *queue)
{
    return queue ? queue->target : NULL;
}

void *cpl_queue_native(const cpl_queue *queue)
{
    return queue ? queue->native : NULL;
}

cpl_status queue_ready(cpl_queue *q)
{
    if (context_forked(q->device->cx)) return context_refuse_fork(q->device->cx);
    return atomic_load_explicit(&q->device->lost, memory_order_relaxed) ? device_lost(q->device)
                                                                        : CPL_OK;
}

cpl_status queue_may_wait(cpl_queue *q, const char *what)
{
    if (!q->recording || context_forked(q->device->cx)) return queue_ready(q);
    return context_report(q->device->cx, CPL_EARG, "%s waits, and the queue records a graph", what);
}

cpl_status queue_drain(cpl_queue *q)
{
    cpl_status status = queue_ready(q);
    return status ? status : q->device->ops->drain(q);
}

/* --- waits that the context's poll function, or the time, may end --- */

static int64_t clock_ns(void)
{
    struct timespec now = context_until(0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#define NEVER INT64_MAX

/* When a wait of so many milliseconds ends, in clock_ns; NEVER of a negative number. */
static int64_t end_of(int64_t ms)
{
    const int64_t now = clock_ns();
    return ms < 0 || ms >= (NEVER - now) / 1000000 ? NEVER : now + 1000000 * ms;
}

enum { SPIN = 200000, LONGEST_NAP = 1000000 }; /* ns; the shortest nap takes 50 us */

/* So that a wait takes at most an eighth longer than it would have to. */
static void nap(int64_t waited)
{
    int64_t ns = waited / 8 < LONGEST_NAP ? waited / 8 : LONGEST_NAP;
    if (waited < SPIN) sched_yield();
    else nanosleep(&(struct timespec){0, (long)ns}, NULL);
}

/* Drivers have no wait that ends early: they are asked again and again. */
static cpl_status ticks_until(dev_ticks *t, int64_t end)
{
    cpl_device *d = t->device;
    if (d->ops->at_once || (end == NEVER && !context_may_stop(d->cx))) return d->ops->ticks_sync(t);
    bool done;
    int64_t begin = clock_ns(), asked = begin, now;
    cpl_status status;
    while (!(status = d->ops->ticks_done(t, &done)) && !done) {
        if ((now = clock_ns()) >= end) return CPL_ETIMEDOUT;
        nap(now - begin);
        if (now - asked < CANCEL_MS * INT64_C(1000000)) continue;
        if (context_stopped(d->cx))
            return context_report(d->cx, CPL_ECANCELLED,
                                  "the wait for %s was cancelled: what it was given goes on",
                                  d->info.label);
        asked = now;
    }
    return status ? status : d->ops->ticks_sync(t);
}

cpl_status ticks_await(dev_ticks *t)
{
    return ticks_until(t, NEVER);
}

static cpl_status queue_until(cpl_queue *q, int64_t end)
{
    if (q->recording || (end == NEVER && !context_may_stop(q->device->cx))) return CPL_OK;
    bool given = atomic_exchange_explicit(&q->given, false, memory_order_relaxed);
    if (!given && !q->borrowed) return CPL_OK;
    cpl_status status = queue_ready(q);
    dev_ticks *t = status ? NULL : ticks_create(q);
    if (!t) return status ? status : CPL_ENOMEM;
    t->timed = false;
    status = q->device->ops->record(q, t);
    const int64_t soonest = clock_ns() + SPIN; /* an empty queue takes a moment to say so */
    if (!status) status = ticks_until(t, end < soonest ? soonest : end);
    if (status) queue_gave(q);
    ticks_release(t);
    return status;
}

cpl_status queue_await(cpl_queue *q)
{
    return queue_until(q, NEVER);
}

static cpl_status settle_until(cpl_queue *q, int64_t end)
{
    cpl_status status = queue_until(q, end);
    if (status) return status;
    bool given = atomic_exchange_explicit(&q->given, false, memory_order_relaxed);
    status = queue_drain(q);
    if (status && given) queue_gave(q);
    return status;
}

cpl_status queue_settle(cpl_queue *q)
{
    return settle_until(q, NEVER);
}

cpl_status cpl_queue_finish_within(cpl_queue *queue, int64_t ms)
{
    if (!queue) return CPL_OK;
    cpl_status status = queue_may_wait(queue, "cpl_queue_finish");
    if (!status) status = settle_until(queue, end_of(ms));
    return status ? status : faults_check(queue, NULL);
}

cpl_status cpl_queue_finish(cpl_queue *queue)
{
    return cpl_queue_finish_within(queue, -1);
}

void queue_remember(cpl_queue **last, cpl_queue *q)
{
    cpl_queue *before = *last;
    if (q && q->device->ops->at_once) q = NULL;
    if (before == q) return;
    if (q) {
        cpl_queue_retain(q);
        atomic_fetch_add(&q->remembered, 1);
    }
    *last = q;
    if (before) atomic_fetch_sub(&before->remembered, 1);
    cpl_queue_release(before);
}

cpl_status queue_behind(cpl_queue *q, cpl_queue *other)
{
    if (!other || other == q) return CPL_OK;
    /* What a graph waits for must not be part of it: its replay would wait for nothing. */
    if (!q->recording && q->device->ops == other->device->ops && q->device->ops->behind) {
        queue_gave(q);
        return q->device->ops->behind(q, other);
    }
    return queue_settle(other);
}

/* --- events --- */

dev_ticks *ticks_create(cpl_queue *q)
{
    cpl_context *cx = q->device->cx;
    dev_ticks *t = mem_zalloc(context_mem(cx), sizeof *t);
    if (!t) {
        context_report(cx, CPL_ENOMEM, "out of memory for an event");
        return NULL;
    }
    t->references = 1;
    t->device = q->device;
    t->timed = profile_on(cx);
    return t;
}

void ticks_release(dev_ticks *t)
{
    if (!t || atomic_fetch_sub_explicit(&t->references, 1, memory_order_acq_rel) != 1) return;
    t->device->ops->ticks_close(t);
    mem_free(context_mem(t->device->cx), t, sizeof *t);
}

/* An event over ticks, whose reference it takes; NULL: out of memory, reported. */
static cpl_event *event_create(cpl_queue *q, dev_ticks *t)
{
    cpl_context *cx = q->device->cx;
    cpl_event *e = mem_zalloc(context_mem(cx), sizeof *e);
    if (!e) {
        context_report(cx, CPL_ENOMEM, "out of memory for an event");
        return NULL;
    }
    e->references = 1;
    e->queue = q;
    e->ticks = t;
    cpl_queue_retain(q);
    if (q->is_default) cpl_context_retain(cx); /* the queue goes with the context */
    return e;
}

void cpl_event_retain(cpl_event *event)
{
    if (event) atomic_fetch_add_explicit(&event->references, 1, memory_order_relaxed);
}

void cpl_event_release(cpl_event *event)
{
    if (!event || context_forked(event->queue->device->cx)) return;
    if (atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) != 1) return;
    cpl_context *cx = event->queue->device->cx;
    bool holds = event->queue->is_default;
    ticks_release(event->ticks);
    if (!holds) cpl_context_retain(cx);
    cpl_queue_release(event->queue);
    cpl_kernel *kernel = event->kernel;
    mem_free(context_mem(cx), event, sizeof *event);
    cpl_kernel_release(kernel);
    cpl_context_release(cx);
}

cpl_status watch_begin(cpl_queue *q, cpl_event **event, dev_watch *w)
{
    cpl_context *cx = q->device->cx;
    *w = (dev_watch){0};
    bool profiled = profile_on(cx);
    if (!event && !profiled) return CPL_OK;
    if (q->recording) return event ? queue_may_wait(q, "an event") : CPL_OK;
    w->ticks = ticks_create(q);
    if (!w->ticks) return CPL_ENOMEM;
    if (event && !(w->event = event_create(q, w->ticks))) {
        ticks_release(w->ticks);
        return CPL_ENOMEM;
    }
    w->profiled = profiled;
    w->begin_ns = profiled ? profile_now(cx) : 0;
    return CPL_OK;
}

/* For the profile: token is ticks. */
static bool duration_of_ticks(void *token, uint64_t *ns)
{
    dev_ticks *t = token;
    bool known = false;
    if (ns && !atomic_load(&t->device->lost))
        known = !t->device->ops->ticks_sync(t) && t->device->ops->ticks_duration(t, ns);
    ticks_release(t);
    return known;
}

cpl_status watch_end(cpl_queue *q, dev_watch *w, cpl_status status, cpl_event **event,
                     const dev_done *done)
{
    if (!w->ticks) return status;
    if (!status && w->profiled) {
        profile_event p = {.what = done->what,
                           .name = done->name,
                           .device = q->device->info.label,
                           .queue = q->number,
                           .bytes = done->bytes,
                           .begin_ns = w->begin_ns};
        atomic_fetch_add_explicit(&w->ticks->references, 1, memory_order_relaxed);
        profile_later(q->device->cx, &p, duration_of_ticks, w->ticks);
    }
    if (!w->event) ticks_release(w->ticks);
    else if (status) cpl_event_release(w->event);
    else {
        if (done->kernel) cpl_kernel_retain(done->kernel);
        w->event->kernel = done->kernel;
        *event = w->event;
    }
    return status;
}

cpl_status cpl_queue_record(cpl_queue *queue, cpl_event **event)
{
    if (event) *event = NULL;
    if (MISSING("queue event", queue, event)) return CPL_EARG;
    cpl_status status = queue_may_wait(queue, "cpl_queue_record");
    if (status) return status;
    dev_ticks *t = ticks_create(queue);
    cpl_event *e = t ? event_create(queue, t) : NULL;
    if (!e) {
        ticks_release(t);
        return context_no_memory(queue->device->cx);
    }
    t->timed = false;
    status = queue->device->ops->record(queue, t);
    if (status) cpl_event_release(e);
    else *event = e;
    return status;
}

cpl_status cpl_queue_wait(cpl_queue *queue, cpl_event *event)
{
    if (MISSING("queue", queue)) return CPL_EARG;
    if (!event) return CPL_OK;
    cpl_status status = queue_may_wait(queue, "cpl_queue_wait");
    if (status) return status;
    dev_ticks *t = event->ticks;
    const dev_ops *ops = queue->device->ops;
    queue_gave(queue);
    return ops == t->device->ops && ops->ticks_behind ? ops->ticks_behind(queue, t)
                                                      : ticks_await(t);
}

cpl_status cpl_event_wait_within(cpl_event *event, int64_t ms)
{
    if (!event) return CPL_OK;
    cpl_device *d = event->ticks->device;
    if (context_forked(d->cx)) return context_refuse_fork(d->cx);
    if (atomic_load(&d->lost)) return device_lost(d);
    const int64_t end = end_of(ms);
    cpl_status status = ticks_until(event->ticks, end);
    if (status || !event->kernel) return status;
    status = queue_until(event->queue, end); /* behind which the record of faults is read */
    return status ? status : faults_check(event->queue, event->kernel);
}

cpl_status cpl_event_wait(cpl_event *event)
{
    return cpl_event_wait_within(event, -1);
}

cpl_status cpl_event_done(cpl_event *event, bool *done)
{
    if (done) *done = false;
    if (MISSING("event done", event, done)) return CPL_EARG;
    cpl_device *d = event->ticks->device;
    if (context_forked(d->cx)) return context_refuse_fork(d->cx);
    return atomic_load(&d->lost) ? device_lost(d) : d->ops->ticks_done(event->ticks, done);
}

cpl_status cpl_event_duration(cpl_event *event, uint64_t *nanoseconds)
{
    if (MISSING("event nanoseconds", event, nanoseconds)) return CPL_EARG;
    *nanoseconds = 0;
    cpl_status status = cpl_event_wait(event);
    if (status) return status;
    if (event->ticks->timed && event->ticks->device->ops->ticks_duration(event->ticks, nanoseconds))
        return CPL_OK;
    return context_report(event->queue->device->cx, CPL_EUNSUPPORTED,
                          "times are known of what is launched while profiling is on");
}

/* --- faults --- */

cpl_status fault_for(cpl_queue *q, cpl_kernel *k, dev_code *code, dev_fault **fault)
{
    pthread_mutex_lock(&q->lock);
    dev_fault *f = q->faults;
    while (f && f->kernel != k) f = f->next;
    pthread_mutex_unlock(&q->lock);
    *fault = f; /* lives as long as the kernel */
    if (f) return CPL_OK;
    const mem *m = context_mem(q->device->cx);
    f = mem_zalloc(m, sizeof *f);
    if (!f) return context_report(q->device->cx, CPL_ENOMEM, "out of memory for a fault record");
    cpl_status status = pool_alloc(q->device, q, sizeof(cpl_fault), &f->block);
    static const cpl_fault none;
    if (!status) status = q->device->ops->store(q, &f->block, &none, sizeof none);
    if (status) {
        if (f->block.device) pool_free(&f->block);
        mem_free(m, f, sizeof *f);
        return status;
    }
    f->kernel = k;
    f->queue = q;
    cpl_queue_retain(q);
    pthread_mutex_lock(&q->lock);
    f->next = q->faults;
    q->faults = f;
    pthread_mutex_unlock(&q->lock);
    pthread_mutex_lock(&code->lock);
    f->next_of_code = code->faults;
    code->faults = f;
    pthread_mutex_unlock(&code->lock);
    *fault = f;
    return CPL_OK;
}

void fault_free(dev_fault *f)
{
    cpl_queue *q = f->queue;
    pthread_mutex_lock(&q->lock);
    dev_fault **at = &q->faults;
    while (*at != f) at = &(*at)->next;
    *at = f->next;
    pthread_mutex_unlock(&q->lock);
    const mem *m = context_mem(q->device->cx);
    queue_remember(&f->block.last, q); /* a launch that nobody waited for may write it yet */
    pool_free(&f->block);
    mem_free(m, f, sizeof *f);
    cpl_queue_release(q);
}

/* Under the queue's lock, which keeps the kernel alive: whoever frees it takes the record off the
 * list first. */
cpl_status faults_check(cpl_queue *q, const cpl_kernel *k)
{
    cpl_status first = CPL_OK;
    static const cpl_fault none;
    pthread_mutex_lock(&q->lock);
    for (dev_fault *f = q->faults; f; f = f->next) {
        if ((k && f->kernel != k) || !atomic_exchange(&f->pending, false)) continue;
        cpl_fault seen = {0};
        cpl_status status = q->device->ops->read(q, &f->block, 0, &seen, sizeof seen, NULL);
        if (!status && seen.taken) {
            status = q->device->ops->store(q, &f->block, &none, sizeof none);
            if (!status) status = cpl_kernel_report(f->kernel, &seen);
        }
        if (!first) first = status;
    }
    pthread_mutex_unlock(&q->lock);
    return first;
}
