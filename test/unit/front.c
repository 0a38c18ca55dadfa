/* Damaged sources: every beginning of a text, and the text with each byte replaced, are read or
 * refused, but do no harm. */
#include "unit.h"

#include "lib/front/front.h"

static const char sample[] = "\xEF\xBB\xBF" /* a byte order mark */
                             "import numpy as np\n"
                             "from math import (sin,\n"
                             "    cos as c)\n"
                             "N = 0x1F + 1_0.5e-3; M: int = N\n"
                             "@struct\n"
                             "class P(Base):\n"
                             "    x: float\n"
                             "@annotate(x='doublep', y=[1])\n"
                             "def f(i, x: \"float64[]\", /, *a, k=-1.5, **kw) -> float:\n"
                             "    \"\"\"text\n\"\"\"\n"
                             "    s = f'{x!r:>{w}}' '\\x41\\\n' rb\"q\"\n"
                             "    if a < b <= c is not d: x[i] += 1; y = {1: 2}\n"
                             "    elif not a or b and c:\n"
                             "\tpass\n"
                             "    else: return lambda: (yield)\n"
                             "    for j in range(0, 3):\n"
                             "        while (a := 1): break\n"
                             "        else: continue\n"
                             "    with nogil, parallel(): a, b = b, -~a ** 2\n"
                             "    try:\n"
                             "        assert a if b else c, 'm'\n"
                             "    except E as e: raise\n"
                             "    match a:\n"
                             "        case [1, *_]: del a\n"
                             "    \xC3\xA9 = a.b(c, d=e)[f][1:2] $ ? \xE2\x82\xAC\n"
                             "async def g(): await h\n"
                             "if __name__ == '__main__': print(f\"{f()}\")\n";

/* Everything that the folder does with a text. */
static void read_all(const char *text, size_t size)
{
    compilation c = {.mem = &mem_libc};
    jmp_buf on_oom;
    assert_int_equal(setjmp(on_oom), 0);
    arena_init(&c.arena, &mem_libc, &on_oom);
    c.on_oom = &on_oom;
    c.diags.arena = &c.arena;
    /* of the exact size, so that sanitizers see what reads too far */
    char *copy = malloc(size + 1);
    memcpy(copy, text, size);
    copy[size] = 0;
    source src = {.id = 1, .name = "sample.py", .text = copy, .size = size};
    strbuf out;
    sb_init(&out, &mem_libc);
    ast_file *f = front_file(&c, &src);
    if (f) ast_print(&out, f, NULL);
    else assert_true(c.diags.errors > 0);
    for (uint32_t i = 0; f && i < f->items.n; i++)
        if (f->items.at[i].kind == ITEM_CONST)
            assert_non_null(ast_const_value(f->items.at[i].constant));
    token_list tokens = {0};
    lex_file(&c, &src, &tokens);
    token_print(&out, &tokens);
    for (const diag *d = c.diags.first; d; d = d->next)
        assert_true(d->span.file == 1 && d->span.begin <= size && d->span.end <= size + 1);
    sb_free(&out);
    arena_free(&c.arena);
    free(copy);
}

static void truncated(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof sample; size++) read_all(sample, size);
}

static void replaced(void **state)
{
    (void)state;
    static const char others[] = {0,   '\n', ' ',  '(',  ')', '"',        '\'', ':',
                                  '{', '}',  '\\', '\t', '#', (char)0xFF, 'f',  '0'};
    char text[sizeof sample];
    for (size_t i = 0; i + 1 < sizeof sample; i++) {
        for (size_t k = 0; k < sizeof others; k++) {
            memcpy(text, sample, sizeof sample);
            text[i] = others[k];
            read_all(text, sizeof sample - 1);
        }
    }
}

static void removed(void **state)
{
    (void)state;
    char text[sizeof sample];
    for (size_t i = 0; i + 1 < sizeof sample; i++) {
        for (size_t n = 1; n <= 4 && i + n < sizeof sample; n++) {
            memcpy(text, sample, i);
            memcpy(text + i, sample + i + n, sizeof sample - i - n);
            read_all(text, sizeof sample - 1 - n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truncated),
        cmocka_unit_test(replaced),
        cmocka_unit_test(removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
