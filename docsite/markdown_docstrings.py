"""Docstrings as the reference shows them: the house's sections turned into plain Markdown."""

from __future__ import annotations

from typing import Any

import griffe

from docsite.docstrings import parsed


class MarkdownDocstrings(griffe.Extension):
    """Rewrites every docstring once, when its object has been read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Let mkdocstrings see Markdown instead of sections."""
        if obj.docstring:
            obj.docstring.value = parsed(obj.docstring.value).as_markdown()
