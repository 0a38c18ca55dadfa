"""endless.py FOLDER [sanitized]: input without an end, or with more of it than anybody can want, ends in an error."""
import os
import resource
import subprocess
import sys
import zipfile

import numpy as np

here, folder = os.path.dirname(os.path.abspath(__file__)), os.path.abspath(sys.argv[1])
LIMITED = sys.argv[2:] != ["sanitized"]  # a sanitizer maps more memory than any limit allows
failed = False
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def cplc(words, status, message, memory=None, **how):
    global failed

    def small():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))
    done = subprocess.run(["cplc", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          preexec_fn=small, timeout=60, **how)
    if done.returncode not in status or message not in done.stdout or len(done.stdout) > 2000:
        failed = True
        print("wrong:", words, "memory", memory, "status", done.returncode, done.stdout[:2000])


def sparse(name, size, start=b""):
    with open(name, "wb") as f:
        f.write(start)
        f.truncate(size)


LIMIT = "the source is larger than 64 MiB"
for stage in ("tokens", "ir"):
    cplc(["/dev/zero", "--emit", stage], [1], "/dev/zero: " + LIMIT)
cplc(["run", "/dev/zero", "x=float64[4]"], [1], LIMIT)
for memory in (120, 160, 200, 300, 400) if LIMITED else ():
    cplc(["/dev/zero", "--emit", "ast"], [1, 3], "error", memory)
cplc([".", "--emit", "ast"], [3], ".: cannot be read: Is a directory")
for name in ("large.py", "large.cir"):
    sparse(name, (64 << 20) + 1)
    cplc([name, "--emit", "ast"], [1], name + ": " + LIMIT)
    os.remove(name)
if not os.path.exists("pipe"):
    os.mkfifo("pipe")
writer = subprocess.Popen(["sh", "-c", "exec yes > pipe"], stderr=subprocess.DEVNULL)
cplc(["pipe", "--emit", "ast"], [1], "pipe: " + LIMIT)
writer.wait(60)

# Array files: nobody waits for a pipe's other end, and what a header promises is asked of memory before it is read.
AXPB = ["run", os.path.join(here, "axpb.py"), "y=float64[4]", "a=1", "b=2"]
cplc([*AXPB, "x=pipe.npy"], [3], "pipe.npy: No such file")
os.replace("pipe", "pipe.npy")
cplc([*AXPB, "x=pipe.npy"], [3], "pipe.npy: it is not a regular file")
os.remove("pipe.npy")


def array(shape, length, size):
    """A file whose header has this shape and claims this length of itself."""
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape},), }}".encode()
    sparse("a.npy", size, b"\x93NUMPY\x02\0" + length.to_bytes(4, "little") + text.ljust(116) + b"\n")


array(1 << 30, 117, 1 << 20)
cplc([*AXPB, "x=a.npy"], [1], "a.npy: it is cut short: the header promises more data than the 1048447 bytes there are")
array(1 << 62, 117, 1 << 20)
cplc([*AXPB, "x=a.npy"], [1], "a.npy: it is cut short")
array(4, 1 << 21, 1 << 30)
cplc([*AXPB, "x=a.npy"], [1], "a.npy: its header is too long")
array(4, (1 << 32) - 1, 1 << 20)
cplc([*AXPB, "x=a.npy"], [1], "a.npy: its header is too long")
array(1 << 31, 117, (16 << 30) + 200)
if LIMITED:
    cplc([*AXPB, "x=a.npy"], [3], "a.npy: out of memory: the array has 17179869184 bytes", 2000)
os.remove("a.npy")

# The same of standard input, where nothing says how much there is, and of archives, whose sizes are checked before memory is asked for.
with open("/dev/zero", "rb") as zeros:
    cplc([*AXPB, "x=-"], [1], "stdin: it is not a .npy file", stdin=zeros)
for shape, memory, status, message in ((4, None, 1, "it is cut short: the header promises 32 bytes of data, and 0 came"),
                                       (1 << 62, None, 1, "its header promises more data than any memory holds"),
                                       (1 << 31, 2000, 3, "out of memory: the array has 17179869184 bytes")):
    array(shape, 117, 129)
    with open("a.npy", "rb") as file:
        if LIMITED or not memory:
            cplc([*AXPB, "x=-"], [status], "stdin: " + message, memory, stdin=file)
header = np.lib.format.magic(1, 0) + b"\x76\0" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % (1 << 31)
with zipfile.ZipFile("a.npz", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("x.npy", header.ljust(127) + b"\n" + bytes(1 << 24))
cplc([*AXPB, "x=a.npz"], [1], "a.npz:x: it is cut short: the header promises more data than the 16777216 bytes there are")
os.remove("a.npz")
os.remove("a.npy")
print("failed" if failed else "all ended")
sys.exit(failed)
