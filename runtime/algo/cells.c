/* Sorts by cells: of few cells by counts of pieces, of many as a sort of the cells themselves. */
#include "runtime/algo/algo.h"

void cpl_cells_init(cpl_cells *cells)
{
    if (cells) *cells = (cpl_cells){.size = sizeof *cells};
}

typedef struct celling {
    algo_call c;
    const cpl_cells *want;
    int64_t m; /* cells */
    size_t order, offsets;
} celling;

static int64_t cells_in(const plan_launch *l, size_t offsets)
{
    return l->args[offsets].length - 1;
}

static void own_pieces(plan_launch *l, int64_t size)
{
    own_number(l, OWN_N, l->n);
    own_number(l, OWN_SIZE, size);
    own_number(l, OWN_COUNT, divided(l->n, size));
}

/* --- few cells --- */

enum { PER_CELL = 4 }; /* elements of a piece, so that its counts are added up in less time */

/* Elements that one thread does in less time than it takes to wake others three times. */
enum { FEW = 1 << 15 };

/* Elements of a piece that counts its own: of few threads as few pieces as that asks for. */
static int64_t size_of_few(const cpl_device *d, int64_t n, int64_t m)
{
    if (device_threads(d) && n <= FEW) return n ? n : 1;
    int64_t size = algo_piece_size(d, n), least = m < n / PER_CELL ? PER_CELL * m : n;
    return device_threads(d) && size < least ? least : size;
}

/* Counts that take no longer than their elements do; a device has one work-item add them. */
static bool are_few(const celling *s)
{
    enum { CACHED = 4096, OF_DEVICE = 256 };
    if (device_threads(s->c.p.device)) return s->m <= CACHED || s->m <= s->c.n;
    int64_t size = algo_piece_size(s->c.p.device, s->c.n);
    return s->m <= OF_DEVICE && (s->c.n <= size || s->m <= size / PER_CELL);
}

static cpl_status rule_few(plan_launch *l)
{
    int64_t m = cells_in(l, l->count - 1), count;
    own_pieces(l, size_of_few(l->queue->device, l->n, m));
    count = l->own[OWN_COUNT].value.i;
    own_array(l, OWN_BEGUN, count * (m + 1));
    own_number(l, OWN_RESULTS, m);
    l->alone = l->n <= FEW;
    l->steps[0].n = l->steps[2].n = count;
    l->steps[1].n = 1;
    return CPL_OK;
}

static void add_cell(celling *s, algo_step *to)
{
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_RESULTS);
    STEP_BIND(&s->c, to, BIND_KEY);
    step_range(&s->c, to, 0, s->c.inputs);
}

static cpl_status sort_few(celling *s)
{
    algo_step *to = step_new(&s->c, "cpl.cells.tallies");
    STEP_OWN(&s->c, to, OWN_BEGUN);
    add_cell(s, to);
    to = step_new(&s->c, "cpl.cells.starts");
    STEP_OWN(&s->c, to, OWN_BEGUN);
    step_given(&s->c, to, s->offsets);
    STEP_OWN(&s->c, to, OWN_COUNT, OWN_RESULTS);
    to = step_new(&s->c, "cpl.cells.places");
    STEP_OWN(&s->c, to, OWN_BEGUN);
    step_given(&s->c, to, s->order);
    add_cell(s, to);
    return steps_launch(&s->c, NO_KEY, rule_few);
}

/* --- many cells --- */

/* One step, over pieces; the arrays of cells and of offsets are the last arguments. */
static cpl_status rule_many(plan_launch *l)
{
    own_pieces(l, algo_piece_size(l->queue->device, l->n));
    own_number(l, OWN_RESULTS, cells_in(l, l->count - 2));
    l->steps[0].n = l->n ? l->own[OWN_COUNT].value.i : 1; /* offsets of nothing are there too */
    return CPL_OK;
}

static cpl_status write_cells(celling *s, size_t cells)
{
    algo_step *to = step_new(&s->c, "cpl.cells.cells_of");
    step_given(&s->c, to, cells);
    add_cell(s, to);
    return steps_launch(&s->c, NO_KEY, rule_many);
}

static cpl_status find_borders(celling *s, size_t cells)
{
    s->c.step_count = 0;
    algo_step *to = step_new(&s->c, "cpl.cells.borders");
    step_given(&s->c, to, s->offsets);
    step_given(&s->c, to, cells);
    STEP_OWN(&s->c, to, OWN_N, OWN_SIZE, OWN_RESULTS);
    return steps_launch(&s->c, NO_KEY, rule_many);
}

/* By the bits that numbers up to m have. */
static cpl_status sort_cells(const celling *s, const cpl_launch_options *quiet,
                             const cpl_arg *cells)
{
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    spec.order = s->want->order;
    while (s->m >> spec.end_bit) spec.end_bit++;
    return cpl_sort(s->c.module, &spec, quiet, cells, 1);
}

/* The caller's event comes behind the last kernel. */
static cpl_status sort_through(celling *s, const cpl_arg *cells)
{
    const cpl_launch_options *given = s->c.options;
    cpl_launch_options quiet = algo_part(&s->c);
    size_t at = s->c.p.count;
    cpl_status status = place_more(&s->c.p, cells, NULL);
    s->c.options = &quiet;
    if (!status) status = write_cells(s, at);
    if (!status) status = sort_cells(s, &quiet, cells);
    s->c.options = given;
    return status ? status : find_borders(s, at);
}

static cpl_status sort_many(celling *s)
{
    cpl_arg cells = {.kind = CPL_ARG_ARRAY, .dtype = s->m < UINT32_MAX ? CPL_UINT32 : CPL_UINT64};
    cpl_status status = algo_array(&s->c, s->c.n, &cells);
    if (!status) status = sort_through(s, &cells);
    cpl_array_release(cells.array);
    return status;
}

/* --- the call --- */

static cpl_status place(celling *s)
{
    algo_call *c = &s->c;
    s->order = c->p.count;
    cpl_status status = algo_place_index(c, s->want->order, c->n - 1, c->n, "the order");
    s->offsets = c->p.count;
    if (!status)
        status = algo_place_index(c, s->want->offsets, c->n, 1, "the array of the offsets");
    if (!status) status = algo_check_results(c, s->order);
    if (!status) s->m = c->p.args[s->offsets].length - 1;
    return status;
}

static cpl_status sort(celling *s)
{
    cpl_status status = algo_library(&s->c, &algo_cells);
    s->c.of_key = "cpl.chunks.of_cell";
    if (!status) status = op_integers(&s->c, &s->want->cell, "cells");
    if (!status) status = place(s);
    if (status) return status;
    return are_few(s) ? sort_few(s) : sort_many(s);
}

cpl_status cpl_sort_cells(cpl_module *module, const cpl_cells *given,
                          const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    static const algo_load load = {"cpl_sort_cells", 4, 1, false};
    celling s;
    cpl_cells cells;
    cpl_launch_options room;
    cpl_cells_init(&cells);
    if (MISSING("module cells args", module, given, UNLESS_NONE(args, count))) return CPL_EARG;
    if (READ_STRUCT(&cells, given, cpl_cells)) return CPL_EARG;
    if (MISSING("cells->order cells->offsets", cells.order, cells.offsets)) return CPL_EARG;
    s.want = &cells;
    cpl_status status =
        algo_begin(&s.c, &load, module, launch_options(options, &room), args, count);
    if (!status) status = sort(&s);
    return algo_end(&s.c, status);
}
