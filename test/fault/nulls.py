# NULL in place of each pointer that a public function takes, all others being right: it is accepted or refused, and nothing crashes.
# What is refused leaves NULL where an object would go.
# RUN: %pyload %s %root %build | FileCheck %s
# CHECK-NOT: refused
# CHECK: {{^[1-9][0-9][0-9]}} calls of {{[1-9][0-9][0-9]}} functions, 0 crashed
"""Functions and their parameters are read from the headers, so that a new one is tried too. A parameter of a type that nobody makes here
fails the test: OBJECTS says how to come by one. Calls run one after the other in a child process; behind a crash another one goes on."""

import ctypes
import glob
import os
import re
import sys

root, build = sys.argv[1:3]
os.environ["CPL_CACHE"] = "0"
SOURCE = b"def f(i, x):\n    x[i] = 1.0\n"
STALE = 8  # no object
ROOM = 4096  # bytes behind each pointer that something is written to


def functions():
    """name -> types of the parameters, and whether the result is a text, of every CPL_API function."""
    for header in sorted(glob.glob(os.path.join(root, "include", "cpl", "*.h"))):
        with open(header, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/|^#.*?(?<!\\)$", "", file.read(), flags=re.S | re.M)
        found = re.findall(r"CPL_API\s+([\w\s*]+?)\b(cpl_\w+)\(((?:[^()]|\([^()]*\))*)\);", text)
        if len(found) != len(re.findall(r"\bCPL_API\b", text)):
            sys.exit(f"nulls.py: {header} declares something that is not understood")
        for result, name, params in found:
            split = [re.sub(r"\s+", " ", p).strip() for p in re.split(r",(?![^(]*\))", params)]
            yield name, result.strip(), [] if split == ["void"] else split


class World:
    """One of everything that functions take."""

    def __init__(self, lib):
        self.keep = []
        self.lib = lib

        def make(function, *args):
            out = ctypes.c_void_p()
            status = getattr(lib, function)(*args, ctypes.byref(out))
            assert status == 0 and out.value, (function, status)
            return out

        self.context = make("cpl_context_create", None)
        self.module = make("cpl_module_from_source", self.context, b"f.py", SOURCE, ctypes.c_size_t(len(SOURCE)))
        self.type = make("cpl_type_parse", self.context, b"float64")
        self.array = make("cpl_array_create", self.context, None, 12, ctypes.c_int64(4))
        lib.cpl_device_get.restype = lib.cpl_device_queue.restype = ctypes.c_void_p
        self.device = ctypes.c_void_p(lib.cpl_device_get(self.context, ctypes.c_size_t(0)))
        self.queue = ctypes.c_void_p(lib.cpl_device_queue(self.device))
        self.event = make("cpl_queue_record", self.queue)
        assert lib.cpl_graph_begin(self.queue) == 0
        self.graph = make("cpl_graph_end", self.queue)
        self.builder = make("cpl_ir_builder_create", self.context, b"b")
        self.list = make("cpl_diag_list_create")
        self.kernel = ctypes.c_void_p()
        argument = self.argument()
        status = lib.cpl_kernel_for(self.module, b"f", None, argument, ctypes.c_size_t(1), ctypes.byref(self.kernel))
        assert status == 0, status
        self.compile = make("cpl_compile_begin", self.module, b"f", None, self.argument(), ctypes.c_size_t(1))

    def room(self, first=0):
        """Memory that starts with a number, which is the size of a struct where one is asked for."""
        memory = ctypes.create_string_buffer(ROOM)
        ctypes.cast(memory, ctypes.POINTER(ctypes.c_size_t))[0] = first
        self.keep.append(memory)
        return memory

    def argument(self):
        """A cpl_arg that is the array."""
        memory = self.room()
        ctypes.cast(memory, ctypes.POINTER(ctypes.c_int))[0] = 3
        ctypes.cast(ctypes.addressof(memory) + 56, ctypes.POINTER(ctypes.c_void_p))[0] = self.array.value
        return memory

    def message(self):
        """A cpl_diag that says something."""
        memory = self.room(ROOM)
        text = ctypes.c_char_p(b"text")
        self.keep.append(text)
        ctypes.memmove(ctypes.addressof(memory) + 16, ctypes.addressof(text), 8)
        return memory


# Types of pointers, without const: what is given for them. Whatever else is written to gets room.
OBJECTS = {"cpl_context *": "context", "cpl_module *": "module", "cpl_type *": "type", "cpl_array *": "array",
           "cpl_device *": "device", "cpl_queue *": "queue", "cpl_event *": "event", "cpl_graph *": "graph",
           "cpl_ir_builder *": "builder", "cpl_kernel *": "kernel", "cpl_diag_list *": "list", "cpl_compile *": "compile"}
WRITTEN = re.compile(r"(cpl_\w+|void|char|bool|size_t|u?int\d+_t|double) \*+|u?int64_t \w*\[3\]")
HANDLES_OF_BUILDERS = {"cpl_ir_func *", "cpl_ir_var *", "cpl_ir_value *"}


def kind_of(param):
    """The type of a parameter without const and name; None: it is no pointer."""
    if "(*" in param or param.startswith("cpl_diag_sink") or param.startswith(("cpl_alloc_fn", "cpl_poll_fn", "cpl_compile_fn")):
        return "function"
    text = re.sub(r"\bconst\b ?", "", param)
    if "[" in text:
        return text
    match = re.match(r"(.*\*)\s*\w+$", text)
    return match.group(1).strip() if match else None


def value(world, param):
    kind = kind_of(param)
    if kind is None:
        return ctypes.c_double(0) if param.startswith("double") else ctypes.c_size_t(0)
    if kind in OBJECTS:
        return getattr(world, OBJECTS[kind])
    if kind == "char *":
        return ctypes.c_char_p(b"f")
    if kind == "cpl_arg *":
        return world.argument()
    if kind == "cpl_diag *":
        return world.message()
    if kind == "function" or kind in HANDLES_OF_BUILDERS:
        return None
    if not WRITTEN.match(kind):
        sys.exit(f"nulls.py: what is a '{param}'?")
    return world.room()


def calls():
    """Each function, with the index of the parameter that is NULL."""
    for name, result, params in functions():
        for at, param in enumerate(params):
            if kind_of(param) is not None:
                yield name, result, params, at


def first_of(memory):
    return ctypes.cast(memory, ctypes.POINTER(ctypes.c_void_p))


def results(params, at):
    """The parameters for objects that are made, but for the one at: NULL where none is. A cpl_array ** may be that of an array there is."""
    given = any("cpl_launch_options" in p for p in params)
    return [i for i, p in enumerate(params) if i != at and re.fullmatch(r"cpl_\w+ \*\*", kind_of(p) or "")
            and not (given and kind_of(p) == "cpl_array **")]


def run(first, pipe):
    """In a child: makes the calls from the first on, telling the parent which one comes next."""
    lib = ctypes.CDLL(os.path.join(build, "lib", "libcpl.so"))
    for number, (name, result, params, at) in enumerate(calls()):
        if number < first:
            continue
        os.write(pipe, b".")
        world = World(lib)
        args = [None if i == at else value(world, p) for i, p in enumerate(params)]
        function = getattr(lib, name)
        function.restype = ctypes.c_int if "*" not in result else ctypes.c_void_p
        objects = results(params, at)
        for i in objects:
            first_of(args[i])[0] = STALE
        refused = function(*args) and result == "cpl_status"
        if refused and any(first_of(args[i])[0] for i in objects):
            print(f"{name}: refused for NULL as '{params[at]}', and leaves what stood where an object goes", flush=True)
    os._exit(0)


everything = list(calls())
done = crashed = 0
while done < len(everything):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            run(done, write)
        finally:
            os._exit(3)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        started = len(pipe.read())
    status = os.waitpid(child, 0)[1]
    done += started
    if status:
        name, _, params, at = everything[done - 1]
        print(f"{name}: NULL as '{params[at]}': status {status:#x}")
        crashed += 1
        if not started:
            sys.exit("nulls.py: the first call did not begin")
print(f"{len(everything)} calls of {len({c[0] for c in everything})} functions, {crashed} crashed")
sys.exit(1 if crashed else 0)
