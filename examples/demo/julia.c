/* A Julia set: a loop that every point leaves at another time. */
#include "demo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 480, LIMIT = 256 };
static const double c_re = -0.8, c_im = 0.156;

static int32_t steps_at(int64_t i)
{
    double re = 2.0 * (2.0 * (double)(i % WIDTH) - WIDTH) / WIDTH;
    double im = 2.0 * (2.0 * (double)(i / WIDTH) - HEIGHT) / WIDTH;
    int32_t k = 0;
    while (k < LIMIT && re * re + im * im < 4.0) {
        double t = re * re - im * im + c_re;
        im = 2.0 * re * im + c_im;
        re = t;
        k += 1;
    }
    return k;
}

/* The time that it takes, in ms. */
static double reference(int32_t *count)
{
    double start = example_now_ms();
    for (int64_t i = 0; i < (int64_t)WIDTH * HEIGHT; i++) count[i] = steps_at(i);
    return example_now_ms() - start;
}

/* Dark blue over gold to white, black inside. */
static void colour(uint8_t rgb[3], int32_t k)
{
    double t = sqrt((double)k / LIMIT);
    for (int c = 0; c < 3; c++)
        rgb[c] = k == LIMIT ? 0
                            : (uint8_t)(255 * fmin(1, pow(t, c == 0   ? 0.7
                                                             : c == 1 ? 1.1
                                                                      : 2.5) +
                                                          (c == 2 ? 0.25 : 0)));
}

static void draw(demo *d, const int32_t *count)
{
    picture p = {WIDTH, HEIGHT, 3, example_allocate((size_t)WIDTH * HEIGHT, 3)};
    for (int64_t i = 0; i < (int64_t)WIDTH * HEIGHT; i++) colour(p.points + 3 * i, count[i]);
    demo_picture(d, "julia.png", &p);
    free(p.points);
}

void demo_julia(demo *d)
{
    const int64_t n = (int64_t)WIDTH * HEIGHT;
    int32_t *count = example_allocate((size_t)n, sizeof *count);
    int32_t *plain = example_allocate((size_t)n, sizeof *plain);
    cpl_arg args[] = {
        cpl_arg_array(CPL_INT32, count, n),
        cpl_arg_int(WIDTH),
        cpl_arg_int(HEIGHT),
        cpl_arg_float(c_re),
        cpl_arg_float(c_im),
        cpl_arg_int(LIMIT),
    };
    launch l = {.file = "julia.py",
                .function = "julia",
                .args = args,
                .count = sizeof args / sizeof *args,
                .n = n,
                .repeats = 10};
    printf("julia: %d x %d points, at most %d steps each\n", WIDTH, HEIGHT, LIMIT);
    /* The iteration is chaotic: one rounding more or less changes counts. Without fused operations
     * they can be compared. */
    cpl_context_set_option(d->context, "contract", 0);
    if (demo_launch(d, &l)) {
        double steps = 0, worst = 0, plain_ms = reference(plain);
        for (int64_t i = 0; i < n; i++) {
            steps += count[i];
            worst = fmax(worst, fabs((double)count[i] - plain[i]));
        }
        printf("  run         %.3f ms, %.0f million steps/s\n", l.run_ms, 1e-3 * steps / l.run_ms);
        demo_plain(l.run_ms, plain_ms);
        demo_compare(d, worst, 0);
        draw(d, count);
    }
    cpl_context_set_option(d->context, "contract", 1);
    free(plain);
    free(count);
}
