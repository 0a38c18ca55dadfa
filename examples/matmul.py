# The product c = a b of an n x k and a k x m matrix, stored by rows. Groups of 16 x 16 work-items share tiles of both in local memory:
#
#   cplc run examples/matmul.py --target cuda --as kernel --global 512,512 --local 16,16 \
#        a=a.npy b=b.npy c=float32[262144] n=512 m=512 k=512 --out c=c.npy --time --unchecked
from compyle.low_level import GID_0, GID_1, LID_0, LID_1, declare, local_barrier


def matmul(a, b, c, n, m, k):
    ta = declare('LOCAL_MEM matrix((16, 16), "float")')
    tb = declare('LOCAL_MEM matrix((16, 16), "float")')
    col = 16*GID_0 + LID_0
    row = 16*GID_1 + LID_1
    total = 0.0
    for tile in range((k + 15) // 16):
        x = 16*tile + LID_0
        y = 16*tile + LID_1
        ta[LID_1][LID_0] = a[row*k + x] if row < n and x < k else 0.0
        tb[LID_1][LID_0] = b[y*m + col] if y < k and col < m else 0.0
        local_barrier()
        for j in range(16):
            total += ta[LID_1][j]*tb[j][LID_0]
        local_barrier()
    if row < n and col < m:
        c[row*m + col] = total
