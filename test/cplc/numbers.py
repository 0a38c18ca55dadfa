# Numbers on the command line beside the ends of every type: what fits arrives, what does not is
# refused by the type's name, typed and untyped, decimal and hexadecimal. Floats are shown to
# their last bit. Numbers of options and lengths are refused alike wherever they stand.
# RUN: rm -rf %t && mkdir -p %t && %python -I %s %t | FileCheck %s
# CHECK: {{[1-9][0-9]*}} numbers, 0 wrong
# CHECK-NEXT: {{[1-9][0-9]*}} places, 0 wrong
import os
import subprocess
import sys

import numpy as np

RANGES = {"bool": (0, 1), **{f"int{b}": (-2**(b - 1), 2**(b - 1) - 1) for b in (8, 16, 32, 64)},
          **{f"uint{b}": (0, 2**b - 1) for b in (8, 16, 32, 64)}}


def values(low, high):
    return sorted({low - 1, low, low + 1, -1, 0, 1, high - 1, high, high + 1})


def result(path, text, function="f"):
    """What the function gives for an argument, None if it is refused."""
    done = subprocess.run(["cplc", "run", f"{path}:{function}", "--as", "function", f"a={text}"],
                          capture_output=True, text=True)
    if done.returncode == 0:
        return done.stdout.split("=")[1].strip()
    refused = "does not hold" in done.stderr or "does not fit" in done.stderr
    return None if done.returncode == 2 and refused else done.stderr


def cases():
    """(argument, result)"""
    for name, (low, high) in RANGES.items():
        for v in values(low, high):
            shown = str(bool(v)) if name == "bool" else str(v)
            fits = low <= v <= high
            yield f"{v}:{name}", shown if fits else None
            yield f"{hex(v)}:{name}", shown if fits else None
    low, high = RANGES["int64"][0], RANGES["uint64"][1]
    for v in {v for r in RANGES.values() for v in values(*r)}:
        yield str(v), str(v) if low <= v <= high else None


def floats():
    """(argument, the number of its type): zeros, subnormals, ends, what rounds, no numbers."""
    for dtype in (np.float16, np.float32, np.float64):
        info = np.finfo(dtype)
        least, small, most = (float(x) for x in (info.smallest_subnormal, info.tiny, info.max))
        for v in (0.0, least, 2*least, 3*least, small - least, small, small + least, 1/3, 1.0,
                  1 + float(info.eps), 1e-7, 123.456, most/2, most, float("inf"), float("nan")):
            for number in (v, -v):
                yield f"{number!r}:{dtype.__name__}", dtype(number)


def is_shown(text, number):
    """The shown digits are this number's and no other's."""
    if text is None or "error" in text:
        return False
    with np.errstate(all="ignore"):
        read = type(number)(float(text))
    return np.isnan(read) if np.isnan(number) else read.tobytes() == number.tobytes()


PLACES = {  # of counts: what is said of those that are none
    "--n {}": "--n takes a count of 0 or more", "--first {}": "--first takes a count of 0 or more",
    **{f"--{name} {before}{{}}": f"--{name} takes one to three sizes of 1 or more"
       for name in ("global", "local") for before in ("", "4,", "4,4,")},
    "--option num_threads={}": "'num_threads' ", "--bits {}:9": "--bits takes FIRST:END",
    "--bits 0:{}": "--bits takes FIRST:END", "a=float64[{}]": "an array of zeros is TYPE[N]",
    "a=float64[4,{}]": "an array of zeros is TYPE[N]", "a=local:{}": "local memory is local:N",
    "a=local:float64[{}]": "local memory is local:N",
}
NO_COUNTS = ("", "x", "1x", "1.5", "0x1", "-1", "--1", "1,", "9223372036854775808", "99999999999999999999",
             "-99999999999999999999", "18446744073709551617")


def refusals(path):
    """(place, text, whether it is refused as it ought to be)"""
    for place, said in PLACES.items():
        for text in ("1", *NO_COUNTS):
            done = subprocess.run(["cplc", "run", path + ":f", "--as", "function", *place.format(text).split(" ")],
                                  capture_output=True, text=True)
            refused = done.returncode == 2 and said in done.stderr
            yield place, text, refused == (text != "1")


def main(folder):
    path = os.path.join(folder, "k.py")
    with open(path, "w") as file:
        file.write("def f(a):\n    return a\n"
                   "def half(a: 'float16') -> 'float16':\n    return a\n")
    rows, wrong = list(cases()), 0
    for text, expected in rows:
        got = result(path, text)
        if got != expected:
            wrong += 1
            print(f"a={text} gives {got}, not {expected}")
    reals = list(floats())
    for text, number in reals:
        got = result(path, text, "half" if text.endswith("float16") else "f")
        if not is_shown(got, number):
            wrong += 1
            print(f"a={text} gives {got}, not {number!r}")
    print(f"{len(rows) + len(reals)} numbers, {wrong} wrong")
    there = list(refusals(path))
    bad = [f"{place!r} with {text!r}" for place, text, good in there if not good]
    print(f"{len(there)} places, {len(bad)} wrong", *bad, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1])
