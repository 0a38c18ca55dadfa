/*
 * Small programs from large ones, after C-Reduce (Regehr et al., Test-case reduction for C compiler
 * bugs, PLDI 2012), on the tree: statements go, blocks take the place of what holds them,
 * expressions become one of their operands or a constant. Every program stays well defined, since
 * that is the printers' doing.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

typedef struct reducer {
    prog *best;
    bool (*still)(void *user, prog *p);
    void *user;
    int tries;
    int target, at; /* which candidate of a walk is changed */
    int choice;
    bool changed;
} reducer;

enum { MOST_TRIES = 3000 };

/* Keeps the candidate if it still shows the fault. */
static bool keep(reducer *r, prog *candidate)
{
    if (r->tries++ < MOST_TRIES && r->still(r->user, candidate)) {
        prog_free(r->best);
        r->best = candidate;
        return true;
    }
    prog_free(candidate);
    return false;
}

/* Statement lists: removes `count` from place `target` of the walk on. */
static void cut(reducer *r, node *n, int count)
{
    if (n->kind == S_BLOCK) {
        int first = -1, last = -1;
        for (int i = 0; i < n->kids; i++, r->at++)
            if (r->at >= r->target && r->at < r->target + count) {
                if (first < 0) first = i;
                last = i;
            }
        if (first >= 0) {
            memmove(n->kid + first, n->kid + last + 1,
                    (size_t)(n->kids - last - 1) * sizeof *n->kid);
            n->kids = (uint16_t)(n->kids - (last - first + 1));
            r->changed = true;
        }
    }
    for (int i = 0; i < n->kids; i++)
        if (n->kid[i]->kind >= S_BLOCK && n->kid[i]->kids) cut(r, n->kid[i], count);
}

/* A statement with blocks becomes one of them. */
static void unwrap(reducer *r, node *n)
{
    for (int i = 0; i < n->kids; i++) {
        node *kid = n->kid[i];
        if (n->kind == S_BLOCK &&
            (kid->kind == S_IF || kid->kind == S_FOR || kid->kind == S_WHILE) &&
            r->at++ == r->target) {
            node *block =
                kid->kid[kid->kids - 1 - (r->choice && kid->kind == S_IF && kid->kids == 3)];
            n->kid[i] = block;
            r->changed = true;
            return;
        }
        unwrap(r, kid);
        if (r->changed) return;
    }
}

static node *simpler(reducer *r, prog *p, const node *n)
{
    if (r->choice < n->kids) {
        node *kid = n->kid[r->choice];
        return kid->type == n->type && kid->kind <= E_LOAD ? kid : NULL;
    }
    if (n->kind == E_CONST) return NULL;
    if (r->choice > n->kids + 1) return NULL;
    node *c = node_new(p, E_CONST, (ty)n->type, 0);
    bool one = r->choice == n->kids + 1;
    if (ty_is_float((ty)n->type)) c->number = one;
    else c->bits = one;
    return c;
}

static void shrink(reducer *r, prog *p, node *n)
{
    for (int i = 0; i < n->kids && !r->changed; i++) {
        if (n->kid[i]->kind <= E_LOAD && r->at++ == r->target) {
            node *s = simpler(r, p, n->kid[i]);
            if (s) n->kid[i] = s;
            r->changed = s != NULL;
            return;
        }
        shrink(r, p, n->kid[i]);
    }
}

static node *body_of(prog *p, int f)
{
    return f < p->helper_count ? p->helpers[f].body : p->kernel.body;
}

/* One change at each place in turn; true if any was kept. */
static bool cuts(reducer *r, int count)
{
    bool any = false;
    for (int f = r->best->helper_count; f >= 0; f--)
        for (r->target = 0;;) {
            prog *p = prog_copy(r->best);
            r->at = 0;
            r->changed = false;
            cut(r, body_of(p, f), count);
            if (!r->changed || r->tries > MOST_TRIES) {
                prog_free(p);
                break;
            }
            if (keep(r, p)) any = true;
            else r->target += count;
        }
    return any;
}

static bool unwraps(reducer *r)
{
    bool any = false;
    for (int f = 0; f <= r->best->helper_count; f++)
        for (r->choice = 0; r->choice < 2; r->choice++)
            for (r->target = 0;;) {
                prog *p = prog_copy(r->best);
                r->at = 0;
                r->changed = false;
                unwrap(r, body_of(p, f));
                if (!r->changed || r->tries > MOST_TRIES) {
                    prog_free(p);
                    break;
                }
                if (keep(r, p)) any = true;
                else r->target++;
            }
    return any;
}

static bool shrinks(reducer *r)
{
    bool any = false;
    for (int f = 0; f <= r->best->helper_count; f++)
        for (r->target = 0;; r->target++) {
            bool exists = false;
            for (r->choice = 0; r->choice < 6; r->choice++) {
                prog *p = prog_copy(r->best);
                r->at = 0;
                r->changed = false;
                shrink(r, p, body_of(p, f));
                exists |= r->at > r->target;
                if (r->changed && keep(r, p)) {
                    any = true;
                    r->choice = -1;
                } else if (!r->changed) {
                    prog_free(p);
                }
            }
            if (!exists || r->tries > MOST_TRIES) break;
        }
    return any;
}

static void drop_helper_calls(void *user, node *n)
{
    int *gone = user;
    if (n->kind == S_CALL && n->c > *gone) n->c--;
}

static void find_calls(void *user, node *n)
{
    uint32_t *called = user;
    if (n->kind == S_CALL) *called |= 1u << n->c;
}

static bool drop_helpers(reducer *r)
{
    bool any = false;
    for (int h = r->best->helper_count - 1; h >= 0; h--) {
        uint32_t called = 0;
        prog_walk(r->best, find_calls, &called);
        if (called >> h & 1) continue;
        prog *p = prog_copy(r->best);
        memmove(&p->helpers[h], &p->helpers[h + 1],
                (size_t)(p->helper_count - h - 1) * sizeof *p->helpers);
        p->helper_count--;
        prog_walk(p, drop_helper_calls, &h);
        any |= keep(r, p);
    }
    return any;
}

static bool names_array(const node *n)
{
    return n->kind == P_ELEM || n->kind == P_SELEM;
}

static void find_arrays(void *user, node *n)
{
    uint32_t *used = user;
    if (names_array(n)) *used |= 1u << n->a;
}

static void renumber(void *user, node *n)
{
    int *gone = user;
    if (names_array(n) && n->a > *gone) n->a--;
}

static bool drop_arrays(reducer *r)
{
    bool any = false;
    for (int a = r->best->array_count - 1; a >= 0; a--) {
        uint32_t used = 0;
        prog_walk(r->best, find_arrays, &used);
        for (int v = 0; v < r->best->kernel.var_count; v++) {
            const var *x = &r->best->kernel.vars[v];
            if (x->kind == V_POINTER && x->array >= 0) used |= 1u << x->array;
        }
        if (used >> a & 1) continue;
        prog *p = prog_copy(r->best);
        memmove(&p->arrays[a], &p->arrays[a + 1],
                (size_t)(p->array_count - a - 1) * sizeof *p->arrays);
        p->array_count--;
        prog_walk(p, renumber, &a);
        for (int v = 0; v < p->kernel.var_count; v++)
            if (p->kernel.vars[v].kind == V_POINTER && p->kernel.vars[v].array > a)
                p->kernel.vars[v].array--;
        any |= keep(r, p);
    }
    return any;
}

/* Pointer variables that nothing uses would keep their arrays. */
static void drop_pointers(reducer *r)
{
    prog *p = prog_copy(r->best);
    for (int v = 0; v < p->kernel.var_count; v++)
        if (p->kernel.vars[v].kind == V_POINTER && !var_used(&p->kernel, v))
            p->kernel.vars[v].array = -1;
    keep(r, p);
}

static void fewer_rounds(reducer *r)
{
    static const int64_t counts[] = {1, 2, 3, 5, 9, 17, 33};
    for (size_t i = 0; i < COUNT_OF(counts) && counts[i] < r->best->n; i++) {
        prog *p = prog_copy(r->best);
        p->n = counts[i];
        if (keep(r, p)) return;
    }
}

prog *reduce(prog *p, bool (*still)(void *user, prog *p), void *user)
{
    reducer r = {.best = p, .still = still, .user = user};
    for (bool more = true; more && r.tries < MOST_TRIES;) {
        more = false;
        for (int count = 16; count; count /= 2) more |= cuts(&r, count);
        more |= unwraps(&r);
        more |= drop_helpers(&r);
        more |= shrinks(&r);
    }
    fewer_rounds(&r);
    drop_pointers(&r);
    drop_arrays(&r);
    return r.best;
}
