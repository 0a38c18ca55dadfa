/*
 * Which bits of CPUID stand for what an object was compiled for, one by one: of a CPU that has one
 * feature alone. What the bits are the compiler's own header says, not the table that is tested.
 * What the system saves is asked of the CPU at hand.
 */
#include "unit.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* What the CPU says: of leaves 1, 7 and 0x80000001, and of 7 with 1. */
static unsigned said[4][4];

static unsigned *leaf_of(unsigned leaf, unsigned subleaf)
{
    if (leaf == 7) return said[subleaf ? 3 : 1];
    return leaf == 1 ? said[0] : said[2];
}

static int cpuid_of(unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b, unsigned *c,
                    unsigned *d)
{
    const unsigned *from = leaf_of(leaf, subleaf);
    *a = from[0], *b = from[1], *c = from[2], *d = from[3];
    return 1;
}

#define __get_cpuid(leaf, a, b, c, d) cpuid_of(leaf, 0, a, b, c, d)
#define __get_cpuid_count             cpuid_of
#include "runtime/aot/cpu.c"

/* Those that not every header has a name for: Intel's manual. */
enum {
    AVX_IFMA = 1 << 23,
    AVX_VNNI_INT8 = 1 << 4,
    AVX_NE_CONVERT = 1 << 5,
    AVX_VNNI_INT16 = 1 << 10
};

static const struct {
    const char *name;
    unsigned leaf, subleaf;
    int word;
    unsigned bit;
    int registers;
} rows[] = {
    {"sse3", 1, 0, ECX, bit_SSE3, ANY},
    {"pclmul", 1, 0, ECX, bit_PCLMUL, ANY},
    {"ssse3", 1, 0, ECX, bit_SSSE3, ANY},
    {"fma", 1, 0, ECX, bit_FMA, AVX},
    {"cx16", 1, 0, ECX, bit_CMPXCHG16B, ANY},
    {"sse4.1", 1, 0, ECX, bit_SSE4_1, ANY},
    {"sse4.2", 1, 0, ECX, bit_SSE4_2, ANY},
    {"movbe", 1, 0, ECX, bit_MOVBE, ANY},
    {"popcnt", 1, 0, ECX, bit_POPCNT, ANY},
    {"aes", 1, 0, ECX, bit_AES, ANY},
    {"avx", 1, 0, ECX, bit_AVX, AVX},
    {"f16c", 1, 0, ECX, bit_F16C, AVX},
    {"bmi", 7, 0, EBX, bit_BMI, ANY},
    {"avx2", 7, 0, EBX, bit_AVX2, AVX},
    {"bmi2", 7, 0, EBX, bit_BMI2, ANY},
    {"avx512f", 7, 0, EBX, bit_AVX512F, AVX512},
    {"avx512dq", 7, 0, EBX, bit_AVX512DQ, AVX512},
    {"adx", 7, 0, EBX, bit_ADX, ANY},
    {"avx512ifma", 7, 0, EBX, bit_AVX512IFMA, AVX512},
    {"avx512cd", 7, 0, EBX, bit_AVX512CD, AVX512},
    {"sha", 7, 0, EBX, bit_SHA, ANY},
    {"avx512bw", 7, 0, EBX, bit_AVX512BW, AVX512},
    {"avx512vl", 7, 0, EBX, bit_AVX512VL, AVX512},
    {"avx512vbmi", 7, 0, ECX, bit_AVX512VBMI, AVX512},
    {"avx512vbmi2", 7, 0, ECX, bit_AVX512VBMI2, AVX512},
    {"gfni", 7, 0, ECX, bit_GFNI, ANY},
    {"vaes", 7, 0, ECX, bit_VAES, AVX},
    {"vpclmulqdq", 7, 0, ECX, bit_VPCLMULQDQ, AVX},
    {"avx512vnni", 7, 0, ECX, bit_AVX512VNNI, AVX512},
    {"avx512bitalg", 7, 0, ECX, bit_AVX512BITALG, AVX512},
    {"avx512vpopcntdq", 7, 0, ECX, bit_AVX512VPOPCNTDQ, AVX512},
    {"avx512vp2intersect", 7, 0, EDX, bit_AVX512VP2INTERSECT, AVX512},
    {"avx512fp16", 7, 0, EDX, bit_AVX512FP16, AVX512},
    {"avxvnni", 7, 1, EAX, bit_AVXVNNI, AVX},
    {"avx512bf16", 7, 1, EAX, bit_AVX512BF16, AVX512},
    {"avxifma", 7, 1, EAX, AVX_IFMA, AVX},
    {"avxvnniint8", 7, 1, EDX, AVX_VNNI_INT8, AVX},
    {"avxneconvert", 7, 1, EDX, AVX_NE_CONVERT, AVX},
    {"avxvnniint16", 7, 1, EDX, AVX_VNNI_INT16, AVX},
    {"sahf", 0x80000001, 0, ECX, bit_LAHF_LM, ANY},
    {"lzcnt", 0x80000001, 0, ECX, bit_LZCNT, ANY},
    {"sse4a", 0x80000001, 0, ECX, bit_SSE4a, ANY},
    {"xop", 0x80000001, 0, ECX, bit_XOP, AVX},
    {"fma4", 0x80000001, 0, ECX, bit_FMA4, AVX},
    {"tbm", 0x80000001, 0, ECX, bit_TBM, ANY},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void have(size_t i, bool saves, unsigned most_subleaf)
{
    memset(said, 0, sizeof said);
    said[0][ECX] = saves ? bit_OSXSAVE : 0;
    said[1][EAX] = most_subleaf;
    leaf_of(rows[i].leaf, rows[i].subleaf)[rows[i].word] |= rows[i].bit;
}

/* What the system saves here, whatever else the CPU has. */
static int saved_here(void)
{
    return __builtin_cpu_supports("avx512f") ? AVX512 : __builtin_cpu_supports("avx") ? AVX : ANY;
}

static void each_has_its_bit(void **unused)
{
    (void)unused;
    const int saved = saved_here();
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < ROWS; k++) {
            have(i, saved > ANY, 1);
            const bool has = i == k && rows[i].registers <= saved;
            if (cplrt_cpu_supports(rows[k].name) != has)
                fail_msg("a CPU with %s %s %s", rows[i].name, has ? "lacks" : "has", rows[k].name);
        }
}

/* Not what needs registers that the system does not save, and no subleaf that is not there. */
static void what_is_not_there(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ROWS; i++) {
        have(i, false, 1);
        assert_int_equal(cplrt_cpu_supports(rows[i].name), rows[i].registers == ANY);
        have(i, saved_here() > ANY, 0);
        if (rows[i].subleaf) assert_false(cplrt_cpu_supports(rows[i].name));
    }
}

/* Each of a list is asked for, wherever it stands; what has no bit here is taken to be there. */
static void lists(void **unused)
{
    (void)unused;
    have(0, false, 0);
    assert_true(cplrt_cpu_supports(NULL) && cplrt_cpu_supports("") && cplrt_cpu_supports("sse3"));
    assert_true(cplrt_cpu_supports("cmov,sse3,x87") && cplrt_cpu_supports("sse3,"));
    assert_false(cplrt_cpu_supports("ssse3") || cplrt_cpu_supports("sse3,ssse3"));
    assert_false(cplrt_cpu_supports("ssse3,sse3") || cplrt_cpu_supports("cmov,popcnt,sse3"));
    assert_int_equal(sizeof features / sizeof *features, ROWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_has_its_bit),
                                       cmocka_unit_test(what_is_not_there),
                                       cmocka_unit_test(lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}
#endif
