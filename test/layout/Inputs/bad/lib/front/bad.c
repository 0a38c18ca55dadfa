/* A tree that breaks each rule once. */
#include "lib/ir/ir.h"
#include <llvm-c/Core.h>

int f(void)
{
    return printf("exit(");
}
