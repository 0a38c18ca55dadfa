# Configuration of the lit tests: every stage through cplc, compared by FileCheck or with NumPy or C.
#
#   .dev/venv/bin/lit -sv test/front [--param build=DIR]      DIR: the build folder, build/ by default
#
# Substitutions: cplc, FileCheck, not, count   as they are, from PATH
#                %python  a Python that has NumPy        %cc, %cxx  the C and C++ compiler
#                %pyload  the same for scripts that load libcpl.so (a sanitizer's library must come first in the process)
#                %root    the source tree                %build     the build folder
#                %scalar  behind %intel: each work-item by itself. Vectors of them take Intel's compiler
#                         nine tenths of its time, where no such vectors are meant; with
#                         CPL_TEST_FULL=1 they are made all the same
#                %omp     what links LLVM's OpenMP runtime              %sanitize   for programs that load libcpl.so in a build with sanitizers
#                %pocl, %intel   in front of a command: OpenCL is PoCL's, Intel's on the CPU (one of them in a process)
#                %ptxas   NVIDIA's assembler
#                %clang-format  the version of it that the sources are laid out by
#                %chromium  a browser without a window, for pictures of the site
#                %clrun   a script that builds and runs OpenCL programs: test/device/clrun.py
# Features:      full (CPL_TEST_FULL=1), asan (sanitizers are on), x86_64, avx2, avx512, amd (the CPU is AMD's), clang-format, chromium, markdown (what ./dev docs takes), gdb, libclang (its Python module), png (the examples with pictures are there), pocl, intel, ptxas, spirv-val; of host programs libgomp, iomp5,
#                tbb (%tbb, %tbblibs), llvmlite, other-llvm

import glob
import os
import platform
import shutil
import subprocess
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.abspath(lit_config.params.get("build", os.path.join(root, "build")))

config.name = "cpl"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".py", ".cir", ".test"]
config.test_source_root = os.path.join(root, "test")
config.test_exec_root = os.path.join(build, "test")
# Scripts that tests call, kernels that they read, and what is not a lit test at all.
config.excludes = ["lit.cfg.py", "lit.local.cfg", "check.py", "clrun.py", "ondevice.py", "summary.py", "progress.py", "Inputs", "unit", "bench", "gpu", "fuzz", "mutate", "trust"]


def cached(name):
    """The value of a variable of the build folder's CMake cache, or None."""
    try:
        with open(os.path.join(build, "CMakeCache.txt")) as cache:
            for line in cache:
                if line.startswith(name + ":"):
                    return line.split("=", 1)[1].strip()
    except OSError:
        return None


def llvm_bin():
    llvm_config = cached("CPL_LLVM_CONFIG") or "llvm-config-22"
    try:
        return subprocess.check_output([llvm_config, "--bindir"], text=True).strip()
    except OSError:
        return "/usr/lib/llvm-22/bin"


venv = os.path.join(root, ".dev", "venv", "bin", "python")
python = venv if os.path.exists(venv) else sys.executable

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), os.path.join(root, "test", "bin"), llvm_bin(), config.environment["PATH"]])
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# Code kept on disk must not answer for the compiler under test: tests of the cache set CPL_CACHE=1 and CPL_CACHE_DIR.
config.environment["CPL_CACHE"] = "0"
config.environment["CPL_VERIFY"] = "1"
config.environment["KMP_BLOCKTIME"] = "0"  # as in cmake/flags.cmake
config.environment["CPL_TEST_BUILD"] = build
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")
if cached("CPL_ASAN") == "ON":  # as in cmake/flags.cmake, for runs without ctest
    config.environment["ASAN_OPTIONS"] = "detect_leaks=1:detect_stack_use_after_return=0:intercept_tls_get_addr=0:allocator_may_return_null=1"
    config.environment["LSAN_OPTIONS"] = f"suppressions={root}/test/leaks.txt:print_suppressions=0"
for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "OMP_NUM_THREADS", "CPL_TEST_FULL"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

pyload = python
for option, library in (("CPL_ASAN", "libasan.so"), ("CPL_TSAN", "libtsan.so")):
    if cached(option) == "ON":
        path = subprocess.check_output([cached("CMAKE_C_COMPILER") or "cc", "-print-file-name=" + library], text=True).strip()
        pyload = f"env LD_PRELOAD={path} ASAN_OPTIONS=detect_leaks=0:intercept_tls_get_addr=0:allocator_may_return_null=1 {python}"

config.substitutions += [
    ("%pyload", pyload),
    ("%python", python),
    ("%cxx", cached("CMAKE_CXX_COMPILER") or "c++"),
    ("%cc", cached("CMAKE_C_COMPILER") or "cc"),
    ("%omp", f"-L{os.path.join(os.path.dirname(llvm_bin()), 'lib')} -l:libomp.so.5"),
    ("%root", root),
    ("%build", build),
]

if cached("CPL_ASAN") == "ON":
    config.available_features.add("asan")
if cached("CPL_TSAN") == "ON":
    config.available_features.add("tsan")
config.available_features.add(platform.machine())
if os.environ.get("CPL_TEST_FULL"):
    config.available_features.add("full")
try:
    with open("/proc/cpuinfo") as cpuinfo:
        flags = cpuinfo.read().split()
    for feature, flag in (("avx2", "avx2"), ("avx512", "avx512f"), ("amd", "AuthenticAMD")):
        if flag in flags:
            config.available_features.add(feature)
except OSError:
    pass

if "x86_64" in config.available_features and not {"asan", "tsan"} & set(config.available_features):
    try:  # gdb is of use where it may trace
        run = subprocess.run(["gdb", "-nx", "-batch", "-ex", "run", "--args", "/bin/true"], text=True, timeout=60,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if "exited normally" in run.stdout:
            config.available_features.add("gdb")
    except (OSError, subprocess.TimeoutExpired):
        pass


# Devices. OpenCL runtimes are asked to run a kernel; a sanitizer's runtime and theirs do not share a process.
clrun = f"{python} {os.path.join(root, 'test', 'device', 'clrun.py')}"
venv_root = os.path.dirname(os.path.dirname(venv))
pocl_icd = (glob.glob("/etc/OpenCL/vendors/pocl*.icd") + ["/nowhere/pocl.icd"])[0]
opencl_runtimes = {"pocl": f"env OCL_ICD_VENDORS={pocl_icd}",
                   "intel": f"env OCL_ICD_VENDORS={os.path.join(root, '.dev', 'vendors')} "
                            f"LD_LIBRARY_PATH={os.path.join(venv_root, 'lib')}"}
for name, prefix in opencl_runtimes.items():
    try:
        if not {"asan", "tsan"} & set(config.available_features):
            words = f"{prefix} XDG_CACHE_HOME={config.environment['XDG_CACHE_HOME']} {clrun} probe {'portable' if name == 'pocl' else name}"
            if subprocess.run(words.split(), capture_output=True, timeout=120).returncode == 0:
                config.available_features.add(name)
    except (OSError, subprocess.TimeoutExpired):
        pass
ptxas = os.environ.get("CPL_PTXAS") or (glob.glob(os.path.join(venv_root, "lib", "python*", "site-packages", "nvidia", "*", "bin", "ptxas"))
                                        + [shutil.which("ptxas")])[0]
if ptxas:
    config.available_features.add("ptxas")
    config.environment["CPL_PTXAS"] = ptxas
if shutil.which("spirv-val"):
    config.available_features.add("spirv-val")
if os.path.exists(os.path.join(build, "examples", "equalise")):
    config.available_features.add("png")
# The site, and pictures of its pages.
if not subprocess.run([python, "-c", "import markdown, pygments"], stderr=subprocess.DEVNULL).returncode:
    config.available_features.add("markdown")
if not subprocess.run([python, "-c", "import clang.cindex"], stderr=subprocess.DEVNULL).returncode:
    config.available_features.add("libclang")
chromium = shutil.which("chromium")
if chromium:
    config.available_features.add("chromium")
config.substitutions.append(("%chromium", chromium or "chromium"))
config.opencl_runtimes, config.python, config.tree = opencl_runtimes, python, root  # for device/run
# The layout of sources is that of one version, which ./dev setup installs.
formatter = os.path.join(os.path.dirname(python), "clang-format")
if os.path.exists(formatter):
    config.available_features.add("clang-format")
config.substitutions.append(("%clang-format", formatter))
scalar = "env" if os.environ.get("CPL_TEST_FULL") else "env CL_CONFIG_CPU_VECTORIZER_MODE=1"
config.substitutions += [("%pocl", opencl_runtimes["pocl"]), ("%intel", opencl_runtimes["intel"]), ("%clrun", clrun),
                         ("%scalar", scalar), ("%ptxas", ptxas or "ptxas")]

# What host programs bring along: OpenMP runtimes, oneTBB, other LLVMs.
def compiles(compiler, language, flags, libraries=""):
    command = [cached(compiler) or "c++", "-x", language, *flags.split(), "-", "-x", "none", *libraries.split(), "-o", "/dev/null"]
    try:
        return subprocess.run(command, text=True, input="int main(void) { return 0; }", stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


peers_lib = os.path.join(root, ".dev", "peers", "lib")
folders = [os.path.join(venv_root, "lib"), peers_lib]
iomp5 = next((path for folder in folders for path in glob.glob(os.path.join(folder, "libiomp5.so"))), None)
tbb_lib = next((path for folder in folders for path in glob.glob(os.path.join(folder, "libtbb.so.12"))), "-ltbb")
tbb_headers = next((f"-I{os.path.dirname(os.path.dirname(folder))}" for folder in (os.path.join(venv_root, "include", "oneapi", "tbb"),)
                    if os.path.isdir(folder)), "")
tbb_libs = tbb_lib if tbb_lib == "-ltbb" else f"{tbb_lib} -Wl,-rpath,{os.path.dirname(tbb_lib)}"
for name, there in (
        ("libgomp", compiles("CMAKE_C_COMPILER", "c", "-fopenmp")),
        ("iomp5", iomp5),
        ("tbb", compiles("CMAKE_CXX_COMPILER", "c++", f"-std=c++17 {tbb_headers} -include oneapi/tbb/parallel_for.h", tbb_libs)),
        ("other-llvm", glob.glob("/usr/lib/*/libLLVM*.so*") + glob.glob("/usr/lib64/libLLVM*.so*")),
        ("llvmlite", subprocess.run([python, "-c", "import llvmlite.binding"], stderr=subprocess.DEVNULL).returncode == 0)):
    if there:
        config.available_features.add(name)
sanitize = "-fsanitize=address" if cached("CPL_ASAN") == "ON" else "-fsanitize=thread" if cached("CPL_TSAN") == "ON" else ""
config.substitutions += [("%sanitize", sanitize), ("%tbblibs", tbb_libs), ("%tbb", tbb_headers),
                         ("%iomp5", f"{iomp5} -Wl,-rpath,{os.path.dirname(iomp5 or root)}")]

try:  # lit can limit a test's time only with psutil
    import psutil  # noqa: F401
    slow = "asan" in config.available_features or cached("CPL_COVERAGE") == "ON"
    config.maxIndividualTestTime = 600 if slow else 300
except ImportError:
    pass
