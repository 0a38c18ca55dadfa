/* A sink that keeps what the library says, as cplc would show it. */
#ifndef UNIT_COLLECT_H
#define UNIT_COLLECT_H

#include "cpl/cpl.h"

typedef struct messages {
    char text[8192];
    size_t n;
} messages;

static inline void collect(void *user, const cpl_diag *diag)
{
    messages *m = user;
    if (m->n < sizeof m->text) m->n += cpl_diag_render(diag, m->text + m->n, sizeof m->text - m->n);
}

#endif
