# RUN: %python %s %root
"""Every file that lit takes as a test says what to run: a script that tests call is in a folder that lit.cfg.py excludes."""
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
KEYWORD = "RUN" + ":"  # in one piece lit would take what follows it here for a command


def silent_files(tests):
    """The files among `tests` without a RUN line; names that stand for no file are made by a lit.local.cfg."""
    return [test for test in tests if test.is_file() and KEYWORD not in test.read_text(encoding="utf-8")]


lit = pathlib.Path(sys.executable).with_name("lit")
shown = subprocess.run([lit, "--show-tests", root / "test"], capture_output=True, text=True, check=True).stdout
found = [root / "test" / line.split(" :: ", 1)[1].strip() for line in shown.splitlines() if " :: " in line]
assert len(found) > 500, f"lit shows {len(found)} tests"
assert silent_files([root / "test" / "progress.py"]), "a script without a RUN line is seen"
silent = silent_files(found)
assert not silent, "without a RUN line: " + " ".join(map(str, silent))
