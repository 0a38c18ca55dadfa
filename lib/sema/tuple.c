/*
 * Tuples: several values as one, returned by functions and taken apart. Their type is a struct that
 * no source names, so that all targets have it. While weak items are in it, it is a type of its
 * own, weak itself: one that is in no table.
 */
#include "lib/sema/sema_int.h"

static const char prefix[] = "tuple.";

bool sema_is_tuple(const cpl_type *t)
{
    return sema_is_known(t) && type_is_struct(t) && t->name &&
           strncmp(t->name, prefix, strlen(prefix)) == 0;
}

bool sema_is_weak_tuple(const cpl_type *t)
{
    return sema_is_tuple(t) && !t->table;
}

static const cpl_type *declare(compilation *c, cpl_field *fields, uint32_t n)
{
    const char *name = "tuple";
    const cpl_type *t;
    for (uint32_t i = 0; i < n; i++) {
        const cpl_type *item = fields[i].type;
        /* else ((a, b), c) and ((a, b, c),) had one name */
        if (sema_is_tuple(item)) name = arena_printf(&c->arena, "%s.%u", name, item->field_count);
        name = arena_printf(&c->arena, "%s.%s", name, item->text);
    }
    switch (type_declare_struct(c->types, name, fields, n, &t)) {
    case CPL_OK: return t;
    case CPL_ENOMEM: longjmp(*c->on_oom, 1);
    default: return &sema_error_type; /* too many */
    }
}

/* The values in t and in all tuples in it, as far as they are `most`. */
static uint32_t count_values(const cpl_type *t, uint32_t most)
{
    uint32_t n = 0;
    if (!sema_is_tuple(t)) return 1;
    for (uint32_t i = 0; i < t->field_count && n <= most; i++)
        n += count_values(t->fields[i].type, most - n);
    return n;
}

static bool is_too_large(const cpl_type *const *items, uint32_t n)
{
    uint32_t values = 0;
    for (uint32_t i = 0; i < n && values <= LIMIT_VALUES; i++)
        values += count_values(items[i], LIMIT_VALUES - values);
    return values > LIMIT_VALUES;
}

const cpl_type *sema_tuple_of(compilation *c, const cpl_type *const *items, uint32_t n)
{
    if (is_too_large(items, n)) return &sema_error_type; /* (t, t) of t, again and again */
    cpl_field *fields = arena_array(&c->arena, n, sizeof *fields);
    bool is_weak = false;
    for (uint32_t i = 0; i < n; i++) {
        is_weak |= sema_is_weak(items[i]);
        fields[i] = (cpl_field){.name = arena_printf(&c->arena, "_%u", i), .type = items[i]};
    }
    if (!is_weak) return declare(c, fields, n);
    cpl_type *t = arena_new(&c->arena, cpl_type);
    *t = (cpl_type){
        .kind = TYPE_STRUCT, .name = prefix, .text = prefix, .fields = fields, .field_count = n};
    return t;
}

static bool has_items(const cpl_type *t, const cpl_type *const *items)
{
    for (uint32_t i = 0; i < t->field_count; i++)
        if (t->fields[i].type != items[i]) return false;
    return true;
}

const cpl_type *sema_tuple_default(compilation *c, const cpl_type *t)
{
    const cpl_type **items = arena_array(&c->arena, t->field_count, sizeof *items);
    for (uint32_t i = 0; i < t->field_count; i++) items[i] = sema_default(c, t->fields[i].type);
    return sema_tuple_of(c, items, t->field_count);
}

/* Item by item; a or b itself where nothing rises. */
const cpl_type *sema_tuple_join(compilation *c, const cpl_type *a, const cpl_type *b)
{
    if (a->field_count != b->field_count) return &sema_error_type;
    const cpl_type **items = arena_array(&c->arena, a->field_count, sizeof *items);
    for (uint32_t i = 0; i < a->field_count; i++) {
        items[i] = sema_join(c, a->fields[i].type, b->fields[i].type);
        if (sema_is_error(items[i])) return items[i];
    }
    if (has_items(a, items)) return a;
    return has_items(b, items) ? b : sema_tuple_of(c, items, a->field_count);
}

const char *sema_tuple_name(arena *a, const cpl_type *t)
{
    const char *text = "(";
    for (uint32_t i = 0; i < t->field_count; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", sema_type_name(a, t->fields[i].type));
    return arena_printf(a, t->field_count == 1 ? "%s,)" : "%s)", text);
}

/* ---- expressions ---- */

static const cpl_type *item(instance *in, ast_node *n)
{
    const cpl_type *t = sema_value(in, n);
    if (!sema_is_known(t)) return t;
    if (type_is_scalar(t) || type_is_struct(t)) return sema_decay(in->s->comp, t);
    diag *d = sema_error(in, n->span, "an item of a tuple is a number or a struct, found %s",
                         sema_name(in, t));
    if (n->kind == AST_NAME && type_is_pointer(t))
        sema_hint(in, d, "who passed '%s' has it; an element is %s[i]", n->name, n->name);
    return &sema_error_type;
}

const cpl_type *sema_tuple(instance *in, ast_node *n)
{
    compilation *c = in->s->comp;
    if (n->kid_count > LIMIT_TUPLE) {
        sema_error_as(in, CPL_ELIMIT, n->span, "a tuple of more than %d items", LIMIT_TUPLE);
        return &sema_error_type;
    }
    const cpl_type **items = arena_array(&c->arena, n->kid_count, sizeof *items);
    bool known = true, error = false;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        items[i] = item(in, n->kids[i]);
        known &= items[i] != NULL;
        error |= sema_is_error(items[i]);
    }
    if (error || !known) return error ? &sema_error_type : NULL;
    if (is_too_large(items, n->kid_count))
        sema_error_as(in, CPL_ELIMIT, n->span,
                      "a tuple of more than %d values, with those of the tuples in it",
                      LIMIT_VALUES);
    return sema_tuple_of(c, items, n->kid_count);
}

const cpl_type *sema_tuple_item(instance *in, ast_node *n, const cpl_type *t)
{
    ast_node *index = n->kids[1];
    if (sema_is_error(sema_value(in, index))) return &sema_error_type;
    sema_settle_default(in, index);
    const sema_const *k = sema_const_of(in, index);
    if (!k || !type_is_int(k->type)) {
        diag *d = sema_error(in, index->span,
                             "an index of a tuple is an integer that is known when the function is "
                             "compiled");
        sema_hint(in, d, "p[0]; in a loop, a matrix: m = declare('matrix(%u)')", t->field_count);
        return &sema_error_type;
    }
    uint64_t at = sema_const_negative(*k) ? k->bits + t->field_count : k->bits;
    if (at >= t->field_count) {
        sema_error(in, index->span, "the index %lld is out of the range of a tuple of %u",
                   (long long)k->bits, t->field_count);
        return &sema_error_type;
    }
    sema_settle_default(in, n->kids[0]);
    in->f.refs[n->id] = (sema_ref){.kind = REF_ITEM, .dim = (uint32_t)at};
    return t->fields[at].type;
}

void sema_settle_tuple(instance *in, ast_node *n, const cpl_type *t)
{
    const cpl_type **mine = &in->f.types[n->id];
    t = sema_default(in->s->comp, t);
    if (!sema_is_tuple(t) || t->field_count != (*mine)->field_count)
        t = sema_default(in->s->comp, *mine);
    *mine = t;
    for (uint32_t i = 0; n->kind == AST_TUPLE && i < n->kid_count; i++)
        sema_settle_store(in, n->kids[i], t->fields[i].type);
    for (uint32_t i = 1; n->kind == AST_TERNARY && i < n->kid_count; i++)
        sema_settle(in, n->kids[i], t);
}

/* tuple[float, int], Tuple[float, int], (float, int) as an annotation; NULL: it is none. */
const cpl_type *sema_tuple_annotation(sema_names in, const ast_node *n)
{
    const ast_node *list = n;
    if (n->kind == AST_INDEX) {
        const char *name = n->kids[0]->kind == AST_NAME || n->kids[0]->kind == AST_ATTRIBUTE
                               ? n->kids[0]->name
                               : "";
        if (strcmp(name, "tuple") != 0 && strcmp(name, "Tuple") != 0) return NULL;
        list = n->kids[1];
    }
    uint32_t count = list->kind == AST_TUPLE ? list->kid_count : 1;
    if (!count) return NULL;
    const cpl_type **items = arena_array(&in.s->comp->arena, count, sizeof *items);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = sema_python_type(in, list->kind == AST_TUPLE ? list->kids[i] : list);
        bool good = items[i] && !type_is_void(items[i]) &&
                    (type_is_scalar(items[i]) || type_is_struct(items[i]));
        if (!good) return NULL;
    }
    return sema_tuple_of(in.s->comp, items, count);
}
