/*
 * Where a launch runs that names no queue, with the option `choose`: on the device that is expected
 * to be done first. What is expected is copies of what is elsewhere, and the time of a kernel that
 * has as many bytes and operations (costs.c), by a factor that earlier launches of the same
 * function were off by, there or on another device.
 */
#include "runtime/device/device.h"
#include "lib/support/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what was learned --- */

enum { MOST_CHOICES = 8, SIZES = COST_POINTS + 3, ENTRIES = 128 };

/* Launches of a function on a device, of arrays of about a size. */
typedef struct past {
    float factor; /* time it took by the time that was expected; 0: not known */
    uint32_t runs;
} past;

typedef struct learned {
    uint64_t key; /* of what runs; 0: nothing */
    past on[MOST_CHOICES][SIZES];
} learned;

struct choices {
    cpl_device *devices[MOST_CHOICES]; /* that may be chosen, the host first */
    size_t count;
    learned entries[ENTRIES];
};

/* A GPU that CUDA has too is left to it, and CPUs of OpenCL are the host's, which has its own code
 * for them; but what costs are given for is meant. */
static bool may_choose(const struct choices *c, cpl_device *d)
{
    if (c->count == MOST_CHOICES) return false;
    if (is_host(d) || costs_are_said(d)) return true;
    for (size_t i = 0; i < c->count; i++)
        if (c->devices[i]->info.kind != d->info.kind &&
            strcmp(c->devices[i]->info.name, d->info.name) == 0)
            return false;
    return !d->info.is_cpu;
}

/* The context's, made with the first choice; NULL: out of memory. */
static struct choices *choices_of(cpl_context *cx)
{
    size_t count = cpl_device_count(cx);
    devices *all = devices_of(cx);
    if (!all) return NULL;
    pthread_mutex_lock(&all->lock);
    all->choices_size = sizeof *all->choices;
    if (!all->choices && (all->choices = mem_zalloc(context_mem(cx), all->choices_size)))
        for (size_t i = 0; i < count; i++)
            if (may_choose(all->choices, all->at[i]))
                all->choices->devices[all->choices->count++] = all->at[i];
    struct choices *c = all->choices;
    pthread_mutex_unlock(&all->lock);
    return c;
}

/* The devices' lock is held. What was there before under another key is forgotten. */
static learned *entry_of(struct choices *c, uint64_t key)
{
    learned *e = &c->entries[key % ENTRIES];
    if (e->key != key) *e = (learned){.key = key};
    return e;
}

/* The size that a past is of: four times as many bytes are the next one. */
static int size_of(double bytes)
{
    int k = 0;
    while (k < SIZES - 1 && bytes > (double)((uint64_t)COST_LEAST << 2 * k)) k++;
    return k;
}

/* Of the nearest size that there is one of; 0: of none. Work that was not foreseen is there at
 * other sizes too; what was faster than expected may be due to the size. */
static double factor_near(const past *of, int size)
{
    if (of[size].factor > 0) return of[size].factor;
    for (int away = 1; away < SIZES; away++)
        for (int k = size - away; k <= size + away; k += 2 * away)
            if (k >= 0 && k < SIZES && of[k].factor > 0) return of[k].factor > 1 ? of[k].factor : 1;
    return 0;
}

/* What a device's time is expected to be off by: as it was there, else by what was not foreseen on
 * another. */
static double factor_on(const learned *e, size_t device, int size)
{
    double factor = factor_near(e->on[device], size);
    for (size_t i = 0; i < MOST_CHOICES && !(factor > 0); i++) {
        factor = factor_near(e->on[i], size);
        if (isinf(factor)) factor = 0;
        if (factor > 0 && factor < 1) factor = 1;
    }
    return factor > 0 ? factor : 1;
}

/* --- what is expected --- */

typedef struct expected {
    const device_costs *costs;
    double copies_us, kernel_us; /* that one before the factor */
    double once_us;              /* of copies, those of arrays, which stay there */
    double us;                   /* of all */
    bool possible, moves;        /* arrays have to go there */
} expected;

static bool is_written(const choice_of *w, size_t i)
{
    const artifact *a = w->kernel ? &w->kernel->artifact : NULL;
    if (!a) return w->writes && !w->args[i].readonly;
    size_t value = 0; /* parameters count those that are no binds */
    for (size_t k = 0; k < i; k++) value += w->args[k].kind != CPL_ARG_BOUND;
    for (size_t p = 0; p < a->param_count; p++)
        if (a->params[p].role == PARAM_ARG && a->params[p].arg == value)
            return !a->params[p].readonly;
    return true;
}

/* Memory of the caller's goes there, and back if it is written. */
static void add_pointer(const choice_of *w, size_t i, const cpl_device *d, expected *e)
{
    double bytes = (double)arg_bytes(&w->args[i]);
    if (d->ops->shares_memory || !bytes) return;
    e->moves = true;
    e->copies_us += cost_at(&e->costs->to, bytes);
    if (is_written(w, i)) e->copies_us += cost_at(&e->costs->from, bytes);
}

static bool came_before(const choice_of *w, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (w->args[k].kind == CPL_ARG_ARRAY && w->args[k].array &&
            w->args[k].array->storage == w->args[i].array->storage)
            return true;
    return false;
}

/* NULL with CPL_OK: it has no room to be timed in, or fails, which keeps it from being chosen and
 * no launch from running elsewhere. */
static cpl_status costs_if_known(cpl_device *d, const device_costs **costs)
{
    *costs = NULL;
    if (atomic_load_explicit(&d->untimed, memory_order_relaxed)) return CPL_OK;
    cpl_status status = costs_of(d, costs);
    bool fails = status == CPL_ENOMEM || status == CPL_EDEVICE || status == CPL_EDEVICELOST ||
                 status == CPL_EUNSUPPORTED;
    if (is_host(d) || !fails) return status;
    if (!atomic_exchange(&d->untimed, true))
        context_note(d->cx, "what launches take on %s cannot be found: it is not chosen",
                     d->info.label);
    return CPL_OK;
}

/* An array goes there from where it is, by way of the host. */
static cpl_status add_array(const choice_of *w, size_t i, const cpl_device *d, expected *e)
{
    const dev_storage *s = w->args[i].array->storage;
    const dev_slot *slot = came_before(w, i) || !s->size ? NULL : storage_valid(s, d);
    if (!slot || slot->block.device == d) return CPL_OK;
    const device_costs *other;
    cpl_status status = costs_if_known(slot->block.device, &other);
    if (status) return status;
    e->moves = true;
    if (!other) return CPL_OK; /* it has to, whatever it takes */
    double us = cost_at(&other->from, (double)s->size) + cost_at(&e->costs->to, (double)s->size);
    e->copies_us += us;
    e->once_us += us;
    return CPL_OK;
}

/* An algorithm's results go where its first argument is: those of plain memory to the host. */
static double results_us(const choice_of *w, const cpl_device *d, const device_costs *c)
{
    bool plain = w->count && w->args[0].kind == CPL_ARG_ARRAY && !w->args[0].array;
    if (!plain || d->ops->shares_memory || !(w->results > 0)) return 0;
    double bytes = w->results * (double)arg_bytes(&w->args[0]);
    return cost_at(&c->to, bytes) + cost_at(&c->from, bytes);
}

static bool has_float64(const choice_of *w)
{
    for (size_t i = 0; i < w->count; i++) {
        const cpl_arg *arg = &w->args[i];
        cpl_dtype t = arg->kind == CPL_ARG_ARRAY && arg->array ? arg->array->dtype : arg->dtype;
        if (t == CPL_FLOAT64 || t == CPL_COMPLEX128) return true;
    }
    return false;
}

static double all_bytes(const choice_of *w)
{
    double bytes = 0;
    for (size_t i = 0; i < w->count; i++)
        if (w->args[i].kind == CPL_ARG_ARRAY) {
            const cpl_array *a = w->args[i].array;
            bytes +=
                a ? (double)a->length * (double)a->element_size : (double)arg_bytes(&w->args[i]);
        }
    return bytes;
}

/* What is given to its default queue does not run now. */
static bool records(const cpl_device *d)
{
    const cpl_queue *q = atomic_load(&d->queue);
    return q && q->recording;
}

static bool has_stays(const choice_of *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->args[i].kind == CPL_ARG_ARRAY && w->args[i].array &&
            atomic_load_explicit(&w->args[i].array->storage->stays, memory_order_relaxed))
            return true;
    return false;
}

static bool is_possible(const choice_of *w, const cpl_device *d, double bytes)
{
    if (is_host(d)) return true;
    if (has_stays(w)) return false;
    if (records(d) || atomic_load_explicit(&d->lost, memory_order_relaxed)) return false;
    bool fits = !d->info.memory || 2 * bytes < (double)d->info.memory;
    return fits && (d->info.fp64 || !has_float64(w));
}

static cpl_status expect(const choice_of *w, double bytes, cpl_device *d, expected *e)
{
    *e = (expected){.possible = is_possible(w, d, bytes)};
    if (!e->possible) return CPL_OK;
    cpl_status status = costs_if_known(d, &e->costs);
    e->possible = e->costs != NULL;
    if (!e->possible) return status;
    for (size_t i = 0; i < w->count && !status; i++) {
        if (w->args[i].kind != CPL_ARG_ARRAY) continue;
        if (w->args[i].array) status = add_array(w, i, d, e);
        else add_pointer(w, i, d, e);
    }
    e->copies_us += results_us(w, d, e->costs);
    double memory = cost_at(&e->costs->memory, bytes * w->passes),
           arithmetic = w->work > 0 ? cost_at(&e->costs->arithmetic, w->work / COST_WORK) : 0;
    e->kernel_us = memory > arithmetic ? memory : arithmetic;
    return status;
}

/* --- the choice --- */

static size_t best_of(const expected *e, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (e[i].possible && e[i].us < e[best].us) best = i;
    return best;
}

/* A launch is timed now and then, never the first, which compiles, nor one that moves arrays, nor
 * quick code, which is there for a while: of an algorithm nobody knows for how long. */
static bool is_time(const choice_of *w, const cpl_device *d, const expected *e, uint32_t runs)
{
    bool is_quick = is_host(d) && (w->kernel ? atomic_load(&w->kernel->quick) : runs < 8);
    return runs && !is_quick && !(e->once_us > 0) && (runs < 4 || !(runs & (runs - 1)));
}

/* "host 410 us, cuda:0 58 us (50 of them copies)" */
static void explain(const struct choices *all, const expected *e, profile_event *to)
{
    size_t n = 0;
    for (size_t i = 0; i < all->count && n < sizeof to->why; i++) {
        if (!e[i].possible) continue;
        n += (size_t)snprintf(to->why + n, sizeof to->why - n, "%s%s %.0f us", n ? ", " : "",
                              all->devices[i]->info.label, e[i].us);
        if (e[i].copies_us > 0 && n < sizeof to->why)
            n += (size_t)snprintf(to->why + n, sizeof to->why - n, " (%.0f of them copies)",
                                  e[i].copies_us);
    }
}

static void tell(const struct choices *all, const expected *e, const choice_of *w,
                 const device_choice *c, uint64_t begin)
{
    cpl_device *d = all->devices[c->device];
    profile_event p = {.what = CPL_PROFILE_CHOICE,
                       .name = w->name,
                       .device = d->info.label,
                       .begin_ns = begin,
                       .end_ns = profile_now(d->cx),
                       .bytes = (uint64_t)c->bytes};
    explain(all, e, &p);
    profile_add(d->cx, &p);
}

/* What has been missed on a device where arrays are not, with this launch, on average of those;
 * from nothing on if it was another device so far. */
static double add_missed(const choice_of *w, const cpl_device *d, double us)
{
    double all = 0;
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        if (w->args[i].kind != CPL_ARG_ARRAY || !w->args[i].array || came_before(w, i)) continue;
        dev_storage *s = w->args[i].array->storage;
        const dev_slot *slot = storage_slot(s, d);
        if (slot && slot->valid) continue;
        if (s->missed_on != d) s->missed_us = 0;
        s->missed_on = d;
        all += s->missed_us += us;
        count++;
    }
    return count ? all / (double)count : 0;
}

static void forget_missed(const choice_of *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->args[i].kind == CPL_ARG_ARRAY && w->args[i].array)
            w->args[i].array->storage->missed_us = 0;
}

/* Nobody knows what comes: arrays go where they would be better off once what was missed there is
 * as much as the copies take, which is at most twice the time of who knows ("rent or buy"). */
static size_t worth_moving(const struct choices *all, const choice_of *w, const expected *e,
                           size_t best)
{
    size_t there = best;
    double least = e[best].us - e[best].once_us;
    for (size_t i = 0; i < all->count; i++)
        if (e[i].possible && e[i].us - e[i].once_us < least) least = e[there = i].us - e[i].once_us;
    if (there == best) return best;
    double missed = add_missed(w, all->devices[there], e[best].us - least);
    if (missed < e[there].once_us) return best;
    forget_missed(w);
    return there;
}

/* A launch that took longer than expected may be due to the function, as is assumed first, or to
 * the device. Another one that would be faster if it were the device is tried, unless too much
 * would be lost otherwise. */
static size_t worth_trying(const struct choices *all, const learned *known, const expected *e,
                           int size, size_t best)
{
    enum { MOST_LOSS = 8 };
    for (size_t i = 0; i < all->count; i++) {
        const past *p = &known->on[i][size];
        bool untried = e[i].possible && p->runs < 2 && !(p->factor > 0);
        if (i != best && untried && e[i].copies_us + e[i].kernel_us < e[best].us &&
            e[i].us < MOST_LOSS * e[best].us)
            return i;
    }
    return best;
}

/* Adds what is known of the function to what is expected, and takes the best. */
static void decide(cpl_context *cx, struct choices *all, const choice_of *w, expected *e,
                   device_choice *c)
{
    devices *of = devices_of(cx);
    pthread_mutex_lock(&of->lock);
    learned *known = entry_of(all, w->key);
    int size = size_of(c->bytes);
    for (size_t i = 0; i < all->count; i++)
        e[i].us = e[i].copies_us + e[i].kernel_us * factor_on(known, i, size);
    size_t best = best_of(e, all->count);
    size_t tried = worth_trying(all, known, e, size, best);
    best = tried == best ? worth_moving(all, w, e, best) : tried;
    bool timed = is_time(w, all->devices[best], &e[best], known->on[best][size].runs++);
    pthread_mutex_unlock(&of->lock);
    c->device = best;
    c->size = size;
    c->moves = e[best].moves;
    c->copies_us = e[best].copies_us;
    c->expected_us = timed ? e[best].kernel_us : 0;
}

cpl_status choice_make(cpl_context *cx, const choice_of *w, device_choice *c)
{
    expected e[MOST_CHOICES];
    struct choices *all = choices_of(cx);
    if (!all) return context_no_memory(cx);
    uint64_t begin = profile_now(cx);
    *c = (device_choice){.key = w->key, .bytes = all_bytes(w)};
    for (size_t i = 0; i < all->count; i++) {
        cpl_status status = expect(w, c->bytes, all->devices[i], &e[i]);
        if (status) return status;
    }
    decide(cx, all, w, e, c);
    cpl_device *d = all->devices[c->device];
    if (profile_on(cx)) tell(all, e, w, c, begin);
    c->queue = cpl_device_queue(d);
    if (!c->queue)
        return context_report(cx, device_no_queue(d), "there is no queue to be had for %s",
                              d->info.label);
    cpl_status status = c->expected_us > 0 ? queue_settle(c->queue) : CPL_OK;
    c->begin_ns = now_ns();
    return status;
}

bool choice_wanted(cpl_context *cx, const cpl_launch_options *o, const cpl_arg *args, size_t count)
{
    if (o->queue || o->kernels || o->interpret || !(o->choose || context_option(cx, OPT_choose)))
        return false;
    cpl_device *d = place_device(cx, args, count), *host = device_host(cx);
    return d && !records(d) && !records(host);
}

void choice_refused(const device_choice *c)
{
    devices *all = devices_of(c->queue->device->cx);
    pthread_mutex_lock(&all->lock);
    past *of = entry_of(all->choices, c->key)->on[c->device];
    for (int i = 0; i < SIZES; i++) of[i].factor = INFINITY;
    pthread_mutex_unlock(&all->lock);
}

void choice_end(const device_choice *c, cpl_status status)
{
    if (status || !(c->expected_us > 0) || queue_settle(c->queue)) return;
    double us = (double)(now_ns() - c->begin_ns) * 1e-3 - c->copies_us;
    if (us < c->copies_us / 2) return; /* which tells of copies */
    float factor = (float)(us / c->expected_us);
    devices *all = devices_of(c->queue->device->cx);
    pthread_mutex_lock(&all->lock);
    float *kept = &entry_of(all->choices, c->key)->on[c->device][c->size].factor;
    bool more = *kept > 0 && factor > *kept; /* as noise makes it */
    *kept = more ? (3 * *kept + factor) / 4 : factor;
    pthread_mutex_unlock(&all->lock);
}
