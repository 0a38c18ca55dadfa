/*
 * Every request for memory that the library makes fails in turn, alone and with all behind it, in
 * each of a list of scenarios: the call answers CPL_ENOMEM (or succeeds, where nothing is lost),
 * the same call with memory then succeeds on the same objects, and in the end no byte is left. Call
 * sites are counted by the linker's --wrap around the allocation funnel. Requests that come by the
 * same calls fail in the same way: of those of a scenario the first fails and the last, and each in
 * full runs.
 */
#include "fault.h"
#include "launches.h"
#include "trail.h"

#include <cpl/algorithm.h>
#include <cpl/random.h>
#include <cpl/numeric.h>
#include <cpl/sort.h>

#include "runtime/runtime.h"

/* Call sites: return addresses of the outermost function of the funnel. */

enum { MOST_SITES = 1024 };
static struct {
    atomic_uintptr_t address;
    atomic_bool failed;
} sites[MOST_SITES];
static _Thread_local uintptr_t site;
extern const char __executable_start; /* the linker's */

static void note_site(bool failed)
{
    if (!site) return;
    size_t i = site % MOST_SITES;
    for (;; i = (i + 1) % MOST_SITES) {
        uintptr_t there = 0;
        if (atomic_compare_exchange_strong(&sites[i].address, &there, site) || there == site) break;
    }
    if (failed) atomic_store(&sites[i].failed, true);
}

static void note_request(bool failed)
{
    note_site(failed);
    trail_note();
}

void *__real_mem_realloc(const mem *m, void *block, size_t old_size, size_t new_size);
void *__real_mem_zalloc(const mem *m, size_t size);
char *__real_mem_strdup(const mem *m, const char *text);
void *__wrap_mem_realloc(const mem *m, void *block, size_t old_size, size_t new_size);
void *__wrap_mem_zalloc(const mem *m, size_t size);
char *__wrap_mem_strdup(const mem *m, const char *text);

void *__wrap_mem_realloc(const mem *m, void *block, size_t old_size, size_t new_size)
{
    bool outermost = !site; /* they call each other */
    if (outermost) site = (uintptr_t)__builtin_return_address(0);
    void *p = __real_mem_realloc(m, block, old_size, new_size);
    if (outermost) site = 0;
    return p;
}

void *__wrap_mem_zalloc(const mem *m, size_t size)
{
    bool outermost = !site; /* they call each other */
    if (outermost) site = (uintptr_t)__builtin_return_address(0);
    void *p = __real_mem_zalloc(m, size);
    if (outermost) site = 0;
    return p;
}

char *__wrap_mem_strdup(const mem *m, const char *text)
{
    bool outermost = !site; /* they call each other */
    if (outermost) site = (uintptr_t)__builtin_return_address(0);
    char *p = __real_mem_strdup(m, text);
    if (outermost) site = 0;
    return p;
}

/* Scenarios: `act` runs with and without memory, over and over on one world, and checks its own
 * results. */

typedef struct world {
    fault_heap heap;
    messages said;
    cpl_context *cx;
    cpl_module *m;
    char folder[64];
} world;

typedef struct scenario {
    const char *name;
    const char *text; /* of the module that act finds, or NULL */
    cpl_status (*act)(world *w);
    cpl_status expected; /* with memory */
    int opt_level;
    bool cache, tiers, bare; /* bare: act makes the context itself */
    /* each round has a world of its own, since a kernel that is there asks for no memory */
    bool fresh;
} scenario;

static const char axpb[] = "from math import sin\n"
                           "def axpb(i, x, y, a, b):\n"
                           "    y[i] = a*sin(x[i]) + b\n";

static cpl_status make_context(world *w)
{
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.alloc = fault_alloc;
    o.alloc_user = &w->heap;
    o.openmp = "/nowhere/libomp.so";
    cpl_context *cx = (cpl_context *)1;
    cpl_status status = cpl_context_create(&o, &cx);
    if (status) assert_null(cx);
    cpl_context_release(cx);
    return status;
}

/* Settings that the context does not know yet. */
static cpl_status set_option(world *w)
{
    static int64_t value;
    int64_t now;
    cpl_status status = cpl_context_set_option(w->cx, "chunk", ++value);
    assert_int_equal(cpl_context_get_option(w->cx, "chunk", &now), CPL_OK);
    assert_true((now == value) == (status == CPL_OK));
    return status;
}

static cpl_status make_module(world *w)
{
    static const char text[] = "from math import pi\nK: Final[int] = 3\nclass P:\n    a: int32\n   "
                               " b: float64\ndef f(i, x, y):\n    y[i] = x[i] + K\n\n"
                               "def g(a: float64, b: float64):\n    return a*b*pi\n";
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_source(w->cx, "k.py", text, sizeof text - 1, &m);
    if (status) assert_null(m);
    cpl_module_release(m);
    return status;
}

static cpl_status make_ir_module(world *w)
{
    static const char text[] =
        "cir 1\nstruct Pair { first: int32, second: float64 }\nextern func sq(float64) -> float64\n"
        "entry func f(a: float64) -> float64 {\n  var b: float64\n  b = call sq(a)\n  return "
        "b\n}\n";
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_ir(w->cx, "k.cir", text, sizeof text - 1, &m);
    if (status) assert_null(m);
    cpl_module_release(m);
    return status;
}

static cpl_status make_module_of_texts(world *w)
{
    static const char f[] = "from h import g\ndef f(i, x):\n    x[i] = g(x[i])\n";
    static const char g[] = "def g(x):\n    return x\n";
    static const cpl_source sources[] = {{sizeof *sources, "k.py", f, sizeof f - 1},
                                         {sizeof *sources, "h.py", g, sizeof g - 1}};
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_sources(w->cx, sources, 2, &m);
    double x[1] = {3};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 1)};
    if (!status) status = launch_rounds(m, "f", NULL, args, 1, CPL_AUTO, NULL);
    else assert_null(m);
    cpl_module_release(m);
    return status;
}

static cpl_status make_module_of_functions(world *w)
{
    static const char f[] = "  def f(i, x):\n    x[i] = h(x[i])*K\n",
                      g[] = "def g(x): return r(x)\n";
    const cpl_type *t = NULL;
    if (cpl_type_parse(w->cx, "float64", &t)) return CPL_ENOMEM;
    cpl_name names[] = {cpl_name_function("h", 1), cpl_name_int("K", 2)},
             own[] = {cpl_name_builtin("r", "math.sqrt")};
    cpl_function_source functions[] = {{.size = sizeof *functions,
                                        .name = "a.f",
                                        .file = "a.py",
                                        .text = f,
                                        .text_size = sizeof f - 1,
                                        .names = names,
                                        .name_count = 2},
                                       {.size = sizeof *functions,
                                        .file = "b.py",
                                        .text = g,
                                        .text_size = sizeof g - 1,
                                        .types = &t,
                                        .type_count = 1,
                                        .names = own,
                                        .name_count = 1}};
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_functions(w->cx, functions, 2, &m);
    double x[1] = {4};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 1)};
    if (status) assert_null(m);
    else status = launch_rounds(m, "a.f", NULL, args, 1, CPL_AUTO, NULL);
    cpl_module_release(m);
    return status;
}

/* What is wrong with the files beside it is remembered, and memory is needed for that. */
static void put_beside(world *w)
{
    char path[128];
    snprintf(path, sizeof path, "%s/h.py", w->folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("import folder, k\n@struct\nclass Pair:\n    a: float\n    b: float\n", f);
    fclose(f);
    snprintf(path, sizeof path, "%s/folder.py", w->folder);
    mkdir(path, 0700);
}

static cpl_status read_file(world *w)
{
    put_beside(w);
    char path[128];
    snprintf(path, sizeof path, "%s/k.py", w->folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 300; i++)
        fprintf(f, "# a comment that makes the file longer than what is read at first\n");
    fputs("import h, missing\n", f);
    fputs(axpb, f);
    fclose(f);
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_file(w->cx, path, &m);
    if (status) assert_null(m);
    cpl_module_release(m);
    return status;
}

static cpl_status launch(world *w)
{
    double x[8] = {0, 1, 2, 3, 4, 5, 6, 7}, y[8] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 8), cpl_arg_array(CPL_FLOAT64, y, 8),
                      cpl_arg_float(2), cpl_arg_int(1)};
    cpl_status status = launch_rounds(w->m, "axpb", NULL, args, 4, CPL_AUTO, NULL);
    assert_true(status != CPL_OK || (y[0] == 1 && y[1] > 2.68 && y[1] < 2.69));
    return status;
}

/* The text of an expression becomes a source of the module. */
static cpl_status launch_bound(world *w)
{
    double x[4] = {0, 1, 2, 3};
    cpl_bind twice = cpl_bind_expression("lambda t: t + t"), rounds = cpl_bind_integer(3),
             root = cpl_bind_function("sqrt");
    cpl_arg args[] = {cpl_arg_bound(&twice), cpl_arg_bound(&rounds),
                      cpl_arg_array(CPL_FLOAT64, x, 4), cpl_arg_bound(&root)};
    cpl_status status = launch_rounds(w->m, NULL, NULL, args, 4, CPL_AUTO, NULL);
    assert_true(status != CPL_OK || (x[2] == 4 && x[0] == 0));
    return status;
}

static cpl_status launch_strided(world *w)
{
    int32_t x[16], y[16] = {0};
    for (int i = 0; i < 16; i++) x[i] = i;
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 8), cpl_arg_array(CPL_INT32, y, 8)};
    args[0].stride = args[1].stride = 8;
    cpl_status status = launch_rounds(w->m, NULL, NULL, args, 2, CPL_AUTO, NULL);
    assert_true(status != CPL_OK || (y[14] == 14 && y[13] == 0));
    return status;
}

static cpl_status launch_overlapping(world *w)
{
    int32_t x[9] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, 8), cpl_arg_array(CPL_INT32, x + 1, 8)};
    cpl_status status = launch_rounds(w->m, NULL, NULL, args, 2, CPL_AUTO, NULL);
    assert_true(status != CPL_OK || x[8] == 8);
    return status;
}

/* A fault that a check finds is told as such whatever else failed. */
static cpl_status launch_checked(world *w)
{
    double x[3] = {1, 2, 3}, y[4] = {0};
    int32_t k[4] = {0, 2, 3, 1};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, y, 4), cpl_arg_array(CPL_FLOAT64, x, 3),
                      cpl_arg_array(CPL_INT32, k, 4)};
    return launch_rounds(w->m, NULL, NULL, args, 3, CPL_AUTO, NULL);
}

static cpl_status make_kernel(world *w)
{
    const cpl_type *types[2];
    cpl_status status = cpl_type_parse(w->cx, "float64[]", &types[0]);
    if (!status) status = cpl_type_parse(w->cx, "int32", &types[1]);
    if (status) return status;
    int64_t options[2] = {INT64_MIN, INT64_MIN};
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = types;
    spec.type_count = 2;
    spec.options = options;
    spec.option_count = 2;
    cpl_kernel *k = (cpl_kernel *)1;
    status = spec_kernel(w->m, "total", &spec, &k);
    if (status) {
        assert_null(k);
        return status;
    }
    double x[3] = {1, 2, 3};
    void *address = cpl_kernel_address(k);
    double (*total)(const double *x, int32_t n);
    memcpy(&total, &address, sizeof total);
    assert_true(total(x, 3) == 6);
    cpl_kernel_release(k);
    return CPL_OK;
}

static cpl_status call(world *w)
{
    cpl_arg args[] = {cpl_arg_float(1.5), cpl_arg_int(2)};
    double result = 0;
    cpl_status status = call_once(w->m, NULL, args, 2, &result, NULL);
    assert_true(status != CPL_OK || result == 2.25);
    return status;
}

static cpl_status interpret(world *w)
{
    cpl_arg args[] = {cpl_arg_float(1.5), cpl_arg_int(2)};
    double result = 0;
    cpl_status status = interpret_rounds(w->m, NULL, CPL_FORM_FUNCTION, args, 2, 0, &result, NULL);
    assert_true(status != CPL_OK || result == 2.25);
    return status;
}

enum { PIECES = 5000 }; /* elements: more than a piece of a reduction or a scan */

/* By an operator that has no name, and of two arguments, so that all texts are made. */
static cpl_status reduce_with(world *w, const cpl_launch_options *o)
{
    static int64_t x[PIECES];
    for (int i = 0; i < PIECES; i++) x[i] = i;
    cpl_arg args[] = {cpl_arg_array(CPL_INT64, x, PIECES), cpl_arg_int(3)};
    cpl_reduce_spec spec;
    cpl_reduce_spec_init(&spec);
    spec.op = cpl_bind_expression("b if b > a else a");
    spec.neutral = cpl_bind_expression("-1");
    return cpl_reduce(w->m, &spec, o, NULL, args, 2);
}

static cpl_status reduce(world *w)
{
    int64_t got = 0;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &got;
    cpl_status status = reduce_with(w, &o);
    assert_true(status != CPL_OK || got == PIECES - 1);
    if (status) return status;
    got = 0;
    o.interpret = true;
    status = reduce_with(w, &o);
    assert_true(status != CPL_OK || got == PIECES - 1);
    return status;
}

static cpl_status reduce_kernels(world *w)
{
    int64_t got;
    cpl_kernels found = {.target = "opencl:c1.2"};
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &got;
    o.kernels = &found;
    cpl_status status = reduce_with(w, &o);
    assert_true(status != CPL_OK || found.count == 2);
    for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
    return status;
}

/* With all kernels that there are. */
static cpl_status scan(world *w)
{
    static int32_t x[PIECES], y[PIECES], last[PIECES];
    for (int i = 0; i < PIECES; i++) x[i] = 1;
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, PIECES), cpl_arg_array(CPL_INT32, y, PIECES),
                      cpl_arg_array(CPL_INT32, last, PIECES)};
    cpl_scan_spec spec;
    cpl_scan_spec_init(&spec);
    spec.op = cpl_bind_expression("a + b");
    spec.segment = cpl_bind_expression("lambda i, x, y, z: i % 4100 == 0");
    spec.output = cpl_bind_function("keep");
    spec.flags = CPL_SCAN_LAST;
    cpl_status status = cpl_scan(w->m, &spec, NULL, args, 3);
    assert_true(status != CPL_OK || (y[4099] == 4100 && y[4100] == 1 && last[0] == 4100));
    return status;
}

/* Keys with two arrays that go along: an order of the library's own, then all moves. */
static cpl_status sort(world *w)
{
    static int32_t x[PIECES], y[PIECES];
    static int64_t z[PIECES];
    for (int i = 0; i < PIECES; i++) x[i] = y[i] = (int32_t)(z[i] = PIECES - i);
    cpl_arg args[] = {cpl_arg_array(CPL_INT32, x, PIECES), cpl_arg_array(CPL_INT32, y, PIECES),
                      cpl_arg_array(CPL_INT64, z, PIECES)};
    cpl_status status = cpl_sort(w->m, NULL, NULL, args, 3);
    assert_true(status != CPL_OK || (x[0] == 1 && y[7] == 8 && z[PIECES - 1] == PIECES));
    return status;
}

/* Few cells, which are counted, and many, which are sorted. */
static cpl_status cells_of(world *w, int64_t offsets_count, int32_t second)
{
    static int32_t x[PIECES], order[PIECES], offsets[2 * PIECES + 1];
    for (int i = 0; i < PIECES; i++) x[i] = PIECES - 1 - i;
    cpl_arg in = cpl_arg_array(CPL_INT32, x, PIECES), to = cpl_arg_array(CPL_INT32, order, PIECES),
            starts = cpl_arg_array(CPL_INT32, offsets, offsets_count);
    cpl_cells cells;
    cpl_cells_init(&cells);
    cells.order = &to;
    cells.offsets = &starts;
    cpl_status status = cpl_sort_cells(w->m, &cells, NULL, &in, 1);
    assert_true(status != CPL_OK ||
                (order[0] == PIECES - 1 && order[1] == second && offsets[1] == 1));
    return status;
}

static cpl_status sort_few_cells(world *w)
{
    return cells_of(w, 2, 0);
}

static cpl_status sort_many_cells(world *w)
{
    return cells_of(w, 2 * PIECES + 1, PIECES - 2);
}

static cpl_status take(world *w)
{
    int32_t k[] = {2, 0, -1}, got[3] = {0}, x[] = {10, 11, 12};
    cpl_arg in = cpl_arg_array(CPL_INT32, x, 3), indices = cpl_arg_array(CPL_INT32, k, 3),
            out = cpl_arg_array(CPL_INT32, got, 3);
    cpl_gather_spec spec;
    cpl_gather_spec_init(&spec);
    spec.indices = &indices;
    spec.out = &out;
    cpl_status status = cpl_take(w->m, &spec, NULL, &in, 1);
    assert_true(status != CPL_OK || (got[0] == 12 && got[1] == 10 && got[2] == 12));
    return status;
}

static cpl_status partition(world *w)
{
    static int32_t x[PIECES], y[PIECES];
    int64_t number;
    for (int i = 0; i < PIECES; i++) x[i] = i;
    cpl_arg in = cpl_arg_array(CPL_INT32, x, PIECES), out = cpl_arg_array(CPL_INT32, y, PIECES);
    cpl_choice choice;
    cpl_choice_init(&choice);
    choice.condition = cpl_bind_expression("lambda i, x: x[i] % 2 == 1");
    choice.out = &out;
    choice.out_count = 1;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &number;
    cpl_status status = cpl_partition(w->m, &choice, &o, &in, 1);
    assert_true(status != CPL_OK || (number == PIECES / 2 && y[1] == 3 && y[number] == 0));
    return status;
}

/* What is made of sorted arrays, each by itself: what fails late has to compile but its own. */
static cpl_sorted_spec sorted_spec(const cpl_arg *out)
{
    cpl_sorted_spec spec;
    cpl_sorted_spec_init(&spec);
    spec.out = out;
    return spec;
}

static cpl_status unite(world *w)
{
    int32_t x[] = {1, 2, 2, 5}, y[] = {2, 3}, all[6];
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 4), b = cpl_arg_array(CPL_INT32, y, 2),
            out = cpl_arg_array(CPL_INT32, all, 6);
    cpl_sorted_spec spec = sorted_spec(&out);
    cpl_status status = cpl_set_of(w->m, &spec, NULL, CPL_SET_UNION, &a, &b);
    assert_true(status != CPL_OK || (all[0] == 1 && all[1] == 2 && all[2] == 3 && all[3] == 5));
    return status;
}

static cpl_status merge(world *w)
{
    int32_t x[] = {1, 2, 2, 5}, y[] = {2, 3}, all[6];
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 4), b = cpl_arg_array(CPL_INT32, y, 2),
            out = cpl_arg_array(CPL_INT32, all, 6);
    cpl_sorted_spec spec = sorted_spec(&out);
    cpl_status status = cpl_merge(w->m, &spec, NULL, &a, &b, 1);
    assert_true(status != CPL_OK || (all[2] == 2 && all[3] == 2 && all[4] == 3 && all[5] == 5));
    return status;
}

static cpl_status make_unique(world *w)
{
    int32_t x[] = {1, 2, 2, 2, 3, 5}, first[6] = {0}, counts[6] = {0};
    cpl_arg keys = cpl_arg_array(CPL_INT32, x, 6), to = cpl_arg_array(CPL_INT32, first, 6),
            many = cpl_arg_array(CPL_INT32, counts, 6);
    cpl_unique_spec unique;
    cpl_unique_spec_init(&unique);
    unique.first = &to;
    unique.counts = &many;
    cpl_status status = cpl_unique(w->m, &unique, NULL, &keys);
    assert_true(status != CPL_OK || (first[2] == 4 && counts[1] == 3));
    return status;
}

static cpl_status search(world *w)
{
    int32_t x[] = {1, 2, 2, 5}, y[] = {2, 3}, at[2];
    cpl_arg a = cpl_arg_array(CPL_INT32, x, 4), b = cpl_arg_array(CPL_INT32, y, 2),
            out = cpl_arg_array(CPL_INT32, at, 2);
    cpl_sorted_spec spec = sorted_spec(&out);
    cpl_status status = cpl_search_sorted(w->m, &spec, NULL, &a, &b);
    assert_true(status != CPL_OK || (at[0] == 1 && at[1] == 3));
    return status;
}

/* Of blocks and of edges. */
static cpl_status fill_random(world *w)
{
    int64_t x[9] = {0};
    cpl_random_spec spec;
    cpl_random_spec_init(&spec);
    spec.kind = CPL_RANDOM_INTEGERS;
    spec.from = 5, spec.to = 6, spec.offset = 1;
    cpl_arg out = cpl_arg_array(CPL_INT64, x, 9);
    cpl_status status = cpl_random_fill(w->m, &spec, NULL, &out);
    for (int i = 0; i < 9 && !status; i++) assert_int_equal(x[i], 5);
    return status;
}

static cpl_status permute(world *w)
{
    int64_t y[5];
    cpl_random_spec spec;
    cpl_random_spec_init(&spec);
    spec.kind = CPL_RANDOM_INTEGERS;
    cpl_arg order = cpl_arg_array(CPL_INT64, y, 5);
    cpl_status status = cpl_random_permutation(w->m, &spec, NULL, &order);
    assert_true(status || y[0] + y[1] + y[2] + y[3] + y[4] == 10);
    return status;
}

/* An expression into a new array, one that overlaps what it is of, and sums in pieces. */
static cpl_status compute(world *w)
{
    enum { SIZE = 9000 };
    static double v[SIZE], sum;
    cpl_array *x = NULL, *y = NULL, *low = NULL, *total = NULL;
    for (int i = 0; i < SIZE; i++) v[i] = 1;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 1;
    o.shape[0] = SIZE - 1;
    o.offset = sizeof(double);
    const cpl_bind f = cpl_bind_expression("lambda a, b: a + b");
    cpl_status status = cpl_array_create(w->cx, NULL, CPL_FLOAT64, SIZE, &x);
    if (!status) status = cpl_array_write(x, NULL, v, NULL);
    const cpl_arg args[] = {cpl_arg_of_array(x), cpl_arg_int(2)};
    if (!status) status = cpl_array_map(NULL, &f, NULL, &y, args, 2);
    o.shape[0] = SIZE;
    o.offset = (SIZE - 1) * sizeof(double);
    o.strides[0] = -(int64_t)sizeof(double);
    if (!status) status = cpl_array_view(y, &o, &low);
    const cpl_arg turned[] = {cpl_arg_of_array(low), cpl_arg_of_array(x)};
    if (!status) status = cpl_array_map(NULL, &f, NULL, &y, turned, 2);
    if (!status) status = cpl_array_sum(y, CPL_ALL_AXES, NULL, &total);
    if (!status) status = cpl_array_read(total, NULL, &sum, NULL);
    assert_true(status || sum == 4 * SIZE);
    cpl_array_release(total);
    cpl_array_release(low);
    cpl_array_release(y);
    cpl_array_release(x);
    return status;
}

/* Of rows, to a new array and into what they are taken from. */
static cpl_status take_along(world *w)
{
    static const int32_t v[] = {1, 2, 3, 4, 5, 6}, k[] = {2, 0, -1};
    int32_t got[6] = {0};
    cpl_array *x = NULL, *rows = NULL, *at = NULL, *out = NULL;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dims = 2;
    o.shape[0] = 3;
    o.shape[1] = 2;
    cpl_status status = cpl_array_create(w->cx, NULL, CPL_INT32, 6, &x);
    if (!status) status = cpl_array_write(x, NULL, v, NULL);
    if (!status) status = cpl_array_view(x, &o, &rows);
    if (!status) status = cpl_array_create(w->cx, NULL, CPL_INT32, 3, &at);
    if (!status) status = cpl_array_write(at, NULL, k, NULL);
    if (!status) status = cpl_array_take(rows, at, 0, CPL_INDEX_RAISE, NULL, &out);
    if (!status) status = cpl_array_take(rows, at, 0, CPL_INDEX_WRAP, NULL, &rows);
    if (!status) status = cpl_array_read(out, NULL, got, NULL);
    assert_true(status || (got[0] == 5 && got[2] == 1 && got[5] == 6));
    if (!status) status = cpl_array_read(rows, NULL, got, NULL);
    assert_true(status || (got[0] == 5 && got[2] == 1 && got[5] == 6));
    cpl_array_release(out);
    cpl_array_release(at);
    cpl_array_release(rows);
    cpl_array_release(x);
    return status;
}

static void count_found(void *user, const cpl_function_types *found)
{
    assert_true(found->variable_count > 0);
    ++*(int *)user;
}

static cpl_status types_each(world *w, const cpl_spec *spec)
{
    int seen = 0;
    cpl_status status = cpl_module_types_each(w->m, "axpb", spec, count_found, &seen);
    assert_int_equal(seen > 0, status == CPL_OK);
    return status;
}

static cpl_status emit(world *w)
{
    const cpl_type *types[4];
    static const char *const names[] = {"float64[]", "float64[]", "float64", "int32"};
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 4;
    cpl_status status = CPL_OK;
    for (int i = 0; i < 4 && !status; i++) status = cpl_type_parse(w->cx, names[i], &types[i]);
    cpl_emit_options o;
    cpl_emit_options_init(&o);
    for (int stage = 0; stage <= CPL_STAGE_OPENCL_C && !status; stage++) {
        cpl_blob text = {0}, log = {0};
        if (stage == CPL_STAGE_CUBIN) continue; /* by somebody else's program */
        spec.target = stage == CPL_STAGE_PTX        ? "cuda"
                      : stage == CPL_STAGE_SPIRV    ? "opencl"
                      : stage == CPL_STAGE_OPENCL_C ? "opencl:c1.2"
                                                    : NULL;
        o.print_after = "all";
        o.time_passes = true;
        o.log = &log;
        status = cpl_module_emit(w->m, "axpb", &spec, (cpl_stage)stage, &o, &text);
        if (!status) assert_true(text.size > 0);
        else assert_null(text.data);
        cpl_blob_free(&text);
        cpl_blob_free(&log);
    }
    spec.target = NULL;
    return status ? status : types_each(w, &spec);
}

/* Programs with errors of each stage: the errors are told, or that memory ran out. */
static cpl_status errors(world *w)
{
    cpl_arg args[] = {cpl_arg_int(1)};
    return call_once(w->m, "f", args, 1, NULL, NULL);
}

static cpl_status syntax_errors(world *w)
{
    static const char text[] = "def f(:\n    return \"abc\ndef g(x):\n  y = (x\n\x01\xff\n";
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_source(w->cx, "k.py", text, sizeof text - 1, &m);
    assert_null(m);
    return status;
}

static double square(double x)
{
    return x * x;
}

static cpl_status externs(world *w)
{
    static int number;
    char name[32];
    snprintf(name, sizeof name, "f%d", number++); /* a new one each time; the world is the last's */
    return cpl_extern_register(w->cx, name, "float64(float64)", (void *)(uintptr_t)square, true);
}

static cpl_status types(world *w)
{
    static int number;
    char text[64];
    const cpl_type *t, *s;
    snprintf(text, sizeof text, "float32[%d][7]*", ++number);
    cpl_status status = cpl_type_parse(w->cx, text, &t);
    if (status) {
        assert_null(t);
        return status;
    }
    snprintf(text, sizeof text, "pair%d", number);
    const cpl_type *f64;
    status = cpl_type_parse(w->cx, "float64", &f64);
    cpl_field fields[] = {{"first", f64, 0}, {"second", f64, 0}};
    if (!status) status = cpl_type_struct(w->cx, text, fields, 2, &s);
    fields[1].offset = 9 + (size_t)number;
    return status ? status : cpl_type_struct_at(w->cx, NULL, fields, 2, 20 + (size_t)number, 1, &s);
}

static void ignore_entry(void *user, const cpl_cache_entry *e)
{
    (void)e;
    ++*(int *)user;
}

static cpl_status list_cache(world *w)
{
    int n = 0;
    uint64_t removed;
    cpl_status status = cpl_cache_each(w->cx, ignore_entry, &n);
    return status ? status : cpl_cache_clear(w->cx, &removed);
}

/* Storing an entry whose key makes the cache look for what to throw away. */
static cpl_status sweep(world *w)
{
    static const uint8_t key[ARTIFACT_KEY_SIZE] = {0, 1, 2};
    disk_cache *c = runtime_disk_cache(w->cx);
    if (!c) return CPL_ENOMEM;
    char bytes[100] = "payload";
    disk_cache_put(w->cx, c, key, bytes, sizeof bytes);
    strbuf found;
    sb_init(&found, context_mem(w->cx));
    bool hit = disk_cache_get(w->cx, c, key, &found);
    assert_true(!hit || memcmp(found.at, bytes, sizeof bytes) == 0);
    sb_free(&found);
    return hit ? CPL_OK : CPL_ENOMEM;
}

static cpl_status build_ir(world *w)
{
    cpl_ir_builder *b = (cpl_ir_builder *)1;
    const cpl_type *f64 = NULL;
    cpl_status status = cpl_type_parse(w->cx, "float64", &f64);
    if (status) return status;
    status = cpl_ir_builder_create(w->cx, "built", &b);
    if (status) {
        assert_null(b);
        return status;
    }
    cpl_ir_func *f = cpl_ir_function(b, "twice", CPL_IR_ENTRY, f64);
    cpl_ir_var *x = cpl_ir_param(b, f, "x", f64, 0);
    cpl_ir_begin(b, f);
    for (int i = 0; i < 2000; i++)
        cpl_ir_assign(b, x,
                      cpl_ir_op2(b, "add", cpl_ir_use(b, x), cpl_ir_float(b, CPL_FLOAT64, 1)));
    cpl_ir_return(b, cpl_ir_use(b, x));
    cpl_ir_end(b);
    cpl_blob text = {0};
    status = cpl_ir_text(b, &text);
    if (!status) assert_non_null(strstr(text.data, "twice"));
    cpl_blob_free(&text);
    cpl_module *m = NULL;
    if (!status) status = cpl_ir_finish(b, &m);
    if (status) assert_null(m);
    cpl_module_release(m);
    cpl_ir_builder_free(b);
    return status;
}

static const char total[] =
    "def total(x, n):\n    s = 0.0\n    for i in range(n):\n        s += x[i]\n    return s\n";
static const char squared[] =
    "def f(x, n):\n    p = 1.0\n    for i in range(n):\n        p *= x\n    return p\n";

static const scenario scenarios[] = {
    {"context", .act = make_context, .bare = true},
    {"options", .act = set_option},
    {"module", .act = make_module, .fresh = true},
    {"module of IR", .act = make_ir_module},
    {"module of several texts", .act = make_module_of_texts, .fresh = true},
    {"module of functions", .act = make_module_of_functions, .fresh = true},
    {"file", .act = read_file},
    {"syntax errors", .act = syntax_errors, .expected = CPL_ESYNTAX},
    {"type errors",
     .text = "def f(x):\n    y = x[0]\n    z = not_there(x)\n    return y + z.q + sinn(x)\n",
     .act = errors, .expected = CPL_ETYPE},
    {"externs", .act = externs},
    {"types", .act = types},
    {"kernel -O0", total, make_kernel, .opt_level = 0, .fresh = true},
    {"kernel -O3", total, make_kernel, .opt_level = 3, .fresh = true},
    {"kernel through the cache", .text = total, .act = make_kernel, .cache = true, .fresh = true},
    {"launch", .text = axpb, .act = launch, .fresh = true},
    {"launch in tiers", axpb, launch, .opt_level = 1, .tiers = true, .fresh = true},
    {"bound",
     "def f(i, f, n, x, g):\n    for k in static_range(n):\n        x[i] = f(x[i])\n"
     "    x[i] = g(x[i])\n",
     launch_bound, .fresh = true},
    {"strided", "def f(i, x, y):\n    y[i] = x[i]\n", launch_strided, .fresh = true},
    {"overlapping", "def f(i, x, y):\n    y[i] = x[i] + 1\n", launch_overlapping, .fresh = true},
    {"bounds", .text = "def gather(i, y, x, k):\n    y[i] = x[k[i]]\n", .act = launch_checked,
     .expected = CPL_EBOUNDS, .fresh = true},
    {"call", squared, call, .fresh = true},
    {"reduction", "", reduce, .fresh = true},
    {"kernels of a reduction", "", reduce_kernels, .fresh = true},
    {"scan", "def keep(i, item, before, last, n, x, y, z):\n    y[i] = item\n    z[i] = last\n",
     scan, .fresh = true},
    {"sort", "", sort, .fresh = true},
    {"sort by few cells", "", sort_few_cells, .fresh = true},
    {"sort by many cells", "", sort_many_cells, .fresh = true},
    {"take", "", take, .fresh = true},
    {"partition", "", partition, .fresh = true},
    {"union", "", unite, .fresh = true},
    {"merge", "", merge, .fresh = true},
    {"unique", "", make_unique, .fresh = true},
    {"search", "", search, .fresh = true},
    {"random numbers", "", fill_random, .fresh = true},
    {"permutation", "", permute, .fresh = true},
    {"arithmetic on arrays", "", compute, .fresh = true},
    {"elements along an axis", "", take_along, .fresh = true},
    {"interpreter", .text = squared, .act = interpret},
    {"stages as text", .text = axpb, .act = emit},
    {"list and clear the cache", .act = list_cache, .cache = true, .fresh = true},
    {"sweep the cache", .act = sweep, .cache = true, .fresh = true},
    {"IR builder", .act = build_ir},
};

static void open_world(world *w, const scenario *s)
{
    w->said.n = 0;
    setenv("CPL_CACHE", s->cache ? "1" : "0", 1);
    if (s->bare) return;
    w->cx = fault_context(&w->heap, &w->said);
    assert_int_equal(cpl_context_set_option(w->cx, "opt_level", s->opt_level), CPL_OK);
    assert_int_equal(cpl_context_set_option(w->cx, "tiers", s->tiers), CPL_OK);
    assert_int_equal(cpl_context_set_option(w->cx, "num_threads", 1), CPL_OK);
    if (s->act == launch_checked)
        assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    if (s->text) w->m = fault_module(w->cx, s->text);
}

static void close_world(world *w)
{
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
    w->m = NULL;
    w->cx = NULL;
    if (atomic_load(&w->heap.live)) fail_msg("%ld bytes are left", atomic_load(&w->heap.live));
}

/* Fails the n-th request of the scenario; false when it makes fewer. */
static bool fail_one(const scenario *s, world *w, long n, bool persistent)
{
    if (!w->cx) open_world(w, s);
    fault_arm(&w->heap, n, persistent);
    cpl_status status = s->act(w);
    long failed = atomic_load(&w->heap.failed);
    fault_arm(&w->heap, 0, false);
    if (status != s->expected && status != CPL_ENOMEM)
        fail_msg("%s, request %ld: status %d: %s", s->name, n, status, w->said.text);
    if (!failed && status != s->expected)
        fail_msg("%s: status %d without a failure: %s", s->name, status, w->said.text);
    status = s->act(w);
    if (status != s->expected)
        fail_msg("%s, after request %ld failed: status %d: %s", s->name, n, status, w->said.text);
    if (s->fresh || !failed) close_world(w);
    return failed > 0;
}

static long requests;

/* Lists the requests of a scenario on a world of its own. */
static void list_requests(const scenario *s, world *w)
{
    open_world(w, s);
    fault_arm(&w->heap, 0, false);
    trail_begin();
    assert_int_equal(s->act(w), s->expected);
    trail_end();
    close_world(w);
    assert_true(trail_count() <= TRAIL_MOST);
}

/* Alone each request that trail_is_new fails, and a fifth of those with all behind it: that is the
 * same for most. With tiers a second thread asks too, and a cache is by turns filled and read:
 * there a list is of one run alone. */
static bool is_tried(const scenario *s, long n, bool persistent)
{
    if (test_rounds(0, 1)) return true;
    return (!persistent || n % 5 == 1) && (s->tiers || s->cache || trail_is_new(n));
}

/* A second thread asks too where there are tiers, so that a run without a failure may be chance. */
static void fail_each(void **state)
{
    const scenario *s = *state;
    world *w = calloc(1, sizeof *w);
    w->heap.seen = note_request;
    fault_folder(w->folder);
    setenv("CPL_CACHE_DIR", w->folder, 1);
    list_requests(s, w);
    for (int persistent = 0; persistent < 2; persistent++) {
        long n = 1, tried = 0;
        for (int quiet = 0; quiet < (s->tiers ? 20 : 1); n++) {
            if (!is_tried(s, n, persistent)) continue;
            /* by turns filled and read */
            if (s->cache && s->fresh && tried % 2 == 0)
                fault_remove(w->folder), mkdir(w->folder, 0700);
            quiet += !fail_one(s, w, n, persistent);
            tried++;
            assert_true(n < TRAIL_MOST);
        }
        requests += tried;
        if (n < 3) fail_msg("%s: no request was made", s->name);
    }
    fault_remove(w->folder);
    free(w);
}

static void write_figures(void)
{
    int seen = 0, failed = 0;
    for (int i = 0; i < MOST_SITES; i++) {
        seen += atomic_load(&sites[i].address) != 0;
        failed += atomic_load(&sites[i].failed);
        if (atomic_load(&sites[i].address) && !atomic_load(&sites[i].failed))
            print_message("never failed: %p\n", (void *)atomic_load(&sites[i].address));
    }
    fault_figures("alloc",
                  "\"sites_seen\": %d, \"sites_failed\": %d, \"percent\": %d, \"requests_failed\": "
                  "%ld, \"scenarios\": %zu",
                  seen, failed, seen ? 100 * failed / seen : 0, requests,
                  sizeof scenarios / sizeof *scenarios);
    const char *folder = getenv("CPL_TRUST_DIR");
    char path[1024];
    snprintf(path, sizeof path, "%s/alloc-sites.txt", folder ? folder : "");
    FILE *f = folder ? fopen(path, "w") : NULL;
    for (int i = 0; f && i < MOST_SITES; i++)
        if (atomic_load(&sites[i].address))
            fprintf(f, "%lx %d\n",
                    (unsigned long)(atomic_load(&sites[i].address) -
                                    (uintptr_t)&__executable_start),
                    atomic_load(&sites[i].failed));
    if (f) fclose(f);
    assert_int_equal(failed, seen);
    assert_true(seen > 40);
}

static void every_site_failed(void **state)
{
    (void)state;
    write_figures();
}

int main(void)
{
    enum { N = sizeof scenarios / sizeof *scenarios };
    static struct CMUnitTest tests[N + 1];
    for (int i = 0; i < N; i++)
        tests[i] =
            (struct CMUnitTest){scenarios[i].name, fail_each, NULL, NULL, (void *)&scenarios[i]};
    tests[N] = (struct CMUnitTest)cmocka_unit_test(every_site_failed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
