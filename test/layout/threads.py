# Every public function says from which threads it may be called.
# RUN: %python %s %root | FileCheck %s --check-prefix=ALL
# RUN: not %python %s %S/Inputs/threads | FileCheck %s
#
# ALL: {{^[1-9][0-9][0-9]}} functions, 0 without a thread rule
# CHECK: include/cpl/bad.h:13: cpl_silent: from which threads may it be called?
# CHECK: include/cpl/bad.h:15: cpl_silent_too: from which threads may it be called?
# CHECK: 6 functions, 2 without a thread rule
"""A rule is a sentence with "thread" in the comment above a function; those that follow without a comment of their own share it. Where all
functions of a header have the same rule, its first comment has it, in a sentence that says "functions here"."""

import glob
import os
import re
import sys

root = sys.argv[1]
TOKEN = re.compile(r"/\*.*?\*/|^static inline .*?^\}|CPL_API[^;]*;|^typedef (?:struct|enum|union)\b[^;{]*\{.*?^\}[^;]*;", re.S | re.M)
RULE = re.compile(r"\b(any|one|other|another|\w+'s|same|calling)\s+threads?\b", re.I)

count = missing = 0
for header in sorted(glob.glob(os.path.join(root, "include/cpl/*.h"))):
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"^#.*?(?<!\\)$", lambda m: "\n" * m.group(0).count("\n"), file.read(), flags=re.S | re.M)
    comment = general = ""
    for match in TOKEN.finditer(text):
        found = match.group(0)
        if found.startswith("/*"):
            comment = re.sub(r"\s*\n \*\s*|\s+", " ", found)
            if "functions here" in comment:
                general = comment
            continue
        if not found.startswith("CPL_API"):
            comment = ""
            continue
        count += 1
        if not RULE.search(comment) and not RULE.search(general):
            missing += 1
            name = re.search(r"(cpl_\w+)\(", found).group(1)
            line = text.count("\n", 0, match.start()) + 1
            print(f"{os.path.relpath(header, root)}:{line}: {name}: from which threads may it be called?")
print(f"{count} functions, {missing} without a thread rule")
sys.exit(1 if missing else 0)
