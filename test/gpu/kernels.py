"""kernels.py FOLDER TARGET [small]: the low-level examples through cplc, against NumPy. $CPLC_WRAPPER goes before each command."""
import os
import subprocess
import sys

import numpy as np

folder, target = sys.argv[1:3]
small = len(sys.argv) > 3
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, f"{root}/test/cplc/Inputs")
import through_cplc

os.makedirs(folder, exist_ok=True)
rng = np.random.default_rng(2)


def run(kernel, outputs, form, *options, **arguments):
    words = through_cplc.words(folder, arguments, outputs)
    wrapper = os.environ.get("CPLC_WRAPPER", "").split()
    how = ["--unchecked", "--as", form, "--target", target, *options]
    subprocess.check_call([*wrapper, "cplc", "run", f"{root}/examples/{kernel}", *how, *words])
    return through_cplc.loaded(folder, outputs)


# No edge is a multiple of the tiles'.
for n, m, k in ((33, 17, 50),) if small else ((33, 17, 50), (128, 256, 64), (1, 1, 1), (100, 300, 200)):
    a, b = rng.uniform(-1, 1, (n, k)).astype("f4"), rng.uniform(-1, 1, (k, m)).astype("f4")
    c, = run("matmul.py", ["c"], "kernel", "--global", f"{m},{n}", "--local", "16,16", a=a, b=b, c=f"float32[{n*m}]", n=n, m=m, k=k)
    assert np.allclose(c.reshape(n, m), a @ b, rtol=0, atol=1e-5*k), (n, m, k)

for n, group in ((100, 32),) if small else ((100, 32), (1000, 256), (4096, 128)):
    x, y, gamma = rng.uniform(-1, 1, (3, n))
    dx, dy = x[:, None] - x, y[:, None] - y
    r2 = dx*dx + dy*dy
    s = np.divide(gamma, r2, out=np.zeros_like(r2), where=r2 > 1e-12)
    u, v = -(s*dy).sum(1)/(2*np.pi), (s*dx).sum(1)/(2*np.pi)
    arguments = dict(x=x, y=y, gamma=gamma, u=f"float64[{n}]", v=f"float64[{n}]")
    for got in (run("vortex_tiled.py:vortex", ["u", "v"], "elementwise", **arguments, n=n),
                run("vortex_tiled.py:tiled", ["u", "v"], "kernel", "--global", str(n), "--local", str(group), **arguments,
                    tx=f"local:{group}", ty=f"local:{group}", tg=f"local:{group}", n=n)):
        assert np.allclose(got[0], u, rtol=1e-9, atol=1e-9*abs(u).max()), n
        assert np.allclose(got[1], v, rtol=1e-9, atol=1e-9*abs(v).max()), n
print("kernels agree with NumPy")
