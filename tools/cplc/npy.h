/*
 * NumPy's .npy files (format 1.0, 2.0 and 3.0;
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
 *
 * Reads little-endian arrays of every element type the library has, C-contiguous or contiguous in
 * both orders, and arrays of records. Nothing in a file is trusted: sizes are checked against
 * each other and against the file's own.
 */
#ifndef CPLC_NPY_H
#define CPLC_NPY_H

#include <cpl/type.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { NPY_DIMS = 64, NPY_FIELDS = 256, NPY_NESTING = 16, NPY_NAME = 128, NPY_MESSAGE = 256 };

/* A field of a record; padding is left out, but counts in the offsets. */
typedef struct npy_field {
    char name[NPY_NAME];
    cpl_dtype dtype; /* CPL_VOID: records, whose fields follow */
    size_t parts;    /* that follow and belong to it, theirs included */
    size_t size;     /* bytes of a single value */
    size_t offset;   /* bytes from the start of the record */
    int32_t ndim;    /* 0: a single value */
    int64_t shape[4];
} npy_field;

typedef struct npy_array {
    cpl_dtype dtype;  /* CPL_VOID: records, described by fields */
    size_t item_size; /* bytes */
    int32_t ndim;
    int64_t shape[NPY_DIMS];
    int64_t length;    /* product of the shape; 1 without dimensions */
    void *data;        /* owned, aligned to 64 bytes; never NULL */
    npy_field *fields; /* owned; each in front of its own */
    size_t field_count;
    /* owned: the text of the element type as the file has it, with its quotes or brackets */
    char *descr;
} npy_array;

typedef enum npy_status {
    NPY_OK = 0,
    NPY_EIO = 1,     /* the file cannot be opened, read or written */
    NPY_EFORMAT = 2, /* it is not a .npy file that can be used */
    NPY_ENOMEM = 3,
} npy_status;

/* Puts a message into text; returns status. */
npy_status npy_fail(char text[NPY_MESSAGE], npy_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Where the bytes of an array come from. */
typedef struct npy_source npy_source;
struct npy_source {
    /* As many bytes as there are, size at most. Fewer: they end there, or status and why say what
     * went wrong. */
    size_t (*read)(npy_source *source, void *to, size_t size);
    uint64_t left;     /* bytes there are at most; NPY_ENDLESS: nobody knows */
    npy_status status; /* of a read that failed */
    const char *why;
};
#define NPY_ENDLESS UINT64_MAX

/* Reads one array, and nothing of what follows it. On failure text says why, without the name of
 * the file, and *array needs no release; so for all of these. */
npy_status npy_load(npy_source *source, npy_array *array, char text[NPY_MESSAGE]);
/* Reads a file, which has to be a regular one. */
npy_status npy_read(const char *path, npy_array *array, char text[NPY_MESSAGE]);
/* Reads the next of the arrays that follow each other in a stream, a pipe perhaps. */
npy_status npy_read_next(FILE *stream, npy_array *array, char text[NPY_MESSAGE]);

/* What is in front of the data: format 1.0, in C order and with the array's shape; its size is a
 * multiple of 64 bytes. Free it; NULL with errno. */
char *npy_header(const npy_array *array, size_t *size);
/* Writes header and data. False with errno. */
bool npy_write(FILE *file, const npy_array *array);
size_t npy_bytes(const npy_array *array); /* of the data */

/* A zeroed array; ndim at most NPY_DIMS. */
npy_status npy_zeros(npy_array *array, cpl_dtype dtype, const int64_t *shape, int32_t ndim,
                     char text[NPY_MESSAGE]);
/* The same of records without `fields`, described by descr. */
npy_status npy_zero_records(npy_array *array, const char *descr, size_t item_size,
                            const int64_t *shape, int32_t ndim, char text[NPY_MESSAGE]);
const char *npy_code(cpl_dtype dtype); /* of an element type, with quotes; NULL: it has none */

void npy_free(npy_array *array);

#endif
