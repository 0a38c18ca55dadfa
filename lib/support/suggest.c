/* Nearest known name, by the restricted Damerau-Levenshtein distance (insert, delete, replace, swap
 * neighbours); one that differs in capital letters alone is the nearest. */
#include "lib/support/support.h"

#include <strings.h>

#define LONGEST 64 /* longer names are not compared */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t distance(const char *a, size_t n, const char *b, size_t m)
{
    uint32_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++) rows[0][j] = (uint32_t)j;
    for (size_t i = 1; i <= n; i++) {
        uint32_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= m; j++) {
            uint32_t cost = a[i - 1] != b[j - 1];
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + cost);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void suggest_init(suggester *s, const char *wanted)
{
    *s = (suggester){.wanted = wanted, .best_distance = UINT32_MAX};
}

void suggest_offer(suggester *s, const char *candidate)
{
    size_t n = strlen(s->wanted), m = strlen(candidate);
    if (n > LONGEST || m > LONGEST || n == 0 || m == 0) return;
    uint32_t d = distance(s->wanted, n, candidate, m);
    if (d > 0 && strcasecmp(s->wanted, candidate) == 0) { /* PI, TRUE */
        s->best = candidate;
        s->best_distance = 0;
    } else if (d > 0 && d < s->best_distance) {
        s->best = candidate;
        s->best_distance = d;
    }
}

const char *suggest_best(const suggester *s)
{
    size_t n = strlen(s->wanted);
    uint32_t allowed = n <= 2 ? 0 : n <= 5 ? 1 : n <= 8 ? 2 : 3;
    return s->best && s->best_distance <= allowed ? s->best : NULL;
}
