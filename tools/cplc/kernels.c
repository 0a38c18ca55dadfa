/*
 * cplc run --as ALGORITHM --emit STAGE: the kernels that would run, which the library compiles one
 * by one. On stdout texts follow each other; with -o each of several kernels is a file of its own,
 * which other tools take. Tokens and trees are of sources, not of kernels.
 */
#include "cplc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "cpl.chunks", of "cpl.chunks.parts": how many bytes of it. */
static size_t source_length(const char *function)
{
    const char *dot = strrchr(function, '.');
    return dot ? (size_t)(dot - function) : 0;
}

/* "parts", and for a second one of that name "parts-2". */
static word_list label_all(const cpl_kernels *found)
{
    word_list names = {0}, labels = {0};
    for (size_t i = 0; i < found->count; i++) {
        const char *function = cpl_kernel_function(found->kernels[i]);
        const char *name = function + source_length(function) + (strchr(function, '.') != NULL);
        int earlier = 0;
        for (size_t k = 0; k < i; k++) earlier += !strcmp(names.items[k], name);
        word_push(&names, name);
        size_t size = strlen(name) + 16;
        char *label = keep(size);
        snprintf(label, size, earlier ? "%s-%d" : "%s", name, earlier + 1);
        word_push(&labels, label);
    }
    return labels;
}

/* --- of sources --- */

/* "# NAME" and the text; a failure, after a message, in *failed. */
static bool put_source(FILE *to, const input *in, const options *o, const char *name,
                       const char *function, int *failed)
{
    cpl_spec spec;
    cpl_blob text = {0};
    cpl_spec_init(&spec);
    cpl_status status = cpl_module_emit(in->module, function, &spec, o->stage, NULL, &text);
    *failed = status ? input_failed(in, status, o->file) : EXIT_OK;
    bool ok = status ||
              (fprintf(to, "# %s\n", name) > 0 && fwrite(text.data, 1, text.size, to) == text.size);
    cpl_blob_free(&text);
    return ok;
}

/* Tokens are of whole files, each of them once. */
static bool is_repeated(const char *function, const char *before)
{
    size_t n = source_length(function);
    return before && n == source_length(before) && !strncmp(function, before, n);
}

static int emit_sources(const input *in, const options *o, const cpl_kernels *found, int chosen)
{
    int failed = EXIT_OK;
    bool tokens = o->stage == CPL_STAGE_TOKENS, ok = true;
    output *out = output_open(o->output);
    if (!out) return EXIT_SYSTEM;
    FILE *to = output_file(out);
    const char *before = NULL;
    if (*o->file && chosen < 0) ok = put_source(to, in, o, o->file, NULL, &failed);
    for (size_t i = 0; i < found->count && !failed && ok; i++) {
        const char *function = cpl_kernel_function(found->kernels[i]);
        size_t shown = tokens ? source_length(function) : strlen(function);
        if ((chosen >= 0 && (size_t)chosen != i) || (tokens && is_repeated(function, before)))
            continue;
        ok = put_source(to, in, o, copy_text(function, shown), function, &failed);
        before = function;
    }
    int unwritten = output_close(out, ok);
    return failed ? failed : unwritten;
}

/* --- of kernels --- */

/* "sum.parts.o" of "sum.o" */
static const char *path_of(const char *path, const char *label)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    size_t size = strlen(path) + strlen(label) + 2;
    char *text = keep(size);
    snprintf(text, size, "%.*s.%s%s", (int)stem, path, label, path + stem);
    return text;
}

static int emit_one(const input *in, const options *o, const cpl_kernel *kernel, const char *path)
{
    cpl_blob text = {0};
    cpl_status status = cpl_kernel_emit(kernel, o->stage, NULL, &text);
    int failed = status ? input_failed(in, status, o->file) : emit_write(path, o->stage, &text);
    cpl_blob_free(&text);
    return failed;
}

static int emit_all(const input *in, const options *o, const cpl_kernels *found,
                    const word_list *labels)
{
    bool to_file = o->output && strcmp(o->output, "-") != 0, apart = to_file && found->count > 1;
    int failed = EXIT_OK;
    word_list paths = {0};
    if (!to_file && is_binary(o->stage) && found->count > 1) {
        failed =
            usage_error("there are %zu kernels, each a file of its own: give -o OUT", found->count);
        print_hint("--kernel NAME writes one of them: %s", word_join(labels->items, labels->count));
        return failed;
    }
    for (size_t i = 0; i < found->count && !failed; i++) {
        const char *path = apart ? path_of(o->output, labels->items[i]) : o->output;
        failed = emit_one(in, o, found->kernels[i], path);
        word_push(&paths, path);
    }
    if (!failed && apart)
        print_note("there are %zu kernels: %s", found->count, word_join(paths.items, paths.count));
    return failed;
}

/* Which of them --kernel names; -1 without it, and -2 after a message. */
static int choose(const options *o, const word_list *labels)
{
    int at = o->kernel ? word_find(labels, o->kernel) : -1;
    if (at >= 0 || !o->kernel) return at;
    usage_error("--kernel %s: the kernels are %s", o->kernel,
                word_join(labels->items, labels->count));
    suggest(o->kernel, labels->items, labels->count);
    return -2;
}

int emit_kernels(const input *in, const options *o, const cpl_kernels *found)
{
    word_list labels = label_all(found);
    int chosen = choose(o, &labels);
    if (chosen < -1) return EXIT_USAGE;
    if (is_of_sources(o->stage)) return outputs_settle(emit_sources(in, o, found, chosen));
    if (chosen >= 0) return outputs_settle(emit_one(in, o, found->kernels[chosen], o->output));
    return outputs_settle(emit_all(in, o, found, &labels));
}
