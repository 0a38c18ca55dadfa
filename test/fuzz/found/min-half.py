@struct
class S0_95b9c0:
    f0: 'matrix(2, "int16")'
    f1: 'uint64'
    f2: 'uint8'


@struct
class S1_95b9c0:
    f0: 'bool'
    f1: 'uint32'


def k(v0, v1, a0, a1):
    v2 = declare('int32')
    v6 = declare('float16')
    pass
    v6 = cast(min(cast(0.0, 'float16'), cast(min(a1[(v0 & 63)], cast(v2, 'float16')), 'float16')), 'float16')
    a0[v0*16 + 0] = cast(v6, 'float64')


