"""`./dev bench --gpu`: figures of libcpl on GPUs, against nvcc, cudaMemcpy, NVRTC and CuPy where they are.

gpu.py [--build DIR] [--opencl opencl:N] [--quick] [--json FILE]. Each figure is measured in a process of its own and printed as it comes; what is missing or fails
is listed and counted, and never stops the rest. README.md says what is measured.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
WHOLE_S, EACH_S = 400, 60  # the whole run, and one process
CUDA, OPENCL = "cpl cuda", "cpl opencl"
BARE = "cpl cuda, no toolkit"
# (name, who must be matched, at how much of the figure, whether more is better)
AIMS = [
    ("a*sin(x)+b f64", "nvcc", 0.97, True),
    ("a*sin(x)+b f64", "cudaMemcpy", 0.9, True),
    ("saxpy f32", "nvcc", 0.97, True),
    ("saxpy f32", "cudaMemcpy", 0.9, True),
    ("copy f64", "cudaMemcpy", 0.95, True),
    ("matmul f32", "nvcc", 0.98, True),
    ("vortex N^2 direct", "nvcc", 1.02, False),
    ("vortex N^2 tiled", "nvcc", 1.02, False),
    ("julia f64", "nvcc", 1.02, False),
    ("sums by atomics f32, 256 cells", "nvcc", 0.98, True),
    ("sums by atomics f64, 256 cells", "nvcc", 0.98, True),
    ("launch, kernel held", "cuLaunchKernel", 1.2, False),
    ("launch, by name", "CuPy", 1.0, False),
    ("first call", "NVRTC", 1.0, False),
]
FORMULAS = ["sin", "exp", "log", "pow", "erf", "atan2", "tanh*sin", "exp/sqrt", "pow + log"]
AIMS += [(f"{name} {kind}", "nvcc", 1/0.97, False) for kind in ("f64", "f32") for name in FORMULAS
         if (name, kind) != ("atan2", "f32")]
# Of CUB's figure: (what names begin with, share); the first that fits counts.
BESIDE_CUB = [("reduce + i32", 0.98), ("reduce + f64", 0.98), ("reduce argmin", 0.98), ("reduce squares f32", 0.98),
              ("scan + i32 2^28", 0.97), ("scan + f64 2^28", 0.97), ("scan", 1.0), ("select", 0.95), ("unique", 1.1),
              ("histogram", 1.1), ("counts by atomics", 0.9), ("reduce by key", 1.1), ("sort", 0.9)]
ELSEWHERE = {"cudaMemcpy": "copy f64", "CuPy": "launch, kernel held"}  # the figure of those who have none of that name


class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.end = time.monotonic() + WHOLE_S
        self.figures, self.problems = {}, []
        self.bench = os.path.join(options.build, "bin", "gpu_bench")
        self.environment = dict(os.environ, CPL_CACHE="0")

    def save(self):
        if not self.options.json:
            return
        with open(self.options.json + ".part", "w") as file:
            json.dump({"figures": self.figures, "problems": self.problems, "device": device_name()}, file, indent=1)
        os.replace(self.options.json + ".part", self.options.json)

    def problem(self, what, why):
        self.problems.append({"what": what, "why": why})
        print(f"MISSING {what}: {why}", flush=True)

    def take(self, what, command, environment=None, rename=None):
        """Runs a command, and keeps the figures it prints: name, who, value and unit between tabs."""
        left = self.end - time.monotonic()
        if left < 5:
            self.problem(what, "no time left")
            return
        try:
            process = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                     timeout=min(EACH_S, left), env=environment or self.environment)
            out, err, code = process.stdout, process.stderr, process.returncode
        except subprocess.TimeoutExpired as late:
            out = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else late.stdout or ""
            err, code = "timed out", -1
        except OSError as error:
            out, err, code = "", str(error), -1
        for line in out.splitlines():
            fields = line.split("\t")
            if len(fields) == 4:
                name, who, value, unit = fields
                who = (rename or {}).get(who, who)
                self.figures.setdefault(name, {"unit": unit})[who] = float(value)
                print(f"{name:32} {who:16} {float(value):12.4g} {unit}", flush=True)
        if code:
            self.problem(what, (err.strip().splitlines() or [f"exit status {code}"])[-1])
        self.save()


def device_name():
    try:
        return subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], text=True, timeout=20,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return "no nvidia-smi"


def opencl_gpu(run):
    """The label of OpenCL's first device that is a GPU of NVIDIA's: other platforms may stand before it."""
    if run.options.opencl:
        return run.options.opencl
    program = os.path.join(run.options.build, "bin", "cplc")
    try:
        text = subprocess.run([program, "devices"], text=True, timeout=60, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        run.problem("opencl", str(error))
        return None
    label, others = None, []
    for line in text.splitlines():
        if not line.startswith(" "):
            label = line.strip()
        elif label.startswith("opencl:") and line.split(None, 1)[0] in ("name", "vendor"):
            if "nvidia" in line.lower():
                return label
            others.append(line.split(None, 1)[1])
    run.problem("opencl", "no device of NVIDIA's" + (" but " + ", ".join(others) if others else ""))
    return None


def compile_peer(run, source, *flags):
    """The path of a peer compiled by nvcc, or None."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    program = os.path.join(run.folder, source[:-len(".cu")])
    command = [nvcc, "-O3", "-arch=native", os.path.join(here, source), "-o", program, *flags]
    try:
        process = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        run.problem("nvcc", str(error))
        return None
    if process.returncode:
        run.problem("nvcc", (process.stdout.strip().splitlines() or ["failed"])[-1])
        return None
    return program


def mathematics(run, targets, size):
    """With libdevice where a toolkit is, and as where none is."""
    peer = compile_peer(run, "gpu_math.cu", "--extended-lambda")
    program = os.path.join(run.options.build, "bin", "gpu_math")
    for target in targets:
        kind = target.split(":")[0]
        run.take(f"{target} mathematics", [program, target, size], rename={f"cpl {target}": f"cpl {kind}"})
    bare = dict(run.environment, CPL_LIBDEVICE="")
    run.take("cuda mathematics, no toolkit", [program, "cuda", size], bare, rename={CUDA: BARE})
    if peer:
        run.take("nvcc mathematics", [peer, size])


def measure(run):
    quick = run.options.quick
    size, edge, vortices = ("20", "256", "4096") if quick else ("28", "4096", "100000")
    size = str(1 << int(size))
    peer = compile_peer(run, "gpu_peer.cu", "-lnvrtc", "-lcuda")
    cupy = [sys.executable, os.path.join(here, "gpu_cupy.py")]
    targets = ["cuda"] + [label for label in [opencl_gpu(run)] if label]
    for words in (["streams", size], ["matmul", edge], ["vortex", vortices], ["loops", edge], ["launches"]):
        for target in targets:
            run.take(f"{target} {words[0]}", [run.bench, target, root, *words])
        if words[0] == "launches":  # in one process, in turns
            run.take("cuLaunchKernel", [os.path.join(run.options.build, "bin", "gpu_launch")])
        elif peer:
            run.take(f"nvcc {words[0]}", [peer, *words])
        if words[0] in ("streams", "launches"):
            run.take(f"CuPy {words[0]}", [*cupy, *words])
    mathematics(run, targets, str(1 << (20 if quick else 26)))
    for words in ("algorithms", "sorts"):
        for target in targets:
            run.take(f"{target} {words}", [run.bench, target, root, words])
        if peer:
            run.take(f"CUB {words}", [peer, words])
    disk = dict(run.environment, CPL_CACHE="1", CPL_CACHE_DIR=os.path.join(run.folder, "cache"))
    # The driver keeps what it compiled too, which would hide what a first call costs.
    fresh = dict(run.environment, CUDA_CACHE_DISABLE="1")
    for target in targets:
        run.take(f"{target} first call", [run.bench, target, root, "first", "1", "first call"], fresh)
        for name in ("first call, texts put on disk", "first call, from disk"):
            run.take(f"{target} {name}", [run.bench, target, root, "first", "2", name], disk)
    if peer:
        run.take("NVRTC first call", [peer, "first"])
    run.take("CuPy first call", [*cupy, "first"])


def aims(run):
    """AIMS, and those of the algorithms that were measured."""
    beside = []
    for name in run.figures:
        shares = [share for start, share in BESIDE_CUB if name.startswith(start)]
        if shares and "CUB" in run.figures[name]:
            beside.append((name, "CUB", shares[0], True))
    return [*AIMS, *beside, ("reduce to the host, i32 2^10", "CUB", 1.2, False)]


def report(run):
    print("\nfigure                           libcpl       peer                       of the peer   aim")
    for name, who, aim, more in aims(run):
        values = run.figures.get(name, {})
        ours, theirs = values.get(BARE, values.get(CUDA)), values.get(who)
        if theirs is None:
            theirs = run.figures.get(ELSEWHERE.get(who), {}).get(who)
        if ours is None or theirs is None:
            print(f"{name:32} {'missing' if ours is None else f'{ours:.4g}':12} {who}: {'missing' if theirs is None else f'{theirs:.4g}'}")
            continue
        ratio = ours/theirs
        met = ratio >= aim if more else ratio <= aim
        print(f"{name:32} {ours:<12.4g} {who} {theirs:<12.4g} {ratio:12.3f}   {'>=' if more else '<='} {aim:.3g}: {'met' if met else 'NOT MET'}")
    print(f"{len(run.problems)} missing")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(root, "build"))
    parser.add_argument("--opencl", metavar="opencl:N", help="the device for OpenCL's figures (NVIDIA's first)")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    print(f"GPU: {device_name() or 'none'}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        run = Run(options, folder)
        try:
            measure(run)
        except Exception as error:  # whatever is wrong with one machine, what was measured is reported
            run.problem("the benchmark", repr(error))
        report(run)
        run.save()


if __name__ == "__main__":
    main()
