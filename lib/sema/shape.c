/*
 * Arrays of several dimensions. How many a parameter has follows from what its function, and those
 * that it passes the array on to, do with it: as many as the most indices behind its name, as
 * x.shape[d] asks for, or as a function has that it is passed to. This rises from round to round as
 * the locals' types do. What a call passes has its dimensions from there.
 */
#include "lib/sema/sema_int.h"
#include "lib/support/plural.h"

static uint32_t index_count(const ast_node *n)
{
    return n->kids[1]->kind == AST_TUPLE ? n->kids[1]->kid_count : 1;
}

uint32_t sema_dims_left(const sema_func *f, const ast_node *n)
{
    if (n->kind == AST_INDEX) {
        uint32_t left = sema_dims_left(f, n->kids[0]), used = index_count(n);
        return left > used ? left - used : 0;
    }
    const cpl_type *t = f->types[n->id];
    return n->kind == AST_NAME && sema_is_known(t) && type_is_pointer(t) ? t->dims : 0;
}

static sema_var *array_named(const instance *in, const ast_node *n)
{
    sema_var *v = n->kind == AST_NAME ? sema_local(in, n->name) : NULL;
    return v && sema_is_known(v->type) && type_is_pointer(v->type) ? v : NULL;
}

sema_axis sema_axis_of(const instance *in, const ast_node *n, uint32_t left)
{
    while (n->kind == AST_INDEX) n = n->kids[0];
    const sema_var *v = array_named(in, n);
    bool several = v && left && v->type->dims > 1 && left <= v->type->dims;
    return several ? (sema_axis){.v = v, .at = v->type->dims - left} : (sema_axis){0};
}

/* ---- what is asked of parameters ---- */

static void ask(instance *in, sema_var *v, uint32_t dims, cpl_span span)
{
    if (!v->is_param || v->shape_given || v->type->space != SPACE_GLOBAL || in->phase == 3) return;
    if (dims <= v->dims || dims > TYPE_MOST_DIMS) return;
    v->dims = (uint8_t)dims;
    v->dims_asked = span;
    v->type = comp_shaped(in->s->comp, v->type->elem, dims, v->type->strided);
    in->changed = true;
}

void sema_ask_dims(instance *in, const ast_node *n, uint32_t dims, cpl_span span)
{
    sema_var *v = array_named(in, n);
    if (v) ask(in, v, dims, span);
}

void sema_ask_indices(instance *in, const ast_node *n)
{
    uint32_t count = 0;
    cpl_span span = n->span;
    bool behind = n->kids[0]->kind == AST_INDEX && n->kids[1]->kind != AST_TUPLE;
    bool alone = n->stands;
    for (; n->kind == AST_INDEX; n = n->kids[0]) count += index_count(n);
    sema_var *v = array_named(in, n);
    if (!v) return;
    /* the last ones are those of matrices that are the elements */
    for (const cpl_type *t = v->type->elem; type_is_array(t) && count > 0; t = t->elem) count--;
    if (behind && sema_is_vector(v->type->elem)) count--; /* that of a lane */
    if (count > 1 || (count == 1 && alone)) ask(in, v, count, span);
}

void sema_ask_parameter(instance *in, const ast_node *n, const sema_var *parameter)
{
    sema_var *v = array_named(in, n);
    if (v && parameter->dims) ask(in, v, parameter->dims, n->span);
    const cpl_type *t = in->f.types[n->id], *to = parameter->type;
    if (!sema_is_known(t) || !type_is_pointer(t) || !type_is_pointer(to) || t->dims == to->dims)
        return;
    diag *d = sema_error(in, n->span, "'%s' has %u dimension%s, and this is %s", parameter->name,
                         to->dims, plural(to->dims), sema_name(in, t));
    sema_note(in, d, parameter->span, "the parameter is here");
}

/* ---- len(x[i]) ---- */

bool sema_has_rows(const sema_var *v)
{
    if (!v->is_param || !sema_is_known(v->type) || !type_is_pointer(v->type)) return false;
    const cpl_type *elem = v->type->elem;
    return v->type->space == SPACE_GLOBAL && (type_is_scalar(elem) || type_is_complex(elem));
}

bool sema_is_row(const instance *in, const ast_node *n)
{
    while (n->kind == AST_INDEX) n = n->kids[0];
    const sema_var *v = array_named(in, n);
    return v && sema_has_rows(v);
}

const cpl_type *sema_row_length(instance *in, ast_node *n)
{
    ast_node *row = n->kids[1], *array = row;
    uint32_t count = 0;
    for (; array->kind == AST_INDEX; array = array->kids[0]) count += index_count(array);
    sema_var *v = array_named(in, array);
    ask(in, v, count + 1, n->span);
    const cpl_type *t = sema_array(in, row);
    if (!sema_is_known(t)) return t;
    uint32_t left = sema_dims_left(&in->f, row);
    if (!left) {
        uint32_t dims = v->type->dims ? v->type->dims : 1;
        sema_error(in, row->span, "'%s' has %u dimension%s, and this is a number", v->name, dims,
                   plural(dims));
        return &sema_error_type;
    }
    in->f.uses_len = true;
    in->f.refs[n->id] = (sema_ref){.kind = REF_SHAPE, .dim = v->type->dims - left};
    return in->s->t_i64;
}

/* ---- x.shape[d] ---- */

/* The type of n, a name of a private array; or NULL. */
static const cpl_type *private_type(const instance *in, const ast_node *n)
{
    const sema_var *v = n->kind == AST_NAME ? sema_local(in, n->name) : NULL;
    return v && sema_is_known(v->type) && type_is_array(v->type) ? v->type : NULL;
}

/* n is a number that is known, as len() is. */
static const cpl_type *known_size(instance *in, const ast_node *n, uint64_t size)
{
    sema_const k = sema_int_const(in->s, size, false);
    in->f.refs[n->id] = (sema_ref){.kind = REF_CONST, .constant = k};
    return sema_weak_of(k);
}

static uint32_t private_dims(const cpl_type *t)
{
    uint32_t dims = 0;
    for (; type_is_array(t); t = t->elem) dims++;
    return dims;
}

/* Whether n is what arrays have under a name, and no field of a struct. */
static bool is_member(const instance *in, const ast_node *n, const char *name)
{
    if (n->kind != AST_ATTRIBUTE || strcmp(n->name, name) != 0) return false;
    const sema_var *v = array_named(in, n->kids[0]);
    if (!v || !type_is_struct(v->type->elem)) return v != NULL;
    for (uint32_t i = 0; i < v->type->elem->field_count; i++)
        if (strcmp(v->type->elem->fields[i].name, name) == 0) return false;
    return true;
}

bool sema_is_shape(const instance *in, const ast_node *n)
{
    return is_member(in, n, "shape");
}

bool sema_has_shape(const instance *in, const ast_node *n)
{
    bool named = n->kind == AST_ATTRIBUTE && strcmp(n->name, "shape") == 0;
    return sema_is_shape(in, n) || (named && private_type(in, n->kids[0]));
}

bool sema_is_size(const instance *in, const ast_node *n)
{
    bool named = n->kind == AST_ATTRIBUTE && strcmp(n->name, "size") == 0;
    return is_member(in, n, "size") || (named && private_type(in, n->kids[0]));
}

const cpl_type *sema_size(instance *in, const ast_node *n)
{
    const cpl_type *made = private_type(in, n->kids[0]);
    uint64_t size = 1;
    for (const cpl_type *t = made; t && type_is_array(t); t = t->elem) size *= t->count;
    if (made) return known_size(in, n, size);
    const cpl_type *t = sema_array(in, n->kids[0]);
    in->f.uses_len = true;
    in->f.refs[n->id] = (sema_ref){.kind = REF_SIZE, .dim = t->dims};
    return in->s->t_i64;
}

static const cpl_type *no_dimension(instance *in, const ast_node *index)
{
    diag *d = sema_error(in, index->span, "a shape's index is a number from 0 to %d that is known",
                         TYPE_MOST_DIMS - 1);
    sema_hint(in, d, "x.shape[0]");
    return &sema_error_type;
}

const cpl_type *sema_shape_item(instance *in, ast_node *n)
{
    ast_node *array = n->kids[0]->kids[0], *index = n->kids[1];
    if (index->kind == AST_TUPLE) return no_dimension(in, index);
    const cpl_type *t = sema_value(in, index);
    sema_settle_default(in, index);
    const sema_const *k = sema_const_of(in, index);
    if (sema_is_error(t)) return t;
    if (!k || !type_is_int(k->type) || k->bits >= TYPE_MOST_DIMS) return no_dimension(in, index);
    const cpl_type *made = private_type(in, array);
    if (!made) ask(in, array_named(in, array), (uint32_t)k->bits + 1, n->span);
    t = made ? made : sema_array(in, array);
    uint32_t dims = made ? private_dims(t) : t->dims ? t->dims : 1;
    if (k->bits >= dims) {
        sema_error(in, index->span, "'%s' has %u dimension%s", array->name, dims, plural(dims));
        return &sema_error_type;
    }
    for (uint64_t i = 0; made && i < k->bits; i++) t = t->elem;
    if (made) return known_size(in, n, t->count);
    in->f.uses_len = true;
    in->f.refs[n->id] = (sema_ref){.kind = REF_SHAPE, .dim = (uint32_t)k->bits};
    return in->s->t_i64;
}

const cpl_type *sema_shape(instance *in, ast_node *n, uint32_t names)
{
    ast_node *array = n->kids[0];
    sema_var *v = array_named(in, array);
    ask(in, v, names, n->span);
    const cpl_type *t = sema_array(in, array);
    uint32_t dims = t->dims ? t->dims : 1;
    if (dims != names) {
        diag *d = sema_error(in, n->span, "'%s' has %u dimension%s, and %u names stand on the left",
                             v->name, dims, plural(dims), names);
        if (v->dims_asked.file) sema_note(in, d, v->dims_asked, "it has as many because of this");
        return &sema_error_type;
    }
    in->f.uses_len = true;
    in->f.refs[n->id] = (sema_ref){.kind = REF_SHAPE};
    in->f.types[n->id] = in->s->t_i64;
    return in->s->t_i64;
}

/* ---- where an array stands ---- */

static void no_value(instance *in, const ast_node *call)
{
    const sema_ref *called = &in->f.refs[call->id];
    const ast_func *fn = called->kind == REF_FUNC ? called->func->fn : NULL;
    if (fn && call->span.file == in->s->own_source)
        sema_error(in, fn->span, "'%s' returns nothing, and a value is asked of it", fn->name);
    else sema_error(in, call->span, "this call gives no value");
}

const cpl_type *sema_array(instance *in, ast_node *n)
{
    const cpl_type *t = sema_expr(in, n);
    if (!sema_is_known(t) || !type_is_void(t)) return t;
    no_value(in, n);
    in->f.types[n->id] = &sema_error_type;
    return &sema_error_type;
}

static void missing_indices(instance *in, const ast_node *n, const sema_var *v, uint32_t left)
{
    static const char *const all[] = {"i, j", "i, j, k", "i, j, k, ..."},
                             *const rows[] = {"i, ", "i, j, ", "i, j, ..., "},
                             *const all_of[] = {":, ", ":, :, ", ":, :, ..., "};
    uint32_t dims = v->type->dims - sema_row_indices(in->sig, v->name);
    bool alone = n->kind == AST_NAME || (dims < v->type->dims && left == dims);
    diag *d;
    if (dims == 1) {
        d = sema_error(in, n->span, "'%s', a row here, stands without its index", v->name);
        sema_hint(in, d, "%s[i]; as a whole it goes to functions of the file, len() and sums",
                  v->name);
        return;
    }
    if (sema_is_looped(n))
        d = sema_error(in, n->span, "%s %s one dimension, and '%s' has %u",
                       n->name ? n->name : "a for loop",
                       n->name ? "takes an array of" : "runs over arrays of", v->name, dims);
    else if (alone)
        d = sema_error(in, n->span, "'%s' has %u dimension%s and stands here without its indices",
                       v->name, dims, plural(dims));
    else
        d = sema_error(in, n->span, "'%s' has %u dimension%s: %u ind%s missing here", v->name, dims,
                       plural(dims), left, counted(left, "ex is", "ices are"));
    if (v->dims_asked.file) sema_note(in, d, v->dims_asked, "it has as many because of this");
    if (sema_is_looped(n) && !n->name) {
        sema_hint(in, d, "for i in range(%s.shape[0]): ... %s[i, j]", v->name, v->name);
        return;
    }
    uint32_t at = dims < 4 ? dims - 2 : 2;
    const char *indices = all[at];
    if (alone)
        sema_hint(in, d,
                  "%s[%s]; as a whole it goes to functions of the file, len() and %s.shape[0]",
                  v->name, indices, v->name);
    else
        sema_hint(in, d,
                  "an element is %s[%s]; a row %s[%s:], all elements %s[%s:], which stand in "
                  "assignments to elements and in sums",
                  v->name, indices, v->name, rows[at], v->name, all_of[at]);
}

const cpl_type *sema_value(instance *in, ast_node *n)
{
    const cpl_type *t = sema_array(in, n);
    uint32_t left = sema_dims_left(&in->f, n);
    if (!sema_is_known(t) || left == 0) return t;
    const ast_node *array = n;
    while (array->kind == AST_INDEX) array = array->kids[0];
    missing_indices(in, n, sema_local(in, array->name), left);
    in->f.types[n->id] = &sema_error_type;
    return &sema_error_type;
}
