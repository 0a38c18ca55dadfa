/*
 * Random numbers without end for batteries of tests that read 32-bit words: cpl_random_fill's, to
 * standard output until nobody reads on.
 *
 *     stream bits 1 | dieharder -g 200 -d 0
 */
#include <cpl/cpl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, SIDE = 64 };

typedef struct stream {
    cpl_module *module;
    uint64_t seed, offset;
    uint32_t words[BLOCK];
} stream;

static bool fill(const stream *s, cpl_random_spec *spec, cpl_dtype type, void *to, int64_t n)
{
    cpl_arg out = cpl_arg_array(type, to, n);
    if (!cpl_random_fill(s->module, spec, NULL, &out)) return true;
    fprintf(stderr, "%s\n", cpl_last_error());
    return false;
}

static cpl_random_spec spec_of(const stream *s, cpl_random_kind kind)
{
    cpl_random_spec spec;
    cpl_random_spec_init(&spec);
    spec.kind = kind;
    spec.seed = s->seed;
    spec.offset = s->offset;
    return spec;
}

static bool bits(stream *s)
{
    cpl_random_spec spec = spec_of(s, CPL_RANDOM_BITS);
    s->offset += BLOCK;
    return fill(s, &spec, CPL_UINT32, s->words, BLOCK);
}

/* The upper or the lower 32 of the 53 bits of float64. */
static bool of_uniform(stream *s, bool upper)
{
    static double values[BLOCK];
    cpl_random_spec spec = spec_of(s, CPL_RANDOM_UNIFORM);
    s->offset += BLOCK;
    if (!fill(s, &spec, CPL_FLOAT64, values, BLOCK)) return false;
    for (int i = 0; i < BLOCK; i++) {
        uint64_t all = (uint64_t)(values[i] * 0x1p53);
        s->words[i] = (uint32_t)(upper ? all >> 21 : all);
    }
    return true;
}

static bool uniform(stream *s)
{
    return of_uniform(s, true);
}

static bool uniform_low(stream *s)
{
    return of_uniform(s, false);
}

/* One word of each of neighbouring streams after the other, which differ in their seeds or draws.
 */
static bool side_by_side(stream *s, bool seeds)
{
    static uint32_t each[BLOCK / SIDE];
    for (uint32_t k = 0; k < SIDE; k++) {
        cpl_random_spec spec = spec_of(s, CPL_RANDOM_BITS);
        if (seeds) spec.seed += k;
        else spec.draw = k;
        if (!fill(s, &spec, CPL_UINT32, each, BLOCK / SIDE)) return false;
        for (uint32_t i = 0; i < BLOCK / SIDE; i++) s->words[i * SIDE + k] = each[i];
    }
    s->offset += BLOCK / SIDE;
    return true;
}

static bool seeds(stream *s)
{
    return side_by_side(s, true);
}

static bool draws(stream *s)
{
    return side_by_side(s, false);
}

static const struct {
    const char *name;
    bool (*next)(stream *s);
} streams[] = {{"bits", bits},
               {"uniform", uniform},
               {"uniform-low", uniform_low},
               {"seeds", seeds},
               {"draws", draws}};

static bool write_all(const char *name, stream *s)
{
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        if (strcmp(name, streams[i].name)) continue;
        while (streams[i].next(s))
            if (fwrite(s->words, sizeof s->words, 1, stdout) != 1) return true;
        return false;
    }
    fprintf(stderr, "stream: there is no stream %s\n", name);
    return false;
}

int main(int argc, char **argv)
{
    static stream s;
    cpl_context *cx;
    if (argc != 3) {
        fputs("usage: stream bits|uniform|uniform-low|seeds|draws SEED\n", stderr);
        return 2;
    }
    s.seed = strtoull(argv[2], NULL, 10);
    if (cpl_context_create(NULL, &cx)) return 1;
    bool wrote =
        !cpl_module_from_source(cx, "stream.py", "", 0, &s.module) && write_all(argv[1], &s);
    cpl_module_release(s.module);
    cpl_context_release(cx);
    return wrote ? 0 : 1;
}
