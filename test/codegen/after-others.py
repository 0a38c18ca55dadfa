# Code is made by a kept machine of LLVM's, and none of it says what a process compiled before: that
# of each optimisation level and cpu_level after each other one, and of each other option in turn.
# REQUIRES: x86_64
# RUN: rm -rf %t && mkdir -p %t && %pyload -I %s %build %t | FileCheck %s
# CHECK: {{1[0-9][0-9]}} compilations, {{[3-9][0-9]}} codes, 0 wrong
import ctypes
import os
import subprocess
import sys

TEXT = """cir 1
entry elementwise func f(n: int64, x: float64 global*, y: float64 global*, y_len: int64 length(y)) {
  var i: int64
  parallel for i in (0:int64, n, 1:int64) {
    store(elem(y, i), add(mul(load(elem(x, i)), load(elem(x, i))), exp(load(elem(y, i)))))
  }
}
"""
ASM = 5
LEVELS = [0, 1, 2, 3, 4]
OTHERS = [{"contract": 0}, {"reassoc": 1}, {"vector_math": 0}, {"finite_math": 1}, {"fast_math": 1}, {"precise": 1},
          {"reproducible": 1}, {"simd": 0}, {"simd": 2}, {"debug_info": 1}, {"in_order": 1}, {"schedule": 1}]


class Blob(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("context", ctypes.c_void_p)]


class Library:
    def __init__(self, build):
        self.lib = ctypes.CDLL(os.path.join(build, "lib", "libcpl.so"))
        self.spec = ctypes.create_string_buffer(1024)
        self.lib.cpl_spec_init(self.spec)

    def code(self, path, options):
        context, module, blob = ctypes.c_void_p(), ctypes.c_void_p(), Blob()
        assert self.lib.cpl_context_create(None, ctypes.byref(context)) == 0
        for name, value in options.items():
            assert self.lib.cpl_context_set_option(context, name.encode(), ctypes.c_longlong(value)) == 0
        assert self.lib.cpl_module_from_file(context, path.encode(), ctypes.byref(module)) == 0
        assert self.lib.cpl_module_emit(module, b"f", self.spec, ASM, None, ctypes.byref(blob)) == 0
        text = ctypes.string_at(blob.data, blob.size).decode()
        self.lib.cpl_blob_free(ctypes.byref(blob))
        self.lib.cpl_module_release(module)
        self.lib.cpl_context_release(context)
        return text


def alone(path, options):
    """By a process that compiles nothing else."""
    words = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
    return subprocess.run(["cplc", path + ":f", "--emit", "asm", *words], capture_output=True, text=True, check=True).stdout


def sequence(values):
    """Values of which each stands behind each."""
    ways = {a: list(values) for a in values}
    at, path, out = values[0], [values[0]], []
    while path:
        if ways[path[-1]]:
            path.append(ways[path[-1]].pop())
        else:
            out.append(path.pop())
    return out[::-1]


def main():
    library, path = Library(sys.argv[1]), os.path.join(sys.argv[2], "f.cir")
    with open(path, "w") as f:
        f.write(TEXT)
    steps = [{"opt_level": opt, "cpu_level": level} for opt in range(4) for level in sequence(LEVELS)]
    steps += [options for other in OTHERS for options in (other, {})]
    known, wrong = {}, 0
    for options in steps:
        key = str(options)
        if key not in known:
            known[key] = alone(path, options)
        if library.code(path, options) != known[key]:
            print(f"{options}: other code")
            wrong += 1
    print(f"{len(steps)} compilations, {len(known)} codes, {wrong} wrong")


main()
