/* cplc FILE:FUNC --emit STAGE: one stage of the compiler as text or bytes. */
#include "cplc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What --types says of the parameters, each [count]. */
typedef struct bindings {
    const cpl_type **types;
    cpl_bind *binds;
} bindings;

/* One binding of --types. text ends in NUL and lives as long as the process. */
static int bind(const input *in, const bindings *b, const char *name, const char *text)
{
    int at = input_find(in, name), failed;
    if (at < 0) return in->errors ? EXIT_INPUT : EXIT_USAGE;
    if (b->types[at] || b->binds[at].kind)
        return usage_error("the type of '%s' is given twice", name);
    if (bind_parse(&b->binds[at], in, name, text, &failed)) return failed;
    cpl_status status = cpl_type_parse(in->context, text, &b->types[at]);
    if (status == CPL_EARG) {
        usage_error("'%s' is not a type (of parameter '%s')", text, name);
        const word_list *names = element_types();
        print_hint("types are %s, with [] for an array", word_join(names->items, names->count));
        suggest(copy_text(text, strcspn(text, "[ *")), names->items, names->count);
        return EXIT_USAGE;
    }
    return input_failed(in, status, "--types");
}

static const char blanks[] = " \t\n,";

/* Behind the word at p, in which quotes hold blanks and commas. */
static char *word_end(char *p)
{
    char quote = 0;
    for (; *p && (quote || !strchr(blanks, *p)); p++)
        if (quote ? *p == quote : *p == '\'' || *p == '"') quote = quote ? 0 : *p;
    return p;
}

/*
 * list = {NAME '=' type} between blanks or commas. A type may hold blanks ("unsigned int"): it ends
 * where the next word has an '=' in it.
 */
static int bind_list(const input *in, const bindings *b, const char *list)
{
    char *copy = copy_text(list, strlen(list));
    char *p = copy;
    while (*(p += strspn(p, blanks))) {
        char *name;
        const char *rest;
        if (!split_binding(p, &name, &rest))
            return usage_error("--types takes NAME=TYPE, separated by blanks, not '%s'", p);
        char *end = copy + (rest - copy), *last = end;
        for (;;) {
            end = last = word_end(end);
            end += strspn(end, blanks);
            size_t word = (size_t)(word_end(end) - end);
            if (word == 0 || memchr(end, '=', word)) break;
        }
        *last = '\0';
        int failed = bind(in, b, name, rest);
        if (failed) return failed;
        p = end;
    }
    return EXIT_OK;
}

static int bind_all(const input *in, const options *o, const bindings *b)
{
    if (o->types.count && cpl_module_is_ir(in->module))
        return usage_error(
            "'%s' holds typed IR, which carries its types: --types does not go with it", o->file);
    for (size_t i = 0; i < o->types.count; i++) {
        int failed = bind_list(in, b, o->types.items[i]);
        if (failed) return failed;
    }
    return EXIT_OK;
}

int emit_write(const char *path, cpl_stage stage, const cpl_blob *blob)
{
    bool to_stdout = !path || !strcmp(path, "-");
    if (to_stdout && is_binary(stage) && isatty(STDOUT_FILENO))
        return usage_error("a binary file is not written to a terminal: give -o OUT");
    output *out = output_open(path);
    if (!out) return EXIT_SYSTEM;
    FILE *file = output_file(out);
    bool ok = fwrite(blob->data, 1, blob->size, file) == blob->size;
    if (ok && to_stdout && !is_binary(stage) && blob->size && blob->data[blob->size - 1] != '\n')
        ok = fputc('\n', file) != EOF;
    return output_close(out, ok);
}

/* The object or text, and with --header that. */
static int emit_stages(const input *in, const options *o, const cpl_spec *spec, cpl_blob *log)
{
    cpl_blob out = {0}, header = {0};
    cpl_emit_options how;
    cpl_emit_options_init(&how);
    how.print_after = o->print_after;
    how.time_passes = o->time_passes;
    how.log = log;
    cpl_status status = cpl_module_emit(in->module, in->function, spec, o->stage, &how, &out);
    if (log->data) fwrite(log->data, 1, log->size, stderr);
    if (!status && o->header)
        status = cpl_module_emit(in->module, in->function, spec, CPL_STAGE_HEADER, NULL, &header);
    int failed = status ? input_failed(in, status, o->file) : emit_write(o->output, o->stage, &out);
    if (!failed && o->header) failed = emit_write(o->header, CPL_STAGE_HEADER, &header);
    cpl_blob_free(&out);
    cpl_blob_free(&header);
    return failed;
}

static int emit(const input *in, const options *o, const bindings *b)
{
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = o->form;
    spec.types = b->types;
    spec.binds = b->binds;
    spec.type_count = spec.bind_count = in->function ? in->parameters.count : 0;
    spec.target = o->target;
    spec.passes = o->passes;
    spec.facts = o->facts;
    cpl_blob log = {0};
    int failed = emit_stages(in, o, &spec, &log);
    cpl_blob_free(&log);
    return outputs_settle(failed);
}

int command_emit(const options *o)
{
    input in;
    bool whole = o->stage == CPL_STAGE_TOKENS || o->stage == CPL_STAGE_AST;
    int failed = input_open(&in, o, whole);
    size_t count = in.parameters.count + 1;
    bindings b = {allocate(count * sizeof *b.types), allocate(count * sizeof *b.binds)};
    if (!failed && in.function) failed = bind_all(&in, o, &b);
    if (!failed) failed = emit(&in, o, &b);
    free(b.types);
    free(b.binds);
    input_close(&in);
    return failed;
}
