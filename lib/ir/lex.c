/*
 * Tokens of the text form: names (letters, digits, _ and .), numbers with their sign, quoted
 * strings, -> and single characters. Comments run from // to the end of the line.
 */
#include "lib/ir/ir_int.h"

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

typedef struct lexer {
    const char *text;
    uint32_t at, size;
} lexer;

static char peek(const lexer *l, uint32_t ahead)
{
    return l->at + ahead < l->size ? l->text[l->at + ahead] : '\0';
}

/* Skips blanks and comments; true when a new line began. */
static bool skip_blanks(lexer *l)
{
    bool newline = false;
    while (l->at < l->size) {
        char c = l->text[l->at];
        if (c == '\n') newline = true;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            l->at++;
        } else if (c == '/' && peek(l, 1) == '/') {
            while (l->at < l->size && l->text[l->at] != '\n') l->at++;
        } else {
            break;
        }
    }
    return newline;
}

/* A number is as long as it looks like one: 1e-05, 0x7f, -inf; par_literal finds out whether it is
 * one. */
static void number(lexer *l)
{
    l->at++;
    while (is_letter(peek(l, 0)) || is_digit(peek(l, 0)) || peek(l, 0) == '.' ||
           ((peek(l, 0) == '+' || peek(l, 0) == '-') &&
            (l->text[l->at - 1] == 'e' || l->text[l->at - 1] == 'E')))
        l->at++;
}

/* False when the line ends first. */
static bool string(lexer *l)
{
    l->at++;
    while (l->at < l->size && l->text[l->at] != '\n') {
        char c = l->text[l->at++];
        if (c == '"') return true;
        if (c == '\\' && l->at < l->size && l->text[l->at] != '\n') l->at++;
    }
    return false;
}

static int token_kind(lexer *l)
{
    char c = l->text[l->at];
    if (is_letter(c)) {
        while (is_letter(peek(l, 0)) || is_digit(peek(l, 0)) || peek(l, 0) == '.') l->at++;
        return TOK_NAME;
    }
    if (is_digit(c) || (c == '-' && (is_digit(peek(l, 1)) || is_letter(peek(l, 1))))) {
        number(l);
        return TOK_NUMBER;
    }
    if (c == '-' && peek(l, 1) == '>') {
        l->at += 2;
        return TOK_ARROW;
    }
    if (c == '"') return string(l) ? TOK_STRING : -1;
    if (c == '\0' || !strchr("(){}[]<>,:=*", c)) return -2;
    l->at++;
    return c;
}

void ir_lex(compilation *c, const source *src, token_list *out)
{
    if (src->size >= UINT32_MAX / 2) {
        diag_error(&c->diags, CPL_ELIMIT, (cpl_span){0}, "the text is too large");
        vec_push(&c->arena, &out->list, (token){0});
        return;
    }
    lexer l = {src->text, 0, (uint32_t)src->size};
    bool starts_line = true;
    /* where the last bad character ended: a run of them is one error */
    uint32_t bad_end = UINT32_MAX;
    for (;;) {
        starts_line |= skip_blanks(&l);
        if (l.at == l.size) break;
        token t = {0, starts_line, l.at, 0};
        int kind = token_kind(&l);
        if (kind == -2) {
            if (l.at != bad_end)
                diag_error(&c->diags, CPL_ESYNTAX, (cpl_span){src->id, l.at, l.at + 1},
                           "unexpected character");
            bad_end = ++l.at;
            continue;
        }
        if (kind == -1)
            diag_error(&c->diags, CPL_ESYNTAX, (cpl_span){src->id, t.begin, l.at},
                       "the string does not end on its line");
        t.kind = kind == -1 ? TOK_STRING : (uint8_t)kind;
        t.end = l.at;
        vec_push(&c->arena, &out->list, t);
        starts_line = false;
    }
    vec_push(&c->arena, &out->list, ((token){TOK_END, true, l.size, l.size}));
}

static int digit_value(char c, int base)
{
    int v = is_digit(c)            ? c - '0'
            : c >= 'a' && c <= 'f' ? c - 'a' + 10
            : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                   : 99;
    return v < base ? v : -1;
}

/* Up to `most` digits; the character they stand for, 0 when there are none or they do not fit a
 * byte. */
static int escaped_number(const char **p, const char *end, int base, int most)
{
    int value = 0;
    for (int i = 0; i < most && *p < end && digit_value(**p, base) >= 0; i++)
        value = value * base + digit_value(*(*p)++, base);
    return value < 256 ? value : 0;
}

/* Behind a backslash; 0 when it is no escape. A string holds no NUL, so 0 is no character
   either. */
static int escape(const char **p, const char *end)
{
    static const char letters[] = "ntrabfv\"\\'", values[] = "\n\t\r\a\b\f\v\"\\'";
    if (*p < end && is_digit(**p)) return escaped_number(p, end, 8, 3);
    char c = *p < end ? *(*p)++ : '\0';
    if (c == 'x') return escaped_number(p, end, 16, 2);
    const char *found = c ? strchr(letters, c) : NULL;
    return found ? values[found - letters] : 0;
}

const char *ir_unquote(arena *a, const source *src, token t, cpl_span *bad)
{
    const char *p = src->text + t.begin + 1, *end = src->text + t.end;
    if (end > p && end[-1] == '"') end--; /* without it the lexer has reported an error */
    char *out = arena_alloc(a, (size_t)(end - p) + 1), *to = out;
    while (p < end) {
        const char *start = p;
        int c = (unsigned char)*p++;
        if (c == '\\') c = escape(&p, end);
        if (c == 0) {
            *bad = (cpl_span){src->id, (uint32_t)(start - src->text), (uint32_t)(p - src->text)};
            return NULL;
        }
        *to++ = (char)c;
    }
    return out;
}
