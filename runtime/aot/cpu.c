/*
 * Whether the CPU can run what an object was compiled for. The compiler's own
 * __builtin_cpu_supports takes literals alone, so CPUID is asked here. Leaves and bits: Intel's
 * Software Developer's Manual, volume 2A, CPUID, and AMD's Programmer's Manual, volume 3, appendix
 * E; names as in LLVM's list of features.
 */
#include "cpl/rt.h"

#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>

enum { EAX, EBX, ECX, EDX };
enum { ANY, AVX, AVX512 }; /* registers that the system must save */

static const struct feature {
    const char *name;
    uint32_t leaf, subleaf;
    uint8_t word, bit, registers;
} features[] = {
    {"sse3", 1, 0, ECX, 0, ANY},
    {"pclmul", 1, 0, ECX, 1, ANY},
    {"ssse3", 1, 0, ECX, 9, ANY},
    {"fma", 1, 0, ECX, 12, AVX},
    {"cx16", 1, 0, ECX, 13, ANY},
    {"sse4.1", 1, 0, ECX, 19, ANY},
    {"sse4.2", 1, 0, ECX, 20, ANY},
    {"movbe", 1, 0, ECX, 22, ANY},
    {"popcnt", 1, 0, ECX, 23, ANY},
    {"aes", 1, 0, ECX, 25, ANY},
    {"avx", 1, 0, ECX, 28, AVX},
    {"f16c", 1, 0, ECX, 29, AVX},
    {"bmi", 7, 0, EBX, 3, ANY},
    {"avx2", 7, 0, EBX, 5, AVX},
    {"bmi2", 7, 0, EBX, 8, ANY},
    {"avx512f", 7, 0, EBX, 16, AVX512},
    {"avx512dq", 7, 0, EBX, 17, AVX512},
    {"adx", 7, 0, EBX, 19, ANY},
    {"avx512ifma", 7, 0, EBX, 21, AVX512},
    {"avx512cd", 7, 0, EBX, 28, AVX512},
    {"sha", 7, 0, EBX, 29, ANY},
    {"avx512bw", 7, 0, EBX, 30, AVX512},
    {"avx512vl", 7, 0, EBX, 31, AVX512},
    {"avx512vbmi", 7, 0, ECX, 1, AVX512},
    {"avx512vbmi2", 7, 0, ECX, 6, AVX512},
    {"gfni", 7, 0, ECX, 8, ANY},
    {"vaes", 7, 0, ECX, 9, AVX},
    {"vpclmulqdq", 7, 0, ECX, 10, AVX},
    {"avx512vnni", 7, 0, ECX, 11, AVX512},
    {"avx512bitalg", 7, 0, ECX, 12, AVX512},
    {"avx512vpopcntdq", 7, 0, ECX, 14, AVX512},
    {"avx512vp2intersect", 7, 0, EDX, 8, AVX512},
    {"avx512fp16", 7, 0, EDX, 23, AVX512},
    {"avxvnni", 7, 1, EAX, 4, AVX},
    {"avx512bf16", 7, 1, EAX, 5, AVX512},
    {"avxifma", 7, 1, EAX, 23, AVX},
    {"avxvnniint8", 7, 1, EDX, 4, AVX},
    {"avxneconvert", 7, 1, EDX, 5, AVX},
    {"avxvnniint16", 7, 1, EDX, 10, AVX},
    {"sahf", 0x80000001, 0, ECX, 0, ANY},
    {"lzcnt", 0x80000001, 0, ECX, 5, ANY},
    {"sse4a", 0x80000001, 0, ECX, 6, ANY},
    {"xop", 0x80000001, 0, ECX, 11, AVX},
    {"fma4", 0x80000001, 0, ECX, 16, AVX},
    {"tbm", 0x80000001, 0, ECX, 21, ANY},
};

/* XCR0 says which registers the system saves: bits 1 and 2 for AVX, 5 to 7 too for AVX-512. */
static int saved_registers(void)
{
    unsigned w[4];
    if (!__get_cpuid(1, &w[EAX], &w[EBX], &w[ECX], &w[EDX]) || !(w[ECX] & 1u << 27)) return ANY;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & 0xe6) == 0xe6 ? AVX512 : (low & 6) == 6 ? AVX : ANY;
}

static bool has(const struct feature *f)
{
    unsigned w[4];
    if (f->registers > saved_registers()) return false;
    if (f->subleaf &&
        (!__get_cpuid_count(f->leaf, 0, &w[EAX], &w[EBX], &w[ECX], &w[EDX]) || w[EAX] < f->subleaf))
        return false;
    return __get_cpuid_count(f->leaf, f->subleaf, &w[EAX], &w[EBX], &w[ECX], &w[EDX]) &&
           (w[f->word] >> f->bit & 1);
}

bool cplrt_cpu_supports(const char *list)
{
    while (list && *list) {
        size_t length = strcspn(list, ",");
        for (size_t i = 0; i < sizeof features / sizeof *features; i++)
            if (strlen(features[i].name) == length && !memcmp(features[i].name, list, length) &&
                !has(&features[i]))
                return false;
        list += length + (list[length] == ',');
    }
    return true;
}

#else

bool cplrt_cpu_supports(const char *list)
{
    (void)list;
    return true;
}
#endif
