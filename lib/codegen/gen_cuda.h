/* CUDA's own ways: gen_cuda.c, for gen_device.c. */
#ifndef CPL_GEN_CUDA_H
#define CPL_GEN_CUDA_H

#include "lib/codegen/gen_int.h"

extern const gen_traits gen_cuda_traits;
LLVMValueRef gen_cuda_work_item(gen *g, const ir_node *n);
void gen_cuda_nanosleep(gen *g, LLVMValueRef time); /* int64 */
LLVMValueRef gen_cuda_subgroup(gen *g, const ir_node *n, gen_val value, LLVMValueRef lane);
void gen_cuda_printf(gen *g, const char *format, LLVMValueRef *args, unsigned n);

#endif
