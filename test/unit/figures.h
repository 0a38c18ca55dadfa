/* Figures that tests leave for ./dev trust. */
#ifndef UNIT_FIGURES_H
#define UNIT_FIGURES_H

#include "unit.h"

#include <stdio.h>
#include <sys/stat.h>

/* Leaves figures for ./dev trust: a JSON object under $CPL_TRUST_DIR, in full/ those of the full
 * run. */
static inline void fault_figures(const char *name, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void fault_figures(const char *name, const char *format, ...)
{
    const char *folder = getenv("CPL_TRUST_DIR");
    va_list args;
    va_start(args, format);
    char path[1024], text[1024];
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    print_message("%s: %s\n", name, text);
    if (!folder) return;
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s%s", folder, test_rounds(0, 1) ? "/full" : "");
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s%s/%s.json", folder, test_rounds(0, 1) ? "/full" : "", name);
    FILE *f = fopen(path, "w");
    if (!f) return;
    fprintf(f, "{%s}\n", text);
    fclose(f);
}

#endif
