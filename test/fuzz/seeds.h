/* What programs that compare one random thing a seed have in common: their command line, and
 * lengths that are worth trying. */
#ifndef FUZZ_SEEDS_H
#define FUZZ_SEEDS_H

#include "rng.h"

#include <cpl/cpl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Around the borders of pieces, or anything up to `most`. */
static inline int64_t some_length(rng *r, uint32_t most)
{
    static const int64_t borders[] = {1, 32, 2048, 4096, 16384, 20480};
    int64_t border = borders[rng_below(r, sizeof borders / sizeof *borders)];
    if (rng_chance(r, 50)) return border + rng_below(r, 3) - 1;
    return rng_below(r, rng_chance(r, 50) ? 3000 : most);
}

static const char *seeds_device; /* of --device; NULL: the host */
static int64_t seeds_tiles = -1; /* of --tiles: the option; -1: as it is */

/* A context and how to launch: on a device, to which arrays of the host move by themselves, or with
 * some threads. */
static inline cpl_status open_seed(rng *r, cpl_context **cx, cpl_launch_options *o)
{
    cpl_device *device;
    cpl_launch_options_init(o);
    cpl_status status = cpl_context_create(NULL, cx);
    if (!status && seeds_tiles >= 0) status = cpl_context_set_option(*cx, "tiles", seeds_tiles);
    if (status) return status;
    if (!seeds_device) return cpl_context_set_option(*cx, "num_threads", 1 + rng_below(r, 4));
    status = cpl_device_find(*cx, seeds_device, &device);
    if (!status) status = cpl_context_set_option(*cx, "automatic", 1);
    if (!status && !(o->queue = cpl_device_queue(device))) status = CPL_EDEVICE;
    return status;
}

/* NAME --count 100 --seed 1 --stop-at 10 --device cuda:0 --tiles 2: as main; differs says what it
 * finds. */
static inline int run_seeds(int argc, char **argv, const char *what, bool (*differs)(uint64_t seed))
{
    uint64_t seed = 1, count = 100, most = 10, wrong = 0;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (!strcmp(argv[i], "--seed")) seed = value;
        else if (!strcmp(argv[i], "--count")) count = value;
        else if (!strcmp(argv[i], "--stop-at")) most = value;
        else if (!strcmp(argv[i], "--device")) seeds_device = argv[i + 1];
        else if (!strcmp(argv[i], "--tiles")) seeds_tiles = (int64_t)value;
        else return 2;
    }
    for (uint64_t k = 0; k < count && wrong < most; k++) wrong += differs(seed + k);
    printf("%llu %s compared, %llu mismatches\n", (unsigned long long)count, what,
           (unsigned long long)wrong);
    return wrong ? 1 : 0;
}

#endif
