#!/usr/bin/env python3
"""worker.py numba|compyle|opencl: one peer that is driven from Python, by the same commands as bench.c, and one more:

    first FUNCTION COUNT     "ms A B ...": COUNT kernels that were never seen, each from its text to the result

Before the first command it answers "ok DESCRIPTION". A peer is a module peer_NAME with
    describe()                    a few words: version, settings
    prepare(entry, n, arguments)  compiles; gives a function that runs the case once and waits, and one that gives its outputs;
                                  NotImplementedError for what the peer does not offer
    first(function, number)       compiles, calls and checks a new kernel that holds the number
"""
import importlib
import os
import sys
import time

import numpy as np

SAMPLES, SAMPLE_S, LONG_S, REST_S = 3, 2e-4, 0.1, 0.012  # as in bench.c


class Argument:
    """Of a case: an array with its kind (in, out, inout) or a number (kind int or float)."""

    def __init__(self, line):
        words = line.split(" ", 3)
        self.kind = words[0]
        if self.kind in ("int", "float"):
            self.value = int(words[1]) if self.kind == "int" else float(words[1])
            return
        self.dtype, self.file = np.dtype(words[1]), words[3]
        self.value = np.empty(int(words[2]), self.dtype)
        self.fill()

    def is_array(self):
        return self.kind not in ("int", "float")

    def is_output(self):
        return self.kind in ("out", "inout")

    def fill(self):
        self.value[:] = np.fromfile(self.file, self.dtype)


def typed(arguments):
    """Values of the arguments; a number has the type that the kernel computes in."""
    single = all(a.dtype != np.float64 for a in arguments if a.is_array())
    types = {"int": np.int32, "float": np.float32 if single else np.float64}
    return [a.value if a.is_array() else types[a.kind](a.value) for a in arguments]


def sample(run):
    time.sleep(REST_S)
    run()
    start = time.perf_counter()
    run()
    best = time.perf_counter() - start
    repeats = int(SAMPLE_S/(best + 1e-7)) + 1 if best < SAMPLE_S else 1
    for _ in range(SAMPLES if best < LONG_S else 0):
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        best = min(best, (time.perf_counter() - start)/repeats)
    return 1e3*best


class Server:
    def __init__(self, peer):
        self.peer, self.case = peer, None

    def open(self, line, lines):
        _, _, entry, n = line.split()
        arguments = []
        for text in iter(lambda: next(lines), "end"):
            arguments.append(Argument(text))
        self.case = (entry, int(n), arguments, *self.peer.prepare(entry, int(n), arguments))
        return "ok"

    def check(self, folder):
        entry, n, arguments, _, _ = self.case
        for argument in arguments:
            if argument.is_array():
                argument.fill()
        run, outputs = self.peer.prepare(entry, n, arguments)
        run()
        for number, array in enumerate(outputs()):
            np.asarray(array).tofile(os.path.join(folder, str(number)))
        return "ok"

    def first(self, function, count):
        times = []
        for number in range(int(count)):
            start = time.perf_counter()
            self.peer.first(function, 1.0 + (os.getpid()*1000 + number)*1e-12)
            times.append(f"{1e3*(time.perf_counter() - start):.6f}")
        return "ms " + " ".join(times)

    def answer(self, line, lines):
        command = line.split(" ", 1)[0]
        if command == "open":
            return self.open(line, lines)
        if command == "check":
            return self.check(line.split("\t", 1)[1])
        if command == "sample":
            return f"ms {sample(self.case[3]):.9f}"
        if command == "first":
            return self.first(*line.split()[1:])
        self.case = None
        return "ok"


def main():
    # What a peer prints is not part of an answer.
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def reply(text):
        replies.write(" ".join(text.split()) + "\n")
        replies.flush()

    try:
        peer = importlib.import_module("peer_" + sys.argv[1])
        reply("ok " + peer.describe())
    except BaseException as error:
        reply(f"error {type(error).__name__}: {error}")
        return
    server = Server(peer)
    lines = (line.rstrip("\n") for line in iter(sys.stdin.readline, ""))
    for line in lines:
        try:
            text = server.answer(line, lines)
        except NotImplementedError:
            text = "error not possible"
        except Exception as error:
            text = f"error {type(error).__name__}: {error}"
        reply(text)


if __name__ == "__main__":
    main()
