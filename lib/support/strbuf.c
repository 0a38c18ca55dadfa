/* Text under construction. */
#include "lib/support/support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void sb_init(strbuf *sb, const mem *m)
{
    *sb = (strbuf){.mem = m};
}

void sb_free(strbuf *sb)
{
    mem_free(sb->mem, sb->at, sb->capacity);
    *sb = (strbuf){.mem = sb->mem};
}

static bool reserve(strbuf *sb, size_t more)
{
    if (sb->failed) return false;
    if (more < sb->capacity - sb->n) return true;
    size_t capacity = sb->capacity ? sb->capacity * 2 : 256;
    while (capacity <= sb->n + more) {
        if (capacity > PTRDIFF_MAX / 2) {
            sb->failed = true;
            return false;
        }
        capacity *= 2;
    }
    char *bigger = mem_realloc(sb->mem, sb->at, sb->capacity, capacity);
    if (!bigger) {
        sb->failed = true;
        return false;
    }
    sb->at = bigger;
    sb->capacity = capacity;
    return true;
}

void sb_putn(strbuf *sb, const char *text, size_t length)
{
    if (!reserve(sb, length)) return;
    if (length) memcpy(sb->at + sb->n, text, length);
    sb->n += length;
    sb->at[sb->n] = 0;
}

void sb_put(strbuf *sb, const char *text)
{
    sb_putn(sb, text, strlen(text));
}

void sb_putc(strbuf *sb, char c)
{
    sb_putn(sb, &c, 1);
}

void sb_vprintf(strbuf *sb, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    if (n > 0 && reserve(sb, (size_t)n)) {
        vsnprintf(sb->at + sb->n, (size_t)n + 1, format, again);
        sb->n += (size_t)n;
    }
    va_end(again);
}

void sb_printf(strbuf *sb, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sb_vprintf(sb, format, args);
    va_end(args);
}

/* Shortest digits that read back as the same value, whatever the program's locale calls a decimal
 * point. */
static void shortest(char *text, size_t size, double value, cpl_dtype dtype)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = c ? uselocale(c) : (locale_t)0;
    int most = dtype == CPL_FLOAT64 ? 17 : dtype == CPL_FLOAT32 ? 9 : 5;
    for (int digits = dtype == CPL_FLOAT64 ? 15 : most - 3; digits <= most; digits++) {
        snprintf(text, size, "%.*g", digits, value);
        double back = strtod(text, NULL);
        if (dtype == CPL_FLOAT32) back = (float)back;
        if (back == value) break;
    }
    if (c) {
        uselocale(before);
        freelocale(c);
    }
}

void sb_float(strbuf *sb, double value, cpl_dtype dtype)
{
    if (isnan(value)) {
        sb_put(sb, "nan");
        return;
    }
    if (isinf(value)) {
        sb_put(sb, value < 0 ? "-inf" : "inf");
        return;
    }
    char text[40];
    shortest(text, sizeof text, value, dtype);
    sb_put(sb, text);
    if (!strpbrk(text, ".e")) sb_put(sb, ".0");
}
