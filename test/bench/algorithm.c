/*
 * Reductions, scans, sorts and random numbers as cases of the benchmark. A case's kernel is then
 *
 *     reduce:OP[:MAP[:NEUTRAL]][;OP...]      the last arguments are the results' places, one each
 *     scan:OP[:NEUTRAL[:INPUT[:SEGMENT[:OUTPUT]]]]
 *     sort:         the first half of the arguments, keys first, to the second half
 *     select:       the first argument's least, as many as the second one has
 *     random:uniform, random:normal
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

bool algorithm_read(algorithm *a, const char *kernel)
{
    *a = (algorithm){0};
    snprintf(a->text, sizeof a->text, "%s", kernel);
    char *rest = a->text, *kind = strsep(&rest, ":");
    if (!rest) return false;
    a->sorts = !strcmp(kind, "sort");
    a->selects = !strcmp(kind, "select");
    if (a->sorts || a->selects) return true;
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
    if (a->sorts) return cpl_sort(module, &spec, options, args, count / 2);
    return cpl_select(module, &spec, options, spec.out->length, args);
}

cpl_status algorithm_run(const algorithm *a, cpl_module *module, const cpl_launch_options *options,
                         const cpl_arg *args, size_t count)
{
    if (a->draws) return cpl_random_fill(module, &a->random, options, &args[count - 1]);
    if (a->sorts || a->selects) return run_sort(a, module, options, args, count);
    if (!a->count) return cpl_scan(module, &a->scan, options, args, count);
    size_t inputs = count - a->count;
    return cpl_reduce(module, a->reduce, options, &args[inputs], args, inputs);
}
