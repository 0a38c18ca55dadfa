"""Calls cplc with each mistake in turn, and prints what it says. bad-algorithms.py OFFSETS.npy"""

import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = {
    "add3 as --op": "bad_algorithms.py --as reduce --op add3 --neutral 0 x=float64[10]",
    "none as --op": "bad_algorithms.py --as reduce --op none --neutral 0 x=float64[10]",
    "none of scans": "bad_algorithms.py --as scan --op none --neutral 0 x=float64[10]",
    "zero as --neutral": "bad_algorithms.py --as reduce --op a+b --neutral zero x=float64[10]",
    "add3 as --before": "bad_algorithms.py --as sort --before add3 x=float64[10]",
    "none as --before": "bad_algorithms.py --as sort --before none --descending x=float64[10]",
    "nothing as map": "bad_algorithms.py:nothing --as reduce --op a+b x=float64[10]",
    "floats to integers": "--as scan --op a+b x=float64[10] out=int32[10]",
    "a fraction as --neutral": "--as reduce --op a+b --neutral 1.5 k=int64[10]",
    "offsets": "--as segments --op a+b --offsets at x=float64[3] at={} r=float64[2]",
    "pairs": "--as reduce-by-key --op a+b k=int32[10] v=float64[3] r=float64[10]",
    "one value as --op": "--as reduce --op 'lambda a: a' --neutral 0 x=float64[10]",
    "a tuple as --op": "--as reduce --op '(a, b)' --neutral 0 x=float64[10]",
    "a tuple as --map": "--as reduce --op a+b --map 'lambda i, x: (x[i], 1)' x=float64[10]",
    "an array as --map": "--as reduce --op a+b --map 'lambda i, x: x' x=float64[10]",
    "array as map": "bad_algorithms.py:array --as reduce --op a+b x=float64[10]",
    "a field in --map": "--as reduce --op a+b --map 'lambda i, x: x[i].y' x=float64[10]",
    "a parameter of --neutral": "--as reduce --op a+b --neutral 'lambda x: 0' x=float64[10]",
    "a tuple as --neutral": "--as reduce --op a+b --neutral '(0, 1)' x=float64[10]",
    "a tuple as --input": "--as scan --op a+b --input 'lambda i, x: (x[i], 1)' x=float64[10]",
    "one value as --op of scans": "--as scan --op 'lambda a: a' --neutral 0 x=float64[10]",
    "an array as --segment": "--as scan --op a+b --segment 'lambda i, x: x' x=float64[10]",
    "floats as --bin": "--as histogram --bin 'lambda i, x: x[i]' x=float64[10] n=int64[4]",
    "an array as --bin": "--as histogram --bin 'lambda i, x: x' x=float64[10] n=int64[4]",
    "an array as --key": "--as reduce-by-key --op a+b --key 'lambda i, k: k' k=int32[10] v=float64[10] r=float64[10]",
    "one value as --before": "--as sort --before 'lambda a: a' x=float64[10]",
    "a tuple as --before": "--as sort --before '(a, b)' x=float64[10]",
    "right pairs": "--as reduce-by-key --op a+b k=int32[10] v=float64[10] r=float64[10]",
}


def main():
    for name, call in CALLS.items():
        print(name, flush=True)
        subprocess.run(["cplc", "run", *shlex.split(call.format(sys.argv[1]))], cwd=HERE, stderr=subprocess.STDOUT)
        sys.stdout.flush()
    print("end")


main()
