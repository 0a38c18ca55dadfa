# What a star parameter is not, and where it does not stand.
# RUN: not cplc %s:uses --as function --emit types \
# RUN:   --types 'x=float64[] args0=float64[] args1=float64' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=USES --implicit-check-not=error:
# RUN: not cplc %s:calls --emit types --types 'x=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=CALLS --implicit-check-not=error:
# RUN: not cplc %s:signatures --emit types --types 'x=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=SIGNATURES --implicit-check-not=error:
# RUN: not cplc %s:index --emit types --types 'args0=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=INDEX --implicit-check-not=error:
# RUN: not cplc %s:main --emit types --types 'x=float64[] args1=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=HOLE --implicit-check-not=error:
# RUN: not cplc %s:main --emit types --types 'x=float64[] args=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=OPTION
# RUN: not cplc run %s:main x=float64[2] args1=2 2>&1 | FileCheck %s --check-prefix=LAUNCH
# RUN: not cplc %s:main --emit types --types 'x=float64[] args999=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=MANY --implicit-check-not=error:
# RUN: not cplc %s:doubling --emit types --types 'x=float64[]' 2>&1 \
# RUN:   | FileCheck %s --check-prefix=DOUBLE --implicit-check-not=error:
# RUN: not cplc %s:uses --as function --emit types --types 'x=float64[]' --option max_ops=60 2>&1 \
# RUN:   | FileCheck %s --check-prefix=LARGE
# RUN: not cplc %s:repeated --emit types --types 'x=float64[]' --option max_ops=60 2>&1 \
# RUN:   | FileCheck %s --check-prefix=REPEATED

def uses(x, *args):
    args = 1
    args[1] = 2.0
    args[1] += 2.0
    for args in range(3):
        pass
    a, args = 1, 2
    x[0] = args
    x[0] = args + 1
    x[0] = args.shape[0]
    x[0] = args[len(x)]
    x[0] = args[0.5]
    x[0] = args[0, 1]
    x[0] = args[2]
    x[0] = args[-3][0]
    x[0] = args(1)
    x[0] = args0[1]
    x[0] = min(*x)
    x[0] = arg[0]
    args = declare('int')
    if len(args) > 2:
        x[0] = args[2]
    for k in range(2):
        x[0] = args[k]
    x[0] = args[1] + args[-1] + args[0][-1]

# USES: bad-star.py:26:5: error: 'args' is a star parameter and cannot be assigned
# USES: hint: assign a local: a = args[0]
# USES: :27:5: error: what '*args' takes cannot be assigned
# USES: :28:5: error: what '*args' takes cannot be assigned
# USES: :29:9: error: 'args' is a star parameter and cannot be assigned
# USES: :31:8: error: 'args' is a star parameter and cannot be assigned
# USES: :32:12: error: 'args' as a whole is no value
# USES: hint: f(*args) passes on all that it takes, args[0] is the first, len(args) how many there are
# USES: :33:12: error: 'args' as a whole is no value
# USES: :34:12: error: 'args' as a whole is no value
# USES: :35:17: error: an index of 'args' is an integer that is known when the function is compiled
# USES: hint: args[0]; for k in static_range(len(args)): ... args[k]
# USES: :36:17: error: an index of 'args' is an integer
# USES: :37:17: error: an index of 'args' is an integer
# USES: :38:12: error: '*args' takes 2 arguments here
# USES: :39:12: error: '*args' takes 2 arguments here
# USES: :40:12: error: 'args' as a whole is no value
# USES: :41:12: error: undefined name 'args0'
# USES: hint: did you mean 'args'?
# USES: :42:16: error: '*' in a call passes on a star parameter alone
# USES: hint: *args
# USES: :43:12: error: undefined name 'arg'
# USES: hint: did you mean 'args'?
# USES: :44:5: error: 'args' is a star parameter and cannot be assigned
# USES: :48:21: error: an index of 'args' is an integer
# USES: :49:41: error: the index -1 is negative

def helper(a, b=2, *more):
    return a*b + len(more)

def two(a, b):
    return a*b

def calls(i, x):
    x[i] = helper(1, 2, 3, a=4)
    x[i] = helper(1, more=3)
    x[i] = helper(1, more0=3)
    x[i] = helper()
    x[i] = helper(*x)
    x[i] = two(*x, 1)
    x[i] = helper(1) + helper(b=1, a=2) + helper(1, 2, 3, 4) + two(1, 2)

# CALLS: bad-star.py:85:28: error: 'a' is given twice
# CALLS: :86:22: error: '*more' takes arguments without a name
# CALLS: :87:22: error: 'helper' has no parameter 'more0'
# CALLS: :88:12: error: 'helper' takes at least 1 argument, found 0
# CALLS: :89:19: error: '*' in a call passes on a star parameter alone
# CALLS: hint: 'calls' has none: def calls(..., *args)
# CALLS: :90:16: error: '*' in a call

def inner(*args, a):
    return a

def second(*args, *rest):
    return 1

def both(*args, **rest):
    return 1

def typed(*args: 'double'):
    return 1

@annotate(args='double')
def named(x, *args):
    return 1

@annotate(int='x, args')
def listed(x, *args):
    return 1

def preset(*args=1):
    return 1

def signatures(i, x):
    x[i] = inner(1, 2) + second(1, 2) + both(1, 2) + typed(1) + named(1, 2, 3) + listed(1)
    x[i] = typed(1, 2) + typed() + preset(1)

# SIGNATURES: bad-star.py:101:12: error: '*args' is not the last parameter of 'inner'
# SIGNATURES: hint: one stands behind all others: def f(x, y, *args)
# SIGNATURES: :104:20: error: '*rest' is another star parameter of 'second'
# SIGNATURES: :107:19: error: '**' parameters are not supported: 'rest'
# SIGNATURES: :110:18: error: '*args' takes no annotation
# SIGNATURES: hint: each argument that it takes has a type of its own
# SIGNATURES: :113:16: error: '*args' takes no annotation
# SIGNATURES: :117:15: error: '*args' takes no annotation
# SIGNATURES: :121:18: error: '*args' takes no default

def index(*args):
    return 1

# INDEX: bad-star.py:138:1: error: 'index' has no parameter for the index
# INDEX: hint: the first parameter of an elementwise function is the index: def index(i, *args)

def main(i, x, *args):
    x[i] = len(args)

# HOLE: bad-star.py:144:17: error: no type for parameter 'args0' of 'main'
# OPTION: error: 'main' has no parameter 'args'; its parameters are x, *args
# OPTION: hint: what *args takes is called args0, args1 and so on
# LAUNCH: error: 'main' lacks an argument for args0; its parameters are x, args0, args1, *args
# MANY: bad-star.py:144:17: error: '*args' takes 256 arguments at most, and types for 1000 are given

def double(*args):
    return double(*args, *args)

def doubling(i, x):
    x[i] = double(1)

# DOUBLE: bad-star.py:154:12: error: '*args' takes 256 arguments at most, found 512

# LARGE: error: what is known makes the function larger than 60 operations

def repeat(*v):
    return min(*v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v, *v)

def repeated(i, x):
    x[i] = repeat(1, 2, 3, 4)

# REPEATED: bad-star.py:164:{{[0-9]+}}: error: what '*v' passes on makes 'repeat' larger than 60 operations
