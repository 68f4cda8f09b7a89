"""Formulas as MathML, which browsers draw by themselves: no script, no fonts, nothing fetched."""

from __future__ import annotations

import re

from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor

INLINE = re.compile(r":math:`([^`]+)`")
DISPLAY = re.compile(r"^( *)\.\. math:: *(.*(?:\n\1 +\S.*)*)", re.M)


class Formulas(Preprocessor):
    """Puts MathML where a docstring has ``:math:`` or ``.. math::``."""

    def run(self, lines: list[str]) -> list[str]:
        text = DISPLAY.sub(lambda found: self._kept(found[2], "block"), "\n".join(lines))
        return INLINE.sub(lambda found: self._kept(found[1], "inline"), text).split("\n")

    def _kept(self, tex: str, display: str) -> str:
        return self.md.htmlStash.store(mathml(tex, display))


class MathML(Extension):
    """The Markdown extension, for pages and docstrings alike."""

    def extendMarkdown(self, md: Markdown) -> None:
        # Before fenced code (25) is looked for: a formula's backticks are not code.
        md.preprocessors.register(Formulas(md), "mathml", 28)


def mathml(tex: str, display: str = "inline") -> str:
    """A TeX formula as a ``<math>`` element.

    Examples
    --------
    >>> mathml("x^2")[:60]
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="in...
    """
    return convert(" ".join(tex.split()), display=display)
