# README.md tells the truth: its files compile, its commands run and print what it says, its links lead somewhere.
# RUN: %python %s %root %build %cc %t
"""Blocks with a file name (```c wave.c) are written to a folder, sh blocks are run there, and an out or err block behind one is
what it prints; an sh block with an err block must fail. The build tree stands in for the installed package."""

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


def run(block, expected, env):
    result = subprocess.run(["sh", "-e", "-c", block], cwd=work, env=env, text=True, capture_output=True)
    kind, text = expected if expected else (None, "")
    if (result.returncode == 0) == (kind == "err"):
        failures.append(f"exit status {result.returncode} of\n{block}{result.stderr}")
    got = result.stderr if kind == "err" else result.stdout
    if kind and got != text:
        failures.append(f"the output of\n{block}is\n{got}and not\n{text}")


def main():
    env = prepare()
    with open(os.path.join(root, "README.md"), encoding="utf-8") as file:
        text = file.read()
    blocks = re.findall(r"^```(\w*)(?: (\S+))?\n(.*?)^```$", text, re.M | re.S)
    commands = 0
    for at, (language, name, body) in enumerate(blocks):
        if name:
            with open(os.path.join(work, name), "w") as file:
                file.write(body)
        elif body.startswith("python3 ") and not has_package(build):
            continue
        elif language == "sh":
            follower = blocks[at + 1] if at + 1 < len(blocks) else ("", "", "")
            expected = (follower[0], follower[2]) if follower[0] in ("out", "err") else None
            run(body, expected, env)
            commands += 1
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in link and not os.path.exists(os.path.join(root, link)):
            failures.append(f"README.md links to {link}, which does not exist")
    for line in failures:
        print(line)
    return 1 if failures or commands < 3 else 0


sys.exit(main())
