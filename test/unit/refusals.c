/*
 * The public functions with what they must refuse, next to what they take: nothing where something
 * is asked for, structures of another size, names and signatures that are none, options of
 * compilations, places past an end. Each says so by its status, and by a message where there is a
 * context.
 */
#include "unit.h"
#include "launches.h"

#include "collect.h"

#include <stdio.h>

typedef struct world {
    messages said;
    cpl_context *cx;
    const cpl_type *f64, *array;
} world;

static int set_up(void **state)
{
    world *w = calloc(1, sizeof *w);
    cpl_context_options options;
    cpl_context_options_init(&options);
    options.sink = collect;
    options.sink_user = &w->said;
    *state = w;
    return cpl_context_create(&options, &w->cx) || cpl_type_parse(w->cx, "float64", &w->f64) ||
           cpl_type_parse(w->cx, "float64[]", &w->array);
}

static int tear_down(void **state)
{
    world *w = *state;
    cpl_context_release(w->cx);
    free(w);
    return 0;
}

/* That a status was given with a message that says `part` (NULL: with none). */
static void refused(world *w, cpl_status got, cpl_status expected, const char *part)
{
    w->said.text[w->said.n < sizeof w->said.text ? w->said.n : sizeof w->said.text - 1] = 0;
    if (got != expected) fail_msg("status %d, expected %d: %s", got, expected, w->said.text);
    if (part ? !strstr(w->said.text, part) : w->said.n > 0)
        fail_msg("expected \"%s\", said \"%s\"", part ? part : "", w->said.text);
    w->said.n = 0;
}

static cpl_module *named_module(world *w, const char *name, const char *text)
{
    cpl_module *m = NULL;
    refused(w, cpl_module_from_source(w->cx, name, text, strlen(text), &m), CPL_OK, NULL);
    return m;
}

static cpl_module *module(world *w, const char *text)
{
    return named_module(w, "k.py", text);
}

static cpl_module *ir_module(world *w, const char *text)
{
    cpl_module *m = NULL;
    refused(w, cpl_module_from_ir(w->cx, "k.cir", text, strlen(text), &m), CPL_OK, NULL);
    return m;
}

static void options_of_a_context(void **state)
{
    world *w = *state;
    int64_t value = 77;
    refused(w, cpl_context_set_option(NULL, "simd", 1), CPL_EARG, NULL);
    refused(w, cpl_context_set_option(w->cx, NULL, 1), CPL_EARG, NULL);
    refused(w, cpl_context_set_option(w->cx, "quaternions", 1), CPL_ENOTFOUND,
            "there is no option 'quaternions'");
    refused(w, cpl_context_get_option(NULL, "simd", &value), CPL_EARG, NULL);
    refused(w, cpl_context_get_option(w->cx, NULL, &value), CPL_EARG, NULL);
    refused(w, cpl_context_get_option(w->cx, "simd", NULL), CPL_EARG, NULL);
    refused(w, cpl_context_get_option(w->cx, "quaternions", &value), CPL_ENOTFOUND,
            "there is no option 'quaternions'");
    assert_int_equal(value, 77);
    refused(w, cpl_context_set_option(w->cx, "chunk", 3), CPL_OK, NULL);
    refused(w, cpl_context_get_option(w->cx, "chunk", &value), CPL_OK, NULL);
    assert_int_equal(value, 3);
    const char *doc = NULL;
    size_t count = 0;
    while (cpl_option_name(count, &doc)) count++;
    assert_true(count > 10 && doc && *doc);
    assert_null(cpl_option_name(count, NULL));
    cpl_stats stats = {.size = 0};
    refused(w, cpl_context_stats(w->cx, &stats), CPL_EARG, NULL);
    stats.size = sizeof stats + 1;
    refused(w, cpl_context_stats(w->cx, &stats), CPL_EARG, NULL);
    refused(w, cpl_context_stats(w->cx, NULL), CPL_EARG, NULL);
    refused(w, cpl_context_stats(NULL, &stats), CPL_EARG, NULL);
    /* an older program's: nothing behind it is touched */
    stats = (cpl_stats){.size = sizeof(size_t)};
    stats.compiles = 99;
    refused(w, cpl_context_stats(w->cx, &stats), CPL_OK, NULL);
    assert_int_equal(stats.compiles, 99);
}

static void option_of_the_environment(const char *variable, const char *option)
{
    static const struct {
        const char *value;
        int64_t expected;
    } cases[] = {{"1", 1}, {"0", 0}, {"Yes", 1}, {"off", 0}, {"so", 0}, {NULL, 0}};
    const char *before = getenv(variable);
    char *kept = before ? strdup(before) : NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].value) setenv(variable, cases[i].value, 1);
        else unsetenv(variable);
        cpl_context *cx;
        int64_t value = -1;
        assert_int_equal(cpl_context_create(NULL, &cx), CPL_OK);
        assert_int_equal(cpl_context_get_option(cx, option, &value), CPL_OK);
        assert_int_equal(value, cases[i].expected);
        cpl_context_release(cx);
    }
    if (kept) setenv(variable, kept, 1);
    free(kept);
}

static void options_of_the_environment(void **state)
{
    (void)state;
    option_of_the_environment("CPL_DEBUG", "debugger");
    option_of_the_environment("CPL_PERF", "perf_map");
    option_of_the_environment("CPL_VERIFY", "verify");
}

/* Fusing is on unless it is turned off. */
static void fusing_of_the_environment(void **state)
{
    (void)state;
    const char *before = getenv("CPL_FUSE");
    char *kept = before ? strdup(before) : NULL;
    for (int off = 0; off < 2; off++) {
        if (off) setenv("CPL_FUSE", "0", 1);
        else unsetenv("CPL_FUSE");
        cpl_context *cx;
        int64_t value = -1;
        assert_int_equal(cpl_context_create(NULL, &cx), CPL_OK);
        assert_int_equal(cpl_context_get_option(cx, "fuse", &value), CPL_OK);
        assert_int_equal(value, !off);
        cpl_context_release(cx);
    }
    if (kept) setenv("CPL_FUSE", kept, 1);
    else unsetenv("CPL_FUSE");
    free(kept);
}

/* Debugging asks for line tables by itself. */
static void debugger_needs_lines(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(i, x):\n    x[i] = 1\n");
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = &w->array;
    spec.type_count = 1;
    for (int on = 0; on < 2; on++) {
        cpl_blob text;
        refused(w, cpl_context_set_option(w->cx, "debugger", on), CPL_OK, NULL);
        refused(w, cpl_module_emit(m, NULL, &spec, CPL_STAGE_LLVM, NULL, &text), CPL_OK, NULL);
        assert_int_equal(strstr(text.data, "!DISubprogram") != NULL, on);
        cpl_blob_free(&text);
    }
    double x[2] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 2)};
    refused(w, launch_rounds(m, NULL, NULL, args, 1, CPL_AUTO, NULL), CPL_OK, NULL);
    assert_true(x[1] == 1);
    cpl_module_release(m);
}

static double plus_one(double x)
{
    return x + 1;
}
static double plus_two(double x)
{
    return x + 2;
}

static cpl_status declare(world *w, const char *name, const char *signature)
{
    return cpl_extern_register(w->cx, name, signature, (void *)(uintptr_t)plus_one, true);
}

static void signatures(void **state)
{
    world *w = *state;
    static const char *const good[] = {"void()", "float64 (\t)", "int32* ( float64 * , uint8 )",
                                       "float64(float64[], bool) \t", "bool(float64 global*)"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char name[16];
        snprintf(name, sizeof name, "good_%zu", i);
        refused(w, declare(w, name, good[i]), CPL_OK, NULL);
    }
    const cpl_field fields[] = {{"first", w->f64, 0}};
    const cpl_type *pair;
    refused(w, cpl_type_struct(w->cx, "Pair", fields, 1, &pair), CPL_OK, NULL);
    static const char *const bad[] = {"",
                                      "float64",
                                      "float64(",
                                      "float64() x",
                                      "float64(float64) x",
                                      "float64(float64,)",
                                      "float64(void)",
                                      "float64(float64[2])",
                                      "Pair(float64)",
                                      "float64[2](float64)",
                                      "float64(Pair)",
                                      "float64(float16)",
                                      "float64(float64[:])",
                                      "quaternion()",
                                      NULL};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(w, declare(w, "f", bad[i]), CPL_EARG, "is not a signature; one looks like");
    char many[65 * 6 + 16] = "void(int8";
    for (int i = 1; i < 64; i++) strcat(many, ",int8");
    strcat(many, ")");
    refused(w, declare(w, "sixty_four", many), CPL_OK, NULL);
    many[strlen(many) - 1] = 0;
    strcat(many, ",int8)");
    refused(w, declare(w, "sixty_five", many), CPL_EARG, "is not a signature");
    static const char *const names[] = {"", "1st", "a-b", "a b", "\xc3\xa9", NULL};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        refused(w, declare(w, names[i], "void()"), CPL_EARG, "needs a C name");
    static const char *const taken[] = {"sin",   "pow",      "min",          "printf", "range",
                                        "GID_0", "declare",  "M_PI",         "pi",     "float",
                                        "int64", "unsigned", "local_barrier"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        refused(w, declare(w, taken[i], "void()"), CPL_EARG, "is built in");
    static const char *const words[] = {"def", "lambda", "None", "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        refused(w, declare(w, words[i], "void()"), CPL_EARG, "is a word of the language");
    refused(w, declare(w, "sine", "void()"), CPL_OK, NULL);
    refused(w, declare(w, "define", "void()"), CPL_OK, NULL);
    refused(w, declare(w, "_Z9", "void()"), CPL_OK, NULL);
    refused(w, cpl_extern_register(NULL, "f", "void()", (void *)(uintptr_t)plus_one, true),
            CPL_EARG, NULL);
    refused(w, cpl_extern_register(w->cx, "f", "void()", NULL, true), CPL_EARG,
            "'f' has no address");
    refused(w, cpl_extern_register_library(NULL, "f", "void()", "libm.so.6", "cos", true), CPL_EARG,
            NULL);
    refused(w, cpl_extern_register_library(w->cx, "f", "void()", NULL, "cos", true), CPL_EARG,
            NULL);
    refused(w, cpl_extern_register_library(w->cx, "f", "void()", "libm.so.6", NULL, true), CPL_EARG,
            NULL);
}

static void registered_twice(void **state)
{
    world *w = *state;
    void *one = (void *)(uintptr_t)plus_one, *two = (void *)(uintptr_t)plus_two;
    const char *again = "'g' is registered with another signature or address";
    refused(w, cpl_extern_register(w->cx, "g", "float64(float64)", one, true), CPL_OK, NULL);
    refused(w, cpl_extern_register(w->cx, "g", "float64( float64 )", one, true), CPL_OK, NULL);
    refused(w, cpl_extern_register(w->cx, "g", "float64(float64)", two, true), CPL_EEXIST, again);
    refused(w, cpl_extern_register(w->cx, "g", "float64(float64)", one, false), CPL_EEXIST, again);
    refused(w, cpl_extern_register(w->cx, "g", "float64(float32)", one, true), CPL_EEXIST, again);
    refused(w, cpl_extern_register(w->cx, "g", "float64(float64, float64)", one, true), CPL_EEXIST,
            again);
    refused(w, cpl_extern_register(w->cx, "g", "int32(float64)", one, true), CPL_EEXIST, again);
    cpl_module *m = module(w, "def f(x):\n    return g(x)\n"); /* the first one stays */
    cpl_arg x = cpl_arg_float(1);
    double result = 0;
    refused(w, call_once(m, "f", &x, 1, &result, NULL), CPL_OK, NULL);
    assert_true(result == 2);
    cpl_module_release(m);
}

static void modules(void **state)
{
    world *w = *state;
    const char text[] = "def f(x):\n    return x\n";
    size_t n = strlen(text);
    cpl_module *m = (cpl_module *)1;
    refused(w, cpl_module_from_source(NULL, "k.py", text, n, &m), CPL_EARG, NULL);
    assert_null(m);
    refused(w, cpl_module_from_source(w->cx, NULL, text, n, &m), CPL_EARG, NULL);
    refused(w, cpl_module_from_source(w->cx, "k.py", NULL, n, &m), CPL_EARG, NULL);
    refused(w, cpl_module_from_source(w->cx, "k.py", text, n, NULL), CPL_EARG, NULL);
    refused(w, cpl_module_from_source(w->cx, "k.py", text, (size_t)UINT32_MAX, &m), CPL_ELIMIT,
            "k.py: the source is larger than 64 MiB");
    refused(w, cpl_module_from_file(NULL, "k.py", &m), CPL_EARG, NULL);
    refused(w, cpl_module_from_file(w->cx, NULL, &m), CPL_EARG, NULL);
    refused(w, cpl_module_from_file(w->cx, "k.py", NULL), CPL_EARG, NULL);
    refused(w, cpl_module_from_file(w->cx, "none", &m), CPL_EIO,
            "none: cannot be read: No such file or directory");
    const cpl_type *t = w->f64;
    const cpl_field fields[] = {{"first", w->f64, 0}};
    refused(w, cpl_type_parse(NULL, "int32", &t), CPL_EARG, NULL);
    assert_null(t);
    refused(w, cpl_type_parse(w->cx, NULL, &t), CPL_EARG, NULL);
    refused(w, cpl_type_parse(w->cx, "int32", NULL), CPL_EARG, NULL);
    refused(w, cpl_type_struct(NULL, "A", fields, 1, &t), CPL_EARG, NULL);
    refused(w, cpl_type_struct(w->cx, NULL, fields, 1, &t), CPL_EARG, NULL);
    refused(w, cpl_type_struct(w->cx, "A", NULL, 1, &t), CPL_EARG, NULL);
    refused(w, cpl_type_struct(w->cx, "A", fields, 1, NULL), CPL_EARG, NULL);
    refused(w, cpl_type_struct_at(NULL, "A", fields, 1, 8, 8, &t), CPL_EARG, NULL);
    refused(w, cpl_type_struct_at(w->cx, "A", NULL, 1, 8, 8, &t), CPL_EARG, NULL);
    refused(w, cpl_type_struct_at(w->cx, "A", fields, 1, 8, 8, NULL), CPL_EARG, NULL);
    refused(w, cpl_type_struct_at(w->cx, "A", fields, 1, 4, 4, &t), CPL_EARG,
            "the struct 'A': field 'first' of 8 bytes at byte 0 ends past the size 4");
    refused(w, cpl_type_struct_at(w->cx, "A", fields, 1, 9, 1, &t), CPL_OK, NULL);
    refused(w, cpl_type_struct_at(w->cx, "A", fields, 1, 8, 8, &t), CPL_EEXIST,
            "the struct 'A': 'A' stands for another layout already");
}

/* Which function is meant, where several or none are there. */
static void function_meant(void **state)
{
    world *w = *state;
    cpl_module *two = module(w, "def first(x):\n    return x\ndef second(x):\n    return x\n"),
               *none = module(w, "");
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = &w->f64;
    spec.type_count = 1;
    cpl_blob text;
    cpl_kernel *k;
    refused(w, cpl_module_emit(two, NULL, &spec, CPL_STAGE_IR, NULL, &text), CPL_ENOTFOUND,
            "the file has several functions; name one");
    refused(w, cpl_module_emit(two, NULL, &spec, CPL_STAGE_IR, NULL, &text), CPL_ENOTFOUND,
            "there is 'second'");
    refused(w, cpl_module_emit(none, NULL, &spec, CPL_STAGE_IR, NULL, &text), CPL_ENOTFOUND,
            "the file has no function");
    refused(w, cpl_module_emit(two, "secnd", &spec, CPL_STAGE_IR, NULL, &text), CPL_ENOTFOUND,
            "did you mean 'second'?");
    refused(w, cpl_module_emit(two, "zzzzzzzzz", &spec, CPL_STAGE_IR, NULL, &text), CPL_ENOTFOUND,
            "there is no function 'zzzzzzzzz'");
    refused(w, cpl_module_emit(two, "zzzzzzzzz", NULL, CPL_STAGE_AST, NULL, &text), CPL_ENOTFOUND,
            "there is no function 'zzzzzzzzz'");
    refused(w, cpl_module_emit(two, "second", NULL, CPL_STAGE_AST, NULL, &text), CPL_OK, NULL);
    assert_non_null(strstr(text.data, "second"));
    assert_null(strstr(text.data, "first"));
    cpl_blob_free(&text);
    refused(w, spec_kernel(two, NULL, &spec, &k), CPL_ENOTFOUND,
            "the file has no function or several; name one");
    assert_null(k);
    double x[2] = {0};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 2)};
    refused(w, launch_rounds(two, NULL, NULL, args, 1, CPL_AUTO, NULL), CPL_ENOTFOUND, "name one");
    cpl_module_release(two);
    cpl_module_release(none);
}

static void stages(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(x):\n    return x\n");
    cpl_module *ir = ir_module(w, "cir 1\nextern func gone(float64) -> float64\nentry func f(x: "
                                  "float64) -> float64 { return x }\n"
                                  "func g(x: float64) -> float64 { return x }\n");
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = &w->f64;
    spec.type_count = 1;
    cpl_blob text;
    refused(w, cpl_module_emit(NULL, NULL, &spec, CPL_STAGE_IR, NULL, &text), CPL_EARG, NULL);
    refused(w, cpl_module_emit(m, NULL, &spec, CPL_STAGE_IR, NULL, NULL), CPL_EARG, NULL);
    refused(w, cpl_module_emit(m, NULL, &spec, (cpl_stage)12, NULL, &text), CPL_EARG, NULL);
    refused(w, cpl_module_emit(m, NULL, NULL, CPL_STAGE_TYPES, NULL, &text), CPL_EARG, NULL);
    refused(w, cpl_module_emit(m, NULL, &spec, CPL_STAGE_SPIRV, NULL, &text), CPL_EUNSUPPORTED,
            "target host has no stage 'spirv'");
    spec.target = "opencl:c1.2";
    refused(w, cpl_module_emit(m, NULL, &spec, CPL_STAGE_LLVM, NULL, &text), CPL_EUNSUPPORTED,
            "target opencl:c1.2 has no stage 'llvm'");
    spec.target = "abacus";
    refused(w, cpl_module_emit(m, NULL, &spec, CPL_STAGE_LLVM, NULL, &text), CPL_EARG,
            "there is no target 'abacus'");
    spec.target = NULL;
    refused(w, cpl_module_emit(ir, "f", NULL, CPL_STAGE_TOKENS, NULL, &text), CPL_EARG,
            "typed IR has no tokens and no syntax tree");
    refused(w, cpl_module_emit(ir, "f", &spec, CPL_STAGE_TYPES, NULL, &text), CPL_EARG,
            "typed IR carries its types; ask for ir");
    refused(w, cpl_module_emit(ir, "f", &spec, CPL_STAGE_IR, NULL, &text), CPL_ENOTFOUND,
            "external function 'gone' is not registered");
    spec.passes = "fold,nonsens";
    refused(w, cpl_module_emit(m, NULL, &spec, CPL_STAGE_IR, NULL, &text), CPL_EARG, "nonsens");
    assert_null(text.data);
    const char *doc = NULL;
    bool on = false;
    assert_string_equal(cpl_pass_name(0, &doc, &on), cpl_pass_name(0, NULL, NULL));
    assert_true(doc && *doc);
    assert_null(cpl_pass_name(1000, &doc, &on));
    cpl_module_release(m);
    cpl_module_release(ir);
}

static void kernels(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(x):\n    return 2*x\n");
    cpl_spec spec, other;
    cpl_spec_init(&spec);
    spec.types = &w->f64;
    spec.type_count = 1;
    cpl_kernel *k = (cpl_kernel *)1;
    refused(w, spec_kernel(NULL, "f", &spec, &k), CPL_EARG, NULL);
    assert_null(k);
    refused(w, spec_kernel(m, "f", &spec, NULL), CPL_EARG, NULL);
    other = spec, other.size = 0;
    refused(w, spec_kernel(m, "f", &other, &k), CPL_EARG, NULL);
    other = spec, other.size = sizeof spec + 1;
    refused(w, spec_kernel(m, "f", &other, &k), CPL_EARG, NULL);
    other = spec, other.types = NULL;
    refused(w, spec_kernel(m, "f", &other, &k), CPL_EARG, NULL);
    other = spec, other.option_count = 1;
    refused(w, spec_kernel(m, "f", &other, &k), CPL_EARG, NULL);
    other = spec, other.target = "abacus";
    refused(w, spec_kernel(m, "f", &other, &k), CPL_EUNSUPPORTED, "there is no target 'abacus'");
    refused(w, spec_kernel(m, NULL, &spec, &k), CPL_OK, NULL);
    const char *name = NULL;
    assert_ptr_equal(cpl_kernel_parameter(k, 0, &name), w->f64);
    assert_string_equal(name, "x");
    assert_ptr_equal(cpl_kernel_parameter(k, 0, NULL), w->f64);
    assert_null(cpl_kernel_parameter(k, 1, &name));
    assert_ptr_equal(cpl_kernel_result(k), w->f64);
    double result = 0;
    cpl_arg x = cpl_arg_float(4);
    refused(w, run_once(NULL, NULL, &x, 1, &result), CPL_EARG, NULL);
    refused(w, run_once(k, NULL, &x, 0, &result), CPL_EARG, "the kernel takes 1 argument, not 0");
    refused(w, run_once(k, NULL, NULL, 1, &result), CPL_EARG, NULL);
    refused(w, run_once(k, NULL, &x, 1, NULL), CPL_OK, NULL);
    refused(w, run_once(k, NULL, &x, 1, &result), CPL_OK, NULL);
    assert_true(result == 8);
    cpl_fault fault = {0};
    refused(w, cpl_kernel_report(NULL, &fault), CPL_EARG, NULL);
    refused(w, cpl_kernel_report(k, NULL), CPL_EARG, NULL);
    refused(w, cpl_kernel_report(k, &fault), CPL_OK, NULL);
    fault = (cpl_fault){.taken = 1, .site = -1};
    refused(w, cpl_kernel_report(k, &fault), CPL_EBOUNDS, "a check failed");
    fault.site = 0; /* it has none */
    refused(w, cpl_kernel_report(k, &fault), CPL_EBOUNDS, "a check failed");
    fault.site = 9;
    refused(w, cpl_kernel_report(k, &fault), CPL_EBOUNDS, "a check failed");
    cpl_kernel_release(k);
    other = spec, other.target = "opencl:c1.2";
    refused(w, spec_kernel(m, "f", &other, &k), CPL_OK, NULL);
    assert_non_null(cpl_kernel_parameter(k, 0, NULL));
    refused(w, run_once(k, NULL, &x, 1, &result), CPL_EARG, "'f' was compiled for opencl:c1.2");
    cpl_kernel_release(k);
    cpl_launch_options o;
    cpl_compile *compile;
    cpl_launch_options_init(&o);
    o.spec = &spec;
    refused(w, cpl_kernel_for(m, "f", &o, &x, 1, &k), CPL_EARG,
            "a kernel for a spec takes no arguments");
    assert_null(k);
    refused(w, cpl_launch(m, "f", &o, &x, 1), CPL_EARG, NULL);
    assert_string_equal(cpl_last_error(), "error: the launch option spec is for cpl_kernel_for");
    refused(w, cpl_interpret(m, "f", &o, &x, 1), CPL_EARG, NULL);
    refused(w, cpl_compile_begin(m, "f", &o, &x, 1, &compile), CPL_EARG, NULL);
    cpl_module_release(m);
}

/* Options of one compilation are checked as the context's are, and INT64_MIN leaves those as they
 * are. */
static void options_of_a_kernel(void **state)
{
    world *w = *state;
    cpl_module *m = module(w, "def f(x):\n    return 2*x\n");
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = &w->f64;
    spec.type_count = 1;
    int64_t options[64];
    size_t level = 0, count = 0;
    for (const char *name; (name = cpl_option_name(count, NULL)); count++) {
        options[count] = INT64_MIN;
        if (strcmp(name, "opt_level") == 0) level = count;
    }
    spec.options = options;
    spec.option_count = count;
    cpl_kernel *k, *again;
    refused(w, spec_kernel(m, "f", &spec, &k), CPL_OK, NULL);
    spec.options = NULL;
    spec.option_count = 0;
    refused(w, spec_kernel(m, "f", &spec, &again), CPL_OK, NULL);
    assert_ptr_equal(k, again); /* the same settings, the same kernel */
    cpl_kernel_release(k);
    cpl_kernel_release(again);
    spec.options = options;
    spec.option_count = count;
    options[level] = 9;
    cpl_blob text;
    refused(w, spec_kernel(m, "f", &spec, &k), CPL_EARG, "option opt_level takes 0 to 3, not 9");
    refused(w, cpl_module_emit(m, "f", &spec, CPL_STAGE_LLVM, NULL, &text), CPL_EARG,
            "option opt_level takes 0 to 3, not 9");
    cpl_module_release(m);
}

/* Types that another context made are refused wherever one is taken. */
static void types_of_another_context(void **state)
{
    world *w = *state;
    cpl_context *other;
    const cpl_type *f64, *type;
    assert_int_equal(cpl_context_create(NULL, &other), CPL_OK);
    assert_int_equal(cpl_type_parse(other, "float64", &f64), CPL_OK);
    cpl_field field = {"first", f64, 0};
    assert_int_equal(cpl_type_struct(other, "Only", &field, 1, &type), CPL_OK);
    refused(w, cpl_type_struct(w->cx, "Only", &field, 1, &type), CPL_EARG, NULL);
    assert_int_equal(cpl_type_struct(other, "Only", &field, 1, &type), CPL_OK);
    cpl_module *m = module(w, "def f(x):\n    return x\n");
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.types = &f64;
    spec.type_count = 1;
    cpl_kernel *kernel;
    cpl_blob text;
    const char *said = "type 1 is another context's";
    refused(w, spec_kernel(m, "f", &spec, &kernel), CPL_EARG, said);
    refused(w, cpl_module_emit(m, "f", &spec, CPL_STAGE_IR, NULL, &text), CPL_EARG, said);
    spec.types = &w->f64;
    spec.form = (cpl_form)3;
    refused(w, spec_kernel(m, "f", &spec, &kernel), CPL_EARG, "no valid form");
    cpl_array *array;
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.record = type;
    o.dims = 1;
    o.shape[0] = 4;
    said = "an array's record is another context's type";
    refused(w, cpl_array_create_with(w->cx, NULL, &o, &array), CPL_EARG, said);
    cpl_module_release(m);
    cpl_context_release(other);
}

/* So does a builder of IR, whose first error sticks. */
static void types_of_another_context_in_ir(void **state)
{
    world *w = *state;
    cpl_context *other;
    const cpl_type *f64;
    assert_int_equal(cpl_context_create(NULL, &other), CPL_OK);
    assert_int_equal(cpl_type_parse(other, "float64", &f64), CPL_OK);
    for (int way = 0; way < 5; way++) {
        cpl_ir_builder *b;
        cpl_module *m;
        assert_int_equal(cpl_ir_builder_create(w->cx, "b", &b), CPL_OK);
        cpl_ir_func *f = cpl_ir_function(b, "f", CPL_IR_ENTRY, way == 0 ? f64 : NULL);
        if (way == 1) cpl_ir_param(b, f, "x", f64, 0);
        cpl_ir_begin(b, f);
        if (way == 2) cpl_ir_local(b, "x", f64);
        if (way == 3) cpl_ir_local_pointer(b, f64);
        if (way == 4) cpl_ir_typed_op(b, "convert", f64, cpl_ir_int(b, CPL_INT32, 1));
        cpl_ir_end(b);
        refused(w, cpl_ir_finish(b, &m), CPL_EARG, "'float64' is another context's type");
        cpl_ir_builder_free(b);
    }
    cpl_context_release(other);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(options_of_a_context, set_up, tear_down),
        cmocka_unit_test(options_of_the_environment),
        cmocka_unit_test(fusing_of_the_environment),
        cmocka_unit_test_setup_teardown(debugger_needs_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(signatures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(registered_twice, set_up, tear_down),
        cmocka_unit_test_setup_teardown(modules, set_up, tear_down),
        cmocka_unit_test_setup_teardown(function_meant, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stages, set_up, tear_down),
        cmocka_unit_test_setup_teardown(kernels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(options_of_a_kernel, set_up, tear_down),
        cmocka_unit_test_setup_teardown(types_of_another_context, set_up, tear_down),
        cmocka_unit_test_setup_teardown(types_of_another_context_in_ir, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
