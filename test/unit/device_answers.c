/*
 * What is asked of drivers, and what is kept of their answers: cubins, options, times; that a
 * device is lost, could not be opened, or is full.
 */
#include "faulty.h"

static unsigned called(const char *name)
{
    unsigned n = 0;
    for (uint64_t i = 1; i <= standin_calls(); i++) n += !strcmp(standin_call(i), name);
    return n;
}

/* CUDA's driver keeps what it assembles; where it must not, a second context finds the cubin that
 * the first one kept. */
static void kept_cubins(void **state)
{
    (void)state;
    const variant *own = &variants[6];
    fresh_driver(&variants[0]);
    count_calls(&variants[0]);
    assert_true(called("cuModuleLoadDataEx") > 0);
    assert_int_equal(called("cuModuleLoadData") + called("cuLinkComplete"), 0);
    fresh_driver(own);
    count_calls(own);
    unsigned assembled = called("cuModuleLoadDataEx");
    assert_true(assembled > 0);
    assert_int_equal(called("cuLinkComplete"), assembled);
    count_calls(own);
    assert_int_equal(called("cuModuleLoadData"), assembled);
    assert_int_equal(called("cuModuleLoadDataEx") + called("cuLinkComplete"), 0);
}

/* How often a second context takes from the cache what a driver made before. */
static unsigned taken(const variant *v, const char *version, const char *options)
{
    if (version) setenv("CPL_STANDIN_DRIVER", version, 1);
    fresh_driver(v);
    asked_options = options;
    count_calls(v);
    asked_options = NULL;
    unsetenv("CPL_STANDIN_DRIVER");
    return called(v->target[0] == 'c' ? "cuModuleLoadData" : "clCreateProgramWithBinary");
}

/* What one driver made is nothing for another one, nor for other options; for the first it is there
 * yet. */
static void kept_binaries(void **state)
{
    (void)state;
    static const int kinds[] = {2, 5, 6}; /* SPIR-V, OpenCL C, cubins of ours */
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const variant *v = &variants[kinds[i]];
        bool opencl = v->target[0] == 'o';
        taken(v, NULL, NULL);
        unsigned all = taken(v, NULL, NULL);
        assert_true(all > 0);
        assert_int_equal(taken(v, "1", NULL), 0);
        assert_int_equal(taken(v, "2", NULL), 0);
        assert_int_equal(taken(v, "1", NULL), all);
        if (opencl) assert_int_equal(taken(v, NULL, "-DX=1"), 0);
        if (opencl) assert_int_equal(taken(v, NULL, "-DX=2"), 0);
        if (opencl) assert_int_equal(taken(v, NULL, "-DX=1"), all);
        assert_int_equal(taken(v, NULL, NULL), all);
    }
}

/* A lost device stays lost, and says so without asking the driver again. */
static void lost_stays_lost(void **state)
{
    (void)state;
    static const struct {
        const variant *v;
        const char *call;
        int code;
    } cases[] = {{&variants[0], "cuLaunchKernel", 719},
                 {&variants[0], "cuStreamSynchronize", 700},
                 {&variants[3], "clEnqueueNDRangeKernel", -9999},
                 {&variants[3], "clFinish", -9999}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w;
        fresh_driver(cases[i].v);
        start(&w, cases[i].v);
        standin_sticky(1);
        standin_fail_name(cases[i].call, 1, cases[i].code);
        scenario(&w);
        assert_int_equal(w.status, CPL_EDEVICELOST);
        uint64_t calls = standin_calls();
        cpl_array *more = NULL;
        assert_int_equal(cpl_array_create(w.cx, w.device, CPL_FLOAT64, N, &more), CPL_EDEVICELOST);
        assert_int_equal(cpl_queue_finish(w.queue), CPL_EDEVICELOST);
        cpl_arg scale[] = {cpl_arg_of_array(w.x), cpl_arg_of_array(w.y), cpl_arg_float(2.0)};
        assert_int_equal(launch_rounds(w.module, "scale", w.queue, scale, 3, CPL_AUTO, NULL),
                         CPL_EDEVICELOST);
        for (uint64_t n = calls + 1; n <= standin_calls(); n++)
            print_error("%s\n", standin_call(n));
        assert_int_equal(standin_calls(), calls);
        release_all(&w);
        check_clean(cases[i].call);
    }
}

/* What a queue records on a device that was lost meanwhile is refused. */
static void lost_while_recording(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i += 3) {
        world w;
        fresh_driver(&variants[i]);
        start(&w, &variants[i]);
        open_devices(&w);
        assert_int_equal(w.status, CPL_OK);
        cpl_array *here, *there;
        assert_int_equal(cpl_array_create(w.cx, NULL, CPL_FLOAT64, N, &here), CPL_OK);
        assert_int_equal(cpl_array_create(w.cx, w.device, CPL_FLOAT64, N, &there), CPL_OK);
        assert_int_equal(cpl_graph_begin(w.queue), CPL_OK);
        standin_sticky(1);
        standin_fail_name(i ? "clFinish" : "cuStreamSynchronize", 1, i ? -9999 : 700);
        assert_int_equal(cpl_queue_finish(w.second), CPL_EDEVICELOST);
        assert_int_equal(cpl_array_copy(there, here, w.queue, NULL), CPL_EDEVICELOST);
        cpl_array_release(here);
        cpl_array_release(there);
        release_all(&w);
        check_clean("lost while recording");
    }
}

/* A device is opened once; whoever comes when that has failed hears of it too. */
static void closed_stays_closed(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i += 3) {
        world w;
        fresh_driver(&variants[i]);
        start(&w, &variants[i]);
        standin_fail_name(i ? "clCreateContext" : "cuDevicePrimaryCtxRetain", 1, i ? -33 : 999);
        STEP(&w, cpl_device_find(w.cx, i ? "opencl:0" : "cuda:0", &w.device));
        assert_int_equal(w.status, CPL_OK);
        for (int k = 0; k < 3; k++) {
            w.said = (messages){0};
            cpl_status status = cpl_queue_create(w.device, NULL, &w.queue);
            assert_int_equal(status, CPL_EDEVICE);
            assert_non_null(strstr(w.said.text, "error: "));
            assert_int_equal(strstr(w.said.text, "could not be opened before") != NULL, k > 0);
        }
        release_all(&w);
        check_clean("open");
    }
}

/* Memory that released arrays left is given back once when the device is full; then the next try
 * decides. */
static void full_device(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i += 3) {
        const char *call = i ? "clCreateBuffer" : "cuMemAlloc";
        world w;
        fresh_driver(&variants[i]);
        start(&w, &variants[i]);
        open_devices(&w);
        assert_int_equal(w.status, CPL_OK);
        standin_limit(1 << 20);
        cpl_array *small[4], *large = NULL, *too_large = NULL;
        for (int k = 0; k < 4; k++)
            assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, 200 << 10, &small[k]),
                             CPL_OK);
        for (int k = 0; k < 4; k++) cpl_array_release(small[k]);
        uint64_t used, pooled, before = standin_count(call);
        cpl_device_memory(w.device, &used, &pooled);
        assert_true(pooled >= 800 << 10);
        assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, 200 << 10, &small[0]), CPL_OK);
        assert_int_equal(standin_count(call), before); /* one of those */
        cpl_array_release(small[0]);
        assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, 900 << 10, &large), CPL_OK);
        assert_int_equal(standin_count(call), before + 2);
        cpl_device_memory(w.device, &used, &pooled);
        assert_int_equal(pooled, 0);
        w.said.n = 0;
        assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, 2 << 20, &too_large),
                         CPL_ENOMEM);
        assert_non_null(strstr(w.said.text, call));
        assert_null(too_large);
        cpl_array_release(large);
        release_all(&w);
        check_clean(call);
    }
}

extern void *clCreateBuffer(void *context, uint64_t flags, size_t size, void *host, int *error);
extern int clReleaseMemObject(void *memory);

/* A buffer of the host program's beside memory with addresses, which no command of OpenCL copies
 * between: more than is copied at a time, there and back. */
static void buffers_of_the_host(void **state)
{
    enum { SIZE = (16 << 20) + 1000 };
    (void)state;
    world w;
    fresh_driver(&variants[2]);
    start(&w, &variants[2]);
    open_devices(&w);
    assert_int_equal(w.status, CPL_OK);
    unsigned char *bytes = malloc(SIZE), *back = calloc(1, SIZE);
    for (size_t i = 0; i < SIZE; i++) bytes[i] = (unsigned char)(i * 7 >> 3);
    int error = 1;
    void *memory = clCreateBuffer(cpl_device_native(w.device, NULL), 1, SIZE, NULL, &error);
    assert_int_equal(error, 0);
    cpl_array_options o;
    cpl_array_options_init(&o);
    o.dtype = CPL_UINT8;
    o.dims = 1;
    o.shape[0] = SIZE;
    cpl_array *wrapped, *own, *last;
    assert_int_equal(cpl_array_wrap(w.cx, w.device, &o, memory, &wrapped), CPL_OK);
    assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, SIZE, &own), CPL_OK);
    assert_int_equal(cpl_array_create(w.cx, w.device, CPL_UINT8, SIZE, &last), CPL_OK);
    assert_int_equal(cpl_array_write(own, w.queue, bytes, NULL), CPL_OK);
    assert_int_equal(cpl_array_copy(wrapped, own, w.queue, NULL), CPL_OK);
    assert_int_equal(cpl_array_copy(last, wrapped, w.queue, NULL), CPL_OK);
    assert_int_equal(cpl_array_read(last, w.queue, back, NULL), CPL_OK);
    assert_memory_equal(bytes, back, SIZE);
    cpl_array_release(last);
    cpl_array_release(own);
    cpl_array_release(wrapped);
    assert_int_equal(clReleaseMemObject(memory), 0);
    free(back);
    free(bytes);
    release_all(&w);
    check_clean("buffers of the host");
}

/* The profile's times are the device's: the stand-in's clock moves 10 us a launch and 1 ns a byte
 * copied. */
typedef struct seen {
    uint64_t scale_ns, scale_count, scale_bytes, copied, spans;
} seen;

static void see_row(void *user, const cpl_profile_row *row)
{
    seen *s = user;
    if (row->what == CPL_PROFILE_KERNEL && !strcmp(row->name, "scale")) {
        s->scale_ns += row->device_ns;
        s->scale_count += row->count;
        s->scale_bytes += row->bytes;
        assert_true(row->compile_ns > 0);
        assert_true(row->fastest_ns <= row->slowest_ns);
    }
    if (row->what == CPL_PROFILE_TO_DEVICE) s->copied += row->bytes;
}

static void see_span(void *user, const cpl_profile_span *span)
{
    seen *s = user;
    s->spans++;
    assert_true(span->begin_ns <= span->end_ns);
    if (span->what == CPL_PROFILE_KERNEL || span->what == CPL_PROFILE_TO_DEVICE)
        assert_true(span->queue > 0);
}

static void profiled_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        if (variants[i].checks) continue;
        world w;
        seen s = {0};
        fresh_driver(&variants[i]);
        start(&w, &variants[i]);
        scenario(&w);
        assert_int_equal(w.status, CPL_OK);
        assert_int_equal(cpl_profile_each_row(w.cx, see_row, &s), CPL_OK);
        assert_int_equal(s.scale_count, 4);
        assert_int_equal(s.scale_ns, 40000);
        assert_int_equal(s.scale_bytes, (N + N + 4 * N + N / 2 + N) * 8);
        assert_true(s.copied >= 2 * N * 8);
        assert_int_equal(cpl_profile_each_span(w.cx, see_span, &s), CPL_OK);
        assert_true(s.spans >= 8);
        cpl_profile_clear(w.cx);
        s.spans = 0;
        assert_int_equal(cpl_profile_each_span(w.cx, see_span, &s), CPL_OK);
        assert_int_equal(s.spans, 0);
        release_all(&w);
        check_clean(variants[i].name);
    }
}

/* Drivers are asked to round float32 division and square roots, where they can and unless
 * everything fast was asked for. */
static void division_is_rounded(void **state)
{
    (void)state;
    static const struct {
        const variant *v;
        const char *divide, *option, *expected;
    } cases[] = {
        {&variants[2], "1", NULL, "-cl-fp32-correctly-rounded-divide-sqrt"},
        {&variants[2], "1", "precise", "-cl-fp32-correctly-rounded-divide-sqrt"},
        {&variants[2], "1", "fast_math", ""},
        {&variants[2], "0", "precise", ""},
        {&variants[5], "1", NULL, "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"},
        {&variants[5], "1", "fast_math", "-cl-std=CL1.2 "},
        {&variants[5], "0", NULL, "-cl-std=CL1.2 "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w;
        setenv("CPL_STANDIN_DIVIDE", cases[i].divide, 1);
        fresh_driver(cases[i].v);
        for (int again = 0; again < 2; again++) { /* from the cache on disk the second time */
            start(&w, cases[i].v);
            if (cases[i].option) STEP(&w, cpl_context_set_option(w.cx, cases[i].option, 1));
            scenario(&w);
            assert_int_equal(w.status, CPL_OK);
            assert_string_equal(standin_options(), cases[i].expected);
            cpl_device_info info = {.size = sizeof info};
            assert_int_equal(cpl_device_info_get(w.device, &info), CPL_OK);
            assert_int_equal(info.rounds_division, *cases[i].divide == '1');
            release_all(&w);
            check_clean(cases[i].v->name);
        }
    }
    unsetenv("CPL_STANDIN_DIVIDE");
}

/* A driver's version is told as its makers write it: 13010 is 13.1. */
static void version_of_the_driver(void **state)
{
    (void)state;
    world w;
    setenv("CPL_STANDIN_DRIVER", "1", 1);
    fresh_driver(&variants[0]);
    start(&w, &variants[0]);
    scenario(&w);
    assert_int_equal(w.status, CPL_OK);
    cpl_device_info info = {.size = sizeof info};
    assert_int_equal(cpl_device_info_get(w.device, &info), CPL_OK);
    assert_string_equal(info.driver, "CUDA 13.1");
    release_all(&w);
    check_clean(variants[0].name);
    unsetenv("CPL_STANDIN_DRIVER");
}

/* A driver compiles OpenCL C as the version that it was written for, SPIR-V as none. */
static void versions_of_the_language(void **state)
{
    (void)state;
    static const struct {
        const char *target, *expected;
    } cases[] = {
        {"opencl:c1.2", "-cl-std=CL1.2 "},
        {"opencl:c2.0", "-cl-std=CL2.0 "},
        {"opencl:c3.0", "-cl-std=CL3.0 "},
        {"opencl:spv1.2", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        variant v = variants[strstr(cases[i].target, "spv") ? 2 : 5];
        v.target = cases[i].target;
        world w;
        fresh_driver(&v);
        start(&w, &v);
        scenario(&w);
        if (w.status) print_error("%s: %s", v.target, w.said.text);
        assert_int_equal(w.status, CPL_OK);
        char expected[128];
        snprintf(expected, sizeof expected, "%s-cl-fp32-correctly-rounded-divide-sqrt",
                 cases[i].expected);
        assert_string_equal(standin_options(), expected);
        release_all(&w);
        check_clean(v.target);
    }
}

/* What the context was made with goes to OpenCL's drivers, behind what the library asks for. */
static void options_of_the_context(void **state)
{
    (void)state;
    static const struct {
        const variant *v;
        const char *asked, *expected;
    } cases[] = {
        {&variants[2], "-cl-mad-enable", "-cl-fp32-correctly-rounded-divide-sqrt -cl-mad-enable"},
        {&variants[5], "-DX=1 -w", "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -DX=1 -w"},
        {&variants[5], "", "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world w;
        fresh_driver(cases[i].v);
        asked_options = cases[i].asked;
        start(&w, cases[i].v);
        asked_options = NULL;
        scenario(&w);
        assert_int_equal(w.status, CPL_OK);
        assert_string_equal(standin_options(), cases[i].expected);
        release_all(&w);
        check_clean(cases[i].v->name);
    }
    char text[502];
    memset(text, ' ', sizeof text - 1);
    for (size_t n = 500; n <= 501; n++) {
        cpl_context *cx;
        cpl_context_options o;
        cpl_context_options_init(&o);
        text[n] = 0;
        o.opencl_options = text;
        assert_int_equal(cpl_context_create(&o, &cx), n > 500 ? CPL_EARG : CPL_OK);
        cpl_context_release(cx);
        text[n] = ' ';
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_cubins), /* before others fill the cache */
        cmocka_unit_test(kept_binaries),
        cmocka_unit_test(profiled_times),
        cmocka_unit_test(lost_stays_lost),
        cmocka_unit_test(closed_stays_closed),
        cmocka_unit_test(full_device),
        cmocka_unit_test(division_is_rounded),
        cmocka_unit_test(versions_of_the_language),
        cmocka_unit_test(buffers_of_the_host),
        cmocka_unit_test(lost_while_recording),
        cmocka_unit_test(version_of_the_driver),
        cmocka_unit_test(options_of_the_context),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
