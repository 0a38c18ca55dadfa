"""bad_files.py FOLDER: imports of what is no kernel file end in errors where a kernel uses them, and nowhere else."""
import os
import subprocess
import sys

os.makedirs(sys.argv[1], exist_ok=True)
os.chdir(sys.argv[1])
failed = False


def cplc(name, function, status, message):
    global failed
    text = f"import {name}\n\ndef used(i, x):\n    x[i] = {name}.f(x[i])\n\ndef unused(i, x):\n    x[i] = 1\n"
    with open("main.py", "w", encoding="utf-8") as f:
        f.write(text)
    done = subprocess.run(["cplc", "main.py:" + function, "--types", "x=float64[]", "--emit", "ir"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", timeout=60)
    if done.returncode != status or message not in done.stdout or len(done.stdout) > 20000:
        failed = True
        print("wrong:", name, function, "status", done.returncode, done.stdout[:2000])


def check(name, message):
    cplc(name, "used", 1, message)
    cplc(name, "unused", 0, "entry elementwise func unused")


def put(name, content):
    with open(name + ".py", "wb") as f:
        f.write(content)


UNKNOWN = "main.py:4:12: error: 'f' comes from module '{0}', of which kernels know nothing"
IMPORTED = "main.py:1:8: note: imported here: "
check("nowhere", IMPORTED + "there is no 'nowhere.py'")
check("nowhere", UNKNOWN.format("nowhere"))
check("n" * 300, IMPORTED + "'" + "n" * 300 + ".py' cannot be read: File name too long")
check("n" * 5000, UNKNOWN.format("n" * 5000)[:60])
os.makedirs("folder.py", exist_ok=True)
check("folder", IMPORTED + "'folder.py' is no regular file")
for name, target in (("zero", "/dev/zero"), ("loop", "loop.py"), ("gone", "not there")):
    if not os.path.islink(name + ".py"):
        os.symlink(target, name + ".py")
check("zero", IMPORTED + "'zero.py' is no regular file")
check("loop", IMPORTED + "'loop.py' cannot be read: Too many levels of symbolic links")
check("gone", IMPORTED + "there is no 'gone.py'")
if not os.path.exists("pipe.py"):
    os.mkfifo("pipe.py")
check("pipe", IMPORTED + "'pipe.py' is no regular file")
put("large", b"")
os.truncate("large.py", (64 << 20) + 1)
check("large", IMPORTED + "'large.py' is larger than 64 MiB")
os.remove("large.py")
put("secret", b"def f(x): return x\n")
os.chmod("secret.py", 0)
if not os.access("secret.py", os.R_OK):
    check("secret", IMPORTED + "'secret.py' cannot be read: Permission denied")
put("empty", b"")
check("empty", "main.py:4:18: error: 'empty.f' is not known in kernels")
put("binary", bytes(range(256)) * 20)
check("binary", "main.py:1:8: note: imported here")
put("nul", b"def f(x):\0 return x\n")
check("nul", "nul.py:1:10: error:")
put("cut", b"def f(x):\n    return (x")
check("cut", "cut.py:2:")
put("itself", b"from itself import f\n")
check("itself", "itself.py:1:20: note: imported here: the imports go in a circle")
put("stars", b"from stars import *\nfrom others import *\n")
put("others", b"from stars import *\nfrom others import *\nfrom nowhere import *\n")
check("stars", "main.py:4:18: error: 'stars.f' is not known in kernels")
# more files than are read: the last ones are not there
put("wide", "".join(f"import wide{k}\n" for k in range(300)).encode() + b"def f(x): return wide253.f(x) + wide254.f(x)\n")
for k in range(300):
    put(f"wide{k}", f"import wide, wide{k}\ndef f(x): return x\n".encode())
cplc("wide", "used", 1, "wide.py:301:33: error: 'f' comes from module 'wide254'")
cplc("wide", "used", 1, "wide.py:255:8: note: imported here: the module has 256 files already")
# many files that import all names of each other, in every order
for k in range(40):
    put(f"star{k}", "".join(f"from star{(k + j) % 40} import *\n" for j in range(40)).encode())
check("star0", "main.py:4:18: error: 'star0.f' is not known in kernels")
print("failed" if failed else "all refused")
sys.exit(failed)
