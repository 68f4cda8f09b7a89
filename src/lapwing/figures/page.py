"""A report as a self-contained HTML page or as Markdown with picture files."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from lapwing.optional import need

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; max-width: 960px; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem } h2 { font-size: 1.25rem; margin-top: 2.6rem }
h3 { font-size: 1rem; margin: 1.6rem 0 .4rem } p.lead { font-size: 1.1rem }
figure { margin: 1rem 0 } img { max-width: 100%; height: auto }
figcaption { color: #555; font-size: .9rem } table { border-collapse: collapse }
table.facts td { padding: .15rem 1.2rem .15rem 0; vertical-align: top }
table.facts td:first-child { color: #555 }
div.wide { overflow-x: auto }
table.numbers { font-size: .86rem; font-variant-numeric: tabular-nums }
table.numbers th { text-align: left; font-weight: 600; border-bottom: 1px solid #999;
                   padding: .2rem .9rem .2rem 0; vertical-align: bottom }
table.numbers td { padding: .22rem .9rem .22rem 0; border-bottom: 1px solid #e4e4e4;
                   vertical-align: top }
table.numbers td small { display: block; color: #555; white-space: nowrap }
pre { background: #f4f4f2; padding: .8rem 1rem; overflow-x: auto; font-size: .9rem }
nav a { display: block } a { color: #00598c }
@media print { body { margin: 0; max-width: none; font-size: 11pt } h2 { break-after: avoid }
               figure, tr { break-inside: avoid } div.wide { overflow: visible } }
"""
PICTURE_DPI = 130
COLOURS = 128


class Page:
    """A page of paragraphs, pictures and tables that is written as HTML or Markdown.

    Examples
    --------
    >>> page = Page("Title").text("A & B").numbers(["", "x"], [["row", "1\\n(2)"]])
    >>> "A &amp; B" in page.html(), "<small>(2)</small>" in page.html()
    (True, True)
    >>> print(page.markdown())
    # Title
    <BLANKLINE>
    A & B
    <BLANKLINE>
    |  | x |
    |---|---|
    | row | 1 (2) |
    <BLANKLINE>
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[str] = [f"<h1>{escape(title)}</h1>"]
        self.lines: list[str] = [f"# {title}", ""]
        self.pictures: dict[str, bytes] = {}

    def heading(self, words: str, *, level: int = 2, name: str = "") -> Page:
        """Add a heading; `name` makes it a link target."""
        place = f' id="{escape(name)}"' if name else ""
        self._add(f"<h{level}{place}>{escape(words)}</h{level}>", f"{'#' * level} {words}")
        return self

    def text(self, words: str, *, lead: bool = False) -> Page:
        """Add a paragraph."""
        kind = ' class="lead"' if lead else ""
        self._add(f"<p{kind}>{escape(words)}</p>", " ".join(words.split()))
        return self

    def points(self, items: Iterable[str]) -> Page:
        """Add a list of short sentences."""
        told = list(items)
        if told:
            inside = "".join(f"<li>{escape(item)}</li>" for item in told)
            self._add(f"<ul>{inside}</ul>", "\n".join(f"- {item}" for item in told))
        return self

    def links(self, places: Iterable[tuple[str, str]]) -> Page:
        """Add links to headings of this page, or to files next to it."""
        told = list(places)
        inside = "".join(f'<a href="{escape(to)}">{escape(words)}</a>' for words, to in told)
        self._add(f"<nav>{inside}</nav>", "\n".join(f"- [{words}]({to})" for words, to in told))
        return self

    def table(self, rows: Iterable[tuple[str, Any]]) -> Page:
        """Add a table of names and values."""
        told = [(name, str(value)) for name, value in rows]
        cells = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in told
        )
        lines = ["| | |", "|---|---|", *(f"| {_cell(n)} | {_cell(v)} |" for n, v in told)]
        self._add(f'<table class="facts">{cells}</table>', "\n".join(lines))
        return self

    def numbers(self, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Page:
        """Add a table with a header; lines after the first in a cell are shown small."""
        told = [list(row) for row in rows]
        head = "".join(f"<th>{escape(name)}</th>" for name in header)
        body = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in told)
        lines = [
            f"| {' | '.join(map(_cell, header))} |",
            "|" + "---|" * len(header),
            *(f"| {' | '.join(map(_cell, row))} |" for row in told),
        ]
        html = f'<div class="wide"><table class="numbers"><tr>{head}</tr>{body}</table></div>'
        self._add(html, "\n".join(lines))
        return self

    def code(self, words: str) -> Page:
        """Add a block of commands."""
        self._add(f"<pre>{escape(words)}</pre>", f"```\n{words}\n```")
        return self

    def figure(self, figure: Any, caption: str, *, name: str = "") -> Page:
        """Add a matplotlib figure; `name` is its file name next to the Markdown."""
        data, words = _small_png(figure), escape(caption)
        name = name or f"picture{len(self.pictures) + 1}"
        self.pictures[f"{name}.png"] = data
        self._add(
            f'<figure><img src="data:image/png;base64,{base64.b64encode(data).decode()}" '
            f'alt="{words}"><figcaption>{words}</figcaption></figure>',
            f"![{caption}]({name}.png)",
        )
        return self

    def joined(self, other: Page, *, name: str = "") -> Page:
        """Add all of another page, under a heading."""
        self.heading(other.title, name=name)
        self.parts += other.parts[1:]
        self.lines += other.lines[2:]
        self.pictures |= other.pictures
        return self

    def html(self) -> str:
        """Return the whole page as HTML."""
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{escape(self.title)}</title>"
            f"<style>{STYLE}</style></head><body>{''.join(self.parts)}</body></html>"
        )

    def markdown(self) -> str:
        """Return the page as Markdown; pictures are separate files."""
        return "\n".join(self.lines)

    def written(self, path: Path) -> Path:
        """Write the page: as Markdown with pictures if the path ends in ``.md``, else as HTML."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            path.write_text(self.markdown(), encoding="utf-8")
            for name, data in self.pictures.items():
                (path.parent / name).write_bytes(data)
        else:
            path.write_text(self.html(), encoding="utf-8")
        return path

    def _add(self, html: str, markdown: str) -> None:
        self.parts.append(html)
        self.lines += [markdown, ""]


def _small_png(figure: Any) -> bytes:
    """Return the figure as a PNG with a small palette, a third of the usual file size."""
    drawn, held = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", dpi=PICTURE_DPI)
    images = need("PIL.Image", extra="plot")
    picture = images.open(drawn).convert("RGB").quantize(COLOURS, dither=images.Dither.NONE)
    picture.save(held, format="png", optimize=True)
    return held.getvalue()


def _html_cell(words: str) -> str:
    first, *small = escape(words).split("\n")
    return f"<td>{first}{''.join(f'<small>{line}</small>' for line in small)}</td>"


def _cell(words: str) -> str:
    return " ".join(words.split()).replace("|", "\\|")
