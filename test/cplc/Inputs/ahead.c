/* Calls kernels that were compiled ahead of time and compares with plain C. Valid C11 and C++17. */
#include "double.h"
#include "every_other.h"
#include "halve.h"
#include "moment.h"
#include "shift.h"
#include "wave.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 100000 };
static double x[N], y[N];
static int failures;

static void check(bool ok, const char *what)
{
    if (!ok) printf("wrong: %s\n", what);
    failures += !ok;
}

int main(void)
{
    if (!wave_runs_here() || !shift_runs_here()) return 3;
    for (int i = 0; i < N; i++) x[i] = i * 1e-3;

    wave(N, x, y, 3.0);
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(y[i] - (3.0 * sin(x[i]) + x[i] * x[i])) / (1 + fabs(y[i])));
    check(worst < 1e-14, "wave");

    cpl_fault fault;
    memset(&fault, 0, sizeof fault);
    shift(N - 1, x, y, 1, N, N, &fault);
    check(!fault.taken && y[N - 2] == x[N - 1], "shift within bounds");
    char text[200] = "?";
    check(shift_fault_text(&fault, text, sizeof text) == 0 && !*text, "no fault");
    shift(N, x, y, 1, N, N, &fault);
    check(fault.taken != 0, "shift past the end");
    check(shift_fault_text(&fault, text, sizeof text) == strlen(text), "the fault's text");
    puts(text);

    every_other(N / 2, x, y, N / 2, 2 * sizeof *x, N / 2);
    bool same = true;
    for (int i = 0; i < N / 2; i++) same = same && y[i] == 2 * x[2 * i] + N / 2;
    check(same, "every_other");

    struct Point p;
    p.mass = 3;
    p.register_ = 0.5;
    check(moment(&p, 1.0) == 2.5, "moment");
    double_(2, x + 1);
    check(x[1] == 2e-3 && x[2] == 4e-3, "double");
    halve(x + 1, 2);
    check(x[1] == 1e-3 && x[2] == 2e-3, "halve");
    puts(failures ? "failed" : "passed");
    return failures != 0;
}
