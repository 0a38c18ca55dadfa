"""The tests of a build folder, unit tests of ctest and files of lit alike: each can be run by itself, quietly, with a limit."""

import json
import os
import re
import resource
import select
import signal
import subprocess
import time

import lit.discovery
import lit.LitConfig
import psutil

LABELS = {"unit", "fuzz", "python"}  # of ctest's; lit's files come one by one
MEMORY, FILE = 8 << 30, 1 << 30  # bytes that a test may have; one that goes on for ever ends there
PASSED, FAILED = 0, 1
LONG = ("numeric", "random")  # unit tests whose cases are tests of their own here: each would take most of a mutant's time
DIFFERS = 1 << 15  # CPL_MUTANT_DIFFERS of mutant.h


class CTest:
    def __init__(self, entry, case=None):
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.name, self.command, self.labels = entry["name"], entry.get("command"), set(properties.get("LABELS", []))
        self.variables = dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))
        self.variables.pop("CPL_TRUST_DIR", None)  # figures of mutants are of no interest
        self.when = max(os.path.getmtime(word) for word in self.command if os.path.isfile(word)) if self.command else 0
        if case:
            self.name, self.variables["CPL_TEST_CASES"] = f"{self.name}.{case}", case

    def run(self, folder, variables):
        done = subprocess.run(self.command, cwd=folder, env={**os.environ, **self.variables, **variables, "TMPDIR": folder},
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return PASSED if done.returncode == 0 else FAILED


class LitTest:
    def __init__(self, test, config):
        self.name, self.test, self.config = "/".join(test.path_in_suite), test, config
        path = test.getSourcePath()
        self.when = os.path.getmtime(path) if os.path.exists(path) else 0  # those of formats of their own

    def run(self, folder, variables):
        self.test.suite.exec_root = folder
        self.test.config.environment = {**self.test.config.environment, **variables, "XDG_CACHE_HOME": f"{folder}/cache"}
        result = self.test.config.test_format.execute(self.test, self.config)
        code = result[0] if isinstance(result, tuple) else result.code
        return PASSED if code.name in ("PASS", "FLAKYPASS", "XFAIL") else FAILED


def cases(root, name):
    """Of a unit test: the names in its table of them."""
    with open(f"{root}/test/unit/{name}.c", encoding="utf-8") as file:
        return re.findall(r"\b(?:cmocka_unit_test\w*|TEST)\((\w+)", file.read().rsplit("CMUnitTest", 1)[1])


def load(root, build):
    """Every test of these kinds."""
    listing = subprocess.check_output(["ctest", "--test-dir", build, "--show-only=json-v1"], text=True)
    tests = []
    for entry in json.loads(listing)["tests"]:
        name = entry["name"].removeprefix("unit.")
        tests += [CTest(entry, case) for case in (cases(root, name) if name in LONG else [None])]
    tests = [test for test in tests if test.command and test.labels & LABELS]
    if os.path.exists(f"{root}/test/lit.cfg.py"):
        config = lit.LitConfig.LitConfig("lit", [], "error", False, False, [], False, False, False, "lexical", {"build": build})
        tests += [LitTest(test, config) for test in lit.discovery.find_tests_for_inputs(config, [f"{root}/test"])]
    return tests


def run_in_child(test, folder, variables):
    """Ends the process."""
    status = FAILED
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        status = test.run(folder, variables)
    finally:
        os._exit(status)


def end(pid):
    """Kills a process and what it started."""
    try:
        started = psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        started = []
    for process in started:
        try:
            process.kill()
        except psutil.Error:
            pass
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def outcome(test, folder, variables, limit):
    """passed, failed or hung, and the seconds that it took."""
    os.makedirs(folder, exist_ok=True)
    start = time.monotonic()
    pid = os.fork()
    if pid == 0:
        run_in_child(test, folder, variables)
    handle = os.pidfd_open(pid)
    try:
        ready, _, _ = select.select([handle], [], [], limit)
    finally:  # also where somebody gave up waiting
        os.close(handle)
        end(pid)
    _, status = os.waitpid(pid, 0)
    seconds = time.monotonic() - start
    return ("passed" if status == 0 else "failed") if ready else "hung", seconds


def trace(test, folder, limit):
    """How it ended without a mutant, its seconds, and the numbers of the points that it passes; with DIFFERS where that is told too."""
    path = f"{folder}/passed"
    if os.path.exists(path):
        os.remove(path)
    how, seconds = outcome(test, folder, {"CPL_MUTANT_TRACE": path}, limit)
    data = open(path, "rb").read() if os.path.exists(path) else b""
    return how, seconds, sorted({data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)})
