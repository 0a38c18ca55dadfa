# Without __ne__, != is what __eq__ denies; __eq__ has to say something that is true or false.
# RUN: cplc %s:f --types 'x=float64[]' --emit ir | FileCheck %s
# RUN: not cplc %s:bad --types 'x=float64[]' --emit types 2>&1 | FileCheck %s --check-prefix=BAD
from compyle.api import struct


@struct
class Point:
    x: 'double'

    def __eq__(self, other):
        return self.x == other.x


@struct
class Silent:
    x: 'double'

    def __eq__(self, other):
        self.x = other.x


@struct
class Doubled:
    x: 'double'

    def __eq__(self, other):
        return Doubled(2*self.x)


# CHECK: [[T:t_.*]] = call __eq__(
# CHECK: convert<float64>(not([[T]]))
def f(i, x):
    x[i] = Point(x[i]) != Point(2)


# BAD: :[[@LINE+4]]:12: error: '!=' is what '==' does not say, and __eq__ returns nothing
# BAD: :19:5: note: it is defined here
# BAD: :[[@LINE+3]]:12: error: '!=' is what '==' does not say, and __eq__ returns Doubled
def bad(i, x):
    x[i] = Silent(1) != Silent(2)
    x[i] = Doubled(1) != Doubled(2)
