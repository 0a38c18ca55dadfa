# Another build of the library makes other keys: what the cache holds is not loaded by it, whatever its version says.
# UNSUPPORTED: asan, tsan
# RUN: rm -rf %t && mkdir %t && %python %s %build %t | FileCheck %s
# CHECK: first: 1 entries
# CHECK: same: 1 entries
# CHECK: other build: 2 entries
# CHECK: other build again: 2 entries
import os
import re
import shutil
import subprocess
import sys

build, folder = sys.argv[1:]
library, tool = f"{folder}/libcpl.so.0", f"{folder}/cplc"
shutil.copy(f"{build}/lib/libcpl.so.0", library)
shutil.copy(f"{build}/bin/cplc", tool)
with open(f"{folder}/k.py", "w") as file:
    file.write("def f(a: float64):\n    return a*a\n")
environment = dict(os.environ, CPL_CACHE="1", CPL_CACHE_DIR=f"{folder}/cache", LD_LIBRARY_PATH=folder)


def run(what):
    reply = subprocess.run([tool, "run", f"{folder}/k.py:f", "--as", "function", "--option", "tiers=0", "a=3.0"], env=environment, text=True,
                           capture_output=True, check=True)
    assert "9" in reply.stdout, reply.stdout
    print(f"{what}:", len([name for name in os.listdir(f"{folder}/cache") if len(name) == 64]), "entries")


run("first")
run("same")
notes = subprocess.run(["readelf", "-n", library], text=True, capture_output=True, check=True).stdout
build_id = bytes.fromhex(re.search(r"Build ID: ([0-9a-f]+)", notes).group(1))
with open(library, "rb") as file:
    bytes_ = file.read()
assert bytes_.count(build_id) == 1
with open(library, "wb") as file:
    file.write(bytes_.replace(build_id, bytes(b ^ 1 for b in build_id)))
run("other build")
run("other build again")
