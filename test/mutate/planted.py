"""Edits of the form of plants.txt as points: each is put into the whole expression or the run of statements around it."""

import collections
import dataclasses
import os
import re
import sys

from clang.cindex import CursorKind as K
from clang.cindex import Index, StorageClass

from plant import pattern, read_plants
from points import CONSTANT, Point, arguments, meets, one_line

WORD = re.compile(r"\w+|[-+*/%&|^<>=!]+|[^\w\s]")
COMMENT = re.compile(r"//[^\n]*")
ASSIGNING = re.compile(r"\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)")
UNMOVABLE = re.compile(r"\b(?:case|default)\b|\n#|^\s*\w+:\s",
                       re.M)  # what may not stand there twice


@dataclasses.dataclass
class Planted(Point):
    edit: str = ""
    ways: list = dataclasses.field(default_factory=list)  # the other (start, end, form), each wider than the one before
    whole: bytes = b""  # its file
    inner: tuple = (0, 0)  # of the text that the edit exchanges, in bytes

    @property
    def name(self):
        return f"{self.file}: {self.function}: {self.edit}"

    def widen(self):
        """Takes the next way; False: there is none."""
        if not self.ways:
            return False
        self.start, self.end, self.form = self.ways.pop(0)
        self.old = self.whole[self.start:self.end].decode()
        self.line = self.whole.count(b"\n", 0, self.start) + 1
        return True

    def text(self, number):
        before, behind = self.whole[self.start:self.inner[0]].decode(), self.whole[self.inner[1]:self.end].decode()
        new = one_line(COMMENT.sub("", before + self.new + behind))
        if self.form == "statements":
            return f"{{ if (cpl_mutant_is({number})) {{ {new} }} else {{ {self.old} }} }}"
        return f"(cpl_mutant_is({number}) ? ({new}) : ({self.old}))"


class Around:
    """What encloses a text of one file, the narrowest first."""

    def __init__(self, root, file):
        path = f"{root}/{file}"
        with open(path, "rb") as source:
            self.source = source.read()
        unit = Index.create().parse(path, arguments(root))
        self.functions = [c
                          for c in unit.cursor.get_children() if c.location.file and c.location.file.name == path
                          and c.kind == K.FUNCTION_DECL and c.is_definition()]

    def find(self, start, end):
        """The function's name and [(start, end, form)]."""
        for function in self.functions:
            if function.extent.start.offset <= start and end <= function.extent.end.offset:
                ways = []
                self.walk(function, start, end, ways)
                return function.spelling, [w
                                           for i, w in enumerate(ways[::-1]) if w not in ways[::-1][:i]]
        return "", []

    def walk(self, cursor, start, end, ways):
        if cursor.kind == K.VAR_DECL and cursor.storage_class == StorageClass.STATIC:
            return
        if cursor.kind == K.COMPOUND_STMT:
            self.run_of(list(cursor.get_children()), start, end, ways)
        elif cursor.kind.is_expression() and cursor.kind != K.INIT_LIST_EXPR:
            a, b = cursor.extent.start.offset, cursor.extent.end.offset
            if a <= start and end <= b and not ASSIGNING.match(self.source[b:b + 8].decode(errors="replace")):
                ways.append((a, b, "expression"))
        for child in cursor.get_children():
            if child.kind not in CONSTANT and child.extent.start.offset <= start and end <= child.extent.end.offset + 1:
                self.walk(child, start, end, ways)

    def run_of(self, statements, start, end, ways):
        """Those that the text lies in, with what follows a declaration, as that may need it."""
        inside = [s for s in statements if s.extent.start.offset < end and start < self.end_of(s)]
        if not inside or not inside[0].extent.start.offset <= start or not end <= self.end_of(inside[-1]):
            return
        rest = any(s.kind == K.DECL_STMT for s in inside)
        way = inside[0].extent.start.offset, self.end_of(statements[-1] if rest else inside[-1])
        if not UNMOVABLE.search(self.source[way[0]:way[1]].decode()):
            ways.append((*way, "statements"))

    def end_of(self, statement):
        """Behind its semicolon."""
        end = statement.extent.end.offset
        behind = re.match(rb"\s*;", self.source[end:])
        return end + behind.end() if behind and self.source[end - 1:end] not in b";}" else end


def narrowed(old, new):
    """The (start, end) in both of the words that are not the same in front and behind, one word at least."""
    a, b = list(WORD.finditer(old)), list(WORD.finditer(new))
    front = behind = 0
    most = min(len(a), len(b))
    while front < most - 1 and a[front].group() == b[front].group():
        front += 1
    while behind < most - 1 - front and a[-1 - behind].group() == b[-1 - behind].group():
        behind += 1
    return [(words[front].start(), words[len(words) - 1 - behind].end()) for words in (a, b)]


def place(around, name, file, old, new):
    text = around.source.decode()
    found = pattern(old).search(text)
    if new.strip():
        (start, end), (first, last) = narrowed(found.group(), new)
        start, end, new = found.start() + start, found.start() + end, new[first:last]
    else:
        start, end = found.end() - len(found.group().lstrip()), found.end()
    inner = len(text[:start].encode()), len(text[:end].encode())
    function, ways = around.find(*inner)
    point = Planted(file, function, 0, 0, 0, "planted", "", "", new, edit=name, ways=ways,
                    whole=around.source, inner=inner)
    return point if point.widen() else None


def load(root, paths):
    """The points of these files' edits; sources that are not C, and texts outside functions, are named and left out."""
    of_file, points = collections.defaultdict(list), []
    for path in paths:
        for name, file, old, new, _ in read_plants(path):
            source = f"{root}/{file}"
            if not os.path.exists(source) or len(pattern(old).findall(open(source, encoding="utf-8").read())) != 1:
                sys.exit(f"mutate.py: {path}: {name}: its text is not once in {file}")
            of_file[file].append((name, old, new))
    for file, edits in sorted(of_file.items()):
        around = Around(root, file) if file.endswith(".c") else None
        for name, old, new in edits:
            point = place(around, name, file, old, new) if around else None
            if point and not meets(point, points):
                points.append(point)
            else:
                print(f"mutate: {name} is left out: it needs a build of its own", file=sys.stderr)
    return points
