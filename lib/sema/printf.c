/*
 * printf: the directives of the format against the arguments. Accepted, after C11 7.21.6.1 without
 * what needs memory:
 *
 *     "%" { flag } [ width ] [ "." precision ] [ length ] conversion | "%%"
 */
#include "lib/sema/sema_int.h"
#include "lib/support/plural.h"

typedef struct directive {
    char conversion; /* 0 at the end */
    const char *problem;
} directive;

/* Moves *at behind the next directive that takes an argument; the text holds no NUL. */
static directive next(const char **at, const char *end)
{
    const char *p = *at;
    directive d = {0};
    for (; p < end; p++) {
        if (*p != '%') continue;
        p++;
        if (p < end && *p == '%') continue;
        while (p < end && strchr("-+ #0", *p)) p++;
        while (p < end && ((*p >= '0' && *p <= '9') || *p == '.')) p++;
        if (p < end && *p == '*') d.problem = "a width of '*' is not supported";
        while (p < end && strchr("hlLzjtq", *p)) p++;
        if (p == end) d.problem = d.problem ? d.problem : "the format ends inside a directive";
        else if (!d.problem && strchr("sSnpc", *p) && *p != 'c')
            d.problem = "texts and pointers cannot be printed";
        else if (!d.problem && !strchr("diuxXocfFeEgGaA", *p)) d.problem = "unknown directive";
        d.conversion = p < end ? *p : '?';
        *at = p < end ? p + 1 : end;
        return d;
    }
    *at = end;
    return d;
}

static void check_argument(instance *in, ast_node *arg, char conversion, uint32_t number)
{
    const cpl_type *t = sema_value(in, arg);
    sema_settle_default(in, arg);
    if (!sema_is_known(t)) return;
    if (!type_is_scalar(t)) {
        sema_error(in, arg->span, "printf prints numbers, found %s", sema_name(in, t));
        return;
    }
    if (!conversion) return;
    bool wants_float = strchr("fFeEgGaA", conversion) != NULL;
    if (wants_float == type_is_float(t)) return;
    diag *d = sema_error(in, arg->span, "directive %u, %%%c, takes %s, found %s", number,
                         conversion, wants_float ? "a float" : "an integer", sema_name(in, t));
    sema_hint(in, d, wants_float ? "use %%d or float(...)" : "use %%g or int(...)");
}

static bool text_of(instance *in, const ast_node *n, const char *what)
{
    if (n->kind == AST_STRING && !memchr(n->text, 0, n->text_length)) return true;
    if (n->kind != AST_ERROR)
        sema_error(in, n->span,
                   n->kind == AST_STRING ? "%s holds a NUL, where printing would end"
                                         : "%s of print is a literal text",
                   what);
    return false;
}

static bool is_text(const ast_node *n)
{
    return n->kind == AST_STRING || (n->kind == AST_BINARY && is_text(n->kids[0])) ||
           (n->kind == AST_BINARY && is_text(n->kids[1]));
}

static void hint_parts(instance *in, diag *d, const ast_node *n)
{
    const char *name = n->kind == AST_NAME ? n->name : "z";
    sema_hint(in, d, "print(%s.real, %s.imag)", name, name);
}

/* "%d" % i, "a" + b */
static void refuse_text(instance *in, const ast_node *n)
{
    bool format = n->op == TOK_MOD && n->kids[0]->kind == AST_STRING;
    diag *d = sema_error_as(in, CPL_EUNSUPPORTED, n->span, "print takes numbers and literal texts");
    if (format)
        sema_hint(in, d, "printf(\"%%d\\n\", i) has a format; print(\"...\", i) needs none");
    else sema_hint(in, d, "one behind the other: print(\"...\", i)");
}

void sema_print_call(instance *in, ast_node *n)
{
    for (uint32_t i = 1; i < n->kid_count; i++) {
        ast_node *kid = n->kids[i];
        if (kid->kind == AST_KEYWORD) {
            bool known = strcmp(kid->name, "sep") == 0 || strcmp(kid->name, "end") == 0;
            if (known)
                text_of(in, kid->kids[0], arena_printf(&in->s->comp->arena, "'%s'", kid->name));
            else
                sema_error(in, kid->span, "'print' has no keyword '%s': there are sep and end",
                           kid->name);
        } else if (kid->kind == AST_STRING) {
            text_of(in, kid, "the text");
        } else if (is_text(kid)) {
            refuse_text(in, kid);
        } else {
            const cpl_type *t = sema_value(in, kid);
            sema_settle_default(in, kid);
            if (!sema_is_known(t) || type_is_scalar(t)) continue;
            diag *d = sema_error(in, kid->span, "print takes numbers and literal texts, found %s",
                                 sema_name(in, t));
            if (kid->kind == AST_NAME && (type_is_pointer(t) || type_is_array(t)))
                sema_hint(in, d, "did you mean '%s[i]'?", kid->name);
            else if (type_is_complex(t)) hint_parts(in, d, kid);
        }
    }
}

void sema_printf(instance *in, ast_node *n)
{
    ast_node *format = n->kids[1];
    const char *problem = format->kind != AST_STRING ? "the format of printf is a literal text"
                          : memchr(format->text, 0, format->text_length) != NULL
                              ? "the format holds a NUL, where printf would end"
                              : NULL;
    if (problem) {
        if (format->kind != AST_ERROR) sema_error(in, format->span, "%s", problem);
        for (uint32_t i = 2; i < n->kid_count; i++) check_argument(in, n->kids[i], 0, 0);
        return;
    }
    const char *at = format->text, *end = at + format->text_length;
    uint32_t directives = 0, args = n->kid_count - 2;
    for (;;) {
        directive d = next(&at, end);
        if (!d.conversion) break;
        if (d.problem)
            sema_error(in, format->span, "directive %u of the format: %s", directives + 1,
                       d.problem);
        if (directives < args)
            check_argument(in, n->kids[2 + directives], d.problem ? 0 : d.conversion,
                           directives + 1);
        directives++;
    }
    for (uint32_t i = directives; i < args; i++) check_argument(in, n->kids[2 + i], 0, 0);
    if (directives != args)
        sema_error(in, n->span, "the format has %u directive%s, but %u argument%s given",
                   directives, plural(directives), args, counted(args, " is", "s are"));
}
