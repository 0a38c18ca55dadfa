/* Functions of kernels that are written as kernels, and found by an import. */
#include "lib/sema/sema.h"

EMBED(sema_random, EMBED_FILE(CPL_RANDOM));
EMBED(sema_numpy, EMBED_FILE(CPL_NUMPY));
EMBED(sema_cuda, EMBED_FILE(CPL_CUDA));
EMBED(sema_complex, EMBED_FILE(CPL_COMPLEX));
EMBED(sema_elementary, EMBED_FILE(CPL_ELEMENTARY));
EMBED(sema_elementary32, EMBED_FILE(CPL_ELEMENTARY32));

const library_file sema_libraries[SEMA_LIBRARIES] = {
    {"cpl.random", "cpl/random.py", sema_random_text, &sema_random_size},
    {"cpl.numpy", "cpl/numpy.py", sema_numpy_text, &sema_numpy_size},
    {"cpl.cuda", "cpl/cuda.py", sema_cuda_text, &sema_cuda_size},
    {"cmath", "cpl/complex.py", sema_complex_text, &sema_complex_size},
    {SEMA_ELEMENTARY, "cpl/elementary.py", sema_elementary_text, &sema_elementary_size},
    {SEMA_ELEMENTARY32, "cpl/elementary32.py", sema_elementary32_text, &sema_elementary32_size},
};

size_t sema_library_index(const char *module)
{
    size_t i = 0;
    while (i < SEMA_LIBRARIES && strcmp(module, sema_libraries[i].name) != 0) i++;
    return i;
}
