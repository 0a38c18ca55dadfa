/* A relief in eight colours, by examples/kmeans: kernels and reductions, round after round. */
#include "demo.h"
#include "kmeans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLOURS = 8, REPEATS = 3 };

/* --- plain C, in one pass over the points a round --- */

static int64_t distance(const uint8_t *point, const int32_t *centre)
{
    int32_t red = point[0] - centre[0], green = point[1] - centre[1], blue = point[2] - centre[2];
    return red * red + green * green + blue * blue;
}

static int nearest(const uint8_t *point, const clusters *c)
{
    int best = 0;
    for (int k = 1; k < c->count; k++)
        if (distance(point, c->centres[k]) < distance(point, c->centres[best])) best = k;
    return best;
}

static void reference_first(const picture *p, clusters *c)
{
    int64_t n = (int64_t)p->width * p->height, at = 0;
    int count = c->count;
    for (c->count = 0; c->count < count;) {
        for (int j = 0; j < 3; j++) c->centres[c->count][j] = p->points[3 * at + j];
        c->count++;
        int64_t most = -1;
        for (int64_t i = 0; i < n; i++) {
            const uint8_t *point = p->points + 3 * i;
            int64_t d = distance(point, c->centres[nearest(point, c)]);
            if (d > most) at = i;
            if (d > most) most = d;
        }
    }
}

/* Whether a centre moved. */
static bool reference_round(const picture *p, clusters *c)
{
    int64_t n = (int64_t)p->width * p->height, sums[COLOURS][4] = {{0}};
    bool moved = false;
    c->error = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *point = p->points + 3 * i;
        int k = nearest(point, c);
        c->error += distance(point, c->centres[k]);
        for (int j = 0; j < 3; j++) sums[k][j] += point[j];
        sums[k][3]++;
    }
    for (int k = 0; k < c->count; k++)
        for (int j = 0; j < 3 && sums[k][3]; j++) {
            int32_t mean = (int32_t)((sums[k][j] + sums[k][3] / 2) / sums[k][3]);
            moved = moved || mean != c->centres[k][j];
            c->centres[k][j] = mean;
        }
    return moved;
}

static double reference(const picture *p, clusters *c)
{
    double start = example_now_ms();
    bool moved = true;
    reference_first(p, c);
    for (c->rounds = 0; moved && c->rounds < MOST_ROUNDS; c->rounds++)
        moved = reference_round(p, c);
    return example_now_ms() - start;
}

/* --- the demo --- */

static double largest_difference(const clusters *a, const clusters *b)
{
    double worst = (double)llabs(a->error - b->error);
    for (int k = 0; k < COLOURS; k++)
        for (int j = 0; j < 3; j++) {
            double difference = abs(a->centres[k][j] - b->centres[k][j]);
            if (difference > worst) worst = difference;
        }
    return worst;
}

/* The fastest of some runs; 0 after an error. p: in the colours found, when it returns. */
static double fastest(const example *e, picture *p, clusters *c)
{
    size_t size = (size_t)p->width * (size_t)p->height * 3;
    uint8_t *given = example_allocate(size, 1);
    double least = 0;
    memcpy(given, p->points, size);
    for (int i = 0; i < REPEATS; i++) {
        double start = example_now_ms();
        memcpy(p->points, given, size);
        if (!kmeans(e, p, c)) {
            least = 0;
            break;
        }
        double ms = example_now_ms() - start;
        if (i == 0 || ms < least) least = ms;
    }
    free(given);
    return least;
}

void demo_kmeans(demo *d, picture *p)
{
    clusters c = {.count = COLOURS}, r = {.count = COLOURS};
    example e = {d->context, NULL, demo_module(d, "../kmeans/kmeans.py")};
    if (!e.module) return;
    printf("kmeans: that relief in %d colours\n", COLOURS);
    double plain_ms = reference(p, &r), run_ms = fastest(&e, p, &c);
    cpl_module_release(e.module);
    if (run_ms > 0) {
        printf("  run         %.3f ms for %d rounds; plain C takes %.3f ms: %.1f times as long\n",
               run_ms, c.rounds, plain_ms, plain_ms / run_ms);
        demo_compare(d, largest_difference(&c, &r), 0);
        demo_picture(d, "kmeans.png", p);
    } else {
        d->failed = true;
    }
}
