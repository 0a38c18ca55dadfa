"""Scans whose parts are texts of C, as pyopencl.scan has them."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

import cpl
from cpl import lang

from . import ctext
from .compiled import ScanBase
from .config import use_config
from .types import C_NP_TYPE_MAP, KnownType, dtype_to_ctype

_QUALIFIERS = {"__global", "global", "GLOBAL_MEM", "const", "restrict", "__restrict__"}
_SHORT = {"uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int",
          "ulong": "unsigned long", "unsigned": "unsigned int"}


def _declared(text: str) -> tuple[str, KnownType]:
    """The name and type that a declaration of C gives: `__global const int *x`."""
    words = re.findall(r"\w+|\S", text)
    stars, names = words.count("*"), [w for w in words if w != "*" and w not in _QUALIFIERS]
    base = " ".join(names[:-1])
    base = _SHORT.get(base, base)
    if stars > 1 or base not in C_NP_TYPE_MAP or not names[-1].isidentifier():
        raise ValueError(f"{text.strip()!r} declares no number, and no array of numbers")
    return names[-1], KnownType(f"{base}*", base) if stars else KnownType(base)


class _Done:
    """What a call returns: it has waited already."""

    def wait(self) -> None:
        return None


class ScanOfTexts:
    """A scan on a device: of what an expression of i gives, by an expression of a and b; a
    statement does something with each item."""

    def __init__(
        self, backend: str, dtype: Any, arguments: str, input_expr: str, scan_expr: str,
        neutral: str, output_statement: str, is_segment_start_expr: str | None = None,
        input_fetch_exprs: Any = (), index_dtype: Any = np.int32, name_prefix: str = "scan",
        options: Any = None, preamble: str = "", devices: Any = None,
    ) -> None:
        if preamble or input_fetch_exprs or options:
            raise NotImplementedError("a scan of texts has no preamble, no input_fetch_exprs and "
                                      "no options: see parallel.Scan")
        if is_segment_start_expr is not None and not ctext.minds_segments(scan_expr):
            raise NotImplementedError("a scan with segments is written as "
                                      "'across_seg_boundary ? b : ...'")
        known = dict(_declared(text) for text in arguments.split(","))
        self.parameters = tuple(known)
        self._arrays = [name for name, k in known.items() if k.base_type]
        specials = ("i", "item", "prev_item", "last_item", "N")
        special = KnownType(dtype_to_ctype(dtype))
        of_item = {"item": special, "prev_item": special, "last_item": special}
        counts = {"i": KnownType("int"), "N": KnownType("int")}
        self._input = _made(f"{name_prefix}_input", ("i", "N"), input_expr, known,
                            {**counts, "return": special})
        self._output = _made(f"{name_prefix}_output", specials, output_statement, known,
                             {**counts, **of_item})
        self._segment = is_segment_start_expr and _made(
            f"{name_prefix}_starts", ("i", "N"), is_segment_start_expr, known,
            {**counts, "return": KnownType("int")})
        with use_config(use_double=True):  # types are those that are written
            self._scan = ScanBase(self._input, self._output, scan_expr, self._segment or None,
                                  dtype, str(neutral), backend=backend)

    def __call__(self, *args: Any, size: int | None = None, **keywords: Any) -> _Done:
        """Runs it over the elements of the first array, or `size` of them; returns when it is done.
        Keywords are pyopencl's: queue, allocator, wait_for."""
        if len(args) != len(self.parameters):
            raise TypeError(f"the scan takes {', '.join(self.parameters)}, and was given "
                            f"{len(args)} arguments")
        given = dict(zip(self.parameters, args))
        if size is not None:
            first = given[self._arrays[0]]
            given[self._arrays[0]] = getattr(first, "dev", first)[:size]
        self._scan(**given)
        return _Done()


def _made(name: str, indices: tuple[str, ...], text: str, known: dict[str, KnownType],
          own: dict[str, KnownType]) -> Any:
    """A function of Python with that text, of the names that it uses."""
    used = set(re.findall(r"[A-Za-z_]\w*", text)) | {"i", "item"}
    names = (*(n for n in indices if n in used), *known)
    source = ctext.function(name, names, text, "return" in own)
    namespace: dict[str, Any] = {**vars(math), "cast": lang.cast}
    exec(compile(source, f"<{name}>", "exec"), namespace)  # noqa: S102
    made = namespace[name]
    made.source = source
    made.__annotations__ = {n: k for n, k in {**known, **own}.items()
                            if n in names or n == "return"}
    return made


class GenericScanKernel(ScanOfTexts):
    """As pyopencl.scan has it, for the device of compyle.opencl's get_context()."""

    def __init__(self, ctx: Any, dtype: Any, *args: Any, **keywords: Any) -> None:
        if not isinstance(ctx, cpl.Device):
            raise TypeError("the context is compyle.opencl's get_context()")
        super().__init__("opencl", dtype, *args, **keywords)


def or_ours(theirs: Any) -> Any:
    """pyopencl's own class, which makes ours where it is given our device."""

    class Chosen(theirs):  # type: ignore[misc]
        def __new__(cls, ctx: Any, *args: Any, **keywords: Any) -> Any:
            if isinstance(ctx, cpl.Device):
                return GenericScanKernel(ctx, *args, **keywords)
            return super().__new__(cls)

    Chosen.__name__ = Chosen.__qualname__ = theirs.__name__
    Chosen.__module__, Chosen.__doc__ = theirs.__module__, theirs.__doc__
    return Chosen
