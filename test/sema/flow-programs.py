# Whether a local is assigned where it is read, in programs at random: on no path to there is an
# error, on some a warning. The reference follows all paths; where it says never, the compiler may
# say sometimes, as it takes what a loop assigns to be there in each further round.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} programs, 0 wrong; never {{[1-9]}}
import os
import random
import subprocess
import sys

PROGRAMS, DEPTH = 300, 3


def block(rng, depth, in_loop):
    """Statements: ("assign",), ("read",), ("if" or "while" or "for", body, orelse), a jump."""
    statements = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice(["assign", "if", "if", "while", "for"] if depth else ["assign", "pass"])
        if kind in ("assign", "pass"):
            statements.append((kind,))
            continue
        body = block(rng, depth - 1, in_loop or kind != "if")
        orelse = block(rng, depth - 1, in_loop) if rng.random() < 0.5 else []
        statements.append((kind, body, orelse))
    if rng.random() < 0.3:
        statements.append((rng.choice(["break", "continue", "return"] if in_loop else ["return"]),))
    return statements


def blocks(statements):
    yield statements
    for s in statements:
        for inner in s[1:]:
            if inner:
                yield from blocks(inner)


def program(rng):
    top = block(rng, DEPTH, False)
    where = rng.choice(list(blocks(top)))
    where.insert(rng.randint(0, len(where)), ("read",))
    return top + [("assign",)]


HEADS = {"if": "if n > 3:", "while": "while n > 4:", "for": "for j in range(n):"}
LINES = {"assign": "v = n", "read": "x[0] = v", "return": "return"}


def text(statements, indent):
    for s in statements:
        yield " "*indent + HEADS.get(s[0], LINES.get(s[0], s[0]))
        if len(s) == 3:
            yield from text(s[1], indent + 4)
            if s[2]:
                yield " "*indent + "else:"
                yield from text(s[2], indent + 4)


class Paths:
    """What v may be at each place: a set of False, unassigned, and True; empty: nobody comes."""

    def __init__(self):
        self.read = set()

    def block(self, statements, state):
        """The state behind, and those at breaks and continues."""
        breaks, continues = set(), set()
        for s in statements:
            if s[0] == "assign":
                state = {True} if state else state
            elif s[0] == "read":
                self.read |= state
            elif s[0] in ("break", "continue", "return"):
                breaks |= state if s[0] == "break" else set()
                continues |= state if s[0] == "continue" else set()
                state = set()
            elif len(s) == 3:
                state, left, next_ = self.nested(s, state)
                breaks |= left
                continues |= next_
        return state, breaks, continues

    def nested(self, s, state):
        if s[0] == "if":
            a, b = self.block(s[1], state), self.block(s[2], state)
            return a[0] | b[0], a[1] | b[1], a[2] | b[2]
        head, left = set(state), set()
        for _ in range(3):  # the states only grow
            end, breaks, continues = self.block(s[1], head)
            head |= end | continues
            left |= breaks
        orelse = self.block(s[2], head)
        return orelse[0] | left, orelse[1], orelse[2]


def said(path, name):
    done = subprocess.run(["cplc", f"{path}:{name}", "--as", "function", "--emit", "types",
                           "--types", "x=int32[] n=int32"], capture_output=True, text=True)
    if "'v' is read before it is assigned" in done.stderr:
        return "never"
    return "sometimes" if "'v' is not assigned on every path" in done.stderr else "always"


def main(folder):
    rng, path = random.Random(1), os.path.join(folder, "k.py")
    programs = [program(rng) for _ in range(PROGRAMS)]
    with open(path, "w") as file:
        for k, p in enumerate(programs):
            file.write(f"def f{k}(x, n):\n" + "\n".join(text(p, 4)) + "\n")
    wrong, counts = 0, {"never": 0, "sometimes": 0, "always": 0}
    for k, p in enumerate(programs):
        paths = Paths()
        paths.block(p, {False})
        expected = {(): "always", (True,): "always", (False,): "never"}.get(
            tuple(sorted(paths.read)), "sometimes")
        got = said(path, f"f{k}")
        counts[expected] += 1
        if got != expected and (got, expected) != ("sometimes", "never"):
            wrong += 1
            print(f"{got}, not {expected}:", *text(p, 4), sep="\n")
    print(f"{len(programs)} programs, {wrong} wrong;", *(f"{w} {n}" for w, n in counts.items()))


if __name__ == "__main__":
    main(sys.argv[1])
