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
 * size_t, or no multiple of it, is CPL_EARG.
 *
 * Structs without a size stay as large as they are, and their members where they are. Those that
 * may come to say more have `reserved` members for that, cpl_arg, cpl_bind, cpl_name and
 * cpl_variable: zero, as {0} and the inline functions that make the struct leave them, or CPL_EARG.
 * What does not fit there is another kind, whose pointer is one to a struct with a size, as
 * cpl_arg's data is of CPL_ARG_BOUND. The others say all that they ever will: cpl_field, cpl_blob,
 * cpl_ir_reduction, and what is shared with compiled code, cpl_fault, cpl_grid and cplrt_site
 * (CPLRT_INTERFACE); what needs more gets another struct, and functions of its own.
 *
 * A function keeps what it means, and its version of the symbol, which says since when it is there
 * (CPL_0.1). One that has to change gets a second version: programs keep the one that they were
 * linked with, until they are compiled anew.
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
