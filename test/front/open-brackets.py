# A bracket that is open where a line begins with a word that no bracket can hold: one error for it,
# and what follows is read as if it were closed. Any other word goes on with what the bracket holds.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} words in brackets, 0 wrong
import keyword
import os
import re
import subprocess
import sys

# Python's own words for what may go on in a bracket, comprehensions and the like among them.
INSIDE = {"False", "None", "True", "and", "as", "async", "await", "else", "for", "from", "if", "in",
          "is", "lambda", "not", "or", "yield"}
OPEN = ["(a,", "a[", "{", "f(a", "f(a, b=", "f(a, [b, {", "((((((((((", "a[b](", "f(a) + (b # ("]
REST = {"class": " C: pass", "def": " g(): pass", "except": " a: pass", "finally": ": pass",
        "try": ": pass", "global": " z", "import": " z", "nonlocal": " z", "pass": "", "break": "",
        "continue": "", "elif": " a: pass", "while": " a: pass", "with": " a: pass"}


def run(folder, text, stage, *function):
    path = os.path.join(folder, "k.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run(["cplc", "--emit", stage, ":".join([path, *function])],
                          capture_output=True, text=True, encoding="utf-8")


def ends(folder, word, opened):
    """The word ends the line: an error there, none or its own for the word, and two behind."""
    text = (f"def f(x, a, b):\n    while a:\n        x = {opened}\n        {word}"
            f"{REST.get(word, ' a')}\n        y = a a\n    return 1 2\n")
    said = run(folder, text, "ast", "f").stderr
    lines = [int(n) for n in re.findall(r"^[^:\n]*:(\d+):\d+: error", said, re.M)]
    return [n for n in lines if n != 4] == [3, 5, 6] and lines.count(4) <= 1


def goes_on(folder, word, opened):
    """The word is one of the bracket's: no line ends in front of it."""
    said = run(folder, f"x = {opened}\n  {word}\n", "tokens").stdout
    rows = [row.split() for row in said.splitlines()]
    return any(r[0] == "2:3" and r[2] == word for r in rows) and \
        not any(r[0].startswith("1:") and r[1] == "NEWLINE" for r in rows)


def names(word):
    return [word + "s", word + "_", word + "1", word[:-1], word + "\u00e9", word.upper(), "_" + word]


def main(folder):
    enders = [word for word in keyword.kwlist if word not in INSIDE]
    others = sorted(INSIDE) + [n for w in enders for n in names(w) if not keyword.iskeyword(n)]
    tried = [(ends, word, opened) for word in enders for opened in OPEN]
    tried += [(goes_on, w, OPEN[k % len(OPEN)]) for k, w in enumerate(others)]
    wrong = [(test.__name__, w, opened) for test, w, opened in tried if not test(folder, w, opened)]
    for what in wrong:
        print(*what)
    print(f"{len(tried)} words in brackets, {len(wrong)} wrong")


if __name__ == "__main__":
    main(sys.argv[1])
