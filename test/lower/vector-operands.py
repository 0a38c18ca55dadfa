# A number beside a vector, or in all of its lanes, is computed once, in front of the lanes.
# RUN: cplc %s:f --types 'v=double4[] x=float64[] y=double4[]' --passes= --emit ir | FileCheck %s

def f(i, v, x, y):
    y[i] = v[i]*erf(x[i])
# CHECK: [[T:t_[0-9]+]] = erf(
# CHECK-COUNT-4: mul({{.*}}, [[T]])
# CHECK-NOT: erf(
    y[i] = exp(x[i])*v[i]
# CHECK: [[T:t_[0-9]+]] = exp(
# CHECK-COUNT-4: mul([[T]],
# CHECK-NOT: exp(
    y[i] = max(v[i], log(x[i]))
# CHECK: [[T:t_[0-9]+]] = log(
# CHECK-COUNT-4: max({{.*}}, [[T]])
# CHECK-NOT: log(
    y[i] = max(tan(x[i]), v[i])
# CHECK: [[T:t_[0-9]+]] = tan(
# CHECK-COUNT-4: max([[T]],
# CHECK-NOT: tan(
    y[i] = double4(cbrt(x[i]))
# CHECK: [[T:t_[0-9]+]] = cbrt(
# CHECK-COUNT-4: store(field<{{[xyzw]}}>({{.*}}), [[T]])
# CHECK-NOT: cbrt(
    y[i] += gamma(x[i])
# CHECK: [[T:t_[0-9]+]] = tgamma(
# CHECK-COUNT-4: add({{.*}}, [[T]])
# CHECK-NOT: tgamma(
    y[i] = -double4(sinh(x[i]))
# CHECK: [[T:t_[0-9]+]] = sinh(
# CHECK-COUNT-4: neg(
# CHECK-NOT: sinh(
    y[i] = sqrt(double4(cosh(x[i])))
# CHECK: [[T:t_[0-9]+]] = cosh(
# CHECK-COUNT-4: sqrt(
# CHECK-NOT: cosh(
