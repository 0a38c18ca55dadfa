"""Functions whose text is made by a template of Mako's, which is not installed along: `pip install
mako` does it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from textwrap import dedent
from typing import Any

from .types import kwtype_to_annotation


def _mako(of: Template) -> Any:
    """Mako's class Template, or ImportError with the place of the template that needs it."""
    try:
        from mako.template import Template as made  # type: ignore[import-untyped, unused-ignore]
    except ImportError as error:
        method = type(of).template
        where = inspect.getsourcefile(method)
        line = method.__code__.co_firstlineno
        raise ImportError(
            f"{where}:{line}: {type(of).__qualname__} is a template in Mako's language, and Mako "
            "is not installed (pip install mako)", name="mako",
        ) from error
    return made


class Template:
    """A function of that name, whose text the method `template` has as its last string.

        class Scale(Template):
            def template(self, i, x):
                '''
                x[i] *= ${obj.factor}
                '''
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._function: Any = None

    @property
    def function(self) -> Any:
        """The function, made once; `source` is its text."""
        if self._function is None:
            self._function = self._make()
        return self._function

    def _make(self) -> Any:
        source, annotations = self._code()
        namespace: dict[str, Any] = {}
        exec(compile(source, f"<template {self.name}>", "exec"), namespace)  # noqa: S102
        made = namespace[self.name]
        made.__module__ = type(self).__module__
        made.__annotations__ = annotations
        made.is_jit = not annotations
        made.source = source
        return made

    def _code(self) -> tuple[str, dict[str, Any]]:
        method = type(self).template
        (node,) = ast.parse(dedent(inspect.getsource(method))).body
        assert isinstance(node, ast.FunctionDef)
        texts = [ast.literal_eval(s.value) for s in node.body if isinstance(s, ast.Expr)]
        names, more = self.extra_args()
        parameters = ", ".join([*inspect.getfullargspec(method).args[1:], *names])
        said = texts[0] if len(texts) == 2 else ""
        head = f'def {self.name}({parameters}):\n    """{said}\n    """'
        annotations = {**method.__annotations__, **kwtype_to_annotation(more)}
        return head + self.render(texts[-1]), annotations

    def render(self, src: str) -> str:
        """What Mako makes of a text, in which `obj` is this object."""
        return str(_mako(self)(text=src).render(obj=self))

    def inject(self, func: Callable[..., Any], indent: int = 1) -> str:
        """The text of a function's body, without its docstring, indented by four blanks for each
        unit: for templates that take in what is written as a function."""
        lines, _ = inspect.getsourcelines(func)
        (node,) = ast.parse(dedent("".join(lines))).body
        assert isinstance(node, ast.FunctionDef)
        body = lines[node.body[1 if ast.get_docstring(node) is not None else 0].lineno - 1:]
        more = indent*4 - (len(body[0]) - len(body[0].lstrip()))
        return "".join(" "*more + x if more > 0 else x[-more:] for x in body)

    def extra_args(self) -> tuple[list[str], dict[str, Any]]:
        """Names of further parameters, and their types as for annotate; subclasses have their
        own."""
        return [], {}

    def template(self) -> None:
        """A docstring, if there is one, and the text; subclasses have their own."""
