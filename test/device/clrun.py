#!/usr/bin/env python3
"""Runs kernels on the first device of an OpenCL loader, through ctypes alone: what the tests of device code stand on.

    clrun.py probe [VENDOR]                 says which device there is; fails unless a kernel really runs on it
    clrun.py build FILE [OPTIONS]           builds OpenCL C (or SPIR-V, FILE.spv) and prints the log; fails where the driver does

As a module: Device().build(text, options) gives a Program, and program.run("name", arguments, global_size, local_size) runs a kernel on
NumPy arrays, which it changes in place, NumPy scalars, and Local(bytes).
"""

import ctypes
import ctypes.util
import sys

import numpy as np

P = ctypes.c_void_p
GPU_OR_CPU = 0xFFFFFFFF
BUFFER_COPY = 1 << 5 | 1 << 0  # CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE


class Local:
    """An argument of local memory."""

    def __init__(self, size):
        self.size = size


def library():
    cl = ctypes.CDLL(ctypes.util.find_library("OpenCL") or "libOpenCL.so.1")
    for name in ("clCreateContext", "clCreateCommandQueue", "clCreateProgramWithSource", "clCreateProgramWithIL", "clCreateKernel", "clCreateBuffer"):
        if hasattr(cl, name):
            getattr(cl, name).restype = P
    return cl


def check(status, what):
    if status:
        raise RuntimeError(f"{what}: error {status}")


class Device:
    def __init__(self, vendor=None):
        self.cl = library()
        count = ctypes.c_uint()
        if self.cl.clGetPlatformIDs(0, None, ctypes.byref(count)) or not count.value:
            raise RuntimeError("no OpenCL platform")
        platforms = (P * count.value)()
        check(self.cl.clGetPlatformIDs(count.value, platforms, None), "clGetPlatformIDs")
        found = [p for p in platforms if vendor is None or vendor.lower() in self.platform_name(p).lower()]
        if not found:
            raise RuntimeError(f"no platform of {vendor}")
        self.platform = self.platform_name(found[0])
        device = P()
        check(self.cl.clGetDeviceIDs(P(found[0]), ctypes.c_ulong(GPU_OR_CPU), 1, ctypes.byref(device), None), "clGetDeviceIDs")
        self.device = device
        error = ctypes.c_int()
        self.context = P(self.cl.clCreateContext(None, 1, ctypes.byref(device), None, None, ctypes.byref(error)))
        check(error.value, "clCreateContext")
        self.queue = P(self.cl.clCreateCommandQueue(self.context, device, ctypes.c_ulong(0), ctypes.byref(error)))
        check(error.value, "clCreateCommandQueue")

    def platform_name(self, platform):
        text = ctypes.create_string_buffer(1000)
        check(self.cl.clGetPlatformInfo(P(platform), 0x0902, len(text), text, None), "clGetPlatformInfo")
        return text.value.decode()

    def build(self, code, options=""):
        """A program of OpenCL C (str) or SPIR-V (bytes). RuntimeError with the driver's log where it fails."""
        error = ctypes.c_int()
        if isinstance(code, str):
            text = code.encode()
            strings, lengths = (ctypes.c_char_p * 1)(text), (ctypes.c_size_t * 1)(len(text))
            handle = self.cl.clCreateProgramWithSource(self.context, 1, strings, lengths, ctypes.byref(error))
        else:
            handle = self.cl.clCreateProgramWithIL(self.context, code, ctypes.c_size_t(len(code)), ctypes.byref(error))
        check(error.value, "clCreateProgram")
        program = Program(self, P(handle))
        status = self.cl.clBuildProgram(program.handle, 1, ctypes.byref(self.device), options.encode(), None, None)
        program.log = program.build_log()
        if status:
            raise RuntimeError(f"clBuildProgram: error {status}\n{program.log}")
        return program


class Program:
    def __init__(self, device, handle):
        self.device, self.handle, self.log = device, handle, ""

    def build_log(self):
        size = ctypes.c_size_t()
        cl = self.device.cl
        cl.clGetProgramBuildInfo(self.handle, self.device.device, 0x1183, ctypes.c_size_t(0), None, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value + 1)
        cl.clGetProgramBuildInfo(self.handle, self.device.device, 0x1183, size, text, None)
        return text.value.decode(errors="replace").strip()

    def run(self, name, arguments, global_size=(1,), local_size=None):
        cl, error = self.device.cl, ctypes.c_int()
        kernel = P(cl.clCreateKernel(self.handle, name.encode(), ctypes.byref(error)))
        check(error.value, f"clCreateKernel {name}")
        buffers, keep = [], []
        for i, a in enumerate(arguments):
            if isinstance(a, Local):
                check(cl.clSetKernelArg(kernel, i, ctypes.c_size_t(a.size), None), f"clSetKernelArg {i}")
                continue
            if isinstance(a, np.ndarray):
                assert a.flags.c_contiguous
                buffer = P(cl.clCreateBuffer(self.device.context, ctypes.c_ulong(BUFFER_COPY), ctypes.c_size_t(max(a.nbytes, 1)),
                                             a.ctypes.data_as(P) if a.nbytes else ctypes.create_string_buffer(1), ctypes.byref(error)))
                check(error.value, "clCreateBuffer")
                buffers.append((a, buffer))
                value, size = ctypes.byref(buffer), ctypes.sizeof(P)
            else:
                bytes_ = np.asarray(a).tobytes()
                keep.append(ctypes.create_string_buffer(bytes_, len(bytes_)))
                value, size = keep[-1], len(bytes_)
            check(cl.clSetKernelArg(kernel, i, ctypes.c_size_t(size), value), f"clSetKernelArg {i}")
        n = len(global_size)
        sizes = (ctypes.c_size_t * n)(*global_size)
        local = (ctypes.c_size_t * n)(*local_size) if local_size else None
        check(cl.clEnqueueNDRangeKernel(self.device.queue, kernel, n, None, sizes, local, 0, None, None), "clEnqueueNDRangeKernel")
        check(cl.clFinish(self.device.queue), "clFinish")
        for a, buffer in buffers:
            if a.nbytes:
                check(cl.clEnqueueReadBuffer(self.device.queue, buffer, 1, ctypes.c_size_t(0), ctypes.c_size_t(a.nbytes), a.ctypes.data_as(P), 0,
                                             None, None), "clEnqueueReadBuffer")
            cl.clReleaseMemObject(buffer)
        cl.clReleaseKernel(kernel)


def probe(vendor):
    device = Device(vendor)
    x = np.arange(5, dtype=np.int32)
    device.build("kernel void twice(global int *x) { x[get_global_id(0)] *= 2; }").run("twice", [x], (5,))
    print(device.platform)
    return 0 if list(x) == [0, 2, 4, 6, 8] else 1


def main(arguments):
    try:
        if arguments[:1] == ["probe"]:
            return probe(arguments[1] if len(arguments) > 1 else None)
        if arguments[:1] == ["build"]:
            path = arguments[1]
            code = open(path, "rb").read()
            print(Device().build(code if path.endswith(".spv") else code.decode(), " ".join(arguments[2:])).log)
            return 0
    except (OSError, RuntimeError) as problem:
        print(problem)
        return 1
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
