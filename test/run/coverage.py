# Every builtin that the host has is called by a kernel of this folder. (Those of work-items: ../lower/kernel.py. Ops of the IR: ops.py and statements.py count theirs.)
# RUN: %python %s %root

import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
import harness


def main(root):
    table = harness.table_text(os.path.join(root, "lib", "sema", "builtin.def"))
    rows = re.findall(r'^BUILTIN\(\w+, "(\w+)", (\w+),', table, re.M)
    folder = os.path.dirname(os.path.abspath(__file__))
    kernels = ""
    for path in glob.glob(os.path.join(folder, "*.py")):
        text = open(path).read()
        if "check.py %s" in text:
            kernels += text.split("\ndef cases(")[0]
    missing = [name for name, group in rows if group not in ("INDEX", "WORK") and not re.search(rf"\b{name}\b", kernels)]
    for name in missing:
        print(f"no kernel calls {name}")
    return 0 if rows and not missing else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
