/* Array files as the command line names them: FILE.npy, an array of FILE.npz, and "-", which stands
 * for standard input and output. */
#include "cplc.h"
#include "zip.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_stream(const array_file *f)
{
    return !strcmp(f->path, "-");
}

/* "FILE.npz" and "FILE.npz:KEY". */
static bool parse_archive(array_file *f, const char *name, const char *text)
{
    size_t length = strlen(text);
    const char *colon = strstr(text, ".npz:");
    if (!colon && (length < 4 || strcmp(text + length - 4, ".npz") != 0)) return false;
    *f = (array_file){.path = colon ? copy_text(text, (size_t)(colon - text) + 4) : text,
                      .key = colon ? colon + 5 : name};
    return true;
}

bool array_file_parse(array_file *f, const char *name, const char *text)
{
    if (parse_archive(f, name, text)) return true;
    size_t length = strlen(text);
    *f = (array_file){.path = text};
    if (is_stream(f) || (length >= 4 && !strcmp(text + length - 4, ".npy"))) return true;
    const char *npy = strstr(text, ".npy:"), *colon = npy ? npy + 4 : text + 1;
    if (!npy && strncmp(text, "-:", 2) != 0) return false;
    *f = (array_file){.path = copy_text(text, (size_t)(colon - text)), .record = colon + 1};
    return true;
}

const char *array_file_text(const array_file *f)
{
    if (!f->key) return f->path;
    size_t size = strlen(f->path) + strlen(f->key) + 2;
    char *text = keep(size);
    snprintf(text, size, "%s:%s", f->path, f->key);
    return text;
}

static int refused(npy_status status, const char *where, const char *why)
{
    message("%s: %s", where, why);
    return status == NPY_EFORMAT ? EXIT_INPUT : EXIT_SYSTEM;
}

/* --- archives that are read --- */

/* An entry KEY.npy, or KEY, as np.load has it. */
static bool has_key(const zip_entry *e, const char *key)
{
    size_t n = strlen(key);
    return !strncmp(e->name, key, n) && (!e->name[n] || !strcmp(e->name + n, ".npy"));
}

static size_t find_key(const zip_archive *archive, const char *key, const zip_entry **found)
{
    size_t count = 0;
    for (size_t i = 0; i < archive->count; i++)
        if (has_key(&archive->entries[i], key)) {
            *found = &archive->entries[i];
            count++;
        }
    return count;
}

static int refuse_key(const array_file *f, const zip_archive *archive)
{
    word_list keys = {0};
    for (size_t i = 0; i < archive->count; i++) {
        const char *name = archive->entries[i].name;
        size_t n = strlen(name);
        bool array = n > 4 && !strcmp(name + n - 4, ".npy");
        word_push(&keys, copy_text(name, array ? n - 4 : n));
    }
    message("%s: it has no array '%s'", f->path, f->key);
    print_hint("its arrays are %s; %s:KEY names one", word_join(keys.items, keys.count), f->path);
    suggest(f->key, keys.items, keys.count);
    return EXIT_INPUT;
}

/* KEY, or KEY:STRUCT where there is no array of that whole name. */
static int choose(array_file *f, const zip_archive *archive, const zip_entry **found)
{
    size_t count = find_key(archive, f->key, found);
    const char *colon = count ? NULL : strrchr(f->key, ':');
    if (colon) {
        const char *key = copy_text(f->key, (size_t)(colon - f->key));
        count = find_key(archive, key, found);
        if (count) *f = (array_file){.path = f->path, .key = key, .record = colon + 1};
    }
    if (!count) return refuse_key(f, archive);
    if (count == 1) return EXIT_OK;
    return refused(NPY_EFORMAT, array_file_text(f),
                   "the archive has more than one array of this name");
}

static int read_member(array_file *f, FILE *file, npy_array *array)
{
    char why[NPY_MESSAGE];
    zip_archive archive;
    const zip_entry *entry;
    npy_status status = zip_open(&archive, file, why);
    if (status) return refused(status, f->path, why);
    int failed = choose(f, &archive, &entry);
    if (!failed) {
        status = zip_read_array(&archive, entry, array, why);
        if (status) failed = refused(status, array_file_text(f), why);
    }
    zip_close(&archive);
    return failed;
}

static int read_archive(array_file *f, npy_array *array)
{
    struct stat st;
    if (!stat(f->path, &st) && !S_ISREG(st.st_mode))
        return refused(NPY_EIO, f->path, "it is not a regular file");
    FILE *file = fopen(f->path, "rbe");
    if (!file) return refused(NPY_EIO, f->path, strerror(errno));
    int failed = read_member(f, file, array);
    fclose(file);
    return failed;
}

int array_file_read(array_file *f, npy_array *array)
{
    char why[NPY_MESSAGE];
    if (f->key) return read_archive(f, array);
    npy_status status =
        is_stream(f) ? npy_read_next(stdin, array, why) : npy_read(f->path, array, why);
    return status ? refused(status, is_stream(f) ? "stdin" : f->path, why) : EXIT_OK;
}

/* --- files that are written --- */

int array_output_parse(array_output *out, const char *text)
{
    const char *path;
    *out = (array_output){.text = text};
    if (!split_binding(text, &out->name, &path) || !*path)
        return usage_error("--out takes NAME=FILE.npy or NAME=FILE.npz:KEY, not '%s'", text);
    if (!parse_archive(&out->file, out->name, path)) out->file.path = path;
    size_t length = out->file.key ? strlen(out->file.key) : 1;
    if (length < 1 || length > UINT16_MAX - 4)
        return usage_error("--out: the name of an array has one byte at least and 65531 at most");
    return EXIT_OK;
}

static bool same_archive(const array_output *a, const array_output *b)
{
    return a->file.key && b->file.key && !strcmp(a->file.path, b->file.path);
}

/* The first of those before `at` in whose archive it is; at where there is none. */
static size_t first_of_archive(const array_output *outputs, size_t at)
{
    size_t i = 0;
    while (i < at && !same_archive(&outputs[i], &outputs[at])) i++;
    return i;
}

/* Of which the later would be all that is left; standard output takes one after the other. */
static bool same_file(const array_file *a, const array_file *b)
{
    return !(a->key && b->key) && !is_stream(a) && !strcmp(a->path, b->path);
}

int array_outputs_check(const array_output *outputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (same_file(&outputs[i].file, &outputs[k].file))
                return usage_error("--out %s: %s takes one array, '%s' already", outputs[i].text,
                                   outputs[i].file.path, outputs[k].name);
            else if (same_archive(&outputs[i], &outputs[k]) &&
                     !strcmp(outputs[i].file.key, outputs[k].file.key))
                return usage_error("--out %s: %s has an array '%s' already", outputs[i].text,
                                   outputs[i].file.path, outputs[i].file.key);
    return EXIT_OK;
}

/* Whether an entry of the archive that is there is written anew. */
static bool is_written(const zip_entry *e, const array_output *outputs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (same_archive(&outputs[0], &outputs[i]) && has_key(e, outputs[i].file.key)) return true;
    return false;
}

static npy_status keep_entries(zip_writer *writer, FILE *old, const array_output *outputs,
                               size_t count, char *why)
{
    zip_archive archive;
    npy_status status = zip_open(&archive, old, why);
    for (size_t i = 0; i < archive.count && !status; i++)
        if (!is_written(&archive.entries[i], outputs, count))
            status = zip_add_entry(writer, &archive, &archive.entries[i], why);
    zip_close(&archive);
    return status;
}

/* The arrays that are in the archive already stay. */
static int keep_others(zip_writer *writer, const array_output *outputs, size_t count)
{
    char why[NPY_MESSAGE];
    const char *path = outputs[0].file.path;
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size == 0) return EXIT_OK;
    FILE *old = fopen(path, "rbe");
    if (!old) return refused(NPY_EIO, path, strerror(errno));
    npy_status status = keep_entries(writer, old, outputs, count, why);
    fclose(old);
    return status ? refused(status, path, why) : EXIT_OK;
}

/* All arrays of the archive that the first one is in. */
static int write_archive(output *out, const array_output *outputs, size_t count)
{
    zip_writer writer = {.file = output_file(out)};
    int failed = keep_others(&writer, outputs, count);
    bool ok = true;
    for (size_t i = 0; i < count && ok && !failed; i++) {
        if (i && !same_archive(&outputs[0], &outputs[i])) continue;
        const char *key = outputs[i].file.key;
        size_t size = strlen(key) + sizeof ".npy";
        char *name = keep(size);
        snprintf(name, size, "%s.npy", key);
        ok = zip_add_array(&writer, name, outputs[i].array);
    }
    ok = zip_finish(&writer, ok);
    int closed = output_close(out, ok);
    return failed ? failed : closed;
}

int array_outputs_write(const array_output *outputs, size_t count)
{
    int failed = EXIT_OK;
    for (size_t i = 0; i < count && !failed; i++) {
        const array_file *f = &outputs[i].file;
        if (first_of_archive(outputs, i) < i) continue;
        output *out = output_open(f->path);
        if (!out) return EXIT_SYSTEM;
        failed = f->key ? write_archive(out, &outputs[i], count - i)
                        : output_close(out, npy_write(output_file(out), outputs[i].array));
    }
    return failed;
}
