"""An Extern that names a function of C's mathematics, as Compyle's own printf does."""

from cpl.compat.compyle.api import annotate
from cpl.compat.compyle.extern import Extern


class Logb(Extern):
    def code(self, backend):
        return "from libc.math cimport logb" if backend == "cython" else ""


logb = Logb()


@annotate
def exponent(i, x, y):
    y[i] = logb(x[i])
