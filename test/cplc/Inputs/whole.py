"""whole.py FOLDER: outputs of cplc are complete or not there; what was there before stays when a run fails. Each case is a command, the
limit on the size of a file under which it runs, and what has to be in its folder afterwards."""
import io
import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import zipfile

here, folder = os.path.dirname(os.path.abspath(__file__)), os.path.abspath(sys.argv[1])
AXPB, TYPES = os.path.join(here, "axpb.py"), "x=float64[] y=float64[] a=float64 b=float64"
RUN = ["run", AXPB, "x=float64[1000]", "y=float64[1000]", "a=1", "b=2", "--out"]
EMIT = [AXPB, "--types", TYPES, "--emit", "obj"]
failed = False


def fresh():
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "sub"))
    os.chdir(folder)


def cplc(words, limit=None, **how):
    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run(["cplc", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                          preexec_fn=small if limit is not None else None, timeout=60, **how)


def check(what, good):
    global failed
    if not good:
        failed = True
        print("wrong:", what)


def old(name):
    """What is there before; what an archive has stays in it."""
    if not name.endswith(".npz"):
        return b"old"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as z:
        z.writestr("old.npy", b"of 300 bytes"*25)
    return file.getvalue()


def case(what, words, status, message="", limit=None, kept=(), new=()):
    """kept: files with a text of their own, which has to stay; new: those that have to be there besides, of more than one byte."""
    fresh()
    before = {name: old(name) for name in kept}
    for name, data in before.items():
        with open(name, "wb") as f:
            f.write(data)
    done = cplc(words, limit)
    check(f"{what}: status {done.returncode}, not {status}: {done.stderr}", done.returncode == status)
    check(f"{what}: {done.stderr}", message in done.stderr and (message or not done.stderr))
    there = sorted(os.listdir("."))
    check(f"{what}: {there}", there == sorted({*kept, *new, "sub"}) and not os.listdir("sub"))
    for name, data in before.items():
        check(f"{what}: {name} has changed", open(name, "rb").read() == data)
    for name in new:
        check(f"{what}: {name} is empty", os.path.getsize(name) > 1)


LARGE = "File too large"
case("out", RUN + ["y=y.npy"], 0, new=["y.npy"])
case("out past the limit", RUN + ["y=y.npy"], 3, f"y.npy: {LARGE}", limit=4096)
case("out over an older one", RUN + ["y=y.npy"], 3, f"y.npy: {LARGE}", limit=4096, kept=["y.npy"])
case("two outs", RUN + ["x=x.npy", "--out", "y=y.npy"], 0, new=["x.npy", "y.npy"])
case("the second fails", RUN + ["x=x.npy", "--out", "y=absent/y.npy"], 3, "absent/y.npy: No such file or directory")
case("out to a folder", RUN + ["y=sub"], 3, "sub: Is a directory")
case("out to a full device", RUN + ["y=/dev/full"], 3, "/dev/full: No space left on device")
ARCHIVE = ["y=a.npz", "--out", "x=a.npz", "--out", "x=a.npz:more"]
case("archive", RUN + ARCHIVE, 0, new=["a.npz"])
# In what was there, the first array, the second, the third, the directory.
for limit in (200, 1000, 8200, 16400, 24400):
    case(f"archive of {limit} bytes", RUN + ARCHIVE, 3, f"a.npz: {LARGE}", limit=limit)
    case(f"archive of {limit} bytes over an older one", RUN + ARCHIVE, 3, f"a.npz: {LARGE}", limit=limit, kept=["a.npz"])
case("archive and file", RUN + ["y=y.npy", "--out", "x=a.npz", "--out", "y=a.npz"], 0, new=["a.npz", "y.npy"])
case("the archive fails", RUN + ["y=y.npy", "--out", "x=absent/a.npz"], 3, "absent/a.npz: No such file or directory")
case("the file fails", RUN + ["y=a.npz", "--out", "x=absent/x.npy"], 3, "absent/x.npy: No such file", kept=["a.npz"])
case("an array twice", RUN + ["y=a.npz:k", "--out", "x=a.npz:k"], 2, "a.npz has an array 'k' already", kept=["a.npz"])
case("object", EMIT + ["-o", "f.o"], 0, new=["f.o"])
case("object past the limit", EMIT + ["-o", "f.o"], 3, f"f.o: {LARGE}", limit=1000)
case("object over an older one", EMIT + ["-o", "f.o"], 3, LARGE, limit=1000, kept=["f.o"])
case("text to stdout", [AXPB, "--emit", "ast", "-o", "-"], 0)
case("object and header", EMIT + ["-o", "f.o", "--header", "f.h"], 0, new=["f.o", "f.h"])
case("header fails", EMIT + ["-o", "f.o", "--header", "absent/f.h"], 3, "absent/f.h: No such file")
case("header to a full device", EMIT + ["-o", "f.o", "--header", "/dev/full"], 3, "/dev/full: No space left", kept=["f.o"])
case("object fails", EMIT + ["-o", "absent/f.o", "--header", "f.h"], 3, "absent/f.o: No such file", kept=["f.h"])
KERNELS = ["run", AXPB, "--as", "reduce", "--op", "a + b"]
for stage in ("tokens", "types", "ir", "llvm", "obj"):
    words = [*KERNELS, "--emit", stage]
    case(f"{stage} of a kernel to a full device", [*words, "v=int32[1000]", "-o", "/dev/full"], 3, "/dev/full: No space left")
    case(f"{stage} of one of two", [*words, "v=int32[100000]", "--kernel", "join", "-o", "/dev/full"], 3, "/dev/full: No space left")
    if stage != "tokens":
        case(f"{stage} of two past the limit", [*words, "v=int32[100000]", "-o", "k.out"], 3, f"k.parts.out: {LARGE}", limit=16)
case("both the same", EMIT + ["-o", "f.o", "--header", "f.o"], 2, "-o and --header name the same file", kept=["f.o"])
for name in ("p.csv", "p.json", "p.trace.json"):
    words = [*RUN[:-1], "--profile"]
    case(name, words + [name], 0, new=[name])
    case(name + " past the limit", words + [name], 3, f"{name} cannot be written: {LARGE}", limit=16, kept=[name])
    case(name + " in no folder", words + ["absent/" + name], 3, "cannot be written: No such file")

# Links are followed, rights are kept, what may not be written stays, pipes are written as they are.
fresh()
open("real.npy", "w").close()
os.chmod("real.npy", 0o640)
os.symlink("../real.npy", "sub/link.npy")
check("link", cplc(RUN + ["y=sub/link.npy"]).returncode == 0)
check("a link is followed", os.path.islink("sub/link.npy") and os.path.getsize("real.npy") > 8000)
check("rights are kept", stat.S_IMODE(os.stat("real.npy").st_mode) == 0o640)
check("new", cplc(RUN + ["y=new.npy"], umask=0o027).returncode == 0)
check("the mask decides on new ones", stat.S_IMODE(os.stat("new.npy").st_mode) == 0o640)
os.mkfifo("pipe")
reader = subprocess.Popen(["cat", "pipe"], stdout=subprocess.PIPE)
check("pipe", cplc(RUN + ["y=pipe"]).returncode == 0)
check("a pipe gets it all", len(reader.communicate()[0]) == 128 + 8000 and stat.S_ISFIFO(os.stat("pipe").st_mode))
with open("/dev/full", "w") as f:
    done = subprocess.run(["cplc", *RUN, "y=-", "--out", "x=y.npy"], stdout=f, stderr=subprocess.PIPE, text=True)
    check(f"stdout is full: {done.stderr}", done.returncode == 3 and "stdout: No space left on device" in done.stderr)
    check("no file beside a full stdout", not os.path.exists("y.npy"))
with open("stream", "w") as f:
    subprocess.run(["cplc", AXPB, "--emit", "ast", "-o", "/dev/stdout"], stdout=f, check=True)
    check("the process's own streams are written as they are", os.fstat(f.fileno()).st_size > 100)

# Interrupted while a pipe takes no more, the run leaves nothing of the file that comes before it.
fresh()
os.mkfifo("pipe")
child = subprocess.Popen(["cplc", *RUN[:3], "y=float64[100000]", *RUN[4:], "x=x.npy", "--out", "y=pipe"])
end = os.open("pipe", os.O_RDONLY)  # returns when cplc has opened it
while not [name for name in os.listdir(".") if name.startswith(".cplc-")]:
    if child.poll() is not None:
        sys.exit("whole.py: cplc ended before it was interrupted")
child.send_signal(signal.SIGTERM)
check("the signal ends it", child.wait(60) == -signal.SIGTERM)
check(f"interrupted: {os.listdir('.')}", sorted(os.listdir(".")) == ["pipe", "sub"])
os.close(end)
# Where one of several files cannot take its name, none has taken its own, and what was there before is there again.
for gone, older in [(gone, older) for gone in "abc" for older in ("", "a", "b", "c", "abc")]:
    fresh()
    os.mkfifo("pipe")
    outs = [f"--out={v}={name}" for v, name in zip("xyxy", ["a/f", "b/f", "c/f", "pipe"])]
    for name in "abc":
        os.mkdir(name)
    for name in older:
        with open(f"{name}/f", "w") as f:
            f.write("old")
    child = subprocess.Popen(["cplc", *RUN[:-1], *outs], stderr=subprocess.PIPE, text=True)
    while not all(len(os.listdir(name)) == 1 + (name in older) for name in "abc"):
        if child.poll() is not None:
            sys.exit("whole.py: cplc ended before all was written")
    shutil.rmtree(gone)
    subprocess.run(["cat", "pipe"], stdout=subprocess.DEVNULL, check=True)
    message = child.communicate()[1]
    check(f"{gone} is gone: {message}", child.returncode == 3 and f"{gone}/f: No such file" in message)
    for name in set("abc") - {gone}:
        check(f"{gone} is gone, {older} were there: {name} has {os.listdir(name)}", os.listdir(name) == ["f"]*(name in older))
        check(f"{gone} is gone: {name}/f has changed", name not in older or open(f"{name}/f").read() == "old")
print("failed" if failed else "all whole")
sys.exit(failed)
