/* Symbols of the functions in an object; apart from codegen.h so that users need no LLVM
 * headers. */
#ifndef CPL_CODEGEN_SYMBOL_H
#define CPL_CODEGEN_SYMBOL_H

#include "lib/support/support.h"

/*
 * The C symbol of an entry function: its name with characters other than [A-Za-z0-9_] as _; a name
 * that generated code itself calls (abi.def) or that the linker gives a meaning gets the prefix
 * "cpl_fn_".
 */
const char *gen_symbol(arena *a, const char *name);

#endif
