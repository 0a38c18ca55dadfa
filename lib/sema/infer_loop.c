/* Loops over range and prange, and the with block around the latter. */
#include "lib/sema/sema_int.h"

#include <stdlib.h>

/* ---- what a parallel loop does with the locals ---- */

enum { NOT_A_REDUCTION = 31 };

typedef struct use {     /* of a local in the body */
    uint32_t reductions; /* bit by sema_reduce: s op= e, s = s op e, s = min(s, e) */
    bool plain;          /* assigned otherwise */
    bool read;           /* read outside its reductions */
    bool divides;        /* one of its reductions is s /= e */
    bool part;           /* an element or field of it is assigned */
    cpl_span part_span;
    bool seen;
} use;

/* One table serves all loops of a function, of which each has but a few of the locals in it. */
typedef struct sema_uses {
    use *of;            /* [all.n] */
    VEC(uint32_t) seen; /* which of them are not zero */
} loop_uses;

static void uses_of_stmts(instance *in, const ast_list *list, loop_uses *uses);

static use *use_of(instance *in, loop_uses *all, const sema_var *v)
{
    use *u = &all->of[v->index];
    if (!u->seen) vec_push(&in->s->comp->arena, &all->seen, v->index);
    u->seen = true;
    return u;
}

/* All but `skip`, the variable of a reduction; NULL: all. */
static void uses_but(instance *in, const ast_node *n, const ast_node *skip, loop_uses *uses)
{
    if (n == skip) return;
    if (n->kind == AST_NAME) {
        sema_var *v = sema_local(in, n->name);
        if (v) use_of(in, uses, v)->read = true;
        return;
    }
    for (uint32_t i = n->kind == AST_CALL && n->kids[0]->kind == AST_NAME; i < n->kid_count; i++)
        uses_but(in, n->kids[i], skip, uses);
}

static void uses_of(instance *in, const ast_node *n, loop_uses *uses)
{
    uses_but(in, n, NULL, uses);
}

static void uses_of_target(instance *in, const ast_node *n, loop_uses *uses)
{
    if (n->kind == AST_NAME) {
        use_of(in, uses, sema_local(in, n->name))->plain = true;
        return;
    }
    const ast_node *at = n;
    while (at->kind == AST_INDEX || at->kind == AST_ATTRIBUTE) {
        const cpl_type *t = in->f.types[at->kids[0]->id];
        if (!sema_is_known(t) || type_is_pointer(t)) break;
        at = at->kids[0];
    }
    sema_var *v = at != n && at->kind == AST_NAME ? sema_local(in, at->name) : NULL;
    if (v && !v->is_param && !use_of(in, uses, v)->part) {
        use_of(in, uses, v)->part = true;
        use_of(in, uses, v)->part_span = n->span;
    }
    if (n->kind == AST_TUPLE)
        for (uint32_t i = 0; i < n->kid_count; i++) uses_of_target(in, n->kids[i], uses);
    else
        for (uint32_t i = 0; i < n->kid_count; i++) uses_of(in, n->kids[i], uses);
}

/* What rounds that do `s = s op e` reduce with; s / e takes products of 1/e. */
static int reduction_of(token_kind op)
{
    switch (op) {
    case TOK_ADD:
    case TOK_SUB: return SEMA_ADD;
    case TOK_MUL:
    case TOK_DIV: return SEMA_MUL;
    case TOK_BITAND: return SEMA_AND;
    case TOK_BITOR: return SEMA_OR;
    case TOK_BITXOR: return SEMA_XOR;
    default: return NOT_A_REDUCTION;
    }
}

typedef struct carried { /* s in the value that it is given */
    const char *name;
    const ast_node *self; /* where it stands */
    bool divides;
} carried;

static bool is_carried(const ast_node *n, carried *c)
{
    if (n->kind != AST_NAME || strcmp(n->name, c->name) != 0) return false;
    c->self = n;
    return true;
}

/* `s + a - b`, `a * s`: operations of one kind, s on the left of those that do not commute. */
static int reduction_in(const ast_node *n, carried *c)
{
    if (n->kind != AST_BINARY) return NOT_A_REDUCTION;
    token_kind op = (token_kind)n->op;
    int kind = reduction_of(op);
    bool commutes = op != TOK_SUB && op != TOK_DIV;
    if (kind == NOT_A_REDUCTION) return kind;
    for (uint32_t i = 0; i < (commutes ? 2 : 1); i++)
        if (is_carried(n->kids[i], c) || reduction_in(n->kids[i], c) == kind) {
            c->divides |= op == TOK_DIV;
            return kind;
        }
    return NOT_A_REDUCTION;
}

/* min(s, a, b), in any order. */
static int min_max_in(instance *in, const ast_node *n, carried *c)
{
    bool least = sema_is_call_of(in, n, BI_MIN);
    if (!least && !sema_is_call_of(in, n, BI_MAX)) return NOT_A_REDUCTION;
    for (uint32_t i = 1; i < n->kid_count; i++)
        if (is_carried(n->kids[i], c)) return least ? SEMA_MIN : SEMA_MAX;
    return NOT_A_REDUCTION;
}

/* s = s + e and the like: a reduction, if e does not use s; what it uses is counted. */
static bool is_reduction(instance *in, const ast_node *n, loop_uses *uses)
{
    const ast_node *target = n->kids[0], *value = n->kids[1];
    if (n->kid_count != 2 || target->kind != AST_NAME) return false;
    carried c = {.name = target->name};
    int kind = min_max_in(in, value, &c);
    if (kind == NOT_A_REDUCTION) kind = reduction_in(value, &c);
    if (kind == NOT_A_REDUCTION) return false;
    use *u = use_of(in, uses, sema_local(in, target->name));
    u->reductions |= 1u << kind;
    u->divides |= c.divides;
    uses_but(in, value, c.self, uses);
    return true;
}

static void uses_of_assign(instance *in, const ast_node *n, loop_uses *uses)
{
    if (n->kind == AST_ASSIGN && is_reduction(in, n, uses)) return;
    uint32_t value = n->kid_count - 1;
    if (n->kind == AST_ANNASSIGN) {
        if (n->kid_count < 3) return;
        uses_of(in, n->kids[2], uses);
        uses_of_target(in, n->kids[0], uses);
        return;
    }
    uses_of(in, n->kids[value], uses);
    for (uint32_t i = 0; i < value; i++) uses_of_target(in, n->kids[i], uses);
}

static void uses_of_augmented(instance *in, const ast_node *n, loop_uses *uses)
{
    const ast_node *target = n->kids[0];
    uses_of(in, n->kids[1], uses);
    if (target->kind != AST_NAME) {
        uses_of_target(in, target, uses);
        return;
    }
    use *u = use_of(in, uses, sema_local(in, target->name));
    u->reductions |= 1u << reduction_of((token_kind)n->op);
    u->divides |= n->op == TOK_DIV;
}

static void uses_of_stmts(instance *in, const ast_list *list, loop_uses *uses)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        if (n->kind == AST_ASSIGN || n->kind == AST_ANNASSIGN) {
            uses_of_assign(in, n, uses);
        } else if (n->kind == AST_AUGASSIGN) {
            uses_of_augmented(in, n, uses);
        } else {
            uint32_t first = 0;
            if (n->kind == AST_FOR && n->kids[0]->kind == AST_NAME) {
                use_of(in, uses, sema_local(in, n->kids[0]->name))->plain = true;
                first = 1;
            }
            for (uint32_t k = first; k < n->kid_count; k++) uses_of(in, n->kids[k], uses);
        }
        uses_of_stmts(in, n->body, uses);
        uses_of_stmts(in, n->orelse, uses);
    }
}

/* Of bools minima are `and`, maxima `or`; they have no sums. Complex numbers have nothing else,
 * vectors sums and products. */
static bool fits(const sema_var *v, const use *u, sema_reduce *op)
{
    if (type_is_complex(v->type)) return *op == SEMA_ADD;
    if (sema_is_vector(v->type))
        return *op == SEMA_ADD ||
               (*op == SEMA_MUL && (!u->divides || type_is_float(v->type->fields[0].type)));
    if (u->divides && !type_is_float(v->type)) return false;
    if (!type_is_bool(v->type)) return true;
    if (*op == SEMA_MIN) *op = SEMA_AND;
    if (*op == SEMA_MAX) *op = SEMA_OR;
    return *op != SEMA_ADD && *op != SEMA_MUL;
}

static bool single_reduction(const sema_var *v, const use *u, sema_reduce *op)
{
    bool combines = sema_is_complex_or_number(v->type) || sema_is_vector(v->type);
    if (u->plain || u->read || u->part || !combines) return false;
    for (uint32_t i = 0; i <= SEMA_XOR; i++)
        if (u->reductions == 1u << i) {
            *op = (sema_reduce)i;
            return fits(v, u, op);
        }
    return false;
}

static int by_index(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    return i < k ? -1 : i > k;
}

static void classify_local(instance *in, sema_var *v, const use *u, sema_parallel *p)
{
    arena *a = &in->s->comp->arena;
    sema_reduce op;
    if (single_reduction(v, u, &op)) {
        vec_push(a, &p->reductions, ((sema_reduction){op, v}));
    } else if (u->plain || u->reductions) {
        vec_push(a, &p->privates, v);
        p->in_order |= *v->name == '.' && !u->plain;
    } else if (u->part) {
        diag *d = sema_error(in, u->part_span, "'%s' is shared by the rounds of a parallel loop",
                             v->name);
        sema_hint(in, d, "declare it inside the loop; rounds may add to a number: s += e");
    }
}

static void classify(instance *in, const ast_node *n, sema_parallel *p)
{
    arena *a = &in->s->comp->arena;
    if (!in->uses) {
        in->uses = arena_new(a, loop_uses);
        *in->uses = (loop_uses){.of = arena_array(a, in->all.n, sizeof(use))};
    }
    loop_uses *all = in->uses;
    const sema_var *own = n->kids[0]->kind == AST_NAME ? sema_local(in, n->kids[0]->name) : NULL;
    uses_of_stmts(in, n->body, all);
    if (all->seen.n) qsort(all->seen.at, all->seen.n, sizeof *all->seen.at, by_index);
    for (uint32_t i = 0; i < all->seen.n; i++) {
        sema_var *v = in->all.at[all->seen.at[i]];
        if (v != own) classify_local(in, v, &all->of[v->index], p);
        all->of[v->index] = (use){0};
    }
    all->seen.n = 0;
}

/* ---- prange's options ---- */

static int64_t positive(instance *in, const ast_node *k)
{
    const ast_node *v = k->kids[0];
    if (v->kind == AST_INT && !v->overflow && v->integer > 0 && v->integer <= INT32_MAX)
        return (int64_t)v->integer;
    if (v->kind != AST_ERROR)
        sema_error(in, v->span, "'%s' is a positive integer literal", k->name);
    return 0;
}

static void schedule(instance *in, const ast_node *k, sema_parallel *p)
{
    static const char *const names[] = {"static", "dynamic", "guided"};
    const ast_node *v = k->kids[0];
    for (unsigned i = 0; v->kind == AST_STRING && i < COUNT_OF(names); i++)
        if (strcmp(v->text, names[i]) == 0) {
            p->schedule = (sema_schedule)i;
            p->has_schedule = true;
            return;
        }
    if (v->kind != AST_ERROR)
        sema_error(in, v->span, "the schedule is 'static', 'dynamic' or 'guided'");
}

static sema_parallel *options(instance *in, const ast_node *call)
{
    sema_parallel *p = arena_new(&in->s->comp->arena, sema_parallel);
    p->threads = in->threads;
    for (uint32_t i = call->kid_count - call->keyword_count; i < call->kid_count; i++) {
        const ast_node *k = call->kids[i];
        if (strcmp(k->name, "schedule") == 0) schedule(in, k, p);
        else if (strcmp(k->name, "chunksize") == 0) p->chunk = positive(in, k);
        else if (strcmp(k->name, "num_threads") == 0) p->threads = (int32_t)positive(in, k);
        else if (strcmp(k->name, "nogil") != 0) {
            diag *d = sema_error(in, k->span, "prange has no option '%s'", k->name);
            sema_hint(in, d, "its options are schedule, chunksize and num_threads");
        }
    }
    return p;
}

/* ---- range ---- */

/* The type of the count: the join of the arguments, at least 32 bits wide. */
static const cpl_type *bounds(instance *in, ast_node *call, const char *name)
{
    const cpl_type *t = NULL;
    uint32_t args = call->kid_count - 1 - call->keyword_count;
    bool unknown = args < 1 || args > 3;
    if (unknown) {
        sema_error(in, call->span, "'%s' takes 1 to 3 arguments, found %u", name, args);
        t = &sema_error_type;
    }
    for (uint32_t i = 1; i <= args; i++) {
        const cpl_type *a = sema_number(in, call->kids[i], "a bound of the loop");
        if (!a) unknown = true;
        a = sema_whole(in, call->kids[i], a);
        if (sema_is_known(a) && type_is_float(a)) {
            sema_settle_default(in, call->kids[i]);
            diag *d =
                sema_error(in, call->kids[i]->span,
                           "a bound of the loop must be an integer, found %s", sema_name(in, a));
            sema_hint(in, d, "convert it with int(...)");
            a = &sema_error_type;
        }
        t = sema_arith(in->s->comp, t, a);
    }
    return unknown && !sema_is_error(t) ? (in->phase == 3 ? &sema_error_type : NULL) : t;
}

static const cpl_type *range(instance *in, ast_node *n, ast_node *call, sema_var *v, bool parallel)
{
    const char *name = parallel ? "prange" : "range";
    if (!parallel) sema_no_keywords(in, call, name);
    const cpl_type *t = bounds(in, call, name);
    if (v) sema_contribute(in, v, t, n->kids[0]->span);
    in->f.refs[call->id] =
        (sema_ref){.kind = REF_BUILTIN, .builtin = parallel ? BI_PRANGE : BI_RANGE};
    if (sema_is_weak(t) && in->phase == 3) {
        const cpl_type *own = v ? v->type : NULL;
        bool fits =
            sema_is_number(own) && type_is_int(own) && sema_arith(in->s->comp, t, own) == own;
        t = fits ? own : sema_default(in->s->comp, t);
    }
    in->f.types[call->id] = t;
    for (uint32_t i = 1; i + call->keyword_count < call->kid_count; i++)
        if (sema_is_known(t)) sema_settle(in, call->kids[i], t);
        else sema_settle_default(in, call->kids[i]);
    if (v && in->phase == 3) {
        const char *what = arena_printf(&in->s->comp->arena, "'%s'", v->name);
        sema_check_store(in, n->kids[0]->span, v->type, t, what);
        in->f.types[n->kids[0]->id] = v->type;
    }
    return t;
}

static void parallel_body(instance *in, ast_node *n, ast_node *call)
{
    uint32_t outer = in->loops_in_parallel;
    in->parallel_depth++;
    in->loops_in_parallel = 0;
    sema_stmts(in, n->body);
    in->loops_in_parallel = outer;
    in->parallel_depth--;
    if (in->phase != 3) return;
    if (in->s->form == SEMA_KERNEL) {
        diag *d =
            sema_error_as(in, CPL_EUNSUPPORTED, call->span,
                          "'prange' does not stand in a kernel, whose work-items run in parallel");
        sema_hint(in, d, "use range, and LID_0 + GID_0*LDIM_0 for the index");
    }
    if (n->orelse)
        sema_error_as(in, CPL_EUNSUPPORTED, n->orelse->n ? n->orelse->at[0]->span : n->span,
                      "a parallel loop has no 'else'");
    in->f.parallel[n->id] = options(in, call);
    classify(in, n, in->f.parallel[n->id]);
    if (!in->f.parallel[n->id]->in_order) return;
    in->f.parallel[n->id] = NULL;
    in->f.refs[call->id].builtin = BI_RANGE;
}

/* One over prange in a serial function is one over range, once what is in the call was looked at.
 */
static void body_in_order(instance *in, ast_node *n, ast_node *call, bool prange)
{
    in->loops_in_parallel++;
    sema_stmts(in, n->body);
    in->loops_in_parallel--;
    sema_stmts(in, n->orelse);
    if (!prange || in->phase != 3) return;
    (void)options(in, call);
    in->f.refs[call->id].builtin = BI_RANGE;
}

/* What Python loops over beside ranges, and the loop that stands for it. */
static const char *loop_for(const ast_node *n)
{
    static const struct {
        const char *name, *hint;
    } known[] = {
        {"enumerate",
         "for i, v in enumerate(x): ..., x the name of an array, or a list that stands there"},
        {"zip",
         "for a, b in zip(x, y): ..., a name for each of the arrays, which have names themselves"},
        {"reversed", "for i in range(len(x) - 1, -1, -1): ... x[i]"},
        {"sorted", "the host program sorts; for v in x: ..."},
        {"ndindex", "for i, j in np.ndindex(x.shape): ..., a name for each index"},
        {"ndenumerate",
         "for (i, j), v in np.ndenumerate(x): ..., a name for each index of the array x"},
        {"nditer", "for v in x: ..., of one dimension; a loop for each index of others"},
        {"flat", "for v in x: ..., of one dimension; a loop for each index of others"},
        {"flatten", "for v in x: ..., of one dimension; a loop for each index of others"},
        {"ravel", "for v in x: ..., of one dimension; a loop for each index of others"},
    };
    const ast_node *f = n->kind == AST_CALL ? n->kids[0] : n;
    const char *name = f == n && n->kind != AST_ATTRIBUTE                ? NULL
                       : f->kind == AST_NAME || f->kind == AST_ATTRIBUTE ? f->name
                                                                         : NULL;
    for (unsigned i = 0; name && i < COUNT_OF(known); i++)
        if (strcmp(name, known[i].name) == 0) return known[i].hint;
    if (n->kind == AST_ATTRIBUTE && strcmp(n->name, "shape") == 0)
        return "for i in range(x.shape[0]): ...";
    if (n->kind == AST_TUPLE || n->kind == AST_LIST || n->kind == AST_NAME)
        return "for a, b in ((1, 2), (3, 4)): ..., rows of as many numbers as there are names, or "
               "for i, v in enumerate(x): ...";
    return "for i in range(n): ...";
}

static void not_a_range(instance *in, ast_node *call)
{
    if (call->kind == AST_ERROR) return;
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, call->span,
                            "a for loop runs over range(...), prange(...), an array or a list");
    sema_hint(in, d, "%s", loop_for(call));
}

/* Loops that stand for slices are parallel where loops can be. */
static bool is_parallel(const instance *in, const ast_node *call)
{
    if (!sema_is_call_of(in, call, BI_PRANGE)) return false;
    bool made = call->kids[0]->kind == AST_NAME && *call->kids[0]->name == '.'; /* slices.c */
    return !made || in->s->form != SEMA_KERNEL;
}

void sema_for(instance *in, ast_node *n)
{
    ast_node *target = n->kids[0], *call = n->kids[1];
    bool prange = is_parallel(in, call);
    sema_var *v = target->kind == AST_NAME ? sema_local(in, target->name) : NULL;
    if (v) in->f.refs[target->id] = (sema_ref){.kind = REF_VAR, .var = v};
    if (sema_is_call_of(in, call, BI_PRANGE) || sema_is_call_of(in, call, BI_RANGE))
        range(in, n, call, v, prange);
    else not_a_range(in, call);
    if (prange && !in->sig->serial) parallel_body(in, n, call);
    else body_in_order(in, n, call, prange);
}

/* with nogil, parallel(num_threads=4): */
static bool with_item(instance *in, const ast_node *n)
{
    const ast_node *name = n->kind == AST_CALL ? n->kids[0] : n;
    if (n->kind == AST_ERROR) return true;
    if (name->kind != AST_NAME) return false;
    sema_global g = sema_find_global(in, name);
    if (g.kind != GLOBAL_BUILTIN || (g.builtin != BI_NOGIL && g.builtin != BI_PARALLEL))
        return false;
    for (uint32_t i = 1; n->kind == AST_CALL && i < n->kid_count; i++) {
        const ast_node *k = n->kids[i];
        if (k->kind == AST_KEYWORD && strcmp(k->name, "num_threads") == 0 &&
            g.builtin == BI_PARALLEL)
            in->threads = (int32_t)positive(in, k);
        else sema_error(in, k->span, "'%s' takes no such argument", name->name);
    }
    return true;
}

void sema_with(instance *in, ast_node *n)
{
    int32_t outer = in->threads;
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!with_item(in, n->kids[i]))
            sema_error_as(in, CPL_EUNSUPPORTED, n->kids[i]->span,
                          "'with' is supported for nogil and parallel() only");
    sema_stmts(in, n->body);
    in->threads = outer;
}
