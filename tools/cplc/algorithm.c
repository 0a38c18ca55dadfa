/* cplc run --as reduce, scan, sort and their like: what stands for an element, an operator, an
 * item, a bin, and the arguments in the order that all of these take them. */
#include "cplc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one option names: a function of the file, or an expression. */
typedef struct callee {
    const char *option;   /* "--map"; NULL: it is not there */
    const char *function; /* NULL: an expression */
    const char *body;     /* of an expression */
    word_list parameters; /* the index in front */
} callee;

/* What an output function may ask for beside arguments. */
static const char *const asked[] = {"i", "item", "prev_item", "last_item", "N"};
enum { ASKED = sizeof asked / sizeof *asked, LAST_ITEM = 3 };

static bool is_name(const char *text)
{
    size_t n = 0;
    while (is_name_byte(text, n)) n++;
    return n && !text[n];
}

static bool is_function(const input *in, const char *name)
{
    word_list names = input_functions(in);
    return word_find(&names, name) >= 0;
}

/* "BEFORE a, b, c AFTER" */
static const char *listed(const char *before, const word_list *names, const char *after)
{
    const char *middle = names->count ? word_join(names->items, names->count) : "";
    size_t size = strlen(before) + strlen(middle) + strlen(after) + 1;
    char *text = keep(size);
    snprintf(text, size, "%s%s%s", before, middle, after);
    return text;
}

/* --- what an option names --- */

static void list_parameters(callee *c, const input *in, const options *o)
{
    const char *name;
    bool variadic = cpl_module_variadic(in->module, c->function);
    for (size_t i = 0; (name = cpl_module_parameter(in->module, c->function, i)); i++) {
        bool star = variadic && !cpl_module_parameter(in->module, c->function, i + 1);
        if (star) list_variadic(&c->parameters, o, name);
        else word_push(&c->parameters, name);
    }
}

/* "lambda i, x: BODY" */
static int read_lambda(callee *c, const char *text)
{
    const char *p = text + strlen("lambda"), *colon = strchr(p, ':');
    while (colon && p < colon) {
        size_t n = strcspn(p, ",:"), blanks = strspn(p, " ");
        while (n > blanks && p[n - 1] == ' ') n--;
        const char *name = copy_text(p + blanks, n > blanks ? n - blanks : 0);
        if (!is_name(name)) colon = NULL;
        else word_push(&c->parameters, name);
        p += strcspn(p, ",:") + 1;
    }
    if (!colon || !c->parameters.count)
        return usage_error("%s '%s': that is no 'lambda i, NAMES: EXPRESSION'", c->option, text);
    c->body = colon + 1 + strspn(colon + 1, " ");
    return EXIT_OK;
}

static int refuse_name(const callee *c, const input *in, const options *o, const char *text)
{
    word_list names = input_functions(in);
    if (!*o->file)
        return usage_error("%s %s: there is no file, which would have a function of this name",
                           c->option, text);
    usage_error("%s %s: '%s' has no function of this name; it has %s", c->option, text, o->file,
                word_join(names.items, names.count));
    suggest(text, names.items, names.count);
    return EXIT_USAGE;
}

/* Expressions without parameters of their own have i and all arguments. */
static int read_callee(callee *c, const input *in, const options *o, const char *text)
{
    c->parameters = (word_list){0};
    if (is_function(in, text)) {
        c->function = text;
        list_parameters(c, in, o);
        if (c->parameters.count) return EXIT_OK;
        return usage_error("%s %s: the function has no parameter for the index", c->option, text);
    }
    if (!strncmp(text, "lambda", 6) && (text[6] == ' ' || text[6] == ':'))
        return read_lambda(c, text);
    bool known = !strcmp(text, "i") || !strcmp(text, "True") || !strcmp(text, "False");
    if (is_name(text) && !known && word_find(&in->parameters, text) < 0)
        return refuse_name(c, in, o, text);
    c->body = text;
    word_push(&c->parameters, "i");
    for (size_t i = 0; i < in->parameters.count; i++)
        word_push(&c->parameters, in->parameters.items[i]);
    return EXIT_OK;
}

/* A function of the file, or one that the file knows otherwise, or an expression of a and b. */
static cpl_bind read_op(const input *in, const char *text)
{
    if (is_function(in, text)) return cpl_bind_function(text);
    if (!is_name(text) || !strcmp(text, "a") || !strcmp(text, "b"))
        return cpl_bind_expression(text);
    static const word_list none;
    return cpl_bind_expression(listed(text, &none, "(a, b)"));
}

static cpl_bind read_neutral(const input *in, const char *text)
{
    if (!text) return (cpl_bind){0};
    if (is_function(in, text)) return cpl_bind_function(text);
    return cpl_bind_expression(text);
}

/* --- arguments --- */

static const char *called(const callee *c)
{
    return c->function ? c->function : c->option;
}

static bool is_asked(const char *name)
{
    for (size_t i = 0; i < ASKED; i++)
        if (!strcmp(name, asked[i])) return true;
    return false;
}

static bool is_output(const callee *c)
{
    return !strcmp(c->option, "--output");
}

/* Names that are no arguments: the index, what an output function asks for. */
static int check_names(const callee *c, const input *in)
{
    for (size_t i = 0; i < in->parameters.count; i++) {
        const char *name = in->parameters.items[i];
        bool index = !is_output(c) && !strcmp(name, c->parameters.items[0]);
        if (index)
            return usage_error("'%s' is the index of '%s' and is not given", name, called(c));
        if (is_output(c) && is_asked(name))
            return usage_error("'%s' is what --output is called with and is not given", name);
    }
    return EXIT_OK;
}

/* Adds those that it takes to the order of all. */
static int take_arguments(algorithm *a, const callee *c, const input *in)
{
    word_list missing = {0};
    int failed = check_names(c, in);
    if (failed) return failed;
    for (size_t i = is_output(c) ? 0 : 1; i < c->parameters.count; i++) {
        const char *name = c->parameters.items[i];
        if (is_output(c) && is_asked(name)) continue;
        if (word_find(&in->parameters, name) < 0) word_push(&missing, name);
        else if (word_find(&a->names, name) < 0) word_push(&a->names, name);
    }
    if (!missing.count) return EXIT_OK;
    usage_error("'%s' lacks %s %s; its parameters are %s", called(c),
                missing.count > 1 ? "arguments for" : "an argument for",
                word_join(missing.items, missing.count),
                word_join(c->parameters.items, c->parameters.count));
    if (is_asked(missing.items[0]))
        print_hint("--output alone is called with %s", missing.items[0]);
    return EXIT_USAGE;
}

static int check_all_taken(const algorithm *a, const input *in)
{
    for (size_t i = 0; i < in->parameters.count; i++) {
        const char *name = in->parameters.items[i];
        if (word_find(&a->names, name) >= 0) continue;
        usage_error("nothing takes the argument '%s'; what is taken is %s", name,
                    word_join(a->names.items, a->names.count));
        suggest(name, a->names.items, a->names.count);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* The names of those that are arrays. */
static word_list arrays_of(const input *in, const cpl_arg *values)
{
    word_list arrays = {0};
    for (size_t i = 0; i < in->parameters.count; i++)
        if (values[i].kind == CPL_ARG_ARRAY) word_push(&arrays, in->parameters.items[i]);
    return arrays;
}

/* As many elements as the first array that is taken has. */
static int count_elements(algorithm *a, const input *in, const options *o, const cpl_arg *values)
{
    a->n = o->n;
    for (size_t i = 0; i < a->names.count && a->n == CPL_AUTO; i++) {
        const cpl_arg *value = &values[word_find(&in->parameters, a->names.items[i])];
        if (value->kind == CPL_ARG_ARRAY) a->n = value->length;
    }
    if (a->n != CPL_AUTO) return EXIT_OK;
    return usage_error("no argument is an array: --n says how many elements there are");
}

/* "lambda i, x, y: f(i, x)": each is called with all arguments and passes on what it takes. */
static cpl_bind bind_callee(const algorithm *a, const callee *c)
{
    word_list names = {0};
    if (!c->option) return (cpl_bind){0};
    if (is_output(c))
        for (size_t i = 0; i < ASKED; i++) word_push(&names, asked[i]);
    else word_push(&names, c->parameters.items[0]);
    for (size_t i = 0; i < a->names.count; i++) word_push(&names, a->names.items[i]);
    const char *head = listed("lambda ", &names, ": ");
    static const word_list none;
    if (!c->function) return cpl_bind_expression(listed(head, &none, c->body));
    const char *call = listed(listed(c->function, &none, "("), &c->parameters, ")");
    return cpl_bind_expression(listed(head, &none, call));
}

/* x[i] */
static void elements_of(callee *c, const char *option, const char *array)
{
    static const word_list none;
    c->option = option;
    c->body = listed(array, &none, "[i]");
    word_push(&c->parameters, "i");
    word_push(&c->parameters, array);
}

/* --- reduce --- */

static int read_map(callee *map, const input *in, const options *o, const cpl_arg *values)
{
    const char *text = o->function ? o->function : o->map;
    if (o->function && o->map)
        return usage_error("--map and '%s' both say what the elements are", o->function);
    map->option = "--map";
    if (text) return read_callee(map, in, o, text);
    word_list arrays = arrays_of(in, values);
    if (arrays.count == 1) {
        elements_of(map, "--map", arrays.items[0]);
        return EXIT_OK;
    }
    usage_error("what are the elements of the reduction? the arrays are %s",
                word_join(arrays.items, arrays.count));
    print_hint("--map 'x[i]*y[i]', or a function of the file: FILE:FUNC");
    return EXIT_USAGE;
}

static int open_reduce(algorithm *a, const input *in, const options *o, const cpl_arg *values)
{
    callee map = {0};
    int failed = read_map(&map, in, o, values);
    if (!failed) failed = take_arguments(a, &map, in);
    if (!failed) failed = check_all_taken(a, in);
    if (!failed) failed = count_elements(a, in, o, values);
    if (failed) return failed;
    cpl_reduce_spec_init(&a->reduce);
    a->reduce.op = read_op(in, o->op);
    a->reduce.neutral = read_neutral(in, o->neutral);
    a->reduce.map = bind_callee(a, &map);
    return EXIT_OK;
}

/* --- scan --- */

/* Without --input the elements are those of the first array. */
static int read_input(callee *c, const input *in, const options *o, const word_list *arrays)
{
    const char *text = o->function ? o->function : o->input;
    if (o->function && o->input)
        return usage_error("--input and '%s' both say what the elements are", o->function);
    c->option = "--input";
    if (text) return read_callee(c, in, o, text);
    if (!arrays->count)
        return usage_error("no argument is an array to scan: --input says what the elements are");
    elements_of(c, "--input", arrays->items[0]);
    return EXIT_OK;
}

static int read_output(callee *c, const input *in, const options *o, const word_list *arrays)
{
    if (!o->sink && !arrays->count)
        return usage_error("no argument is an array for the items: --output names a function "
                           "that takes them");
    if (!o->sink) return EXIT_OK;
    c->option = "--output";
    if (o->exclusive)
        return usage_error("--exclusive does not go with --output, which may ask for prev_item");
    if (!is_function(in, o->sink)) {
        refuse_name(c, in, o, o->sink);
        return EXIT_USAGE;
    }
    c->function = o->sink;
    list_parameters(c, in, o);
    return EXIT_OK;
}

/* Puts the array that takes the items behind all others. */
static void move_last(algorithm *a, const char *name)
{
    word_list rest = {0};
    for (size_t i = 0; i < a->names.count; i++)
        if (strcmp(a->names.items[i], name) != 0) word_push(&rest, a->names.items[i]);
    word_push(&rest, name);
    a->names = rest;
}

static int scan_arguments(algorithm *a, const callee *c, const input *in, const options *o,
                          const cpl_arg *values)
{
    word_list arrays = arrays_of(in, values);
    int failed = EXIT_OK;
    for (int k = 0; k < 3 && !failed; k++)
        if (c[k].option) failed = take_arguments(a, &c[k], in);
    if (!failed) failed = count_elements(a, in, o, values);
    if (!failed && !o->sink) move_last(a, arrays.items[arrays.count - 1]);
    return failed ? failed : check_all_taken(a, in);
}

static int open_scan(algorithm *a, const input *in, const options *o, const cpl_arg *values)
{
    callee c[3] = {0}; /* input, segment, output */
    word_list arrays = arrays_of(in, values);
    int failed = read_input(&c[0], in, o, &arrays);
    if (!failed && o->segment) {
        c[1].option = "--segment";
        failed = read_callee(&c[1], in, o, o->segment);
    }
    if (!failed) failed = read_output(&c[2], in, o, &arrays);
    if (!failed) failed = scan_arguments(a, c, in, o, values);
    if (failed) return failed;
    cpl_scan_spec_init(&a->scan);
    a->scan.op = read_op(in, o->op);
    a->scan.neutral = read_neutral(in, o->neutral);
    a->scan.input = bind_callee(a, &c[0]);
    a->scan.segment = bind_callee(a, &c[1]);
    a->scan.output = bind_callee(a, &c[2]);
    if (o->exclusive) a->scan.flags |= CPL_SCAN_EXCLUSIVE;
    if (word_find(&c[2].parameters, asked[LAST_ITEM]) >= 0) a->scan.flags |= CPL_SCAN_LAST;
    return EXIT_OK;
}

/* --- histograms, segments, runs of equal keys --- */

static int name_result(algorithm *a, const word_list *arrays, const char *option, const char *name)
{
    if (word_find(arrays, name) >= 0) {
        word_push(&a->results, name);
        return EXIT_OK;
    }
    usage_error("%s %s: there is no array of this name; the arrays are %s", option, name,
                word_join(arrays->items, arrays->count));
    suggest(name, arrays->items, arrays->count);
    return EXIT_USAGE;
}

/* The last array that no option names. */
static int name_out(algorithm *a, const word_list *arrays)
{
    for (size_t i = arrays->count; i-- > 0;)
        if (word_find(&a->results, arrays->items[i]) < 0) {
            word_push(&a->results, arrays->items[i]);
            return EXIT_OK;
        }
    return usage_error("no argument is an array for the results");
}

/* In the order of algorithm_run. */
static int name_results(algorithm *a, const options *o, const word_list *arrays)
{
    int failed = EXIT_OK;
    if (o->offsets) failed = name_result(a, arrays, "--offsets", o->offsets);
    if (!failed && o->keys) failed = name_result(a, arrays, "--keys", o->keys);
    return failed ? failed : name_out(a, arrays);
}

static word_list without(const word_list *names, const word_list *left_out)
{
    word_list rest = {0};
    for (size_t i = 0; i < names->count; i++)
        if (word_find(left_out, names->items[i]) < 0) word_push(&rest, names->items[i]);
    return rest;
}

/* What text says, else the elements of an array of those that are there. */
static int read_group(callee *c, const input *in, const options *o, const char *text,
                      const word_list *arrays)
{
    size_t at = o->algorithm == BY_KEY && !strcmp(c->option, "--map"); /* behind the keys */
    if (text) return read_callee(c, in, o, text);
    if (arrays->count <= at)
        return usage_error("there is no array to take elements from: %s says what they are",
                           c->option);
    elements_of(c, c->option, arrays->items[at]);
    return EXIT_OK;
}

/* c: what puts an element into its group, and the element. */
static int read_groups(callee c[2], const input *in, const options *o, const word_list *arrays)
{
    const char *map = o->function ? o->function : o->map;
    int failed = EXIT_OK;
    if (o->function && o->map)
        return usage_error("--map and '%s' both say what the elements are", o->function);
    if (o->algorithm != SEGMENTS) {
        c[0].option = o->algorithm == HISTOGRAM ? "--bin" : "--key";
        failed = read_group(&c[0], in, o, o->bin ? o->bin : o->key, arrays);
    }
    if (failed || (o->algorithm == HISTOGRAM && !map)) return failed;
    c[1].option = "--map";
    return read_group(&c[1], in, o, map, arrays);
}

/* Keys and elements that stand in arrays go along with each other. */
static int check_pairs(const input *in, const options *o, const cpl_arg *values,
                       const word_list *arrays)
{
    bool both = o->algorithm == BY_KEY && !o->key && !o->map && !o->function;
    if (!both || arrays->count < 2) return EXIT_OK;
    int64_t length[2];
    for (size_t k = 0; k < 2; k++)
        length[k] = values[word_find(&in->parameters, arrays->items[k])].length;
    if (length[0] == length[1]) return EXIT_OK;
    return usage_error("%s has %lld key%s and %s %lld element%s: each key goes with an element",
                       arrays->items[0], (long long)length[0], length[0] == 1 ? "" : "s",
                       arrays->items[1], (long long)length[1], length[1] == 1 ? "" : "s");
}

static void bind_groups(algorithm *a, const callee c[2], const input *in, const options *o)
{
    cpl_bind op = o->op ? read_op(in, o->op) : (cpl_bind){0},
             neutral = read_neutral(in, o->neutral);
    a->key = bind_callee(a, &c[0]);
    cpl_histogram_spec_init(&a->histogram);
    a->histogram.bin = a->key;
    a->histogram.op = op;
    a->histogram.neutral = neutral;
    a->histogram.map = bind_callee(a, &c[1]);
    cpl_reduce_spec_init(&a->reduce);
    a->reduce.op = op;
    a->reduce.neutral = neutral;
    a->reduce.map = a->histogram.map;
}

static int open_groups(algorithm *a, const input *in, const options *o, const cpl_arg *values)
{
    callee c[2] = {0};
    word_list arrays = arrays_of(in, values);
    int failed = name_results(a, o, &arrays);
    if (failed) return failed;
    input rest = *in; /* without those that functions are not called with */
    rest.parameters = without(&in->parameters, &a->results);
    arrays = without(&arrays, &a->results);
    failed = check_pairs(in, o, values, &arrays);
    if (!failed) failed = read_groups(c, &rest, o, &arrays);
    for (int k = 0; k < 2 && !failed; k++)
        if (c[k].option) failed = take_arguments(a, &c[k], &rest);
    if (!failed) failed = check_all_taken(a, &rest);
    if (!failed) failed = count_elements(a, in, o, values);
    if (failed) return failed;
    bind_groups(a, c, in, o);
    for (size_t i = 0; i < a->results.count; i++) word_push(&a->names, a->results.items[i]);
    return EXIT_OK;
}

static cpl_status run_groups(const algorithm *a, const input *in, const cpl_launch_options *o,
                             const cpl_arg *args, size_t count)
{
    size_t inputs = count - a->results.count;
    const cpl_arg *out = &args[count - 1], *other = count - inputs > 1 ? &args[inputs] : NULL;
    cpl_segments segments;
    cpl_runs runs;
    if (a->kind == HISTOGRAM) return cpl_histogram(in->module, &a->histogram, o, out, args, inputs);
    cpl_segments_init(&segments);
    cpl_runs_init(&runs);
    segments.offsets = other;
    segments.out = runs.out = out;
    runs.keys = other;
    runs.key = a->key;
    if (a->kind == BY_KEY) return cpl_reduce_by_key(in->module, &a->reduce, o, &runs, args, inputs);
    return cpl_reduce_segments(in->module, &a->reduce, o, &segments, args, inputs);
}

/* --- sorts --- */

static int push_array(word_list *to, const word_list *arrays, const char *option, const char *name)
{
    algorithm named = {0};
    int failed = name_result(&named, arrays, option, name);
    if (failed) return failed;
    if (word_find(to, name) >= 0)
        return usage_error("%s %s: the array is there twice", option, name);
    word_push(to, name);
    return EXIT_OK;
}

/* "a,b" */
static int push_arrays(word_list *to, const word_list *arrays, const char *option, const char *text)
{
    int failed = EXIT_OK;
    for (size_t n; !failed && *text; text += n + (text[n] == ',')) {
        n = strcspn(text, ",");
        failed = push_array(to, arrays, option, copy_text(text, n));
    }
    return failed;
}

/* The keys, what goes along, and in a->results what takes the order. */
static int name_sorted(algorithm *a, const options *o, const word_list *arrays)
{
    int failed = EXIT_OK;
    if (o->order) failed = name_result(a, arrays, "--order", o->order);
    word_list rest = without(arrays, &a->results);
    if (!failed && o->keys) failed = push_array(&a->names, &rest, "--keys", o->keys);
    if (!failed && !rest.count) failed = usage_error("no argument is an array to sort");
    if (!failed && !o->keys) word_push(&a->names, rest.items[0]);
    if (!failed && o->values) failed = push_arrays(&a->names, &rest, "--values", o->values);
    if (failed || o->values) return failed;
    rest = without(&rest, &a->names);
    for (size_t i = 0; i < rest.count; i++) word_push(&a->names, rest.items[i]);
    return EXIT_OK;
}

/* Of a selection: the keys, and at most one array for those that come first. */
static int check_selected(const algorithm *a, const options *o)
{
    if (o->values) return usage_error("--values does not go with --first, which moves nothing");
    if (a->names.count == 1 && !o->order)
        return usage_error("--first takes an array behind the keys, for those that it finds, or "
                           "--order, for where they were");
    if (a->names.count <= 2) return EXIT_OK;
    return usage_error("--first has one array for the keys that it takes, not %s",
                       word_join(a->names.items + 1, a->names.count - 1));
}

static int open_sort(algorithm *a, const input *in, const options *o, const cpl_arg *values)
{
    word_list arrays = arrays_of(in, values);
    if (o->function)
        return usage_error("--as sort calls no function: '%s' may be what --before names",
                           o->function);
    int failed = name_sorted(a, o, &arrays);
    if (!failed && o->first != CPL_AUTO) failed = check_selected(a, o);
    if (failed) return failed;
    if (o->order) word_push(&a->names, o->order);
    a->n = o->n;
    a->k = o->first;
    cpl_sort_spec_init(&a->sort);
    a->sort.first_bit = o->bits[0];
    a->sort.end_bit = o->bits[1];
    if (o->before) a->sort.before = read_op(in, o->before);
    if (o->descending) a->sort.flags |= CPL_SORT_DESCENDING;
    return check_all_taken(a, in);
}

static cpl_status run_sort(const algorithm *a, const input *in, const cpl_launch_options *o,
                           const cpl_arg *args, size_t count)
{
    cpl_sort_spec spec = a->sort;
    if (a->results.count) spec.order = &args[--count];
    if (a->k != CPL_AUTO) {
        spec.out = count > 1 ? &args[1] : NULL;
        return cpl_select(in->module, &spec, o, a->k, &args[0]);
    }
    return cpl_sort(in->module, &spec, o, args, count);
}

/* --- all --- */

int algorithm_open(algorithm *a, const input *in, const options *o, const cpl_arg *values)
{
    a->kind = o->algorithm;
    if (a->kind & GROUPS) return open_groups(a, in, o, values);
    if (a->kind == SORT) return open_sort(a, in, o, values);
    return a->kind == REDUCE ? open_reduce(a, in, o, values) : open_scan(a, in, o, values);
}

void algorithm_hint(const input *in, const options *o)
{
    word_list names = input_functions(in);
    if (o->op && is_name(o->op) && word_find(&names, o->op) < 0)
        suggest(o->op, names.items, names.count);
}

size_t algorithm_order(const algorithm *a, const input *in, const cpl_arg *values, cpl_arg *to)
{
    for (size_t i = 0; i < a->names.count; i++)
        to[i] = values[word_find(&in->parameters, a->names.items[i])];
    return a->names.count;
}

cpl_status algorithm_run(const algorithm *a, const input *in, const cpl_launch_options *how,
                         const cpl_arg *args, size_t count)
{
    cpl_launch_options o = *how;
    o.n = a->n;
    if (a->kind & GROUPS) return run_groups(a, in, &o, args, count);
    if (a->kind == SORT) return run_sort(a, in, &o, args, count);
    if (a->kind == SCAN) return cpl_scan(in->module, &a->scan, &o, args, count);
    return cpl_reduce(in->module, &a->reduce, &o, NULL, args, count);
}
