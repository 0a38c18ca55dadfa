/* What can be wrong with the characters of a file: bad UTF-8, NULs, hidden reordering; and what is
 * wrong with an invalid token. */
#include "lib/front/front_int.h"

static uint32_t sequence_length(const uint8_t *s, size_t left)
{
    /* RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. 0 when invalid. */
    if (s[0] < 0x80) return 1;
    uint32_t n = s[0] >= 0xC2 && s[0] <= 0xDF   ? 2
                 : (s[0] & 0xF0) == 0xE0        ? 3
                 : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                : 0;
    if (n == 0 || n > left) return 0;
    for (uint32_t i = 1; i < n; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F)) return 0;
    if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F)) return 0;
    return n;
}

uint32_t lex_decode(const char *text, uint32_t *at)
{
    const uint8_t *s = (const uint8_t *)text + *at;
    uint32_t n = s[0] < 0x80 ? 1 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    uint32_t code = n == 1 ? s[0] : s[0] & (0x7Fu >> n);
    for (uint32_t i = 1; i < n; i++) code = code << 6 | (s[i] & 0x3F);
    *at += n;
    return code;
}

/* Embeddings, overrides and isolates make an editor show other code than the compiler reads
 * (CVE-2021-42574). */
static bool reorders(uint32_t code)
{
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/* The first of each kind is reported; a file that is no text would give one for every other
 * byte. */
bool lex_check(compilation *c, const source *src)
{
    if (src->size > UINT32_MAX - 1) {
        diag_error(&c->diags, CPL_ELIMIT, (cpl_span){src->id, 0, 1},
                   "the file is larger than 4 GiB");
        return false;
    }
    bool nul = false, order = false;
    for (uint32_t at = 0; at < src->size;) {
        if (src->text[at] > 0) { /* most are ASCII */
            at++;
            continue;
        }
        uint32_t n = sequence_length((const uint8_t *)src->text + at, src->size - at);
        cpl_span span = {src->id, at, at + (n ? n : 1)};
        if (n == 0) {
            diag *d = diag_error(&c->diags, CPL_ESYNTAX, span, "invalid UTF-8: byte 0x%02X",
                                 (unsigned)(uint8_t)src->text[at]);
            diag_hint(&c->diags, d, "save the file as UTF-8");
            return false;
        }
        uint32_t next = at, code = lex_decode(src->text, &next);
        if (code == 0 && !nul) {
            nul = true;
            diag_error(&c->diags, CPL_ESYNTAX, span, "the source holds a NUL byte");
        } else if (code >= 0x202A && reorders(code) && !order) {
            order = true;
            diag *d = diag_error(&c->diags, CPL_ESYNTAX, span,
                                 "U+%04X changes the order in which the source is displayed",
                                 (unsigned)code);
            diag_hint(&c->diags, d, "remove it, or write it as an escape in a string");
        }
        at = next;
    }
    return !nul && !order;
}

/* 1.0f, 10L, 2a */
static const char *habit(const char *s, uint32_t n)
{
    uint32_t digits = 0;
    while (digits < n && ((s[digits] >= '0' && s[digits] <= '9') || s[digits] == '.')) digits++;
    if (digits == n || s[0] == '0') return NULL;
    bool one = digits + 1 == n, c_suffix = one && strchr("fFdD", s[digits]);
    if (c_suffix)
        return "a literal has the type of what stands beside it: write it without a letter";
    if (strchr("eE", s[digits])) return "an exponent has digits: 1e5";
    if (s[digits] == '_') return "'_' stands between digits";
    if (strchr("lLuU", s[digits])) return "integers have no letter: they are as wide as they need";
    return "a product is written 2*a";
}

static diag *report_number(compilation *c, const source *src, cpl_span span)
{
    const char *s = src->text + span.begin;
    int n = (int)(span.end - span.begin);
    if (s[0] == '0' && n > 1 && ((s[1] >= '0' && s[1] <= '9') || s[1] == '_')) {
        diag *d = diag_error(&c->diags, CPL_ESYNTAX, span,
                             "a decimal integer has no leading zeros: '%.*s'", n, s);
        diag_hint(&c->diags, d, "octal integers begin with 0o");
        return d;
    }
    const char *base = "decimal";
    if (s[0] == '0' && n > 1) {
        char x = (char)(s[1] | 32);
        base = x == 'x' ? "hexadecimal" : x == 'o' ? "octal" : x == 'b' ? "binary" : "decimal";
    }
    diag *d = diag_error(&c->diags, CPL_ESYNTAX, span, "invalid %s literal '%.*s'", base,
                         n > 40 ? 40 : n, s);
    const char *hint = habit(s, (uint32_t)n);
    if (hint) diag_hint(&c->diags, d, "%s", hint);
    return d;
}

void lex_report(compilation *c, const source *src, const token *t)
{
    cpl_span span = {src->id, t->begin, t->end};
    const char *s = src->text + t->begin;
    if (lex_string_prefix(s) != UINT32_MAX) {
        diag_error(&c->diags, CPL_ESYNTAX, span, "unterminated string");
    } else if ((s[0] >= '0' && s[0] <= '9') || (s[0] == '.' && s[1] >= '0' && s[1] <= '9')) {
        report_number(c, src, span);
    } else if (s[0] == '\\') {
        diag_error(&c->diags, CPL_ESYNTAX, span,
                   "unexpected text behind the line continuation '\\'");
    } else {
        uint32_t at = t->begin, code = lex_decode(src->text, &at);
        diag *d = code > 32 && code < 127 ? diag_error(&c->diags, CPL_ESYNTAX, span,
                                                       "invalid character '%c'", (char)code)
                                          : diag_error(&c->diags, CPL_ESYNTAX, span,
                                                       "invalid character U+%04X", (unsigned)code);
        if (code == '?') diag_hint(&c->diags, d, "a choice is written: a if condition else b");
        else if (code == '!') diag_hint(&c->diags, d, "write 'not'");
        else if (code == 0x2018 || code == 0x2019 || code == 0x201C || code == 0x201D)
            diag_hint(&c->diags, d, "quotes are ' and \"");
        else if (code == 0xA0 || code == 0x3000 || (code >= 0x2000 && code <= 0x200B))
            diag_hint(&c->diags, d, "replace it by a space");
        else if (code == 0x2212) diag_hint(&c->diags, d, "write '-'");
        else if (code == 0xD7) diag_hint(&c->diags, d, "write '*'");
    }
}
