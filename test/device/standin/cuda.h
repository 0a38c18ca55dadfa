/* What the two files of the stand-in's libcuda share. */
#ifndef STANDIN_CUDA_H
#define STANDIN_CUDA_H

#include "driver.h"

/* Counts the call; returns from it with its code if it must fail. */
#define ENTER                                                                                      \
    int e = driver_enter(__func__);                                                                \
    if (e) return driver_leave(e)

/* cuda.c: the context that is current to the thread; an error of the driver when there is none.
 * context may be NULL. */
int cu_context(object **context) __attribute__((visibility("hidden")));

#endif
