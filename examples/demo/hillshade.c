/* A hillshade: an elevation grid of the Jacksboro fault, Tennessee, lit from the north-west. */
#include "demo.h"
#include "npy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { METRES_A_DEGREE = 111200 }; /* of latitude */

typedef struct grid {
    const int16_t *z; /* metres */
    int width, height;
    double dx, dy;              /* metres from one point to the next */
    double sun_x, sun_y, sun_z; /* unit vector towards the sun: east, north, up */
} grid;

static double shade_at(const grid *g, int row, int col)
{
    int west = col > 0 ? col - 1 : 0, east = col + 1 < g->width ? col + 1 : g->width - 1;
    int north = (row > 0 ? row - 1 : 0) * g->width,
        south = (row + 1 < g->height ? row + 1 : g->height - 1) * g->width;
    int here = row * g->width;
    const int16_t *z = g->z;
    int rise_x = z[north + east] + 2 * z[here + east] + z[south + east] - z[north + west] -
                 2 * z[here + west] - z[south + west];
    int rise_y = z[north + west] + 2 * z[north + col] + z[north + east] - z[south + west] -
                 2 * z[south + col] - z[south + east];
    double slope_x = rise_x / (8.0 * g->dx), slope_y = rise_y / (8.0 * g->dy);
    double light = (g->sun_z - slope_x * g->sun_x - slope_y * g->sun_y) /
                   sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    return light > 0 ? light : 0;
}

/* The time that it takes, in ms. */
static double reference(const grid *g, double *shade)
{
    double start = example_now_ms();
    for (int row = 0; row < g->height; row++)
        for (int col = 0; col < g->width; col++)
            shade[row * g->width + col] = shade_at(g, row, col);
    return example_now_ms() - start;
}

static double largest_difference(const double *a, const double *b, int64_t n)
{
    double worst = 0;
    for (int64_t i = 0; i < n; i++) {
        double difference = fabs(a[i] - b[i]);
        if (!(difference <= worst)) worst = difference;
    }
    return worst;
}

/* A .npy file of the data folder; false after a message. */
static bool load(demo *d, const char *name, cpl_dtype dtype, npy_array *a)
{
    char path[1024], why[NPY_MESSAGE];
    snprintf(path, sizeof path, "%s/%s.npy", d->data, name);
    npy_status status = npy_read(path, a, why);
    if (status == NPY_OK && a->dtype == dtype && a->length > 0) return true;
    fprintf(stderr, "demo: %s: %s\n", path, status ? why : "not the array that was expected");
    if (status == NPY_OK) npy_free(a);
    d->failed = true;
    return false;
}

static double load_number(demo *d, const char *name)
{
    npy_array a;
    if (!load(d, name, CPL_FLOAT64, &a)) return NAN;
    double v = *(const double *)a.data;
    npy_free(&a);
    return v;
}

static void sun(grid *g, double azimuth, double altitude)
{
    double a = azimuth * acos(-1) / 180, h = altitude * acos(-1) / 180;
    g->sun_x = sin(a) * cos(h);
    g->sun_y = cos(a) * cos(h);
    g->sun_z = sin(h);
}

/* Valleys green, heights brown, the summits white, each as light as its slope is. */
static void colour_relief(demo *d, const grid *g, const double *shade)
{
    static const double low[] = {70, 130, 60}, high[] = {190, 140, 80}, top[] = {255, 255, 255};
    int64_t n = (int64_t)g->width * g->height;
    picture p = {g->width, g->height, 3, example_allocate((size_t)n, 3)};
    int16_t least = g->z[0], most = g->z[0];
    for (int64_t i = 0; i < n; i++) {
        least = g->z[i] < least ? g->z[i] : least;
        most = g->z[i] > most ? g->z[i] : most;
    }
    for (int64_t i = 0; i < n; i++) {
        double h = 2.0 * (g->z[i] - least) / (most > least ? most - least : 1), t = fmod(h, 1);
        const double *from = h < 1 ? low : high, *to = h < 1 ? high : top;
        if (h >= 2) from = top;
        for (int c = 0; c < 3; c++)
            p.points[3 * i + c] = (uint8_t)(((1 - t) * from[c] + t * to[c]) * shade[i]);
    }
    demo_kmeans(d, &p);
    free(p.points);
}

static void shade_grid(demo *d, const grid *g, const int16_t *elevation)
{
    int64_t n = (int64_t)g->width * g->height;
    double *shade = example_allocate((size_t)n, sizeof *shade);
    double *plain = example_allocate((size_t)n, sizeof *plain);
    cpl_arg args[] = {
        cpl_arg_array(CPL_INT16, (void *)elevation, n),
        cpl_arg_array(CPL_FLOAT64, shade, n),
        cpl_arg_int(g->width),
        cpl_arg_int(g->height),
        cpl_arg_float(g->dx),
        cpl_arg_float(g->dy),
        cpl_arg_float(g->sun_x),
        cpl_arg_float(g->sun_y),
        cpl_arg_float(g->sun_z),
    };
    launch l = {.file = "hillshade.py",
                .function = "hillshade",
                .args = args,
                .count = sizeof args / sizeof *args,
                .n = n,
                .repeats = 50};
    printf("hillshade: %d x %d points of a real elevation grid\n", g->width, g->height);
    if (demo_launch(d, &l)) {
        printf("  run         %.3f ms, %.0f million points/s\n", l.run_ms,
               1e-3 * (double)n / l.run_ms);
        demo_plain(l.run_ms, fmin(reference(g, plain), reference(g, plain)));
        demo_compare(d, largest_difference(shade, plain, n), 1e-12);
        picture p = {g->width, g->height, 1, example_allocate((size_t)n, 1)};
        for (int64_t i = 0; i < n; i++) p.points[i] = (uint8_t)(255 * shade[i] + 0.5);
        demo_picture(d, "hillshade.png", &p);
        free(p.points);
        colour_relief(d, g, shade);
    }
    free(plain);
    free(shade);
}

void demo_hillshade(demo *d)
{
    npy_array elevation;
    double dx = load_number(d, "dx"), dy = load_number(d, "dy"), south = load_number(d, "ymin"),
           north = load_number(d, "ymax");
    if (d->failed || !load(d, "elevation", CPL_INT16, &elevation)) return;
    if (elevation.ndim == 2 && elevation.length < 1 << 24) {
        double latitude = 0.5 * (south + north) * acos(-1) / 180;
        grid g = {.z = elevation.data,
                  .width = (int)elevation.shape[1],
                  .height = (int)elevation.shape[0]};
        g.dx = METRES_A_DEGREE * dx * cos(latitude);
        g.dy = METRES_A_DEGREE * dy;
        sun(&g, 315, 45);
        shade_grid(d, &g, elevation.data);
    } else {
        fputs("demo: the elevation grid is not of two dimensions\n", stderr);
        d->failed = true;
    }
    npy_free(&elevation);
}
