"""A figure that displays itself in a notebook."""

from __future__ import annotations

import io

from matplotlib.figure import Figure


class NotebookFigure(Figure):
    """A figure that a notebook displays as the last line of a cell, without pyplot.

    Examples
    --------
    >>> picture, size = NotebookFigure(figsize=(2, 1), dpi=150)._repr_png_()
    >>> picture[:4], size
    (b'\\x89PNG', {'width': 192, 'height': 96})
    """

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        held = io.BytesIO()
        self.savefig(held, format="png")
        width, height = (round(96 * inches) for inches in self.get_size_inches())
        return held.getvalue(), {"width": width, "height": height}
