def k(v0, a0, a1):
    pass
    a0[v0*16 + 9] = ldexp(cast(1.0, 'float64'), a1[0])


