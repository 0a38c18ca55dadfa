"""host_llvmlite.py HELPER: llvmlite's LLVM compiles and runs a function by turns with a host program's kernels."""
import ctypes
import sys

import llvmlite.binding as llvm

helper = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
helper.host_round.argtypes = [ctypes.c_int]

try:
    llvm.initialize()
except RuntimeError:
    pass  # newer versions do that by themselves
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()

TEXT = """
define i64 @f(i64 %x) {
  %y = mul i64 %x, NUMBER
  ret i64 %y
}
"""

wrong = 0
for number in range(1, 21):
    wrong += helper.host_round(number)
    module = llvm.parse_assembly(TEXT.replace("NUMBER", str(number)))
    module.verify()
    machine = llvm.Target.from_default_triple().create_target_machine()
    with llvm.create_mcjit_compiler(module, machine) as engine:
        engine.finalize_object()
        f = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(engine.get_function_address("f"))
        wrong += f(21) != 21*number
    wrong += helper.host_round(number)
print(f"20 rounds, {wrong} wrong")
sys.exit(wrong != 0)
