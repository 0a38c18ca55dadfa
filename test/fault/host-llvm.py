# Programs that hold another LLVM, of this or another version, whose symbols all can see: both generate code, before, after and at once.
# REQUIRES: other-llvm
# UNSUPPORTED: asan, tsan
# RUN: %cc -std=gnu11 -O1 -Wall -Werror -I%root/include %S/Inputs/host_llvm.c -o %t -L%build/lib \
# RUN:   -lcpl -Wl,-rpath,%build/lib -ldl -pthread
# RUN: %python %s %t | FileCheck %s
# CHECK: {{^[1-9][0-9]*}} libraries, 0 failed
import glob
import os
import subprocess
import sys

found = {os.path.realpath(path) for pattern in ("/usr/lib/*/libLLVM*.so*", "/usr/lib/llvm-*/lib/libLLVM*.so*", "/usr/lib64/libLLVM*.so*")
         for path in glob.glob(pattern)}
failed = 0
for path in sorted(found):
    for when in ("before", "after"):
        run = subprocess.run([sys.argv[1], path, when, "5"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        print(f"{os.path.basename(path)} {when}: {run.stdout.strip()}")
        if run.returncode:
            failed += 1
            print(f"status {run.returncode}: {run.stderr}")
print(f"{len(found)} libraries, {failed} failed")
