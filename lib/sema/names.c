/*
 * What names stand for that are no locals: at the top level of the file that uses them, in the
 * modules it imports, in the language. A name means what the file of its function, constant or
 * class says, wherever that is used.
 */
#include "lib/sema/sema_int.h"

/* NAME = other_name and from file import name, one after the other */
#define MOST_STEPS 8

/* CPL_DTYPE_COUNT: none. */
static cpl_dtype type_named(const char *name, sema_module module)
{
    cpl_dtype d = cpl_dtype_parse(name);
    if (strcmp(name, "int") == 0) d = CPL_INT64; /* Python's, not C's */
    else if (strcmp(name, "float") == 0) d = CPL_FLOAT64;
    else if (strcmp(name, "int_") == 0) d = module == MODULE_NUMPY ? CPL_INT64 : CPL_INT32;
    else if (strcmp(name, "float_") == 0) d = module == MODULE_NUMPY ? CPL_FLOAT64 : CPL_FLOAT32;
    else if (strcmp(name, "bool_") == 0) d = CPL_BOOL;
    else if (strcmp(name, "long_") == 0) d = CPL_INT64;
    else if (module == MODULE_NUMPY && strcmp(name, "single") == 0) d = CPL_FLOAT32;
    return d != CPL_VOID && d != CPL_BFLOAT16 ? d : CPL_DTYPE_COUNT;
}

/* float4, and make_float4 as CUDA has it */
static const cpl_type *vector_named(sema *s, const char *name)
{
    return type_vector(s->comp->types, strncmp(name, "make_", 5) == 0 ? name + 5 : name);
}

static sema_global find_known(sema *s, const char *name, sema_module module)
{
    sema_global g = {.kind = GLOBAL_NONE};
    sema_builtin b;
    double value;
    if (sema_find_number(name, module, &value))
        return (sema_global){.kind = GLOBAL_NUMBER, .number = sema_float_const(s, value)};
    if (sema_find_builtin(name, module, &b))
        return (sema_global){.kind = GLOBAL_BUILTIN, .builtin = b};
    if (module == MODULE_MATH || module >= MODULE_CUDA) return g;
    cpl_dtype d = type_named(name, module);
    const cpl_type *t = d != CPL_DTYPE_COUNT    ? comp_scalar(s->comp, d)
                        : module == MODULE_NONE ? vector_named(s, name)
                                                : NULL;
    if (t) g = (sema_global){.kind = GLOBAL_TYPE, .type = t};
    return g;
}

/* Each mention of a local asks for it, so that what there is without a module is kept. */
sema_global sema_find_known(sema *s, const char *name, sema_module module)
{
    if (module != MODULE_NONE) return find_known(s, name, module);
    sema_global *kept = map_get(&s->known, name);
    if (!kept) {
        kept = arena_new(&s->comp->arena, sema_global);
        *kept = find_known(s, name, module);
        map_put(&s->comp->arena, &s->known, name, kept);
    }
    return *kept;
}

bool sema_predefines(const char *name)
{
    sema_builtin b;
    double value;
    return sema_find_number(name, MODULE_NONE, &value) ||
           sema_find_builtin(name, MODULE_NONE, &b) ||
           type_named(name, MODULE_NONE) != CPL_DTYPE_COUNT;
}

static sema_global find_defined(sema_names in, const char *name, int steps);

/* What Python, or its math, has of those functions too. */
static bool is_shared(const char *name, sema_module module)
{
    static const struct {
        const char *name;
        sema_module module;
    } shared[] = {{"divmod", MODULE_NONE}, {"gcd", MODULE_MATH}, {"lcm", MODULE_MATH}};
    for (unsigned i = 0; i < COUNT_OF(shared); i++)
        if (shared[i].module == module && strcmp(shared[i].name, name) == 0) return true;
    return false;
}

/* Some of a module's functions are written in the language, in a file that is read when the first
 * of them is asked for; NULL: none. */
static ast_file *written_for(sema *s, sema_module module)
{
    const char *name = module == MODULE_NUMPY  ? "cpl.numpy"
                       : module == MODULE_CUDA ? "cpl.cuda"
                                               : NULL;
    return name ? sema_find_library(s, name).file : NULL;
}

sema_global sema_find_in_module(sema *s, const char *name, sema_module module)
{
    sema_global g = sema_find_known(s, name, module);
    sema_module within = sema_find_module_in(name, module);
    if (within != MODULE_NONE) return (sema_global){.kind = GLOBAL_MODULE, .module = within};
    if (g.kind != GLOBAL_NONE || *name == '_') return g;
    ast_file *file = written_for(s, is_shared(name, module) ? MODULE_NUMPY : module);
    return file ? find_defined((sema_names){.s = s, .file = file}, name, 0) : g;
}

static sema_global predefined(sema_names in, const char *name)
{
    sema *s = in.s;
    if (s->env) {
        const sema_extern *ext = s->env->find_extern(s->env->user, name);
        if (ext) return (sema_global){.kind = GLOBAL_EXTERN, .ext = ext};
    }
    sema_global g = is_shared(name, MODULE_NONE) ? sema_find_in_module(s, name, MODULE_NONE)
                                                 : sema_find_known(s, name, MODULE_NONE);
    /* from numpy import * */
    for (uint32_t i = 0; g.kind == GLOBAL_NONE && i < in.file->stars.n; i++)
        if (sema_module_of(in.file->stars.at[i]->module) == MODULE_NUMPY)
            g = sema_find_in_module(s, name, MODULE_NUMPY);
    return g;
}

/* ---- other files ---- */

/* NULL when it does not parse; the errors say where it is imported. */
static ast_file *parse(sema *s, const source *src, const ast_import *import)
{
    diag_list *l = &s->comp->diags;
    diag *last = l->last;
    ast_file *f = front_file(s->comp, src);
    for (diag *d = last ? last->next : l->first; d; d = d->next)
        diag_note(l, d, import->span, "imported here");
    return f;
}

static void open_file(sema *s, const ast_import *import, sema_file *out)
{
    if (strchr(import->module, '.') && !sema_is_library(import->module)) {
        const char *last = strrchr(import->module, '.') + 1;
        out->problem = "files are imported by plain names";
        if (import->module[0] == '.' && *last)
            out->problem = arena_printf(&s->comp->arena,
                                        "a file beside this one is imported by its "
                                        "plain name: from %s import %s",
                                        last, import->name ? import->name : "...");
        return;
    }
    const sema_env *env = s->env;
    const source *src =
        env ? env->find_file(env->user, &s->comp->arena, import->module, &out->problem) : NULL;
    if (!src) return;
    out->file = s->file && src == s->file->src ? s->file : parse(s, src, import);
    if (!out->file) out->problem = sema_reported;
}

/* The file that an import of an unknown module means; parsed when it is first asked for. */
static sema_file *file_of(sema *s, const ast_import *import)
{
    sema_file *f = map_get(&s->files, import->module);
    if (f) return f;
    f = arena_new(&s->comp->arena, sema_file);
    map_put(&s->comp->arena, &s->files, import->module, f);
    open_file(s, import, f);
    return f;
}

ast_file *sema_peek(sema *s, const ast_import *import)
{
    if (sema_knows_module(import->module)) return NULL;
    if (map_get(&s->files, import->module)) return file_of(s, import)->file;
    diag_list said = s->comp->diags;
    sema_file f = {0};
    s->comp->diags = (diag_list){.arena = &s->comp->arena};
    open_file(s, import, &f);
    s->comp->diags = said;
    if (!f.file) return NULL; /* to be said where a name of it is used */
    sema_file *kept = arena_new(&s->comp->arena, sema_file);
    *kept = f;
    map_put(&s->comp->arena, &s->files, import->module, kept);
    return f.file;
}

static sema_global find_name(sema_names in, const char *name, int steps);

/* from math import *, from numpy import * */
static bool module_has(sema *s, const char *module, const char *name)
{
    sema_module m = sema_module_of(module);
    return (m == MODULE_MATH || m == MODULE_NUMPY) &&
           sema_find_in_module(s, name, m).kind != GLOBAL_NONE;
}

/*
 * What the files define that this one imports all names of, those that begin with _ excepted; the
 * last such import counts. A search sees each file once, however they import each other; one for
 * another name that it comes upon ends it.
 */
static sema_global find_starred(sema_names in, const char *name, int steps)
{
    sema_global g = {.kind = GLOBAL_NONE};
    for (uint32_t i = *name == '_' ? 0 : in.file->stars.n; g.kind == GLOBAL_NONE && i-- > 0;) {
        const ast_import *import = in.file->stars.at[i];
        if (module_has(in.s, import->module, name)) break;
        if (sema_knows_module(import->module)) continue;
        sema_file *f = file_of(in.s, import);
        if (f->problem == sema_reported) g.kind = GLOBAL_BROKEN;
        if (!f->file || f->search == in.s->searches) continue;
        f->search = in.s->searches;
        g = find_defined((sema_names){.s = in.s, .file = f->file}, name, steps);
    }
    return g;
}

/* What another file makes of a name: the language's own names only if it imports all of some. */
static sema_global find_exported(sema_names in, const char *name, int steps)
{
    in.s->searches++;
    sema_global g = find_defined(in, name, steps);
    for (uint32_t i = 0; g.kind == GLOBAL_NONE && i < in.file->stars.n; i++)
        if (sema_knows_module(in.file->stars.at[i]->module)) g = predefined(in, name);
    return g;
}

static sema_global foreign(const ast_import *import, const sema_file *f, const char *problem)
{
    return (sema_global){.kind = GLOBAL_FOREIGN,
                         .import = import,
                         .problem = problem,
                         .from = f ? f->file : NULL};
}

/* from f import name */
static sema_global find_name_of(sema_names in, const sema_file *f, const ast_import *import,
                                int steps)
{
    if (steps >= MOST_STEPS)
        return foreign(import, f, "the imports go in a circle, or through more than 8 files");
    sema_global g =
        find_exported((sema_names){.s = in.s, .file = f->file}, import->name, steps + 1);
    if (g.kind != GLOBAL_NONE) return g;
    return foreign(import, f,
                   arena_printf(&in.s->comp->arena, "'%s' does not define '%s'", f->file->src->name,
                                import->name));
}

static sema_global find_in_file(sema_names in, const ast_import *import, int steps)
{
    const sema_file *f = file_of(in.s, import);
    sema_global g = {.kind = GLOBAL_NONE};
    if (f->problem == sema_reported) return (sema_global){.kind = GLOBAL_BROKEN};
    if (f->file && import->name) return find_name_of(in, f, import, steps);
    if (f->file) return (sema_global){.kind = GLOBAL_FILE, .file = f->file};
    if (import->name) g = predefined(in, import->name);
    if (g.kind != GLOBAL_NONE)
        map_put(&in.s->comp->arena, &in.s->guessed, import->name, (void *)import);
    return g.kind == GLOBAL_NONE ? foreign(import, NULL, f->problem) : g;
}

/* ---- all ---- */

sema_global sema_find_library(sema *s, const char *module)
{
    const ast_import import = {.module = module};
    sema_global g = {.kind = GLOBAL_NONE};
    if (sema_is_library(module)) g.file = file_of(s, &import)->file;
    if (g.file) g.kind = GLOBAL_FILE;
    return g;
}

static bool is_library(const sema *s, const ast_file *file, const char *name)
{
    const sema_file *f = map_get(&s->files, name); /* there once a name of it was found */
    return f && f->file == file;
}

bool sema_is_numpy(const sema *s, const ast_file *file)
{
    return is_library(s, file, "cpl.numpy");
}

bool sema_is_written(const sema *s, const ast_file *file)
{
    return sema_is_numpy(s, file) || is_library(s, file, "cpl.cuda");
}

/* What stands behind the dot of cpl.NAME. */
static sema_global find_own(sema_names in, const char *name)
{
    const char *module = arena_printf(&in.s->comp->arena, "cpl.%s", name);
    sema_global g = sema_find_library(in.s, module);
    sema_module within = sema_find_module_in(name, MODULE_OWN);
    if (within != MODULE_NONE) return (sema_global){.kind = GLOBAL_MODULE, .module = within};
    return g.kind == GLOBAL_NONE ? predefined(in, name) : g;
}

/* import cpl.random, of which cpl is the name. */
static bool is_whole(const ast_import *import)
{
    return !import->name && sema_is_library(import->module) && strcmp(import->as, "cpl") == 0;
}

static sema_global find_imported(sema_names in, const ast_import *import, int steps)
{
    sema_module module = sema_module_of(import->module);
    sema_global g = {.kind = GLOBAL_NONE};
    if (is_whole(import)) module = MODULE_OWN;
    if (module == MODULE_OTHER) return find_in_file(in, import, steps);
    if (!import->name) return (sema_global){.kind = GLOBAL_MODULE, .module = module};
    if (module != MODULE_OWN) g = sema_find_in_module(in.s, import->name, module);
    if (g.kind == GLOBAL_NONE) g = find_own(in, import->name);
    return g.kind == GLOBAL_NONE ? foreign(import, NULL, NULL) : g;
}

static sema_global find_member(sema_names in, sema_global of, const char *name, int steps)
{
    if (of.kind == GLOBAL_FILE)
        return find_exported((sema_names){.s = in.s, .file = of.file}, name, steps);
    return of.module == MODULE_OWN ? find_own(in, name)
                                   : sema_find_in_module(in.s, name, of.module);
}

static bool is_module(sema_global g)
{
    return g.kind == GLOBAL_MODULE || g.kind == GLOBAL_FILE;
}

/* A class and those that it is made from, in the order in which Python asks them: depth first,
 * which is another one where two of them have a base in common. */
typedef struct lineage {
    const ast_class *at[32];
    uint32_t n;
} lineage;

static bool has_class(const lineage *l, const ast_class *k)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->at[i] == k) return true;
    return false;
}

/* The class that a base, A or m.A, is. */
static sema_global find_base(sema_names in, const ast_node *n, int steps)
{
    if (n->kind == AST_NAME) return find_name(in, n->name, steps);
    sema_global of = {.kind = GLOBAL_NONE};
    if (n->kids[0]->kind == AST_NAME) of = find_name(in, n->kids[0]->name, steps);
    return is_module(of) ? find_member(in, of, n->name, steps) : (sema_global){.kind = GLOBAL_NONE};
}

static void add_classes(sema *s, lineage *l, const ast_class *k, int steps)
{
    l->at[l->n++] = k;
    for (uint32_t i = 0; i < k->bases.n && steps < MOST_STEPS; i++) {
        sema_names in = {.s = s, .file = k->file};
        sema_global base = find_base(in, k->bases.at[i], steps + 1);
        if (l->n == COUNT_OF(l->at)) return;
        if (base.kind == GLOBAL_CLASS && !has_class(l, base.class_))
            add_classes(s, l, base.class_, steps + 1);
    }
}

static sema_global find_in_class(sema *s, const ast_class *k, const char *name, int steps)
{
    sema_global g = {.kind = GLOBAL_NONE};
    lineage l = {.n = 0};
    add_classes(s, &l, k, steps);
    for (uint32_t i = 0; g.kind == GLOBAL_NONE && i < l.n; i++) {
        g = find_defined((sema_names){.s = s, .file = l.at[i]->body}, name, steps);
        if (g.kind == GLOBAL_CONST && l.at[i]->members == MEMBERS_VALUES) g.kind = GLOBAL_MEMBER;
    }
    return g;
}

void sema_offer_class(sema *s, suggester *names, const ast_class *k)
{
    lineage l = {.n = 0};
    add_classes(s, &l, k, 0);
    for (uint32_t i = 0; i < l.n; i++)
        for (uint32_t j = 0; j < l.at[i]->body->names.n; j++)
            suggest_offer(names, l.at[i]->body->names.entries[j].key);
}

/* Of g, A.NAME, where the class A is an enumeration, what .value is; else GLOBAL_NONE. */
static sema_global find_value(sema_global g, const char *name)
{
    bool constant = g.kind == GLOBAL_CONST || g.kind == GLOBAL_MEMBER;
    const ast_class *k = constant ? g.constant->file->class_ : NULL;
    bool is_value = k && k->members != MEMBERS_PLAIN && strcmp(name, "value") == 0;
    g.kind = is_value ? GLOBAL_CONST : GLOBAL_NONE;
    return g;
}

/* As find_node; dots: how many are in n, more than a host's names have where it is no such name. */
static sema_global find_path(sema_names in, const ast_node *n, int steps, int *dots)
{
    sema_global none = {.kind = GLOBAL_NONE};
    *dots = n->kind == AST_NAME ? 0 : SEMA_MOST_DOTS;
    if (n->kind == AST_LAMBDA) return (sema_global){.kind = GLOBAL_FUNC, .func = n->lambda};
    if (n->kind == AST_NAME) return find_name(in, n->name, steps);
    if (n->kind != AST_ATTRIBUTE) return none;
    sema_global of = find_path(in, n->kids[0], steps, dots);
    sema_global given = ++*dots <= SEMA_MOST_DOTS ? sema_host_path(in, n) : none;
    if (given.kind != GLOBAL_NONE) return given;
    if (is_module(of)) return find_member(in, of, n->name, steps);
    if (of.kind == GLOBAL_CLASS) return find_in_class(in.s, of.class_, n->name, steps);
    given = find_value(of, n->name);
    if (given.kind != GLOBAL_NONE) return given;
    return of.kind == GLOBAL_FOREIGN || of.kind == GLOBAL_BROKEN ? of : none;
}

bool sema_has_few_dots(const ast_node *n)
{
    int dots = 0;
    for (; n->kind == AST_ATTRIBUTE && dots <= SEMA_MOST_DOTS; n = n->kids[0]) dots++;
    return dots <= SEMA_MOST_DOTS;
}

/* What n names, a name or one of a module or of a module's module; GLOBAL_NONE when it is neither.
 */
static sema_global find_node(sema_names in, const ast_node *n, int steps)
{
    int dots;
    if (!sema_has_few_dots(n)) return (sema_global){.kind = GLOBAL_NONE};
    return find_path(in, n, steps, &dots);
}

/* What may go by another name: my_sqrt = sqrt. */
static bool has_aliases(sema_global g)
{
    return g.kind == GLOBAL_FUNC || g.kind == GLOBAL_BUILTIN || g.kind == GLOBAL_EXTERN ||
           g.kind == GLOBAL_TYPE;
}

/* The body of a class is not seen by the functions and classes that stand in it. */
static ast_file *outside_classes(ast_file *f)
{
    while (f->class_) f = f->class_->file;
    return f;
}

static sema_global find_const(sema_names in, ast_const *k, int steps)
{
    if (steps < MOST_STEPS && !k->reassigned) {
        ast_node *value = ast_const_value(k);
        if (value->kind == AST_LAMBDA) {
            value->lambda->name = k->name;
            value->lambda->file = outside_classes(in.file);
            return (sema_global){.kind = GLOBAL_FUNC, .func = value->lambda};
        }
        sema_global g = find_node(in, value, steps + 1);
        if (has_aliases(g)) return g;
    }
    return (sema_global){.kind = GLOBAL_CONST, .constant = k};
}

static sema_global find_defined(sema_names in, const char *name, int steps)
{
    if (in.file->host) return sema_host_name(in, name);
    ast_item *item = map_get(&in.file->names, name);
    if (!item) return find_starred(in, name, steps);
    switch (item->kind) {
    case ITEM_FUNC: return (sema_global){.kind = GLOBAL_FUNC, .func = item->func};
    case ITEM_CLASS: return (sema_global){.kind = GLOBAL_CLASS, .class_ = item->class_};
    case ITEM_IMPORT: return find_imported(in, item->import, steps);
    case ITEM_CONST: break;
    }
    return find_const(in, item->constant, steps);
}

/* From an expression, which knows math, NumPy and cpl without importing them, and by name what is
 * in NumPy. */
static sema_global find_outer(sema_names in, const char *name, int steps)
{
    sema_global g = find_name((sema_names){.s = in.s, .file = in.file->outer}, name, steps);
    if (g.kind != GLOBAL_NONE) return g;
    sema_module module = sema_module_of(strcmp(name, "np") == 0 ? "numpy" : name);
    if (module == MODULE_MATH || module == MODULE_NUMPY || strcmp(name, "cpl") == 0)
        return (sema_global){.kind = GLOBAL_MODULE, .module = module};
    return sema_find_in_module(in.s, name, MODULE_NUMPY);
}

static sema_global find_name(sema_names in, const char *name, int steps)
{
    if (strncmp(name, SEMA_NUMPY, strlen(SEMA_NUMPY)) == 0)
        return sema_find_in_module(in.s, name + strlen(SEMA_NUMPY), MODULE_NUMPY);
    if (*name == '.') return predefined(in, name + 1); /* rewrite.c: whatever the file calls so */
    if (in.file->outer) return find_outer(in, name, steps);
    in.s->searches++;
    const ast_file *was = in.file;
    sema_global g = find_defined(in, name, steps);
    in.file = outside_classes(in.file);
    if (g.kind == GLOBAL_NONE && was != in.file) g = find_defined(in, name, steps);
    return g.kind == GLOBAL_NONE ? predefined(in, name) : g;
}

sema_global sema_find_name(sema_names in, const char *name)
{
    return find_name(in, name, 0);
}

sema_global sema_find_node(sema_names in, const ast_node *n)
{
    return find_node(in, n, 0);
}

sema_global sema_find_dotted(sema_names in, const char *name, sema_global *of)
{
    arena *a = &in.s->comp->arena;
    size_t n = strcspn(name, ".");
    sema_global g = {.kind = GLOBAL_NONE};
    if (in.file->host) g = sema_host_name(in, front_name(a, name, strlen(name)));
    if (g.kind != GLOBAL_NONE) return g;
    g = sema_find_name(in, front_name(a, name, n));
    while (name[n] == '.' && is_module(g)) {
        name += n + 1;
        n = strcspn(name, ".");
        *of = g;
        g = sema_find_member(in, g, front_name(a, name, n));
    }
    bool said = g.kind == GLOBAL_FOREIGN || g.kind == GLOBAL_BROKEN;
    return name[n] && !said ? (sema_global){.kind = GLOBAL_NONE} : g;
}

sema_global sema_find_member(sema_names in, sema_global of, const char *name)
{
    return find_member(in, of, name, 0);
}

sema_global sema_find_global(const instance *in, const ast_node *n)
{
    const ast_node *first = n;
    if (!sema_has_few_dots(n)) return (sema_global){.kind = GLOBAL_NONE};
    while (first->kind == AST_ATTRIBUTE) first = first->kids[0];
    if (first->kind == AST_NAME && sema_local(in, first->name))
        return (sema_global){.kind = GLOBAL_NONE};
    return find_node(sema_names_of(in), n, 0);
}

sema_global sema_find_module(const instance *in, const ast_node *n)
{
    sema_global g = sema_find_global(in, n);
    return is_module(g) ? g : (sema_global){.kind = GLOBAL_NONE};
}

bool sema_is_call_of(const instance *in, const ast_node *n, sema_builtin b)
{
    if (n->kind != AST_CALL) return false;
    sema_global g = sema_find_global(in, n->kids[0]);
    return g.kind == GLOBAL_BUILTIN && g.builtin == b;
}

/* ---- names that are not there ---- */

static void offer_names(suggester *s, const ast_file *f)
{
    if (f->host) {
        sema_offer_host(s, f->host);
        return;
    }
    for (uint32_t i = 0; i < f->names.n; i++)
        if (strcmp(f->names.entries[i].key, "*") != 0) suggest_offer(s, f->names.entries[i].key);
}

void sema_offer_members(sema *s, suggester *names, sema_global of)
{
    if (of.kind == GLOBAL_FILE) {
        offer_names(names, of.file);
        return;
    }
    sema_offer_builtins(names, of.module);
    const ast_file *more = written_for(s, of.module);
    if (more) offer_names(names, more);
}

/* Of a row of builtin.def: what to write instead. */
static bool refused(instance *in, diag *d, const char *name)
{
    const char *instead = sema_find_refused(name);
    if (!instead) return false;
    d->message =
        arena_printf(&in->s->comp->arena,
                     sema_is_fold(name) ? SEMA_FOLD_TAKES : "'%s' is not available in kernels",
                     name);
    d->status = CPL_EUNSUPPORTED;
    sema_hint(in, d, "use %s", instead);
    return true;
}

void sema_note_import(diag_list *l, diag *d, sema_global g)
{
    diag_note(l, d, g.import->span, "imported here%s%s", g.problem ? ": " : "",
              g.problem ? g.problem : "");
}

diag *sema_foreign(instance *in, cpl_span span, sema_global g, const char *name)
{
    const ast_import *import = g.import;
    diag *d = sema_error_as(in, CPL_ENOTFOUND, span,
                            g.from ? "'%s' cannot be imported from '%s'"
                                   : "'%s' comes from module '%s', of which kernels know nothing",
                            name, import->module);
    bool known = sema_knows_module(import->module);
    if (d && known && refused(in, d, import->name)) return d;
    if (d) sema_note_import(&in->diags, d, g);
    if (!d || !g.from) return d;
    suggester best;
    suggest_init(&best, import->name);
    offer_names(&best, g.from);
    if (suggest_best(&best)) sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
    return d;
}

/* Names that everybody gives the same modules. */
static bool hint_import(instance *in, diag *d, const char *name)
{
    static const char *const imports[][2] = {{"np", "import numpy as np"},
                                             {"numpy", "import numpy"},
                                             {"math", "import math"},
                                             {"cmath", "import cmath"},
                                             {"numba", "import numba"},
                                             {"cuda", "from numba import cuda"},
                                             {"cpl", "import cpl"}};
    for (unsigned i = 0; i < COUNT_OF(imports); i++)
        if (strcmp(imports[i][0], name) == 0) {
            sema_hint(in, d, "add '%s' to the file", imports[i][1]);
            return true;
        }
    return false;
}

void sema_undefined(instance *in, cpl_span span, const char *name, bool called)
{
    if (in->phase != 3) return;
    sema_names names = sema_names_of(in);
    diag *d = sema_error_as(in, CPL_ENOTFOUND, span, "undefined %s '%s'",
                            called ? "function" : "name", name);
    if (refused(in, d, name)) return;
    bool is_file = !names.file->host;
    if (is_file && hint_import(in, d, name)) return;
    suggester best;
    suggest_init(&best, name);
    for (uint32_t i = 0; i < in->all.n; i++) {
        bool made = in->sig->base && in->all.at[i]->is_param && i >= in->sig->star_at;
        suggest_offer(&best, made ? in->sig->star : in->all.at[i]->name);
    }
    offer_names(&best, names.file);
    const sema_env *env = names.s->env;
    if (env) env->each_extern(env->user, &best);
    sema_offer_builtins(&best, MODULE_NONE);
    if (suggest_best(&best)) sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
    else if (ast_is_operator(in->f.fn)) sema_hint(in, d, SEMA_OPERATOR_TAKES);
    else if (!is_file) sema_hint(in, d, "the host program does not say what it is");
}
