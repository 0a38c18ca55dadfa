/*
 * What cpl/profile.h shows. A span is pushed when its launch is given to the device and filled in
 * when the device has answered, so that spans are in the order of launches; answers are asked for
 * when somebody looks, or when too many are outstanding.
 */
#include "runtime/profile.h"
#include "lib/support/clock.h"
#include "runtime/runtime.h"

#include <stdlib.h>

enum { MOST_SPANS = 1000000, FIRST_SPANS = 256, MOST_PENDING = 4096, ROW_BUCKETS = 256 };

typedef struct row {
    cpl_profile_row shown; /* device_ns and the like of what is answered for */
    uint64_t launches;     /* answered for or not; 0: nothing since the last clear */
    struct row *next;      /* of its bucket */
} row;

typedef struct span {
    row *row;
    cpl_profile_what what;
    uint32_t queue;
    uint64_t begin_ns, end_ns, bytes;
    enum { OPEN, CLOSED, FAILED_SPAN } state;
} span;

typedef struct pending {
    uint64_t span; /* its number */
    profile_duration_fn duration;
    void *token;
} pending;

struct profile {
    const mem *mem;
    atomic_bool on;
    pthread_mutex_t lock;      /* for all below; never held while a device is asked */
    pthread_mutex_t asking;    /* held by who asks devices, so that answers come in order */
    _Atomic(uint64_t) zero_ns; /* of the first cpl_profile_enable; 0: there was none */
    row *rows[ROW_BUCKETS];    /* live as long as the profile: visitors hold their texts */
    span *spans;               /* a ring: span number k is at k % capacity */
    uint64_t span_count, capacity;
    uint64_t cleared; /* spans with a lower number are forgotten */
    pending *pendings;
    size_t pending_count, pending_capacity;
    uint64_t *ends; /* [queue_count] when each queue will have done what is answered for */
    size_t queue_count;
    bool lost; /* memory ran out since the last clear */
};

profile *profile_create(const mem *m)
{
    profile *p = mem_zalloc(m, sizeof *p);
    if (!p) return NULL;
    p->mem = m;
    pthread_mutex_init(&p->lock, NULL);
    pthread_mutex_init(&p->asking, NULL);
    return p;
}

void profile_free(const mem *m, profile *p)
{
    if (!p) return;
    for (size_t i = 0; i < p->pending_count; i++)
        p->pendings[i].duration(p->pendings[i].token, NULL);
    for (int i = 0; i < ROW_BUCKETS; i++)
        for (row *r = p->rows[i]; r;) {
            row *next = r->next;
            mem_strfree(m, r->shown.name);
            mem_strfree(m, r->shown.device);
            mem_free(m, r, sizeof *r);
            r = next;
        }
    mem_free(m, p->spans, p->capacity * sizeof *p->spans);
    mem_free(m, p->pendings, p->pending_capacity * sizeof *p->pendings);
    mem_free(m, p->ends, p->queue_count * sizeof *p->ends);
    pthread_mutex_destroy(&p->asking);
    pthread_mutex_destroy(&p->lock);
    mem_free(m, p, sizeof *p);
}

/* The context's, if it has one by now. */
static profile *existing(cpl_context *cx)
{
    runtime_state *s = context_runtime(cx);
    return s ? atomic_load_explicit(&s->profile, memory_order_acquire) : NULL;
}

bool profile_on(cpl_context *cx)
{
    profile *p = existing(cx);
    return p && atomic_load_explicit(&p->on, memory_order_relaxed);
}

uint64_t profile_now(cpl_context *cx)
{
    profile *p = existing(cx);
    uint64_t zero = p ? atomic_load_explicit(&p->zero_ns, memory_order_relaxed) : 0;
    return zero ? now_ns() - zero : 0;
}

/* --- recording; the lock is held --- */

static row *find_row(profile *p, cpl_profile_what what, const char *name, const char *device)
{
    uint64_t hash = hash_bytes(device, strlen(device), hash_bytes(name, strlen(name), what));
    row **at = &p->rows[hash % ROW_BUCKETS];
    for (; *at; at = &(*at)->next)
        if ((*at)->shown.what == what && !strcmp((*at)->shown.name, name) &&
            !strcmp((*at)->shown.device, device))
            return *at;
    row *r = mem_zalloc(p->mem, sizeof *r);
    if (!r) return NULL;
    r->shown = (cpl_profile_row){.size = sizeof r->shown, .what = what};
    r->shown.name = mem_strdup(p->mem, name);
    r->shown.device = mem_strdup(p->mem, device);
    if (!r->shown.name || !r->shown.device) {
        mem_strfree(p->mem, r->shown.name);
        mem_strfree(p->mem, r->shown.device);
        mem_free(p->mem, r, sizeof *r);
        return NULL;
    }
    return *at = r;
}

/* Room for one more span. The ring grows to its full size before it goes round, so a number's place
 * changes only by growing. */
static bool reserve_span(profile *p)
{
    if (p->span_count < p->capacity || p->capacity == MOST_SPANS) return true;
    uint64_t capacity = p->capacity ? 4 * p->capacity : FIRST_SPANS;
    if (capacity > MOST_SPANS) capacity = MOST_SPANS;
    span *grown =
        mem_realloc(p->mem, p->spans, p->capacity * sizeof *grown, capacity * sizeof *grown);
    if (!grown) return false;
    p->spans = grown;
    p->capacity = capacity;
    return true;
}

static bool reserve_pending(profile *p)
{
    if (p->pending_count < p->pending_capacity) return true;
    size_t capacity = p->pending_capacity ? 2 * p->pending_capacity : 64;
    pending *grown = mem_realloc(p->mem, p->pendings, p->pending_capacity * sizeof *grown,
                                 capacity * sizeof *grown);
    if (!grown) return false;
    p->pendings = grown;
    p->pending_capacity = capacity;
    return true;
}

static bool reserve_queue(profile *p, uint32_t queue)
{
    if (queue < p->queue_count) return true;
    size_t count = (size_t)queue + 8;
    uint64_t *grown =
        mem_realloc(p->mem, p->ends, p->queue_count * sizeof *grown, count * sizeof *grown);
    if (!grown) return false;
    memset(grown + p->queue_count, 0, (count - p->queue_count) * sizeof *grown);
    p->ends = grown;
    p->queue_count = count;
    return true;
}

/* Pushes an open span. NULL when memory is out. */
static span *push(profile *p, const profile_event *e)
{
    /* Compiling a kernel counts in the kernel's row. */
    row *r = find_row(p, e->what == CPL_PROFILE_COMPILE ? CPL_PROFILE_KERNEL : e->what, e->name,
                      e->device);
    if (!r || !reserve_span(p) || !reserve_queue(p, e->queue)) {
        p->lost = true;
        return NULL;
    }
    r->launches++;
    memcpy(r->shown.why, e->why, sizeof e->why);
    span *s = &p->spans[p->span_count++ % p->capacity];
    *s = (span){r, e->what, e->queue, e->begin_ns, e->end_ns, e->bytes, OPEN};
    return s;
}

static void add_to_row(const span *s)
{
    cpl_profile_row *r = &s->row->shown;
    uint64_t ns = s->end_ns - s->begin_ns;
    if (s->what == CPL_PROFILE_COMPILE) {
        r->compile_ns += ns;
        return;
    }
    r->fastest_ns = r->count == 0 || ns < r->fastest_ns ? ns : r->fastest_ns;
    r->slowest_ns = ns > r->slowest_ns ? ns : r->slowest_ns;
    r->count++;
    r->device_ns += ns;
    r->bytes += s->bytes;
}

void profile_add(cpl_context *cx, const profile_event *e)
{
    profile *p = existing(cx);
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    span *s = push(p, e);
    if (s) {
        if (s->end_ns < s->begin_ns) s->end_ns = s->begin_ns;
        s->state = CLOSED;
        add_to_row(s);
    }
    pthread_mutex_unlock(&p->lock);
}

/* A device answered for the span of this number. */
static void close_span(profile *p, uint64_t number, bool known, uint64_t ns)
{
    /* forgotten, or gone round */
    if (number < p->cleared || number + p->capacity < p->span_count) return;
    span *s = &p->spans[number % p->capacity];
    s->state = known ? CLOSED : FAILED_SPAN;
    if (!known) return;
    uint64_t *end = &p->ends[s->queue];
    if (s->begin_ns < *end) s->begin_ns = *end; /* it waited for what its queue did before */
    *end = s->end_ns = s->begin_ns + ns;
    add_to_row(s);
}

/* Asks for the oldest `count` outstanding answers. */
static void settle(profile *p, size_t count, bool wait)
{
    pthread_mutex_lock(&p->asking);
    pthread_mutex_lock(&p->lock);
    size_t done = 0;
    while (done < count && done < p->pending_count) {
        /* others may add behind it meanwhile, but nobody takes away */
        pending first = p->pendings[done++];
        pthread_mutex_unlock(&p->lock);
        uint64_t ns = 0;
        bool known = first.duration(first.token, wait ? &ns : NULL) && wait;
        pthread_mutex_lock(&p->lock);
        close_span(p, first.span, known, ns);
    }
    p->pending_count -= done;
    if (done) memmove(p->pendings, p->pendings + done, p->pending_count * sizeof *p->pendings);
    pthread_mutex_unlock(&p->lock);
    pthread_mutex_unlock(&p->asking);
}

void profile_later(cpl_context *cx, const profile_event *e, profile_duration_fn duration,
                   void *token)
{
    profile *p = existing(cx);
    bool kept = false, many = false;
    if (p) {
        pthread_mutex_lock(&p->lock);
        if (!reserve_pending(p)) {
            p->lost = true;
        } else if (push(p, e)) {
            p->pendings[p->pending_count++] = (pending){p->span_count - 1, duration, token};
            many = p->pending_count >= MOST_PENDING;
            kept = true;
        }
        pthread_mutex_unlock(&p->lock);
    }
    if (!kept) duration(token, NULL);
    if (many) settle(p, MOST_PENDING / 2, true);
}

void profile_drop_pending(cpl_context *cx)
{
    profile *p = existing(cx);
    if (p) settle(p, SIZE_MAX, false);
}

/* --- the public functions --- */

static profile *made(cpl_context *cx)
{
    runtime_state *s = runtime_of(cx);
    profile *p = existing(cx), *before = NULL;
    if (!s || p || !(p = profile_create(context_mem(cx)))) return p;
    atomic_store(&s->profile_free, profile_free);
    if (atomic_compare_exchange_strong(&s->profile, &before, p)) return p;
    profile_free(context_mem(cx), p); /* somebody was quicker */
    return before;
}

cpl_status cpl_profile_enable(cpl_context *context, bool on)
{
    if (MISSING("context", context)) return CPL_EARG;
    profile *p = made(context);
    if (!p) return thread_report(CPL_ENOMEM, "out of memory");
    pthread_mutex_lock(&p->lock);
    if (on && !p->zero_ns) p->zero_ns = now_ns();
    pthread_mutex_unlock(&p->lock);
    atomic_store(&p->on, on);
    return CPL_OK;
}

bool cpl_profile_enabled(cpl_context *context)
{
    return context && profile_on(context);
}

void cpl_profile_clear(cpl_context *context)
{
    profile *p = context ? existing(context) : NULL;
    if (!p) return;
    settle(p, SIZE_MAX, false);
    pthread_mutex_lock(&p->lock);
    for (int i = 0; i < ROW_BUCKETS; i++)
        for (row *r = p->rows[i]; r; r = r->next) {
            r->launches = 0;
            r->shown = (cpl_profile_row){.size = sizeof r->shown,
                                         .what = r->shown.what,
                                         .name = r->shown.name,
                                         .device = r->shown.device};
        }
    p->cleared = p->span_count;
    p->lost = false;
    pthread_mutex_unlock(&p->lock);
}

static int by_falling_time(const void *a, const void *b)
{
    const cpl_profile_row *x = a, *y = b;
    if (x->device_ns != y->device_ns) return x->device_ns < y->device_ns ? 1 : -1;
    int names = strcmp(x->name, y->name);
    return names ? names : strcmp(x->device, y->device);
}

/* A copy of the rows that hold something, so that visitors run without the lock. */
static cpl_profile_row *copy_rows(profile *p, size_t *count, size_t *capacity)
{
    size_t n = 0;
    for (int i = 0; i < ROW_BUCKETS; i++)
        for (row *r = p->rows[i]; r; r = r->next) n += r->launches > 0;
    cpl_profile_row *rows = mem_zalloc(p->mem, (n + 1) * sizeof *rows);
    *count = 0;
    *capacity = n + 1;
    for (int i = 0; rows && i < ROW_BUCKETS; i++)
        for (row *r = p->rows[i]; r; r = r->next)
            if (r->shown.count || r->shown.compile_ns) rows[(*count)++] = r->shown;
    if (rows) qsort(rows, *count, sizeof *rows, by_falling_time);
    return rows;
}

cpl_status cpl_profile_each_row(cpl_context *context,
                                void (*visit)(void *user, const cpl_profile_row *row), void *user)
{
    if (MISSING("context visit", context, NOT_NULL(visit))) return CPL_EARG;
    profile *p = existing(context);
    if (!p) return CPL_OK;
    settle(p, SIZE_MAX, true);
    size_t count, capacity;
    pthread_mutex_lock(&p->lock);
    cpl_profile_row *rows = copy_rows(p, &count, &capacity);
    cpl_status status = !rows || p->lost ? CPL_ENOMEM : CPL_OK;
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; rows && i < count; i++) visit(user, &rows[i]);
    mem_free(p->mem, rows, capacity * sizeof *rows);
    return status;
}

static bool span_at(profile *p, uint64_t number, cpl_profile_span *out)
{
    pthread_mutex_lock(&p->lock);
    bool there =
        number < p->span_count && number >= p->cleared && number + p->capacity >= p->span_count;
    if (there) {
        const span *s = &p->spans[number % p->capacity];
        *out =
            (cpl_profile_span){sizeof *out, s->what,     s->row->shown.name, s->row->shown.device,
                               s->queue,    s->begin_ns, s->end_ns,          s->bytes};
        there = s->state == CLOSED;
    }
    pthread_mutex_unlock(&p->lock);
    return there;
}

cpl_status cpl_profile_each_span(cpl_context *context,
                                 void (*visit)(void *user, const cpl_profile_span *span),
                                 void *user)
{
    if (MISSING("context visit", context, NOT_NULL(visit))) return CPL_EARG;
    profile *p = existing(context);
    if (!p) return CPL_OK;
    settle(p, SIZE_MAX, true);
    pthread_mutex_lock(&p->lock);
    uint64_t end = p->span_count, first = end > p->capacity ? end - p->capacity : 0;
    if (first < p->cleared) first = p->cleared;
    cpl_status status = p->lost ? CPL_ENOMEM : CPL_OK;
    pthread_mutex_unlock(&p->lock);
    for (uint64_t i = first; i < end; i++) {
        cpl_profile_span s;
        if (span_at(p, i, &s)) visit(user, &s);
    }
    return status;
}
