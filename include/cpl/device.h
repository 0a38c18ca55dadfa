/*
 * Queues and events. The host is synchronous behind the same signatures: every launch is complete when its call returns, the
 * default queue is NULL and events are complete when made.
 */
#ifndef CPL_DEVICE_H
#define CPL_DEVICE_H

#include "cpl/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Waits for what the event stands for and returns the launch's late status. event may be NULL (CPL_OK). Any thread. */
CPL_API cpl_status cpl_event_wait(cpl_event *event);
/* Gives the event back; NULL is allowed. Does not wait. */
CPL_API void cpl_event_release(cpl_event *event);

/*
 * The path of the OpenMP runtime that host kernels run on, or NULL when there is none: one that the process holds already, else the
 * context's (context may be NULL), else $CPL_OPENMP, else the system's. Chosen once a process. Any thread.
 */
CPL_API const char *cpl_openmp_path(cpl_context *context);

#ifdef __cplusplus
}
#endif
#endif
