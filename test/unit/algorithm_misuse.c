/* What is asked of reductions and scans by mistake, and what they say to that. */
#include "device_world.h"
#include "launches.h"
#include "libomp_leaks.h"

#include <cpl/cpl.h>

static const char kernels[] = "def of_three(a, b, c):\n"
                              "    return a + b + c\n"
                              "def either(a, b):\n"
                              "    return a or b\n"
                              "def shifted(i, item, prev_item, last_item, N, x, out):\n"
                              "    out[i] = item\n";

static int set_up_kernels(void **state)
{
    return set_up_source(state, "misuse.py", kernels);
}

static cpl_reduce_spec sum(void)
{
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    return s;
}

static cpl_scan_spec running_sum(void)
{
    cpl_scan_spec s;
    cpl_scan_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    return s;
}

static cpl_status reduce(world *w, const cpl_reduce_spec *s, cpl_arg arg, int64_t n, void *result)
{
    cpl_launch_options o = rounds_on(NULL, n, NULL);
    o.result = result;
    return cpl_reduce(w->module, s, &o, NULL, &arg, 1);
}

static cpl_status scan(world *w, const cpl_scan_spec *s, cpl_arg in, cpl_arg out, int64_t n)
{
    cpl_arg args[] = {in, out};
    cpl_launch_options o = rounds_on(NULL, n, NULL);
    return cpl_scan(w->module, s, &o, args, 2);
}

/* --- */

/* More elements than the array has that they come from; as many and fewer do. */
static void too_many_elements(void **state)
{
    world *w = *state;
    int32_t x[4] = {1, 2, 3, 4};
    static int32_t out[8];
    int64_t got;
    cpl_reduce_spec s = sum();
    cpl_scan_spec r = running_sum();
    cpl_arg array = cpl_arg_array(CPL_INT32, x, 4), to = cpl_arg_array(CPL_INT32, out, 8);
    FAILS(w, reduce(w, &s, array, 5, &got), CPL_EARG, "are to be 5, and the array has 4");
    FAILS(w, scan(w, &r, array, to, 5), CPL_EARG, "are to be 5, and the array has 4");
    OK(w, reduce(w, &s, array, 3, &got));
    assert_int_equal(got, 6);
    OK(w, scan(w, &r, array, to, 4));
    assert_int_equal(out[3], 10);
    FAILS(w, reduce(w, &s, array, -2, &got), CPL_EARG, "is negative");
    s.flags = CPL_REDUCE_COMMUTES << 1;
    FAILS(w, reduce(w, &s, array, 4, &got), CPL_EARG, "flags of the reduction");
}

/* Bools stay what they are where the operator keeps them so. */
static void bools(void **state)
{
    world *w = *state;
    static const struct {
        const char *op, *neutral, *type;
    } rows[] = {
        {"a + b", NULL, "int64"},    {"lambda x, y: x + y", "0", "int64"},  {"a | b", NULL, "bool"},
        {"a or b", "False", "bool"}, {"lambda x, y: x and y", "1", "bool"},
    };
    bool x[3] = {true, false, true};
    cpl_arg arg = cpl_arg_array(CPL_BOOL, x, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const cpl_type *type = NULL;
        int64_t got = 0;
        cpl_reduce_spec s = sum();
        s.op = cpl_bind_expression(rows[i].op);
        if (rows[i].neutral) s.neutral = cpl_bind_expression(rows[i].neutral);
        cpl_launch_options o = options_of(CPL_FORM_ELEMENTWISE, NULL);
        o.result = &got;
        o.result_type = &type;
        OK(w, cpl_reduce(w->module, &s, &o, NULL, &arg, 1));
        assert_string_equal(cpl_type_text(type), rows[i].type);
        assert_int_equal(got, i < 2 ? 2 : i < 4);
    }
    bool any = false;
    cpl_reduce_spec s = sum();
    s.op = cpl_bind_function("either");
    s.neutral = cpl_bind_integer(0);
    OK(w, reduce(w, &s, arg, CPL_AUTO, &any));
    assert_true(any);
}

/* An integer that the type does not have would be another one in silence. */
static void neutral_elements(void **state)
{
    world *w = *state;
    static const struct {
        const char *op, *neutral, *type;
        bool refused;
    } rows[] = {
        {"min(a, b)", "127", "int8", false},
        {"min(a, b)", "128", "int8", true},
        {"max(a, b)", "-128", "int8", false},
        {"max(a, b)", "-129", "int8", true},
        {"max(a, b)", "-0", "uint8", false},
        {"min(a, b)", "255", "uint8", false},
        {"min(a, b)", "256", "uint8", true},
        {"max(a, b)", "-1", "uint8", true},
        {"a & b", "-1", "uint8", false},
        {"a & b", "-2", "uint8", true},
        {"min(a, b)", "1099511627776", "int32", true},
        {"min(a, b)", "9223372036854775808", "int64", true},
        {"max(a, b)", "-9223372036854775808", "int64", false},
        {"max(a, b)", "-9223372036854775809", "int64", true},
        {"min(a, b)", "18446744073709551615", "uint64", false},
        {"min(a, b)", "18446744073709551616", "uint64", true},
        {"max(a, b)", "-18446744073709551615", "int64", true},
        {"min(a, b)", "1000000", "float32", false},
        {"min(a, b)", "INFINITY", "int8", false},
        {"min(a, b)", "1000 - 900", "int8", false},
    };
    cpl_arg none = cpl_arg_array(CPL_INT8, NULL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t got = 0;
        cpl_reduce_spec s = sum();
        s.op = cpl_bind_expression(rows[i].op);
        s.neutral = cpl_bind_expression(rows[i].neutral);
        OK(w, cpl_type_parse(w->cx, rows[i].type, &s.type));
        if (!rows[i].refused) OK(w, reduce(w, &s, none, CPL_AUTO, &got));
        else FAILS(w, reduce(w, &s, none, CPL_AUTO, &got), CPL_EARG, "the neutral element, ");
    }
}

static void places_of_results(void **state)
{
    world *w = *state;
    int32_t x[2] = {1, 2};
    int64_t got[2];
    cpl_reduce_spec s = sum();
    cpl_arg arg = cpl_arg_array(CPL_INT32, x, 2);
    FAILS(w, reduce(w, &s, arg, CPL_AUTO, (char *)got + 4), CPL_EARG, "is not aligned to int64");
    FAILS(w, reduce(w, &s, arg, CPL_AUTO, NULL), CPL_EARG, "there is no place for the result");
    OK(w, reduce(w, &s, arg, CPL_AUTO, got)); /* remembered */
    FAILS(w, reduce(w, &s, arg, CPL_AUTO, (char *)got + 4), CPL_EARG,
          "the place of the result is not aligned to int64");
}

/* --- arguments that are none --- */

static double numbers[4] = {1, 2, 3, 4}, other_numbers[4] = {1, 2, 3, 4}, items[4];
static const int64_t four[] = {4}, three[] = {3}, less[] = {2, -1};

#define ARRAY(memory, n) .kind = CPL_ARG_ARRAY, .dtype = CPL_FLOAT64, .length = n, .data = memory

/* What is no array, whatever it is for. */
static const struct {
    cpl_arg arg;
    const char *said;
} no_arrays[] = {
    {{ARRAY((char *)items + 1, 4)}, "is not aligned to"},
    {{ARRAY(NULL, 4)}, "is NULL but has a length"},
    {{ARRAY(items, -1)}, "has a negative length"},
    {{ARRAY(items, INT64_MAX)}, "is larger than memory can be"},
    {{ARRAY(items, 4), .stride = 3}, "is not aligned to"},
    {{ARRAY(items, 4), .stride = INT64_MAX - 7}, "is larger than memory can be"},
    {{ARRAY(items, 4), .dims = 2, .shape = less}, "has a negative length"},
    {{ARRAY(items, 4), .dims = -1, .shape = four}, "has no valid number of dimensions"},
    {{ARRAY(items, 4), .dims = CPL_MAX_DIMS + 1, .shape = four},
     "has no valid number of dimensions"},
    {{ARRAY(items, 4), .dims = INT32_MAX, .shape = four}, "has no valid number of dimensions"},
    {{ARRAY(items, 4), .dims = 1}, "has dimensions without a shape"},
    {{ARRAY(items, 4), .dims = INT32_MIN}, "has no valid number of dimensions"},
    {{ARRAY(items, 4), .dims = 1, .shape = three}, "has another length than its shape"},
    {{ARRAY(items, 4), .dims = 1, .shape = four, .stride = 8}, "has a stride beside a shape"},
    {{ARRAY(items, 4), .dims = 1, .shape = four, .strides = three}, "is not aligned to"},
    {{ARRAY(items, 4), .reserved = 1}, "has a reserved member that is not zero"},
    {{.kind = CPL_ARG_ARRAY, .dtype = (cpl_dtype)77, .length = 4, .data = items},
     "has no element type"},
    {{.kind = (cpl_arg_kind)77}, "has no valid kind"},
};
enum { NO_ARRAYS = sizeof no_arrays / sizeof *no_arrays };

static cpl_status reduce_two(world *w, const cpl_arg *args, void *result)
{
    cpl_reduce_spec s = sum();
    s.map = cpl_bind_expression("lambda i, x, y: x[i] + y[i]");
    cpl_launch_options o = rounds_on(NULL, CPL_AUTO, NULL);
    o.result = result;
    return cpl_reduce(w->module, &s, &o, NULL, args, 2);
}

static cpl_status scan_two(world *w, const cpl_arg *args)
{
    cpl_scan_spec s = running_sum();
    s.input = cpl_bind_expression("lambda i, x, y, out: x[i] + y[i]");
    return cpl_scan(w->module, &s, NULL, args, 3);
}

static void refuses_argument(world *w, size_t k, cpl_arg arg, const char *said)
{
    char text[80];
    double got;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, numbers, 4),
                      cpl_arg_array(CPL_FLOAT64, other_numbers, 4),
                      cpl_arg_array(CPL_FLOAT64, items, 4)};
    args[k] = arg;
    snprintf(text, sizeof text, said, k + 1);
    FAILS(w, reduce_two(w, args, &got), CPL_EARG, text);
    FAILS(w, scan_two(w, args), CPL_EARG, text);
}

/* Each is told, also where the call before it was right and is remembered. */
static void arguments_that_are_none(void **state)
{
    world *w = *state;
    double got;
    const cpl_bind wordless = {.kind = CPL_BIND_EXPRESSION};
    const cpl_arg good[] = {cpl_arg_array(CPL_FLOAT64, numbers, 4),
                            cpl_arg_array(CPL_FLOAT64, other_numbers, 4),
                            cpl_arg_array(CPL_FLOAT64, items, 4)};
    for (int warm = 0; warm < 2; warm++) {
        for (size_t k = 0; k < 2; k++) {
            for (size_t i = 0; i < NO_ARRAYS; i++) {
                char said[64];
                snprintf(said, sizeof said, "argument %%zu %s", no_arrays[i].said);
                refuses_argument(w, k, no_arrays[i].arg, said);
            }
            refuses_argument(w, k, cpl_arg_bound(NULL), "argument %zu stands for nothing");
            refuses_argument(w, k, cpl_arg_bound(&wordless),
                             "parameter %zu stands for has no text");
        }
        OK(w, reduce_two(w, good, &got));
        OK(w, scan_two(w, good));
    }
}

static void refuses_place(world *w, cpl_arg out, const char *said)
{
    char text[80];
    cpl_reduce_spec s = sum();
    cpl_scan_spec r = running_sum();
    const cpl_arg in = cpl_arg_array(CPL_FLOAT64, numbers, 4);
    snprintf(text, sizeof text, said, "the place of the result");
    FAILS(w, cpl_reduce(w->module, &s, NULL, &out, &in, 1), CPL_EARG, text);
    snprintf(text, sizeof text, said, "the output");
    FAILS(w, scan(w, &r, in, out, 4), CPL_EARG, text);
}

/* A place that cannot be one is told as that, not by a number, also where the call before it was
 * right and is remembered. */
static void places_that_are_none(void **state)
{
    world *w = *state;
    cpl_reduce_spec s = sum();
    cpl_scan_spec r = running_sum();
    const cpl_arg in = cpl_arg_array(CPL_FLOAT64, numbers, 4),
                  good = cpl_arg_array(CPL_FLOAT64, items, 4);
    for (int warm = 0; warm < 2; warm++) {
        for (size_t i = 0; i < NO_ARRAYS; i++) {
            char said[64];
            snprintf(said, sizeof said, "%%s %s", no_arrays[i].said);
            refuses_place(w, no_arrays[i].arg, said);
        }
        refuses_place(w, cpl_arg_const_array(CPL_FLOAT64, items, 4),
                      "read-only memory is given for %s");
        refuses_place(w, cpl_arg_local(CPL_FLOAT64, 4), "%s is no array");
        refuses_place(w, cpl_arg_bound(NULL), "%s is no array");
        refuses_place(w, cpl_arg_int(1), "%s is no array");
        OK(w, cpl_reduce(w->module, &s, NULL, &good, &in, 1));
        OK(w, scan(w, &r, in, good, 4));
    }
}

/* Pieces are taken side by side: what is written must not be what others still read. */
static void arrays_that_overlap(void **state)
{
    world *w = *state;
    int64_t *x = malloc((N + 1) * sizeof *x);
    for (int i = 0; i <= N; i++) x[i] = 1;
    cpl_scan_spec s = running_sum();
    cpl_arg low = cpl_arg_array(CPL_INT64, x, N), high = cpl_arg_array(CPL_INT64, x + 1, N);
    FAILS(w, scan(w, &s, low, high, CPL_AUTO), CPL_EOVERLAP, "overlap partly");
    FAILS(w, scan(w, &s, high, low, CPL_AUTO), CPL_EOVERLAP, "overlap partly");
    s.output = cpl_bind_function("shifted");
    FAILS(w, scan(w, &s, low, high, CPL_AUTO), CPL_EOVERLAP, "overlap partly");
    for (int i = 0; i <= N; i++) assert_int_equal(x[i], 1);
    OK(w, scan(w, &s, low, low, CPL_AUTO));
    for (int i = 0; i < N; i++) assert_int_equal(x[i], i + 1);
    free(x);
}

/* Nor may it be of few elements that were scanned before, whatever the distance and the step, in
 * either direction: what was refused is as it was. */
static void few_that_overlap(void **state)
{
    world *w = *state;
    enum { FEW = 5, ROOM = 40, AT = 20 };
    int64_t x[ROOM], expected[ROOM];
    for (int which = 0; which < 4; which++)
        for (int64_t step = -2; step <= 2; step++)
            for (int64_t distance = -9; distance <= 9 && step; distance++) {
                cpl_scan_spec s = running_sum();
                if (which & 1) s.flags = CPL_SCAN_EXCLUSIVE, s.neutral = cpl_bind_integer(0);
                if (which & 2) s.segment = cpl_bind_expression("lambda i, x, y: i == 3");
                cpl_arg in = cpl_arg_array(CPL_INT64, x + AT, FEW),
                        out = cpl_arg_array(CPL_INT64, x + AT + distance, FEW);
                in.stride = out.stride = step * (int64_t)sizeof *x;
                if (step == 1) in.stride = out.stride = 0;
                bool cross =
                    distance && llabs(distance) <= (FEW - 1) * llabs(step) && distance % step == 0;
                int64_t sum = 0;
                for (int i = 0; i < ROOM; i++) x[i] = expected[i] = i * i;
                for (int64_t i = 0; i < FEW && !cross; i++) {
                    int64_t item = (AT + i * step) * (AT + i * step);
                    if (which & 2 && i == 3) sum = 0;
                    expected[AT + distance + i * step] = which & 1 ? sum : sum + item;
                    sum += item;
                }
                if (cross) FAILS(w, scan(w, &s, in, out, FEW), CPL_EOVERLAP, "overlap partly");
                else OK(w, scan(w, &s, in, out, FEW));
                assert_memory_equal(x, expected, sizeof x);
            }
}

/* Results of segments and runs are written while others still read. */
static void results_that_overlap(void **state)
{
    world *w = *state;
    int64_t x[8] = {1, 1, 2, 2, 3, 3, 4, 4}, borders[] = {0, 4, 8}, number;
    cpl_reduce_spec s = sum();
    cpl_segments segments;
    cpl_runs runs;
    cpl_segments_init(&segments);
    cpl_runs_init(&runs);
    cpl_arg in = cpl_arg_array(CPL_INT64, x, 8), first = cpl_arg_array(CPL_INT64, x + 6, 2),
            offsets = cpl_arg_array(CPL_INT64, borders, 3),
            inside = cpl_arg_array(CPL_INT64, borders + 1, 2), both[] = {in, in},
            count = cpl_arg_array(CPL_INT64, &number, 1), again = cpl_arg_array(CPL_INT64, x, 1);
    segments.offsets = &offsets;
    segments.out = &first;
    FAILS(w, cpl_reduce_segments(w->module, &s, NULL, &segments, &in, 1), CPL_EOVERLAP, "results");
    segments.out = &inside;
    FAILS(w, cpl_reduce_segments(w->module, &s, NULL, &segments, &in, 1), CPL_EOVERLAP, "results");
    runs.out = &in;
    FAILS(w, cpl_reduce_by_key(w->module, &s, NULL, &runs, both, 2), CPL_EOVERLAP, "results");
    int64_t out[4];
    cpl_arg apart = cpl_arg_array(CPL_INT64, out, 4);
    runs.out = runs.keys = &apart;
    runs.number = &count;
    FAILS(w, cpl_reduce_by_key(w->module, &s, NULL, &runs, both, 2), CPL_EOVERLAP, "results");
    runs.keys = NULL;
    runs.number = &again;
    FAILS(w, cpl_reduce_by_key(w->module, &s, NULL, &runs, both, 2), CPL_EOVERLAP, "results");
    runs.number = &count;
    OK(w, cpl_reduce_by_key(w->module, &s, NULL, &runs, both, 2));
    assert_int_equal(number, 4);
    assert_int_equal(out[3], 8);
}

static void flags_that_are_none(void **state)
{
    world *w = *state;
    int64_t x[2] = {1, 2};
    cpl_scan_spec s = running_sum();
    cpl_arg arg = cpl_arg_array(CPL_INT64, x, 2);
    s.flags = CPL_SCAN_LAST << 1;
    FAILS(w, scan(w, &s, arg, arg, CPL_AUTO), CPL_EARG, "a scan has no such flags: 0x4");
    s.flags = CPL_SCAN_EXCLUSIVE | CPL_SCAN_LAST;
    OK(w, scan(w, &s, arg, arg, CPL_AUTO));
}

/* Errors of what is bound tell what that is. */
static void what_is_bound(void **state)
{
    world *w = *state;
    double x[2] = {1, 2}, got;
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, x, 2);
    cpl_reduce_spec s = sum();
    s.map = cpl_bind_expression("x[i]*x[i]");
    FAILS(w, reduce(w, &s, arg, CPL_AUTO, &got), CPL_ENOTFOUND,
          "hint: an expression alone is of a and b; others are lambdas");
    s.map = cpl_bind_expression("lambda i, x: x[j]");
    FAILS(w, reduce(w, &s, arg, CPL_AUTO, &got), CPL_ENOTFOUND, "undefined name 'j'");
    assert_null(strstr(w->said.text, "an expression alone"));
    s.map = (cpl_bind){0};
    s.op = cpl_bind_function("of_three");
    s.neutral = cpl_bind_integer(0);
    FAILS(w, reduce(w, &s, arg, CPL_AUTO, &got), CPL_ETYPE,
          "'of_three' takes 3 arguments, and is called with 2");
}

/* Each part of a spec in turn is none, all others being right. */

typedef struct specs {
    cpl_reduce_spec reduce;
    cpl_scan_spec scan;
    cpl_histogram_spec histogram;
    cpl_reduce_spec runs_reduce, segments_reduce;
    cpl_runs runs;
    cpl_choice choice;
    cpl_cells cells;
    cpl_sort_spec sort;
} specs;

enum call { REDUCE, SCAN, HISTOGRAM, RUNS, SEGMENTS, COMPACT, PARTITION, CELLS, SORT, CALLS };

static cpl_status call_spec(world *w, enum call call, const specs *s)
{
    int64_t x[2] = {0, 1}, y[2], got;
    cpl_arg in = cpl_arg_array(CPL_INT64, x, 2), out = cpl_arg_array(CPL_INT64, y, 2);
    cpl_launch_options o = rounds_on(NULL, CPL_AUTO, NULL);
    if (call == REDUCE) return reduce(w, &s->reduce, in, CPL_AUTO, &got);
    int64_t ends[3] = {0, 1, 2}, key[2], count;
    cpl_arg offsets = cpl_arg_array(CPL_INT64, ends, 3);
    cpl_arg keys = cpl_arg_array(CPL_INT64, key, 2), number = cpl_arg_array(CPL_INT64, &count, 1);
    cpl_segments segments;
    cpl_segments_init(&segments);
    segments.offsets = &offsets;
    segments.out = &out;
    cpl_runs runs = s->runs;
    runs.out = &out;
    runs.keys = &keys; /* else a key is asked for only where start is none */
    runs.number = &number;
    cpl_choice choice = s->choice;
    choice.out = &out;
    choice.out_count = 1;
    choice.number = &number;
    cpl_cells cells = s->cells;
    cells.order = &out;
    cells.offsets = &offsets;
    switch (call) {
    case SCAN: return scan(w, &s->scan, in, out, 2);
    case HISTOGRAM: return cpl_histogram(w->module, &s->histogram, &o, &out, &in, 1);
    case RUNS: return cpl_reduce_by_key(w->module, &s->runs_reduce, &o, &runs, &in, 1);
    case SEGMENTS:
        return cpl_reduce_segments(w->module, &s->segments_reduce, &o, &segments, &in, 1);
    case COMPACT: return cpl_compact(w->module, &choice, &o, &in, 1);
    case PARTITION: return cpl_partition(w->module, &choice, &o, &in, 1);
    case CELLS: return cpl_sort_cells(w->module, &cells, &o, &in, 1);
    default: return cpl_sort(w->module, &s->sort, &o, &out, 1);
    }
}

static specs specs_of_all(void)
{
    specs s = {.reduce = sum(), .scan = running_sum()};
    cpl_histogram_spec_init(&s.histogram);
    s.reduce.map = s.histogram.bin = s.histogram.map = cpl_bind_expression("lambda i, x: x[i]");
    s.scan.input = cpl_bind_expression("lambda i, x, y: x[i]");
    s.scan.segment = cpl_bind_expression("lambda i, x, y: i == 0");
    s.histogram.op = s.reduce.op;
    cpl_runs_init(&s.runs);
    cpl_choice_init(&s.choice);
    cpl_cells_init(&s.cells);
    cpl_sort_spec_init(&s.sort);
    s.runs.key = s.cells.cell = s.reduce.map;
    s.runs.start = s.choice.condition = cpl_bind_expression("lambda i, x: x[i] > 0");
    s.sort.before = cpl_bind_expression("a < b");
    s.reduce.neutral = s.scan.neutral = s.histogram.neutral = cpl_bind_integer(0);
    s.runs_reduce = s.segments_reduce = s.reduce;
    return s;
}

static void each_part_of_a_spec(void **state)
{
    world *w = *state;
    static const struct {
        const char *name;
        enum call call;
        size_t at;
    } parts[] = {
        {"reduce.op", REDUCE, offsetof(specs, reduce.op)},
        {"reduce.map", REDUCE, offsetof(specs, reduce.map)},
        {"reduce.neutral", REDUCE, offsetof(specs, reduce.neutral)},
        {"scan.op", SCAN, offsetof(specs, scan.op)},
        {"scan.input", SCAN, offsetof(specs, scan.input)},
        {"scan.segment", SCAN, offsetof(specs, scan.segment)},
        {"scan.output", SCAN, offsetof(specs, scan.output)},
        {"scan.neutral", SCAN, offsetof(specs, scan.neutral)},
        {"histogram.bin", HISTOGRAM, offsetof(specs, histogram.bin)},
        {"histogram.op", HISTOGRAM, offsetof(specs, histogram.op)},
        {"histogram.map", HISTOGRAM, offsetof(specs, histogram.map)},
        {"histogram.neutral", HISTOGRAM, offsetof(specs, histogram.neutral)},
        {"runs.op", RUNS, offsetof(specs, runs_reduce.op)},
        {"runs.map", RUNS, offsetof(specs, runs_reduce.map)},
        {"runs.neutral", RUNS, offsetof(specs, runs_reduce.neutral)},
        {"runs.key", RUNS, offsetof(specs, runs.key)},
        {"runs.start", RUNS, offsetof(specs, runs.start)},
        {"segments.op", SEGMENTS, offsetof(specs, segments_reduce.op)},
        {"segments.map", SEGMENTS, offsetof(specs, segments_reduce.map)},
        {"segments.neutral", SEGMENTS, offsetof(specs, segments_reduce.neutral)},
        {"compact.condition", COMPACT, offsetof(specs, choice.condition)},
        {"partition.condition", PARTITION, offsetof(specs, choice.condition)},
        {"cells.cell", CELLS, offsetof(specs, cells.cell)},
        {"sort.before", SORT, offsetof(specs, sort.before)},
    };
    const struct {
        cpl_bind bind;
        cpl_status status;
    } wrong[] = {
        {{.kind = (cpl_bind_kind)99}, CPL_EARG},       {cpl_bind_function(NULL), CPL_EARG},
        {cpl_bind_expression(NULL), CPL_EARG},         {cpl_bind_type(NULL), CPL_EARG},
        {cpl_bind_function("nothing"), CPL_ENOTFOUND}, {cpl_bind_expression("a +"), CPL_ESYNTAX},
    };
    specs right = specs_of_all();
    for (enum call c = REDUCE; c < CALLS; c++) OK(w, call_spec(w, c, &right));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            specs s = right;
            memcpy((char *)&s + parts[i].at, &wrong[k].bind, sizeof(cpl_bind));
            cpl_status got = call_spec(w, parts[i].call, &s);
            if (got != wrong[k].status)
                print_error("%s, wrong %zu: %s\n%s\n", parts[i].name, k, cpl_status_message(got),
                            w->said.text);
            assert_int_equal(got, wrong[k].status);
            assert_true(strlen(w->said.text) > 0);
            forget(w);
        }
}

/* --- what is NULL --- */

#define REFUSES(call, text)                                                                        \
    do {                                                                                           \
        cpl_last_error_clear();                                                                    \
        assert_int_equal(call, CPL_EARG);                                                          \
        if (!strstr(cpl_last_error(), text)) fail_msg("%s: %s", #call, cpl_last_error());          \
    } while (0)
#define MISSES(name, call) REFUSES(call, "the argument '" name "' is NULL")

/* Each argument is named, as the header names it. */
static void missing(void **state)
{
    world *w = *state;
    cpl_module *m = w->module;
    int64_t x[4] = {0};
    const cpl_arg a = cpl_arg_array(CPL_INT64, x, 4), *none = NULL;
    cpl_reduce_spec r = {.size = sizeof r, .op = cpl_bind_expression("a + b")};
    cpl_scan_spec scan = {.size = sizeof scan, .op = r.op};
    cpl_histogram_spec h = {.size = sizeof h};
    cpl_segments g = {.size = sizeof g};
    cpl_runs runs = {.size = sizeof runs};
    cpl_cells cells = {.size = sizeof cells};
    cpl_sorted_spec sorted = {.size = sizeof sorted};
    cpl_unique_spec unique = {.size = sizeof unique};
    cpl_sort_spec taking = {.size = sizeof taking, .out = &a};
    cpl_gather_spec gather = {.size = sizeof gather};
    cpl_choice choice = {.size = sizeof choice, .out_count = 1};
    cpl_random_spec random;
    cpl_array *out = NULL;
    cpl_random_spec_init(&random);
    MISSES("module", cpl_reduce(NULL, &r, NULL, &a, &a, 1));
    MISSES("spec", cpl_reduce(m, NULL, NULL, &a, &a, 1));
    MISSES("args", cpl_reduce(m, &r, NULL, &a, NULL, 1));
    MISSES("kernel", cpl_reduce_operator(m, &r, NULL));
    MISSES("spec", cpl_scan(m, NULL, NULL, &a, 1));
    MISSES("args", cpl_scan(m, &scan, NULL, NULL, 1));
    MISSES("out", cpl_histogram(m, &h, NULL, NULL, &a, 1));
    MISSES("spec", cpl_histogram(m, NULL, NULL, &a, &a, 1));
    MISSES("segments", cpl_reduce_segments(m, &r, NULL, NULL, &a, 1));
    MISSES("segments->offsets", cpl_reduce_segments(m, &r, NULL, &g, &a, 1));
    MISSES("runs", cpl_reduce_by_key(m, &r, NULL, NULL, &a, 1));
    MISSES("runs->out", cpl_reduce_by_key(m, &r, NULL, &runs, &a, 1));
    MISSES("module", cpl_sort(NULL, NULL, NULL, &a, 1));
    MISSES("args", cpl_sort(m, NULL, NULL, NULL, 1));
    MISSES("order", cpl_argsort(m, NULL, NULL, NULL, &a));
    MISSES("keys", cpl_argsort(m, NULL, NULL, &a, NULL));
    REFUSES(cpl_argsort(m, &taking, NULL, &a, &a), "spec->out and spec->order are NULL here");
    MISSES("spec", cpl_select(m, NULL, NULL, 1, &a));
    MISSES("cells", cpl_sort_cells(m, NULL, NULL, &a, 1));
    MISSES("cells->order", cpl_sort_cells(m, &cells, NULL, &a, 1));
    MISSES("values", cpl_search_sorted(m, &sorted, NULL, &a, none));
    MISSES("spec->out", cpl_search_sorted(m, &sorted, NULL, &a, &a));
    MISSES("b", cpl_merge(m, &sorted, NULL, &a, NULL, 1));
    MISSES("a", cpl_set_of(m, &sorted, NULL, CPL_SET_UNION, NULL, &a));
    MISSES("keys", cpl_unique(m, &unique, NULL, NULL));
    MISSES("spec->indices", cpl_take(m, &gather, NULL, &a, 1));
    MISSES("args", cpl_scatter(m, &gather, NULL, NULL, 1));
    MISSES("choice", cpl_compact(m, NULL, NULL, &a, 1));
    MISSES("choice->out", cpl_partition(m, &choice, NULL, &a, 1));
    MISSES("out", cpl_random_fill(m, &random, NULL, NULL));
    MISSES("spec", cpl_random_permutation(m, NULL, NULL, &a));
    MISSES("x", cpl_array_take(NULL, NULL, 0, CPL_INDEX_RAISE, NULL, &out));
    MISSES("f", cpl_array_map(m, NULL, NULL, &out, &a, 1));
}

/* Likewise of arrays, and of arithmetic on them. */
static void missing_of_arrays(void **state)
{
    world *w = *state;
    cpl_context *cx = w->cx;
    cpl_array *x, *out = NULL, *const one = NULL;
    const cpl_reduce_spec r = {.size = sizeof r};
    const cpl_scan_spec scan = {.size = sizeof scan};
    const cpl_array_options o = {.size = sizeof o};
    cpl_array_info info = {.size = sizeof info};
    assert_int_equal(cpl_array_create(cx, NULL, CPL_INT64, 4, &x), CPL_OK);
    MISSES("context", cpl_array_create(NULL, NULL, CPL_INT64, 4, &out));
    MISSES("array", cpl_array_create_with(cx, NULL, &o, NULL));
    MISSES("array", cpl_array_wrap(cx, NULL, &o, NULL, NULL));
    MISSES("view", cpl_array_view(x, &o, NULL));
    MISSES("slices", cpl_array_slice(x, NULL, 1, &out));
    MISSES("array", cpl_array_resize(NULL, 1));
    MISSES("array", cpl_array_reserve(NULL, 1));
    MISSES("array", cpl_array_squeeze(NULL));
    MISSES("array", cpl_array_info_get(NULL, &info));
    MISSES("info", cpl_array_info_get(x, NULL));
    MISSES("array", cpl_array_written(NULL, NULL, NULL));
    MISSES("array", cpl_array_push(NULL, NULL, NULL));
    MISSES("array", cpl_array_pull(NULL, NULL));
    MISSES("array", cpl_array_stay(NULL));
    MISSES("queue", cpl_queue_wait_array(NULL, x));
    MISSES("from", cpl_array_write(x, NULL, NULL, NULL));
    MISSES("to", cpl_array_read(x, NULL, NULL, NULL));
    MISSES("from", cpl_array_copy(x, NULL, NULL, NULL));
    MISSES("spec", cpl_array_reduce(NULL, NULL, NULL, 1, &out, NULL, 0));
    MISSES("out", cpl_array_reduce(NULL, &r, NULL, 1, NULL, NULL, 0));
    MISSES("args", cpl_array_scan(NULL, &scan, NULL, 0, &out, NULL, 1));
    MISSES("array", cpl_array_fill(NULL, cpl_arg_int(1), NULL));
    MISSES("array", cpl_array_arange(NULL, cpl_arg_int(0), cpl_arg_int(1), NULL));
    MISSES("array", cpl_array_linspace(NULL, 0, 1, true, NULL));
    MISSES("arrays", cpl_array_concatenate(NULL, 1, 0, NULL, &out));
    REFUSES(cpl_array_concatenate(&one, 0, 0, NULL, &out), "there are no arrays");
    REFUSES(cpl_array_concatenate(&one, 1, 0, NULL, &out), "array 0 of 'arrays' is NULL");
    MISSES("x", cpl_array_sum(NULL, 1, NULL, &out));
    MISSES("out", cpl_array_sum(x, 1, NULL, NULL));
    MISSES("x", cpl_array_max(NULL, 1, NULL, &out));
    MISSES("y", cpl_array_dot(x, NULL, NULL, &out));
    MISSES("x", cpl_array_cumsum(NULL, 0, NULL, &out));
    MISSES("out", cpl_array_diff(x, 1, 0, NULL, NULL));
    MISSES("y", cpl_array_trapz(NULL, NULL, 1, 0, NULL, &out));
    cpl_array_release(x);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_kernels, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(too_many_elements),
        TEST(bools),
        TEST(neutral_elements),
        TEST(places_of_results),
        TEST(arguments_that_are_none),
        TEST(places_that_are_none),
        TEST(arrays_that_overlap),
        TEST(few_that_overlap),
        TEST(results_that_overlap),
        TEST(flags_that_are_none),
        TEST(what_is_bound),
        TEST(each_part_of_a_spec),
        TEST(missing),
        TEST(missing_of_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
