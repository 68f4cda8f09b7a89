"""One self-contained HTML page: words, numbers and pictures in a single file."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; max-width: 860px; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem } h2 { font-size: 1.15rem; margin-top: 2.2rem }
p.lead { font-size: 1.1rem } figure { margin: 1rem 0 } img { max-width: 100%; height: auto }
figcaption { color: #555; font-size: .9rem } table { border-collapse: collapse }
td { padding: .15rem 1.2rem .15rem 0; vertical-align: top } td:first-child { color: #555 }
pre { background: #f4f4f2; padding: .8rem 1rem; overflow-x: auto; font-size: .9rem }
@media print { body { margin: 0; max-width: none } h2 { break-after: avoid }
               figure { break-inside: avoid } }
"""


class Page:
    """Paragraphs, pictures and tables added one after the other, then written once.

    Examples
    --------
    >>> page = Page("Title").text("A & B")
    >>> "A &amp; B" in page.html()
    True
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.parts: list[str] = [f"<h1>{escape(title)}</h1>"]

    def heading(self, words: str) -> Page:
        """A heading."""
        self.parts.append(f"<h2>{escape(words)}</h2>")
        return self

    def text(self, words: str, *, lead: bool = False) -> Page:
        """A paragraph."""
        kind = ' class="lead"' if lead else ""
        self.parts.append(f"<p{kind}>{escape(words)}</p>")
        return self

    def table(self, rows: Iterable[tuple[str, Any]]) -> Page:
        """Names and values."""
        cells = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(str(value))}</td></tr>" for name, value in rows
        )
        self.parts.append(f"<table>{cells}</table>")
        return self

    def code(self, words: str) -> Page:
        """Lines to type."""
        self.parts.append(f"<pre>{escape(words)}</pre>")
        return self

    def figure(self, figure: Any, caption: str) -> Page:
        """A matplotlib figure, inside the page."""
        held = io.BytesIO()
        figure.savefig(held, format="png", dpi=130)
        data = base64.b64encode(held.getvalue()).decode()
        words = escape(caption)
        self.parts.append(
            f'<figure><img src="data:image/png;base64,{data}" alt="{words}">'
            f"<figcaption>{words}</figcaption></figure>"
        )
        return self

    def html(self) -> str:
        """The whole page."""
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{escape(self.title)}</title>"
            f"<style>{STYLE}</style></head><body>{''.join(self.parts)}</body></html>"
        )

    def written(self, path: Path) -> Path:
        """Write the page."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.html(), encoding="utf-8")
        return path
