/*
 * The tokeniser: Python 3.12's lexical structure, in one pass and linear time.
 *
 * Any valid Python file passes without an error, since most of a kernel file is not for this
 * compiler. What hides the structure of the file (indentation, triple quotes, text that is no
 * UTF-8) is reported at once; other mistakes become TOK_ERROR tokens, reported when the parser
 * meets them. A bracket that is still open where a line begins with a word that no bracket can hold
 * is taken as forgotten: the line ends there, so that one mistake does not swallow the rest of the
 * file.
 */
#include "lib/front/front_int.h"

typedef struct level {  /* of indentation */
    uint32_t column;    /* tabs to multiples of 8 */
    uint32_t alternate; /* tabs as one column: both must tell the same order */
} level;

typedef struct lexer {
    compilation *c;
    const source *src;
    const char *text; /* NUL-terminated */
    uint32_t at, size;
    token_list *out;
    VEC(level) levels;
    VEC(char) brackets;
    bool line_start;
    bool piece;         /* the first line decides what is not indented */
    bool lines;         /* see lex_string_scan */
    uint8_t first[128]; /* the first kind of punctuation that begins so */
} lexer;

static const char *const token_texts[] = {
#define TOKEN(id, text)   text,
#define KEYWORD(id, text) text,
#define PUNCT(id, text)   text,
#include "lib/front/token.def"
#undef TOKEN
#undef KEYWORD
#undef PUNCT
};

_Static_assert(COUNT_OF(token_texts) == TOKEN_COUNT, "a row of token.def is missing");
_Static_assert(TOKEN_COUNT <= 256, "token.kind is a byte");

const char *token_text(token_kind kind)
{
    return token_texts[kind];
}

static void push(lexer *l, token_kind kind, uint32_t begin, uint32_t end)
{
    token t = {(uint8_t)kind, begin, end};
    vec_push(&l->c->arena, l->out, t);
}

static bool is_newline(char c)
{
    return c == '\n' || c == '\r';
}
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint32_t behind_newline(const lexer *l, uint32_t at)
{
    return at + (l->text[at] == '\r' && l->text[at + 1] == '\n' ? 2 : 1);
}

static void structure_error(lexer *l, uint32_t begin, uint32_t end, const char *message,
                            const char *hint)
{
    diag *d =
        diag_error(&l->c->diags, CPL_ESYNTAX, (cpl_span){l->src->id, begin, end}, "%s", message);
    if (hint) diag_hint(&l->c->diags, d, "%s", hint);
}

/* Ends the logical line, right behind its last token. */
static void push_newline(lexer *l)
{
    uint32_t n = l->out->n;
    if (n == 0) return;
    token_kind last = l->out->at[n - 1].kind;
    if (last == TOK_NEWLINE || last == TOK_INDENT || last == TOK_DEDENT) return;
    push(l, TOK_NEWLINE, l->out->at[n - 1].end, l->out->at[n - 1].end);
}

/* identifiers and keywords */

static uint32_t word_end(const lexer *l, uint32_t at)
{
    while (at < l->size) {
        uint32_t next = at, code = (uint8_t)l->text[at];
        if (code < 0x80) next++;
        else code = lex_decode(l->text, &next);
        if (!lex_is_continue(code)) break;
        at = next;
    }
    return at;
}

token_kind lex_word(const char *s, uint32_t n)
{
    /* token.def lists the keywords in ASCII order */
    int low = TOK_FALSE, high = TOK_YIELD;
    while (low <= high) {
        int middle = (low + high) / 2;
        int order = strncmp(s, token_texts[middle], n);
        if (order == 0 && token_texts[middle][n] != '\0') order = -1;
        if (order == 0) return (token_kind)middle;
        if (order < 0) high = middle - 1;
        else low = middle + 1;
    }
    return TOK_NAME;
}

/* Words that stand in no expression and no import list, so never at the start of a line inside
 * brackets. */
static bool starts_statement(token_kind kind)
{
    switch (kind) {
    case TOK_ASSERT:
    case TOK_BREAK:
    case TOK_CLASS:
    case TOK_CONTINUE:
    case TOK_DEF:
    case TOK_DEL:
    case TOK_ELIF:
    case TOK_EXCEPT:
    case TOK_FINALLY:
    case TOK_GLOBAL:
    case TOK_IMPORT:
    case TOK_NONLOCAL:
    case TOK_PASS:
    case TOK_RAISE:
    case TOK_RETURN:
    case TOK_TRY:
    case TOK_WHILE:
    case TOK_WITH: return true;
    default: return false;
    }
}

/* numbers */

static bool is_digit_of(char c, int base)
{
    if (base == 16) return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f');
    return c >= '0' && c < '0' + base;
}

/* digits: digit ('_'? digit)*; returns `at` itself when there are none. */
static uint32_t digits(const lexer *l, uint32_t at, int base)
{
    uint32_t begin = at;
    while (is_digit_of(l->text[at], base) ||
           (at > begin && l->text[at] == '_' && is_digit_of(l->text[at + 1], base)))
        at++;
    return at;
}

/* Python lets a keyword follow a number without a space: `1if x else 2`. */
static bool may_follow_number(token_kind kind)
{
    return kind == TOK_AND || kind == TOK_ELSE || kind == TOK_FOR || kind == TOK_IF ||
           kind == TOK_IN || kind == TOK_IS || kind == TOK_NOT || kind == TOK_OR;
}

static uint32_t number_end(const lexer *l, uint32_t at, token_kind *kind)
{
    const char *s = l->text;
    char x = (char)(s[at + 1] | 32);
    *kind = TOK_INT;
    if (s[at] == '0' && (x == 'x' || x == 'o' || x == 'b')) {
        uint32_t from = at + 2 + (s[at + 2] == '_');
        uint32_t end = digits(l, from, x == 'x' ? 16 : x == 'o' ? 8 : 2);
        return end > from ? end : at + 1; /* 0x alone: the x makes it invalid */
    }
    uint32_t end = digits(l, at, 10);
    bool zero = true;
    for (uint32_t i = at; i < end; i++) zero = zero && (s[i] == '0' || s[i] == '_');
    bool leading = s[at] == '0' && end > at + 1 && !zero;
    if (s[end] == '.') {
        *kind = TOK_FLOAT;
        end = digits(l, end + 1, 10);
    }
    if ((s[end] | 32) == 'e') {
        uint32_t from = end + 1 + (s[end + 1] == '+' || s[end + 1] == '-');
        uint32_t to = digits(l, from, 10);
        if (to > from) {
            *kind = TOK_FLOAT;
            end = to;
        }
    }
    if ((s[end] | 32) == 'j') {
        *kind = TOK_IMAGINARY;
        end++;
    }
    if (*kind == TOK_INT && leading) *kind = TOK_ERROR;
    return end;
}

static void number(lexer *l)
{
    token_kind kind;
    uint32_t begin = l->at, end = number_end(l, begin, &kind), word = word_end(l, end);
    uint32_t letters = end;
    while (letters < word && (l->text[letters] | 32) >= 'a' && (l->text[letters] | 32) <= 'z')
        letters++;
    if (word > end && !may_follow_number(lex_word(l->text + end, letters - end))) {
        kind = TOK_ERROR;
        end = word;
    }
    push(l, kind, begin, end);
    l->at = end;
}

/* strings */

static void string(lexer *l)
{
    uint32_t begin = l->at;
    lex_string s = lex_string_scan(&l->c->arena, l->src, begin, &l->lines);
    if (!s.closed && s.triple) {
        structure_error(l, begin, s.open + 3, "unterminated triple-quoted string", NULL);
    }
    push(l, !s.closed ? TOK_ERROR : s.format ? TOK_FSTRING : TOK_STRING, begin, s.end);
    l->at = s.end;
}

/* punctuation and brackets */

static bool pairs(char open, char close)
{
    return (open == '(' && close == ')') || (open == '[' && close == ']') ||
           (open == '{' && close == '}');
}

/* A closing bracket that fits an outer opening one closes those inside it too; one that fits none
 * stands for the right one. */
static void bracket(lexer *l, char c)
{
    if (c == '(' || c == '[' || c == '{') {
        vec_push(&l->c->arena, &l->brackets, c);
        return;
    }
    if (c != ')' && c != ']' && c != '}') return;
    /* looking at a few levels keeps this linear */
    uint32_t n = l->brackets.n, depth = n < 8 ? n : 8;
    for (uint32_t i = 0; i < depth; i++) {
        if (pairs(l->brackets.at[n - 1 - i], c)) {
            l->brackets.n = n - 1 - i;
            return;
        }
    }
    if (n) l->brackets.n--;
}

static void find_first(lexer *l)
{
    for (int kind = TOKEN_COUNT - 1; kind >= TOK_POW_ASSIGN; kind--)
        l->first[(uint8_t)token_texts[kind][0]] = (uint8_t)kind;
}

static void punctuation(lexer *l)
{
    uint8_t c = (uint8_t)l->text[l->at];
    int first = c < COUNT_OF(l->first) && l->first[c] ? l->first[c] : TOKEN_COUNT;
    for (int kind = first; kind < TOKEN_COUNT; kind++) {
        const char *text = token_texts[kind];
        if (text[0] != l->text[l->at]) continue;
        uint32_t n = (uint32_t)strlen(text);
        if (strncmp(l->text + l->at, text, n) != 0) continue;
        if (n == 1) bracket(l, text[0]);
        push(l, (token_kind)kind, l->at, l->at + n);
        l->at += n;
        return;
    }
    uint32_t end = l->at;
    lex_decode(l->text, &end);
    push(l, TOK_ERROR, l->at, end);
    l->at = end;
}

/* lines */

static void misaligned(lexer *l, uint32_t begin, level now)
{
    if (now.column < l->levels.at[0].column)
        structure_error(l, begin, l->at, "this line is indented less than the function's first",
                        NULL);
    else
        structure_error(
            l, begin, l->at,
            "this line is indented less than the block above and more than the one around it",
            "align it with an earlier line");
}

static void indent_to(lexer *l, uint32_t begin, level now)
{
    if (l->piece) {
        l->piece = false;
        l->levels.at[0] = now;
        return;
    }
    level top = l->levels.at[l->levels.n - 1];
    if ((now.column > top.column) != (now.alternate > top.alternate) ||
        (now.column == top.column) != (now.alternate == top.alternate)) {
        structure_error(l, begin, l->at, "inconsistent use of tabs and spaces in indentation",
                        "indent with spaces only");
        return;
    }
    if (now.column > top.column) {
        push(l, TOK_INDENT, begin, l->at);
        vec_push(&l->c->arena, &l->levels, now);
        return;
    }
    while (l->levels.n > 1 && now.column < l->levels.at[l->levels.n - 1].column) {
        push(l, TOK_DEDENT, l->at, l->at);
        l->levels.n--;
    }
    top = l->levels.at[l->levels.n - 1];
    if (now.column != top.column) {
        misaligned(l, begin, now);
    } else if (now.alternate != top.alternate) {
        structure_error(l, begin, l->at, "inconsistent use of tabs and spaces in indentation",
                        "indent with spaces only");
    }
}

/* The white space at the start of a line; a line without tokens leaves no trace. */
static void indentation(lexer *l)
{
    uint32_t begin = l->at;
    level now = {0, 0}, first = {0, 0};
    for (;; l->at++) {
        char c = l->text[l->at];
        if (c == ' ') {
            now.column++;
            now.alternate++;
        } else if (c == '\t') {
            now.column = (now.column / 8 + 1) * 8;
            now.alternate++;
        } else if (c == '\f') {
            now = (level){0, 0};
        } else if (c == '\\' && is_newline(l->text[l->at + 1])) {
            /* indentation is what stands before the first backslash, tabs counted as columns only
             */
            if (first.column == 0) first = (level){now.column, now.column};
            l->at = behind_newline(l, l->at + 1) - 1;
        } else {
            break;
        }
    }
    if (first.column) now = first;
    l->line_start = false;
    if (l->at >= l->size || l->text[l->at] == '#' || is_newline(l->text[l->at])) return;
    indent_to(l, begin, now);
}

static bool forgotten_bracket(const lexer *l)
{
    uint32_t at = l->at;
    while (l->text[at] == ' ' || l->text[at] == '\t' || l->text[at] == '\f') at++;
    if (l->text[at] < 'a' || l->text[at] > 'w') return false;
    return starts_statement(lex_word(l->text + at, word_end(l, at) - at));
}

static void newline(lexer *l)
{
    uint32_t behind = behind_newline(l, l->at);
    l->at = behind;
    if (l->brackets.n) {
        if (!forgotten_bracket(l)) return;
        l->brackets.n = 0;
    }
    push_newline(l);
    l->line_start = true;
}

static void one_token(lexer *l)
{
    char c = l->text[l->at];
    if (c == ' ' || c == '\t' || c == '\f') {
        l->at++;
    } else if (c == '#') {
        while (l->at < l->size && !is_newline(l->text[l->at])) l->at++;
    } else if (is_newline(c)) {
        newline(l);
    } else if (c == '\\' && is_newline(l->text[l->at + 1])) {
        l->at = behind_newline(l, l->at + 1);
    } else if (c == '\\') {
        push(l, TOK_ERROR, l->at, l->at + 1);
        l->at++;
    } else if (is_digit(c) || (c == '.' && is_digit(l->text[l->at + 1]))) {
        number(l);
    } else if (lex_string_prefix(l->text + l->at) != UINT32_MAX) {
        string(l);
    } else {
        uint32_t next = l->at;
        if (!lex_is_start(lex_decode(l->text, &next))) {
            punctuation(l);
            return;
        }
        uint32_t end = word_end(l, next);
        push(l, lex_word(l->text + l->at, end - l->at), l->at, end);
        l->at = end;
    }
}

static void lex(compilation *c, const source *src, bool piece, token_list *out)
{
    lexer l = {.c = c,
               .src = src,
               .text = src->text,
               .size = (uint32_t)src->size,
               .out = out,
               .line_start = true,
               .piece = piece,
               .lines = true};
    out->src = src;
    find_first(&l);
    if (lex_check(c, src)) {
        level zero = {0, 0};
        vec_push(&c->arena, &l.levels, zero);
        if (strncmp(l.text, "\xEF\xBB\xBF", 3) == 0) l.at = 3;
        while (l.at < l.size) {
            if (l.line_start) indentation(&l);
            else one_token(&l);
        }
        push_newline(&l);
        for (uint32_t i = l.levels.n; i > 1; i--) push(&l, TOK_DEDENT, l.size, l.size);
    }
    uint32_t end = src->size > UINT32_MAX - 1 ? 0 : (uint32_t)src->size;
    push(&l, TOK_END, end, end);
}

void lex_file(compilation *c, const source *src, token_list *out)
{
    lex(c, src, false, out);
}

void lex_piece(compilation *c, const source *src, token_list *out)
{
    lex(c, src, true, out);
}
