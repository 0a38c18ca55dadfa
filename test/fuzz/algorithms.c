/*
 * Random reductions and scans: operators that are associative by their structure, of elements that
 * a random expression makes, against a serial loop in the interpreter.
 *
 *     algorithms --count 100 --seed 1                  algorithms --device opencl:0 --count 20
 *     algorithms --seed 42 --print                     the file of a seed
 *
 * Sums and products wrap, so maps and matrices are compared bit for bit whatever the order that
 * their elements are taken together in, as long as neighbours meet.
 */
#include "gen.h"

#include <cpl/algorithm.h>

#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 3, LENGTH = 256, MOST_FIELDS_OF = 4, PIECE = 4032 };

/* --- what an operator is --- */

typedef struct known_op {
    const char *text, *neutral; /* NULL: the least or the greatest number */
    bool least;
} known_op;

static const known_op scalar_ops[] = {
    {"a + b", "0", false},     {"a * b", "1", false},  {"a | b", "0", false},
    {"a ^ b", "0", false},     {"a & b", "-1", false}, {"min(a, b)", NULL, false},
    {"max(a, b)", NULL, true},
};

typedef enum structure {
    KNOWN,  /* by its text, without a neutral element */
    SPELT,  /* the same as a function, which is not recognised */
    FIRST,  /* that is not 0 */
    LAST,   /* likewise */
    AFFINE, /* x -> f0*x + f1, the earlier one first */
    MATRIX, /* 2x2 */
    PAIR,   /* two operators side by side, of types of their own */
    STRUCTURES,
} structure;

static const struct {
    int fields; /* 0: a number */
    const char *op, *neutral;
} structures[STRUCTURES] = {
    [FIRST] = {0, "    return a if a != 0 else b\n", "    return 0\n"},
    [LAST] = {0, "    return b if b != 0 else a\n", "    return 0\n"},
    [AFFINE] = {2, "    r.f0 = b.f0*a.f0\n    r.f1 = b.f0*a.f1 + b.f1\n", "    r.f0 = 1\n"},
    [MATRIX] = {4,
                "    r.f0 = a.f0*b.f0 + a.f1*b.f2\n    r.f1 = a.f0*b.f1 + a.f1*b.f3\n"
                "    r.f2 = a.f2*b.f0 + a.f3*b.f2\n    r.f3 = a.f2*b.f1 + a.f3*b.f3\n",
                "    r.f0 = 1\n    r.f3 = 1\n"},
    [PAIR] = {2, NULL, NULL},
};

typedef struct subject {
    uint64_t seed;
    rng r;
    prog *map; /* one function, k(i, a0, a1, a2) */
    structure of;
    const known_op *ops[2];
    ty types[MOST_FIELDS_OF]; /* of fields, or of the number */
    int64_t n, every;         /* elements; segments begin where a hash is 0 modulo this */
    text text;
} subject;

/* --- the file --- */

static void write_neutral(text *t, const known_op *known, ty type)
{
    uint64_t top = UINT64_C(1) << (ty_bits(type) - 1);
    if (known->neutral && strcmp(known->neutral, "-1") != 0) text_add(t, "%s", known->neutral);
    else if (known->neutral && ty_is_signed(type)) text_add(t, "-1");
    else if (known->neutral || (!known->least && !ty_is_signed(type)))
        text_add(t, "%llu", (unsigned long long)(top - 1 + top));
    else if (!ty_is_signed(type)) text_add(t, "0");
    else if (known->least) text_add(t, "-%llu - 1", (unsigned long long)(top - 1));
    else text_add(t, "%llu", (unsigned long long)(top - 1));
}

/* "a + b" of fields: "a.f0 + b.f0" */
static void write_op(text *t, const known_op *known, int field)
{
    for (const char *c = known->text; *c; c++) {
        bool operand = (*c == 'a' || *c == 'b') && (c == known->text || !strchr("mx", c[-1]));
        bool alone = operand && (c[1] == ' ' || c[1] == ',' || c[1] == ')' || !c[1]);
        text_add(t, alone && field >= 0 ? "%c.f%d" : "%c", *c, field);
    }
}

static void write_scalar(subject *s)
{
    text *t = &s->text;
    text_add(t, "def op(a, b):\n");
    if (s->of == KNOWN || s->of == SPELT) {
        text_add(t, "    return ");
        write_op(t, s->ops[0], -1);
        text_add(t, "\n");
    } else text_add(t, "%s", structures[s->of].op);
    text_add(t, "def neutral():\n    return ");
    if (s->of == KNOWN || s->of == SPELT) write_neutral(t, s->ops[0], s->types[0]);
    else text_add(t, "0");
    text_add(t, "\ndef element(i, a0, a1, a2):\n    return k(i, a0, a1, a2)\n");
}

static void write_struct(subject *s)
{
    text *t = &s->text;
    int fields = structures[s->of].fields;
    text_add(t, "@struct\nclass T%llx:\n", (unsigned long long)s->seed);
    for (int i = 0; i < fields; i++) text_add(t, "    f%d: '%s'\n", i, ty_name(s->types[i]));
    static const char *const heads[] = {"op(a, b)", "neutral()", "element(i, a0, a1, a2)"};
    for (int part = 0; part < 3; part++) {
        text_add(t, "def %s:\n    r = declare('T%llx')\n", heads[part],
                 (unsigned long long)s->seed);
        const char *body = part == 0 ? structures[s->of].op : structures[s->of].neutral;
        if (body && part < 2) text_add(t, "%s", body);
        for (int i = 0; i < fields && (part == 2 || !body); i++) {
            text_add(t, "    r.f%d = ", i);
            if (part == 0) write_op(t, s->ops[i], i);
            else if (part == 1) write_neutral(t, s->ops[i], s->types[i]);
            else text_add(t, "k(%d*i + %d, a0, a1, a2)", 2 * i + 1, 7 * i);
            text_add(t, "\n");
        }
        text_add(t, "    return r\n");
    }
}

static void write_type(const subject *s, char *to, size_t size)
{
    if (structures[s->of].fields) snprintf(to, size, "T%llx", (unsigned long long)s->seed);
    else snprintf(to, size, "%s", ty_name(s->types[0]));
}

/* What keeps items as the library hands them out, and the loop that all is compared with. */
static void write_rest(subject *s)
{
    char type[32];
    write_type(s, type, sizeof type);
    text_add(&s->text,
             "def start(i):\n    return (i*2654435761 >> 9) %% %lld == 0\n"
             "def keep(i, item, prev_item, last_item, N, items, before, lasts):\n"
             "    items[i] = item\n    before[i] = prev_item\n    lasts[i] = last_item\n"
             "def keep_two(i, item, prev_item, last_item, N, items, before, lasts):\n"
             "    items[i] = item\n    before[i] = prev_item\n"
             "def serial(n, segments, begins, items, before, a0, a1, a2):\n"
             "    r = declare('%s')\n    e = declare('%s')\n    r = neutral()\n"
             "    for i in range(n):\n"
             "        at = cast(i, 'int64')\n" /* as the library's index is */
             "        begins[i] = start(at)\n"
             "        if segments and start(at):\n            r = neutral()\n"
             "        before[i] = r\n        e = element(at, a0, a1, a2)\n"
             "        r = op(r, e)\n        items[i] = r\n"
             "    items[n] = r\n    before[n] = neutral()\n",
             (long long)s->every, type, type);
}

/* One function of an index and arrays, whose body is an expression. */
static prog *make_map(uint64_t seed, ty result)
{
    prog *p = prog_new();
    gen g = {.r = rng_seeded(seed),
             .p = p,
             .f = &p->kernel,
             .is_kernel = true,
             .own = -1,
             .counter = -1,
             .rounds = 1,
             .budget = 25,
             .no_math = true,
             .small = true};
    p->seed = seed;
    p->form = FORM_FUNCTION;
    p->python = true;
    p->n = 1;
    for (int i = 0; i < ARRAYS; i++) {
        array *a = &p->arrays[p->array_count];
        *a = (array){.type = (uint8_t)any_type(&g),
                     .role = ROLE_IN,
                     .record = -1,
                     .length = LENGTH,
                     .id = (uint8_t)p->array_count};
        p->array_count++;
    }
    p->kernel.result = result;
    new_var(&g, V_SCALAR, T_I64);
    p->kernel.vars[0].param = p->kernel.vars[0].fixed = true;
    p->kernel.param_count = 1;
    node *give = node_new(p, S_RETURN, T_VOID, 1);
    give->kid[0] = gen_expr(&g, result, 4);
    p->kernel.body = node_new(p, S_BLOCK, T_VOID, 0);
    node_push(p, p->kernel.body, give);
    return p;
}

static int64_t some_count(rng *r)
{
    static const int64_t whole[] = {1, 2, 4, 5, 9, 10, 13, 16}; /* 9: the most that go at once */
    switch (rng_below(r, 4)) {
    case 0: return rng_below(r, 20);
    case 1: return 1 + rng_below(r, 2 * PIECE);
    default: return whole[rng_below(r, COUNT_OF(whole))] * PIECE + (int64_t)rng_below(r, 3) - 1;
    }
}

static void make(subject *s, uint64_t seed, const char *device)
{
    static const ty integers[] = {T_I8, T_I16, T_I32, T_I64, T_U8, T_U16, T_U32, T_U64};
    static const int64_t every[] = {1, 3, 50, 3000, 20000};
    *s = (subject){.seed = seed, .r = rng_seeded(seed * 53)};
    uint32_t of = rng_below(&s->r, STRUCTURES + 3);
    s->of = of < STRUCTURES ? (structure)of : KNOWN; /* of which there are as many as of types */
    s->n = some_count(&s->r);
    s->every = every[rng_below(&s->r, COUNT_OF(every))];
    for (int i = 0; i < MOST_FIELDS_OF; i++)
        s->types[i] = i && s->of != PAIR ? s->types[0] : integers[rng_below(&s->r, 8)];
    for (int i = 0; i < 2; i++) s->ops[i] = &scalar_ops[rng_below(&s->r, COUNT_OF(scalar_ops))];
    s->map = make_map(seed, s->types[0]);
    if (device) device_program(s->map, device, false);
    print_py(s->map, &s->text);
    if (structures[s->of].fields) write_struct(s);
    else write_scalar(s);
    write_rest(s);
}

/* --- running it --- */

typedef struct world {
    cpl_context *cx;
    cpl_module *m;
    cpl_queue *queue;
    const cpl_type *type;
    size_t size; /* of a value */
    image in;
    bool *begins;
    char *got[3];      /* [n] items, those before them, the last ones */
    char *expected[2]; /* likewise; behind them the item of all elements, and the neutral one */
    char said[1500], why[1800];
} world;

static void collect(void *user, const cpl_diag *d)
{
    world *w = user;
    size_t n = strlen(w->said);
    if (d->severity == CPL_ERROR && n + 2 < sizeof w->said)
        cpl_diag_render(d, w->said + n, sizeof w->said - n);
}

static cpl_arg values(const world *w, void *at, int64_t n)
{
    cpl_arg a = cpl_arg_array(cpl_type_dtype(w->type), at, n);
    if (a.dtype == CPL_VOID) a.record = w->type;
    return a;
}

static size_t add_inputs(const world *w, const subject *s, cpl_arg *args)
{
    for (int i = 0; i < ARRAYS; i++)
        args[i] = cpl_arg_array((cpl_dtype)s->map->arrays[i].type, w->in.bytes[i], LENGTH);
    return ARRAYS;
}

/* What is right. */
static cpl_status run_serial(world *w, const subject *s, bool segments)
{
    cpl_launch_options o;
    cpl_arg args[5 + ARRAYS] = {cpl_arg_int(s->n), cpl_arg_int(segments),
                                cpl_arg_array(CPL_BOOL, w->begins, s->n),
                                values(w, w->expected[0], s->n + 1),
                                values(w, w->expected[1], s->n + 1)};
    cpl_launch_options_init(&o);
    o.form = CPL_FORM_FUNCTION;
    return cpl_interpret(w->m, "serial", &o, args, 5 + add_inputs(w, s, args + 5));
}

static cpl_launch_options options_of(const world *w, const subject *s, bool interpret)
{
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.n = s->n;
    o.queue = interpret ? NULL : w->queue;
    o.interpret = interpret;
    return o;
}

static cpl_bind operator_of(const subject *s)
{
    return s->of == KNOWN ? cpl_bind_expression(s->ops[0]->text) : cpl_bind_function("op");
}

/* Of all elements, and of none. */
static cpl_status run_reduce(world *w, const subject *s, bool interpret)
{
    cpl_arg args[ARRAYS];
    cpl_reduce_spec spec;
    cpl_launch_options o = options_of(w, s, interpret);
    o.result = w->got[0];
    cpl_reduce_spec_init(&spec);
    spec.op = operator_of(s);
    if (s->of != KNOWN) spec.neutral = cpl_bind_function("neutral");
    spec.type = w->type;
    size_t count = add_inputs(w, s, args);
    /* of other elements first, which are joined in the same way */
    spec.map = cpl_bind_expression("lambda i, a0, a1, a2: element(i + 3, a0, a1, a2)");
    cpl_status status = cpl_reduce(w->m, &spec, &o, NULL, args, count);
    spec.map = cpl_bind_function("element");
    if (!status) status = cpl_reduce(w->m, &spec, &o, NULL, args, count);
    /* as the module remembers it */
    if (!status) status = cpl_reduce(w->m, &spec, &o, NULL, args, count);
    o.n = 0;
    o.result = w->got[1];
    return status ? status : cpl_reduce(w->m, &spec, &o, NULL, args, count);
}

typedef enum form_of_scan { PLAIN, EXCLUSIVE, KEEP, KEEP_LAST, FORMS } form_of_scan;

#define TAKEN "a0, a1, a2, items"
#define ALL   TAKEN ", before, lasts"
static cpl_status run_scan(world *w, const subject *s, form_of_scan taken, bool segments,
                           bool interpret)
{
    cpl_arg args[ARRAYS + 3];
    cpl_scan_spec spec;
    cpl_launch_options o = options_of(w, s, interpret);
    bool sinks = taken >= KEEP;
    size_t count = add_inputs(w, s, args);
    for (int i = 0; i < (sinks ? 3 : 1); i++) args[count++] = values(w, w->got[i], s->n);
    cpl_scan_spec_init(&spec);
    spec.op = operator_of(s);
    if (s->of != KNOWN) spec.neutral = cpl_bind_function("neutral");
    spec.input = cpl_bind_expression(sinks ? "lambda i, " ALL ": element(i, a0, a1, a2)"
                                           : "lambda i, " TAKEN ": element(i, a0, a1, a2)");
    if (segments)
        spec.segment = cpl_bind_expression(sinks ? "lambda i, " ALL ": start(i)"
                                                 : "lambda i, " TAKEN ": start(i)");
#define SINK(name)                                                                                 \
    "lambda i, item, prev_item, last_item, N, " ALL ": " name                                      \
    "(i, item, prev_item, last_item, N, items, before, lasts)"
    if (sinks)
        spec.output = cpl_bind_expression(taken == KEEP_LAST ? SINK("keep") : SINK("keep_two"));
    spec.type = w->type;
    spec.flags = taken == EXCLUSIVE ? CPL_SCAN_EXCLUSIVE : taken == KEEP_LAST ? CPL_SCAN_LAST : 0;
    return cpl_scan(w->m, &spec, &o, args, count);
}

/* --- comparing --- */

/* Of structs the fields: what lies between them is free. */
static bool same_value(const world *w, const char *a, const char *b)
{
    size_t count;
    const cpl_field *fields = cpl_type_fields(w->type, &count);
    if (!fields) return memcmp(a, b, w->size) == 0;
    for (size_t i = 0; i < count; i++)
        if (memcmp(a + fields[i].offset, b + fields[i].offset, cpl_type_size(fields[i].type)) != 0)
            return false;
    return true;
}

static bool differ(world *w, const subject *s, const char *what, const char *got,
                   const char *expected)
{
    for (int64_t i = 0; i < s->n; i++)
        if (!same_value(w, got + (size_t)i * w->size, expected + (size_t)i * w->size)) {
            snprintf(w->why, sizeof w->why, "%s: the first of %lld that differs is %lld", what,
                     (long long)s->n, (long long)i);
            return true;
        }
    return false;
}

static bool lasts_differ(world *w, const subject *s, bool segments)
{
    const char *last = NULL;
    for (int64_t i = s->n; i-- > 0;) {
        bool ends = i == s->n - 1 || (segments && w->begins[i + 1]);
        if (ends) last = w->expected[0] + (size_t)i * w->size;
        if (same_value(w, w->got[2] + (size_t)i * w->size, last)) continue;
        snprintf(w->why, sizeof w->why, "last items: that of %lld of %lld", (long long)i,
                 (long long)s->n);
        return true;
    }
    return false;
}

static bool failed(world *w, const char *what, cpl_status status)
{
    if (status)
        snprintf(w->why, sizeof w->why, "%s is refused: %s: %s", what, cpl_status_message(status),
                 w->said);
    return status != CPL_OK;
}

static bool reduce_differs(world *w, const subject *s, bool interpret)
{
    if (failed(w, "serial", run_serial(w, s, false)) ||
        failed(w, "reduce", run_reduce(w, s, interpret)))
        return true;
    bool all = same_value(w, w->got[0], w->expected[0] + (size_t)s->n * w->size),
         none = same_value(w, w->got[1], w->expected[1] + (size_t)s->n * w->size);
    if (!all || !none)
        snprintf(w->why, sizeof w->why, "a reduction of %lld differs", none ? (long long)s->n : 0);
    return !all || !none;
}

static bool scan_differs(world *w, const subject *s, form_of_scan taken, bool segments,
                         bool interpret)
{
    if (failed(w, "serial", run_serial(w, s, segments)) ||
        failed(w, "scan", run_scan(w, s, taken, segments, interpret)))
        return true;
    if (differ(w, s, "items", w->got[0], w->expected[taken == EXCLUSIVE])) return true;
    if (taken >= KEEP && differ(w, s, "those before", w->got[1], w->expected[1])) return true;
    return taken == KEEP_LAST && s->n && lasts_differ(w, s, segments);
}

/* --- a seed --- */

static void open_world(world *w, const subject *s, const char *device)
{
    char target[32], type[32];
    cpl_context_options o;
    *w = (world){0};
    cpl_context_options_init(&o);
    o.sink = collect;
    o.sink_user = w;
    write_type(s, type, sizeof type);
    cpl_status status = cpl_context_create(&o, &w->cx);
    if (!status && device && !device_open(w->cx, device, &w->queue, target, sizeof target))
        status = CPL_ENOTFOUND;
    if (!status) status = cpl_module_from_source(w->cx, "k.py", s->text.at, s->text.n, &w->m);
    if (!status) status = cpl_type_parse(w->cx, type, &w->type);
    if (status) {
        fprintf(stderr, "algorithms: seed %llu: %s\n%s", (unsigned long long)s->seed,
                cpl_status_message(status), w->said);
        exit(2);
    }
    w->size = cpl_type_size(w->type);
    size_t bytes = (size_t)(s->n + 1) * w->size;
    w->begins = calloc((size_t)s->n + 1, 1);
    for (int i = 0; i < 2; i++) w->expected[i] = calloc(bytes, 1);
    for (int i = 0; i < 3; i++) w->got[i] = calloc(bytes, 1);
    image_make(s->map, &w->in);
}

static void close_world(world *w, const subject *s)
{
    image_free(s->map, &w->in);
    free(w->begins);
    for (int i = 0; i < 2; i++) free(w->expected[i]);
    for (int i = 0; i < 3; i++) free(w->got[i]);
    cpl_queue_release(w->queue);
    cpl_module_release(w->m);
    cpl_context_release(w->cx);
}

static void set_options(const world *w, rng *r)
{
    const struct {
        const char *name;
        int64_t value;
    } all[] = {{"precise", 1},
               {"automatic", 1},
               {"opt_level", (int64_t)rng_below(r, 4)},
               {"simd", (int64_t)rng_below(r, 3)},
               {"tiers", rng_chance(r, 30)},
               {"bounds_check", rng_chance(r, 30)},
               {"num_threads", 1 + (int64_t)rng_below(r, 3)},
               {"large_bytes", rng_chance(r, 30)}};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        cpl_context_set_option(w->cx, all[i].name, all[i].value);
}

/* A reduction and two scans, one of them with segments. */
static bool differs(uint64_t seed, const char *device)
{
    subject s;
    world w;
    make(&s, seed, device);
    open_world(&w, &s, device);
    set_options(&w, &s.r);
    bool interpret = !device && rng_chance(&s.r, 20);
    bool wrong = reduce_differs(&w, &s, interpret);
    for (int segments = 0; segments < 2 && !wrong; segments++)
        wrong = scan_differs(&w, &s, (form_of_scan)rng_below(&s.r, FORMS), segments, interpret);
    if (wrong) printf("seed %llu: %s\n", (unsigned long long)seed, w.why);
    close_world(&w, &s);
    text_free(&s.text);
    prog_free(s.map);
    return wrong;
}

static void print_seed(uint64_t seed)
{
    subject s;
    make(&s, seed, NULL);
    printf("# %lld elements\n%.*s", (long long)s.n, (int)s.text.n, s.text.at);
    text_free(&s.text);
    prog_free(s.map);
}

int main(int argc, char **argv)
{
    uint64_t seed = 1, count = 100, most = 10, wrong = 0;
    const char *device = NULL;
    bool print = false;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (!strcmp(argv[i], "--print")) print = true;
        else if (!strcmp(argv[i], "--seed")) seed = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--count")) count = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--stop-at")) most = strtoull(value, NULL, 10), i++;
        else if (!strcmp(argv[i], "--device")) device = value, i++;
        else {
            fputs("algorithms [--seed N] [--count N] [--stop-at N] [--device D] [--print]\n",
                  stderr);
            return 2;
        }
    }
    if (print) print_seed(seed);
    for (uint64_t k = 0; k < count && !print && wrong < most; k++)
        wrong += differs(seed + k, device);
    if (!print)
        printf("%llu operators compared, %llu mismatches\n", (unsigned long long)count,
               (unsigned long long)wrong);
    return wrong ? 1 : 0;
}
