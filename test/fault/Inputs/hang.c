/* What hangs: whoever makes a module of IR waits for ever. */
#include <cpl/cpl.h>
#include <unistd.h>

cpl_status cpl_module_from_ir(cpl_context *context, const char *name, const char *text,
                              size_t length, cpl_module **module)
{
    (void)context, (void)name, (void)text, (void)length, (void)module;
    for (;;) pause();
}
