/*
 * Ways to run a program. The reference is the interpreter on the typed IR as it was generated; each
 * row of the table runs the same program in another way that must agree. A new back end is a row:
 * an engine, what it is given, options, and which programs it can run.
 */
#include "fuzz.h"
#include "../unit/launches.h"

#include <stdlib.h>
#include <string.h>

typedef enum engine { INTERPRETER, HOST, DEVICE } engine;
typedef enum given { GIVEN_IR, GIVEN_PASSED_IR, GIVEN_PYTHON } given;

typedef struct setting {
    const char *name;
    int64_t value;
} setting;

typedef struct way {
    const char *name;
    engine engine;
    given given;
    setting settings[4];
    unsigned share; /* of 100 programs, when sampling */
    /* when quick: how often this way is the second one, against the others that fit the program */
    unsigned turns;
    bool (*fits)(const prog *p);
} way;

static bool exact(const prog *p)
{
    return !p->wild;
}

static bool exact_on_device(const prog *p)
{
    return !p->wild && !p->math_only;
}

static bool without_floats(const prog *p) /* fast-math options change nothing */
{
    return !p->has_floats && !p->wild;
}

static bool math(const prog *p)
{
    return p->math_only;
}

static bool python(const prog *p)
{
    return p->python && !p->wild;
}

static bool python_or_wild(const prog *p)
{
    return p->python;
}

static bool has_avx2(const prog *p)
{
#ifdef __x86_64__
    return exact(p) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

static bool has_sse(const prog *p)
{
#ifdef __x86_64__
    return exact(p);
#else
    (void)p;
    return false;
#endif
}

static const way ways[] = {
    {"passes", INTERPRETER, GIVEN_PASSED_IR, {{"precise", 1}}, 100, 1, exact},
    {"O0", HOST, GIVEN_IR, {{"precise", 1}, {"opt_level", 0}}, 35, 0, exact},
    {"O3", HOST, GIVEN_IR, {{"precise", 1}, {"opt_level", 3}}, 15, 8, exact},
    {"simd", HOST, GIVEN_IR, {{"precise", 1}, {"opt_level", 3}, {"simd", 2}}, 25, 4, exact},
    {"simd-O1", HOST, GIVEN_IR, {{"precise", 1}, {"opt_level", 1}, {"simd", 2}}, 35, 2, exact},
    {"scalar", HOST, GIVEN_IR, {{"precise", 1}, {"opt_level", 1}, {"simd", 0}}, 4, 1, exact},
    {"in-order", HOST, GIVEN_IR, {{"precise", 1}, {"opt_level", 2}, {"in_order", 1}}, 4, 1, exact},
    {"sse2", HOST, GIVEN_IR, {{"precise", 1}, {"cpu_level", 1}, {"simd", 2}}, 6, 1, has_sse},
    {"avx2", HOST, GIVEN_IR, {{"precise", 1}, {"cpu_level", 3}, {"simd", 2}}, 6, 1, has_avx2},
    {"wide", HOST, GIVEN_IR, {{"precise", 1}, {"opt_level", 2}, {"facts", 0}}, 4, 1, exact},
    {"streamed", HOST, GIVEN_IR, {{"precise", 1}, {"simd", 2}, {"large_bytes", 1}}, 12, 2, exact},
    {"tiers", HOST, GIVEN_IR, {{"precise", 1}, {"tiers", 1}}, 4, 1, exact},
    {"fast", HOST, GIVEN_IR, {{"fast_math", 1}, {"simd", 2}}, 100, 2, without_floats},
    {"py-interp", INTERPRETER, GIVEN_PYTHON, {{"precise", 1}}, 100, 1, python},
    {"py-O3", HOST, GIVEN_PYTHON, {{"precise", 1}, {"simd", 2}}, 12, 3, python},
    {"py-checked",
     HOST,
     GIVEN_PYTHON,
     {{"precise", 1}, {"bounds_check", 1}},
     10,
     2,
     python_or_wild},
    {"py-checked-O0",
     HOST,
     GIVEN_PYTHON,
     {{"precise", 1}, {"bounds_check", 1}, {"opt_level", 0}},
     25,
     1,
     python_or_wild},
    {"math", HOST, GIVEN_IR, {{"opt_level", 3}}, 100, 8, math},
    {"math-simd", HOST, GIVEN_IR, {{"opt_level", 3}, {"simd", 2}}, 100, 8, math},
    {"device", DEVICE, GIVEN_IR, {{"precise", 1}, {"automatic", 1}}, 100, 0, exact_on_device},
    {"py-device", DEVICE, GIVEN_PYTHON, {{"precise", 1}, {"automatic", 1}}, 30, 0, python},
    {"device-math", DEVICE, GIVEN_IR, {{"automatic", 1}}, 100, 0, math},
};

int way_count(void)
{
    return (int)COUNT_OF(ways);
}

const char *way_name(int at)
{
    return at < 0 ? "interpreter" : ways[at].name;
}

bool way_on_device(int at)
{
    return ways[at].engine == DEVICE;
}

struct session {
    cpl_context *cx;
    cpl_module *modules[3]; /* by enum given; made when first asked for */
    bool on_device;         /* the ways that run on devices, and no others */
    bool reproducible;
    cpl_queue *queue; /* NULL: machine code for the target is made, but not run */
    char target[32];
    char errors[1500];
};

static void collect(void *user, const cpl_diag *d)
{
    session *s = user;
    size_t n = strlen(s->errors);
    if (d->severity == CPL_ERROR && n + 2 < sizeof s->errors)
        cpl_diag_render(d, s->errors + n, sizeof s->errors - n);
}

session *session_open(const char *device, bool reproducible)
{
    session *s = calloc(1, sizeof *s);
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = s;
    if (!s || cpl_context_create(&options, &s->cx)) {
        fputs("fuzz: no context\n", stderr);
        abort();
    }
    s->on_device = device != NULL;
    s->reproducible = reproducible;
    if (device && !device_open(s->cx, device, &s->queue, s->target, sizeof s->target)) {
        fprintf(stderr, "fuzz: no device %s: %s\n", device, s->errors);
        abort();
    }
    return s;
}

static void drop_modules(session *s)
{
    for (size_t i = 0; i < COUNT_OF(s->modules); i++) {
        cpl_module_release(s->modules[i]);
        s->modules[i] = NULL;
    }
}

void session_close(session *s)
{
    drop_modules(s);
    cpl_queue_release(s->queue);
    cpl_context_release(s->cx);
    free(s);
}

static void set_options(session *s, const setting *settings)
{
    static const setting defaults[] = {{"precise", 0},  {"fast_math", 0},    {"opt_level", 3},
                                       {"simd", 1},     {"bounds_check", 0}, {"automatic", 0},
                                       {"in_order", 0}, {"cpu_level", 0},    {"tiers", 0},
                                       {"facts", 7},    {"large_bytes", 0}};
    for (size_t i = 0; i < COUNT_OF(defaults); i++)
        cpl_context_set_option(s->cx, defaults[i].name, defaults[i].value);
    cpl_context_set_option(s->cx, "reproducible", s->reproducible);
    for (int i = 0; i < 4 && settings[i].name; i++)
        cpl_context_set_option(s->cx, settings[i].name, settings[i].value);
}

static cpl_status passed_ir(session *s, const prog *p, cpl_module **m)
{
    cpl_spec spec;
    cpl_blob ir;
    cpl_spec_init(&spec);
    spec.form = (cpl_form)p->form;
    spec.passes = "fold,exits,inline,fold,guards,fold,reduce,dce,outline,dce";
    cpl_status status =
        cpl_module_emit(s->modules[GIVEN_IR], kernel_name(), &spec, CPL_STAGE_IR, NULL, &ir);
    if (status) return status;
    status = cpl_module_from_ir(s->cx, "passed.cir", ir.data, ir.size, m);
    cpl_blob_free(&ir);
    return status;
}

static cpl_status module_for(session *s, const prog *p, given g)
{
    cpl_module **m = &s->modules[g];
    if (*m) return CPL_OK;
    if (g == GIVEN_PASSED_IR) return passed_ir(s, p, m);
    text t = {0};
    const char *kept = g == GIVEN_IR ? p->ir_text : p->py_text;
    if (kept) text_add(&t, "%s", kept);
    else if (g == GIVEN_IR) print_ir(p, &t);
    else print_py(p, &t);
    cpl_status status = g == GIVEN_IR ? cpl_module_from_ir(s->cx, "k.cir", t.at, t.n, m)
                                      : cpl_module_from_source(s->cx, "k.py", t.at, t.n, m);
    text_free(&t);
    return status;
}

/* The struct types of the program in this context; their names hold its seed. */
static cpl_status record_type(session *s, const prog *p, int at, const cpl_type **type)
{
    const record *r = &p->records[at];
    cpl_field fields[MOST_FIELDS];
    char names[MOST_FIELDS][8], name[40], type_text[40];
    for (int i = 0; i < r->field_count; i++) {
        snprintf(names[i], sizeof names[i], "f%d", i);
        if (r->length[i])
            snprintf(type_text, sizeof type_text, "%s[%d]", ty_name((ty)r->type[i]), r->length[i]);
        else snprintf(type_text, sizeof type_text, "%s", ty_name((ty)r->type[i]));
        fields[i] = (cpl_field){.name = names[i]};
        cpl_status status = cpl_type_parse(s->cx, type_text, &fields[i].type);
        if (status) return status;
    }
    snprintf(name, sizeof name, "S%d_%llx", at, (unsigned long long)p->seed);
    return cpl_type_struct(s->cx, name, fields, (size_t)r->field_count, type);
}

static cpl_status make_args(session *s, const prog *p, image *m, cpl_arg *args, size_t *count)
{
    size_t n = 0;
    for (int i = p->form == FORM_ELEMENTWISE; i < p->kernel.param_count; i++) {
        cpl_arg *a = &args[n++];
        *a = (cpl_arg){.kind = CPL_ARG_SCALAR, .dtype = (cpl_dtype)p->kernel.vars[i].type};
        uint64_t bits = i == 0 ? (uint64_t)p->n : scalar_argument(p, i);
        memcpy(&a->value, &bits, sizeof bits);
    }
    for (int i = 0; i < p->array_count; i++) {
        const array *a = &p->arrays[i];
        args[n] = cpl_arg_array((cpl_dtype)a->type, m->bytes[i], a->length);
        if (a->record >= 0) {
            cpl_status status = record_type(s, p, a->record, &args[n].record);
            if (status) return status;
        }
        n++;
    }
    *count = n;
    return CPL_OK;
}

static cpl_status assemble(session *s, const prog *p, given g)
{
    cpl_spec spec;
    cpl_blob code;
    cpl_spec_init(&spec);
    spec.form = (cpl_form)p->form;
    spec.target = s->target;
    cpl_status status =
        cpl_module_emit(s->modules[g], kernel_name(), &spec, CPL_STAGE_CUBIN, NULL, &code);
    if (!status) cpl_blob_free(&code);
    return status;
}

static cpl_status run_on_device(session *s, const prog *p, given g, const cpl_arg *args,
                                size_t count, image *m)
{
    if (!s->queue) return g == GIVEN_IR ? assemble(s, p, g) : CPL_OK;
    cpl_status status =
        p->form == FORM_FUNCTION
            ? call_once_on(s->modules[g], kernel_name(), s->queue, args, count, &m->result, NULL)
            : launch_rounds(s->modules[g], kernel_name(), s->queue, args, count, p->n, NULL);
    return status ? status : cpl_queue_finish(s->queue);
}

/* Runs one way on fresh arguments; m->status is what the call returned. */
static void run(session *s, const prog *p, engine e, given g, const setting *settings, image *m)
{
    cpl_arg args[MOST_VARS];
    size_t count;
    s->errors[0] = 0;
    image_make(p, m);
    set_options(s, settings);
    cpl_status status = module_for(s, p, g);
    if (!status) status = make_args(s, p, m, args, &count);
    if (!status) {
        if (e == INTERPRETER)
            status = interpret_rounds(s->modules[g], kernel_name(), (cpl_form)p->form, args, count,
                                      p->n, &m->result, NULL);
        else if (e == DEVICE) status = run_on_device(s, p, g, args, count, m);
        else if (p->form == FORM_FUNCTION)
            status = call_once(s->modules[g], kernel_name(), args, count, &m->result, NULL);
        else status = launch_rounds(s->modules[g], kernel_name(), NULL, args, count, p->n, NULL);
    }
    m->status = (int)status;
}

static bool good_status(const prog *p, int status)
{
    return status == CPL_OK || (p->wild && status == CPL_EBOUNDS);
}

static bool fits(const prog *p, int at)
{
    return ways[at].fits(p) && (!p->wild || ways[at].fits == python_or_wild);
}

/* The way whose turn it is, among those that fit the program. */
static int in_turn(const prog *p)
{
    uint32_t total = 0;
    for (int i = 0; i < way_count(); i++) total += fits(p, i) ? ways[i].turns : 0;
    if (!total) return -1;
    rng r = rng_seeded(p->seed * 43);
    uint32_t at = rng_below(&r, total);
    for (int i = 0; i < way_count(); i++) {
        uint32_t turns = fits(p, i) ? ways[i].turns : 0;
        if (at < turns) return i;
        at -= turns;
    }
    return -1;
}

static uint64_t picked(const prog *p, choice c)
{
    uint64_t bits = 0;
    int turn = c == WAYS_QUICK ? in_turn(p) : -1;
    for (int i = 0; i < way_count(); i++) {
        rng r = rng_seeded(p->seed * 41 + (uint64_t)i);
        bool yes =
            c == WAYS_ALL || (c == WAYS_SAMPLE ? rng_chance(&r, ways[i].share)
                                               : i == turn || strcmp(ways[i].name, "O0") == 0);
        if (yes && fits(p, i)) bits |= UINT64_C(1) << i;
    }
    return bits;
}

static bool refused(session *s, const prog *p, const image *m, int at, finding *f)
{
    if (good_status(p, m->status)) return false;
    /* what the target has not got is told by the pass legal, and counted */
    f->verdict =
        at >= 0 && ways[at].engine == DEVICE && m->status == CPL_EUNSUPPORTED ? SKIPPED : REFUSED;
    f->way = at;
    snprintf(f->why, sizeof f->why, "%s: %s", cpl_status_message((cpl_status)m->status), s->errors);
    return true;
}

int ways_run(session *s, const prog *p, uint64_t only, choice c,
             void (*before)(void *user, int way), void *user, finding *f)
{
    static const setting precise[4] = {{"precise", 1}},
                         checked[4] = {{"precise", 1}, {"bounds_check", 1}};
    image expected, got;
    int runs = 0;
    only &= picked(p, c);
    f->verdict = SAME;
    f->way = -1;
    if (before) before(user, -1);
    run(s, p, INTERPRETER, p->wild ? GIVEN_PYTHON : GIVEN_IR, p->wild ? checked : precise,
        &expected);
    if (!refused(s, p, &expected, -1, f)) {
        for (int i = 0; i < way_count() && f->verdict == SAME; i++) {
            const way *w = &ways[i];
            if (!(only >> i & 1) || (w->engine == DEVICE) != s->on_device) continue;
            if (before) before(user, i);
            run(s, p, w->engine, w->given, w->settings, &got);
            runs++;
            if (!refused(s, p, &got, i, f) && !(s->on_device && !s->queue) &&
                image_differs(p, &expected, &got, w->fits == math, f->why, sizeof f->why)) {
                f->verdict = DIFFERS;
                f->way = i;
            }
            image_free(p, &got);
        }
    }
    image_free(p, &expected);
    drop_modules(s);
    return runs;
}
