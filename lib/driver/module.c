/*
 * Modules: the text of a file, and an index of its functions. Each compilation parses the text into
 * its own arena, so that compilations of one module share nothing and need no lock.
 */
#include "lib/driver/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void module_free(cpl_module *m)
{
    cpl_context *cx = m->cx;
    if (m->runtime_free) m->runtime_free(m);
    module_free_functions(m);
    module_free_expressions(m);
    module_free_libraries(m);
    module_free_hosts(m);
    module_free_files(m);
    bool holds = !m->left_context;
    mem_free(&cx->mem, m, sizeof *m);
    if (holds) cpl_context_release(cx);
}

void module_leave_context(cpl_module *m)
{
    m->left_context = true;
    cpl_context_release(m->cx);
}

cpl_module *module_new(cpl_context *cx, module_origin origin, bool is_ir)
{
    cpl_module *m = mem_zalloc(&cx->mem, sizeof *m);
    if (!m) {
        context_no_memory(cx);
        return NULL;
    }
    cpl_context_retain(cx);
    *m = (cpl_module){.references = 1, .cx = cx, .origin = origin, .is_ir = is_ir};
    return m;
}

cpl_status module_finish(cpl_module *m, cpl_module **module)
{
    comp_fn index = m->is_ir ? index_ir : m->hosts ? index_functions : index_source;
    cpl_status status = context_compile(m->cx, NULL, index, m);
    if (status) module_free(m);
    else *module = m;
    return status;
}

/* Of m, which is freed. */
static cpl_status no_memory(cpl_module *m)
{
    cpl_context *cx = m->cx;
    cpl_status status = context_no_memory(cx);
    module_free(m);
    return status;
}

static cpl_status refuse_size(cpl_context *cx, const char *name)
{
    return context_report(cx, CPL_ELIMIT, "%s: the source is larger than %d MiB", name,
                          (int)(SOURCE_LIMIT >> 20));
}

static bool add_copy(cpl_module *m, const char *name, const char *text, size_t size)
{
    char *copy = mem_realloc(&m->cx->mem, NULL, 0, size + 1);
    if (!copy) return false;
    memcpy(copy, text, size);
    copy[size] = 0;
    return module_add_file(m, name, copy, size);
}

static cpl_status from_text(cpl_context *cx, const char *name, const char *text, size_t size,
                            bool is_ir, cpl_module **module)
{
    if (module) *module = NULL;
    if (MISSING("context name text module", cx, name, text, module)) return CPL_EARG;
    if (context_forked(cx)) return context_refuse_fork(cx);
    if (size > SOURCE_LIMIT) return refuse_size(cx, name);
    cpl_module *m = module_new(cx, FROM_TEXT, is_ir);
    if (!m) return CPL_ENOMEM;
    return add_copy(m, name, text, size) ? module_finish(m, module) : no_memory(m);
}

cpl_status cpl_module_from_source(cpl_context *context, const char *name, const char *text,
                                  size_t size, cpl_module **module)
{
    return from_text(context, name, text, size, false, module);
}

cpl_status cpl_module_from_ir(cpl_context *context, const char *name, const char *text, size_t size,
                              cpl_module **module)
{
    return from_text(context, name, text, size, true, module);
}

/* Copies source i of an array. */
static cpl_status get_source(const cpl_source *sources, size_t i, cpl_source *out)
{
    *out = (cpl_source){.size = sizeof *out};
    cpl_status status = READ_ITEM(out, sources, i, cpl_source);
    if (status || (out->name && out->text)) return status;
    return thread_report(CPL_EARG, "source %zu lacks its name or its text", i + 1);
}

/* A copy of s becomes a file of m. */
static cpl_status add_source(cpl_module *m, const cpl_source *s)
{
    if (s->text_size > SOURCE_LIMIT) return refuse_size(m->cx, s->name);
    if (m->file_count == MOST_FILES)
        return context_report(m->cx, CPL_ELIMIT, "%s: a module has %d files at most", s->name,
                              MOST_FILES);
    char *name = module_name(&m->cx->mem, s->name);
    bool taken = name && module_has_file(m, name);
    if (taken)
        context_report(m->cx, CPL_EEXIST, "%s: imports already find '%s' in another text", s->name,
                       name);
    mem_strfree(&m->cx->mem, name);
    if (taken) return CPL_EEXIST;
    return name && add_copy(m, s->name, s->text, s->text_size) ? CPL_OK : context_no_memory(m->cx);
}

cpl_status cpl_module_from_sources(cpl_context *context, const cpl_source *sources, size_t count,
                                   cpl_module **module)
{
    cpl_source s;
    if (module) *module = NULL;
    if (MISSING("context sources module", context, sources, module)) return CPL_EARG;
    if (!count) return thread_report(CPL_EARG, "a module has one text at least");
    for (size_t i = 0; i < count; i++)
        if (get_source(sources, i, &s)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    cpl_module *m = module_new(context, FROM_TEXTS, false);
    cpl_status status = m ? CPL_OK : CPL_ENOMEM;
    for (size_t i = 0; i < count && !status; i++) {
        get_source(sources, i, &s);
        status = add_source(m, &s);
    }
    if (!status) return module_finish(m, module);
    if (m) module_free(m);
    return status;
}

cpl_status cpl_module_from_file(cpl_context *context, const char *path, cpl_module **module)
{
    if (module) *module = NULL;
    if (MISSING("context path module", context, path, module)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    char *text;
    size_t size, n = strlen(path);
    cpl_status status = file_read(&context->mem, path, SOURCE_LIMIT, &text, &size);
    if (status == CPL_EIO)
        return context_report(context, CPL_EIO, "%s: cannot be read: %s", path, strerror(errno));
    if (status == CPL_ELIMIT) return refuse_size(context, path);
    if (status) return context_no_memory(context);
    struct stat st;
    bool regular = stat(path, &st) == 0 && S_ISREG(st.st_mode);
    bool is_ir = n > 4 && strcmp(path + n - 4, ".cir") == 0;
    cpl_module *m = module_new(context, regular ? FROM_FOLDER : FROM_PIPE, is_ir);
    if (!m) mem_free(&context->mem, text, size + 1);
    if (!m) return CPL_ENOMEM;
    return module_add_file(m, path, text, size) ? module_finish(m, module) : no_memory(m);
}

void cpl_module_retain(cpl_module *module)
{
    if (module) atomic_fetch_add_explicit(&module->references, 1, memory_order_relaxed);
}

void cpl_module_release(cpl_module *module)
{
    if (!module || context_forked(module->cx)) return;
    if (atomic_fetch_sub_explicit(&module->references, 1, memory_order_acq_rel) == 1)
        module_free(module);
}

bool cpl_module_is_ir(const cpl_module *module)
{
    return module && module->is_ir;
}

const char *cpl_module_function(const cpl_module *module, size_t index)
{
    return module && index < module->function_count ? module->functions[index].name : NULL;
}

const char *cpl_module_default_function(const cpl_module *module)
{
    if (!module) return NULL;
    if (module->entry_count == 1) return module->functions[module->only_entry].name;
    return module->function_count == 1 ? module->functions[0].name : NULL;
}

static const module_function *find_function(const cpl_module *m, const char *name)
{
    size_t index = m && name ? module_function_index(m, name) : SIZE_MAX;
    return index == SIZE_MAX ? NULL : &m->functions[index];
}

const char *cpl_module_parameter(const cpl_module *module, const char *function, size_t index)
{
    const module_function *f = find_function(module, function);
    return f && index < f->param_count ? f->params[index] : NULL;
}

const char *cpl_module_parameter_default(const cpl_module *module, const char *function,
                                         size_t index)
{
    const module_function *f = find_function(module, function);
    return f && index < f->param_count ? f->defaults[index] : NULL;
}

bool cpl_module_variadic(const cpl_module *module, const char *function)
{
    const module_function *f = find_function(module, function);
    return f && f->variadic;
}

void cpl_emit_options_init(cpl_emit_options *options)
{
    if (!options) return;
    *options = (cpl_emit_options){.size = sizeof *options};
}

void cpl_blob_free(cpl_blob *blob)
{
    if (!blob || !blob->data) return;
    mem_free(&blob->context->mem, blob->data, blob->size + 1);
    *blob = (cpl_blob){0};
}

cpl_status cpl_type_parse(cpl_context *context, const char *text, const cpl_type **type)
{
    if (type) *type = NULL;
    if (MISSING("context text type", context, text, type)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    cpl_status status = type_read(context->types, text, strlen(text), type);
    if (status == CPL_ENOMEM) return context_no_memory(context);
    return status ? thread_report(status, "'%s' is not a type", text) : CPL_OK;
}

cpl_status cpl_type_struct(cpl_context *context, const char *name, const cpl_field *fields,
                           size_t count, const cpl_type **type)
{
    if (type) *type = NULL;
    if (MISSING("context name fields type", context, name, fields, type)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    /* names with dots are those that the compiler makes */
    cpl_status status = strchr(name, '.')
                            ? CPL_EARG
                            : type_declare_struct(context->types, name, fields, count, type);
    if (status == CPL_ENOMEM) return context_no_memory(context);
    if (!status) return CPL_OK;
    return thread_report(status, "the struct '%s': %s", name,
                         status == CPL_EEXIST
                             ? "the name stands for other fields"
                             : "its name, a field's name or type, or their number cannot be");
}

cpl_status cpl_type_struct_at(cpl_context *context, const char *name, const cpl_field *fields,
                              size_t count, size_t size, size_t align, const cpl_type **type)
{
    if (type) *type = NULL;
    if (MISSING("context fields type", context, fields, type)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    type_layout layout = {.size = size, .align = align, .why = "its name is no identifier"};
    cpl_status status =
        name && strchr(name, '.')
            ? CPL_EARG
            : type_declare_struct_at(context->types, name, fields, count, &layout, type);
    if (status == CPL_ENOMEM) return context_no_memory(context);
    return status ? context_report(context, status, "the struct '%s': %s", name ? name : "",
                                   layout.why)
                  : CPL_OK;
}

/* The runtime's view. */

void *context_runtime(cpl_context *cx)
{
    return cx->runtime;
}

void context_set_runtime(cpl_context *cx, void *state, void (*free_fn)(cpl_context *))
{
    cx->runtime = state;
    cx->runtime_free = free_fn;
}

_Atomic(void *) *module_launches(cpl_module *m)
{
    return &m->launches;
}

void *module_runtime(cpl_module *m)
{
    return m->runtime;
}

void module_set_runtime(cpl_module *m, void *state, void (*free_fn)(cpl_module *))
{
    m->runtime = state;
    m->runtime_free = free_fn;
}

pthread_mutex_t *context_lock(cpl_context *cx)
{
    return &cx->lock;
}

const mem *context_mem(cpl_context *cx)
{
    return &cx->mem;
}

const char *context_opencl_options(cpl_context *cx)
{
    return cx->opencl_options ? cx->opencl_options : "";
}

const char *context_openmp(cpl_context *cx)
{
    return cx->openmp;
}

abi_place *context_place(cpl_context *cx)
{
    return &cx->place;
}

const cpl_threads *context_threads(cpl_context *cx)
{
    return cx->place.threads.run ? &cx->place.threads : NULL;
}

/* Asked when the first launch wants to know: that reads files. */
uint64_t context_cache_bytes(cpl_context *cx)
{
    uint64_t known = atomic_load_explicit(&cx->cache_bytes, memory_order_relaxed);
    if (!known) {
        known = 1 + cpu_cache_bytes();
        atomic_store_explicit(&cx->cache_bytes, known, memory_order_relaxed);
    }
    return known - 1;
}

type_table *context_types(cpl_context *cx)
{
    return cx->types;
}

cpl_context *module_context(cpl_module *m)
{
    return m->cx;
}

void context_count_hit(cpl_context *cx)
{
    atomic_fetch_add_explicit(&cx->hits, 1, memory_order_relaxed);
}

cpl_status cpl_context_stats(cpl_context *context, cpl_stats *stats)
{
    if (MISSING("context stats", context, stats)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    pthread_mutex_lock(&context->lock);
    cpl_stats now = context->stats;
    now.hits = atomic_load(&context->hits);
    pthread_mutex_unlock(&context->lock);
    return WRITE_STRUCT(stats, &now, cpl_stats);
}
