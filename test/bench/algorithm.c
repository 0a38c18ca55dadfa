/*
 * Reductions, scans, sorts and random numbers as cases of the benchmark. A case's kernel is then
 *
 *     reduce:OP[:MAP[:NEUTRAL]][;OP...]      the last arguments are the results' places, one each
 *     scan:OP[:NEUTRAL[:INPUT[:SEGMENT[:OUTPUT]]]]
 *     sort:         the first half of the arguments, keys first, to the second half
 *     select:       the first argument's least, as many as the second one has
 *     take:         what is at the first argument's indices, of the first half of the others to the
 * second compact:COND  the first argument's elements to the second one; the third takes how many
 *     cells:        the first argument's cells; the second takes the order, the third where each
 * begins random:uniform, random:normal
 *
 * Names are functions of kernels.py, all else expressions; nothing between colons is the default.
 */
#define _GNU_SOURCE
#include "bench.h"

#include <ctype.h>

/* Cuts the next field off at the mark; NULL where there is none or nothing in it. */
static char *field(char **rest, const char *mark)
{
    char *text = strsep(rest, mark);
    return text && *text ? text : NULL;
}

static cpl_bind bind(const char *text)
{
    if (!text) return (cpl_bind){0};
    const char *end = text;
    while (isalnum((unsigned char)*end) || *end == '_') end++;
    bool name = !*end && !isdigit((unsigned char)*text);
    return name ? cpl_bind_function(text) : cpl_bind_expression(text);
}

static void read_reduce(algorithm *a, char *rest)
{
    for (char *one; (one = strsep(&rest, ";")) && a->count < MOST_REDUCTIONS; a->count++) {
        cpl_reduce_spec *s = &a->reduce[a->count];
        cpl_reduce_spec_init(s);
        s->op = bind(field(&one, ":"));
        s->map = bind(field(&one, ":"));
        s->neutral = bind(field(&one, ":"));
        if (a->count) s[-1].next = s;
    }
}

static void read_scan(algorithm *a, char *rest)
{
    cpl_scan_spec_init(&a->scan);
    a->scan.op = bind(field(&rest, ":"));
    a->scan.neutral = bind(field(&rest, ":"));
    a->scan.input = bind(field(&rest, ":"));
    a->scan.segment = bind(field(&rest, ":"));
    a->scan.output = bind(field(&rest, ":"));
}

static void read_random(algorithm *a, const char *kind)
{
    a->draws = true;
    cpl_random_spec_init(&a->random);
    a->random.kind = strcmp(kind, "normal") == 0 ? CPL_RANDOM_NORMAL : CPL_RANDOM_UNIFORM;
    a->random.seed = 2026;
}

static bool read_moves(algorithm *a, const char *kind, char *rest)
{
    static const char *const kinds[] = {"sort", "select", "take", "compact", "cells"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kind, kinds[i])) a->moves = kinds[i];
    if (a->moves) a->condition = bind(field(&rest, ":"));
    return a->moves;
}

bool algorithm_read(algorithm *a, const char *kernel)
{
    *a = (algorithm){0};
    snprintf(a->text, sizeof a->text, "%s", kernel);
    char *rest = a->text, *kind = strsep(&rest, ":");
    if (!rest) return false;
    if (read_moves(a, kind, rest)) return true;
    if (!strcmp(kind, "reduce")) read_reduce(a, rest);
    else if (!strcmp(kind, "random")) read_random(a, rest);
    else read_scan(a, rest);
    return true;
}

/* Structs lie in arrays of numbers. */
static cpl_status place_of(cpl_module *module, const cpl_reduce_spec *spec, const cpl_arg *args,
                           size_t inputs, cpl_arg *out)
{
    const cpl_type *type;
    cpl_reduce_spec alone = *spec;
    alone.next = NULL;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result_type = &type;
    cpl_status status = cpl_reduce(module, &alone, &o, NULL, args, inputs);
    if (status || cpl_type_dtype(type) != CPL_VOID) return status;
    out->record = type;
    out->dtype = CPL_VOID;
    out->length = 1;
    return CPL_OK;
}

cpl_status algorithm_prepare(algorithm *a, cpl_module *module, cpl_arg *args, size_t count)
{
    cpl_status status = CPL_OK;
    size_t inputs = count - a->count;
    for (size_t k = 0; k < a->count && !status; k++)
        status = place_of(module, &a->reduce[k], args, inputs, &args[inputs + k]);
    return status;
}

static cpl_status run_sort(const algorithm *a, cpl_module *module,
                           const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    cpl_sort_spec spec;
    cpl_sort_spec_init(&spec);
    spec.out = &args[count / 2];
    if (!strcmp(a->moves, "sort")) return cpl_sort(module, &spec, options, args, count / 2);
    return cpl_select(module, &spec, options, spec.out->length, args);
}

static cpl_status run_take(cpl_module *module, const cpl_launch_options *options,
                           const cpl_arg *args, size_t count)
{
    cpl_gather_spec spec;
    cpl_gather_spec_init(&spec);
    spec.indices = args;
    spec.out = &args[1 + count / 2];
    return cpl_take(module, &spec, options, &args[1], count / 2);
}

static cpl_status run_compact(const algorithm *a, cpl_module *module,
                              const cpl_launch_options *options, const cpl_arg *args)
{
    cpl_choice choice;
    cpl_choice_init(&choice);
    choice.condition = a->condition;
    choice.out = &args[1];
    choice.out_count = 1;
    choice.number = &args[2];
    return cpl_compact(module, &choice, options, args, 1);
}

static cpl_status run_cells(cpl_module *module, const cpl_launch_options *options,
                            const cpl_arg *args)
{
    cpl_cells cells;
    cpl_cells_init(&cells);
    cells.order = &args[1];
    cells.offsets = &args[2];
    return cpl_sort_cells(module, &cells, options, args, 1);
}

static cpl_status run_moves(const algorithm *a, cpl_module *module,
                            const cpl_launch_options *options, const cpl_arg *args, size_t count)
{
    if (!strcmp(a->moves, "take")) return run_take(module, options, args, count);
    if (!strcmp(a->moves, "compact")) return run_compact(a, module, options, args);
    if (!strcmp(a->moves, "cells")) return run_cells(module, options, args);
    return run_sort(a, module, options, args, count);
}

cpl_status algorithm_run(const algorithm *a, cpl_module *module, const cpl_launch_options *options,
                         const cpl_arg *args, size_t count)
{
    if (a->draws) return cpl_random_fill(module, &a->random, options, &args[count - 1]);
    if (a->moves) return run_moves(a, module, options, args, count);
    if (!a->count) return cpl_scan(module, &a->scan, options, args, count);
    size_t inputs = count - a->count;
    return cpl_reduce(module, a->reduce, options, &args[inputs], args, inputs);
}
