"""What makes `import compyle` mean ours, and the modules beside those that compute."""

import contextlib
import importlib
import os
import subprocess
import sys
from textwrap import dedent

import numpy as np
import pytest
from compyle_names import NAMES

from cpl import compat
from cpl.compat.compyle import (
    api, ast_utils, capture_stream, cython_generator, ext_module, extern, profile, template,
    translator, transpiler, utils,
)
from cpl.compat.compyle.config import get_config, use_config
from cpl.compat.compyle.types import KnownType

ROOT = os.path.join(os.path.dirname(__file__), *[os.pardir]*3)
MODULES = (
    "api array ast_utils capture_stream config cuda cython_generator ext_module extern jit "
    "low_level opencl parallel profile sort template thrust.sort translator transpiler types utils"
).split()
pytestmark = pytest.mark.usefixtures("settings")


def run(tmp_path, *arguments, **files):
    """What Python prints in a folder with those files: name=text."""
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(dedent(text))
    done = subprocess.run(
        [sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- the runner ---


SCRIPT = """
    import sys
    import numpy as np
    from compyle.api import Elementwise, annotate, wrap
    import compyle.types as types
    import helper

    @annotate
    def axpb(i, x, y, a, b):
        y[i] = a*x[i] + b

    x, y = wrap(np.arange(3.0), np.zeros(3))
    Elementwise(axpb)(x, y, 2.0, 1.0)
    print(sys.argv[1:], y.data.tolist(), types.__name__, __name__, helper.NAME)
"""
HELPER = "from compyle import config\nNAME = config.__name__\n"
SAID = "['-b', 'x'] [1.0, 3.0, 5.0] cpl.compat.compyle.types __main__ cpl.compat.compyle.config\n"


def test_scripts_and_modules_run(tmp_path):
    runner = "-m", "cpl.compyle"
    assert run(tmp_path, *runner, "script.py", "-b", "x", script=SCRIPT, helper=HELPER) == SAID
    assert run(tmp_path, *runner, "-m", "script", "-b", "x") == SAID


def test_one_line_does_it_too(tmp_path):
    text = f"import cpl.compyle\n{dedent(SCRIPT)}"
    assert run(tmp_path, "script.py", "-b", "x", script=text, helper=HELPER) == SAID


def test_all_modules_are_ours_under_both_names(tmp_path):
    text = f"""
        import importlib, sys, cpl.compyle
        for name in {MODULES}:
            theirs = importlib.import_module("compyle." + name)
            assert theirs is importlib.import_module("cpl.compat.compyle." + name), name
            assert theirs.__spec__.name == theirs.__name__ == "cpl.compat.compyle." + name
        import compyle
        print(compyle.__version__)
    """
    assert run(tmp_path, "script.py", script=text) == "0.9.1\n"


PROCESSES = """
    import multiprocessing
    import subprocess
    import sys
    import numpy as np
    from compyle.api import Elementwise, annotate, wrap

    @annotate
    def axpb(i, x, y, a, b):
        y[i] = a*x[i] + b

    def work(n):
        x, y = wrap(np.arange(float(n)), np.zeros(n), backend="cython")
        Elementwise(axpb, backend="cython")(x, y, 2.0, 1.0)
        return float(y.data.sum())

    def start(text):
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
        return done.stdout.strip() or done.stderr

    if __name__ == "__main__":
        for method in "spawn", "forkserver":
            with multiprocessing.get_context(method).Pool(2) as pool:
                print(method, pool.map(work, [3, 4]))
        print(start("import compyle.api, compyle; print(compyle.__name__)"))
        print(start("import compyle.config as c, cpl.compyle; print(c.__name__)"))
"""
STARTED = ("spawn [9.0, 16.0]\nforkserver [9.0, 16.0]\n"
           "cpl.compat.compyle\ncpl.compat.compyle.config\n")


@pytest.mark.parametrize("how", [["processes.py"], ["-m", "processes"]], ids=["script", "module"])
def test_processes_that_programs_start_have_it_too(tmp_path, how):
    assert run(tmp_path, "-m", "cpl.compyle", *how, processes=PROCESSES) == STARTED


def test_processes_of_spawn_have_one_line_too(tmp_path):
    text = f"import cpl.compyle\n{dedent(PROCESSES)}"
    assert run(tmp_path, "processes.py", processes=text).splitlines()[:2] == STARTED.splitlines()[:2]


def test_processes_find_the_package_where_it_is_not_installed(tmp_path):
    """Beside the file that they find, as it is on nobody's path."""
    folder = os.path.join(os.path.dirname(compat.__file__), "processes")
    text = f"import sys; sys.path.append({folder!r}); import compyle; print(compyle.__name__)"
    done = subprocess.run([sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True,
                          env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"})
    assert done.stdout == "cpl.compat.compyle\n", done.stderr


def test_folders_of_tests_import_what_is_around_them(tmp_path):
    folder = tmp_path / "compyle" / "tests"
    folder.mkdir(parents=True)
    (tmp_path / "compyle" / "__init__.py").write_text("raise ImportError('the other one')\n")
    (folder / "__init__.py").write_text("")
    (folder / "test_it.py").write_text(dedent("""
        from ..config import get_config
        from compyle import config
        def test_one():
            assert get_config is config.get_config
    """))
    said = run(tmp_path, "-m", "cpl.compyle", "-m", "pytest", "-q", "-p", "no:cacheprovider",
               "compyle/tests")
    assert "1 passed" in said


def test_another_compyle_that_is_imported_is_named(tmp_path):
    text = """
        import sys, types
        sys.modules["compyle"] = types.ModuleType("compyle")
        sys.modules["compyle"].__file__ = "/somewhere/compyle.py"
        try:
            import cpl.compyle
        except ImportError as error:
            print(error)
    """
    assert "in front of /somewhere/compyle.py" in run(tmp_path, "script.py", script=text)


def test_usage(tmp_path):
    done = subprocess.run([sys.executable, "-m", "cpl.compyle"], capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith("usage: python -m cpl.compyle")


# --- api ---


def test_the_names_of_api():
    assert sorted(api.__all__) == sorted(NAMES["api"].split()) and len(api.__all__) == 41


@pytest.mark.parametrize("name", NAMES)
def test_names_of_modules_are_there_or_say_why_not(name):
    docs = open(os.path.join(ROOT, "docs", "compyle.md"), encoding="utf-8").read()
    module = importlib.import_module(f"cpl.compat.compyle.{name}")
    for n in NAMES[name].split():
        try:
            getattr(module, n)
        except NotImplementedError as error:
            assert str(error).startswith(f"{name}.{n}: ") and f"`{n}`" in docs
    with pytest.raises(AttributeError, match=f"compyle.{name}' has no attribute 'none'"):
        module.none


def test_names_of_other_modules_are_theirs():
    from cpl.compat.compyle import array, opencl, types

    assert array.annotate is types.annotate and opencl.named_profile is profile.named_profile
    assert transpiler.convert_to_float_if_needed("double *doubles") == "float *doubles"


# --- profile ---


@pytest.fixture
def timed(monkeypatch):
    """The profile, empty at first."""
    profile._info.clear()
    yield profile.get_profile_info()
    profile._info.clear()


def test_calls_are_counted_by_level(timed):
    class Named:
        name = "my name"

        @profile.profile
        def run(self):
            with profile.profile_ctx("inner"):
                pass

    for _ in range(3):
        Named().run()
    assert timed[0]["my name"]["calls"] == timed[1]["inner"]["calls"] == 3
    assert 0 < timed[1]["inner"]["time"] < timed[0]["my name"]["time"]


def test_what_raises_is_not_counted(timed):
    @profile.profile
    def bad():
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError), profile.profile_ctx("around"):
            bad()
    with profile.profile_ctx("good"):
        pass
    assert {level: set(rows) for level, rows in timed.items()} == {0: {"good"}}


def test_the_profile_is_printed_and_written(timed, tmp_path, capsys):
    profile.print_profile()
    assert "No profiling information" in capsys.readouterr().out
    with profile.profile_ctx("a"), profile.profile_ctx("b"):
        pass
    profile.print_profile()
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in said[3:5]] == [["0", "a", "1"], ["1", "b", "1"]]
    assert said[5].startswith("Total profiled time:")
    path = tmp_path / "profile.csv"
    profile.profile2csv(path, [timed, timed])
    rows = [line.split(",")[:4] for line in path.read_text().splitlines()]
    assert rows == [["rank", "level", "function", "calls"], ["0", "0", "a", "1"],
                    ["0", "1", "b", "1"], ["1", "0", "a", "1"], ["1", "1", "b", "1"]]


def test_kernels_are_timed_if_settings_say_so(timed):
    @profile.named_profile("raw")
    def make():
        return lambda x: x + 1

    assert make()(1) == 2 and not timed
    with use_config(profile=True):
        assert make()(1) == 2
    assert timed[0]["raw"]["calls"] == 1


# --- utils ---


def test_options_become_settings(capsys):
    parser = utils.ArgumentParser()
    parser.add_argument("-n", type=int, default=5)
    options = parser.parse_args(["-b", "opencl", "--use-double", "-n", "7"])
    config = get_config()
    assert (options.backend, options.n) == ("opencl", 7)
    assert (config.use_opencl, config.use_double, config.use_openmp) == (True, True, False)
    options, rest = parser.parse_known_args(["--openmp", "--other"])
    assert rest == ["--other"] and config.use_openmp and not config.use_double
    with pytest.raises(SystemExit):
        parser.parse_args(["-b", "tpu"])
    assert "invalid choice" in capsys.readouterr().err


def test_the_profile_is_printed_at_exit(tmp_path):
    text = """
        from compyle.api import ArgumentParser, profile_ctx
        ArgumentParser().parse_args()
        with profile_ctx("work"):
            pass
    """
    said = run(tmp_path, "-m", "cpl.compyle", "script.py", "--profile", script=text)
    assert "Profiling info:" in said and "work" in said


def test_what_was_generated_has_a_text():
    names = {}
    exec("def f(x):\n    return x\n", names)
    with pytest.raises((OSError, TypeError)):
        utils.getsource(names["f"])
    names["f"].source = "text\n"
    assert utils.getsource(names["f"]) == "text\n"
    assert utils.getsourcelines(names["f"]) == (["text\n"], 0)


# --- texts ---


def test_names_of_a_function():
    code = "def f(x, *more, k=1):\n    y = g(x[N])\n    for i in range(3):\n        z[i] += y\n"
    assert ast_utils.get_unknown_names_and_calls(code) == ({"N", "i"}, {"g", "range"})
    assert ast_utils.get_assigned("[a, b[0]] = c = 1, 2") == {"a", "b", "c"}
    assert not ast_utils.has_return(code)


def test_a_stream_in_the_place_of_both_is_that_of_errors():
    with contextlib.redirect_stdout(sys.stderr):
        with capture_stream.CaptureStream(sys.stdout) as captured:
            os.write(2, b"said")
    assert captured.get_output() == "said"


def test_streams_are_captured():
    with capture_stream.CaptureMultipleStreams((sys.stderr, sys.stdout)) as both:
        os.write(1, b"out\xc3\xbc")
        os.write(2, b"error")
        assert both.get_output() == ["error", "out\u00fc"]
        os.write(2, b", more")
    assert both.get_output() == ["error, more", "out\u00fc"]


# --- templates ---


class Scale(template.Template):
    def __init__(self, name, factors):
        super().__init__(name)
        self.factors = factors

    def extra_args(self):
        return ["y"], {"y": "doublep"}

    @api.annotate(i="int", x="doublep")
    def template(self, i, x):
        """Scales."""
        """
        % for k in obj.factors:
        y[i] += x[i]*${k}
        % endfor
        """


def test_templates_make_kernels():
    pytest.importorskip("mako")
    x, y = np.arange(4.0), np.zeros(4)
    function = Scale("scale", [2, 3]).function
    assert function.__annotations__["y"] == KnownType("double*", "double")
    api.Elementwise(function, backend="cython")(x, y)
    assert y.tolist() == [0, 5, 10, 15]
    lines = [line.strip() for line in function.source.splitlines()]
    assert lines[:2] == ["def scale(i, x, y):", '"""Scales.'] and "y[i] += x[i]*3" in lines


def test_without_mako_a_template_says_where_it_is(monkeypatch):
    monkeypatch.setitem(sys.modules, "mako.template", None)
    with pytest.raises(ImportError, match=r"test_compyle_runner.py:\d+: Scale is a template"):
        Scale("scale", [2]).function


def test_bodies_are_injected():
    def f(x):
        if x:
            return 1

    assert template.Template("t").inject(f, 2) == " "*8 + "if x:\n" + " "*12 + "return 1\n"


# --- what is known of functions, and what is refused ---


LIMIT = 3
aliased = extern.printf


def helper(x):
    return x + LIMIT


def outer(x, n):
    for i in range(n):
        aliased("%d\n", i)
        x[i] = helper(i)


def lost(x):
    nobody(x)  # noqa: F821


def test_what_a_function_needs():
    known = transpiler.get_external_symbols_and_calls(outer, "cython")
    assert known == ({}, {"i"}, [helper], [extern.printf])
    assert transpiler.get_external_symbols_and_calls(helper, "opencl")[0] == {"LIMIT": 3}
    with pytest.raises(NameError, match="nobody"):
        transpiler.get_external_symbols_and_calls(lost, "cython")


def test_what_is_called_comes_first(capsys):
    made = transpiler.Transpiler()
    made.add(outer)
    made.add(helper)
    assert [b.obj for b in made.blocks] == [helper, outer]
    assert "implicitly defined" in capsys.readouterr().out
    with use_config(suppress_warnings=True):
        transpiler.Transpiler().add(outer)
    assert not capsys.readouterr().out


def test_types_of_parameters():
    def f(n=1, x=[1.0], s_m=None, flag=True):
        return n

    wrapper, own = cython_generator.CythonGenerator().get_func_signature(f)
    assert own[0] == ["long n", "double* x", "double* s_m", "int flag"]
    assert wrapper[1] == ["n", "&x[0]", "&s_m[0]", "flag"]
    assert cython_generator.parse_declare("declare('matrix(3)')")[3] == 3
    assert translator.ocl_detect_type("d_x", None) == "GLOBAL_MEM double*"
    with pytest.raises(cython_generator.CodeGenerationError):
        translator.detect_type("x", object())
    with use_config(use_openmp=True):
        said = cython_generator.get_parallel_range(2, "n")
        assert said == "prange(2, n, 1, schedule='dynamic', chunksize=64)"


class Particle:
    def __init__(self):
        self.mass, self.kind, self.name, self._own = 2.5, 3, "p", 1


def test_objects_as_structs():
    made = translator.CStructHelper(Particle()).get_array()
    assert made.dtype == np.dtype([("kind", np.int32), ("mass", np.float32)])
    assert made[0].tolist() == (3, 2.5)
    with use_config(use_double=True):
        assert translator.CStructHelper(Particle()).get_array().dtype["mass"] == np.float64
    assert translator.CStructHelper(object.__new__(Particle)).get_array() is None


@pytest.mark.parametrize("use", [
    lambda: api.py2c("def f(x=1):\n    return x\n"),
    lambda: api.CConverter().convert(""),
    lambda: api.OpenCLConverter().parse(helper),
    lambda: translator.CUDAConverter().parse_instance(Particle()),
    lambda: api.CythonGenerator().parse(helper),
    lambda: api.CythonGenerator().get_code(),
    lambda: transpiler.Transpiler().get_code(),
    lambda: transpiler.Transpiler().compile(),
    lambda: api.ExtModule("").load(),
    lambda: ext_module.ExtModule("").write_and_build(),
    lambda: extern.Extern().code("cython"),
])
def test_what_is_refused_says_why(use):
    with pytest.raises(NotImplementedError, match=r"\w+ .*\w+"):
        use()
