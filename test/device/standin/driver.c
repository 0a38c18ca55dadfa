/* Objects, faults, the clock and what tests ask for. One record per process: it stands for a
 * driver, which is one too. */
#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x6e69646e617473u

enum { MOST_FUNCTIONS = 64, NAME_SIZE = 96, KEPT_BYTES = 1 << 20, FILLED_BYTES = 1 << 16 };

static struct {
    pthread_mutex_t lock;
    bool ready;
    config config;
    object *objects;
    int64_t live[STANDIN_KINDS];
    uint64_t calls, launches, misuses, clock, used, limit;
    const char **names; /* of the calls, [capacity]; the texts are the functions' own */
    uint64_t capacity;
    uint64_t fail_at; /* counted from the last reset; 0: none */
    int fail_code;
    char fail_name[NAME_SIZE]; /* "": none */
    uint64_t name_at, name_seen;
    int name_code;
    const char *failed;
    int failed_code;
    bool sticky;
    char misuse[256];
    char options[256];
    uint64_t part_at, part_bytes;
    struct {
        char name[NAME_SIZE];
        standin_fn fn;
        unsigned most_group;
    } functions[MOST_FUNCTIONS];
    int function_count;
} driver = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void read_environment(void)
{
    const char *devices = getenv("CPL_STANDIN_DEVICES"), *cc = getenv("CPL_STANDIN_CC"),
               *il = getenv("CPL_STANDIN_IL"), *fp64 = getenv("CPL_STANDIN_FP64"),
               *svm = getenv("CPL_STANDIN_SVM"), *divide = getenv("CPL_STANDIN_DIVIDE"),
               *subnormals = getenv("CPL_STANDIN_SUBNORMALS"), *late = getenv("CPL_STANDIN_LATE"),
               *version = getenv("CPL_STANDIN_DRIVER"), *fail = getenv("CPL_STANDIN_FAIL");
    driver.config.devices = devices ? atoi(devices) : 1;
    driver.config.cc = cc ? atoi(cc) : 90;
    driver.config.version = version ? atoi(version) : 0;
    driver.config.fp64 = !fp64 || atoi(fp64) != 0;
    driver.config.svm = !svm || atoi(svm) != 0;
    driver.config.divide = !divide || atoi(divide) != 0;
    driver.config.subnormals = !subnormals || atoi(subnormals) != 0;
    snprintf(driver.config.il, sizeof driver.config.il, "%s", il ? il : "1.2");
    driver.config.late = late ? strtoull(late, NULL, 10) : 0;
    driver.limit = (uint64_t)1 << 32;
    unsigned long long k;
    int code;
    char name[NAME_SIZE];
    if (fail && sscanf(fail, "%95[^:]:%llu:%d", name, &k, &code) == 3) {
        if (!strcmp(name, "*")) {
            driver.fail_at = k;
            driver.fail_code = code;
        } else {
            memcpy(driver.fail_name, name, sizeof name);
            driver.name_at = k;
            driver.name_code = code;
        }
    }
    driver.ready = true;
    streams_forget();
}

void driver_lock(void)
{
    pthread_mutex_lock(&driver.lock);
    if (!driver.ready) read_environment();
}

void driver_unlock(void)
{
    pthread_mutex_unlock(&driver.lock);
}

const config *driver_config(void)
{
    return &driver.config;
}

/* CUDA's names without their version: cuMemAlloc_v2 is cuMemAlloc. */
static bool same_name(const char *function, const char *name)
{
    size_t n = strlen(name);
    return !strncmp(function, name, n) && (!function[n] || !strncmp(function + n, "_v", 2));
}

static void note_call(const char *name)
{
    if (driver.calls == driver.capacity) {
        uint64_t capacity = driver.capacity ? 2 * driver.capacity : 1024;
        const char **names = realloc(driver.names, capacity * sizeof *names);
        if (!names) abort();
        driver.names = names;
        driver.capacity = capacity;
    }
    driver.names[driver.calls++] = name;
}

/* A device that is lost answers for itself alone: what is about the process or the thread goes
 * on. */
static bool needs_device(const char *name)
{
    static const char *const others[] = {"cuInit",
                                         "cuDriver",
                                         "cuDevice",
                                         "cuCtxPush",
                                         "cuCtxPop",
                                         "cuCtxGet",
                                         "cuCtxSet",
                                         "clGet",
                                         "clRelease",
                                         "clRetain",
                                         "clSetKernelArg",
                                         "clCreateContext",
                                         "clCreateCommandQueue",
                                         "clSVM"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strncmp(name, others[i], strlen(others[i]))) return false;
    return true;
}

/* --- compiling that takes long --- */

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int on, waiting;
} hold = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

void driver_compile(void)
{
    pthread_mutex_lock(&hold.lock);
    hold.waiting++;
    while (hold.on) pthread_cond_wait(&hold.changed, &hold.lock);
    hold.waiting--;
    pthread_mutex_unlock(&hold.lock);
}

void standin_hold(int on)
{
    pthread_mutex_lock(&hold.lock);
    hold.on = on;
    pthread_cond_broadcast(&hold.changed);
    pthread_mutex_unlock(&hold.lock);
}

int standin_held(void)
{
    pthread_mutex_lock(&hold.lock);
    int waiting = hold.on ? hold.waiting : 0;
    pthread_mutex_unlock(&hold.lock);
    return waiting;
}

int driver_enter(const char *name)
{
    driver_lock();
    note_call(name);
    streams_idle();
    int code = 0;
    if (driver.fail_at && driver.calls == driver.fail_at) code = driver.fail_code;
    if (driver.fail_name[0] && same_name(name, driver.fail_name)) {
        driver.name_seen++;
        if (!driver.name_at || driver.name_seen == driver.name_at) code = driver.name_code;
    }
    if (driver.failed && driver.sticky && needs_device(name)) return driver.failed_code;
    if (code && !driver.failed) {
        driver.failed = name;
        driver.failed_code = code;
        if (driver.sticky) streams_forget(); /* what is lost runs nothing any more */
    }
    return code;
}

int driver_leave(int code)
{
    driver_unlock();
    return code;
}

int driver_misuse(int code, const char *format, ...)
{
    if (!driver.misuses++) {
        va_list args;
        va_start(args, format);
        vsnprintf(driver.misuse, sizeof driver.misuse, format, args);
        va_end(args);
    }
    return code;
}

/* --- objects --- */

/* CUDA's functions go with their module; nobody can release one. */
static bool counted(const object *o)
{
    return !(o->cuda && o->kind == STANDIN_KERNEL);
}

object *object_new(standin_kind kind, bool cuda)
{
    object *o = calloc(1, sizeof *o);
    if (!o) abort();
    o->magic = MAGIC;
    o->kind = kind;
    o->cuda = cuda;
    o->refs = 1;
    o->next = driver.objects;
    driver.objects = o;
    driver.live[kind] += counted(o);
    return o;
}

object *object_first(void)
{
    return driver.objects;
}

object *object_check(const void *handle, standin_kind kind)
{
    for (object *o = driver.objects; o; o = o->next)
        if (o == handle) return o->refs > 0 && o->kind == kind ? o : NULL;
    return NULL;
}

/* Small memory stays, poisoned, so that late users are seen. */
static void release_data(object *o)
{
    bool is_memory = o->kind == STANDIN_MEMORY || o->kind == STANDIN_PINNED;
    if (o->refs || o->children) return;
    if (is_memory && !o->borrowed && o->kind == STANDIN_MEMORY) driver.used -= o->size;
    if (is_memory && !o->borrowed && o->size <= KEPT_BYTES) {
        memset(o->data, 0xdb, o->size);
    } else {
        if (!o->borrowed) free(o->data);
        o->data = NULL;
    }
    if (o->parent) {
        o->parent->children--;
        release_data(o->parent);
    }
}

void object_drop(object *o)
{
    if (--o->refs > 0) return;
    driver.live[o->kind] -= counted(o);
    works_free(o->works);
    o->works = NULL;
    release_data(o);
}

object *memory_find(const void *at, size_t size)
{
    const unsigned char *p = at;
    for (object *o = driver.objects; o; o = o->next)
        if (o->refs > 0 && (o->kind == STANDIN_MEMORY || o->kind == STANDIN_PINNED) && o->data &&
            p >= o->data && p - o->data <= (ptrdiff_t)o->size &&
            size <= o->size - (size_t)(p - o->data))
            return o;
    return NULL;
}

object *memory_new(standin_kind kind, bool cuda, size_t size)
{
    if (kind == STANDIN_MEMORY && size > driver.limit - driver.used) return NULL;
    object *o = object_new(kind, cuda);
    /* Rounded for aligned_alloc, and filled with what no test expects: device memory is not
     * zeroed. Of the host's only where it begins, as stages are large and little of them is used.
     */
    size_t bytes = (size + 255) / 256 * 256;
    o->data = aligned_alloc(256, bytes ? bytes : 256);
    if (!o->data) abort();
    memset(o->data, 0xa5, kind == STANDIN_PINNED && bytes > FILLED_BYTES ? FILLED_BYTES : bytes);
    o->size = size;
    if (kind == STANDIN_MEMORY) driver.used += size;
    return o;
}

void memory_release(object *o, const char *name)
{
    const char *use = streams_use(o);
    if (use) {
        driver_misuse(0, "%s: '%s', which uses this memory, has not run", name, use);
        streams_drain(o->cuda, -1);
    }
    object_drop(o);
}

uint64_t memory_used(void)
{
    return driver.used;
}
uint64_t memory_limit(void)
{
    return driver.limit;
}
uint64_t clock_now(void)
{
    return driver.clock;
}
void clock_pass(uint64_t ns)
{
    driver.clock += ns;
}

/* --- work --- */

/* Memory that was freed, and that an argument points to. */
static bool is_dead(const params *args, size_t i)
{
    const unsigned char *p;
    memcpy(&p, args->value[i], sizeof p);
    if (args->size[i] != sizeof p || args->is_local[i] || memory_find(p, 1)) return false;
    for (const object *o = driver.objects; o; o = o->next)
        if (o->refs <= 0 && (o->kind == STANDIN_MEMORY || o->kind == STANDIN_PINNED) && o->data &&
            p >= o->data && p < o->data + o->size)
            return true;
    return false;
}

/* Kernels that were unloaded, and memory that was freed: nothing runs. */
static bool may_launch(const work *w)
{
    if (w->kernel->cuda && w->kernel->refs <= 0) {
        driver_misuse(0, "'%s' runs after its module was unloaded", w->kernel->name);
        return false;
    }
    for (size_t i = 0; i < w->args->count; i++)
        if (is_dead(w->args, i)) {
            driver_misuse(0, "'%s' runs after the memory of its argument %zu was freed",
                          w->kernel->name, i);
            return false;
        }
    return true;
}

static void launch(const char *kernel, params *args, const size_t global[3], const size_t local[3])
{
    driver.launches++;
    clock_pass(10000);
    void *at[MOST_PARAMS];
    unsigned char *locals[MOST_PARAMS];
    size_t local_count = 0;
    for (size_t i = 0; i < args->count; i++) {
        at[i] = args->value[i];
        if (!args->is_local[i]) continue;
        locals[local_count] = calloc(1, args->size[i] + 1);
        memcpy(args->value[i], &locals[local_count++], sizeof(void *));
    }
    for (int i = 0; i < driver.function_count; i++)
        if (!strcmp(driver.functions[i].name, kernel)) driver.functions[i].fn(at, global, local);
    while (local_count) free(locals[--local_count]);
}

void work_run(const work *w)
{
    if (w->what == WORK_LAUNCH) {
        if (may_launch(w)) launch(w->kernel->name, w->args, w->global, w->local);
    } else if (w->what == WORK_COPY) {
        clock_pass(w->size);
        memmove(w->to, w->from, w->size);
    } else {
        clock_pass(w->size);
        for (size_t i = 0; i < w->size; i += w->pattern_size)
            memcpy(w->to + i, w->pattern, w->pattern_size);
    }
}

void works_free(work *w)
{
    while (w) {
        work *next = w->next;
        free(w->args);
        free(w);
        w = next;
    }
}

work *work_copy(const work *w)
{
    work *copy = malloc(sizeof *copy);
    if (!copy) abort();
    *copy = *w;
    copy->next = NULL;
    if (!w->args) return copy;
    copy->args = malloc(sizeof *w->args);
    if (!copy->args) abort();
    *copy->args = *w->args;
    return copy;
}

work *works_copy(const work *w)
{
    work *first = NULL, **end = &first;
    for (; w; w = w->next) {
        *end = work_copy(w);
        end = &(*end)->next;
    }
    return first;
}

/* --- what tests ask for --- */

static void forget_objects(void)
{
    streams_forget();
    for (object *o = driver.objects; o;) {
        object *next = o->next;
        works_free(o->works);
        if (!o->borrowed) free(o->data);
        free(o->name);
        free(o->args);
        free(o);
        o = next;
    }
    driver.objects = NULL;
    memset(driver.live, 0, sizeof driver.live);
    driver.used = 0;
}

/* Dead objects are forgotten once nothing lives: nobody can have their handles. */
void standin_rearm(void)
{
    driver_lock();
    int64_t live = 0;
    for (int kind = 0; kind < STANDIN_KINDS; kind++) live += driver.live[kind];
    if (!live) forget_objects();
    driver.calls = driver.launches = driver.misuses = driver.clock = 0;
    driver.fail_at = driver.name_seen = driver.name_at = 0;
    driver.fail_name[0] = driver.misuse[0] = '\0';
    driver.failed = NULL;
    driver.sticky = false;
    driver_unlock();
}

void driver_note_part(uint64_t at, uint64_t bytes)
{
    driver.part_at = at;
    driver.part_bytes = bytes;
}

uint64_t standin_part(uint64_t *at)
{
    driver_lock();
    uint64_t bytes = driver.part_bytes;
    *at = driver.part_at;
    driver_unlock();
    return bytes;
}

void driver_note_options(const char *options)
{
    snprintf(driver.options, sizeof driver.options, "%s", options);
}

const char *standin_options(void)
{
    return driver.options;
}

int standin_use(void)
{
    Dl_info here;
    if (!dladdr(&driver, &here) || !here.dli_fname) return 0;
    return !setenv("CPL_CUDA_DRIVER", here.dli_fname, 1) &&
           !setenv("CPL_OPENCL_LIBRARY", here.dli_fname, 1);
}

void standin_reset(void)
{
    standin_rearm();
    driver_lock();
    forget_objects();
    driver.function_count = 0;
    free(driver.names);
    driver.names = NULL;
    driver.capacity = 0;
    read_environment();
    driver_unlock();
}

void standin_register(const char *kernel, standin_fn fn)
{
    driver_lock();
    if (driver.function_count == MOST_FUNCTIONS) abort();
    snprintf(driver.functions[driver.function_count].name, NAME_SIZE, "%s", kernel);
    driver.functions[driver.function_count].most_group = MOST_GROUP;
    driver.functions[driver.function_count++].fn = fn;
    driver_unlock();
}

void standin_most_group(const char *kernel, unsigned items)
{
    driver_lock();
    for (int i = 0; i < driver.function_count; i++)
        if (!strcmp(driver.functions[i].name, kernel)) driver.functions[i].most_group = items;
    driver_unlock();
}

unsigned driver_most_group(const object *kernel)
{
    for (int i = 0; i < driver.function_count; i++)
        if (!strcmp(driver.functions[i].name, kernel->name)) return driver.functions[i].most_group;
    return MOST_GROUP;
}

void standin_fail_at(uint64_t n, int code)
{
    driver_lock();
    driver.fail_at = n ? driver.calls + n : 0;
    driver.fail_code = code;
    driver_unlock();
}

void standin_fail_name(const char *name, uint64_t k, int code)
{
    driver_lock();
    snprintf(driver.fail_name, sizeof driver.fail_name, "%s", name);
    driver.name_at = k;
    driver.name_seen = 0;
    driver.name_code = code;
    driver_unlock();
}

void standin_sticky(int on)
{
    driver_lock();
    driver.sticky = on != 0;
    driver_unlock();
}

void standin_limit(uint64_t bytes)
{
    driver_lock();
    driver.limit = bytes;
    driver_unlock();
}

uint64_t standin_calls(void)
{
    driver_lock();
    uint64_t calls = driver.calls;
    driver_unlock();
    return calls;
}

const char *standin_call(uint64_t n)
{
    driver_lock();
    const char *name = n && n <= driver.calls ? driver.names[n - 1] : NULL;
    driver_unlock();
    return name;
}

const char *standin_failed(void)
{
    driver_lock();
    const char *name = driver.failed;
    driver_unlock();
    return name;
}

uint64_t standin_count(const char *name)
{
    driver_lock();
    uint64_t count = 0;
    for (uint64_t i = 0; i < driver.calls; i++) count += same_name(driver.names[i], name);
    driver_unlock();
    return count;
}

uint64_t standin_launches(void)
{
    driver_lock();
    uint64_t launches = driver.launches;
    driver_unlock();
    return launches;
}

int64_t standin_live(standin_kind kind)
{
    driver_lock();
    int64_t live = driver.live[kind];
    driver_unlock();
    return live;
}

int64_t standin_live_all(void)
{
    int64_t all = 0;
    for (int kind = 0; kind < STANDIN_KINDS; kind++) all += standin_live((standin_kind)kind);
    return all;
}

const char *standin_live_text(char *text, size_t size)
{
    static const char *const kinds[STANDIN_KINDS] = {"context", "memory", "pinned",    "pool",
                                                     "stream",  "event",  "module",    "kernel",
                                                     "linker",  "graph",  "graph exec"};
    size_t used = 0;
    text[0] = '\0';
    for (int kind = 0; kind < STANDIN_KINDS; kind++) {
        int64_t live = standin_live((standin_kind)kind);
        if (live && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%lld %s", used ? ", " : "",
                                     (long long)live, kinds[kind]);
    }
    return text;
}

uint64_t standin_misuses(void)
{
    driver_lock();
    uint64_t misuses = driver.misuses;
    driver_unlock();
    return misuses;
}

const char *standin_misuse(void)
{
    return driver.misuse;
}
