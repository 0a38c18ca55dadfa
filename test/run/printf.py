# printf: conversions fit the arguments' types.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
from compyle.low_level import printf


def kinds(n, u, x):
    printf("%d %d %x %u %c\n", n, u, u, u, 65)
    printf("%ld %lld %i %%\n", n, n, int(x))
    printf("%e %-10f|%6d\n", float(n), x, 42)
    for k in range(2):
        printf("line %d\n", k)


def cases(case, np, rng):
    case("kinds", scalars={"n": np.int64(-2**40), "u": np.uint32(4000000000), "x": np.float32(2.75)}, form="function",
         stdout="-1099511627776 4000000000 ee6b2800 4000000000 A\n-1099511627776 -1099511627776 2 %\n"
                "-1.099512e+12 2.750000  |    42\nline 0\nline 1\n")
    case("kinds", scalars={"n": np.int8(-3), "u": np.uint8(200), "x": np.float64(-7.5)}, form="function",
         stdout="-3 200 c8 200 A\n-3 -3 -7 %\n-3.000000e+00 -7.500000 |    42\nline 0\nline 1\n")
