# README.md and docs/*.md tell the truth: their files compile, their commands run and print what they say, and nothing to stderr
# that is not shown, their links lead somewhere.
# RUN: %python %s %root %build %cc %t
# RUN: not %python %s %S/Inputs/readme %build %cc %t.bad | FileCheck %s
#
# CHECK: README.md: unexpected on stderr of
# CHECK: README.md: the output of
# CHECK: README.md links to nowhere.md, which does not exist
# CHECK: README.md links to #nothing-there, which has no such heading
# CHECK: docs/page.md links to ../README.md#gone, which has no such heading
"""Each page has a folder of its own. Blocks with a file name (```c wave.c) are written to a folder, sh blocks are run there, and an out or err block behind one is
what it prints; an sh block with an err block must fail. The build tree stands in for the installed package."""

import glob
import os
import re
import shutil
import subprocess
import sys

root, build, cc, work = sys.argv[1:5]
failures = []


def prepare():
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "bin"))
    flags = ""
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        if "CPL_ASAN:BOOL=ON" in cache.read():
            flags = " -fsanitize=address,undefined"
    with open(os.path.join(work, "cpl.pc"), "w") as pc:
        pc.write(f"Name: cpl\nDescription: libcpl in its build tree\nVersion: 0\nCflags: -I{root}/include\n"
                 f"Libs: -L{build}/lib -Wl,-rpath,{build}/lib -lcpl{flags}\n")
    os.symlink(shutil.which(cc), os.path.join(work, "bin", "cc"))
    with open(os.path.join(work, "bin", "python3"), "w") as python:
        python.write(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    os.chmod(python.name, 0o755)
    env = dict(os.environ, PKG_CONFIG_PATH=work, PYTHONPATH=os.path.join(build, "python"))
    env["PATH"] = os.pathsep.join([os.path.join(work, "bin"), os.path.join(build, "bin"), env["PATH"]])
    return env


def has_package(build):
    """Built with a sanitizer it runs in a Python that is started another way; its own tests do."""
    with open(os.path.join(build, "CMakeCache.txt")) as cache:
        sanitized = re.search("CPL_[AT]SAN:BOOL=ON", cache.read())
    return not sanitized and os.path.exists(os.path.join(build, "python", "cpl", "_cpl.abi3.so"))


def run(page, block, expected, env):
    result = subprocess.run(["sh", "-e", "-c", block], cwd=env["PWD"], env=env, text=True, capture_output=True)
    kind, text = expected if expected else (None, "")
    if (result.returncode == 0) == (kind == "err"):
        failures.append(f"{page}: exit status {result.returncode} of\n{block}{result.stderr}")
    elif kind != "err" and result.stderr:
        failures.append(f"{page}: unexpected on stderr of\n{block}{result.stderr}")
    got = result.stderr if kind == "err" else result.stdout
    if kind and got != text:
        failures.append(f"{page}: the output of\n{block}is\n{got}and not\n{text}")


def run_blocks(page, text, env):
    """Returns how many commands ran."""
    folder = os.path.join(work, page)
    os.makedirs(folder)
    env = dict(env, PWD=folder)
    blocks = re.findall(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", text, re.M | re.S)
    commands = 0
    for at, (language, name, body) in enumerate(blocks):
        if name:
            with open(os.path.join(folder, name), "w") as file:
                file.write(body)
        elif body.startswith("python3 ") and not has_package(build):
            continue
        elif language == "sh":
            follower = blocks[at + 1] if at + 1 < len(blocks) else ("", "", "")
            expected = (follower[0], follower[2]) if follower[0] in ("out", "err") else None
            run(page, body, expected, env)
            commands += 1
    return commands


def anchors(text):
    """The headings of a page, as GitHub names them."""
    for heading in re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def check_links(page, text):
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.M | re.S)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = os.path.join(root, os.path.dirname(page), path) if path else os.path.join(root, page)
        if not os.path.exists(target):
            failures.append(f"{page} links to {path}, which does not exist")
        elif anchor and target.endswith(".md") and anchor not in anchors(open(target, encoding="utf-8").read()):
            failures.append(f"{page} links to {link}, which has no such heading")


def main():
    env = prepare()
    commands = 0
    pages = ["README.md", *sorted(os.path.relpath(page, root) for page in glob.glob(os.path.join(root, "docs", "**", "*.md"), recursive=True))]
    for page in pages:
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text = file.read()
        commands += run_blocks(page, text, env)
        check_links(page, text)
    print("\n".join(failures))
    return 1 if failures or commands < 3 else 0


sys.exit(main())
