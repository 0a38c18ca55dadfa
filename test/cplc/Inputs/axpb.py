def axpb(i, x, y, a, b):
    y[i] = a*x[i] + b
