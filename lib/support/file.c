/* Files read whole. */
#include "lib/support/support.h"

#include <stdio.h>

cpl_status file_read(const mem *m, const char *path, char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    FILE *f = fopen(path, "rbe");
    if (!f) return CPL_EIO;
    strbuf sb;
    sb_init(&sb, m);
    char chunk[16384];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, f)) > 0) sb_putn(&sb, chunk, got);
    cpl_status status = ferror(f) ? CPL_EIO : sb.failed ? CPL_ENOMEM : CPL_OK;
    fclose(f);
    if (status == CPL_OK) {
        sb_putn(&sb, "", 0);
        *text = mem_realloc(m, sb.at, sb.capacity, sb.n + 1);
        if (*text) {
            *size = sb.n;
            return CPL_OK;
        }
        status = CPL_ENOMEM;
    }
    sb_free(&sb);
    return status;
}
