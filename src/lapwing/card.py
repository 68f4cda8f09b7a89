"""HTML and SVG cards that show objects in a notebook, without dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np

from lapwing.types import Array

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
WIDTH, HEIGHT, LEFT, BELOW = 420, 130, 44, 18
MOST_POINTS = 200
_CELL = "padding:1px 14px 1px 0;text-align:left;vertical-align:top;border:0;background:none"


def card(title: str, rows: Iterable[tuple[str, object]], *, drawn: str = "") -> str:
    """Return a card: a title, names with values, and `drawn` below; only `drawn` is not escaped.

    Examples
    --------
    >>> found = card("<b>", [("1 < 2", "A & B")])
    >>> "&lt;b&gt;" in found and "1 &lt; 2" in found and "A &amp; B" in found
    True
    """
    cells = "".join(
        f'<tr style="background:none"><td style="{_CELL};opacity:.7">{escape(name)}</td>'
        f'<td style="{_CELL}">{escape(str(value))}</td></tr>'
        for name, value in rows
    )
    return (
        '<div style="font-family:system-ui,sans-serif;font-size:13px;line-height:1.45;'
        'max-width:640px;margin:4px 0">'
        f'<div style="font-weight:600;margin-bottom:3px">{escape(title)}</div>'
        f'<table style="border-collapse:collapse;border:0;margin:0;width:auto">{cells}</table>'
        f"{drawn}</div>"
    )


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with a header; all text is escaped.

    Examples
    --------
    >>> html_table(["name"], [["<i>"]]).count("&lt;i&gt;")
    1
    """
    style = 'style="padding:2px 10px 2px 0;text-align:left;vertical-align:top"'
    head = "".join(f"<th {style}>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td {style}>{escape(str(value))}</td>" for value in row) + "</tr>"
        for row in rows
    )
    return (
        '<table style="border-collapse:collapse;font-family:system-ui,sans-serif;font-size:13px">'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def bars(values: Mapping[str, float]) -> str:
    """Return a horizontal bar per name, scaled to the largest value.

    Examples
    --------
    >>> bars({"<x>": 2.0, "y": 1.0}).count("&lt;x&gt;")
    1
    """
    largest = max(values.values(), default=0.0) or 1.0
    lines = "".join(
        f'<tr style="background:none"><td style="{_CELL};opacity:.7">{escape(name)}</td>'
        f'<td style="{_CELL};min-width:180px"><span style="display:inline-block;height:9px;'
        f'background:{COLOURS[0]};width:{150 * value / largest:.0f}px"></span> '
        f"{value:,.4g}</td></tr>"
        for name, value in values.items()
    )
    return f'<table style="border-collapse:collapse;border:0;margin:0;width:auto">{lines}</table>'


def curves(lines: Mapping[str, Array], *, along: str, top: float | None = None) -> str:
    """Return lines over rounds as SVG, from 0 to `top` or the largest value.

    Higher values are cut off. Text and axes have the colour of the page.

    Examples
    --------
    >>> curves({"error": np.array([1.0, 0.5, 0.25])}, along="rounds").count("<polyline")
    1
    >>> curves({"error": np.array([])}, along="rounds")
    ''
    """
    shown = {name: np.asarray(values) for name, values in lines.items() if len(values) > 1}
    if not shown:
        return ""
    length = max(map(len, shown.values()))
    top = top or max(float(values.max()) for values in shown.values()) or 1.0
    floor = HEIGHT - BELOW
    parts = [
        f'<path d="M{LEFT} 8V{floor}H{WIDTH - 6}" fill="none" stroke="currentColor" opacity=".5"/>',
        _words(LEFT - 5, 14, f"{top:.2g}", "end"),
        _words(LEFT - 5, floor, "0", "end"),
        _words(LEFT, HEIGHT - 4, "1", "start"),
        _words(WIDTH - 6, HEIGHT - 4, f"{length:,} {along}", "end"),
    ]
    for k, (name, values) in enumerate(shown.items()):
        colour = COLOURS[k % len(COLOURS)]
        at = np.unique(np.linspace(0, len(values) - 1, MOST_POINTS).astype(np.intp))
        x = LEFT + (WIDTH - 6 - LEFT) * at / (length - 1)
        y = floor - (floor - 8) * np.minimum(values[at] / top, 1.0)
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        dash = "" if k == 0 else f' stroke-dasharray="{3 + 3 * k} 3"'
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>'
        )
        parts.append(_words(WIDTH - 10, 18 + 14 * k, name, "end", colour))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'style="max-width:100%;height:auto;display:block;margin-top:4px" font-size="11">'
        f"{''.join(parts)}</svg>"
    )


def _words(x: float, y: float, words: str, anchor: str, colour: str = "currentColor") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'
