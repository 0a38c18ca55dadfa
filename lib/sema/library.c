/* Functions of kernels that are written as kernels, and found by an import. */
#include "lib/sema/sema.h"

EMBED(sema_random, EMBED_FILE(CPL_RANDOM));

const library_file sema_library = {"cpl.random", "cpl/random.py", sema_random_text,
                                   &sema_random_size};
