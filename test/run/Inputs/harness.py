# Running kernels through cplc on NumPy arrays, and comparing.

import atexit
import ctypes
import os
import re
import subprocess
import sys

import numpy as np

# How each kernel is run: compiled without and with optimisation, and by the interpreter of the typed IR.
# checked compiles with bounds_check, which must change nothing as long as no index is out of range.
MODES = {"O0": ["--target", "host", "-O0"], "O3": ["--target", "host", "-O3"], "interp": ["--target", "interp"],
         "checked": ["--target", "host", "--option", "bounds_check=1"]}
HOST = tuple(MODES)
# On devices: OpenCL C by PoCL, SPIR-V by Intel's runtime, PTX as far as NVIDIA's assembler. ROOT/test/device/refused.txt lists what they cannot.
MODES.update({"pocl": ["--target", "opencl:c1.2"], "intel": ["--target", "opencl:spv1.2"], "ptx": ["--target", "cuda", "--emit", "cubin"]})
DEVICES = ("pocl", "intel", "ptx")
# On GPUs, where they are (test/gpu/run): CUDA, and NVIDIA's OpenCL, which CPL_TEST_OPENCL tells from others.
MODES.update({"cuda": ["--target", "cuda"], "nvidia": ["--target", os.environ.get("CPL_TEST_OPENCL", "opencl")]})
GPUS = ("cuda", "nvidia")
STAY = (*HOST, "intel", "pocl")  # by one process


class Failed(SystemExit):
    """cplc has failed; the text says how."""


def refused(target):
    """The list of what a target does not run: {(test, function): part of the message that says why}."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "device", "refused.txt")
    rows = [line.split(None, 3) for line in open(path) if line.strip() and not line.startswith("#")]
    return {(test, function): reason.strip() for name, test, function, reason in rows if name == target}


def table_text(path):
    """The text of a .def file with each row on a line of its own, and each comment."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for pattern, joined in (r'"\n +"', ""), (r"\(\n +", "("), (r",\n {2,}", ", "), (r"\n \* ", " "):
        text = re.sub(pattern, joined, text)
    return text


def op_rows(path):
    """The rows of op.def as dictionaries."""
    text = re.sub(r"/\*.*?\*/", "", table_text(path), flags=re.S)
    row = re.compile(r'^OP\((\w+), "(\w[^"]*)", (\w+), "([^"]*)", (\w+), (\w+), ([^,]+), (\w+), ([^,]+), (\w+),', re.M)
    keys = ("id", "text", "class", "operands", "result", "attr", "flags", "kind", "effects", "cost")
    return [dict(zip(keys, m.groups())) for m in row.finditer(text)]


def libm(name):
    """A function of one number that NumPy has not, as libm has it of long double, for arrays."""
    function = getattr(ctypes.CDLL("libm.so.6"), name + "l")
    function.argtypes, function.restype = [ctypes.c_longdouble], ctypes.c_longdouble
    return np.vectorize(function, otypes=[float])


def type_of(value, arrays):
    """The type that cplc run gives an argument: an array, or a number as on its command line."""
    if isinstance(value, np.ndarray):
        return ((value.dtype.metadata or {}).get("struct") or value.dtype.name) + "[]"
    number, _, dtype = str(value).partition(":")
    if number == "local":  # local:int32[64]
        return "local " + dtype.partition("[")[0] + "[]"
    if dtype:
        return dtype
    if number in ("true", "false", "True", "False"):
        return "bool"
    if re.fullmatch(r"[-+]?\d+", number):
        return "int32" if -2**31 <= int(number) < 2**31 else "int64" if int(number) < 2**63 else "uint64"
    floats = [np.dtype(v.dtype.name) if v.dtype.kind == "f" else np.zeros(0, v.dtype).real.dtype for v in arrays.values() if v.dtype.kind in "fc"]
    widest = max(floats, key=lambda t: t.itemsize, default=np.dtype("float64"))
    return f"complex{16*widest.itemsize}" if number.rstrip(")").endswith("j") else widest.name


class Many:
    """cplc as a process that stays (test/device/many.c), with the context of its device: an OpenCL
    runtime takes longer to start than all the rest, and LLVM a while to come from the disk."""

    def __init__(self, program, folder):
        self.files = [os.path.join(folder, f"cplc.{name}") for name in ("stdout", "stderr")]
        self.errors = open(self.files[1], "w+", errors="replace")  # the folder may go before its end
        shared = os.path.join(os.path.dirname(program), "libopencl_share.so")
        env = dict(os.environ, CPL_OPENCL_LIBRARY=shared) if os.path.exists(shared) else None
        self.process = subprocess.Popen([program], text=True, env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        atexit.register(self.end)

    def end(self):
        """What its own end tells, as of memory that nobody freed, fails the test as well."""
        self.process.communicate()
        if self.process.returncode:
            sys.stdout.flush()
            sys.stderr.write(f"{self.errors.read()}exit status {self.process.returncode} at the end\n")
            sys.stderr.flush()
            os._exit(1)

    def __call__(self, command):
        self.process.stdin.write("\t".join(self.files + command[1:]) + "\n")
        self.process.stdin.flush()
        status = self.process.stdout.readline().strip()
        if not status:  # it is gone, and the next run begins another
            stays.clear()
            atexit.unregister(self.end)
            status = f"{self.process.wait()}, which ended all"
        texts = [open(path, encoding="utf-8", errors="replace").read() for path in self.files]
        if status != "0":
            raise Failed(f"{' '.join(command)}\n{''.join(texts)}exit status {status}")
        return texts[0]


stays = []  # the one of this process


def execute_in(mode, folder, command):
    """What the command prints, by a process that stays where that saves time and there is one."""
    program = os.path.join(os.environ.get("CPL_TEST_BUILD", ""), "test", "device", "cplc_many")
    plain = not any("\t" in word or "\n" in word for word in command)
    if mode not in STAY or not plain or not os.path.exists(program):
        return execute(command)
    if not stays:
        stays.append(Many(program, folder))
    return stays[0](command)


def execute(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{' '.join(command)}\n{done.stdout}{done.stderr}exit status {done.returncode}")
    return done.stdout


def assemble(function, folder, arrays, scalars, options):
    """Compiles FILE:FUNC and assembles it, which is all that can be done without the device."""
    options = list(options)
    for word in ("--n", "--global", "--local"):
        if word in options:
            del options[options.index(word):options.index(word) + 2]
    types = " ".join(f"{k}={type_of(v, arrays)}" for k, v in {**arrays, **scalars}.items())
    execute(["cplc", function] + MODES["ptx"] + options + ["-o", os.path.join(folder, "out.cubin")] +
            ([] if ".cir:" in function else ["--types", types]))


C_TYPES = {"char": "int8", "short": "int16", "int": "int32", "long": "int64", "uchar": "uint8", "ushort": "uint16", "uint": "uint32", "ulong": "uint64",
           "float": "float32", "double": "float64"}
devices = []  # PoCL, once it is opened


def argument(word, n, arrays, scalars):
    """What a parameter of an OpenCL C kernel gets: "global double *x", "long n", "long x_len"."""
    c_type, name = word.replace("restrict ", "").rsplit(None, 1)
    name = name.lstrip("*")
    plain = name if name in arrays or name in scalars else re.sub(r"^u_|_1$", "", name)  # renamed for OpenCL C, or for the count
    if plain in arrays:
        return arrays[plain]
    if name.startswith("u_cpl_parts"):
        return np.zeros(256*8, "uint8")
    if "*" in word:
        return np.zeros(8, "uint8")  # the result
    part = plain.removesuffix("_imag")
    if part in scalars and (part != plain or str(scalars[part]).partition(":")[0].rstrip(")").endswith("j")):
        value = complex(str(scalars[part]).partition(":")[0])
        return np.dtype(C_TYPES[c_type]).type(value.real if part == plain else value.imag)
    if plain in scalars:
        number = str(scalars[plain]).partition(":")[0]
        number = {"True": "1", "False": "0"}.get(number, number)
        return np.dtype(C_TYPES[c_type]).type(float(number) if c_type in ("float", "double") else int(number))
    if plain.endswith("_len"):
        return np.int64(arrays[plain.removesuffix("_len")].size)
    layout = re.fullmatch(r"(\w+)_(shape|stride)(\d)", plain)
    if layout and layout[1] in arrays:
        array = arrays[layout[1]]
        return np.int64((array.shape if layout[2] == "shape" else array.strides)[int(layout[3])])
    if plain.endswith("_bits"):  # of a float16
        return np.float16(float(str(scalars[plain.removesuffix("_bits")]).partition(":")[0])).view("uint16")
    return np.int64(n)


def opened():
    if not devices:
        here = os.path.dirname(os.path.abspath(__file__))
        sys.path.insert(0, os.path.join(here, "..", "..", "device"))
        import clrun
        devices.append(clrun.Device("portable"))
    return devices[0]


def marked(text, mark):
    """OpenCL C with this mark behind the names of all that it defines."""
    defined = r"^(?:static|kernel|constant|typedef)\b[^\n([={]*?(\w+) ?[([={]"
    names = set(re.findall(defined, text, re.M))
    return re.sub(r"\b\w+\b", lambda m: m[0] + mark if m[0] in names else m[0], text)


def programs(texts, most):
    """Programs of so many of the texts each, the k-th with the mark _k<k>, as pairs of their
    numbers and the whole. Directives hold to the end of a program, so that they are the same."""
    kinds = {}
    for k, text in enumerate(texts):
        kinds.setdefault(tuple(sorted(set(re.findall("^#pragma.*", text, re.M)))), []).append(k)
    for same in kinds.values():
        for chosen in (same[k:k + most] for k in range(0, len(same), most)):
            yield chosen, "\n".join(marked(texts[k], f"_k{k}") for k in chosen)


class Here:
    """A run on PoCL in this process: opening it anew takes longer than all the rest. What it
    compiles in a tenth of a second it reads OpenCL's own declarations for in two, so that many
    share a program."""

    def __init__(self, function, arrays, scalars, options):
        options, self.n = list(options), len(next(iter(arrays.values()), ()))
        if "--n" in options:
            self.n = int(options[options.index("--n") + 1])
            del options[options.index("--n"):options.index("--n") + 2]
        types = " ".join(f"{k}={type_of(v, arrays)}" for k, v in {**arrays, **scalars}.items())
        given = [] if ".cir:" in function else ["--types", types]
        self.text = execute(["cplc", function, "--target", "opencl:c1.2,-fp16",
                             "--emit", "opencl-c", *options, *given])
        self.arrays, self.scalars = {k: v.copy() for k, v in arrays.items()}, dict(scalars)
        self.elementwise = "elementwise" in options

    def launch(self, program, mark):
        """The arrays behind it."""
        filled = {}  # what kernels that belong together share, by its name
        for kernel, parameters in re.findall(r"^kernel void (\w+)\(([^)]*)\)", self.text, re.M):
            words = [] if parameters == "void" else [p.strip() for p in parameters.split(",")]
            values = [filled.setdefault(w.rsplit("*", 1)[-1],
                                        argument(w, self.n, self.arrays, self.scalars))
                      for w in words]
            if self.elementwise:
                values[0] = np.int64(self.n)
            program.run(kernel + mark, values, (64,))
        return self.arrays


def run_here(runs):
    """The arrays behind each of the runs."""
    got = {}
    for chosen, text in programs([run.text for run in runs], 32):
        program = opened().build(text, os.environ.get("CPL_TEST_CLC", "-cl-std=CL1.2"))
        for k in chosen:
            got[k] = runs[k].launch(program, f"_k{k}")
    return [got[k] for k in range(len(runs))]


def here(mode, outputs, prints=False):
    """Whether PoCL in this process can run it."""
    return mode == "pocl" and outputs and not prints


def run(function, folder, arrays, scalars, outputs, mode, options=(), prints=False):
    """Runs FILE:FUNC. Records name their struct in the dtype's metadata. Returns the arrays named in outputs as they are afterwards, and "stdout",
    which is there for certain where prints is true; None where there is nothing to run it on."""
    if mode == "ptx":
        return assemble(function, folder, arrays, scalars, options)
    if here(mode, outputs, prints):
        return run_here([Here(function, arrays, scalars, options)])[0]
    command = ["cplc", "run", function, "--unchecked"] + MODES[mode] + list(options)
    for name, array in arrays.items():
        path = os.path.join(folder, f"in_{name}.npy")
        record = (array.dtype.metadata or {}).get("struct")
        np.save(path, array)
        command.append(f"{name}={path}:{record}" if record else f"{name}={path}")
    command += [f"{name}={value}" for name, value in scalars.items()]
    for name in outputs:
        path = os.path.join(folder, f"out_{name}.npy")
        if os.path.exists(path):
            os.remove(path)
        command += ["--out", f"{name}={path}"]
    stdout = execute_in(mode, folder, command)
    result = {name: np.load(os.path.join(folder, f"out_{name}.npy")) for name in outputs}
    result["stdout"] = stdout
    return result


class Later:
    """Runs whose arrays are looked at as they come, or at the end, where many are run at once."""

    def __init__(self):
        self.runs = []

    def run(self, then, function, folder, arrays, scalars, outputs, mode, options=(),
            prints=False):
        """Calls then with what run returns, if there is something."""
        if here(mode, outputs, prints):
            self.runs.append((Here(function, arrays, scalars, options), then))
            return
        got = run(function, folder, arrays, scalars, outputs, mode, options, prints)
        if got is not None:
            then(got)

    def finish(self):
        for got, (_, then) in zip(run_here([run for run, _ in self.runs]), self.runs):
            then(got)


def ordered(a):
    """Floats as integers of the same order, so that neighbours differ by 1; both zeros are 0."""
    bits = a.view(f"i{a.itemsize}").astype(object)
    least = -(1 << (8 * a.itemsize - 1))
    return np.array([b if b >= 0 else least - b for b in bits], dtype=object)


def distance(got, expected):
    """Units in the last place between two float arrays; two NaNs are equal, a NaN and a number far apart."""
    both = np.isnan(got) & np.isnan(expected)
    one = np.isnan(got) ^ np.isnan(expected)
    d = np.abs(ordered(np.where(both | one, np.zeros_like(got), got)) -
               ordered(np.where(both | one, np.zeros_like(got), expected)))
    return np.where(one, 1 << 62, d)


def complex_distance(got, expected):
    """How far complex numbers lie apart, in units in the last place of the larger part; where a part
    is infinite or no number each by itself."""
    eps = np.finfo(expected.dtype).eps
    size = np.maximum(np.maximum(np.abs(expected.real), np.abs(expected.imag)), np.finfo(expected.dtype).tiny)
    with np.errstate(all="ignore"):
        apart = np.abs(got.astype("complex128") - expected)/(eps*size)
    odd = ~(np.isfinite(got) & np.isfinite(expected))
    for a, b in (got.real, expected.real), (got.imag, expected.imag):
        apart[odd] = np.fmax(apart[odd], distance(a[odd], b[odd]).astype(float))
    return apart


def same(what, got, expected, ulps=0, inputs=None):
    """Compares; prints the first differences. ulps 0: bit for bit, but any NaN equals any."""
    expected = np.asarray(expected)
    if expected.dtype.names:
        return all([same(f"{what}.{k}", got[k].ravel(), expected[k].ravel(), ulps) for k in expected.dtype.names])
    if got.dtype != expected.dtype or got.shape != expected.shape:
        print(f"{what}: got {got.dtype}{got.shape}, expected {expected.dtype}{expected.shape}")
        return False
    got, expected = got.ravel(), expected.ravel()
    if expected.dtype.kind == "c":
        bad = complex_distance(got, expected) > ulps
    elif expected.dtype.kind == "f":
        bad = distance(got, expected) > ulps
        if ulps == 0:
            bad |= (np.signbit(got) != np.signbit(expected)) & ~np.isnan(expected)
    else:
        bad = got != expected
    if not bad.any():
        return True
    print(f"{what}: {int(bad.sum())} of {bad.size} values differ (allowed: {ulps} ulp)")
    for i in np.flatnonzero(bad)[:4]:
        given = {k: v[i] for k, v in (inputs or {}).items() if len(v) == len(got) and k in ("a", "b", "c")}
        print(f"    [{i}] got {got[i]!r}, expected {expected[i]!r} {given}")
    return False
