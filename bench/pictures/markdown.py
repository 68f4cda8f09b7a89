"""The tables of a benchmark page, read back from its Markdown."""

from __future__ import annotations

import re

Table = list[list[str]]
"""The cells of a Markdown table: its header, then its rows."""


def tables(text: str) -> list[Table]:
    """Every table of a page.

    Examples
    --------
    >>> tables("Words.\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 ± 3 |\\n")
    [[['a', 'b'], ['1', '2 ± 3']]]
    """
    found: list[Table] = []
    inside = False
    for line in text.splitlines():
        if not line.startswith("|"):
            inside = False
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not inside:
            found.append([])
        inside = True
        if set(line) - set("|-: "):
            found[-1].append(cells)
    return found


def number(cell: str) -> float:
    """The first number of a cell.

    Examples
    --------
    >>> number("0.1564 ± 0.0039"), number("1,330"), number("50 (100.0%)")
    (0.1564, 1330.0, 50.0)
    """
    found = re.search(r"-?[\d,]*\.?\d+", cell)
    if found is None:
        raise ValueError(f"a cell must hold a number, got {cell!r}")
    return float(found[0].replace(",", ""))
