/* Export macro, version and status codes. Every other header of the library includes this one. */
#ifndef CPL_BASE_H
#define CPL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CPL_API __attribute__((visibility("default")))
#else
#define CPL_API
#endif

#define CPL_VERSION_MAJOR 0
#define CPL_VERSION_MINOR 1
#define CPL_VERSION_PATCH 0
#define CPL_VERSION_TEXT  "0.1.0"

/* What a fallible function returns; results travel through out-parameters, last. */
typedef enum cpl_status {
#define STATUS(name, number, message) CPL_##name = number,
#include "cpl/status.def"
#undef STATUS
} cpl_status;

/* The fixed English message of a status, "unknown status" for any other number. Never NULL; static.
 * Any thread. */
CPL_API const char *cpl_status_message(cpl_status status);

/* The version of the library that is loaded, "0.1.0". Static. Any thread. */
CPL_API const char *cpl_version(void);

/*
 * Handles; each is described in the header that creates it. NULL in place of a handle, or of
 * anything else that a function is given an address of, is taken where that is said, and refused
 * otherwise: the answer is CPL_EARG, NULL, 0 or false, and nothing is done.
 */
typedef struct cpl_context cpl_context;
typedef struct cpl_module cpl_module;
typedef struct cpl_kernel cpl_kernel;
typedef struct cpl_type cpl_type;
typedef struct cpl_queue cpl_queue;
typedef struct cpl_event cpl_event;
typedef struct cpl_device cpl_device;
typedef struct cpl_array cpl_array;
typedef struct cpl_graph cpl_graph;

#ifdef __cplusplus
}
#endif
#endif
