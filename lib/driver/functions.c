/*
 * Modules made of functions of a host program: each is a file of its own, with a table of what its
 * names stand for. All that the host gives is copied, the names in order of their texts.
 */
#include "lib/driver/internal.h"

#include <stdlib.h>

#define MOST_FUNCTIONS 4096

_Static_assert(SEMA_MOST_DOTS == 16, "a message and cpl/functions.h say so");

/* ---- what is kept ---- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const cpl_name *)a)->name, ((const cpl_name *)b)->name);
}

static bool copy_names(const mem *a, const cpl_function_source *from, cpl_function_source *to)
{
    size_t n = from->name_count;
    if (!n) return true;
    cpl_name *names = mem_zalloc(a, n * sizeof *names);
    to->names = names;
    to->name_count = names ? n : 0;
    bool good = names != NULL;
    for (size_t i = 0; good && i < n; i++) {
        const char *target = from->names[i].target;
        names[i] = from->names[i];
        names[i].name = name_copy(a, from->names[i].name, strlen(from->names[i].name));
        names[i].target = target ? mem_strdup(a, target) : NULL;
        good = names[i].name && (names[i].target || !target);
    }
    if (good) qsort(names, n, sizeof *names, compare_names);
    return good;
}

static bool copy_types(const mem *a, const cpl_function_source *from, cpl_function_source *to)
{
    size_t n = from->type_count;
    if (!n) return true;
    const cpl_type **types = mem_zalloc(a, n * sizeof *types);
    if (!types) return false;
    memcpy(types, from->types, n * sizeof *types);
    to->types = types;
    to->type_count = n;
    return true;
}

/* Of the lines that the host has shortened, each begins as it did. */
static size_t restore_indent(const cpl_function_source *f, char *out)
{
    size_t n = 0;
    bool begins = true;
    for (size_t i = 0; i < f->text_size; i++) {
        char c = f->text[i];
        bool newline = c == '\n' || c == '\r';
        if (begins && !newline) {
            if (out) memset(out + n, ' ', f->indent);
            n += f->indent;
        }
        if (out) out[n] = c;
        n++;
        begins = newline;
    }
    return n;
}

static bool add_text(cpl_module *m, const cpl_function_source *f, size_t size)
{
    char *text = mem_realloc(&m->cx->mem, NULL, 0, size + 1);
    if (!text) return false;
    restore_indent(f, text);
    text[size] = 0;
    if (!module_add_file(m, f->file, text, size)) return false;
    m->files[m->file_count - 1].src->src.lines_before = f->first_line ? f->first_line - 1 : 0;
    return true;
}

static bool add_function(cpl_module *m, const cpl_function_source *f, size_t size)
{
    const mem *a = &m->cx->mem;
    module_host *h = &m->hosts[m->file_count];
    h->given =
        (cpl_function_source){.size = sizeof h->given, .locals = f->locals, .result = f->result};
    if (f->name && !(h->given.name = name_copy(a, f->name, strlen(f->name)))) return false;
    if (!copy_types(a, f, &h->given) || !copy_names(a, f, &h->given) || !add_text(m, f, size))
        return false;
    h->host = (sema_host){&m->files[m->file_count - 1].src->src, &h->given};
    return true;
}

/* ---- what the host gives ---- */

static bool is_scalar(const cpl_name *n)
{
    bool number = n->dtype > CPL_VOID && n->dtype < CPL_BFLOAT16;
    if (!number || n->dtype >= CPL_FLOAT16) return number;
    unsigned bits = 8 * (unsigned)cpl_dtype_size(n->dtype);
    int64_t high = bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
    switch (n->dtype) {
    case CPL_BOOL: return n->value.u <= 1;
    case CPL_UINT8:
    case CPL_UINT16:
    case CPL_UINT32: return n->value.u <= 2 * (uint64_t)high + 1;
    case CPL_UINT64: return true;
    default: return n->value.i <= high && n->value.i >= -high - 1;
    }
}

/* What is wrong with what a name stands for, or NULL. */
static const char *bad_name(const cpl_context *cx, const cpl_name *n, size_t count)
{
    switch (n->kind) {
    case CPL_NAME_SCALAR: return is_scalar(n) ? NULL : "is no number of its type";
    case CPL_NAME_INT:
    case CPL_NAME_FLOAT:
    case CPL_NAME_COMPLEX: return NULL;
    case CPL_NAME_FUNCTION: return n->function < count ? NULL : "is no function of this module";
    case CPL_NAME_TYPE:
        if (!n->type) return "is no type";
        return n->type->table == cx->types ? NULL : "is a type of another context";
    case CPL_NAME_BUILTIN:
    case CPL_NAME_EXTERN:
    case CPL_NAME_MODULE:
    case CPL_NAME_OTHER: return n->target ? NULL : "has no target";
    }
    return "has no valid kind";
}

static bool has_many_dots(const char *name)
{
    int dots = 0;
    for (; *name; name++) dots += *name == '.' && dots <= SEMA_MOST_DOTS;
    return dots > SEMA_MOST_DOTS;
}

static cpl_status refuse(cpl_context *cx, const cpl_function_source *f, const char *what)
{
    return context_report(cx, CPL_EARG, "%s:%u: %s", f->file, f->first_line ? f->first_line : 1,
                          what);
}

static cpl_status check_types(cpl_context *cx, const cpl_function_source *f)
{
    for (size_t i = 0; i <= f->type_count; i++) {
        const cpl_type *t = i < f->type_count ? f->types[i] : f->result;
        if (!t) continue;
        if (t->table != cx->types) return refuse(cx, f, "a type is another context's");
        bool result = i == f->type_count;
        if (type_is_array(t) ||
            (result ? type_is_pointer(t) && type_has_layout(t) : type_is_void(t)))
            return refuse(cx, f,
                          result ? "no function returns such a type"
                                 : "no parameter has such a type");
    }
    return CPL_OK;
}

static cpl_status check_names(cpl_context *cx, const cpl_function_source *f, size_t count)
{
    for (size_t i = 0; i < f->name_count; i++) {
        const cpl_name *n = &f->names[i];
        if (!n->name) return refuse(cx, f, "a name is missing");
        if (n->reserved[0] | n->reserved[1])
            return refuse(cx, f, "reserved members of a name are not zero");
        const char *wrong =
            has_many_dots(n->name) ? "has more than 16 dots" : bad_name(cx, n, count);
        if (wrong)
            return context_report(cx, CPL_EARG, "%s:%u: '%s' %s", f->file,
                                  f->first_line ? f->first_line : 1, n->name, wrong);
    }
    return CPL_OK;
}

static cpl_status check(cpl_context *cx, const cpl_function_source *f, size_t count)
{
    if ((unsigned)f->locals > CPL_LOCALS_PYTOCL) return refuse(cx, f, "'locals' is no rule");
    if (f->first_line > INT32_MAX) return refuse(cx, f, "'first_line' is too large");
    cpl_status status = check_types(cx, f);
    return status ? status : check_names(cx, f, count);
}

/* Copies function i of an array. */
static cpl_status get_function(const cpl_function_source *functions, size_t i,
                               cpl_function_source *out)
{
    *out = (cpl_function_source){.size = sizeof *out};
    cpl_status status = READ_ITEM(out, functions, i, cpl_function_source);
    if (status) return status;
    if (out->file && out->text && (out->types || !out->type_count) &&
        (out->names || !out->name_count))
        return CPL_OK;
    return thread_report(CPL_EARG, "function %zu lacks its file, its text or a list", i + 1);
}

/* all: bytes of the texts before, as they are kept. */
static cpl_status add(cpl_module *m, const cpl_function_source *f, size_t *all)
{
    cpl_context *cx = m->cx;
    cpl_status status = check(cx, f, m->host_count);
    if (status) return status;
    bool fits = f->text_size <= SOURCE_LIMIT && f->indent <= SOURCE_LIMIT / (f->text_size + 1);
    size_t size = fits ? restore_indent(f, NULL) : 0;
    *all += size;
    if (!fits || *all > SOURCE_LIMIT)
        return context_report(cx, CPL_ELIMIT, "%s: the functions are larger than %d MiB", f->file,
                              (int)(SOURCE_LIMIT >> 20));
    return add_function(m, f, size) ? CPL_OK : context_no_memory(cx);
}

static cpl_status add_all(cpl_module *m, const cpl_function_source *functions, size_t count)
{
    size_t all = 0;
    cpl_status status = CPL_OK;
    m->hosts = mem_zalloc(&m->cx->mem, count * sizeof *m->hosts);
    if (!m->hosts) return context_no_memory(m->cx);
    m->host_count = count;
    for (size_t i = 0; i < count && !status; i++) {
        cpl_function_source f;
        get_function(functions, i, &f);
        status = add(m, &f, &all);
    }
    return status;
}

cpl_status cpl_module_from_functions(cpl_context *context, const cpl_function_source *functions,
                                     size_t count, cpl_module **module)
{
    cpl_function_source f;
    if (module) *module = NULL;
    if (MISSING("context functions module", context, functions, module)) return CPL_EARG;
    if (!count) return thread_report(CPL_EARG, "a module has one function at least");
    if (count > MOST_FUNCTIONS)
        return context_report(context, CPL_ELIMIT, "a module has %d functions at most",
                              MOST_FUNCTIONS);
    for (size_t i = 0; i < count; i++)
        if (get_function(functions, i, &f)) return CPL_EARG;
    if (context_forked(context)) return context_refuse_fork(context);
    cpl_module *m = module_new(context, FROM_FUNCTIONS, false);
    cpl_status status = m ? add_all(m, functions, count) : CPL_ENOMEM;
    if (!status) return module_finish(m, module);
    if (m) module_free(m);
    return status;
}
