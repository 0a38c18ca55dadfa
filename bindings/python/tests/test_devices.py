"""Devices, queues, events and graphs; where there is an OpenCL device, on it as on the host."""

import os
import pickle
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from conftest import fork, numbers

import cpl
from cpl.lang import GID_0, LDIM_0, LID_0

LABELS = [d.label for d in cpl.devices()]
OTHERS = [d for d in LABELS if d != "host"]


@cpl.elementwise
def axpb(i, x, y, a, b=1):
    y[i] = a*x[i] + b


@cpl.kernel
def where_i_am(x):
    i = GID_0*LDIM_0 + LID_0
    x[i] = i


@pytest.fixture(params=LABELS)
def label(request):
    return request.param


@pytest.fixture(params=OTHERS or [pytest.param("", marks=pytest.mark.skip("no device"))])
def other(request):
    return request.param


def copied(direction):
    return cpl.copies()[direction]


# --- devices ---


def test_the_host_is_first():
    assert LABELS[0] == "host" and cpl.device("host") is cpl.devices()[0] is cpl.device()
    assert cpl.device("host").kind == "host" and cpl.device("host").is_cpu


def test_what_is_known_of_a_device(label):
    d = cpl.device(label)
    assert d.label == label and label in repr(d) and d.name in repr(d)
    assert f"{d.kind}:{d.index}" == label or label == "host"
    assert d.memory > 0 and d.units > 0 and len(d.max_group) == 3
    assert d.memory_used >= 0 and d.memory_pooled >= 0
    assert (d.native == 0) == (label == "host") == (d.queue.native == 0)
    assert isinstance(d.fp64, bool) and d.queue is d.queue and d.queue.device is d
    d.trim()
    assert d.memory_pooled <= 5 << 20  # which its queue keeps
    assert pickle.loads(pickle.dumps(d)) is d


def test_a_device_by_other_names(label):
    d = cpl.device(label)
    assert cpl.device(d) is cpl.device(d.queue) is d
    assert cpl.device(d.target).target == d.target  # the first of those that are alike


@pytest.mark.parametrize(("name", "error", "text"), [
    ("vulkan", cpl.ArgumentError, "names no device"),
    ("opencl:99", cpl.DeviceError, "opencl"),
    ("cuda:99", cpl.DeviceError, "cuda"),
    (3, TypeError, "not 3"),
    (b"host", TypeError, "not b'host'"),
])
def test_devices_that_are_not_there(name, error, text):
    with pytest.raises(error, match=text):
        cpl.device(name)
    with pytest.raises(error, match=text):
        cpl.Queue(name)


def test_types_are_not_made_by_hand():
    for kind in cpl.Device, cpl.Event, cpl.Graph:
        with pytest.raises(TypeError, match="cannot create"):
            kind()


# --- with ---


def test_calls_run_where_with_says(label, dtype):
    if dtype == np.float64 and not cpl.device(label).fp64:
        pytest.skip("no float64")
    if dtype == np.float16 and not cpl.device(label).fp16 and label != "host":
        pytest.skip("no float16")

    @cpl.elementwise
    def copy(i, x, y):
        y[i] = x[i]

    x = numbers(dtype, 1000)
    y = np.zeros_like(x)
    with cpl.device(label) as d:
        assert cpl.device() is d
        copy(x, y)
    np.testing.assert_array_equal(x, y)
    assert cpl.device().label == "host"


@pytest.mark.parametrize("layout", [lambda a: a[::2], lambda a: a[::-1], lambda a: a[3:]])
def test_arrays_of_any_layout(label, layout):
    x, whole = layout(np.arange(100.0)), np.full(100, -1.0)
    y, expected = layout(whole), np.full(100, -1.0)
    layout(expected)[:] = 2*x + 1
    with cpl.device(label):
        axpb(x, y, 2)
    np.testing.assert_array_equal(whole, expected)  # and nothing in the gaps


def test_planes(label):
    @cpl.elementwise
    def turn(i, j, x, y):
        x[i, j] = y[j, i]

    y = np.arange(12.0).reshape(4, 3)
    x = np.asfortranarray(np.zeros((3, 4)))
    with cpl.device(label):
        turn(x, y)
    np.testing.assert_array_equal(x, y.T)


def test_what_is_only_read_is_not_copied_back(other):
    x, y = np.arange(1000.0), np.zeros(1000)
    with cpl.device(other):
        axpb(x, y, 2)
        back, there = copied("to_host"), copied("to_device")
        axpb(x, y, 3)
        assert copied("to_host") == (back[0] + 1, back[1] + 8000)
        assert copied("to_device") == (there[0] + 2, there[1] + 16000)
    before = cpl.copies()
    axpb(x, y, 4)
    assert cpl.copies() == before  # on the host nothing is


def test_arrays_that_may_not_be_written(label):
    x, y = np.arange(10.0), np.zeros(10)
    x.flags.writeable = False
    with cpl.device(label):
        axpb(x, y, 2)
        np.testing.assert_array_equal(y, 2*x + 1)
        with pytest.raises(cpl.ArgumentError, match="read"):
            axpb(y, x, 2)
    np.testing.assert_array_equal(x, np.arange(10.0))


def test_one_array_twice(label):
    x = np.arange(10.0)
    with cpl.device(label):
        axpb(x, x, 2)
    np.testing.assert_array_equal(x, 2*np.arange(10.0) + 1)


def test_arrays_that_overlap_are_refused_on_devices(other):
    x = np.arange(10.0)
    with cpl.device(other), pytest.raises(cpl.ArgumentError, match="overlap"):
        axpb(x[:-1], x[1:], 2)
    np.testing.assert_array_equal(x, np.arange(10.0))


def test_nothing_moves_where_no_device_is_named(other):
    x, y = cpl.array(np.arange(10.0), device=other), np.zeros(10)
    with pytest.raises(cpl.ArgumentError, match="argument 2 is on the host.*automatic"):
        axpb(x, y, 2)
    with cpl.config(automatic=True):
        axpb(x, y, 2)
    np.testing.assert_array_equal(y, 2*np.arange(10.0) + 1)
    with cpl.device("host"):
        axpb(x, y, 3)
    np.testing.assert_array_equal(y, 3*np.arange(10.0) + 1)


def test_every_form_of_function(label):
    x = np.arange(100, dtype=np.int32)
    with cpl.device(label):
        assert cpl.reduce("a + b")(x) == x.sum()
        np.testing.assert_array_equal(cpl.scan("a + b")(x), np.cumsum(x))
        assert cpl.jit(lambda v: v*v)(7) == 49
        y = np.zeros(10, np.int32)
        where_i_am[8, 4](y)
        axpb[3](x, x, 2)
    np.testing.assert_array_equal(y, [0, 1, 2, 3, 4, 5, 6, 7, 0, 0])
    np.testing.assert_array_equal(x[:5], [1, 3, 5, 3, 4])


def test_kernels_of_several_devices_side_by_side():
    x, y = np.arange(10.0), np.zeros(10)
    for k in range(3):
        for label in LABELS:
            with cpl.device(label):
                axpb(x, y, k)
            np.testing.assert_array_equal(y, k*x + 1)


def test_inspect_shows_the_code_of_the_place(other):
    x, y = np.arange(10.0), np.zeros(10)
    text = axpb.inspect("llvm", x, y, 2, 1)
    assert "target datalayout" in text
    with cpl.device(other):
        assert "kernel" in axpb.source("opencl", x, y, 2, 1)


def test_with_nests_and_ends_behind_an_exception(label):
    host = cpl.device("host")
    with cpl.device(label) as d:
        with host:
            assert cpl.device() is host
            with d, pytest.raises(KeyError), host:
                raise KeyError
            assert cpl.device() is host
        with d:
            pass
        assert cpl.device() is d
    assert cpl.device() is host


def test_with_is_of_one_thread(other):
    seen, d = [], cpl.device(other)
    with d:
        t = threading.Thread(target=lambda: seen.append(cpl.device().label))
        t.start()
        t.join()
    assert seen == ["host"]


def test_with_ends_in_its_own_thread():
    d, seen = cpl.device("host"), []

    def end():
        try:
            d.__exit__(None, None, None)
        except RuntimeError as error:
            seen.append(str(error))

    with d:
        t = threading.Thread(target=end)
        t.start()
        t.join()
    assert len(seen) == 1 and "not entered in this thread" in seen[0]
    with pytest.raises(RuntimeError, match="not entered"):
        d.__exit__(None, None, None)


def test_generators_end_in_any_order(label):
    def inside(name):
        with cpl.device(name):
            yield cpl.device().label

    one, other = inside(label), inside("host")
    assert (next(one), next(other)) == (label, "host")
    one.close()
    assert cpl.device().label == "host"
    other.close()
    axpb(np.ones(3), np.ones(3), 1)


def test_many_threads(label):
    wrong = []

    def work(k):
        x, y = np.arange(1000.0), np.zeros(1000)
        for a in range(20):
            with cpl.device(label if (a + k) % 2 else "host"):
                axpb(x, y, a, k)
            if not np.array_equal(y, x*a + k):
                wrong.append((k, a))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


# --- queues ---


def test_queues(label):
    queue = cpl.Queue(label)
    x, y = np.arange(10.0), np.zeros(10)
    with queue as entered:
        assert entered is queue and cpl.device() is queue.device
        axpb(x, y, 2)
        event = queue.record()
    event.wait()
    assert event.done and event.duration is None and event.queue is queue
    queue.finish()
    np.testing.assert_array_equal(y, 2*x + 1)
    other = cpl.Queue(queue.device)
    other.wait(event)
    other.finish()
    with pytest.raises(TypeError, match=r"cpl\.Event"):
        queue.wait(other)


@pytest.mark.parametrize("of", ["queue", "event"])
def test_waits_with_a_timeout(label, of):
    """What is done by then is waited for; test_interrupts.py has what is not."""
    queue = cpl.Queue(label)
    x, y = np.arange(10.0), np.zeros(10)
    with queue:
        axpb(x, y, 2)
    wait = queue.finish if of == "queue" else queue.record().wait
    for timeout in 3600, np.float32(3600), 1e12, float("inf"), None:
        wait(timeout)
        wait(timeout=timeout)
    np.testing.assert_array_equal(y, 2*x + 1)
    for timeout in -1, -1e-9, float("nan"), -float("inf"):
        with pytest.raises(ValueError, match="a timeout is a number of seconds, 0 or more, not"):
            wait(timeout)
    for wrong in "1", [1], x:
        with pytest.raises(TypeError):
            wait(wrong)
    with pytest.raises(TypeError):
        wait(1, 2)


def test_a_queue_of_where_calls_run(label):
    with cpl.device(label):
        assert cpl.Queue().device.label == label


def test_a_queue_for_another_target(other):
    d = cpl.device(other)
    if d.kind != "opencl":
        pytest.skip("of OpenCL's alone")
    queue = cpl.Queue(d, target="opencl:c1.2")
    assert queue.target.startswith("opencl:c1.2")
    x, y = np.arange(10.0), np.zeros(10)
    with queue:
        axpb(x, y, 2)
    np.testing.assert_array_equal(y, 2*x + 1)
    with pytest.raises(cpl.Error):
        cpl.Queue(d, target="cuda:sm_75")


def test_native_queues(other):
    own = cpl.Queue(other)
    x, y = np.arange(10.0), np.zeros(10)

    class Stream:
        def __cuda_stream__(self):
            return 0, own.native

    class Pointer:
        ptr = own.native

    for stream in own.native, Stream(), Pointer():
        queue = cpl.Queue.from_native(other, stream)
        assert queue.native == own.native
        with queue:
            axpb(x, y, 3)
        queue.finish()
        np.testing.assert_array_equal(y, 3*x + 1)
        y[:] = 0


@pytest.mark.parametrize("stream", ["1", None, 1.5, object()])
def test_what_is_no_stream(label, stream):
    with pytest.raises(TypeError, match="a stream is"):
        cpl.Queue.from_native(label, stream)


def test_the_host_has_no_native_queues():
    with pytest.raises(cpl.ArgumentError, match="no native queues"):
        cpl.Queue.from_native("host", 1)
    if any(label.startswith("opencl") for label in LABELS):
        with pytest.raises(cpl.ArgumentError, match="NULL"):
            cpl.Queue.from_native("opencl", 0)


# --- graphs ---


def test_a_graph_of_the_host():
    x, y = np.arange(4.0), np.zeros(4)
    queue = cpl.Queue("host")
    with queue.record_graph() as graph:
        axpb(x, y, 2)
        axpb(y, x, 1, 0)
    np.testing.assert_array_equal(y, 0)
    assert graph.queue is queue and graph.launch().done
    np.testing.assert_array_equal(x, 2*np.arange(4.0) + 1)
    graph.launch(cpl.Queue("host")).wait()
    np.testing.assert_array_equal(x, 4*np.arange(4.0) + 3)


def test_a_graph_holds_its_arrays():
    with cpl.Queue("host").record_graph() as graph:
        axpb(np.arange(1000.0), np.zeros(1000), 2)
    x = np.arange(4.0)
    references = sys.getrefcount(x)
    with cpl.Queue("host").record_graph() as other:
        axpb(x, x, 2)
    assert sys.getrefcount(x) > references
    for _ in range(10):
        graph.launch()
    del other
    assert sys.getrefcount(x) == references


def test_graphs_that_fail(label):
    queue = cpl.Queue(label)
    graph = queue.record_graph()
    assert "not recorded" in repr(graph)
    with pytest.raises(RuntimeError, match="not recorded"):
        graph.launch()
    with pytest.raises(KeyError), graph:
        raise KeyError
    with pytest.raises(RuntimeError, match="not recorded"):
        graph.launch()
    with graph:  # again
        with pytest.raises(cpl.ArgumentError, match="records"):
            queue.finish()
        with pytest.raises(RuntimeError, match="recorded once"):
            graph.__enter__()
        with pytest.raises(cpl.ArgumentError, match="already"):
            queue.record_graph().__enter__()
    graph.launch().wait()
    with pytest.raises(RuntimeError, match="recorded once"):
        graph.__enter__()
    with pytest.raises(TypeError):
        graph.launch(3)
    with pytest.raises(RuntimeError, match="not entered"):
        graph.__exit__(None, None, None)


def test_graphs_take_no_arrays_that_move(other):
    x, y = np.arange(4.0), np.zeros(4)
    with pytest.raises(cpl.ArgumentError, match="cannot be part of a graph"):
        with cpl.Queue(other).record_graph():
            axpb(x, y, 2)


def test_the_default_queue_records_no_graph(label):
    with pytest.raises(ValueError, match=r"cpl\.Queue"):
        cpl.device(label).queue.record_graph()


def test_a_graph_runs_on_its_device(other):
    with cpl.Queue(other).record_graph() as graph:
        pass
    with pytest.raises(cpl.ArgumentError, match="recorded on"):
        graph.launch(cpl.Queue("host"))


def test_one_thread_records(label):
    queue, seen = cpl.Queue(label), []

    def call():
        with queue:
            try:
                axpb(np.ones(3), np.ones(3), 1)
            except RuntimeError as error:
                seen.append(str(error))

    with queue.record_graph():
        t = threading.Thread(target=call)
        t.start()
        t.join()
    assert len(seen) == 1 and "another thread records" in seen[0]


# --- arrays ---


def test_arrays_on_devices(label):
    d = cpl.device(label)
    x = cpl.zeros(4, device=label)
    assert x.device is d and x.place == label
    for where in label, d, d.queue:
        assert cpl.empty((2, 3), np.int32, device=where).device is d
        np.testing.assert_array_equal(cpl.array([1, 2], device=where).numpy(), [1, 2])
    axpb(cpl.array(np.arange(4.0), device=label), x, 2)
    np.testing.assert_array_equal(x.numpy(), [1, 3, 5, 7])
    with pytest.raises(cpl.ArgumentError, match="names no device"):
        cpl.zeros(3, device="vulkan")
    with pytest.raises(TypeError, match="not 3"):
        cpl.zeros(3, device=3)


def test_new_arrays_are_made_where_with_says(label):
    there = np.arange(3.0)
    with cpl.device(label) as d:
        for x in cpl.zeros(3), cpl.empty(3), cpl.array([1, 2]), cpl.asarray(there):
            assert x.device is d
        assert cpl.zeros(3, device="host").place == "host"
    with cpl.Queue(label):
        assert cpl.zeros(3).device is d
    assert cpl.zeros(3).place == "host"


def test_moving_an_array(other):
    x = cpl.array(np.arange(6.0).reshape(2, 3))
    before = cpl.copies()
    y = x.to(other)
    assert y.device is cpl.device(other) and y.shape == (2, 3) and y.dtype == x.dtype
    assert copied("to_device") == (before["to_device"][0] + 1, before["to_device"][1] + 48)
    assert y.to(other) is y and x.to("host") is x and x.to(None) is x
    z = y.to("host")
    np.testing.assert_array_equal(z.numpy(), np.arange(6.0).reshape(2, 3))
    assert copied("to_host") == (before["to_host"][0] + 1, before["to_host"][1] + 48)
    assert cpl.asarray(y) is y and cpl.asarray(y, device="host").place == "host"


def test_arrays_of_a_device_stay_there(other):
    x, y = cpl.array(np.arange(4.0), device=other), cpl.zeros(4, device=other)
    axpb(x, y, 2)
    before = cpl.copies()
    for _ in range(5):
        axpb(x, y, 3)
        axpb(y, x, 0.5)
    assert cpl.copies() == before
    assert cpl.reduce("a + b")(x) > 0


def test_a_graph_of_a_device(label):
    x, y = cpl.array(np.arange(4.0), device=label), cpl.zeros(4, device=label)
    queue = cpl.Queue(label)
    axpb(x, y, 1)  # compiled
    with queue.record_graph() as graph:
        axpb(x, y, 2)
        axpb(y, x, 1, 0)
    np.testing.assert_array_equal(x.numpy(), np.arange(4.0))
    graph.launch().wait()
    np.testing.assert_array_equal(x.numpy(), 2*np.arange(4.0) + 1)
    del y
    event = graph.launch(cpl.Queue(label))
    event.wait()
    assert event.done
    np.testing.assert_array_equal(x.numpy(), 4*np.arange(4.0) + 3)


def test_late_errors(other):
    @cpl.elementwise
    def past(i, x):
        x[i + 1] = 0

    x, queue = cpl.zeros(4, device=other), cpl.Queue(other)
    with cpl.config(bounds_check=True), queue:
        past(x)
        with pytest.raises(cpl.BoundsError, match="index 4"):
            queue.finish()
    queue.finish()


# --- processes ---


def test_a_child_has_devices_of_its_own():
    d, queue = cpl.device("host"), cpl.Queue("host")
    event = queue.record()
    with queue.record_graph() as graph:
        pass
    uses = [d.trim, lambda: d.native, lambda: d.queue, d.__enter__, queue.finish, queue.record,
            queue.__enter__, lambda: queue.wait(event), event.wait, graph.launch,
            queue.record_graph, lambda: cpl.Queue(d)]
    with d:
        pid = fork()
        if not pid:
            code = 1
            try:
                uses.append(lambda: axpb(np.ones(3), np.ones(3), 1))
                for use in uses:
                    try:
                        use()
                        os._exit(2)
                    except cpl.Error as error:
                        if error.status != "EFORKED":
                            os._exit(3)
                d.__exit__(None, None, None)
                y = np.zeros(3)
                with cpl.device("host") as own:
                    axpb(np.ones(3), y, 1)
                code = 0 if y[0] == 2 and own is not d else 4
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_references_are_counted(label):
    x, y = np.ones(4), np.zeros(4)
    d, queue = cpl.device(label), cpl.Queue(label)
    with d:
        axpb(x, y, 2)
    counted = [x, y, d, queue, d.queue]
    before = [sys.getrefcount(c) for c in counted]
    for _ in range(20):
        with d, queue:
            axpb(x, y, 2)
            queue.record().wait()
    assert [sys.getrefcount(c) for c in counted] == before


def test_with_the_other_runtime():
    """All of this with Intel's OpenCL, where it is installed for the tests."""
    vendors = Path(__file__).resolve().parents[3]/".dev"/"vendors"
    if not list(vendors.glob("*.icd")) or os.environ.get("OCL_ICD_VENDORS") == str(vendors):
        pytest.skip("no other runtime")
    library = Path(sys.prefix)/"lib"
    env = {**os.environ, "OCL_ICD_VENDORS": str(vendors), "LD_LIBRARY_PATH": str(library)}
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__],
                          capture_output=True, text=True, timeout=600, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
