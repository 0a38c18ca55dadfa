/*
 * Variables of functions that have very many share memory. Checks of indices make one for each
 * element that is read, and what LLVM does for each of those walks all blocks behind it: together
 * minutes, where a function has thousands. One that is used inside of a block alone, and written
 * there first whatever happens, has no value in front of those statements and none behind them:
 * there another one has its place.
 */
#include "lib/codegen/gen_int.h"

enum { MANY = 256 }; /* fewer have a place each, so that LLVM's names are those of the source */

typedef struct life life;

/* A block of the function, in the order in which they stand there. */
typedef struct home {
    struct home *around;
    const ir_block *block;
    uint32_t at, depth; /* at: the statement of that one around it that it belongs to */
    uint32_t now;       /* the statement at hand */
    life **first;       /* by statement: those that begin there */
} home;

struct life {
    ir_var *var;
    home *in;             /* the innermost block with all its uses; NULL: there are none */
    uint32_t first, last; /* the statements there that hold the first and the last one */
    bool kept;            /* it has a place of its own */
    life *next;           /* of those that begin with the same statement */
};

typedef struct spare { /* of a type: places that are nobody's at the moment */
    const cpl_type *type;
    VEC(LLVMValueRef) slots;
} spare;

typedef struct sharing {
    gen *g;
    home *here;
    VEC(home *) homes;
    uint32_t at; /* of the homes, the next one that is come to */
    VEC(spare *) spares;
} sharing;

static life *life_of(ir_var *v)
{
    return v && !v->is_param ? v->user : NULL;
}

static void keep(ir_var *v)
{
    life *l = life_of(v);
    if (l) l->kept = true;
}

static void mention(sharing *s, ir_var *v)
{
    life *l = life_of(v);
    if (!l) return;
    home *b = s->here, *a = l->in ? l->in : b;
    uint32_t i = b->now, first = l->in ? l->first : i, last = l->in ? l->last : i;
    while (a != b)
        if (a->depth >= b->depth) first = last = a->at, a = a->around;
        else i = b->at, b = b->around;
    l->in = a;
    l->first = i < first ? i : first;
    l->last = i > last ? i : last;
}

/* --- where they are used --- */

static void note_block(sharing *s, const ir_block *b);

static void note(sharing *s, const ir_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) note(s, n->kids[i]);
    if (n->op == IR_VAR || n->op == IR_ASSIGN) mention(s, n->var);
    if (n->op == IR_ADDR) keep(n->var);
    if (n->loop) {
        keep(n->loop->var);
        for (uint32_t i = 0; i < n->loop->reductions.n; i++) keep(n->loop->reductions.at[i].var);
    }
    if (n->body) note_block(s, n->body);
    if (n->orelse) note_block(s, n->orelse);
}

static void note_block(sharing *s, const ir_block *b)
{
    arena *a = &s->g->c->arena;
    home *around = s->here, *own = arena_new(a, home);
    own->around = around;
    own->block = b;
    own->at = around ? around->now : 0;
    own->depth = around ? around->depth + 1 : 0;
    own->first = arena_array(a, b->n, sizeof(life *));
    vec_push(a, &s->homes, own);
    for (; own->now < b->n; own->now++) {
        s->here = own;
        note(s, b->at[own->now]);
    }
    s->here = around;
}

/* --- whether they are written first --- */

static bool block_writes(const ir_block *b, const ir_var *v);

/* A statement that uses it: whether it is written in front of all that reads it, on each way. */
static bool writes(const ir_node *n, const ir_var *v)
{
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (ir_mentions(n->kids[i], v)) return false;
    if (n->op == IR_ASSIGN) return true;
    return n->op == IR_IF && n->orelse && block_writes(n->body, v) && block_writes(n->orelse, v);
}

static bool block_writes(const ir_block *b, const ir_var *v)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (ir_mentions(b->at[i], v)) return writes(b->at[i], v);
    return false;
}

/* --- their places --- */

static spare *spare_of(sharing *s, const cpl_type *type)
{
    arena *a = &s->g->c->arena;
    for (uint32_t i = 0; i < s->spares.n; i++)
        if (s->spares.at[i]->type == type) return s->spares.at[i];
    spare *made = arena_new(a, spare);
    made->type = type;
    vec_push(a, &s->spares, made);
    return made;
}

static void place_block(sharing *s, const ir_block *b);

static void place_inside(sharing *s, const ir_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) place_inside(s, n->kids[i]);
    if (n->body) place_block(s, n->body);
    if (n->orelse) place_block(s, n->orelse);
}

/* At the last of its statements a variable's place is free for those that begin behind it. */
static void place_block(sharing *s, const ir_block *b)
{
    arena *a = &s->g->c->arena;
    const home *own = s->homes.at[s->at++];
    life **ending = arena_array(a, b->n, sizeof *ending);
    for (uint32_t i = 0; i < b->n; i++) {
        for (life *l = own->first[i], *next; l; l = next) {
            next = l->next;
            spare *of = spare_of(s, l->var->type);
            l->var->user = of->slots.n ? of->slots.at[--of->slots.n]
                                       : gen_variable(s->g, l->var->type, l->var->name);
            l->next = ending[l->last];
            ending[l->last] = l;
        }
        place_inside(s, b->at[i]);
        for (const life *l = ending[i]; l; l = l->next)
            vec_push(a, &spare_of(s, l->var->type)->slots, (LLVMValueRef)l->var->user);
    }
}

static bool can_share(const life *l)
{
    return l->in && !l->kept && writes(l->in->block->at[l->first], l->var);
}

void gen_share_slots(gen *g, const ir_func *f)
{
    sharing s = {.g = g};
    for (uint32_t i = 0; i < f->vars.n; i++) f->vars.at[i]->user = NULL;
    if (f->vars.n < MANY) return;
    life *lives = arena_array(&g->c->arena, f->vars.n, sizeof *lives);
    for (uint32_t i = 0; i < f->vars.n; i++) {
        ir_var *v = f->vars.at[i];
        lives[i] = (life){.var = v, .kept = v->local || !type_is_scalar(v->type)};
        v->user = &lives[i];
    }
    note_block(&s, f->body);
    for (uint32_t i = 0; i < f->vars.n; i++) {
        life *l = &lives[i];
        l->var->user = NULL;
        if (!can_share(l)) continue;
        l->next = l->in->first[l->first];
        l->in->first[l->first] = l;
    }
    place_block(&s, f->body);
}
