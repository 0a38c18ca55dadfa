/*
 * kmeans PICTURE.png OUT.png [DEVICE [COLOURS]]: the picture in a few colours, those in whose
 * places most points are near.
 *
 * Two steps take turns (kmeans.c): each point is given to the nearest of the colours, by a kernel;
 * each colour moves to the mean of its points, whose sums and numbers are one histogram with an
 * operator of the kernel file's own, which adds structs.
 */
#include "kmeans.h"

#include <stdio.h>
#include <stdlib.h>

static void report(const clusters *c, double ms)
{
    printf("%d colours after %d rounds, error %lld, %.0f ms\n", c->count, c->rounds,
           (long long)c->error, ms);
    for (int k = 0; k < c->count; k++)
        printf("#%02x%02x%02x\n", (unsigned)c->centres[k][0], (unsigned)c->centres[k][1],
               (unsigned)c->centres[k][2]);
}

static bool quantise(const example *e, picture *p, clusters *c)
{
    double start = example_now_ms();
    if (!kmeans(e, p, c)) return false;
    report(c, example_now_ms() - start);
    return true;
}

int main(int argc, char **argv)
{
    clusters c = {.count = example_number(argc, argv, 4, 8)};
    if (argc < 3 || argc > 5 || c.count < 1 || c.count > MOST_COLOURS) {
        fputs("usage: kmeans PICTURE.png OUT.png [DEVICE [COLOURS]], COLOURS from 1 to 256\n",
              stderr);
        return 2;
    }
    example e;
    picture p = {0};
    bool ok = example_open(&e, KERNELS "/kmeans.py", argc > 3 ? argv[3] : "host") &&
              picture_read(&p, argv[1], 3) && quantise(&e, &p, &c) && picture_write(&p, argv[2]);
    example_close(&e);
    free(p.points);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
