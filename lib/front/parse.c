/*
 * The index of a file: what its top level defines, found without parsing it.
 *
 * Only tokens are looked at, and everything that is not a definition, an import or a constant is
 * skipped by indentation. Blocks of a top-level if, try or with are looked into, for their
 * functions, classes and imports, those of loops and match for names that they assign. Signatures
 * are parsed, in silence: what is wrong with one is reported when somebody asks for the function.
 */
#include "lib/front/front_int.h"

typedef struct indexer {
    ast_file *f;
    compilation *c;
    const token *at;
    bool is_loop;     /* or match: what is found is thrown away but for the names */
    uint32_t blocks;  /* if, try and with around the statement at hand, loops where is_loop */
    uint32_t classes; /* around it */
    map consts;       /* name -> ast_const, the last one of each name */
    map functions;    /* name -> ast_func, likewise */
} indexer;

static const char *name_of(const indexer *x, const token *t)
{
    return front_name(&x->c->arena, x->f->src->text + t->begin, t->end - t->begin);
}

static cpl_span span_of(const indexer *x, const token *t)
{
    return (cpl_span){x->f->src->id, t->begin, t->end};
}

static uint32_t number_of(const indexer *x, const token *t)
{
    return (uint32_t)(t - x->f->tokens.at);
}

static void add_item(indexer *x, ast_item item)
{
    vec_push(&x->c->arena, &x->f->items, item);
}

static void finish(ast_file *f)
{
    for (uint32_t i = 0; i < f->items.n; i++)
        map_put(&f->comp->arena, &f->names, f->items.at[i].name, &f->items.at[i]);
}

/* skipping */

const token *ast_line_end(const token *t)
{
    while (t->kind != TOK_NEWLINE && t->kind != TOK_END) t++;
    return t;
}

const token *ast_behind_block(const token *indent)
{
    uint32_t depth = 0;
    for (const token *t = indent; t->kind != TOK_END; t++) {
        if (t->kind == TOK_INDENT) depth++;
        if (t->kind == TOK_DEDENT && --depth == 0) return t + 1;
        indent = t + 1;
    }
    return indent;
}

bool ast_opens(token_kind kind)
{
    return kind == TOK_LPAREN || kind == TOK_LBRACKET || kind == TOK_LBRACE;
}

bool ast_shuts(token_kind kind)
{
    return kind == TOK_RPAREN || kind == TOK_RBRACKET || kind == TOK_RBRACE;
}

/* The first `kind` of the line outside brackets and the parameters of lambdas, or the end of the
 * line. */
static const token *find_outside(const token *t, token_kind kind)
{
    uint32_t depth = 0, lambdas = 0;
    for (; t->kind != TOK_NEWLINE && t->kind != TOK_END; t++) {
        if (depth == 0 && lambdas == 0 && t->kind == kind) return t;
        if (depth == 0 && t->kind == TOK_LAMBDA) lambdas++;
        if (depth == 0 && t->kind == TOK_COLON && lambdas) lambdas--;
        if (ast_opens(t->kind)) depth++;
        if (ast_shuts(t->kind) && depth) depth--;
    }
    return t;
}

/* Behind the colon of a def or class line, or at its NEWLINE when it has none. */
static const token *body_of(const token *def)
{
    const token *colon = find_outside(def, TOK_COLON);
    return colon->kind == TOK_COLON ? colon + 1 : colon;
}

static const token *behind_body(const token *body)
{
    const token *end = ast_line_end(body);
    if (end->kind == TOK_NEWLINE) end++;
    if (body->kind == TOK_NEWLINE && end->kind == TOK_INDENT) end = ast_behind_block(end);
    return end;
}

/* constants */

static ast_const *define_const(indexer *x, const token *name, const token *value, bool constant)
{
    ast_const *k = arena_new(&x->c->arena, ast_const);
    *k = (ast_const){.file = x->f,
                     .name = name_of(x, name),
                     .span = span_of(x, name),
                     .token = number_of(x, value)};
    ast_const *before = map_get(&x->consts, k->name);
    if (before) before->reassigned = true;
    k->reassigned = before || !constant || x->blocks;
    map_put(&x->c->arena, &x->consts, k->name, k);
    add_item(x, (ast_item){.kind = ITEM_CONST, .name = k->name, .constant = k});
    return k;
}

static void spoil_const(indexer *x, const token *name)
{
    ast_const *before = map_get(&x->consts, name_of(x, name));
    if (before) before->reassigned = true;
    else define_const(x, name, name, false);
}

static bool is_augmented(const token *t)
{
    return (t->kind >= TOK_ADD_ASSIGN && t->kind <= TOK_MATMUL_ASSIGN) ||
           (t->kind >= TOK_POW_ASSIGN && t->kind <= TOK_SHR_ASSIGN);
}

/* f = jit(f), f = elementwise(f, ...), f = annotate(...)(f): as a decorator's, it is f. */
static bool decorates(indexer *x, const token *name, const token *value)
{
    const char *text = name_of(x, name);
    const token *end = find_outside(value, TOK_SEMICOLON), *first = value;
    if (!map_get(&x->functions, text)) return false;
    while (first->kind == TOK_NAME && first[1].kind == TOK_DOT) first += 2;
    if (first->kind != TOK_NAME || first[1].kind != TOK_LPAREN || end < value + 4) return false;
    bool leads = first[3].kind == TOK_COMMA || first[3].kind == TOK_RPAREN;
    const token *argument = leads && first[2].kind == TOK_NAME ? first + 2 : end - 2;
    return argument->kind == TOK_NAME && argument[-1].kind == TOK_LPAREN &&
           strcmp(name_of(x, argument), text) == 0;
}

/* The targets of one assignment. */
typedef struct targets {
    const token *value;
    VEC(ast_place) path; /* to the one at hand */
} targets;

/* The comma that ends the target at t, or to. */
static const token *target_end(const token *t, const token *to)
{
    const token *comma = find_outside(t, TOK_COMMA);
    return comma < to ? comma : to;
}

static void index_target(indexer *x, targets *s, const token *from, const token *to);

/* Targets side by side. */
static void index_list(indexer *x, targets *s, const token *from, const token *to)
{
    ast_place place = {0};
    for (const token *t = from; t < to; t = target_end(t, to) + 1) place.of++;
    place.star = place.of;
    for (const token *t = from; t < to; t = target_end(t, to) + 1, place.at++)
        if (t->kind == TOK_MUL) place.star = place.at;
    place.at = 0;
    for (const token *t = from; t < to; t = target_end(t, to) + 1, place.at++) {
        vec_push(&x->c->arena, &s->path, place);
        index_target(x, s, t + (t->kind == TOK_MUL), target_end(t, to));
        s->path.n--;
    }
}

/* A name is a constant; elements and attributes of something are none. */
static void index_target(indexer *x, targets *s, const token *from, const token *to)
{
    if (from < to && from->kind == TOK_NAME && (from + 1 == to || from[1].kind == TOK_COLON)) {
        ast_const *k = define_const(x, from, s->value, true);
        k->depth = s->path.n;
        ast_place *path = arena_array(&x->c->arena, k->depth, sizeof *path);
        for (uint32_t i = 0; i < k->depth; i++) path[i] = s->path.at[i];
        k->path = path;
        return;
    }
    enum { MOST = 16 };
    bool within = from < to && (from->kind == TOK_LPAREN || from->kind == TOK_LBRACKET) &&
                  ast_shuts(to[-1].kind) && s->path.n < MOST;
    if (target_end(from, to) < to) {
        index_list(x, s, from, to);
        return;
    }
    if (!within) return;
    if (from->kind == TOK_LBRACKET) index_list(x, s, from + 1, to - 1);
    else index_target(x, s, from + 1, to - 1);
}

/* What Python takes for no target, whatever stands around it; the file is refused. */
static bool check_target(indexer *x, const token *from, const token *to)
{
    bool is_literal = from + 1 == to && (from->kind == TOK_INT || from->kind == TOK_FLOAT ||
                                         from->kind == TOK_STRING);
    bool lacks_type = from + 2 == to && from[1].kind == TOK_COLON;
    if (from < to && !is_literal && !lacks_type) return true;
    diag_error(&x->c->diags, CPL_ESYNTAX, span_of(x, lacks_type ? to : from),
               is_literal   ? "cannot assign to a literal"
               : lacks_type ? "expected a type, found '='"
                            : "expected a name to assign to, found '='");
    return false;
}

static void index_assignment(indexer *x, const token *end)
{
    if (x->at->kind == TOK_NAME && is_augmented(x->at + 1)) {
        spoil_const(x, x->at);
        return;
    }
    const token *last = NULL;
    for (const token *t = find_outside(x->at, TOK_ASSIGN); t->kind == TOK_ASSIGN && t < end;
         t = find_outside(t + 1, TOK_ASSIGN))
        last = t;
    if (!last) return;
    const token *from = x->at;
    targets s = {.value = last + 1};
    while (from <= last) {
        const token *to = find_outside(from, TOK_ASSIGN);
        if (!check_target(x, from, to)) return;
        if (from + 1 != to || !decorates(x, from, last + 1)) index_target(x, &s, from, to);
        from = to + 1;
    }
}

/* imports */

/* dotted: '.'* NAME ('.' NAME)*; its text, NULL when there is none. */
static const char *dotted(indexer *x)
{
    const token *first = x->at;
    while (x->at->kind == TOK_DOT || x->at->kind == TOK_ELLIPSIS) x->at++;
    while (x->at->kind == TOK_NAME) {
        x->at++;
        if (x->at->kind != TOK_DOT || x->at[1].kind != TOK_NAME) break;
        x->at++;
    }
    if (x->at == first) return NULL;
    return front_name(&x->c->arena, x->f->src->text + first->begin, x->at[-1].end - first->begin);
}

static void add_import(indexer *x, const char *module, const char *name, const char *as,
                       const token *first)
{
    ast_import *i = arena_new(&x->c->arena, ast_import);
    *i = (ast_import){module, name, as, {x->f->src->id, first->begin, x->at[-1].end}};
    add_item(x, (ast_item){.kind = ITEM_IMPORT, .name = as, .import = i});
}

static const char *as_name(indexer *x)
{
    if (x->at->kind != TOK_AS || x->at[1].kind != TOK_NAME) return NULL;
    x->at += 2;
    return name_of(x, x->at - 1);
}

/* import: 'import' dotted ['as' NAME] (',' ...)*; without `as` the local name is the part before
 * the first dot */
static void index_import(indexer *x)
{
    do {
        x->at++;
        const token *first = x->at;
        const char *module = dotted(x);
        if (!module || first->kind != TOK_NAME) return;
        const char *as = as_name(x);
        add_import(x, module, NULL, as ? as : name_of(x, first), first);
    } while (x->at->kind == TOK_COMMA);
}

/* from: 'from' dotted 'import' ('*' | ['('] NAME ['as' NAME] (',' ...)* [')']) */
static void index_from(indexer *x)
{
    x->at++;
    const char *module = dotted(x);
    if (!module || x->at->kind != TOK_IMPORT) return;
    x->at++;
    if (x->at->kind == TOK_MUL) {
        x->at++;
        add_import(x, module, "*", "*", x->at - 1);
        vec_push(&x->c->arena, &x->f->stars, x->f->items.at[x->f->items.n - 1].import);
        return;
    }
    if (x->at->kind == TOK_LPAREN) x->at++;
    while (x->at->kind == TOK_NAME) {
        const token *first = x->at++;
        const char *name = name_of(x, first), *as = as_name(x);
        add_import(x, module, name, as ? as : name, first);
        if (x->at->kind != TOK_COMMA) break;
        x->at++;
    }
}

/* functions and classes */

/* The name behind def or class; reports when there is none. */
static const token *definition_name(indexer *x, const token *keyword)
{
    const token *name = keyword + 1;
    if (name->kind == TOK_NAME) return name;
    diag_error(&x->c->diags, CPL_ESYNTAX, span_of(x, name), "expected a name behind '%s'",
               token_text(keyword->kind));
    return NULL;
}

static void scan_body(indexer *x, ast_func *fn, const token *end)
{
    for (const token *t = x->f->tokens.at + fn->body_token; t < end; t++) {
        if (t->kind == TOK_YIELD) fn->is_generator = true;
        if (t->kind != TOK_GLOBAL) continue;
        while (t[1].kind == TOK_NAME || t[1].kind == TOK_COMMA) {
            t++;
            if (t->kind == TOK_NAME) spoil_const(x, t);
        }
    }
}

/* A function or method; NULL when it has no name. x->at is behind it then. */
static ast_func *make_func(indexer *x, const token *header, const token *def)
{
    const token *name = definition_name(x, def), *body = body_of(def);
    x->at = behind_body(body);
    if (!name) return NULL;
    ast_func *fn = arena_new(&x->c->arena, ast_func);
    fn->file = x->f;
    fn->name = name_of(x, name);
    fn->name_span = span_of(x, name);
    fn->span = (cpl_span){x->f->src->id, def->begin, body > def ? body[-1].end : def->end};
    fn->is_async = def > header && def[-1].kind == TOK_ASYNC;
    fn->header_token = number_of(x, header);
    fn->body_token = number_of(x, body);
    parser p;
    ast_start(&p, x->f, fn->header_token, &fn->node_count, true);
    fn->header_bad = !ast_header(&p, fn);
    scan_body(x, fn, x->at);
    return fn;
}

static void index_def(indexer *x, const token *header, const token *def)
{
    ast_func *fn = make_func(x, header, def);
    if (!fn) return;
    map_put(&x->c->arena, &x->functions, fn->name, fn);
    add_item(x, (ast_item){.kind = ITEM_FUNC, .name = fn->name, .func = fn});
}

static bool names_struct(const ast_node *e)
{
    if (e->kind == AST_CALL) e = e->kids[0];
    return (e->kind == AST_NAME || e->kind == AST_ATTRIBUTE) && strcmp(e->name, "struct") == 0;
}

/* Behind the decorators that begin at t: def, class, or something else. */
static const token *behind_decorators(const token *t)
{
    while (t->kind == TOK_MATMUL) {
        t = ast_line_end(t);
        if (t->kind == TOK_NEWLINE) t++;
    }
    return t;
}

static void index_line(indexer *x);
static void index_statement(indexer *x);

/* For the statements of k's body, the first of which is at. */
static indexer in_body(const indexer *x, ast_class *k, const token *at)
{
    return (indexer){.f = k->body, .c = x->c, .at = at, .classes = x->classes + 1};
}

/* The body of a class that is no struct: methods and other functions are none of it. */
static void index_body(indexer *x, ast_class *k, const token *from, const token *behind)
{
    enum { MOST = 16 };
    indexer of = in_body(x, k, from);
    while (of.at < behind && of.classes < MOST) {
        const token *t = behind_decorators(of.at);
        bool skipped = t->kind == TOK_ASYNC || t->kind == TOK_DEF;
        if (skipped) of.at = behind_body(body_of(t));
        else index_statement(&of);
    }
}

static ast_members members_of(const ast_node *base)
{
    static const struct {
        const char *name;
        ast_members members;
    } enums[] = {{"IntEnum", MEMBERS_NUMBERS},
                 {"IntFlag", MEMBERS_NUMBERS},
                 {"Enum", MEMBERS_VALUES},
                 {"Flag", MEMBERS_VALUES}};
    for (size_t i = 0; i < COUNT_OF(enums); i++)
        if (strcmp(base->name, enums[i].name) == 0) return enums[i].members;
    return MEMBERS_PLAIN;
}

/* bases: '(' [expression (',' expression)*] ... ')'; what is no name is left out */
static void index_bases(indexer *x, ast_class *k, const token *open)
{
    uint32_t ids = 0;
    parser p;
    if (open->kind != TOK_LPAREN || open[1].kind == TOK_RPAREN) return;
    ast_start(&p, x->f, number_of(x, open) + 1, &ids, true);
    do {
        ast_node *e = ast_expression(&p);
        if (p.failed || ast_is(&p, TOK_ASSIGN)) return;
        if (e->kind != AST_NAME && e->kind != AST_ATTRIBUTE) continue;
        if (members_of(e) > k->members) k->members = members_of(e);
        vec_push(&x->c->arena, &k->bases, e);
    } while (ast_take(&p, TOK_COMMA) && !ast_is(&p, TOK_RPAREN));
}

/* A line of a struct that is no method: STRING | 'pass' | NAME ':' expression. Where it ends. */
static const token *index_field(indexer *x, ast_class *k, const token *first)
{
    uint32_t ids = 0;
    parser p;
    ast_start(&p, x->f, number_of(x, first), &ids, true);
    if (first->kind == TOK_STRING || first->kind == TOK_PASS) {
        ast_advance(&p);
    } else if (ast_take(&p, TOK_NAME) && ast_take(&p, TOK_COLON)) {
        ast_field field = {name_of(x, first), span_of(x, first), ast_expression(&p)};
        vec_push(&x->c->arena, &k->fields, field);
    } else {
        p.failed = true;
    }
    if (p.failed || !ast_is(&p, TOK_NEWLINE))
        k->bad = (cpl_span){x->f->src->id, first->begin, ast_line_end(first)->begin};
    const token *end = ast_line_end(first);
    return end->kind == TOK_NEWLINE ? end + 1 : end;
}

/* NAME = expression and its like, which is no field */
static bool is_assignment(const token *t)
{
    return t->kind == TOK_NAME && t[1].kind != TOK_COLON &&
           (find_outside(t, TOK_ASSIGN)->kind == TOK_ASSIGN || is_augmented(t + 1));
}

/* struct_body: fields, each on a line of its own, constants and methods */
static void index_struct(indexer *x, ast_class *k, const token *body)
{
    indexer of = in_body(x, k, body);
    bool block = body->kind == TOK_NEWLINE;
    const token *t = !block ? body : body[1].kind == TOK_INDENT ? body + 2 : body;
    while (t->kind != TOK_DEDENT && t->kind != TOK_END && !k->bad.file) {
        const token *def = block ? behind_decorators(t) : t;
        if (def->kind == TOK_DEF) {
            ast_func *fn = make_func(x, t, def);
            if (fn) vec_push(&x->c->arena, &k->methods, fn);
            t = x->at;
        } else if (is_assignment(t)) {
            of.at = t;
            index_line(&of);
            t = of.at;
        } else {
            t = index_field(x, k, t);
        }
        if (!block) break;
    }
}

static void index_class(indexer *x, const token *header, const token *class_)
{
    const token *name = definition_name(x, class_), *body = body_of(class_);
    x->at = behind_body(body);
    if (!name) return;
    ast_class *k = arena_new(&x->c->arena, ast_class);
    k->file = x->f;
    k->name = name_of(x, name);
    k->name_span = span_of(x, name);
    k->body = arena_new(&x->c->arena, ast_file);
    *k->body = (ast_file){.comp = x->c, .src = x->f->src, .tokens = x->f->tokens, .class_ = k};
    while (header->kind == TOK_MATMUL) {
        uint32_t ids = 0;
        parser p;
        ast_start(&p, x->f, number_of(x, header) + 1, &ids, true);
        ast_node *e = ast_expression(&p);
        k->is_struct = k->is_struct || names_struct(e);
        header = ast_line_end(header) + 1;
    }
    bool based = name[1].kind == TOK_LPAREN && name[2].kind != TOK_RPAREN;
    if (k->is_struct && (based || name[1].kind == TOK_LBRACKET || body[-1].kind != TOK_COLON))
        k->bad = span_of(x, name + 1);
    const token *behind = x->at;
    bool block = body->kind == TOK_NEWLINE && body[1].kind == TOK_INDENT;
    if (k->is_struct) {
        index_struct(x, k, body);
    } else {
        index_bases(x, k, name + 1);
        index_body(x, k, block ? body + 2 : body, behind);
    }
    finish(k->body);
    x->at = behind;
    add_item(x, (ast_item){.kind = ITEM_CLASS, .name = k->name, .class_ = k});
}

/* decorated: ('@' expression NEWLINE)* (['async'] 'def' ... | 'class' ...) */
static void index_definition(indexer *x)
{
    const token *header = x->at, *t = behind_decorators(header);
    if (t->kind == TOK_CLASS) {
        index_class(x, header, t);
        return;
    }
    if (t->kind == TOK_ASYNC && t[1].kind == TOK_DEF) t++;
    if (t->kind == TOK_DEF) {
        index_def(x, header, t);
        return;
    }
    if (header->kind == TOK_MATMUL)
        diag_error(&x->c->diags, CPL_ESYNTAX, span_of(x, header),
                   "no function or class follows the decorator");
    x->at = t == header ? behind_body(body_of(t)) : t; /* async for, async with */
}

/* the other statements of the top level */

/* What is no statement of its own takes a constant away, and gives none. */
static void spoil_aside(indexer *x, const token *name)
{
    if (x->is_loop || map_get(&x->consts, name_of(x, name))) spoil_const(x, name);
}

/* A name that is no part of a.b, a[i] or f(x). */
static bool is_alone(const token *t)
{
    return t->kind == TOK_NAME && t[-1].kind != TOK_DOT && t[1].kind != TOK_DOT &&
           !ast_opens(t[1].kind);
}

/* What is assigned from t on by other means than a statement of its own: as NAME, NAME := e. */
static void spoil_named(indexer *x, const token *t, const token *to)
{
    for (; t < to; t++) {
        bool named = t[-1].kind == TOK_AS && is_alone(t);
        if (named || (t->kind == TOK_NAME && t[1].kind == TOK_WALRUS)) spoil_aside(x, t);
    }
}

/* The targets of del and for. */
static void spoil_names(indexer *x, const token *t, const token *to)
{
    for (; t < to; t++) {
        if (is_alone(t)) spoil_aside(x, t);
        if (ast_opens(t->kind) && t[-1].kind == TOK_NAME) return; /* an index of something */
    }
}

/* The names that a case's pattern takes; those of its guard are only read. */
static void spoil_captured(indexer *x, const token *t, const token *to)
{
    for (; t < to && t->kind != TOK_IF; t++)
        if (is_alone(t) && t[1].kind != TOK_ASSIGN) spoil_aside(x, t);
}

/* Whether a line of a match is a case's, and up to where its head goes. */
static bool is_case(indexer *x, const token **colon)
{
    const token *t = x->at;
    if (!x->is_loop || t->kind != TOK_NAME || strcmp(name_of(x, t), "case") != 0) return false;
    *colon = find_outside(t, TOK_COLON);
    return (*colon)->kind == TOK_COLON && *colon > t + 1;
}

static void index_statement(indexer *x);

/* for, while and match, as if they were a file: constants that they assign are none */
static void index_loop(indexer *x, const token *from, const token *behind)
{
    ast_file *f = arena_new(&x->c->arena, ast_file);
    *f = (ast_file){.comp = x->c, .src = x->f->src, .tokens = x->f->tokens};
    indexer of = {.f = f, .c = x->c, .at = from, .is_loop = true, .blocks = 1};
    while (of.at < behind) index_statement(&of);
    for (uint32_t i = 0; i < of.consts.n; i++) {
        ast_const *k = map_get(&x->consts, of.consts.entries[i].key);
        if (k) k->reassigned = true;
    }
    x->at = behind;
}

static void index_line(indexer *x)
{
    const token *end = ast_line_end(x->at), *colon;
    if (is_case(x, &colon)) spoil_captured(x, x->at + 1, colon);
    while (x->at < end) {
        const token *semicolon = find_outside(x->at, TOK_SEMICOLON);
        if (x->at->kind == TOK_IMPORT) {
            index_import(x);
        } else if (x->at->kind == TOK_FROM) {
            index_from(x);
        } else {
            if (x->at->kind == TOK_DEL) spoil_names(x, x->at + 1, semicolon);
            else spoil_named(x, x->at + 1, semicolon);
            index_assignment(x, semicolon);
        }
        x->at = semicolon < end ? semicolon + 1 : end;
    }
    if (end->kind != TOK_NEWLINE) return;
    x->at = end + 1;
    if (x->at->kind != TOK_INDENT) return;
    /* match */
    if (end == x->f->tokens.at || end[-1].kind != TOK_COLON) return;
    if (x->is_loop) {
        x->blocks++;
        x->at++;
    } else {
        index_loop(x, x->at + 1, ast_behind_block(x->at));
    }
}

/* if, try, with and their other clauses, for and while of loops: goes into the block */
static void index_block(indexer *x)
{
    const token *head = x->at, *in = find_outside(head, TOK_IN);
    x->at = body_of(x->at);
    x->blocks++;
    if (head->kind == TOK_FOR && in < x->at) spoil_names(x, head + 1, in);
    spoil_named(x, head + 1, x->at);
    if (x->at->kind == TOK_NEWLINE && x->at[1].kind == TOK_INDENT) {
        x->at += 2;
        return;
    }
    index_line(x);
    x->blocks--;
}

static void index_statement(indexer *x)
{
    switch (x->at->kind) {
    case TOK_NEWLINE: x->at++; break;
    case TOK_DEDENT:
        if (x->blocks) x->blocks--;
        x->at++;
        break;
    case TOK_INDENT:
        diag_error(&x->c->diags, CPL_ESYNTAX, span_of(x, x->at + 1), "unexpected indent");
        x->at = ast_behind_block(x->at);
        break;
    case TOK_DEF:
    case TOK_CLASS:
    case TOK_ASYNC:
    case TOK_MATMUL: index_definition(x); break;
    case TOK_IF:
    case TOK_ELIF:
    case TOK_ELSE:
    case TOK_TRY:
    case TOK_EXCEPT:
    case TOK_FINALLY:
    case TOK_WITH: index_block(x); break;
    case TOK_FOR:
    case TOK_WHILE:
        if (x->is_loop) index_block(x);
        else index_loop(x, x->at, behind_body(body_of(x->at)));
        break;
    default: index_line(x); break;
    }
}

static void spoil_member(const ast_item *class_, const char *name)
{
    const map *names = class_ && class_->kind == ITEM_CLASS ? &class_->class_->body->names : NULL;
    const ast_item *item = names ? map_get(names, name) : NULL;
    if (item && item->kind == ITEM_CONST) item->constant->reassigned = true;
}

/* of_any: names that are assigned of any class */
static void spoil_at(indexer *x, const token *t, map *of_any)
{
    const char *class_ = name_of(x, t), *name = name_of(x, t + 2);
    if (strcmp(class_, "cls") == 0) map_put(&x->c->arena, of_any, name, x);
    else spoil_member(map_get(&x->f->names, class_), name);
}

static bool is_member(const token *t)
{
    return t->kind == TOK_NAME && t[1].kind == TOK_DOT && t[2].kind == TOK_NAME;
}

/* Behind the bracket that shuts the one at t, or to. */
static const token *behind_bracket(const token *t, const token *to)
{
    uint32_t depth = 0;
    for (; t < to; t++) {
        if (ast_opens(t->kind)) depth++;
        if (ast_shuts(t->kind) && --depth == 0) return t + 1;
    }
    return to;
}

/* Those among targets, in the brackets around some of them too, not in indices and calls. */
static void spoil_targets(indexer *x, const token *from, const token *to, map *of_any)
{
    const token *t = from;
    while (t < to) {
        token_kind before = t == from ? TOK_COMMA : t[-1].kind;
        bool leads = before == TOK_COMMA || before == TOK_ASSIGN || before == TOK_MUL ||
                     before == TOK_LPAREN || before == TOK_LBRACKET;
        if (leads && is_member(t) && t[3].kind != TOK_DOT && !ast_opens(t[3].kind))
            spoil_at(x, t, of_any);
        t = ast_opens(t->kind) && (!leads || t->kind == TOK_LBRACE) ? behind_bracket(t, to) : t + 1;
    }
}

/* (target '=')+ e, and target: type = e; statement: where it begins. */
static void spoil_assigned(indexer *x, const token *statement, map *of_any)
{
    const token *end = find_outside(statement, TOK_SEMICOLON), *last = NULL;
    for (const token *t = find_outside(statement, TOK_ASSIGN); t->kind == TOK_ASSIGN && t < end;
         t = find_outside(t + 1, TOK_ASSIGN))
        last = t;
    if (last) spoil_targets(x, statement, last, of_any);
}

/* What begins at t may have a statement on its line, behind a colon. */
static bool leads_block(token_kind kind)
{
    switch (kind) {
    case TOK_ASYNC:
    case TOK_CLASS:
    case TOK_DEF:
    case TOK_ELIF:
    case TOK_ELSE:
    case TOK_EXCEPT:
    case TOK_FINALLY:
    case TOK_FOR:
    case TOK_IF:
    case TOK_TRY:
    case TOK_WHILE:
    case TOK_WITH: return true;
    default: return false;
    }
}

static bool begins_statement(const token *first, const token *t)
{
    if (t == first) return true;
    token_kind before = t[-1].kind;
    return before == TOK_NEWLINE || before == TOK_INDENT || before == TOK_DEDENT ||
           before == TOK_SEMICOLON;
}

/* A.NAME = e of a class A, and cls.NAME = e of any class, wherever it stands and whatever else is
 * assigned along with it: what that assigns is no constant. */
static void spoil_members(indexer *x)
{
    const ast_file *f = x->f;
    map any = {0};
    for (const token *t = f->tokens.at; t->kind != TOK_END; t++) {
        if (begins_statement(f->tokens.at, t))
            spoil_assigned(x, leads_block(t->kind) ? body_of(t) : t, &any);
        if (t->kind == TOK_FOR) spoil_targets(x, t + 1, find_outside(t, TOK_IN), &any);
        bool named = t > f->tokens.at && t[-1].kind == TOK_AS;
        bool alone = t == f->tokens.at || t[-1].kind != TOK_DOT;
        if (is_member(t) && (named || (alone && is_augmented(t + 3)))) spoil_at(x, t, &any);
    }
    for (uint32_t i = 0; any.n && i < f->items.n; i++)
        for (uint32_t k = 0; k < any.n; k++) spoil_member(&f->items.at[i], any.entries[k].key);
}

ast_file *front_tokens(compilation *c, const token_list *tokens)
{
    ast_file *f = arena_new(&c->arena, ast_file);
    *f = (ast_file){.comp = c, .src = tokens->src, .tokens = *tokens};
    uint32_t errors = c->diags.errors;
    indexer x = {.f = f, .c = c, .at = f->tokens.at};
    while (x.at->kind != TOK_END) index_statement(&x);
    finish(f);
    spoil_members(&x);
    return c->diags.errors == errors ? f : NULL;
}

ast_file *front_file(compilation *c, const source *src)
{
    token_list tokens = {0};
    uint32_t errors = c->diags.errors;
    lex_file(c, src, &tokens);
    return c->diags.errors == errors ? front_tokens(c, &tokens) : NULL;
}

/* piece: ('@' ... NEWLINE)* ['async'] 'def' ... */
static void index_piece(indexer *x)
{
    while (x->at->kind == TOK_MATMUL || x->at->kind == TOK_NEWLINE) {
        x->at = ast_line_end(x->at);
        if (x->at->kind == TOK_NEWLINE) x->at++;
    }
    const token *header = x->at, *def = header;
    if (def->kind == TOK_ASYNC) def++;
    if (def->kind != TOK_DEF) {
        diag *d = diag_error(&x->c->diags, CPL_ESYNTAX, span_of(x, header),
                             "expected a function, which begins with 'def'");
        if (header->kind == TOK_NAME || header->kind == TOK_LAMBDA)
            diag_hint(&x->c->diags, d, "lambdas are bound as expressions: cpl_bind_expression");
        return;
    }
    index_def(x, header, def);
    if (x->at->kind != TOK_END)
        diag_error(&x->c->diags, CPL_ESYNTAX, span_of(x, x->at),
                   "the text goes on behind the function");
}

ast_file *front_function(compilation *c, const source *src, const void *host)
{
    ast_file *f = arena_new(&c->arena, ast_file);
    *f = (ast_file){.comp = c, .src = src, .host = host};
    uint32_t errors = c->diags.errors;
    lex_piece(c, src, &f->tokens);
    indexer x = {.f = f, .c = c, .at = f->tokens.at};
    if (c->diags.errors == errors) index_piece(&x);
    finish(f);
    return c->diags.errors == errors ? f : NULL;
}

ast_func *front_only(const ast_file *f)
{
    return f->items.at[f->items.n - 1].func; /* behind what its body declares global */
}
