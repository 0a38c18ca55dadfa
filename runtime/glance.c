/*
 * Arguments that are right at a glance. A short launch costs what its arguments cost to look at, so
 * those that most launches are given have a way of their own: one pass that checks them, binds them
 * and sees that they are apart. It says nothing and gives up where anything is unusual.
 */
#include "runtime/runtime.h"

enum { MOST_GLANCED = 16 }; /* arrays are compared with each other */

static bool can_take(const artifact_param *p)
{
    const cpl_type *t = p->type;
    bool is_array = type_is_pointer(t);
    switch (p->role) {
    case PARAM_ARG:
        if (!is_array) return t->kind == TYPE_SCALAR;
        return t->space != SPACE_LOCAL && !p->strided && p->dims < 2;
    case PARAM_COUNT: return type_is(t, CPL_INT64) || type_is(t, CPL_INT32);
    case PARAM_LENGTH:
    case PARAM_SHAPE: /* of one dimension, as the array is */
    case PARAM_FAULT:
    case PARAM_RESULT: return true;
    default: return false;
    }
}

bool glance_can(const artifact *a)
{
    bool can = a->indices < 2 && a->param_count <= MOST_GLANCED;
    for (size_t i = 0; i < a->param_count && can; i++) can = can_take(&a->params[i]);
    return can;
}

/* The memory of the arrays so far. */
typedef struct sights {
    size_t count;
    struct {
        byte_range bytes;
        bool written;
    } at[MOST_GLANCED];
} sights;

/* Whether nobody writes what somebody else has. */
static bool lies_apart(sights *s, byte_range bytes, bool written)
{
    for (size_t i = 0; i < s->count; i++)
        if (ranges_meet(bytes, s->at[i].bytes) && (written || s->at[i].written)) return false;
    s->at[s->count].bytes = bytes;
    s->at[s->count++].written = written;
    return true;
}

static bool take_array(const artifact_param *p, const cpl_arg *arg, uint64_t least, sights *s)
{
    const cpl_type *elem = p->type->elem;
    if (arg->kind != CPL_ARG_ARRAY || arg->array || !arg_has_elements(arg, elem)) return false;
    if (!arg_right_at_a_glance(arg, elem->size, elem->align) || arg->length > INT32_MAX)
        return false;
    if (arg->readonly && !p->readonly) return false;
    uint64_t bytes = (uint64_t)arg->length * elem->size;
    uintptr_t begin = (uintptr_t)arg->data;
    return bytes < least && lies_apart(s, (byte_range){begin, begin + bytes}, !p->readonly);
}

static bool take_number(const cpl_type *t, const cpl_arg *arg, arg_value *v)
{
    bool is_number = arg->kind == CPL_ARG_FLOAT || arg->kind == CPL_ARG_INT ||
                     (arg->kind == CPL_ARG_SCALAR && dtype_is_known(arg->dtype));
    return is_number && !arg->reserved && arg_convert(arg, t, v);
}

static bool take(const artifact_param *p, const cpl_arg *arg, uint64_t least, sights *s,
                 arg_value *v)
{
    if (!type_is_pointer(p->type)) return take_number(p->type, arg, v);
    v->pointer = arg->data;
    return take_array(p, arg, least, s);
}

bool glance_bind(const artifact *a, const cpl_arg *args, size_t count, int64_t n, uint64_t least,
                 binding *b)
{
    if (count != a->arg_count || n > INT32_MAX) return false;
    sights s;
    s.count = 0;
    b->fault = (cpl_fault){0};
    for (size_t i = 0; i < a->param_count; i++) {
        const artifact_param *p = &a->params[i];
        arg_value *v = &b->values[i];
        b->pointers[i] = v;
        v->u64 = 0;
        switch (p->role) {
        case PARAM_ARG:
            if (!take(p, &args[p->arg], least, &s, v)) return false;
            break;
        case PARAM_COUNT: v->i64 = n; break;
        case PARAM_FAULT: v->pointer = &b->fault; break;
        case PARAM_RESULT:
            memset(b->returned, 0, sizeof b->returned);
            v->pointer = b->returned;
            break;
        default: v->i64 = args[p->arg].length; break;
        }
    }
    return true;
}
