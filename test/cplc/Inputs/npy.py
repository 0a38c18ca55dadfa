# npy.py FILE EXPRESSION: saves a NumPy expression.   npy.py --show FILE...: prints dtype, shape and values of arrays.
# npy.py --follow FILE: the same of those that follow each other in a file.
import io
import sys

import numpy as np


def show(a):
    print(a.dtype, a.shape, a.tolist())


if sys.argv[1] == "--show":
    for path in sys.argv[2:]:
        show(np.load(path))
elif sys.argv[1] == "--follow":
    with open(sys.argv[2], "rb") as f:
        data = f.read()
    file, count = io.BytesIO(data), 0
    while file.tell() < len(data):
        show(np.lib.format.read_array(file))
        count += 1
    print(count, "arrays")
else:
    np.save(sys.argv[1], eval(sys.argv[2]))
