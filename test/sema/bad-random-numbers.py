# Names that cpl.random does not have, calls that do not fit, and what stands in no module of ours.
# RUN: not cplc %s:f --types 'x=float64[] seed=int32' --emit types 2>&1 | FileCheck %s
import random as python
import cpl.random
import cpl.other
from cpl.random import unifrm, _secret, uniform, philox, integers
from cpl.random import seed as start
from cpl import rand
from cpl.random.inner import thing


def f(i, x, seed):
    a = unifrm(seed, i)
    b = _secret(seed, i)
    c = start(3)
    d = rand(seed)
    e = thing(seed)
    g = python.random()
    h = cpl.random.unifor(seed, i)
    j = uniform(seed)
    k = uniform(seed, i, 0, 1)
    l = uniform(seed, i, stream=1)
    m = integers(seed, i, 6)
    n = uniform(x, i)
    o = cpl.random
    philox(seed, seed, i)
    p = uniform(seed, i) + normal(seed, i)
    q = uniform

# CHECK: bad-random-numbers.py:13:9: error: 'unifrm' cannot be imported from 'cpl.random'
# CHECK: hint: did you mean 'uniform'?
# CHECK: bad-random-numbers.py:6:24: note: imported here: 'cpl/random.py' does not define 'unifrm'
# CHECK: bad-random-numbers.py:14:9: error: '_secret' cannot be imported from 'cpl.random'
# CHECK: bad-random-numbers.py:6:32: note: imported here: 'cpl/random.py' does not define '_secret'
# CHECK: bad-random-numbers.py:15:9: error: 'start' cannot be imported from 'cpl.random'
# CHECK: bad-random-numbers.py:7:24: note: imported here: 'cpl/random.py' does not define 'seed'
# CHECK: bad-random-numbers.py:16:9: error: 'rand' is not available in kernels
# CHECK: hint: use cpl.random
# CHECK: bad-random-numbers.py:17:9: error: 'thing' comes from module 'cpl.random.inner', of which kernels know nothing
# CHECK: hint: define 'thing' in this file or register it as a C function
# CHECK: bad-random-numbers.py:9:30: note: imported here
# CHECK: bad-random-numbers.py:18:9: error: 'random' comes from module 'random', of which kernels know nothing
# CHECK: hint: use cpl.random
# CHECK: bad-random-numbers.py:3:8: note: imported here: there is no '{{.*}}random.py'
# CHECK: bad-random-numbers.py:19:20: error: 'random.unifor' is not known in kernels
# CHECK: hint: did you mean 'uniform'?
# CHECK: bad-random-numbers.py:20:9: error: 'uniform' takes 2 to 3 arguments, found 1
# CHECK: cpl/random.py:{{[0-9:]+}}: note: 'uniform' is defined here
# CHECK: bad-random-numbers.py:21:9: error: 'uniform' takes 2 to 3 arguments, found 4
# CHECK: cpl/random.py:{{[0-9:]+}}: note: 'uniform' is defined here
# CHECK: bad-random-numbers.py:22:26: error: 'uniform' has no parameter 'stream'
# CHECK: cpl/random.py:{{[0-9:]+}}: note: 'uniform' is defined here
# CHECK: bad-random-numbers.py:23:9: error: 'integers' takes 4 to 5 arguments, found 3
# CHECK: cpl/random.py:{{[0-9:]+}}: note: 'integers' is defined here
# CHECK: bad-random-numbers.py:24:17: error: parameter 'seed' of 'uniform' is uint64, found float64[]
# CHECK: cpl/random.py:{{[0-9:]+}}: note: the parameter is here
# CHECK: bad-random-numbers.py:25:9: error: 'random' is a module, not a value
# CHECK: bad-random-numbers.py:26:12: error: parameter 'w' of 'philox' is uint32*, found int32
# CHECK: cpl/random.py:{{[0-9:]+}}: note: the parameter is here
# CHECK: bad-random-numbers.py:27:28: error: undefined function 'normal'
# CHECK: bad-random-numbers.py:28:9: error: 'uniform' is a function and stands without a call
# CHECK-NOT: error:
