/*
 * Whether a call goes by tiles, and how large they are. A work-item's elements are in registers, so
 * there are fewer of a larger type; and as many bytes as keep memory busy, loaded 16 at a time
 * where they are plain numbers in a row.
 */
#include "runtime/algo/algo.h"

enum {
    GROUP = 256, /* work-items */
    LANES = 32,  /* of a sub-group, where there are shuffles */
    VECTOR = 16, /* bytes of the widest access */
    SHARING = 4, /* groups of a multiprocessor, where registers are not to be fewer */
    MOST_ITEMS = 16,
    LARGEST = 128, /* bytes of a type, so that a group's values fit local memory */
    LARGEST_STAGED = 64,
    COPIES = 8, /* of what computes an element, at most */
};

/* --- how much a work-item takes --- */

typedef enum tile_use {
    REDUCE,
    IN_ORDER, /* reductions by an operator that does not commute */
    SCAN,
    STRUCTS, /* scans of them */
    SEGMENTS,
    KEYED,
    SELECT,
    HISTOGRAM,
} tile_use;

/* Multiprocessors before sm_90 have less memory. */
static bool has_room(const tgt_target *t)
{
    return target_is_gpu(t) && t->version >= 90;
}

/* Bytes of its elements: those that go through local memory are to be an odd number times 16, so
 * that accesses of neighbours lie in different banks. */
static int bytes_for(const algo_call *c, const tgt_target *t, tile_use use)
{
    static const struct {
        tile_use use;
        bool room;
        int64_t from;
        int bytes;
    } table[] = {
#define TILE(use, room, from, bytes) {use, room, from, bytes},
#include "runtime/algo/tiles.def"
#undef TILE
    };
    int asked = (int)context_option(module_context(c->module), OPT_tile_bytes), bytes = asked;
    for (size_t i = 0; i < COUNT_OF(table) && !asked; i++)
        if (table[i].use == use && table[i].room <= has_room(t) && c->n >= table[i].from)
            bytes = table[i].bytes;
    return bytes;
}

int64_t tiles_size(uint32_t flags)
{
    return tiles_group(flags) * (flags >> ITEMS_AT);
}

/* What kernels are made for. Text that is no target counts as the host, until whoever compiles for
 * it says that there is none. */
static tgt_target target_of(const algo_call *c)
{
    tgt_target t = {0};
    target_parse(algo_target(c), &t);
    return t;
}

/* Of what kernels are asked for, which need not be here. */
static bool is_gpu(const algo_call *c, const tgt_target *t)
{
    const cpl_device_info *info = &c->p.device->info;
    return target_is_gpu(t) || (info->kind == CPL_DEVICE_OPENCL && !info->is_cpu);
}

static bool wanted(const algo_call *c, bool gpu)
{
    int64_t asked = context_option(module_context(c->module), OPT_tiles);
    return !c->options->interpret && (asked == ALWAYS_TILES || (asked && gpu));
}

/* The same where tiles decide on the order of operations. */
static bool pays(const algo_call *c, bool gpu)
{
    return wanted(c, gpu) && !context_option(module_context(c->module), OPT_reproducible);
}

/* Where that fails the call does: what is not by tiles then is not launched either. */
static bool knows(algo_call *c, const library_file *file)
{
    c->failed = algo_library(c, file);
    return !c->failed;
}

/* How many elements of an array are one access; 0: they lie apart, or are no numbers that vectors
 * are made of, or a work-item's are no whole accesses. */
static int wide(const algo_call *c, size_t index, int64_t items)
{
    const cpl_arg *x = &c->p.args[index];
    if (x->kind != CPL_ARG_ARRAY || x->dims > 1 || x->record || x->dtype == CPL_BOOL) return 0;
    const cpl_type *t = arg_elements(context_types(module_context(c->module)), x);
    if (!arg_is_contiguous(x) || !type_is_scalar(t) || t->size >= VECTOR) return 0;
    int lanes = VECTOR / (int)t->size;
    return items % lanes ? 0 : lanes;
}

/* Of a queue, in words. */
enum { ZEROS = QUEUE_ZEROS / 8 };

bool tiles_kept(const algo_call *c, int64_t words)
{
    const tgt_target t = target_of(c);
    bool fits = words <= ZEROS / 2;
    return device_kind_for(&t) == CPL_DEVICE_CUDA && fits && !c->p.queue->recording;
}

/* Of the first argument, where it is its elements that are taken in. */
static int wide_source(const algo_call *c, int64_t items)
{
    return c->plain ? wide(c, 0, items) : 0;
}

static int power_below(int64_t n)
{
    int p = 1;
    while (2 * p <= n) p *= 2;
    return p;
}

static void bind_number(algo_call *c, algo_bind to, int64_t value)
{
    c->binds[to] = cpl_bind_integer(value);
}

static void put_flags(algo_call *c, int64_t group, int64_t items)
{
    c->flags &= (1u << GROUP_AT) - 1;
    c->flags |= (uint32_t)group << GROUP_AT | (uint32_t)items << ITEMS_AT;
}

static void bind_tile(algo_call *c, const tgt_target *t, int items, int lanes)
{
    type_table *types = context_types(module_context(c->module));
    const cpl_type *element = lanes ? arg_elements(types, &c->p.args[0]) : c->type;
    bool scalar = type_is_scalar(c->type);
    bind_number(c, BIND_GROUP, GROUP);
    bind_number(c, BIND_ITEMS, items);
    bind_number(c, BIND_WIDE, lanes);
    c->binds[BIND_ELEMENT] = cpl_bind_type(element);
    bind_number(c, BIND_COMMUTES, c->commutes);
    /* the host moves what is in a struct by a loop each */
    bool shuffles = target_is_gpu(t) ? type_is_numbers(c->type) : scalar && !target_is_device(t);
    bind_number(c, BIND_SHUFFLES, shuffles);
    put_flags(c, GROUP, items);
}

/* Of a work-item; where their order is kept they go through local memory, as in a scan. */
static int reduced_items(const algo_call *c, const tgt_target *t)
{
    if (op_is_large(c, COPIES)) return 1;
    int bytes = bytes_for(c, t, c->commutes ? REDUCE : IN_ORDER);
    int size = (int)c->type->size, lanes = wide_source(c, MOST_ITEMS);
    int staged = bytes / (size < 4 ? 4 : size); /* bytes would be too many to unroll */
    if (!c->commutes) return staged ? staged : 1;
    int vectors = bytes < VECTOR ? 1 : bytes / VECTOR;
    int items = lanes ? lanes * vectors : power_below(bytes < size ? 1 : bytes / size);
    return items < MOST_ITEMS ? items : MOST_ITEMS;
}

bool tiles_bind(algo_call *c)
{
    const tgt_target t = target_of(c);
    uint64_t largest = c->commutes ? LARGEST : LARGEST_STAGED;
    if (!pays(c, is_gpu(c, &t)) || c->type->size > largest || !knows(c, &algo_tiles)) return false;
    int items = reduced_items(c, &t);
    bind_tile(c, &t, items, wide_source(c, items));
    bind_number(c, BIND_TILE, c->commutes ? 1 : GROUP * items);
    return true;
}

_Static_assert(GROUP == LINES_LANES * LANES, "short rows have a sub-group each");

/* Of groups that have a row each, shorter ones by a sub-group. */
static bool bind_lines(algo_call *c, int64_t elements, int64_t few, int items)
{
    const tgt_target t = target_of(c);
    int64_t group = elements < few ? LANES : GROUP;
    if (elements < LANES || !pays(c, is_gpu(c, &t)) || !knows(c, &algo_lines)) return false;
    bind_tile(c, &t, items, 0);
    bind_number(c, BIND_GROUP, group);
    bind_number(c, BIND_TILE, (int64_t)group * items);
    put_flags(c, group, items);
    return true;
}

tiles_lines tiles_bind_lines(algo_call *c, int64_t elements)
{
    enum { SHORT = 1024 };
    if (!c->commutes || c->type->size > LARGEST || !bind_lines(c, elements, SHORT, 1))
        return LINES_ELSEWHERE;
    if (elements >= SHORT || !c->binds[BIND_SHUFFLES].integer) return LINES_BY_GROUPS;
    bind_number(c, BIND_GROUP, GROUP);
    put_flags(c, GROUP, 1);
    return LINES_BY_LANES;
}

bool tiles_bind_scanned_lines(algo_call *c, int64_t elements)
{
    enum { LINE_BYTES = 60 }; /* of a work-item, odd numbers of elements: in different banks */
    int items = (LINE_BYTES / (int)(c->type->size < 4 ? 4 : c->type->size)) | 1;
    return c->type->size <= LARGEST_STAGED && bind_lines(c, elements, 2048, items);
}

/* What is in front of a tile is taken together as far as it is known when it is asked for: how
 * floats are rounded then differs from run to run. */
static bool may_differ(const algo_call *c)
{
    bool exact = type_is_scalar(c->type) && (type_is_int(c->type) || type_is_bool(c->type));
    return exact || !context_option(module_context(c->module), OPT_precise);
}

/* More of them are fewer tiles that wait for one another, as long as groups enough fit a
 * multiprocessor. */
static int scan_bytes(const algo_call *c, const tgt_target *t, bool segments)
{
    enum { MOST = 176 }; /* 44 KB a group of 48 */
    bool scalar = type_is_scalar(c->type);
    int most = MOST - (scalar ? 0 : (int)c->type->size); /* partial results take one a work-item */
    int bytes = bytes_for(c, t, segments ? SEGMENTS : scalar ? SCAN : STRUCTS);
    return bytes < most ? bytes : most;
}

/* Whether tiles can look back at those in front of them, where that may decide on the order of
 * operations. */
static bool looks_back(const algo_call *c, const tgt_target *t)
{
    bool ordered = target_has_lanes(t) || target_is_spirv(t);
    if (!ordered || !may_differ(c)) return false; /* OpenCL C 1.2: no release beyond a group */
    /* whoever waits for a tile in front needs that to go on meanwhile */
    return pays(c, target_is_gpu(t)) && c->type->size <= LARGEST_STAGED && t->int64_atomics;
}

/* Words of the state that a value is in; 0: it is no number, or a small one. */
static int packed(const cpl_type *t)
{
    return type_is_scalar(t) && !type_is_bool(t) ? (int)t->size / 4 : 0;
}

int64_t tiles_words(const cpl_type *t, int64_t tiles)
{
    return TILES_HEAD + (packed(t) ? packed(t) : 1) * tiles;
}

void tiles_hand_on(plan_launch *l, int64_t tiles)
{
    static const int of[] = {OWN_TOTAL, OWN_CARRY};
    for (size_t i = 0; i < COUNT_OF(of); i++) {
        const cpl_type *t = own_type(l, of[i]);
        own_array_of(l, of[i], t, packed(t) ? 1 : tiles);
    }
}

/* Of so many bytes of a work-item's elements. */
static void bind_scan_tile(algo_call *c, const tgt_target *t, int bytes)
{
    int items = bytes / (int)c->type->size;
    if (items < 1) items = 1;
    if (items > bytes / 4) items = bytes / 4;
    if (op_is_large(c, COPIES)) items = 1;
    bind_tile(c, t, items, wide_source(c, items));
    bool shuffles = c->binds[BIND_SHUFFLES].integer;
    bind_number(c, BIND_TILE, GROUP * items);
    bind_number(c, BIND_ROOM, shuffles ? LANES : GROUP);
    bind_number(c, BIND_PACKED, packed(c->type));
    bind_number(c, BIND_LOOKS, shuffles && target_is_gpu(t));
}

/* Where runs begin is in local memory too. */
static int keyed_bytes(const algo_call *c, const tgt_target *t)
{
    enum { MOST = 112 };
    int bytes = bytes_for(c, t, KEYED);
    return bytes < MOST ? bytes : MOST;
}

bool tiles_bind_keyed(algo_call *c)
{
    const tgt_target t = target_of(c);
    if (target_is_spirv(&t) || !looks_back(c, &t) || !knows(c, &algo_keyed)) return false;
    bind_scan_tile(c, &t, keyed_bytes(c, &t));
    return true;
}

bool tiles_bind_scan(algo_call *c, size_t out, bool segments)
{
    const tgt_target t = target_of(c);
    if (!looks_back(c, &t) || !knows(c, &algo_tiles)) return false;
    bind_scan_tile(c, &t, scan_bytes(c, &t, segments));
    int64_t items = c->binds[BIND_ITEMS].integer;
    bind_number(c, BIND_MARKS, segments ? GROUP * items : 1);
    bind_number(c, BIND_OUT_WIDE, out == NO_ARGUMENT ? 0 : wide(c, out, items));
    return true;
}

/*
 * In local memory there are the keys of a tile, what goes along with them if its size is another,
 * and the counts of each sub-group, 46 KB in all. More keys a work-item are fewer tiles and larger
 * pieces that are written together, as long as registers hold them.
 */
enum { SORTED_GROUP = 256, SORTED_BYTES = 24576, SORTED_MOST = 37000, SORTED_ITEMS = 23 };

/* Keys of a work-item. */
static int64_t sorted_items(int64_t key, int64_t moved)
{
    int64_t items = SORTED_BYTES / (SORTED_GROUP * key),
            most = SORTED_MOST / (SORTED_GROUP * (key + moved));
    if (items > most) items = most;
    return items < SORTED_ITEMS ? items : SORTED_ITEMS;
}

bool tiles_bind_sort(algo_call *c, const cpl_type *key, const cpl_type *value)
{
    const tgt_target t = target_of(c);
    if (!target_has_lanes(&t) || !wanted(c, target_is_gpu(&t)) || !knows(c, &algo_sweep))
        return false;
    bool shares = value && value->size == key->size && !type_is_bool(value) && !type_is_bool(key),
         apart = value && !shares;
    int64_t items = sorted_items((int64_t)key->size, apart ? (int64_t)value->size : 0);
    bool many = c->n >> 30;
    bind_number(c, BIND_GROUP, SORTED_GROUP);
    bind_number(c, BIND_ITEMS, items);
    bind_number(c, BIND_TILE, SORTED_GROUP * items);
    /* what goes along takes registers that four groups do not have */
    bind_number(c, BIND_GROUPS, key->size <= 4 && !value ? SHARING : 0);
    bind_number(c, BIND_COUNTS, SORTED_GROUP / LANES * 256);
    bind_number(c, BIND_MOVED, apart ? SORTED_GROUP * items : 1);
    c->binds[BIND_WORD] = cpl_bind_type(algo_scalar(c, many ? CPL_UINT64 : CPL_UINT32));
    bind_number(c, BIND_KIND, many ? 62 : 30);
    put_flags(c, SORTED_GROUP, items);
    return true;
}

/* How many elements, whatever they are. */
static int words_for(const algo_call *c, const tgt_target *t, tile_use use)
{
    int items = bytes_for(c, t, use) / 4;
    return items ? items : 1;
}

bool tiles_bind_bins(algo_call *c, int64_t bins)
{
    enum { LEAST_TABLE = 256, MOST_TABLE = 32768 };
    const tgt_target t = target_of(c);
    int64_t size = (int64_t)c->type->size, table = LEAST_TABLE;
    while (table < bins && table * size < MOST_TABLE) table *= 2;
    bool atomic = type_is_scalar(c->type) && type_is_int(c->type) &&
                  (size == 4 || (size == 8 && t.int64_atomics));
    if (!atomic || bins > table || !wanted(c, is_gpu(c, &t))) return false;
    bind_number(c, BIND_GROUP, GROUP);
    int items = words_for(c, &t, HISTOGRAM);
    if (op_is_large(c, items + 1)) items = 1;
    bind_number(c, BIND_ITEMS, items);
    bind_number(c, BIND_TABLE, table);
    put_flags(c, GROUP, items);
    return true;
}

/*
 * On an H200 groups of 512 choose half of 2^28 int32 at 2713 and 2798 GB/s with 16 and 20 elements
 * a work-item, and the first of each of its runs of 37 at 2140 and 2014: no better than 256 by
 * both. NVIDIA's OpenCL takes groups of 256 at most where they could be of any size.
 */
bool tiles_bind_choice(algo_call *c)
{
    const tgt_target t = target_of(c);
    if (!target_has_lanes(&t) || !wanted(c, target_is_gpu(&t))) return false;
    int items = words_for(c, &t, SELECT);
    if (op_is_large(c, 2 * items)) items = 1; /* in whole tiles, and others */
    bind_number(c, BIND_GROUP, GROUP);
    bind_number(c, BIND_ITEMS, items);
    bind_number(c, BIND_TILE, GROUP * items);
    put_flags(c, GROUP, items);
    return true;
}

/* Sizes of other dimensions are 1, as options begin with. */
void tiles_grid(plan_launch *l, size_t step, int64_t groups)
{
    cpl_launch_options *o = &l->steps[step];
    o->local[0] = tiles_group(l->plan->flags);
    o->global[0] = groups * o->local[0];
}

bool tiles_clear(algo_call *c, const char *clear, int64_t words)
{
    bool kept = tiles_kept(c, words);
    algo_step *s = kept ? NULL : step_new(c, clear);
    if (s) STEP_OWN(c, s, OWN_BEGUN);
    return kept;
}

void tiles_keep(plan_launch *l)
{
    own_array_of(l, OWN_BEGUN, NULL, ZEROS);
    l->zeroed = OWN_BEGUN;
}

void tiles_pass(plan_launch *l, int64_t tiles, int64_t words)
{
    bool kept = l->plan->step_count == 1;
    own_array_of(l, OWN_BEGUN, NULL, words);
    if (kept) tiles_keep(l);
    else l->steps[0].n = words;
    tiles_grid(l, !kept, tiles);
}

algo_step *tiles_step(algo_call *c, const char *function)
{
    algo_step *s = step_new(c, function);
    s->form = CPL_FORM_KERNEL;
    return s;
}
