# What refused.txt keeps from devices is at most one case in twenty of each, and names what is there.
# RUN: %python %s %root

import glob
import os
import sys
import warnings

import numpy as np

root = sys.argv[1]
sys.path[:0] = [os.path.join(root, "test", "run"), os.path.join(root, "test", "run", "Inputs")]
import check
import harness

warnings.simplefilter("ignore")
cases = []  # (test, function) of each
for path in sorted(glob.glob(os.path.join(root, "test", "run", "*.py"))):
    test = os.path.basename(path).removesuffix(".py")
    if "\ndef cases(" in open(path).read() and test != "check":
        check.load(path)["cases"](lambda function, *_, test=test, **__: cases.append((test, function)), np, np.random.default_rng(7))

ok = len(cases) > 300
for target in harness.DEVICES + harness.GPUS:
    refused = harness.refused(target)
    left_out = sum(c in refused for c in cases)
    print(f"{target}: {len(cases) - left_out} of {len(cases)} cases run")
    for name in set(refused) - set(cases):
        print(f"{target}: there is no case of", *name)
        ok = False
    ok = ok and left_out*20 <= len(cases)
sys.exit(not ok)
