/* Symbols of the functions in an object; apart from codegen.h so that users need no LLVM
 * headers. */
#ifndef CPL_CODEGEN_SYMBOL_H
#define CPL_CODEGEN_SYMBOL_H

#include "lib/support/support.h"

/*
 * The C symbol of an entry function: its name with characters other than [A-Za-z0-9_] as _; a name
 * that generated code itself calls (abi.def), that the linker gives a meaning or that is a function
 * of libc gets the prefix "cpl_fn_".
 */
const char *gen_symbol(arena *a, const char *name);

#endif
