# Kernels over arrays of vectors and of structs that hold structs, matrices and padding.
from cpl.lang import struct


@struct
class Part:
    u: 'int8'
    w: 'double'


@struct
class Whole:
    a: 'int'
    part: Part
    m: 'matrix((2,3))'
    z: 'complex64'
    t: 'uint8'


def vectors(i, v):
    v[i].y += 1


def structs(i, s):
    s[i].a += i
    s[i].part.w = 2.5
    s[i].m[1, 2] = i
    s[i].z = 1j
