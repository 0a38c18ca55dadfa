# Loops over the work-items of a kernel run side by side, 16 of them, as rows of groups often have, whatever stands in them; what all share is one number, and rows of local memory
# are rows of vectors. The loop over workers around them does not.
# RUN: cplc %s:scaled --as kernel --types 'x=float32[] y=float32[] a=float32 n=int32' --emit llvm \
# RUN:   --option cpu_level=3 | FileCheck %s -DW=16 --check-prefix=SCALED
# RUN: cplc %s:scaled --as kernel --types 'x=float32[] y=float32[] a=float32 n=int32' --emit llvm \
# RUN:   --option cpu_level=4 | FileCheck %s -DW=16 --check-prefix=SCALED
# RUN: cplc %root/examples/matmul.py --as kernel \
# RUN:   --types 'a=float32[] b=float32[] c=float32[] n=int32 m=int32 k=int32' --emit llvm \
# RUN:   --option cpu_level=3 | FileCheck %s -DW=16 --check-prefix=PRODUCT
# RUN: cplc %root/examples/matmul.py --as kernel \
# RUN:   --types 'a=float32[] b=float32[] c=float32[] n=int32 m=int32 k=int32' --emit llvm \
# RUN:   --option cpu_level=4 | FileCheck %s -DW=16 --check-prefix=PRODUCT
from compyle.low_level import *


def scaled(x, y, a, n):
    i = LID_0 + LDIM_0*GID_0
    if i < n:
        y[i] = a*x[i] + y[i]


# SCALED: define internal void @scaled.par(
# SCALED: [[X:%.*]] = call <[[W]] x float> @llvm.masked.load.v[[W]]f32
# SCALED-NEXT: [[M:%.*]] = fmul contract <[[W]] x float> {{.*}}[[X]]
# SCALED-NEXT: [[Y:%.*]] = call <[[W]] x float> @llvm.masked.load.v[[W]]f32
# SCALED-NEXT: [[S:%.*]] = fadd contract <[[W]] x float> [[M]], [[Y]]
# SCALED-NEXT: call void @llvm.masked.store.v[[W]]f32.p0(<[[W]] x float> [[S]]

# PRODUCT: define internal void @matmul.par(
# PRODUCT: [[B:%.*]] = load <[[W]] x float>, ptr %invariant.gep
# PRODUCT: [[ROW:%.*]] = shufflevector <[[W]] x float>
# PRODUCT-NEXT: fmul contract <[[W]] x float> [[ROW]], [[B]]
# PRODUCT: call void @llvm.masked.store.v[[W]]f32
