# In launches over large arrays what indices say is no more in the caches: it is loaded one by one
# and put side by side, where the CPU's own instructions take longer. Within the caches they do not,
# nor where a round computes for long.
# REQUIRES: x86_64
# DEFINE: %{emit} = --emit asm --types 'k=int32[] x=float64[] y=float64[]'
# RUN: cplc %s:scattered %{emit} --option cpu_level=4 --facts=large,apart \
# RUN:   | FileCheck %s --check-prefix=FAR --implicit-check-not=vgather
# RUN: cplc %s:scattered %{emit} --option cpu_level=4 --facts=apart \
# RUN:   | FileCheck %s --check-prefix=NEAR
# RUN: cplc %s:computed %{emit} --option cpu_level=4 --facts=large,apart \
# RUN:   | FileCheck %s --check-prefix=NEAR
# RUN: cplc %s:scattered %{emit} --option cpu_level=3 --facts=large,apart \
# RUN:   | FileCheck %s --check-prefix=FAR --implicit-check-not=vgather
# RUN: cplc %s:chosen %{emit} --option cpu_level=4 --facts=large,apart \
# RUN:   | FileCheck %s --check-prefix=CHOSEN --implicit-check-not=vgather \
# RUN:   --implicit-check-not=testb

# Under a mask lanes that are off load from memory of the kernel's own: no branch a lane.
# FAR: vmovhp{{[sd]}} (%{{[a-z0-9]+}},%{{[a-z0-9]+}},8)
# NEAR: vgatherdpd
def scattered(i, k, x, y):
    y[i] = x[k[i]]


def computed(i, k, x, y):
    v = x[k[i]]
    y[i] = sin(v)*cos(v) + exp(v)*sin(2*v) + exp(-v)*cos(2*v) + sin(3*v)


# CHOSEN: vmovhp{{[sd]}} (%r
def chosen(i, k, x, y):
    v = 0.0
    if k[i] > 0:
        v = x[k[i]]
    y[i] = v
