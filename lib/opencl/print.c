/* The program: extensions, structs, helpers, functions in an order in which each is defined before
 * it is called. */
#include "lib/opencl/ocl_int.h"

typedef struct ocl_func { /* ir_func.user */
    const char *name;
    bool printed;
} ocl_func;

bool ocl_is_v2(const ocl *o)
{
    return o->options->target.version >= 20;
}

void ocl_error(ocl *o, const ir_node *n, const char *what)
{
    diag_error(&o->c->diags, CPL_EINTERNAL, n->span, "OpenCL C: '%s' in function '%s': %s",
               ir_ops[n->op].text, o->func->name, what);
}

const char *ocl_func_name(const ir_func *f)
{
    return ((const ocl_func *)f->user)->name;
}

/* Parameters. */

/* A float16 arrives as its bits in a kernel, and lies as them in a variable whose address is
 * taken. */
static bool arrives_as_bits(const ir_func *f, const ir_var *v)
{
    return f->kernel && ocl_is_half(v->type) && !ocl_of(v)->addressed;
}

static bool leaves_as_bits(const ir_func *f, const ir_var *v)
{
    return !f->kernel && ocl_is_half(v->type) && ocl_of(v)->addressed;
}

static const cpl_type *param_type(ocl *o, const ir_func *f, const ir_var *v)
{
    if (!f->kernel || !type_is_pointer(v->type) || v->type->space != SPACE_GENERIC) return v->type;
    return comp_pointer(o->c, v->type->elem, SPACE_GLOBAL); /* as every buffer is */
}

static const char *parameter(ocl *o, const ir_func *f, const ir_var *v)
{
    arena *a = &o->c->arena;
    const ocl_var *at = ocl_of(v);
    const char *name = at->name;
    if (arrives_as_bits(f, v)) name = arena_printf(a, "%s_bits", name);
    if (leaves_as_bits(f, v)) name = arena_printf(a, "%s_value", name);
    bool stored = f->kernel || (at->addressed && !leaves_as_bits(f, v));
    if (f->kernel && v->noalias) name = arena_printf(a, "restrict %s", name);
    const char *text =
        ocl_declare(o, param_type(o, f, v), name, stored ? OCL_STORED : OCL_VALUE, "");
    if (!f->kernel || !at->reads_only || at->assigned || type_is_pointer(v->type->elem))
        return text;
    return arena_printf(a, "const %s", text);
}

static void parameters(ocl *o, const ir_func *f)
{
    enum { MOST_COLUMNS = 110 };
    size_t begin = o->out->n;
    for (size_t i = begin; i > 0 && o->out->at[i - 1] != '\n'; i--) begin = i - 1;
    for (uint32_t i = 0; i < f->params.n; i++) {
        const char *text = parameter(o, f, f->params.at[i]);
        if (i) sb_putc(o->out, ',');
        if (i && o->out->n - begin + strlen(text) > MOST_COLUMNS) {
            begin = o->out->n + 1;
            sb_put(o->out, "\n    ");
        }
        bool indented = o->out->n && o->out->at[o->out->n - 1] == ' '; /* no memory: n is 0 */
        sb_printf(o->out, "%s%s", i && !indented ? " " : "", text);
    }
    if (f->params.n == 0) sb_put(o->out, "void");
}

/* Variables. */

static void declare(ocl *o, const ir_var *v)
{
    const ocl_var *at = ocl_of(v);
    const cpl_type *t = v->type;
    if (!at->first || at->counter || at->declared) return;
    bool aggregate = type_is_array(t) || type_is_struct(t), stored = at->addressed || aggregate;
    const char *text =
        ocl_declare(o, t, at->name, stored ? OCL_STORED : OCL_VALUE, v->local ? "local" : "");
    if (v->local) ocl_line(o, "%s;", text);
    else if (aggregate) ocl_line(o, "%s = {0};", text);
    else
        ocl_line(o, "%s = %s;", text,
                 type_is(t, CPL_FLOAT64)       ? "0.0"
                 : type_is_float(t) && !stored ? "0.0f"
                 : type_is_bool(t)             ? "false"
                                               : "0");
}

static void variables(ocl *o, const ir_func *f)
{
    size_t before = o->out->n;
    for (uint32_t i = 0; i < f->params.n; i++) {
        const ir_var *v = f->params.at[i];
        const char *name = ocl_of(v)->name;
        if (arrives_as_bits(f, v))
            ocl_line(o, "float %s = %s(%s_bits);", name, ocl_half_value(o), name);
        if (leaves_as_bits(f, v))
            ocl_line(o, "ushort %s = %s(%s_value);", name, ocl_half_bits(o), name);
    }
    /* some compilers want these first */
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (f->vars.at[i]->local) declare(o, f->vars.at[i]);
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (!f->vars.at[i]->local) declare(o, f->vars.at[i]);
    if (o->out->n != before && f->body->n) sb_putc(o->out, '\n');
}

/* Functions. */

static void function(ocl *o, ir_func *f)
{
    o->func = f;
    o->locals = (map){0};
    o->file = o->line = 0;
    ocl_plan(o, f);
    const char *name = ocl_func_name(f);
    if (f->kernel) sb_printf(o->out, "kernel void %s(", name);
    else sb_printf(o->out, "static %s(", ocl_declare(o, f->result, name, OCL_VALUE, ""));
    parameters(o, f);
    sb_put(o->out, ")\n{\n");
    o->depth = 1;
    variables(o, f);
    ocl_block(o, f->body);
    sb_put(o->out, "}\n\n");
}

static void with_callees(ocl *o, ir_func *f);

static bool visit_call(void *user, ir_node *n)
{
    if (n->op == IR_CALL) with_callees(user, n->func);
    return true;
}

static void with_callees(ocl *o, ir_func *f)
{
    ocl_func *at = f->user;
    if (at->printed || !f->body) return;
    at->printed = true;
    ir_walk_block(f->body, visit_call, o);
    function(o, f);
}

/* What registered texts define is called so, whatever else has the name. */
static void name_externs(ocl *o)
{
    arena *a = &o->c->arena;
    for (uint32_t i = 0; i < o->m->funcs.n; i++) {
        ir_func *f = o->m->funcs.at[i];
        if (f->linkage != IR_EXTERN) continue;
        ocl_func *at = f->user = arena_new(a, ocl_func);
        at->name = f->name;
        map_put(a, &o->globals, f->name, (void *)(uintptr_t)f->name);
    }
}

/* Their texts, each once: one may define several of them. */
static void put_externs(ocl *o)
{
    for (uint32_t i = 0; i < o->m->funcs.n; i++) {
        const ir_func *f = o->m->funcs.at[i];
        bool seen = !f->text;
        for (uint32_t k = 0; k < i && !seen; k++)
            seen = o->m->funcs.at[k]->text && strcmp(o->m->funcs.at[k]->text, f->text) == 0;
        if (seen) continue;
        size_t n = strlen(f->text);
        sb_printf(o->out, "%s%s\n", f->text, n && f->text[n - 1] == '\n' ? "" : "\n");
        for (uint32_t k = 0; k < f->params.n; k++)
            (void)ocl_declare(o, f->params.at[k]->type, "", OCL_VALUE, ""); /* extensions */
        (void)ocl_declare(o, f->result, "", OCL_VALUE, "");
    }
}

static void name_functions(ocl *o)
{
    arena *a = &o->c->arena;
    name_externs(o);
    for (int entries = 1; entries >= 0; entries--) /* their symbols are known outside */
        for (uint32_t i = 0; i < o->m->funcs.n; i++) {
            ir_func *f = o->m->funcs.at[i];
            if (f->linkage == IR_EXTERN || (f->linkage == IR_ENTRY) != entries) continue;
            ocl_func *at = f->user = arena_new(a, ocl_func);
            at->name = entries ? opencl_symbol(a, f->name) : ocl_global_name(o, f->name);
            if (entries) map_put(a, &o->globals, at->name, (void *)(uintptr_t)at->name);
        }
}

static void extensions(const ocl *o)
{
    strbuf *out = o->out;
    bool ptx = o->options->target.ptx;
    const struct {
        bool used;
        const char *name;
    } rows[] = {
        {o->fp64, "cl_khr_fp64"},
        {o->int64_atomics, "cl_khr_int64_base_atomics"},
        {o->int64_atomics, "cl_khr_int64_extended_atomics"},
        {o->subgroups && !ptx, "cl_khr_subgroups"},
        {o->shuffles && !ptx, "cl_khr_subgroup_shuffle"},
        {o->ballots && !ptx, "cl_khr_subgroup_ballot"},
    };
    size_t before = out->n;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (rows[i].used) sb_printf(out, "#pragma OPENCL EXTENSION %s : enable\n", rows[i].name);
    if (!o->options->contract) sb_put(out, "#pragma OPENCL FP_CONTRACT OFF\n");
    if (out->n != before) sb_putc(out, '\n');
}

static void reverse(char *at, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        char c = at[i];
        at[i] = at[n - 1 - i];
        at[n - 1 - i] = c;
    }
}

/* What the functions turn out to need stands in front of them. All is written at out, which the
 * caller frees whatever happens. */
bool opencl_print(compilation *c, ir_module *m, const opencl_options *options, strbuf *out)
{
    ocl o = {.c = c,
             .m = m,
             .options = options,
             .out = out,
             .ranges = ocl_has_ranges(m),
             .min_of_one = ocl_has_min_of_one(m)};
    uint32_t errors = c->diags.errors;
    size_t begin = out->n;
    name_functions(&o);
    ocl_structs(&o);
    put_externs(&o);
    for (uint32_t i = 0; i < m->funcs.n; i++)
        if (m->funcs.at[i]->linkage == IR_ENTRY) with_callees(&o, m->funcs.at[i]);
    if (out->failed) return false;
    if (out->n > begin) out->n--; /* the last empty line */
    size_t functions = out->n - begin;
    sb_printf(out, "// OpenCL C %d.%d\n", options->target.version / 10,
              options->target.version % 10);
    extensions(&o);
    for (uint32_t i = 0; i < o.helpers.n; i++)
        sb_printf(out, "%s\n", (const char *)o.helpers.entries[i].value);
    if (out->failed) return false;
    size_t all = out->n - begin;
    reverse(out->at + begin, functions);
    reverse(out->at + begin + functions, all - functions);
    reverse(out->at + begin, all);
    return c->diags.errors == errors;
}
