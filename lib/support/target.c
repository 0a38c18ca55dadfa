/* Names of targets. */
#include "lib/support/target.h"

#include <ctype.h>

/* Compute capabilities that LLVM 22 generates code for and that drivers of today still run. */
static const int cuda_versions[] = {70, 72,  75,  80,  86,  87,  88, 89,
                                    90, 100, 101, 103, 110, 120, 121};
static const int spirv_versions[] = {10, 11, 12, 13, 14, 15, 16};
static const int opencl_c_versions[] = {12, 20, 30};

static const struct {
    const char *name;
    size_t offset;
} features[] = {
    {"fp64", offsetof(tgt_target, fp64)},
    {"fp16", offsetof(tgt_target, fp16)},
    {"int64_atomics", offsetof(tgt_target, int64_atomics)},
    {"subgroups", offsetof(tgt_target, subgroups)},
    {"ptx", offsetof(tgt_target, ptx)},
    {"private_arrays", offsetof(tgt_target, private_arrays)},
    {"ordered_sums", offsetof(tgt_target, ordered_sums)},
    {"rounds_division", offsetof(tgt_target, rounds_division)},
    {"subnormals", offsetof(tgt_target, subnormals)},
};

static bool *feature_of(tgt_target *t, size_t i)
{
    return (bool *)((char *)t + features[i].offset);
}

/* OpenCL C 1.2 knows no sub-groups, but by PTX; SPIR-V's group operations on them come with its
 * Kernel capability in every version. */
static void set_defaults(tgt_target *t)
{
    t->fp64 = t->fp16 = t->int64_atomics = t->private_arrays = t->ordered_sums =
        t->rounds_division = t->subnormals = true;
    t->ptx = false;
    t->subgroups = !(t->kind == TGT_OPENCL_C && t->version < 20);
}

static bool is_one_of(int version, const int *versions, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (versions[i] == version) return true;
    return false;
}

/* prefix and digits, with one point between them where with_point: "sm_90", "spv1.2". Moves *at
 * behind them. */
static bool read_version(const char **at, const char *prefix, bool with_point, int *version)
{
    size_t n = strlen(prefix);
    if (strncmp(*at, prefix, n)) return false;
    const char *p = *at + n;
    int digits = 0, number = 0, point = -1;
    for (; isdigit((unsigned char)*p) || (with_point && *p == '.'); p++) {
        if (*p == '.') {
            if (point >= 0) return false;
            point = digits;
        } else {
            if (++digits > 3) return false;
            number = number * 10 + (*p - '0');
        }
    }
    if (!digits || (with_point && (point != 1 || digits != 2))) return false;
    *version = number;
    *at = p;
    return true;
}

/* What stands behind the kind's name; *at is moved behind it. */
static bool read_kind(const char **at, tgt_target *t)
{
    if (!strncmp(*at, "host", 4)) {
        *at += 4;
        t->kind = TGT_HOST;
        t->version = 0;
        return true;
    }
    if (!strncmp(*at, "cuda", 4)) {
        *at += 4;
        t->kind = TGT_CUDA;
        t->version = 75;
        if (**at != ':') return true;
        ++*at;
        return read_version(at, "sm_", false, &t->version) &&
               is_one_of(t->version, cuda_versions, COUNT_OF(cuda_versions));
    }
    if (strncmp(*at, "opencl", 6)) return false;
    *at += 6;
    t->kind = TGT_SPIRV;
    t->version = 12;
    if (**at != ':') return true;
    ++*at;
    if (read_version(at, "spv", true, &t->version))
        return is_one_of(t->version, spirv_versions, COUNT_OF(spirv_versions));
    t->kind = TGT_OPENCL_C;
    return read_version(at, "c", true, &t->version) &&
           is_one_of(t->version, opencl_c_versions, COUNT_OF(opencl_c_versions));
}

bool target_parse(const char *text, tgt_target *out)
{
    tgt_target t = {0};
    const char *at = text ? text : "host";
    if (!read_kind(&at, &t)) return false;
    set_defaults(&t);
    while (*at == ',') {
        bool on = *++at == '+', found = false;
        if (*at != '+' && *at != '-') return false;
        at++;
        for (size_t i = 0; i < COUNT_OF(features) && !found; i++) {
            size_t n = strlen(features[i].name);
            if (strncmp(at, features[i].name, n) || (at[n] && at[n] != ',')) continue;
            *feature_of(&t, i) = on;
            at += n;
            found = true;
        }
        if (!found || t.kind == TGT_HOST) return false;
    }
    if (*at || (t.ptx && t.kind != TGT_OPENCL_C)) return false;
    *out = t;
    return true;
}

static const struct {
    char letter;
    const char *platform, *name; /* name: one that is often there */
} kinds[] = {[TGT_HOST] = {'H', "host", "host"},
             [TGT_CUDA] = {'C', "cuda", "cuda"},
             [TGT_SPIRV] = {'S', "opencl", "opencl:spv1.2"},
             [TGT_OPENCL_C] = {'O', "opencl", "opencl:c1.2"}};

const char *target_platform(const tgt_target *t)
{
    return kinds[t->kind].platform;
}

char target_letter(const tgt_target *t)
{
    return kinds[t->kind].letter;
}

const char *target_of_letter(char letter)
{
    size_t i = 0;
    while (kinds[i].letter != letter) i++;
    return kinds[i].name;
}

void target_print(strbuf *sb, const tgt_target *t)
{
    sb_put(sb, target_platform(t));
    switch (t->kind) {
    case TGT_HOST: return;
    case TGT_CUDA: sb_printf(sb, ":sm_%d", t->version); break;
    case TGT_SPIRV: sb_printf(sb, ":spv%d.%d", t->version / 10, t->version % 10); break;
    case TGT_OPENCL_C: sb_printf(sb, ":c%d.%d", t->version / 10, t->version % 10); break;
    }
    tgt_target plain = *t, own = *t;
    set_defaults(&plain);
    for (size_t i = 0; i < COUNT_OF(features); i++)
        if (*feature_of(&own, i) != *feature_of(&plain, i))
            sb_printf(sb, ",%c%s", *feature_of(&own, i) ? '+' : '-', features[i].name);
}

bool target_equal(const tgt_target *a, const tgt_target *b)
{
    tgt_target mine = *a, other = *b;
    for (size_t i = 0; i < COUNT_OF(features); i++)
        if (*feature_of(&mine, i) != *feature_of(&other, i)) return false;
    return a->kind == b->kind && a->version == b->version;
}
