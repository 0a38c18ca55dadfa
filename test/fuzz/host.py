    @decorated(lambda a: (a, ")"), [1])  # a seed: functions of a host program, which begins with a vertical tab
    def f(i, x: List[int] = [0.0, lambda a, b=1: a], y=None):
        """
  less indented
        """
        p = declare("P")
        p.a = b(x[i]) + K*d.N
        m = declare("matrix(N)")
        s = 0
        for k in range(3):
            s += T(k)*np.sin(m[k])
        x[i] = p.a + s + H
	def g(v) -> "double": return v*s(v) if v > 0 else d.c(v)
def h(v):
    i_x, b_y = v, v
    return a if False else i_x
