# cplc run examples/axpb.py x=x.npy y=float64[1000000] a=2 b=1 --out y=y.npy --time --unchecked
def axpb(i, x, y, a, b):
    y[i] = a*sin(x[i]) + b
