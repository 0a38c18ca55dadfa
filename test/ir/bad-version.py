# A text of IR says in front that it is of version 1, by this one character; all else that numbers are written as is refused, and said.
# RUN: %python %s %t.cir
import subprocess
import sys

VERSIONS = ["1", "0", "2", "9", "01", "10", "11", "1_", "1_0", "0x1", "1.", "1.0", "1e0", "-1"]
for version in VERSIONS:
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(f"cir {version}\nentry func f() {{ }}\n")
    done = subprocess.run(["cplc", "--emit", "ir", sys.argv[1] + ":f"], capture_output=True, text=True, check=False)
    said = "" if version == "1" else f":1:5: error: unknown version {version} of the text form, expected 1"
    assert (done.returncode == 0) == (not said) and said in done.stderr, (version, done.stderr)
