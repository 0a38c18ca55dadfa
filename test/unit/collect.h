/* A sink that keeps what the library says, as cplc would show it. Threads that share it take turns.
 */
#ifndef UNIT_COLLECT_H
#define UNIT_COLLECT_H

#include "cpl/cpl.h"

#include <pthread.h>

typedef struct messages {
    char text[8192];
    size_t n;
} messages;

static inline void collect(void *user, const cpl_diag *diag)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    messages *m = user;
    pthread_mutex_lock(&turn);
    if (m->n < sizeof m->text) m->n += cpl_diag_render(diag, m->text + m->n, sizeof m->text - m->n);
    pthread_mutex_unlock(&turn);
}

#endif
