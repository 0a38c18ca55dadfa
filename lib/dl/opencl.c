/* OpenCL's ICD loader. */
#include "lib/dl/opencl.h"
#include "lib/dl/dl.h"

static const struct {
    const char *symbol;
    size_t offset;
    int needed;
} rows[] = {
#define NEEDED                          1
#define OPTIONAL                        0
#define CL_FN(result, name, need, args) {"cl" #name, offsetof(cl_api, name), need},
#include "lib/dl/opencl.def"
#undef CL_FN
};

/* Per process. */
static cl_api api;
static dl_driver driver = DL_DRIVER("CPL_OPENCL_LIBRARY", "libOpenCL.so.1");

const cl_api *dl_opencl(const char **why)
{
    _Static_assert(sizeof api / sizeof(void (*)(void)) == sizeof rows / sizeof *rows,
                   "one row a pointer");
    *why = driver.error;
    if (!dl_driver_begin(&driver)) return dl_driver_end(&driver) ? &api : NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        dl_driver_symbol(&driver, rows[i].symbol, (char *)&api + rows[i].offset, rows[i].needed);
    return dl_driver_end(&driver) ? &api : NULL;
}
