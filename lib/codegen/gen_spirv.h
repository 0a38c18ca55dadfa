/* SPIR-V's own ways: gen_spirv.c, for gen_device.c. */
#ifndef CPL_GEN_SPIRV_H
#define CPL_GEN_SPIRV_H

#include "lib/codegen/gen_int.h"

extern const gen_traits gen_spirv_traits;
LLVMValueRef gen_spirv_work_item(gen *g, const ir_node *n);
LLVMValueRef gen_spirv_subgroup(gen *g, const ir_node *n, gen_val value, LLVMValueRef lane);
void gen_spirv_barrier(gen *g, type_space space);
void gen_spirv_printf(gen *g, const char *format, LLVMValueRef *args, unsigned n);

#endif
