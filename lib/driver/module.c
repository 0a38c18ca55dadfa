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

/* Bytes of the list of n functions: room for a power of two, since a file may have a hundred
 * thousand. */
static size_t list_bytes(size_t n)
{
    size_t room = n ? 1 : 0;
    while (room < n) room *= 2;
    return room * sizeof(module_function);
}

static bool add_function(cpl_module *m, const char *name, size_t param_count)
{
    const mem *a = &m->cx->mem;
    size_t n = m->function_count;
    if (list_bytes(n) != list_bytes(n + 1)) {
        module_function *functions = mem_realloc(a, m->functions, list_bytes(n), list_bytes(n + 1));
        if (!functions) return false;
        m->functions = functions;
    }
    m->function_count = n + 1;
    module_function *f = &m->functions[n];
    *f = (module_function){.name = mem_strdup(a, name)};
    f->params = param_count ? mem_zalloc(a, param_count * sizeof *f->params) : NULL;
    f->defaults = param_count ? mem_zalloc(a, param_count * sizeof *f->defaults) : NULL;
    f->param_count = param_count;
    return f->name && ((f->params && f->defaults) || !param_count);
}

static bool add_parameter(cpl_module *m, size_t index, const char *name)
{
    return (m->functions[m->function_count - 1].params[index] = mem_strdup(&m->cx->mem, name)) !=
           NULL;
}

/* The number, True or False that n is, with as many digits as tell it from all others; false: it is
 * none of them. */
static bool number_text(const ast_node *n, char *out, size_t size)
{
    if (n->kind == AST_UNARY && n->op == TOK_SUB && n->kids[0]->kind != AST_UNARY) {
        *out = '-';
        return n->kids[0]->kind != AST_BOOL && number_text(n->kids[0], out + 1, size - 1);
    }
    if (n->kind == AST_FLOAT) {
        int length = snprintf(out, size, "%.17g", n->number);
        if (!strpbrk(out, ".e")) snprintf(out + length, size - (size_t)length, ".0");
    } else if (n->kind == AST_BOOL) snprintf(out, size, "%s", n->integer ? "True" : "False");
    else if (n->kind == AST_INT && !n->overflow) snprintf(out, size, "%" PRIu64, n->integer);
    else return false;
    return true;
}

static bool add_default(cpl_module *m, size_t index, const ast_node *value)
{
    char text[40];
    if (!value || !number_text(value, text, sizeof text)) return true;
    module_function *f = &m->functions[m->function_count - 1];
    return (f->defaults[index] = mem_strdup(&m->cx->mem, text)) != NULL;
}

bool module_add_source(cpl_module *m, const char *name, const ast_func *fn)
{
    if (!add_function(m, name, fn->param_count)) return false;
    for (uint32_t i = 0; i < fn->param_count; i++)
        if (!add_parameter(m, i, fn->params[i].name) || !add_default(m, i, fn->params[i].value))
            return false;
    bool variadic = fn->param_count && fn->params[fn->param_count - 1].star == '*';
    m->functions[m->function_count - 1].variadic = variadic;
    return true;
}

static cpl_status index_source(compilation *c, void *arg)
{
    cpl_module *m = arg;
    ast_file *f = front_file(c, &m->src->src);
    if (!f) return CPL_ESYNTAX;
    for (uint32_t i = 0; i < f->items.n; i++) {
        const ast_item *item = &f->items.at[i];
        if (item->kind != ITEM_FUNC || ast_find_func(f, item->name) != item->func) continue;
        if (!module_add_source(m, item->func->name, item->func)) return CPL_ENOMEM;
    }
    return module_read_imports(m, f) ? CPL_OK : CPL_ENOMEM;
}

/* What a launch finds out by itself is no parameter of the module's function; the number of rounds
 * stands where the index does in a source. */
static bool is_given(const ir_var *v)
{
    return v->role == PARAM_ARG || v->role == PARAM_COUNT;
}

static cpl_status index_ir(compilation *c, void *arg)
{
    cpl_module *m = arg;
    ir_module *ir = ir_parse(c, &m->src->src);
    if (!ir || !ir_verify(ir, NULL)) return CPL_EIR;
    for (uint32_t i = 0; i < ir->funcs.n; i++) {
        const ir_func *fn = ir->funcs.at[i];
        if (fn->linkage == IR_EXTERN) continue;
        uint32_t given = 0;
        for (uint32_t k = 0; k < fn->params.n; k++) given += is_given(fn->params.at[k]);
        if (fn->linkage == IR_ENTRY && m->entry_count++ == 0) m->only_entry = m->function_count;
        if (!add_function(m, fn->name, given)) return CPL_ENOMEM;
        given = 0;
        for (uint32_t k = 0; k < fn->params.n; k++)
            if (is_given(fn->params.at[k]) && !add_parameter(m, given++, fn->params.at[k]->name))
                return CPL_ENOMEM;
    }
    return CPL_OK;
}

void module_free(cpl_module *m)
{
    cpl_context *cx = m->cx;
    const mem *a = &cx->mem;
    if (m->runtime_free) m->runtime_free(m);
    for (size_t i = 0; i < m->function_count; i++) {
        module_function *f = &m->functions[i];
        for (size_t k = 0; k < f->param_count; k++) {
            if (f->params) mem_strfree(a, f->params[k]);
            if (f->defaults) mem_strfree(a, f->defaults[k]);
        }
        if (f->params) mem_free(a, f->params, f->param_count * sizeof *f->params);
        if (f->defaults) mem_free(a, f->defaults, f->param_count * sizeof *f->defaults);
        mem_strfree(a, f->name);
    }
    mem_free(a, m->functions, list_bytes(m->function_count));
    module_free_expressions(m);
    module_free_libraries(m);
    module_free_hosts(m);
    module_free_files(m);
    bool holds = !m->left_context;
    mem_free(a, m, sizeof *m);
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
    if (!cx || !name || !text || !module)
        return thread_bad_call(is_ir ? "cpl_module_from_ir" : "cpl_module_from_source");
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
    if (!context || !sources || !count || !module) return BAD_CALL;
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
    if (!context || !path || !module) return BAD_CALL;
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
    for (size_t i = 0; m && name && i < m->function_count; i++)
        if (strcmp(m->functions[i].name, name) == 0) return &m->functions[i];
    return NULL;
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

void cpl_spec_init(cpl_spec *spec)
{
    if (!spec) return;
    *spec = (cpl_spec){.size = sizeof *spec};
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
    if (!context || !text || !type) return BAD_CALL;
    if (context_forked(context)) return context_refuse_fork(context);
    return type_read(context->types, text, strlen(text), type);
}

cpl_status cpl_type_struct(cpl_context *context, const char *name, const cpl_field *fields,
                           size_t count, const cpl_type **type)
{
    if (type) *type = NULL;
    if (!context || !name || !fields || !type) return BAD_CALL;
    if (context_forked(context)) return context_refuse_fork(context);
    return type_declare_struct(context->types, name, fields, count, type);
}

cpl_status cpl_type_struct_at(cpl_context *context, const char *name, const cpl_field *fields,
                              size_t count, size_t size, size_t align, const cpl_type **type)
{
    if (type) *type = NULL;
    if (!context || !fields || !type) return BAD_CALL;
    if (context_forked(context)) return context_refuse_fork(context);
    type_layout layout = {.size = size, .align = align};
    cpl_status status = type_declare_struct_at(context->types, name, fields, count, &layout, type);
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
    if (!context || !stats) return BAD_CALL;
    if (context_forked(context)) return context_refuse_fork(context);
    pthread_mutex_lock(&context->lock);
    cpl_stats now = context->stats;
    now.hits = atomic_load(&context->hits);
    pthread_mutex_unlock(&context->lock);
    return WRITE_STRUCT(stats, &now, cpl_stats);
}
