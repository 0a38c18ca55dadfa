"""Calls cplc with each mistake in turn, and prints what it says. bad-algorithms.py OFFSETS.npy"""

import os
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
    "right pairs": "--as reduce-by-key --op a+b k=int32[10] v=float64[10] r=float64[10]",
}


def main():
    for name, call in CALLS.items():
        print(name, flush=True)
        subprocess.run(["cplc", "run", *call.format(sys.argv[1]).split()], cwd=HERE, stderr=subprocess.STDOUT)
        sys.stdout.flush()
    print("end")


main()
