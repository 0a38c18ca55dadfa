/*
 * Compiled code that is left in the middle, where the context's poll function says so (team.c says
 * whether that is now). Calls that may take long are made through leave_call; the others pay
 * nothing.
 */
#ifndef CPL_LEAVE_H
#define CPL_LEAVE_H

#include "lib/support/abi.h"

#include <stdbool.h>

/* The code that is called: its own functions, of which nobody is ever inside of anything else than
 * what abi.def lists and what the program registered. */
typedef struct leave_code {
    const char *begin, *end;                /* the same: it cannot be left */
    const abi_place *place;                 /* its context's */
    bool (*leaves)(const abi_place *place); /* whether a thread in it is to leave now */
} leave_code;

/* Calls it; 0, or why it was left before it returned: LEAVE_ASKED, since somebody asked for it, or
 * what leave_now was given. Any thread. */
enum { LEAVE_ASKED = 1 };
int leave_call(const leave_code *code, void (*call)(void *data), void *data);
/* Leaves the innermost such call of this thread, which is in one. why: not 0. */
_Noreturn void leave_now(int why);
/*
 * Where the stack of this thread ends for code that needs so many bytes behind the last look: NULL
 * where nothing can be left, or the thread has other memory for its stack than the system gave it.
 */
const char *leave_stack_end(int64_t bytes);
/* The code of the innermost such call that this thread is in; none: empty. */
leave_code leave_innermost(void);
/* Somebody is to leave: threads are asked more often for a while. Also from a signal's handler. */
void leave_soon(void);

#endif
