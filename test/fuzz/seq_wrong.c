/* Steps of sequences that must be refused, with the status that is documented, and change
 * nothing. */
#include "seq.h"
#include "../unit/launches.h"

#include <stdlib.h>

enum { SPACE = 16 };

/* Refused, by one of two statuses. */
static void refuse(world *w, cpl_status got, cpl_status wanted, const char *what)
{
    say(w, "refused: %s", what);
    expect(w, got, wanted, what);
}

/* Arguments of "add" over two int32 arrays, one of which is then made wrong. */
typedef struct addends {
    int32_t x[SPACE], y[SPACE];
    cpl_arg args[5];
} addends;

static void make_addends(world *w, addends *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < SPACE; i++) s->y[i] = i;
    s->args[0] = cpl_arg_int(launch_tag(I32, 0, w->checked));
    s->args[1] = cpl_arg_array(CPL_INT32, s->x, SPACE);
    s->args[2] = cpl_arg_array(CPL_INT32, s->y, SPACE);
    s->args[3] = elem_arg(I32, 7);
}

static void check_untouched(world *w, const addends *s, const char *what)
{
    for (int i = 0; i < SPACE; i++)
        if (s->x[i] || s->y[i] != i) fail(w, "%s changed memory", what);
}

static const char *spoil(world *w, cpl_arg *arg)
{
    switch (draw(w, 8)) {
    case 0: arg->length = -1; return "a negative length";
    case 1: arg->length = INT64_MIN; return "the least length";
    case 2: arg->length = INT64_MAX / 4 + 1; return "a length larger than memory";
    case 3: arg->data = NULL; return "NULL with a length";
    case 4: arg->data = (char *)arg->data + 1; return "a misaligned address";
    case 5: arg->stride = 6; return "a misaligned stride";
    case 6: arg->dtype = CPL_BFLOAT16; return "a reserved element type";
    default: arg->kind = (cpl_arg_kind)9; return "no kind of argument";
    }
}

static void wrong_pointer(world *w)
{
    addends s;
    make_addends(w, &s);
    const char *what = spoil(w, &s.args[1 + draw(w, 2)]);
    bool on_queue = chance(w, 50);
    if (w->queues[0].recording) return;
    refuse(w,
           launch_rounds(w->modules[0], "add", on_queue ? w->queues[0].q : NULL, s.args, 4,
                         chance(w, 50) ? CPL_AUTO : 3, NULL),
           CPL_EARG, what);
    check_untouched(w, &s, what);
}

/* By a handle, whose types are settled. */
static void wrong_handle(world *w)
{
    addends s;
    cpl_kernel *k = NULL;
    size_t count = 4;
    const char *what = "another element type";
    make_addends(w, &s);
    expect(w, rounds_kernel(w->modules[0], "add", s.args, 4, &k), CPL_OK, "rounds_kernel");
    if (w->failed) return;
    switch (draw(w, 6)) {
    case 0: s.args[1].dtype = CPL_FLOAT32; break;
    case 1: count = 3, what = "too few arguments"; break;
    case 2: s.args[4] = cpl_arg_int(1), count = 5, what = "too many arguments"; break;
    case 3: s.args[2].stride = 8, s.args[2].length = 8, what = "a stride of a dense kernel"; break;
    case 4: s.args[3] = s.args[1], what = "an array for a scalar"; break;
    default: s.args[1] = s.args[3], what = "a scalar for an array"; break;
    }
    refuse(w, run_rounds(k, NULL, s.args, count, 3, NULL), CPL_EARG, what);
    if (w->places > 1 && !w->queues[1].recording)
        refuse(w, run_rounds(k, w->queues[1].q, s.args, 4, 3, NULL), CPL_EARG,
               "a kernel of the host on a device");
    check_untouched(w, &s, what);
    cpl_kernel_release(k);
}

static void wrong_launch(world *w)
{
    addends s;
    make_addends(w, &s);
    switch (draw(w, 5)) {
    case 0:
        refuse(w, launch_rounds(w->modules[0], "add", NULL, s.args, 4, -5, NULL), CPL_EARG,
               "a negative count");
        break;
    case 1:
        refuse(w, launch_rounds(w->modules[0], "nobody", NULL, s.args, 4, CPL_AUTO, NULL),
               CPL_ENOTFOUND, "no such function");
        break;
    case 2:
        s.args[1] = cpl_arg_of_array(w->other_array);
        refuse(w, launch_rounds(w->modules[0], "add", w->queues[0].q, s.args, 4, 3, NULL), CPL_EARG,
               "another context's array");
        break;
    case 3:
        s.args[1].dtype = CPL_VOID;
        s.args[1].record = w->other_pair;
        refuse(w, launch_rounds(w->modules[0], "add", NULL, s.args, 4, 1, NULL), CPL_EARG,
               "another context's struct");
        break;
    default:
        refuse(w,
               launch_rounds(w->modules[0], "add", cpl_device_queue(cpl_device_get(w->other, 0)),
                             s.args, 4, 3, NULL),
               CPL_EARG, "another context's queue");
        break;
    }
    check_untouched(w, &s, "a refused launch");
}

static void wrong_view(world *w)
{
    array *a = some_array(w);
    cpl_array *v;
    cpl_array_options o;
    const char *what = "a view past the end";
    if (!a) return;
    cpl_array_options_init(&o);
    int64_t size = (int64_t)elem_size(a->elem);
    int64_t behind = ((int64_t)w->storages[a->storage].size - (int64_t)a->offset) / size;
    o.dims = 1;
    o.shape[0] = behind + 1;
    switch (draw(w, 7)) {
    case 0: break;
    case 1: o.shape[0] = -1, what = "a view of negative length"; break;
    case 2:
        o.offset = (size_t)0 - a->offset - (size_t)size, o.shape[0] = 1;
        what = "a view in front of the memory";
        break;
    case 3: o.dims = CPL_MAX_DIMS + 1, what = "a view of too many dimensions"; break;
    case 4: o.shape[0] = INT64_MAX, what = "a view of more than there can be"; break;
    case 5:
        o.shape[0] = 2 + (int64_t)a->offset / size, o.strides[0] = -size;
        what = "a view before the beginning";
        break;
    default:
        if (behind < 2) return;
        o.shape[0] = 1, o.offset = 1, what = "a misaligned view";
        break;
    }
    refuse(w, cpl_array_view(a->a, &o, &v), CPL_EARG, what);
    if (v) fail(w, "%s was made", what);
}

static void wrong_copy(world *w)
{
    array *a = some_array(w), *b = some_array(w);
    if (!a || !b || any_recording(w)) return;
    if (a->storage == b->storage && a->length == b->length && a->elem == b->elem && a->length) {
        if (a->offset == b->offset && a->stride == b->stride)
            refuse(w, cpl_array_copy(a->a, b->a, NULL, NULL), CPL_EOVERLAP, "a copy to itself");
    } else if (a->length != b->length || (a->elem == PAIR) != (b->elem == PAIR))
        refuse(w, cpl_array_copy(a->a, b->a, NULL, NULL), CPL_EARG, "a copy of other arrays");
    if (!w->failed)
        refuse(w, cpl_array_copy(a->a, w->other_array, NULL, NULL), CPL_EARG,
               "a copy from another context");
    if (!w->failed && a->length)
        refuse(w, cpl_array_write(a->a, NULL, NULL, NULL), CPL_EARG, "a copy from NULL");
}

static void wrong_array(world *w)
{
    cpl_array *made;
    cpl_array_options o;
    cpl_array_options_init(&o);
    cpl_device *d = w->device[draw(w, (uint32_t)w->places)];
    o.dims = 1;
    o.shape[0] = 4;
    switch (draw(w, 4)) {
    case 0:
        refuse(w, cpl_array_create(w->cx, d, CPL_INT32, -3, &made), CPL_EARG, "a negative length");
        break;
    case 1:
        refuse(w, cpl_array_create(w->cx, d, CPL_BFLOAT16, 3, &made), CPL_EARG,
               "a reserved element type");
        break;
    case 2:
        o.record = w->other_pair;
        refuse(w, cpl_array_create_with(w->cx, d, &o, &made), CPL_EARG, "another context's struct");
        break;
    default:
        refuse(w, cpl_array_create(w->cx, d, CPL_INT64, INT64_MAX / 4, &made), CPL_EARG,
               "an array larger than memory");
        break;
    }
    if (made) fail(w, "a refused array was made");
}

static void wrong_option(world *w)
{
    if (chance(w, 50))
        refuse(w, cpl_context_set_option(w->cx, "nothing", 1), CPL_ENOTFOUND, "no such option");
    else
        refuse(w, cpl_context_set_option(w->cx, "automatic", 2), CPL_EARG,
               "an option out of range");
}

static void wrong_rounds(world *w)
{
    addends s;
    cpl_kernel *k;
    make_addends(w, &s);
    if (w->queues[0].recording) return;
    expect(w, rounds_kernel(w->modules[0], "add", s.args, 4, &k), CPL_OK, "rounds_kernel");
    if (w->failed) return;
    refuse(w, run_rounds(k, w->queues[0].q, s.args, 4, -5, NULL), CPL_EARG,
           "a negative number of rounds");
    check_untouched(w, &s, "refused rounds");
    cpl_kernel_release(k);
}

const step_fn wrong_steps[] = {wrong_pointer, wrong_pointer, wrong_handle, wrong_launch,
                               wrong_view,    wrong_view,    wrong_copy,   wrong_array,
                               wrong_option,  wrong_rounds};
const size_t wrong_step_count = COUNT_OF(wrong_steps);
