/* Memory runs out in contexts, modules and the texts of their stages, in types, in the cache on
 * disk and in the builder of IR. */
#include "fault_alloc.h"

#include "runtime/runtime.h"

static cpl_status make_context(world *w)
{
    cpl_context_options o;
    cpl_context_options_init(&o);
    o.alloc = fault_alloc;
    o.alloc_user = &w->heap;
    o.openmp = "/nowhere/libomp.so";
    cpl_context *cx = (cpl_context *)1;
    cpl_status status = cpl_context_create(&o, &cx);
    if (status) assert_null(cx);
    cpl_context_release(cx);
    return status;
}

/* Settings that the context does not know yet. */
static cpl_status set_option(world *w)
{
    static int64_t value;
    int64_t now;
    cpl_status status = cpl_context_set_option(w->cx, "chunk", ++value);
    assert_int_equal(cpl_context_get_option(w->cx, "chunk", &now), CPL_OK);
    assert_true((now == value) == (status == CPL_OK));
    return status;
}

static cpl_status make_module(world *w)
{
    static const char text[] = "from math import pi\nK: Final[int] = 3\nclass P:\n    a: int32\n   "
                               " b: float64\ndef f(i, x, y):\n    y[i] = x[i] + K\n\n"
                               "def g(a: float64, b: float64):\n    return a*b*pi\n";
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_source(w->cx, "k.py", text, sizeof text - 1, &m);
    if (status) assert_null(m);
    cpl_module_release(m);
    return status;
}

static cpl_status make_ir_module(world *w)
{
    static const char text[] =
        "cir 1\nstruct Pair { first: int32, second: float64 }\nextern func sq(float64) -> float64\n"
        "entry func f(a: float64) -> float64 {\n  var b: float64\n  b = call sq(a)\n  return "
        "b\n}\n";
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_ir(w->cx, "k.cir", text, sizeof text - 1, &m);
    if (status) assert_null(m);
    cpl_module_release(m);
    return status;
}

static cpl_status make_module_of_texts(world *w)
{
    static const char f[] = "from h import g\ndef f(i, x):\n    x[i] = g(x[i])\n";
    static const char g[] = "def g(x):\n    return x\n";
    static const cpl_source sources[] = {{sizeof *sources, "k.py", f, sizeof f - 1},
                                         {sizeof *sources, "h.py", g, sizeof g - 1}};
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_sources(w->cx, sources, 2, &m);
    double x[1] = {3};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 1)};
    if (!status) status = launch_rounds(m, "f", NULL, args, 1, CPL_AUTO, NULL);
    else assert_null(m);
    cpl_module_release(m);
    return status;
}

static cpl_status make_module_of_functions(world *w)
{
    static const char f[] = "  def f(i, x):\n    x[i] = h(x[i])*K\n",
                      g[] = "def g(x): return r(x)\n";
    const cpl_type *t = NULL;
    if (cpl_type_parse(w->cx, "float64", &t)) return CPL_ENOMEM;
    cpl_name names[] = {cpl_name_function("h", 1), cpl_name_int("K", 2)},
             own[] = {cpl_name_builtin("r", "math.sqrt")};
    cpl_function_source functions[] = {{.size = sizeof *functions,
                                        .name = "a.f",
                                        .file = "a.py",
                                        .text = f,
                                        .text_size = sizeof f - 1,
                                        .names = names,
                                        .name_count = 2},
                                       {.size = sizeof *functions,
                                        .file = "b.py",
                                        .text = g,
                                        .text_size = sizeof g - 1,
                                        .types = &t,
                                        .type_count = 1,
                                        .names = own,
                                        .name_count = 1}};
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_functions(w->cx, functions, 2, &m);
    double x[1] = {4};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 1)};
    if (status) assert_null(m);
    else assert_non_null(cpl_module_function(m, 1)); /* all of them */
    if (!status) status = launch_rounds(m, "a.f", NULL, args, 1, CPL_AUTO, NULL);
    cpl_module_release(m);
    return status;
}

/* What is wrong with the files beside it is remembered, and memory is needed for that. */
static void put_beside(world *w)
{
    char path[128];
    snprintf(path, sizeof path, "%s/h.py", w->folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("import folder, k\n@struct\nclass Pair:\n    a: float\n    b: float\n", f);
    fclose(f);
    snprintf(path, sizeof path, "%s/folder.py", w->folder);
    mkdir(path, 0700);
}

static cpl_status read_file(world *w)
{
    put_beside(w);
    char path[128];
    snprintf(path, sizeof path, "%s/k.py", w->folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i < 300; i++)
        fprintf(f, "# a comment that makes the file longer than what is read at first\n");
    fputs("import h, missing\n", f);
    fputs(axpb, f);
    fclose(f);
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_file(w->cx, path, &m);
    if (status) assert_null(m);
    cpl_module_release(m);
    return status;
}

static void count_found(void *user, const cpl_function_types *found)
{
    assert_true(found->variable_count > 0);
    ++*(int *)user;
}

static cpl_status types_each(world *w, const cpl_spec *spec)
{
    int seen = 0;
    cpl_status status = cpl_module_types_each(w->m, "axpb", spec, count_found, &seen);
    assert_int_equal(seen > 0, status == CPL_OK);
    return status;
}

static cpl_status emit(world *w)
{
    const cpl_type *types[4];
    static const char *const names[] = {"float64[]", "float64[]", "float64", "int32"};
    cpl_spec spec;
    cpl_spec_init(&spec);
    spec.form = CPL_FORM_ELEMENTWISE;
    spec.types = types;
    spec.type_count = 4;
    cpl_status status = CPL_OK;
    for (int i = 0; i < 4 && !status; i++) status = cpl_type_parse(w->cx, names[i], &types[i]);
    cpl_emit_options o;
    cpl_emit_options_init(&o);
    for (int stage = 0; stage <= CPL_STAGE_OPENCL_C && !status; stage++) {
        cpl_blob text = {0}, log = {0};
        if (stage == CPL_STAGE_CUBIN) continue; /* by somebody else's program */
        spec.target = stage == CPL_STAGE_PTX        ? "cuda"
                      : stage == CPL_STAGE_SPIRV    ? "opencl"
                      : stage == CPL_STAGE_OPENCL_C ? "opencl:c1.2"
                                                    : NULL;
        o.print_after = "all";
        o.time_passes = true;
        o.log = &log;
        status = cpl_module_emit(w->m, "axpb", &spec, (cpl_stage)stage, &o, &text);
        if (!status) assert_true(text.size > 0);
        else assert_null(text.data);
        cpl_blob_free(&text);
        cpl_blob_free(&log);
    }
    spec.target = NULL;
    return status ? status : types_each(w, &spec);
}

/* Programs with errors of each stage: the errors are told, or that memory ran out. */
static cpl_status errors(world *w)
{
    cpl_arg args[] = {cpl_arg_int(1)};
    return call_once(w->m, "f", args, 1, NULL, NULL);
}

static cpl_status syntax_errors(world *w)
{
    static const char text[] = "def f(:\n    return \"abc\ndef g(x):\n  y = (x\n\x01\xff\n";
    cpl_module *m = (cpl_module *)1;
    cpl_status status = cpl_module_from_source(w->cx, "k.py", text, sizeof text - 1, &m);
    assert_null(m);
    return status;
}

static double square(double x)
{
    return x * x;
}

static cpl_status externs(world *w)
{
    static int number;
    char name[32];
    snprintf(name, sizeof name, "f%d", number++); /* a new one each time; the world is the last's */
    return cpl_extern_register(w->cx, name, "float64(float64)", (void *)(uintptr_t)square, true);
}

static cpl_status types(world *w)
{
    static int number;
    char text[64];
    const cpl_type *t, *s;
    snprintf(text, sizeof text, "float32[%d][7]*", ++number);
    cpl_status status = cpl_type_parse(w->cx, text, &t);
    if (status) {
        assert_null(t);
        return status;
    }
    snprintf(text, sizeof text, "pair%d", number);
    const cpl_type *f64;
    status = cpl_type_parse(w->cx, "float64", &f64);
    cpl_field fields[] = {{"first", f64, 0}, {"second", f64, 0}};
    if (!status) status = cpl_type_struct(w->cx, text, fields, 2, &s);
    fields[1].offset = 9 + (size_t)number;
    return status ? status : cpl_type_struct_at(w->cx, NULL, fields, 2, 20 + (size_t)number, 1, &s);
}

static void ignore_entry(void *user, const cpl_cache_entry *e)
{
    (void)e;
    ++*(int *)user;
}

static cpl_status list_cache(world *w)
{
    int n = 0;
    uint64_t removed;
    cpl_status status = cpl_cache_each(w->cx, ignore_entry, &n);
    return status ? status : cpl_cache_clear(w->cx, &removed);
}

/* Storing an entry whose key makes the cache look for what to throw away. */
static cpl_status sweep(world *w)
{
    static const uint8_t key[ARTIFACT_KEY_SIZE] = {0, 1, 2};
    disk_cache *c = runtime_disk_cache(w->cx);
    if (!c) return CPL_ENOMEM;
    char bytes[100] = "payload";
    disk_cache_put(w->cx, c, key, bytes, sizeof bytes);
    strbuf found;
    sb_init(&found, context_mem(w->cx));
    bool hit = disk_cache_get(w->cx, c, key, &found);
    assert_true(!hit || memcmp(found.at, bytes, sizeof bytes) == 0);
    sb_free(&found);
    return hit ? CPL_OK : CPL_ENOMEM;
}

static cpl_status build_ir(world *w)
{
    cpl_ir_builder *b = (cpl_ir_builder *)1;
    const cpl_type *f64 = NULL;
    cpl_status status = cpl_type_parse(w->cx, "float64", &f64);
    if (status) return status;
    status = cpl_ir_builder_create(w->cx, "built", &b);
    if (status) {
        assert_null(b);
        return status;
    }
    cpl_ir_func *f = cpl_ir_function(b, "twice", CPL_IR_ENTRY, f64);
    cpl_ir_var *x = cpl_ir_param(b, f, "x", f64, 0);
    cpl_ir_begin(b, f);
    for (int i = 0; i < 2000; i++)
        cpl_ir_assign(b, x,
                      cpl_ir_op2(b, "add", cpl_ir_use(b, x), cpl_ir_float(b, CPL_FLOAT64, 1)));
    cpl_ir_return(b, cpl_ir_use(b, x));
    cpl_ir_end(b);
    cpl_blob text = {0};
    status = cpl_ir_text(b, &text);
    if (!status) assert_non_null(strstr(text.data, "twice"));
    cpl_blob_free(&text);
    cpl_module *m = NULL;
    if (!status) status = cpl_ir_finish(b, &m);
    if (status) assert_null(m);
    cpl_module_release(m);
    cpl_ir_builder_free(b);
    return status;
}

const scenario fault_alloc_modules[] = {
    {"context", .act = make_context, .bare = true},
    {"options", .act = set_option},
    {"module", .act = make_module, .fresh = true},
    {"module of IR", .act = make_ir_module},
    {"module of several texts", .act = make_module_of_texts, .fresh = true},
    {"module of functions", .act = make_module_of_functions, .fresh = true},
    {"file", .act = read_file},
    {"syntax errors", .act = syntax_errors, .expected = CPL_ESYNTAX},
    {"type errors",
     .text = "def f(x):\n    y = x[0]\n    z = not_there(x)\n    return y + z.q + sinn(x)\n",
     .act = errors, .expected = CPL_ETYPE},
    {"externs", .act = externs},
    {"types", .act = types},
    {"stages as text", .text = axpb, .act = emit},
    {"list and clear the cache", .act = list_cache, .cache = true, .fresh = true},
    {"sweep the cache", .act = sweep, .cache = true, .fresh = true},
    {"IR builder", .act = build_ir},
    {0},
};
