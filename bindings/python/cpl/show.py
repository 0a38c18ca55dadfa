"""What objects of the package look like as tables, in text and, for notebooks, in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "us"))
_SIZES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def _scaled(value: float, units: tuple[tuple[float, str], ...], least: str) -> str:
    for unit, name in units:
        if value >= 0.9995*unit:  # "1.00 ms", not "1000 us"
            return f"{_digits(value/unit)} {name}"
    return f"{value:.0f} {least}"


def _digits(value: float) -> str:
    """Three of them, without a power of ten: 0.12, 1.23, 12.3, 123, 1234."""
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}"


def duration(ns: float) -> str:
    return _scaled(ns, _UNITS, "ns")


def size(count: int) -> str:
    return _scaled(count, _SIZES, "B")


def rate(value: float) -> str:
    return _digits(value)


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns as wide as what is in them; the first ones, `left` of them, are texts."""
    widths = [max(map(len, column)) for column in zip(heads, *rows)]
    lines = []
    for row in (heads, *rows):
        cells = [c.ljust(w) if k < left else c.rjust(w)
                 for k, (c, w) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def escape(text: str) -> str:
    import html  # with all its entities, for notebooks alone

    return html.escape(text)


def html_table(heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """The same for a notebook. Texts are any: nothing in them is HTML."""

    def line(tag: str, cells: Sequence[str]) -> str:
        sides = ("left" if k < left else "right" for k in range(len(cells)))
        inner = (f'<{tag} style="text-align: {side}">{escape(c)}</{tag}>'
                 for side, c in zip(sides, cells))
        return f"<tr>{''.join(inner)}</tr>"

    body = "".join(line("td", row) for row in rows)
    return f"<table><thead>{line('th', heads)}</thead><tbody>{body}</tbody></table>"


def _signature(
    function: Any, names: tuple[str, ...], types: str, kinds: tuple[str, ...]
) -> str:
    """Of what was compiled: as the compiler has it, or of an algorithm what it was called with."""
    for line in types.splitlines():
        if line.startswith(f"{names[0]}("):
            return line
    parameters = (*function.parameters, *kinds)
    said = (f"{name}: {kind}" for name, kind in zip(parameters, kinds))
    return f"{function.__name__}({', '.join(said)})"


def _place(function: Any) -> str:
    """Where its text is: " of FILE:LINE", or nothing of one that was made of expressions."""
    code = getattr(getattr(function, "__wrapped__", None), "__code__", None)
    return f" of {escape(code.co_filename)}:{code.co_firstlineno}" if code else ""


_FACTS = (
    "name", "vendor", "driver", "target", "memory", "memory_used", "local_memory", "units",
    "max_group_size", "subgroup_size", "fp64", "fp16", "int64_atomics",
)  # fmt: skip


def device_html(device: Any, what: str) -> str:
    """A device, or that of a queue: what it is, and what matters to kernels on it."""
    values = ((name, getattr(device, name)) for name in _FACTS)
    rows = [(name, f"{v:,}" if type(v) is int else str(v)) for name, v in values]
    return f"<p><b>{escape(device.label)}</b>, {what}</p>" + html_table(("fact", "value"), rows, 2)


def function_html(function: Any, what: str) -> str:
    """A compiled function: what it is, where it stands, and what it was compiled for."""
    name = escape(function.__qualname__)
    head = f"<p><b>{name}</b>, {what}{_place(function)}</p>"
    calls: dict[str, int] = {}  # one text may be compiled for several layouts
    for names, types, kinds, count in function.signatures:
        text = _signature(function, names, types, kinds)
        calls[text] = calls.get(text, 0) + count
    rows = [(text, str(count)) for text, count in calls.items()]
    return head + (html_table(("compiled for", "calls"), rows) if rows else "")
