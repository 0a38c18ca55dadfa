/* Structs that begin with their size, given by programs whose headers are older or newer. */
#include "unit.h"

#include "launches.h"

#include <cpl/cpl.h>
#include <cpl/rt.h>

static const char text[] = "def f(i, x):\n    x[i] = 1.0\n";

typedef struct world {
    cpl_context *cx;
    cpl_module *module;
    cpl_device *host;
    cpl_array *array;
    const cpl_type *pointer;
    double x[4], room[2];
    int32_t numbers[4], more[4];
    cpl_arg offsets, sums;
} world;

/* --- a call for each struct, which is told what to give --- */

static cpl_status context_options(world *w, void *given)
{
    (void)w;
    cpl_context *cx;
    cpl_status status = cpl_context_create(given, &cx);
    cpl_context_release(cx);
    return status;
}

static cpl_status threads(world *w, void *given)
{
    (void)w;
    cpl_context *cx;
    cpl_context_options o = {.size = sizeof o, .threads = given};
    cpl_status status = cpl_context_create(&o, &cx);
    cpl_context_release(cx);
    return status;
}

static cpl_status extern_text(world *w, void *given)
{
    return cpl_extern_source(w->cx, given);
}

static cpl_status source(world *w, void *given)
{
    cpl_module *m;
    cpl_status status = cpl_module_from_sources(w->cx, given, 1, &m);
    cpl_module_release(m);
    return status;
}

static cpl_status function_source(world *w, void *given)
{
    cpl_module *m;
    cpl_status status = cpl_module_from_functions(w->cx, given, 1, &m);
    cpl_module_release(m);
    return status;
}

static cpl_status spec_of_kernel(world *w, void *given)
{
    cpl_kernel *k;
    cpl_status status = spec_kernel(w->module, "f", given, &k);
    cpl_kernel_release(k);
    return status;
}

static cpl_status spec_of_text(world *w, void *given)
{
    cpl_blob out;
    cpl_status status = cpl_module_emit(w->module, "f", given, CPL_STAGE_IR, NULL, &out);
    cpl_blob_free(&out);
    return status;
}

static void see_nothing(void *user, const cpl_function_types *found)
{
    (void)user;
    assert_int_equal(found->size, sizeof *found);
}

static cpl_status spec_of_types(world *w, void *given)
{
    return cpl_module_types_each(w->module, "f", given, see_nothing, NULL);
}

static cpl_status profile_records(world *w, void *given)
{
    return cpl_profile_write_records(w->cx, given, CPL_PROFILE_CSV, "/dev/null");
}

static cpl_status emit_options(world *w, void *given)
{
    cpl_blob out;
    cpl_status status = cpl_module_emit(w->module, "f", NULL, CPL_STAGE_AST, given, &out);
    cpl_blob_free(&out);
    return status;
}

static cpl_status launch_options(world *w, void *given)
{
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_launch(w->module, "f", given, &arg, 1);
}

static cpl_status launch_options_of_kernel(world *w, void *given)
{
    cpl_kernel *k;
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    assert_int_equal(cpl_kernel_for(w->module, "f", NULL, &arg, 1, &k), CPL_OK);
    cpl_status status = cpl_kernel_launch(k, given, &arg, 1);
    cpl_kernel_release(k);
    return status;
}

static cpl_status launch_options_for_kernel(world *w, void *given)
{
    cpl_kernel *k;
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    cpl_status status = cpl_kernel_for(w->module, "f", given, &arg, 1, &k);
    cpl_kernel_release(k);
    return status;
}

static cpl_status launch_options_interpreted(world *w, void *given)
{
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_interpret(w->module, "f", given, &arg, 1);
}

static cpl_status reduce_spec(world *w, void *given)
{
    double result;
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.result = &result;
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_reduce(w->module, given, &o, NULL, &arg, 1);
}

static cpl_status scan_spec(world *w, void *given)
{
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_scan(w->module, given, NULL, &arg, 1);
}

static cpl_status histogram_spec(world *w, void *given)
{
    int64_t bins[2];
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4), out = cpl_arg_array(CPL_INT64, bins, 2);
    return cpl_histogram(w->module, given, NULL, &out, &arg, 1);
}

static cpl_status sort_spec(world *w, void *given)
{
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_sort(w->module, given, NULL, &arg, 1);
}

static cpl_status cells(world *w, void *given)
{
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_sort_cells(w->module, given, NULL, &arg, 1);
}

static cpl_status gather_spec(world *w, void *given)
{
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_take(w->module, given, NULL, &arg, 1);
}

static cpl_status choice(world *w, void *given)
{
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_compact(w->module, given, NULL, &arg, 1);
}

static cpl_status sorted_spec(world *w, void *given)
{
    cpl_arg keys = cpl_arg_array(CPL_FLOAT64, w->x, 4),
            values = cpl_arg_array(CPL_FLOAT64, w->room, 2);
    return cpl_search_sorted(w->module, given, NULL, &keys, &values);
}

static cpl_status sorted_spec_of_set(world *w, void *given)
{
    cpl_arg a = cpl_arg_array(CPL_INT32, w->more, 2), b = cpl_arg_array(CPL_INT32, w->more + 2, 2);
    return cpl_set_of(w->module, given, NULL, CPL_SET_UNION, &a, &b);
}

static cpl_status sorted_spec_of_merge(world *w, void *given)
{
    cpl_arg a = cpl_arg_array(CPL_INT32, w->more, 2), b = cpl_arg_array(CPL_INT32, w->more + 2, 2);
    return cpl_merge(w->module, given, NULL, &a, &b, 1);
}

static cpl_status unique_spec(world *w, void *given)
{
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_unique(w->module, given, NULL, &arg);
}

static cpl_status random_spec(world *w, void *given)
{
    cpl_arg out = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_random_fill(w->module, given, NULL, &out);
}

static cpl_status random_spec_of_permutation(world *w, void *given)
{
    cpl_arg out = cpl_arg_array(CPL_INT64, w->x, 4);
    return cpl_random_permutation(w->module, given, NULL, &out);
}

static cpl_reduce_spec sum_of_elements(void)
{
    cpl_reduce_spec s;
    cpl_reduce_spec_init(&s);
    s.op = cpl_bind_expression("a + b");
    s.map = cpl_bind_expression("lambda i, x: x[i]");
    return s;
}

static cpl_status segments(world *w, void *given)
{
    cpl_reduce_spec s = sum_of_elements();
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_reduce_segments(w->module, &s, NULL, given, &arg, 1);
}

static cpl_status runs(world *w, void *given)
{
    cpl_reduce_spec s = sum_of_elements();
    cpl_arg arg = cpl_arg_array(CPL_FLOAT64, w->x, 4);
    return cpl_reduce_by_key(w->module, &s, NULL, given, &arg, 1);
}

static cpl_status array_options(world *w, void *given)
{
    cpl_array *a;
    cpl_status status = cpl_array_create_with(w->cx, NULL, given, &a);
    cpl_array_release(a);
    return status;
}

static cpl_status array_options_of_view(world *w, void *given)
{
    cpl_array *a;
    cpl_status status = cpl_array_view(w->array, given, &a);
    cpl_array_release(a);
    return status;
}

static cpl_status queue_options(world *w, void *given)
{
    cpl_queue *q;
    cpl_status status = cpl_queue_create(w->host, given, &q);
    cpl_queue_release(q);
    return status;
}

static cpl_status loop_options(world *w, void *given)
{
    cpl_ir_builder *b;
    const cpl_type *i64;
    assert_int_equal(cpl_type_parse(w->cx, "int64", &i64), CPL_OK);
    assert_int_equal(cpl_ir_builder_create(w->cx, "b", &b), CPL_OK);
    cpl_ir_func *f = cpl_ir_function(b, "f", CPL_IR_ENTRY, NULL);
    cpl_ir_begin(b, f);
    cpl_ir_var *i = cpl_ir_local(b, "i", i64);
    cpl_ir_parallel_for(b, i, cpl_ir_int(b, CPL_INT64, 0), cpl_ir_int(b, CPL_INT64, 4),
                        cpl_ir_int(b, CPL_INT64, 1), given);
    cpl_status status = cpl_ir_builder_status(b);
    cpl_ir_builder_free(b);
    return status;
}

static cpl_status stats(world *w, void *given)
{
    return cpl_context_stats(w->cx, given);
}

static cpl_status device_info(world *w, void *given)
{
    return cpl_device_info_get(w->host, given);
}

/* Said, so that nothing is timed. */
static cpl_status device_costs(world *w, void *given)
{
    setenv("CPL_COSTS", "host launch=1 memory=1 arithmetic=1", 1);
    return cpl_device_costs_get(w->host, given);
}

static cpl_status array_info(world *w, void *given)
{
    return cpl_array_info_get(w->array, given);
}

/* --- the table --- */

typedef struct row {
    const char *name;
    size_t size;
    cpl_status (*call)(world *w, void *given);
    void (*fill)(world *w, void *given); /* what is needed; NULL: zeros do */
    bool filled_in;                      /* by the library */
} row;

static void fill_extern(world *w, void *given)
{
    (void)w;
    cpl_extern_text *t = given;
    t->name = "g", t->signature = "float64(float64)", t->language = "opencl-c";
    t->text = "double g(double x) { return x; }", t->text_size = strlen(t->text);
}

static void run_nothing(void *pool, cpl_task_fn task, void *data, int workers)
{
    (void)pool, (void)task, (void)data, (void)workers;
}

static void fill_threads(world *w, void *given)
{
    (void)w;
    cpl_threads *t = given;
    t->run = run_nothing, t->workers = 1;
}

static void fill_source(world *w, void *given)
{
    (void)w;
    cpl_source *s = given;
    s->name = "k.py", s->text = text, s->text_size = strlen(text);
}

static void fill_function(world *w, void *given)
{
    (void)w;
    cpl_function_source *f = given;
    f->file = "k.py", f->text = text, f->text_size = strlen(text);
}

static void fill_spec(world *w, void *given)
{
    cpl_spec *s = given;
    s->form = CPL_FORM_ELEMENTWISE, s->types = &w->pointer, s->type_count = 1;
}

static void fill_launch(world *w, void *given)
{
    (void)w;
    size_t size = *(size_t *)given;
    cpl_launch_options_init(given);
    *(size_t *)given = size;
}

static void fill_reduce(world *w, void *given)
{
    (void)w;
    cpl_reduce_spec *s = given;
    s->op = cpl_bind_expression("a + b");
}

static void fill_scan(world *w, void *given)
{
    (void)w;
    cpl_scan_spec *s = given;
    s->op = cpl_bind_expression("a + b");
}

static void fill_histogram(world *w, void *given)
{
    (void)w;
    cpl_histogram_spec *s = given;
    s->bin = cpl_bind_expression("lambda i, x: i");
}

static void fill_sort(world *w, void *given)
{
    (void)w;
    cpl_sort_spec *s = given;
    s->flags = CPL_SORT_DESCENDING;
}

static void fill_cells(world *w, void *given)
{
    cpl_cells *c = given;
    w->offsets = cpl_arg_array(CPL_INT32, w->room, 3);
    w->sums = cpl_arg_array(CPL_INT32, w->numbers, 4);
    c->cell = cpl_bind_expression("lambda i, x: i % 2");
    c->order = &w->sums;
    c->offsets = &w->offsets;
}

static void fill_gather(world *w, void *given)
{
    cpl_gather_spec *s = given;
    w->offsets = cpl_arg_array(CPL_INT32, w->numbers, 2);
    w->sums = cpl_arg_array(CPL_FLOAT64, w->room, 2);
    s->indices = &w->offsets;
    s->out = &w->sums;
}

static void fill_choice(world *w, void *given)
{
    cpl_choice *c = given;
    w->sums = cpl_arg_array(CPL_FLOAT64, w->room, 2);
    c->condition = cpl_bind_expression("lambda i, x: i % 2 == 1");
    c->out = &w->sums;
    c->out_count = 1;
}

static void fill_sorted(world *w, void *given)
{
    cpl_sorted_spec *s = given;
    w->sums = cpl_arg_array(CPL_INT32, w->numbers, 4);
    s->out = &w->sums;
}

static void fill_unique(world *w, void *given)
{
    cpl_unique_spec *s = given;
    w->sums = cpl_arg_array(CPL_INT32, w->numbers, 4);
    s->counts = &w->sums;
}

static void fill_random(world *w, void *given)
{
    (void)w;
    size_t size = *(size_t *)given;
    cpl_random_spec_init(given);
    *(size_t *)given = size;
}

static void fill_segments(world *w, void *given)
{
    static const int64_t offsets[] = {0, 3, 4};
    cpl_segments *s = given;
    w->offsets = cpl_arg_const_array(CPL_INT64, offsets, 3);
    w->sums = cpl_arg_array(CPL_FLOAT64, w->room, 2);
    s->offsets = &w->offsets;
    s->out = &w->sums;
}

static void fill_runs(world *w, void *given)
{
    cpl_runs *r = given;
    w->sums = cpl_arg_array(CPL_FLOAT64, w->room, 2);
    r->out = &w->sums;
}

static void fill_array(world *w, void *given)
{
    (void)w;
    cpl_array_options *o = given;
    o->dtype = CPL_FLOAT64;
}

#define ROW(type, call, fill, filled_in) {#type " of " #call, sizeof(type), call, fill, filled_in}
static const row rows[] = {
    ROW(cpl_context_options, context_options, NULL, false),
    ROW(cpl_threads, threads, fill_threads, false),
    ROW(cpl_extern_text, extern_text, fill_extern, false),
    ROW(cpl_source, source, fill_source, false),
    ROW(cpl_function_source, function_source, fill_function, false),
    ROW(cpl_spec, spec_of_kernel, fill_spec, false),
    ROW(cpl_spec, spec_of_text, fill_spec, false),
    ROW(cpl_spec, spec_of_types, fill_spec, false),
    ROW(cpl_emit_options, emit_options, NULL, false),
    ROW(cpl_profile_records, profile_records, NULL, false),
    ROW(cpl_launch_options, launch_options, fill_launch, false),
    ROW(cpl_launch_options, launch_options_of_kernel, fill_launch, false),
    ROW(cpl_launch_options, launch_options_for_kernel, fill_launch, false),
    ROW(cpl_launch_options, launch_options_interpreted, fill_launch, false),
    ROW(cpl_reduce_spec, reduce_spec, fill_reduce, false),
    ROW(cpl_scan_spec, scan_spec, fill_scan, false),
    ROW(cpl_histogram_spec, histogram_spec, fill_histogram, false),
    ROW(cpl_sort_spec, sort_spec, fill_sort, false),
    ROW(cpl_cells, cells, fill_cells, false),
    ROW(cpl_gather_spec, gather_spec, fill_gather, false),
    ROW(cpl_choice, choice, fill_choice, false),
    ROW(cpl_sorted_spec, sorted_spec, fill_sorted, false),
    ROW(cpl_sorted_spec, sorted_spec_of_set, fill_sorted, false),
    ROW(cpl_sorted_spec, sorted_spec_of_merge, fill_sorted, false),
    ROW(cpl_unique_spec, unique_spec, fill_unique, false),
    ROW(cpl_random_spec, random_spec, fill_random, false),
    ROW(cpl_random_spec, random_spec_of_permutation, NULL, false),
    ROW(cpl_segments, segments, fill_segments, false),
    ROW(cpl_runs, runs, fill_runs, false),
    ROW(cpl_array_options, array_options, fill_array, false),
    ROW(cpl_array_options, array_options_of_view, fill_array, false),
    ROW(cpl_queue_options, queue_options, NULL, false),
    ROW(cpl_ir_loop_options, loop_options, NULL, false),
    ROW(cpl_stats, stats, NULL, true),
    ROW(cpl_device_info, device_info, NULL, true),
    ROW(cpl_device_costs, device_costs, NULL, true),
    ROW(cpl_array_info, array_info, NULL, true),
};

enum { MORE = 64, ROOM = 1024 };

/* Memory that ends where the struct does, so that a sanitizer sees what is read past it. */
static void *room_for(world *w, const row *r, size_t size)
{
    char *full = calloc(1, ROOM), *given = malloc(size);
    assert_non_null(full);
    assert_non_null(given);
    if (r->fill) r->fill(w, full);
    memcpy(given, full, size);
    memcpy(given, &size, sizeof size);
    free(full);
    return given;
}

static void check(const row *r, const char *what, cpl_status got, cpl_status wanted)
{
    if (got != wanted)
        fail_msg("%s, %s: %s, not %s (%s)", r->name, what, cpl_status_message(got),
                 cpl_status_message(wanted), cpl_last_error());
}

static void newer_ones_go_on_behind_ours(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *r = &rows[i];
        char *given = room_for(*state, r, r->size);
        check(r, "as it is", r->call(*state, given), CPL_OK);
        free(given);
        given = room_for(*state, r, r->size + MORE);
        check(r, "larger", r->call(*state, given), CPL_OK);
        free(given);
        given = room_for(*state, r, r->size + MORE);
        given[r->size + MORE - 1] = 1;
        check(r, "larger, and used", r->call(*state, given), r->filled_in ? CPL_OK : CPL_EARG);
        if (r->filled_in) assert_int_equal(given[r->size + MORE - 1], 0);
        else assert_non_null(strstr(cpl_last_error(), "does not know"));
        assert_int_equal(*(size_t *)given, r->size + MORE);
        free(given);
    }
}

/* What ends early has defaults behind; where those do not do, that is said. */
static void older_ones_end_before_ours(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t size = sizeof size; size < rows[i].size; size += sizeof size) {
            const row *r = &rows[i];
            char *given = room_for(*state, r, size);
            cpl_last_error_clear();
            cpl_status status = r->call(*state, given);
            if (r->filled_in || !r->fill || r->fill == fill_launch)
                check(r, "older", status, CPL_OK);
            else if (status) assert_true(cpl_last_error()[0]);
            assert_int_equal(*(size_t *)given, size);
            free(given);
        }
}

static void sizes_that_are_none(void **state)
{
    static const size_t sizes[] = {0, 1, 3, 7, 12, 1 << 20, SIZE_MAX, SIZE_MAX - 7};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            void *given = room_for(*state, &rows[i], ROOM);
            memcpy(given, &sizes[k], sizeof sizes[k]);
            check(&rows[i], "of no size", rows[i].call(*state, given), CPL_EARG);
            free(given);
        }
}

static void items_have_the_size_of_the_first(void **state)
{
    world *w = *state;
    struct {
        cpl_source s;
        uint64_t more[2];
    } items[2] = {{.s.size = sizeof *items}, {.s.size = sizeof *items}};
    for (int i = 0; i < 2; i++) {
        items[i].s.name = i ? "b.py" : "a.py";
        items[i].s.text = text;
        items[i].s.text_size = strlen(text);
    }
    cpl_module *m;
    assert_int_equal(cpl_module_from_sources(w->cx, &items[0].s, 2, &m), CPL_OK);
    cpl_module_release(m);
    items[1].more[1] = 1;
    assert_int_equal(cpl_module_from_sources(w->cx, &items[0].s, 2, &m), CPL_EARG);
    items[1].more[1] = 0;
    items[1].s.size = sizeof items[1].s;
    assert_int_equal(cpl_module_from_sources(w->cx, &items[0].s, 2, &m), CPL_EARG);
    assert_non_null(strstr(cpl_last_error(), "cpl_source 2 has another size than the first"));
}

static void reserved_members_are_zero(void **state)
{
    world *w = *state;
    cpl_name name = cpl_name_float("K", 0.5);
    cpl_function_source f = {.size = sizeof f, .names = &name, .name_count = 1};
    fill_function(w, &f);
    cpl_module *m;
    assert_int_equal(cpl_module_from_functions(w->cx, &f, 1, &m), CPL_OK);
    cpl_module_release(m);
    name.reserved[1] = 1;
    assert_int_equal(cpl_module_from_functions(w->cx, &f, 1, &m), CPL_EARG);
    assert_non_null(strstr(cpl_last_error(), "reserved"));

    cpl_bind bind = cpl_bind_integer(3);
    bind.reserved[0] = 1;
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, w->x, 4), cpl_arg_bound(&bind)};
    assert_int_equal(cpl_launch(w->module, "f", NULL, args, 2), CPL_EARG);
    assert_non_null(strstr(cpl_last_error(), "reserved"));

    args[0].reserved = 1; /* test/unit/argument_faults.c has it in all places */
    assert_int_equal(cpl_launch(w->module, "f", NULL, args, 1), CPL_EARG);
    assert_non_null(strstr(cpl_last_error(), "argument 1 has a reserved member that is not zero"));
}

/* Structs without a size: as large as they were in CPL_0.1. */
#define SAME(type, bytes)                                                                          \
    _Static_assert(sizeof(void *) != 8 || sizeof(type) == (bytes), "programs know its size")
SAME(cpl_arg, 88);
SAME(cpl_bind, 48);
SAME(cpl_blob, 24);
SAME(cpl_fault, 32);
SAME(cpl_field, 24);
SAME(cpl_grid, 128);
SAME(cpl_ir_reduction, 16);
SAME(cpl_kernels, 144);
SAME(cpl_slice, 32);
SAME(cpl_name, 72);
SAME(cpl_variable, 48);
SAME(cplrt_site, 40);

/* An array of notes, each larger than ours. */
static void notes_lie_their_size_apart(void **state)
{
    (void)state;
    struct {
        cpl_diag d;
        uint64_t more;
    } notes[2];
    memset(notes, 0, sizeof notes);
    for (int i = 0; i < 2; i++) notes[i].d.size = sizeof *notes, notes[i].d.message = i ? "b" : "a";
    cpl_diag d = {.size = sizeof *notes,
                  .severity = CPL_ERROR,
                  .message = "m",
                  .notes = &notes[0].d};
    d.note_count = 2;
    char shown[100];
    cpl_diag_render(&d, shown, sizeof shown);
    assert_string_equal(shown, "error: m\nnote: a\nnote: b\n");
    assert_ptr_equal(cpl_diag_note(&d, 1), &notes[1].d);
    assert_null(cpl_diag_note(&d, 2));
}

static int begin(void **state)
{
    static world w;
    memset(&w, 0, sizeof w);
    assert_int_equal(cpl_context_create(NULL, &w.cx), CPL_OK);
    assert_int_equal(cpl_module_from_source(w.cx, "k.py", text, strlen(text), &w.module), CPL_OK);
    assert_int_equal(cpl_device_find(w.cx, "host", &w.host), CPL_OK);
    assert_int_equal(cpl_array_create(w.cx, NULL, CPL_FLOAT64, 4, &w.array), CPL_OK);
    assert_int_equal(cpl_type_parse(w.cx, "float64[]", &w.pointer), CPL_OK);
    *state = &w;
    return 0;
}

static int end(void **state)
{
    world *w = *state;
    cpl_array_release(w->array);
    cpl_module_release(w->module);
    cpl_context_release(w->cx);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(newer_ones_go_on_behind_ours, begin, end),
        cmocka_unit_test_setup_teardown(older_ones_end_before_ours, begin, end),
        cmocka_unit_test_setup_teardown(sizes_that_are_none, begin, end),
        cmocka_unit_test_setup_teardown(items_have_the_size_of_the_first, begin, end),
        cmocka_unit_test_setup_teardown(reserved_members_are_zero, begin, end),
        cmocka_unit_test(notes_lie_their_size_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
