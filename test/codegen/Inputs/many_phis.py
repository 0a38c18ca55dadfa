# many_phis.py COUNT: a kernel with a loop that carries on so many locals.
import sys

count = int(sys.argv[1])
print("def f(i, x, n):")
for k in range(count):
    print(f"    v{k} = 1.0")
print("    for j in range(n):")
for k in range(count):
    print(f"        v{k} += x[j + {k}]")
for k in range(count):
    print(f"    x[i] += v{k}")
