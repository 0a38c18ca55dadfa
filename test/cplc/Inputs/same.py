"""same.py FILE.npy VALUE...: whether the array has these values."""
import sys

import numpy

found = numpy.load(sys.argv[1])
wanted = [float(value) for value in sys.argv[2:]]
print("same" if found.tolist() == wanted else f"{found.tolist()} is not {wanted}")
