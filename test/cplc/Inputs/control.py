"""control.py FOLDER: whatever bytes a command line and the files that it names have, messages are short and steer no terminal."""
import os
import subprocess
import sys

here, folder = os.path.dirname(os.path.abspath(__file__)), os.path.abspath(sys.argv[1])
AXPB = os.path.join(here, "axpb.py")
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
failed = False


def cplc(words, message):
    global failed
    done = subprocess.run([b"cplc", *(w if isinstance(w, bytes) else w.encode() for w in words)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60)
    raw = [b for b in done.stdout if b < 32 and b not in b"\n\t" or b == 127]
    if done.returncode == 0 or raw or message not in done.stdout.decode() or len(done.stdout) > 20000:
        failed = True
        print("wrong:", words, done.returncode, done.stdout[:2000])


ESC = b"\x1b[31mred\x07\x9b"
SEEN = "\\x1b[31mred\\x07\\x9b"
with open("source.py", "wb") as f:
    f.write(b"def f(i, x):\n    x[i] = '" + ESC + b"' + y\n")
cplc(["source.py", "--types", "x=float64[]", "--emit", "ir"], "\\x1b[31mred\\x07")
cplc([ESC + b".py", "--emit", "ast"], SEEN + ".py: cannot be read")
cplc([AXPB, "--emit", ESC], f"unknown stage '{SEEN}'")
cplc([AXPB, b"--" + ESC, "--emit", "ast"], f"unknown option '--{SEEN}'")
cplc([AXPB + ":" + "f" * 100000, "--emit", "ast"], "has no function 'ffff")
cplc(["run", AXPB, b"x=" + ESC], f"x={SEEN}: not a number")
cplc(["run", AXPB, "x=float64[4]", "y=float64[4]", "a=1", "b=2", "--out", b"y=absent/" + ESC], f"absent/{SEEN}: No such file")
with open("a.npy", "wb") as f:
    f.write(b"\x93NUMPY\x01\0\x76\0" + (b"{'descr': '" + ESC + b"', 'fortran_order': False, 'shape': (4,), }").ljust(117) + b"\n")
cplc(["run", AXPB, "x=a.npy", "y=float64[4]", "a=1", "b=2"], SEEN)

# Long lines and names.
with open("long.py", "w") as f:
    f.write("def f(i, x):\n    x[i] = " + "x[i] + " * 300000 + "nothing\n" + "def g(i, x):\n    x[i] = " + "n" * 2000000 + "\n")
for function in ("f", "g"):
    cplc([f"long.py:{function}", "--types", "x=float64[]", "--emit", "ir", "--option", "max_nesting=5000"], "error")
with open("many.py", "w") as f:
    f.write("".join(f"def f{i}(i, x):\n    x[i] = 1\n" for i in range(20000)))
cplc(["many.py:g", "--emit", "ast"], "has no function 'g'; it has f0, f1,")
print("failed" if failed else "all shown")
sys.exit(failed)
