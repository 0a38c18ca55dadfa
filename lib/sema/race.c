/*
 * Elements that several rounds of a parallel loop update, as in h[k[i]] += 1 and out[0] += x[i]:
 * a warning, since what another round has added may be lost.
 *
 * An element is a round's own where its indices come from the loop's: by arithmetic, through
 * locals, through loops whose bounds do. What is loaded from an array comes from nowhere, a
 * remainder or quotient alone is not enough. In doubt nothing is said.
 *
 * A function that others call tells them what it updates, and from which of its parameters the
 * element's indices come: whether rounds meet there is seen where it is called.
 */
#include "lib/sema/sema_int.h"

/* Where a value comes from: bit d says from the index of dimension d, in a function that others
 * call from its parameter d, and ROUND from that of a prange; bit LOSS + d from something that
 * several of its values give. */
enum { LOSS = 16, OWN = 0xffff, ROUND = 0x8000 };
static const uint32_t all = 0xffffffff;

typedef struct race {
    instance *in;
    uint32_t *from; /* [all.n] of locals */
    uint32_t own; /* the bits of the loop around the statement at hand, 0: none that is parallel */
    bool through; /* what is loaded comes from where its index comes from */
    bool changed; /* a local's bits have in this round */
    bool reports;
} race;

static uint32_t origin(race *r, const ast_node *n);

static uint32_t lost(uint32_t bits)
{
    return bits & ((uint32_t)OWN << LOSS);
}

static uint32_t together(uint32_t a, uint32_t b)
{
    return a | b | lost(a & b) >> LOSS; /* i//n and i%n together are i */
}

static uint32_t origin_of_kids(race *r, const ast_node *n, uint32_t first)
{
    uint32_t bits = 0;
    for (uint32_t i = first; i < n->kid_count; i++) bits = together(bits, origin(r, n->kids[i]));
    return bits;
}

static uint32_t lossy(uint32_t bits)
{
    return lost(bits | (bits & OWN) << LOSS);
}

static bool drops_some(token_kind op)
{
    return op == TOK_MOD || op == TOK_FLOORDIV || op == TOK_DIV || op == TOK_SHR ||
           op == TOK_BITAND;
}

static uint32_t origin_of_name(const race *r, const ast_node *n)
{
    const sema_var *v = sema_local(r->in, n->name);
    return v ? r->from[v->index] : 0;
}

/* Whether an element of what n names is in memory that the rounds share. */
static bool is_shared(const instance *in, const ast_node *n)
{
    const cpl_type *t = in->f.types[n->id];
    return sema_is_known(t) && type_is_pointer(t) &&
           (t->space == SPACE_GLOBAL || type_has_layout(t));
}

static uint32_t origin(race *r, const ast_node *n)
{
    switch (n->kind) {
    case AST_NAME: return origin_of_name(r, n);
    case AST_INDEX:
        if (is_shared(r->in, n->kids[0]) && !r->through) return 0;
        return origin_of_kids(r, n, 0);
    case AST_ATTRIBUTE: return origin(r, n->kids[0]);
    case AST_CALL: {
        const sema_ref *ref = &r->in->f.refs[n->id];
        bool atomic = ref->kind == REF_BUILTIN && sema_builtins[ref->builtin].group == BG_ATOMIC;
        bool address = ref->kind == REF_BUILTIN && ref->builtin == BI_ADDRESS;
        bool worker = ref->kind == REF_BUILTIN && ref->builtin == BI_THREADID;
        if (atomic || worker) return all; /* as a counter: what run at once get other numbers */
        return address ? origin_of_kids(r, n->kids[1], 0) : origin_of_kids(r, n, 1);
    }
    case AST_COMPARE:
    case AST_BOOLOP: return lossy(origin_of_kids(r, n, 0));
    case AST_BINARY:
        if (drops_some((token_kind)n->op)) return lossy(origin_of_kids(r, n, 0));
        return origin_of_kids(r, n, 0);
    default: return origin_of_kids(r, n, 0);
    }
}

/* ---- locals ---- */

static void add_origin(race *r, const ast_node *target, uint32_t bits)
{
    while (target->kind == AST_INDEX || target->kind == AST_ATTRIBUTE) {
        if (is_shared(r->in, target->kids[0])) return;
        target = target->kids[0];
    }
    if (target->kind == AST_TUPLE)
        for (uint32_t i = 0; i < target->kid_count; i++) add_origin(r, target->kids[i], bits);
    const sema_var *v = target->kind == AST_NAME ? sema_local(r->in, target->name) : NULL;
    if (!v || !(bits & ~r->from[v->index])) return;
    r->from[v->index] |= bits;
    r->changed = true;
}

static void assigned(race *r, const ast_node *n)
{
    if (n->kind == AST_ANNASSIGN) {
        if (n->kid_count > 2) add_origin(r, n->kids[0], origin(r, n->kids[2]));
        return;
    }
    const ast_node *value = n->kids[n->kid_count - 1];
    for (uint32_t i = 0; i + 1 < n->kid_count; i++) {
        const ast_node *t = n->kids[i];
        bool pairs = t->kind == AST_TUPLE && value->kind == AST_TUPLE &&
                     t->kid_count == value->kid_count && n->kind == AST_ASSIGN;
        for (uint32_t k = 0; pairs && k < t->kid_count; k++)
            add_origin(r, t->kids[k], origin(r, value->kids[k]));
        if (!pairs) add_origin(r, t, origin(r, value));
    }
}

/* ---- updates ---- */

/* The struct that a function takes by reference, as self, whose elements callers may share. */
static const sema_var *taken_struct(const instance *in, const ast_node *n)
{
    const sema_var *v = n->kind == AST_NAME ? sema_local(in, n->name) : NULL;
    return v && v->is_param && sema_is_known(v->type) && type_is_struct(v->type) ? v : NULL;
}

/* x.a[k].b: where the indices come from, and those of the pointers in front of them. */
static uint32_t origin_of_place(race *r, const ast_node *n, bool *shared)
{
    uint32_t bits = 0;
    for (; n->kind == AST_INDEX || n->kind == AST_ATTRIBUTE; n = n->kids[0]) {
        if (n->kind == AST_INDEX) bits |= origin(r, n->kids[1]);
        if (is_shared(r->in, n->kids[0])) *shared = true;
    }
    if (taken_struct(r->in, n)) *shared = true;
    return bits | origin(r, n);
}

static const char *atomic_for(token_kind op)
{
    switch (op) {
    case TOK_ADD: return "atomic_add";
    case TOK_SUB: return "atomic_sub";
    case TOK_BITAND: return "atomic_and";
    case TOK_BITOR: return "atomic_or";
    case TOK_BITXOR: return "atomic_xor";
    default: return NULL;
    }
}

static diag *warn(race *r, cpl_span span, const char *array)
{
    return sema_warning(r->in, span,
                        "rounds that run at once may update the same element of '%s', and lose "
                        "what others did",
                        array);
}

/* What a function updates is judged where it is called: no loop here says what rounds there are. */
static bool is_judged_by_callers(const race *r)
{
    return !r->own && !r->in->entry;
}

enum { MOST_UPDATES = 32 }; /* of a function, those of what it calls among them */

static void leave_to_callers(race *r, sema_update u)
{
    for (uint32_t i = 0; i < r->in->updates.n; i++) {
        const sema_update *k = &r->in->updates.at[i];
        bool same_place = k->span.file == u.span.file && k->span.begin == u.span.begin;
        if (same_place && k->from == u.from) return;
    }
    if (r->in->updates.n < MOST_UPDATES) vec_push(&r->in->s->comp->arena, &r->in->updates, u);
}

/* By value, which the function `atomic` would take; NULL: there is none. */
static void update(race *r, cpl_span span, const ast_node *place, const ast_node *value,
                   const char *atomic)
{
    const ast_node *array = place;
    bool shared = false;
    uint32_t from = origin_of_place(r, place, &shared);
    if (!shared || !r->reports || (r->own && (from & r->own) == r->own)) return;
    while (array->kind == AST_INDEX || array->kind == AST_ATTRIBUTE) array = array->kids[0];
    if (array->kind != AST_NAME) return;
    const char *hint = "sums have atomic_add; a local that the rounds reduce has s *= e too";
    if (strchr(sema_text_of(r->in, place), ':')) /* a slice, of which a loop was made */
        hint = "a function that is called once has such statements: --as function";
    else if (atomic)
        hint = arena_printf(&r->in->s->comp->arena, "%s(%s, %s)", atomic,
                            sema_text_of(r->in, place), sema_text_of(r->in, value));
    if (is_judged_by_callers(r))
        leave_to_callers(r, (sema_update){span, array->name, array->name, hint, from});
    else if (r->own) sema_hint(r->in, warn(r, span, array->name), "%s", hint);
}

/* ---- what is called ---- */

static uint32_t origin_of_argument(race *r, const sema_ref *call, uint32_t i)
{
    const ast_node *n = call->args[i].node;
    const cpl_type *t = call->func->params.at[i]->type;
    bool shared = false;
    if (!n) return 0;
    return type_is_pointer(t) || type_is_struct(t) ? origin_of_place(r, n, &shared) : origin(r, n);
}

/* From where the parameters of a call come that `from` names. */
static uint32_t origin_of_arguments(race *r, const sema_ref *call, uint32_t from)
{
    uint32_t bits = from & ROUND ? all : 0;
    for (uint32_t i = 0; i < call->func->params.n && (1u << i) < ROUND; i++) {
        uint32_t arg = origin_of_argument(r, call, i);
        if (from >> i & 1) bits = together(bits, arg);
        else if (from >> (LOSS + i) & 1) bits = together(bits, lossy(arg));
    }
    return bits;
}

/* What is given for the parameter of that name; its index is the params.n of none. */
static uint32_t find_parameter(const sema_ref *call, const char *name)
{
    uint32_t i = 0;
    while (i < call->func->params.n && strcmp(call->func->params.at[i]->name, name) != 0) i++;
    return i;
}

/* Of a struct that the caller has for itself there is nothing to say. */
static bool is_given_shared(race *r, const sema_ref *call, uint32_t i)
{
    const ast_node *n = i < call->func->params.n ? call->args[i].node : NULL;
    bool shared = !n || !type_is_struct(call->func->params.at[i]->type);
    if (!shared) origin_of_place(r, n, &shared);
    return shared;
}

static void update_of_callee(race *r, const ast_node *n, const sema_ref *call, sema_update u)
{
    uint32_t parameter = find_parameter(call, u.array);
    if (!is_given_shared(r, call, parameter)) return;
    u.from = origin_of_arguments(r, call, u.from);
    if (parameter < call->func->params.n && call->args[parameter].node)
        u.array = sema_text_of(r->in, call->args[parameter].node);
    if (*u.array != '*') u.told = u.array; /* *args is nobody's name for an array */
    if (is_judged_by_callers(r)) leave_to_callers(r, u);
    if (!r->own || (u.from & r->own) == r->own) return;
    diag *d = warn(r, n->span, u.told);
    sema_note(r->in, d, u.span, "it is updated here");
    sema_hint(r->in, d, "%s", u.hint);
}

static void calls(race *r, const ast_node *n)
{
    const sema_ref *ref = &r->in->f.refs[n->id];
    if (!r->reports) return;
    for (uint32_t i = 0; i < n->kid_count; i++) calls(r, n->kids[i]);
    if (n->kind != AST_CALL || ref->kind != REF_FUNC) return;
    const instance *callee = (const instance *)ref->func;
    for (uint32_t i = 0, known = callee->updates.n; i < known; i++)
        update_of_callee(r, n, ref, callee->updates.at[i]);
}

static bool commutes(token_kind op)
{
    return op == TOK_ADD || op == TOK_MUL || op == TOK_BITAND || op == TOK_BITOR ||
           op == TOK_BITXOR;
}

/* h[k] = h[k] + e, h[k] = max(h[k], e): an update as h[k] += e is. */
static void spelt_out(race *r, const ast_node *n)
{
    const ast_node *place = n->kids[0], *e = n->kids[n->kid_count - 1], *const *two = NULL;
    const char *atomic = NULL;
    bool either = true;
    if (n->kid_count != 2 || (place->kind != AST_INDEX && place->kind != AST_ATTRIBUTE)) return;
    if (e->kind == AST_BINARY) {
        two = (const ast_node *const *)e->kids;
        either = commutes((token_kind)e->op);
        atomic = atomic_for((token_kind)e->op);
    } else if (e->kind == AST_CALL && e->kid_count == 3 && !e->keyword_count) {
        const sema_ref *ref = &r->in->f.refs[e->id];
        bool least = ref->kind == REF_BUILTIN && ref->builtin == BI_MIN;
        if (!least && (ref->kind != REF_BUILTIN || ref->builtin != BI_MAX)) return;
        two = (const ast_node *const *)e->kids + 1;
        atomic = least ? "atomic_min" : "atomic_max";
    }
    if (two && sema_same(place, two[0], true)) update(r, n->span, place, two[1], atomic);
    else if (two && either && sema_same(place, two[1], true))
        update(r, n->span, place, two[0], atomic);
}

/* `if i == 0`: one round alone. */
static bool asks_for_round(race *r, const ast_node *n)
{
    if (n->kind == AST_COMPARE)
        for (uint32_t i = 0; i + 1 < n->kid_count; i++)
            if (n->ops[i] == TOK_EQ && (origin_of_kids(r, n, 0) & OWN)) return true;
    for (uint32_t i = 0; n->kind == AST_BOOLOP && n->op == TOK_AND && i < n->kid_count; i++)
        if (asks_for_round(r, n->kids[i])) return true;
    return false;
}

static void walk(race *r, const ast_list *list);

static void walk_for(race *r, const ast_node *n)
{
    uint32_t own = r->own;
    const ast_node *target = n->kids[0], *call = n->kids[1];
    if (r->in->f.parallel[n->id] && !own) {
        r->own = ROUND;
        add_origin(r, target, ROUND);
    } else {
        r->through = true;
        uint32_t bounds = origin(r, call);
        add_origin(r, target, is_judged_by_callers(r) && bounds ? all : bounds);
        r->through = false;
    }
    walk(r, n->body);
    r->own = own;
    walk(r, n->orelse);
}

static void walk(race *r, const ast_list *list)
{
    for (uint32_t i = 0; list && i < list->n; i++) {
        const ast_node *n = list->at[i];
        bool reports = r->reports;
        for (uint32_t k = 0; k < n->kid_count; k++) calls(r, n->kids[k]);
        switch (n->kind) {
        case AST_FOR: walk_for(r, n); continue;
        case AST_AUGASSIGN:
            update(r, n->span, n->kids[0], n->kids[1], atomic_for((token_kind)n->op));
            assigned(r, n);
            continue;
        case AST_ASSIGN: spelt_out(r, n); /* fall through */
        case AST_ANNASSIGN: assigned(r, n); continue;
        case AST_IF:
            if (asks_for_round(r, n->kids[0])) r->reports = false;
            break;
        default: break;
        }
        walk(r, n->body);
        r->reports = reports;
        walk(r, n->orelse);
    }
}

/* What a serial function calls is serial too. */
static bool is_serial(const instance *in)
{
    for (; in; in = in->caller)
        if (in->f.serial) return true;
    return false;
}

void sema_races(instance *in)
{
    race r = {.in = in};
    if (is_serial(in)) return;
    r.from = arena_array(&in->s->comp->arena, in->all.n, sizeof *r.from);
    for (uint32_t i = 0; i < in->f.params.n; i++) {
        const sema_var *v = in->f.params.at[i];
        if (!in->entry) r.from[v->index] = i < LOSS - 1 ? 1u << i : all;
        else if (in->elementwise && v->is_index) r.own |= r.from[v->index] = 1u << i;
    }
    do {
        r.changed = false;
        walk(&r, sema_body(in));
    } while (r.changed);
    r.reports = true;
    walk(&r, sema_body(in));
}
