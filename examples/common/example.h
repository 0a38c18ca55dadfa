/* What the examples with pictures share: a device by its name, a kernel file, arrays, PNG files and
 * the time. Everything says on stderr why it failed, and returns false or NULL then. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <cpl/cpl.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct example {
    cpl_context *context;
    cpl_device *device; /* where arrays live, and so where launches run */
    cpl_module *module; /* the functions of the kernel file */
} example;

/* path: a kernel file; device: "host", "cuda", "opencl:1"... Call example_close in any case. */
bool example_open(example *e, const char *path, const char *device);
void example_close(example *e);

/* Whether status is CPL_OK; else prints why not. */
bool example_ok(cpl_status status);

/* An array on the device, of shape[0] rows (dims 2; of 1: shape[0] elements), which takes what lies
 * at from; NULL: zeros. To be released. */
cpl_array *example_array(const example *e, cpl_dtype dtype, int dims, const int64_t *shape,
                         const void *from);

/* Launches a function for each element, or for each pair of indices, of its first array. */
bool example_launch(const example *e, const char *function, const cpl_arg *args, size_t count);

/* 8 bits a channel, the rows one behind the other, from the top; points are to be freed. */
typedef struct picture {
    int width, height, channels; /* channels: 1: grey, 3: red, green, blue */
    uint8_t *points;
} picture;
/* Reads any PNG file as one of so many channels. */
bool picture_read(picture *p, const char *path, int channels);
bool picture_write(const picture *p, const char *path);

/* The text of a file, to be freed. */
char *example_text(const char *path, size_t *size);
/* Zeroed memory, or the end of the program. */
void *example_allocate(size_t count, size_t size);
double example_now_ms(void);
/* What the words behind a program's name ask for: the at-th as a number, -1 if it is none; normal
 * where there are not so many. */
int example_number(int argc, char **argv, int at, int normal);

#endif
