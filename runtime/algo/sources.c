/* The kernel sources of algorithms, as bytes of the library. */
#include "runtime/algo/algo.h"

#define SOURCE(name, path)                                                                         \
    __asm__(".section .rodata, \"a\"\n"                                                            \
            ".hidden " #name "_text\n.hidden " #name "_size\n"                                     \
            ".globl " #name "_text\n.globl " #name "_size\n" #name "_text:\n"                      \
            ".incbin \"" path "\"\n" #name "_end:\n.byte 0\n"                                      \
            ".balign 8\n" #name "_size:\n.quad " #name "_end - " #name "_text\n.text\n");          \
    extern const char name##_text[];                                                               \
    extern const uint64_t name##_size

SOURCE(algo_chunks, CPL_ALGO "/chunks.py");

const library_file algo_chunks = {"cpl.chunks", "cpl/chunks.py", algo_chunks_text,
                                  &algo_chunks_size};
