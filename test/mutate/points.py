"""Where C sources can be changed a little, and how: each point holds one change, which compiles beside what was there."""

import collections
import dataclasses
import hashlib
import re
import subprocess

from clang.cindex import CursorKind as K
from clang.cindex import Index, StorageClass, TranslationUnit, TypeKind

OPERATORS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "+": "-", "-": "+", "*": "+", "/": "*", "%": "/",
             "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|", "&&": "||", "||": "&&",
             "+=": "-=", "-=": "+=", "*=": "+=", "|=": "&=", "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<="}
# What is no code that runs, or must be constant.
CONSTANT = {K.STATIC_ASSERT, K.ENUM_DECL, K.STRUCT_DECL, K.UNION_DECL, K.TYPEDEF_DECL, K.CXX_UNARY_EXPR, K.ASM_STMT}
# Which children are statements; those in front of them are conditions and the like.
STATEMENTS = {K.COMPOUND_STMT: 0, K.IF_STMT: 1, K.WHILE_STMT: 1, K.CASE_STMT: 1, K.DEFAULT_STMT: 0, K.LABEL_STMT: 0, K.DO_STMT: 0}
# Types whose values C compares by != as they are.
SCALAR = {TypeKind.BOOL, TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.USHORT,
          TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.ULONGLONG, TypeKind.FLOAT,
          TypeKind.DOUBLE, TypeKind.ENUM, TypeKind.POINTER}
# A call or a macro that looks like one, an assignment, a literal of a struct.
EFFECT = re.compile(r"\b(?!sizeof\b)\w+\s*\(|\+\+|--|(?<![=!<>])=(?!=)|[<>]{2}=|[{}]")
RISK = re.compile(r"->|[\[*/%]")  # what may fault where the part before it does not hold
DROPPED = {K.CALL_EXPR, K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR, K.UNARY_OPERATOR, K.BREAK_STMT, K.CONTINUE_STMT}


@dataclasses.dataclass
class Point:
    file: str
    function: str
    line: int
    start: int  # of the text that changes, in bytes
    end: int
    kind: str
    form: str  # value: an expression; truth: of which only that matters; place: one that may be assigned to; drop: a statement
    old: str
    new: str
    differs: str = ""  # an expression without effect: whether the change makes a difference here; none: not known
    twin: int = 0  # how many before it in this function look the same

    @property
    def name(self):
        """What it is called in lists: it stays the same while its function does."""
        twin = f" #{self.twin + 1}" if self.twin else ""
        return f"{self.file}: {self.function}: {one_line(self.old)} -> {one_line(self.new) or 'nothing'}{twin}"

    def widen(self):
        """Another way to write it, as this one does not compile; False: there is none."""
        had, self.differs = self.differs, ""  # perhaps only that
        return bool(had)

    def rank(self, seed):
        return hashlib.sha256(f"{seed} {self.name}".encode()).digest()

    def text(self, number):
        """Both ways, in as many lines as the old one."""
        chosen, new = f"cpl_mutant_is({number})", self.new.replace("\n", " ")
        if self.differs:
            chosen = f"cpl_mutant_tells({number}, {one_line(self.differs)})"
        if self.form == "drop":
            return f"{{ if (!{chosen}) {self.old} }}"
        if self.form == "place":
            return f"(*({chosen} ? &{new} : &{self.old}))"
        if self.form == "truth":
            return f"({chosen} ? {new} : !!({self.old}))"
        return f"({chosen} ? {new} : ({self.old}))"


def one_line(text):
    return re.sub(r"\s+", " ", text)


def arguments(root):
    """Of the compiler: as the build has them, in so far as they are about finding headers."""
    headers = subprocess.check_output(["cc", "-print-file-name=include"], text=True).strip()
    try:
        llvm = subprocess.check_output(["llvm-config-22", "--includedir"], text=True).strip()
    except OSError:
        llvm = headers
    return ["-std=gnu11", "-D_GNU_SOURCE", f"-I{root}", f"-I{root}/include", "-isystem", headers, "-isystem", llvm]


class Finder:
    """The points of one file."""

    def __init__(self, root, file):
        path = f"{root}/{file}"
        with open(path, "rb") as source:
            self.source = source.read()
        self.file, self.points = file, []
        unit = Index.create().parse(path, arguments(root), options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        own = [c for c in unit.cursor.get_children() if c.location.file and c.location.file.name == path]
        self.macros = [(c.extent.start.offset, c.extent.end.offset) for c in own
                       if c.kind in (K.MACRO_INSTANTIATION, K.MACRO_DEFINITION, K.INCLUSION_DIRECTIVE)]
        for cursor in own:
            if cursor.kind == K.FUNCTION_DECL and cursor.is_definition():
                self.function, self.above = cursor, []
                self.walk(cursor)
        self.number_twins()

    def number_twins(self):
        seen = collections.Counter()
        for point in self.points:
            name = point.name
            point.twin = seen[name]
            seen[name] += 1

    def between(self, start, end):
        return self.source[start:end].decode()

    def is_whole(self, start, end):
        """Can be replaced: no part of a macro's use."""
        text = self.between(start, end)
        return "\n#" not in text and "//" not in text and \
            not any(a < end and start < b and not (start <= a and b <= end) for a, b in self.macros)

    def add(self, cursor, kind, new, form="value", end=None, differs=""):
        start, end = cursor.extent.start.offset, end or cursor.extent.end.offset
        if self.is_whole(start, end):
            self.points.append(Point(self.file, self.function.spelling, cursor.extent.start.line, start, end, kind, form,
                                     self.between(start, end), new, differs))

    def text(self, cursor):
        return self.between(cursor.extent.start.offset, cursor.extent.end.offset)

    def is_pure(self, cursor):
        """To evaluate it once more changes nothing."""
        return not EFFECT.search(self.text(cursor)) and all(c.kind != K.CALL_EXPR for c in cursor.walk_preorder())

    def differs(self, cursor, new):
        """Compares both values of the arithmetic around it, as far as that goes: 9 in n < 9 makes no difference where n is 3."""
        start, end = cursor.extent.start.offset, cursor.extent.end.offset
        found = ""
        for c in [cursor, *self.above[::-1]]:
            a, b = c.extent.start.offset, c.extent.end.offset
            around = c is cursor or (self.is_arithmetic(c) and a <= start and end <= b)
            if not around or not self.is_whole(a, b) or not self.is_pure(c):
                break
            if c.type.get_canonical().kind in SCALAR:
                found = f"({self.text(c)}) != ({self.between(a, start)}{new}{self.between(end, b)})"
        return found

    def is_arithmetic(self, cursor):
        """An operator that takes the values of all of its parts, whatever they are, or what stands between it and them."""
        if cursor.kind == K.BINARY_OPERATOR:
            left, right = cursor.get_children()
            return self.between(left.extent.end.offset, right.extent.start.offset).strip() not in ("&&", "||", ",", "/", "%")
        return cursor.kind in (K.PAREN_EXPR, K.UNEXPOSED_EXPR) or (cursor.kind == K.UNARY_OPERATOR and self.text(cursor)[:1] in "!-~")

    def walk(self, cursor):
        kind = cursor.kind
        if kind in CONSTANT or (kind == K.VAR_DECL and cursor.storage_class == StorageClass.STATIC):
            return
        children = list(cursor.get_children())
        visit = {K.BINARY_OPERATOR: self.binary, K.COMPOUND_ASSIGNMENT_OPERATOR: self.binary, K.UNARY_OPERATOR: self.unary,
                 K.CALL_EXPR: self.call, K.MEMBER_REF_EXPR: self.field, K.RETURN_STMT: self.result, K.IF_STMT: self.condition,
                 K.CONDITIONAL_OPERATOR: self.condition, K.INTEGER_LITERAL: self.literal, K.FLOATING_LITERAL: self.literal}.get(kind)
        if visit:
            visit(cursor, children)
        first = len(children) - 1 if kind == K.FOR_STMT else STATEMENTS.get(kind, len(children))
        for child in children[first:]:
            if not self.is_last_break(cursor, child):
                self.drop(child)
        if kind == K.CASE_STMT:
            children = children[1:]
        if kind == K.VAR_DECL and cursor.type.kind in (TypeKind.CONSTANTARRAY, TypeKind.VARIABLEARRAY):
            children = [c for c in children if c.kind == K.INIT_LIST_EXPR]  # the others are its size
        self.above.append(cursor)
        for child in children:
            self.walk(child)
        self.above.pop()

    def is_last_break(self, case, cursor):
        """A switch ends behind it anyway."""
        behind = self.source[cursor.extent.end.offset:].split(maxsplit=2)[:2]
        return case.kind in (K.CASE_STMT, K.DEFAULT_STMT) and cursor.kind == K.BREAK_STMT and behind == [b";", b"}"]

    def drop(self, cursor):
        end = self.source.find(b";", cursor.extent.end.offset) + 1
        ends_here = not self.between(cursor.extent.end.offset, end - 1).strip()
        nothing = cursor.kind == K.RETURN_STMT and not list(cursor.get_children())
        if ends_here and (cursor.kind in DROPPED or nothing):
            self.add(cursor, "statement", "", "drop", end)

    def binary(self, cursor, children):
        left, right = children
        op = self.between(left.extent.end.offset, right.extent.start.offset).strip()
        if op not in OPERATORS:
            return
        a, b = self.text(left), self.text(right)
        a, b = (a if op.endswith("=") and op not in ("<=", ">=", "==", "!=") else f"({a})"), f"({b})"
        if op not in ("&&", "||"):
            new = f"{a} {OPERATORS[op]} {b}"
            self.add(cursor, "operator", new, differs=self.differs(cursor, f"({new})"))
            return
        a_alone, b_alone = f"({a} && !{b})", f"(!{a} && {b})"  # only one of them holds
        pure = self.is_pure(cursor)
        safe = pure and not RISK.search(b)
        self.add(cursor, "operator", f"({a} {OPERATORS[op]} {b})", differs=f"{a_alone} || {b_alone}" if safe else "")
        self.add(cursor, "part", f"!!{a}", differs="" if not pure else a_alone if op == "&&" else b_alone)
        self.add(cursor, "part", f"!!{b}", differs="" if not safe else b_alone if op == "&&" else a_alone)

    def unary(self, cursor, children):
        op, operand = self.text(cursor)[:1], self.text(children[0])
        if op == "!":
            self.add(cursor, "operator", f"!!({operand})")
        if op == "-":
            self.add(cursor, "operator", f"({operand})")

    def literal(self, cursor, _):
        text = self.text(cursor)
        if text[:1].isdigit():
            for new in (f"{text} + 1", f"{text} - 1")[:1 if text.strip("uUlL") == "0" else 2]:
                self.add(cursor, "constant", new, differs=self.differs(cursor, f"({new})"))

    def condition(self, cursor, children):
        if children and children[0].kind not in (K.BINARY_OPERATOR, K.UNARY_OPERATOR):
            self.add(children[0], "condition", f"!({self.text(children[0])})", "truth")

    def result(self, cursor, children):
        if children and self.function.result_type.get_canonical().kind == TypeKind.BOOL and children[0].kind != K.BINARY_OPERATOR:
            self.add(children[0], "result", f"!({self.text(children[0])})")

    def call(self, cursor, _):
        args = list(cursor.get_arguments())
        for a, b in zip(args, args[1:]):
            x, y = self.text(a), self.text(b)
            if x != y and '"' not in x + y and a.type.get_canonical().spelling == b.type.get_canonical().spelling:
                start, end = cursor.extent.start.offset, cursor.extent.end.offset
                middle = self.between(a.extent.end.offset, b.extent.start.offset)
                alike = a.type.get_canonical().kind in SCALAR and self.is_pure(a) and self.is_pure(b)
                self.add(cursor, "arguments", self.between(start, a.extent.start.offset) + y + middle + x
                         + self.between(b.extent.end.offset, end), differs=f"({x}) != ({y})" if alike else "")

    def field(self, cursor, _):
        field = cursor.referenced
        if not field or field.kind != K.FIELD_DECL or field.semantic_parent.kind != K.STRUCT_DECL or field.is_bitfield():
            return
        kind = field.type.get_canonical().spelling
        alike = [f.spelling for f in field.semantic_parent.get_children()
                 if f.kind == K.FIELD_DECL and f.type.get_canonical().spelling == kind and not f.is_bitfield()]
        if len(alike) > 1 and field.spelling in alike:  # an unnamed union is not
            base = self.between(cursor.extent.start.offset, cursor.location.offset)
            new = base + alike[(alike.index(field.spelling) + 1) % len(alike)]
            read = self.above[-1].kind == K.UNEXPOSED_EXPR  # its value is asked for
            self.add(cursor, "field", new, "place", differs=self.differs(cursor, new) if read else "")


def find(root, file):
    return Finder(root, file).points


def meets(point, others):
    return any(point.start < p.end and p.start < point.end for p in others if p.file == point.file)


def pick(points, count, seed, beside=()):
    """The first `count` by rank, each kind in its turn, none within another or one of `beside`: the same ones while their functions
    stay as they are."""
    kinds = collections.defaultdict(list)
    for point in sorted(points, key=lambda p: p.rank(seed), reverse=True):
        kinds[point.kind].append(point)
    picked, taken = [], collections.defaultdict(list)
    for point in beside:
        taken[point.file].append(point)
    while len(picked) < count and any(kinds.values()):
        for kind in sorted(kinds):
            while kinds[kind] and len(picked) < count:
                point = kinds[kind].pop()
                if not meets(point, taken[point.file]):
                    taken[point.file].append(point)
                    picked.append(point)
                    break
    return picked


def rewritten(source, numbered):
    """The text of a file, bytes, with these (number, point) in it."""
    for number, point in sorted(numbered, key=lambda n: -n[1].start):
        source = source[:point.start] + point.text(number).encode() + source[point.end:]
    return source
