/* Diagnostics of an instance: reported in its last round alone, and delivered when the entry
 * reaches it. */
#include "lib/sema/sema_int.h"

static bool is_silent(const instance *in)
{
    return in->phase != 3;
}

static diag *report(instance *in, cpl_status status, cpl_span span, const char *format,
                    va_list args)
{
    return diag_error(&in->diags, status, span, "%s", arena_vprintf(in->diags.arena, format, args));
}

diag *sema_error_as(instance *in, cpl_status status, cpl_span span, const char *format, ...)
{
    if (is_silent(in)) return NULL;
    va_list args;
    va_start(args, format);
    diag *d = report(in, status, span, format, args);
    va_end(args);
    return d;
}

diag *sema_report(instance *in, cpl_status status, cpl_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diag *d = report(in, status, span, format, args);
    va_end(args);
    return d;
}

diag *sema_error(instance *in, cpl_span span, const char *format, ...)
{
    if (is_silent(in)) return NULL;
    va_list args;
    va_start(args, format);
    diag *d = report(in, CPL_ETYPE, span, format, args);
    va_end(args);
    return d;
}

diag *sema_warning(instance *in, cpl_span span, const char *format, ...)
{
    if (is_silent(in)) return NULL;
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(in->diags.arena, format, args);
    va_end(args);
    return diag_warning(&in->diags, span, "%s", message);
}

void sema_remark(instance *in, cpl_span span, const char *format, ...)
{
    if (is_silent(in)) return;
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(in->diags.arena, format, args);
    va_end(args);
    diag_remark(&in->diags, span, "%s", message);
}

diag *sema_error_returns(instance *in, const ast_func *fn, const cpl_type *t, const char *wanted)
{
    diag *d =
        sema_error(in, fn->span, "'%s' returns %s, not %s", fn->name, sema_name(in, t), wanted);
    if (d) d->once = true;
    return d;
}

void sema_hint(instance *in, diag *d, const char *format, ...)
{
    if (!d) return;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(in->diags.arena, format, args);
    va_end(args);
    diag_hint(&in->diags, d, "%s", text);
}

void sema_note(instance *in, diag *d, cpl_span span, const char *format, ...)
{
    if (!d) return;
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(in->diags.arena, format, args);
    va_end(args);
    diag_note(&in->diags, d, span, "%s", text);
}

/* What a host program calls the class of a struct, whose own name says its layout alone, or else
 * its fields: "record(x, y)"; NULL: it has another name. */
static const char *class_name(const instance *in, const cpl_type *t)
{
    enum { MOST_FIELDS = 4 };
    static const char front[] = "struct.", made[] = "record_";
    const sema_host *h = sema_host_of(sema_names_file(in->f.fn->file));
    for (size_t i = 0; h && i < h->given->name_count; i++) {
        const cpl_name *n = &h->given->names[i];
        if (n->kind == CPL_NAME_TYPE && n->type == t && !strncmp(n->name, front, sizeof front - 1))
            return n->name + sizeof front - 1;
    }
    if (!h || strncmp(t->name, made, sizeof made - 1) != 0) return NULL;
    const char *text = "record(";
    for (uint32_t i = 0; i < t->field_count && i < MOST_FIELDS; i++)
        text = arena_printf(&in->s->comp->arena, "%s%s%s", text, i ? ", " : "", t->fields[i].name);
    return arena_printf(&in->s->comp->arena, "%s%s)", text,
                        t->field_count > MOST_FIELDS ? ", ..." : "");
}

const char *sema_name(instance *in, const cpl_type *t)
{
    const char *text = sema_type_name(&in->s->comp->arena, t);
    while (t && (type_is_pointer(t) || type_is_array(t))) t = t->elem;
    const char *name = t && type_is_struct(t) && t->name ? class_name(in, t) : NULL;
    const char *at = name ? strstr(text, t->name) : NULL;
    return at ? arena_printf(&in->s->comp->arena, "%.*s%s%s", (int)(at - text), text, name,
                             at + strlen(t->name))
              : text;
}

/* Of calls inside each other the one around the others. */
const ast_func *sema_asked(const instance *in, cpl_span span)
{
    const ast_node *best = NULL;
    for (uint32_t i = 0; i < in->asked.n; i++) {
        const ast_node *n = in->asked.at[i];
        bool inside = n->span.begin >= span.begin && n->span.end <= span.end;
        if (inside && (!best || n->span.begin < best->span.begin)) best = n;
    }
    return best ? in->f.refs[best->id].func->fn : NULL;
}

static bool stands_before(const diag *a, const diag *b)
{
    return a->span.file != b->span.file ? a->span.file < b->span.file
                                        : a->span.begin < b->span.begin;
}

/* Stable merge of two lists that are in order. */
static diag *merge(diag *a, diag *b)
{
    diag *first = NULL, **at = &first;
    while (a && b) {
        diag **from = stands_before(b, a) ? &b : &a;
        *at = *from;
        at = &(*from)->next;
        *from = (*from)->next;
    }
    *at = a ? a : b;
    return first;
}

static diag *sort(diag *list)
{
    if (!list || !list->next) return list;
    diag *middle = list;
    for (diag *end = list->next; end && end->next; end = end->next->next) middle = middle->next;
    diag *second = middle->next;
    middle->next = NULL;
    return merge(sort(list), sort(second));
}

static bool is_repeated(const diag *first, const diag *d)
{
    for (const diag *e = first; e != d; e = e->next)
        if (diag_repeats(d, e)) return true;
    return false;
}

/* Appends d, which another specialisation may have reported before: each thing is said once. */
static void append(diag_list *to, diag *d)
{
    d->next = NULL;
    if (to->last) to->last->next = d;
    else to->first = d;
    to->last = d;
    if (is_repeated(to->first, d)) return;
    if (d->severity == CPL_ERROR && to->errors++ == 0) to->status = d->status;
}

static void bring_home(diag *d, uint32_t own)
{
    diag **at = &d->notes;
    while (own && *at)
        if ((*at)->span.file == own) *at = (*at)->next;
        else at = &(*at)->next;
    if (!own || d->span.file != own) return;
    d->span = d->notes ? d->notes->span : (cpl_span){0};
    if (d->span.file) d->notes = d->notes->next;
}

void sema_deliver(diag_list *to, diag_list *const *lists, uint32_t n, uint32_t own)
{
    diag *all = NULL;
    for (uint32_t i = 0; i < n; i++) {
        for (diag *d = lists[i]->first; d; d = d->next) bring_home(d, own);
        all = merge(all, sort(lists[i]->first));
        *lists[i] = (diag_list){.arena = lists[i]->arena};
    }
    for (diag *d = all, *next; d; d = next) {
        next = d->next;
        append(to, d);
    }
}
