/* From an offset to line and column. */
#include "lib/support/support.h"

source_place source_locate(const source *s, uint32_t offset)
{
    if (offset > s->size) offset = (uint32_t)s->size;
    source_place p = {.line = 1};
    uint32_t start = 0;
    for (uint32_t i = 0; i < offset; i++) {
        bool newline = s->text[i] == '\n' ||
                       (s->text[i] == '\r' && !(i + 1 < s->size && s->text[i + 1] == '\n'));
        if (newline) {
            p.line++;
            start = i + 1;
        }
    }
    uint32_t end = start;
    while (end < s->size && s->text[end] != '\n' && s->text[end] != '\r') end++;
    p.line += s->lines_before;
    p.column = offset - start + 1;
    p.text = s->text + start;
    p.text_length = end - start;
    return p;
}
