/*
 * By which calls each request for memory came, in the order of requests, so that a test can leave
 * out those that fail as others do. How often a function is in its own calls does not count: a
 * parser that is deeper in brackets asks for the same.
 *
 *     trail_begin();  ... trail_note() at each request ...  trail_end();
 *     for (n = 1; n <= trail_count(); n++) if (trail_is_new(n)) ...
 */
#ifndef UNIT_TRAIL_H
#define UNIT_TRAIL_H

#include <stdbool.h>

enum { TRAIL_MOST = 20000 }; /* requests */

void trail_begin(void);
void trail_end(void);
void trail_note(void); /* any thread */
long trail_count(void);
/* whether no request in front of the n-th came by the same calls, or none behind it; from 1 on */
bool trail_is_new(long n);

#endif
