#!/usr/bin/env python3
"""Counts the single tests behind a ctest run: summary.py JUNIT_FILE CTEST_STATUS

A lit run counts its files, cmocka programs and pytest their cases, anything else is one test. Prints the names of those that failed and,
alone on the last line, "N passed, N failed, N skipped". Exits with 1 if any failed.
"""

import re
import sys
import xml.etree.ElementTree as ET


def number(pattern, text):
    return sum(int(n) for n in re.findall(pattern, text, re.M))


def count(name, ok, text):
    """(passed, failed, skipped) of one ctest test."""
    if "Total Discovered Tests:" in text:
        passed = number(r"^ *(?:Passed|Expectedly Failed|Passed With Retry) *: +(\d+)", text)
        failed = number(r"^ *(?:Failed|Unresolved|Timed Out|Unexpectedly Passed) *: +(\d+)", text)
        skipped = number(r"^ *(?:Unsupported|Skipped|Excluded) *: +(\d+)", text)
    elif re.search(r"^\[==========\]", text, re.M):
        passed = number(r"^\[  PASSED  \] (?:.*: )?(\d+) test\(s\)", text)
        failed = number(r"^\[  FAILED  \] (?:.*: )?(\d+) test\(s\)", text)
        skipped = number(r"^\[  SKIPPED \] (?:.*: )?(\d+) test\(s\)", text)
    elif re.search(r"^\d+ (?:passed|failed|skipped|error).* in [\d.]+s", text, re.M):
        last = re.findall(r"^\d+ (?:passed|failed|skipped|error).* in [\d.]+s", text, re.M)[-1:]
        passed = number(r"(\d+) passed", last[0])
        failed = number(r"(\d+) (?:failed|error)", last[0])
        skipped = number(r"(\d+) skipped", last[0])
    else:
        ok = ok and name not in ("lit", "python")  # a lit run that found no tests
        passed, failed, skipped = int(ok), int(not ok), 0
    if not ok and not failed:  # it crashed or ran past its time
        failed = 1
    return passed, failed, skipped


def main():
    totals = [0, 0, 0]
    failures = []
    for case in ET.parse(sys.argv[1]).getroot().iter("testcase"):
        status = case.get("status")
        name = case.get("name")
        if status in ("disabled", "notrun"):
            skipped = case.find("skipped")
            if status == "disabled" or (skipped is not None and skipped.get("message", "").startswith("SKIP")):
                totals[2] += 1
                continue
        text = case.findtext("system-out") or ""
        result = count(name, status == "run", text)
        totals = [a + b for a, b in zip(totals, result)]
        if result[1]:
            failures.append(f"{name}: {result[1]} failed")
    if not sum(totals) or (sys.argv[2] != "0" and not totals[1]):
        totals[1] += 1
        failures.append(f"ctest: exit status {sys.argv[2]}")
    print()
    for line in failures:
        print(line)
    print("{} passed, {} failed, {} skipped".format(*totals), flush=True)
    return 1 if totals[1] else 0


sys.exit(main())
