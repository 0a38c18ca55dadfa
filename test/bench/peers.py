"""Who is timed: libcpl in three modes, compilers, and peers that are driven from Python. All answer the commands of bench.c."""
import os
import queue
import shlex
import shutil
import subprocess
import sys
import threading

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
venv = os.path.join(root, ".dev", "peers")  # filled by ./dev bench --peers

FAST, DEFAULT, BOUNDS, BY_NAME = "cpl fast", "cpl", "cpl bounds", "cpl by name"
OURS = {FAST: "fast_math=1", DEFAULT: "", BOUNDS: "bounds_check=1"}

PLAIN = ["-O3", "-march=native", "-fopenmp"]
# name: compilers to look for, flags. clang needs to be told of glibc's vector functions, gcc knows them.
COMPILERS = {
    "gcc": (["gcc"], PLAIN),
    "gcc fast": (["gcc"], [*PLAIN, "-ffast-math"]),
    "clang": (["clang-22"], PLAIN),
    "clang fast": (["clang-22"], [*PLAIN, "-ffast-math", "-fveclib=libmvec"]),
}
PYTHON = {"Numba": "numba", "Compyle": "compyle", "Intel OCL": "opencl"}
ALWAYS = ["gcc", "gcc fast"]
EVERY = [*COMPILERS, *PYTHON]

# Idle threads of one runtime must not keep cores from another: they spin for a moment, and whoever is timed waits longer than that
# first. libgomp's own default spins so long that threads which share a core lose whole time slices.
# Code that an earlier run left on disk is not what is measured.
ENVIRONMENT = {"CPL_CACHE": "0", "KMP_BLOCKTIME": "2", "GOMP_SPINCOUNT": "10000"}


class Worker:
    """A process that answers lines. One that ended is started again by the next ask, unless it never came up."""

    def __init__(self, command, greets, environment=None):
        self.command, self.greets = command, greets
        self.environment = {**os.environ, **ENVIRONMENT, **(environment or {})}
        self.process = None
        self.problem = None   # why it cannot be used at all
        self.greeting = ""

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log(), text=True,
                                        env=self.environment, bufsize=1)
        self.replies = queue.Queue()
        threading.Thread(target=self.read, args=(self.process, self.replies), daemon=True).start()
        if self.greets:
            self.greeting = self.receive(120)
            if not self.greeting.startswith("ok"):
                self.problem = self.greeting.removeprefix("error ")
                self.stop()

    @staticmethod
    def log():
        return None if os.environ.get("BENCH_VERBOSE") else subprocess.DEVNULL

    @staticmethod
    def read(process, replies):
        for line in process.stdout:
            replies.put(line.rstrip("\n"))
        replies.put(None)

    def send(self, text):
        if self.process is None and self.problem is None:
            self.start()
        if self.process is None:
            return
        try:
            self.process.stdin.write(text + "\n")
        except OSError:
            pass  # it ended: receive says so

    def receive(self, seconds=180):
        """The answer, or "error ..." when there is none."""
        if self.process is None:
            return f"error {self.problem or 'not running'}"
        try:
            reply = self.replies.get(timeout=seconds)
        except queue.Empty:
            self.stop()
            return f"error no answer in {seconds} s"
        if reply is None:
            status = self.process.wait()
            self.process = None
            return f"error it ended, status {status}"
        return reply

    def ask(self, text, seconds=180):
        self.send(text)
        return self.receive(seconds)

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def run(command, **options):
    return subprocess.run(command, check=True, text=True, **options)


def build_programs(folder, build):
    library = os.path.join(build, "lib")
    for name, *more in (("bench", "algorithm"), ("once", "algorithm")):
        sources = [f"{here}/{source}.c" for source in (name, *more)]
        run(["cc", "-std=gnu11", "-O2", "-o", os.path.join(folder, name), *sources, f"-I{root}/include", f"-L{library}",
             f"-Wl,-rpath,{library}", "-lcpl", "-lm", "-ldl"])


def compile_peer(folder, name):
    """The shared object of peer.c, or None and why there is none."""
    candidates, flags = COMPILERS[name]
    compiler = next(filter(shutil.which, candidates), None)
    if not compiler:
        return None, "missing"
    place = os.path.join(folder, name.replace(" ", "-"))
    try:
        # Linked without the flags: with -ffast-math gcc would add code that switches denormals off for the whole process.
        run([compiler, *flags, "-fPIC", "-c", "-o", place + ".o", f"{here}/peer.c"], capture_output=True)
        run([compiler, "-shared", "-fopenmp", "-o", place + ".so", place + ".o", "-lm"], capture_output=True)
    except subprocess.CalledProcessError as error:
        print(f"bench: {compiler}: {error.stderr.strip()[:400]}", file=sys.stderr)
        return None, "does not compile"
    return place + ".so", None


def python_worker(name):
    """A worker for one of PYTHON; its problem is set when it cannot run."""
    python = os.path.join(venv, "bin", "python")
    environment = {"PYTHONDONTWRITEBYTECODE": "1", "PYOPENCL_NO_CACHE": "1", "PYTHONWARNINGS": "ignore"}
    if name == "Compyle":  # keeps what it compiled under the home folder
        environment["HOME"] = os.path.join(venv, "home")
    if name == "Intel OCL":
        vendors = os.path.join(venv, "vendors")
        environment["OCL_ICD_VENDORS"] = vendors
        environment["LD_LIBRARY_PATH"] = os.path.join(venv, "lib")
        try:
            os.makedirs(vendors, exist_ok=True)
            with open(os.path.join(vendors, "intel.icd"), "w") as file:
                file.write(os.path.join(venv, "lib", "libintelocl.so") + "\n")
        except OSError:
            pass
    worker = Worker([python, f"{here}/worker.py", PYTHON[name]], True, environment)
    if not os.path.exists(python):
        worker.problem = "missing"
    else:
        worker.start()
    return worker


class Field:
    """All who are timed. problems: who cannot be, and why. workers: who answers for each name."""

    def __init__(self, folder, build, wanted):
        self.folder, self.wanted = folder, wanted
        self.problems, self.workers, self.descriptions = {}, {}, {}
        build_programs(folder, build)
        words = [f"{name}:{options}" for name, options in OURS.items()]
        self.libraries = {}
        for name in (n for n in COMPILERS if n in wanted):
            library, problem = compile_peer(folder, name)
            if problem:
                self.problems[name] = problem
            else:
                words.append(f"{name}={library}")
        native = Worker([os.path.join(folder, "bench"), f"{here}/kernels.py", *words], False)
        for name in [*OURS, BY_NAME, *(n for n in COMPILERS if n in wanted)]:
            self.workers[name] = native
        for name in (n for n in PYTHON if n in wanted):
            worker = python_worker(name)
            self.workers[name] = worker
            if worker.problem:
                absent = worker.problem.startswith(("missing", "ModuleNotFoundError", "ImportError"))
                self.problems[name] = "missing" if absent else worker.problem
            else:
                self.descriptions[name] = worker.greeting.removeprefix("ok ")

    def ready(self, name):
        return name in self.workers and name not in self.problems

    def processes(self):
        return list(dict.fromkeys(w for n, w in self.workers.items() if n not in self.problems))

    def once(self, *words, environment=None):
        """Lines that once.c prints; None when it fails."""
        try:
            return run([os.path.join(self.folder, "once"), *words], stdout=subprocess.PIPE,
                       env={**os.environ, **ENVIRONMENT, **(environment or {})}).stdout.splitlines()
        except subprocess.CalledProcessError:
            return None

    def compile_command(self, name):
        candidates, flags = COMPILERS[name]
        return shlex.join([next(filter(shutil.which, candidates)), *flags])

    def close(self):
        for worker in self.processes():
            worker.stop()
