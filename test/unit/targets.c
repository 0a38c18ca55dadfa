/* The spelling of targets: what is read, what is printed, what is refused. */
#include "unit.h"

#include "lib/support/target.h"
#include "runtime/device/device.h"

#include <stdio.h>

static void expect(const char *text, int kind, int version, const char *printed)
{
    tgt_target t = {0}, again;
    strbuf sb;
    sb_init(&sb, &mem_libc);
    assert_true(target_parse(text, &t));
    assert_int_equal(t.kind, kind);
    assert_int_equal(t.version, version);
    target_print(&sb, &t);
    assert_string_equal(sb.at, printed);
    assert_true(target_parse(sb.at, &again)); /* what is printed is read back */
    assert_true(target_equal(&t, &again));
    sb_free(&sb);
}

static void test_spellings(void **state)
{
    (void)state;
    expect(NULL, TGT_HOST, 0, "host");
    expect("host", TGT_HOST, 0, "host");
    expect("cuda", TGT_CUDA, 75, "cuda:sm_75");
    expect("cuda:sm_121", TGT_CUDA, 121, "cuda:sm_121");
    expect("opencl", TGT_SPIRV, 12, "opencl:spv1.2");
    expect("opencl:spv1.4", TGT_SPIRV, 14, "opencl:spv1.4");
    expect("opencl:c1.2", TGT_OPENCL_C, 12, "opencl:c1.2");
    expect("opencl:c3.0,-fp64,-int64_atomics", TGT_OPENCL_C, 30,
           "opencl:c3.0,-fp64,-int64_atomics");
    expect("opencl,-private_arrays", TGT_SPIRV, 12, "opencl:spv1.2,-private_arrays");
    expect("opencl,-fp16,+fp64", TGT_SPIRV, 12, "opencl:spv1.2,-fp16");
    expect("opencl:c1.2,+subgroups", TGT_OPENCL_C, 12, "opencl:c1.2,+subgroups");
    expect("opencl:c1.2,+ptx,-fp16,+subgroups", TGT_OPENCL_C, 12,
           "opencl:c1.2,-fp16,+subgroups,+ptx");
    expect("cuda,-ptx", TGT_CUDA, 75, "cuda:sm_75");
}

/* Each version of each kind has each feature unless it is said here; each that is turned round is
 * printed, and not where that is what it has anyway. */
static void test_versions(void **state)
{
    (void)state;
    static const struct {
        const char *target, *without;
    } rows[] = {
        {"cuda:sm_70", "ptx"},
        {"cuda:sm_72", "ptx"},
        {"cuda:sm_75", "ptx"},
        {"cuda:sm_80", "ptx"},
        {"cuda:sm_86", "ptx"},
        {"cuda:sm_87", "ptx"},
        {"cuda:sm_88", "ptx"},
        {"cuda:sm_89", "ptx"},
        {"cuda:sm_90", "ptx"},
        {"cuda:sm_100", "ptx"},
        {"cuda:sm_101", "ptx"},
        {"cuda:sm_103", "ptx"},
        {"cuda:sm_110", "ptx"},
        {"cuda:sm_120", "ptx"},
        {"cuda:sm_121", "ptx"},
        {"opencl:spv1.0", "ptx"},
        {"opencl:spv1.1", "ptx"},
        {"opencl:spv1.2", "ptx"},
        {"opencl:spv1.3", "ptx"},
        {"opencl:spv1.4", "ptx"},
        {"opencl:spv1.5", "ptx"},
        {"opencl:spv1.6", "ptx"},
        {"opencl:c1.2", "ptx subgroups"},
        {"opencl:c2.0", "ptx"},
        {"opencl:c3.0", "ptx"},
    };
    static const struct {
        const char *name;
        size_t offset;
    } features[] = {
#define FEATURE(name) {#name, offsetof(tgt_target, name)}
        FEATURE(fp64),          FEATURE(fp16),
        FEATURE(int64_atomics), FEATURE(subgroups),
        FEATURE(ptx),           FEATURE(private_arrays),
        FEATURE(ordered_sums),  FEATURE(rounds_division),
        FEATURE(subnormals),
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (size_t k = 0; k < COUNT_OF(features); k++) {
            const char *name = features[k].name;
            tgt_target t;
            assert_true(target_parse(rows[i].target, &t));
            bool has = *(bool *)((char *)&t + features[k].offset);
            if (has == (strstr(rows[i].without, name) != NULL))
                fail_msg("%s has %s: %d", rows[i].target, name, has);
            if (!strcmp(name, "ptx") && t.kind != TGT_OPENCL_C) continue;
            char same[64], turned[64];
            snprintf(same, sizeof same, "%s,%c%s", rows[i].target, has ? '+' : '-', name);
            expect(same, t.kind, t.version, rows[i].target);
            snprintf(turned, sizeof turned, "%s,%c%s", rows[i].target, has ? '-' : '+', name);
            expect(turned, t.kind, t.version, turned);
            assert_true(target_parse(turned, &t));
            assert_true(*(bool *)((char *)&t + features[k].offset) == !has);
        }
}

/* What runs a target is a kind of devices, of which the name alone is a target. */
static void test_platforms(void **state)
{
    (void)state;
    static const char *const kinds[] = {
#define DEVICE_KIND(name, number, text) #text,
#include "cpl/device.def"
#undef DEVICE_KIND
    };
    unsigned seen = 0;
    assert_int_equal(COUNT_OF(((devices *)0)->absent), COUNT_OF(kinds));
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        tgt_target t;
        assert_true(target_parse(kinds[i], &t));
        assert_string_equal(target_platform(&t), kinds[i]);
        for (int kind = TGT_HOST; kind <= TGT_OPENCL_C; kind++) {
            t.kind = kind;
            if (strcmp(target_platform(&t), kinds[i]) == 0) seen |= 1u << kind;
        }
    }
    assert_int_equal(seen, (1u << (TGT_OPENCL_C + 1)) - 1);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "gpu",
        "hosts",
        "host:1",
        "host,-fp64",
        "cuda:",
        "cuda:90",
        "cuda:sm_",
        "cuda:sm_74",
        "cuda:sm_90a",
        "cuda:sm_9000",
        "cuda sm_90",
        "opencl:",
        "opencl:spv1",
        "opencl:spv2.0",
        "opencl:spv1.2.1",
        "opencl:spv.12",
        "opencl:c1.1",
        "opencl:c",
        "opencl,fp64",
        "opencl,-fp",
        "opencl,-fp64x",
        "opencl,",
        "opencl:spv1.2,-fp64,",
        "Cuda",
        "cuda,+ptx",
        "opencl,+ptx", /* SPIR-V */
    };
    tgt_target before = {.kind = TGT_CUDA, .version = 90}, t = before;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        if (target_parse(wrong[i], &t)) fail_msg("'%s' was accepted", wrong[i]);
        assert_true(target_equal(&t, &before)); /* untouched */
    }
}

static void test_features(void **state)
{
    (void)state;
    tgt_target t;
    assert_true(target_parse("cuda", &t));
    assert_true(t.fp64 && t.fp16 && t.int64_atomics && t.subgroups && t.private_arrays &&
                t.ordered_sums && t.rounds_division && t.subnormals && target_is_device(&t));
    assert_true(target_parse("opencl:c1.2", &t));
    assert_true(t.fp64 && !t.subgroups);
    assert_true(target_parse("opencl,-subgroups,-fp64", &t));
    assert_true(!t.fp64 && !t.subgroups && t.int64_atomics);
    tgt_target mixed = t;
    mixed.private_arrays = false;
    assert_false(target_equal(&t, &mixed));
    assert_true(t.ordered_sums && target_parse("opencl:c1.2,-ordered_sums", &mixed));
    assert_false(mixed.ordered_sums);
    assert_true(target_parse("opencl,-subnormals,-rounds_division", &mixed));
    assert_true(mixed.fp64 && !mixed.subnormals && !mixed.rounds_division);
    assert_true(target_parse("host", &t));
    assert_false(target_is_device(&t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spellings),
                                       cmocka_unit_test(test_versions),
                                       cmocka_unit_test(test_platforms),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_features)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
