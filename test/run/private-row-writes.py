# Rows of arrays that a function makes itself, written as a whole.
# RUN: rm -rf %t && mkdir -p %t && %python %S/check.py %s %t
import numpy as np


def numbers(y):
    p = np.zeros((3, 2))
    p[1] = 5
    p[2] = p[1]*2 + 1
    p[0] = p[2]
    p[1] += p[0]
    for i in range(3):
        for j in range(2):
            y[2*i + j] = p[i, j]


def three(y):
    p = np.ones((2, 3, 2))
    p[1] = 4
    p[0, 2] = 7
    p[0][1] = p[0][2] + p[1, 0]
    for i in range(2):
        for j in range(3):
            for k in range(2):
                y[6*i + 2*j + k] = p[i, j, k]


def whole(y):
    p = np.zeros((3, 2))
    p[:] = 4
    p[1] += 4
    p[2] *= p[1]
    p[0] -= 1
    for i in range(3):
        y[i] = p[i, 0] - p[i, 1] + p[i, 1]


def listed(y):
    p = np.array([[1.0, 2.0], [3.0, 4.0]])
    q = np.zeros((2, 2))
    p[0] = p[1]
    p[1] = 9
    q[0] = p[0]
    q[1] = q[0] + p[1]
    y[0] = p[0, 1] + 10*p[1, 0]
    y[1] = q[1, 0] + 10*q[1, 1]


def loops(y):
    p = np.zeros((3, 2))
    k = 0
    while k < 3:
        p[k] = k + 1
        k += 1
    s = 0.0
    for row in p:
        for v in row:
            s = s*10 + v
    y[0] = s
    y[1] = np.sum(p[2])


def other(y):
    p = np.zeros((2, 2))
    q = np.zeros(2)
    q[:] = 3
    p[1] = q
    q[0] = 1
    p[0] = p[1] if q[0] > 2 else q
    y[0] = p[0, 0] + 10*p[1, 0]


def vectors(y):
    p = np.zeros((2, 2), float4)
    p[1] = float4(1, 2, 3, 4)
    p[0, 1] = p[1, 0] + 1
    y[0] = p[1, 1].w + 10*p[0, 1].x + 100*p[0, 0].x


def cases(case, np, rng):
    for f in ("numbers", "three", "whole", "listed", "loops", "other"):
        case(f, arrays={"y": np.zeros(12)}, form="function")
    case("vectors", arrays={"y": np.zeros(1)}, form="function", expected={"y": np.array([24.0])})
