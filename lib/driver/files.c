/*
 * The files of a module: the one it is made of, and those that imports name: other texts of the
 * host, or `name.py` in the folder of the first file. Nothing else is read: no packages, no paths,
 * nothing that is no regular file.
 */
#include "lib/driver/internal.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

char *name_copy(const mem *a, const char *name, size_t size)
{
    size_t room = cpl_name_normal(name, size, NULL, 0) + 1;
    char *copy = mem_realloc(a, NULL, 0, room);
    if (copy) cpl_name_normal(name, size, copy, room);
    return copy;
}

char *module_name(const mem *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t n = strlen(base);
    if (n > 3 && strcmp(base + n - 3, ".py") == 0) n -= 3;
    return name_copy(a, base, n);
}

/* Takes over name; false when there is no memory, or name is NULL for want of it. */
static bool add(cpl_module *m, module_file f)
{
    const mem *a = &m->cx->mem;
    size_t n = m->file_count;
    module_file *files =
        f.name ? mem_realloc(a, m->files, n * sizeof *files, (n + 1) * sizeof *files) : NULL;
    if (!files) {
        mem_strfree(a, f.name);
        return false;
    }
    m->files = files;
    m->files[m->file_count++] = f;
    return true;
}

bool module_add_file(cpl_module *m, const char *path, char *text, size_t size)
{
    const mem *a = &m->cx->mem;
    source_entry *src = context_add_source(m->cx, path, text, size);
    if (src && add(m, (module_file){.name = module_name(a, path), .src = src, .text = text})) {
        if (!m->src) m->src = src;
        return true;
    }
    if (src) context_remove_source(m->cx, src);
    mem_free(a, text, size + 1);
    return false;
}

/* A file that is there and cannot be used; format takes its path and then what. */
static bool add_problem(cpl_module *m, const char *name, const char *format, const char *path,
                        const char *what)
{
    const mem *a = &m->cx->mem;
    char text[PATH_MAX + 128];
    snprintf(text, sizeof text, format, path, what);
    module_file f = {.name = mem_strdup(a, name), .problem = mem_strdup(a, text)};
    if (f.problem && add(m, f)) return true;
    if (!f.problem) mem_strfree(a, f.name);
    mem_strfree(a, f.problem);
    return false;
}

static const module_file *find(const cpl_module *m, const char *name)
{
    for (size_t i = 0; i < m->file_count; i++)
        if (strcmp(m->files[i].name, name) == 0) return &m->files[i];
    return NULL;
}

bool module_has_file(const cpl_module *m, const char *name)
{
    return find(m, name) != NULL;
}

/* Bytes of the first file's path up to its name. */
static int folder_length(const cpl_module *m)
{
    const char *path = m->src->src.name, *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
}

/* Reads name.py, if there is one. */
static bool read_file(cpl_module *m, const char *name)
{
    char path[PATH_MAX];
    int n = snprintf(path, sizeof path, "%.*s%s.py", folder_length(m), m->src->src.name, name);
    if (n < 0 || n >= (int)sizeof path) return true;
    struct stat st;
    if (stat(path, &st)) {
        return errno == ENOENT ||
               add_problem(m, name, "'%s' cannot be read: %s", path, strerror(errno));
    }
    if (!S_ISREG(st.st_mode)) return add_problem(m, name, "'%s' is %s", path, "no regular file");
    char *text, limit[32];
    size_t size;
    switch (file_read(&m->cx->mem, path, SOURCE_LIMIT, &text, &size)) {
    case CPL_OK: return module_add_file(m, path, text, size);
    case CPL_EIO: return add_problem(m, name, "'%s' cannot be read: %s", path, strerror(errno));
    case CPL_ELIMIT:
        snprintf(limit, sizeof limit, "%d MiB", (int)(SOURCE_LIMIT >> 20));
        return add_problem(m, name, "'%s' is larger than %s", path, limit);
    default: return false;
    }
}

static bool read_named(cpl_module *m, const ast_file *f)
{
    for (uint32_t i = 0; i < f->items.n; i++) {
        const ast_item *item = &f->items.at[i];
        if (item->kind != ITEM_IMPORT) continue;
        const char *name = item->import->module;
        if (strchr(name, '.') || sema_knows_module(name) || find(m, name)) continue;
        if (m->file_count == MOST_FILES) break;
        if (!read_file(m, name)) return false;
    }
    return true;
}

bool module_read_imports(cpl_module *m, ast_file *f, const sema_env *env)
{
    compilation *c = f->comp;
    VEC(ast_file *) parsed = {0};
    vec_push(&c->arena, &parsed, f);
    bool reads = m->origin == FROM_FOLDER, done = !reads || read_named(m, f);
    diag_list said = c->diags;
    c->diags = (diag_list){.arena = &c->arena};
    for (size_t i = 1; done && i < m->file_count; i++) {
        ast_file *other = m->files[i].src ? front_file(c, &m->files[i].src->src) : NULL;
        if (!other) continue;
        vec_push(&c->arena, &parsed, other);
        if (reads) done = read_named(m, other);
    }
    c->diags = said;
    for (uint32_t i = 0; done && i < parsed.n; i++) sema_declare_structs(c, parsed.at[i], env);
    return done;
}

static const char *why_missing(const cpl_module *m, arena *a, const char *name)
{
    const char *path = m->src->src.name;
    if (m->origin == FROM_TEXTS)
        return arena_printf(a, "none of the module's sources is called '%s'", name);
    if (m->origin == FROM_TEXT)
        return "a module of one text has no others (cpl_module_from_sources)";
    if (m->origin == FROM_PIPE)
        return arena_printf(a, "'%s' is no regular file, and has none beside it", path);
    if (m->file_count == MOST_FILES)
        return arena_printf(a, "the module has %d files already", MOST_FILES);
    return arena_printf(a, "there is no '%.*s%s.py'", folder_length(m), path, name);
}

const source *module_find_file(void *user, arena *a, const char *name, const char **problem)
{
    const cpl_module *m = user;
    size_t library = sema_library_index(name);
    if (library < SEMA_LIBRARIES) return &m->cx->libraries[library].src;
    const module_file *f = find(m, name);
    if (f && f->src) return &f->src->src;
    if (problem) *problem = f ? f->problem : why_missing(m, a, name);
    return NULL;
}

void module_free_files(cpl_module *m)
{
    const mem *a = &m->cx->mem;
    for (size_t i = 0; i < m->file_count; i++) {
        module_file *f = &m->files[i];
        size_t size = f->src ? f->src->src.size : 0;
        if (f->src) context_remove_source(m->cx, f->src);
        if (f->text) mem_free(a, f->text, size + 1);
        mem_strfree(a, f->problem);
        mem_strfree(a, f->name);
    }
    mem_free(a, m->files, m->file_count * sizeof *m->files);
}
