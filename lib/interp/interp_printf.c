/* printf, one directive at a time through C's own. The verifier has not looked at the format: what
 * does not fit is an error. */
#include "lib/interp/interp_int.h"

#include <stdio.h>

#define LONGEST 64 /* bytes of one directive */

/* Prints one value by a directive "%...c" of n bytes, of whose length modifiers only h and hh are
 * left; wide: it was another. */
static bool print_one(const char *directive, size_t n, bool wide, char conversion,
                      const cpl_type *t, ir_value v)
{
    char format[LONGEST + 4];
    bool is_float = strchr("fFeEgGaA", conversion) != NULL;
    if (n >= LONGEST || is_float != type_is_float(t)) return false;
    memcpy(format, directive, n);
    snprintf(format + n, sizeof format - n, "%s%c",
             wide && !is_float && conversion != 'p' ? "ll" : "", conversion);
    if (is_float) printf(format, v.number);
    else if (conversion == 'p') printf(format, v.pointer);
    else if (wide) printf(format, (long long)v.bits);
    else printf(format, (int)v.bits);
    return true;
}

void interp_printf(interp *in, const ir_node *n)
{
    uint32_t next = 0;
    for (const char *p = n->text; *p && !in->failed;) {
        size_t plain = strcspn(p, "%");
        fwrite(p, 1, plain, stdout);
        p += plain;
        if (*p == 0) break;
        if (p[1] == '%') {
            putchar('%');
            p += 2;
            continue;
        }
        size_t head = 1 + strspn(p + 1, "-+ #0123456789.'"), modifier = strspn(p + head, "hlLjzt");
        char conversion = p[head + modifier];
        bool narrow = p[head] == 'h', wide = modifier && !narrow && p[head] != 'L';
        if (!conversion || !strchr("diouxXcpfFeEgGaA", conversion) || next == n->kid_count) {
            interp_fail(in, n, "the format does not fit the values");
            return;
        }
        const ir_node *value = n->kids[next++];
        if (!print_one(p, narrow ? head + modifier : head, wide, conversion, value->type,
                       interp_expr(in, value)))
            interp_fail(in, n, "the format does not fit the values");
        p += head + modifier + 1;
    }
}
