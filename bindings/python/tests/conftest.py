"""What all tests of the package share."""

import html.parser
import os
import threading
import time

import numpy as np
import pytest

import cpl
from cpl.compat.compyle.config import Config, get_config, set_config

DTYPES = [
    np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
    np.float16, np.float32, np.float64,
]

SANITIZED = os.environ.get("LD_PRELOAD", "") != ""  # a sanitizer's library comes first there


def runs(thread):
    """Whether a thread of this process, by its number, is at work or waits for a core."""
    try:
        with open(f"/proc/self/task/{thread}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] == "R"
    except OSError:
        return False  # it has ended


def fork():
    """os.fork(). The allocator of a sanitizer locks nothing for it (GCC 12's), so a child waits for
    ever for what another thread had locked there at that moment: all others have to sleep."""
    own = str(threading.get_native_id())
    while SANITIZED and any(runs(t) for t in os.listdir("/proc/self/task") if t != own):
        time.sleep(0.001)
    return os.fork()


def numbers(dtype, shape, seed=0):
    """Small numbers that every type holds exactly."""
    values = np.random.default_rng(seed).integers(0, 2 if dtype == np.bool_ else 100, shape)
    return values.astype(dtype)


def scope_of(names, place="host"):
    """What a call as a text is evaluated in: arrays of cpl's, of these values."""
    here = {name: cpl.array(values, device=place) for name, values in names.items()}
    return {"np": np, "cpl": cpl, **here}


@pytest.fixture(params=DTYPES, ids=lambda t: np.dtype(t).name)
def dtype(request):
    return request.param


# Most kernels here have little to do: optimised code that a thread makes behind quick code would hardly ever run, and takes most of the time.
# A launch with more to do gets it as ever; tests in processes of their own have the default.
cpl.config.tiers = 2


# --- Compyle's ---


DEVICES = [kind for kind in ("opencl", "cuda") if any(d.kind == kind for d in cpl.devices())]
BACKENDS = ["cython", *DEVICES]
OPENCL = pytest.mark.skipif("opencl" not in DEVICES, reason="no OpenCL device")


@pytest.fixture(params=BACKENDS)
def backend(request):
    return request.param


@pytest.fixture
def settings():
    """Each test has its own."""
    set_config(Config())
    yield
    set_config(None)


@pytest.fixture
def in_double(settings):
    """Devices compute with float64."""
    get_config().use_double = True


# --- what notebooks show ---


class Tables(html.parser.HTMLParser):
    """What HTML shows: cells of tables, and the text outside. Every tag has to be closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.text = [], [], ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        assert tag in {"table", "thead", "tbody", "tr", "th", "td", "p", "b"}
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] in ("th", "td"):
            self.rows[-1][-1] += data
        else:
            assert self.open[0] == "p"
            self.text += data
