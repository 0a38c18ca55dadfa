# More locals than a word has bits: each is known by itself.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t
# RUN: cplc %t/f.py:good --as function --types 'n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --implicit-check-not=warning --implicit-check-not=error
# RUN: not cplc %t/f.py:bad --as function --types 'n=int32' --emit types 2>&1 \
# RUN:   | FileCheck %s --check-prefix=BAD --implicit-check-not='error: {{[^v]}}'
# CHECK: v199: int32
# BAD: error: 'v128' is read before it is assigned
# BAD: error: 'v199' is read before it is assigned
import sys

with open(sys.argv[1] + "/f.py", "w") as file:
    late = (0, 1, 2, 63, 64, 65, 127)
    file.write("def good(n):\n" + "".join(f"    v{k} = n\n" for k in range(200) if k not in late))
    file.write("".join(f"    n += v{k}\n" for k in range(200) if k not in late) + "".join(f"    v{k} = n\n    n += v{k}\n" for k in late))
    file.write("def bad(n):\n" + "".join(f"    if n < 0:\n        v{k} = n\n" for k in range(0)) + "".join(f"    v{k} = n\n" for k in range(128)))
    file.write("    n += v128 + v199\n" + "".join(f"    v{k} = n\n" for k in range(128, 200)))
