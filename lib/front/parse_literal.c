/* Values of number and string literals. */
#include "lib/front/front_int.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>

/* numbers */

static ast_node *integer(parser *p, const char *text, uint32_t n)
{
    ast_node *node = ast_new(p, AST_INT, ast_here(p), NULL, 0);
    uint32_t base = 10, i = 0;
    if (n > 2 && text[0] == '0') {
        char x = (char)(text[1] | 32);
        base = x == 'x' ? 16 : x == 'o' ? 8 : x == 'b' ? 2 : 10;
        if (base != 10) i = 2;
    }
    for (; i < n; i++) {
        if (text[i] == '_') continue;
        uint32_t digit =
            text[i] <= '9' ? (uint32_t)(text[i] - '0') : (uint32_t)((text[i] | 32) - 'a' + 10);
        if (node->integer > (UINT64_MAX - digit) / base) node->overflow = true;
        node->integer = node->integer * base + digit;
    }
    ast_advance(p);
    return node;
}

/* A program may have set a locale whose decimal point is a comma, so this names the C locale (which
 * newlocale never allocates). */
static double decimal(const char *text)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double value = strtod_l(text, NULL, c);
    freelocale(c);
    return value;
}

static ast_node *floating(parser *p, ast_kind kind, const char *text, uint32_t n)
{
    char *plain = arena_alloc(&p->c->arena, (size_t)n + 1);
    uint32_t length = 0;
    for (uint32_t i = 0; i < n; i++)
        if (text[i] != '_') plain[length++] = text[i];
    double value = decimal(plain);
    if (isinf(value)) {
        diag *d =
            ast_error(p, ast_here(p), "the float literal %.40s is too large for float64", plain);
        ast_hint(p, d, "the largest float64 is 1.7976931348623157e308; INFINITY is a name");
        return ast_bad(p);
    }
    ast_node *node = ast_new(p, kind, ast_here(p), NULL, 0);
    node->number = value;
    ast_advance(p);
    return node;
}

ast_node *ast_number(parser *p)
{
    const char *text = p->file->src->text + p->at->begin;
    uint32_t n = p->at->end - p->at->begin;
    if (ast_is(p, TOK_INT)) return integer(p, text, n);
    if (ast_is(p, TOK_FLOAT)) return floating(p, AST_FLOAT, text, n);
    return floating(p, AST_IMAGINARY, text, n - 1);
}

/* strings */

typedef struct text_buffer { /* never longer than the literals it comes from */
    char *at;
    uint32_t n;
} text_buffer;

static void put(text_buffer *b, uint32_t byte)
{
    b->at[b->n++] = (char)byte;
}

static void put_code(text_buffer *b, uint32_t code)
{
    if (code < 0x80) {
        put(b, code);
    } else if (code < 0x800) {
        put(b, 0xC0 | code >> 6);
        put(b, 0x80 | (code & 63));
    } else if (code < 0x10000) {
        put(b, 0xE0 | code >> 12);
        put(b, 0x80 | (code >> 6 & 63));
        put(b, 0x80 | (code & 63));
    } else {
        put(b, 0xF0 | code >> 18);
        put(b, 0x80 | (code >> 12 & 63));
        put(b, 0x80 | (code >> 6 & 63));
        put(b, 0x80 | (code & 63));
    }
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \xhh \uhhhh \Uhhhhhhhh; `at` is behind the letter. False when digits are missing or no such
 * character exists. */
static bool put_hex(text_buffer *b, const char *s, uint32_t *at, uint32_t end, uint32_t count)
{
    uint32_t code = 0;
    for (uint32_t i = 0; i < count; i++) {
        int digit = *at < end ? hex_digit(s[*at]) : -1;
        if (digit < 0 || code > 0x10FFFF) return false;
        code = code * 16 + (uint32_t)digit;
        (*at)++;
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    put_code(b, code);
    return true;
}

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* The escape whose letter is at *at, behind the backslash. False when it is none that exists. */
static bool put_escape(text_buffer *b, const char *s, uint32_t *at, uint32_t end)
{
    static const char letters[] = "abfnrtv\\'\"", values[] = "\a\b\f\n\r\t\v\\'\"";
    char c = s[(*at)++];
    const char *simple = strchr(letters, c);
    if (simple && c) {
        put(b, (uint8_t)values[simple - letters]);
    } else if (c == '\n') {
        /* the line goes on */
    } else if (c == '\r') {
        if (*at < end && s[*at] == '\n') (*at)++;
    } else if (is_octal(c)) {
        uint32_t code = (uint32_t)(c - '0');
        for (int i = 0; i < 2 && *at < end && is_octal(s[*at]); i++)
            code = code * 8 + (uint32_t)(s[(*at)++] - '0');
        put_code(b, code);
    } else if (c == 'x' || c == 'u' || c == 'U') {
        return put_hex(b, s, at, end, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    } else if (c == 'N') {
        return false;
    } else { /* Python keeps the backslash of an unknown escape */
        put(b, '\\');
        (*at)--;
    }
    return true;
}

/* The literal at hand, without its quotes, behind what the buffer holds. */
static bool put_literal(parser *p, text_buffer *b)
{
    const char *s = p->file->src->text;
    uint32_t prefix = lex_string_prefix(s + p->at->begin), at = p->at->begin + prefix,
             end = p->at->end;
    bool raw = false;
    for (uint32_t i = 0; i < prefix; i++) raw = raw || (s[p->at->begin + i] | 32) == 'r';
    for (uint32_t i = 0; i < prefix; i++) {
        if ((s[p->at->begin + i] | 32) != 'b') continue;
        ast_hint(p, ast_error(p, ast_here(p), "bytes are not supported"), "pass an array of uint8");
        return false;
    }
    uint32_t quotes = s[at + 1] == s[at] && s[at + 2] == s[at] && end - at >= 6 ? 3 : 1;
    at += quotes;
    end -= quotes;
    while (at < end) {
        uint32_t begin = at;
        if (s[at] != '\\' || raw) {
            bool folded = s[at] == '\r'; /* all line ends read as \n */
            if (folded && at + 1 < end && s[at + 1] == '\n') at++;
            put(b, folded ? '\n' : (uint8_t)s[at]);
            at++;
            continue;
        }
        at++;
        if (put_escape(b, s, &at, end)) continue;
        cpl_span span = {p->file->src->id, begin, at};
        ast_error(p, span,
                  s[begin + 1] == 'N' ? "named characters (\\N) are not supported"
                                      : "invalid escape in a string");
        return false;
    }
    return true;
}

/* strings: STRING+, joined */
ast_node *ast_strings(parser *p)
{
    const token *first = p->at, *last = first;
    size_t size = 1;
    for (; last->kind == TOK_STRING; last++) size += last->end - last->begin;
    if (last->kind == TOK_FSTRING) {
        p->at = last;
        diag *d = ast_error(p, ast_here(p), "f-strings are not supported");
        ast_hint(p, d, "print takes texts and values: print('i =', i)");
        return ast_bad(p);
    }
    text_buffer b = {.at = arena_alloc(&p->c->arena, size)};
    for (; p->at < last; ast_advance(p))
        if (!put_literal(p, &b)) return ast_bad(p);
    ast_node *node = ast_new(p, AST_STRING, ast_until_here(p, first->begin), NULL, 0);
    node->text = b.at;
    node->text_length = b.n;
    return node;
}
