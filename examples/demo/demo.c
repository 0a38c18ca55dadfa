/* Launching, measuring and reporting. */
#include "demo.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

void *demo_allocate(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) {
        fputs("demo: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

double demo_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* The text of a kernel file; NULL after a message. */
static char *read_text(const demo *d, const char *name, size_t *size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", d->kernels, name);
    FILE *file = fopen(path, "rb");
    struct stat st;
    if (!file || fstat(fileno(file), &st) != 0) {
        fprintf(stderr, "demo: %s: %s\n", path, strerror(errno));
        if (file) fclose(file);
        return NULL;
    }
    char *text = demo_allocate((size_t)st.st_size + 1, 1);
    *size = fread(text, 1, (size_t)st.st_size, file);
    fclose(file);
    return text;
}

/* The signature and the "name: type" lines of the locals, broken behind commas into lines of at
 * most 110 columns. */
static void print_types(const char *types)
{
    const size_t left = 14, right = 110;
    size_t column = left;
    printf("  types       ");
    while (*(types += strspn(types, " \n"))) {
        size_t length = strcspn(types, ",\n");
        if (column > left && column + length + 2 > right) {
            printf("\n%*s", (int)left, "");
            column = left;
        } else if (column > left) {
            column += (size_t)printf(" ");
        }
        bool last = types[length + strspn(types + length, ", \n")] == '\0';
        column += (size_t)printf("%.*s%s", (int)length, types,
                                 last                    ? ""
                                 : types[length] == '\n' ? ";"
                                                         : ",");
        types += length + (types[length] == ',');
    }
    putchar('\n');
}

static cpl_launch_options options_of(const launch *l)
{
    cpl_launch_options o;
    cpl_launch_options_init(&o);
    o.n = l->n;
    return o;
}

static cpl_status run(demo *d, launch *l, cpl_module *module)
{
    cpl_kernel *kernel;
    cpl_status status = cpl_kernel_for(module, l->function, NULL, l->args, l->count, &kernel);
    if (status) return status;
    cpl_stats stats = {.size = sizeof stats};
    cpl_context_stats(d->context, &stats);
    l->compile_ms = stats.total_ms;
    print_types(cpl_kernel_types(kernel));
    l->run_ms = l->first_ms - l->compile_ms;
    cpl_launch_options options = options_of(l);
    for (int i = 0; !status && i < l->repeats; i++) {
        double start = demo_now_ms();
        status = cpl_kernel_launch(kernel, &options, l->args, l->count);
        double ms = demo_now_ms() - start;
        if (i == 0 || ms < l->run_ms) l->run_ms = ms;
    }
    cpl_kernel_release(kernel);
    return status;
}

bool demo_launch(demo *d, launch *l)
{
    size_t size;
    char *text = read_text(d, l->file, &size);
    if (!text) {
        d->failed = true;
        return false;
    }
    cpl_module *module = NULL;
    double start = demo_now_ms();
    cpl_status status = cpl_module_from_source(d->context, l->file, text, size, &module);
    cpl_launch_options options = options_of(l);
    if (!status) status = cpl_launch(module, l->function, &options, l->args, l->count);
    l->first_ms = demo_now_ms() - start;
    if (!status) status = run(d, l, module);
    if (status) {
        fprintf(stderr, "demo: %s: %s\n", l->file, cpl_status_message(status));
        d->failed = true;
    } else {
        printf("  compile     %.2f ms; from the kernel's text to its first result %.2f ms\n",
               l->compile_ms, l->first_ms);
    }
    cpl_module_release(module);
    free(text);
    return status == CPL_OK;
}

void demo_compare(demo *d, double difference, double allowed)
{
    bool ok = difference <= allowed; /* false for NaN */
    printf("  difference  %.2g from plain C, %.2g is allowed: %s\n", difference, allowed,
           ok ? "ok" : "TOO LARGE");
    d->failed = d->failed || !ok;
}

void demo_picture(demo *d, const char *name, int width, int height, int channels,
                  const uint8_t *points)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", d->out, name);
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height};
    image.format = channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    if (png_image_write_to_file(&image, path, 0, points, 0, NULL)) {
        printf("  picture     %s\n", path);
        return;
    }
    fprintf(stderr, "demo: %s: %s\n", path, image.message);
    d->failed = true;
}
