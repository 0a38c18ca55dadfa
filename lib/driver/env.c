/* What a module's compilations find outside of its text. */
#include "lib/driver/internal.h"

sema_env module_env(cpl_module *m)
{
    return (sema_env){.find_extern = extern_find,
                      .each_extern = extern_each,
                      .find_file = module_find_file,
                      .host = module_host_at,
                      .find_host = module_find_host,
                      .user = m};
}
