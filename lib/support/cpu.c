/* The CPU's last cache, as Linux describes it. */
#include "lib/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CACHE "/sys/devices/system/cpu/cpu0/cache/index3/"

/* The first line of a file there; empty where it has none. */
static const char *line_of(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, size, file)) *line = 0;
    if (file) fclose(file);
    return line;
}

/* How many CPUs a mask names: hexadecimal, with commas. */
static long cpus_of(const char *mask)
{
    long count = 0;
    for (; *mask; mask++) {
        unsigned digit = *mask >= 'a' ? (unsigned)(*mask - 'a') + 10 : (unsigned)(*mask - '0');
        for (; digit && digit < 16; digit &= digit - 1) count++;
    }
    return count;
}

uint64_t cpu_cache_bytes(void)
{
    char line[4096];
    uint64_t bytes = strtoull(line_of(CACHE "size", line, sizeof line), NULL, 10) << 10;
    long sharing = cpus_of(line_of(CACHE "shared_cpu_map", line, sizeof line)),
         cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return sharing > 0 && cpus > sharing ? bytes * (uint64_t)(cpus / sharing) : bytes;
}
