/*
 * Expressions of arrays on the host that all have the shape of the result, or are repeated to fill
 * a small one: what is compiled for an expression is found by its operations and by what its leaves
 * are, and launched with no step in between. All else cpl/expressions.py computes through
 * cpl_array_map, which looks for the best order of dimensions.
 */
#include "expression.h"

#include <stdlib.h>

enum {
    MOST_INDICES = 3,
    MOST_WORDS = 1 + MOST_OPERATIONS + MOST_LEAVES,
    BUCKETS = 1024,
    MOST_ENTRIES = 4096,
    MOST_ALONE = 1 << 11,    /* elements of a result that is not worth a second thread */
    MOST_REPEATED = 1 << 14, /* elements of a result for which the order does not matter */
};

/* What an expression runs. */
typedef struct entry {
    struct entry *next;
    uint64_t hash, epoch, process;
    PyObject *module; /* a module_object */
    cpl_kernel *kernel;
    int64_t short_below;
    size_t word_count;
    uint64_t words[];
} entry;

static entry *buckets[BUCKETS];
static size_t entry_count;

/* The arguments of a launch and, in words, all that its kernel depends on: of the result, then of
 * each operation and leaf in order. */
typedef struct call {
    array_object *to;
    const cpl_array_info *out;
    uintptr_t begin, end; /* the memory that the result is in */
    bool is_flat;         /* all lie side by side */
    size_t word_count, count, leaf_count;
    uint64_t words[MOST_WORDS];
    uint8_t places[MOST_LEAVES]; /* of each leaf: which argument behind the result it is */
    uint8_t lies[MOST_LEAVES];   /* of each argument behind the result: as lie_of; 0: a number */
    const array_object *arrays[MOST_LEAVES];
    cpl_arg args[1 + MOST_LEAVES];
} call;

/* --- arguments --- */

enum { WORD_ARRAY = 8, WORD_NUMBER = 9 }; /* in front of those is a number of operands */

static void add_word(call *c, uint64_t kind, uint64_t rest)
{
    c->words[c->word_count++] = kind << 56 | rest;
}

static void add_place(call *c, size_t place)
{
    c->places[c->leaf_count++] = (uint8_t)place;
}

static bool same_sizes(const int64_t *a, const int64_t *b, int dims)
{
    return !memcmp(a, b, (size_t)dims * sizeof *a);
}

static bool is_plain(const array_object *a)
{
    return a->array && !a->place && a->dtype && a->process == binding_process;
}

/* From the first byte of an array's elements to behind the last. */
static void reach(const cpl_array_info *info, uintptr_t at, uintptr_t *begin, uintptr_t *end)
{
    *begin = at;
    *end = at + info->element_size;
    for (int d = 0; d < info->dims; d++) {
        int64_t by = info->strides[d] * (info->shape[d] - 1);
        if (by < 0) *begin -= (uintptr_t)-by;
        else *end += (uintptr_t)by;
    }
}

/* Whether two arrays in one memory have no element in common, or each the same as the other. */
static bool are_apart(const array_object *a, const array_object *b)
{
    uintptr_t a_begin, a_end, b_begin, b_end;
    const uintptr_t at = (uintptr_t)cpl_array_address(a->array, NULL, NULL),
                    bt = (uintptr_t)cpl_array_address(b->array, NULL, NULL);
    reach(&a->info, at, &a_begin, &a_end);
    reach(&b->info, bt, &b_begin, &b_end);
    if (a_begin >= b_end || b_begin >= a_end) return true;
    return at == bt && a->info.element_size == b->info.element_size &&
           array_has_shape(&a->info, b->info.dims, b->info.shape) &&
           same_sizes(a->info.strides, b->info.strides, a->info.dims);
}

/* Whether what is written is read as no other element. */
static bool is_apart(const call *c, array_object *a)
{
    uintptr_t begin, end;
    array_extent(a, &begin, &end);
    return a == c->to || begin >= c->end || c->begin >= end || are_apart(a, c->to);
}

enum { AS_RESULT = 1 };

/* How an array lies in the result: AS_RESULT; 1 << dims, and a bit for each of its dimensions that
 * is repeated; 0: it does not, or not so that it pays here. */
static unsigned lie_of(const cpl_array_info *info, const cpl_array_info *out)
{
    if (array_has_shape(info, out->dims, out->shape)) return AS_RESULT;
    if (!info->dims || info->dims > out->dims || out->dims > MOST_INDICES ||
        out->length > MOST_REPEATED)
        return 0;
    unsigned lie = 1u << info->dims;
    const int64_t *shape = out->shape + out->dims - info->dims;
    for (int d = 0; d < info->dims; d++) {
        if (info->shape[d] == shape[d]) continue;
        if (info->shape[d] != 1) return 0;
        lie |= 1u << d;
    }
    return lie;
}

static bool add_array(call *c, array_object *a)
{
    size_t place = 0;
    while (place + 1 < c->count && c->arrays[place] != a) place++;
    if (place + 1 < c->count) {
        add_word(c, WORD_ARRAY, place);
        add_place(c, place);
        return true;
    }
    const cpl_array_info *info = is_plain(a) ? array_info(a) : NULL;
    unsigned lie = info ? lie_of(info, c->out) : 0;
    if (!lie || !is_apart(c, a)) return false;
    add_word(c, WORD_ARRAY,
             (uint64_t)lie << 24 | (uint64_t)a->dtype << 16 | (uint64_t)info->contiguous << 8 |
                 (uint64_t)place);
    add_place(c, place);
    c->is_flat &= info->contiguous && lie == AS_RESULT;
    c->lies[place] = (uint8_t)lie;
    c->arrays[place] = a;
    c->args[c->count++] = cpl_arg_of_array(a->array);
    return true;
}

static void add_number(call *c, const operand *o)
{
    cpl_arg *arg = &c->args[c->count];
    *arg = cpl_arg_int(o->value.i);
    arg->kind = CPL_ARG_SCALAR;
    arg->dtype = o->dtype;
    add_word(c, WORD_NUMBER, (uint64_t)o->dtype);
    add_place(c, c->count - 1);
    c->lies[c->count - 1] = 0;
    c->arrays[c->count++ - 1] = NULL;
}

/* False: of something that is not so plain. */
static bool add_all(call *c, const expression *e)
{
    add_word(c, e->count, (uintptr_t)e->text);
    for (size_t i = 0; i < e->count; i++) {
        const operand *o = &e->operands[i];
        bool fine = true;
        if (!o->object) add_number(c, o);
        else if (expression_check(o->object)) fine = add_all(c, (expression *)o->object);
        else fine = array_check(o->object) && add_array(c, (array_object *)o->object);
        if (!fine) return false;
    }
    return true;
}

/* Whether the result's elements lie in the order of its indices, so that none other is better. */
static bool is_in_order(const cpl_array_info *out)
{
    for (int d = 1; d < out->dims; d++)
        if (llabs(out->strides[d - 1]) < llabs(out->strides[d])) return false;
    return true;
}

/* The indices that the kernel runs over; 0: they are too many. */
static int indices_of(const call *c)
{
    if (c->is_flat || c->out->dims < 2) return 1;
    return c->out->dims <= MOST_INDICES && is_in_order(c->out) ? c->out->dims : 0;
}

/* What a kernel is for besides the kinds of its arguments. */
typedef struct shape_class {
    int indices;
    bool alone; /* what one thread has done before others are awake */
} shape_class;

static shape_class class_of(const call *c)
{
    int indices = indices_of(c);
    return (shape_class){indices, indices > 1 && c->out->length <= MOST_ALONE};
}

static bool begin(call *c, array_object *to)
{
    c->to = to;
    c->word_count = 1;
    c->leaf_count = 0;
    c->out = is_plain(to) ? array_info(to) : NULL;
    if (!c->out) return false;
    c->is_flat = c->out->contiguous;
    c->args[0] = cpl_arg_of_array(to->array);
    c->count = 1;
    array_extent(to, &c->begin, &c->end);
    return true;
}

/* --- kernels --- */

static uint64_t hash_of(const call *c)
{
    uint64_t h = 0;
    for (size_t i = 0; i < c->word_count; i++) {
        h = (h ^ c->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h;
}

static void entry_free(entry *e)
{
    cpl_kernel_release(e->kernel);
    Py_XDECREF(e->module);
    PyMem_Free(e);
}

static void forget_all(void)
{
    for (size_t i = 0; i < BUCKETS; i++)
        for (entry *e = buckets[i], *next; e; e = next) {
            next = e->next;
            entry_free(e);
        }
    memset(buckets, 0, sizeof buckets);
    entry_count = 0;
}

static entry *find(const call *c, uint64_t hash)
{
    entry *e = buckets[hash % BUCKETS];
    while (e && (e->hash != hash || e->word_count != c->word_count ||
                 memcmp(e->words, c->words, c->word_count * sizeof *e->words) != 0))
        e = e->next;
    return e;
}

static PyObject *numbers_of(const uint8_t *numbers, size_t count)
{
    int64_t wide[MOST_LEAVES];
    for (size_t i = 0; i < count; i++) wide[i] = numbers[i];
    return array_numbers(wide, (int)count);
}

/* The module of cpl.expressions.kernel(form, places, how arguments lie, indices). */
static PyObject *write_kernel(const call *c, const expression *of, int indices)
{
    PyObject *expressions = PyImport_ImportModule("cpl.expressions");
    PyObject *form = expressions ? PyObject_GetAttrString((PyObject *)of, "form") : NULL;
    PyObject *module = !form ? NULL
                             : PyObject_CallMethod(expressions, "kernel", "NNNi", form,
                                                   numbers_of(c->places, c->leaf_count),
                                                   numbers_of(c->lies, c->count - 1), indices);
    Py_XDECREF(expressions);
    return module;
}

/* Compiles, without the GIL. */
static bool compile_as_set(entry *e, const call *c)
{
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.soon = true;
    cpl_module *module = ((module_object *)e->module)->module;
    cpl_status status;
    Py_BEGIN_ALLOW_THREADS status =
        cpl_kernel_for(module, "elements", &o, c->args, c->count, &e->kernel);
    Py_END_ALLOW_THREADS if (!diag_check(status, NULL)) return false;
    e->short_below = cpl_kernel_short_below(e->kernel);
    return true;
}

/* Where the kernel runs over several indices it does not know how long its rounds are. */
static bool compile(entry *e, const call *c, bool alone)
{
    own_settings settings;
    PyObject *pairs = alone ? Py_BuildValue("((si))", "num_threads", 1) : NULL;
    bool fine = (pairs || !alone) && settings_enter(pairs, &settings);
    if (fine) {
        fine = compile_as_set(e, c);
        settings_leave(&settings);
    }
    Py_XDECREF(pairs); /* it has the names */
    return fine;
}

static bool is_fresh(const entry *e)
{
    return e->epoch == binding_epoch && e->process == binding_process;
}

/* NULL with an exception. The caller's reference to the kernel. */
static entry *entry_new(const call *c, uint64_t hash, const expression *of, shape_class like)
{
    entry *e = PyMem_Calloc(1, sizeof *e + c->word_count * sizeof *e->words);
    if (!e) return (entry *)PyErr_NoMemory();
    e->hash = hash;
    e->epoch = binding_epoch;
    e->process = binding_process;
    e->word_count = c->word_count;
    memcpy(e->words, c->words, c->word_count * sizeof *e->words);
    e->module = write_kernel(c, of, like.indices);
    if (e->module && compile(e, c, like.alone)) return e;
    entry_free(e);
    return NULL;
}

static void drop(entry *stale)
{
    entry **at = &buckets[stale->hash % BUCKETS];
    while (*at != stale) at = &(*at)->next;
    *at = stale->next;
    entry_count--;
    entry_free(stale);
}

static entry *entry_for(const call *c, const expression *of, shape_class like)
{
    uint64_t hash = hash_of(c);
    entry *e = find(c, hash);
    if (e && is_fresh(e)) return e;
    if (e) drop(e);
    if (!(e = entry_new(c, hash, of, like))) return NULL;
    if (entry_count >= MOST_ENTRIES) forget_all();
    e->next = buckets[hash % BUCKETS];
    buckets[hash % BUCKETS] = e;
    entry_count++;
    return e;
}

/* --- launches --- */

/* Lets go of the GIL where the kernel may take more than a few microseconds. */
static cpl_status run(const entry *e, const call *c)
{
    cpl_kernel *kernel = e->kernel;
    if (c->out->length < e->short_below) return cpl_kernel_launch(kernel, NULL, c->args, c->count);
    cpl_kernel_retain(kernel); /* others may drop the entry */
    PyThreadState *state = PyEval_SaveThread();
    cpl_status status = cpl_kernel_launch(kernel, NULL, c->args, c->count);
    PyEval_RestoreThread(state);
    cpl_kernel_release(kernel);
    return status;
}

int expression_launch(const expression *e, array_object *to)
{
    call c;
    if (!begin(&c, to) || !add_all(&c, e)) return 0;
    shape_class like = class_of(&c);
    if (!like.indices) return 0;
    c.words[0] = (uint64_t)like.alone << 24 | (uint64_t)to->dtype << 16 |
                 (uint64_t)c.out->contiguous << 8 | (uint64_t)like.indices;
    if (!diag_listen()) return -1;
    entry *found = entry_for(&c, e, like);
    return found && diag_check(run(found, &c), NULL) ? 1 : -1;
}

bool expression_compute(expression *e, array_object *to)
{
    int done = expression_launch(e, to);
    if (done) return done > 0;
    PyObject *expressions = PyImport_ImportModule("cpl.expressions");
    PyObject *none = expressions ? PyObject_CallMethod(expressions, "compute", "OO", e, to) : NULL;
    Py_XDECREF(none);
    Py_XDECREF(expressions);
    return none != NULL;
}
