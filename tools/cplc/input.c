/* Opening a kernel file: the context with its options, the module, and the function that the
 * command line names. */
#include "cplc.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(void *user, const cpl_diag *diag)
{
    input *in = user;
    in->errors += diag->severity == CPL_ERROR;
    in->located += diag->severity == CPL_ERROR && diag->line > 0;
    size_t size = cpl_diag_render(diag, NULL, 0) + 1;
    char *text = allocate(size);
    cpl_diag_render(diag, text, size);
    fputs(text, stderr);
    if (size < 2 || text[size - 2] != '\n') fputc('\n', stderr);
    free(text);
}

static int exit_status(const input *in, cpl_status status)
{
    switch (status) {
    case CPL_OK: return EXIT_OK;
    case CPL_EARG:
    /* a mistake in the file or in the command */
    case CPL_ENOTFOUND: return in->located ? EXIT_INPUT : EXIT_USAGE;
    case CPL_ENOMEM:
    case CPL_EIO:
    case CPL_ECOMPILER:
    case CPL_EINTERNAL:
    case CPL_ENODEVICE:
    case CPL_EDEVICE:
    case CPL_EDEVICELOST: return EXIT_SYSTEM;
    default: return EXIT_INPUT;
    }
}

int input_failed(const input *in, cpl_status status, const char *what)
{
    if (status != CPL_OK && in->errors == 0) message("%s: %s", what, cpl_status_message(status));
    return exit_status(in, status);
}

/* NAME=VALUE of --option. */
static int set_option(input *in, const char *text)
{
    char *name;
    const char *rest;
    if (!split_binding(text, &name, &rest))
        return usage_error("--option takes NAME=VALUE, not '%s'", text);
    char *end;
    errno = 0;
    long long value = strtoll(rest, &end, 10);
    if (end == rest || *end || errno)
        return usage_error("option '%s' takes an integer, not '%s'", name, rest);
    cpl_status status = cpl_context_set_option(in->context, name, value);
    if (status == CPL_ENOTFOUND) {
        usage_error("unknown option '%s'", name);
        word_list names = {0};
        for (size_t i = 0; cpl_option_name(i, NULL); i++)
            word_push(&names, cpl_option_name(i, NULL));
        suggest(name, names.items, names.count);
        return EXIT_USAGE;
    }
    if (status == CPL_EARG)
        return usage_error("option '%s' cannot be %lld: out of its range", name, value);
    return input_failed(in, status, "--option");
}

int input_context(input *in, const options *o)
{
    *in = (input){0};
    cpl_context_options settings;
    cpl_context_options_init(&settings);
    settings.sink = show;
    settings.sink_user = in;
    cpl_status status = cpl_context_create(&settings, &in->context);
    if (status) return input_failed(in, status, "the compiler could not be started");
    cpl_context_set_option(in->context, "tiers", 0); /* one launch is all there is */
    if (o->no_opencl_gpu) cpl_context_set_option(in->context, "opencl", 1);
    if (o->no_opencl) cpl_context_set_option(in->context, "opencl", 0);
    if (o->command == RUN) cpl_context_set_option(in->context, "bounds_check", !o->unchecked);
    if (o->level >= 0) cpl_context_set_option(in->context, "opt_level", o->level);
    for (size_t i = 0; i < o->settings.count; i++) {
        int failed = set_option(in, o->settings.items[i]);
        if (failed) return failed;
    }
    return EXIT_OK;
}

word_list input_functions(const input *in)
{
    word_list names = {0};
    const char *name;
    while ((name = cpl_module_function(in->module, names.count))) word_push(&names, name);
    return names;
}

static int choose_function(input *in, const options *o)
{
    word_list names = input_functions(in);
    int at = o->function ? word_find(&names, o->function) : -1;
    if (at >= 0) {
        in->function = names.items[at];
        return EXIT_OK;
    }
    if (o->function) {
        usage_error("'%s' has no function '%s'; it has %s", o->file, o->function,
                    word_join(names.items, names.count));
        suggest(o->function, names.items, names.count);
        return EXIT_USAGE;
    }
    if (names.count == 0) {
        message("'%s' has no functions", o->file);
        return EXIT_INPUT;
    }
    in->function = cpl_module_default_function(in->module);
    if (!in->function) {
        usage_error("'%s' has %zu functions: %s", o->file, names.count,
                    word_join(names.items, names.count));
        print_hint("name one: %s:%s", o->file, names.items[0]);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* The number in NAME3, where one stands at p in front of '='; -1 if there is none. */
static int number_of(const char *p, const char *name)
{
    enum { MOST_DIGITS = 3 };
    size_t n = strlen(name);
    if (strncmp(p, name, n) != 0) return -1;
    size_t digits = strspn(p += n, "0123456789");
    return digits && digits <= MOST_DIGITS && p[digits] == '=' ? atoi(p) : -1;
}

void list_variadic(word_list *names, const options *o, const char *name)
{
    int most = -1;
    for (size_t i = 0; i < o->arguments.count + o->types.count; i++) {
        bool given = i < o->arguments.count;
        const char *text = given ? o->arguments.items[i] : o->types.items[i - o->arguments.count];
        for (const char *p = text; *p; p++) {
            bool begins = p == text || (!given && strchr(" \t\n,", p[-1]));
            int found = begins ? number_of(p, name) : -1;
            if (found > most) most = found;
        }
    }
    for (int i = 0; i <= most; i++) {
        size_t size = strlen(name) + 12;
        char *text = allocate(size);
        snprintf(text, size, "%s%d", name, i);
        word_push(names, text);
    }
}

static void list_parameters(input *in, const options *o)
{
    const char *name;
    bool variadic = cpl_module_variadic(in->module, in->function);
    for (size_t i = 0; (name = cpl_module_parameter(in->module, in->function, i)); i++) {
        if (variadic && !cpl_module_parameter(in->module, in->function, i + 1)) {
            in->variadic = name;
            list_variadic(&in->parameters, o, name);
        } else if (i == 0 && o->form == CPL_FORM_ELEMENTWISE) in->index = name;
        else word_push(&in->parameters, name);
    }
    static const char *const further[] = {"j", "k"};
    if (!in->index || strcmp(in->index, "i") != 0 || cpl_module_is_ir(in->module)) return;
    while (in->indices < 2 && in->indices < in->parameters.count &&
           !strcmp(in->parameters.items[in->indices], further[in->indices]))
        in->indices++;
}

/* The names of the arguments, each once. */
static int list_arguments(input *in, const options *o)
{
    in->free = true;
    for (size_t i = 0; i < o->arguments.count; i++) {
        char *name;
        const char *text;
        if (!split_binding(o->arguments.items[i], &name, &text))
            return usage_error("arguments are NAME=VALUE, not '%s'", o->arguments.items[i]);
        if (word_find(&in->parameters, name) < 0) word_push(&in->parameters, name);
    }
    return EXIT_OK;
}

int input_open(input *in, const options *o, bool whole_file)
{
    int failed = input_context(in, o);
    if (failed) return failed;
    cpl_status status = *o->file ? cpl_module_from_file(in->context, o->file, &in->module)
                                 : cpl_module_from_source(in->context, "-", "", 0, &in->module);
    if (status) return input_failed(in, status, o->file);
    if (whole_file && !o->function) return EXIT_OK;
    if (o->function || !o->algorithm) failed = choose_function(in, o);
    if (!failed && o->algorithm) return list_arguments(in, o);
    if (!failed) list_parameters(in, o);
    return failed;
}

void input_close(input *in)
{
    cpl_module_release(in->module);
    if (in->context) cpl_context_release(in->context);
}

const char *input_parameters(const input *in)
{
    word_list words = {0};
    for (size_t i = 0; i < in->parameters.count; i++) word_push(&words, in->parameters.items[i]);
    if (in->variadic) {
        size_t size = strlen(in->variadic) + 2;
        char *star = allocate(size);
        snprintf(star, size, "*%s", in->variadic);
        word_push(&words, star);
    }
    return word_join(words.items, words.count);
}

/* Whether the function does not parse, which its tree reports: its parameters may not be the ones
 * that are meant. */
static bool is_broken(const input *in)
{
    cpl_spec spec;
    cpl_blob tree = {0};
    cpl_spec_init(&spec);
    bool parses =
        cpl_module_is_ir(in->module) ||
        cpl_module_emit(in->module, in->function, &spec, CPL_STAGE_AST, NULL, &tree) == CPL_OK;
    cpl_blob_free(&tree);
    return !parses;
}

int input_find(const input *in, const char *name)
{
    int at = word_find(&in->parameters, name);
    if (at >= 0 || (!in->free && is_broken(in))) return at;
    const char *names = input_parameters(in);
    if (in->free) {
        usage_error("there is no argument '%s'; there are %s", name, names);
        suggest(name, in->parameters.items, in->parameters.count);
    } else if (in->index && !strcmp(in->index, name)) {
        usage_error("'%s' is the index of '%s' and is not given; its parameters are %s", name,
                    in->function, names);
        print_hint("a plain function, which is called once with all its parameters: --as function; "
                   "one that asks for its work-item: --as kernel");
    } else {
        usage_error("'%s' has no parameter '%s'; its parameters are %s", in->function, name, names);
        suggest(name, in->parameters.items, in->parameters.count);
        if (in->variadic)
            print_hint("what *%s takes is called %s0, %s1 and so on", in->variadic, in->variadic,
                       in->variadic);
    }
    return -1;
}
