/*
 * Reads the text form (README.md has its grammar): tokens first, then structs and the headers of
 * all functions, then their bodies, so that a call may stand in front of what it calls.
 */
#include "lib/ir/ir_int.h"

/* One level of a kernel source becomes several ops inside each other: a load of an element at a
 * converted index. */
enum {
    LEVELS_FOR_ONE = 8,
    MOST_FIELDS = 4096,
    MOST_PARAMS = 4096,
    MOST_STRUCTS_DEEP = 64,
    MOST_ITEMS = 64
};

/* Where a declaration may begin. */
static bool starts_declaration(const ir_parser *p)
{
    static const char *const words[] = {"struct",      "extern", "entry", "pure",
                                        "elementwise", "kernel", "func"};
    if (!par_is(p, 1, TOK_NAME) && !par_is(p, 1, '<')) return false;
    for (unsigned i = 0; i < COUNT_OF(words); i++)
        if (par_is_word(p, 0, words[i])) return true;
    return false;
}

static void resume_declaration(ir_parser *p, uint32_t start)
{
    if (p->at == start) par_next(p);
    while (!par_is(p, 0, TOK_END) && !(par_peek(p, 0).starts_line && starts_declaration(p)))
        p->at++;
}

typedef VEC(cpl_field) field_vec;

/* field = name ":" type [ "at" number ], the last where the struct has a size */
static bool par_field(ir_parser *p, bool placed, field_vec *fields)
{
    int64_t offset = 0;
    token name = par_peek(p, 0);
    if (!par_expect(p, TOK_NAME, "the name of a field") || !par_expect(p, ':', "':'")) return false;
    cpl_field f = {par_text(p, name), par_type(p, false), 0};
    if (!f.type) return false;
    if (placed && !par_take_word(p, "at")) {
        par_expected(p, "'at' and the field's offset");
        return false;
    }
    if (placed && !par_int(p, 0, PTRDIFF_MAX, &offset)) return false;
    f.offset = (size_t)offset;
    for (uint32_t i = 0; i < fields->n; i++)
        if (strcmp(fields->at[i].name, f.name) == 0) {
            par_error(p, name, "field '%s' is declared twice", f.name);
            return true;
        }
    if (fields->n == MOST_FIELDS) {
        par_error(p, name, "more than %d fields", MOST_FIELDS);
        return false;
    }
    vec_push(&p->c->arena, fields, f);
    return true;
}

static uintptr_t struct_depth(const ir_parser *p, const field_vec *fields)
{
    uintptr_t deepest = 0;
    for (uint32_t i = 0; i < fields->n; i++) {
        const cpl_type *t = fields->at[i].type;
        while (type_is_array(t) || type_is_pointer(t)) t = t->elem;
        uintptr_t depth = type_is_struct(t) ? (uintptr_t)map_get(&p->struct_depths, t->name) : 0;
        if (depth > deepest) deepest = depth;
    }
    return deepest + 1;
}

static void declare(ir_parser *p, token name, const field_vec *fields, bool placed,
                    type_layout *layout, const cpl_type **type)
{
    const char *text = par_text(p, name);
    cpl_status s =
        placed ? type_declare_struct_at(p->c->types, text, fields->at, fields->n, layout, type)
               : type_declare_struct(p->c->types, text, fields->at, fields->n, type);
    if (s == CPL_ENOMEM) longjmp(*p->c->on_oom, 1);
    if (s == CPL_EEXIST) par_error(p, name, "'%s' is a struct with other fields already", text);
    else if (s && placed) par_error(p, name, "struct '%s': %s", text, layout->why);
    else if (s) par_error(p, name, "'%s' cannot be declared as a struct", text);
}

/* placement = "size" number "align" number */
static bool par_placement(ir_parser *p, type_layout *layout)
{
    int64_t size, align;
    if (!par_int(p, 0, PTRDIFF_MAX, &size)) return false;
    if (!par_take_word(p, "align")) {
        par_expected(p, "'align'");
        return false;
    }
    if (!par_int(p, 0, PTRDIFF_MAX, &align)) return false;
    layout->size = (size_t)size;
    layout->align = (size_t)align;
    return true;
}

/* struct = "struct" name [ placement ] "{" field { "," field } "}" */
static bool par_struct(ir_parser *p)
{
    p->at++;
    token name = par_next(p);
    field_vec fields = {0};
    type_layout layout = {0};
    bool placed = par_take_word(p, "size");
    if (placed && !par_placement(p, &layout)) return false;
    if (!par_expect(p, '{', "'{'")) return false;
    do
        if (!par_field(p, placed, &fields)) return false;
    while (par_take(p, ','));
    if (!par_expect(p, '}', "',' or '}'")) return false;
    const char *text = par_text(p, name);
    if (map_get(&p->structs, text)) {
        par_error(p, name, "struct '%s' is declared twice", text);
        return true;
    }
    uintptr_t depth = struct_depth(p, &fields);
    if (depth > MOST_STRUCTS_DEEP) {
        par_error(p, name, "more than %d structs inside each other", MOST_STRUCTS_DEEP);
        return true;
    }
    const cpl_type *type = NULL;
    declare(p, name, &fields, placed, &layout, &type);
    if (!type) return true;
    map_put(&p->c->arena, &p->structs, text, (void *)type);
    map_put(&p->c->arena, &p->struct_depths, text, (void *)depth);
    ir_use_type(p->m, type);
    return true;
}

/*
 * role = "length" "(" name ")" | ( "stride" | "shape" ) "(" name [ "," number ] ")" | "fault" |
 *        "parts" | "result"
 */
static bool par_role(ir_parser *p, func_body *b, ir_var *v, param_role role)
{
    token word = par_next(p);
    if (v->role != PARAM_ARG) /* the count of an elementwise entry has one too */
        par_error(p, word, "parameter '%s' has two roles", v->name);
    v->role = role;
    if (!ir_roles[role].of) return true;
    if (!par_expect(p, '(', "'('")) return false;
    pending_name of = {v, par_peek(p, 0), false};
    if (!par_expect(p, TOK_NAME, "the pointer that it belongs to")) return false;
    vec_push(&p->c->arena, &b->names, of);
    int64_t axis = 0;
    if (ir_roles[role].of == IR_ROLE_ALONG && par_is(p, 0, ',')) {
        p->at++;
        if (!par_int(p, 0, TYPE_MOST_DIMS - 1, &axis)) return false;
    }
    v->axis = (uint8_t)axis;
    return par_expect(p, ')', "')'");
}

static param_role role_ahead(const ir_parser *p)
{
    token t = par_peek(p, 0);
    return t.kind == TOK_NAME ? ir_role_find(p->src->text + t.begin, t.end - t.begin) : PARAM_ARG;
}

/* attributes = { "noalias" | "readonly" | "extent" name | role }; extern functions have the first
 * two alone */
static bool param_attributes(ir_parser *p, func_body *b, ir_var *v)
{
    for (;;) {
        if (par_take_word(p, "noalias")) {
            v->noalias = true;
        } else if (par_take_word(p, "readonly")) {
            v->readonly = true;
        } else if (b->func->linkage == IR_EXTERN) {
            return true;
        } else if (par_take_word(p, "extent")) {
            pending_name e = {v, par_peek(p, 0), true};
            if (!par_expect(p, TOK_NAME, "the variable that holds the extent")) return false;
            vec_push(&p->c->arena, &b->names, e);
        } else if (role_ahead(p) != PARAM_ARG) {
            if (!par_role(p, b, v, role_ahead(p))) return false;
        } else {
            return true;
        }
    }
}

/* param = [ name ":" ] type attributes; the name is needed unless the function is extern */
static bool par_param(ir_parser *p, func_body *b, map *names)
{
    token t = par_peek(p, 0);
    const char *name = arena_printf(&p->c->arena, "p%u", (unsigned)b->func->params.n);
    if (b->func->linkage != IR_EXTERN || par_is(p, 1, ':')) {
        if (!par_expect(p, TOK_NAME, "the name of a parameter")) return false;
        if (!par_expect(p, ':', "':' and the type of the parameter")) return false;
        name = par_text(p, t);
        if (ir_name_reserved(name) || strchr(name, '.'))
            par_error(p, t, "'%s' cannot name a variable", name);
        if (map_get(names, name)) par_error(p, t, "parameter '%s' is declared twice", name);
    }
    const cpl_type *type = par_type(p, false);
    if (!type) return false;
    if (b->func->params.n == MOST_PARAMS) {
        par_error(p, t, "more than %d parameters", MOST_PARAMS);
        return false;
    }
    ir_var *v = ir_var_make(p->m, b->func, name, type, true, par_span(p, t));
    map_put(&p->c->arena, names, name, v);
    return param_attributes(p, b, v);
}

/* params = "(" [ param { "," param } ] ")" */
static bool par_params(ir_parser *p, func_body *b)
{
    map names = {0};
    if (!par_expect(p, '(', "'('")) return false;
    if (par_take(p, ')')) return true;
    do
        if (!par_param(p, b, &names)) return false;
    while (par_take(p, ','));
    return par_expect(p, ')', "',' or ')'");
}

/* Passes over a body, noting where it is. */
static bool skip_body(ir_parser *p, func_body *b)
{
    token open = par_peek(p, 0);
    if (!par_expect(p, '{', "'{'")) return false;
    b->begin = p->at;
    for (uint32_t depth = 1;; p->at++) {
        int kind = par_peek(p, 0).kind;
        if (kind == '{') depth++;
        if (kind == '}' && --depth == 0) break;
        if (kind == TOK_END || (par_peek(p, 0).starts_line && starts_declaration(p))) {
            diag_error(&p->c->diags, CPL_ESYNTAX, par_span(p, open), "'{' is never closed");
            break;
        }
    }
    b->end = p->at;
    vec_push(&p->c->arena, &p->bodies, b);
    par_take(p, '}');
    return true;
}

static ir_func *declare_func(ir_parser *p, token name, ir_linkage linkage, uint32_t begin)
{
    const char *text = par_text(p, name);
    const cpl_type *result = comp_scalar(p->c, CPL_VOID);
    ir_func *before = map_get(&p->funcs, text);
    if (before) {
        diag *error = par_error(p, name, "function '%s' is defined twice", text);
        if (error) diag_note(&p->c->diags, error, before->span, "the first one is here");
    }
    ir_func *f = ir_func_make(p->m, text, linkage, result, par_span_from(p, begin));
    if (!before) map_put(&p->c->arena, &p->funcs, text, f);
    return f;
}

/* bounds = [ "bounds" "<" most_items "," least_groups ">" ] */
static bool par_bounds(ir_parser *p, ir_func *f)
{
    int64_t most, least;
    if (!par_take_word(p, "bounds")) return true;
    if (!par_expect(p, '<', "'<'") || !par_int(p, 1, MOST_GROUP, &most)) return false;
    if (!par_expect(p, ',', "','") || !par_int(p, 0, MOST_GROUPS, &least)) return false;
    f->most_items = (uint32_t)most;
    f->least_groups = (uint32_t)least;
    return par_expect(p, '>', "'>'");
}

/* kernel = "kernel" [ "<" items ">" ] bounds */
static bool par_kernel(ir_parser *p, ir_func *f)
{
    int64_t number;
    f->kernel = par_take_word(p, "kernel");
    if (!f->kernel) return true;
    if (par_take(p, '<')) {
        if (!par_int(p, 1, MOST_ITEMS, &number)) return false;
        f->items = (uint32_t)number;
        if (!par_expect(p, '>', "'>'")) return false;
    }
    return par_bounds(p, f);
}

/* [ "after" name ], of a function in front */
static bool par_after(ir_parser *p, ir_func *f)
{
    if (!par_take_word(p, "after")) return true;
    token name = par_peek(p, 0);
    if (!par_expect(p, TOK_NAME, "the name of a kernel")) return false;
    f->after = map_get(&p->funcs, par_text(p, name));
    if (!f->after || f->after == f)
        par_error(p, name, "there is no kernel '%s' in front of '%s'", par_text(p, name), f->name);
    return true;
}

/* func = [ "entry" | "extern" ] [ "pure" ] [ "elementwise" ] [ kernel ] "func" name params [ "->"
 * type ] [ "after" name ] [ "{" body "}" ] */
static bool par_function(ir_parser *p)
{
    uint32_t begin = par_peek(p, 0).begin;
    ir_linkage linkage = par_take_word(p, "entry")    ? IR_ENTRY
                         : par_take_word(p, "extern") ? IR_EXTERN
                                                      : IR_INTERNAL;
    token pure = par_peek(p, 0);
    bool is_pure = par_take_word(p, "pure"), is_elementwise = par_take_word(p, "elementwise");
    ir_func kernel = {0}; /* what stands in front of its name */
    if (!par_kernel(p, &kernel)) return false;
    if (!par_take_word(p, "func")) {
        par_expected(p, "'func'");
        return false;
    }
    if (is_pure && linkage != IR_EXTERN) par_error(p, pure, "only extern functions are pure");
    token name = par_peek(p, 0);
    if (!par_expect(p, TOK_NAME, "the name of a function")) return false;
    func_body *b = arena_new(&p->c->arena, func_body);
    ir_func *f = b->func = declare_func(p, name, linkage, begin);
    f->pure = is_pure;
    f->elementwise = is_elementwise;
    f->kernel = kernel.kernel;
    f->items = kernel.items;
    f->most_items = kernel.most_items;
    f->least_groups = kernel.least_groups;
    if (!par_params(p, b)) return false;
    if (par_take(p, TOK_ARROW)) {
        const cpl_type *result = par_type(p, true);
        if (!result) return false;
        f->result = result;
        ir_use_type(p->m, result);
    }
    if (!par_after(p, f)) return false;
    f->span = par_span_from(p, begin);
    return linkage == IR_EXTERN || skip_body(p, b);
}

/* file = "cir" "1" { struct | func } */
static void par_file(ir_parser *p)
{
    if (!par_is_word(p, 0, "cir")) {
        par_expected(p, "'cir 1' at the start");
        return;
    }
    p->at++;
    token version = par_peek(p, 0);
    if (!par_expect(p, TOK_NUMBER, "the version, 1")) return;
    if (version.end - version.begin != 1 || p->src->text[version.begin] != '1')
        par_error(p, version, "unknown version %s of the text form, expected 1",
                  par_text(p, version));
    while (!par_is(p, 0, TOK_END)) {
        uint32_t start = p->at;
        bool good = false;
        if (!starts_declaration(p)) par_expected(p, "a struct or a function");
        else good = par_is_word(p, 0, "struct") ? par_struct(p) : par_function(p);
        if (!good) resume_declaration(p, start);
    }
}

ir_module *ir_parse(compilation *c, const source *src)
{
    uint32_t errors = c->diags.errors;
    token_list tokens = {0};
    ir_lex(c, src, &tokens);
    ir_parser p = {.c = c, .src = src, .tokens = tokens.list.at};
    p.end = tokens.list.n - 1;
    p.nesting_limit = (c->max_nesting ? c->max_nesting : LIMIT_NESTING) * LEVELS_FOR_ONE;
    p.m = ir_module_new(c, src->name);
    par_file(&p);
    for (uint32_t i = 0; i < p.bodies.n && !p.stopped; i++) par_body(&p, p.bodies.at[i]);
    for (uint32_t i = 0; i < p.m->sites.n; i++)
        if (!p.m->sites.at[i].func) p.m->sites.at[i].func = ""; /* a number nobody uses */
    return c->diags.errors > errors ? NULL : p.m;
}
