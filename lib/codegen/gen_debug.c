/*
 * Line info: for each instruction the place in the source that it comes from, so that debuggers and
 * profilers can name function and line. Variables and types are not described. A function called
 * f.body or f.task in the code keeps that name.
 */
#include "lib/codegen/gen_int.h"

#include <llvm-c/DebugInfo.h>

typedef struct gen_debug_file {
    const source *src;
    LLVMMetadataRef file;
    VEC(uint32_t) starts; /* offset at which each line begins */
    struct gen_debug_file *next;
} debug_file;

struct gen_debug {
    LLVMDIBuilderRef builder;
    debug_file *files;         /* the first one seen stands last */
    LLVMMetadataRef signature; /* of every function: nothing is said about parameters */
    gen_place now;
};

static debug_file *add_file(gen *g, const source *src)
{
    struct gen_debug *d = g->debug;
    debug_file *f = arena_new(&g->c->arena, debug_file);
    f->src = src;
    vec_push(&g->c->arena, &f->starts, 0);
    for (size_t i = 0; src && i < src->size; i++)
        if (src->text[i] == '\n' ||
            (src->text[i] == '\r' && !(i + 1 < src->size && src->text[i + 1] == '\n')))
            vec_push(&g->c->arena, &f->starts, (uint32_t)i + 1);
    const char *name = src ? src->name : "";
    f->file = LLVMDIBuilderCreateFile(d->builder, name, strlen(name), "", 0);
    f->next = d->files;
    d->files = f;
    return f;
}

/* The file of a place, NULL when it has none. */
static debug_file *file_of(gen *g, cpl_span span)
{
    if (!span.file) return NULL;
    for (debug_file *f = g->debug->files; f; f = f->next)
        if (f->src && f->src->id == span.file) return f;
    const source *src =
        g->c->find_source ? g->c->find_source(g->c->find_source_user, span.file) : NULL;
    return src ? add_file(g, src) : NULL;
}

static uint32_t line_of(const debug_file *f, uint32_t offset)
{
    uint32_t low = 0, high = f->starts.n; /* starts[low] <= offset < starts[high] */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (f->starts.at[middle] <= offset) low = middle;
        else high = middle;
    }
    return low + 1;
}

static void set_location(gen *g, uint32_t line, uint32_t column)
{
    LLVMMetadataRef scope = g->debug->now.scope;
    LLVMSetCurrentDebugLocation2(g->b, LLVMDIBuilderCreateDebugLocation(g->cx, line, column, scope,
                                                                        NULL));
}

static void add_flag(gen *g, const char *name, unsigned value)
{
    LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(g->t_i32, value, 0));
    LLVMAddModuleFlag(g->mod, LLVMModuleFlagBehaviorWarning, name, strlen(name), number);
}

void gen_debug_begin(gen *g)
{
    if (!g->options->debug_info) return;
    struct gen_debug *d = g->debug = arena_new(&g->c->arena, struct gen_debug);
    d->builder = LLVMCreateDIBuilder(g->mod);
    debug_file *f = NULL;
    for (uint32_t i = 0; i < g->m->funcs.n && !f; i++) f = file_of(g, g->m->funcs.at[i]->span);
    if (!f) f = add_file(g, NULL);
    /* PTX: line directives alone (DICompileUnit::DebugDirectivesOnly, which LLVM-C has no name
     * for); with tables the driver would not optimise. */
    LLVMDWARFEmissionKind kind =
        g->traits->lines_alone ? (LLVMDWARFEmissionKind)3 : LLVMDWARFEmissionLineTablesOnly;
    static const char producer[] = "cpl " CPL_VERSION_TEXT;
    LLVMDIBuilderCreateCompileUnit(d->builder, LLVMDWARFSourceLanguagePython, f->file, producer,
                                   sizeof producer - 1, 1, "", 0, 0, "", 0, kind, 0, 0, 0, "", 0,
                                   "", 0);
    d->signature = LLVMDIBuilderCreateSubroutineType(d->builder, f->file, NULL, 0, LLVMDIFlagZero);
    d->now.function_file = f;
    add_flag(g, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(g, "Dwarf Version", 4); /* fewer sections and relocations than 5, for the same lines */
}

void gen_debug_end(gen *g)
{
    if (!g->debug) return;
    LLVMDIBuilderFinalize(g->debug->builder);
    LLVMDisposeDIBuilder(g->debug->builder);
    g->debug = NULL;
}

void gen_debug_enter(gen *g, LLVMValueRef fn, const char *name, cpl_span span)
{
    struct gen_debug *d = g->debug;
    if (!d) return;
    gen_place *now = &d->now;
    const debug_file *f = file_of(g, span);
    if (f) now->function_file = f;
    /* 0: no line of the source */
    now->line = f ? f->src->lines_before + line_of(f, span.begin) : 0;
    LLVMMetadataRef file = now->function_file->file;
    size_t length;
    const char *symbol = LLVMGetValueName2(fn, &length);
    now->scope = now->function =
        LLVMDIBuilderCreateFunction(d->builder, file, name, strlen(name), symbol,
                                    strcmp(symbol, name) ? length : 0, file, now->line,
                                    d->signature, LLVMGetLinkage(fn) == LLVMInternalLinkage, 1,
                                    now->line, f ? LLVMDIFlagZero : LLVMDIFlagArtificial, 1);
    now->scope_file = now->function_file;
    LLVMSetSubprogram(fn, now->function);
    LLVMSetCurrentDebugLocation2(g->b, NULL);
}

void gen_debug_at(gen *g, cpl_span span)
{
    if (!g->debug) return;
    gen_place *now = &g->debug->now;
    const debug_file *f = file_of(g, span);
    if (!f) { /* made by the compiler: counts to what stands before it */
        if (!LLVMGetCurrentDebugLocation2(g->b)) set_location(g, now->line, 0);
        return;
    }
    if (f != now->scope_file) {
        now->scope =
            f == now->function_file
                ? now->function
                : LLVMDIBuilderCreateLexicalBlockFile(g->debug->builder, now->function, f->file, 0);
        now->scope_file = f;
    }
    uint32_t line = line_of(f, span.begin);
    set_location(g, f->src->lines_before + line, span.begin - f->starts.at[line - 1] + 1);
}

gen_place gen_debug_save(const gen *g)
{
    if (!g->debug) return (gen_place){0};
    gen_place place = g->debug->now;
    place.location = LLVMGetCurrentDebugLocation2(g->b);
    return place;
}

void gen_debug_restore(gen *g, gen_place place)
{
    if (!g->debug) return;
    g->debug->now = place;
    LLVMSetCurrentDebugLocation2(g->b, place.location);
}
