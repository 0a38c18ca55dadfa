"""What plain Python lacks of the language's values: short vectors, structs that are copied, numbers
beside complex ones without an imaginary part. `run(text)` is the module that a program's text is
with them, as docs/language.md says."""
import ast
import operator

import numpy as np

VECTORS = {
    "float4": ("float32", 4), "double2": ("float64", 2), "int4": ("int32", 4),
    "long3": ("int64", 3), "uint2": ("uint32", 2), "float8": ("float32", 8),
}
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "and", "or", "xor", "lshift",
             "rshift"]


def lane_names(size):
    return list("xyzw"[:size]) if size <= 4 else [f"s{k:x}" for k in range(size)]


class Vector:
    """Lanes of one NumPy type."""

    def __init__(self, kind, lanes):
        type_, size = VECTORS[kind]
        given = [lane for v in lanes for lane in (v.lanes if isinstance(v, Vector) else [v])] or [0]
        self.__dict__["kind"] = kind
        given = given*size if len(given) == 1 else given
        self.__dict__["lanes"] = [getattr(np, type_)(v) for v in given]
        assert len(self.lanes) == size

    def __getitem__(self, k):
        return self.lanes[k]

    def __setitem__(self, k, value):
        self.lanes[k] = type(self.lanes[k])(value)

    def __getattr__(self, name):
        names = lane_names(len(self.lanes))
        if name not in names:
            raise AttributeError(name)
        return self.lanes[names.index(name)]

    def __setattr__(self, name, value):
        self[lane_names(len(self.lanes)).index(name)] = value

    def each(self, function, *others):
        columns = [o.lanes if isinstance(o, Vector) else [o]*len(self.lanes) for o in others]
        return Vector(self.kind, [function(*row) for row in zip(self.lanes, *columns)])

    def __neg__(self):
        return self.each(operator.neg)

    def __invert__(self):
        return self.each(operator.invert)

    def __abs__(self):
        return self.each(abs)

    def sqrt(self):
        return self.each(np.sqrt)

    def __floor__(self):
        return self.each(np.floor)


def _binary(name):
    function = getattr(operator, name + "_" if name in ("and", "or") else name)
    setattr(Vector, f"__{name}__", lambda a, b: a.each(function, b))
    setattr(Vector, f"__r{name}__", lambda a, b: a.each(lambda x, y: function(y, x), b))


for _name in OPERATORS:
    _binary(_name)


def vector(kind, record):
    return Vector(kind, list(record))


STRUCTS = {}  # of the program that runs


def converted(kind, value):
    if kind in STRUCTS:
        return copied(value) if value else STRUCTS[kind]()
    if kind in VECTORS:
        return Vector(kind, [value])
    return getattr(np, kind + "_" if kind == "bool" else kind)(value)


def struct(cls):
    """Fields begin as zeros, and keep their types."""
    fields = cls.__annotations__

    def init(self, *values, **named):
        for name, kind in fields.items():
            setattr(self, name, converted(kind, 0))
        for name, value in [*zip(fields, values), *named.items()]:
            setattr(self, name, value)

    cls.__init__ = init
    cls.__setattr__ = lambda self, name, v: object.__setattr__(
        self, name, converted(fields[name], v))
    STRUCTS[cls.__name__] = cls
    cls.copy_of = lambda self: cls(*(getattr(self, name) for name in fields))
    return cls


def copied(value):
    if isinstance(value, tuple):
        return tuple(copied(v) for v in value)
    if isinstance(value, Vector):
        return Vector(value.kind, [value])
    return value.copy_of() if hasattr(value, "copy_of") else value


def taken(value):
    """A parameter: structs go by reference."""
    return copied(value) if isinstance(value, Vector) else value


def mixed(name, a, b):
    """a + b and its kin, where one may be complex and the other not."""
    function = getattr(operator, name)
    complexes = [isinstance(v, (complex, np.complexfloating)) for v in (a, b)]
    real = b if complexes[0] else a
    if complexes[0] == complexes[1] or isinstance(real, Vector) or hasattr(real, "copy_of"):
        return function(a, b)
    part = type((a if complexes[0] else b).real)
    if isinstance(real, (int, np.integer, np.bool_)):
        real = part(real)
    if complexes[1]:
        re, im = function(real, b.real), b.imag
        if name == "truediv":
            wide = type(re)
            return {float: complex, np.float32: np.complex64}.get(wide, np.complex128)(real)/b
        im = {"add": lambda: im, "sub": lambda: -im, "mul": lambda: real*im}[name]()
    else:
        re = function(a.real, real)
        im = a.imag if name in ("add", "sub") else function(a.imag, real)
    if isinstance(re, float) and not isinstance(re, np.floating):
        return complex(re, im)
    made = np.zeros(1, np.complex64 if isinstance(re, np.float32) else np.complex128)
    made.real, made.imag = re, im
    return made[0]


def extreme(compare):
    def function(*values):
        if len(values) == 1:
            return (min if compare is operator.lt else max)(values[0])
        found = values[0]
        for v in values[1:]:
            if isinstance(found, Vector) or isinstance(v, Vector):
                one, other = (found, v) if isinstance(found, Vector) else (v, found)
                pick = (lambda x, y: y if compare(y, x) else x) if one is found else (
                    lambda y, x: y if compare(y, x) else x)
                found = one.each(pick, other)
            elif compare(v, found):
                found = v
        return found
    return function


class Rewriter(ast.NodeTransformer):
    """Assignments copy, functions own their vectors, + - * / go by `mixed`."""

    MIXED = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv"}

    @staticmethod
    def called(name, *arguments):
        return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if type(node.op) not in self.MIXED:
            return node
        return self.called("mixed", ast.Constant(self.MIXED[type(node.op)]), node.left, node.right)

    def visit_Assign(self, node):
        self.generic_visit(node)
        node.value = self.called("copied", node.value)
        return node

    def visit_AugAssign(self, node):
        if not isinstance(node.target, ast.Name):
            return self.generic_visit(node)
        value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return self.visit_Assign(ast.Assign([node.target], value))

    def visit_List(self, node):
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.elts = [self.called("copied", e) for e in node.elts]
        return node

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        named = [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]
        node.body = [ast.Assign([ast.Name(n, ast.Store())],
                                self.called("taken", ast.Name(n, ast.Load())))
                     for n in named] + node.body
        return node


def run(text):
    STRUCTS.clear()
    tree = ast.fix_missing_locations(Rewriter().visit(ast.parse(text)))
    space = {"np": np, "copied": copied, "taken": taken, "mixed": mixed, "struct": struct,
             "min": extreme(operator.lt), "max": extreme(operator.gt),
             "declare": lambda kind: converted(kind, 0)}
    for kind in VECTORS:
        space[kind] = lambda *lanes, kind=kind: Vector(kind, lanes)
    exec(compile(tree, "<program>", "exec"), space)
    return space
