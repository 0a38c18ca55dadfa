/*
 * Modules of several files: texts that the host gives by name, files beside a file, and what of
 * them a compiled kernel depends on.
 */
#include "world.h"
#include "launches.h"

#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

#define SOURCE(name, text) {sizeof(cpl_source), name, text, sizeof text - 1}

static void call(world *w, cpl_module *m, const char *function, double x, double wanted)
{
    cpl_arg args[] = {cpl_arg_float(x)};
    double result = 0;
    cpl_status status = call_once(m, function, args, 1, &result, NULL);
    if (status) print_error("%s", w->said.text);
    assert_int_equal(status, CPL_OK);
    assert_true(result == wanted);
}

static void texts_by_name(void **state)
{
    world *w = *state;
    char text[] = "from forces import spring as s\nimport consts\n"
                  "def f(x):\n    return s(x) + consts.K\n";
    cpl_source sources[] = {
        SOURCE("main.py", ""),
        SOURCE("kernels/forces.py", "from consts import K\n"
                                    "def spring(x):\n    return -K*x\n"),
        SOURCE("consts", "K = 3\nimport main\n"),
        SOURCE("unused.py", "\"no text that ends\n"),
    };
    sources[0].text = text;
    sources[0].text_size = sizeof text - 1;
    cpl_module *m = NULL;
    assert_int_equal(cpl_module_from_sources(w->cx, sources, 4, &m), CPL_OK);
    memset(text, '?', sizeof text); /* copied */
    assert_string_equal(cpl_module_function(m, 0), "f");
    assert_null(cpl_module_function(m, 1));
    call(w, m, "f", 2, -3);
    assert_int_equal(w->said.n, 0);
    cpl_module_release(m);
}

static void errors_in_each_text(void **state)
{
    world *w = *state;
    cpl_source sources[] = {
        SOURCE("main.py", "import a, b, c\n"
                          "def f(x):\n    return a.f(x)\n"
                          "def g(x):\n    return b.f(x)\n"
                          "def h(x):\n    return c.f(x)\n"),
        SOURCE("a.py", "def f(x):\n    return x + nowhere\n"),
        SOURCE("b.py", "def f(x):\n\treturn x\n        return x\n   x\n"),
    };
    cpl_module *m = NULL;
    cpl_arg args[] = {cpl_arg_float(1)};
    double result;
    assert_int_equal(cpl_module_from_sources(w->cx, sources, 3, &m), CPL_OK);
    assert_int_equal(call_once(m, "f", args, 1, &result, NULL), CPL_ENOTFOUND);
    assert_non_null(strstr(w->said.text, "a.py:2:16: error: undefined name 'nowhere'\n"
                                         "        return x + nowhere\n"
                                         "                   ^~~~~~~\n"));
    w->said.n = 0;
    assert_int_equal(call_once(m, "g", args, 1, &result, NULL), CPL_ESYNTAX);
    assert_non_null(strstr(w->said.text, "b.py:"));
    assert_non_null(strstr(w->said.text, "main.py:1:11: note: imported here\n"));
    w->said.n = 0;
    assert_int_equal(call_once(m, "h", args, 1, &result, NULL), CPL_ENOTFOUND);
    assert_non_null(strstr(w->said.text, "main.py:7:12: error: 'f' comes from module 'c', of which "
                                         "kernels know nothing\n"));
    assert_non_null(strstr(w->said.text, "main.py:1:14: note: imported here: none of the module's "
                                         "sources is called 'c'\n"));
    cpl_module_release(m);
}

/* A module of one text opens no file, even where there is one of that name. */
static void one_text_is_alone(void **state)
{
    world *w = *state;
    char folder[] = "/tmp/cpl-sources-XXXXXX", path[64], name[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/other.py", folder);
    snprintf(name, sizeof name, "%s/main.py", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("def g(x):\n    return x\n", file);
    fclose(file);
    static const char text[] = "from other import g\ndef f(x):\n    return g(x)\n";
    cpl_module *m = NULL;
    cpl_arg args[] = {cpl_arg_float(1)};
    double result;
    assert_int_equal(cpl_module_from_source(w->cx, name, text, sizeof text - 1, &m), CPL_OK);
    assert_int_equal(call_once(m, "f", args, 1, &result, NULL), CPL_ENOTFOUND);
    assert_non_null(strstr(w->said.text, "main.py:3:12: error: 'g' comes from module 'other'"));
    assert_non_null(
        strstr(w->said.text, "main.py:1:19: note: imported here: a module of one text"));
    cpl_module_release(m);
    unlink(path);
    rmdir(folder);
}

static void structs_of_all_texts(void **state)
{
    world *w = *state;
    static const cpl_source sources[] = {
        SOURCE("main.py", "from shapes import Corner as C\n"
                          "def f(i, x, b: 'Box[]', c: 'C[]'):\n"
                          "    x[i] = b[i].low.x + c[i].y\n"),
        SOURCE("shapes.py", "from corners import Corner\n"
                            "@struct\nclass Box:\n    low: Corner\n    high: 'Corner'\n"),
        SOURCE("corners.py", "@struct\nclass Corner:\n    x: 'double'\n    y: 'double'\n"),
    };
    cpl_module *m = NULL;
    const cpl_type *box = NULL, *corner = NULL;
    assert_int_equal(cpl_module_from_sources(w->cx, sources, 3, &m), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "Box", &box), CPL_OK);
    assert_int_equal(cpl_type_parse(w->cx, "Corner", &corner), CPL_OK);
    assert_int_equal(cpl_type_size(box), 4 * sizeof(double));
    double x[1], b[4] = {1, 2, 3, 4}, c[2] = {5, 6};
    cpl_arg args[] = {cpl_arg_array(CPL_FLOAT64, x, 1), cpl_arg_array(CPL_VOID, b, 1),
                      cpl_arg_array(CPL_VOID, c, 1)};
    args[1].record = box;
    args[2].record = corner;
    cpl_status status = launch_rounds(m, "f", NULL, args, 3, CPL_AUTO, NULL);
    if (status) print_error("%s", w->said.text);
    assert_int_equal(status, CPL_OK);
    assert_true(x[0] == 7);
    cpl_module_release(m);
}

static void refused(void **state)
{
    world *w = *state;
    const cpl_source good[] = {SOURCE("a.py", "def f(x):\n    return x\n"), SOURCE("b.py", "")};
    cpl_module *m = (cpl_module *)1;
    assert_int_equal(cpl_module_from_sources(w->cx, good, 0, &m), CPL_EARG);
    assert_null(m);
    assert_int_equal(cpl_module_from_sources(w->cx, NULL, 1, &m), CPL_EARG);
    assert_int_equal(cpl_module_from_sources(NULL, good, 2, &m), CPL_EARG);
    assert_int_equal(cpl_module_from_sources(w->cx, good, 2, NULL), CPL_EARG);
    for (int i = 0; i < 6; i++) {
        cpl_source bad[] = {good[0], good[1]};
        if (i == 0) bad[0].size = 0;
        if (i == 1) bad[0].size = bad[1].size = sizeof(cpl_source) + 8;
        if (i == 2) bad[1].size = sizeof(cpl_source) - 8;
        if (i == 3) bad[0].name = NULL;
        if (i == 4) bad[1].text = NULL;
        if (i == 5) bad[0].size = bad[1].size = 3;
        assert_int_equal(cpl_module_from_sources(w->cx, bad, 2, &m), CPL_EARG);
        assert_null(m);
    }
    assert_int_equal(w->said.n, 0);
    cpl_source twice[] = {good[0], good[1]};
    twice[1].name = "folder/a";
    assert_int_equal(cpl_module_from_sources(w->cx, twice, 2, &m), CPL_EEXIST);
    assert_non_null(strstr(w->said.text, "folder/a: imports already find 'a' in another text"));
    cpl_source large[] = {good[0], good[1]};
    large[1].text_size = ((size_t)64 << 20) + 1;
    assert_int_equal(cpl_module_from_sources(w->cx, large, 2, &m), CPL_ELIMIT);
    assert_non_null(strstr(w->said.text, "b.py: the source is larger than 64 MiB"));
    static char names[257][8];
    cpl_source many[257];
    for (int i = 0; i < 257; i++) {
        snprintf(names[i], sizeof names[i], "m%d", i);
        many[i] = good[0];
        many[i].name = names[i];
    }
    assert_int_equal(cpl_module_from_sources(w->cx, many, 256, &m), CPL_OK);
    cpl_module_release(m);
    assert_int_equal(cpl_module_from_sources(w->cx, many, 257, &m), CPL_ELIMIT);
    assert_non_null(strstr(w->said.text, "m256: a module has 256 files at most"));
    cpl_source wrong[] = {SOURCE("a.py", "def (:\n"), good[1]};
    assert_int_equal(cpl_module_from_sources(w->cx, wrong, 2, &m), CPL_ESYNTAX);
    assert_null(m);
}

/* What a kernel is compiled from, by the cache on disk. */
typedef struct outcome {
    int compiled, found;
} outcome;

static outcome run(const char *helper, const char *constants, double wanted, bool debug_info)
{
    cpl_context *cx;
    assert_int_equal(cpl_context_create(NULL, &cx), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "tiers", 0), CPL_OK);
    assert_int_equal(cpl_context_set_option(cx, "debug_info", debug_info), CPL_OK);
    cpl_source sources[] = {
        SOURCE("main.py", "import helper\ndef f(x):\n    return helper.g(x)\n"),
        {sizeof(cpl_source), "helper.py", helper, strlen(helper)},
        {sizeof(cpl_source), "constants.py", constants, strlen(constants)},
    };
    cpl_module *m = NULL;
    cpl_arg args[] = {cpl_arg_float(1)};
    double result = 0;
    assert_int_equal(cpl_module_from_sources(cx, sources, 3, &m), CPL_OK);
    assert_int_equal(call_once(m, "f", args, 1, &result, NULL), CPL_OK);
    assert_true(result == wanted);
    cpl_stats stats = {.size = sizeof stats};
    assert_int_equal(cpl_context_stats(cx, &stats), CPL_OK);
    cpl_module_release(m);
    cpl_context_release(cx);
    return (outcome){(int)stats.compiles, (int)stats.disk_hits};
}

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static void what_is_compiled_again(void **state)
{
    (void)state;
    char folder[] = "/tmp/cpl-sources-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("CPL_CACHE", "1", 1);
    setenv("CPL_CACHE_DIR", folder, 1);
    static const struct {
        const char *helper, *constants;
        double wanted;
        bool found, found_with_lines;
    } rows[] = {
        {"from constants import K\ndef g(x):\n    return x + K\n", "K = 1\n", 2, false, false},
        {"from constants import K\ndef g(x):\n    return x + K\n", "K = 1\n", 2, true, true},
        /* what nobody uses */
        {"from constants import K\ndef g(x):\n    return x + K\n", "K = 1\nL = 2\n", 2, true, true},
        {"from constants import K\ndef g(x):\n    return x + K\n\ndef h(x):\n    return 0\n",
         "K = 1\n", 2, true, false},
        /* what the kernel uses */
        {"from constants import K\ndef g(x):\n    return x - K\n", "K = 1\n", 0, false, false},
        {"from constants import K\ndef g(x):\n    return x + K\n", "K = 3\n", 4, false, false},
        /* another way to the same */
        {"from constants import K\ndef g(y):\n    return y + K\n", "K = 5\n", 6, false, false},
        {"import constants\ndef g(y):\n    return y + constants.K\n", "K = 4 + 1\n", 6, false,
         false},
    };
    for (int debug_info = 0; debug_info < 2; debug_info++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            outcome o = run(rows[i].helper, rows[i].constants, rows[i].wanted, debug_info);
            bool found = debug_info ? rows[i].found_with_lines : rows[i].found;
            if (o.compiled != !found || o.found != found)
                fail_msg("row %zu, debug_info %d: %d compiled, %d found", i, debug_info, o.compiled,
                         o.found);
        }
    setenv("CPL_CACHE", "0", 1);
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* A file that changes behind a module's back does not change the module. */
static void files_are_read_once(void **state)
{
    world *w = *state;
    char folder[] = "/tmp/cpl-sources-XXXXXX", path[64], other[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/main.py", folder);
    snprintf(other, sizeof other, "%s/other.py", folder);
    for (int round = 0; round < 2; round++) {
        FILE *file = fopen(path, "w");
        fputs("import other\ndef f(x):\n    return other.K + x\n", file);
        fclose(file);
        file = fopen(other, "w");
        fputs(round ? "K = 7\n" : "K = 1\n", file);
        fclose(file);
        cpl_module *m = NULL;
        assert_int_equal(cpl_module_from_file(w->cx, path, &m), CPL_OK);
        file = fopen(other, "w");
        fputs("K = (", file);
        fclose(file);
        call(w, m, "f", 2, round ? 9 : 3);
        cpl_module_release(m);
    }
    nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    setenv("CPL_CACHE", "0", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(texts_by_name, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(errors_in_each_text, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(one_text_is_alone, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(structs_of_all_texts, set_up_one_tier, tear_down),
        cmocka_unit_test_setup_teardown(refused, set_up, tear_down),
        cmocka_unit_test(what_is_compiled_again),
        cmocka_unit_test_setup_teardown(files_are_read_once, set_up_one_tier, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
