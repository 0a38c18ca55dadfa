#include "lib/ir/ir_int.h"
#include "lib/ir/gone.h"
#include <dlfcn.h>

void *g(void)
{
    return dlopen("x", 0); /* not dlopen("y") */
}
