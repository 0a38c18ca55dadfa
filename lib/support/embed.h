/*
 * Kernel sources as bytes of the library: EMBED(name, EMBED_FILE(path)...) defines a library_file's
 * text, name_text, and its size, name_size, from files one behind the other.
 */
#ifndef CPL_EMBED_H
#define CPL_EMBED_H

#include <stdint.h>

/* A file of kernels that the library brings with it, static. */
typedef struct library_file {
    const char *name;     /* in front of its functions': "cpl.chunks" of "cpl.chunks.join" */
    const char *path;     /* for messages */
    const char *text;     /* ends in NUL */
    const uint64_t *size; /* without that */
} library_file;

#define EMBED(name, files)                                                                         \
    __asm__(".section .rodata, \"a\"\n"                                                            \
            ".hidden " #name "_text\n.hidden " #name "_size\n"                                     \
            ".globl " #name "_text\n.globl " #name "_size\n" #name "_text:\n" files #name          \
            "_end:\n.byte 0\n"                                                                     \
            ".balign 8\n" #name "_size:\n.quad " #name "_end - " #name "_text\n.text\n");          \
    extern const char name##_text[];                                                               \
    extern const uint64_t name##_size
#define EMBED_FILE(path) ".incbin \"" path "\"\n"

#endif
