/*
 * Where a string literal ends. An f-string is one token: its replacement fields, which may hold
 * strings with the same quotes and further f-strings (PEP 701), are skipped with a stack of frames
 * instead of recursion.
 */
#include "lib/front/front_int.h"

uint32_t lex_string_prefix(const char *s)
{
    uint32_t n = 0;
    bool f = false, r = false, b = false, u = false;
    for (; n < 3; n++) {
        char x = (char)(s[n] | 32);
        if (s[n] == '"' || s[n] == '\'') return n;
        if (x == 'f' && !f && !b && !u) f = true;
        else if (x == 'r' && !r && !u) r = true;
        else if (x == 'b' && !b && !f && !u) b = true;
        else if (x == 'u' && n == 0) u = true;
        else break;
    }
    return UINT32_MAX;
}

static bool is_newline(char c)
{
    return c == '\n' || c == '\r';
}

static uint32_t line_end(const source *src, uint32_t at)
{
    while (at < src->size && !is_newline(src->text[at])) at++;
    return at;
}

static uint32_t skip_escape(const source *src, uint32_t at)
{
    at++;
    if (at < src->size && src->text[at] == '\r' && src->text[at + 1] == '\n') at++;
    return at < src->size ? at + 1 : at;
}

static bool closes(const char *s, char mark, bool triple)
{
    return s[0] == mark && (!triple || (s[1] == mark && s[2] == mark));
}

/* From behind the opening quotes to behind the closing ones; false at the end of the line or
 * text. */
static bool plain_end(const source *src, uint32_t at, char mark, bool triple, uint32_t *end)
{
    const char *s = src->text;
    while (at < src->size) {
        if (s[at] == '\\') {
            at = skip_escape(src, at);
        } else if (closes(s + at, mark, triple)) {
            *end = at + (triple ? 3 : 1);
            return true;
        } else if (is_newline(s[at]) && !triple) {
            break;
        } else {
            at++;
        }
    }
    *end = at;
    return false;
}

typedef enum frame_kind { FRAME_TEXT, FRAME_FIELD, FRAME_SPEC } frame_kind;

typedef struct frame {
    frame_kind kind;
    char mark; /* quotes of the f-string it belongs to */
    bool triple, raw;
    uint32_t depth; /* FIELD: open brackets */
} frame;

typedef struct scan {
    arena *a;
    const source *src;
    bool lines;
    uint32_t at;
    VEC(frame) stack;
} scan;

static bool has_letter(const char *s, uint32_t n, char letter)
{
    for (uint32_t i = 0; i < n; i++)
        if ((s[i] | 32) == letter) return true;
    return false;
}

static bool is_triple(const char *s)
{
    return s[1] == s[0] && s[2] == s[0];
}

static void open_format(scan *f, uint32_t prefix)
{
    const char *s = f->src->text + f->at;
    frame fr = {FRAME_TEXT, s[prefix], is_triple(s + prefix), has_letter(s, prefix, 'r'), 0};
    f->at += prefix + (fr.triple ? 3 : 1);
    vec_push(f->a, &f->stack, fr);
}

static void push_same(scan *f, frame_kind kind)
{
    frame fr = f->stack.at[f->stack.n - 1];
    fr.kind = kind;
    fr.depth = 0;
    vec_push(f->a, &f->stack, fr);
}

/* One step in the literal part of an f-string or in a format specification. */
static bool step_text(scan *f)
{
    const char *s = f->src->text + f->at;
    frame *top = &f->stack.at[f->stack.n - 1];
    bool spec = top->kind == FRAME_SPEC;
    if (s[0] == '\\' && s[1] != '{' && s[1] != '}') {
        bool named = s[1] == 'N' && s[2] == '{' && !top->raw;
        f->at = skip_escape(f->src, f->at);
        while (named && f->at < f->src->size && f->src->text[f->at] != '}' &&
               !is_newline(f->src->text[f->at]))
            f->at++;
    } else if (closes(s, top->mark, top->triple)) {
        if (spec) return false;
        f->at += top->triple ? 3 : 1;
        f->stack.n--;
    } else if (is_newline(s[0]) && !top->triple) {
        return false;
    } else if (s[0] == '{') {
        bool doubled = s[1] == '{' && !spec;
        f->at += doubled ? 2 : 1;
        if (!doubled) push_same(f, FRAME_FIELD);
    } else if (s[0] == '}' && spec) {
        f->at++;
        f->stack.n -= 2; /* the specification and its field */
    } else {
        f->at++;
    }
    return true;
}

static bool step_word_or_string(scan *f)
{
    const char *s = f->src->text + f->at;
    uint32_t prefix = lex_string_prefix(s);
    if (prefix == UINT32_MAX) {
        while (f->at < f->src->size && (lex_is_continue((uint8_t)f->src->text[f->at]) ||
                                        (uint8_t)f->src->text[f->at] >= 0x80))
            f->at++;
        return true;
    }
    if (has_letter(s, prefix, 'f')) {
        open_format(f, prefix);
        return true;
    }
    bool triple = is_triple(s + prefix);
    return plain_end(f->src, f->at + prefix + (triple ? 3 : 1), s[prefix], triple, &f->at);
}

/* One step in the expression of a replacement field. */
static bool step_field(scan *f)
{
    char c = f->src->text[f->at];
    frame *top = &f->stack.at[f->stack.n - 1];
    if (c == '"' || c == '\'' || lex_is_continue((uint8_t)c)) return step_word_or_string(f);
    if (is_newline(c) && !top->triple && !f->lines) return false;
    if (c == '#') {
        f->at = line_end(f->src, f->at);
        return true;
    }
    f->at++;
    if (c == '(' || c == '[' || c == '{') {
        top->depth++;
    } else if (c == '}' && top->depth == 0) {
        f->stack.n--;
    } else if ((c == ')' || c == ']' || c == '}') && top->depth > 0) {
        top->depth--;
    } else if (c == ':' && top->depth == 0) {
        push_same(f, FRAME_SPEC);
    }
    return true;
}

lex_string lex_string_scan(arena *a, const source *src, uint32_t begin, bool *lines)
{
    const char *s = src->text + begin;
    uint32_t prefix = lex_string_prefix(s);
    lex_string r = {.open = begin + prefix,
                    .triple = is_triple(s + prefix),
                    .format = has_letter(s, prefix, 'f')};
    uint32_t inside = r.open + (r.triple ? 3 : 1);
    if (!r.format) {
        r.closed = plain_end(src, inside, s[prefix], r.triple, &r.end);
        return r;
    }
    scan f = {.a = a, .src = src, .lines = *lines, .at = begin};
    open_format(&f, prefix);
    bool fine = true;
    while (fine && f.stack.n && f.at < src->size)
        fine = f.stack.at[f.stack.n - 1].kind == FRAME_FIELD ? step_field(&f) : step_text(&f);
    r.closed = fine && f.stack.n == 0;
    r.end = f.at;
    if (!r.closed) {
        r.end = r.triple ? (uint32_t)src->size : line_end(src, inside);
        *lines = false;
    }
    return r;
}
