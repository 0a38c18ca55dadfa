/*
 * What a compilation may use of the texts of its module, found before anything is typed, for the
 * key of the cache on disk: the function and what is bound; then each definition at the top of a
 * file, value of a host program, extern and struct whose name stands in what is used already,
 * through imports too. Words of strings and comments count: a name too many makes a miss, one that
 * is missing would make a wrong hit. So the key has which word each thing is for, and which text it
 * is where that stands there already. The library's own files are part of its build.
 */
#include "lib/driver/internal.h"

enum { MOST_STEPS = 16 }; /* of imports: the analysis takes fewer */

typedef struct piece { /* a text whose words are names of its file */
    const char *text;
    const source *src; /* that it is a part of; NULL: none */
    uint32_t begin, end;
    ast_file *file; /* NULL: typed IR */
    bool is_code;   /* its lines are those of line info */
    bool again;     /* a module was found: words before may be its names */
    VEC(ast_file *) modules;
    map seen;
} piece;

typedef struct file { /* of the module; kept by the name that imports call it */
    ast_file *tree;   /* NULL: it does not parse */
    const source *src;
} file;

struct used {
    pipeline *p;
    arena *arena;
    strbuf *key;
    VEC(piece *) pieces;
    map files, outside; /* externs and structs */
    map searches;       /* "file name" -> the steps it was looked for at, an int */
    int steps;
};

static void put(used *u, const char *what, const char *text, size_t n)
{
    sb_printf(u->key, "%s %zu\n", what, n);
    sb_putn(u->key, text, n);
}

static void put_text(used *u, const char *what, const char *text)
{
    put(u, what, text ? text : "", text ? strlen(text) : 0);
}

static void add_piece(used *u, const piece *found)
{
    for (uint32_t i = 0; found->src && i < u->pieces.n; i++)
        if (u->pieces.at[i]->src == found->src && u->pieces.at[i]->begin == found->begin) {
            sb_printf(u->key, "known %u\n", i);
            return;
        }
    piece *p = arena_new(u->arena, piece);
    *p = *found;
    vec_push(u->arena, &u->pieces, p);
    put(u, "piece", p->text, p->end - p->begin);
}

static void add_whole(used *u, const source *src, ast_file *f)
{
    add_piece(u, &(piece){.text = src->text,
                          .src = src,
                          .end = (uint32_t)src->size,
                          .file = f,
                          .is_code = true});
}

/* --- files --- */

/* NULL: it is none of the module's, or cannot be used. */
static file *find_file(used *u, const char *name)
{
    file *f = map_get(&u->files, name);
    if (f || sema_knows_module(name)) return f;
    const source *src = module_find_file(u->p->module, u->arena, name, NULL);
    if (!src) return NULL;
    f = arena_new(u->arena, file);
    f->src = src;
    map_put(u->arena, &u->files, name, f);
    compilation *c = u->p->comp;
    diag_list said = c->diags;
    c->diags = (diag_list){.arena = u->arena};
    f->tree = u->p->file && src == u->p->file->src ? u->p->file : front_file(c, src);
    c->diags = said;
    if (!f->tree) add_whole(u, src, NULL);
    return f->tree ? f : NULL;
}

static bool is_layout(const token *t)
{
    return t->kind == TOK_NEWLINE || t->kind == TOK_INDENT || t->kind == TOK_DEDENT;
}

/* Whether token i is the first of a line of the file's own, not of a block or of brackets. */
static bool begins_line(const ast_file *f, uint32_t i)
{
    const token *t = &f->tokens.at[i];
    const char *text = f->src->text;
    if (is_layout(t) || (i > 0 && !is_layout(t - 1))) return false;
    return i == 0 || text[t->begin - 1] == '\n' || text[t->begin - 1] == '\r';
}

static uint32_t token_at(const token_list *l, uint32_t place)
{
    uint32_t low = 0, high = l->n - 1; /* the first that ends behind it */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (l->at[middle].end > place) high = middle;
        else low = middle + 1;
    }
    return low;
}

/* The lines of a statement of the file, with decorators, without what is blank behind. */
static void add_statement(used *u, ast_file *f, uint32_t place, bool is_code)
{
    const token *at = f->tokens.at;
    uint32_t first = token_at(&f->tokens, place), end = first + 1;
    while (first > 0 && !begins_line(f, first)) first--;
    for (uint32_t i = first; i > 0;) {
        do i--;
        while (i > 0 && !begins_line(f, i));
        if (at[i].kind != TOK_MATMUL) break;
        first = i;
    }
    while (end < f->tokens.n && at[end].kind != TOK_END && !begins_line(f, end)) end++;
    do end--;
    while (end > first && is_layout(&at[end]));
    add_piece(u, &(piece){.text = f->src->text + at[first].begin,
                          .src = f->src,
                          .begin = at[first].begin,
                          .end = at[end].end,
                          .file = f,
                          .is_code = is_code});
}

/* --- names --- */

static void look_up(used *u, piece *p, ast_file *f, const char *name);

static void use_type(used *u, const cpl_type *t);

static void use_struct(used *u, const cpl_type *t)
{
    cpl_module *m = u->p->module;
    if (type_is_complex(t) || type_lanes(t) || map_get(&u->outside, t->name)) return;
    map_put(u->arena, &u->outside, t->name, (void *)t);
    sb_printf(u->key, "struct %s %zu %zu\n", t->name, t->size, t->align);
    for (uint32_t i = 0; i < t->field_count; i++) {
        sb_printf(u->key, "%s %zu ", t->fields[i].name, t->fields[i].offset);
        use_type(u, t->fields[i].type);
    }
    /* any file may have the class with its methods */
    for (size_t i = 0; !m->hosts && i < m->file_count; i++) {
        file *f = find_file(u, m->files[i].name);
        piece none = {0};
        if (f) look_up(u, &none, f->tree, t->name);
    }
}

static void use_type(used *u, const cpl_type *t)
{
    sb_printf(u->key, "%s\n", t ? t->text : "");
    while (t && t->elem) t = t->elem;
    if (t && type_is_struct(t)) use_struct(u, t);
}

static void use_outside(used *u, const char *name)
{
    const cpl_type *t = type_struct(u->p->comp->types, name);
    if (t) use_struct(u, t);
    const sema_extern *e = extern_find(u->p->module, name);
    if (!e || map_get(&u->outside, e->name)) return;
    map_put(u->arena, &u->outside, e->name, (void *)e);
    cpl_context *cx = u->p->module->cx;
    sb_printf(u->key, "extern %s %d%d\n", name, e->pure, extern_address(cx, name) != NULL);
    use_type(u, e->result);
    for (uint32_t i = 0; i < e->param_count; i++) use_type(u, e->params[i]);
    for (int i = 0; i < EXT_LANGUAGES; i++) {
        ext_text text = extern_text(cx, name, i);
        put(u, "text", text.text ? text.text : "", text.text ? text.size : 0);
    }
}

/* Of nothing that is known: what is said of it has its place. */
static void add_import(used *u, const ast_import *i)
{
    const source *src = u->p->comp->find_source(u->p->comp->find_source_user, i->span.file);
    add_piece(u, &(piece){.text = src->text + i->span.begin,
                          .src = src,
                          .begin = i->span.begin,
                          .end = i->span.end});
}

/* Whether a file was looked through for a name, with as many steps left. */
static bool was_searched(used *u, const file *f, const char *name)
{
    const char *search = arena_printf(u->arena, "%p %s", (const void *)f, name);
    int *steps = map_get(&u->searches, search);
    if (steps && *steps <= u->steps) return true;
    if (!steps) map_put(u->arena, &u->searches, search, steps = arena_new(u->arena, int));
    *steps = u->steps;
    return false;
}

/* Star imports, however many, are one step. */
static void use_import(used *u, piece *p, const ast_import *i, const char *name)
{
    bool star = i->name && strcmp(i->name, "*") == 0;
    sb_printf(u->key, "import %s %s\n", i->module, name ? name : "");
    file *f = u->steps < MOST_STEPS ? find_file(u, i->module) : NULL;
    if (!f && !sema_knows_module(i->module)) add_import(u, i);
    if (!f) return;
    if (name) {
        if (was_searched(u, f, name)) return;
        u->steps += !star;
        look_up(u, p, f->tree, name);
        u->steps -= !star;
        return;
    }
    for (uint32_t k = 0; k < p->modules.n; k++)
        if (p->modules.at[k] == f->tree) return;
    vec_push(u->arena, &p->modules, f->tree);
    p->again = true;
}

static void use_host(used *u, size_t index);

static bool begins_name(const char *name, const char *word)
{
    size_t n = strlen(word);
    return strncmp(name, word, n) == 0 && (!name[n] || name[n] == '.' || name[n] == '=');
}

static void use_host_name(used *u, const ast_file *f, const char *word)
{
    const cpl_function_source *given = ((const sema_host *)f->host)->given;
    for (size_t i = 0; i < given->name_count; i++) {
        const cpl_name *n = &given->names[i];
        if (!begins_name(n->name, word)) continue;
        sb_printf(u->key, "value %s %d %d %d %llx\n", n->name, n->kind, n->dtype, n->is_unsigned,
                  (unsigned long long)n->value.u);
        if (n->kind == CPL_NAME_FUNCTION) use_host(u, n->function);
        else put(u, "imag", (const char *)&n->imag, sizeof n->imag);
        use_type(u, n->type);
        put_text(u, "target", n->target);
        if (n->target) use_outside(u, n->target);
    }
}

static void use_host(used *u, size_t index)
{
    const sema_host *h = module_host_at(u->p->module, index);
    uint32_t before = u->pieces.n;
    ast_file *f = u->p->file;
    if (f->host != h) {
        f = arena_new(u->arena, ast_file);
        f->host = h;
    }
    add_whole(u, h->src, f);
    if (u->pieces.n == before) return;
    put_text(u, "name", h->given->name);
    sb_printf(u->key, "locals %d\n", h->given->locals);
    use_type(u, h->given->result);
    for (size_t i = 0; i < h->given->type_count; i++) use_type(u, h->given->types[i]);
    /* what values of the structs that it names have: operators call methods without a word */
    for (size_t i = 0; i < h->given->name_count; i++) {
        const cpl_name *n = &h->given->names[i];
        if (n->kind == CPL_NAME_TYPE && type_is_struct(n->type)) use_host_name(u, f, n->name);
    }
}

/* What the file assigns elsewhere in place of a constant of a class is not in its text. */
static void use_class(used *u, ast_file *f, const ast_class *k)
{
    for (uint32_t i = 0; i < k->body->items.n; i++) {
        const ast_item *item = &k->body->items.at[i];
        if (item->kind == ITEM_CONST)
            sb_printf(u->key, "constant %s.%s %d\n", k->name, item->name,
                      item->constant->reassigned);
    }
    add_statement(u, f, k->name_span.begin, true);
}

static void use_item(used *u, piece *p, ast_file *f, const ast_item *item)
{
    switch (item->kind) {
    case ITEM_IMPORT: use_import(u, p, item->import, item->import->name); break;
    case ITEM_FUNC: add_statement(u, f, item->func->name_span.begin, true); break;
    case ITEM_CLASS: use_class(u, f, item->class_); break;
    case ITEM_CONST:
        sb_printf(u->key, "constant %s %d\n", item->name, item->constant->reassigned);
        add_statement(u, f, item->constant->span.begin, false);
        break;
    }
}

static void look_up(used *u, piece *p, ast_file *f, const char *name)
{
    if (f->host) {
        use_host_name(u, f, name);
        return;
    }
    const ast_item *item = map_get(&f->names, name);
    if (item) use_item(u, p, f, item);
    for (uint32_t i = 0; i < f->stars.n; i++) use_import(u, p, f->stars.at[i], name);
}

/* --- words --- */

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (uint8_t)c >= 0x80;
}

static void use_word(used *u, piece *p, const char *word, size_t n)
{
    const char *name = front_name(u->arena, word, n);
    size_t before = u->key->n;
    if (map_get(&p->seen, name)) return;
    map_put(u->arena, &p->seen, name, p);
    u->searches = (map){0};
    use_outside(u, name);
    if (p->file) look_up(u, p, p->file, name);
    for (uint32_t i = 0; i < p->modules.n; i++) look_up(u, p, p->modules.at[i], name);
    if (u->key->n != before) put_text(u, "for", name);
}

/* --- words that are in no text --- */

static const char *behind_string(const char *at, const char *end)
{
    char quote = *at;
    size_t n = end - at > 2 && at[1] == quote && at[2] == quote ? 3 : 1;
    for (at += n; at < end; at++) {
        if (*at == '\\') at++;
        else if (*at == quote && (n == 1 || (end - at > 2 && at[1] == quote && at[2] == quote)))
            return at + n;
    }
    return end;
}

/* Whether a string has an escape in it, or goes on in the next one: its words are others then. */
static bool makes_words(const char *at, const char *end)
{
    bool behind = false; /* a string, but for white space */
    while (at < end) {
        if (*at == '#') {
            while (at < end && *at != '\n' && *at != '\r') at++;
        } else if (*at == '"' || *at == '\'') {
            const char *last = behind_string(at, end);
            if (behind || memchr(at, '\\', (size_t)(last - at))) return true;
            behind = true;
            at = last;
        } else {
            behind &= memchr(" \t\r\n\f\\", *at, 6) != NULL;
            at++;
        }
    }
    return false;
}

/* Whatever the file has a name for. */
static void use_all(used *u, piece *p)
{
    const ast_file *f = p->file;
    const cpl_function_source *given = f->host ? ((const sema_host *)f->host)->given : NULL;
    for (size_t i = 0; given && i < given->name_count; i++) {
        const char *name = given->names[i].name;
        use_word(u, p, name, strcspn(name, ".="));
    }
    for (uint32_t i = 0; i < f->items.n; i++)
        use_word(u, p, f->items.at[i].name, strlen(f->items.at[i].name));
    for (uint32_t i = 0; i < f->items.n; i++) {
        const ast_item *item = &f->items.at[i];
        file *of = item->kind == ITEM_IMPORT ? find_file(u, item->import->module) : NULL;
        if (of) add_whole(u, of->src, of->tree);
    }
}

static void use_words(used *u, piece *p)
{
    do {
        p->again = false;
        p->seen = (map){0};
        const char *end = p->text + (p->end - p->begin);
        for (const char *at = p->text; at < end;) {
            const char *word = at;
            while (at < end && is_word(*at)) at++;
            if (at > word && (*word < '0' || *word > '9'))
                use_word(u, p, word, (size_t)(at - word));
            else if (at == word) at++;
        }
        if (p->file && makes_words(p->text, end)) use_all(u, p);
    } while (p->again);
}

/* --- the whole --- */

static void use_bind(used *u, const cpl_bind *b)
{
    pipeline *p = u->p;
    sb_printf(u->key, "bind %d %lld\n", b->kind, (long long)b->integer);
    if (b->kind == CPL_BIND_TYPE) use_type(u, b->type);
    if (!binds_text(b)) return;
    size_t host = p->module->hosts ? module_find_host(p->module, b->text) : SIZE_MAX;
    if (b->kind == CPL_BIND_FUNCTION && host != SIZE_MAX) use_host(u, host);
    const source *src = b->kind == CPL_BIND_EXPRESSION ? bind_source(p->module, b->text) : NULL;
    add_piece(u, &(piece){.text = b->text,
                          .src = src,
                          .end = (uint32_t)strlen(b->text),
                          .file = p->file});
}

static void use_function(used *u)
{
    pipeline *p = u->p;
    cpl_module *m = p->module;
    put_text(u, "function", p->function);
    if (m->is_ir) add_whole(u, &m->src->src, NULL);
    else if (p->library) return; /* it uses what is bound */
    else if (m->hosts) use_host(u, module_find_host(m, p->function));
    else look_up(u, &(piece){0}, p->file, p->function);
}

/* Line info tells where in which files things stand: those of functions. */
static void put_places(used *u)
{
    const source *main = u->p->file ? u->p->file->src : &u->p->module->src->src, *last = main;
    for (uint32_t i = 0; i <= u->pieces.n; i++) {
        const piece *p = i ? u->pieces.at[i - 1] : NULL;
        const source *src = p ? p->src : main;
        if (p && (!p->is_code || src == last || src == main)) continue;
        sb_printf(u->key, "%s\n%u\n", src->name, src->lines_before);
        put(u, "file", src->text, src->size);
        last = src;
    }
}

used *used_find(pipeline *p, strbuf *key)
{
    arena *a = &p->comp->arena;
    used *u = arena_new(a, used);
    *u = (used){.p = p, .arena = a, .key = key};
    use_function(u);
    for (size_t i = 0; i < p->type_count; i++) use_type(u, p->types[i]);
    for (size_t i = 0; i < p->bind_count; i++) use_bind(u, &p->binds[i]);
    for (uint32_t i = 0; i < u->pieces.n; i++) use_words(u, u->pieces.at[i]);
    if (p->options[OPT_debug_info]) put_places(u);
    return u;
}

/* --- places in them --- */

/* The files of the library: those that are imported, and the function's own. */
static const source *library_at(const used *u, uint32_t i)
{
    if (i < SEMA_LIBRARIES) return &u->p->module->cx->libraries[i].src;
    return u->p->library && i == SEMA_LIBRARIES ? u->p->library->src : NULL;
}

bool used_leave(const used *u, cpl_span *span)
{
    if (!span->file) return true;
    for (uint32_t i = 0; i < u->pieces.n; i++) {
        const piece *p = u->pieces.at[i];
        if (!p->src || p->src->id != span->file || span->begin < p->begin || span->begin > p->end)
            continue;
        *span = (cpl_span){SEMA_LIBRARIES + 2 + i, span->begin - p->begin, span->end - p->begin};
        return true;
    }
    for (uint32_t i = 0; i <= SEMA_LIBRARIES; i++) {
        const source *src = library_at(u, i);
        if (!src || src->id != span->file) continue;
        span->file = 1 + i;
        return true;
    }
    return false;
}

void used_return(const used *u, cpl_span *span)
{
    const source *src = span->file ? library_at(u, span->file - 1) : NULL;
    uint32_t i = span->file - (SEMA_LIBRARIES + 2);
    if (span->file >= SEMA_LIBRARIES + 2 && i < u->pieces.n) {
        const piece *p = u->pieces.at[i];
        src = p->src;
        span->begin += p->begin;
        span->end += p->begin;
    }
    span->file = src ? src->id : 0;
}
