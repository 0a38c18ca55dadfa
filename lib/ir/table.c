/*
 * Tables: variables of a function that hold the same constants whenever they are read, as a tuple
 * of the module's does in a function that looks numbers up in it. A back end puts them where
 * constants lie, once, instead of storing each item at every call.
 */
#include "lib/ir/ir.h"

typedef struct table {
    const ir_var *var;
    const ir_node **values; /* by item, arrays in arrays flat; NULL: not seen yet */
    uint64_t count, known;
} table;

const ir_var *ir_item_root(const ir_node *pointer)
{
    while (pointer->op == IR_ITEM) pointer = pointer->kids[0];
    return pointer->op == IR_ADDR ? pointer->var : NULL;
}

/* The place of an item behind constant indices, in items of the innermost type. */
static bool place_of(const ir_node *pointer, uint64_t *place)
{
    int64_t index;
    if (pointer->op == IR_ADDR) {
        *place = 0;
        return true;
    }
    if (!ir_is_int_const(pointer->kids[1], &index) || index < 0 ||
        (uint64_t)index >= pointer->kids[0]->type->elem->count)
        return false;
    if (!place_of(pointer->kids[0], place)) return false;
    *place += (uint64_t)index * type_scalars(pointer->type->elem);
    return true;
}

/* Indices and values may be anything but the variable. */
static bool reads_only(table *t, const ir_node *n)
{
    if (n->op == IR_ADDR && n->var == t->var) return false;
    bool load = n->op == IR_LOAD && type_is_scalar(n->type) && ir_item_root(n->kids[0]) == t->var;
    if (load) {
        for (const ir_node *p = n->kids[0]; p->op == IR_ITEM; p = p->kids[0])
            if (!reads_only(t, p->kids[1])) return false;
        return true;
    }
    for (uint32_t i = 0; i < n->kid_count; i++)
        if (!reads_only(t, n->kids[i])) return false;
    return true;
}

/* A store of the next item, the same constant as ever. */
static bool fill(table *t, const ir_node *n, uint64_t next)
{
    uint64_t place;
    if (!ir_is_const(n->kids[1]) || !place_of(n->kids[0], &place) || place != next) return false;
    if (t->values[place]) return ir_equal(t->values[place], n->kids[1]);
    t->values[place] = n->kids[1];
    t->known++;
    return true;
}

static bool is_fill(const table *t, const ir_node *n)
{
    return (n->op == IR_STORE || n->op == IR_CLEAR) && ir_item_root(n->kids[0]) == t->var;
}

static bool block_reads_only(table *t, const ir_block *b);

static bool node_reads_only(table *t, const ir_node *n)
{
    return reads_only(t, n) && (!n->body || block_reads_only(t, n->body)) &&
           (!n->orelse || block_reads_only(t, n->orelse));
}

static bool block_reads_only(table *t, const ir_block *b)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (!node_reads_only(t, b->at[i])) return false;
    return true;
}

/*
 * Whether the block, wherever it reads the variable, stores all of its items before, one after the
 * other, perhaps after a clear.
 */
static bool fills_first(table *t, const ir_block *b)
{
    uint64_t filled = 0;
    for (uint32_t i = 0; b && i < b->n; i++) {
        const ir_node *n = b->at[i];
        if (is_fill(t, n) && n->op == IR_CLEAR) {
            if (n->kids[0]->op != IR_ADDR) return false;
            filled = 0;
        } else if (is_fill(t, n)) {
            if (!fill(t, n, filled < t->count ? filled++ : 0)) return false;
        } else if (filled == t->count) {
            if (!node_reads_only(t, n)) return false;
        } else if (ir_mentions(n, t->var)) {
            for (uint32_t j = i + 1; j < b->n; j++)
                if (ir_mentions(b->at[j], t->var)) return false;
            for (uint32_t k = 0; k < n->kid_count; k++)
                if (ir_mentions(n->kids[k], t->var)) return false;
            return !filled && fills_first(t, n->body) && fills_first(t, n->orelse);
        }
    }
    return true;
}

const ir_node **ir_table(const ir_func *f, const ir_var *v, arena *a, uint64_t *count)
{
    table t = {.var = v, .count = type_scalars(v->type)};
    *count = t.count;
    if (v->is_param || v->local || v->type->kind != TYPE_ARRAY ||
        !type_is_scalar(type_innermost(v->type)) || !ir_block_mentions(f->body, v))
        return NULL;
    t.values = arena_array(a, t.count, sizeof *t.values);
    return fills_first(&t, f->body) && t.known == t.count ? t.values : NULL;
}
