# The recipes of CONTRIBUTING.md and the table of passes of lib/README.md are what the code says.
# RUN: %python %s %root
# RUN: not %python %s %root %S/Inputs/recipes | FileCheck %s
#
# CHECK: tally: lib/driver/gone.c is in the recipe and does not name it
# CHECK: tally: passes/pass.def names it and is not in the recipe
# CHECK: passes on the host: fold dce, and lib/driver/pipeline.c has {{.*}}fold exits inline fold
"""recipes.py ROOT [OTHER]: compares the files that name each recipe's example with the recipe, and the passes that pipeline.c runs with
the table of lib/README.md; CONTRIBUTING.md and lib/README.md are read from OTHER if it is given."""

import os
import re
import subprocess
import sys

root = sys.argv[1]
texts = sys.argv[2] if len(sys.argv) > 2 else root
failures = []
HOW = {"tally": r"PASS_{0}\b|PASS\(\s*{0}\b|pass_{0}\b|\b{0}\.c\b|--passes={0}\b", "sign": r"def {0}\b|\b{0}\("}


def read(path, base=root):
    with open(os.path.join(base, path), encoding="utf-8") as file:
        return file.read()


def sources():
    """Of the repository: what git knows, else all that is no output."""
    listed = subprocess.run(["git", "-C", root, "ls-files"], text=True, capture_output=True)
    if listed.returncode == 0:
        return [path for path in listed.stdout.splitlines() if os.path.isfile(os.path.join(root, path))]
    return [os.path.relpath(os.path.join(folder, name), root) for top in ("include", "lib", "passes", "runtime", "test", "tools")
            for folder, _, names in os.walk(os.path.join(root, top)) for name in names]


def naming(word):
    """Files of the library that name it, and that of its own tests."""
    for path in sources():
        if not path.startswith(("include/", "lib/", "passes/", "runtime/", "tools/")) or path.endswith((".pyc", "ir/README.md")):
            continue
        if re.search(HOW[word].format(word), read(path)):
            yield path


def check_recipes():
    rows = re.findall(r"^\| ([^|]+) \| `(\w+)` \| ([^|]+) \|$", read("CONTRIBUTING.md", texts), re.M)
    if not rows:
        failures.append("CONTRIBUTING.md has no recipes")
    for _, word, listed in rows:
        listed = re.findall(r"`([^`]+)`", listed)
        found = set(naming(word))
        for path in listed:
            if path.startswith("test/"):
                if not os.path.exists(os.path.join(root, path)) or not re.search(rf"\b{word}\b", read(path)):
                    failures.append(f"{word}: {path} does not test it")
            elif path not in found:
                failures.append(f"{word}: {path} is in the recipe and does not name it")
        failures.extend(f"{word}: {path} names it and is not in the recipe" for path in sorted(found - set(listed)))


def run_by(function, pipeline):
    """The passes that a function of pipeline.c runs, in order; of two ways to run one the second."""
    body = re.search(rf"^static bool {function}\(.*?^}}", pipeline, re.M | re.S).group(0).split("{", 1)[1]
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    body = re.sub(r"\? run_last\(p, PASS_\w+\) :", "", body)
    passes = []
    for name, call in re.findall(r"\bPASS_(\w+)|\b(inline_calls|make_total)\(p\)", body):
        passes += run_by(call, pipeline) if call else [name]
    return passes


def check_passes():
    table = read("lib/README.md", texts)
    for target, function in (("host", "host_passes"), ("devices", "device_passes")):
        row = re.search(rf"^\| {target} \| (.*) \|$", table, re.M)
        listed = [part.split(" ")[0] for part in row.group(1).split(", ")] if row else []
        runs = run_by(function, read("lib/driver/pipeline.c"))
        if listed != runs:
            failures.append(f"passes on the {target}: {' '.join(listed)}, and lib/driver/pipeline.c has {' '.join(runs)}")


check_recipes()
check_passes()
print("\n".join(failures))
sys.exit(1 if failures else 0)
