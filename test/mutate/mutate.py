#!/usr/bin/env python3
"""Whether the tests notice small changes of the C sources: mutate.py [--count N] [--seed N] [--plants FILE...] [--only N...] [--list] [--again]

Some points of lib, passes and runtime are drawn; a copy of the sources is built once that has all of these changes in it, each behind a
number that is chosen at start (mutant.h). Every test runs once and says which points it passes; then each mutant meets the tests that pass
it, fastest first, until one fails. Results are kept: what ran before is not run again. The last line is
"F of N found, E explained, S survived, U unreached". equivalent.txt explains changes that no test can notice."""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import pickle
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "fuzz"))
import planted
import points
import suite
from plant import put

FOLDERS = ("lib", "passes", "runtime")
BUILDING = {"lib/target/mathlib/extract.c"}  # programs that run in the build alone
ROUNDS = 6  # builds, each without the points that did not compile in the one before
POOL = multiprocessing.get_context("fork")


def say(*words):
    print(*words, file=sys.stderr, flush=True)


def sources(root):
    for top in FOLDERS:
        for folder, names, files in os.walk(os.path.join(root, top)):
            names.sort()
            for name in sorted(files):
                yield os.path.relpath(os.path.join(folder, name), root)


def find_points(root, files, jobs):
    with concurrent.futures.ProcessPoolExecutor(jobs, POOL) as pool:
        return [p for found in pool.map(points.find, [root]*len(files), files, chunksize=4)
                for p in found]


def drawn(root, work, args, reasons):
    """What was drawn, {number: point}, and the file that remembers it for these sources: looking for all points takes a minute or two."""
    key = hashlib.sha256(f"{args.count} {args.seed} {sorted(reasons)}".encode())
    for path in [f"{HERE}/points.py", f"{HERE}/planted.py", *args.plants,
                 *(f"{root}/{f}" for f in sources(root))]:
        with open(path, "rb") as file:
            key.update(file.read())
    path = f"{work}/points-{key.hexdigest()[:16]}"
    if not os.path.exists(path):
        found = find_points(root,
                            [f for f in sources(root) if f.endswith(".c") and f not in BUILDING],
                            args.jobs)
        check_explained(reasons, found)
        picked = planted.load(root, args.plants)
        picked += points.pick(found, args.count, args.seed, picked)
        say(f"mutate: {len(picked)} of {len(found)} points")
        os.makedirs(work, exist_ok=True)
        remember(path, dict(enumerate(picked, 1)))
    with open(path, "rb") as file:
        return pickle.load(file), path


def remember(path, numbered):
    with open(path, "wb") as file:
        pickle.dump(numbered, file)


def read_explained(path):
    """name -> why nothing can notice it."""
    reasons, name = {}, None
    for line in open(path, encoding="utf-8") if os.path.exists(path) else ():
        if line.startswith(" "):
            reasons[name] = f"{reasons[name]} {line.strip()}".strip()
        elif line.strip() and not line.startswith("#"):
            name = line.strip()
            reasons[name] = ""
    return reasons


def check_explained(reasons, found):
    names = {p.name for p in found}
    bad = [f"{name}: there is no such point" for name in reasons if name not in names]
    bad += [f"{name}: a reason is missing" for name, reason in reasons.items() if not reason]
    if bad:
        sys.exit("\n".join([*bad,
                            f"mutate.py: {len(bad)} rows of equivalent.txt do not fit the sources"]))


# --- the build with mutants ----------------------------------------------------------------------------------------------


class Tree:
    """A copy of the sources with changes in them, and its build."""

    def __init__(self, root, work, jobs):
        self.root, self.source, self.build, self.jobs = root, f"{work}/src", f"{work}/build", jobs
        os.makedirs(self.source, exist_ok=True)
        for name in os.listdir(root):  # as it is
            link = f"{self.source}/{name}"
            if name not in FOLDERS and not name.startswith("build") and name != ".git" and not os.path.lexists(link):
                os.symlink(f"{root}/{name}", link)

    def write(self, numbered):
        """Leaves files alone that are the same, so that builds stay incremental. A digest of all of it."""
        of_file, digest = collections.defaultdict(list), hashlib.sha256()
        for number, point in numbered.items():
            of_file[point.file].append((number, point))
        for file in sources(self.root):
            path = f"{self.root}/{file}"
            with open(path, "rb") as source:
                text = source.read()
            if file in of_file:
                text = f'#include "{HERE}/mutant.h"\n#line 1 "{path}"\n'.encode() + points.rewritten(text, of_file[file])
            os.makedirs(os.path.dirname(f"{self.source}/{file}"), exist_ok=True)
            put(f"{self.source}/{file}", text)
            digest.update(f"{file} {len(text)} ".encode() + text)
        return digest.hexdigest()

    def compile(self):
        """Where it does not compile, {(file, line)}; none: it does."""
        if not os.path.exists(f"{self.build}/build.ninja"):
            shutil.rmtree(self.build, ignore_errors=True)
            subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja",
                            "-DCMAKE_BUILD_TYPE=Release",
                            "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG"], check=True,
                            stdout=subprocess.DEVNULL)
        done = subprocess.run(["ninja", "-C", self.build, "-k", "0", f"-j{self.jobs}"],
                              capture_output=True, text=True)
        where = {(os.path.relpath(path, self.root), int(line))
                 for path, line in re.findall(r"^(/\S+?):(\d+):\d+: (?:fatal )?error: ",
                                              done.stdout, re.M)}
        if done.returncode and not where:
            sys.exit(f"mutate.py: the build failed\n{done.stdout[-3000:]}")
        return where

    def make(self, numbered):
        """Builds with them, and removes those that do not compile. The digest."""
        for _ in range(ROUNDS):
            digest = self.write(numbered)
            where = self.compile()
            if not where:
                return digest
            bad = [n
                   for n, p in numbered.items() if any(f == p.file and p.line <= line <= p.line + p.old.count("\n") for f, line in where)]
            if not bad:  # told of a macro's lines
                bad = [n for n, p in numbered.items() if p.file in {f for f, _ in where}]
            if not bad:
                break
            say(f"mutate: {len(bad)} of {len(numbered)} do not compile: without a comparison, wider, or left out")
            for number in bad:
                point = numbered.pop(number)
                if point.widen() and not points.meets(point, numbered.values()):
                    numbered[number] = point
                else:
                    say(f"mutate: left out: {point.name}")
        sys.exit(f"mutate.py: it does not compile: {sorted(where)[:5]}")


# --- runs ----------------------------------------------------------------------------------------------------------------


class Kept:
    """What is known from earlier runs of the same build, in a file: traces of tests, ends of mutants."""

    def __init__(self, path, digest):
        self.path, self.data = path, {"digest": digest, "tests": {}, "mutants": {}}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            if data["digest"] == digest:
                self.data = data

    tests = property(lambda self: self.data["tests"])
    mutants = property(lambda self: self.data["mutants"])

    def save(self):
        with open(f"{self.path}.new", "w", encoding="utf-8") as file:
            json.dump(self.data, file, indent=1)
        os.replace(f"{self.path}.new", self.path)


def job_folder(work):
    return f"{work}/job-{os.getpid()}"


def trace_one(index, limit):
    return suite.trace(TESTS[index], job_folder(WORK), limit)


def trace_all(kept, limit, jobs):
    """Has each test run that has changed since."""
    wanted = [i for i, t in enumerate(TESTS) if kept.tests.get(t.name, {}).get("when") != t.when]
    if wanted:
        say(f"mutate: {len(wanted)} tests run once to see what they pass")
    with concurrent.futures.ProcessPoolExecutor(jobs, POOL) as pool:
        running = {pool.submit(trace_one, i, limit): i for i in wanted}
        for done, future in enumerate(concurrent.futures.as_completed(running), 1):
            how, seconds, passed = future.result()
            test = TESTS[running[future]]
            kept.tests[test.name] = {"when": test.when, "how": how, "seconds": seconds,
                                     "points": passed}
            if done % 20 == 0 or done == len(wanted):
                kept.save()
                say(f"mutate: {done} of {len(wanted)} tests")
    left = [f"{name} ({end['how']})"
            for name, end in kept.tests.items() if end["how"] != "passed" and end["points"]]
    if left:
        say(f"mutate: left out, as they do not pass within {limit} seconds: {', '.join(sorted(left))}")


def try_one(number, order, passing, met, budget):
    """Its end: {"state", "by", "met"}; `met`: tests that have passed with it, and when those were written."""
    folder = job_folder(WORK)
    shutil.rmtree(folder, ignore_errors=True)
    variables, spent, ran = {"CPL_MUTANT": str(number)}, 0, 0
    for index, usual in order:
        test = TESTS[index]
        if met.get(test.name) == test.when:
            ran += 1
            continue
        if spent > budget:
            break
        how, seconds = suite.outcome(test, folder, variables, 20 + 5*usual)
        if how == "failed":  # twice, so that it is no accident
            how, _ = suite.outcome(test, folder, variables, 20 + 5*usual)
        spent, ran = spent + seconds, ran + 1
        if how != "passed":
            return {"state": "found", "by": f"{test.name} ({how})", "met": {}}
        met = {**met, test.name: test.when}
    same = f", the same in {passing - len(order)}" if passing > len(order) else ""
    return {"state": "survived" if passing else "unreached",
            "by": f"{ran} of {len(order)} tests{same}", "met": met}


def order_of(number, point, kept, finders):
    """The tests to which it makes a difference, fastest first, before them those that found others in its file
    and those of its stage; how many pass it."""
    traces = [(i, kept.tests[t.name]) for i, t in enumerate(TESTS)]
    passing = [(i, t) for i, t in traces if t["how"] == "passed" and number in t["points"]]
    differing = [(i, t["seconds"])
                 for i, t in passing if not point.differs or number | suite.DIFFERS in t["points"]]
    stage = point.file.split("/")[-2]  # of lib, or passes: its tests lie in a folder of that name
    differing.sort(key=lambda t: (-finders[point.file][TESTS[t[0]].name],
                                  f"{stage}/" not in TESTS[t[0]].name, t[1]))
    return differing, len(passing)


def try_all(wanted, kept, again, jobs, budget):
    finders = collections.defaultdict(collections.Counter)
    for name, end in kept.mutants.items():
        if end["state"] == "found":
            finders[name.split(":")[0]][end["by"].rsplit(" ", 1)[0]] += 1
    waiting, running, done = list(wanted.items())[::-1], {}, 0
    with concurrent.futures.ProcessPoolExecutor(jobs, POOL) as pool:
        while waiting or running:
            while waiting and len(running) < jobs:
                number, point = waiting.pop()
                met = kept.mutants.get(point.name, {}).get("met", {}) if again else {}
                running[pool.submit(try_one, number, *order_of(number, point, kept, finders), met,
                                    budget)] = number
            for future in concurrent.futures.wait(running,
                                                  return_when=concurrent.futures.FIRST_COMPLETED).done:
                number = running.pop(future)
                point, end, done = wanted[number], future.result(), done + 1
                kept.mutants[point.name] = end
                if end["state"] == "found":
                    finders[point.file][end["by"].rsplit(" ", 1)[0]] += 1
                kept.save()
                say(f"mutate: {done} of {len(wanted)}: {number}: {end['state']}: {point.file}:{point.line}: {end['by']}")


# --- the report ----------------------------------------------------------------------------------------------------------


def folder_of(file):
    return "/".join(file.split("/")[:2] if file.count("/") > 1 else file.split("/")[:1])


def report(numbered, kept, reasons):
    states = collections.defaultdict(collections.Counter)
    for number, point in numbered.items():
        end = kept.mutants.get(point.name)
        state = "explained" if point.name in reasons else end["state"] if end else None
        if not state:
            continue
        states[folder_of(point.file)][state] += 1
        if state in ("survived", "unreached"):
            print(f"{state}: {number}: line {point.line}: {point.name} ({end['by']})")
    columns = ("found", "explained", "survived", "unreached")
    print(f"{'':24}" + "".join(f"{c:>11}" for c in columns))
    for folder in sorted(states):
        print(f"{folder:24}" + "".join(f"{states[folder][c]:11}" for c in columns))
    total = sum(states.values(), collections.Counter())
    print(f"{total['found']} of {sum(total.values())} found, {total['explained']} explained, {total['survived']} survived, "
          f"{total['unreached']} unreached")
    return 0 if total["survived"] + total["unreached"] == 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=500, help="points to draw (500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plants", nargs="+", default=[], metavar="FILE",
                        help="edits of the form of plants.txt too, which come first")
    parser.add_argument("--first", type=int, default=None, metavar="N",
                        help="tries only the first N of them")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="tries these alone, again")
    parser.add_argument("--again", action="store_true",
                        help="tries those again that were not found, with tests that they have not met")
    parser.add_argument("--list", action="store_true", help="shows what is drawn")
    parser.add_argument("--check", action="store_true",
                        help="only whether the rows of equivalent.txt fit the sources")
    parser.add_argument("--tests", default="", metavar="REGEX",
                        help="only tests whose names it matches from their beginnings")
    parser.add_argument("--limit", type=int, default=60,
                        help="seconds that a test may take without a mutant (60)")
    parser.add_argument("--budget", type=int, default=900,
                        help="seconds of tests for one mutant (900)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--root", default=os.path.dirname(os.path.dirname(HERE)))
    parser.add_argument("--work", help="where to build: build-mutate")
    args = parser.parse_args()
    return run(args, os.path.abspath(args.root),
               os.path.abspath(args.work or os.path.join(args.root, "build-mutate")))


def run(args, root, work):
    global TESTS, WORK
    reasons = read_explained(f"{root}/test/mutate/equivalent.txt")
    if args.check:
        check_explained(reasons,
                        find_points(root, sorted({name.split(":")[0] for name in reasons}),
                                    args.jobs))
        print(f"{len(reasons)} rows fit the sources")
        return 0
    numbered, path = drawn(root, work, args, reasons)
    if args.list:
        print("\n".join(f"{number}: line {point.line}: {point.kind}: {point.name}"
                        for number, point in numbered.items()))
        return 0
    digest = Tree(root, work, args.jobs).make(numbered)
    remember(path, numbered)
    kept = Kept(f"{work}/results.json", digest)
    TESTS, WORK = [t
                   for t in suite.load(root, f"{work}/build") if re.match(args.tests, t.name)], work
    trace_all(kept, args.limit, args.jobs)
    done = {name
            for name, end in kept.mutants.items() if end["state"] == "found" or not args.again}.union(reasons)
    wanted = {n: p for n, p in numbered.items() if n in args.only} if args.only else \
        {n: p for n, p in list(numbered.items())[:args.first] if p.name not in done}
    try_all(wanted, kept, args.again, args.jobs, args.budget)
    for name in os.listdir(work):
        if name.startswith("job-"):
            shutil.rmtree(f"{work}/{name}", ignore_errors=True)
    return report(wanted if args.only else numbered, kept, reasons)


if __name__ == "__main__":
    sys.exit(main())
