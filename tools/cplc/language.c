/* The page docs/language.md, as bytes of the tool. */
#include "cplc.h"

__asm__(".section .rodata, \"a\"\n"
        ".hidden language_page\n.globl language_page\nlanguage_page:\n"
        ".incbin \"" CPL_LANGUAGE "\"\n.byte 0\n.text\n");
extern const char language_page[];

void print_language(void)
{
    fputs(language_page, stdout);
}
