# npy.py FILE EXPRESSION: saves a NumPy expression.   npy.py --show FILE...: prints dtype, shape and values of arrays.
import sys

import numpy as np

if sys.argv[1] == "--show":
    for path in sys.argv[2:]:
        a = np.load(path)
        print(a.dtype, a.shape, a.tolist())
else:
    np.save(sys.argv[1], eval(sys.argv[2]))
