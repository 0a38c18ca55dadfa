"""Ctrl-C during calls that would take for ever: they end, and all can be used afterwards.

No test measures time: what is not ended never is, and the limit of `run` says so.
"""

import subprocess
import sys

import pytest

import cpl

PRELUDE = """
import os, signal, sys, threading
import numpy as np, cpl
FOREVER = 10**15

def is_interrupted(call):
    done = False
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        call()
        done = True
        threading.Event().wait(60)
    except KeyboardInterrupt:
        pass
    return not done

@cpl.elementwise
def work(i, x, rounds):
    s = 0.0
    for k in range(rounds):
        s = s*0.5 + x[i]
    x[i] = s
"""


def run(tmp_path, program, *args):
    """What the program prints; it leaves by os._exit, which waits for nobody."""
    path = tmp_path / "program.py"
    path.write_text(PRELUDE + program + "\nsys.stdout.flush()\nos._exit(0)\n")
    done = subprocess.run([sys.executable, path, *args], capture_output=True, text=True, timeout=300)
    assert not done.stderr, done.stderr
    return done.stdout


WAIT = """
device = cpl.device(sys.argv[1])
there, other, plain = cpl.ones(64, device=device), cpl.ones(64, device=device), np.ones(64)
host = np.asarray(there)
work(there, 1)
with device:
    work(plain, 1)
queue = device.queue
queue.finish()

def launch():
    if sys.argv[2] == "plain":
        with device:
            work(plain, FOREVER)
        return
    work(there, FOREVER)
    if sys.argv[2] == "finish":
        queue.finish()
    elif sys.argv[2] == "event":
        queue.record().wait()
    elif sys.argv[2] == "numpy":
        there.numpy()
    elif sys.argv[2] == "write":
        there[:] = host

print(is_interrupted(launch), queue.record().done, (plain == 1).all())
second = cpl.Queue(device)
"""


@pytest.mark.parametrize("how", ["plain", "finish", "event", "numpy", "write"])
@pytest.mark.parametrize("device", [d.label for d in cpl.devices() if d.kind == "opencl"])
def test_waits_for_devices(tmp_path, device, how):
    """The kernel goes on, and its arrays are kept for it; what was not done is not shown as done."""
    assert run(tmp_path, WAIT, device, how) == "True False True\n"


EXPRESSION = """
class Late(Exception):
    pass
def late(*_):
    global came
    came = True
    raise Late
def compute(x):
    for k in range(20):
        x = np.sin(x)**1.3 + k
    return x
signal.signal(signal.SIGALRM, late)
for size in range(20, 30):
    came = False
    x = cpl.array(np.ones(1 << size))
    np.asarray(compute(x[:10]))
    y = compute(x)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0)
        np.asarray(y)
        signal.setitimer(signal.ITIMER_REAL, 0, 0)
        if came:
            print("lost")
            break
    except Late:
        print("heard")
        break
np.testing.assert_array_equal(np.asarray(y)[:100], np.asarray(compute(x[:100])))
"""


def test_what_numpy_asks_for(tmp_path):
    """NumPy makes nothing of what a buffer raises, and asks again in another way."""
    assert run(tmp_path, EXPRESSION) == "heard\n"
