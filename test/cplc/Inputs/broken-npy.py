# broken-npy.py FOLDER: .npy files that are damaged or hostile; the tool must refuse each without reading past its end.
import os
import struct
import sys

import numpy as np

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def raw(name, data):
    with open(os.path.join(folder, name + ".npy"), "wb") as file:
        file.write(data)


def header(name, text, data=b"\0" * 64, version=(1, 0)):
    text = text.encode() + b"\n"
    length = struct.pack("<H" if version[0] == 1 else "<I", len(text))
    raw(name, b"\x93NUMPY" + bytes(version) + length + text + data)


good = "{'descr': '<f8', 'fortran_order': False, 'shape': (8,), }"
raw("empty", b"")
raw("magic", b"\x93NUMPX\x01\x00" + b"\0" * 100)
raw("stub", b"\x93NUMPY\x01\x00\x76")
raw("version", b"\x93NUMPY\x09\x00\x76\x00" + b" " * 118)
raw("header", b"\x93NUMPY\x01\x00\xff\xff{'descr'")
raw("header2", b"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'")
header("short", good, b"\0" * 63)
header("huge", "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4), }")
header("wrap", "{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,), }")
header("digits", "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "9" * 40 + ",), }")
header("negative", "{'descr': '<f8', 'fortran_order': False, 'shape': (-8,), }")
header("dims", "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "1," * 65 + "), }")
header("noshape", "{'descr': '<f8', 'fortran_order': False}")
header("extra", "{'descr': '<f8', 'fortran_order': False, 'shape': (8,), 'x': 1}")
header("twice", "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (8,)}")
header("open", "{'descr': '<f8")
header("code", "{'descr': '<q9', 'fortran_order': False, 'shape': (8,), }")
header("nocode", "{'descr': '', 'fortran_order': False, 'shape': (8,), }")
header("string", "{'descr': '|S8', 'fortran_order': False, 'shape': (8,), }")
header("object", "{'descr': '|O', 'fortran_order': False, 'shape': (8,), }")
header("complex", "{'descr': '<c32', 'fortran_order': False, 'shape': (4,), }")
for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split():
    for name, order in ("big", ">"), ("little", "<"), ("native", "="), ("none", "|"):
        header(f"{name}-{code}", f"{{'descr': '{order}{code}', 'fortran_order': False, 'shape': (4,), }}")
header("fortran", "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 4), }")
nest = "[('a', "*18 + "'<f8'" + ")]"*18
header("deep", f"{{'descr': {nest}, 'fortran_order': False, 'shape': (8,), }}")
header("inside", "{'descr': [('a', []), ('b', '<f8')], 'fortran_order': False, 'shape': (8,), }")
header("titled", "{'descr': [(('t', 'a'), '<f8')], 'fortran_order': False, 'shape': (8,), }")
header("nofields", "{'descr': [], 'fortran_order': False, 'shape': (8,), }")
header("padding", "{'descr': [('a', '|V99999999999')], 'fortran_order': False, 'shape': (8,), }")
header("fields", "{'descr': [('a', '<f8', (65536, 65536))], 'fortran_order': False, 'shape': (8,), }")
# Strings of just as many characters as there is room for, one more and one fewer.
for n in 126, 127, 128, 129:
    header(f"code-{n}", f"{{'descr': '{'q'*n}', 'fortran_order': False, 'shape': (8,), }}")
    header(f"field-{n}", f"{{'descr': [('{'f'*n}', '|O')], 'fortran_order': False, 'shape': (8,), }}")
    header(f"inner-{n}", f"{{'descr': [('a', '{'q'*n}')], 'fortran_order': False, 'shape': (8,), }}")
for n in 30, 31, 32, 33:
    header(f"key-{n}", f"{{'{'k'*n}': 1, 'descr': '<f8', 'fortran_order': False, 'shape': (8,), }}")
# and some that are unusual but right
header("v2", good, version=(2, 0))
header("v3", good, version=(3, 0))
header("fortran1", "{'descr': '<f8', 'fortran_order': True, 'shape': (8, 1), }")
header("quotes", '{"shape": (8L,), "descr": "=f8", "fortran_order": False}')
header("void", "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 7, 9), }", b"")
