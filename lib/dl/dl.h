/* The only place that opens shared libraries. Handles stay open for the life of the process. */
#ifndef CPL_DL_H
#define CPL_DL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * openmp.c. The entry of the OpenMP runtime (LLVM's or Intel's: the __kmpc interface). One that the
 * process already holds is used, since two copies in a process end it; else path (may be NULL),
 * else $CPL_OPENMP, else the system's libomp. NULL when there is none. The choice is made once a
 * process, by the first caller. Any thread.
 */
void *dl_openmp_symbol(const char *path, const char *symbol);
/* The path of the runtime in use, or NULL when none was found; makes the choice too. */
const char *dl_openmp_path(const char *path);

/* What kept a runtime that is there, or one that was named, from being opened, the last time; empty
 * when there was none. Another one may be in use. */
void dl_openmp_error(char *text, size_t size);

/* library.c. Opens a library and finds a symbol in it; on failure returns NULL and writes why to
 * error. */
void *dl_library_symbol(const char *library, const char *symbol, char *error, size_t error_size);

/* driver.c: the library of a driver, opened once a process; a child of that process cannot use it.
 */
typedef struct dl_driver {
    const char *variable, *library; /* which names another library; the usual name */
    const char *path;               /* what was opened */
    void *handle;
    bool tried, usable;
    pid_t process;   /* that opened it */
    char error[512]; /* why it is not usable */
    pthread_mutex_t lock;
} dl_driver;
#define DL_DRIVER(variable, library)                                                               \
    {variable, library, 0, 0, false, false, 0, "", PTHREAD_MUTEX_INITIALIZER}

/* Takes the lock; true for the first caller if the library could be opened: it looks up the symbols
 * now. dl_driver_end in any case. */
bool dl_driver_begin(dl_driver *d);
/* Stores a symbol's address, or NULL, in the function pointer at `pointer`; a needed one that is
 * missing makes the driver unusable. */
void dl_driver_symbol(dl_driver *d, const char *symbol, void *pointer, bool needed);
bool dl_driver_end(dl_driver *d); /* releases the lock; true if the driver is usable */

/* mvec.c. The address of an entry of glibc's libmvec, NULL when there is none. The library is
 * opened once a process. Any thread. */
void *dl_mvec_symbol(const char *symbol);

/*
 * cuda_link.c. Machine code for compute capability sm of PTX (a NUL stands behind its size
 * bytes), through NVIDIA's driver, which needs a device of that capability; given to put. False
 * with a reason in error. Any thread.
 */
bool dl_cuda_assemble(const char *ptx, size_t size, int sm, bool line_info,
                      void (*put)(void *user, const void *bytes, size_t size), void *user,
                      char *error, size_t error_size);

#endif
