/*
 * Fuzz targets for libFuzzer: bytes that somebody else made must give an error or a result, never a
 * crash, a memory error or a hang. The environment's CPL_FUZZ_TEXT says what they are: source
 * (kernels in Python), ir (typed IR), cache (entries of the cache on disk), array (.npz and .npy
 * files). `./dev fuzz --text` runs them.
 */
#include "cpl/cpl.h"
#include "runtime/runtime.h"
#include "tools/cplc/zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REFRESH_AFTER = 500, MOST_FUNCTIONS = 4, MOST_GIVEN = 64 };

static cpl_context *cx;
static int used;

static void must(bool ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void ignore(void *user, const cpl_diag *d)
{
    char text[400];
    (void)user;
    cpl_diag_render(d, text, sizeof text);
}

static void open_context(void)
{
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = ignore;
    must(cpl_context_create(&options, &cx) == CPL_OK, "no context");
    used = 0;
}

/* Types fill the tables of a context. */
static void refresh(void)
{
    if (++used < REFRESH_AFTER) return;
    cpl_context_release(cx);
    open_context();
}

/* Kernel sources. */

static const char *const types[] = {"float64[]", "int32[]", "float32[]",  "int64", "uint8[]",
                                    "float64",   "bool[]",  "float64[:]", "int8",  "float16[]"};

/* What some parameters stand for, in one program of four. */
static cpl_bind made_up_bind(size_t pick, size_t shift, const cpl_type *t)
{
    static const char *const expressions[] = {"a + b", "lambda x: f(x)*2", "lambda x, f: x[f"};
    if (shift % 4) return (cpl_bind){.kind = CPL_BIND_NONE};
    switch (pick % 6) {
    case 0: return cpl_bind_integer((int64_t)(shift / 4 % 7) - 1);
    case 1: return cpl_bind_type(t);
    case 2: return cpl_bind_function(pick % 4 ? "sqrt" : "f");
    case 3: return cpl_bind_expression(expressions[shift / 4 % COUNT_OF(expressions)]);
    default: return (cpl_bind){.kind = CPL_BIND_NONE};
    }
}

/* All stages up to the passes, for each function on made-up types; code generation is for programs
 * that mean something. */
static void compile(cpl_module *m, const char *name, size_t shift, cpl_form form)
{
    const cpl_type *given[MOST_GIVEN];
    cpl_bind binds[MOST_GIVEN];
    cpl_spec spec;
    cpl_blob text;
    size_t count = 0, skip = form == CPL_FORM_ELEMENTWISE;
    cpl_spec_init(&spec);
    while (cpl_module_parameter(m, name, count + skip) && count < MOST_GIVEN) {
        must(cpl_type_parse(cx, types[(count + shift) % COUNT_OF(types)], &given[count]) == CPL_OK,
             "no type");
        binds[count] = made_up_bind(count + shift / 2, shift, given[count]);
        count++;
    }
    spec.form = form;
    spec.types = given;
    spec.binds = binds;
    spec.type_count = spec.bind_count = count;
    spec.passes = "fold,exits,inline,fold,bounds,guards,fold,reduce,dce,outline,dce";
    cpl_context_set_option(cx, "bounds_check", (int64_t)(shift & 1));
    if (cpl_module_emit(m, name, &spec, CPL_STAGE_IR, NULL, &text) == CPL_OK) cpl_blob_free(&text);
}

/* Texts that form feeds divide. */
typedef struct pieces {
    const char *at[4];
    size_t size[4], count;
} pieces;

static pieces divide(const char *text, size_t size)
{
    pieces p = {.count = 0};
    const char *end = text + size;
    do {
        bool last = p.count + 1 == COUNT_OF(p.at);
        const char *feed = last ? NULL : memchr(text, '\f', (size_t)(end - text));
        p.at[p.count] = text;
        p.size[p.count++] = (size_t)((feed ? feed : end) - text);
        text = feed ? feed + 1 : NULL;
    } while (text);
    return p;
}

/* Files, which the others import by a letter. */
static cpl_status make_files(const pieces *p, cpl_module **m)
{
    static const char *const names[] = {"fuzz.py", "a.py", "b.py", "c.py"};
    cpl_source sources[COUNT_OF(names)];
    for (size_t i = 0; i < p->count; i++)
        sources[i] = (cpl_source){sizeof *sources, names[i], p->at[i], p->size[i]};
    return p->count == 1 ? cpl_module_from_source(cx, names[0], p->at[0], p->size[0], m)
                         : cpl_module_from_sources(cx, sources, p->count, m);
}

/* Functions of a host program, which know each other, and other things, by letters. */
static cpl_status make_functions(const pieces *p, cpl_module **m)
{
    const cpl_type *t, *pair, *given[2] = {NULL, NULL};
    cpl_field fields[2] = {{.name = "a"}, {.name = "b"}};
    must(cpl_type_parse(cx, "float32", &t) == CPL_OK, "no type");
    fields[0].type = fields[1].type = t;
    must(cpl_type_struct(cx, "Fuzzed", fields, 2, &pair) == CPL_OK, "no struct");
    size_t last = p->count - 1;
    const cpl_name names[] = {
        cpl_name_function("a", 0),
        cpl_name_function("b", last / 2),
        cpl_name_function("c", last),
        cpl_name_function("d.c", last),
        cpl_name_int("K", 3),
        cpl_name_float("H", 0.5),
        {.name = "N", .kind = CPL_NAME_SCALAR, .dtype = CPL_UINT8, .value.u = 4},
        {.name = "d.N", .kind = CPL_NAME_SCALAR, .dtype = CPL_FLOAT32},
        cpl_name_type("T", t),
        cpl_name_type("P", pair),
        cpl_name_builtin("s", "sqrt"),
        cpl_name_module("np", "numpy"),
        cpl_name_other("o", "an object")};
    static const char *const called[] = {NULL, "x", "y", "z"};
    cpl_function_source functions[COUNT_OF(called)];
    for (size_t i = 0; i < p->count; i++) {
        size_t pick = p->size[i];
        if (pick % 5 == 0) given[0] = t;
        functions[i] = (cpl_function_source){.size = sizeof *functions,
                                             .name = called[pick % COUNT_OF(called)],
                                             .file = "fuzz.py",
                                             .text = p->at[i],
                                             .text_size = pick,
                                             .first_line = (uint32_t)pick,
                                             .indent = (uint32_t)(pick % 7 / 2),
                                             .locals = (cpl_locals)(pick % 4),
                                             .types = given,
                                             .type_count = pick % 5 == 0,
                                             .names = names,
                                             .name_count = COUNT_OF(names)};
    }
    return cpl_module_from_functions(cx, functions, p->count, m);
}

/* A vertical tab in front of all makes it functions of a host program. */
static cpl_status make_module(const char *text, size_t size, cpl_module **m)
{
    bool host = size && *text == '\v';
    pieces p = divide(text + host, size - host);
    return host ? make_functions(&p, m) : make_files(&p, m);
}

static void try_source(const uint8_t *data, size_t size)
{
    cpl_module *m;
    cpl_blob text;
    if (make_module((const char *)data, size, &m) == CPL_OK) {
        if (cpl_module_emit(m, NULL, NULL, CPL_STAGE_AST, NULL, &text) == CPL_OK)
            cpl_blob_free(&text);
        const char *name;
        for (size_t i = 0; i < MOST_FUNCTIONS && (name = cpl_module_function(m, i)); i++)
            compile(m, name, size + i, (size + i) % 3 ? CPL_FORM_ELEMENTWISE : CPL_FORM_FUNCTION);
        cpl_module_release(m);
    }
}

/* Typed IR. */

/* What was read and printed must read and print the same again. */
static void round_trip(const cpl_blob *text, const char *name)
{
    cpl_module *m;
    cpl_blob again;
    cpl_spec spec;
    cpl_spec_init(&spec);
    must(cpl_module_from_ir(cx, "again.cir", text->data, text->size, &m) == CPL_OK,
         "the printed module cannot be read");
    must(cpl_module_emit(m, name, &spec, CPL_STAGE_IR, NULL, &again) == CPL_OK,
         "the printed module cannot be printed");
    must(again.size == text->size && memcmp(again.data, text->data, text->size) == 0,
         "the second print differs");
    cpl_blob_free(&again);
    cpl_module_release(m);
}

static void try_ir(const uint8_t *data, size_t size)
{
    cpl_module *m;
    cpl_blob text;
    cpl_spec spec;
    cpl_spec_init(&spec);
    if (cpl_module_from_ir(cx, "fuzz.cir", (const char *)data, size, &m) == CPL_OK) {
        const char *name;
        for (size_t i = 0; i < MOST_FUNCTIONS && (name = cpl_module_function(m, i)); i++) {
            spec.passes = NULL;
            if (cpl_module_emit(m, name, &spec, CPL_STAGE_IR, NULL, &text) == CPL_OK) {
                round_trip(&text, name);
                cpl_blob_free(&text);
            }
            spec.passes = "fold,exits,inline,fold,bounds,guards,fold,reduce,dce,outline,dce";
            if (cpl_module_emit(m, name, &spec, CPL_STAGE_IR, NULL, &text) == CPL_OK)
                cpl_blob_free(&text);
        }
        cpl_module_release(m);
    }
}

/* Entries of the cache. */

static char folder[] = "/tmp/cpl-fuzz-XXXXXX";

static void write_entry(const char *path, const uint8_t *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    must(f && fwrite(data, 1, size, f) == size && fclose(f) == 0, "cannot write the entry");
    must(chmod(path, 0600) == 0, "cannot set the mode of the entry");
}

static size_t read_entry(const char *path, uint8_t *data, size_t most)
{
    FILE *f = fopen(path, "rb");
    must(f != NULL, "cannot read the entry");
    size_t n = fread(data, 1, most, f);
    fclose(f);
    return n;
}

/* Changes a good entry as the input says: triples of place and value, then perhaps another length.
 * True if it is another one now. */
static bool damage(uint8_t *entry, size_t *size, const uint8_t *data, size_t count)
{
    static uint8_t good[70000];
    size_t length = *size;
    memcpy(good, entry, length);
    for (; count >= 3; data += 3, count -= 3) entry[(data[0] + 256u * data[1]) % length] = data[2];
    if (count == 2) *size = (data[0] + 256u * data[1]) % (length + 50);
    return *size != length || memcmp(good, entry, length) != 0;
}

/* Byte 0 chooses: the input is the file; or it says how a good entry is damaged, which must not be
 * taken for one. */
static void try_entry(const uint8_t *data, size_t size)
{
    static uint8_t entry[70000], payload[300];
    uint8_t key[ARTIFACT_KEY_SIZE] = {1, 2, 3};
    char path[200];
    strbuf got;
    disk_cache *c = runtime_disk_cache(cx);
    must(c != NULL, "no cache");
    int n = snprintf(path, sizeof path, "%s/", folder);
    for (size_t i = 0; i < sizeof key; i++)
        n += snprintf(path + n, sizeof path - (size_t)n, "%02x", key[i]);
    if (size == 0) return;
    bool other = false;
    if (data[0] & 1) {
        write_entry(path, data + 1, size - 1);
    } else {
        for (size_t i = 0; i < sizeof payload; i++) payload[i] = (uint8_t)(i * 7 + data[0]);
        disk_cache_put(cx, c, key, payload, data[0]);
        size_t length = read_entry(path, entry, sizeof entry);
        memset(entry + length, 0, 60);
        other = damage(entry, &length, data + 1, size - 1);
        write_entry(path, entry, length);
    }
    sb_init(&got, context_mem(cx));
    bool hit = disk_cache_get(cx, c, key, &got);
    must(!(hit && other), "a damaged entry was loaded");
    must(hit || other || (data[0] & 1), "a good entry was not loaded");
    if (hit && !(data[0] & 1))
        must(got.n == data[0] && memcmp(got.at, payload, got.n) == 0, "another payload came back");
    if (hit) sb_free(&got);
}

/* Array files. */

static void try_archive(FILE *file)
{
    char why[NPY_MESSAGE];
    zip_archive archive;
    if (zip_open(&archive, file, why)) return;
    for (size_t i = 0; i < archive.count && i < MOST_GIVEN; i++) {
        npy_array a;
        if (!zip_read_array(&archive, &archive.entries[i], &a, why)) npy_free(&a);
    }
    zip_close(&archive);
}

/* What was read is written to an archive and is the same there. */
static void write_again(const npy_array *a)
{
    char why[NPY_MESSAGE], *bytes;
    size_t size;
    npy_array again;
    zip_archive archive;
    zip_writer w = {.file = open_memstream(&bytes, &size)};
    FILE *memory = w.file;
    must(zip_finish(&w, zip_add_array(&w, "x.npy", a)) && !fclose(memory), "cannot write");
    FILE *file = fmemopen(bytes, size, "rb");
    must(!zip_open(&archive, file, why) && archive.count == 1, "the archive cannot be read");
    must(!zip_read_array(&archive, archive.entries, &again, why), "its array cannot be read");
    must(npy_bytes(a) == npy_bytes(&again) && !memcmp(a->data, again.data, npy_bytes(a)),
         "another array came back");
    npy_free(&again);
    zip_close(&archive);
    fclose(file);
    free(bytes);
}

/* An archive, or arrays that follow each other. */
static void try_arrays(const uint8_t *data, size_t size)
{
    char why[NPY_MESSAGE];
    npy_array a;
    if (size == 0) return;
    FILE *file = fmemopen((void *)data, size, "rb");
    must(file != NULL, "no memory");
    try_archive(file);
    rewind(file);
    while (!npy_read_next(file, &a, why)) {
        write_again(&a);
        npy_free(&a);
    }
    fclose(file);
}

static const struct {
    const char *name;
    void (*attempt)(const uint8_t *data, size_t size);
} kinds[] = {{"source", try_source}, {"ir", try_ir}, {"cache", try_entry}, {"array", try_arrays}};
static size_t kind;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kinds[kind].attempt(data, size);
    refresh();
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *wanted = getenv("CPL_FUZZ_TEXT");
    (void)argc;
    (void)argv;
    while (kind < COUNT_OF(kinds) && (!wanted || strcmp(kinds[kind].name, wanted) != 0)) kind++;
    must(kind < COUNT_OF(kinds), "CPL_FUZZ_TEXT must be source, ir, cache or array");
    bool cache = kinds[kind].attempt == try_entry;
    must(!cache || mkdtemp(folder), "no folder");
    setenv("CPL_CACHE", cache ? "1" : "0", 1);
    if (cache) setenv("CPL_CACHE_DIR", folder, 1);
    open_context();
    return 0;
}
