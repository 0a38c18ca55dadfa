/* The bitcode that the build wrote (CPL_MATHLIB names the file), as bytes of the library. */
#include "lib/target/mathlib.h"

#ifdef CPL_MATHLIB
__asm__(".section .rodata, \"a\"\n"
        ".balign 16\n"
        ".hidden mathlib_bytes\n"
        ".hidden mathlib_size\n"
        ".globl mathlib_bytes\n"
        ".globl mathlib_size\n"
        "mathlib_bytes:\n"
        ".incbin \"" CPL_MATHLIB "\"\n"
        "mathlib_end:\n"
        ".balign 8\n"
        "mathlib_size:\n"
        ".quad mathlib_end - mathlib_bytes\n"
        ".text\n");
#else
const unsigned char mathlib_bytes[1];
const size_t mathlib_size;
#endif
