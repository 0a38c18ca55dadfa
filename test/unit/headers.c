/* CPL_STAGE_HEADER: structs in the order C needs them, names and texts that C would read otherwise,
 * places of faults, parameters of every kind. */
#include "world.h"

#include <stdio.h>

/* The header of a function of a text; release it. */
static cpl_blob header(world *w, const char *name, const char *text, const char *function,
                       cpl_form form, const char *const *types, size_t count)
{
    cpl_module *m = NULL;
    bool ir = strncmp(text, "cir", 3) == 0;
    cpl_status status =
        (ir ? cpl_module_from_ir : cpl_module_from_source)(w->cx, name, text, strlen(text), &m);
    const cpl_type *parsed[8];
    for (size_t i = 0; i < count; i++)
        assert_int_equal(cpl_type_parse(w->cx, types[i], &parsed[i]), CPL_OK);
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = form;
    spec.types = parsed;
    spec.type_count = count;
    cpl_blob out = {0};
    if (!status) status = cpl_module_emit(m, function, &spec, CPL_STAGE_HEADER, NULL, &out);
    if (status) fail_msg("status %d: %s", status, w->said.text);
    cpl_module_release(m);
    return out;
}

static void has(const cpl_blob *text, const char *part)
{
    if (!strstr(text->data, part)) fail_msg("no \"%s\" in\n%s", part, text->data);
}

static void has_not(const cpl_blob *text, const char *part)
{
    if (strstr(text->data, part)) fail_msg("\"%s\" in\n%s", part, text->data);
}

/* A struct stands before those that hold it, once; one behind pointers too. */
static void structs(void **state)
{
    world *w = *state;
    cpl_blob h = header(
        w, "k.cir",
        "cir 1\nstruct Inner { a: int8, b: float64[2][3] }\nstruct Outer { first: Inner, more: "
        "Inner[2], next: Inner*, short: int16 }\n"
        "entry func f(x: Outer global*, y: Inner global*, z: Outer*, p: float64[4] global*, q: "
        "int32* global*, n: int64) -> float64 {\n"
        "  return load(item(item(field<b>(field<first>(elem(x, n))), 1:int32), 2:int32))\n}\n",
        "f", CPL_FORM_FUNCTION, NULL, 0);
    has(&h, "struct Inner {\n    int8_t a;\n    double b[2][3];\n};\n");
    has(&h, "struct Outer {\n    struct Inner first;\n    struct Inner more[2];\n    struct Inner "
            "*next;\n    int16_t short_;\n};\n");
    assert_true(strstr(h.data, "struct Inner {") < strstr(h.data, "struct Outer {"));
    assert_null(strstr(strstr(h.data, "struct Inner {") + 1, "struct Inner {"));
    has(&h, "double f(const struct Outer *x, const struct Inner *y, const struct Outer *z, double "
            "(*p)[4], int32_t "
            "**q, int64_t n);");
    has(&h, "static_assert(sizeof(struct Inner) == 56, \"layout\");");
    cpl_blob_free(&h);
}

/* Where each field lies that the text of a struct has, at end the bytes of all; its members' names
 * differ. */
static size_t members(const char *at, const char *const *names, size_t count, size_t *offsets)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"int8_t ", 1}, {"double ", 8}, {"int32_t ", 4}, {"uint8_t ", 1}};
    size_t end = 0, seen = 0;
    char said[16][32], name[32];
    for (at = strchr(at, '\n') + 1; *at != '}'; at = strchr(at, '\n') + 1) {
        size_t t = 0, length = 1;
        at += strspn(at, " ");
        while (strncmp(at, types[t].name, strlen(types[t].name)) != 0) assert_true(++t < 4);
        at += strlen(types[t].name);
        if (sscanf(at, "%31[a-z0-9_][%zu]", name, &length) == 1) length = 1;
        for (size_t i = 0; i < seen; i++) assert_string_not_equal(said[i], name);
        memcpy(said[seen++], name, sizeof name);
        for (size_t i = 0; i < count; i++)
            if (strcmp(names[i], name) == 0) offsets[i] = end;
        end += length * types[t].bytes;
    }
    return end;
}

/* Structs whose fields lie where the program says, with and without room in front of each and
 * behind the last: C's has them there, of names that no field has. */
static void placed_structs(void **state)
{
    world *w = *state;
    static const size_t gaps[] = {0, 1, 8};
    static const char *const names[] = {"padding0", "b", "padding3"};
    for (int k = 0; k < 81; k++) {
        size_t at = 0, offsets[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
        static const char *const types[] = {"int8", "float64", "int32"};
        cpl_field fields[3];
        for (int i = 0, digits = k; i < 3; i++, digits /= 3) {
            at += gaps[digits % 3];
            fields[i] = (cpl_field){.name = names[i], .offset = at};
            assert_int_equal(cpl_type_parse(w->cx, types[i], &fields[i].type), CPL_OK);
            at += cpl_type_size(fields[i].type);
        }
        at += gaps[k / 27];
        char name[16], array[16], begin[32], end[96];
        snprintf(name, sizeof name, "P%d", k);
        snprintf(array, sizeof array, "P%d[]", k);
        snprintf(begin, sizeof begin, "struct P%d {", k);
        const cpl_type *record;
        assert_int_equal(cpl_type_struct_at(w->cx, name, fields, 3, at, 1, &record), CPL_OK);
        cpl_blob h = header(w, "k.py", "def f(i, p):\n    p[i].b = 1\n", "f", CPL_FORM_ELEMENTWISE,
                            (const char *const[]){array}, 1);
        const char *text = strstr(h.data, begin);
        assert_non_null(text);
        assert_int_equal(members(text, names, 3, offsets), at);
        for (int i = 0; i < 3; i++) assert_int_equal(offsets[i], fields[i].offset);
        snprintf(end, sizeof end, "_Static_assert(sizeof(struct P%d) == %zu, \"layout\");", k, at);
        has(&h, "} __attribute__((packed, aligned(1)));\n");
        has(&h, end);
        cpl_blob_free(&h);
    }
}

/* Texts that would end a comment or a string, or be read as something else. */
static void odd_names(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    static const char *const types[] = {"float64[]"};
    cpl_blob h = header(w, "odd*/\"\\? \n\xc3\xa9.py", "def f(i, x):\n    x[i + 1] = 1\n", "f",
                        CPL_FORM_ELEMENTWISE, types, 1);
    has(&h, " * f of odd*\"\\? \xc3\xa9.py, compiled ahead of time");
    has(&h, "        {\"odd*/\\\"\\\\\\? \\012\\303\\251.py\", 2, 5, \"f\", \"x\", -1},\n");
    has(&h, "return cplrt_fault_text(sites, 1, fault, text, size);");
    has(&h, "receives the first failed check, which is skipped; zero it before the call");
    has(&h, "how many indices there are");
    has(&h, "elements of x");
    cpl_blob_free(&h);
}

/* An assertion names no array; without checks that could fail there is still a list, as C has no
 * empty ones. */
static void sites(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 1), CPL_OK);
    static const char *const types[] = {"float64"};
    cpl_blob h = header(w, "k.py", "def f(x):\n    assert x > 0\n    return x\n", "f",
                        CPL_FORM_FUNCTION, types, 1);
    has(&h, "        {\"k.py\", 2, 5, \"f\", NULL, -1},\n");
    has(&h, "receives the first failed check");
    cpl_blob_free(&h);
    h = header(w, "k.py", "def f(x):\n    return x\n", "f", CPL_FORM_FUNCTION, types, 1);
    has(&h, "        {\"\", 0, 0, \"\", NULL, -1},\n");
    has(&h, "cplrt_fault_text(sites, 0, fault, text, size)");
    cpl_blob_free(&h);
    assert_int_equal(cpl_context_set_option(w->cx, "bounds_check", 0), CPL_OK);
    h = header(w, "k.py", "def f(x):\n    return x\n", "f", CPL_FORM_FUNCTION, types, 1);
    has_not(&h, "fault_text");
    cpl_blob_free(&h);
}

static double outside(double x)
{
    return x;
}

static void parameters(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_extern_register(w->cx, "outside", "float64(float64)",
                                         (void *)(uintptr_t)outside, true),
                     CPL_OK);
    static const char *const types[] = {"float64[:]", "float32[]"};
    cpl_blob h = header(w, "k.py", "def register(i, x, y):\n    x[i] = outside(y[i])\n", "register",
                        CPL_FORM_ELEMENTWISE, types, 2);
    has(&h, "It calls a C function of yours: outside");
    has(&h, "x=float64[:] y=float32[]");
    has(&h, "float64[:], written");
    has(&h, "float32[], only read");
    has(&h, "bytes from one element of x to the next");
    has(&h, "void register_(int64_t n, double *x, const float *y, int64_t x_stride) "
            "__asm__(\"register\");");
    cpl_blob_free(&h);
    static const char *const two[] = {"float64[:,:]", "float32[,]"};
    h = header(w, "k.py", "def f(i, x, y):\n    x[i, 0] = y[i, 1]\n", "f", CPL_FORM_ELEMENTWISE,
               two, 2);
    has(&h, "x=float64[:,:] y=float32[,]");
    cpl_blob_free(&h);
    h = header(w, "k.cir", "cir 1\nentry func nothing() { return }\n", "nothing", CPL_FORM_FUNCTION,
               NULL, 0);
    has(&h, "/*\n * Calls the function.\n */\nvoid nothing(void);\n");
    cpl_blob_free(&h);
}

static void fill(double *x)
{
    *x = 1;
}

/* Which arrays may be written, as far as addresses say where they point: all, where they do not. */
static void written_arrays(void **state)
{
    world *w = *state;
    assert_int_equal(cpl_extern_register(w->cx, "fill", "void(float64*)", (void *)(uintptr_t)fill,
                                         false),
                     CPL_OK);
    assert_int_equal(cpl_extern_register(w->cx, "peek", "float64(float64*)",
                                         (void *)(uintptr_t)fill, true),
                     CPL_OK);
    static const char text[] =
        "cir 1\n"
        "struct Node { next: float64 global*, more: float64[4] }\n"
        "extern func fill(float64*)\n"
        "extern pure func peek(float64*) -> float64\n"
        "entry func chosen(a: float64 global*, b: float64 global*, c: float64 global*, n: bool) {\n"
        "  store(cond(n, a, elem(b, 1:int32)), load(c))\n}\n"
        "entry func called(a: float64 global*, b: float64 global*, c: float64 global*, n: bool) {\n"
        "  call fill(ptrcast<float64*>(a)) call peek(ptrcast<float64*>(b)) call helper(n, c)\n}\n"
        "func helper(n: bool, x: float64 global*) { if n { clear(x) } }\n"
        "entry func copied(a: float64 global*, b: float64 global*, c: float64 global*, n: bool) {\n"
        "  var p: float64 global*\n  p = a store(p, 1.0:float64)\n}\n"
        "entry func kept(a: Node global*, b: float64 global*, c: float64 global*, n: bool) {\n"
        "  var s: Node\n  store(field<next>(addr(s)), b) store(item(field<more>(a), 1:int32), "
        "load(c))\n}\n"
        "entry func loaded(a: Node global*, b: float64 global*, c: float64 global*, n: bool) { "
        "store(load(field<next>(a)), 1.0:float64) }\n"
        "entry func moved(a: float64 global*, b: float64 global*, c: float64 global*, n: bool) { "
        "vcopy<2>(strided(a, 16:int64, 1:int64), b) }\n";
    static const struct {
        const char *function;
        bool written[3];
    } cases[] = {
        {"chosen", {true, true, false}}, {"called", {true, false, true}},
        {"copied", {true, true, true}},  {"kept", {true, true, false}},
        {"loaded", {true, true, true}},  {"moved", {true, false, false}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cpl_blob h = header(w, "k.cir", text, cases[k].function, CPL_FORM_FUNCTION, NULL, 0);
        for (int i = 0; i < 3; i++) {
            const char *at =
                strstr(h.data, (const char *[]){"\n *   a  ", "\n *   b  ", "\n *   c  "}[i]);
            assert_non_null(at);
            const char *end = strchr(at + 1, '\n'),
                       *says = strstr(at, cases[k].written[i] ? ", written" : ", only read");
            if (!says || says > end) fail_msg("%s: %.*s", cases[k].function, (int)(end - at), at);
        }
        cpl_blob_free(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(structs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(placed_structs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(odd_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sites, set_up, tear_down),
        cmocka_unit_test_setup_teardown(parameters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(written_arrays, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
