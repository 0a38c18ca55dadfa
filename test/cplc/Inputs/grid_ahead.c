/* A kernel over a grid, called by a program that holds no compiler. */
#include "turned.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 930, ITEMS = 50 };

static int32_t expected(const int32_t *x, int i)
{
    int first = i / ITEMS * ITEMS, other = first + ITEMS - 1 - i % ITEMS;
    int next = first + (i + 1 - first) % ITEMS;
    return (other < N ? x[other] : 0) + 2 * x[i] * x[i] + next;
}

int main(void)
{
    static int32_t x[N], y[N];
    for (int i = 0; i < N; i++) x[i] = 3 * i % 101;
    enum { PART = (ITEMS * 4 + 63) / 64 * 64, LOCAL = (turned_local_bytes + 63) / 64 * 64 };
    cpl_grid g = {{(N + ITEMS - 1) / ITEMS, 1, 1}, {ITEMS, 1, 1}, 3, 2, 0, 0, 0, {0}};
    size_t bytes = cplrt_grid_bytes(&g, LOCAL + 2 * PART, turned_item_bytes);
    cpl_grid *grid = (cpl_grid *)aligned_alloc(64, bytes);
    char *memory = (char *)(grid + 1);
    *grid = g;
    turned(x, y, (int32_t *)(memory + LOCAL), (int32_t *)(memory + LOCAL + PART), N, grid);
    free(grid);
    for (int i = 0; i < N; i++)
        if (y[i] != expected(x, i)) return printf("y[%d] is %d\n", i, y[i]), 1;
    puts("passed");
    return 0;
}
