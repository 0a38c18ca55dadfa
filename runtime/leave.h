/*
 * Compiled code that is left in the middle, where the context's poll function says so (team.c says
 * when it is asked). Calls that may take long are made through leave_call; the others pay nothing.
 */
#ifndef CPL_LEAVE_H
#define CPL_LEAVE_H

#include "lib/support/abi.h"

#include <stdbool.h>

/* The code that is called: its own functions, of which nobody is ever inside of anything else than
 * what abi.def lists and what the program registered. */
typedef struct leave_code {
    const char *begin, *end; /* the same: it cannot be left */
    const abi_place *place;  /* its context's */
} leave_code;

/* Calls it; false: it was left before it returned. Any thread. */
bool leave_call(const leave_code *code, void (*call)(void *data), void *data);
/* The code of the innermost such call that this thread is in; none: empty. */
leave_code leave_innermost(void);
/* Somebody is to leave: threads are asked more often for a while. Also from a signal's handler. */
void leave_soon(void);

#endif
