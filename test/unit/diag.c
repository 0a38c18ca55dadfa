/* Places in sources, the text of diagnostics, and their delivery to a sink. */
#include "unit.h"

#include "lib/support/support.h"

#include <stdio.h>

static const char wave_text[] = "def f(x):\n    y = amplitud*x\r\n\ty = 2\n\nlast";
static const source wave = {.id = 1,
                            .name = "wave.py",
                            .text = wave_text,
                            .size = sizeof wave_text - 1};

static const source *find_wave(void *user, uint32_t id)
{
    (void)user;
    return id == 1 ? &wave : NULL;
}

static uint32_t offset_of(const char *text)
{
    return (uint32_t)(strstr(wave_text, text) - wave_text);
}

static void expect_place(uint32_t offset, uint32_t line, uint32_t column, const char *text)
{
    source_place p = source_locate(&wave, offset);
    assert_int_equal(p.line, line);
    assert_int_equal(p.column, column);
    assert_int_equal(p.text_length, strlen(text));
    assert_memory_equal(p.text, text, strlen(text));
}

static void offsets_become_lines_and_columns(void **state)
{
    (void)state;
    expect_place(0, 1, 1, "def f(x):");
    expect_place(9, 1, 10, "def f(x):"); /* on the newline */
    expect_place(10, 2, 1, "    y = amplitud*x");
    expect_place(offset_of("amplitud"), 2, 9, "    y = amplitud*x");
    expect_place(offset_of("\ty"), 3, 1, "\ty = 2"); /* behind CR LF */
    expect_place(offset_of("\nlast"), 4, 1, "");
    expect_place((uint32_t)wave.size, 5, 5, "last");
    expect_place(100000, 5, 5, "last");
    source cr = {.id = 2, .name = "cr.py", .text = "a\rb", .size = 3};
    source empty = {.id = 3, .name = "empty.py", .text = ""};
    source piece = {.id = 4, .name = "piece.py", .text = "a\nb", .size = 3, .lines_before = 9};
    assert_int_equal(source_locate(&cr, 2).line, 2);
    assert_int_equal(source_locate(&empty, 0).line, 1);
    assert_int_equal(source_locate(&piece, 2).line, 11);
    assert_int_equal(source_locate(&piece, 2).column, 1);
    assert_int_equal(source_locate(&empty, 0).column, 1);
}

static void expect_text(const cpl_diag *d, const char *expected)
{
    char buffer[1000];
    size_t n = cpl_diag_render(d, buffer, sizeof buffer);
    assert_string_equal(buffer, expected);
    assert_int_equal(n, strlen(expected));
    assert_int_equal(cpl_diag_render(d, NULL, 0), n);
    char small[8];
    memset(small, 'z', sizeof small);
    assert_int_equal(cpl_diag_render(d, small, sizeof small), n);
    assert_memory_equal(small, expected, 7);
    assert_int_equal(small[7], 0);
}

static void a_diagnostic_shows_line_caret_and_hint(void **state)
{
    (void)state;
    const char *line = "    y[i] = amplitud*sin(x[i])";
    cpl_diag note = {.size = sizeof note,
                     .severity = CPL_NOTE,
                     .message = "declared here",
                     .file = "wave.py",
                     .line = 1,
                     .column = 7,
                     .length = 1,
                     .text = "def f(x):",
                     .text_length = 9};
    cpl_diag d = {.size = sizeof d,
                  .severity = CPL_ERROR,
                  .status = CPL_ETYPE,
                  .message = "undefined name 'amplitud'",
                  .hint = "did you mean 'amplitude'?",
                  .file = "wave.py",
                  .line = 3,
                  .column = 12,
                  .length = 8,
                  .text = line,
                  .text_length = (uint32_t)strlen(line),
                  .notes = &note,
                  .note_count = 1};
    expect_text(&d, "wave.py:3:12: error: undefined name 'amplitud'\n"
                    "        y[i] = amplitud*sin(x[i])\n"
                    "               ^~~~~~~~\n"
                    "hint: did you mean 'amplitude'?\n"
                    "wave.py:1:7: note: declared here\n"
                    "    def f(x):\n"
                    "          ^\n");
}

static void tabs_and_utf8_keep_the_caret_in_place(void **state)
{
    (void)state;
    const char *line = "\ts = '\xc3\xa9' + bad";
    cpl_diag d = {.size = sizeof d,
                  .severity = CPL_WARNING,
                  .message = "m",
                  .file = "u.py",
                  .line = 1,
                  .column = 13,
                  .length = 3,
                  .text = line,
                  .text_length = (uint32_t)strlen(line)};
    expect_text(&d, "u.py:1:13: warning: m\n"
                    "    \ts = '\xc3\xa9' + bad\n"
                    "    \t          ^~~\n");
}

static const char esc_shown[] = "caf\xc3\xa9 \\x1b[31m \\xff\\xc0\\xaf \\xed\\xa0\\x80 \\xc2\\x9b "
                                "\\xe2\\x80\\xae \\x7f \xe2\x82\xac \xf0\x9f\x90\x8d \\xe2\\x82";

/* Nothing of a source, a name or a message steers the terminal that it is shown on. */
static void control_bytes_are_shown_and_not_sent(void **state)
{
    (void)state;
    const char *raw = "caf\xc3\xa9 \x1b[31m \xff\xc0\xaf \xed\xa0\x80 \xc2\x9b "
                      "\xe2\x80\xae \x7f \xe2\x82\xac \xf0\x9f\x90\x8d \xe2\x82";
    cpl_diag d = {.size = sizeof d, .severity = CPL_ERROR, .message = raw, .hint = raw};
    char expected[1000];
    snprintf(expected, sizeof expected, "error: %s\nhint: %s\n", esc_shown, esc_shown);
    expect_text(&d, expected);
    d = (cpl_diag){.size = sizeof d,
                   .severity = CPL_ERROR,
                   .message = "two\n\tlines\r",
                   .file = "\x1b]0;k\a.py",
                   .line = 1,
                   .column = 4,
                   .length = 4,
                   .text = "\tx\x1b+\x7f\xc3\xa9=y",
                   .text_length = 9};
    expect_text(&d, "\\x1b]0;k\\x07.py:1:4: error: two\n\tlines\\x0d\n"
                    "    \tx\\x1b+\\x7f\xc3\xa9=y\n"
                    "    \t     ^~~~~~\n");
}

/* Renders a diagnostic at a place of the line and returns its third line, the caret's; *line gets
 * the second. */
static char *caret_line(const char *text, uint32_t column, uint32_t length, char **line)
{
    static char buffer[2000];
    cpl_diag d = {.size = sizeof d,
                  .severity = CPL_ERROR,
                  .message = "m",
                  .file = "k.py",
                  .line = 1,
                  .column = column,
                  .length = length,
                  .text = text,
                  .text_length = (uint32_t)strlen(text)};
    assert_true(cpl_diag_render(&d, buffer, sizeof buffer) < sizeof buffer);
    *line = strchr(buffer, '\n') + 1;
    char *caret = strchr(*line, '\n');
    *caret++ = 0;
    caret[strcspn(caret, "\n")] = 0;
    return caret;
}

static void a_long_line_is_shown_around_the_span(void **state)
{
    (void)state;
    enum { LONG = 1000000 };
    char *text = malloc(LONG + 1), *line;
    for (int i = 0; i < LONG; i++) text[i] = (char)('a' + i % 26);
    text[LONG] = 0;
    static const uint32_t columns[] = {1, 60, 101, 102, 500, LONG - 200, LONG - 10, LONG};
    for (size_t i = 0; i < COUNT_OF(columns); i++) {
        uint32_t length = columns[i] == 500 ? 100000 : 3;
        char *caret = strchr(caret_line(text, columns[i], length, &line), '^');
        size_t at = (size_t)(strchr(line, 0) + 1 - line), place = (size_t)(caret - line) - at;
        assert_int_equal(line[place], text[columns[i] - 1]);
        assert_true(strlen(line) <= 4 + 3 + 160 + 3 && strlen(caret) <= 160);
        assert_int_equal(strncmp(line, "    ...", 7) == 0, columns[i] > 101);
        assert_int_equal(strcmp(line + strlen(line) - 3, "...") == 0, columns[i] < LONG - 100);
    }
    text[160] = 0; /* fits as it is */
    assert_string_equal(caret_line(text, 160, 9, &line) + 4 + 159, "^");
    assert_string_equal(line + 4, text);
    text[160] = 'x';
    text[161] = 0;
    caret_line(text, 1, 1, &line);
    assert_int_equal(strlen(line), 4 + 160 + 3);
    memset(text, 0x1b, 1000); /* four columns each */
    text[1000] = 0;
    char *caret = strchr(caret_line(text, 400, 1, &line), '^');
    assert_int_equal(line[caret - strchr(line, 0) - 1], '\\');
    assert_true(strlen(line) <= 4 + 3 + 160 + 3);
    free(text);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    enum { LONG = 100000 };
    char *text = malloc(LONG + 1);
    memset(text, 'm', LONG);
    text[LONG] = 0;
    cpl_diag d = {.size = sizeof d, .severity = CPL_ERROR, .message = text, .hint = text};
    size_t n = cpl_diag_render(&d, NULL, 0);
    assert_int_equal(n, strlen("error: ...\nhint: ...\n") + 2 * 8192);
    text[8192] = 0;
    assert_int_equal(cpl_diag_render(&d, NULL, 0), strlen("error: \nhint: \n") + 2 * 8192);
    free(text);
}

static void without_a_place_only_the_message_shows(void **state)
{
    (void)state;
    cpl_diag d = {.size = sizeof d,
                  .severity = CPL_ERROR,
                  .status = CPL_ENODEVICE,
                  .message = "libomp.so.5 was not found"};
    expect_text(&d, "error: libomp.so.5 was not found\n");
}

typedef struct record {
    int count;
    char text[4000];
} record;

static void keep(void *user, const cpl_diag *d)
{
    record *r = user;
    size_t at = strlen(r->text);
    cpl_diag_render(d, r->text + at, sizeof r->text - at);
    r->count++;
}

static void delivery_keeps_order_and_drops_repeats(void **state)
{
    (void)state;
    jmp_buf oom;
    arena a;
    arena_init(&a, &mem_libc, &oom);
    if (setjmp(oom)) fail_msg("no memory");
    diag_list l = {.arena = &a};
    uint32_t at = offset_of("amplitud");
    cpl_span name = {1, at, at + 8}, nowhere = {0, 0, 0}, beyond = {1, at, 4000};
    diag *d = diag_error(&l, CPL_ETYPE, name, "undefined name '%s'", "amplitud");
    diag_hint(&l, d, "did you mean '%s'?", "amplitude");
    diag_note(&l, d, (cpl_span){1, 6, 7}, "x is declared here");
    diag_warning(&l, nowhere, "nothing to do");
    diag_error(&l, CPL_ESYNTAX, name, "undefined name '%s'", "amplitud");
    diag_remark(&l, beyond, "a span past its line");
    assert_int_equal(l.errors, 2);
    assert_int_equal(l.status, CPL_ETYPE);
    record *r = calloc(1, sizeof *r);
    diag_deliver(&l, find_wave, NULL, (diag_sink){keep, r});
    assert_int_equal(r->count, 3);
    assert_string_equal(r->text, "wave.py:2:9: error: undefined name 'amplitud'\n"
                                 "        y = amplitud*x\n"
                                 "            ^~~~~~~~\n"
                                 "hint: did you mean 'amplitude'?\n"
                                 "wave.py:1:7: note: x is declared here\n"
                                 "    def f(x):\n"
                                 "          ^\n"
                                 "warning: nothing to do\n"
                                 "wave.py:2:9: note: a span past its line\n"
                                 "        y = amplitud*x\n"
                                 "            ^~~~~~~~~~\n");
    diag_deliver(&l, find_wave, NULL, (diag_sink){0});
    free(r);
    arena_free(&a);
}

static void only_the_first_errors_are_kept(void **state)
{
    (void)state;
    jmp_buf oom;
    arena a;
    arena_init(&a, &mem_libc, &oom);
    if (setjmp(oom)) fail_msg("no memory");
    diag_list l = {.arena = &a};
    for (uint32_t i = 0; i < 3 * DIAG_MAX_ERRORS; i++)
        diag_error(&l, CPL_ESYNTAX, (cpl_span){1, i % 20, i % 20 + 1}, "error %u", i);
    assert_int_equal(l.errors, 3 * DIAG_MAX_ERRORS);
    record *r = calloc(1, sizeof *r);
    diag_deliver(&l, find_wave, NULL, (diag_sink){keep, r});
    assert_int_equal(r->count, DIAG_MAX_ERRORS + 1); /* the last one says that there are more */
    free(r);
    arena_free(&a);
}

/* What a diagnostic may have or lack, by bits, and its notes. */
typedef struct made {
    cpl_diag d, notes[9];
    char message[16], hint[16], file[16], text[16];
} made;

static void fill_diag(made *m, cpl_diag *d, unsigned bits, size_t number)
{
    *d = (cpl_diag){.size = sizeof *d, .severity = (cpl_severity)(bits % 3), .message = m->message};
    d->status = bits & 8 ? CPL_ESYNTAX : CPL_OK;
    if (bits & 1) d->hint = m->hint;
    if (bits & 2) d->file = m->file, d->line = 2 + (uint32_t)number, d->column = 3, d->length = 4;
    if (bits & 6) d->text = m->text, d->text_length = (uint32_t)strlen(m->text);
}

static void make_diag(made *m, unsigned bits, size_t notes)
{
    strcpy(m->message, "a message"), strcpy(m->hint, "a hint");
    strcpy(m->file, "k.py"), strcpy(m->text, "a line of it");
    fill_diag(m, &m->d, bits, 0);
    for (size_t i = 0; i < notes; i++)
        fill_diag(m, &m->notes[i], bits * 5 + (unsigned)i * 3, i + 1);
    m->d.notes = notes ? m->notes : NULL;
    m->d.note_count = notes;
}

typedef struct told {
    char text[4096];
    size_t n;
    cpl_status status;
    cpl_severity severity;
} told;

static void hear(void *user, const cpl_diag *d)
{
    told *t = user;
    t->n += cpl_diag_render(d, t->text + t->n, sizeof t->text - t->n);
    t->status = d->status;
    t->severity = d->severity;
}

/* Whoever waits for somebody else's compilation is told all of what that said, though the texts are
 * gone by then. */
static void a_log_tells_it_all_again(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 16; bits++)
        for (size_t notes = 0; notes <= 9; notes += 1 + notes / 2) {
            static made m;
            static told first, again;
            diag_log log;
            diag_log_init(&log, &mem_libc);
            memset(&first, 0, sizeof first), memset(&again, 0, sizeof again);
            for (unsigned k = 0; k < 3; k++) {
                make_diag(&m, (bits + k) % 16, k == 1 ? 0 : notes);
                hear(&first, &m.d);
                diag_log_add(&log, &m.d);
                memset(&m, 'x', sizeof m);
            }
            diag_log_replay(&log, (diag_sink){hear, &again});
            assert_string_equal(first.text, again.text);
            assert_true(first.status == again.status && first.severity == again.severity);
            diag_log_free(&log);
        }
}

/* Of what no memory is left for, the last one tells; the others are whole. */
static void a_log_says_what_it_lost(void **state)
{
    (void)state;
    flaky f = {0};
    mem m = {flaky_alloc, &f};
    bool lost = true;
    for (long n = 1; lost; n++) {
        static made said;
        diag_log log;
        f.requests = 0;
        f.fail_at = n;
        diag_log_init(&log, &m);
        for (int k = 0; k < 20; k++) {
            make_diag(&said, 7, 2);
            diag_log_add(&log, &said.d);
        }
        size_t count = diag_log_count(&log);
        lost = diag_log_at(&log, count - 1)->status == CPL_ENOMEM;
        assert_true(lost ? count <= 20 : count == 20);
        for (size_t i = 0; i < count - lost; i++) {
            static told whole, kept;
            whole.n = kept.n = 0;
            hear(&whole, &said.d);
            hear(&kept, diag_log_at(&log, i));
            assert_string_equal(kept.text, whole.text);
        }
        diag_log_free(&log);
        assert_int_equal(diag_log_count(&log), 0);
        assert_int_equal(f.live_bytes, 0);
    }
}

static void nothing_is_written_where_nothing_is(void **state)
{
    (void)state;
    char small[1] = {'x'};
    assert_int_equal(cpl_diag_render(NULL, NULL, 0), 0);
    assert_int_equal(cpl_diag_render(NULL, NULL, 1), 0);
    assert_int_equal(cpl_diag_render(NULL, small, 1), 0);
    assert_int_equal(small[0], 0);
    const cpl_diag d = {.size = sizeof d, .severity = CPL_ERROR, .message = "m"};
    assert_int_equal(cpl_diag_render(&d, NULL, 1), 0);
    assert_int_equal(cpl_diag_render(&d, NULL, 0), strlen("error: m\n"));
    assert_null(cpl_diag_note(NULL, 0));
    assert_null(cpl_diag_note(&d, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_become_lines_and_columns),
        cmocka_unit_test(a_diagnostic_shows_line_caret_and_hint),
        cmocka_unit_test(tabs_and_utf8_keep_the_caret_in_place),
        cmocka_unit_test(control_bytes_are_shown_and_not_sent),
        cmocka_unit_test(a_long_line_is_shown_around_the_span),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(without_a_place_only_the_message_shows),
        cmocka_unit_test(nothing_is_written_where_nothing_is),
        cmocka_unit_test(delivery_keeps_order_and_drops_repeats),
        cmocka_unit_test(only_the_first_errors_are_kept),
        cmocka_unit_test(a_log_tells_it_all_again),
        cmocka_unit_test(a_log_says_what_it_lost),
    };
    return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
