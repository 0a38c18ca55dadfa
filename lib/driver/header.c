/* C headers for objects compiled ahead of time: what CPL_STAGE_HEADER writes. */
#include "lib/codegen/symbol.h"
#include "lib/driver/internal.h"

#include <ctype.h>

typedef struct header {
    strbuf *out;
    const pipeline *p;
    const ir_func *entry;
    const artifact *a;             /* its parameters and sites */
    const char *symbol;            /* of the entry */
    const char *name;              /* of the entry in C: differs when the symbol is a keyword */
    VEC(const cpl_type *) structs; /* that are defined */
} header;

static arena *arena_of(const header *h)
{
    return &h->p->comp->arena;
}

/* As --types spells it. */
static const char *spelling(const header *h, const artifact_param *p)
{
    const cpl_type *t = p->type;
    if (!type_is_pointer(t)) return t->text;
    if (p->dims > 1) return comp_shaped(h->p->comp, t->elem, p->dims, p->strided)->text;
    return arena_printf(arena_of(h), "%s%s", t->elem->text, p->strided ? "[:]" : "[]");
}

/* Comments must not end early, whatever a file is called. */
static void put_comment(strbuf *sb, const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= ' ' && !(*text == '/' && sb->n && sb->at[sb->n - 1] == '*'))
            sb_putc(sb, *text);
}

static void put_string(strbuf *sb, const char *text)
{
    sb_putc(sb, '"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\' || c == '?') sb_printf(sb, "\\%c", c);
        else if (c < ' ' || c > '~') sb_printf(sb, "\\%03o", c);
        else sb_putc(sb, (char)c);
    }
    sb_putc(sb, '"');
}

/* What parameters stand for that the prototype has not. */
static void put_bound(header *h)
{
    const sema_program *program = h->p->program;
    const char *before = "\n *\n * with\n *\n";
    for (uint32_t i = 0; program && i < program->entry->bound.n; i++) {
        const sema_var *v = program->entry->bound.at[i];
        sb_printf(h->out, "%s *    %s = ", before, v->name);
        put_comment(h->out, v->type->text);
        before = "\n";
    }
}

static void put_top(header *h)
{
    strbuf *o = h->out;
    sb_put(o, "/*\n * ");
    put_comment(o, h->entry->name);
    sb_put(o, " of ");
    put_comment(o, h->p->file ? h->p->file->src->name : h->p->module->src->src.name);
    sb_printf(o, ", compiled ahead of time by cplc %s", CPL_VERSION_TEXT);
    const char *before = " for the types\n *\n *    ";
    for (size_t i = 0; i < h->a->param_count; i++) {
        if (h->a->params[i].role != PARAM_ARG) continue;
        sb_printf(o, "%s%s=%s", before, h->a->params[i].name, spelling(h, &h->a->params[i]));
        before = " ";
    }
    put_bound(h);
    sb_put(o, "\n *\n * The object needs ");
    host_cpu(o, (int)h->p->options[OPT_cpu_level], false);
    sb_put(o, ".\n * Link it with libcplrt.a, libm (which brings libmvec) and LLVM's or Intel's "
              "OpenMP runtime: -lcplrt -lomp -lm\n"
              " * or, for threads of the program's own: -lcplrt -lcplrt_threads -lm\n");
    if (h->a->relies & CPL_FACT_SMALL)
        sb_put(o,
               " * It is right only for fewer than 2^31 rounds, and for arrays of fewer elements "
               "than that.\n");
    if (h->a->relies & CPL_FACT_APART)
        sb_put(o, " * It is right only where arrays share no memory if one of them is written.\n");
    for (uint32_t i = 0; i < h->p->ir->funcs.n; i++)
        if (h->p->ir->funcs.at[i]->linkage == IR_EXTERN)
            sb_printf(o, " * It calls a C function of yours: %s\n", h->p->ir->funcs.at[i]->name);
    sb_put(o, " */\n");
}

static void put_guard(header *h)
{
    char *guard = arena_strdup(arena_of(h), h->symbol);
    for (char *p = guard; *p; p++) *p = (char)toupper((unsigned char)*p);
    sb_printf(h->out, "#ifndef CPL_KERNEL_%s_H\n#define CPL_KERNEL_%s_H\n\n", guard, guard);
    sb_put(h->out, "#include <cpl/rt.h>\n\n#if CPLRT_INTERFACE != 3\n#error \"cpl/rt.h does not "
                   "fit; compile the kernel again\"\n#endif\n"
                   "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
}

static const cpl_type *struct_in(const cpl_type *t)
{
    while (type_is_pointer(t) || type_is_array(t)) t = t->elem;
    return type_is_struct(t) ? t : NULL;
}

/* Of the name and the layout: headers with the same struct go together, others of its name do not.
 */
static const char *struct_guard(const header *h, const cpl_type *t)
{
    uint64_t hash = hash_bytes(&t->size, sizeof t->size, t->align);
    for (uint32_t i = 0; i < t->field_count; i++) {
        const cpl_field *f = &t->fields[i];
        hash = hash_bytes(f->name, strlen(f->name), hash ^ f->offset);
        hash = hash_bytes(f->type->text, strlen(f->type->text), hash);
    }
    return arena_printf(arena_of(h), "CPL_STRUCT_%s_%08x", c_identifier(arena_of(h), t->name),
                        (unsigned)(hash & UINT32_MAX));
}

/* Structs by value stand before what holds them; those behind pointers may follow. */
static void put_struct(header *h, const cpl_type *t)
{
    for (uint32_t i = 0; i < h->structs.n; i++)
        if (h->structs.at[i] == t) return;
    vec_push(arena_of(h), &h->structs, t);
    for (uint32_t i = 0; i < t->field_count; i++)
        if (struct_in(t->fields[i].type)) put_struct(h, struct_in(t->fields[i].type));
    arena *a = arena_of(h);
    strbuf *o = h->out;
    const char *guard = struct_guard(h, t);
    sb_printf(o, "#ifndef %s\n#define %s\nstruct %s {\n", guard, guard, c_identifier(a, t->name));
    for (uint32_t i = 0; i <= t->field_count; i++) {
        size_t bytes = t->placed ? type_padding(t, i) : 0;
        if (bytes)
            sb_printf(o, "    uint8_t %s[%zu];\n", c_identifier(a, type_padding_name(a, t, i)),
                      bytes);
        if (i < t->field_count)
            sb_printf(o, "    %s;\n",
                      c_declaration(a, t->fields[i].type, c_identifier(a, t->fields[i].name)));
    }
    if (t->placed) sb_printf(o, "} __attribute__((packed, aligned(%zu)));\n", t->align);
    else sb_put(o, "};\n");
    sb_printf(o, "#ifdef __cplusplus\nstatic_assert(sizeof(struct %s) == %zu, \"layout\");\n",
              c_identifier(a, t->name), t->size);
    sb_printf(o, "#else\n_Static_assert(sizeof(struct %s) == %zu, \"layout\");\n#endif\n#endif\n\n",
              c_identifier(a, t->name), t->size);
}

static void put_parameter(header *h, size_t i)
{
    const artifact_param *q = &h->a->params[i];
    const char *of = h->entry->params.at[i]->of ? h->a->params[q->of].name : "";
    sb_printf(h->out, " *   %-16s ", c_identifier(arena_of(h), q->name));
    switch (q->role) {
    case PARAM_COUNT:
        sb_put(h->out,
               h->a->indices > 1 ? "not used: the shape decides" : "how many indices there are");
        break;
    case PARAM_ARG:
        sb_put(h->out, spelling(h, q));
        if (type_is_pointer(q->type)) sb_put(h->out, q->readonly ? ", only read" : ", written");
        break;
    case PARAM_LENGTH: sb_printf(h->out, "elements of %s", of); break;
    case PARAM_SHAPE: sb_printf(h->out, "elements of %s along dimension %d", of, q->axis); break;
    case PARAM_STRIDE:
        sb_printf(h->out, "bytes from one element of %s to the next", of);
        if (h->a->params[q->of].dims > 1) sb_printf(h->out, " along dimension %d", q->axis);
        break;
    case PARAM_PARTS: sb_put(h->out, "memory for parts of the result"); break;
    case PARAM_RESULT: sb_put(h->out, "receives the result"); break;
    case PARAM_GRID: sb_put(h->out, "the grid, with memory behind it: see cpl/rt.h"); break;
    case PARAM_IMAG: sb_printf(h->out, "the imaginary part of %s", of); break;
    case PARAM_ROLE_COUNT: break;
    case PARAM_FAULT:
        sb_put(h->out,
               "receives the first failed check, which is skipped; zero it before the call");
        break;
    }
    sb_putc(h->out, '\n');
}

static const char *count_name(const header *h)
{
    size_t i = 0;
    while (h->a->params[i].role != PARAM_COUNT) i++;
    return c_identifier(arena_of(h), h->a->params[i].name);
}

/* An elementwise entry's rounds, and what they ask of its arrays. */
static void put_rounds(header *h)
{
    bool in_order = h->p->runner.cx.in_order;
    sb_put(h->out, "/*\n * Runs the kernel for each ");
    if (h->a->indices > 1) sb_put(h->out, "element of the first array's shape");
    else sb_printf(h->out, "index in [0, %s)", count_name(h));
    sb_put(h->out, in_order ? ", in order, on one thread." : ", in parallel.");
    if (h->a->relies & CPL_FACT_APART)
        sb_put(h->out, " An array that is written shares\n * no memory with another one.\n");
    else if (in_order) sb_put(h->out, " Arrays may overlap.\n");
    else
        sb_put(h->out, " An array that is written may be the same as another one, but\n * must "
                       "not overlap it in part.\n");
}

static void put_prototype(header *h)
{
    strbuf *o = h->out;
    if (h->a->elementwise) put_rounds(h);
    else
        sb_put(o, h->entry->groups ? "/*\n * Runs the kernel over a grid.\n"
                                   : "/*\n * Calls the function.\n");
    if (h->a->param_count) sb_put(o, " *\n");
    for (size_t i = 0; i < h->a->param_count; i++) put_parameter(h, i);
    sb_printf(o, " */\n%s", h->a->signature);
    if (strcmp(h->name, h->symbol) != 0) sb_printf(o, " __asm__(\"%s\")", h->symbol);
    sb_put(o, ";\n\n");
}

/* What cplrt_grid_bytes takes. */
static void put_grid_bytes(header *h)
{
    const artifact *a = h->a;
    sb_printf(h->out, "enum { %s_local_bytes = %llu, %s_item_bytes = %llu };\n\n", h->name,
              (unsigned long long)a->local_bytes, h->name, (unsigned long long)a->item_bytes);
}

static void put_cpu_check(header *h)
{
    sb_printf(h->out,
              "/* True if this CPU has what the object was compiled for; elsewhere the kernel may "
              "end the program. */\n"
              "static inline bool %s_runs_here(void)\n{\n    return cplrt_cpu_supports(\"",
              h->name);
    host_cpu(h->out, (int)h->p->options[OPT_cpu_level], true);
    sb_put(h->out, "\");\n}\n");
}

static const source *source_of(const header *h, cpl_span span)
{
    const compilation *c = h->p->comp;
    return span.file && c->find_source ? c->find_source(c->find_source_user, span.file) : NULL;
}

static void put_fault_text(header *h)
{
    strbuf *o = h->out;
    sb_printf(
        o,
        "\n/* What a fault of the kernel means; see cplrt_fault_text. */\n"
        "static inline size_t %s_fault_text(const cpl_fault *fault, char *text, size_t size)\n{\n",
        h->name);
    sb_put(o, "    static const cplrt_site sites[] = {\n");
    for (size_t i = 0; i < h->a->site_count; i++) {
        const artifact_site *s = &h->a->sites[i];
        const source *src = source_of(h, s->span);
        source_place place = src ? source_locate(src, s->span.begin) : (source_place){0};
        sb_put(o, "        {");
        put_string(o, src ? src->name : "?");
        sb_printf(o, ", %u, %u, ", (unsigned)place.line, (unsigned)place.column);
        put_string(o, s->func);
        sb_put(o, ", ");
        if (s->arg) put_string(o, s->arg);
        else sb_put(o, "NULL");
        sb_printf(o, ", %d},\n", s->axis);
    }
    /* C has no empty arrays */
    if (!h->a->site_count) sb_put(o, "        {\"\", 0, 0, \"\", NULL, -1},\n");
    sb_printf(o, "    };\n    return cplrt_fault_text(sites, %zu, fault, text, size);\n}\n",
              h->a->site_count);
}

void print_header(strbuf *out, const pipeline *p, const artifact *a)
{
    header h = {.out = out, .p = p, .entry = ir_entry(p->ir), .a = a};
    h.symbol = gen_symbol(arena_of(&h), h.entry->name);
    h.name = c_identifier(arena_of(&h), h.symbol);
    put_top(&h);
    put_guard(&h);
    bool checked = false;
    for (size_t i = 0; i < a->param_count; i++) {
        if (a->params[i].role == PARAM_FAULT) checked = true;
        else if (struct_in(a->params[i].type)) put_struct(&h, struct_in(a->params[i].type));
    }
    put_prototype(&h);
    if (h.entry->groups) put_grid_bytes(&h);
    put_cpu_check(&h);
    if (checked) put_fault_text(&h);
    sb_put(out, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
