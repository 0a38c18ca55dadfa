/*
 * Devices: what they have in common, and the table of operations that each kind implements.
 *
 * device.c  what they have in common    pool.c     device memory kept for later arrays
 * find.c    those of a context, by number and name
 * host.c    the host as a device        storage.c  memory of arrays, where it is valid
 * cuda*.c   NVIDIA's driver             array.c    arrays, views, memory of the caller's
 * opencl*.c OpenCL                      move.c     moving arrays between places
 * queue.c   queues, events, faults      submit.c   giving kernels to devices
 * recording.c  what a queue records     graph.c    launches of that
 * convert.c copies between types         slice.c    parts of arrays, arrays that grow
 * code.c    kernels loaded on devices      place.c    arguments where a launch uses them
 * costs.c   what launches and copies take
 * choice.c  the device that a launch is expected to be done first on
 * ../plan.c several kernels as one
 *
 * Who owns what: a context has its devices, a device its default queue and its pool; a queue of the
 * user's holds the context, the default queue does not (it would never go). A kernel has its code
 * on each device and with it the fault records; arrays hold their memory and the queue that used it
 * last.
 */
#ifndef CPL_RUNTIME_DEVICE_H
#define CPL_RUNTIME_DEVICE_H

#include "runtime/profile.h"
#include "runtime/runtime.h"
#include "lib/support/target.h"

#include "cpl/array.h"

typedef struct dev_ops dev_ops;
typedef struct dev_block dev_block;
typedef struct dev_span { /* from a byte of a block on */
    dev_block *block;
    size_t at;
    bool pinned; /* page-locked host memory */
} dev_span;
typedef struct dev_code dev_code;
typedef struct dev_loading dev_loading;
typedef struct dev_fault dev_fault;
typedef struct recording recording;

/* A piece of device memory. */
struct dev_block {
    cpl_device *device;
    /* of its first byte; where memory has no address (cl_mem) a number of our own, unlike that of
     * any other block */
    uint64_t address;
    void *memory;    /* cl_mem; NULL: address is real */
    size_t size;     /* bytes */
    bool foreign;    /* the host program's */
    cpl_queue *last; /* used it last; holds a reference. NULL: nobody is at work on it */
    dev_block *next; /* in the pool */
};

/* pool.c: free blocks by size. */
#define POOL_BINS 256
typedef struct dev_pool {
    pthread_mutex_t lock;
    dev_block *bins[POOL_BINS];
    uint64_t used, pooled; /* bytes */
} dev_pool;

/* device.c */
struct cpl_device {
    const dev_ops *ops;
    cpl_context *cx;      /* not held: the context has its devices */
    struct devices *all;  /* them */
    cpl_device_info info; /* texts are owned */
    tgt_target target;    /* info.target, parsed */
    pthread_mutex_t lock; /* of opening and of what is being loaded */
    dev_loading *loadings;
    bool opened;
    cpl_status open_status;
    bool takes_ptx;                             /* inside of OpenCL C: tgt_target */
    bool mixes_arrays;                          /* work-items' private ones, in SPIR-V */
    bool reorders_sums;                         /* of floats, in a kernel's own loops */
    atomic_bool lost;                           /* every later call answers CPL_EDEVICELOST */
    atomic_bool untimed;                        /* it could not be: it is never chosen */
    _Atomic(cpl_queue *) queue;                 /* the default one, or NULL */
    atomic_int queue_status;                    /* why the default one could not be made */
    _Atomic(const struct device_costs *) costs; /* costs.c; NULL: not asked for yet */
    dev_pool pool;
};

#define DEVICE_KIND(name, number, text) +1
enum {
    DEVICE_KINDS =
#include "cpl/device.def"
};
#undef DEVICE_KIND

typedef struct devices {
    pthread_mutex_t lock;
    bool found;
    cpl_device *host;
    cpl_device **at; /* [count], host first; complete once found */
    size_t count;
    char *absent[DEVICE_KINDS];  /* by cpl_device_kind: why there are none, or NULL */
    atomic_uint queues;          /* number of queues made so far */
    struct dev_storage *wrapped; /* whose memory others may wrap too; under the context's lock */
    atomic_uint moved;           /* those of the host's memory that have memory on devices too */
    /* by cpl_profile_what */
    struct {
        _Atomic(uint64_t) count, bytes;
    } copies[CPL_PROFILE_ON_DEVICE + 1];
    struct choices *choices; /* choice.c; under the lock. NULL: none was made */
    size_t choices_size;
} devices;

/* find.c: the context's, made with the first call; drivers are not opened yet. NULL: out of
 * memory */
devices *devices_of(cpl_context *cx);
cpl_device *device_host(cpl_context *cx); /* NULL: out of memory */
/* host.c: as many threads as can be at once, of a pool of the program's where it gave one. */
uint32_t host_workers(const cpl_device *host);
cpl_device_kind device_kind_for(const tgt_target *t); /* that runs such code */
const char *device_kind_name(cpl_device_kind kind);   /* "cuda"; NULL: there is no such kind */
/* Opens a device when it is first used; CPL_EDEVICELOST, reported, if it was lost. */
cpl_status device_open(cpl_device *d);
cpl_status device_lost(cpl_device *d); /* reports it */
/* Used by back ends that look for devices: adds one (owned from then on), says why there are none.
 * False: out of memory. */
bool devices_add(devices *all, cpl_device *d);
void devices_absent(cpl_context *cx, devices *all, cpl_device_kind kind, const char *format, ...)
    PRINTF_LIKE(4, 5);
/* Takes from a target what the device cannot do. */
void device_features(const cpl_device *d, tgt_target *t);
/* A device's text; NULL when out of memory. */
const char *device_text(cpl_context *cx, const char *format, ...) PRINTF_LIKE(2, 3);
static inline bool is_host(const cpl_device *d)
{
    return d->info.kind == CPL_DEVICE_HOST;
}
static inline const char *device_place(const cpl_device *d) /* in messages */
{
    return is_host(d) ? "the host" : d->info.label;
}
/* Of a device whose work-items are threads that each have many rounds: how many of them a launch
 * has; 0: rounds are for far more work-items than need be counted. */
uint32_t device_threads(const cpl_device *d);

/* queue.c */
struct cpl_queue {
    cpl_device *device;
    atomic_uint references;
    atomic_uint remembered; /* references of blocks that it used last (queue_remember) */
    bool is_default;        /* lives with its device, which does not count as holding the context */
    uint32_t number;        /* in its context, from 1 */
    char *target;           /* text */
    const char *compiles;   /* cpl_spec.target of what runs here: the same, of the host NULL */
    void *native;           /* CUstream, cl_command_queue */
    bool borrowed;          /* native is the host program's */
    atomic_bool given;      /* something to do, since somebody waited with queue_await */
    void *own;              /* what the back end keeps with it */
    _Atomic(recording *) recording; /* between cpl_graph_begin and cpl_graph_end */
    void (*forget)(
        cpl_queue *q);        /* what it records, as the queue goes; set by who lets it record */
    pthread_mutex_t lock;     /* of faults and what is below, and of what the back end keeps */
    dev_fault *faults;        /* fault records of kernels that ran here */
    dev_block scratch, zeros; /* of queue_take and queue_zeros; size 0: none */
};

/* A place in a queue, and when what stands before it began and ended. Holds no queue: the profile
 * keeps these in the context. */
typedef struct dev_ticks {
    atomic_uint references;
    cpl_device *device;
    /* native; NULL: complete when made. begin: CUDA's, only while profiling */
    void *begin, *end;
    bool timed;                /* begin and end times are wanted */
    uint64_t begin_ns, end_ns; /* host */
} dev_ticks;

struct cpl_event {
    atomic_uint references;
    cpl_queue *queue;   /* held */
    dev_ticks *ticks;   /* held */
    cpl_kernel *kernel; /* held: whose fault record to look at; or NULL */
};

dev_ticks *ticks_create(cpl_queue *q); /* NULL: out of memory, reported */
void ticks_release(dev_ticks *t);      /* NULL is allowed */

/*
 * Around each launch and copy: what the caller's event and the profile need. begin makes ticks only
 * if one of them asks (*t NULL otherwise); end hands them over, and releases them when status is an
 * error.
 */
typedef struct dev_watch {
    dev_ticks *ticks;
    cpl_event *event;
    bool profiled;
    uint64_t begin_ns;
} dev_watch;
cpl_status watch_begin(cpl_queue *q, cpl_event **event, dev_watch *w);
typedef struct dev_done { /* between the two */
    cpl_profile_what what;
    const char *name;
    uint64_t bytes;
    cpl_kernel *kernel; /* with checks, or NULL */
} dev_done;
cpl_status watch_end(cpl_queue *q, dev_watch *w, cpl_status status, cpl_event **event,
                     const dev_done *done);

/* What q is given from now on runs behind what `other` (may be NULL) was given so far. */
cpl_status queue_behind(cpl_queue *q, cpl_queue *other);
/* Sets *last, which holds a queue or is NULL. Of one that has done all when a call returns nothing
 * is left to remember. */
void queue_remember(cpl_queue **last, cpl_queue *q);
/* Why cpl_device_queue answered NULL. */
cpl_status device_no_queue(cpl_device *d);
/* Memory for what launches of the queue, which follow each other, leave to each other: so many
 * bytes, the caller's until it has given its launches and puts them back. */
cpl_status queue_take(cpl_queue *q, size_t size, dev_block *block);
void queue_put(cpl_queue *q, dev_block *block);
/* QUEUE_ZEROS bytes that launches of the queue hand on, each to the next: all zeros at first. */
enum { QUEUE_ZEROS = 128 << 10 };
cpl_status queue_zeros(cpl_queue *q, uint64_t *address);
/* Waits until the queue is empty, and looks at no faults. */
cpl_status queue_drain(cpl_queue *q);
/*
 * In front of what waits for the queue, in calls that may end early: CPL_ECANCELLED, reported, when
 * the context's poll function ended the wait; what the queue was given goes on then. Where there is
 * no such function nothing is waited for here. settle: both.
 */
cpl_status queue_await(cpl_queue *q);
cpl_status queue_settle(cpl_queue *q);
cpl_status ticks_await(dev_ticks *t); /* for one place in it */
/* Whoever gave it something says so. */
static inline void queue_gave(cpl_queue *q)
{
    atomic_store_explicit(&q->given, true, memory_order_relaxed);
}
/* CPL_EDEVICELOST, reported, if the device is lost; CPL_EARG, reported, if the queue records and
 * the call would wait (text: which call). */
cpl_status queue_ready(cpl_queue *q);
cpl_status queue_may_wait(cpl_queue *q, const char *what);

/* The record that a kernel with checks writes its first fault to, one a kernel and queue. */
struct dev_fault {
    cpl_kernel *kernel;
    cpl_queue *queue;    /* held */
    dev_block block;     /* a cpl_fault, zeroed */
    atomic_bool pending; /* a launch was made that nobody has waited for */
    dev_fault *next;     /* in the queue's list */
    dev_fault *next_of_code;
};
/* Finds or makes it. */
cpl_status fault_for(cpl_queue *q, cpl_kernel *k, dev_code *code, dev_fault **fault);
/* Reports a fault of a kernel (NULL: of any) that was launched on a drained queue, and clears
 * it. */
cpl_status faults_check(cpl_queue *q, const cpl_kernel *k);
void fault_free(dev_fault *f); /* takes it off its queue's list */

/* code.c: a kernel loaded on a device. */
struct dev_code {
    dev_code *next; /* of the kernel's list, which only grows */
    cpl_device *device;
    void *module, *function; /* CUmodule and CUfunction; cl_program and cl_kernel */
    uint32_t group;          /* work-items of a group that suit an elementwise launch */
    uint32_t most_group;     /* a group can have */
    uint32_t most_groups;    /* groups beyond which a grid-stride loop is better off; 0: no limit */
    uint32_t static_local;   /* bytes of local memory that the kernel has anyway */
    pthread_mutex_t lock;    /* OpenCL: of the kernel's arguments; all: of faults */
    dev_fault *faults;
    void *own; /* what the back end keeps with it */
};
/* The kernel's code on a device, loaded when it is first asked for. */
cpl_status code_for(cpl_kernel *k, cpl_device *d, dev_code **code);
/* Finished code of a driver (cubins, program binaries) in the disk cache, by the text it was made
 * from and what else it depends on. */
void binary_key(cpl_device *d, const artifact *a, const char *driver,
                uint8_t key[ARTIFACT_KEY_SIZE]);
bool binary_get(cpl_device *d, const uint8_t *key, strbuf *out);
void binary_put(cpl_device *d, const uint8_t *key, const void *bytes, size_t size);

/* A launch, ready for a back end. */
typedef struct dev_launch {
    cpl_kernel *kernel;
    dev_code *code;
    binding *values;           /* of the parameters; addresses for arrays */
    int64_t rounds;            /* the host: of an elementwise function, else 1 */
    void *result;              /* the host: of a plain function; NULL: not wanted */
    dev_block *const *blocks;  /* [param_count] NULL where the value is plain */
    const size_t *local_sizes; /* [param_count] bytes of a local parameter, else 0 */
    /* [param_count] bytes from the value's address that an array covers */
    const size_t *extents;
    uint64_t local_bytes; /* of all local parameters; no more than the device has */
    uint64_t groups[3];
    uint32_t group[3];
} dev_launch;

/*
 * What each kind of device can do. All report their errors, with the call's name and the driver's
 * text, and mark lost devices. Ticks, where they are not NULL, are to be filled in.
 */
struct dev_ops {
    bool at_once;       /* all is done when a call returns */
    bool shares_memory; /* the program's, where kernels follow its pointers: there is no pool */
    bool write_waits;   /* for all that the queue was given before */
    uint32_t (*threads)(const cpl_device *d); /* device_threads; NULL: 0 */
    uint32_t most_groups;                     /* in the second and third dimension of a grid */
    /* the driver's function that alloc calls; NULL where there is no pool */
    const char *(*alloc_name)(const cpl_device *d);
    cpl_status (*open)(cpl_device *d); /* once, under the device's lock */
    void (*close)(cpl_device *d);      /* undoes open, if that ran */
    void (*release)(cpl_device *d);    /* frees *d; its texts and queue are gone */
    void *(*native)(cpl_device *d, void **id);
    cpl_status (*queue_open)(cpl_queue *q, const cpl_queue_options *options);
    void (*queue_close)(cpl_queue *q);
    cpl_status (*drain)(cpl_queue *q);
    /* q waits for what other, of the same kind of device, was given. */
    cpl_status (*behind)(cpl_queue *q, cpl_queue *other);
    cpl_status (*record)(cpl_queue *q, dev_ticks *t);
    cpl_status (*ticks_sync)(dev_ticks *t);
    cpl_status (*ticks_done)(dev_ticks *t, bool *done);
    /* of complete ones; false, not reported: not known */
    bool (*ticks_duration)(dev_ticks *t, uint64_t *ns);
    cpl_status (*ticks_behind)(cpl_queue *q, dev_ticks *t); /* of the same kind of device */
    void (*ticks_close)(dev_ticks *t);
    /* Memory. alloc answers CPL_ENOMEM without a report when the device is full. */
    cpl_status (*alloc)(cpl_device *d, size_t size, dev_block *block);
    void (*free)(dev_block *block);
    /* foreign memory; block.size is set */
    cpl_status (*adopt)(cpl_device *d, void *memory, bool is_pointer, dev_block *block);
    /* NULL: ordinary memory does; may be NULL */
    void *(*pinned_alloc)(cpl_device *d, size_t size);
    void (*pinned_free)(cpl_device *d, void *memory);
    /* page-locks memory of the caller's; false, not reported: it cannot be had. May be NULL */
    bool (*pin)(cpl_device *d, void *memory, size_t size);
    void (*unpin)(cpl_device *d, void *memory);
    /* small; waits; is no part of a graph */
    cpl_status (*store)(cpl_queue *q, dev_block *to, const void *from, size_t size);
    cpl_status (*zero)(cpl_queue *q, dev_block *to, size_t at, size_t size);
    /* `from` may change when write returns, unless pinned: then when the queue has done it. read
     * returns when `to` is filled. */
    cpl_status (*write)(cpl_queue *q, dev_span to, const void *from, size_t size, bool pinned,
                        dev_ticks *t);
    cpl_status (*read)(cpl_queue *q, const dev_block *from, size_t at, void *to, size_t size,
                       dev_ticks *t);
    bool peers; /* copy works between two devices */
    /* Between blocks of one device, or of two if peers; q is of one of them. */
    cpl_status (*copy)(cpl_queue *q, dev_span to, dev_span from, size_t size, dev_ticks *t);
    /* Code. */
    cpl_status (*load)(cpl_device *d, cpl_kernel *k, dev_code *code);
    void (*unload)(dev_code *code);
    cpl_status (*launch)(cpl_queue *q, const dev_launch *launch, dev_ticks *t);
    /* The driver's own graphs; graph_begin NULL or answering CPL_EUNSUPPORTED: launches are
     * recorded in a list. */
    cpl_status (*graph_begin)(cpl_queue *q);
    cpl_status (*graph_end)(cpl_queue *q, void **graph); /* graph NULL: dropped */
    cpl_status (*graph_launch)(cpl_queue *q, void *graph, dev_ticks *t);
    void (*graph_free)(cpl_device *d, void *graph);
};

/* Work-items of a group that nobody chose, at most: larger ones gain nothing and leave
 * multiprocessors idle on small arrays. */
enum { USUAL_GROUP = 256 };

/* What there is of each kind. look: looks for devices and adds them; what is missing goes to
 * devices_absent. False: out of memory. */
#define DEVICE_KIND(name, number, text)                                                            \
    extern const dev_ops text##_ops;                                                               \
    bool text##_look(cpl_context *cx, devices *all);
#include "cpl/device.def"
#undef DEVICE_KIND

/* grid_host.c */
/* On the host: work-items of a group, and lanes of a full sub-group of the pass group. */
enum { HOST_MOST_GROUP = MOST_GROUP, HOST_SUBGROUP = 32 };
/* Runs a kernel of the host over the grid of a launch. CPL_ENOMEM, reported. */
cpl_status grid_run_host(cpl_context *cx, const dev_launch *l, uint32_t most_workers);

/* pool.c */
/* A block of at least size bytes (from the pool, or the driver; from the driver again after all
 * pooled blocks went back), which q uses first. */
cpl_status pool_alloc(cpl_device *d, cpl_queue *q, size_t size, dev_block *block);
/* Back to the pool; block.last tells later users whom to wait for. */
void pool_free(dev_block *block);
/* A block that a queue keeps for later counts as one of the pool's, until it does so no more. */
void pool_keep(const dev_block *block, bool kept);
cpl_status pool_trim(cpl_device *d);
void pool_close(cpl_device *d);

/* storage.c */
typedef struct dev_slot { /* an array's memory in one place */
    struct dev_slot *next;
    dev_block block; /* block.device; on the host address is the pointer */
    bool valid;
    bool pinned; /* host: page-locked by pinned_for */
} dev_slot;

typedef struct dev_storage { /* what an array and its views share */
    atomic_uint references;
    cpl_context *cx; /* held */
    size_t size;     /* bytes */
    cpl_device *home, *pinned_for;
    dev_slot *slots;
    void *wrapped; /* memory of the caller's, as it was given */
    struct dev_deleter *deleters;
    struct dev_storage *next_wrapped;
    /* choice.c, under the devices' lock: what launches would have saved on that device so far */
    const cpl_device *missed_on;
    double missed_us;
    bool listed;       /* among devices.wrapped */
    atomic_bool stays; /* cpl_array_stay */
    atomic_bool left;  /* its array has other memory now, its views do not */
} dev_storage;

struct cpl_array {
    atomic_uint references;
    dev_storage *storage; /* held */
    cpl_array *parent;    /* held, or NULL */
    cpl_dtype dtype;
    const cpl_type *record;
    size_t element_size, align, offset;
    int dims;
    int64_t shape[CPL_MAX_DIMS], strides[CPL_MAX_DIMS];
    int64_t length;
    bool contiguous;
};

dev_slot *storage_slot(const dev_storage *s, const cpl_device *d); /* NULL: no memory there */
/* Makes memory in a place, not valid yet. q uses it first (may be NULL for the host). */
cpl_status storage_reserve(dev_storage *s, cpl_device *d, cpl_queue *q, dev_slot **slot);
/* Takes memory of the caller's at the storage's home, valid, page-locked if that is asked for and
 * can be had. */
cpl_status storage_adopt(dev_storage *s, const cpl_array_options *o, void *memory);
void storage_drop(dev_storage *s, dev_slot *slot); /* gives back its memory there */
void storage_retain(dev_storage *s);
/* The place is the only valid one; q (may be NULL) is at work on it. */
void storage_written(dev_storage *s, dev_slot *slot, cpl_queue *q);
/* A place where the storage is valid, `wanted` (may be NULL) if it is; the home if there is
 * none. */
dev_slot *storage_valid(const dev_storage *s, const cpl_device *wanted);
/* Where it is valid, for messages: "the host", "cuda:0". */
const char *storage_place(const dev_storage *s);

/* array.c */
/* Brings home what is elsewhere, with the last reference. NULL is allowed. */
void storage_release(dev_storage *s);
/* A storage of nobody's array, with memory in one place, valid there, which q uses first. What is
 * recorded keeps it. */
cpl_status storage_scratch(cpl_device *d, cpl_queue *q, size_t size, dev_storage **s);
/* As cpl_array_wrap; share: with others over the same memory. */
cpl_status array_wrap(cpl_device *d, const cpl_array_options *options, void *memory, bool share,
                      cpl_array **array);

/* Elements that an array has memory for. */
static inline int64_t array_capacity(const cpl_array *a)
{
    if (a->dims != 1 || a->parent || a->storage->wrapped) return a->length;
    return (int64_t)(a->storage->size / a->element_size);
}
/* slice.c: whether an array may get other memory (CPL_EARG), and that. */
cpl_status array_may_grow(const cpl_array *a);
cpl_status array_set_capacity(cpl_array *a, int64_t capacity);
/* convert.c: a module of the context's that has no functions of the caller's. */
cpl_status runtime_module(cpl_context *cx, cpl_module **module);
/* move.c: between arrays of one type, what cpl_array_copy does then. */
cpl_status array_copy(cpl_array *to, cpl_array *from, cpl_queue *queue, cpl_event **event);
/* Why one cannot be copied to the other, whatever their types. */
cpl_status array_check_copy(const cpl_array *to, const cpl_array *from, const cpl_queue *queue);
/* Whether a call of this process' may use the queue, or NULL, for an array. */
cpl_status array_may_use(const cpl_array *array, const cpl_queue *queue);

/* move.c */
/* Makes the whole storage valid in a place; q is of that device, or of the device it comes from. */
cpl_status storage_move(dev_storage *s, cpl_device *to, cpl_queue *q, cpl_event **event);
/* Bytes between two blocks in any places. */
cpl_status blocks_copy(dev_block *to, size_t to_at, dev_block *from, size_t from_at, size_t size,
                       cpl_queue *q);

/* A kernel that was stopped by nothing but its own checks ran all the same. */
static inline bool may_have_written(cpl_status status)
{
    return !status || status == CPL_EBOUNDS || status == CPL_EASSERT;
}

/* costs.c */
enum { COST_POINTS = 9, COST_LEAST = 1 << 10, COST_WORK = 64 };
/* Microseconds of what has COST_LEAST bytes, of 4 times as many, and so on. */
typedef struct cost_curve {
    float us[COST_POINTS];
} cost_curve;
typedef struct device_costs {
    cost_curve memory;     /* a kernel that reads and writes so many bytes, and a wait for it */
    cost_curve arithmetic; /* one of COST_WORK times as many micro-operations (artifact.work) */
    cost_curve to, from;   /* copies from and to memory of the host; of the host itself 0 */
} device_costs;
double cost_at(const cost_curve *c, double size);
/* A device's, which live as long as it; measured, which takes about a second, where they are
 * neither on disk nor in $CPL_COSTS. */
cpl_status costs_of(cpl_device *d, const device_costs **costs);
bool costs_are_said(const cpl_device *d); /* in $CPL_COSTS */

/* choice.c */
/* What a device is chosen for. */
typedef struct choice_of {
    const char *name;   /* of the function or algorithm, for the profile */
    uint64_t key;       /* what is learned of it is kept by; not 0 */
    cpl_kernel *kernel; /* the host's for these arguments; NULL: an algorithm */
    bool writes;        /* an algorithm: to its arguments */
    double passes;      /* over the memory of its arguments */
    double results;     /* an algorithm: bytes of them elsewhere, by those of its arguments */
    double work;        /* micro-operations in all; 0: memory alone counts */
    const cpl_arg *args;
    size_t count;
} choice_of;
/* What was chosen, until it has run. */
typedef struct device_choice {
    uint64_t key;
    size_t device;    /* among those that may be chosen */
    double bytes;     /* of all arrays */
    int size;         /* that is learned of */
    bool moves;       /* arrays go there */
    cpl_queue *queue; /* its default one */
    uint64_t begin_ns;
    double copies_us;
    double expected_us; /* of the kernel; 0: nothing is to be learned */
} device_choice;
/* Whether such a launch runs where it is expected to be done first. */
bool choice_wanted(cpl_context *cx, const cpl_launch_options *o, const cpl_arg *args, size_t count);
/* The device that is expected to be done first. */
cpl_status choice_make(cpl_context *cx, const choice_of *w, device_choice *c);
/* Behind the launch: takes its time, which is waited for, if that is to be known. All zeros:
 * nothing was chosen. */
void choice_end(const device_choice *c, cpl_status status);
/* The device cannot run the function: it is not chosen for it again. */
void choice_refused(const device_choice *c);

/* place.c */
/* Arguments where they are used. */
typedef struct placed {
    cpl_device *device;
    cpl_queue *queue;
    bool moves; /* what is elsewhere, whatever the context's option says */
    size_t count;
    cpl_arg args[MOST_GIVEN]; /* data is the address on the device */
    dev_storage *storages[MOST_GIVEN];
    dev_slot *slots[MOST_GIVEN]; /* NULL: no array, or memory of the host's own */
    /* over memory of the caller's, moved here for this launch; or NULL */
    cpl_array *made[MOST_GIVEN];
    void *given[MOST_GIVEN]; /* that memory: the first element */
} placed;

/* The device of a launch without a queue: the first array's home, else the host; NULL when memory
 * ends. */
cpl_device *place_device(cpl_context *cx, const cpl_arg *args, size_t count);
/* Arrays as plain arguments of the types and shapes that they have, wherever they are. */
cpl_status place_describe(cpl_context *cx, const cpl_arg *args, size_t count, cpl_arg *plain);
/* An array of the host's that has memory nowhere else, at which nobody is at work, as a plain
 * argument; false of others, with *arg as it was. */
bool place_bare(cpl_context *cx, cpl_arg *arg);
/* Places the arguments for the options' queue (NULL: the default one of the first cpl_array's home,
 * else the host's). Behind it, whatever it returned, comes place_end, or place_drop where nothing
 * ran. */
cpl_status place_begin(placed *p, cpl_context *cx, const cpl_launch_options *o, const cpl_arg *args,
                       size_t count);
/* One more argument, behind the others; what: what errors call it, NULL where there are none. */
cpl_status place_more(placed *p, const cpl_arg *arg, const char *what);
/* Argument `to` becomes what `from` is of another one's, or of its own. */
void place_take(placed *p, size_t to, const placed *of, size_t from);
/* Leaves the arguments that are values, behind the choice of a kernel. */
void place_values(placed *p);
/* Nobody but the queue is at work on the arrays; on the host, nobody at all. */
cpl_status place_ready(const placed *p);
/* They were used as a kernel does, and what it writes is valid here alone. */
void place_written(const placed *p, const artifact *a);
/* Keeps them for what the queue records. */
cpl_status place_keep(const placed *p, const artifact *a);
uint64_t place_bytes(const placed *p); /* of the arrays */
/* Two foreign cl_mem may be parts of one, and nobody says so. */
bool place_is_opaque(const placed *p);
/* Whether their addresses say all about what memory they share. */
bool place_is_plain(const placed *p);
/* Whether rounds can run one after the other there, or come in an order that the caller chose. */
bool place_can_order(const placed *p, const cpl_kernel *k);
/* CPL_EOVERLAP, reported, where they would have to and cannot. */
cpl_status place_check_order(const placed *p, const cpl_kernel *k);
/* Likewise where rounds cannot come in order, since the kernel is one of a plan. */
cpl_status place_check_whole(const placed *p, const cpl_kernel *k);
/* Brings back what was written in memory of the caller's, unless status is an error. */
cpl_status place_end(placed *p, cpl_status status);
void place_drop(placed *p);

/* submit.c */
/* CPL_EARG, reported, when a kernel is for another target. */
cpl_status submit_check(const cpl_kernel *k, const placed *p);
/* Whether the queue takes such a launch while it records: CPL_EARG, reported, if that would wait.
 */
cpl_status submit_may_record(const cpl_kernel *k, const placed *p, const cpl_launch_options *o);
/* Gives a kernel to the device of its arguments, as the options say. n: the rounds of an
 * elementwise function. bound: the arguments, when they are known to be apart, or NULL. */
cpl_status submit(cpl_kernel *k, placed *p, const cpl_launch_options *o, int64_t n, binding *bound);

/*
 * plan.c: a plan is several kernels of a module that run one after the other as one launch, with
 * memory of their own between them. It is found as one of its kernels is, by what that was
 * specialised for; it never changes, lives as long as the module, and runs on any queue of any
 * device that its kernels are for.
 *
 * How large all is follows from each launch: the plan's rule fills in a plan_launch. The plan's own
 * arguments are scalars, and arrays for which memory is found: the device's pooled memory, given
 * back behind the last step; what is recorded keeps it. A step takes arguments of the caller's and
 * of the plan's in any order. Each is a launch like any other, with its own kernel's name in the
 * profile; the last one has the caller's event and result.
 */
enum { MOST_STEPS = 7 };
typedef struct plan plan;
typedef struct plan_launch {
    const plan *plan;
    cpl_queue *queue;
    const cpl_arg *args; /* the caller's, placed */
    size_t count;
    int64_t n;    /* rounds that the caller asked for */
    int64_t turn; /* how often all steps have run in this launch */
    /* for the rule to fill in. More turns come behind this one, with the same arrays */
    bool more;
    bool alone; /* on the host: to wake threads would take longer than what there is to do */
    int zeroed; /* which of the arrays is queue_zeros'; -1: none */
    /* an array's data comes later, and its length counts in the first turn alone */
    cpl_arg own[MOST_OWN];
    cpl_launch_options steps[MOST_STEPS]; /* n, global, local; the usual ones at first */
} plan_launch;

/* Which argument a step takes: the caller's by number, or the plan's. */
#define PLAN_OWN(i) ((uint8_t)(MOST_ARGUMENTS + (i)))
typedef struct plan_step {
    cpl_kernel *kernel; /* of the plan's module */
    size_t count;
    uint8_t args[MOST_GIVEN];
} plan_step;

struct plan {
    cpl_status (*rule)(plan_launch *l);
    uint32_t flags;   /* for the rule */
    size_t arg_count; /* of the caller's */
    size_t own_count, step_count;
    plan_step steps[MOST_STEPS];
};
/* The plan of a kernel, filled in by make (which reports what it fails for) when it is first asked
 * for. Of two threads at it one's is kept; their kernels are compiled once. */
typedef cpl_status (*plan_maker)(void *user, cpl_kernel *key, plan *p);
cpl_status plan_find(cpl_kernel *key, plan_maker make, void *user, plan **found);
/* Launches all steps. Arguments and n as in submit. */
cpl_status plan_submit(const plan *p, placed *all, const cpl_launch_options *o, int64_t n);

/* reduction.c: fills in the plan of a kernel with artifact.after. */
cpl_status reduction_plan(void *user, cpl_kernel *last, plan *p);

/* recording.c */
/* s is used by what is recorded, in that place. */
cpl_status recording_keep(recording *r, dev_storage *s, dev_slot *slot, bool written);
/* The same by a launch: what nothing recorded has written has to be there when the graph runs. */
cpl_status recording_use(recording *r, dev_storage *s, dev_slot *slot, bool written);
/* True if what is recorded so far writes the slot: from there on it is valid. r may be NULL. */
bool recording_valid(const recording *r, const dev_slot *slot);
/* Keeps a kernel, and its fault record (NULL: without checks). */
cpl_status recording_kernel(recording *r, cpl_kernel *kernel, dev_fault *fault);
/* True if launches are kept in a list of ours, and not by the driver; r may be NULL. */
bool recording_lists(const recording *r);
cpl_status recording_launch(recording *r, const dev_launch *launch, uint64_t bytes);
cpl_status recording_copy(recording *r, dev_block *to, size_t to_at, const dev_block *from,
                          size_t from_at, size_t size);

#endif
