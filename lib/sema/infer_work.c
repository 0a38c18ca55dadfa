/*
 * What kernels alone have: the place of a work-item, barriers, operations of sub-groups, vector
 * loads and stores. And the keywords order= and scope= of atomics and fence, which exist
 * everywhere.
 */
#include "lib/sema/sema_int.h"

bool sema_in_kernel(instance *in, cpl_span span, const char *name)
{
    if (in->s->form == SEMA_KERNEL) return true;
    diag *d =
        sema_error_as(in, CPL_EUNSUPPORTED, span,
                      "'%s' has a meaning in kernels alone, and this is compiled as none", name);
    sema_hint(in, d, "compile it as a kernel: --as kernel, CPL_FORM_KERNEL");
    return false;
}

const cpl_type *sema_index_name(instance *in, const ast_node *n, sema_builtin b)
{
    if (!sema_in_kernel(in, n->span, sema_builtins[b].name)) return &sema_error_type;
    in->f.refs[n->id] = (sema_ref){.kind = REF_BUILTIN, .builtin = b};
    bool in_group = (b >= BI_LID_0 && b <= BI_LID_2) || (b >= BI_LDIM_0 && b <= BI_LDIM_2);
    return in_group ? in->s->t_i32 : in->s->t_i64;
}

bool sema_asks_work_item(const instance *in, const ast_node *n)
{
    const sema_ref *r = &in->f.refs[n->id];
    if (r->kind == REF_BUILTIN &&
        ((r->builtin >= BI_LID_0 && r->builtin <= BI_LID_2) || r->builtin == BI_LANE_ID ||
         r->builtin == BI_GET_LOCAL_ID || r->builtin == BI_GET_GLOBAL_ID || r->builtin == BI_GRID))
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (sema_asks_work_item(in, n->kids[i])) return true;
    return false;
}

/* ---- memory order ---- */

const char *const sema_orders[] = {"relaxed", "acquire", "release", "acq_rel", "seq_cst", NULL};
const char *const sema_scopes[] = {"group", "device", "system", NULL};
enum { RELAXED, ACQUIRE, RELEASE, ACQ_REL };

static int word(instance *in, const ast_node *k, const char *const *words, const char *list)
{
    const ast_node *value = k->kids[0];
    if (value->kind == AST_ERROR) return -1;
    for (int i = 0; value->kind == AST_STRING && words[i]; i++)
        if (strcmp(words[i], value->text) == 0) return i;
    diag *d = sema_error(in, value->span, "the %s of an atomic is one of %s", k->name, list);
    if (value->kind != AST_STRING) return -1;
    suggester best;
    suggest_init(&best, value->text);
    for (int i = 0; words[i]; i++) suggest_offer(&best, words[i]);
    if (suggest_best(&best)) sema_hint(in, d, "did you mean '%s'?", suggest_best(&best));
    return -1;
}

static bool order_fits(sema_builtin b, int order)
{
    switch (b) {
    case BI_ATOMIC_LOAD: return order != RELEASE && order != ACQ_REL;
    case BI_ATOMIC_STORE: return order != ACQUIRE && order != ACQ_REL;
    case BI_FENCE: return order != RELAXED;
    default: return true;
    }
}

void sema_memory_order(instance *in, const ast_node *n, sema_builtin b)
{
    const char *name = sema_builtins[b].name;
    for (uint32_t i = n->kid_count - n->keyword_count; i < n->kid_count; i++) {
        const ast_node *k = n->kids[i];
        if (strcmp(k->name, "order") == 0) {
            int order =
                word(in, k, sema_orders, "'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'");
            if (order >= 0 && !order_fits(b, order))
                sema_error(in, k->kids[0]->span, "'%s' cannot be %s", name, sema_orders[order]);
        } else if (strcmp(k->name, "scope") == 0) {
            word(in, k, sema_scopes, "'group', 'device', 'system'");
        } else {
            diag *d = sema_error(in, k->span, "'%s' has no keyword '%s'", name, k->name);
            sema_hint(in, d, "order='acq_rel' and scope='group' can stand here");
        }
    }
}

/* ---- groups and sub-groups ---- */

static bool integer(instance *in, ast_node *n, const char *what)
{
    const cpl_type *t = sema_value(in, n);
    sema_settle_default(in, n);
    if (!sema_is_known(t)) return !sema_is_error(t);
    if (type_is_int(t)) return true;
    sema_error(in, n->span, "%s must be an integer, found %s", what, sema_name(in, t));
    return false;
}

static const cpl_type *combined(instance *in, ast_node *n, sema_builtin b)
{
    const char *what =
        arena_printf(&in->s->comp->arena, "the value of '%s'", sema_builtins[b].name);
    const cpl_type *t = sema_value(in, n->kids[1]);
    bool structs = b >= BI_SHUFFLE && b <= BI_SHUFFLE_DOWN && sema_is_known(t) && type_is_struct(t);
    if (!structs) t = sema_as_number(in, n->kids[1], t, what);
    else if (!type_is_numbers(t)) {
        sema_error(in, n->kids[1]->span, "%s must be a number or a struct of numbers, found %s",
                   what, sema_name(in, t));
        t = &sema_error_type;
    }
    sema_settle_default(in, n->kids[1]);
    bool good = n->kid_count == 2 || integer(in, n->kids[2], "the lane");
    if (!good || sema_is_error(t)) return &sema_error_type;
    if (b == BI_BALLOT) return in->s->t_u64;
    if (!t) return NULL;
    t = sema_decay(in->s->comp, sema_default(in->s->comp, t));
    return type_is_bool(t) && n->kid_count == 2 ? in->s->t_i32 : t;
}

static const cpl_type *barrier(instance *in, const ast_node *n, sema_builtin b)
{
    if (in->divergent)
        sema_warning(in, n->span,
                     "this '%s' depends on the work-item; all work-items of a group must reach it",
                     sema_builtins[b].name);
    return in->s->t_void;
}

/* ---- vectors ---- */

static bool is_vector(const cpl_type *t)
{
    if (!type_is_array(t) || !type_is_scalar(t->elem)) return false;
    return t->count == 2 || t->count == 3 || t->count == 4 || t->count == 8 || t->count == 16;
}

static const cpl_type *vector(instance *in, ast_node *n, sema_builtin b)
{
    const char *name = sema_builtins[b].name;
    const cpl_type *m = sema_value(in, n->kids[1]), *x = sema_value(in, n->kids[2]);
    bool good = integer(in, n->kids[3], "the index");
    if (sema_is_known(m) && !is_vector(m)) {
        diag *d = sema_error(in, n->kids[1]->span,
                             "'%s' needs a matrix of 2, 3, 4, 8 or 16 numbers, found %s", name,
                             sema_name(in, m));
        sema_hint(in, d, "m = declare('matrix(4)')");
        return &sema_error_type;
    }
    if (!sema_is_known(m) || !sema_is_known(x) || !good) return &sema_error_type;
    if ((!type_is_pointer(x) && !type_is_array(x)) || x->elem != m->elem ||
        (type_is_pointer(x) && type_has_layout(x))) {
        sema_error(in, n->kids[2]->span, "'%s' needs a contiguous array of %s, found %s", name,
                   sema_name(in, m->elem), sema_name(in, x));
        return &sema_error_type;
    }
    return in->s->t_void;
}

/* ---- the place in the grid, as OpenCL and Numba ask for it ---- */

/* A literal or constant from least to most. what: "'grid' takes a dimension" */
static bool known_number(instance *in, ast_node *n, uint64_t least, uint64_t most, const char *what,
                         uint32_t *out)
{
    sema_value(in, n);
    sema_settle_default(in, n);
    const sema_const *k = sema_const_of(in, n);
    bool good = k && type_is_int(k->type) && !sema_const_negative(*k) && k->bits >= least &&
                k->bits <= most;
    *out = good ? (uint32_t)k->bits : 0;
    if (!good) sema_error(in, n->span, "%s, as a literal or constant", what);
    return good;
}

static const cpl_type *work_item(instance *in, ast_node *n, sema_builtin b)
{
    uint32_t d;
    bool grid = b == BI_GRID || b == BI_GRIDSIZE;
    const char *what =
        arena_printf(&in->s->comp->arena, "'%s' takes %s", sema_builtins[b].name,
                     grid ? "the number of dimensions, 1, 2 or 3" : "a dimension, 0, 1 or 2");
    if (!known_number(in, n->kids[1], grid, grid ? 3 : 2, what, &d)) return &sema_error_type;
    const cpl_type *items[3] = {in->s->t_i64, in->s->t_i64, in->s->t_i64};
    if (grid && d > 1) return sema_tuple_of(in->s->comp, items, d);
    return b == BI_GET_LOCAL_ID || b == BI_GET_LOCAL_SIZE ? in->s->t_i32 : in->s->t_i64;
}

static const cpl_type *launch_bounds(instance *in, const ast_node *n)
{
    static const char items[] = "'launch_bounds' takes the most work-items of a group, 1 to 1024",
                      groups[] = "'launch_bounds' takes the groups of a multiprocessor, 1 to 32";
    uint32_t ignored;
    bool good = known_number(in, n->kids[1], 1, MOST_GROUP, items, &ignored);
    if (n->kid_count > 2) good &= known_number(in, n->kids[2], 1, MOST_GROUPS, groups, &ignored);
    if (good && !in->entry) {
        sema_error(in, n->span, "'launch_bounds' stands in the kernel itself, not in a helper");
        good = false;
    }
    return good ? in->s->t_void : &sema_error_type;
}

const cpl_type *sema_call_work(instance *in, ast_node *n, sema_builtin b)
{
    if (!sema_in_kernel(in, n->kids[0]->span, sema_builtins[b].name)) {
        sema_arguments(in, n);
        return &sema_error_type;
    }
    switch (b) {
    case BI_SUBGROUP_SIZE:
    case BI_LANE_ID: return in->s->t_i32;
    case BI_GET_LOCAL_ID:
    case BI_GET_GROUP_ID:
    case BI_GET_LOCAL_SIZE:
    case BI_GET_NUM_GROUPS:
    case BI_GET_GLOBAL_ID:
    case BI_GET_GLOBAL_SIZE:
    case BI_GRID:
    case BI_GRIDSIZE: return work_item(in, n, b);
    case BI_LOCAL_BARRIER:
    case BI_GLOBAL_BARRIER: return barrier(in, n, b);
    case BI_NANOSLEEP:
        return integer(in, n->kids[1], "the time") ? in->s->t_void : &sema_error_type;
    case BI_LAUNCH_BOUNDS: return launch_bounds(in, n);
    case BI_VLOAD:
    case BI_VSTORE: return vector(in, n, b);
    default: return combined(in, n, b);
    }
}
