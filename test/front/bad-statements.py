# Python statements that kernels do not have.
# RUN: not cplc --emit ast %s:f 2>&1 | FileCheck --implicit-check-not=error: %s
def f(x, a, b):
    del x
# CHECK: :[[#@LINE-1]]:5: error: 'del' is not supported
    global x
# CHECK: :[[#@LINE-1]]:5: error: 'global' is not supported
# CHECK: hint: constants of the file can be read; pass what changes as an argument
    nonlocal x
# CHECK: :[[#@LINE-1]]:5: error: 'nonlocal' is not supported
    raise ValueError('x')
# CHECK: :[[#@LINE-1]]:5: error: 'raise' is not supported
# CHECK: hint: check with 'assert', or store an error code in an array
    import math
# CHECK: :[[#@LINE-1]]:5: error: imports inside functions are not supported
# CHECK: hint: import at the top of the file
    from math import sin
# CHECK: :[[#@LINE-1]]:5: error: imports inside functions are not supported
# CHECK: hint: import at the top of the file
    yield x
# CHECK: :[[#@LINE-1]]:5: error: generators are not supported: 'yield'
# CHECK: hint: return one value, or store values in an array
    type X = int
# CHECK: :[[#@LINE-1]]:5: error: type aliases are not supported
    with nogil as g: pass
# CHECK: :[[#@LINE-1]]:16: error: 'as' is not supported in 'with'
# CHECK: hint: accepted are: with nogil, parallel():
    def inner(): return lambda: 0
    def (v): return v
# CHECK: :[[#@LINE-1]]:9: error: expected the name of the function, found '('
    @decorated
    @twice()
    def another():
        yield
# CHECK: :[[#@LINE-1]]:9: error: generators are not supported: 'yield'
    def unfinished(v, 1):
# CHECK: :[[#@LINE-1]]:23: error: expected a name, found '1'
        v = 1 +
# CHECK: :[[#@LINE-1]]:16: error: expected an expression, found end of line
    class Inner:
# CHECK: :[[#@LINE-1]]:5: error: classes inside functions are not supported
# CHECK: hint: define it at the top level of the file
        def method(self): yield
    async def coroutine(): await x
# CHECK: :[[#@LINE-1]]:5: error: 'async' and 'await' are not supported
    async for i in x:
# CHECK: :[[#@LINE-1]]:5: error: 'async' and 'await' are not supported
        yield
    async with x:
# CHECK: :[[#@LINE-1]]:5: error: 'async' and 'await' are not supported
        yield
    try:
# CHECK: :[[#@LINE-1]]:5: error: 'try' is not supported
# CHECK: hint: check values before they are used: nothing raises in a kernel
        x = {1}
# CHECK: :[[#@LINE-1]]:13: error: sets are not supported
    except ValueError:
        x = [2]
    else:
        x = [3]
    finally:
        x = [4]
    for i, j in x(3): pass
# CHECK: :[[#@LINE-1]]:9: error: the variable of a 'for' must be one name
    for x[0] in range(3): pass
# CHECK: :[[#@LINE-1]]:9: error: the variable of a 'for' must be one name
    for (;;): pass
# CHECK: :[[#@LINE-1]]:10: error: expected an expression, found ';'
# CHECK-NOT: hint
    break
# CHECK: :[[#@LINE-1]]:5: error: 'break' outside a loop
    continue
# CHECK: :[[#@LINE-1]]:5: error: 'continue' outside a loop
    if x: break
# CHECK: :[[#@LINE-1]]:11: error: 'break' outside a loop
    while x:
        pass
    else:
        break
# CHECK: :[[#@LINE-1]]:9: error: 'break' outside a loop
    print x
# CHECK: :[[#@LINE-1]]:11: error: expected an operator or the end of the line, found 'x'
