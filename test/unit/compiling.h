/* A compilation without a context, for tests of single stages. */
#ifndef UNIT_COMPILING_H
#define UNIT_COMPILING_H

#include "unit.h"

#include "lib/support/support.h"

/* c is zeroed; what runs out of memory jumps to on_oom, which the test sets where it expects
 * that. */
static inline void compiling_begin(compilation *c, const mem *m, jmp_buf *on_oom)
{
    c->mem = m;
    c->on_oom = on_oom;
    c->types = type_table_create(m);
    arena_init(&c->arena, m, on_oom);
    c->diags.arena = &c->arena;
}

static inline void compiling_end(compilation *c)
{
    arena_free(&c->arena);
    type_table_free(c->types);
}

#endif
