"""A picture of figures: for each column a panel with a logarithmic scale of its own, a dot for each name. SVG, written by hand, in
colours that do on a light and on a dark page."""

import math
from html import escape

ROW, TOP, BOTTOM = 26, 48, 34
LABELS, PANEL, GAP, MARGIN = 118, 176, 18, 12
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; fill: #24292f }
  .own { font-weight: 600; fill: #0969da }
  .grid { stroke: #d0d7de }
  .row { stroke: #d0d7de; stroke-dasharray: 1 3 }
  circle { fill: #8c959f }
  circle.own { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    text { fill: #8b949e }
    .title { fill: #e6edf3 }
    .own, circle.own { fill: #58a6ff }
    .grid, .row { stroke: #30363d }
  }
"""


def decades(values):
    """Powers of ten around all values, at least one apart."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def place(value, low, high):
    """Pixels from a panel's left side; room is left for what is written beside the last dot."""
    return (math.log10(value) - low)/(high - low)*(PANEL - 52)


def panel(left, title, values, names, own):
    from cpl import show

    low, high = decades(values.values())
    bottom = TOP + ROW*len(names)
    yield f'<text class="title" x="{left}" y="20">{escape(title)}</text>'
    step = math.ceil((high - low)/2)  # labels need some room
    for power in range(low, high + 1):
        x = left + place(10.0**power, low, high)
        yield f'<line class="grid" x1="{x:.1f}" y1="{TOP - 14}" x2="{x:.1f}" y2="{bottom}"/>'
        if (power - low) % step == 0:
            label = show.duration(10.0**power).replace(".00", "").replace(".0", "")
            yield f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{label}</text>'
    for k, name in enumerate(names):
        if name not in values:
            continue
        x, y = left + place(values[name], low, high), TOP + ROW*k
        kind = ' class="own"' if name == own else ""
        yield f'<circle{kind} cx="{x:.1f}" cy="{y}" r="5"/>'
        yield f'<text{kind} x="{x + 9:.1f}" y="{y + 4}">{show.duration(values[name])}</text>'


def dots(columns, own):
    """columns: {title: {name: nanoseconds}}; own: the name that stands out."""
    columns = {title: values for title, values in columns.items() if values}
    names = list(dict.fromkeys(name for values in columns.values() for name in values))
    width = MARGIN + LABELS + len(columns)*(PANEL + GAP)
    height = TOP + ROW*len(names) + BOTTOM
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             f'width="{width}" height="{height}" role="img">', f"<style>{STYLE}</style>"]
    for k, name in enumerate(names):
        y = TOP + ROW*k
        kind = ' class="own"' if name == own else ""
        lines.append(f'<text{kind} x="{MARGIN}" y="{y + 4}">{escape(name)}</text>')
        lines.append(f'<line class="row" x1="{MARGIN + LABELS}" y1="{y}" x2="{width - GAP}" y2="{y}"/>')
    for k, (title, values) in enumerate(columns.items()):
        lines += panel(MARGIN + LABELS + k*(PANEL + GAP), title, values, names, own)
    return "\n".join([*lines, "</svg>", ""])
