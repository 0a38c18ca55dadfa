/* NVIDIA's driver. */
#include "lib/dl/cuda.h"
#include "lib/dl/dl.h"

static const struct {
    const char *symbol;
    size_t offset;
    int needed;
} rows[] = {
#define NEEDED                          1
#define OPTIONAL                        0
#define CU_FN(name, symbol, need, args) {symbol, offsetof(cu_api, name), need},
#include "lib/dl/cuda.def"
#undef CU_FN
};

/* Per process. */
static cu_api api;
static dl_driver driver = DL_DRIVER("CPL_CUDA_DRIVER", "libcuda.so.1");

const cu_api *dl_cuda(const char **why)
{
    _Static_assert(sizeof api / sizeof(void (*)(void)) == sizeof rows / sizeof *rows,
                   "one row a pointer");
    *why = driver.error;
    if (!dl_driver_begin(&driver)) return dl_driver_end(&driver) ? &api : NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        dl_driver_symbol(&driver, rows[i].symbol, (char *)&api + rows[i].offset, rows[i].needed);
    return dl_driver_end(&driver) ? &api : NULL;
}
