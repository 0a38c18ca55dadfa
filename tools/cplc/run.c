/* cplc run: a function on numbers and array files, once, or with --time again and again on fresh
 * copies of its arrays. */
#include "cplc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --time repeats until both are reached, or ENOUGH_MS have passed (copies included). */
enum { RUNS = 5, LEAST_MS = 200, ENOUGH_MS = 2000 };

typedef struct launch {
    const options *o;
    input in;
    argument *arguments; /* [in.parameters.count], the last ones of `all` */
    argument *all;
    cpl_arg *values; /* the same, as the library takes them */
    cpl_arg *given;  /* those that are values: what a kernel takes */
    size_t given_count;
    place place;
    cpl_launch_options options;
    cpl_kernel *kernel; /* NULL: interpreted */
    double compile_ms;
    double run_ms; /* of the fastest run */
    algorithm algorithm;
    array_output *outputs; /* [o->outputs.count] */
    _Alignas(64) unsigned char result[4096];
    void *large;                 /* memory for a result that is larger, or NULL */
    const cpl_type *result_type; /* NULL: none */
} launch;

/* What is left out has the default that the function gives, if that is a number. */
static int take_defaults(launch *l)
{
    const char *name;
    for (size_t i = 0; (name = cpl_module_parameter(l->in.module, l->in.function, i)); i++) {
        const char *text = cpl_module_parameter_default(l->in.module, l->in.function, i);
        int at = text ? word_find(&l->in.parameters, name) : -1;
        if (at < 0 || l->arguments[at].given) continue;
        int failed = argument_parse(&l->arguments[at], &l->in, name, text);
        if (failed) return failed;
        l->arguments[at].given = true;
    }
    return EXIT_OK;
}

static int read_arguments(launch *l)
{
    const word_list *words = &l->o->arguments;
    for (size_t i = 0; i < words->count; i++) {
        char *name;
        const char *text;
        if (!split_binding(words->items[i], &name, &text)) {
            usage_error("arguments are NAME=VALUE, not '%s'", words->items[i]);
            print_hint("the parameters of '%s' are %s", l->in.function, input_parameters(&l->in));
            return EXIT_USAGE;
        }
        int at = input_find(&l->in, name);
        if (at < 0) return l->in.errors ? EXIT_INPUT : EXIT_USAGE;
        if (l->arguments[at].given) return usage_error("argument '%s' is given twice", name);
        int failed = argument_parse(&l->arguments[at], &l->in, name, text);
        if (failed) return failed;
        l->arguments[at].given = true;
    }
    return take_defaults(l);
}

/* What goes with which form. */
static int check_form(const launch *l, bool arrays)
{
    const options *o = l->o;
    bool kernel = o->form == CPL_FORM_KERNEL;
    if (o->form == CPL_FORM_ELEMENTWISE && !arrays && o->n == CPL_AUTO && !o->algorithm) {
        usage_error("no argument of '%s' is an array: --n says how many indices to run",
                    l->in.function);
        print_hint("--as function calls it once");
        return EXIT_USAGE;
    }
    if (o->form != CPL_FORM_ELEMENTWISE && o->n != CPL_AUTO)
        return usage_error("--n does not go with --as %s", kernel ? "kernel" : "function");
    if (kernel && !o->global[0]) {
        usage_error("--as kernel needs --global, the number of work-items");
        print_hint("--global 1024 --local 128, or with two or three dimensions: --global 64,64 "
                   "--local 8,8");
        return EXIT_USAGE;
    }
    if (!kernel && (o->global[0] || o->local[0]))
        return usage_error("--global and --local go with --as kernel");
    return EXIT_OK;
}

/* Local memory without a type has that of the first array. */
static int check_local(launch *l)
{
    cpl_dtype first = CPL_VOID;
    for (size_t i = l->in.parameters.count; i-- > 0;)
        if (l->values[i].kind == CPL_ARG_ARRAY) first = l->values[i].dtype;
    for (size_t i = 0; i < l->in.parameters.count; i++) {
        cpl_arg *value = &l->values[i];
        if (value->kind != CPL_ARG_LOCAL) continue;
        const char *name = l->in.parameters.items[i];
        if (l->o->form != CPL_FORM_KERNEL)
            return usage_error("%s=local:%lld: local memory goes with --as kernel", name,
                               (long long)value->length);
        if (value->dtype == CPL_VOID && first == CPL_VOID)
            return usage_error("%s=local:%lld: of what type? %s=local:TYPE[%lld] says it", name,
                               (long long)value->length, name, (long long)value->length);
        if (value->dtype == CPL_VOID) value->dtype = first;
    }
    return EXIT_OK;
}

/* Of j and k behind the index i, those that nothing is given for are indices: they are parameters
 * no more. */
static void drop_indices(launch *l)
{
    size_t n = 0;
    while (n < l->in.indices && !l->arguments[n].given) n++;
    if (n == 0) return;
    l->in.parameters.count -= n;
    l->in.parameters.items += n;
    l->arguments += n;
}

static int check_arguments(launch *l)
{
    word_list missing = {0};
    drop_indices(l);
    bool arrays = false;
    for (size_t i = 0; i < l->in.parameters.count; i++) {
        if (!l->arguments[i].given) word_push(&missing, l->in.parameters.items[i]);
        arrays = arrays || l->arguments[i].value.kind == CPL_ARG_ARRAY;
        l->values[i] = l->arguments[i].value;
    }
    if (missing.count)
        return usage_error("'%s' lacks %s %s; its parameters are %s", l->in.function,
                           missing.count > 1 ? "arguments for" : "an argument for",
                           word_join(missing.items, missing.count), input_parameters(&l->in));
    int failed = check_form(l, arrays);
    return failed ? failed : check_local(l);
}

/* Refuses --out of what is not an array before anything runs. */
static int check_outputs(launch *l)
{
    size_t count = l->o->outputs.count;
    l->outputs = keep((count + 1) * sizeof *l->outputs);
    for (size_t i = 0; i < count; i++) {
        array_output *out = &l->outputs[i];
        int failed = array_output_parse(out, l->o->outputs.items[i]);
        if (failed) return failed;
        int at = input_find(&l->in, out->name);
        if (at < 0) return l->in.errors ? EXIT_INPUT : EXIT_USAGE;
        if (l->arguments[at].value.kind != CPL_ARG_ARRAY)
            return usage_error("--out %s: '%s' is not an array", out->text, out->name);
        out->array = &l->arguments[at].array;
    }
    return array_outputs_check(l->outputs, count);
}

/* Leaves stdout to arrays that are written there. */
static int reserve_stdout(const launch *l)
{
    for (size_t i = 0; i < l->o->outputs.count; i++)
        if (!strcmp(l->outputs[i].file.path, "-")) return output_reserve();
    return EXIT_OK;
}

static bool interpreted(const launch *l)
{
    return !strcmp(l->o->target, "interp");
}

static void choose_options(launch *l)
{
    const options *o = l->o;
    cpl_launch_options_init(&l->options);
    l->options.form = o->form;
    l->options.queue = l->place.queue;
    l->options.n = o->n;
    for (int i = 0; i < 3 && o->form == CPL_FORM_KERNEL; i++) {
        l->options.global[i] = o->global[i];
        l->options.local[i] = o->local[i];
    }
    l->options.result = l->result;
    l->options.result_type = &l->result_type;
    l->options.interpret = interpreted(l) && o->algorithm;
}

/* The function itself, until it is done. */
static cpl_status run_function(launch *l)
{
    if (interpreted(l) && !l->o->algorithm)
        return cpl_interpret(l->in.module, l->in.function, &l->options, l->values,
                             l->in.parameters.count);
    cpl_status status =
        l->o->algorithm
            ? algorithm_run(&l->algorithm, &l->in, &l->options, l->given, l->given_count)
            : cpl_kernel_launch(l->kernel, &l->options, l->given, l->given_count);
    return status ? status : cpl_queue_finish(l->place.queue);
}

/* One run with the arrays as the host has them; *ms is what it took, copies excluded. */
static cpl_status run_once(launch *l, double *ms)
{
    cpl_status status = place_write(&l->place, l->arguments);
    double start = now_ms();
    if (!status) status = run_function(l);
    *ms = now_ms() - start;
    return status ? status : place_read(&l->place, l->arguments);
}

/* Finds memory for the result of a reduction. */
static cpl_status make_room(launch *l)
{
    l->options.result = NULL;
    cpl_status status = algorithm_run(&l->algorithm, &l->in, &l->options, l->given, l->given_count);
    size_t size = l->result_type ? cpl_type_size(l->result_type) : 0;
    if (size > sizeof l->result) l->large = allocate(size);
    l->options.result = l->large ? l->large : l->result;
    return status;
}

/* The kernels of an algorithm are compiled when it first runs. */
static cpl_status compile(launch *l)
{
    double start = now_ms();
    if (l->o->algorithm == REDUCE) return make_room(l);
    if (interpreted(l) || l->o->algorithm) return CPL_OK;
    cpl_status status = cpl_kernel_for(l->in.module, l->in.function, &l->options, l->values,
                                       l->in.parameters.count, &l->kernel);
    l->compile_ms = now_ms() - start;
    return status;
}

static size_t array_bytes(const argument *a)
{
    return a->array.data ? npy_bytes(&a->array) : 0;
}

/* Copies of all arrays as they are now. */
static void **save_arrays(const launch *l)
{
    void **copies = allocate(l->in.parameters.count * sizeof *copies);
    for (size_t i = 0; i < l->in.parameters.count; i++) {
        size_t bytes = array_bytes(&l->arguments[i]);
        copies[i] = bytes ? memcpy(allocate(bytes), l->arguments[i].array.data, bytes) : NULL;
    }
    return copies;
}

static void restore_arrays(const launch *l, void *const *copies)
{
    for (size_t i = 0; i < l->in.parameters.count; i++)
        if (copies[i]) memcpy(l->arguments[i].array.data, copies[i], array_bytes(&l->arguments[i]));
}

static void free_arrays(const launch *l, void **copies)
{
    for (size_t i = 0; copies && i < l->in.parameters.count; i++) free(copies[i]);
    free(copies);
}

/* Runs on the original arrays until the fastest time can be trusted; leaves the arrays as the first
 * run did. */
static cpl_status repeat(launch *l, void *const *originals)
{
    void **results = save_arrays(l);
    double spent = l->run_ms, start = now_ms();
    cpl_status status = CPL_OK;
    for (int runs = 1; !status && (runs < RUNS || spent < LEAST_MS) && now_ms() - start < ENOUGH_MS;
         runs++) {
        double ms;
        restore_arrays(l, originals);
        status = run_once(l, &ms);
        spent += ms;
        if (runs == 1 || ms < l->run_ms) /* the first run may have compiled; later ones do not */
            l->run_ms = ms;
    }
    restore_arrays(l, results);
    free_arrays(l, results);
    return status;
}

static cpl_status execute(launch *l)
{
    void **originals = l->o->time ? save_arrays(l) : NULL;
    cpl_status status = l->o->profile ? cpl_profile_enable(l->in.context, true) : CPL_OK;
    if (!status) status = place_arguments(&l->place, l->values);
    if (l->o->algorithm)
        l->given_count = algorithm_order(&l->algorithm, &l->in, l->values, l->given);
    for (size_t i = 0; i < l->in.parameters.count && !l->o->algorithm; i++)
        if (l->values[i].kind != CPL_ARG_BOUND) l->given[l->given_count++] = l->values[i];
    choose_options(l);
    if (!status) status = compile(l);
    if (!status) status = run_once(l, &l->run_ms);
    if (!status && !l->kernel) {
        cpl_stats stats = {.size = sizeof stats};
        if (!cpl_context_stats(l->in.context, &stats)) l->compile_ms = stats.total_ms;
    }
    if (!status && l->o->time) status = repeat(l, originals);
    free_arrays(l, originals);
    return status;
}

/* The value of a 16-bit float: sign, 5 bits of exponent with bias 15, 10 of fraction (IEEE
 * 754-2019, 3.6). */
static double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double v = exponent == 31  ? (fraction ? NAN : INFINITY)
               : exponent == 0 ? ldexp(fraction, -24)
                               : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -v : v;
}

static void print_number(cpl_dtype dtype, const unsigned char *at)
{
    union {
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
    } v;
    memcpy(&v, at, cpl_dtype_size(dtype));
    switch (dtype) {
    case CPL_BOOL: printf("%s", v.u8 ? "True" : "False"); break;
    case CPL_INT8: printf("%d", v.i8); break;
    case CPL_INT16: printf("%d", v.i16); break;
    case CPL_INT32: printf("%" PRId32, v.i32); break;
    case CPL_INT64: printf("%" PRId64, v.i64); break;
    case CPL_UINT8: printf("%u", v.u8); break;
    case CPL_UINT16: printf("%u", v.u16); break;
    case CPL_UINT32: printf("%" PRIu32, v.u32); break;
    case CPL_UINT64: printf("%" PRIu64, v.u64); break;
    case CPL_FLOAT16: printf("%.9g", half_value(v.u16)); break;
    case CPL_FLOAT32: printf("%.9g", (double)v.f32); break;
    default: printf("%.17g", v.f64); break;
    }
}

/* "(1+2j)", as Python writes it. */
static void print_complex(cpl_dtype dtype, const unsigned char *at)
{
    double parts[2];
    float narrow[2];
    bool wide = dtype == CPL_COMPLEX128;
    memcpy(wide ? (void *)parts : narrow, at, cpl_dtype_size(dtype));
    for (int i = 0; i < 2 && !wide; i++) parts[i] = narrow[i];
    int digits = wide ? 17 : 9;
    printf("(%.*g%+.*gj)", digits, parts[0], digits, parts[1]);
}

/* A number, "[1, 2]" of a field that is an array, "Best(value=1.5, index=3)" of a struct. */
static void print_value(const cpl_type *type, const unsigned char *at)
{
    size_t count, size = cpl_type_size(type);
    const cpl_field *fields = cpl_type_fields(type, &count);
    cpl_dtype dtype = cpl_type_dtype(type);
    if (fields && dtype != CPL_VOID) {
        print_complex(dtype, at);
    } else if (fields) {
        printf("%s(", cpl_type_text(type));
        for (size_t i = 0; i < count; i++) {
            printf("%s%s=", i ? ", " : "", fields[i].name);
            print_value(fields[i].type, at + fields[i].offset);
        }
        putchar(')');
    } else if (dtype == CPL_VOID || dtype >= CPL_BFLOAT16) {
        printf("<%s>", cpl_type_text(type));
    } else if (size == cpl_dtype_size(dtype)) {
        print_number(dtype, at);
    } else {
        for (size_t k = 0; k < size; k += cpl_dtype_size(dtype)) {
            printf("%s", k ? ", " : "[");
            print_number(dtype, at + k);
        }
        putchar(']');
    }
}

static void print_result(const launch *l)
{
    size_t fields;
    const cpl_type *type = l->result_type;
    if (!type || cpl_type_size(type) == 0) return;
    cpl_dtype dtype = cpl_type_dtype(type);
    bool number = !cpl_type_fields(type, &fields) && cpl_type_size(type) <= sizeof(uint64_t) &&
                  dtype < CPL_BFLOAT16;
    bool scalar = number || (fields && dtype != CPL_VOID);
    if (!scalar && !l->o->algorithm) {
        printf("result : %s\n", cpl_type_text(type));
        return;
    }
    printf("result = ");
    print_value(type, l->options.result);
    putchar('\n');
}

static void print_stats(const launch *l)
{
    cpl_stats stats = {.size = sizeof stats};
    if (cpl_context_stats(l->in.context, &stats)) return;
    printf("compiled %" PRIu64 "\nfound on disk %" PRIu64 "\nfound in memory %" PRIu64
           "\ncode %" PRIu64 " bytes\n",
           stats.compiles, stats.disk_hits, stats.hits, stats.code_bytes);
}

/* Behind an index out of bounds: arrays may well differ in length, or this may be why. How many
 * elements those of several dimensions have says nothing of their indices. */
static void note_lengths(const launch *l)
{
    int64_t least = INT64_MAX, most = 0;
    word_list lengths = {0};
    for (size_t i = 0; i < l->in.parameters.count; i++) {
        const cpl_arg *array = &l->arguments[i].value;
        if (array->kind != CPL_ARG_ARRAY || array->dims > 1) continue;
        int64_t length = array->length;
        char text[192];
        int n =
            snprintf(text, sizeof text, "%.100s has %" PRId64, l->in.parameters.items[i], length);
        word_push(&lengths, copy_text(text, (size_t)n));
        if (length < least) least = length;
        if (length > most) most = length;
    }
    if (least < most)
        print_note("the arrays differ in length: %s", word_join(lengths.items, lengths.count));
    if (l->o->n > most)
        print_note("--n runs %" PRId64 " indices, more than any array has elements", l->o->n);
}

/* The stage of the kernels of an algorithm, which are not run. */
static int emit(launch *l)
{
    cpl_kernels found = {.target = strcmp(l->o->target, "host") ? l->o->target : NULL};
    l->given_count = algorithm_order(&l->algorithm, &l->in, l->values, l->given);
    choose_options(l);
    l->options.kernels = &found;
    cpl_status status = algorithm_run(&l->algorithm, &l->in, &l->options, l->given, l->given_count);
    int failed =
        status ? input_failed(&l->in, status, l->o->file) : emit_kernels(&l->in, l->o, &found);
    for (size_t i = 0; i < found.count; i++) cpl_kernel_release(found.kernels[i]);
    return failed;
}

static int run(launch *l)
{
    int failed = read_arguments(l);
    if (!failed) failed = check_arguments(l);
    if (!failed) failed = check_outputs(l);
    if (!failed && l->o->algorithm) failed = algorithm_open(&l->algorithm, &l->in, l->o, l->values);
    if (!failed) failed = place_open(&l->place, &l->in, l->o);
    if (failed) return failed;
    if (l->o->has_stage) return emit(l);
    failed = reserve_stdout(l);
    if (failed) return failed;
    cpl_status status = execute(l);
    if (status == CPL_EBOUNDS) note_lengths(l);
    if (status == CPL_ENOTFOUND && l->o->algorithm) algorithm_hint(&l->in, l->o);
    if (status) return input_failed(&l->in, status, l->o->file);
    if (l->o->form == CPL_FORM_FUNCTION || l->o->algorithm & (REDUCE | BY_KEY)) print_result(l);
    if (l->o->time) printf("compile %.3f ms\nrun %.6f ms\n", l->compile_ms, l->run_ms);
    if (l->o->stats) print_stats(l);
    failed = outputs_settle(array_outputs_write(l->outputs, l->o->outputs.count));
    if (failed || !l->o->profile) return failed;
    status = cpl_profile_write(l->in.context, l->o->profile_format, l->o->profile);
    return input_failed(&l->in, status, l->o->profile);
}

int command_run(const options *o)
{
    launch *l = allocate(sizeof *l);
    l->o = o;
    int failed = input_open(&l->in, o, false);
    if (!failed) {
        size_t count = l->in.parameters.count;
        l->arguments = l->all = allocate((count + 1) * sizeof *l->all);
        l->values = allocate((count + 1) * sizeof *l->values);
        l->given = allocate((count + 1) * sizeof *l->given);
        failed = run(l);
        for (size_t i = 0; i < count; i++) npy_free(&l->all[i].array);
        free(l->all);
        free(l->values);
        free(l->given);
    }
    place_close(&l->place);
    cpl_kernel_release(l->kernel);
    input_close(&l->in);
    free(l->large);
    free(l);
    return failed;
}
