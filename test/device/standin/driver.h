/* What the files of the stand-in share: objects with a count of references, faults, and
 * launches. */
#ifndef STANDIN_DRIVER_H
#define STANDIN_DRIVER_H

#include "standin.h"

#include <stdbool.h>

enum { MOST_PARAMS = 256, PARAM_BYTES = 256, MOST_PATTERN = 128 };

typedef struct params { /* copies of a launch's arguments */
    size_t count;
    size_t size[MOST_PARAMS]; /* bytes; of local memory too */
    bool is_local[MOST_PARAMS], set[MOST_PARAMS];
    _Alignas(16) unsigned char value[MOST_PARAMS][PARAM_BYTES];
} params;

typedef struct work { /* one thing that a stream does */
    enum { WORK_LAUNCH, WORK_COPY, WORK_FILL, WORK_BEGIN, WORK_RECORD, WORK_WAIT } what;
    struct object *kernel;
    params *args;
    size_t global[3], local[3];
    unsigned char *to;
    const unsigned char *from;
    size_t size;
    unsigned char pattern[MOST_PATTERN];
    size_t pattern_size;
    struct object *event; /* that begins, is recorded or waited for */
    uint64_t serial;      /* which recording of it */
    struct work *next;
} work;

/* Objects never leave the list before a reset, so that the use of a dead one is seen. */
typedef struct object {
    uint64_t magic;
    standin_kind kind;
    bool cuda;
    int refs;              /* 0: dead */
    struct object *parent; /* of a view; NULL for the rest */
    int children;
    int device;
    void *context;       /* of a queue */
    unsigned char *data; /* memory; the text of a program */
    size_t size;
    bool borrowed; /* data belongs to somebody else */
    char *name;    /* of a kernel */
    params *args;  /* of a kernel */
    work *works;   /* of a stream that is captured, or of a graph */
    bool capturing, recorded, captured, on;
    uint64_t begin, end; /* of an event or command: ns of the made-up clock */
    uint64_t flags;
    uint64_t serial;     /* of an event: how often it was recorded */
    work *pending;       /* of a stream: what has not run */
    uint64_t given, ran; /* how many */
    uint64_t flushed;    /* so many of those given run without being waited for */
    uint64_t clock;      /* of a stream: ns */
    struct object *busy_next;
    struct object *next;
} object;

typedef struct config {
    int devices, cc, version; /* version: of the driver */
    char il[32];
    bool fp64, svm, divide, subnormals;
    uint64_t late; /* seed; 0: at once */
} config;

void driver_lock(void);
void driver_unlock(void);
const config *driver_config(void);
void driver_note_part(uint64_t at, uint64_t bytes); /* of a buffer, that was made */
void driver_note_options(const char *options);      /* that a program was built with */

void driver_compile(void); /* what standin_hold holds; without the lock */
/* Counts a call. Returns the code it must fail with, or 0. The lock is held from here to
 * driver_leave. */
int driver_enter(const char *name);
int driver_leave(int code);
/* Notes a misuse and returns code. */
int driver_misuse(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

object *object_new(standin_kind kind, bool cuda);
/* The live object behind a handle, or NULL. */
object *object_check(const void *handle, standin_kind kind);
object *object_first(void);  /* of the list through next, dead ones included */
void object_drop(object *o); /* one reference less */
/* The live memory that holds [at, at + size), or NULL. */
object *memory_find(const void *at, size_t size);
/* Device memory; NULL past the limit. */
object *memory_new(standin_kind kind, bool cuda, size_t size);
/* Frees it by its only handle; work that uses it must have run. */
void memory_release(object *o, const char *name);
uint64_t memory_used(void);
uint64_t memory_limit(void);

/* Time passes by work alone: a copy takes 1 ns a byte, a launch 10 us. */
uint64_t clock_now(void);
void clock_pass(uint64_t ns);

enum { MOST_GROUP = 1024 }; /* work-items, of any kernel */
unsigned driver_most_group(const object *kernel);

/* A launch runs what was registered for the kernel. */
void work_run(const work *w);
void works_free(work *w);
work *work_copy(const work *w);  /* one */
work *works_copy(const work *w); /* all */

/* streams.c; work of NULL is done at once. */
void stream_give(object *stream, const work *w);
void stream_flush(object *stream); /* OpenCL's; CUDA's streams are flushed as they are given work */
void stream_drain(object *stream);
/* Whether the stream is empty; if not it comes closer. */
bool stream_poll(object *stream);
void streams_drain(bool cuda, int device); /* -1: all devices */
bool event_waits(const object *event, uint64_t serial);
void event_drain(const object *event, uint64_t serial);
/* Whether the last recording of the event has run; if not it comes closer. */
bool event_poll(const object *event);
void streams_idle(void); /* at any call */
bool streams_busy(void);
void streams_forget(void);
/* What has not run and uses this memory or module, or NULL. */
const char *streams_use(const object *o);

#endif
