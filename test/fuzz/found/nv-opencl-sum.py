def k(v0, v1, v2, a0, a1, a2, a3, a4, a5, a6):
    v3 = declare('bool')
    v4 = declare('float16')
    v5 = declare('int16')
    v6 = declare('uint8')
    pass
    v6 = cast((cast((cast((cast(16, 'uint8') + cast(8, 'uint8')), 'uint8') / cast((cast(0, 'uint8') | cast(12, 'uint8')), 'uint8')), 'uint8') + cast(cast((a5[(a4[127] & 127)] + a5[((cast((-6), 'int32') + cast(2147483647, 'int32')) & 127)]), 'uint32'), 'uint8')), 'uint8')
    v3 = (cast((cast(0, 'uint16') % cast(v2, 'uint16')), 'uint16') != cast((a6[(v0 & 127)] + a6[((cast(10, 'int64') % cast(4398046511104, 'int64')) & 127)]), 'uint16'))
    a0[0] = cast(v3, 'uint64')
    a1[0] = cast(v4, 'float64')
    a0[1] = cast(v6, 'uint64')
    return cast((cast(fma(cast(0.5, 'float32'), cast(v4, 'float32'), cast(v5, 'float32')), 'float32') + (cast(v2, 'float32') - v1)), 'float32')


