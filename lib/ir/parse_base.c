/* The parser's tokens, errors and types. */
#include "lib/ir/ir_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { MOST_TYPE_SUFFIXES = 32 };
#define MOST_TYPE_BYTES ((uint64_t)1 << 40)

token par_peek(const ir_parser *p, uint32_t ahead)
{
    uint32_t at = p->at + ahead;
    if (at < p->end) return p->tokens[at];
    token end = p->tokens[p->end]; /* a closing brace, or the end of the file */
    end.kind = TOK_END;
    return end;
}

token par_next(ir_parser *p)
{
    token t = par_peek(p, 0);
    if (p->at < p->end) p->at++;
    return t;
}

bool par_is(const ir_parser *p, uint32_t ahead, int kind)
{
    return par_peek(p, ahead).kind == kind;
}

bool par_token_is(const ir_parser *p, token t, const char *word)
{
    size_t n = strlen(word);
    return t.kind == TOK_NAME && t.end - t.begin == n &&
           memcmp(p->src->text + t.begin, word, n) == 0;
}

bool par_is_word(const ir_parser *p, uint32_t ahead, const char *word)
{
    return par_token_is(p, par_peek(p, ahead), word);
}

bool par_take(ir_parser *p, int kind)
{
    if (!par_is(p, 0, kind)) return false;
    p->at++;
    return true;
}

bool par_take_word(ir_parser *p, const char *word)
{
    if (!par_is_word(p, 0, word)) return false;
    p->at++;
    return true;
}

bool par_expect(ir_parser *p, int kind, const char *what)
{
    if (par_take(p, kind)) return true;
    par_expected(p, what);
    return false;
}

const char *par_text(ir_parser *p, token t)
{
    return arena_strndup(&p->c->arena, p->src->text + t.begin, t.end - t.begin);
}

cpl_span par_span(const ir_parser *p, token t)
{
    return (cpl_span){p->src->id, t.begin, t.end};
}

cpl_span par_span_from(const ir_parser *p, uint32_t begin)
{
    uint32_t end = p->at > 0 ? p->tokens[p->at - 1].end : begin;
    return (cpl_span){p->src->id, begin, end > begin ? end : begin};
}

/* Tokens are quoted in messages up to this many bytes. */
enum { MOST_QUOTED = 40 };

void par_expected(ir_parser *p, const char *what)
{
    if (p->stopped) return;
    token t = par_peek(p, 0);
    if (t.kind == TOK_END) {
        diag_error(&p->c->diags, CPL_ESYNTAX, par_span(p, t), "expected %s", what);
        return;
    }
    uint32_t n = t.end - t.begin;
    diag_error(&p->c->diags, CPL_ESYNTAX, par_span(p, t), "expected %s, found '%.*s%s'", what,
               (int)(n < MOST_QUOTED ? n : MOST_QUOTED), p->src->text + t.begin,
               n > MOST_QUOTED ? "..." : "");
}

diag *par_error(ir_parser *p, token t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *message = arena_vprintf(&p->c->arena, format, args);
    va_end(args);
    return diag_error(&p->c->diags, CPL_EIR, par_span(p, t), "%s", message);
}

void par_suggest(ir_parser *p, diag *d, token t, const map *names)
{
    if (!d || p->c->diags.errors > DIAG_MAX_ERRORS) return; /* nobody will see it */
    suggester s;
    suggest_init(&s, par_text(p, t));
    for (uint32_t i = 0; i < names->n; i++) suggest_offer(&s, names->entries[i].key);
    const char *best = suggest_best(&s);
    if (best) diag_hint(&p->c->diags, d, "did you mean '%s'?", best);
}

bool par_enter(ir_parser *p)
{
    if (p->stopped) return false;
    if (++p->nesting <= p->nesting_limit) return true;
    diag_error(&p->c->diags, CPL_ELIMIT, par_span(p, par_peek(p, 0)),
               "nested deeper than %" PRIu32 " levels", p->nesting_limit);
    p->stopped = true;
    return false;
}

void par_leave(ir_parser *p)
{
    p->nesting--;
}

bool par_int(ir_parser *p, int64_t least, int64_t most, int64_t *value)
{
    token t = par_peek(p, 0);
    if (!par_expect(p, TOK_NUMBER, "a number")) return false;
    const char *text = par_text(p, t);
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (*end || errno || *value < least || *value > most) {
        par_error(p, t, "expected an integer from %" PRId64 " to %" PRId64, least, most);
        *value = least;
    }
    return true;
}

/* Only the names that the printer writes; other spellings belong to kernel sources. */
static const cpl_type *named_type(ir_parser *p, token t)
{
    const char *name = par_text(p, t);
    cpl_dtype d = cpl_dtype_parse(name);
    if (d != CPL_DTYPE_COUNT && strcmp(cpl_dtype_name(d), name) == 0 && d != CPL_BFLOAT16)
        return comp_scalar(p->c, d);
    const cpl_type *s = map_get(&p->structs, name);
    if (!s) {
        diag *error = par_error(p, t, "unknown type '%s'", name);
        par_suggest(p, error, t, &p->structs);
    }
    return s;
}

/* dims = "[" number "]" { "[" number "]" }, outermost first */
static const cpl_type *array_type(ir_parser *p, const cpl_type *t)
{
    int64_t dims[MOST_TYPE_SUFFIXES];
    int n = 0;
    token first = par_peek(p, 0);
    while (par_take(p, '[')) {
        if (n == MOST_TYPE_SUFFIXES) {
            par_error(p, first, "the type has too many dimensions");
            return NULL;
        }
        if (!par_int(p, 1, INT64_MAX, &dims[n++]) || !par_expect(p, ']', "']'")) return NULL;
    }
    while (n-- > 0) {
        if ((uint64_t)dims[n] > MOST_TYPE_BYTES / (t->size ? t->size : 1)) {
            par_error(p, first, "the type is too large");
            return NULL;
        }
        t = comp_array(p->c, t, (uint64_t)dims[n]);
    }
    return t;
}

/* The word in front of "*"; a next statement that begins with such a name has "=" there. */
static int space_word(const ir_parser *p)
{
    token t = par_peek(p, 0);
    if (t.kind != TOK_NAME || !par_is(p, 1, '*')) return -1;
    return ir_word_find(ir_space_text, IR_SPACE_COUNT, p->src->text + t.begin, t.end - t.begin);
}

/*
 * type   = name { suffix }
 * suffix = [ space ] "*" | dims
 */
const cpl_type *par_type(ir_parser *p, bool allow_void)
{
    token name = par_peek(p, 0);
    if (!par_expect(p, TOK_NAME, "a type")) return NULL;
    const cpl_type *t = named_type(p, name);
    for (int suffixes = 0; t; suffixes++) {
        int space = space_word(p);
        bool is_pointer = space >= 0 || par_is(p, 0, '*');
        bool is_array = par_is(p, 0, '[');
        if (!is_pointer && !is_array) break;
        if (suffixes == MOST_TYPE_SUFFIXES || type_is_void(t)) {
            par_error(p, name,
                      type_is_void(t) ? "void has no pointers and arrays"
                                      : "the type has too many suffixes");
            return NULL;
        }
        if (is_array) {
            t = array_type(p, t);
            continue;
        }
        p->at += space >= 0 ? 2 : 1;
        t = comp_pointer(p->c, t, space >= 0 ? (type_space)space : SPACE_GENERIC);
    }
    if (t && t->size > MOST_TYPE_BYTES) {
        par_error(p, name, "the type is too large");
        return NULL;
    }
    if (t && type_is_void(t) && !allow_void) {
        par_error(p, name, "void is only a result");
        return NULL;
    }
    return t;
}
