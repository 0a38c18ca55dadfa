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
/* As one number that grows from version to version: 1 for 0.0.1, 1000000 for 1.0.0. */
#define CPL_VERSION (CPL_VERSION_MAJOR * 1000000 + CPL_VERSION_MINOR * 1000 + CPL_VERSION_PATCH)

/* What a fallible function returns; results travel through out-parameters, last. */
typedef enum cpl_status {
#define STATUS(name, number, message) CPL_##name = number,
#include "cpl/status.def"
#undef STATUS
} cpl_status;

/* The fixed English message of a status, "unknown status" for any other number. Never NULL; static.
 * Any thread. */
CPL_API const char *cpl_status_message(cpl_status status);

/* The version of the library that is loaded, as CPL_VERSION is of the headers; and as text,
 * "0.1.0", which is static. Any thread. */
CPL_API uint32_t cpl_version(void);
CPL_API const char *cpl_version_text(void);

/*
 * Structs that begin with their size grow: a later version adds members behind the others. Set size
 * to sizeof, or use the struct's init function, and zero or init the rest; then a program works
 * with an older library and with a newer one. What a struct ends before keeps its default; members
 * that the library does not know must be zero (CPL_EARG otherwise), and are zero where it fills a
 * struct in. Items of an array all have the size that the first one gives. A size below that of
 * size_t, or no multiple of it, is CPL_EARG. Structs without a size do not grow, but for `reserved`
 * members: they must be zero, as inline functions that make the struct leave them.
 */

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
