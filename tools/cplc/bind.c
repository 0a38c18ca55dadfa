/* What a parameter stands for, on the command line: op:'a+b', func:helper, const:4, type:float32.
 */
#include "cplc.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int bind_integer(cpl_bind *b, const char *name, const char *text)
{
    const char *digits = text + (*text == '-' || *text == '+');
    bool hex = digits[0] == '0' && (digits[1] | 32) == 'x', blank = isspace((unsigned char)*text);
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, hex ? 16 : 10);
    if (blank || end == text || *end || errno)
        return usage_error("%s=const:%s: a constant is an integer of 64 bits", name, text);
    *b = cpl_bind_integer(value);
    return EXIT_OK;
}

static int bind_type(cpl_bind *b, const input *in, const char *name, const char *text)
{
    const cpl_type *type = NULL;
    cpl_status status = cpl_type_parse(in->context, text, &type);
    cpl_dtype named = cpl_dtype_parse(text);
    if (status == CPL_EARG && named < CPL_BFLOAT16)
        status = cpl_type_parse(in->context, cpl_dtype_name(named), &type);
    if (status == CPL_EARG) {
        usage_error("%s=type:%s: '%s' is not a type", name, text, text);
        suggest(text, element_types()->items, element_types()->count);
        return EXIT_USAGE;
    }
    *b = cpl_bind_type(type);
    return input_failed(in, status, name);
}

/* Quotes around the whole are the command line's. */
static const char *unquoted(const char *text)
{
    size_t n = strlen(text);
    bool quoted = n > 1 && (text[0] == '\'' || text[0] == '"') && text[n - 1] == text[0];
    return quoted ? copy_text(text + 1, n - 2) : text;
}

bool bind_parse(cpl_bind *b, const input *in, const char *name, const char *text, int *failed)
{
    static const char *const kinds[] = {"op:", "func:", "const:", "type:"};
    size_t kind = 0;
    while (kind < 4 && strncmp(text, kinds[kind], strlen(kinds[kind])) != 0) kind++;
    if (kind == 4) return false;
    const char *rest = text + strlen(kinds[kind]);
    *failed = EXIT_OK;
    if (!*rest) *failed = usage_error("%s=%s: nothing stands behind the colon", name, text);
    else if (kind == 0) *b = cpl_bind_expression(unquoted(rest));
    else if (kind == 1) *b = cpl_bind_function(rest);
    else if (kind == 2) *failed = bind_integer(b, name, rest);
    else *failed = bind_type(b, in, name, rest);
    return true;
}
