/* The functions of a module, as its texts say them: names, parameters, defaults. */
#include "lib/driver/internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the list of n functions: room for a power of two, since a file may have a hundred
 * thousand. */
static size_t list_bytes(size_t n)
{
    size_t room = n ? 1 : 0;
    while (room < n) room *= 2;
    return room * sizeof(module_function);
}

void module_free_functions(cpl_module *m)
{
    const mem *a = &m->cx->mem;
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
    bool negative = false, has_sign = false;
    for (; n->kind == AST_UNARY && (n->op == TOK_SUB || n->op == TOK_ADD); n = n->kids[0]) {
        has_sign = true;
        negative ^= n->op == TOK_SUB;
    }
    if (has_sign && n->kind == AST_BOOL) return false;
    if (negative) *out++ = '-', size--;
    if (n->kind == AST_FLOAT) {
        int length = snprintf(out, size, "%.17g", n->number);
        if (!strpbrk(out, ".e")) snprintf(out + length, size - (size_t)length, ".0");
    } else if (n->kind == AST_BOOL) snprintf(out, size, "%s", n->integer ? "True" : "False");
    else if (n->kind == AST_INT && !n->overflow) snprintf(out, size, "%" PRIu64, n->integer);
    else return false;
    return true;
}

/* "2.0-1j" */
static bool complex_text(const ast_node *n, char *out, size_t size)
{
    double parts[2];
    if (!sema_complex_literal(n, parts)) return false;
    snprintf(out, size, "%.17g%+.17gj", parts[0], parts[1]);
    return true;
}

static bool add_default(cpl_module *m, size_t index, const ast_node *value)
{
    char text[80];
    if (!value ||
        !(number_text(value, text, sizeof text) || complex_text(value, text, sizeof text)))
        return true;
    module_function *f = &m->functions[m->function_count - 1];
    return (f->defaults[index] = mem_strdup(&m->cx->mem, text)) != NULL;
}

static bool add_source(cpl_module *m, const char *name, const ast_func *fn)
{
    if (!add_function(m, name, fn->param_count)) return false;
    for (uint32_t i = 0; i < fn->param_count; i++)
        if (!add_parameter(m, i, fn->params[i].name) || !add_default(m, i, fn->params[i].value))
            return false;
    bool variadic = fn->param_count && fn->params[fn->param_count - 1].star == '*';
    m->functions[m->function_count - 1].variadic = variadic;
    return true;
}

cpl_status index_source(compilation *c, void *arg)
{
    cpl_module *m = arg;
    ast_file *f = front_file(c, &m->src->src);
    if (!f) return CPL_ESYNTAX;
    for (uint32_t i = 0; i < f->items.n; i++) {
        const ast_item *item = &f->items.at[i];
        if (item->kind != ITEM_FUNC || ast_find_func(f, item->name) != item->func) continue;
        if (!add_source(m, item->func->name, item->func)) return CPL_ENOMEM;
    }
    sema_env env = module_env(m);
    return module_read_imports(m, f, &env) ? CPL_OK : CPL_ENOMEM;
}

/* What a launch finds out by itself is no parameter of the module's function; the number of rounds
 * stands where the index does in a source. */
static bool is_given(const ir_var *v)
{
    return v->role == PARAM_ARG || v->role == PARAM_COUNT;
}

cpl_status index_ir(compilation *c, void *arg)
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

/* --- functions of a host program --- */

static bool knows_module(const char *name)
{
    return sema_knows_module(name) || sema_is_library(name);
}

static void check_target(cpl_module *m, compilation *c, const ast_func *fn, const cpl_name *n)
{
    const char *what = NULL;
    sema_env env = module_env(m);
    if (n->kind == CPL_NAME_BUILTIN && !sema_knows_target(c, &env, n->target))
        what = "built-in name";
    else if (n->kind == CPL_NAME_MODULE && !knows_module(n->target)) what = "known module";
    else if (n->kind == CPL_NAME_EXTERN && !env.find_extern(env.user, n->target))
        what = "registered C function";
    if (what)
        diag_error(&c->diags, CPL_ENOTFOUND, fn->name_span,
                   "'%s' is to be '%s' in '%s', which is no %s", n->name, n->target, fn->name,
                   what);
}

static void check_table(cpl_module *m, compilation *c, const ast_func *fn,
                        const cpl_function_source *given)
{
    for (size_t i = 0; i < given->name_count; i++) {
        const cpl_name *n = &given->names[i];
        check_target(m, c, fn, n);
        if (i > 0 && strcmp(n->name, n[-1].name) == 0)
            diag_error(&c->diags, CPL_EEXIST, fn->name_span, "'%s' is given twice for '%s'",
                       n->name, fn->name);
    }
    bool variadic = fn->param_count && fn->params[fn->param_count - 1].star == '*';
    if (given->type_count > fn->param_count && !variadic)
        diag_error(&c->diags, CPL_EARG, fn->name_span,
                   "types for %zu parameters are given, and '%s' has %u", given->type_count,
                   fn->name, fn->param_count);
}

static void check_unique(const cpl_module *m, compilation *c, const ast_func *fn, const char *name)
{
    if (module_find_host((cpl_module *)m, name) == SIZE_MAX) return;
    diag *d = diag_error(&c->diags, CPL_EEXIST, fn->name_span,
                         "the module has another function called '%s'", name);
    diag_hint(&c->diags, d, "give one of them a name of its own");
}

cpl_status index_functions(compilation *c, void *module)
{
    cpl_module *m = module;
    for (size_t i = 0; i < m->host_count; i++) {
        const sema_host *h = &m->hosts[i].host;
        ast_file *f = front_function(c, h->src, h);
        if (!f) continue;
        const ast_func *fn = front_only(f);
        const char *name = h->given->name ? h->given->name : fn->name;
        check_table(m, c, fn, h->given);
        check_unique(m, c, fn, name);
        if (!add_source(m, name, fn)) return CPL_ENOMEM;
    }
    return c->diags.status;
}
