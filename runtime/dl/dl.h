/* The only place that opens shared libraries. Handles stay open for the life of the process. */
#ifndef CPL_DL_H
#define CPL_DL_H

#include <stddef.h>

/*
 * openmp.c. The entry of the OpenMP runtime (LLVM's or Intel's: the __kmpc interface). One that the process already holds is used,
 * since two copies in a process end it; else path (may be NULL), else $CPL_OPENMP, else the system's libomp. NULL when
 * there is none. The choice is made once a process, by the first caller. Any thread.
 */
void *dl_openmp_symbol(const char *path, const char *symbol);
/* The path of the runtime in use, or NULL when none was found; makes the choice too. */
const char *dl_openmp_path(const char *path);

/* library.c. Opens a library and finds a symbol in it; on failure returns NULL and writes why to error. */
void *dl_library_symbol(const char *library, const char *symbol, char *error, size_t error_size);

#endif
