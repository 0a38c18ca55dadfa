/*
 * Random sequences of launches, and the model that they are compared with.
 *
 * seq_kernel.c  the kernels: their source, and what each does to memory, in plain C
 * seq_model.c   what memory holds and where it is valid, by the rules of cpl/array.h
 * seq_world.c   contexts, devices and what a sequence has made in them
 * seq_array.c   steps: arrays, views, copies
 * seq_launch.c  steps: launches
 * seq_queue.c   steps: queues, events, graphs, options
 * seq_wrong.c   steps that must be refused and change nothing
 * sequences.c   the command: runs sequences in children, makes those that fail smaller
 *
 * A sequence is a list of numbers; each step draws what it does from its own, so that steps can be
 * left out and the others stay what they are.
 */
#ifndef FUZZ_SEQ_H
#define FUZZ_SEQ_H

#include "rng.h"

#include <cpl/cpl.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

typedef enum elem { I32, I64, U16, F32, F64, PAIR, ELEMS } elem;

typedef struct pair { /* the struct of the kernels */
    int32_t first;
    double second;
} pair;

/* Several elements of an array, as kernels see them. */
typedef struct lane {
    unsigned char *first;
    int64_t stride, length; /* bytes, elements */
} lane;

/* --- seq_kernel.c --- */

typedef enum kind {
    K_FILL,
    K_STEP,
    K_ADD,
    K_SUB,
    K_MIRROR,
    K_STENCIL,
    K_PAIRS,
    K_SWAP,
    K_ONCE,
    K_TOTAL,
    KINDS
} kind;

enum { MOST_LANES = 3, MAX_PLACES = 3 };

typedef struct kernel_row {
    const char *name;
    cpl_form form;
    int arrays;
    unsigned written;       /* bit k: array k */
    bool value, count;      /* has a parameter of the element type, of int32 */
    bool crosses;           /* rounds read what others write, if arrays are the same */
    unsigned elems;         /* bit e: runs on these elements */
    elem fixed[MOST_LANES]; /* ELEMS: the launch's */
} kernel_row;

extern const kernel_row kernel_rows[KINDS];
extern const char kernel_source[];

typedef struct launch { /* what one launch computes */
    kind kind;
    elem elem;
    lane lane[MOST_LANES];
    int64_t n; /* rounds */
    int64_t count, value;
    int64_t group; /* work-items of a group, of K_SWAP */
} launch;

size_t elem_size(elem e);
size_t elem_align(elem e);
cpl_dtype elem_dtype(elem e); /* CPL_VOID: PAIR */
const char *elem_name(elem e);
/* Runs it; result (may be NULL) receives what a function returns. */
void launch_run(const launch *l, void *result);
/* A value of the element type: small whole numbers. */
void elem_store(elem e, void *at, int64_t value);
/* The k-th number as an argument. */
cpl_arg elem_arg(elem e, int64_t value);
/* Elements are equal bytes, but for NaN and padding. */
bool elem_same(elem e, const void *a, const void *b);
/* The first parameter of kernels: what the stand-in driver needs to know of a launch. */
int32_t launch_tag(elem e, unsigned strided, bool checked);
/* Makes the stand-in driver run these kernels. */
void kernels_register(void (*add)(const char *name,
                                  void (*fn)(void *const *, const size_t[3], const size_t[3])));

/* --- seq_model.c --- */

enum {
    STORAGES = 24,
    ARRAYS = 24,
    QUEUES = 8,
    EVENTS = 8,
    GRAPHS = 4,
    HANDLES = 6,
    MODULES = 3,
    MOST_ACTIONS = 12
};

typedef struct storage { /* memory that views share */
    int references;      /* 0: free */
    size_t size;
    int home;
    unsigned valid, have; /* bit p: place p */
    int order[MAX_PLACES], orders;
    unsigned char *bytes[MAX_PLACES];
    unsigned char *wrapped; /* memory of the caller's, or NULL */
    int *deleted;           /* counts calls of the deleter */
} storage;

typedef struct array {
    cpl_array *a; /* NULL: free */
    int storage;
    elem elem;
    size_t offset;
    int64_t length, stride; /* elements; bytes, those of an element where contiguous */
    int dims;
} array;

typedef struct spot { /* part of a storage in one place */
    int storage, place;
    size_t offset;
} spot;

typedef struct action { /* one thing that was done, or will be by a graph */
    enum { ACT_LAUNCH, ACT_COPY, ACT_WRITE } what;
    launch launch; /* lanes are filled in when it runs */
    spot spots[MOST_LANES];
    unsigned written;
    size_t size;
    unsigned char *from; /* ACT_WRITE: memory of the sequence's */
} action;

typedef struct recorded {
    action actions[MOST_ACTIONS];
    int count;
    bool checked; /* kernels with checks are among them */
} recorded;

typedef struct queue {
    cpl_queue *q; /* NULL: free */
    int place;
    bool recording;
    recorded rec;
} queue;

typedef struct graph {
    cpl_graph *g;
    int queue, place;
    recorded rec;
} graph;

typedef struct event {
    cpl_event *e;
} event;

typedef struct handle { /* a kernel that was kept */
    cpl_kernel *k;
    kind kind;
    elem elem;
    unsigned strided;
    bool checked;
    int place;
    char target[60];
} handle;

typedef struct world {
    cpl_context *cx, *other;      /* other: a context that has nothing to do with it */
    cpl_module *modules[MODULES]; /* the first stays */
    const cpl_type *pair, *other_pair;
    cpl_array *other_array;
    cpl_device *device[MAX_PLACES];
    int places;
    bool standin, svm[MAX_PLACES];
    char said[400]; /* the last diagnostic */
    bool automatic, checked;
    elem favour[2]; /* most arrays of the sequence have these elements, so that they go together */
    storage storages[STORAGES];
    array arrays[ARRAYS];
    queue queues[QUEUES]; /* the first ones are the default ones of the places */
    event events[EVENTS];
    graph graphs[GRAPHS];
    handle handles[HANDLES];
    unsigned char *texts[64]; /* what graphs read; freed with the sequence */
    int text_count;
    rng r; /* of the step at work */
    int step;
    bool failed, verbose;
    char why[600];
    uint64_t launches;
} world;

typedef void (*step_fn)(world *w);

/* The place whose memory an access goes to; -1: none is valid. */
int storage_valid_at(const storage *s, int wanted);
void storage_hold(world *w, int s);
void storage_drop(world *w, int s);
/* As the library does when it moves a storage to a place. */
void storage_moved(storage *s, int place);
void storage_marked(storage *s, int place);
lane lane_of(const world *w, const array *a, int place);
bool array_contiguous(const array *a);
bool array_strided(const array *a); /* as arguments: with a stride parameter */
void action_run(world *w, action *a, void *result);
/* Records it, or runs it and marks what it wrote. */
void action_do(world *w, queue *q, action *a, void *result);
bool recorded_written(const recorded *r, int storage, int place);
void recorded_free(world *w, recorded *r);
/* Bytes that arguments cover: whether two of them share some, as launches judge it. */
typedef struct extent {
    uintptr_t begin, end;
} extent;
extent lane_extent(const lane *l, size_t element);
bool lanes_meet(const lane *a, int64_t a_size, const lane *b, int64_t b_size);

/* --- seq_world.c --- */

/* number: of the context, which decides how it compiles */
bool world_open(world *w, const char *devices, uint64_t number);
void world_close(world *w);
void world_begin(world *w, uint64_t seed); /* a sequence */
/* Ends it: compares all data, and releases all that it made. */
void world_clear(world *w);
/* One step, or the comparison of everything. */
void world_step(world *w, uint64_t seed);
void world_check(world *w);

uint32_t draw(world *w, uint32_t n); /* in [0, n) */
bool chance(world *w, uint32_t percent);
__attribute__((format(printf, 2, 3))) void say(world *w, const char *format, ...);
__attribute__((format(printf, 2, 3))) void fail(world *w, const char *format, ...);
/* A status that is not what the model says is a finding. */
void expect(world *w, cpl_status got, cpl_status wanted, const char *what);
/* A live one drawn, or NULL; a free one, or NULL. */
array *some_array(world *w);
array *free_array(world *w);
queue *some_queue(world *w);
const char *place_name(int place);
int array_number(const world *w, const array *a);
int queue_number(const world *w, const queue *q); /* -1 for NULL */
cpl_queue *handle_of(queue *q);                   /* NULL for NULL */
/* A queue for a call about a place, or NULL, which stands for the default one. */
queue *draw_queue(world *w, int place);
/* The queue that works: the place's default one where none is given. */
queue *working(world *w, queue *q, int place);
bool any_recording(const world *w);
/* An event slot, or NULL: none is asked for. */
event *draw_event(world *w);

extern const step_fn array_steps[], launch_steps[], queue_steps[], wrong_steps[];
extern const size_t array_step_count, launch_step_count, queue_step_count, wrong_step_count;

#endif
