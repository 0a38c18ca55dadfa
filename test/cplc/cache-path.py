# A folder of the cache whose name is too long by one is none: the name is not cut short.
# RUN: rm -rf %t && mkdir %t && %python %s %t | FileCheck %s
# CHECK: 4095: 0 kernels, 0.0 MB in {{.*}}/folder
# CHECK-NEXT: ['folder']
# CHECK-NEXT: 4096: cplc: error: there is no cache: CPL_CACHE=0 turns it off
# CHECK-NEXT: []
import os
import subprocess
import sys

for size in (4095, 4096):
    top, name = f"{sys.argv[1]}/{size}/", "folder"
    os.mkdir(top)
    left = size - len(top) - len(name)
    path = top + "./"*(left // 2) + "/"*(left % 2) + name
    assert len(path) == size
    reply = subprocess.run(["cplc", "cache"], env={**os.environ, "CPL_CACHE": "1", "CPL_CACHE_DIR": path}, text=True, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
    print(f"{size}: {reply.stdout.strip()}")
    print(os.listdir(top))
