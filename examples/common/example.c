#include "example.h"

#include <errno.h>
#include <limits.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

void *example_allocate(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(EXIT_FAILURE);
    }
    return p;
}

int example_number(int argc, char **argv, int at, int normal)
{
    if (at >= argc) return normal;
    char *end;
    long number = strtol(argv[at], &end, 10);
    return *end || end == argv[at] || number < 0 || number > INT_MAX ? -1 : (int)number;
}

double example_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

char *example_text(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat st;
    if (!file || fstat(fileno(file), &st) != 0) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        if (file) fclose(file);
        return NULL;
    }
    char *text = example_allocate((size_t)st.st_size + 1, 1);
    *size = fread(text, 1, (size_t)st.st_size, file);
    fclose(file);
    return text;
}

/* --- libcpl --- */

bool example_ok(cpl_status status)
{
    if (status) fprintf(stderr, "%s: %s\n", cpl_status_message(status), cpl_last_error());
    return status == CPL_OK;
}

bool example_open(example *e, const char *path, const char *device)
{
    *e = (example){0};
    size_t size;
    char *text = example_text(path, &size);
    bool ok = text && example_ok(cpl_context_create(NULL, &e->context)) &&
              example_ok(cpl_device_find(e->context, device, &e->device)) &&
              example_ok(cpl_module_from_source(e->context, path, text, size, &e->module));
    free(text);
    return ok;
}

void example_close(example *e)
{
    cpl_module_release(e->module);
    cpl_context_release(e->context);
}

cpl_array *example_array(const example *e, cpl_dtype dtype, int dims, const int64_t *shape,
                         const void *from)
{
    cpl_array *array = NULL;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = dtype;
    o.dims = dims;
    memcpy(o.shape, shape, (size_t)dims * sizeof *shape);
    if (!example_ok(cpl_array_create_with(e->context, e->device, &o, &array))) return NULL;
    if (!from || example_ok(cpl_array_write(array, NULL, from, NULL))) return array;
    cpl_array_release(array);
    return NULL;
}

bool example_launch(const example *e, const char *function, const cpl_arg *args, size_t count)
{
    return example_ok(cpl_launch(e->module, function, NULL, args, count));
}

/* --- pictures --- */

static bool is_done(const png_image *image, const char *path, int done)
{
    if (!done) fprintf(stderr, "%s: %s\n", path, image->message);
    return done;
}

bool picture_read(picture *p, const char *path, int channels)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    *p = (picture){0};
    if (!is_done(&image, path, png_image_begin_read_from_file(&image, path))) return false;
    image.format = channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    *p = (picture){(int)image.width, (int)image.height, channels,
                   example_allocate(PNG_IMAGE_SIZE(image), 1)};
    return is_done(&image, path, png_image_finish_read(&image, NULL, p->points, 0, NULL));
}

bool picture_write(const picture *p, const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)p->width,
                       .height = (png_uint_32)p->height};
    image.format = p->channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    return is_done(&image, path, png_image_write_to_file(&image, path, 0, p->points, 0, NULL));
}
