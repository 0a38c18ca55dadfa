#!/usr/bin/env python3
"""trust.py [--run FOLDER] [--full FOLDER] [--asan FOLDER] [--tsan FOLDER] [--fuzz FOLDER] [--files]: what backs the promises, on one page.

Nothing is run here. FOLDERs are build folders whose tests have run (./dev trust, asan, tsan, fuzz); what is missing is shown as not
run. --files lists the branches that no test took, by file and line. The last line says what is not met; exits with 1 if anything is not.
"""
import argparse
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
GOAL = 90  # per cent of branches

# Folder by folder; cache and API are parts of the runtime and the driver.
FOLDERS = [("front", ["lib/front/"]), ("sema", ["lib/sema/"]), ("ir", ["lib/ir/"]), ("passes", ["passes/"]), ("cache", ["runtime/cache.c"]),
           ("api", ["runtime/", "lib/driver/"]), ("lower", ["lib/lower/"]), ("codegen", ["lib/codegen/"]), ("target", ["lib/target/"]),
           ("interp", ["lib/interp/"]), ("support", ["lib/support/"])]
GOAL_FOLDERS = {"front", "sema", "ir", "passes", "cache", "api"}
NOT_API = ("runtime/cache.c", "lib/dl/", "runtime/device/", "runtime/aot/")


def faults():
    """The table of faults.txt: [(number, words, [tests])]."""
    rows = []
    with open(os.path.join(here, "faults.txt"), encoding="utf-8") as file:
        for line in file:
            if not line.strip() or line.startswith("#"):
                continue
            number, words, tests = (part.strip() for part in line.split("|"))
            rows.append((int(number), words, tests.split()))
    return rows


class Results:
    """The outcome of one test run: {"unit.api": True, "unit.api/plain_calls": True, "fault/exit.test": None, ...}; None: not run here."""

    def __init__(self, folder):
        self.outcome, self.when = {}, None
        path = os.path.join(folder, "tests.xml")
        if not os.path.exists(path):
            return
        self.when = os.path.getmtime(path)
        for case in ET.parse(path).getroot().iter("testcase"):
            name = case.get("name")
            ok = case.get("status") == "run"
            self.outcome[name] = None if case.get("status") in ("notrun", "disabled") else ok
            text = case.findtext("system-out") or ""
            for word, test in re.findall(r"^\[ +(OK|FAILED|SKIPPED) +\] (.+)$", text, re.M):
                self.outcome[f"{name}/{test.strip()}"] = {"OK": True, "FAILED": False, "SKIPPED": None}[word]
        path = os.path.join(folder, "lit.xml")
        if os.path.exists(path):
            for case in ET.parse(path).getroot().iter("testcase"):
                name = "/".join(case.get("classname").split(".", 1)[1:] + [case.get("name")]).replace("cpl/", "", 1)
                self.outcome[name] = None if case.find("skipped") is not None else case.find("failure") is None

    def find(self, test):
        """Outcomes of a test: a ctest name, ctest/case, a lit file, or a prefix of them that ends in *."""
        if test.endswith("*"):
            return [o for name, o in self.outcome.items() if name.startswith(test[:-1])]
        return [self.outcome[test]] if test in self.outcome else []

    def counts(self):
        groups = {name.split("/")[0] for name in self.outcome if "/" in name} | {"lit"}
        singles = [o for name, o in self.outcome.items() if "/" in name or name not in groups]
        return sum(o is True for o in singles), sum(o is False for o in singles), sum(o is None for o in singles)


def judge(results, tests):
    outcomes = {test: results.find(test) for test in tests}
    missing = [test for test, found in outcomes.items() if not found]
    flat = [o for found in outcomes.values() for o in found]
    if any(o is False for o in flat):
        return "FAILED", missing
    if missing:
        return "no test" if not flat else "partly", missing
    return ("pass" if any(flat) else "not run here"), missing


# --- coverage ------------------------------------------------------------------------------------------------------------


def gcov(folder):
    """{file: {(line, branch): count}} of all sources, from the counters of a build with --coverage."""
    branches = {}
    notes = glob.glob(os.path.join(os.path.abspath(folder), "**", "*.gcda"), recursive=True)  # gcov runs elsewhere
    with tempfile.TemporaryDirectory() as scratch:
        for start in range(0, len(notes), 20):
            subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--preserve-paths", *notes[start:start + 20]], cwd=scratch,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        for path in glob.glob(os.path.join(scratch, "*.gcov.json.gz")):
            with gzip.open(path, "rt") as file:
                data = json.load(file)
            for source in data["files"]:
                name = os.path.relpath(os.path.join(data["current_working_directory"], source["file"]), root)
                if name.startswith(".."):
                    continue
                table = branches.setdefault(name, {})
                for line in source["lines"]:
                    for number, branch in enumerate(line["branches"]):
                        if branch["throw"]:
                            continue
                        key = (line["line_number"], number)
                        table[key] = table.get(key, 0) + branch["count"]
    return branches


def folder_files(branches, name, prefixes):
    for path in sorted(branches):
        if path.startswith(tuple(prefixes)) and not (name == "api" and path.startswith(NOT_API)):
            yield path


def ranges(numbers):
    """[1, 2, 3, 7] as "1-3 7"."""
    words, numbers = [], sorted(set(numbers))
    while numbers:
        n = 1
        while n < len(numbers) and numbers[n] == numbers[0] + n:
            n += 1
        words.append(str(numbers[0]) if n == 1 else f"{numbers[0]}-{numbers[n - 1]}")
        numbers = numbers[n:]
    return " ".join(words)


# --- the page --------------------------------------------------------------------------------------------------------------


def ago(when):
    if when is None:
        return "not run"
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def print_faults(results):
    print(f"Faults (tests of {ago(results.when)})")
    bad = 0
    for number, words, tests in faults():
        verdict, missing = judge(results, tests)
        bad += verdict in ("FAILED", "no test", "partly")
        print(f"  {number:2}  {words:62} {verdict:12} {' '.join(tests)}" + (f"   missing: {' '.join(missing)}" if missing else ""))
    rows = faults()
    passed = sum(judge(results, tests)[0] == "pass" for _, _, tests in rows)
    print(f"  {passed} of {len(rows)} rows pass\n")
    return bad


def figures(folder):
    """What tests left: {"soak-compiles.compiles": 10000, ...}; and when."""
    found, when = {}, None
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        try:
            with open(path) as file:
                name = os.path.basename(path)[:-5]
                found.update({f"{name}.{key}": value for key, value in json.load(file).items()})
                when = max(when or 0, os.path.getmtime(path))
        except ValueError:
            pass
    return found, when


RELATIONS = {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, "=": lambda a, b: a == b}


def check_figure(goal, found):
    """(verdict, words) of "name.key>=bound", where the bound is a number or another figure."""
    name, relation, bound = re.match(r"([^<>=]+)(>=|<=|=)(.+)", goal).groups()
    bound = found.get(bound) if "." in bound and not bound[0].isdigit() else float(bound)
    if name not in found or bound is None:
        return "not run", f"{name} ?"
    ok = RELATIONS[relation](found[name], bound)
    return "met" if ok else "NOT MET", f"{name.split('.', 1)[1].replace('_', ' ')} {found[name]:,}" + ("" if ok else f" (wanted {relation} {bound:,.0f})")


def print_figures(folder):
    found, when = figures(os.path.join(folder, "trust", "full"))
    print(f"Figures ({ago(when)})")
    bad = 0
    with open(os.path.join(here, "figures.txt"), encoding="utf-8") as file:
        lines = [line for line in file if line.strip() and not line.startswith("#")]
    for line in lines:
        words, goals = (part.strip() for part in line.split("|"))
        checked = [check_figure(goal, found) for goal in goals.split()]
        verdicts = {verdict for verdict, _ in checked}
        verdict = "NOT MET" if "NOT MET" in verdicts else "not run" if "not run" in verdicts else "met"
        bad += verdict != "met"
        print(f"  {words:67} {verdict:8} {', '.join(text for _, text in checked)}")
    print(f"  {len(lines) - bad} of {len(lines)} met\n")
    return bad


def print_fuzz(folder, results):
    """What ./dev fuzz left in trust/fuzz*.log, and what the tests compared."""
    compared = mismatches = executed = crashes = runs = 0
    texts = []
    for path in glob.glob(os.path.join(folder, "trust", "fuzz*.log")):
        with open(path, errors="replace") as file:
            texts.append(file.read())
    xml = os.path.join(results, "tests.xml")
    if os.path.exists(xml):
        texts += [case.findtext("system-out") or "" for case in ET.parse(xml).getroot().iter("testcase") if case.get("name").startswith("fuzz.")]
    for text in texts:
        for n, m in re.findall(r"(\d+) kernels compared, (\d+) mismatches", text):
            compared, mismatches, runs = compared + int(n), mismatches + int(m), runs + 1
        executed += sum(int(n) for n in re.findall(r"stat::number_of_executed_units: +(\d+)", text))
        crashes += len(re.findall(r"^SUMMARY: ", text, re.M))
    print("Fuzzing")
    print(f"  kernels compared {compared:,} in {runs} runs, mismatches {mismatches:,}")
    print(f"  texts and cache files executed {executed:,}, crashes {crashes:,}\n")
    return mismatches + crashes + (not compared)


def print_sanitizers(folders):
    print("Sanitizers")
    bad = 0
    for name, folder in folders:
        results = Results(folder)
        passed, failed, skipped = results.counts()
        bad += failed + (not passed)
        print(f"  {name:20} {ago(results.when):17} {passed} passed, {failed} failed, {skipped} skipped")
    print()
    return bad


def print_coverage(folder, files):
    branches, bad = gcov(folder), 0
    print("Branches taken by the tests" if branches else "Branches taken by the tests: not measured (./dev trust measures them)")
    for name, prefixes in FOLDERS if branches else []:
        total = taken = 0
        left = {}
        for path in folder_files(branches, name, prefixes):
            total += len(branches[path])
            taken += sum(count > 0 for count in branches[path].values())
            left[path] = [line for (line, _), count in branches[path].items() if not count]
        share = 100*taken/total if total else 0
        goal = "" if name not in GOAL_FOLDERS else "  reached" if share >= GOAL else f"  NOT MET: {GOAL} %"
        bad += name in GOAL_FOLDERS and share < GOAL
        print(f"  {name:10} {share:5.1f} %  of {total:5}{goal}")
        if files or (name in GOAL_FOLDERS and share < GOAL):
            for path, lines in left.items():
                if lines:
                    print(f"      {path}:{ranges(lines)}")
    print()
    return bad + (not branches)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, folder in (("run", "build"), ("full", "build"), ("asan", "build-asan"), ("tsan", "build-tsan"), ("fuzz", "build")):
        parser.add_argument(f"--{name}", default=folder)
    parser.add_argument("--files", action="store_true")
    options = parser.parse_args()
    results = Results(options.run)
    passed, failed, skipped = results.counts()
    unmet = {"rows of faults": print_faults(results)}
    print(f"Tests: {passed} passed, {failed} failed, {skipped} skipped ({ago(results.when)})\n")
    unmet["tests"] = failed + (not passed)
    unmet["figures"] = print_figures(options.full)
    unmet["fuzzing"] = print_fuzz(options.fuzz, options.run)
    unmet["sanitizers"] = print_sanitizers((("address, undefined", options.asan), ("thread", options.tsan)))
    unmet["coverage"] = print_coverage(options.run, options.files)
    unmet = [f"{what} ({n})" for what, n in unmet.items() if n]
    print("Not met: " + ", ".join(unmet) if unmet else "All is met.")
    return 1 if unmet else 0


sys.exit(main())
