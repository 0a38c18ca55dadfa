/* What the build took of libclc for CUDA: LLVM bitcode that mathlib/extract.c wrote. */
#ifndef CPL_TARGET_MATHLIB_H
#define CPL_TARGET_MATHLIB_H

#include <stddef.h>

extern const unsigned char mathlib_bytes[];
extern const size_t mathlib_size; /* 0: the build found no libclc */

#endif
