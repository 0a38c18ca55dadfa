/* Parts of arrays, as Python's indices have them, and arrays that grow. */
#include "cpl/numeric.h"

#include "runtime/device/device.h"
#include "lib/support/plural.h"

/* --- slices --- */

/* What slices make of an array, dimension by dimension. */
typedef struct slicing {
    const cpl_array *of;
    int at; /* the array's next dimension */
    int64_t offset;
    cpl_array_options o;
} slicing;

static cpl_status add(slicing *s, int64_t count, int64_t stride)
{
    if (s->o.dims == CPL_MAX_DIMS)
        return context_report(s->of->storage->cx, CPL_EARG, "an array has up to %d dimensions",
                              CPL_MAX_DIMS);
    s->o.shape[s->o.dims] = count;
    s->o.strides[s->o.dims++] = stride;
    return CPL_OK;
}

static cpl_status at_index(slicing *s, int64_t index)
{
    int64_t n = s->of->shape[s->at], i = index < 0 ? index + n : index;
    if (i < 0 || i >= n)
        return context_report(s->of->storage->cx, CPL_EBOUNDS,
                              "index %lld along dimension %d, which has %lld element%s",
                              (long long)index, s->at, (long long)n, plural(n));
    s->offset += i * s->of->strides[s->at++];
    return CPL_OK;
}

/* A bound that is there, within what a step up or down may reach; else the one given. */
static int64_t bound(int64_t given, int64_t none, int64_t n, bool down)
{
    int64_t low = down ? -1 : 0, high = down ? n - 1 : n;
    if (given == CPL_SLICE_NONE) return none;
    if (given < 0) given += n;
    return given < low ? low : given > high ? high : given;
}

static cpl_status range(slicing *s, const cpl_slice *r)
{
    int64_t n = s->of->shape[s->at], step = r->step, stride = s->of->strides[s->at];
    if (!step || step == INT64_MIN)
        return context_report(s->of->storage->cx, CPL_EARG, "a slice has the step %lld",
                              (long long)step);
    bool down = step < 0;
    int64_t first = bound(r->start, down ? n - 1 : 0, n, down),
            end = bound(r->stop, down ? -1 : n, n, down), way = down ? first - end : end - first,
            wide = down ? -step : step, count = way > 0 ? (way - 1) / wide + 1 : 0, by;
    if (count < 2 || __builtin_mul_overflow(stride, step, &by)) by = stride;
    if (count) s->offset += first * stride;
    s->at++;
    return add(s, count, by);
}

/* Of dimensions that no slice is for. */
static cpl_status whole(slicing *s, int count)
{
    cpl_status status = CPL_OK;
    for (; count > 0 && !status; count--, s->at++)
        status = add(s, s->of->shape[s->at], s->of->strides[s->at]);
    return status;
}

static cpl_status take(slicing *s, const cpl_slice *slice, int left_over)
{
    switch (slice->kind) {
    case CPL_SLICE_INDEX: return at_index(s, slice->start);
    case CPL_SLICE_RANGE: return range(s, slice);
    case CPL_SLICE_NEW: return add(s, 1, (int64_t)s->of->element_size);
    case CPL_SLICE_REST: return whole(s, left_over);
    }
    return context_report(s->of->storage->cx, CPL_EARG, "there is no kind %d of slices",
                          (int)slice->kind);
}

/* How many of the dimensions slices are for, CPL_SLICE_REST not counted; -1: there are two of that,
 * or more than dimensions, in which case not all of them are looked at. */
static int used(const cpl_array *a, const cpl_slice *slices, size_t count)
{
    size_t n = 0, rests = 0, most = (size_t)a->dims + CPL_MAX_DIMS + 1; /* each is new, or rest */
    if (count > most) return -1;
    for (size_t i = 0; i < count; i++) {
        n += slices[i].kind == CPL_SLICE_INDEX || slices[i].kind == CPL_SLICE_RANGE;
        rests += slices[i].kind == CPL_SLICE_REST;
    }
    return rests > 1 || n > (size_t)a->dims ? -1 : (int)n;
}

/* All strides 0 stand for dense: of one element they tell nothing. */
static void keep_strides(cpl_array_options *o, size_t size)
{
    for (int d = 0; d < o->dims; d++)
        if (o->shape[d] < 2) o->strides[d] = (int64_t)size;
}

cpl_status cpl_array_slice(cpl_array *array, const cpl_slice *slices, size_t count,
                           cpl_array **view)
{
    slicing s = {.of = array};
    if (view) *view = NULL;
    if (MISSING("array view slices", array, view, UNLESS_NONE(slices, count))) return CPL_EARG;
    int dims = used(array, slices, count);
    if (dims < 0)
        return context_report(array->storage->cx, CPL_EARG,
                              "there are more slices than the array's %d dimension%s, or two for "
                              "all the rest",
                              array->dims, plural(array->dims));
    cpl_array_options_init(&s.o);
    cpl_status status = CPL_OK;
    for (size_t i = 0; i < count && !status; i++) status = take(&s, &slices[i], array->dims - dims);
    if (!status) status = whole(&s, array->dims - s.at);
    if (status) return status;
    keep_strides(&s.o, array->element_size);
    s.o.offset = array->length ? (size_t)s.offset : 0; /* of nothing no part lies behind it */
    return cpl_array_view(array, &s.o, view);
}

/* --- capacity --- */

/* Its elements are copied, and new ones zeroed, by this device's default queue. */
static cpl_device *grows_on(const cpl_array *a)
{
    const dev_slot *slot = storage_valid(a->storage, a->storage->home);
    return slot ? slot->block.device : a->storage->home;
}

cpl_status array_may_grow(const cpl_array *a)
{
    cpl_context *cx = a->storage->cx;
    if (a->dims != 1 || a->parent || a->storage->wrapped)
        return context_report(cx, CPL_EARG,
                              "an array that grows has one dimension and memory of its own");
    const cpl_queue *q = cpl_device_queue(grows_on(a));
    if (q && q->recording)
        return context_report(cx, CPL_EARG,
                              "an array does not grow while its device's queue records a graph");
    return CPL_OK;
}

static cpl_status copy_elements(cpl_array *to, cpl_array *from)
{
    cpl_array *first;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = from->length;
    cpl_status status = cpl_array_view(to, &o, &first);
    if (!status) status = array_copy(first, from, NULL, NULL);
    cpl_array_release(first);
    return status;
}

/* The array gets other memory; views keep what it had. */
cpl_status array_set_capacity(cpl_array *a, int64_t capacity)
{
    cpl_array *made;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = a->dtype;
    o.record = a->record;
    o.dims = 1;
    o.shape[0] = capacity;
    o.uninitialized = true;
    o.pinned = a->storage->pinned_for != NULL;
    o.pinned_for = a->storage->pinned_for;
    cpl_status status = cpl_array_create_with(a->storage->cx, a->storage->home, &o, &made);
    if (status) return status;
    if (a->length) status = copy_elements(made, a);
    if (!status) {
        dev_storage *before = a->storage;
        a->storage = made->storage;
        made->storage = before;
        atomic_store(&before->left, true);
    }
    cpl_array_release(made);
    return status;
}

cpl_status cpl_array_reserve(cpl_array *array, int64_t capacity)
{
    if (MISSING("array", array)) return CPL_EARG;
    cpl_status status = array_may_grow(array);
    return status || capacity <= array_capacity(array) ? status
                                                       : array_set_capacity(array, capacity);
}

cpl_status cpl_array_squeeze(cpl_array *array)
{
    if (MISSING("array", array)) return CPL_EARG;
    cpl_status status = array_may_grow(array);
    if (status || array->length == array_capacity(array)) return status;
    return array_set_capacity(array, array->length);
}
