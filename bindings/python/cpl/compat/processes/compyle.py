"""What `import compyle` finds in programs of Python's that a program run by cpl.compyle starts: its
folder is on their path, and there it hands over to cpl.compat.compyle."""

import importlib
import os
import sys

del sys.modules[__name__]  # cpl.compyle refuses to come behind another Compyle
try:
    importlib.import_module("cpl.compyle")
except ModuleNotFoundError as error:
    if error.name != "cpl":
        raise
    sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir]*3)))
    importlib.import_module("cpl.compyle")
sys.modules[__name__] = importlib.import_module("cpl.compat.compyle")
